//! Directions and lines in layouts, and spaces that are connected.

use rulepack_model::did_you_mean;

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
        let (from, direction) = (self.space(from, function), self.direction(direction));
        let (from, direction) = self.both(from, direction)?;
        let (from, direction) = (Box::new(from), Box::new(direction));
        let set = if function == "line" { Set::Line(from, direction) } else { Set::Through(from, direction) };
        Ok(Checkable::Many(set, Ty::Cell))
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
