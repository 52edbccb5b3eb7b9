//! The table on a full screen.
//!
//! `text.rs` has lines with looks, `board.rs` draws a view as lines, `model.rs` puts table, question and messages together for a
//! window, `keys.rs` gives options their keys. None of them knows a terminal. `terminal.rs` draws lines and reads keys, `asked.rs` puts a question on
//! the screen, `talk.rs` says what a key does, `texts.rs` what the screen says.

mod asked;
mod board;
mod keys;
mod model;
mod talk;
mod terminal;
#[cfg(test)]
mod tests;
mod text;
mod texts;

pub use board::Board;
pub use talk::ScreenTalk;
pub use text::{Line, Look};
