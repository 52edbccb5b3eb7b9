//! Saved games: the state in which the outermost script began, the answers given since, and all answers since the start.
//!
//! A file is not trusted: whatever it contains, loading ends with a game or with an error. It is bound to the meaning
//! of the rules: if they have changed, the state is useless, but the answers may be given again.

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

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::flow::decision::Answer;
use crate::flow::fault::{AnswerError, Fault};
use crate::flow::game::Game;
use crate::flow::host::EffectHost;
use crate::persist::json_error::misread;
use crate::persist::recorded_answer::Given;
use crate::persist::validate::check_state;
use crate::rules::limits::Limits;
use crate::rules::meaning::{Changes, Meaning};
use crate::rules::ruleset::{PackStamp, Ruleset};
use crate::rules::shortcuts::Promise;
use crate::state::table::State;

const FORMAT: &str = "rulepack-save";
const VERSION: u32 = 3;
/// An older version that can still be read. Its hash is not compared: it covers fields that are [`Gone`].
///
/// [`Gone`]: crate::persist::gone::Gone
const UNHASHED: u32 = 2;

/// A game as it is written to a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
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
    /// The number of players.
    pub players: u8,
    /// What the rules meant.
    pub meaning: Meaning,
    /// The numbering of pieces and definitions.
    pub numbering: String,
    /// The limits under which it was played. The caller who loads it decides which limits apply from then on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limits: Option<Limits>,
    state: State,
    answers: Vec<Answer>,
    /// The history of the game, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<History>,
    /// The hash of the game, to notice an edited file.
    pub hash: String,
}

/// The history of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct History {
    /// The seed that it began with.
    pub seed: u64,
    /// Every answer since.
    pub answers: Vec<Given>,
}

/// Why a saved game cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum SaveError {
    /// The file is incomplete.
    #[error("the file ends in the middle: it was not written completely")]
    Truncated,
    /// It is not JSON, or a part is missing.
    #[error("the file cannot be read: {0}")]
    Unreadable(String),
    /// It is another sort of file.
    #[error("the file is no saved game: its format is `{found}` instead of `{FORMAT}`")]
    OtherFormat {
        /// What it says.
        found: String,
    },
    /// Another version of the engine wrote it.
    #[error("the file has version {found} of the format; this engine reads versions {UNHASHED} and {VERSION}{}", why(*found))]
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
    /// The rules have changed.
    #[error("the rules have changed since: {0}")]
    Changed(Box<Changes>),
    /// The rules are the same, but pieces and definitions have other numbers.
    #[error(
        "the rules are the same, but their files are arranged differently: the game has to be played again from its answers"
    )]
    Renumbered,
    /// It refers to something that does not exist in these rules.
    #[error("the contents do not fit the rules: {0}")]
    Contents(String),
    /// The pack failed while the game was loaded.
    #[error("the game cannot be continued: {0}")]
    Fault(#[from] Fault),
    /// The loaded game is not the saved one.
    #[error("the file was changed after it was written: its hash is `{saved}`, and its contents give `{found}`")]
    Hash {
        /// As saved.
        saved: String,
        /// As found.
        found: String,
    },
}

/// The head of a file, which says what it is.
#[derive(Deserialize)]
struct Header {
    format: Option<String>,
    version: Option<u32>,
}

impl Save {
    /// As text.
    #[allow(clippy::expect_used, reason = "a save is plain data, which JSON can always represent")]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a save is plain data, which JSON can always represent")
    }

    /// The hash of the game, if this engine computes hashes in the same way.
    pub fn hash_to_compare(&self) -> Option<&str> {
        (self.version != UNHASHED).then_some(self.hash.as_str())
    }

    /// Whether a text is meant as a saved game.
    pub fn is_one(text: &str) -> bool {
        serde_json::from_str::<Header>(text).is_ok_and(|header| header.format.as_deref() == Some(FORMAT))
    }

    /// Reads a text, without comparing it with any rules.
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
            Some(VERSION | UNHASHED) => {
                let save: Save = serde_json::from_str(text).map_err(unreadable)?;
                match save.limits.and_then(|limits| limits.zero()) {
                    Some(message) => Err(SaveError::Unreadable(message)),
                    None => Ok(save),
                }
            }
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
        same_rules(&self.packs, &self.meaning, rules)?;
        if self.numbering != rules.numbering() {
            return Err(SaveError::Renumbered);
        }
        Ok(())
    }
}

/// Whether rules are unchanged: the packs, and the meaning of their definitions. Versions do not count.
///
/// # Errors
/// What differs.
pub fn same_rules(packs: &[PackStamp], meaning: &Meaning, now: &Ruleset) -> Result<(), SaveError> {
    let ids = |packs: &[PackStamp]| packs.iter().map(|pack| pack.id.clone()).collect::<Vec<_>>().join(", ");
    let (saved, found) = (ids(packs), ids(&now.packs));
    if saved != found {
        return Err(SaveError::OtherRules { what: "set of packs".into(), saved, now: found });
    }
    let changes = meaning.changes(&now.meaning);
    if changes.is_empty() { Ok(()) } else { Err(SaveError::Changed(Box::new(changes))) }
}

/// The message about old files.
fn why(version: u32) -> &'static str {
    match version {
        1 => ": in those before, a save was bound to the bytes of the pack's files, and chance was drawn otherwise",
        _ => "",
    }
}

fn unreadable(error: serde_json::Error) -> SaveError {
    if error.is_eof() {
        return SaveError::Truncated;
    }
    let (message, line, column) = misread(&error);
    SaveError::Unreadable(format!("line {line}, column {column}: {message}"))
}

impl Save {
    /// How the game ended, if it is over.
    pub fn outcome(&self) -> Option<&crate::eval::score::Outcome> {
        self.state.outcome()
    }
}

impl Game {
    /// The game in the form for a file.
    pub fn save(&self) -> Save {
        let rules = self.rules();
        let (state, answers) = self.saved_parts();
        let mut state = state.clone();
        if rules.shortcuts.breaks(Promise::Save) {
            state.forget_passed();
            state.forget_draws();
        }
        Save {
            format: FORMAT.to_string(),
            version: VERSION,
            engine: env!("CARGO_PKG_VERSION").to_string(),
            pack: rules.pack.clone(),
            packs: rules.packs.clone(),
            modes: rules.modes.clone(),
            players: rules.players,
            meaning: (*rules.meaning).clone(),
            numbering: rules.numbering(),
            limits: Some(rules.limits),
            state,
            answers: answers.to_vec(),
            history: None,
            hash: self.hash_text(),
        }
    }

    /// Loads a saved game.
    ///
    /// # Errors
    /// If the text is not a game that was saved under these rules.
    pub fn load(rules: Arc<Ruleset>, host: &dyn EffectHost, text: &str) -> Result<Game, SaveError> {
        Game::restore(rules, host, Save::from_json(text)?)
    }

    /// Loads a saved game that has been read already.
    ///
    /// # Errors
    /// If it was not saved under these rules.
    pub fn restore(rules: Arc<Ruleset>, host: &dyn EffectHost, save: Save) -> Result<Game, SaveError> {
        save.fits(&rules)?;
        check_state(&rules, &save.state).map_err(SaveError::Contents)?;
        let saved = save.hash_to_compare().map(str::to_string);
        let mut state = save.state;
        state.find_spaces(&rules);
        let game = Game::resume(rules, state, &save.answers, host).map_err(|error| match error {
            AnswerError::Illegal(message) => SaveError::Contents(message),
            AnswerError::Fault(fault) => SaveError::Fault(fault),
        })?;
        let found = game.hash_text();
        match saved {
            Some(saved) if found != saved => Err(SaveError::Hash { saved, found }),
            _ => Ok(game),
        }
    }

    /// The hash of the game as 32 hexadecimal digits.
    pub fn hash_text(&self) -> String {
        format!("{:032x}", self.hash())
    }
}
