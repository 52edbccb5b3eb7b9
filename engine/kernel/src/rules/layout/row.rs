//! A row of numbered spaces, which may close its gaps.

use super::{NamedBy, Shape};

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

    fn directions(&self) -> u8 {
        2
    }

    fn next(&self, at: u16, direction: u8) -> Option<u16> {
        match direction {
            0 => at.checked_sub(1),
            _ => at.checked_add(1).filter(|next| *next < self.size),
        }
    }
}
