//! What the game chose by itself because there was nothing else to choose, told for whoever wants to name it.

use rulepack_model::Seat;

use crate::decision::Opt;
use crate::log::Event;
use crate::machine::Machine;
use crate::value::Value;

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
                Event::Forced { seat, option, at, times: times as u32 }
            });
        }
    }
}
