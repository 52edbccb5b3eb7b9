//! The state: everything that changes while a game is played, and the caches that are derived from it.
//!
//! `table.rs` has the state itself; the files in `table/` read and change it: pieces, resources, variables and turns, the stack
//! of frames, and the table as it is stored. `editor.rs` sets a table up for scenarios. `cache.rs` is the cache, with
//! `read_set.rs` (reads and changes), `value_tables.rs` and `roster.rs`; `chance.rs` draws the random numbers; `fuel.rs` counts
//! the work that an answer may still cost.
//!
//! Every method that reads the state notes what it read, every method that writes notes what it changed: from these notes the
//! caches know what is out of date. The fields are private, so there is no way around it. Nothing here knows what a rule
//! means (see `eval/`) or what comes next (see `flow/`).

pub(crate) mod cache;
pub(crate) mod chance;
pub(crate) mod editor;
pub(crate) mod fuel;
mod read_set;
pub(crate) mod rng;
pub(crate) mod roster;
pub(crate) mod table;
pub(crate) mod value;
mod value_tables;
