//! Choices of several things: finds out whether the required number can be chosen.
//!
//! That depends on what the choices do: a card that is moved away cannot be chosen again, a card that is drawn can, and
//! each cost must be paid. So the choice is tried on a copy of the state until a way is found. What the player cannot
//! know (dice, scripts, hidden pieces, decisions of others) is assumed to go well.

use std::cell::Cell;

use rulepack_expr::Set;
use rulepack_model::{PieceId, ProgId, Seat};

use crate::eval::expressions::{Eval, Locals, Slots};
use crate::flow::decision::Opt;
use crate::flow::frame::{Frame, RunFrame};
use crate::flow::machine::{Flow, Machine, Unread};
use crate::hidden::sight::{Sight, Viewer};
use crate::lower::{Choice, More, Step};
use crate::rules::ruleset::Ruleset;

/// The largest number of answers that are tried; if none of them leads to the end, the choice counts as possible.
const MOST_ANSWERS: u32 = 1_000;

/// An effect with its compiled operations.
#[derive(Clone, Copy)]
pub(crate) struct Effect<'s> {
    pub(crate) program: ProgId,
    pub(crate) steps: &'s [Step],
    /// Whether it contains a choice of several that may have to be tried.
    pub(crate) has_several: bool,
}

impl<'s> Effect<'s> {
    #[inline]
    pub(crate) fn new(rules: &'s Ruleset, program: ProgId) -> Effect<'s> {
        let compiled = &rules.programs[program.index()];
        Effect { program, steps: compiled.steps(rules), has_several: compiled.has_several }
    }

    /// The same without trying choices of several.
    pub(crate) fn without_several(self) -> Effect<'s> {
        Effect { has_several: false, ..self }
    }
}

/// The starting point of an attempt.
pub(crate) struct Start {
    pub(crate) from: usize,
    pub(crate) locals: Slots,
}

/// The progress of an attempt.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Attempt {
    /// The player who would choose; `None` if nothing is being tried.
    seat: Option<Seat>,
    /// Whether something happened that this player cannot know in advance.
    is_unknown: bool,
    /// Whether a payment failed.
    is_stuck: bool,
}

impl Eval<'_> {
    /// Whether the required number can be chosen without an attempt: there are enough, each only disappears by being
    /// chosen, and no payment or choice in between could be short because of another.
    pub(crate) fn has_enough(&self, choice: &Choice, more: More, locals: &mut Locals) -> bool {
        let is_plain = !more.may_get_stuck && !matches!(choice.from.set, Set::Filter { .. });
        let taken = if more.different.is_some() { 0 } else { locals[more.taken].int() };
        (is_plain || more.is_apart) && choice.from.count(self, locals) >= locals[more.least].int() - taken
    }

    /// Whether an effect can be carried out to its end, as far as the player can know.
    pub(crate) fn completes(&self, program: ProgId, start: &Start) -> bool {
        let mut run = RunFrame::new(program, start.locals.clone());
        run.pc = start.from as u32;
        self.completes_run(run)
    }

    /// The same for a running effect.
    pub(crate) fn completes_run(&self, run: RunFrame) -> bool {
        // Inside an attempt, all ways are tried anyway.
        if self.state.fuel.is_attempt() {
            return true;
        }
        let Some(mut state) = self.state.paid_copy() else { return true };
        state.memo.disable();
        state.fuel.begin_attempt();
        let attempt = Attempt { seat: run.locals[0].seat(), ..Attempt::default() };
        state.frames.push(Frame::Run(run));
        let depth = state.frames.len();
        let mut unread = Unread::default();
        let mut machine = Machine::on_trial(self.rules, &mut state, self.host, unread.outputs());
        machine.attempt = attempt;
        let can_end = machine.can_end(depth, &Cell::new(MOST_ANSWERS));
        self.state.fuel.follow(&state.fuel);
        can_end
    }
}

impl Machine<'_> {
    /// Whether the frame at `depth` can come to its end.
    fn can_end(&mut self, depth: usize, left: &Cell<u32>) -> bool {
        loop {
            let is_over = self.state.frames.len() < depth || self.state.outcome.is_some();
            if is_over || self.attempt.is_unknown || self.state.fuel.is_out() {
                return true;
            }
            // A fault is a mistake of the pack, which shows later.
            if matches!(self.state.frames.last(), Some(Frame::Script(_))) || self.check_standing().is_err() {
                return true;
            }
            match self.step_once() {
                Err(_) => return self.attempt.is_unknown || !self.attempt.is_stuck,
                Ok(Flow::Go) => {}
                Ok(Flow::Ask(question)) => {
                    let options = std::mem::take(&mut self.options);
                    let is_free = |option: &Opt| matches!(option, Opt::Free(..));
                    if self.attempt.is_unknown
                        || Some(question.seat) != self.attempt.seat
                        || options.iter().any(is_free)
                        || self.is_choice_with_free() && self.might_act_free(question.seat)
                    {
                        return true;
                    }
                    // Answering "done" reaches the end sooner.
                    let (done, others): (Vec<Opt>, Vec<Opt>) = options.iter().partition(|option| **option == Opt::Done);
                    return done.iter().chain(&others).any(|option| self.leads_to_an_end(*option, depth, left));
                }
            }
        }
    }

    fn leads_to_an_end(&self, option: Opt, depth: usize, left: &Cell<u32>) -> bool {
        if left.get() == 0 {
            return true;
        }
        left.set(left.get() - 1);
        self.on_copy(true, |machine| {
            machine.attempt = self.attempt;
            machine.take_answer(option).is_err() || machine.can_end(depth, left)
        })
    }

    /// A random event, or another one that nobody knows in advance.
    #[inline]
    pub(crate) fn unforeseen(&mut self) {
        self.attempt.is_unknown = true;
    }

    /// A piece is moved or shown; a hidden piece is not known in advance.
    #[inline]
    pub(crate) fn foresees(&mut self, piece: PieceId) {
        if let Some(seat) = self.attempt.seat {
            self.looks_for(seat, piece);
        }
    }

    #[cold]
    #[inline(never)]
    fn looks_for(&mut self, seat: Seat, piece: PieceId) {
        if !Sight::new(self.rules, self.state, Viewer::Seat(seat)).sees(piece) {
            self.attempt.is_unknown = true;
        }
    }

    /// A payment is impossible.
    #[cold]
    pub(crate) fn stuck(&mut self) {
        self.attempt.is_stuck = true;
    }
}
