//! The names of all definitions. They are collected before any text is compiled, so that a text may use a definition
//! further down.

use std::collections::BTreeSet;

use rulepack_expr::{AttrId, AttrName, AttrTy, Subject, Ty, ZoneName, is_function, is_part_of_space, means_something};
use rulepack_kernel::ruleset::Type;
use rulepack_model::{
    ActionId, AdjacencyId, Code, Diagnostic, EventId, GroupId, KindId, MarkId, Node, PromptId, ResId, Span, SymId,
    TypeId, ValueId, VarId, ZoneId, did_you_mean, known_instead,
};

use super::Linker;
use super::fields::{Fields, wrong_type};
use super::many::{MOST_ATTRIBUTES, MOST_MARKS, too_many};
use super::merge::reserved;
use super::required::Declared;

/// The largest number of types; no box holds so many.
const MAX_TYPES: usize = 100_000;

const ATTRIBUTE_TYPES: [(&str, AttrTy); 10] = [
    ("number", AttrTy::Int),
    ("yes_no", AttrTy::Bool),
    ("text", AttrTy::Text),
    ("resource", AttrTy::Res),
    ("symbol", AttrTy::Sym),
    ("piece", AttrTy::Type),
    ("cost", AttrTy::Cost),
    ("effect", AttrTy::Effect),
    ("amount", AttrTy::Amount),
    ("condition", AttrTy::Condition),
];

/// The largest depth of kinds above one another, the widest included. Every kind lists those above it.
const MOST_KINDS_ABOVE: usize = 32;

impl Linker<'_> {
    /// Collects every name, so that a text may use a definition further down.
    pub(crate) fn names(&mut self) {
        for (index, (id, _)) in self.ids("resource").into_iter().enumerate() {
            self.vocabulary.resources.insert(id, ResId::from(index));
        }
        for (index, (id, _)) in self.ids("group").into_iter().enumerate() {
            self.vocabulary.groups.insert(id, GroupId::from(index));
        }
        for (index, (id, _)) in self.ids("symbol").into_iter().enumerate() {
            self.rules.symbols.push(id.clone());
            self.vocabulary.symbols.insert(id, SymId::from(index));
        }
        for (index, (id, _)) in self.ids("prompt").into_iter().enumerate() {
            self.rules.prompts.push(id.clone());
            self.vocabulary.prompts.insert(id, PromptId::from(index));
        }
        for (index, (id, _)) in self.ids("kind").into_iter().enumerate() {
            self.vocabulary.kinds.insert(id, KindId::from(index));
        }
        for (index, (id, span)) in self.ids("adjacency").into_iter().enumerate() {
            if is_function(&id) {
                let message = format!("`adjacency.{id}` has the name of a function of the language");
                let help = format!("`{id}(…)` has a meaning of its own: take another name");
                self.out.push(Diagnostic::error(Code::DuplicateId, message).at(span).help(help));
            }
            self.vocabulary.adjacencies.insert(id, AdjacencyId::from(index));
        }
        self.only_texts();
        self.questions();
        self.direction_names();
        self.vocabulary.has_teams = self.definitions.get("game", "teams").is_some();
        self.mark_names();
        self.lineages();
        self.kind_names();
        self.type_names();
        self.zone_names();
        self.event_names();
        self.value_and_var_names();
        self.modified_attributes();
        for (index, (id, _)) in self.ids("action").into_iter().enumerate() {
            let params = self
                .definitions
                .get("action", &id)
                .and_then(Node::as_table)
                .and_then(|table| table.get("param"))
                .and_then(Node::as_table)
                .map_or(0, |params| params.entries.len());
            self.vocabulary.actions.insert(id, (ActionId::from(index), vec![Ty::Any; params]));
        }
    }

    /// Definitions that only give a name for people.
    fn only_texts(&mut self) {
        for kind in ["symbol", "prompt", "word"] {
            for (id, entry) in self.definitions.of(kind) {
                if let Some(mut fields) = Fields::of(&entry.node, format!("{kind}.{id}"), &mut self.out) {
                    fields.also(&["title", "text", "only_in"]);
                    fields.done(&mut self.out);
                }
            }
        }
    }

    /// Names of marks. Every zone may mark its spaces; the same name means the same mark.
    fn mark_names(&mut self) {
        for (zone, entry) in self.definitions.of("zone") {
            let marks = entry.node.as_table().and_then(|table| table.get("marks")).and_then(Node::as_table);
            for (name, mark) in marks.into_iter().flat_map(rulepack_model::Table::iter) {
                if is_part_of_space(name) {
                    let message = format!("a mark cannot be called `{name}`: every space has one");
                    self.out.push(Diagnostic::error(Code::DuplicateId, message).at(mark.key).help("take another name"));
                }
                if self.vocabulary.marks.len() == MOST_MARKS && !self.vocabulary.marks.contains_key(name) {
                    let first = format!("zone.{zone}.marks.{name}");
                    return self.out.push(too_many("marks of spaces", MOST_MARKS, &first, mark.key));
                }
                let next = MarkId::from(self.vocabulary.marks.len());
                self.vocabulary.marks.entry(name.to_string()).or_insert(next);
            }
        }
    }

    /// The plural of a kind.
    fn plural(&self, kind: &str) -> String {
        let said = self.definitions.get("kind", kind).and_then(|node| node.below("plural")).and_then(Node::as_str);
        said.map_or_else(|| format!("{kind}s"), str::to_string)
    }

    /// A kind and all kinds below it, each with its plural.
    pub(super) fn and_below(&self, kind: &str) -> Vec<String> {
        let mut all = vec![kind.to_string()];
        let mut looked_at = 0_usize;
        while let Some(above) = all.get(looked_at).cloned() {
            looked_at = looked_at.saturating_add(1);
            for (id, entry) in self.definitions.of("kind") {
                let is_below = parents_of(&entry.node).iter().any(|(of, _)| *of == above);
                if is_below && !all.iter().any(|known| known == id) {
                    all.push(id.to_string());
                }
            }
        }
        let plurals: Vec<String> = all.iter().map(|id| self.plural(id)).collect();
        all.into_iter().chain(plurals).collect()
    }

    /// Which kind is below which.
    fn lineages(&mut self) {
        let mut parents: Vec<Vec<KindId>> = Vec::new();
        for (id, kind) in self.vocabulary.kinds.clone() {
            let node = self.definitions.get("kind", &id).cloned();
            let mut above = Vec::new();
            for (name, at) in node.as_ref().map(parents_of).unwrap_or_default() {
                match self.vocabulary.kinds.get(name) {
                    Some(parent) if *parent != kind => above.push(*parent),
                    _ => {
                        let known = self.vocabulary.kinds.keys().map(String::as_str).filter(|known| *known != id);
                        let mut wrong =
                            Diagnostic::error(Code::UnknownName, format!("`kind.{id}` cannot be a kind of `{name}`"))
                                .at(at)
                                .help(did_you_mean(name, known).unwrap_or("`of` names another kind".into()));
                        wrong.hidden().unknown.extend(self.and_below(&id));
                        self.out.push(wrong);
                    }
                }
            }
            parents.push(above);
        }
        let above = |kind: KindId| parents.get(kind.index()).map_or(&[][..], Vec::as_slice);
        let mut is_told = false;
        for (id, kind) in self.vocabulary.kinds.clone() {
            let mut line = vec![kind];
            // The first of several kinds comes before the second, with all kinds above it.
            let mut waiting: Vec<KindId> = above(kind).iter().rev().copied().collect();
            while let Some(parent) = waiting.pop() {
                if parent == kind {
                    let table = self.definitions.get("kind", &id).and_then(Node::as_table);
                    let at = table.and_then(|table| table.get("of")).map_or(self.at, |node| node.span);
                    let message = format!("`kind.{id}` is a kind of itself");
                    let help = "`of` must not run in a circle: leave it out of the widest kind";
                    self.out.push(Diagnostic::error(Code::WrongValue, message).at(at).help(help));
                }
                if line.contains(&parent) {
                    continue;
                }
                if line.len() == MOST_KINDS_ABOVE {
                    // The kinds below it are too deep because it is.
                    if !std::mem::replace(&mut is_told, true) {
                        self.out.push(self.too_far_down(&id));
                    }
                    break;
                }
                line.push(parent);
                waiting.extend(above(parent).iter().rev());
            }
            self.vocabulary.lineage.push(line);
        }
        for kind in (0..parents.len()).map(KindId::from) {
            let mut widest = kind;
            // Kinds in a circle have been reported.
            for _ in 0..MOST_KINDS_ABOVE {
                widest = above(widest).first().copied().unwrap_or(widest);
            }
            self.widest.push(widest);
        }
    }

    fn too_far_down(&self, id: &str) -> Diagnostic {
        let table = self.definitions.get("kind", id).and_then(Node::as_table);
        let at = table.and_then(|table| table.get("of")).map_or(self.at, |node| node.span);
        let message = format!("more than {MOST_KINDS_ABOVE} kinds stand above one another, down to `kind.{id}`");
        Diagnostic::error(Code::WrongValue, message).at(at).help("leave out kinds in between, or make them attributes")
    }

    fn kind_names(&mut self) {
        let mut out = Vec::new();
        for (id, kind) in self.vocabulary.kinds.clone() {
            let Some(node) = self.definitions.get("kind", &id) else { continue };
            let Some(mut fields) = Fields::of(node, format!("kind.{id}"), &mut out) else { continue };
            let plural = fields.text("plural", &mut out).map_or_else(|| format!("{id}s"), str::to_string);
            self.vocabulary.plurals.insert(plural, kind);
            for (name, entry) in fields.table("attributes", &mut out) {
                let path = format!("kind.{id}.attributes.{name}");
                // `{ type = "number", default = 3 }`, `{ type = "number", optional = true }`, or only the type.
                let (type_node, default, said) = match entry.node.as_table() {
                    Some(_) => {
                        let Some(mut inner) = Fields::of(&entry.node, path.clone(), &mut out) else { continue };
                        let (ty, default) = (inner.need("type", &mut out), inner.get("default"));
                        let optional = inner.bool("optional", &mut out).unwrap_or(false);
                        inner.done(&mut out);
                        (ty.cloned(), default.cloned(), optional)
                    }
                    None => (Some(entry.node.clone()), None, false),
                };
                let Some(node) = type_node else { continue };
                let Some((ty, marked)) = attribute_type(&node, &path, &mut out) else { continue };
                let optional = said || marked;
                if let Some(default) = default.as_ref().filter(|_| optional) {
                    out.push(
                        Diagnostic::error(Code::WrongValue, format!("`{path}` is optional and has a default"))
                            .at(default.span)
                            .help("with a default no type is without it: leave out one of the two"),
                    );
                }
                let type_name = node.as_str().unwrap_or("").trim_end_matches('?').to_string();
                let declared = Declared { at: entry.node.span, ty: type_name, optional };
                if let Some(default) = default {
                    self.attr_defaults.insert((kind, name.to_string()), default);
                }
                if self.vocabulary.attrs.len() == MOST_ATTRIBUTES && !self.vocabulary.attrs.contains_key(name) {
                    out.push(too_many("attributes of kinds", MOST_ATTRIBUTES, &path, entry.key));
                    return self.out.extend(out);
                }
                let next = AttrId(self.vocabulary.attrs.len() as u16);
                let known = self.vocabulary.attrs.entry(name.to_string()).or_insert_with(|| AttrName {
                    id: next,
                    ty,
                    kinds: Vec::new(),
                });
                if known.ty != ty {
                    out.push(
                        Diagnostic::error(
                            Code::WrongType,
                            format!("the attribute `{name}` holds something else on another kind"),
                        )
                        .at(entry.node.span)
                        .help("one name means one thing: use another name"),
                    );
                } else {
                    self.required.declared.insert((kind, name.to_string()), declared);
                }
                if known.id == next {
                    self.rules.attrs.push((name.to_string(), ty));
                }
                let heirs = self.vocabulary.lineage.iter().enumerate().filter(|(_, line)| line.contains(&kind));
                known.kinds.extend(heirs.map(|(heir, _)| KindId::from(heir)));
            }
        }
        for (id, entry) in self.definitions.of("attribute") {
            let Some(mut fields) = Fields::of(&entry.node, format!("attribute.{id}"), &mut out) else { continue };
            if let Some(node) = fields.need("type", &mut out)
                && let Some((ty, _)) = attribute_type(node, &format!("attribute.{id}.type"), &mut out)
            {
                let next = AttrId(self.vocabulary.resource_attrs.len() as u16);
                self.vocabulary.resource_attrs.insert(id.to_string(), (next, ty));
            }
            fields.also(&["only_in"]);
            fields.done(&mut out);
        }
        self.out.extend(out);
    }

    fn type_names(&mut self) {
        let kinds = self.vocabulary.kinds.clone();
        let mut left = MAX_TYPES;
        for (kind_name, kind) in kinds {
            for (id, span) in self.ids(&kind_name) {
                let Some(fewer) = left.checked_sub(1) else {
                    self.out.push(
                        Diagnostic::error(Code::WrongValue, format!("more than {MAX_TYPES} types of pieces")).at(span),
                    );
                    return;
                };
                left = fewer;
                self.refuse_name_of_kind(&kind_name, &id, span);
                if let Some((_, other)) = self.vocabulary.types.get(&id) {
                    let other_kind = self
                        .vocabulary
                        .kinds
                        .iter()
                        .find(|(_, kind)| *kind == other)
                        .map_or("", |(name, _)| name.as_str());
                    let first = self.definitions.kinds.get(other_kind).and_then(|table| table.key_span(&id));
                    let mut diagnostic = Diagnostic::error(
                        Code::DuplicateId,
                        format!("`{other_kind}.{id}` and `{kind_name}.{id}` have one name"),
                    )
                    .label(span, "here again")
                    .help("texts name pieces without their kind, so names must differ across kinds");
                    if let Some(first) = first {
                        diagnostic = diagnostic.label(first, "first here");
                    }
                    self.out.push(diagnostic);
                    continue;
                }
                let own = TypeId::from(self.rules.types.len());
                self.vocabulary.types.insert(id.clone(), (own, kind));
                self.rules.types.push(Type {
                    name: id,
                    kind,
                    printing_of: own,
                    same_name: false,
                    keeps: None,
                    attrs: Vec::new(),
                    score: None,
                    listens: Vec::new(),
                    replaces: Vec::new(),
                    reacts: Vec::new(),
                    modifies: Vec::new(),
                });
            }
        }
    }

    /// After `is`, a name is a type or a kind. It may be both if all pieces of the kind are of the type.
    fn refuse_name_of_kind(&mut self, kind_name: &str, id: &str, span: Span) {
        let Some(kind) = self.vocabulary.kinds.get(id) else { return };
        let of_kind = self.vocabulary.kinds.iter().filter(|(_, other)| self.vocabulary.is_kind(**other, *kind));
        let types = of_kind.flat_map(|(name, _)| self.definitions.of(name));
        let printing_of = |node: &Node| node.below("printing_of").and_then(Node::as_str) == Some(id);
        let mut others = types.filter(|(name, entry)| *name != id && !printing_of(&entry.node));
        if kind_name == id && others.next().is_none() {
            return;
        }
        let message = format!("`{kind_name}.{id}` has the name of a kind that has other pieces too");
        let mut diagnostic = Diagnostic::error(Code::DuplicateId, message)
            .label(span, "a piece")
            .help(format!("`is {id}` could mean either: rename one of them"));
        if let Some(first) = self.definitions.kinds.get("kind").and_then(|table| table.key_span(id)) {
            diagnostic = diagnostic.label(first, "a kind");
        }
        self.out.push(diagnostic);
    }

    fn zone_names(&mut self) {
        for (index, (id, _)) in self.ids("zone").into_iter().enumerate() {
            let owner = self
                .definitions
                .get("zone", &id)
                .and_then(Node::as_table)
                .and_then(|table| table.get("owner"))
                .and_then(Node::as_str);
            let (zone, per_player) = (ZoneId::from(index), owner == Some("player"));
            self.directions_in(zone, &id);
            self.vocabulary.zones.insert(id, ZoneName { id: zone, per_player });
        }
    }

    /// The meaning of `of` in a variable or value.
    pub(crate) fn subject(&mut self, node: Option<&Node>, what: &str) -> Subject {
        let Some(node) = node else { return Subject::Game };
        match node.as_str() {
            Some("game") => Subject::Game,
            Some("player") => Subject::Seat,
            Some("piece") => Subject::Piece(None),
            Some(kind) => match self.vocabulary.kinds.get(kind) {
                Some(kind) => Subject::Piece(Some(*kind)),
                None => {
                    let known = self.vocabulary.kinds.keys().map(String::as_str).chain(["game", "player", "piece"]);
                    // A text that uses it with the intended meaning is right.
                    let own = what.rsplit('.').next().unwrap_or(what);
                    self.out.push(
                        Diagnostic::error(
                            Code::UnknownName,
                            format!("`{what}` is of `{kind}`, which is no kind of pieces"),
                        )
                        .at(node.span)
                        .hides([own])
                        .doubts(own)
                        .maybe_help(known_instead(kind, known)),
                    );
                    Subject::Piece(None)
                }
            },
            None => {
                self.out.push(wrong_type(node, what, "a text: \"game\", \"player\", or a kind of pieces"));
                Subject::Game
            }
        }
    }

    fn value_and_var_names(&mut self) {
        for (index, (id, _)) in self.ids("value").into_iter().enumerate() {
            let Some(table) = self.definitions.get("value", &id).and_then(Node::as_table) else { continue };
            let (of, ty) = (table.get("of").cloned(), table.get("type").cloned());
            let usual = if table.get("is").is_some() { Ty::Bool } else { Ty::Int };
            let ty = ty.map_or(usual, |node| self.type_named(&node, &format!("value.{id}.type")));
            let is_of_space = of.as_ref().and_then(Node::as_str) == Some("space");
            let subject = match is_of_space {
                true => Subject::Space,
                false => self.subject(of.as_ref(), &format!("value.{id}")),
            };
            self.vocabulary.values.insert(id, (ValueId::from(index), subject, ty));
        }
        for (index, (id, _)) in self.ids("var").into_iter().enumerate() {
            let Some(table) = self.definitions.get("var", &id).and_then(Node::as_table) else { continue };
            let (of, ty) = (table.get("of").cloned(), table.get("type").cloned());
            let subject = self.subject(of.as_ref(), &format!("var.{id}"));
            let ty = ty.map_or(Ty::Int, |node| self.type_named(&node, &format!("var.{id}.type")));
            self.vocabulary.vars.insert(id, (VarId::from(index), subject, ty));
        }
    }

    /// Number attributes that a type modifies. For a piece they are values, whose base is the attribute of its type.
    fn modified_attributes(&mut self) {
        let kinds: Vec<String> = self.vocabulary.kinds.keys().cloned().collect();
        let types = kinds.iter().flat_map(|kind| self.definitions.of(kind));
        let modified = types.filter_map(|(_, entry)| entry.node.below("modifies")?.as_table());
        let names: BTreeSet<String> = modified.flat_map(|table| table.entries.keys().cloned()).collect();
        for name in names {
            let is_number = |attr: &AttrName| matches!(attr.ty, AttrTy::Int | AttrTy::Amount);
            if self.vocabulary.values.contains_key(&name) || !self.vocabulary.attrs.get(&name).is_some_and(is_number) {
                continue;
            }
            let id = ValueId::from(self.vocabulary.values.len());
            self.vocabulary.values.insert(name.clone(), (id, Subject::Piece(None), Ty::Int));
            self.vocabulary.modified.insert(name);
        }
    }

    fn event_names(&mut self) {
        for (index, (id, _)) in self.ids("event").into_iter().enumerate() {
            let named = self.definitions.get("event", &id).and_then(|node| node.below("args")).and_then(Node::as_table);
            let args = named.into_iter().flat_map(rulepack_model::Table::iter);
            let wrong = args.filter(|(name, _)| means_something(name));
            let whole = self.definitions.get("event", &id);
            let wrong: Vec<Diagnostic> = wrong.map(|(name, entry)| reserved(name, entry.key, whole)).collect();
            self.out.extend(wrong);
            let args = self.event_args(&id).into_iter().map(|(_, ty)| ty).collect();
            self.vocabulary.events.insert(id, (EventId::from(index), args));
        }
    }

    /// Names and types of an event's arguments.
    pub(crate) fn event_args(&mut self, event: &str) -> Vec<(String, Ty)> {
        let args: Vec<(String, Node)> = self
            .definitions
            .get("event", event)
            .and_then(Node::as_table)
            .and_then(|table| table.get("args"))
            .and_then(Node::as_table)
            .map(|args| args.iter().map(|(name, entry)| (name.to_string(), entry.node.clone())).collect())
            .unwrap_or_default();
        args.into_iter().map(|(name, node)| (name, self.type_named(&node, &format!("event.{event}.args")))).collect()
    }

    /// A type of values by its name in a pack.
    pub(crate) fn type_named(&mut self, node: &Node, what: &str) -> Ty {
        let Some(name) = node.as_str() else {
            self.out.push(wrong_type(node, what, "a text"));
            return Ty::Any;
        };
        match name {
            "number" => Ty::Int,
            "yes_no" => Ty::Bool,
            "player" => Ty::Seat,
            "resource" => Ty::Res,
            "symbol" => Ty::Sym,
            "space" => Ty::Cell,
            "type" => Ty::Type,
            "piece" => Ty::Piece(None),
            kind => match self.vocabulary.kinds.get(kind) {
                Some(kind) => Ty::Piece(Some(*kind)),
                None => {
                    const KNOWN: [&str; 8] =
                        ["number", "yes_no", "player", "resource", "symbol", "space", "type", "piece"];
                    let known = self.vocabulary.kinds.keys().map(String::as_str).chain(KNOWN);
                    self.out.push(
                        Diagnostic::error(
                            Code::UnknownName,
                            format!("`{kind}` is no type of values and no kind of pieces"),
                        )
                        .at(node.span)
                        .maybe_help(known_instead(kind, known)),
                    );
                    Ty::Any
                }
            },
        }
    }
}

/// The kinds right above a kind: `of = "card"`, or `of = ["card", "weapon"]`.
pub(super) fn parents_of(kind: &Node) -> Vec<(&str, Span)> {
    let Some(of) = kind.below("of") else { return Vec::new() };
    let all = of.as_list().unwrap_or(std::slice::from_ref(of));
    all.iter().map(|name| (name.as_str().unwrap_or(""), name.span)).collect()
}

/// `number`, or `number?` for an attribute that types may leave out.
fn attribute_type(node: &Node, what: &str, out: &mut Vec<Diagnostic>) -> Option<(AttrTy, bool)> {
    let Some(text) = node.as_str() else {
        out.push(wrong_type(node, what, "a text"));
        return None;
    };
    let name = text.strip_suffix('?').unwrap_or(text);
    let found = ATTRIBUTE_TYPES.iter().find(|(known, _)| *known == name);
    if found.is_none() {
        let known = ATTRIBUTE_TYPES.iter().map(|(known, _)| *known);
        let list: Vec<&str> = known.clone().collect();
        let own = what.trim_end_matches(".type").rsplit('.').next().unwrap_or(what);
        out.push(
            Diagnostic::error(Code::UnknownName, format!("`{name}` is no type of attributes"))
                .at(node.span)
                .hides([own])
                .maybe_help(did_you_mean(name, known).or(Some(format!("there are: {}", list.join(", "))))),
        );
    }
    found.map(|(_, ty)| (*ty, name != text))
}
