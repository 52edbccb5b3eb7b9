//! What came of all mutants, counted.

use serde::Serialize;

use super::run::{AllPlayed, Verdict};
use super::survivors::{Accepted, Known};
use super::{Class, Mutant};

/// Which changes were noticed, and which were not.
#[derive(Debug, Clone, Serialize)]
pub struct MutationReport {
    /// The version of this format.
    pub version: u32,
    /// The pack.
    pub pack: String,
    /// The seed of the draw, if not all were played.
    pub seed: u64,
    /// How many scenarios were played on each, at most.
    pub scenarios: usize,
    /// How many changes gave a pack that can be played.
    pub mutants: usize,
    /// How many did not; they do not count.
    pub invalid: usize,
    /// How many were noticed.
    pub killed: usize,
    /// Those that were not.
    pub survived: Vec<Mutant>,
    /// Those that were not, and are accepted for a reason.
    pub known: Vec<Known>,
    /// What was noticed, in per cent.
    pub score: f64,
    /// Of changes of what happens.
    pub behaviour: Score,
    /// Of changes of figures, names and lists.
    pub data: Score,
    /// Scenarios that fail as the pack is.
    #[serde(skip)]
    pub failing: usize,
    /// Changes on which the engine broke, with what it said: bugs of ours.
    #[serde(skip)]
    pub panics: Vec<(Mutant, String)>,
}

/// A score.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Score {
    /// How many changes.
    pub mutants: usize,
    /// How many of them were noticed.
    pub killed: usize,
    /// The same in per cent, with one decimal.
    pub score: f64,
}

impl Score {
    fn new(killed: usize, mutants: usize) -> Self {
        let score = if mutants == 0 { 100.0 } else { (killed as f64 * 1000.0 / mutants as f64).round() / 10.0 };
        Score { mutants, killed, score }
    }
}

impl MutationReport {
    pub(super) fn new(pack: &str, seed: u64, mutants: Vec<Mutant>, played: AllPlayed) -> Self {
        let mut invalid = 0;
        let mut counts = [(0, 0), (0, 0)];
        let (mut survived, mut panics) = (Vec::new(), Vec::new());
        for (mutant, verdict) in mutants.into_iter().zip(played.verdicts) {
            let (killed, all) = &mut counts[usize::from(mutant.class == Class::Data)];
            *all += 1;
            match verdict {
                Verdict::Invalid => {
                    *all -= 1;
                    invalid += 1;
                }
                Verdict::Survived => survived.push(mutant),
                Verdict::Killed => *killed += 1,
                Verdict::Panicked(words) => {
                    *killed += 1;
                    panics.push((mutant, words));
                }
            }
        }
        let [behaviour, data] = counts.map(|(killed, all)| Score::new(killed, all));
        let total = Score::new(behaviour.killed + data.killed, behaviour.mutants + data.mutants);
        MutationReport {
            version: 1,
            pack: pack.to_string(),
            seed,
            scenarios: played.scenarios,
            mutants: total.mutants,
            invalid,
            killed: total.killed,
            survived,
            known: Vec::new(),
            score: total.score,
            behaviour,
            data,
            failing: played.failing,
            panics,
        }
    }

    /// Lists those survivors apart that are accepted; gives the entries that fit none.
    pub fn accept(&mut self, accepted: &[Accepted]) -> Vec<Accepted> {
        let mut unused: Vec<&Accepted> = accepted.iter().collect();
        for mutant in std::mem::take(&mut self.survived) {
            match accepted.iter().find(|entry| entry.is(&mutant)) {
                Some(entry) => {
                    unused.retain(|other| !std::ptr::eq(*other, entry));
                    self.known.push(Known { mutant, reason: entry.reason.clone() });
                }
                None => self.survived.push(mutant),
            }
        }
        unused.into_iter().cloned().collect()
    }

    /// What was noticed of all that is not accepted, in per cent: what a floor is compared with.
    pub fn score_without_known(&self) -> f64 {
        Score::new(self.killed, self.mutants - self.known.len()).score
    }
}
