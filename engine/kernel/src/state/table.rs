//! The state of a game: flat tables of small numbers, so that a copy is a few moves of memory.
//!
//! This file says what a state consists of, how it begins and how it is copied. `table/pieces.rs`, `table/stock.rs`,
//! `table/variables.rs`, `table/course.rs` and `table/rare.rs` read and change it; `table/stored.rs` reads it as a whole, and `table/carried.rs` fills in that of
//! a game under changed rules. Nothing here asks a player or decides
//! what a rule means.

mod carried;
mod course;
mod of_kinds;
mod pieces;
mod rare;
mod stock;
mod stored;
mod variables;

use std::fmt;

use rulepack_model::{ResId, Seat};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::eval::score::Outcome;
use crate::flow::frame::Frame;
use crate::hidden::position_aliases::Disguise;
use crate::persist::gone::Gone;
use crate::rules::ruleset::Ruleset;
use crate::rules::shortcuts::ORACLE;
use crate::state::cache::Memo;
use crate::state::chance::Chance;
use crate::state::fuel::{Fuel, ScriptBudget};
use crate::state::table::pieces::Spaces;
use crate::state::table::rare::Rare;
use crate::state::value::Value;

pub use pieces::PieceState;
pub(crate) use pieces::{Chain, Space};
pub(crate) use stored::Stored;

/// The number that stands for no piece.
pub(crate) const NONE: u32 = u32::MAX;

/// Everything that changes while a game is played.
///
/// All fields are private. The methods in `table/` note every read and every change of a field that expressions can read, so that
/// no caller can forget it. Expressions cannot read the fields of `table/course.rs`, such as the stack, so nothing is noted there.
#[derive(Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    chance: Chance,
    pieces: Vec<PieceState>,
    zones: Vec<Chain>,
    /// Computed again when a game is loaded.
    #[serde(skip)]
    spaces: Spaces,
    /// The amounts of all resources of the first player, then of the next. For a resource that is kept on pieces, the sum of
    /// what lies on the player's pieces.
    amounts: Vec<i32>,
    supply: Vec<i32>,
    /// Resources on pieces, in the slots that the ruleset gives them.
    held: Vec<i32>,
    vars: Vec<Value>,
    /// The player at turn.
    active: Option<Seat>,
    passed: u32,
    pass_order: SmallVec<[Seat; 8]>,
    /// How many turns have begun.
    turns: u32,
    frames: Vec<Frame>,
    /// The result of the last request of a script, or of a script that has ended. The next script that is resumed gets it.
    result: Value,
    /// Results of the next rolls, in order, if they are fixed.
    fixed_rolls: SmallVec<[u32; 4]>,
    /// The positions since the last answer that was not part of a free action, as hashes.
    #[serde(rename = "seen")]
    visited_positions: SmallVec<[u64; 4]>,
    /// In a resampled game: the numbers that the pieces have in those positions.
    #[serde(default, skip_serializing_if = "Disguise::is_none")]
    disguise: Disguise,
    /// The parts that few games have.
    #[serde(default, skip_serializing_if = "Rare::is_none")]
    rare: Rare,
    /// A field that only old saves have; see [`Gone`].
    #[serde(default, skip_serializing)]
    changed: Gone,
    /// The cache.
    #[serde(skip)]
    memo: Memo,
    outcome: Option<Outcome>,
    /// The budget until the next question.
    #[serde(skip)]
    fuel: Fuel,
}

impl Clone for State {
    fn clone(&self) -> Self {
        State {
            chance: self.chance.clone(),
            pieces: self.pieces.clone(),
            zones: self.zones.clone(),
            spaces: self.spaces.clone(),
            amounts: self.amounts.clone(),
            supply: self.supply.clone(),
            held: self.held.clone(),
            vars: self.vars.clone(),
            active: self.active,
            passed: self.passed,
            pass_order: self.pass_order.clone(),
            turns: self.turns,
            frames: self.frames.clone(),
            result: self.result,
            fixed_rolls: self.fixed_rolls.clone(),
            visited_positions: self.visited_positions.clone(),
            disguise: self.disguise.clone(),
            rare: self.rare.clone(),
            changed: Gone,
            memo: self.memo.clone(),
            outcome: self.outcome.clone(),
            fuel: self.fuel.clone(),
        }
    }

    /// Like `clone`, in the memory that is there already.
    fn clone_from(&mut self, other: &Self) {
        self.chance.clone_from(&other.chance);
        self.pieces.clone_from(&other.pieces);
        self.zones.clone_from(&other.zones);
        if !self.spaces.is_of_same_rules(&other.spaces) {
            // With other rules every cached result is wrong, even one for which nothing was read.
            self.memo = Memo::default();
        }
        self.spaces.clone_from(&other.spaces);
        self.amounts.clone_from(&other.amounts);
        self.supply.clone_from(&other.supply);
        self.held.clone_from(&other.held);
        self.vars.clone_from(&other.vars);
        self.active = other.active;
        self.passed = other.passed;
        self.pass_order.clone_from(&other.pass_order);
        self.turns = other.turns;
        self.frames.clone_from(&other.frames);
        self.result = other.result;
        self.fixed_rolls.clone_from(&other.fixed_rolls);
        self.visited_positions.clone_from(&other.visited_positions);
        self.disguise.clone_from(&other.disguise);
        self.rare.clone_from(&other.rare);
        self.memo.clone_from(&other.memo);
        self.outcome.clone_from(&other.outcome);
        self.fuel.clone_from(&other.fuel);
    }
}

impl State {
    /// The state before a game begins: all pieces are where they start.
    pub(crate) fn new(rules: &Ruleset, seed: u64) -> Self {
        let players = rules.players as usize;
        let mut state = State {
            chance: Chance::new(seed),
            pieces: Vec::with_capacity(rules.pieces.len()),
            zones: vec![Chain::EMPTY; rules.zone_instances.len()],
            spaces: Spaces::default(),
            amounts: vec![0; players * rules.resources.len()],
            supply: rules.resources.iter().map(|resource| resource.supply.unwrap_or(0)).collect(),
            held: vec![0; rules.held_slots],
            vars: vec![Value::Nil; rules.var_slots],
            active: None,
            passed: 0,
            pass_order: SmallVec::new(),
            turns: 0,
            frames: Vec::new(),
            result: Value::Nil,
            fixed_rolls: SmallVec::new(),
            visited_positions: SmallVec::new(),
            disguise: Disguise::default(),
            rare: Rare::default(),
            changed: Gone,
            memo: Memo::default(),
            outcome: None,
            fuel: Fuel::new(rules.limits),
        };
        state.set_out(rules);
        for var in &rules.vars {
            state.vars[var.base as usize..(var.base + var.slots) as usize].fill(var.start);
        }
        state.claim(rules);
        for seat in rules.seats() {
            for (index, resource) in rules.resources.iter().enumerate() {
                let res = ResId::from(index);
                state.add(rules, seat, res, resource.start);
                state.add_supply(rules, res, -resource.start);
            }
        }
        state
    }

    /// Compares the result of a shortcut with that of the plain way; `work` gives both. It takes nothing from the budget and
    /// does not touch the cache. It happens only with the oracle: see [`crate::rules::shortcuts`].
    #[inline(always)]
    pub(crate) fn compare<T: PartialEq + fmt::Debug>(&self, promise: &str, work: impl FnOnce() -> (T, T)) {
        if ORACLE {
            let mut both = None;
            let is_whole = self.fuel.free_of_charge(|| self.memo.unrecorded(|| both = Some(work())));
            // The plain way can take far longer. If it was cut short, there is nothing to compare.
            if let (true, Some((found, plain))) = (is_whole, both) {
                assert_eq!(found, plain, "{promise}");
            }
        }
    }

    /// What it costs to copy or hash the state, in visited members of sets. A state of an ordinary size costs nothing.
    pub fn copy_cost(&self) -> usize {
        const NUMBERS: usize = 16;
        const ORDINARY: usize = 16_384;
        let numbers = 4 * self.pieces.len() + self.vars.len() + self.amounts.len() + self.held.len() + self.zones.len();
        numbers.saturating_sub(ORDINARY) / NUMBERS
    }

    /// The cache.
    #[inline(always)]
    pub(crate) fn memo(&self) -> &Memo {
        &self.memo
    }

    /// A copy to try something out on, if the budget suffices. A copy of a copy costs more, because all are in memory at once.
    pub(crate) fn paid_copy(&self) -> Option<State> {
        let copies = self.fuel.copies() + 1;
        if !self.fuel.burn_many(self.copy_cost().saturating_mul(copies as usize)) {
            return None;
        }
        let copy = self.clone();
        copy.fuel.set_copies(copies);
        Some(copy)
    }

    /// The budget of scripts until the next question.
    pub fn script_budget(&self) -> ScriptBudget {
        self.fuel.script()
    }

    /// Takes the number of pieces or spaces that a script goes through from the budget; false if that is too much.
    pub fn pay_for_looking(&self, count: usize) -> bool {
        self.fuel.burn_many(count)
    }

    /// Sets the budget that is left for scripts.
    pub fn set_script_budget(&self, left: ScriptBudget) {
        self.fuel.set_script(left);
    }
}
