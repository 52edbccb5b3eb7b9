//! The rules: everything that never changes while a game is played.
//!
//! `ruleset.rs` has the definitions that a pack is linked into: kinds, types, zones, resources, phases, actions, effects.
//! `layout/` has the spaces of zones, one file for each kind of layout.
//! `sorting.rs` has the order in which the pieces of a zone are shown.
//! `look.rs` has the colours and icons that a pack asks for; no rule reads them.
//! `facts.rs` has tables that are computed from them once, such as which types hear which event.
//!
//! Nothing here reads or changes the state of a game (see `state/`), and nothing here decides what happens (see `flow/`).

pub(crate) mod facts;
pub(crate) mod layout;
pub(crate) mod limits;
pub(crate) mod look;
pub(crate) mod meaning;
pub mod ruleset;
pub(crate) mod shortcuts;
pub(crate) mod sorting;
pub(crate) mod translations;
