//! The names of a linked game, as the checker of expressions sees them.

use std::collections::{BTreeMap, BTreeSet};

use indexmap::IndexMap;
use rulepack_model::{
    ActionId, AdjacencyId, EventId, GroupId, HookId, KindId, MarkId, PromptId, ResId, SymId, TypeId, ValueId, VarId,
    ZoneId,
};

use crate::code::AttrId;
use crate::notes::Note;
use crate::suggest::Suggestions;

/// What a value is.
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
    /// Whatever a script may give.
    Any,
}

/// What an attribute of a kind holds.
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

/// Whose a variable or value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Subject {
    Game,
    Seat,
    Piece(Option<KindId>),
}

/// An attribute: its id, what it holds, and on which kinds.
#[derive(Debug, Clone)]
pub struct AttrName {
    /// The id.
    pub id: AttrId,
    /// What it holds.
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
    /// Kinds, by the word for several of them.
    pub plurals: IndexMap<String, KindId>,
    /// For every kind, itself and the kinds that it is a kind of, the nearest first.
    pub lineage: Vec<Vec<KindId>>,
    /// Types, by their id; the kind they belong to.
    pub types: IndexMap<String, (TypeId, KindId)>,
    /// Attributes of pieces.
    pub attrs: IndexMap<String, AttrName>,
    /// Words of closed lists.
    pub symbols: IndexMap<String, SymId>,
    /// Zones.
    pub zones: IndexMap<String, ZoneName>,
    /// Variables: whose, and what.
    pub vars: IndexMap<String, (VarId, Subject, Ty)>,
    /// Derived values: of what, and what.
    pub values: IndexMap<String, (ValueId, Subject, Ty)>,
    /// Events with the types of their arguments.
    pub events: IndexMap<String, (EventId, Vec<Ty>)>,
    /// Actions with the types of their parameters.
    pub actions: IndexMap<String, (ActionId, Vec<Ty>)>,
    /// Texts of questions.
    pub prompts: IndexMap<String, PromptId>,
    /// Symbols that spaces are marked with, by the name of the mark.
    pub marks: IndexMap<String, MarkId>,
    /// Ways from a space to others.
    pub adjacencies: IndexMap<String, AdjacencyId>,
    /// Modes that are in use: `mode_x` is a constant.
    pub modes: BTreeMap<String, bool>,
    /// Script functions that texts refer to, by pack and `file.function`, in the order of first use; with where the
    /// first text stands.
    pub hooks: IndexMap<(String, String), (HookId, String)>,
    /// Those of them that only answer.
    pub queries: Vec<HookId>,
    /// What each text that calls them gives them.
    pub given: BTreeMap<HookId, Vec<Vec<Ty>>>,
    /// Comparisons and divisions of the texts that were checked; whoever wants them takes them after each.
    pub notes: Vec<Note>,
    /// The words of the condition under which the effect that is being checked is done.
    pub assured: BTreeSet<String>,
    /// What was meant by names that are not there.
    pub suggestions: Suggestions,
    /// The pack whose text is being checked.
    pub pack: String,
    /// The definition and key whose text is being checked.
    pub origin: String,
}

impl Vocabulary {
    /// Whether a kind is another one, or a kind of it.
    pub fn is_kind(&self, kind: KindId, of: KindId) -> bool {
        kind == of || self.lineage_of(kind).contains(&of)
    }

    /// A kind and the kinds that it is a kind of, the nearest first.
    pub fn lineage_of(&self, kind: KindId) -> &[KindId] {
        self.lineage.get(kind.index()).map_or(&[], Vec::as_slice)
    }

    /// The id of a script function; the first mention of a name makes it known.
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
