//! Who sees which piece.

use rulepack_model::{PieceId, Seat};
use serde::{Deserialize, Serialize};

use crate::flow::fault::Fault;
use crate::flow::frame::{ActionFrame, Frame, Looks};
use crate::rules::ruleset::{Ruleset, Visibility};
use crate::rules::shortcuts::Promise;
use crate::state::table::State;
use crate::state::value::Value;
use crate::text::words::Words;

/// Who looks at the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Viewer {
    /// A player.
    Seat(Seat),
    /// A spectator: sees only what is open to all.
    Public,
    /// A viewer who may know everything, such as the reader of a log.
    All,
}

/// A state as one viewer sees it.
#[derive(Debug, Clone, Copy)]
pub struct Sight<'g> {
    rules: &'g Ruleset,
    state: &'g State,
    viewer: Viewer,
}

impl<'g> Sight<'g> {
    /// Looks at a table.
    pub fn new(rules: &'g Ruleset, state: &'g State, viewer: Viewer) -> Self {
        Sight { rules, state, viewer }
    }

    /// The rules.
    pub(crate) fn rules(&self) -> &'g Ruleset {
        self.rules
    }

    /// The table.
    pub(crate) fn state(&self) -> &'g State {
        self.state
    }

    /// Who looks.
    pub fn viewer(&self) -> Viewer {
        self.viewer
    }

    /// Whether the viewer may know which piece this is, in its present place.
    pub fn sees(&self, piece: PieceId) -> bool {
        self.viewer == Viewer::All || self.lies_open(piece) || self.looks_at(piece)
    }

    /// Whether the viewer sees a piece, judging by its zone and by how it lies.
    pub(crate) fn lies_open(&self, piece: PieceId) -> bool {
        let lies = self.state.piece(piece);
        let owner = self.rules.zone_owner(lies.zone);
        let is_owner = owner.is_some_and(|owner| self.viewer == Viewer::Seat(owner));
        let open = match self.rules.zone_of(lies.zone).visible {
            Visibility::All => true,
            Visibility::Owner => is_owner,
            Visibility::Top => self.is_uncovered(piece),
            Visibility::None => false,
        };
        open && (!lies.face_down || is_owner)
    }

    /// Whether the viewer may look at hidden pieces.
    pub(crate) fn may_look(&self) -> bool {
        let shows = |frame: &Frame| {
            frame.looks().is_some_and(|looks| !looks.is_empty()) || frame.shown_action(self.rules).is_some()
        };
        !self.state.lasting_looks().is_empty() || self.state.frames().iter().any(shows)
    }

    /// Whether a running effect lets the viewer look at the piece, or an action shows it as its parameter.
    pub(crate) fn looks_at(&self, piece: PieceId) -> bool {
        let may_look = |looks: &Looks| match self.viewer {
            Viewer::Seat(seat) => looks.contains(&(seat, piece)),
            Viewer::Public | Viewer::All => false,
        };
        let shows = |action: &ActionFrame| action.chosen().contains(&Value::Piece(piece));
        let looked_at =
            |frame: &Frame| frame.looks().is_some_and(may_look) || frame.shown_action(self.rules).is_some_and(shows);
        // Usually it is the one on top.
        self.state.frames().iter().rev().any(looked_at) || self.saw_lastingly(piece)
    }

    /// Whether the viewer looked at the piece until it moves.
    fn saw_lastingly(&self, piece: PieceId) -> bool {
        match self.viewer {
            Viewer::Seat(seat) => self.state.lasting_looks().contains(&(seat, piece)),
            Viewer::Public => {
                let looks = self.state.lasting_looks();
                !looks.is_empty() && self.rules.seats().all(|seat| looks.contains(&(seat, piece)))
            }
            Viewer::All => false,
        }
    }

    /// Whether the viewer, who is asked to choose it, may know which piece this is. A question about the pieces of a
    /// hidden zone lets the player look through the zone; face-down pieces stay hidden even then.
    pub fn may_choose_by_name(&self, piece: PieceId) -> bool {
        self.sees(piece) || !self.state.piece(piece).face_down
    }

    /// The part of a fault that the viewer may read while the game goes on. A script can spell hidden information in
    /// any way, so its message is left out.
    pub fn told_of_fault(&self, fault: &Fault) -> FaultTold {
        let message = fault.to_string();
        match self.told_of_message(&message) {
            None if !fault.by_script => FaultTold::Nothing,
            Some(_) if !fault.by_script || self.viewer == Viewer::All => FaultTold::All(message),
            _ => {
                let place = Some(fault.place()).filter(|place| !self.is_told_by(place));
                FaultTold::Place(place.or(fault.script.clone()).unwrap_or_default())
            }
        }
    }

    /// A message as the viewer may read it; `None` if it names a piece that the viewer does not see.
    pub fn told_of_message<'t>(&self, message: &'t str) -> Option<&'t str> {
        let is_broken = self.rules.shortcuts.breaks(Promise::Fault);
        (is_broken || self.viewer == Viewer::All || !self.is_told_by(message)).then_some(message)
    }

    /// Whether a text names a piece that the viewer does not see, by its id or in the language of the pack.
    fn is_told_by(&self, text: &str) -> bool {
        let words = Words::new(self.rules, &self.rules.texts.own);
        let is_word = |name: &str| {
            let ends = |part: &str, at_end: bool| {
                let letter = if at_end { part.chars().next_back() } else { part.chars().next() };
                letter.is_none_or(|letter| !letter.is_alphanumeric() && letter != '_')
            };
            let mut found = text.match_indices(name);
            found.any(|(at, name)| ends(&text[..at], true) && ends(&text[at + name.len()..], false))
        };
        let hidden = (0..self.rules.pieces.len()).map(PieceId::from).filter(|piece| !self.sees(*piece));
        let types: std::collections::BTreeSet<_> = hidden.map(|piece| self.rules.type_of(piece)).collect();
        types.into_iter().any(|ty| is_word(&self.rules.types[ty.index()].name) || is_word(&words.type_title(ty)))
    }

    /// Whether a piece is the top of its space, not counting the pieces on it.
    fn is_uncovered(&self, piece: PieceId) -> bool {
        let cell = self.state.cell_of(piece);
        let mut above = self
            .state
            .zone_from_top(cell.zone)
            .filter(|other| self.state.piece(*other).at == cell.at)
            .take_while(|other| *other != piece);
        let Some(first) = above.next() else { return true };
        if !self.state.has_riders(piece) {
            return false;
        }
        let mut on_it = self.state.with_riders(piece);
        on_it.sort_unstable();
        std::iter::once(first).chain(above).all(|other| on_it.binary_search(&other).is_ok())
    }
}

/// The part of a fault that a viewer may read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum FaultTold {
    /// The whole message.
    All(String),
    /// The place, but not the message of the script.
    Place(String),
    /// Only that there is one.
    Nothing,
}

/// The players who see a piece, one bit for each; the highest bit stands for spectators.
pub(crate) fn seen_by(rules: &Ruleset, state: &State, piece: PieceId) -> SeenBy {
    let sees = |viewer| Sight::new(rules, state, viewer).sees(piece);
    let seats = rules.seats().filter(|seat| sees(Viewer::Seat(*seat))).fold(0, |bits, seat| bits | 1 << seat.0);
    SeenBy(seats | if sees(Viewer::Public) { PUBLIC } else { 0 })
}

/// The viewers who see all pieces among some values.
pub(crate) fn all_seen_by(rules: &Ruleset, state: &State, values: &[Value]) -> SeenBy {
    let pieces = values.iter().filter_map(|value| value.piece());
    pieces.map(|piece| seen_by(rules, state, piece)).fold(SeenBy::ALL, |all, one| SeenBy(all.0 & one.0))
}

const PUBLIC: u64 = 1 << 63;

/// The viewers who saw a piece during an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SeenBy(u64);

impl SeenBy {
    pub(crate) const ALL: SeenBy = SeenBy(u64::MAX);

    /// Whether a viewer was among them.
    pub fn includes(self, viewer: Viewer) -> bool {
        match viewer {
            Viewer::Seat(seat) => self.0 & (1 << (seat.0 & 63)) != 0,
            Viewer::Public => self.0 & PUBLIC != 0,
            Viewer::All => true,
        }
    }

    /// These viewers and a player.
    pub(crate) fn and_seat(self, seat: Seat) -> SeenBy {
        SeenBy(self.0 | 1 << (seat.0 & 63))
    }

    /// The viewers of both sets.
    pub(crate) fn or(self, other: SeenBy) -> SeenBy {
        SeenBy(self.0 | other.0)
    }
}
