//! Phases in which free actions are possible at every question of the player at turn.
//!
//! What can be done free is listed with the other options. What cannot be done now (`may`, a way of `either`, one more of
//! several) is asked about all the same as long as something free can be done that may make it possible. Nothing is offered
//! after which the question could not be answered any more.

use rulepack_model::{ActionId, Seat};

use crate::eval::expressions::copied;
use crate::flow::choices::chosen_list;
use crate::flow::decision::{Ask, Opt, Question};
use crate::flow::frame::*;
use crate::flow::machine::Machine;
use crate::flow::try_choices::Effect;
use crate::lower::Step;
use crate::rules::ruleset::PhaseBody;

impl Machine<'_> {
    /// Whether a player is in the middle of a turn in which free actions are possible at any moment: neither over nor inside
    /// one of them.
    pub(crate) fn is_any_moment(&self, seat: Seat) -> bool {
        let is_free = |frame: &Frame| match frame {
            Frame::Phase(phase) => self.rules.phases[phase.phase.index()].free && !phase.ended,
            _ => false,
        };
        self.rules.facts.has_free_phases && self.state.frames.iter().any(is_free) && self.may_act_free(seat)
    }

    /// Whether what cannot be done now is asked about all the same, because something free may make it possible. If it
    /// turns out that nothing free can be done, the only answer is taken.
    pub(crate) fn asks_anyway(&mut self, seat: Seat) -> bool {
        self.needless = self.is_any_moment(seat);
        self.needless
    }

    /// The only answer to a question that was asked for the sake of free actions, if none can be done, as everybody sees.
    pub(crate) fn only_answer(&self, seat: Seat, needless: bool) -> Option<Opt> {
        match self.options.as_slice() {
            [only] if needless && !self.might_act_free(seat) => Some(*only),
            _ => None,
        }
    }

    /// Whether free actions are possible at a question to a player.
    pub(crate) fn offers_free(&self, seat: Seat) -> bool {
        self.is_any_moment(seat) && !self.is_half_moved() || self.is_choice_with_free() && self.may_act_free(seat)
    }

    /// Whether the question on top is a choice of several that says `with free`.
    pub(crate) fn is_choice_with_free(&self) -> bool {
        let Some(Frame::Run(run)) = self.state.frames.last().filter(|_| self.rules.facts.has_free_actions) else {
            return false;
        };
        let steps = self.rules.programs[run.program.index()].steps(self.rules);
        matches!(steps.get(run.pc as usize), Some(Step::ChooseMore(_, more)) if more.free)
    }

    /// Adds what can be done free to the options of a question.
    pub(crate) fn offer_free(&mut self, question: &Question) {
        if !self.offers_free(question.seat) {
            return;
        }
        let listed = match question.ask {
            Ask::Menu(phase, _) => match &self.rules.phases[phase.index()].body {
                PhaseBody::Menu { actions, .. } => actions.as_slice(),
                PhaseBody::Leaf | PhaseBody::Sequence { .. } | PhaseBody::Turns { .. } => &[],
            },
            // What is free is among the options already.
            Ask::Pause => return,
            _ => &[],
        };
        if self.options.iter().any(|option| matches!(option, Opt::Free(..))) {
            return;
        }
        let mut options = std::mem::take(&mut self.options);
        for (index, action) in self.rules.actions.iter().enumerate() {
            let id = ActionId::from(index);
            if action.free && !listed.contains(&id) {
                self.action_options(question.seat, id, true, &mut options);
            }
        }
        self.options = options;
    }

    /// Whether a part of what is paid or gained at once has gone: that is one step, and nothing comes between.
    fn is_half_moved(&self) -> bool {
        matches!(self.state.frames.last(), Some(Frame::Transfer(transfer)) if transfer.begun)
    }

    /// Whether the question on top could have no answer once something else has been done.
    pub(crate) fn might_get_stuck(&self) -> bool {
        match self.state.frames.last() {
            Some(Frame::Action(action)) => !action.begun,
            Some(Frame::Transfer(transfer)) => transfer.strict,
            Some(Frame::Run(run)) => {
                let compiled = &self.rules.programs[run.program.index()];
                match compiled.steps(self.rules).get(run.pc as usize) {
                    Some(Step::ChooseMore(_, more)) => run.locals[more.taken].int() < run.locals[more.least].int(),
                    _ => !compiled.is_certain(self.rules, run.pc as usize),
                }
            }
            Some(Frame::Phase(_) | Frame::Event(_) | Frame::Script(_) | Frame::Ask(_) | Frame::Pause(_)) | None => {
                false
            }
        }
    }

    /// Whether the question on top can still be answered.
    pub(crate) fn can_be_taken_up(&self) -> bool {
        if !self.might_get_stuck() {
            return true;
        }
        match self.state.frames.last() {
            Some(Frame::Action(action)) => self.has_parameter(action),
            Some(Frame::Transfer(transfer)) => self.can_be_paid(transfer),
            Some(Frame::Run(run)) => self.can_choose_on(run),
            Some(Frame::Phase(_) | Frame::Event(_) | Frame::Script(_) | Frame::Ask(_) | Frame::Pause(_)) | None => true,
        }
    }

    fn has_parameter(&self, frame: &ActionFrame) -> bool {
        let action = &self.rules.actions[frame.action.index()];
        let (bound, mut locals) = (frame.bound as usize, copied(&frame.locals));
        let eval = self.eval();
        eval.allows(action, &mut locals, 0..=bound, frame.waive_cost)
            && eval.can_complete(action, &mut locals, bound, frame.waive_cost)
    }

    /// Whether a payer can pay, and gets what it is paid for.
    fn can_be_paid(&self, transfer: &TransferFrame) -> bool {
        let ResourceHolder::Seat(payer) = transfer.from else { return true };
        if !self.can_go_on(payer, &transfer.bundle, &self.owed_later(), None) {
            return false;
        }
        match self.state.frames.iter().rev().nth(1) {
            Some(Frame::Action(action)) => {
                let effect = self.rules.actions[action.action.index()].effect;
                effect.is_none_or(|effect| self.eval().can_run_with(effect, &action.locals))
            }
            Some(Frame::Run(run)) => {
                let effect = Effect::new(self.rules, run.program);
                let at = (run.pc as usize).saturating_sub(1);
                match effect.steps.get(at) {
                    Some(Step::Exchange { end, .. }) => self.eval().would_do(effect, at, *end as usize, &run.locals),
                    _ => true,
                }
            }
            _ => true,
        }
    }

    fn can_choose_on(&self, run: &RunFrame) -> bool {
        let effect = Effect::new(self.rules, run.program);
        let at = run.pc as usize;
        let Some(Step::ChooseMore(choice, more)) = effect.steps.get(at) else {
            return self.eval().would_do(effect, at, effect.steps.len(), &run.locals);
        };
        let mut run = run.clone();
        let taken = chosen_list(&mut run, more.different).map(|(taken, _)| taken.clone()).unwrap_or_default();
        let options = self.options_of(None, &choice.from, &mut run);
        options.iter().any(|option| match option {
            Opt::Value(value) if !taken.contains(value) => {
                run.locals[choice.into] = *value;
                self.eval().would_do(effect.without_several(), at + 1, more.end as usize, &run.locals)
            }
            _ => false,
        })
    }
}
