//! A row of numbered spaces, which may close its gaps.

use super::{Direction, NamedBy, Neighbours, Shape};

/// A row of spaces; with `slide`, pieces move up when one leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Row {
    pub size: u16,
    pub slide: Slide,
}

/// How a row closes gaps.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub enum Slide {
    #[default]
    Never,
    /// New ones enter at the first space, old ones move towards the last.
    EnterFirst,
    /// New ones enter at the last space, old ones move towards the first.
    EnterLast,
}

impl Shape for Row {
    fn cells(&self) -> u16 {
        self.size
    }

    fn columns(&self) -> u16 {
        self.size.max(1)
    }

    fn named_by(&self) -> NamedBy {
        NamedBy::Place
    }

    fn directions(&self) -> &[Direction] {
        &[Direction::West, Direction::East]
    }

    fn next(&self, at: u16, direction: Direction) -> Option<u16> {
        match direction {
            Direction::West => at.checked_sub(1),
            Direction::East => at.checked_add(1).filter(|next| *next < self.size),
            _ => None,
        }
    }

    fn neighbours(&self, at: u16) -> Neighbours {
        super::all_around(self, at)
    }
}
