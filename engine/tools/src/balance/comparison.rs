//! Two rules, the same seeds: by how much does each figure differ, and how sure is that?
//!
//! It looks again and again, so its intervals are made for that: they hold at all times at once (a confidence sequence with a
//! normal mixture), for all figures together.

use std::collections::BTreeMap;

use rulepack_kernel::Fault;
use rulepack_model::{MOST_THREADS, run_on_threads};
use rulepack_script::ScriptHost;
use serde::Serialize;

use super::remarks::Extremes;
use super::{BalanceRequest, margin};
use crate::interval::Sums;
use crate::load::GameBox;
use crate::report::REPORT_VERSION;
use crate::sim::{Played, SimRequest, game_seed, play};
use crate::statistics::Bars;

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
    /// Seeds of the pairs that differ most.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub seeds: Vec<u64>,
    /// How many games came to which number before the change and after it; of the numbers themselves, the least.
    #[serde(skip)]
    pub bars: [Vec<(f64, u64)>; 2],
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

#[derive(Debug, Default)]
struct Paired {
    before: Sums,
    after: Sums,
    difference: Sums,
    bars: [Bars; 2],
    widest: Extremes,
}

impl Paired {
    /// Adds a pair of games.
    fn add(&mut self, before: i64, after: i64, seed: u64) {
        let difference = after.saturating_sub(before);
        self.before.add(before);
        self.after.add(after);
        self.difference.add(difference);
        self.bars[0].add(before);
        self.bars[1].add(after);
        if difference != 0 {
            self.widest.add(difference.saturating_abs(), seed);
        }
    }

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
        let bars =
            |bars: &Bars| bars.listed().into_iter().map(|(number, games)| (number as f64 / parts, games)).collect();
        let (seeds, bars) = (self.widest.seeds(), [bars(&self.bars[0]), bars(&self.bars[1])]);
        Difference { name, before, after, difference, interval, threshold, verdict, seeds, bars }
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
                let seed = game_seed(request.seed, next);
                next += 1;
                match pair {
                    (Some(one), Some(other)) => one.into_iter().zip(other).for_each(|((name, one), (_, other))| {
                        figures.entry(name).or_default().add(one, other, seed);
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
            paired.add(one, other, 0);
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
