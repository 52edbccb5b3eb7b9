//! A game with its history: undo, fork, save, log.

// Input comes from strangers: no input may end the program.
#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

mod carry;
mod together;

use std::rc::Rc;

use rulepack_kernel::ruleset::Visibility;
use rulepack_kernel::{
    Answer, AnswerError, Ask, Decision, Fault, Game, Given, History, LogEntry, Outcome, Save, SaveError,
};
use rulepack_script::ScriptHost;

use crate::early::Early;
use crate::history::{Asked, Past};
use crate::load::GameBox;
use crate::replay::{Difference, GameLog, ReplayError, Start, follow};

pub use carry::{Carried, Carry};
pub(crate) use together::together_after;

/// A game that people, bots or both are playing, with its history.
///
/// It can go back to every question, copies of it can be played on by themselves, and it can be moved to another thread: it
/// holds no VM, but asks for the one of the thread in which it is answered ([`GameBox::host_here`]). A script that waited in
/// another thread is run again from where it began.
///
///
/// ```
/// use std::path::Path;
///
/// use rulepack_kernel::Answer;
/// use rulepack_pack::LinkRequest;
/// use rulepack_tools::{GameLog, Library, Session};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/tiny");
/// let library = Library::open(&[folder])?;
/// let request = LinkRequest { pack: "tiny".into(), players: Some(2), ..LinkRequest::default() };
/// let game_box = library.load(&request).map_err(|mistakes| format!("{mistakes:?}"))?;
///
/// let mut session = Session::start(&game_box, 42)?;
/// for _ in 0..6 {
///     session.answer(Answer(0))?;
/// }
/// // Two ways to go on from the same table.
/// let mut other = session.fork();
/// other.answer(Answer(0))?;
/// assert_eq!((session.depth(), other.depth()), (6, 7));
/// // The table after two answers, and the last answer taken back.
/// let early = session.at(2)?;
/// assert_eq!(early.depth(), 2);
/// session.undo(1)?;
/// // A save and a log hold all answers; both lead to the same game.
/// let loaded = Session::load(&game_box, &session.save())?;
/// let logged = Session::from_log(&game_box, &GameLog::from_text(&session.log().to_text())?)?;
/// assert_eq!(loaded.game(), logged.game());
/// assert_eq!(loaded.depth(), 5);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Session {
    game_box: GameBox,
    game: Game,
    start: Start,
    past: Past,
    /// Answers of players whom the kernel asks later.
    early: Early,
    /// If players choose at the same time: the number of answers before the first of theirs.
    together: Option<usize>,
}

impl Session {
    /// Begins a game.
    ///
    /// # Errors
    /// If the pack fails.
    pub fn start(game_box: &GameBox, seed: u64) -> Result<Session, Fault> {
        let game = game_box.start(&*game_box.host_here()?, seed)?;
        Ok(Session::new(game_box, game, Start::Seed(seed)))
    }

    /// A game that begins at a table, for example that of a scenario. Nothing before it can be undone.
    pub fn at_table(game_box: &GameBox, game: Game) -> Session {
        let start = Start::Save(Box::new(game.save()));
        Session::new(game_box, game, start)
    }

    fn new(game_box: &GameBox, game: Game, start: Start) -> Session {
        let past = Past::new(&game);
        let together = game.together().map(|_| 0);
        Session { game_box: game_box.clone(), game, start, past, early: Early::default(), together }
    }

    /// Loads a saved game. If the file contains the history of the game, all of it can be undone.
    ///
    /// # Errors
    /// If the text is not a game that was saved under these rules.
    pub fn load(game_box: &GameBox, text: &str) -> Result<Session, SaveError> {
        let host = game_box.host_here()?;
        let save = Save::from_json(text)?;
        let restored = Game::restore(game_box.rules().clone(), &*host, save.clone());
        match (save.history.clone(), restored) {
            (None, restored) => {
                let game = restored?;
                Ok(Session::new(game_box, game, Start::Save(Box::new(save))))
            }
            (Some(history), restored) => {
                // With other numbers only the answers lead to the table.
                let hash = match restored {
                    Ok(game) => {
                        game.abandon(&*host);
                        save.hash_to_compare().map(str::to_string)
                    }
                    Err(SaveError::Renumbered) => None,
                    Err(error) => return Err(error),
                };
                let (session, difference) = Session::replay(game_box, &history)?;
                if let Some(difference) = difference.filter(|difference| !difference.goes_on) {
                    return Err(SaveError::Contents(difference.to_string()));
                }
                let found = session.game.hash_text();
                match hash {
                    Some(saved) if saved != found => Err(SaveError::Hash { saved, found }),
                    _ => session.with_early(&history.early).map_err(SaveError::Contents),
                }
            }
        }
    }

    /// Loads a game from its log.
    ///
    /// # Errors
    /// If it goes another way under these rules.
    pub fn from_log(game_box: &GameBox, log: &GameLog) -> Result<Session, ReplayError> {
        log.same_rules(game_box)?;
        let (session, difference) = Session::follow_log(game_box, log)?;
        match difference {
            Some(difference) => Err(ReplayError::Answer(Box::new(difference))),
            None => session.with_early(&log.early).map_err(ReplayError::Early),
        }
    }

    /// Gives the answers of a log again, as many as these rules allow, and returns the first difference: a question,
    /// the events after an answer, or the table after the last one.
    ///
    /// # Errors
    /// If the game cannot begin.
    pub fn follow_log(game_box: &GameBox, log: &GameLog) -> Result<(Session, Option<Difference>), ReplayError> {
        let host = game_box.host_here()?;
        let game = log.begin(game_box, &host)?;
        let session = Session::new(game_box, game, log.beginning.start.clone());
        Ok(session.followed(&host, |game, host, told| log.verify(game, host, log.answers.len(), told)))
    }

    /// Gives all answers since the beginning again, as many as these rules allow, and returns the first question that
    /// differs.
    ///
    /// # Errors
    /// If the game cannot begin.
    pub fn replay(game_box: &GameBox, history: &History) -> Result<(Session, Option<Difference>), Fault> {
        let session = Session::start(game_box, history.seed)?;
        let host = session.host()?;
        Ok(session.followed(&host, |game, host, told| follow(game, host, &history.answers, told)))
    }

    /// Records all answers that are given again.
    fn followed(
        mut self,
        host: &ScriptHost,
        follow: impl FnOnce(&mut Game, &ScriptHost, &mut Told<'_>) -> (usize, Option<Difference>),
    ) -> (Session, Option<Difference>) {
        let (past, together) = (&mut self.past, &mut self.together);
        let mut before = self.game.clone();
        let mut told = |after: &Game, answer: Answer, given: &Given, events: &[LogEntry]| {
            let reveals = events.iter().any(|event| reveals(after, event));
            past.note(std::mem::replace(&mut before, after.clone()), answer, given, reveals, *together);
            *together = together_after(*together, past.len(), after, events);
        };
        let (_, difference) = follow(&mut self.game, host, &mut told);
        (self, difference)
    }

    /// The game.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The loaded game: its rules and scripts.
    pub fn game_box(&self) -> &GameBox {
        &self.game_box
    }

    /// The script host of this thread.
    ///
    /// # Errors
    /// As for [`GameBox::host`].
    pub fn host(&self) -> Result<Rc<ScriptHost>, Fault> {
        self.game_box.host_here()
    }

    /// The present question, if the game is not over: if several players choose at the same time, that of the first in
    /// the order of the kernel who has not chosen. The others are told by [`Session::asked`].
    pub fn decision(&self) -> Option<&Decision> {
        self.game.decision()
    }

    /// The result, once the game is over.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.game.state().outcome()
    }

    /// Gives an answer and returns the events that follow: those of answers that came early, too.
    ///
    /// # Errors
    /// If the answer is not among the options, or the pack fails. The game is then as before.
    pub fn answer(&mut self, answer: Answer) -> Result<Vec<LogEntry>, AnswerError> {
        let (depth, early) = (self.past.len(), self.early.clone());
        let mut events = self.answer_next(answer)?;
        while let Some(answer) = self.early.next(&self.game) {
            match self.answer_next(answer) {
                Ok(more) => events.extend(more),
                Err(error) => {
                    self.undo(self.past.len().saturating_sub(depth))?;
                    self.early = early;
                    return Err(error);
                }
            }
        }
        Ok(events)
    }

    fn answer_next(&mut self, answer: Answer) -> Result<Vec<LogEntry>, AnswerError> {
        let (before, given) = (self.game.clone(), self.game.given(answer));
        let events = self.game.answer(&*self.host()?, answer)?;
        let reveals = events.iter().any(|event| reveals(&self.game, event));
        // An accepted answer was offered.
        if let Some(given) = given {
            self.past.note(before, answer, &given.and_told(&self.game, &events), reveals, self.together);
        }
        self.together = together_after(self.together, self.past.len(), &self.game, &events);
        Ok(events)
    }

    /// The answers from some place on, in the form for files.
    pub fn answers_since(&self, depth: usize) -> impl Iterator<Item = Given> {
        self.past.given_since(depth)
    }

    /// The start of the game.
    pub fn began(&self) -> &Start {
        &self.start
    }

    /// The number of answers that can be undone.
    pub fn depth(&self) -> usize {
        self.past.len()
    }

    /// Whether undoing the last `count` answers would take back a roll or something that was revealed.
    pub fn undo_reveals(&self, count: usize) -> bool {
        self.past.reveals(count)
    }

    /// The number of answers since the last question, before the present one, for which `wanted` holds.
    pub fn steps_back_to(&self, wanted: impl Fn(Asked) -> bool) -> Option<usize> {
        self.past.back_to(wanted)
    }

    /// The number of answers since the present action began.
    pub fn steps_back_to_action(&self) -> Option<usize> {
        self.steps_back_to(|asked| matches!(asked.ask, Ask::Menu(..)))
    }

    /// Takes back answers, at most as many as there are; with any of them all that came early.
    ///
    /// # Errors
    /// If answers are refused when they are given again, because a script keeps a value between two calls. The game is
    /// then as before.
    pub fn undo(&mut self, count: usize) -> Result<(), Fault> {
        let left = self.past.len().saturating_sub(count);
        let host = self.host()?;
        let together = self.past.together_at(left);
        if let Some(game) = self.past.go_back(left, &host)? {
            self.together = together;
            self.early.clear();
            std::mem::replace(&mut self.game, game).abandon(&*host);
        }
        Ok(())
    }

    /// An independent copy. It shares the rules and the history.
    #[must_use]
    pub fn fork(&self) -> Session {
        Session {
            game_box: self.game_box.clone(),
            game: self.game.clone(),
            start: self.start.clone(),
            past: self.past.clone(),
            early: self.early.clone(),
            together: self.together,
        }
    }

    /// The game after a number of answers, to be looked at or played on separately; the present game if it has fewer.
    ///
    /// # Errors
    /// As for [`Session::undo`].
    pub fn at(&self, answers: usize) -> Result<Session, Fault> {
        let mut fork = self.fork();
        fork.undo(self.depth().saturating_sub(answers))?;
        Ok(fork)
    }

    /// The game as the text of a file.
    pub fn save(&self) -> String {
        let mut save = self.game.save();
        if let Start::Seed(seed) = self.start {
            save.history = Some(History { seed, answers: self.answers_since(0).collect(), early: self.early_given() });
        }
        save.to_json()
    }

    /// All answers so far as a log.
    pub fn log(&self) -> GameLog {
        let mut log = GameLog::new(&self.game, self.start.clone(), self.answers_since(0).collect());
        log.early = self.early_given();
        log
    }
}

/// Games and their histories can be moved to another thread.
const _: () = {
    const fn is_send<T: Send>() {}
    is_send::<Game>();
    is_send::<GameBox>();
    is_send::<Session>();
};

/// Hears each answer that is given again.
type Told<'t> = dyn FnMut(&Game, Answer, &Given, &[LogEntry]) + 't;

/// Whether a player learnt something that undo would not make unknown again.
fn reveals(game: &Game, event: &LogEntry) -> bool {
    match event {
        LogEntry::Rolled { .. } | LogEntry::Shown { .. } => true,
        LogEntry::Moved { from, .. } => game.rules().zone_of(from.zone).visible != Visibility::All,
        _ => false,
    }
}

#[cfg(test)]
mod tests;
