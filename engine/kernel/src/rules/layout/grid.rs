//! Rows and columns. Next to a space are those that share a side with it.

use super::{NamedBy, Shape};

/// Rows and columns of spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Grid {
    pub columns: u16,
    pub rows: u16,
}

impl Shape for Grid {
    fn cells(&self) -> u16 {
        self.columns * self.rows
    }

    fn columns(&self) -> u16 {
        self.columns.max(1)
    }

    fn named_by(&self) -> NamedBy {
        NamedBy::RowAndColumn
    }

    fn directions(&self) -> u8 {
        4
    }

    fn next(&self, at: u16, direction: u8) -> Option<u16> {
        let (row, column) = (at / self.columns, at % self.columns);
        match direction {
            0 => (row > 0).then(|| at - self.columns),
            1 => (column > 0).then(|| at - 1),
            2 => (column + 1 < self.columns).then(|| at + 1),
            _ => (row + 1 < self.rows).then(|| at + self.columns),
        }
    }
}
