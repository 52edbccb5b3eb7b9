//! Steps with steps inside: `may`, `either`, `if`, loops, choices of several.

use rulepack_model::{Local, PromptId};

use super::{complete, next};
use crate::ast::*;
use crate::check::{Checked, Checker};
use crate::code::*;
use crate::error::ExprError;
use crate::vocabulary::Ty;

/// The slots of a choice of several things.
pub(super) struct Several {
    /// Each of them, one after the other.
    pub(super) into: Local,
    pub(super) ty: Ty,
    /// Their list, if there is one.
    pub(super) list: Option<Local>,
}

impl Checker<'_> {
    /// `may STEP as QUESTION`
    pub(super) fn may(&mut self, step: &StepAst, prompt: &Option<NameAst>, ops: &mut Vec<Op>) -> Checked<()> {
        let prompt = self.prompt(prompt);
        let prompt = self.keep(prompt, None);
        let here = ops.len();
        ops.push(Op::May { prompt, no: 0 });
        self.block(std::slice::from_ref(step), ops);
        complete(ops, here, |no| Op::May { prompt, no });
        Ok(())
    }

    /// `either NAME { … } or NAME { … }`
    pub(super) fn either(&mut self, branches: &[(NameAst, Vec<StepAst>)], ops: &mut Vec<Op>) -> Checked<()> {
        let here = ops.len();
        ops.push(Op::Either(Vec::new()));
        let mut starts = Vec::new();
        let mut ends = Vec::new();
        for (label, steps) in branches {
            let prompt = self.way_named(label);
            starts.push((self.keep(prompt, PromptId::from(0)), next(ops)));
            self.block(steps, ops);
            ends.push(ops.len());
            ops.push(Op::Jump(0));
        }
        for jump in ends {
            complete(ops, jump, Op::Jump);
        }
        complete(ops, here, |_| Op::Either(starts));
        Ok(())
    }

    /// `repeat TIMES { … }`
    pub(super) fn repeat(&mut self, times: &Ast, body: &[StepAst], ops: &mut Vec<Op>) -> Checked<()> {
        let times = self.int(times);
        let times = self.keep(times, Expr::Int(0));
        let left = self.bind(" left", Ty::Int);
        ops.push(Op::Let(left, times));
        let start = ops.len();
        let more = Expr::Binary(BinaryOp::Gt, Box::new(Expr::Local(left)), Box::new(Expr::Int(0)));
        ops.push(Op::JumpUnless(more.clone(), 0));
        ops.push(Op::Let(left, Expr::Binary(BinaryOp::Sub, Box::new(Expr::Local(left)), Box::new(Expr::Int(1)))));
        self.block(body, ops);
        ops.push(Op::Jump(start as u32));
        complete(ops, start, |end| Op::JumpUnless(more, end));
        Ok(())
    }

    /// `for each NAME in SET { … }`
    pub(super) fn for_each(&mut self, name: &NameAst, set: &Ast, body: &[StepAst], ops: &mut Vec<Op>) -> Checked<()> {
        let (members, ty) = self.set_for(&name.text, set);
        let list = self.bind(" list", Ty::Int);
        ops.push(Op::Collect { list, set: members });
        let depth = self.scope.len();
        let into = self.bind_from(&name.text, ty, set);
        let start = ops.len();
        ops.push(Op::Jump(0));
        self.steps(body, ops);
        self.scope.truncate(depth);
        ops.push(Op::Jump(start as u32));
        complete(ops, start, |end| Op::Next { list, into, end });
        Ok(())
    }

    /// `if COND { … } else { … }`
    pub(super) fn if_else(
        &mut self,
        cond: &Ast,
        then: &[StepAst],
        other: &[StepAst],
        ops: &mut Vec<Op>,
    ) -> Checked<()> {
        let cond = self.bool(cond);
        let cond = self.keep(cond, Expr::Bool(true));
        let here = ops.len();
        ops.push(Op::Jump(0));
        self.block(then, ops);
        if other.is_empty() {
            complete(ops, here, |end| Op::JumpUnless(cond, end));
        } else {
            let skip = ops.len();
            ops.push(Op::Jump(0));
            complete(ops, here, |end| Op::JumpUnless(cond, end));
            self.block(other, ops);
            complete(ops, skip, Op::Jump);
        }
        Ok(())
    }

    /// `as PLAYER { … }`
    pub(super) fn as_seat(&mut self, seat: &Ast, body: &[StepAst], ops: &mut Vec<Op>) -> Checked<()> {
        let seat = self.expect_type(seat, Ty::Seat);
        let seat = self.keep(seat, Expr::Local(ME));
        let kept = self.bind(" me", Ty::Seat);
        ops.push(Op::Let(kept, Expr::Local(ME)));
        ops.push(Op::Let(ME, seat));
        self.block(body, ops);
        ops.push(Op::Let(ME, Expr::Local(kept)));
        Ok(())
    }

    pub(super) fn choose(&mut self, choice: &ChooseAst, ops: &mut Vec<Op>) -> Checked<()> {
        let ChooseAst { range, different, name, set, secret, if_any, by, prompt, free: _, body } = choice;
        let (prompt, by) = (self.prompt(prompt), self.seat_or_me(by));
        let (prompt, by) = (self.keep(prompt, None), self.keep(by, Expr::Local(ME)));
        if *different && range.is_none() {
            return Err(ExprError::syntax(name.at.clone(), "one thing alone is always different")
                .help("`different` belongs to a choice of several: `choose 2..3 different NAME in … { … }`"));
        }
        if *secret && (range.is_some() || *if_any) {
            return Err(ExprError::syntax(name.at.clone(), "a choice of several tells others how many were chosen")
                .help(format!("`in secret` belongs to a choice of one thing: `choose {} in … in secret`", name.text)));
        }
        let one = || Ast::leaf(AstKind::Int(1), name.at.clone());
        let range = if *if_any && range.is_none() { Some((one(), one())) } else { range.clone() };
        if *if_any && body.is_none() {
            return Err(ExprError::syntax(name.at.clone(), "what happens with it, if there is any?")
                .help("`if any` needs a block: `choose NAME in … if any { … }`"));
        }
        if !if_any {
            self.note_choice(&range, set)?;
        }
        self.care = self.care.tried();
        match (&range, body) {
            (None, None) => {
                let (members, ty) = self.set_for(&name.text, set);
                let into = self.bind_from(&name.text, ty, set);
                ops.push(Op::Choose { into, set: members, by, prompt, secret: *secret });
            }
            (None, Some(body)) => {
                let depth = self.scope.len();
                let (members, ty) = self.set_for(&name.text, set);
                let into = self.bind_from(&name.text, ty, set);
                ops.push(Op::Choose { into, set: members, by, prompt, secret: *secret });
                self.block(body, ops);
                self.scope.truncate(depth);
            }
            (Some(_), None) => {
                return Err(ExprError::syntax(name.at.clone(), "what happens with each of them?").help(format!(
                    "a choice of several needs a block: `choose … {0} in … {{ … }}`, with steps for `{0}`",
                    name.text
                )));
            }
            (Some(_), Some(body)) => {
                let depth = self.scope.len();
                self.several(choice, (by, prompt), false, ops, |checker, ops| checker.block(body, ops));
                self.scope.truncate(depth);
            }
        }
        Ok(())
    }

    /// A choice of several things by a player. `body` is what is done with each; `keeps` is whether their list stays.
    pub(super) fn several(
        &mut self,
        choice: &ChooseAst,
        (by, prompt): (Expr, Option<PromptId>),
        keeps: bool,
        ops: &mut Vec<Op>,
        body: impl FnOnce(&mut Self, &mut Vec<Op>),
    ) -> Several {
        let ChooseAst { range, different, name, set, secret: _, if_any, by: _, prompt: _, free, body: _ } = choice;
        let one = || Ast::leaf(AstKind::Int(1), name.at.clone());
        let range = range.clone().unwrap_or_else(|| (one(), one()));
        let numbers = self.at_least_at_most(&range);
        let (least, most) = self.keep(numbers, (Expr::Int(0), Expr::Int(0)));
        let taken = self.bind(" taken", Ty::Int);
        let floor = self.bind(" least", Ty::Int);
        let ceiling = self.bind(" most", Ty::Int);
        ops.push(Op::Let(taken, Expr::Int(0)));
        ops.push(Op::Let(floor, least));
        ops.push(Op::Let(ceiling, most));
        let chosen = (*different || keeps).then(|| self.bind(" chosen", Ty::Int));
        ops.extend(chosen.map(Op::List));
        let (members, ty) = self.set_for(&name.text, set);
        let into = self.bind_from(&name.text, ty, set);
        let start = ops.len();
        let more = |end| Op::ChooseMore {
            into,
            set: members.clone(),
            by: by.clone(),
            prompt,
            if_any: *if_any,
            free: *free,
            taken,
            least: floor,
            most: ceiling,
            different: chosen,
            keeps,
            end,
        };
        ops.push(more(0));
        body(self, ops);
        ops.push(Op::Jump(start as u32));
        complete(ops, start, more);
        Several { into, ty, list: chosen }
    }

    /// The least and the most number of a choice. Constants are compared here, other numbers when the choice is made.
    fn at_least_at_most(&mut self, (from, to): &(Ast, Ast)) -> Checked<(Expr, Expr)> {
        let (least, most) = (self.int(from), self.int(to));
        let (least, most) = (self.keep(least, Expr::Int(0)), self.keep(most, Expr::Int(0)));
        if let (Some(lowest), Some(highest)) = (least.constant(), most.constant())
            && lowest > highest
        {
            let at = from.at.start..to.at.end;
            return Err(ExprError::kind(at, format!("at least {lowest} and at most {highest} cannot be"))
                .help(format!("write the smaller number first: `{highest}..{lowest}`")));
        }
        Ok((least, most))
    }
}
