//! Conditions that follow from the row and the column of a space alone: a diagonal, a corner, the last row. They are
//! computed once for all spaces of a zone.

use rulepack_expr::ast::BinaryOp;
use rulepack_expr::{Expr, Set};
use rulepack_model::Local;

use super::set_filter::{is_column, is_row};
use crate::eval::expressions::{calculated, is_arithmetic};
use crate::rules::ruleset::{Layout, Ruleset};

/// Some of the spaces of a zone.
pub(super) struct CellMask {
    /// In their order.
    pub(super) list: Box<[u16]>,
    bits: Box<[u64]>,
}

impl CellMask {
    /// The spaces for which all conditions hold.
    pub(super) fn new(layout: &Layout, conds: &[&Expr], it: Local) -> CellMask {
        let holds = |at: &u16| conds.iter().all(|cond| truth(cond, it, layout.spot(*at)) == Some(true));
        let list: Box<[u16]> = (0..layout.cells()).filter(holds).collect();
        let mut bits = vec![0; usize::from(layout.cells()).div_ceil(64)];
        for at in &list {
            bits[usize::from(*at) / 64] |= 1 << (*at % 64);
        }
        CellMask { list, bits: bits.into() }
    }

    #[inline]
    pub(super) fn has(&self, at: u16) -> bool {
        self.bits.get(usize::from(at) / 64).is_some_and(|bits| bits >> (at % 64) & 1 != 0)
    }
}

/// The layout of the zone, or of the zones of all players, to which the members of a set belong.
pub(super) fn layout<'r>(rules: &'r Ruleset, set: &Set) -> Option<&'r Layout> {
    let (Set::Zone(zone) | Set::Cells(zone) | Set::FreeCells(zone)) = set else { return None };
    Some(&rules.zones[zone.zone.index()].layout).filter(|layout| layout.has_spaces())
}

/// Whether a condition on a space, or on a piece there, depends only on its row and column.
pub(super) fn is_told_by_spot(cond: &Expr, it: Local) -> bool {
    // A comparison of a row or column with a value is handled elsewhere.
    asks_twice(cond, it) && truth(cond, it, (1, 1)).is_some()
}

/// The number of times that the row and the column occur tells a diagonal from a line.
fn asks_twice(cond: &Expr, it: Local) -> bool {
    fn asked(expr: &Expr, it: Local) -> usize {
        match expr {
            Expr::Property(_, of) if **of == Expr::Local(it) => 1,
            Expr::Binary(_, left, right) => asked(left, it) + asked(right, it),
            Expr::Not(inner) => asked(inner, it),
            _ => 0,
        }
    }
    asked(cond, it) > 1
}

/// Whether a condition holds for a row and column; `None` if they do not decide it.
fn truth(cond: &Expr, it: Local, spot: (u16, u16)) -> Option<bool> {
    match cond {
        Expr::Not(inner) => truth(inner, it, spot).map(|holds| !holds),
        // Both sides must be decided: a part that one space does not evaluate may be evaluated for another.
        Expr::Binary(BinaryOp::And, left, right) => {
            let (left, right) = (truth(left, it, spot)?, truth(right, it, spot)?);
            Some(left && right)
        }
        Expr::Binary(BinaryOp::Or, left, right) => {
            let (left, right) = (truth(left, it, spot)?, truth(right, it, spot)?);
            Some(left || right)
        }
        Expr::Binary(op, left, right) => {
            let (left, right) = (number(left, it, spot)?, number(right, it, spot)?);
            Some(match op {
                BinaryOp::Eq => left == right,
                BinaryOp::Ne => left != right,
                BinaryOp::Lt => left < right,
                BinaryOp::Le => left <= right,
                BinaryOp::Gt => left > right,
                BinaryOp::Ge => left >= right,
                _ => return None,
            })
        }
        _ => None,
    }
}

fn number(expr: &Expr, it: Local, spot: (u16, u16)) -> Option<i64> {
    match expr {
        Expr::Int(n) => Some(*n),
        Expr::Property(property, of) if **of == Expr::Local(it) && is_row(*property) => Some(i64::from(spot.0)),
        Expr::Property(property, of) if **of == Expr::Local(it) && is_column(*property) => Some(i64::from(spot.1)),
        Expr::Binary(op, left, right) if is_arithmetic(*op) => {
            calculated(*op, number(left, it, spot)?, number(right, it, spot)?)
        }
        _ => None,
    }
}
