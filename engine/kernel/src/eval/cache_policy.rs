//! Which results are not cached because computing them is faster.

use rulepack_expr::{AttrId, Expr, Set};

use crate::rules::ruleset::{AttrValue, DerivedValue, Ruleset};

impl Ruleset {
    /// Derived values without modifiers that cost next to nothing: they walk no zone and need no other value. A value
    /// that needs other values is cached; otherwise a value that needs two others, each of which needs two others,
    /// would take exponential time.
    pub(crate) fn plain_values(&self) -> Vec<bool> {
        let is_cheap = |value: &DerivedValue| self.is_cheap(&self.exprs[value.base.index()].expr);
        self.values.iter().map(|value| !value.modified && is_cheap(value)).collect()
    }

    fn is_cheap(&self, expr: &Expr) -> bool {
        match expr {
            Expr::Int(_) | Expr::Bool(_) | Expr::Res(_) | Expr::Sym(_) | Expr::Type(_) | Expr::Local(_) => true,
            Expr::Var(_, owner) => owner.as_deref().is_none_or(|owner| self.is_cheap(owner)),
            Expr::Attr(of, attr) => self.is_plain_attr(*attr) && self.is_cheap(of),
            Expr::Property(_, of) | Expr::Mark(_, of) | Expr::IsType(of, _) | Expr::IsKind(of, _) => self.is_cheap(of),
            Expr::Not(of) | Expr::Negative(of) => self.is_cheap(of),
            Expr::Binary(_, left, right) => self.is_cheap(left) && self.is_cheap(right),
            Expr::If(cond, yes, no) => self.is_cheap(cond) && self.is_cheap(yes) && self.is_cheap(no),
            Expr::Any(set) | Expr::Count(set) | Expr::First(set) => self.is_small(set),
            _ => false,
        }
    }

    /// Whether an attribute is never computed.
    fn is_plain_attr(&self, attr: AttrId) -> bool {
        let is_text = |attr: Option<&Option<AttrValue>>| matches!(attr, Some(Some(AttrValue::Expr(_))));
        !self.types.iter().any(|ty| is_text(ty.attrs.get(attr.0 as usize)))
    }

    /// Whether a set hardly ever has more than one member.
    fn is_small(&self, set: &Set) -> bool {
        match set {
            Set::At(of) | Set::Attached(of) | Set::One(of) => self.is_cheap(of),
            Set::Filter { base, cond, .. } => self.is_small(base) && self.is_cheap(cond),
            _ => false,
        }
    }
}
