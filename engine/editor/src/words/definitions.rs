//! The words of a file of definitions, of a manifest and of a translation: headers, keys, names and expressions.

use std::collections::BTreeSet;
use std::ops::Range;

use rulepack_expr::AttrTy;
use rulepack_model::{Node, Sources, Span, Table, Value};
use rulepack_pack::keys::{Holds, Sort, holds_at, keys_at, sort_named};
use rulepack_pack::{TextMap, read_toml, text_map};

use super::expression::Given;
use super::{Role, Thing, Word, World, expression_words, role_of};

/// The line of a table: the parts of its name, each with its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Header {
    /// The whole line.
    pub(crate) line: Range<usize>,
    pub(crate) parts: Vec<(String, Range<usize>)>,
}

/// The `[…]` lines of a file, also of one that cannot be parsed.
pub(crate) fn headers(text: &str) -> Vec<Header> {
    let (mut found, mut start, mut inside) = (Vec::new(), 0, None);
    for line in text.split_inclusive('\n') {
        let here = start;
        start += line.len();
        for quotes in ["\"\"\"", "'''"] {
            if inside.is_none_or(|open| open == quotes) && line.matches(quotes).count() % 2 == 1 {
                inside = if inside.is_some() { None } else { Some(quotes) };
            }
        }
        let code = line.trim_start();
        if inside.is_some() || !code.starts_with('[') || line.starts_with([' ', '\t']) {
            continue;
        }
        let open = line.len() - code.len() + code.len() - code.trim_start_matches('[').len();
        let Some(inner) = line.get(open..).and_then(|rest| rest.split([']', '\n', '#']).next()) else { continue };
        let (mut parts, mut at) = (Vec::new(), here + open);
        for part in inner.split('.') {
            let name = part.trim().trim_matches(['"', '\'']);
            let from = at + part.find(name).unwrap_or(0);
            parts.push((name.to_string(), from..from + name.len()));
            at += part.len() + 1;
        }
        found.push(Header { line: here..start, parts });
    }
    found
}

/// The path of a field as definitions know it: without `patch` and `mode.MODE.patch` before it.
fn plain_path<'p>(path: &'p [&'p str]) -> (&'p [&'p str], bool) {
    match path {
        ["patch", rest @ ..] | ["mode", _, "patch", rest @ ..] => (rest, true),
        _ => (path, false),
    }
}

/// The words of a file of definitions.
pub(crate) fn definition_words(text: &str, world: &World<'_>) -> Vec<Word> {
    let mut sources = Sources::default();
    let file = sources.add("file", text);
    let table = read_toml(&sources, file, &mut Vec::new());
    let headers = headers(text);
    let mut reader = Reader { sources: &sources, table: &table, world, found: Vec::new(), headers: &headers };
    reader.headers();
    reader.table(&table, &mut Vec::new());
    let mut found = reader.found;
    found.sort_by_key(|word| (word.at.start, word.at.end));
    found.dedup_by(|a, b| a.at == b.at);
    found
}

/// The words of a translation: the definitions that it names.
pub(crate) fn translation_words(text: &str, world: &World<'_>) -> Vec<Word> {
    let mut found = Vec::new();
    for header in headers(text) {
        let names: Vec<&str> = header.parts.iter().map(|(name, _)| name.as_str()).collect();
        let (path, _) = plain_path(&names);
        let skipped = names.len() - path.len();
        if let (Some(kind), Some((_, at))) = (path.first(), header.parts.get(skipped))
            && sort_named(kind).is_none()
            && let Some(thing) = world.find(&["kind"], kind)
        {
            found.push(Word::new(at.clone(), Role::Kind, Some(thing)));
        }
        if let ([kind, id, ..], Some((_, at))) = (path, header.parts.get(skipped + 1)) {
            let thing = world.find(&[kind], id).or_else(|| of_kind(world, kind, id));
            found.push(Word::new(at.clone(), thing.as_ref().map_or(Role::Name, role_of), thing));
        }
    }
    found
}

/// A type of a kind of the game.
fn of_kind(world: &World<'_>, kind: &str, id: &str) -> Option<Thing> {
    let thing = Thing::Definition { kind: kind.to_string(), id: id.to_string() };
    let is_list = world.definitions.is_some_and(|all| all.lists.contains_key(&format!("{kind}.{id}")));
    (is_list || world.find(&["piece"], id) == Some(thing.clone())).then_some(thing)
}

struct Reader<'a> {
    sources: &'a Sources,
    table: &'a Table,
    world: &'a World<'a>,
    headers: &'a [Header],
    found: Vec<Word>,
}

fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

impl Reader<'_> {
    fn push(&mut self, at: Range<usize>, role: Role, thing: Option<Thing>, declares: bool) {
        self.found.push(Word { declares, ..Word::new(at, role, thing) });
    }

    fn headers(&mut self) {
        let mut declared = BTreeSet::new();
        for header in self.headers {
            let names: Vec<&str> = header.parts.iter().map(|(name, _)| name.as_str()).collect();
            for (index, (name, at)) in header.parts.iter().enumerate() {
                let before = names.get(..index).unwrap_or_default();
                let is_new = match names.as_slice() {
                    [kind, id, ..] if index == 1 && *kind != "patch" => declared.insert((*kind, *id)),
                    _ => false,
                };
                self.key(before, name, at.clone(), is_new);
            }
        }
    }

    /// A key, with the path of the table in which it stands.
    fn key(&mut self, before: &[&str], name: &str, at: Range<usize>, is_new: bool) {
        let (path, is_patch) = plain_path(before);
        let thing = |kind: &str| match kind {
            "attribute" => Thing::Attribute(name.to_string()),
            _ => Thing::Definition { kind: kind.to_string(), id: name.to_string() },
        };
        match path {
            [] if is_patch || sort_named(name).is_none() => match self.world.find(&["kind"], name) {
                Some(kind) if sort_named(name).is_none() => self.push(at, Role::Kind, Some(kind), false),
                _ => self.sort(name, at),
            },
            [] => self.sort(name, at),
            ["pack" | "needs" | "optional" | "conflicts"] => self.plain_key(path, name, at),
            [kind] if sort_named(kind).is_some_and(Sort::is_single) => self.plain_key(path, name, at),
            [kind] => {
                let found = thing(kind);
                self.push(at, role_of(&found), Some(found), is_new && !is_patch);
            }
            _ => self.inner_key(path, name, at),
        }
    }

    /// The word for a kind of definitions in a header.
    fn sort(&mut self, name: &str, at: Range<usize>) {
        let thing = sort_named(name).map(|sort| Thing::Key { path: Vec::new(), name: sort.name.to_string() });
        self.push(at, Role::Keyword, thing, false);
    }

    fn plain_key(&mut self, path: &[&str], name: &str, at: Range<usize>) {
        let path = path.iter().map(|part| (*part).to_string()).collect();
        self.push(at, Role::Key, Some(Thing::Key { path, name: name.to_string() }), false);
    }

    fn inner_key(&mut self, path: &[&str], name: &str, at: Range<usize>) {
        if keys_at(path).is_some_and(|keys| keys.iter().any(|key| key.name == name)) {
            return self.plain_key(path, name, at);
        }
        match path {
            ["kind", _, "attributes"] => {
                self.push(at, Role::Field, Some(Thing::Attribute(name.to_string())), true);
            }
            ["zone", _, "marks"] => self.push(at, Role::Field, Some(Thing::Mark(name.to_string())), true),
            ["action", _, "param"] | ["event" | "set", _, "args"] => {
                let given = Some((at.start, at.end));
                self.push(at, Role::Local, Some(Thing::Local { name: name.to_string(), given }), true);
            }
            [kind, _] if *kind == "resource" || sort_named(kind).is_none() => {
                let found = self.world.find(&["attribute"], name);
                self.push(at, Role::Field, found, false);
            }
            _ => match holds_at(path) {
                Some(Holds::Map(kinds, _)) => {
                    let found = self.world.find(kinds, name);
                    self.push(at, found.as_ref().map_or(Role::Key, role_of), found, false);
                }
                _ => self.push(at, Role::Key, None, false),
            },
        }
    }

    fn table(&mut self, table: &Table, path: &mut Vec<String>) {
        for (name, entry) in table.iter() {
            let at = range(entry.key);
            let in_header = self.headers.iter().any(|header| header.line.contains(&at.start));
            let names: Vec<&str> = path.iter().map(String::as_str).collect();
            if !in_header {
                self.key(&names, name, at, false);
            }
            path.push(name.to_string());
            self.value(&entry.node, path);
            path.pop();
        }
    }

    fn value(&mut self, node: &Node, path: &mut Vec<String>) {
        let names: Vec<&str> = path.iter().map(String::as_str).collect();
        let (mut plain, is_patch) = plain_path(&names);
        // `{ was = …, now = … }` holds what the field holds.
        if let ([field @ .., "was" | "now" | "adds"], true) = (plain, is_patch) {
            plain = field;
        }
        match &node.value {
            Value::Table(table) => self.table(table, path),
            Value::List(items) => {
                for item in items {
                    if let Value::Table(_) | Value::List(_) = item.value {
                        self.value(item, path);
                    } else {
                        let names: Vec<&str> = path.iter().map(String::as_str).collect();
                        let (mut plain, is_patch) = plain_path(&names);
                        if let ([field @ .., "was" | "now" | "adds"], true) = (plain, is_patch) {
                            plain = field;
                        }
                        self.text(item, plain);
                    }
                }
            }
            Value::Str(_) => self.text(node, plain),
            Value::Int(_) => self.push(range(node.span), Role::Number, None, false),
            Value::Float(_) | Value::Bool(_) | Value::Date(_) => {}
        }
    }

    /// A text, by what stands at its path.
    fn text(&mut self, node: &Node, path: &[&str]) {
        let Some(text) = node.as_str() else { return };
        let map = text_map(self.sources, node.span);
        let holds = holds_at(path).or_else(|| self.attribute(path));
        let Some(holds) = holds else { return };
        self.text_as(text, &map, &holds, path);
    }

    fn attribute(&self, path: &[&str]) -> Option<Holds> {
        use rulepack_pack::TextUse::{Condition, Cost, Effect, Value};
        let name = match path {
            [_, _, name] | [_, _, "printing" | "differs", _, name] => name,
            ["kind", _, "attributes", name, "default"] => name,
            _ => return None,
        };
        Some(match self.world.attribute(name)? {
            AttrTy::Int | AttrTy::Bool | AttrTy::Text => return None,
            AttrTy::Res => Holds::Name(&["resource", "group"]),
            AttrTy::Sym => Holds::Name(&["symbol"]),
            AttrTy::Type => Holds::Name(&["piece"]),
            AttrTy::Cost => Holds::Formula(Cost),
            AttrTy::Effect => Holds::Formula(Effect),
            AttrTy::Amount => Holds::Formula(Value),
            AttrTy::Condition => Holds::Formula(Condition),
        })
    }

    fn text_as(&mut self, text: &str, map: &TextMap, holds: &Holds, path: &[&str]) {
        let whole = || range(map.span(0..text.len()));
        match holds {
            Holds::Name(kinds) => {
                let found = self.world.find(kinds, text);
                self.push(whole(), found.as_ref().map_or(Role::Name, role_of), found, false);
            }
            Holds::Path => {
                if let Some((kind, id)) = text.split_once('.') {
                    if let Some(found) = self.world.find(&["kind"], kind).filter(|_| sort_named(kind).is_none()) {
                        self.push(range(map.span(0..kind.len())), Role::Kind, Some(found), false);
                    }
                    let found = self.world.find(&[kind], id).or_else(|| of_kind(self.world, kind, id));
                    let at = range(map.span(kind.len() + 1..text.len()));
                    self.push(at, found.as_ref().map_or(Role::Name, role_of), found, false);
                }
            }
            Holds::Type => {
                let found = self.world.find(&["kind"], text);
                self.push(whole(), if found.is_some() { Role::Kind } else { Role::Keyword }, found, false);
            }
            Holds::AttributeType => self.push(whole(), Role::Keyword, None, false),
            Holds::Function => {
                let last = text.rfind('.').map_or(0, |dot| dot + 1);
                self.function(text, range(map.span(last..text.len())));
            }
            Holds::Formula(_) => self.formula(text, map, path),
            Holds::List(inner) => self.text_as(text, map, inner, path),
            Holds::Any(all) => {
                let is_word = all.iter().any(|one| matches!(one, Holds::Word(words) if words.contains(&text)));
                let names_one = all.iter().find(|one| match one {
                    Holds::Name(kinds) => self.world.find(kinds, text).is_some(),
                    _ => false,
                });
                let other =
                    all.iter().find(|one| matches!(one, Holds::Formula(_) | Holds::Function | Holds::AttributeType));
                let list = all.iter().find(|one| matches!(one, Holds::List(_)));
                if is_word {
                    self.push(whole(), Role::Keyword, None, false);
                } else if let Some(one) = names_one.or(other).or(list) {
                    self.text_as(text, map, one, path);
                }
            }
            Holds::Word(_) => self.push(whole(), Role::Keyword, None, false),
            Holds::Text | Holds::Whole | Holds::Flag | Holds::Table(_) | Holds::Map(..) | Holds::Anything => {}
        }
    }

    fn function(&mut self, text: &str, at: Range<usize>) {
        let thing = Thing::Function { pack: self.world.pack.to_string(), name: text.to_string() };
        self.push(at, Role::Script, Some(thing), false);
    }

    fn formula(&mut self, text: &str, map: &TextMap, path: &[&str]) {
        let given = self.given(path);
        let own = |at: &Range<usize>| range(map.span(at.clone()));
        for word in expression_words(text, &given, self.world) {
            let thing = match word.thing {
                // A place inside the text is one of the file; that of a parameter is one already.
                Some(Thing::Local { name, given: Some(place) })
                    if !given.iter().any(|(known, at)| *known == name && *at == Some(place)) =>
                {
                    let at = own(&(place.0..place.1));
                    Some(Thing::Local { name, given: Some((at.start, at.end)) })
                }
                thing => thing,
            };
            self.found.push(Word { at: own(&word.at), thing, ..word });
        }
    }

    /// The names that a definition gives its texts.
    fn given(&self, path: &[&str]) -> Vec<Given> {
        let (kind, id, key) = match path {
            ["action", id, ..] => ("action", *id, "param"),
            [kind @ ("event" | "set"), id, ..] => (*kind, *id, "args"),
            [_, _, "on" | "replaces" | "reacts", event, ..] => ("event", *event, "args"),
            _ => return Vec::new(),
        };
        let here = self.table.get(kind).and_then(|all| all.below(id)).and_then(|one| one.below(key));
        if let Some(table) = here.and_then(Node::as_table) {
            return table
                .iter()
                .map(|(name, entry)| {
                    let at = range(entry.key);
                    (name.to_string(), Some((at.start, at.end)))
                })
                .collect();
        }
        let there = self.world.definitions.and_then(|all| all.get(kind, id)).and_then(|one| one.below(key));
        there
            .and_then(Node::as_table)
            .into_iter()
            .flat_map(Table::iter)
            .map(|(name, _)| (name.to_string(), None))
            .collect()
    }
}
