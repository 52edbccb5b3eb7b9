//! The cheap part of a `where`: comparisons of the member itself, of an attribute or of a property of every piece and
//! space, with a value that is the same for all members. That value is computed once for each walk instead of once for
//! each member.

use rulepack_expr::ast::BinaryOp;
use rulepack_expr::{AttrId, Expr, Property};
use rulepack_model::{KindId, Local, TypeId};

/// The largest number of tests that are separated.
pub(super) const MOST_TESTS: usize = 4;

/// A `where` in two parts: both must hold.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Quick {
    /// The cheap tests; at most [`MOST_TESTS`].
    pub(super) tests: Vec<Test>,
    /// The rest.
    pub(super) rest: Option<Expr>,
}

/// A cheap test of a member.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Test {
    IsType(TypeId),
    IsKind(KindId),
    Compare {
        probe: Probe,
        op: BinaryOp,
        /// An expression with the same value for all members.
        other: Expr,
    },
}

/// The part of a member that is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Probe {
    Itself,
    Property(Property),
    Attr(AttrId),
}

impl Quick {
    /// Conditions that stay as they are.
    pub(super) fn untaken(conds: Vec<&Expr>) -> Quick {
        let mut quick = Quick { tests: Vec::new(), rest: None };
        for cond in conds {
            quick.leave(cond);
        }
        quick
    }

    /// Splits conditions on members.
    pub(super) fn new(conds: Vec<&Expr>, it: Local) -> Quick {
        let mut quick = Quick { tests: Vec::new(), rest: None };
        for cond in conds {
            match test(cond, it).filter(|_| quick.tests.len() < MOST_TESTS) {
                Some(test) => quick.tests.push(test),
                None => quick.leave(cond),
            }
        }
        quick
    }

    fn leave(&mut self, cond: &Expr) {
        self.rest = Some(match self.rest.take() {
            None => cond.clone(),
            Some(before) => Expr::Binary(BinaryOp::And, Box::new(before), Box::new(cond.clone())),
        });
    }
}

/// All conditions joined by `and`.
pub(super) fn conditions(cond: &Expr) -> Vec<&Expr> {
    match cond {
        Expr::Binary(BinaryOp::And, left, right) => [conditions(left), conditions(right)].concat(),
        _ => vec![cond],
    }
}

fn test(cond: &Expr, it: Local) -> Option<Test> {
    match cond {
        Expr::IsType(inner, ty) if **inner == Expr::Local(it) => Some(Test::IsType(*ty)),
        Expr::IsKind(inner, kind) if **inner == Expr::Local(it) => Some(Test::IsKind(*kind)),
        Expr::Binary(op, left, right) => {
            let turned = turned(*op)?;
            if let (Some(probe), true) = (probe(left, it), is_same_for_all(right, it)) {
                return Some(Test::Compare { probe, op: *op, other: (**right).clone() });
            }
            let probe = probe(right, it).filter(|_| is_same_for_all(left, it))?;
            Some(Test::Compare { probe, op: turned, other: (**left).clone() })
        }
        _ => None,
    }
}

/// A comparison with its sides exchanged.
fn turned(op: BinaryOp) -> Option<BinaryOp> {
    Some(match op {
        BinaryOp::Eq => BinaryOp::Eq,
        BinaryOp::Ne => BinaryOp::Ne,
        BinaryOp::Lt => BinaryOp::Gt,
        BinaryOp::Le => BinaryOp::Ge,
        BinaryOp::Gt => BinaryOp::Lt,
        BinaryOp::Ge => BinaryOp::Le,
        _ => return None,
    })
}

fn probe(expr: &Expr, it: Local) -> Option<Probe> {
    let member = Expr::Local(it);
    match expr {
        Expr::Property(property, base) if **base == member => Some(Probe::Property(*property)),
        Expr::Attr(base, attr) if **base == member => Some(Probe::Attr(*attr)),
        expr if *expr == member => Some(Probe::Itself),
        _ => None,
    }
}

/// Whether a value does not depend on the member, and is cheap to compute.
fn is_same_for_all(expr: &Expr, it: Local) -> bool {
    let is_other = |base: &Expr| matches!(base, Expr::Local(local) if *local != it);
    match expr {
        Expr::Int(_) | Expr::Bool(_) | Expr::Res(_) | Expr::Sym(_) | Expr::Type(_) | Expr::Var(_, None) => true,
        Expr::Property(_, base) | Expr::Attr(base, _) | Expr::Var(_, Some(base)) => is_other(base),
        expr => is_other(expr),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IT: Local = Local(3);

    fn compare(op: BinaryOp, left: Expr, right: Expr) -> Expr {
        Expr::Binary(op, Box::new(left), Box::new(right))
    }

    fn property(property: Property, local: Local) -> Expr {
        Expr::Property(property, Box::new(Expr::Local(local)))
    }

    fn split(cond: &Expr) -> Quick {
        Quick::new(conditions(cond), IT)
    }

    #[test]
    fn what_is_the_same_for_all_members_is_taken_out() {
        let row = compare(BinaryOp::Lt, Expr::Int(2), property(Property::PieceRow, IT));
        let like = compare(BinaryOp::Eq, property(Property::PieceType, IT), property(Property::PieceType, Local(2)));
        let both = compare(BinaryOp::And, row, like);
        let quick = split(&both);
        let other = property(Property::PieceType, Local(2));
        let like = Test::Compare { probe: Probe::Property(Property::PieceType), op: BinaryOp::Eq, other };
        let row = Test::Compare { probe: Probe::Property(Property::PieceRow), op: BinaryOp::Gt, other: Expr::Int(2) };
        assert_eq!(quick, Quick { tests: vec![row, like], rest: None });
    }

    #[test]
    fn what_depends_on_the_member_twice_stays() {
        let diagonal = compare(BinaryOp::Eq, property(Property::PieceRow, IT), property(Property::PieceColumn, IT));
        assert_eq!(split(&diagonal), Quick { tests: Vec::new(), rest: Some(diagonal.clone()) });
        let is = Expr::IsKind(Box::new(Expr::Local(IT)), KindId(0));
        let quick = split(&compare(BinaryOp::And, diagonal.clone(), is));
        assert_eq!(quick, Quick { tests: vec![Test::IsKind(KindId(0))], rest: Some(diagonal.clone()) });
        // Conditions joined by `or` cannot be split.
        let is = Expr::IsKind(Box::new(Expr::Local(IT)), KindId(0));
        let either = compare(BinaryOp::Or, diagonal, is);
        assert_eq!(split(&either), Quick { tests: Vec::new(), rest: Some(either) });
    }
}
