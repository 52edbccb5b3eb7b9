//! Reading a table key by key: unknown keys are refused, every value must have the right sort, all mistakes are kept.

use std::ops::RangeInclusive;

use rulepack_model::{Code, Diagnostic, Entry, Node, Span, Table, Value, known_instead, nearest};

use super::BUILT_IN;
use crate::keys::{keys_at, sort_named};

/// Keys that hold a table of names.
const TABLES: [&str; 5] = ["modifies", "on", "param", "reacts", "replaces"];

/// A table that is being read. Keys are taken out; a key that is left at the end is unknown.
pub(crate) struct Fields<'t> {
    table: &'t Table,
    /// The place of the table, for missing keys.
    pub(crate) span: Span,
    /// Its name in messages: `zone.hand`.
    pub(crate) what: String,
    known: Vec<String>,
}

impl<'t> Fields<'t> {
    /// Begins to read a table; anything else is a mistake.
    pub(crate) fn of(node: &'t Node, what: impl Into<String>, out: &mut Vec<Diagnostic>) -> Option<Self> {
        let what = what.into();
        match node.as_table() {
            Some(table) => Some(Fields { table, span: node.span, what, known: Vec::new() }),
            None => {
                out.push(wrong_type(node, &what, "a table"));
                None
            }
        }
    }

    /// The value of a key.
    pub(crate) fn get(&mut self, key: &str) -> Option<&'t Node> {
        self.debug_listed(key);
        self.known.push(key.to_string());
        self.table.get(key)
    }

    /// A required key.
    pub(crate) fn need(&mut self, key: &str, out: &mut Vec<Diagnostic>) -> Option<&'t Node> {
        let found = self.get(key);
        if found.is_none() {
            let missing =
                Diagnostic::error(Code::MissingKey, format!("`{}` needs the key `{key}`", self.what)).at(self.span);
            out.push(in_doubt(missing, &self.what));
        }
        found
    }

    /// A required key, with a suggestion if it is missing.
    pub(crate) fn need_as(&mut self, key: &str, help: &str, out: &mut Vec<Diagnostic>) -> Option<&'t Node> {
        let mut missing = Vec::new();
        let found = self.need(key, &mut missing);
        out.extend(missing.into_iter().map(|diagnostic| diagnostic.help(help)));
        found
    }

    /// The place of the value of a key; that of the whole table if the key is not there.
    pub(crate) fn span_of(&mut self, key: &str) -> Span {
        self.get(key).map_or(self.span, |node| node.span)
    }

    /// A value of one type; `wanted` names the type in the message.
    fn typed<T>(
        &mut self,
        key: &str,
        wanted: &str,
        read: impl FnOnce(&'t Node) -> Option<T>,
        out: &mut Vec<Diagnostic>,
    ) -> Option<T> {
        let node = self.get(key)?;
        let value = read(node);
        if value.is_none() {
            out.push(wrong_type(node, &format!("{}.{key}", self.what), wanted));
        }
        value
    }

    /// A text.
    pub(crate) fn text(&mut self, key: &str, out: &mut Vec<Diagnostic>) -> Option<&'t str> {
        self.typed(key, "a text", Node::as_str, out)
    }

    /// A whole number.
    pub(crate) fn int(&mut self, key: &str, out: &mut Vec<Diagnostic>) -> Option<i64> {
        self.typed(key, "a whole number", Node::as_int, out)
    }

    /// A whole number within bounds. A number outside is a mistake; it is never replaced by the nearest one that fits.
    pub(crate) fn whole(&mut self, key: &str, bounds: RangeInclusive<i64>, out: &mut Vec<Diagnostic>) -> Option<i64> {
        let number = self.int(key, out)?;
        if bounds.contains(&number) {
            return Some(number);
        }
        let (least, most) = (bounds.start(), bounds.end());
        let message = format!("`{}.{key}` is a number from {least} to {most}", self.what);
        let nearest = number.clamp(*least, *most);
        let at = self.span_of(key);
        out.push(Diagnostic::error(Code::WrongValue, message).at(at).help(format!("write `{key} = {nearest}`")));
        None
    }

    /// True or false.
    pub(crate) fn bool(&mut self, key: &str, out: &mut Vec<Diagnostic>) -> Option<bool> {
        self.typed(key, "true or false", Node::as_bool, out)
    }

    /// A list of texts, with their places.
    pub(crate) fn texts(&mut self, key: &str, out: &mut Vec<Diagnostic>) -> Vec<(&'t str, Span)> {
        let Some(node) = self.get(key) else { return Vec::new() };
        let Some(list) = node.as_list() else {
            out.push(wrong_type(node, &format!("{}.{key}", self.what), "a list of texts"));
            return Vec::new();
        };
        let mut texts = Vec::new();
        for item in list {
            match item.as_str() {
                Some(text) => texts.push((text, item.span)),
                None => out.push(wrong_type(item, &format!("{}.{key}", self.what), "a text")),
            }
        }
        texts
    }

    /// Entries of a table under a key.
    pub(crate) fn table(&mut self, key: &str, out: &mut Vec<Diagnostic>) -> Vec<(&'t str, &'t Entry)> {
        let Some(node) = self.get(key) else { return Vec::new() };
        match node.as_table() {
            Some(table) => table.iter().collect(),
            None => {
                out.push(wrong_type(node, &format!("{}.{key}", self.what), "a table"));
                Vec::new()
            }
        }
    }

    /// Says that other code reads further keys.
    pub(crate) fn also(&mut self, keys: &[&str]) {
        keys.iter().for_each(|key| self.debug_listed(key));
        self.known.extend(keys.iter().map(|key| (*key).to_string()));
    }

    /// Every key that is read is listed in `keys.rs`, but attributes, which a pack declares.
    fn debug_listed(&self, key: &str) {
        if cfg!(debug_assertions) {
            let path: Vec<&str> = self.what.split(['.', ' ']).collect();
            let is_declared = sort_named(path.first().unwrap_or(&"")).is_none_or(|sort| sort.name == "resource");
            // An id may hold a full stop, so that the path leads nowhere.
            let Some(keys) = keys_at(&path).filter(|_| !(is_declared && path.len() == 2)) else { return };
            let is_listed = keys.iter().any(|listed| listed.name == key);
            assert!(is_listed, "`{key}` of `{}` is missing in keys.rs", self.what);
        }
    }

    /// Refuses every key that no code has asked for.
    pub(crate) fn done(self, out: &mut Vec<Diagnostic>) {
        for (key, entry) in self.table.iter() {
            if !self.known.iter().any(|known| known == key) {
                let known = self.known.iter().map(String::as_str);
                // `on_built` for `on.built`.
                let below = |known: &str| key.strip_prefix(known)?.strip_prefix('_');
                let mut tables = known.clone().filter(|known| TABLES.contains(known));
                let dotted = tables.find_map(|table| Some(format!("write `{table}.{}`", below(table)?)));
                let mut unknown = Diagnostic::error(Code::UnknownKey, format!("`{}` has no key `{key}`", self.what))
                    .at(entry.key)
                    .maybe_help(dotted.or_else(|| known_instead(key, known)));
                let meant = nearest(key, self.known.iter().map(String::as_str));
                if !meant.is_some_and(|known| ["title", "text", "source"].contains(&known)) {
                    names_in(&entry.node, &mut unknown.hidden().names);
                }
                unknown.hidden().names.extend(meant.map(str::to_string));
                // The pack declares what pieces have.
                let kind = self.what.split('.').next().unwrap_or("");
                let is_meant = unknown.help.as_deref().is_some_and(|help| help.starts_with("did you mean"));
                if !BUILT_IN.contains(&kind) || kind == "resource" && !is_meant {
                    unknown = unknown.missing(key);
                }
                // Whether a definition is in use depends on the modes.
                unknown.hidden().definitions = kind == "mode";
                out.push(in_doubt(unknown, &self.what));
            }
        }
    }
}

/// The mistake of a value of the wrong sort.
pub(crate) fn wrong_type(node: &Node, what: &str, wanted: &str) -> Diagnostic {
    let message = format!("`{what}` must be {wanted}, but this is {}", node.describe());
    let mut wrong = Diagnostic::error(Code::WrongType, message).at(node.span).help(instead(node, wanted));
    names_in(node, &mut wrong.hidden().names);
    in_doubt(wrong, what)
}

/// What to write instead of a value of the wrong sort.
fn instead(node: &Node, wanted: &str) -> String {
    let text = node.as_str().map(str::trim);
    match text {
        Some(text) if wanted.contains("number") && text.parse::<i64>().is_ok() => {
            format!("write `{text}`, without quotes")
        }
        Some(text) if wanted.contains("list of texts") => {
            let members: Vec<String> = text.split(',').map(|member| format!("\"{}\"", member.trim())).collect();
            format!("write `[{}]`", members.join(", "))
        }
        _ if wanted.contains("list") => format!("write {wanted}"),
        _ if wanted.contains("table") && matches!(node.value, Value::List(_)) => {
            "write the name of the table in one pair of brackets: `[KIND.NAME]`".to_string()
        }
        _ if wanted.contains("table") => "write `{ KEY = VALUE }`".to_string(),
        _ if wanted.contains("number") => "write a number such as `2`".to_string(),
        _ if wanted.contains("true") || wanted.contains("yes") => "write `true` or `false`".to_string(),
        _ if wanted.contains("text") => "write it in quotes: `\"…\"`".to_string(),
        _ => format!("write {wanted}"),
    }
}

/// A mistake in a definition, given as `zone.hand` or `zone.hand.owner`. A text that does not fit the definition may
/// fit once the mistake is corrected.
pub(crate) fn in_doubt(mistake: Diagnostic, what: &str) -> Diagnostic {
    const TYPED: [&str; 8] = ["action", "adjacency", "event", "kind", "set", "value", "var", "zone"];
    let mut path = what.split(['.', ' ']);
    match (path.next(), path.next()) {
        // A definition that has the attribute is right.
        (Some("attribute"), Some(id)) => mistake.hides([id]),
        (Some(kind), Some(id)) if TYPED.contains(&kind) => mistake.doubts(id).doubts(format!("{id}s")),
        _ => mistake,
    }
}

/// The keys of a table and of the tables in it.
pub(crate) fn keys_in(node: &Node, names: &mut Vec<String>) {
    for (key, entry) in node.as_table().into_iter().flat_map(Table::iter) {
        names.push(key.to_string());
        keys_in(&entry.node, names);
    }
}

/// Names that a value may have been intended to declare.
pub(crate) fn names_in(node: &Node, names: &mut Vec<String>) {
    match &node.value {
        Value::Str(text) => {
            let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
            names.extend(words.filter(|word| !word.is_empty()).map(str::to_string));
        }
        Value::List(items) => items.iter().for_each(|item| names_in(item, names)),
        Value::Table(table) => {
            for (key, entry) in table.iter() {
                names.push(key.to_string());
                names_in(&entry.node, names);
            }
        }
        _ => {}
    }
}
