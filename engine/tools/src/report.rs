//! Diagnostics with their places worked out, for machines to read.

use rulepack_model::{Diagnostic, Severity, Sources};
use serde::Serialize;

/// A diagnostic.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Finding {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// Stable, kebab-case.
    pub code: &'static str,
    /// One sentence.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// The first is the main place.
    pub places: Vec<PlaceInFile>,
}

/// A place in a file; lines and columns are counted from 1.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct PlaceInFile {
    /// The path below the library.
    pub path: String,
    /// The line.
    pub line: usize,
    /// The column, in characters.
    pub column: usize,
    /// What is to be said about it; may be empty.
    pub text: String,
}

impl Finding {
    /// A diagnostic, with its places worked out.
    pub fn new(diagnostic: &Diagnostic, sources: &Sources) -> Self {
        let places = diagnostic.labels.iter().map(|label| {
            let (path, line, column) = sources.position(label.span);
            PlaceInFile { path, line, column, text: label.text.clone() }
        });
        Finding {
            severity: match diagnostic.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
            },
            code: diagnostic.code,
            message: diagnostic.message.clone(),
            help: diagnostic.help.clone(),
            places: places.collect(),
        }
    }
}

/// Leaves out what was said already: one file may be read several times, for several modes.
pub fn without_repeats(diagnostics: Vec<Diagnostic>, sources: &Sources) -> Vec<Diagnostic> {
    let mut seen = std::collections::BTreeSet::new();
    diagnostics.into_iter().filter(|diagnostic| seen.insert(Finding::new(diagnostic, sources))).collect()
}
