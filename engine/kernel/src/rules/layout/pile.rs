//! No spaces: pieces lie on one another, or side by side without a place of their own.

use super::{Direction, NamedBy, Neighbours, Shape};

/// A deck, a hand, a heap.
pub(super) struct Pile;

impl Shape for Pile {
    fn cells(&self) -> u16 {
        0
    }

    fn columns(&self) -> u16 {
        1
    }

    fn named_by(&self) -> NamedBy {
        NamedBy::Nothing
    }

    fn directions(&self) -> &[Direction] {
        &[]
    }

    fn next(&self, _: u16, _: Direction) -> Option<u16> {
        None
    }

    fn neighbours(&self, _: u16) -> Neighbours {
        Neighbours::new()
    }
}
