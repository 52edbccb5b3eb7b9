//! Rows and columns. Next to a space are those that share a side with it; with eight directions, also those that share a
//! corner.

use super::{Direction, NamedBy, Neighbours, Shape};

/// The directions of a grid, in the order in which neighbours are walked: that of reading.
const SIDES: [Direction; 4] = [Direction::North, Direction::West, Direction::East, Direction::South];
const SIDES_AND_CORNERS: [Direction; 8] = [
    Direction::NorthWest,
    Direction::North,
    Direction::NorthEast,
    Direction::West,
    Direction::East,
    Direction::SouthWest,
    Direction::South,
    Direction::SouthEast,
];

/// Rows and columns of spaces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub struct Grid {
    pub columns: u16,
    pub rows: u16,
    /// Whether spaces that share a corner are next to each other, too.
    pub has_corners: bool,
    pub wraps: Wraps,
}

/// Which edges of a grid are next to each other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Wraps {
    /// The last column and the first.
    pub across: bool,
    /// The last row and the first.
    pub down: bool,
}

/// The row or column at a distance, if there is one.
pub(super) fn moved(at: u16, by: i32, size: u16, wraps: bool) -> Option<u16> {
    let there = i32::from(at) + by;
    let there = if wraps { there.rem_euclid(i32::from(size)) } else { there };
    u16::try_from(there).ok().filter(|there| *there < size)
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

    fn directions(&self) -> &[Direction] {
        if self.has_corners { &SIDES_AND_CORNERS } else { &SIDES }
    }

    fn next(&self, at: u16, direction: Direction) -> Option<u16> {
        if direction.is_diagonal() && !self.has_corners {
            return None;
        }
        let (down, right) = direction.offset();
        let row = moved(at / self.columns, down, self.rows, self.wraps.down)?;
        let column = moved(at % self.columns, right, self.columns, self.wraps.across)?;
        // A board that is one space wide is not next to itself.
        Some(row * self.columns + column).filter(|there| *there != at)
    }

    fn neighbours(&self, at: u16) -> Neighbours {
        if self.has_corners || self.wraps != Wraps::default() {
            return super::all_around(self, at);
        }
        let (row, column) = (at / self.columns, at % self.columns);
        let above = (row > 0).then(|| at - self.columns);
        let left = (column > 0).then(|| at - 1);
        let right = (column + 1 < self.columns).then(|| at + 1);
        let below = (row + 1 < self.rows).then(|| at + self.columns);
        [above, left, right, below].into_iter().flatten().collect()
    }
}
