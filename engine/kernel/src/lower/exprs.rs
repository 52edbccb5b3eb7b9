//! Expressions compiled to functions.

use std::ops::ControlFlow;

use rulepack_expr::ast::BinaryOp;
use rulepack_expr::{Expr, Property, Set, Subject};
use rulepack_model::{ExprId, Local, PieceId, ValueId};

use super::chains::Line;
use super::set_filter::is_row;
use super::size::surplus;
use super::types::Numbers;
use super::{AnyValue, Number, Price, Source, Truth, Walk, ZoneSource, stock};
use crate::eval::expressions::{Eval, Locals, calculated, is_arithmetic};
use crate::rules::ruleset::Ruleset;
use crate::state::value::Value;

/// A condition as a function.
pub(crate) fn truth(rules: &Ruleset, expr: &Expr) -> Truth {
    let function = truth_of(rules, expr);
    match surplus(expr) {
        0 => function,
        more => Box::new(move |eval, locals| eval.state.fuel().burn(more) && function(eval, locals)),
    }
}

fn truth_of(rules: &Ruleset, expr: &Expr) -> Truth {
    match expr {
        Expr::Bool(flag) => {
            let flag = *flag;
            Box::new(move |_, _| flag)
        }
        Expr::Not(inner) => match &**inner {
            Expr::Any(set) => {
                let walk = Walk::new(rules, set);
                Box::new(move |eval, locals| !walk.any(eval, locals))
            }
            inner => {
                let inner = truth(rules, inner);
                Box::new(move |eval, locals| !inner(eval, locals))
            }
        },
        Expr::Any(set) => {
            let walk = Walk::new(rules, set);
            Box::new(move |eval, locals| walk.any(eval, locals))
        }
        Expr::IsKind(of, kind) => {
            let (of, kind) = (Source::new(rules, of), *kind);
            Box::new(move |eval, locals| eval.is_kind(of.get(eval, locals), kind))
        }
        Expr::IsType(of, ty) => {
            let (of, ty) = (Source::new(rules, of), *ty);
            Box::new(move |eval, locals| eval.is_type(of.get(eval, locals), ty))
        }
        Expr::Contains(set, of) => {
            let (walk, of) = (Walk::new(rules, set), Source::new(rules, of));
            Box::new(move |eval, locals| {
                let wanted = of.get(eval, locals);
                walk.contains(eval, wanted, locals)
            })
        }
        Expr::Binary(op @ (BinaryOp::And | BinaryOp::Or), ..) => {
            let mut all = Vec::new();
            joined(rules, *op, expr, &mut all);
            match (op, <[Truth; 2]>::try_from(all)) {
                (BinaryOp::And, Ok([left, right])) => {
                    Box::new(move |eval, locals| left(eval, locals) && right(eval, locals))
                }
                (BinaryOp::And, Err(all)) => Box::new(move |eval, locals| all.iter().all(|each| each(eval, locals))),
                (_, Ok([left, right])) => Box::new(move |eval, locals| left(eval, locals) || right(eval, locals)),
                (_, Err(all)) => Box::new(move |eval, locals| all.iter().any(|each| each(eval, locals))),
            }
        }
        Expr::Binary(BinaryOp::Eq, left, right) => same(rules, left, right),
        Expr::Binary(BinaryOp::Ne, left, right) => {
            let same = same(rules, left, right);
            Box::new(move |eval, locals| !same(eval, locals))
        }
        Expr::Binary(BinaryOp::Lt, left, right) => compared(rules, left, right, |a, b| a < b),
        Expr::Binary(BinaryOp::Le, left, right) => compared(rules, left, right, |a, b| a <= b),
        Expr::Binary(BinaryOp::Gt, left, right) => compared(rules, left, right, |a, b| a > b),
        Expr::Binary(BinaryOp::Ge, left, right) => compared(rules, left, right, |a, b| a >= b),
        Expr::CanPay(cost) => {
            let price = Price::new(rules, cost);
            Box::new(move |eval, locals| {
                let bundle = price.bundle(eval, locals);
                locals[0].seat().is_some_and(|me| eval.can_pay(me, &bundle))
            })
        }
        Expr::Can(piece, attr) => {
            let (piece, attr) = (Source::new(rules, piece), *attr);
            Box::new(move |eval, locals| {
                let piece = piece.get(eval, locals).piece();
                piece.is_some_and(|piece| eval.can_use(piece, attr, locals[0].seat()))
            })
        }
        Expr::Out(seat) => {
            let seat = Source::new(rules, seat);
            Box::new(move |eval, locals| {
                seat.get(eval, locals).seat().is_some_and(|seat| eval.state.is_eliminated(seat))
            })
        }
        Expr::Passed(seat) => {
            let seat = Source::new(rules, seat);
            Box::new(move |eval, locals| seat.get(eval, locals).seat().is_some_and(|seat| eval.state.has_passed(seat)))
        }
        _ => {
            let source = Source::new(rules, expr);
            Box::new(move |eval, locals| source.get(eval, locals).truth())
        }
    }
}

/// All parts that are joined by the same operator.
fn joined(rules: &Ruleset, by: BinaryOp, expr: &Expr, all: &mut Vec<Truth>) {
    match expr {
        Expr::Binary(op, left, right) if *op == by => {
            joined(rules, by, left, all);
            joined(rules, by, right, all);
        }
        expr => all.push(truth(rules, expr)),
    }
}

fn compared(
    rules: &Ruleset,
    left: &Expr,
    right: &Expr,
    test: impl Fn(i64, i64) -> bool + Send + Sync + 'static,
) -> Truth {
    let left = number(rules, left);
    if let Expr::Int(right) = *right {
        return Box::new(move |eval, locals| test(left(eval, locals), right));
    }
    let right = number(rules, right);
    Box::new(move |eval, locals| {
        let left = left(eval, locals);
        test(left, right(eval, locals))
    })
}

/// Whether two values are the same.
fn same(rules: &Ruleset, left: &Expr, right: &Expr) -> Truth {
    match (left, right) {
        (Expr::Property(a, of), Expr::Property(b, other)) => {
            let (Expr::Local(of), Expr::Local(other)) = (&**of, &**other) else { return equal(rules, left, right) };
            let (of, other) = (*of, *other);
            if let (true, Some(a), Some(b)) = (of == other, axis(*a), axis(*b)) {
                // Example: whether a piece is on the diagonal, or the same expression twice.
                return Box::new(move |eval, locals| match eval.spot(slot(locals, of)) {
                    Some(spot) => along(a, spot) == along(b, spot),
                    None => true,
                });
            }
            if let (Some(a), Some(b)) = (axis(*a), axis(*b)) {
                return Box::new(move |eval, locals| {
                    eval.number_of(a, slot(locals, of)) == eval.number_of(b, slot(locals, other))
                });
            }
            if let (Property::PieceType, Property::PieceType) = (a, b) {
                let ty = |eval: &Eval<'_>, value: Value| value.piece().map(|piece| eval.rules.printing_of(piece));
                return Box::new(move |eval, locals| ty(eval, slot(locals, of)) == ty(eval, slot(locals, other)));
            }
            equal(rules, left, right)
        }
        (Expr::Int(_), right) if !matches!(right, Expr::Int(_)) => same(rules, right, left),
        (Expr::Count(set), Expr::Int(n)) => {
            let (walk, n) = (Walk::new(rules, set), *n);
            Box::new(move |eval, locals| walk.count(eval, locals) == n)
        }
        (left, Expr::Int(n)) if is_number(left) => {
            let (left, n) = (number(rules, left), *n);
            Box::new(move |eval, locals| left(eval, locals) == n)
        }
        _ => equal(rules, left, right),
    }
}

fn equal(rules: &Ruleset, left: &Expr, right: &Expr) -> Truth {
    let (left, right) = match (Source::new(rules, left), Source::new(rules, right)) {
        (constant @ Source::Constant(_), other) => (other, constant),
        both => both,
    };
    if let (Source::Slot(slot), Source::Constant(Value::Seat(seat))) = (&left, &right) {
        let (slot, seat) = (*slot, *seat);
        return Box::new(move |_, locals| matches!(locals.get(slot), Some(Value::Seat(other)) if *other == seat));
    }
    if let Source::Constant(constant) = right {
        return Box::new(move |eval, locals| left.get(eval, locals) == constant);
    }
    Box::new(move |eval, locals| {
        let left = left.get(eval, locals);
        left == right.get(eval, locals)
    })
}

/// Whether a value is always a number; other values may be missing, which is not 0.
fn is_number(expr: &Expr) -> bool {
    match expr {
        Expr::Count(_) | Expr::Sum(..) | Expr::Amount(..) => true,
        Expr::Binary(op, ..) => is_arithmetic(*op),
        _ => false,
    }
}

/// The row or the column.
#[inline]
fn along(property: Property, (row, column): (u16, u16)) -> u16 {
    if let Property::PieceRow | Property::CellRow = property { row } else { column }
}

/// A row or a column.
fn axis(property: Property) -> Option<Property> {
    let is_axis =
        matches!(property, Property::PieceRow | Property::PieceColumn | Property::CellRow | Property::CellColumn);
    is_axis.then_some(property)
}

#[inline]
fn slot(locals: &[Value], local: Local) -> Value {
    crate::eval::expressions::slot(locals, local)
}

/// A number as a function; a missing value counts as 0.
pub(crate) fn number(rules: &Ruleset, expr: &Expr) -> Number {
    let function = number_of(rules, expr);
    match surplus(expr) {
        0 => function,
        more => Box::new(move |eval, locals| if eval.state.fuel().burn(more) { function(eval, locals) } else { 0 }),
    }
}

fn number_of(rules: &Ruleset, expr: &Expr) -> Number {
    match expr {
        Expr::Int(n) => {
            let n = *n;
            Box::new(move |_, _| n)
        }
        Expr::Local(local) => {
            let local = *local;
            Box::new(move |_, locals| slot(locals, local).int())
        }
        Expr::Binary(op, left, right) if is_arithmetic(*op) => arithmetic(rules, *op, left, right),
        Expr::Property(property, of) if axis(*property).is_some() && matches!(**of, Expr::Local(_)) => {
            let Expr::Local(of) = **of else { return Box::new(|_, _| 0) };
            match is_row(*property) {
                true => Box::new(move |eval, locals| eval.spot(slot(locals, of)).map_or(0, |spot| i64::from(spot.0))),
                false => Box::new(move |eval, locals| eval.spot(slot(locals, of)).map_or(0, |spot| i64::from(spot.1))),
            }
        }
        Expr::Property(property, of) if axis(*property).is_some() => {
            let (property, of) = (*property, Source::new(rules, of));
            Box::new(move |eval, locals| eval.number_of(property, of.get(eval, locals)).unwrap_or(0))
        }
        Expr::Count(set) => {
            let walk = Walk::new(rules, set);
            Box::new(move |eval, locals| walk.count(eval, locals))
        }
        Expr::Sum(set, it, body) => sum(rules, set, *it, body),
        Expr::Largest(set, it, body) => extreme(rules, set, *it, body, i64::max),
        Expr::Smallest(set, it, body) => extreme(rules, set, *it, body, i64::min),
        Expr::Amount(holder, what) => stock::amount(rules, holder, what),
        Expr::Room(holder, what) => stock::room(rules, holder, what),
        Expr::Units(cost) => {
            let price = Price::new(rules, cost);
            Box::new(move |eval, locals| price.bundle(eval, locals).units())
        }
        Expr::If(cond, yes, no) => {
            let (cond, yes, no) = (truth(rules, cond), number(rules, yes), number(rules, no));
            Box::new(move |eval, locals| if cond(eval, locals) { yes(eval, locals) } else { no(eval, locals) })
        }
        Expr::Min(left, right) => both(rules, left, right, |a, b| a.min(b)),
        Expr::Max(left, right) => both(rules, left, right, |a, b| a.max(b)),
        Expr::Negative(inner) => {
            let inner = number(rules, inner);
            Box::new(move |eval, locals| eval.exact(inner(eval, locals).checked_neg()))
        }
        Expr::Value(id, of) => {
            if let Some((line, slot)) = line_of(rules, *id, of) {
                let id = *id;
                return Box::new(move |eval, locals| match locals.get(slot) {
                    Some(Value::Piece(piece)) if line.goes_on(eval, *piece) => {
                        let piece = *piece;
                        let alone = line.follow(eval, piece);
                        alone.unwrap_or_else(|| eval.value(id, Value::Piece(piece), locals).int())
                    }
                    _ => 0,
                });
            }
            if let Some((base, slot)) = plain_value(rules, *id, of) {
                return Box::new(move |eval, locals| match locals.get(slot) {
                    Some(Value::Piece(piece)) => plain_number(eval, *piece, base, locals),
                    _ => 0,
                });
            }
            let (id, of) = (*id, Source::new(rules, of));
            Box::new(move |eval, locals| {
                let of = of.get(eval, locals);
                eval.value(id, of, locals).int()
            })
        }
        Expr::Attr(of, attr) => {
            let (of, attr) = (Source::new(rules, of), *attr);
            Box::new(move |eval, locals| {
                let of = of.get(eval, locals);
                eval.attr(of, attr, locals).int()
            })
        }
        Expr::Var(..) | Expr::Property(..) | Expr::First(_) | Expr::Last(_) | Expr::Top(_) => {
            let value = value(rules, expr);
            Box::new(move |eval, locals| value(eval, locals).int())
        }
        _ => {
            let expr = expr.clone();
            Box::new(move |eval, locals| eval.int(&expr, locals))
        }
    }
}

/// The line that a derived value follows, and the slot of the piece.
fn line_of(rules: &Ruleset, id: ValueId, of: &Expr) -> Option<(Line, usize)> {
    let declared = &rules.values[id.index()];
    match (declared.subject, of) {
        (Subject::Piece(_), Expr::Local(slot)) if !declared.modified => Some((Line::new(rules, id)?, slot.index())),
        _ => None,
    }
}

/// The base of a derived value without modifiers, and the slot of the piece.
fn plain_value(rules: &Ruleset, id: ValueId, of: &Expr) -> Option<(ExprId, usize)> {
    let declared = &rules.values[id.index()];
    match (declared.subject, of) {
        (Subject::Piece(_), Expr::Local(slot)) if rules.is_plain_value(id) => Some((declared.base, slot.index())),
        _ => None,
    }
}

#[inline(never)]
fn plain_number(eval: &Eval<'_>, piece: PieceId, base: ExprId, locals: &Locals) -> i64 {
    eval.plain_value_of(piece, base, locals, |text, eval, locals| text.number(eval, locals))
}

fn both(rules: &Ruleset, left: &Expr, right: &Expr, pick: impl Fn(i64, i64) -> i64 + Send + Sync + 'static) -> Number {
    let (left, right) = (number(rules, left), number(rules, right));
    Box::new(move |eval, locals| {
        let left = left(eval, locals);
        pick(left, right(eval, locals))
    })
}

fn arithmetic(rules: &Ruleset, op: BinaryOp, left: &Expr, right: &Expr) -> Number {
    match (op, left, right) {
        (BinaryOp::Add, Expr::Int(n), other) | (BinaryOp::Add, other, Expr::Int(n)) => {
            let (n, other) = (*n, number(rules, other));
            Box::new(move |eval, locals| eval.exact(other(eval, locals).checked_add(n)))
        }
        (BinaryOp::Add, ..) => {
            let (left, right) = (number(rules, left), number(rules, right));
            Box::new(move |eval, locals| {
                let left = left(eval, locals);
                eval.exact(left.checked_add(right(eval, locals)))
            })
        }
        _ => {
            let (left, right) = (number(rules, left), number(rules, right));
            Box::new(move |eval, locals| {
                let left = left(eval, locals);
                eval.exact(calculated(op, left, right(eval, locals)))
            })
        }
    }
}

fn sum(rules: &Ruleset, set: &Set, it: Local, body: &Expr) -> Number {
    let walk = Walk::new(rules, set);
    if let Expr::Attr(of, attr) = body
        && **of == Expr::Local(it)
        && walk.is_of_zones
        && let Some(numbers) = Numbers::new(rules, *attr)
    {
        return Box::new(move |eval, locals| walk.sum_of(eval, locals, &numbers));
    }
    let (it, body) = (it.index(), number(rules, body));
    Box::new(move |eval, locals| walk.sum(eval, locals, it, &body))
}

fn extreme(rules: &Ruleset, set: &Set, it: Local, body: &Expr, pick: fn(i64, i64) -> i64) -> Number {
    let (walk, it, body) = (Walk::new(rules, set), it.index(), number(rules, body));
    Box::new(move |eval, locals| {
        let mut best = None;
        let _ = walk.each(eval, locals, |value, locals| {
            locals[it] = value;
            let number = body(eval, locals);
            best = Some(best.map_or(number, |best| pick(best, number)));
            ControlFlow::Continue(())
        });
        best.unwrap_or(0)
    })
}

/// Any expression as a function.
pub(crate) fn value(rules: &Ruleset, expr: &Expr) -> AnyValue {
    let function = value_of(rules, expr);
    match surplus(expr) {
        0 => function,
        more => Box::new(move |eval, locals| match eval.state.fuel().burn(more) {
            true => function(eval, locals),
            false => Value::Nil,
        }),
    }
}

fn value_of(rules: &Ruleset, expr: &Expr) -> AnyValue {
    match expr {
        Expr::Local(local) => {
            let local = *local;
            Box::new(move |_, locals| slot(locals, local))
        }
        Expr::Int(n) => constant(Value::Int(*n)),
        Expr::Bool(flag) => constant(Value::Bool(*flag)),
        Expr::Sym(id) => constant(Value::Sym(*id)),
        Expr::Res(id) => constant(Value::Res(*id)),
        Expr::Type(id) => constant(Value::Type(*id)),
        Expr::Property(property, of) => {
            let (property, of) = (*property, Source::new(rules, of));
            Box::new(move |eval, locals| eval.property(property, of.get(eval, locals)))
        }
        Expr::Attr(of, attr) => {
            let (of, attr) = (Source::new(rules, of), *attr);
            Box::new(move |eval, locals| {
                let of = of.get(eval, locals);
                eval.attr(of, attr, locals)
            })
        }
        Expr::Value(id, of) => {
            if let Some((base, slot)) = plain_value(rules, *id, of) {
                return Box::new(move |eval, locals| match locals.get(slot) {
                    Some(Value::Piece(piece)) => {
                        eval.plain_value_of(*piece, base, locals, |text, eval, locals| text.value(eval, locals))
                    }
                    _ => Value::Int(0),
                });
            }
            let (id, of) = (*id, Source::new(rules, of));
            Box::new(move |eval, locals| {
                let of = of.get(eval, locals);
                eval.value(id, of, locals)
            })
        }
        Expr::Var(var, None) => {
            let var = *var;
            Box::new(move |eval, _| eval.state.var(eval.rules, var, None))
        }
        Expr::Var(var, Some(owner)) => {
            let (var, owner) = (*var, Source::new(rules, owner));
            Box::new(move |eval, locals| eval.state.var(eval.rules, var, Some(owner.get(eval, locals))))
        }
        Expr::First(set) => {
            let walk = Walk::new(rules, set);
            Box::new(move |eval, locals| walk.first(eval, locals).unwrap_or_default())
        }
        Expr::Last(set) => {
            let walk = Walk::new(rules, set);
            Box::new(move |eval, locals| walk.last(eval, locals))
        }
        Expr::Top(zone) => {
            let zone = ZoneSource::new(rules, zone);
            Box::new(move |eval, locals| zone.get(eval, locals).map_or(Value::Nil, |zone| eval.top(zone)))
        }
        Expr::If(cond, yes, no) => {
            let (cond, yes, no) = (truth(rules, cond), Source::new(rules, yes), Source::new(rules, no));
            Box::new(move |eval, locals| if cond(eval, locals) { yes.get(eval, locals) } else { no.get(eval, locals) })
        }
        Expr::AtTurn => Box::new(|eval, _| eval.state.active().map_or(Value::Nil, Value::Seat)),
        Expr::Opposite(direction) => {
            let direction = Source::new(rules, direction);
            Box::new(move |eval, locals| eval.rules.opposite(direction.get(eval, locals)))
        }
        Expr::NextSeat(seat) => neighbour(rules, seat, 1),
        Expr::PreviousSeat(seat) => neighbour(rules, seat, rules.players.saturating_sub(1)),
        Expr::Partner(seat) => {
            let seat = Source::new(rules, seat);
            Box::new(move |eval, locals| eval.partner(seat.get(eval, locals)))
        }
        Expr::Binary(op, ..) if is_arithmetic(*op) => numeric(rules, expr),
        Expr::Count(_) | Expr::Sum(..) | Expr::Amount(..) | Expr::Min(..) | Expr::Max(..) => numeric(rules, expr),
        Expr::Largest(..) | Expr::Smallest(..) | Expr::Negative(_) => numeric(rules, expr),
        Expr::Room(..) | Expr::Units(_) => numeric(rules, expr),
        Expr::Mark(mark, cell) => {
            let (mark, cell) = (*mark, Source::new(rules, cell));
            Box::new(move |eval, locals| {
                let cell = cell.get(eval, locals).cell();
                cell.and_then(|cell| eval.rules.mark(cell.zone, cell.at, mark)).map_or(Value::Nil, Value::Sym)
            })
        }
        Expr::Not(_)
        | Expr::Binary(..)
        | Expr::Any(_)
        | Expr::IsType(..)
        | Expr::IsKind(..)
        | Expr::Contains(..)
        | Expr::Passed(_)
        | Expr::Out(_)
        | Expr::Can(..)
        | Expr::CanPay(_) => {
            let truth = truth(rules, expr);
            Box::new(move |eval, locals| Value::Bool(truth(eval, locals)))
        }
        Expr::ResAttr(..) | Expr::Query(..) => as_written(expr),
    }
}

/// Rare expressions, and those that are expensive by themselves, are left to the evaluator.
fn as_written(expr: &Expr) -> AnyValue {
    let expr = expr.clone();
    Box::new(move |eval, locals| eval.expr(&expr, locals))
}

fn neighbour(rules: &Ruleset, seat: &Expr, by: u8) -> AnyValue {
    let seat = Source::new(rules, seat);
    Box::new(move |eval, locals| eval.neighbour_seat(seat.get(eval, locals), by))
}

fn constant(value: Value) -> AnyValue {
    Box::new(move |_, _| value)
}

/// For values that are always numbers.
fn numeric(rules: &Ruleset, expr: &Expr) -> AnyValue {
    let number = number(rules, expr);
    Box::new(move |eval, locals| Value::Int(number(eval, locals)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// If each level compiled a part twice, the time would double with every level.
    #[test]
    fn a_condition_of_many_levels_is_soon_a_function() {
        let mut cond = Expr::Bool(true);
        for level in 0..60 {
            let op = if level % 2 == 0 { BinaryOp::And } else { BinaryOp::Or };
            cond = Expr::Binary(op, Box::new(Expr::Bool(false)), Box::new(cond));
        }
        let _ = truth(&Ruleset::default(), &cond);
    }
}
