//! A table: a game for several seats. Each seat gets only views, questions and log entries that it may know.
//!
//! It is the interface for front ends. An answer that does not belong to the present question is refused. All results are plain
//! data with `serde`. A table holds no VM and can be moved between threads; `fork` is cheap.

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

use rulepack_kernel::{
    Answer, AnswerError, Decision, Fault, FaultTold, Game, LogEntry, OutcomeView, Pick, Reason, SaveError, Sight,
    Value, View, Viewer, Wanted, Words, seat_key, tell_why,
};
use rulepack_model::{ActionId, Seat};
use rulepack_pack::LinkRequest;
use rulepack_tools::{GameBox, GameLog, ReplayError, Session};
use serde::{Deserialize, Serialize};

use crate::handles::{Handles, Lying};
use crate::log::{Entry, told};
use crate::question::{Chooser, PendingQuestion, Question, asked, kind_of};

/// A game as one viewer sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableView {
    /// The viewer: `player_1`, `public` or `all`.
    pub viewer: String,
    /// How many answers were given.
    pub answers: usize,
    /// How often answers were undone. When it has grown, earlier log entries may be wrong.
    pub undone: u64,
    /// The pending questions; empty if the game is over.
    pub asked: Vec<PendingQuestion>,
    /// The resources of the game.
    pub resources: Vec<Term>,
    /// The view of the game. Pieces, spaces and players have the handles that options name.
    pub table: View,
}

/// A thing with a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// Its handle, by which options name it.
    pub handle: String,
    /// Its id.
    pub id: String,
    /// The name that people read.
    pub title: String,
}

/// Why something is or is not offered to a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WhyNot {
    /// Whether it is offered.
    pub offered: bool,
    /// A sentence for people.
    pub text: String,
    /// The reason by ids, if it is not offered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
}

/// Why a table refuses a request. The table is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// There is no such seat.
    #[error("there is no player {}: there are {players}", .seat.index() + 1)]
    NoSuchSeat {
        /// The seat.
        seat: Seat,
        /// How many play.
        players: u8,
    },
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The seat is not asked anything.
    #[error("{} is not asked anything; {} is", seat_key(*.seat), names(.asked))]
    NotAsked {
        /// The seat.
        seat: Seat,
        /// Who is asked.
        asked: Vec<Seat>,
    },
    /// The answer belongs to another question than the present one.
    #[error("the answer is to question {revision} of this player, who is asked question {now}")]
    Stale {
        /// The question that the answer names.
        revision: u64,
        /// The present one.
        now: u64,
    },
    /// There is no such option.
    #[error("there is no option {index}: they are numbered from 0 to {}", .options.saturating_sub(1))]
    OutOfRange {
        /// The index.
        index: usize,
        /// How many options there are.
        options: usize,
    },
    /// Fewer answers were given than should be undone.
    #[error("{wanted} answers cannot be taken back: {there} were given")]
    TooFewAnswers {
        /// How many should be undone.
        wanted: usize,
        /// How many there are.
        there: usize,
    },
    /// The seat has given no answer that others have not seen.
    #[error("{} has no answer to take back: only what is chosen at the same time as others, before all have chosen", seat_key(*.seat))]
    NothingToTakeBack {
        /// The seat.
        seat: Seat,
    },
    /// A player has learnt something since, from a roll or from a revealed piece.
    #[error("this would take back what somebody has learnt: a roll, or something that was uncovered")]
    Revealed,
    /// The viewer sees nothing with this handle.
    #[error("nothing in sight has the handle `{handle}`")]
    UnknownHandle {
        /// The handle.
        handle: String,
    },
    /// The pack failed.
    #[error("the pack failed: {told}")]
    Failed {
        /// The part of the fault that the viewer may know.
        told: String,
        /// The whole fault, for readers who may know everything.
        fault: Fault,
    },
}

impl Refused {
    /// A name for programs; it never changes.
    pub fn code(&self) -> &'static str {
        match self {
            Refused::NoSuchSeat { .. } => "unknown-player",
            Refused::Over => "game-over",
            Refused::NotAsked { .. } => "not-asked",
            Refused::Stale { .. } => "stale-revision",
            Refused::OutOfRange { .. } => "out-of-range",
            Refused::TooFewAnswers { .. } => "too-few-answers",
            Refused::NothingToTakeBack { .. } => "nothing-to-take-back",
            Refused::Revealed => "revealed",
            Refused::UnknownHandle { .. } => "unknown-handle",
            Refused::Failed { .. } => "pack-failed",
        }
    }

    fn failed(game: &Game, viewer: Viewer, fault: Fault) -> Refused {
        let told = match Sight::new(game.rules(), game.state(), viewer).told_of_fault(&fault) {
            FaultTold::All(message) => message,
            FaultTold::Place(place) => place,
            FaultTold::Nothing => "what happened would tell what is hidden".to_string(),
        };
        Refused::Failed { told, fault }
    }
}

fn names(seats: &[Seat]) -> String {
    seats.iter().map(|seat| seat_key(*seat)).collect::<Vec<_>>().join(", ")
}

/// Why a table cannot be loaded from a text.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It is a saved game that cannot be loaded.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// It is a log that cannot be loaded.
    #[error(transparent)]
    Log(#[from] ReplayError),
}

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
        for given in session.answers_since(0) {
            let seat = session.game().rules().seats().find(|seat| seat_key(*seat) == given.seat);
            if let Some(count) = seat.and_then(|seat| revisions.get_mut(seat.index())) {
                *count += 1;
            }
        }
        for (decision, _) in session.early_answers().unwrap_or_default() {
            if let Some(count) = revisions.get_mut(decision.seat.index()) {
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

    fn revision(&self, seat: Seat) -> u64 {
        self.revisions.get(seat.index()).copied().unwrap_or_default()
    }

    /// All questions that wait for an answer; none if the game is over. Anybody may know who is asked. Of players who choose at
    /// the same time, others are told the first question until all have chosen: a later one would tell what they chose.
    ///
    /// # Errors
    /// If there is no such seat, or the pack fails.
    pub fn asked(&self, viewer: Viewer) -> Result<Vec<PendingQuestion>, Refused> {
        let words = Words::new(self.game().rules(), &self.observer(viewer)?.language);
        let host = self.host(viewer)?;
        let failed = |fault| Refused::failed(self.game(), viewer, fault);
        let mut questions = Vec::new();
        for seat in &self.asked {
            let is_own = viewer == Viewer::All || viewer == Viewer::Seat(*seat);
            let (decision, revision) = if is_own || !self.session.is_together() {
                (self.decision_of(*seat, viewer)?, self.revision(*seat))
            } else {
                let first = self.game().first_decision(&*host, *seat).map_err(failed)?;
                (first.map(Cow::Owned), self.began.get(seat.index()).copied().unwrap_or_default())
            };
            questions.extend(decision.map(|decision| asked(&decision, revision, &words)));
        }
        Ok(questions)
    }

    /// The question to a seat.
    fn decision_of(&self, seat: Seat, viewer: Viewer) -> Result<Option<Cow<'_, Decision>>, Refused> {
        self.session.decision_of(seat).map_err(|fault| Refused::failed(self.game(), viewer, fault))
    }

    /// The questions to a seat, with all options.
    ///
    /// # Errors
    /// If there is no such seat.
    pub fn questions(&self, seat: Seat) -> Result<Vec<Question>, Refused> {
        let observer = self.observer(Viewer::Seat(seat))?;
        let Some(decision) = self.decision_of(seat, observer.viewer)? else { return Ok(Vec::new()) };
        let decision = &*decision;
        // The view assigns handles first, so that their numbers do not depend on whether the view or the question is read first.
        self.view(observer.viewer)?;
        let host = self.host(observer.viewer)?;
        let words = Words::new(self.game().rules(), &observer.language);
        let handles = |piece| observer.handles.borrow_mut().name(piece);
        let game = self.game();
        let chooser = Chooser { game, eval: game.eval(&*host), words: &words, decision, handles: &handles };
        let (options, shown) = chooser.options();
        Ok(vec![Question {
            player: seat_key(seat),
            revision: self.revision(seat),
            kind: kind_of(decision.ask),
            text: words.question(decision),
            options,
            shown,
        }])
    }

    fn host(&self, viewer: Viewer) -> Result<std::rc::Rc<rulepack_script::ScriptHost>, Refused> {
        self.session.host().map_err(|fault| Refused::failed(self.game(), viewer, fault))
    }

    /// The view of a viewer.
    ///
    /// # Errors
    /// If there is no such seat.
    pub fn view(&self, viewer: Viewer) -> Result<TableView, Refused> {
        let observer = self.observer(viewer)?;
        let rules = self.game().rules();
        let words = Words::new(rules, &observer.language);
        let handles = |piece| observer.handles.borrow_mut().name(piece);
        let resources = rules.resources.iter().enumerate().map(|(index, resource)| Term {
            handle: format!("resource:{}", resource.name),
            id: resource.name.clone(),
            title: words.resource(rulepack_model::ResId::from(index)),
        });
        Ok(TableView {
            viewer: viewer_key(viewer),
            answers: self.answers(),
            undone: self.undone,
            asked: self.asked(viewer)?,
            resources: resources.collect(),
            table: View::with_handles(self.game(), &*self.host(viewer)?, viewer, &words, &handles),
        })
    }

    /// The score sheets, once the game is over.
    ///
    /// # Errors
    /// If the scripts cannot be bound again.
    pub fn scores(&self) -> Result<Option<OutcomeView>, Refused> {
        Ok(self.view(Viewer::Public)?.table.outcome)
    }

    /// The log of a viewer, from the answer with this number on. Entries have numbers from 0.
    ///
    /// # Errors
    /// If there is no such seat.
    pub fn log(&self, viewer: Viewer, since: usize) -> Result<impl Iterator<Item = &Entry>, Refused> {
        Ok(self.observer(viewer)?.log.iter().filter(move |entry| entry.number >= since).map(|entry| &**entry))
    }

    /// Gives the answer of a seat to the question with this revision: the option with this index. If players choose at the same
    /// time, they answer in any order, and nobody is told anything before all have chosen.
    ///
    /// # Errors
    /// If the seat is not asked, if the revision is that of another question, if there is no such option, or if the pack fails.
    /// The table is then unchanged.
    pub fn answer_as(&mut self, seat: Seat, revision: u64, index: usize) -> Result<(), Refused> {
        self.observer(Viewer::Seat(seat))?;
        if self.session.decision().is_none() {
            return Err(Refused::Over);
        }
        let Some(decision) = self.decision_of(seat, Viewer::Seat(seat))? else {
            return Err(Refused::NotAsked { seat, asked: self.asked.clone() });
        };
        let now = self.revision(seat);
        if revision != now {
            return Err(Refused::Stale { revision, now });
        }
        let options = decision.options.len();
        let answer = u16::try_from(index).ok().filter(|_| index < options).map(Answer);
        let answer = answer.ok_or(Refused::OutOfRange { index, options })?;
        let asked = self.before(&decision, self.game());
        let lying: Vec<_> =
            self.observers.iter().map(|observer| observer.handles.borrow().lying(self.session.game())).collect();
        let (told_before, together) = (self.session.told(), self.game().together());
        let events = self.session.answer_as(seat, answer).map_err(|error| match error {
            AnswerError::Fault(fault) => Refused::failed(self.session.game(), Viewer::Seat(seat), fault),
            AnswerError::Illegal(_) => Refused::OutOfRange { index, options },
        })?;
        self.untold.push(Untold { seat, answer, asked });
        if self.session.told() == told_before {
            // Others have not chosen yet.
            self.ask(Some(seat));
            return Ok(());
        }
        let order = together.map_or(Vec::new(), |(players, _)| players);
        let mut untold = std::mem::take(&mut self.untold);
        untold.sort_by_key(|untold| order.iter().position(|player| *player == untold.seat));
        self.tell(told_before, untold, &events, lying);
        self.asked.clear();
        self.ask(None);
        self.begin();
        Ok(())
    }

    /// Tells the observers of answers, and what followed from the last of them; `number` is that of the first.
    fn tell(&mut self, number: usize, untold: Vec<Untold>, events: &[LogEntry], mut lying: Vec<Lying>) {
        let game = self.session.game();
        let last = untold.len().saturating_sub(1);
        for (at, Untold { seat, answer, asked }) in untold.into_iter().enumerate() {
            let events = if at == last { events } else { &[] };
            for ((observer, asked), lying) in self.observers.iter_mut().zip(asked).zip(&mut lying) {
                let words = Words::new(game.rules(), &observer.language);
                let handles = observer.handles.get_mut();
                handles.begin();
                let told = told(events, game, observer.viewer, &words, Some((handles, lying)));
                if at == last {
                    handles.end(game);
                }
                observer.log.push(Arc::new(Entry::new(number + at, seat, asked.answered(answer), told)));
            }
        }
    }

    /// Takes back the last answer of a seat that chooses at the same time as others. Nobody has been told of it, and the answers
    /// of others stay.
    ///
    /// # Errors
    /// If there is no such answer, or the answers before cannot be given again. The table is then unchanged.
    pub fn take_back(&mut self, seat: Seat) -> Result<(), Refused> {
        self.observer(Viewer::Seat(seat))?;
        let taken = self.session.take_back(seat);
        let taken = taken.map_err(|fault| Refused::failed(self.session.game(), Viewer::Seat(seat), fault))?;
        let last = self.untold.iter().rposition(|untold| untold.seat == seat).filter(|_| taken);
        let Some(last) = last else { return Err(Refused::NothingToTakeBack { seat }) };
        self.untold.remove(last);
        self.ask(Some(seat));
        Ok(())
    }

    /// Undoes answers, and with them those of players who choose at the same time now; with `also_reveals` even if a player has
    /// learnt something since, such as the result of a roll. If the first answer to undo is one of several that were given at the
    /// same time, all of these are undone.
    ///
    /// # Errors
    /// If fewer answers were given, if something was revealed since, or if the answers before cannot be given again. The table
    /// is then unchanged.
    pub fn undo(&mut self, answers: usize, also_reveals: bool) -> Result<(), Refused> {
        let there = self.answers();
        if answers > there {
            return Err(Refused::TooFewAnswers { wanted: answers, there });
        }
        if answers == 0 {
            return Ok(());
        }
        if !also_reveals && self.session.undo_reveals(self.session.depth() - (there - answers)) {
            return Err(Refused::Revealed);
        }
        let all = self.session.depth() - (there - answers);
        let undone = self.session.undo(all).and_then(|()| {
            // All have seen what was chosen together: all choose anew.
            let chosen = self.session.depth() - self.session.told();
            self.session.undo(chosen)
        });
        undone.map_err(|fault| Refused::failed(self.session.game(), Viewer::Public, fault))?;
        self.undone += 1;
        self.untold.clear();
        let left = self.answers();
        for observer in &mut self.observers {
            observer.handles.get_mut().undo(there - left);
            observer.log.retain(|entry| entry.number < left);
        }
        self.asked.clear();
        self.ask(None);
        self.begin();
        Ok(())
    }

    /// Why an option is not offered to a seat now. `what` names it by ids or titles, such as `build inn`.
    ///
    /// # Errors
    /// If there is no such seat.
    pub fn why_not(&self, seat: Seat, what: &str) -> Result<WhyNot, Refused> {
        let viewer = Viewer::Seat(seat);
        let observer = self.observer(viewer)?;
        let host = self.host(viewer)?;
        let words = Words::new(self.game().rules(), &observer.language);
        let reason = words.wanted(what).and_then(|wanted| self.game().why_not(&*host, viewer, &wanted));
        let text = tell_why(self.game(), &*host, &words, seat, what);
        let offered = words.wanted(what).is_some() && reason.is_none();
        Ok(WhyNot { offered, text, reason })
    }

    /// Like [`Table::why_not`], for a handle: an action with this thing as its first parameter, or this thing in a choice.
    ///
    /// # Errors
    /// If there is no such seat.
    pub fn why_not_this(&self, seat: Seat, action: Option<&str>, handle: &str) -> Result<WhyNot, Refused> {
        let viewer = Viewer::Seat(seat);
        let observer = self.observer(viewer)?;
        let host = self.host(viewer)?;
        let rules = self.game().rules();
        let words = Words::new(rules, &observer.language);
        let piece = observer.handles.borrow().piece(handle);
        let pick = match (piece, handle.split_once(':')) {
            (Some(piece), _) => Pick::Value(Value::Piece(piece)),
            (None, Some(("player", number))) => Pick::Named(format!("player_{number}")),
            (None, Some(("space" | "resource" | "type", id))) => Pick::Named(id.to_string()),
            (None, _) => return Err(Refused::UnknownHandle { handle: handle.to_string() }),
        };
        let named = action.and_then(|name| rules.actions.iter().position(|action| action.name == name));
        let wanted = match (action, named) {
            (None, _) => Wanted::Choice(pick),
            (Some(_), Some(action)) => Wanted::Action(ActionId::from(action), vec![pick]),
            (Some(name), None) => return self.why_not(seat, name),
        };
        let reason = self.game().why_not(&*host, viewer, &wanted);
        let text = reason.as_ref().map_or_else(String::new, |reason| words.reason(reason));
        Ok(WhyNot { offered: reason.is_none(), text, reason })
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
        Known { question: words.question(decision), options }
    };
    observers.iter().map(known).collect()
}

/// The name of a viewer in a view.
pub fn viewer_key(viewer: Viewer) -> String {
    match viewer {
        Viewer::Seat(seat) => seat_key(seat),
        Viewer::Public => "public".to_string(),
        Viewer::All => "all".to_string(),
    }
}
