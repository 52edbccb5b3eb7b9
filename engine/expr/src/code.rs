//! Compiled texts, which the kernel runs: names are dense ids, and values are in numbered slots.
//!
//! The file is long because all shapes of expressions, sets, costs and operations stand together: what the kernel must know.

use rulepack_model::{
    ActionId, AdjacencyId, EventId, GroupId, HookId, KindId, Local, MarkId, PromptId, ResId, SetId, SymId, TypeId,
    ValueId, VarId, ZoneId,
};
use serde::{Deserialize, Serialize};

use crate::ast::BinaryOp;

/// An attribute; one name means the same attribute on every kind that has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct AttrId(pub u16);

/// The slot that holds the player whom an expression is about.
pub const ME: Local = Local(0);
/// The slot that holds the piece to which a text belongs.
pub const SELF: Local = Local(1);
/// The first slot of parameters.
pub const FIRST_PARAM: u16 = 2;

/// The largest amount of a resource that can be paid, gained or left out at once; more is a mistake of the pack.
pub const MOST_UNITS: i64 = 1_000_000;

/// A checked expression.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Expr {
    Int(i64),
    Bool(bool),
    Res(ResId),
    Sym(SymId),
    Type(TypeId),
    Local(Local),
    /// The amount of a resource that a holder has.
    Amount(Holder, What),
    /// An attribute of a piece or type.
    Attr(Box<Expr>, AttrId),
    /// An attribute of a resource.
    ResAttr(Box<Expr>, AttrId),
    /// A property of every piece or cell.
    Property(Property, Box<Expr>),
    /// A mark of a cell.
    Mark(MarkId, Box<Expr>),
    /// The room of a holder for more of a resource.
    Room(Holder, What),
    Value(ValueId, Box<Expr>),
    Var(VarId, Option<Box<Expr>>),
    Negative(Box<Expr>),
    Not(Box<Expr>),
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    IsType(Box<Expr>, TypeId),
    IsKind(Box<Expr>, KindId),
    Contains(Box<Set>, Box<Expr>),
    Any(Box<Set>),
    Count(Box<Set>),
    Sum(Box<Set>, Local, Box<Expr>),
    Largest(Box<Set>, Local, Box<Expr>),
    Smallest(Box<Set>, Local, Box<Expr>),
    First(Box<Set>),
    Last(Box<Set>),
    /// The piece that is drawn next: in a zone with spaces, from the first space that is not empty.
    Top(ZoneRef),
    Min(Box<Expr>, Box<Expr>),
    Max(Box<Expr>, Box<Expr>),
    NextSeat(Box<Expr>),
    PreviousSeat(Box<Expr>),
    /// The direction that leads back.
    Opposite(Box<Expr>),
    /// The player at turn.
    AtTurn,
    Passed(Box<Expr>),
    /// Whether a player is out.
    Out(Box<Expr>),
    /// The next player of the same team.
    Partner(Box<Expr>),
    /// Whether an effect of a piece can be carried out now.
    Can(Box<Expr>, AttrId),
    /// Whether a cost can be paid by `me`.
    CanPay(Box<Cost>),
    /// The number of units in a cost.
    Units(Box<Cost>),
    /// A script that returns a value without changing the game or asking a player.
    Query(HookId, Vec<Expr>),
}

impl Expr {
    /// The value, if it is a number that is known without a state.
    pub fn constant(&self) -> Option<i64> {
        match self {
            Expr::Int(n) => Some(*n),
            Expr::Negative(inner) => inner.constant()?.checked_neg(),
            Expr::Binary(op, left, right) => op.of_constants(left.constant()?, right.constant()?),
            Expr::Min(left, right) => Some(left.constant()?.min(right.constant()?)),
            Expr::Max(left, right) => Some(left.constant()?.max(right.constant()?)),
            Expr::If(cond, yes, no) => match **cond {
                Expr::Bool(true) => yes.constant(),
                Expr::Bool(false) => no.constant(),
                _ => None,
            },
            _ => None,
        }
    }
}

impl BinaryOp {
    /// The result of a sum, a difference or a product, if it is not too large.
    pub(crate) fn of_constants(self, left: i64, right: i64) -> Option<i64> {
        match self {
            BinaryOp::Add => left.checked_add(right),
            BinaryOp::Sub => left.checked_sub(right),
            BinaryOp::Mul => left.checked_mul(right),
            _ => None,
        }
    }
}

/// Properties of every piece or cell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Property {
    PieceRow,
    PieceColumn,
    PieceCell,
    PieceOwner,
    PieceType,
    PieceHost,
    PieceFaceUp,
    PieceFlipped,
    CellRow,
    CellColumn,
    CellEmpty,
}

/// The holder of resources.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Holder {
    Seat(Box<Expr>),
    Piece(Box<Expr>),
    Supply,
}

/// Which resource.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum What {
    Res(ResId),
    Group(GroupId),
    Of(Box<Expr>),
}

/// A zone of the table or of one player.
#[derive(Debug, Clone, PartialEq)]
pub struct ZoneRef {
    /// The declared zone.
    pub zone: ZoneId,
    /// The owner, if each player has one.
    pub owner: Option<Box<Expr>>,
}

/// A set is never built: it is walked.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Set {
    Zone(ZoneRef),
    /// Pieces in play, of one kind or all, of one player or all.
    InPlay {
        kind: Option<KindId>,
        owner: Option<Box<Expr>>,
    },
    Cells(ZoneRef),
    FreeCells(ZoneRef),
    Neighbours(Box<Expr>),
    /// The cells from the next one on in a direction.
    Line(Box<Expr>, Box<Expr>),
    /// The cells of the whole line in a direction, the given one included.
    Through(Box<Expr>, Box<Expr>),
    /// The cells of the second set, or of its pieces, to which neighbours lead from the first without leaving the
    /// second.
    Connected(Box<Set>, Box<Set>),
    /// The directions that the layouts of the pack know.
    Directions(Directions),
    /// The directions in which lines go from a cell.
    DirectionsFrom(Box<Expr>),
    At(Box<Expr>),
    /// The pieces on every one of some cells.
    On(Box<Set>),
    /// The cells to which an adjacency leads from a cell.
    Adjacent(AdjacencyId, Box<Expr>),
    /// The cells to which an adjacency leads from each of some cells, or from the cells of some pieces.
    AdjacentToAll(AdjacencyId, Box<Set>),
    Attached(Box<Expr>),
    /// One thing, if it is there.
    One(Box<Expr>),
    /// A set that the pack gives a name, for a player, with its arguments.
    Named(SetId, Box<Expr>, Vec<Expr>),
    /// The members that a set had when an effect gave it a name; see [`Op::Keep`].
    Kept(Local),
    Resources(GroupId),
    /// The types of a kind, without their printings.
    Types(KindId),
    Symbols(SymbolsOf),
    /// The whole numbers from one to another.
    Numbers(Box<Expr>, Box<Expr>),
    /// Things that the text names one by one.
    Listed(Vec<Expr>),
    Combined(Combination, Box<Set>, Box<Set>),
    /// For each member of one set, which is in a slot then, the members of another: the hands of all players.
    OfEach {
        of: Box<Set>,
        it: Local,
        part: Box<Set>,
    },
    Seats,
    Others(Box<Expr>),
    /// The players of a player's team.
    Team(Box<Expr>),
    /// All players, beginning with one, in one direction round the table.
    Round {
        from: Box<Expr>,
        clockwise: bool,
    },
    /// Built by [`Set::filter`].
    Filter {
        base: Box<Set>,
        it: Local,
        cond: Box<Expr>,
    },
    /// The members before the first for which a condition does not hold.
    While {
        base: Box<Set>,
        it: Local,
        cond: Box<Expr>,
    },
    /// The members before the first for which a condition holds; none if it holds for none.
    Until {
        base: Box<Set>,
        it: Local,
        cond: Box<Expr>,
    },
}

/// Which directions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Directions {
    All,
    Straight,
    Diagonal,
}

/// How two sets become one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Combination {
    /// The members of both, each once.
    Union,
    /// The members of the first that are members of the second too.
    Intersection,
    /// The members of the first that are no members of the second.
    Difference,
}

impl Combination {
    /// Its function in a text.
    pub fn name(self) -> &'static str {
        match self {
            Combination::Union => "union",
            Combination::Intersection => "intersection",
            Combination::Difference => "difference",
        }
    }
}

/// Which symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SymbolsOf {
    /// Those that an attribute of some type is.
    Attr(AttrId),
    /// Those with which some space is marked.
    Mark(MarkId),
}

impl Set {
    /// The members of a set for which a condition holds.
    pub fn filter(base: Set, it: Local, cond: Expr) -> Set {
        match base {
            // Two `where` in a row are one with both conditions.
            Set::Filter { base, it: before, cond: first } if before == it => {
                Set::Filter { base, it, cond: Box::new(Expr::Binary(BinaryOp::And, first, Box::new(cond))) }
            }
            base => Set::Filter { base: Box::new(base), it, cond: Box::new(cond) },
        }
    }
}

/// Resources to be paid or gained.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Cost {
    /// The terms, which are added up.
    pub terms: Vec<Term>,
    /// The number of units that the payer may leave out.
    pub less: Option<Box<Expr>>,
}

impl Cost {
    /// Adds another cost: its terms, and the units that may be left out.
    pub fn add(&mut self, other: Cost) {
        let Cost { terms, less } = other;
        self.terms.extend(terms);
        self.less = match (self.less.take(), less) {
            (Some(one), Some(other)) => Some(Box::new(Expr::Binary(BinaryOp::Add, one, other))),
            (one, other) => one.or(other),
        };
    }
}

/// A part of a cost.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Term {
    Counted(Expr, What),
    Attr(Expr, AttrId),
    Surcharge(Expr),
}

/// A compiled effect.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Program {
    /// Run from the first; an effect is over at the end of the list.
    pub ops: Vec<Op>,
    /// The number of slots that a frame needs.
    pub locals: u16,
    /// What the texts of questions name, by the index of the operation that asks, in ascending order.
    pub named: Vec<(u32, Vec<Expr>)>,
}

impl Program {
    /// What the text of the question names that an operation asks.
    pub fn named_at(&self, op: u32) -> &[Expr] {
        let found = self.named.binary_search_by_key(&op, |(at, _)| *at).ok();
        found.and_then(|index| self.named.get(index)).map_or(&[], |(_, named)| named)
    }
}

/// The destination of a move.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Dest {
    Zone(ZoneRef),
    Cell(Expr),
}

/// What is disclosed to all players.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Disclosed {
    One(Expr),
    Many(Set),
}

/// Who has won when an effect ends the game.
#[derive(Debug, Clone, PartialEq)]
pub enum Winners {
    /// Who has the best score.
    ByPoints,
    /// These players, whatever the points say.
    Are(Set),
    /// All of them: it is a draw.
    Everybody,
}

/// One operation of an effect.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)]
pub enum Op {
    Jump(u32),
    JumpUnless(Expr, u32),
    Let(Local, Expr),
    /// Gives a name to the members that a set has now: `let foes = …`.
    Keep(Local, Set),
    /// Like `Let`, for the block of `as PLAYER { … }`.
    Roll {
        into: Local,
        sides: Expr,
        /// Whether only `me` is told the result.
        secret: bool,
    },
    Gain {
        cost: Cost,
        whom: Expr,
    },
    Pay {
        cost: Cost,
        to: Option<Expr>,
    },
    /// Both sides must be possible; the payment is made here, the operations up to `end` follow.
    Exchange {
        cost: Cost,
        end: u32,
    },
    Put {
        cost: Cost,
        on: Expr,
    },
    Store {
        cost: Cost,
        on: Expr,
    },
    TakeFromPiece {
        cost: Cost,
        from: Expr,
    },
    TakeFromSeat {
        cost: Cost,
        from: Expr,
    },
    GiveBack {
        cost: Cost,
        from: Expr,
    },
    Lay {
        piece: Expr,
        on: Expr,
    },
    Move {
        piece: Expr,
        to: Dest,
        bottom: bool,
        facing: Option<bool>,
    },
    Draw {
        count: Expr,
        from: ZoneRef,
        to: Dest,
    },
    Shuffle(ZoneRef),
    Refill(ZoneRef),
    Flip(Expr),
    /// All members of a set, one after the other, before anything else happens.
    MoveAll {
        set: Set,
        to: Dest,
        bottom: bool,
        facing: Option<bool>,
    },
    /// The same for turning over.
    FlipAll(Set),
    /// Two pieces change places.
    Swap(Expr, Expr),
    Choose {
        into: Local,
        set: Set,
        by: Expr,
        prompt: Option<PromptId>,
        /// Whether only the player who chooses is told what.
        secret: bool,
    },
    /// One more choice of several: jumps to `end` at the largest number, or when the player is done.
    ChooseMore {
        into: Local,
        set: Set,
        by: Expr,
        prompt: Option<PromptId>,
        /// Whether fewer are accepted if there are fewer.
        if_any: bool,
        /// Whether free actions are offered as well.
        free: bool,
        taken: Local,
        least: Local,
        most: Local,
        /// The list of those already chosen, if none may be chosen twice.
        different: Option<Local>,
        /// Whether the list stays after the choice, because what was chosen is used later: in a `together`.
        keeps: bool,
        end: u32,
    },
    /// An empty list.
    List(Local),
    /// One member of a set, by chance.
    Pick {
        into: Local,
        set: Set,
        /// Whether only `me` is told which.
        secret: bool,
    },
    /// Yes or no; jumps on no, or if the steps that follow are impossible.
    May {
        prompt: Option<PromptId>,
        no: u32,
    },
    /// One of several branches.
    Either(Vec<(PromptId, u32)>),
    /// Makes a list of a set, so that it can be walked while the state changes.
    Collect {
        list: Local,
        set: Set,
    },
    /// Takes the next member of the list, or jumps at its end.
    Next {
        list: Local,
        into: Local,
        end: u32,
    },
    SetVar {
        var: VarId,
        owner: Option<Expr>,
        value: Expr,
    },
    Raise {
        event: EventId,
        args: Vec<Expr>,
    },
    Perform {
        action: ActionId,
        args: Vec<Expr>,
        free: bool,
    },
    Use {
        piece: Expr,
        attr: AttrId,
    },
    Script {
        hook: HookId,
        args: Vec<Expr>,
    },
    EndTurn,
    EndPhase,
    EndGame {
        winners: Winners,
    },
    Pass,
    Pause,
    /// Cancels the present event.
    Cancel,
    /// Takes part again after passing.
    Rejoin(Expr),
    /// Players are out: of the game, or until the next round begins.
    Eliminate {
        players: Set,
        round: bool,
    },
    /// A player sees these pieces until the effect is over, or until each moves.
    Look {
        set: Set,
        by: Expr,
        lasting: bool,
    },
    /// Some players, or all, are told which pieces these are, and see them as long.
    Show {
        set: Set,
        to: Option<Set>,
        lasting: bool,
    },
    /// All players learn this.
    Disclose {
        what: Disclosed,
        prompt: Option<PromptId>,
    },
    /// Waits until the player has seen enough.
    Seen {
        by: Expr,
        prompt: PromptId,
    },
    /// The next player who chooses in a `together`, with empty slots; jumps to `end` when all have chosen.
    AskNext {
        slots: TogetherSlots,
        end: u32,
    },
    /// Keeps what a player has chosen, and jumps to `next`, where the next one is asked. What is done with the choices of
    /// the player begins at `then`.
    KeepChoices {
        slots: TogetherSlots,
        lists: Vec<Local>,
        next: u32,
        then: u32,
    },
    /// All have chosen: everybody is told what.
    Reveal {
        slots: TogetherSlots,
        lists: Vec<Local>,
        told: Vec<Told>,
    },
    /// The next player, with what this player has chosen; jumps to `end` after the last.
    DoNext {
        slots: TogetherSlots,
        lists: Vec<Local>,
        end: u32,
    },
    /// What follows, up to there, is only followed to find out whether it can be done. It is done later.
    OnlyTried(u32),
}

/// The slots of a `together`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TogetherSlots {
    /// The list of the players.
    pub players: Local,
    /// The list of what they have chosen.
    pub kept: Local,
    /// The player who chooses, or whose choices are carried out.
    pub player: Local,
    /// The first slot in which a choice is kept.
    pub first: Local,
    /// The slot after the last one.
    pub end: Local,
}

/// What everybody is told of a choice in a `together` once all have chosen: the slot that holds it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Told {
    /// The thing that was chosen.
    Value(Local),
    /// Several things, in a list.
    List(Local),
    /// Yes or no.
    May(Local),
    /// The number of a way.
    Way(Local, Vec<PromptId>),
}
