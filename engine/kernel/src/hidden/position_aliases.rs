//! Positions of free actions in a resampled game. The positions seen before are stored as hashes over the numbers that
//! pieces had, so a resampled game hashes with the numbers from before the exchange, and with what lies on pieces in
//! its former order.

use std::hash::{Hash, Hasher};

use serde::{Deserialize, Serialize};

use crate::state::table::NONE;

/// The number of each piece before pieces were exchanged; empty if none were.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Disguise(Option<Box<Known>>);

/// The numbering of a table before an exchange.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    /// For each piece, its former number.
    pieces: Vec<u32>,
    /// The present places of what lay on pieces, in the former order; empty if nothing has moved.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    held: Vec<u32>,
    /// The same for variables.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    vars: Vec<u32>,
}

impl Hash for Disguise {
    /// It is no part of the table, and is used only to recognise positions.
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// For each place in a row, its new place.
pub(crate) struct Went(Vec<u32>);

impl Went {
    /// A row in which some places were rewritten: from which old place, and to which new place, if any.
    pub(crate) fn new(length: usize, moves: &[(Option<usize>, Option<usize>)]) -> Self {
        let mut went: Vec<u32> = (0..length as u32).collect();
        // An entry that went nowhere was empty, and so is one that came from nowhere.
        let mut lost = moves.iter().filter_map(|(from, to)| from.filter(|_| to.is_none()));
        for (from, to) in moves {
            let from = from.or_else(|| to.and_then(|_| lost.next()));
            if let (Some(from), Some(to)) = (from, to) {
                went[from] = *to as u32;
            }
        }
        Went(went)
    }

    fn after(&self, before: &[u32]) -> Vec<u32> {
        match before {
            [] if self.0.iter().enumerate().all(|(from, to)| from as u32 == *to) => Vec::new(),
            [] => self.0.clone(),
            before => before.iter().map(|slot| self.0[*slot as usize]).collect(),
        }
    }
}

impl Disguise {
    #[inline]
    pub(crate) fn is_none(&self) -> bool {
        self.0.is_none()
    }

    /// The numbering after a further exchange, in which each piece takes the place of another one, together with what
    /// lies on it.
    pub(crate) fn after(&self, exchange: &[u32], held: &Went, vars: &Went) -> Disguise {
        let before = |piece: u32| self.0.as_ref().map_or(piece, |known| known.pieces[piece as usize]);
        let mut pieces = vec![0; exchange.len()];
        for (from, to) in exchange.iter().enumerate() {
            pieces[*to as usize] = before(from as u32);
        }
        let (old_held, old_vars) = self.0.as_ref().map_or((&[][..], &[][..]), |known| (&known.held, &known.vars));
        Disguise(Some(Box::new(Known { pieces, held: held.after(old_held), vars: vars.after(old_vars) })))
    }

    /// The number that a piece had.
    pub(crate) fn known(&self, piece: u32) -> u32 {
        match &self.0 {
            Some(known) if piece != NONE => known.pieces[piece as usize],
            _ => piece,
        }
    }

    /// The pieces in the order of their former numbers.
    pub(crate) fn in_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.0.as_ref().map_or(0, |known| known.pieces.len())).collect();
        order.sort_by_key(|piece| self.known(*piece as u32));
        order
    }

    /// What lies on pieces, in the former order.
    pub(crate) fn held<'a, T>(&'a self, held: &'a [T]) -> impl Iterator<Item = &'a T> {
        in_order(self.0.as_ref().map_or(&[], |known| &known.held), held)
    }

    /// Variables, in the former order.
    pub(crate) fn vars<'a, T>(&'a self, vars: &'a [T]) -> impl Iterator<Item = &'a T> {
        in_order(self.0.as_ref().map_or(&[], |known| &known.vars), vars)
    }

    /// Whether it gives each piece a different number, and everything else a place.
    pub(crate) fn fits(&self, pieces: usize, held: usize, vars: usize) -> bool {
        let is_order = |row: &[u32], length: usize| {
            let mut sorted = row.to_vec();
            sorted.sort_unstable();
            sorted.into_iter().eq(0..length as u32)
        };
        self.0.as_ref().is_none_or(|known| {
            is_order(&known.pieces, pieces)
                && (known.held.is_empty() || is_order(&known.held, held))
                && (known.vars.is_empty() || is_order(&known.vars, vars))
        })
    }
}

fn in_order<'a, T>(order: &'a [u32], row: &'a [T]) -> impl Iterator<Item = &'a T> {
    let plain = if order.is_empty() { row } else { &[] };
    plain.iter().chain(order.iter().map(|slot| &row[*slot as usize]))
}
