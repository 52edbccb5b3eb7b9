//! The places where a pack can be changed: a walk over its definitions. Texts for people are left out.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use rulepack_lua::mutations;
use rulepack_model::{FileId, Node, Sources, Span, Table, Value};
use rulepack_pack::TextUse;

use super::expressions::text_mutants;
use super::{Class, Mutant, MutateError, Operator};
use crate::coverage::load_all;
use crate::load::{GameBox, Library};
use crate::scenario::TargetError;

/// Kinds of definitions that no game reads.
const UNREAD: [&str; 7] = ["rule", "example", "component", "look", "prompt", "word", "symbol"];

/// Keys whose values no game reads, or that only name things.
const PASSED_OVER: [&str; 18] = [
    "title",
    "text",
    "source",
    "note",
    "prompt",
    "plural",
    "only_in",
    "was",
    "type",
    "args",
    "rows",
    "columns",
    "extends",
    "needs",
    "abstract",
    "starts_in",
    "scope",
    "printing_of",
];

/// Keys that cannot be left out.
const NEEDED: [&str; 8] = ["is", "base", "points", "from", "do", "by", "what", "room"];

/// Lists that still make sense without one element.
const LISTS: [&str; 9] = ["sequence", "actions", "holds", "of", "surcharge", "tie_breaks", "remove", "cost", "marks"];

/// Tables of hooks.
const HOOKS: [&str; 4] = ["on", "replaces", "reacts", "modifies"];

/// All small changes of a pack, in the order of its files.
///
/// # Errors
/// If there is no such pack, or it has mistakes.
pub fn mutants(library: &Library, pack: &str) -> Result<Vec<Mutant>, MutateError> {
    if !library.has(pack) {
        return Err(TargetError::NotThere(pack.to_string(), String::new()).into());
    }
    library.hold();
    let has_game = library.has_game(pack);
    let mut boxes = if has_game { load_all(library, pack).map_err(MutateError::Mistakes)? } else { Vec::new() };
    // Texts of an abstract mode are compiled only for modes that extend it, texts of a library for packs that need it.
    for other in library.built_on(pack) {
        boxes.extend(load_all(library, &other).unwrap_or_default());
    }
    if boxes.is_empty() {
        return Err(MutateError::Unneeded(pack.to_string()));
    }
    let known = Known::new(&boxes);
    let mut mutants = Vec::new();
    let files = library.definition_files(pack);
    let scripts = library.script_files(pack);
    let sources = library.sources();
    for (file, table) in files {
        let Some(source) = sources.get(file) else { continue };
        let place = Place { sources: &sources, file, path: &source.path, text: &source.text };
        let mut walk = Walk { place, known: &known, definition: String::new(), kind: String::new(), out: Vec::new() };
        walk.definitions(&table);
        mutants.extend(in_order(walk.out));
    }
    for file in scripts {
        let Some(source) = sources.get(file) else { continue };
        let place = Place { sources: &sources, file, path: &source.path, text: &source.text };
        let found = mutations(&source.text).into_iter().map(|site| {
            let change = Change::new(site.start..site.end, site.replacement, site.what);
            place.mutant(change, Class::Behaviour, Operator::Lua, &source.path)
        });
        mutants.extend(in_order(found.collect()));
    }
    Ok(mutants)
}

fn in_order(mut mutants: Vec<Mutant>) -> Vec<Mutant> {
    mutants.sort_by_key(|mutant| (mutant.range.start, mutant.range.end));
    let mut seen = BTreeSet::new();
    mutants.retain(|mutant| seen.insert((mutant.range.start, mutant.range.end, mutant.replacement.clone())));
    mutants
}

/// Facts about the texts of the pack, from the linked games.
pub(super) struct Known {
    /// Texts that were compiled, by place.
    texts: BTreeMap<Span, TextUse>,
    /// Required attributes.
    needed: BTreeSet<Span>,
    /// Resources in the order of their definition, each with possible replacements, the best first.
    swaps: BTreeMap<String, Vec<String>>,
}

impl Known {
    fn new(boxes: &[GameBox]) -> Self {
        let mut texts = BTreeMap::new();
        let mut needed = BTreeSet::new();
        let mut swaps = BTreeMap::new();
        for game_box in boxes {
            texts.extend(game_box.catalogue().texts.iter().map(|text| (text.span, text.used)));
            needed.extend(&game_box.catalogue().needed);
            let rules = game_box.rules();
            let all = &rules.resources;
            let groups_of = |index: usize| -> BTreeSet<usize> {
                let holds = |group: &rulepack_kernel::ruleset::Group| {
                    group.members.iter().any(|member| member.index() == index)
                };
                rules.groups.iter().enumerate().filter(|(_, group)| holds(group)).map(|(index, _)| index).collect()
            };
            for (index, resource) in all.iter().enumerate() {
                let groups = groups_of(index);
                // The following ones in the order of the pack, those with a similar use first.
                let mut others: Vec<usize> = (1..all.len()).map(|step| (index + step) % all.len()).collect();
                others.retain(|other| all[*other].kept == resource.kept);
                others.sort_by_key(|other| groups.is_disjoint(&groups_of(*other)));
                let others = others.into_iter().map(|other| all[other].name.clone());
                swaps.entry(resource.name.clone()).or_insert_with(|| others.collect());
            }
        }
        Known { texts, needed, swaps }
    }

    /// A replacement for a resource, if possible none of the resources in the same text.
    pub(super) fn swap(&self, resource: &str, beside: &[&str]) -> Option<&str> {
        let others = self.swaps.get(resource)?;
        others.iter().find(|other| !beside.contains(&other.as_str())).map(String::as_str)
    }

    pub(super) fn is_resource(&self, name: &str) -> bool {
        self.swaps.contains_key(name)
    }
}

/// The replacement of a range of a file.
pub(super) struct Change {
    range: Range<usize>,
    replacement: String,
    what: String,
}

impl Change {
    pub(super) fn new(range: Range<usize>, replacement: impl Into<String>, what: impl Into<String>) -> Self {
        Change { range, replacement: replacement.into(), what: what.into() }
    }
}

/// A file that is changed.
pub(super) struct Place<'s> {
    pub(super) sources: &'s Sources,
    file: FileId,
    path: &'s str,
    text: &'s str,
}

impl Place<'_> {
    fn mutant(&self, change: Change, class: Class, operator: Operator, definition: &str) -> Mutant {
        let Change { range, replacement, what } = change;
        // A cut may begin with the white space before the removed text.
        let skipped =
            self.text[range.clone()].len() - self.text[range.clone()].trim_start_matches([' ', '\n', ',']).len();
        let shown = if skipped < range.len() { range.start + skipped } else { range.start };
        let (path, line, column) = self.sources.position(Span::new(self.file, shown, shown));
        let text = self.text.lines().nth(line - 1).unwrap_or("").trim().to_string();
        let definition = definition.to_string();
        debug_assert_eq!(path, self.path);
        Mutant { path, line, column, what, class, operator, text, range, replacement, definition }
    }

    pub(super) fn raw(&self, span: Span) -> &str {
        self.sources.text(span)
    }
}

struct Walk<'s> {
    place: Place<'s>,
    known: &'s Known,
    kind: String,
    definition: String,
    out: Vec<Mutant>,
}

impl Walk<'_> {
    fn definitions(&mut self, file: &Table) {
        for (kind, entry) in file.iter().filter(|(kind, _)| !UNREAD.contains(kind)) {
            let Some(ids) = entry.node.as_table() else { continue };
            match kind {
                "patch" => self.patches(ids),
                "game" => {
                    (self.kind, self.definition) = (kind.to_string(), kind.to_string());
                    self.fields(ids, &[]);
                }
                _ => {
                    for (id, entry) in ids.iter() {
                        (self.kind, self.definition) = (kind.to_string(), id.to_string());
                        let Some(fields) = entry.node.as_table() else { continue };
                        if kind == "mode" {
                            if let Some(patches) = fields.get("patch").and_then(Node::as_table) {
                                self.patches(patches);
                            }
                            (self.kind, self.definition) = (kind.to_string(), id.to_string());
                        }
                        self.fields(fields, &[]);
                    }
                }
            }
        }
    }

    fn patches(&mut self, kinds: &Table) {
        for (kind, entry) in kinds.iter().filter(|(kind, _)| !UNREAD.contains(kind)) {
            let Some(ids) = entry.node.as_table() else { continue };
            self.kind = kind.to_string();
            if kind == "game" {
                self.definition = kind.to_string();
                self.fields(ids, &[]);
                continue;
            }
            for (id, entry) in ids.iter() {
                self.definition = id.to_string();
                if let Some(fields) = entry.node.as_table() {
                    self.fields(fields, &[]);
                }
            }
        }
    }

    /// The fields of a definition, of a patch, or of a table inside one; `path` leads there.
    fn fields(&mut self, table: &Table, path: &[&str]) {
        for (key, entry) in table.iter() {
            // What bots go by, and disclosures: scenarios test neither.
            let is_unseen = path.is_empty()
                && [("action", "weight"), ("action", "disclose"), ("game", "evaluate")].contains(&(&*self.kind, key));
            let is_patches = self.kind == "mode" && key == "patch";
            if PASSED_OVER.contains(&key) || is_unseen || is_patches {
                continue;
            }
            let inner: Vec<&str> = path.iter().copied().chain([key]).collect();
            let is_patch = |table: &Table| ["was", "now", "adds"].iter().any(|key| table.get(key).is_some());
            match entry.node.as_table().filter(|table| is_patch(table)) {
                Some(changes) => {
                    self.leave_out_patch(entry.key, &entry.node, key);
                    // The values of a patch are read like the field that it patches.
                    for new in ["now", "adds"].iter().filter_map(|word| changes.get(word)) {
                        self.value(new, &inner, false, &[]);
                    }
                }
                None => {
                    let removed = self.remove(entry.key, &entry.node, &inner);
                    self.value(&entry.node, &inner, removed, &[]);
                }
            }
        }
    }

    /// A value; `removed` says whether there is a mutant without it.
    fn value(&mut self, node: &Node, path: &[&str], removed: bool, beside: &[&str]) {
        match &node.value {
            Value::Int(number) => {
                let next = number.saturating_add(1);
                let is_count = path.iter().any(|key| ["count", "times"].contains(key));
                let operator = if is_count { Operator::Count } else { Operator::Number };
                let change = Change::new(range(node.span), next.to_string(), format!("{number} → {next}"));
                self.add(change, Class::Data, operator);
            }
            Value::Str(text) => match self.known.texts.get(&node.span) {
                Some(used) => {
                    for (change, class, operator) in
                        text_mutants(text, node.span, *used, removed, &self.place, self.known)
                    {
                        self.add(change, class, operator);
                    }
                }
                None => self.plain(node, text, path, beside),
            },
            Value::List(items) => {
                let names: Vec<&str> = items.iter().filter_map(Node::as_str).collect();
                for item in items {
                    self.value(item, path, false, &names);
                }
                self.drop_elements(items, path);
            }
            Value::Table(table) => self.fields(table, path),
            Value::Float(_) | Value::Bool(_) | Value::Date(_) => {}
        }
    }

    /// A text that is not compiled: a name, or one of a few words.
    fn plain(&mut self, node: &Node, text: &str, path: &[&str], beside: &[&str]) {
        if path == ["limit"] {
            let more = match text.split_once(" per ") {
                Some(("once", per)) => format!("twice per {per}"),
                Some(("twice", per)) => format!("3 times per {per}"),
                _ => return,
            };
            let what = format!("{text} → {more}");
            self.add(Change::new(range(node.span), format!("\"{more}\""), what), Class::Data, Operator::Count);
        } else if let Some(other) = self.known.swap(text, beside) {
            let what = format!("{text} → {other}");
            self.add(Change::new(range(node.span), format!("\"{other}\""), what), Class::Data, Operator::Resource);
        }
    }

    fn drop_elements(&mut self, items: &[Node], path: &[&str]) {
        let is_text = |node: &Node| self.known.texts.contains_key(&node.span);
        let is_way = self.kind == "adjacency" && path.first() == Some(&"from");
        let makes_sense = path.iter().any(|key| LISTS.contains(key)) || is_way || items.iter().all(is_text);
        if items.len() < 2 || !makes_sense {
            return;
        }
        // A step is a row and a number: it is dropped as a whole.
        if is_way && items.iter().all(|item| item.as_list().is_none()) {
            return;
        }
        let is_empty = |node: &Node| node.as_str() == Some("");
        for (index, item) in items.iter().enumerate() {
            // Dropping one of two equal elements gives the same list; an empty element at the end means nothing.
            let repeats = items.get(index + 1).is_some_and(|next| next.same_as(item));
            if repeats || items[index..].iter().all(is_empty) {
                continue;
            }
            let cut = match items.get(index + 1) {
                Some(next) => item.span.start as usize..next.span.start as usize,
                None => items[index - 1].span.end as usize..item.span.end as usize,
            };
            let class = match self.known.texts.get(&item.span) {
                Some(TextUse::Effect | TextUse::Condition) => Class::Behaviour,
                _ => Class::Data,
            };
            let what = format!("without {}", one_line(self.place.raw(item.span)));
            self.add(Change::new(cut, "", what), class, Operator::Element);
        }
    }

    /// Removes a key with a condition, an effect, a value or a hook, if it is optional.
    fn remove(&mut self, key: Span, node: &Node, path: &[&str]) -> bool {
        let Some((name, before)) = path.split_last() else { return false };
        let is_standing = self.kind == "standing" && ["when", "effect"].contains(name);
        if NEEDED.contains(name) || is_standing {
            return false;
        }
        let is_hook = before.len() == 1 && HOOKS.contains(&before[0]);
        let is_script =
            self.kind == "phase" && path == ["turns", "order"] && node.as_str().is_some_and(|text| text.contains('.'));
        let is_text =
            matches!(self.known.texts.get(&node.span), Some(TextUse::Condition | TextUse::Effect | TextUse::Value));
        // A table with a header of its own cannot be cut out as an entry.
        let has_header = self.place.raw(node.span).starts_with('[');
        if !(is_hook || is_script || is_text) || has_header {
            return false;
        }
        let what = format!("without `{}`", path.join("."));
        let is_default = self.kind == "kind" && path.first() == Some(&"attributes") && *name == "default";
        let change = match self.known.texts.get(&node.span).filter(|_| self.known.needed.contains(&node.span)) {
            // A required key is emptied instead.
            Some(used) => Change::new(range(node.span), nothing(*used), what),
            // Without its default, types may lack the attribute.
            None if is_default => Change::new(key.start as usize..node.span.end as usize, "optional = true", what),
            None => Change::new(cut_entry(self.place.text, key, node.span), "", what),
        };
        self.add(change, Class::Behaviour, Operator::Removal);
        true
    }

    fn leave_out_patch(&mut self, key: Span, node: &Node, name: &str) {
        if self.place.raw(node.span).starts_with('[') || !self.place.raw(node.span).starts_with('{') {
            return;
        }
        let cut = cut_entry(self.place.text, key, node.span);
        let inside = Span::new(node.span.file, node.span.start as usize, node.span.end as usize);
        let texts = self
            .known
            .texts
            .iter()
            .filter(|(span, _)| span.file == inside.file && inside.start <= span.start && span.end <= inside.end);
        let behaves = texts.into_iter().any(|(_, used)| *used != TextUse::Cost);
        let class = if behaves { Class::Behaviour } else { Class::Data };
        let what = format!("without the patch of `{name}`");
        self.add(Change::new(cut, "", what), class, Operator::Patch);
    }

    fn add(&mut self, change: Change, class: Class, operator: Operator) {
        let mutant = self.place.mutant(change, class, operator, &self.definition);
        self.out.push(mutant);
    }
}

/// A text that means the same as no text.
fn nothing(used: TextUse) -> &'static str {
    match used {
        TextUse::Condition => "\"false\"",
        TextUse::Value | TextUse::Set => "\"0\"",
        TextUse::Cost | TextUse::Effect => "\"\"",
    }
}

fn range(span: Span) -> Range<usize> {
    span.start as usize..span.end as usize
}

/// A text without its line ends.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The range to remove so that a key and its value are gone: the line, or the part between two commas.
fn cut_entry(text: &str, key: Span, value: Span) -> Range<usize> {
    let is_key = |letter: char| letter.is_alphanumeric() || "_-.\"' \t".contains(letter);
    let start = text[..key.start as usize].trim_end_matches(is_key).len();
    let end = value.end as usize;
    match text[..start].chars().next_back() {
        Some(',') => start - 1..end,
        Some('{') => {
            let rest = &text[end..];
            let after = rest.trim_start();
            let comma = after.strip_prefix(',').map_or(0, |after| rest.len() - after.len());
            start..end + comma
        }
        _ => start..text[end..].find('\n').map_or(text.len(), |newline| end + newline + 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn cut(text: &str, key: &str, value: &str) -> String {
        let file = FileId(0);
        let span = |part: &str| {
            let at = text.find(part).unwrap();
            Span::new(file, at, at + part.len())
        };
        let range = cut_entry(text, span(key), span(value));
        format!("{}{}", &text[..range.start], &text[range.end..])
    }

    #[test]
    fn entries_are_cut_out_whole() {
        assert_eq!(cut("a = 1\non.sold = 'x' # why\nb = 2\n", "sold", "'x'"), "a = 1\nb = 2\n");
        assert_eq!(cut("a = { b = 1, when = 'x' }", "when", "'x'"), "a = { b = 1 }");
        assert_eq!(cut("a = { when = 'x', b = 1 }", "when", "'x'"), "a = { b = 1 }");
        assert_eq!(cut("a = { when = 'x' }", "when", "'x'"), "a = { }");
    }
}
