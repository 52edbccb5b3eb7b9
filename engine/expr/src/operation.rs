//! Facts about each operation of an effect, for code that examines effects without running them: what it moves, gives
//! and costs, which slots it fills, and where it may go on.
//!
//! The facts of every operation are stated here, once. Checks for slips, for reachability and for the origin of pieces
//! call [`Op::facts`] and do not match on operations themselves, so that a new operation cannot be forgotten.

use rulepack_model::{ActionId, Local, PromptId};

use crate::code::{AttrId, Cost, Dest, Disclosed, Expr, Op, Set, ZoneRef};

/// The facts of an operation. [`OpFacts::default`] means that it does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct OpFacts<'o> {
    /// Where it may go on, besides the operation after it.
    pub jump: Option<u32>,
    /// Where its branches begin.
    pub branches: &'o [(PromptId, u32)],
    /// The slot that it fills, and the source of the value.
    pub fills: Option<(Local, Filling<'o>)>,
    /// The pieces that it moves.
    pub moves: Option<Moves<'o>>,
    /// Whether it turns a piece over.
    pub flips: bool,
    /// Resources that players or pieces get from the supply, or players from others.
    pub gives: Option<&'o Cost>,
    /// Those of them that must be in the supply.
    pub supplied: Option<&'o Cost>,
    /// The cost that `me` must be able to pay.
    pub costs: Option<&'o Cost>,
    /// The action that it does, with its arguments.
    pub performs: Option<(ActionId, &'o [Expr])>,
    /// Whether free actions are offered while it asks.
    pub offers_free: bool,
    /// Whether it sets a variable, which raises no event.
    pub sets: bool,
    /// What it discloses to all players.
    pub discloses: Option<&'o Disclosed>,
    /// Whether it ends the turn or phase once the effect is over.
    pub ends: bool,
    /// Whether it makes a player pass.
    pub passes: bool,
    /// Whether it can be impossible.
    pub doubt: Doubt,
}

/// The source of the value in a slot.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)]
pub enum Filling<'o> {
    Value(&'o Expr),
    /// One member of a set.
    Member(&'o Set),
    /// A list of all members.
    List(&'o Set),
    /// An empty list.
    EmptyList,
    /// The next member of the list in a slot.
    NextOf(Local),
    /// A number that nobody knows in advance.
    Chance,
}

/// How it moves pieces.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)]
pub enum Moves<'o> {
    One {
        piece: &'o Expr,
        to: &'o Dest,
        facing: Option<bool>,
    },
    Many {
        set: &'o Set,
        to: &'o Dest,
        facing: Option<bool>,
    },
    /// Two pieces change places.
    Swapped {
        one: &'o Expr,
        other: &'o Expr,
    },
    Onto {
        piece: &'o Expr,
        on: &'o Expr,
    },
    Drawn {
        from: &'o ZoneRef,
        to: &'o Dest,
    },
    /// A row is filled from the zone that it declares.
    Refilled(&'o ZoneRef),
}

/// Whether an operation can be impossible, such as a payment by a player who has nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Doubt {
    /// It can always be done.
    #[default]
    Certain,
    /// If it cannot be done, neither can the effect.
    Must,
    /// It depends on the steps inside: `either`, an exchange that may be skipped, the effect of a piece.
    Depends,
}

/// What an effect comes to at an operation when it is followed without being carried out, to find out whether it can be
/// begun. It is followed up to the first operation that changes the table.
///
/// Example: in `let n = 2  pay n coin  end turn`, the first operation gives a name, and at the payment it is decided
/// whether the effect can be begun.
#[derive(Debug, Clone, Copy)]
pub enum Ahead<'o> {
    /// Nothing that can be impossible: the next operation follows.
    Next,
    /// The next operation follows, with a value in a slot.
    Let(Local, &'o Expr),
    /// The next operation follows, with the members of a set behind the slots.
    Keep(Local, &'o Set),
    /// The operation at this place follows.
    Jump(u32),
    /// The operation at this place follows, unless a condition holds: then the next one.
    JumpUnless(&'o Expr, u32),
    /// A payment, and then another table.
    Pay(&'o Cost),
    /// A payment for what the operations up to `end` give.
    Exchange {
        /// What is paid.
        cost: &'o Cost,
        /// The first operation that is no part of the exchange.
        end: u32,
    },
    /// A member of a set is chosen; each may lead somewhere else.
    Choose {
        /// The slot of the member.
        into: Local,
        /// The set.
        set: &'o Set,
    },
    /// One more of several members is chosen.
    ChooseMore {
        /// The set.
        set: &'o Set,
        /// The slot of the least number.
        least: Local,
        /// Whether fewer are accepted if there are fewer.
        if_any: bool,
        /// The first operation after the choice.
        end: u32,
    },
    /// One of several branches is taken.
    Either(&'o [(PromptId, u32)]),
    /// The effect of a piece is carried out.
    Use {
        /// The piece.
        piece: &'o Expr,
        /// Its effect.
        attr: AttrId,
    },
    /// The operation itself is always possible, and what comes after it meets another table.
    Stop,
}

impl Op {
    /// What an effect that is followed comes to here.
    pub fn ahead(&self) -> Ahead<'_> {
        match self {
            // If the supply is short, players get what is there.
            Op::Put { .. } | Op::Gain { .. } | Op::List(_) | Op::Disclose { .. } | Op::OnlyTried(_) => Ahead::Next,
            // What a player chooses in a `together` is followed on to what is done with it.
            Op::KeepChoices { then, .. } => Ahead::Jump(*then),
            Op::Let(into, value) => Ahead::Let(*into, value),
            Op::Keep(into, set) => Ahead::Keep(*into, set),
            // What somebody may do need not be possible.
            Op::Jump(to) | Op::May { no: to, prompt: _ } => Ahead::Jump(*to),
            Op::JumpUnless(cond, to) => Ahead::JumpUnless(cond, *to),
            Op::Pay { cost, .. } | Op::Store { cost, .. } => Ahead::Pay(cost),
            Op::Exchange { cost, end } => Ahead::Exchange { cost, end: *end },
            Op::Choose { into, set, .. } => Ahead::Choose { into: *into, set },
            Op::ChooseMore { set, least, if_any, end, .. } => {
                Ahead::ChooseMore { set, least: *least, if_any: *if_any, end: *end }
            }
            Op::Either(branches) => Ahead::Either(branches),
            Op::Use { piece, attr } => Ahead::Use { piece, attr: *attr },
            Op::Roll { .. }
            | Op::TakeFromPiece { .. }
            | Op::TakeFromSeat { .. }
            | Op::GiveBack { .. }
            | Op::Lay { .. }
            | Op::Move { .. }
            | Op::Draw { .. }
            | Op::Shuffle(_)
            | Op::Refill(_)
            | Op::Flip(_)
            | Op::MoveAll { .. }
            | Op::FlipAll(_)
            | Op::Swap(..)
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
            | Op::Eliminate { .. }
            | Op::Look { .. }
            | Op::Show { .. }
            | Op::Seen { .. }
            | Op::AskNext { .. }
            | Op::Reveal { .. }
            | Op::DoNext { .. } => Ahead::Stop,
        }
    }

    /// The facts of the operation.
    pub fn facts(&self) -> OpFacts<'_> {
        let nothing = OpFacts::default();
        match self {
            Op::Jump(to)
            | Op::JumpUnless(_, to)
            | Op::May { no: to, .. }
            | Op::KeepChoices { next: to, .. }
            | Op::OnlyTried(to) => OpFacts { jump: Some(*to), ..nothing },
            Op::Let(into, value) => OpFacts { fills: Some((*into, Filling::Value(value))), ..nothing },
            Op::Roll { into, sides: _, secret: _ } => OpFacts { fills: Some((*into, Filling::Chance)), ..nothing },
            Op::Gain { cost, .. } | Op::Put { cost, .. } => {
                OpFacts { gives: Some(cost), supplied: Some(cost), ..nothing }
            }
            Op::TakeFromPiece { cost, .. } | Op::TakeFromSeat { cost, .. } => OpFacts { gives: Some(cost), ..nothing },
            Op::Pay { cost, .. } | Op::Store { cost, .. } => {
                OpFacts { costs: Some(cost), doubt: Doubt::Must, ..nothing }
            }
            Op::Exchange { cost, end } => {
                OpFacts { costs: Some(cost), jump: Some(*end), doubt: Doubt::Depends, ..nothing }
            }
            Op::Lay { piece, on } => OpFacts { moves: Some(Moves::Onto { piece, on }), ..nothing },
            Op::Move { piece, to, facing, bottom: _ } => {
                OpFacts { moves: Some(Moves::One { piece, to, facing: *facing }), ..nothing }
            }
            Op::Draw { from, to, count: _ } => OpFacts { moves: Some(Moves::Drawn { from, to }), ..nothing },
            Op::Refill(zone) => OpFacts { moves: Some(Moves::Refilled(zone)), ..nothing },
            Op::MoveAll { set, to, facing, bottom: _ } => {
                OpFacts { moves: Some(Moves::Many { set, to, facing: *facing }), ..nothing }
            }
            Op::Swap(one, other) => OpFacts { moves: Some(Moves::Swapped { one, other }), ..nothing },
            Op::Flip(_) | Op::FlipAll(_) => OpFacts { flips: true, ..nothing },
            Op::Choose { into, set, .. } => {
                OpFacts { fills: Some((*into, Filling::Member(set))), doubt: Doubt::Must, ..nothing }
            }
            Op::ChooseMore { into, set, free, end, .. } => OpFacts {
                fills: Some((*into, Filling::Member(set))),
                jump: Some(*end),
                offers_free: *free,
                doubt: Doubt::Must,
                ..nothing
            },
            Op::List(list) => OpFacts { fills: Some((*list, Filling::EmptyList)), ..nothing },
            Op::Pick { into, set, secret: _ } => OpFacts { fills: Some((*into, Filling::Member(set))), ..nothing },
            Op::Keep(into, set) => OpFacts { fills: Some((*into, Filling::List(set))), ..nothing },
            Op::Either(branches) => OpFacts { branches, doubt: Doubt::Depends, ..nothing },
            Op::Collect { list, set } => OpFacts { fills: Some((*list, Filling::List(set))), ..nothing },
            Op::Next { list, into, end } => {
                OpFacts { fills: Some((*into, Filling::NextOf(*list))), jump: Some(*end), ..nothing }
            }
            Op::AskNext { slots, end } | Op::DoNext { slots, end, .. } => {
                OpFacts { fills: Some((slots.player, Filling::NextOf(slots.players))), jump: Some(*end), ..nothing }
            }
            Op::SetVar { .. } => OpFacts { sets: true, ..nothing },
            Op::Perform { action, args, .. } => OpFacts { performs: Some((*action, args)), ..nothing },
            Op::Use { .. } => OpFacts { doubt: Doubt::Depends, ..nothing },
            Op::EndTurn | Op::EndPhase => OpFacts { ends: true, ..nothing },
            Op::Pass => OpFacts { ends: true, passes: true, ..nothing },
            Op::Pause => OpFacts { offers_free: true, ..nothing },
            Op::Disclose { what, .. } => OpFacts { discloses: Some(what), ..nothing },
            Op::GiveBack { .. }
            | Op::Shuffle(_)
            | Op::Raise { .. }
            | Op::Script { .. }
            | Op::EndGame { .. }
            | Op::Cancel
            | Op::Rejoin(_)
            | Op::Eliminate { .. }
            | Op::Look { .. }
            | Op::Show { .. }
            | Op::Seen { .. }
            | Op::Reveal { .. } => nothing,
        }
    }
}
