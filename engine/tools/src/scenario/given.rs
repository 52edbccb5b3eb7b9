//! The table before the first step: read from `[given]`, then set up.

use std::collections::BTreeSet;

use rulepack_kernel::{EditError, Editor, Value, ZoneIx};
use rulepack_model::{Code, Diagnostic, Node, ResId, Seat, Span, Table, TypeId, VarId};
use rulepack_pack::Word;

use super::homes::pieces_of;
use super::names::{MAX_AMOUNT, Meaning, Names, Whom};
use super::pieces::{Held, PieceSpec, Stack, ZoneSpec};
use super::read::merged;
use super::setting::{Misfit, Setting, Taken, ZoneGiven};
use super::{Begin, Scenario};

/// The largest number of sides of a die.
const MAX_ROLL: i64 = 1_000_000;

/// The given table, with all names resolved.
#[derive(Debug, Clone, Default)]
pub(super) struct Given {
    pub(super) amounts: Vec<(Seat, Held)>,
    pub(super) vars: Vec<(VarId, Option<Value>, Value)>,
    pub(super) zones: Vec<ZoneGiven>,
    pub(super) supply: Vec<(ResId, i32)>,
    supply_at: Option<Span>,
    pub(super) first: Option<(Seat, Span)>,
    pub(super) turn: Option<(Seat, Span)>,
    pub(super) passed: Option<Vec<Seat>>,
    pub(super) out: Option<Vec<Seat>>,
    pub(super) rolls: Vec<u32>,
    aside: Option<ZoneIx>,
}

impl Given {
    /// Resolves all names.
    pub(super) fn read(table: &Table, names: &mut Names<'_>) -> Given {
        let mut given = Given::default();
        for key in ["vars", "supply", "zone"] {
            if let Some(entry) = table.entries.get(key) {
                names.is_refused_as_empty(key, entry.key, &entry.node);
            }
        }
        if let Some(node) = table.get("vars") {
            given.read_vars(node, names);
        }
        if let Some(node) = table.get("supply") {
            given.supply = names.amounts(node, "supply");
            given.supply_at = Some(node.span);
            names.refuse_supply(node, &given.supply);
        }
        if let Some(node) = table.get("zone") {
            match node.as_table() {
                Some(zones) => {
                    for (name, entry) in zones.iter() {
                        let Some(zone) = names.zone(name, entry.key, None) else { continue };
                        let spec = names.zone_spec(&entry.node, name, entry.key, zone);
                        given.zones.extend(spec.map(|spec| ZoneGiven { zone, spec, at: entry.key }));
                    }
                }
                None => names.fields().wrong(node, "zone", "a table of zones"),
            }
        }
        for (seat, table) in names.per_seat(table) {
            given.read_seat(seat, &table, names);
        }
        if let Some(word) = table.get("first").and_then(|node| names.fields().text(node, "first")) {
            given.first = names.seat(&word).map(|seat| (seat, word.span));
        }
        if let Some(word) = table.get("turn").and_then(|node| names.fields().text(node, "turn")) {
            given.turn = names.seat(&word).map(|seat| (seat, word.span));
        }
        if let Some(node) = table.get("passed") {
            let words = names.fields().words_of(node, "passed");
            let passed: Vec<Seat> = words.iter().filter_map(|word| names.seat(word)).collect();
            names.refuse_passed(&words, &passed);
            given.passed = Some(passed);
        }
        if let (Some((turn, at)), Some(passed)) = (given.turn, &given.passed)
            && passed.contains(&turn)
        {
            names.out.push(Diagnostic::error(Code::WrongValue, "who has passed cannot be at turn").at(at));
        }
        if let Some(node) = table.get("out") {
            let words = names.fields().words_of(node, "out");
            given.out = Some(words.iter().filter_map(|word| names.seat(word)).collect());
            names.refuse_out(&words);
        }
        if let (Some((turn, at)), Some(out)) = (given.turn, &given.out)
            && out.contains(&turn)
        {
            names.out.push(Diagnostic::error(Code::WrongValue, "who is out cannot be at turn").at(at));
        }
        if let Some(node) = table.get("rolls") {
            let mut fields = names.fields();
            let rolls = fields.list(node, "rolls", "a list of numbers").iter();
            given.rolls =
                rolls.filter_map(|roll| fields.int_of(roll, "rolls", 1, MAX_ROLL)).map(|roll| roll as u32).collect();
        }
        if let Some(word) = table.get("aside").and_then(|node| names.fields().text(node, "aside")) {
            given.aside = names.zone(&word.text, word.span, None);
        }
        given
    }

    fn read_vars(&mut self, node: &Node, names: &mut Names<'_>) {
        let Some(table) = node.as_table() else {
            names.fields().wrong(node, "vars", "a table of variables");
            return;
        };
        for (name, entry) in table.iter() {
            match names.meaning(name, entry.key, Whom::Game) {
                Some(Meaning::Var(var, ty)) => {
                    self.vars.extend(names.settable(&entry.node, name, var, ty).map(|value| (var, None, value)));
                }
                Some(_) => names.refuse_derived(name, entry.key),
                None => {}
            }
        }
    }

    fn read_seat(&mut self, seat: Seat, table: &Table, names: &mut Names<'_>) {
        for (name, entry) in table.iter() {
            let node = &entry.node;
            match names.meaning(name, entry.key, Whom::Seat(seat)) {
                Some(Meaning::Res(res)) => {
                    let amount = names.fields().int_of(node, name, 0, MAX_AMOUNT);
                    let held = |amount| Held { res, amount: amount as i32, at: entry.key };
                    self.amounts.extend(amount.map(|amount| (seat, held(amount))));
                }
                Some(Meaning::Zone(zone)) => {
                    let spec = names.zone_spec(node, name, entry.key, zone);
                    self.zones.extend(spec.map(|spec| ZoneGiven { zone, spec, at: entry.key }));
                }
                Some(Meaning::Var(var, ty)) => {
                    let owner = Some(Value::Seat(seat));
                    self.vars.extend(names.settable(node, name, var, ty).map(|value| (var, owner, value)));
                }
                Some(Meaning::Derived(..)) => names.refuse_derived(name, entry.key),
                Some(Meaning::Group(group)) if node.as_int() == Some(0) => {
                    // The settings of one player override those of all.
                    let members = names.rules.members(group).iter();
                    let nothing = |res: &ResId| Held { res: *res, amount: 0, at: entry.key };
                    self.amounts.splice(0..0, members.map(|res| (seat, nothing(res))));
                }
                Some(Meaning::Group(_)) => names.refuse_group(name, entry.key),
                None => {}
            }
        }
    }

    /// Whether the table itself is not given.
    pub(super) fn is_empty(&self) -> bool {
        self.amounts.is_empty()
            && self.vars.is_empty()
            && self.zones.is_empty()
            && self.supply.is_empty()
            && self.first.is_none()
            && self.turn.is_none()
            && self.passed.is_none()
            && self.out.is_none()
    }

    /// Whether a supply is set, whatever the box contains.
    pub(super) fn sets_supply(&self) -> bool {
        !self.supply.is_empty()
    }

    /// The types of the named pieces; pieces in a deck do not count.
    pub(super) fn named_types(&self) -> BTreeSet<TypeId> {
        fn add(specs: &[PieceSpec], types: &mut BTreeSet<TypeId>) {
            for spec in specs {
                types.extend(spec.which.ty());
                add(spec.on.as_deref().unwrap_or(&[]), types);
            }
        }
        let mut types = BTreeSet::new();
        for given in &self.zones {
            match &given.spec {
                ZoneSpec::Count(_) => {}
                ZoneSpec::All(pieces) => add(pieces, &mut types),
                ZoneSpec::Spaces(spaces) => spaces.iter().for_each(|(_, stack)| {
                    if let Stack::Exactly(pieces) = stack {
                        add(pieces, &mut types);
                    }
                }),
                ZoneSpec::Part(part) => add(&part.pieces, &mut types),
            }
        }
        types
    }

    /// Sets the table up, and returns which pieces were taken from elsewhere.
    pub(super) fn apply(&self, scenario: &Scenario, editor: &mut Editor<'_>) -> Result<Vec<Taken>, Misfit> {
        let taken = Setting::new(self.aside).apply(editor, &self.zones)?;
        for (seat, Held { res, amount, at }) in &self.amounts {
            editor.set_amount(*seat, *res, *amount).map_err(|error| Misfit { error, at: Some(*at) })?;
        }
        for (res, amount) in &self.supply {
            editor.set_supply(*res, *amount).map_err(|error| Misfit { error, at: self.supply_at })?;
        }
        if scenario.from == Begin::Turn {
            editor.reset_turn_vars();
        }
        for (var, owner, value) in &self.vars {
            editor.set_var(*var, *owner, *value);
        }
        if let Some(out) = &self.out {
            editor.set_eliminated(out);
        }
        if let Some(passed) = &self.passed {
            editor.set_passed(passed);
        }
        let at = self.turn.or(self.first).map(|(_, at)| at);
        self.set_turn(scenario, editor).map_err(|error| Misfit { error, at })?;
        if scenario.from != Begin::Setup {
            editor.fix_rolls(&self.rolls);
        }
        Ok(taken)
    }

    fn set_turn(&self, scenario: &Scenario, editor: &mut Editor<'_>) -> Result<(), EditError> {
        let first = self.first.map(|(seat, _)| seat);
        if let Some(first) = first {
            editor.set_first(first)?;
        }
        match (self.turn, &scenario.from) {
            (Some((seat, _)), _) => editor.set_turn(seat)?,
            (None, Begin::Play | Begin::Turn) => {
                let first = first.unwrap_or(Seat(0));
                let state = editor.state();
                let is_left_out = state.has_passed(first) || state.is_eliminated(first);
                let seat = if is_left_out { editor.first_seat() } else { Some(first) };
                editor.set_turn(seat.ok_or_else(|| EditError::impossible("everybody has passed or is out"))?)?;
            }
            (None, _) => {}
        }
        match scenario.from {
            Begin::Turn => editor.restart_turn(),
            _ => Ok(()),
        }
    }

    /// The key that asks for more than possible, if there is one.
    pub(super) fn place_of(&self, error: &EditError) -> Option<Span> {
        match error {
            EditError::Crowded { zone, .. } => {
                self.zones.iter().find(|given| given.zone == *zone).map(|given| given.at)
            }
            EditError::Short { res, .. } => {
                let on_pieces =
                    self.zones.iter().flat_map(|given| pieces_of(&given.spec)).flat_map(|piece| &piece.held);
                let asked = self.amounts.iter().map(|(_, held)| held).chain(on_pieces);
                asked.filter(|held| held.res == *res).max_by_key(|held| held.amount).map(|held| held.at)
            }
            EditError::Impossible(_) | EditError::Fault(_) => None,
        }
    }
}

impl Names<'_> {
    /// The settings of each player: its own override those of all.
    pub(super) fn per_seat(&mut self, table: &Table) -> Vec<(Seat, Table)> {
        let mut each = Table::default();
        for key in ["each", "seat"] {
            let Some(entry) = table.entries.get(key) else { continue };
            if self.is_refused_as_empty(key, entry.key, &entry.node) || key == "each" {
                continue;
            }
            for (name, entry) in entry.node.as_table().into_iter().flat_map(Table::iter) {
                self.is_refused_as_empty(name, entry.key, &entry.node);
            }
        }
        match table.get("each").map(|node| (node, node.as_table())) {
            Some((_, Some(table))) => each = table.clone(),
            Some((node, None)) => self.fields().wrong(node, "each", "a table"),
            None => {}
        }
        let count = self.seats.len();
        let mut tables: Vec<Option<Table>> = vec![(!each.is_empty()).then(|| each.clone()); count];
        match table.get("seat").map(|node| (node, node.as_table())) {
            Some((_, Some(seats))) => {
                for (name, entry) in seats.iter() {
                    let Some(seat) = self.seat(&Word { text: name.to_string(), span: entry.key }) else { continue };
                    match entry.node.as_table() {
                        Some(own) => {
                            let place = tables.get_mut(seat.index()).into_iter();
                            place.for_each(|table| *table = Some(merged(&each, own)));
                        }
                        None => self.fields().wrong(&entry.node, name, "a table"),
                    }
                }
            }
            Some((node, None)) => self.fields().wrong(node, "seat", "a table of players"),
            None => {}
        }
        tables.into_iter().enumerate().filter_map(|(seat, table)| Some((Seat::from(seat), table?))).collect()
    }
}
