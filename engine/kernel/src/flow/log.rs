//! What happens in a game, as a list of events that contain ids and no texts.

// Input comes from strangers: no input may end the program.
#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

use rulepack_model::{ActionId, EventId, PhaseId, PieceId, PromptId, ResId, Seat};
use smallvec::SmallVec;

use crate::flow::decision::{Answer, Opt};
use crate::flow::frame::ResourceHolder;
use crate::hidden::sight::{SeenBy, Viewer};
use crate::hidden::trace::Trace;
use crate::state::value::{Cell, Value};

/// Something that happened.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum LogEntry {
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
    /// A player is out, of the round or of the game.
    Eliminated {
        seat: Seat,
        round: bool,
    },
    /// The same position has been there so many times.
    Repeated {
        times: u32,
    },
    /// An action that has a cost: told before anything is paid. `ActionTaken` follows when all is paid.
    ActionBegan {
        seat: Seat,
        action: ActionId,
        args: SmallVec<[Value; 4]>,
        seen_by: SeenBy,
    },
    ActionTaken {
        seat: Seat,
        action: ActionId,
        args: SmallVec<[Value; 4]>,
        seen_by: SeenBy,
        /// Whether `ActionBegan` has told it.
        is_told: bool,
    },
    Chose {
        seat: Seat,
        option: Opt,
        answer: Answer,
        /// Whether only `seat` is told what.
        secret: bool,
        seen_by: SeenBy,
    },
    /// All players of a `together` have chosen; what they chose follows.
    AllChose,
    /// The game chose for a player, because there was only one option; `at` is the place of a chosen piece. Scenarios read
    /// it. Players never do: it may reveal what only one of them sees.
    Forced {
        seat: Option<Seat>,
        option: Opt,
        at: Option<Cell>,
        times: u32,
    },
    Transferred {
        from: ResourceHolder,
        to: ResourceHolder,
        res: ResId,
        amount: i32,
    },
    /// Units that no piece has room for.
    Lost {
        by: ResourceHolder,
        res: ResId,
        amount: i32,
    },
    /// A player looks at pieces that not all see: which, and where the first lies.
    Looked {
        seat: Seat,
        at: Cell,
        pieces: Vec<PieceId>,
    },
    /// Players are shown pieces: which, and where the first lies. Without a list of players, all are.
    Shown {
        to: Option<SmallVec<[Seat; 8]>>,
        at: Cell,
        pieces: Vec<PieceId>,
    },
    /// All players learn this, because the rules say so.
    Disclosed {
        values: Vec<Value>,
        prompt: Option<PromptId>,
    },
    /// A line that a script writes: the title of a prompt, and values, each with those who see it if it is a piece.
    Noted {
        prompt: PromptId,
        values: Vec<(Value, SeenBy)>,
    },
    Moved {
        piece: PieceId,
        from: Cell,
        to: Cell,
        /// Who saw it where it lay or where it lies.
        seen_by: SeenBy,
        /// Who saw it where it lies.
        seen_after: SeenBy,
    },
    Laid {
        piece: PieceId,
        on: PieceId,
        /// As for a piece that is moved.
        seen_by: SeenBy,
        /// As for a piece that is moved.
        seen_after: SeenBy,
    },
    Flipped {
        piece: PieceId,
    },
    Shuffled {
        zone: crate::state::value::ZoneIx,
    },
    Rolled {
        seat: Option<Seat>,
        sides: u32,
        result: u32,
        /// Whether only `seat` is told the result.
        secret: bool,
    },
    Raised {
        event: EventId,
        actor: Option<Seat>,
    },
    /// The game would go round in a loop of these definitions, and is a draw.
    Looped {
        names: Vec<String>,
    },
    GameOver,
}

impl LogEntry {
    /// The pieces that a viewer saw during an event.
    pub fn pieces_seen(&self, viewer: Viewer) -> Vec<PieceId> {
        match self {
            LogEntry::Moved { piece, seen_by, .. } if seen_by.includes(viewer) => vec![*piece],
            LogEntry::Laid { piece, on, seen_by, .. } if seen_by.includes(viewer) => vec![*piece, *on],
            LogEntry::ActionBegan { args, seen_by, .. } | LogEntry::ActionTaken { args, seen_by, .. }
                if seen_by.includes(viewer) =>
            {
                args.iter().filter_map(|value| value.piece()).collect()
            }
            LogEntry::Chose { option, seen_by, .. } if seen_by.includes(viewer) => option.piece().into_iter().collect(),
            LogEntry::Disclosed { values, .. } => values.iter().filter_map(|value| value.piece()).collect(),
            LogEntry::Noted { values, .. } => {
                let seen = values.iter().filter(|(_, seen_by)| seen_by.includes(viewer));
                seen.filter_map(|(value, _)| value.piece()).collect()
            }
            LogEntry::Looked { seat, pieces, .. } if viewer == Viewer::Seat(*seat) => pieces.clone(),
            LogEntry::Shown { to, pieces, .. } if are_shown(to.as_deref(), viewer) => pieces.clone(),
            _ => Vec::new(),
        }
    }

    /// The event as a player knows it: pieces that the player did not see are replaced by piece 0.
    pub(crate) fn known_to(&self, viewer: Seat) -> LogEntry {
        let mut event = self.clone();
        if let LogEntry::Moved { seen_after, .. } | LogEntry::Laid { seen_after, .. } = &mut event {
            *seen_after = SeenBy::default();
        }
        let unseen = match &mut event {
            LogEntry::ActionBegan { seen_by, .. }
            | LogEntry::ActionTaken { seen_by, .. }
            | LogEntry::Chose { seen_by, .. }
            | LogEntry::Moved { seen_by, .. }
            | LogEntry::Laid { seen_by, .. } => !std::mem::take(seen_by).includes(Viewer::Seat(viewer)),
            _ => false,
        };
        match &mut event {
            LogEntry::ActionBegan { args, .. } | LogEntry::ActionTaken { args, .. } if unseen => {
                args.iter_mut().filter(|value| value.piece().is_some()).for_each(|value| *value = Value::Nil);
            }
            LogEntry::Chose { option, answer, secret, .. } => {
                *answer = Answer(0);
                if unseen && *secret {
                    *option = Opt::Continue;
                } else if unseen && option.piece().is_some() {
                    *option = option.with_piece(PieceId(0));
                }
            }
            LogEntry::Moved { piece, .. } if unseen => *piece = PieceId(0),
            LogEntry::Laid { piece, on, .. } if unseen => (*piece, *on) = (PieceId(0), PieceId(0)),
            LogEntry::Looked { seat, pieces, .. } if *seat != viewer => pieces.fill(PieceId(0)),
            LogEntry::Shown { to, pieces, .. } if !are_shown(to.as_deref(), Viewer::Seat(viewer)) => {
                pieces.fill(PieceId(0));
            }
            LogEntry::Rolled { seat, result, secret: true, .. } if *seat != Some(viewer) => *result = 0,
            LogEntry::Noted { values, .. } => {
                for (value, seen_by) in values {
                    let is_seen = std::mem::take(seen_by).includes(Viewer::Seat(viewer));
                    if !is_seen && value.piece().is_some() {
                        *value = Value::Piece(PieceId(0));
                    }
                }
            }
            _ => {}
        }
        event
    }
}

/// Whether a viewer is among those who are shown something.
pub(crate) fn are_shown(to: Option<&[Seat]>, viewer: Viewer) -> bool {
    match (to, viewer) {
        (None, _) | (_, Viewer::All) => true,
        (Some(to), Viewer::Seat(seat)) => to.contains(&seat),
        (Some(_), Viewer::Public) => false,
    }
}

/// The largest number of events between two questions; more is a loop in the pack. A large turn of a large game has a
/// few hundred.
pub(crate) const MOST_EVENTS: u32 = 100_000;

/// Collects events, if they are `wanted`. It always counts them, because too many stop a game, and a game must go the same way
/// with and without a log.
#[derive(Debug, Default)]
pub(crate) struct Log {
    pub(crate) wanted: bool,
    count: u32,
    pub(crate) events: Vec<LogEntry>,
    /// The steps so far, if somebody traces them.
    pub(crate) trace: Option<Box<Trace>>,
}

impl Log {
    /// A log that somebody reads.
    pub(crate) fn wanted() -> Self {
        Log { wanted: true, ..Log::default() }
    }

    /// Starts counting again, because a player has answered.
    #[inline]
    pub(crate) fn go_on(&mut self) {
        self.count = 0;
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, event: impl FnOnce() -> LogEntry) {
        self.push_large(1, event);
    }

    /// An event that names several things counts as several.
    #[inline(always)]
    pub(crate) fn push_large(&mut self, size: usize, event: impl FnOnce() -> LogEntry) {
        self.count = self.count.saturating_add(size as u32);
        if self.wanted && self.count <= MOST_EVENTS {
            self.events.push(event());
        }
    }

    /// Whether there were more events than allowed before the next question.
    #[inline]
    pub(crate) fn is_full(&self) -> bool {
        self.count > MOST_EVENTS
    }
}
