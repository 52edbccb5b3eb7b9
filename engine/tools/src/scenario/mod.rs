//! Scenarios: given a table, when these choices are made, then this holds. The format is described in
//! `docs/scenarios.md`.
//!
//! A file is read in two steps. `extent.rs` counts its size, `read.rs` reads its keys and knows no game;
//! `names.rs`, `pieces.rs`, `given.rs`, `spelling.rs` and `then.rs` resolve the names once the modes and the number of
//! players are known. Then `setting.rs` sets the table up, `when.rs` plays the steps, `compare.rs` and `zones.rs`
//! compare the result. `one.rs` does all of this for one scenario, `batch.rs` for all scenarios that `files.rs` finds,
//! in parallel. `write.rs` writes a game that failed as a scenario, `record.rs` a game that somebody plays.

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

mod batch;
mod chance;
mod compare;
mod empty;
mod extent;
mod files;
mod forced;
mod given;
mod homes;
mod limits;
mod matrix;
mod names;
mod offered;
mod one;
mod pictures;
mod pieces;
mod place;
mod prices;
mod read;
mod record;
mod repeat;
mod setting;
mod spelling;
#[cfg(test)]
mod tests;
mod then;
mod when;
mod why;
mod write;
mod zones;

use std::sync::Arc;

use rulepack_model::{FileId, Span, Table};
use rulepack_pack::Word;

pub(crate) use batch::request;
pub use batch::{
    Failure, Shown, TestCase, TestReport, TestRequest, check_scenarios, check_some_scenarios, read_scenarios,
    run_files, run_tests,
};
pub use files::{TargetError, files_below};
pub use matrix::MATRIX_KEYS;
pub use one::{Beginnings, Passed, Stopped, begin_scenario, run_scenario};
pub use read::{CASE_KEYS, FILE_KEYS, GIVEN_KEYS, STEP_KEYS};
pub use record::{Recorded, open, record};
pub use then::THEN_KEYS;
pub(crate) use write::scenario_of;

/// One test: a file, or one case of a file.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// The pack it is for.
    pub pack: String,
    /// The place in the file that names it, if any.
    pub pack_span: Option<Span>,
    /// The file.
    pub file: FileId,
    /// The path of the file, for people.
    pub path: String,
    /// The name of the case, if the file has cases.
    pub case: Option<String>,
    /// What it shows, in a sentence.
    pub about: String,
    /// The rules that it covers.
    pub covers: Vec<Word>,
    /// The worked examples of the rulebook that it plays.
    pub examples: Vec<Word>,
    /// Further packs that are loaded.
    pub with: Vec<Word>,
    /// Requested modes.
    pub modes: Vec<Word>,
    /// The names of the players, if they have any.
    pub seats: Vec<Word>,
    /// The number of players, if given.
    pub players: Option<u8>,
    /// The seed of chance.
    pub seed: u64,
    /// The position at which it begins.
    pub from: Begin,
    /// What the letters of pictures stand for, as written in the file.
    pub legend: Table,
    /// The given table, as written in the file.
    pub given: Table,
    /// The steps.
    pub when: Steps,
    /// The expectations, as written in the file.
    pub then: Table,
}

/// The position at which a scenario begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begin {
    /// At the first menu of the main turns; earlier questions are answered by the first option.
    Play,
    /// At the beginning of a turn, which happens on the given table.
    Turn,
    /// At the very first decision.
    Setup,
    /// At the first menu of this phase.
    Phase(Word),
}

/// The steps of a scenario. The steps of a file for all of its cases are stored once.
#[derive(Debug, Clone)]
pub struct Steps {
    of_file: Arc<[Step]>,
    of_case: Arc<[Step]>,
}

impl Steps {
    /// All of them in order: those of the file, then those of the case.
    pub fn iter(&self) -> impl Iterator<Item = &Step> {
        self.of_file.iter().chain(self.of_case.iter())
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.iter().next().is_none()
    }
}

/// One step.
#[derive(Debug, Clone)]
pub struct Step {
    /// Its place.
    pub span: Span,
    /// The player who must be asked.
    pub seat: Option<Word>,
    /// Answers, one after the other.
    pub choose: Vec<Word>,
    /// The last answer must lead to a fault with these words.
    pub refused: Option<String>,
    /// Paths of answers that must be possible.
    pub offered: Vec<Vec<Word>>,
    /// Paths of answers of which all but the last must be possible.
    pub not_offered: Vec<Vec<Word>>,
    /// Lists of words under `offered` or `not_offered` that may be one path or several answers.
    pub flat: Vec<FlatList>,
    /// All options of the question.
    pub options: Option<Vec<Word>>,
    /// Expectations after it, as written in the file.
    pub then: Table,
}

/// A plain list under `offered` or `not_offered`.
#[derive(Debug, Clone)]
pub struct FlatList {
    /// Its key.
    pub key: &'static str,
    /// Its place.
    pub span: Span,
    /// Its texts.
    pub items: Vec<Word>,
}

impl Scenario {
    /// The players in the order of their seats: by name, or `a`, `b`, `c`….
    pub fn seat_names(&self, players: u8) -> Vec<String> {
        if self.seats.is_empty() {
            return (0..players).map(|seat| char::from(b'a'.saturating_add(seat.min(25))).to_string()).collect();
        }
        self.seats.iter().map(|name| name.text.clone()).collect()
    }

    /// The file, and the case if there is one.
    pub fn name(&self) -> String {
        match &self.case {
            Some(case) => format!("{} ({case})", self.path),
            None => self.path.clone(),
        }
    }
}

/// `` `a`, `b`, `c` ``, cut short if there are very many.
fn listed<'w>(words: impl IntoIterator<Item = &'w str>) -> String {
    const MOST: usize = 80;
    let words: Vec<String> = words.into_iter().map(|word| format!("`{word}`")).collect();
    match words.split_at_checked(MOST) {
        Some((first, more)) if !more.is_empty() => format!("{} and {} more", first.join(", "), more.len()),
        _ if words.is_empty() => "nothing".into(),
        _ => words.join(", "),
    }
}
