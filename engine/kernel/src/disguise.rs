//! Free actions between which what somebody cannot see was shuffled: the positions seen before are known by the numbers
//! that the pieces had then.

use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use crate::state::NONE;

/// Under which number each piece was known before pieces were exchanged; nothing if none were.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Disguise(Option<Box<[u32]>>);

impl Hash for Disguise {
    /// It is no part of the table: only positions that were seen are told by it.
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Disguise {
    #[inline]
    pub(crate) fn is_none(&self) -> bool {
        self.0.is_none()
    }

    /// After a further exchange, by which each piece takes the place of another one.
    pub(crate) fn after(&self, exchange: &[u32]) -> Disguise {
        let before = |piece: u32| self.0.as_ref().map_or(piece, |known| known[piece as usize]);
        let mut known = vec![0; exchange.len()];
        for (from, to) in exchange.iter().enumerate() {
            known[*to as usize] = before(from as u32);
        }
        Disguise(Some(known.into()))
    }

    /// The number that a piece had.
    pub(crate) fn known(&self, piece: u32) -> u32 {
        match &self.0 {
            Some(known) if piece != NONE => known[piece as usize],
            _ => piece,
        }
    }

    /// The pieces in the order of the numbers that they had.
    pub(crate) fn in_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.0.as_ref().map_or(0, |known| known.len())).collect();
        order.sort_by_key(|piece| self.known(*piece as u32));
        order
    }

    /// Whether it gives every one of so many pieces a number of its own.
    pub(crate) fn fits(&self, pieces: usize) -> bool {
        self.0.as_ref().is_none_or(|known| {
            let mut sorted = known.to_vec();
            sorted.sort_unstable();
            sorted.into_iter().eq(0..pieces as u32)
        })
    }
}
