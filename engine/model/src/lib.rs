//! What every stage shares: sources with spans, diagnostics, the tree with spans that packs are read into, dense ids,
//! work on several threads, and texts made safe for display.
//!
//! Nothing here reads a file, knows an expression or runs a game.

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

mod codes;
mod cut;
mod diagnostic;
mod hash;
mod ids;
mod letters;
mod nearest;
mod parallel;
mod source;
mod tree;
pub mod visible;

pub use codes::Code;
pub use cut::Cut;
pub use diagnostic::{Confidence, Diagnostic, Hides, Label, Origin, Severity, ShownBy, Ties, Unplaced};
pub use hash::{StableHasher, content_hash};
pub use ids::*;
pub use letters::{look_alike, plain_space};
pub use nearest::{did_you_mean, is_near, known_instead, nearest};
pub use parallel::{MOST_THREADS, all_threads, run_on_threads, side_by_side, side_by_side_with};
pub use source::{FileId, SourceFile, Sources, Span};
pub use tree::{Entries, Entry, Node, Table, Value};
