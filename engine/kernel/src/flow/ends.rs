//! What ends: the game, a phase, a turn, a player's part in it, an event that is called off.

use rulepack_model::Seat;

use crate::eval::score::Outcome;
use crate::flow::frame::*;
use crate::flow::log::LogEntry;
use crate::flow::machine::Machine;

impl Machine<'_> {
    /// The end of the game; points decide who has won if the rules do not say it.
    pub(crate) fn finish(&mut self, winner: Option<Seat>) {
        let outcome = match winner {
            Some(winner) => Outcome { winners: vec![winner], sheets: self.eval().sheets() },
            None => self.eval().outcome(),
        };
        self.finish_with(outcome);
    }

    fn finish_with(&mut self, outcome: Outcome) {
        // Scripts that wait are not gone on with.
        for run in self.live.drain(..) {
            self.host.forget(run);
        }
        *self.script_checkpoint = None;
        self.state.frames.clear();
        self.state.outcome = Some(outcome);
        self.log.push(|| LogEntry::GameOver);
    }

    /// The end of a game that would go round in a loop: nobody has won more than the others.
    pub(crate) fn finish_drawn(&mut self, names: Vec<String>) {
        self.log.push(|| LogEntry::Looped { names });
        let outcome = Outcome { winners: self.rules.seats().collect(), sheets: self.eval().sheets() };
        self.finish_with(outcome);
    }

    pub(crate) fn end_phase(&mut self) {
        if let Some(Frame::Phase(phase)) =
            self.state.frames.iter_mut().rev().find(|frame| matches!(frame, Frame::Phase(_)))
        {
            phase.ended = true;
        }
    }

    /// Ends all phases inside the present turn.
    pub(crate) fn end_turn(&mut self) {
        let rules = self.rules;
        for frame in self.state.frames.iter_mut().rev() {
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
        let event = self.state.frames.iter_mut().rev().find_map(|frame| match frame {
            Frame::Event(event) => Some(event),
            _ => None,
        });
        if let Some(event) = event {
            event.cancelled = true;
        }
    }
}
