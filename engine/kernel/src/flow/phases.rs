//! Phases: which comes next, whose turn it is, when a phase ends.

use rulepack_model::{ActionId, PhaseId, PromptId, Seat};
use smallvec::SmallVec;

use crate::flow::decision::{Ask, Opt};
use crate::flow::fault::Fault;
use crate::flow::frame::*;
use crate::flow::log::LogEntry;
use crate::flow::machine::{Flow, Machine, Mode};
use crate::rules::ruleset::{Order, PhaseBody, Scope, Until};
use crate::rules::shortcuts::Shortcut;
use crate::state::value::Value;

/// How often one step may go straight on from one phase to the next.
const MOST_HOPS: u8 = 6;

impl Machine<'_> {
    fn phase_mut(&mut self) -> Result<&mut PhaseFrame, Fault> {
        match self.state.top_frame_mut() {
            Some(Frame::Phase(frame)) => Ok(frame),
            _ => Err(Fault::new("no phase is at work")),
        }
    }

    pub(crate) fn step_phase(&mut self) -> Result<Flow, Fault> {
        let frame = self.phase_mut()?;
        let (phase, entered, ended) = (frame.phase, frame.entered, frame.ended);
        if ended {
            return self.leave_phase();
        }
        if !entered {
            return self.enter_phase(phase);
        }
        self.go_on_in(phase)
    }

    /// Does the next part of the phase on top.
    fn go_on_in(&mut self, phase: PhaseId) -> Result<Flow, Fault> {
        let rules = self.rules;
        match &rules.phases[phase.index()].body {
            PhaseBody::Leaf => self.leave_phase(),
            PhaseBody::Sequence { phases, times, until, counter } => {
                self.step_sequence(phases, *times, *until, *counter)
            }
            PhaseBody::Turns { turn, order, first, until } => self.step_turns(*turn, *order, *first, *until),
            PhaseBody::Menu { actions, once, prompt } => {
                if *once && self.phase_mut()?.step > 0 {
                    return self.leave_phase();
                }
                self.list_actions(phase, actions, *prompt)
            }
        }
    }

    /// Asks the player at turn what to do.
    fn list_actions(&mut self, phase: PhaseId, actions: &[ActionId], prompt: Option<PromptId>) -> Result<Flow, Fault> {
        let Some(seat) = self.state.active() else {
            return Err(Fault::new("actions are offered, but it is nobody's turn"));
        };
        let mut options = std::mem::take(&mut self.options);
        options.clear();
        if self.rules.facts.has_priorities {
            self.list_by_priority(seat, actions, &mut options);
        } else {
            for action in actions {
                self.action_options(seat, *action, false, &mut options);
            }
        }
        if options.is_empty() {
            if !actions.iter().any(|action| self.might_act(seat, *action)) {
                self.options = options;
                return self.leave_phase();
            }
            options.push(Opt::Continue);
        }
        Ok(self.ask(seat, Ask::Menu(phase, prompt), options))
    }

    /// Lists the possible actions with the highest priority, and no others.
    #[inline(never)]
    fn list_by_priority(&self, seat: Seat, actions: &[ActionId], options: &mut Vec<Opt>) {
        let priority = |action: &ActionId| self.rules.actions[action.index()].priority;
        let mut priorities: SmallVec<[u16; 4]> = actions.iter().map(priority).collect();
        priorities.sort_unstable();
        priorities.dedup();
        for highest in priorities.into_iter().rev() {
            for action in actions.iter().filter(|action| priority(action) == highest) {
                self.action_options(seat, *action, false, options);
            }
            if !options.is_empty() {
                return;
            }
        }
    }

    fn enter_phase(&mut self, phase: PhaseId) -> Result<Flow, Fault> {
        let rules = self.rules;
        let declared = &rules.phases[phase.index()];
        self.phase_mut()?.entered = true;
        if let Some(when) = declared.when
            && !self.eval().holds(when, self.state.active(), None, &[])
        {
            return self.leave_phase();
        }
        if matches!(declared.body, PhaseBody::Turns { .. }) {
            self.state.forget_passed();
        } else if !matches!(declared.body, PhaseBody::Sequence { .. }) {
            self.reset_vars(Scope::Phase(phase));
        }
        if let Some(effect) = declared.effect {
            return self.begin_program(effect, self.state.active(), None, &[]);
        }
        if !self.may_go_on() {
            return Ok(Flow::Go);
        }
        if self.rules.shortcuts.spoils(Shortcut::PhaseChains) {
            return self.leave_phase();
        }
        self.go_on_in(phase)
    }

    /// Whether a step may go straight on to the next phase: no standing rule must be checked, and the machine is not used to
    /// find a loop or to try something out.
    fn may_go_on(&self) -> bool {
        let is_short = self.rules.shortcuts.takes(Shortcut::PhaseChains);
        self.mode == Mode::Play && is_short && !self.standing_due()
    }

    /// Goes straight on with the phase on top, if [`Machine::may_go_on`] allows it.
    pub(crate) fn go_on(&mut self) -> Result<Flow, Fault> {
        let is_phase = matches!(self.state.top_frame(), Some(Frame::Phase(_)));
        if is_phase && self.may_go_on() { self.step_phase() } else { Ok(Flow::Go) }
    }

    fn leave_phase(&mut self) -> Result<Flow, Fault> {
        self.state.pop_frame();
        self.hop()
    }

    /// Goes straight on to the next phase, up to [`MOST_HOPS`] times in a step: phases may follow one another for ever, and
    /// limits are only checked between steps.
    fn hop(&mut self) -> Result<Flow, Fault> {
        if self.phase_chain >= MOST_HOPS {
            return Ok(Flow::Go);
        }
        self.phase_chain += 1;
        self.go_on()
    }

    fn step_sequence(
        &mut self,
        phases: &[PhaseId],
        times: Option<rulepack_model::ExprId>,
        until: Option<rulepack_model::ExprId>,
        counter: Option<rulepack_model::VarId>,
    ) -> Result<Flow, Fault> {
        let (phase, step, count) = {
            let frame = self.phase_mut()?;
            (frame.phase, frame.step as usize, frame.count)
        };
        if step == 0 {
            if self.rules.facts.has_elimination && count > 0 {
                self.state.bring_back(phase);
            }
            // Another round of the sequence begins, unless there were enough.
            let active = self.state.active();
            let enough = match times {
                Some(times) => i64::from(count) >= self.eval().compiled(times, active, None, &[]).int(),
                None if until.is_none() => count >= 1,
                None => false,
            };
            let reached = count > 0 && until.is_some_and(|until| self.eval().holds(until, active, None, &[]));
            if enough || reached {
                return self.leave_phase();
            }
            self.reset_vars(Scope::Phase(phase));
            if let Some(counter) = counter {
                self.set_var(counter, None, Value::Int(i64::from(count) + 1))?;
            }
            // A sequence that happens only once is logged without a number.
            if times.is_some() || until.is_some() {
                self.log.push(|| LogEntry::PhaseBegan { phase, count: count + 1 });
            }
        }
        let frame = self.phase_mut()?;
        match phases.get(step) {
            Some(child) => {
                frame.step += 1;
                let child = PhaseFrame::new(*child);
                self.state.push_frame(Frame::Phase(child));
            }
            None => {
                frame.step = 0;
                frame.count += 1;
            }
        }
        self.hop()
    }

    fn step_turns(
        &mut self,
        turn: PhaseId,
        order: Order,
        first: Option<rulepack_model::ExprId>,
        until: Until,
    ) -> Result<Flow, Fault> {
        let rules = self.rules;
        let (last, count) = {
            let frame = self.phase_mut()?;
            (frame.seat, frame.count)
        };
        if count > 0 {
            let over = match until {
                Until::AllPassed => self.eval().seats().all(|seat| self.state.has_passed(seat)),
                Until::EachOnce if self.rules.facts.has_elimination => self.each_had_a_turn(last, count)?,
                Until::EachOnce => count >= u32::from(self.rules.players),
                Until::Holds(expr) => self.eval().holds(expr, last, None, &[]),
                Until::Never => false,
            };
            if over {
                self.nobody_at_turn();
                return self.leave_phase();
            }
        }
        let next = match (order, last) {
            (Order::Script(hook), _) => self.script_seat(hook, last)?,
            (_, None) => {
                let first = first.and_then(|first| self.eval().compiled(first, None, None, &[]).seat());
                let mut order = self.seat_order(order, first);
                if self.rules.facts.has_elimination {
                    order.retain(|seat| !self.state.is_eliminated(*seat));
                }
                let first = order.first().copied();
                self.phase_mut()?.order = order;
                self.state.forget_pass_order();
                first
            }
            (_, Some(last)) => self.next_seat(last)?,
        };
        let Some(seat) = next else {
            self.nobody_at_turn();
            return self.leave_phase();
        };
        self.state.begin_turn(seat);
        self.state.forget_positions();
        self.reset_vars(Scope::Turn);
        self.log.push(|| LogEntry::TurnBegan { seat });
        let frame = self.phase_mut()?;
        frame.seat = Some(seat);
        frame.count += 1;
        self.state.push_frame(Frame::Phase(PhaseFrame::new(turn)));
        if let Some(rule) = &rules.repetition {
            let position = self.position_of_turn(rule);
            if self.state.repeats(position, rule.times) {
                self.log.push(|| LogEntry::Repeated { times: rule.times });
                return self.begin_program(rule.effect, Some(seat), None, &[]);
            }
        }
        if self.may_go_on() { self.enter_phase(turn) } else { Ok(Flow::Go) }
    }

    /// Whether every player who is not out has had a turn: nobody is left behind the last one in the order.
    #[inline(never)]
    fn each_had_a_turn(&mut self, last: Option<Seat>, count: u32) -> Result<bool, Fault> {
        let order = self.phase_mut()?.order.clone();
        let at = order.iter().position(|seat| Some(*seat) == last);
        let Some(at) = at else { return Ok(count as usize >= self.eval().seats().count()) };
        Ok(order[at + 1..].iter().all(|seat| self.state.is_eliminated(*seat)))
    }

    fn nobody_at_turn(&mut self) {
        self.state.set_active(None);
    }

    /// All players in the order in which they get their turns.
    fn seat_order(&self, order: Order, first: Option<Seat>) -> SmallVec<[Seat; 8]> {
        let players = self.rules.players;
        let first = first.unwrap_or(Seat(0));
        let clockwise = (0..players).map(|by| Seat((first.0 + by) % players));
        match order {
            Order::CounterClockwise => (0..players).map(|by| Seat((first.0 + players - by) % players)).collect(),
            Order::PassOrder => {
                let mut order: SmallVec<[Seat; 8]> = self.state.pass_order().into();
                for seat in clockwise {
                    if !order.contains(&seat) {
                        order.push(seat);
                    }
                }
                order
            }
            Order::Clockwise | Order::Script(_) => clockwise.collect(),
        }
    }

    /// The next player who has not passed; the last one again if nobody else is left.
    fn next_seat(&self, last: Seat) -> Result<Option<Seat>, Fault> {
        let Some(Frame::Phase(frame)) = self.state.top_frame() else {
            return Err(Fault::new("no phase is at work"));
        };
        let order = frame.order.as_slice();
        let mut at = order.iter().position(|seat| *seat == last).unwrap_or(0);
        for _ in order {
            at = if at + 1 < order.len() { at + 1 } else { 0 };
            let is_out = self.rules.facts.has_elimination && self.state.is_eliminated(order[at]);
            if !is_out && !self.state.has_passed(order[at]) {
                return Ok(Some(order[at]));
            }
        }
        Ok(None)
    }

    fn script_seat(&self, hook: rulepack_model::HookId, last: Option<Seat>) -> Result<Option<Seat>, Fault> {
        let value = self.host.query(self.rules, self.state, hook, last, &[])?;
        match value {
            Value::Nil => Ok(None),
            Value::Seat(seat) if seat.0 < self.rules.players => Ok(Some(seat)),
            _ => Err(Fault::new("the script did not say whose turn it is")
                .in_origin(&self.rules.hooks[hook.index()].bound_at)),
        }
    }

    pub(crate) fn answer_menu(&mut self, option: Opt) -> Result<(), Fault> {
        if option == Opt::Continue {
            self.phase_mut()?.ended = true;
            return Ok(());
        }
        let Opt::Action(action, first) = option else { return Err(Fault::new("an action was to be chosen")) };
        self.phase_mut()?.step += 1;
        let Some(seat) = self.state.active() else { return Err(Fault::new("nobody is at turn")) };
        if self.rules.actions[action.index()].free {
            self.begin_free(seat, action, first);
        } else {
            self.begin_action(seat, action, first, false);
        }
        Ok(())
    }
}
