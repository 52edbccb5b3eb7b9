//! Names that scripts use, resolved once for a ruleset: fields of pieces and players, and ids in strings.

use std::collections::{BTreeMap, BTreeSet};

use rulepack_expr::{AttrId, AttrTy, Expr, Set, Subject, Ty, ZoneName};
use rulepack_kernel::{ResourceSel, Ruleset};
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

/// An id of the pack, and what it means as each argument that scripts pass often. The VM passes a number in its place: see
/// `words` in `prelude.lua`.
#[derive(Debug)]
pub(crate) struct Word {
    /// The id.
    pub text: String,
    /// As a resource or a group.
    pub resources: Option<ResourceSel>,
    /// As a zone.
    pub zone: Option<ZoneName>,
    /// As a variable.
    pub var: Option<(VarId, Subject, Ty)>,
    /// As a value.
    pub value: Option<(ValueId, Subject, Ty)>,
}

impl Word {
    fn new(rules: &Ruleset, text: &str) -> Word {
        let words = &rules.vocabulary;
        let one = words.resources.get(text).map(|id| ResourceSel::One(*id));
        Word {
            text: text.to_string(),
            resources: one.or_else(|| words.groups.get(text).map(|id| ResourceSel::Group(*id))),
            zone: words.zones.get(text).copied(),
            var: words.vars.get(text).copied(),
            value: words.values.get(text).copied(),
        }
    }
}

/// The fields of pieces, kind by kind, and of players.
#[derive(Debug)]
pub(crate) struct Names {
    /// Every id that a method takes.
    pub words: Vec<Word>,
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
            words: words(rules),
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

/// Each id once, in alphabetical order.
fn words(rules: &Ruleset) -> Vec<Word> {
    let words = &rules.vocabulary;
    let mut ids: BTreeSet<&String> = BTreeSet::new();
    ids.extend(words.resources.keys().chain(words.resource_attrs.keys()).chain(words.groups.keys()));
    ids.extend(words.kinds.keys().chain(words.plurals.keys()).chain(words.types.keys()).chain(words.attrs.keys()));
    ids.extend(words.zones.keys().chain(words.vars.keys()).chain(words.values.keys()).chain(words.sets.keys()));
    ids.extend(words.events.keys().chain(words.actions.keys()).chain(words.prompts.keys()));
    ids.extend(words.adjacencies.keys());
    ids.into_iter().map(|id| Word::new(rules, id)).collect()
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
