//! Questions about a set: the number of members, whether there is one, the first, the last, a sum. Most are answered
//! without walking all of it.

use rulepack_model::{PieceId, TypeId};

use super::rest::Known;
use super::set_filter::{Asked, Filter, Full, number_of_line, spot_of_slot, type_of};
use super::set_source::Base;
use super::types::Numbers;
use super::walk::{ON, OUT};
use super::{Number, Walk};
use crate::eval::expressions::{Eval, Locals};
use crate::rules::facts::ZoneFacts;
use crate::rules::layout::{Line, LineOfSpaces};
use crate::state::table::Space;
use crate::state::value::{Cell, Value, ZoneIx};

impl Walk {
    /// Whether place and type alone decide membership.
    pub(crate) fn is_cheap(&self) -> bool {
        self.is_simple
    }

    /// Visits all members, if they are spaces for which row and column alone decide membership; returns whether they
    /// are.
    pub(crate) fn cells(&self, eval: &Eval<'_>, locals: &mut Locals, mut visit: impl FnMut(Cell)) -> bool {
        let (Base::FreeCells(zone), true) =
            (&self.base, self.is_simple && self.cell_mask.is_none() && self.is_one_line())
        else {
            return false;
        };
        let Some(zone) = zone.get(eval, locals) else { return true };
        let facts = eval.rules.spaces(zone);
        let Some(LineOfSpaces { first, apart, count }) = self.line_of_spaces(eval, facts, locals) else { return true };
        let mut at = first;
        let spaces = eval.state.spaces_of(zone, facts.cells);
        let _ = eval.state.fuel().burn(1 + u32::from(count));
        if apart == 1 {
            for space in spaces.get(first..first + usize::from(count)).unwrap_or(&[]) {
                if space.is_free() {
                    visit(Cell { zone, at: at as u16 });
                }
                at += 1;
            }
            return true;
        }
        for _ in 0..count {
            if spaces.get(at).is_some_and(|space| space.is_free()) {
                visit(Cell { zone, at: at as u16 });
            }
            at += apart;
        }
        true
    }

    /// How many members there are.
    #[inline]
    pub(crate) fn count(&self, eval: &Eval<'_>, locals: &mut Locals) -> i64 {
        match &self.base {
            Base::Zone(zone) if self.is_in_line => {
                let Some(zone) = zone.get(eval, locals) else { return 0 };
                self.count_in_line(eval, zone, locals).unwrap_or(0)
            }
            _ => self.count_all(eval, locals),
        }
    }

    #[inline(never)]
    fn count_all(&self, eval: &Eval<'_>, locals: &mut Locals) -> i64 {
        if let (Base::Zone(zone), true) = (&self.base, self.is_all) {
            return zone.get(eval, locals).map_or(0, |zone| eval.state.zone_len(zone) as i64);
        }
        if self.is_of_zones
            && self.is_of_kinds
            && self.kinds != 0
            && let Some(count) = self.known_count(eval, locals)
        {
            return count;
        }
        let mut count = 0;
        if self.is_of_zones {
            let _ = self.pieces(eval, locals, |_, _| {
                count += 1;
                ON
            });
            return count;
        }
        let _ = self.walk(eval, locals, &mut |_, _| {
            count += 1;
            ON
        });
        count
    }

    /// The required type of members; `None` if there can be no member.
    #[inline(always)]
    fn wanted_type(&self, eval: &Eval<'_>, locals: &mut Locals) -> Option<Option<TypeId>> {
        match &self.ty {
            Asked::Nothing => Some(None),
            Asked::LikeSlot(slot) => match locals.get(*slot)? {
                Value::Piece(piece) => Some(Some(eval.rules.printing_of(*piece))),
                _ => None,
            },
            Asked::Code(source) => Some(Some(type_of(source, eval, locals)?)),
        }
    }

    /// The spaces of the one row or column of the members, or all.
    #[inline(always)]
    fn line_of_spaces(&self, eval: &Eval<'_>, facts: ZoneFacts, locals: &mut Locals) -> Option<LineOfSpaces> {
        let line = match (&self.row, &self.column) {
            (Asked::Nothing, Asked::Nothing) => Line::All,
            (Asked::LikeSlot(slot), _) => Line::Row(spot_of_slot(eval, *slot, locals)?.0),
            (Asked::Code(source), _) => Line::Row(number_of_line(source, eval, locals)?.get()),
            (_, Asked::LikeSlot(slot)) => Line::Column(spot_of_slot(eval, *slot, locals)?.1),
            (_, Asked::Code(source)) => Line::Column(number_of_line(source, eval, locals)?.get()),
        };
        facts.line(line)
    }

    /// Whether members are in one row, in one column or anywhere, but not both in a row and in a column.
    fn is_one_line(&self) -> bool {
        self.row.is_nothing() || self.column.is_nothing()
    }

    /// The number of pieces of whole zones that are members by their kinds; usually known without testing any. `None`
    /// if the budget was used up.
    fn known_count(&self, eval: &Eval<'_>, locals: &mut Locals) -> Option<i64> {
        let mut one = [ZoneIx(0)];
        let Some((theirs, shared)) = self.base.zones(eval, locals, &mut one) else { return Some(0) };
        let mut count = 0;
        for zone in theirs.iter().flatten().chain(shared) {
            let pieces = eval.state.of_kinds(*zone, self.kinds);
            // If they are not known, the whole zone is walked.
            let effort = if pieces.known().is_some() { 1 } else { 1 + pieces.effort(*zone) };
            if !eval.state.fuel().burn(effort) {
                return None;
            }
            count += i64::from(pieces.known().unwrap_or_else(|| pieces.count() as u32));
        }
        Some(count)
    }

    /// The number of members in one row or column, or on other known spaces: these spaces are visited, and not all
    /// pieces.
    #[inline(never)]
    fn count_in_line(&self, eval: &Eval<'_>, zone: ZoneIx, locals: &mut Locals) -> Option<i64> {
        let ty = self.wanted_type(eval, locals)?;
        let facts = eval.rules.spaces(zone);
        let spaces = eval.state.spaces_of(zone, facts.cells);
        let mut count = 0;
        if let Some(cells) = &self.cell_mask {
            if !eval.state.fuel().burn(1 + cells.list.len() as u32) {
                return None;
            }
            for at in &cells.list {
                count += self.count_on(eval, Cell { zone, at: *at }, *spaces.get(*at as usize)?, ty);
            }
            return Some(count);
        }
        let LineOfSpaces { first, apart, count: length } = self.line_of_spaces(eval, facts, locals)?;
        if !eval.state.fuel().burn(1 + u32::from(length)) {
            return None;
        }
        let mut at = first;
        for _ in 0..length {
            count += self.count_on(eval, Cell { zone, at: at as u16 }, *spaces.get(at)?, ty);
            at += apart;
        }
        Some(count)
    }

    /// The number of pieces on a space that are members, judged by their type.
    #[inline(always)]
    fn count_on(&self, eval: &Eval<'_>, cell: Cell, space: Space, ty: Option<TypeId>) -> i64 {
        match space.only() {
            Some(piece) => i64::from(self.is_of(eval, piece, ty)),
            None if space.is_free() => 0,
            None => self.count_crowd(eval, cell, ty),
        }
    }

    #[inline(never)]
    fn count_crowd(&self, eval: &Eval<'_>, cell: Cell, ty: Option<TypeId>) -> i64 {
        eval.state.pieces_at(cell).filter(|piece| self.is_of(eval, *piece, ty)).count() as i64
    }

    #[inline(always)]
    fn is_of(&self, eval: &Eval<'_>, piece: PieceId, ty: Option<TypeId>) -> bool {
        ty.is_none_or(|ty| eval.rules.printing_of(piece) == ty) && self.is_told(eval, piece)
    }

    /// Sums a number that is computed for each member, which is in a slot then.
    #[inline]
    pub(crate) fn sum(&self, eval: &Eval<'_>, locals: &mut Locals, it: usize, of: &Number) -> i64 {
        match &self.base {
            Base::OnAdjacent(way, cell) => match cell.get(eval, locals) {
                Some(cell) => {
                    self.sum_beside(eval, eval.rules.leads(*way, cell.zone, cell.at), cell.zone, locals, it, of)
                }
                None => 0,
            },
            _ => self.sum_all(eval, locals, it, of),
        }
    }

    /// The few pieces next to a place: code that counts lines on a board does little else.
    #[inline(never)]
    fn sum_beside(
        &self,
        eval: &Eval<'_>,
        spaces: &[u16],
        zone: ZoneIx,
        locals: &mut Locals,
        it: usize,
        of: &Number,
    ) -> i64 {
        let mut sum = 0_i64;
        for at in spaces {
            let space = eval.state.space(Cell { zone, at: *at });
            if let Some(piece) = space.only() {
                if eval.state.fuel().burn(1) && self.is_one(eval, piece, locals) {
                    locals[it] = Value::Piece(piece);
                    sum = eval.exact(sum.checked_add(of(eval, locals)));
                }
            } else if !space.is_free() {
                return self.sum_all(eval, locals, it, of);
            }
        }
        sum
    }

    #[inline(never)]
    fn sum_all(&self, eval: &Eval<'_>, locals: &mut Locals, it: usize, of: &Number) -> i64 {
        let mut sum = 0_i64;
        let mut add = |value: Value, locals: &mut Locals| {
            locals[it] = value;
            sum = eval.exact(sum.checked_add(of(eval, locals)));
            ON
        };
        let _ = match self.is_of_zones {
            true => self.pieces(eval, locals, |piece, locals| add(Value::Piece(piece), locals)),
            false => self.walk(eval, locals, &mut add),
        };
        sum
    }

    /// Sums an attribute of the pieces of whole zones.
    pub(super) fn sum_of(&self, eval: &Eval<'_>, locals: &mut Locals, numbers: &Numbers) -> i64 {
        let mut sum = 0_i64;
        let _ = self.pieces(eval, locals, |piece, _| {
            sum = eval.exact(sum.checked_add(numbers.of(eval.rules, piece)));
            ON
        });
        sum
    }

    /// Whether there is a member, as far as is known.
    pub(crate) fn any(&self, eval: &Eval<'_>, locals: &mut Locals) -> bool {
        if eval.public_view { eval.may_be_any(&self.set, locals) } else { self.has_member(eval, locals) }
    }

    fn has_member(&self, eval: &Eval<'_>, locals: &mut Locals) -> bool {
        if self.is_all {
            match &self.base {
                Base::Zone(zone) => return zone.get(eval, locals).is_some_and(|zone| eval.state.zone_len(zone) > 0),
                Base::FreeCells(zone) => {
                    let Some(zone) = zone.get(eval, locals) else { return false };
                    let spaces = eval.state.spaces_of(zone, eval.rules.spaces(zone).cells);
                    return spaces.iter().any(|space| space.is_free());
                }
                _ => {}
            }
        }
        self.first(eval, locals).is_some()
    }

    /// The first member.
    pub(crate) fn first(&self, eval: &Eval<'_>, locals: &mut Locals) -> Option<Value> {
        if !self.is_taken(eval) {
            return eval.first(&self.set, locals);
        }
        if let (Base::Zone(zone), true) = (&self.base, self.is_all) {
            let zone = zone.get(eval, locals)?;
            return eval.state.zone(zone).next().map(Value::Piece);
        }
        let mut first = None;
        if self.is_of_zones {
            let _ = self.pieces(eval, locals, |piece, _| {
                first = Some(Value::Piece(piece));
                OUT
            });
            return first;
        }
        let _ = self.walk(eval, locals, &mut |value, _| {
            first = Some(value);
            OUT
        });
        first
    }

    /// The last member.
    pub(crate) fn last(&self, eval: &Eval<'_>, locals: &mut Locals) -> Value {
        match &self.base {
            Base::Zone(zone) if self.is_all => {
                let last = zone.get(eval, locals).and_then(|zone| eval.state.zone_from_top(zone).next());
                return last.map_or(Value::Nil, Value::Piece);
            }
            Base::Cells(zone) | Base::FreeCells(zone)
                if self.is_one_line() && self.cell_mask.is_none() && self.tests.is_empty() =>
            {
                let zone = zone.get(eval, locals);
                return zone.and_then(|zone| self.last_cell(eval, zone, locals)).unwrap_or_default();
            }
            // A pile is walked from its top.
            Base::At(cell) if self.is_all => {
                let Some(cell) = cell.get(eval, locals) else { return Value::Nil };
                return eval.state.last_at(cell).map_or(Value::Nil, Value::Piece);
            }
            _ => {}
        }
        let mut last = Value::Nil;
        let _ = self.walk(eval, locals, &mut |value, _| {
            last = value;
            ON
        });
        last
    }

    /// Spaces of a row, a column or a whole zone are walked backwards, up to the first match.
    fn last_cell(&self, eval: &Eval<'_>, zone: ZoneIx, locals: &mut Locals) -> Option<Value> {
        let facts = eval.rules.spaces(zone);
        let LineOfSpaces { first, apart, count } = self.line_of_spaces(eval, facts, locals)?;
        let spaces = eval.state.spaces_of(zone, facts.cells);
        let all = matches!(self.base, Base::Cells(_));
        let known = Known::nothing();
        let mut at = first + apart * usize::from(count);
        for _ in 0..count {
            at -= apart;
            let value = Value::Cell(Cell { zone, at: at as u16 });
            if (all || spaces.get(at)?.is_free()) && self.passes_rest(eval, value, locals, &known) {
                return Some(value);
            }
            if !eval.state.fuel().burn(1) {
                return None;
            }
        }
        None
    }

    /// Whether something is a member. If a test of the value itself is enough, the other members are not visited.
    pub(crate) fn contains(&self, eval: &Eval<'_>, wanted: Value, locals: &mut Locals) -> bool {
        if !self.is_taken(eval) {
            return eval.contains(&self.set, wanted, locals);
        }
        if !eval.state.fuel().burn(1) {
            return false;
        }
        let is_there = match (&self.base, wanted) {
            (Base::Zone(zone), Value::Piece(piece)) => zone.get(eval, locals) == Some(eval.state.piece(piece).zone),
            (Base::InPlay(kind, owner), Value::Piece(piece)) => {
                let zone = eval.state.piece(piece).zone;
                let is_theirs = match owner {
                    Some(owner) => match owner.get(eval, locals).seat() {
                        Some(seat) => eval.rules.zone_owner(zone) == Some(seat),
                        None => false,
                    },
                    None => true,
                };
                is_theirs && eval.rules.spaces(zone).in_play && kind.is_none_or(|kind| eval.rules.piece_is(piece, kind))
            }
            (Base::Cells(zone), Value::Cell(cell)) => zone.get(eval, locals) == Some(cell.zone),
            (Base::FreeCells(zone), Value::Cell(cell)) => {
                zone.get(eval, locals) == Some(cell.zone) && eval.state.crowd(cell) == 0
            }
            (Base::At(cell), Value::Piece(piece)) => cell.get(eval, locals) == Some(eval.state.cell_of(piece)),
            (Base::Attached(host), Value::Piece(piece)) => {
                let host = host.get(eval, locals).piece();
                host.is_some() && eval.state.host(piece) == host
            }
            (Base::One(thing), wanted) => wanted != Value::Nil && thing.get(eval, locals) == wanted,
            (Base::Resources(members), Value::Res(res)) => members.contains(&res),
            (Base::Made(made), wanted) if made.is_told() => made.contains(eval, wanted, locals),
            (Base::Inner(inner), wanted) => inner.contains(eval, wanted, locals),
            (Base::Zone(_) | Base::InPlay(..) | Base::At(_) | Base::Attached(_), _) => false,
            (Base::Cells(_) | Base::FreeCells(_) | Base::Resources(_), _) => false,
            _ => {
                let mut found = false;
                let _ = self.walk(eval, locals, &mut |value, _| {
                    found = value == wanted;
                    if found { OUT } else { ON }
                });
                return found;
            }
        };
        is_there
            && match self.wanted(eval, locals) {
                Some(what) => Full::new(self, what, eval, locals).fits(eval, wanted, locals),
                None => false,
            }
    }
}
