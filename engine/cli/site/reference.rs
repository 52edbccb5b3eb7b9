//! The page of all definitions but pieces and rules: kinds, resources, zones, events and who listens, values, phases, modes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use rulepack_model::{Node, Table, Value};
use rulepack_pack::Definitions;

use super::Found;
use super::parts::{fields, folded, languages, link, mark, scenarios, taken, words};
use crate::described::Describer;
use crate::overview::Section;
use crate::page::escaped;

/// The most definitions that are listed as naming another one.
const MOST_NAMING: usize = 40;

/// The page.
pub fn page(describer: &Describer<'_>, sections: &[Section], found: &mut Vec<Found>) -> String {
    let naming = naming(&describer.catalogue().definitions);
    let mut text = String::from("<h1>Definitions</h1>\n<p class=\"jump\">");
    let shown = || sections.iter().filter(|section| section.of != "rule");
    for section in shown() {
        let _ = write!(text, "{} ", link("", &format!("of-{}", section.of), section.title));
    }
    text.push_str("</p>\n");
    for section in shown() {
        let _ = writeln!(
            text,
            "<section id=\"{}\">\n<h2>{}</h2>",
            mark(&format!("of-{}", section.of)),
            escaped(section.title)
        );
        for entry in &section.entries {
            let path = format!("{}.{}", section.of, entry.id);
            let title = entry.title.clone().unwrap_or_default();
            let _ = write!(
                text,
                "<article class=\"entry\" id=\"{}\">\n<h3><code>{}</code> {}</h3>\n",
                mark(&path),
                escaped(&entry.id),
                escaped(&title)
            );
            if !entry.about.is_empty() {
                let _ = writeln!(text, "<p>{}</p>", escaped(&entry.about));
            }
            let place = format!("{}:{} ({})", entry.path, entry.line, entry.pack);
            let _ = writeln!(text, "<p class=\"source\">{}</p>", escaped(&place));
            if let Some(described) = describer.describe(&path) {
                text.push_str(&folded("In words", &words(&described)));
                text.push_str(&folded("Fields and where they stand", &fields(&described)));
                text.push_str(&folded("Named by", &named_by(&naming, &path, &entry.id)));
                text.push_str(&folded("Languages", &languages(&described)));
                text.push_str(&folded(&format!("Scenarios ({})", described.scenarios.len()), &scenarios(&described)));
                if section.of == "action" {
                    text.push_str(&folded("In the simulation", &taken(&described)));
                }
            }
            text.push_str("</article>\n");
            found.push(Found {
                what: section.of.to_string(),
                id: entry.id.clone(),
                title,
                text: entry.about.clone(),
                place: format!("reference.html#{}", mark(&path)),
            });
        }
        text.push_str("</section>\n");
    }
    text
}

/// Word to the definitions in whose fields it stands.
fn naming(definitions: &Definitions) -> BTreeMap<String, BTreeSet<String>> {
    let mut all: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for (kind, table) in &definitions.kinds {
        // What has a place on one of the pages.
        if kind == "rule" || !(crate::overview::is_sort(kind) || definitions.get("kind", kind).is_some()) {
            continue;
        }
        for (id, entry) in table.iter() {
            let mut words = BTreeSet::new();
            collect(&entry.node, &mut words);
            for word in words {
                all.entry(word).or_default().insert(format!("{kind}.{id}"));
            }
        }
    }
    all
}

fn collect(node: &Node, out: &mut BTreeSet<String>) {
    match &node.value {
        Value::Str(text) => split(text, out),
        Value::List(items) => items.iter().for_each(|item| collect(item, out)),
        Value::Table(table) => table_words(table, out),
        Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Date(_) => {}
    }
}

/// Titles and texts are for people: what they name is no name.
fn table_words(table: &Table, out: &mut BTreeSet<String>) {
    for (key, entry) in table.iter().filter(|(key, _)| *key != "title" && *key != "text") {
        split(key, out);
        collect(&entry.node, out);
    }
}

fn split(text: &str, out: &mut BTreeSet<String>) {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    out.extend(words.filter(|word| !word.is_empty()).map(str::to_string));
}

fn named_by(naming: &BTreeMap<String, BTreeSet<String>>, path: &str, id: &str) -> String {
    let Some(who) = naming.get(id) else { return String::new() };
    let who: Vec<&String> = who.iter().filter(|other| *other != path).collect();
    if who.is_empty() {
        return String::new();
    }
    let mut text = String::from("<ul class=\"names\">");
    for other in who.iter().take(MOST_NAMING) {
        let kind = other.split_once('.').map_or("", |(kind, _)| kind);
        let page = if crate::overview::is_sort(kind) { "reference.html" } else { "cards.html" };
        let _ = write!(text, "<li>{}</li>", link(page, other, other));
    }
    if let Some(more) = who.len().checked_sub(MOST_NAMING).filter(|more| *more > 0) {
        let _ = write!(text, "<li>and {more} more</li>");
    }
    text.push_str("</ul>\n");
    text
}
