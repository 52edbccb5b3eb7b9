//! What can be done: every question of the kind "could this be carried out?" stands here.
//!
//! | question | file |
//! |---|---|
//! | can this action be taken, with what is known of its parameters? | `actions.rs` |
//! | can this effect be carried out? | `effects.rs` |
//! | as many things as must be can be chosen: tried on a copy of the table | `attempts.rs` |
//! | does a free action lead to something new, and can its surroundings go on? | `free_actions.rs` |
//! | can somebody pay, can the supply give? | `payments.rs` |
//! | how much more can be kept on a piece or by a player? | `room.rs` |
//! | what could be chosen for all that others know? | `for_others.rs` |
//!
//! Nothing here changes the table; what is tried is tried on a copy. What is then listed at a question stands in
//! `flow/options.rs`; how the reasons are told to people in `text/why/`.

pub(crate) mod actions;
pub(crate) mod attempts;
pub(crate) mod effects;
pub(crate) mod for_others;
pub(crate) mod free_actions;
pub(crate) mod payments;
pub(crate) mod room;
