//! Sets, evaluated by walking their trees: sets are never built, but walked, in a fixed order. Frequent sets are walked
//! by `lower/walk.rs`, in the same order; debug builds compare both.

use std::ops::ControlFlow;

use rulepack_expr::{Expr, Set, ZoneRef};
use rulepack_model::{AdjacencyId, KindId, Seat};
use smallvec::SmallVec;

use crate::eval::expressions::{Eval, Locals};
use crate::eval::lines::{visit_all, with_member};
use crate::state::value::{Cell, Value, ZoneIx};

pub(super) const ON: ControlFlow<()> = ControlFlow::Continue(());
pub(super) const OUT: ControlFlow<()> = ControlFlow::Break(());

/// The function that is called with each member of a set.
pub(crate) type Visit<'v> = &'v mut dyn FnMut(Value, &mut Locals) -> ControlFlow<()>;

impl Eval<'_> {
    /// Pays for the adjacencies of a space, each of which is compared with the spaces reached so far.
    pub(crate) fn pays_for_ways(&self, ways: usize, reached: usize) -> bool {
        self.state.fuel().burn_many(ways / 8 + ways.saturating_mul(reached) / 64)
    }

    /// The zone that is meant.
    pub fn zone(&self, zone: &ZoneRef, locals: &mut Locals) -> Option<ZoneIx> {
        match &zone.owner {
            None => Some(self.rules.zone_ix(zone.zone, None)),
            Some(owner) => {
                let seat = self.expr(owner, locals).seat()?;
                Some(self.rules.zone_ix(zone.zone, Some(seat)))
            }
        }
    }

    /// The number of members.
    pub(crate) fn count(&self, set: &Set, locals: &mut Locals) -> i64 {
        if let Set::Zone(zone) = set {
            return self.zone(zone, locals).map_or(0, |zone| self.state.zone_len(zone) as i64);
        }
        let mut count = 0;
        let _ = self.each(set, locals, &mut |_, _| {
            count += 1;
            ON
        });
        count
    }

    /// Whether there is a member, as far as is known.
    pub(crate) fn any(&self, set: &Set, locals: &mut Locals) -> bool {
        if self.public_view { self.may_be_any(set, locals) } else { self.first(set, locals).is_some() }
    }

    /// Whether something is a member.
    pub(crate) fn contains(&self, set: &Set, wanted: Value, locals: &mut Locals) -> bool {
        let mut found = false;
        let _ = self.each(set, locals, &mut |value, _| {
            found = value == wanted;
            if found { OUT } else { ON }
        });
        found
    }

    /// The first member.
    pub(crate) fn first(&self, set: &Set, locals: &mut Locals) -> Option<Value> {
        let mut first = None;
        let _ = self.each(set, locals, &mut |value, _| {
            first = Some(value);
            ControlFlow::Break(())
        });
        first
    }

    /// The piece of a zone that is drawn next.
    pub(crate) fn top(&self, zone: ZoneIx) -> Value {
        self.state.top(self.rules, zone).map_or(Value::Nil, Value::Piece)
    }

    /// The last member, in the order in which the set is walked.
    pub(crate) fn last(&self, set: &Set, locals: &mut Locals) -> Value {
        let mut last = Value::Nil;
        let _ = self.each(set, locals, &mut |value, _| {
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
        if !self.state.fuel().burn(1) {
            return OUT;
        }
        match set {
            Set::Filter { base, it, cond } => self.each(base, locals, &mut |value, locals| {
                let kept = std::mem::replace(&mut locals[it.index()], value);
                let fits = self.truth(cond, locals);
                locals[it.index()] = kept;
                if fits { visit(value, locals) } else { ON }
            }),
            Set::While { base, it, cond } => self.walk_while(
                locals,
                |locals, visit| self.each(base, locals, visit),
                |value, locals| with_member(it.index(), value, locals, |locals| self.truth(cond, locals)),
                visit,
            ),
            Set::Until { base, it, cond } => self.walk_until(
                locals,
                |locals, visit| self.each(base, locals, visit),
                |value, locals| with_member(it.index(), value, locals, |locals| self.truth(cond, locals)),
                visit,
            ),
            Set::Zone(zone) => {
                let Some(zone) = self.zone(zone, locals) else { return ON };
                self.pieces_of(zone, None, locals, visit)
            }
            Set::InPlay { kind, owner: None } => self.each_in_play(*kind, None, locals, visit),
            Set::InPlay { kind, owner: Some(owner) } => {
                let Some(owner) = self.expr(owner, locals).seat() else { return ON };
                self.each_in_play(*kind, Some(owner), locals, visit)
            }
            Set::Cells(zone) => self.each_space(zone, true, locals, visit),
            Set::FreeCells(zone) => self.each_space(zone, false, locals, visit),
            Set::At(cell) => {
                let Some(cell) = self.cell(cell, locals) else { return ON };
                self.pieces_at(cell, locals, visit)
            }
            Set::Adjacent(way, cell) => {
                let Some(cell) = self.cell(cell, locals) else { return ON };
                let leads = self.rules.leads(*way, cell.zone, cell.at);
                if !self.pays_for_ways(leads.len(), 0) {
                    return OUT;
                }
                for at in leads {
                    visit(Value::Cell(Cell { zone: cell.zone, at: *at }), locals)?;
                }
                ON
            }
            Set::Neighbours(cell) => {
                let Some(cell) = self.cell(cell, locals) else { return ON };
                let neighbours = self.rules.zone_of(cell.zone).layout.neighbours(cell.at);
                visit_all(neighbours.into_iter().map(|at| Value::Cell(Cell { at, ..cell })), locals, visit)
            }
            Set::Line(from, direction) => self.each_in_line(from, direction, false, locals, visit),
            Set::Through(from, direction) => self.each_in_line(from, direction, true, locals, visit),
            Set::Connected(from, within) => self.walk_connected(
                locals,
                |locals, visit| self.each(from, locals, visit),
                |locals, visit| self.each(within, locals, visit),
                visit,
            ),
            Set::Directions(which) => visit_all(self.rules.directions(*which), locals, visit),
            Set::DirectionsFrom(cell) => {
                let Some(cell) = self.cell(cell, locals) else { return ON };
                visit_all(self.rules.directions_from(cell), locals, visit)
            }
            Set::On(cells) => self.each(cells, locals, &mut |cell, locals| {
                let Some(cell) = cell.cell() else { return ON };
                self.pieces_at(cell, locals, visit)
            }),
            Set::AdjacentToAll(way, set) => self.each_reached(*way, set, locals, visit),
            Set::Attached(host) => self.each_attached(host, locals, visit),
            Set::One(thing) => match self.expr(thing, locals) {
                Value::Nil => ON,
                thing => visit(thing, locals),
            },
            Set::Resources(group) => {
                visit_all(self.rules.members(*group).iter().map(|res| Value::Res(*res)), locals, visit)
            }
            Set::Types(_) | Set::Symbols(_) | Set::Numbers(..) | Set::Listed(_) => {
                self.each_named_in_text(set, locals, visit)
            }
            Set::Named(..) | Set::Kept(_) | Set::Combined(..) | Set::OfEach { .. } => {
                self.each_made(set, locals, visit)
            }
            Set::Seats => visit_all(self.seats().map(Value::Seat), locals, visit),
            Set::Round { from, clockwise } => self.each_round(from, *clockwise, locals, visit),
            Set::Others(me) => {
                let me = self.expr(me, locals);
                visit_all(self.seats().map(Value::Seat).filter(|seat| *seat != me), locals, visit)
            }
            Set::Team(of) => self.each_of_team(of, locals, visit),
        }
    }

    /// The pieces on a piece.
    fn each_attached(&self, host: &Expr, locals: &mut Locals, visit: Visit<'_>) -> ControlFlow<()> {
        let Some(host) = self.expr(host, locals).piece() else { return ON };
        if !self.state.fuel().burn(self.state.effort_of_riders(host)) {
            return OUT;
        }
        for piece in self.state.attached(host) {
            visit(Value::Piece(piece), locals)?;
        }
        ON
    }

    /// All players, from one on.
    fn each_round(&self, from: &Expr, clockwise: bool, locals: &mut Locals, visit: Visit<'_>) -> ControlFlow<()> {
        let Some(from) = self.expr(from, locals).seat() else { return ON };
        visit_all(self.round_from(from, clockwise).map(Value::Seat), locals, visit)
    }

    /// The players of the team to which a player belongs.
    fn each_of_team(&self, of: &Expr, locals: &mut Locals, visit: Visit<'_>) -> ControlFlow<()> {
        let Some(of) = self.expr(of, locals).seat() else { return ON };
        visit_all(self.team(of).map(Value::Seat), locals, visit)
    }

    /// The spaces of a line from the next one on, or of the whole line through a space.
    fn each_in_line(
        &self,
        from: &Expr,
        direction: &Expr,
        whole: bool,
        locals: &mut Locals,
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        let Some(from) = self.cell(from, locals) else { return ON };
        let direction = self.expr(direction, locals);
        self.walk_line(from, direction, whole, locals, visit)
    }

    /// The pieces in play, of one kind or all, of one player or all.
    pub(crate) fn each_in_play(
        &self,
        kind: Option<KindId>,
        owner: Option<Seat>,
        locals: &mut Locals,
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        match owner {
            Some(seat) => {
                for zone in &self.rules.play_zones[seat.index()] {
                    self.pieces_of(*zone, kind, locals, visit)?;
                }
                if self.rules.facts.has_owner_vars {
                    for zone in &self.rules.shared_play_zones {
                        self.pieces_of(*zone, kind, locals, &mut |piece, locals| {
                            let owner = piece.piece().and_then(|piece| self.state.owner(self.rules, piece));
                            if owner == Some(seat) { visit(piece, locals) } else { ON }
                        })?;
                    }
                }
            }
            None => {
                for zone in self.rules.play_zones.iter().flatten().chain(&self.rules.shared_play_zones) {
                    self.pieces_of(*zone, kind, locals, visit)?;
                }
            }
        }
        ON
    }

    /// The spaces of a zone: all, or those on which nothing lies.
    fn each_space(&self, zone: &ZoneRef, all: bool, locals: &mut Locals, visit: Visit<'_>) -> ControlFlow<()> {
        let Some(zone) = self.zone(zone, locals) else { return ON };
        let cells = (0..self.rules.spaces(zone).cells).map(|at| Cell { zone, at });
        for cell in cells {
            if !self.state.fuel().burn(1) {
                return OUT;
            }
            if all || self.state.crowd(cell) == 0 {
                visit(Value::Cell(cell), locals)?;
            }
        }
        ON
    }

    /// The spaces to which a way leads from some spaces or pieces, each once.
    fn each_reached(&self, way: AdjacencyId, set: &Set, locals: &mut Locals, visit: Visit<'_>) -> ControlFlow<()> {
        let mut reached: SmallVec<[Cell; 16]> = SmallVec::new();
        self.each(set, locals, &mut |member, locals| {
            let cell = match member {
                Value::Cell(cell) => cell,
                Value::Piece(piece) => self.state.cell_of(piece),
                _ => return ON,
            };
            let leads = self.rules.leads(way, cell.zone, cell.at);
            if !self.pays_for_ways(leads.len(), reached.len()) {
                return OUT;
            }
            for at in leads {
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

    fn pieces_of(&self, zone: ZoneIx, kind: Option<KindId>, locals: &mut Locals, visit: Visit<'_>) -> ControlFlow<()> {
        if !self.state.fuel().burn(1 + self.state.zone_len(zone) as u32) {
            return OUT;
        }
        for piece in self.state.zone(zone) {
            if kind.is_none_or(|kind| self.rules.piece_is(piece, kind)) {
                visit(Value::Piece(piece), locals)?;
            }
        }
        ON
    }

    fn pieces_at(&self, cell: Cell, locals: &mut Locals, visit: Visit<'_>) -> ControlFlow<()> {
        if !self.state.fuel().burn(1 + self.state.effort_of_crowd(cell)) {
            return OUT;
        }
        for piece in self.state.pieces_at(cell) {
            visit(Value::Piece(piece), locals)?;
        }
        ON
    }
}
