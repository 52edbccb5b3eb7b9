//! The cached values by their keys: hash tables of fixed sizes.
//!
//! This file only stores values. `cache.rs` decides whether a value is still right.

use std::cell::{Cell, OnceCell};

use rulepack_expr::AttrId;
use rulepack_model::{PieceId, Seat, ValueId};

use crate::state::read_set::{Basis, ReadSet};
use crate::state::value::{Cell as Space, Value};

/// The places of the first table of values, and of the second one; each further one has four times as many. See [`Tables`].
const KEPT: usize = 512;
/// The size of the part of the first table for values of pieces; the rest is for values of players and of the game.
const OF_PIECES: usize = KEPT / 2;
/// The largest number of tables: room for millions of values.
pub(super) const TABLES: usize = 8;

/// The key of a value that can be cached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Key(u64);

/// The bit of a key for values in the public view; see `hidden/question_leaks.rs`.
const PUBLIC_VIEW: u32 = 59;
/// The bit of a key for an attribute.
const ATTRIBUTE: u32 = 60;
/// The bit of a key for a space, whose number stands where that of a piece would.
const SPACE: u32 = 61;

impl Key {
    /// A derived value of a player, or of nobody. `public_view` says whether it is computed from what everybody sees.
    #[inline]
    pub(crate) fn of_player(value: ValueId, player: Option<Seat>, public_view: bool) -> Key {
        let of = player.map_or(0, |seat| 1 | u64::from(seat.0) << 2);
        Key(u64::from(value.0) | of << 16 | u64::from(public_view) << PUBLIC_VIEW)
    }

    /// A derived value of a piece. If nobody owns the piece, the value may be another one for each player: then `me` is the
    /// player.
    #[inline]
    pub(crate) fn of_piece(value: ValueId, piece: PieceId, me: Option<Seat>, public_view: bool) -> Key {
        let of = 2 | u64::from(piece.0) << 2;
        let me = me.map_or(0, |seat| u64::from(seat.0) + 1);
        Key(u64::from(value.0) | of << 16 | me << 50 | u64::from(public_view) << PUBLIC_VIEW)
    }

    /// A derived value of a space, as it looks to a player.
    pub(crate) fn of_space(value: ValueId, space: Space, me: Option<Seat>, public_view: bool) -> Key {
        let number = PieceId(u32::from(space.zone.0) << 16 | u32::from(space.at));
        Key(Key::of_piece(value, number, me, public_view).0 | 1 << SPACE)
    }

    /// An attribute of a piece that is an expression, with `me` as its player.
    pub(crate) fn of_attr(attr: AttrId, piece: PieceId, me: Option<Seat>, public_view: bool) -> Key {
        Key(Key::of_piece(ValueId(attr.0), piece, me, public_view).0 | 1 << ATTRIBUTE)
    }

    /// The derived values that pieces in play modify, as bits; see [`crate::rules::facts`].
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
        // Values of players, of nobody and of standing rules: a few small numbers, times a few players.
        let (what, whose) = (self.0 as usize & 0xffff, (self.0 >> 16) as usize);
        let first = if whose & 3 == 3 { OF_PIECES / 2 } else { 0 };
        OF_PIECES + (first + what * 5 + (whose >> 2) + (whose & 1)) % (KEPT - OF_PIECES)
    }

    /// The place in a further table.
    fn further_place(self, number: usize) -> usize {
        // The high bits of a product are mixed best. Rotating makes the places in one table independent of another.
        let mixed = (self.0 ^ self.0 >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9).rotate_left(number as u32 * 7);
        (mixed.wrapping_mul(0x94d0_49bb_1331_11eb) >> 40) as usize
    }
}

/// Values by their keys. Each key has one place in each table. A value takes the first of its places that is empty or has a
/// value that is no longer right. So no value replaces another one that is right: otherwise, values that use one another would
/// be computed again and again. Most games need one table.
#[derive(Debug, Default)]
pub(super) struct Tables {
    first: OnceCell<Box<[Cell<Entry>; KEPT]>>,
    further: [OnceCell<Box<[Cell<Entry>]>>; TABLES - 1],
}

impl Tables {
    /// The value of a key, whether or not it is still right.
    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<&Cell<Entry>> {
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

    /// A table of empty places. A `Vec` is filled on the heap; an array would be built on the stack and copied.
    fn empty(count: usize) -> Vec<Cell<Entry>> {
        vec![Cell::new(NOWHERE); count]
    }

    /// The place of a key in a further table.
    fn further_place(table: &[Cell<Entry>], number: usize, key: Key) -> &Cell<Entry> {
        &table[key.further_place(number + 1) & (table.len() - 1)]
    }

    /// Stores a value; `holds` tells whether a value that is already there is still right.
    #[inline]
    pub(super) fn set(&self, key: Key, basis: Basis, value: Value, holds: impl Fn(Basis) -> bool) {
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

    /// The number of tables.
    #[cfg(test)]
    pub(super) fn count(&self) -> usize {
        usize::from(self.first.get().is_some()) + self.further.iter().filter(|table| table.get().is_some()).count()
    }
}

#[derive(Debug, Clone, Copy)]
pub(super) struct Entry {
    key: u64,
    pub(super) basis: Basis,
    pub(super) value: Value,
}

const NOWHERE: Entry = Entry { key: u64::MAX, basis: Basis { time: 0, reads: ReadSet::NOTHING }, value: Value::Nil };
