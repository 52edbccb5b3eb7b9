//! Layouts: the spaces of a zone, their number, their places, their neighbours and their names.
//!
//! Each kind of layout is one file with one type that implements [`Shape`]; [`Layout`] lists them, and
//! [`Layout::shape`] is the only function that tells them apart. `names.rs` prints and parses the names of spaces,
//! `line.rs` finds the spaces of a row or a column. No other code computes the place of a space from its number.
//!
//! To add a kind: a file here, a variant of [`Layout`], and a reader of its table in `pack/src/link/layout.rs`.

mod direction;
mod grid;
mod hex;
mod line;
mod names;
mod pile;
mod points;
mod row;
#[cfg(test)]
mod tests;

use smallvec::SmallVec;

pub use direction::Direction;
pub use grid::{Grid, Wraps};
pub use hex::Hex;
pub(crate) use line::{Line, LineOfSpaces};
pub(crate) use names::{Name, SpaceName};
pub use points::Points;
pub use row::{Row, Slide};

/// The spaces of a zone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub enum Layout {
    /// No spaces: a deck, a hand, a heap.
    #[default]
    List,
    /// A row of numbered spaces.
    Row(Row),
    /// Rows and columns with neighbours.
    Grid(Grid),
    /// Rows and columns of hexagons.
    Hex(Hex),
    /// Named points.
    Points(Points),
}

/// Spaces next to a space.
pub(crate) type Neighbours = SmallVec<[u16; 8]>;

/// How spaces are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NamedBy {
    /// There are no spaces.
    Nothing,
    /// By its place in one line: `3`, or the name that the zone gives it.
    Place,
    /// By its row and its column: `II.left`.
    RowAndColumn,
}

/// The interface of a kind of layout. Spaces are numbered from 0, row by row. All rows have the same length; spaces
/// without rows form one row.
pub(crate) trait Shape {
    /// The number of spaces.
    fn cells(&self) -> u16;

    /// The number of spaces in a row: at least one.
    fn columns(&self) -> u16;

    /// How its spaces are named.
    fn named_by(&self) -> NamedBy;

    /// The directions from a space.
    fn directions(&self) -> &[Direction];

    /// The next space in a direction, if there is one: never the space itself. Whoever goes on in a direction comes to
    /// an end, or back to the first space.
    fn next(&self, at: u16, direction: Direction) -> Option<u16>;

    /// The spaces next to a space, each once, in the order in which they are walked.
    fn neighbours(&self, at: u16) -> Neighbours;
}

/// The next spaces in all directions of a layout, each once.
fn all_around(shape: &impl Shape, at: u16) -> Neighbours {
    let mut found = Neighbours::new();
    for next in shape.directions().iter().filter_map(|direction| shape.next(at, *direction)) {
        // Where edges meet, two directions may lead to one space.
        if !found.contains(&next) {
            found.push(next);
        }
    }
    found
}

impl Layout {
    fn shape(&self) -> &dyn Shape {
        match self {
            Layout::List => &pile::Pile,
            Layout::Row(row) => row,
            Layout::Grid(grid) => grid,
            Layout::Hex(hex) => hex,
            Layout::Points(points) => points,
        }
    }

    /// The number of spaces.
    pub fn cells(&self) -> u16 {
        self.shape().cells()
    }

    /// Whether there are spaces: a zone without spaces is a pile.
    pub fn has_spaces(&self) -> bool {
        self.shape().cells() > 0
    }

    /// Spaces in a row of spaces.
    pub fn columns(&self) -> u16 {
        self.shape().columns()
    }

    /// Rows of spaces.
    pub fn rows(&self) -> u16 {
        let shape = self.shape();
        shape.cells() / shape.columns()
    }

    /// The row and column of a space, counted from 1.
    pub fn spot(&self, at: u16) -> (u16, u16) {
        let columns = self.columns();
        (at / columns + 1, at % columns + 1)
    }

    /// The spaces of a row, counted from 1; none if there is no such row.
    pub fn row(&self, row: u16) -> impl Iterator<Item = u16> + use<> {
        let line = Line::Row(row).of(self.cells(), self.columns());
        line.into_iter().flat_map(LineOfSpaces::spaces)
    }

    /// The spaces next to a space, each once; none if there is no such space.
    pub fn next_to(&self, at: u16) -> Vec<u16> {
        if at < self.cells() { self.neighbours(at).to_vec() } else { Vec::new() }
    }

    /// The spaces next to a space.
    pub(crate) fn neighbours(&self, at: u16) -> Neighbours {
        self.shape().neighbours(at)
    }

    /// The next space in a direction.
    pub(crate) fn next(&self, at: u16, direction: Direction) -> Option<u16> {
        self.shape().next(at, direction)
    }

    /// The directions from a space, clockwise; none if there are no spaces.
    pub(crate) fn directions(&self) -> &[Direction] {
        self.shape().directions()
    }

    /// The first space of the line in a direction that leads through a space.
    pub(crate) fn start_of_line(&self, at: u16, direction: Direction) -> u16 {
        let (shape, back) = (self.shape(), direction.opposite());
        let mut first = at;
        while let Some(before) = shape.next(first, back) {
            if before == at {
                // The line comes back to where it begins.
                return at;
            }
            first = before;
        }
        first
    }

    pub(crate) fn named_by(&self) -> NamedBy {
        self.shape().named_by()
    }
}
