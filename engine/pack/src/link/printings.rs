//! Printings: copies that differ from a type in some fields, and have everything else from it.
//!
//! Inside a type, `printing.moon = { count = 1, moon = true }` means that one of its copies differs in this field.
//! `printing_of = "inn"` in a definition of its own is another printing of a type, perhaps of another pack.

use rulepack_model::{Code, Diagnostic, Entry, Node, Span, Table, Value, did_you_mean};

use super::Linker;
use super::fields::wrong_type;
use super::names::parents_of;

/// The fields that a printing does not inherit from its type.
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

    /// Makes a definition for the copies of a type that differ.
    fn split_off(&mut self, kind: &str, id: &str) {
        let inherited = self.inherited_count(kind);
        let Some(table) = self.definitions.kinds.get_mut(kind) else { return };
        let Some(Value::Table(fields)) = table.get_mut(id).map(|node| &mut node.value) else { return };
        let Some(printing) = fields.entries.shift_remove("printing") else { return };
        let Some(variants) = printing.node.as_table() else {
            let what = format!("{kind}.{id}.printing");
            let help = "write `printing.NAME = { count = 1, … }`, with what differs";
            self.out.push(wrong_type(&printing.node, &what, "a table of copies that differ").help(help));
            return;
        };
        let all = fields.get("count").cloned().or(inherited);
        // A wrong count is reported where copies are counted.
        let Some(Count { copies: mut left, each }) = count_of(all.as_ref()) else {
            let formula = all.as_ref().filter(|count| count.as_str().is_some());
            let wanted = "a number, because some of the copies differ";
            self.out.extend(formula.map(|count| wrong_type(count, &format!("{kind}.{id}.count"), wanted)));
            return;
        };
        let mut made = Vec::new();
        for (name, entry) in variants.iter() {
            let what = format!("{kind}.{id}.printing.{name}");
            let Some(differs) = entry.node.as_table() else {
                let help = "write `{ count = 1, … }`, with what differs";
                self.out.push(wrong_type(&entry.node, &what, "a table of fields that differ").help(help));
                continue;
            };
            let own = differs.get("count");
            let Some(count) = count_of(own).filter(|count| count.copies >= 0) else {
                let node = own.unwrap_or(&entry.node);
                self.out.push(wrong_type(node, &format!("{what}.count"), "a number of copies"));
                continue;
            };
            left = left.saturating_sub(count.copies);
            if left < 0 {
                let message = format!("more copies of `{kind}.{id}` differ than there are");
                let here = all.as_ref().map_or(printing.key, |node| node.span);
                self.out.push(
                    Diagnostic::error(Code::WrongValue, message)
                        .label(own.map_or(entry.key, |node| node.span), "too many with this")
                        .label(here, "this is how many copies there are")
                        .help("`count` of the type is that of all copies, also of those that differ"),
                );
                return;
            }
            let mut variant = differs.clone();
            let root = Node { span: entry.key, value: Value::Str(id.to_string()) };
            variant.entries.insert("printing_of".into(), Entry { key: entry.key, node: root });
            let count_node = Count { each, ..count }.node(own.map_or(entry.key, |node| node.span));
            variant.entries.insert("count".into(), Entry { key: entry.key, node: count_node });
            if let Some(only) = fields.entries.get("only_in") {
                variant.entries.entry("only_in".into()).or_insert_with(|| only.clone());
            }
            made.push((
                format!("{id}_{name}"),
                entry.key,
                Node { span: entry.node.span, value: Value::Table(variant) },
            ));
        }
        let span = all.as_ref().map_or(printing.key, |node| node.span);
        let key = fields.key_span("count").unwrap_or(printing.key);
        fields.entries.insert("count".into(), Entry { key, node: Count { copies: left, each }.node(span) });
        for (variant, key, node) in made {
            if let Some(first) = table.entries.get(&variant) {
                let message = format!("`{kind}.{variant}` is already the name of a definition");
                self.out.push(
                    Diagnostic::error(Code::DuplicateId, message)
                        .label(key, "copies that differ are named after it")
                        .label(first.key, "first here"),
                );
                continue;
            }
            self.copies.insert(variant.clone(), id.to_string());
            table.entries.insert(variant, Entry { key, node });
        }
    }

    /// `count` of a kind, or of the nearest kind above it.
    fn inherited_count(&self, kind: &str) -> Option<Node> {
        let (mut waiting, mut seen) = (vec![kind], Vec::new());
        while let Some(name) = waiting.pop() {
            // Kinds in a circle are reported elsewhere.
            if seen.contains(&name) {
                continue;
            }
            seen.push(name);
            let Some(node) = self.definitions.get("kind", name) else { continue };
            if let Some(count) = node.below("count") {
                return Some(count.clone());
            }
            waiting.extend(parents_of(node).into_iter().rev().map(|(above, _)| above));
        }
        None
    }

    /// Gives a printing the fields of its type that it does not set itself.
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
                Diagnostic::error(Code::UnknownName, format!("`{kind}.{id}` cannot be a printing of `{name}`"))
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

/// The number of copies of a type.
#[derive(Clone, Copy)]
struct Count {
    copies: i64,
    /// Whether the number is for each player.
    each: bool,
}

impl Count {
    /// The value as written in a file.
    fn node(self, span: Span) -> Node {
        let number = Node { span, value: Value::Int(self.copies) };
        if !self.each {
            return number;
        }
        let mut table = Table::default();
        table.entries.insert("per_player".into(), Entry { key: span, node: number });
        Node { span, value: Value::Table(table) }
    }
}

/// `count = 3`, `count = { per_player = 3 }`, or nothing, which means one.
fn count_of(node: Option<&Node>) -> Option<Count> {
    let Some(node) = node else { return Some(Count { copies: 1, each: false }) };
    let each = node.as_table().and_then(|table| table.get("per_player"));
    let copies = node.as_int().or_else(|| each.and_then(Node::as_int))?;
    Some(Count { copies, each: each.is_some() })
}
