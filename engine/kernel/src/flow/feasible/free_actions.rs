//! Where a free action leads: to a new position or back to an earlier one, and whether the question that it interrupts still
//! has an answer afterwards.

use std::cell::Cell;

use rulepack_expr::{Ahead, Op};
use rulepack_model::Seat;

use crate::eval::expressions::copied;
use crate::flow::choices::chosen_list;
use crate::flow::decision::Opt;
use crate::flow::feasible::attempts::Effect;
use crate::flow::frame::*;
use crate::flow::loops::FreeLoop;
use crate::flow::machine::{Flow, Machine, Mode};
use crate::lower::Step;

/// The number of questions one after the other up to which a free action is followed.
const MAX_TRIAL: u32 = 6;
/// The largest number of answers that are tried for one option.
const MOST_TRIALS: u32 = 1_000;

impl Machine<'_> {
    /// Whether a free action might lead back to an earlier position, or leave the interrupted question without an answer, so
    /// that it must be tried.
    pub(crate) fn may_lead_nowhere(&self, interrupts: bool) -> bool {
        !self.state.visited_positions().is_empty() || interrupts && self.might_get_stuck()
    }

    /// Keeps the options of a free action that [lead somewhere](Machine::leads_somewhere), or all if none does.
    pub(crate) fn without_circles(&self, seat: Seat, options: Vec<Opt>) -> Vec<Opt> {
        if self.mode == Mode::Trial || self.state.visited_positions().is_empty() || options.len() < 2 {
            return options;
        }
        let kept: Vec<Opt> = options.iter().copied().filter(|option| self.leads_somewhere(seat, *option)).collect();
        if kept.is_empty() { options } else { kept }
    }

    /// The same for a question in the effect of a free action. Other questions keep their options.
    pub(crate) fn keep_what_leads_on(&mut self, seat: Seat) {
        if self.mode != Mode::Trial && matches!(self.state.top_frame(), Some(Frame::Run(_))) && self.is_interrupted() {
            let options = std::mem::take(&mut self.options);
            self.options = self.without_circles(seat, options);
        }
    }

    /// Whether a free action that begins or goes on with this option can end in a new position, and with an answer to the
    /// question that it interrupts.
    pub(crate) fn leads_somewhere(&self, seat: Seat, option: Opt) -> bool {
        self.leads_on(seat, option).is_ok()
    }

    /// Like [`Machine::leads_somewhere`], with the reason if it cannot.
    pub(crate) fn leads_on(&self, seat: Seat, option: Opt) -> Result<(), Nowhere> {
        let depth = match option {
            Opt::Action(..) | Opt::Free(..) => self.state.depth(),
            Opt::Value(_) | Opt::Branch(..) | Opt::Done | Opt::Yes | Opt::No | Opt::Continue => {
                match self.state.frames().iter().rposition(|frame| matches!(frame, Frame::Action(a) if a.interrupts)) {
                    Some(depth) => depth,
                    None => return Ok(()),
                }
            }
        };
        if self.state.frames()[depth..].iter().any(|frame| matches!(frame, Frame::Script(_))) {
            return Ok(());
        }
        self.on_copy(Ok(()), |machine| {
            match option {
                Opt::Action(action, first) | Opt::Free(action, first) => machine.begin_free(seat, action, first),
                option => machine.take_answer(option).map_err(|_| Nowhere::Mixed)?,
            }
            machine.ends_new(depth, MAX_TRIAL, &Cell::new(MOST_TRIALS))
        })
    }

    /// Runs on until the free action at `depth` has ended. Follows `ahead` questions one after the other, and tries `left`
    /// answers in all. An action that takes more is taken to lead somewhere.
    fn ends_new(&mut self, depth: usize, ahead: u32, left: &Cell<u32>) -> Result<(), Nowhere> {
        loop {
            if self.state.is_over() || self.state.fuel().is_out() {
                return Ok(());
            }
            if self.state.depth() <= depth {
                let now = self.state.position();
                // The action itself has just noted the position as seen; what counts is whether it was seen before.
                let is_new = self.rules.loops.free != FreeLoop::LeaveOut
                    || self.state.visited_positions().iter().filter(|seen| **seen == now).count() <= 1;
                return match is_new {
                    false => Err(Nowhere::Back),
                    true if !self.can_be_taken_up() => Err(Nowhere::Unanswered),
                    true => Ok(()),
                };
            }
            if matches!(self.state.top_frame(), Some(Frame::Script(_))) {
                return Ok(());
            }
            match self.step_once() {
                Err(_) => return Err(Nowhere::Mixed),
                Ok(Flow::Go) => {}
                Ok(Flow::Ask(_)) => {
                    if ahead == 0 {
                        return Ok(());
                    }
                    let options = std::mem::take(&mut self.options);
                    return Nowhere::unless_any(options.iter().map(|option| {
                        if left.get() == 0 {
                            return Ok(());
                        }
                        left.set(left.get() - 1);
                        self.on_copy(Ok(()), |machine| {
                            machine.take_answer(*option).map_err(|_| Nowhere::Mixed)?;
                            machine.ends_new(depth, ahead - 1, left)
                        })
                    }));
                }
            }
        }
    }

    /// Whether the question on top could lose all its answers by a free action.
    pub(crate) fn might_get_stuck(&self) -> bool {
        match self.state.top_frame() {
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
        match self.state.top_frame() {
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

    /// Whether a payer can pay, and the action or exchange that is paid for can be carried out.
    fn can_be_paid(&self, transfer: &TransferFrame) -> bool {
        let ResourceHolder::Seat(payer) = transfer.from else { return true };
        if !self.can_go_on(payer, &transfer.bundle, &self.owed_later(), None) {
            return false;
        }
        match self.state.frames().iter().rev().nth(1) {
            Some(Frame::Action(action)) => {
                let effect = self.rules.actions[action.action.index()].effect;
                effect.is_none_or(|effect| self.eval().can_run_with(effect, &action.locals))
            }
            Some(Frame::Run(run)) => self.can_go_on_after_payment(run),
            // A payment for one of these buys nothing that could be impossible.
            Some(
                Frame::Phase(_)
                | Frame::Transfer(_)
                | Frame::Event(_)
                | Frame::Script(_)
                | Frame::Ask(_)
                | Frame::Pause(_),
            )
            | None => true,
        }
    }

    /// Whether an effect can go on after a payment: only the other side of an exchange can be impossible.
    fn can_go_on_after_payment(&self, run: &RunFrame) -> bool {
        let at = (run.pc as usize).saturating_sub(1);
        let program = &self.rules.programs[run.program.index()].program;
        match program.ops.get(at).map(Op::ahead) {
            Some(Ahead::Exchange { end, .. }) => {
                let effect = Effect::new(self.rules, run.program);
                self.eval().would_do(effect, at, end as usize, &run.locals)
            }
            Some(
                Ahead::Next
                | Ahead::Let(..)
                | Ahead::Keep(..)
                | Ahead::Jump(_)
                | Ahead::JumpUnless(..)
                | Ahead::Pay(_)
                | Ahead::Choose { .. }
                | Ahead::ChooseMore { .. }
                | Ahead::Either(_)
                | Ahead::Use { .. }
                | Ahead::Stop,
            )
            | None => true,
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
            Opt::Value(_)
            | Opt::Action(..)
            | Opt::Free(..)
            | Opt::Branch(..)
            | Opt::Done
            | Opt::Yes
            | Opt::No
            | Opt::Continue => false,
        })
    }
}

/// Why a free action leads nowhere, whichever way it is carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nowhere {
    /// All ways end in an earlier position.
    Back,
    /// After all ways, the interrupted question has no answer.
    Unanswered,
    /// Some ways end like this, others like that, or in a fault.
    Mixed,
}

impl Nowhere {
    /// No reason if one way leads somewhere (later ones are not tried), else the reason of all ways.
    pub(crate) fn unless_any(ways: impl Iterator<Item = Result<(), Nowhere>>) -> Result<(), Nowhere> {
        let mut all = None;
        for way in ways {
            let Err(found) = way else { return Ok(()) };
            all = Some(if all.is_none_or(|known| known == found) { found } else { Nowhere::Mixed });
        }
        Err(all.unwrap_or(Nowhere::Mixed))
    }
}

#[cfg(test)]
mod tests {
    use super::Nowhere::{self, *};

    #[test]
    fn a_reason_holds_for_all_ways_or_is_mixed() {
        let of = |ways: &[Result<(), Nowhere>]| Nowhere::unless_any(ways.iter().copied());
        assert_eq!(of(&[Err(Back), Ok(())]), Ok(()));
        assert_eq!(of(&[Err(Back), Err(Back)]), Err(Back));
        assert_eq!(of(&[Err(Unanswered)]), Err(Unanswered));
        assert_eq!(of(&[Err(Back), Err(Unanswered), Err(Back)]), Err(Mixed));
        assert_eq!(of(&[]), Err(Mixed));
    }
}
