//! Standing rules: looked at after every change, such as who holds a contested token, or a victory in the middle of a
//! turn.

use rulepack_expr::{Expr, Set, Ty, ZoneRef};
use rulepack_kernel::Ruleset;
use rulepack_kernel::ruleset::{AttrValue, Standing};
use rulepack_model::{Diagnostic, did_you_mean};

use super::Linker;
use super::compile::Scope;
use super::fields::Fields;

impl Linker<'_> {
    pub(crate) fn link_standing(&mut self) {
        for (id, _) in self.ids("standing") {
            let path = format!("standing.{id}");
            let Some(node) = self.definitions.get("standing", &id).cloned() else { continue };
            let mut out = Vec::new();
            let Some(mut fields) = Fields::of(&node, path.clone(), &mut out) else {
                self.out.extend(out);
                continue;
            };
            let each = match fields.text("of", &mut out) {
                None | Some("game") => false,
                Some("player") => true,
                Some(other) => {
                    let at = fields.get("of").map_or(node.span, |node| node.span);
                    let help = did_you_mean(other, ["player", "game"])
                        .unwrap_or_else(|| "write \"player\" (looked at for each) or \"game\"".into());
                    let message = format!("a standing rule cannot be of `{other}`");
                    out.push(Diagnostic::error("wrong-value", message).at(at).help(help));
                    false
                }
            };
            let (when, effect) = (fields.need("when", &mut out).cloned(), fields.need("effect", &mut out).cloned());
            fields.also(&["title", "text", "only_in"]);
            fields.done(&mut out);
            self.out.extend(out);
            let when = when.and_then(|when| self.expr(&when, &format!("{path} when"), &Scope::default(), Ty::Bool));
            let effect = effect.and_then(|effect| self.effect(&effect, &format!("{path} effect"), &Scope::default()));
            if let (Some(when), Some(effect)) = (when, effect) {
                let reads_resources = Reads { rules: &self.rules, depth: 0 }.expr(&self.rules.exprs[when.index()].expr);
                self.rules.standing.push(Standing { name: id, each, when, effect, reads_resources });
            }
        }
    }
}

/// Whether an expression looks at resources.
#[derive(Clone, Copy)]
struct Reads<'r> {
    rules: &'r Ruleset,
    depth: u8,
}

impl Reads<'_> {
    /// Values may build on values; what is too deep to be followed may look at anything.
    fn deeper(self, look: impl FnOnce(Self) -> bool) -> bool {
        self.depth > 16 || look(Reads { depth: self.depth + 1, ..self })
    }

    fn expr(self, expr: &Expr) -> bool {
        match expr {
            Expr::Int(_) | Expr::Bool(_) | Expr::Res(_) | Expr::Sym(_) | Expr::Type(_) | Expr::Local(_) => false,
            Expr::Amount(..) | Expr::Room(..) | Expr::CanPay(_) | Expr::Can(..) | Expr::Query(..) => true,
            Expr::Attr(base, attr) => {
                let texts = self.rules.types.iter().filter_map(|ty| match ty.attrs.get(attr.0 as usize) {
                    Some(Some(AttrValue::Expr(expr))) => Some(*expr),
                    _ => None,
                });
                let mut texts = texts.map(|text| &self.rules.exprs[text.index()].expr);
                self.expr(base) || texts.any(|text| self.deeper(|reads| reads.expr(text)))
            }
            Expr::ResAttr(base, attr) => {
                let texts = self.rules.resources.iter().filter_map(|res| match res.attrs.get(attr.0 as usize) {
                    Some(Some(AttrValue::Expr(expr))) => Some(*expr),
                    _ => None,
                });
                let mut texts = texts.map(|text| &self.rules.exprs[text.index()].expr);
                self.expr(base) || texts.any(|text| self.deeper(|reads| reads.expr(text)))
            }
            Expr::Built(_, base) | Expr::Mark(_, base) => self.expr(base),
            Expr::Value(value, subject) => {
                let Some(declared) = self.rules.values.get(value.index()) else { return true };
                let modifiers = self.rules.types.iter().flat_map(|ty| &ty.modifies);
                let mut modifiers = modifiers.filter(|modifier| modifier.value == *value);
                let compiled =
                    |id: rulepack_model::ExprId| self.deeper(|reads| reads.expr(&self.rules.exprs[id.index()].expr));
                self.expr(subject)
                    || compiled(declared.base)
                    || modifiers.any(|modifier| {
                        compiled(modifier.by)
                            || modifier.when.is_some_and(compiled)
                            || modifier.of.as_ref().is_some_and(|(set, _)| self.set(set))
                    })
            }
            Expr::Var(_, owner) => owner.as_ref().is_some_and(|owner| self.expr(owner)),
            Expr::Negative(inner)
            | Expr::Not(inner)
            | Expr::IsType(inner, _)
            | Expr::IsKind(inner, _)
            | Expr::NextSeat(inner)
            | Expr::PreviousSeat(inner)
            | Expr::Passed(inner) => self.expr(inner),
            Expr::Binary(_, left, right) | Expr::Min(left, right) | Expr::Max(left, right) => {
                self.expr(left) || self.expr(right)
            }
            Expr::If(cond, yes, no) => self.expr(cond) || self.expr(yes) || self.expr(no),
            Expr::Contains(set, inner) => self.set(set) || self.expr(inner),
            Expr::Any(set) | Expr::Count(set) | Expr::First(set) | Expr::Last(set) => self.set(set),
            Expr::Sum(set, _, body) | Expr::Largest(set, _, body) | Expr::Smallest(set, _, body) => {
                self.set(set) || self.expr(body)
            }
        }
    }

    fn zone(self, zone: &ZoneRef) -> bool {
        zone.owner.as_ref().is_some_and(|owner| self.expr(owner))
    }

    fn set(self, set: &Set) -> bool {
        match set {
            Set::Zone(zone) | Set::Cells(zone) | Set::FreeCells(zone) => self.zone(zone),
            Set::InPlay { owner, .. } => owner.as_ref().is_some_and(|owner| self.expr(owner)),
            Set::Neighbours(inner)
            | Set::At(inner)
            | Set::Attached(inner)
            | Set::Others(inner)
            | Set::Adjacent(_, inner) => self.expr(inner),
            Set::On(cells) => self.set(cells),
            Set::Resources(_) | Set::Seats => false,
            Set::Filter { base, cond, .. } => self.set(base) || self.expr(cond),
        }
    }
}
