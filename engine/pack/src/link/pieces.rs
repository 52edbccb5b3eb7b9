//! Resources, groups, kinds, types and the copies in the box.

use rulepack_expr::{AttrId, AttrTy, MOST_UNITS, Subject, Ty};
use rulepack_kernel::Value;
use rulepack_kernel::ruleset::{AttrValue, Audience, Concerned, Group, Listener, Modifier, Resource, Whose};
use rulepack_model::{Code, Diagnostic, KindId, Node, ResId, Span, did_you_mean, known_instead, nearest};

use super::Linker;
use super::compile::Scope;
use super::counts::Count;
use super::fields::{Fields, wrong_type};
use super::lengths::{LONGEST_TEXT, too_long};
use super::seats::Copies;
use super::secrets::audience;

impl Linker<'_> {
    pub(crate) fn ids(&self, kind: &str) -> Vec<(String, Span)> {
        self.definitions.of(kind).map(|(id, entry)| (id.to_string(), entry.key)).collect()
    }

    pub(crate) fn link_pieces(&mut self) {
        self.resources();
        self.groups();
        self.kinds();
        let kinds: Vec<String> = self.vocabulary.kinds.keys().cloned().collect();
        for kind in kinds {
            for (id, _) in self.ids(&kind) {
                self.piece_type(&kind, &id);
            }
        }
        self.refuse_missing_attributes();
    }

    fn resources(&mut self) {
        let mut out = Vec::new();
        for (id, _) in self.ids("resource") {
            let Some(node) = self.definitions.get("resource", &id).cloned() else { continue };
            let mut resource = Resource { name: id.clone(), ..Resource::default() };
            if let Some(mut fields) = Fields::of(&node, format!("resource.{id}"), &mut out) {
                match fields.get("supply") {
                    Some(supply) => match (supply.as_int(), supply.as_str()) {
                        (Some(n), _) if (0..1_000_000).contains(&n) => resource.supply = Some(n as i32),
                        (None, Some("unlimited")) => {}
                        _ => {
                            out.push(wrong_type(supply, &format!("resource.{id}.supply"), "a number or \"unlimited\""))
                        }
                    },
                    None => resource.supply = None,
                }
                resource.kept = fields.bool("kept", &mut out).unwrap_or(false);
                resource.visible = audience(&mut fields, Subject::Seat, &node, &mut out);
                if resource.kept && resource.visible != Audience::All {
                    let at = fields.get("visible").map_or(node.span, |node| node.span);
                    let message = format!("`{id}` is kept on pieces, where everybody sees it");
                    let help = "leave out `visible`, or count it in a variable with `visible`";
                    out.push(Diagnostic::error(Code::WrongValue, message).at(at).help(help));
                }
                resource.start = fields.whole("start", 0..=MOST_UNITS, &mut out).unwrap_or(0) as i32;
                let at = fields.get("start").map_or(node.span, |node| node.span);
                self.seating.starts.push((ResId::from(self.rules.resources.len()), at));
                if resource.kept && resource.start > 0 {
                    let message = format!("`{id}` is kept on pieces, so nobody can start with it in hand");
                    let help = format!("put it on pieces in the set-up: `put 1 {id} on …`");
                    out.push(Diagnostic::error(Code::WrongValue, message).at(at).help(help));
                }
                fields.also(&["title", "text", "source", "only_in", "among"]);
                let attrs: Vec<(String, (AttrId, AttrTy))> =
                    self.vocabulary.resource_attrs.iter().map(|(name, attr)| (name.clone(), *attr)).collect();
                for (name, (attr, ty)) in attrs {
                    let value = fields.get(&name).and_then(|value| {
                        self.attribute(value, ty, &format!("resource.{id} {name}"), &Scope::default())
                    });
                    put(&mut resource.attrs, attr, value);
                }
                fields.done(&mut out);
            }
            self.rules.resources.push(resource);
        }
        self.out.extend(out);
    }

    fn groups(&mut self) {
        let mut out = Vec::new();
        for (id, _) in self.ids("group") {
            let Some(node) = self.definitions.get("group", &id).cloned() else { continue };
            let mut group = Group { name: id.clone(), members: Vec::new() };
            if let Some(mut fields) = Fields::of(&node, format!("group.{id}"), &mut out) {
                for (name, span) in fields.texts("of", &mut out) {
                    match self.vocabulary.resources.get(name) {
                        Some(res) => group.members.push(*res),
                        None => out.push(self.unknown_resource(name, span)),
                    }
                }
                fields.also(&["title", "text", "only_in"]);
                fields.done(&mut out);
            }
            self.rules.groups.push(group);
        }
        self.out.extend(out);
    }

    pub(super) fn unknown_resource(&self, name: &str, span: Span) -> Diagnostic {
        let known = self.vocabulary.resources.keys().chain(self.vocabulary.groups.keys()).map(String::as_str);
        Diagnostic::error(Code::UnknownResource, format!("no resource is called `{name}`"))
            .at(span)
            .maybe_help(known_instead(name, known))
    }

    /// An attribute of a piece or resource.
    fn attribute(&mut self, node: &Node, ty: AttrTy, origin: &str, scope: &Scope) -> Option<AttrValue> {
        let plain = |value| Some(AttrValue::Plain(value));
        match ty {
            AttrTy::Int => match node.as_int() {
                Some(n) => plain(Value::Int(n)),
                None => self.refuse(node, origin, "a whole number"),
            },
            AttrTy::Bool => match node.as_bool() {
                Some(flag) => plain(Value::Bool(flag)),
                None => self.refuse(node, origin, "true or false"),
            },
            AttrTy::Text => match node.as_str() {
                Some(text) => {
                    self.out.extend(too_long(&origin.replace(' ', "."), text, node.span, LONGEST_TEXT));
                    None
                }
                None => self.refuse(node, origin, "a text"),
            },
            AttrTy::Res => match node.as_str() {
                Some(name) => match self.vocabulary.resources.get(name) {
                    Some(res) => plain(Value::Res(*res)),
                    None => {
                        let diagnostic = self.unknown_resource(name, node.span);
                        self.out.push(diagnostic);
                        None
                    }
                },
                None => self.refuse(node, origin, "the name of a resource"),
            },
            AttrTy::Sym => match node.as_str() {
                Some(name) => match self.vocabulary.symbols.get(name) {
                    Some(symbol) => plain(Value::Sym(*symbol)),
                    None => {
                        let known = self.vocabulary.symbols.keys().map(String::as_str);
                        let help = did_you_mean(name, known).or(Some(format!("declare it with `[symbol.{name}]`")));
                        self.out.push(
                            Diagnostic::error(Code::UnknownName, format!("no symbol is called `{name}`"))
                                .at(node.span)
                                .maybe_help(help),
                        );
                        None
                    }
                },
                None => self.refuse(node, origin, "the name of a symbol"),
            },
            AttrTy::Type => match node.as_str() {
                Some(name) => match self.vocabulary.types.get(name) {
                    Some((id, _)) => plain(Value::Type(*id)),
                    None => {
                        let known = self.vocabulary.types.keys().map(String::as_str);
                        self.out.push(
                            Diagnostic::error(Code::UnknownName, format!("no piece is called `{name}`"))
                                .at(node.span)
                                .maybe_help(known_instead(name, known)),
                        );
                        None
                    }
                },
                None => self.refuse(node, origin, "the name of a piece"),
            },
            AttrTy::Cost => self.cost(node, origin, scope).map(AttrValue::Cost),
            AttrTy::Effect => self.effect(node, origin, scope).map(AttrValue::Effect),
            AttrTy::Amount => self.expr(node, origin, scope, Ty::Int).map(AttrValue::Expr),
            AttrTy::Condition => self.expr(node, origin, scope, Ty::Bool).map(AttrValue::Expr),
        }
    }

    fn refuse(&mut self, node: &Node, origin: &str, wanted: &str) -> Option<AttrValue> {
        self.out.push(wrong_type(node, &origin.replace(' ', "."), wanted));
        None
    }

    fn piece_type(&mut self, kind_name: &str, id: &str) {
        let Some((type_id, kind)) = self.vocabulary.types.get(id).copied() else { return };
        if self.rules.ty(type_id).kind != kind || self.vocabulary.kinds.get(kind_name) != Some(&kind) {
            return;
        }
        let Some(node) = self.definitions.get(kind_name, id).cloned() else { return };
        let path = format!("{kind_name}.{id}");
        let mut out = Vec::new();
        let Some(mut fields) = Fields::of(&node, path.clone(), &mut out) else {
            self.out.extend(out);
            return;
        };
        fields.also(&["title", "text", "source", "only_in", "count", "starts_in"]);
        let this = Ty::Piece(Some(kind));
        let scope = Scope::on(this);
        let attrs: Vec<(String, AttrId, AttrTy)> = self
            .vocabulary
            .attrs
            .iter()
            .filter(|(_, attr)| attr.kinds.contains(&kind))
            .map(|(name, attr)| (name.clone(), attr.id, attr.ty))
            .collect();
        let mut values = vec![None; self.vocabulary.attrs.len()];
        let mut lacking = Vec::new();
        for (name, attr, ty) in attrs {
            let own = fields.get(&name).cloned();
            let default = |kind: &KindId| {
                let (kind_name, _) = self.vocabulary.kinds.get_index(kind.index())?;
                let node = self.attr_defaults.get(&(*kind, name.clone()))?.clone();
                Some((node, format!("kind.{kind_name} attributes.{name}.default")))
            };
            let inherited = || self.vocabulary.lineage_of(kind).iter().find_map(default);
            let is_text = matches!(ty, AttrTy::Cost | AttrTy::Effect | AttrTy::Amount | AttrTy::Condition);
            let here = format!("{path} {name}");
            if let Some(own) = &own
                && self.asked_by(kind, &name).is_some()
            {
                self.required.said.insert(own.span);
            }
            let found = match own {
                Some(node) => Some((node, here)),
                // A mistake in a text is reported for the piece, a wrong type for the kind.
                None => inherited().map(|(node, origin)| (node, if is_text { here } else { origin })),
            };
            match found {
                Some((value, origin)) => put(&mut values, attr, self.attribute(&value, ty, &origin, &scope)),
                None => lacking.push(name),
            }
        }
        let keeps = self.keeps(&path, kind, &values, &scope);
        let printing_of = match fields.text("printing_of", &mut out) {
            Some(root) => self.vocabulary.types.get(root).map_or(type_id, |(root, _)| *root),
            None => type_id,
        };
        let score = fields.get("score").cloned();
        let score = score.and_then(|node| self.expr(&node, &format!("{path} score"), &scope, Ty::Int));
        let mut hooks = [Vec::new(), Vec::new(), Vec::new()];
        for (list, key) in hooks.iter_mut().zip(["on", "replaces", "reacts"]) {
            for (event, entry) in fields.table(key, &mut out) {
                list.extend(self.listener(&path, key, event, entry.key, &entry.node, this));
            }
        }
        let mut modifies = Vec::new();
        for (value, entry) in fields.table("modifies", &mut out) {
            modifies.extend(self.modifier(&path, value, entry.key, &entry.node, this));
        }
        let mut unknown = Vec::new();
        fields.done(&mut unknown);
        let unknown: Vec<Diagnostic> = unknown.into_iter().map(|found| self.with_known_hook(found)).collect();
        // An unknown key may be the missing attribute, misspelt.
        if unknown.is_empty() {
            self.lacks(&path, &node, kind, &lacking);
        }
        self.out.extend(out.into_iter().chain(unknown));
        let [listens, replaces, reacts] = hooks;
        let same_name = self.copies.contains_key(id);
        let Some(ty) = self.rules.types.get_mut(type_id.index()) else { return };
        ty.keeps = keeps;
        ty.printing_of = printing_of;
        ty.same_name = same_name;
        ty.attrs = values;
        ty.score = score;
        ty.listens = listens;
        ty.replaces = replaces;
        ty.reacts = reacts;
        ty.modifies = modifies;
    }

    /// Suggests the right spelling for a hook without an event: `on_built` if there is no event `built`.
    fn with_known_hook(&self, mut found: Diagnostic) -> Diagnostic {
        let written = found.help.as_deref().and_then(|help| help.strip_prefix("write `")?.strip_suffix('`'));
        let Some((table, name)) = written.and_then(|written| written.split_once('.')) else { return found };
        let (what, known): (&str, Vec<&str>) = match table {
            "modifies" => ("value", self.vocabulary.values.keys().map(String::as_str).collect()),
            "on" | "reacts" | "replaces" => ("event", self.vocabulary.events.keys().map(String::as_str).collect()),
            _ => return found,
        };
        if !known.contains(&name) {
            let help = match (nearest(name, known.iter().copied()), known_instead(name, known.iter().copied())) {
                (Some(meant), _) => format!("did you mean `{table}.{meant}`?"),
                (None, Some(all)) => {
                    format!("it would be written `{table}.{name}`, but no {what} is called `{name}`: {all}")
                }
                (None, None) => format!("it would be written `{table}.{name}`, but there is no {what} at all"),
            };
            found.help = Some(help);
        }
        found
    }

    /// `on.event = "effect"` or `{ when = …, do = …, whose = … }`.
    fn listener(&mut self, path: &str, key: &str, event: &str, at: Span, node: &Node, this: Ty) -> Option<Listener> {
        let Some((id, _)) = self.vocabulary.events.get(event).cloned() else {
            let known = self.vocabulary.events.keys().map(String::as_str);
            self.out.push(
                Diagnostic::error(Code::UnknownName, format!("no event is called `{event}`"))
                    .at(at)
                    .maybe_help(known_instead(event, known)),
            );
            return None;
        };
        let scope = Scope { this: Some(this), params: self.event_args(event), ..Scope::default() };
        let origin = format!("{path} {key}.{event}");
        if node.as_table().is_none() {
            let effect = self.effect(node, &origin, &scope)?;
            return Some(Listener { event: id, whose: Whose::Mine, when: None, effect });
        }
        let mut out = Vec::new();
        let mut fields = Fields::of(node, format!("{path}.{key}.{event}"), &mut out)?;
        let when =
            fields.get("when").cloned().and_then(|when| self.expr(&when, &format!("{origin}.when"), &scope, Ty::Bool));
        let whose = match fields.text("whose", &mut out) {
            None | Some("mine") => Whose::Mine,
            Some("others") => Whose::Others,
            Some("any") => Whose::Any,
            Some(other) => {
                out.push(
                    Diagnostic::error(Code::WrongValue, format!("`{other}` does not say whose doings are meant"))
                        .at(fields.span_of("whose"))
                        .help("write \"mine\", \"others\" or \"any\""),
                );
                Whose::Mine
            }
        };
        let scope = scope.assured_by(fields.get("when"));
        let effect = fields.need("do", &mut out).cloned();
        fields.done(&mut out);
        self.out.extend(out);
        let effect = self.effect(&effect?, &format!("{origin}.do"), &scope)?;
        Some(Listener { event: id, whose, when, effect })
    }

    /// `modifies.value = "1"` or `{ of = …, by = …, when = … }`.
    fn modifier(&mut self, path: &str, value: &str, at: Span, node: &Node, this: Ty) -> Option<Modifier> {
        let Some((id, subject, ty)) = self.vocabulary.values.get(value).copied() else {
            let known = self.vocabulary.values.keys().map(String::as_str);
            self.out.push(
                Diagnostic::error(Code::UnknownName, format!("no value is called `{value}`"))
                    .at(at)
                    .maybe_help(known_instead(value, known)),
            );
            return None;
        };
        if ty != Ty::Int {
            self.out.push(
                Diagnostic::error(Code::WrongType, format!("`{value}` is no number, so nothing can be added to it"))
                    .at(at),
            );
            return None;
        }
        let scope = Scope::on(this);
        let origin = format!("{path} modifies.{value}");
        if node.as_table().is_none() {
            let by = self.expr(node, &origin, &scope, Ty::Int)?;
            return Some(Modifier { value: id, of: None, by, when: None });
        }
        let mut out = Vec::new();
        let mut fields = Fields::of(node, format!("{path}.modifies.{value}"), &mut out)?;
        let of = fields.get("of").cloned();
        let by = fields.need("by", &mut out).cloned();
        let when = fields.get("when").cloned();
        fields.done(&mut out);
        self.out.extend(out);
        if of.is_none() && matches!(subject, Subject::Piece(_) | Subject::Space) {
            let owners = if subject == Subject::Space { "spaces" } else { "pieces" };
            self.out.push(
                Diagnostic::error(Code::MissingKey, format!("`{value}` belongs to {owners}: of which ones?"))
                    .at(node.span)
                    .help("write `of = \"my …\"`"),
            );
            return None;
        }
        let of = match of {
            Some(of) => {
                let (set, _, locals) = self.set(&of, &format!("{origin}.of"), &scope)?;
                Some(Concerned::new(set, locals))
            }
            None => None,
        };
        let when = match when {
            Some(when) => Some(self.expr(&when, &format!("{origin}.when"), &scope, Ty::Bool)?),
            None => None,
        };
        let by = self.expr(&by?, &format!("{origin}.by"), &scope, Ty::Int)?;
        Some(Modifier { value: id, of, by, when })
    }

    /// How many copies of each type there are, and where they start.
    pub(crate) fn copies(&mut self) {
        let mut out = Vec::new();
        let kinds: Vec<String> = self.vocabulary.kinds.keys().cloned().collect();
        for kind_name in &kinds {
            for (id, span) in self.ids(kind_name) {
                let Some((ty, kind)) = self.vocabulary.types.get(&id).copied() else { continue };
                let table = self.definitions.get(kind_name, &id).and_then(Node::as_table).cloned();
                let lineage = self.vocabulary.lineage_of(kind);
                let field = |key: &str| {
                    let own = table.as_ref().and_then(|table| table.get(key));
                    own.or_else(|| self.inherited(lineage, key)).cloned()
                };
                let (said, start) = (field("count"), field("starts_in"));
                let at = said.as_ref().map_or(span, |node| node.span);
                let each = said.as_ref().and_then(Node::as_table).and_then(|table| table.get("per_player")).cloned();
                let per_player = each.is_some();
                let count = match each.or(said) {
                    None => Count::Number(1),
                    Some(node) => match self.count(&format!("{kind_name}.{id}"), ty, &node) {
                        Some(count) => count,
                        None => continue,
                    },
                };
                let Some(start) = start else {
                    out.push(
                        Diagnostic::error(Code::MissingZone, format!("`{kind_name}.{id}` has no zone to start in"))
                            .at(span)
                            .missing("starts_in")
                            .help("set `starts_in` here or on its kind"),
                    );
                    continue;
                };
                let Some(zone) = start.as_str().and_then(|name| self.vocabulary.zones.get(name)).copied() else {
                    let known = self.vocabulary.zones.keys().map(String::as_str);
                    let name = start.as_str().unwrap_or("");
                    out.push(
                        Diagnostic::error(Code::UnknownName, format!("no zone is called `{name}`"))
                            .at(start.span)
                            .maybe_help(known_instead(name, known)),
                    );
                    continue;
                };
                if zone.per_player != per_player {
                    let help = if zone.per_player {
                        "pieces of a player's zone are counted for each: `count = { per_player = 1 }`"
                    } else {
                        "pieces for each player start in a zone of the player: `owner = \"player\"`"
                    };
                    out.push(
                        Diagnostic::error(Code::WrongValue, format!("`{kind_name}.{id}` cannot start in that zone"))
                            .at(start.span)
                            .help(help),
                    );
                    continue;
                }
                self.seating.copies.push(Copies { ty, zone: zone.id, count, per_player, at });
            }
        }
        self.out.extend(out);
    }
}

/// Stores the value of an attribute at its index.
fn put(values: &mut Vec<Option<AttrValue>>, attr: AttrId, value: Option<AttrValue>) {
    let index = usize::from(attr.0);
    if values.len() <= index {
        values.resize(index.saturating_add(1), None);
    }
    if let Some(place) = values.get_mut(index) {
        *place = value;
    }
}
