//! Questions must not leak: whether a player is asked, and how often, must not tell others what they cannot see.
//!
//! A choice with one option is not asked, and an impossible step is not offered; but only if everybody sees why. If the
//! reason depends on a piece that somebody does not see, the question is asked anyway, with the few answers there are.
//! Others know the zone of a choice, the number of pieces in it, and what everybody sees of them. They do not know how
//! a `where` judges them.
//!
//! Example: "choose a red card of your hand". If the player has one red card and were not asked, the others would know
//! that there is only one.

use std::ops::ControlFlow;

use rulepack_expr::ast::BinaryOp;
use rulepack_expr::{Built, Expr, Set};
use rulepack_model::{ActionId, Local, PieceId, Seat};
use smallvec::SmallVec;

use crate::eval::expressions::{Eval, Locals, slots};
use crate::flow::decision::Opt;
use crate::flow::machine::Machine;
use crate::hidden::sight::{Sight, Viewer};
use crate::state::value::Value;

impl Eval<'_> {
    /// Whether all players see a piece, judging by its zone and by how it lies. A player who is only now looking at it
    /// did not know before what would be asked.
    pub(crate) fn is_open(&self, piece: PieceId) -> bool {
        // The pieces above a piece decide whether it is seen.
        self.state.memo.saw_zone(self.state.cell_of(piece).zone);
        let lies_open = |viewer| Sight::new(self.rules, self.state, viewer).lies_open(piece);
        lies_open(Viewer::Public) || self.rules.seats().all(|seat| lies_open(Viewer::Seat(seat)))
    }

    /// Whether a player who is asked about a piece is told which one it is.
    #[cold]
    pub(crate) fn may_choose_by_name(&self, asked: Seat, piece: PieceId) -> bool {
        Sight::new(self.rules, self.state, Viewer::Seat(asked)).may_choose_by_name(piece)
    }

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
                    Expr::Built(Built::PieceType, _) => false,
                    Expr::Built(_, of) => matches!(**of, Expr::Local(_)),
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
        Set::Filter { base, .. } => may_give_pieces(base),
        Set::Zone(_) | Set::InPlay { .. } | Set::At(_) | Set::On(_) | Set::Attached(_) | Set::One(_) => true,
    }
}

impl Machine<'_> {
    /// Sorts the options that the asked player does not see by the order of the rules, so that the question does not
    /// tell the order of a deck, or the order in which a hand was drawn. Face-down pieces are not named, and keep their
    /// places.
    #[inline]
    pub(crate) fn put_in_order(&mut self, asked: Seat) {
        let (rules, state) = (self.rules, &*self.state);
        // Usually there are none.
        let may_hide = |option: &Opt| {
            option.piece().is_some_and(|piece| {
                let zone = rules.spaces(state.pieces[piece.index()].zone);
                !zone.is_open && zone.open_to != Some(asked)
            })
        };
        if self.options.len() > 1 && self.options.iter().any(may_hide) {
            self.put_hidden_in_order(asked);
        }
    }

    #[inline(never)]
    fn put_hidden_in_order(&mut self, asked: Seat) {
        let (rules, state) = (self.rules, &*self.state);
        let sight = Sight::new(rules, state, Viewer::Seat(asked));
        let may_look = sight.may_look();
        // Usually the player sees the pieces in question.
        let sees = |piece| may_look && sight.looks_at(piece) || sight.lies_open(piece);
        let key = |option: &Opt| {
            let piece = option.piece()?;
            let lies = &state.pieces[piece.index()];
            let is_hidden = !lies.face_down && !rules.spaces(lies.zone).is_open && !sees(piece);
            is_hidden.then(|| (*option).with_piece(PieceId(0)))
        };
        let mut start = 0;
        while start < self.options.len() {
            let mut end = start + 1;
            if let Some(kind) = key(&self.options[start]) {
                while self.options.get(end).is_some_and(|option| key(option) == Some(kind)) {
                    end += 1;
                }
                let called = |option: &Opt| option.piece().map(|piece| (rules.called(piece), rules.type_of(piece)));
                self.options[start..end].sort_by_key(called);
            }
            start = end;
        }
    }

    /// Whether an action is impossible for a reason that somebody does not see.
    pub(crate) fn might_act(&self, seat: Seat, id: ActionId) -> bool {
        let action = &self.rules.actions[id.index()];
        let can = |eval: Eval<'_>| eval.can_act(action, &mut slots(Some(seat), None, &[], action.locals), 0, false);
        can(self.eval().as_public()) && !can(self.eval())
    }

    /// Whether a free action is impossible for a reason that somebody does not see.
    pub(crate) fn might_act_free(&self, seat: Seat) -> bool {
        let mut free = self.rules.actions.iter().enumerate().filter(|(_, action)| action.free);
        self.may_act_free(seat) && free.any(|(index, _)| self.might_act(seat, ActionId::from(index)))
    }
}
