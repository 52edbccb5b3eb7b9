//! What a game offers to authors: everything that it declares, in short, with the place of each.

use std::collections::BTreeMap;

use rulepack_model::visible::joined;
use rulepack_model::{Entry, Node, Sources, Table};
use rulepack_pack::{Catalogue, Definitions};
use serde::Serialize;

use crate::origin::shown;

/// One sort of definitions.
#[derive(Serialize)]
pub struct Section {
    /// The word in the header of such a definition: `kind`, `zone`, …
    pub of: &'static str,
    /// What it is called for people.
    #[serde(skip)]
    pub title: &'static str,
    /// The definitions.
    pub entries: Vec<Declared>,
}

/// A definition in short.
#[derive(Serialize)]
pub struct Declared {
    /// Its id.
    pub id: String,
    /// Its title, if it has one.
    pub title: Option<String>,
    /// What must be known to use it.
    pub about: String,
    /// The pack that declares it.
    pub pack: String,
    /// The file.
    pub path: String,
    /// The line.
    pub line: usize,
}

/// The sorts in the order in which authors ask for them.
const SORTS: [(&str, &str); 16] = [
    ("kind", "kinds and their attributes"),
    ("resource", "resources"),
    ("group", "groups of resources"),
    ("symbol", "symbols"),
    ("zone", "zones"),
    ("var", "variables"),
    ("value", "values"),
    ("set", "sets"),
    ("event", "events, with their arguments and who listens"),
    ("action", "actions"),
    ("phase", "phases"),
    ("prompt", "prompts"),
    ("standing", "standing rules"),
    ("score", "lines of the score"),
    ("mode", "modes and editions"),
    ("rule", "rules"),
];

/// The hooks of pieces.
const HOOKS: [&str; 4] = ["on", "reacts", "replaces", "modifies"];

/// Whether a word in a header is one of the sorts, and no kind of pieces.
pub fn is_sort(word: &str) -> bool {
    SORTS.iter().any(|(of, _)| *of == word)
}

/// Everything that a game declares.
pub fn overview(catalogue: &Catalogue, sources: &Sources) -> Vec<Section> {
    let definitions = &catalogue.definitions;
    let listeners = listeners(definitions);
    let section = |(of, title): (&'static str, &'static str)| {
        let declared = |(id, entry): (&str, &Entry)| {
            let (path, line, _) = sources.position(entry.key);
            Declared {
                id: id.to_string(),
                title: entry.node.below("title").and_then(|title| title.as_str()).map(str::to_string),
                about: about(definitions, &listeners, of, id, &entry.node),
                pack: catalogue.pack_of(entry.key).to_string(),
                path,
                line,
            }
        };
        Section { of, title, entries: definitions.of(of).map(declared).collect() }
    };
    SORTS.into_iter().map(section).filter(|section| !section.entries.is_empty()).collect()
}

impl Section {
    /// For people.
    pub fn text(&self) -> String {
        let width = self.entries.iter().map(|entry| entry.id.chars().count()).max().unwrap_or(0);
        let lines = self.entries.iter().map(|entry| {
            let Declared { id, title, about, path, line, .. } = entry;
            let title = title.as_deref().map_or(String::new(), |title| format!("{title:?}"));
            let parts: Vec<&str> = [title.as_str(), about].into_iter().filter(|part| !part.is_empty()).collect();
            format!("  {id:width$}  {}{}{path}:{line}", parts.join("; "), if parts.is_empty() { "" } else { "    " })
        });
        joined(std::iter::once(format!("{} ({})", self.title, self.entries.len())).chain(lines))
    }
}

/// Which types have hooks for an event or change a value.
fn listeners(definitions: &Definitions) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (kind, _) in definitions.of("kind") {
        for (id, entry) in definitions.of(kind) {
            for hook in HOOKS {
                let names = entry.node.below(hook).and_then(|node| node.as_table());
                for (name, _) in names.into_iter().flat_map(Table::iter) {
                    all.entry(name.to_string()).or_default().push(id.to_string());
                }
            }
        }
    }
    all
}

/// What must be known of a definition to use it.
fn about(
    definitions: &Definitions,
    listeners: &BTreeMap<String, Vec<String>>,
    of: &str,
    id: &str,
    node: &Node,
) -> String {
    let mut parts: Vec<String> = Vec::new();
    for key in keys_of(of) {
        match node.below(key) {
            Some(value) if *key == "attributes" || *key == "args" || *key == "param" => {
                let table = value.as_table().into_iter().flat_map(Table::iter);
                let pairs: Vec<String> = table.map(|(name, entry)| format!("{name}: {}", plain(&entry.node))).collect();
                parts.push(format!("{key} {}", pairs.join(", ")));
            }
            Some(value) => parts.push(format!("{key} {}", plain(value))),
            None => {}
        }
    }
    if of == "kind" {
        match definitions.of(id).count() {
            0 => {}
            1 => parts.push("1 type".to_string()),
            count => parts.push(format!("{count} types")),
        }
    }
    if (of == "event" || of == "value")
        && let Some(who) = listeners.get(id)
    {
        let word = if of == "event" { "heard by" } else { "changed by" };
        parts.push(format!("{word} {}", some_of(who)));
    }
    parts.join("; ")
}

/// The keys that say how a definition is used.
fn keys_of(of: &str) -> &'static [&'static str] {
    match of {
        "kind" => &["of", "attributes", "holds", "keeps", "starts_in", "back"],
        "resource" => &["supply", "start", "kept"],
        "group" => &["of"],
        "zone" => &["owner", "visible", "layout", "refill", "capacity", "reacts", "out_of_game"],
        "var" | "value" => &["of", "type", "track", "scope"],
        "set" => &["args"],
        "event" => &["args", "window"],
        "action" => &["param", "requires", "cost", "free", "limit"],
        "phase" => &["sequence", "turns", "actions", "repeat", "until"],
        "standing" => &["of", "when"],
        "score" => &["points"],
        "mode" => &["abstract", "extends", "players", "needs"],
        "rule" => &["text"],
        _ => &[],
    }
}

/// The longest value that is shown in full.
const LONGEST: usize = 80;

/// A value as it is written, without quotes and line ends, and not too long.
fn plain(node: &Node) -> String {
    let text = match node.as_str() {
        Some(text) => text.split_whitespace().collect::<Vec<_>>().join(" "),
        None => shown(node),
    };
    if text.chars().count() <= LONGEST {
        return text;
    }
    text.chars().take(LONGEST).collect::<String>() + "…"
}

fn some_of(names: &[String]) -> String {
    const MOST: usize = 6;
    let told: Vec<&str> = names.iter().take(MOST).map(String::as_str).collect();
    match names.len().saturating_sub(MOST) {
        0 => told.join(", "),
        more => format!("{} and {more} more", told.join(", ")),
    }
}
