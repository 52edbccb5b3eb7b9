//! Mutation testing: the pack is changed in memory, one small change at a time, and scenarios are played until one of
//! them fails. Changes that no scenario notices are reported.
//!
//! `sites.rs` walks the definitions and `expressions.rs` the texts in them; both return [`Mutant`]s: a file, a range of
//! it, and the replacement. `run.rs` plays, `report.rs` counts, `survivors.rs` reads the accepted survivors.

mod expressions;
mod report;
mod run;
mod sites;
mod survivors;

use std::ops::Range;

use rulepack_model::Diagnostic;
use serde::Serialize;

use crate::load::Library;
use crate::scenario::TargetError;
use crate::sim::game_seed;

pub use report::{MutationReport, Score};
pub use sites::mutants;
pub use survivors::{Accepted, Known, read_survivors};

/// One small change of a pack.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Mutant {
    /// The path of the file, below the library.
    pub path: String,
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
    /// The change, in words.
    pub what: String,
    /// Whether it changes behaviour or data.
    pub class: Class,
    /// The kind of change.
    pub operator: Operator,
    /// The line that is changed.
    pub text: String,
    /// The range of bytes that is replaced.
    #[serde(skip)]
    pub range: Range<usize>,
    /// The replacement.
    #[serde(skip)]
    pub replacement: String,
    /// The definition or script that contains it.
    #[serde(skip)]
    pub definition: String,
}

/// What a change affects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Class {
    /// What happens, and when.
    Behaviour,
    /// Numbers, names and lists.
    Data,
}

/// The kinds of changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Operator {
    /// A number is one more.
    Number,
    /// One more copy, or once more.
    Count,
    /// Another resource.
    Resource,
    /// An element of a list is dropped.
    Element,
    /// A comparison is turned round.
    Comparison,
    /// `and` for `or`.
    AndOr,
    /// A condition is negated.
    Negation,
    /// `+` for `-`.
    Sign,
    /// A step of an effect is dropped.
    Step,
    /// A key is removed: a condition, an effect, a hook.
    Removal,
    /// A patch is left out.
    Patch,
    /// Something in a script.
    Lua,
}

/// How mutants are played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MutateRequest {
    /// The number of threads; the result does not depend on it.
    pub threads: usize,
    /// Play only a sample of this size.
    pub sample: Option<usize>,
    /// The seed of the sample.
    pub seed: u64,
}

/// Why there is no result.
#[derive(Debug, Clone, thiserror::Error)]
pub enum MutateError {
    /// The call is wrong.
    #[error("{0}")]
    Target(#[from] TargetError),
    /// The pack is wrong.
    #[error("the pack has mistakes")]
    Mistakes(Vec<Diagnostic>),
    /// Nothing can be played with it.
    #[error("no pack needs the library `{0}`, so that nothing of it can be played")]
    Unneeded(String),
    /// A file of a library changed during the run.
    #[error("{0}")]
    Unreadable(String),
}

/// Changes a pack in memory, one change at a time, and plays scenarios. `progress` is called after every mutant with
/// their number, and returns whether to go on.
///
/// # Errors
/// If there is no such pack, or it has mistakes.
pub fn mutate(
    library: &Library,
    pack: &str,
    request: &MutateRequest,
    progress: impl FnMut(usize) -> bool,
) -> Result<MutationReport, MutateError> {
    let mutants = draw(mutants(library, pack)?, request);
    let played = run::play_all(library, pack, &mutants, request.threads, progress)?;
    Ok(MutationReport::new(pack, request.seed, mutants, played))
}

/// A sample of mutants, in the order of the files: the same for a seed on every machine.
pub fn draw(mutants: Vec<Mutant>, request: &MutateRequest) -> Vec<Mutant> {
    let Some(wanted) = request.sample else { return mutants };
    let mut drawn: Vec<(usize, Mutant)> = mutants.into_iter().enumerate().collect();
    drawn.sort_by_key(|(index, _)| (game_seed(request.seed, *index as u64), *index));
    drawn.truncate(wanted);
    drawn.sort_by_key(|(index, _)| *index);
    drawn.into_iter().map(|(_, mutant)| mutant).collect()
}
