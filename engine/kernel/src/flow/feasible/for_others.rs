//! How many things a player can choose from, as far as the other players know. Whether a player is asked, and how often, must
//! not tell the others what they cannot see.
//!
//! Others know the zone of a choice, the number of pieces in it, and what everybody sees of them. They do not know how a
//! `where` judges them: a hand of three cards of one kind is three choices to them, whichever cards fit.

use std::ops::ControlFlow;

use rulepack_expr::ast::BinaryOp;
use rulepack_expr::{Combination, Expr, Property, Set};
use rulepack_model::{Local, PieceId};

use crate::eval::expressions::{Eval, Locals, Slots, slots};
use crate::eval::kept_sets::KeptSet;
use crate::eval::lines::with_member;
use crate::state::value::Value;

/// Is called with each possible member, and with the piece if somebody does not see it.
type VisitPossible<'v> = &'v mut dyn FnMut(Value, Option<PieceId>, &mut Locals) -> ControlFlow<()>;

impl Eval<'_> {
    /// Whether, as far as others know, more than `most` things can be chosen besides those already taken, and some of
    /// them are hidden from somebody.
    pub(crate) fn choice_is_hidden(&self, set: &Set, locals: &mut Locals, most: usize, taken: &[Value]) -> bool {
        if self.rules.set_reads_secrets(set) {
            return true;
        }
        if !may_give_pieces(set) {
            return false;
        }
        if was_hidden(set, locals) {
            return true;
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
        if self.rules.set_reads_secrets(set) {
            return true;
        }
        if !may_give_pieces(set) {
            return self.first(set, locals).is_some();
        }
        if was_hidden(set, locals) {
            return true;
        }
        let mut found = false;
        self.possible(set, locals, &[], &mut |_| {
            found = true;
            ControlFlow::Break(())
        });
        found
    }

    /// The possible members of a set, as far as others know.
    pub(crate) fn possible_members(&self, set: &Set, locals: &mut Locals) -> Vec<Value> {
        let mut found = Vec::new();
        let _ = self.each_possible(set, locals, &[], &mut |value, _, _| {
            found.push(value);
            ControlFlow::Continue(())
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
        let _ = self.each_possible(set, locals, taken, &mut |_, unseen, _| visit(unseen.is_some()));
    }

    /// The same with the member, and the piece that somebody does not see.
    fn each_possible(
        &self,
        set: &Set,
        locals: &mut Locals,
        taken: &[Value],
        visit: VisitPossible<'_>,
    ) -> ControlFlow<()> {
        match set {
            Set::Filter { base, it, cond } => self.each_possible(base, locals, taken, &mut |value, unseen, locals| {
                let kept = std::mem::replace(&mut locals[it.index()], value);
                let fits = match unseen {
                    Some(piece) => self.known(cond, *it, piece, locals) != Some(false),
                    None => self.truth(cond, locals),
                };
                locals[it.index()] = kept;
                if fits { visit(value, unseen, locals) } else { ControlFlow::Continue(()) }
            }),
            // Others do not know at which hidden piece the set ends.
            Set::While { base, it, cond } => {
                let mut is_over = false;
                let flow = self.each_possible(base, locals, &[], &mut |value, unseen, locals| {
                    is_over = self.publicly_holds(cond, *it, value, unseen, locals) == Some(false);
                    if is_over {
                        return ControlFlow::Break(());
                    }
                    if taken.contains(&value) { ControlFlow::Continue(()) } else { visit(value, unseen, locals) }
                });
                if is_over { ControlFlow::Continue(()) } else { flow }
            }
            Set::Until { base, it, cond } => {
                // The last member at which the set may end, and the members before it.
                let (mut members, mut end) = (Vec::new(), 0);
                let _ = self.each_possible(base, locals, &[], &mut |value, unseen, locals| {
                    let holds = self.publicly_holds(cond, *it, value, unseen, locals);
                    if holds != Some(false) {
                        end = members.len();
                    }
                    members.push((value, unseen));
                    if holds == Some(true) { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                members.truncate(end);
                members.retain(|(value, _)| !taken.contains(value));
                members.into_iter().try_for_each(|(value, unseen)| visit(value, unseen, locals))
            }
            Set::Combined(Combination::Union, one, other) => {
                let mut visited = Vec::new();
                for part in [one, other] {
                    self.each_possible(part, locals, taken, &mut |value, unseen, locals| {
                        if !self.state.fuel().burn_many(visited.len() / 16) {
                            return ControlFlow::Break(());
                        }
                        if visited.contains(&value) {
                            return ControlFlow::Continue(());
                        }
                        visited.push(value);
                        visit(value, unseen, locals)
                    })?;
                }
                ControlFlow::Continue(())
            }
            Set::Combined(how, one, other) => {
                // Others do not know of a hidden piece whether it is in the second set.
                let members = self.collect(other, locals);
                self.each_possible(one, locals, taken, &mut |value, unseen, locals| {
                    if !self.state.fuel().burn_many(members.len() / 16) {
                        return ControlFlow::Break(());
                    }
                    let fits = members.contains(&value) == (*how == Combination::Intersection);
                    if fits || unseen.is_some() { visit(value, unseen, locals) } else { ControlFlow::Continue(()) }
                })
            }
            Set::Named(id, me, args) => {
                let me = self.expr(me, locals).seat();
                let args: Slots = args.iter().map(|arg| self.expr(arg, locals)).collect();
                let Some(eval) = self.one_deeper() else { return ControlFlow::Break(()) };
                let named = &self.rules.sets[id.index()];
                let mut inner = slots(me, None, &args, named.locals);
                eval.each_possible(&named.set, &mut inner, taken, &mut |value, unseen, _| visit(value, unseen, locals))
            }
            Set::Kept(local) => {
                let is_hidden = KeptSet::of(locals, *local).is_hidden;
                self.each(set, locals, &mut |value, locals| {
                    if taken.contains(&value) {
                        return ControlFlow::Continue(());
                    }
                    visit(value, value.piece().filter(|piece| is_hidden || !self.is_open(*piece)), locals)
                })
            }
            Set::OfEach { of, it, part } => self.each(of, locals, &mut |value, locals| {
                let kept = std::mem::replace(&mut locals[it.index()], value);
                let flow = self.each_possible(part, locals, taken, visit);
                locals[it.index()] = kept;
                flow
            }),
            base => self.each(base, locals, &mut |value, locals| {
                if taken.contains(&value) {
                    return ControlFlow::Continue(());
                }
                visit(value, value.piece().filter(|piece| !self.is_open(*piece)), locals)
            }),
        }
    }

    /// Whether a condition holds for a member, as far as others know; `unseen` is the member if somebody does not see it.
    fn publicly_holds(
        &self,
        cond: &Expr,
        it: Local,
        value: Value,
        unseen: Option<PieceId>,
        locals: &mut Locals,
    ) -> Option<bool> {
        with_member(it.index(), value, locals, |locals| match unseen {
            Some(piece) => self.known(cond, it, piece, locals),
            None => Some(self.truth(cond, locals)),
        })
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
                    Expr::Res(_) | Expr::Type(_) | Expr::Amount(..) | Expr::Attr(..) | Expr::ResAttr(..) => false,
                    Expr::Mark(..) | Expr::Room(..) | Expr::Value(..) | Expr::Var(..) | Expr::Negative(_) => false,
                    Expr::Not(_) | Expr::Binary(..) | Expr::If(..) | Expr::IsType(..) | Expr::IsKind(..) => false,
                    Expr::Contains(..) | Expr::Any(_) | Expr::Count(_) | Expr::Sum(..) | Expr::Largest(..) => false,
                    Expr::Smallest(..) | Expr::First(_) | Expr::Last(_) | Expr::Top(_) | Expr::Min(..) => false,
                    Expr::Max(..) | Expr::NextSeat(_) | Expr::PreviousSeat(_) | Expr::Opposite(_) => false,
                    Expr::AtTurn | Expr::Passed(_) | Expr::Can(..) | Expr::CanPay(_) | Expr::Units(_) => false,
                    Expr::Out(_) | Expr::Partner(_) => false,
                    Expr::Query(..) => false,
                };
                (lies(left) && lies(right)).then(|| self.truth(cond, locals))
            }
            Expr::Int(_) | Expr::Bool(_) | Expr::Res(_) | Expr::Sym(_) | Expr::Type(_) | Expr::Local(_) => None,
            Expr::Amount(..) | Expr::Attr(..) | Expr::ResAttr(..) | Expr::Property(..) | Expr::Mark(..) => None,
            Expr::Room(..) | Expr::Value(..) | Expr::Var(..) | Expr::Negative(_) | Expr::If(..) => None,
            Expr::IsType(..) | Expr::IsKind(..) | Expr::Contains(..) | Expr::Any(_) | Expr::Count(_) => None,
            Expr::Sum(..) | Expr::Largest(..) | Expr::Smallest(..) | Expr::First(_) | Expr::Last(_) => None,
            Expr::Top(_) | Expr::Min(..) | Expr::Max(..) | Expr::NextSeat(_) | Expr::PreviousSeat(_) => None,
            Expr::Opposite(_) | Expr::AtTurn | Expr::Passed(_) | Expr::Can(..) | Expr::CanPay(_) => None,
            Expr::Units(_) | Expr::Query(..) | Expr::Out(_) | Expr::Partner(_) => None,
        }
    }
}

/// Whether a set is one with a name, or a part of one, of which others do not know how many members it has.
fn was_hidden(set: &Set, locals: &Locals) -> bool {
    match set {
        Set::Kept(local) => KeptSet::of(locals, *local).is_hidden,
        Set::Filter { base, .. } | Set::While { base, .. } | Set::Until { base, .. } => was_hidden(base, locals),
        Set::Combined(_, one, other) | Set::OfEach { of: one, part: other, .. } => {
            was_hidden(one, locals) || was_hidden(other, locals)
        }
        Set::Zone(_) | Set::InPlay { .. } | Set::At(_) | Set::On(_) | Set::Attached(_) | Set::One(_) => false,
        Set::Cells(_) | Set::FreeCells(_) | Set::Neighbours(_) | Set::Adjacent(..) | Set::AdjacentToAll(..) => false,
        Set::Line(..) | Set::Through(..) | Set::Connected(..) | Set::Directions(_) | Set::DirectionsFrom(_) => false,
        Set::Resources(_) | Set::Seats | Set::Others(_) | Set::Team(_) | Set::Round { .. } => false,
        Set::Types(_) | Set::Symbols(_) | Set::Numbers(..) | Set::Listed(_) | Set::Named(..) => false,
    }
}

/// Whether a set may contain pieces: everything else is public.
fn may_give_pieces(set: &Set) -> bool {
    match set {
        Set::Cells(_) | Set::FreeCells(_) | Set::Neighbours(_) | Set::Adjacent(..) | Set::AdjacentToAll(..) => false,
        Set::Line(..) | Set::Through(..) | Set::Connected(..) | Set::Directions(_) | Set::DirectionsFrom(_) => false,
        Set::Resources(_) | Set::Seats | Set::Others(_) | Set::Team(_) | Set::Round { .. } => false,
        Set::Types(_) | Set::Symbols(_) | Set::Numbers(..) => false,
        Set::Filter { base, .. } | Set::While { base, .. } | Set::Until { base, .. } => may_give_pieces(base),
        Set::Combined(_, one, other) => may_give_pieces(one) || may_give_pieces(other),
        Set::OfEach { part, .. } => may_give_pieces(part),
        Set::Zone(_) | Set::InPlay { .. } | Set::At(_) | Set::On(_) | Set::Attached(_) | Set::One(_) | Set::Kept(_) => {
            true
        }
        Set::Named(..) => true,
        Set::Listed(_) => true,
    }
}
