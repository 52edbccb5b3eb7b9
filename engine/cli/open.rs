//! The game with which `rulepack play` begins: a new one, a file, or an interrupted one.

use std::path::Path;

use rulepack_kernel::{Save, SaveError, fill};
use rulepack_model::visible::joined;
use rulepack_pack::LinkRequest;
use rulepack_tools::{Difference, Export, GameBox, GameLog, Library, ReplayError, Session};

use crate::limits::tell_others;
use crate::phrases::Phrases;
use crate::pick::{Pick, known_pack, load, refused};
use crate::stop::{Stop, read_game, shown, talk, talk_lines};

/// The game to play.
pub struct Opened {
    /// The rules.
    pub game_box: GameBox,
    /// The game.
    pub session: Session,
    /// The seats that bots played before.
    pub bots: Option<String>,
}

impl Opened {
    /// The same game after a number of answers.
    pub fn at(mut self, answers: usize) -> Result<Opened, Stop> {
        let depth = self.session.depth();
        if answers > depth {
            return Err(Stop::Call(format!("`--at {answers}`: the game has {depth} answers")));
        }
        self.session.undo(depth - answers).map_err(|fault| Stop::Wrong(fault.to_string()))?;
        Ok(self)
    }
}

/// What to do with a game whose rules have changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Changed {
    /// Refuse it.
    Refuse,
    /// Go on as far as its answers can be given again.
    GoOn,
}

/// How a game is loaded.
pub struct Opening<'o> {
    /// Where the packs are.
    pub library: &'o Library,
    /// The arguments of the call.
    pub pick: &'o Pick,
    /// What to do if the rules have changed.
    pub changed: Changed,
    /// The words for messages.
    pub phrases: &'static Phrases,
}

impl Opening<'_> {
    /// Loads a file: a saved game or a log.
    pub fn file(&self, path: &Path) -> Result<Opened, Stop> {
        let Opening { library, pick, changed, .. } = *self;
        let text = read_game(path)?;
        no_export(path, &text)?;
        if GameLog::is_one(&text) {
            let log = GameLog::from_text(&text).map_err(|error| of_log(library, path, error))?;
            return self.log(path, &log);
        }
        let wrong = |error: SaveError| Stop::in_file(path, error);
        let save = Save::from_json(&text).map_err(wrong)?;
        let game_box = game_box(library, pick, path, LinkRequest::of(&save.header))?;
        tell_others(path, save.header.limits, game_box.rules().limits);
        match (Session::load(&game_box, &text), &save.history) {
            (Ok(session), _) => Ok(Opened { game_box, session, bots: None }),
            (Err(SaveError::Changed(changes)), Some(history)) => {
                let (session, difference) = Session::replay(&game_box, history).map_err(Stop::quoting)?;
                let what = SaveError::Changed(changes);
                goes_on(path, &what, difference.as_ref(), history.answers.len(), changed)?;
                Ok(Opened { game_box, session, bots: None })
            }
            (Err(error), _) => Err(wrong(error)),
        }
    }

    /// Loads a log.
    pub fn log(&self, path: &Path, log: &GameLog) -> Result<Opened, Stop> {
        let Opening { library, pick, changed, phrases } = *self;
        tell_torn(path, log, phrases);
        let game_box = game_box(library, pick, path, log.request())?;
        tell_others(path, log.beginning.header.limits, game_box.rules().limits);
        let bots = log.beginning.bots.clone();
        match log.same_rules(&game_box) {
            Ok(()) => {
                let (session, difference) =
                    Session::follow_log(&game_box, log).map_err(|error| of_log(library, path, error))?;
                match difference {
                    None => {}
                    Some(difference) if difference.goes_on => {
                        let what = "the rules are the same, but the game does not go as the log says";
                        goes_on(path, &what, Some(&difference), log.answers.len(), changed)?;
                    }
                    Some(difference) => {
                        return Err(of_log(library, path, ReplayError::Answer(Box::new(difference))));
                    }
                }
                Ok(Opened { game_box, session, bots })
            }
            Err(what @ SaveError::Changed(_)) => {
                let (session, difference) =
                    Session::follow_log(&game_box, log).map_err(|error| of_log(library, path, error))?;
                goes_on(path, &what, difference.as_ref(), log.answers.len(), changed)?;
                Ok(Opened { game_box, session, bots })
            }
            Err(error) => Err(Stop::in_file(path, error)),
        }
    }
}

/// Refuses an export: it does not contain the game itself.
pub fn no_export(path: &Path, text: &str) -> Result<(), Stop> {
    match Export::seat_of(text) {
        Some(seat) => {
            let what = format!(
                "it is an export of what {seat} saw, which cannot be played on or replayed: take the save or the log that it \
                 was made from"
            );
            Err(Stop::in_file(path, what))
        }
        None => Ok(()),
    }
}

/// Reports the changes of the rules and how far the game comes; refuses the game unless the caller wants it anyway.
fn goes_on(
    path: &Path,
    what: &dyn std::fmt::Display,
    difference: Option<&Difference>,
    answers: usize,
    changed: Changed,
) -> Result<(), Stop> {
    let first = match difference {
        Some(difference) => difference.to_string(),
        None => format!("all {answers} answers can be given again, and the same was offered each time"),
    };
    let told = joined([format!("{}: {what}", path.display()), format!("  {first}")]);
    match changed {
        Changed::GoOn => {
            talk_lines(&told);
            Ok(())
        }
        Changed::Refuse => Err(Stop::Wrong(format!(
            "{told}\n  `--changed-rules` goes on under the present rules, as far as the answers can be given again"
        ))),
    }
}

/// The rules of a file; the file decides what the call leaves open.
fn game_box(library: &Library, pick: &Pick, path: &Path, found: LinkRequest) -> Result<GameBox, Stop> {
    let asked = pick.request();
    let request = LinkRequest {
        with: if asked.with.is_empty() { found.with } else { asked.with },
        modes: if asked.modes.is_empty() { found.modes } else { asked.modes },
        players: asked.players.or(found.players),
        pack: asked.pack,
    };
    if found.pack != request.pack {
        return Err(Stop::in_file(path, format!("it is a game of `{}`", found.pack)));
    }
    known_pack(library, &request.pack)?;
    // A mistake in the file is not a mistake of the call.
    load(library, &request).map_err(|stop| stop.of_file(path))
}

/// The message about a damaged log.
pub fn of_log(library: &Library, path: &Path, error: ReplayError) -> Stop {
    match error {
        ReplayError::Packs(diagnostics) => refused(library, &diagnostics).of_file(path),
        error => Stop::in_file(path, error),
    }
}

/// Whether the call leaves open what an interrupted game decides.
pub fn fits(pick: &Pick, log: &GameLog) -> bool {
    let (asked, found) = (pick.request(), log.request());
    let same = |asked: &[String], found: &[String]| asked.is_empty() || asked.iter().all(|one| found.contains(one));
    same(&asked.modes, &found.modes)
        && same(&asked.with, &found.with)
        && (asked.players.is_none() || asked.players == found.players)
}

/// An interrupted game, described for people.
pub fn described(log: &GameLog, path: &Path, phrases: &Phrases) -> String {
    const MINUTE: u64 = 60;
    const HOUR: u64 = 60 * MINUTE;
    const DAY: u64 = 24 * HOUR;
    const TWO_HOURS: u64 = 2 * HOUR;
    const TWO_DAYS: u64 = 2 * DAY;
    let passed = std::fs::metadata(path).and_then(|file| file.modified()).ok().and_then(|time| time.elapsed().ok());
    let ago =
        |count, seconds: u64, each: u64| phrases.count(count, usize::try_from(seconds / each).unwrap_or(usize::MAX));
    let when = match passed.map(|passed| passed.as_secs()) {
        None => String::new(),
        Some(0..MINUTE) => phrases.just_now.to_string(),
        Some(seconds @ MINUTE..TWO_HOURS) => ago(&phrases.minutes_ago, seconds, MINUTE),
        Some(seconds @ TWO_HOURS..TWO_DAYS) => ago(&phrases.hours_ago, seconds, HOUR),
        Some(seconds) => ago(&phrases.days_ago, seconds, DAY),
    };
    let answers = phrases.count(&phrases.answers, log.answers.len());
    let players = phrases.count(&phrases.players, usize::from(log.beginning.header.players));
    let pack = &log.beginning.header.pack;
    fill(phrases.broken_off, &[("pack", pack), ("players", &players), ("answers", &answers), ("when", &when)])
}

/// Reports that the last line of a log is incomplete.
pub fn tell_torn(path: &Path, log: &GameLog, phrases: &Phrases) {
    if log.torn {
        talk(&fill(phrases.torn, &[("file", &shown(path))]));
    }
}

/// Deletes an interrupted game.
pub fn throw_away(path: &Path, phrases: &Phrases) {
    if let Err(error) = std::fs::remove_file(path) {
        talk(&fill(phrases.unremoved, &[("file", &shown(path)), ("why", &phrases.refusal(&error))]));
    }
}
