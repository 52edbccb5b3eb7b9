//! The tree that pack files are read into: every value keeps its place.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use indexmap::IndexMap;

use crate::Span;

/// A value with its place.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// Its place.
    pub span: Span,
    /// The value.
    pub value: Value,
}

/// The values that a pack file can contain.
#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    /// Text.
    Str(String),
    /// A whole number.
    Int(i64),
    /// A number with a fraction: no key accepts one; it exists so that the message can say so.
    Float(f64),
    /// True or false.
    Bool(bool),
    /// A date: no key accepts one either.
    Date(String),
    /// A list.
    List(Vec<Node>),
    /// A table.
    Table(Table),
}

/// A table in the order of the file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Table {
    /// Key to entry.
    pub entries: Entries,
}

/// The entries of a table. Copies share them until one copy is changed, because a pack is linked once for each way to
/// play it, and few of its definitions are patched.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Entries(Arc<IndexMap<String, Entry>>);

impl Deref for Entries {
    type Target = IndexMap<String, Entry>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl DerefMut for Entries {
    fn deref_mut(&mut self) -> &mut Self::Target {
        Arc::make_mut(&mut self.0)
    }
}

impl FromIterator<(String, Entry)> for Entries {
    fn from_iter<I: IntoIterator<Item = (String, Entry)>>(entries: I) -> Self {
        Entries(Arc::new(entries.into_iter().collect()))
    }
}

/// A value under its key.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// The place of the key.
    pub key: Span,
    /// The value.
    pub node: Node,
}

impl Node {
    /// The sort of value, in words.
    pub fn describe(&self) -> &'static str {
        match self.value {
            Value::Str(_) => "a text",
            Value::Int(_) => "a whole number",
            Value::Float(_) => "a number with a fraction",
            Value::Bool(_) => "true or false",
            Value::Date(_) => "a date",
            Value::List(_) => "a list",
            Value::Table(_) => "a table",
        }
    }

    /// The text, if it is a text.
    pub fn as_str(&self) -> Option<&str> {
        match &self.value {
            Value::Str(text) => Some(text),
            _ => None,
        }
    }

    /// The number, if it is a whole one.
    pub fn as_int(&self) -> Option<i64> {
        match self.value {
            Value::Int(number) => Some(number),
            _ => None,
        }
    }

    /// True or false, if it is a yes-or-no.
    pub fn as_bool(&self) -> Option<bool> {
        match self.value {
            Value::Bool(flag) => Some(flag),
            _ => None,
        }
    }

    /// The list, if it is a list.
    pub fn as_list(&self) -> Option<&[Node]> {
        match &self.value {
            Value::List(items) => Some(items),
            _ => None,
        }
    }

    /// The table, if it is a table.
    pub fn as_table(&self) -> Option<&Table> {
        match &self.value {
            Value::Table(table) => Some(table),
            _ => None,
        }
    }

    /// The entry of a table under a key, or of a list under a number, counted from 1.
    pub fn below(&self, key: &str) -> Option<&Node> {
        match &self.value {
            Value::Table(table) => table.get(key),
            Value::List(items) => items.get(key.parse::<usize>().ok()?.checked_sub(1)?),
            _ => None,
        }
    }

    /// Whether two values are equal, ignoring their places.
    pub fn same_as(&self, other: &Node) -> bool {
        match (&self.value, &other.value) {
            (Value::List(a), Value::List(b)) => a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.same_as(b)),
            (Value::Table(a), Value::Table(b)) => {
                a.entries.len() == b.entries.len()
                    && a.entries.iter().all(|(key, entry)| b.get(key).is_some_and(|other| entry.node.same_as(other)))
            }
            (a, b) => a == b,
        }
    }
}

impl Table {
    /// The value under a key.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.entries.get(key).map(|entry| &entry.node)
    }

    /// The value under a key, to change it.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Node> {
        self.entries.get_mut(key).map(|entry| &mut entry.node)
    }

    /// The place of a key.
    pub fn key_span(&self, key: &str) -> Option<Span> {
        self.entries.get(key).map(|entry| entry.key)
    }

    /// Keys and values in the order of the file.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Entry)> {
        self.entries.iter().map(|(key, entry)| (key.as_str(), entry))
    }

    /// Whether nothing stands in it.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
