//! Kinds of pieces: what they inherit from the kinds above them, what can lie on them, and what is kept on them.

use rulepack_expr::{AttrId, AttrTy, Ty};
use rulepack_kernel::ruleset::{AttrValue, Keeps, Kind, Resource};
use rulepack_kernel::{ResourceSel, Value};
use rulepack_model::{Code, Diagnostic, KindId, Node, ResId, Span, did_you_mean};

use super::Linker;
use super::compile::Scope;
use super::fields::{Fields, in_doubt, wrong_type};

/// The value of `keeps.what`.
enum KeptBy {
    /// These resources.
    These(ResourceSel),
    /// The resource that an attribute of the type names.
    Attribute(AttrId),
}

impl Linker<'_> {
    pub(super) fn kinds(&mut self) {
        let mut out = Vec::new();
        for (id, _) in self.ids("kind") {
            let Some(node) = self.definitions.get("kind", &id).cloned() else { continue };
            let lineage =
                self.vocabulary.kinds.get(&id).map_or_else(Vec::new, |kind| self.vocabulary.lineage_of(*kind).to_vec());
            let holds = vec![None; self.rules.resources.len()];
            let mut kind = Kind { name: id.clone(), holds, lineage, ..Kind::default() };
            kind.widest = self.widest.get(self.rules.kinds.len()).copied();
            for (name, span) in self.held_by(&kind.lineage, &mut out) {
                let members: Vec<ResId> =
                    match (self.vocabulary.resources.get(&name), self.vocabulary.groups.get(&name)) {
                        (Some(res), _) => vec![*res],
                        (None, Some(group)) => self.rules.members(*group).to_vec(),
                        (None, None) => {
                            out.push(self.unknown_resource(&name, span));
                            continue;
                        }
                    };
                for res in members {
                    if let Some(slot @ None) = kind.holds.get_mut(res.index()) {
                        *slot = Some(kind.slots);
                        kind.slots = kind.slots.saturating_add(1);
                    }
                }
            }
            if let Some(mut fields) = Fields::of(&node, format!("kind.{id}"), &mut out) {
                if let Some(back) = self.inherited(&kind.lineage, "back").cloned() {
                    let name = back.as_str().unwrap_or("");
                    match self.vocabulary.attrs.get(name).filter(|attr| attr.ty == AttrTy::Sym) {
                        Some(attr) => kind.back = Some(attr.id),
                        // Reported with the kind that contains it.
                        None if node.below("back").is_none() => {}
                        None => {
                            let symbols = self.vocabulary.attrs.iter().filter(|(_, attr)| attr.ty == AttrTy::Sym);
                            let known = symbols.map(|(name, _)| name.as_str());
                            let help = did_you_mean(name, known)
                                .unwrap_or_else(|| format!("declare it: `attributes = {{ {name} = \"symbol\" }}`"));
                            out.push(
                                Diagnostic::error(
                                    Code::UnknownName,
                                    format!("`{name}` is no symbol attribute of `{id}`"),
                                )
                                .at(back.span)
                                .help(help),
                            );
                        }
                    }
                }
                fields.text("score_by", &mut out);
                if let Some(by) = self.inherited(&kind.lineage, "score_by").and_then(Node::as_str) {
                    match self.vocabulary.attrs.get(by).filter(|attr| attr.ty == AttrTy::Sym) {
                        Some(attr) => kind.score_by = Some(attr.id),
                        None if node.below("score_by").is_none() => {}
                        None => out.push(
                            Diagnostic::error(Code::UnknownName, format!("`{by}` is no symbol attribute of `{id}`"))
                                .at(fields.span_of("score_by")),
                        ),
                    }
                }
                fields.also(&["title", "text", "plural", "attributes", "starts_in", "count", "only_in"]);
                fields.also(&["of", "holds", "keeps", "back"]);
                let mut unknown = Vec::new();
                fields.done(&mut unknown);
                for mistake in &mut unknown {
                    // `oof = "card"`: it may be a kind of cards.
                    let key = mistake.message.split('`').rev().nth(1).unwrap_or("");
                    let of = node.below(key).and_then(Node::as_str);
                    if of.is_some_and(|of| self.vocabulary.kinds.contains_key(of)) {
                        mistake.hidden().unknown.extend(self.and_below(&id));
                    }
                }
                out.extend(unknown);
            }
            if let Some(keeps) = node.below("keeps") {
                self.check_keeps(&id, keeps);
            }
            self.rules.kinds.push(kind);
        }
        self.out.extend(out);
    }

    /// A key of a kind, or of the nearest kind above it that has the key.
    pub(super) fn inherited(&self, lineage: &[KindId], key: &str) -> Option<&Node> {
        let names = lineage.iter().filter_map(|kind| self.vocabulary.kinds.get_index(kind.index()));
        let tables = names.filter_map(|(name, _)| self.definitions.get("kind", name).and_then(Node::as_table));
        tables.into_iter().find_map(|table| table.get(key))
    }

    /// The resources that pieces of a kind can hold: its own, those of the kinds above it, and those kept on them.
    fn held_by(&self, lineage: &[KindId], out: &mut Vec<Diagnostic>) -> Vec<(String, Span)> {
        let mut held = Vec::new();
        for kind in lineage {
            let Some((name, _)) = self.vocabulary.kinds.get_index(kind.index()) else { continue };
            let Some(node) = self.definitions.get("kind", name) else { continue };
            let Some(mut fields) = Fields::of(node, format!("kind.{name}"), &mut Vec::new()) else { continue };
            // Reported once, with the kind that contains it.
            let mut mistakes = Vec::new();
            let texts = fields.texts("holds", &mut mistakes);
            if lineage.first() == Some(kind) {
                out.extend(mistakes);
            }
            held.extend(texts.into_iter().map(|(name, span)| (name.to_string(), span)));
        }
        if let Some(node) = self.inherited(lineage, "keeps")
            && let Some(what) = node.as_table().and_then(|table| table.get("what"))
            && let Some(name) = what.as_str()
        {
            if self.vocabulary.attrs.get(name).is_some_and(|attr| attr.ty == AttrTy::Res) {
                let kept = self.rules.resources.iter().filter(|resource| resource.kept);
                held.extend(kept.map(|resource| (resource.name.clone(), what.span)));
            } else if self.kept_by(name).is_some() {
                held.push((name.to_string(), what.span));
            }
        }
        held
    }

    /// `keeps = { what = "product", room = 3 }`: resources that the owner of such a piece keeps on it.
    pub(super) fn keeps(
        &mut self,
        path: &str,
        kind: KindId,
        attrs: &[Option<AttrValue>],
        scope: &Scope,
    ) -> Option<Keeps> {
        let node = self.inherited(self.vocabulary.lineage_of(kind), "keeps")?.clone();
        let (what, room) = (node.below("what")?, node.below("room")?);
        let kinds = match self.kept_by(what.as_str()?)? {
            KeptBy::These(kinds) => kinds,
            KeptBy::Attribute(attr) => match attrs.get(attr.0 as usize).copied().flatten() {
                Some(AttrValue::Plain(Value::Res(res))) => {
                    self.refuse_unkept(&[res], what.span, Some(path));
                    ResourceSel::One(res)
                }
                // A type without that attribute keeps nothing.
                _ => return None,
            },
        };
        let room = self.expr(room, &format!("{path} keeps.room"), scope, Ty::Int)?;
        Some(Keeps { what: kinds, room })
    }

    /// The meaning of `keeps.what`.
    fn kept_by(&self, name: &str) -> Option<KeptBy> {
        if let Some(attr) = self.vocabulary.attrs.get(name).filter(|attr| attr.ty == AttrTy::Res) {
            return Some(KeptBy::Attribute(attr.id));
        }
        let one = self.vocabulary.resources.get(name).map(|res| ResourceSel::One(*res));
        let group = || self.vocabulary.groups.get(name).map(|group| ResourceSel::Group(*group));
        one.or_else(group).map(KeptBy::These)
    }

    /// Checks `keeps` of a kind itself.
    fn check_keeps(&mut self, id: &str, node: &Node) {
        let mut out = Vec::new();
        let path = format!("kind.{id}.keeps");
        let Some(mut fields) = Fields::of(node, path.clone(), &mut out) else {
            let what = node.as_str().unwrap_or("…");
            let example = format!("write `keeps = {{ what = \"{what}\", room = 3 }}`");
            self.out.extend(out.into_iter().map(|diagnostic| diagnostic.help(example.clone())));
            return;
        };
        let what = fields.need("what", &mut out).cloned();
        fields.need_as("room", "say how much fits: `room = 3`, or `room = \"self.…\"`", &mut out);
        fields.done(&mut out);
        self.out.extend(out);
        let Some(what) = what else { return };
        let Some(name) = what.as_str() else {
            self.out.push(wrong_type(&what, &format!("{path}.what"), "a text"));
            return;
        };
        match self.kept_by(name) {
            Some(KeptBy::These(kinds)) => {
                let members = kinds.members(&self.rules).to_vec();
                self.refuse_unkept(&members, what.span, None);
            }
            Some(KeptBy::Attribute(_)) => {}
            None => {
                let attrs =
                    self.vocabulary.attrs.iter().filter(|(_, attr)| attr.ty == AttrTy::Res).map(|(name, _)| name);
                let known = self.vocabulary.resources.keys().chain(self.vocabulary.groups.keys()).chain(attrs);
                let help = did_you_mean(name, known.map(String::as_str))
                    .unwrap_or("name what is kept, or an attribute of the type `resource` that names it".into());
                let message = format!("`{name}` is no resource, no group and no attribute that holds a resource");
                let unknown = Diagnostic::error(Code::UnknownResource, message).at(what.span).help(help).missing(name);
                self.out.push(in_doubt(unknown, &path));
            }
        }
    }

    /// Only resources with `kept = true` can be kept on pieces.
    fn refuse_unkept(&mut self, resources: &[ResId], at: Span, path: Option<&str>) {
        let unkept: Vec<&Resource> =
            resources.iter().map(|res| self.rules.resource(*res)).filter(|res| !res.kept).collect();
        // All types of a kind share this value: the mistake is reported once.
        let is_told = |found: &Diagnostic| found.labels.first().is_some_and(|label| label.span == at);
        if unkept.is_empty() || path.is_some() && self.out.iter().any(is_told) {
            return;
        }
        for resource in unkept {
            let name = &resource.name;
            let message = match path {
                Some(path) => format!("`{path}` keeps `{name}`, which players do not keep on pieces"),
                None => format!("players do not keep `{name}` on pieces"),
            };
            let help = format!("write `kept = true` in `[resource.{name}]`, or `holds` for what only lies there");
            self.out.push(Diagnostic::error(Code::WrongValue, message).at(at).help(help));
        }
    }
}
