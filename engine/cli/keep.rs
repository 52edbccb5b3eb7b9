//! Games that nobody loses: a log that grows with every answer, and the folder in which games of people are kept.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rulepack_tools::{Beginning, GameLog, LogWriter, Session};

use crate::stop::{Stop, talk};

/// A log on disk, one line longer after every answer.
#[derive(Debug)]
pub struct Kept {
    path: PathBuf,
    file: File,
    writer: LogWriter,
    /// How many answers stand in it.
    depth: usize,
    /// Whether it is one of the folder of games: it is deleted at the end of the game, and its disk must be sure.
    is_own: bool,
    /// Whether its disk is full or gone.
    is_lost: bool,
}

impl Kept {
    /// A log of a game with all its answers so far. It takes the place of what was there only when it is complete.
    pub fn begin(path: &Path, session: &Session, bots: Option<&str>, is_own: bool) -> Result<Kept, Stop> {
        let unwritten = |error: std::io::Error| Stop::Call(format!("`{}` cannot be written: {error}", path.display()));
        let mut beginning = Beginning::new(session.game(), session.began().clone());
        beginning.bots = bots.map(str::to_string);
        let (mut writer, mut text) = LogWriter::begin(&beginning);
        for given in session.answers_since(0) {
            text += &writer.answer(given);
        }
        let mut new = path.as_os_str().to_owned();
        new.push(".new");
        let mut file = File::create(&new).map_err(unwritten)?;
        file.write_all(text.as_bytes()).and_then(|()| std::fs::rename(&new, path)).map_err(unwritten)?;
        if is_own {
            // So that a second terminal does not take it up as well; where that is not known, nothing is lost.
            let _ = file.try_lock();
        }
        Ok(Kept { path: path.to_path_buf(), file, writer, depth: session.depth(), is_own, is_lost: false })
    }

    /// Writes down what was answered or taken back since the last time.
    pub fn note(&mut self, session: &Session) -> Result<(), Stop> {
        let mut text = String::new();
        if session.depth() < self.depth {
            text += &self.writer.undo(self.depth - session.depth());
        }
        for given in session.answers_since(self.depth) {
            text += &self.writer.answer(given);
        }
        self.depth = session.depth();
        self.write(&text)
    }

    /// Writes down where the game stands now that nobody answers any more. A game that is over, or that nobody began, need
    /// not be kept.
    pub fn end(&mut self, session: &Session) -> Result<(), Stop> {
        self.note(session)?;
        if self.is_own && (session.outcome().is_some() || session.depth() == 0) {
            let _ = std::fs::remove_file(&self.path);
            return Ok(());
        }
        let line = self.writer.end(session.depth(), session.game());
        self.write(&line)
    }

    fn write(&mut self, text: &str) -> Result<(), Stop> {
        if text.is_empty() || self.is_lost {
            return Ok(());
        }
        let written = self.file.write_all(text.as_bytes()).and_then(|()| match self.is_own {
            true => self.file.sync_data(),
            false => Ok(()),
        });
        let Err(error) = written else { return Ok(()) };
        let message = format!("`{}` cannot be written: {error}", self.path.display());
        if !self.is_own {
            return Err(Stop::Wrong(message));
        }
        // A game that cannot be kept any longer can be played on.
        talk(&format!("the game is no longer kept: {message}"));
        self.is_lost = true;
        Ok(())
    }
}

/// The folder in which games of people are kept.
///
/// Three names of the environment are all there is to it, so none of the crates for such folders is worth its dependencies.
pub fn folder() -> Option<PathBuf> {
    let named = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let base = if cfg!(windows) {
        named("LOCALAPPDATA")
    } else if cfg!(target_os = "macos") {
        named("XDG_STATE_HOME").or_else(|| named("HOME").map(|home| home.join("Library/Application Support")))
    } else {
        named("XDG_STATE_HOME").or_else(|| named("HOME").map(|home| home.join(".local/state")))
    };
    base.map(|base| base.join("rulepack"))
}

/// A file of its own for a new game, if there is a folder for it.
pub fn new_file(pack: &str) -> Option<PathBuf> {
    let folder = folder()?;
    if let Err(error) = std::fs::create_dir_all(&folder) {
        talk(&format!("the game is not kept: `{}` cannot be made: {error}", folder.display()));
        return None;
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
    Some(folder.join(format!("{pack}.{now}-{}.jsonl", std::process::id())))
}

/// The last game of a pack that was broken off and that nobody plays now.
pub fn unfinished(pack: &str) -> Option<(PathBuf, GameLog)> {
    let entries = std::fs::read_dir(folder()?).ok()?;
    let mut files: Vec<(SystemTime, PathBuf)> = entries
        .filter_map(|entry| {
            let path = entry.ok()?.path();
            let name = path.file_name()?.to_str()?;
            let rest = name.strip_prefix(pack)?.strip_prefix('.')?;
            let is_game = rest.ends_with(".jsonl") && !rest.trim_end_matches(".jsonl").contains('.');
            let changed = std::fs::metadata(&path).and_then(|file| file.modified()).ok()?;
            is_game.then_some((changed, path))
        })
        .collect();
    files.sort();
    files.into_iter().rev().find_map(|(_, path)| {
        // Whoever plays it holds it.
        let file = File::open(&path).ok()?;
        if matches!(file.try_lock_shared(), Err(std::fs::TryLockError::WouldBlock)) {
            return None;
        }
        let log = GameLog::from_text(&crate::stop::read_named(&path).ok()?).ok()?;
        (!log.answers.is_empty()).then_some((path, log))
    })
}
