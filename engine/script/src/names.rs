//! Names that scripts use for fields of pieces and players, resolved once for a ruleset.

use std::collections::BTreeMap;

use rulepack_expr::{AttrId, AttrTy, Expr, Set, Subject};
use rulepack_kernel::Ruleset;
use rulepack_model::{GroupId, KindId, Local, PieceId, ResId, ValueId, VarId};

use crate::fields::{HostField, PIECE, SEAT};

/// The meaning of a name after the dot.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Field {
    Attr(AttrId, AttrTy),
    Res(ResId),
    Group(GroupId),
    Value(ValueId),
    Var(VarId),
    HostField(HostField),
}

/// The fields of pieces, kind by kind, and of players.
#[derive(Debug)]
pub(crate) struct Names {
    /// By kind.
    pub pieces: Vec<BTreeMap<String, Field>>,
    /// Of players.
    pub seat: BTreeMap<String, Field>,
    /// The neighbours of the space in the first slot.
    pub neighbours: Set,
}

impl Names {
    /// All names of a ruleset. If two definitions have one name, the same one wins as in an expression.
    pub(crate) fn new(rules: &Ruleset) -> Self {
        Names {
            pieces: (0..rules.kinds.len()).map(|kind| piece_fields(rules, KindId::from(kind))).collect(),
            seat: seat_fields(rules),
            neighbours: Set::Neighbours(Box::new(Expr::Local(Local(0)))),
        }
    }

    /// The fields of a piece.
    pub(crate) fn of_piece(&self, rules: &Ruleset, piece: PieceId) -> Option<&BTreeMap<String, Field>> {
        self.pieces.get(rules.kind_of(piece).index())
    }
}

fn piece_fields(rules: &Ruleset, kind: KindId) -> BTreeMap<String, Field> {
    let words = &rules.vocabulary;
    let concerns =
        |subject: &Subject| matches!(subject, Subject::Piece(of) if of.is_none_or(|of| rules.is_kind(kind, of)));
    let mut fields = BTreeMap::new();
    // In reverse order of precedence: a later one replaces an earlier one.
    for field in PIECE {
        fields.insert(field.name.to_string(), Field::HostField(field.built));
    }
    for (name, (id, subject, _)) in &words.vars {
        if concerns(subject) {
            fields.insert(name.clone(), Field::Var(*id));
        }
    }
    for (name, (id, subject, _)) in &words.values {
        if concerns(subject) {
            fields.insert(name.clone(), Field::Value(*id));
        }
    }
    amounts(rules, &mut fields);
    for (name, attr) in &words.attrs {
        if attr.kinds.contains(&kind) && !words.modified.contains(name) {
            fields.insert(name.clone(), Field::Attr(attr.id, attr.ty));
        }
    }
    fields
}

fn seat_fields(rules: &Ruleset) -> BTreeMap<String, Field> {
    let words = &rules.vocabulary;
    let mut fields = BTreeMap::new();
    for field in SEAT {
        fields.insert(field.name.to_string(), Field::HostField(field.built));
    }
    for (name, (id, subject, _)) in &words.vars {
        if *subject == Subject::Seat {
            fields.insert(name.clone(), Field::Var(*id));
        }
    }
    for (name, (id, subject, _)) in &words.values {
        if *subject == Subject::Seat {
            fields.insert(name.clone(), Field::Value(*id));
        }
    }
    amounts(rules, &mut fields);
    fields
}

fn amounts(rules: &Ruleset, fields: &mut BTreeMap<String, Field>) {
    for (name, id) in &rules.vocabulary.groups {
        fields.insert(name.clone(), Field::Group(*id));
    }
    for (name, id) in &rules.vocabulary.resources {
        fields.insert(name.clone(), Field::Res(*id));
    }
}
