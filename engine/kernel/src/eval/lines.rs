//! Lines of spaces, spaces that are connected, and the beginnings of sets: shared by both ways of evaluation.

use std::ops::ControlFlow;

use rulepack_expr::Directions;
use smallvec::SmallVec;

use crate::eval::expressions::{Eval, Locals};
use crate::eval::sets::Visit;
use crate::rules::layout::{Direction, Layout};
use crate::rules::ruleset::Ruleset;
use crate::state::fuel::Mistake;
use crate::state::value::{Cell, Value};

const ON: ControlFlow<()> = ControlFlow::Continue(());
const OUT: ControlFlow<()> = ControlFlow::Break(());

/// Some spaces of one zone, as bits.
#[derive(Default)]
struct SpaceBits(SmallVec<[u64; 4]>);

impl SpaceBits {
    fn of(cells: u16) -> SpaceBits {
        SpaceBits(smallvec::smallvec![0; usize::from(cells).div_ceil(64)])
    }

    /// Adds a space; false if it is there already.
    fn add(&mut self, at: u16) -> bool {
        let Some(bits) = self.0.get_mut(usize::from(at) / 64) else { return false };
        let is_new = *bits >> (at % 64) & 1 == 0;
        *bits |= 1 << (at % 64);
        is_new
    }

    /// Takes a space out; false if it is not there.
    fn take(&mut self, at: u16) -> bool {
        let Some(bits) = self.0.get_mut(usize::from(at) / 64) else { return false };
        let was_there = *bits >> (at % 64) & 1 != 0;
        *bits &= !(1 << (at % 64));
        was_there
    }
}

impl Ruleset {
    /// The direction that a symbol names, if a layout of the pack has it.
    pub(crate) fn direction(&self, value: Value) -> Option<Direction> {
        let Value::Sym(symbol) = value else { return None };
        self.directions.iter().find(|(known, _)| *known == symbol).map(|(_, direction)| *direction)
    }

    /// The symbol of the direction that leads back.
    pub(crate) fn opposite(&self, value: Value) -> Value {
        let Some(back) = self.direction(value).map(Direction::opposite) else { return Value::Nil };
        let symbol = self.directions.iter().find(|(_, known)| *known == back);
        symbol.map_or(Value::Nil, |(symbol, _)| Value::Sym(*symbol))
    }

    /// Some directions of the pack, clockwise from the north.
    pub(crate) fn directions(&self, which: Directions) -> impl Iterator<Item = Value> + '_ {
        let is_meant = move |direction: &Direction| match which {
            Directions::All => true,
            Directions::Straight => !direction.is_diagonal(),
            Directions::Diagonal => direction.is_diagonal(),
        };
        self.directions.iter().filter(move |(_, known)| is_meant(known)).map(|(symbol, _)| Value::Sym(*symbol))
    }

    /// The directions in which lines go from a space, clockwise from the north.
    pub(crate) fn directions_from(&self, cell: Cell) -> impl Iterator<Item = Value> + '_ {
        let known = self.zone_of(cell.zone).layout.directions();
        self.directions.iter().filter(|(_, way)| known.contains(way)).map(|(symbol, _)| Value::Sym(*symbol))
    }
}

impl Eval<'_> {
    /// Stops the game if lines do not go in this direction in a zone. A pile has no spaces, so nothing lies on a line there.
    fn refuse_foreign(&self, layout: &Layout, from: Cell, symbol: Value) {
        let is_known = self.rules.direction(symbol).is_some_and(|known| layout.directions().contains(&known));
        if let (Value::Sym(direction), true, false) = (symbol, layout.has_spaces(), is_known) {
            self.state.fuel().fails(Mistake::NoDirection { zone: from.zone, direction });
        }
    }

    /// Walks the spaces from the next one on in a direction, to the edge or back to where the line began; with
    /// `whole`, the whole line through the space, which is one of them.
    pub(crate) fn walk_line(
        &self,
        from: Cell,
        symbol: Value,
        whole: bool,
        locals: &mut Locals,
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        let layout = &self.rules.zone_of(from.zone).layout;
        let Some(direction) = self.rules.direction(symbol) else {
            self.refuse_foreign(layout, from, symbol);
            return ON;
        };
        let first = if whole { layout.start_of_line(from.at, direction) } else { from.at };
        if whole {
            visit(Value::Cell(Cell { at: first, ..from }), locals)?;
        }
        let mut at = first;
        while let Some(next) = layout.next(at, direction).filter(|next| *next != first) {
            if !self.state.fuel().burn(1) {
                return OUT;
            }
            at = next;
            visit(Value::Cell(Cell { at, ..from }), locals)?;
        }
        // No layout has a next space in a direction that is not its own, so only empty lines are looked at.
        if at == from.at {
            self.refuse_foreign(layout, from, symbol);
        }
        ON
    }

    /// Walks the spaces of the second set, or of its pieces, to which neighbours lead from those of the first without
    /// leaving the second. The nearest come first.
    pub(crate) fn walk_connected(
        &self,
        locals: &mut Locals,
        from: impl FnOnce(&mut Locals, Visit<'_>) -> ControlFlow<()>,
        within: impl FnOnce(&mut Locals, Visit<'_>) -> ControlFlow<()>,
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        let place = |value: Value| match value {
            Value::Cell(cell) => Some(cell),
            Value::Piece(piece) => Some(self.state.cell_of(piece)),
            _ => None,
        };
        let mut zones: SmallVec<[(Cell, SpaceBits); 2]> = SmallVec::new();
        within(locals, &mut |value, _| {
            let Some(cell) = place(value) else { return ON };
            match zones.iter_mut().find(|(first, _)| first.zone == cell.zone) {
                Some((_, bits)) => bits.add(cell.at),
                None => {
                    let mut bits = SpaceBits::of(self.rules.spaces(cell.zone).cells);
                    bits.add(cell.at);
                    zones.push((cell, bits));
                    true
                }
            };
            ON
        })?;
        let mut take = |cell: Cell| zones.iter_mut().any(|(first, bits)| first.zone == cell.zone && bits.take(cell.at));
        let mut reached: SmallVec<[Cell; 32]> = SmallVec::new();
        let mut starts: SmallVec<[Cell; 8]> = SmallVec::new();
        from(locals, &mut |value, _| {
            starts.extend(place(value));
            ON
        })?;
        for start in starts {
            if take(start) {
                reached.push(start);
                continue;
            }
            // A start outside the set only leads into it.
            for at in self.rules.zone_of(start.zone).layout.neighbours(start.at) {
                let next = Cell { at, ..start };
                if take(next) {
                    reached.push(next);
                }
            }
        }
        let mut done = 0;
        while let Some(cell) = reached.get(done).copied() {
            let neighbours = self.rules.zone_of(cell.zone).layout.neighbours(cell.at);
            if !self.state.fuel().burn(1 + neighbours.len() as u32 / 4) {
                return OUT;
            }
            for at in neighbours {
                let next = Cell { at, ..cell };
                if take(next) {
                    reached.push(next);
                }
            }
            visit(Value::Cell(cell), locals)?;
            done += 1;
        }
        ON
    }

    /// Walks the members of a set before the first for which a condition does not hold.
    pub(crate) fn walk_while(
        &self,
        locals: &mut Locals,
        base: impl FnOnce(&mut Locals, Visit<'_>) -> ControlFlow<()>,
        holds: impl Fn(Value, &mut Locals) -> bool,
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        let mut is_over = false;
        let walked = base(locals, &mut |value, locals| {
            if holds(value, locals) {
                return visit(value, locals);
            }
            is_over = true;
            OUT
        });
        if is_over { ON } else { walked }
    }

    /// Walks the members of a set before the first for which a condition holds; none if it holds for none.
    pub(crate) fn walk_until(
        &self,
        locals: &mut Locals,
        base: impl FnOnce(&mut Locals, Visit<'_>) -> ControlFlow<()>,
        holds: impl Fn(Value, &mut Locals) -> bool,
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        let mut before: SmallVec<[Value; 16]> = SmallVec::new();
        let mut is_found = false;
        let walked = base(locals, &mut |value, locals| {
            is_found = holds(value, locals);
            if is_found {
                return OUT;
            }
            before.push(value);
            ON
        });
        if !is_found {
            return walked;
        }
        before.into_iter().try_for_each(|value| visit(value, locals))
    }
}

/// Visits some values, one after the other.
#[inline]
pub(crate) fn visit_all(values: impl Iterator<Item = Value>, locals: &mut Locals, visit: Visit<'_>) -> ControlFlow<()> {
    for value in values {
        visit(value, locals)?;
    }
    ON
}

/// Evaluates a condition with a value in the slot of the member.
#[inline]
pub(crate) fn with_member<T>(it: usize, value: Value, locals: &mut Locals, test: impl FnOnce(&mut Locals) -> T) -> T {
    let kept = std::mem::replace(&mut locals[it], value);
    let found = test(locals);
    locals[it] = kept;
    found
}
