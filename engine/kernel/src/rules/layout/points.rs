//! Named points and the lines between them, for layouts that are neither rows nor columns.

use super::{Direction, NamedBy, Neighbours, Shape};

/// Points; their names are those of the columns of the zone.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Points {
    points: Vec<Point>,
    /// The directions of the lines, clockwise.
    directions: Vec<Direction>,
}

/// One of them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Point {
    neighbours: Neighbours,
    next: [Option<u16>; Direction::ALL.len()],
}

impl Points {
    /// A number of points without lines.
    pub fn new(count: u16) -> Points {
        Points { points: vec![Point::default(); usize::from(count)], directions: Vec::new() }
    }

    /// Makes two points neighbours.
    pub fn join(&mut self, one: u16, other: u16) {
        for (from, to) in [(one, other), (other, one)] {
            if let Some(point) = self.points.get_mut(usize::from(from))
                && !point.neighbours.contains(&to)
            {
                point.neighbours.push(to);
                point.neighbours.sort_unstable();
            }
        }
    }

    /// Makes two points neighbours in a direction, and in the opposite one on the way back. False if one of them has
    /// another neighbour there already.
    #[must_use]
    pub fn lead(&mut self, from: u16, direction: Direction, to: u16) -> bool {
        let ways = [(from, direction, to), (to, direction.opposite(), from)];
        for (from, direction, to) in ways {
            let Some(point) = self.points.get(usize::from(from)) else { return false };
            if point.next[direction.number()].is_some_and(|there| there != to) {
                return false;
            }
        }
        for (from, direction, to) in ways {
            if let Some(point) = self.points.get_mut(usize::from(from)) {
                point.next[direction.number()] = Some(to);
            }
            if !self.directions.contains(&direction) {
                self.directions.push(direction);
                self.directions.sort_unstable();
            }
        }
        self.join(from, to);
        true
    }
}

impl Shape for Points {
    fn cells(&self) -> u16 {
        self.points.len() as u16
    }

    fn columns(&self) -> u16 {
        self.cells().max(1)
    }

    fn named_by(&self) -> NamedBy {
        NamedBy::Place
    }

    fn directions(&self) -> &[Direction] {
        &self.directions
    }

    fn next(&self, at: u16, direction: Direction) -> Option<u16> {
        self.points.get(usize::from(at))?.next[direction.number()]
    }

    fn neighbours(&self, at: u16) -> Neighbours {
        self.points.get(usize::from(at)).map_or_else(Neighbours::new, |point| point.neighbours.clone())
    }
}
