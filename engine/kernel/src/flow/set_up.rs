//! The set-up of a game up to its first question, and how it would have gone with other hidden pieces. Leak tests
//! compare both to see whether the set-up tells something hidden.
//!
//! Pieces are exchanged before the set-up begins, and chance stays the same. So each piece ends where the other would
//! have ended, and values that effects compute from it follow. Only pieces that are shuffled together are exchanged,
//! because the shuffle could have put them in any order.

use std::sync::Arc;

use rulepack_model::{PieceId, Seat};

use crate::flow::fault::Fault;
use crate::flow::frame::{Frame, PhaseFrame};
use crate::flow::game::Game;
use crate::flow::host::EffectHost;
use crate::flow::log::{Log, LogEntry};
use crate::hidden::resample::{Exchange, Hidden};
use crate::hidden::sight::{Sight, Viewer};
use crate::rules::ruleset::Ruleset;
use crate::state::rng::Rng;
use crate::state::table::State;

/// A game at its first question, with its history.
#[derive(Debug)]
pub struct SetUp {
    start: State,
    game: Game,
    events: Vec<LogEntry>,
    /// For each piece, the number of the event at which it was first shuffled.
    shuffled: Vec<Option<usize>>,
}

impl SetUp {
    /// Sets a game up, as [`Game::start`].
    ///
    /// # Errors
    /// If the pack fails.
    pub fn new(rules: &Arc<Ruleset>, seed: u64, host: &dyn EffectHost) -> Result<SetUp, Fault> {
        let start = first_state(rules, seed);
        let mut log = Log::wanted();
        let game = Game::begin(Arc::clone(rules), start.clone(), host, &mut log)?;
        let shuffled = first_shuffles(&start, &log.events);
        Ok(SetUp { start, game, events: log.events, shuffled })
    }

    /// The game at its first question.
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// What happened up to there.
    pub fn events(&self) -> &[LogEntry] {
        &self.events
    }

    /// Exchanges pieces of which a player has seen nothing up to the first question.
    pub fn exchange(&self, host: &dyn EffectHost, seat: Seat, seed: u64) -> Exchange {
        let rules = self.game.rules();
        let viewer = Viewer::Seat(seat);
        let sight = Sight::new(rules, self.game.state(), viewer);
        let is_fixed =
            |(index, shuffled): (usize, &Option<usize>)| shuffled.is_none() || sight.sees(PieceId::from(index));
        let mut fixed: Vec<bool> = self.shuffled.iter().enumerate().map(is_fixed).collect();
        let seen = self.events.iter().flat_map(|event| event.pieces_seen(viewer));
        let asked = self.game.decision().filter(|decision| decision.seat == seat);
        let offered =
            asked.into_iter().flat_map(|decision| decision.options.iter().filter_map(|option| option.piece()));
        seen.chain(offered).for_each(|piece| fixed[piece.index()] = true);
        let hidden = Hidden::apart(rules, &self.start, &fixed, |piece| self.shuffled[piece.index()]);
        let exchange = Exchange::shuffling(&hidden, fixed.len(), &mut Rng::new(seed));
        exchange.with_values(rules, host, &self.start, seat, seed)
    }

    /// The same game, set up after pieces were exchanged, and its events.
    ///
    /// # Errors
    /// If the pack fails.
    pub fn again(&self, host: &dyn EffectHost, exchange: &Exchange) -> Result<(Game, Vec<LogEntry>), Fault> {
        let mut log = Log::wanted();
        let game = self.begin(host, exchange, &mut log)?;
        Ok((game, log.events))
    }

    pub(crate) fn begin(&self, host: &dyn EffectHost, exchange: &Exchange, log: &mut Log) -> Result<Game, Fault> {
        let rules = self.game.rules();
        Game::begin(Arc::clone(rules), self.start.exchanged(rules, exchange), host, log)
    }

    /// Ends it, together with its waiting scripts.
    pub fn abandon(self, host: &dyn EffectHost) {
        self.game.abandon(host);
    }
}

/// The state in which a game begins, before anything is set up.
pub(crate) fn first_state(rules: &Ruleset, seed: u64) -> State {
    let mut state = State::new(rules, seed);
    if let Some(root) = rules.root {
        state.push_frame(Frame::Phase(PhaseFrame::new(root)));
    }
    state
}

/// For each piece, the number of the event at which it was first shuffled.
fn first_shuffles(start: &State, events: &[LogEntry]) -> Vec<Option<usize>> {
    let mut zones: Vec<_> = start.stored().pieces.iter().map(|piece| piece.zone).collect();
    let mut first = vec![None; zones.len()];
    for (number, event) in events.iter().enumerate() {
        match event {
            LogEntry::Moved { piece, to, .. } => zones[piece.index()] = to.zone,
            LogEntry::Shuffled { zone } => {
                let lies_there = |(_, lies): &(&mut Option<usize>, _)| *lies == zone;
                for (first, _) in first.iter_mut().zip(&zones).filter(lies_there) {
                    first.get_or_insert(number);
                }
            }
            _ => {}
        }
    }
    first
}
