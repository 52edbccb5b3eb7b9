//! The table as a whole: for files, comparisons, positions and exchanged pieces.
//!
//! Reads through this file are not noted, so cached results must not depend on them. Expressions read through the other files
//! of this folder.

use rulepack_model::{PieceId, ResId, Seat, VarId};

use crate::hidden::position_aliases::{Disguise, Went};
use crate::hidden::resample::{Exchange, vars_of_pieces};
use crate::rules::ruleset::Ruleset;
use crate::state::table::State;
use crate::state::table::pieces::{Chain, PieceState};
use crate::state::value::Value;

/// The table as it is stored, read without a note.
pub(crate) struct Stored<'s> {
    pub(crate) pieces: &'s [PieceState],
    pub(crate) zones: &'s [Chain],
    pub(crate) amounts: &'s [i32],
    pub(crate) supply: &'s [i32],
    pub(crate) held: &'s [i32],
    pub(crate) vars: &'s [Value],
    pub(crate) active: Option<Seat>,
    /// A bit for each player who has passed.
    pub(crate) passed: u32,
    pub(crate) pass_order: &'s [Seat],
    pub(crate) turns: u32,
}

/// How a piece is linked with others, by their numbers; [`NONE`](crate::state::table::NONE) for none.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Links {
    /// The piece that it lies on.
    pub(crate) host: u32,
    /// The pieces below and above it in its zone.
    pub(crate) previous: u32,
    pub(crate) next: u32,
}

impl PieceState {
    pub(crate) fn links(&self) -> Links {
        Links { host: self.host, previous: self.previous, next: self.next }
    }
}

impl Chain {
    /// The first and the last piece of the zone, by their numbers, and how many pieces it counts.
    pub(crate) fn ends(&self) -> (u32, u32, u32) {
        (self.first, self.last, self.count)
    }
}

impl State {
    /// The table as it is stored.
    #[inline]
    pub(crate) fn stored(&self) -> Stored<'_> {
        Stored {
            pieces: &self.pieces,
            zones: &self.zones,
            amounts: &self.amounts,
            supply: &self.supply,
            held: &self.held,
            vars: &self.vars,
            active: self.active,
            passed: self.passed,
            pass_order: &self.pass_order,
            turns: self.turns,
        }
    }

    /// A copy of the state in which pieces have changed places. Resources on a piece, and its variables, belong to the place: a
    /// piece gets those of the piece whose place it takes.
    pub(crate) fn exchanged(&self, rules: &Ruleset, exchange: &Exchange) -> State {
        let mut other = self.clone();
        other.chance.exchange(exchange.places());
        for (index, piece) in self.pieces.iter().enumerate() {
            let mut piece = *piece;
            piece.host = exchange.link(piece.host);
            piece.previous = exchange.link(piece.previous);
            piece.next = exchange.link(piece.next);
            other.pieces[exchange.places()[index] as usize] = piece;
        }
        for chain in &mut other.zones {
            chain.first = exchange.link(chain.first);
            chain.last = exchange.link(chain.last);
        }
        other.renumber(|piece| exchange.link(piece));
        let on_pieces: Vec<VarId> = vars_of_pieces(rules).collect();
        let (mut held, mut vars) = (Vec::new(), Vec::new());
        for (from, to) in exchange.pairs() {
            for res in (0..rules.resources.len()).map(ResId::from) {
                let (from, to) = (rules.held_slot(from, res), rules.held_slot(to, res));
                held.push((from, to));
                if let Some(to) = to {
                    other.held[to] = from.map_or(0, |from| self.held[from]);
                }
            }
            for var in &on_pieces {
                let slot = |piece| State::var_slot(rules, *var, Some(Value::Piece(piece)));
                let (from, to) = (slot(from), slot(to));
                vars.push((from, to));
                if let Some(to) = to {
                    other.vars[to] = from.map_or(rules.vars[var.index()].start, |from| self.vars[from]);
                }
            }
        }
        let mut rename = |piece: &mut PieceId| *piece = exchange.of(*piece);
        let values = other.vars.iter_mut().chain([&mut other.result]);
        values.filter_map(|value| value.piece_mut()).for_each(&mut rename);
        other.frames.iter_mut().for_each(|frame| frame.visit_pieces(&mut rename));
        other.rename_rare(&mut rename);
        other.disguise = match other.visited_positions.is_empty() {
            true => Disguise::default(),
            false => {
                let (held, vars) = (Went::new(self.held.len(), &held), Went::new(self.vars.len(), &vars));
                self.disguise.after(exchange.places(), &held, &vars)
            }
        };
        if let Some(redrawn) = exchange.redrawn() {
            redrawn.put(rules, &mut other);
        }
        other.memo.forget();
        other
    }

    /// A hash of the table: pieces, resources and variables, but not the stack of frames. It is taken often, so it mixes whole
    /// words instead of feeding a general hasher field by field.
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
