//! Choices inside effects: of one thing, of several one after the other, of different ones.

use rulepack_expr::Set;
use rulepack_model::Seat;

use crate::eval::expressions::{Locals, copied};
use crate::flow::decision::{Ask, Opt};
use crate::flow::effects::Next;
use crate::flow::fault::Fault;
use crate::flow::feasible::attempts::Effect;
use crate::flow::frame::RunFrame;
use crate::flow::machine::Machine;
use crate::lower::{Choice, More, Source, Walk};
use crate::state::value::Value;

impl Machine<'_> {
    pub(crate) fn choose(&mut self, run: &mut RunFrame, choice: &Choice) -> Result<Next, Fault> {
        let seat = self.chooser(&choice.by, run);
        let listed = self.options_of(seat.as_ref().ok().copied(), &choice.from, run);
        let options = self.completable(choice.into, listed, run);
        if let [Opt::Value(only)] = options.as_slice()
            && !choice.secret
            && (seat.is_err() || !self.eval().choice_is_hidden(&choice.from.set, &mut run.locals, 1, &[]))
        {
            let only = *only;
            self.forced(seat.ok(), Opt::Value(only), 1);
            run.locals[choice.into] = only;
            return Ok(Next::Op);
        }
        let seat = seat?;
        run.pc -= 1;
        Ok(self.ask_next(seat, Ask::Choose(choice.prompt), options))
    }

    pub(crate) fn chooser(&self, by: &Source, run: &mut RunFrame) -> Result<Seat, Fault> {
        by.get(&self.eval(), &mut run.locals).seat().ok_or_else(|| Fault::new("nobody is there to choose"))
    }

    /// Removes options that would lead to a choice without options or to a payment that cannot be made. If all would,
    /// they stay, so that the mistake of the pack shows as a fault.
    fn completable(&self, into: usize, options: Vec<Opt>, run: &mut RunFrame) -> Vec<Opt> {
        let compiled = &self.rules.programs[run.program.index()];
        let (effect, from) = (Effect::new(self.rules, run.program), run.pc as usize);
        if options.len() < 2 || compiled.is_certain(self.rules, from) {
            return options;
        }
        let eval = self.eval();
        let leads_on = |option: &Opt| {
            let Opt::Value(value) = option else { return true };
            let mut locals = copied(&run.locals);
            locals[into] = *value;
            eval.feasible(effect, from, effect.steps.len(), &mut locals)
        };
        let kept: Vec<Opt> = options.iter().copied().filter(leads_on).collect();
        if kept.is_empty() { options } else { kept }
    }

    /// Removes options of a choice of several that cannot be paid, or that leave too few to choose. If all would be
    /// removed and something must be chosen, they stay, so that the mistake of the pack shows as a fault.
    #[inline(never)]
    fn keep_completable(&self, options: &mut Vec<Opt>, run: &mut RunFrame, choice: &Choice, more: More) {
        let (taken, least) = (run.locals[more.taken].int(), run.locals[more.least].int());
        let eval = self.eval();
        let missing = if more.if_any { 0 } else { least - taken };
        let must_try = missing > 1 && !eval.has_enough(choice, more, &mut run.locals);
        if !more.may_get_stuck && !must_try {
            return;
        }
        // Inside an attempt, all ways are tried anyway.
        if must_try && self.state.fuel().is_attempt() {
            return;
        }
        let effect = Effect::new(self.rules, run.program).without_several();
        let leads_on = |option: &Opt| {
            let Opt::Value(value) = option else { return true };
            if must_try {
                let mut next = run.clone();
                take_one(&mut next, choice, more, *value);
                return eval.completes_run(next);
            }
            let mut locals = copied(&run.locals);
            bind_one(&mut locals, choice, more, *value);
            eval.feasible(effect, run.pc as usize, more.end as usize, &mut locals)
        };
        let kept: Vec<Opt> = options.iter().copied().filter(leads_on).collect();
        if !kept.is_empty() || missing <= 0 {
            *options = kept;
        }
    }

    pub(crate) fn options_of(&self, asked: Option<Seat>, set: &Walk, run: &mut RunFrame) -> Vec<Opt> {
        let eval = self.eval();
        let mut options = Vec::new();
        let _ = set.each(&eval, &mut run.locals, |value, _| {
            eval.push_distinct(asked, &mut options, 0, Opt::Value(value));
            std::ops::ControlFlow::Continue(())
        });
        options
    }

    pub(crate) fn choose_more(&mut self, run: &mut RunFrame, choice: &Choice, more: More) -> Result<Next, Fault> {
        let [taken, least, most] = [more.taken, more.least, more.most].map(|slot| run.locals[slot].int());
        if least > most {
            return Err(Fault::new(format!("at least {least} and at most {most} are to be chosen")));
        }
        if taken >= most {
            leave_choice(run, more);
            return Ok(Next::Op);
        }
        let seat = self.chooser(&choice.by, run)?;
        let mut options = self.options_of(Some(seat), &choice.from, run);
        let mut chosen_before = Vec::new();
        if let Some((chosen, _)) = chosen_list(run, more.different) {
            options.retain(|option| !matches!(option, Opt::Value(value) if chosen.contains(value)));
            chosen_before.clone_from(chosen);
        }
        self.keep_completable(&mut options, run, choice, more);
        // With `if any`, fewer are accepted if there are fewer.
        let must = taken < least && !(more.if_any && options.is_empty());
        // A choice with one option is not asked, unless somebody cannot see that there is only one.
        let plain = |machine: &Self, run: &mut RunFrame, most| {
            !machine.eval().choice_is_hidden(&choice.from.set, &mut run.locals, most, &chosen_before)
        };
        // With `if any`, perhaps only this player knows whether there is one that fits.
        let known = if more.if_any && matches!(choice.from.set, Set::Filter { .. }) { 0 } else { 1 };
        if let ([Opt::Value(only)], true) = (options.as_slice(), must)
            && plain(self, run, known)
        {
            let only = *only;
            self.forced(Some(seat), Opt::Value(only), 1);
            take_one(run, choice, more, only);
            return Ok(Next::Op);
        }
        if !must {
            options.push(Opt::Done);
        }
        // Also if nothing is left to choose: a free action may add options (see `offer_free`).
        if options == [Opt::Done]
            && plain(self, run, 0)
            && !(more.free && self.might_act_free(seat))
            && !self.asks_anyway(seat)
        {
            self.forced(Some(seat), Opt::Done, 1);
            leave_choice(run, more);
            return Ok(Next::Op);
        }
        run.pc -= 1;
        Ok(self.ask_next(seat, Ask::Choose(choice.prompt), options))
    }
}

/// One more of several is chosen.
pub(crate) fn take_one(run: &mut RunFrame, choice: &Choice, more: More, value: Value) {
    if let Some((chosen, _)) = chosen_list(run, more.different) {
        chosen.push(value);
    }
    bind_one(&mut run.locals, choice, more, value);
}

fn bind_one(locals: &mut Locals, choice: &Choice, more: More, value: Value) {
    locals[choice.into] = value;
    locals[more.taken] = Value::Int(locals[more.taken].int() + 1);
}

/// The things that a choice of different things has taken so far.
pub(crate) fn chosen_list(run: &mut RunFrame, list: Option<usize>) -> Option<&mut (Vec<Value>, u32)> {
    let index = run.locals[list?].int() as usize;
    run.lists.get_mut(index)
}

/// The end of a choice of several.
pub(crate) fn leave_choice(run: &mut RunFrame, more: More) {
    if let Some(list) = more.different.filter(|_| !more.keeps) {
        let index = run.locals[list].int() as usize;
        run.lists.truncate(index);
    }
    run.pc = more.end;
}
