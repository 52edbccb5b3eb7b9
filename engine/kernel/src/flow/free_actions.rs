//! Phases in which free actions are possible at every question of the player at turn.
//!
//! Free actions are listed with the other options. Steps that are impossible now (`may`, a way of `either`, one more of
//! several) are asked anyway as long as a free action might make them possible. A free action is not offered if the
//! question would have no answer after it.

use rulepack_model::{ActionId, Seat};

use crate::flow::decision::{Ask, Opt, Question};
use crate::flow::frame::*;
use crate::flow::machine::Machine;
use crate::lower::Step;
use crate::rules::ruleset::PhaseBody;

impl Machine<'_> {
    /// Whether a player is in the middle of a turn in which free actions are possible at any moment: the turn is not
    /// over, and no free action is running.
    pub(crate) fn is_any_moment(&self, seat: Seat) -> bool {
        let is_free = |frame: &Frame| match frame {
            Frame::Phase(phase) => self.rules.phases[phase.phase.index()].free && !phase.ended,
            Frame::Action(_) | Frame::Run(_) | Frame::Transfer(_) | Frame::Event(_) => false,
            Frame::Script(_) | Frame::Ask(_) | Frame::Pause(_) => false,
        };
        self.rules.facts.has_free_phases
            && self.state.frames().iter().any(is_free)
            && self.may_act_free(seat)
            && !self.asks_together()
    }

    /// Whether impossible steps are asked anyway, because a free action might make them possible. If no free action is
    /// possible, the only answer is taken.
    pub(crate) fn asks_anyway(&mut self, seat: Seat) -> bool {
        self.needless = self.is_any_moment(seat);
        self.needless
    }

    /// The only answer to a question that was asked for the sake of free actions, if none is possible, as everybody
    /// sees.
    pub(crate) fn only_answer(&self, seat: Seat, needless: bool) -> Option<Opt> {
        match self.options.as_slice() {
            [only] if needless && !self.might_act_free(seat) => Some(*only),
            _ => None,
        }
    }

    /// Whether free actions are possible at a question to a player.
    pub(crate) fn offers_free(&self, seat: Seat) -> bool {
        self.is_any_moment(seat) && !self.is_half_moved() || self.is_choice_with_free() && self.may_act_free(seat)
    }

    /// Whether the question on top is a choice of several `with free`.
    pub(crate) fn is_choice_with_free(&self) -> bool {
        let Some(Frame::Run(run)) = self.state.top_frame().filter(|_| self.rules.facts.has_free_actions) else {
            return false;
        };
        let steps = self.rules.programs[run.program.index()].steps(self.rules);
        matches!(steps.get(run.pc as usize), Some(Step::ChooseMore(_, more)) if more.free)
    }

    /// Adds the free actions to the options of a question.
    pub(crate) fn offer_free(&mut self, question: &Question) {
        if !self.offers_free(question.seat) {
            return;
        }
        let listed = match question.ask {
            Ask::Menu(phase, _) => match &self.rules.phases[phase.index()].body {
                PhaseBody::Menu { actions, .. } => actions.as_slice(),
                PhaseBody::Leaf | PhaseBody::Sequence { .. } | PhaseBody::Turns { .. } => &[],
            },
            // Free actions are among the options already.
            Ask::Pause => return,
            Ask::Param(..) | Ask::Choose(_) | Ask::May(_) | Ask::Either | Ask::Window(..) => &[],
            Ask::Pay(..) | Ask::Gain(..) | Ask::LeaveOut(_) | Ask::From(_) | Ask::Keep(_) => &[],
            Ask::Acknowledge(_) => &[],
        };
        if self.options.iter().any(|option| matches!(option, Opt::Free(..))) {
            return;
        }
        let mut options = std::mem::take(&mut self.options);
        for (index, action) in self.rules.actions.iter().enumerate() {
            let id = ActionId::from(index);
            if action.free && !listed.contains(&id) {
                self.action_options(question.seat, id, true, &mut options);
            }
        }
        self.options = options;
    }

    /// Whether a part of one payment or gain has moved: it is one step, and nothing comes in between.
    fn is_half_moved(&self) -> bool {
        matches!(self.state.top_frame(), Some(Frame::Transfer(transfer)) if transfer.begun)
    }
}
