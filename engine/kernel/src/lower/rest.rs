//! The part of a `where` that is no cheap test. Parts of it that are the same for all members are computed once for each walk,
//! when they are first needed, and not for each member. Example: in `my hand where it.suit == led or none(my hand where
//! it.suit == led)` the `none(…)`.

use std::cell::Cell;

use rulepack_expr::Expr;
use rulepack_expr::ast::BinaryOp;
use rulepack_model::Local;

use super::size::surplus;
use super::types::{Column, Types, word};
use super::{Source, Truth, truth};
use crate::eval::expressions::{Eval, Locals};
use crate::rules::ruleset::Ruleset;
use crate::state::value::Value;

/// The largest number of parts that are computed once for each walk.
const MOST: usize = 8;

/// A condition on members.
pub(super) enum Rest {
    /// Nothing in it is the same for all members.
    Plain(Truth),
    Parts(Part),
}

/// A part of a condition.
pub(super) enum Part {
    /// It depends on the member.
    Each(Truth),
    /// It is the same for all members; the number of its place in [`Known`].
    Same(Truth, usize),
    /// It depends on the type of a piece alone.
    Told(Types),
    /// Whether an attribute of a piece is, or is not, a value that is the same for all members.
    Attr {
        column: Column,
        is: bool,
        value: Source,
        place: usize,
    },
    Not(Box<Part>),
    All(Vec<Part>),
    Any(Vec<Part>),
    If(Box<[Part; 3]>),
}

/// What is known in one walk about the parts that are the same for all members.
pub(super) struct Known([Cell<u64>; MOST]);

/// Not computed yet.
const UNKNOWN: u64 = u64::MAX;
/// The value has no word, so that it equals no attribute.
const NO_WORD: u64 = u64::MAX - 1;

impl Known {
    #[inline(always)]
    pub(super) fn nothing() -> Known {
        Known([const { Cell::new(UNKNOWN) }; MOST])
    }

    #[inline(always)]
    fn get(&self, place: usize, compute: impl FnOnce() -> u64) -> u64 {
        let known = self.0[place].get();
        if known != UNKNOWN {
            return known;
        }
        let computed = compute();
        self.0[place].set(computed);
        computed
    }
}

impl Rest {
    /// A condition whose member is in the slot `it`; `are_pieces` says whether all members are pieces.
    pub(super) fn new(rules: &Ruleset, cond: &Expr, it: Local, are_pieces: bool) -> Rest {
        // A long text costs budget for every member.
        if surplus(cond) > 0 {
            return Rest::Plain(truth(rules, cond));
        }
        let mut parts = Parts { rules, it, are_pieces, places: 0 };
        match parts.part(cond) {
            Part::Each(plain) => Rest::Plain(plain),
            part => Rest::Parts(part),
        }
    }

    /// Whether it holds for the member in its slot.
    #[inline]
    pub(super) fn holds(&self, eval: &Eval<'_>, value: Value, locals: &mut Locals, known: &Known) -> bool {
        match self {
            Rest::Plain(plain) => plain(eval, locals),
            Rest::Parts(part) => part.holds(eval, value, locals, known),
        }
    }
}

impl Part {
    fn holds(&self, eval: &Eval<'_>, value: Value, locals: &mut Locals, known: &Known) -> bool {
        match self {
            Part::Each(each) => each(eval, locals),
            Part::Same(same, place) => known.get(*place, || u64::from(same(eval, locals))) != 0,
            Part::Told(types) => value.piece().is_some_and(|piece| types.has(eval.rules, piece)),
            Part::Attr { column, is, value: wanted, place } => {
                let Some(piece) = value.piece() else { return false };
                let wanted = known.get(*place, || word(wanted.get(eval, locals)).unwrap_or(NO_WORD));
                (column.of(eval.rules, piece) == wanted) == *is
            }
            Part::Not(part) => !part.holds(eval, value, locals, known),
            Part::All(parts) => parts.iter().all(|part| part.holds(eval, value, locals, known)),
            Part::Any(parts) => parts.iter().any(|part| part.holds(eval, value, locals, known)),
            Part::If(parts) => {
                let [cond, yes, no] = &**parts;
                let chosen = if cond.holds(eval, value, locals, known) { yes } else { no };
                chosen.holds(eval, value, locals, known)
            }
        }
    }
}

/// Takes a condition apart.
struct Parts<'r> {
    rules: &'r Ruleset,
    it: Local,
    are_pieces: bool,
    /// How many places in [`Known`] are taken.
    places: usize,
}

impl Parts<'_> {
    fn part(&mut self, cond: &Expr) -> Part {
        if self.is_same_for_all(cond) && !matches!(cond, Expr::Bool(_)) {
            return match self.place() {
                Some(place) => Part::Same(truth(self.rules, cond), place),
                None => Part::Each(truth(self.rules, cond)),
            };
        }
        if self.are_pieces
            && let Some(types) = Types::told(self.rules, cond, self.it)
        {
            return Part::Told(types);
        }
        match cond {
            Expr::Not(inner) => match self.part(inner) {
                Part::Each(_) => Part::Each(truth(self.rules, cond)),
                part => Part::Not(Box::new(part)),
            },
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), ..) => {
                let mut all = Vec::new();
                joined(*op, cond, &mut all);
                let parts: Vec<Part> = all.into_iter().map(|cond| self.part(cond)).collect();
                match op {
                    _ if parts.iter().all(Part::is_each) => Part::Each(truth(self.rules, cond)),
                    BinaryOp::And => Part::All(parts),
                    _ => Part::Any(parts),
                }
            }
            Expr::If(cond_of, yes, no) => {
                let parts = [cond_of, yes, no].map(|part| self.part(part));
                match parts.iter().all(Part::is_each) {
                    true => Part::Each(truth(self.rules, cond)),
                    false => Part::If(Box::new(parts)),
                }
            }
            Expr::Binary(op @ (BinaryOp::Eq | BinaryOp::Ne), left, right) => {
                let compared = self.attr(left, right).or_else(|| self.attr(right, left));
                match compared {
                    Some((column, value, place)) => Part::Attr { column, is: *op == BinaryOp::Eq, value, place },
                    None => Part::Each(truth(self.rules, cond)),
                }
            }
            _ => Part::Each(truth(self.rules, cond)),
        }
    }

    /// An attribute of the member, and a value that is the same for all.
    fn attr(&mut self, attr: &Expr, value: &Expr) -> Option<(Column, Source, usize)> {
        let Expr::Attr(of, attr) = attr else { return None };
        if !self.are_pieces || **of != Expr::Local(self.it) || !self.is_same_for_all(value) {
            return None;
        }
        let column = Column::new(self.rules, *attr)?;
        Some((column, Source::new(self.rules, value), self.place()?))
    }

    fn place(&mut self) -> Option<usize> {
        let place = self.places;
        self.places = (place + 1).min(MOST);
        (place < MOST).then_some(place)
    }

    /// Whether nothing in it reads the member, and it calls no script.
    fn is_same_for_all(&self, expr: &Expr) -> bool {
        !expr.has(&mut |part| *part == Expr::Local(self.it) || matches!(part, Expr::Query(..)))
    }
}

impl Part {
    fn is_each(&self) -> bool {
        matches!(self, Part::Each(_))
    }
}

/// All parts that are joined by the same operator.
fn joined<'e>(by: BinaryOp, expr: &'e Expr, all: &mut Vec<&'e Expr>) {
    match expr {
        Expr::Binary(op, left, right) if *op == by => {
            joined(by, left, all);
            joined(by, right, all);
        }
        expr => all.push(expr),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IT: Local = Local(3);

    fn made(cond: &Expr) -> Rest {
        Rest::new(&Ruleset::default(), cond, IT, false)
    }

    #[test]
    fn what_does_not_read_the_member_is_computed_once() {
        let passed = |local: Local| Expr::Passed(Box::new(Expr::Local(local)));
        let both = |left: Expr, right: Expr| Expr::Binary(BinaryOp::Or, Box::new(left), Box::new(right));
        let Rest::Parts(Part::Any(parts)) = made(&both(passed(IT), passed(Local(0)))) else {
            panic!("the second part is the same for all members")
        };
        assert!(matches!(parts.as_slice(), [Part::Each(_), Part::Same(_, 0)]));
        assert!(matches!(made(&both(passed(IT), passed(IT))), Rest::Plain(_)));
    }

    #[test]
    fn there_are_not_more_places_than_parts_that_are_kept() {
        let passed = |local: Local| Expr::Passed(Box::new(Expr::Local(local)));
        let mut cond = passed(IT);
        for _ in 0..MOST + 2 {
            cond = Expr::Binary(BinaryOp::And, Box::new(passed(Local(0))), Box::new(cond));
        }
        let Rest::Parts(Part::All(parts)) = made(&cond) else { panic!("most parts are the same for all members") };
        let kept = parts.iter().filter(|part| matches!(part, Part::Same(..))).count();
        assert_eq!((kept, parts.len()), (MOST, MOST + 3));
    }
}
