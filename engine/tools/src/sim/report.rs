//! What a simulation found out: sums over its games, which are added up as they end.

use std::collections::{BTreeMap, HashMap};
use std::hash::Hasher;

use rulepack_model::{Sources, StableHasher, TypeId};
use serde::Serialize;

use super::{End, Played, SimRequest};
use crate::blame::fault_places;
use crate::calls::{capped_call, play_call, sim_call};
use crate::load::{GameBox, Library};
use crate::report::REPORT_VERSION;
use crate::statistics::{Ended, Statistics, Tallies};

/// The result of a simulation.
#[derive(Debug, Clone, Serialize)]
pub struct SimReport {
    /// The version of the format.
    pub version: u32,
    /// The pack.
    pub pack: String,
    /// Modes in use.
    pub modes: Vec<String>,
    /// The number of players.
    pub players: u8,
    /// The number of games that were begun.
    pub games: u64,
    /// Ended by the rules.
    pub finished: u64,
    /// Stopped by a cap.
    pub capped: u64,
    /// Stopped by a fault.
    pub failed: u64,
    /// Decisions with two or more options.
    pub decisions: u64,
    /// Turns.
    pub turns: u64,
    /// The work of the kernel: members and operations, the same on every machine.
    #[serde(skip)]
    pub work: u64,
    /// The time it took.
    pub seconds: f64,
    /// Games per second.
    pub games_per_second: f64,
    /// Decisions per second.
    pub decisions_per_second: f64,
    /// A hash of the final states of all games, in the order of the games.
    pub digest: String,
    /// The largest number of options of any decision.
    pub max_options: usize,
    /// Games that failed, one for all that failed in the same way; at most [`MOST_FAILURES`].
    pub failures: Vec<Failure>,
    /// Games that a cap stopped; at most [`MOST_FAILURES`].
    pub capped_games: Vec<Failure>,
    /// Who won, with how many points, and how, if that was wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Statistics>,
    /// Types of which a piece left its starting zone, as `kind.type`.
    #[serde(skip)]
    pub types_used: Vec<String>,
}

/// A game that did not end by the rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The seed of the game.
    pub seed: u64,
    /// The failure, in words.
    pub message: String,
    /// A command line that shows the game again; empty before [`SimReport::add_calls`].
    pub call: String,
    /// The place, as `path:line:column`, if it was looked up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The number of games that ended in this way.
    pub games: u64,
    /// The number of answers.
    #[serde(skip)]
    pub answers: u64,
}

impl SimReport {
    /// Looks up the places of the failures.
    pub fn locate(&mut self, game_box: &GameBox, sources: &Sources) {
        for failure in &mut self.failures {
            let places = fault_places(&failure.message, &game_box.catalogue().definitions, sources);
            failure.at = places.first().map(|label| {
                let (path, line, column) = sources.position(label.span);
                format!("{path}:{line}:{column}")
            });
        }
    }
}

impl SimReport {
    /// Adds to each game that did not end by the rules the command line that shows it again. A failure of a test after
    /// an answer needs `sim`; all others need `play`.
    pub fn add_calls(&mut self, library: &Library, game_box: &GameBox, request: &SimRequest) {
        let rules = game_box.rules();
        let is_checked = request.invariants || request.views;
        for game in &mut self.failures {
            game.call = match is_checked {
                true => sim_call(library, rules, request, game.seed),
                false => play_call(library, rules, request, game.seed),
            };
        }
        for game in &mut self.capped_games {
            game.call = capped_call(library, rules, request, game.seed, game.answers);
        }
    }
}

/// The largest number of failed games, and of games stopped by a cap, that are listed one by one. All are counted.
pub const MOST_FAILURES: usize = 10_000;

/// Sums over the games as they end: the memory does not grow with their number.
pub(super) struct Tally {
    report: SimReport,
    used: Vec<bool>,
    digest: StableHasher,
    /// The index of the next game that goes into the digest.
    next: u64,
    /// The hashes of games that ended before an earlier game.
    early: BTreeMap<u64, u128>,
    failures: BTreeMap<u64, Failure>,
    /// The index of each failure by its message.
    alike: HashMap<String, u64>,
    capped: BTreeMap<u64, Failure>,
    tallies: Option<Tallies>,
}

impl Tally {
    pub(super) fn new(game_box: &GameBox, request: &SimRequest) -> Tally {
        let rules = game_box.rules();
        let report = SimReport {
            version: REPORT_VERSION,
            pack: rules.pack.clone(),
            modes: rules.modes.clone(),
            players: rules.players,
            games: 0,
            finished: 0,
            capped: 0,
            failed: 0,
            decisions: 0,
            turns: 0,
            work: 0,
            seconds: 0.0,
            games_per_second: 0.0,
            decisions_per_second: 0.0,
            digest: String::new(),
            max_options: 0,
            failures: Vec::new(),
            capped_games: Vec::new(),
            statistics: None,
            types_used: Vec::new(),
        };
        Tally {
            report,
            used: vec![false; rules.types.len()],
            digest: StableHasher::new(),
            next: request.first,
            early: BTreeMap::new(),
            failures: BTreeMap::new(),
            alike: HashMap::new(),
            capped: BTreeMap::new(),
            tallies: request.statistics.then(|| Tallies::new(rules, &request.seats)),
        }
    }

    pub(super) fn add(&mut self, game: Played) {
        let report = &mut self.report;
        report.games += 1;
        report.decisions += game.decisions;
        report.turns += game.turns;
        report.work += game.work;
        report.max_options = report.max_options.max(game.max_options);
        for (all, this) in self.used.iter_mut().zip(&game.used) {
            *all |= this;
        }
        if let (Some(tallies), Some(notes), End::Finished) = (&mut self.tallies, &game.notes, &game.end) {
            let Played { index, seed, results, turns, decisions, .. } = &game;
            let (index, seed) = (*index, *seed);
            tallies.add(Ended { index, seed, results, turns: *turns, questions: *decisions, notes });
        }
        let (seed, answers) = (game.seed, game.answers);
        let failure = |message: String| Failure { seed, message, call: String::new(), at: None, games: 1, answers };
        match game.end {
            End::Finished => report.finished += 1,
            End::Capped => {
                report.capped += 1;
                let message = format!("it did not end after {} turns and {} answers", game.turns, game.answers);
                keep_first(&mut self.capped, game.index, failure(message));
            }
            End::Failed(message) | End::Leaked(message) => {
                report.failed += 1;
                keep_first_alike(&mut self.failures, &mut self.alike, game.index, failure(message));
            }
        }
        self.early.insert(game.index, game.hash);
        while let Some(hash) = self.early.remove(&self.next) {
            self.digest.write(&hash.to_le_bytes());
            self.next += 1;
        }
    }

    pub(super) fn report(mut self, game_box: &GameBox, seconds: f64) -> SimReport {
        let rules = game_box.rules();
        // If the simulation was stopped, some were never played.
        for hash in self.early.values() {
            self.digest.write(&hash.to_le_bytes());
        }
        let path = |ty: usize| {
            let declared = &rules.types[TypeId::from(ty).index()];
            format!("{}.{}", rules.kinds[declared.kind.index()].name, declared.name)
        };
        let rate = |n: u64| if seconds > 0.0 { n as f64 / seconds } else { 0.0 };
        SimReport {
            seconds,
            games_per_second: rate(self.report.games),
            decisions_per_second: rate(self.report.decisions),
            digest: format!("{:032x}", self.digest.finish128()),
            failures: self.failures.into_values().collect(),
            capped_games: self.capped.into_values().collect(),
            statistics: self.tallies.map(|tallies| tallies.statistics(rules)),
            types_used: (0..rules.types.len()).filter(|ty| self.used[*ty]).map(path).collect(),
            ..self.report
        }
    }
}

/// Keeps the first of the games that failed in the same way, and counts them.
fn keep_first_alike(
    all: &mut BTreeMap<u64, Failure>,
    alike: &mut HashMap<String, u64>,
    index: u64,
    mut failure: Failure,
) {
    let known = alike.get(&failure.message).copied();
    if let Some(before) = known.and_then(|known| all.remove(&known)) {
        failure.games += before.games;
        if known < Some(index) {
            failure = Failure { games: failure.games, ..before };
        }
    }
    let index = known.map_or(index, |known| known.min(index));
    alike.insert(failure.message.clone(), index);
    all.insert(index, failure);
    if all.len() > MOST_FAILURES
        && let Some((_, last)) = all.pop_last()
    {
        alike.remove(&last.message);
    }
}

/// Keeps the first entries of a list.
fn keep_first(all: &mut BTreeMap<u64, Failure>, index: u64, failure: Failure) {
    all.insert(index, failure);
    if all.len() > MOST_FAILURES {
        all.pop_last();
    }
}
