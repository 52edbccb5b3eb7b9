//! Costs compiled to functions: most are the same every time.

use rulepack_expr::{AttrId, Cost, Expr, Term};

use super::stock::Counted;
use super::{Number, Source, number};
use crate::eval::bundle::{Bundle, Kept};
use crate::eval::expressions::{Eval, Locals};
use crate::rules::ruleset::{AttrValue, Ruleset};
use crate::rules::shortcuts::Shortcut;
use crate::state::value::Value;

/// A compiled cost.
pub(crate) struct Price {
    /// The part that is the same every time.
    fixed: Bundle,
    terms: Vec<Part>,
    less: Option<Number>,
    /// Its price in the budget, which is more than 0 only for long texts.
    effort: u32,
    /// As it was written.
    cost: Cost,
}

/// A part of a cost that varies.
enum Part {
    Counted(Number, Counted),
    Attr(Source, AttrId),
    Surcharge(Source),
}

impl Price {
    pub(crate) fn new(rules: &Ruleset, cost: &Cost) -> Price {
        let mut price = Price {
            fixed: Bundle::default(),
            terms: Vec::new(),
            less: cost.less.as_deref().map(|less| number(rules, less)),
            effort: u32::try_from(cost.terms.len() / 16).unwrap_or(u32::MAX),
            cost: cost.clone(),
        };
        for term in &cost.terms {
            let part = match term {
                Term::Counted(amount, what) => {
                    let counted = Counted::new(rules, what);
                    // Later parts are added to earlier ones.
                    if let (Expr::Int(amount), Counted::These(kinds), true) = (amount, &counted, price.terms.is_empty())
                        && price.fixed.add(*kinds, *amount) == Kept::Exactly
                    {
                        continue;
                    }
                    Part::Counted(number(rules, amount), counted)
                }
                Term::Attr(base, attr) => Part::Attr(Source::new(rules, base), *attr),
                Term::Surcharge(piece) => Part::Surcharge(Source::new(rules, piece)),
            };
            price.terms.push(part);
        }
        price
    }

    /// The resources of the cost.
    pub(crate) fn bundle(&self, eval: &Eval<'_>, locals: &mut Locals) -> Bundle {
        if !eval.rules.shortcuts.takes(Shortcut::CompiledTexts) {
            return eval.bundle(&self.cost, locals);
        }
        let mut bundle = self.fixed.clone();
        let _ = eval.state.fuel().burn(self.effort);
        self.add_rest(eval, locals, &mut bundle);
        let both = || (bundle.clone(), eval.bundle(&self.cost, locals));
        eval.state.compare("the price is what the cost says", both);
        bundle
    }

    fn add_to(&self, eval: &Eval<'_>, locals: &mut Locals, bundle: &mut Bundle) {
        if bundle.parts.is_empty() && bundle.less == 0 {
            *bundle = self.fixed.clone();
        } else {
            for (kinds, amount) in &self.fixed.parts {
                eval.kept_in(bundle.add(*kinds, i64::from(*amount)));
            }
        }
        self.add_rest(eval, locals, bundle);
    }

    /// Whether it is always the same.
    #[inline]
    fn is_fixed(&self) -> bool {
        self.terms.is_empty() && self.less.is_none()
    }

    #[inline]
    fn add_rest(&self, eval: &Eval<'_>, locals: &mut Locals, bundle: &mut Bundle) {
        if !self.is_fixed() {
            self.add_terms(eval, locals, bundle);
        }
    }

    #[inline(never)]
    fn add_terms(&self, eval: &Eval<'_>, locals: &mut Locals, bundle: &mut Bundle) {
        if let Some(less) = &self.less {
            let less = less(eval, locals);
            eval.kept_in(bundle.leave_out_more(less));
        }
        for term in &self.terms {
            match term {
                Part::Counted(amount, counted) => {
                    let amount = amount(eval, locals);
                    eval.kept_in(bundle.add(counted.get(eval, locals), amount));
                }
                Part::Attr(base, attr) => {
                    let base = base.get(eval, locals);
                    let value = match base {
                        Value::Piece(piece) => eval.rules.attr(eval.rules.type_of(piece), *attr),
                        Value::Type(ty) => eval.rules.attr(ty, *attr),
                        Value::Res(res) => {
                            eval.rules.resources[res.index()].attrs.get(attr.0 as usize).copied().flatten()
                        }
                        _ => continue,
                    };
                    if let Some(AttrValue::Cost(cost)) = value {
                        eval.add_price(cost, locals[0].seat(), base.piece(), bundle);
                    }
                }
                Part::Surcharge(piece) => {
                    let Some(piece) = piece.get(eval, locals).piece() else { continue };
                    let cell = eval.state.cell_of(piece);
                    if let Some(cost) = eval.rules.zone_of(cell.zone).surcharge.get(cell.at as usize) {
                        eval.add_price(*cost, locals[0].seat(), Some(piece), bundle);
                    }
                }
            }
        }
    }
}

impl Eval<'_> {
    /// Adds the amount that a text of a piece computes.
    fn add_price(
        &self,
        cost: rulepack_model::CostId,
        me: Option<rulepack_model::Seat>,
        this: Option<rulepack_model::PieceId>,
        bundle: &mut Bundle,
    ) {
        let compiled = &self.rules.costs[cost.index()];
        let price = compiled.price(self.rules);
        let Some(eval) = self.one_deeper() else { return };
        if price.is_fixed() {
            return price.add_to(&eval, &mut [], bundle);
        }
        price.add_to(&eval, &mut crate::eval::expressions::slots(me, this, &[], compiled.locals), bundle);
    }
}
