//! Zones that are drawn: `board = """ . . x """`, with a `legend` that says what the letters stand for.

use rulepack_kernel::ZoneIx;
use rulepack_model::{Code, Diagnostic, Span, did_you_mean};

use super::names::Names;
use super::pieces::{PieceSpec, Stack, ZoneSpec};

/// A space without pieces.
const EMPTY: char = '.';

/// Whether a letter only helps people to see the spaces.
fn is_drawn_only(letter: char) -> bool {
    letter.is_whitespace() || "-|/\\+_".contains(letter)
}

impl Names<'_> {
    /// Refuses names in the legend that are no letters.
    pub(super) fn refuse_long_letters(&mut self) {
        for (name, entry) in self.legend.iter() {
            let mut letters = name.chars();
            if !matches!((letters.next(), letters.next()), (Some(letter), None) if letter.is_alphanumeric()) {
                let message = format!("`{name}` is no single letter");
                let help = "the legend says what one letter of a picture stands for: `x = \"PIECE\"`";
                self.out.push(Diagnostic::error(Code::WrongValue, message).at(entry.key).help(help));
            }
        }
    }

    /// The pieces on all spaces, as a picture shows them: one letter for each space, row by row.
    pub(super) fn drawn(&mut self, picture: &str, at: Span, key: &str, zone: ZoneIx) -> Option<ZoneSpec> {
        let layout = &self.rules.zone_of(zone).layout;
        let (cells, columns) = (usize::from(layout.cells()), usize::from(layout.columns()));
        let rows: Vec<Vec<char>> = picture
            .lines()
            .map(|line| line.chars().filter(|letter| !is_drawn_only(*letter)).collect())
            .filter(|row: &Vec<char>| !row.is_empty())
            .collect();
        let shown: usize = rows.iter().map(Vec::len).sum();
        let uneven = if layout.rows() > 1 { rows.iter().position(|row| row.len() != columns) } else { None };
        if shown != cells || uneven.is_some() {
            let message = match uneven.and_then(|row| Some((row.saturating_add(1), rows.get(row)?.len()))) {
                Some((row, count)) => {
                    format!("line {row} of the picture shows {count} spaces, and a row of `{key}` has {columns}")
                }
                None => format!("the picture shows {shown} spaces, and `{key}` has {cells}"),
            };
            let help = "write `.` for an empty space, and a letter of the legend for another; blanks and `-|/\\+_` are only drawn";
            self.out.push(Diagnostic::error(Code::WrongValue, message).at(at).help(help));
            return None;
        }
        let mut spaces = Vec::new();
        for (space, letter) in (0..).zip(rows.into_iter().flatten()) {
            spaces.push((space, Stack::Exactly(self.pieces_of_letter(letter, at)?)));
        }
        Some(ZoneSpec::Spaces(spaces))
    }

    /// What a letter stands for.
    fn pieces_of_letter(&mut self, letter: char, at: Span) -> Option<Vec<PieceSpec>> {
        if letter == EMPTY {
            return Some(Vec::new());
        }
        let name = letter.to_string();
        let Some(entry) = self.legend.entries.get(&name).cloned() else {
            let known: Vec<&str> = self.legend.iter().map(|(name, _)| name).collect();
            let help = match known.as_slice() {
                [] => format!("say what the letters stand for: `[legend]` with `{name} = \"PIECE\"`"),
                known => did_you_mean(&name, known.iter().copied())
                    .unwrap_or_else(|| format!("the letters are {}", super::listed(known.iter().copied()))),
            };
            let message = format!("the legend does not say what `{name}` stands for");
            self.out.push(Diagnostic::error(Code::UnknownName, message).at(at).help(help));
            return None;
        };
        Some(self.pieces(&entry.node, &name))
    }
}
