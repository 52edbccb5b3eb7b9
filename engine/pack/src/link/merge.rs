//! Merging packs: all definitions by kind and id.

use std::collections::BTreeMap;
use std::sync::Arc;

use rulepack_expr::{is_function, means_something, name_besides};
use rulepack_model::{Code, Diagnostic, Entry, Node, Span, Table, Value};

use super::each::TypeList;
use super::fields::wrong_type;
use super::lengths::long_name;
use super::look::LOOK;
use super::patch::Layer;
use crate::manifest::MANIFEST_TABLES;

/// The table with the changes that a pack makes in other packs; it defines nothing.
pub(crate) const PATCHES: &str = "patch";

/// All definitions of the packs in use: `kind → id → fields`, every field with its place.
#[derive(Debug, Clone, Default)]
pub struct Definitions {
    /// Kind to definitions.
    pub kinds: BTreeMap<String, Table>,
    /// The place of the kind in the header of a definition.
    pub headers: Arc<BTreeMap<(String, String), Span>>,
    /// The patches by path of the field; the oldest first.
    pub patched: BTreeMap<String, Vec<Layer>>,
    /// Definitions that the modes in use remove, by path.
    pub absent: BTreeMap<String, Absent>,
    /// Definitions that stand for many types, by path.
    pub lists: BTreeMap<String, TypeList>,
}

/// Why a definition is not in use.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Absent {
    /// It exists only in these modes.
    OnlyIn(Vec<String>),
    /// This mode removes it.
    Removed {
        /// The mode.
        mode: String,
        /// The place where it says so.
        at: Span,
    },
}

impl Definitions {
    /// The definitions of one kind, in the order of the packs and files.
    pub fn of(&self, kind: &str) -> impl Iterator<Item = (&str, &Entry)> {
        self.kinds.get(kind).into_iter().flat_map(Table::iter)
    }

    /// One definition.
    pub fn get(&self, kind: &str, id: &str) -> Option<&Node> {
        self.kinds.get(kind)?.get(id)
    }

    /// Adds the definitions of one file.
    pub(crate) fn add(&mut self, file: &Table, out: &mut Vec<Diagnostic>) {
        for (kind, entry) in file.iter() {
            if kind == PATCHES || kind == LOOK {
                continue;
            }
            // Those of the manifest itself were removed before.
            if MANIFEST_TABLES.contains(&kind) {
                let mut elsewhere =
                    Diagnostic::error(Code::UnknownKey, format!("`{kind}` stands outside the manifest"))
                        .at(entry.key)
                        .help(format!("move `[{kind}]` into the `pack.toml` of this pack: it is read nowhere else"));
                elsewhere.hidden().packs = true;
                out.push(elsewhere);
                continue;
            }
            let Some(table) = entry.node.as_table() else {
                out.push(
                    wrong_type(&entry.node, kind, "a table of definitions")
                        .help(format!("definitions stand in tables such as `[{kind}.NAME]`")),
                );
                continue;
            };
            if table.is_empty() {
                Arc::make_mut(&mut self.headers).insert((kind.to_string(), String::new()), entry.key);
            }
            let all = self.kinds.entry(kind.to_string()).or_default();
            for (id, definition) in table.iter() {
                if let Some(too_long) = long_name(kind, id, definition.key) {
                    out.push(too_long);
                    continue;
                }
                if !is_id(id) && kind != "rule" && kind != "example" && kind != "component" {
                    let mut wrong = Diagnostic::error(Code::WrongValue, format!("`{id}` is no good name"))
                        .at(definition.key)
                        .help("names are written in small letters, digits and `_`, and begin with a letter");
                    wrong.hidden().near.extend([id.to_string(), id.to_lowercase(), format!("{id}s")]);
                    wrong.hidden().names.extend([id.to_lowercase(), format!("{}s", id.to_lowercase())]);
                    out.push(wrong);
                }
                if let Some(first) = all.entries.get(id) {
                    out.push(
                        Diagnostic::error(Code::DuplicateId, format!("`{kind}.{id}` is defined twice"))
                            .label(definition.key, "here again")
                            .label(first.key, "first here"),
                    );
                    continue;
                }
                Arc::make_mut(&mut self.headers).insert((kind.to_string(), id.to_string()), entry.key);
                all.entries.insert(id.to_string(), definition.clone());
            }
        }
    }
}

/// Kinds of definitions that no text of the expression language can name.
const UNNAMED: [&str; 12] = [
    "attribute",
    "component",
    "example",
    "game",
    "mode",
    "phase",
    "prompt",
    "rank",
    "rule",
    "score",
    "standing",
    "word",
];

/// Kinds of definitions whose names stand where names of functions stand: `fame(card)`, `1 any`.
const BESIDE_FUNCTIONS: [&str; 4] = ["group", "resource", "set", "value"];

/// Whether a name of a definition belongs to the expression language.
pub(crate) fn is_taken(kind: &str, name: &str) -> bool {
    let named = !UNNAMED.contains(&kind) && means_something(name);
    named || BESIDE_FUNCTIONS.contains(&kind) && is_function(name)
}

/// Checks a name that belongs to the expression language; `inside` says where it would be used, if not everywhere.
pub(crate) fn reserved(name: &str, at: Span, inside: Option<&Node>) -> Diagnostic {
    let message = format!("`{name}` is a word of the expression language, so that no text could name it");
    let help = format!("take another name, such as `{}`", name_besides(name));
    let mut found = Diagnostic::error(Code::WrongValue, message).at(at).help(help).hides([name]);
    // A text that uses an unknown name may mean the definition that could not get its name.
    match inside {
        Some(node) => words_in(node, &mut found.hidden().names),
        None => found.hidden().definitions = true,
    }
    found
}

fn words_in(node: &Node, out: &mut Vec<String>) {
    match &node.value {
        Value::Str(text) => {
            let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            out.extend(words.filter(|word| !word.is_empty()).map(str::to_string));
        }
        Value::List(items) => items.iter().for_each(|item| words_in(item, out)),
        Value::Table(table) => table.iter().for_each(|(_, entry)| words_in(&entry.node, out)),
        _ => {}
    }
}

/// Whether a text can be the name of a definition.
pub(super) fn is_id(id: &str) -> bool {
    id.starts_with(|c: char| c.is_ascii_lowercase())
        && id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}
