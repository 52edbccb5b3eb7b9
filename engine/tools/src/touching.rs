//! Which scenarios name a definition, and which rules these scenarios show.

use rulepack_model::{Node, Table, Value, all_threads};
use serde::Serialize;

use crate::load::Library;

/// A scenario that names a definition.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Touching {
    /// The file.
    pub path: String,
    /// What it shows.
    pub about: String,
    /// The rules that it covers.
    pub covers: Vec<String>,
}

/// The scenarios of some packs that name an id, by path.
pub fn scenarios_with(library: &Library, packs: &[String], id: &str) -> Vec<Touching> {
    let mut found = Vec::new();
    for pack in packs {
        for scenario in library.scenario_files(pack, all_threads()) {
            let Some(file) = scenario.file.filter(|_| table_names(&scenario.table, id)) else { continue };
            let sources = library.sources();
            let Some(source) = sources.get(file) else { continue };
            let about = scenario.table.get("about").and_then(|about| about.as_str()).unwrap_or_default();
            let mut covers = Vec::new();
            rules_of(&scenario.table, &mut covers);
            found.push(Touching { path: source.path.to_string(), about: about.to_string(), covers });
        }
    }
    found
}

fn table_names(table: &Table, id: &str) -> bool {
    table.iter().any(|(key, entry)| key != "about" && (has_word(key, id) || names(&entry.node, id)))
}

fn names(node: &Node, id: &str) -> bool {
    match &node.value {
        Value::Str(text) => has_word(text, id),
        Value::List(items) => items.iter().any(|item| names(item, id)),
        Value::Table(table) => table_names(table, id),
        Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Date(_) => false,
    }
}

fn has_word(text: &str, id: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|word| word == id)
}

/// The rules that a scenario and its cases cover.
fn rules_of(table: &Table, out: &mut Vec<String>) {
    let listed = table.get("covers").and_then(|covers| covers.as_list());
    for rule in listed.into_iter().flatten().filter_map(|rule| rule.as_str()) {
        if !out.iter().any(|known| known == rule) {
            out.push(rule.to_string());
        }
    }
    let cases = table.get("case").and_then(|cases| cases.as_list());
    for case in cases.into_iter().flatten().filter_map(|case| case.as_table()) {
        rules_of(case, out);
    }
}
