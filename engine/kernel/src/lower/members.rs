//! Who is a member: what a `where` asks of members, taken apart so that what is cheap and asked most comes first.

use std::num::NonZeroU16;

use rulepack_expr::Built;
use rulepack_expr::ast::BinaryOp;
use rulepack_model::{KindId, PieceId, TypeId};

use super::cheap::{MOST_TESTS, Probe};
use super::{Source, Walk};
use crate::eval::{Eval, Locals};
use crate::lane::Lane;
use crate::value::{Cell, Value};

/// What is asked about members most, all at once.
#[derive(Clone, Copy)]
pub(super) struct Wanted {
    /// The kinds that a piece must be of, as bits.
    pub(super) kinds: u64,
    /// Its type, or any.
    pub(super) ty: Option<TypeId>,
    /// Its row and column, or any.
    pub(super) row: Option<NonZeroU16>,
    pub(super) column: Option<NonZeroU16>,
}

impl Wanted {
    #[inline(always)]
    pub(super) fn is_piece(&self, eval: &Eval<'_>, piece: PieceId) -> bool {
        eval.rules.kinds_of(piece) & self.kinds == self.kinds
            && self.ty.is_none_or(|ty| eval.rules.printing_of(piece) == ty)
            && (self.row.is_none() && self.column.is_none() || self.is_spot(eval, eval.state.cell_of(piece)))
    }

    #[inline(always)]
    pub(super) fn is_spot(&self, eval: &Eval<'_>, cell: Cell) -> bool {
        let (row, column) = eval.rules.spot(cell);
        self.row.is_none_or(|wanted| wanted.get() == row) && self.column.is_none_or(|wanted| wanted.get() == column)
    }

    #[inline(always)]
    pub(super) fn is(&self, eval: &Eval<'_>, value: Value) -> bool {
        match value {
            Value::Piece(piece) => self.is_piece(eval, piece),
            Value::Cell(cell) => self.row.is_none() && self.column.is_none() || self.is_spot(eval, cell),
            _ => true,
        }
    }

    /// The row or column in which the members are, which need not be looked at any more.
    #[inline]
    pub(super) fn take_lane(&mut self) -> Lane {
        match (self.row.take(), self.column) {
            (Some(row), _) => Lane::Row(row.get()),
            (None, Some(column)) => {
                self.column = None;
                Lane::Column(column.get())
            }
            (None, None) => Lane::All,
        }
    }
}

/// What of the [`Wanted`] is worked out for each walk.
pub(super) enum Asked {
    Nothing,
    /// The same that something in a slot has.
    LikeSlot(usize),
    Code(Source),
}

impl Asked {
    pub(super) fn new(source: Source, like: impl Fn(Built) -> bool) -> Asked {
        match source {
            Source::Built(built, slot) if like(built) => Asked::LikeSlot(slot),
            source => Asked::Code(source),
        }
    }

    pub(super) fn is_nothing(&self) -> bool {
        matches!(self, Asked::Nothing)
    }
}

pub(super) fn is_row(built: Built) -> bool {
    matches!(built, Built::PieceRow | Built::CellRow)
}

pub(super) fn is_column(built: Built) -> bool {
    matches!(built, Built::PieceColumn | Built::CellColumn)
}

/// The row and column of something in a slot.
#[inline]
pub(super) fn spot_of_slot(eval: &Eval<'_>, slot: usize, locals: &Locals) -> Option<(u16, u16)> {
    eval.spot(*locals.get(slot)?)
}

/// The number of a row or column: they begin with 1.
#[inline(never)]
pub(super) fn number_of_lane(source: &Source, eval: &Eval<'_>, locals: &mut Locals) -> Option<NonZeroU16> {
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
            Probe::Built(built) => eval.built(*built, value),
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

/// One of several kinds: what is not of it is not of all of them. If none are asked for, any kind will do.
#[inline]
pub(super) fn one_of(kinds: u64) -> u64 {
    if kinds == 0 { u64::MAX } else { kinds & kinds.wrapping_neg() }
}

#[inline(always)]
pub(super) fn is_like(eval: &Eval<'_>, piece: PieceId, ty: Option<TypeId>, kinds: u64) -> bool {
    ty.is_none_or(|ty| eval.rules.printing_of(piece) == ty)
        && (kinds == 0 || eval.rules.kinds_of(piece) & kinds == kinds)
}

/// Which of those that are walked are members.
pub(super) trait Filter {
    fn fits(&self, eval: &Eval<'_>, value: Value, locals: &mut Locals) -> bool;

    /// The kinds that tell whether a piece can be a member.
    fn kinds(&self) -> u64;

    /// The same for a piece.
    #[inline(always)]
    fn fits_piece(&self, eval: &Eval<'_>, piece: PieceId, locals: &mut Locals) -> bool {
        self.fits(eval, Value::Piece(piece), locals)
    }
}

/// All are.
pub(super) struct All;

impl Filter for All {
    #[inline(always)]
    fn kinds(&self) -> u64 {
        u64::MAX
    }

    #[inline(always)]
    fn fits(&self, _: &Eval<'_>, _: Value, _: &mut Locals) -> bool {
        true
    }
}

impl Filter for Wanted {
    #[inline(always)]
    fn kinds(&self) -> u64 {
        one_of(self.kinds)
    }

    #[inline(always)]
    fn fits(&self, eval: &Eval<'_>, value: Value, _: &mut Locals) -> bool {
        self.is(eval, value)
    }

    #[inline(always)]
    fn fits_piece(&self, eval: &Eval<'_>, piece: PieceId, _: &mut Locals) -> bool {
        self.is_piece(eval, piece)
    }
}

/// Those that pass everything.
pub(super) struct Full<'w> {
    walk: &'w Walk,
    wanted: Wanted,
    /// What other tests compare the members with.
    others: [Value; MOST_TESTS],
}

impl<'w> Full<'w> {
    #[inline]
    pub(super) fn new(walk: &'w Walk, wanted: Wanted, eval: &Eval<'_>, locals: &mut Locals) -> Full<'w> {
        let mut others = [Value::Nil; MOST_TESTS];
        for (other, test) in others.iter_mut().zip(&walk.tests) {
            if let Cheap::Compare(_, _, source) = test {
                *other = source.get(eval, locals);
            }
        }
        Full { walk, wanted, others }
    }
}

impl Full<'_> {
    #[inline(never)]
    pub(super) fn passes(&self, eval: &Eval<'_>, value: Value, locals: &mut Locals) -> bool {
        for (test, other) in self.walk.tests.iter().zip(&self.others) {
            if !test.holds(eval, value, *other, locals) {
                return false;
            }
        }
        self.walk.passes_rest(eval, value, locals)
    }
}

impl Filter for Full<'_> {
    #[inline(always)]
    fn kinds(&self) -> u64 {
        self.wanted.kinds()
    }

    #[inline(always)]
    fn fits(&self, eval: &Eval<'_>, value: Value, locals: &mut Locals) -> bool {
        self.wanted.is(eval, value) && self.passes(eval, value, locals)
    }

    #[inline(always)]
    fn fits_piece(&self, eval: &Eval<'_>, piece: PieceId, locals: &mut Locals) -> bool {
        self.wanted.is_piece(eval, piece) && self.passes(eval, Value::Piece(piece), locals)
    }
}
