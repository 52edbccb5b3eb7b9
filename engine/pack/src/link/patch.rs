//! Patches: changes that a pack or a mode in use makes to existing definitions.
//!
//! A patch names a field and says `{ was = OLD, now = NEW }`, `{ now = NEW }` for a field that was not set, `{ was =
//! OLD }` to remove the field, or `{ adds = MORE }`. Old values are kept for `rulepack explain`.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use rulepack_model::{Code, Diagnostic, Entry, FileId, Node, Span, Table, Value, known_instead, nearest};

use super::below::BuildsOn;
use super::fields::{in_doubt, names_in, wrong_type};
use super::{Absent, BUILT_IN, Definitions};
use crate::library::PackSource;

const KEYS: [&str; 5] = ["was", "now", "adds", BEFORE, AFTER];
/// The keys of which every change of a field has one.
const MARKS: [&str; 3] = ["was", "now", "adds"];
/// The name of the step of an effect before which steps are added.
pub(super) const BEFORE: &str = "before";
/// The same for steps after it.
pub(super) const AFTER: &str = "after";

/// The largest size of a field to which patches add: its characters, and [`EACH`] for every text, number or list in it.
const LONGEST_FIELD: usize = 100_000;

/// The largest size of all old values below patches that add. One old value is kept for each such patch, so that a
/// field that grows with every patch takes the square of its length.
const MOST_BELOW: usize = 2_000_000;

/// What a value counts in addition to its characters.
const EACH: usize = 32;

/// Who patches: a pack, or one of its modes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PatchAuthor {
    /// The pack.
    pub pack: String,
    /// The mode, if the patch belongs to one.
    pub mode: Option<String>,
}

/// A patch of one field.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// Who patched.
    pub by: PatchAuthor,
    /// The place of the patch.
    pub at: Span,
    /// The old value.
    pub below: Option<Node>,
    /// Whether it only adds to the old value.
    pub adds: bool,
    /// The number of this patch among all, in the order in which they are applied.
    pub number: usize,
}

/// A patch that is to be applied.
pub(crate) struct Patch<'p> {
    pub(crate) by: PatchAuthor,
    /// Packs that the mode needs: it builds on their patches.
    pub(crate) knows: Vec<String>,
    /// The table from kinds to ids to fields.
    pub(crate) changes: &'p Node,
}

/// The patches so far, and which packs build on one another.
#[derive(Debug, Clone, Default)]
pub(crate) struct Patching {
    builds_on: Arc<BuildsOn>,
    /// Changes by path.
    done: BTreeMap<String, Vec<Done>>,
    applied: usize,
    /// The size of all old values below patches that add.
    below: usize,
    /// Fields that are full, which has been reported.
    full: BTreeSet<String>,
}

#[derive(Debug, Clone)]
struct Done {
    by: PatchAuthor,
    knows: Vec<String>,
    /// The name of the field.
    key: Span,
    at: Span,
    adds: bool,
}

/// The content of a text field, if more can be added to it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Effect,
    Cost,
    /// A number, or a text that is worked out to one: what is added is added up.
    Amount,
    /// The rows and columns of a grid: two numbers.
    Grid,
}

impl Patching {
    /// Begins without patches; the packs are in the order of loading.
    pub(crate) fn new(packs: &[Arc<PackSource>]) -> Self {
        Patching { builds_on: Arc::new(BuildsOn::new(packs)), ..Patching::default() }
    }

    /// Whether a pack builds on another one, directly or not.
    pub(crate) fn builds_on(&self, pack: &str, below: &str) -> bool {
        self.builds_on.contains(pack, below)
    }

    fn know_each_other(&self, a: (&PatchAuthor, &[String]), b: (&PatchAuthor, &[String])) -> bool {
        let knows = |(by, needs): (&PatchAuthor, &[String]), other: &str| {
            by.pack == other
                || self.builds_on(&by.pack, other)
                || needs.iter().any(|need| need == other || self.builds_on(need, other))
        };
        knows(a, &b.0.pack) || knows(b, &a.0.pack)
    }

    /// What a mode has changed in a definition.
    pub(crate) fn by_mode(&self, mode: &str, definition: &str) -> Vec<Span> {
        let inside = format!("{definition}.");
        let fields = self.done.range(inside.clone()..).take_while(|(path, _)| path.starts_with(&inside));
        let by_mode = |done: &&Done| done.by.mode.as_deref() == Some(mode);
        fields.flat_map(|(_, done)| done).filter(by_mode).map(|done| done.key).collect()
    }

    /// An earlier change of the same field, of a part of it or of a field around it, by a pack that does not build on the
    /// patching pack and on which that pack does not build.
    fn conflict(&self, path: &str, patch: &Patch<'_>, adds: bool) -> Option<&Done> {
        let stranger = |done: &&Done| !self.know_each_other((&done.by, &done.knows), (&patch.by, &patch.knows));
        let same = self.done.get(path).into_iter().flatten().filter(|done| !(done.adds && adds));
        let around = path.match_indices('.').filter_map(|(end, _)| self.done.get(path.get(..end)?)).flatten();
        let inside = format!("{path}.");
        let within = self.done.range(inside.clone()..).take_while(|(path, _)| path.starts_with(&inside));
        same.chain(around).chain(within.flat_map(|(_, done)| done)).find(stranger)
    }
}

impl Definitions {
    /// Applies a patch.
    pub(crate) fn patch(
        &mut self,
        patching: &mut Patching,
        patch: &Patch<'_>,
        packs: &BTreeMap<FileId, String>,
        out: &mut Vec<Diagnostic>,
    ) {
        let what = patch.by.mode.as_ref().map_or_else(|| "patch".to_string(), |mode| format!("mode.{mode}.patch"));
        let Some(kinds) = patch.changes.as_table() else {
            out.push(wrong_type(patch.changes, &what, "a table"));
            return;
        };
        let roles = self.roles();
        for (kind, entry) in kinds.iter() {
            let Some(ids) = entry.node.as_table() else {
                out.push(
                    wrong_type(&entry.node, &format!("{what}.{kind}"), "a table of definitions")
                        .help("a patch stands in `[patch.KIND.NAME]`, that of a mode in `[mode.MODE.patch.KIND.NAME]`"),
                );
                continue;
            };
            if kind == "mode" && patch.by.mode.is_some() {
                out.push(
                    Diagnostic::error(Code::BadPatch, "a mode cannot patch modes")
                        .at(entry.key)
                        .help("modes are chosen before they patch: write `[patch.mode.NAME]` for the pack as a whole"),
                );
                continue;
            }
            let Definitions { kinds: all, patched, absent, lists, .. } = self;
            let mut changed = Vec::new();
            let mut patcher = Patcher { patch, patching, packs, patched, roles: &roles, out };
            // `[game]` has fields but no definitions.
            if kind == "game" {
                patcher.apply(all.entry(kind.to_string()).or_default(), entry.node.span, ids, kind);
                continue;
            }
            for (id, changes) in ids.iter() {
                let path = format!("{kind}.{id}");
                if let Some(list) = lists.get(&path) {
                    let mut node = list.node.clone();
                    patcher.open(&mut node, &changes.node, &path);
                    changed.push((path, node));
                    continue;
                }
                let Some(target) = all.get_mut(kind).and_then(|table| table.get_mut(id)) else {
                    let known: Vec<&str> =
                        all.get(kind).map(|table| table.iter().map(|(id, _)| id).collect()).unwrap_or_default();
                    let nothing = Diagnostic::error(Code::BadPatch, format!("there is no `{path}` to patch"))
                        .at(changes.key)
                        .missing(id);
                    let mut nothing = nothing;
                    names_in(&changes.node, &mut nothing.hidden().names);
                    patcher.out.push(match absent.get(&path) {
                        Some(Absent::Removed { mode, at }) => {
                            nothing.label(*at, format!("the mode `{mode}` has taken it out"))
                        }
                        _ => nothing.maybe_help(known_instead(id, known)),
                    });
                    continue;
                };
                patcher.open(target, &changes.node, &path);
            }
            for (path, node) in changed {
                self.make_again(&path, node, out);
            }
        }
    }

    /// Attributes that hold effects and costs, by name.
    fn roles(&self) -> BTreeMap<String, Role> {
        let mut roles = BTreeMap::new();
        let mut note = |name: &str, ty: &Node| {
            let ty = ty.as_table().and_then(|table| table.get("type")).unwrap_or(ty);
            match ty.as_str() {
                Some("effect") => drop(roles.insert(name.to_string(), Role::Effect)),
                Some("amount") => drop(roles.insert(name.to_string(), Role::Amount)),
                Some("cost") => drop(roles.insert(name.to_string(), Role::Cost)),
                _ => {}
            }
        };
        for (_, entry) in self.of("kind") {
            let attributes = entry.node.as_table().and_then(|table| table.get("attributes")).and_then(Node::as_table);
            attributes.into_iter().flat_map(Table::iter).for_each(|(name, entry)| note(name, &entry.node));
        }
        for (name, entry) in self.of("attribute") {
            note(name, &entry.node);
        }
        roles
    }
}

struct Patcher<'p> {
    patch: &'p Patch<'p>,
    patching: &'p mut Patching,
    packs: &'p BTreeMap<FileId, String>,
    patched: &'p mut BTreeMap<String, Vec<Layer>>,
    roles: &'p BTreeMap<String, Role>,
    out: &'p mut Vec<Diagnostic>,
}

impl Patcher<'_> {
    /// Applies a patch to the fields of a table inside the target.
    fn open(&mut self, target: &mut Node, changes: &Node, path: &str) {
        let Some(fields) = changes.as_table() else {
            self.out.push(
                wrong_type(changes, path, "a table of fields with `was` and `now`")
                    .help("write `field = { was = OLD, now = NEW }`"),
            );
            return;
        };
        let span = target.span;
        match &mut target.value {
            Value::Table(table) => self.apply(table, span, fields, path),
            _ => self.out.push(
                Diagnostic::error(Code::BadPatch, format!("`{path}` is no table"))
                    .label(changes.span, "the patch")
                    .label(span, format!("this is {}", target.describe())),
            ),
        }
    }

    fn apply(&mut self, table: &mut Table, at: Span, fields: &Table, path: &str) {
        for (field, change) in fields.iter() {
            let path = format!("{path}.{field}");
            let Some(parts) = change.node.as_table() else {
                self.out.push(
                    wrong_type(&change.node, &path, "`{ was = OLD, now = NEW }`")
                        .help("`was` states the old value, so that a changed base is noticed"),
                );
                continue;
            };
            if MARKS.iter().any(|key| parts.get(key).is_some()) {
                self.change(table, field, parts, change, &path, at);
                continue;
            }
            match table.get_mut(field) {
                Some(inner) => self.open(inner, &change.node, &path),
                // Example: the first hook of a type.
                None if is_all_new(parts) => {
                    let mut new = Table::default();
                    self.apply(&mut new, change.node.span, parts, &path);
                    let node = Node { span: change.node.span, value: Value::Table(new) };
                    table.entries.insert(field.to_string(), Entry { key: change.key, node });
                }
                None => match parts.iter().find(|(key, _)| nearest(key, KEYS).is_some()) {
                    // `{ noww = … }`
                    Some((key, entry)) => self.out.push(in_doubt(unknown_part(key, entry), &path)),
                    None => self.out.push(no_field(&path, change.key, at, table.entries.keys())),
                },
            }
        }
    }

    fn change(&mut self, table: &mut Table, field: &str, parts: &Table, change: &Entry, path: &str, target: Span) {
        let mut unknown = parts.iter().filter(|(key, _)| !KEYS.contains(key)).peekable();
        if unknown.peek().is_some() {
            self.out.extend(unknown.map(|(key, entry)| in_doubt(unknown_part(key, entry), path)));
            return;
        }
        let (was, now, adds) = (parts.get("was"), parts.get("now"), parts.get("adds"));
        if let (Some(now), Some(adds)) = (now, adds) {
            self.out.push(both_now_and_adds(path, now, adds));
            return;
        }
        let beside = [BEFORE, AFTER].into_iter().find_map(|key| Some((key, parts.get(key)?)));
        if let Some(refused) = beside.and_then(|beside| self.refuse_beside(path, beside, adds.is_some())) {
            self.out.push(refused);
            return;
        }
        if let Some(other) = self.patching.conflict(path, self.patch, adds.is_some()) {
            self.out.push(conflict(path, self.patch, change.node.span, other));
            return;
        }
        let below = table.get(field);
        match (below, was) {
            (Some(below), Some(was)) if !self.stood(path, below, was, adds.is_some()) => {
                self.out.push(
                    Diagnostic::error(Code::BadPatch, format!("`{path}` differs from the `was` of the patch"))
                        .label(was.span, "the patch says this")
                        .label(below.span, "but this stands there"),
                );
                return;
            }
            (None, Some(was)) => {
                self.out.push(no_field(path, was.span, target, table.entries.keys()));
                return;
            }
            (None, None) if adds.is_some() => {
                let nothing = no_field(path, change.key, target, table.entries.keys());
                let help = "to set a field that was not set, write `now` instead of `adds`".to_string();
                let meant = nothing.help.clone().filter(|help| help.starts_with("did you mean"));
                let help = meant.unwrap_or(help);
                self.out.push(nothing.help(help));
                return;
            }
            (Some(below), None)
                if adds.is_none() && self.packs.get(&below.span.file) != self.packs.get(&change.node.span.file) =>
            {
                self.out.push(
                    Diagnostic::error(Code::BadPatch, format!("the patch of `{path}` lacks `was`"))
                        .label(change.node.span, "a patch of another pack must state the old value in `was`")
                        .label(below.span, "this stands there"),
                );
                return;
            }
            _ => {}
        }
        if let (Some(below), Some(adds)) = (below, adds) {
            if self.patching.full.contains(path) {
                return;
            }
            if let Some(too_long) = self.too_long(below, adds, path) {
                self.patching.full.insert(path.to_string());
                self.out.push(too_long);
                return;
            }
        }
        let new = match (below, adds) {
            (Some(below), Some(adds)) => match joined(below, &beside_step(adds, change, beside), self.role(path)) {
                Some(joined) => Some(joined),
                None => {
                    self.out.push(nothing_added(path, adds, below));
                    return;
                }
            },
            _ => now.cloned(),
        };
        if let (Some(below), Some(now)) = (below, now)
            && below.same_as(now)
        {
            self.out.push(
                Diagnostic::warning(Code::DeadPatch, format!("the patch of `{path}` changes nothing"))
                    .label(now.span, "this is the present value already")
                    .help("remove the patch, or correct `now`"),
            );
        }
        let (by, at) = (self.patch.by.clone(), change.node.span);
        let number = self.patching.applied;
        self.patching.applied = number.saturating_add(1);
        let layer = Layer { by: by.clone(), at, below: below.cloned(), adds: adds.is_some(), number };
        self.patched.entry(path.to_string()).or_default().push(layer);
        let done = Done { by, knows: self.patch.knows.clone(), key: change.key, at, adds: adds.is_some() };
        self.patching.done.entry(path.to_string()).or_default().push(done);
        match new {
            Some(node) => drop(table.entries.insert(field.to_string(), Entry { key: change.key, node })),
            // `was` without `now` takes the field away.
            None => drop(table.entries.shift_remove(field)),
        }
    }

    /// The mistake of steps beside a step, where there are no steps.
    fn refuse_beside(&self, path: &str, (key, label): (&str, &Node), adds: bool) -> Option<Diagnostic> {
        if adds && self.role(path) == Some(Role::Effect) && label.as_str().is_some() {
            return None;
        }
        let message = format!("`{key}` goes with steps that are added to an effect");
        let help =
            format!("write `{{ {key} = \"STEP\", adds = \"…\" }}`, where a step of the effect is called `STEP: …`");
        Some(Diagnostic::error(Code::BadPatch, message).at(label.span).help(help))
    }

    /// The mistake if a field has no room for what a patch adds, or if there is no room to keep the old value.
    fn too_long(&mut self, below: &Node, adds: &Node, path: &str) -> Option<Diagnostic> {
        let before = length(below);
        let after = before.saturating_add(length(adds));
        self.patching.below = self.patching.below.saturating_add(before);
        let (what, most) = if after > LONGEST_FIELD {
            (format!("with this patch `{path}` is {after} characters long"), LONGEST_FIELD)
        } else if self.patching.below > MOST_BELOW {
            (format!("what patches add to is {} characters long in all with `{path}`", self.patching.below), MOST_BELOW)
        } else {
            return None;
        };
        let message = format!("{what}, and at most {most} are possible");
        Some(
            Diagnostic::error(Code::BadPatch, message)
                .label(adds.span, "this is not added")
                .label(below.span, "to this")
                .help("let fewer modes or packs add to it, or add a script that does all of it"),
        )
    }

    /// Whether `was` is the present value. A patch that adds need not know what unrelated packs have added before.
    fn stood(&self, path: &str, below: &Node, was: &Node, adds: bool) -> bool {
        if below.same_as(was) {
            return true;
        }
        let me = (&self.patch.by, self.patch.knows.as_slice());
        let layers = self.patched.get(path).into_iter().flatten().rev();
        let by_strangers =
            layers.take_while(|layer| layer.adds && !self.patching.know_each_other((&layer.by, &[]), me));
        adds && by_strangers.last().and_then(|layer| layer.below.as_ref()).is_some_and(|first| first.same_as(was))
    }

    fn role(&self, path: &str) -> Option<Role> {
        let parts: Vec<&str> = path.split('.').collect();
        match parts[..] {
            ["action" | "event" | "phase", _, "effect"] => Some(Role::Effect),
            ["action", _, "cost"] => Some(Role::Cost),
            ["zone", _, "layout", "grid"] => Some(Role::Grid),
            ["value", _, "base"] | ["score", _, "points"] | ["phase", _, "repeat"] => Some(Role::Amount),
            [kind, _, "score"] | [kind, _, "modifies", _] | [kind, _, "modifies", _, "by"]
                if !BUILT_IN.contains(&kind) =>
            {
                Some(Role::Amount)
            }
            [kind, _, "on" | "replaces" | "reacts", _] | [kind, _, "on" | "replaces" | "reacts", _, "do"]
                if !BUILT_IN.contains(&kind) =>
            {
                Some(Role::Effect)
            }
            [kind, _, name] if kind == "resource" || !BUILT_IN.contains(&kind) => self.roles.get(name).copied(),
            _ => None,
        }
    }
}

/// Whether a patch marks every field as new.
fn is_all_new(parts: &Table) -> bool {
    !parts.is_empty()
        && parts.iter().all(|(_, entry)| match entry.node.as_table() {
            Some(inner) if inner.get("now").is_some() => inner.get("was").is_none(),
            Some(inner) if MARKS.iter().any(|key| inner.get(key).is_some()) => false,
            Some(inner) => is_all_new(inner),
            None => false,
        })
}

/// The size of a value: its characters, and [`EACH`] for every value in it.
fn length(node: &Node) -> usize {
    let inside = match &node.value {
        Value::Str(text) => text.len(),
        Value::List(items) => items.iter().map(length).fold(0, usize::saturating_add),
        Value::Table(table) => table
            .iter()
            .map(|(key, entry)| length(&entry.node).saturating_add(key.len()))
            .fold(0, usize::saturating_add),
        Value::Int(_) | Value::Float(_) | Value::Bool(_) | Value::Date(_) => 0,
    };
    inside.saturating_add(EACH)
}

/// Appends to a list, an effect or a cost. The parts of a text stay separate, each with its own place.
fn joined(below: &Node, adds: &Node, role: Option<Role>) -> Option<Node> {
    let more = || match &adds.value {
        Value::List(items) => items.clone(),
        _ => vec![adds.clone()],
    };
    let value = match &below.value {
        // `[3, 3]` and one row more is `[4, 3]`.
        Value::List(items) if role == Some(Role::Grid) => {
            let (more, sizes) = (adds.as_list()?, items.iter());
            let sum = |(size, more): (&Node, &Node)| plus(size, more);
            let sums: Option<Vec<Node>> = sizes.zip(more).map(sum).collect();
            Value::List(sums.filter(|sums| sums.len() == more.len() && more.len() == items.len())?)
        }
        Value::Int(_) if adds.as_int().is_some() => return plus(below, adds),
        Value::Int(_) if role == Some(Role::Amount) => {
            Value::List(std::iter::once(below.clone()).chain(more()).collect())
        }
        Value::List(items) => Value::List(items.iter().cloned().chain(more()).collect()),
        Value::Str(_) if role.is_some() => Value::List(std::iter::once(below.clone()).chain(more()).collect()),
        // A hook with conditions.
        Value::Table(table) if role == Some(Role::Effect) => {
            let mut table = table.clone();
            let effect = table.get_mut("do")?;
            *effect = joined(effect, adds, role)?;
            return Some(Node { span: below.span, value: Value::Table(table) });
        }
        _ => return None,
    };
    Some(Node { span: adds.span, value })
}

/// The sum of two numbers.
fn plus(below: &Node, adds: &Node) -> Option<Node> {
    let sum = below.as_int()?.checked_add(adds.as_int()?)?;
    Some(Node { span: adds.span, value: Value::Int(sum) })
}

/// What a patch adds; steps beside a step with a name keep that name.
fn beside_step(adds: &Node, change: &Entry, beside: Option<(&str, &Node)>) -> Node {
    let Some((key, label)) = beside else { return adds.clone() };
    let mut table = Table::default();
    table.entries.insert(key.to_string(), Entry { key: label.span, node: label.clone() });
    table.entries.insert("adds".to_string(), Entry { key: change.key, node: adds.clone() });
    Node { span: adds.span, value: Value::Table(table) }
}

fn conflict(path: &str, patch: &Patch<'_>, at: Span, other: &Done) -> Diagnostic {
    let who = |by: &PatchAuthor| match &by.mode {
        Some(mode) => format!("the mode `{mode}` of `{}`", by.pack),
        None => format!("`{}`", by.pack),
    };
    let (first, second) = (&other.by, &patch.by);
    let message = format!("{} and {} both patch `{path}`", who(first), who(second));
    let help = format!(
        "neither pack builds on the other: if `{}` is to have the last word, let it say `{} = \"*\"` under `[optional]`",
        second.pack, first.pack
    );
    Diagnostic::error(Code::ConflictingPatch, message)
        .label(at, format!("the patch of `{}`", second.pack))
        .label(other.at, format!("the patch of `{}`", first.pack))
        .help(help)
}

fn unknown_part(key: &str, entry: &Entry) -> Diagnostic {
    Diagnostic::error(Code::UnknownKey, format!("a patch has no key `{key}`"))
        .at(entry.key)
        .help("it has `was` and `now`, or `adds`, with `before` or `after` for a step of an effect")
}

fn both_now_and_adds(path: &str, now: &Node, adds: &Node) -> Diagnostic {
    Diagnostic::error(Code::BadPatch, format!("the patch of `{path}` has both `now` and `adds`"))
        .label(adds.span, "")
        .label(now.span, "also here")
        .help("keep one of them")
}

fn nothing_added(path: &str, adds: &Node, below: &Node) -> Diagnostic {
    Diagnostic::error(Code::BadPatch, format!("nothing can be added to `{path}`"))
        .label(adds.span, "the patch")
        .label(below.span, format!("this is {}", below.describe()))
        .help("`adds` goes with lists, numbers, amounts, effects and costs; else write `was` and `now`")
}

fn no_field<'k>(path: &str, at: Span, target: Span, known: impl Iterator<Item = &'k String>) -> Diagnostic {
    let field = path.rsplit('.').next().unwrap_or(path).to_string();
    Diagnostic::error(Code::BadPatch, format!("there is no `{path}` to patch"))
        .label(at, "the patch")
        .label(target, "has no such field")
        .missing(&field)
        .maybe_help(known_instead(&field, known.map(String::as_str)))
}
