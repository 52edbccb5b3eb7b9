//! The ruleset: all definitions of a game, with ids instead of names. Linking fills it in, and it never changes.
//!
//! This file has the `Ruleset` and the small definitions; `ruleset/` has pieces, the course of a game, and compiled effects,
//! costs and expressions. The state of a game does not belong here: see `state/`.

mod compiled;
mod course;
mod members;
mod pieces;
mod secrets;

use std::sync::Arc;

use rulepack_expr::{AttrId, AttrTy, Set, Subject, Ty, Vocabulary};
use rulepack_model::{
    ActionId, AdjacencyId, CostId, ExprId, GroupId, KindId, MarkId, PhaseId, PieceId, ProgId, PromptId, ResId, Seat,
    SymId, TypeId, ValueId, VarId, ZoneId,
};

use crate::flow::loops::LoopRules;
use crate::rules::facts::Facts;
pub use crate::rules::layout::{Direction, Grid, Hex, Layout, Points, Row, Slide, Wraps};
use crate::rules::limits::Limits;
use crate::rules::look::Look;
use crate::rules::meaning::Meaning;
use crate::rules::shortcuts::Shortcuts;
use crate::rules::translations::Translations;
use crate::state::value::{Value, ZoneIx};

pub(crate) use compiled::Asking;
pub use compiled::{CompiledCost, CompiledExpr, CompiledProgram, StepPlace};
pub use course::{Action, Order, Param, Phase, PhaseBody, Repetition, Until};
pub use members::NamedSet;
pub use pieces::{AttrValue, Concerned, Keeps, Kind, Listener, Modifier, PieceInit, Type, Whose};
pub use secrets::{Audience, Domain};

/// A linked game for one choice of modes and one number of players.
#[derive(Debug, Clone, Default)]
pub struct Ruleset {
    /// The pack that is played.
    pub pack: String,
    /// All packs in use with their versions, in load order.
    pub packs: Vec<PackStamp>,
    /// Digests of the definitions, by which saves and logs notice changed rules.
    pub meaning: Arc<Meaning>,
    /// Modes in use, in the order of the pack.
    pub modes: Vec<String>,
    /// The number of players.
    pub players: u8,
    /// The limits of the work for one answer. The caller sets them; they are no part of the rules.
    pub limits: Limits,
    /// The shortcuts that the kernel takes: all of them, except in tests that compare.
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
    /// The directions that layouts have, clockwise from the north, each with its symbol.
    pub directions: Vec<(SymId, Direction)>,
    /// Zones as declared.
    pub zones: Vec<Zone>,
    /// Zones of the table, then those of the players: each with its declaration and its owner.
    pub zone_instances: Vec<(ZoneId, Option<Seat>)>,
    /// For every player, the zones whose pieces are in play.
    pub play_zones: Vec<Vec<ZoneIx>>,
    /// Zones of the table whose pieces are in play.
    pub shared_play_zones: Vec<ZoneIx>,
    /// Ways from a space to others.
    pub adjacencies: Vec<Adjacency>,
    /// Standing rules: they are checked after every change of what their conditions read.
    pub standing: Vec<Standing>,
    /// Variables.
    pub vars: Vec<Var>,
    /// How many slots all variables need.
    pub var_slots: usize,
    /// How many slots for resources all pieces need.
    pub held_slots: usize,
    /// Derived values.
    pub values: Vec<DerivedValue>,
    /// Named sets.
    pub sets: Vec<NamedSet>,
    /// Events.
    pub events: Vec<EventDef>,
    /// Actions.
    pub actions: Vec<Action>,
    /// Phases.
    pub phases: Vec<Phase>,
    /// The phase that consists of the whole game.
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
    /// For each question, what its text names in braces, as written.
    pub named_in_prompts: Vec<Vec<String>>,
    /// Lines of the score besides those of pieces.
    pub score_lines: Vec<ScoreLine>,
    /// The expressions that decide a tie, in this order; the player with the larger number wins.
    pub tie_breaks: Vec<ExprId>,
    /// How well a player stands in the middle of a game, for bots; the points if there is none. No rule reads it.
    pub evaluate: Option<ExprId>,
    /// How many teams the players form, one after the other round the table; 0 if there are none.
    pub teams: u8,
    /// What happens when a position comes back.
    pub repetition: Option<Repetition>,
    /// Whether the lowest score wins.
    pub least_wins: bool,
    /// What happens when a loop is found.
    pub loops: LoopRules,
    /// Ranks of a result, best last.
    pub ranks: Vec<Rank>,
    /// The names, for scripts, scenarios and reports.
    pub vocabulary: Vocabulary,
    /// Titles and texts.
    pub texts: Translations,
    /// Colours and icons; no rule reads them.
    pub look: Look,
    /// Tables that are computed from the rest; see [`Ruleset::prepare`].
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
    /// Whether it is kept on pieces: all units of a player lie on that player's pieces.
    pub kept: bool,
    /// Who sees how much a player has.
    pub visible: Audience,
    /// How much a player may have, as far as others know.
    pub among: Option<Domain>,
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
    /// Whether its pieces are out of the game: they can only move to another such zone.
    pub out_of_game: bool,
    /// How many pieces fit in.
    pub capacity: Option<u16>,
    /// The zone from which it is filled up.
    pub refill: Option<ZoneId>,
    /// The zone that is shuffled into it when something is drawn and nothing is left.
    pub renews_from: Option<ZoneId>,
    /// The attributes by which its pieces are sorted where they are shown.
    pub sorted_by: Vec<AttrId>,
    /// The extra cost of a piece on each space.
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

/// For each space of a zone, other spaces of it, such as those that share a side or those in front of it.
#[derive(Debug, Clone)]
pub struct Adjacency {
    /// Its id.
    pub name: String,
    /// The zone.
    pub zone: ZoneId,
    /// For each space, the spaces to which it leads.
    pub leads: Vec<Vec<u16>>,
}

/// A standing rule: its effect runs by itself as soon as its condition holds.
#[derive(Debug, Clone)]
pub struct Standing {
    /// Its id.
    pub name: String,
    /// Whether it is checked for every player, not only for the one at turn.
    pub each: bool,
    /// Its condition.
    pub when: ExprId,
    /// Its effect.
    pub effect: ProgId,
}

/// When a variable goes back to its start value.
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
    /// Whether it belongs to the game, to a player or to a piece.
    pub subject: Subject,
    /// The type of its values.
    pub ty: Ty,
    /// The first of its slots.
    pub base: u32,
    /// How many slots.
    pub slots: u32,
    /// When it goes back to its start value.
    pub scope: Scope,
    /// Its start value.
    pub start: Value,
    /// The smallest and the largest value of a number: one that is set beyond them becomes the nearest of them.
    pub range: Option<(i64, i64)>,
    /// Who sees it.
    pub visible: Audience,
    /// What it may be, as far as those know who do not see it.
    pub among: Option<Domain>,
    /// Whether all pieces have a slot, found by their ids. Otherwise only pieces of one kind have, found by their ordinals.
    pub by_piece: bool,
}

/// A derived value.
#[derive(Debug, Clone)]
pub struct DerivedValue {
    /// Its id.
    pub name: String,
    /// Whether it belongs to the game, to a player or to a piece.
    pub subject: Subject,
    /// Its base, before types modify it; `self` is the subject if it is a piece, `me` if it is a player.
    pub base: ExprId,
    /// Whether any type modifies it.
    pub modified: bool,
    /// Who sees it in a view.
    pub visible: Audience,
    /// Where it is defined, for messages.
    pub place: Option<StepPlace>,
}

/// The players who may answer an event with a piece.
#[derive(Debug, Clone)]
pub enum Window {
    /// This one.
    One(ExprId),
    /// Each of a set, in turn order, which begins after the player who caused the event.
    Each {
        /// The set.
        players: Set,
        /// The number of slots that it needs.
        locals: u16,
    },
}

/// An event.
#[derive(Debug, Clone, Default)]
pub struct EventDef {
    /// Its id.
    pub name: String,
    /// The number of its arguments.
    pub args: u16,
    /// Its effect, which a piece may replace.
    pub effect: Option<ProgId>,
    /// The players who may answer it with a piece.
    pub window: Option<Window>,
    /// Whether any type listens, replaces or answers.
    pub heard: bool,
    /// Whether a type in the box replaces it.
    pub replaced: bool,
    /// Whether a type in the box answers it.
    pub answered: bool,
    /// The question of its window.
    pub prompt: Option<PromptId>,
}

/// A line of the score that does not belong to pieces.
#[derive(Debug, Clone)]
pub struct ScoreLine {
    /// Its id.
    pub name: String,
    /// The points that `me` gets.
    pub points: ExprId,
}

/// A rank of a result.
#[derive(Debug, Clone)]
pub struct Rank {
    /// Its id.
    pub name: String,
    /// The smallest number of points for it.
    pub from: i64,
}

/// A function of a script.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Hook {
    /// The pack whose script it is.
    pub pack: String,
    /// `file.function`.
    pub name: String,
    /// The definition that uses it, for messages: a card or an action, and the key.
    pub bound_at: String,
    /// Whether it only answers an expression, and can change nothing.
    pub query: bool,
}

/// Definitions by their ids. Linking gives ids only to definitions in these tables, and loading a save checks its ids
/// (`persist/validate.rs`), so every id is found.
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

    /// The declaration of a zone of the running game, and its owner.
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

    /// The owner of a zone.
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
        // All pieces of a kind can hold the same resources.
        let (held, kind) = self.facts.held(piece);
        self.facts.kind_slot(kind, res).map(|slot| held + slot)
    }

    /// Whether `kind` is `of`, or a narrower kind that belongs to it.
    pub fn is_kind(&self, kind: KindId, of: KindId) -> bool {
        kind == of || self.kinds[kind.index()].lineage.contains(&of)
    }

    /// The widest kind of a piece: the only kind that viewers may know of a hidden piece.
    pub fn widest_kind(&self, piece: PieceId) -> KindId {
        self.widest(self.kind_of(piece))
    }

    /// The widest kind that a kind is a kind of.
    pub fn widest(&self, kind: KindId) -> KindId {
        let declared = &self.kinds[kind.index()];
        declared.widest.or(declared.lineage.last().copied()).unwrap_or(kind)
    }

    /// The symbol on the back of a piece, which all players see.
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

    /// The type whose name people use for a piece. A printing that people do not tell from its type has the name of that type.
    pub fn called(&self, piece: PieceId) -> TypeId {
        self.facts.called(piece)
    }

    /// Whether the owner of a piece keeps this resource on it.
    #[inline]
    pub(crate) fn is_kept_on(&self, piece: PieceId, res: ResId) -> bool {
        self.may_keep(piece, res) && (crate::rules::facts::has_own_bit(res) || self.keeps_of(piece, res).is_some())
    }

    /// The resources that the owner of a piece keeps on it, if this one is among them.
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

    /// The symbol of a mark on a space.
    pub fn mark(&self, zone: ZoneIx, at: u16, mark: MarkId) -> Option<SymId> {
        let marks = self.zone_of(zone).marks.iter().find(|(id, _)| *id == mark)?;
        marks.1.get(at as usize).copied().flatten()
    }

    /// The spaces to which an adjacency leads from a space.
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

    /// The players of a player's team, in the order of the seats: all if there are no teams.
    pub fn team_of(&self, seat: Seat) -> impl Iterator<Item = Seat> + use<> {
        let teams = self.teams.max(1);
        self.seats().filter(move |other| other.0 % teams == seat.0 % teams)
    }

    /// All players, beginning with one, in one direction round the table.
    pub(crate) fn round_from(&self, from: Seat, clockwise: bool) -> impl Iterator<Item = Seat> + use<> {
        let players = self.players;
        let by = move |step: u8| if clockwise { step } else { players - step };
        (0..players).map(move |step| Seat((from.0 + by(step)) % players))
    }

    /// A symbol's id in words.
    pub fn symbol(&self, symbol: SymId) -> &str {
        &self.symbols[symbol.index()]
    }
}
