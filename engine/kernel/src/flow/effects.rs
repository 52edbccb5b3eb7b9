//! Effects: one operation after the other. `operations/` has a function for each operation.

use rulepack_model::{PieceId, ProgId, Seat};

use crate::eval::expressions::{Slots, fill};
use crate::flow::choices::{leave_choice, take_one};
use crate::flow::decision::{Ask, Opt, Question};
use crate::flow::fault::Fault;
use crate::flow::frame::*;
use crate::flow::machine::{Flow, Machine, Mode};
use crate::lower::Step;
use crate::persist::gone::Gone;
use crate::rules::shortcuts::Shortcut;
use crate::state::value::Value;

/// The largest number of effects that run one inside the other without frames on the stack.
const MOST_INSIDE: u8 = 12;

impl Machine<'_> {
    pub(crate) fn push_program(&mut self, program: ProgId, locals: Slots) {
        self.state.push_frame(Frame::Run(RunFrame::new(program, locals)));
    }

    /// Runs an effect at once, or puts it on the stack, for instance if a standing rule must be checked first.
    pub(crate) fn begin_program(
        &mut self,
        program: ProgId,
        me: Option<Seat>,
        this: Option<PieceId>,
        args: &[Value],
    ) -> Result<Flow, Fault> {
        self.begin_with(program, me, this, args, self.rules.programs[program.index()].program.locals)
    }

    /// Like [`Machine::begin_program`], with `count` slots.
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
            || self.state.depth() >= self.rules.limits.frames as usize
            || self.mode == Mode::Stacked
            || !self.rules.shortcuts.takes(Shortcut::UnstackedEffects)
        {
            self.push_chosen(self.state.depth(), true);
            self.state.push_frame(Frame::Run(run));
            return Ok(Flow::Go);
        }
        self.run(&mut run)
    }

    /// Whether the running effect can wait for another effect, an event or a transfer without a frame of its own.
    ///
    /// It cannot while it lets players look at pieces, because [`Machine::looks`] belongs to one effect at a time. It cannot
    /// inside a free action, because the ways to end that action are tried out on a copy of the stack, which must be complete.
    pub(crate) fn may_go_inside(&self) -> bool {
        self.unstacked.depth < MOST_INSIDE
            && self.looks.is_empty()
            && !self.is_interrupted()
            && self.mode != Mode::Stacked
            && self.rules.shortcuts.takes(Shortcut::UnstackedEffects)
    }

    /// Does `work` in the middle of an effect that has no frame. If `work` does not end at once, it leaves frames on the
    /// stack, and [`Machine::run`] inserts the frame of the effect below them.
    pub(crate) fn run_unstacked(&mut self, work: impl FnOnce(&mut Self) -> Result<Flow, Fault>) -> Result<Next, Fault> {
        // If the chosen action needs a frame, it belongs below the frame of this effect, so `work` must not push it.
        let chosen = self.unstacked.action.take();
        self.unstacked.depth += 1;
        let flow = work(self)?;
        self.unstacked.depth -= 1;
        self.unstacked.action = chosen;
        Ok(match flow {
            _ if self.state.is_over() => Next::Over,
            Flow::Go => Next::Op,
            Flow::Ask(question) => Next::Ask(question),
        })
    }

    /// Runs the effect on top of the stack.
    pub(crate) fn step_run(&mut self) -> Result<Flow, Fault> {
        let Some(Frame::Run(mut run)) = self.state.pop_frame() else {
            return Err(Fault::new("no effect is at work"));
        };
        self.run(&mut run)
    }

    /// Runs an effect until it ends, must wait for another frame, or asks a player. If it does not end, it is put onto the
    /// stack.
    fn run(&mut self, run: &mut RunFrame) -> Result<Flow, Fault> {
        self.looks = std::mem::take(&mut run.looks);
        let rules = self.rules;
        let compiled = &rules.programs[run.program.index()];
        let steps = compiled.steps(rules);
        let mut last = run.pc;
        loop {
            let before = self.state.depth();
            let Some(step) = steps.get(run.pc as usize) else {
                if self.state.fuel().is_out() {
                    // The previous step used up the budget: the fault names that one.
                    run.pc = last;
                    self.put_back(run, before);
                } else {
                    self.looks.clear();
                }
                return Ok(Flow::Go);
            };
            if !self.state.fuel().burn(1) {
                run.pc = last;
                self.put_back(run, before);
                return Ok(Flow::Go);
            }
            last = run.pc;
            // Steps that only read the table are done here, the others by `operate`.
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
                    if self.state.depth() != before || self.standing_due() {
                        // The new frame or the standing rule comes first. This effect waits below it.
                        self.put_back(run, before);
                        return Ok(Flow::Go);
                    }
                }
                Next::Ask(question) => {
                    self.put_back(run, before);
                    return Ok(Flow::Ask(question));
                }
                Next::Wait => {
                    self.put_back(run, before);
                    return Ok(Flow::Go);
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

    /// Puts an effect that has not ended onto the stack, at index `at`, and the chosen action below it.
    fn put_back(&mut self, run: &mut RunFrame, at: usize) {
        let at = self.push_chosen(at, true);
        let frame = Frame::Run(RunFrame {
            program: run.program,
            pc: run.pc,
            locals: std::mem::take(&mut run.locals),
            lists: std::mem::take(&mut run.lists),
            waits: Gone,
            looks: std::mem::take(&mut self.looks),
            standing: run.standing,
        });
        if at == self.state.depth() {
            self.state.push_frame(frame);
        } else {
            self.state.insert_frame(at, frame);
        }
    }

    /// Asks a player in the middle of an effect.
    pub(crate) fn ask_next(&mut self, seat: Seat, ask: Ask, options: Vec<Opt>) -> Next {
        self.options = options;
        Next::Ask(Question { seat, ask })
    }

    pub(crate) fn answer_run(&mut self, option: Opt) -> Result<(), Fault> {
        let rules = self.rules;
        let Some(Frame::Run(run)) = self.state.top_frame_mut() else {
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
            (Step::ChooseMore(_, more), Opt::Done) => leave_choice(run, *more),
            (Step::May { .. }, Opt::Yes) => run.pc += 1,
            (Step::May { no, .. }, Opt::No) => run.pc = *no,
            (Step::Either(_), Opt::Branch(_, start)) => run.pc = start,
            (Step::Seen { .. }, Opt::Continue) => run.pc += 1,
            _ => return Err(Fault::new("this answer does not fit the question")),
        }
        Ok(())
    }
}

/// What comes after an operation.
pub(crate) enum Next {
    /// The operation at `run.pc`.
    Op,
    /// A question to a player; the options are in [`Machine::options`].
    Ask(Question),
    /// Nothing now: the effect waits on the stack.
    Wait,
    /// Nothing: the game is over.
    Over,
}
