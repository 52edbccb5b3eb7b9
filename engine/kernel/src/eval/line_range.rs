//! Rows and columns: the spaces of a zone that can be members of a set, so that the others need not be looked at.

use crate::rules::facts::ZoneFacts;

/// Which spaces of a zone can be members; rows and columns are counted from 1.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Lane {
    All,
    Row(u16),
    Column(u16),
}

/// Spaces in a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Spaces {
    pub(crate) first: usize,
    /// How far they are apart.
    pub(crate) apart: usize,
    pub(crate) count: u16,
}

impl Lane {
    /// Its spaces, if there is such a row or column.
    #[inline(always)]
    pub(crate) fn spaces(self, zone: ZoneFacts) -> Option<Spaces> {
        let ZoneFacts { cells, columns, rows, .. } = zone;
        match self {
            Lane::All => Some(Spaces { first: 0, apart: 1, count: cells }),
            Lane::Row(row) => (1..=rows).contains(&row).then(|| Spaces {
                first: usize::from(row - 1) * usize::from(columns),
                apart: 1,
                count: columns,
            }),
            Lane::Column(column) => (1..=columns).contains(&column).then(|| Spaces {
                first: usize::from(column - 1),
                apart: usize::from(columns),
                count: rows,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_spaces_of_a_row_or_column_are_looked_at() {
        let zone = ZoneFacts {
            first: 5,
            cells: 6,
            columns: 3,
            rows: 2,
            capacity: None,
            in_play: false,
            out_of_game: false,
            is_open: true,
            open_to: None,
        };
        let spaces = |lane: Lane| {
            lane.spaces(zone).map(|spaces| {
                (0..usize::from(spaces.count)).map(|n| spaces.first + n * spaces.apart).collect::<Vec<usize>>()
            })
        };
        assert_eq!(spaces(Lane::All), Some(vec![0, 1, 2, 3, 4, 5]));
        assert_eq!(spaces(Lane::Row(2)), Some(vec![3, 4, 5]));
        assert_eq!(spaces(Lane::Column(3)), Some(vec![2, 5]));
        for nowhere in [Lane::Row(0), Lane::Row(3), Lane::Row(u16::MAX), Lane::Column(0), Lane::Column(4)] {
            assert_eq!(spaces(nowhere), None);
        }
    }
}
