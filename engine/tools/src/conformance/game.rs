//! One random game, in which every property of packs is tested.
//!
//! Two games are played side by side with the same answers. One is continued through copies; the other, the twin, is
//! never copied and has a script host of its own. At every decision both must be the same. `docs/ci.md` says how often
//! each property is tested.

use std::collections::HashSet;

use rulepack_kernel::{Answer, AnswerError, Game, Given, Opt, Words, check_invariants};
use rulepack_script::ScriptHost;

use super::compare::{difference, is_reordered, kind, question};
use super::property::{Counts, Property, Sample};
use crate::history::Past;
use crate::load::GameBox;
use crate::secrecy::{Watch, set_up_hides};
use rulepack_bots::RandomBot;

/// How often the expensive tests are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pace {
    /// Trying another option than the chosen one, and counting pieces and resources: once in this many decisions.
    pub(super) often: u64,
    /// Saving and loading, and going on with the loaded game.
    pub(super) save: u64,
    /// Looking from every seat, asking for reasons, trying every option; for each player separately, as is the next
    /// one.
    pub(super) look: u64,
    /// Shuffling hidden pieces, for every seat.
    pub(super) secrecy: u64,
    /// Undoing all answers: one game in this many.
    pub(super) undo: u64,
    /// Writing, reading and following a log: one game in this many.
    pub(super) log: u64,
    /// All of these at each of the first answers to a script, and less and less often later: see [`Pace::is_turn`].
    pub(super) in_script: usize,
}

impl Pace {
    /// Everything at every decision.
    pub(super) const FULL: Pace = Pace { often: 1, save: 1, look: 1, secrecy: 1, undo: 1, log: 1, in_script: 256 };
    /// As much as costs less than 20 times the bare games.
    pub(super) const SAMPLE: Pace =
        Pace { often: 3, save: 128, look: 128, secrecy: 128, undo: 8, log: 12, in_script: 8 };

    /// Whether the expensive tests are made inside a script that has had this many answers. A copy of the game, and a
    /// game that was undone or loaded, has to give all of them again. So later the tests are made at four answers
    /// between each power of two and the next: all of them together take a constant multiple of the time of the script
    /// itself.
    pub(super) fn is_turn(self, answers: usize) -> bool {
        answers < self.in_script || answers.is_multiple_of(1 << answers.ilog2().saturating_sub(2))
    }
}

/// After this many answers, the host drops the script of a copy that nobody answers any more, because it would have
/// much to keep. Until then it is kept, so that a copy that shares it with the game is noticed.
const FAR: usize = 64;

/// A violation of a property.
#[derive(Debug)]
pub(super) struct Broken {
    pub(super) property: Property,
    pub(super) message: String,
    /// The number of the decision, counted from 1.
    pub(super) decision: u64,
    /// The player and the question.
    pub(super) asked: String,
    /// The number of answers before it.
    pub(super) answers: u64,
    /// Further violations at the same decision.
    pub(super) also: Option<Wrong>,
}

/// The rules of the game, and how to play it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Setting<'a> {
    pub(super) game_box: &'a GameBox,
    pub(super) host: &'a ScriptHost,
    pub(super) other: &'a ScriptHost,
    pub(super) pace: Pace,
    pub(super) max_turns: u32,
    pub(super) max_answers: u64,
}

/// A decision that was answered.
pub(super) struct Passed {
    /// The number of answers that the script had been given.
    pub(super) in_script: usize,
    pub(super) hash: u128,
    pub(super) question: u64,
    pub(super) answer: Answer,
}

pub(super) struct Inspection<'a> {
    pub(super) set: Setting<'a>,
    pub(super) words: Words<'a>,
    pub(super) index: u64,
    pub(super) seed: u64,
    pub(super) game: Game,
    pub(super) twin: Game,
    /// A copy that is replaced at every decision.
    pub(super) trial: Game,
    pub(super) past: Past,
    /// The game before the last answer, if the history does not contain it.
    pub(super) last: Option<Game>,
    /// Memory for the next copy.
    pub(super) spare: Option<Game>,
    pub(super) passed: Vec<Passed>,
    /// Whether all answers are undone at the end.
    pub(super) undoes: bool,
    pub(super) given: Option<Vec<Given>>,
    pub(super) others: Sample,
    pub(super) saves: Sample,
    pub(super) looks: Sample,
    pub(super) secrets: Sample,
    pub(super) counts: &'a mut Counts,
    /// Further violations at the same decision.
    pub(super) also: Option<Wrong>,
}

/// A violation, before its decision is known.
pub(super) type Wrong = (Property, String);

/// Plays one game. Returns the number of answers.
pub(super) fn play_checked(set: Setting<'_>, index: u64, seed: u64, counts: &mut Counts) -> Result<u64, Box<Broken>> {
    let nothing = |property, message| {
        Box::new(Broken { property, message, decision: 0, asked: "nothing yet".to_string(), answers: 0, also: None })
    };
    let start = |host| set.game_box.start(host, seed);
    let game = start(set.host).map_err(|fault| nothing(Property::Accepted, fault.to_string()))?;
    let twin = start(set.other)
        .map_err(|fault| nothing(Property::Replay, format!("the same game cannot be set up again: {fault}")))?;
    let rules = set.game_box.rules();
    let for_each_player = |one_in: u64| if one_in == 1 { 1 } else { one_in * u64::from(rules.players) };
    let mut inspection = Inspection {
        set,
        words: Words::new(rules, &rules.texts.own),
        index,
        seed,
        trial: game.clone(),
        past: Past::new(&game),
        last: None,
        spare: None,
        passed: Vec::new(),
        undoes: index.is_multiple_of(set.pace.undo),
        // Not the games that are undone, unless all are.
        given: (index % set.pace.log == set.pace.log.min(2) - 1).then(Vec::new),
        others: Sample::new(set.pace.often, index),
        saves: Sample::new(set.pace.save, index),
        looks: Sample::new(for_each_player(set.pace.look), index),
        secrets: Sample::new(for_each_player(set.pace.secrecy), index),
        counts,
        also: None,
        game,
        twin,
    };
    let played = inspection.run().and_then(|answers| {
        // Last, so that other violations are reported under their own property.
        inspection.count(Property::Secrecy, 1);
        let hides = set_up_hides(rules, set.host, seed, false);
        hides.map_err(|message| Box::new(Broken { answers, ..*nothing(Property::Secrecy, message) }))?;
        Ok(answers)
    });
    let Inspection { game, twin, trial, .. } = inspection;
    game.abandon(set.host);
    trial.abandon(set.host);
    twin.abandon(set.other);
    played
}

impl Inspection<'_> {
    fn run(&mut self) -> Result<u64, Box<Broken>> {
        let mut bot = RandomBot::new(self.seed);
        self.same_as_twin().map_err(|wrong| self.broken(wrong))?;
        while let Some(decision) = self.game.decision() {
            let answer = bot.choose(self.set.game_box.rules(), decision);
            self.decide(answer).map_err(|wrong| self.broken(wrong))?;
        }
        self.over().map_err(|wrong| self.broken(wrong))?;
        self.undone()?;
        self.followed()?;
        Ok(self.passed.len() as u64)
    }

    fn broken(&mut self, (property, message): Wrong) -> Box<Broken> {
        let (answers, also) = (self.passed.len() as u64, self.also.take());
        Box::new(Broken { property, message, decision: answers + 1, asked: self.asked(&self.game), answers, also })
    }

    /// The player and the question.
    pub(super) fn asked(&self, game: &Game) -> String {
        match game.decision() {
            Some(decision) => {
                format!("{}: {}", self.words.seat(decision.seat), self.words.question(decision))
            }
            None => "nothing: the game is over".to_string(),
        }
    }

    pub(super) fn count(&mut self, property: Property, times: usize) {
        *self.counts.entry(property).or_default() += times as u64;
    }

    /// Names the definition that was running, as a fault does.
    pub(super) fn placed(&self, message: String) -> String {
        match self.game.place_of_question(self.set.host) {
            at if at.is_empty() => message,
            at if at.contains(".lua:") => format!("{message} ({at})"),
            at => format!("{message} (in {at})"),
        }
    }

    /// One decision, and all tests before and after its answer.
    fn decide(&mut self, answer: Answer) -> Result<(), Wrong> {
        if self.passed.len() as u64 >= self.set.max_answers || self.game.state().turns() > self.set.max_turns {
            let (turns, answers) = (self.game.state().turns(), self.passed.len());
            let message = format!("the game did not end after {turns} turns and {answers} answers");
            return Err((Property::End, self.placed(message)));
        }
        self.listed_once()?;
        let in_script = self.game.answers_in_script();
        if !self.set.pace.is_turn(in_script) {
            return self.passes(answer);
        }
        let before = match self.spare.take() {
            Some(mut spare) => {
                spare.clone_from(&self.game);
                spare
            }
            None => self.game.clone(),
        };
        self.count(Property::Copy, 1);
        self.same(&before, Property::Copy, "a copy")?;
        self.refuses(&before)?;
        if self.others.takes(|| 0) {
            self.conserves()?;
            self.accepts_another(answer)?;
        }
        let kind = || kind(&before, answer);
        if self.looks.takes(kind) {
            self.only_looks(&before)?;
            self.accepts_all()?;
        }
        let (is_saved, is_watched) = (self.saves.takes(kind), self.secrets.takes(kind));
        // Deep inside a script few decisions are tested; each goes on with the copy.
        let is_copy = self.passed.len().is_multiple_of(2) || in_script > FAR;
        self.goes_on(before, answer, is_copy, is_saved, is_watched)
    }

    fn conserves(&mut self) -> Result<(), Wrong> {
        self.count(Property::Conservation, 1);
        check_invariants(self.game.rules(), self.game.state())
            .map_err(|broken| (Property::Conservation, self.after_the_last(broken)))
    }

    /// Compares with the game that had the same answers and was never copied.
    fn same_as_twin(&mut self) -> Result<(), Wrong> {
        self.count(Property::Replay, 1);
        self.count(Property::Order, 1);
        let Some(differs) = difference(&self.game, &self.twin) else { return Ok(()) };
        if is_reordered(&self.game, &self.twin) {
            return Err((Property::Order, self.placed(format!("with the same answers, {differs}"))));
        }
        // A third game tells which of the two is wrong.
        let mut third = match self.set.game_box.start(self.set.other, self.seed) {
            Ok(third) => third,
            Err(fault) => return Err((Property::Replay, fault.to_string())),
        };
        let goes = self.passed.iter().all(|passed| third.answer_fast(self.set.other, passed.answer).is_ok());
        let is_twin_right = goes && difference(&third, &self.twin).is_none();
        third.abandon(self.set.other);
        let (property, how) = match is_twin_right {
            true => (Property::Copy, "with copies that go on or are tried beside it"),
            false => (Property::Replay, "with the same seed and the same answers"),
        };
        Err((property, self.after_the_last(format!("{how}, {differs}"))))
    }

    /// Names the last answer.
    pub(super) fn after_the_last(&self, message: String) -> String {
        let last = self.passed.last().zip(self.last.clone().or_else(|| self.past.last()));
        let Some((passed, before)) = last else { return self.placed(message) };
        let Some(decision) = before.decision() else { return message };
        let index = usize::from(passed.answer.0);
        let text = self.words.options(before.state(), decision).into_iter().nth(index).unwrap_or_default();
        let message = format!("{message}; after the answer `{} {text}`", self.words.question(decision));
        match decision.options.get(index) {
            Some(Opt::Action(action, _) | Opt::Free(action, _)) => {
                format!("{message} (in action.{} effect)", before.rules().actions[action.index()].name)
            }
            _ => match before.place_of_question(self.set.host) {
                at if at.is_empty() => message,
                at if at.contains(".lua:") => format!("{message} ({at})"),
                at => format!("{message} (in {at})"),
            },
        }
    }

    /// Whether another game is the same as this one.
    pub(super) fn same(&self, other: &Game, property: Property, what: &str) -> Result<(), Wrong> {
        match difference(&self.game, other) {
            None => Ok(()),
            Some(_) if is_reordered(&self.game, other) => {
                Err((Property::Order, self.placed(format!("{what} lists the options in another order"))))
            }
            Some(differs) => Err((property, self.placed(format!("{what} is another game: {differs}")))),
        }
    }

    fn listed_once(&mut self) -> Result<(), Wrong> {
        self.count(Property::Unique, 1);
        let Some(decision) = self.game.decision() else { return Ok(()) };
        let options = &decision.options;
        if options.is_empty() {
            return Err((Property::Accepted, self.placed("no option is listed".to_string())));
        }
        let twice = match options.len() {
            0..=8 => options.iter().enumerate().find(|(index, option)| options[..*index].contains(option)),
            _ => {
                let mut known = HashSet::with_capacity(options.len());
                options.iter().enumerate().find(|(_, option)| !known.insert(**option))
            }
        };
        let Some((index, _)) = twice else { return Ok(()) };
        let text = self.words.options(self.game.state(), decision).into_iter().nth(index).unwrap_or_default();
        Err((Property::Unique, self.placed(format!("`{text}` is listed twice"))))
    }

    /// Gives answers that are not listed; they must be refused.
    fn refuses(&mut self, before: &Game) -> Result<(), Wrong> {
        let count = self.game.decision().map_or(0, |decision| decision.options.len());
        let wrong = [count, count + 1, usize::from(u16::MAX)];
        for index in wrong.into_iter().filter_map(|index| u16::try_from(index).ok()) {
            self.count(Property::Refused, 1);
            let number = usize::from(index) + 1;
            match self.game.answer(self.set.host, Answer(index)) {
                Err(AnswerError::Illegal(_)) => {}
                Err(AnswerError::Fault(fault)) => {
                    return Err((
                        Property::Refused,
                        format!("option {number} of {count} is not refused, but fails: {fault}"),
                    ));
                }
                Ok(_) => return Err((Property::Refused, format!("option {number} of {count} is accepted"))),
            }
        }
        match difference(before, &self.game) {
            None => Ok(()),
            Some(differs) => {
                Err((Property::Refused, format!("an answer that is not listed is refused, but {differs}")))
            }
        }
    }

    /// Tries one more option than the chosen one, each time another.
    fn accepts_another(&mut self, answer: Answer) -> Result<(), Wrong> {
        let count = self.game.decision().map_or(0, |decision| decision.options.len());
        let turn = (self.passed.len() as u64 + self.index) % (count as u64).max(1);
        if turn == u64::from(answer.0) {
            return Ok(());
        }
        self.accepts(Answer(turn as u16))
    }

    fn accepts_all(&mut self) -> Result<(), Wrong> {
        let count = self.game.decision().map_or(0, |decision| decision.options.len()) as u16;
        (0..count).try_for_each(|option| self.accepts(Answer(option)))
    }

    fn accepts(&mut self, answer: Answer) -> Result<(), Wrong> {
        self.count(Property::Accepted, 1);
        self.trial.clone_from(&self.game);
        let done = self.trial.answer_fast(self.set.host, answer);
        if self.game.answers_in_script() > FAR {
            self.trial.forget_scripts(self.set.host);
        }
        let Err(error) = done else { return Ok(()) };
        self.fault_hides(answer);
        Err((Property::Accepted, self.refused(answer, &error.to_string())))
    }

    fn refused(&self, answer: Answer, error: &str) -> String {
        let Some(decision) = self.game.decision() else { return error.to_string() };
        let texts = self.words.options(self.game.state(), decision);
        let text = texts.get(usize::from(answer.0)).cloned().unwrap_or_default();
        // The message of a fault ends with its place.
        format!("`{text}` is listed, and is not accepted: {error}")
    }

    /// Gives the answer, to a copy if it is its turn; compares with the loaded game, and with the consequences if other
    /// pieces were hidden.
    fn goes_on(
        &mut self,
        mut before: Game,
        answer: Answer,
        is_copy: bool,
        is_saved: bool,
        is_watched: bool,
    ) -> Result<(), Wrong> {
        let mut loaded = if is_saved { Some(self.loaded()?) } else { None };
        let mut watch = is_watched.then(Watch::default);
        if let Some(watch) = &mut watch {
            self.reasons_hide()?;
            watch.before(&self.game, answer);
        }
        let in_script = self.game.answers_in_script();
        let given = self.given.as_ref().and_then(|_| self.game.given(answer));
        if is_copy {
            std::mem::swap(&mut before, &mut self.game);
            if in_script > FAR {
                before.forget_scripts(self.set.host);
            }
        }
        self.count(Property::Accepted, 1);
        let is_told = loaded.is_some() || watch.is_some() || given.is_some();
        let done = match is_told {
            true => self.game.answer(self.set.host, answer),
            false => self.game.answer_fast(self.set.host, answer).map(|()| Vec::new()),
        };
        let events = match done {
            Ok(events) => events,
            Err(error) => {
                self.game = before;
                self.fault_hides(answer);
                return Err((Property::Accepted, self.refused(answer, &error.to_string())));
            }
        };
        self.both_went_on(Some(before), in_script, answer, given.map(|given| given.and_told(&self.game, &events)))?;
        if let Some(loaded) = &mut loaded {
            self.loaded_goes_on(loaded, answer, &events)?;
        }
        if let Some(mut watch) = watch {
            self.count(Property::Secrecy, 1);
            let seed = self.seed.wrapping_add(self.passed.len() as u64);
            let shows = watch.after(&self.game, self.set.host, &events, seed);
            shows.map_err(|message| (Property::Secrecy, message))?;
        }
        Ok(())
    }

    /// Gives an answer deep inside a script, where a copy would have to give all of its answers again.
    fn passes(&mut self, answer: Answer) -> Result<(), Wrong> {
        let in_script = self.game.answers_in_script();
        let before = self.undoes.then(|| self.game.clone());
        let given = self.given.as_ref().and_then(|_| self.game.given(answer));
        self.count(Property::Accepted, 1);
        let done = match &given {
            Some(_) => self.game.answer(self.set.host, answer),
            None => self.game.answer_fast(self.set.host, answer).map(|()| Vec::new()),
        };
        match done {
            Ok(events) => {
                let given = given.map(|given| given.and_told(&self.game, &events));
                self.both_went_on(before, in_script, answer, given)
            }
            Err(error) => {
                // The twin has not had the answer.
                self.game = self.twin.clone();
                self.fault_hides(answer);
                Err((Property::Accepted, self.refused(answer, &error.to_string())))
            }
        }
    }

    /// Records an answer, gives it to the twin, and compares.
    fn both_went_on(
        &mut self,
        before: Option<Game>,
        in_script: usize,
        answer: Answer,
        given: Option<Given>,
    ) -> Result<(), Wrong> {
        self.note(before, in_script, answer, given);
        if let Err(error) = self.twin.answer_fast(self.set.other, answer) {
            let message = format!("with the same seed and the same answers, the last one is not accepted: {error}");
            return Err((Property::Replay, message));
        }
        self.same_as_twin()
    }

    fn note(&mut self, before: Option<Game>, in_script: usize, answer: Answer, given: Option<Given>) {
        if let (Some(all), Some(given)) = (&mut self.given, given) {
            all.push(given);
        }
        // Only these are returned to, or lie behind one that is.
        let is_wanted = self.set.pace.is_turn(in_script) || self.set.pace.is_turn(in_script.saturating_sub(1));
        let (hash, question) = match &before {
            Some(before) if self.undoes && is_wanted => (before.hash(), question(before)),
            _ => (0, 0),
        };
        self.passed.push(Passed { in_script, hash, question, answer });
        let Some(before) = before else {
            self.spare = self.last.take();
            return;
        };
        if !self.undoes {
            self.spare = self.last.replace(before);
            return;
        }
        let nothing = Given {
            seat: String::new(),
            option: String::new(),
            offered: String::new(),
            others: Vec::new(),
            told: None,
        };
        self.past.note(before, answer, &nothing, false, None);
    }

    /// The properties of a finished game.
    fn over(&mut self) -> Result<(), Wrong> {
        self.count(Property::End, 1);
        self.conserves()?;
        let before = self.game.clone();
        self.refuses(&before)?;
        if self.undoes { self.loaded().map(drop) } else { Ok(()) }
    }
}
