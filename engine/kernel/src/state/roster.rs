//! Which pieces of a zone are of which kinds: asked far more often than pieces come and go. What follows from where the
//! pieces are is found out when it is asked for a second time, and forgotten when one comes or goes.

use std::cell::{Cell, OnceCell};
use std::fmt;

use rulepack_model::PieceId;

use crate::state::table::State;
use crate::state::value::ZoneIx;

/// As many pieces of a zone have a place in its roster; a larger zone has none.
const PLACES: usize = 64;
/// Fewer pieces are as quickly walked.
const FEW: u32 = 5;

/// The rosters of all zones.
#[derive(Default)]
pub(crate) struct Rosters(OnceCell<Box<[OnceCell<Box<Roster>>]>>);

impl fmt::Debug for Rosters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Rosters")
    }
}

/// The pieces of a zone in their order, and, for each kind, who is of it, as bits.
pub(crate) struct Roster {
    pieces: [Cell<PieceId>; PLACES],
    kinds: [Cell<u64>; u64::BITS as usize],
    state: Cell<Kept>,
}

/// Whether a roster is right.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kept {
    /// Not since a piece came or went.
    Stale,
    /// Not, but it was asked for once.
    Wanted,
    Right,
}

impl Rosters {
    /// A piece came to a zone, or left it.
    #[inline]
    pub(crate) fn changed(&self, zone: ZoneIx) {
        if let Some(all) = self.0.get()
            && let Some(roster) = all.get(zone.index()).and_then(OnceCell::get)
        {
            roster.state.set(Kept::Stale);
        }
    }

    /// Pieces may be anywhere.
    pub(crate) fn forget(&self) {
        for roster in self.0.get().into_iter().flatten().filter_map(OnceCell::get) {
            roster.state.set(Kept::Stale);
        }
    }

    /// The roster of a zone of so many, if it is worth while; `walk` visits its pieces, each with the bits of its kinds.
    #[inline]
    pub(crate) fn of(
        &self,
        zone: ZoneIx,
        zones: usize,
        count: u32,
        walk: impl FnOnce(&mut dyn FnMut(PieceId, u64)),
    ) -> Option<&Roster> {
        if !(FEW..=PLACES as u32).contains(&count) {
            return None;
        }
        let all = self.0.get_or_init(|| (0..zones).map(|_| OnceCell::new()).collect());
        let roster = all.get(zone.index())?.get_or_init(Box::default);
        match roster.state.get() {
            Kept::Right => Some(roster),
            Kept::Stale => {
                roster.state.set(Kept::Wanted);
                None
            }
            Kept::Wanted => {
                roster.fill(walk);
                Some(roster)
            }
        }
    }
}

impl Default for Roster {
    fn default() -> Self {
        Roster {
            pieces: [const { Cell::new(PieceId(0)) }; PLACES],
            kinds: [const { Cell::new(0) }; u64::BITS as usize],
            state: Cell::new(Kept::Stale),
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
        self.state.set(Kept::Right);
    }

    /// The places of the pieces that are of all of these kinds, of which there is at least one.
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

/// The pieces of a zone that are of some kinds.
pub(crate) struct OfKinds<'s> {
    state: &'s State,
    kinds: u64,
    /// Where they are known: who is left. Else the next in the chain.
    roster: Option<&'s Roster>,
    places: u64,
    at: u32,
}

impl<'s> OfKinds<'s> {
    /// Those of a roster, or of the chain that begins with a piece.
    #[inline]
    pub(crate) fn new(state: &'s State, kinds: u64, at: u32, roster: Option<&'s Roster>) -> OfKinds<'s> {
        let places = roster.map_or(0, |roster| roster.places(kinds));
        OfKinds { state, kinds, roster, places, at }
    }

    /// How many are looked at.
    #[inline]
    pub(crate) fn effort(&self, zone: ZoneIx) -> u32 {
        if self.roster.is_some() { self.places.count_ones() } else { self.state.zones[zone.index()].count }
    }

    /// How many there are, if that is known.
    #[inline]
    pub(crate) fn known(&self) -> Option<u32> {
        self.roster.map(|_| self.places.count_ones())
    }
}

impl Iterator for OfKinds<'_> {
    type Item = PieceId;

    #[inline]
    fn next(&mut self) -> Option<PieceId> {
        if let Some(roster) = self.roster {
            if self.places == 0 {
                return None;
            }
            let place = self.places.trailing_zeros();
            self.places &= self.places - 1;
            return Some(roster.piece(place));
        }
        loop {
            // There is no piece with the number that stands for none.
            let lies = self.state.pieces.get(self.at as usize)?;
            let piece = PieceId(std::mem::replace(&mut self.at, lies.next));
            if self.kinds == 0 || self.state.kinds_of(piece) & self.kinds == self.kinds {
                return Some(piece);
            }
        }
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

    #[test]
    fn who_is_of_all_kinds_is_known_once_it_is_asked_for_again() {
        let rosters = Rosters::default();
        let zone = ZoneIx(2);
        assert!(rosters.of(zone, 4, 8, walk).is_none());
        let roster = rosters.of(zone, 4, 8, walk).expect("it is worth while now");
        assert_eq!(pieces(roster, 0b010), [10, 12, 14, 16]);
        assert_eq!(pieces(roster, 0b110), [16]);
        // It is not walked again until a piece comes or goes.
        assert!(rosters.of(zone, 4, 8, |_| panic!("it is known")).is_some());
        rosters.changed(ZoneIx(1));
        assert!(rosters.of(zone, 4, 8, |_| panic!("it is known")).is_some());
        rosters.changed(zone);
        assert!(rosters.of(zone, 4, 8, walk).is_none());
    }

    #[test]
    fn what_is_small_or_large_has_no_roster() {
        let rosters = Rosters::default();
        for count in [0, 4, 65, 10_000] {
            for _ in 0..3 {
                assert!(rosters.of(ZoneIx(0), 1, count, |_| panic!("nobody is walked")).is_none());
            }
        }
    }
}
