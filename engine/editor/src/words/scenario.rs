//! The words of a scenario: names of the game in keys, answers, pictures of tables and conditions.

use std::ops::Range;

use rulepack_model::{Node, Sources, Span, Table, Value};
use rulepack_pack::{read_toml, text_map};

use super::{Role, Word, World, expression_words, role_of};

/// Where a key below `given` and `then` is looked for.
const KEYS: [&str; 8] = ["resource", "group", "zone", "var", "value", "attribute", "piece", "score"];

/// Where a word of an answer or of a list is looked for.
const ANSWERS: [&str; 9] = ["action", "piece", "resource", "group", "symbol", "prompt", "zone", "kind", "phase"];

/// Keys below a player that are no names of the game.
const SPECIAL: [&str; 17] = [
    "score",
    "scores",
    "price",
    "rank",
    "sees",
    "holds",
    "piece",
    "copies",
    "on",
    "face_down",
    "flipped",
    "from_top",
    "top",
    "bottom",
    "size",
    "seat",
    "each",
];

/// The words of a scenario file.
pub(crate) fn scenario_words(text: &str, world: &World<'_>) -> Vec<Word> {
    let mut sources = Sources::default();
    let file = sources.add("file", text);
    let table = read_toml(&sources, file, &mut Vec::new());
    let mut reader = Reader { sources: &sources, world, found: Vec::new() };
    reader.table(&table, "");
    let mut found = reader.found;
    found.sort_by_key(|word| (word.at.start, word.at.end));
    found.dedup_by(|a, b| a.at == b.at);
    found
}

struct Reader<'a> {
    sources: &'a Sources,
    world: &'a World<'a>,
    found: Vec<Word>,
}

fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

impl Reader<'_> {
    /// `above` is the key above: a table of seats has names of players as keys.
    fn table(&mut self, table: &Table, above: &str) {
        for (key, entry) in table.iter() {
            if ["about", "name", "legend", "pack", "seed", "refused"].contains(&key) && above != "seat" {
                continue;
            }
            if !["", "seat", "given", "then", "when", "case", "matrix"].contains(&above) && !SPECIAL.contains(&key) {
                let at = range(entry.key);
                // A key in quotes may name a place, such as `"jenny.hand"`.
                let quote = usize::from(at.len() == key.len() + 2);
                for (start, part) in parts(key) {
                    let from = at.start + quote + start;
                    self.words(part, from..from + part.len(), &KEYS);
                }
            }
            self.value(&entry.node, key);
        }
    }

    fn value(&mut self, node: &Node, key: &str) {
        match &node.value {
            Value::Table(table) => self.table(table, key),
            Value::List(items) => items.iter().for_each(|item| self.value(item, key)),
            Value::Str(text) => {
                let map = text_map(self.sources, node.span);
                let kinds: &[&str] = match key {
                    "holds" => {
                        for word in expression_words(text, &[], self.world) {
                            self.found.push(Word { at: range(map.span(word.at.clone())), ..word });
                        }
                        return;
                    }
                    "covers" => &["rule"],
                    "example" => &["example"],
                    "modes" => &["mode"],
                    "seat" | "players" | "with" | "turn" | "asked" | "winners" | "passed" => return,
                    "rank" => &["rank"],
                    _ => &ANSWERS,
                };
                if kinds.len() == 1 {
                    let found = self.world.find(kinds, text);
                    let role = found.as_ref().map_or(Role::Name, role_of);
                    self.found.push(Word::new(range(map.span(0..text.len())), role, found));
                    return;
                }
                for (start, part) in parts(text) {
                    self.words(part, range(map.span(start..start + part.len())), kinds);
                }
            }
            Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Date(_) => {}
        }
    }

    fn words(&mut self, name: &str, at: Range<usize>, kinds: &[&str]) {
        if let Some(found) = self.world.find(kinds, name) {
            self.found.push(Word::new(at, role_of(&found), Some(found)));
        }
    }
}

/// The words of a text, each with its place.
fn parts(text: &str) -> Vec<(usize, &str)> {
    let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut found = Vec::new();
    let mut start = 0;
    for piece in text.split_inclusive(|letter: char| !is_part(letter)) {
        let word = piece.trim_end_matches(|letter: char| !is_part(letter));
        if !word.is_empty() {
            found.push((start, word));
        }
        start += piece.len();
    }
    found
}
