//! The loop: the frame on top of the stack does its next step until somebody must be asked.
//!
//! There is one file for each kind of frame: `phases.rs`, `actions.rs`, `effects.rs` with `choices.rs`, `transfer.rs`,
//! `events.rs`, `scripts.rs`. `standing.rs` checks standing rules between two steps. Several of these files use `pieces.rs`
//! (moving pieces), `ends.rs` (ending phases, turns and the game) and `where_it_failed.rs` (the places of faults).

use std::ops::ControlFlow;

use rulepack_model::{ActionId, Seat};

use crate::eval::expressions::Eval;
use crate::flow::decision::{Answer, Ask, MOST_OPTIONS, Opt, Question};
use crate::flow::fault::Fault;
use crate::flow::feasible::attempts::Attempt;
use crate::flow::frame::*;
use crate::flow::host::{EffectHost, RunId};
use crate::flow::log::{Log, LogEntry};
use crate::flow::where_it_failed::{too_many_events, too_many_options};
use crate::rules::ruleset::Ruleset;
use crate::state::chance::StreamId;
use crate::state::table::State;
use crate::state::value::Value;

/// What comes after a step.
pub(crate) enum Flow {
    /// The next step.
    Go,
    /// A question to a player; the options are in [`Machine::options`].
    Ask(Question),
}

/// A chosen action that costs nothing and has at most one parameter, so that only its effect is left to do.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chosen {
    pub(crate) action: ActionId,
    pub(crate) seat: Seat,
    /// Its parameter, if it has one.
    pub(crate) first: Value,
}

/// The purpose of a machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mode {
    /// To play a game. Effects that end at once get no frame.
    Play,
    /// To play a game with a frame for every action and effect, so that [`Machine::find_loop`] can compare the stack between
    /// two steps.
    Stacked,
    /// To try something out on a copy of the state. Free actions are listed even if they lead back to an earlier position.
    Trial,
    /// One of several players who choose at the same time is asked, on a copy of the state: nothing is done with the choices.
    Ahead,
}

/// An action, effects and an event that run without frames on the stack. Most of them end before a player is asked. If they
/// do not, their frames are inserted where they would have been.
#[derive(Debug, Default)]
pub(crate) struct Unstacked {
    /// The chosen action.
    pub(crate) action: Option<Chosen>,
    /// The number of effects that run one inside the other.
    pub(crate) depth: u8,
    /// The innermost event.
    pub(crate) event: Option<UnstackedEvent>,
}

/// An event that is happening without a frame on the stack.
#[derive(Debug, Default)]
pub(crate) struct UnstackedEvent {
    pub(crate) called_off: bool,
}

/// Runs a game: changes its state step by step until a player must be asked.
pub(crate) struct Machine<'a> {
    pub(crate) rules: &'a Ruleset,
    pub(crate) state: &'a mut State,
    pub(crate) host: &'a dyn EffectHost,
    /// The waiting calls of scripts, one for each script frame of the stack that has begun.
    pub(crate) live: &'a mut Vec<RunId>,
    pub(crate) log: &'a mut Log,
    /// The state in which the outermost script began: written when one begins.
    pub(crate) script_checkpoint: &'a mut Option<Box<State>>,
    /// The memory of an earlier checkpoint, for the next one.
    pub(crate) spare: &'a mut Option<Box<State>>,
    /// Answers given since then.
    pub(crate) answers: &'a mut Vec<Answer>,
    pub(crate) mode: Mode,
    /// How often standing rules have run since the last question.
    pub(crate) applied: u32,
    /// The pieces that the running effect lets players look at, while it is not on the stack.
    pub(crate) looks: Looks,
    /// The action, effects and event that run without frames.
    pub(crate) unstacked: Unstacked,
    /// The options of the question. Until there is one, the old list, whose memory is used again.
    pub(crate) options: Vec<Opt>,
    /// Whether the question has only one option and is asked only to offer free actions with it.
    pub(crate) needless: bool,
    /// How often this step has gone straight on from one phase to the next.
    pub(crate) phase_chain: u8,
    /// How far the attempt has come, if an effect is tried out (`feasible/attempts.rs`).
    pub(crate) attempt: Attempt,
}

/// Where a machine writes to, besides the state.
pub(crate) struct Outputs<'a> {
    pub(crate) live: &'a mut Vec<RunId>,
    pub(crate) log: &'a mut Log,
    pub(crate) script_checkpoint: &'a mut Option<Box<State>>,
    pub(crate) spare: &'a mut Option<Box<State>>,
    pub(crate) answers: &'a mut Vec<Answer>,
}

/// Outputs that nobody reads: for a machine that works on a copy of the state.
#[derive(Default)]
pub(crate) struct Unread {
    live: Vec<RunId>,
    log: Log,
    script_checkpoint: Option<Box<State>>,
    spare: Option<Box<State>>,
    answers: Vec<Answer>,
}

impl Unread {
    pub(crate) fn outputs(&mut self) -> Outputs<'_> {
        Outputs {
            live: &mut self.live,
            log: &mut self.log,
            script_checkpoint: &mut self.script_checkpoint,
            spare: &mut self.spare,
            answers: &mut self.answers,
        }
    }
}

impl<'a> Machine<'a> {
    /// A machine that has done nothing yet.
    #[inline]
    pub(crate) fn new(
        rules: &'a Ruleset,
        state: &'a mut State,
        host: &'a dyn EffectHost,
        out: Outputs<'a>,
        mode: Mode,
    ) -> Self {
        let Outputs { live, log, script_checkpoint, spare, answers } = out;
        Machine {
            rules,
            state,
            host,
            live,
            log,
            script_checkpoint,
            spare,
            answers,
            mode,
            applied: 0,
            looks: Looks::new(),
            unstacked: Unstacked::default(),
            options: Vec::new(),
            needless: false,
            phase_chain: 0,
            attempt: Attempt::default(),
        }
    }

    pub(crate) fn eval(&self) -> Eval<'_> {
        Eval::within(self.rules, self.state, self.host)
    }

    /// Runs until somebody must be asked; `None` when the game is over.
    pub(crate) fn advance(&mut self) -> Result<Option<Question>, Fault> {
        self.advance_to_question().map_err(|fault| self.placed(fault))
    }

    fn advance_to_question(&mut self) -> Result<Option<Question>, Fault> {
        self.begin_to_advance();
        while self.state.fuel().step() {
            if let ControlFlow::Break(end) = self.advance_by_one()? {
                return Ok(end);
            }
        }
        let most = self.rules.limits.steps;
        Err(self.at_top(Fault::new(format!("no end after {most} steps without a question (limit `steps`)")).endless()))
    }

    /// Prepares for the way to the next question: it has a budget of its own.
    #[inline(always)]
    pub(crate) fn begin_to_advance(&mut self) {
        if !self.rules.hooks.is_empty() {
            // A fault may be left from an expression that a front end evaluated. It does not belong to this game.
            let _ = self.host.take_fault();
        }
        let mistake = self.state.fuel().mistake();
        self.state.fuel().refill(self.rules.limits);
        if let Some(mistake) = mistake {
            // Taking the answer met a number that is too large, for example. The next step reports it.
            self.state.fuel().fails(mistake);
        }
    }

    /// One step; breaks off with the question, or with nothing when the game is over.
    #[inline(always)]
    pub(crate) fn advance_by_one(&mut self) -> Result<ControlFlow<Option<Question>>, Fault> {
        if self.state.is_over() {
            return Ok(ControlFlow::Break(None));
        }
        if self.unstacked.action.is_some() && self.standing_due() {
            self.push_chosen(self.state.depth(), false);
        }
        self.check_standing()?;
        self.phase_chain = 0;
        let flow = if self.unstacked.action.is_some() { self.do_chosen()? } else { self.step_once()? };
        if !self.rules.hooks.is_empty()
            && let Some(fault) = self.host.take_fault()
        {
            return Err(fault);
        }
        if self.log.is_full() {
            return Err(self.at_top(too_many_events()).endless());
        }
        if self.state.fuel().is_out() {
            return Err(self.out_of_fuel());
        }
        let Flow::Ask(question) = flow else { return Ok(ControlFlow::Continue(())) };
        let needless = std::mem::take(&mut self.needless);
        if self.standing_due() && !self.at_work() {
            // A standing rule comes first. The question and its options are found again afterwards.
            return Ok(ControlFlow::Continue(()));
        }
        self.complete_question(&question)?;
        if let Some(only) = self.only_answer(question.seat, needless) {
            self.forced(Some(question.seat), only, 1);
            self.take_answer(only)?;
            return Ok(ControlFlow::Continue(()));
        }
        Ok(ControlFlow::Break(Some(question)))
    }

    /// Completes the list of what can be answered to a question.
    #[inline(always)]
    pub(crate) fn complete_question(&mut self, question: &Question) -> Result<(), Fault> {
        if self.options.is_empty() {
            return Err(self.at_top(Fault::new("a choice must be made, but there is nothing to choose from")));
        }
        self.keep_what_leads_on(question.seat);
        self.offer_free(question);
        self.put_in_order(question.seat);
        if self.state.fuel().is_out() {
            return Err(self.out_of_fuel());
        }
        if self.options.len() > MOST_OPTIONS {
            return Err(self.at_top(too_many_options(self.options.len())));
        }
        Ok(())
    }

    /// Asks a player.
    pub(crate) fn ask(&mut self, seat: Seat, ask: Ask, options: Vec<Opt>) -> Flow {
        self.options = options;
        Flow::Ask(Question { seat, ask })
    }

    pub(crate) fn set_var(
        &mut self,
        var: rulepack_model::VarId,
        owner: Option<Value>,
        value: Value,
    ) -> Result<(), Fault> {
        if self.state.set_var(self.rules, var, owner, value) {
            return Ok(());
        }
        let name = &self.rules.vars[var.index()].name;
        Err(match owner.and_then(Value::piece) {
            Some(piece) => {
                let ty = &self.rules.types[self.rules.type_of(piece).index()].name;
                Fault::new(format!("`{ty}` is of a kind that has no variable `{name}`"))
            }
            None => Fault::new(format!("nobody is there whose `{name}` could be set")),
        })
    }

    /// Sets the variables of a scope back to their start values.
    #[inline]
    pub(crate) fn reset_vars(&mut self, scope: crate::rules::ruleset::Scope) {
        if !self.rules.vars_of(scope).is_empty() {
            self.state.reset_vars(self.rules, scope);
        }
    }

    pub(crate) fn step_once(&mut self) -> Result<Flow, Fault> {
        if self.state.depth() > self.rules.limits.frames as usize {
            return Err(self.too_deep());
        }
        match self.state.top_frame() {
            None => {
                self.finish(None);
                Ok(Flow::Go)
            }
            Some(Frame::Phase(_)) => self.step_phase(),
            Some(Frame::Action(_)) => self.step_action(),
            Some(Frame::Run(_)) => self.step_run(),
            Some(Frame::Transfer(_)) => self.step_transfer(),
            Some(Frame::Event(_)) => self.step_event(),
            Some(Frame::Script(_)) => self.step_script(),
            Some(Frame::Ask(ask)) => {
                let about = match (ask.prompt, ask.options.as_slice()) {
                    (Some(prompt), [Opt::Continue]) => Ask::Acknowledge(prompt),
                    (prompt, _) if ask.may => Ask::May(prompt),
                    (None, [Opt::Branch(..), ..]) => Ask::Either,
                    (prompt, _) => Ask::Choose(prompt),
                };
                let seat = ask.seat;
                self.options.clone_from(&ask.options);
                Ok(Flow::Ask(Question { seat, ask: about }))
            }
            Some(Frame::Pause(seat)) => {
                let seat = *seat;
                let mut options = vec![Opt::Continue];
                self.free_options(seat, &mut options);
                if options.len() == 1 && !self.might_act_free(seat) {
                    self.forced(Some(seat), Opt::Continue, 1);
                    self.state.pop_frame();
                    return Ok(Flow::Go);
                }
                Ok(self.ask(seat, Ask::Pause, options))
            }
        }
    }

    /// Gives the chosen option to the frame that asked.
    pub(crate) fn take_answer(&mut self, option: Opt) -> Result<(), Fault> {
        if let Opt::Free(action, first) = option {
            let Some(seat) = self.state.active() else { return Err(Fault::new("nobody is at turn")) };
            self.begin_free(seat, action, first);
            return Ok(());
        }
        match self.state.top_frame() {
            Some(Frame::Phase(_)) => self.answer_menu(option),
            Some(Frame::Action(_)) => self.answer_param(option),
            Some(Frame::Run(_)) => self.answer_run(option),
            Some(Frame::Transfer(_)) => self.answer_transfer(option),
            Some(Frame::Event(_)) => self.answer_window(option),
            Some(Frame::Ask(_)) => {
                self.state.set_result(match option {
                    Opt::Value(value) => value,
                    Opt::Branch(_, number) => Value::Int(i64::from(number)),
                    Opt::Yes => Value::Bool(true),
                    Opt::No => Value::Bool(false),
                    _ => Value::Nil,
                });
                self.state.pop_frame();
                Ok(())
            }
            Some(Frame::Pause(_)) => {
                self.state.pop_frame();
                Ok(())
            }
            Some(Frame::Script(_)) | None => Err(Fault::new("nobody was asked")),
        }
    }

    /// Takes the effort of a piece of work, for instance the number of pieces that it goes through, from the budget.
    #[inline]
    pub(crate) fn pay(&self, effort: usize) -> Result<(), Fault> {
        // A caller adds the place to the fault.
        if self.state.fuel().burn_many(effort) { Ok(()) } else { Err(self.all_is_spent().endless()) }
    }

    pub(crate) fn roll(
        &mut self,
        stream: StreamId,
        seat: Option<Seat>,
        sides: i64,
        secret: bool,
    ) -> Result<u32, Fault> {
        let Some(sides) = u32::try_from(sides).ok().filter(|sides| *sides > 0) else {
            return Err(Fault::new(format!("a die has from 1 to {} sides, and not {sides}", u32::MAX)));
        };
        self.unforeseen();
        let result = match secret {
            true => self.state.roll_in_secret(stream, seat, sides),
            false => self.state.roll(stream, sides),
        };
        if result == 0 || result > sides {
            return Err(Fault::new(format!("the fixed roll {result} does not exist on a die with {sides} sides")));
        }
        self.log.push(|| LogEntry::Rolled { seat, sides, result, secret });
        Ok(result)
    }
}
