//! Source texts and places in them.

use serde::{Deserialize, Serialize};

/// A file of the run, in the order of reading.
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
        let clamp = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Span { file, start: clamp(start), end: clamp(end) }
    }

    /// The first byte of a file: for mistakes that concern it as a whole.
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
}

/// All texts of one run.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: Vec<SourceFile>,
}

impl Sources {
    /// Adds a text and gives the id under which spans name it.
    pub fn add(&mut self, path: impl Into<String>, text: impl Into<String>) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(SourceFile { path: path.into(), text: text.into() });
        id
    }

    /// Forgets a text and all that were added after it.
    pub fn truncate(&mut self, first: FileId) {
        self.files.truncate(first.0 as usize);
    }

    /// The file behind an id.
    pub fn get(&self, id: FileId) -> Option<&SourceFile> {
        self.files.get(id.0 as usize)
    }

    /// All files in the order of reading.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &SourceFile)> {
        self.files.iter().enumerate().map(|(n, file)| (FileId(n as u32), file))
    }

    /// Path, line and column (both from 1, columns in characters) of a span's first byte.
    pub fn position(&self, span: Span) -> (String, usize, usize) {
        let Some(file) = self.get(span.file) else { return (String::new(), 1, 1) };
        let (line, column) = line_and_column(&file.text, span.start as usize);
        (file.path.clone(), line, column)
    }

    /// Line and column of a span's end: the place after its last character.
    pub fn end(&self, span: Span) -> (usize, usize) {
        self.get(span.file).map_or((1, 1), |file| line_and_column(&file.text, span.end.max(span.start) as usize))
    }

    /// The line in which a span begins, without the white space around it.
    pub fn line(&self, span: Span) -> &str {
        let Some(file) = self.get(span.file) else { return "" };
        let at = floor_char(&file.text, span.start as usize);
        let start = file.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let end = file.text[at..].find('\n').map_or(file.text.len(), |end| at + end);
        file.text[start..end].trim()
    }

    /// The text of a span.
    pub fn text(&self, span: Span) -> &str {
        let Some(file) = self.get(span.file) else { return "" };
        let start = floor_char(&file.text, span.start as usize);
        let end = floor_char(&file.text, span.end as usize).max(start);
        &file.text[start..end]
    }
}

/// Line and column of a byte, both from 1, columns in characters.
fn line_and_column(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..floor_char(text, at)];
    let line = before.bytes().filter(|byte| *byte == b'\n').count() + 1;
    let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
    (line, column)
}

fn floor_char(text: &str, at: usize) -> usize {
    let mut at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
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
}
