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

use std::borrow::Cow;
use std::rc::Rc;

use rulepack_kernel::ruleset::Visibility;
use rulepack_kernel::{
    Answer, AnswerError, Ask, Decision, Fault, Game, Given, History, LogEntry, Outcome, Save, SaveError, seat_key,
};
use rulepack_model::Seat;
use rulepack_script::ScriptHost;

use crate::early::Early;
use crate::history::{Asked, Past};
use crate::load::GameBox;
use crate::replay::{Difference, GameLog, ReplayError, Start, follow};

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

    /// The players who are asked now; several if they choose at the same time.
    ///
    /// # Errors
    /// If the pack fails.
    pub fn asked(&self) -> Result<Vec<Seat>, Fault> {
        self.early.asked(&self.game, &*self.host()?)
    }

    /// The question to a player, if the player is asked now.
    ///
    /// # Errors
    /// If the pack fails.
    pub fn decision_of(&self, seat: Seat) -> Result<Option<Cow<'_, Decision>>, Fault> {
        self.early.decision(&self.game, &*self.host()?, seat)
    }

    /// Whether several players choose at the same time now: nobody is told anything before all have chosen.
    pub fn is_together(&self) -> bool {
        self.together.is_some()
    }

    /// The number of answers of which all players have been told: those before players began to choose at the same time.
    pub fn told(&self) -> usize {
        self.together.unwrap_or(self.past.len())
    }

    /// The answers of players who choose at the same time, before their turn, with their questions.
    ///
    /// # Errors
    /// If the pack fails.
    pub fn early_answers(&self) -> Result<Vec<(Decision, Answer)>, Fault> {
        self.early.asked_and_answered(&self.game, &*self.host()?)
    }

    /// Gives the answer of a player: to the present question, or, if players choose at the same time, to the one that this
    /// player is asked. It returns the events that follow; there are none before the last of the players has chosen. The
    /// order in which the players answer leaves no trace.
    ///
    /// # Errors
    /// If the player is not asked, if the answer is not among the options, or if the pack fails. The game is then as before.
    pub fn answer_as(&mut self, seat: Seat, answer: Answer) -> Result<Vec<LogEntry>, AnswerError> {
        if self.decision().is_some_and(|decision| decision.seat == seat) {
            return self.answer(answer);
        }
        let Some(decision) = self.decision_of(seat)? else {
            return Err(AnswerError::Illegal(format!("{} is not asked anything", seat_key(seat))));
        };
        let count = decision.options.len();
        if usize::from(answer.0) >= count {
            return Err(AnswerError::no_option(answer, count));
        }
        self.early.keep(seat, answer);
        Ok(Vec::new())
    }

    /// Takes back the last answer of a player who chooses at the same time as others, and says whether there was one. Nobody
    /// else has seen it, and the answers of others stay.
    ///
    /// # Errors
    /// As for [`Session::undo`].
    pub fn take_back(&mut self, seat: Seat) -> Result<bool, Fault> {
        if self.early.take_back(seat) {
            return Ok(true);
        }
        let Some(began) = self.together else { return Ok(false) };
        let given: Vec<_> = self.past.answers_since(began).collect();
        let Some(last) = given.iter().rposition(|(by, _)| *by == seat) else { return Ok(false) };
        let mut early = std::mem::take(&mut self.early);
        let back = given.len().saturating_sub(last);
        if let Err(fault) = self.undo(back) {
            self.early = early;
            return Err(fault);
        }
        for (by, answer) in given.iter().skip(last).skip(1) {
            early.keep(*by, *answer);
        }
        self.early = early;
        Ok(true)
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

    /// The answers that came early, in the form for files.
    fn early_given(&self) -> Vec<Given> {
        // They were accepted, so their questions can be asked again.
        let answered = self.early_answers().unwrap_or_default();
        answered.iter().filter_map(|(decision, answer)| self.game.given_to(decision, *answer)).collect()
    }

    /// The same game with answers that came early.
    fn with_early(mut self, early: &[Given]) -> Result<Session, String> {
        for given in early {
            let seat = self.game.rules().seats().find(|seat| seat_key(*seat) == given.seat);
            let decision = match seat {
                Some(seat) => self.decision_of(seat).map_err(|fault| fault.to_string())?,
                None => None,
            };
            let (Some(seat), Some(decision)) = (seat, decision) else {
                return Err(format!("{} is not asked, and has answered `{}`", given.seat, given.option));
            };
            let (answer, _) = self.game.find_in(&decision, given).map_err(|error| error.to_string())?;
            self.answer_as(seat, answer).map_err(|error| error.to_string())?;
        }
        Ok(self)
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

/// Where the present `together` began, if there is one: `before` is where the one before the last answer began, and `answers`
/// the number of answers now.
pub(crate) fn together_after(before: Option<usize>, answers: usize, game: &Game, events: &[LogEntry]) -> Option<usize> {
    game.together()?;
    let goes_on = before.filter(|_| !events.contains(&LogEntry::AllChose));
    goes_on.or(Some(answers))
}

/// Whether a player learnt something that undo would not make unknown again.
fn reveals(game: &Game, event: &LogEntry) -> bool {
    match event {
        LogEntry::Rolled { .. } => true,
        LogEntry::Moved { from, .. } => game.rules().zone_of(from.zone).visible != Visibility::All,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use rulepack_kernel::{Rng, View, Viewer, Words, seat_key};
    use rulepack_pack::LinkRequest;

    use super::*;
    use crate::{Library, RandomBot};

    fn tiny(players: u8) -> GameBox {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/tiny");
        let library = Library::open(&[folder]).unwrap();
        let request = LinkRequest { pack: "tiny".into(), players: Some(players), ..LinkRequest::default() };
        library.load(&request).unwrap_or_else(|mistakes| panic!("{mistakes:?}"))
    }

    #[test]
    fn a_game_can_be_saved_and_loaded_at_every_decision() {
        for players in 1..=3 {
            let game_box = tiny(players);
            let mut session = Session::start(&game_box, 7).unwrap();
            let mut bot = RandomBot::new(7);
            while let Some(decision) = session.decision() {
                let loaded = Session::load(&game_box, &session.save()).unwrap();
                assert_eq!(loaded.game(), session.game());
                assert_eq!(loaded.game().hash(), session.game().hash());
                let texts = Words::new(game_box.rules(), "fr").options(session.game().state(), decision);
                assert_eq!(texts.iter().collect::<BTreeSet<_>>().len(), texts.len(), "{texts:?}");
                let answer = bot.choose(game_box.rules(), decision);
                session.answer(answer).unwrap();
            }
            let log = GameLog::from_text(&session.log().to_text()).unwrap();
            let host = game_box.host().unwrap();
            assert!(log.grade(&game_box, &host, None, |_, _, _, _| {}).unwrap().grade.is_exact());
        }
    }

    #[test]
    fn a_wrong_number_in_a_log_is_told_with_its_place() {
        let session = Session::start(&tiny(2), 7).unwrap();
        let mut log = session.log();
        let text = log.to_text();
        let mut chain = crate::records::Chain::default();
        let begin = chain.line(crate::records::read(&text).records[0]);
        let error = GameLog::from_text(&(begin + &chain.line("{\"undo\":-1}"))).unwrap_err().to_string();
        assert!(error.ends_with("line 2, column 47: a whole number from 0 is expected, not `-1`"), "{error}");
        log.beginning.header.limits = Some(rulepack_kernel::Limits { steps: 0, ..Default::default() });
        let error = GameLog::from_text(&log.to_text()).unwrap_err().to_string();
        assert!(error.contains("line 1: the limit `steps` is 0: write a whole number from 1 to"), "{error}");
    }

    #[test]
    fn undo_goes_back_to_the_start_of_the_action() {
        let game_box = tiny(2);
        let mut session = Session::start(&game_box, 3).unwrap();
        let mut hashes = vec![session.game().hash()];
        let mut bot = RandomBot::new(3);
        for _ in 0..30 {
            let Some(decision) = session.decision() else { break };
            let answer = bot.choose(game_box.rules(), decision);
            session.answer(answer).unwrap();
            hashes.push(session.game().hash());
        }
        while session.depth() > 0 {
            assert_eq!(session.game().hash(), hashes[session.depth()]);
            let back = session.steps_back_to_action().unwrap();
            session.undo(back).unwrap();
            assert!(matches!(session.decision().unwrap().ask, Ask::Menu(..)));
        }
        assert_eq!(session.game().hash(), hashes[0]);
    }

    #[test]
    fn a_view_shows_no_hand_but_the_own_one() {
        let game_box = tiny(3);
        let mut session = Session::start(&game_box, 9).unwrap();
        let mut bot = RandomBot::new(9);
        let words = Words::new(game_box.rules(), "en");
        while let Some(decision) = session.decision() {
            for seat in game_box.rules().seats() {
                let view = View::new(session.game(), &*session.host().unwrap(), Viewer::Seat(seat), &words);
                for zone in view.zones.iter().filter(|zone| ["hand", "bag"].contains(&zone.id.as_str())) {
                    let seen: usize = zone.spaces.iter().map(|space| space.pieces.len()).sum();
                    let is_own = zone.owner.as_deref() == Some(&seat_key(seat));
                    // A card is shown while it is being built, because the pack declares it.
                    let shown = usize::from(!matches!(decision.ask, Ask::Menu(..)));
                    assert!(if is_own { seen == zone.count } else { seen <= shown }, "{seen} seen");
                }
            }
            let answer = bot.choose(game_box.rules(), decision);
            session.answer(answer).unwrap();
        }
    }

    /// Files of version 2 have fields that games no longer have, and a hash that covers them.
    #[test]
    fn a_save_of_version_2_is_read_without_comparing_its_hash() {
        let game_box = tiny(2);
        let host = game_box.host().unwrap();
        let load = |save: &serde_json::Value| Game::load(game_box.rules().clone(), &host, &save.to_string());
        let mut session = Session::start(&game_box, 5).unwrap();
        let mut bot = RandomBot::new(5);
        let mut effects = 0;
        while let Some(decision) = session.decision() {
            let answer = bot.choose(game_box.rules(), decision);
            let mut old = serde_json::to_value(session.game().save()).unwrap();
            (old["version"], old["hash"]) = (2.into(), "another".into());
            old["state"]["changed"] = 31.into();
            let frames = old["state"]["frames"].as_array_mut().unwrap();
            for run in frames.iter_mut().filter_map(|frame| frame.get_mut("Run")) {
                run["waits"] = false.into();
                effects += 1;
            }
            let game = load(&old).unwrap();
            assert_eq!(game.content(), session.game().content());
            game.abandon(&host);
            old["version"] = 3.into();
            assert!(matches!(load(&old), Err(SaveError::Hash { .. })));
            session.answer(answer).unwrap();
        }
        assert!(effects > 0, "no effect was at work at any question");
    }

    /// Whatever a file contains, loading gives an error or a game that can be played on.
    #[test]
    fn a_changed_save_never_panics() {
        let game_box = tiny(2);
        let host = game_box.host().unwrap();
        let load = |text: &str| Game::load(game_box.rules().clone(), &host, text);
        let mut rng = Rng::new(11);
        let (mut loaded, mut inside_scripts) = (0, 0);
        let mut session = Session::start(&game_box, 5).unwrap();
        let mut bot = RandomBot::new(5);
        while let Some(decision) = session.decision() {
            let answer = bot.choose(game_box.rules(), decision);
            let save = serde_json::to_value(session.game().save()).unwrap();
            inside_scripts += usize::from(save["answers"].as_array().is_some_and(|answers| !answers.is_empty()));
            for _ in 0..8 {
                let mut changed = save.clone();
                change(&mut changed["state"], &mut rng);
                // An attacker can compute the hash too: it follows from the contents.
                if let Err(SaveError::Hash { found, .. }) = load(&changed.to_string()) {
                    changed["hash"] = found.into();
                }
                let Ok(mut other) = load(&changed.to_string()) else { continue };
                loaded += 1;
                for _ in 0..20 {
                    let Some(decision) = other.decision() else { break };
                    let answer = bot.clone().choose(game_box.rules(), decision);
                    if other.answer(&host, answer).is_err() {
                        break;
                    }
                }
                other.abandon(&host);
            }
            let text = save.to_string();
            assert!(matches!(load(&text[..text.len() / 2]), Err(SaveError::Truncated)));
            session.answer(answer).unwrap();
        }
        assert!(loaded > 50 && inside_scripts > 0, "{loaded} {inside_scripts}");
    }

    /// The same for the history in a save or a log, with correct checksums.
    #[test]
    fn a_changed_history_or_log_never_panics() {
        let game_box = tiny(2);
        let mut session = Session::start(&game_box, 5).unwrap();
        let mut bot = RandomBot::new(5);
        while let Some(decision) = session.decision() {
            let answer = bot.choose(game_box.rules(), decision);
            session.answer(answer).unwrap();
        }
        session.undo(3).unwrap();
        let save: serde_json::Value = serde_json::from_str(&session.save()).unwrap();
        let log = session.log().to_text();
        let records: Vec<serde_json::Value> =
            log.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["record"].take()).collect();
        assert_eq!(Session::load(&game_box, &save.to_string()).unwrap().depth(), session.depth());
        let (mut rng, mut taken) = (Rng::new(13), 0);
        for _ in 0..300 {
            let mut changed = save.clone();
            change(&mut changed["history"], &mut rng);
            taken += usize::from(Session::load(&game_box, &changed.to_string()).is_ok());
            let mut changed = records.clone();
            let index = rng.below(changed.len() as u32) as usize;
            match rng.below(4) {
                0 => drop(changed.remove(index)),
                1 => changed.insert(index, serde_json::json!({ "undo": rng.below(4) })),
                _ => change(&mut changed[index], &mut rng),
            }
            let mut chain = crate::Chain::default();
            let text: String = changed.iter().map(|record| chain.line(&record.to_string())).collect();
            if let Ok(log) = GameLog::from_text(&text) {
                taken += usize::from(Session::from_log(&game_box, &log).is_ok());
            }
            // Without correct checksums, no change is accepted.
            let mut bytes = log.clone().into_bytes();
            let at = rng.below(bytes.len() as u32) as usize;
            bytes[at] = bytes[at].wrapping_add(1) & 0x7f;
            if let Ok(other) = GameLog::from_text(&String::from_utf8(bytes).unwrap()) {
                assert!(other.torn, "a changed byte at {at} was not noticed");
            }
        }
        assert!(taken > 5, "{taken}");
    }

    fn change(value: &mut serde_json::Value, rng: &mut Rng) {
        match value {
            serde_json::Value::Array(items) if !items.is_empty() => {
                let index = rng.below(items.len() as u32) as usize;
                match rng.below(12) {
                    0 => drop(items.remove(index)),
                    1 => items.push(items[index].clone()),
                    _ => change(&mut items[index], rng),
                }
            }
            serde_json::Value::Object(fields) if !fields.is_empty() => {
                let index = rng.below(fields.len() as u32) as usize;
                if let Some((_, field)) = fields.iter_mut().nth(index) {
                    change(field, rng);
                }
            }
            serde_json::Value::Bool(flag) => *flag = !*flag,
            value => {
                let numbers = [0i64, 1, 2, 3, 7, 255, 65_535, -1, 4_294_967_295, 1 << 40];
                *value = numbers[rng.below(numbers.len() as u32) as usize].into();
            }
        }
    }
}
