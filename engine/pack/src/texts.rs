//! The texts that were read, each with its TOML tree, so that no text is parsed twice.

use std::collections::BTreeMap;
use std::sync::Arc;

use rulepack_expr::Parses;
use rulepack_model::{Diagnostic, FileId, Sources, Table, side_by_side};

use crate::read::read_toml;

/// The texts of a run.
#[derive(Debug, Default)]
pub struct Texts {
    /// Every text, also older versions of those that have changed since.
    pub sources: Sources,
    /// Parsed texts of the expression language.
    pub(crate) parses: Parses,
    /// The latest text of a path.
    latest: BTreeMap<String, FileId>,
    parsed: BTreeMap<FileId, Parsed>,
    /// Whether a path that was read is not read again.
    held: bool,
    edit: Option<Edit>,
}

type Parsed = (Arc<Table>, Vec<Diagnostic>);

fn parsed(sources: &Sources, file: FileId) -> Parsed {
    let mut mistakes = Vec::new();
    (Arc::new(read_toml(sources, file, &mut mistakes)), mistakes)
}

/// A text that replaces a file.
#[derive(Debug)]
struct Edit {
    path: String,
    before: Option<FileId>,
}

impl Texts {
    /// Adds a text; it keeps its id if it has not changed.
    pub(crate) fn add(&mut self, path: String, text: String) -> FileId {
        if let Some(file) = self.latest.get(&path)
            && self.sources.get(*file).is_some_and(|source| source.text == text)
        {
            return *file;
        }
        let file = self.sources.add(path.as_str(), text);
        self.latest.insert(path, file);
        file
    }

    /// The text of a path, if it need not be read again.
    pub(crate) fn held(&self, path: &str) -> Option<FileId> {
        self.latest.get(path).copied().filter(|_| self.held)
    }

    /// The TOML tree of a text, and all mistakes in it.
    pub(crate) fn toml(&mut self, file: FileId, out: &mut Vec<Diagnostic>) -> Arc<Table> {
        let sources = &self.sources;
        let (table, mistakes) = self.parsed.entry(file).or_insert_with(|| parsed(sources, file));
        out.extend(mistakes.iter().cloned());
        Arc::clone(table)
    }

    /// Parses texts that will be needed, on several threads.
    pub(crate) fn read_ahead(&mut self, files: &[FileId], threads: usize) {
        let new: Vec<FileId> = files.iter().copied().filter(|file| !self.parsed.contains_key(file)).collect();
        let sources = &self.sources;
        let read = side_by_side(&new, threads, |file| parsed(sources, *file));
        self.parsed.extend(new.into_iter().zip(read));
    }

    pub(crate) fn hold(&mut self) {
        self.held = true;
    }

    pub(crate) fn edit(&mut self, path: &str, text: String) {
        self.restore();
        let before = self.latest.get(path).copied();
        let file = self.sources.add(path, text);
        self.latest.insert(path.to_string(), file);
        self.edit = Some(Edit { path: path.to_string(), before });
    }

    /// Replaces the text of a path for good, whether or not it was read before.
    pub(crate) fn replace(&mut self, path: &str, text: String) -> FileId {
        self.restore();
        self.add(path.to_string(), text)
    }

    /// The path of the file that another text replaces.
    pub(crate) fn edited(&self) -> Option<String> {
        self.edit.as_ref().map(|edit| edit.path.clone())
    }

    /// Removes an edit and its text.
    pub(crate) fn restore(&mut self) {
        let Some(Edit { path, before }) = self.edit.take() else { return };
        if let Some(file) = self.latest.remove(&path) {
            self.parsed.remove(&file);
            // Files that were read for the first time since have later ids: they stay, and so does the text.
            if self.sources.is_last(file) {
                self.sources.truncate(file);
            }
        }
        if let Some(before) = before {
            self.latest.insert(path, before);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_first_read_during_an_edit_stays() {
        let mut texts = Texts::default();
        texts.hold();
        texts.edit("a.toml", "x = 1".to_string());
        let other = texts.add("b.toml".to_string(), "y = 2".to_string());
        texts.restore();
        assert_eq!(texts.held("a.toml"), None);
        assert_eq!(texts.held("b.toml"), Some(other));
        assert_eq!(texts.sources.get(other).map(|source| source.text.as_str()), Some("y = 2"));
        // Without such a file, nothing is left of the edit.
        texts.edit("a.toml", "x = 3".to_string());
        texts.restore();
        assert!(texts.sources.is_last(other));
    }
}
