//! The expression language: text → [`ast`] → checked, compiled [`Expr`], [`Cost`] and [`Program`].
//!
//! Names are resolved against a [`Vocabulary`] that linking fills in. Nothing here runs anything.

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

pub mod ast;
mod cache;
mod check;
mod code;
mod effects;
mod error;
mod functions;
mod meant;
mod nesting;
mod notes;
mod operation;
mod origins;
mod parse;
mod recover;
mod slips;
mod step;
mod suggest;
mod synonyms;
#[cfg(test)]
mod tests;
mod visit;
mod vocabulary;

pub use cache::Parses;
pub use check::{Checker, DIRECTIONS, OWNER, Who, is_part_of_space};
pub use code::*;
pub use effects::AddedSteps;
pub use error::ExprError;
pub use functions::{FUNCTIONS, is_function};
pub use meant::{MEANT_EVERYWHERE, RESERVED, is_reserved, means_something, name_besides, number_word};
pub use nesting::with_room;
pub use notes::{About, End, EndPlace, Fact, Note};
pub use operation::{Ahead, Doubt, Filling, Moves, OpFacts};
pub use parse::{Part, PartKind, TextShape, parse_cost, parse_effect, parse_expr, parts};
pub use recover::{Recovered, recover};
pub use suggest::Suggestions;
pub use visit::Visitor;
pub use vocabulary::*;
