//! What the checker notes for those who look for slips: comparisons and divisions, with their places. Whether they make
//! sense depends on the whole game, which is not known while texts are checked.

use rulepack_model::{ActionId, Local};

use crate::ast::{At, BinaryOp};
use crate::code::Expr;
use crate::vocabulary::Ty;

/// Something to look at when the game is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// Where in the text.
    pub at: At,
    /// What.
    pub about: About,
    /// What is known there of slots.
    pub facts: Vec<(Local, Fact)>,
}

/// What a note is about.
#[derive(Debug, Clone, PartialEq)]
pub enum About {
    /// A comparison; the place is that of the whole.
    Compare(BinaryOp, Expr, Expr),
    /// A division by this; the place is that of the divisor.
    Divide(Expr),
    /// A choice that nothing keeps from finding nothing; the place is that of what is chosen from.
    Choose,
    /// A step after one that ends the turn or the like.
    After(End),
    /// A step after another action was done, which may end the turn or the like.
    AfterAction(ActionId),
    /// What an action is given that is done here; the place is that of the step. What its parameters are is not known before all
    /// actions have been read.
    Given(ActionId, Vec<Ty>),
}

/// What ends the turn or the like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct End {
    /// Its words.
    pub word: &'static str,
    /// Where it stands.
    pub place: EndPlace,
}

/// Where a step stands that ends the turn or the like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EndPlace {
    /// Right before, as a step of its own.
    Before,
    /// Last in an `if` without `else`.
    If,
    /// In a `may`.
    May,
    /// Last in one of several ways: of an `either`, or of an `if` with `else`.
    Branch,
}

/// What a slot holds.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// What this is.
    Is(Expr),
    /// The roll of a die with so many sides.
    Rolled(Expr),
}
