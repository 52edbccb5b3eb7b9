//! Secrets: who sees which piece (`sight.rs`) and which value (`secrets.rs`), what a question tells the other players, and other tables that look the same to a player.
//!
//! `sight.rs` says who sees a piece. `question_leaks.rs` decides whether a question must be asked so that its absence tells
//! nothing. `resample.rs` makes a game that one player cannot tell from the real one; `sim --views` stands on it. `sampler.rs`
//! makes such games from what the player knows alone; bots stand on it.
//!
//! Nothing here changes the game that is being played.

pub(crate) mod position_aliases;
pub(crate) mod question_leaks;
pub(crate) mod recent;
pub(crate) mod resample;
pub(crate) mod sampler;
pub(crate) mod secret_reads;
pub(crate) mod secrets;
pub(crate) mod sight;
pub(crate) mod trace;
