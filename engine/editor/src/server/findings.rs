//! Findings of the checks as the protocol has them, each with the edits that it offers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use lsp_types::{
    CodeDescription, Diagnostic as Shown, DiagnosticRelatedInformation, DiagnosticSeverity, Location, NumberOrString,
    Range as Place, TextEdit,
};
use rulepack_model::{Confidence, Diagnostic, FileId, Severity, Sources, Span};
use rulepack_tools::{Library, Project, offers};

use super::document::uri_of;
use super::lines::Lines;

/// A finding in a file.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    pub(super) path: PathBuf,
    pub(super) shown: Shown,
    pub(super) offers: Vec<Fix>,
    /// The length and a hash of the text in which it was found.
    pub(super) of: u64,
}

/// An edit that a finding offers.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Fix {
    pub(super) title: String,
    pub(super) path: PathBuf,
    pub(super) edit: TextEdit,
    pub(super) is_safe: bool,
}

/// A number that differs if a text does.
pub(super) fn hash_of(text: &str) -> u64 {
    use std::hash::{DefaultHasher, Hash as _, Hasher as _};
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    hasher.finish()
}

/// Findings about a pack; one without a place is shown at the top of its manifest.
pub(super) fn findings(library: &Library, pack: &str, all: &[Diagnostic]) -> Vec<Found> {
    let sources = library.sources();
    let folder = library.folder_of(pack).or_else(|| library.folders().first().cloned()).unwrap_or_default();
    let manifest = folder.join("content").join(pack).join("pack.toml");
    let mut places = Places { sources: &sources, lines: BTreeMap::new(), path: &|shown| library.real_path(shown) };
    all.iter().filter_map(|found| places.found(found, &manifest)).collect()
}

/// Findings about a project file.
pub(super) fn project_findings(project: &Project, path: &Path) -> Vec<Found> {
    let one = |_: &str| Some(path.to_path_buf());
    let mut places = Places { sources: &project.sources, lines: BTreeMap::new(), path: &one };
    project.diagnostics.iter().filter_map(|found| places.found(found, path)).collect()
}

struct Places<'a> {
    sources: &'a Sources,
    lines: BTreeMap<FileId, Lines>,
    path: &'a dyn Fn(&str) -> Option<PathBuf>,
}

impl Places<'_> {
    fn place(&mut self, span: Span) -> Option<(PathBuf, Place)> {
        let source = self.sources.get(span.file)?;
        let lines = self.lines.entry(span.file).or_insert_with(|| Lines::new(&source.text));
        let place = lines.place(&source.text, span.start as usize..span.end as usize);
        Some(((self.path)(&source.path)?, place))
    }

    fn found(&mut self, found: &Diagnostic, otherwise: &Path) -> Option<Found> {
        let main = found.labels.first().map(|label| label.span);
        let (path, range) =
            main.and_then(|span| self.place(span)).unwrap_or((otherwise.to_path_buf(), Place::default()));
        let of = main.and_then(|span| self.sources.get(span.file)).map_or(0, |source| hash_of(&source.text));
        let mut message = found.headline();
        if found.confidence == Confidence::Likely {
            message.push_str(" (likely)");
        }
        if let Some(help) = &found.help {
            message.push('\n');
            message.push_str("help: ");
            message.push_str(help);
        }
        let mut related = Vec::new();
        for label in found.labels.iter().skip(1) {
            let Some((path, range)) = self.place(label.span) else { continue };
            let message = if label.text.is_empty() { "here".to_string() } else { label.text.clone() };
            related.extend(
                uri_of(&path).map(|uri| DiagnosticRelatedInformation { location: Location { uri, range }, message }),
            );
        }
        let offered = offers(found, self.sources);
        let fix = |offer: rulepack_tools::Offer| {
            let (path, range) = self.place(offer.edit.at)?;
            Some(Fix {
                title: offer.title,
                path,
                edit: TextEdit { range, new_text: offer.edit.text },
                is_safe: offer.is_safe,
            })
        };
        let offers = offered.into_iter().filter_map(fix).collect();
        let shown = Shown {
            range,
            severity: Some(match found.severity {
                Severity::Error => DiagnosticSeverity::ERROR,
                Severity::Warning => DiagnosticSeverity::WARNING,
            }),
            code: Some(NumberOrString::String(found.code.name().to_string())),
            code_description: None::<CodeDescription>,
            source: Some("rulepack".to_string()),
            message,
            related_information: (!related.is_empty()).then_some(related),
            ..Shown::default()
        };
        Some(Found { path, shown, offers, of })
    }
}
