//! Standing rules: looked at after every change, such as who holds a contested token, or a victory in the middle of a
//! turn.

use rulepack_expr::{Expr, Set, Ty};
use rulepack_kernel::ruleset::{AttrValue, Standing};
use rulepack_kernel::{Parts, Ruleset};
use rulepack_model::{Diagnostic, ExprId, did_you_mean};

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
            let when = fields.need_as("when", "say when it applies: `when = \"my.… > 5\"`", &mut out).cloned();
            let effect = fields.need_as("effect", "say what happens then: `effect = \"…\"`", &mut out).cloned();
            fields.also(&["title", "text", "only_in"]);
            fields.done(&mut out);
            self.out.extend(out);
            let when = when.and_then(|when| self.expr(&when, &format!("{path} when"), &Scope::default(), Ty::Bool));
            let effect = effect.and_then(|effect| self.effect(&effect, &format!("{path} effect"), &Scope::default()));
            if let (Some(when), Some(effect)) = (when, effect) {
                let reads = Reads { rules: &self.rules, depth: 0 }.compiled(when);
                // Without a player of its own it is about the one at turn.
                let reads = if each { reads } else { reads.and(Parts::TURN) };
                self.rules.standing.push(Standing { name: id, each, when, effect, reads });
            }
        }
    }
}

/// What an expression looks at.
#[derive(Clone, Copy)]
struct Reads<'r> {
    rules: &'r Ruleset,
    depth: u8,
}

impl Reads<'_> {
    /// Values may build on values; what is too deep to be followed may look at anything.
    fn deeper(self, look: impl FnOnce(Self) -> Parts) -> Parts {
        if self.depth > 16 { Parts::ALL } else { look(Reads { depth: self.depth + 1, ..self }) }
    }

    fn compiled(self, id: ExprId) -> Parts {
        self.deeper(|reads| reads.expr(&reads.rules.exprs[id.index()].expr))
    }

    fn all<'e>(self, parts: impl IntoIterator<Item = &'e Expr>) -> Parts {
        parts.into_iter().map(|part| self.expr(part)).collect()
    }

    fn expr(self, expr: &Expr) -> Parts {
        // Where a piece or a space is, what lies there and how.
        const PIECES: Parts = Parts::IN_PLAY.and(Parts::ELSEWHERE);
        match expr {
            Expr::Int(_) | Expr::Bool(_) | Expr::Res(_) | Expr::Sym(_) | Expr::Type(_) | Expr::Local(_) => Parts::NONE,
            // Who has how much, where and what for: not followed further.
            Expr::Amount(..) | Expr::Room(..) | Expr::CanPay(_) | Expr::Units(_) | Expr::Can(..) | Expr::Query(..) => {
                Parts::ALL
            }
            Expr::Attr(base, attr) => {
                let texts = self.rules.types.iter().filter_map(|ty| match ty.attrs.get(attr.0 as usize) {
                    Some(Some(AttrValue::Expr(expr))) => Some(self.compiled(*expr)),
                    _ => None,
                });
                texts.collect::<Parts>().and(self.expr(base))
            }
            Expr::ResAttr(base, _) => {
                let texts = self.rules.resources.iter().flat_map(|resource| &resource.attrs);
                let texts = texts.filter_map(|attr| match attr {
                    Some(AttrValue::Expr(expr)) => Some(self.compiled(*expr)),
                    _ => None,
                });
                texts.collect::<Parts>().and(self.expr(base))
            }
            Expr::Mark(_, base) => self.expr(base),
            Expr::Built(_, base) => self.expr(base).and(PIECES),
            Expr::Value(value, subject) => {
                let Some(declared) = self.rules.values.get(value.index()) else { return Parts::ALL };
                let modifiers = self.rules.types.iter().flat_map(|ty| &ty.modifies);
                let modifiers = modifiers.filter(|modifier| modifier.value == *value).map(|modifier| {
                    let when = modifier.when.map_or(Parts::NONE, |when| self.compiled(when));
                    let of = modifier.of.as_ref().map_or(Parts::NONE, |(set, _)| self.set(set));
                    self.compiled(modifier.by).and(when).and(of).and(Parts::IN_PLAY)
                });
                modifiers.collect::<Parts>().and(self.compiled(declared.base)).and(self.expr(subject))
            }
            Expr::Var(_, owner) => Parts::VARS.and(self.all(owner.as_deref())),
            Expr::Negative(inner)
            | Expr::Not(inner)
            | Expr::IsType(inner, _)
            | Expr::IsKind(inner, _)
            | Expr::NextSeat(inner)
            | Expr::PreviousSeat(inner) => self.expr(inner),
            Expr::Passed(inner) => Parts::TURN.and(self.expr(inner)),
            Expr::Binary(_, left, right) | Expr::Min(left, right) | Expr::Max(left, right) => {
                self.expr(left).and(self.expr(right))
            }
            Expr::If(cond, yes, no) => self.expr(cond).and(self.expr(yes)).and(self.expr(no)),
            Expr::Contains(set, inner) => self.set(set).and(self.expr(inner)),
            Expr::Any(set) | Expr::Count(set) | Expr::First(set) | Expr::Last(set) => self.set(set),
            Expr::Sum(set, _, body) | Expr::Largest(set, _, body) | Expr::Smallest(set, _, body) => {
                self.set(set).and(self.expr(body))
            }
        }
    }

    fn set(self, set: &Set) -> Parts {
        const PIECES: Parts = Parts::IN_PLAY.and(Parts::ELSEWHERE);
        match set {
            Set::Zone(zone) => {
                let in_play = self.rules.zones[zone.zone.index()].in_play;
                let pieces = if in_play { Parts::IN_PLAY } else { Parts::ELSEWHERE };
                pieces.and(self.all(zone.owner.as_deref()))
            }
            Set::Cells(zone) | Set::FreeCells(zone) => PIECES.and(self.all(zone.owner.as_deref())),
            Set::InPlay { owner, .. } => Parts::IN_PLAY.and(self.all(owner.as_deref())),
            Set::Neighbours(inner) | Set::Adjacent(_, inner) => self.expr(inner),
            Set::At(inner) | Set::Attached(inner) => PIECES.and(self.expr(inner)),
            Set::One(inner) => self.expr(inner),
            Set::Others(inner) => self.expr(inner),
            Set::On(cells) | Set::AdjacentToAll(_, cells) => PIECES.and(self.set(cells)),
            Set::Resources(_) | Set::Seats => Parts::NONE,
            Set::Filter { base, cond, .. } => self.set(base).and(self.expr(cond)),
        }
    }
}
