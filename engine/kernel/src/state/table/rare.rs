//! The parts of a state that few games have. A game without them has the same hash and the same saves as before they existed,
//! and pays for them with one comparison.

use rulepack_model::{PieceId, Seat};
use serde::{Deserialize, Serialize};

use crate::flow::frame::Looks;
use crate::state::table::State;
use crate::state::value::ZoneIx;

/// The rare parts; nothing if all are empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Rare(Option<Box<Parts>>);

/// The parts of a state that few games have.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Parts {
    /// The pieces that players see until they move, each with the player.
    #[serde(skip_serializing_if = "Looks::is_empty")]
    pub(crate) looks: Looks,
}

impl std::hash::Hash for Rare {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        // A game without rare parts has the same hash as before they existed.
        if let Some(parts) = &self.0 {
            parts.hash(hasher);
        }
    }
}

impl Rare {
    /// Whether there are none.
    #[inline(always)]
    pub(crate) fn is_none(&self) -> bool {
        self.0.is_none()
    }

    /// The rare parts.
    pub(crate) fn parts(&self) -> Option<&Parts> {
        self.0.as_deref()
    }

    /// Changes the rare parts.
    #[cold]
    pub(super) fn change(&mut self, change: impl FnOnce(&mut Parts)) {
        let parts = self.0.get_or_insert_with(Box::default);
        change(parts);
        if **parts == Parts::default() {
            self.0 = None;
        }
    }
}

impl State {
    /// The parts that few games have.
    #[inline(always)]
    pub(crate) fn rare(&self) -> &Rare {
        &self.rare
    }

    /// The pieces that players see until they move, each with the player.
    pub(crate) fn lasting_looks(&self) -> &[(Seat, PieceId)] {
        self.rare.parts().map_or(&[], |parts| parts.looks.as_slice())
    }

    /// The players who see a piece until it moves, because they have looked at it or were shown it.
    pub fn seen_lastingly_by(&self, piece: PieceId) -> impl Iterator<Item = Seat> + '_ {
        self.lasting_looks().iter().filter(move |(_, seen)| *seen == piece).map(|(seat, _)| *seat)
    }

    /// Lets a player see a piece until it moves.
    pub(crate) fn look_lastingly(&mut self, seat: Seat, piece: PieceId) {
        self.rare.change(|parts| {
            if let Err(at) = parts.looks.binary_search(&(seat, piece)) {
                parts.looks.insert(at, (seat, piece));
            }
        });
    }

    /// A piece has moved: nobody sees it any more because of an earlier look.
    #[cold]
    pub(crate) fn forget_looks_at(&mut self, moved: PieceId) {
        let pieces = self.with_riders(moved);
        self.rare.change(|parts| parts.looks.retain(|(_, piece)| !pieces.contains(piece)));
    }

    /// Ends every lasting look at pieces of a zone.
    pub(super) fn forget_lasting_looks_into(&mut self, zone: ZoneIx) {
        if self.rare.is_none() {
            return;
        }
        let pieces = &self.pieces;
        self.rare.change(|parts| parts.looks.retain(|(_, piece)| pieces[piece.index()].zone != zone));
    }

    /// Renames the pieces in the rare parts.
    pub(super) fn rename_rare(&mut self, mut rename: impl FnMut(&mut PieceId)) {
        if self.rare.is_none() {
            return;
        }
        self.rare.change(|parts| {
            parts.looks.iter_mut().for_each(|(_, piece)| rename(piece));
            parts.looks.sort_unstable();
        });
    }
}
