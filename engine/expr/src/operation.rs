//! What each operation of an effect does, for those who look over effects without running them: what it moves, gives, costs,
//! fills, and where it may go on.
//!
//! Every operation says it here, once. Who looks for slips, for what a game can reach or for where a piece comes from asks
//! [`Op::facts`] and does not list operations of its own, so that a new one cannot be forgotten there.

use rulepack_model::{ActionId, Local, PromptId};

use crate::code::{Cost, Dest, Disclosed, Expr, Op, Set, ZoneRef};

/// What an operation does. [`OpFacts::default`] does nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct OpFacts<'o> {
    /// Where it may go on besides the operation after it.
    pub jump: Option<u32>,
    /// Where its branches begin.
    pub branches: &'o [(PromptId, u32)],
    /// The slot that it fills, and from what.
    pub fills: Option<(Local, Filling<'o>)>,
    /// The pieces that it moves.
    pub moves: Option<Moves<'o>>,
    /// Whether it turns a piece over.
    pub flips: bool,
    /// What players or pieces get from the supply, or players from others.
    pub gives: Option<&'o Cost>,
    /// What `me` must have to pay for it.
    pub costs: Option<&'o Cost>,
    /// The action that it does, and with what.
    pub performs: Option<(ActionId, &'o [Expr])>,
    /// Whether free actions are offered while it asks.
    pub offers_free: bool,
    /// Whether it sets a variable, of which no event tells.
    pub sets: bool,
    /// What it tells all players.
    pub discloses: Option<&'o Disclosed>,
    /// Whether it ends the turn or phase once the effect is over.
    pub ends: bool,
    /// Whether it makes a player pass.
    pub passes: bool,
    /// Whether it can be impossible.
    pub doubt: Doubt,
}

/// What a slot is filled from.
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
    /// A number that nobody knows before.
    Chance,
}

/// How pieces are moved.
#[derive(Debug, Clone, Copy)]
#[allow(missing_docs)]
pub enum Moves<'o> {
    One {
        piece: &'o Expr,
        to: &'o Dest,
        facing: Option<bool>,
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

/// Whether an operation can be impossible, such as a payment of somebody who has nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Doubt {
    /// It can always be done.
    #[default]
    Certain,
    /// If it cannot be done, neither can the effect.
    Must,
    /// That depends on what it leads to: `either`, an exchange that may be passed over, the effect of a piece.
    Depends,
}

impl Op {
    /// What it does.
    pub fn facts(&self) -> OpFacts<'_> {
        let nothing = OpFacts::default();
        match self {
            Op::Jump(to) | Op::JumpUnless(_, to) | Op::May { no: to, .. } => OpFacts { jump: Some(*to), ..nothing },
            Op::Let(into, value) => OpFacts { fills: Some((*into, Filling::Value(value))), ..nothing },
            Op::Roll(into, _) => OpFacts { fills: Some((*into, Filling::Chance)), ..nothing },
            Op::Gain { cost, .. }
            | Op::Put { cost, .. }
            | Op::TakeFromPiece { cost, .. }
            | Op::TakeFromSeat { cost, .. } => OpFacts { gives: Some(cost), ..nothing },
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
            Op::Flip(_) => OpFacts { flips: true, ..nothing },
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
            Op::Pick { into, set } => OpFacts { fills: Some((*into, Filling::Member(set))), ..nothing },
            Op::Either(branches) => OpFacts { branches, doubt: Doubt::Depends, ..nothing },
            Op::Collect { list, set } => OpFacts { fills: Some((*list, Filling::List(set))), ..nothing },
            Op::Next { list, into, end } => {
                OpFacts { fills: Some((*into, Filling::NextOf(*list))), jump: Some(*end), ..nothing }
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
            | Op::Look { .. }
            | Op::Seen { .. } => nothing,
        }
    }
}
