//! Whether an action can be taken: what it requires, its parameters one after the other, its costs, its effect.

use std::ops::{ControlFlow, RangeInclusive};

use rulepack_model::{ActionId, Seat};

use crate::eval::bundle::Bundle;
use crate::eval::expressions::{Eval, Locals, slots};
use crate::flow::machine::Machine;
use crate::lower::Source;
use crate::rules::ruleset::Action;
use crate::state::value::Value;

impl Eval<'_> {
    /// Whether an action can be taken and completed with the parameters known so far.
    pub fn can_act(&self, action: &Action, locals: &mut Locals, bound: usize, waive_cost: bool) -> bool {
        let begins = bound > 0 || self.can_begin(action, locals);
        begins
            && self.allows(action, locals, 0..=bound, waive_cost)
            && self.can_complete(action, locals, bound, waive_cost)
    }

    /// Whether an action can be taken, judging by its limit and by a requirement that names no parameter.
    pub(crate) fn can_begin(&self, action: &Action, locals: &mut Locals) -> bool {
        let is_left = |(var, most)| self.state.var(self.rules, var, Some(locals[0])).int() < most;
        action.limit.is_none_or(is_left) && (action.requires_after > 0 || self.requirement_holds(action, locals))
    }

    /// Whether the requirement and the costs allow an action, if they are due. They are due once, when the last parameter
    /// that they name is known, and not again for every value of the later parameters. `bound` has the numbers of known
    /// parameters that are tested now. In the public view, both are due when all parameters are known.
    pub(crate) fn allows(
        &self,
        action: &Action,
        locals: &mut Locals,
        bound: RangeInclusive<usize>,
        waive_cost: bool,
    ) -> bool {
        let is_due = |after: u16| match self.public_view {
            true => bound.contains(&action.params.len()),
            false => bound.contains(&(after as usize)),
        };
        if action.requires_after > 0 && is_due(action.requires_after) && !self.requirement_holds(action, locals) {
            return false;
        }
        waive_cost || action.costs.is_empty() || !is_due(action.costs_after) || self.can_afford(action, locals)
    }

    fn requirement_holds(&self, action: &Action, locals: &mut Locals) -> bool {
        action.code(self.rules).requires.as_ref().is_none_or(|requires| requires(self, locals))
    }

    /// Whether the requirement holds, if it is due when `known` parameters are known.
    pub(crate) fn meets_requirement(&self, action: &Action, locals: &mut Locals, known: u16) -> bool {
        action.requires_after != known || self.requirement_holds(action, locals)
    }

    /// Whether there are values for the parameters that are not known.
    pub(crate) fn can_complete(&self, action: &Action, locals: &mut Locals, bound: usize, waive_cost: bool) -> bool {
        match action.params.get(bound) {
            Some(param) if self.public_view && self.choice_is_hidden(&param.set, locals, 0, &[]) => true,
            Some(_) => {
                let mut found = false;
                let visit: &mut dyn FnMut(Value, &mut Locals) -> ControlFlow<()> = &mut |value, locals| {
                    found = self.can_go_on_with(action, locals, bound, value, waive_cost);
                    if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                };
                let _ = action.code(self.rules).params[bound].each(self, locals, visit);
                found
            }
            None => action.effect.is_none_or(|effect| self.can_run_with(effect, locals)),
        }
    }

    /// Whether an action can be completed with a value for its next parameter.
    pub(crate) fn can_go_on_with(
        &self,
        action: &Action,
        locals: &mut Locals,
        bound: usize,
        value: Value,
        waive_cost: bool,
    ) -> bool {
        let slot = rulepack_expr::FIRST_PARAM as usize + bound;
        let kept = std::mem::replace(&mut locals[slot], value);
        let next = bound + 1;
        let can =
            self.allows(action, locals, next..=next, waive_cost) && self.can_complete(action, locals, next, waive_cost);
        locals[slot] = kept;
        can
    }

    pub(crate) fn can_afford(&self, action: &Action, locals: &mut Locals) -> bool {
        let Some(me) = locals[0].seat() else { return false };
        let costs = &action.code(self.rules).costs;
        let is_there = |to: &Source, locals: &mut Locals| to.get(self, locals).piece().is_some();
        if costs.iter().any(|(_, to)| to.as_ref().is_some_and(|to| !is_there(to, locals))) {
            return false;
        }
        match costs.as_slice() {
            [] => true,
            [(price, _)] => self.can_pay(me, &price.bundle(self, locals)),
            costs => {
                let bundles: Vec<Bundle> = costs.iter().map(|(price, _)| price.bundle(self, locals)).collect();
                self.can_pay_each(&bundles, &|res| self.state.amount(self.rules, me, res))
            }
        }
    }
}

impl Machine<'_> {
    /// Whether an action is impossible, but some player cannot know that.
    pub(crate) fn might_act(&self, seat: Seat, id: ActionId) -> bool {
        let action = &self.rules.actions[id.index()];
        let can = |eval: Eval<'_>| eval.can_act(action, &mut slots(Some(seat), None, &[], action.locals), 0, false);
        let may_be = || can(self.eval().as_public()) || self.rules.has_secrets() && self.rules.action_reads_secrets(id);
        may_be() && !can(self.eval())
    }

    /// Whether there is such a free action.
    pub(crate) fn might_act_free(&self, seat: Seat) -> bool {
        let mut free = self.rules.actions.iter().enumerate().filter(|(_, action)| action.free);
        self.may_act_free(seat) && free.any(|(index, _)| self.might_act(seat, ActionId::from(index)))
    }
}
