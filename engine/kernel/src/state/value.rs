//! Values of a running game: small, copied, compared by content.

use rulepack_model::{PieceId, ResId, Seat, SymId, TypeId};
use serde::{Deserialize, Serialize};

/// A zone of the running game: one for the table, or one for each player.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct ZoneIx(pub u16);

impl ZoneIx {
    /// The index in the state's table.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

/// A space of a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// The zone.
    pub zone: ZoneIx,
    /// The space, counted from 0 in reading order.
    pub at: u16,
}

/// Whatever an expression can give.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, Default)]
#[allow(missing_docs)]
pub enum Value {
    #[default]
    Nil,
    Int(i64),
    Bool(bool),
    Res(ResId),
    Sym(SymId),
    Type(TypeId),
    Seat(Seat),
    Piece(PieceId),
    Cell(Cell),
}

impl Value {
    /// As a number; all other values count as 0.
    pub fn int(self) -> i64 {
        match self {
            Value::Int(n) => n,
            Value::Bool(flag) => i64::from(flag),
            _ => 0,
        }
    }

    /// As a yes-or-no.
    pub fn truth(self) -> bool {
        match self {
            Value::Bool(flag) => flag,
            Value::Int(n) => n != 0,
            Value::Nil => false,
            _ => true,
        }
    }

    /// The player, if it is one.
    pub fn seat(self) -> Option<Seat> {
        match self {
            Value::Seat(seat) => Some(seat),
            _ => None,
        }
    }

    /// The piece, if it is one.
    pub fn piece(self) -> Option<PieceId> {
        match self {
            Value::Piece(piece) => Some(piece),
            _ => None,
        }
    }

    /// The piece, to put another one in its place.
    pub(crate) fn piece_mut(&mut self) -> Option<&mut PieceId> {
        match self {
            Value::Piece(piece) => Some(piece),
            _ => None,
        }
    }

    /// The space, if it is one.
    pub fn cell(self) -> Option<Cell> {
        match self {
            Value::Cell(cell) => Some(cell),
            _ => None,
        }
    }

    /// The resource, if it is one.
    pub fn res(self) -> Option<ResId> {
        match self {
            Value::Res(res) => Some(res),
            _ => None,
        }
    }
}
