//! The range of numbers that an expression can have: enough to see that a comparison is constant, or that a divisor may
//! be zero. An unknown value may be any number.

use rulepack_expr::ast::BinaryOp;
use rulepack_expr::{Combination, Expr, Fact, Holder, Set, What};
use rulepack_kernel::Ruleset;
use rulepack_model::{Local, ResId};

/// A range of numbers, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Range {
    pub(super) least: i64,
    pub(super) most: i64,
}

/// Beyond any number of a game, so that sums of ends do not overflow.
const FAR: i64 = 1 << 40;

const ANY: Range = Range { least: -FAR, most: FAR };
const NOT_NEGATIVE: Range = Range { least: 0, most: FAR };

/// The depth to which values that depend on values are followed.
const DEEP: u8 = 8;

impl Range {
    fn new(least: i64, most: i64) -> Range {
        Range { least: least.clamp(-FAR, FAR), most: most.clamp(-FAR, FAR) }
    }

    fn exactly(n: i64) -> Range {
        Range::new(n, n)
    }

    fn around(self, other: Range) -> Range {
        Range { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    /// Whether a largest number is known.
    pub(super) fn is_bounded(self) -> bool {
        self.most < FAR
    }

    pub(super) fn has(self, n: i64) -> bool {
        self.least <= n && n <= self.most
    }

    fn of_products(self, other: Range) -> Range {
        let ends = [self.least, self.most].into_iter().flat_map(|a| [other.least, other.most].map(|b| (a, b)));
        let products = ends.map(|(a, b)| a.saturating_mul(b));
        products.map(Range::exactly).reduce(Range::around).unwrap_or(ANY)
    }
}

/// Computes ranges in one game.
#[derive(Clone, Copy)]
pub(super) struct Ranges<'r> {
    rules: &'r Ruleset,
    facts: &'r [(Local, Fact)],
    depth: u8,
}

impl<'r> Ranges<'r> {
    pub(super) fn new(rules: &'r Ruleset, facts: &'r [(Local, Fact)]) -> Self {
        Ranges { rules, facts, depth: 0 }
    }

    /// The result of a comparison, if it is constant.
    pub(super) fn always(self, op: BinaryOp, left: &Expr, right: &Expr) -> Option<bool> {
        if left == right && is_steady(left) {
            return Some(matches!(op, BinaryOp::Eq | BinaryOp::Le | BinaryOp::Ge));
        }
        // Two different constants that are not numbers, such as two symbols.
        if let (Expr::Sym(_), Expr::Sym(_)) | (Expr::Res(_), Expr::Res(_)) | (Expr::Type(_), Expr::Type(_)) =
            (left, right)
        {
            return Some(op == BinaryOp::Ne);
        }
        let (left, right) = (self.of(left), self.of(right));
        let (below, above) = (left.most < right.least, left.least > right.most);
        let (not_above, not_below) = (left.most <= right.least, left.least >= right.most);
        let yes_or_no = |yes: bool, no: bool| if yes { Some(true) } else { no.then_some(false) };
        match op {
            BinaryOp::Lt => yes_or_no(below, not_below),
            BinaryOp::Le => yes_or_no(not_above, above),
            BinaryOp::Gt => yes_or_no(above, not_above),
            BinaryOp::Ge => yes_or_no(not_below, below),
            BinaryOp::Eq => yes_or_no(not_above && not_below, below || above),
            BinaryOp::Ne => yes_or_no(below || above, not_above && not_below),
            _ => None,
        }
    }

    /// The range of an expression.
    pub(super) fn of(self, expr: &Expr) -> Range {
        if self.depth > DEEP {
            return ANY;
        }
        let deeper = Ranges { depth: self.depth + 1, ..self };
        match expr {
            Expr::Int(n) => Range::exactly(*n),
            Expr::Amount(holder, what) => self.amount(holder, what),
            Expr::Room(..) | Expr::Units(_) => NOT_NEGATIVE,
            Expr::Count(set) => self.count(set),
            Expr::Sum(_, _, body) => {
                let each = deeper.of(body);
                Range { least: if each.least < 0 { -FAR } else { 0 }, most: if each.most > 0 { FAR } else { 0 } }
            }
            // Of an empty set it is 0.
            Expr::Largest(_, _, body) | Expr::Smallest(_, _, body) => deeper.of(body).around(Range::exactly(0)),
            Expr::Min(left, right) => {
                let (left, right) = (deeper.of(left), deeper.of(right));
                Range { least: left.least.min(right.least), most: left.most.min(right.most) }
            }
            Expr::Max(left, right) => {
                let (left, right) = (deeper.of(left), deeper.of(right));
                Range { least: left.least.max(right.least), most: left.most.max(right.most) }
            }
            Expr::Negative(inner) => {
                let inner = deeper.of(inner);
                Range::new(-inner.most, -inner.least)
            }
            Expr::Binary(op, left, right) => {
                let (left, right) = (deeper.of(left), deeper.of(right));
                match op {
                    BinaryOp::Add => Range::new(left.least + right.least, left.most + right.most),
                    BinaryOp::Sub => Range::new(left.least - right.most, left.most - right.least),
                    BinaryOp::Mul => left.of_products(right),
                    BinaryOp::Div if left.least >= 0 && right.least > 0 => {
                        Range::new(left.least / right.most, left.most / right.least)
                    }
                    BinaryOp::Rem if left.least >= 0 && right.least > 0 => {
                        Range::new(0, (right.most - 1).min(left.most))
                    }
                    _ => ANY,
                }
            }
            Expr::If(_, yes, no) => deeper.of(yes).around(deeper.of(no)),
            Expr::Var(var, _) => {
                let range = self.rules.vars.get(var.index()).and_then(|var| var.range);
                range.map_or(ANY, |(least, most)| Range::new(least, most))
            }
            Expr::Value(value, _) => match self.rules.values.get(value.index()) {
                // Slots of the value's own text are different ones.
                Some(value) if !value.modified => match self.rules.exprs.get(value.base.index()) {
                    Some(base) => Ranges { facts: &[], ..deeper }.of(&base.expr),
                    None => ANY,
                },
                _ => ANY,
            },
            Expr::Local(local) => match self.facts.iter().rev().find(|(known, _)| known == local) {
                Some((_, Fact::Is(expr))) => deeper.of(expr),
                Some((_, Fact::Rolled(sides))) => Range { least: 1, most: deeper.of(sides).most.max(1) },
                None => ANY,
            },
            Expr::Bool(_) | Expr::Res(_) | Expr::Sym(_) | Expr::Type(_) | Expr::Attr(..) | Expr::ResAttr(..) => ANY,
            Expr::Property(..) | Expr::Mark(..) | Expr::Not(_) | Expr::IsType(..) | Expr::IsKind(..) => ANY,
            Expr::Contains(..) | Expr::Any(_) | Expr::First(_) | Expr::Last(_) | Expr::Top(_) => ANY,
            Expr::NextSeat(_) | Expr::PreviousSeat(_) | Expr::Opposite(_) | Expr::AtTurn | Expr::Passed(_) => ANY,
            Expr::Out(_) | Expr::Partner(_) => ANY,
            Expr::Can(..) | Expr::CanPay(_) | Expr::Query(..) => ANY,
        }
    }

    fn amount(self, holder: &Holder, what: &What) -> Range {
        let of = |res: &ResId| self.rules.resources.get(res.index()).and_then(|res| res.supply);
        // No holder has more of a limited resource than there is.
        let most = match (holder, what) {
            (_, What::Res(res)) => of(res).map(i64::from),
            (_, What::Group(group)) => {
                let members = self.rules.groups.get(group.index()).map_or(&[][..], |group| &group.members);
                members.iter().map(|res| of(res).map(i64::from)).sum()
            }
            (_, What::Of(_)) => None,
        };
        Range::new(0, most.unwrap_or(FAR))
    }

    fn count(self, set: &Set) -> Range {
        let players = i64::from(self.rules.players);
        match set {
            // Who is out does not count.
            Set::Seats | Set::Round { .. } | Set::Others(_) if self.rules.has_elimination() => Range::new(0, players),
            Set::Team(_) => Range::new(0, players),
            Set::Seats | Set::Round { .. } => Range::exactly(players),
            Set::Others(_) => Range::exactly(players - 1),
            Set::Resources(group) => {
                let members = self.rules.groups.get(group.index()).map(|group| group.members.len() as i64);
                members.map_or(NOT_NEGATIVE, Range::exactly)
            }
            Set::Listed(members) => Range::new(0, members.len() as i64),
            Set::Combined(Combination::Intersection | Combination::Difference, one, _) => {
                Range { least: 0, ..self.count(one) }
            }
            Set::Filter { base, .. } | Set::While { base, .. } | Set::Until { base, .. } => {
                Range { least: 0, ..self.count(base) }
            }
            Set::Zone(_) | Set::InPlay { .. } | Set::Cells(_) | Set::FreeCells(_) => NOT_NEGATIVE,
            Set::Neighbours(_) | Set::Line(..) | Set::Through(..) | Set::Connected(..) => NOT_NEGATIVE,
            Set::Directions(_) | Set::DirectionsFrom(_) => NOT_NEGATIVE,
            Set::At(_) | Set::On(_) | Set::Adjacent(..) | Set::AdjacentToAll(..) => NOT_NEGATIVE,
            Set::Attached(_) | Set::One(_) | Set::Named(..) | Set::Kept(_) | Set::Types(_) => NOT_NEGATIVE,
            Set::Symbols(_) | Set::Numbers(..) | Set::Combined(..) | Set::OfEach { .. } => NOT_NEGATIVE,
        }
    }
}

/// Whether an expression has the same value when it is evaluated twice in a row.
fn is_steady(expr: &Expr) -> bool {
    !expr.has(&mut |part| matches!(part, Expr::Query(..)))
}
