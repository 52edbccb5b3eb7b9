//! Rows and columns: the spaces of a zone that can be members of a set, so that the others need not be looked at.

use std::num::NonZeroU16;
use std::ops::Range;

use crate::facts::ZoneFacts;

/// Which spaces of a zone can be members.
#[derive(Clone, Copy)]
pub(crate) enum Lane {
    All,
    Row(NonZeroU16),
    Column(NonZeroU16),
}

impl Lane {
    /// The spaces, and how far they are apart.
    #[inline]
    pub(crate) fn spaces(self, zone: ZoneFacts) -> (Range<u16>, u16) {
        let ZoneFacts { cells, columns, .. } = zone;
        match self {
            Lane::All => (0..cells, 1),
            Lane::Row(row) => {
                let first = (u32::from(row.get() - 1) * u32::from(columns)).min(u32::from(cells)) as u16;
                (first..first.saturating_add(columns).min(cells), 1)
            }
            Lane::Column(column) if column.get() <= columns => (column.get() - 1..cells, columns),
            Lane::Column(_) => (0..0, 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_spaces_of_a_row_or_column_are_looked_at() {
        let zone = ZoneFacts { first: 5, cells: 6, columns: 3, rows: 2, capacity: None, in_play: false };
        let number = |n| NonZeroU16::new(n).expect("rows and columns begin with 1");
        let (row, column) = (|n| Lane::Row(number(n)), |n| Lane::Column(number(n)));
        let spaces = |lane: Lane| {
            let (spaces, apart) = lane.spaces(zone);
            spaces.step_by(usize::from(apart)).collect::<Vec<u16>>()
        };
        assert_eq!(spaces(Lane::All), [0, 1, 2, 3, 4, 5]);
        assert_eq!(spaces(row(2)), [3, 4, 5]);
        assert_eq!(spaces(column(3)), [2, 5]);
        for nowhere in [row(3), row(u16::MAX), column(4), column(u16::MAX)] {
            assert!(spaces(nowhere).is_empty());
        }
    }
}
