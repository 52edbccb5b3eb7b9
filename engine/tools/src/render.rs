//! Diagnostics for people, as a text. Only this file knows colours and carets.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Group, Level, Origin, Renderer, Snippet};
use rulepack_model::visible::{one_line, same_length, with_commas};
use rulepack_model::{Confidence, Diagnostic, FileId, Label, Severity, Sources};

/// The largest number of diagnostics printed for people; `check` in another format prints more.
const MOST_TOLD: usize = 100;

/// Of larger texts the renderer gets only the lines around a diagnostic, because it reads all that it gets.
const SMALL_TEXT: usize = 1 << 16;

/// Paths and texts of files for display: control characters are replaced.
type Files<'s> = BTreeMap<FileId, (Cow<'s, str>, Cow<'s, str>)>;

/// Diagnostics with their lines, one after the other.
pub fn render(diagnostics: &[Diagnostic], sources: &Sources, color: bool) -> String {
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let renderer = renderer.decor_style(DecorStyle::Ascii);
    let mut shown = BTreeMap::new();
    for file in
        diagnostics.iter().take(MOST_TOLD).flat_map(|diagnostic| &diagnostic.labels).map(|label| label.span.file)
    {
        let Some(source) = sources.get(file) else { continue };
        shown.entry(file).or_insert_with(|| (one_line(&source.path), same_length(&source.text)));
    }
    let told = diagnostics.iter().take(MOST_TOLD);
    let mut texts: Vec<String> = told.map(|diagnostic| one(diagnostic, &shown, &renderer)).collect();
    if let Some(more) = diagnostics.len().checked_sub(MOST_TOLD + 1) {
        texts.push(format!("and {} more", with_commas(more + 1)));
    }
    texts.join("\n\n")
}

/// The first of several mistakes in one line, printed last: a reader who starts at the end sees where to begin.
pub fn first_cause(diagnostics: &[Diagnostic], sources: &Sources) -> Option<String> {
    let first = diagnostics.iter().find(|found| found.is_error()).or(diagnostics.first())?;
    let (path, line, column) = sources.position(first.labels.first()?.span);
    let severity = first.severity.word();
    (diagnostics.len() > 1)
        .then(|| format!("begin with {path}:{line}:{column}: {severity}[{}]: {}", first.code, first.headline()))
}

fn one(diagnostic: &Diagnostic, shown: &Files<'_>, renderer: &Renderer) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut group = Group::with_title(level.primary_title(diagnostic.headline()).id(diagnostic.code.name()));
    let main = diagnostic.labels.first();
    for (file, labels) in by_file(&diagnostic.labels) {
        let Some((path, whole)) = shown.get(&file) else { continue };
        if whole.is_empty() {
            group = group.element(Origin::path(&**path));
            continue;
        }
        let (text, skipped, first_line) = part_about(whole, &labels);
        let annotations = labels.into_iter().map(|label| {
            let kind = if main.is_some_and(|main| std::ptr::eq(main, label)) {
                AnnotationKind::Primary
            } else {
                AnnotationKind::Context
            };
            let Range { start, end } = range(label, whole);
            let annotation = kind.span(start - skipped..end - skipped);
            if label.text.is_empty() { annotation } else { annotation.label(label.text.as_str()) }
        });
        group = group.element(Snippet::source(text).line_start(first_line).path(&**path).annotations(annotations));
    }
    if diagnostic.confidence == Confidence::Likely {
        group = group.element(Level::NOTE.message("likely: something that cannot be seen here may make it right"));
    }
    if let Some(help) = &diagnostic.help {
        group = group.element(Level::HELP.message(help.as_str()));
    }
    renderer.render(&[group])
}

/// Labels by file, the file of the main place first.
fn by_file(labels: &[Label]) -> Vec<(FileId, Vec<&Label>)> {
    let mut order: BTreeMap<FileId, usize> = BTreeMap::new();
    let mut files: Vec<(FileId, Vec<&Label>)> = Vec::new();
    for label in labels {
        let index = *order.entry(label.span.file).or_insert_with(|| {
            files.push((label.span.file, Vec::new()));
            files.len() - 1
        });
        files[index].1.push(label);
    }
    files
}

/// The lines of a large text around some labels, the number of bytes before them, and the number of the first line.
fn part_about<'t>(text: &'t str, labels: &[&Label]) -> (&'t str, usize, usize) {
    let ranges = || labels.iter().map(|label| range(label, text));
    let (Some(start), Some(end)) = (ranges().map(|at| at.start).min(), ranges().map(|at| at.end).max()) else {
        return (text, 0, 1);
    };
    if text.len() <= SMALL_TEXT {
        return (text, 0, 1);
    }
    let start = text[..start].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[end..].find('\n').map_or(text.len(), |newline| end + newline + 1);
    (&text[start..end], start, text[..start].matches('\n').count() + 1)
}

/// A range inside the text, on the borders of characters.
fn range(label: &Label, text: &str) -> Range<usize> {
    let floor = |at: u32| {
        let mut at = (at as usize).min(text.len());
        while !text.is_char_boundary(at) {
            at -= 1;
        }
        at
    };
    let start = floor(label.span.start);
    start..floor(label.span.end).max(start)
}
