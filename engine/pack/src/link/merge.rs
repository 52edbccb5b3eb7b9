//! Packs laid over one another: definitions by kind and id, then the patches of the modes in use.

use std::collections::BTreeMap;

use rulepack_model::{Diagnostic, Entry, FileId, Node, Span, Table, Value, did_you_mean};

use super::fields::wrong_type;
use crate::manifest::MANIFEST_TABLES;

/// All definitions of the packs in use: `kind → id → fields`, every field with its place.
#[derive(Debug, Clone, Default)]
pub struct Definitions {
    /// Kind to definitions.
    pub kinds: BTreeMap<String, Table>,
    /// Where the kind of a definition stands in its header.
    pub headers: BTreeMap<(String, String), Span>,
    /// Fields that a patch changed: path to (the place below, who patched).
    pub patched: BTreeMap<String, (Span, String)>,
}

/// A mode as far as it decides what is in use.
pub(crate) struct ModeDef {
    pub(crate) id: String,
    pub(crate) patch: Option<Node>,
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
            if MANIFEST_TABLES.contains(&kind) {
                continue;
            }
            let Some(table) = entry.node.as_table() else {
                out.push(
                    wrong_type(&entry.node, kind, "a table of definitions")
                        .help(format!("definitions stand in tables such as `[{kind}.NAME]`")),
                );
                continue;
            };
            let all = self.kinds.entry(kind.to_string()).or_default();
            for (id, definition) in table.iter() {
                if !is_id(id) && kind != "rule" && kind != "example" && kind != "component" {
                    out.push(
                        Diagnostic::error("wrong-value", format!("`{id}` is no good name"))
                            .at(definition.key)
                            .help("names are written in small letters, digits and `_`, and begin with a letter"),
                    );
                }
                if let Some(first) = all.entries.get(id) {
                    out.push(
                        Diagnostic::error("duplicate-id", format!("`{kind}.{id}` is defined twice"))
                            .label(definition.key, "here again")
                            .label(first.key, "first here"),
                    );
                    continue;
                }
                self.headers.insert((kind.to_string(), id.to_string()), entry.key);
                all.entries.insert(id.to_string(), definition.clone());
            }
        }
    }

    /// Applies the patch of a mode in use.
    pub(crate) fn patch(&mut self, mode: &ModeDef, packs: &BTreeMap<FileId, String>, out: &mut Vec<Diagnostic>) {
        let Some(patch) = &mode.patch else { return };
        let Some(kinds) = patch.as_table() else {
            out.push(wrong_type(patch, &format!("mode.{}.patch", mode.id), "a table"));
            return;
        };
        for (kind, entry) in kinds.iter() {
            let Some(ids) = entry.node.as_table() else {
                out.push(wrong_type(&entry.node, kind, "a table"));
                continue;
            };
            for (id, changes) in ids.iter() {
                let path = format!("{kind}.{id}");
                let known: Vec<String> =
                    self.kinds.get(kind).map(|table| table.entries.keys().cloned().collect()).unwrap_or_default();
                let Some(target) = self.kinds.get_mut(kind).and_then(|table| table.get_mut(id)) else {
                    out.push(
                        Diagnostic::error("bad-patch", format!("there is no `{path}` to patch"))
                            .at(changes.key)
                            .maybe_help(did_you_mean(id, known.iter().map(String::as_str))),
                    );
                    continue;
                };
                let mut patcher = Patcher { mode: &mode.id, packs, patched: &mut self.patched, out };
                patcher.apply(target, &changes.node, &path);
            }
        }
    }
}

struct Patcher<'p> {
    mode: &'p str,
    packs: &'p BTreeMap<FileId, String>,
    patched: &'p mut BTreeMap<String, (Span, String)>,
    out: &'p mut Vec<Diagnostic>,
}

impl Patcher<'_> {
    fn apply(&mut self, target: &mut Node, changes: &Node, path: &str) {
        let Some(fields) = changes.as_table() else {
            self.out.push(
                wrong_type(changes, path, "a table of fields with `was` and `now`")
                    .help("write `field = { was = OLD, now = NEW }`"),
            );
            return;
        };
        let target_span = target.span;
        let Value::Table(table) = &mut target.value else {
            self.out.push(Diagnostic::error("bad-patch", format!("`{path}` is no table")).at(changes.span));
            return;
        };
        for (field, change) in fields.iter() {
            let path = format!("{path}.{field}");
            let Some(parts) = change.node.as_table() else {
                self.out.push(
                    wrong_type(&change.node, &path, "`{ was = OLD, now = NEW }`")
                        .help("a patch says what stood there, so that a changed base is noticed"),
                );
                continue;
            };
            let is_change = parts.get("now").is_some() || parts.get("was").is_some();
            if !is_change {
                match table.get_mut(field) {
                    Some(inner) => self.apply(inner, &change.node, &path),
                    None => self.out.push(no_field(&path, change.key, target_span, table.entries.keys())),
                }
                continue;
            }
            for (key, entry) in parts.iter() {
                if key != "was" && key != "now" {
                    self.out.push(
                        Diagnostic::error("unknown-key", format!("a patch has no key `{key}`"))
                            .at(entry.key)
                            .help("it has `was` and `now`"),
                    );
                }
            }
            self.change(table, field, parts, change, &path, target_span);
        }
    }

    fn change(&mut self, table: &mut Table, field: &str, parts: &Table, change: &Entry, path: &str, target: Span) {
        let below = table.get(field);
        let (was, now) = (parts.get("was"), parts.get("now"));
        match (below, was) {
            (Some(below), Some(was)) if !below.same_as(was) => {
                self.out.push(
                    Diagnostic::error("bad-patch", format!("`{path}` is not what the patch says it was"))
                        .label(was.span, "the patch says this")
                        .label(below.span, "but this stands there"),
                );
                return;
            }
            (None, Some(was)) => {
                self.out.push(no_field(path, was.span, target, table.entries.keys()));
                return;
            }
            (Some(below), None) if self.packs.get(&below.span.file) != self.packs.get(&change.node.span.file) => {
                self.out.push(
                    Diagnostic::error("bad-patch", format!("the patch of `{path}` lacks `was`"))
                        .label(change.node.span, "a patch of another pack must say what stood there")
                        .label(below.span, "this stands there"),
                );
                return;
            }
            _ => {}
        }
        let place = below.map_or(change.key, |below| below.span);
        self.patched.insert(path.to_string(), (place, self.mode.to_string()));
        match now {
            Some(now) => {
                table.entries.insert(field.to_string(), Entry { key: change.key, node: now.clone() });
            }
            // `was` without `now` takes the field away.
            None => {
                table.entries.shift_remove(field);
            }
        }
    }
}

fn no_field<'k>(path: &str, at: Span, target: Span, known: impl Iterator<Item = &'k String>) -> Diagnostic {
    let field = path.rsplit('.').next().unwrap_or(path).to_string();
    Diagnostic::error("bad-patch", format!("there is no `{path}` to patch"))
        .label(at, "the patch")
        .label(target, "has no such field")
        .maybe_help(did_you_mean(&field, known.map(String::as_str)))
}

fn is_id(id: &str) -> bool {
    id.starts_with(|c: char| c.is_ascii_lowercase())
        && id.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
}
