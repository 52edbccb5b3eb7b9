//! The plain meaning of the expression language: conditions, numbers, sets, costs and points, computed from the state.
//!
//! `expressions.rs` evaluates an expression by walking its tree, `sets.rs` walks the members of a set. `lower/` gives the same
//! results faster; where the two differ, this folder is right.
//!
//! Nothing here changes the state or asks a player.

pub(crate) mod bundle;
pub(crate) mod cache_policy;
pub(crate) mod expressions;
pub(crate) mod for_scripts;
pub(crate) mod kept_sets;
pub(crate) mod lines;
pub(crate) mod made_sets;
pub(crate) mod players;
pub(crate) mod prices;
pub(crate) mod score;
pub(crate) mod sets;
pub(crate) mod value_depth;
