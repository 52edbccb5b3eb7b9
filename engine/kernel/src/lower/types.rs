//! Conditions that depend on the type of a piece alone. Types never change, so these are computed once for all types of
//! the rules.

use rulepack_expr::ast::BinaryOp;
use rulepack_expr::{AttrId, Expr, Property};
use rulepack_model::{Local, PieceId, TypeId};

use crate::rules::ruleset::{AttrValue, Ruleset};
use crate::state::value::Value;

/// A set of types.
pub(super) struct Types(Box<[u64]>);

impl Types {
    /// The types of pieces for which a condition on `it` holds; `None` if the type does not always decide it.
    pub(super) fn told(rules: &Ruleset, cond: &Expr, it: Local) -> Option<Types> {
        if !asks_about(cond, it) {
            return None;
        }
        let mut bits = vec![0; rules.types.len().div_ceil(64)];
        for ty in 0..rules.types.len() {
            bits[ty / 64] |= u64::from(holds(rules, cond, TypeId::from(ty))?) << (ty % 64);
        }
        Some(Types(bits.into()))
    }

    /// The types in both sets.
    pub(super) fn intersection(mut self, others: &Types) -> Types {
        self.0.iter_mut().zip(&others.0).for_each(|(types, others)| *types &= others);
        self
    }

    #[inline(always)]
    pub(super) fn has(&self, rules: &Ruleset, piece: PieceId) -> bool {
        let ty = rules.type_of(piece).index();
        self.0[ty / 64] >> (ty % 64) & 1 != 0
    }
}

/// Whether a condition on a piece depends only on its type.
pub(super) fn is_told_by_type(rules: &Ruleset, cond: &Expr, it: Local) -> bool {
    Types::told(rules, cond, it).is_some()
}

/// Whether a condition is about a thing, and about nothing else that could change.
fn asks_about(cond: &Expr, it: Local) -> bool {
    let is_it = |expr: &Expr| *expr == Expr::Local(it);
    match cond {
        Expr::Not(inner) => asks_about(inner, it),
        Expr::IsKind(of, _) | Expr::IsType(of, _) | Expr::Attr(of, _) | Expr::Property(Property::PieceType, of) => {
            is_it(of)
        }
        Expr::Binary(BinaryOp::And | BinaryOp::Or, left, right) => asks_about(left, it) && asks_about(right, it),
        Expr::Binary(_, left, right) => {
            asks_about(left, it) && is_constant(right) || is_constant(left) && asks_about(right, it)
        }
        _ => false,
    }
}

fn is_constant(expr: &Expr) -> bool {
    matches!(expr, Expr::Int(_) | Expr::Bool(_) | Expr::Sym(_) | Expr::Res(_) | Expr::Type(_))
}

/// Whether a condition holds for a piece of a type; `None` if the type does not decide it.
fn holds(rules: &Ruleset, cond: &Expr, ty: TypeId) -> Option<bool> {
    match cond {
        Expr::Not(inner) => holds(rules, inner, ty).map(|holds| !holds),
        Expr::Binary(BinaryOp::And, left, right) => match holds(rules, left, ty)? {
            true => holds(rules, right, ty),
            false => Some(false),
        },
        Expr::Binary(BinaryOp::Or, left, right) => match holds(rules, left, ty)? {
            true => Some(true),
            false => holds(rules, right, ty),
        },
        Expr::Binary(op, left, right) => {
            let (left, right) = (value(rules, left, ty)?, value(rules, right, ty)?);
            Some(match op {
                BinaryOp::Eq => left == right,
                BinaryOp::Ne => left != right,
                BinaryOp::Lt => left.int() < right.int(),
                BinaryOp::Le => left.int() <= right.int(),
                BinaryOp::Gt => left.int() > right.int(),
                BinaryOp::Ge => left.int() >= right.int(),
                _ => return None,
            })
        }
        Expr::IsKind(_, kind) => Some(rules.is_kind(rules.types[ty.index()].kind, *kind)),
        Expr::IsType(_, other) => Some(rules.is_type(ty, *other)),
        _ => value(rules, cond, ty).map(Value::truth),
    }
}

fn value(rules: &Ruleset, expr: &Expr, ty: TypeId) -> Option<Value> {
    match expr {
        Expr::Int(n) => Some(Value::Int(*n)),
        Expr::Bool(flag) => Some(Value::Bool(*flag)),
        Expr::Sym(id) => Some(Value::Sym(*id)),
        Expr::Res(id) => Some(Value::Res(*id)),
        Expr::Type(id) => Some(Value::Type(*id)),
        Expr::Attr(_, attr) => plain(rules, ty, *attr),
        Expr::Property(Property::PieceType, _) => Some(Value::Type(rules.types[ty.index()].printing_of)),
        _ => None,
    }
}

/// An attribute that is constant for all pieces of a type.
fn plain(rules: &Ruleset, ty: TypeId, attr: AttrId) -> Option<Value> {
    match rules.attr(ty, attr) {
        Some(AttrValue::Plain(value)) => Some(value),
        Some(AttrValue::Expr(_)) => None,
        _ => Some(Value::Int(0)),
    }
}

/// An attribute of all types, each value encoded as a word: two values are equal if their words are.
pub(super) struct Column(Box<[u64]>);

impl Column {
    /// The attribute, if it is constant for all pieces of a type, and each value has a word.
    pub(super) fn new(rules: &Ruleset, attr: AttrId) -> Option<Column> {
        let word_of = |ty| word(plain(rules, TypeId::from(ty), attr)?);
        (0..rules.types.len()).map(word_of).collect::<Option<Box<[u64]>>>().map(Column)
    }

    /// The word of a piece.
    #[inline(always)]
    pub(super) fn of(&self, rules: &Ruleset, piece: PieceId) -> u64 {
        self.0[rules.type_of(piece).index()]
    }
}

/// An attribute of all types as numbers.
pub(super) struct Numbers(Box<[i64]>);

impl Numbers {
    /// The attribute, if it is constant for all pieces of a type.
    pub(super) fn new(rules: &Ruleset, attr: AttrId) -> Option<Numbers> {
        let number_of = |ty| plain(rules, TypeId::from(ty), attr).map(Value::int);
        (0..rules.types.len()).map(number_of).collect::<Option<Box<[i64]>>>().map(Numbers)
    }

    /// The number of a piece.
    #[inline(always)]
    pub(super) fn of(&self, rules: &Ruleset, piece: PieceId) -> i64 {
        self.0[rules.type_of(piece).index()]
    }
}

/// The word of a value, different for every value; large numbers have none.
#[inline]
pub(super) fn word(value: Value) -> Option<u64> {
    let (tag, number) = match value {
        Value::Nil => (0, 0),
        Value::Int(n) => (1, u64::try_from(n.checked_add(1 << 32)?).ok().filter(|n| *n < 1 << 33)?),
        Value::Bool(flag) => (2, u64::from(flag)),
        Value::Res(id) => (3, u64::from(id.0)),
        Value::Sym(id) => (4, u64::from(id.0)),
        Value::Type(id) => (5, u64::from(id.0)),
        Value::Seat(id) => (6, u64::from(id.0)),
        Value::Piece(id) => (7, u64::from(id.0)),
        Value::Cell(cell) => (8, u64::from(cell.zone.0) << 16 | u64::from(cell.at)),
    };
    Some(number << 4 | tag)
}

#[cfg(test)]
mod tests {
    use rulepack_model::{PieceId, ResId, Seat, SymId};

    use super::*;
    use crate::state::value::{Cell, ZoneIx};

    #[test]
    fn different_values_have_different_words() {
        let mut values = vec![Value::Nil, Value::Bool(false), Value::Bool(true), Value::Int(i64::from(i32::MIN))];
        for n in 0..4 {
            values.extend([Value::Int(i64::from(n)), Value::Res(ResId(n)), Value::Sym(SymId(n))]);
            values.extend([Value::Type(TypeId::from(n as usize)), Value::Seat(Seat(n as u8))]);
            values.extend([Value::Piece(PieceId(u32::from(n))), Value::Cell(Cell { zone: ZoneIx(n), at: 0 })]);
            values.push(Value::Cell(Cell { zone: ZoneIx(0), at: n + 1 }));
        }
        let mut words: Vec<u64> = values.iter().map(|value| word(*value).expect("it is small")).collect();
        words.sort_unstable();
        words.dedup();
        assert_eq!(words.len(), values.len());
        assert_eq!((word(Value::Int(i64::MAX)), word(Value::Int(i64::MIN))), (None, None));
    }
}
