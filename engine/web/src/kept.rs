//! What is kept of a table: what it is, and the log of its game, in a [`Storage`].

use std::io;
use std::sync::Arc;

use rulepack::{GameLog, Session};
use rulepack_tools::{Beginning, LogWriter};
use serde::{Deserialize, Serialize};

use crate::storage::{Growth, Storage};
use crate::token::Token;

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

/// What is kept of a table that is awake.
#[derive(Debug)]
pub struct Kept {
    storage: Arc<dyn Storage>,
    id: String,
    log: Box<dyn Growth>,
    writer: LogWriter,
    /// How many answers are in the log.
    depth: usize,
    /// Whether the log has answers of players who choose at the same time as others, before all have chosen. Such a log is
    /// written anew when they have.
    has_early: bool,
}

impl Kept {
    /// Begins to keep a table.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(storage: &Arc<dyn Storage>, card: &Card, session: &Session) -> io::Result<Kept> {
        storage.write_card(card)?;
        let Whole { log, writer, depth, has_early } = whole(storage.as_ref(), &card.id, session)?;
        Ok(Kept { storage: Arc::clone(storage), id: card.id.clone(), log, writer, depth, has_early })
    }

    /// Writes what has changed since the last time.
    ///
    /// # Errors
    /// If it cannot be written. What is there stays, and the next call tries again.
    pub fn note(&mut self, session: &Session) -> io::Result<()> {
        let has_early = session.is_together() && !session.log().early.is_empty();
        if has_early || self.has_early {
            let Whole { log, writer, depth, has_early } = whole(self.storage.as_ref(), &self.id, session)?;
            (self.log, self.writer, self.depth, self.has_early) = (log, writer, depth, has_early);
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
            self.log.append(&text)?;
        }
        (self.writer, self.depth) = (writer, session.depth());
        Ok(())
    }
}

/// A log that was written as a whole.
struct Whole {
    log: Box<dyn Growth>,
    writer: LogWriter,
    depth: usize,
    has_early: bool,
}

/// Writes the log of a game anew.
fn whole(storage: &dyn Storage, id: &str, session: &Session) -> io::Result<Whole> {
    let early = session.log().early;
    let (mut writer, mut text) = LogWriter::begin(&Beginning::new(session.game(), session.began().clone()));
    for given in session.answers_since(0) {
        text += &writer.answer(&given);
    }
    for given in &early {
        text += &writer.early(given);
    }
    let log = storage.begin_log(id, &text)?;
    Ok(Whole { log, writer, depth: session.depth(), has_early: !early.is_empty() })
}

/// The log of a table. A record at the end that was not written whole is left out.
///
/// # Errors
/// A sentence that says why it cannot be read.
pub fn read_log(storage: &dyn Storage, id: &str) -> Result<GameLog, String> {
    let text = storage.read_log(id)?;
    match GameLog::from_text(&text) {
        Ok(log) => Ok(log),
        Err(error) => GameLog::before_damage(&text).map(|(log, _)| log).ok_or_else(|| error.to_string()),
    }
}
