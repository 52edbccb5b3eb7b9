//! Places of the protocol: lines from 0, and columns in UTF-16 units, as every editor understands them.

use std::ops::Range;

use lsp_types::{Position, Range as Place};

/// The line starts of a text.
#[derive(Debug, Clone)]
pub(super) struct Lines {
    starts: Vec<usize>,
}

impl Lines {
    pub(super) fn new(text: &str) -> Lines {
        let after = text.match_indices('\n').map(|(at, _)| at + 1);
        Lines { starts: std::iter::once(0).chain(after).collect() }
    }

    /// The place of a byte; of one inside a character, that of the character.
    pub(super) fn position(&self, text: &str, byte: usize) -> Position {
        let byte = text.floor_char_boundary(byte.min(text.len()));
        let line = self.starts.partition_point(|start| *start <= byte).saturating_sub(1);
        let start = self.starts.get(line).copied().unwrap_or(0);
        let column = text.get(start..byte).unwrap_or_default().encode_utf16().count();
        Position::new(line as u32, column as u32)
    }

    pub(super) fn place(&self, text: &str, at: Range<usize>) -> Place {
        Place::new(self.position(text, at.start), self.position(text, at.end.max(at.start)))
    }

    /// The byte at a place. One beyond a line is its end, one beyond the text the end of the text.
    pub(super) fn byte(&self, text: &str, at: Position) -> usize {
        let Some(start) = self.starts.get(at.line as usize).copied() else { return text.len() };
        let line = text.get(start..).unwrap_or_default();
        let line = line.split('\n').next().unwrap_or_default().trim_end_matches('\r');
        let mut units = 0;
        for (byte, letter) in line.char_indices() {
            if units >= at.character as usize {
                return start + byte;
            }
            units += letter.len_utf16();
        }
        start + line.len()
    }

    /// The range of a place.
    pub(super) fn range(&self, text: &str, place: Place) -> Range<usize> {
        let start = self.byte(text, place.start);
        start..self.byte(text, place.end).max(start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_units_of_utf_16() {
        let text = "é = \"😀x\"\r\ny";
        let lines = Lines::new(text);
        let x = text.find('x').unwrap();
        assert_eq!(lines.position(text, x), Position::new(0, 7));
        assert_eq!(lines.byte(text, Position::new(0, 7)), x);
        // Inside the two units of one character: the next character.
        assert_eq!(lines.byte(text, Position::new(0, 6)), x);
        assert_eq!(lines.byte(text, Position::new(0, 99)), text.find('\r').unwrap());
        assert_eq!(lines.byte(text, Position::new(1, 0)), text.find('y').unwrap());
        assert_eq!(lines.byte(text, Position::new(9, 9)), text.len());
        assert_eq!(lines.position(text, 999), Position::new(1, 1));
    }
}
