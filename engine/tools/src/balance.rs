//! Is a pack balanced, and what does a change of it do?
//!
//! [`balance`] plays games and says what is out of line (`remarks.rs`). [`compare`] plays the same seeds under two rules and says by
//! how much each figure differs, and how sure that is (`comparison.rs`).

mod comparison;
mod remarks;

use rulepack_bots::Seats;
use serde::Serialize;

use crate::load::GameBox;
use crate::report::REPORT_VERSION;
use crate::sim::{Played, SimReport, SimRequest, simulate};
use crate::statistics::Statistics;
use remarks::{Extremes, remarks};

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
    let (mut longest, mut widest) = (Extremes::default(), Extremes::default());
    let sim = SimRequest {
        games: request.games,
        seed: request.seed,
        threads: request.threads,
        seats: request.seats.clone(),
        statistics: true,
        ..SimRequest::default()
    };
    let games = simulate(game_box, &sim, |game| {
        longest.add(game.turns as i64, game.seed);
        if let Some(margin) = margin(game) {
            widest.add(margin, game.seed);
        }
        each(game)
    });
    let (remarks, figures) = match &games.statistics {
        Some(statistics) => (remarks(statistics, &longest, &widest), named_figures(statistics)),
        None => (Vec::new(), Vec::new()),
    };
    BalanceReport { version: REPORT_VERSION, seed: request.seed, remarks, figures, games }
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
