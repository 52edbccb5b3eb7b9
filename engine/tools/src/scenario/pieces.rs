//! Pieces and zones as scenarios write them: the same words under `given` and under `then`.

use rulepack_expr::Ty;
use rulepack_kernel::ZoneIx;
use rulepack_model::{Diagnostic, GroupId, Node, ResId, Span, Table, TypeId, Value, ValueId, VarId};

use super::names::{MAX_AMOUNT, Meaning, Names, Want, Whom};

/// A piece with what is said about it.
#[derive(Debug, Clone)]
pub(super) struct PieceSpec {
    pub(super) ty: TypeId,
    pub(super) held: Vec<(ResId, i32)>,
    /// Sums over groups of resources; only looked at.
    pub(super) sums: Vec<(GroupId, i64)>,
    /// What lies on it, if that is said.
    pub(super) on: Option<Vec<PieceSpec>>,
    pub(super) face_down: Option<bool>,
    pub(super) flipped: Option<bool>,
    pub(super) vars: Vec<(VarId, Want)>,
    pub(super) values: Vec<(ValueId, Want)>,
}

/// What is said about a zone.
#[derive(Debug, Clone)]
pub(super) enum ZoneSpec {
    /// So many pieces.
    Count(usize),
    /// Exactly these, from bottom to top.
    All(Vec<PieceSpec>),
    /// What stands on some of its spaces.
    Spaces(Vec<(u16, Stack)>),
    /// Some of its pieces.
    Part(Part),
}

/// What stands on a space.
#[derive(Debug, Clone)]
pub(super) enum Stack {
    /// Exactly these, from bottom to top.
    Exactly(Vec<PieceSpec>),
    /// These on top of others; the first is drawn next.
    Top(Vec<PieceSpec>),
    /// So many pieces.
    Count(usize),
}

/// Some pieces of a zone without spaces.
#[derive(Debug, Clone, Default)]
pub(super) struct Part {
    /// The first is drawn next.
    pub(super) top: Vec<PieceSpec>,
    /// The first is the last to be drawn.
    pub(super) bottom: Vec<PieceSpec>,
    pub(super) size: Option<usize>,
    pub(super) pieces: Vec<PieceSpec>,
    pub(super) counts: Vec<(TypeId, usize)>,
}

/// Whether a table is set up or looked at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Given,
    Then,
}

impl Names<'_> {
    pub(super) fn zone_spec(&mut self, node: &Node, key: &str, zone: ZoneIx) -> Option<ZoneSpec> {
        let cells = self.rules.zone_of(zone).layout.cells();
        match &node.value {
            Value::Int(_) if self.side == Side::Then => self.count(node, key).map(ZoneSpec::Count),
            // A list fills the spaces one after the other; the others are empty.
            Value::List(items) if cells > 0 && self.side == Side::Given => {
                if items.len() > cells as usize {
                    let message = format!("`{key}` has {cells} spaces, and {} are written here", items.len());
                    self.out.push(Diagnostic::error("wrong-value", message).at(node.span));
                }
                let mut spaces = Vec::new();
                for at in 0..cells {
                    let pieces = items.get(at as usize).map_or(vec![], |item| self.pieces(item, key));
                    spaces.push((at, Stack::Exactly(pieces)));
                }
                Some(ZoneSpec::Spaces(spaces))
            }
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
            Value::Table(table) => Some(ZoneSpec::Part(self.part(table))),
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
    fn part(&mut self, table: &Table) -> Part {
        let mut part = Part::default();
        for (key, entry) in table.iter() {
            let node = &entry.node;
            match key {
                "top" => part.top = self.pieces(node, key),
                "bottom" => part.bottom = self.pieces(node, key),
                "size" if self.side == Side::Then => part.size = self.count(node, key),
                _ => {
                    let Some(ty) = self.piece_type(key, entry.key) else { continue };
                    match &node.value {
                        Value::Int(_) if self.side == Side::Then => {
                            part.counts.extend(self.count(node, key).map(|count| (ty, count)));
                        }
                        Value::Table(details) => part.pieces.push(self.details(ty, details)),
                        _ => self.fields().wrong(node, key, "a table of what is said about the piece"),
                    }
                }
            }
        }
        part
    }

    /// What stands on a space.
    fn stack(&mut self, node: &Node, key: &str) -> Option<Stack> {
        match &node.value {
            Value::Int(_) if self.side == Side::Then => self.count(node, key).map(Stack::Count),
            Value::Table(table) if table.get("top").is_some() => {
                self.fields().known(table, &["top"], "a space with `top`");
                Some(Stack::Top(table.get("top").map_or(vec![], |node| self.pieces(node, "top"))))
            }
            _ => Some(Stack::Exactly(self.pieces(node, key))),
        }
    }

    /// Nothing, a piece, or several from bottom to top.
    fn pieces(&mut self, node: &Node, key: &str) -> Vec<PieceSpec> {
        match &node.value {
            Value::Str(text) if text.is_empty() => Vec::new(),
            Value::List(items) => items.iter().filter_map(|item| self.piece_spec(item, key)).collect(),
            _ => self.piece_spec(node, key).into_iter().collect(),
        }
    }

    fn piece_spec(&mut self, node: &Node, key: &str) -> Option<PieceSpec> {
        match &node.value {
            Value::Str(text) => {
                let ty = self.piece_type(text, node.span)?;
                Some(self.details(ty, &Table::default()))
            }
            Value::Table(table) => match table.get("piece").map(|piece| (piece.as_str(), piece)) {
                Some((Some(text), piece)) => {
                    let ty = self.piece_type(text, piece.span)?;
                    Some(self.details(ty, table))
                }
                Some((None, piece)) => {
                    self.fields().wrong(piece, "piece", "a text");
                    None
                }
                None => {
                    let diagnostic = Diagnostic::error("missing-key", "which piece is meant?").at(node.span);
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

    /// A piece of a type with what is said about it.
    fn details(&mut self, ty: TypeId, table: &Table) -> PieceSpec {
        let mut spec = PieceSpec {
            ty,
            held: Vec::new(),
            sums: Vec::new(),
            on: None,
            face_down: None,
            flipped: None,
            vars: Vec::new(),
            values: Vec::new(),
        };
        for (key, entry) in table.iter().filter(|(key, _)| *key != "piece") {
            self.detail(&mut spec, key, entry.key, &entry.node);
        }
        spec
    }

    fn detail(&mut self, spec: &mut PieceSpec, key: &str, span: Span, node: &Node) {
        let flag = |names: &mut Self| {
            if node.as_bool().is_none() {
                names.fields().wrong(node, key, "true or false");
            }
            node.as_bool()
        };
        match key {
            "on" => spec.on = Some(self.pieces(node, key)),
            "face_down" => spec.face_down = flag(self),
            "flipped" => spec.flipped = flag(self),
            _ => match self.meaning(key, span, Whom::Piece(spec.ty)) {
                Some(Meaning::Res(res)) => {
                    let kind = self.rules.types[spec.ty.index()].kind;
                    let kind = &self.rules.kinds[kind.index()];
                    if kind.holds.get(res.index()).copied().flatten().is_none() {
                        let message = format!("a piece of the kind `{}` cannot hold `{key}`", kind.name);
                        self.out.push(Diagnostic::error("wrong-value", message).at(span));
                        return;
                    }
                    let amount = self.fields().int_of(node, key, 0, MAX_AMOUNT);
                    spec.held.extend(amount.map(|amount| (res, amount as i32)));
                }
                Some(Meaning::Derived(..)) if self.side == Side::Given => self.refuse_derived(key, span),
                Some(Meaning::Var(var, ty)) if self.side == Side::Given => {
                    spec.vars.extend(self.settable(node, key, ty).map(|value| (var, Want::Is(value))));
                }
                Some(Meaning::Var(var, ty)) => spec.vars.extend(self.value(node, key, ty).map(|want| (var, want))),
                Some(Meaning::Derived(value, ty)) => {
                    spec.values.extend(self.value(node, key, ty).map(|want| (value, want)));
                }
                Some(Meaning::Group(group)) if self.side == Side::Then => {
                    spec.sums.extend(self.fields().int_of(node, key, 0, MAX_AMOUNT).map(|sum| (group, sum)));
                }
                Some(Meaning::Group(_) | Meaning::Zone(_)) => {
                    let message = format!("`{key}` cannot be said of a piece");
                    self.out.push(Diagnostic::error("wrong-value", message).at(span));
                }
                None => {}
            },
        }
    }

    /// Derived values follow from the table: they can be looked at, not set.
    pub(super) fn refuse_derived(&mut self, key: &str, span: Span) {
        let message = format!("`{key}` is a derived value: it cannot be set");
        let help = "set what it is derived from";
        self.out.push(Diagnostic::error("wrong-value", message).at(span).help(help));
    }

    /// A value that can be written into a variable.
    pub(super) fn settable(&mut self, node: &Node, key: &str, ty: Ty) -> Option<rulepack_kernel::Value> {
        match self.value(node, key, ty)? {
            Want::Is(value) => Some(value),
            Want::PieceOf(_) => {
                let message = format!("`{key}` names one piece: it cannot be set");
                self.out.push(Diagnostic::error("wrong-value", message).at(node.span));
                None
            }
        }
    }
}
