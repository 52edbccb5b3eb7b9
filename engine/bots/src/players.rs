//! The bots at a table.

use rulepack_kernel::{Fault, Game, Rng};
use rulepack_model::Seat;

use crate::Bot;
use crate::kind::{BotKind, Seats};
use crate::random::RandomBot;
use crate::situation::{Hosts, Situation};
use crate::thought::Thought;

/// The bots at a table, and who answered last.
#[derive(Debug)]
pub struct Players {
    /// One for all seats that play by chance, so that a game by chance follows from its seed alone.
    chance: RandomBot,
    seats: Vec<Player>,
    last: Option<Seat>,
}

#[derive(Debug)]
enum Player {
    Person,
    Chance,
    Bot(Box<dyn Bot>),
}

impl Players {
    /// The bots of a game with a seed. Their choices follow from the seed and the seat.
    pub fn new(seats: &Seats, seed: u64) -> Players {
        let player = |(seat, kind): (usize, &Option<BotKind>)| match kind {
            None => Player::Person,
            Some(BotKind::Random) => Player::Chance,
            Some(kind) => Player::Bot(kind.bot(Rng::new(seed.wrapping_add(seat as u64)).next_u64())),
        };
        Players { chance: RandomBot::new(seed), seats: seats.iter().enumerate().map(player).collect(), last: None }
    }

    /// The answer of the bot that is asked; nothing if a person is, or if the game is over.
    ///
    /// # Errors
    /// If a script of the pack cannot be run again.
    pub fn choose(&mut self, game: &Game, hosts: &dyn Hosts, threads: usize) -> Result<Option<Thought>, Fault> {
        let Some(decision) = game.decision() else { return Ok(None) };
        let seat = decision.seat;
        let own = self.last.replace(seat) == Some(seat);
        match self.seats.get_mut(seat.index()) {
            None | Some(Player::Person) => Ok(None),
            Some(Player::Chance) => Ok(Some(Thought::plain(self.chance.choose(game.rules(), decision)))),
            Some(Player::Bot(bot)) => {
                if own {
                    bot.goes_on()
                } else {
                    bot.forgets()
                }
                Situation::of(game, hosts, threads).map(|situation| bot.choose(&situation)).transpose()
            }
        }
    }

    /// Something else than an answer has happened: answers were taken back.
    pub fn forget(&mut self) {
        self.last = None;
    }
}
