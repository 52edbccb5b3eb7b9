//! Choices of several things: whether enough things can be chosen.
//!
//! That depends on what the choices do: a card that is moved away cannot be chosen again, a card that is drawn can, and each
//! choice may cost something. So the choices are tried on a copy of the table, until one way succeeds. If something happens
//! that the player cannot know before (dice, scripts, hidden pieces, decisions of others), the way counts as a success.

use rulepack_expr::Set;
use rulepack_model::{PieceId, ProgId, Seat};

use crate::eval::expressions::{Eval, Locals, Slots};
use crate::flow::decision::Opt;
use crate::flow::frame::{Frame, RunFrame};
use crate::flow::machine::{Flow, Machine, Mode, Unread};
use crate::hidden::sight::{Sight, Viewer};
use crate::lower::{Choice, More, Step};
use crate::rules::ruleset::Ruleset;
use crate::state::fuel::Fuel;
use crate::state::table::State;

/// The largest number of answers that are tried. If none of them succeeds, the effect is taken to be possible all the same.
const MOST_ANSWERS: u32 = 1_000;

/// An effect, with its operations as functions.
#[derive(Clone, Copy)]
pub(crate) struct Effect<'s> {
    pub(crate) program: ProgId,
    pub(crate) steps: &'s [Step],
    /// Whether there is a choice of several in it that may have to be tried.
    pub(crate) has_several: bool,
}

impl<'s> Effect<'s> {
    #[inline]
    pub(crate) fn new(rules: &'s Ruleset, program: ProgId) -> Effect<'s> {
        let compiled = &rules.programs[program.index()];
        Effect { program, steps: compiled.steps(rules), has_several: compiled.has_several }
    }

    /// The same effect, without trying its choices of several.
    pub(crate) fn without_several(self) -> Effect<'s> {
        Effect { has_several: false, ..self }
    }
}

/// The operation and the slots with which an attempt begins.
pub(crate) struct Start {
    pub(crate) from: usize,
    pub(crate) locals: Slots,
}

/// What has happened in an attempt so far.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Attempt {
    /// The player whose choices are tried; `None` if the machine tries nothing.
    seat: Option<Seat>,
    /// Whether something happened that this player cannot know before, such as a roll.
    is_unknown: bool,
    /// Whether a cost could not be paid.
    is_stuck: bool,
}

/// How a part of an attempt ends.
enum Way {
    /// With success or failure, and the budget that is left.
    Ends(bool, Fuel),
    /// With a question to the player.
    Forks(Box<Fork>),
}

/// The table at a question, and the answers that have not been tried.
struct Fork {
    state: State,
    options: std::vec::IntoIter<Opt>,
    attempt: Attempt,
}

impl Eval<'_> {
    /// Whether enough things are there, and choosing one cannot make another impossible. Then nothing has to be tried.
    pub(crate) fn has_enough(&self, choice: &Choice, more: More, locals: &mut Locals) -> bool {
        let is_plain = !more.may_get_stuck && !matches!(choice.from.set, Set::Filter { .. });
        let taken = if more.different.is_some() { 0 } else { locals[more.taken].int() };
        (is_plain || more.is_apart) && choice.from.count(self, locals) >= locals[more.least].int() - taken
    }

    /// Whether an effect can be carried to its end, as far as the player can know.
    pub(crate) fn completes(&self, program: ProgId, start: &Start) -> bool {
        let mut run = RunFrame::new(program, start.locals.clone());
        run.pc = start.from as u32;
        self.completes_run(run)
    }

    /// Like [`Eval::completes`], for a frame.
    pub(crate) fn completes_run(&self, run: RunFrame) -> bool {
        // Inside an attempt, all ways are tried anyway.
        if self.state.fuel().is_attempt() {
            return true;
        }
        let Some(mut state) = self.state.paid_copy() else { return true };
        state.memo().disable();
        state.fuel().begin_attempt();
        let attempt = Attempt { seat: run.locals[0].seat(), ..Attempt::default() };
        state.push_frame(Frame::Run(run));
        self.can_end(state, attempt)
    }

    /// Whether the effect on top can come to its end. Every answer is tried on a copy of the table; the tables to return to
    /// are kept in a list, because an effect can ask more questions than there is stack for.
    fn can_end(&self, state: State, attempt: Attempt) -> bool {
        let depth = state.depth();
        let (mut forks, mut left) = (Vec::new(), MOST_ANSWERS);
        let mut way = self.try_on(state, attempt, None, depth);
        let can_end = loop {
            match way {
                Way::Forks(fork) => forks.push(fork),
                Way::Ends(can_end, fuel) => {
                    forks.last().map_or(self.state.fuel(), |fork| fork.state.fuel()).follow(&fuel);
                    if can_end {
                        break true;
                    }
                }
            }
            let Some(fork) = forks.last_mut() else { break false };
            way = match fork.options.next() {
                // None of its answers leads to the end.
                None => match forks.pop() {
                    Some(fork) => Way::Ends(false, fork.state.into_fuel()),
                    None => break false,
                },
                Some(_) if left == 0 => break true,
                Some(option) => {
                    left -= 1;
                    let Some(copy) = fork.state.paid_copy() else { break true };
                    copy.memo().disable();
                    self.try_on(copy, fork.attempt, Some(option), depth)
                }
            };
        };
        // The used budget is passed on from the innermost table outwards.
        while let Some(fork) = forks.pop() {
            forks.last().map_or(self.state.fuel(), |outer| outer.state.fuel()).follow(fork.state.fuel());
        }
        can_end
    }

    /// Answers the question of a table, if there is an answer, and runs on to the next question.
    fn try_on(&self, mut state: State, attempt: Attempt, answer: Option<Opt>, depth: usize) -> Way {
        let mut unread = Unread::default();
        let mut machine = Machine::new(self.rules, &mut state, self.host, unread.outputs(), Mode::Trial);
        machine.attempt = attempt;
        let run = match answer {
            Some(option) if machine.take_answer(option).is_err() => Ok(true),
            _ => machine.run_to_choice(depth),
        };
        let attempt = machine.attempt;
        match run {
            Ok(can_end) => Way::Ends(can_end, state.into_fuel()),
            Err(options) => Way::Forks(Box::new(Fork { state, options: options.into_iter(), attempt })),
        }
    }
}

impl Machine<'_> {
    /// Tries something out on a copy of the state. If the budget does not suffice for a copy, the result is `unpaid`.
    pub(crate) fn on_copy<T>(&self, unpaid: T, attempt: impl FnOnce(&mut Machine<'_>) -> T) -> T {
        let Some(mut state) = self.state.paid_copy() else { return unpaid };
        state.memo().disable();
        let mut unread = Unread::default();
        let result = attempt(&mut Machine::new(self.rules, &mut state, self.host, unread.outputs(), Mode::Trial));
        self.state.fuel().follow(state.fuel());
        result
    }

    /// Runs on until the frame at `depth` has ended, and returns whether it succeeded; or until the player is asked, and
    /// returns the options.
    fn run_to_choice(&mut self, depth: usize) -> Result<bool, Vec<Opt>> {
        loop {
            let is_over = self.state.depth() < depth || self.state.is_over();
            if is_over || self.attempt.is_unknown || self.state.fuel().is_out() {
                return Ok(true);
            }
            // A fault of a standing rule counts as a success, so that it is reported when the effect is really run.
            if matches!(self.state.top_frame(), Some(Frame::Script(_))) || self.check_standing().is_err() {
                return Ok(true);
            }
            match self.step_once() {
                Err(_) => return Ok(self.attempt.is_unknown || !self.attempt.is_stuck),
                Ok(Flow::Go) => {}
                Ok(Flow::Ask(question)) => {
                    let options = std::mem::take(&mut self.options);
                    let is_free = |option: &Opt| matches!(option, Opt::Free(..));
                    if self.attempt.is_unknown
                        || Some(question.seat) != self.attempt.seat
                        || options.iter().any(is_free)
                        || self.is_choice_with_free() && self.might_act_free(question.seat)
                    {
                        return Ok(true);
                    }
                    // Choosing no more comes first: it leads to the end soonest.
                    let (mut done, others): (Vec<Opt>, Vec<Opt>) =
                        options.iter().partition(|option| **option == Opt::Done);
                    done.extend(others);
                    return Err(done);
                }
            }
        }
    }

    /// Notes for an attempt that something happens which nobody can know before, such as a roll.
    #[inline]
    pub(crate) fn unforeseen(&mut self) {
        self.attempt.is_unknown = true;
    }

    /// Notes for an attempt that a piece moves. If the player does not see it, what follows cannot be known before.
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

    /// Notes for an attempt that a cost cannot be paid.
    #[cold]
    pub(crate) fn stuck(&mut self) {
        self.attempt.is_stuck = true;
    }
}
