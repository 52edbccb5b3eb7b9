//! How the spaces of a zone are called.

use crate::rules::ruleset::{Layout, Zone};

/// A row or a column.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Name<'z> {
    Given(&'z str),
    Number(u16),
}

impl<'z> Name<'z> {
    fn of(names: &'z [String], index: u16) -> Name<'z> {
        names.get(index as usize).map_or(Name::Number(index + 1), |name| Name::Given(name))
    }
}

impl std::fmt::Display for Name<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Name::Given(name) => f.write_str(name),
            Name::Number(n) => write!(f, "{n}"),
        }
    }
}

/// How a space is called.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SpaceName<'z> {
    InRow(Name<'z>),
    InGrid(Name<'z>, Name<'z>),
}

impl<'z> SpaceName<'z> {
    pub(crate) fn of(zone: &'z Zone, at: u16) -> Option<SpaceName<'z>> {
        match zone.layout {
            Layout::List => None,
            Layout::Row { .. } => {
                let names = if zone.column_names.is_empty() { &zone.row_names } else { &zone.column_names };
                Some(SpaceName::InRow(Name::of(names, at)))
            }
            Layout::Grid { .. } => {
                let columns = zone.layout.columns();
                let row = Name::of(&zone.row_names, at / columns);
                Some(SpaceName::InGrid(row, Name::of(&zone.column_names, at % columns)))
            }
        }
    }
}
