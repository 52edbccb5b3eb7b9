//! The state of a game: flat tables of small numbers, so that a copy is a few moves of memory.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rulepack_expr::Subject;
use rulepack_model::{PieceId, ResId, Seat, VarId};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::eval::score::Outcome;
use crate::flow::frame::Frame;
use crate::hidden::position_aliases::Disguise;
use crate::persist::gone::Gone;
use crate::rules::facts::KindBits;
use crate::rules::ruleset::{Ruleset, Scope, Var};
use crate::rules::shortcuts::{ORACLE, Promise};
use crate::state::cache::Memo;
use crate::state::chance::{Chance, StreamId};
use crate::state::fuel::{Fuel, ScriptBudget};
use crate::state::roster::OfKinds;
use crate::state::value::{Cell, Value, ZoneIx};

pub(crate) const NONE: u32 = u32::MAX;

/// Where a piece is and how it lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PieceState {
    /// The zone it is in.
    pub zone: ZoneIx,
    /// The space of that zone.
    pub at: u16,
    /// Whether its back is up.
    pub face_down: bool,
    /// Its side, for pieces that are turned over.
    pub flipped: bool,
    pub(crate) host: u32,
    pub(crate) previous: u32,
    pub(crate) next: u32,
}

/// First and last piece of a zone, and how many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Chain {
    pub(crate) first: u32,
    pub(crate) last: u32,
    pub(crate) count: u32,
    /// Where its spaces begin in `State::spaces`.
    #[serde(skip)]
    pub(crate) cells: u32,
}

/// How many pieces are on a space, and which, if it is only one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Space {
    count: u32,
    only: u32,
}

impl Space {
    #[inline]
    pub(crate) fn is_free(self) -> bool {
        self.count == 0
    }

    /// The piece that is alone there.
    #[inline]
    pub(crate) fn only(self) -> Option<PieceId> {
        (self.only != NONE).then_some(PieceId(self.only))
    }
}

const EMPTY: Space = Space { count: 0, only: NONE };

/// What follows from where the pieces are, and is asked often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spaces {
    /// What is on each space, zone by zone.
    all: Vec<Space>,
    /// How many pieces lie on each piece.
    riders: Vec<u16>,
    /// The kinds of each piece; the same in all games of the same rules.
    kinds: Arc<[KindBits]>,
}

impl Default for Spaces {
    fn default() -> Self {
        Spaces { all: Vec::new(), riders: Vec::new(), kinds: Arc::new([]) }
    }
}

impl Hash for Spaces {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        // The rest follows from the pieces.
        let counts: SmallVec<[u16; 256]> =
            self.all.iter().map(|space| space.count.min(u32::from(u16::MAX)) as u16).collect();
        counts.as_slice().hash(hasher);
    }
}

/// Everything that changes while a game is played.
#[derive(Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct State {
    pub(crate) chance: Chance,
    pub(crate) pieces: Vec<PieceState>,
    pub(crate) zones: Vec<Chain>,
    /// Made anew when a game is loaded.
    #[serde(skip)]
    pub(crate) spaces: Spaces,
    /// Player by player, resource by resource. Of a resource that is kept on pieces, the sum of what lies there.
    pub(crate) amounts: Vec<i32>,
    pub(crate) supply: Vec<i32>,
    /// Resources on pieces, in the slots that the ruleset gives them.
    pub(crate) held: Vec<i32>,
    pub(crate) vars: Vec<Value>,
    /// Who takes the turn.
    pub(crate) active: Option<Seat>,
    pub(crate) passed: u32,
    pub(crate) pass_order: SmallVec<[Seat; 8]>,
    /// How many turns have begun.
    pub(crate) turns: u32,
    pub(crate) frames: Vec<Frame>,
    /// What the last frame gave back.
    pub(crate) result: Value,
    /// Results of the next rolls, in order, if they are fixed.
    pub(crate) fixed_rolls: SmallVec<[u32; 4]>,
    /// Positions seen since the last step that was not free.
    #[serde(rename = "seen")]
    pub(crate) visited_positions: SmallVec<[u64; 4]>,
    /// Under which numbers the pieces stand in those positions.
    #[serde(default, skip_serializing_if = "Disguise::is_none")]
    pub(crate) disguise: Disguise,
    /// Nothing; see [`Gone`].
    #[serde(default, skip_serializing)]
    changed: Gone,
    /// Derived values as they are now.
    #[serde(skip)]
    pub(crate) memo: Memo,
    pub(crate) outcome: Option<Outcome>,
    /// How much may still be looked at before the next question.
    #[serde(skip)]
    pub(crate) fuel: Fuel,
}

impl Clone for State {
    fn clone(&self) -> Self {
        State {
            chance: self.chance.clone(),
            pieces: self.pieces.clone(),
            zones: self.zones.clone(),
            spaces: self.spaces.clone(),
            amounts: self.amounts.clone(),
            supply: self.supply.clone(),
            held: self.held.clone(),
            vars: self.vars.clone(),
            active: self.active,
            passed: self.passed,
            pass_order: self.pass_order.clone(),
            turns: self.turns,
            frames: self.frames.clone(),
            result: self.result,
            fixed_rolls: self.fixed_rolls.clone(),
            visited_positions: self.visited_positions.clone(),
            disguise: self.disguise.clone(),
            changed: Gone,
            memo: self.memo.clone(),
            outcome: self.outcome.clone(),
            fuel: self.fuel.clone(),
        }
    }

    /// As `clone`, in the memory that is there already.
    fn clone_from(&mut self, other: &Self) {
        self.chance.clone_from(&other.chance);
        self.pieces.clone_from(&other.pieces);
        self.zones.clone_from(&other.zones);
        self.spaces.all.clone_from(&other.spaces.all);
        self.spaces.riders.clone_from(&other.spaces.riders);
        if !Arc::ptr_eq(&self.spaces.kinds, &other.spaces.kinds) {
            self.spaces.kinds = Arc::clone(&other.spaces.kinds);
            // Of a game of other rules nothing is right, not even what looked at nothing.
            self.memo = Memo::default();
        }
        self.amounts.clone_from(&other.amounts);
        self.supply.clone_from(&other.supply);
        self.held.clone_from(&other.held);
        self.vars.clone_from(&other.vars);
        self.active = other.active;
        self.passed = other.passed;
        self.pass_order.clone_from(&other.pass_order);
        self.turns = other.turns;
        self.frames.clone_from(&other.frames);
        self.result = other.result;
        self.fixed_rolls.clone_from(&other.fixed_rolls);
        self.visited_positions.clone_from(&other.visited_positions);
        self.disguise.clone_from(&other.disguise);
        self.memo.clone_from(&other.memo);
        self.outcome.clone_from(&other.outcome);
        self.fuel.clone_from(&other.fuel);
    }
}

impl State {
    /// All pieces where they start, nothing begun.
    pub(crate) fn new(rules: &Ruleset, seed: u64) -> Self {
        let players = rules.players as usize;
        let chain = Chain { first: NONE, last: NONE, count: 0, cells: 0 };
        let mut state = State {
            chance: Chance::new(seed),
            pieces: Vec::with_capacity(rules.pieces.len()),
            zones: vec![chain; rules.zone_instances.len()],
            spaces: Spaces::default(),
            amounts: vec![0; players * rules.resources.len()],
            supply: rules.resources.iter().map(|resource| resource.supply.unwrap_or(0)).collect(),
            held: vec![0; rules.held_slots],
            vars: vec![Value::Nil; rules.var_slots],
            active: None,
            passed: 0,
            pass_order: SmallVec::new(),
            turns: 0,
            frames: Vec::new(),
            result: Value::Nil,
            fixed_rolls: SmallVec::new(),
            visited_positions: SmallVec::new(),
            disguise: Disguise::default(),
            changed: Gone,
            memo: Memo::default(),
            outcome: None,
            fuel: Fuel::new(rules.limits),
        };
        state.lay_out(rules);
        for (index, init) in rules.pieces.iter().enumerate() {
            state.pieces.push(PieceState {
                zone: init.zone,
                at: 0,
                face_down: false,
                flipped: false,
                host: NONE,
                previous: NONE,
                next: NONE,
            });
            state.link(PieceId::from(index), init.zone, false);
        }
        for var in &rules.vars {
            state.vars[var.base as usize..(var.base + var.slots) as usize].fill(var.start);
        }
        for seat in rules.seats() {
            for (index, resource) in rules.resources.iter().enumerate() {
                let res = ResId::from(index);
                state.add(rules, seat, res, resource.start);
                state.add_supply(rules, res, -resource.start);
            }
        }
        state
    }

    /// Notes that anything may have changed.
    pub(crate) fn touch_all(&mut self) {
        self.memo.forget();
    }

    /// Compares what a shortcut finds with what the plain way finds; `work` gives both. That costs nothing, remembers nothing,
    /// and takes nothing from what is remembered. Only with the oracle: see [`crate::rules::shortcuts`].
    #[inline(always)]
    pub(crate) fn compare<T: PartialEq + fmt::Debug>(&self, promise: &str, work: impl FnOnce() -> (T, T)) {
        if ORACLE {
            let mut both = None;
            let is_whole = self.fuel.free_of_charge(|| self.memo.unrecorded(|| both = Some(work())));
            // What is cut short says nothing: the plain way may be far longer.
            if let (true, Some((found, plain))) = (is_whole, both) {
                assert_eq!(found, plain, "{promise}");
            }
        }
    }

    // ---- pieces ----

    /// Where a piece is.
    #[inline]
    pub fn piece(&self, piece: PieceId) -> &PieceState {
        let lies = &self.pieces[piece.index()];
        // If it comes to lie otherwise, one of its kind does.
        self.memo.saw_some_of(lies.zone, self.kinds(piece).own);
        lies
    }

    #[inline]
    fn kinds(&self, piece: PieceId) -> KindBits {
        self.spaces.kinds.get(piece.index()).copied().unwrap_or(KindBits::ALL)
    }

    #[inline]
    pub(crate) fn kinds_of(&self, piece: PieceId) -> u64 {
        self.kinds(piece).all
    }

    /// Notes that a piece lies otherwise than it did, or leaves.
    #[inline]
    fn piece_changed(&self, piece: PieceId) {
        self.memo.zone_changed(self.pieces[piece.index()].zone, self.kinds_of(piece));
    }

    /// The pieces of a zone that are of all of these kinds, from bottom to top; if there are no kinds, all. Nothing is asked
    /// more often.
    #[inline(always)]
    pub(crate) fn of_kinds(&self, zone: ZoneIx, kinds: u64) -> OfKinds<'_> {
        let chain = &self.zones[zone.index()];
        if kinds == 0 {
            self.memo.saw_zone(zone);
            return OfKinds::new(self, kinds, chain.first, None);
        }
        // What is not of one of several kinds is not of all of them.
        self.memo.saw_some_of(zone, kinds & kinds.wrapping_neg());
        let walk = |visit: &mut dyn FnMut(PieceId, u64)| {
            self.chain(chain.first).for_each(|piece| visit(piece, self.kinds_of(piece)));
        };
        let roster = self.memo.roster(zone, self.zones.len(), chain.count, walk);
        OfKinds::new(self, kinds, chain.first, roster)
    }

    /// Lets a piece lie otherwise than it does.
    pub(crate) fn turn_over(&mut self, piece: PieceId, turn: impl FnOnce(&mut PieceState)) {
        turn(&mut self.pieces[piece.index()]);
        self.piece_changed(piece);
    }

    /// The space of a piece.
    #[inline]
    pub fn cell_of(&self, piece: PieceId) -> Cell {
        let state = self.piece(piece);
        Cell { zone: state.zone, at: state.at }
    }

    /// The piece that it lies on.
    pub fn host(&self, piece: PieceId) -> Option<PieceId> {
        let host = self.piece(piece).host;
        (host != NONE).then_some(PieceId(host))
    }

    /// The pieces of a zone, from bottom to top.
    #[inline]
    pub fn zone(&self, zone: ZoneIx) -> impl Iterator<Item = PieceId> + '_ {
        self.memo.saw_zone(zone);
        self.chain(self.zones[zone.index()].first)
    }

    fn chain(&self, first: u32) -> impl Iterator<Item = PieceId> + '_ {
        let mut at = first;
        std::iter::from_fn(move || {
            // There is no piece with the number that stands for none.
            let lies = self.pieces.get(at as usize)?;
            Some(PieceId(std::mem::replace(&mut at, lies.next)))
        })
    }

    /// The pieces of a zone, from top to bottom.
    pub fn zone_from_top(&self, zone: ZoneIx) -> impl Iterator<Item = PieceId> + '_ {
        self.memo.saw_zone(zone);
        let mut at = self.zones[zone.index()].last;
        std::iter::from_fn(move || {
            let lies = self.pieces.get(at as usize)?;
            Some(PieceId(std::mem::replace(&mut at, lies.previous)))
        })
    }

    /// How many pieces are in a zone.
    #[inline]
    pub fn zone_len(&self, zone: ZoneIx) -> usize {
        self.memo.saw_zone(zone);
        self.zones[zone.index()].count as usize
    }

    /// The piece on top of a zone. Of several piles, the first that is not empty counts.
    pub fn top(&self, rules: &Ruleset, zone: ZoneIx) -> Option<PieceId> {
        if !rules.zone_of(zone).layout.has_spaces() {
            return self.zone_from_top(zone).next();
        }
        let first = self.zone(zone).map(|piece| self.piece(piece).at).min()?;
        self.zone_from_top(zone).find(|piece| self.piece(*piece).at == first)
    }

    /// The pieces on a space, from bottom to top.
    pub fn pieces_at(&self, cell: Cell) -> impl Iterator<Item = PieceId> + '_ {
        let Space { count, only } = self.space(cell);
        let mut left = count;
        let mut at = if count == 1 { only } else { self.zones[cell.zone.index()].first };
        std::iter::from_fn(move || {
            while left > 0 {
                let lies = self.pieces.get(at as usize)?;
                let piece = PieceId(std::mem::replace(&mut at, lies.next));
                if lies.at == cell.at {
                    left -= 1;
                    return Some(piece);
                }
            }
            None
        })
    }

    /// The last piece on a space: the one on top.
    pub(crate) fn last_at(&self, cell: Cell) -> Option<PieceId> {
        let space = self.space(cell);
        if space.is_free() {
            return None;
        }
        space.only().or_else(|| self.zone_from_top(cell.zone).find(|piece| self.pieces[piece.index()].at == cell.at))
    }

    /// How many pieces are on a space.
    #[inline]
    pub fn crowd(&self, cell: Cell) -> usize {
        self.space(cell).count as usize
    }

    /// The first spaces of a zone, in their order.
    #[inline]
    pub(crate) fn spaces_of(&self, zone: ZoneIx, count: u16) -> &[Space] {
        self.memo.saw_zone(zone);
        let first = self.place_of(zone, 0);
        self.spaces.all.get(first..first + count as usize).unwrap_or(&[])
    }

    /// The zone of a piece, its space, and what is on all spaces from the first of that zone on.
    #[inline]
    pub(crate) fn among_spaces(&self, piece: PieceId) -> (ZoneIx, u16, &[Space]) {
        let PieceState { zone, at, .. } = self.pieces[piece.index()];
        self.memo.saw_zone(zone);
        (zone, at, self.spaces.all.get(self.place_of(zone, 0)..).unwrap_or(&[]))
    }

    #[inline]
    pub(crate) fn space(&self, cell: Cell) -> Space {
        self.memo.saw_zone(cell.zone);
        self.spaces.all.get(self.place_of(cell.zone, cell.at)).copied().unwrap_or(EMPTY)
    }

    /// Where a space is in the table of all spaces.
    #[inline]
    fn place_of(&self, zone: ZoneIx, at: u16) -> usize {
        self.zones[zone.index()].cells as usize + at as usize
    }

    /// Whether what is counted along is what lies there.
    pub(crate) fn spaces_are_right(&self, rules: &Ruleset) -> bool {
        let mut counted = self.clone();
        counted.find_spaces(rules);
        counted.spaces == self.spaces
    }

    /// Gives every zone room for counting the pieces on its spaces.
    fn lay_out(&mut self, rules: &Ruleset) {
        let mut cells = 0;
        for (index, chain) in self.zones.iter_mut().enumerate() {
            chain.cells = cells;
            cells += u32::from(rules.zone_of(ZoneIx(index as u16)).layout.cells().max(1));
        }
        self.spaces = Spaces {
            all: vec![EMPTY; cells as usize],
            riders: vec![0; rules.pieces.len()],
            kinds: rules.kinds_of_pieces(),
        };
    }

    /// Finds out anew what is on all spaces, for a state that was read from a file.
    pub(crate) fn find_spaces(&mut self, rules: &Ruleset) {
        self.lay_out(rules);
        for index in 0..self.pieces.len() {
            let PieceState { zone, at, .. } = self.pieces[index];
            self.arrive(PieceId::from(index), zone, at);
        }
        self.count_riders();
    }

    fn count_riders(&mut self) {
        self.spaces.riders.fill(0);
        for piece in &self.pieces {
            if let Some(riders) = self.spaces.riders.get_mut(piece.host as usize) {
                *riders = riders.saturating_add(1);
            }
        }
    }

    /// Notes what follows from where the pieces are when they have got other numbers.
    pub(crate) fn renumber(&mut self, number: impl Fn(u32) -> u32) {
        for space in &mut self.spaces.all {
            space.only = number(space.only);
        }
        self.count_riders();
    }

    fn set_host(&mut self, piece: PieceId, host: u32) {
        self.piece_changed(piece);
        // What lies on it is part of how a piece lies.
        let before = std::mem::replace(&mut self.pieces[piece.index()].host, host);
        for host in [before, host].into_iter().filter(|host| *host != NONE) {
            self.piece_changed(PieceId(host));
        }
        if let Some(riders) = self.spaces.riders.get_mut(before as usize) {
            *riders -= 1;
        }
        if let Some(riders) = self.spaces.riders.get_mut(host as usize) {
            *riders += 1;
        }
    }

    /// Notes that a piece is on a space.
    fn arrive(&mut self, piece: PieceId, zone: ZoneIx, at: u16) {
        let index = self.place_of(zone, at);
        if let Some(space) = self.spaces.all.get_mut(index) {
            space.count += 1;
            space.only = if space.count == 1 { piece.0 } else { NONE };
        }
    }

    /// Notes that a piece, which is no longer in the chain of the zone, is not on a space any more.
    fn depart(&mut self, zone: ZoneIx, at: u16) {
        let index = self.place_of(zone, at);
        let Some(space) = self.spaces.all.get_mut(index) else { return };
        space.count -= 1;
        let is_one = space.count == 1;
        let first = self.zones[zone.index()].first;
        let is_there = |piece: &PieceId| self.pieces[piece.index()].at == at;
        let only = if is_one { self.chain(first).find(is_there) } else { None };
        self.spaces.all[index].only = only.map_or(NONE, |piece| piece.0);
    }

    /// The pieces that lie on a piece.
    pub fn attached(&self, host: PieceId) -> impl Iterator<Item = PieceId> + '_ {
        let zone = self.piece(host).zone;
        let riders = usize::from(self.spaces.riders[host.index()]);
        let first = if riders == 0 { NONE } else { self.zones[zone.index()].first };
        // Who lies on a piece is part of how it lies; of others nothing is looked at.
        let lies_there = move |piece: &PieceId| self.pieces[piece.index()].host == host.0;
        self.chain(first).filter(lies_there).take(riders).inspect(|piece| {
            self.piece(*piece);
        })
    }

    fn unlink(&mut self, piece: PieceId) {
        self.piece_changed(piece);
        let PieceState { zone, at, previous, next, .. } = self.pieces[piece.index()];
        let chain = &mut self.zones[zone.index()];
        chain.count -= 1;
        if previous == NONE {
            chain.first = next
        } else {
            self.pieces[previous as usize].next = next
        }
        if next == NONE {
            chain.last = previous
        } else {
            self.pieces[next as usize].previous = previous
        }
        self.depart(zone, at);
    }

    fn link(&mut self, piece: PieceId, zone: ZoneIx, bottom: bool) {
        self.memo.zone_changed(zone, self.kinds_of(piece));
        self.arrive(piece, zone, self.pieces[piece.index()].at);
        let chain = &mut self.zones[zone.index()];
        chain.count += 1;
        let (previous, next) = if bottom { (NONE, chain.first) } else { (chain.last, NONE) };
        if previous == NONE {
            chain.first = piece.0
        } else {
            self.pieces[previous as usize].next = piece.0
        }
        if next == NONE {
            chain.last = piece.0
        } else {
            self.pieces[next as usize].previous = piece.0
        }
        let state = &mut self.pieces[piece.index()];
        state.zone = zone;
        state.previous = previous;
        state.next = next;
    }

    /// Moves a piece, with all that lies on it, to a space of a zone.
    pub(crate) fn place(&mut self, piece: PieceId, to: Cell, bottom: bool) {
        if self.spaces.riders[piece.index()] > 0 {
            return self.place_with_riders(piece, to, bottom);
        }
        if self.pieces[piece.index()].host != NONE {
            self.set_host(piece, NONE);
        }
        self.unlink(piece);
        self.pieces[piece.index()].at = to.at;
        self.link(piece, to.zone, bottom);
    }

    fn place_with_riders(&mut self, piece: PieceId, to: Cell, bottom: bool) {
        let with_riders = self.with_riders(piece);
        if self.pieces[piece.index()].host != NONE {
            self.set_host(piece, NONE);
        }
        for (index, piece) in with_riders.into_iter().enumerate() {
            self.unlink(piece);
            self.pieces[piece.index()].at = to.at;
            self.link(piece, to.zone, bottom && index == 0);
        }
    }

    /// A piece and all that lies on it, directly or not: each before what lies on it. A pile may be as high as there are pieces,
    /// so it is gone through without recursion, and the zone only once.
    pub(crate) fn with_riders(&self, piece: PieceId) -> Vec<PieceId> {
        let zone = self.pieces[piece.index()].zone;
        let rides = |rider: &PieceId| self.pieces[rider.index()].host != NONE;
        let mut riders: Vec<PieceId> = self.zone(zone).filter(rides).collect();
        // Stable: what lies on one piece stays in its order.
        riders.sort_by_key(|rider| self.pieces[rider.index()].host);
        let (mut with_riders, mut waiting) = (Vec::new(), vec![piece]);
        while let Some(next) = waiting.pop() {
            with_riders.push(next);
            let first = riders.partition_point(|rider| self.pieces[rider.index()].host < next.0);
            let on_it = riders[first..].iter().take_while(|rider| self.pieces[rider.index()].host == next.0);
            let before = waiting.len();
            waiting.extend(on_it);
            waiting[before..].reverse();
        }
        with_riders
    }

    /// How much it takes to find what lies on a piece: all of its zone is gone through, quickly.
    #[inline]
    pub(crate) fn effort_of_riders(&self, piece: PieceId) -> u32 {
        if self.spaces.riders[piece.index()] == 0 {
            return 0;
        }
        self.zones[self.pieces[piece.index()].zone.index()].count / 8
    }

    /// How much it takes to find the pieces on a space: if there are several, all of its zone is gone through, quickly.
    #[inline]
    pub(crate) fn effort_of_crowd(&self, cell: Cell) -> u32 {
        let crowd = self.crowd(cell) as u32;
        if crowd < 2 { crowd } else { crowd + self.zones[cell.zone.index()].count / 8 }
    }

    /// What scripts may still do until the next question.
    pub fn script_budget(&self) -> ScriptBudget {
        self.fuel.script()
    }

    /// Notes that a script goes through so many pieces or spaces; false if that is too much.
    pub fn pay_for_looking(&self, count: usize) -> bool {
        self.fuel.burn_many(count)
    }

    /// Notes what scripts have done: so much is left.
    pub fn set_script_budget(&self, left: ScriptBudget) {
        self.fuel.set_script(left);
    }

    /// Whether something lies on a piece.
    #[inline]
    pub(crate) fn has_riders(&self, piece: PieceId) -> bool {
        self.memo.saw_zone(self.pieces[piece.index()].zone);
        self.spaces.riders[piece.index()] > 0
    }

    /// Lays a piece on another one.
    pub(crate) fn lay(&mut self, piece: PieceId, on: PieceId) {
        let cell = self.cell_of(on);
        self.place(piece, cell, false);
        self.set_host(piece, on.0);
    }

    /// Whether `above` lies on `below`, directly or not.
    pub(crate) fn lies_on(&self, above: PieceId, below: PieceId) -> bool {
        let mut at = Some(above);
        while let Some(piece) = at {
            if piece == below {
                return true;
            }
            at = self.host(piece);
        }
        false
    }

    /// Puts the pieces of a list-shaped zone in the given order, from bottom to top.
    pub(crate) fn reorder(&mut self, zone: ZoneIx, order: &[PieceId]) {
        for piece in order {
            self.unlink(*piece);
            self.link(*piece, zone, false);
        }
    }

    /// Shuffles a zone; in a zone with spaces the pieces change places, the shape stays.
    pub(crate) fn shuffle(&mut self, rules: &Ruleset, zone: ZoneIx) {
        let mut order: Vec<PieceId> = self.zone(zone).collect();
        let spaces: Vec<u16> = order.iter().map(|piece| self.piece(*piece).at).collect();
        self.chance.shuffle(StreamId::of_zone(rules, zone), rules.names_of_pieces(), &mut order);
        self.reorder(zone, &order);
        for (piece, at) in order.iter().zip(spaces) {
            self.pieces[piece.index()].at = at;
            self.piece_changed(*piece);
            let index = self.place_of(zone, at);
            if let Some(space) = self.spaces.all.get_mut(index).filter(|space| space.count == 1) {
                space.only = piece.0;
            }
        }
    }

    // ---- resources ----

    /// How much a player has.
    #[inline]
    pub fn amount(&self, rules: &Ruleset, seat: Seat, res: ResId) -> i32 {
        self.memo.saw_resource(res);
        self.amounts[seat.index() * rules.resources.len() + res.index()]
    }

    pub(crate) fn add(&mut self, rules: &Ruleset, seat: Seat, res: ResId, by: i32) {
        let amount = &mut self.amounts[seat.index() * rules.resources.len() + res.index()];
        match amount.checked_add(by) {
            Some(all) => *amount = all,
            None => self.fuel.too_large(),
        }
        self.memo.resource_changed(res);
    }

    /// How much lies on a piece.
    #[inline]
    pub fn held(&self, rules: &Ruleset, piece: PieceId, res: ResId) -> i32 {
        self.memo.saw_resource(res);
        rules.held_slot(piece, res).map_or(0, |slot| self.held[slot])
    }

    pub(crate) fn add_held(&mut self, rules: &Ruleset, piece: PieceId, res: ResId, by: i32) -> bool {
        match rules.held_slot(piece, res) {
            Some(slot) => {
                match self.held[slot].checked_add(by) {
                    Some(all) => self.held[slot] = all,
                    None => self.fuel.too_large(),
                }
                self.memo.resource_changed(res);
                if let Some(keeper) = self.keeper(rules, piece, res) {
                    self.add(rules, keeper, res, by);
                }
                true
            }
            None => by == 0,
        }
    }

    /// The player who keeps a resource on a piece.
    pub(crate) fn keeper(&self, rules: &Ruleset, piece: PieceId, res: ResId) -> Option<Seat> {
        let zone = self.piece(piece).zone;
        let kept = rules.resources[res.index()].kept && rules.zone_of(zone).in_play;
        rules.zone_owner(zone).filter(|_| kept && rules.keeps(piece, res).is_some())
    }

    /// The pieces on which a player keeps a resource.
    pub fn keepers<'s>(&'s self, rules: &'s Ruleset, seat: Seat, res: ResId) -> impl Iterator<Item = PieceId> + 's {
        let zones = rules.play_zones[seat.index()].iter();
        let pieces = zones.flat_map(move |zone| self.of_kinds(*zone, rules.facts.traits.keep));
        pieces.filter(move |piece| rules.keeps(*piece, res).is_some())
    }

    /// What players keep on a piece, and on what lies on it, after it has come from another zone.
    pub(crate) fn stock_moved(&mut self, rules: &Ruleset, piece: PieceId, from: ZoneIx) {
        if !self.has_riders(piece) {
            return self.stock_of_one_moved(rules, piece, from);
        }
        for piece in self.with_riders(piece) {
            self.stock_of_one_moved(rules, piece, from);
        }
    }

    fn stock_of_one_moved(&mut self, rules: &Ruleset, piece: PieceId, from: ZoneIx) {
        let to = self.pieces[piece.index()].zone;
        let keeps = |zone: ZoneIx| rules.zone_owner(zone).filter(|_| rules.spaces(zone).in_play);
        let (before, after) = (keeps(from), keeps(to));
        if before == after {
            return;
        }
        for res in (0..rules.resources.len()).map(ResId::from) {
            if rules.resources[res.index()].kept && rules.keeps(piece, res).is_some() {
                let amount = self.held(rules, piece, res);
                if amount == 0 {
                    continue;
                }
                if let Some(seat) = before {
                    self.add(rules, seat, res, -amount);
                }
                if let Some(seat) = after {
                    self.add(rules, seat, res, amount);
                }
            }
        }
    }

    /// Adds up what players keep on their pieces, after pieces came or went.
    pub(crate) fn count_kept(&mut self, rules: &Ruleset) {
        for (res, seat) in self.kept_amounts(rules).collect::<Vec<_>>() {
            let Ok(sum) = i32::try_from(self.kept_by(rules, seat, res)) else {
                self.fuel.too_large();
                continue;
            };
            self.amounts[seat.index() * rules.resources.len() + res.index()] = sum;
            self.memo.resource_changed(res);
        }
    }

    /// Resources that lie on pieces, with each player who may have some.
    pub(crate) fn kept_amounts<'r>(&self, rules: &'r Ruleset) -> impl Iterator<Item = (ResId, Seat)> + 'r {
        let kept = (0..rules.resources.len()).map(ResId::from).filter(|res| rules.resources[res.index()].kept);
        kept.flat_map(|res| rules.seats().map(move |seat| (res, seat)))
    }

    /// How much of a resource lies on the pieces of a player.
    pub(crate) fn kept_by(&self, rules: &Ruleset, seat: Seat, res: ResId) -> i64 {
        self.keepers(rules, seat, res).map(|piece| i64::from(self.held(rules, piece, res))).sum()
    }

    /// How much is left in the supply; without limit, as much as anybody can count.
    pub fn supply(&self, rules: &Ruleset, res: ResId) -> i32 {
        match rules.resources[res.index()].supply {
            Some(_) => {
                self.memo.saw_resource(res);
                self.supply[res.index()]
            }
            None => i32::MAX,
        }
    }

    pub(crate) fn add_supply(&mut self, rules: &Ruleset, res: ResId, by: i32) {
        let is_lost = by > 0 && rules.shortcuts.breaks(Promise::Conservation);
        if rules.resources[res.index()].supply.is_some() && !is_lost {
            match self.supply[res.index()].checked_add(by) {
                Some(all) => self.supply[res.index()] = all,
                None => self.fuel.too_large(),
            }
            self.memo.resource_changed(res);
        }
    }

    /// All that exists of a resource outside an unlimited supply.
    pub fn total(&self, rules: &Ruleset, res: ResId) -> i64 {
        // What is kept on pieces is counted there.
        let seats = rules.seats().filter(|_| !rules.resources[res.index()].kept);
        let players: i64 = seats.map(|seat| i64::from(self.amount(rules, seat, res))).sum();
        let pieces: i64 =
            (0..self.pieces.len()).map(|piece| i64::from(self.held(rules, PieceId::from(piece), res))).sum();
        players + pieces + i64::from(self.supply[res.index()])
    }

    // ---- variables and turns ----

    /// Where a variable of an owner is; nowhere if the owner is not there or has no such variable.
    pub(crate) fn var_slot(rules: &Ruleset, var: VarId, owner: Option<Value>) -> Option<usize> {
        let declared = &rules.vars[var.index()];
        let offset = match (declared.subject, owner) {
            (Subject::Game, _) => 0,
            (Subject::Seat, Some(Value::Seat(seat))) => seat.index(),
            (Subject::Piece(None), Some(Value::Piece(piece))) => piece.index(),
            (Subject::Piece(Some(kind)), Some(Value::Piece(piece))) if rules.is_kind(rules.kind_of(piece), kind) => {
                if declared.by_piece {
                    piece.index()
                } else {
                    rules.pieces[piece.index()].ordinal as usize
                }
            }
            _ => return None,
        };
        Some(declared.base as usize + offset.min(declared.slots.saturating_sub(1) as usize))
    }

    /// A variable; what it starts with if its owner is not there.
    pub fn var(&self, rules: &Ruleset, var: VarId, owner: Option<Value>) -> Value {
        self.memo.saw_variable(var);
        Self::var_slot(rules, var, owner).map_or(rules.vars[var.index()].start, |slot| self.vars[slot])
    }

    /// The variables that a piece has, with their values.
    pub(crate) fn variables_of<'r>(
        &'r self,
        rules: &'r Ruleset,
        piece: PieceId,
    ) -> impl Iterator<Item = (VarId, &'r Var, Value)> {
        let owner = Some(Value::Piece(piece));
        let vars = rules.vars.iter().enumerate().filter(|(_, var)| matches!(var.subject, Subject::Piece(_)));
        vars.filter_map(move |(index, var)| {
            let id = VarId::from(index);
            Self::var_slot(rules, id, owner).map(|_| (id, var, self.var(rules, id, owner)))
        })
    }

    /// Sets a variable; says whether its owner has it.
    pub(crate) fn set_var(&mut self, rules: &Ruleset, var: VarId, owner: Option<Value>, value: Value) -> bool {
        let value = match (value, rules.vars[var.index()].range) {
            (Value::Int(n), Some((least, most))) => Value::Int(n.clamp(least, most)),
            (value, _) => value,
        };
        let slot = Self::var_slot(rules, var, owner);
        if let Some(slot) = slot {
            self.vars[slot] = value;
            self.memo.variable_changed(var);
        }
        slot.is_some()
    }

    pub(crate) fn reset_vars(&mut self, rules: &Ruleset, scope: Scope) {
        for id in rules.vars_of(scope) {
            let var = &rules.vars[id.index()];
            self.vars[var.base as usize..(var.base + var.slots) as usize].fill(var.start);
            self.memo.variable_changed(*id);
        }
    }

    /// Whether a player has passed.
    pub fn has_passed(&self, seat: Seat) -> bool {
        self.memo.saw_turn();
        self.passed & (1 << seat.0) != 0
    }

    /// Who takes the turn.
    pub fn active(&self) -> Option<Seat> {
        self.memo.saw_turn();
        self.active
    }

    /// How many turns have begun.
    pub fn turns(&self) -> u32 {
        self.memo.saw_turn();
        self.turns
    }

    /// The next turn begins: it is a player's.
    pub(crate) fn begin_turn(&mut self, seat: Seat) {
        self.set_active(Some(seat));
        self.turns += 1;
    }

    /// Says whose turn it is; nothing of a turn is begun.
    pub(crate) fn set_active(&mut self, seat: Option<Seat>) {
        self.active = seat;
        self.memo.turn_changed();
    }

    /// Notes that a player has passed, after all who have passed before.
    pub(crate) fn pass(&mut self, seat: Seat) {
        self.passed |= 1 << seat.0;
        self.pass_order.push(seat);
        self.memo.turn_changed();
    }

    /// Notes that a player who has passed takes part again.
    pub(crate) fn rejoin(&mut self, seat: Seat) {
        self.passed &= !(1 << seat.0);
        self.pass_order.retain(|passed| *passed != seat);
        self.memo.turn_changed();
    }

    /// Says who has passed, in this order.
    pub(crate) fn set_passed(&mut self, seats: &[Seat]) {
        self.passed = seats.iter().fold(0, |all, seat| all | 1 << seat.0);
        self.pass_order = seats.iter().copied().collect();
        self.memo.turn_changed();
    }

    /// Nobody has passed any more. In which order they did stays known: it may be the order of the next turns.
    pub(crate) fn forget_passed(&mut self) {
        self.passed = 0;
        self.memo.turn_changed();
    }

    /// Who has passed, in this order; also after [`State::forget_passed`].
    pub(crate) fn pass_order(&self) -> &[Seat] {
        self.memo.saw_turn();
        &self.pass_order
    }

    /// The order in which players passed counts no longer.
    pub(crate) fn forget_pass_order(&mut self) {
        self.pass_order.clear();
        self.memo.turn_changed();
    }

    /// The result, once the game is over.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// Rolls that were fixed and have not been used.
    pub fn rolls_left(&self) -> usize {
        self.fixed_rolls.len()
    }

    /// A die with the given number of sides.
    pub(crate) fn roll(&mut self, stream: StreamId, sides: u32) -> u32 {
        if self.fixed_rolls.is_empty() {
            return self.chance.roll(stream, sides);
        }
        self.fixed_rolls.remove(0)
    }

    /// The owner of a piece: of the zone that it is in.
    pub fn owner(&self, rules: &Ruleset, piece: PieceId) -> Option<Seat> {
        rules.zone_owner(self.piece(piece).zone)
    }
}

impl State {
    /// What it costs to copy or hash the state: a member of a set for so many of its numbers. A table of an ordinary size
    /// costs nothing.
    pub(crate) fn copy_cost(&self) -> usize {
        const NUMBERS: usize = 16;
        const ORDINARY: usize = 16_384;
        let numbers = 4 * self.pieces.len() + self.vars.len() + self.amounts.len() + self.held.len() + self.zones.len();
        numbers.saturating_sub(ORDINARY) / NUMBERS
    }

    /// A copy to try something out on, if it can be paid for. A copy of a copy costs more: all of them are there at once.
    pub(crate) fn paid_copy(&self) -> Option<State> {
        let copies = self.fuel.copies() + 1;
        if !self.fuel.burn_many(self.copy_cost().saturating_mul(copies as usize)) {
            return None;
        }
        let copy = self.clone();
        copy.fuel.set_copies(copies);
        Some(copy)
    }

    /// A hash of what lies on the table: pieces, resources and variables, but not what is going on. It is taken often,
    /// so it mixes whole words instead of feeding a general hasher field by field.
    pub(crate) fn position(&self) -> u64 {
        let mut mix = Mix(0x517c_c1b7_2722_0a95);
        let mut add = |piece: &PieceState| {
            let flags = u64::from(piece.face_down) | u64::from(piece.flipped) << 1;
            mix.add(u64::from(piece.zone.0) | u64::from(piece.at) << 16 | u64::from(piece.next) << 32);
            mix.add(u64::from(piece.host) | flags << 32);
        };
        if self.disguise.is_none() {
            self.pieces.iter().for_each(add);
        } else {
            let known = |piece| self.disguise.known(piece);
            for piece in self.disguise.in_order().into_iter().map(|piece| self.pieces[piece]) {
                add(&PieceState { next: known(piece.next), host: known(piece.host), ..piece });
            }
        }
        let mut add = |amount: &i32| mix.add(u64::from(amount.cast_unsigned()));
        self.amounts.iter().chain(&self.supply).for_each(&mut add);
        self.disguise.held(&self.held).for_each(add);
        self.disguise.vars(&self.vars).for_each(|var| {
            mix.add(match *var {
                Value::Nil => 0,
                Value::Int(n) => n.cast_unsigned().wrapping_mul(8) | 1,
                Value::Bool(flag) => 2 | u64::from(flag) << 8,
                Value::Res(id) => 3 | u64::from(id.0) << 8,
                Value::Sym(id) => 4 | u64::from(id.0) << 8,
                Value::Type(id) => 5 | u64::from(id.0) << 8,
                Value::Seat(id) => 6 | u64::from(id.0) << 8,
                Value::Piece(id) => 7 | u64::from(self.disguise.known(id.0)) << 8,
                Value::Cell(cell) => 8 | u64::from(cell.zone.0) << 8 | u64::from(cell.at) << 24,
            });
        });
        mix.0
    }
}

/// Multiplies and rotates: quick, the same everywhere, good enough to tell positions of one turn apart.
struct Mix(u64);

impl Mix {
    fn add(&mut self, word: u64) {
        self.0 = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
    }
}
