//! Pieces as a pack defines them: kinds, types, what a type does while it is in play, and the pieces in the box.

use rulepack_expr::{AttrId, Set};
use rulepack_model::{CostId, EventId, ExprId, KindId, ProgId, Seat, TypeId, ValueId};

use crate::eval::bundle::ResourceSel;
use crate::lower::{Lowered, Walk};
use crate::rules::ruleset::Ruleset;
use crate::state::value::{Value, ZoneIx};

/// A kind of pieces.
#[derive(Debug, Clone, Default)]
pub struct Kind {
    /// Its id.
    pub name: String,
    /// For every resource, the slot on a piece of this kind.
    pub holds: Vec<Option<u16>>,
    /// How many slots a piece has.
    pub slots: u16,
    /// Itself and the kinds that it is a kind of, the nearest first.
    pub lineage: Vec<KindId>,
    /// The widest kind above it; of several kinds, above the first of them. If not given, the last of `lineage`.
    pub widest: Option<KindId>,
    /// The symbol attribute that everybody sees on the back of such a piece.
    pub back: Option<AttrId>,
    /// The symbol attribute by which points are listed; else every type has its own line.
    pub score_by: Option<AttrId>,
}

/// A type: one entry of a kind.
#[derive(Debug, Clone)]
pub struct Type {
    /// Its id.
    pub name: String,
    /// Its kind.
    pub kind: KindId,
    /// The type that it is a printing of; else itself.
    pub printing_of: TypeId,
    /// Whether people use the name of that type for it, because they do not tell the two apart.
    pub same_name: bool,
    /// The resources that its owner keeps on it.
    pub keeps: Option<Keeps>,
    /// Attributes, by id.
    pub attrs: Vec<Option<AttrValue>>,
    /// Points at the end.
    pub score: Option<ExprId>,
    /// The events to which it listens.
    pub listens: Vec<Listener>,
    /// The events that it replaces.
    pub replaces: Vec<Listener>,
    /// The events that a player can answer with it.
    pub reacts: Vec<Listener>,
    /// The derived values that it modifies.
    pub modifies: Vec<Modifier>,
}

/// The resources that the owner of a piece keeps on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keeps {
    /// Which resources.
    pub what: ResourceSel,
    /// How many of them together; `self` is the piece.
    pub room: ExprId,
}

/// The value of an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum AttrValue {
    Plain(Value),
    Cost(CostId),
    Effect(ProgId),
    Expr(ExprId),
}

/// The players to whose events a piece listens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Whose {
    /// The owner's.
    #[default]
    Mine,
    /// Everybody else's.
    Others,
    /// Everybody's.
    Any,
}

/// A hook of a piece on an event.
#[derive(Debug, Clone)]
pub struct Listener {
    /// The event.
    pub event: EventId,
    /// The players whose events count.
    pub whose: Whose,
    /// Its condition, tested before the effect runs.
    pub when: Option<ExprId>,
    /// Its effect.
    pub effect: ProgId,
}

/// A change to a derived value while the piece is in play.
#[derive(Debug, Clone)]
pub struct Modifier {
    /// The value.
    pub value: ValueId,
    /// The pieces whose value it changes; `None` for the value of the owner.
    pub of: Option<Concerned>,
    /// The amount that is added.
    pub by: ExprId,
    /// It applies only while this holds.
    pub when: Option<ExprId>,
}

/// The pieces that a modifier is about.
#[derive(Debug, Clone)]
pub struct Concerned {
    /// The set of pieces.
    pub set: Set,
    /// How many slots it needs.
    pub locals: u16,
    walk: Lowered<Walk>,
}

impl Concerned {
    /// The pieces of a set.
    pub fn new(set: Set, locals: u16) -> Self {
        Concerned { set, locals, walk: Lowered::default() }
    }

    pub(crate) fn walk(&self, rules: &Ruleset) -> &Walk {
        self.walk.get(|| Walk::new(rules, &self.set))
    }
}

/// A piece as a game begins.
#[derive(Debug, Clone, Copy)]
pub struct PieceInit {
    /// Its type.
    pub ty: TypeId,
    /// Where it starts.
    pub zone: ZoneIx,
    /// The first of its slots for resources.
    pub held: u32,
    /// Its number among the pieces of its kind.
    pub ordinal: u32,
    /// The player who owns it at the start, if every player has such a piece.
    pub owner: Option<Seat>,
}
