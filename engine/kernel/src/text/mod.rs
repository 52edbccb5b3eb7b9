//! Words and names for people and programs: views, options, log lines, reasons.
//!
//! `view.rs` has the types of a view and `view_maker.rs` fills them in; `words.rs` puts things into a language; `keys.rs` names
//! options by ids, in no language; `why/` says why something is not offered.
//!
//! Nothing here decides anything: it only describes what `flow/` and `eval/` have decided.

pub(crate) mod event_text;
pub(crate) mod expr_text;
pub(crate) mod handles;
pub(crate) mod keys;
pub(crate) mod phrases;
pub(crate) mod view;
pub(crate) mod view_maker;
pub(crate) mod why;
pub(crate) mod words;
