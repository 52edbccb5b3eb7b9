//! Monte Carlo tree search over tables as they may be.
//!
//! A few trees grow independently of one another, each from a seed of its own and for a fixed number of games; then the games that
//! they tried each answer in are added up. So the answer is the same however many threads grow the trees.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rulepack_kernel::{Answer, Fault, Game};
use rulepack_model::side_by_side;

use crate::Bot;
use crate::budget::Budget;
use crate::kind::Effort;
use crate::random::RandomBot;
use crate::situation::Situation;
use crate::thought::{Judged, Thought};
use crate::tree::{Sums, Tree};

/// The number of trees.
const TREES: usize = 2;

/// Searches with so many trees.
#[derive(Debug)]
pub struct Mcts {
    effort: Effort,
    trees: Vec<Tree>,
    chance: RandomBot,
    /// Whether the next question follows from the bot's own answer.
    goes_on: bool,
}

impl Mcts {
    /// A bot for a game with a seed.
    pub fn new(effort: Effort, seed: u64) -> Mcts {
        let mut seeds = rulepack_kernel::Rng::new(seed ^ 0xbb67_ae85_84ca_a73b);
        let trees = (0..TREES).map(|_| Tree::new(seeds.next_u64())).collect();
        Mcts { effort, trees, chance: RandomBot::new(seed), goes_on: false }
    }

    /// Lets all trees grow; returns how many games were played on.
    fn grow(&mut self, situation: &Situation<'_>) -> Result<u64, Fault> {
        let effort = self.effort.share(self.trees.len(), situation.threads());
        if situation.threads() <= 1 {
            return self.trees.iter_mut().map(|tree| grow(tree, situation, effort)).sum();
        }
        // A game can move to another thread, but not be read by two.
        let hosts = situation.hosts();
        let jobs: Vec<_> = self.trees.iter_mut().map(|tree| Mutex::new((tree, situation.copy()))).collect();
        let work = |job: &Mutex<(&mut Tree, Game)>| {
            let (tree, game) = &mut *job.lock().unwrap_or_else(PoisonError::into_inner);
            Situation::of(game, hosts, 1).map_or(Ok(0), |situation| grow(tree, &situation, effort))
        };
        side_by_side(&jobs, situation.threads(), work).into_iter().sum()
    }
}

impl Bot for Mcts {
    fn choose(&mut self, situation: &Situation<'_>) -> Result<Thought, Fault> {
        let by_chance = situation.by_chance(&mut self.chance);
        if situation.options() == 1 {
            return Ok(Thought::plain(by_chance));
        }
        let goes_on = std::mem::take(&mut self.goes_on);
        if !goes_on {
            self.trees.iter_mut().for_each(Tree::clear);
        }
        let simulated = self.grow(situation)?;
        let keys = situation.keys();
        let mut sums = vec![Sums::default(); keys.len()];
        for tree in &self.trees {
            sums.iter_mut().zip(tree.about(&keys)).for_each(|(sums, found)| sums.add(found));
        }
        let mut order: Vec<usize> = (0..keys.len()).filter(|index| sums[*index].games > 0.0).collect();
        let rank = |index: &usize| (sums[*index].games, sums[*index].worth / sums[*index].games);
        order.sort_by(|one, two| rank(two).partial_cmp(&rank(one)).unwrap_or(std::cmp::Ordering::Equal));
        let answer = order.first().map_or(by_chance, |best| Answer(*best as u16));
        self.trees.iter_mut().for_each(|tree| tree.choose(keys[usize::from(answer.0)]));
        let judged = order.into_iter().map(|index| judged(index, sums[index])).collect();
        Ok(Thought { answer, judged, simulated })
    }

    fn goes_on(&mut self) {
        self.goes_on = true;
    }

    fn forgets(&mut self) {
        self.goes_on = false;
    }
}

fn judged(index: usize, sums: Sums) -> Judged {
    Judged {
        answer: Answer(index as u16),
        tried: sums.games.round() as u64,
        wins: (sums.over > 0.0).then(|| sums.won / sums.over),
        points: sums.points / sums.games,
    }
}

/// Lets a tree grow until it has enough games or the budget is used up; returns how many games were played on.
fn grow(tree: &mut Tree, situation: &Situation<'_>, effort: Effort) -> Result<u64, Fault> {
    let mut budget = Budget::of(effort);
    let host = situation.host()?;
    let tables = situation.tables(&*host)?;
    tree.begin();
    let most = match effort {
        Effort::Games(games) => u64::from(games),
        Effort::Time(_) => u64::MAX,
    };
    let (mut games, mut drawn) = (0, 0);
    while games < most && !budget.is_out() {
        let seed = tree.next_seed();
        let table = tables.draw(&*host, seed);
        budget.pay(tables.work().saturating_sub(drawn));
        drawn = tables.work();
        // If no table agrees with what the seat was told, there is nothing to search in.
        let Some(table) = table else { break };
        budget.pay_copy(&table);
        tree.simulate(table, &*host, &mut budget);
        games += 1;
    }
    Ok(games)
}

impl Effort {
    /// The share of one of some trees that grow on some threads.
    fn share(self, trees: usize, threads: usize) -> Effort {
        match self {
            Effort::Games(games) => Effort::Games(games.div_ceil(trees as u32)),
            Effort::Time(time) => {
                let rounds = trees.div_ceil(threads.clamp(1, trees)) as u32;
                Effort::Time(time.checked_div(rounds).unwrap_or(Duration::ZERO))
            }
        }
    }
}
