//! Parts of the table: what a standing rule looks at, and what has changed since it was looked at last.

use serde::{Deserialize, Serialize};

/// Some parts of the table.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
pub struct Parts(u8);

impl Parts {
    /// None.
    pub const NONE: Parts = Parts(0);
    /// Who has how much of what.
    pub const RESOURCES: Parts = Parts(1);
    /// Pieces in play.
    pub const IN_PLAY: Parts = Parts(2);
    /// Pieces in hands, decks and elsewhere.
    pub const ELSEWHERE: Parts = Parts(4);
    /// Variables.
    pub const VARS: Parts = Parts(8);
    /// Whose turn it is, and who has passed.
    pub const TURN: Parts = Parts(16);
    /// All of it.
    pub const ALL: Parts = Parts(31);

    /// Those of both.
    pub const fn union(self, other: Parts) -> Parts {
        Parts(self.0 | other.0)
    }

    /// Adds to it.
    pub fn add(&mut self, other: Parts) {
        self.0 |= other.0;
    }

    /// Whether both have something in common.
    pub const fn meets(self, other: Parts) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether these are none.
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }
}

impl std::iter::FromIterator<Parts> for Parts {
    fn from_iter<I: IntoIterator<Item = Parts>>(parts: I) -> Parts {
        parts.into_iter().fold(Parts::NONE, Parts::union)
    }
}
