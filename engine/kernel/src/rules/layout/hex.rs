//! Hexagons in rows, each row half a space further to the right than the one above. A space has six neighbours.

use super::grid::moved;
use super::{Direction, NamedBy, Neighbours, Shape};

/// The directions, in the order in which neighbours are walked: that of reading.
const DIRECTIONS: [Direction; 6] = [
    Direction::NorthWest,
    Direction::NorthEast,
    Direction::West,
    Direction::East,
    Direction::SouthWest,
    Direction::SouthEast,
];

/// Rows and columns of hexagons.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub struct Hex {
    pub columns: u16,
    pub rows: u16,
}

impl Shape for Hex {
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
        &DIRECTIONS
    }

    fn next(&self, at: u16, direction: Direction) -> Option<u16> {
        // Half a space to the right with every row down: from the row below, the upper left neighbour is in the same column.
        let (down, right) = match direction {
            Direction::NorthWest => (-1, 0),
            Direction::NorthEast => (-1, 1),
            Direction::West => (0, -1),
            Direction::East => (0, 1),
            Direction::SouthWest => (1, -1),
            Direction::SouthEast => (1, 0),
            Direction::North | Direction::South => return None,
        };
        let row = moved(at / self.columns, down, self.rows, false)?;
        let column = moved(at % self.columns, right, self.columns, false)?;
        Some(row * self.columns + column)
    }

    fn neighbours(&self, at: u16) -> Neighbours {
        super::all_around(self, at)
    }
}
