//! What a table of a game under other rules is given when a game is carried over: see `persist/carry.rs`.

use rulepack_model::PieceId;

use crate::state::table::State;

impl State {
    /// Goes on where another game is: its chance, its turns, and who has passed. What refers to pieces or definitions is not
    /// taken.
    pub(crate) fn take_course_of(&mut self, other: &State) {
        self.chance = other.chance.clone();
        self.active = other.active;
        self.passed = other.passed;
        self.pass_order = other.pass_order.clone();
        self.turns = other.turns;
        self.fixed_rolls = other.fixed_rolls.clone();
        self.memo.turn_changed();
    }

    /// Lays a piece on another one of the same space, without moving it.
    pub(crate) fn settle(&mut self, piece: PieceId, on: PieceId) {
        self.set_host(piece, on.0);
    }
}
