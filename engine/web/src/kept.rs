//! The files of a table: what it is, and the log of its game. Both are in one folder that only its owner can read.
//!
//! A table `ab12` has `ab12.table.json` (pack, seats and their tokens) and `ab12.jsonl` (the log, one record for each answer,
//! written before anybody is told of the answer).

use std::io;
use std::path::{Path, PathBuf};

use rulepack::{GameLog, Session};
use rulepack_pack::read_text;
use rulepack_tools::{Beginning, Growing, LogWriter, Safety, replace};
use serde::{Deserialize, Serialize};

use crate::token::Token;

/// The largest file that is read again.
const LARGEST: u64 = 256 << 20;

/// What is fixed about a table, and who sits at it.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Card {
    /// Its id, which is no secret.
    pub id: String,
    /// The pack.
    pub pack: String,
    /// The title of the pack.
    pub title: String,
    /// The language of views, questions and logs.
    pub language: String,
    /// Whether players may ask a bot for a hint.
    pub hints: bool,
    /// The seats, in order.
    pub seats: Vec<SeatCard>,
    /// The token of spectators.
    pub spectators: Token,
}

/// A seat.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SeatCard {
    /// The token of whoever sits there.
    pub token: Token,
    /// The bot that plays it, such as `mcts:200`; nothing if a person does.
    pub bot: Option<String>,
}

/// The files of a table that is open.
#[derive(Debug)]
pub struct Kept {
    folder: PathBuf,
    id: String,
    file: Growing,
    writer: LogWriter,
    /// How many answers are in the file.
    depth: usize,
    /// Whether the file has answers of players who choose at the same time as others, before all have chosen. Such a file is
    /// written anew when they have.
    has_early: bool,
}

impl Kept {
    /// Makes the files of a table.
    ///
    /// # Errors
    /// If one of them cannot be written.
    pub fn begin(folder: &Path, card: &Card, session: &Session) -> io::Result<Kept> {
        write_card(folder, card)?;
        let (file, writer, depth, has_early) = whole(folder, &card.id, session)?;
        Ok(Kept { folder: folder.to_path_buf(), id: card.id.clone(), file, writer, depth, has_early })
    }

    /// Writes what has changed since the last time.
    ///
    /// # Errors
    /// If it cannot be written. What is there stays, and the next call tries again.
    pub fn note(&mut self, session: &Session) -> io::Result<()> {
        let has_early = session.is_together() && !session.log().early.is_empty();
        if has_early || self.has_early {
            (self.file, self.writer, self.depth, self.has_early) = whole(&self.folder, &self.id, session)?;
            return Ok(());
        }
        let mut writer = self.writer.clone();
        let mut text = String::new();
        if session.depth() < self.depth {
            text += &writer.undo(self.depth.saturating_sub(session.depth()));
        }
        for given in session.answers_since(self.depth.min(session.depth())) {
            text += &writer.answer(&given);
        }
        if !text.is_empty() {
            self.file.append(&text, Safety::Written)?;
        }
        (self.writer, self.depth) = (writer, session.depth());
        Ok(())
    }
}

/// Writes the log of a game anew.
fn whole(folder: &Path, id: &str, session: &Session) -> io::Result<(Growing, LogWriter, usize, bool)> {
    let log = session.log();
    let (mut writer, mut text) = LogWriter::begin(&Beginning::new(session.game(), session.began().clone()));
    for given in session.answers_since(0) {
        text += &writer.answer(&given);
    }
    for given in &log.early {
        text += &writer.early(given);
    }
    let file = replace(&log_path(folder, id), &text, Safety::Synced)?;
    Ok((file, writer, session.depth(), !log.early.is_empty()))
}

fn log_path(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{id}.jsonl"))
}

fn card_path(folder: &Path, id: &str) -> PathBuf {
    folder.join(format!("{id}.table.json"))
}

/// Writes who sits at a table.
///
/// # Errors
/// If it cannot be written.
pub fn write_card(folder: &Path, card: &Card) -> io::Result<()> {
    let text = serde_json::to_string_pretty(card).map_err(io::Error::other)?;
    replace(&card_path(folder, &card.id), &text, Safety::Synced).map(drop)
}

/// The log of a table. A record at the end that was not written whole is left out.
///
/// # Errors
/// A sentence that says why it cannot be read.
pub fn read_log(folder: &Path, id: &str) -> Result<GameLog, String> {
    let text = read_text(&log_path(folder, id), None, LARGEST).map_err(|error| error.to_string())?;
    match GameLog::from_text(&text) {
        Ok(log) => Ok(log),
        Err(error) => GameLog::before_damage(&text).map(|(log, _)| log).ok_or_else(|| error.to_string()),
    }
}

/// All tables of a folder that can be read, and how many cannot. The folder is made if it is missing.
///
/// # Errors
/// If the folder cannot be made or read.
pub fn all(folder: &Path) -> io::Result<(Vec<Card>, usize)> {
    make_private(folder)?;
    let (mut cards, mut unread) = (Vec::new(), 0_usize);
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let id = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.strip_suffix(".table.json"));
        let Some(id) = id.filter(|id| !id.starts_with('.')) else { continue };
        let card = read_text(&path, None, LARGEST).ok().and_then(|text| serde_json::from_str::<Card>(&text).ok());
        match card.filter(|card| card.id == id) {
            Some(card) => cards.push(card),
            None => unread = unread.saturating_add(1),
        }
    }
    cards.sort_by(|one, other| one.id.cmp(&other.id));
    Ok((cards, unread))
}

/// Makes a folder that only its owner can read: it holds tokens and what players must not see.
#[cfg(unix)]
fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn make_private(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)
}
