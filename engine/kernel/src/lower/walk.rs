//! Sets compiled to functions. Sets are never built, but walked, in the same order as in `eval/sets.rs`.
//!
//! `set_source.rs` gives the source of the members, `set_filter.rs` tests them, and `set_queries.rs` answers questions
//! about a set without walking all of it.

use std::num::NonZeroU16;
use std::ops::ControlFlow;

use rulepack_expr::ast::BinaryOp;
use rulepack_expr::{Expr, Property, Set};
use rulepack_model::{AdjacencyId, Local, PieceId};
use smallvec::SmallVec;

use super::cell_mask::{CellMask, is_told_by_spot, layout};
use super::rest::{Known, Rest};
use super::set_filter::{
    All, Asked, Cheap, Filter, Full, Wanted, is_column, is_row, number_of_line, spot_of_slot, type_of,
};
use super::set_source::Base;
use super::split_where::{Probe, Quick, Test, conditions};
use super::types::{Column, Types, word};
use super::{Source, truth};
use crate::eval::expressions::{Eval, Locals};
use crate::eval::lines::{visit_all, with_member};
use crate::eval::sets::Visit;
use crate::rules::layout::{Line, LineOfSpaces};
use crate::rules::ruleset::Ruleset;
use crate::rules::shortcuts::Shortcut;
use crate::state::value::{Cell, Value, ZoneIx};

pub(super) const ON: ControlFlow<()> = ControlFlow::Continue(());
pub(super) const OUT: ControlFlow<()> = ControlFlow::Break(());

/// A set that can be walked.
pub(crate) struct Walk {
    pub(super) base: Base,
    /// The tests of every member: a constant part, and a part that is computed for each walk.
    pub(super) kinds: u64,
    pub(super) types: Option<Types>,
    pub(super) cell_mask: Option<CellMask>,
    pub(super) ty: Asked,
    /// An attribute, and its required value.
    pub(super) attr: Option<(Column, Source)>,
    pub(super) row: Asked,
    pub(super) column: Asked,
    /// What else it must pass.
    pub(super) tests: Vec<Cheap>,
    pub(super) rest: Option<Rest>,
    /// The slot of the member for `rest`.
    pub(super) it: usize,
    /// Whether all elements of the source are members.
    pub(super) is_all: bool,
    /// Whether the wanted properties are the only test.
    pub(super) is_simple: bool,
    /// Whether only the tests are computed for each walk.
    pub(super) is_known: bool,
    /// Whether its source is whole zones.
    pub(super) is_of_zones: bool,
    /// Whether the kinds alone decide membership.
    pub(super) is_of_kinds: bool,
    /// Whether the members are the pieces of one row or column, and their type alone decides membership.
    pub(super) is_in_line: bool,
    /// The original expression.
    pub(crate) set: Set,
}

impl Walk {
    pub(crate) fn new(rules: &Ruleset, set: &Set) -> Walk {
        let mut walk = Walk {
            base: Base::Seats,
            kinds: 0,
            types: None,
            cell_mask: None,
            ty: Asked::Nothing,
            attr: None,
            row: Asked::Nothing,
            column: Asked::Nothing,
            tests: Vec::new(),
            rest: None,
            it: 0,
            is_all: false,
            is_simple: false,
            is_known: false,
            is_of_zones: false,
            is_of_kinds: false,
            is_in_line: false,
            set: set.clone(),
        };
        match set {
            Set::Filter { base, it, cond } => {
                walk.base = Base::new(rules, base);
                walk.it = it.index();
                let mut conds = conditions(cond);
                if walk.base.gives_pieces() {
                    walk.take_types(rules, &mut conds, *it);
                }
                if let Some(layout) = layout(rules, base) {
                    let told: Vec<&Expr> = conds.extract_if(.., |cond| is_told_by_spot(cond, *it)).collect();
                    walk.cell_mask = (!told.is_empty()).then(|| CellMask::new(layout, &told, *it));
                }
                // If there is hardly ever more than one member, nothing is computed before there is one.
                let few = matches!(walk.base, Base::At(_) | Base::OnAdjacent(..) | Base::One(_) | Base::Attached(_));
                let quick = if few { walk.take_like(conds, *it) } else { Quick::new(conds, *it) };
                walk.rest = quick.rest.map(|rest| match few {
                    true => Rest::Plain(truth(rules, &rest)),
                    false => Rest::new(rules, &rest, *it, walk.base.gives_pieces()),
                });
                for test in &quick.tests {
                    walk.add_test(rules, test);
                }
            }
            set => walk.base = Base::new(rules, set),
        }
        if let Base::InPlay(Some(kind), _) = walk.base {
            walk.add_test(rules, &Test::IsKind(kind));
        }
        walk.is_of_zones = matches!(walk.base, Base::Zone(_) | Base::InPlay(..));
        walk.is_simple = walk.tests.is_empty() && walk.rest.is_none();
        let is_spot = !(walk.row.is_nothing() && walk.column.is_nothing()) || walk.cell_mask.is_some();
        let is_asked = is_spot || !walk.ty.is_nothing() || walk.attr.is_some() || walk.types.is_some();
        walk.is_known =
            walk.ty.is_nothing() && walk.attr.is_none() && walk.row.is_nothing() && walk.column.is_nothing();
        walk.is_all = walk.is_simple && !is_asked && walk.kinds == 0;
        walk.is_of_kinds = walk.is_simple && !is_asked;
        let lines = [!walk.row.is_nothing(), !walk.column.is_nothing(), walk.cell_mask.is_some()];
        walk.is_in_line = walk.is_simple
            && walk.attr.is_none()
            && lines.into_iter().filter(|is_asked| *is_asked).count() == 1
            && matches!(set, Set::Filter { base, .. } if matches!(**base, Set::Zone(_)) && layout(rules, base).is_some());
        walk
    }

    /// Removes the conditions that depend only on the type of a piece.
    fn take_types(&mut self, rules: &Ruleset, conds: &mut Vec<&Expr>, it: Local) {
        conds.retain(|cond| {
            if let Expr::IsKind(of, kind) = cond
                && **of == Expr::Local(it)
                && let Some(bit) = crate::rules::facts::bit(kind.index())
            {
                self.kinds |= bit;
                return false;
            }
            let Some(told) = Types::told(rules, cond, it) else { return true };
            self.types = Some(match &self.types {
                Some(types) => told.intersection(types),
                None => told,
            });
            false
        });
    }

    /// Removes the condition that a piece has the same type as one in a slot.
    fn take_like(&mut self, mut conds: Vec<&Expr>, it: Local) -> Quick {
        conds.retain(|cond| {
            let Expr::Binary(BinaryOp::Eq, left, right) = cond else { return true };
            let slot_of = |expr: &Expr| match expr {
                Expr::Property(Property::PieceType, of) => match **of {
                    Expr::Local(local) => Some(local),
                    _ => None,
                },
                _ => None,
            };
            match (slot_of(left), slot_of(right)) {
                (Some(a), Some(b)) if self.ty.is_nothing() && (a == it) != (b == it) && self.base.gives_pieces() => {
                    self.ty = Asked::LikeSlot(if a == it { b.index() } else { a.index() });
                    false
                }
                _ => true,
            }
        });
        Quick::untaken(conds)
    }

    fn add_test(&mut self, rules: &Ruleset, test: &Test) {
        let test = match test {
            Test::IsKind(kind) => match crate::rules::facts::bit(kind.index()) {
                // Only for pieces: other values have no kind.
                Some(bit) if self.base.gives_pieces() => {
                    self.kinds |= bit;
                    return;
                }
                _ => Cheap::IsKind(*kind),
            },
            Test::IsType(ty) => Cheap::IsType(*ty),
            Test::Compare { probe, op, other } => {
                if let (Probe::Property(property), BinaryOp::Eq) = (*probe, *op) {
                    let source = Source::new(rules, other);
                    match property {
                        Property::PieceType if self.ty.is_nothing() => {
                            self.ty = Asked::new(source, |property| property == Property::PieceType);
                            return;
                        }
                        property if is_row(property) && self.row.is_nothing() => {
                            self.row = Asked::new(source, is_row);
                            return;
                        }
                        property if is_column(property) && self.column.is_nothing() => {
                            self.column = Asked::new(source, is_column);
                            return;
                        }
                        _ => {}
                    }
                }
                if let (Probe::Attr(attr), BinaryOp::Eq, None, true) =
                    (*probe, *op, &self.attr, self.base.gives_pieces())
                    && let Some(column) = Column::new(rules, attr)
                {
                    self.attr = Some((column, Source::new(rules, other)));
                    return;
                }
                Cheap::Compare(*probe, *op, Source::new(rules, other))
            }
        };
        self.tests.push(test);
    }

    /// The wanted properties in this walk; `None` if there can be no member.
    #[inline(always)]
    pub(super) fn wanted(&self, eval: &Eval<'_>, locals: &mut Locals) -> Option<Wanted> {
        if self.is_known { Some(Wanted::ANYTHING) } else { self.work_out(eval, locals) }
    }

    #[inline(never)]
    fn work_out(&self, eval: &Eval<'_>, locals: &mut Locals) -> Option<Wanted> {
        let mut wanted = Wanted::ANYTHING;
        if let Some((_, source)) = &self.attr {
            // A value without a word equals no attribute.
            wanted.word = Some(word(source.get(eval, locals))?);
        }
        match &self.ty {
            Asked::Nothing => {}
            Asked::LikeSlot(slot) => match locals.get(*slot) {
                Some(Value::Piece(piece)) => wanted.ty = Some(eval.rules.printing_of(*piece)),
                _ => return None,
            },
            Asked::Code(source) => wanted.ty = Some(type_of(source, eval, locals)?),
        }
        match &self.row {
            Asked::Nothing => {}
            Asked::LikeSlot(slot) => wanted.row = Some(NonZeroU16::new(spot_of_slot(eval, *slot, locals)?.0)?),
            Asked::Code(source) => wanted.row = Some(number_of_line(source, eval, locals)?),
        }
        match &self.column {
            Asked::Nothing => {}
            Asked::LikeSlot(slot) => wanted.column = Some(NonZeroU16::new(spot_of_slot(eval, *slot, locals)?.1)?),
            Asked::Code(source) => wanted.column = Some(number_of_line(source, eval, locals)?),
        }
        Some(wanted)
    }

    /// Whether sets are walked by this code, or by the evaluator.
    #[inline(always)]
    pub(super) fn is_taken(&self, eval: &Eval<'_>) -> bool {
        eval.rules.shortcuts.takes(Shortcut::CompiledTexts)
    }

    /// Walks the set in a fixed order.
    pub(crate) fn each(
        &self,
        eval: &Eval<'_>,
        locals: &mut Locals,
        mut visit: impl FnMut(Value, &mut Locals) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        if !self.is_taken(eval) {
            return eval.each(&self.set, locals, &mut visit);
        }
        eval.state.compare("the walk finds what the text says", || {
            let mut members = Vec::new();
            let _ = self.walk(eval, locals, &mut |value, _| {
                members.push(value);
                ON
            });
            (members, eval.collect(&self.set, locals))
        });
        self.walk(eval, locals, &mut visit)
    }

    /// Not generic: one copy of this code for every visitor would push frequent code out of the instruction cache.
    #[inline(never)]
    pub(super) fn walk(&self, eval: &Eval<'_>, locals: &mut Locals, visit: Visit<'_>) -> ControlFlow<()> {
        match &self.base {
            Base::Zone(_) | Base::InPlay(..) => {
                return self.pieces(eval, locals, |piece, locals| visit(Value::Piece(piece), locals));
            }
            Base::At(cell) => {
                let Some(cell) = cell.get(eval, locals) else { return ON };
                return self.walk_few(eval, cell.zone, &[cell.at], locals, visit);
            }
            Base::OnAdjacent(way, cell) => {
                let Some(cell) = cell.get(eval, locals) else { return ON };
                let leads = eval.rules.leads(*way, cell.zone, cell.at);
                return self.walk_few(eval, cell.zone, leads, locals, visit);
            }
            Base::Resources(members) => {
                if !eval.state.fuel().burn(1) {
                    return OUT;
                }
                let full = Full::new(self, Wanted::ANYTHING, eval, locals);
                for res in members {
                    if full.passes(eval, Value::Res(*res), locals) {
                        visit(Value::Res(*res), locals)?;
                    }
                }
                return ON;
            }
            _ => {}
        }
        if self.is_all {
            return self.walk_base(eval, Line::All, &All, locals, visit);
        }
        let Some(mut wanted) = self.wanted(eval, locals) else { return ON };
        let line = if let Base::Cells(_) | Base::FreeCells(_) = self.base { wanted.take_line() } else { Line::All };
        let full = Full::new(self, wanted, eval, locals);
        self.walk_base(eval, line, &full, locals, visit)
    }

    /// Visits the pieces of whole zones that are members.
    #[inline]
    pub(super) fn pieces(
        &self,
        eval: &Eval<'_>,
        locals: &mut Locals,
        mut visit: impl FnMut(PieceId, &mut Locals) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let mut one = [ZoneIx(0)];
        let Some((theirs, shared)) = self.base.zones(eval, locals, &mut one) else { return ON };
        let Some(wanted) = self.wanted(eval, locals) else { return ON };
        let full = Full::new(self, wanted, eval, locals);
        for zones in theirs.iter().map(Vec::as_slice).chain([shared]) {
            for zone in zones {
                let pieces = eval.state.of_kinds(*zone, self.kinds);
                if !eval.state.fuel().burn(1 + pieces.effort(*zone)) {
                    return OUT;
                }
                for piece in pieces {
                    if full.is_piece(eval, piece) && full.passes(eval, Value::Piece(piece), locals) {
                        visit(piece, locals)?;
                    }
                }
            }
        }
        ON
    }

    /// Walks the pieces on a few spaces.
    #[inline]
    fn walk_few(
        &self,
        eval: &Eval<'_>,
        zone: ZoneIx,
        spaces: &[u16],
        locals: &mut Locals,
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        if !eval.state.fuel().burn(1 + spaces.len() as u32) {
            return OUT;
        }
        for at in spaces {
            let cell = Cell { zone, at: *at };
            let space = eval.state.space(cell);
            match space.only() {
                Some(piece) if self.is_one(eval, piece, locals) => visit(Value::Piece(piece), locals)?,
                Some(_) => {}
                None if space.is_free() => {}
                None => crowd_at(eval, cell, locals, &mut |value, locals| match value {
                    Value::Piece(piece) if self.is_one(eval, piece, locals) => visit(value, locals),
                    _ => ON,
                })?,
            }
        }
        ON
    }

    /// Whether a piece is a member, in a set so small that nothing was computed before.
    #[inline]
    pub(super) fn is_one(&self, eval: &Eval<'_>, piece: PieceId, locals: &mut Locals) -> bool {
        self.is_told(eval, piece)
            && self.is_like(eval, piece, locals)
            && self.passes_rest(eval, Value::Piece(piece), locals, &Known::nothing())
    }

    /// Whether a piece has the type of the one in a slot, if that is required.
    #[inline]
    pub(super) fn is_like(&self, eval: &Eval<'_>, piece: PieceId, locals: &Locals) -> bool {
        match &self.ty {
            Asked::LikeSlot(slot) => match locals.get(*slot) {
                Some(Value::Piece(like)) => eval.rules.printing_of(piece) == eval.rules.printing_of(*like),
                _ => false,
            },
            _ => true,
        }
    }

    /// Whether a piece can be a member, judged by its kinds and its type.
    #[inline]
    pub(super) fn is_told(&self, eval: &Eval<'_>, piece: PieceId) -> bool {
        (self.kinds == 0 || eval.rules.kinds_of(piece) & self.kinds == self.kinds)
            && self.types.as_ref().is_none_or(|types| types.has(eval.rules, piece))
    }

    /// Whether a member satisfies the rest of the condition.
    #[inline]
    pub(super) fn passes_rest(&self, eval: &Eval<'_>, value: Value, locals: &mut Locals, known: &Known) -> bool {
        let Some(rest) = &self.rest else { return true };
        let kept = std::mem::replace(&mut locals[self.it], value);
        let fits = rest.holds(eval, value, locals, known);
        locals[self.it] = kept;
        fits
    }

    #[inline(never)]
    fn walk_base(
        &self,
        eval: &Eval<'_>,
        line: Line,
        filter: &impl Filter,
        locals: &mut Locals,
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        match &self.base {
            Base::Cells(zone) | Base::FreeCells(zone) => {
                let Some(zone) = zone.get(eval, locals) else { return ON };
                let all = matches!(self.base, Base::Cells(_));
                spaces_of(eval, zone, line, all, filter, locals, visit)
            }
            _ => self.walk_other(eval, locals, &mut |value, locals| {
                if filter.fits(eval, value, locals) { visit(value, locals) } else { ON }
            }),
        }
    }

    /// Sets that are rarely walked.
    #[inline(never)]
    fn walk_other(&self, eval: &Eval<'_>, locals: &mut Locals, visit: Visit<'_>) -> ControlFlow<()> {
        if !eval.state.fuel().burn(1) {
            return OUT;
        }
        match &self.base {
            Base::Adjacent(way, cell) => {
                let Some(cell) = cell.get(eval, locals) else { return ON };
                let leads = eval.rules.leads(*way, cell.zone, cell.at);
                if !eval.pays_for_ways(leads.len(), 0) {
                    return OUT;
                }
                for at in leads {
                    visit(Value::Cell(Cell { zone: cell.zone, at: *at }), locals)?;
                }
                ON
            }
            Base::Attached(host) => {
                let Some(host) = host.get(eval, locals).piece() else { return ON };
                if !eval.state.fuel().burn(eval.state.effort_of_riders(host)) {
                    return OUT;
                }
                for piece in eval.state.attached(host) {
                    visit(Value::Piece(piece), locals)?;
                }
                ON
            }
            Base::One(thing) => match thing.get(eval, locals) {
                Value::Nil => ON,
                thing => visit(thing, locals),
            },
            Base::Seats => visit_all(eval.seats().map(Value::Seat), locals, visit),
            Base::Round(from, clockwise) => {
                let Some(from) = from.get(eval, locals).seat() else { return ON };
                visit_all(eval.round_from(from, *clockwise).map(Value::Seat), locals, visit)
            }
            Base::Others(me) => {
                let me = me.get(eval, locals);
                visit_all(eval.seats().map(Value::Seat).filter(|seat| *seat != me), locals, visit)
            }
            Base::Team(of) => {
                let Some(of) = of.get(eval, locals).seat() else { return ON };
                visit_all(eval.team(of).map(Value::Seat), locals, visit)
            }
            Base::Made(made) => made.walk(eval, locals, visit),
            Base::Inner(inner) => inner.walk(eval, locals, visit),
            Base::On(cells) => {
                let on: Visit<'_> = &mut |cell, locals| match cell.cell() {
                    Some(cell) => {
                        let _ = eval.state.fuel().burn(1);
                        crowd_at(eval, cell, locals, visit)
                    }
                    None => ON,
                };
                cells.walk(eval, locals, on)
            }
            Base::AdjacentToAll(way, from) => spaces_reached(eval, *way, from, locals, visit),
            Base::Neighbours(cell) => {
                let Some(cell) = cell.get(eval, locals) else { return ON };
                let neighbours = eval.rules.zone_of(cell.zone).layout.neighbours(cell.at);
                visit_all(neighbours.into_iter().map(|at| Value::Cell(Cell { at, ..cell })), locals, visit)
            }
            Base::InPlayOf(kind, owner) => {
                let Some(owner) = owner.get(eval, locals).seat() else { return ON };
                eval.each_in_play(*kind, Some(owner), locals, visit)
            }
            Base::Line { from, direction, whole } => {
                let Some(from) = from.get(eval, locals) else { return ON };
                let direction = direction.get(eval, locals);
                eval.walk_line(from, direction, *whole, locals, visit)
            }
            Base::Connected(from, within) => eval.walk_connected(
                locals,
                |locals, visit| from.walk(eval, locals, visit),
                |locals, visit| within.walk(eval, locals, visit),
                visit,
            ),
            Base::Directions(which) => visit_all(eval.rules.directions(*which), locals, visit),
            Base::DirectionsFrom(cell) => {
                let Some(cell) = cell.get(eval, locals) else { return ON };
                visit_all(eval.rules.directions_from(cell), locals, visit)
            }
            Base::While(base, it, cond) => eval.walk_while(
                locals,
                |locals, visit| base.walk(eval, locals, visit),
                |value, locals| with_member(*it, value, locals, |locals| cond(eval, locals)),
                visit,
            ),
            Base::Until(base, it, cond) => eval.walk_until(
                locals,
                |locals, visit| base.walk(eval, locals, visit),
                |value, locals| with_member(*it, value, locals, |locals| cond(eval, locals)),
                visit,
            ),
            Base::Zone(_) | Base::InPlay(..) | Base::Cells(_) | Base::FreeCells(_) => ON,
            Base::At(_) | Base::OnAdjacent(..) | Base::Resources(_) => ON,
        }
    }
}

#[inline]
fn spaces_of(
    eval: &Eval<'_>,
    zone: ZoneIx,
    line: Line,
    all: bool,
    filter: &impl Filter,
    locals: &mut Locals,
    visit: Visit<'_>,
) -> ControlFlow<()> {
    let facts = eval.rules.spaces(zone);
    let Some(LineOfSpaces { first, apart, count }) = facts.line(line) else { return ON };
    if !eval.state.fuel().burn(1 + u32::from(count)) {
        return OUT;
    }
    let spaces = eval.state.spaces_of(zone, facts.cells);
    let mut at = first;
    for _ in 0..count {
        let Some(space) = spaces.get(at) else { break };
        let value = Value::Cell(Cell { zone, at: at as u16 });
        if (all || space.is_free()) && filter.fits(eval, value, locals) {
            visit(value, locals)?;
        }
        at += apart;
    }
    ON
}

/// The spaces to which an adjacency leads from some spaces or pieces, each once.
fn spaces_reached(
    eval: &Eval<'_>,
    way: AdjacencyId,
    from: &Walk,
    locals: &mut Locals,
    visit: Visit<'_>,
) -> ControlFlow<()> {
    let mut reached: SmallVec<[Cell; 16]> = SmallVec::new();
    let led: Visit<'_> = &mut |member, locals| {
        let cell = match member {
            Value::Cell(cell) => cell,
            Value::Piece(piece) => eval.state.cell_of(piece),
            _ => return ON,
        };
        let leads = eval.rules.leads(way, cell.zone, cell.at);
        if !eval.pays_for_ways(leads.len(), reached.len()) {
            return OUT;
        }
        for at in leads {
            let cell = Cell { zone: cell.zone, at: *at };
            // Several adjacencies may lead to one space.
            if !reached.contains(&cell) {
                reached.push(cell);
                visit(Value::Cell(cell), locals)?;
            }
        }
        ON
    };
    from.walk(eval, locals, led)
}

/// Several pieces on one space.
#[inline(never)]
fn crowd_at(eval: &Eval<'_>, cell: Cell, locals: &mut Locals, visit: Visit<'_>) -> ControlFlow<()> {
    // Pieces that share a space are found by going through the zone.
    if !eval.state.fuel().burn(eval.state.effort_of_crowd(cell)) {
        return OUT;
    }
    for piece in eval.state.pieces_at(cell) {
        visit(Value::Piece(piece), locals)?;
    }
    ON
}
