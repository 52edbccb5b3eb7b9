//! Feasibility: every question of the kind "can this be carried out?" is answered here.
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
//! Nothing here changes the table: attempts run on copies. `flow/options.rs` makes the lists of options, `text/why/` puts the
//! reasons into words.

pub(crate) mod actions;
pub(crate) mod attempts;
pub(crate) mod effects;
pub(crate) mod for_others;
pub(crate) mod free_actions;
pub(crate) mod payments;
pub(crate) mod room;
