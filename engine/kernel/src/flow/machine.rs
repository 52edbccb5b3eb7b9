//! The loop: the frame on top of the stack does its next step until somebody must be asked.
//!
//! One file per kind of frame: `phases.rs` (phases), `actions.rs`, `effects.rs` and `choices.rs` (effects), `transfer.rs`,
//! `events.rs`, `scripts.rs`; `standing.rs` comes between them. This file holds what they share.

use std::ops::ControlFlow;

use rulepack_model::{ActionId, ExprId, PieceId, PromptId, Seat, ValueId};
use smallvec::SmallVec;

use crate::eval::expressions::Eval;
use crate::eval::score::Outcome;
use crate::flow::decision::{Answer, Ask, MOST_OPTIONS, Opt, Question};
use crate::flow::fault::Fault;
use crate::flow::frame::*;
use crate::flow::host::{EffectHost, RunId};
use crate::flow::log::{Log, LogEntry, MOST_EVENTS};
use crate::flow::try_choices::Attempt;
use crate::hidden::sight::{SeenBy, seen_by};
use crate::rules::facts::ZoneFacts;
use crate::rules::ruleset::{Action, DerivedValue, Layout, Row, Ruleset, Slide, StepPlace};
use crate::rules::shortcuts::ORACLE;
use crate::state::chance::StreamId;
use crate::state::fuel::Culprit;
use crate::state::parts::Parts;
use crate::state::table::{PieceState, State};
use crate::state::value::{Cell, Value, ZoneIx};

/// What is said of a number that cannot be kept.
const TOO_LARGE: &str = "a number is too large: numbers have at most 18 digits, what is paid or gained at once is at most \
                         1000000, and what somebody has is at most 2147483647";
/// More levels are a recursion in the pack.
pub(crate) const MAX_FRAMES: usize = 96;

#[cold]
fn too_many_events() -> Fault {
    Fault::new(format!(
        "more than {MOST_EVENTS} things happen before the next question: let the loop do less, or ask in between"
    ))
}

#[cold]
fn too_many_options(count: usize) -> Fault {
    Fault::new(format!(
        "a question has {count} options, and at most {MOST_OPTIONS} are possible: narrow the set with `where`, or choose in two steps"
    ))
}

/// What a step led to.
pub(crate) enum Flow {
    Go,
    /// Somebody must be asked; the options are [`Machine::options`].
    Ask(Question),
}

/// An action that needs nothing more than its effect.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Chosen {
    pub(crate) action: ActionId,
    pub(crate) seat: Seat,
    /// Its parameter, if it has one.
    pub(crate) first: Value,
}

/// Works on a state.
pub(crate) struct Machine<'a> {
    pub(crate) rules: &'a Ruleset,
    pub(crate) state: &'a mut State,
    pub(crate) host: &'a dyn EffectHost,
    /// Calls of scripts that wait, one for each script frame of the stack.
    pub(crate) live: &'a mut Vec<RunId>,
    pub(crate) log: &'a mut Log,
    /// The state in which the outermost script began: written when one begins.
    pub(crate) script_checkpoint: &'a mut Option<Box<State>>,
    /// Answers given since then.
    pub(crate) answers: &'a mut Vec<Answer>,
    /// Whether this is only tried out, to see where a free action leads.
    pub(crate) trial: bool,
    /// Whether everything that is at work is put on the stack, so that it can be looked at between two steps.
    pub(crate) stacked: bool,
    /// How often standing rules have gone to work since the last question.
    pub(crate) applied: u32,
    /// What the effect at work, which is not on the stack, lets players look at.
    pub(crate) looks: Looks,
    /// The action that was chosen, if it goes to work at once; while its effect runs, it is on the stack only in thought.
    pub(crate) unstacked_action: Option<Chosen>,
    /// What can be answered to the question; before that, the list of the last one, to be used again.
    pub(crate) options: Vec<Opt>,
    /// Whether the question leaves no choice, and is asked only because something free may be done.
    pub(crate) needless: bool,
    /// How many phases have followed one another in this step.
    pub(crate) phase_chain: u8,
    /// How many effects are at work inside one another that are on the stack only in thought.
    pub(crate) unstacked_depth: u8,
    /// Whether an event is happening that is on the stack only in thought, and whether it was called off.
    pub(crate) inside_event: bool,
    pub(crate) called_off: bool,
    /// If an effect is tried, how that goes.
    pub(crate) attempt: Attempt,
}

/// What a machine writes to besides the state.
pub(crate) struct Outputs<'a> {
    pub(crate) live: &'a mut Vec<RunId>,
    pub(crate) log: &'a mut Log,
    pub(crate) script_checkpoint: &'a mut Option<Box<State>>,
    pub(crate) answers: &'a mut Vec<Answer>,
}

/// Outputs that nobody reads: for a machine that works on a copy of the state.
#[derive(Default)]
pub(crate) struct Unread {
    live: Vec<RunId>,
    log: Log,
    script_checkpoint: Option<Box<State>>,
    answers: Vec<Answer>,
}

impl Unread {
    pub(crate) fn outputs(&mut self) -> Outputs<'_> {
        Outputs {
            live: &mut self.live,
            log: &mut self.log,
            script_checkpoint: &mut self.script_checkpoint,
            answers: &mut self.answers,
        }
    }
}

impl<'a> Machine<'a> {
    /// A machine that nothing is under way in.
    #[inline]
    pub(crate) fn new(rules: &'a Ruleset, state: &'a mut State, host: &'a dyn EffectHost, out: Outputs<'a>) -> Self {
        let Outputs { live, log, script_checkpoint, answers } = out;
        Machine {
            rules,
            state,
            host,
            live,
            log,
            script_checkpoint,
            answers,
            trial: false,
            stacked: false,
            applied: 0,
            looks: Looks::new(),
            unstacked_action: None,
            options: Vec::new(),
            needless: false,
            phase_chain: 0,
            unstacked_depth: 0,
            inside_event: false,
            called_off: false,
            attempt: Attempt::default(),
        }
    }

    /// A machine that only tries out where something leads: no option is left out, whatever it leads to.
    pub(crate) fn on_trial(
        rules: &'a Ruleset,
        state: &'a mut State,
        host: &'a dyn EffectHost,
        out: Outputs<'a>,
    ) -> Self {
        Machine { trial: true, ..Machine::new(rules, state, host, out) }
    }

    pub(crate) fn eval(&self) -> Eval<'_> {
        Eval::within(self.rules, self.state, self.host)
    }

    /// Runs until somebody must be asked; `None` when the game is over.
    pub(crate) fn advance(&mut self) -> Result<Option<Question>, Fault> {
        self.advance_to_question().map_err(|fault| self.placed(fault))
    }

    /// A fault with where it happened, as far as that is known: what was running, and the line if it was a script.
    fn placed(&mut self, fault: Fault) -> Fault {
        let mut fault = self.at_top(fault);
        if fault.script.is_none()
            && let Some(Frame::Script(script)) = self.state.frames.iter().rev().find(|frame| frame.is_work())
            && script.begun
            && let Some(run) = self.live.last()
        {
            fault.script = self.host.place_of(self.rules, self.state, *run);
        }
        fault
    }

    fn advance_to_question(&mut self) -> Result<Option<Question>, Fault> {
        self.begin_to_advance();
        while self.state.fuel.step() {
            if let ControlFlow::Break(end) = self.advance_by_one()? {
                return Ok(end);
            }
        }
        let most = self.rules.limits.steps;
        Err(self.at_top(Fault::new(format!("no end after {most} steps without a question (limit `steps`)")).endless()))
    }

    /// An answer has been taken: the next question may cost as much as any.
    #[inline(always)]
    pub(crate) fn begin_to_advance(&mut self) {
        if !self.rules.hooks.is_empty() {
            // A fault of somebody who only looked at the table is none of ours.
            let _ = self.host.take_fault();
        }
        let is_large = self.state.fuel.is_large();
        self.state.fuel.refill(self.rules.limits);
        if is_large {
            // Something about the answer was too large: the next step tells it.
            self.state.fuel.too_large();
        }
    }

    /// One step; breaks off with the question, or with nothing when the game is over.
    #[inline(always)]
    pub(crate) fn advance_by_one(&mut self) -> Result<ControlFlow<Option<Question>>, Fault> {
        if self.state.outcome.is_some() {
            return Ok(ControlFlow::Break(None));
        }
        if self.unstacked_action.is_some() && self.standing_due() {
            self.push_chosen(self.state.frames.len(), false);
        }
        self.check_standing()?;
        self.phase_chain = 0;
        let flow = if self.unstacked_action.is_some() { self.do_chosen()? } else { self.step_once()? };
        if !self.rules.hooks.is_empty()
            && let Some(fault) = self.host.take_fault()
        {
            return Err(fault);
        }
        if self.log.is_full() {
            return Err(self.at_top(too_many_events()).endless());
        }
        if self.state.fuel.is_out() {
            return Err(self.out_of_fuel());
        }
        let Flow::Ask(question) = flow else { return Ok(ControlFlow::Continue(())) };
        let needless = std::mem::take(&mut self.needless);
        if self.standing_due() && !self.at_work() {
            // A standing rule comes first; what is asked can be derived again.
            return Ok(ControlFlow::Continue(()));
        }
        if !self.standing_due() {
            // A game that is taken up here has nothing to look at either.
            self.state.changed = Parts::NONE;
        }
        if self.options.is_empty() {
            return Err(self.at_top(Fault::new("a choice must be made, but there is nothing to choose from")));
        }
        self.keep_what_leads_on(question.seat);
        self.offer_free(&question);
        self.put_in_order(question.seat);
        if self.state.fuel.is_out() {
            return Err(self.out_of_fuel());
        }
        if self.options.len() > MOST_OPTIONS {
            return Err(self.at_top(too_many_options(self.options.len())));
        }
        if let Some(only) = self.only_answer(question.seat, needless) {
            self.forced(Some(question.seat), only, 1);
            self.take_answer(only)?;
            return Ok(ControlFlow::Continue(()));
        }
        Ok(ControlFlow::Break(Some(question)))
    }

    /// What stops a game of which nothing is left to look at.
    #[cold]
    #[inline(never)]
    fn out_of_fuel(&self) -> Fault {
        let fault = self.too_much();
        if self.state.fuel.is_large() { fault } else { fault.endless() }
    }

    /// Nothing is left of what may be looked at between two questions.
    fn too_much(&self) -> Fault {
        let (fault, culprit) = match self.state.fuel.trail() {
            Some(trail) => (Fault::new(trail.message(self.rules)), trail.innermost().map(Culprit::Value)),
            None if self.state.fuel.is_large() => (Fault::new(TOO_LARGE), self.state.fuel.culprit()),
            None => (self.all_is_spent(), self.state.fuel.culprit()),
        };
        let of_value = |text: ExprId| self.rules.values.iter().position(|value| value.base == text);
        match culprit.map(|culprit| match culprit {
            Culprit::Text(text) => of_value(text).map_or(culprit, |value| Culprit::Value(ValueId::from(value))),
            _ => culprit,
        }) {
            Some(Culprit::Value(value)) => {
                let DerivedValue { name, place, .. } = &self.rules.values[value.index()];
                fault.in_step(&format!("value.{name}"), place.as_ref().map(StepPlace::to_string))
            }
            Some(Culprit::Action(action)) => {
                let Action { name, place, .. } = &self.rules.actions[action.index()];
                fault.in_step(&format!("action.{name}"), place.as_ref().map(StepPlace::to_string))
            }
            Some(Culprit::Text(text)) => {
                let place = self.rules.exprs[text.index()].place.as_ref().map(StepPlace::to_string);
                fault.in_step(&self.origin_of_top(), place)
            }
            None => self.at_top(fault),
        }
    }

    #[cold]
    fn all_is_spent(&self) -> Fault {
        let most = self.rules.limits.members;
        Fault::new(format!(
            "too much is looked at before the next question: sets inside sets, or a long loop (limit `members`: {most})"
        ))
    }

    /// Asks, with a list of what can be answered.
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
        self.state.touch(Parts::VARS);
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

    /// Lets variables fall back.
    #[inline]
    pub(crate) fn reset_vars(&mut self, scope: crate::rules::ruleset::Scope) {
        if !self.rules.vars_of(scope).is_empty() {
            self.state.reset_vars(self.rules, scope);
            self.state.touch(Parts::VARS);
        }
    }

    pub(crate) fn step_once(&mut self) -> Result<Flow, Fault> {
        if self.state.frames.len() > MAX_FRAMES {
            return Err(Fault::new(format!("more than {MAX_FRAMES} effects inside one another"))
                .in_origin(&self.origin_of_top())
                .endless());
        }
        match self.state.frames.last() {
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
                    self.state.frames.pop();
                    return Ok(Flow::Go);
                }
                Ok(self.ask(seat, Ask::Pause, options))
            }
        }
    }

    /// Gives the chosen option to the frame that asked.
    pub(crate) fn take_answer(&mut self, option: Opt) -> Result<(), Fault> {
        if let Opt::Free(action, first) = option {
            let Some(seat) = self.state.active else { return Err(Fault::new("nobody is at turn")) };
            self.begin_free(seat, action, first);
            return Ok(());
        }
        match self.state.frames.last() {
            Some(Frame::Phase(_)) => self.answer_menu(option),
            Some(Frame::Action(_)) => self.answer_param(option),
            Some(Frame::Run(_)) => self.answer_run(option),
            Some(Frame::Transfer(_)) => self.answer_transfer(option),
            Some(Frame::Event(_)) => self.answer_window(option),
            Some(Frame::Ask(_)) => {
                self.state.result = match option {
                    Opt::Value(value) => value,
                    Opt::Yes => Value::Bool(true),
                    Opt::No => Value::Bool(false),
                    _ => Value::Nil,
                };
                self.state.frames.pop();
                Ok(())
            }
            Some(Frame::Pause(_)) => {
                self.state.frames.pop();
                Ok(())
            }
            _ => Err(Fault::new("nobody was asked")),
        }
    }

    /// The end of the game; points decide who has won if the rules do not say it.
    pub(crate) fn finish(&mut self, winner: Option<Seat>) {
        let outcome = match winner {
            Some(winner) => Outcome { winners: vec![winner], sheets: self.eval().sheets() },
            None => self.eval().outcome(),
        };
        self.finish_with(outcome);
    }

    fn finish_with(&mut self, outcome: Outcome) {
        // Scripts that wait are not gone on with.
        for run in self.live.drain(..) {
            self.host.forget(run);
        }
        *self.script_checkpoint = None;
        self.state.frames.clear();
        self.state.outcome = Some(outcome);
        self.log.push(|| LogEntry::GameOver);
    }

    /// The end of a game that would go round in a loop: nobody has won more than the others.
    pub(crate) fn finish_drawn(&mut self, names: Vec<String>) {
        self.log.push(|| LogEntry::Looped { names });
        let outcome = Outcome { winners: self.rules.seats().collect(), sheets: self.eval().sheets() };
        self.finish_with(outcome);
    }

    /// A fault of what is on top of the stack.
    #[cold]
    fn at_top(&self, fault: Fault) -> Fault {
        let top = self.state.frames.iter().rev().find(|frame| frame.is_work());
        let step = top.and_then(|frame| frame.place(self.rules));
        fault.in_step(&self.origin_of_top(), step)
    }

    /// Where the work on top of the stack was bound, for messages.
    pub(crate) fn origin_of_top(&self) -> String {
        origin_of_top(self.rules, self.state)
    }

    // ---- moving pieces ----

    pub(crate) fn move_piece(
        &mut self,
        piece: PieceId,
        to: Cell,
        bottom: bool,
        facing: Option<bool>,
    ) -> Result<(), Fault> {
        let ZoneFacts { cells, capacity, out_of_game, .. } = self.rules.spaces(to.zone);
        if cells > 0 && to.at >= cells || cells == 0 && to.at > 0 {
            return Err(Fault::new(format!("`{}` has no such space", self.rules.zone_of(to.zone).name)));
        }
        let PieceState { zone, at, .. } = self.state.pieces[piece.index()];
        let from = Cell { zone, at };
        if let Some(capacity) = capacity
            && from.zone != to.zone
            && self.state.zone_len(to.zone) >= capacity as usize
        {
            return Err(Fault::new(format!("`{}` is full: it holds {capacity}", self.rules.zone_of(to.zone).name)));
        }
        self.may_leave(from.zone, out_of_game)?;
        self.foresees(piece);
        let before = self.seen_by(piece);
        self.pay_for_moving(piece)?;
        self.state.place(piece, to, bottom);
        self.piece_moved(piece, from.zone);
        if let Some(up) = facing {
            self.state.turn_over(piece, |lies| lies.face_down = !up);
        }
        let seen_by = before.or(self.seen_by(piece));
        self.log.push(|| LogEntry::Moved { piece, from, to, seen_by });
        Ok(())
    }

    /// Moving counts by how many pieces are gone through for it: all of a zone, if something lies on the piece.
    #[inline]
    fn pay_for_moving(&self, piece: PieceId) -> Result<(), Fault> {
        let effort = if self.state.has_riders(piece) { 8 * self.state.effort_of_riders(piece) } else { 0 };
        self.pay(1 + effort as usize)
    }

    /// Pays for work that goes through so many things; if there is not enough left, it is not done.
    #[inline]
    pub(crate) fn pay(&self, effort: usize) -> Result<(), Fault> {
        // Where it happens is known further up.
        if self.state.fuel.burn_many(effort) { Ok(()) } else { Err(self.all_is_spent().endless()) }
    }

    pub(crate) fn lay_piece(&mut self, piece: PieceId, on: PieceId) -> Result<(), Fault> {
        // What nothing lies on, the other does not lie on either.
        if on == piece || self.state.has_riders(piece) && self.state.with_riders(piece).contains(&on) {
            return Err(Fault::new("a piece cannot be laid on itself"));
        }
        self.pay_for_moving(piece)?;
        let from = self.state.piece(piece).zone;
        self.may_leave(from, self.rules.spaces(self.state.piece(on).zone).out_of_game)?;
        self.foresees(piece);
        let before = self.seen_by(piece);
        self.state.lay(piece, on);
        self.piece_moved(piece, from);
        let seen_by = before.or(self.seen_by(piece));
        self.log.push(|| LogEntry::Laid { piece, on, seen_by });
        Ok(())
    }

    /// What is out of the game stays so: that everybody knows it decides who is asked for an answer.
    #[inline]
    fn may_leave(&self, from: ZoneIx, to_out_of_game: bool) -> Result<(), Fault> {
        if to_out_of_game || !self.rules.spaces(from).out_of_game {
            return Ok(());
        }
        let name = &self.rules.zone_of(from).name;
        Err(Fault::new(format!("what lies in `{name}` is out of the game and cannot come back")))
    }

    /// What follows from a piece lying elsewhere: what is kept on it goes with it.
    fn piece_moved(&mut self, piece: PieceId, from: ZoneIx) {
        let in_play = |zone: ZoneIx| self.rules.spaces(zone).in_play;
        let to = self.state.pieces[piece.index()].zone;
        self.state.touch(if in_play(from) || in_play(to) { Parts::IN_PLAY } else { Parts::ELSEWHERE });
        if self.rules.facts.has_kept && self.carries_stock(piece) {
            self.state.stock_moved(self.rules, piece, from);
            if ORACLE {
                let mut counted = self.state.clone();
                counted.count_kept(self.rules);
                assert_eq!(counted.amounts, self.state.amounts, "stock that moves along is counted along");
            }
        }
    }

    /// Whether stock can be kept on a piece or on what lies on it.
    #[inline]
    fn carries_stock(&self, piece: PieceId) -> bool {
        self.rules.keeps_anything(piece) || self.state.has_riders(piece) && self.riders_carry_stock(piece)
    }

    fn riders_carry_stock(&self, piece: PieceId) -> bool {
        self.state.with_riders(piece).into_iter().any(|rider| self.rules.keeps_anything(rider))
    }

    /// Who sees a piece as it lies now; asked only if somebody reads the log.
    #[inline]
    fn seen_by(&self, piece: PieceId) -> SeenBy {
        if self.log.wanted { self.all_who_see(piece) } else { SeenBy::default() }
    }

    fn all_who_see(&self, piece: PieceId) -> SeenBy {
        let lookers = self.looks.iter().filter(|(_, seen)| *seen == piece).map(|(seat, _)| *seat);
        lookers.fold(seen_by(self.rules, self.state, piece), SeenBy::and_seat)
    }

    /// Lets a player look at pieces until what is at work is over.
    pub(crate) fn look_at(&mut self, seat: Seat, pieces: &[PieceId], looks: &mut Looks) {
        for piece in pieces {
            // Without fuel the step fails, whatever is looked at.
            if !self.state.fuel.burn_many(1 + looks.len() / 8) {
                return;
            }
            if !looks.contains(&(seat, *piece)) {
                looks.push((seat, *piece));
            }
        }
        if let Some(first) = pieces.first() {
            let at = self.state.cell_of(*first);
            self.log.push_large(pieces.len(), || LogEntry::Looked { seat, at, pieces: pieces.to_vec() });
        }
    }

    /// Tells all players something; pieces among it are seen by all until what is at work is over.
    pub(crate) fn disclose(&mut self, values: Vec<Value>, prompt: Option<PromptId>, looks: &mut Looks) {
        for piece in values.iter().filter_map(|value| value.piece()).filter(|piece| !self.eval().is_open(*piece)) {
            if !self.state.fuel.burn_many(1 + looks.len() * usize::from(self.rules.players) / 8) {
                return;
            }
            for seat in self.rules.seats().filter(|seat| !looks.contains(&(*seat, piece))).collect::<Vec<_>>() {
                looks.push((seat, piece));
            }
        }
        self.log.push_large(values.len().max(1), || LogEntry::Disclosed { values, prompt });
    }

    pub(crate) fn flip_piece(&mut self, piece: PieceId) {
        self.state.turn_over(piece, |lies| lies.flipped = !lies.flipped);
        self.state.touch(Parts::IN_PLAY.union(Parts::ELSEWHERE));
        self.log.push(|| LogEntry::Flipped { piece });
    }

    pub(crate) fn shuffle_zone(&mut self, zone: ZoneIx) -> Result<(), Fault> {
        self.unforeseen();
        let looks =
            self.state.frames.iter().filter_map(Frame::looks).chain([&self.looks]).map(Looks::len).sum::<usize>();
        self.pay(self.state.zone_len(zone) + looks)?;
        self.state.shuffle(self.rules, zone);
        self.state.touch(Parts::IN_PLAY.union(Parts::ELSEWHERE));
        // Nobody knows any longer which is which.
        let (pieces, stays) = (&self.state.pieces, |lies: &crate::state::table::PieceState| lies.zone != zone);
        for looks in self.state.frames.iter_mut().filter_map(Frame::looks_mut).chain([&mut self.looks]) {
            looks.retain(|(_, piece)| stays(&pieces[piece.index()]));
        }
        self.log.push(|| LogEntry::Shuffled { zone });
        Ok(())
    }

    pub(crate) fn roll(&mut self, stream: StreamId, seat: Option<Seat>, sides: i64) -> Result<u32, Fault> {
        let Some(sides) = u32::try_from(sides).ok().filter(|sides| *sides > 0) else {
            return Err(Fault::new(format!("a die has from 1 to {} sides, and not {sides}", u32::MAX)));
        };
        self.unforeseen();
        let result = self.state.roll(stream, sides);
        if result == 0 || result > sides {
            return Err(Fault::new(format!("the fixed roll {result} does not exist on a die with {sides} sides")));
        }
        self.log.push(|| LogEntry::Rolled { seat, sides, result });
        Ok(result)
    }

    /// Where a piece goes that is moved to a zone without naming a space: the first free one.
    pub(crate) fn space_in(&self, zone: ZoneIx) -> Result<Cell, Fault> {
        let declared = self.rules.zone_of(zone);
        let cells = declared.layout.cells();
        if cells == 0 {
            return Ok(Cell { zone, at: 0 });
        }
        (0..cells)
            .map(|at| Cell { zone, at })
            .find(|cell| self.state.pieces_at(*cell).next().is_none())
            .ok_or_else(|| Fault::new(format!("there is no free space in `{}`", declared.name)))
    }

    /// How much it takes to find the top of a zone: of several piles, all pieces are gone through.
    pub(crate) fn effort_of_top(&self, zone: ZoneIx) -> usize {
        let is_pile = self.rules.spaces(zone).cells == 0;
        if is_pile { 0 } else { self.state.zone_len(zone) / 8 }
    }

    /// Closes gaps, then fills empty spaces as long as there is something to fill them with.
    pub(crate) fn refill(&mut self, zone: ZoneIx) -> Result<(), Fault> {
        let declared = self.rules.zone_of(zone);
        let Some(source) = declared.refill else {
            return Err(Fault::new(format!("`{}` has no zone to be filled from", declared.name)));
        };
        let source = self.rules.zone_ix(source, self.rules.zone_owner(zone));
        let Layout::Row(Row { size, slide }) = declared.layout else {
            return Err(Fault::new(format!("`{}` is no row that can be filled", declared.name)));
        };
        self.pay(size as usize + self.state.zone_len(zone))?;
        // Spaces in the order in which they are filled: those furthest from the entrance first.
        let order: SmallVec<[u16; 16]> = match slide {
            Slide::EnterFirst => (0..size).rev().collect(),
            Slide::EnterLast | Slide::Never => (0..size).collect(),
        };
        if slide != Slide::Never {
            let mut target = 0;
            for at in &order {
                let standing: SmallVec<[PieceId; 4]> = self.state.pieces_at(Cell { zone, at: *at }).collect();
                if standing.is_empty() {
                    continue;
                }
                let to = Cell { zone, at: order[target] };
                target += 1;
                if to.at != *at {
                    for piece in standing {
                        self.move_piece(piece, to, false, None)?;
                    }
                }
            }
        }
        for at in order {
            let cell = Cell { zone, at };
            if self.state.pieces_at(cell).next().is_some() {
                continue;
            }
            self.pay(self.effort_of_top(source))?;
            let Some(piece) = self.state.top(self.rules, source) else { break };
            self.move_piece(piece, cell, false, Some(true))?;
        }
        Ok(())
    }

    // ---- ends ----

    pub(crate) fn end_phase(&mut self) {
        if let Some(Frame::Phase(phase)) =
            self.state.frames.iter_mut().rev().find(|frame| matches!(frame, Frame::Phase(_)))
        {
            phase.ended = true;
        }
    }

    /// Ends all phases inside the present turn.
    pub(crate) fn end_turn(&mut self) {
        let rules = self.rules;
        for frame in self.state.frames.iter_mut().rev() {
            if let Frame::Phase(phase) = frame {
                if matches!(rules.phases[phase.phase.index()].body, crate::rules::ruleset::PhaseBody::Turns { .. }) {
                    return;
                }
                phase.ended = true;
            }
        }
    }

    pub(crate) fn pass(&mut self, seat: Seat) {
        if !self.state.has_passed(seat) {
            self.state.touch_turn();
            self.state.passed |= 1 << seat.0;
            self.state.pass_order.push(seat);
            self.log.push(|| LogEntry::Passed { seat });
        }
        self.end_turn();
    }

    pub(crate) fn rejoin(&mut self, seat: Seat) {
        self.state.touch_turn();
        self.state.passed &= !(1 << seat.0);
        self.state.pass_order.retain(|passed| *passed != seat);
    }

    /// Calls off the event that is happening.
    pub(crate) fn cancel(&mut self) {
        if self.inside_event {
            self.called_off = true;
            return;
        }
        let event = self.state.frames.iter_mut().rev().find_map(|frame| match frame {
            Frame::Event(event) => Some(event),
            _ => None,
        });
        if let Some(event) = event {
            event.cancelled = true;
        }
    }
}

/// Where the work on top of the stack was bound.
pub(crate) fn origin_of_top(rules: &Ruleset, state: &State) -> String {
    state.frames.iter().rev().find_map(|frame| frame.origin(rules)).unwrap_or_default()
}
