//! The names of the spaces of a zone: `3`, `left`, `II.left`. Names are printed and parsed here.

use super::NamedBy;
use crate::rules::ruleset::Zone;

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

/// The name of a space.
#[derive(Debug, Clone, Copy)]
pub(crate) enum SpaceName<'z> {
    InRow(Name<'z>),
    InGrid(Name<'z>, Name<'z>),
}

impl<'z> SpaceName<'z> {
    pub(crate) fn of(zone: &'z Zone, at: u16) -> Option<SpaceName<'z>> {
        match zone.layout.named_by() {
            NamedBy::Nothing => None,
            NamedBy::Place => Some(SpaceName::InRow(Name::of(zone.place_names(), at))),
            NamedBy::RowAndColumn => {
                let columns = zone.layout.columns();
                let row = Name::of(&zone.row_names, at / columns);
                Some(SpaceName::InGrid(row, Name::of(&zone.column_names, at % columns)))
            }
        }
    }
}

impl std::fmt::Display for SpaceName<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SpaceName::InRow(name) => name.fmt(f),
            SpaceName::InGrid(row, column) => write!(f, "{row}.{column}"),
        }
    }
}

/// The numbers of the places that a text names, counted from 0: by a name, or by a number from 1 on.
fn places<'t>(names: &'t [String], text: &'t str, most: u16) -> impl Iterator<Item = u16> + 't {
    let by_name = names.iter().position(|known| known == text).map(|at| at as u16).filter(|at| *at < most);
    [by_name, numbered(text, most)].into_iter().flatten()
}

/// `3` is the third place, which has the number 2; `03` is no place.
fn numbered(text: &str, most: u16) -> Option<u16> {
    let number = text.parse::<u16>().ok().filter(|number| number.to_string() == text)?;
    number.checked_sub(1).filter(|at| *at < most)
}

impl Zone {
    /// The names of the places of a zone that is one line.
    fn place_names(&self) -> &[String] {
        if self.column_names.is_empty() { &self.row_names } else { &self.column_names }
    }

    /// The usual name of a space.
    pub fn space_name(&self, at: u16) -> String {
        self.space_names(at).into_iter().next().unwrap_or_default()
    }

    /// All ways to name a space, the usual one first; its number is always one of them.
    pub fn space_names(&self, at: u16) -> Vec<String> {
        let plain = |index: u16| index.saturating_add(1).to_string();
        let all = |names: &[String], index: u16| -> Vec<String> {
            names.get(index as usize).cloned().into_iter().chain([plain(index)]).collect()
        };
        match self.layout.named_by() {
            NamedBy::Nothing => vec![plain(at)],
            NamedBy::Place => all(self.place_names(), at),
            NamedBy::RowAndColumn => {
                let columns = self.layout.columns();
                let (rows, columns) = (all(&self.row_names, at / columns), all(&self.column_names, at % columns));
                let both = rows.iter().flat_map(|row| columns.iter().map(move |column| format!("{row}.{column}")));
                both.chain([plain(at)]).collect()
            }
        }
    }

    /// The first space with this name, one of [`Zone::space_names`]: found without naming all of them.
    pub fn space_named(&self, name: &str) -> Option<u16> {
        let (cells, columns, rows) = (self.layout.cells(), self.layout.columns(), self.layout.rows());
        let by_number = numbered(name, cells);
        match self.layout.named_by() {
            NamedBy::Nothing => by_number,
            NamedBy::Place => places(self.place_names(), name, cells).min(),
            NamedBy::RowAndColumn => {
                let splits = name.match_indices('.').filter_map(|(at, _)| Some((name.get(..at)?, name.get(at + 1..)?)));
                let spots = splits.flat_map(|(row, column)| {
                    places(&self.row_names, row, rows).flat_map(move |row| {
                        places(&self.column_names, column, columns).map(move |column| row * columns + column)
                    })
                });
                spots.chain(by_number).min()
            }
        }
    }

    /// The row with this name or number, counted from 1.
    pub fn row_named(&self, name: &str) -> Option<u16> {
        let given = self.row_names.iter().position(|known| known == name).and_then(|row| u16::try_from(row + 1).ok());
        given.or_else(|| name.parse::<u16>().ok().filter(|row| (1..=self.layout.rows()).contains(row)))
    }
}
