//! Pieces and zones as scenarios write them: the same words under `given` and under `then`.

use rulepack_expr::{AttrId, Ty};
use rulepack_kernel::{OWNER, Ruleset, ZoneIx};
use rulepack_model::{
    Code, Diagnostic, GroupId, KindId, Node, ResId, Seat, Span, Table, TypeId, Value, ValueId, VarId, did_you_mean,
};

use super::empty::is_blank;
use super::names::{MAX_AMOUNT, Meaning, Names, Want, Whom};
use super::prices::Printed;

/// The largest number of copies of a piece.
const MAX_COPIES: i64 = 10_000;

/// A piece with its properties, as a scenario describes it.
#[derive(Debug, Clone)]
pub(super) struct PieceSpec {
    /// Where it is named.
    pub(super) at: Span,
    pub(super) which: Which,
    pub(super) held: Vec<Held>,
    /// Sums over groups of resources; only under `then`.
    pub(super) sums: Vec<(GroupId, i64)>,
    /// The pieces on it, if they are given.
    pub(super) on: Option<Vec<PieceSpec>>,
    pub(super) face_down: Option<bool>,
    pub(super) flipped: Option<bool>,
    /// The players who see it until it moves, because they have looked at it or were shown it.
    pub(super) seen_by: Option<Vec<Seat>>,
    pub(super) vars: Vec<(VarId, Want)>,
    pub(super) values: Vec<(ValueId, Want)>,
    /// Its attributes; only under `then`.
    pub(super) attributes: Vec<(AttrId, Printed)>,
}

impl PieceSpec {
    /// The player to whom it belongs in a zone of the table, if that is said.
    pub(super) fn owner(&self, rules: &Ruleset) -> Option<Seat> {
        self.vars.iter().find_map(|(var, want)| match want {
            Want::Is(rulepack_kernel::Value::Seat(seat)) if rules.var(*var).name == OWNER => Some(*seat),
            _ => None,
        })
    }
}

/// How much of a resource lies on a piece.
#[derive(Debug, Clone, Copy)]
pub(super) struct Held {
    pub(super) res: ResId,
    pub(super) amount: i32,
    /// The key that says so.
    pub(super) at: Span,
}

/// Which pieces are meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Which {
    Type(TypeId),
    /// Any piece of a kind, or any at all; only under `then`.
    Any(Option<KindId>),
}

impl Which {
    pub(super) fn includes(self, rules: &Ruleset, ty: TypeId) -> bool {
        match self {
            Which::Type(wanted) => rules.is_type(ty, wanted),
            Which::Any(kind) => kind.is_none_or(|kind| rules.is_kind(rules.ty(ty).kind, kind)),
        }
    }

    /// The type, if one is named.
    pub(super) fn ty(self) -> Option<TypeId> {
        match self {
            Which::Type(ty) => Some(ty),
            Which::Any(_) => None,
        }
    }

    pub(super) fn name(self, rules: &Ruleset) -> String {
        match self {
            Which::Type(ty) => rules.ty(ty).name.clone(),
            Which::Any(Some(kind)) => format!("any {}", rules.kind(kind).name),
            Which::Any(None) => "any".into(),
        }
    }
}

/// The pieces of a zone, as a scenario describes them.
#[derive(Debug, Clone)]
pub(super) enum ZoneSpec {
    /// This number of pieces.
    Count(usize),
    /// Exactly these pieces, from bottom to top.
    All(Vec<PieceSpec>),
    /// The pieces on some of its spaces.
    Spaces(Vec<(u16, Stack)>),
    /// Some of its pieces.
    Part(Part),
}

/// The pieces on a space.
#[derive(Debug, Clone)]
pub(super) enum Stack {
    /// Exactly these, from bottom to top.
    Exactly(Vec<PieceSpec>),
    /// These on top of others; the first is drawn next.
    Top(Vec<PieceSpec>),
    /// At these places, counted from the top.
    Places(Vec<(usize, PieceSpec)>),
    /// This number of pieces.
    Count(usize),
}

/// Some pieces of a zone without spaces.
#[derive(Debug, Clone, Default)]
pub(super) struct Part {
    /// The first is drawn next.
    pub(super) top: Vec<PieceSpec>,
    /// The first is the last to be drawn.
    pub(super) bottom: Vec<PieceSpec>,
    /// At these places, counted from the top.
    pub(super) places: Vec<(usize, PieceSpec)>,
    pub(super) size: Option<usize>,
    pub(super) pieces: Vec<PieceSpec>,
    pub(super) counts: Vec<(TypeId, usize)>,
}

/// Whether a table is set up (`given`) or compared (`then`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Given,
    Then,
}

impl Names<'_> {
    /// The description of a zone under a key, which is at `at`.
    pub(super) fn zone_spec(&mut self, node: &Node, key: &str, at: Span, zone: ZoneIx) -> Option<ZoneSpec> {
        if self.is_refused_as_empty(key, at, node) {
            return None;
        }
        let spec = self.zone_spec_of(node, key, zone)?;
        if self.side == Side::Given {
            self.refuse_strangers(node, zone, &spec);
        }
        Some(spec)
    }

    fn zone_spec_of(&mut self, node: &Node, key: &str, zone: ZoneIx) -> Option<ZoneSpec> {
        let cells = self.rules.zone_of(zone).layout.cells();
        match &node.value {
            Value::Int(_) if self.side == Side::Then => self.count(node, key).map(ZoneSpec::Count),
            // A list fills the spaces one after the other; the others are empty.
            Value::List(items) if cells > 0 && self.side == Side::Given => {
                if items.len() > cells as usize {
                    let message = format!("`{key}` has {cells} spaces, and {} are written here", items.len());
                    self.out.push(Diagnostic::error(Code::WrongValue, message).at(node.span));
                }
                let mut spaces = Vec::new();
                for at in 0..cells {
                    let pieces = items.get(at as usize).map_or(vec![], |item| self.pieces(item, key));
                    spaces.push((at, Stack::Exactly(pieces)));
                }
                Some(ZoneSpec::Spaces(spaces))
            }
            Value::Str(picture) if cells > 0 => self.drawn(picture, node.span, key, zone),
            Value::List(_) => Some(ZoneSpec::All(self.pieces(node, key))),
            Value::Table(table) if cells > 0 => {
                let mut spaces = Vec::new();
                for (name, entry) in table.iter() {
                    let at = self.space(zone, name, entry.key);
                    let stack = self.stack(&entry.node, name);
                    spaces.extend(at.zip(stack));
                }
                Some(ZoneSpec::Spaces(spaces))
            }
            Value::Table(table) => Some(ZoneSpec::Part(self.part(table, node.span))),
            _ => {
                let wanted = match self.side {
                    Side::Given => "a list or a table of pieces",
                    Side::Then => "a list or a table of pieces, or a number",
                };
                self.fields().wrong(node, key, wanted);
                None
            }
        }
    }

    fn count(&mut self, node: &Node, key: &str) -> Option<usize> {
        self.fields().int_of(node, key, 0, MAX_AMOUNT).map(|count| count as usize)
    }

    /// `top`, `bottom`, `size`, and pieces by the name of their type.
    fn part(&mut self, table: &Table, at: Span) -> Part {
        let mut part = Part::default();
        for (key, entry) in table.iter() {
            let node = &entry.node;
            self.refuse_no_pieces(key, entry.key, node);
            match key {
                "top" => part.top = self.pieces(node, key),
                "bottom" => part.bottom = self.pieces(node, key),
                "from_top" => part.places = self.places(node),
                "size" if self.side == Side::Then => part.size = self.count(node, key),
                _ => {
                    let Some(ty) = self.piece_type(key, entry.key) else { continue };
                    match &node.value {
                        Value::Int(_) if self.side == Side::Then => {
                            part.counts.extend(self.count(node, key).map(|count| (ty, count)));
                        }
                        Value::Table(details) => part.pieces.push(self.details(Which::Type(ty), entry.key, details)),
                        _ => self.fields().wrong(node, key, "a table of what is said about the piece"),
                    }
                }
            }
        }
        if let Some((place, _)) = part.places.iter().find(|(place, _)| *place <= part.top.len()) {
            let message = format!("the place {place} from the top is said by `top`");
            let span = table.get("from_top").map_or(at, |node| node.span);
            self.out.push(Diagnostic::error(Code::WrongValue, message).at(span));
        }
        part
    }

    /// Pieces by their place in a pile, counted from the top: the first is drawn next.
    fn places(&mut self, node: &Node) -> Vec<(usize, PieceSpec)> {
        let Some(table) = node.as_table() else {
            self.fields().wrong(node, "from_top", "a table from places to pieces");
            return Vec::new();
        };
        let mut places = Vec::new();
        for (key, entry) in table.iter() {
            match key.parse::<usize>().ok().filter(|place| *place > 0) {
                Some(_) if is_blank(&entry.node) => self.refuse_empty(key, entry.key),
                Some(place) => places.extend(self.pieces(&entry.node, key).into_iter().map(|spec| (place, spec))),
                None => {
                    let message = format!("`{key}` is no place in a pile");
                    let help = "1 is on top, 2 lies below it";
                    self.out.push(Diagnostic::error(Code::WrongValue, message).at(entry.key).help(help));
                }
            }
        }
        places.sort_by_key(|(place, _)| *place);
        places
    }

    /// Refuses `top`, `bottom` or `from_top` without pieces.
    fn refuse_no_pieces(&mut self, key: &str, at: Span, node: &Node) {
        let is_empty = match &node.value {
            Value::Str(text) => text.is_empty(),
            Value::List(items) => items.is_empty(),
            Value::Table(table) => table.is_empty(),
            _ => false,
        };
        if is_empty && ["top", "bottom", "from_top"].contains(&key) {
            self.refuse_empty(key, at);
        }
    }

    /// The pieces on a space.
    fn stack(&mut self, node: &Node, key: &str) -> Option<Stack> {
        for (key, entry) in node.as_table().into_iter().flat_map(Table::iter) {
            self.refuse_no_pieces(key, entry.key, &entry.node);
        }
        match &node.value {
            Value::Int(_) if self.side == Side::Then => self.count(node, key).map(Stack::Count),
            Value::Table(table) if table.get("from_top").is_some() => {
                self.fields().known(table, &["from_top"], "a space with `from_top`");
                Some(Stack::Places(table.get("from_top").map_or(vec![], |node| self.places(node))))
            }
            Value::Table(table) if table.get("top").is_some() => {
                self.fields().known(table, &["top"], "a space with `top`");
                Some(Stack::Top(table.get("top").map_or(vec![], |node| self.pieces(node, "top"))))
            }
            _ => Some(Stack::Exactly(self.pieces(node, key))),
        }
    }

    /// Nothing, a piece, or several from bottom to top.
    pub(super) fn pieces(&mut self, node: &Node, key: &str) -> Vec<PieceSpec> {
        match &node.value {
            Value::Str(text) if text.is_empty() => Vec::new(),
            Value::List(items) => items.iter().flat_map(|item| self.copies(item, key)).collect(),
            _ => self.copies(node, key),
        }
    }

    /// One piece or several copies of it: `"3 inn"`, or `copies = 3` beside `piece`.
    fn copies(&mut self, node: &Node, key: &str) -> Vec<PieceSpec> {
        let said = match &node.value {
            Value::Table(table) => table.get("copies").cloned(),
            _ => None,
        };
        let in_text = node.as_str().and_then(|text| text.split_once(' ')).and_then(|(count, _)| count.parse().ok());
        let count = match said {
            Some(count) => self.fields().int_of(&count, "copies", 1, MAX_COPIES).unwrap_or(0) as usize,
            None => in_text.unwrap_or(1usize).min(MAX_COPIES as usize),
        };
        if let (Some(0), Some(text)) = (in_text, node.as_str()) {
            let diagnostic = Diagnostic::error(Code::WrongValue, format!("`{text}` names no piece")).at(node.span);
            self.out.push(diagnostic.help("leave it out: what is not in the list is not there"));
        }
        let spec = self.piece_spec(node, key);
        spec.into_iter().flat_map(|spec| std::iter::repeat_n(spec, count)).collect()
    }

    /// Which pieces a text means.
    fn which(&mut self, text: &str, span: Span) -> Option<Which> {
        let name = match text.split_once(' ') {
            Some((count, name)) if count.parse::<usize>().is_ok() => name.trim(),
            _ => text,
        };
        let kind = match name.strip_prefix("any") {
            Some("") => None,
            Some(kind) if kind.starts_with(' ') => {
                let kinds = &self.rules.vocabulary.kinds;
                let Some(found) = kinds.get(kind.trim()) else {
                    let message = format!("there is no kind `{}`", kind.trim());
                    let help = did_you_mean(kind.trim(), kinds.keys().map(String::as_str));
                    self.out.push(Diagnostic::error(Code::UnknownName, message).at(span).maybe_help(help));
                    return None;
                };
                Some(*found)
            }
            _ => return self.piece_type(name, span).map(Which::Type),
        };
        if self.side == Side::Given {
            let message = "the table is set up with pieces of a type: say which";
            self.out.push(Diagnostic::error(Code::WrongValue, message).at(span));
            return None;
        }
        Some(Which::Any(kind))
    }

    fn piece_spec(&mut self, node: &Node, key: &str) -> Option<PieceSpec> {
        match &node.value {
            Value::Str(text) => {
                let which = self.which(text, node.span)?;
                Some(self.details(which, node.span, &Table::default()))
            }
            Value::Table(table) => match table.get("piece").map(|piece| (piece.as_str(), piece)) {
                Some((Some(text), piece)) => {
                    let which = self.which(text, piece.span)?;
                    Some(self.details(which, node.span, table))
                }
                Some((None, piece)) => {
                    self.fields().wrong(piece, "piece", "a text");
                    None
                }
                None => {
                    let diagnostic = Diagnostic::error(Code::MissingKey, "which piece is meant?").at(node.span);
                    self.out.push(diagnostic.help("write `piece = \"…\"`"));
                    None
                }
            },
            _ => {
                self.fields().wrong(node, key, "the name of a piece, or a table with `piece`");
                None
            }
        }
    }

    /// A piece of a type with its properties.
    fn details(&mut self, which: Which, at: Span, table: &Table) -> PieceSpec {
        let mut spec = PieceSpec {
            at,
            which,
            held: Vec::new(),
            sums: Vec::new(),
            on: None,
            face_down: None,
            flipped: None,
            seen_by: None,
            vars: Vec::new(),
            values: Vec::new(),
            attributes: Vec::new(),
        };
        for (key, entry) in table.iter().filter(|(key, _)| !["piece", "copies"].contains(key)) {
            self.detail(&mut spec, key, entry.key, &entry.node);
        }
        spec
    }

    fn detail(&mut self, spec: &mut PieceSpec, key: &str, span: Span, node: &Node) {
        let flag = |names: &mut Self| {
            match node.as_bool() {
                Some(true) if names.side == Side::Given => names.refuse_lying(key, span),
                Some(_) => {}
                None => names.fields().wrong(node, key, "true or false"),
            }
            node.as_bool()
        };
        match key {
            "on" => {
                let on = self.pieces(node, key);
                if self.side == Side::Given && !on.is_empty() {
                    self.refuse_lying(key, span);
                }
                spec.on = Some(on);
            }
            "face_down" => spec.face_down = flag(self),
            "flipped" => spec.flipped = flag(self),
            "seen_by" => {
                let words = self.fields().words_of(node, key);
                let mut seats: Vec<Seat> = words.iter().filter_map(|word| self.seat(word)).collect();
                seats.sort_unstable();
                seats.dedup();
                if self.side == Side::Given && !seats.is_empty() {
                    self.refuse_looks(span);
                }
                spec.seen_by = Some(seats);
            }
            _ => {
                let Some(ty) = spec.which.ty() else {
                    let message = format!("`{key}` cannot be said of any piece: say which");
                    self.out.push(Diagnostic::error(Code::WrongValue, message).at(span));
                    return;
                };
                self.detail_of(ty, spec, key, span, node);
            }
        }
    }

    fn detail_of(&mut self, ty: TypeId, spec: &mut PieceSpec, key: &str, span: Span, node: &Node) {
        if let Some(attribute) = self.attribute(ty, key) {
            match self.side {
                Side::Given => {
                    let message = format!("`{key}` stands on the piece: it cannot be set");
                    self.out.push(Diagnostic::error(Code::WrongValue, message).at(span));
                }
                Side::Then => spec.attributes.extend(self.printed(node, key, &attribute)),
            }
            return;
        }
        match self.meaning(key, span, Whom::Piece(ty)) {
            Some(Meaning::Res(res)) => {
                let kind = self.rules.ty(ty).kind;
                let kind = self.rules.kind(kind);
                if kind.holds.get(res.index()).copied().flatten().is_none() {
                    // A text with a mistake may declare what it holds.
                    if !self.is_whole {
                        return;
                    }
                    let message = format!("a piece of the kind `{}` cannot hold `{key}`", kind.name);
                    self.out.push(Diagnostic::error(Code::WrongValue, message).at(span));
                    return;
                }
                let amount = self.fields().int_of(node, key, 0, MAX_AMOUNT);
                spec.held.extend(amount.map(|amount| Held { res, amount: amount as i32, at: span }));
            }
            Some(Meaning::Derived(..)) if self.side == Side::Given => self.refuse_derived(key, span),
            Some(Meaning::Var(var, ty)) if self.side == Side::Given => {
                spec.vars.extend(self.settable(node, key, var, ty).map(|value| (var, Want::Is(value))));
            }
            Some(Meaning::Var(var, ty)) => spec.vars.extend(self.value(node, key, ty).map(|want| (var, want))),
            Some(Meaning::Derived(value, ty)) => {
                spec.values.extend(self.value(node, key, ty).map(|want| (value, want)));
            }
            Some(Meaning::Group(group)) if self.side == Side::Then => {
                spec.sums.extend(self.fields().int_of(node, key, 0, MAX_AMOUNT).map(|sum| (group, sum)));
            }
            Some(Meaning::Group(group)) if node.as_int() == Some(0) => {
                let kind = self.rules.kind(self.rules.ty(ty).kind);
                let holds = |res: &ResId| kind.holds.get(res.index()).copied().flatten().is_some();
                let members = self.rules.members(group).iter().copied().filter(holds);
                // The amount of a single resource overrides that of its group.
                spec.held.splice(0..0, members.map(|res| Held { res, amount: 0, at: span }));
            }
            Some(Meaning::Group(_)) => self.refuse_group(key, span),
            Some(Meaning::Zone(_)) => {
                let message = format!("`{key}` cannot be said of a piece");
                self.out.push(Diagnostic::error(Code::WrongValue, message).at(span));
            }
            None => {}
        }
    }

    /// Refuses an amount of a group under `given`: only 0 is clear.
    pub(super) fn refuse_group(&mut self, key: &str, span: Span) {
        let message = format!("`{key}` is a group: say how much of which resource");
        let help = format!("only `{key} = 0` can be given, for nothing of it");
        self.out.push(Diagnostic::error(Code::WrongValue, message).at(span).help(help));
    }

    /// Refuses a derived value under `given`: it follows from the table and can only be compared.
    pub(super) fn refuse_derived(&mut self, key: &str, span: Span) {
        let message = format!("`{key}` is a derived value: it cannot be set");
        let help = "set what it is derived from";
        self.out.push(Diagnostic::error(Code::WrongValue, message).at(span).help(help));
    }

    /// A value that can be written into a variable.
    pub(super) fn settable(&mut self, node: &Node, key: &str, var: VarId, ty: Ty) -> Option<rulepack_kernel::Value> {
        match self.value(node, key, ty)? {
            Want::Is(value) => {
                self.refuse_out_of_range(var, key, value, node.span);
                Some(value)
            }
            Want::PieceOf(_) => {
                let message = format!("`{key}` names one piece: it cannot be set");
                self.out.push(Diagnostic::error(Code::WrongValue, message).at(node.span));
                None
            }
        }
    }
}
