//! Taking an action: first its parameters one after the other, then its costs, then its effect. Whether an action can be
//! taken is decided in `feasible/actions.rs`.

use std::ops::ControlFlow;

use rulepack_model::{ActionId, Seat};
use smallvec::SmallVec;

use crate::eval::expressions::{copied, slots};
use crate::flow::decision::{Ask, Opt};
use crate::flow::fault::Fault;
use crate::flow::frame::*;
use crate::flow::log::LogEntry;
use crate::flow::loops::FreeLoop;
use crate::flow::machine::{Chosen, Flow, Machine, Mode};
use crate::hidden::sight::{SeenBy, all_seen_by};
use crate::rules::ruleset::{Action, Ruleset};
use crate::rules::shortcuts::Shortcut;
use crate::state::table::State;
use crate::state::value::Value;

impl Machine<'_> {
    /// Whether a player may take a free action now: it is this player's turn, and no other free action is running.
    pub(crate) fn may_act_free(&self, seat: Seat) -> bool {
        self.state.active() == Some(seat) && !self.is_interrupted()
    }

    /// Whether a free action is running.
    pub(crate) fn is_interrupted(&self) -> bool {
        let interrupts = |frame: &Frame| matches!(frame, Frame::Action(action) if action.interrupts);
        self.rules.facts.has_free_actions && self.state.frames().iter().any(interrupts)
    }

    pub(crate) fn begin_free(&mut self, seat: Seat, action: ActionId, first: Value) {
        if self.state.visited_positions().is_empty() {
            let now = self.state.position();
            self.state.note_position(now);
        }
        self.begin_action(seat, action, first, true);
    }

    pub(crate) fn begin_action(&mut self, seat: Seat, action: ActionId, first: Value, interrupts: bool) {
        if !interrupts
            && self.mode == Mode::Play
            && self.rules.actions[action.index()].code(self.rules).is_plain
            && self.rules.shortcuts.takes(Shortcut::UnstackedActions)
        {
            self.unstacked.action = Some(Chosen { action, seat, first });
            return;
        }
        let frame = self.action_frame(Chosen { action, seat, first }, false, interrupts);
        self.state.push_frame(frame);
    }

    fn action_frame(&self, chosen: Chosen, begun: bool, interrupts: bool) -> Frame {
        let Chosen { action, seat, first } = chosen;
        let declared = &self.rules.actions[action.index()];
        let mut locals = slots(Some(seat), None, &[], declared.locals);
        let mut bound = 0;
        if !declared.params.is_empty() && first != Value::Nil {
            locals[rulepack_expr::FIRST_PARAM as usize] = first;
            bound = 1;
        }
        Frame::Action(ActionFrame { action, locals, bound, paid: 0, begun, waive_cost: false, interrupts })
    }

    // ---- actions that have only their effect left to do ----

    /// Runs the effect of the chosen action. The action gets a frame, below that of its effect, only if the effect does not
    /// end at once.
    pub(crate) fn do_chosen(&mut self) -> Result<Flow, Fault> {
        let Some(Chosen { action, seat, first }) = self.unstacked.action else { return Ok(Flow::Go) };
        let rules = self.rules;
        let declared = &rules.actions[action.index()];
        let Some(effect) = declared.effect else { return Err(Fault::new("an action without an effect")) };
        let args = if declared.params.is_empty() { &[][..] } else { std::slice::from_ref(&first) };
        self.log.push(|| {
            let seen_by = seen_of(rules, self.state, declared, args);
            LogEntry::ActionTaken { seat, action, args: SmallVec::from_slice(args), seen_by, is_told: false }
        });
        let count = declared.locals.max(rules.programs[effect.index()].program.locals);
        let flow = self.begin_with(effect, Some(seat), None, args, count)?;
        if self.unstacked.action.is_none() || !matches!(flow, Flow::Go) {
            return Ok(flow);
        }
        if !self.state.is_over() && self.standing_due() {
            // The standing rule runs on top of the stack. The action must be below it, as if it had a frame all along.
            self.push_chosen(self.state.depth(), true);
            return Ok(Flow::Go);
        }
        self.unstacked.action = None;
        self.go_on()
    }

    /// Gives the chosen action, if there is one, a frame at index `at`; returns the index above it.
    pub(crate) fn push_chosen(&mut self, at: usize, begun: bool) -> usize {
        let Some(chosen) = self.unstacked.action.take() else { return at };
        if self.rules.shortcuts.spoils(Shortcut::UnstackedActions) {
            return at;
        }
        let frame = self.action_frame(chosen, begun, false);
        self.state.insert_frame(at, frame);
        at + 1
    }

    /// Takes an action inside an effect or a script.
    pub(crate) fn perform(
        &mut self,
        seat: Seat,
        action: ActionId,
        args: &[Value],
        waive_cost: bool,
    ) -> Result<(), Fault> {
        let declared = &self.rules.actions[action.index()];
        let mut locals = slots(Some(seat), None, args, declared.locals);
        let bound = args.len().min(declared.params.len());
        if !self.eval().can_act(declared, &mut locals, bound, waive_cost) {
            return Err(Fault::new(format!("`{}` cannot be done now", declared.name)));
        }
        self.state.push_frame(Frame::Action(ActionFrame {
            action,
            locals,
            bound: bound as u16,
            paid: 0,
            begun: false,
            waive_cost,
            interrupts: false,
        }));
        Ok(())
    }

    /// Does the next steps of the action on top, until another frame is on top, a player must be asked, or a standing rule
    /// must be checked.
    pub(crate) fn step_action(&mut self) -> Result<Flow, Fault> {
        let depth = self.state.depth();
        loop {
            let flow = self.act()?;
            let is_on_top = self.state.depth() == depth && matches!(self.state.top_frame(), Some(Frame::Action(_)));
            let goes_on = is_on_top && matches!(flow, Flow::Go) && !self.state.is_over();
            let is_short = self.rules.shortcuts.takes(Shortcut::UnstackedActions);
            if !goes_on || !is_short || self.standing_due() || !self.state.fuel().burn(1) {
                return Ok(flow);
            }
        }
    }

    fn act(&mut self) -> Result<Flow, Fault> {
        let rules = self.rules;
        let Some(Frame::Action(frame)) = self.state.top_frame() else {
            return Err(Fault::new("no action is at work"));
        };
        let declared = &rules.actions[frame.action.index()];
        let Some(seat) = frame.locals[0].seat() else { return Err(Fault::new("an action without a player")) };
        let bound = frame.bound as usize;
        if let Some(param) = declared.params.get(bound) {
            let mut locals = copied(&frame.locals);
            let (action, waive_cost, interrupts) = (frame.action, frame.waive_cost, frame.interrupts);
            let mut options = Vec::new();
            let eval = self.eval();
            if eval.allows(declared, &mut locals, 0..=bound, waive_cost) {
                let _ = declared.code(rules).params[bound].each(&eval, &mut locals, |value, locals| {
                    if eval.can_go_on_with(declared, locals, bound, value, waive_cost) {
                        eval.push_distinct(Some(seat), &mut options, 0, Opt::Value(value));
                    }
                    ControlFlow::Continue(())
                });
            }
            if let [Opt::Value(only)] = options.as_slice()
                && !self.eval().choice_is_hidden(&param.set, &mut locals, 1, &[])
            {
                let only = *only;
                self.forced(Some(seat), Opt::Value(only), 1);
                self.bind_param(only)?;
                return Ok(Flow::Go);
            }
            if interrupts {
                options = self.without_circles(seat, options);
            }
            return Ok(self.ask(seat, Ask::Param(action, bound as u16, param.prompt), options));
        }
        let paid = frame.paid as usize;
        if let Some((price, to)) = declared.code(rules).costs.get(paid).filter(|_| !frame.waive_cost) {
            let mut locals = copied(&frame.locals);
            let bundle = price.bundle(&self.eval(), &mut locals);
            let to = match to {
                None => ResourceHolder::Supply,
                Some(to) => match to.get(&self.eval(), &mut locals).piece() {
                    Some(piece) => ResourceHolder::Piece(piece),
                    None => return Err(Fault::new("the cost is to go to a piece that is not there")),
                },
            };
            let action = frame.action;
            if let Some(Frame::Action(frame)) = self.state.top_frame_mut() {
                frame.paid += 1;
            }
            if paid == 0 {
                self.log.push(|| {
                    let args = parameters(declared, &locals);
                    let seen_by = seen_of(rules, self.state, declared, &args);
                    LogEntry::ActionBegan { seat, action, args, seen_by }
                });
            }
            let depth = self.state.depth();
            self.transfer(ResourceHolder::Seat(seat), to, bundle, seat, true);
            let is_short = self.rules.shortcuts.takes(Shortcut::DirectTransfers);
            if self.state.depth() > depth && is_short && !self.standing_due() {
                return self.step_transfer();
            }
            return Ok(Flow::Go);
        }
        if !frame.begun {
            let action = frame.action;
            let locals = copied(&frame.locals);
            if let Some(Frame::Action(frame)) = self.state.top_frame_mut() {
                frame.begun = true;
            }
            if let Some((var, _)) = declared.limit {
                let used = self.state.var(rules, var, Some(Value::Seat(seat))).int();
                self.set_var(var, Some(Value::Seat(seat)), Value::Int(used.saturating_add(1)))?;
            }
            self.log.push(|| {
                let args = parameters(declared, &locals);
                let seen_by = seen_of(rules, self.state, declared, &args);
                LogEntry::ActionTaken { seat, action, args, seen_by, is_told: paid > 0 }
            });
            return match declared.effect {
                Some(effect) => self.begin_program(effect, Some(seat), locals[1].piece(), &locals[2..]),
                None => Ok(Flow::Go),
            };
        }
        let (free, action) = (frame.interrupts, frame.action);
        self.state.pop_frame();
        if free {
            let now = self.state.position();
            if self.state.visited_positions().contains(&now) && self.mode != Mode::Trial {
                self.come_back(action)?;
            }
            self.state.note_position(now);
        }
        self.go_on()
    }

    /// A free action has led back to an earlier position: does what the pack says in [`FreeLoop`].
    fn come_back(&mut self, action: ActionId) -> Result<(), Fault> {
        let name = format!("action.{}", self.rules.actions[action.index()].name);
        match self.rules.loops.free {
            FreeLoop::LeaveOut => {}
            FreeLoop::Stop => {
                let message = "this leads back to where the player has been in this turn";
                return Err(Fault::new(message).in_origin(&name));
            }
            FreeLoop::Draw => self.finish_drawn(vec![name]),
        }
        Ok(())
    }

    fn bind_param(&mut self, value: Value) -> Result<(), Fault> {
        let Some(Frame::Action(frame)) = self.state.top_frame_mut() else {
            return Err(Fault::new("no action is at work"));
        };
        frame.locals[rulepack_expr::FIRST_PARAM as usize + frame.bound as usize] = value;
        frame.bound += 1;
        Ok(())
    }

    pub(crate) fn answer_param(&mut self, option: Opt) -> Result<(), Fault> {
        match option {
            Opt::Value(value) => self.bind_param(value),
            _ => Err(Fault::new("a parameter was to be chosen")),
        }
    }
}

/// The values of the parameters of an action.
fn parameters(action: &Action, locals: &[Value]) -> SmallVec<[Value; 4]> {
    locals.iter().skip(rulepack_expr::FIRST_PARAM as usize).take(action.params.len()).copied().collect()
}

/// Who sees the parameters of an action when it is taken.
fn seen_of(rules: &Ruleset, state: &State, action: &Action, args: &[Value]) -> SeenBy {
    if action.disclose { SeenBy::ALL } else { all_seen_by(rules, state, args) }
}
