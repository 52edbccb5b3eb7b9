//! Autosave: a log that grows with every answer, and the folder with the games of people.

use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use rulepack_kernel::fill;
use rulepack_pack::open_file;
use rulepack_tools::{Beginning, GameLog, Growing, LogWriter, Safety, Session, put_aside, replace};

use crate::phrases::Phrases;
use crate::stop::{Stop, read_game, shown, talk};
use crate::write::unwritten;

/// A log on disk, one line longer after every answer.
#[derive(Debug)]
pub struct Kept {
    path: PathBuf,
    file: Growing,
    writer: LogWriter,
    /// The number of answers in it.
    depth: usize,
    /// Whether it is in the folder of games: then it is deleted at the end of the game, and must be flushed to the
    /// disk.
    is_own: bool,
    /// Records that could not be written yet.
    unwritten: String,
    phrases: &'static Phrases,
}

impl Kept {
    /// A log of a game with all its answers so far. It replaces an existing file only when it is complete.
    pub fn begin(
        path: &Path,
        session: &Session,
        bots: Option<&str>,
        is_own: bool,
        phrases: &'static Phrases,
    ) -> Result<Kept, Stop> {
        let mut beginning = Beginning::new(session.game(), session.began().clone());
        beginning.bots = bots.map(str::to_string);
        let (mut writer, mut text) = LogWriter::begin(&beginning);
        for given in session.answers_since(0) {
            text += &writer.answer(&given);
        }
        let file = replace(path, &text, Safety::Synced).map_err(|error| Stop::Call(unwritten(path, &error)))?;
        if is_own {
            // So that a second terminal does not offer it as well.
            file.hold();
        }
        let path = path.to_path_buf();
        Ok(Kept { path, file, writer, depth: session.depth(), is_own, unwritten: String::new(), phrases })
    }

    /// Its file, and whether it is in the folder of games: another log takes its place.
    pub fn leave(self) -> (PathBuf, bool) {
        (self.path, self.is_own)
    }

    /// Writes the answers and undos since the last time. If that fails, the game goes on, and writing is tried again
    /// the next time.
    pub fn note(&mut self, session: &Session) {
        let mut text = String::new();
        if session.depth() < self.depth {
            text += &self.writer.undo(self.depth - session.depth());
        }
        for given in session.answers_since(self.depth) {
            text += &self.writer.answer(&given);
        }
        self.depth = session.depth();
        self.write(&text);
    }

    /// Writes the end. A finished game, and one without answers, need not be kept.
    pub fn end(&mut self, session: &Session) -> Result<(), Stop> {
        self.note(session);
        if self.is_own && (session.outcome().is_some() || session.depth() == 0) {
            let _ = std::fs::remove_file(&self.path);
            return Ok(());
        }
        let line = self.writer.end(session.depth(), session.game());
        self.write(&line);
        if self.unwritten.is_empty() || self.is_own {
            return Ok(());
        }
        let lost = self.unwritten.lines().count();
        let Kept { phrases, path, .. } = self;
        Err(Stop::told(phrases, &phrases.count_in(&phrases.lacks_lines, lost, &shown(path))))
    }

    fn write(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let was_full = !self.unwritten.is_empty();
        self.unwritten += text;
        let safety = if self.is_own { Safety::Synced } else { Safety::Written };
        match self.file.append(&self.unwritten, safety) {
            Ok(()) => {
                self.unwritten.clear();
                if was_full {
                    talk(&fill(self.phrases.written_again, &[("file", &shown(&self.path))]));
                }
            }
            Err(_) if was_full => {}
            Err(error) => {
                let why = self.phrases.unwritten(&shown(&self.path), &error);
                talk(&fill(self.phrases.not_kept_now, &[("why", &why)]));
            }
        }
    }
}

/// The folder with the games of people.
///
/// It depends on three environment variables only, so none of the crates for such folders is worth its dependencies.
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

/// A new file for a new game, if there is a folder for it.
pub fn new_file(pack: &str, phrases: &Phrases) -> Option<PathBuf> {
    let folder = folder()?;
    if let Err(error) = std::fs::create_dir_all(&folder) {
        let why = fill(phrases.unmade, &[("file", &shown(&folder)), ("why", &phrases.refusal(&error))]);
        talk(&fill(phrases.not_kept, &[("why", &why)]));
        return None;
    }
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_millis());
    Some(folder.join(format!("{pack}.{now}-{}.jsonl", std::process::id())))
}

/// An interrupted game.
pub struct BrokenOff {
    /// Its file.
    pub path: PathBuf,
    /// The part that can be read.
    pub log: GameLog,
    /// Whether the rest of the file is damaged.
    is_damaged: bool,
}

impl BrokenOff {
    /// The file in which it goes on. A damaged file is renamed, so that nothing of it is lost.
    pub fn goes_on_in(self, pack: &str, phrases: &Phrases) -> Option<PathBuf> {
        if !self.is_damaged {
            return Some(self.path);
        }
        let mut aside = self.path.clone().into_os_string();
        aside.push(".damaged");
        let aside = PathBuf::from(aside);
        talk(&match put_aside(&self.path, &aside) {
            Ok(()) => fill(phrases.put_aside, &[("file", &shown(&aside))]),
            Err(error) => phrases.unwritten(&shown(&aside), &error),
        });
        new_file(pack, phrases)
    }
}

/// The game of a file, as far as it can be read; the rest is reported.
fn read_kept(path: PathBuf, phrases: &Phrases) -> Option<BrokenOff> {
    let not_offered = |why: &str| talk(&fill(phrases.not_offered, &[("why", why)]));
    let text = match read_game(&path) {
        Ok(text) => text,
        Err(Stop::Wrong(why) | Stop::Call(why)) => {
            not_offered(&why);
            return None;
        }
        Err(_) => return None,
    };
    let error = match GameLog::from_text(&text) {
        Ok(log) => return Some(BrokenOff { path, log, is_damaged: false }),
        Err(error) => error,
    };
    let sound = GameLog::before_damage(&text).filter(|(log, _)| !log.answers.is_empty());
    let Some((log, line)) = sound else {
        not_offered(&format!("`{}`: {error}", shown(&path)));
        return None;
    };
    let answers = phrases.count(&phrases.answers, log.answers.len());
    let places = [("file", shown(&path)), ("line", line.to_string()), ("answers", answers)];
    talk(&fill(phrases.damaged, &places.each_ref().map(|(name, text)| (*name, text.as_str()))));
    Some(BrokenOff { path, log, is_damaged: true })
}

/// The last interrupted game of a pack that no other terminal is playing.
pub fn unfinished(pack: &str, phrases: &Phrases) -> Option<BrokenOff> {
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
        // The terminal that plays it holds a lock.
        let file = open_file(&path, None).ok()?;
        if matches!(file.try_lock_shared(), Err(std::fs::TryLockError::WouldBlock)) {
            return None;
        }
        read_kept(path, phrases).filter(|game| !game.log.answers.is_empty())
    })
}
