//! Rows and columns. Next to a space are those that share a side with it.

use super::{NamedBy, Neighbours, Shape};

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

    fn neighbours(&self, at: u16) -> Neighbours {
        let (row, column) = (at / self.columns, at % self.columns);
        let above = (row > 0).then(|| at - self.columns);
        let left = (column > 0).then(|| at - 1);
        let right = (column + 1 < self.columns).then(|| at + 1);
        let below = (row + 1 < self.rows).then(|| at + self.columns);
        [above, left, right, below].into_iter().flatten().collect()
    }
}
