//! Handles of pieces: names such as `piece:3` by which one viewer can refer to the pieces that it sees. The numbers count the
//! pieces in the order in which they came into sight.
//!
//! A handle reveals nothing hidden: it follows from what the viewer has seen before, never from the numbers of the kernel. A
//! piece that goes out of sight loses its handle, even if it comes back before the next question: a player who draws one of two
//! equal cards that were shuffled away must not learn which of the two it is.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use rulepack_kernel::{Game, LogEntry, ResourceHolder, Sight, Viewer, ZoneIx};
use rulepack_model::PieceId;

/// The number of answers that can be undone with the old handles; after more, all handles are new.
const KEPT: usize = 16;
/// The beginning of a handle of a piece.
const PIECE: &str = "piece:";

type Numbers = BTreeMap<PieceId, u64>;

/// The handles of one viewer.
#[derive(Debug, Clone)]
pub(crate) struct Handles {
    viewer: Viewer,
    given: u64,
    numbers: Arc<Numbers>,
    /// The numbers before each of the last answers.
    earlier: VecDeque<Arc<Numbers>>,
}

/// The places of the pieces with handles, brought up to date event by event.
#[derive(Debug)]
pub(crate) struct Lying(BTreeMap<PieceId, Place>);

/// Where a piece lies: the zone, and the pieces that it lies on.
#[derive(Debug)]
struct Place {
    zone: ZoneIx,
    below: Vec<PieceId>,
}

impl Handles {
    /// The handles of a viewer who has seen nothing yet.
    pub(crate) fn new(viewer: Viewer) -> Handles {
        Handles { viewer, given: 0, numbers: Arc::default(), earlier: VecDeque::new() }
    }

    /// The handle of a piece that is in sight.
    pub(crate) fn name(&mut self, piece: PieceId) -> String {
        let number = match self.numbers.get(&piece) {
            Some(number) => *number,
            None => {
                self.given = self.given.saturating_add(1);
                Arc::make_mut(&mut self.numbers).insert(piece, self.given);
                self.given
            }
        };
        format!("{PIECE}{number}")
    }

    /// The piece to which a handle refers now.
    pub(crate) fn piece(&self, handle: &str) -> Option<PieceId> {
        let number: u64 = handle.strip_prefix(PIECE)?.parse().ok()?;
        self.numbers.iter().find(|(_, one)| **one == number).map(|(piece, _)| *piece)
    }

    /// The places of the pieces with handles before an answer.
    pub(crate) fn lying(&self, game: &Game) -> Lying {
        let state = game.state();
        let place = |piece: &PieceId| {
            let below = std::iter::successors(state.host(*piece), |host| state.host(*host)).collect();
            (*piece, Place { zone: state.piece(*piece).zone, below })
        };
        Lying(self.numbers.keys().map(place).collect())
    }

    /// Begins an answer: undoing it later restores the handles of this moment.
    pub(crate) fn begin(&mut self) {
        if self.earlier.len() >= KEPT {
            self.earlier.pop_front();
        }
        self.earlier.push_back(Arc::clone(&self.numbers));
    }

    /// Follows one event, and returns the handle of its piece, if the viewer saw that piece.
    pub(crate) fn follow(&mut self, event: &LogEntry, lying: &mut Lying) -> Option<String> {
        let viewer = self.viewer;
        let known =
            |handles: &Handles, piece: PieceId| handles.numbers.get(&piece).map(|number| format!("{PIECE}{number}"));
        match event {
            LogEntry::Moved { piece, to, seen_by, seen_after, .. } => {
                lying.moves(*piece, to.zone);
                self.passes(*piece, (seen_by.includes(viewer), seen_after.includes(viewer)), lying)
            }
            LogEntry::Laid { piece, on, seen_by, seen_after } => {
                lying.lays(*piece, *on);
                self.passes(*piece, (seen_by.includes(viewer), seen_after.includes(viewer)), lying)
            }
            LogEntry::Shuffled { zone } => {
                // After a shuffle nobody knows which piece is which.
                let there = |piece: &PieceId| lying.0.get(piece).is_some_and(|place| place.zone == *zone);
                self.lose(there);
                None
            }
            LogEntry::Flipped { piece } => known(self, *piece),
            LogEntry::Transferred { from, to, .. } => [from, to].into_iter().find_map(|holder| match holder {
                ResourceHolder::Piece(piece) => known(self, *piece),
                ResourceHolder::Supply | ResourceHolder::Seat(_) => None,
            }),
            LogEntry::ActionBegan { .. }
            | LogEntry::ActionTaken { .. }
            | LogEntry::Chose { .. }
            | LogEntry::Noted { .. } => event.pieces_seen(viewer).into_iter().find_map(|piece| known(self, piece)),
            LogEntry::PhaseBegan { .. }
            | LogEntry::TurnBegan { .. }
            | LogEntry::Passed { .. }
            | LogEntry::Eliminated { .. }
            | LogEntry::Repeated { .. }
            | LogEntry::Forced { .. }
            | LogEntry::AllChose
            | LogEntry::Lost { .. }
            | LogEntry::Looked { .. }
            | LogEntry::Shown { .. }
            | LogEntry::Disclosed { .. }
            | LogEntry::Rolled { .. }
            | LogEntry::Raised { .. }
            | LogEntry::Looped { .. }
            | LogEntry::GameOver => None,
        }
    }

    /// Follows a piece that moves. `seen`: whether the viewer saw it while it moved; `seen_after`: whether the viewer sees it at
    /// its new place.
    fn passes(&mut self, piece: PieceId, (seen, seen_after): (bool, bool), lying: &mut Lying) -> Option<String> {
        if seen_after {
            let handle = self.name(piece);
            return Some(handle);
        }
        let handle = self.numbers.get(&piece).filter(|_| seen).map(|number| format!("{PIECE}{number}"));
        // The pieces on it move, too.
        self.lose(|other| *other == piece || lying.0.get(other).is_some_and(|place| place.below.contains(&piece)));
        handle
    }

    /// Ends an answer: pieces that are not in sight now lose their handles.
    pub(crate) fn end(&mut self, game: &Game) {
        let sight = Sight::new(game.rules(), game.state(), self.viewer);
        self.lose(|piece| !sight.sees(*piece));
    }

    /// Undoes answers: pieces have the handles that they had then, or new ones if that is too long ago.
    pub(crate) fn undo(&mut self, answers: usize) {
        let left = self.earlier.len().checked_sub(answers);
        match left.and_then(|left| Some((left, self.earlier.get(left)?.clone()))) {
            Some((left, numbers)) => {
                self.numbers = numbers;
                self.earlier.truncate(left);
            }
            None if answers == 0 => {}
            None => {
                self.numbers = Arc::default();
                self.earlier.clear();
            }
        }
    }

    fn lose(&mut self, is_lost: impl Fn(&PieceId) -> bool) {
        if self.numbers.keys().any(&is_lost) {
            Arc::make_mut(&mut self.numbers).retain(|piece, _| !is_lost(piece));
        }
    }

    /// The same handles, in a game in which hidden pieces were exchanged.
    #[cfg(test)]
    pub(crate) fn exchanged(&self, exchange: &rulepack_kernel::Exchange) -> Handles {
        let numbers = self.numbers.iter().map(|(piece, number)| (exchange.of(*piece), *number)).collect();
        Handles { numbers: Arc::new(numbers), ..self.clone() }
    }
}

impl Lying {
    fn moves(&mut self, piece: PieceId, to: ZoneIx) {
        for (other, place) in &mut self.0 {
            if *other == piece {
                place.below.clear();
                place.zone = to;
            } else if place.below.contains(&piece) {
                place.zone = to;
            }
        }
        self.0.entry(piece).or_insert_with(|| Place { zone: to, below: Vec::new() });
    }

    fn lays(&mut self, piece: PieceId, on: PieceId) {
        let host = self.0.get(&on).map(|place| (place.zone, place.below.clone()));
        let mut below = vec![on];
        let zone = host.map(|(zone, hosts)| {
            below.extend(hosts);
            zone
        });
        if let Some(place) = self.0.get_mut(&piece) {
            place.below = below;
            place.zone = zone.unwrap_or(place.zone);
        } else if let Some(zone) = zone {
            self.0.insert(piece, Place { zone, below });
        }
    }
}
