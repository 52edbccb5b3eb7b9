//! Bots for every game: by chance, one step ahead, and by Monte Carlo tree search.
//!
//! A bot is asked in a [`Situation`]: a question to a seat, and tables as they may be, judging by what the seat knows. It never
//! reads the true table, and nothing here knows a game.
//!
//! - `random.rs`, `greedy.rs`, `mcts.rs`: the bots. `kind.rs`: what they are called on the command line. `players.rs`: those at a
//!   table.
//! - `situation.rs`: what a bot is given. `thought.rs`: what it gives back.
//! - `budget.rs`: how much work a bot may do for one answer.
//! - `tree.rs`: one search tree. `playout.rs`: a game that is played on by chance. `weights.rs`: which options did well in earlier
//!   playouts. `worth.rs`: what an end, or a table in between, is worth to each seat. `keys.rs`: what an option is called in all
//!   tables that may be.

mod budget;
mod greedy;
mod keys;
mod kind;
mod mcts;
mod players;
mod playout;
mod random;
mod situation;
mod thought;
mod tree;
mod weights;
mod worth;

pub use greedy::Greedy;
pub use kind::{BotKind, Effort, KindError, Seats, seats};
pub use mcts::Mcts;
pub use players::Players;
pub use random::RandomBot;
pub use situation::{Hosts, Situation};
pub use thought::{Judged, Thought};

use rulepack_kernel::Fault;

/// Answers questions for one seat.
pub trait Bot: std::fmt::Debug + Send {
    /// The answer to a question, and what the bot thinks of all of them.
    ///
    /// # Errors
    /// If a script of the pack cannot be run again.
    fn choose(&mut self, situation: &Situation<'_>) -> Result<Thought, Fault>;

    /// The bot's own answer has been given, and the seat is asked the next question before anybody else is: a bot may go on from
    /// what it has found out.
    fn goes_on(&mut self) {}

    /// Something else has happened since: answers of others, or answers that were taken back.
    fn forgets(&mut self) {}
}
