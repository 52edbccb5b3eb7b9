//! Why a table refuses something, and why a text is no table.

use rulepack_kernel::{Fault, FaultTold, Game, SaveError, Sight, Viewer, seat_key};
use rulepack_model::Seat;
use rulepack_tools::ReplayError;

/// Why a table refuses a request. The table is unchanged.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// There is no such seat.
    #[error("there is no player {}: there are {players}", .seat.index() + 1)]
    NoSuchSeat {
        /// The seat.
        seat: Seat,
        /// How many play.
        players: u8,
    },
    /// The game is over.
    #[error("the game is over")]
    Over,
    /// The seat is not asked anything.
    #[error("{} is not asked anything; {} is", seat_key(*.seat), names(.asked))]
    NotAsked {
        /// The seat.
        seat: Seat,
        /// Who is asked.
        asked: Vec<Seat>,
    },
    /// The answer belongs to another question than the present one.
    #[error("the answer is to question {revision} of this player, who is asked question {now}")]
    Stale {
        /// The question that the answer names.
        revision: u64,
        /// The present one.
        now: u64,
    },
    /// There is no such option.
    #[error("there is no option {index}: they are numbered from 0 to {}", .options.saturating_sub(1))]
    OutOfRange {
        /// The index.
        index: usize,
        /// How many options there are.
        options: usize,
    },
    /// Fewer answers were given than should be undone.
    #[error("{wanted} answers cannot be taken back: {there} were given")]
    TooFewAnswers {
        /// How many should be undone.
        wanted: usize,
        /// How many there are.
        there: usize,
    },
    /// The seat has given no answer that others have not seen.
    #[error("{} has no answer to take back: only what is chosen at the same time as others, before all have chosen", seat_key(*.seat))]
    NothingToTakeBack {
        /// The seat.
        seat: Seat,
    },
    /// A player has learnt something since, from a roll or from a revealed piece.
    #[error("this would take back what somebody has learnt: a roll, or something that was uncovered")]
    Revealed,
    /// The viewer sees nothing with this handle.
    #[error("nothing in sight has the handle `{handle}`")]
    UnknownHandle {
        /// The handle.
        handle: String,
    },
    /// The pack failed.
    #[error("the pack failed: {told}")]
    Failed {
        /// The part of the fault that the viewer may know.
        told: String,
        /// The whole fault, for readers who may know everything.
        fault: Fault,
    },
}

impl Refused {
    /// A name for programs; it never changes.
    pub fn code(&self) -> &'static str {
        match self {
            Refused::NoSuchSeat { .. } => "unknown-player",
            Refused::Over => "game-over",
            Refused::NotAsked { .. } => "not-asked",
            Refused::Stale { .. } => "stale-revision",
            Refused::OutOfRange { .. } => "out-of-range",
            Refused::TooFewAnswers { .. } => "too-few-answers",
            Refused::NothingToTakeBack { .. } => "nothing-to-take-back",
            Refused::Revealed => "revealed",
            Refused::UnknownHandle { .. } => "unknown-handle",
            Refused::Failed { .. } => "pack-failed",
        }
    }

    pub(crate) fn failed(game: &Game, viewer: Viewer, fault: Fault) -> Refused {
        let told = match Sight::new(game.rules(), game.state(), viewer).told_of_fault(&fault) {
            FaultTold::All(message) => message,
            FaultTold::Place(place) => place,
            FaultTold::Nothing => "what happened would tell what is hidden".to_string(),
        };
        Refused::Failed { told, fault }
    }
}

fn names(seats: &[Seat]) -> String {
    seats.iter().map(|seat| seat_key(*seat)).collect::<Vec<_>>().join(", ")
}

/// Why a table cannot be loaded from a text.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    /// It is a saved game that cannot be loaded.
    #[error(transparent)]
    Save(#[from] SaveError),
    /// It is a log that cannot be loaded.
    #[error(transparent)]
    Log(#[from] ReplayError),
}
