//! Variables, and whose turn it is.
//!
//! Every function that reads or changes a variable or the turn notes it. Which phase comes next is not decided here: see
//! `flow/phases.rs`.

use rulepack_expr::Subject;
use rulepack_model::{PieceId, Seat, VarId};

use crate::rules::ruleset::{Ruleset, Scope, Var};
use crate::state::table::State;
use crate::state::value::Value;

impl State {
    /// The index of a variable of an owner; `None` if there is no owner, or the owner has no such variable.
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

    /// The value of a variable; its start value if there is no owner.
    pub fn var(&self, rules: &Ruleset, var: VarId, owner: Option<Value>) -> Value {
        self.memo.saw_variable(var);
        Self::var_slot(rules, var, owner).map_or(rules.vars[var.index()].start, |slot| self.vars[slot])
    }

    /// Pieces that were made for a player belong to that player from the start.
    pub(super) fn claim(&mut self, rules: &Ruleset) {
        for (index, init) in rules.pieces.iter().enumerate() {
            let piece = PieceId::from(index);
            if let (Some(var), Some(owner)) = (rules.owner_var(piece), init.owner)
                && let Some(slot) = Self::var_slot(rules, var, Some(Value::Piece(piece)))
            {
                self.vars[slot] = Value::Seat(owner);
            }
        }
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

    /// Sets a variable; false if there is no owner, or the owner has no such variable.
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

    /// Puts a value into the slot of a variable, in a game that was resampled.
    pub(crate) fn put_variable(&mut self, slot: usize, value: Value) {
        if let Some(place) = self.vars.get_mut(slot) {
            *place = value;
        }
        self.memo.forget();
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

    /// The player at turn.
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
        self.count_turn();
    }

    /// One turn more has begun.
    pub(crate) fn count_turn(&mut self) {
        self.turns = self.turns.saturating_add(1);
        self.memo.turn_changed();
    }

    /// Makes it a player's turn, without counting a turn.
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

    /// Sets the players who have passed, in this order.
    pub(crate) fn set_passed(&mut self, seats: &[Seat]) {
        self.passed = seats.iter().fold(0, |all, seat| all | 1 << seat.0);
        self.pass_order = seats.iter().copied().collect();
        self.memo.turn_changed();
    }

    /// Nobody has passed any more. The order in which they did is kept: it may be the order of the next turns.
    pub(crate) fn forget_passed(&mut self) {
        self.passed = 0;
        self.memo.turn_changed();
    }

    /// The players who have passed, in this order; also after [`State::forget_passed`].
    pub(crate) fn pass_order(&self) -> &[Seat] {
        self.memo.saw_turn();
        &self.pass_order
    }

    /// Forgets the order in which players passed.
    pub(crate) fn forget_pass_order(&mut self) {
        self.pass_order.clear();
        self.memo.turn_changed();
    }
}
