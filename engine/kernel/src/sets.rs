//! Sets at work: they are never built, but walked, in a fixed order.

use std::ops::{ControlFlow, Range};

use rulepack_expr::ast::BinaryOp;
use rulepack_expr::{Built, Expr, MOST_TESTS, Probe, Set, Test, ZoneRef};
use rulepack_model::{KindId, TypeId};
use smallvec::SmallVec;

use crate::eval::{Eval, Locals};
use crate::facts::ZoneFacts;
use crate::lower::{Truth, condition};
use crate::ruleset::Layout;
use crate::value::{Cell, Value, ZoneIx};

const ON: ControlFlow<()> = ControlFlow::Continue(());
const OUT: ControlFlow<()> = ControlFlow::Break(());

/// Which spaces of a zone can be members: the others need not be looked at.
#[derive(Clone, Copy)]
enum Lane {
    All,
    Row(i64),
    Column(i64),
}

impl Lane {
    /// Takes the test out that says which spaces they are.
    fn of(tests: &mut [Ready]) -> Lane {
        for test in tests {
            let lane = match test {
                Ready::RowIs(row) => Lane::Row(*row),
                Ready::ColumnIs(column) => Lane::Column(*column),
                _ => continue,
            };
            *test = Ready::Nothing;
            return lane;
        }
        Lane::All
    }

    /// The spaces, and how far they are apart.
    fn spaces(self, zone: ZoneFacts) -> (Range<u16>, u16) {
        let ZoneFacts { cells, columns, .. } = zone;
        match self {
            Lane::All => (0..cells, 1),
            Lane::Row(row) => {
                let before =
                    u64::try_from(row.saturating_sub(1)).unwrap_or(u64::MAX).saturating_mul(u64::from(columns));
                let first = before.min(u64::from(cells)) as u16;
                (first..first.saturating_add(columns).min(cells), 1)
            }
            Lane::Column(column) if (1..=i64::from(columns)).contains(&column) => (column as u16 - 1..cells, columns),
            Lane::Column(_) => (0..0, 1),
        }
    }
}

/// A cheap test with what the members are compared with.
#[repr(u8)]
#[derive(Clone, Copy)]
enum Ready {
    /// Nothing more to be tested.
    Nothing,
    RowIs(i64),
    ColumnIs(i64),
    Row(BinaryOp, i64),
    Column(BinaryOp, i64),
    SameType(TypeId),
    IsType(TypeId),
    IsKind(KindId),
    Other(Probe, BinaryOp, Value),
}

/// A `where` with what its members are compared with.
struct Wanted<'w> {
    tests: &'w [Ready],
    /// What is left of the condition, and its function.
    rest: Option<(&'w Expr, &'w Truth)>,
    it: usize,
    #[cfg_attr(not(debug_assertions), expect(dead_code, reason = "compared with the tests in debug builds"))]
    cond: &'w Expr,
}

#[inline]
fn compares(op: BinaryOp, a: i64, b: i64) -> bool {
    match op {
        BinaryOp::Eq => a == b,
        BinaryOp::Ne => a != b,
        BinaryOp::Lt => a < b,
        BinaryOp::Le => a <= b,
        BinaryOp::Gt => a > b,
        _ => a >= b,
    }
}

impl Eval<'_> {
    /// The zone that is meant.
    #[inline]
    pub fn zone(&self, zone: &ZoneRef, locals: &mut Locals) -> Option<ZoneIx> {
        match &zone.owner {
            None => Some(self.rules.zone_ix(zone.zone, None)),
            Some(owner) => {
                let seat = self.expr(owner, locals).seat()?;
                Some(self.rules.zone_ix(zone.zone, Some(seat)))
            }
        }
    }

    /// How many members there are.
    #[inline(never)]
    pub(crate) fn count(&self, set: &Set, locals: &mut Locals) -> i64 {
        if let Set::Zone(zone) = set {
            return self.zone(zone, locals).map_or(0, |zone| self.state.zone_len(zone) as i64);
        }
        let mut count = 0;
        let _ = self.walk(set, locals, |_, _| {
            count += 1;
            ON
        });
        count
    }

    /// Whether there is a member, for all that is known.
    pub(crate) fn any(&self, set: &Set, locals: &mut Locals) -> bool {
        self.first(set, locals).is_some() || self.guess && self.hides(set, locals, 0, &[])
    }

    /// Whether something is a member.
    #[inline(never)]
    pub(crate) fn contains(&self, set: &Set, wanted: Value, locals: &mut Locals) -> bool {
        let mut found = false;
        let _ = self.walk(set, locals, |value, _| {
            found = value == wanted;
            if found { OUT } else { ON }
        });
        found
    }

    /// The first member.
    #[inline(never)]
    pub(crate) fn first(&self, set: &Set, locals: &mut Locals) -> Option<Value> {
        let mut first = None;
        let _ = self.walk(set, locals, |value, _| {
            first = Some(value);
            ControlFlow::Break(())
        });
        first
    }

    /// The last member.
    #[inline(never)]
    pub(crate) fn last(&self, set: &Set, locals: &mut Locals) -> Value {
        if let Set::Zone(zone) = set {
            return match self.zone(zone, locals).and_then(|zone| self.state.top(self.rules, zone)) {
                Some(piece) => Value::Piece(piece),
                None => Value::Nil,
            };
        }
        let mut last = Value::Nil;
        let _ = self.walk(set, locals, |value, _| {
            last = value;
            ON
        });
        last
    }

    /// The members of a set, as a list.
    pub fn collect(&self, set: &Set, locals: &mut Locals) -> Vec<Value> {
        let mut list = Vec::new();
        let _ = self.each(set, locals, &mut |value, _| {
            list.push(value);
            ON
        });
        list
    }

    /// Walks a set in a fixed order.
    pub fn each(
        &self,
        set: &Set,
        locals: &mut Locals,
        visit: &mut dyn FnMut(Value, &mut Locals) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.walk(set, locals, visit)
    }

    /// The same with a visitor that is compiled into the walk.
    pub(crate) fn walk(
        &self,
        set: &Set,
        locals: &mut Locals,
        mut visit: impl FnMut(Value, &mut Locals) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let Set::Filter { base, it, cond, quick, code } = set else {
            return self.walk_plain(set, Lane::All, locals, visit);
        };
        let it = it.index();
        // Where there is hardly ever more than one member, nothing is worked out before there is one.
        let few = matches!(**base, Set::At(_) | Set::On(_) | Set::One(_));
        let Some(quick) = quick.as_ref().filter(|_| !few) else {
            let Some(holds) = condition(code, cond) else { return ON };
            return self.walk_plain(base, Lane::All, locals, |value, locals| {
                if self.fits(value, it, cond, holds, locals) { visit(value, locals) } else { ON }
            });
        };
        let mut ready = [Ready::Nothing; MOST_TESTS];
        for (ready, test) in ready.iter_mut().zip(&quick.tests) {
            *ready = self.made_ready(test, locals);
        }
        let tests = &mut ready[..quick.tests.len()];
        let lane = if let Set::Cells(_) | Set::FreeCells(_) = **base { Lane::of(tests) } else { Lane::All };
        let rest = quick.rest.as_ref().and_then(|rest| Some((rest, condition(code, rest)?)));
        let wanted = Wanted { tests, rest, it, cond };
        // Most sets are those of one zone: the tests are compiled into that walk.
        match &**base {
            Set::Zone(zone) => {
                let Some(zone) = self.zone(zone, locals) else { return ON };
                self.pieces_of(zone, None, locals, &mut |value, locals| {
                    if self.is_wanted(value, &wanted, locals) { visit(value, locals) } else { ON }
                })
            }
            _ => self.walk_plain(base, lane, locals, |value, locals| {
                if self.is_wanted(value, &wanted, locals) { visit(value, locals) } else { ON }
            }),
        }
    }

    /// Whether a member passes all tests of a `where`.
    #[inline(always)]
    fn is_wanted(&self, value: Value, wanted: &Wanted<'_>, locals: &mut Locals) -> bool {
        let mut passes = true;
        for test in wanted.tests {
            if !self.passes(value, test, locals) {
                passes = false;
                break;
            }
        }
        match wanted.rest.filter(|_| passes) {
            Some((rest, holds)) => self.fits(value, wanted.it, rest, holds, locals),
            None => {
                #[cfg(debug_assertions)]
                self.state.fuel.free_of_charge(|| {
                    let kept = std::mem::replace(&mut locals[wanted.it], value);
                    assert_eq!(passes, self.truth(wanted.cond, locals), "cheap tests say the same");
                    locals[wanted.it] = kept;
                });
                passes
            }
        }
    }

    /// Whether a condition holds for a member.
    #[inline]
    fn fits(&self, value: Value, it: usize, _cond: &Expr, holds: &Truth, locals: &mut Locals) -> bool {
        let kept = std::mem::replace(&mut locals[it], value);
        let fits = holds(self, locals);
        #[cfg(debug_assertions)]
        self.state.fuel.free_of_charge(|| {
            assert_eq!(fits, self.truth(_cond, locals), "the function of a condition says the same");
        });
        locals[it] = kept;
        fits
    }

    /// Works out what the members are compared with.
    #[inline]
    fn made_ready(&self, test: &Test, locals: &mut Locals) -> Ready {
        let (probe, op, other) = match test {
            Test::IsType(ty) => return Ready::IsType(*ty),
            Test::IsKind(kind) => return Ready::IsKind(*kind),
            Test::Compare { probe, op, other } => {
                let other = match other {
                    Expr::Built(built, of) => self.built(*built, self.expr(of, locals)),
                    other => self.expr(other, locals),
                };
                (*probe, *op, other)
            }
        };
        match (probe, op, other) {
            (Probe::Built(Built::PieceRow | Built::CellRow), BinaryOp::Eq, Value::Int(row)) => Ready::RowIs(row),
            (Probe::Built(Built::PieceColumn | Built::CellColumn), BinaryOp::Eq, Value::Int(column)) => {
                Ready::ColumnIs(column)
            }
            (Probe::Built(Built::PieceRow | Built::CellRow), _, Value::Int(row)) => Ready::Row(op, row),
            (Probe::Built(Built::PieceColumn | Built::CellColumn), _, Value::Int(column)) => Ready::Column(op, column),
            (Probe::Built(Built::PieceType), BinaryOp::Eq, Value::Type(ty)) => Ready::SameType(ty),
            _ => Ready::Other(probe, op, other),
        }
    }

    /// Whether a member passes a cheap test.
    #[inline(always)]
    fn passes(&self, value: Value, test: &Ready, locals: &Locals) -> bool {
        match (test, value) {
            (Ready::SameType(ty), Value::Piece(piece)) => self.rules.printing_of(piece) == *ty,
            (Ready::SameType(_), _) => false,
            (Ready::IsKind(kind), Value::Piece(piece)) => self.rules.piece_is(piece, *kind),
            (Ready::RowIs(row), _) => self.spot(value).is_some_and(|(at, _)| i64::from(at) == *row),
            (Ready::ColumnIs(column), _) => self.spot(value).is_some_and(|(_, at)| i64::from(at) == *column),
            (Ready::Nothing, _) => true,
            _ => self.passes_other(value, test, locals),
        }
    }

    #[inline(always)]
    fn spot(&self, value: Value) -> Option<(u16, u16)> {
        match value {
            Value::Piece(piece) => Some(self.rules.spot(self.state.cell_of(piece))),
            Value::Cell(cell) => Some(self.rules.spot(cell)),
            _ => None,
        }
    }

    #[inline(never)]
    fn passes_other(&self, value: Value, test: &Ready, locals: &Locals) -> bool {
        match test {
            Ready::IsType(ty) => self.is_type(value, *ty),
            Ready::IsKind(kind) => self.is_kind(value, *kind),
            Ready::Other(probe, op, other) => {
                let value = match probe {
                    Probe::Itself => value,
                    Probe::Built(built) => self.built(*built, value),
                    Probe::Attr(attr) => self.attr(value, *attr, locals),
                };
                match op {
                    BinaryOp::Eq => value == *other,
                    BinaryOp::Ne => value != *other,
                    op => compares(*op, value.int(), other.int()),
                }
            }
            Ready::Row(op, row) => self.spot(value).is_some_and(|(at, _)| compares(*op, i64::from(at), *row)),
            Ready::Column(op, column) => self.spot(value).is_some_and(|(_, at)| compares(*op, i64::from(at), *column)),
            Ready::Nothing | Ready::SameType(_) | Ready::RowIs(_) | Ready::ColumnIs(_) => {
                self.passes(value, test, locals)
            }
        }
    }

    /// Walks a set without a `where`.
    fn walk_plain(
        &self,
        set: &Set,
        lane: Lane,
        locals: &mut Locals,
        mut visit: impl FnMut(Value, &mut Locals) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        match set {
            Set::Zone(zone) => {
                let Some(zone) = self.zone(zone, locals) else { return ON };
                self.pieces_of(zone, None, locals, &mut visit)
            }
            Set::InPlay { kind, owner } => match owner {
                Some(owner) => {
                    let Some(seat) = self.expr(owner, locals).seat() else { return ON };
                    for zone in &self.rules.play_zones[seat.index()] {
                        self.pieces_of(*zone, *kind, locals, &mut visit)?;
                    }
                    ON
                }
                None => {
                    for zone in self.rules.play_zones.iter().flatten().chain(&self.rules.shared_play_zones) {
                        self.pieces_of(*zone, *kind, locals, &mut visit)?;
                    }
                    ON
                }
            },
            Set::Cells(zone) | Set::FreeCells(zone) => {
                let Some(ix) = self.zone(zone, locals) else { return ON };
                let free_only = matches!(set, Set::FreeCells(_));
                let (spaces, apart) = lane.spaces(self.rules.spaces(ix));
                if !self.state.fuel.burn(1 + u32::from(spaces.end.saturating_sub(spaces.start) / apart)) {
                    return OUT;
                }
                let is_free = self.state.is_free(ix);
                let mut at = spaces.start;
                while at < spaces.end {
                    if !free_only || is_free(at) {
                        visit(Value::Cell(Cell { zone: ix, at }), locals)?;
                    }
                    at = at.saturating_add(apart);
                }
                ON
            }
            Set::At(cell) => {
                let Some(cell) = self.cell(cell, locals) else { return ON };
                self.pieces_at(cell, locals, &mut visit)
            }
            Set::Adjacent(way, cell) => {
                let Some(cell) = self.cell(cell, locals) else { return ON };
                let leads = self.rules.leads(*way, cell.zone, cell.at);
                if !self.state.fuel.burn(1 + leads.len() as u32) {
                    return OUT;
                }
                for at in leads {
                    visit(Value::Cell(Cell { zone: cell.zone, at: *at }), locals)?;
                }
                ON
            }
            Set::On(cells) if let Set::Adjacent(way, cell) = &**cells => {
                let Some(cell) = self.cell(cell, locals) else { return ON };
                for at in self.rules.leads(*way, cell.zone, cell.at) {
                    self.pieces_at(Cell { zone: cell.zone, at: *at }, locals, &mut visit)?;
                }
                ON
            }
            _ => self.walk_rare(set, locals, &mut visit),
        }
    }

    /// Sets that are walked seldom, or whose members are dear to find.
    #[inline(never)]
    fn walk_rare(
        &self,
        set: &Set,
        locals: &mut Locals,
        visit: &mut dyn FnMut(Value, &mut Locals) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if !self.state.fuel.burn(1) {
            return OUT;
        }
        match set {
            Set::Neighbours(cell) => {
                let Some(cell) = self.cell(cell, locals) else { return ON };
                for at in neighbours(self.rules.zone_of(cell.zone).layout, cell.at).into_iter().flatten() {
                    visit(Value::Cell(Cell { zone: cell.zone, at }), locals)?;
                }
                ON
            }
            Set::On(cells) => self.each(cells, locals, &mut |cell, locals| {
                let Some(cell) = cell.cell() else { return ON };
                self.pieces_at(cell, locals, &mut |value, locals| visit(value, locals))
            }),
            Set::AdjacentToAll(way, set) => {
                let mut reached: SmallVec<[Cell; 16]> = SmallVec::new();
                self.each(set, locals, &mut |member, locals| {
                    let cell = match member {
                        Value::Cell(cell) => cell,
                        Value::Piece(piece) => self.state.cell_of(piece),
                        _ => return ON,
                    };
                    for at in self.rules.leads(*way, cell.zone, cell.at) {
                        let cell = Cell { zone: cell.zone, at: *at };
                        // Several ways may lead to one space.
                        if !reached.contains(&cell) {
                            reached.push(cell);
                            visit(Value::Cell(cell), locals)?;
                        }
                    }
                    ON
                })
            }
            Set::Attached(host) => {
                let Some(host) = self.expr(host, locals).piece() else { return ON };
                for piece in self.state.attached(host) {
                    visit(Value::Piece(piece), locals)?;
                }
                ON
            }
            Set::One(thing) => match self.expr(thing, locals) {
                Value::Nil => ON,
                thing => visit(thing, locals),
            },
            Set::Resources(group) => {
                for res in self.rules.members(*group) {
                    visit(Value::Res(*res), locals)?;
                }
                ON
            }
            Set::Seats => {
                for seat in self.rules.seats() {
                    visit(Value::Seat(seat), locals)?;
                }
                ON
            }
            Set::Others(me) => {
                let me = self.expr(me, locals);
                for seat in self.rules.seats().filter(|seat| Value::Seat(*seat) != me) {
                    visit(Value::Seat(seat), locals)?;
                }
                ON
            }
            Set::Filter { .. } | Set::Zone(_) | Set::InPlay { .. } | Set::Cells(_) | Set::FreeCells(_) => {
                self.each(set, locals, visit)
            }
            Set::At(_) | Set::Adjacent(..) => self.each(set, locals, visit),
        }
    }

    #[inline]
    fn pieces_of(
        &self,
        zone: ZoneIx,
        kind: Option<KindId>,
        locals: &mut Locals,
        visit: &mut impl FnMut(Value, &mut Locals) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if !self.state.fuel.burn(1 + self.state.zone_len(zone) as u32) {
            return OUT;
        }
        for piece in self.state.zone(zone) {
            if kind.is_none_or(|kind| self.rules.piece_is(piece, kind)) {
                visit(Value::Piece(piece), locals)?;
            }
        }
        ON
    }

    fn pieces_at(
        &self,
        cell: Cell,
        locals: &mut Locals,
        visit: &mut impl FnMut(Value, &mut Locals) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if !self.state.fuel.burn(1 + self.state.crowd(cell) as u32) {
            return OUT;
        }
        for piece in self.state.pieces_at(cell) {
            visit(Value::Piece(piece), locals)?;
        }
        ON
    }
}

/// The orthogonal neighbours of a space.
fn neighbours(layout: Layout, at: u16) -> [Option<u16>; 4] {
    let (columns, rows) = match layout {
        Layout::List => return [None; 4],
        Layout::Row { size, .. } => (size, 1),
        Layout::Grid { columns, rows } => (columns, rows),
    };
    let (row, column) = (at / columns, at % columns);
    [
        (row > 0).then(|| at - columns),
        (column > 0).then(|| at - 1),
        (column + 1 < columns).then(|| at + 1),
        (row + 1 < rows).then(|| at + columns),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_spaces_of_a_row_or_column_are_looked_at() {
        let zone = ZoneFacts { first: 5, cells: 6, columns: 3, capacity: None, in_play: false };
        let spaces = |lane: Lane| {
            let (spaces, apart) = lane.spaces(zone);
            spaces.step_by(usize::from(apart)).collect::<Vec<u16>>()
        };
        assert_eq!(spaces(Lane::All), [0, 1, 2, 3, 4, 5]);
        assert_eq!(spaces(Lane::Row(2)), [3, 4, 5]);
        assert_eq!(spaces(Lane::Column(3)), [2, 5]);
        for nowhere in [Lane::Row(0), Lane::Row(3), Lane::Row(i64::MIN), Lane::Column(0), Lane::Column(4)] {
            assert!(spaces(nowhere).is_empty());
        }
    }

    #[test]
    fn neighbours_stay_inside_the_grid() {
        let grid = Layout::Grid { columns: 3, rows: 3 };
        assert_eq!(neighbours(grid, 0), [None, None, Some(1), Some(3)]);
        assert_eq!(neighbours(grid, 4), [Some(1), Some(3), Some(5), Some(7)]);
        assert_eq!(
            neighbours(Layout::Row { size: 3, slide: crate::ruleset::Slide::Never }, 2),
            [None, Some(1), None, None]
        );
    }
}
