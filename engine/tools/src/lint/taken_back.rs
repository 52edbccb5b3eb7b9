//! Effects that take pieces out of a zone that is out of the game: they can only fail.
//!
//! A piece is followed inside one text, from its choice to its move. Moves by an event or a script are not found here; the
//! kernel refuses them during the game.

use std::collections::BTreeMap;

use rulepack_expr::{Dest, Expr, FIRST_PARAM, Filling, Moves, Op, OpFacts, Set};
use rulepack_kernel::Ruleset;
use rulepack_model::{Local, ZoneId};

/// The effects that move pieces out of a zone that is out of the game, each with the zone.
pub(super) fn taken_back(rules: &Ruleset) -> Vec<(&str, ZoneId)> {
    if !rules.zones.iter().any(|zone| zone.out_of_game) {
        return Vec::new();
    }
    // The parameters of an action are slots of its effect.
    let mut begun: BTreeMap<usize, Origins> = BTreeMap::new();
    for action in &rules.actions {
        let Some(effect) = action.effect else { continue };
        let mut origins = Origins::new(rules);
        for (index, param) in action.params.iter().enumerate() {
            origins.note(Local::from(FIRST_PARAM as usize + index), origins.of_set(&param.set));
        }
        begun.insert(effect.index(), origins);
    }
    let programs = rules.programs.iter().enumerate();
    let found = programs.filter_map(|(index, compiled)| {
        let mut origins = begun.remove(&index).unwrap_or_else(|| Origins::new(rules));
        let zone = compiled.program.ops.iter().find_map(|op| origins.step(op))?;
        Some((compiled.origin.as_str(), zone))
    });
    found.collect()
}

/// For the slots of an effect: the zone out of the game from which their pieces or spaces come.
struct Origins<'r> {
    rules: &'r Ruleset,
    known: BTreeMap<Local, ZoneId>,
}

impl<'r> Origins<'r> {
    fn new(rules: &'r Ruleset) -> Self {
        Origins { rules, known: BTreeMap::new() }
    }

    fn note(&mut self, local: Local, zone: Option<ZoneId>) {
        match zone {
            Some(zone) => drop(self.known.insert(local, zone)),
            None => drop(self.known.remove(&local)),
        }
    }

    /// Follows one operation, and returns the zone from which it takes something back.
    fn step(&mut self, op: &Op) -> Option<ZoneId> {
        let OpFacts { fills, moves, .. } = op.facts();
        if let Some((into, filling)) = fills {
            let zone = match filling {
                Filling::Member(set) | Filling::List(set) => self.of_set(set),
                Filling::NextOf(list) => self.known.get(&list).copied(),
                Filling::Value(value) => self.of(value),
                Filling::Chance | Filling::EmptyList => None,
            };
            self.note(into, zone);
        }
        match moves? {
            Moves::One { piece, to, .. } => self.of(piece).filter(|_| self.is_back(to)),
            Moves::Many { set, to, .. } => self.of_set(set).filter(|_| self.is_back(to)),
            Moves::Swapped { one, other } => match (self.of(one), self.of(other)) {
                (Some(zone), None) | (None, Some(zone)) => Some(zone),
                _ => None,
            },
            Moves::Onto { piece, on } => self.of(piece).filter(|_| self.of(on).is_none()),
            Moves::Drawn { from, to } => self.is_out(from.zone).filter(|_| self.is_back(to)),
            Moves::Refilled(zone) => {
                let from = self.rules.zones.get(zone.zone.index())?.refill?;
                self.is_out(from).filter(|_| self.is_out(zone.zone).is_none())
            }
        }
    }

    fn is_out(&self, zone: ZoneId) -> Option<ZoneId> {
        self.rules.zones.get(zone.index()).filter(|zone| zone.out_of_game).map(|_| zone)
    }

    /// Whether a destination is in the game.
    fn is_back(&self, to: &Dest) -> bool {
        match to {
            Dest::Zone(zone) => self.is_out(zone.zone).is_none(),
            Dest::Cell(cell) => self.of(cell).is_none(),
        }
    }

    /// The zone of a piece or a space, if it is known and out of the game.
    fn of(&self, expr: &Expr) -> Option<ZoneId> {
        match expr {
            Expr::Local(local) => self.known.get(local).copied(),
            Expr::First(set) | Expr::Last(set) => self.of_set(set),
            Expr::Property(_, of) => self.of(of),
            Expr::If(_, yes, no) => self.of(yes).or_else(|| self.of(no)),
            Expr::Int(_) | Expr::Bool(_) | Expr::Res(_) | Expr::Sym(_) | Expr::Type(_) | Expr::Amount(..) => None,
            Expr::Attr(..) | Expr::ResAttr(..) | Expr::Mark(..) | Expr::Room(..) | Expr::Value(..) => None,
            Expr::Var(..) | Expr::Negative(_) | Expr::Not(_) | Expr::Binary(..) | Expr::IsType(..) => None,
            Expr::IsKind(..) | Expr::Contains(..) | Expr::Any(_) | Expr::Count(_) | Expr::Sum(..) => None,
            Expr::Largest(..) | Expr::Smallest(..) | Expr::Top(_) | Expr::Min(..) | Expr::Max(..) => None,
            Expr::NextSeat(_) | Expr::PreviousSeat(_) | Expr::Opposite(_) | Expr::AtTurn | Expr::Passed(_) => None,
            Expr::Out(_) | Expr::Partner(_) => None,
            Expr::Can(..) | Expr::CanPay(_) | Expr::Units(_) | Expr::Query(..) => None,
        }
    }

    fn of_set(&self, set: &Set) -> Option<ZoneId> {
        match set {
            Set::Zone(zone) | Set::Cells(zone) | Set::FreeCells(zone) => self.is_out(zone.zone),
            Set::Filter { base, .. } | Set::While { base, .. } | Set::Until { base, .. } | Set::On(base) => {
                self.of_set(base)
            }
            Set::Kept(local) => self.known.get(local).copied(),
            Set::At(of) | Set::Attached(of) | Set::One(of) | Set::Neighbours(of) => self.of(of),
            Set::Line(of, _) | Set::Through(of, _) => self.of(of),
            Set::InPlay { .. } | Set::Connected(..) | Set::Directions(_) | Set::Adjacent(..) => None,
            Set::DirectionsFrom(_) => None,
            Set::AdjacentToAll(..) | Set::Named(..) | Set::Resources(_) | Set::Types(_) | Set::Symbols(_) => None,
            Set::Numbers(..) | Set::Listed(_) | Set::Combined(..) | Set::OfEach { .. } | Set::Seats => None,
            Set::Others(_) | Set::Team(_) | Set::Round { .. } => None,
        }
    }
}
