//! Choices of several things: whether as many can be chosen as must be.
//!
//! That depends on what the choices themselves do: a card that is moved away cannot be chosen again, one that is drawn can, and
//! a cost must be paid for each. So it is tried on a copy of the table, until a way is found. What the player cannot know (dice,
//! scripts, hidden pieces, what others decide) is taken to go well.

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

/// So many answers are tried; if none of them leads to the end, others may.
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

    /// The same without trying choices of several.
    pub(crate) fn without_several(self) -> Effect<'s> {
        Effect { has_several: false, ..self }
    }
}

/// Where an effect is tried from.
pub(crate) struct Start {
    pub(crate) from: usize,
    pub(crate) locals: Slots,
}

/// How an attempt goes.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Attempt {
    /// Who would choose; nobody if nothing is tried.
    seat: Option<Seat>,
    /// Whether something happened that this player cannot know before.
    is_unknown: bool,
    /// Whether something could not be paid.
    is_stuck: bool,
}

/// Where an attempt leads.
enum Way {
    /// To an end, good or bad, with what was used up on the way.
    Ends(bool, Fuel),
    /// To something that the player chooses.
    Forks(Box<Fork>),
}

/// A table at which something is chosen, and the answers that have not been tried.
struct Fork {
    state: State,
    options: std::vec::IntoIter<Opt>,
    attempt: Attempt,
}

impl Eval<'_> {
    /// Whether as many as must be can be chosen without trying: enough are there, none of which goes but by being chosen, and
    /// nothing is to be paid or chosen in between that another choice could be short of.
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

    /// The same for one that is at work.
    pub(crate) fn completes_run(&self, run: RunFrame) -> bool {
        // Inside an attempt, all ways are tried anyway.
        if self.state.fuel.is_attempt() {
            return true;
        }
        let Some(mut state) = self.state.paid_copy() else { return true };
        state.memo().disable();
        state.fuel.begin_attempt();
        let attempt = Attempt { seat: run.locals[0].seat(), ..Attempt::default() };
        state.frames.push(Frame::Run(run));
        self.can_end(state, attempt)
    }

    /// Whether the effect on top can come to its end. Every answer is tried on a copy of the table; the tables to return to
    /// are kept in a list, because an effect can ask more questions than there is stack for.
    fn can_end(&self, state: State, attempt: Attempt) -> bool {
        let depth = state.frames.len();
        let (mut forks, mut left) = (Vec::new(), MOST_ANSWERS);
        let mut way = self.try_on(state, attempt, None, depth);
        let can_end = loop {
            match way {
                Way::Forks(fork) => forks.push(fork),
                Way::Ends(can_end, fuel) => {
                    forks.last().map_or(&self.state.fuel, |fork| &fork.state.fuel).follow(&fuel);
                    if can_end {
                        break true;
                    }
                }
            }
            let Some(fork) = forks.last_mut() else { break false };
            way = match fork.options.next() {
                // None of its answers leads to the end.
                None => match forks.pop() {
                    Some(fork) => Way::Ends(false, fork.state.fuel),
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
        // What was used is noted from the innermost table outwards.
        while let Some(fork) = forks.pop() {
            forks.last().map_or(&self.state.fuel, |outer| &outer.state.fuel).follow(&fork.state.fuel);
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
            Ok(can_end) => Way::Ends(can_end, state.fuel),
            Err(options) => Way::Forks(Box::new(Fork { state, options: options.into_iter(), attempt })),
        }
    }
}

impl Machine<'_> {
    /// Tries something out on a copy of the state; if that cannot be paid for, the result is `unpaid`.
    pub(crate) fn on_copy<T>(&self, unpaid: T, attempt: impl FnOnce(&mut Machine<'_>) -> T) -> T {
        let Some(mut state) = self.state.paid_copy() else { return unpaid };
        state.memo().disable();
        let mut unread = Unread::default();
        let result = attempt(&mut Machine::new(self.rules, &mut state, self.host, unread.outputs(), Mode::Trial));
        self.state.fuel.follow(&state.fuel);
        result
    }

    /// Runs on until what is at work at `depth` is over, and says whether it came to its end; or until there is something
    /// to choose, and gives the options.
    fn run_to_choice(&mut self, depth: usize) -> Result<bool, Vec<Opt>> {
        loop {
            let is_over = self.state.frames.len() < depth || self.state.outcome.is_some();
            if is_over || self.attempt.is_unknown || self.state.fuel.is_out() {
                return Ok(true);
            }
            // A fault is a mistake of the pack, which is left to come to light.
            if matches!(self.state.frames.last(), Some(Frame::Script(_))) || self.check_standing().is_err() {
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
                    // Who need not choose more is sooner at the end.
                    let (mut done, others): (Vec<Opt>, Vec<Opt>) =
                        options.iter().partition(|option| **option == Opt::Done);
                    done.extend(others);
                    return Err(done);
                }
            }
        }
    }

    /// Chance, or something that nobody knows before it happens.
    #[inline]
    pub(crate) fn unforeseen(&mut self) {
        self.attempt.is_unknown = true;
    }

    /// A piece is moved or shown; what somebody does not see is not known before.
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

    /// Something cannot be paid.
    #[cold]
    pub(crate) fn stuck(&mut self) {
        self.attempt.is_stuck = true;
    }
}
