//! Why an action cannot be taken: its requirements, its costs, the values of its parameters.

use std::ops::ControlFlow;

use rulepack_expr::ast::BinaryOp;
use rulepack_expr::{Expr, FIRST_PARAM, Set};
use rulepack_model::{ActionId, Local};

use super::{Pick, Reason, Tried, Why};
use crate::eval::bundle::Bundle;
use crate::eval::expressions::{Locals, slots};
use crate::flow::decision::Opt;
use crate::flow::feasible::free_actions::Nowhere;
use crate::rules::ruleset::Action;
use crate::state::value::Value;
use crate::text::expr_text::Writer;

/// The number of rejected values that are listed.
const MOST_TRIED: usize = 8;

impl<'a> Why<'_, 'a> {
    /// Why an action cannot begin with these parameters; `None` if it can.
    pub(super) fn action(&self, id: ActionId, picks: &[Pick], interrupts: bool) -> Option<Reason> {
        let action = &self.rules().actions[id.index()];
        let mut locals = slots(Some(self.seat), None, &[], action.locals);
        if let Some((var, most)) = action.limit
            && self.machine.state.var(self.rules(), var, Some(locals[0])).int() >= most
        {
            return Some(Reason::UsedUp { times: most });
        }
        if !self.possible(action, &mut locals, 0, picks, false) {
            return Some(self.reason(action, &mut locals, 0, picks, false).unwrap_or(Reason::Unseen));
        }
        if !action.free || !self.machine.may_lead_nowhere(interrupts) {
            return None;
        }
        let firsts = self.first_values(action, picks, &mut locals).into_iter();
        let nowhere = Nowhere::unless_any(firsts.map(|first| {
            let option = if interrupts { Opt::Free(id, first) } else { Opt::Action(id, first) };
            self.machine.leads_on(self.seat, option)
        }));
        // A player who cannot see that nothing else is in the way must not be told that this is.
        let mut is_seen = action.requires.as_ref().is_none_or(|requires| self.seen.expr(requires, &mut locals));
        is_seen = is_seen && action.params.first().is_none_or(|param| self.seen.set(&param.set, &mut locals));
        nowhere.err().map(|nowhere| if is_seen { nowhere.into() } else { Reason::Unseen })
    }

    /// The first parameters with which an action can begin; an action without parameters has one empty list.
    fn first_values(&self, action: &Action, picks: &[Pick], locals: &mut Locals) -> Vec<Value> {
        if action.params.is_empty() {
            return vec![Value::Nil];
        }
        let mut values = self.members(action, 0, picks.first(), locals);
        values.retain(|value| {
            let kept = std::mem::replace(&mut locals[usize::from(FIRST_PARAM)], *value);
            let can = self.possible(action, locals, 1, picks.get(1..).unwrap_or(&[]), false);
            locals[usize::from(FIRST_PARAM)] = kept;
            can
        });
        values
    }

    /// Whether an action can be completed, judged by the functions that list options.
    pub(super) fn possible(
        &self,
        action: &Action,
        locals: &mut Locals,
        bound: usize,
        picks: &[Pick],
        waive_cost: bool,
    ) -> bool {
        let eval = self.machine.eval();
        let begins = bound > 0 || eval.can_begin(action, locals);
        if !begins || !eval.allows(action, locals, bound..=bound, waive_cost) {
            return false;
        }
        let (Some((pick, rest)), true) = (picks.split_first(), bound < action.params.len()) else {
            return eval.can_complete(action, locals, bound, waive_cost);
        };
        let slot = usize::from(FIRST_PARAM) + bound;
        self.members(action, bound, Some(pick), locals).into_iter().any(|value| {
            let kept = std::mem::replace(&mut locals[slot], value);
            let can = self.possible(action, locals, bound + 1, rest, waive_cost);
            locals[slot] = kept;
            can
        })
    }

    /// The members of the set of a parameter, or those of them that are asked about.
    pub(super) fn members(
        &self,
        action: &Action,
        bound: usize,
        pick: Option<&Pick>,
        locals: &mut Locals,
    ) -> Vec<Value> {
        let mut values = Vec::new();
        let eval = self.machine.eval();
        let _ = action.code(self.rules()).params[bound].each(&eval, locals, |value, _| {
            if pick.is_none_or(|pick| self.fits(pick, value)) {
                values.push(value);
            }
            ControlFlow::Continue(())
        });
        values
    }

    /// The first reason that the viewer can know, for an action that is impossible.
    fn reason(
        &self,
        action: &'a Action,
        locals: &mut Locals,
        bound: usize,
        picks: &[Pick],
        waive_cost: bool,
    ) -> Option<Reason> {
        if usize::from(action.requires_after) == bound
            && let Some(part) = action.requires.as_ref().and_then(|requires| self.false_part(requires, locals))
        {
            return Some(Reason::Requires { condition: self.writer(action, bound).expr(part) });
        }
        if usize::from(action.costs_after) == bound
            && !waive_cost
            && let Some(reason) = self.cost_reason(action, locals)
        {
            return Some(reason);
        }
        if bound < action.params.len() {
            return self.param_reason(action, locals, bound, picks, waive_cost);
        }
        action.effect.and_then(|effect| self.effect_reason(effect, self.writer(action, bound), locals))
    }

    /// Prints texts of an action with this many known parameters: the next slot is `it` in the set of the next one.
    fn writer(&self, action: &'a Action, bound: usize) -> Writer<'a> {
        let params = action.params.iter().take(bound).map(|param| param.name.as_str()).collect();
        Writer { rules: self.rules(), params, outer: Vec::new() }
    }

    /// The first false part of a condition, among those that the viewer sees.
    fn false_part<'e>(&self, cond: &'e Expr, locals: &mut Locals) -> Option<&'e Expr> {
        if let Expr::Binary(BinaryOp::And, left, right) = cond {
            return self.false_part(left, locals).or_else(|| self.false_part(right, locals));
        }
        (self.seen.expr(cond, locals) && !self.machine.eval().truth(cond, locals)).then_some(cond)
    }

    fn cost_reason(&self, action: &'a Action, locals: &mut Locals) -> Option<Reason> {
        let eval = self.machine.eval();
        let is_seen = action
            .costs
            .iter()
            .all(|(cost, to)| self.seen.cost(cost, locals) && to.as_ref().is_none_or(|to| self.seen.expr(to, locals)));
        if !is_seen || eval.can_afford(action, locals) {
            return None;
        }
        for (_, to) in &action.costs {
            if let Some(to) = to
                && eval.expr(to, locals).piece().is_none()
            {
                return Some(Reason::NoPieceForCost { piece: self.writer(action, action.params.len()).expr(to) });
            }
        }
        let mut whole = Bundle::default();
        let mut less = 0;
        for (cost, _) in &action.costs {
            let bundle = eval.bundle(cost, locals);
            less += bundle.less;
            for (kinds, amount) in bundle.parts {
                eval.kept_in(whole.add(kinds, i64::from(amount)));
            }
        }
        Some(self.cannot_pay(&whole, less))
    }

    pub(super) fn cannot_pay(&self, bundle: &Bundle, less: i32) -> Reason {
        let costs = self.amounts(bundle, |res| self.machine.state.amount(self.rules(), self.seat, res));
        Reason::CannotPay { costs, less }
    }

    /// Why no value, or not the one that is asked about, is possible for a parameter.
    pub(super) fn param_reason(
        &self,
        action: &'a Action,
        locals: &mut Locals,
        bound: usize,
        picks: &[Pick],
        waive_cost: bool,
    ) -> Option<Reason> {
        let set = &action.params[bound].set;
        let pick = picks.first();
        if !self.seen.set(set, locals) || pick.is_some() && !self.seen.knows_members(set, locals) {
            return None;
        }
        let writer = self.writer(action, bound);
        let values = self.members(action, bound, pick, locals);
        if let (Some(pick), true) = (pick, values.is_empty()) {
            return Some(self.not_among(set, pick, locals, &writer));
        }
        let slot = usize::from(FIRST_PARAM) + bound;
        let rest = picks.get(1..).unwrap_or(&[]);
        let mut tried = Vec::new();
        for value in values {
            let kept = std::mem::replace(&mut locals[slot], value);
            let can = self.possible(action, locals, bound + 1, rest, waive_cost);
            let why = self.reason(action, locals, bound + 1, rest, waive_cost);
            locals[slot] = kept;
            if can {
                return None;
            }
            let tried_before = |known: &Tried| known.name == self.name(value);
            if tried.len() < MOST_TRIED && !tried.iter().any(tried_before) {
                tried.push(Tried { name: self.name(value), value, why: why.unwrap_or(Reason::Unseen) });
            }
        }
        if pick.is_some() {
            return tried.into_iter().next().map(|tried| tried.why);
        }
        Some(self.no_value(set, tried, locals, &writer))
    }

    /// There are no values; if a `where` excludes all, why.
    pub(super) fn no_value(
        &self,
        set: &Set,
        mut tried: Vec<Tried>,
        locals: &mut Locals,
        writer: &Writer<'_>,
    ) -> Reason {
        if tried.is_empty() {
            let (base, wanted) = parts(set);
            for value in self.machine.eval().collect(base, locals) {
                let why = self.left_out(&wanted, value, locals, writer);
                let tried_before = |known: &Tried| known.name == self.name(value);
                if let Some(why) = why.filter(|_| tried.len() < MOST_TRIED && !tried.iter().any(tried_before)) {
                    tried.push(Tried { name: self.name(value), value, why });
                }
            }
        }
        Reason::NoValue { from: writer.set(set), tried }
    }

    /// The value that is asked about is no member: because of a `where`, or because it does not exist.
    pub(super) fn not_among(&self, set: &Set, pick: &Pick, locals: &mut Locals, writer: &Writer<'_>) -> Reason {
        let (base, wanted) = parts(set);
        if self.seen.set(base, locals) && self.seen.knows_members(base, locals) {
            let members = self.machine.eval().collect(base, locals);
            for value in members.into_iter().filter(|value| self.fits(pick, *value)) {
                if let Some(reason) = self.left_out(&wanted, value, locals, writer) {
                    return reason;
                }
            }
        }
        Reason::NotAmong { from: writer.set(base) }
    }

    /// The part of the conditions of a set that excludes a member of its base.
    fn left_out(
        &self,
        wanted: &[(Local, &Expr)],
        value: Value,
        locals: &mut Locals,
        writer: &Writer<'_>,
    ) -> Option<Reason> {
        wanted.iter().rev().find_map(|(it, cond)| {
            let kept = std::mem::replace(&mut locals[it.index()], value);
            let part = self.false_part(cond, locals).map(|part| Reason::Requires { condition: writer.expr(part) });
            locals[it.index()] = kept;
            part
        })
    }
}

/// A set without its conditions, and the conditions, the last first.
fn parts(set: &Set) -> (&Set, Vec<(Local, &Expr)>) {
    let (mut base, mut wanted) = (set, Vec::new());
    while let Set::Filter { base: inner, it, cond } = base {
        wanted.push((*it, &**cond));
        base = inner;
    }
    (base, wanted)
}
