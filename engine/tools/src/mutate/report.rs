//! The report about all mutants.

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
    /// The seed of the sample, if not all were played.
    pub seed: u64,
    /// The largest number of scenarios played on a mutant.
    pub scenarios: usize,
    /// The number of changes with a pack that can be linked.
    pub mutants: usize,
    /// The number of invalid changes, which do not count.
    pub invalid: usize,
    /// How many were noticed.
    pub killed: usize,
    /// Those that were not noticed.
    pub survived: Vec<Mutant>,
    /// Those that were not noticed, and are accepted for a reason.
    pub known: Vec<Known>,
    /// The noticed changes, in per cent.
    pub score: f64,
    /// Changes of behaviour.
    pub behaviour: Score,
    /// Changes of data.
    pub data: Score,
    /// Scenarios that fail without any change.
    #[serde(skip)]
    pub failing: usize,
    /// Changes at which the engine crashed, with the message: bugs of the engine.
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

    /// Moves accepted survivors to their own list; returns the entries that match none.
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

    /// The noticed changes among those that are not accepted, in per cent: compared with the floor.
    pub fn score_without_known(&self) -> f64 {
        Score::new(self.killed, self.mutants - self.known.len()).score
    }
}
