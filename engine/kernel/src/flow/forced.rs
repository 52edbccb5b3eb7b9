//! Forced choices: what the game chose by itself because there was only one option, reported for scenarios that name
//! it.

use rulepack_model::Seat;

use crate::flow::decision::Opt;
use crate::flow::log::LogEntry;
use crate::flow::machine::Machine;
use crate::state::value::Value;

impl Machine<'_> {
    /// Reports that a choice was made without asking. `seat` is the player who would have been asked, `times` the
    /// number of times in a row.
    #[inline]
    pub(crate) fn forced(&mut self, seat: Option<Seat>, option: Opt, times: i32) {
        let state = &*self.state;
        if times > 0 {
            self.log.push(|| {
                let at = match option {
                    Opt::Value(Value::Piece(piece)) => Some(state.cell_of(piece)),
                    _ => None,
                };
                LogEntry::Forced { seat, option, at, times: times as u32 }
            });
        }
    }
}
