//! Effects: one operation after the other.

use rulepack_expr::{Cost, Dest, Op};
use rulepack_model::{PieceId, ProgId, PromptId, Seat};
use smallvec::SmallVec;

use crate::bundle::Bundle;
use crate::choose::{More, chosen_list, leave_choice};
use crate::decision::{Ask, Decision, Opt};
use crate::eval::{Eval, Locals, Slots, slots, widened};
use crate::fault::Fault;
use crate::frame::*;
use crate::machine::{Flow, MAX_FRAMES, Machine};
use crate::parts::Parts;
use crate::ruleset::AttrValue;
use crate::value::{Cell, Value};

impl Eval<'_> {
    /// Whether an effect of a piece can be carried out now.
    pub fn can_run(&self, program: ProgId, me: Option<Seat>, this: Option<PieceId>) -> bool {
        let compiled = &self.rules.programs[program.index()];
        if compiled.is_certain(0) {
            return true;
        }
        let compiled = &compiled.program;
        let mut locals = slots(me, this, &[], compiled.locals);
        self.feasible(&compiled.ops, 0, compiled.ops.len(), &mut locals)
    }

    /// Whether an effect can be carried out with these parameters.
    pub fn can_run_with(&self, program: ProgId, locals: &Locals) -> bool {
        let compiled = &self.rules.programs[program.index()];
        // Most effects of actions have nothing that could be impossible.
        if compiled.is_certain(0) {
            return true;
        }
        let compiled = &compiled.program;
        let mut locals = widened(locals, compiled.locals);
        self.feasible(&compiled.ops, 0, compiled.ops.len(), &mut locals)
    }

    /// Follows the operations up to the first that changes the table, and says whether it can be done. What comes after
    /// a payment meets another table, so nothing is said about it.
    pub(crate) fn feasible(&self, ops: &[Op], from: usize, end: usize, locals: &mut Locals) -> bool {
        let mut pc = from;
        let mut steps = 0;
        while pc < end {
            steps += 1;
            if steps > 256 {
                return true;
            }
            match &ops[pc] {
                Op::Jump(to) => {
                    pc = *to as usize;
                    continue;
                }
                Op::JumpUnless(cond, to) => {
                    if !self.truth(cond, locals) {
                        pc = *to as usize;
                        continue;
                    }
                }
                Op::Let(local, value) => locals[local.index()] = self.expr(value, locals),
                Op::Pay { cost, .. } | Op::Store { cost, .. } => {
                    return self.can_owe(cost, locals);
                }
                Op::Exchange { cost, end } => {
                    if !self.can_owe(cost, locals) {
                        return false;
                    }
                    let given = &ops[pc + 1..*end as usize];
                    let deliverable = given.iter().all(|op| match op {
                        Op::Gain { cost, .. } | Op::Put { cost, .. } => self.can_supply(&self.bundle(cost, locals)),
                        _ => true,
                    });
                    return deliverable;
                }
                Op::Choose { set, .. } if self.guess && self.hides(set, locals, 0, &[]) => return true,
                Op::Choose { into, set, .. } => {
                    let mut found = false;
                    // What is only tried must not change what the set is walked with, such as who `me` is.
                    let mut tried = Slots::from_slice(locals);
                    let _ = self.each(set, locals, &mut |value, locals| {
                        tried.copy_from_slice(locals);
                        tried[into.index()] = value;
                        found = self.feasible(ops, pc + 1, end, &mut tried);
                        if found { std::ops::ControlFlow::Break(()) } else { std::ops::ControlFlow::Continue(()) }
                    });
                    return found;
                }
                Op::ChooseMore { set, least, end: after, .. } => {
                    let least = locals[least.index()].int();
                    if least > 0 && self.first(set, locals).is_none() {
                        return self.guess && self.hides(set, locals, 0, &[]);
                    }
                    pc = *after as usize;
                    continue;
                }
                Op::May { no, .. } => {
                    pc = *no as usize;
                    continue;
                }
                Op::Either(branches) => {
                    let leads_on = |start: u32| self.feasible(ops, start as usize, end, &mut Slots::from_slice(locals));
                    return branches.iter().any(|(_, start)| leads_on(*start));
                }
                Op::Use { piece, attr } => {
                    let Some(piece) = self.expr(piece, locals).piece() else { return false };
                    return match self.rules.attr(self.rules.type_of(piece), *attr) {
                        Some(AttrValue::Effect(program)) => self.can_run(program, locals[0].seat(), Some(piece)),
                        _ => false,
                    };
                }
                Op::Put { .. } | Op::Gain { .. } | Op::List(_) => {}
                _ => return true,
            }
            pc += 1;
        }
        true
    }

    /// Like [`Eval::feasible`], for slots that are in use: what is only tried leaves them as they are.
    pub(crate) fn would_do(&self, ops: &[Op], from: usize, end: usize, locals: &Locals) -> bool {
        self.feasible(ops, from, end, &mut Slots::from_slice(locals))
    }

    fn can_owe(&self, cost: &Cost, locals: &mut Locals) -> bool {
        let bundle = self.bundle(cost, locals);
        locals[0].seat().is_some_and(|me| self.can_pay(me, &bundle))
    }
}

/// Where a branch ends: with its jump. What follows that is not its own; all branches jump to the same place, which
/// comes right after the jump of the last one.
fn end_of_branch(ops: &[Op], branches: &[(PromptId, u32)], index: usize) -> usize {
    if let Some((_, next)) = branches.get(index + 1) {
        return *next as usize - 1;
    }
    match branches.get(1).and_then(|(_, second)| ops.get(*second as usize - 1)) {
        Some(Op::Jump(after)) => *after as usize - 1,
        _ => ops.len(),
    }
}

impl Machine<'_> {
    pub(crate) fn push_program(&mut self, program: ProgId, locals: Slots) {
        self.state.frames.push(Frame::Run(RunFrame::new(program, locals)));
    }

    /// Runs an effect at once, unless a standing rule is to be looked at first.
    pub(crate) fn begin_program(&mut self, program: ProgId, locals: Slots) -> Result<Flow, Fault> {
        if self.must_look_round() || self.state.frames.len() >= MAX_FRAMES {
            self.push_program(program, locals);
            return Ok(Flow::Go);
        }
        self.state.changed = Parts::NONE;
        self.run(RunFrame::new(program, locals))
    }

    /// Goes on with the effect on top.
    pub(crate) fn step_run(&mut self) -> Result<Flow, Fault> {
        let Some(Frame::Run(run)) = self.state.frames.pop() else {
            return Err(Fault::new("no effect is at work"));
        };
        self.run(run)
    }

    /// Runs an effect until it is over, needs something from elsewhere, or asks.
    fn run(&mut self, mut run: RunFrame) -> Result<Flow, Fault> {
        self.looks = std::mem::take(&mut run.looks);
        let rules = self.rules;
        let compiled = &rules.programs[run.program.index()];
        loop {
            let before = self.state.frames.len();
            let Some(op) = compiled.program.ops.get(run.pc as usize) else {
                self.looks.clear();
                return Ok(Flow::Go);
            };
            if !self.state.fuel.burn(1) {
                self.put_back(run, before);
                return Ok(Flow::Go);
            }
            // What only looks at the table is done here.
            match op {
                Op::Jump(to) => {
                    run.pc = *to;
                    continue;
                }
                Op::JumpUnless(cond, to) => {
                    let holds = compiled.holds(run.pc as usize, cond, &self.eval(), &mut run.locals);
                    run.pc = if holds { run.pc + 1 } else { *to };
                    continue;
                }
                Op::Let(local, value) => {
                    let value = compiled.value(run.pc as usize, value, &self.eval(), &mut run.locals);
                    run.locals[local.index()] = value;
                    run.pc += 1;
                    continue;
                }
                _ => {}
            }
            let flow = self.operate(op, &mut run).map_err(|fault| fault.in_origin(&compiled.origin))?;
            match flow {
                Next::Op => {
                    if self.state.frames.len() != before || self.must_look_round() {
                        // Something was put on the stack: it works first, this effect goes on below it.
                        self.put_back(run, before);
                        return Ok(Flow::Go);
                    }
                }
                Next::Ask(decision) => {
                    self.put_back(run, before);
                    return Ok(Flow::Ask(decision));
                }
                Next::Over => {
                    self.looks.clear();
                    return Ok(Flow::Go);
                }
            }
        }
    }

    /// Puts an effect that is not over back onto the stack.
    fn put_back(&mut self, mut run: RunFrame, at: usize) {
        run.looks = std::mem::take(&mut self.looks);
        self.state.frames.insert(at, Frame::Run(run));
    }

    #[inline]
    fn me(run: &RunFrame) -> Result<Seat, Fault> {
        run.locals[0].seat().ok_or_else(|| Fault::new("this effect needs a player, but it is nobody's"))
    }

    fn piece(&self, expr: &rulepack_expr::Expr, run: &mut RunFrame) -> Result<PieceId, Fault> {
        self.eval()
            .expr(expr, &mut run.locals)
            .piece()
            .ok_or_else(|| Fault::new("the piece that is meant is not there"))
    }

    fn zone_ref(&self, zone: &rulepack_expr::ZoneRef, run: &mut RunFrame) -> Result<crate::value::ZoneIx, Fault> {
        self.eval().zone(zone, &mut run.locals).ok_or_else(|| Fault::new("the zone that is meant is nobody's"))
    }

    fn dest(&self, dest: &Dest, run: &mut RunFrame) -> Result<Cell, Fault> {
        match dest {
            Dest::Zone(zone) => {
                let zone = self.zone_ref(zone, run)?;
                self.space_in(zone)
            }
            Dest::Cell(cell) => self
                .eval()
                .expr(cell, &mut run.locals)
                .cell()
                .ok_or_else(|| Fault::new("the space that is meant is not there")),
        }
    }

    fn bundle(&self, cost: &Cost, run: &mut RunFrame) -> Bundle {
        self.eval().bundle(cost, &mut run.locals)
    }

    fn operate(&mut self, op: &Op, run: &mut RunFrame) -> Result<Next, Fault> {
        run.pc += 1;
        match op {
            Op::Jump(_) | Op::JumpUnless(..) | Op::Let(..) => {
                return Err(Fault::new("an operation that changes nothing is done elsewhere"));
            }
            Op::Roll(local, sides) => {
                let sides = self.eval().int(sides, &mut run.locals);
                let result = self.roll(run.locals[0].seat(), sides)?;
                run.locals[local.index()] = Value::Int(i64::from(result));
            }
            Op::Gain { cost, whom } => {
                let bundle = self.bundle(cost, run);
                let Some(whom) = self.eval().expr(whom, &mut run.locals).seat() else {
                    return Err(Fault::new("nobody is there to gain this"));
                };
                self.transfer(Place::Supply, Place::Seat(whom), bundle, whom, false);
            }
            Op::Pay { cost, to } => {
                let (me, bundle) = (Self::me(run)?, self.bundle(cost, run));
                let to = match to {
                    Some(to) => Place::Piece(self.piece(to, run)?),
                    None => Place::Supply,
                };
                self.transfer(Place::Seat(me), to, bundle, me, true);
            }
            Op::Exchange { cost, end } => {
                let ops = &self.rules.programs[run.program.index()].program.ops;
                let possible = self.eval().would_do(ops, run.pc as usize - 1, *end as usize, &run.locals);
                if possible {
                    let (me, bundle) = (Self::me(run)?, self.bundle(cost, run));
                    self.transfer(Place::Seat(me), Place::Supply, bundle, me, true);
                } else {
                    run.pc = *end;
                }
            }
            Op::Put { cost, on } => {
                let (piece, bundle) = (self.piece(on, run)?, self.bundle(cost, run));
                let chooser = run.locals[0].seat().unwrap_or(Seat(0));
                self.transfer(Place::Supply, Place::Piece(piece), bundle, chooser, false);
            }
            Op::Store { cost, on } => {
                let (me, piece, bundle) = (Self::me(run)?, self.piece(on, run)?, self.bundle(cost, run));
                self.transfer(Place::Seat(me), Place::Piece(piece), bundle, me, true);
            }
            Op::TakeFromPiece { cost, from } => {
                let (me, piece, bundle) = (Self::me(run)?, self.piece(from, run)?, self.bundle(cost, run));
                self.transfer(Place::Piece(piece), Place::Seat(me), bundle, me, false);
            }
            Op::TakeFromSeat { cost, from } => {
                let (me, bundle) = (Self::me(run)?, self.bundle(cost, run));
                let Some(from) = self.eval().expr(from, &mut run.locals).seat() else {
                    return Err(Fault::new("nobody is there to take from"));
                };
                self.transfer(Place::Seat(from), Place::Seat(me), bundle, me, false);
            }
            Op::GiveBack { cost, from } => {
                let (piece, bundle) = (self.piece(from, run)?, self.bundle(cost, run));
                let chooser = run.locals[0].seat().unwrap_or(Seat(0));
                self.transfer(Place::Piece(piece), Place::Supply, bundle, chooser, false);
            }
            Op::Lay { piece, on } => {
                let (piece, on) = (self.piece(piece, run)?, self.piece(on, run)?);
                self.lay_piece(piece, on)?;
            }
            Op::Move { piece, to, bottom, facing } => {
                let piece = self.piece(piece, run)?;
                let to = self.dest(to, run)?;
                self.move_piece(piece, to, *bottom, *facing)?;
            }
            Op::Draw { count, from, to } => {
                let count = self.eval().int(count, &mut run.locals);
                let from = self.zone_ref(from, run)?;
                for _ in 0..count.min(self.state.pieces.len() as i64) {
                    let Some(piece) = self.state.top(self.rules, from) else { break };
                    let to = self.dest(to, run)?;
                    self.move_piece(piece, to, false, None)?;
                }
            }
            Op::Shuffle(zone) => {
                let zone = self.zone_ref(zone, run)?;
                self.shuffle_zone(zone);
            }
            Op::Refill(zone) => {
                let zone = self.zone_ref(zone, run)?;
                self.refill(zone)?;
            }
            Op::Flip(piece) => {
                let piece = self.piece(piece, run)?;
                self.flip_piece(piece);
            }
            Op::Choose { into, set, by, prompt } => return self.choose(run, *into, set, by, *prompt),
            Op::List(list) => {
                run.locals[list.index()] = Value::Int(run.lists.len() as i64);
                run.lists.push((Vec::new(), 0));
            }
            Op::ChooseMore { into, set, by, prompt, free, taken, least, most, different, end } => {
                let different = *different;
                let more = More { taken: *taken, least: *least, most: *most, end: *end, free: *free, different };
                return self.choose_more(run, *into, set, by, *prompt, more);
            }
            Op::Pick { into, set } => {
                let members = self.eval().collect(set, &mut run.locals);
                if members.is_empty() {
                    return Err(Fault::new("there is nothing to pick from"));
                }
                let picked = self.roll(run.locals[0].seat(), members.len() as i64)?;
                run.locals[into.index()] = members[picked as usize - 1];
            }
            Op::May { prompt, no } => {
                let ops = &self.rules.programs[run.program.index()].program.ops;
                let would = |eval: Eval<'_>| eval.would_do(ops, run.pc as usize, *no as usize, &run.locals);
                let mut options = vec![Opt::Yes, Opt::No];
                if !would(self.eval()) {
                    if run.locals[0].seat().is_none() || !would(self.eval().guessing()) {
                        run.pc = *no;
                        return Ok(Next::Op);
                    }
                    options = vec![Opt::No];
                }
                let seat = Self::me(run)?;
                run.pc -= 1;
                return Ok(Next::Ask(Decision { seat, ask: Ask::May(*prompt), options }));
            }
            Op::Either(branches) => {
                let ops = &self.rules.programs[run.program.index()].program.ops;
                let possible = |eval: Eval<'_>| -> Vec<Opt> {
                    let leads_on = |(index, (_, start)): &(usize, &(PromptId, u32))| {
                        eval.would_do(ops, *start as usize, end_of_branch(ops, branches, *index), &run.locals)
                    };
                    let ways = branches.iter().enumerate().filter(leads_on);
                    ways.map(|(_, (prompt, start))| Opt::Branch(*prompt, *start)).collect()
                };
                let options = possible(self.eval());
                let seat = Self::me(run)?;
                if let [Opt::Branch(_, start)] = options.as_slice()
                    && possible(self.eval().guessing()).len() == 1
                {
                    run.pc = *start;
                    return Ok(Next::Op);
                }
                run.pc -= 1;
                return Ok(Next::Ask(Decision { seat, ask: Ask::Either, options }));
            }
            Op::Collect { list, set } => {
                let items = self.eval().collect(set, &mut run.locals);
                run.locals[list.index()] = Value::Int(run.lists.len() as i64);
                run.lists.push((items, 0));
            }
            Op::Next { list, into, end } => {
                let index = run.locals[list.index()].int() as usize;
                let Some((items, at)) = run.lists.get_mut(index) else {
                    return Err(Fault::new("a list was lost"));
                };
                match items.get(*at as usize) {
                    Some(item) => {
                        *at += 1;
                        run.locals[into.index()] = *item;
                    }
                    None => {
                        run.lists.truncate(index);
                        run.pc = *end;
                    }
                }
            }
            Op::SetVar { var, owner, value } => {
                let owner = owner.as_ref().map(|owner| self.eval().expr(owner, &mut run.locals));
                let value = self.eval().expr(value, &mut run.locals);
                self.set_var(*var, owner, value)?;
            }
            Op::Raise { event, args } => {
                let args = args.iter().map(|arg| self.eval().expr(arg, &mut run.locals)).collect();
                self.raise(*event, run.locals[0].seat(), args);
            }
            Op::Perform { action, args, free } => {
                let args: SmallVec<[Value; 4]> =
                    args.iter().map(|arg| self.eval().expr(arg, &mut run.locals)).collect();
                self.perform(Self::me(run)?, *action, &args, *free)?;
            }
            Op::Use { piece, attr } => {
                let piece = self.piece(piece, run)?;
                self.use_effect(run.locals[0].seat(), piece, *attr)?;
            }
            Op::Script { hook, args } => {
                let args = args.iter().map(|arg| self.eval().expr(arg, &mut run.locals)).collect();
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
            Op::EndTurn => self.end_turn(),
            Op::EndPhase => self.end_phase(),
            Op::EndGame { winner } => {
                let winner = winner.as_ref().map(|winner| self.eval().expr(winner, &mut run.locals).seat());
                if winner == Some(None) {
                    return Err(Fault::new("nobody is there to have won"));
                }
                self.finish(winner.flatten());
                return Ok(Next::Over);
            }
            Op::Look { set, by } => {
                let seat = self.chooser(by, run)?;
                let seen = self.eval().collect(set, &mut run.locals);
                let pieces: SmallVec<[PieceId; 16]> = seen.iter().filter_map(|value| value.piece()).collect();
                let mut looks = std::mem::take(&mut self.looks);
                self.look_at(seat, &pieces, &mut looks);
                self.looks = looks;
            }
            Op::Seen { by, prompt } => {
                let seat = self.chooser(by, run)?;
                run.pc -= 1;
                return Ok(Next::Ask(Decision { seat, ask: Ask::Seen(*prompt), options: vec![Opt::Continue] }));
            }
            Op::Pass => {
                let me = Self::me(run)?;
                self.pass(me);
            }
            Op::Pause => {
                let me = Self::me(run)?;
                self.state.frames.push(Frame::Pause(me));
            }
            Op::Cancel => self.cancel(),
            Op::Rejoin(seat) => {
                let Some(seat) = self.eval().expr(seat, &mut run.locals).seat() else {
                    return Err(Fault::new("nobody is there to take part again"));
                };
                self.rejoin(seat);
            }
        }
        Ok(Next::Op)
    }

    /// Runs an effect of a piece.
    pub(crate) fn use_effect(
        &mut self,
        me: Option<Seat>,
        piece: PieceId,
        attr: rulepack_expr::AttrId,
    ) -> Result<(), Fault> {
        let ty = self.rules.type_of(piece);
        let Some(AttrValue::Effect(program)) = self.rules.attr(ty, attr) else {
            return Err(Fault::new(format!("`{}` has no such effect", self.rules.types[ty.index()].name)));
        };
        let locals = slots(me, Some(piece), &[], self.rules.programs[program.index()].program.locals);
        self.push_program(program, locals);
        Ok(())
    }

    pub(crate) fn answer_run(&mut self, option: Opt) -> Result<(), Fault> {
        let rules = self.rules;
        let Some(Frame::Run(run)) = self.state.frames.last_mut() else {
            return Err(Fault::new("no effect is at work"));
        };
        let op = &rules.programs[run.program.index()].program.ops[run.pc as usize];
        match (op, option) {
            (Op::Choose { into, .. }, Opt::Value(value)) => {
                run.locals[into.index()] = value;
                run.pc += 1;
            }
            (Op::ChooseMore { into, taken, different, .. }, Opt::Value(value)) => {
                if let Some((chosen, _)) = chosen_list(run, *different) {
                    chosen.push(value);
                }
                run.locals[into.index()] = value;
                run.locals[taken.index()] = Value::Int(run.locals[taken.index()].int() + 1);
                run.pc += 1;
            }
            (Op::ChooseMore { end, different, .. }, Opt::Done) => leave_choice(run, *different, *end),
            (Op::May { .. }, Opt::Yes) => run.pc += 1,
            (Op::May { no, .. }, Opt::No) => run.pc = *no,
            (Op::Either(_), Opt::Branch(_, start)) => run.pc = start,
            (Op::Seen { .. }, Opt::Continue) => run.pc += 1,
            _ => return Err(Fault::new("this answer does not fit the question")),
        }
        Ok(())
    }
}

/// What an operation led to.
pub(crate) enum Next {
    Op,
    Ask(Decision),
    Over,
}
