//! One scenario in several ways to play: each combination of what `matrix` lists becomes a case of its own.

use std::collections::BTreeSet;

use rulepack_model::{Code, Diagnostic, Entry, Node, Value};

use super::read::{Fields, Parts};

/// The keys of `matrix`.
pub const MATRIX_KEYS: [&str; 3] = ["modes", "players", "with"];

impl Parts {
    /// The cases of the matrix, each with a name; without a matrix, the one case.
    pub(super) fn expanded(self, case: Option<String>, fields: &mut Fields<'_>) -> Vec<(Option<String>, Parts)> {
        fields.known(&self.matrix, &MATRIX_KEYS, "`matrix`");
        let mut all = vec![(case, self.clone())];
        for (key, entry) in self.matrix.iter().filter(|(key, _)| MATRIX_KEYS.contains(key)) {
            if self.given.get(key).is_some() {
                let message = format!("`{key}` stands under `given` and under `matrix`");
                let help = "write it under one of them";
                fields.out.push(Diagnostic::error(Code::WrongValue, message).at(entry.key).help(help));
                continue;
            }
            let values = fields.list(&entry.node, key, "a list with one entry for each case");
            if values.is_empty() {
                fields.wrong(&entry.node, key, "a list with one entry for each case");
                continue;
            }
            let mut labels = BTreeSet::new();
            for value in values.iter().filter(|value| !labels.insert(label(key, value))) {
                let message = format!("`matrix.{key}` names the case `{}` twice", label(key, value));
                let help = "leave one of them out: each makes a case of its own";
                fields.out.push(Diagnostic::error(Code::WrongValue, message).at(value.span).help(help));
            }
            let mut next = Vec::new();
            for (name, parts) in &all {
                for value in values {
                    let mut parts = parts.clone();
                    let given = Entry { key: entry.key, node: value.clone() };
                    parts.given.entries.insert(key.to_string(), given);
                    let own = label(key, value);
                    let name = name.as_ref().map_or(own.clone(), |name| format!("{name}, {own}"));
                    next.push((Some(name), parts));
                }
            }
            all = next;
        }
        all
    }
}

/// The name of a case.
fn label(key: &str, value: &Node) -> String {
    let text = |node: &Node| match &node.value {
        Value::Str(text) => text.clone(),
        Value::Int(number) => number.to_string(),
        _ => "?".into(),
    };
    let words: Vec<String> = value.as_list().map_or_else(|| vec![text(value)], |list| list.iter().map(text).collect());
    match (key, words.as_slice()) {
        ("modes", []) => "no mode".into(),
        ("with", []) => "alone".into(),
        ("with", words) => format!("with {}", words.join(" and ")),
        ("players", [number]) if value.as_int().is_some() => format!("{number} players"),
        (_, words) => words.join(" and "),
    }
}
