//! What the game chose by itself because there was nothing else to choose, told for whoever wants to name it.

use rulepack_model::Seat;

use crate::flow::decision::Opt;
use crate::flow::log::LogEntry;
use crate::flow::machine::Machine;
use crate::state::value::Value;

impl Machine<'_> {
    /// Tells that a choice was made without asking. `seat` is who would have been asked, `times` how often in a row.
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
