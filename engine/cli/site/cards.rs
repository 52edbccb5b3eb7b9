//! The page of the cards and all other pieces: each as a card, with everything about it below.

use std::fmt::Write as _;

use rulepack_model::Value;

use super::Found;
use super::parts::{fields, folded, languages, link, mark, scenarios, taken, words};
use crate::described::{Described, Describer};
use crate::page::escaped;

/// Colours of kinds: as many as the palette has.
const COLOURS: [&str; 6] = ["one", "two", "three", "four", "five", "six"];

/// Fields that stand elsewhere on the card, or say nothing to players.
const ELSEWHERE: [&str; 10] =
    ["title", "text", "count", "starts_in", "source", "only_in", "made by", "makes", "printing_of", "score"];

/// The longest value that stands on a card.
const LONGEST: usize = 60;

/// The page. Kinds without pieces of their own are left out.
pub fn page(describer: &Describer<'_>, found: &mut Vec<Found>) -> String {
    let definitions = &describer.catalogue().definitions;
    let mut text = String::from("<h1>Cards and other pieces</h1>\n");
    let kinds: Vec<&str> = definitions.of("kind").map(|(kind, _)| kind).collect();
    let has_pieces = |kind: &&&str| definitions.of(kind).next().is_some();
    text.push_str("<p class=\"jump\">");
    for kind in kinds.iter().filter(has_pieces) {
        let _ = write!(text, "{} ", link("", &format!("of-{kind}"), kind));
    }
    text.push_str("</p>\n");
    for (index, kind) in kinds.iter().filter(has_pieces).enumerate() {
        let colour = COLOURS.get(index % COLOURS.len()).copied().unwrap_or("one");
        let count = definitions.of(kind).count();
        let _ = write!(
            text,
            "<section id=\"{}\" style=\"--kind:var(--{colour})\">\n<h2>{} <small>{count}</small></h2>\n<div class=\"cards\">\n",
            mark(&format!("of-{kind}")),
            link("reference.html", &format!("kind.{kind}"), &describer.titles.called(kind))
        );
        for (id, _) in definitions.of(kind) {
            let path = format!("{kind}.{id}");
            let Some(described) = describer.describe(&path) else { continue };
            card(describer, &mut text, kind, id, &described);
            let (title, below) = first(&described, id);
            found.push(Found {
                what: kind.to_string(),
                id: id.to_string(),
                title,
                text: below,
                place: format!("cards.html#{}", mark(&path)),
            });
        }
        text.push_str("</div>\n</section>\n");
    }
    text
}

/// Title and text in the first language.
pub fn first(described: &Described<'_>, id: &str) -> (String, String) {
    match described.seen.first() {
        Some(seen) => (seen.title.clone(), seen.text.clone().unwrap_or_default()),
        None => (id.replace('_', " "), String::new()),
    }
}

/// A value for players: a name by its title.
fn plain(describer: &Describer<'_>, value: &str) -> String {
    match value.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        Some(text) if text.chars().all(|letter| letter.is_alphanumeric() || letter == '_') => {
            describer.titles.name(text)
        }
        Some(text) => text.to_string(),
        None => value.to_string(),
    }
}

fn card(describer: &Describer<'_>, text: &mut String, kind: &str, id: &str, described: &Described<'_>) {
    let path = format!("{kind}.{id}");
    let (title, below) = first(described, id);
    let node = describer.catalogue().definitions.get(kind, id);
    let value = |key: &str| node.and_then(|node| node.below(key));
    let count = match value("count").map(|node| &node.value) {
        Some(Value::Int(count)) => format!("×{count}"),
        Some(Value::Table(of)) => match of.get("per_player").and_then(|count| count.as_int()) {
            Some(count) => format!("×{count} each"),
            None => "×n".to_string(),
        },
        Some(Value::Str(_)) => "×n".to_string(),
        Some(Value::Float(_) | Value::Bool(_) | Value::Date(_) | Value::List(_)) | None => String::new(),
    };
    let count = format!("<span class=\"count\">{count}</span>");
    let _ = write!(
        text,
        "<article id=\"{}\">\n<div class=\"card\"><header><h3>{}</h3>{count}</header>\n",
        mark(&path),
        escaped(&title)
    );
    let said = |field: &str| described.words.iter().find(|part| part.field == field);
    text.push_str("<ul class=\"chips\">");
    for field in &described.fields {
        let key = field.key.as_str();
        let head = key.split('.').next().unwrap_or(key);
        if ELSEWHERE.contains(&head) || ["on", "reacts", "replaces", "modifies", "printing"].contains(&head) {
            continue;
        }
        let shown = match said(key) {
            // Effects are sentences; they stand below.
            Some(part) if part.words.ends_with('.') => continue,
            Some(part) => part.words.clone(),
            None => plain(describer, field.now.value.as_deref().unwrap_or_default()),
        };
        if shown.chars().count() > LONGEST {
            continue;
        }
        let key = escaped(&key.replace('_', " "));
        let _ = match shown.as_str() {
            // Yes-or-no: the name says it.
            "false" => Ok(()),
            "true" => write!(text, "<li>{key}</li>"),
            "" => write!(text, "<li><span>{key}</span> –</li>"),
            shown => write!(text, "<li><span>{key}</span> {}</li>", escaped(shown)),
        };
    }
    text.push_str("</ul>\n");
    if !below.is_empty() {
        let _ = writeln!(text, "<p>{}</p>", escaped(&below));
    }
    let sentences: Vec<&str> =
        described.words.iter().filter(|part| part.words.ends_with('.')).map(|part| part.words.as_str()).collect();
    if below.is_empty() {
        for sentence in &sentences {
            let _ = writeln!(text, "<p>{}</p>", escaped(sentence));
        }
    }
    if let Some(score) = value("score") {
        let points = said("score").map(|part| part.words.clone());
        let points = points.or_else(|| score.as_str().map(str::to_string)).unwrap_or_default();
        let _ = writeln!(text, "<footer>{}</footer>", escaped(&format!("Points: {points}")));
    }
    let _ = writeln!(text, "</div>\n<p class=\"under\"><code>{}</code></p>", escaped(&path));
    text.push_str(&folded("In words", &words(described)));
    text.push_str(&folded("Fields and where they stand", &fields(described)));
    text.push_str(&folded("Languages", &languages(described)));
    text.push_str(&folded(&format!("Scenarios ({})", described.scenarios.len()), &scenarios(described)));
    text.push_str(&folded("In the simulation", &taken(described)));
    text.push_str("</article>\n");
}
