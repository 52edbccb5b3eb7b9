//! The parts of a state that few games have. A game without them has the same hash and the same saves as before they existed,
//! and pays for them with one comparison.

use rulepack_model::{PhaseId, PieceId, Seat};
use serde::{Deserialize, Serialize};

use crate::flow::frame::Looks;
use crate::state::table::State;
use crate::state::value::ZoneIx;

/// How many positions are kept: the oldest are forgotten first.
const MOST_POSITIONS: usize = 10_000;

/// The rare parts; nothing if all are empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Rare(Option<Box<Parts>>);

/// The parts of a state that few games have.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(crate) struct Parts {
    /// The pieces that players see until they move, each with the player.
    #[serde(skip_serializing_if = "Looks::is_empty")]
    pub(crate) looks: Looks,
    /// Who is out, each with the phase whose next round brings the player back; without one, out of the game.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) out: Vec<(Seat, Option<PhaseId>)>,
    /// The positions at the beginning of turns, as hashes, if the pack has a rule about their repetition.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) positions: Vec<u64>,
}

impl std::hash::Hash for Parts {
    fn hash<H: std::hash::Hasher>(&self, hasher: &mut H) {
        // A game without a part has the same hash as before that part existed.
        self.looks.hash(hasher);
        if !self.out.is_empty() {
            self.out.hash(hasher);
        }
        if !self.positions.is_empty() {
            self.positions.hash(hasher);
        }
    }
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

    /// A bit for each player who is out.
    pub(crate) fn eliminated(&self) -> u32 {
        self.memo.saw_turn();
        self.out().iter().fold(0, |all, (seat, _)| all | 1 << seat.0)
    }

    /// Whether a player is out, of the round or of the game.
    pub fn is_eliminated(&self, seat: Seat) -> bool {
        self.eliminated() >> seat.0 & 1 == 1
    }

    /// Whether a player is out of the whole game.
    pub fn is_out_for_good(&self, seat: Seat) -> bool {
        self.memo.saw_turn();
        self.out().contains(&(seat, None))
    }

    /// Who is out, each with the phase whose next round brings the player back.
    pub(crate) fn out(&self) -> &[(Seat, Option<PhaseId>)] {
        self.rare.parts().map_or(&[], |parts| parts.out.as_slice())
    }

    /// A player is out until a phase begins another round, or for good. False if the player was out for as long already.
    pub(crate) fn eliminate(&mut self, seat: Seat, until: Option<PhaseId>) -> bool {
        let before = self.out().iter().find(|(out, _)| *out == seat).map(|(_, until)| *until);
        if before == Some(None) || before == Some(until) {
            return false;
        }
        self.memo.turn_changed();
        self.rare.change(|parts| {
            parts.out.retain(|(out, _)| *out != seat);
            parts.out.push((seat, until));
            parts.out.sort_unstable();
        });
        true
    }

    /// Sets who is out of the game.
    pub(crate) fn set_eliminated(&mut self, seats: &[Seat]) {
        self.memo.turn_changed();
        self.rare.change(|parts| {
            parts.out = seats.iter().map(|seat| (*seat, None)).collect();
            parts.out.sort_unstable();
        });
    }

    /// A phase begins another round, or is over: whoever is out until then is back.
    pub(crate) fn bring_back(&mut self, phase: PhaseId) {
        if self.out().iter().any(|(_, until)| *until == Some(phase)) {
            self.memo.turn_changed();
            self.rare.change(|parts| parts.out.retain(|(_, until)| *until != Some(phase)));
        }
    }

    /// The positions at the beginning of turns, as hashes.
    pub(crate) fn positions(&self) -> &[u64] {
        self.rare.parts().map_or(&[], |parts| parts.positions.as_slice())
    }

    /// Notes the position at the beginning of a turn. At the last of so many times, it is forgotten: then it is counted anew.
    pub(crate) fn repeats(&mut self, position: u64, times: u32) -> bool {
        let before = self.positions().iter().filter(|known| **known == position).count();
        let is_last = before + 1 >= times as usize;
        self.rare.change(|parts| {
            if is_last {
                parts.positions.retain(|known| *known != position);
                return;
            }
            if parts.positions.len() >= MOST_POSITIONS {
                parts.positions.remove(0);
            }
            parts.positions.push(position);
        });
        is_last
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
