//! The cache of a state: derived values, attributes, options and checks of standing rules.
//!
//! Every read of the table is noted in a [`ReadSet`]: which zones, variables, resources. Every change is noted in the same way.
//! A cached result is right as long as nothing has changed that was read for it. Expressions are not analysed: if `a or b` found
//! `a` to be true, a change of what `b` would have read does not matter.

use std::cell::{Cell, OnceCell, RefCell};
use std::hash::{Hash, Hasher};

use rulepack_model::{PieceId, ResId, VarId};

use crate::eval::bundle::Bundle;
use crate::flow::decision::Opt;
use crate::rules::shortcuts::{ORACLE, Shortcut, Shortcuts};
use crate::state::read_set::{Basis, Changed, ReadSet, TURN, resource_bit, variable_bit, zone_bit};
use crate::state::roster::{Roster, Rosters};
use crate::state::value::{Value, ZoneIx};
use crate::state::value_tables::Tables;

pub(crate) use crate::state::value_tables::Key;

/// After so many computations, a list of options is only cached further if the cache was of use for one in eight.
const TRIES: u16 = 24;

/// The cache. It follows from the table, so it is not compared, hashed or saved with the state, and a copy begins empty.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    /// The reads since the present computation began; see [`Memo::noting`].
    reads: Cell<ReadSet>,
    /// The time: the number of results that were cached so far.
    now: Cell<u64>,
    /// When each part of the table changed last. It exists as soon as a result is cached.
    changed: OnceCell<Box<Changed>>,
    values: Tables,
    /// The options of each action for each player.
    options: RefCell<Vec<Listed>>,
    candidates: RefCell<Vec<Candidates>>,
    keeps: Cell<Keeps>,
    /// How many values are being computed one inside the other, and the time at which the outermost was begun.
    nesting: Cell<u32>,
    begun: Cell<u64>,
    /// Which shortcuts are taken; see [`Memo::follow`].
    shortcuts: Cell<Shortcuts>,
    /// What the standing rules have read when they were last checked.
    watched: Cell<ReadSet>,
    /// Whether none of them applied then, and nothing that they read has changed since.
    standing_clean: Cell<bool>,
    rosters: Rosters,
}

/// The results that are cached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Keeps {
    #[default]
    All,
    /// For a temporary state: only values that other values ask for, since they may ask many times.
    Inner,
    Nothing,
}

/// The options of an action for a player.
#[derive(Debug, Default)]
struct Listed {
    basis: Option<Basis>,
    options: Vec<Opt>,
    /// How often they were computed, and how often the cached ones were used.
    tries: u16,
    hits: u16,
}

/// The values with which an action could be begun, each with its price, whether or not the player can pay it.
pub(crate) type Priced = Vec<(Value, Bundle)>;

#[derive(Debug, Default)]
struct Candidates {
    basis: Option<Basis>,
    list: Priced,
}

impl Clone for Memo {
    fn clone(&self) -> Self {
        let copy = Memo::default();
        copy.take_watch(self);
        copy
    }

    fn clone_from(&mut self, other: &Self) {
        // The cached results belong to another table, but their memory is used again.
        self.forget();
        self.take_watch(other);
    }
}

impl PartialEq for Memo {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Memo {}

impl Hash for Memo {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Memo {
    /// Caches hardly anything from now on: for a temporary state.
    pub(crate) fn disable(&self) {
        self.keeps.set(Keeps::Inner);
    }

    /// Whether hardly anything is cached: in a temporary state, or inside [`Memo::unrecorded`].
    #[inline(always)]
    pub(crate) fn is_idle(&self) -> bool {
        self.keeps.get() != Keeps::All
    }

    /// Takes only the shortcuts that the rules take.
    #[inline(always)]
    pub(crate) fn follow(&self, shortcuts: Shortcuts) {
        if ORACLE {
            self.shortcuts.set(shortcuts);
        }
    }

    #[inline(always)]
    fn takes(&self, shortcut: Shortcut) -> bool {
        self.shortcuts.get().takes(shortcut)
    }

    #[inline(always)]
    fn spoils(&self, shortcut: Shortcut) -> bool {
        self.shortcuts.get().spoils(shortcut)
    }

    /// Whether options are not cached.
    #[inline(always)]
    fn keeps_nothing(&self) -> bool {
        self.is_idle() || !self.takes(Shortcut::Cache)
    }

    /// Notes that something has changed that the standing rules have read.
    #[inline(always)]
    fn disturb(&self) {
        self.standing_clean.set(self.standing_clean.get() && self.spoils(Shortcut::CleanStanding));
    }

    /// Copies the result of the last check of the standing rules, which is right for a copied table, too.
    fn take_watch(&self, other: &Memo) {
        self.watched.set(other.watched.get());
        self.standing_clean.set(other.standing_clean.get());
    }

    /// Computes something without using or filling the cache, and without noting its reads.
    pub(crate) fn unrecorded(&self, work: impl FnOnce()) {
        let (reads, keeps) = (self.reads.get(), self.keeps.replace(Keeps::Nothing));
        work();
        self.reads.set(reads);
        self.keeps.set(keeps);
    }

    // ---- noting reads ----

    #[inline]
    pub(super) fn saw_zone(&self, zone: ZoneIx) {
        let reads = self.reads.get();
        self.reads.set(ReadSet { zones: reads.zones | zone_bit(zone), ..reads });
    }

    /// Only pieces of these kinds were read. All bits stand for all pieces, those of kinds without a bit included.
    #[inline]
    pub(super) fn saw_some_of(&self, zone: ZoneIx, kinds: u64) {
        if kinds == u64::MAX {
            return self.saw_zone(zone);
        }
        let reads = self.reads.get();
        self.reads.set(ReadSet { some_of: reads.some_of | zone_bit(zone), kinds: reads.kinds | kinds, ..reads });
    }

    #[inline]
    fn saw_other(&self, bit: u64) {
        let reads = self.reads.get();
        self.reads.set(ReadSet { others: reads.others | bit, ..reads });
    }

    #[inline]
    pub(super) fn saw_resource(&self, res: ResId) {
        self.saw_other(resource_bit(res));
    }

    #[inline]
    pub(super) fn saw_variable(&self, var: VarId) {
        self.saw_other(variable_bit(var));
    }

    #[inline]
    pub(super) fn saw_turn(&self) {
        self.saw_other(TURN);
    }

    /// A reader that cannot say what it read counts as having read everything.
    pub(crate) fn saw_all(&self) {
        self.reads.set(ReadSet::ALL);
    }

    /// Computes something, and returns what was read for it as well.
    #[inline]
    fn noting<T>(&self, work: impl FnOnce() -> T) -> (T, ReadSet) {
        let before = self.reads.replace(ReadSet::NOTHING);
        let result = work();
        let reads = self.reads.get();
        self.reads.set(reads.union(before));
        (result, reads)
    }

    // ---- noting changes ----

    /// A piece of these kinds came to the zone, left it, or was changed in it, for instance turned over.
    #[inline]
    pub(super) fn zone_changed(&self, zone: ZoneIx, kinds: u64) {
        let (watched, bit) = (self.watched.get(), zone_bit(zone));
        if watched.zones & bit != 0 || watched.some_of & bit != 0 && watched.kinds & kinds != 0 {
            self.disturb();
        }
        if let Some(changed) = self.changed.get() {
            changed.zone(zone, kinds, self.now.get());
        }
    }

    #[inline]
    fn other_changed(&self, bit: u64) {
        if self.watched.get().others & bit != 0 {
            self.disturb();
        }
        if let Some(changed) = self.changed.get() {
            changed.other(bit, self.now.get());
        }
    }

    #[inline]
    pub(super) fn resource_changed(&self, res: ResId) {
        self.other_changed(resource_bit(res));
    }

    #[inline]
    pub(super) fn variable_changed(&self, var: VarId) {
        self.other_changed(variable_bit(var));
    }

    #[inline]
    pub(super) fn turn_changed(&self) {
        self.other_changed(TURN);
    }

    /// Makes all cached results invalid.
    pub(super) fn forget(&self) {
        self.standing_clean.set(false);
        if let Some(changed) = self.changed.get() {
            changed.all(self.now.get());
        }
    }

    /// Whether nothing has changed that a result was computed from.
    #[inline]
    fn holds(&self, basis: Basis) -> bool {
        self.changed.get().is_some_and(|changed| self.spoils(Shortcut::Cache) || changed.holds(basis))
    }

    /// The basis of a result that was computed just now. Changes from now on are later than its time.
    #[inline]
    fn basis(&self, reads: ReadSet) -> Basis {
        self.changed.get_or_init(Box::default);
        let time = self.now.get();
        self.now.set(time + 1);
        Basis { time, reads }
    }

    /// The roster of a zone, if it has one.
    #[inline]
    pub(super) fn roster(
        &self,
        zone: ZoneIx,
        zones: usize,
        count: u32,
        walk: impl FnOnce(&mut dyn FnMut(PieceId, u64)),
    ) -> Option<&Roster> {
        if self.is_idle() || !self.takes(Shortcut::Rosters) {
            return None;
        }
        let holds = |since: u64| {
            let is_same = |changed: &Changed| changed.is_zone_since(zone, since);
            self.spoils(Shortcut::Rosters) || self.changed.get().is_some_and(|changed| is_same(changed))
        };
        self.rosters.of(zone, zones, count, holds, || self.basis(ReadSet::NOTHING).time, walk)
    }

    // ---- standing rules ----

    /// Whether no standing rule can apply: none did at the last check, and nothing has changed that their conditions read.
    #[inline]
    pub(crate) fn standing_clean(&self) -> bool {
        self.standing_clean.get()
    }

    /// Checks the standing rules: `work` returns the first that applies. If none does, that is cached until something changes
    /// that was read; without the shortcut [`Shortcut::CleanStanding`], until anything changes.
    pub(crate) fn check_standing<T>(&self, work: impl FnOnce() -> Option<T>) -> Option<T> {
        let (found, reads) = self.noting(work);
        self.watched.set(if self.takes(Shortcut::CleanStanding) { reads } else { ReadSet::ALL });
        self.standing_clean.set(found.is_none());
        found
    }

    // ---- values ----

    /// Whether values are cached and read from the cache. In a temporary state they are if another value asks for them.
    #[inline]
    fn keeps_values(&self) -> bool {
        match self.keeps.get() {
            Keeps::All => self.takes(Shortcut::Cache),
            Keeps::Inner => self.nesting.get() > 0 && self.takes(Shortcut::Cache),
            Keeps::Nothing => false,
        }
    }

    /// Whether a value is still right. A value that has read everything, such as one from a script, is right until the outermost
    /// value is computed, because nothing changes in the meantime.
    #[inline]
    fn is_right(&self, basis: Basis) -> bool {
        if basis.reads.is_all() {
            return self.nesting.get() > 0 && basis.time >= self.begun.get() && self.changed.get().is_some();
        }
        self.holds(basis)
    }

    /// The cached value of a key.
    #[inline]
    pub(crate) fn get(&self, key: Key) -> Option<Value> {
        let entry = self.values.get(key)?.get();
        if !self.keeps_values() || !self.is_right(entry.basis) {
            return None;
        }
        // The computation that asks for the value depends on the same reads.
        self.reads.set(self.reads.get().union(entry.basis.reads));
        Some(entry.value)
    }

    /// Computes a value, and caches it if `lasts` is true afterwards.
    #[inline]
    pub(crate) fn find(&self, key: Key, work: impl FnOnce() -> Value, lasts: impl FnOnce() -> bool) -> Value {
        let outer = self.nesting.get();
        if outer == 0 {
            self.begun.set(self.now.get());
        }
        self.nesting.set(outer + 1);
        let (value, reads) = self.noting(work);
        self.nesting.set(outer);
        if self.keeps_values() && (!reads.is_all() || outer > 0) && lasts() {
            self.values.set(key, self.basis(reads), value, |basis| self.is_right(basis));
        }
        value
    }

    // ---- options ----

    /// Adds the options of an action to a list: the cached ones, or those that `work` finds. Each action of each player has a
    /// `place` of its own.
    pub(crate) fn list(&self, place: usize, options: &mut Vec<Opt>, work: impl FnOnce(&mut Vec<Opt>)) -> Known {
        if self.keeps_nothing() {
            work(options);
            return Known::Now;
        }
        {
            let mut all = self.options.borrow_mut();
            if all.len() <= place {
                all.resize_with(place + 1, Listed::default);
            }
            let listed = &mut all[place];
            if listed.basis.is_some_and(|basis| self.holds(basis)) {
                listed.hits = listed.hits.saturating_add(1);
                options.extend_from_slice(&listed.options);
                return Known::Already;
            }
            if listed.tries >= TRIES && listed.hits < listed.tries / 8 {
                listed.basis = None;
                drop(all);
                work(options);
                return Known::Now;
            }
        }
        let start = options.len();
        let ((), reads) = self.noting(|| work(options));
        let mut all = self.options.borrow_mut();
        let listed = &mut all[place];
        listed.tries = listed.tries.saturating_add(1);
        listed.basis = (!reads.is_all()).then(|| self.basis(reads));
        listed.options.clear();
        listed.options.extend_from_slice(&options[start..]);
        Known::Now
    }
}

impl Memo {
    /// Calls `work` with the values with which an action could be begun: the cached ones, or those that `find` finds. Each
    /// action of each player has a `place` of its own.
    pub(crate) fn with_candidates(&self, place: usize, find: impl Fn(&mut Priced), work: impl FnOnce(&Priced, Known)) {
        if self.keeps_nothing() {
            let mut list = Vec::new();
            find(&mut list);
            return work(&list, Known::Now);
        }
        let mut all = self.candidates.borrow_mut();
        if all.len() <= place {
            all.resize_with(place + 1, Candidates::default);
        }
        let Candidates { basis, mut list } = std::mem::take(&mut all[place]);
        drop(all);
        let known = basis.filter(|basis| self.holds(*basis));
        let (basis, known) = match known {
            Some(basis) => {
                // The computation that asks for them depends on the same reads.
                self.reads.set(self.reads.get().union(basis.reads));
                (Some(basis), Known::Already)
            }
            None => {
                list.clear();
                let ((), reads) = self.noting(|| find(&mut list));
                ((!reads.is_all()).then(|| self.basis(reads)), Known::Now)
            }
        };
        work(&list, known);
        self.candidates.borrow_mut()[place] = Candidates { basis, list };
    }
}

/// Whether a result came from the cache (`Already`) or was computed (`Now`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    Already,
    Now,
}

#[cfg(test)]
mod tests;
