//! Texts that were read, each with what stands in it as TOML, so that no text is taken apart twice.

use std::collections::BTreeMap;
use std::sync::Arc;

use rulepack_expr::Parses;
use rulepack_model::{Diagnostic, FileId, Sources, Table, side_by_side};

use crate::read::read_toml;

/// The texts of a run.
#[derive(Debug, Default)]
pub struct Texts {
    /// Every text, also those that have changed since.
    pub sources: Sources,
    /// Texts of the expression language that were read.
    pub(crate) parses: Parses,
    /// The last text of a path.
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

/// A text that stands in for a file.
#[derive(Debug)]
struct Edit {
    path: String,
    before: Option<FileId>,
}

impl Texts {
    /// A text; it keeps its id if nothing has changed.
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

    /// The text of a path that need not be read again.
    pub(crate) fn held(&self, path: &str) -> Option<FileId> {
        self.latest.get(path).copied().filter(|_| self.held)
    }

    /// A text as TOML, and all mistakes in it.
    pub(crate) fn toml(&mut self, file: FileId, out: &mut Vec<Diagnostic>) -> Arc<Table> {
        let sources = &self.sources;
        let (table, mistakes) = self.parsed.entry(file).or_insert_with(|| parsed(sources, file));
        out.extend(mistakes.iter().cloned());
        Arc::clone(table)
    }

    /// Reads texts as TOML that will be asked for, on some threads.
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

    /// The path that another text stands in for.
    pub(crate) fn edited(&self) -> Option<String> {
        self.edit.as_ref().map(|edit| edit.path.clone())
    }

    /// Takes an edit back, with its text.
    pub(crate) fn restore(&mut self) {
        let Some(Edit { path, before }) = self.edit.take() else { return };
        if let Some(file) = self.latest.remove(&path) {
            self.parsed.remove(&file);
            self.sources.truncate(file);
        }
        if let Some(before) = before {
            self.latest.insert(path, before);
        }
    }
}
