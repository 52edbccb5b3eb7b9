//! Sets as functions. As everywhere, they are never built, but walked, in the order in which `sets.rs` walks them.

use std::num::NonZeroU16;
use std::ops::ControlFlow;

use rulepack_expr::ast::BinaryOp;
use rulepack_expr::{Built, Expr, Set, ZoneRef};
use rulepack_model::{AdjacencyId, KindId, PieceId, ResId, TypeId};
use smallvec::SmallVec;

use super::cheap::{MOST_TESTS, Probe, Quick, Test};
use super::{Number, Source, Truth, truth};
use crate::eval::{Eval, Locals};
use crate::facts::ZoneFacts;
use crate::lane::Lane;
use crate::ruleset::Ruleset;
use crate::sets::neighbours;
use crate::value::{Cell, Value, ZoneIx};

const ON: ControlFlow<()> = ControlFlow::Continue(());
const OUT: ControlFlow<()> = ControlFlow::Break(());

/// A set that can be walked.
pub(crate) struct Walk {
    base: Base,
    /// What every member must be: what is always the same, and what is worked out for each walk.
    kinds: u64,
    ty: Asked,
    row: Asked,
    column: Asked,
    /// What else it must pass.
    tests: Vec<Cheap>,
    rest: Option<Truth>,
    /// The slot of the member for `rest`.
    it: usize,
    /// Whether all of the base are members.
    is_all: bool,
    /// Whether there is nothing to test beside what is wanted.
    is_simple: bool,
    /// As it was written.
    pub(crate) set: Set,
}

/// The table's zone of a name, or that of a player.
pub(crate) enum Place {
    Table(ZoneIx),
    /// The first of several, and how far they are apart: not at all, if all players mean the same.
    Of(ZoneIx, u16, Source),
}

impl Place {
    pub(crate) fn new(rules: &Ruleset, zone: &ZoneRef) -> Place {
        let first = rules.zone_ix(zone.zone, None);
        let apart = u16::from(rules.zones[zone.zone.index()].per_player);
        match &zone.owner {
            Some(owner) => Place::Of(first, apart, Source::new(rules, owner)),
            None => Place::Table(first),
        }
    }

    #[inline]
    pub(crate) fn get(&self, eval: &Eval<'_>, locals: &mut Locals) -> Option<ZoneIx> {
        match self {
            Place::Table(zone) => Some(*zone),
            Place::Of(first, apart, owner) => {
                let seat = owner.get(eval, locals).seat()?;
                Some(ZoneIx(first.0 + apart * u16::from(seat.0)))
            }
        }
    }
}

/// A set without its `where`.
enum Base {
    Zone(Place),
    InPlay(Option<KindId>, Option<Source>),
    Cells(Place),
    FreeCells(Place),
    At(Spot),
    Adjacent(AdjacencyId, Spot),
    OnAdjacent(AdjacencyId, Spot),
    Attached(Source),
    One(Source),
    Resources(Vec<ResId>),
    Seats,
    Others(Source),
    Inner(Box<Walk>),
    /// The pieces on some spaces.
    On(Box<Walk>),
    /// Where a way leads from some spaces or pieces.
    AdjacentToAll(AdjacencyId, Box<Walk>),
    Neighbours(Spot),
}

/// A space: one that is given, or that of a piece.
enum Spot {
    Given(Source),
    Of(Source),
    /// Of a piece in a slot.
    OfSlot(usize),
}

impl Spot {
    fn new(rules: &Ruleset, expr: &Expr) -> Spot {
        match expr {
            Expr::Built(Built::PieceCell, of) => match **of {
                Expr::Local(local) => Spot::OfSlot(local.index()),
                _ => Spot::Of(Source::new(rules, of)),
            },
            expr => Spot::Given(Source::new(rules, expr)),
        }
    }

    #[inline(always)]
    fn get(&self, eval: &Eval<'_>, locals: &mut Locals) -> Option<Cell> {
        match self {
            Spot::Given(cell) => cell.get(eval, locals).cell(),
            Spot::Of(piece) => piece.get(eval, locals).piece().map(|piece| eval.state.cell_of(piece)),
            Spot::OfSlot(slot) => match locals.get(*slot) {
                Some(Value::Piece(piece)) => Some(eval.state.cell_of(*piece)),
                _ => None,
            },
        }
    }
}

/// What is asked about members most, all at once.
#[derive(Clone, Copy)]
struct Wanted {
    /// The kinds that a piece must be of, as bits.
    kinds: u64,
    /// Its type, or any.
    ty: Option<TypeId>,
    /// Its row and column, or any.
    row: Option<NonZeroU16>,
    column: Option<NonZeroU16>,
}

impl Wanted {
    #[inline(always)]
    fn is_piece(&self, eval: &Eval<'_>, piece: PieceId) -> bool {
        eval.rules.kinds_of(piece) & self.kinds == self.kinds
            && self.ty.is_none_or(|ty| eval.rules.printing_of(piece) == ty)
            && (self.row.is_none() && self.column.is_none() || self.is_spot(eval, eval.state.cell_of(piece)))
    }

    #[inline(always)]
    fn is_spot(&self, eval: &Eval<'_>, cell: Cell) -> bool {
        let (row, column) = eval.rules.spot(cell);
        self.row.is_none_or(|wanted| wanted.get() == row) && self.column.is_none_or(|wanted| wanted.get() == column)
    }

    #[inline(always)]
    fn is(&self, eval: &Eval<'_>, value: Value) -> bool {
        match value {
            Value::Piece(piece) => self.is_piece(eval, piece),
            Value::Cell(cell) => self.row.is_none() && self.column.is_none() || self.is_spot(eval, cell),
            _ => true,
        }
    }

    /// The row or column in which the members are, which need not be looked at any more.
    #[inline]
    fn take_lane(&mut self) -> Lane {
        match (self.row.take(), self.column) {
            (Some(row), _) => Lane::Row(row),
            (None, Some(column)) => {
                self.column = None;
                Lane::Column(column)
            }
            (None, None) => Lane::All,
        }
    }
}

/// What of the [`Wanted`] is worked out for each walk.
enum Asked {
    Nothing,
    /// The same that something in a slot has.
    LikeSlot(usize),
    Code(Source),
}

impl Asked {
    fn new(source: Source, like: impl Fn(Built) -> bool) -> Asked {
        match source {
            Source::Built(built, slot) if like(built) => Asked::LikeSlot(slot),
            source => Asked::Code(source),
        }
    }

    fn is_nothing(&self) -> bool {
        matches!(self, Asked::Nothing)
    }
}

fn is_row(built: Built) -> bool {
    matches!(built, Built::PieceRow | Built::CellRow)
}

fn is_column(built: Built) -> bool {
    matches!(built, Built::PieceColumn | Built::CellColumn)
}

/// The row and column of something in a slot.
#[inline]
fn spot_of_slot(eval: &Eval<'_>, slot: usize, locals: &Locals) -> Option<(u16, u16)> {
    match locals.get(slot) {
        Some(Value::Piece(piece)) => Some(eval.rules.spot(eval.state.cell_of(*piece))),
        Some(Value::Cell(cell)) => Some(eval.rules.spot(*cell)),
        _ => None,
    }
}

/// The number of a row or column: they begin with 1.
#[inline(never)]
fn number_of_lane(source: &Source, eval: &Eval<'_>, locals: &mut Locals) -> Option<NonZeroU16> {
    match source.get(eval, locals) {
        Value::Int(n) => u16::try_from(n).ok().and_then(NonZeroU16::new),
        _ => None,
    }
}

#[inline(never)]
fn type_of(source: &Source, eval: &Eval<'_>, locals: &mut Locals) -> Option<TypeId> {
    match source.get(eval, locals) {
        Value::Type(ty) => Some(ty),
        _ => None,
    }
}

/// Another cheap test of members.
enum Cheap {
    IsType(TypeId),
    IsKind(KindId),
    Compare(Probe, BinaryOp, Source),
}

impl Cheap {
    #[inline]
    fn holds(&self, eval: &Eval<'_>, value: Value, other: Value, locals: &Locals) -> bool {
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

/// What is done with a member of a set.
type Visit<'v> = &'v mut dyn FnMut(Value, &mut Locals) -> ControlFlow<()>;

/// Which of those that are walked are members.
trait Filter {
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
struct All;

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
struct Full<'w> {
    walk: &'w Walk,
    wanted: Wanted,
    /// What other tests compare the members with.
    others: [Value; MOST_TESTS],
}

impl<'w> Full<'w> {
    #[inline]
    fn new(walk: &'w Walk, wanted: Wanted, eval: &Eval<'_>, locals: &mut Locals) -> Full<'w> {
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
    fn passes(&self, eval: &Eval<'_>, value: Value, locals: &mut Locals) -> bool {
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

#[inline]
fn pieces_of(
    eval: &Eval<'_>,
    zone: ZoneIx,
    filter: &impl Filter,
    locals: &mut Locals,
    visit: Visit<'_>,
) -> ControlFlow<()> {
    if !eval.state.burn_for(zone) {
        return OUT;
    }
    let pieces = eval.state.some_of_zone(zone, filter.kinds());
    for piece in pieces {
        if filter.fits_piece(eval, piece, locals) {
            visit(Value::Piece(piece), locals)?;
        }
    }
    ON
}

#[inline]
fn spaces_of(
    eval: &Eval<'_>,
    zone: ZoneIx,
    lane: Lane,
    all: bool,
    filter: &impl Filter,
    locals: &mut Locals,
    visit: Visit<'_>,
) -> ControlFlow<()> {
    let facts = eval.rules.spaces(zone);
    let (range, apart) = lane.spaces(facts);
    if !eval.state.fuel.burn(1 + u32::from(range.end)) {
        return OUT;
    }
    let spaces = eval.state.spaces_of(zone, facts.cells);
    let mut at = range.start;
    while let Some(space) = spaces.get(at as usize).filter(|_| at < range.end) {
        let value = Value::Cell(Cell { zone, at });
        if (all || space.is_free()) && filter.fits(eval, value, locals) {
            visit(value, locals)?;
        }
        at = at.saturating_add(apart);
    }
    ON
}

/// Several pieces on one space.
#[inline(never)]
fn crowd_at(eval: &Eval<'_>, cell: Cell, locals: &mut Locals, visit: Visit<'_>) -> ControlFlow<()> {
    if !eval.state.fuel.burn(eval.state.crowd(cell) as u32) {
        return OUT;
    }
    for piece in eval.state.pieces_at(cell) {
        visit(Value::Piece(piece), locals)?;
    }
    ON
}

impl Walk {
    pub(crate) fn new(rules: &Ruleset, set: &Set) -> Walk {
        let mut walk = Walk {
            base: Base::Seats,
            kinds: 0,
            ty: Asked::Nothing,
            row: Asked::Nothing,
            column: Asked::Nothing,
            tests: Vec::new(),
            rest: None,
            it: 0,
            is_all: false,
            is_simple: false,
            set: set.clone(),
        };
        match set {
            Set::Filter { base, it, cond } => {
                walk.base = Base::new(rules, base);
                walk.it = it.index();
                // Where there is hardly ever more than one member, nothing is worked out before there is one.
                let few = matches!(walk.base, Base::At(_) | Base::OnAdjacent(..) | Base::One(_) | Base::Attached(_));
                let quick = if few { Quick::untaken(cond) } else { Quick::new(cond, *it) };
                walk.rest = quick.rest.map(|rest| truth(rules, &rest));
                for test in &quick.tests {
                    walk.add_test(rules, test);
                }
            }
            set => walk.base = Base::new(rules, set),
        }
        if let Base::InPlay(Some(kind), _) = walk.base {
            walk.add_test(rules, &Test::IsKind(kind));
        }
        walk.is_simple = walk.tests.is_empty() && walk.rest.is_none();
        let is_asked = !(walk.ty.is_nothing() && walk.row.is_nothing() && walk.column.is_nothing());
        walk.is_all = walk.is_simple && !is_asked && walk.kinds == 0;
        walk
    }

    fn add_test(&mut self, rules: &Ruleset, test: &Test) {
        let test = match test {
            Test::IsKind(kind) => match crate::facts::bit(kind.index()) {
                // Only of pieces: what is no piece is of no kind.
                Some(bit) if self.base.gives_pieces() => {
                    self.kinds |= bit;
                    return;
                }
                _ => Cheap::IsKind(*kind),
            },
            Test::IsType(ty) => Cheap::IsType(*ty),
            Test::Compare { probe, op, other } => {
                if let (Probe::Built(built), BinaryOp::Eq) = (*probe, *op) {
                    let source = Source::new(rules, other);
                    match built {
                        Built::PieceType if self.ty.is_nothing() => {
                            self.ty = Asked::new(source, |built| built == Built::PieceType);
                            return;
                        }
                        built if is_row(built) && self.row.is_nothing() => {
                            self.row = Asked::new(source, is_row);
                            return;
                        }
                        built if is_column(built) && self.column.is_nothing() => {
                            self.column = Asked::new(source, is_column);
                            return;
                        }
                        _ => {}
                    }
                }
                Cheap::Compare(*probe, *op, Source::new(rules, other))
            }
        };
        self.tests.push(test);
    }

    /// What is wanted of members in this walk; nothing if there can be none.
    #[inline]
    fn wanted(&self, eval: &Eval<'_>, locals: &mut Locals) -> Option<Wanted> {
        let mut wanted = Wanted { kinds: self.kinds, ty: None, row: None, column: None };
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
            Asked::Code(source) => wanted.row = Some(number_of_lane(source, eval, locals)?),
        }
        match &self.column {
            Asked::Nothing => {}
            Asked::LikeSlot(slot) => wanted.column = Some(NonZeroU16::new(spot_of_slot(eval, *slot, locals)?.1)?),
            Asked::Code(source) => wanted.column = Some(number_of_lane(source, eval, locals)?),
        }
        Some(wanted)
    }

    /// Walks the set in a fixed order.
    pub(crate) fn each(
        &self,
        eval: &Eval<'_>,
        locals: &mut Locals,
        mut visit: impl FnMut(Value, &mut Locals) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        self.walk(eval, locals, &mut visit)
    }

    /// The same once for all: code that is written out for every visitor would crowd out what happens all the time.
    #[inline(never)]
    fn walk(&self, eval: &Eval<'_>, locals: &mut Locals, visit: Visit<'_>) -> ControlFlow<()> {
        match &self.base {
            Base::At(cell) => {
                let Some(cell) = cell.get(eval, locals) else { return ON };
                return self.walk_few(eval, cell.zone, &[cell.at], locals, visit);
            }
            Base::OnAdjacent(way, cell) => {
                let Some(cell) = cell.get(eval, locals) else { return ON };
                let leads = eval.rules.leads(*way, cell.zone, cell.at);
                return self.walk_few(eval, cell.zone, leads, locals, visit);
            }
            _ => {}
        }
        if self.is_all {
            return self.walk_base(eval, Lane::All, &All, locals, visit);
        }
        let Some(mut wanted) = self.wanted(eval, locals) else { return ON };
        let lane = if let Base::Cells(_) | Base::FreeCells(_) = self.base { wanted.take_lane() } else { Lane::All };
        if self.is_simple {
            return self.walk_base(eval, lane, &wanted, locals, visit);
        }
        let full = Full::new(self, wanted, eval, locals);
        self.walk_base(eval, lane, &full, locals, visit)
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
        if !eval.state.fuel.burn(1 + spaces.len() as u32) {
            return OUT;
        }
        for at in spaces {
            let cell = Cell { zone, at: *at };
            let space = eval.state.space(cell);
            match space.only() {
                Some(piece) if self.passes_rest(eval, Value::Piece(piece), locals) => {
                    visit(Value::Piece(piece), locals)?;
                }
                Some(_) => {}
                None if space.is_free() => {}
                None => crowd_at(eval, cell, locals, &mut |value, locals| {
                    if self.passes_rest(eval, value, locals) { visit(value, locals) } else { ON }
                })?,
            }
        }
        ON
    }

    /// Whether a member passes what is left of the condition.
    #[inline]
    fn passes_rest(&self, eval: &Eval<'_>, value: Value, locals: &mut Locals) -> bool {
        let Some(rest) = &self.rest else { return true };
        let kept = std::mem::replace(&mut locals[self.it], value);
        let fits = rest(eval, locals);
        locals[self.it] = kept;
        fits
    }

    #[inline(never)]
    fn walk_base(
        &self,
        eval: &Eval<'_>,
        lane: Lane,
        filter: &impl Filter,
        locals: &mut Locals,
        visit: Visit<'_>,
    ) -> ControlFlow<()> {
        match &self.base {
            Base::Zone(zone) => {
                let Some(zone) = zone.get(eval, locals) else { return ON };
                pieces_of(eval, zone, filter, locals, visit)
            }
            Base::InPlay(_, owner) => {
                let (theirs, shared): (&[Vec<ZoneIx>], &[ZoneIx]) = match owner {
                    Some(owner) => match owner.get(eval, locals).seat() {
                        Some(seat) => (std::slice::from_ref(&eval.rules.play_zones[seat.index()]), &[]),
                        None => return ON,
                    },
                    None => (&eval.rules.play_zones, &eval.rules.shared_play_zones),
                };
                for zones in theirs {
                    for zone in zones {
                        pieces_of(eval, *zone, filter, locals, visit)?;
                    }
                }
                for zone in shared {
                    pieces_of(eval, *zone, filter, locals, visit)?;
                }
                ON
            }
            Base::Cells(zone) | Base::FreeCells(zone) => {
                let Some(zone) = zone.get(eval, locals) else { return ON };
                let all = matches!(self.base, Base::Cells(_));
                spaces_of(eval, zone, lane, all, filter, locals, visit)
            }
            _ => self.walk_other(eval, locals, &mut |value, locals| {
                if filter.fits(eval, value, locals) { visit(value, locals) } else { ON }
            }),
        }
    }

    /// Sets that are walked seldom.
    #[inline(never)]
    fn walk_other(&self, eval: &Eval<'_>, locals: &mut Locals, visit: Visit<'_>) -> ControlFlow<()> {
        if !eval.state.fuel.burn(1) {
            return OUT;
        }
        match &self.base {
            Base::Adjacent(way, cell) => {
                let Some(cell) = cell.get(eval, locals) else { return ON };
                for at in eval.rules.leads(*way, cell.zone, cell.at) {
                    visit(Value::Cell(Cell { zone: cell.zone, at: *at }), locals)?;
                }
                ON
            }
            Base::Attached(host) => {
                let Some(host) = host.get(eval, locals).piece() else { return ON };
                for piece in eval.state.attached(host) {
                    visit(Value::Piece(piece), locals)?;
                }
                ON
            }
            Base::One(thing) => match thing.get(eval, locals) {
                Value::Nil => ON,
                thing => visit(thing, locals),
            },
            Base::Resources(members) => {
                for res in members {
                    visit(Value::Res(*res), locals)?;
                }
                ON
            }
            Base::Seats => {
                for seat in eval.rules.seats() {
                    visit(Value::Seat(seat), locals)?;
                }
                ON
            }
            Base::Others(me) => {
                let me = me.get(eval, locals);
                for seat in eval.rules.seats().filter(|seat| Value::Seat(*seat) != me) {
                    visit(Value::Seat(seat), locals)?;
                }
                ON
            }
            Base::Inner(inner) => inner.walk(eval, locals, visit),
            Base::On(cells) => {
                let on: Visit<'_> = &mut |cell, locals| match cell.cell() {
                    Some(cell) => {
                        let _ = eval.state.fuel.burn(1);
                        crowd_at(eval, cell, locals, visit)
                    }
                    None => ON,
                };
                cells.walk(eval, locals, on)
            }
            Base::AdjacentToAll(way, from) => {
                let mut reached: SmallVec<[Cell; 16]> = SmallVec::new();
                let led: Visit<'_> = &mut |member, locals| {
                    let cell = match member {
                        Value::Cell(cell) => cell,
                        Value::Piece(piece) => eval.state.cell_of(piece),
                        _ => return ON,
                    };
                    for at in eval.rules.leads(*way, cell.zone, cell.at) {
                        let cell = Cell { zone: cell.zone, at: *at };
                        // Several ways may lead to one space.
                        if !reached.contains(&cell) {
                            reached.push(cell);
                            visit(Value::Cell(cell), locals)?;
                        }
                    }
                    ON
                };
                from.walk(eval, locals, led)
            }
            Base::Neighbours(cell) => {
                let Some(cell) = cell.get(eval, locals) else { return ON };
                for at in neighbours(eval.rules.zone_of(cell.zone).layout, cell.at).into_iter().flatten() {
                    visit(Value::Cell(Cell { zone: cell.zone, at }), locals)?;
                }
                ON
            }
            Base::Zone(_) | Base::InPlay(..) | Base::Cells(_) | Base::FreeCells(_) => ON,
            Base::At(_) | Base::OnAdjacent(..) => ON,
        }
    }

    /// Whether members are told by where they are and what they are alone.
    pub(crate) fn is_cheap(&self) -> bool {
        self.is_simple
    }

    /// Visits all members, if they are spaces that are told by their row and column alone; says whether they are.
    pub(crate) fn cells(&self, eval: &Eval<'_>, locals: &mut Locals, mut visit: impl FnMut(Cell)) -> bool {
        let (Base::FreeCells(zone), true) = (&self.base, self.is_simple && self.is_lane()) else { return false };
        let Some(zone) = zone.get(eval, locals) else { return true };
        let facts = eval.rules.spaces(zone);
        let Some((mut at, apart, length)) = self.lane(eval, facts, locals) else { return true };
        let spaces = eval.state.spaces_of(zone, facts.cells);
        let _ = eval.state.fuel.burn(1 + u32::from(length));
        for _ in 0..length {
            if spaces.get(at).is_some_and(|space| space.is_free()) {
                visit(Cell { zone, at: at as u16 });
            }
            at += apart;
        }
        true
    }

    /// How many members there are.
    pub(crate) fn count(&self, eval: &Eval<'_>, locals: &mut Locals) -> i64 {
        if let (Base::Zone(zone), true) = (&self.base, self.tests.is_empty()) {
            let Some(zone) = zone.get(eval, locals) else { return 0 };
            if self.is_all {
                return eval.state.zone_len(zone) as i64;
            }
            match (self.row.is_nothing(), self.column.is_nothing()) {
                (true, true) => return self.count_in_zone(eval, zone, locals).unwrap_or(0),
                (row, column) if row != column && self.is_simple && eval.rules.spaces(zone).cells > 0 => {
                    return self.count_in_lane(eval, zone, locals).unwrap_or(0);
                }
                _ => {}
            }
        }
        let mut count = 0;
        let _ = self.walk(eval, locals, &mut |_, _| {
            count += 1;
            ON
        });
        count
    }

    /// The type that members must be of; nothing if there can be none.
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

    /// The first space of the one row or column in which members are, or of all, how far those are apart, and how many
    /// there are.
    #[inline(always)]
    fn lane(&self, eval: &Eval<'_>, facts: ZoneFacts, locals: &mut Locals) -> Option<(usize, usize, u16)> {
        match (&self.row, &self.column) {
            (Asked::Nothing, Asked::Nothing) => Some((0, 1, facts.cells)),
            (Asked::LikeSlot(slot), _) => in_row(spot_of_slot(eval, *slot, locals)?.0, facts),
            (Asked::Code(source), _) => in_row(number_of_lane(source, eval, locals)?.get(), facts),
            (_, Asked::LikeSlot(slot)) => in_column(spot_of_slot(eval, *slot, locals)?.1, facts),
            (_, Asked::Code(source)) => in_column(number_of_lane(source, eval, locals)?.get(), facts),
        }
    }

    /// Whether members are in one row, in one column or anywhere, but not both in a row and in a column.
    fn is_lane(&self) -> bool {
        self.row.is_nothing() || self.column.is_nothing()
    }

    /// How many pieces of a zone are members.
    fn count_in_zone(&self, eval: &Eval<'_>, zone: ZoneIx, locals: &mut Locals) -> Option<i64> {
        let ty = self.wanted_type(eval, locals)?;
        if !eval.state.burn_for(zone) {
            return None;
        }
        let mut count = 0;
        for piece in eval.state.some_of_zone(zone, one_of(self.kinds)) {
            if is_like(eval, piece, ty, self.kinds) && self.passes_rest(eval, Value::Piece(piece), locals) {
                count += 1;
            }
        }
        Some(count)
    }

    /// The same in one row or column: its spaces are looked at, and not all pieces.
    fn count_in_lane(&self, eval: &Eval<'_>, zone: ZoneIx, locals: &mut Locals) -> Option<i64> {
        let ty = self.wanted_type(eval, locals)?;
        let facts = eval.rules.spaces(zone);
        let (mut at, apart, length) = self.lane(eval, facts, locals)?;
        if !eval.state.fuel.burn(1 + u32::from(length)) {
            return None;
        }
        let spaces = eval.state.spaces_of(zone, facts.cells);
        let mut count = 0;
        for _ in 0..length {
            let space = spaces.get(at)?;
            match space.only() {
                Some(piece) => count += i64::from(is_like(eval, piece, ty, self.kinds)),
                None if space.is_free() => {}
                None => {
                    let crowd = eval.state.pieces_at(Cell { zone, at: at as u16 });
                    count += crowd.filter(|piece| is_like(eval, *piece, ty, self.kinds)).count() as i64;
                }
            }
            at += apart;
        }
        Some(count)
    }

    /// Adds something up that is worked out of each member, which is in a slot then.
    #[inline]
    pub(crate) fn sum(&self, eval: &Eval<'_>, locals: &mut Locals, it: usize, of: &Number) -> i64 {
        let mut sum = 0_i64;
        if let Base::OnAdjacent(way, cell) = &self.base {
            // The few pieces next to something: what counts lines on a board does little else.
            let Some(cell) = cell.get(eval, locals) else { return 0 };
            for at in eval.rules.leads(*way, cell.zone, cell.at) {
                let space = eval.state.space(Cell { zone: cell.zone, at: *at });
                if let Some(piece) = space.only() {
                    if eval.state.fuel.burn(1) && self.passes_rest(eval, Value::Piece(piece), locals) {
                        locals[it] = Value::Piece(piece);
                        sum = sum.saturating_add(of(eval, locals));
                    }
                } else if !space.is_free() {
                    return self.sum_of_many(eval, locals, it, of);
                }
            }
            return sum;
        }
        self.sum_of_many(eval, locals, it, of)
    }

    fn sum_of_many(&self, eval: &Eval<'_>, locals: &mut Locals, it: usize, of: &Number) -> i64 {
        let mut sum = 0_i64;
        let _ = self.walk(eval, locals, &mut |value, locals| {
            locals[it] = value;
            sum = sum.saturating_add(of(eval, locals));
            ON
        });
        sum
    }

    /// Whether there is a member, for all that is known.
    pub(crate) fn any(&self, eval: &Eval<'_>, locals: &mut Locals) -> bool {
        self.has_member(eval, locals) || eval.guess && eval.hides(&self.set, locals, 0, &[])
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
        if let (Base::Zone(zone), true) = (&self.base, self.is_all) {
            let zone = zone.get(eval, locals)?;
            return eval.state.zone(zone).next().map(Value::Piece);
        }
        let mut first = None;
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
                let top = zone.get(eval, locals).and_then(|zone| eval.state.top(eval.rules, zone));
                return top.map_or(Value::Nil, Value::Piece);
            }
            Base::Cells(zone) | Base::FreeCells(zone) if self.is_lane() && self.tests.is_empty() => {
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

    /// Spaces of a row, a column or a whole zone are walked backwards, up to the first that fits.
    fn last_cell(&self, eval: &Eval<'_>, zone: ZoneIx, locals: &mut Locals) -> Option<Value> {
        let facts = eval.rules.spaces(zone);
        let (first, apart, length) = self.lane(eval, facts, locals)?;
        let spaces = eval.state.spaces_of(zone, facts.cells);
        let all = matches!(self.base, Base::Cells(_));
        let mut at = first + apart * usize::from(length);
        for _ in 0..length {
            at -= apart;
            let value = Value::Cell(Cell { zone, at: at as u16 });
            if (all || spaces.get(at)?.is_free()) && self.passes_rest(eval, value, locals) {
                return Some(value);
            }
            if !eval.state.fuel.burn(1) {
                return None;
            }
        }
        None
    }

    /// Whether something is a member. Where a member says itself that it is one, the others are not looked at.
    pub(crate) fn contains(&self, eval: &Eval<'_>, wanted: Value, locals: &mut Locals) -> bool {
        if !eval.state.fuel.burn(1) {
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
                Some(what) if self.is_simple => what.is(eval, wanted),
                Some(what) => Full::new(self, what, eval, locals).fits(eval, wanted, locals),
                None => false,
            }
    }
}

/// One of several kinds: what is not of it is not of all of them. If none are asked for, any kind will do.
#[inline]
fn one_of(kinds: u64) -> u64 {
    if kinds == 0 { u64::MAX } else { kinds & kinds.wrapping_neg() }
}

#[inline(always)]
fn is_like(eval: &Eval<'_>, piece: PieceId, ty: Option<TypeId>, kinds: u64) -> bool {
    ty.is_none_or(|ty| eval.rules.printing_of(piece) == ty)
        && (kinds == 0 || eval.rules.kinds_of(piece) & kinds == kinds)
}

/// The first space of a row, how far they are apart, and how many there are.
#[inline(always)]
fn in_row(row: u16, facts: ZoneFacts) -> Option<(usize, usize, u16)> {
    let fits = (1..=facts.rows).contains(&row);
    fits.then(|| (usize::from(row - 1) * usize::from(facts.columns), 1, facts.columns))
}

/// The same of a column.
#[inline(always)]
fn in_column(column: u16, facts: ZoneFacts) -> Option<(usize, usize, u16)> {
    let fits = (1..=facts.columns).contains(&column);
    fits.then(|| (usize::from(column - 1), usize::from(facts.columns), facts.rows))
}

impl Base {
    /// Whether all members are pieces.
    fn gives_pieces(&self) -> bool {
        match self {
            Base::Zone(_) | Base::InPlay(..) | Base::At(_) | Base::OnAdjacent(..) | Base::Attached(_) => true,
            Base::Inner(inner) => inner.base.gives_pieces(),
            Base::On(_) => true,
            _ => false,
        }
    }

    fn new(rules: &Ruleset, set: &Set) -> Base {
        let source = |expr: &Expr| Source::new(rules, expr);
        match set {
            Set::Zone(zone) => Base::Zone(Place::new(rules, zone)),
            Set::InPlay { kind, owner } => Base::InPlay(*kind, owner.as_deref().map(source)),
            Set::Cells(zone) => Base::Cells(Place::new(rules, zone)),
            Set::FreeCells(zone) => Base::FreeCells(Place::new(rules, zone)),
            Set::At(cell) => Base::At(Spot::new(rules, cell)),
            Set::Adjacent(way, cell) => Base::Adjacent(*way, Spot::new(rules, cell)),
            Set::On(cells) => match &**cells {
                Set::Adjacent(way, cell) => Base::OnAdjacent(*way, Spot::new(rules, cell)),
                cells => Base::On(Box::new(Walk::new(rules, cells))),
            },
            Set::Attached(host) => Base::Attached(source(host)),
            Set::One(thing) => Base::One(source(thing)),
            Set::Resources(group) => Base::Resources(rules.members(*group).to_vec()),
            Set::Seats => Base::Seats,
            Set::Others(me) => Base::Others(source(me)),
            Set::Filter { .. } => Base::Inner(Box::new(Walk::new(rules, set))),
            Set::Neighbours(cell) => Base::Neighbours(Spot::new(rules, cell)),
            Set::AdjacentToAll(way, set) => Base::AdjacentToAll(*way, Box::new(Walk::new(rules, set))),
        }
    }
}
