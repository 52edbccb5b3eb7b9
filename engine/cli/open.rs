//! Which game `rulepack play` begins with: a new one, a file, or one that was broken off.

use std::path::{Path, PathBuf};

use rulepack_kernel::{Save, SaveError};
use rulepack_model::visible::joined;
use rulepack_pack::LinkRequest;
use rulepack_tools::{Difference, Export, GameBox, GameLog, Library, ReplayError, Session};

use crate::pick::{Pick, known_pack, load, refused};
use crate::stop::{Stop, read_named, talk, talk_lines};

/// What is to be played.
pub struct Opened {
    /// The rules.
    pub game_box: GameBox,
    /// The game.
    pub session: Session,
    /// Which seats bots took before.
    pub bots: Option<String>,
}

impl Opened {
    /// The same as it was after so many answers.
    pub fn at(mut self, answers: usize) -> Result<Opened, Stop> {
        let depth = self.session.depth();
        if answers > depth {
            return Err(Stop::Call(format!("`--at {answers}`: the game has {depth} answers")));
        }
        self.session.undo(depth - answers).map_err(|fault| Stop::Wrong(fault.to_string()))?;
        Ok(self)
    }
}

/// What is done about a game whose rules have changed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Changed {
    /// It is refused.
    Refuse,
    /// It goes on as far as its answers can be given again.
    GoOn,
}

/// Takes up a file: a saved game or a log.
pub fn file(library: &Library, pick: &Pick, path: &Path, changed: Changed) -> Result<Opened, Stop> {
    let text = read_named(path)?;
    no_export(path, &text)?;
    if GameLog::is_one(&text) {
        let log = GameLog::from_text(&text).map_err(|error| of_log(library, path, error))?;
        return self::log(library, pick, path, &log, changed);
    }
    let wrong = |error: SaveError| Stop::in_file(path, error);
    let save = Save::from_json(&text).map_err(wrong)?;
    let found = LinkRequest {
        with: save.packs.iter().map(|pack| pack.id.clone()).filter(|id| *id != save.pack).collect(),
        modes: save.modes.clone(),
        players: Some(save.players),
        pack: save.pack.clone(),
    };
    let game_box = game_box(library, pick, path, found)?;
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

/// Takes up a log.
pub fn log(library: &Library, pick: &Pick, path: &Path, log: &GameLog, changed: Changed) -> Result<Opened, Stop> {
    if log.torn {
        talk(&format!("{}: the last line was not written completely and is left out", path.display()));
    }
    let game_box = game_box(library, pick, path, log.request())?;
    let bots = log.beginning.bots.clone();
    match log.same_rules(&game_box) {
        Ok(()) => {
            let session = Session::from_log(&game_box, log).map_err(|error| of_log(library, path, error))?;
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

/// Refuses what one seat saw of a game: the game itself is not in it.
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

/// Says what has changed and how far the game comes; refuses it unless it is wanted all the same.
fn goes_on(
    path: &Path,
    what: &SaveError,
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

/// The rules of a file; what the call leaves open stands in the file.
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
    // What the file says is the file's mistake, not the caller's.
    load(library, &request).map_err(|stop| stop.of_file(path))
}

/// What is wrong with a log.
pub fn of_log(library: &Library, path: &Path, error: ReplayError) -> Stop {
    match error {
        ReplayError::Packs(diagnostics) => refused(library, &diagnostics).of_file(path),
        error => Stop::in_file(path, error),
    }
}

/// Whether the call leaves open what a game that was broken off says.
pub fn fits(pick: &Pick, log: &GameLog) -> bool {
    let (asked, found) = (pick.request(), log.request());
    let same = |asked: &[String], found: &[String]| asked.is_empty() || asked.iter().all(|one| found.contains(one));
    same(&asked.modes, &found.modes)
        && same(&asked.with, &found.with)
        && (asked.players.is_none() || asked.players == found.players)
}

/// A game that was broken off, for people.
pub fn described(log: &GameLog, path: &Path) -> String {
    let count = log.answers.len();
    let answers = if count == 1 { "answer" } else { "answers" };
    let ago = std::fs::metadata(path).and_then(|file| file.modified()).ok().and_then(|time| time.elapsed().ok());
    let when = match ago.map(|ago| ago.as_secs() / 60) {
        Some(0) => ", just now".to_string(),
        Some(minutes @ 1..120) => format!(", {minutes} minutes ago"),
        Some(minutes @ 120..2880) => format!(", {} hours ago", minutes / 60),
        Some(minutes) => format!(", {} days ago", minutes / 1440),
        None => String::new(),
    };
    format!(
        "a game of `{}` for {} was broken off after {count} {answers}{when}",
        log.beginning.pack, log.beginning.players
    )
}

/// Forgets a game that was broken off.
pub fn throw_away(path: &PathBuf) {
    if let Err(error) = std::fs::remove_file(path) {
        talk(&format!("`{}` cannot be removed: {error}", path.display()));
    }
}
