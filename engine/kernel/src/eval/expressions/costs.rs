//! Costs: which resources, and how many of each.
//!
//! Whether a player can pay them is decided in `flow/feasible/payments.rs`.

use rulepack_expr::{Cost, Term};
use rulepack_model::{CostId, PieceId, Seat};

use super::{Eval, Locals, slots};
use crate::eval::bundle::Bundle;
use crate::rules::ruleset::AttrValue;
use crate::state::value::Value;

impl Eval<'_> {
    /// The resources of a cost.
    pub fn bundle(&self, cost: &Cost, locals: &mut Locals) -> Bundle {
        let mut bundle = Bundle::default();
        self.add_to_bundle(cost, locals, &mut bundle);
        bundle
    }

    fn add_to_bundle(&self, cost: &Cost, locals: &mut Locals, bundle: &mut Bundle) {
        if let Some(less) = &cost.less {
            let less = self.int(less, locals);
            self.kept_in(bundle.leave_out_more(less));
        }
        for term in &cost.terms {
            match term {
                Term::Counted(amount, what) => {
                    let amount = self.int(amount, locals);
                    self.kept_in(bundle.add(self.kinds(what, locals), amount));
                }
                Term::Attr(base, attr) => {
                    let (attrs, this) = match self.expr(base, locals) {
                        Value::Piece(piece) => {
                            (&self.rules.types[self.rules.type_of(piece).index()].attrs, Some(piece))
                        }
                        Value::Type(ty) => (&self.rules.types[ty.index()].attrs, None),
                        Value::Res(res) => (&self.rules.resources[res.index()].attrs, None),
                        _ => continue,
                    };
                    if let Some(AttrValue::Cost(cost)) = attrs.get(attr.0 as usize).copied().flatten() {
                        self.add_compiled(cost, locals[0].seat(), this, bundle);
                    }
                }
                Term::Surcharge(piece) => {
                    let Some(piece) = self.expr(piece, locals).piece() else { continue };
                    let cell = self.state.cell_of(piece);
                    if let Some(cost) = self.rules.zone_of(cell.zone).surcharge.get(cell.at as usize) {
                        self.add_compiled(*cost, locals[0].seat(), Some(piece), bundle);
                    }
                }
            }
        }
    }

    fn add_compiled(&self, cost: CostId, me: Option<Seat>, this: Option<PieceId>, bundle: &mut Bundle) {
        let compiled = &self.rules.costs[cost.index()];
        let mut inner = slots(me, this, &[], compiled.locals);
        if let Some(eval) = self.one_deeper() {
            eval.add_to_bundle(&compiled.cost, &mut inner, bundle);
        }
    }
}
