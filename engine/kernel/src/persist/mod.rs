//! Games as files: saving, loading, and the invariants of states.
//!
//! `save.rs` writes and reads a game, `header.rs` what a save and a log begin with, `validate.rs` checks a state that comes from a file field by field, `invariant.rs` checks
//! what must hold at every decision, `carry.rs` goes on with a game under changed rules, `canonical.rs` describes a game by names, whatever the layout of its structs.
//!
//! No file is opened here: texts come in, and texts go out.

pub(crate) mod canonical;
pub(crate) mod carry;
pub(crate) mod gone;
pub(crate) mod header;
pub(crate) mod invariant;
pub(crate) mod json_error;
pub(crate) mod recorded_answer;
pub(crate) mod save;
pub(crate) mod validate;
