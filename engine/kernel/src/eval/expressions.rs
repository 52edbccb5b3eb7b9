//! Expressions: their plain meaning, computed by walking the tree. Read-only, without allocation, always ending.
//!
//! `expressions/values.rs` has derived values, `expressions/costs.rs` costs; sets are in `sets.rs`. Nothing here changes the
//! state.

mod costs;
mod slots;
mod values;

use std::ops::ControlFlow;

use rulepack_expr::ast::BinaryOp;
use rulepack_expr::{AttrId, Expr, Holder, Property, Set, What};
use rulepack_model::{ExprId, KindId, PieceId, Seat, TypeId};

use crate::eval::bundle::{Kept, ResourceSel};
use crate::eval::value_depth::MAX_DEPTH;
use crate::flow::feasible::effects::MOST_AHEAD;
use crate::flow::host::EffectHost;
use crate::rules::ruleset::{AttrValue, Ruleset};
use crate::state::cache::Key;
use crate::state::fuel::Culprit;
use crate::state::table::State;
use crate::state::value::{Cell, Value};

use slots::with_slots;
pub use slots::{Locals, Slots, slots};
pub(crate) use slots::{copied, fill, slot, widened};

/// Evaluates expressions: it has all that they can read.
#[derive(Clone, Copy)]
pub struct Eval<'a> {
    /// The rules.
    pub rules: &'a Ruleset,
    /// The table.
    pub state: &'a State,
    /// Runs the scripts that expressions call.
    pub host: &'a dyn EffectHost,
    /// Whether choices among hidden pieces count as possible, as other players must assume; see `hidden/question_leaks.rs`.
    pub(crate) public_view: bool,
    depth: u8,
    /// The number of choices, branches and used effects that are tried one inside the other here; see
    /// `flow/feasible/effects.rs`.
    ahead: u8,
}

impl<'a> Eval<'a> {
    /// Evaluates expressions about a state, with a full budget.
    pub fn new(rules: &'a Ruleset, state: &'a State, host: &'a dyn EffectHost) -> Self {
        state.fuel().refill(rules.limits);
        Eval::within(rules, state, host)
    }

    /// Evaluates expressions about a state, with what is left of its budget.
    pub fn within(rules: &'a Ruleset, state: &'a State, host: &'a dyn EffectHost) -> Self {
        Eval { rules, state, host, public_view: false, depth: 0, ahead: 0 }
    }

    /// The same in the public view: a choice among pieces of which some are hidden from a player counts as possible.
    pub(crate) fn as_public(self) -> Self {
        Eval { public_view: true, ..self }
    }

    /// A compiled expression for a player and a piece.
    pub fn compiled(&self, expr: ExprId, me: Option<Seat>, this: Option<PieceId>, args: &[Value]) -> Value {
        let compiled = &self.rules.exprs[expr.index()];
        if let Expr::Int(n) = compiled.expr {
            return Value::Int(n);
        }
        let found = with_slots(me, this, args, compiled.locals, |locals| compiled.value(self, locals));
        self.state.fuel().blame(Culprit::Text(expr));
        found
    }

    /// Whether a compiled condition holds for a player and a piece.
    pub fn holds(&self, expr: ExprId, me: Option<Seat>, this: Option<PieceId>, args: &[Value]) -> bool {
        let compiled = &self.rules.exprs[expr.index()];
        let found = with_slots(me, this, args, compiled.locals, |locals| compiled.truth(self, locals));
        self.state.fuel().blame(Culprit::Text(expr));
        found
    }

    /// A space, if there is one.
    #[inline]
    pub(crate) fn cell(&self, expr: &Expr, locals: &mut Locals) -> Option<Cell> {
        match expr {
            Expr::Property(Property::PieceCell, of) => {
                self.expr(of, locals).piece().map(|piece| self.state.cell_of(piece))
            }
            _ => self.expr(expr, locals).cell(),
        }
    }

    /// A number; any other value counts as 0.
    #[inline]
    pub fn int(&self, expr: &Expr, locals: &mut Locals) -> i64 {
        match expr {
            Expr::Int(n) => *n,
            Expr::Local(local) => slot(locals, *local).int(),
            _ => self.calculate(expr, locals),
        }
    }

    /// It is recursive, so it must not need much of the call stack: the functions that it calls are not inlined.
    #[inline(never)]
    fn calculate(&self, expr: &Expr, locals: &mut Locals) -> i64 {
        match expr {
            Expr::Binary(op, left, right) if is_arithmetic(*op) => {
                let left = self.int(left, locals);
                let right = self.int(right, locals);
                self.exact(calculated(*op, left, right))
            }
            Expr::Property(property, of) => self.number_of(*property, self.expr(of, locals)).unwrap_or(0),
            Expr::Count(set) => self.count(set, locals),
            Expr::Amount(holder, what) => self.amount(holder, what, locals),
            Expr::Sum(set, it, body) => self.sum(set, *it, body, locals),
            Expr::Largest(set, it, body) => self.extreme(set, *it, body, locals, i64::max),
            Expr::Smallest(set, it, body) => self.extreme(set, *it, body, locals, i64::min),
            Expr::Min(left, right) => self.int(left, locals).min(self.int(right, locals)),
            Expr::Max(left, right) => self.int(left, locals).max(self.int(right, locals)),
            Expr::Negative(inner) => self.exact(self.int(inner, locals).checked_neg()),
            Expr::If(cond, yes, no) => {
                let chosen = if self.truth(cond, locals) { yes } else { no };
                self.int(chosen, locals)
            }
            _ => self.compound(expr, locals).int(),
        }
    }

    /// A truth value.
    pub fn truth(&self, expr: &Expr, locals: &mut Locals) -> bool {
        match expr {
            Expr::Bool(flag) => *flag,
            Expr::Binary(op, left, right) => match op {
                BinaryOp::And => self.truth(left, locals) && self.truth(right, locals),
                BinaryOp::Or => self.truth(left, locals) || self.truth(right, locals),
                BinaryOp::Eq => self.same(left, right, locals),
                BinaryOp::Ne => !self.same(left, right, locals),
                BinaryOp::Lt => self.int(left, locals) < self.int(right, locals),
                BinaryOp::Le => self.int(left, locals) <= self.int(right, locals),
                BinaryOp::Gt => self.int(left, locals) > self.int(right, locals),
                BinaryOp::Ge => self.int(left, locals) >= self.int(right, locals),
                _ => self.calculate(expr, locals) != 0,
            },
            Expr::Not(inner) => !self.truth(inner, locals),
            Expr::Any(set) => self.any(set, locals),
            Expr::IsType(inner, ty) => self.is_type(self.expr(inner, locals), *ty),
            Expr::IsKind(inner, kind) => self.is_kind(self.expr(inner, locals), *kind),
            Expr::Contains(set, inner) => {
                let wanted = self.expr(inner, locals);
                self.contains(set, wanted, locals)
            }
            _ => self.expr(expr, locals).truth(),
        }
    }

    /// Whether two things are the same.
    #[inline]
    fn same(&self, left: &Expr, right: &Expr, locals: &mut Locals) -> bool {
        if gives_number(left) || gives_number(right) {
            // A number equals nothing but a number. If neither side is one, the values are compared below.
            match (self.number(left, locals), self.number(right, locals)) {
                (None, None) => {}
                (left, right) => return left == right,
            }
        }
        self.expr(left, locals) == self.expr(right, locals)
    }

    /// A number, if it is one.
    #[inline(always)]
    fn number(&self, expr: &Expr, locals: &mut Locals) -> Option<i64> {
        match expr {
            Expr::Int(n) => Some(*n),
            Expr::Property(property, of) => self.number_of(*property, self.expr(of, locals)),
            Expr::Count(set) => Some(self.count(set, locals)),
            Expr::Binary(op, ..) if is_arithmetic(*op) => Some(self.calculate(expr, locals)),
            _ => match self.expr(expr, locals) {
                Value::Int(n) => Some(n),
                _ => None,
            },
        }
    }

    /// The row and column of a piece or space.
    #[inline(always)]
    pub(crate) fn spot(&self, of: Value) -> Option<(u16, u16)> {
        match of {
            Value::Piece(piece) => Some(self.rules.spot(self.state.cell_of(piece))),
            Value::Cell(cell) => Some(self.rules.spot(cell)),
            _ => None,
        }
    }

    /// A built-in property of a piece or space, if it is a number: its row or column.
    #[inline(always)]
    pub(crate) fn number_of(&self, property: Property, of: Value) -> Option<i64> {
        let spot = self.spot(of)?;
        match (property, of) {
            (Property::PieceRow, Value::Piece(_)) | (Property::CellRow, Value::Cell(_)) => Some(i64::from(spot.0)),
            (Property::PieceColumn, Value::Piece(_)) | (Property::CellColumn, Value::Cell(_)) => {
                Some(i64::from(spot.1))
            }
            _ => None,
        }
    }

    /// Any value. Constants and slots are read here, without another call.
    #[inline]
    pub fn expr(&self, expr: &Expr, locals: &mut Locals) -> Value {
        match expr {
            Expr::Int(n) => Value::Int(*n),
            Expr::Local(local) => slot(locals, *local),
            _ => self.compound(expr, locals),
        }
    }

    #[inline(never)]
    fn compound(&self, expr: &Expr, locals: &mut Locals) -> Value {
        match expr {
            Expr::Int(n) => Value::Int(*n),
            Expr::Bool(flag) => Value::Bool(*flag),
            Expr::Res(id) => Value::Res(*id),
            Expr::Sym(id) => Value::Sym(*id),
            Expr::Type(id) => Value::Type(*id),
            Expr::Local(local) => slot(locals, *local),
            Expr::Attr(base, attr) => {
                let base = self.expr(base, locals);
                self.attr(base, *attr, locals)
            }
            Expr::ResAttr(base, attr) => {
                let Some(res) = self.expr(base, locals).res() else { return Value::Nil };
                match self.rules.resources[res.index()].attrs.get(attr.0 as usize).copied().flatten() {
                    Some(AttrValue::Plain(value)) => value,
                    Some(AttrValue::Expr(expr)) => {
                        let me = locals[0].seat();
                        self.deeper(|eval| eval.compiled(expr, me, None, &[]))
                    }
                    _ => Value::Int(0),
                }
            }
            Expr::Property(property, base) => self.property(*property, self.expr(base, locals)),
            Expr::Mark(mark, cell) => match self.expr(cell, locals).cell() {
                Some(cell) => self.rules.mark(cell.zone, cell.at, *mark).map_or(Value::Nil, Value::Sym),
                None => Value::Nil,
            },
            Expr::Room(holder, what) => Value::Int(self.room_with(holder, what, locals)),
            Expr::Value(value, subject) => {
                let subject = self.expr(subject, locals);
                self.value(*value, subject, locals)
            }
            Expr::Var(var, owner) => {
                let owner = owner.as_ref().map(|owner| self.expr(owner, locals));
                self.state.var(self.rules, *var, owner)
            }
            Expr::Binary(op, ..) if is_arithmetic(*op) => Value::Int(self.calculate(expr, locals)),
            Expr::Amount(..) | Expr::Negative(_) | Expr::Count(_) | Expr::Sum(..) => {
                Value::Int(self.calculate(expr, locals))
            }
            Expr::Largest(..) | Expr::Smallest(..) | Expr::Min(..) | Expr::Max(..) => {
                Value::Int(self.calculate(expr, locals))
            }
            Expr::Not(_) | Expr::Binary(..) | Expr::Any(_) => Value::Bool(self.truth(expr, locals)),
            Expr::IsType(..) | Expr::IsKind(..) | Expr::Contains(..) => Value::Bool(self.truth(expr, locals)),
            Expr::If(cond, yes, no) => {
                if self.truth(cond, locals) {
                    self.expr(yes, locals)
                } else {
                    self.expr(no, locals)
                }
            }
            Expr::First(set) => self.first(set, locals).unwrap_or_default(),
            Expr::Last(set) => self.last(set, locals),
            Expr::Top(zone) => self.zone(zone, locals).map_or(Value::Nil, |zone| self.top(zone)),
            Expr::NextSeat(seat) => self.neighbour_seat(self.expr(seat, locals), 1),
            Expr::PreviousSeat(seat) => self.neighbour_seat(self.expr(seat, locals), self.rules.players - 1),
            Expr::AtTurn => self.state.active().map_or(Value::Nil, Value::Seat),
            Expr::Opposite(direction) => self.rules.opposite(self.expr(direction, locals)),
            Expr::Out(seat) => {
                Value::Bool(self.expr(seat, locals).seat().is_some_and(|seat| self.state.is_eliminated(seat)))
            }
            Expr::Partner(seat) => self.partner(self.expr(seat, locals)),
            Expr::Passed(seat) => {
                Value::Bool(self.expr(seat, locals).seat().is_some_and(|seat| self.state.has_passed(seat)))
            }
            Expr::Can(piece, attr) => {
                let piece = self.expr(piece, locals).piece();
                Value::Bool(piece.is_some_and(|piece| self.can_use(piece, *attr, locals[0].seat())))
            }
            Expr::CanPay(cost) => {
                let bundle = self.bundle(cost, locals);
                Value::Bool(locals[0].seat().is_some_and(|me| self.can_pay(me, &bundle)))
            }
            Expr::Units(cost) => Value::Int(self.bundle(cost, locals).units()),
            Expr::Query(hook, args) => {
                let args: Slots = args.iter().map(|arg| self.expr(arg, locals)).collect();
                // The reads of a script are not noted one by one.
                self.state.memo().saw_all();
                let answer = self.host.query(self.rules, self.state, *hook, locals[0].seat(), &args);
                // The host keeps the fault. Nothing more is evaluated.
                answer.unwrap_or_else(|_| {
                    self.state.fuel().stop();
                    Value::Nil
                })
            }
        }
    }

    /// Whether an effect of a piece can be carried out by a player.
    pub(crate) fn can_use(&self, piece: PieceId, attr: AttrId, me: Option<Seat>) -> bool {
        match self.rules.attr(self.rules.type_of(piece), attr) {
            Some(AttrValue::Effect(program)) => self.deeper(|eval| eval.can_run(program, me, Some(piece))),
            _ => false,
        }
    }

    /// An attribute of a piece or type.
    #[inline]
    pub(crate) fn attr(&self, base: Value, attr: AttrId, locals: &Locals) -> Value {
        let ty = match base {
            Value::Piece(piece) => self.rules.type_of(piece),
            Value::Type(ty) => ty,
            _ => return Value::Nil,
        };
        match self.rules.attr(ty, attr) {
            Some(AttrValue::Plain(value)) => value,
            Some(AttrValue::Expr(expr)) => self.attr_of(base, attr, expr, locals),
            _ => Value::Int(0),
        }
    }

    #[inline(never)]
    fn attr_of(&self, base: Value, attr: AttrId, expr: ExprId, locals: &Locals) -> Value {
        let me = self.me(base, locals);
        let work = || self.deeper(|eval| eval.compiled(expr, me, base.piece(), &[]));
        match base.piece() {
            // Only attributes that other expressions ask for are worth caching.
            Some(piece) if self.depth > 0 => self.remembered(Key::of_attr(attr, piece, me, self.public_view), work),
            _ => work(),
        }
    }

    /// The cached value of a key; if there is none, computes the value and caches it.
    #[inline]
    fn remembered(&self, key: Key, work: impl Fn() -> Value) -> Value {
        if let Some(known) = self.state.memo().get(key) {
            self.state.compare("a value that is remembered is still right", || (known, work()));
            return known;
        }
        // If the budget ran out, the value is wrong and not cached.
        self.state.memo().find(key, &work, || !self.state.fuel().is_out())
    }

    pub(crate) fn is_type(&self, value: Value, ty: TypeId) -> bool {
        match value {
            Value::Piece(piece) => self.rules.is_type(self.rules.type_of(piece), ty),
            Value::Type(other) => self.rules.is_type(other, ty),
            _ => false,
        }
    }

    pub(crate) fn is_kind(&self, value: Value, kind: KindId) -> bool {
        match value {
            Value::Piece(piece) => self.rules.piece_is(piece, kind),
            Value::Type(ty) => self.rules.is_kind(self.rules.types[ty.index()].kind, kind),
            _ => false,
        }
    }

    /// The number of expressions that are being evaluated one inside the other, such as values that use other values.
    #[inline]
    pub(crate) fn depth(&self) -> u8 {
        self.depth
    }

    #[inline]
    pub(crate) fn deeper<T: Default>(&self, run: impl FnOnce(&Eval<'a>) -> T) -> T {
        self.one_deeper().map(|eval| run(&eval)).unwrap_or_default()
    }

    /// The same one level deeper; `None`, and a fault, if that is too deep.
    #[inline]
    pub(crate) fn one_deeper(&self) -> Option<Eval<'a>> {
        if self.depth < MAX_DEPTH {
            // Even without sets, values that each use two others, which use two others, would take for ever.
            return self.state.fuel().burn(1).then(|| Eval { depth: self.depth + 1, ..*self });
        }
        self.state.fuel().too_deep();
        None
    }

    /// The same one choice further ahead; `None` if that is too far. Then the result depends on how many choices came before,
    /// so nothing that follows from it is cached.
    #[inline]
    pub(crate) fn one_ahead(&self) -> Option<Eval<'a>> {
        if self.ahead < MOST_AHEAD {
            return Some(Eval { ahead: self.ahead + 1, ..*self });
        }
        self.state.memo().saw_all();
        None
    }

    /// The player that `me` means in an expression of a piece: its owner, else `me` of the expression that asks for it.
    fn me(&self, base: Value, locals: &Locals) -> Option<Seat> {
        base.piece().and_then(|piece| self.state.owner(self.rules, piece)).or(locals[0].seat())
    }

    fn amount(&self, holder: &Holder, what: &What, locals: &mut Locals) -> i64 {
        let kinds = self.kinds(what, locals);
        let of = |amount: &mut dyn FnMut(rulepack_model::ResId) -> i32| -> i64 {
            kinds.members(self.rules).iter().map(|res| i64::from(amount(*res))).sum()
        };
        match holder {
            Holder::Supply => of(&mut |res| self.state.supply(self.rules, res)),
            Holder::Seat(seat) => match self.expr(seat, locals).seat() {
                Some(seat) => of(&mut |res| self.state.amount(self.rules, seat, res)),
                None => 0,
            },
            Holder::Piece(piece) => match self.expr(piece, locals).piece() {
                Some(piece) => of(&mut |res| self.state.held(self.rules, piece, res)),
                None => 0,
            },
        }
    }

    /// The resource or group that an amount is about.
    pub fn kinds(&self, what: &What, locals: &mut Locals) -> ResourceSel {
        match what {
            What::Res(res) => ResourceSel::One(*res),
            What::Group(group) => ResourceSel::Group(*group),
            What::Of(expr) => self.expr(expr, locals).res().map_or(ResourceSel::None, ResourceSel::One),
        }
    }

    #[inline]
    pub(crate) fn property(&self, property: Property, base: Value) -> Value {
        match (property, base) {
            (Property::PieceRow | Property::PieceColumn | Property::CellRow | Property::CellColumn, _) => {
                self.number_of(property, base).map_or(Value::Nil, Value::Int)
            }
            (Property::PieceCell, Value::Piece(piece)) => Value::Cell(self.state.cell_of(piece)),
            (Property::PieceOwner, Value::Piece(piece)) => {
                self.state.owner(self.rules, piece).map_or(Value::Nil, Value::Seat)
            }
            (Property::PieceType, Value::Piece(piece)) => Value::Type(self.rules.printing_of(piece)),
            (Property::PieceHost, Value::Piece(piece)) => self.state.host(piece).map_or(Value::Nil, Value::Piece),
            (Property::PieceFaceUp, Value::Piece(piece)) => Value::Bool(!self.state.piece(piece).face_down),
            (Property::PieceFlipped, Value::Piece(piece)) => Value::Bool(self.state.piece(piece).flipped),
            (Property::CellEmpty, Value::Cell(cell)) => Value::Bool(self.state.crowd(cell) == 0),
            _ => Value::Nil,
        }
    }

    #[inline(never)]
    fn sum(&self, set: &Set, it: rulepack_model::Local, body: &Expr, locals: &mut Locals) -> i64 {
        let mut sum = 0i64;
        let _ = self.each(set, locals, &mut |value, locals| {
            locals[it.index()] = value;
            sum = self.exact(sum.checked_add(self.int(body, locals)));
            ControlFlow::Continue(())
        });
        sum
    }

    #[inline(never)]
    fn extreme(
        &self,
        set: &Set,
        it: rulepack_model::Local,
        body: &Expr,
        locals: &mut Locals,
        pick: fn(i64, i64) -> i64,
    ) -> i64 {
        let mut best = None;
        let _ = self.each(set, locals, &mut |value, locals| {
            locals[it.index()] = value;
            let number = self.int(body, locals);
            best = Some(best.map_or(number, |best| pick(best, number)));
            ControlFlow::Continue(())
        });
        best.unwrap_or(0)
    }
}
/// Whether the form of an expression shows that it gives a number or nothing.
#[inline]
fn gives_number(expr: &Expr) -> bool {
    match expr {
        Expr::Int(_) | Expr::Count(_) => true,
        Expr::Binary(op, ..) => is_arithmetic(*op),
        Expr::Property(property, _) => {
            matches!(property, Property::PieceRow | Property::PieceColumn | Property::CellRow | Property::CellColumn)
        }
        _ => false,
    }
}

#[inline]
pub(crate) fn is_arithmetic(op: BinaryOp) -> bool {
    matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem)
}

impl Eval<'_> {
    /// The number, unless it was too large (`None`): then the game is stopped, and the result does not matter.
    #[inline(always)]
    pub(crate) fn exact(&self, number: Option<i64>) -> i64 {
        match number {
            Some(number) => number,
            None => {
                self.state.fuel().too_large();
                0
            }
        }
    }

    /// Stops the game if an amount was too large for a bundle.
    #[inline(always)]
    pub(crate) fn kept_in(&self, is_kept: Kept) {
        if let Kept::TooMany = is_kept {
            self.state.fuel().too_large();
        }
    }
}

/// The result of a calculation; `None` if it is too large.
#[inline]
pub(crate) fn calculated(op: BinaryOp, a: i64, b: i64) -> Option<i64> {
    match op {
        BinaryOp::Add => a.checked_add(b),
        BinaryOp::Sub => a.checked_sub(b),
        BinaryOp::Mul => a.checked_mul(b),
        // Dividing by 0 gives 0, so that it is no fault of a game.
        BinaryOp::Div if b == 0 => Some(0),
        BinaryOp::Div => a.checked_div_euclid(b),
        _ => Some(a.checked_rem_euclid(b).unwrap_or(0)),
    }
}
