//! How much work a bot may do for one answer: counted, as the kernel counts the work of an answer, so that no pack can keep a
//! bot busy for longer than anybody waits.
//!
//! A bot that has used up its budget answers with what it knows so far. What shipped games need is far below the budget.

use std::time::Instant;

use rulepack_kernel::Game;

use crate::kind::Effort;

/// The work that any bot may do.
const LEAST: u64 = 10_000_000;

/// The work for each game that the caller wants to be simulated. One of the shipped games takes 100,000 at most.
const PER_GAME: u64 = 500_000;

/// The clock is looked at after so much work.
const PER_LOOK: u64 = 200_000;

/// What an answer costs at least.
const PER_ANSWER: u64 = 16;

/// What is left of the work, or of the time, for one answer.
#[derive(Debug)]
pub struct Budget {
    left: u64,
    until: Option<Instant>,
    /// The work until the clock is looked at again.
    to_look: u64,
}

impl Budget {
    /// For so many games, or for a time. A time is a limit of its own: nothing is counted beside it.
    pub fn of(effort: Effort) -> Budget {
        match effort {
            Effort::Games(games) => Budget::counted(u64::from(games)),
            Effort::Time(time) => Budget { left: u64::MAX, until: Some(Instant::now() + time), to_look: PER_LOOK },
        }
    }

    /// For so many games.
    pub fn counted(games: u64) -> Budget {
        Budget { left: games.saturating_mul(PER_GAME).max(LEAST), until: None, to_look: 0 }
    }

    /// Takes work from it.
    pub fn pay(&mut self, work: u64) {
        self.left = self.left.saturating_sub(work);
        let Some(until) = self.until else { return };
        self.to_look = self.to_look.saturating_sub(work);
        if self.to_look == 0 {
            self.to_look = PER_LOOK;
            if Instant::now() >= until {
                self.left = 0;
            }
        }
    }

    /// Takes what the last answer has cost, which was one of so many options; `before` is the work of the game before it.
    pub fn pay_answer(&mut self, game: &Game, options: usize, before: u64) {
        // An answer that ends the game because it would go round in a loop is taken back: its work is only in the sum.
        let work = game.spent().work().max(game.work().saturating_sub(before));
        self.pay(PER_ANSWER + options as u64 / 4 + work);
    }

    /// Takes the price of a copy of a game.
    pub fn pay_copy(&mut self, game: &Game) {
        let options = game.decision().map_or(0, |decision| decision.options.len() as u64);
        self.pay(PER_ANSWER + options / 2 + game.state().copy_cost() as u64);
    }

    /// Whether it is used up.
    pub fn is_out(&self) -> bool {
        self.left == 0
    }
}
