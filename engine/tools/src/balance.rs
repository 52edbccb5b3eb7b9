//! Is a pack balanced, and what does a change of it do?
//!
//! [`balance`] plays games and says what is out of line (`remarks.rs`). [`compare`] plays the same seeds under two rules and says by
//! how much each figure differs, and how sure that is (`comparison.rs`).

mod comparison;
mod remarks;

use rulepack_bots::Seats;
use serde::Serialize;

use crate::calls::play_call;
use crate::load::{GameBox, Library};
use crate::report::REPORT_VERSION;
use crate::sim::{End, Played, SimReport, SimRequest, simulate};
use crate::statistics::Statistics;
use remarks::{Shown, remarks};

pub use comparison::{Comparison, Difference, Verdict, compare};

/// What to play.
#[derive(Debug, Clone)]
pub struct BalanceRequest {
    /// The bots, seat by seat.
    pub seats: Seats,
    /// How many games, at most.
    pub games: u64,
    /// The seed from which the seeds of the games follow.
    pub seed: u64,
    /// The number of threads; the results do not depend on it.
    pub threads: usize,
}

/// A figure of a pack.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct NamedFigure {
    /// Its name, such as `seat_advantage`.
    pub name: &'static str,
    /// The figure.
    pub value: f64,
    /// Its interval.
    pub interval: (f64, f64),
}

/// Something that a designer should look at.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Remark {
    /// What it is about, such as `seat-advantage`.
    pub code: &'static str,
    /// In words, with figures.
    pub text: String,
    /// Seeds of games that show it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seeds: Vec<u64>,
    /// Command lines that show these games; empty before [`BalanceReport::add_calls`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<String>,
}

/// What is out of line in a pack.
#[derive(Debug, Clone, Serialize)]
pub struct BalanceReport {
    /// The version of the format.
    pub version: u32,
    /// The seed from which the seeds of the games follow.
    pub seed: u64,
    /// What should be looked at.
    pub remarks: Vec<Remark>,
    /// The figures that `--fail-if` knows.
    pub figures: Vec<NamedFigure>,
    /// All games.
    pub games: SimReport,
}

/// Plays games and says what is out of line; `each` hears of every game, and can stop.
pub fn balance(game_box: &GameBox, request: &BalanceRequest, mut each: impl FnMut(&Played) -> bool) -> BalanceReport {
    let mut shown = Shown::default();
    let games = simulate(game_box, &request.sim(), |game| {
        shown.add(game);
        each(game)
    });
    let (remarks, figures) = match &games.statistics {
        Some(statistics) => (remarks(statistics, &shown), named_figures(statistics)),
        None => (Vec::new(), Vec::new()),
    };
    BalanceReport { version: REPORT_VERSION, seed: request.seed, remarks, figures, games }
}

impl BalanceRequest {
    /// The same as a simulation.
    fn sim(&self) -> SimRequest {
        SimRequest {
            games: self.games,
            seed: self.seed,
            threads: self.threads,
            seats: self.seats.clone(),
            statistics: true,
            ..SimRequest::default()
        }
    }

    /// A command line that shows one of the games again.
    pub fn call(&self, library: &Library, game_box: &GameBox, seed: u64) -> String {
        play_call(library, game_box.rules(), &self.sim(), seed)
    }
}

impl BalanceReport {
    /// Adds to each remark, and to each game that did not end by the rules, the command lines that show its games.
    pub fn add_calls(&mut self, library: &Library, game_box: &GameBox, request: &BalanceRequest) {
        for remark in &mut self.remarks {
            remark.calls = remark.seeds.iter().map(|seed| request.call(library, game_box, *seed)).collect();
        }
        self.games.add_calls(library, game_box, &request.sim());
    }
}

impl Shown {
    /// Takes a game into account that ended by the rules.
    fn add(&mut self, game: &Played) {
        if game.end != End::Finished {
            return;
        }
        // The first games come first, whatever the threads.
        let early = -i64::try_from(game.index).unwrap_or(i64::MAX);
        self.longest.add(i64::try_from(game.turns).unwrap_or(i64::MAX), game.seed);
        if let Some(margin) = margin(game) {
            self.widest.add(margin, game.seed);
        }
        if game.results.iter().filter(|(_, won)| *won).count() > 1 {
            self.drawn.add(early, game.seed);
        }
        if game.notes.as_ref().is_some_and(|notes| notes.lead_changes() == 0) {
            self.steady.add(early, game.seed);
        }
    }
}

/// How many points the first has more than the second.
fn margin(game: &Played) -> Option<i64> {
    let mut points: Vec<i64> = game.results.iter().map(|(points, _)| *points).collect();
    points.sort_unstable_by(|one, two| two.cmp(one));
    match points.as_slice() {
        [first, second, ..] => Some(first.saturating_sub(*second)),
        _ => None,
    }
}

fn named_figures(statistics: &Statistics) -> Vec<NamedFigure> {
    let mut figures = Vec::new();
    let even = 1.0 / statistics.seats.len().max(1) as f64;
    let favourite = statistics.seats.iter().max_by(|one, two| one.share.total_cmp(&two.share));
    if let (Some(seat), true) = (favourite, statistics.seats.len() > 1) {
        let (low, high) = seat.share_interval;
        let interval = (low - even, high - even);
        figures.push(NamedFigure { name: "seat_advantage", value: seat.share - even, interval });
        let (draws, games) = (statistics.draws as f64, statistics.games as f64);
        figures.push(NamedFigure {
            name: "draws",
            value: draws / games.max(1.0),
            interval: crate::interval::share(draws, games),
        });
    }
    let mut add = |name, figure: &crate::interval::Figure| {
        let interval = figure.interval.unwrap_or((f64::NEG_INFINITY, f64::INFINITY));
        figures.push(NamedFigure { name, value: figure.mean, interval });
    };
    add("turns", &statistics.turns);
    add("questions", &statistics.questions);
    add("options", &statistics.options);
    if let Some(margin) = &statistics.margin {
        add("margin", margin);
        add("lead_changes", &statistics.lead_changes);
    }
    if let Some(points) = statistics.bots.first().map(|bot| &bot.points) {
        add("points", points);
    }
    figures
}
