//! The course of the game: the stack of frames, the result for a script, visited positions, chance, the budget, and the outcome.
//!
//! No expression reads any of this. So no cached result depends on it, and these methods note no reads and no changes. The budget
//! is kept in `Cell`s, because expressions use it up while they have only shared access to the state.

use rulepack_model::Seat;

use crate::eval::score::Outcome;
use crate::flow::frame::Frame;
use crate::hidden::position_aliases::Disguise;
use crate::rules::ruleset::Ruleset;
use crate::state::chance::{Chance, StreamId};
use crate::state::fuel::Fuel;
use crate::state::table::State;
use crate::state::value::{Value, ZoneIx};

impl State {
    /// The stack of frames: the first is the outermost, the last is running.
    #[inline(always)]
    pub(crate) fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The stack of frames, to change single ones, but not their number.
    #[inline(always)]
    pub(crate) fn frames_mut(&mut self) -> &mut [Frame] {
        &mut self.frames
    }

    /// The number of frames.
    #[inline(always)]
    pub(crate) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The running frame: the one on top of the stack.
    #[inline(always)]
    pub(crate) fn top_frame(&self) -> Option<&Frame> {
        self.frames.last()
    }

    /// The running frame, to change it.
    #[inline(always)]
    pub(crate) fn top_frame_mut(&mut self) -> Option<&mut Frame> {
        self.frames.last_mut()
    }

    /// All players in the order of the turns that are taken, or clockwise if none are; from a player on, if one is named.
    pub fn turn_order(&self, rules: &Ruleset, first: Option<Seat>) -> Vec<Seat> {
        let order_of = |frame: &Frame| match frame {
            Frame::Phase(phase) => Some(phase.order.to_vec()).filter(|order| !order.is_empty()),
            Frame::Action(_) | Frame::Run(_) | Frame::Transfer(_) | Frame::Event(_) => None,
            Frame::Script(_) | Frame::Ask(_) | Frame::Pause(_) => None,
        };
        let turns = self.frames.iter().rev().find_map(order_of);
        let mut order = turns.unwrap_or_else(|| rules.seats().collect());
        let from = order.iter().position(|seat| Some(*seat) == first).unwrap_or(0);
        order.rotate_left(from);
        if rules.facts.has_elimination {
            order.retain(|seat| !self.is_eliminated(*seat));
        }
        order
    }

    /// Puts a frame on top of the stack.
    #[inline(always)]
    pub(crate) fn push_frame(&mut self, frame: Frame) {
        self.frames.push(frame);
    }

    /// Inserts a frame below the frames from index `depth` on: they were pushed earlier, but run inside it.
    #[inline(always)]
    pub(crate) fn insert_frame(&mut self, depth: usize, frame: Frame) {
        self.frames.insert(depth, frame);
    }

    /// Removes the running frame.
    #[inline(always)]
    pub(crate) fn pop_frame(&mut self) -> Option<Frame> {
        self.frames.pop()
    }

    /// Removes all frames from index `depth` on.
    pub(crate) fn truncate_frames(&mut self, depth: usize) {
        self.frames.truncate(depth);
    }

    /// Ends every look at pieces of a zone.
    pub(super) fn forget_looks_into(&mut self, zone: ZoneIx) {
        for looks in self.frames.iter_mut().filter_map(Frame::looks_mut) {
            looks.retain(|(_, piece)| self.pieces[piece.index()].zone != zone);
        }
    }

    /// The result of the last request of a script, or of a script that has ended.
    pub(crate) fn result(&self) -> Value {
        self.result
    }

    /// Sets the result for the next script that is resumed.
    pub(crate) fn set_result(&mut self, value: Value) {
        self.result = value;
    }

    /// Takes the result for the script that is resumed; it gets the result once.
    pub(crate) fn take_result(&mut self) -> Value {
        std::mem::take(&mut self.result)
    }

    /// The positions since the last answer that was not part of a free action, as hashes.
    pub(crate) fn visited_positions(&self) -> &[u64] {
        &self.visited_positions
    }

    /// Notes that a position has been visited.
    pub(crate) fn note_position(&mut self, position: u64) {
        self.visited_positions.push(position);
    }

    /// Forgets the visited positions, because an answer was given that is not part of a free action.
    pub(crate) fn forget_positions(&mut self) {
        self.visited_positions.clear();
    }

    /// In a resampled game: the numbers that the pieces have in the visited positions.
    pub(crate) fn disguise(&self) -> &Disguise {
        &self.disguise
    }

    /// The result, once the game is over.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// Whether the game is over.
    #[inline(always)]
    pub(crate) fn is_over(&self) -> bool {
        self.outcome.is_some()
    }

    /// Ends the game and removes all frames.
    pub(crate) fn finish(&mut self, outcome: Outcome) {
        self.frames.clear();
        self.outcome = Some(outcome);
    }

    /// The budget of the present answer.
    #[inline(always)]
    pub(crate) fn fuel(&self) -> &Fuel {
        &self.fuel
    }

    /// The remaining budget of a copy that is no longer needed.
    pub(crate) fn into_fuel(self) -> Fuel {
        self.fuel
    }

    /// The random numbers.
    pub(crate) fn chance(&self) -> &Chance {
        &self.chance
    }

    /// Takes all further draws from another seed; `now` has the number of draws from each stream.
    pub(crate) fn draw_anew(&mut self, seed: u64, now: &Chance) {
        self.chance.draw_anew(seed, now);
    }

    /// Begins all streams of random numbers again. Only to test that a save without them is noticed.
    pub(crate) fn forget_draws(&mut self) {
        self.chance.forget_draws();
    }

    /// The fixed results of the next rolls.
    pub(crate) fn fixed_rolls(&self) -> &[u32] {
        &self.fixed_rolls
    }

    /// Fixes the results of the next rolls.
    pub(crate) fn fix_rolls(&mut self, rolls: &[u32]) {
        self.fixed_rolls = rolls.into();
    }

    /// Rolls that were fixed and have not been used.
    pub fn rolls_left(&self) -> usize {
        self.fixed_rolls.len()
    }

    /// Lets rolls in secret have other results, as far as a player knows.
    pub(crate) fn chance_unknown_to(&mut self, seat: Seat, seed: u64) {
        self.chance.unknown_to(seat, seed);
    }

    /// A die of which only one player is told the result.
    pub(crate) fn roll_in_secret(&mut self, stream: StreamId, told: Option<Seat>, sides: u32) -> u32 {
        if self.fixed_rolls.is_empty() {
            return self.chance.roll_in_secret(stream, told, sides);
        }
        self.fixed_rolls.remove(0)
    }

    /// A die with the given number of sides.
    pub(crate) fn roll(&mut self, stream: StreamId, sides: u32) -> u32 {
        if self.fixed_rolls.is_empty() {
            return self.chance.roll(stream, sides);
        }
        self.fixed_rolls.remove(0)
    }
}
