//! Derived values along a line of pieces. Example: `sum(pieces_at(east(self)) where it.type == self.type, 1 +
//! it.like_east)` needs the same value of the next piece, which needs that of the piece after it. If each space leads
//! to at most one other, this is compiled to a loop.

use rulepack_expr::ast::BinaryOp;
use rulepack_expr::{Expr, Property, Set};
use rulepack_model::{PieceId, ValueId, ZoneId};

use super::Walk;
use super::set_filter::Asked;
use super::set_source::{Base, Spot};
use super::split_where::conditions;
use super::types::is_told_by_type;
use crate::eval::expressions::Eval;
use crate::eval::value_depth::MAX_DEPTH;
use crate::rules::ruleset::Ruleset;
use crate::rules::shortcuts::Shortcut;
use crate::state::value::ZoneIx;

/// There is no next space.
const NOWHERE: u16 = u16::MAX;

/// The slot of the piece whose value it is.
const SELF: usize = 1;

/// A line of pieces, and the amount that each adds.
pub(super) struct Line {
    value: ValueId,
    zone: ZoneId,
    /// The zone, if it is a zone of the table.
    only: Option<ZoneIx>,
    /// The next space of each space.
    next: Box<[u16]>,
    /// The condition on members.
    walk: Walk,
    /// Whether they must have the type of the first piece.
    is_alike: bool,
    each: i64,
}

impl Line {
    /// The line that a derived value follows, if that is all it does.
    pub(super) fn new(rules: &Ruleset, id: ValueId) -> Option<Line> {
        if !rules.shortcuts.takes(Shortcut::Lines) {
            return None;
        }
        let Expr::Sum(set, it, body) = &rules.exprs[rules.values[id.index()].base.index()].expr else { return None };
        let Expr::Binary(BinaryOp::Add, left, right) = &**body else { return None };
        let is_again = |expr: &Expr| matches!(expr, Expr::Value(again, of) if *again == id && **of == Expr::Local(*it));
        let each = match (&**left, &**right) {
            (Expr::Int(each), again) | (again, Expr::Int(each)) if is_again(again) => *each,
            _ => return None,
        };
        let Set::Filter { it: member, cond, .. } = &**set else { return None };
        let is_type =
            |expr: &Expr| matches!(expr, Expr::Property(Property::PieceType, of) if matches!(**of, Expr::Local(_)));
        let is_like = |cond: &Expr| match cond {
            Expr::Binary(BinaryOp::Eq, left, right) => is_type(left) && is_type(right),
            _ => false,
        };
        // A text that needs values is not compiled here, because it may need this one.
        if !conditions(cond).into_iter().all(|cond| is_like(cond) || is_told_by_type(rules, cond, *member)) {
            return None;
        }
        let walk = Walk::new(rules, set);
        let Base::OnAdjacent(way, Spot::OfSlot(SELF)) = walk.base else { return None };
        let is_told = walk.is_simple && matches!(walk.ty, Asked::Nothing | Asked::LikeSlot(SELF));
        if !is_told || member.index() == SELF {
            return None;
        }
        let way = &rules.adjacencies[way.index()];
        let next = way.leads.iter().map(|leads| match leads.as_slice() {
            [] => Some(NOWHERE),
            [only] => Some(*only),
            _ => None,
        });
        Some(Line {
            value: id,
            zone: way.zone,
            only: (!rules.zones[way.zone.index()].per_player).then(|| rules.zone_ix(way.zone, None)),
            next: next.collect::<Option<_>>()?,
            is_alike: matches!(walk.ty, Asked::LikeSlot(_)),
            walk,
            each,
        })
    }

    /// Whether the line may go on after a piece: usually it does not.
    #[inline(always)]
    pub(super) fn goes_on(&self, eval: &Eval<'_>, piece: PieceId) -> bool {
        let (zone, at, spaces) = eval.state.among_spaces(piece);
        let Some(only) = self.only else { return true };
        if only != zone {
            return false;
        }
        let next = self.next.get(at as usize).copied().unwrap_or(NOWHERE);
        let Some(space) = spaces.get(next as usize).filter(|_| next != NOWHERE) else { return false };
        match space.only() {
            Some(next) => !self.is_alike || eval.rules.printing_of(next) == eval.rules.printing_of(piece),
            None => !space.is_free(),
        }
    }

    /// The sum over the pieces after this one; `None` if several lie on one space.
    #[inline(never)]
    pub(super) fn follow(&self, eval: &Eval<'_>, piece: PieceId) -> Option<i64> {
        let (zone, mut at, spaces) = eval.state.among_spaces(piece);
        if eval.rules.zone_instances[zone.index()].0 != self.zone {
            return Some(0);
        }
        let ty = eval.rules.printing_of(piece);
        let mut sum = 0_i64;
        // As deep as values may depend on values.
        for step in eval.depth()..MAX_DEPTH {
            at = self.next.get(at as usize).copied().unwrap_or(NOWHERE);
            let Some(space) = spaces.get(at as usize).filter(|_| at != NOWHERE) else { break };
            let Some(next) = space.only() else {
                if space.is_free() {
                    break;
                }
                return None;
            };
            if eval.rules.shortcuts.spoils(Shortcut::Lines) {
                break;
            }
            let belongs = (!self.is_alike || eval.rules.printing_of(next) == ty) && self.walk.is_told(eval, next);
            if !belongs || !eval.state.fuel().burn(1) {
                break;
            }
            sum = eval.exact(sum.checked_add(self.each));
            if step + 1 == MAX_DEPTH {
                eval.state.fuel().too_deep();
                eval.state.fuel().note(self.value, crate::state::value::Value::Piece(next));
                break;
            }
        }
        Some(sum)
    }
}
