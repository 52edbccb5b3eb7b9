//! Rosters: a cache of which pieces of a zone are of which kinds. That is asked far more often than pieces come and go. A
//! roster is filled when it is asked for a second time, and is right until a piece comes or goes; `cache.rs` knows when that
//! was.

use std::cell::{Cell, OnceCell};
use std::fmt;

use rulepack_model::PieceId;

use crate::state::value::ZoneIx;

/// The largest number of pieces of a zone with a roster: one bit for each.
const PLACES: usize = 64;
/// The smallest number: fewer pieces are visited as quickly one by one.
const FEW: u32 = 5;

/// The rosters of all zones.
#[derive(Default)]
pub(crate) struct Rosters(OnceCell<Box<[OnceCell<Box<Roster>>]>>);

impl fmt::Debug for Rosters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Rosters")
    }
}

/// The pieces of a zone in their order, and for each kind a bit for each piece that is of it.
pub(crate) struct Roster {
    pieces: [Cell<PieceId>; PLACES],
    kinds: [Cell<u64>; u64::BITS as usize],
    /// When it was first asked for since a piece came or went, in the time of [`crate::state::cache::Memo`].
    since: Cell<Option<u64>>,
    /// Whether it was asked for again since then, and so was filled.
    is_filled: Cell<bool>,
}

impl Rosters {
    /// The roster of a zone with `count` pieces, if it is worth while. `walk` visits its pieces, each with the bits of its
    /// kinds. `holds` tells whether no piece has come or gone since a time, `now` is the present time.
    #[inline]
    pub(crate) fn of(
        &self,
        zone: ZoneIx,
        zones: usize,
        count: u32,
        holds: impl Fn(u64) -> bool,
        now: impl FnOnce() -> u64,
        walk: impl FnOnce(&mut dyn FnMut(PieceId, u64)),
    ) -> Option<&Roster> {
        if !(FEW..=PLACES as u32).contains(&count) {
            return None;
        }
        let all = self.0.get_or_init(|| (0..zones).map(|_| OnceCell::new()).collect());
        let roster = all.get(zone.index())?.get_or_init(Box::default);
        if !roster.since.get().is_some_and(holds) {
            roster.since.set(Some(now()));
            roster.is_filled.set(false);
            return None;
        }
        if !roster.is_filled.get() {
            roster.fill(walk);
        }
        Some(roster)
    }
}

impl Default for Roster {
    fn default() -> Self {
        Roster {
            pieces: [const { Cell::new(PieceId(0)) }; PLACES],
            kinds: [const { Cell::new(0) }; u64::BITS as usize],
            since: Cell::new(None),
            is_filled: Cell::new(false),
        }
    }
}

impl Roster {
    #[inline(never)]
    fn fill(&self, walk: impl FnOnce(&mut dyn FnMut(PieceId, u64))) {
        for kind in &self.kinds {
            kind.set(0);
        }
        let mut place = 0;
        walk(&mut |piece, mut kinds| {
            self.pieces[place % PLACES].set(piece);
            while kinds != 0 {
                let kind = &self.kinds[kinds.trailing_zeros() as usize];
                kind.set(kind.get() | 1 << place);
                kinds &= kinds - 1;
            }
            place += 1;
        });
        self.is_filled.set(true);
    }

    /// The places of the pieces that are of all of these kinds, as bits; `kinds` has at least one bit.
    #[inline]
    pub(crate) fn places(&self, mut kinds: u64) -> u64 {
        let mut places = u64::MAX;
        while kinds != 0 {
            places &= self.kinds[kinds.trailing_zeros() as usize].get();
            kinds &= kinds - 1;
        }
        places
    }

    /// The piece at a place.
    #[inline]
    pub(crate) fn piece(&self, place: u32) -> PieceId {
        self.pieces[place as usize % PLACES].get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eight pieces; every second one is of the second kind, the last three of the third.
    fn walk(visit: &mut dyn FnMut(PieceId, u64)) {
        for n in 0..8 {
            let kinds = 1 | u64::from(n % 2 == 0) << 1 | u64::from(n > 4) << 2;
            visit(PieceId(n + 10), kinds);
        }
    }

    fn pieces(roster: &Roster, kinds: u64) -> Vec<u32> {
        let places = roster.places(kinds);
        (0..64).filter(|place| places >> place & 1 != 0).map(|place| roster.piece(place).0).collect()
    }

    /// Asks for the roster of a zone with eight pieces; the last piece came or went at `changed`.
    fn ask(rosters: &Rosters, now: u64, changed: u64, may_walk: bool) -> Option<&Roster> {
        let walk = |visit: &mut dyn FnMut(PieceId, u64)| {
            assert!(may_walk, "it is known");
            walk(visit);
        };
        rosters.of(ZoneIx(2), 4, 8, |since| changed <= since, || now, walk)
    }

    #[test]
    fn who_is_of_all_kinds_is_known_once_it_is_asked_for_again() {
        let rosters = Rosters::default();
        assert!(ask(&rosters, 5, 0, false).is_none());
        let roster = ask(&rosters, 6, 0, true).expect("it is worth while now");
        assert_eq!(pieces(roster, 0b010), [10, 12, 14, 16]);
        assert_eq!(pieces(roster, 0b110), [16]);
        // It is not walked again until a piece comes or goes.
        assert!(ask(&rosters, 7, 5, false).is_some());
        assert!(ask(&rosters, 8, 7, false).is_none());
        assert!(ask(&rosters, 9, 7, true).is_some());
    }

    #[test]
    fn what_is_small_or_large_has_no_roster() {
        let rosters = Rosters::default();
        for count in [0, 4, 65, 10_000] {
            for _ in 0..3 {
                let walk = |_: &mut dyn FnMut(PieceId, u64)| panic!("nobody is walked");
                assert!(rosters.of(ZoneIx(0), 1, count, |_| true, || 1, walk).is_none());
            }
        }
    }
}
