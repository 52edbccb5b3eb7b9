//! Small tables by piece and by zone, computed once from complete rules. A game asks for them all the time, and without them
//! each answer would go through several large tables.

use std::sync::Arc;

use rulepack_expr::{AttrId, OWNER, Op, Subject, Ty};
use rulepack_model::{EventId, KindId, PhaseId, PieceId, ResId, Seat, TypeId, ValueId, VarId};

use crate::rules::layout::{Line, LineOfSpaces};
use crate::rules::ruleset::{AttrValue, Ruleset, Scope, Var, Visibility};
use crate::rules::shortcuts::Shortcut;
use crate::rules::sorting::Places;
use crate::state::chance::names_of_pieces;
use crate::state::value::{Cell, ZoneIx};

/// The tables that [`Ruleset::prepare`] computes.
#[derive(Debug, Clone, Default)]
pub struct Facts {
    pieces: PieceFacts,
    /// The numbers by which pieces are shuffled; see `state/chance.rs`.
    piece_names: Vec<u64>,
    zones: Vec<ZoneFacts>,
    /// Row and column of every space, zone after zone.
    spots: Vec<(u16, u16)>,
    /// The attributes of all types, type after type, and how many a type has.
    attrs: Vec<Option<AttrValue>>,
    attrs_each: usize,
    /// The variables that last for a turn, and for each phase.
    turn_vars: Vec<VarId>,
    phase_vars: Vec<Vec<VarId>>,
    /// For each derived value, whether it has only a base that is computed more quickly than looked up in the cache.
    plain_values: Vec<bool>,
    pub(crate) traits: Traits,
    /// For every kind, resource by resource, the slot on a piece of that kind, counted from 1; 0 if there is none.
    slots: Vec<u32>,
    resources: usize,
    /// For every kind, the variable that names the owner of a piece in a zone of the table.
    owner_vars: Vec<Option<VarId>>,
    /// Whether there is any such variable.
    pub(crate) has_owner_vars: bool,
    /// Whether a resource is kept on pieces.
    pub(crate) has_kept: bool,
    /// Whether a variable or a resource is hidden from a player.
    pub(crate) has_secrets: bool,
    /// Whether there are free actions.
    pub(crate) has_free_actions: bool,
    /// Whether there are phases in which free actions are possible at every question.
    pub(crate) has_free_phases: bool,
    /// Whether the text of a question names something.
    pub(crate) names_in_questions: bool,
    /// Whether some actions go before others.
    pub(crate) has_priorities: bool,
    /// Whether an effect can put players out.
    pub(crate) has_elimination: bool,
    /// Whether there are zones whose pieces are shown in a sorted order.
    pub(crate) has_sorted_zones: bool,
    /// For each zone, the place of each type in that order.
    places: Vec<Places>,
}

/// The kinds of a piece, as bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KindBits {
    /// All kinds that it is of, and its traits.
    pub(crate) all: u64,
    /// The bit of its own kind; all bits if that kind has none.
    pub(crate) own: u64,
}

impl Facts {
    /// The place of each type in the order of a zone; nothing if it is not sorted.
    #[inline]
    pub(crate) fn places(&self, zone: ZoneIx) -> &[u32] {
        self.places.get(zone.index()).map_or(&[], |places| places)
    }
}

impl KindBits {
    pub(crate) const ALL: KindBits = KindBits { all: u64::MAX, own: u64::MAX };
}

/// Properties that are asked about as often as kinds. Each has a bit beside those of kinds, or 0 if no bit is left.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Traits {
    /// Pieces that listen to events or replace them.
    pub(crate) hear: u64,
    /// Pieces that modify derived values.
    pub(crate) modify: u64,
    /// Pieces on which resources are kept.
    pub(crate) keep: u64,
}

/// What is asked about pieces most often, mostly as bits. Kinds without a bit of their own are looked up in the ruleset.
#[derive(Debug, Clone, Default)]
struct PieceFacts {
    /// For each piece, a bit for each kind that it is of.
    kinds: Arc<[KindBits]>,
    /// For each piece, a bit for each derived value that it modifies.
    modifies: Vec<u64>,
    /// For each piece, a bit for each event that it listens to or replaces.
    hears: Vec<u64>,
    /// The type that it is a printing of.
    printing_of: Vec<TypeId>,
    /// The type whose name people use for it; see [`Ruleset::called`].
    called: Vec<TypeId>,
    /// For each piece, a bit for each resource that its owner keeps on it; the last bit stands for all that have no bit.
    keeps: Vec<u64>,
    /// The first of its slots for resources, and its kind.
    held: Vec<(u32, u32)>,
}

/// The spaces of a zone.
#[derive(Debug, Clone, Copy)]
pub(crate) struct ZoneFacts {
    /// The first of its spaces in the table of all spaces.
    pub(crate) first: u32,
    /// How many there are.
    pub(crate) cells: u16,
    /// How many are in a row, and in a column.
    pub(crate) columns: u16,
    pub(crate) rows: u16,
    /// How many pieces fit in.
    pub(crate) capacity: Option<u16>,
    /// Whether its pieces are in play.
    pub(crate) in_play: bool,
    /// Whether its pieces are out of the game.
    pub(crate) out_of_game: bool,
    /// Whether all players see the pieces that lie in it face up.
    pub(crate) is_open: bool,
    /// The only player who sees all pieces in it, if there is one.
    pub(crate) open_to: Option<Seat>,
}

impl ZoneFacts {
    /// The spaces of a row, a column or of all, if there is such a line.
    #[inline(always)]
    pub(crate) fn line(self, line: Line) -> Option<LineOfSpaces> {
        line.within(self.cells, self.columns, self.rows)
    }
}

/// The bit of a number, if there is one for it.
pub(crate) fn bit(number: usize) -> Option<u64> {
    (number < u64::BITS as usize).then(|| 1 << number)
}

/// The last bit stands for all values, or resources, that have none of their own.
const HIGHEST: usize = u64::BITS as usize - 1;

/// The bit of a derived value.
#[inline]
pub(crate) fn value_bit(value: ValueId) -> u64 {
    1 << value.index().min(HIGHEST)
}

/// Whether a resource shares its bit with no other.
#[inline]
pub(crate) fn has_own_bit(res: ResId) -> bool {
    res.index() < HIGHEST
}

fn bits(numbers: impl Iterator<Item = usize>) -> u64 {
    numbers.filter_map(bit).fold(0, |all, bit| all | bit)
}

impl Facts {
    #[inline]
    pub(crate) fn attr(&self, ty: TypeId, attr: AttrId) -> Option<AttrValue> {
        let attr = attr.0 as usize;
        if attr >= self.attrs_each {
            return None;
        }
        self.attrs[ty.index() * self.attrs_each + attr]
    }

    /// The first slot of a piece for resources, and its kind.
    #[inline]
    pub(crate) fn held(&self, piece: PieceId) -> (usize, usize) {
        let (held, kind) = self.pieces.held[piece.index()];
        (held as usize, kind as usize)
    }

    /// The slot of a resource on the pieces of a kind.
    #[inline]
    pub(crate) fn kind_slot(&self, kind: usize, res: ResId) -> Option<usize> {
        let slot = *self.slots.get(kind * self.resources + res.index())?;
        (slot as usize).checked_sub(1)
    }

    #[inline]
    pub(crate) fn called(&self, piece: PieceId) -> TypeId {
        self.pieces.called[piece.index()]
    }
}

impl Ruleset {
    /// Computes the tables; the rules must be complete.
    pub fn prepare(&mut self) {
        let mut facts = Facts::default();
        let next = |after: usize| bit(self.kinds.len() + after).unwrap_or(0);
        facts.traits = Traits { hear: next(0), modify: next(1), keep: next(2) };
        let traits = facts.traits;
        let of_types: Vec<[u64; 3]> = self
            .types
            .iter()
            .map(|ty| {
                let kinds = (0..self.kinds.len()).filter(|kind| self.is_kind(ty.kind, KindId::from(*kind)));
                let modifies = ty.modifies.iter().map(|modifier| modifier.value.index().min(HIGHEST));
                let hears = ty.listens.iter().chain(&ty.replaces).map(|hook| hook.event.index());
                [bits(kinds), bits(modifies), bits(hears)]
            })
            .collect();
        let mut all_kinds = Vec::with_capacity(self.pieces.len());
        for piece in &self.pieces {
            let [kinds, modifies, hears] = of_types[piece.ty.index()];
            let ty = &self.types[piece.ty.index()];
            let trait_of = |has: bool, bit: u64| if has { bit } else { 0 };
            all_kinds.push(KindBits {
                all: kinds
                    | trait_of(!ty.listens.is_empty() || !ty.replaces.is_empty(), traits.hear)
                    | trait_of(!ty.modifies.is_empty(), traits.modify)
                    | trait_of(ty.keeps.is_some(), traits.keep),
                own: bit(ty.kind.index()).unwrap_or(u64::MAX),
            });
            facts.pieces.modifies.push(modifies);
            facts.pieces.hears.push(hears);
            facts.pieces.held.push((piece.held, ty.kind.index() as u32));
            facts.pieces.printing_of.push(ty.printing_of);
            facts.pieces.called.push(if ty.same_name { ty.printing_of } else { piece.ty });
            let kept = ty.keeps.as_ref().map_or(&[][..], |keeps| keeps.what.members(self));
            facts.pieces.keeps.push(bits(kept.iter().map(|res| res.index().min(HIGHEST))));
        }
        facts.pieces.kinds = all_kinds.into();
        facts.piece_names = names_of_pieces(self);
        facts.resources = self.resources.len();
        for kind in &self.kinds {
            let slot = |res: usize| kind.holds.get(res).copied().flatten().map_or(0, |slot| u32::from(slot) + 1);
            facts.slots.extend((0..self.resources.len()).map(slot));
        }
        for index in 0..self.zone_instances.len() {
            let zone = self.zone_of(ZoneIx(index as u16));
            let (first, layout) = (facts.spots.len() as u32, &zone.layout);
            let (capacity, in_play, out_of_game) = (zone.capacity, zone.in_play, zone.out_of_game);
            let (cells, columns) = (layout.cells(), layout.columns());
            let is_open = zone.visible == Visibility::All;
            let open_to = self.zone_owner(ZoneIx(index as u16)).filter(|_| zone.visible == Visibility::Owner);
            facts.zones.push(ZoneFacts {
                first,
                cells,
                columns,
                rows: layout.rows(),
                capacity,
                in_play,
                out_of_game,
                is_open,
                open_to,
            });
            facts.spots.extend((0..layout.cells().max(1)).map(|at| layout.spot(at)));
        }
        facts.attrs_each = self.types.iter().map(|ty| ty.attrs.len()).max().unwrap_or(0);
        for ty in &self.types {
            facts.attrs.extend(&ty.attrs);
            facts.attrs.resize(facts.attrs.len() + facts.attrs_each - ty.attrs.len(), None);
        }
        let lasting = |scope| {
            let vars = self.vars.iter().enumerate().filter(move |(_, var)| var.scope == scope);
            vars.map(|(index, _)| VarId::from(index)).collect::<Vec<_>>()
        };
        facts.turn_vars = lasting(Scope::Turn);
        facts.phase_vars = (0..self.phases.len()).map(|phase| lasting(Scope::Phase(PhaseId::from(phase)))).collect();
        facts.plain_values = self.plain_values();
        facts.owner_vars = (0..self.kinds.len()).map(|kind| self.owner_var_of(KindId::from(kind))).collect();
        facts.has_owner_vars = facts.owner_vars.iter().any(Option::is_some);
        facts.has_kept = facts.pieces.keeps.iter().any(|keeps| *keeps != 0);
        facts.has_secrets = self.find_secrets();
        facts.has_free_actions = self.actions.iter().any(|action| action.free);
        facts.names_in_questions = self.named_in_prompts.iter().any(|named| !named.is_empty());
        facts.has_priorities = self.actions.iter().any(|action| action.priority != 0);
        let eliminates = |op: &Op| matches!(op, Op::Eliminate { .. });
        facts.has_elimination = self.programs.iter().any(|program| program.program.ops.iter().any(eliminates));
        facts.has_sorted_zones = self.zones.iter().any(|zone| !zone.sorted_by.is_empty());
        facts.has_free_phases = facts.has_free_actions && self.phases.iter().any(|phase| phase.free);
        self.facts = facts;
        if self.facts.has_sorted_zones {
            // Attributes are found in the facts.
            let zones = 0..self.zone_instances.len();
            self.facts.places = zones.map(|zone| self.places_in(ZoneIx(zone as u16))).collect();
        }
    }

    /// The variable called `owner` of a kind, or of one above it, if it names a player.
    fn owner_var_of(&self, kind: KindId) -> Option<VarId> {
        let is_it = |var: &Var| match var.subject {
            Subject::Piece(of) => var.name == OWNER && var.ty == Ty::Seat && of.is_none_or(|of| self.is_kind(kind, of)),
            Subject::Game | Subject::Seat | Subject::Space => false,
        };
        self.vars.iter().position(is_it).map(VarId::from)
    }

    /// Whether an effect can put players out.
    pub fn has_elimination(&self) -> bool {
        self.facts.has_elimination
    }

    /// Whether pieces in zones of the table may belong to players.
    pub fn has_owner_vars(&self) -> bool {
        self.facts.has_owner_vars
    }

    /// The variable that names the owner of a piece while it is in a zone of the table.
    #[inline]
    pub(crate) fn owner_var(&self, piece: PieceId) -> Option<VarId> {
        if !self.facts.has_owner_vars {
            return None;
        }
        self.facts.owner_vars[self.kind_of(piece).index()]
    }

    /// The variables of a scope, which go back to their start values together.
    #[inline]
    pub(crate) fn vars_of(&self, scope: Scope) -> &[VarId] {
        match scope {
            Scope::Turn => &self.facts.turn_vars,
            Scope::Phase(phase) => &self.facts.phase_vars[phase.index()],
            Scope::Game => &[],
        }
    }

    /// Whether a derived value has only a base that is computed more quickly than looked up in the cache.
    #[inline]
    pub(crate) fn is_plain_value(&self, value: ValueId) -> bool {
        self.facts.plain_values[value.index()] && self.shortcuts.takes(Shortcut::CompiledTexts)
    }

    /// The numbers by which pieces are shuffled.
    pub(crate) fn names_of_pieces(&self) -> &[u64] {
        &self.facts.piece_names
    }

    /// The kinds of all pieces, as bits.
    pub(crate) fn kinds_of_pieces(&self) -> Arc<[KindBits]> {
        Arc::clone(&self.facts.pieces.kinds)
    }

    /// The derived values that a piece modifies, as bits. Values without a bit of their own share the last bit.
    #[inline]
    pub(crate) fn modified_by(&self, piece: PieceId) -> u64 {
        self.facts.pieces.modifies[piece.index()]
    }

    /// The kinds that a piece is of, as bits.
    #[inline]
    pub(crate) fn kinds_of(&self, piece: PieceId) -> u64 {
        self.facts.pieces.kinds[piece.index()].all
    }

    /// Whether a piece is of a kind, or of a narrower kind that belongs to it.
    #[inline]
    pub fn piece_is(&self, piece: PieceId, kind: KindId) -> bool {
        match bit(kind.index()) {
            Some(bit) => self.kinds_of(piece) & bit != 0,
            None => self.is_kind(self.kind_of(piece), kind),
        }
    }

    /// Whether a piece may change a derived value.
    #[inline]
    pub(crate) fn may_modify(&self, piece: PieceId, value: ValueId) -> bool {
        if !self.shortcuts.takes(Shortcut::HookBits) {
            return true;
        }
        self.modified_by(piece) & value_bit(value) != 0 && !self.shortcuts.spoils(Shortcut::HookBits)
    }

    /// Whether a piece may listen to an event or replace it.
    #[inline]
    pub(crate) fn may_hear(&self, piece: PieceId, event: EventId) -> bool {
        if !self.shortcuts.takes(Shortcut::HookBits) {
            return true;
        }
        match bit(event.index()) {
            Some(_) if self.shortcuts.spoils(Shortcut::HookBits) => false,
            Some(bit) => self.facts.pieces.hears[piece.index()] & bit != 0,
            None => true,
        }
    }

    /// Whether the owner of a piece keeps resources on it.
    #[inline]
    pub(crate) fn keeps_anything(&self, piece: PieceId) -> bool {
        self.facts.pieces.keeps[piece.index()] != 0
    }

    /// Whether the owner of a piece may keep a resource on it; always right for resources with a bit of their own.
    #[inline]
    pub(crate) fn may_keep(&self, piece: PieceId, res: ResId) -> bool {
        self.facts.pieces.keeps[piece.index()] & (1 << res.index().min(HIGHEST)) != 0
    }

    /// The type of a piece; for a printing, the type that it is a printing of.
    #[inline]
    pub fn printing_of(&self, piece: PieceId) -> TypeId {
        self.facts.pieces.printing_of[piece.index()]
    }

    /// The row and column of a space, counted from 1.
    #[inline]
    pub fn spot(&self, cell: Cell) -> (u16, u16) {
        self.facts.spots[self.facts.zones[cell.zone.index()].first as usize + cell.at as usize]
    }

    /// The spaces of a zone.
    #[inline]
    pub(crate) fn spaces(&self, zone: ZoneIx) -> ZoneFacts {
        self.facts.zones[zone.index()]
    }
}
