//! Operations that ask a player or roll dice. Choices of pieces and other things are in `flow/choices.rs`.

use rulepack_model::PromptId;

use crate::eval::expressions::Eval;
use crate::flow::decision::{Ask, Opt};
use crate::flow::effects::Next;
use crate::flow::fault::Fault;
use crate::flow::feasible::attempts::Effect;
use crate::flow::feasible::effects::end_of_branch;
use crate::flow::frame::*;
use crate::flow::machine::Machine;
use crate::lower::{Number, Source, Walk};
use crate::state::value::Value;

impl Machine<'_> {
    pub(super) fn roll_into(
        &mut self,
        run: &mut RunFrame,
        into: usize,
        sides: &Number,
        secret: bool,
    ) -> Result<(), Fault> {
        let sides = sides(&self.eval(), &mut run.locals);
        let result = self.roll(self.stream(run), run.locals[0].seat(), sides, secret)?;
        run.locals[into] = Value::Int(i64::from(result));
        Ok(())
    }

    pub(super) fn pick(&mut self, run: &mut RunFrame, into: usize, from: &Walk, secret: bool) -> Result<(), Fault> {
        let members = self.members(from, run);
        if members.is_empty() {
            return Err(Fault::new("there is nothing to pick from"));
        }
        let picked = self.roll(self.stream(run), run.locals[0].seat(), members.len() as i64, secret)?;
        run.locals[into] = members[picked as usize - 1];
        Ok(())
    }

    pub(super) fn may(&mut self, run: &mut RunFrame, prompt: Option<PromptId>, no: u32) -> Result<Next, Fault> {
        let effect = Effect::new(self.rules, run.program);
        let would = |eval: Eval<'_>| eval.would_do(effect, run.pc as usize, no as usize, &run.locals);
        let mut options = vec![Opt::Yes, Opt::No];
        if !would(self.eval()) {
            // Ask anyway if others cannot know that it is impossible, or if a free action may make it possible.
            let may_be = would(self.eval().as_public()) || self.reads_secrets(run, run.pc as usize, no as usize);
            if !run.locals[0].seat().is_some_and(|me| may_be || self.asks_anyway(me)) {
                self.forced(run.locals[0].seat(), Opt::No, 1);
                run.pc = no;
                return Ok(Next::Op);
            }
            options = vec![Opt::No];
        }
        let seat = Self::me(run)?;
        run.pc -= 1;
        Ok(self.ask_next(seat, Ask::May(prompt), options))
    }

    pub(super) fn either(&mut self, run: &mut RunFrame, branches: &[(PromptId, u32)]) -> Result<Next, Fault> {
        let effect = Effect::new(self.rules, run.program);
        let possible = |eval: Eval<'_>| -> Vec<Opt> {
            let leads_on = |(index, (_, start)): &(usize, &(PromptId, u32))| {
                let end = end_of_branch(effect.steps, branches, *index);
                eval.would_do(effect, *start as usize, end, &run.locals)
            };
            let ways = branches.iter().enumerate().filter(leads_on);
            ways.map(|(_, (prompt, start))| Opt::Branch(*prompt, *start)).collect()
        };
        let options = possible(self.eval());
        let seat = Self::me(run)?;
        if let [way @ Opt::Branch(_, start)] = options.as_slice()
            && possible(self.eval().as_public()).len() == 1
            && !branches.iter().any(|(_, at)| self.reads_secrets(run, *at as usize, effect.steps.len()))
            && !self.asks_anyway(seat)
        {
            self.forced(Some(seat), *way, 1);
            run.pc = *start;
            return Ok(Next::Op);
        }
        run.pc -= 1;
        Ok(self.ask_next(seat, Ask::Either, options))
    }

    /// Whether steps of an effect depend on a value that is hidden from somebody.
    #[inline]
    fn reads_secrets(&self, run: &RunFrame, from: usize, end: usize) -> bool {
        let ops = || self.rules.program(run.program).program.ops.get(from..end).unwrap_or(&[]);
        self.rules.has_secrets() && self.rules.ops_read_secrets(ops())
    }

    pub(super) fn wait_until_seen(&mut self, run: &mut RunFrame, by: &Source, prompt: PromptId) -> Result<Next, Fault> {
        let seat = self.chooser(by, run)?;
        run.pc -= 1;
        Ok(self.ask_next(seat, Ask::Acknowledge(prompt), vec![Opt::Continue]))
    }
}
