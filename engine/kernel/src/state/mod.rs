//! The state: everything that changes while a game is played, and the caches that are derived from it.
//!
//! `table.rs` has the state itself: pieces, zones, resources, variables, the stack of frames. `cache.rs` and `roster.rs` keep
//! what was computed from it; `chance.rs` draws the random numbers; `fuel.rs` counts the work that an answer may still cost.
//!
//! Whoever reads the state is recorded as a reader, whoever writes it as a writer: that is how the caches know what is out
//! of date. Nothing here knows what a rule means (see `eval/`) or what comes next (see `flow/`).

pub(crate) mod cache;
pub(crate) mod chance;
pub(crate) mod editor;
pub(crate) mod fuel;
pub(crate) mod rng;
pub(crate) mod roster;
pub(crate) mod table;
pub(crate) mod value;
