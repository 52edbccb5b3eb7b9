//! The place of a mistake of a script: the line of the script, and the definition that calls it.

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

use rulepack_model::{Code, Diagnostic, FileId, Label, Sources, Span};
use rulepack_pack::Definitions;
use rulepack_script::{ScriptError, ScriptErrorKind};

use crate::load::GameBox;

/// The finding for a mistake of a script that shows before any game begins.
pub(crate) fn script_mistake(error: &ScriptError, game_box: &GameBox, sources: &Sources) -> Diagnostic {
    let code = match error.kind {
        ScriptErrorKind::Syntax => Code::ScriptSyntax,
        ScriptErrorKind::MissingFunction { .. } => Code::MissingScript,
        ScriptErrorKind::Load => Code::ScriptFault,
        ScriptErrorKind::Outside => Code::OutsideLibrary,
    };
    let diagnostic = Diagnostic::error(code, error.message.clone()).maybe_help(error.help.clone());
    if let ScriptErrorKind::MissingFunction { hook } = error.kind
        && let Some(hook) = game_box.rules().hooks.get(hook.index())
        && let Some(span) = definition(&game_box.catalogue().definitions, &hook.bound_at)
    {
        return diagnostic.at(span);
    }
    diagnostic.at(match error.file {
        Some(file) => line_span(sources, file, error.line as usize),
        None => game_box.catalogue().manifest,
    })
}

/// The finding for a failure during a game, at the place that its message names.
pub(crate) fn fault_mistake(message: &str, game_box: &GameBox, sources: &Sources) -> Diagnostic {
    let code = if script_line(message).is_some() { Code::ScriptFault } else { Code::GameFault };
    let labels = fault_places(message, &game_box.catalogue().definitions, sources);
    Diagnostic::error(code, message).at_all(labels, game_box.catalogue().manifest)
}

/// The places that the message of a fault names; none if it names no place.
pub(crate) fn fault_places(message: &str, definitions: &Definitions, sources: &Sources) -> Vec<Label> {
    let mut labels = Vec::new();
    if let Some((path, line)) = script_line(message)
        && let Some((file, _)) = sources.iter().filter(|(_, source)| source.path == path).last()
    {
        labels.push(Label { span: line_span(sources, file, line), text: String::new() });
    }
    if let Some(span) = step_of(message, sources) {
        labels.push(Label { span, text: String::new() });
    } else if let Some(span) = bound_at(message, definitions) {
        let text = if labels.is_empty() { "" } else { "called from here" };
        labels.push(Label { span, text: text.to_string() });
    }
    labels
}

/// The finding for a leak, from the message about it.
pub(crate) fn leak_mistake(message: &str, game_box: &GameBox, sources: &Sources) -> Diagnostic {
    let labels = fault_places(message, &game_box.catalogue().definitions, sources);
    Diagnostic::warning(Code::Leak, message).at_all(labels, game_box.catalogue().manifest).help(
        "if the rules reveal this on purpose, declare it with `disclose`; otherwise it must not depend on hidden pieces",
    )
}

/// The `path.lua:line` in the message of a fault.
fn script_line(message: &str) -> Option<(&str, usize)> {
    let end = message.find(".lua:")?.checked_add(".lua".len())?;
    let (path, rest) = message.split_at_checked(end)?;
    let path = path.rsplit(['(', ' ']).next()?;
    let line: String = rest.chars().skip(1).take_while(char::is_ascii_digit).collect();
    Some((path, line.parse().ok()?))
}

/// The step that a message names at its end: `(in action.buy effect, content/inn/pack.toml:12:8)`.
fn step_of(message: &str, sources: &Sources) -> Option<Span> {
    let (_, place) = message.rsplit_once('(')?.1.strip_suffix(')')?.strip_prefix("in ")?.split_once(", ")?;
    step_at(place, sources)
}

/// The step at `path:line:column`.
pub(crate) fn step_at(place: &str, sources: &Sources) -> Option<Span> {
    let mut parts = place.rsplitn(3, ':');
    let (column, line) = (parts.next()?.parse::<usize>().ok()?, parts.next()?.parse().ok()?);
    let path = parts.next()?;
    let (file, source) = sources.iter().filter(|(_, source)| source.path == path).last()?;
    let span = line_span(sources, file, line);
    let begins = source.text.get(..span.start as usize)?.rfind('\n').map_or(0, |at| at.saturating_add(1));
    let text = source.text.get(begins..span.end as usize)?;
    let at = text.char_indices().nth(column.checked_sub(1)?).map_or(text.len(), |(at, _)| at);
    // Up to the end of the step, as far as it can be found.
    let rest = text.get(at..)?;
    let length = rest.find([';', '"', '{']).unwrap_or(rest.len()).max(1).min(rest.len());
    let start = begins.saturating_add(at);
    Some(Span::new(file, start, start.saturating_add(rest.get(..length)?.trim_end().len())))
}

/// The definition that a message names at its end, in brackets.
fn bound_at(message: &str, definitions: &Definitions) -> Option<Span> {
    let inside = message.rsplit_once('(')?.1.strip_suffix(')')?;
    let origin = inside.rsplit_once("called from ").map(|(_, origin)| origin).or(inside.strip_prefix("in "))?;
    let origin = origin.split_once(", ").map_or(origin, |(origin, _)| origin);
    definition(definitions, origin)
}

/// The place of `kind.id key`.
fn definition(definitions: &Definitions, origin: &str) -> Option<Span> {
    let (path, key) = origin.split_once(' ').unwrap_or((origin, ""));
    let (kind, id) = path.split_once('.')?;
    let mut node = definitions.get(kind, id)?;
    for part in key.split('.').filter(|part| !part.is_empty()) {
        match node.below(part) {
            Some(inner) => node = inner,
            None => break,
        }
    }
    Some(node.span)
}

/// The place of a line, counted from 1.
fn line_span(sources: &Sources, file: FileId, line: usize) -> Span {
    let Some(source) = sources.get(file) else { return Span::top(file) };
    let mut start = 0_usize;
    for (number, text) in (1..).zip(source.text.split_inclusive('\n')) {
        if number == line {
            let indent = text.len().saturating_sub(text.trim_start().len());
            let end = text.trim_end().len().max(indent);
            return Span::new(file, start.saturating_add(indent), start.saturating_add(end));
        }
        start = start.saturating_add(text.len());
    }
    Span::top(file)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_line_of_a_fault() {
        assert_eq!(script_line("no coin (scripts/x/a.lua:12, called from card.inn)"), Some(("scripts/x/a.lua", 12)));
        assert_eq!(script_line("nothing to choose from"), None);
    }
}
