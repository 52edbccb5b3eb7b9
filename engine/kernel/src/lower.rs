//! Expressions as functions: what is evaluated over and over is turned, when it is first needed, into a function for exactly
//! its shape. What is seldom met stays an expression, which the function hands to the evaluator. Both give the same: debug builds
//! compare them each time.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, OnceLock};

use rulepack_expr::ast::BinaryOp;
use rulepack_expr::{Built, Expr, Holder, Set, What};
use rulepack_model::Local;

use crate::eval::{Eval, Locals, calculated, is_arithmetic, slot};
use crate::value::Value;

type Function<T> = Box<dyn Fn(&Eval<'_>, &mut Locals) -> T + Send + Sync>;

/// A yes-or-no as a function.
pub(crate) type Truth = Function<bool>;
/// A number as a function; what is none counts as 0.
pub(crate) type Number = Function<i64>;
/// Any value as a function.
pub(crate) type AnyValue = Function<Value>;

/// A place for the function of an expression; a copy makes its own.
pub(crate) struct Lowered<T>(OnceLock<T>);

impl<T> Clone for Lowered<T> {
    fn clone(&self) -> Self {
        Lowered::default()
    }
}

impl<T> Default for Lowered<T> {
    fn default() -> Self {
        Lowered(OnceLock::new())
    }
}

impl<T> fmt::Debug for Lowered<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lowered")
    }
}

impl<T> Lowered<T> {
    #[inline]
    pub(crate) fn get(&self, make: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(make)
    }
}

/// The function of a condition that stands in a set.
#[inline]
pub(crate) fn condition<'e>(code: &'e rulepack_expr::Lowered, cond: &Expr) -> Option<&'e Truth> {
    let make = || -> Arc<dyn Any + Send + Sync> { Arc::new(truth(cond)) };
    code.0.get_or_init(make).downcast_ref::<Truth>()
}

pub(crate) fn truth(expr: &Expr) -> Truth {
    match expr {
        Expr::Bool(flag) => {
            let flag = *flag;
            Box::new(move |_, _| flag)
        }
        Expr::Not(inner) => match &**inner {
            Expr::Any(set) => {
                let set = (**set).clone();
                Box::new(move |eval, locals| !eval.any(&set, locals))
            }
            inner => {
                let inner = truth(inner);
                Box::new(move |eval, locals| !inner(eval, locals))
            }
        },
        Expr::Any(set) => {
            let set = (**set).clone();
            Box::new(move |eval, locals| eval.any(&set, locals))
        }
        Expr::IsKind(of, kind) => {
            let kind = *kind;
            match **of {
                Expr::Local(local) => Box::new(move |eval, locals| eval.is_kind(slot(locals, local), kind)),
                ref of => {
                    let of = value(of);
                    Box::new(move |eval, locals| eval.is_kind(of(eval, locals), kind))
                }
            }
        }
        Expr::IsType(of, ty) => {
            let (of, ty) = (value(of), *ty);
            Box::new(move |eval, locals| eval.is_type(of(eval, locals), ty))
        }
        Expr::Contains(set, of) => {
            let (set, of) = ((**set).clone(), value(of));
            Box::new(move |eval, locals| {
                let wanted = of(eval, locals);
                eval.contains(&set, wanted, locals)
            })
        }
        Expr::Binary(BinaryOp::And, left, right) => {
            let (left, right) = (truth(left), truth(right));
            Box::new(move |eval, locals| left(eval, locals) && right(eval, locals))
        }
        Expr::Binary(BinaryOp::Or, left, right) => {
            let (left, right) = (truth(left), truth(right));
            Box::new(move |eval, locals| left(eval, locals) || right(eval, locals))
        }
        Expr::Binary(BinaryOp::Eq, left, right) => same(left, right),
        Expr::Binary(BinaryOp::Ne, left, right) => {
            let same = same(left, right);
            Box::new(move |eval, locals| !same(eval, locals))
        }
        Expr::Binary(BinaryOp::Lt, left, right) => compared(left, right, |a, b| a < b),
        Expr::Binary(BinaryOp::Le, left, right) => compared(left, right, |a, b| a <= b),
        Expr::Binary(BinaryOp::Gt, left, right) => compared(left, right, |a, b| a > b),
        Expr::Binary(BinaryOp::Ge, left, right) => compared(left, right, |a, b| a >= b),
        Expr::Value(..) | Expr::Attr(..) | Expr::Var(..) | Expr::If(..) | Expr::Built(..) => {
            let value = value(expr);
            Box::new(move |eval, locals| value(eval, locals).truth())
        }
        _ => {
            let expr = expr.clone();
            Box::new(move |eval, locals| eval.truth(&expr, locals))
        }
    }
}

fn compared(left: &Expr, right: &Expr, test: impl Fn(i64, i64) -> bool + Send + Sync + 'static) -> Truth {
    let left = number(left);
    if let Expr::Int(right) = *right {
        return Box::new(move |eval, locals| test(left(eval, locals), right));
    }
    let right = number(right);
    Box::new(move |eval, locals| {
        let left = left(eval, locals);
        test(left, right(eval, locals))
    })
}

/// Whether two things are the same.
fn same(left: &Expr, right: &Expr) -> Truth {
    match (left, right) {
        (Expr::Built(a, of), Expr::Built(b, other)) => {
            if let (Some(a), Some(b), Expr::Local(of), Expr::Local(other)) = (axis(*a), axis(*b), &**of, &**other) {
                let (of, other) = (*of, *other);
                return Box::new(move |eval, locals| a.of(eval, slot(locals, of)) == b.of(eval, slot(locals, other)));
            }
            if let (Built::PieceType, Built::PieceType, Expr::Local(of), Expr::Local(other)) = (a, b, &**of, &**other) {
                let (of, other) = (*of, *other);
                let ty = |eval: &Eval<'_>, value: Value| value.piece().map(|piece| eval.rules.printing_of(piece));
                return Box::new(move |eval, locals| ty(eval, slot(locals, of)) == ty(eval, slot(locals, other)));
            }
        }
        (Expr::Int(_), right) if !matches!(right, Expr::Int(_)) => return same(right, left),
        (left, Expr::Int(n)) => {
            let n = *n;
            // These are always numbers; others may be nothing, which is not 0.
            if let Expr::Count(_) | Expr::Sum(..) | Expr::Amount(..) = left {
                let left = number(left);
                return Box::new(move |eval, locals| left(eval, locals) == n);
            }
            if matches!(left, Expr::Binary(op, ..) if is_arithmetic(*op)) {
                let left = number(left);
                return Box::new(move |eval, locals| left(eval, locals) == n);
            }
        }
        (Expr::Local(left), Expr::Local(right)) => {
            let (left, right) = (*left, *right);
            return Box::new(move |_, locals| slot(locals, left) == slot(locals, right));
        }
        _ => {}
    }
    let (left, right) = (value(left), value(right));
    Box::new(move |eval, locals| {
        let left = left(eval, locals);
        left == right(eval, locals)
    })
}

/// A row or a column.
#[derive(Clone, Copy)]
struct Axis {
    built: Built,
}

impl Axis {
    #[inline]
    fn of(self, eval: &Eval<'_>, value: Value) -> Value {
        eval.number_of(self.built, value).map_or(Value::Nil, Value::Int)
    }
}

fn axis(built: Built) -> Option<Axis> {
    let is_axis = matches!(built, Built::PieceRow | Built::PieceColumn | Built::CellRow | Built::CellColumn);
    is_axis.then_some(Axis { built })
}

pub(crate) fn number(expr: &Expr) -> Number {
    match expr {
        Expr::Int(n) => {
            let n = *n;
            Box::new(move |_, _| n)
        }
        Expr::Local(local) => {
            let local = *local;
            Box::new(move |_, locals| slot(locals, local).int())
        }
        Expr::Binary(op, left, right) if is_arithmetic(*op) => arithmetic(*op, left, right),
        Expr::Built(built, of) if axis(*built).is_some() => {
            let built = *built;
            if let Expr::Local(local) = **of {
                return Box::new(move |eval, locals| eval.number_of(built, slot(locals, local)).unwrap_or(0));
            }
            let of = value(of);
            Box::new(move |eval, locals| eval.number_of(built, of(eval, locals)).unwrap_or(0))
        }
        Expr::Count(set) => {
            let set = (**set).clone();
            Box::new(move |eval, locals| eval.count(&set, locals))
        }
        Expr::Sum(set, it, body) => sum(set, *it, body),
        Expr::Amount(Holder::Seat(seat), What::Res(res)) => {
            let (seat, res) = (value(seat), *res);
            Box::new(move |eval, locals| {
                seat(eval, locals).seat().map_or(0, |seat| i64::from(eval.state.amount(eval.rules, seat, res)))
            })
        }
        Expr::If(cond, yes, no) => {
            let (cond, yes, no) = (truth(cond), number(yes), number(no));
            Box::new(move |eval, locals| if cond(eval, locals) { yes(eval, locals) } else { no(eval, locals) })
        }
        Expr::Min(left, right) => {
            let (left, right) = (number(left), number(right));
            Box::new(move |eval, locals| left(eval, locals).min(right(eval, locals)))
        }
        Expr::Max(left, right) => {
            let (left, right) = (number(left), number(right));
            Box::new(move |eval, locals| left(eval, locals).max(right(eval, locals)))
        }
        Expr::Value(..) | Expr::Attr(..) | Expr::Var(..) => {
            let value = value(expr);
            Box::new(move |eval, locals| value(eval, locals).int())
        }
        _ => {
            let expr = expr.clone();
            Box::new(move |eval, locals| eval.int(&expr, locals))
        }
    }
}

fn arithmetic(op: BinaryOp, left: &Expr, right: &Expr) -> Number {
    match (op, left, right) {
        (BinaryOp::Add, Expr::Int(n), other) | (BinaryOp::Add, other, Expr::Int(n)) => {
            let (n, other) = (*n, number(other));
            Box::new(move |eval, locals| other(eval, locals).saturating_add(n))
        }
        (BinaryOp::Add, ..) => {
            let (left, right) = (number(left), number(right));
            Box::new(move |eval, locals| {
                let left = left(eval, locals);
                left.saturating_add(right(eval, locals))
            })
        }
        _ => {
            let (left, right) = (number(left), number(right));
            Box::new(move |eval, locals| {
                let left = left(eval, locals);
                calculated(op, left, right(eval, locals))
            })
        }
    }
}

fn sum(set: &Set, it: Local, body: &Expr) -> Number {
    let (set, it, body) = (set.clone(), it.index(), number(body));
    Box::new(move |eval, locals| {
        let mut sum = 0_i64;
        let _ = eval.walk(&set, locals, |value, locals| {
            locals[it] = value;
            sum = sum.saturating_add(body(eval, locals));
            std::ops::ControlFlow::Continue(())
        });
        sum
    })
}

pub(crate) fn value(expr: &Expr) -> AnyValue {
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
        Expr::Built(built, of) => {
            let built = *built;
            if let Expr::Local(local) = **of {
                return Box::new(move |eval, locals| eval.built(built, slot(locals, local)));
            }
            let of = value(of);
            Box::new(move |eval, locals| eval.built(built, of(eval, locals)))
        }
        Expr::Attr(of, attr) => {
            let attr = *attr;
            if let Expr::Local(local) = **of {
                return Box::new(move |eval, locals| eval.attr(slot(locals, local), attr, locals));
            }
            let of = value(of);
            Box::new(move |eval, locals| {
                let of = of(eval, locals);
                eval.attr(of, attr, locals)
            })
        }
        Expr::Value(id, of) => {
            let id = *id;
            if let Expr::Local(local) = **of {
                return Box::new(move |eval, locals| eval.value(id, slot(locals, local), locals));
            }
            let of = value(of);
            Box::new(move |eval, locals| {
                let of = of(eval, locals);
                eval.value(id, of, locals)
            })
        }
        Expr::Var(var, None) => {
            let var = *var;
            Box::new(move |eval, _| eval.state.var(eval.rules, var, None))
        }
        Expr::Var(var, Some(owner)) => {
            let (var, owner) = (*var, value(owner));
            Box::new(move |eval, locals| eval.state.var(eval.rules, var, Some(owner(eval, locals))))
        }
        Expr::First(set) => {
            let set = (**set).clone();
            Box::new(move |eval, locals| eval.first(&set, locals).unwrap_or_default())
        }
        Expr::Last(set) => {
            let set = (**set).clone();
            Box::new(move |eval, locals| eval.last(&set, locals))
        }
        Expr::If(cond, yes, no) => {
            let (cond, yes, no) = (truth(cond), value(yes), value(no));
            Box::new(move |eval, locals| if cond(eval, locals) { yes(eval, locals) } else { no(eval, locals) })
        }
        Expr::Binary(op, ..) if is_arithmetic(*op) => numeric(expr),
        Expr::Count(_) | Expr::Sum(..) | Expr::Amount(..) | Expr::Min(..) | Expr::Max(..) => numeric(expr),
        Expr::Not(_) | Expr::Binary(..) | Expr::Any(_) | Expr::IsType(..) | Expr::IsKind(..) | Expr::Contains(..) => {
            let truth = truth(expr);
            Box::new(move |eval, locals| Value::Bool(truth(eval, locals)))
        }
        _ => {
            let expr = expr.clone();
            Box::new(move |eval, locals| eval.expr(&expr, locals))
        }
    }
}

fn constant(value: Value) -> AnyValue {
    Box::new(move |_, _| value)
}

/// Of what is always a number.
fn numeric(expr: &Expr) -> AnyValue {
    let number = number(expr);
    Box::new(move |eval, locals| Value::Int(number(eval, locals)))
}
