//! Bots at a table: each answers for one seat, and sees what this seat sees.

use rulepack_model::Seat;
use rulepack_tools::{Bot, BotKind, Situation, Thought};

use crate::refused::Refused;
use crate::table::Table;

/// A bot that answers for one seat.
///
/// It thinks in tables that are drawn from what its seat knows, never in the true one, and its work for one answer is limited
/// (`docs/security.md`). Of players who choose at the same time, a bot answers when those before it have chosen.
#[derive(Debug)]
pub struct SeatedBot {
    seat: Seat,
    bot: Box<dyn Bot>,
    threads: usize,
    /// The table after its last answer: how often answers were undone, and how many there were.
    last: Option<(u64, usize)>,
}

impl SeatedBot {
    /// A bot of some kind. Its answers follow from the table and from the seed, unless it has a time to think.
    pub fn new(seat: Seat, kind: BotKind, seed: u64) -> SeatedBot {
        SeatedBot::of(seat, kind.bot(seed))
    }

    /// A bot of one's own.
    pub fn of(seat: Seat, bot: Box<dyn Bot>) -> SeatedBot {
        SeatedBot { seat, bot, threads: 1, last: None }
    }

    /// The same bot on so many threads; its answers do not depend on it.
    #[must_use]
    pub fn on_threads(self, threads: usize) -> SeatedBot {
        SeatedBot { threads, ..self }
    }

    /// The seat for which it answers.
    pub fn seat(&self) -> Seat {
        self.seat
    }

    /// What it would answer, and what it thinks of the other answers; nothing if it is not its turn.
    ///
    /// # Errors
    /// If the pack fails.
    pub fn thinks(&mut self, table: &Table) -> Result<Option<Thought>, Refused> {
        let game = table.game();
        let is_asked = game.decision().is_some_and(|decision| decision.seat == self.seat);
        let Some(situation) = Situation::of(game, table.session().game_box(), self.threads).filter(|_| is_asked) else {
            return Ok(None);
        };
        match self.last.take() == Some(at(table)) {
            true => self.bot.goes_on(),
            false => self.bot.forgets(),
        }
        self.bot.choose(&situation).map(Some).map_err(|fault| table.failed(self.seat, fault))
    }

    /// Answers the question to its seat, and says what it thought; nothing if it is not its turn.
    ///
    /// # Errors
    /// If the pack fails. The table is then unchanged.
    pub fn answers(&mut self, table: &mut Table) -> Result<Option<Thought>, Refused> {
        let Some(thought) = self.thinks(table)? else { return Ok(None) };
        table.answer_as(self.seat, table.revision(self.seat), usize::from(thought.answer.0))?;
        self.last = Some(at(table));
        Ok(Some(thought))
    }
}

fn at(table: &Table) -> (u64, usize) {
    (table.undone(), table.session().depth())
}

impl Table {
    /// Lets bots answer until a seat without a bot is asked, the game is over, or they have given so many answers; returns how
    /// many they have given.
    ///
    /// # Errors
    /// If the pack fails. The answers before stay.
    pub fn bots_answer(&mut self, bots: &mut [SeatedBot], most: usize) -> Result<usize, Refused> {
        for given in 0..most {
            let asked = self.game().decision().map(|decision| decision.seat);
            let bot = bots.iter_mut().find(|bot| asked == Some(bot.seat));
            let Some(bot) = bot else { return Ok(given) };
            bot.answers(self)?;
        }
        Ok(most)
    }
}
