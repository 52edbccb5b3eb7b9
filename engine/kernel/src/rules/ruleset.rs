//! All that a game needs to know: immutable, filled in by linking, names already turned into ids.
//!
//! This file has the `Ruleset` and the small definitions; `ruleset/` has pieces, the course of a game, and compiled texts. What
//! changes in a game does not belong here: see `state/`.

mod compiled;
mod course;
mod pieces;

use std::sync::Arc;

use rulepack_expr::{AttrId, AttrTy, Subject, Ty, Vocabulary};
use rulepack_model::{
    ActionId, AdjacencyId, CostId, ExprId, GroupId, KindId, MarkId, PhaseId, PieceId, ProgId, PromptId, ResId, Seat,
    SymId, TypeId, ValueId, VarId, ZoneId,
};

use crate::flow::loops::LoopRules;
use crate::rules::facts::Facts;
pub use crate::rules::layout::{Grid, Layout, Row, Slide};
use crate::rules::limits::Limits;
use crate::rules::meaning::Meaning;
use crate::rules::shortcuts::Shortcuts;
use crate::rules::translations::Translations;
use crate::state::value::{Value, ZoneIx};

pub use compiled::{CompiledCost, CompiledExpr, CompiledProgram, StepPlace};
pub use course::{Action, Order, Param, Phase, PhaseBody, Until};
pub use pieces::{AttrValue, Concerned, Keeps, Kind, Listener, Modifier, PieceInit, Type, Whose};

/// A linked game for one choice of modes and one number of players.
#[derive(Debug, Clone, Default)]
pub struct Ruleset {
    /// The pack that is played.
    pub pack: String,
    /// All packs in use with their versions, in load order.
    pub packs: Vec<PackStamp>,
    /// What the rules mean, definition by definition.
    pub meaning: Arc<Meaning>,
    /// Modes in use, in the order of the pack.
    pub modes: Vec<String>,
    /// How many play.
    pub players: u8,
    /// How much may be done for one answer: the caller's, and no part of what the rules say.
    pub limits: Limits,
    /// Which shortcuts the kernel takes; all of them unless a comparison says otherwise.
    pub shortcuts: Shortcuts,
    /// Resources.
    pub resources: Vec<Resource>,
    /// Groups of resources.
    pub groups: Vec<Group>,
    /// Kinds of pieces.
    pub kinds: Vec<Kind>,
    /// Types of pieces.
    pub types: Vec<Type>,
    /// Names of attributes, by id.
    pub attrs: Vec<(String, AttrTy)>,
    /// Words of closed lists.
    pub symbols: Vec<String>,
    /// Every copy in the box of this game, with where it starts.
    pub pieces: Vec<PieceInit>,
    /// Zones as declared.
    pub zones: Vec<Zone>,
    /// Zones of the table, then those of the players: which declaration, whose.
    pub zone_instances: Vec<(ZoneId, Option<Seat>)>,
    /// For every player, the zones whose pieces are in play.
    pub play_zones: Vec<Vec<ZoneIx>>,
    /// Zones of the table whose pieces are in play.
    pub shared_play_zones: Vec<ZoneIx>,
    /// Ways from a space to others.
    pub adjacencies: Vec<Adjacency>,
    /// Rules that are looked at after every change.
    pub standing: Vec<Standing>,
    /// Variables.
    pub vars: Vec<Var>,
    /// How many slots all variables need.
    pub var_slots: usize,
    /// How many slots for resources all pieces need.
    pub held_slots: usize,
    /// Derived values.
    pub values: Vec<DerivedValue>,
    /// Events.
    pub events: Vec<EventDef>,
    /// Actions.
    pub actions: Vec<Action>,
    /// Phases.
    pub phases: Vec<Phase>,
    /// The phase that is the game.
    pub root: Option<PhaseId>,
    /// Compiled effects.
    pub programs: Vec<CompiledProgram>,
    /// Compiled expressions.
    pub exprs: Vec<CompiledExpr>,
    /// Compiled costs.
    pub costs: Vec<CompiledCost>,
    /// Functions of scripts, as `pack` and `file.function`.
    pub hooks: Vec<Hook>,
    /// Questions.
    pub prompts: Vec<String>,
    /// Lines of the score besides those of pieces.
    pub score_lines: Vec<ScoreLine>,
    /// What decides a tie, in this order; more is better.
    pub tie_breaks: Vec<ExprId>,
    /// What happens when a loop is found.
    pub loops: LoopRules,
    /// Ranks of a result, best last.
    pub ranks: Vec<Rank>,
    /// The names, for scripts, scenarios and reports.
    pub vocabulary: Vocabulary,
    /// Titles and texts.
    pub texts: Translations,
    /// What is asked most often; see [`Ruleset::prepare`].
    pub facts: Facts,
}

/// A pack in use.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PackStamp {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
}

/// A resource.
#[derive(Debug, Clone, Default)]
pub struct Resource {
    /// Its id.
    pub name: String,
    /// How many there are; `None` if they never run out.
    pub supply: Option<i32>,
    /// How many every player starts with; they come out of the supply.
    pub start: i32,
    /// Whether what a player has of it lies on that player's pieces.
    pub kept: bool,
    /// Attributes, by id.
    pub attrs: Vec<Option<AttrValue>>,
}

/// A group of resources.
#[derive(Debug, Clone, Default)]
pub struct Group {
    /// Its id.
    pub name: String,
    /// Its members, in the order of declaration.
    pub members: Vec<ResId>,
}

/// A zone as declared.
#[derive(Debug, Clone, Default)]
pub struct Zone {
    /// Its id.
    pub name: String,
    /// Whether every player has one.
    pub per_player: bool,
    /// Its number among the zones of the game.
    pub base: u16,
    /// Its spaces.
    pub layout: Layout,
    /// Who sees the pieces.
    pub visible: Visibility,
    /// Whether its pieces are in play: they listen, modify and score.
    pub in_play: bool,
    /// Whether cards can be played from it in answer to an event.
    pub reacts: bool,
    /// Whether what comes here is out of the game: it never leaves for a zone that is not.
    pub out_of_game: bool,
    /// How many pieces fit in.
    pub capacity: Option<u16>,
    /// From where it is filled up.
    pub refill: Option<ZoneId>,
    /// What a space costs on top, by space.
    pub surcharge: Vec<CostId>,
    /// Whether only the columns in use and one beside them on either side are shown.
    pub grows: bool,
    /// Symbols that spaces are marked with, space by space.
    pub marks: Vec<(MarkId, Vec<Option<SymId>>)>,
    /// Names of rows, for people.
    pub row_names: Vec<String>,
    /// Names of columns, for people.
    pub column_names: Vec<String>,
}

/// Who sees the pieces of a zone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub enum Visibility {
    #[default]
    All,
    Owner,
    Top,
    None,
}

/// A way from a space of a zone to others of it.
#[derive(Debug, Clone)]
pub struct Adjacency {
    /// Its id.
    pub name: String,
    /// The zone.
    pub zone: ZoneId,
    /// For every space, where it leads.
    pub leads: Vec<Vec<u16>>,
}

/// A rule that goes to work by itself as soon as its condition holds.
#[derive(Debug, Clone)]
pub struct Standing {
    /// Its id.
    pub name: String,
    /// Whether it is checked for every player, not only for the one at turn.
    pub each: bool,
    /// When it applies.
    pub when: ExprId,
    /// What happens then.
    pub effect: ProgId,
}

/// When a variable falls back to its start.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub enum Scope {
    #[default]
    Game,
    Turn,
    Phase(PhaseId),
}

/// A variable.
#[derive(Debug, Clone)]
pub struct Var {
    /// Its id.
    pub name: String,
    /// Whose.
    pub subject: Subject,
    /// What.
    pub ty: Ty,
    /// The first of its slots.
    pub base: u32,
    /// How many slots.
    pub slots: u32,
    /// When it falls back.
    pub scope: Scope,
    /// To what.
    pub start: Value,
    /// The ends of a track: a number stays between them.
    pub range: Option<(i64, i64)>,
    /// Whether every piece of the box has a slot, by its id; else those of one kind have, by their ordinal.
    pub by_piece: bool,
}

/// A derived value.
#[derive(Debug, Clone)]
pub struct DerivedValue {
    /// Its id.
    pub name: String,
    /// Of what.
    pub subject: Subject,
    /// What it is before anything changes it; `self` is the subject if it is a piece, `me` if it is a player.
    pub base: ExprId,
    /// Whether any type changes it.
    pub modified: bool,
    /// Where it is defined, for messages.
    pub place: Option<StepPlace>,
}

/// An event.
#[derive(Debug, Clone, Default)]
pub struct EventDef {
    /// Its id.
    pub name: String,
    /// How many arguments.
    pub args: u16,
    /// What happens unless it is replaced.
    pub effect: Option<ProgId>,
    /// Who may answer it from the hand.
    pub window: Option<ExprId>,
    /// Whether any type listens, replaces or answers.
    pub heard: bool,
    /// Whether a type in the box replaces it.
    pub replaced: bool,
    /// Whether a type in the box answers it.
    pub answered: bool,
    /// The question of its window.
    pub prompt: Option<PromptId>,
}

/// A line of the score that no piece gives.
#[derive(Debug, Clone)]
pub struct ScoreLine {
    /// Its id.
    pub name: String,
    /// How many points `me` gets.
    pub points: ExprId,
}

/// A rank of a result.
#[derive(Debug, Clone)]
pub struct Rank {
    /// Its id.
    pub name: String,
    /// From how many points.
    pub from: i64,
}

/// A function of a script.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hook {
    /// The pack whose script it is.
    pub pack: String,
    /// `file.function`.
    pub name: String,
    /// Where it is bound, for messages: a card or an action, and the key.
    pub bound_at: String,
    /// Whether it may change the game.
    pub query: bool,
}

/// Definitions by their ids. Linking gives an id only to what is in its table, and a save is read only if all of its ids are
/// in theirs (`persist/validate.rs`), so that none is looked for in vain.
impl Ruleset {
    /// A resource.
    pub fn resource(&self, id: ResId) -> &Resource {
        &self.resources[id.index()]
    }

    /// A kind of pieces.
    pub fn kind(&self, id: KindId) -> &Kind {
        &self.kinds[id.index()]
    }

    /// A type of pieces.
    pub fn ty(&self, id: TypeId) -> &Type {
        &self.types[id.index()]
    }

    /// A zone as declared.
    pub fn zone(&self, id: ZoneId) -> &Zone {
        &self.zones[id.index()]
    }

    /// A derived value.
    pub fn value(&self, id: ValueId) -> &DerivedValue {
        &self.values[id.index()]
    }

    /// A compiled expression.
    pub fn expr(&self, id: ExprId) -> &CompiledExpr {
        &self.exprs[id.index()]
    }

    /// A group of resources.
    pub fn group(&self, id: GroupId) -> &Group {
        &self.groups[id.index()]
    }

    /// A variable.
    pub fn var(&self, id: VarId) -> &Var {
        &self.vars[id.index()]
    }

    /// An action.
    pub fn action(&self, id: ActionId) -> &Action {
        &self.actions[id.index()]
    }

    /// A phase.
    pub fn phase(&self, id: PhaseId) -> &Phase {
        &self.phases[id.index()]
    }

    /// A compiled effect.
    pub fn program(&self, id: ProgId) -> &CompiledProgram {
        &self.programs[id.index()]
    }

    /// A piece as it starts.
    pub fn piece(&self, id: PieceId) -> &PieceInit {
        &self.pieces[id.index()]
    }

    /// Which declaration a zone of the running game comes from, and whose it is.
    pub fn zone_instance(&self, zone: ZoneIx) -> (ZoneId, Option<Seat>) {
        self.zone_instances[zone.index()]
    }

    /// A compiled cost.
    pub fn cost(&self, id: CostId) -> &CompiledCost {
        &self.costs[id.index()]
    }
}

impl Ruleset {
    /// The zone of the running game behind a declaration.
    pub fn zone_ix(&self, zone: ZoneId, owner: Option<Seat>) -> ZoneIx {
        let declared = &self.zones[zone.index()];
        match owner {
            Some(seat) if declared.per_player => ZoneIx(declared.base + u16::from(seat.0)),
            _ => ZoneIx(declared.base),
        }
    }

    /// The declaration behind a zone of the running game.
    pub fn zone_of(&self, zone: ZoneIx) -> &Zone {
        &self.zones[self.zone_instances[zone.index()].0.index()]
    }

    /// Whose zone it is.
    pub fn zone_owner(&self, zone: ZoneIx) -> Option<Seat> {
        self.zone_instances[zone.index()].1
    }

    /// The type of a piece.
    #[inline]
    pub fn type_of(&self, piece: PieceId) -> TypeId {
        self.pieces[piece.index()].ty
    }

    /// The kind of a piece.
    pub fn kind_of(&self, piece: PieceId) -> KindId {
        self.types[self.type_of(piece).index()].kind
    }

    /// An attribute of a type.
    #[inline]
    pub fn attr(&self, ty: TypeId, attr: AttrId) -> Option<AttrValue> {
        self.facts.attr(ty, attr)
    }

    /// The slot of a resource on a piece, if the piece can hold it.
    #[inline]
    pub fn held_slot(&self, piece: PieceId, res: ResId) -> Option<usize> {
        // What a piece can hold is the same for all of its kind.
        let (held, kind) = self.facts.held(piece);
        self.facts.kind_slot(kind, res).map(|slot| held + slot)
    }

    /// Whether a kind is another one, or a kind of it.
    pub fn is_kind(&self, kind: KindId, of: KindId) -> bool {
        kind == of || self.kinds[kind.index()].lineage.contains(&of)
    }

    /// The widest kind of a piece: all that may be told of one that is not seen.
    pub fn widest_kind(&self, piece: PieceId) -> KindId {
        self.widest(self.kind_of(piece))
    }

    /// The widest kind that a kind is a kind of.
    pub fn widest(&self, kind: KindId) -> KindId {
        self.kinds[kind.index()].lineage.last().copied().unwrap_or(kind)
    }

    /// What everybody sees on the back of a piece, besides its widest kind.
    pub fn back(&self, piece: PieceId) -> Option<SymId> {
        let back = self.kinds[self.kind_of(piece).index()].back?;
        match self.attr(self.type_of(piece), back) {
            Some(AttrValue::Plain(Value::Sym(symbol))) => Some(symbol),
            _ => None,
        }
    }

    /// Whether a type is another one, or a printing of it.
    pub fn is_type(&self, ty: TypeId, of: TypeId) -> bool {
        ty == of || self.types[ty.index()].printing_of == of
    }

    /// The type by whose name people call a piece: copies that differ from it in something that nobody looks at have its
    /// name.
    pub fn called(&self, piece: PieceId) -> TypeId {
        self.facts.called(piece)
    }

    /// What the owner of a piece keeps on it, if it is this resource.
    #[inline]
    pub fn keeps(&self, piece: PieceId, res: ResId) -> Option<&Keeps> {
        if self.may_keep(piece, res) { self.keeps_of(piece, res) } else { None }
    }

    fn keeps_of(&self, piece: PieceId, res: ResId) -> Option<&Keeps> {
        let keeps = self.types[self.type_of(piece).index()].keeps.as_ref()?;
        if crate::rules::facts::has_own_bit(res) {
            return Some(keeps);
        }
        keeps.what.members(self).contains(&res).then_some(keeps)
    }

    /// What a space is marked with.
    pub fn mark(&self, zone: ZoneIx, at: u16, mark: MarkId) -> Option<SymId> {
        let marks = self.zone_of(zone).marks.iter().find(|(id, _)| *id == mark)?;
        marks.1.get(at as usize).copied().flatten()
    }

    /// Where a way leads from a space.
    pub fn leads(&self, way: AdjacencyId, zone: ZoneIx, at: u16) -> &[u16] {
        let way = &self.adjacencies[way.index()];
        if self.zone_instances[zone.index()].0 != way.zone {
            return &[];
        }
        way.leads.get(at as usize).map_or(&[], Vec::as_slice)
    }

    /// The members of a group.
    pub fn members(&self, group: GroupId) -> &[ResId] {
        &self.groups[group.index()].members
    }

    /// All players.
    pub fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + use<> {
        (0..self.players).map(Seat)
    }

    /// A symbol's id in words.
    pub fn symbol(&self, symbol: SymId) -> &str {
        &self.symbols[symbol.index()]
    }
}
