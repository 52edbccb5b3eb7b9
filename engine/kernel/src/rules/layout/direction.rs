//! Directions on a board. A pack names one by a symbol, such as `'north_east'`.

/// A direction, clockwise from the north; north is the top of the board.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[allow(missing_docs)]
pub enum Direction {
    North,
    NorthEast,
    East,
    SouthEast,
    South,
    SouthWest,
    West,
    NorthWest,
}

impl Direction {
    /// All of them, clockwise.
    pub const ALL: [Direction; 8] = [
        Direction::North,
        Direction::NorthEast,
        Direction::East,
        Direction::SouthEast,
        Direction::South,
        Direction::SouthWest,
        Direction::West,
        Direction::NorthWest,
    ];

    /// Its symbol.
    pub fn name(self) -> &'static str {
        match self {
            Direction::North => "north",
            Direction::NorthEast => "north_east",
            Direction::East => "east",
            Direction::SouthEast => "south_east",
            Direction::South => "south",
            Direction::SouthWest => "south_west",
            Direction::West => "west",
            Direction::NorthWest => "north_west",
        }
    }

    /// The direction with this symbol.
    pub fn named(name: &str) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| direction.name() == name)
    }

    /// The direction that leads back.
    pub fn opposite(self) -> Direction {
        Direction::ALL[(self.number() + Direction::ALL.len() / 2) % Direction::ALL.len()]
    }

    /// Whether it leads to a space that shares a corner, and not a side, on a grid.
    pub fn is_diagonal(self) -> bool {
        self.number() % 2 == 1
    }

    /// Its place in [`Direction::ALL`].
    pub(super) fn number(self) -> usize {
        self as usize
    }

    /// The rows and columns to the next space of a grid.
    pub(super) fn offset(self) -> (i32, i32) {
        match self {
            Direction::North => (-1, 0),
            Direction::NorthEast => (-1, 1),
            Direction::East => (0, 1),
            Direction::SouthEast => (1, 1),
            Direction::South => (1, 0),
            Direction::SouthWest => (1, -1),
            Direction::West => (0, -1),
            Direction::NorthWest => (-1, -1),
        }
    }
}
