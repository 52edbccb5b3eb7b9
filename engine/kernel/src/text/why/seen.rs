//! Whether the asking player sees everything that a rule reads: a reason must tell nothing else.
//!
//! Public are: the number of pieces in each place, of each its widest kind, how it lies and what lies on it, and all
//! variables and resources that the rules do not hide. Which piece it is, and everything that follows from that, is known only to players who
//! see it. In doubt it counts as hidden.

use std::ops::ControlFlow;

use rulepack_expr::{Cost, Expr, Holder, Property, SELF, Set, Term, What, ZoneRef};
use rulepack_model::{CostId, ExprId, PieceId, ResId, Seat, ValueId};

use crate::eval::expressions::{Eval, Locals, Slots, slots};
use crate::hidden::sight::{Sight, Viewer};
use crate::rules::ruleset::AttrValue;
use crate::state::value::Value;

/// Expressions may use values and attributes that are expressions themselves; beyond this depth they count as hidden.
const MAX_DEPTH: u8 = 12;

/// A state as one viewer sees it.
#[derive(Clone, Copy)]
pub(super) struct KnownTo<'s> {
    pub(super) eval: Eval<'s>,
    pub(super) sight: Sight<'s>,
    /// Whether nothing at all is hidden.
    everything: bool,
    depth: u8,
}

impl<'s> KnownTo<'s> {
    pub(super) fn new(eval: Eval<'s>, sight: Sight<'s>) -> Self {
        let sees_values = !eval.rules.has_secrets() || sight.viewer() == Viewer::All;
        let everything = sees_values && (0..eval.rules.pieces.len()).all(|piece| sight.sees(PieceId::from(piece)));
        KnownTo { eval, sight, everything, depth: 0 }
    }

    /// Whether the viewer knows which piece this is; true for everything that is not a piece.
    pub(super) fn knows(&self, value: Value) -> bool {
        self.everything || value.piece().is_none_or(|piece| self.sight.sees(piece))
    }

    /// Whether an expression reads only what the viewer sees.
    pub(super) fn expr(&self, expr: &Expr, locals: &mut Locals) -> bool {
        if self.everything {
            return true;
        }
        match expr {
            Expr::Int(_) | Expr::Bool(_) | Expr::Res(_) | Expr::Sym(_) | Expr::Type(_) | Expr::Local(_) => true,
            Expr::Amount(holder, what) => {
                self.holder(holder, locals) && self.what(what, locals) && self.amount(holder, what, locals)
            }
            Expr::AtTurn => true,
            // The room of a piece follows from the piece and all that lies on it.
            Expr::Room(..) | Expr::Query(..) => false,
            Expr::Attr(base, attr) => {
                let Some(base) = self.known_value(base, locals) else { return false };
                let ty = match base {
                    Value::Piece(piece) => self.eval.rules.type_of(piece),
                    Value::Type(ty) => ty,
                    _ => return true,
                };
                match self.eval.rules.attr(ty, *attr) {
                    Some(AttrValue::Expr(text)) => self.text(text, self.whose(base, locals), base.piece()),
                    _ => true,
                }
            }
            Expr::ResAttr(base, _) | Expr::Mark(_, base) => self.expr(base, locals),
            Expr::Property(Property::PieceType, base) => self.known_value(base, locals).is_some(),
            Expr::Property(_, base) => self.expr(base, locals),
            Expr::IsType(base, _) | Expr::IsKind(base, _) => self.known_value(base, locals).is_some(),
            Expr::Value(value, subject) => self.expr(subject, locals) && self.value(*value, subject, locals),
            Expr::Var(var, owner) => {
                let owner_seen = owner.as_ref().is_none_or(|owner| self.expr(owner, locals));
                let owner = owner.as_ref().map(|owner| self.eval.expr(owner, locals));
                owner_seen && self.sight.sees_variable(*var, owner)
            }
            Expr::Negative(inner) | Expr::Not(inner) => self.expr(inner, locals),
            Expr::NextSeat(inner)
            | Expr::PreviousSeat(inner)
            | Expr::Passed(inner)
            | Expr::Opposite(inner)
            | Expr::Out(inner)
            | Expr::Partner(inner) => self.expr(inner, locals),
            Expr::Binary(_, left, right) | Expr::Min(left, right) | Expr::Max(left, right) => {
                self.expr(left, locals) && self.expr(right, locals)
            }
            Expr::If(cond, yes, no) => self.expr(cond, locals) && self.expr(yes, locals) && self.expr(no, locals),
            Expr::Contains(set, inner) => self.set(set, locals) && self.expr(inner, locals),
            Expr::Any(set) | Expr::Count(set) | Expr::First(set) | Expr::Last(set) => self.set(set, locals),
            Expr::Top(zone) => self.zone(zone, locals),
            Expr::Sum(set, it, body) | Expr::Largest(set, it, body) | Expr::Smallest(set, it, body) => {
                self.set(set, locals) && self.each(set, locals, it.index(), |seen, locals| seen.expr(body, locals))
            }
            Expr::Can(..) => false,
            Expr::CanPay(cost) => self.cost(cost, locals) && self.holdings(locals),
            Expr::Units(cost) => self.cost(cost, locals),
        }
    }

    /// The value of an expression that the viewer sees, if the viewer knows what the value is.
    fn known_value(&self, expr: &Expr, locals: &mut Locals) -> Option<Value> {
        let value = self.expr(expr, locals).then(|| self.eval.expr(expr, locals))?;
        self.knows(value).then_some(value)
    }

    fn whose(&self, base: Value, locals: &Locals) -> Option<Seat> {
        base.piece().and_then(|piece| self.eval.state.owner(self.eval.rules, piece)).or(locals[0].seat())
    }

    fn deeper(&self) -> Option<KnownTo<'s>> {
        (self.depth < MAX_DEPTH).then(|| KnownTo { depth: self.depth + 1, ..*self })
    }

    /// A text of its own, for a player and a piece.
    fn text(&self, text: ExprId, me: Option<Seat>, this: Option<PieceId>) -> bool {
        let compiled = &self.eval.rules.exprs[text.index()];
        self.deeper().is_some_and(|seen| seen.expr(&compiled.expr, &mut slots(me, this, &[], compiled.locals)))
    }

    /// A derived value: its base, and all modifiers.
    fn value(&self, value: ValueId, subject: &Expr, locals: &mut Locals) -> bool {
        let (rules, state) = (self.eval.rules, self.eval.state);
        let declared = &rules.values[value.index()];
        let subject = self.eval.expr(subject, locals);
        if !self.knows(subject) {
            return false;
        }
        let me = match subject {
            Value::Seat(seat) => Some(seat),
            _ => self.whose(subject, locals),
        };
        let compiled = &rules.exprs[declared.base.index()];
        let mut inner = slots(me, subject.piece(), &[], compiled.locals);
        if let Value::Cell(_) = subject {
            inner[SELF.index()] = subject;
        }
        if !self.deeper().is_some_and(|seen| seen.expr(&compiled.expr, &mut inner)) {
            return false;
        }
        if !declared.modified {
            return true;
        }
        rules.seats().all(|seat| {
            state.in_play_of(rules, seat, 0).all(|piece| {
                if !self.sight.sees(piece) {
                    return false;
                }
                let ty = &rules.types[rules.type_of(piece).index()];
                ty.modifies.iter().filter(|modifier| modifier.value == value).all(|modifier| {
                    let of = modifier.of.as_ref().is_none_or(|of| {
                        let mut inner = slots(Some(seat), Some(piece), &[], of.locals);
                        self.deeper().is_some_and(|seen| seen.set(&of.set, &mut inner))
                    });
                    let when = modifier.when.is_none_or(|when| self.text(when, Some(seat), Some(piece)));
                    of && when && self.text(modifier.by, Some(seat), Some(piece))
                })
            })
        })
    }

    fn holder(&self, holder: &Holder, locals: &mut Locals) -> bool {
        match holder {
            Holder::Seat(of) | Holder::Piece(of) => self.expr(of, locals),
            Holder::Supply => true,
        }
    }

    /// Whether the viewer sees how much somebody has.
    fn amount(&self, holder: &Holder, what: &What, locals: &mut Locals) -> bool {
        let Holder::Seat(of) = holder else { return true };
        let Some(seat) = self.eval.expr(of, locals).seat() else { return true };
        match what {
            What::Res(res) => self.sight.sees_amount(seat, *res),
            What::Group(group) => {
                self.eval.rules.group(*group).members.iter().all(|res| self.sight.sees_amount(seat, *res))
            }
            What::Of(of) => match self.eval.expr(of, locals) {
                Value::Res(res) => self.sight.sees_amount(seat, res),
                _ => true,
            },
        }
    }

    /// Whether the viewer sees how much `me` has of everything.
    fn holdings(&self, locals: &Locals) -> bool {
        let Some(me) = locals[0].seat() else { return true };
        (0..self.eval.rules.resources.len()).all(|res| self.sight.sees_amount(me, ResId::from(res)))
    }

    fn what(&self, what: &What, locals: &mut Locals) -> bool {
        match what {
            What::Res(_) | What::Group(_) => true,
            What::Of(expr) => self.expr(expr, locals),
        }
    }

    fn zone(&self, zone: &ZoneRef, locals: &mut Locals) -> bool {
        zone.owner.as_ref().is_none_or(|owner| self.expr(owner, locals))
    }

    /// Whether the viewer knows the members of a set, even without knowing which pieces they are.
    pub(super) fn set(&self, set: &Set, locals: &mut Locals) -> bool {
        if self.everything {
            return true;
        }
        match set {
            Set::Zone(zone) | Set::Cells(zone) | Set::FreeCells(zone) => self.zone(zone, locals),
            Set::InPlay { kind, owner } => {
                let owner_seen = owner.as_ref().is_none_or(|owner| self.expr(owner, locals));
                let all = Set::InPlay { kind: None, owner: owner.clone() };
                owner_seen && (kind.is_none() || self.knows_members(&all, locals))
            }
            Set::Neighbours(of)
            | Set::At(of)
            | Set::Adjacent(_, of)
            | Set::Attached(of)
            | Set::One(of)
            | Set::DirectionsFrom(of) => self.expr(of, locals),
            Set::On(of) | Set::AdjacentToAll(_, of) => self.set(of, locals),
            Set::Resources(_) | Set::Types(_) | Set::Symbols(_) | Set::Seats | Set::Directions(_) => true,
            Set::Combined(_, one, other) => self.set(one, locals) && self.set(other, locals),
            Set::OfEach { of, it, part } => {
                self.set(of, locals) && self.each(of, locals, it.index(), |seen, locals| seen.set(part, locals))
            }
            Set::Named(id, me, args) => {
                let Some(seat) = self.known_value(me, locals) else { return false };
                let args: Option<Slots> = args.iter().map(|arg| self.known_value(arg, locals)).collect();
                let (Some(args), Some(seen)) = (args, self.deeper()) else { return false };
                let named = &self.eval.rules.sets[id.index()];
                seen.set(&named.set, &mut slots(seat.seat(), None, &args, named.locals))
            }
            Set::Kept(_) => self.knows_members(set, locals),
            Set::Numbers(least, most) => self.expr(least, locals) && self.expr(most, locals),
            Set::Listed(members) => members.iter().all(|member| self.expr(member, locals)),
            Set::Line(of, direction) | Set::Through(of, direction) => {
                self.expr(of, locals) && self.expr(direction, locals)
            }
            Set::Connected(from, within) => self.set(from, locals) && self.set(within, locals),
            Set::Others(of) | Set::Team(of) | Set::Round { from: of, .. } => self.expr(of, locals),
            Set::Filter { base, it, cond } | Set::While { base, it, cond } | Set::Until { base, it, cond } => {
                self.set(base, locals) && self.each(base, locals, it.index(), |seen, locals| seen.expr(cond, locals))
            }
        }
    }

    /// Whether the viewer knows what every member of a set is.
    pub(super) fn knows_members(&self, set: &Set, locals: &mut Locals) -> bool {
        let mut all = true;
        let _ = self.eval.each(set, locals, &mut |value, _| {
            all = self.knows(value);
            if all { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        });
        all
    }

    /// Whether an expression is seen for each member of a set.
    fn each(
        &self,
        set: &Set,
        locals: &mut Locals,
        it: usize,
        mut test: impl FnMut(&KnownTo<'s>, &mut Locals) -> bool,
    ) -> bool {
        let members = self.eval.collect(set, locals);
        let kept = locals[it];
        let all = members.into_iter().all(|value| {
            locals[it] = value;
            test(self, locals)
        });
        locals[it] = kept;
        all
    }

    /// Whether the viewer knows the cost.
    pub(super) fn cost(&self, cost: &Cost, locals: &mut Locals) -> bool {
        if self.everything {
            return true;
        }
        cost.less.as_ref().is_none_or(|less| self.expr(less, locals))
            && cost.terms.iter().all(|term| match term {
                Term::Counted(amount, what) => self.expr(amount, locals) && self.what(what, locals),
                Term::Attr(base, attr) => {
                    let Some(base) = self.known_value(base, locals) else { return false };
                    let attrs = match base {
                        Value::Piece(piece) => &self.eval.rules.types[self.eval.rules.type_of(piece).index()].attrs,
                        Value::Type(ty) => &self.eval.rules.types[ty.index()].attrs,
                        Value::Res(res) => &self.eval.rules.resources[res.index()].attrs,
                        _ => return true,
                    };
                    match attrs.get(usize::from(attr.0)).copied().flatten() {
                        Some(AttrValue::Cost(cost)) => self.compiled_cost(cost, locals[0].seat(), base.piece()),
                        _ => true,
                    }
                }
                Term::Surcharge(piece) => {
                    let Some(piece) = self.known_value(piece, locals).and_then(Value::piece) else { return false };
                    let cell = self.eval.state.cell_of(piece);
                    let surcharge = self.eval.rules.zone_of(cell.zone).surcharge.get(cell.at as usize);
                    surcharge.is_none_or(|cost| self.compiled_cost(*cost, locals[0].seat(), Some(piece)))
                }
            })
    }

    fn compiled_cost(&self, cost: CostId, me: Option<Seat>, this: Option<PieceId>) -> bool {
        let compiled = &self.eval.rules.costs[cost.index()];
        self.deeper().is_some_and(|seen| seen.cost(&compiled.cost, &mut slots(me, this, &[], compiled.locals)))
    }
}
