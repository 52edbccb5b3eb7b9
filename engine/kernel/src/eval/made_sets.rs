//! Sets that no place on the table holds: of numbers, of types and symbols, of what a text lists; and sets that are made of
//! others: named ones, combined ones, those of several players. The other sets are in `sets.rs`.

use std::ops::ControlFlow;

use rulepack_expr::{Combination, Set};

use crate::eval::expressions::{Eval, Locals, Slots, slots};
use crate::eval::kept_sets::KeptSet;
use crate::eval::sets::{ON, OUT, Visit};
use crate::state::value::Value;

/// The members of two combined sets that are known so far.
pub(crate) struct Members {
    /// Those that were visited, or those of the second set.
    pub(crate) known: Vec<Value>,
    pub(crate) how: Combination,
}

impl Members {
    /// Visits a member of a union, unless it was visited before.
    pub(crate) fn add(
        &mut self,
        eval: &Eval<'_>,
        value: Value,
        locals: &mut Locals,
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        if !eval.state.fuel().burn_many(1 + self.known.len() / 16) {
            return OUT;
        }
        if self.known.contains(&value) {
            return ON;
        }
        self.known.push(value);
        visit(value, locals)
    }

    /// Visits a member of the first set, if it is, or is not, one of the second.
    pub(crate) fn test(&self, eval: &Eval<'_>, value: Value, locals: &mut Locals, visit: Visit<'_>) -> ControlFlow<()> {
        if !eval.state.fuel().burn_many(1 + self.known.len() / 16) {
            return OUT;
        }
        if self.known.contains(&value) == (self.how == Combination::Intersection) { visit(value, locals) } else { ON }
    }
}

impl Eval<'_> {
    /// Numbers, types, symbols and listed things; nothing for other sets.
    pub(super) fn each_named_in_text(&self, set: &Set, locals: &mut Locals, visit: Visit<'_>) -> ControlFlow<()> {
        match set {
            Set::Types(_) | Set::Symbols(_) => {
                let members = self.rules.named_members(set);
                if !self.state.fuel().burn_many(members.len() / 16) {
                    return OUT;
                }
                for member in members {
                    visit(member, locals)?;
                }
                ON
            }
            Set::Numbers(least, most) => {
                let (least, most) = (self.int(least, locals), self.int(most, locals));
                self.each_number(least, most, locals, visit)
            }
            Set::Listed(members) => {
                let mut known = Slots::new();
                for member in members {
                    let member = self.expr(member, locals);
                    if member != Value::Nil && !known.contains(&member) {
                        known.push(member);
                        visit(member, locals)?;
                    }
                }
                ON
            }
            Set::Zone(_) | Set::InPlay { .. } | Set::Cells(_) | Set::FreeCells(_) | Set::Neighbours(_) => ON,
            Set::Line(..) | Set::Through(..) | Set::Connected(..) | Set::Directions(_) | Set::DirectionsFrom(_) => ON,
            Set::At(_) => ON,
            Set::On(_) | Set::Adjacent(..) | Set::AdjacentToAll(..) | Set::Attached(_) | Set::One(_) => ON,
            Set::Named(..) | Set::Kept(_) | Set::Resources(_) | Set::Combined(..) | Set::OfEach { .. } => ON,
            Set::Seats | Set::Others(_) | Set::Round { .. } | Set::Filter { .. } | Set::While { .. } => ON,
            Set::Until { .. } | Set::Team(_) => ON,
        }
    }

    /// Sets that are made of others; nothing for other sets.
    pub(super) fn each_made(&self, set: &Set, locals: &mut Locals, visit: Visit<'_>) -> ControlFlow<()> {
        match set {
            Set::Named(id, me, args) => {
                let me = self.expr(me, locals).seat();
                let args: Slots = args.iter().map(|arg| self.expr(arg, locals)).collect();
                let Some(eval) = self.one_deeper() else { return OUT };
                let named = &self.rules.sets[id.index()];
                let mut inner = slots(me, None, &args, named.locals);
                eval.each(&named.set, &mut inner, &mut |value, _| visit(value, locals))
            }
            Set::Kept(local) => self.each_kept(KeptSet::of(locals, *local), locals, visit),
            Set::Combined(how, one, other) => self.each_combined(*how, one, other, locals, visit),
            Set::OfEach { of, it, part } => self.each(of, locals, &mut |value, locals| {
                let kept = std::mem::replace(&mut locals[it.index()], value);
                let flow = self.each(part, locals, visit);
                locals[it.index()] = kept;
                flow
            }),
            Set::Zone(_) | Set::InPlay { .. } | Set::Cells(_) | Set::FreeCells(_) | Set::Neighbours(_) => ON,
            Set::Line(..) | Set::Through(..) | Set::Connected(..) | Set::Directions(_) | Set::DirectionsFrom(_) => ON,
            Set::At(_) => ON,
            Set::On(_) | Set::Adjacent(..) | Set::AdjacentToAll(..) | Set::Attached(_) | Set::One(_) => ON,
            Set::Resources(_) | Set::Types(_) | Set::Symbols(_) | Set::Numbers(..) | Set::Listed(_) => ON,
            Set::Seats | Set::Others(_) | Set::Round { .. } | Set::Filter { .. } | Set::While { .. } => ON,
            Set::Until { .. } | Set::Team(_) => ON,
        }
    }

    /// The members of two sets, as they are combined.
    fn each_combined(
        &self,
        how: Combination,
        one: &Set,
        other: &Set,
        locals: &mut Locals,
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        let mut members = Members { known: Vec::new(), how };
        if how == Combination::Union {
            self.each(one, locals, &mut |value, locals| members.add(self, value, locals, visit))?;
            return self.each(other, locals, &mut |value, locals| members.add(self, value, locals, visit));
        }
        members.known = self.collect(other, locals);
        self.each(one, locals, &mut |value, locals| members.test(self, value, locals, visit))
    }

    /// The members of a set that has a name in an effect.
    pub(crate) fn each_kept(&self, kept: KeptSet, locals: &mut Locals, visit: Visit<'_>) -> ControlFlow<()> {
        if !self.state.fuel().burn_many(kept.count() / 16) {
            return OUT;
        }
        for index in 0..kept.count() {
            let Some(member) = kept.member(locals, index) else { break };
            visit(member, locals)?;
        }
        ON
    }

    /// The whole numbers from one to another.
    pub(crate) fn each_number(&self, least: i64, most: i64, locals: &mut Locals, visit: Visit<'_>) -> ControlFlow<()> {
        for number in least..=most {
            if !self.state.fuel().burn(1) {
                return OUT;
            }
            visit(Value::Int(number), locals)?;
        }
        ON
    }
}
