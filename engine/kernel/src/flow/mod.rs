//! The flow: what happens next.
//!
//! `game.rs` is the face: start, pending question, answer. `machine.rs` is the loop: the frame on top of the stack
//! (`frame.rs`) does its next step until a player must be asked (`decision.rs`). One file for each kind of frame: phases,
//! actions, effects, choices, events, transfers of resources, scripts. `operations/` has what each operation of an effect does,
//! `pieces.rs` and `transfer.rs` are the only places that move pieces and resources.
//!
//! `feasible/` has all questions of the kind "can it be done?", `options.rs` what is listed at a question.
//!
//! Only this folder changes the state of a running game. How an expression is evaluated stands in `eval/`; texts for people
//! stand in `text/`.

pub(crate) mod actions;
mod asked;
pub(crate) mod choices;
pub(crate) mod decision;
pub(crate) mod effects;
pub(crate) mod ends;
pub(crate) mod events;
pub(crate) mod fault;
pub(crate) mod feasible;
pub(crate) mod forced;
pub(crate) mod frame;
pub(crate) mod free_actions;
pub(crate) mod game;
pub(crate) mod host;
pub(crate) mod log;
pub(crate) mod loops;
pub(crate) mod machine;
pub(crate) mod operations;
pub(crate) mod options;
pub(crate) mod phases;
pub(crate) mod pieces;
mod repetition;
pub(crate) mod scripts;
pub(crate) mod set_up;
pub(crate) mod standing;
pub(crate) mod together;
pub(crate) mod transfer;
pub(crate) mod where_it_failed;
