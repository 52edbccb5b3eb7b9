//! Parts of pages that cards and other definitions share: fields with their places, scenarios, languages.

use std::fmt::Write as _;

use crate::described::Described;
use crate::origin::Stand;
use crate::page::escaped;

/// The mark of a definition on its page.
pub fn mark(definition: &str) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() || ".-_".contains(letter) { letter } else { '_' };
    definition.chars().map(plain).collect()
}

/// A link to a definition.
pub fn link(page: &str, definition: &str, words: &str) -> String {
    format!("<a href=\"{page}#{}\">{}</a>", mark(definition), escaped(words))
}

/// The fields with the place of each, and the values that patches have replaced.
pub fn fields(described: &Described<'_>) -> String {
    let mut text = String::from("<table class=\"fields\"><tbody>");
    for field in &described.fields {
        row(&mut text, &field.key, &field.now, "");
        field.below.iter().for_each(|below| row(&mut text, "", below, " class=\"replaced\""));
    }
    text.push_str("</tbody></table>\n");
    text
}

fn row(text: &mut String, key: &str, stand: &Stand, class: &str) {
    let Stand { value, pack, path, line, patched_by } = stand;
    let value = value.as_deref().unwrap_or("(nothing)");
    let by = match patched_by {
        Some(by) => by.mode.as_ref().map_or(", patched".to_string(), |mode| format!(", patched by its mode {mode}")),
        None => String::new(),
    };
    let _ = write!(
        text,
        "<tr{class}><th scope=\"row\">{}</th><td><code>{}</code><span class=\"source\">{}:{line} ({}{})</span></td></tr>",
        escaped(key),
        escaped(value),
        escaped(path),
        escaped(pack),
        escaped(&by)
    );
}

/// Texts of the expression language in sentences.
pub fn words(described: &Described<'_>) -> String {
    let mut text = String::new();
    if described.words.is_empty() {
        return text;
    }
    text.push_str("<dl class=\"words\">");
    for part in &described.words {
        let _ = write!(text, "<dt>{}</dt><dd>{}</dd>", escaped(&part.field), escaped(&part.words));
    }
    text.push_str("</dl>\n");
    text
}

/// The definition in every language.
pub fn languages(described: &Described<'_>) -> String {
    let mut text = String::new();
    if described.seen.len() < 2 {
        return text;
    }
    text.push_str("<dl class=\"words\">");
    for seen in &described.seen {
        let below = seen.text.as_deref().map_or(String::new(), |text| format!(": {text}"));
        let words = format!("{}{below}", seen.title);
        let language = escaped(&seen.language);
        let _ = write!(text, "<dt>{language}</dt><dd lang=\"{language}\">{}</dd>", escaped(&words));
    }
    text.push_str("</dl>\n");
    text
}

/// The scenarios that name it, with links to the rules that they cover.
pub fn scenarios(described: &Described<'_>) -> String {
    if described.scenarios.is_empty() {
        return "<p class=\"faint\">No scenario names it.</p>\n".to_string();
    }
    let mut text = String::from("<ul class=\"plain\">");
    for scenario in &described.scenarios {
        let _ =
            write!(text, "<li>{} <span class=\"source\">{}</span>", escaped(&scenario.about), escaped(&scenario.path));
        for rule in &scenario.covers {
            let _ = write!(text, " {}", link("rules.html", &format!("rule.{rule}"), rule));
        }
        text.push_str("</li>");
    }
    text.push_str("</ul>\n");
    text
}

/// How often it was taken in the simulation, if one was given.
pub fn taken(described: &Described<'_>) -> String {
    let Some(taken) = &described.taken else { return String::new() };
    if taken.is_empty() {
        return "<p class=\"faint\">In the simulation it was never offered.</p>\n".to_string();
    }
    let mut text = String::from("<ul class=\"plain\">");
    for taken in taken {
        let _ = write!(text, "<li>{}</li>", escaped(&taken.text()));
    }
    text.push_str("</ul>\n");
    text
}

/// Something that is folded away, unless it is empty.
pub fn folded(summary: &str, inner: &str) -> String {
    if inner.is_empty() {
        return String::new();
    }
    format!("<details><summary>{}</summary>\n{inner}</details>\n", escaped(summary))
}
