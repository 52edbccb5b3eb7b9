//! One search tree: which answers were tried, and what the games with them came to.
//!
//! The tree is that of single-observer information-set search. A node stands for the answers that lead to it, whatever the table:
//! each simulated game is played on another table that may be, and follows only the children that this table offers. What comes
//! by chance has no nodes; a game that is asked otherwise than the ones before simply finds other children there.

use std::collections::HashMap;

use rulepack_kernel::{Answer, EffectHost, Game, Rng, Ruleset};
use rulepack_model::Seat;

use crate::budget::Budget;
use crate::keys::Keys;
use crate::playout::{Playout, Step};
use crate::random::RandomBot;
use crate::weights::Weights;
use crate::worth::{Result as GameResult, Scale, Spread};

/// How much less tried answers are preferred: higher finds surprises, lower looks deeper. In units of how far results differ.
const CURIOSITY: f64 = 0.7;

/// For how many games the answer counts as tried by what was learnt of it elsewhere.
const PRIOR: f64 = 2.0;

/// Games that take more decisions than this to their end are long: most of them are cut off and judged by their points.
const LONG: f64 = 250.0;

/// After so many decisions a long game is cut off.
const CUT: u32 = 120;

/// After so many decisions any game is cut off.
const LONGEST: u32 = 1_000;

/// One of so many long games is played to its end all the same, to find out how long they are by now and who wins.
const TO_THE_END: u32 = 16;

/// So many answers without a choice end a simulated game.
const MOST_FORCED: u32 = 2_000;

/// When a search goes on from an answer, one of so many games of the earlier search counts: they were played before it was known
/// what chance would bring.
const KEPT: f64 = 0.5;

/// Earlier searches count for as much as so many games when results are compared with the average.
const REMEMBERED: f64 = 64.0;

const NO_NODE: u32 = u32::MAX;

/// A tree with so many children does not grow any further: 32 MB.
const MOST_CHILDREN: usize = 500_000;

/// Among so many children, one is found by looking at each of them.
const FEW: usize = 256;

/// An answer that was tried.
#[derive(Debug, Clone)]
struct Child {
    key: u64,
    /// The node behind it, once it was tried twice.
    node: u32,
    /// In how many games it could be given.
    offered: f64,
    sums: Sums,
}

/// Sums over the games with an answer, for the seat that gave it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sums {
    /// The number of games.
    pub games: f64,
    /// What they were worth.
    pub worth: f64,
    /// The points.
    pub points: f64,
    /// The games that came to their end.
    pub over: f64,
    /// The share in the victory of these.
    pub won: f64,
}

impl Sums {
    /// Adds the games of another tree.
    pub fn add(&mut self, other: Sums) {
        self.games += other.games;
        self.worth += other.worth;
        self.points += other.points;
        self.over += other.over;
        self.won += other.won;
    }

    fn fade(&mut self, by: f64) {
        self.games *= by;
        self.worth *= by;
        self.points *= by;
        self.over *= by;
        self.won *= by;
    }
}

/// Where the children of a node are. Usually they are in the order of the options.
#[derive(Debug, Default)]
struct Places(Option<HashMap<u64, usize>>);

impl Places {
    /// The place of the child with this name; it is tried at `hint` first.
    fn find(&mut self, children: &[Child], hint: usize, key: u64) -> Option<usize> {
        if children.get(hint).is_some_and(|child| child.key == key) {
            return Some(hint);
        }
        if children.len() <= FEW {
            return children.iter().position(|child| child.key == key);
        }
        let all = || children.iter().enumerate().map(|(at, child)| (child.key, at)).collect();
        self.0.get_or_insert_with(all).get(&key).copied()
    }

    /// A child was added.
    fn note(&mut self, at: usize, key: u64) {
        if let Some(places) = &mut self.0 {
            places.insert(key, at);
        }
    }
}

/// A search tree, and what was learnt in it.
#[derive(Debug)]
pub struct Tree {
    nodes: Vec<Vec<Child>>,
    /// The number of children in all nodes.
    size: usize,
    /// The answer that was chosen; the search goes on behind it.
    chosen: Option<u64>,
    rng: Rng,
    weights: Weights,
    scale: Scale,
    /// What games are worth, seat by seat.
    usual: Vec<Spread>,
    /// How many decisions games take to their end.
    length: Spread,
    /// How many games were played on.
    games: u32,
    room: Room,
}

/// Memory that each simulated game uses again.
#[derive(Debug, Default)]
struct Room {
    keys: Keys,
    /// The nodes and children on the way.
    path: Vec<(u32, u32, Seat)>,
    steps: Vec<Step>,
    result: GameResult,
    worth: Vec<f64>,
}

impl Tree {
    /// An empty tree; what it does follows from the seed.
    pub fn new(seed: u64) -> Tree {
        Tree {
            nodes: vec![Vec::new()],
            size: 0,
            chosen: None,
            rng: Rng::new(seed),
            weights: Weights::default(),
            scale: Scale::default(),
            usual: Vec::new(),
            length: Spread::default(),
            games: 0,
            room: Room::default(),
        }
    }

    /// Begins a search: behind the chosen answer if the tree holds it, else anew. What was learnt of options stays.
    pub fn begin(&mut self) {
        let chosen = self.chosen.take();
        let child = self.nodes[0].iter().find(|child| Some(child.key) == chosen).map(|child| child.node);
        match child.filter(|node| *node != NO_NODE) {
            Some(node) => self.keep_only(node),
            None => self.clear(),
        }
        self.usual.iter_mut().for_each(|usual| usual.fade(REMEMBERED));
        self.length.fade(4.0);
    }

    /// The next search goes on behind this answer.
    pub fn choose(&mut self, key: u64) {
        self.chosen = Some(key);
    }

    /// Forgets the tree, but not what was learnt of options.
    pub fn clear(&mut self) {
        self.chosen = None;
        self.nodes.clear();
        self.nodes.push(Vec::new());
        self.size = 0;
    }

    /// Makes a node the root, and drops everything that is not behind it.
    fn keep_only(&mut self, root: u32) {
        let mut kept: Vec<Vec<Child>> = vec![std::mem::take(&mut self.nodes[root as usize])];
        let mut at = 0;
        while at < kept.len() {
            for index in 0..kept[at].len() {
                let number = kept.len() as u32;
                let child = &mut kept[at][index];
                child.offered *= KEPT;
                child.sums.fade(KEPT);
                if child.node != NO_NODE {
                    let behind = std::mem::take(&mut self.nodes[child.node as usize]);
                    child.node = number;
                    kept.push(behind);
                }
            }
            at += 1;
        }
        self.size = kept.iter().map(Vec::len).sum();
        self.nodes = kept;
    }

    /// What was found out about each of the first answers, by their names.
    pub fn about(&self, keys: &[u64]) -> Vec<Sums> {
        let root = &self.nodes[0];
        let mut places = Places::default();
        let found = keys.iter().enumerate().map(|(hint, key)| places.find(root, hint, *key));
        found.map(|at| at.map_or_else(Sums::default, |at| root[at].sums)).collect()
    }

    /// The seed of the next table.
    pub fn next_seed(&mut self) -> u64 {
        self.rng.next_u64()
    }

    /// Plays one game on, from a table that may be. It is cut off where the budget is used up.
    pub fn simulate(&mut self, mut game: Game, host: &dyn EffectHost, budget: &mut Budget) {
        let is_to_end = self.games.is_multiple_of(TO_THE_END) || !has_points(game.rules());
        let is_cut = !is_to_end && self.length.mean() > LONG;
        self.games = self.games.wrapping_add(1);
        self.room.path.clear();
        self.room.steps.clear();
        let seats = usize::from(game.rules().players);
        self.usual.resize(seats, Spread::default());
        let mut is_right = self.descend(&mut game, host, budget);
        if is_right && game.decision().is_some() {
            let seed = self.rng.next_u64();
            let deep = self.room.path.len() as u32;
            let most_decisions = if is_cut { CUT } else { LONGEST };
            let mut playout = Playout {
                weights: &self.weights,
                bot: RandomBot::new(seed),
                rng: Rng::new(seed),
                most_decisions: most_decisions.saturating_sub(deep),
                budget,
            };
            is_right = playout.run(&mut game, host, &mut self.room.steps);
        }
        if !is_cut {
            self.length.add(self.room.steps.len() as f64);
        }
        if is_right {
            let before = game.work();
            self.room.result.read(&game, host);
            budget.pay(game.work().saturating_sub(before));
            self.scale.worth(&self.room.result, &mut self.room.worth);
        } else {
            // A pack that fails here fails in the game, too: the answer is neither good nor bad.
            let nothing = vec![0.0; seats];
            self.room.result =
                GameResult { points: nothing.clone(), standing: nothing.clone(), won: nothing, is_over: false };
            self.room.worth = self.usual.iter().map(Spread::mean).collect();
        }
        game.abandon(host);
        self.learn();
    }

    /// Follows the tree to an answer that was not tried yet; false if the pack failed.
    fn descend(&mut self, game: &mut Game, host: &dyn EffectHost, budget: &mut Budget) -> bool {
        let (mut node, mut forced) = (0, 0);
        while let Some(decision) = game.decision() {
            let mut answer = Answer(0);
            let mut is_new = false;
            let options = decision.options.len();
            if options > 1 {
                budget.pay(options as u64);
                let seat = decision.seat;
                self.room.keys.read(game, decision);
                let Some((child, option)) = self.select(node, seat) else { break };
                self.room.path.push((node, child, seat));
                self.room.steps.push((seat, self.room.keys.rough[option]));
                answer = Answer(option as u16);
                is_new = self.nodes[node as usize][child as usize].sums.games == 0.0;
                node = if is_new { NO_NODE } else { self.behind(node, child) };
            } else {
                forced += 1;
                is_new |= forced > MOST_FORCED;
            }
            let before = game.work();
            let is_given = game.answer_fast(host, answer).is_ok();
            budget.pay_answer(game, options, before);
            if !is_given {
                return false;
            }
            if is_new || budget.is_out() {
                break;
            }
        }
        true
    }

    /// The node behind a child.
    fn behind(&mut self, node: u32, child: u32) -> u32 {
        let known = self.nodes[node as usize][child as usize].node;
        if known != NO_NODE {
            return known;
        }
        let new = self.nodes.len() as u32;
        self.nodes.push(Vec::new());
        self.nodes[node as usize][child as usize].node = new;
        new
    }

    /// The child to follow, and the option that it stands for; nothing if the tree is full and holds none of the options.
    fn select(&mut self, node: u32, seat: Seat) -> Option<(u32, usize)> {
        let children = &mut self.nodes[node as usize];
        let keys = &self.room.keys;
        let mut places = Places::default();
        let mut offered: Vec<(usize, u32)> = Vec::with_capacity(keys.exact.len());
        let (mut games, mut worth) = (0.0, 0.0);
        for (hint, key) in keys.exact.iter().enumerate() {
            let known = places.find(children, hint, *key);
            if known.is_none() && self.size >= MOST_CHILDREN {
                continue;
            }
            let at = known.unwrap_or_else(|| {
                children.push(Child { key: *key, node: NO_NODE, offered: 0.0, sums: Sums::default() });
                self.size += 1;
                places.note(children.len() - 1, *key);
                children.len() - 1
            });
            let child = &mut children[at];
            child.offered += 1.0;
            games += child.sums.games;
            worth += child.sums.worth;
            offered.push((hint, at as u32));
        }
        let usual = self.usual[seat.index()];
        let mean = if games > 0.0 { worth / games } else { usual.mean() };
        let unit = CURIOSITY * usual.deviation().max(1e-6);
        let mut best = None;
        let mut highest = f64::MIN;
        for (option, at) in offered {
            let child = &children[at as usize];
            let prior = mean + self.weights.gain(keys.rough[option]);
            let expected = (child.sums.worth + PRIOR * prior) / (child.sums.games + PRIOR);
            let score = expected + unit * (logarithm(child.offered + 1.0) / (child.sums.games + 1.0)).sqrt();
            if best.is_none() || score > highest {
                (highest, best) = (score, Some((at, option)));
            }
        }
        best
    }

    /// Notes what the game came to.
    fn learn(&mut self) {
        let Room { path, steps, result, worth, .. } = &self.room;
        for (node, child, seat) in path {
            let sums = &mut self.nodes[*node as usize][*child as usize].sums;
            let seat = seat.index();
            let over = f64::from(result.is_over);
            let (points, won) = (result.points[seat], result.won[seat]);
            sums.add(Sums { games: 1.0, worth: worth[seat], points, over, won });
        }
        for (seat, key) in steps {
            self.weights.learn(*key, worth[seat.index()] - self.usual[seat.index()].mean());
        }
        for (usual, worth) in self.usual.iter_mut().zip(worth) {
            usual.add(*worth);
        }
    }
}

/// Whether points say anything before the end.
fn has_points(rules: &Ruleset) -> bool {
    rules.evaluate.is_some() || !rules.score_lines.is_empty() || rules.types.iter().any(|ty| ty.score.is_some())
}

/// The logarithm to base 2, roughly, and the same on every machine: the functions of the system's library are not.
fn logarithm(number: f64) -> f64 {
    let whole = number.max(1.0) as u64;
    let power = 63 - whole.leading_zeros().min(63);
    f64::from(power) + number.max(1.0) / (1_u64 << power) as f64 - 1.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_logarithm_is_right_at_powers_and_grows_in_between() {
        for power in 0..40 {
            assert_eq!(logarithm((1_u64 << power) as f64), f64::from(power));
        }
        assert!((1..1000).all(|n| logarithm(f64::from(n)) < logarithm(f64::from(n) + 1.0)));
    }
}
