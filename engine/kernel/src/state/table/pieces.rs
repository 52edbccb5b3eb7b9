//! Pieces: where each one is, which lie on a space or on another piece; and all ways to move them.
//!
//! Every function that reads notes the zone, or the kinds of pieces in it; every function that moves a piece notes the zones
//! and kinds that have changed. The rules for moving pieces are not here: see `flow/`. The file is long because all
//! ways to move a piece stand together.

use std::hash::{Hash, Hasher};
use std::sync::Arc;

use rulepack_model::{PieceId, Seat};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::rules::facts::KindBits;
use crate::rules::ruleset::Ruleset;
use crate::state::chance::StreamId;
use crate::state::table::of_kinds::OfKinds;
use crate::state::table::{NONE, State};
use crate::state::value::{Cell, Value, ZoneIx};

/// Where a piece is and how it lies. It comes from [`State::piece`], which notes that it was read; only this folder changes
/// one.
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
    pub(super) host: u32,
    pub(super) previous: u32,
    pub(super) next: u32,
}

/// First and last piece of a zone, and how many there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Chain {
    pub(super) first: u32,
    pub(super) last: u32,
    pub(super) count: u32,
    /// The index of its first space in [`Spaces`].
    #[serde(skip)]
    cells: u32,
}

impl PieceState {
    /// A piece that is not yet in the chain of its zone.
    fn at_start(zone: ZoneIx) -> PieceState {
        PieceState { zone, at: 0, face_down: false, flipped: false, host: NONE, previous: NONE, next: NONE }
    }
}

impl Chain {
    pub(super) const EMPTY: Chain = Chain { first: NONE, last: NONE, count: 0, cells: 0 };
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

/// Counts of pieces that are asked for often. Every function that moves a piece keeps them up to date.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Spaces {
    /// The spaces of the first zone, then those of the next.
    all: Vec<Space>,
    /// How many pieces lie on each piece.
    riders: Vec<u16>,
    /// The kinds of each piece; the same in all games of the same rules.
    kinds: Arc<[KindBits]>,
}

impl Clone for Spaces {
    fn clone(&self) -> Self {
        Spaces { all: self.all.clone(), riders: self.riders.clone(), kinds: Arc::clone(&self.kinds) }
    }

    fn clone_from(&mut self, other: &Self) {
        self.all.clone_from(&other.all);
        self.riders.clone_from(&other.riders);
        if !self.is_of_same_rules(other) {
            self.kinds = Arc::clone(&other.kinds);
        }
    }
}

impl Spaces {
    /// Whether both belong to games of the same rules.
    pub(super) fn is_of_same_rules(&self, other: &Spaces) -> bool {
        Arc::ptr_eq(&self.kinds, &other.kinds)
    }
}

impl Default for Spaces {
    fn default() -> Self {
        Spaces { all: Vec::new(), riders: Vec::new(), kinds: Arc::new([]) }
    }
}

impl Hash for Spaces {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        // The other fields follow from the pieces, which are hashed themselves.
        let counts: SmallVec<[u16; 256]> =
            self.all.iter().map(|space| space.count.min(u32::from(u16::MAX)) as u16).collect();
        counts.as_slice().hash(hasher);
    }
}

impl State {
    /// Where a piece is.
    #[inline]
    pub fn piece(&self, piece: PieceId) -> &PieceState {
        let lies = &self.pieces[piece.index()];
        // A change of this piece is noted as a change of a piece of its kind in this zone.
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

    /// Notes that a piece leaves its zone or is changed in it.
    #[inline]
    fn piece_changed(&self, piece: PieceId) {
        self.memo.zone_changed(self.pieces[piece.index()].zone, self.kinds_of(piece));
    }

    /// The pieces of a zone that are of all of these kinds, from bottom to top; with no kinds, all pieces. No other function of
    /// a state is called more often.
    #[inline(always)]
    pub(crate) fn of_kinds(&self, zone: ZoneIx, kinds: u64) -> OfKinds<'_> {
        let chain = &self.zones[zone.index()];
        if kinds == 0 {
            self.memo.saw_zone(zone);
            return OfKinds { state: self, kinds, roster: None, places: 0, at: chain.first };
        }
        // One of the kinds is enough: pieces that are not of this kind are not of all kinds.
        self.memo.saw_some_of(zone, kinds & kinds.wrapping_neg());
        let walk = |visit: &mut dyn FnMut(PieceId, u64)| {
            self.chain(chain.first).for_each(|piece| visit(piece, self.kinds_of(piece)));
        };
        let roster = self.memo.roster(zone, self.zones.len(), chain.count, walk);
        let places = roster.map_or(0, |roster| roster.places(kinds));
        OfKinds { state: self, kinds, roster, places, at: chain.first }
    }

    /// Turns the back of a piece up or down.
    pub(crate) fn set_face_down(&mut self, piece: PieceId, down: bool) {
        self.pieces[piece.index()].face_down = down;
        self.piece_changed(piece);
    }

    /// Turns a piece to its second side, or back to its first.
    pub(crate) fn set_flipped(&mut self, piece: PieceId, flipped: bool) {
        self.pieces[piece.index()].flipped = flipped;
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
            // `NONE`, at the end of the chain, is no index.
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

    /// The zone of a piece, its space, and the list of spaces from the first one of that zone on.
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

    /// The index of a space in [`Spaces`].
    #[inline]
    fn place_of(&self, zone: ZoneIx, at: u16) -> usize {
        self.zones[zone.index()].cells as usize + at as usize
    }

    /// Whether the counts in [`Spaces`] are right.
    pub(crate) fn spaces_are_right(&self, rules: &Ruleset) -> bool {
        let mut counted = self.clone();
        counted.find_spaces(rules);
        counted.spaces == self.spaces
    }

    /// Puts all pieces where they start.
    pub(super) fn set_out(&mut self, rules: &Ruleset) {
        self.lay_out(rules);
        for (index, init) in rules.pieces.iter().enumerate() {
            self.pieces.push(PieceState::at_start(init.zone));
            self.link(PieceId::from(index), init.zone, false);
        }
    }

    /// Makes the empty [`Spaces`] of all zones.
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

    /// Computes [`Spaces`] for a state that was read from a file.
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

    /// Brings [`Spaces`] up to date after pieces have got other numbers.
    pub(super) fn renumber(&mut self, number: impl Fn(u32) -> u32) {
        for space in &mut self.spaces.all {
            space.only = number(space.only);
        }
        self.count_riders();
    }

    pub(super) fn set_host(&mut self, piece: PieceId, host: u32) {
        self.piece_changed(piece);
        // Readers of a piece may have asked what lies on it: that changes for the old and the new host.
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

    /// Counts a piece on a space.
    fn arrive(&mut self, piece: PieceId, zone: ZoneIx, at: u16) {
        let index = self.place_of(zone, at);
        if let Some(space) = self.spaces.all.get_mut(index) {
            space.count += 1;
            space.only = if space.count == 1 { piece.0 } else { NONE };
        }
    }

    /// No longer counts a piece on a space; it has left the chain of the zone already.
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
        // Reads of the host and of the pieces on it are noted, those of the other pieces in the zone are not: a change of what
        // lies on the host is noted as a change of the host.
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

    /// A piece and all pieces that lie on it, directly or not: each before those on it. A pile may be as high as there are
    /// pieces, so there is no recursion, and the zone is visited only once.
    pub(crate) fn with_riders(&self, piece: PieceId) -> Vec<PieceId> {
        let zone = self.pieces[piece.index()].zone;
        let rides = |rider: &PieceId| self.pieces[rider.index()].host != NONE;
        let mut riders: Vec<PieceId> = self.zone(zone).filter(rides).collect();
        // Stable: pieces on the same host keep their order.
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

    /// What it costs to find the pieces on a piece: all pieces of the zone are visited, which is quick.
    #[inline]
    pub(crate) fn effort_of_riders(&self, piece: PieceId) -> u32 {
        if self.spaces.riders[piece.index()] == 0 {
            return 0;
        }
        self.zones[self.pieces[piece.index()].zone.index()].count / 8
    }

    /// What it costs to find the pieces on a space: if there are several, all pieces of the zone are visited, which is quick.
    #[inline]
    pub(crate) fn effort_of_crowd(&self, cell: Cell) -> u32 {
        let crowd = self.crowd(cell) as u32;
        if crowd < 2 { crowd } else { crowd + self.zones[cell.zone.index()].count / 8 }
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

    /// Two pieces, neither of which lies on the other, change places with all that lies on them.
    pub(crate) fn exchange(&mut self, one: PieceId, other: PieceId) {
        let (here, there) = (self.cell_of(one), self.cell_of(other));
        let hosts = [one, other].map(|piece| self.pieces[piece.index()].host);
        let change = |piece: PieceId| match piece {
            piece if piece == one => other,
            piece if piece == other => one,
            piece => piece,
        };
        // What lies on a piece comes after it in the order of its zone; nobody asks for more.
        let is_alone = !self.has_riders(one) && !self.has_riders(other);
        let orders = [here.zone, there.zone].map(|zone| self.zone(zone).map(change).collect::<Vec<_>>());
        self.place(one, there, false);
        self.place(other, here, false);
        for (piece, host) in [(one, hosts[1]), (other, hosts[0])] {
            if host != NONE {
                self.set_host(piece, host);
            }
        }
        if is_alone {
            self.reorder(here.zone, &orders[0]);
            self.reorder(there.zone, &orders[1]);
        }
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

    /// Shuffles a zone; in a zone with spaces the pieces change places, the shape stays. Nobody knows any longer which
    /// piece is which.
    pub(crate) fn shuffle(&mut self, rules: &Ruleset, zone: ZoneIx) {
        let mut order: Vec<PieceId> = self.zone(zone).collect();
        let spaces: Vec<u16> = order.iter().map(|piece| self.piece(*piece).at).collect();
        self.chance.shuffle(StreamId::of_zone(rules, zone), rules.names_of_pieces(), &mut order);
        self.reorder(zone, &order);
        self.forget_looks_into(zone);
        self.forget_lasting_looks_into(zone);
        for (piece, at) in order.iter().zip(spaces) {
            self.pieces[piece.index()].at = at;
            self.piece_changed(*piece);
            let index = self.place_of(zone, at);
            if let Some(space) = self.spaces.all.get_mut(index).filter(|space| space.count == 1) {
                space.only = piece.0;
            }
        }
    }

    /// The owner of a piece: of the zone that it is in, or the player whom its variable `owner` names.
    pub fn owner(&self, rules: &Ruleset, piece: PieceId) -> Option<Seat> {
        self.owner_of_its_zone(rules, piece).or_else(|| self.claimed_by(rules, piece))
    }

    /// The owner of the zone that a piece is in.
    pub fn owner_of_its_zone(&self, rules: &Ruleset, piece: PieceId) -> Option<Seat> {
        rules.zone_owner(self.piece(piece).zone)
    }

    /// The player whom the variable `owner` of a piece names: its owner while it is in a zone of the table.
    pub(crate) fn claimed_by(&self, rules: &Ruleset, piece: PieceId) -> Option<Seat> {
        self.var(rules, rules.owner_var(piece)?, Some(Value::Piece(piece))).seat()
    }

    /// The pieces in play of a player: those of the player's zones, then those in zones of the table that belong to the
    /// player. Only pieces with one of these traits, if there are any.
    pub(crate) fn in_play_of<'s>(
        &'s self,
        rules: &'s Ruleset,
        seat: Seat,
        traits: u64,
    ) -> impl Iterator<Item = PieceId> + 's {
        let own = rules.play_zones[seat.index()].iter().flat_map(move |zone| self.of_kinds(*zone, traits));
        let shared = if rules.facts.has_owner_vars { rules.shared_play_zones.as_slice() } else { &[] };
        let theirs = shared.iter().flat_map(move |zone| self.of_kinds(*zone, traits));
        own.chain(theirs.filter(move |piece| self.claimed_by(rules, *piece) == Some(seat)))
    }
}
