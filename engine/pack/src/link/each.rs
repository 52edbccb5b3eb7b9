//! Types from lists: `[card.each]` with `id = "{suit}_{rank}"` stands for one type for each combination of the members
//! of its lists `suit` and `rank`.
//!
//! The types are made before packs and modes patch, so that a patch, a scenario or a report names them like any other
//! type. A patch of the list itself makes them again.

use indexmap::{IndexMap, IndexSet};
use rulepack_model::{Code, Diagnostic, Entry, Node, Span, Table, Value, known_instead};

use super::fields::wrong_type;
use super::lengths::long_name;
use super::merge::is_id;
use super::{BUILT_IN, Definitions};

/// The largest number of types that one list makes.
const MOST_TYPES: usize = 10_000;

/// Keys that say how types are made, and that no type has.
const OWN: [&str; 4] = ["id", "names", "without", "differs"];

/// Fields for people, which may name the members: `title = "{rank} of {suit}"`.
pub(super) const TEMPLATES: [&str; 3] = ["title", "text", "source"];

/// A definition that stands for many types.
#[derive(Debug, Clone)]
pub struct TypeList {
    /// The place of its name.
    pub key: Span,
    /// Its fields.
    pub node: Node,
    /// The types that it makes, in their order.
    pub types: IndexSet<String>,
}

/// Part of a template.
enum Part<'t> {
    Plain(&'t str),
    /// The name of a field, in braces.
    Field(&'t str),
}

/// A member of a list: the fields that a type gets from it.
struct Member {
    at: Span,
    fields: Vec<(String, Entry)>,
}

impl Definitions {
    /// The list that makes a type, as `card.each`.
    pub fn made_by(&self, kind: &str, id: &str) -> Option<&str> {
        let lists = self.lists.iter().filter(|(path, _)| path.split_once('.').is_some_and(|(of, _)| of == kind));
        lists.into_iter().find(|(_, list)| list.types.contains(id)).map(|(path, _)| path.as_str())
    }

    /// Replaces every list of types by its types.
    pub(crate) fn make_types(&mut self, out: &mut Vec<Diagnostic>) {
        let kinds: Vec<String> = self.of("kind").map(|(id, _)| id.to_string()).collect();
        for kind in kinds.iter().filter(|kind| !BUILT_IN.contains(&kind.as_str())) {
            let Some(table) = self.kinds.get(kind).filter(|table| table.iter().any(|(id, it)| is_list(id, &it.node)))
            else {
                continue;
            };
            let symbols = self.kinds.get("symbol");
            let (mut all, mut lists) = (Table::default(), Vec::new());
            for (id, entry) in table.iter() {
                if !is_list(id, &entry.node) {
                    all.entries.insert(id.to_string(), entry.clone());
                    continue;
                }
                let made = types_of(&format!("{kind}.{id}"), &entry.node, symbols, out);
                let types = made.keys().cloned().collect();
                lists.push((id.to_string(), TypeList { key: entry.key, node: entry.node.clone(), types }));
                for (made, (at, node)) in made {
                    match table.entries.get(&made) {
                        Some(other) => out.push(
                            Diagnostic::error(Code::DuplicateId, format!("`{kind}.{made}` is defined twice"))
                                .label(other.key, "defined here")
                                .label(at, format!("`{kind}.{id}` makes it too"))
                                .help(format!("leave it out of the list: `without = [\"{made}\"]`")),
                        ),
                        None => drop(all.entries.insert(made, Entry { key: entry.key, node })),
                    }
                }
            }
            self.kinds.insert(kind.clone(), all);
            self.lists.extend(lists.into_iter().map(|(id, list)| (format!("{kind}.{id}"), list)));
        }
    }

    /// Makes the types of a list again after a patch: fields that are now others, further types, and types no more.
    pub(super) fn make_again(&mut self, path: &str, node: Node, out: &mut Vec<Diagnostic>) {
        let Some((kind, _)) = path.split_once('.') else { return };
        let symbols = self.kinds.get("symbol").cloned();
        let Some(list) = self.lists.get_mut(path) else { return };
        let before = types_of(path, &list.node, symbols.as_ref(), &mut Vec::new());
        let after = types_of(path, &node, symbols.as_ref(), out);
        list.node = node;
        let all = self.kinds.entry(kind.to_string()).or_default();
        for id in before.keys().filter(|id| !after.contains_key(*id)) {
            all.entries.shift_remove(id);
            list.types.shift_remove(id);
        }
        for (id, (_, node)) in after {
            list.types.insert(id.clone());
            let (Some((_, before)), Some(now)) = (before.get(&id), all.get_mut(&id)) else {
                all.entries.insert(id, Entry { key: list.key, node });
                continue;
            };
            let (Some(before), Value::Table(now)) = (before.as_table(), &mut now.value) else { continue };
            let after = node.as_table();
            for key in before.entries.keys().filter(|key| after.is_some_and(|after| after.get(key).is_none())) {
                now.entries.shift_remove(key);
            }
            for (key, entry) in after.into_iter().flat_map(Table::iter) {
                if !before.get(key).is_some_and(|before| before.same_as(&entry.node)) {
                    now.entries.insert(key.to_string(), entry.clone());
                }
            }
        }
    }

    /// What the templates of a translation name, and the types do not have.
    pub(super) fn places_unknown(&self, path: &str, list: &TypeList, translated: &Table) -> Vec<Diagnostic> {
        let kind = path.split_once('.').map_or("", |(kind, _)| kind);
        let Some(first) = list.types.iter().find_map(|id| self.get(kind, id)) else { return Vec::new() };
        let templates = TEMPLATES.into_iter().filter_map(|key| Some((key, translated.get(key)?)));
        templates.filter_map(|(key, template)| unknown_place(&format!("{path}.{key}"), template, first)).collect()
    }

    /// A mistake in what all types of a list share is told once, of the list.
    pub(super) fn told_once(&self, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
        if self.lists.is_empty() {
            return found;
        }
        let mut told: IndexMap<String, (Diagnostic, usize)> = IndexMap::new();
        for (number, found) in found.into_iter().enumerate() {
            let general = Diagnostic { message: self.of_list(&found.message), ..found.clone() };
            let key = match general.message == found.message {
                true => format!("{number}"),
                false => format!("{:?} {} {:?}", found.code, general.message, found.labels),
            };
            let (first, times) = told.entry(key).or_insert((found, 0));
            *times = times.saturating_add(1);
            if *times == 2 {
                first.message = general.message;
                first.help = first.help.take().map(|help| self.of_list(&help));
            }
        }
        told.into_values().map(|(found, _)| found).collect()
    }

    /// A message with the names of lists in the place of the types that they make.
    fn of_list(&self, text: &str) -> String {
        let mut out = String::new();
        for (index, part) in text.split('`').enumerate() {
            if index > 0 {
                out.push('`');
            }
            let (kind, rest) = part.split_once('.').unwrap_or((part, ""));
            let (id, field) = rest.split_once(['.', ' ']).unwrap_or((rest, ""));
            match self.made_by(kind, id) {
                Some(list) if field.is_empty() => out.push_str(list),
                Some(list) => out.push_str(&format!("{list}.{field}")),
                None => out.push_str(part),
            }
        }
        out
    }
}

/// Whether a definition stands for many types.
fn is_list(id: &str, node: &Node) -> bool {
    let template = node.below("id").and_then(Node::as_str);
    id == "each" || template.is_some_and(|template| template.contains('{'))
}

/// The types of a list by id, each with the place of the member of the first list.
fn types_of(
    path: &str,
    node: &Node,
    symbols: Option<&Table>,
    out: &mut Vec<Diagnostic>,
) -> IndexMap<String, (Span, Node)> {
    let mut made = IndexMap::new();
    let Some(fields) = node.as_table() else {
        out.push(wrong_type(node, path, "a table"));
        return made;
    };
    let Some((id, names)) = template_of(path, node, fields, out) else { return made };
    let lists: Option<Vec<Vec<Member>>> = names.iter().map(|name| members(path, name, node, fields, out)).collect();
    let Some(lists) = lists else { return made };
    let number = lists.iter().fold(1_usize, |number, list| number.saturating_mul(list.len()));
    if number > MOST_TYPES {
        let message = format!("`{path}` makes {number} types, and at most {MOST_TYPES} are possible");
        out.push(Diagnostic::error(Code::WrongValue, message).at(node.span).help("use shorter lists"));
        return made;
    }
    for combination in 0..number {
        let Some((at, table)) = combined(combination, &lists, fields, &names) else { continue };
        let own = fill(id, |field| table.get(field).and_then(plain));
        if !is_id(&own) {
            let message = format!("`{path}` makes the name `{own}`, which is no good name");
            let help = "names are written in small letters, digits and `_`, and begin with a letter: change `id`";
            out.push(Diagnostic::error(Code::WrongValue, message).at(at).help(help));
            return made;
        }
        out.extend(long_name(path, &own, at));
        let again = made.insert(own.clone(), (at, Node { span: node.span, value: Value::Table(table) }));
        if let Some((first, _)) = again {
            out.push(
                Diagnostic::error(Code::DuplicateId, format!("`{path}` makes `{own}` twice"))
                    .label(at, "here again")
                    .label(first, "first here")
                    .help("name each member once, and put a sign between the members in `id`: `{suit}_{rank}`"),
            );
        }
    }
    leave_out(path, fields, &mut made, out);
    differ(path, fields, &mut made, out);
    for (_, made) in made.values_mut() {
        let Value::Table(table) = &mut made.value else { continue };
        let title = |name: &str| own_title(symbols, name);
        let word = |field: &str| word_for(field, table.get(field)?, fields.get("names"), title);
        let texts: Vec<(&str, String)> =
            TEMPLATES.into_iter().filter_map(|key| Some((key, fill(table.get(key)?.as_str()?, word)))).collect();
        for (key, text) in texts {
            if let Some(node) = table.get_mut(key) {
                node.value = Value::Str(text);
            }
        }
    }
    refuse_unknown_places(path, fields, &made, out);
    made
}

/// The template of the names, and the lists that it names.
fn template_of<'t>(
    path: &str,
    node: &Node,
    fields: &'t Table,
    out: &mut Vec<Diagnostic>,
) -> Option<(&'t str, Vec<&'t str>)> {
    const HELP: &str = "say how the types are called, with the names of lists in braces: `id = \"{suit}_{rank}\"`";
    let Some(id) = fields.get("id") else {
        let missing = Diagnostic::error(Code::MissingKey, format!("`{path}` needs the key `id`"));
        out.push(missing.at(node.span).help(HELP));
        return None;
    };
    let Some(template) = id.as_str() else {
        out.push(wrong_type(id, &format!("{path}.id"), "a text").help(HELP));
        return None;
    };
    let mut names: Vec<&str> = Vec::new();
    for part in parts(template) {
        match part {
            Part::Field(name) if !names.contains(&name) => names.push(name),
            Part::Field(_) | Part::Plain(_) => {}
        }
    }
    if names.is_empty() {
        let message = format!("`{path}.id` names no list, so that all types would have one name");
        out.push(Diagnostic::error(Code::WrongValue, message).at(id.span).help(HELP));
        return None;
    }
    Some((template, names))
}

/// The members of a list: `["north", "south"]`, `[{ suit = "north", points = 1 }]` or `"2..14"`.
fn members(path: &str, name: &str, node: &Node, fields: &Table, out: &mut Vec<Diagnostic>) -> Option<Vec<Member>> {
    let Some(list) = fields.get(name) else {
        let message = format!("`{path}.id` names `{name}`, and there is no such list");
        let known = fields.entries.keys().map(String::as_str).filter(|key| !OWN.contains(key));
        let at = fields.get("id").map_or(node.span, |id| id.span);
        let help = known_instead(name, known).unwrap_or_else(|| format!("write `{name} = [\"…\", \"…\"]`"));
        out.push(Diagnostic::error(Code::UnknownName, message).at(at).help(help));
        return None;
    };
    let key = fields.key_span(name).unwrap_or(list.span);
    let one = |node: Node| Member { at: node.span, fields: vec![(name.to_string(), Entry { key, node })] };
    if let Some((first, last)) = list.as_str().and_then(range) {
        let most = i64::try_from(MOST_TYPES).unwrap_or(i64::MAX);
        if first > last || last.saturating_sub(first) >= most {
            let message = format!("`{path}.{name}` is no range from a smaller to a larger number");
            out.push(Diagnostic::error(Code::WrongValue, message).at(list.span).help("write `\"2..14\"`"));
            return None;
        }
        return Some((first..=last).map(|number| one(Node { span: list.span, value: Value::Int(number) })).collect());
    }
    let Some(items) = list.as_list().filter(|items| !items.is_empty()) else {
        let wanted = "a list, because `id` names it";
        out.push(
            wrong_type(list, &format!("{path}.{name}"), wanted).help("write `[\"…\", \"…\"]`, or a range `\"2..14\"`"),
        );
        return None;
    };
    let mut all = Vec::new();
    for item in items {
        let member = match &item.value {
            Value::Str(_) | Value::Int(_) | Value::Bool(_) => one(item.clone()),
            Value::Table(table) if table.get(name).and_then(plain).is_some() => {
                let fields = table.iter().map(|(key, entry)| (key.to_string(), entry.clone())).collect();
                Member { at: item.span, fields }
            }
            Value::Table(_) | Value::List(_) | Value::Float(_) | Value::Date(_) => {
                let message = format!("a member of `{path}.{name}` must say its `{name}`");
                let help = format!("write a text, a number, or `{{ {name} = \"…\", … }}` with further fields");
                out.push(Diagnostic::error(Code::WrongType, message).at(item.span).help(help));
                return None;
            }
        };
        all.push(member);
    }
    Some(all)
}

/// `2..14`: the first and the last number.
fn range(text: &str) -> Option<(i64, i64)> {
    let (first, last) = text.split_once("..")?;
    Some((first.trim().parse().ok()?, last.trim().parse().ok()?))
}

/// One combination of members: its place, and the fields of its type. The members of the last list change fastest.
fn combined(number: usize, lists: &[Vec<Member>], fields: &Table, names: &[&str]) -> Option<(Span, Table)> {
    let is_own = |key: &str| !OWN.contains(&key) && !names.contains(&key);
    let mut table = Table::default();
    for (key, entry) in fields.iter().filter(|(key, _)| is_own(key)) {
        table.entries.insert(key.to_string(), entry.clone());
    }
    let (mut rest, mut chosen) = (number, Vec::new());
    for list in lists.iter().rev() {
        chosen.push(list.get(rest.checked_rem(list.len())?)?);
        rest = rest.checked_div(list.len())?;
    }
    for member in chosen.iter().rev() {
        table.entries.extend(member.fields.iter().cloned());
    }
    Some((chosen.last()?.at, table))
}

/// `without = ["first_2"]`, or `without = [{ suit = "first", rank = 2 }]`: combinations that are no types.
fn leave_out(path: &str, fields: &Table, made: &mut IndexMap<String, (Span, Node)>, out: &mut Vec<Diagnostic>) {
    let Some(without) = fields.get("without") else { return };
    let Some(items) = without.as_list() else {
        let help = "write `without = [\"NAME\"]`, or what they have in common: `without = [{ rank = 2 }]`";
        out.push(wrong_type(without, &format!("{path}.without"), "a list").help(help));
        return;
    };
    for item in items {
        let before = made.len();
        match &item.value {
            Value::Str(id) => drop(made.shift_remove(id)),
            Value::Table(common) => made.retain(|_, (_, node)| {
                let is_so = |(key, entry): (&str, &Entry)| node.below(key).is_some_and(|own| own.same_as(&entry.node));
                !common.iter().all(is_so)
            }),
            Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Date(_) | Value::List(_) => {}
        }
        if made.len() == before {
            let known = made.keys().map(String::as_str);
            let help = item.as_str().and_then(|id| known_instead(id, known));
            let message = format!("`{path}` makes no such type, so that nothing is left out");
            out.push(Diagnostic::error(Code::UnknownName, message).at(item.span).maybe_help(help));
        }
    }
}

/// `differs.spades_12 = { points = 13 }`: fields of single types.
fn differ(path: &str, fields: &Table, made: &mut IndexMap<String, (Span, Node)>, out: &mut Vec<Diagnostic>) {
    let Some(differs) = fields.get("differs") else { return };
    let Some(types) = differs.as_table() else {
        let help = "write `differs.NAME = { FIELD = VALUE }`";
        out.push(wrong_type(differs, &format!("{path}.differs"), "a table of types that differ").help(help));
        return;
    };
    for (id, entry) in types.iter() {
        let known: Vec<&str> = made.keys().map(String::as_str).collect();
        let help = known_instead(id, known);
        let Some((_, node)) = made.get_mut(id) else {
            let message = format!("`{path}` makes no `{id}` that could differ");
            out.push(Diagnostic::error(Code::UnknownName, message).at(entry.key).maybe_help(help));
            continue;
        };
        let (Some(own), Value::Table(table)) = (entry.node.as_table(), &mut node.value) else {
            let help = "write `{ FIELD = VALUE }`, with what differs";
            out.push(wrong_type(&entry.node, &format!("{path}.differs.{id}"), "a table of fields").help(help));
            continue;
        };
        table.entries.extend(own.iter().map(|(key, entry)| (key.to_string(), entry.clone())));
    }
}

/// Refuses `{…}` in a title that names no field of the types.
fn refuse_unknown_places(path: &str, fields: &Table, made: &IndexMap<String, (Span, Node)>, out: &mut Vec<Diagnostic>) {
    let Some((_, (_, first))) = made.first() else { return };
    for key in TEMPLATES {
        let Some(template) = fields.get(key) else { continue };
        out.extend(unknown_place(&format!("{path}.{key}"), template, first));
    }
}

/// The first `{…}` of a template that names no field of a type.
pub(super) fn unknown_place(what: &str, template: &Node, of: &Node) -> Option<Diagnostic> {
    let named = parts(template.as_str()?).filter_map(|part| match part {
        Part::Field(name) => Some(name),
        Part::Plain(_) => None,
    });
    let is_known = |name: &&str| of.below(name).and_then(plain).is_some();
    let unknown = named.into_iter().find(|name| !is_known(name))?;
    let known = of.as_table().into_iter().flat_map(Table::iter).filter(|(_, entry)| plain(&entry.node).is_some());
    let known: Vec<&str> = known.map(|(key, _)| key).filter(|key| !TEMPLATES.contains(key)).collect();
    let message = format!("`{what}` names `{unknown}`, which is no field of these types");
    Some(Diagnostic::error(Code::UnknownName, message).at(template.span).maybe_help(known_instead(unknown, known)))
}

/// A template with its fields filled in; what is unknown stays as it is.
pub(super) fn fill(template: &str, field: impl Fn(&str) -> Option<String>) -> String {
    let mut text = String::new();
    for part in parts(template) {
        match part {
            Part::Plain(plain) => text.push_str(plain),
            Part::Field(name) => match field(name) {
                Some(word) => text.push_str(&word),
                None => text.push_str(&format!("{{{name}}}")),
            },
        }
    }
    text
}

/// Whether a template has words of its own, which need a translation.
pub(super) fn has_words(template: &str) -> bool {
    parts(template).any(|part| matches!(part, Part::Plain(text) if text.chars().any(char::is_alphabetic)))
}

/// The parts of a template. A brace that is not closed is a plain sign.
fn parts(template: &str) -> impl Iterator<Item = Part<'_>> {
    let mut rest = template;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        if let Some((name, after)) = rest.strip_prefix('{').and_then(|inner| inner.split_once('}'))
            && is_id(name)
        {
            rest = after;
            return Some(Part::Field(name));
        }
        let begin = rest.char_indices().skip(1).find(|(_, letter)| *letter == '{').map_or(rest.len(), |(at, _)| at);
        let (plain, after) = rest.split_at_checked(begin)?;
        rest = after;
        Some(Part::Plain(plain))
    })
}

/// The word for a field in a text for people: from `names`, or the title of a symbol, or the value itself.
pub(super) fn word_for(
    field: &str,
    value: &Node,
    names: Option<&Node>,
    symbol: impl Fn(&str) -> Option<String>,
) -> Option<String> {
    let own = plain(value)?;
    let named = names.and_then(|names| names.below(field)).and_then(Node::as_table);
    let named = named.and_then(|named| named.get(&own)).and_then(Node::as_str).map(str::to_string);
    let text = value.as_str().map(|text| symbol(text).unwrap_or_else(|| text.replace('_', " ")));
    named.or(text).or(Some(own))
}

/// The title of a symbol in the language of its pack.
fn own_title(symbols: Option<&Table>, name: &str) -> Option<String> {
    symbols?.get(name)?.below("title")?.as_str().map(str::to_string)
}

/// A value as a part of a name.
fn plain(node: &Node) -> Option<String> {
    match &node.value {
        Value::Str(text) => Some(text.clone()),
        Value::Int(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        Value::Float(_) | Value::Date(_) | Value::List(_) | Value::Table(_) => None,
    }
}
