//! What can be written at the cursor: keys, ids, verbs, parameters, and methods of `ctx`.

use std::collections::BTreeSet;

use lsp_types::{
    CompletionItem, CompletionItemKind, CompletionParams, CompletionResponse, Documentation, InsertTextFormat,
    MarkupContent, MarkupKind,
};
use rulepack_expr::{AttrTy, FUNCTIONS};
use rulepack_lua::{LuaWordKind, lua_words};
use rulepack_model::Code;
use rulepack_pack::keys::{Holds, Key, LIST, PATCH, SORTS, TYPE, holds_at, keys_at, sort_named};
use rulepack_script::{ApiField, api, cell_fields, context_fields, piece_fields, seat_fields, zone_fields};
use rulepack_tools::scenario::{CASE_KEYS, FILE_KEYS, GIVEN_KEYS, MATRIX_KEYS, STEP_KEYS, THEN_KEYS};
use rulepack_tools::{ALL_WARNINGS, PROJECT_BOTS, PROJECT_CHECK, PROJECT_FILE, PROJECT_KEYS};

use super::Server;
use super::context::{Context, Inside, context};
use super::document::{Document, FileSort};
use crate::words::{Token, World, about_word, call_around, tokens};

/// What stands for a value in an expression.
const VALUES: [(&str, CompletionItemKind); 10] = [
    ("resource", CompletionItemKind::UNIT),
    ("group", CompletionItemKind::UNIT),
    ("zone", CompletionItemKind::FOLDER),
    ("var", CompletionItemKind::VARIABLE),
    ("value", CompletionItemKind::VARIABLE),
    ("set", CompletionItemKind::VARIABLE),
    ("plural", CompletionItemKind::CLASS),
    ("kind", CompletionItemKind::CLASS),
    ("piece", CompletionItemKind::CONSTANT),
    ("adjacency", CompletionItemKind::FUNCTION),
];

impl Server {
    pub(super) fn complete(&self, params: &CompletionParams) -> Option<CompletionResponse> {
        let at = &params.text_document_position;
        let document = self.documents.get(at.text_document.uri.as_str())?;
        let byte = document.lines.byte(&document.text, at.position);
        let items = if document.path.file_name().is_some_and(|name| name == PROJECT_FILE) {
            self.project_items(&context(&document.text, byte))
        } else {
            let (document, room, pack, sort) = self.open_file(at.text_document.uri.as_str())?;
            let world = room.world(&pack);
            match sort {
                FileSort::Script(_) => script_items(document, byte, &world),
                FileSort::Scenario => scenario_items(&context(&document.text, byte), &world),
                FileSort::Translation => translation_items(&context(&document.text, byte), &world),
                _ => definition_items(document, byte, &world),
            }
        };
        // A key that takes a name or a text offers the names once.
        let mut seen = BTreeSet::new();
        let items = items.into_iter().filter(|item| seen.insert((item.label.clone(), item.detail.clone())));
        Some(CompletionResponse::Array(items.collect()))
    }

    fn project_items(&self, at: &Context) -> Vec<CompletionItem> {
        let path: Vec<&str> = at.path.iter().map(String::as_str).collect();
        let packs = || self.rooms.iter().flat_map(|room| room.library.list()).map(|info| info.id).collect::<Vec<_>>();
        match (&at.inside, path.as_slice()) {
            (Inside::Header(parts), _) if parts.is_empty() => words(&["bots", "check"]),
            (Inside::Key, []) => words(&PROJECT_KEYS),
            (Inside::Key, ["bots"]) => words(&PROJECT_BOTS),
            (Inside::Key, ["check"]) => words(&PROJECT_CHECK),
            (Inside::Text(_), ["pack"]) => {
                packs().into_iter().map(|id| item(&id, CompletionItemKind::MODULE, "pack")).collect()
            }
            (Inside::Text(_), ["check", key]) => {
                let mut codes: Vec<&str> = Code::ALL.iter().map(|code| code.name()).collect();
                codes.extend((*key == "deny").then_some(ALL_WARNINGS));
                words(&codes)
            }
            _ => Vec::new(),
        }
    }
}

fn item(label: &str, kind: CompletionItemKind, detail: &str) -> CompletionItem {
    CompletionItem {
        label: label.to_string(),
        kind: Some(kind),
        detail: Some(detail.to_string()),
        ..CompletionItem::default()
    }
}

fn described(label: &str, kind: CompletionItemKind, detail: &str, about: &str) -> CompletionItem {
    let documentation = MarkupContent { kind: MarkupKind::Markdown, value: about.to_string() };
    CompletionItem { documentation: Some(Documentation::MarkupContent(documentation)), ..item(label, kind, detail) }
}

fn words(all: &[&str]) -> Vec<CompletionItem> {
    all.iter().map(|word| item(word, CompletionItemKind::KEYWORD, "")).collect()
}

fn names(world: &World<'_>, kinds: &[&str]) -> Vec<CompletionItem> {
    let kind_of = |kind: &str| {
        VALUES.iter().find(|(known, _)| *known == kind).map_or(CompletionItemKind::REFERENCE, |(_, kind)| *kind)
    };
    let all = world.all(kinds).into_iter();
    all.map(|(id, kind)| item(&id, kind_of(&kind), &kind)).collect()
}

fn keys<'k>(all: impl IntoIterator<Item = &'k Key>) -> Vec<CompletionItem> {
    all.into_iter().map(|key| described(key.name, CompletionItemKind::PROPERTY, "key", key.about)).collect()
}

/// The path of a field without `patch` and `mode.MODE.patch` before it, and whether they were there.
fn plain_path<'p>(path: &'p [&'p str]) -> (&'p [&'p str], bool) {
    match path {
        ["patch", rest @ ..] | ["mode", _, "patch", rest @ ..] => (rest, true),
        _ => (path, false),
    }
}

fn definition_items(document: &Document, byte: usize, world: &World<'_>) -> Vec<CompletionItem> {
    let at = context(&document.text, byte);
    let path: Vec<&str> = at.path.iter().map(String::as_str).collect();
    let (mut plain, is_patch) = plain_path(&path);
    match &at.inside {
        Inside::Comment => Vec::new(),
        Inside::Header(_) => header_items(&path, world),
        Inside::Key => {
            let mut items = match keys_at(plain) {
                Some(found) => keys(found.into_iter().filter(|key| {
                    sort_named(plain.first().copied().unwrap_or("")).is_some()
                        || !LIST.iter().any(|list| list.name == key.name)
                })),
                None => match holds_at(plain) {
                    Some(Holds::Map(kinds, _)) if !kinds.is_empty() => names(world, kinds),
                    _ => Vec::new(),
                },
            };
            items.extend(attribute_items(plain, world));
            if is_patch && plain.len() >= 3 {
                items.extend(keys(PATCH));
            }
            items
        }
        Inside::Text(before) => {
            if let [field @ .., "was" | "now" | "adds"] = plain {
                plain = field;
            }
            match holds_at(plain).or_else(|| attribute_holds(plain, world)) {
                Some(holds) => text_items(&holds, before, plain, document, byte, world),
                None => Vec::new(),
            }
        }
        Inside::Value => match holds_at(plain) {
            Some(Holds::Flag) => words(&["true", "false"]),
            _ => Vec::new(),
        },
    }
}

fn header_items(path: &[&str], world: &World<'_>) -> Vec<CompletionItem> {
    let (plain, is_patch) = plain_path(path);
    match plain {
        [] => {
            let mut items: Vec<CompletionItem> = SORTS
                .iter()
                .map(|sort| described(sort.name, CompletionItemKind::STRUCT, "definition", sort.about))
                .collect();
            items.extend(names(world, &["kind"]));
            if !is_patch {
                items.extend(words(&["patch", "pack", "needs", "optional", "conflicts"]));
            }
            items
        }
        [kind] if is_patch || *kind == "mode" => {
            let kinds: &[&str] = if world.names.kinds.contains_key(*kind) { &["piece"] } else { plain };
            names(world, kinds)
        }
        [_] => Vec::new(),
        ["mode", _] => words(&["patch"]),
        _ => keys_at(plain).map(keys).unwrap_or_default(),
    }
}

/// The attributes that a type of a kind can set.
fn attribute_items(path: &[&str], world: &World<'_>) -> Vec<CompletionItem> {
    let [kind, _] = path else { return Vec::new() };
    let attribute =
        |name: &str, ty: AttrTy| item(name, CompletionItemKind::FIELD, &format!("attribute: {ty:?}").to_lowercase());
    if *kind == "resource" {
        return world.names.resource_attrs.iter().map(|(name, (_, ty))| attribute(name, *ty)).collect();
    }
    let Some(id) = world.names.kinds.get(*kind) else { return Vec::new() };
    let own = world.names.attrs.iter().filter(|(_, attr)| attr.kinds.contains(id));
    own.map(|(name, attr)| attribute(name, attr.ty)).collect()
}

fn attribute_holds(path: &[&str], world: &World<'_>) -> Option<Holds> {
    use rulepack_pack::TextUse::{Condition, Cost, Effect, Value};
    let [_, _, .., name] = path else { return None };
    Some(match world.attribute(name)? {
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

fn text_items(
    holds: &Holds,
    before: &str,
    path: &[&str],
    document: &Document,
    byte: usize,
    world: &World<'_>,
) -> Vec<CompletionItem> {
    const TYPES: [&str; 8] = ["number", "yes_no", "player", "resource", "symbol", "space", "type", "piece"];
    const ATTRIBUTE_TYPES: [&str; 10] =
        ["number", "yes_no", "text", "resource", "symbol", "piece", "cost", "effect", "amount", "condition"];
    match holds {
        Holds::Name(kinds) => names(world, kinds),
        Holds::Word(all) => words(all),
        Holds::Type => words(&TYPES).into_iter().chain(names(world, &["kind"])).collect(),
        Holds::AttributeType => words(&ATTRIBUTE_TYPES),
        Holds::Path => {
            let kinds: Vec<&str> = SORTS.iter().map(|sort| sort.name).collect();
            let all = world
                .all(&kinds)
                .into_iter()
                .map(|(id, kind)| item(&format!("{kind}.{id}"), CompletionItemKind::REFERENCE, &kind));
            all.collect()
        }
        Holds::Formula(_) => {
            let (mut items, is_value) = expression_items(before, world);
            if is_value {
                items.extend(given_items(path, document, byte, world));
            }
            items
        }
        Holds::List(inner) => text_items(inner, before, path, document, byte, world),
        Holds::Any(all) => all.iter().flat_map(|one| text_items(one, before, path, document, byte, world)).collect(),
        Holds::Text
        | Holds::Whole
        | Holds::Flag
        | Holds::Function
        | Holds::Table(_)
        | Holds::Map(..)
        | Holds::Anything => Vec::new(),
    }
}

/// The parameters of an action, the arguments of an event or a set, and names that the text itself gives.
fn given_items(path: &[&str], document: &Document, byte: usize, world: &World<'_>) -> Vec<CompletionItem> {
    let words = crate::words::definition_words(&document.text, world);
    let here = words.iter().filter(|word| word.at.start.abs_diff(byte) < 4_000);
    let mut seen = BTreeSet::new();
    let mut items = Vec::new();
    for word in here.filter(|word| word.declares) {
        if let Some(crate::words::Thing::Local { name, .. }) = &word.thing
            && seen.insert(name.clone())
        {
            items.push(item(name, CompletionItemKind::VARIABLE, "a name in this file"));
        }
    }
    if let [_, _, "on" | "replaces" | "reacts", event, ..] = path {
        let args = world.definitions.and_then(|all| all.get("event", event)).and_then(|event| event.below("args"));
        for (name, _) in args.and_then(|args| args.as_table()).into_iter().flat_map(|args| args.iter()) {
            if seen.insert(name.to_string()) {
                items.push(item(name, CompletionItemKind::VARIABLE, "an argument of the event"));
            }
        }
    }
    items
}

/// What can follow in an expression, and whether a name of the text itself can.
fn expression_items(before: &str, world: &World<'_>) -> (Vec<CompletionItem>, bool) {
    let tokens = tokens(before);
    let at = |back: usize| {
        let token = tokens.len().checked_sub(back).and_then(|index| tokens.get(index));
        token.and_then(|(at, token)| Some((before.get(at.clone())?, *token, at.end)))
    };
    // The word that is being typed does not count.
    let typing = at(1).is_some_and(|(_, token, end)| token == Token::Word && end == before.len());
    if matches!(at(1), Some((_, Token::Comment, end)) if end == before.len()) {
        return (Vec::new(), false);
    }
    if before.matches('\'').count() % 2 == 1 {
        return (names(world, &["symbol"]), false);
    }
    let last = at(if typing { 2 } else { 1 }).map(|(word, ..)| word);
    let items = match last {
        Some(".") => {
            let mut items = names(world, &["attribute", "resource", "group", "var", "value", "mark"]);
            items.extend(words(&["owner", "type", "cell", "row", "column", "position", "empty"]));
            items
        }
        Some("raise") => names(world, &["event"]),
        Some("do") => names(world, &["action"]),
        Some("either") => names(world, &["prompt"]),
        Some("as") => names(world, &["prompt"]).into_iter().chain(words(&["opponent", "player"])).collect(),
        Some("is") => names(world, &["piece", "kind"]),
        last => {
            let begins = matches!(last, None | Some(";" | "{" | "}" | ">" | "may"));
            let kinds: Vec<&str> = VALUES.iter().map(|(kind, _)| *kind).collect();
            let mut items = names(world, &kinds);
            for word in crate::words::STEP_WORDS
                .iter()
                .chain(&crate::words::KEYWORDS)
                .chain(rulepack_expr::RESERVED.iter())
                .chain(rulepack_expr::MEANT_EVERYWHERE.iter())
                .chain(&FUNCTIONS)
            {
                if items.iter().any(|known| known.label == *word) {
                    continue;
                }
                let is_function = FUNCTIONS.contains(word);
                let kind = if is_function { CompletionItemKind::FUNCTION } else { CompletionItemKind::KEYWORD };
                let mut found = match about_word(word) {
                    Some(about) => described(word, kind, about.form, about.about),
                    None => item(word, kind, ""),
                };
                // Where a step begins, its verbs come first.
                let is_step = crate::words::STEP_WORDS.contains(word);
                found.sort_text = Some(format!("{}{word}", if begins && is_step { 0 } else { 2 }));
                items.push(found);
            }
            return (items, true);
        }
    };
    (items, false)
}

fn scenario_items(at: &Context, world: &World<'_>) -> Vec<CompletionItem> {
    let path: Vec<&str> = at.path.iter().map(String::as_str).collect();
    let path = if path.first() == Some(&"case") { path.get(1..).unwrap_or_default() } else { &path[..] };
    match (&at.inside, path) {
        (Inside::Header(parts), _) if parts.is_empty() => words(&["given", "when", "then", "case", "matrix"]),
        (Inside::Header(_), ["given" | "then"]) => words(&["seat", "zone", "vars", "supply", "each"]),
        (Inside::Key, []) => words(if at.path.is_empty() { &FILE_KEYS } else { &CASE_KEYS }),
        (Inside::Key, ["given"]) => words(&GIVEN_KEYS),
        (Inside::Key, ["then"] | ["when", "then"]) => words(&THEN_KEYS),
        (Inside::Key, ["when"]) => words(&STEP_KEYS),
        (Inside::Key, ["matrix"]) => words(&MATRIX_KEYS),
        (Inside::Key, [.., "vars"]) => names(world, &["var", "value"]),
        (Inside::Key, [.., "supply"]) => names(world, &["resource", "group"]),
        (Inside::Key, [.., "zone"]) => names(world, &["zone"]),
        (Inside::Key, [.., "seat", _] | [.., "each"]) => {
            let mut items = names(world, &["resource", "group", "zone", "var", "value"]);
            items.extend(words(&["score", "scores", "price", "rank", "sees", "holds"]));
            items
        }
        (Inside::Key, _) => names(world, &["resource", "var", "piece"]),
        (Inside::Text(_), ["covers"]) => names(world, &["rule"]),
        (Inside::Text(_), ["example"]) => names(world, &["example"]),
        (Inside::Text(_), [.., "modes"]) => names(world, &["mode"]),
        (Inside::Text(before), [.., "holds"]) => expression_items(before, world).0,
        (Inside::Text(_), ["given", "from"]) => words(&["play", "turn", "setup", "phase:"]),
        (Inside::Text(_), ["about" | "name"]) => Vec::new(),
        (Inside::Text(_), _) => {
            let mut items = names(world, &["action", "piece", "resource", "symbol", "prompt", "zone"]);
            items.extend(words(&["yes", "no", "done", "continue"]));
            items
        }
        (Inside::Header(_) | Inside::Value | Inside::Comment, _) => Vec::new(),
    }
}

fn translation_items(at: &Context, world: &World<'_>) -> Vec<CompletionItem> {
    let path: Vec<&str> = at.path.iter().map(String::as_str).collect();
    match (&at.inside, path.as_slice()) {
        (Inside::Header(_), []) => {
            let sorts = SORTS.iter().map(|sort| item(sort.name, CompletionItemKind::STRUCT, "definition"));
            sorts.chain(names(world, &["kind"])).collect()
        }
        (Inside::Header(_), [kind]) => {
            let types = world.names.types.iter().filter(|(_, (_, of))| world.names.kinds.get(*kind) == Some(of));
            let types = types.map(|(id, _)| item(id, CompletionItemKind::CONSTANT, kind));
            types.chain(if world.names.kinds.contains_key(*kind) { Vec::new() } else { names(world, &path) }).collect()
        }
        (Inside::Key, _) => keys(TYPE.iter().filter(|key| ["title", "text"].contains(&key.name))),
        _ => Vec::new(),
    }
}

fn script_items(document: &Document, byte: usize, world: &World<'_>) -> Vec<CompletionItem> {
    let text = document.text.get(..byte).unwrap_or(&document.text);
    // An open quote would hide what is being typed: the text up to the cursor, closed.
    let line = text.rsplit('\n').next().unwrap_or("");
    let quotes = line.matches('"').count();
    let closed = if quotes % 2 == 1 { format!("{text}\"") } else { text.to_string() };
    let all = lua_words(&closed);
    let here = all.iter().rposition(|word| word.at.start <= byte && byte <= word.at.end);
    let at = |index: usize| all.get(index).and_then(|word| closed.get(word.at.clone())).unwrap_or("");
    let last = here
        .filter(|index| all.get(*index).is_some_and(|word| word.kind != LuaWordKind::Sign))
        .map_or(all.len(), |index| index);
    let before = last.checked_sub(1).map_or("", at);
    if quotes % 2 == 1 {
        let (method, argument) = call_around(&closed, &all, last).unwrap_or_default();
        return names(world, crate::words::kinds_of(method, argument));
    }
    match before {
        ":" => api().iter().map(method_item).collect(),
        "." => {
            let base = last.checked_sub(2).map_or("", at);
            let mut items = names(world, &["attribute", "resource", "group", "var", "value", "mark"]);
            if ["c", "ctx"].contains(&base) {
                return fields(context_fields());
            }
            for field in [piece_fields(), seat_fields(), cell_fields(), zone_fields()].into_iter().flat_map(fields) {
                if !items.iter().any(|known: &CompletionItem| known.label == field.label) {
                    items.push(field);
                }
            }
            items
        }
        _ => Vec::new(),
    }
}

fn fields(all: &[ApiField]) -> Vec<CompletionItem> {
    all.iter().map(|field| described(field.name, CompletionItemKind::FIELD, field.ty, field.doc)).collect()
}

fn method_item(method: &rulepack_script::ApiMethod) -> CompletionItem {
    let params: Vec<String> = method.params.iter().map(|param| format!("{}: {}", param.name, param.ty)).collect();
    let about = format!("{}\n\n```lua\n{}\n```", method.doc, method.example);
    let places = method.params.iter().filter(|param| !param.is_optional()).enumerate();
    let places: Vec<String> = places.map(|(index, param)| format!("${{{}:{}}}", index + 1, param.name)).collect();
    CompletionItem {
        insert_text: Some(format!("{}({})", method.name, places.join(", "))),
        insert_text_format: Some(InsertTextFormat::SNIPPET),
        ..described(method.name, CompletionItemKind::METHOD, &format!("({})", params.join(", ")), &about)
    }
}
