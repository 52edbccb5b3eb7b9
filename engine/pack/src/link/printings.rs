//! Printings: copies that differ from a type in some fields, and have everything else from it.
//!
//! `printing.moon = { count = 1, moon = true }` inside a type: so many of its copies differ in this way. `printing_of =
//! "inn"` in a definition of its own: another printing of a type, perhaps of another pack.

use rulepack_model::{Diagnostic, Entry, Node, Table, Value, did_you_mean};

use super::Linker;
use super::fields::wrong_type;

/// What a printing does not have from its type.
const OWN: [&str; 6] = ["title", "text", "count", "source", "only_in", "printing"];

impl Linker<'_> {
    /// Turns printings into definitions with all their fields.
    pub(crate) fn printings(&mut self) {
        let kinds: Vec<String> = self.definitions.of("kind").map(|(id, _)| id.to_string()).collect();
        for kind in &kinds {
            for (id, _) in self.ids(kind) {
                self.split_off(kind, &id);
            }
        }
        for kind in &kinds {
            for (id, _) in self.ids(kind) {
                self.complete(kind, &id);
            }
        }
    }

    /// Makes definitions of the copies of a type that differ.
    fn split_off(&mut self, kind: &str, id: &str) {
        let Some(table) = self.definitions.kinds.get_mut(kind) else { return };
        let Some(Value::Table(fields)) = table.get_mut(id).map(|node| &mut node.value) else { return };
        let Some(printing) = fields.entries.shift_remove("printing") else { return };
        let Some(variants) = printing.node.as_table() else {
            let what = format!("{kind}.{id}.printing");
            self.out.push(wrong_type(&printing.node, &what, "a table of copies that differ"));
            return;
        };
        let mut left = fields.get("count").and_then(Node::as_int).unwrap_or(1);
        let mut made = Vec::new();
        for (name, entry) in variants.iter() {
            let Some(differs) = entry.node.as_table() else {
                let what = format!("{kind}.{id}.printing.{name}");
                self.out.push(wrong_type(&entry.node, &what, "a table of fields that differ"));
                continue;
            };
            let count = differs.get("count").and_then(Node::as_int).unwrap_or(1);
            left -= count;
            if left < 0 {
                let message = format!("more copies of `{kind}.{id}` differ than there are");
                self.out.push(
                    Diagnostic::error("wrong-value", message).label(entry.key, "too many with this").label(
                        fields.get("count").map_or(entry.key, |node| node.span),
                        "`count` is that of all copies",
                    ),
                );
                return;
            }
            let mut variant = differs.clone();
            let root = Node { span: entry.key, value: Value::Str(id.to_string()) };
            variant.entries.insert("printing_of".into(), Entry { key: entry.key, node: root });
            if let Some(only) = fields.entries.get("only_in") {
                variant.entries.entry("only_in".into()).or_insert_with(|| only.clone());
            }
            made.push((
                format!("{id}_{name}"),
                entry.key,
                Node { span: entry.node.span, value: Value::Table(variant) },
            ));
        }
        let span = fields.get("count").map_or(printing.key, |node| node.span);
        let key = fields.key_span("count").unwrap_or(printing.key);
        let rest = Entry { key, node: Node { span, value: Value::Int(left) } };
        fields.entries.insert("count".into(), rest);
        for (variant, key, node) in made {
            if let Some(first) = table.entries.get(&variant) {
                let message = format!("`{kind}.{variant}` is already the name of a definition");
                self.out.push(
                    Diagnostic::error("duplicate-id", message)
                        .label(key, "copies that differ are named after it")
                        .label(first.key, "first here"),
                );
                continue;
            }
            self.copies.insert(variant.clone(), id.to_string());
            table.entries.insert(variant, Entry { key, node });
        }
    }

    /// Gives a printing the fields of its type that it does not have itself.
    fn complete(&mut self, kind: &str, id: &str) {
        let Some(fields) = self.definitions.get(kind, id).and_then(Node::as_table) else { return };
        let Some(of) = fields.get("printing_of").cloned() else { return };
        let name = of.as_str().unwrap_or("");
        let known = self.definitions.kinds.get(kind);
        let root = known.and_then(|table| table.get(name)).and_then(Node::as_table);
        let is_printing = |table: &Table| table.get("printing_of").is_some();
        let Some(root) = root.filter(|root| !is_printing(root)).cloned() else {
            let types = known.into_iter().flat_map(Table::iter).map(|(id, _)| id).filter(|known| *known != id);
            let help = did_you_mean(name, types).unwrap_or_else(|| {
                "a printing is one of a type of the same kind, which is no printing itself".to_string()
            });
            self.out.push(
                Diagnostic::error("unknown-name", format!("`{kind}.{id}` cannot be a printing of `{name}`"))
                    .at(of.span)
                    .help(help),
            );
            return;
        };
        let node = self.definitions.kinds.get_mut(kind).and_then(|table| table.get_mut(id));
        let Some(Value::Table(fields)) = node.map(|node| &mut node.value) else { return };
        for (key, entry) in root.iter().filter(|(key, _)| !OWN.contains(key)) {
            fields.entries.entry(key.to_string()).or_insert_with(|| entry.clone());
        }
    }
}
