//! Named sets: `[set.reachable]`.
//!
//! What each member of a set is follows from its text, so a set that another one names is read before it. Sets that name one
//! another in a circle are refused: their members could never be found.

use std::collections::{BTreeMap, BTreeSet};

use rulepack_expr::ast::{Ast, AstKind};
use rulepack_expr::{Set, SetName, Ty, means_something};
use rulepack_kernel::ruleset::NamedSet;
use rulepack_model::{Code, Diagnostic, Label, Node, SetId};

use super::Linker;
use super::compile::Scope;
use super::fields::Fields;
use super::merge::reserved;

/// A set as the pack gives it.
struct Given {
    name: String,
    args: Vec<(String, Ty)>,
    is: Option<Node>,
    /// The names in its text.
    mentions: BTreeSet<String>,
    /// The named sets among them.
    names: Vec<usize>,
}

impl Linker<'_> {
    pub(crate) fn link_sets(&mut self) {
        let mut given: Vec<Given> = self.ids("set").into_iter().map(|(name, _)| self.given_set(name)).collect();
        let ids: BTreeMap<String, usize> = (0..).zip(&given).map(|(index, set)| (set.name.clone(), index)).collect();
        for set in &mut given {
            set.names = set.mentions.iter().filter_map(|name| ids.get(name)).copied().collect();
        }
        for (index, set) in given.iter().enumerate() {
            let args = set.args.iter().map(|(_, ty)| *ty).collect();
            let known = SetName { id: SetId::from(index), args, member: Ty::Any };
            self.vocabulary.sets.insert(set.name.clone(), known);
        }
        let (order, circle) = in_order(&given);
        if let Some(circle) = circle {
            self.refuse_circle_of_sets(&given, &circle);
        }
        let mut linked: Vec<Option<NamedSet>> = given.iter().map(|_| None).collect();
        for index in order {
            let Some(Given { name, args, is: Some(is), .. }) = given.get(index) else { continue };
            let scope = Scope::with(args);
            let Some((set, member, locals)) = self.set(is, &format!("set.{name} is"), &scope) else { continue };
            if let Some(known) = self.vocabulary.sets.get_mut(name) {
                known.member = member;
            }
            let names = args.iter().map(|(name, _)| name.clone()).collect();
            let place = self.line_of(is.span);
            let mut named = NamedSet::new(name.clone(), names, set, locals);
            named.place = place;
            if let Some(slot) = linked.get_mut(index) {
                *slot = Some(named);
            }
        }
        // A set with a mistake keeps its number.
        let empty = |set: &Given| NamedSet::new(set.name.clone(), Vec::new(), Set::Seats, 2);
        let sets = linked.into_iter().zip(&given).map(|(found, set)| found.unwrap_or_else(|| empty(set)));
        self.rules.sets = sets.collect();
    }

    fn given_set(&mut self, name: String) -> Given {
        let mut set = Given { name, args: Vec::new(), is: None, mentions: BTreeSet::new(), names: Vec::new() };
        let path = format!("set.{}", set.name);
        let Some(node) = self.definitions.get("set", &set.name).cloned() else { return set };
        let mut out = Vec::new();
        if let Some(mut fields) = Fields::of(&node, path.clone(), &mut out) {
            for (arg, entry) in fields.table("args", &mut out) {
                if means_something(arg) {
                    out.push(reserved(arg, entry.key, Some(&node)));
                }
                let ty = self.type_named(&entry.node, &format!("{path}.args"));
                set.args.push((arg.to_string(), ty));
            }
            set.is = fields.need_as("is", "say what it holds: `is = \"my hand where …\"`", &mut out).cloned();
            fields.also(&["title", "text", "only_in"]);
            fields.done(&mut out);
        }
        self.out.extend(out);
        if let Some(parsed) = set.is.as_ref().and_then(Node::as_str).and_then(|text| self.parses.expr(text).ok()) {
            names_in(&parsed, &mut set.mentions);
            set.mentions.retain(|name| set.args.iter().all(|(arg, _)| arg != name));
        }
        set
    }

    fn refuse_circle_of_sets(&mut self, given: &[Given], circle: &[usize]) {
        let members: Vec<&Given> = circle.iter().filter_map(|index| given.get(*index)).collect();
        let names: Vec<String> = members.iter().chain(members.first()).map(|set| format!("`{}`", set.name)).collect();
        let Some(first) = names.first() else { return };
        let message = format!("{first} leads back to itself: {}", names.join(" → "));
        let labels = members.iter().zip(names.iter().skip(1)).filter_map(|(set, next)| {
            let text = if members.len() > 1 { format!("names {next}") } else { String::new() };
            Some(Label { span: set.is.as_ref()?.span, text })
        });
        let circular = Diagnostic::error(Code::CircularValue, message).at_all(labels.collect(), self.at);
        self.out.push(circular.help("let one of them say what it holds without naming the others"));
    }
}

/// The sets, each after those that it names; and a circle, if there is one. What leads into a circle is left out.
fn in_order(given: &[Given]) -> (Vec<usize>, Option<Vec<usize>>) {
    let mut order = Vec::new();
    let mut done = BTreeSet::new();
    loop {
        let is_ready = |index: &usize| {
            let set = given.get(*index);
            !done.contains(index) && set.is_some_and(|set| set.names.iter().all(|name| done.contains(name)))
        };
        let ready: Vec<usize> = (0..given.len()).filter(is_ready).collect();
        if ready.is_empty() {
            break;
        }
        done.extend(ready.iter().copied());
        order.extend(ready);
    }
    // Each of the others names one of them: whoever follows these names comes back.
    let next = |index: usize| given.get(index)?.names.iter().copied().find(|name| !done.contains(name));
    let mut path: Vec<usize> = Vec::new();
    let mut at = (0..given.len()).find(|index| !done.contains(index));
    while let Some(index) = at {
        if let Some(start) = path.iter().position(|known| *known == index) {
            return (order, path.get(start..).map(<[usize]>::to_vec));
        }
        path.push(index);
        at = next(index);
    }
    (order, None)
}

/// Every name in an expression that could be that of a set.
fn names_in(ast: &Ast, names: &mut BTreeSet<String>) {
    match &ast.kind {
        AstKind::Name(name) | AstKind::My(name) | AstKind::Call(name, _) => drop(names.insert(name.clone())),
        _ => {}
    }
    for part in ast.kind.parts() {
        names_in(part, names);
    }
}
