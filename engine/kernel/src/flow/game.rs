//! A game: a plain value that can be copied, compared and saved at every decision.

use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rulepack_expr::Op;
use rulepack_model::StableHasher;

use crate::eval::expressions::Eval;
use crate::eval::score::Outcome;
use crate::flow::decision::{Answer, Decision, Opt, Question};
use crate::flow::fault::{AnswerError, Fault};
use crate::flow::frame::Frame;
use crate::flow::host::{EffectHost, RunId};
use crate::flow::log::{Log, LogEntry};
use crate::flow::loops::EffectLoop;
use crate::flow::machine::{Flow, Machine, Mode, Outputs, Unread};
use crate::flow::set_up::first_state;
use crate::flow::where_it_failed::origin_of_top;
use crate::hidden::sight::{SeenBy, all_seen_by};
use crate::rules::limits::Limits;
use crate::rules::ruleset::Ruleset;
use crate::rules::shortcuts::{ORACLE, Promise, Shortcuts};
use crate::state::table::State;
use crate::state::value::Value;

/// A game that is being played, or is over.
#[derive(Debug)]
pub struct Game {
    rules: Arc<Ruleset>,
    state: State,
    /// The state in which the outermost script began, if one waits.
    pub(crate) script_checkpoint: Option<Box<State>>,
    /// The memory of an earlier checkpoint, for the next one.
    spare: Option<Box<State>>,
    /// Answers given since then.
    pub(crate) answers: Vec<Answer>,
    /// The waiting calls of scripts. They are a cache: without them, the scripts are run again from `script_checkpoint` with
    /// `answers`.
    live: Vec<RunId>,
    pending: Option<Decision>,
}

/// What the game waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pending<'g> {
    /// One player must answer.
    Decision(&'g Decision),
    /// It is over.
    Over(&'g Outcome),
}

impl Clone for Game {
    fn clone(&self) -> Self {
        Game {
            rules: Arc::clone(&self.rules),
            state: self.state.clone(),
            script_checkpoint: self.script_checkpoint.clone(),
            spare: None,
            answers: self.answers.clone(),
            // A waiting call belongs to one game; the copy begins its own when it needs one.
            live: if self.rules.shortcuts.breaks(Promise::Copy) { self.live.clone() } else { Vec::new() },
            pending: self.pending.clone(),
        }
    }

    /// Like `clone`, in the memory of a game that is no longer needed. The waiting script calls of that game are dropped
    /// here; their host drops its oldest calls by itself.
    fn clone_from(&mut self, other: &Self) {
        if !Arc::ptr_eq(&self.rules, &other.rules) {
            self.rules = Arc::clone(&other.rules);
        }
        self.state.clone_from(&other.state);
        self.script_checkpoint.clone_from(&other.script_checkpoint);
        self.answers.clone_from(&other.answers);
        self.live.clear();
        if self.rules.shortcuts.breaks(Promise::Copy) {
            self.live.clone_from(&other.live);
        }
        match (&mut self.pending, &other.pending) {
            (Some(mine), Some(other)) => {
                (mine.seat, mine.ask) = (other.seat, other.ask);
                mine.options.clone_from(&other.options);
            }
            (mine, other) => *mine = other.clone(),
        }
    }
}

impl PartialEq for Game {
    fn eq(&self, other: &Self) -> bool {
        self.state == other.state && self.answers == other.answers && self.pending == other.pending
    }
}

impl Game {
    /// Sets the game up and runs to the first decision.
    ///
    /// # Errors
    /// If the pack fails.
    pub fn start(rules: Arc<Ruleset>, seed: u64, host: &dyn EffectHost) -> Result<Game, Fault> {
        let state = first_state(&rules, seed);
        Game::from_state(rules, state, host)
    }

    pub(crate) fn from_state(rules: Arc<Ruleset>, state: State, host: &dyn EffectHost) -> Result<Game, Fault> {
        Game::begin(rules, state, host, &mut Log::default())
    }

    /// A game that goes on from a state, and the events up to its first question.
    pub(crate) fn told_from(
        rules: Arc<Ruleset>,
        state: State,
        host: &dyn EffectHost,
    ) -> Result<(Game, Vec<LogEntry>), Fault> {
        let mut log = Log::wanted();
        let game = Game::begin(rules, state, host, &mut log)?;
        Ok((game, log.events))
    }

    /// Runs on from a state to the next decision, and tells what happened.
    pub(crate) fn begin(
        rules: Arc<Ruleset>,
        state: State,
        host: &dyn EffectHost,
        log: &mut Log,
    ) -> Result<Game, Fault> {
        let mut game = Game {
            rules,
            state,
            script_checkpoint: None,
            spare: None,
            answers: Vec::new(),
            live: Vec::new(),
            pending: None,
        };
        let before = game.clone();
        match game.run(host, None, log) {
            Ok(()) => Ok(game),
            Err(fault) => {
                game.forget_scripts(host);
                Err(before.with_loop(host, None, fault))
            }
        }
    }

    /// The rules that it is played by.
    pub fn rules(&self) -> &Arc<Ruleset> {
        &self.rules
    }

    /// The table.
    pub fn state(&self) -> &State {
        &self.state
    }

    pub(crate) fn state_mut(&mut self) -> &mut State {
        &mut self.state
    }

    /// A decision of one player with all options, or the outcome.
    pub fn pending(&self) -> Pending<'_> {
        match (&self.pending, self.state.outcome()) {
            (_, Some(outcome)) => Pending::Over(outcome),
            (Some(decision), None) => Pending::Decision(decision),
            (None, None) => unreachable!("a game that is not over waits for a decision"),
        }
    }

    /// The work done so far: the number of members of sets that were visited, and of operations. It is the same on every
    /// machine.
    pub fn work(&self) -> u64 {
        self.state.fuel().all_used()
    }

    /// How much of each limit the last answer used.
    pub fn spent(&self) -> Limits {
        self.state.fuel().spent()
    }

    /// The decision, if the game is not over.
    pub fn decision(&self) -> Option<&Decision> {
        self.pending.as_ref().filter(|_| self.state.outcome().is_none())
    }

    /// Whether the decision belongs to a free action that is being taken.
    pub fn is_in_free_action(&self) -> bool {
        self.state.frames().iter().any(|frame| matches!(frame, Frame::Action(action) if action.interrupts))
    }

    /// Free actions that could be taken now but are not offered, because each would only lead back to a position that has
    /// occurred since the last answer that was not part of a free action.
    pub fn leading_back(&self, host: &dyn EffectHost) -> Vec<Opt> {
        let Some(decision) =
            self.decision().filter(|_| !self.state.visited_positions().is_empty() && self.script_checkpoint.is_none())
        else {
            return Vec::new();
        };
        let mut state = self.state.clone();
        state.fuel().refill(self.rules.limits);
        let mut unread = Unread::default();
        let mut machine = Machine::new(&self.rules, &mut state, host, unread.outputs(), Mode::Trial);
        match machine.step_once() {
            Ok(Flow::Ask(question)) => {
                machine.offer_free(&question);
                let options = std::mem::take(&mut machine.options);
                options.into_iter().filter(|option| !decision.options.contains(option)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Evaluates expressions about this game.
    pub fn eval<'g>(&'g self, host: &'g dyn EffectHost) -> Eval<'g> {
        Eval::new(&self.rules, &self.state, host)
    }

    /// Applies one answer, runs on to the next decision, and tells what happened.
    ///
    /// # Errors
    /// If the answer is not among the options, or the pack fails. The game is then as before.
    pub fn answer(&mut self, host: &dyn EffectHost, answer: Answer) -> Result<Vec<LogEntry>, AnswerError> {
        if let Err(refused) = self.must_be_listed(answer) {
            if self.rules.shortcuts.breaks(Promise::Refusal) {
                self.state.count_turn();
            }
            return Err(refused);
        }
        let before = self.clone();
        let mut log = Log::wanted();
        match self.apply(host, answer, &mut log) {
            Ok(()) => Ok(log.events),
            Err(fault) => {
                self.forget_scripts(host);
                *self = before;
                let fault = self.with_loop(host, Some(answer), fault);
                log.events.clear();
                self.draw_if_looped(host, fault, &mut log)?;
                Ok(log.events)
            }
        }
    }

    /// Like [`Game::answer`], without a log and without a copy to go back to: for callers that drop a game after a fault.
    ///
    /// # Errors
    /// As for [`Game::answer`]; the game cannot be played on after a fault.
    pub fn answer_fast(&mut self, host: &dyn EffectHost, answer: Answer) -> Result<(), AnswerError> {
        self.must_be_listed(answer)?;
        // A loop that is a draw leaves the table as before the answer.
        let before = (self.rules.loops.effects == EffectLoop::Draw).then(|| self.clone());
        let Err(fault) = self.apply(host, answer, &mut Log::default()) else { return Ok(()) };
        let Some(before) = before else { return Err(fault.into()) };
        self.forget_scripts(host);
        let in_vain = self.spent().work();
        *self = before;
        // It is played once more to find the loop.
        self.state.fuel().add_used(in_vain.saturating_mul(2));
        let fault = self.with_loop(host, Some(answer), fault);
        self.draw_if_looped(host, fault, &mut Log::default())
    }

    /// Plays the answer that led to a fault once more to find out whether the game went round in a loop. If so, the fault
    /// names the definitions of the loop.
    #[cold]
    fn with_loop(&self, host: &dyn EffectHost, answer: Option<Answer>, fault: Fault) -> Fault {
        if !fault.endless {
            return fault;
        }
        let mut again = self.clone();
        let mut names = Vec::new();
        if again.revive(host).is_ok() {
            let mut find = |machine: &mut Machine<'_>| {
                machine.begin_to_advance();
                names = machine.find_loop();
                Ok(None)
            };
            // The result is not needed: it is the same fault.
            let _ = again.run_with(host, answer, &mut Log::default(), Mode::Stacked, &mut find);
        }
        again.abandon(host);
        if names.is_empty() { fault } else { fault.of_loop(names) }
    }

    /// Ends a game that would go round in a loop, if the pack says that it is a draw.
    #[cold]
    fn draw_if_looped(&mut self, host: &dyn EffectHost, fault: Fault, log: &mut Log) -> Result<(), AnswerError> {
        if fault.cycle.is_empty() || self.rules.loops.effects != EffectLoop::Draw {
            return Err(fault.into());
        }
        let out = Outputs {
            live: &mut self.live,
            log,
            script_checkpoint: &mut self.script_checkpoint,
            spare: &mut self.spare,
            answers: &mut self.answers,
        };
        Machine::new(&self.rules, &mut self.state, host, out, Mode::Play).finish_drawn(fault.cycle.clone());
        self.answers.clear();
        self.pending = None;
        Ok(())
    }

    #[inline]
    fn must_be_listed(&self, answer: Answer) -> Result<(), AnswerError> {
        let Some(decision) = self.decision() else {
            return Err(AnswerError::Illegal("the game is over".into()));
        };
        let count = decision.options.len();
        if (answer.0 as usize) < count {
            return Ok(());
        }
        Err(AnswerError::no_option(answer, count))
    }

    #[inline]
    pub(crate) fn apply(&mut self, host: &dyn EffectHost, answer: Answer, log: &mut Log) -> Result<(), Fault> {
        self.revive(host)?;
        if self.script_checkpoint.is_some() {
            self.answers.push(answer);
        }
        self.run(host, Some(answer), log)
    }

    /// Takes an answer, if there is one, and runs on to the next question.
    #[inline]
    fn run(&mut self, host: &dyn EffectHost, answer: Option<Answer>, log: &mut Log) -> Result<(), Fault> {
        self.run_with(host, answer, log, Mode::Play, |machine| machine.advance())
    }

    /// Like [`Game::run`], in a given mode; `advance` goes on to the next question.
    #[inline]
    fn run_with(
        &mut self,
        host: &dyn EffectHost,
        answer: Option<Answer>,
        log: &mut Log,
        mode: Mode,
        advance: impl FnOnce(&mut Machine<'_>) -> Result<Option<Question>, Fault>,
    ) -> Result<(), Fault> {
        let seat = self.pending.as_ref().map(|decision| decision.seat);
        let rules = &*self.rules;
        self.state.memo().follow(rules.shortcuts);
        log.go_on();
        let out = Outputs {
            live: &mut self.live,
            log,
            script_checkpoint: &mut self.script_checkpoint,
            spare: &mut self.spare,
            answers: &mut self.answers,
        };
        let mut machine = Machine::new(rules, &mut self.state, host, out, mode);
        if let Some(decision) = &mut self.pending {
            machine.options = std::mem::take(&mut decision.options);
        }
        if let (Some(answer), Some(seat)) = (answer, seat) {
            let Some(option) = machine.options.get(answer.0 as usize).copied() else {
                return Err(Fault::new("an answer that is not listed"));
            };
            // While players choose at the same time, nobody is told what.
            if !machine.asks_together() {
                let in_secret = machine.log.wanted && asks_in_secret(rules, machine.state);
                machine.log.push(|| {
                    let value = match option {
                        Opt::Action(_, value) | Opt::Free(_, value) | Opt::Value(value) => value,
                        _ => Value::Nil,
                    };
                    let seen_by = match in_secret {
                        true => SeenBy::default().and_seat(seat),
                        false => all_seen_by(rules, machine.state, &[value]),
                    };
                    LogEntry::Chose { seat, option, answer, secret: in_secret, seen_by }
                });
            }
            if !machine.is_free(option) {
                machine.state.forget_positions();
            }
            // An expression that a front end evaluated may have used up the budget. That does not count here.
            machine.state.fuel().refill(rules.limits);
            machine.take_answer(option)?;
        }
        let question = advance(&mut machine)?;
        let mut options = std::mem::take(&mut machine.options);
        if ORACLE {
            break_options(rules.shortcuts, &mut options);
        }
        let named = question.as_ref().map_or_else(Vec::new, |question| machine.named_by(question));
        self.pending = question.map(|Question { seat, ask }| Decision { seat, ask, options, named });
        if self.script_checkpoint.is_none() {
            self.answers.clear();
        }
        Ok(())
    }

    /// Makes sure that the waiting scripts can be resumed. If a call is gone, all are run again from the state in which the
    /// outermost one began, with the answers given since.
    #[inline]
    fn revive(&mut self, host: &dyn EffectHost) -> Result<(), Fault> {
        if self.script_checkpoint.is_none() && self.live.is_empty() && self.rules.hooks.is_empty() {
            return Ok(());
        }
        let waiting = self.state.frames().iter().filter(|frame| matches!(frame, Frame::Script(f) if f.begun)).count();
        if waiting == self.live.len() && self.live.iter().all(|run| host.is_live(*run)) {
            return Ok(());
        }
        let Some(checkpoint) = self.script_checkpoint.take() else {
            return Err(Fault::new("a script waits, but where it began is not known"));
        };
        self.forget_scripts(host);
        let answers = std::mem::take(&mut self.answers);
        // Each answer has a budget of its own again. It is a larger one, because the caches are empty.
        checkpoint.fuel().set_again(true);
        let mut again = Game::from_state(Arc::clone(&self.rules), *checkpoint, host)?;
        for answer in answers {
            again.must_be_listed(answer).map_err(|_| Self::drifted())?;
            if again.script_checkpoint.is_some() {
                again.answers.push(answer);
            }
            again.run(host, Some(answer), &mut Log::default())?;
        }
        again.stop_again();
        if again.state != self.state || again.pending != self.pending {
            again.forget_scripts(host);
            return Err(Self::drifted());
        }
        *self = again;
        Ok(())
    }

    pub(crate) fn drifted() -> Fault {
        Fault::new("a script did something else when it was run again from the same state with the same answers")
    }

    /// Where the question comes from, as in a fault: the definition whose effect is running, and its step or the line of a
    /// waiting script.
    pub fn place_of_question(&self, host: &dyn EffectHost) -> String {
        let mut game = self.clone();
        let mut origin = origin_of_top(&game.rules, &game.state);
        let top = game.state.frames().iter().rev().find(|frame| frame.is_work());
        if let Some(place) = top.and_then(|frame| frame.place(&game.rules)) {
            origin = format!("{origin}, {place}");
        }
        let in_script = matches!(top, Some(Frame::Script(script)) if script.begun);
        let script = match in_script && game.revive(host).is_ok() {
            true => game.live.last().and_then(|run| host.place_of(&game.rules, &game.state, *run)),
            false => None,
        };
        game.abandon(host);
        match script {
            Some(script) => format!("{script}, called from {origin}"),
            None => origin,
        }
    }

    /// Takes all chance from now on from another seed, and forgets fixed rolls.
    pub(crate) fn draw_anew(&mut self, seed: u64) {
        let now = self.state.chance().clone();
        let left = self.state.rolls_left();
        for state in self.script_checkpoint.as_deref_mut().into_iter().chain([&mut self.state]) {
            // A waiting script may be run again from its checkpoint: the rolls that it has drawn since then stay the same.
            let used = state.rolls_left().saturating_sub(left);
            let used = state.fixed_rolls()[..used].to_vec();
            state.fix_rolls(&used);
            state.draw_anew(seed, &now);
        }
    }

    /// Drops the game together with its waiting scripts.
    pub fn abandon(mut self, host: &dyn EffectHost) {
        self.forget_scripts(host);
    }

    /// Drops the waiting calls of scripts. The next answer runs these scripts again from their beginning.
    pub fn forget_scripts(&mut self, host: &dyn EffectHost) {
        for run in self.live.drain(..) {
            host.forget(run);
        }
    }

    /// How many answers were given since the outermost waiting script began. A copy of this game gives them again.
    pub fn answers_in_script(&self) -> usize {
        self.answers.len()
    }

    /// A hash of the whole game, the same in every process: while a script waits, it covers the state in which the
    /// outermost one began and the answers given since.
    pub fn hash(&self) -> u128 {
        let mut hasher = StableHasher::new();
        match &self.script_checkpoint {
            Some(checkpoint) => {
                hasher.write_u8(1);
                checkpoint.hash(&mut hasher);
                self.answers.hash(&mut hasher);
            }
            None => {
                hasher.write_u8(0);
                self.state.hash(&mut hasher);
            }
        }
        hasher.finish128()
    }

    /// The state to be saved, and the answers since.
    pub(crate) fn saved_parts(&self) -> (&State, &[Answer]) {
        match &self.script_checkpoint {
            Some(checkpoint) => (checkpoint, &self.answers),
            None => (&self.state, &[]),
        }
    }

    /// A game from a state and the answers given since.
    pub(crate) fn resume(
        rules: Arc<Ruleset>,
        state: State,
        answers: &[Answer],
        host: &dyn EffectHost,
    ) -> Result<Game, AnswerError> {
        state.fuel().set_again(true);
        let mut game = Game::from_state(rules, state, host)?;
        for answer in answers {
            game.must_be_listed(*answer)?;
            game.apply(host, *answer, &mut Log::default())?;
        }
        game.stop_again();
        Ok(game)
    }

    /// Back to the usual budget: the answers from before have been given again, and those that follow are new.
    fn stop_again(&mut self) {
        self.state.fuel().set_again(false);
        if let Some(checkpoint) = &self.script_checkpoint {
            checkpoint.fuel().set_again(false);
        }
    }
}

/// Whether only the player who is asked is told what is chosen.
fn asks_in_secret(rules: &Ruleset, state: &State) -> bool {
    match state.top_frame() {
        Some(Frame::Run(run)) => {
            let op = rules.program(run.program).program.ops.get(run.pc as usize);
            matches!(op, Some(Op::Choose { secret: true, .. }))
        }
        Some(Frame::Ask(ask)) => ask.secret,
        Some(Frame::Phase(_) | Frame::Action(_) | Frame::Transfer(_) | Frame::Event(_)) => false,
        Some(Frame::Script(_) | Frame::Pause(_)) | None => false,
    }
}

impl Game {
    /// Whether only the player who is asked is told what is chosen: `choose … in secret`.
    pub fn asks_in_secret(&self) -> bool {
        asks_in_secret(&self.rules, &self.state)
    }
}

/// For tests of the conformance checks: breaks a promise about lists of options, if `shortcuts` says so.
fn break_options(shortcuts: Shortcuts, options: &mut Vec<Opt>) {
    static LISTED: AtomicU64 = AtomicU64::new(0);
    if shortcuts.breaks(Promise::Order) && LISTED.fetch_add(1, Ordering::Relaxed).is_multiple_of(5) {
        let by = usize::from(!options.is_empty());
        options.rotate_right(by);
    }
    if shortcuts.breaks(Promise::Unique) && options.len() > 1 {
        options.push(options[0]);
    }
}

impl Machine<'_> {
    /// Whether an option begins a free action or belongs to one.
    fn is_free(&self, option: Opt) -> bool {
        match option {
            Opt::Free(..) => true,
            Opt::Action(action, _) => self.rules.actions[action.index()].free,
            _ => self.is_interrupted(),
        }
    }
}
