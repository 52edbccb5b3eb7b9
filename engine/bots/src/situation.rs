//! What a bot is given: a question to a seat, and tables as they may be, judging by what the seat knows.

use std::rc::Rc;

use rulepack_kernel::{Answer, Decision, EffectHost, Fault, Game, Ruleset, TableSampler};
use rulepack_model::Seat;

use crate::keys::Keys;
use crate::random::RandomBot;

/// Gives each thread a host for scripts.
pub trait Hosts: Sync {
    /// The host of the present thread.
    ///
    /// # Errors
    /// If the scripts cannot be loaded.
    fn host(&self) -> Result<Rc<dyn EffectHost>, Fault>;
}

/// A question to a seat, and what the seat knows.
///
/// The true game is kept inside: whoever is given a situation reads the question, and draws tables that look to the seat like the
/// true one.
#[derive(Clone, Copy)]
pub struct Situation<'g> {
    game: &'g Game,
    decision: &'g Decision,
    hosts: &'g dyn Hosts,
    threads: usize,
}

impl std::fmt::Debug for Situation<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Situation").field("seat", &self.decision.seat).finish_non_exhaustive()
    }
}

impl<'g> Situation<'g> {
    /// The question that a game waits for; nothing if it is over. The bot may use so many threads; its answer does not depend on
    /// it.
    pub fn of(game: &'g Game, hosts: &'g dyn Hosts, threads: usize) -> Option<Situation<'g>> {
        Some(Situation { game, decision: game.decision()?, hosts, threads })
    }

    /// The rules.
    pub fn rules(&self) -> &'g Ruleset {
        self.game.rules()
    }

    /// Who is asked.
    pub fn seat(&self) -> Seat {
        self.decision.seat
    }

    /// How many options there are.
    pub fn options(&self) -> usize {
        self.decision.options.len()
    }

    /// An option by chance, as [`RandomBot`] chooses.
    pub fn by_chance(&self, bot: &mut RandomBot) -> Answer {
        bot.choose(self.rules(), self.decision)
    }

    /// What the options are called in this and in all tables that may be; two options never have the same name.
    pub fn keys(&self) -> Vec<u64> {
        let mut keys = Keys::default();
        keys.read(self.game, self.decision);
        keys.exact
    }

    /// How many threads may be used.
    pub fn threads(&self) -> usize {
        self.threads
    }

    /// Hosts for other threads.
    pub(crate) fn hosts(&self) -> &'g dyn Hosts {
        self.hosts
    }

    /// The game, to be asked about in another thread.
    pub(crate) fn copy(&self) -> Game {
        self.game.clone()
    }

    /// The script host of the present thread.
    ///
    /// # Errors
    /// As for [`Hosts::host`].
    pub fn host(&self) -> Result<Rc<dyn EffectHost>, Fault> {
        self.hosts.host()
    }

    /// Draws tables as they may be.
    ///
    /// # Errors
    /// If a script cannot be run again.
    pub fn tables(&self, host: &dyn EffectHost) -> Result<TableSampler<'g>, Fault> {
        TableSampler::new(self.game, host, self.decision.seat)
    }
}
