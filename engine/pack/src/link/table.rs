//! Zones, variables, derived values and events.

use rulepack_expr::{AttrId, Expr, FIRST_PARAM, SELF, Subject, Ty};
use rulepack_kernel::Value;
use rulepack_kernel::ruleset::{Adjacency, Audience, DerivedValue, EventDef, Scope as Lifetime, Var, Visibility, Zone};
use rulepack_model::{Code, Diagnostic, Entry, Node, Span, SymId, ZoneId, did_you_mean, known_instead};

use super::Linker;
use super::compile::Scope;
use super::fields::{Fields, in_doubt, wrong_type};
use super::layout::read_layout;
use super::secrets::audience;

impl Linker<'_> {
    pub(crate) fn link_table(&mut self) {
        self.zones();
        self.adjacencies();
        self.copies();
        self.vars();
        self.values();
        self.events();
    }

    fn zones(&mut self) {
        let names: Vec<String> = self.vocabulary.zones.keys().cloned().collect();
        for name in &names {
            let zone = self.zone(name);
            self.rules.zones.push(zone);
            self.seating.zones.push(self.definitions.get("zone", name).map_or(self.at, |node| node.span));
        }
    }

    fn zone(&mut self, name: &str) -> Zone {
        let path = format!("zone.{name}");
        let mut zone = Zone { name: name.to_string(), ..Zone::default() };
        let Some(node) = self.definitions.get("zone", name).cloned() else { return zone };
        let mut out = Vec::new();
        let Some(mut fields) = Fields::of(&node, path.clone(), &mut out) else {
            self.out.extend(out);
            return zone;
        };
        match fields.text("owner", &mut out) {
            None | Some("table") => {}
            Some("player") => zone.per_player = true,
            Some(other) => out.push(
                Diagnostic::error(Code::WrongValue, format!("`{other}` cannot own a zone"))
                    .at(fields.span_of("owner"))
                    .help("write \"player\" or \"table\""),
            ),
        }
        if let Some(layout) = fields.get("layout") {
            read_layout(&mut zone, layout, &path, &mut out);
        }
        zone.visible = match fields.text("visible", &mut out) {
            None | Some("all") => Visibility::All,
            Some("owner") => Visibility::Owner,
            Some("top") => Visibility::Top,
            Some("none") => Visibility::None,
            Some(other) => {
                let help = did_you_mean(other, ["all", "owner", "top", "none"])
                    .or(Some("write \"all\", \"owner\", \"top\" or \"none\"".into()));
                let at = fields.get("visible").map_or(node.span, |node| node.span);
                out.push(
                    Diagnostic::error(Code::WrongValue, format!("`{other}` does not say who sees it"))
                        .at(at)
                        .maybe_help(help),
                );
                Visibility::All
            }
        };
        zone.reacts = fields.bool("reacts", &mut out).unwrap_or(false);
        zone.out_of_game = fields.bool("out_of_game", &mut out).unwrap_or(false);
        let in_play = zone.per_player && zone.visible == Visibility::All && !zone.reacts && !zone.out_of_game;
        zone.in_play = fields.bool("in_play", &mut out).unwrap_or(in_play);
        for (key, contradicts) in [("reacts", zone.reacts), ("in_play", zone.in_play)] {
            if zone.out_of_game && contradicts {
                let at = fields.get(key).map_or(node.span, |node| node.span);
                let message = format!("`{path}` is out of the game, so `{key}` cannot be true for it");
                let help = format!("leave out `{key}` or `out_of_game`");
                out.push(Diagnostic::error(Code::WrongValue, message).at(at).help(help));
            }
        }
        zone.capacity = fields.whole("capacity", 0..=i64::from(u16::MAX), &mut out).map(|n| n as u16);
        if let Some(refill) = fields.text("refill", &mut out) {
            zone.refill = self.vocabulary.zones.get(refill).map(|zone| zone.id);
            if zone.refill.is_none() {
                let at = fields.get("refill").map_or(node.span, |node| node.span);
                let known = self.vocabulary.zones.keys().map(String::as_str);
                out.push(
                    Diagnostic::error(Code::UnknownName, format!("no zone is called `{refill}`"))
                        .at(at)
                        .maybe_help(known_instead(refill, known)),
                );
            }
        }
        if let Some(node) = fields.get("renews_from") {
            zone.renews_from = self.renews_from(&path, &zone, node, &mut out);
        }
        if let Some(node) = fields.get("sorted_by") {
            zone.sorted_by = self.sorted_by(&path, &zone, node, &mut out);
        }
        if let Some(surcharge) = fields.get("surcharge") {
            match surcharge.as_list() {
                Some(list) if list.len() <= zone.layout.cells() as usize => {
                    for (number, item) in (1..).zip(list) {
                        let scope = Scope::on(Ty::Piece(None));
                        zone.surcharge.extend(self.cost(item, &format!("{path} surcharge.{number}"), &scope));
                    }
                }
                Some(_) => out.push(
                    Diagnostic::error(Code::WrongValue, format!("`{path}` has more surcharges than spaces"))
                        .at(surcharge.span),
                ),
                None => out.push(wrong_type(surcharge, &format!("{path}.surcharge"), "a list of costs")),
            }
        }
        for (name, entry) in fields.table("marks", &mut out) {
            let marks = self.marks(&zone, &format!("{path}.marks.{name}"), &entry.node, &mut out);
            if let Some(mark) = self.vocabulary.marks.get(name) {
                zone.marks.push((*mark, marks));
            }
        }
        fields.also(&["title", "text", "only_in"]);
        fields.done(&mut out);
        self.out.extend(out.into_iter().map(|mistake| in_doubt(mistake, &path)));
        zone
    }

    /// The marks on the spaces of a zone: a list of symbols, or a table from rows to symbols.
    fn marks(&self, zone: &Zone, path: &str, node: &Node, out: &mut Vec<Diagnostic>) -> Vec<Option<SymId>> {
        let cells = zone.layout.cells() as usize;
        let mut marks = vec![None; cells];
        let symbol = |node: &Node, out: &mut Vec<Diagnostic>| {
            let name = node.as_str().unwrap_or("");
            let found = self.vocabulary.symbols.get(name).copied();
            if found.is_none() {
                let known = self.vocabulary.symbols.keys().map(String::as_str);
                let help = did_you_mean(name, known).or(Some(format!("declare it with `[symbol.{name}]`")));
                let message = format!("no symbol is called `{name}`");
                out.push(Diagnostic::error(Code::UnknownName, message).at(node.span).maybe_help(help));
            }
            found
        };
        if let Some(list) = node.as_list() {
            if let Some(beyond) = list.get(cells) {
                let message = format!("`{path}` marks {} spaces, but there are {cells}", list.len());
                let help = "one symbol for each space, row by row; the last ones may be left out";
                out.push(Diagnostic::error(Code::WrongValue, message).at(beyond.span).help(help));
            }
            for (mark, item) in marks.iter_mut().zip(list) {
                *mark = symbol(item, out);
            }
        } else if let Some(rows) = node.as_table() {
            if cells == 0 {
                let message = format!("`{path}` marks spaces, but a pile has none");
                out.push(Diagnostic::error(Code::WrongValue, message).at(node.span).help("give the zone a `layout`"));
                return marks;
            }
            for (row, entry) in rows.iter() {
                let Some(row) = row_named(zone, row, entry.key, out) else { continue };
                let mark = symbol(&entry.node, out);
                for space in zone.layout.row(row) {
                    if let Some(marked) = marks.get_mut(usize::from(space)) {
                        *marked = mark;
                    }
                }
            }
        } else {
            out.push(wrong_type(node, path, "a list of symbols, or a table from rows to symbols"));
        }
        marks
    }

    /// Adjacencies: for each row, the rows and columns beside a space to which they lead.
    fn adjacencies(&mut self) {
        let mut out = Vec::new();
        for (id, entry) in self.definitions.of("adjacency") {
            let path = format!("adjacency.{id}");
            let mut way = Adjacency { name: id.to_string(), zone: ZoneId(0), leads: Vec::new() };
            if let Some(mut fields) = Fields::of(&entry.node, path.clone(), &mut out)
                && let Some(node) = fields.need("zone", &mut out)
            {
                let name = node.as_str().unwrap_or("");
                match self.vocabulary.zones.get(name) {
                    Some(zone) => {
                        way.zone = zone.id;
                        let from = fields.table("from", &mut out);
                        way.leads = leads(self.rules.zone(zone.id), &path, &from, &mut out);
                    }
                    None => {
                        let known = self.vocabulary.zones.keys().map(String::as_str);
                        out.push(
                            Diagnostic::error(Code::UnknownName, format!("no zone is called `{name}`"))
                                .at(node.span)
                                .maybe_help(known_instead(name, known)),
                        );
                    }
                }
                fields.also(&["title", "text", "only_in", "from"]);
                fields.done(&mut out);
            }
            self.rules.adjacencies.push(way);
        }
        self.out.extend(out);
    }

    fn vars(&mut self) {
        for (name, (_, subject, ty)) in self.vocabulary.vars.clone() {
            let mut var = Var {
                name: name.clone(),
                subject,
                ty,
                base: 0,
                slots: 1,
                scope: Lifetime::Game,
                start: match ty {
                    Ty::Int => Value::Int(0),
                    Ty::Bool => Value::Bool(false),
                    _ => Value::Nil,
                },
                range: None,
                visible: Audience::All,
                among: None,
                by_piece: false,
            };
            let node = self.definitions.get("var", &name).cloned();
            let mut out = Vec::new();
            if let Some(node) = &node
                && let Some(mut fields) = Fields::of(node, format!("var.{name}"), &mut out)
            {
                if let Some(scope) = fields.get("scope") {
                    var.scope = self.lifetime(scope, &mut out);
                }
                if let Some(start) = fields.get("start") {
                    match (ty, start.as_int(), start.as_bool()) {
                        (Ty::Int, Some(n), _) => var.start = Value::Int(n),
                        (Ty::Bool, _, Some(flag)) => var.start = Value::Bool(flag),
                        (Ty::Int, ..) => out.push(wrong_type(start, &format!("var.{name}.start"), "a whole number")),
                        (Ty::Bool, ..) => out.push(wrong_type(start, &format!("var.{name}.start"), "true or false")),
                        _ => out.push(
                            Diagnostic::error(
                                Code::WrongValue,
                                format!("`var.{name}` starts as nothing: `start` has no place here"),
                            )
                            .at(start.span),
                        ),
                    }
                }
                if let Some(track) = fields.get("track") {
                    var.range = read_track(&var, track, &mut out);
                }
                var.visible = audience(&mut fields, subject, node, &mut out);
                fields.also(&["of", "type", "among", "title", "text", "only_in"]);
                fields.done(&mut out);
            }
            self.out.extend(out);
            self.rules.vars.push(var);
        }
    }

    /// `"turn"`, `"game"` or the name of a phase.
    pub(crate) fn lifetime(&self, node: &Node, out: &mut Vec<Diagnostic>) -> Lifetime {
        match node.as_str() {
            Some("game") => Lifetime::Game,
            Some("turn") => Lifetime::Turn,
            Some(phase) => match self.definitions.of("phase").position(|(id, _)| id == phase) {
                Some(index) => Lifetime::Phase(rulepack_model::PhaseId::from(index)),
                None => {
                    let known = self.definitions.of("phase").map(|(id, _)| id).chain(["turn", "game"]);
                    out.push(
                        Diagnostic::error(Code::UnknownName, format!("no phase is called `{phase}`"))
                            .at(node.span)
                            .maybe_help(known_instead(phase, known)),
                    );
                    Lifetime::Game
                }
            },
            None => {
                out.push(wrong_type(node, "scope", "a text: \"turn\", \"game\", or the name of a phase"));
                Lifetime::Game
            }
        }
    }

    fn values(&mut self) {
        for (name, (id, subject, ty)) in self.vocabulary.values.clone() {
            let path = format!("value.{name}");
            if self.vocabulary.modified.contains(&name) {
                let value = self.modified_attribute(name);
                self.rules.values.push(value);
                continue;
            }
            let Some(node) = self.definitions.get("value", &name).cloned() else { continue };
            let mut out = Vec::new();
            let Some(mut fields) = Fields::of(&node, path.clone(), &mut out) else {
                self.out.extend(out);
                continue;
            };
            let is_given = node.below("is").is_some();
            let key = if ty == Ty::Int && !is_given { "base" } else { "is" };
            let base = fields.need(key, &mut out).cloned();
            let visible = audience(&mut fields, subject, &node, &mut out);
            fields.also(&["of", "type", "title", "text", "only_in", "is", "base"]);
            fields.done(&mut out);
            self.out.extend(out);
            let scope = match subject {
                Subject::Piece(kind) => Scope::on(Ty::Piece(kind)),
                Subject::Space => Scope::on(Ty::Cell),
                Subject::Game | Subject::Seat => Scope::default(),
            };
            let base = base.and_then(|base| self.expr(&base, &format!("{path} {key}"), &scope, ty));
            let base = match base {
                Some(base) => base,
                None => self.keep_expr(rulepack_expr::Expr::Int(0), 2),
            };
            let modified = self.rules.types.iter().any(|ty| ty.modifies.iter().any(|modifier| modifier.value == id));
            let place = self.definitions.get("value", &name).map(|node| node.span);
            let place = place.and_then(|span| self.line_of(span));
            self.rules.values.push(DerivedValue { name, subject, base, modified, visible, place });
        }
    }

    /// The value of an attribute that something modifies.
    fn modified_attribute(&mut self, name: String) -> DerivedValue {
        let own = |attr: AttrId| Expr::Attr(Box::new(Expr::Local(SELF)), attr);
        let base = self.vocabulary.attrs.get(&name).map_or(Expr::Int(0), |attr| own(attr.id));
        let base = self.keep_expr(base, FIRST_PARAM);
        DerivedValue { name, subject: Subject::Piece(None), base, modified: true, visible: Audience::All, place: None }
    }

    fn events(&mut self) {
        for (name, (id, _)) in self.vocabulary.events.clone() {
            let path = format!("event.{name}");
            let args = self.event_args(&name);
            let mut event = EventDef { name: name.clone(), args: args.len() as u16, ..EventDef::default() };
            if let Some(node) = self.definitions.get("event", &name).cloned() {
                let mut out = Vec::new();
                if let Some(mut fields) = Fields::of(&node, path.clone(), &mut out) {
                    let scope = Scope::with(&args);
                    let (effect, window) = (fields.get("effect").cloned(), fields.get("window").cloned());
                    event.effect = effect.and_then(|effect| self.effect(&effect, &format!("{path} effect"), &scope));
                    event.window = window.and_then(|window| self.window(&window, &format!("{path} window"), &scope));
                    let asked = fields.get("prompt");
                    let prompt = self.prompt(asked);
                    event.prompt = self.names_nothing(prompt, asked);
                    fields.also(&["args", "title", "text", "only_in"]);
                    fields.done(&mut out);
                }
                self.out.extend(out);
            }
            for (index, ty) in self.rules.types.iter().enumerate() {
                let hears = |hooks: &[rulepack_kernel::ruleset::Listener]| hooks.iter().any(|hook| hook.event == id);
                if (hears(&ty.listens) || hears(&ty.replaces) || hears(&ty.reacts)) && self.seating.has(index) {
                    event.heard = true;
                    event.replaced |= hears(&ty.replaces);
                    event.answered |= hears(&ty.reacts);
                }
            }
            self.rules.events.push(event);
        }
    }

    /// A question by its name.
    pub(crate) fn prompt(&mut self, node: Option<&Node>) -> Option<rulepack_model::PromptId> {
        let node = node?;
        let Some(name) = node.as_str() else {
            self.out.push(wrong_type(node, "prompt", "the name of a question"));
            return None;
        };
        let found = self.vocabulary.prompts.get(name).copied();
        if found.is_none() {
            let known = self.vocabulary.prompts.keys().map(String::as_str);
            self.out.push(
                Diagnostic::error(Code::UnknownName, format!("no question is called `{name}`"))
                    .at(node.span)
                    .maybe_help(did_you_mean(name, known).or(Some(format!("declare it with `[prompt.{name}]`")))),
            );
        }
        found
    }
}

/// A row by its name or number, counted from 1.
fn row_named(zone: &Zone, name: &str, at: Span, out: &mut Vec<Diagnostic>) -> Option<u16> {
    let found = zone.row_named(name);
    if found.is_none() {
        let rows = zone.layout.rows();
        let message = format!("`zone.{}` has no row `{name}`", zone.name);
        let help = match (rows, zone.row_names.as_slice()) {
            (0, _) => "it is a pile: spaces come with `layout = { row = 4 }` or `layout = { grid = [3, 3] }`".into(),
            (_, []) => format!("its rows have no names: they are numbered from 1 to {rows}"),
            (_, names) => did_you_mean(name, names.iter().map(String::as_str))
                .unwrap_or_else(|| format!("its rows are `{}`", names.join("`, `"))),
        };
        out.push(Diagnostic::error(Code::UnknownName, message).at(at).help(help));
    }
    found
}

/// `from.top = [["top", -1], ["top", 1]]`: from every space of that row to the spaces at these distances.
fn leads(zone: &Zone, path: &str, from: &[(&str, &Entry)], out: &mut Vec<Diagnostic>) -> Vec<Vec<u16>> {
    let mut leads = vec![Vec::new(); usize::from(zone.layout.cells())];
    for (row, entry) in from {
        let Some(row) = row_named(zone, row, entry.key, out) else { continue };
        for step in entry.node.as_list().unwrap_or(&[]) {
            let parts = match step.as_list() {
                Some([to, by]) => to.as_str().zip(by.as_int()).map(|(name, by)| (to.span, name, by)),
                _ => None,
            };
            let Some((at, name, by)) = parts else {
                let message = format!("a step of `{path}` must be a row and a number of columns");
                let help = "write `[\"ROW\", 0]` for the same column, `[\"ROW\", -1]` for the one before it";
                out.push(Diagnostic::error(Code::WrongType, message).at(step.span).help(help));
                continue;
            };
            let Some(to) = row_named(zone, name, at, out) else { continue };
            // A row may have a name and no spaces, if the layout is wrong.
            for (column, from) in (0..).zip(zone.layout.row(row)) {
                let target = by.checked_add(column).and_then(|target| usize::try_from(target).ok());
                if let (Some(from), Some(to)) =
                    (leads.get_mut(usize::from(from)), target.and_then(|n| zone.layout.row(to).nth(n)))
                {
                    from.push(to);
                }
            }
        }
        if entry.node.as_list().is_none() {
            let what = format!("{path}.from");
            out.push(wrong_type(&entry.node, &what, "a list of steps").help("write `[[\"ROW\", -1], [\"ROW\", 1]]`"));
        }
    }
    leads
}

/// `track = [0, 6]`: the first and the last space.
fn read_track(var: &Var, node: &Node, out: &mut Vec<Diagnostic>) -> Option<(i64, i64)> {
    let ends: Vec<i64> = node.as_list().unwrap_or(&[]).iter().filter_map(Node::as_int).collect();
    match (ends.as_slice(), var.start) {
        ([first, last], Value::Int(start)) if first <= &start && &start <= last => Some((*first, *last)),
        ([first, last], Value::Int(start)) if first <= last => {
            let message = format!("`var.{}` starts at {start}, which is not on its track", var.name);
            out.push(
                Diagnostic::error(Code::WrongValue, message).at(node.span).help(format!("write `start = {first}`")),
            );
            None
        }
        _ => {
            let what = format!("var.{}.track", var.name);
            out.push(wrong_type(node, &what, "a list of two numbers: the first and the last space"));
            None
        }
    }
}
