//! Going on with a game under changed rules: its table is rebuilt from the names of pieces, zones, spaces, resources,
//! variables and phases.
//!
//! A game can be carried over between two actions, when nothing but phases is on the stack. In the middle of an effect, the
//! effect itself may have changed. What has no place under the new rules is refused with its name, for example a card that
//! lies on the table and no longer exists.

use std::collections::BTreeMap;
use std::mem::discriminant;
use std::sync::Arc;

use rulepack_expr::Subject;
use rulepack_model::{PhaseId, PieceId, ResId, Seat, SymId, TypeId, VarId, ZoneId};

use crate::flow::fault::Fault;
use crate::flow::frame::{Frame, PhaseFrame};
use crate::flow::game::Game;
use crate::flow::host::EffectHost;
use crate::flow::log::Log;
use crate::persist::validate::check_state;
use crate::rules::ruleset::{PhaseBody, Ruleset, Visibility};
use crate::state::table::State;
use crate::state::value::{Cell, Value, ZoneIx};
use crate::text::keys::space_key;

/// Why the table of a game has no counterpart under other rules.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum CarryError {
    /// Something is running, or the game is over.
    #[error("the game is in the middle of an action")]
    Busy,
    /// Something on the table has no place.
    #[error("{0}")]
    Lost(String),
    /// The pack fails when the game goes on.
    #[error("the game cannot go on from its table: {0}")]
    Fault(#[from] Fault),
}

/// A game that goes on under other rules.
#[derive(Debug)]
pub struct Taken {
    /// The game, at its question under these rules.
    pub game: Game,
    /// The pieces that the other rules did not have: they lie where they start.
    pub new: Vec<PieceId>,
}

type Found<T> = Result<T, CarryError>;

impl Game {
    /// Whether nothing is running but phases: the next answer begins an action.
    pub fn is_between_actions(&self) -> bool {
        let frames = self.state().frames();
        let is_phase = |frame: &Frame| match frame {
            Frame::Phase(_) => true,
            Frame::Action(_) | Frame::Run(_) | Frame::Transfer(_) | Frame::Event(_) => false,
            Frame::Script(_) | Frame::Ask(_) | Frame::Pause(_) => false,
        };
        self.script_checkpoint.is_none() && !frames.is_empty() && frames.iter().all(is_phase)
    }

    /// The same table under other rules for the same number of players, found by names.
    ///
    /// # Errors
    /// If something is running, if something on the table has no place under these rules, or if the pack fails.
    pub fn taken_to(&self, rules: Arc<Ruleset>, host: &dyn EffectHost) -> Found<Taken> {
        if !self.is_between_actions() {
            return Err(CarryError::Busy);
        }
        if self.rules().players != rules.players {
            return Err(lost("the rules are for another number of players"));
        }
        let names = Names::new(self.rules(), self.state(), &rules)?;
        let state = names.table()?;
        check_state(&rules, &state).map_err(CarryError::Lost)?;
        let new = (0..rules.pieces.len()).map(PieceId::from).filter(|piece| !names.is_known(*piece)).collect();
        Ok(Taken { game: Game::begin(rules, state, host, &mut Log::default())?, new })
    }
}

fn lost(what: impl Into<String>) -> CarryError {
    CarryError::Lost(what.into())
}

/// Finds everything that a table refers to under other rules.
struct Names<'g> {
    then: &'g Ruleset,
    table: &'g State,
    now: &'g Ruleset,
    /// For each piece under the old rules, the same piece under the new ones.
    pieces: Vec<Option<PieceId>>,
}

impl<'g> Names<'g> {
    fn new(then: &'g Ruleset, table: &'g State, now: &'g Ruleset) -> Found<Names<'g>> {
        let mut names = Names { then, table, now, pieces: vec![None; then.pieces.len()] };
        let mut known = by_name(now);
        for (key, copies) in by_name(then) {
            let found = known.remove(&key).unwrap_or_default();
            let surplus = copies.len().saturating_sub(found.len());
            // Copies that nobody would miss go first, those made last before the others.
            let mut spare: Vec<PieceId> =
                copies.iter().rev().copied().filter(|piece| names.is_spare(*piece)).take(surplus).collect();
            if spare.len() < surplus {
                let zone = copies.iter().find(|piece| !names.is_spare(**piece)).map(|piece| table.piece(*piece).zone);
                let zone = zone.map_or("", |zone| &then.zone_of(zone).name);
                return Err(lost(format!("`{}` lies in `{zone}`, and there are only {} now", key.1, found.len())));
            }
            spare.sort_unstable();
            let kept = copies.into_iter().filter(|piece| spare.binary_search(piece).is_err());
            for (piece, same) in kept.zip(found) {
                names.pieces[piece.index()] = Some(same);
            }
        }
        Ok(names)
    }

    /// Whether a piece can go without being missed: nothing lies on it, it is in no player's zone, and it is out of sight or has
    /// never been moved.
    fn is_spare(&self, piece: PieceId) -> bool {
        let lies = self.table.piece(piece);
        let zone = self.then.zone_of(lies.zone);
        let is_out_of_sight = matches!(zone.visible, Visibility::None | Visibility::Top) || zone.out_of_game;
        let is_away = is_out_of_sight || lies.zone == self.then.piece(piece).zone;
        let is_bare = (0..self.then.resources.len())
            .map(ResId::from)
            .all(|resource| self.table.held(self.then, piece, resource) == 0);
        let is_alone = self.table.host(piece).is_none() && !self.table.has_riders(piece);
        is_away && is_bare && is_alone && self.then.zone_owner(lies.zone).is_none()
    }

    /// Whether a piece of the new rules was there under the old ones.
    fn is_known(&self, piece: PieceId) -> bool {
        self.pieces.contains(&Some(piece))
    }

    /// The state under the new rules.
    fn table(&self) -> Found<State> {
        let mut state = State::new(self.now, 0);
        state.take_course_of(self.table);
        self.lay_out(&mut state)?;
        self.fill(&mut state)?;
        self.set_variables(&mut state)?;
        for (seat, piece) in self.table.lasting_looks() {
            state.look_lastingly(*seat, self.piece(*piece)?);
        }
        state.set_result(self.value(self.table.result())?);
        self.push_phases(&mut state)?;
        Ok(state)
    }

    /// Puts every piece where it lies. New pieces go to the bottom of the zone where they start, or, where nobody knows the
    /// order, somewhere in between.
    fn lay_out(&self, state: &mut State) -> Found<()> {
        let mut zones: Vec<Vec<(PieceId, u16)>> = vec![Vec::new(); self.now.zone_instances.len()];
        for zone in (0..self.then.zone_instances.len()).map(|index| ZoneIx(index as u16)) {
            for piece in self.table.zone(zone) {
                let Some(same) = self.pieces[piece.index()] else { continue };
                let cell = self.cell(Cell { zone, at: self.table.piece(piece).at })?;
                zones[cell.zone.index()].push((same, cell.at));
            }
        }
        for piece in (0..self.now.pieces.len()).map(PieceId::from).filter(|piece| !self.is_known(*piece)) {
            let zone = self.now.piece(piece).zone;
            let pile = &mut zones[zone.index()];
            let at = match self.now.zone_of(zone).visible {
                Visibility::None | Visibility::Top => {
                    self.now.names_of_pieces().get(piece.index()).map_or(0, |name| name % (pile.len() as u64 + 1))
                }
                Visibility::All | Visibility::Owner => 0,
            };
            pile.insert(at as usize, (piece, 0));
        }
        for (index, pile) in zones.into_iter().enumerate() {
            for (piece, at) in pile {
                state.place(piece, Cell { zone: ZoneIx(index as u16), at }, false);
            }
        }
        for (piece, same) in self.both() {
            let lies = *self.table.piece(piece);
            state.set_face_down(same, lies.face_down);
            state.set_flipped(same, lies.flipped);
            if let Some(host) = self.table.host(piece) {
                state.settle(same, self.piece(host)?);
            }
        }
        Ok(())
    }

    /// Each piece that both have, under the old and under the new rules.
    fn both(&self) -> impl Iterator<Item = (PieceId, PieceId)> {
        self.pieces.iter().enumerate().filter_map(|(index, same)| Some((PieceId::from(index), (*same)?)))
    }

    /// Gives players, pieces and the supply what they have.
    fn fill(&self, state: &mut State) -> Found<()> {
        let (then, now) = (self.then, self.now);
        for (index, resource) in then.resources.iter().enumerate() {
            let old = ResId::from(index);
            let Some(new) = now.resources.iter().position(|other| other.name == resource.name).map(ResId::from) else {
                let on_pieces = (0..then.pieces.len()).any(|at| self.table.held(then, PieceId::from(at), old) != 0);
                if on_pieces || then.seats().any(|seat| self.table.amount(then, seat, old) != 0) {
                    return Err(lost(format!("somebody has `{}`, which does not exist any more", resource.name)));
                }
                continue;
            };
            for (piece, same) in self.both() {
                if !state.add_held(now, same, new, self.table.held(then, piece, old)) {
                    let name = &now.ty(now.type_of(same)).name;
                    return Err(lost(format!("`{}` lies on `{name}`, which cannot hold it any more", resource.name)));
                }
            }
            for seat in then.seats() {
                let by = self.table.amount(then, seat, old) - state.amount(now, seat, new);
                state.add(now, seat, new, by);
            }
            if let Some(most) = now.resource(new).supply {
                // The box has more or fewer of it than before; without a limit before, the rest of the box.
                let left = match resource.supply {
                    Some(before) => i64::from(self.table.supply(then, old)) + i64::from(most) - i64::from(before),
                    None => i64::from(most) - (state.total(now, new) - i64::from(state.supply(now, new))),
                };
                let Some(left) = i32::try_from(left).ok().filter(|left| *left >= 0) else {
                    return Err(lost(format!("more `{}` is in play than there is now: {most}", resource.name)));
                };
                state.add_supply(now, new, left - state.supply(now, new));
            }
        }
        state.count_kept(now);
        Ok(())
    }

    /// Sets the variables that both have. One that still has the start value of the old rules gets that of the new rules.
    fn set_variables(&self, state: &mut State) -> Found<()> {
        for (index, var) in self.now.vars.iter().enumerate() {
            let new = VarId::from(index);
            let is_same = |other: &crate::rules::ruleset::Var| {
                other.name == var.name && discriminant(&other.subject) == discriminant(&var.subject)
            };
            let Some(old) = self.then.vars.iter().position(is_same).map(VarId::from) else { continue };
            if discriminant(&self.then.var(old).ty) != discriminant(&var.ty) {
                return Err(lost(format!("`{}` is a variable of another type now", var.name)));
            }
            let owners: Vec<(Option<Value>, Option<Value>)> = match var.subject {
                Subject::Game | Subject::Space => vec![(None, None)],
                Subject::Seat => {
                    let seats = self.now.seats().map(|seat| Some(Value::Seat(seat)));
                    seats.map(|seat| (seat, seat)).collect()
                }
                Subject::Piece(_) => {
                    let piece = |piece| Some(Value::Piece(piece));
                    self.both().map(|(before, after)| (piece(before), piece(after))).collect()
                }
            };
            for (before, after) in owners {
                if State::var_slot(self.then, old, before).is_none() || State::var_slot(self.now, new, after).is_none()
                {
                    continue;
                }
                let value = self.table.var(self.then, old, before);
                if value != self.then.var(old).start {
                    state.set_var(self.now, new, after, self.value(value)?);
                }
            }
        }
        Ok(())
    }

    /// Puts the phases on the stack.
    fn push_phases(&self, state: &mut State) -> Found<()> {
        let mut outer: Option<PhaseId> = None;
        for frame in self.table.frames() {
            let Frame::Phase(frame) = frame else { return Err(CarryError::Busy) };
            let (then, id) = (self.then.phase(frame.phase), self.phase(frame.phase)?);
            let now = self.now.phase(id);
            let other = || lost(format!("phase `{}` consists of something else now", now.name));
            if discriminant(&then.body) != discriminant(&now.body) {
                return Err(other());
            }
            let is_inside = |outer: PhaseId| match &self.now.phase(outer).body {
                PhaseBody::Sequence { phases, .. } => phases.contains(&id),
                PhaseBody::Turns { turn, .. } => *turn == id,
                PhaseBody::Leaf | PhaseBody::Menu { .. } => false,
            };
            let is_root = outer.is_none() && self.now.root == Some(id);
            if !is_root && !outer.is_some_and(is_inside) {
                return Err(lost(format!("phase `{}` belongs to another phase now", now.name)));
            }
            let step = match (&then.body, &now.body) {
                (PhaseBody::Sequence { phases: before, .. }, PhaseBody::Sequence { phases: after, .. }) => {
                    self.part(before, after, frame.step)?
                }
                _ => frame.step,
            };
            state.push_frame(Frame::Phase(PhaseFrame { phase: id, step, ..frame.clone() }));
            outer = Some(id);
        }
        Ok(())
    }

    /// The number of the next part of a sequence: the part after the one that has begun.
    fn part(&self, before: &[PhaseId], after: &[PhaseId], step: u32) -> Found<u32> {
        let Some(last) = step.checked_sub(1).and_then(|last| before.get(last as usize)) else { return Ok(step) };
        let same = self.phase(*last)?;
        // One phase may be there several times: it is the same one of them, if there are as many.
        let number = before.iter().take(step as usize).filter(|part| *part == last).count();
        let mut places = after.iter().enumerate().filter(|(_, part)| **part == same).map(|(at, _)| at);
        match places.nth(number.saturating_sub(1)) {
            Some(at) => Ok(at as u32 + 1),
            None => Err(lost(format!("phase `{}` is not played here any more", self.then.phase(*last).name))),
        }
    }

    fn phase(&self, phase: PhaseId) -> Found<PhaseId> {
        let name = &self.then.phase(phase).name;
        let found = self.now.phases.iter().position(|other| other.name == *name);
        found.map(PhaseId::from).ok_or_else(|| lost(format!("phase `{name}` does not exist any more")))
    }

    fn piece(&self, piece: PieceId) -> Found<PieceId> {
        let name = || &self.then.ty(self.then.type_of(piece)).name;
        self.pieces[piece.index()].ok_or_else(|| lost(format!("`{}` does not exist any more", name())))
    }

    fn zone(&self, zone: ZoneIx) -> Found<ZoneIx> {
        let (old, owner) = (self.then.zone_of(zone), self.then.zone_owner(zone));
        let same = self.now.zones.iter().position(|other| other.name == old.name);
        match same.filter(|at| self.now.zones[*at].per_player == old.per_player) {
            Some(at) => Ok(self.now.zone_ix(ZoneId::from(at), owner)),
            None => Err(lost(format!("zone `{}` does not exist any more", old.name))),
        }
    }

    fn cell(&self, cell: Cell) -> Found<Cell> {
        let zone = self.zone(cell.zone)?;
        let (old, new) = (self.then.zone_of(cell.zone), self.now.zone_of(zone));
        let is_same =
            old.layout == new.layout && old.row_names == new.row_names && old.column_names == new.column_names;
        if is_same {
            return Ok(Cell { zone, at: cell.at });
        }
        if !old.layout.has_spaces() || !new.layout.has_spaces() {
            return Err(lost(format!("zone `{}` has other spaces now", new.name)));
        }
        let name = space_key(self.then, cell).unwrap_or_else(|| (u32::from(cell.at) + 1).to_string());
        match new.space_named(&name) {
            Some(at) => Ok(Cell { zone, at }),
            None => Err(lost(format!("zone `{}` has no space `{name}` any more", new.name))),
        }
    }

    fn value(&self, value: Value) -> Found<Value> {
        let gone = |what: &str, name: &str| lost(format!("a variable holds the {what} `{name}`, which is gone"));
        Ok(match value {
            Value::Nil | Value::Int(_) | Value::Bool(_) | Value::Seat(_) => value,
            Value::Res(res) => {
                let name = &self.then.resource(res).name;
                let same = self.now.resources.iter().position(|other| other.name == *name);
                Value::Res(same.map(ResId::from).ok_or_else(|| gone("resource", name))?)
            }
            Value::Sym(symbol) => {
                let name = self.then.symbol(symbol);
                let same = self.now.symbols.iter().position(|other| other == name);
                Value::Sym(same.map(SymId::from).ok_or_else(|| gone("word", name))?)
            }
            Value::Type(ty) => {
                let name = key_of_type(self.then, ty);
                let same =
                    (0..self.now.types.len()).map(TypeId::from).find(|other| key_of_type(self.now, *other) == name);
                Value::Type(same.ok_or_else(|| gone("type", name.1))?)
            }
            Value::Piece(piece) => Value::Piece(self.piece(piece)?),
            Value::Cell(cell) => Value::Cell(self.cell(cell)?),
        })
    }
}

/// Kind and name of a type: together they are unique.
fn key_of_type(rules: &Ruleset, ty: TypeId) -> (&str, &str) {
    let ty = rules.ty(ty);
    (&rules.kind(ty.kind).name, &ty.name)
}

/// All pieces of the box by kind, type, and the player who owns them at the start; each list in the order of the copies.
fn by_name(rules: &Ruleset) -> BTreeMap<(&str, &str, Option<Seat>), Vec<PieceId>> {
    let mut all: BTreeMap<_, Vec<PieceId>> = BTreeMap::new();
    for (index, piece) in rules.pieces.iter().enumerate() {
        let (kind, name) = key_of_type(rules, piece.ty);
        all.entry((kind, name, piece.owner)).or_default().push(PieceId::from(index));
    }
    all
}
