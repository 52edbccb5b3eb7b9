//! Whether an expectation only says again how the table was set up, in whatever words.

use rulepack_kernel::Ruleset;
use rulepack_model::{ResId, Seat, TypeId};

use super::Begin;
use super::given::Given;
use super::homes::pieces_of;
use super::names::Want;
use super::pieces::{PieceSpec, Stack, ZoneSpec};
use super::then::Check;

impl Given {
    /// Whether a check looks at nothing but what was set, and expects it as it was set.
    pub(super) fn already_says(&self, rules: &Ruleset, from: &Begin, check: &Check) -> bool {
        match check {
            Check::Turn(seat) => seat.is_some() && self.turn.map(|(turn, _)| turn) == *seat,
            Check::Asked(seat) => self.turn.is_some_and(|(turn, _)| turn == *seat),
            Check::Passed(seats) => self.passed.as_ref().is_some_and(|passed| {
                passed.iter().all(|seat| seats.contains(seat)) && seats.iter().all(|seat| passed.contains(seat))
            }),
            Check::Supply(res, amount) => {
                self.supply.iter().any(|(given, set)| given == res && i64::from(*set) == *amount)
            }
            Check::Amount(seat, resources, amount) => {
                let set: Option<i64> = resources.iter().map(|res| self.amount_of(*seat, *res)).sum();
                set == Some(*amount)
            }
            Check::Zone(zone, spec) => {
                self.zones.iter().any(|given| given.zone == *zone && is_same_zone(rules, &given.spec, spec))
            }
            Check::Var(var, owner, want) => {
                let set = self.vars.iter().rev().find(|(given, of, _)| given == var && of == owner);
                set.is_some_and(|(.., value)| Want::Is(*value) == *want)
            }
            // Where nobody does anything, nothing is rolled or shuffled.
            Check::Dice(0) => *from != Begin::Setup,
            Check::Rolls(rolls) => rolls.is_empty() && *from != Begin::Setup,
            Check::Shuffled(zones) => zones.is_empty() && *from != Begin::Setup,
            Check::Dice(_)
            | Check::Over(_)
            | Check::Winners(_)
            | Check::Derived(..)
            | Check::Score(..)
            | Check::Line(..)
            | Check::Rank(..)
            | Check::Sees(..)
            | Check::Holds(..)
            | Check::Price(..) => false,
        }
    }

    /// How much a player is given; what is said last counts.
    fn amount_of(&self, seat: Seat, res: ResId) -> Option<i64> {
        let set = self.amounts.iter().rev().find(|(of, held)| *of == seat && held.res == res);
        set.map(|(_, held)| i64::from(held.amount))
    }
}

/// Whether all that is expected of a zone was put there. The order is not looked at: a table keeps it.
fn is_same_zone(rules: &Ruleset, given: &ZoneSpec, then: &ZoneSpec) -> bool {
    let (set, wanted) = (pieces_of(given), pieces_of(then));
    let is_whole = matches!(given, ZoneSpec::All(_) | ZoneSpec::Spaces(_));
    let of_type = |ty: TypeId| set.iter().filter(|piece| is_of_type(rules, piece, ty)).count();
    match then {
        ZoneSpec::Count(count) => is_whole && set.len() == *count,
        ZoneSpec::All(_) => is_whole && set.len() == wanted.len() && are_among(rules, &set, &wanted),
        ZoneSpec::Spaces(spaces) => spaces.iter().all(|(at, stack)| {
            let ZoneSpec::Spaces(given) = given else { return false };
            given.iter().any(|(place, set)| place == at && is_same_stack(rules, set, stack))
        }),
        ZoneSpec::Part(part) => {
            part.size.is_none_or(|size| is_whole && size == set.len())
                && part.counts.iter().all(|(ty, count)| is_whole && of_type(*ty) == *count)
                && are_among(rules, &set, &wanted)
        }
    }
}

fn is_of_type(rules: &Ruleset, piece: &PieceSpec, wanted: TypeId) -> bool {
    piece.which.ty().is_some_and(|ty| rules.is_type(ty, wanted))
}

fn is_same_stack(rules: &Ruleset, given: &Stack, then: &Stack) -> bool {
    let (set, wanted) = (in_stack(given), in_stack(then));
    match (given, then) {
        (Stack::Exactly(_), Stack::Count(count)) => set.len() == *count,
        (Stack::Exactly(_), Stack::Exactly(_)) => set.len() == wanted.len() && are_among(rules, &set, &wanted),
        (_, Stack::Count(_) | Stack::Exactly(_)) => false,
        (_, Stack::Top(_) | Stack::Places(_)) => are_among(rules, &set, &wanted),
    }
}

fn in_stack(stack: &Stack) -> Vec<&PieceSpec> {
    match stack {
        Stack::Exactly(pieces) | Stack::Top(pieces) => pieces.iter().collect(),
        Stack::Places(places) => places.iter().map(|(_, piece)| piece).collect(),
        Stack::Count(_) => Vec::new(),
    }
}

/// Whether each of the pieces that are expected is one of those that were put there.
fn are_among(rules: &Ruleset, set: &[&PieceSpec], wanted: &[&PieceSpec]) -> bool {
    let mut left = set.to_vec();
    wanted.iter().all(|wanted| match left.iter().position(|set| is_same_piece(rules, set, wanted)) {
        Some(found) => {
            left.remove(found);
            true
        }
        None => false,
    })
}

/// Whether a piece was put there with all that is expected of it.
fn is_same_piece(rules: &Ruleset, set: &PieceSpec, wanted: &PieceSpec) -> bool {
    let held = |res: ResId| set.held.iter().rev().find(|held| held.res == res).map_or(0, |held| held.amount);
    let all = |pieces: &Option<Vec<PieceSpec>>| pieces.iter().flatten().cloned().collect::<Vec<_>>();
    let is_laden_alike = wanted.on.is_none() || {
        let (set, wanted) = (all(&set.on), all(&wanted.on));
        set.len() == wanted.len()
            && are_among(rules, &set.iter().collect::<Vec<_>>(), &wanted.iter().collect::<Vec<_>>())
    };
    set.which.ty().is_some_and(|ty| wanted.which.includes(rules, ty))
        && wanted.held.iter().all(|wanted| held(wanted.res) == wanted.amount)
        && wanted.sums.iter().all(|(group, sum)| {
            rules.members(*group).iter().map(|res| i64::from(held(*res))).sum::<i64>() == *sum
        })
        && wanted.face_down.is_none_or(|down| set.face_down == Some(down))
        && wanted.flipped.is_none_or(|flipped| set.flipped == Some(flipped))
        && wanted.vars.iter().all(|var| set.vars.contains(var))
        // These follow from the table.
        && wanted.values.is_empty()
        && wanted.attributes.is_empty()
        && is_laden_alike
}
