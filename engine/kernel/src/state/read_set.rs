//! Sets of parts of the table that were read or changed, as bits; and the time when each part changed last.
//!
//! Only the sets and the times are here. `cache.rs` notes reads and changes, called from `table/`.

use std::cell::Cell;

use rulepack_model::{ResId, VarId};

use crate::state::value::ZoneIx;

/// Parts of the table: a bit for each. If there are more parts than bits, several share one and count as one part.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct ReadSet {
    pub(super) zones: u64,
    pub(super) others: u64,
    /// Zones in which only pieces of some kinds were read.
    pub(super) some_of: u64,
    /// Those kinds.
    pub(super) kinds: u64,
}

/// Whose turn it is, and who has passed.
pub(super) const TURN: u64 = 1 << 63;
const RESOURCES: u32 = 16;
const VARIABLES: u32 = 63 - RESOURCES;

impl ReadSet {
    pub(crate) const ALL: ReadSet = ReadSet { zones: u64::MAX, others: u64::MAX, some_of: u64::MAX, kinds: u64::MAX };
    pub(super) const NOTHING: ReadSet = ReadSet { zones: 0, others: 0, some_of: 0, kinds: 0 };

    #[inline]
    pub(super) fn is_all(self) -> bool {
        // One test is enough mostly: hardly any other set has all zones.
        self.zones == u64::MAX && self == ReadSet::ALL
    }

    #[inline]
    pub(super) fn union(self, other: ReadSet) -> ReadSet {
        ReadSet {
            zones: self.zones | other.zones,
            others: self.others | other.others,
            some_of: self.some_of | other.some_of,
            kinds: self.kinds | other.kinds,
        }
    }
}

#[inline]
pub(super) fn zone_bit(zone: ZoneIx) -> u64 {
    1 << (zone.0 % 64)
}

#[inline]
pub(super) fn resource_bit(res: ResId) -> u64 {
    1 << (u32::from(res.0) % RESOURCES)
}

#[inline]
pub(super) fn variable_bit(var: VarId) -> u64 {
    1 << (RESOURCES + u32::from(var.0) % VARIABLES)
}

/// When a result was computed, in the time of [`crate::state::cache::Memo`], and what was read for it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Basis {
    pub(super) time: u64,
    pub(super) reads: ReadSet,
}

/// The time of the last change of each part, by the bits of [`ReadSet`].
#[derive(Debug)]
pub(super) struct Changed {
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

impl Changed {
    /// A piece of these kinds came to a zone, left it, or was changed in it.
    #[inline]
    pub(super) fn zone(&self, zone: ZoneIx, kinds: u64, now: u64) {
        self.zones[usize::from(zone.0) % 64].set(now);
        each_bit(kinds, |kind| self.kinds[kind % 64].set(now));
    }

    /// A resource, a variable or the turn changed.
    #[inline]
    pub(super) fn other(&self, bit: u64, now: u64) {
        self.others[bit.trailing_zeros() as usize % 64].set(now);
    }

    /// Everything may have changed.
    pub(super) fn all(&self, now: u64) {
        for time in self.zones.iter().chain(&self.others).chain(&self.kinds) {
            time.set(now);
        }
    }

    /// Whether a zone has not changed since a time.
    #[inline]
    pub(super) fn is_zone_since(&self, zone: ZoneIx, time: u64) -> bool {
        self.zones[usize::from(zone.0) % 64].get() <= time
    }

    /// Whether nothing has changed that was read.
    #[inline]
    pub(super) fn holds(&self, basis: Basis) -> bool {
        let Basis { time, reads } = basis;
        if any_later(reads.zones, &self.zones, time) || any_later(reads.others, &self.others, time) {
            return false;
        }
        !(any_later(reads.some_of, &self.zones, time) && any_later(reads.kinds, &self.kinds, time))
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
