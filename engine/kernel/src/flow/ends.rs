//! Ending the game, a phase or a turn; passing and rejoining; calling off an event.

use rulepack_model::{PhaseId, Seat};

use crate::eval::score::Outcome;
use crate::flow::fault::Fault;
use crate::flow::frame::*;
use crate::flow::log::LogEntry;
use crate::flow::machine::Machine;
use crate::rules::ruleset::PhaseBody;

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
        let outcome = Outcome { winners: self.eval().still_in(), sheets: self.eval().sheets() };
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
                if matches!(rules.phases[phase.phase.index()].body, PhaseBody::Turns { .. }) {
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

    /// A player is out: of the game, or until the innermost phase that repeats begins another round. If it is the player's
    /// turn, the turn ends with the effect.
    pub(crate) fn eliminate(&mut self, seat: Seat, round: bool) -> Result<(), Fault> {
        let until = if round { Some(self.repeating_phase()?) } else { None };
        if self.state.eliminate(seat, until) {
            self.log.push(|| LogEntry::Eliminated { seat, round });
        }
        if self.state.active() == Some(seat) {
            self.end_turn();
        }
        Ok(())
    }

    /// The innermost phase that goes through its parts several times.
    fn repeating_phase(&self) -> Result<PhaseId, Fault> {
        let repeats = |frame: &Frame| match frame {
            Frame::Phase(frame) => match &self.rules.phases[frame.phase.index()].body {
                PhaseBody::Sequence { times, until, .. } if times.is_some() || until.is_some() => Some(frame.phase),
                PhaseBody::Sequence { .. } | PhaseBody::Leaf | PhaseBody::Turns { .. } | PhaseBody::Menu { .. } => None,
            },
            Frame::Action(_) | Frame::Run(_) | Frame::Transfer(_) | Frame::Event(_) => None,
            Frame::Script(_) | Frame::Ask(_) | Frame::Pause(_) => None,
        };
        let found = self.state.frames().iter().rev().find_map(repeats);
        found.ok_or_else(|| {
            Fault::new("nobody can be out for the round here: no phase around this has `repeat` or `until` (leave out `for the round`)")
        })
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
