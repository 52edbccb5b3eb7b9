//! Which scenarios name a definition, and which rules these scenarios show.

use std::collections::BTreeSet;

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
    /// All words in it, except those of its sentences.
    #[serde(skip)]
    words: BTreeSet<String>,
}

impl Touching {
    /// Whether the scenario names an id.
    pub fn names(&self, id: &str) -> bool {
        self.words.contains(id)
    }
}

/// All scenarios of some packs, by path.
pub fn all_scenarios(library: &Library, packs: &[String]) -> Vec<Touching> {
    let mut found = Vec::new();
    for pack in packs {
        for scenario in library.scenario_files(pack, all_threads()) {
            let Some(file) = scenario.file else { continue };
            let sources = library.sources();
            let Some(source) = sources.get(file) else { continue };
            let about = scenario.table.get("about").and_then(|about| about.as_str()).unwrap_or_default();
            let (mut covers, mut words) = (Vec::new(), BTreeSet::new());
            rules_of(&scenario.table, &mut covers);
            words_of(&scenario.table, &mut words);
            found.push(Touching { path: source.path.to_string(), about: about.to_string(), covers, words });
        }
    }
    found
}

/// The scenarios of some packs that name an id, by path.
pub fn scenarios_with(library: &Library, packs: &[String], id: &str) -> Vec<Touching> {
    let mut all = all_scenarios(library, packs);
    all.retain(|scenario| scenario.names(id));
    all
}

fn words_of(table: &Table, out: &mut BTreeSet<String>) {
    for (key, entry) in table.iter().filter(|(key, _)| *key != "about") {
        add_words(key, out);
        words_in(&entry.node, out);
    }
}

fn words_in(node: &Node, out: &mut BTreeSet<String>) {
    match &node.value {
        Value::Str(text) => add_words(text, out),
        Value::List(items) => items.iter().for_each(|item| words_in(item, out)),
        Value::Table(table) => words_of(table, out),
        Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Date(_) => {}
    }
}

fn add_words(text: &str, out: &mut BTreeSet<String>) {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    out.extend(words.filter(|word| !word.is_empty()).map(str::to_string));
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
