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

use serde::{Deserialize, Deserializer, Serialize};

use crate::flow::decision::Answer;
use crate::flow::fault::{AnswerError, Fault};
use crate::flow::game::Game;
use crate::flow::host::EffectHost;
use crate::persist::header::{FileFormat, Header, Stamp, WrongStamp};
use crate::persist::json_error::misread;
use crate::persist::recorded_answer::Given;
use crate::persist::validate::check_state;
use crate::rules::meaning::Changes;
use crate::rules::ruleset::Ruleset;
use crate::rules::shortcuts::Promise;
use crate::state::table::State;

/// A game as it is written to a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Save {
    /// What kind of file it is, and under which rules the game was played.
    #[serde(flatten)]
    pub header: Header,
    state: State,
    answers: Vec<Answer>,
    /// The history of the game, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub history: Option<History>,
    /// The hash of the game, to notice an edited file.
    pub hash: String,
}

impl<'de> Deserialize<'de> for Save {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Others {
            state: State,
            answers: Vec<Answer>,
            #[serde(default)]
            history: Option<History>,
            hash: String,
        }
        let (header, Others { state, answers, history, hash }) = Header::read_with(deserializer)?;
        Ok(Save { header, state, answers, history, hash })
    }
}

/// The history of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct History {
    /// The seed that it began with.
    pub seed: u64,
    /// Every answer since.
    pub answers: Vec<Given>,
    /// Answers of players who choose at the same time, before their turn: in the order of their turns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub early: Vec<Given>,
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
    #[error("the file is no saved game: its format is `{found}` instead of `{}`", FileFormat::Save.name())]
    OtherFormat {
        /// What it says.
        found: String,
    },
    /// Another version of the engine wrote it.
    #[error("the file has version {found} of the format; this engine reads versions {} and {}{}", Header::UNHASHED, Header::VERSION, why(*found))]
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

impl Save {
    /// As text.
    #[allow(clippy::expect_used, reason = "a save is plain data, which JSON can always represent")]
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a save is plain data, which JSON can always represent")
    }

    /// The hash of the game, if this engine computes hashes in the same way.
    pub fn hash_to_compare(&self) -> Option<&str> {
        self.header.is_hash_comparable().then_some(self.hash.as_str())
    }

    /// Whether a text is meant as a saved game.
    pub fn is_one(text: &str) -> bool {
        serde_json::from_str::<Stamp>(text).is_ok_and(|stamp| stamp.is(FileFormat::Save))
    }

    /// Reads a text, without comparing it with any rules.
    ///
    /// # Errors
    /// If it is not a saved game that this engine can read.
    pub fn from_json(text: &str) -> Result<Save, SaveError> {
        let stamp: Stamp = serde_json::from_str(text).map_err(unreadable)?;
        stamp.check(FileFormat::Save).map_err(|wrong| match wrong {
            WrongStamp::Format(found) => SaveError::OtherFormat { found },
            WrongStamp::Version(found) => SaveError::OtherVersion { found },
        })?;
        let save: Save = serde_json::from_str(text).map_err(unreadable)?;
        match save.header.zero_limit() {
            Some(message) => Err(SaveError::Unreadable(message)),
            None => Ok(save),
        }
    }
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
            header: Header::new(FileFormat::Save, rules),
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
        save.header.fits(&rules)?;
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
