//! Whether an expectation only repeats how the table was set up, even in other words.

use rulepack_expr::{Expr, Holder, ME, Property, Set, What, ZoneRef};
use rulepack_kernel::{Ruleset, Value, ZoneIx};
use rulepack_model::{Local, ResId, Seat, TypeId, ZoneId};

use super::Begin;
use super::given::Given;
use super::homes::pieces_of;
use super::names::Want;
use super::pieces::{PieceSpec, Stack, ZoneSpec};
use super::then::Check;

impl Given {
    /// Whether a check reads only what was set up, and expects it as it was set up.
    pub(super) fn already_says(&self, rules: &Ruleset, from: &Begin, check: &Check) -> bool {
        match check {
            Check::Turn(seat) => seat.is_some() && self.turn.map(|(turn, _)| turn) == *seat,
            Check::Asked(seat) => self.turn.is_some_and(|(turn, _)| turn == *seat),
            Check::Passed(seats) => self.passed.as_ref().is_some_and(|passed| {
                passed.iter().all(|seat| seats.contains(seat)) && seats.iter().all(|seat| passed.contains(seat))
            }),
            Check::Out(seats) => self.out.as_ref().is_some_and(|out| {
                out.iter().all(|seat| seats.contains(seat)) && seats.iter().all(|seat| out.contains(seat))
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
            // Without a step nothing is rolled or shuffled, except in the set-up.
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
            | Check::Price(..) => false,
            Check::Holds(me, condition, _) => {
                let at_turn = self.turn.or(self.first).map_or(Seat(0), |(seat, _)| seat);
                Reads { given: self, rules, me: me.unwrap_or(at_turn), named: Vec::new() }.only_given(condition)
            }
        }
    }

    /// Whether all pieces of a zone were put there one by one.
    fn sets_whole(&self, zone: ZoneIx) -> bool {
        let set = self.zones.iter().rfind(|given| given.zone == zone);
        set.is_some_and(|given| matches!(given.spec, ZoneSpec::All(_) | ZoneSpec::Spaces(_)))
    }

    /// The amount that a player is given; the last setting counts.
    fn amount_of(&self, seat: Seat, res: ResId) -> Option<i64> {
        let set = self.amounts.iter().rev().find(|(of, held)| *of == seat && held.res == res);
        set.map(|(_, held)| i64::from(held.amount))
    }
}

/// Finds out what a condition reads. Attributes, derived values, room, marks, ways on a board and results of scripts follow from the
/// table and are not set up themselves, so a condition that reads them is useful even in a scenario without steps.
struct Reads<'a> {
    given: &'a Given,
    rules: &'a Ruleset,
    /// The player whom it is about.
    me: Seat,
    /// The slots of the condition that stand for a player or a resource.
    named: Vec<(Local, Named)>,
}

/// What a slot stands for.
#[derive(Clone, Copy)]
enum Named {
    Seat(Seat),
    Res(ResId),
}

impl Reads<'_> {
    /// Whether a condition reads only what was set up.
    fn only_given(&self, expr: &Expr) -> bool {
        let both = |one: &Expr, two: &Expr| self.only_given(one) && self.only_given(two);
        match expr {
            Expr::Int(_) | Expr::Bool(_) | Expr::Res(_) | Expr::Sym(_) | Expr::Type(_) | Expr::Local(_) => true,
            Expr::Amount(holder, what) => self.is_given_amount(holder, what),
            Expr::Var(var, of) => {
                let of = match of {
                    None => None,
                    Some(of) => match self.seat(of) {
                        Some(seat) => Some(Value::Seat(seat)),
                        None => return false,
                    },
                };
                self.given.vars.iter().any(|(given, owner, _)| given == var && *owner == of)
            }
            Expr::AtTurn => self.seat(expr).is_some(),
            Expr::Out(seat) => self.given.out.is_some() && self.seat(seat).is_some(),
            Expr::Passed(seat) => self.given.passed.is_some() && self.seat(seat).is_some(),
            Expr::Negative(inner)
            | Expr::Not(inner)
            | Expr::IsType(inner, _)
            | Expr::IsKind(inner, _)
            | Expr::NextSeat(inner)
            | Expr::PreviousSeat(inner)
            | Expr::Partner(inner)
            | Expr::Opposite(inner) => self.only_given(inner),
            Expr::Property(property, of) => is_set_with_the_piece(*property) && self.only_given(of),
            Expr::Binary(_, one, two) | Expr::Min(one, two) | Expr::Max(one, two) => both(one, two),
            Expr::If(condition, yes, no) => self.only_given(condition) && both(yes, no),
            Expr::Any(set) | Expr::Count(set) | Expr::First(set) | Expr::Last(set) => self.is_given_set(set),
            Expr::Top(zone) => self.is_given_zone(zone),
            Expr::Contains(set, thing) => self.is_given_set(set) && self.only_given(thing),
            Expr::Sum(set, it, each) | Expr::Largest(set, it, each) | Expr::Smallest(set, it, each) => {
                self.is_given_of_each(set, *it, |reads| reads.only_given(each))
            }
            Expr::Attr(..)
            | Expr::ResAttr(..)
            | Expr::Mark(..)
            | Expr::Room(..)
            | Expr::Value(..)
            | Expr::Can(..)
            | Expr::CanPay(_)
            | Expr::Units(_)
            | Expr::Query(..) => false,
        }
    }

    fn is_given_amount(&self, holder: &Holder, what: &What) -> bool {
        let resources = match what {
            What::Res(res) => vec![*res],
            What::Group(group) => self.rules.members(*group).to_vec(),
            What::Of(which) => match self.resource(which) {
                Some(res) => vec![res],
                None => return false,
            },
        };
        match holder {
            Holder::Seat(seat) => self
                .seat(seat)
                .is_some_and(|seat| resources.iter().all(|res| self.given.amount_of(seat, *res).is_some())),
            Holder::Supply => resources.iter().all(|res| self.given.supply.iter().any(|(given, _)| given == res)),
            Holder::Piece(_) => false,
        }
    }

    fn is_given_set(&self, set: &Set) -> bool {
        let all = |parts: &[&Expr]| parts.iter().all(|part| self.only_given(part));
        match set {
            Set::Zone(zone) => self.is_given_zone(zone),
            Set::InPlay { kind: _, owner } => self.is_given_in_play(owner.as_deref()),
            Set::Filter { base, it, cond } | Set::While { base, it, cond } | Set::Until { base, it, cond } => {
                self.is_given_of_each(base, *it, |reads| reads.only_given(cond))
            }
            Set::OfEach { of, it, part } => self.is_given_of_each(of, *it, |reads| reads.is_given_set(part)),
            Set::Combined(_, one, other) => self.is_given_set(one) && self.is_given_set(other),
            Set::Numbers(least, most) => all(&[least, most]),
            Set::Listed(members) => members.iter().all(|member| self.only_given(member)),
            Set::One(thing) => self.only_given(thing),
            Set::Seats | Set::Others(_) | Set::Team(_) | Set::Round { .. } => self.players_in(set).is_some(),
            // What the pack says, and what follows from it.
            Set::Resources(_)
            | Set::Types(_)
            | Set::Symbols(_)
            | Set::Directions(_)
            | Set::DirectionsFrom(_)
            | Set::Cells(_)
            | Set::FreeCells(_)
            | Set::Neighbours(_)
            | Set::Line(..)
            | Set::Through(..)
            | Set::Connected(..)
            | Set::At(_)
            | Set::On(_)
            | Set::Adjacent(..)
            | Set::AdjacentToAll(..)
            | Set::Attached(_)
            | Set::Named(..)
            | Set::Kept(_) => false,
        }
    }

    fn is_given_zone(&self, zone: &ZoneRef) -> bool {
        let owner = match &zone.owner {
            None => None,
            Some(owner) => match self.seat(owner) {
                Some(seat) => Some(seat),
                None => return false,
            },
        };
        self.given.sets_whole(self.rules.zone_ix(zone.zone, owner))
    }

    /// Whether all pieces in play were put there one by one: those of all players, or of one.
    fn is_given_in_play(&self, owner: Option<&Expr>) -> bool {
        let seats: Vec<Seat> = match owner.map(|owner| self.seat(owner)) {
            None => self.rules.seats().collect(),
            Some(Some(seat)) => vec![seat],
            Some(None) => return false,
        };
        let sets = |zone| self.given.sets_whole(zone);
        let in_play = (0..).map(ZoneId).zip(&self.rules.zones).filter(|(_, zone)| zone.in_play);
        in_play.clone().count() > 0
            && in_play.into_iter().all(|(id, zone)| match zone.per_player {
                true => seats.iter().all(|seat| sets(self.rules.zone_ix(id, Some(*seat)))),
                false => sets(self.rules.zone_ix(id, None)),
            })
    }

    /// Whether only what was set up is read, for a set and for each of its members.
    fn is_given_of_each(&self, set: &Set, it: Local, each: impl Fn(&Reads<'_>) -> bool) -> bool {
        let members: Vec<Named> = match (set, self.players_in(set)) {
            (_, Some(players)) => players.into_iter().map(Named::Seat).collect(),
            (Set::Resources(group), None) => self.rules.members(*group).iter().copied().map(Named::Res).collect(),
            (set, None) => return self.is_given_set(set) && each(self),
        };
        members.into_iter().all(|member| {
            let mut named = self.named.clone();
            named.push((it, member));
            each(&Reads { named, ..*self })
        })
    }

    /// The players of a set, those that its `where` excludes included; `None` if it is no set of players.
    fn players_in(&self, set: &Set) -> Option<Vec<Seat>> {
        match set {
            Set::Seats => Some(self.rules.seats().collect()),
            Set::Others(but) => {
                let but = self.seat(but)?;
                Some(self.rules.seats().filter(|seat| *seat != but).collect())
            }
            Set::Round { from, .. } => self.seat(from).map(|_| self.rules.seats().collect()),
            Set::Filter { base, .. } | Set::While { base, .. } | Set::Until { base, .. } => self.players_in(base),
            Set::One(player) => Some(vec![self.seat(player)?]),
            Set::Listed(players) => players.iter().map(|player| self.seat(player)).collect(),
            Set::Combined(_, one, other) => {
                let mut players = self.players_in(one)?;
                players.extend(self.players_in(other)?);
                Some(players)
            }
            _ => None,
        }
    }

    /// The player that an expression names.
    fn seat(&self, expr: &Expr) -> Option<Seat> {
        let beside = |seat: &Expr, steps: u8| {
            let seat = self.seat(seat)?;
            seat.0.checked_add(steps)?.checked_rem(self.rules.players).map(Seat)
        };
        match expr {
            Expr::Local(ME) => Some(self.me),
            Expr::Local(local) => self.named.iter().rev().find_map(|(named, what)| match what {
                Named::Seat(seat) if named == local => Some(*seat),
                Named::Seat(_) | Named::Res(_) => None,
            }),
            Expr::AtTurn => self.given.turn.or(self.given.first).map(|(seat, _)| seat),
            Expr::NextSeat(seat) => beside(seat, 1),
            Expr::PreviousSeat(seat) => beside(seat, self.rules.players.saturating_sub(1)),
            _ => None,
        }
    }

    /// The resource that an expression names.
    fn resource(&self, expr: &Expr) -> Option<ResId> {
        match expr {
            Expr::Res(res) => Some(*res),
            Expr::Local(local) => self.named.iter().rev().find_map(|(named, what)| match what {
                Named::Res(res) if named == local => Some(*res),
                Named::Seat(_) | Named::Res(_) => None,
            }),
            _ => None,
        }
    }
}

/// Whether a property of a piece is set up by putting the piece where it is.
fn is_set_with_the_piece(property: Property) -> bool {
    match property {
        Property::PieceRow
        | Property::PieceColumn
        | Property::PieceCell
        | Property::PieceOwner
        | Property::PieceType => true,
        // Whether a piece lies on another one or face down may come from the set-up; spaces belong to the layout.
        Property::PieceHost
        | Property::PieceFaceUp
        | Property::PieceFlipped
        | Property::CellRow
        | Property::CellColumn
        | Property::CellEmpty => false,
    }
}

/// Whether all pieces that are expected in a zone were put there. Their order is not compared, because nothing changes it.
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

/// Whether a piece was put there with all expected properties.
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
        && wanted.seen_by.as_ref().is_none_or(|seats| set.seen_by.as_ref() == Some(seats))
        && wanted.vars.iter().all(|var| set.vars.contains(var))
        // These follow from the table.
        && wanted.values.is_empty()
        && wanted.attributes.is_empty()
        && is_laden_alike
}
