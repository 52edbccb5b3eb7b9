//! The pieces of a zone that are of some kinds: from its roster where there is one, else from the chain of its pieces.

use rulepack_model::PieceId;

use crate::state::roster::Roster;
use crate::state::table::State;
use crate::state::value::ZoneIx;

/// The pieces of a zone that are of some kinds.
pub(crate) struct OfKinds<'s> {
    pub(super) state: &'s State,
    pub(super) kinds: u64,
    /// The roster of the zone, if it has one.
    pub(super) roster: Option<&'s Roster>,
    /// With a roster: the places of the pieces that are left to visit.
    pub(super) places: u64,
    /// Without a roster: the next piece of the chain.
    pub(super) at: u32,
}

impl OfKinds<'_> {
    /// How many pieces are tested.
    #[inline]
    pub(crate) fn effort(&self, zone: ZoneIx) -> u32 {
        if self.roster.is_some() { self.places.count_ones() } else { self.state.zones[zone.index()].count }
    }

    /// How many there are, if there is a roster.
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
            // `NONE`, at the end of the chain, is no index.
            let lies = self.state.pieces.get(self.at as usize)?;
            let piece = PieceId(std::mem::replace(&mut self.at, lies.next));
            if self.kinds == 0 || self.state.kinds_of(piece) & self.kinds == self.kinds {
                return Some(piece);
            }
        }
    }
}
