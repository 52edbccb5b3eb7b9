//! The parts of the table that an expression reads: a change of any other part cannot change its value.

use std::cell::Cell;

use rulepack_expr::{Cost, Expr, Holder, Set, Term, What, ZoneRef};
use rulepack_kernel::ruleset::AttrValue;
use rulepack_kernel::{Parts, Ruleset};
use rulepack_model::{CostId, ExprId, ValueId};

// Where pieces and spaces are, and what lies there.
const PIECES: Parts = Parts::IN_PLAY.union(Parts::ELSEWHERE);

/// What an expression reads.
#[derive(Clone, Copy)]
pub(crate) struct Reads<'r> {
    rules: &'r Ruleset,
    /// Whether all of it could be followed.
    is_known: &'r Cell<bool>,
    depth: u8,
}

impl<'r> Reads<'r> {
    pub(crate) fn new(rules: &'r Ruleset, is_known: &'r Cell<bool>) -> Self {
        Reads { rules, is_known, depth: 0 }
    }

    /// Values may depend on values; beyond this depth, an expression counts as reading everything.
    fn deeper(self, look: impl FnOnce(Self) -> Parts) -> Parts {
        if self.depth > 16 || !self.is_known.get() {
            self.anything()
        } else {
            look(Reads { depth: self.depth.saturating_add(1), ..self })
        }
    }

    fn anything(self) -> Parts {
        self.is_known.set(false);
        Parts::ALL
    }

    pub(crate) fn compiled(self, id: ExprId) -> Parts {
        self.deeper(|reads| reads.expr(&reads.rules.expr(id).expr))
    }

    fn all<'e>(self, parts: impl IntoIterator<Item = &'e Expr>) -> Parts {
        parts.into_iter().map(|part| self.expr(part)).collect()
    }

    fn value(self, value: ValueId) -> Parts {
        let Some(declared) = self.rules.values.get(value.index()) else { return self.anything() };
        let modifiers = self.rules.types.iter().flat_map(|ty| &ty.modifies);
        let modifiers = modifiers.filter(|modifier| modifier.value == value).map(|modifier| {
            let when = modifier.when.map_or(Parts::NONE, |when| self.compiled(when));
            let of = modifier.of.as_ref().map_or(Parts::NONE, |of| self.set(&of.set));
            self.compiled(modifier.by).union(when).union(of).union(Parts::IN_PLAY)
        });
        modifiers.collect::<Parts>().union(self.compiled(declared.base))
    }

    fn expr(self, expr: &Expr) -> Parts {
        match expr {
            Expr::Int(_) | Expr::Bool(_) | Expr::Res(_) | Expr::Sym(_) | Expr::Type(_) | Expr::Local(_) => Parts::NONE,
            // When a piece comes or goes, the stock on it does too.
            Expr::Amount(holder, what) => {
                let holder = match holder {
                    Holder::Seat(of) | Holder::Piece(of) => self.expr(of),
                    Holder::Supply => Parts::NONE,
                };
                Parts::RESOURCES.union(PIECES).union(holder).union(self.what(what))
            }
            Expr::CanPay(cost) => Parts::RESOURCES.union(PIECES).union(self.cost(cost)),
            Expr::Units(cost) => self.cost(cost),
            // Whether something can be done, and what a script reads, is not followed.
            Expr::Room(..) | Expr::Can(..) | Expr::Query(..) => self.anything(),
            Expr::Attr(base, attr) => {
                let texts = self.rules.types.iter().filter_map(|ty| match ty.attrs.get(attr.0 as usize) {
                    Some(Some(AttrValue::Expr(expr))) => Some(self.compiled(*expr)),
                    _ => None,
                });
                texts.collect::<Parts>().union(self.expr(base))
            }
            Expr::ResAttr(base, _) => {
                let texts = self.rules.resources.iter().flat_map(|resource| &resource.attrs);
                let texts = texts.filter_map(|attr| match attr {
                    Some(AttrValue::Expr(expr)) => Some(self.compiled(*expr)),
                    _ => None,
                });
                texts.collect::<Parts>().union(self.expr(base))
            }
            Expr::Mark(_, base) => self.expr(base),
            Expr::Built(_, base) => self.expr(base).union(PIECES),
            Expr::Value(value, subject) => self.value(*value).union(self.expr(subject)),
            Expr::Var(_, owner) => Parts::VARS.union(self.all(owner.as_deref())),
            Expr::Negative(inner)
            | Expr::Not(inner)
            | Expr::IsType(inner, _)
            | Expr::IsKind(inner, _)
            | Expr::NextSeat(inner)
            | Expr::PreviousSeat(inner) => self.expr(inner),
            Expr::Passed(inner) => Parts::TURN.union(self.expr(inner)),
            Expr::Binary(_, left, right) | Expr::Min(left, right) | Expr::Max(left, right) => {
                self.expr(left).union(self.expr(right))
            }
            Expr::If(cond, yes, no) => self.expr(cond).union(self.expr(yes)).union(self.expr(no)),
            Expr::Contains(set, inner) => self.set(set).union(self.expr(inner)),
            Expr::Any(set) | Expr::Count(set) | Expr::First(set) | Expr::Last(set) => self.set(set),
            Expr::Top(zone) => self.zone(zone),
            Expr::Sum(set, _, body) | Expr::Largest(set, _, body) | Expr::Smallest(set, _, body) => {
                self.set(set).union(self.expr(body))
            }
        }
    }

    fn cost(self, cost: &Cost) -> Parts {
        let terms = cost.terms.iter().map(|term| match term {
            Term::Counted(amount, what) => self.expr(amount).union(self.what(what)),
            Term::Attr(base, attr) => {
                let of_types = self.rules.types.iter().map(|ty| &ty.attrs);
                let all = of_types.chain(self.rules.resources.iter().map(|resource| &resource.attrs));
                let costs = all.filter_map(|attrs| match attrs.get(attr.0 as usize) {
                    Some(Some(AttrValue::Cost(cost))) => Some(self.kept_cost(*cost)),
                    _ => None,
                });
                costs.collect::<Parts>().union(self.expr(base))
            }
            Term::Surcharge(piece) => {
                let costs = self.rules.zones.iter().flat_map(|zone| &zone.surcharge);
                costs.map(|cost| self.kept_cost(*cost)).collect::<Parts>().union(PIECES).union(self.expr(piece))
            }
        });
        terms.collect::<Parts>().union(self.all(cost.less.as_deref()))
    }

    fn kept_cost(self, cost: CostId) -> Parts {
        self.deeper(|reads| reads.cost(&reads.rules.cost(cost).cost))
    }

    fn what(self, what: &What) -> Parts {
        match what {
            What::Of(of) => self.expr(of),
            What::Res(_) | What::Group(_) => Parts::NONE,
        }
    }

    fn zone(self, zone: &ZoneRef) -> Parts {
        let in_play = self.rules.zone(zone.zone).in_play;
        let pieces = if in_play { Parts::IN_PLAY } else { Parts::ELSEWHERE };
        pieces.union(self.all(zone.owner.as_deref()))
    }

    fn set(self, set: &Set) -> Parts {
        match set {
            Set::Zone(zone) => self.zone(zone),
            Set::Cells(zone) | Set::FreeCells(zone) => PIECES.union(self.all(zone.owner.as_deref())),
            Set::InPlay { owner, .. } => Parts::IN_PLAY.union(self.all(owner.as_deref())),
            Set::Neighbours(inner) | Set::Adjacent(_, inner) => self.expr(inner),
            Set::At(inner) | Set::Attached(inner) => PIECES.union(self.expr(inner)),
            Set::One(inner) => self.expr(inner),
            Set::Others(inner) => self.expr(inner),
            Set::On(cells) | Set::AdjacentToAll(_, cells) => PIECES.union(self.set(cells)),
            Set::Resources(_) | Set::Seats => Parts::NONE,
            Set::Filter { base, cond, .. } => self.set(base).union(self.expr(cond)),
        }
    }
}
