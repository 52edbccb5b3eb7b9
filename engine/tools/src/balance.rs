//! Is a pack balanced, and what does a change of it do?
//!
//! [`balance`] plays games and says what is out of line. [`compare`] plays the same seeds under two rules and says by how much each
//! figure differs, and how sure that is. It looks again and again, so its intervals are made for that: they hold at all times at
//! once (a confidence sequence with a normal mixture), for all figures together.

use std::collections::BTreeMap;

use rulepack_bots::Seats;
use rulepack_kernel::Fault;
use rulepack_model::{MOST_THREADS, run_on_threads};
use rulepack_script::ScriptHost;
use serde::Serialize;

use crate::interval::Sums;
use crate::load::GameBox;
use crate::report::REPORT_VERSION;
use crate::sim::{Played, SimReport, SimRequest, game_seed, play, simulate};
use crate::statistics::{AnswerStatistics, Statistics};

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

/// So many games of a sort are named.
const NAMED: usize = 3;

/// An answer that was offered in fewer games says nothing about how often it is given.
const OFTEN_OFFERED: u64 = 20;

/// An answer that is given in a smaller share of the games that offer it is hardly ever given.
const HARDLY: f64 = 0.02;

/// So many answers of a sort are named.
const MOST_ANSWERS: usize = 12;

/// Games with the largest numbers of something.
#[derive(Debug, Default)]
struct Extremes(Vec<(i64, u64)>);

impl Extremes {
    fn add(&mut self, number: i64, seed: u64) {
        self.0.push((number, seed));
        self.0.sort_unstable_by(|one, other| other.cmp(one));
        self.0.truncate(NAMED);
    }

    fn seeds(&self) -> Vec<u64> {
        self.0.iter().map(|(_, seed)| *seed).collect()
    }
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

fn remarks(statistics: &Statistics, longest: &Extremes, widest: &Extremes) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let mut add = |code, text: String, seeds| remarks.push(Remark { code, text, seeds });
    let is_alone = statistics.seats.len() == 1;
    let even = 1.0 / statistics.seats.len().max(1) as f64;
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    for seat in statistics.seats.iter().filter(|_| !is_alone && statistics.bots.len() == 1) {
        let (low, high) = seat.share_interval;
        if low > even || high < even {
            let (name, share) = (&seat.name, percent(seat.share));
            let text = format!("{name} wins {share} ({} to {}), not {}", percent(low), percent(high), percent(even));
            add("seat-advantage", text, Vec::new());
        }
    }
    let scale = |answer: &AnswerStatistics| answer.effect.map_or(0.0, |effect| effect.difference);
    let mut odd: Vec<&AnswerStatistics> = statistics.answers.iter().filter(|answer| answer.is_out_of_line).collect();
    odd.sort_by(|one, two| scale(two).abs().total_cmp(&scale(one).abs()));
    for answer in odd.into_iter().take(MOST_ANSWERS) {
        let Some(effect) = answer.effect else { continue };
        let told = |number: f64| match is_alone {
            true => format!("{number:+.1}"),
            false => format!("{:+.1} %", 100.0 * number),
        };
        let text = format!(
            "`{}`: {} {} with it than without it ({} to {}), given in {} of {} games that offered it",
            answer.name(),
            told(effect.difference),
            if is_alone { "points" } else { "of the victories" },
            told(effect.interval.0),
            told(effect.interval.1),
            answer.games_with,
            answer.games_with + answer.games_without,
        );
        add(if effect.difference > 0.0 { "goes-with-winning" } else { "goes-with-losing" }, text, Vec::new());
    }
    let given = |answer: &&AnswerStatistics| {
        let offered = answer.games_with + answer.games_without;
        offered >= OFTEN_OFFERED && (answer.games_with as f64) < HARDLY * offered as f64
    };
    let dead: Vec<String> =
        statistics.answers.iter().filter(given).map(|answer| format!("`{}`", answer.name())).collect();
    if !dead.is_empty() {
        let more = dead.len().saturating_sub(MOST_ANSWERS);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let named = dead.iter().take(MOST_ANSWERS).cloned().collect::<Vec<_>>().join(", ");
        add("hardly-ever-taken", format!("offered, but hardly ever taken: {named}{more}"), Vec::new());
    }
    if statistics.draws as f64 > 0.3 * statistics.games as f64 {
        let share = percent(statistics.draws as f64 / statistics.games.max(1) as f64);
        add("many-draws", format!("{share} of the games are draws"), Vec::new());
    }
    let turns = &statistics.turns;
    let far = turns.mean + 3.0 * turns.deviation;
    if turns.most as f64 > far && turns.deviation > 0.0 {
        let text = format!("games of up to {} turns, where {:.0} are usual", turns.most, turns.mean);
        add("long-games", text, longest.seeds());
    }
    if let Some(margin) = &statistics.margin
        && margin.most as f64 > margin.mean + 3.0 * margin.deviation
    {
        let text = format!("margins of up to {} points, where {:.0} are usual", margin.most, margin.mean);
        add("one-sided-games", text, widest.seeds());
    }
    if !is_alone && statistics.margin.is_some_and(|margin| margin.most > 0) && statistics.lead_changes.mean < 0.5 {
        let text = format!(
            "the lead changes {:.1} times a game: who leads first mostly stays first",
            statistics.lead_changes.mean
        );
        add("lead-stays", text, Vec::new());
    }
    remarks
}

// ---- two rules ----

/// What differs between two rules.
#[derive(Debug, Clone, Serialize)]
pub struct Comparison {
    /// The version of the format.
    pub version: u32,
    /// The seed from which the seeds of the games follow.
    pub seed: u64,
    /// How many pairs of games were played.
    pub pairs: u64,
    /// Pairs of which a game did not end by the rules: they do not count.
    pub unfinished: u64,
    /// Figure by figure.
    pub differences: Vec<Difference>,
}

/// How a figure differs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Difference {
    /// Its name.
    pub name: &'static str,
    /// Its mean before the change.
    pub before: f64,
    /// Its mean after it.
    pub after: f64,
    /// How much larger it is after it.
    pub difference: f64,
    /// The interval of the difference.
    pub interval: (f64, f64),
    /// A smaller difference is none: a quarter of what single games differ by.
    pub threshold: f64,
    /// What is clear.
    pub verdict: Verdict,
}

/// What is clear about a difference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// There is one.
    Differs,
    /// There is none above the threshold.
    NoDifference,
    /// More games would have to be played.
    NotClear,
}

/// The share of runs in which some figure is wrongly said to differ.
const WRONG: f64 = 0.05;

/// Whether the answer is clear is looked at after so many pairs, and again after as many more.
const PAIRS_PER_LOOK: u64 = 10;

/// Fewer pairs prove nothing.
const LEAST_PAIRS: u64 = 20;

/// The intervals are as narrow as can be after about so many pairs.
const USUAL_PAIRS: f64 = 100.0;

/// Numbers of a game are kept in parts of one, so that means and shares are whole numbers.
const PARTS: i64 = 2_520;

#[derive(Debug, Clone, Copy, Default)]
struct Paired {
    before: Sums,
    after: Sums,
    difference: Sums,
}

impl Paired {
    fn told(&self, name: &'static str, figures: usize) -> Difference {
        let parts = PARTS as f64;
        let (count, alpha) = (self.difference.count() as f64, WRONG / figures as f64);
        let surprise = -2.0 * alpha.ln();
        let mixed = (surprise + surprise.ln() + 1.0) / USUAL_PAIRS;
        let grown = count * mixed + 1.0;
        let width = match self.difference.count() < LEAST_PAIRS {
            true => f64::INFINITY,
            false => {
                let units = (2.0 * grown / (count * count * mixed) * (grown.sqrt() / alpha).ln()).sqrt();
                units * self.difference.variance().sqrt() / parts
            }
        };
        let difference = self.difference.mean() / parts;
        let interval = (difference - width, difference + width);
        let threshold = self.before.variance().sqrt() / parts / 4.0;
        let verdict = match interval {
            (low, high) if low > 0.0 || high < 0.0 => Verdict::Differs,
            (low, high) if low >= -threshold && high <= threshold => Verdict::NoDifference,
            _ => Verdict::NotClear,
        };
        let (before, after) = (self.before.mean() / parts, self.after.mean() / parts);
        Difference { name, before, after, difference, interval, threshold, verdict }
    }
}

/// The figures of a game that ended by the rules.
fn of_game(game: &Played) -> Option<Vec<(&'static str, i64)>> {
    let seats = i64::try_from(game.results.len()).ok().filter(|seats| *seats > 0)?;
    let whole = |number: u64| i64::try_from(number).unwrap_or(i64::MAX / PARTS).saturating_mul(PARTS);
    let sum = game.results.iter().fold(0_i64, |sum, (points, _)| sum.saturating_add(*points));
    let mut figures = vec![
        ("turns", whole(game.turns)),
        ("questions", whole(game.decisions)),
        ("points", sum.saturating_mul(PARTS) / seats),
    ];
    if let Some(margin) = margin(game) {
        let winners = game.results.iter().filter(|(_, won)| *won).count().max(1) as i64;
        let first = if game.results[0].1 { PARTS / winners } else { 0 };
        figures.push(("margin", margin.saturating_mul(PARTS)));
        figures.push(("first_seat", first));
    }
    Some(figures)
}

/// Plays the same seeds under two rules until the answer is clear: some figure differs, or none does by more than its threshold.
/// `each` hears of every pair, and can stop.
pub fn compare(
    before: &GameBox,
    after: &GameBox,
    request: &BalanceRequest,
    mut each: impl FnMut() -> bool,
) -> Comparison {
    type Pair = (Option<Vec<(&'static str, i64)>>, Option<Vec<(&'static str, i64)>>);
    let sim = SimRequest { seats: request.seats.clone(), ..SimRequest::default() };
    let one = |game_box: &GameBox, host: &Result<ScriptHost, Fault>, index: u64| {
        let host = host.as_ref().ok()?;
        let game = play(game_box, host, &sim, index, game_seed(request.seed, index));
        host.collect_garbage();
        of_game(&game)
    };
    let work = |hosts: &mut [Result<ScriptHost, Fault>; 2], index: u64| -> Pair {
        (one(before, &hosts[0], index), one(after, &hosts[1], index))
    };
    let mut figures: BTreeMap<&'static str, Paired> = BTreeMap::new();
    let (mut next, mut unfinished, mut is_clear) = (0, 0, false);
    let mut early: BTreeMap<u64, Pair> = BTreeMap::new();
    run_on_threads(
        vec![(); request.threads.clamp(1, MOST_THREADS)],
        request.games,
        |()| [before.host(), after.host()],
        work,
        |index, pair| {
            early.insert(index, pair);
            // In the order of the seeds, so that the number of threads changes nothing.
            while let Some(pair) = early.remove(&next).filter(|_| !is_clear) {
                next += 1;
                match pair {
                    (Some(one), Some(other)) => one.into_iter().zip(other).for_each(|((name, one), (_, other))| {
                        let paired = figures.entry(name).or_default();
                        paired.before.add(one);
                        paired.after.add(other);
                        paired.difference.add(other.saturating_sub(one));
                    }),
                    _ => unfinished += 1,
                }
                is_clear = next % PAIRS_PER_LOOK == 0 && looks_clear(&figures);
            }
            each() && !is_clear
        },
    );
    Comparison {
        version: REPORT_VERSION,
        seed: request.seed,
        pairs: next,
        unfinished,
        differences: figures.iter().map(|(name, paired)| paired.told(name, figures.len())).collect(),
    }
}

fn looks_clear(figures: &BTreeMap<&'static str, Paired>) -> bool {
    let verdicts: Vec<Verdict> =
        figures.iter().map(|(name, paired)| paired.told(name, figures.len()).verdict).collect();
    verdicts.contains(&Verdict::Differs) || !verdicts.is_empty() && !verdicts.contains(&Verdict::NotClear)
}

#[cfg(test)]
mod tests {
    use rulepack_kernel::Rng;

    use super::*;

    /// Adds pairs of numbers around a mean, by chance.
    fn add(paired: &mut Paired, rng: &mut Rng, shift: i64, pairs: u64) {
        for _ in 0..pairs {
            let mut number = || (0..4).map(|_| i64::from(rng.below(20))).sum::<i64>() * PARTS;
            let (one, other) = (number(), number() + shift * PARTS);
            paired.before.add(one);
            paired.after.add(other);
            paired.difference.add(other - one);
        }
    }

    fn told(rng: &mut Rng, shift: i64, pairs: u64) -> Difference {
        let mut paired = Paired::default();
        add(&mut paired, rng, shift, pairs);
        paired.told("points", 5)
    }

    /// Looked at after every ten of 200 pairs, as one of five figures, as `compare` does.
    #[test]
    fn equal_rules_are_hardly_ever_said_to_differ() {
        let mut rng = Rng::new(5);
        let mut wrong = 0;
        for _ in 0..200 {
            let mut paired = Paired::default();
            wrong += usize::from((0..20).any(|_| {
                add(&mut paired, &mut rng, 0, 10);
                paired.told("points", 5).verdict == Verdict::Differs
            }));
        }
        // One of five figures of one run may be wrong once in a hundred runs.
        assert!(wrong <= 4, "{wrong} of 200");
    }

    #[test]
    fn a_clear_difference_is_told_and_a_small_one_is_none() {
        let mut rng = Rng::new(6);
        let found = told(&mut rng, 15, 60);
        assert_eq!(found.verdict, Verdict::Differs);
        assert!(found.interval.0 < 15.0 && 15.0 < found.interval.1, "{found:?}");
        assert_eq!(told(&mut rng, 0, 3_000).verdict, Verdict::NoDifference);
        assert_eq!(told(&mut rng, 3, 40).verdict, Verdict::NotClear);
        assert_eq!(told(&mut rng, 90, 10).verdict, Verdict::NotClear, "too few pairs");
    }
}
