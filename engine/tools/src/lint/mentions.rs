//! Which names the texts of packs mention. A name that occurs only in its own definition is unused.
//!
//! Words are compared, not meanings. A name that occurs as a word elsewhere counts as used, so that no used name is
//! reported.

use std::collections::{BTreeMap, BTreeSet};

use rulepack_model::{Node, Sources, Table, Value};
use rulepack_pack::PackSource;

/// Words and the definitions that mention them.
#[derive(Debug, Default)]
pub(super) struct Mentions {
    /// Words in texts, with up to two of the definitions that contain them.
    in_texts: BTreeMap<String, BTreeSet<String>>,
    /// The same for the keys of definitions.
    in_keys: BTreeMap<String, BTreeSet<String>>,
    /// Words in scripts.
    in_scripts: BTreeSet<String>,
}

/// Definitions that only list or show others.
const LISTS: [&str; 3] = ["rule", "example", "component"];
/// Keys whose texts are for people.
const FOR_PEOPLE: [&str; 5] = ["title", "text", "source", "note", "about"];

impl Mentions {
    /// Adds all texts of a pack.
    pub(super) fn add(&mut self, pack: &PackSource, sources: &Sources) {
        for (_, table) in &pack.files {
            for (kind, entry) in table.iter().filter(|(kind, _)| !LISTS.contains(kind)) {
                let Some(definitions) = entry.node.as_table() else { continue };
                for (id, definition) in definitions.iter() {
                    self.node(&format!("{kind}.{id}"), &definition.node);
                    if matches!(kind, "patch" | "game") {
                        note(&mut self.in_keys, id, &format!("{kind}.{id}"));
                    }
                }
            }
        }
        for file in pack.scripts.values() {
            let text = sources.get(*file).map_or("", |source| &source.text);
            self.in_scripts.extend(words(text).map(str::to_string));
        }
    }

    fn node(&mut self, path: &str, node: &Node) {
        match &node.value {
            Value::Str(text) => words(text).for_each(|word| note(&mut self.in_texts, word, path)),
            Value::List(items) => items.iter().for_each(|item| self.node(path, item)),
            Value::Table(table) => self.table(path, table),
            _ => {}
        }
    }

    fn table(&mut self, path: &str, table: &Table) {
        for (key, entry) in table.iter().filter(|(key, _)| !FOR_PEOPLE.contains(key)) {
            note(&mut self.in_keys, key, path);
            self.node(path, &entry.node);
        }
    }

    /// Whether a script has the word.
    pub(super) fn in_scripts(&self, word: &str) -> bool {
        self.in_scripts.contains(word)
    }

    /// Whether there is any script.
    pub(super) fn has_scripts(&self) -> bool {
        !self.in_scripts.is_empty()
    }

    /// Whether another definition or a script has the word in a text.
    pub(super) fn in_text_elsewhere(&self, word: &str, path: &str) -> bool {
        elsewhere(&self.in_texts, word, path) || self.in_scripts(word)
    }

    /// Whether another definition or a script has the word in a text or as a key.
    pub(super) fn elsewhere(&self, word: &str, path: &str) -> bool {
        self.in_text_elsewhere(word, path) || elsewhere(&self.in_keys, word, path)
    }

    /// Whether any text or script has the word, also one of the definition itself.
    pub(super) fn in_any_text(&self, word: &str) -> bool {
        self.in_texts.contains_key(word) || self.in_scripts(word)
    }
}

fn elsewhere(words: &BTreeMap<String, BTreeSet<String>>, word: &str, path: &str) -> bool {
    words.get(word).is_some_and(|paths| paths.iter().any(|known| known != path))
}

/// Two definitions are enough to know that another one than the asking one contains the word.
fn note(words: &mut BTreeMap<String, BTreeSet<String>>, word: &str, path: &str) {
    if !words.contains_key(word) {
        words.insert(word.to_string(), BTreeSet::new());
    }
    if let Some(paths) = words.get_mut(word).filter(|paths| paths.len() < 2) {
        paths.insert(path.to_string());
    }
}

/// Names in a text: lower-case letters, digits and `_`.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    text.split(move |c| !is_part(c)).filter(|word| word.starts_with(|c: char| c.is_ascii_lowercase()))
}
