//! A table: a game for several seats. Each seat gets only views, questions and log entries that it may know.
//!
//! It is the interface for front ends. An answer that does not belong to the present question is refused. All results are plain
//! data with `serde`. A table holds no VM and can be moved between threads; `fork` is cheap.

mod answering;
mod reading;

use std::cell::RefCell;
use std::sync::Arc;

use rulepack_kernel::{Answer, Decision, Fault, Game, Viewer, Words, seat_key};
use rulepack_model::Seat;
use rulepack_pack::LinkRequest;
use rulepack_tools::{Carried, GameBox, GameLog, ReplayError, Session};

use crate::handles::Handles;
use crate::log::{Entry, told};
use crate::refused::{LoadError, Refused};

pub use reading::{TableView, Term, WhyNot, viewer_key};

/// A game at a table.
#[derive(Debug)]
pub struct Table {
    session: Session,
    /// How often answers were undone.
    undone: u64,
    /// The number of questions that each seat was asked.
    revisions: Vec<u64>,
    observers: Vec<Observer>,
    /// Who was asked after the last answer.
    asked: Vec<Seat>,
    /// The number of each seat's question when the present question was put, or when players began to choose at the same time.
    began: Vec<u64>,
    /// Answers of players who choose at the same time: nobody is told before all have chosen.
    untold: Vec<Untold>,
}

/// An answer of a player who chooses at the same time as others.
#[derive(Debug, Clone)]
struct Untold {
    seat: Seat,
    answer: Answer,
    asked: Vec<Known>,
}

/// A viewer of the table: its language, its handles of pieces and its log.
#[derive(Debug, Clone)]
struct Observer {
    viewer: Viewer,
    language: String,
    handles: RefCell<Handles>,
    log: Vec<Arc<Entry>>,
}

/// A question, as one observer knows it: with options only for the asked player.
#[derive(Debug, Clone, Default)]
struct Known {
    question: String,
    options: Vec<String>,
}

impl Known {
    /// The question, and the text of the option that was chosen.
    fn answered(self, answer: Answer) -> (String, Option<String>) {
        (self.question, self.options.into_iter().nth(usize::from(answer.0)))
    }
}

/// A table can be moved to another thread.
const _: () = {
    const fn is_send<T: Send>() {}
    is_send::<Table>();
};

impl Table {
    /// Begins a game; `language` is that of views, questions and logs.
    ///
    /// # Errors
    /// If the pack fails.
    pub fn open(game_box: &GameBox, seed: u64, language: &str) -> Result<Table, Fault> {
        Ok(Table::around(Session::start(game_box, seed)?, language))
    }

    /// The request that loads the rules of a saved game or a log.
    ///
    /// # Errors
    /// If it is neither.
    pub fn request(text: &str) -> Result<LinkRequest, LoadError> {
        if GameLog::is_one(text) {
            return Ok(GameLog::from_text(text)?.request());
        }
        Ok(LinkRequest::of(&rulepack_kernel::Save::from_json(text)?.header))
    }

    /// Loads a saved game or a log. If it contains the history of the game, the logs of the seats are restored, too.
    ///
    /// # Errors
    /// If it is not a game of these rules, or goes another way under them.
    pub fn load(game_box: &GameBox, text: &str, language: &str) -> Result<Table, LoadError> {
        let session = match GameLog::is_one(text) {
            true => Session::from_log(game_box, &GameLog::from_text(text)?)?,
            false => Session::load(game_box, text)?,
        };
        let mut table = Table::around(session, language);
        table.retell()?;
        table.keep_untold()?;
        Ok(table)
    }

    /// The same game under changed rules, for example after a pack was edited, and how it got there. This table stays as it
    /// is: keep it to go on under the old rules. All handles and revisions are new, and the logs of the seats tell what they
    /// can still be told.
    ///
    /// # Errors
    /// If the game can neither begin under these rules nor go on from its table.
    pub fn carried(&self, game_box: &GameBox) -> Result<(Table, Carried), LoadError> {
        let carry = self.session.carried(game_box).map_err(ReplayError::from)?;
        let mut table = Table::around(carry.session, "");
        for (observer, old) in table.observers.iter_mut().zip(&self.observers) {
            observer.language.clone_from(&old.language);
        }
        // An answer to a question under the old rules must not count as one to a new question.
        for (count, old) in table.revisions.iter_mut().zip(&self.revisions) {
            *count = count.saturating_add(*old).saturating_add(1);
        }
        table.undone = self.undone;
        table.begin();
        table.retell()?;
        table.keep_untold()?;
        Ok((table, carry.how))
    }

    fn around(session: Session, language: &str) -> Table {
        let seats = session.game().rules().seats();
        let observers = seats.map(Viewer::Seat).chain([Viewer::Public, Viewer::All]).map(|viewer| Observer {
            viewer,
            language: language.to_string(),
            handles: RefCell::new(Handles::new(viewer)),
            log: Vec::new(),
        });
        let observers = observers.collect();
        let mut revisions = vec![0; usize::from(session.game().rules().players)];
        for given in session.answers_since(0).chain(session.early_given()) {
            let seat = session.game().rules().seats().find(|seat| seat_key(*seat) == given.seat);
            if let Some(count) = seat.and_then(|seat| revisions.get_mut(seat.index())) {
                *count += 1;
            }
        }
        let began = revisions.clone();
        let mut table =
            Table { session, undone: 0, revisions, observers, asked: Vec::new(), began, untold: Vec::new() };
        table.ask(None);
        table.begin();
        table
    }

    /// New questions are put: to the seat that has answered, and to all that were not asked before.
    fn ask(&mut self, answered: Option<Seat>) {
        let asked = self.session.asked().unwrap_or_default();
        for seat in &asked {
            if (answered == Some(*seat) || !self.asked.contains(seat))
                && let Some(count) = self.revisions.get_mut(seat.index())
            {
                *count += 1;
            }
        }
        self.asked = asked;
    }

    /// From here on, what is asked and answered may be told only later.
    fn begin(&mut self) {
        self.began.clone_from(&self.revisions);
        for untold in &self.untold {
            if let Some(count) = self.began.get_mut(untold.seat.index()) {
                *count = count.saturating_sub(1);
            }
        }
    }

    /// Restores the logs of the observers since the game began.
    fn retell(&mut self) -> Result<(), ReplayError> {
        let log = self.session.log();
        let (game_box, host) = (self.session.game_box().clone(), self.session.host()?);
        let mut game = log.begin(&game_box, &host)?;
        let rules = Arc::clone(game.rules());
        let mut asked = game.decision().map(|decision| (decision.seat, self.before(decision, &game)));
        let told_before = self.session.told();
        let untold = &mut self.untold;
        let observers = &mut self.observers;
        let mut count = 0;
        log.verify(&mut game, &host, log.answers.len(), |after, answer, _, events| {
            let Some((seat, mut before)) = asked.take() else { return };
            asked = after.decision().map(|decision| (decision.seat, before_of(observers, &rules, decision, after)));
            if count >= told_before {
                untold.push(Untold { seat, answer, asked: before });
                return;
            }
            for (observer, asked) in observers.iter_mut().zip(&mut before) {
                let words = Words::new(&rules, &observer.language);
                let told = told(events, after, observer.viewer, &words, None);
                let entry = Entry::new(count, seat, std::mem::take(asked).answered(answer), told);
                observer.log.push(Arc::new(entry));
            }
            count += 1;
        });
        game.abandon(&*host);
        Ok(())
    }

    /// Keeps the answers that came before their turn, for when they are told.
    fn keep_untold(&mut self) -> Result<(), ReplayError> {
        for (decision, answer) in self.session.early_answers()? {
            let asked = self.before(&decision, self.game());
            self.untold.push(Untold { seat: decision.seat, answer, asked });
        }
        self.begin();
        Ok(())
    }

    fn before(&self, decision: &Decision, game: &Game) -> Vec<Known> {
        before_of(&self.observers, game.rules(), decision, game)
    }

    /// The game.
    pub fn game(&self) -> &Game {
        self.session.game()
    }

    /// The game with its history.
    pub fn session(&self) -> &Session {
        &self.session
    }

    /// How many answers were given. Those of players who choose at the same time count when all have chosen.
    pub fn answers(&self) -> usize {
        self.session.told()
    }

    /// How often answers were undone.
    pub fn undone(&self) -> u64 {
        self.undone
    }

    /// The seats, in order.
    pub fn seats(&self) -> impl Iterator<Item = Seat> + use<> {
        self.game().rules().seats()
    }

    /// Sets the language of a viewer.
    pub fn speak(&mut self, viewer: Viewer, language: &str) {
        if let Some(observer) = self.observers.iter_mut().find(|observer| observer.viewer == viewer) {
            observer.language = language.to_string();
        }
    }

    fn observer(&self, viewer: Viewer) -> Result<&Observer, Refused> {
        let found = self.observers.iter().find(|observer| observer.viewer == viewer);
        found.ok_or_else(|| self.no_such(viewer))
    }

    fn no_such(&self, viewer: Viewer) -> Refused {
        let seat = match viewer {
            Viewer::Seat(seat) => seat,
            Viewer::Public | Viewer::All => Seat(0),
        };
        Refused::NoSuchSeat { seat, players: self.game().rules().players }
    }

    /// The pack has failed for a seat.
    pub(crate) fn failed(&self, seat: Seat, fault: Fault) -> Refused {
        Refused::failed(self.game(), Viewer::Seat(seat), fault)
    }

    pub(crate) fn revision(&self, seat: Seat) -> u64 {
        self.revisions.get(seat.index()).copied().unwrap_or_default()
    }

    /// The game as the text of a file, for [`Table::load`]. It contains the whole game, with everything hidden.
    pub fn save(&self) -> String {
        self.session.save()
    }

    /// An independent copy. It shares the rules and the history.
    #[must_use]
    pub fn fork(&self) -> Table {
        Table {
            session: self.session.fork(),
            undone: self.undone,
            revisions: self.revisions.clone(),
            observers: self.observers.clone(),
            asked: self.asked.clone(),
            began: self.began.clone(),
            untold: self.untold.clone(),
        }
    }
}

/// The question, as every observer knows it.
fn before_of(observers: &[Observer], rules: &rulepack_kernel::Ruleset, decision: &Decision, game: &Game) -> Vec<Known> {
    let known = |observer: &Observer| {
        let words = Words::new(rules, &observer.language);
        let is_own = observer.viewer == Viewer::All || observer.viewer == Viewer::Seat(decision.seat);
        let options = if is_own { words.options(game.state(), decision) } else { Vec::new() };
        Known { question: words.question_for(decision, observer.viewer), options }
    };
    observers.iter().map(known).collect()
}
