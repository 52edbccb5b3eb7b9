//! Ending the game, a phase or a turn; passing and rejoining; calling off an event.

use rulepack_model::Seat;

use crate::eval::score::Outcome;
use crate::flow::frame::*;
use crate::flow::log::LogEntry;
use crate::flow::machine::Machine;

impl Machine<'_> {
    /// Ends the game. Without winners, the points decide who has won.
    pub(crate) fn finish(&mut self, winners: Option<Vec<Seat>>) {
        let outcome = match winners {
            Some(winners) => Outcome { winners, sheets: self.eval().sheets() },
            None => self.eval().outcome(),
        };
        self.finish_with(outcome);
    }

    fn finish_with(&mut self, outcome: Outcome) {
        // Waiting scripts will not be resumed.
        for run in self.live.drain(..) {
            self.host.forget(run);
        }
        *self.script_checkpoint = None;
        self.state.finish(outcome);
        self.log.push(|| LogEntry::GameOver);
    }

    /// Ends a game that would go round in a loop, as a draw: all players win.
    pub(crate) fn finish_drawn(&mut self, names: Vec<String>) {
        self.log.push(|| LogEntry::Looped { names });
        let outcome = Outcome { winners: self.rules.seats().collect(), sheets: self.eval().sheets() };
        self.finish_with(outcome);
    }

    pub(crate) fn end_phase(&mut self) {
        if let Some(Frame::Phase(phase)) =
            self.state.frames_mut().iter_mut().rev().find(|frame| matches!(frame, Frame::Phase(_)))
        {
            phase.ended = true;
        }
    }

    /// Ends all phases inside the present turn.
    pub(crate) fn end_turn(&mut self) {
        let rules = self.rules;
        for frame in self.state.frames_mut().iter_mut().rev() {
            if let Frame::Phase(phase) = frame {
                if matches!(rules.phases[phase.phase.index()].body, crate::rules::ruleset::PhaseBody::Turns { .. }) {
                    return;
                }
                phase.ended = true;
            }
        }
    }

    pub(crate) fn pass(&mut self, seat: Seat) {
        if !self.state.has_passed(seat) {
            self.state.pass(seat);
            self.log.push(|| LogEntry::Passed { seat });
        }
        self.end_turn();
    }

    pub(crate) fn rejoin(&mut self, seat: Seat) {
        self.state.rejoin(seat);
    }

    /// Calls off the event that is happening.
    pub(crate) fn cancel(&mut self) {
        if let Some(event) = &mut self.unstacked.event {
            event.called_off = true;
            return;
        }
        let event = self.state.frames_mut().iter_mut().rev().find_map(|frame| match frame {
            Frame::Event(event) => Some(event),
            _ => None,
        });
        if let Some(event) = event {
            event.cancelled = true;
        }
    }
}
