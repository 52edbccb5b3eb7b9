//! The names of a linked game, as the checker of expressions sees them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use indexmap::IndexMap;
use rulepack_model::{
    ActionId, AdjacencyId, EventId, GroupId, HookId, KindId, MarkId, PromptId, ResId, SetId, SymId, TypeId, ValueId,
    VarId, ZoneId,
};

use crate::ast::Ast;
use crate::code::AttrId;
use crate::notes::Note;
use crate::suggest::Suggestions;

/// The type of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Ty {
    Int,
    Bool,
    Res,
    Sym,
    Seat,
    Cell,
    Piece(Option<KindId>),
    Type,
    /// The result of a script: any value.
    Any,
}

/// The type of an attribute of a kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum AttrTy {
    Int,
    Bool,
    Text,
    Res,
    Sym,
    Type,
    Cost,
    Effect,
    Amount,
    Condition,
}

/// The owner of a variable or value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Subject {
    Game,
    Seat,
    Piece(Option<KindId>),
    /// Only values belong to spaces.
    Space,
}

/// An attribute: its id, its type, and the kinds that have it.
#[derive(Debug, Clone)]
pub struct AttrName {
    /// The id.
    pub id: AttrId,
    /// Its type.
    pub ty: AttrTy,
    /// The kinds that have it.
    pub kinds: Vec<KindId>,
}

/// A zone as the checker sees it.
#[derive(Debug, Clone, Copy)]
pub struct ZoneName {
    /// The id.
    pub id: ZoneId,
    /// Whether each player has one.
    pub per_player: bool,
}

/// A named set as the checker sees it.
#[derive(Debug, Clone)]
pub struct SetName {
    /// The id.
    pub id: SetId,
    /// What it takes in brackets.
    pub args: Vec<Ty>,
    /// What each member is.
    pub member: Ty,
}

/// Every name that a text can use.
#[derive(Debug, Clone, Default)]
pub struct Vocabulary {
    /// Resources.
    pub resources: IndexMap<String, ResId>,
    /// Attributes of resources.
    pub resource_attrs: IndexMap<String, (AttrId, AttrTy)>,
    /// Groups of resources.
    pub groups: IndexMap<String, GroupId>,
    /// Kinds, by their id.
    pub kinds: IndexMap<String, KindId>,
    /// Kinds, by their plural.
    pub plurals: IndexMap<String, KindId>,
    /// For every kind, itself and the kinds above it, the nearest first.
    pub lineage: Vec<Vec<KindId>>,
    /// Types, by their id; the kind they belong to.
    pub types: IndexMap<String, (TypeId, KindId)>,
    /// Attributes of pieces.
    pub attrs: IndexMap<String, AttrName>,
    /// Symbols.
    pub symbols: IndexMap<String, SymId>,
    /// Zones.
    pub zones: IndexMap<String, ZoneName>,
    /// Variables: their owner and type.
    pub vars: IndexMap<String, (VarId, Subject, Ty)>,
    /// Derived values: their owner and type.
    pub values: IndexMap<String, (ValueId, Subject, Ty)>,
    /// Attributes of pieces that something modifies: for a piece, the value of this name is meant.
    pub modified: BTreeSet<String>,
    /// Named sets.
    pub sets: IndexMap<String, SetName>,
    /// Events with the types of their arguments.
    pub events: IndexMap<String, (EventId, Vec<Ty>)>,
    /// Actions with the types of their parameters.
    pub actions: IndexMap<String, (ActionId, Vec<Ty>)>,
    /// Texts of questions.
    pub prompts: IndexMap<String, PromptId>,
    /// What the text of a question names in braces, as written and as parsed.
    pub named_in_prompts: BTreeMap<PromptId, Vec<(String, Arc<Ast>)>>,
    /// Symbols of marks, by the name of the mark.
    pub marks: IndexMap<String, MarkId>,
    /// The directions that the layouts of the pack know, clockwise from the north; each is a symbol.
    pub directions: Vec<SymId>,
    /// The directions in which lines go in each zone with spaces.
    pub directions_of: BTreeMap<ZoneId, Vec<SymId>>,
    /// Whether the players form teams.
    pub has_teams: bool,
    /// Adjacencies.
    pub adjacencies: IndexMap<String, AdjacencyId>,
    /// Modes that are in use: `mode_x` is a constant.
    pub modes: BTreeMap<String, bool>,
    /// Script functions that texts refer to, by pack and `file.function`, in the order of first use, with the place of
    /// the first text.
    pub hooks: IndexMap<(String, String), (HookId, String)>,
    /// The script functions that only return a value.
    pub queries: Vec<HookId>,
    /// The types of the arguments with which texts call each script function.
    pub given: BTreeMap<HookId, Vec<Vec<Ty>>>,
    /// Comparisons and divisions of the checked texts; the caller takes them after each text.
    pub notes: Vec<Note>,
    /// The words of the condition under which the effect that is being checked runs.
    pub assured: BTreeSet<String>,
    /// The suggestions for unknown names.
    pub suggestions: Suggestions,
    /// The pack whose text is being checked.
    pub pack: String,
    /// The definition and key whose text is being checked.
    pub origin: String,
}

impl Vocabulary {
    /// Whether a value of type `have` can be used where `want` is needed, as far as that is known before a game.
    pub fn fits(&self, have: Ty, want: Ty) -> bool {
        match (have, want) {
            (Ty::Any, _) | (_, Ty::Any) => true,
            // A zone holds pieces of several kinds, so a piece of unknown kind is taken at its word; so is one of a
            // wider kind than is wanted.
            (Ty::Piece(Some(have)), Ty::Piece(Some(want))) => self.is_kind(have, want) || self.is_kind(want, have),
            (Ty::Piece(_), Ty::Piece(_)) => true,
            (have, want) => have == want,
        }
    }

    /// A type in words.
    pub fn describe(&self, ty: Ty) -> String {
        match ty {
            Ty::Int => "a number".into(),
            Ty::Bool => "a yes-or-no".into(),
            Ty::Res => "a resource".into(),
            Ty::Sym => "a symbol".into(),
            Ty::Seat => "a player".into(),
            Ty::Cell => "a space".into(),
            Ty::Type => "the name of a piece".into(),
            Ty::Any => "a value from a script".into(),
            Ty::Piece(None) => "a piece".into(),
            Ty::Piece(Some(kind)) => match self.kinds.iter().find(|(_, id)| **id == kind) {
                Some((name, _)) => format!("a piece of the kind `{name}`"),
                None => "a piece".into(),
            },
        }
    }

    /// Whether `kind` is `of`, or a narrower kind that belongs to it.
    pub fn is_kind(&self, kind: KindId, of: KindId) -> bool {
        kind == of || self.lineage_of(kind).contains(&of)
    }

    /// A kind and the kinds above it, the nearest first.
    pub fn lineage_of(&self, kind: KindId) -> &[KindId] {
        self.lineage.get(kind.index()).map_or(&[], Vec::as_slice)
    }

    /// The id of a script function; its first use creates the id.
    pub fn hook(&mut self, name: &str) -> HookId {
        let key = (self.pack.clone(), name.to_string());
        if let Some((id, _)) = self.hooks.get(&key) {
            return *id;
        }
        let id = HookId::from(self.hooks.len());
        self.hooks.insert(key, (id, self.origin.clone()));
        id
    }
}
