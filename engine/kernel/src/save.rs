//! Saved games: the state in which the outermost script began, and the answers given since.
//!
//! A file is not trusted: whatever stands in it, loading ends with a game or with an error.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::decision::Answer;
use crate::fault::{AnswerError, Fault};
use crate::game::Game;
use crate::host::EffectHost;
use crate::ruleset::{PackStamp, Ruleset};
use crate::state::State;

const FORMAT: &str = "rulepack-save";
const VERSION: u32 = 1;

/// A game as it is written to a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Save {
    /// What kind of file it is.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// The version of the engine that wrote it.
    pub engine: String,
    /// The pack that is played.
    pub pack: String,
    /// All packs in use.
    pub packs: Vec<PackStamp>,
    /// Modes in use.
    pub modes: Vec<String>,
    /// How many play.
    pub players: u8,
    state: State,
    answers: Vec<Answer>,
    /// The hash of the game, to notice an edited file.
    pub hash: String,
}

/// Why a saved game cannot be taken up.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// It ends in the middle.
    #[error("the file ends in the middle: it was not written completely")]
    Truncated,
    /// It is not JSON, or lacks something.
    #[error("the file cannot be read: {0}")]
    Unreadable(String),
    /// It is some other file.
    #[error("the file is no saved game: its format is `{found}` instead of `{FORMAT}`")]
    OtherFormat {
        /// What it says.
        found: String,
    },
    /// It was written by another engine.
    #[error("the file has version {found} of the format; this engine reads version {VERSION}")]
    OtherVersion {
        /// What it says.
        found: u32,
    },
    /// It belongs to other rules.
    #[error("the game was saved with another {what}: `{saved}`, and now it is `{now}`")]
    OtherRules {
        /// What differs.
        what: String,
        /// As saved.
        saved: String,
        /// As loaded.
        now: String,
    },
    /// Something in it does not exist in these rules.
    #[error("the contents do not fit the rules: {0}")]
    Contents(String),
    /// The pack failed while the game was taken up.
    #[error("the game cannot be taken up: {0}")]
    Fault(#[from] Fault),
    /// What was loaded is not what was saved.
    #[error("the file was changed after it was written: its hash is `{saved}`, and its contents give `{found}`")]
    Hash {
        /// As saved.
        saved: String,
        /// As found.
        found: String,
    },
}

/// The part of a file that says what it is.
#[derive(Deserialize)]
struct Header {
    format: Option<String>,
    version: Option<u32>,
}

impl Save {
    /// As text.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a state has nothing in it that JSON cannot say")
    }

    /// Reads a text, without looking whether it fits any rules.
    ///
    /// # Errors
    /// If it is not a saved game that this engine can read.
    pub fn from_json(text: &str) -> Result<Save, SaveError> {
        let header: Header = serde_json::from_str(text).map_err(unreadable)?;
        match header.format {
            Some(format) if format == FORMAT => {}
            other => return Err(SaveError::OtherFormat { found: other.unwrap_or_default() }),
        }
        match header.version {
            Some(VERSION) => serde_json::from_str(text).map_err(unreadable),
            other => Err(SaveError::OtherVersion { found: other.unwrap_or(0) }),
        }
    }

    /// Whether it was saved under these rules.
    ///
    /// # Errors
    /// What differs.
    pub fn fits(&self, rules: &Ruleset) -> Result<(), SaveError> {
        let differs =
            |what: &str, saved: String, now: String| Err(SaveError::OtherRules { what: what.to_string(), saved, now });
        if self.pack != rules.pack {
            return differs("pack", self.pack.clone(), rules.pack.clone());
        }
        if self.players != rules.players {
            return differs("number of players", self.players.to_string(), rules.players.to_string());
        }
        if self.modes != rules.modes {
            return differs("choice of modes", self.modes.join(", "), rules.modes.join(", "));
        }
        same_packs(&self.packs, &rules.packs)
    }
}

/// Whether two lists of packs are the same.
///
/// # Errors
/// What differs.
pub fn same_packs(saved: &[PackStamp], now: &[PackStamp]) -> Result<(), SaveError> {
    let differs = |what: String, saved: &str, now: &str| {
        Err(SaveError::OtherRules { what, saved: saved.to_string(), now: now.to_string() })
    };
    let ids = |packs: &[PackStamp]| packs.iter().map(|pack| pack.id.clone()).collect::<Vec<_>>().join(", ");
    if ids(saved) != ids(now) {
        return differs("set of packs".into(), &ids(saved), &ids(now));
    }
    for (saved, now) in saved.iter().zip(now) {
        if saved.version != now.version {
            return differs(format!("version of `{}`", now.id), &saved.version, &now.version);
        }
        if saved.hash != now.hash {
            return differs(format!("content of `{}`", now.id), &saved.hash, &now.hash);
        }
    }
    Ok(())
}

fn unreadable(error: serde_json::Error) -> SaveError {
    if error.is_eof() { SaveError::Truncated } else { SaveError::Unreadable(error.to_string()) }
}

impl Game {
    /// The game as it can be written to a file.
    pub fn save(&self) -> Save {
        let rules = self.rules();
        let (state, answers) = self.saved_parts();
        Save {
            format: FORMAT.to_string(),
            version: VERSION,
            engine: env!("CARGO_PKG_VERSION").to_string(),
            pack: rules.pack.clone(),
            packs: rules.packs.clone(),
            modes: rules.modes.clone(),
            players: rules.players,
            state: state.clone(),
            answers: answers.to_vec(),
            hash: self.hash_text(),
        }
    }

    /// Takes a saved game up again.
    ///
    /// # Errors
    /// If the text is not a game that was saved under these rules.
    pub fn load(rules: Arc<Ruleset>, host: &dyn EffectHost, text: &str) -> Result<Game, SaveError> {
        Game::restore(rules, host, Save::from_json(text)?)
    }

    /// Takes a saved game up again that has been read already.
    ///
    /// # Errors
    /// If it was not saved under these rules.
    pub fn restore(rules: Arc<Ruleset>, host: &dyn EffectHost, save: Save) -> Result<Game, SaveError> {
        save.fits(&rules)?;
        save.state.validate(&rules).map_err(SaveError::Contents)?;
        let mut state = save.state;
        state.find_spaces(&rules);
        let game = Game::resume(rules, state, &save.answers, host).map_err(|error| match error {
            AnswerError::Illegal(message) => SaveError::Contents(message),
            AnswerError::Fault(fault) => SaveError::Fault(fault),
        })?;
        let found = game.hash_text();
        if found != save.hash {
            return Err(SaveError::Hash { saved: save.hash, found });
        }
        Ok(game)
    }

    /// The hash of the game as 32 hexadecimal digits.
    pub fn hash_text(&self) -> String {
        format!("{:032x}", self.hash())
    }
}
