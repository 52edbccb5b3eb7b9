//! Sets that no place on the table holds, compiled to functions; see `eval/made_sets.rs`.

use std::ops::ControlFlow;

use rulepack_expr::{Combination, Expr, Set};
use rulepack_model::{Local, SetId};

use super::walk::{ON, OUT};
use super::{Number, Source, Walk, number};
use crate::eval::expressions::{Eval, Locals, Slots, slots};
use crate::eval::kept_sets::KeptSet;
use crate::eval::made_sets::Members;
use crate::eval::sets::Visit;
use crate::rules::ruleset::Ruleset;
use crate::state::value::Value;

/// A set that no place on the table holds.
pub(super) enum Made {
    /// Types or symbols, which are the same in every game.
    Fixed(Vec<Value>),
    Numbers(Number, Number),
    Listed(Vec<Source>),
    Kept(Local),
    Named(SetId, Source, Vec<Source>),
    Combined(Combination, Box<Walk>, Box<Walk>),
    /// For each member of the first, which is in a slot then, the members of the second.
    OfEach(Box<Walk>, usize, Box<Walk>),
}

impl Made {
    pub(super) fn new(rules: &Ruleset, set: &Set) -> Made {
        let source = |expr: &Expr| Source::new(rules, expr);
        let nothing = Made::Fixed(Vec::new());
        match set {
            Set::Types(_) | Set::Symbols(_) => Made::Fixed(rules.named_members(set)),
            Set::Combined(how, one, other) => {
                Made::Combined(*how, Box::new(Walk::new(rules, one)), Box::new(Walk::new(rules, other)))
            }
            Set::OfEach { of, it, part } => {
                Made::OfEach(Box::new(Walk::new(rules, of)), it.index(), Box::new(Walk::new(rules, part)))
            }
            Set::Named(id, me, args) => Made::Named(*id, source(me), args.iter().map(source).collect()),
            Set::Kept(local) => Made::Kept(*local),
            Set::Numbers(least, most) => Made::Numbers(number(rules, least), number(rules, most)),
            Set::Listed(members) => Made::Listed(members.iter().map(source).collect()),
            // Sets of the table: `Base` compiles them.
            Set::Zone(_) | Set::InPlay { .. } | Set::At(_) | Set::On(_) | Set::Attached(_) | Set::One(_) => nothing,
            Set::Cells(_) | Set::FreeCells(_) | Set::Neighbours(_) | Set::Adjacent(..) | Set::AdjacentToAll(..) => {
                nothing
            }
            Set::Line(..) | Set::Through(..) | Set::Connected(..) | Set::Directions(_) | Set::DirectionsFrom(_) => {
                nothing
            }
            Set::Filter { .. } | Set::While { .. } | Set::Until { .. } => nothing,
            Set::Resources(_) | Set::Seats | Set::Others(_) | Set::Team(_) | Set::Round { .. } => nothing,
        }
    }

    /// Whether all members are pieces, as far as that is known.
    pub(super) fn gives_pieces(&self) -> bool {
        match self {
            Made::Combined(_, one, other) => one.base.gives_pieces() && other.base.gives_pieces(),
            Made::OfEach(_, _, part) => part.base.gives_pieces(),
            Made::Fixed(_) | Made::Numbers(..) | Made::Listed(_) | Made::Kept(_) | Made::Named(..) => false,
        }
    }

    /// Whether a value itself tells whether it is a member, so that no other member is visited.
    pub(super) fn is_told(&self) -> bool {
        matches!(self, Made::Fixed(_) | Made::Numbers(..))
    }

    /// Whether something is a member, if it tells so itself.
    pub(super) fn contains(&self, eval: &Eval<'_>, wanted: Value, locals: &mut Locals) -> bool {
        match self {
            Made::Fixed(members) => members.contains(&wanted),
            Made::Numbers(least, most) => {
                let Value::Int(wanted) = wanted else { return false };
                let (least, most) = (least(eval, locals), most(eval, locals));
                (least..=most).contains(&wanted)
            }
            // Their members are visited instead.
            Made::Listed(_) | Made::Kept(_) | Made::Named(..) | Made::Combined(..) | Made::OfEach(..) => false,
        }
    }

    /// Visits the members.
    #[inline(never)]
    pub(super) fn walk(&self, eval: &Eval<'_>, locals: &mut Locals, visit: Visit<'_>) -> ControlFlow<()> {
        match self {
            Made::Fixed(members) => {
                if !eval.state.fuel().burn_many(members.len() / 16) {
                    return OUT;
                }
                for member in members {
                    visit(*member, locals)?;
                }
                ON
            }
            Made::Numbers(least, most) => {
                let (least, most) = (least(eval, locals), most(eval, locals));
                eval.each_number(least, most, locals, visit)
            }
            Made::Listed(members) => {
                let mut known = Slots::new();
                for member in members {
                    let member = member.get(eval, locals);
                    if member != Value::Nil && !known.contains(&member) {
                        known.push(member);
                        visit(member, locals)?;
                    }
                }
                ON
            }
            Made::Named(id, me, args) => {
                let me = me.get(eval, locals).seat();
                let args: Slots = args.iter().map(|arg| arg.get(eval, locals)).collect();
                let Some(eval) = eval.one_deeper() else { return OUT };
                let named = &eval.rules.sets[id.index()];
                let mut inner = slots(me, None, &args, named.locals);
                named.walk(eval.rules).walk(&eval, &mut inner, &mut |value, _| visit(value, locals))
            }
            Made::Kept(local) => eval.each_kept(KeptSet::of(locals, *local), locals, visit),
            Made::Combined(how, one, other) => {
                let mut members = Members { known: Vec::new(), how: *how };
                if *how == Combination::Union {
                    let add: Visit<'_> = &mut |value, locals| members.add(eval, value, locals, visit);
                    one.walk(eval, locals, add)?;
                    return other.walk(eval, locals, add);
                }
                let _ = other.walk(eval, locals, &mut |value, _| {
                    members.known.push(value);
                    ON
                });
                one.walk(eval, locals, &mut |value, locals| members.test(eval, value, locals, visit))
            }
            Made::OfEach(of, it, part) => of.walk(eval, locals, &mut |value, locals| {
                let kept = std::mem::replace(&mut locals[*it], value);
                let flow = part.walk(eval, locals, visit);
                locals[*it] = kept;
                flow
            }),
        }
    }
}
