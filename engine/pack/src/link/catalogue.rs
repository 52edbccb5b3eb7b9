//! Data for reports: the pack's own lists of rules, examples and components.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexmap::IndexMap;
use rulepack_model::{Code, Diagnostic, FileId, Node, Span, known_instead};

use super::fields::Fields;
use super::modes::players_of_mode;
use super::{CompiledText, Definitions, Linker, ModeInfo};

/// Lists and files that are not rules of play.
#[derive(Debug, Clone)]
pub struct Catalogue {
    /// The name in the manifest of the pack that is played: the place of mistakes of the pack as a whole.
    pub manifest: Span,
    /// Rules by id.
    pub rules: IndexMap<String, RuleEntry>,
    /// The rulebook's worked examples by id.
    pub examples: IndexMap<String, RuleEntry>,
    /// The list of components.
    pub components: Vec<Component>,
    /// All modes, in use or not.
    pub modes: Vec<ModeInfo>,
    /// All definitions as linked, every field with its place.
    pub definitions: Definitions,
    /// The pack of each file.
    pub files: Arc<BTreeMap<FileId, String>>,
    /// The compiled texts, by place.
    pub texts: BTreeSet<CompiledText>,
    /// Required attributes of types, by the place of their values.
    pub needed: BTreeSet<Span>,
}

/// A rule or an example.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RuleEntry {
    /// Its text.
    pub text: String,
    /// The reason why no program can show it, if there is one.
    pub not_shown: Option<String>,
    /// Its place.
    pub span: Span,
}

/// An entry of the list of components.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Component {
    /// Its id.
    pub id: String,
    /// The piece or resource that it counts, if any.
    pub what: Option<String>,
    /// The number.
    pub count: i64,
    /// The source of the number.
    pub source: Option<String>,
    /// Its place.
    pub span: Span,
}

impl Catalogue {
    /// The modes that some modes bring into use, including themselves.
    pub fn brought_by<'m>(&'m self, asked: &[&'m str]) -> BTreeSet<&'m str> {
        let mut all = BTreeSet::new();
        let mut waiting = asked.to_vec();
        while let Some(id) = waiting.pop() {
            if all.insert(id)
                && let Some(mode) = self.modes.iter().find(|mode| mode.id == id)
            {
                waiting.extend(mode.extends.iter().map(|word| word.text.as_str()));
            }
        }
        all
    }

    /// The number of players of a mode, its own or that of a mode that it extends.
    pub fn players_of(&self, mode: &str) -> Option<u8> {
        players_of_mode(|id| self.modes.iter().find(|mode| mode.id == id), mode)
    }

    /// The pack that a place belongs to.
    pub fn pack_of(&self, span: Span) -> &str {
        self.files.get(&span.file).map_or("", String::as_str)
    }
}

/// A component with a number that can be compared.
struct Counted<'d> {
    id: &'d str,
    count: i64,
    at: Span,
    piece: Option<&'d str>,
    resource: Option<&'d str>,
}

impl Linker<'_> {
    /// This table is built last, because it takes over the definitions.
    pub(crate) fn catalogue(&mut self) -> Catalogue {
        let rules = self.entries("rule");
        let examples = self.entries("example");
        let components = self.components();
        Catalogue {
            manifest: self.at,
            rules,
            examples,
            components,
            modes: self.modes.values().cloned().collect(),
            definitions: std::mem::take(&mut self.definitions),
            files: Arc::clone(&self.files),
            texts: std::mem::take(&mut self.texts),
            needed: std::mem::take(&mut self.required.said),
        }
    }

    fn entries(&mut self, kind: &str) -> IndexMap<String, RuleEntry> {
        let mut out = Vec::new();
        let mut entries = IndexMap::new();
        for (id, entry) in self.definitions.of(kind) {
            let Some(mut fields) = Fields::of(&entry.node, format!("{kind}.{id}"), &mut out) else { continue };
            let text = fields.text("text", &mut out).unwrap_or("").to_string();
            let shown = fields.get("shown");
            fields.also(&["only_in", "source"]);
            let reason = shown.and_then(Node::as_str).and_then(|text| text.strip_prefix("no: "));
            if let (Some(node), None) = (shown, reason) {
                out.push(
                    Diagnostic::error(Code::WrongValue, format!("`{kind}.{id}.shown` needs a reason"))
                        .at(node.span)
                        .help("write `shown = \"no: REASON\"`, or leave the key out"),
                );
            }
            let not_shown = reason.map(str::to_string);
            fields.done(&mut out);
            entries.insert(id.to_string(), RuleEntry { text, not_shown, span: entry.key });
        }
        self.out.extend(out);
        entries
    }

    /// Reads the list of components and compares it with what is defined.
    fn components(&mut self) -> Vec<Component> {
        let mut out = Vec::new();
        let mut components = Vec::new();
        // By what they count: how many are defined, and the components that count it.
        let mut counted: BTreeMap<String, (i64, Vec<Counted<'_>>)> = BTreeMap::new();
        for (id, entry) in self.definitions.of("component") {
            let Some(mut fields) = Fields::of(&entry.node, format!("component.{id}"), &mut out) else { continue };
            let piece = fields.text("piece", &mut out);
            let resource = fields.text("resource", &mut out);
            let count = fields.int("count", &mut out).unwrap_or(0);
            let mode = fields.text("mode", &mut out);
            let source = fields.text("source", &mut out).map(str::to_string);
            fields.also(&["note", "only_in"]);
            let at = fields.get("count").map_or(entry.key, |node| node.span);
            fields.done(&mut out);
            components.push(Component {
                id: id.to_string(),
                what: piece.or(resource).map(str::to_string),
                count,
                source,
                span: entry.key,
            });
            let in_use = mode.is_none_or(|mode| self.vocabulary.modes.get(mode).copied().unwrap_or(false));
            if !in_use {
                continue;
            }
            let found = match (piece, resource) {
                (Some(path), _) => self.declared_count(path),
                (None, Some(resource)) => {
                    self.vocabulary.resources.get(resource).map(|res| self.rules.resource(*res).supply.map(i64::from))
                }
                (None, None) => continue,
            };
            match found {
                // The box contains it, and the present modes do not use it.
                None if piece.is_some_and(|path| self.definitions.absent.contains_key(path)) => {}
                None => {
                    let what = piece.or(resource).unwrap_or("");
                    let at =
                        entry.node.as_table().and_then(|table| table.get("piece").or_else(|| table.get("resource")));
                    let known = match what.split_once('.') {
                        Some((kind, _)) => self.definitions.of(kind).map(|(id, _)| format!("{kind}.{id}")).collect(),
                        None => self.vocabulary.resources.keys().cloned().collect::<Vec<String>>(),
                    };
                    out.push(
                        Diagnostic::error(Code::UnknownName, format!("`{what}` is not defined"))
                            .at(at.map_or(entry.key, |node| node.span))
                            .maybe_help(known_instead(what, known.iter().map(String::as_str))),
                    );
                }
                // An unlimited supply, and copies for each player, have no number to compare with.
                Some(None) => {}
                Some(Some(found)) => {
                    let what = piece.map_or_else(|| format!("resource.{}", resource.unwrap_or("")), str::to_string);
                    let all = &mut counted.entry(what).or_insert((found, Vec::new())).1;
                    all.push(Counted { id, count, at, piece, resource });
                }
            }
        }
        for (found, all) in counted.values() {
            let count = all.iter().fold(0, |sum: i64, one| sum.saturating_add(one.count));
            let [first, more @ ..] = all.as_slice() else { continue };
            if count == *found {
                continue;
            }
            let names: Vec<String> = all.iter().map(|one| format!("`component.{}`", one.id)).collect();
            let message = match more {
                [] => format!("{} counts {count}, but {found} are defined", names.join("")),
                _ => format!("{} count {count} together, but {found} are defined", names.join(" and ")),
            };
            let mut miscount = Diagnostic::warning(Code::ComponentCount, message).at(first.at);
            for one in more {
                miscount = miscount.label(one.at, "counted here as well");
            }
            for span in self.counted_at(first.piece, first.resource) {
                miscount = miscount.label(span, "defined here");
            }
            let help = match more {
                [] => "count again, and correct whichever of the two is wrong",
                _ => "several components of one thing add up: count again, and correct what is wrong",
            };
            out.push(miscount.help(help));
        }
        self.out.extend(out);
        components
    }

    /// The places that give the number of a piece (its further printings included) or of a resource.
    fn counted_at(&self, piece: Option<&str>, resource: Option<&str>) -> Vec<Span> {
        let (kind, id, key) = match (piece.and_then(|path| path.split_once('.')), resource) {
            (Some((kind, id)), _) => (kind, id, "count"),
            (None, Some(id)) => ("resource", id, "supply"),
            (None, None) => return Vec::new(),
        };
        let copies = self.copies.iter().filter(|(_, root)| *root == id).map(|(copy, _)| copy.as_str());
        let place = |id: &str| {
            let entry = self.definitions.kinds.get(kind)?.entries.get(id)?;
            let said = entry.node.as_table().and_then(|table| table.get(key));
            Some(said.map_or(entry.key, |node| node.span))
        };
        std::iter::once(id).chain(copies).filter_map(place).collect()
    }

    /// The number of copies that a type declares; `Some(None)` if it depends on the players.
    fn declared_count(&self, path: &str) -> Option<Option<i64>> {
        let (kind, id) = path.split_once('.')?;
        if let Some(list) = self.definitions.lists.get(path) {
            let mut counts = list.types.iter().map(|id| self.declared_count(&format!("{kind}.{id}")).flatten());
            return Some(counts.try_fold(0, |sum: i64, count| Some(sum.saturating_add(count?))));
        }
        let table = self.definitions.get(kind, id)?.as_table()?;
        let kind_table = self.definitions.get("kind", kind).and_then(Node::as_table);
        let count = table.get("count").or_else(|| kind_table.and_then(|table| table.get("count")));
        let own = match count {
            None => Some(1),
            // A formula depends on the players or on the type.
            Some(node) => node.as_int(),
        };
        // Printings are copies of the type.
        let differ = self.copies.iter().filter(|(_, root)| *root == id);
        let differ = differ.filter_map(|(copy, _)| self.declared_count(&format!("{kind}.{copy}"))).flatten();
        Some(own.map(|own| differ.fold(own, i64::saturating_add)))
    }
}
