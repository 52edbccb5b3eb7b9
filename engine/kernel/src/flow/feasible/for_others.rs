//! How many things a player can choose from, as far as the other players know. Whether a player is asked, and how often, must
//! not tell the others what they cannot see.
//!
//! Others know the zone of a choice, the number of pieces in it, and what everybody sees of them. They do not know how a
//! `where` judges them: a hand of three cards of one kind is three choices to them, whichever cards fit.

use std::ops::ControlFlow;

use rulepack_expr::ast::BinaryOp;
use rulepack_expr::{Expr, Property, Set};
use rulepack_model::{Local, PieceId};
use smallvec::SmallVec;

use crate::eval::expressions::{Eval, Locals};
use crate::state::value::Value;

impl Eval<'_> {
    /// Whether, as far as others know, more than `most` things can be chosen besides those already taken, and some of
    /// them are hidden from somebody.
    pub(crate) fn choice_is_hidden(&self, set: &Set, locals: &mut Locals, most: usize, taken: &[Value]) -> bool {
        if !may_give_pieces(set) {
            return false;
        }
        let (mut count, mut hidden) = (0, false);
        self.possible(set, locals, taken, &mut |is_unseen| {
            count += 1;
            hidden = hidden || is_unseen;
            if hidden && count > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        hidden && count > most
    }

    /// Whether, as far as others know, there is a member: one that everybody sees, or a hidden piece that could be one.
    /// Every piece is tested once, because a condition may ask for a value that asks for it again.
    pub(crate) fn may_be_any(&self, set: &Set, locals: &mut Locals) -> bool {
        if !may_give_pieces(set) {
            return self.first(set, locals).is_some();
        }
        let mut found = false;
        self.possible(set, locals, &[], &mut |_| {
            found = true;
            ControlFlow::Break(())
        });
        found
    }

    /// Visits the possible members of a set, as far as others know, besides those already taken; with each, whether it
    /// is hidden from somebody.
    fn possible(
        &self,
        set: &Set,
        locals: &mut Locals,
        taken: &[Value],
        visit: &mut dyn FnMut(bool) -> ControlFlow<()>,
    ) {
        let mut wanted: SmallVec<[(Local, &Expr); 2]> = SmallVec::new();
        let mut from = set;
        while let Set::Filter { base, it, cond, .. } = from {
            wanted.push((*it, cond));
            from = base;
        }
        let _ = self.each(from, locals, &mut |value, locals| {
            if taken.contains(&value) {
                return ControlFlow::Continue(());
            }
            let unseen = value.piece().filter(|piece| !self.is_open(*piece));
            let fits = wanted.iter().rev().all(|(it, cond)| {
                let kept = std::mem::replace(&mut locals[it.index()], value);
                let fits = match unseen {
                    Some(piece) => self.known(cond, *it, piece, locals) != Some(false),
                    None => self.truth(cond, locals),
                };
                locals[it.index()] = kept;
                fits
            });
            if fits { visit(unseen.is_some()) } else { ControlFlow::Continue(()) }
        });
    }

    /// Whether a hidden piece may satisfy a condition, judging by what everybody knows: its widest kind, its zone, and
    /// how it lies.
    fn known(&self, cond: &Expr, it: Local, piece: PieceId, locals: &mut Locals) -> Option<bool> {
        let is_it = |expr: &Expr| *expr == Expr::Local(it);
        match cond {
            Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), left, right) => {
                let decides = *op == BinaryOp::Or;
                match self.known(left, it, piece, locals) {
                    Some(left) if left == decides => Some(decides),
                    left => match self.known(right, it, piece, locals) {
                        Some(right) if right == decides => Some(decides),
                        right => left.and(right),
                    },
                }
            }
            Expr::Not(inner) => self.known(inner, it, piece, locals).map(|known| !known),
            Expr::IsKind(inner, kind) if is_it(inner) => {
                let widest = self.rules.widest_kind(piece);
                if self.rules.is_kind(widest, *kind) {
                    return Some(true);
                }
                if self.rules.is_kind(*kind, widest) { None } else { Some(false) }
            }
            Expr::IsType(inner, ty) if is_it(inner) => {
                let widest = self.rules.widest(self.rules.types[ty.index()].kind);
                (widest != self.rules.widest_kind(piece)).then_some(false)
            }
            Expr::Binary(_, left, right) => {
                let lies = |expr: &Expr| match expr {
                    Expr::Int(_) | Expr::Bool(_) | Expr::Sym(_) => true,
                    Expr::Local(local) => *local != it,
                    Expr::Property(Property::PieceType, _) => false,
                    Expr::Property(_, of) => matches!(**of, Expr::Local(_)),
                    _ => false,
                };
                (lies(left) && lies(right)).then(|| self.truth(cond, locals))
            }
            _ => None,
        }
    }
}

/// Whether a set may contain pieces: everything else is public.
fn may_give_pieces(set: &Set) -> bool {
    match set {
        Set::Cells(_) | Set::FreeCells(_) | Set::Neighbours(_) | Set::Adjacent(..) | Set::AdjacentToAll(..) => false,
        Set::Resources(_) | Set::Seats | Set::Others(_) => false,
        Set::Types(_) | Set::Symbols(_) | Set::Numbers(..) => false,
        Set::Filter { base, .. } => may_give_pieces(base),
        Set::Zone(_) | Set::InPlay { .. } | Set::At(_) | Set::On(_) | Set::Attached(_) | Set::One(_) => true,
        Set::Listed(_) => true,
    }
}
