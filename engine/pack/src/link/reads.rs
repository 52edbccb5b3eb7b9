//! The parts of the table that an expression reads: a change of any other part cannot change its value.

use std::cell::Cell;

use rulepack_expr::{Expr, Set, Term, Visitor, ZoneRef};
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
        self.deeper(|reads| reads.found(|found| found.expr(&reads.rules.expr(id).expr)))
    }

    fn value(self, value: ValueId) -> Parts {
        let Some(declared) = self.rules.values.get(value.index()) else { return self.anything() };
        let modifiers = self.rules.types.iter().flat_map(|ty| &ty.modifies);
        let modifiers = modifiers.filter(|modifier| modifier.value == value).map(|modifier| {
            let when = modifier.when.map_or(Parts::NONE, |when| self.compiled(when));
            let of = modifier.of.as_ref().map_or(Parts::NONE, |of| self.found(|found| found.set(&of.set)));
            self.compiled(modifier.by).union(when).union(of).union(Parts::IN_PLAY)
        });
        modifiers.collect::<Parts>().union(self.compiled(declared.base))
    }

    /// What is looked at by whatever is visited.
    fn found(self, visit: impl FnOnce(&mut Found<'r>)) -> Parts {
        let mut found = Found { reads: self, parts: Parts::NONE };
        visit(&mut found);
        found.parts
    }

    fn kept_cost(self, cost: CostId) -> Parts {
        self.deeper(|reads| reads.found(|found| found.cost(&reads.rules.cost(cost).cost)))
    }

    /// What an expression looks at by itself, besides what its parts look at.
    fn of_expr(self, expr: &Expr) -> Parts {
        match expr {
            Expr::Int(_) | Expr::Bool(_) | Expr::Res(_) | Expr::Sym(_) | Expr::Type(_) | Expr::Local(_) => Parts::NONE,
            // When a piece comes or goes, the stock on it does too.
            Expr::Amount(..) | Expr::CanPay(_) => Parts::RESOURCES.union(PIECES),
            // Whether something can be done, and what a script reads, is not followed.
            Expr::Room(..) | Expr::Can(..) | Expr::Query(..) => self.anything(),
            Expr::Attr(_, attr) => {
                let texts = self.rules.types.iter().filter_map(|ty| match ty.attrs.get(attr.0 as usize) {
                    Some(Some(AttrValue::Expr(expr))) => Some(self.compiled(*expr)),
                    _ => None,
                });
                texts.collect()
            }
            Expr::ResAttr(..) => {
                let texts = self.rules.resources.iter().flat_map(|resource| &resource.attrs);
                let texts = texts.filter_map(|attr| match attr {
                    Some(AttrValue::Expr(expr)) => Some(self.compiled(*expr)),
                    _ => None,
                });
                texts.collect()
            }
            Expr::Built(..) => PIECES,
            Expr::Value(value, _) => self.value(*value),
            Expr::Var(..) => Parts::VARS,
            Expr::Passed(_) => Parts::TURN,
            Expr::Mark(..)
            | Expr::Negative(_)
            | Expr::Not(_)
            | Expr::IsType(..)
            | Expr::IsKind(..)
            | Expr::NextSeat(_)
            | Expr::PreviousSeat(_)
            | Expr::Binary(..)
            | Expr::Min(..)
            | Expr::Max(..)
            | Expr::If(..)
            | Expr::Contains(..)
            | Expr::Any(_)
            | Expr::Count(_)
            | Expr::First(_)
            | Expr::Last(_)
            | Expr::Top(_)
            | Expr::Sum(..)
            | Expr::Largest(..)
            | Expr::Smallest(..)
            | Expr::Units(_) => Parts::NONE,
        }
    }

    /// What a set looks at by itself, besides what its parts look at.
    fn of_set(self, set: &Set) -> Parts {
        match set {
            Set::Cells(_) | Set::FreeCells(_) | Set::At(_) | Set::Attached(_) | Set::On(_) | Set::AdjacentToAll(..) => {
                PIECES
            }
            Set::InPlay { .. } => Parts::IN_PLAY,
            Set::Zone(_)
            | Set::Neighbours(_)
            | Set::Adjacent(..)
            | Set::One(_)
            | Set::Others(_)
            | Set::Resources(_)
            | Set::Seats
            | Set::Filter { .. } => Parts::NONE,
        }
    }

    /// What a term of a cost looks at by itself.
    fn of_term(self, term: &Term) -> Parts {
        match term {
            Term::Counted(..) => Parts::NONE,
            Term::Attr(_, attr) => {
                let of_types = self.rules.types.iter().map(|ty| &ty.attrs);
                let all = of_types.chain(self.rules.resources.iter().map(|resource| &resource.attrs));
                let costs = all.filter_map(|attrs| match attrs.get(attr.0 as usize) {
                    Some(Some(AttrValue::Cost(cost))) => Some(self.kept_cost(*cost)),
                    _ => None,
                });
                costs.collect()
            }
            Term::Surcharge(_) => {
                let costs = self.rules.zones.iter().flat_map(|zone| &zone.surcharge);
                costs.map(|cost| self.kept_cost(*cost)).collect::<Parts>().union(PIECES)
            }
        }
    }
}

/// Adds up what is looked at.
struct Found<'r> {
    reads: Reads<'r>,
    parts: Parts,
}

impl Found<'_> {
    fn add(&mut self, parts: Parts) {
        self.parts = self.parts.union(parts);
    }
}

impl Visitor for Found<'_> {
    fn expr(&mut self, expr: &Expr) {
        self.add(self.reads.of_expr(expr));
        expr.visit_parts(self);
    }

    fn set(&mut self, set: &Set) {
        self.add(self.reads.of_set(set));
        set.visit_parts(self);
    }

    fn zone(&mut self, zone: &ZoneRef) {
        let in_play = self.reads.rules.zone(zone.zone).in_play;
        self.add(if in_play { Parts::IN_PLAY } else { Parts::ELSEWHERE });
        zone.visit_parts(self);
    }

    fn term(&mut self, term: &Term) {
        self.add(self.reads.of_term(term));
        term.visit_parts(self);
    }
}
