//! What was worked out already, for as long as nothing has changed that was looked at for it.
//!
//! Whoever looks at the table notes what it saw ([`ReadSet`]): which zones, variables, resources. Whoever changes it notes the same.
//! So what was worked out is known to be right as long as what it saw has not changed, without any analysis of texts:
//! what a condition did not come to look at does not count.

use std::cell::{Cell, OnceCell, RefCell};
use std::hash::{Hash, Hasher};

use rulepack_expr::AttrId;
use rulepack_model::{PieceId, ResId, Seat, ValueId, VarId};

use crate::eval::bundle::Bundle;
use crate::flow::decision::Opt;
use crate::rules::shortcuts::{ORACLE, Shortcut, Shortcuts};
use crate::state::roster::{Roster, Rosters};
use crate::state::value::{Value, ZoneIx};

/// The places of the first table of values, and of the second one; each further one has four times as many. See [`Tables`].
const KEPT: usize = 512;
/// Half of the first table is for what is of pieces; in the other half, what is of players and the game has its places.
const OF_PIECES: usize = KEPT / 2;
/// So many tables there may be: room for millions of values.
const TABLES: usize = 8;
/// What has been worked out so often without being asked for again is no longer kept.
const TRIES: u16 = 24;

/// Parts of the table: a bit for each, or for several that are then taken to be one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ReadSet {
    zones: u64,
    others: u64,
    /// Zones of which only pieces of some kinds were looked at, and those kinds. Of what has changed, all zones, and the
    /// kinds of the pieces that came, went or lie otherwise.
    some_of: u64,
    kinds: u64,
}

/// Whose turn it is, and who has passed.
const TURN: u64 = 1 << 63;
const RESOURCES: u32 = 16;
const VARIABLES: u32 = 63 - RESOURCES;

impl ReadSet {
    pub(crate) const ALL: ReadSet = ReadSet { zones: u64::MAX, others: u64::MAX, some_of: u64::MAX, kinds: u64::MAX };
    const NOTHING: ReadSet = ReadSet { zones: 0, others: 0, some_of: 0, kinds: 0 };

    #[inline]
    fn is_all(self) -> bool {
        // Nearly nothing else has read all zones, so that one look tells mostly.
        self.zones == u64::MAX && self == ReadSet::ALL
    }

    #[inline]
    fn union(self, other: ReadSet) -> ReadSet {
        ReadSet {
            zones: self.zones | other.zones,
            others: self.others | other.others,
            some_of: self.some_of | other.some_of,
            kinds: self.kinds | other.kinds,
        }
    }
}

#[inline]
fn zone_bit(zone: ZoneIx) -> u64 {
    1 << (zone.0 % 64)
}

#[inline]
fn resource_bit(res: ResId) -> u64 {
    1 << (u32::from(res.0) % RESOURCES)
}

#[inline]
fn variable_bit(var: VarId) -> u64 {
    1 << (RESOURCES + u32::from(var.0) % VARIABLES)
}

/// What is remembered. It follows from the table, so that it is no part of what a state *is*, and a copy begins without it.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    /// What was looked at since somebody began to note it.
    reads: Cell<ReadSet>,
    /// How often something was worked out, which is how time is told here.
    now: Cell<u64>,
    /// When each part changed last; of interest only when something is remembered.
    changed: OnceCell<Box<Changed>>,
    values: Tables,
    /// By action and player.
    options: RefCell<Vec<Listed>>,
    candidates: RefCell<Vec<Candidates>>,
    keeps: Cell<Keeps>,
    /// How many values are being worked out inside one another, and when the outermost was begun.
    nesting: Cell<u32>,
    begun: Cell<u64>,
    /// Which shortcuts are taken; see [`Memo::follow`].
    shortcuts: Cell<Shortcuts>,
    /// What the standing rules looked at when none of them applied, and whether nothing of it has changed since.
    watched: Cell<ReadSet>,
    standing_clean: Cell<bool>,
    rosters: Rosters,
}

/// What is remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Keeps {
    #[default]
    All,
    /// For a table that is soon thrown away: only what a value asks other values for, which may be the same many times over.
    Inner,
    Nothing,
}

/// By the bits of [`ReadSet`]: the time of the last change.
#[derive(Debug)]
struct Changed {
    zones: [Cell<u64>; 64],
    others: [Cell<u64>; 64],
    kinds: [Cell<u64>; 64],
}

impl Default for Changed {
    fn default() -> Self {
        let never = || [const { Cell::new(0) }; 64];
        Changed { zones: never(), others: never(), kinds: never() }
    }
}

/// Calls a function for each bit.
#[inline]
fn each_bit(mut bits: u64, mut visit: impl FnMut(usize)) {
    while bits != 0 {
        visit(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}

/// Whether one of the parts has changed after a time.
#[inline]
fn any_later(mut bits: u64, times: &[Cell<u64>; 64], than: u64) -> bool {
    while bits != 0 {
        if times[bits.trailing_zeros() as usize % 64].get() > than {
            return true;
        }
        bits &= bits - 1;
    }
    false
}

/// When something was worked out, and what was looked at for it.
#[derive(Debug, Clone, Copy)]
struct Basis {
    time: u64,
    reads: ReadSet,
}

/// Values by their keys. Each key has one place in each table. A value takes the first place in which there is nothing that is
/// still right, so that no value pushes out another one that is still of use: pieces that all ask one another would be worked
/// out over and over. Mostly there is one table.
#[derive(Debug, Default)]
struct Tables {
    first: OnceCell<Box<[Cell<Entry>; KEPT]>>,
    further: [OnceCell<Box<[Cell<Entry>]>>; TABLES - 1],
}

impl Tables {
    /// What is kept under a key, still right or not.
    #[inline]
    fn get(&self, key: Key) -> Option<&Cell<Entry>> {
        let place = &self.first.get()?[key.place()];
        if place.get().key == key.0 { Some(place) } else { self.get_further(key) }
    }

    #[inline]
    fn get_further(&self, key: Key) -> Option<&Cell<Entry>> {
        self.further[0].get()?;
        self.search_further(key)
    }

    #[cold]
    #[inline(never)]
    fn search_further(&self, key: Key) -> Option<&Cell<Entry>> {
        let tables = self.further.iter().enumerate();
        let mut places = tables.map_while(|(number, table)| Some(Tables::further_place(table.get()?, number, key)));
        places.find(|place| place.get().key == key.0)
    }

    /// So many places, filled where they stay: an array would be copied there.
    fn empty(count: usize) -> Vec<Cell<Entry>> {
        vec![Cell::new(NOWHERE); count]
    }

    /// The place of a key in a further table.
    fn further_place(table: &[Cell<Entry>], number: usize, key: Key) -> &Cell<Entry> {
        &table[key.further_place(number + 1) & (table.len() - 1)]
    }

    /// Keeps a value; `holds` says whether another one is still right.
    #[inline]
    fn set(&self, key: Key, basis: Basis, value: Value, holds: impl Fn(Basis) -> bool) {
        let first = self.first.get_or_init(|| Tables::empty(KEPT).try_into().expect("there are as many"));
        let (place, entry) = (&first[key.place()], Entry { key: key.0, basis, value });
        let there = place.get();
        if there.key == key.0 || there.key == NOWHERE.key || !holds(there.basis) {
            return place.set(entry);
        }
        self.set_further(key, entry, &holds);
    }

    #[cold]
    #[inline(never)]
    fn set_further(&self, key: Key, entry: Entry, holds: &dyn Fn(Basis) -> bool) {
        for (number, table) in self.further.iter().enumerate() {
            let empty = || Tables::empty(KEPT << (2 * number)).into_boxed_slice();
            let place = Tables::further_place(table.get_or_init(empty), number, key);
            let there = place.get();
            let is_last = number + 1 == self.further.len();
            if there.key == key.0 || there.key == NOWHERE.key || is_last || !holds(there.basis) {
                return place.set(entry);
            }
        }
    }

    /// How many there are.
    #[cfg(test)]
    fn count(&self) -> usize {
        usize::from(self.first.get().is_some()) + self.further.iter().filter(|table| table.get().is_some()).count()
    }
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    key: u64,
    basis: Basis,
    value: Value,
}

const NOWHERE: Entry = Entry { key: u64::MAX, basis: Basis { time: 0, reads: ReadSet::NOTHING }, value: Value::Nil };

/// The options of an action.
#[derive(Debug, Default)]
struct Listed {
    basis: Option<Basis>,
    options: Vec<Opt>,
    /// How often they were worked out, and how often they were still known.
    tries: u16,
    hits: u16,
}

/// What an action could be begun with, each with its price, whoever can pay it.
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
        // What is remembered of another table is of no use; its memory is.
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

/// Something that can be remembered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key(u64);

/// The bit of a key for what others may take something to be.
const PUBLIC_VIEW: u32 = 59;
/// The bit of a key for an attribute.
const ATTRIBUTE: u32 = 60;

impl Key {
    /// A derived value of a player, or of nobody. `public_view` says whether it is computed from what everybody sees.
    #[inline]
    pub(crate) fn of_player(value: ValueId, player: Option<Seat>, public_view: bool) -> Key {
        let of = player.map_or(0, |seat| 1 | u64::from(seat.0) << 2);
        Key(u64::from(value.0) | of << 16 | u64::from(public_view) << PUBLIC_VIEW)
    }

    /// A derived value of a piece. One that nobody owns may look different to everybody: then `me` says to whom.
    #[inline]
    pub(crate) fn of_piece(value: ValueId, piece: PieceId, me: Option<Seat>, public_view: bool) -> Key {
        let of = 2 | u64::from(piece.0) << 2;
        let me = me.map_or(0, |seat| u64::from(seat.0) + 1);
        Key(u64::from(value.0) | of << 16 | me << 50 | u64::from(public_view) << PUBLIC_VIEW)
    }

    /// An attribute of a piece that is a text, as it looks to a player.
    pub(crate) fn of_attr(attr: AttrId, piece: PieceId, me: Option<Seat>, public_view: bool) -> Key {
        Key(Key::of_piece(ValueId(attr.0), piece, me, public_view).0 | 1 << ATTRIBUTE)
    }

    /// What pieces in play do; see [`crate::rules::facts`].
    pub(crate) const IN_PLAY: Key = Key(u64::MAX - 1);

    /// Whether a standing rule applies to a player.
    #[inline]
    pub(crate) fn of_standing(rule: usize, seat: Option<Seat>) -> Key {
        let of = 3 | seat.map_or(0, |seat| u64::from(seat.0) + 1) << 2;
        Key(rule as u64 | of << 16)
    }

    /// Whether it is about a piece.
    #[inline]
    fn is_of_piece(self) -> bool {
        self.0 >> 16 & 3 == 2
    }

    #[inline]
    fn place(self) -> usize {
        if self.is_of_piece() || self.0 >> PUBLIC_VIEW & 1 == 1 {
            return (self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as usize % OF_PIECES;
        }
        // What is of a player or of nobody: a few numbers of values or rules, times a few players.
        let (what, whose) = (self.0 as usize & 0xffff, (self.0 >> 16) as usize);
        let first = if whose & 3 == 3 { OF_PIECES / 2 } else { 0 };
        OF_PIECES + (first + what * 5 + (whose >> 2) + (whose & 1)) % (KEPT - OF_PIECES)
    }

    /// The place in a further table.
    fn further_place(self, number: usize) -> usize {
        // The bits of a product depend on one another less the higher they are; each table takes others.
        let mixed = (self.0 ^ self.0 >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(number as u32 * 7);
        (mixed.wrapping_mul(0x94d0_49bb_1331_11eb) >> 40) as usize
    }
}

impl Memo {
    /// For a table that is soon thrown away: hardly anything is remembered.
    pub(crate) fn disable(&self) {
        self.keeps.set(Keeps::Inner);
    }

    /// Whether what is soon thrown away, or is worked out as if there were no memory, is looked at.
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

    /// Whether nothing is kept here.
    #[inline(always)]
    fn keeps_nothing(&self) -> bool {
        self.is_idle() || !self.takes(Shortcut::Cache)
    }

    /// Something has changed that the standing rules read.
    #[inline(always)]
    fn disturb(&self) {
        self.standing_clean.set(self.standing_clean.get() && self.spoils(Shortcut::CleanStanding));
    }

    /// What holds of the copied table holds of its copy: that no standing rule applies to it, and what was read for that.
    fn take_watch(&self, other: &Memo) {
        self.watched.set(other.watched.get());
        self.standing_clean.set(other.standing_clean.get());
    }

    /// Lets something be worked out as if there were no memory.
    pub(crate) fn unrecorded(&self, work: impl FnOnce()) {
        let (reads, keeps) = (self.reads.get(), self.keeps.replace(Keeps::Nothing));
        work();
        self.reads.set(reads);
        self.keeps.set(keeps);
    }

    // ---- what is looked at ----

    #[inline]
    pub(crate) fn saw_zone(&self, zone: ZoneIx) {
        let reads = self.reads.get();
        self.reads.set(ReadSet { zones: reads.zones | zone_bit(zone), ..reads });
    }

    /// Only pieces of these kinds were looked at. If of all, those count as well that are of kinds without a bit.
    #[inline]
    pub(crate) fn saw_some_of(&self, zone: ZoneIx, kinds: u64) {
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
    pub(crate) fn saw_resource(&self, res: ResId) {
        self.saw_other(resource_bit(res));
    }

    #[inline]
    pub(crate) fn saw_variable(&self, var: VarId) {
        self.saw_other(variable_bit(var));
    }

    #[inline]
    pub(crate) fn saw_turn(&self) {
        self.saw_other(TURN);
    }

    /// A reader that cannot say what it read counts as having read everything.
    pub(crate) fn saw_all(&self) {
        self.reads.set(ReadSet::ALL);
    }

    /// Works something out; what was looked at for it, too.
    #[inline]
    fn noting<T>(&self, work: impl FnOnce() -> T) -> (T, ReadSet) {
        let before = self.reads.replace(ReadSet::NOTHING);
        let result = work();
        let reads = self.reads.get();
        self.reads.set(reads.union(before));
        (result, reads)
    }

    // ---- what changes ----

    /// A piece of these kinds came, went or lies otherwise.
    #[inline]
    pub(crate) fn zone_changed(&self, zone: ZoneIx, kinds: u64) {
        if !self.spoils(Shortcut::Rosters) {
            self.rosters.changed(zone);
        }
        let (watched, bit) = (self.watched.get(), zone_bit(zone));
        if watched.zones & bit != 0 || watched.some_of & bit != 0 && watched.kinds & kinds != 0 {
            self.disturb();
        }
        let Some(changed) = self.changed.get() else { return };
        let now = self.now.get();
        changed.zones[usize::from(zone.0) % 64].set(now);
        each_bit(kinds, |kind| changed.kinds[kind % 64].set(now));
    }

    #[inline]
    fn other_changed(&self, bit: u64) {
        if self.watched.get().others & bit != 0 {
            self.disturb();
        }
        let Some(changed) = self.changed.get() else { return };
        changed.others[bit.trailing_zeros() as usize % 64].set(self.now.get());
    }

    #[inline]
    pub(crate) fn resource_changed(&self, res: ResId) {
        self.other_changed(resource_bit(res));
    }

    #[inline]
    pub(crate) fn variable_changed(&self, var: VarId) {
        self.other_changed(variable_bit(var));
    }

    #[inline]
    pub(crate) fn turn_changed(&self) {
        self.other_changed(TURN);
    }

    /// Everything may have changed.
    pub(crate) fn forget(&self) {
        self.standing_clean.set(false);
        self.rosters.forget();
        let Some(changed) = self.changed.get() else { return };
        let Changed { zones, others, kinds } = &**changed;
        for time in zones.iter().chain(others).chain(kinds) {
            time.set(self.now.get());
        }
    }

    /// Whether nothing has changed that was looked at.
    #[inline]
    fn holds(&self, basis: Basis) -> bool {
        let Basis { time, reads } = basis;
        let Some(changed) = self.changed.get() else { return false };
        if self.spoils(Shortcut::Cache) {
            return true;
        }
        if any_later(reads.zones, &changed.zones, time) || any_later(reads.others, &changed.others, time) {
            return false;
        }
        !(any_later(reads.some_of, &changed.zones, time) && any_later(reads.kinds, &changed.kinds, time))
    }

    /// The basis of something that is worked out just now: what changes from now on comes later.
    #[inline]
    fn basis(&self, reads: ReadSet) -> Basis {
        self.changed.get_or_init(Box::default);
        let time = self.now.get();
        self.now.set(time + 1);
        Basis { time, reads }
    }

    /// Which pieces of a zone are of which kinds, if that is known or worth knowing.
    #[inline]
    pub(crate) fn roster(
        &self,
        zone: ZoneIx,
        zones: usize,
        count: u32,
        walk: impl FnOnce(&mut dyn FnMut(PieceId, u64)),
    ) -> Option<&Roster> {
        if self.is_idle() || !self.takes(Shortcut::Rosters) { None } else { self.rosters.of(zone, zones, count, walk) }
    }

    // ---- standing rules ----

    /// Whether no standing rule can apply: none did, and nothing has changed that their conditions read.
    #[inline]
    pub(crate) fn standing_clean(&self) -> bool {
        self.standing_clean.get()
    }

    /// Checks the standing rules, of which one applies or none; `work` says which. If none does, that is remembered until
    /// something changes that was read for it; if everything was read, or without the shortcut, until anything changes.
    pub(crate) fn check_standing<T>(&self, work: impl FnOnce() -> Option<T>) -> Option<T> {
        let (found, reads) = self.noting(work);
        self.watched.set(if self.takes(Shortcut::CleanStanding) { reads } else { ReadSet::ALL });
        self.standing_clean.set(found.is_none());
        found
    }

    // ---- values ----

    /// Whether a value is to be kept, when it was worked out or is asked for. On a table that is soon thrown away it is if
    /// another value asks for it.
    #[inline]
    fn keeps_values(&self) -> bool {
        match self.keeps.get() {
            Keeps::All => self.takes(Shortcut::Cache),
            Keeps::Inner => self.nesting.get() > 0 && self.takes(Shortcut::Cache),
            Keeps::Nothing => false,
        }
    }

    /// Whether a value is still right. One that has read everything, such as what a script looks at, is so as long as the same
    /// outermost value is being worked out: nothing changes in the meantime.
    #[inline]
    fn is_right(&self, basis: Basis) -> bool {
        if basis.reads.is_all() {
            return self.nesting.get() > 0 && basis.time >= self.begun.get() && self.changed.get().is_some();
        }
        self.holds(basis)
    }

    /// What is known under a key.
    #[inline]
    pub(crate) fn get(&self, key: Key) -> Option<Value> {
        let entry = self.values.get(key)?.get();
        if !self.keeps_values() || !self.is_right(entry.basis) {
            return None;
        }
        // Whoever asks has looked at the same.
        self.reads.set(self.reads.get().union(entry.basis.reads));
        Some(entry.value)
    }

    /// Works out what is not known; it is remembered if `lasts` says so then.
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

    /// Adds the options of an action to a list: those that are known, or those that `work` finds. Each action of each player
    /// has a place of its own.
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
    /// Lends out what an action could be begun with: what is known, or what `find` finds. Each action of each player has a
    /// place of its own.
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
                // Whoever asks has looked at the same.
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

/// Whether something was known, or had to be worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Known {
    Already,
    Now,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(memo: &Memo, key: Key, zone: ZoneIx, value: i64) {
        let work = || {
            memo.saw_zone(zone);
            Value::Int(value)
        };
        assert_eq!(memo.find(key, work, || true), Value::Int(value));
    }

    fn key(value: u16) -> Key {
        Key::of_player(ValueId(value), None, false)
    }

    #[test]
    fn a_value_is_known_until_something_changes_that_it_saw() {
        let memo = Memo::default();
        assert_eq!(memo.get(key(3)), None);
        find(&memo, key(3), ZoneIx(5), 7);
        memo.zone_changed(ZoneIx(6), 1);
        memo.variable_changed(VarId(5));
        assert_eq!(memo.get(key(3)), Some(Value::Int(7)));
        memo.zone_changed(ZoneIx(5), 1);
        assert_eq!(memo.get(key(3)), None);
        // What changed before it was worked out again does not count.
        find(&memo, key(3), ZoneIx(5), 8);
        assert_eq!(memo.get(key(3)), Some(Value::Int(8)));
    }

    #[test]
    fn pieces_of_other_kinds_do_not_count_if_only_some_were_looked_for() {
        let memo = Memo::default();
        let work = || {
            memo.saw_some_of(ZoneIx(5), 0b10);
            Value::Int(1)
        };
        memo.find(key(1), work, || true);
        memo.zone_changed(ZoneIx(5), 0b101);
        memo.zone_changed(ZoneIx(6), 0b10);
        // A zone that was looked at has changed, and a kind that was looked for: together that may be what counts.
        assert_eq!(memo.get(key(1)), None);
        memo.find(key(1), work, || true);
        memo.zone_changed(ZoneIx(5), 0b101);
        assert_eq!(memo.get(key(1)), Some(Value::Int(1)));
        memo.zone_changed(ZoneIx(5), 0b10);
        assert_eq!(memo.get(key(1)), None);
    }

    #[test]
    fn a_piece_whose_kinds_have_no_bit_counts_where_all_are_looked_at() {
        let memo = Memo::default();
        let work = || {
            memo.saw_some_of(ZoneIx(5), u64::MAX);
            Value::Int(1)
        };
        memo.find(key(1), work, || true);
        memo.zone_changed(ZoneIx(5), 0);
        assert_eq!(memo.get(key(1)), None);
    }

    #[test]
    fn what_builds_on_a_value_saw_what_the_value_saw() {
        let memo = Memo::default();
        find(&memo, key(1), ZoneIx(5), 1);
        let work = || memo.get(key(1)).expect("it is known");
        assert_eq!(memo.find(key(2), work, || true), Value::Int(1));
        memo.zone_changed(ZoneIx(5), 1);
        assert_eq!(memo.get(key(2)), None);
    }

    /// A value that pushed out another one had both worked out over and over, twice as often with every piece.
    #[test]
    fn values_that_are_right_do_not_push_one_another_out() {
        let memo = Memo::default();
        let of = |value: u16, piece: u32| Key::of_piece(ValueId(value), PieceId(piece), None, false);
        let all = || (0..4).flat_map(|value| (0..2000).map(move |piece| (value, piece)));
        for (value, piece) in all() {
            find(&memo, of(value, piece), ZoneIx(5), i64::from(piece));
        }
        let lost = all().filter(|(value, piece)| memo.get(of(*value, *piece)) != Some(Value::Int(i64::from(*piece))));
        assert_eq!(lost.count(), 0);
        let tables = memo.values.count();
        assert!(tables < TABLES, "there is room for more");
        // What is no longer right makes room: no further table is needed.
        memo.zone_changed(ZoneIx(5), 1);
        for (value, piece) in all() {
            find(&memo, of(value + 4, piece), ZoneIx(5), 1);
        }
        assert_eq!(memo.values.count(), tables);
    }

    /// An expression that calls a script counts as having read everything; its value is kept only while the value that asked for it is computed.
    #[test]
    fn what_has_seen_everything_is_known_inside_one_value() {
        let memo = Memo::default();
        let inner = || {
            memo.saw_all();
            Value::Int(1)
        };
        let outer = || {
            assert_eq!(memo.find(key(1), inner, || true), Value::Int(1));
            assert_eq!(memo.get(key(1)), Some(Value::Int(1)));
            Value::Int(2)
        };
        assert_eq!(memo.find(key(2), outer, || true), Value::Int(2));
        assert_eq!((memo.get(key(1)), memo.get(key(2))), (None, None));
        let other = || {
            assert_eq!(memo.get(key(1)), None, "it belongs to another value");
            Value::Int(3)
        };
        memo.find(key(3), other, || true);
    }

    /// On a copy that is soon thrown away, only what values ask one another for is kept.
    #[test]
    fn a_table_that_is_soon_thrown_away_keeps_what_values_ask_one_another_for() {
        let memo = Memo::default();
        memo.disable();
        let outer = || {
            find(&memo, key(1), ZoneIx(1), 1);
            assert_eq!(memo.get(key(1)), Some(Value::Int(1)));
            Value::Int(2)
        };
        memo.find(key(2), outer, || true);
        assert_eq!((memo.get(key(1)), memo.get(key(2))), (None, None));
    }

    #[test]
    fn what_was_worked_out_long_ago_is_still_known() {
        let memo = Memo::default();
        find(&memo, key(1), ZoneIx(1), 1);
        for n in 0..1000 {
            memo.zone_changed(ZoneIx(2), 1);
            find(&memo, key(2), ZoneIx(2), n);
        }
        assert_eq!((memo.get(key(1)), memo.get(key(2))), (Some(Value::Int(1)), Some(Value::Int(999))));
    }

    #[test]
    fn all_is_calm_until_something_changes_that_the_rules_looked_at() {
        let memo = Memo::default();
        let look = |applies: Option<u8>| {
            memo.check_standing(|| {
                memo.saw_some_of(ZoneIx(5), 0b10);
                memo.saw_resource(ResId(1));
                applies
            })
        };
        assert!(!memo.standing_clean());
        assert_eq!(look(Some(3)), Some(3));
        assert!(!memo.standing_clean());
        assert_eq!(look(None), None);
        memo.zone_changed(ZoneIx(5), 0b101);
        memo.zone_changed(ZoneIx(6), 0b10);
        memo.resource_changed(ResId(2));
        assert!(memo.standing_clean());
        memo.zone_changed(ZoneIx(5), 0b10);
        assert!(!memo.standing_clean());
        look(None);
        memo.resource_changed(ResId(1));
        assert!(!memo.standing_clean());
        // A copy of the table is as clean as the table; changes of one say nothing about the other.
        look(None);
        let copy = memo.clone();
        memo.resource_changed(ResId(1));
        assert!(!memo.standing_clean() && copy.standing_clean());
        copy.zone_changed(ZoneIx(5), 0b10);
        assert!(!copy.standing_clean());
    }

    #[test]
    fn rules_that_have_read_everything_are_checked_after_any_change() {
        let memo = Memo::default();
        let look = || {
            memo.check_standing(|| -> Option<u8> {
                memo.saw_all();
                None
            })
        };
        let changes: [&dyn Fn(); 4] = [
            &|| memo.zone_changed(ZoneIx(70), 0),
            &|| memo.resource_changed(ResId(40)),
            &|| memo.variable_changed(VarId(90)),
            &|| memo.turn_changed(),
        ];
        for change in changes {
            look();
            assert!(memo.standing_clean());
            change();
            assert!(!memo.standing_clean());
        }
    }

    #[test]
    fn another_table_may_be_like_that_one_in_every_number() {
        let mut memo = Memo::default();
        find(&memo, key(1), ZoneIx(5), 1);
        memo.clone_from(&Memo::default());
        assert_eq!(memo.get(key(1)), None);
    }

    #[test]
    fn options_are_listed_again_until_something_changes() {
        let memo = Memo::default();
        let list = |option: Opt| {
            let mut options = vec![Opt::Done];
            let known = memo.list(3, &mut options, |options| {
                memo.saw_zone(ZoneIx(1));
                options.push(option);
            });
            (known, options)
        };
        assert_eq!(list(Opt::Yes), (Known::Now, vec![Opt::Done, Opt::Yes]));
        assert_eq!(list(Opt::No), (Known::Already, vec![Opt::Done, Opt::Yes]));
        memo.zone_changed(ZoneIx(1), 1);
        assert_eq!(list(Opt::No), (Known::Now, vec![Opt::Done, Opt::No]));
    }
}
