//! Effects: one operation after the other.

use std::ops::ControlFlow;

use rulepack_expr::AttrId;
use rulepack_model::{PieceId, ProgId, PromptId, Seat};
use smallvec::SmallVec;

use crate::eval::bundle::Bundle;
use crate::eval::expressions::{Eval, Locals, Slots, copied, fill, slots, widened};
use crate::flow::choices::{leave_choice, take_one};
use crate::flow::decision::{Ask, Opt, Question};
use crate::flow::fault::Fault;
use crate::flow::frame::*;
use crate::flow::machine::{Flow, MAX_FRAMES, Machine};
use crate::flow::try_choices::{Effect, Start};
use crate::lower::{Choice, More, Price, Source, Step, Target, Telling, Walk, ZoneSource};
use crate::rules::ruleset::AttrValue;
use crate::rules::shortcuts::Shortcut;
use crate::state::chance::StreamId;
use crate::state::parts::Parts;
use crate::state::value::{Cell, Value};

/// As many effects may be at work inside one another without being on the stack.
const MOST_INSIDE: u8 = 12;

impl Eval<'_> {
    /// Whether an effect of a piece can be carried out now.
    pub fn can_run(&self, program: ProgId, me: Option<Seat>, this: Option<PieceId>) -> bool {
        let compiled = &self.rules.programs[program.index()];
        if compiled.is_certain(self.rules, 0) {
            return true;
        }
        let effect = Effect::new(self.rules, program);
        self.feasible(effect, 0, effect.steps.len(), &mut slots(me, this, &[], compiled.program.locals))
    }

    /// Whether an effect can be carried out with these parameters.
    pub fn can_run_with(&self, program: ProgId, locals: &Locals) -> bool {
        let compiled = &self.rules.programs[program.index()];
        // Most effects of actions have nothing that could be impossible.
        if compiled.is_certain(self.rules, 0) {
            return true;
        }
        let effect = Effect::new(self.rules, program);
        self.feasible(effect, 0, effect.steps.len(), &mut widened(locals, compiled.program.locals))
    }

    /// Follows the operations up to the first that changes the table, and says whether it can be done. What comes after
    /// a payment meets another table, so nothing is said about it; but a choice of several is tried to the end.
    pub(crate) fn feasible(&self, effect: Effect<'_>, from: usize, end: usize, locals: &mut Locals) -> bool {
        if !effect.has_several {
            return self.follow(effect, None, from, end, locals);
        }
        let start = Start { from, locals: copied(locals) };
        self.follow(effect, Some(&start), from, end, locals)
    }

    fn follow(&self, effect: Effect<'_>, start: Option<&Start>, from: usize, end: usize, locals: &mut Locals) -> bool {
        let steps = effect.steps;
        let mut pc = from;
        let mut count = 0;
        while pc < end {
            count += 1;
            if count > 256 {
                return true;
            }
            match &steps[pc] {
                Step::Jump(to) => {
                    pc = *to as usize;
                    continue;
                }
                Step::JumpUnless(cond, to) => {
                    if !cond(self, locals) {
                        pc = *to as usize;
                        continue;
                    }
                }
                Step::Let(local, value) => locals[*local] = value.get(self, locals),
                Step::Pay { price, .. } | Step::Store { price, .. } => {
                    return self.can_owe(price, locals);
                }
                Step::Exchange { price, end } => {
                    if !self.can_owe(price, locals) {
                        return false;
                    }
                    let given = &steps[pc + 1..*end as usize];
                    let deliverable = given.iter().all(|step| match step {
                        Step::Gain { price, .. } | Step::Put { price, .. } => {
                            self.can_supply(&price.bundle(self, locals))
                        }
                        _ => true,
                    });
                    return deliverable;
                }
                Step::Choose(choice) if self.public_view && self.choice_is_hidden(&choice.from.set, locals, 0, &[]) => {
                    return true;
                }
                Step::Choose(choice) => {
                    let mut found = false;
                    // What is only tried must not change what the set is walked with, such as who `me` is.
                    let mut tried = copied(locals);
                    let visit: &mut dyn FnMut(Value, &mut Locals) -> ControlFlow<()> = &mut |value, locals| {
                        tried.copy_from_slice(locals);
                        tried[choice.into] = value;
                        found = self.follow(effect, start, pc + 1, end, &mut tried);
                        if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                    };
                    let _ = choice.from.each(self, locals, visit);
                    return found;
                }
                Step::ChooseMore(choice, more) => {
                    if !self.can_choose_several(effect, start, choice, *more, pc, locals) {
                        return false;
                    }
                    pc = more.end as usize;
                    continue;
                }
                Step::May { no, .. } => {
                    pc = *no as usize;
                    continue;
                }
                Step::Either(branches) => {
                    let leads_on = |at: u32| self.follow(effect, start, at as usize, end, &mut copied(locals));
                    return branches.iter().any(|(_, at)| leads_on(*at));
                }
                Step::Use { piece, attr } => {
                    let Some(piece) = piece.get(self, locals).piece() else { return false };
                    return match self.rules.attr(self.rules.type_of(piece), *attr) {
                        Some(AttrValue::Effect(program)) => self.can_run(program, locals[0].seat(), Some(piece)),
                        _ => false,
                    };
                }
                Step::Put { .. } | Step::Gain { .. } | Step::List(_) | Step::Disclose { .. } => {}
                // Whatever comes after these meets another table.
                Step::Roll(..)
                | Step::TakeFromPiece { .. }
                | Step::TakeFromSeat { .. }
                | Step::GiveBack { .. }
                | Step::Lay { .. }
                | Step::Move { .. }
                | Step::Draw { .. }
                | Step::Shuffle(_)
                | Step::Refill(_)
                | Step::Flip(_)
                | Step::Pick { .. }
                | Step::Collect { .. }
                | Step::Next { .. }
                | Step::SetVar { .. }
                | Step::Raise { .. }
                | Step::Perform { .. }
                | Step::Script { .. }
                | Step::EndTurn
                | Step::EndPhase
                | Step::EndGame { .. }
                | Step::Pass
                | Step::Pause
                | Step::Cancel
                | Step::Rejoin(_)
                | Step::Look { .. }
                | Step::Seen { .. } => return true,
            }
            pc += 1;
        }
        true
    }

    /// Like [`Eval::feasible`], for slots that are in use: what is only tried leaves them as they are.
    pub(crate) fn would_do(&self, effect: Effect<'_>, from: usize, end: usize, locals: &Locals) -> bool {
        self.feasible(effect, from, end, &mut copied(locals))
    }

    /// Whether as many things can be chosen as must be, for all that is known.
    pub(crate) fn can_choose_several(
        &self,
        effect: Effect<'_>,
        start: Option<&Start>,
        choice: &Choice,
        more: More,
        pc: usize,
        locals: &mut Locals,
    ) -> bool {
        let least = locals[more.least].int();
        let Some(start) = start.filter(|_| least > 0 && !more.if_any) else { return true };
        if self.public_view && self.choice_is_hidden(&choice.from.set, locals, 0, &[]) {
            return true;
        }
        if least > 1 {
            return self.has_enough(choice, more, locals) || self.completes(effect.program, start);
        }
        if !more.may_get_stuck {
            return choice.from.first(self, locals).is_some();
        }
        let (mut found, mut tried) = (false, copied(locals));
        let _ = choice.from.each(self, locals, |value, locals| {
            tried.copy_from_slice(locals);
            tried[choice.into] = value;
            found = self.follow(effect, None, pc + 1, more.end as usize, &mut tried);
            if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        found
    }

    fn can_owe(&self, price: &Price, locals: &mut Locals) -> bool {
        let bundle = price.bundle(self, locals);
        locals[0].seat().is_some_and(|me| self.can_pay(me, &bundle))
    }
}

/// Where a branch ends: with its jump. What follows that is not its own; all branches jump to the same place, which
/// comes right after the jump of the last one.
fn end_of_branch(steps: &[Step], branches: &[(PromptId, u32)], index: usize) -> usize {
    if let Some((_, next)) = branches.get(index + 1) {
        return *next as usize - 1;
    }
    match branches.get(1).and_then(|(_, second)| steps.get(*second as usize - 1)) {
        Some(Step::Jump(after)) => *after as usize - 1,
        _ => steps.len(),
    }
}

impl Machine<'_> {
    pub(crate) fn push_program(&mut self, program: ProgId, locals: Slots) {
        self.state.frames.push(Frame::Run(RunFrame::new(program, locals)));
    }

    /// Runs an effect at once, unless a standing rule is to be looked at first.
    pub(crate) fn begin_program(
        &mut self,
        program: ProgId,
        me: Option<Seat>,
        this: Option<PieceId>,
        args: &[Value],
    ) -> Result<Flow, Fault> {
        self.begin_with(program, me, this, args, self.rules.programs[program.index()].program.locals)
    }

    /// The same with so many slots.
    pub(crate) fn begin_with(
        &mut self,
        program: ProgId,
        me: Option<Seat>,
        this: Option<PieceId>,
        args: &[Value],
        count: u16,
    ) -> Result<Flow, Fault> {
        let mut run = RunFrame::new(program, Slots::new());
        fill(&mut run.locals, me, this, args, count);
        if self.standing_due()
            || self.state.frames.len() >= MAX_FRAMES
            || self.stacked
            || !self.rules.shortcuts.takes(Shortcut::UnstackedEffects)
        {
            self.push_chosen(self.state.frames.len(), true);
            self.state.frames.push(Frame::Run(run));
            return Ok(Flow::Go);
        }
        self.state.changed = Parts::NONE;
        self.run(&mut run)
    }

    /// Whether an effect can do something that takes its time without being put on the stack first: nobody looks at
    /// anything because of it, and nobody will want to know where an action leads that is not on the stack.
    pub(crate) fn may_go_inside(&self) -> bool {
        self.unstacked_depth < MOST_INSIDE
            && self.looks.is_empty()
            && !self.is_interrupted()
            && !self.stacked
            && self.rules.shortcuts.takes(Shortcut::UnstackedEffects)
    }

    /// Does something in the middle of an effect. What is not over then is on the stack, and the effect comes below it.
    pub(crate) fn run_unstacked(&mut self, work: impl FnOnce(&mut Self) -> Result<Flow, Fault>) -> Result<Next, Fault> {
        // An action that is on the stack only in thought is below all of this.
        let chosen = self.unstacked_action.take();
        self.unstacked_depth += 1;
        let flow = work(self)?;
        self.unstacked_depth -= 1;
        self.unstacked_action = chosen;
        Ok(match flow {
            _ if self.state.outcome.is_some() => Next::Over,
            Flow::Go => Next::Op,
            Flow::Ask(question) => Next::Ask(question),
        })
    }

    /// Moves resources in the middle of an effect.
    fn send_inside(
        &mut self,
        from: ResourceHolder,
        to: ResourceHolder,
        bundle: Bundle,
        chooser: Seat,
        strict: bool,
    ) -> Result<Next, Fault> {
        let before = self.state.frames.len();
        self.transfer(from, to, bundle, chooser, strict);
        if self.state.frames.len() == before || self.standing_due() || !self.may_go_inside() {
            return Ok(Next::Op);
        }
        self.run_unstacked(|machine| machine.step_transfer())
    }

    /// Goes on with the effect on top.
    pub(crate) fn step_run(&mut self) -> Result<Flow, Fault> {
        let Some(Frame::Run(mut run)) = self.state.frames.pop() else {
            return Err(Fault::new("no effect is at work"));
        };
        self.run(&mut run)
    }

    /// Runs an effect until it is over, needs something from elsewhere, or asks; what is not over is put onto the stack.
    fn run(&mut self, run: &mut RunFrame) -> Result<Flow, Fault> {
        self.looks = std::mem::take(&mut run.looks);
        let rules = self.rules;
        let compiled = &rules.programs[run.program.index()];
        let steps = compiled.steps(rules);
        let mut last = run.pc;
        loop {
            let before = self.state.frames.len();
            let Some(step) = steps.get(run.pc as usize) else {
                if self.state.fuel.is_out() {
                    // It is the step before that has looked at too much.
                    run.pc = last;
                    self.put_back(run, before);
                } else {
                    self.looks.clear();
                }
                return Ok(Flow::Go);
            };
            if !self.state.fuel.burn(1) {
                run.pc = last;
                self.put_back(run, before);
                return Ok(Flow::Go);
            }
            last = run.pc;
            // What only looks at the table is done here.
            match step {
                Step::Jump(to) => {
                    run.pc = *to;
                    continue;
                }
                Step::JumpUnless(cond, to) => {
                    run.pc = if cond(&self.eval(), &mut run.locals) { run.pc + 1 } else { *to };
                    continue;
                }
                Step::Let(local, value) => {
                    run.locals[*local] = value.get(&self.eval(), &mut run.locals);
                    run.pc += 1;
                    continue;
                }
                _ => {}
            }
            if self.log.trace.is_some() {
                self.trace_step(run.program, last)?;
            }
            let flow =
                self.operate(step, run).map_err(|fault| fault.in_step(&compiled.origin, compiled.place(last)))?;
            match flow {
                Next::Op => {
                    if self.state.frames.len() != before || self.standing_due() {
                        // Something was put on the stack: it works first, this effect goes on below it.
                        self.put_back(run, before);
                        return Ok(Flow::Go);
                    }
                }
                Next::Ask(question) => {
                    self.put_back(run, before);
                    return Ok(Flow::Ask(question));
                }
                Next::Over => {
                    self.looks.clear();
                    return Ok(Flow::Go);
                }
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn trace_step(&mut self, program: ProgId, at: u32) -> Result<(), Fault> {
        let compiled = &self.rules.programs[program.index()];
        let traced = self.log.trace_step(self.rules, program, at);
        traced.map_err(|fault| fault.in_step(&compiled.origin, compiled.place(at)))
    }

    /// Puts an effect that is not over back onto the stack.
    fn put_back(&mut self, run: &mut RunFrame, at: usize) {
        let at = self.push_chosen(at, true);
        let frame = Frame::Run(RunFrame {
            program: run.program,
            pc: run.pc,
            locals: std::mem::take(&mut run.locals),
            lists: std::mem::take(&mut run.lists),
            waits: run.waits,
            looks: std::mem::take(&mut self.looks),
            standing: run.standing,
        });
        if at == self.state.frames.len() {
            self.state.frames.push(frame);
        } else {
            self.state.frames.insert(at, frame);
        }
    }

    /// Asks in the middle of an effect.
    pub(crate) fn ask_next(&mut self, seat: Seat, ask: Ask, options: Vec<Opt>) -> Next {
        self.options = options;
        Next::Ask(Question { seat, ask })
    }

    #[inline]
    fn me(run: &RunFrame) -> Result<Seat, Fault> {
        run.locals[0].seat().ok_or_else(|| Fault::new("this effect needs a player, but it is nobody's"))
    }

    #[inline]
    fn piece(&self, piece: &Source, run: &mut RunFrame) -> Result<PieceId, Fault> {
        match piece.get(&self.eval(), &mut run.locals) {
            Value::Piece(piece) => Ok(piece),
            _ => Err(Fault::new("the piece that is meant is not there")),
        }
    }

    fn zone_ref(&self, zone: &ZoneSource, run: &mut RunFrame) -> Result<crate::state::value::ZoneIx, Fault> {
        zone.get(&self.eval(), &mut run.locals).ok_or_else(|| Fault::new("the zone that is meant is nobody's"))
    }

    #[inline]
    fn target(&self, target: &Target, run: &mut RunFrame) -> Result<Cell, Fault> {
        match target {
            Target::Zone(zone) => {
                let zone = self.zone_ref(zone, run)?;
                self.space_in(zone)
            }
            Target::Cell(cell) => match cell.get(&self.eval(), &mut run.locals) {
                Value::Cell(cell) => Ok(cell),
                _ => Err(Fault::new("the space that is meant is not there")),
            },
        }
    }

    fn bundle(&self, price: &Price, run: &mut RunFrame) -> Bundle {
        price.bundle(&self.eval(), &mut run.locals)
    }

    /// The members of a set, as a list.
    fn members(&self, set: &Walk, run: &mut RunFrame) -> Vec<Value> {
        let mut list = Vec::new();
        let _ = set.each(&self.eval(), &mut run.locals, |value, _| {
            list.push(value);
            ControlFlow::Continue(())
        });
        list
    }

    /// What is given along.
    fn values(&self, args: &[Source], run: &mut RunFrame) -> SmallVec<[Value; 4]> {
        let mut values = SmallVec::new();
        for arg in args {
            values.push(arg.get(&self.eval(), &mut run.locals));
        }
        values
    }

    /// What an effect rolls with.
    fn stream(&self, run: &RunFrame) -> StreamId {
        StreamId::of_roll(&self.rules.programs[run.program.index()].origin)
    }

    fn operate(&mut self, step: &Step, run: &mut RunFrame) -> Result<Next, Fault> {
        run.pc += 1;
        match step {
            Step::Jump(_) | Step::JumpUnless(..) | Step::Let(..) => {
                return Err(Fault::new("an operation that changes nothing is done elsewhere"));
            }
            Step::Roll(local, sides) => {
                let sides = sides(&self.eval(), &mut run.locals);
                let result = self.roll(self.stream(run), run.locals[0].seat(), sides)?;
                run.locals[*local] = Value::Int(i64::from(result));
            }
            Step::Gain { price, whom } => {
                let bundle = self.bundle(price, run);
                let Some(whom) = whom.get(&self.eval(), &mut run.locals).seat() else {
                    return Err(Fault::new("nobody is there to gain this"));
                };
                return self.send_inside(ResourceHolder::Supply, ResourceHolder::Seat(whom), bundle, whom, false);
            }
            Step::Pay { price, to } => {
                let (me, bundle) = (Self::me(run)?, self.bundle(price, run));
                let to = match to {
                    Some(to) => ResourceHolder::Piece(self.piece(to, run)?),
                    None => ResourceHolder::Supply,
                };
                return self.send_inside(ResourceHolder::Seat(me), to, bundle, me, true);
            }
            Step::Exchange { price, end } => {
                let effect = Effect::new(self.rules, run.program);
                let possible = self.eval().would_do(effect, run.pc as usize - 1, *end as usize, &run.locals);
                if possible {
                    let (me, bundle) = (Self::me(run)?, self.bundle(price, run));
                    return self.send_inside(ResourceHolder::Seat(me), ResourceHolder::Supply, bundle, me, true);
                } else {
                    run.pc = *end;
                }
            }
            Step::Put { price, on } => {
                let (piece, bundle) = (self.piece(on, run)?, self.bundle(price, run));
                let chooser = run.locals[0].seat().unwrap_or(Seat(0));
                return self.send_inside(ResourceHolder::Supply, ResourceHolder::Piece(piece), bundle, chooser, false);
            }
            Step::Store { price, on } => {
                let (me, piece, bundle) = (Self::me(run)?, self.piece(on, run)?, self.bundle(price, run));
                return self.send_inside(ResourceHolder::Seat(me), ResourceHolder::Piece(piece), bundle, me, true);
            }
            Step::TakeFromPiece { price, from } => {
                let (me, piece, bundle) = (Self::me(run)?, self.piece(from, run)?, self.bundle(price, run));
                return self.send_inside(ResourceHolder::Piece(piece), ResourceHolder::Seat(me), bundle, me, false);
            }
            Step::TakeFromSeat { price, from } => {
                let (me, bundle) = (Self::me(run)?, self.bundle(price, run));
                let Some(from) = from.get(&self.eval(), &mut run.locals).seat() else {
                    return Err(Fault::new("nobody is there to take from"));
                };
                return self.send_inside(ResourceHolder::Seat(from), ResourceHolder::Seat(me), bundle, me, false);
            }
            Step::GiveBack { price, from } => {
                let (piece, bundle) = (self.piece(from, run)?, self.bundle(price, run));
                let chooser = run.locals[0].seat().unwrap_or(Seat(0));
                return self.send_inside(ResourceHolder::Piece(piece), ResourceHolder::Supply, bundle, chooser, false);
            }
            Step::Lay { piece, on } => {
                let (piece, on) = (self.piece(piece, run)?, self.piece(on, run)?);
                self.lay_piece(piece, on)?;
            }
            Step::Move { piece, to, bottom, facing } => {
                let piece = self.piece(piece, run)?;
                let to = self.target(to, run)?;
                self.move_piece(piece, to, *bottom, *facing)?;
            }
            Step::Draw { count, from, to } => {
                let count = count(&self.eval(), &mut run.locals);
                let from = self.zone_ref(from, run)?;
                for _ in 0..count.min(self.state.pieces.len() as i64) {
                    self.pay(self.effort_of_top(from))?;
                    let Some(piece) = self.state.top(self.rules, from) else { break };
                    let to = self.target(to, run)?;
                    self.move_piece(piece, to, false, None)?;
                }
            }
            Step::Shuffle(zone) => {
                let zone = self.zone_ref(zone, run)?;
                self.shuffle_zone(zone)?;
            }
            Step::Refill(zone) => {
                let zone = self.zone_ref(zone, run)?;
                self.refill(zone)?;
            }
            Step::Flip(piece) => {
                let piece = self.piece(piece, run)?;
                self.flip_piece(piece);
            }
            Step::Choose(choice) => return self.choose(run, choice),
            Step::List(list) => {
                run.locals[*list] = Value::Int(run.lists.len() as i64);
                run.lists.push((Vec::new(), 0));
            }
            Step::ChooseMore(choice, more) => return self.choose_more(run, choice, *more),
            Step::Pick { into, from } => {
                let members = self.members(from, run);
                if members.is_empty() {
                    return Err(Fault::new("there is nothing to pick from"));
                }
                let picked = self.roll(self.stream(run), run.locals[0].seat(), members.len() as i64)?;
                run.locals[*into] = members[picked as usize - 1];
            }
            Step::May { prompt, no } => {
                let effect = Effect::new(self.rules, run.program);
                let would = |eval: Eval<'_>| eval.would_do(effect, run.pc as usize, *no as usize, &run.locals);
                let mut options = vec![Opt::Yes, Opt::No];
                if !would(self.eval()) {
                    // What is done free may make it possible.
                    let may_be = would(self.eval().as_public());
                    if !run.locals[0].seat().is_some_and(|me| may_be || self.asks_anyway(me)) {
                        self.forced(run.locals[0].seat(), Opt::No, 1);
                        run.pc = *no;
                        return Ok(Next::Op);
                    }
                    options = vec![Opt::No];
                }
                let seat = Self::me(run)?;
                run.pc -= 1;
                return Ok(self.ask_next(seat, Ask::May(*prompt), options));
            }
            Step::Either(branches) => {
                let effect = Effect::new(self.rules, run.program);
                let possible = |eval: Eval<'_>| -> Vec<Opt> {
                    let leads_on = |(index, (_, start)): &(usize, &(PromptId, u32))| {
                        eval.would_do(
                            effect,
                            *start as usize,
                            end_of_branch(effect.steps, branches, *index),
                            &run.locals,
                        )
                    };
                    let ways = branches.iter().enumerate().filter(leads_on);
                    ways.map(|(_, (prompt, start))| Opt::Branch(*prompt, *start)).collect()
                };
                let options = possible(self.eval());
                let seat = Self::me(run)?;
                if let [way @ Opt::Branch(_, start)] = options.as_slice()
                    && possible(self.eval().as_public()).len() == 1
                    && !self.asks_anyway(seat)
                {
                    self.forced(Some(seat), *way, 1);
                    run.pc = *start;
                    return Ok(Next::Op);
                }
                run.pc -= 1;
                return Ok(self.ask_next(seat, Ask::Either, options));
            }
            Step::Collect { list, from } => {
                let items = self.members(from, run);
                run.locals[*list] = Value::Int(run.lists.len() as i64);
                run.lists.push((items, 0));
            }
            Step::Next { list, into, end } => {
                let index = run.locals[*list].int() as usize;
                let Some((items, at)) = run.lists.get_mut(index) else {
                    return Err(Fault::new("a list was lost"));
                };
                match items.get(*at as usize) {
                    Some(item) => {
                        *at += 1;
                        run.locals[*into] = *item;
                    }
                    None => {
                        run.lists.truncate(index);
                        run.pc = *end;
                    }
                }
            }
            Step::SetVar { var, owner, value } => {
                let owner = owner.as_ref().map(|owner| owner.get(&self.eval(), &mut run.locals));
                let value = value.get(&self.eval(), &mut run.locals);
                self.set_var(*var, owner, value)?;
            }
            Step::Raise { event, args } => {
                let args = self.values(args, run);
                return self.raise_inside(*event, run.locals[0].seat(), args);
            }
            Step::Perform { action, args, free } => {
                let args = self.values(args, run);
                self.perform(Self::me(run)?, *action, &args, *free)?;
            }
            Step::Use { piece, attr } => {
                let piece = self.piece(piece, run)?;
                let me = run.locals[0].seat();
                if self.may_go_inside() {
                    let program = self.effect_of(piece, *attr)?;
                    return self.run_unstacked(|machine| machine.begin_program(program, me, Some(piece), &[]));
                }
                self.use_effect(me, piece, *attr)?;
            }
            Step::Script { hook, args } => {
                let args = self.values(args, run);
                let (me, this) = (run.locals[0].seat(), run.locals[1].piece());
                self.state.frames.push(Frame::Script(ScriptFrame {
                    hook: *hook,
                    me,
                    this,
                    args,
                    begun: false,
                    looks: Looks::new(),
                }));
            }
            Step::EndTurn => self.end_turn(),
            Step::EndPhase => self.end_phase(),
            Step::EndGame { winner } => {
                let winner = winner.as_ref().map(|winner| winner.get(&self.eval(), &mut run.locals).seat());
                if winner == Some(None) {
                    return Err(Fault::new("nobody is there to have won"));
                }
                self.finish(winner.flatten());
                return Ok(Next::Over);
            }
            Step::Look { from, by } => {
                self.unforeseen();
                let seat = self.chooser(by, run)?;
                let seen = self.members(from, run);
                let pieces: SmallVec<[PieceId; 16]> = seen.iter().filter_map(|value| value.piece()).collect();
                let mut looks = std::mem::take(&mut self.looks);
                self.look_at(seat, &pieces, &mut looks);
                self.looks = looks;
            }
            Step::Disclose { what, prompt } => {
                self.unforeseen();
                let values = match what {
                    Telling::One(value) => vec![value.get(&self.eval(), &mut run.locals)],
                    Telling::Many(set) => self.members(set, run),
                };
                let mut looks = std::mem::take(&mut self.looks);
                self.disclose(values, *prompt, &mut looks);
                self.looks = looks;
            }
            Step::Seen { by, prompt } => {
                let seat = self.chooser(by, run)?;
                run.pc -= 1;
                return Ok(self.ask_next(seat, Ask::Acknowledge(*prompt), vec![Opt::Continue]));
            }
            Step::Pass => {
                let me = Self::me(run)?;
                self.pass(me);
            }
            Step::Pause => {
                let me = Self::me(run)?;
                self.state.frames.push(Frame::Pause(me));
            }
            Step::Cancel => self.cancel(),
            Step::Rejoin(seat) => {
                let Some(seat) = seat.get(&self.eval(), &mut run.locals).seat() else {
                    return Err(Fault::new("nobody is there to take part again"));
                };
                self.rejoin(seat);
            }
        }
        Ok(Next::Op)
    }

    /// Runs an effect of a piece.
    pub(crate) fn use_effect(&mut self, me: Option<Seat>, piece: PieceId, attr: AttrId) -> Result<(), Fault> {
        let program = self.effect_of(piece, attr)?;
        let locals = slots(me, Some(piece), &[], self.rules.programs[program.index()].program.locals);
        self.push_program(program, locals);
        Ok(())
    }

    /// An effect of a piece.
    fn effect_of(&self, piece: PieceId, attr: AttrId) -> Result<ProgId, Fault> {
        let ty = self.rules.type_of(piece);
        match self.rules.attr(ty, attr) {
            Some(AttrValue::Effect(program)) => Ok(program),
            _ => Err(Fault::new(format!("`{}` has no such effect", self.rules.types[ty.index()].name))),
        }
    }

    pub(crate) fn answer_run(&mut self, option: Opt) -> Result<(), Fault> {
        let rules = self.rules;
        let Some(Frame::Run(run)) = self.state.frames.last_mut() else {
            return Err(Fault::new("no effect is at work"));
        };
        let step = &rules.programs[run.program.index()].steps(rules)[run.pc as usize];
        match (step, option) {
            (Step::Choose(choice), Opt::Value(value)) => {
                run.locals[choice.into] = value;
                run.pc += 1;
            }
            (Step::ChooseMore(choice, more), Opt::Value(value)) => {
                take_one(run, choice, *more, value);
                run.pc += 1;
            }
            (Step::ChooseMore(_, more), Opt::Done) => leave_choice(run, more.different, more.end),
            (Step::May { .. }, Opt::Yes) => run.pc += 1,
            (Step::May { no, .. }, Opt::No) => run.pc = *no,
            (Step::Either(_), Opt::Branch(_, start)) => run.pc = start,
            (Step::Seen { .. }, Opt::Continue) => run.pc += 1,
            _ => return Err(Fault::new("this answer does not fit the question")),
        }
        Ok(())
    }
}

/// What an operation led to.
pub(crate) enum Next {
    Op,
    /// The options are [`Machine::options`].
    Ask(Question),
    Over,
}
