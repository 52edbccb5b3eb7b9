//! Directions and lines in layouts, and spaces that are connected.

use rulepack_model::{SymId, ZoneId, did_you_mean};

use super::{Checkable, Checked, Checker};
use crate::ast::*;
use crate::code::*;
use crate::error::ExprError;
use crate::vocabulary::Ty;

/// The names of all directions that a layout may have, clockwise from the north.
pub const DIRECTIONS: [&str; 8] =
    ["north", "north_east", "east", "south_east", "south", "south_west", "west", "north_west"];

/// What gives a pack directions.
const LAYOUTS: &str = "give a zone `layout = { grid = [8, 8], directions = 4 }` (8 for the diagonals, too), \
                       `{ hex = [5, 5] }`, or points with lines";

impl Checker<'_> {
    /// `directions`, and parts of them, or a direction that no layout has.
    pub(super) fn directions(&self, name: &str, at: &At) -> Option<Checked<Checkable>> {
        let which = match name {
            "directions" => Directions::All,
            "straights" => Directions::Straight,
            "diagonals" => Directions::Diagonal,
            name if DIRECTIONS.contains(&name) => return Some(Err(self.unknown_direction(name, at.clone()))),
            _ => return None,
        };
        if self.vocabulary.directions.is_empty() {
            let error = ExprError::name(at.clone(), "no zone has directions, so there are none to take");
            return Some(Err(error.help(LAYOUTS)));
        }
        Some(Ok(Checkable::Many(Set::Directions(which), Ty::Sym)))
    }

    /// A direction.
    pub(crate) fn direction(&mut self, ast: &Ast) -> Checked<Expr> {
        if let AstKind::Symbol(name) = &ast.kind
            && !self.vocabulary.symbols.contains_key(name)
        {
            return Err(self.unknown_direction(name, ast.at.clone()));
        }
        let direction = self.expect_type(ast, Ty::Sym)?;
        match &direction {
            Expr::Sym(symbol) if !self.vocabulary.directions.contains(symbol) => {
                let symbols = self.vocabulary.symbols.iter();
                let name = symbols.filter(|(_, known)| *known == symbol).map(|(name, _)| name.clone()).next();
                Err(self.unknown_direction(&name.unwrap_or_default(), ast.at.clone()))
            }
            _ => Ok(direction),
        }
    }

    fn unknown_direction(&self, name: &str, at: At) -> ExprError {
        let v = &*self.vocabulary;
        let known = v.symbols.iter().filter(|(_, id)| v.directions.contains(id)).map(|(name, _)| name.as_str());
        let known: Vec<&str> = known.collect();
        let error = ExprError::name(at, format!("no zone has a direction called `{name}`"));
        if known.is_empty() {
            return error.help(LAYOUTS);
        }
        let near = if DIRECTIONS.contains(&name) { None } else { did_you_mean(name, known.iter().copied()) };
        error.help(near.unwrap_or_else(|| format!("the directions here are `{}`", known.join("`, `"))))
    }

    /// `line(space, east)`, `through(space, east)`
    pub(crate) fn line(&mut self, function: &str, from: &Ast, direction: &Ast) -> Checked<Checkable> {
        let at = direction.at.clone();
        let (from, direction) = (self.space(from, function), self.direction(direction));
        let (from, direction) = self.both(from, direction)?;
        self.leads_somewhere(&from, &direction, at)?;
        let (from, direction) = (Box::new(from), Box::new(direction));
        let set = if function == "line" { Set::Line(from, direction) } else { Set::Through(from, direction) };
        Ok(Checkable::Many(set, Ty::Cell))
    }

    /// `directions(space)`
    pub(crate) fn directions_from(&mut self, of: &Ast) -> Checked<Checkable> {
        let from = self.space(of, "directions")?;
        if self.vocabulary.directions.is_empty() {
            let error = ExprError::name(of.at.clone(), "no zone has directions, so there are none to take");
            return Err(error.help(LAYOUTS));
        }
        Ok(Checkable::Many(Set::DirectionsFrom(Box::new(from)), Ty::Sym))
    }

    /// Refuses a direction that the layout of the zone does not have, where both stand in the text.
    fn leads_somewhere(&self, from: &Expr, direction: &Expr, at: At) -> Checked<()> {
        let v = &*self.vocabulary;
        let (Expr::Sym(symbol), Some(zone)) = (direction, zone_of_space(from)) else { return Ok(()) };
        let Some(known) = v.directions_of.get(&zone).filter(|known| !known.contains(symbol)) else { return Ok(()) };
        let name =
            |symbol: &SymId| v.symbols.iter().find(|(_, id)| *id == symbol).map_or("", |(name, _)| name.as_str());
        let zone = v.zones.iter().find(|(_, named)| named.id == zone).map_or("", |(name, _)| name.as_str());
        let message = format!("`{}` is no direction of the zone `{zone}`", name(symbol));
        let known: Vec<&str> = known.iter().map(name).collect();
        Err(ExprError::name(at, message).help(match known.is_empty() {
            true => "no lines go through its spaces".to_string(),
            false => format!("its directions are `{}`", known.join("`, `")),
        }))
    }

    /// `connected(space, set)`
    pub(crate) fn connected(&mut self, from: &Ast, within: &Ast) -> Checked<Checkable> {
        let from = self.whereabouts(from);
        let within = self.whereabouts(within);
        let (from, within) = self.both(from, within)?;
        Ok(Checkable::Many(Set::Connected(Box::new(from), Box::new(within)), Ty::Cell))
    }

    /// Spaces, pieces, or one of them.
    fn whereabouts(&mut self, ast: &Ast) -> Checked<Set> {
        match self.check(ast)? {
            Checkable::Many(set, Ty::Cell | Ty::Piece(_) | Ty::Any) => Ok(set),
            Checkable::Zone(zone) => Ok(Set::Zone(zone)),
            Checkable::One(one, Ty::Cell | Ty::Piece(_) | Ty::Any) => Ok(Set::One(Box::new(one))),
            _ => Err(ExprError::kind(ast.at.clone(), "spaces or pieces are needed here")
                .help("such as `connected(PIECE.cell, cells(ZONE) where …)` or `connected(PIECE, PIECES)`")),
        }
    }
}

/// The zone in which a space lies, if the text says so.
fn zone_of_space(space: &Expr) -> Option<ZoneId> {
    match space {
        Expr::First(set) | Expr::Last(set) => zone_of_set(set),
        Expr::Top(zone) => Some(zone.zone),
        Expr::Property(Property::PieceCell, piece) => zone_of_space(piece),
        Expr::Int(_) | Expr::Bool(_) | Expr::Res(_) | Expr::Sym(_) | Expr::Type(_) | Expr::Local(_) => None,
        Expr::Amount(..) | Expr::Attr(..) | Expr::ResAttr(..) | Expr::Property(..) | Expr::Mark(..) => None,
        Expr::Room(..) | Expr::Value(..) | Expr::Var(..) | Expr::Negative(_) | Expr::Not(_) | Expr::Binary(..) => None,
        Expr::If(..) | Expr::IsType(..) | Expr::IsKind(..) | Expr::Contains(..) | Expr::Any(_) => None,
        Expr::Count(_) | Expr::Sum(..) | Expr::Largest(..) | Expr::Smallest(..) | Expr::Min(..) => None,
        Expr::Max(..) | Expr::NextSeat(_) | Expr::PreviousSeat(_) | Expr::Opposite(_) | Expr::AtTurn => None,
        Expr::Passed(_)
        | Expr::Out(_)
        | Expr::Partner(_)
        | Expr::Can(..)
        | Expr::CanPay(_)
        | Expr::Units(_)
        | Expr::Query(..) => None,
    }
}

/// The zone in which all spaces or pieces of a set lie, if the text says so.
fn zone_of_set(set: &Set) -> Option<ZoneId> {
    match set {
        Set::Zone(zone) | Set::Cells(zone) | Set::FreeCells(zone) => Some(zone.zone),
        Set::Neighbours(from) | Set::Line(from, _) | Set::Through(from, _) => zone_of_space(from),
        Set::Filter { base, .. } | Set::While { base, .. } | Set::Until { base, .. } => zone_of_set(base),
        Set::Connected(_, within) => zone_of_set(within),
        Set::InPlay { .. } | Set::Directions(_) | Set::DirectionsFrom(_) | Set::At(_) | Set::On(_) => None,
        Set::Adjacent(..) | Set::AdjacentToAll(..) | Set::Attached(_) | Set::One(_) | Set::Named(..) => None,
        Set::Kept(_) | Set::Resources(_) | Set::Types(_) | Set::Symbols(_) | Set::Numbers(..) => None,
        Set::Listed(_) | Set::Combined(..) | Set::OfEach { .. } | Set::Seats | Set::Others(_) => None,
        Set::Round { .. } | Set::Team(_) => None,
    }
}
