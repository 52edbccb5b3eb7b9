//! Notes of the checker for the lints: comparisons, divisions and others, with their places. Whether one is a mistake depends
//! on the whole game, which is not known while a single text is checked.

use rulepack_model::{ActionId, Local};

use crate::ast::{At, BinaryOp};
use crate::code::Expr;
use crate::vocabulary::Ty;

/// A place in a text to be tested when the whole game is known.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    /// The place in the text.
    pub at: At,
    /// What to test.
    pub about: About,
    /// The known values of slots at this place.
    pub facts: Vec<(Local, Fact)>,
}

/// The subject of a note.
#[derive(Debug, Clone, PartialEq)]
pub enum About {
    /// A comparison; the place is that of the whole comparison.
    Compare(BinaryOp, Expr, Expr),
    /// A division by this; the place is that of the divisor.
    Divide(Expr),
    /// A choice that may have no options; the place is that of the set.
    Choose,
    /// A step after one that ends the turn or the like.
    After(End),
    /// A step after `do ACTION`, if that action ends the turn or the like.
    AfterAction(ActionId),
    /// The types of the arguments in `do ACTION(…)`; the place is that of the step. The parameters of the action are not known
    /// before all actions have been read.
    Given(ActionId, Vec<Ty>),
}

/// A step that ends the turn, the phase or the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct End {
    /// Its words, such as `end turn`.
    pub word: &'static str,
    /// Its position.
    pub place: EndPlace,
}

/// The position of a step that ends the turn or the like, seen from the steps after it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum EndPlace {
    /// Right before, as a step of its own.
    Before,
    /// Last in an `if` without `else`.
    If,
    /// In a `may`.
    May,
    /// Last in one branch of an `either`, or of an `if` with `else`.
    Branch,
}

/// What is known of the value in a slot.
#[derive(Debug, Clone, PartialEq)]
pub enum Fact {
    /// It is the value of this expression.
    Is(Expr),
    /// It is the roll of a die with this number of sides.
    Rolled(Expr),
}
