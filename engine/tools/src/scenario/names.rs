//! Resolving the names of a scenario in the rules of its game.

use rulepack_expr::{Subject, Ty, Vocabulary};
use rulepack_kernel::{Ruleset, Value, ZoneIx};
use rulepack_model::{
    Code, Diagnostic, Node, ResId, Seat, Sources, Span, Table, TypeId, ValueId, VarId, did_you_mean, known_instead,
};
use rulepack_pack::Word;

use super::pieces::Side;
use super::read::Fields;

/// The largest amount in a scenario.
pub(super) const MAX_AMOUNT: i64 = 1_000_000;

/// Resolves names and reports unknown ones.
pub(super) struct Names<'a> {
    pub(super) rules: &'a Ruleset,
    /// The players, in the order of their seats.
    pub(super) seats: &'a [String],
    pub(super) side: Side,
    pub(super) sources: &'a Sources,
    /// What the letters of pictures stand for.
    pub(super) legend: Table,
    /// Whether every text of the pack could be read: otherwise it is unknown what no text ever does.
    pub(super) is_whole: bool,
    /// The vocabulary of conditions; copied for the first of them.
    pub(super) words: Option<Vocabulary>,
    pub(super) out: Vec<Diagnostic>,
}

/// The possible meanings of a key of a player, a piece or the game.
pub(super) enum Meaning {
    Res(ResId),
    Group(rulepack_model::GroupId),
    Zone(ZoneIx),
    Var(VarId, Ty),
    Derived(ValueId, Ty),
}

/// A computed value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Want {
    Is(Value),
    /// A piece of this type.
    PieceOf(TypeId),
}

/// The subject of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Whom {
    Game,
    Seat(Seat),
    Piece(TypeId),
}

impl<'a> Names<'a> {
    pub(super) fn new(rules: &'a Ruleset, seats: &'a [String], sources: &'a Sources, is_whole: bool) -> Self {
        let legend = Table::default();
        Names { rules, seats, side: Side::Given, sources, legend, is_whole, words: None, out: Vec::new() }
    }

    pub(super) fn fields(&mut self) -> Fields<'_> {
        Fields { out: &mut self.out }
    }

    fn unknown<'k>(&mut self, what: &str, name: &str, span: Span, known: impl IntoIterator<Item = &'k str>) {
        let message = format!("there is no {what} `{name}`");
        self.out.push(Diagnostic::error(Code::UnknownName, message).at(span).maybe_help(known_instead(name, known)));
    }

    pub(super) fn seat(&mut self, word: &Word) -> Option<Seat> {
        let seats = self.seats;
        let found = seats.iter().position(|seat| *seat == word.text);
        if found.is_none() {
            let message = format!("nobody is called `{}`", word.text);
            let help = did_you_mean(&word.text, seats.iter().map(String::as_str))
                .unwrap_or_else(|| format!("the players are {}", super::listed(seats.iter().map(String::as_str))));
            self.out.push(Diagnostic::error(Code::UnknownName, message).at(word.span).help(help));
        }
        found.map(Seat::from)
    }

    pub(super) fn seat_name(&self, seat: Seat) -> &'a str {
        self.seats.get(seat.index()).map_or("", String::as_str)
    }

    pub(super) fn resource(&mut self, name: &str, span: Span) -> Option<ResId> {
        let known = &self.rules.vocabulary.resources;
        if !known.contains_key(name) {
            self.unknown("resource", name, span, known.keys().map(String::as_str));
        }
        known.get(name).copied()
    }

    pub(super) fn piece_type(&mut self, name: &str, span: Span) -> Option<TypeId> {
        let known = &self.rules.vocabulary.types;
        if !known.contains_key(name) {
            self.unknown("type of piece", name, span, known.keys().map(String::as_str));
        }
        known.get(name).map(|(ty, _)| *ty)
    }

    /// A zone of the table, or of a player.
    pub(super) fn zone(&mut self, name: &str, span: Span, seat: Option<Seat>) -> Option<ZoneIx> {
        let zones = &self.rules.vocabulary.zones;
        let known = zones.iter().filter(|(_, zone)| zone.per_player == seat.is_some()).map(|(name, _)| name.as_str());
        match zones.get(name) {
            Some(zone) if zone.per_player == seat.is_some() => Some(self.rules.zone_ix(zone.id, seat)),
            Some(zone) => {
                let (message, help) = if zone.per_player {
                    (format!("every player has a zone `{name}`"), "write it under `[….seat.NAME]`")
                } else {
                    (format!("`{name}` is a zone of the table"), "write it under `[….zone]`")
                };
                self.out.push(Diagnostic::error(Code::WrongValue, message).at(span).help(help));
                None
            }
            None => {
                self.unknown("zone", name, span, known);
                None
            }
        }
    }

    /// A space of a zone, by number or by its names.
    pub(super) fn space(&mut self, zone: ZoneIx, name: &str, span: Span) -> Option<u16> {
        let declared = self.rules.zone_of(zone);
        let found = declared.space_named(name);
        if found.is_none() {
            let known: Vec<String> = (0..declared.layout.cells()).map(|at| declared.space_name(at)).collect();
            let message = format!("`{}` has no space `{name}`", declared.name);
            let help = did_you_mean(name, known.iter().map(String::as_str))
                .unwrap_or_else(|| format!("the spaces are {}", super::listed(known.iter().map(String::as_str))));
            self.out.push(Diagnostic::error(Code::UnknownName, message).at(span).help(help));
        }
        found
    }

    /// The meaning of a key for a player, a piece or the game.
    pub(super) fn meaning(&mut self, name: &str, span: Span, whom: Whom) -> Option<Meaning> {
        let words = &self.rules.vocabulary;
        let fits = |subject: &Subject| match (subject, whom) {
            (Subject::Game, Whom::Game) | (Subject::Seat, Whom::Seat(_)) | (Subject::Piece(None), Whom::Piece(_)) => {
                true
            }
            (Subject::Piece(Some(kind)), Whom::Piece(ty)) => self.rules.is_kind(self.rules.ty(ty).kind, *kind),
            _ => false,
        };
        if let Some((var, subject, ty)) = words.vars.get(name)
            && fits(subject)
        {
            return Some(Meaning::Var(*var, *ty));
        }
        if let Some((value, subject, ty)) = words.values.get(name)
            && fits(subject)
        {
            return Some(Meaning::Derived(*value, *ty));
        }
        if whom != Whom::Game {
            if let Some(res) = words.resources.get(name) {
                return Some(Meaning::Res(*res));
            }
            if let Some(group) = words.groups.get(name) {
                return Some(Meaning::Group(*group));
            }
        }
        if let Whom::Seat(seat) = whom
            && words.zones.contains_key(name)
        {
            return self.zone(name, span, Some(seat)).map(Meaning::Zone);
        }
        let vars = words.vars.iter().filter(|(_, (_, subject, _))| fits(subject)).map(|(name, _)| name.as_str());
        let values = words.values.iter().filter(|(_, (_, subject, _))| fits(subject)).map(|(name, _)| name.as_str());
        let mut known: Vec<&str> = vars.chain(values).collect();
        if whom != Whom::Game {
            known.extend(words.resources.keys().chain(words.groups.keys()).map(String::as_str));
        }
        if let Whom::Seat(_) = whom {
            known.extend(words.zones.iter().filter(|(_, zone)| zone.per_player).map(|(name, _)| name.as_str()));
        }
        let what = match whom {
            Whom::Game => "variable of the game",
            Whom::Seat(_) => "resource, zone, variable or value of a player",
            Whom::Piece(_) => "resource, variable or value of a piece",
        };
        self.unknown(what, name, span, known);
        None
    }

    /// A value as a scenario writes it: a number, yes or no, or a name; an empty text means no value.
    pub(super) fn value(&mut self, node: &Node, key: &str, ty: Ty) -> Option<Want> {
        use rulepack_model::Value as Toml;
        let text = match &node.value {
            Toml::Int(number) if matches!(ty, Ty::Int | Ty::Any) => return Some(Want::Is(Value::Int(*number))),
            Toml::Bool(flag) if matches!(ty, Ty::Bool | Ty::Any) => return Some(Want::Is(Value::Bool(*flag))),
            Toml::Str(text) if !matches!(ty, Ty::Int | Ty::Bool | Ty::Cell) => text,
            _ => {
                let wanted = match ty {
                    Ty::Int => "a whole number",
                    Ty::Bool => "true or false",
                    Ty::Cell => "compared with `holds`: spaces cannot be written here",
                    _ => "a name",
                };
                self.fields().wrong(node, key, wanted);
                return None;
            }
        };
        if text.is_empty() {
            return Some(Want::Is(Value::Nil));
        }
        let word = Word { text: text.clone(), span: node.span };
        let words = &self.rules.vocabulary;
        match ty {
            Ty::Seat => self.seat(&word).map(|seat| Want::Is(Value::Seat(seat))),
            Ty::Res => self.resource(text, node.span).map(|res| Want::Is(Value::Res(res))),
            Ty::Type => self.piece_type(text, node.span).map(|ty| Want::Is(Value::Type(ty))),
            Ty::Piece(_) => self.piece_type(text, node.span).map(Want::PieceOf),
            Ty::Sym => {
                if !words.symbols.contains_key(text) {
                    self.unknown("symbol", text, node.span, words.symbols.keys().map(String::as_str));
                }
                words.symbols.get(text).map(|symbol| Want::Is(Value::Sym(*symbol)))
            }
            _ => {
                if let Some(symbol) = words.symbols.get(text) {
                    return Some(Want::Is(Value::Sym(*symbol)));
                }
                if let Some(res) = words.resources.get(text) {
                    return Some(Want::Is(Value::Res(*res)));
                }
                if let Some(seat) = self.seats.iter().position(|seat| seat == text) {
                    return Some(Want::Is(Value::Seat(Seat::from(seat))));
                }
                self.piece_type(text, node.span).map(Want::PieceOf)
            }
        }
    }

    /// A table `{ resource = amount }`.
    pub(super) fn amounts(&mut self, node: &Node, key: &str) -> Vec<(ResId, i32)> {
        let Some(table) = node.as_table() else {
            self.fields().wrong(node, key, "a table of resources");
            return Vec::new();
        };
        let mut amounts = Vec::new();
        for (name, entry) in table.iter() {
            let res = self.resource(name, entry.key);
            let amount = self.fields().int_of(&entry.node, name, 0, MAX_AMOUNT);
            if let (Some(res), Some(amount)) = (res, amount) {
                amounts.push((res, amount as i32));
            }
        }
        amounts
    }
}

/// A value in words.
pub(super) fn value_name(rules: &Ruleset, seats: &[String], value: Value) -> String {
    match value {
        Value::Nil => "nothing".into(),
        Value::Int(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        Value::Res(res) => rules.resource(res).name.clone(),
        Value::Sym(symbol) => rules.symbol(symbol).to_string(),
        Value::Type(ty) => rules.ty(ty).name.clone(),
        Value::Seat(seat) => {
            seats.get(seat.index()).cloned().unwrap_or_else(|| u16::from(seat.0).saturating_add(1).to_string())
        }
        Value::Piece(piece) => rules.ty(rules.type_of(piece)).name.clone(),
        Value::Cell(cell) => rules.zone_of(cell.zone).space_name(cell.at),
    }
}

/// The zone as its owner calls it, for messages.
pub(super) fn zone_name(rules: &Ruleset, seats: &[String], zone: ZoneIx) -> String {
    let (declared, owner) = rules.zone_instance(zone);
    let name = &rules.zone(declared).name;
    match owner {
        Some(seat) => format!("{name} of {}", value_name(rules, seats, Value::Seat(seat))),
        None => name.clone(),
    }
}
