//! What is going on: the stack of frames, the result for a script, positions that were visited, chance, the budget, and the
//! end of the game.
//!
//! No expression reads any of this, so nothing that is cached depends on it, and nothing is noted here. The budget is
//! counted in cells, so that expressions can use it up while they only read the state.

use crate::eval::score::Outcome;
use crate::flow::frame::Frame;
use crate::hidden::position_aliases::Disguise;
use crate::state::chance::{Chance, StreamId};
use crate::state::fuel::Fuel;
use crate::state::table::State;
use crate::state::value::{Value, ZoneIx};

impl State {
    /// What is going on, from the outermost frame to the one at work.
    #[inline(always)]
    pub(crate) fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The same, to change single frames. Their number stays.
    #[inline(always)]
    pub(crate) fn frames_mut(&mut self) -> &mut [Frame] {
        &mut self.frames
    }

    /// The number of frames.
    #[inline(always)]
    pub(crate) fn depth(&self) -> usize {
        self.frames.len()
    }

    /// The frame at work.
    #[inline(always)]
    pub(crate) fn top_frame(&self) -> Option<&Frame> {
        self.frames.last()
    }

    /// The frame at work, to be changed.
    #[inline(always)]
    pub(crate) fn top_frame_mut(&mut self) -> Option<&mut Frame> {
        self.frames.last_mut()
    }

    /// Begins something inside what is going on.
    #[inline(always)]
    pub(crate) fn push_frame(&mut self, frame: Frame) {
        self.frames.push(frame);
    }

    /// Puts something under the frames from this depth on, which came first but belong inside it.
    #[inline(always)]
    pub(crate) fn insert_frame(&mut self, depth: usize, frame: Frame) {
        self.frames.insert(depth, frame);
    }

    /// Ends what is at work.
    #[inline(always)]
    pub(crate) fn pop_frame(&mut self) -> Option<Frame> {
        self.frames.pop()
    }

    /// Ends everything from this depth on.
    pub(crate) fn truncate_frames(&mut self, depth: usize) {
        self.frames.truncate(depth);
    }

    /// Nobody looks at the pieces of a zone any longer.
    pub(super) fn forget_looks_into(&mut self, zone: ZoneIx) {
        for looks in self.frames.iter_mut().filter_map(Frame::looks_mut) {
            looks.retain(|(_, piece)| self.pieces[piece.index()].zone != zone);
        }
    }

    /// The result of the last request of a script, or of a script that has ended.
    pub(crate) fn result(&self) -> Value {
        self.result
    }

    /// The next script that is resumed gets this.
    pub(crate) fn set_result(&mut self, value: Value) {
        self.result = value;
    }

    /// The same, for the script that is resumed: it gets the result once.
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

    /// An answer was given that is no part of a free action: what was visited before no longer counts.
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

    /// Ends the game: nothing goes on any more.
    pub(crate) fn finish(&mut self, outcome: Outcome) {
        self.frames.clear();
        self.outcome = Some(outcome);
    }

    /// The budget of the present answer.
    #[inline(always)]
    pub(crate) fn fuel(&self) -> &Fuel {
        &self.fuel
    }

    /// What is left of the budget of a copy that is done with.
    pub(crate) fn into_fuel(self) -> Fuel {
        self.fuel
    }

    /// The random numbers.
    pub(crate) fn chance(&self) -> &Chance {
        &self.chance
    }

    /// Draws all that is to come from another seed; `now` is how far each stream has been drawn.
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

    /// A die with the given number of sides.
    pub(crate) fn roll(&mut self, stream: StreamId, sides: u32) -> u32 {
        if self.fixed_rolls.is_empty() {
            return self.chance.roll(stream, sides);
        }
        self.fixed_rolls.remove(0)
    }
}
