//! All that a game needs to know: immutable, filled in by linking, names already turned into ids.

use std::fmt;
use std::sync::Arc;

use rulepack_expr::{AttrId, AttrTy, Cost, Expr, Op, Program, Set, Subject, Ty, Vocabulary};
use rulepack_model::{
    ActionId, AdjacencyId, CostId, EventId, ExprId, GroupId, HookId, KindId, MarkId, PhaseId, PieceId, ProgId,
    PromptId, ResId, Seat, SymId, TypeId, ValueId, VarId, ZoneId,
};

use crate::eval::bundle::ResourceSel;
use crate::eval::expressions::{Eval, Locals};
use crate::flow::loops::LoopRules;
use crate::lower::{self, AnyValue, Lowered, Number, Price, Source, Step, Truth, Walk};
use crate::rules::facts::Facts;
pub use crate::rules::layout::{Grid, Layout, Row, Slide};
use crate::rules::limits::Limits;
use crate::rules::meaning::Meaning;
use crate::rules::shortcuts::{Shortcut, Shortcuts};
use crate::rules::translations::Translations;
use crate::state::value::{Value, ZoneIx};

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
    /// Whether it differs from that type only between copies of one box, so that people call both by one name.
    pub same_name: bool,
    /// What its owner keeps on it.
    pub keeps: Option<Keeps>,
    /// Attributes, by id.
    pub attrs: Vec<Option<AttrValue>>,
    /// Points at the end.
    pub score: Option<ExprId>,
    /// What it listens to.
    pub listens: Vec<Listener>,
    /// What it replaces.
    pub replaces: Vec<Listener>,
    /// What it answers from the hand.
    pub reacts: Vec<Listener>,
    /// What it changes.
    pub modifies: Vec<Modifier>,
}

/// What the owner of a piece keeps on it, and how much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Keeps {
    /// Which resources.
    pub what: ResourceSel,
    /// How many of them together; `self` is the piece.
    pub room: ExprId,
}

/// What an attribute holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum AttrValue {
    Plain(Value),
    Cost(CostId),
    Effect(ProgId),
    Expr(ExprId),
}

/// Whose doings a piece listens to.
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
    /// Whose doings count.
    pub whose: Whose,
    /// Tested before anything runs.
    pub when: Option<ExprId>,
    /// What happens.
    pub effect: ProgId,
}

/// A change to a derived value while the piece is in play.
#[derive(Debug, Clone)]
pub struct Modifier {
    /// The value.
    pub value: ValueId,
    /// Of which pieces; `None`: of the owner.
    pub of: Option<Concerned>,
    /// By how much.
    pub by: ExprId,
    /// Only while this holds.
    pub when: Option<ExprId>,
}

/// The pieces that a modifier is about.
#[derive(Debug, Clone)]
pub struct Concerned {
    /// Which.
    pub set: Set,
    /// How many slots.
    pub locals: u16,
    walk: Lowered<Walk>,
}

impl Concerned {
    /// Pieces that are ready to be looked for.
    pub fn new(set: Set, locals: u16) -> Self {
        Concerned { set, locals, walk: Lowered::default() }
    }

    pub(crate) fn walk(&self, rules: &Ruleset) -> &Walk {
        self.walk.get(|| Walk::new(rules, &self.set))
    }
}

/// One copy in the box.
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
    /// The player to whom it was given at the start, for pieces that everybody has.
    pub owner: Option<Seat>,
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

/// An action.
#[derive(Debug, Clone, Default)]
pub struct Action {
    /// Its id.
    pub name: String,
    /// What must hold; tested before parameters if it names none.
    pub requires: Option<Expr>,
    /// How many parameters must be known before `requires` can be tested.
    pub requires_after: u16,
    /// What is chosen, one after the other.
    pub params: Vec<Param>,
    /// What is paid, and where it goes.
    pub costs: Vec<(Cost, Option<Expr>)>,
    /// How many parameters must be known before it is known what is to be paid.
    pub costs_after: u16,
    /// What happens.
    pub effect: Option<ProgId>,
    /// How often: a variable of the player that counts, and the most it may reach.
    pub limit: Option<(VarId, i64)>,
    /// Whether it may be done between the steps of something else.
    pub free: bool,
    /// Whether all players see the pieces that were chosen for it, until it is over.
    pub disclose: bool,
    /// How many slots its texts need.
    pub locals: u16,
    /// How likely bots are to choose it, in parts of 100.
    pub weight: u32,
    /// Where it is defined, for messages.
    pub place: Option<StepPlace>,
    /// Its texts as functions.
    pub(crate) code: Lowered<ActionCode>,
}

impl Action {
    /// An action of a name, with nothing else.
    pub fn new(name: &str) -> Action {
        Action { name: name.to_string(), weight: 100, locals: rulepack_expr::FIRST_PARAM, ..Action::default() }
    }

    /// Its texts as functions.
    #[inline]
    pub(crate) fn code(&self, rules: &Ruleset) -> &ActionCode {
        self.code.get(|| ActionCode::new(rules, self))
    }
}

/// The texts of an action as functions.
pub(crate) struct ActionCode {
    pub(crate) requires: Option<Truth>,
    /// What can be chosen for each parameter.
    pub(crate) params: Vec<Walk>,
    pub(crate) costs: Vec<(Price, Option<Source>)>,
    /// Whether it can be completed as soon as its first parameter is known, whatever it is, if it can be begun.
    pub(crate) certain: bool,
    /// Whether nothing is asked before its first parameter.
    pub(crate) begins_always: bool,
    /// Whether listing it costs next to nothing.
    pub(crate) is_cheap: bool,
    /// Whether what it costs is known with its first parameter, and not before.
    pub(crate) is_priced: bool,
    /// Whether it needs nothing more than its effect when it is chosen with its first parameter.
    pub(crate) is_plain: bool,
}

impl ActionCode {
    fn new(rules: &Ruleset, action: &Action) -> ActionCode {
        let to = |to: &Option<Expr>| to.as_ref().map(|to| Source::whole(rules, to));
        let certain = action.params.len() <= 1
            && (action.requires.is_none() || action.requires_after == 0)
            && (action.costs.is_empty() || action.costs_after == 0)
            && action.effect.is_none_or(|effect| rules.programs[effect.index()].is_certain(rules, 0));
        let params: Vec<Walk> = action.params.iter().map(|param| Walk::new(rules, &param.set)).collect();
        ActionCode {
            begins_always: action.requires.is_none() && action.costs.is_empty() && action.limit.is_none(),
            is_cheap: certain
                && action.requires.is_none()
                && action.costs.is_empty()
                && params.iter().all(Walk::is_cheap),
            is_priced: matches!(action.costs.as_slice(), [(_, None)])
                && !action.params.is_empty()
                && action.costs_after == 1
                && action.requires_after <= 1,
            requires: action.requires.as_ref().map(|requires| lower::checked::truth(rules, requires)),
            params,
            costs: action.costs.iter().map(|(cost, place)| (Price::new(rules, cost), to(place))).collect(),
            is_plain: action.params.len() <= 1
                && action.costs.is_empty()
                && action.limit.is_none()
                && action.effect.is_some()
                && !action.free,
            certain,
        }
    }
}

/// A parameter of an action.
#[derive(Debug, Clone)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// What can be chosen.
    pub set: Set,
    /// The question.
    pub prompt: Option<PromptId>,
}

/// A phase: a node of the flow.
#[derive(Debug, Clone, Default)]
pub struct Phase {
    /// Its id.
    pub name: String,
    /// What happens on entering, each time.
    pub effect: Option<ProgId>,
    /// Only if this holds on entering.
    pub when: Option<ExprId>,
    /// Whether free actions are possible at every question of the player at turn.
    pub free: bool,
    /// What it consists of.
    pub body: PhaseBody,
}

/// What a phase consists of.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs)]
pub enum PhaseBody {
    /// Nothing but its effect.
    #[default]
    Leaf,
    /// Phases, one after the other, over and over.
    Sequence { phases: Vec<PhaseId>, times: Option<ExprId>, until: Option<ExprId>, counter: Option<VarId> },
    /// Players take turns.
    Turns { turn: PhaseId, order: Order, first: Option<ExprId>, until: Until },
    /// The active player does what is offered until it ends.
    Menu { actions: Vec<ActionId>, once: bool, prompt: Option<PromptId> },
}

/// Who is next.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub enum Order {
    #[default]
    Clockwise,
    CounterClockwise,
    /// In the order in which the players passed the last time.
    PassOrder,
    /// A script says who.
    Script(HookId),
}

/// When turns are over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub enum Until {
    /// When everybody has passed.
    #[default]
    AllPassed,
    /// When everybody has had one turn.
    EachOnce,
    /// When a condition holds after a turn.
    Holds(ExprId),
    /// Never: something else ends the game.
    Never,
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

/// Where a step of an effect, or a definition, stands in its file.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub struct StepPlace {
    pub path: Arc<str>,
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for StepPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.path, self.line, self.column)
    }
}

/// An effect, with where it stands.
#[derive(Debug, Clone)]
pub struct CompiledProgram {
    /// The operations.
    pub program: Program,
    /// For messages, such as `card.inn on_play`.
    pub origin: String,
    /// Where the step of each operation stands, for messages; no part of the rules.
    pub places: Arc<[StepPlace]>,
    /// From which operations on it can always be carried out.
    certain: Vec<bool>,
    /// Whether there is a choice of several that must be made more than once, perhaps.
    pub(crate) has_several: bool,
    /// The same as functions.
    steps: Lowered<Vec<Step>>,
}

impl CompiledProgram {
    /// An effect that is ready to be run.
    pub fn new(program: Program, origin: String) -> Self {
        let certain = certain(&program.ops);
        let is_several = |op: &Op| matches!(op, Op::ChooseMore { if_any: false, .. });
        let has_several = program.ops.iter().any(is_several);
        CompiledProgram { program, origin, places: Arc::default(), certain, has_several, steps: Lowered::default() }
    }

    /// Where the step of an operation stands: `path:line:column`.
    #[cold]
    pub(crate) fn place(&self, pc: u32) -> Option<String> {
        self.places.get(pc as usize).map(StepPlace::to_string)
    }

    /// Its operations as functions.
    #[inline]
    pub(crate) fn steps(&self, rules: &Ruleset) -> &[Step] {
        self.steps.get(|| lower::steps(rules, &self.program))
    }

    /// Whether what comes from an operation on can always be carried out; see [`crate::Eval::can_run`].
    pub(crate) fn is_certain(&self, rules: &Ruleset, from: usize) -> bool {
        let shortcuts = rules.shortcuts;
        shortcuts.takes(Shortcut::CertainEffects)
            && (self.certain.get(from).copied().unwrap_or(true) || shortcuts.spoils(Shortcut::CertainEffects))
    }
}

/// From which operations on nothing could be impossible, whatever way is taken up to the first operation that changes the
/// table: from all but those that lead to one that may be impossible. Each operation is looked at once, since patches can
/// make an effect long.
fn certain(ops: &[Op]) -> Vec<bool> {
    // The operations from which each operation is reached.
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); ops.len()];
    let mut doubtful = Vec::new();
    for (pc, op) in ops.iter().enumerate() {
        let (one, other) = match op {
            Op::Jump(to) => (Some(*to as usize), None),
            Op::JumpUnless(_, to) => (Some(pc + 1), Some(*to as usize)),
            Op::May { no, .. } => (Some(*no as usize), None),
            Op::Let(..) | Op::Put { .. } | Op::Gain { .. } | Op::List(_) | Op::Disclose { .. } => (Some(pc + 1), None),
            Op::Pay { .. }
            | Op::Store { .. }
            | Op::Exchange { .. }
            | Op::Use { .. }
            | Op::Choose { .. }
            | Op::ChooseMore { .. }
            | Op::Either(_) => {
                doubtful.push(pc);
                (None, None)
            }
            // Whatever comes after these meets another table.
            Op::Roll(..)
            | Op::TakeFromPiece { .. }
            | Op::TakeFromSeat { .. }
            | Op::GiveBack { .. }
            | Op::Lay { .. }
            | Op::Move { .. }
            | Op::Draw { .. }
            | Op::Shuffle(_)
            | Op::Refill(_)
            | Op::Flip(_)
            | Op::Pick { .. }
            | Op::Collect { .. }
            | Op::Next { .. }
            | Op::SetVar { .. }
            | Op::Raise { .. }
            | Op::Perform { .. }
            | Op::Script { .. }
            | Op::EndTurn
            | Op::EndPhase
            | Op::EndGame { .. }
            | Op::Pass
            | Op::Pause
            | Op::Cancel
            | Op::Rejoin(_)
            | Op::Look { .. }
            | Op::Seen { .. } => (None, None),
        };
        for next in one.into_iter().chain(other) {
            if let Some(before) = before.get_mut(next) {
                before.push(pc);
            }
        }
    }
    let mut certain = vec![true; ops.len()];
    while let Some(pc) = doubtful.pop() {
        if std::mem::replace(&mut certain[pc], false) {
            doubtful.extend(&before[pc]);
        }
    }
    certain
}

/// A cost, with how many slots it needs.
#[derive(Debug, Clone)]
pub struct CompiledCost {
    /// The cost.
    pub cost: Cost,
    /// How many slots.
    pub locals: u16,
    price: Lowered<Price>,
}

impl CompiledCost {
    /// A cost that is ready to be worked out.
    pub fn new(cost: Cost, locals: u16) -> Self {
        CompiledCost { cost, locals, price: Lowered::default() }
    }

    #[inline]
    pub(crate) fn price(&self, rules: &Ruleset) -> &Price {
        self.price.get(|| Price::new(rules, &self.cost))
    }
}

/// An expression, with how many slots it needs.
#[derive(Debug, Clone)]
pub struct CompiledExpr {
    /// The expression.
    pub expr: Expr,
    /// How many slots.
    pub locals: u16,
    /// Where it stands.
    pub place: Option<StepPlace>,
    code: Lowered<AnyValue>,
    number: Lowered<Number>,
    truth: Lowered<Truth>,
}

impl CompiledExpr {
    /// An expression that is ready to be evaluated.
    pub fn new(expr: Expr, locals: u16) -> Self {
        let (code, number, truth) = (Lowered::default(), Lowered::default(), Lowered::default());
        CompiledExpr { expr, locals, place: None, code, number, truth }
    }

    pub(crate) fn value(&self, eval: &Eval<'_>, locals: &mut Locals) -> Value {
        self.code.get(|| lower::checked::value(eval.rules, &self.expr))(eval, locals)
    }

    pub(crate) fn truth(&self, eval: &Eval<'_>, locals: &mut Locals) -> bool {
        self.truth.get(|| lower::checked::truth(eval.rules, &self.expr))(eval, locals)
    }

    pub(crate) fn number(&self, eval: &Eval<'_>, locals: &mut Locals) -> i64 {
        self.number.get(|| lower::checked::number(eval.rules, &self.expr))(eval, locals)
    }
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
