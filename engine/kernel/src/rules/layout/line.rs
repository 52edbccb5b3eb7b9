//! Rows and columns: the spaces of a zone that can be members of a set, so that others need not be visited.

/// Which spaces of a zone can be members; rows and columns are counted from 1.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Line {
    All,
    Row(u16),
    Column(u16),
}

/// Spaces at equal distances.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct LineOfSpaces {
    pub(crate) first: usize,
    /// The distance between two.
    pub(crate) apart: usize,
    pub(crate) count: u16,
}

impl Line {
    /// Its spaces in a zone with `cells` spaces and `columns` in a row, if there is such a row or column.
    #[inline(always)]
    pub(crate) fn of(self, cells: u16, columns: u16) -> Option<LineOfSpaces> {
        self.within(cells, columns, cells / columns)
    }

    /// The same for a zone whose number of rows is known.
    #[inline(always)]
    pub(crate) fn within(self, cells: u16, columns: u16, rows: u16) -> Option<LineOfSpaces> {
        match self {
            Line::All => Some(LineOfSpaces { first: 0, apart: 1, count: cells }),
            Line::Row(row) => (1..=rows).contains(&row).then(|| LineOfSpaces {
                first: usize::from(row - 1) * usize::from(columns),
                apart: 1,
                count: columns,
            }),
            Line::Column(column) => (1..=columns).contains(&column).then(|| LineOfSpaces {
                first: usize::from(column - 1),
                apart: usize::from(columns),
                count: rows,
            }),
        }
    }
}

impl LineOfSpaces {
    /// Their numbers.
    pub(super) fn spaces(self) -> impl Iterator<Item = u16> {
        (0..usize::from(self.count)).map(move |n| (self.first + n * self.apart) as u16)
    }
}
