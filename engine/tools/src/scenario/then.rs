//! What must hold after the last step: read from `[then]`, compared exactly.

use rulepack_expr::{Checker, Cost, Expr, parse_expr};
use rulepack_kernel::{LineLabel, Value, ZoneIx};
use rulepack_model::{
    ActionId, Code, Diagnostic, Node, ResId, Seat, Span, SymId, Table, TypeId, ValueId, VarId, known_instead,
};
use rulepack_pack::{Word, text_map};

use super::names::{MAX_AMOUNT, Meaning, Names, Want, Whom};
use super::pieces::ZoneSpec;
use super::when::Play;

/// The keys of `then`.
pub const THEN_KEYS: [&str; 14] = [
    "turn", "asked", "over", "winners", "passed", "out", "rolled", "shuffled", "supply", "vars", "holds", "each",
    "seat", "zone",
];

/// All expectations, each with its name in messages.
#[derive(Debug, Default)]
pub(super) struct Then {
    checks: Vec<(String, Check)>,
}

/// One expectation.
#[derive(Debug)]
pub(super) enum Check {
    Turn(Option<Seat>),
    Asked(Seat),
    Over(bool),
    Winners(Vec<Seat>),
    Passed(Vec<Seat>),
    Out(Vec<Seat>),
    Supply(ResId, i64),
    /// The sum of these resources.
    Amount(Seat, Vec<ResId>, i64),
    Zone(ZoneIx, ZoneSpec),
    Var(VarId, Option<Value>, Want),
    Derived(ValueId, Value, Want),
    Score(Seat, i64),
    /// A line of the score, named after the line, a symbol or a type.
    Line(Seat, Vec<LineLabel>, i64),
    Rank(Seat, Option<u16>),
    /// The number of pieces in a zone that a player sees.
    Sees(Seat, ZoneIx, usize),
    Holds(Option<Seat>, Box<Expr>, u16),
    /// The number of dice.
    Dice(usize),
    /// These results, in this order.
    Rolls(Vec<u32>),
    /// Exactly these zones were shuffled.
    Shuffled(Vec<ZoneIx>),
    /// The cost of an action for a player, with its parameters.
    Price(Seat, ActionId, Option<String>, Box<Cost>),
}

impl Then {
    /// Looks up all names.
    pub(super) fn read(table: &Table, names: &mut Names<'_>) -> Then {
        let mut then = Then::default();
        names.fields().known(table, &THEN_KEYS, "`then`");
        for (key, entry) in table.iter().filter(|(key, _)| THEN_KEYS.contains(key)) {
            then.counted(key, entry.key, names, |then, names| then.read_key(key, &entry.node, names));
        }
        for (seat, table) in names.per_seat(table) {
            for (key, entry) in table.iter() {
                then.counted(key, entry.key, names, |then, names| {
                    then.read_seat(seat, key, entry.key, &entry.node, names);
                });
            }
        }
        then
    }

    /// Reads a key, and refuses it if it compares nothing.
    fn counted(&mut self, key: &str, at: Span, names: &mut Names<'_>, read: impl FnOnce(&mut Then, &mut Names<'_>)) {
        let before = (self.checks.len(), names.out.len());
        read(self, names);
        // Players are read together, each key for itself.
        if before == (self.checks.len(), names.out.len()) && !["seat", "each"].contains(&key) {
            names.refuse_empty(key, at);
        }
    }

    /// All expectations.
    pub(super) fn checks(&self) -> impl Iterator<Item = &Check> {
        self.checks.iter().map(|(_, check)| check)
    }

    fn push(&mut self, label: impl Into<String>, check: Option<Check>) {
        self.checks.extend(check.map(|check| (label.into(), check)));
    }

    fn read_key(&mut self, key: &str, node: &Node, names: &mut Names<'_>) {
        let seats = |names: &mut Names<'_>| -> Vec<Seat> {
            let words = names.fields().words_of(node, key);
            words.iter().filter_map(|word| names.seat(word)).collect()
        };
        match key {
            "turn" | "asked" => {
                let Some(word) = names.fields().text(node, key) else { return };
                let check = match (key, word.text.as_str()) {
                    ("turn", "") => Some(Check::Turn(None)),
                    ("turn", _) => names.seat(&word).map(|seat| Check::Turn(Some(seat))),
                    _ => names.seat(&word).map(Check::Asked),
                };
                self.push(key, check);
            }
            "over" => match node.as_bool() {
                Some(flag) => self.push(key, Some(Check::Over(flag))),
                None => names.fields().wrong(node, key, "true or false"),
            },
            "winners" => self.push(key, Some(Check::Winners(seats(names)))),
            "out" => self.push(key, Some(Check::Out(seats(names)))),
            "passed" => self.push(key, Some(Check::Passed(seats(names)))),
            "rolled" => match node.as_list() {
                Some(items) => {
                    let mut fields = names.fields();
                    let rolls = items.iter().filter_map(|roll| fields.int_of(roll, key, 1, MAX_AMOUNT));
                    let rolls = rolls.map(|roll| roll as u32).collect();
                    self.push(key, Some(Check::Rolls(rolls)));
                }
                None => {
                    let count = names.fields().int_of(node, key, 0, MAX_AMOUNT);
                    self.push(key, count.map(|count| Check::Dice(count as usize)));
                }
            },
            "shuffled" => {
                let words = names.fields().words_of(node, key);
                let mut zones: Vec<ZoneIx> =
                    words.iter().filter_map(|word| names.any_zone(&word.text, word.span)).collect();
                zones.sort();
                self.push(key, Some(Check::Shuffled(zones)));
            }
            "supply" => {
                for (res, amount) in names.amounts(node, key) {
                    let label = format!("supply.{}", names.rules.resource(res).name);
                    self.push(label, Some(Check::Supply(res, i64::from(amount))));
                }
            }
            "vars" => match node.as_table() {
                Some(table) => {
                    for (name, entry) in table.iter() {
                        let meaning = names.meaning(name, entry.key, Whom::Game);
                        self.read_value(name, &entry.node, Value::Nil, meaning, names);
                    }
                }
                None => names.fields().wrong(node, key, "a table of variables"),
            },
            "holds" => self.read_holds(None, node, names),
            "zone" => match node.as_table() {
                Some(table) => {
                    for (name, entry) in table.iter() {
                        let Some(zone) = names.zone(name, entry.key, None) else { continue };
                        let spec = names.zone_spec(&entry.node, name, entry.key, zone);
                        self.push(name, spec.map(|spec| Check::Zone(zone, spec)));
                    }
                }
                None => names.fields().wrong(node, key, "a table of zones"),
            },
            // Players are read together.
            _ => {}
        }
    }

    fn read_seat(&mut self, seat: Seat, key: &str, span: Span, node: &Node, names: &mut Names<'_>) {
        let name = names.seat_name(seat);
        let label = format!("{name}.{key}");
        match key {
            "score" => {
                let points = names.fields().int_of(node, key, -MAX_AMOUNT, MAX_AMOUNT);
                self.push(label, points.map(|points| Check::Score(seat, points)));
            }
            "scores" => {
                let Some(table) = node.as_table() else {
                    names.fields().wrong(node, key, "a table of lines of the score");
                    return;
                };
                for (line, entry) in table.iter() {
                    let labels = names.score_labels(line, entry.key);
                    let points = names.fields().int_of(&entry.node, line, -MAX_AMOUNT, MAX_AMOUNT);
                    if let (Some(labels), Some(points)) = (labels, points) {
                        self.push(format!("{label}.{line}"), Some(Check::Line(seat, labels, points)));
                    }
                }
            }
            "rank" => {
                let rank = names.rank(node);
                self.push(label, rank.map(|rank| Check::Rank(seat, rank)));
            }
            "holds" => self.read_holds(Some(seat), node, names),
            "price" if !names.is_named(key) => {
                for (name, action, of, cost) in names.prices(node) {
                    self.push(format!("{label}.{name}"), Some(Check::Price(seat, action, of, Box::new(cost))));
                }
            }
            "sees" => {
                let Some(table) = node.as_table() else {
                    names.fields().wrong(node, key, "a table from zones to how many of their pieces are seen");
                    return;
                };
                for (zone, entry) in table.iter() {
                    let count = names.fields().int_of(&entry.node, zone, 0, MAX_AMOUNT);
                    let check = names.any_zone(zone, entry.key).zip(count);
                    let check = check.map(|(zone, count)| Check::Sees(seat, zone, count as usize));
                    self.push(format!("{label}.{zone}"), check);
                }
            }
            _ => {
                let meaning = names.meaning(key, span, Whom::Seat(seat));
                match meaning {
                    Some(Meaning::Res(res)) => {
                        let amount = names.fields().int_of(node, key, 0, MAX_AMOUNT);
                        self.push(label, amount.map(|amount| Check::Amount(seat, vec![res], amount)));
                    }
                    Some(Meaning::Group(group)) => {
                        let members = names.rules.members(group).to_vec();
                        let amount = names.fields().int_of(node, key, 0, MAX_AMOUNT);
                        self.push(label, amount.map(|amount| Check::Amount(seat, members, amount)));
                    }
                    Some(Meaning::Zone(zone)) => {
                        let spec = names.zone_spec(node, key, span, zone);
                        self.push(label, spec.map(|spec| Check::Zone(zone, spec)));
                    }
                    meaning => self.read_value(&label, node, Value::Seat(seat), meaning, names),
                }
            }
        }
    }

    fn read_value(&mut self, label: &str, node: &Node, of: Value, meaning: Option<Meaning>, names: &mut Names<'_>) {
        let key = label.rsplit('.').next().unwrap_or(label);
        let check = match meaning {
            Some(Meaning::Var(var, ty)) => {
                let owner = (of != Value::Nil).then_some(of);
                names.value(node, key, ty).map(|want| Check::Var(var, owner, want))
            }
            Some(Meaning::Derived(value, ty)) => names.value(node, key, ty).map(|want| Check::Derived(value, of, want)),
            _ => None,
        };
        self.push(label, check);
    }

    fn read_holds(&mut self, seat: Option<Seat>, node: &Node, names: &mut Names<'_>) {
        for word in names.fields().words_of(node, "holds") {
            if let Some((expr, locals)) = names.condition(&word.text, word.span) {
                names.refuse_constant(&expr, word.span);
                let label = match seat {
                    Some(seat) => format!("{} holds `{}`", names.seat_name(seat), word.text),
                    None => format!("holds `{}`", word.text),
                };
                self.push(label, Some(Check::Holds(seat, Box::new(expr), locals)));
            }
        }
    }

    /// All differences.
    pub(super) fn mismatches(&self, play: &Play<'_>) -> Vec<String> {
        let mut found = Vec::new();
        for (label, check) in &self.checks {
            if let Some((expected, actual)) = play.compare(check) {
                found.push(format!("{label}: expected {expected}, found {actual}"));
            }
            if let Some(fault) = play.host.take_fault() {
                found.push(format!("{label}: {fault}"));
            }
        }
        found
    }
}

impl Names<'_> {
    /// A zone of the table by its name, or one of a player by both: `jenny.hand`.
    fn any_zone(&mut self, name: &str, span: Span) -> Option<ZoneIx> {
        let Some((owner, zone)) = name.split_once('.') else { return self.zone(name, span, None) };
        let seat = self.seat(&Word { text: owner.to_string(), span })?;
        self.zone(zone, span, Some(seat))
    }

    fn score_labels(&mut self, name: &str, span: Span) -> Option<Vec<LineLabel>> {
        let (rules, words) = (self.rules, &self.rules.vocabulary);
        let mut labels = Vec::new();
        if let Some(line) = rules.score_lines.iter().position(|line| line.name == name) {
            labels.push(LineLabel::Line(line as u16));
        }
        labels.extend(words.symbols.get(name).map(|symbol: &SymId| LineLabel::Symbol(*symbol)));
        labels.extend(words.types.get(name).map(|(ty, _): &(TypeId, _)| LineLabel::Type(*ty)));
        if labels.is_empty() {
            let lines = rules.score_lines.iter().map(|line| line.name.as_str());
            let known = lines.chain(words.symbols.keys().chain(words.types.keys()).map(String::as_str));
            let help = known_instead(name, known);
            let message = format!("the score has no line `{name}`");
            self.out.push(Diagnostic::error(Code::UnknownName, message).at(span).maybe_help(help));
            return None;
        }
        Some(labels)
    }

    fn rank(&mut self, node: &Node) -> Option<Option<u16>> {
        let word = self.fields().text(node, "rank")?;
        if word.text.is_empty() {
            return Some(None);
        }
        let ranks = &self.rules.ranks;
        let found = ranks.iter().position(|rank| rank.name == word.text);
        if found.is_none() {
            let help = known_instead(&word.text, ranks.iter().map(|rank| rank.name.as_str()));
            let message = format!("there is no rank `{}` in this mode", word.text);
            self.out.push(Diagnostic::error(Code::UnknownName, message).at(word.span).maybe_help(help));
        }
        found.map(|rank| Some(rank as u16))
    }

    /// A condition in the language of the pack.
    fn condition(&mut self, text: &str, span: Span) -> Option<(Expr, u16)> {
        let words = self.words.get_or_insert_with(|| self.rules.vocabulary.clone());
        let hooks = words.hooks.len();
        let checked = parse_expr(text).and_then(|ast| {
            let mut checker = Checker::new(words, None, &[]);
            checker.bool(&ast).map(|expr| (expr, checker.locals()))
        });
        let is_known = words.hooks.len() == hooks;
        words.hooks.truncate(hooks);
        match checked {
            Ok(_) if !is_known => {
                let message = "this calls a script that the pack itself does not call";
                self.out.push(Diagnostic::error(Code::UnknownName, message).at(span));
                None
            }
            Ok(checked) => Some(checked),
            Err(error) => {
                let at = text_map(self.sources, span).span(error.at);
                self.out
                    .push(Diagnostic::error(error.code, error.message).at(at).maybe_help(error.help.map(Into::into)));
                None
            }
        }
    }
}
