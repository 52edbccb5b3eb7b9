//! Whether a text reads a variable or an amount that is hidden from a player, so that a question which depends on it must be asked
//! whatever the value is. Where it cannot be told, the answer is yes. Only games that hide values ask.

use rulepack_expr::{Cost, Expr, Holder, Op, Set, Term, Visitor, What};
use rulepack_model::{ActionId, GroupId, ResId};

use crate::rules::ruleset::{AttrValue, Audience, Ruleset, Type};

/// Values and sets may name others; beyond this depth a text counts as one that reads something hidden.
const MAX_DEPTH: u8 = 12;

struct Reads<'r> {
    rules: &'r Ruleset,
    found: bool,
    depth: u8,
}

impl Reads<'_> {
    fn resource(&mut self, res: ResId) {
        self.found |= self.rules.resource(res).visible != Audience::All;
    }

    fn group(&mut self, group: GroupId) {
        self.rules.group(group).members.iter().for_each(|res| self.resource(*res));
    }

    fn what(&mut self, what: &What) {
        match what {
            What::Res(res) => self.resource(*res),
            What::Group(group) => self.group(*group),
            What::Of(_) => self.found |= self.rules.resources.iter().any(|res| res.visible != Audience::All),
        }
    }

    fn deeper(&mut self, visit: impl FnOnce(&mut Self)) {
        if self.depth >= MAX_DEPTH {
            self.found = true;
            return;
        }
        self.depth += 1;
        visit(self);
        self.depth -= 1;
    }
}

impl Visitor for Reads<'_> {
    fn expr(&mut self, expr: &Expr) {
        if self.found {
            return;
        }
        match expr {
            Expr::Var(var, _) => self.found |= self.rules.var(*var).visible != Audience::All,
            Expr::Amount(Holder::Seat(_), what) => self.what(what),
            Expr::Value(value, _) => {
                let base = self.rules.value(*value).base;
                let rules = self.rules;
                self.deeper(|reads| reads.expr(&rules.expr(base).expr));
                self.found |= rules.value(*value).modified;
            }
            Expr::Query(..) | Expr::Can(..) | Expr::Room(..) => self.found = true,
            // The value of an attribute can be a text, which may read anything.
            Expr::Attr(_, attr) => {
                let is_text = |ty: &Type| matches!(ty.attrs.get(usize::from(attr.0)), Some(Some(AttrValue::Expr(_))));
                self.found |= self.rules.types.iter().any(is_text);
            }
            // What their parts read is looked at below, with sets and costs.
            Expr::Int(_)
            | Expr::Bool(_)
            | Expr::Res(_)
            | Expr::Sym(_)
            | Expr::Type(_)
            | Expr::Local(_)
            | Expr::Amount(Holder::Piece(_) | Holder::Supply, _)
            | Expr::ResAttr(..)
            | Expr::Property(..)
            | Expr::Mark(..)
            | Expr::Negative(_)
            | Expr::Not(_)
            | Expr::Binary(..)
            | Expr::If(..)
            | Expr::IsType(..)
            | Expr::IsKind(..)
            | Expr::Contains(..)
            | Expr::Any(_)
            | Expr::Count(_)
            | Expr::Sum(..)
            | Expr::Largest(..)
            | Expr::Smallest(..)
            | Expr::First(_)
            | Expr::Last(_)
            | Expr::Top(_)
            | Expr::Min(..)
            | Expr::Max(..)
            | Expr::NextSeat(_)
            | Expr::PreviousSeat(_)
            | Expr::Opposite(_)
            | Expr::AtTurn
            | Expr::Passed(_)
            | Expr::Out(_)
            | Expr::Partner(_)
            | Expr::CanPay(_)
            | Expr::Units(_) => {}
        }
        expr.visit_parts(self);
    }

    fn set(&mut self, set: &Set) {
        if self.found {
            return;
        }
        if let Set::Named(id, ..) = set {
            let rules = self.rules;
            self.deeper(|reads| reads.set(&rules.sets[id.index()].set));
        }
        // What a name stands for was found before.
        self.found |= matches!(set, Set::Kept(_));
        set.visit_parts(self);
    }

    fn cost(&mut self, cost: &Cost) {
        for term in &cost.terms {
            match term {
                Term::Counted(_, what) => self.what(what),
                Term::Attr(..) | Term::Surcharge(_) => {
                    self.found |= self.rules.resources.iter().any(|res| res.visible != Audience::All);
                }
            }
        }
        cost.visit_parts(self);
    }
}

impl Ruleset {
    fn reads(&self, visit: impl FnOnce(&mut Reads<'_>)) -> bool {
        if !self.has_secrets() {
            return false;
        }
        let mut reads = Reads { rules: self, found: false, depth: 0 };
        visit(&mut reads);
        reads.found
    }

    /// Whether the members of a set depend on a hidden value.
    #[inline]
    pub(crate) fn set_reads_secrets(&self, set: &Set) -> bool {
        self.has_secrets() && self.reads(|reads| reads.set(set))
    }

    /// Whether some operations of an effect depend on a hidden value.
    pub(crate) fn ops_read_secrets(&self, ops: &[Op]) -> bool {
        self.reads(|reads| {
            for op in ops {
                // The effect of a piece, an action or a script may read anything.
                reads.found |= matches!(op, Op::Use { .. } | Op::Perform { .. } | Op::Script { .. });
                op.visit_parts(reads);
            }
        })
    }

    /// Whether an action is possible or not depends on a hidden value.
    pub(crate) fn action_reads_secrets(&self, id: ActionId) -> bool {
        let action = self.action(id);
        let of_action = self.reads(|reads| {
            action.requires.iter().for_each(|requires| reads.expr(requires));
            action.params.iter().for_each(|param| reads.set(&param.set));
            action.costs.iter().for_each(|(cost, _)| reads.cost(cost));
        });
        let effect = || action.effect.is_some_and(|effect| self.ops_read_secrets(&self.program(effect).program.ops));
        of_action || self.has_secrets() && effect()
    }
}
