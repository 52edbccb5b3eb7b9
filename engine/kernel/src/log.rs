//! What happened, for people and bots: facts, no texts.

use rulepack_model::{ActionId, EventId, PhaseId, PieceId, ResId, Seat};
use smallvec::SmallVec;

use crate::decision::{Answer, Opt};
use crate::frame::Place;
use crate::sight::SeenBy;
use crate::value::{Cell, Value};

/// A fact.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Event {
    PhaseBegan {
        phase: PhaseId,
        count: u32,
    },
    TurnBegan {
        seat: Seat,
    },
    Passed {
        seat: Seat,
    },
    ActionTaken {
        seat: Seat,
        action: ActionId,
        args: SmallVec<[Value; 4]>,
        seen_by: SeenBy,
    },
    Chose {
        seat: Seat,
        option: Opt,
        answer: Answer,
        seen_by: SeenBy,
    },
    /// What the game chose for a player because there was nothing else to choose; a piece with where it lay. It may tell
    /// what only that player sees, and nobody is told of it.
    Forced {
        seat: Option<Seat>,
        option: Opt,
        at: Option<Cell>,
        times: u32,
    },
    Transferred {
        from: Place,
        to: Place,
        res: ResId,
        amount: i32,
    },
    /// Something that nobody could keep.
    Lost {
        by: Place,
        res: ResId,
        amount: i32,
    },
    /// A player looks at pieces that not all see: how many, and where the first lies.
    Looked {
        seat: Seat,
        at: Cell,
        count: u32,
    },
    Moved {
        piece: PieceId,
        from: Cell,
        to: Cell,
        seen_by: SeenBy,
    },
    Laid {
        piece: PieceId,
        on: PieceId,
        seen_by: SeenBy,
    },
    Flipped {
        piece: PieceId,
    },
    Shuffled {
        zone: crate::value::ZoneIx,
    },
    Rolled {
        seat: Option<Seat>,
        sides: u32,
        result: u32,
    },
    Raised {
        event: EventId,
        actor: Option<Seat>,
    },
    GameOver,
}

/// Collects facts, if somebody wants them.
#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) wanted: bool,
    pub(crate) events: Vec<Event>,
}

impl Log {
    #[inline(always)]
    pub(crate) fn push(&mut self, event: impl FnOnce() -> Event) {
        if self.wanted {
            self.events.push(event());
        }
    }
}
