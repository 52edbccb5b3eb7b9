//! Actions: which can be taken, their parameters one after the other, their costs, their effect.

use std::cell::Cell;
use std::ops::{ControlFlow, RangeInclusive};

use rulepack_model::{ActionId, PieceId, Seat};
use smallvec::SmallVec;

use crate::eval::bundle::Bundle;
use crate::eval::expressions::{Eval, Locals, copied, slots};
use crate::flow::decision::{Ask, Opt};
use crate::flow::fault::Fault;
use crate::flow::frame::*;
use crate::flow::log::LogEntry;
use crate::flow::loops::FreeLoop;
use crate::flow::machine::{Chosen, Flow, Machine, Unread};
use crate::hidden::sight::{SeenBy, all_seen_by};
use crate::lower::Source;
use crate::rules::ruleset::{Action, Ruleset, Visibility};
use crate::rules::shortcuts::Shortcut;
use crate::state::cache::{Known, Priced};
use crate::state::fuel::Culprit;
use crate::state::parts::Parts;
use crate::state::table::State;
use crate::state::value::Value;

/// How far a free action is followed to see where it leads.
const MAX_TRIAL: u32 = 6;
/// So many answers are tried for it.
const MOST_TRIALS: u32 = 1_000;

impl Eval<'_> {
    /// Whether an action can be taken and completed with the parameters known so far.
    pub fn can_act(&self, action: &Action, locals: &mut Locals, bound: usize, waive_cost: bool) -> bool {
        let begins = bound > 0 || self.can_begin(action, locals);
        begins
            && self.allows(action, locals, 0..=bound, waive_cost)
            && self.can_complete(action, locals, bound, waive_cost)
    }

    /// Whether an action can be taken as far as that is known before its parameters.
    pub(crate) fn can_begin(&self, action: &Action, locals: &mut Locals) -> bool {
        let is_left = |(var, most)| self.state.var(self.rules, var, Some(locals[0])).int() < most;
        action.limit.is_none_or(is_left) && (action.requires_after > 0 || self.requirement_holds(action, locals))
    }

    /// What is tested as soon as the parameters are known that it names, and not for all values of those that follow. Of
    /// what others may take to be possible nothing is known before all are.
    pub(crate) fn allows(
        &self,
        action: &Action,
        locals: &mut Locals,
        bound: RangeInclusive<usize>,
        waive_cost: bool,
    ) -> bool {
        let is_due = |after: u16| match self.public_view {
            true => bound.contains(&action.params.len()),
            false => bound.contains(&(after as usize)),
        };
        if action.requires_after > 0 && is_due(action.requires_after) && !self.requirement_holds(action, locals) {
            return false;
        }
        waive_cost || action.costs.is_empty() || !is_due(action.costs_after) || self.can_afford(action, locals)
    }

    fn requirement_holds(&self, action: &Action, locals: &mut Locals) -> bool {
        action.code(self.rules).requires.as_ref().is_none_or(|requires| requires(self, locals))
    }

    /// Whether what is required holds, if it is to be tested as soon as so many parameters are known.
    fn meets_requirement(&self, action: &Action, locals: &mut Locals, known: u16) -> bool {
        action.requires_after != known || self.requirement_holds(action, locals)
    }

    /// Whether there are values for the parameters that are not known.
    pub(crate) fn can_complete(&self, action: &Action, locals: &mut Locals, bound: usize, waive_cost: bool) -> bool {
        match action.params.get(bound) {
            Some(param) if self.public_view && self.choice_is_hidden(&param.set, locals, 0, &[]) => true,
            Some(_) => {
                let mut found = false;
                let visit: &mut dyn FnMut(Value, &mut Locals) -> ControlFlow<()> = &mut |value, locals| {
                    found = self.can_go_on_with(action, locals, bound, value, waive_cost);
                    if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                };
                let _ = action.code(self.rules).params[bound].each(self, locals, visit);
                found
            }
            None => action.effect.is_none_or(|effect| self.can_run_with(effect, locals)),
        }
    }

    /// Whether an action can be completed with a value for its next parameter.
    fn can_go_on_with(
        &self,
        action: &Action,
        locals: &mut Locals,
        bound: usize,
        value: Value,
        waive_cost: bool,
    ) -> bool {
        let slot = rulepack_expr::FIRST_PARAM as usize + bound;
        let kept = std::mem::replace(&mut locals[slot], value);
        let next = bound + 1;
        let can =
            self.allows(action, locals, next..=next, waive_cost) && self.can_complete(action, locals, next, waive_cost);
        locals[slot] = kept;
        can
    }

    pub(crate) fn can_afford(&self, action: &Action, locals: &mut Locals) -> bool {
        let Some(me) = locals[0].seat() else { return false };
        let costs = &action.code(self.rules).costs;
        let is_there = |to: &Source, locals: &mut Locals| to.get(self, locals).piece().is_some();
        if costs.iter().any(|(_, to)| to.as_ref().is_some_and(|to| !is_there(to, locals))) {
            return false;
        }
        match costs.as_slice() {
            [] => true,
            [(price, _)] => self.can_pay(me, &price.bundle(self, locals)),
            costs => {
                let bundles: Vec<Bundle> = costs.iter().map(|(price, _)| price.bundle(self, locals)).collect();
                self.can_pay_each(&bundles, &|res| self.state.amount(self.rules, me, res))
            }
        }
    }

    fn all_costs(&self, action: &Action, locals: &mut Locals) -> Bundle {
        let mut whole = Bundle::default();
        for (cost, _) in &action.costs {
            self.kept_in(whole.add_all(self.bundle(cost, locals)));
        }
        whole
    }

    /// What an action costs with its first parameter, as far as that is known before the others.
    pub fn price(&self, seat: Seat, action: ActionId, first: Value) -> Bundle {
        let declared = &self.rules.actions[action.index()];
        self.all_costs(declared, &mut slots(Some(seat), None, &[first], declared.locals))
    }

    /// Whether two pieces are alike in every way that can matter, so that one of them is enough to choose from.
    pub fn alike(&self, a: PieceId, b: PieceId) -> bool {
        if self.rules.called(a) != self.rules.called(b) {
            return false;
        }
        let (one, other) = (self.state.piece(a), self.state.piece(b));
        let _ = self.state.fuel.burn_many(self.rules.resources.len() / 16);
        let stands_alone = |piece| self.state.host(piece).is_none() && self.state.attached(piece).next().is_none();
        one.zone == other.zone
            && one.at == other.at
            && one.face_down == other.face_down
            && one.flipped == other.flipped
            && stands_alone(a)
            && stands_alone(b)
            && (0..self.rules.resources.len())
                .map(rulepack_model::ResId::from)
                .all(|res| self.state.held(self.rules, a, res) == self.state.held(self.rules, b, res))
            && self.have_same_variables(a, b)
            && self.are_seen_alike(a, b)
    }

    fn have_same_variables(&self, a: PieceId, b: PieceId) -> bool {
        let _ = self.state.fuel.burn_many(self.rules.vars.len() / 16);
        let values = |piece| self.state.variables_of(self.rules, piece).map(|(var, _, value)| (var, value));
        values(a).eq(values(b))
    }

    /// Whether all players see both of two pieces of one place, or not all see either. The top of a pile that shows its top
    /// is another choice than a copy of it further down: others see which one is taken.
    fn are_seen_alike(&self, a: PieceId, b: PieceId) -> bool {
        let zone = self.rules.zone_of(self.state.piece(a).zone);
        zone.visible != Visibility::Top || self.is_open(a) == self.is_open(b)
    }

    /// Leaves out pieces that are like one that is listed already, as far as the player who is asked knows.
    #[inline]
    pub fn push_distinct(&self, asked: Option<Seat>, list: &mut Vec<Opt>, start: usize, option: Opt) {
        let action_of = |option: &Opt| match option {
            Opt::Action(action, _) | Opt::Free(action, _) => Some(*action),
            _ => None,
        };
        if let Some(piece) = option.piece()
            && list.len() > start
        {
            let called = self.rules.called(piece);
            let _ = self.state.fuel.burn_many((list.len() - start) / 16);
            // Mostly another name tells them apart.
            let is_like = |known: &Opt| {
                let other = known.piece().filter(|other| self.rules.called(*other) == called);
                other.is_some_and(|other| action_of(known) == action_of(&option) && self.alike(other, piece))
            };
            if list[start..].iter().any(is_like) && asked.is_none_or(|asked| self.may_choose_by_name(asked, piece)) {
                return;
            }
        }
        list.push(option);
    }
}

impl Machine<'_> {
    /// Lists an action, once for each value of its first parameter.
    pub(crate) fn action_options(&self, seat: Seat, id: ActionId, interrupts: bool, options: &mut Vec<Opt>) {
        let action = &self.rules.actions[id.index()];
        let start = options.len();
        let place = id.index() * usize::from(self.rules.players) + seat.index();
        if interrupts {
            self.find_options(seat, id, |value| Opt::Free(id, value), options);
        } else if action.code(self.rules).is_cheap {
            self.find_options(seat, id, |value| Opt::Action(id, value), options);
        } else {
            let is_priced = action.code(self.rules).is_priced && self.rules.shortcuts.takes(Shortcut::PricedOptions);
            let find = |options: &mut Vec<Opt>| match is_priced {
                true => self.find_payable(seat, id, place, options),
                false => self.find_options(seat, id, |value| Opt::Action(id, value), options),
            };
            let known = self.state.memo.list(place, options, find);
            if known == Known::Already {
                let both = || (options[start..].to_vec(), listed(find));
                self.state.compare("options that are remembered are still right", both);
            }
            if is_priced {
                let plain = |options: &mut Vec<Opt>| {
                    self.find_options(seat, id, |value| Opt::Action(id, value), options);
                };
                let both = || (options[start..].to_vec(), listed(plain));
                self.state.compare("who can pay for an action can take it", both);
            }
        }
        if action.free && !self.trial && self.may_lead_nowhere(interrupts) {
            let mut index = start;
            while index < options.len() {
                if self.leads_somewhere(seat, options[index]) {
                    index += 1;
                } else {
                    options.remove(index);
                }
            }
        }
        self.state.fuel.blame(Culprit::Action(id));
    }

    /// Whether a free action may lead back to where the player has been, or leave what it comes between without an answer.
    pub(crate) fn may_lead_nowhere(&self, interrupts: bool) -> bool {
        !self.state.visited_positions.is_empty() || interrupts && self.might_get_stuck()
    }

    /// Finds out how an action can be begun.
    #[inline]
    fn find_options(&self, seat: Seat, id: ActionId, option: impl Fn(Value) -> Opt, options: &mut Vec<Opt>) {
        let action = &self.rules.actions[id.index()];
        let code = action.code(self.rules);
        let eval = self.eval();
        let start = options.len();
        let mut locals = slots(Some(seat), None, &[], action.locals);
        match code.params.first() {
            None => {
                if eval.can_act(action, &mut locals, 0, false) {
                    options.push(option(Value::Nil));
                }
            }
            Some(param) => {
                let begins = code.begins_always
                    || eval.can_begin(action, &mut locals) && eval.allows(action, &mut locals, 0..=0, false);
                if begins {
                    let shortcuts = self.rules.shortcuts;
                    if code.certain
                        && shortcuts.takes(Shortcut::FreeCells)
                        && param.cells(&eval, &mut locals, |cell| options.push(option(Value::Cell(cell))))
                    {
                        if shortcuts.spoils(Shortcut::FreeCells) {
                            options.pop();
                        }
                        return;
                    }
                    let _ = param.each(&eval, &mut locals, |value, locals| {
                        let possible = code.certain || eval.can_go_on_with(action, locals, 0, value, false);
                        match value {
                            _ if !possible => {}
                            Value::Piece(_) => eval.push_distinct(Some(seat), options, start, option(value)),
                            _ => options.push(option(value)),
                        }
                        ControlFlow::Continue(())
                    });
                }
            }
        }
    }

    /// The same for an action whose price is known with its first parameter: what can be begun changes less often than who
    /// can pay for it.
    fn find_payable(&self, seat: Seat, id: ActionId, place: usize, options: &mut Vec<Opt>) {
        let action = &self.rules.actions[id.index()];
        let code = action.code(self.rules);
        let eval = self.eval();
        let (start, first) = (options.len(), rulepack_expr::FIRST_PARAM as usize);
        let mut locals = slots(Some(seat), None, &[], action.locals);
        let ([param, ..], [(price, None)]) = (code.params.as_slice(), code.costs.as_slice()) else { return };
        let find = |list: &mut Priced| {
            let mut locals = slots(Some(seat), None, &[], action.locals);
            if eval.can_begin(action, &mut locals) {
                let _ = param.each(&eval, &mut locals, |value, locals| {
                    let kept = std::mem::replace(&mut locals[first], value);
                    if eval.meets_requirement(action, locals, 1) {
                        list.push((value, price.bundle(&eval, locals)));
                    }
                    locals[first] = kept;
                    ControlFlow::Continue(())
                });
            }
        };
        self.state.memo.with_candidates(place, find, |list, known| {
            if known == Known::Already {
                self.state.compare("prices that are remembered are still right", || (list.clone(), listed(find)));
            }
            for (value, bundle) in list {
                if !eval.can_pay(seat, bundle) && !self.rules.shortcuts.spoils(Shortcut::PricedOptions) {
                    continue;
                }
                locals[first] = *value;
                if eval.can_complete(action, &mut locals, 1, false) {
                    eval.push_distinct(Some(seat), options, start, Opt::Action(id, *value));
                }
            }
        });
    }

    /// Whether a player may do something free now: at turn, and not in the middle of something else that is free.
    pub(crate) fn may_act_free(&self, seat: Seat) -> bool {
        self.state.active == Some(seat) && !self.is_interrupted()
    }

    /// Whether something free is being done.
    pub(crate) fn is_interrupted(&self) -> bool {
        let interrupts = |frame: &Frame| matches!(frame, Frame::Action(action) if action.interrupts);
        self.rules.facts.has_free_actions && self.state.frames.iter().any(interrupts)
    }

    /// Lists all free actions of the player at turn.
    pub(crate) fn free_options(&self, seat: Seat, options: &mut Vec<Opt>) {
        if !self.may_act_free(seat) {
            return;
        }
        for (index, action) in self.rules.actions.iter().enumerate() {
            if action.free {
                self.action_options(seat, ActionId::from(index), true, options);
            }
        }
    }

    pub(crate) fn begin_free(&mut self, seat: Seat, action: ActionId, first: Value) {
        if self.state.visited_positions.is_empty() {
            let now = self.state.position();
            self.state.visited_positions.push(now);
        }
        self.begin_action(seat, action, first, true);
    }

    pub(crate) fn begin_action(&mut self, seat: Seat, action: ActionId, first: Value, interrupts: bool) {
        if !interrupts
            && !self.trial
            && !self.stacked
            && self.rules.actions[action.index()].code(self.rules).is_plain
            && self.rules.shortcuts.takes(Shortcut::UnstackedActions)
        {
            self.unstacked_action = Some(Chosen { action, seat, first });
            return;
        }
        let frame = self.action_frame(Chosen { action, seat, first }, false, interrupts);
        self.state.frames.push(frame);
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

    // ---- actions that need nothing more than their effect ----

    /// Runs the effect of the chosen action. Only if it does not come to its end at once, the action is put on the stack
    /// below it.
    pub(crate) fn do_chosen(&mut self) -> Result<Flow, Fault> {
        let Some(Chosen { action, seat, first }) = self.unstacked_action else { return Ok(Flow::Go) };
        let rules = self.rules;
        let declared = &rules.actions[action.index()];
        let Some(effect) = declared.effect else { return Err(Fault::new("an action without an effect")) };
        let args = if declared.params.is_empty() { &[][..] } else { std::slice::from_ref(&first) };
        self.log.push(|| {
            let seen_by = seen_of(rules, self.state, declared, args);
            LogEntry::ActionTaken { seat, action, args: SmallVec::from_slice(args), seen_by }
        });
        let count = declared.locals.max(rules.programs[effect.index()].program.locals);
        let flow = self.begin_with(effect, Some(seat), None, args, count)?;
        if self.unstacked_action.is_none() || !matches!(flow, Flow::Go) {
            return Ok(flow);
        }
        if self.state.outcome.is_none() && self.standing_due() {
            // A standing rule finds the action where it always is.
            self.push_chosen(self.state.frames.len(), true);
            return Ok(Flow::Go);
        }
        self.unstacked_action = None;
        self.go_on()
    }

    /// Puts the chosen action on the stack after all.
    pub(crate) fn push_chosen(&mut self, at: usize, begun: bool) -> usize {
        let Some(chosen) = self.unstacked_action.take() else { return at };
        if self.rules.shortcuts.spoils(Shortcut::UnstackedActions) {
            return at;
        }
        let frame = self.action_frame(chosen, begun, false);
        self.state.frames.insert(at, frame);
        at + 1
    }

    /// Performs an action as part of something else.
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
        self.state.frames.push(Frame::Action(ActionFrame {
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

    /// Goes on with the action on top for as long as nothing comes between its steps.
    pub(crate) fn step_action(&mut self) -> Result<Flow, Fault> {
        let depth = self.state.frames.len();
        loop {
            let flow = self.act()?;
            let is_on_top =
                self.state.frames.len() == depth && matches!(self.state.frames.last(), Some(Frame::Action(_)));
            let goes_on = is_on_top && matches!(flow, Flow::Go) && self.state.outcome.is_none();
            let is_short = self.rules.shortcuts.takes(Shortcut::UnstackedActions);
            if !goes_on || !is_short || self.standing_due() || !self.state.fuel.burn(1) {
                return Ok(flow);
            }
            self.state.changed = Parts::NONE;
        }
    }

    fn act(&mut self) -> Result<Flow, Fault> {
        let rules = self.rules;
        let Some(Frame::Action(frame)) = self.state.frames.last() else {
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
            if let Some(Frame::Action(frame)) = self.state.frames.last_mut() {
                frame.paid += 1;
            }
            let depth = self.state.frames.len();
            self.transfer(ResourceHolder::Seat(seat), to, bundle, seat, true);
            let is_short = self.rules.shortcuts.takes(Shortcut::DirectTransfers);
            if self.state.frames.len() > depth && is_short && !self.standing_due() {
                return self.step_transfer();
            }
            return Ok(Flow::Go);
        }
        if !frame.begun {
            let action = frame.action;
            let locals = copied(&frame.locals);
            if let Some(Frame::Action(frame)) = self.state.frames.last_mut() {
                frame.begun = true;
            }
            if let Some((var, _)) = declared.limit {
                let used = self.state.var(rules, var, Some(Value::Seat(seat))).int();
                self.set_var(var, Some(Value::Seat(seat)), Value::Int(used.saturating_add(1)))?;
            }
            self.log.push(|| {
                let args: SmallVec<[Value; 4]> = locals
                    .iter()
                    .skip(rulepack_expr::FIRST_PARAM as usize)
                    .take(declared.params.len())
                    .copied()
                    .collect();
                let seen_by = seen_of(rules, self.state, declared, &args);
                LogEntry::ActionTaken { seat, action, args, seen_by }
            });
            return match declared.effect {
                Some(effect) => self.begin_program(effect, Some(seat), locals[1].piece(), &locals[2..]),
                None => Ok(Flow::Go),
            };
        }
        let (free, action) = (frame.interrupts, frame.action);
        self.state.frames.pop();
        if free {
            let now = self.state.position();
            if self.state.visited_positions.contains(&now) && !self.trial {
                self.come_back(action)?;
            }
            self.state.visited_positions.push(now);
        }
        self.go_on()
    }

    /// A free action has led back to where the player has been: what the pack says happens.
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
        let Some(Frame::Action(frame)) = self.state.frames.last_mut() else {
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

    // ---- free actions that would run in circles ----

    /// Keeps the options of a free action that lead to something new, or all if none does.
    pub(crate) fn without_circles(&self, seat: Seat, options: Vec<Opt>) -> Vec<Opt> {
        if self.trial || self.state.visited_positions.is_empty() || options.len() < 2 {
            return options;
        }
        let kept: Vec<Opt> = options.iter().copied().filter(|option| self.leads_somewhere(seat, *option)).collect();
        if kept.is_empty() { options } else { kept }
    }

    /// Leaves out of a question that a free action asks in its effect what would lead to where the player has been, or leave
    /// what it comes between without an answer; if everything would, all stays.
    pub(crate) fn keep_what_leads_on(&mut self, seat: Seat) {
        if !self.trial && matches!(self.state.frames.last(), Some(Frame::Run(_))) && self.is_interrupted() {
            let options = std::mem::take(&mut self.options);
            self.options = self.without_circles(seat, options);
        }
    }

    /// Whether a free action, begun or gone on with by this option, can end in a position not seen before, in which what it
    /// came between can be gone on with.
    pub(crate) fn leads_somewhere(&self, seat: Seat, option: Opt) -> bool {
        self.leads_on(seat, option).is_ok()
    }

    /// The same, with what is wrong if it cannot.
    pub(crate) fn leads_on(&self, seat: Seat, option: Opt) -> Result<(), Nowhere> {
        let depth = match option {
            Opt::Action(..) | Opt::Free(..) => self.state.frames.len(),
            _ => match self.state.frames.iter().rposition(|frame| matches!(frame, Frame::Action(a) if a.interrupts)) {
                Some(depth) => depth,
                None => return Ok(()),
            },
        };
        if self.state.frames[depth..].iter().any(|frame| matches!(frame, Frame::Script(_))) {
            return Ok(());
        }
        self.on_copy(Ok(()), |machine| {
            match option {
                Opt::Action(action, first) | Opt::Free(action, first) => machine.begin_free(seat, action, first),
                option => machine.take_answer(option).map_err(|_| Nowhere::Mixed)?,
            }
            machine.ends_new(depth, MAX_TRIAL, &Cell::new(MOST_TRIALS))
        })
    }

    /// Tries something out on a copy of the state; if that cannot be paid for, the result is `unpaid`.
    pub(crate) fn on_copy<T>(&self, unpaid: T, attempt: impl FnOnce(&mut Machine<'_>) -> T) -> T {
        let Some(mut state) = self.state.paid_copy() else { return unpaid };
        state.memo.disable();
        let mut unread = Unread::default();
        let result = attempt(&mut Machine::on_trial(self.rules, &mut state, self.host, unread.outputs()));
        self.state.fuel.follow(&state.fuel);
        result
    }

    /// Runs on until the free action at `depth` is over. Looks at `ahead` questions, and tries so many answers in all; what is
    /// not found out then is taken to lead on.
    fn ends_new(&mut self, depth: usize, ahead: u32, left: &Cell<u32>) -> Result<(), Nowhere> {
        loop {
            if self.state.outcome.is_some() || self.state.fuel.is_out() {
                return Ok(());
            }
            if self.state.frames.len() <= depth {
                let now = self.state.position();
                // The action itself has just noted the position as seen; what counts is whether it was seen before.
                let is_new = self.rules.loops.free != FreeLoop::LeaveOut
                    || self.state.visited_positions.iter().filter(|seen| **seen == now).count() <= 1;
                return match is_new {
                    false => Err(Nowhere::Back),
                    true if !self.can_be_taken_up() => Err(Nowhere::Unanswered),
                    true => Ok(()),
                };
            }
            if matches!(self.state.frames.last(), Some(Frame::Script(_))) {
                return Ok(());
            }
            match self.step_once() {
                Err(_) => return Err(Nowhere::Mixed),
                Ok(Flow::Go) => {}
                Ok(Flow::Ask(_)) => {
                    if ahead == 0 {
                        return Ok(());
                    }
                    let options = std::mem::take(&mut self.options);
                    return Nowhere::unless_any(options.iter().map(|option| {
                        if left.get() == 0 {
                            return Ok(());
                        }
                        left.set(left.get() - 1);
                        self.on_copy(Ok(()), |machine| {
                            machine.take_answer(*option).map_err(|_| Nowhere::Mixed)?;
                            machine.ends_new(depth, ahead - 1, left)
                        })
                    }));
                }
            }
        }
    }
}

/// Why no way to carry a free action out leads on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Nowhere {
    /// All end in a position seen before.
    Back,
    /// All end where the question that it came between has no answer.
    Unanswered,
    /// Some end in one of these ways, some in the other, or in a fault.
    Mixed,
}

impl Nowhere {
    /// One way that leads on is enough; no more are tried after it.
    pub(crate) fn unless_any(ways: impl Iterator<Item = Result<(), Nowhere>>) -> Result<(), Nowhere> {
        let mut all = None;
        for way in ways {
            let Err(found) = way else { return Ok(()) };
            all = Some(if all.is_none_or(|known| known == found) { found } else { Nowhere::Mixed });
        }
        Err(all.unwrap_or(Nowhere::Mixed))
    }
}

/// Who sees what an action is taken with.
fn seen_of(rules: &Ruleset, state: &State, action: &Action, args: &[Value]) -> SeenBy {
    if action.disclose { SeenBy::ALL } else { all_seen_by(rules, state, args) }
}

/// A list that a function writes.
fn listed<T>(write: impl FnOnce(&mut Vec<T>)) -> Vec<T> {
    let mut list = Vec::new();
    write(&mut list);
    list
}

#[cfg(test)]
mod tests {
    use super::Nowhere::{self, *};

    #[test]
    fn a_reason_holds_for_all_ways_or_is_mixed() {
        let of = |ways: &[Result<(), Nowhere>]| Nowhere::unless_any(ways.iter().copied());
        assert_eq!(of(&[Err(Back), Ok(())]), Ok(()));
        assert_eq!(of(&[Err(Back), Err(Back)]), Err(Back));
        assert_eq!(of(&[Err(Unanswered)]), Err(Unanswered));
        assert_eq!(of(&[Err(Back), Err(Unanswered), Err(Back)]), Err(Mixed));
        assert_eq!(of(&[]), Err(Mixed));
    }
}
