//! Warnings that a file allows by a comment: `# rulepack-allow: CODE reason` in TOML, `-- rulepack-allow: CODE reason`
//! in Lua.
//!
//! The comment is at the end of the line that it covers, or alone above it; above a value of several lines it covers
//! all of them. Only warnings can be allowed.

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

use rulepack_model::{Code, Diagnostic, FileId, Node, Sources, Span, Table, Value, did_you_mean};
use rulepack_pack::PackSource;

const MARK: &str = "rulepack-allow:";

/// A comment that allows a warning.
#[derive(Debug)]
struct Allow {
    file: FileId,
    code: Code,
    /// First and last line, counted from 1.
    lines: (usize, usize),
    at: Span,
    used: bool,
}

/// The findings about a pack that are not allowed, and the mistakes in the comments themselves. An unneeded comment is
/// reported only if everything was `looked_at`. A comment that matches a finding that another pack has `answered` is
/// needed where that pack is absent.
pub(crate) fn apply_allows(
    found: Vec<Diagnostic>,
    answered: &[Diagnostic],
    pack: &PackSource,
    sources: &Sources,
    looked_at: bool,
) -> (Vec<Diagnostic>, usize) {
    let mut mistakes = Vec::new();
    let mut allows = Vec::new();
    for (file, table) in &pack.files {
        read(*file, "#", Some(table), sources, &mut allows, &mut mistakes);
    }
    for (file, table) in pack.locales.values() {
        read(*file, "#", Some(table), sources, &mut allows, &mut mistakes);
    }
    for file in pack.scripts.values() {
        read(*file, "--", None, sources, &mut allows, &mut mistakes);
    }
    let before = found.len();
    let mut left: Vec<Diagnostic> =
        found.into_iter().filter(|found| !is_allowed(found, &mut allows, sources)).collect();
    let allowed = before.saturating_sub(left.len());
    for answered in answered {
        is_allowed(answered, &mut allows, sources);
    }
    left.extend(mistakes);
    for allow in allows.iter().filter(|allow| looked_at && !allow.used) {
        let message = format!("nothing of the kind `{}` is found here", allow.code);
        left.push(Diagnostic::warning(Code::UnusedAllow, message).at(allow.at).help("remove the comment"));
    }
    (left, allowed)
}

fn is_allowed(found: &Diagnostic, allows: &mut [Allow], sources: &Sources) -> bool {
    let Some(main) = found.labels.first().filter(|_| !found.is_error()) else { return false };
    let (_, line, _) = sources.position(main.span);
    let fits = |allow: &&mut Allow| {
        allow.file == main.span.file && allow.code == found.code && (allow.lines.0..=allow.lines.1).contains(&line)
    };
    match allows.iter_mut().find(fits) {
        Some(allow) => {
            allow.used = true;
            true
        }
        None => false,
    }
}

/// Finds the comments of a file.
fn read(
    file: FileId,
    comment: &str,
    table: Option<&Table>,
    sources: &Sources,
    allows: &mut Vec<Allow>,
    mistakes: &mut Vec<Diagnostic>,
) {
    let text = sources.get(file).map_or("", |source| source.text.as_str());
    if !text.contains(MARK) {
        return;
    }
    let mut strings = Vec::new();
    table.into_iter().for_each(|table| spans_in(table, &mut strings));
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let mut start = 0_usize;
    for (index, line) in lines.iter().enumerate() {
        let begin = start;
        start = start.saturating_add(line.len());
        let Some((before, said)) = line.split_once(MARK) else { continue };
        let at = begin.saturating_add(before.len())..begin.saturating_add(line.trim_end().len());
        let (at, before) = (Span::new(file, at.start, at.end), before.trim_end());
        // Not in a comment, or in a string that looks like one.
        if !before.ends_with(comment) || strings.iter().any(|text| text.start < at.start && at.start < text.end) {
            continue;
        }
        let stands_alone = before.trim() == comment;
        let (name, reason) = match said.trim().split_once(char::is_whitespace) {
            Some((name, reason)) => (name, reason.trim()),
            None => (said.trim(), ""),
        };
        let Some(code) = Code::named(name) else {
            let help = did_you_mean(name, Code::ALL.iter().map(|code| code.name()));
            let help = help.unwrap_or_else(|| format!("write `{comment} {MARK} CODE reason`"));
            mistakes.push(Diagnostic::warning(Code::BadAllow, format!("there is no code `{name}`")).at(at).help(help));
            continue;
        };
        if reason.is_empty() {
            let message = format!("`{code}` is allowed without a reason");
            let help = format!("say why: `{comment} {MARK} {code} reason`");
            mistakes.push(Diagnostic::warning(Code::BadAllow, message).at(at).help(help));
            continue;
        }
        let is_comment = |line: &&&str| line.trim_start().starts_with(comment);
        let comments = match stands_alone {
            false => 0,
            true => lines.iter().skip(index).take_while(is_comment).count(),
        };
        let first = index.saturating_add(comments).saturating_add(1);
        let last = table.filter(|_| stands_alone).and_then(|table| last_line(table, first, file, sources));
        allows.push(Allow { file, code, lines: (first, last.unwrap_or(first)), at, used: false });
    }
}

/// All texts of a file.
fn spans_in(table: &Table, out: &mut Vec<Span>) {
    for (_, entry) in table.iter() {
        spans_of(&entry.node, out);
    }
}

fn spans_of(node: &Node, out: &mut Vec<Span>) {
    match &node.value {
        Value::Str(_) => out.push(node.span),
        Value::List(items) => items.iter().for_each(|item| spans_of(item, out)),
        Value::Table(table) => spans_in(table, out),
        _ => {}
    }
}

/// The last line of the value whose key stands in a line.
fn last_line(table: &Table, line: usize, file: FileId, sources: &Sources) -> Option<usize> {
    table.iter().find_map(|(_, entry)| {
        let begins_here = entry.key.file == file && sources.position(entry.key).1 == line;
        match &entry.node.value {
            Value::Table(inner) => last_line(inner, line, file, sources),
            _ if begins_here => Some(sources.end(entry.node.span).0),
            _ => None,
        }
    })
}
