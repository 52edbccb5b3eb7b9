//! Logs of games: where a game began, every answer, and the hash of where it ended.

use rulepack_kernel::ruleset::PackStamp;
use rulepack_kernel::{Answer, AnswerError, Event, Fault, Game, Save, SaveError, same_packs};
use rulepack_model::Diagnostic;
use rulepack_pack::LinkRequest;
use rulepack_script::ScriptHost;
use serde::{Deserialize, Serialize};

use crate::load::{GameBox, Library};

const FORMAT: &str = "rulepack-log";
const VERSION: u32 = 1;

/// A played game, as far as it is needed to play it again.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameLog {
    /// What kind of file it is.
    pub format: String,
    /// The version of the format.
    pub version: u32,
    /// The version of the engine that wrote it.
    pub engine: String,
    /// The pack that was played.
    pub pack: String,
    /// All packs in use.
    pub packs: Vec<PackStamp>,
    /// Modes in use.
    pub modes: Vec<String>,
    /// How many played.
    pub players: u8,
    /// Where it began.
    pub start: Start,
    /// Every answer.
    pub answers: Vec<Answer>,
    /// The hash of the game after the last answer.
    pub hash: String,
}

/// Where a game began.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// At the beginning, with this seed.
    Seed(u64),
    /// At a saved game.
    Save(Box<Save>),
}

/// Why a log cannot be played again.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// It is not a log.
    #[error("the file is no log of a game: {0}")]
    NotALog(String),
    /// It was written by another engine.
    #[error("the log has version {found}; this engine reads version {VERSION}")]
    OtherVersion {
        /// What it says.
        found: u32,
    },
    /// The packs have mistakes now.
    #[error("the packs of the log cannot be loaded")]
    Packs(Vec<Diagnostic>),
    /// The packs are others now, or the saved game at its beginning cannot be taken up.
    #[error(transparent)]
    Rules(#[from] SaveError),
    /// The game could not be set up.
    #[error("the game cannot be set up: {0}")]
    Setup(#[from] Fault),
    /// An answer was not taken.
    #[error("answer {number} of {total} was refused: {error}")]
    Answer {
        /// Counted from 1.
        number: usize,
        /// How many the log has.
        total: usize,
        /// Why.
        error: AnswerError,
    },
    /// The game ended somewhere else.
    #[error("the game ended with the hash `{found}` instead of `{logged}`")]
    Hash {
        /// As logged.
        logged: String,
        /// As found.
        found: String,
    },
}

impl GameLog {
    /// A log of a game that began there.
    pub fn new(game: &Game, start: Start, answers: Vec<Answer>) -> Self {
        let rules = game.rules();
        GameLog {
            format: FORMAT.to_string(),
            version: VERSION,
            engine: env!("CARGO_PKG_VERSION").to_string(),
            pack: rules.pack.clone(),
            packs: rules.packs.clone(),
            modes: rules.modes.clone(),
            players: rules.players,
            start,
            answers,
            hash: game.hash_text(),
        }
    }

    /// As text.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("a log has nothing in it that JSON cannot say")
    }

    /// Reads a text.
    ///
    /// # Errors
    /// If it is not a log that this engine can read.
    pub fn from_json(text: &str) -> Result<GameLog, ReplayError> {
        #[derive(Deserialize)]
        struct Header {
            format: Option<String>,
            version: Option<u32>,
        }
        let not_a_log = |error: serde_json::Error| {
            let message = if error.is_eof() { "it ends in the middle".to_string() } else { error.to_string() };
            ReplayError::NotALog(message)
        };
        let header: Header = serde_json::from_str(text).map_err(not_a_log)?;
        if header.format.as_deref() != Some(FORMAT) {
            let found = header.format.unwrap_or_default();
            return Err(ReplayError::NotALog(format!("its format is `{found}` instead of `{FORMAT}`")));
        }
        match header.version {
            Some(VERSION) => serde_json::from_str(text).map_err(not_a_log),
            other => Err(ReplayError::OtherVersion { found: other.unwrap_or(0) }),
        }
    }

    /// What has to be loaded to play it again.
    pub fn request(&self) -> LinkRequest {
        LinkRequest {
            pack: self.pack.clone(),
            with: self.packs.iter().map(|pack| pack.id.clone()).filter(|id| *id != self.pack).collect(),
            modes: self.modes.clone(),
            players: Some(self.players),
        }
    }

    /// Loads what the log was played with.
    ///
    /// # Errors
    /// If the packs are not there, have mistakes, or are not those of the log.
    pub fn load(&self, library: &Library) -> Result<GameBox, ReplayError> {
        let game_box = library.load(&self.request()).map_err(ReplayError::Packs)?;
        same_packs(&self.packs, &game_box.rules().packs)?;
        Ok(game_box)
    }

    /// Plays the log again and checks where it ends; `told` hears what follows from each answer.
    ///
    /// # Errors
    /// If it does not go as logged.
    pub fn replay(
        &self,
        game_box: &GameBox,
        host: &ScriptHost,
        mut told: impl FnMut(&Game, &[Event]),
    ) -> Result<Game, ReplayError> {
        let mut game = match &self.start {
            Start::Seed(seed) => game_box.start(host, *seed)?,
            Start::Save(save) => Game::restore(game_box.rules().clone(), host, (**save).clone())?,
        };
        for (index, answer) in self.answers.iter().enumerate() {
            let events = game.answer(host, *answer).map_err(|error| ReplayError::Answer {
                number: index + 1,
                total: self.answers.len(),
                error,
            })?;
            told(&game, &events);
        }
        let found = game.hash_text();
        if found != self.hash {
            return Err(ReplayError::Hash { logged: self.hash.clone(), found });
        }
        Ok(game)
    }
}
