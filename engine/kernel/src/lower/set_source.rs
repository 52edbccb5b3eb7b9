//! The source of the members of a set, before its `where`.

use rulepack_expr::{Directions, Expr, Property, Set, ZoneRef};
use rulepack_model::{AdjacencyId, KindId, ResId};

use super::made_sets::Made;
use super::{Source, Truth, Walk, truth};
use crate::eval::expressions::{Eval, Locals};
use crate::rules::ruleset::Ruleset;
use crate::state::value::{Cell, Value, ZoneIx};

/// A zone of the table by name, or the zone of a player.
pub(crate) enum ZoneSource {
    Table(ZoneIx),
    /// The first of several zones, and the distance between them; 0 if it is the same for all players.
    Of(ZoneIx, u16, Source),
}

impl ZoneSource {
    pub(crate) fn new(rules: &Ruleset, zone: &ZoneRef) -> ZoneSource {
        let first = rules.zone_ix(zone.zone, None);
        let apart = u16::from(rules.zones[zone.zone.index()].per_player);
        match &zone.owner {
            Some(owner) => ZoneSource::Of(first, apart, Source::new(rules, owner)),
            None => ZoneSource::Table(first),
        }
    }

    #[inline]
    pub(crate) fn get(&self, eval: &Eval<'_>, locals: &mut Locals) -> Option<ZoneIx> {
        match self {
            ZoneSource::Table(zone) => Some(*zone),
            ZoneSource::Of(first, apart, owner) => {
                let seat = owner.get(eval, locals).seat()?;
                Some(ZoneIx(first.0 + apart * u16::from(seat.0)))
            }
        }
    }
}

/// A set without its `where`.
pub(super) enum Base {
    Zone(ZoneSource),
    InPlay(Option<KindId>, Option<Source>),
    /// The pieces in play of a player, where some of them may be in zones of the table.
    InPlayOf(Option<KindId>, Source),
    Cells(ZoneSource),
    FreeCells(ZoneSource),
    At(Spot),
    Adjacent(AdjacencyId, Spot),
    OnAdjacent(AdjacencyId, Spot),
    Attached(Source),
    One(Source),
    Resources(Vec<ResId>),
    Seats,
    Others(Source),
    Team(Source),
    /// A set that no place on the table holds.
    Made(Made),
    Round(Source, bool),
    Inner(Box<Walk>),
    /// The pieces on some spaces.
    On(Box<Walk>),
    /// The spaces to which an adjacency leads from some spaces or pieces.
    AdjacentToAll(AdjacencyId, Box<Walk>),
    Neighbours(Spot),
    /// A line from a space on, or a whole line.
    Line {
        from: Spot,
        direction: Source,
        whole: bool,
    },
    /// The spaces of the second set that are connected with the first.
    Connected(Box<Walk>, Box<Walk>),
    Directions(Directions),
    DirectionsFrom(Spot),
    /// The first members, those for which a condition holds.
    While(Box<Walk>, usize, Truth),
    /// The members before the first for which a condition holds.
    Until(Box<Walk>, usize, Truth),
}

/// A space that is given, or the space of a piece.
pub(super) enum Spot {
    Given(Source),
    Of(Source),
    /// The space of a piece in a slot.
    OfSlot(usize),
}

impl Spot {
    pub(super) fn new(rules: &Ruleset, expr: &Expr) -> Spot {
        match expr {
            Expr::Property(Property::PieceCell, of) => match **of {
                Expr::Local(local) => Spot::OfSlot(local.index()),
                _ => Spot::Of(Source::new(rules, of)),
            },
            expr => Spot::Given(Source::new(rules, expr)),
        }
    }

    #[inline(always)]
    pub(super) fn get(&self, eval: &Eval<'_>, locals: &mut Locals) -> Option<Cell> {
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

/// Zones of players, and others.
type Zones<'r> = (&'r [Vec<ZoneIx>], &'r [ZoneIx]);

impl Base {
    /// The zones whose pieces are walked; `one` is room for a single one. `None` if there is no owner, or no zone.
    #[inline]
    pub(super) fn zones<'r>(
        &self,
        eval: &Eval<'r>,
        locals: &mut Locals,
        one: &'r mut [ZoneIx; 1],
    ) -> Option<Zones<'r>> {
        match self {
            Base::Zone(zone) => {
                *one = [zone.get(eval, locals)?];
                Some((&[], one))
            }
            Base::InPlay(_, Some(owner)) => {
                let seat = owner.get(eval, locals).seat()?;
                Some((std::slice::from_ref(&eval.rules.play_zones[seat.index()]), &[]))
            }
            Base::InPlay(_, None) => Some((&eval.rules.play_zones, &eval.rules.shared_play_zones)),
            _ => None,
        }
    }

    /// Whether all members are pieces.
    pub(super) fn gives_pieces(&self) -> bool {
        match self {
            Base::Zone(_) | Base::InPlay(..) | Base::At(_) | Base::OnAdjacent(..) | Base::Attached(_) => true,
            Base::Inner(inner) | Base::While(inner, ..) | Base::Until(inner, ..) => inner.base.gives_pieces(),
            Base::On(_) | Base::InPlayOf(..) => true,
            Base::Made(made) => made.gives_pieces(),
            Base::Cells(_) | Base::FreeCells(_) | Base::Adjacent(..) | Base::AdjacentToAll(..) => false,
            Base::Neighbours(_) | Base::Line { .. } | Base::Connected(..) | Base::Directions(_) => false,
            Base::DirectionsFrom(_) => false,
            Base::One(_) | Base::Resources(_) | Base::Seats | Base::Others(_) | Base::Team(_) => false,
            Base::Round(..) => false,
        }
    }

    pub(super) fn new(rules: &Ruleset, set: &Set) -> Base {
        let source = |expr: &Expr| Source::new(rules, expr);
        match set {
            Set::Zone(zone) => Base::Zone(ZoneSource::new(rules, zone)),
            Set::InPlay { kind, owner: Some(owner) } if rules.facts.has_owner_vars => {
                Base::InPlayOf(*kind, source(owner))
            }
            Set::InPlay { kind, owner } => Base::InPlay(*kind, owner.as_deref().map(source)),
            Set::Cells(zone) => Base::Cells(ZoneSource::new(rules, zone)),
            Set::FreeCells(zone) => Base::FreeCells(ZoneSource::new(rules, zone)),
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
            Set::Team(of) => Base::Team(source(of)),
            Set::Types(_)
            | Set::Symbols(_)
            | Set::Numbers(..)
            | Set::Listed(_)
            | Set::Named(..)
            | Set::Kept(_)
            | Set::Combined(..)
            | Set::OfEach { .. } => Base::Made(Made::new(rules, set)),
            Set::Round { from, clockwise } => Base::Round(source(from), *clockwise),
            Set::Filter { .. } => Base::Inner(Box::new(Walk::new(rules, set))),
            Set::Neighbours(cell) => Base::Neighbours(Spot::new(rules, cell)),
            Set::Line(from, direction) | Set::Through(from, direction) => Base::Line {
                from: Spot::new(rules, from),
                direction: source(direction),
                whole: matches!(set, Set::Through(..)),
            },
            Set::Connected(from, within) => {
                Base::Connected(Box::new(Walk::new(rules, from)), Box::new(Walk::new(rules, within)))
            }
            Set::Directions(which) => Base::Directions(*which),
            Set::DirectionsFrom(cell) => Base::DirectionsFrom(Spot::new(rules, cell)),
            Set::While { base, it, cond } => {
                Base::While(Box::new(Walk::new(rules, base)), it.index(), truth(rules, cond))
            }
            Set::Until { base, it, cond } => {
                Base::Until(Box::new(Walk::new(rules, base)), it.index(), truth(rules, cond))
            }
            Set::AdjacentToAll(way, set) => Base::AdjacentToAll(*way, Box::new(Walk::new(rules, set))),
        }
    }
}
