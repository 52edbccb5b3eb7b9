//! Decisions: the question to a player, and the options.

use rulepack_model::{ActionId, EventId, PhaseId, PieceId, PromptId, ResId, Seat};
use serde::{Deserialize, Serialize};

use crate::eval::bundle::ResourceSel;
use crate::hidden::sight::SeenBy;
use crate::state::value::Value;

/// One possible answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Opt {
    /// Do an action, with its first parameter if it has one.
    Action(ActionId, Value),
    /// Do a free action between the steps of something else.
    Free(ActionId, Value),
    /// Take this.
    Value(Value),
    /// One branch of an `either`: its name and its first operation.
    Branch(PromptId, u32),
    /// Choose no more things, in a choice of several.
    Done,
    /// Yes.
    Yes,
    /// No.
    No,
    /// Go on without doing anything.
    Continue,
}

impl Ask {
    /// The text that the pack gives the question, if it does.
    pub fn prompt(self) -> Option<PromptId> {
        match self {
            Ask::Menu(_, prompt)
            | Ask::Param(_, _, prompt)
            | Ask::Choose(prompt)
            | Ask::May(prompt)
            | Ask::Window(_, prompt) => prompt,
            Ask::Acknowledge(prompt) => Some(prompt),
            Ask::Pay(..)
            | Ask::Gain(..)
            | Ask::LeaveOut(_)
            | Ask::From(_)
            | Ask::Keep(_)
            | Ask::Either
            | Ask::Pause => None,
        }
    }
}

impl Opt {
    /// The piece that it is about.
    pub fn piece(self) -> Option<PieceId> {
        match self {
            Opt::Action(_, value) | Opt::Free(_, value) | Opt::Value(value) => value.piece(),
            _ => None,
        }
    }

    /// The same option about another piece.
    #[must_use]
    pub fn with_piece(self, piece: PieceId) -> Opt {
        match self {
            Opt::Action(action, _) => Opt::Action(action, Value::Piece(piece)),
            Opt::Free(action, _) => Opt::Free(action, Value::Piece(piece)),
            _ => Opt::Value(Value::Piece(piece)),
        }
    }
}

/// What the question is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Ask {
    /// What to do in a phase.
    Menu(PhaseId, Option<PromptId>),
    /// A parameter of an action.
    Param(ActionId, u16, Option<PromptId>),
    /// A choice inside an effect.
    Choose(Option<PromptId>),
    /// Which resource to pay.
    Pay(ResourceSel, i32),
    /// Which resource to gain.
    Gain(ResourceSel, i32),
    /// Which resource of a cost to leave out.
    LeaveOut(i32),
    /// From which piece a resource comes.
    From(ResId),
    /// On which piece a resource is kept.
    Keep(ResId),
    /// Whether to do something.
    May(Option<PromptId>),
    /// Which branch of an `either`.
    Either,
    /// Whether to answer an event from the hand.
    Window(EventId, Option<PromptId>),
    /// Whether to take a free action before going on.
    Pause,
    /// To confirm that the pieces shown have been seen.
    Acknowledge(PromptId),
}

/// The game waits for one player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The asked player.
    pub seat: Seat,
    /// The subject of the question.
    pub ask: Ask,
    /// All options, in a fixed order; never empty.
    pub options: Vec<Opt>,
    /// What the text of the question names, in the order of its places, each with those who see it if it is a piece.
    pub named: Vec<(Value, SeenBy)>,
}

/// A decision without its options.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Question {
    pub(crate) seat: Seat,
    pub(crate) ask: Ask,
}

/// The largest number of options of a question: an [`Answer`] can name no more.
pub const MOST_OPTIONS: usize = u16::MAX as usize + 1;

/// The index of the chosen option.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Answer(pub u16);
