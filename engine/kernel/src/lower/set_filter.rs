//! Tests of members: the parts of a `where`, so that cheap and frequent tests come first.

use std::num::NonZeroU16;

use rulepack_expr::Property;
use rulepack_expr::ast::BinaryOp;
use rulepack_model::{KindId, PieceId, TypeId};

use super::rest::Known;
use super::split_where::{MOST_TESTS, Probe};
use super::{Source, Walk};
use crate::eval::expressions::{Eval, Locals};
use crate::rules::layout::Line;
use crate::state::value::{Cell, Value};

/// The most frequent tests of members.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// The required type of a piece, or any.
    pub(super) ty: Option<TypeId>,
    /// The required value of an attribute, as a word, or any.
    pub(super) word: Option<u64>,
    /// The required row and column, or any.
    pub(super) row: Option<NonZeroU16>,
    pub(super) column: Option<NonZeroU16>,
}

impl Wanted {
    pub(super) const ANYTHING: Wanted = Wanted { ty: None, word: None, row: None, column: None };

    #[inline(always)]
    pub(super) fn is_spot(&self, eval: &Eval<'_>, cell: Cell) -> bool {
        let (row, column) = eval.rules.spot(cell);
        self.row.is_none_or(|wanted| wanted.get() == row) && self.column.is_none_or(|wanted| wanted.get() == column)
    }

    /// The row or column of the members, which need not be tested any more.
    #[inline]
    pub(super) fn take_line(&mut self) -> Line {
        match (self.row.take(), self.column) {
            (Some(row), _) => Line::Row(row.get()),
            (None, Some(column)) => {
                self.column = None;
                Line::Column(column.get())
            }
            (None, None) => Line::All,
        }
    }
}

/// The part of [`Wanted`] that is computed for each walk.
pub(super) enum Asked {
    Nothing,
    /// The same property of a value in a slot.
    LikeSlot(usize),
    Code(Source),
}

impl Asked {
    pub(super) fn new(source: Source, like: impl Fn(Property) -> bool) -> Asked {
        match source {
            Source::Property(property, slot) if like(property) => Asked::LikeSlot(slot),
            source => Asked::Code(source),
        }
    }

    pub(super) fn is_nothing(&self) -> bool {
        matches!(self, Asked::Nothing)
    }
}

pub(super) fn is_row(property: Property) -> bool {
    matches!(property, Property::PieceRow | Property::CellRow)
}

pub(super) fn is_column(property: Property) -> bool {
    matches!(property, Property::PieceColumn | Property::CellColumn)
}

/// The row and column of a value in a slot.
#[inline]
pub(super) fn spot_of_slot(eval: &Eval<'_>, slot: usize, locals: &Locals) -> Option<(u16, u16)> {
    eval.spot(*locals.get(slot)?)
}

/// The index of a row or column: they begin with 1.
#[inline(never)]
pub(super) fn number_of_line(source: &Source, eval: &Eval<'_>, locals: &mut Locals) -> Option<NonZeroU16> {
    match source.get(eval, locals) {
        Value::Int(n) => u16::try_from(n).ok().and_then(NonZeroU16::new),
        _ => None,
    }
}

#[inline(never)]
pub(super) fn type_of(source: &Source, eval: &Eval<'_>, locals: &mut Locals) -> Option<TypeId> {
    match source.get(eval, locals) {
        Value::Type(ty) => Some(ty),
        _ => None,
    }
}

/// Another cheap test of members.
pub(super) enum Cheap {
    IsType(TypeId),
    IsKind(KindId),
    Compare(Probe, BinaryOp, Source),
}

impl Cheap {
    #[inline]
    pub(super) fn holds(&self, eval: &Eval<'_>, value: Value, other: Value, locals: &Locals) -> bool {
        let (probe, op) = match self {
            Cheap::IsType(ty) => return eval.is_type(value, *ty),
            Cheap::IsKind(kind) => return eval.is_kind(value, *kind),
            Cheap::Compare(probe, op, _) => (probe, op),
        };
        let value = match probe {
            Probe::Itself => value,
            Probe::Property(property) => eval.property(*property, value),
            Probe::Attr(attr) => eval.attr(value, *attr, locals),
        };
        match op {
            BinaryOp::Eq => value == other,
            BinaryOp::Ne => value != other,
            BinaryOp::Lt => value.int() < other.int(),
            BinaryOp::Le => value.int() <= other.int(),
            BinaryOp::Gt => value.int() > other.int(),
            _ => value.int() >= other.int(),
        }
    }
}

/// Which of the walked elements are members.
pub(super) trait Filter {
    fn fits(&self, eval: &Eval<'_>, value: Value, locals: &mut Locals) -> bool;
}

/// All.
pub(super) struct All;

impl Filter for All {
    #[inline(always)]
    fn fits(&self, _: &Eval<'_>, _: Value, _: &mut Locals) -> bool {
        true
    }
}

/// Those that pass all tests.
pub(super) struct Full<'w> {
    walk: &'w Walk,
    wanted: Wanted,
    /// The values with which other tests compare the members.
    others: Option<[Value; MOST_TESTS]>,
    /// The parts of the rest that are the same for all members.
    known: Known,
}

impl<'w> Full<'w> {
    #[inline]
    pub(super) fn new(walk: &'w Walk, wanted: Wanted, eval: &Eval<'_>, locals: &mut Locals) -> Full<'w> {
        let others = if walk.tests.is_empty() { None } else { Some(others(walk, eval, locals)) };
        Full { walk, wanted, others, known: Known::nothing() }
    }

    /// Whether a piece of these kinds can be a member, as far as cheap tests decide it.
    #[inline(always)]
    pub(super) fn is_piece(&self, eval: &Eval<'_>, piece: PieceId) -> bool {
        let (walk, rules) = (self.walk, eval.rules);
        if let Some(types) = &walk.types
            && !types.has(rules, piece)
        {
            return false;
        }
        if let (Some(word), Some((column, _))) = (self.wanted.word, &walk.attr)
            && column.of(rules, piece) != word
        {
            return false;
        }
        if let Some(ty) = self.wanted.ty
            && rules.printing_of(piece) != ty
        {
            return false;
        }
        if self.wanted.row.is_none() && self.wanted.column.is_none() && walk.cell_mask.is_none() {
            return true;
        }
        self.is_spot(eval, eval.state.cell_of(piece))
    }

    /// Whether a space is in the row or column of the members.
    #[inline]
    fn is_spot(&self, eval: &Eval<'_>, cell: Cell) -> bool {
        let is_wanted = self.wanted.row.is_none() && self.wanted.column.is_none() || self.wanted.is_spot(eval, cell);
        is_wanted && self.walk.cell_mask.as_ref().is_none_or(|cells| cells.has(cell.at))
    }

    /// Whether a member passes the remaining tests.
    #[inline(always)]
    pub(super) fn passes(&self, eval: &Eval<'_>, value: Value, locals: &mut Locals) -> bool {
        if let Some(others) = &self.others
            && !passes_tests(self.walk, others, eval, value, locals)
        {
            return false;
        }
        self.walk.passes_rest(eval, value, locals, &self.known)
    }
}

#[inline(never)]
fn others(walk: &Walk, eval: &Eval<'_>, locals: &mut Locals) -> [Value; MOST_TESTS] {
    let mut others = [Value::Nil; MOST_TESTS];
    for (other, test) in others.iter_mut().zip(&walk.tests) {
        if let Cheap::Compare(_, _, source) = test {
            *other = source.get(eval, locals);
        }
    }
    others
}

#[inline(never)]
fn passes_tests(walk: &Walk, others: &[Value], eval: &Eval<'_>, value: Value, locals: &Locals) -> bool {
    walk.tests.iter().zip(others).all(|(test, other)| test.holds(eval, value, *other, locals))
}

impl Filter for Full<'_> {
    #[inline]
    fn fits(&self, eval: &Eval<'_>, value: Value, locals: &mut Locals) -> bool {
        let can_be = match value {
            Value::Piece(piece) => self.walk.is_told(eval, piece) && self.is_piece(eval, piece),
            Value::Cell(cell) => self.is_spot(eval, cell),
            _ => true,
        };
        can_be && self.passes(eval, value, locals)
    }
}
