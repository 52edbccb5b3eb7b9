//! Source texts and places in them.

use std::sync::OnceLock;

use serde::{Deserialize, Serialize};

use crate::cut::Cut;

/// A file that was read in this run; files are numbered in the order of reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct FileId(pub u32);

/// A range of bytes in one file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// First byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end` of `file`.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        Span { file, start: small(start), end: small(end) }
    }

    /// The first byte of a file: the place of mistakes that concern the file as a whole.
    pub fn top(file: FileId) -> Self {
        Span { file, start: 0, end: 0 }
    }
}

/// One text, with the path under which it is shown to people.
#[derive(Debug, Clone)]
pub struct SourceFile {
    /// Path relative to the library, with `/` on every system.
    pub path: String,
    /// The whole text.
    pub text: String,
    lines: Lines,
}

/// An index of line starts and character counts, so that finding the line and the column of a place takes the same time
/// everywhere in the text. Built when it is first needed.
#[derive(Debug, Clone, Default)]
struct Lines(OnceLock<Index>);

#[derive(Debug, Clone)]
struct Index {
    /// The first byte of each line.
    starts: Vec<u32>,
    /// The number of characters that begin before each multiple of [`STRIDE`].
    characters: Vec<u32>,
}

/// The distance in bytes between two entries of `chars`.
const STRIDE: usize = 512;

impl Index {
    fn new(text: &str) -> Index {
        let mut starts = vec![0];
        let mut start = 0_u32;
        for line in text.split_inclusive('\n') {
            start = start.saturating_add(small(line.len()));
            if line.ends_with('\n') {
                starts.push(start);
            }
        }
        let mut characters = vec![0];
        let mut before = 0_u32;
        for part in text.as_bytes().chunks(STRIDE) {
            before = before.saturating_add(characters_in(part));
            characters.push(before);
        }
        Index { starts, characters }
    }

    /// The line of a byte, from 1, and its first byte.
    fn line(&self, at: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start as usize <= at);
        let start = line.checked_sub(1).and_then(|above| self.starts.get(above)).copied().unwrap_or(0);
        (line, start as usize)
    }

    /// The number of characters that begin before a byte.
    fn characters_before(&self, text: &str, at: usize) -> u32 {
        let known = at / STRIDE;
        let before = self.characters.get(known).copied().unwrap_or(0);
        let more = text.as_bytes().get(known.saturating_mul(STRIDE)..at).unwrap_or_default();
        before.saturating_add(characters_in(more))
    }
}

fn characters_in(bytes: &[u8]) -> u32 {
    // All bytes of a character except the first begin with the bits 10.
    small(bytes.iter().filter(|byte| **byte & 0xc0 != 0x80).count())
}

fn small(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

impl SourceFile {
    /// Line and column of a byte, both from 1, columns in characters.
    fn line_and_column(&self, at: usize) -> (usize, usize) {
        let at = self.text.floor_char_boundary(at);
        let index = self.lines.0.get_or_init(|| Index::new(&self.text));
        let (line, start) = index.line(at);
        let before = index.characters_before(&self.text, start);
        let column = index.characters_before(&self.text, at).saturating_sub(before);
        (line, (column as usize).saturating_add(1))
    }
}

/// All texts of one run.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// Adds a text and returns the id by which spans name it.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<String>) -> FileId {
        let id = FileId(small(self.files.len()));
        self.files.push(SourceFile { path: path.into(), text: text.into(), lines: Lines::default() });
        id
    }

    /// Removes a text and all texts that were added after it.
    pub fn truncate(&mut self, first: FileId) {
        self.files.truncate(first.0 as usize);
    }

    /// Whether no file was added after this one.
    pub fn is_last(&self, file: FileId) -> bool {
        self.files.len() == (file.0 as usize).saturating_add(1)
    }

    /// The file behind an id.
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// All files in the order of reading.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(n, file)| (FileId(small(n)), file))
    }

    /// Path, line and column (both from 1, columns in characters) of a span's first byte.
    pub fn position(&self, span: Span) -> (String, usize, usize) {
        let Some(file) = self.get(span.file) else { return (String::new(), 1, 1) };
        let (line, column) = file.line_and_column(span.start as usize);
        (file.path.clone(), line, column)
    }

    /// Line and column of a span's end: the place after its last character.
    pub fn end(&self, span: Span) -> (usize, usize) {
        self.get(span.file).map_or((1, 1), |file| file.line_and_column(span.end.max(span.start) as usize))
    }

    /// The line in which a span begins, without the white space around it.
    pub fn line(&self, span: Span) -> &str {
        let Some(file) = self.get(span.file) else { return "" };
        let at = file.text.floor_char_boundary(span.start as usize);
        let before = file.text.cut(..at).rsplit('\n').next().unwrap_or("");
        let after = file.text.cut(at..).split('\n').next().unwrap_or("");
        file.text.cut(at.saturating_sub(before.len())..at.saturating_add(after.len())).trim()
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &str {
        let Some(file) = self.get(span.file) else { return "" };
        let start = file.text.floor_char_boundary(span.start as usize);
        let end = file.text.floor_char_boundary(span.end as usize);
        file.text.cut(start..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn position_counts_lines_and_characters_from_one() {
        let mut sources = Sources::default();
        let file = sources.add("a.toml", "é = 1\nb = 2\n");
        assert_eq!(sources.position(Span::new(file, 7, 8)), ("a.toml".into(), 2, 1));
        assert_eq!(sources.position(Span::new(file, 3, 4)), ("a.toml".into(), 1, 3));
    }

    #[test]
    fn positions_far_down_are_those_of_counting() {
        let line = "été – ".repeat(150);
        let text = format!("{line}\n\n{line}{line}\n{line}");
        let mut sources = Sources::default();
        let file = sources.add("a.toml", text.as_str());
        for at in (0..=text.len() + 3).step_by(7).chain([text.len()]) {
            let before = &text[..text.floor_char_boundary(at)];
            let line = before.matches('\n').count() + 1;
            let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
            assert_eq!(sources.position(Span::new(file, at, at)), ("a.toml".into(), line, column), "byte {at}");
        }
    }
}
