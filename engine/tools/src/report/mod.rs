//! Reports for programs: diagnostics with lines and columns, and the formats in which they are written.

// Input comes from strangers: no input may end the program.
#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

mod causes;
mod github;
mod junit;
mod sarif;

use rulepack_model::{Code, Diagnostic, Sources};
use serde::{Deserialize, Serialize};

pub use causes::only_causes;
pub use github::github;
pub use junit::{conformance_junit, junit};
pub use sarif::sarif;

/// The version of the JSON that the subcommands write: raised when programs that read it must change.
pub const REPORT_VERSION: u32 = 1;

/// A diagnostic.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Finding {
    /// `error` or `warning`.
    pub severity: &'static str,
    /// `certain` or `likely`.
    pub confidence: &'static str,
    /// What kind of mistake it is.
    pub code: Code,
    /// One sentence.
    pub message: String,
    /// What to write instead.
    pub help: Option<String>,
    /// The first is the main place.
    pub places: Vec<PlaceInFile>,
    /// The seed of the game that showed it, for findings from played games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// A command line that shows that game again.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<String>,
    /// The moves of that game as a scenario.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub scenario: Option<String>,
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
    /// The line of the end.
    pub end_line: usize,
    /// The column after the end.
    pub end_column: usize,
    /// A note about the place; may be empty.
    pub text: String,
}

impl Finding {
    /// A diagnostic with lines and columns.
    pub fn new(diagnostic: &Diagnostic, sources: &Sources) -> Self {
        let places = diagnostic.labels.iter().map(|label| {
            let (path, line, column) = sources.position(label.span);
            let (end_line, end_column) = sources.end(label.span);
            PlaceInFile { path, line, column, end_line, end_column, text: label.text.clone() }
        });
        Finding {
            severity: diagnostic.severity.word(),
            confidence: diagnostic.confidence.word(),
            code: diagnostic.code,
            message: diagnostic.headline(),
            help: diagnostic.help.clone(),
            places: places.collect(),
            seed: diagnostic.shown_by.as_ref().map(|shown| shown.seed),
            call: diagnostic.shown_by.as_ref().map(|shown| shown.call.clone()),
            scenario: diagnostic.shown_by.as_ref().and_then(|shown| shown.scenario.clone()),
        }
    }

    /// The message, with what to write instead.
    fn with_help(&self) -> String {
        match &self.help {
            Some(help) => format!("{}; {help}", self.message),
            None => self.message.clone(),
        }
    }
}

/// The warnings that a team knows and does not want to see again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    version: u32,
    findings: Vec<Known>,
}

/// A finding of a baseline. It is recognised by its code, its message and the text of its line, even if the line has
/// moved or was formatted: spaces do not count.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    code: String,
    message: String,
    line: String,
    /// Only for people who read the file.
    path: String,
}

impl Baseline {
    /// All warnings among these become known; errors do not.
    pub fn of(diagnostics: &[Diagnostic], sources: &Sources) -> Self {
        let warnings = diagnostics.iter().filter(|diagnostic| !diagnostic.is_error());
        let mut findings: Vec<Known> = warnings.map(|diagnostic| Known::new(diagnostic, sources)).collect();
        findings.sort();
        Baseline { version: REPORT_VERSION, findings }
    }

    /// Reads a file.
    ///
    /// # Errors
    /// If it is not a baseline, or has another version.
    pub fn from_json(text: &str) -> Result<Baseline, String> {
        let baseline: Baseline = serde_json::from_str(text).map_err(|error| format!("it is no baseline: {error}"))?;
        match baseline.version {
            REPORT_VERSION => Ok(baseline),
            other => Err(format!("it has version {other}, and this program reads version {REPORT_VERSION}")),
        }
    }

    /// As the text of a file, one finding on each line, so that diffs are easy to read.
    #[allow(clippy::expect_used, reason = "it is plain data of ours, all of which JSON can say")]
    pub fn to_json(&self) -> String {
        let line = |known: &Known| serde_json::to_string(known).expect("texts can be written as JSON");
        let lines: Vec<String> = self.findings.iter().map(|known| format!("\n    {}", line(known))).collect();
        let end = if lines.is_empty() { "" } else { "\n  " };
        format!("{{\n  \"version\": {},\n  \"findings\": [{}{end}]\n}}\n", self.version, lines.join(","))
    }

    /// The unknown findings, the number of known ones, and the number of baseline entries that no longer occur. A
    /// finding is known as often as the file lists it; an error is never known, whatever the file says.
    pub fn fresh(&self, diagnostics: Vec<Diagnostic>, sources: &Sources) -> (Vec<Diagnostic>, usize, usize) {
        let mut left: Vec<&Known> = self.findings.iter().collect();
        let before = diagnostics.len();
        let fresh: Vec<Diagnostic> = diagnostics
            .into_iter()
            .filter(|diagnostic| {
                if diagnostic.is_error() {
                    return true;
                }
                let this = Known::new(diagnostic, sources);
                let same = |known: &&Known| {
                    known.code == this.code
                        && without_spaces(&known.message).eq(without_spaces(&this.message))
                        && without_spaces(&known.line).eq(without_spaces(&this.line))
                };
                match left.iter().position(same) {
                    Some(index) => {
                        left.swap_remove(index);
                        false
                    }
                    None => true,
                }
            })
            .collect();
        let known = before.saturating_sub(fresh.len());
        (fresh, known, left.len())
    }
}

impl Known {
    fn new(diagnostic: &Diagnostic, sources: &Sources) -> Self {
        let main = diagnostic.labels.first().map(|label| label.span);
        Known {
            code: diagnostic.code.to_string(),
            message: diagnostic.message.clone(),
            line: main.map_or("", |span| sources.line(span)).to_string(),
            path: main.map(|span| sources.position(span).0).unwrap_or_default(),
        }
    }
}

/// The letters of a text, without its white space: formatting a file changes nothing else.
pub(crate) fn without_spaces(text: &str) -> impl Iterator<Item = char> + '_ {
    text.chars().filter(|letter| !letter.is_whitespace())
}

/// Leaves out repeated findings: one file may be read several times, for several modes.
pub fn without_repeats(diagnostics: Vec<Diagnostic>, sources: &Sources) -> Vec<Diagnostic> {
    let mut seen = std::collections::BTreeSet::new();
    diagnostics.into_iter().filter(|diagnostic| seen.insert(Finding::new(diagnostic, sources))).collect()
}
