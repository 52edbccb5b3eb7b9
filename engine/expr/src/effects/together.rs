//! `together PLAYERS { … }`: several players choose at the same time; then it is done, player by player.
//!
//! The block is compiled twice. First its choices, with the names that are given before the last of them: these operations
//! ask a player and change nothing, so that what one player is asked does not depend on what others have chosen. Then the
//! rest, which finds the choices in the slots where they were kept. For example
//!
//! ```text
//! together players { choose card in my hand as bid; move card to my bids }
//! ```
//!
//! first asks every player for a card, then moves the card of each. What the choices lead to also stands among the first
//! operations, behind [`Op::OnlyTried`]: a way that cannot be carried out is not offered.

use std::collections::VecDeque;

use rulepack_model::Local;

use super::{complete, next};
use crate::ast::*;
use crate::check::{Checked, Checker};
use crate::code::*;
use crate::error::ExprError;
use crate::vocabulary::Ty;

/// What a step among the choices has left for the second part, in the order of the steps.
#[derive(Debug, Clone)]
enum Made {
    /// A name with its slot.
    Name(String, Local, Ty),
    /// The slot for each of several things, and that of their list.
    Several(String, Local, Ty, Local),
    /// Whether a `may` was chosen, or whether the condition of an `if` held.
    Flag(Local),
    /// The number of a way of `either`.
    Way(Local),
    /// Nothing, because of a mistake.
    Mistake,
}

/// The choices of a `together`.
#[derive(Debug, Default)]
struct Asks {
    made: VecDeque<Made>,
    lists: Vec<Local>,
    told: Vec<Told>,
}

impl Asks {
    fn append(&mut self, mut inner: Asks) {
        self.made.append(&mut inner.made);
        self.lists.append(&mut inner.lists);
        self.told.append(&mut inner.told);
    }
}

/// Whether a step asks a player to decide something that is decided together.
fn chooses(step: &StepKind) -> bool {
    let asks =
        matches!(step, StepKind::Choose(_) | StepKind::May { .. } | StepKind::Either(_) | StepKind::Together { .. });
    asks || step.facts().inside.any(|step| chooses(&step.kind))
}

/// The steps up to the last choice, and those after it.
fn split(steps: &[StepAst]) -> (&[StepAst], &[StepAst]) {
    let choices = steps.iter().rposition(|step| chooses(&step.kind)).map_or(0, |last| last.saturating_add(1));
    steps.split_at_checked(choices).unwrap_or((steps, &[]))
}

impl Checker<'_> {
    pub(super) fn together(&mut self, players: &Ast, body: &[StepAst], ops: &mut Vec<Op>) -> Checked<()> {
        if !body.iter().any(|step| chooses(&step.kind)) {
            return Err(ExprError::kind(players.at.clone(), "nobody chooses anything in this `together`")
                .help("without a choice, write `for each player in players { as player { … } }`"));
        }
        let set = self.players(players);
        let set = self.keep(set, Set::Seats);
        let outside = self.scope.len();
        let me = self.bind(" me", Ty::Seat);
        let list = self.bind(" players", Ty::Int);
        let kept = self.bind(" kept", Ty::Int);
        let player = self.bind(" player", Ty::Seat);
        let inside = self.scope.len();
        ops.extend([Op::Let(me, Expr::Local(ME)), Op::Collect { list, set }, Op::List(kept)]);
        let ask_next = next(ops);
        ops.push(Op::Jump(0));
        ops.push(Op::Let(ME, Expr::Local(player)));
        let first = Local(self.next);
        let mut asks = Asks::default();
        self.ask(body, &mut asks, ops);
        let Asks { mut made, lists, told } = asks;
        let slots = TogetherSlots { players: list, kept, player, first, end: Local(self.next) };
        let keep = ops.len();
        ops.push(Op::Jump(0));
        complete(ops, ask_next as usize, |end| Op::AskNext { slots, end });
        ops.push(Op::Reveal { slots, lists: lists.clone(), told });
        let do_next = next(ops);
        ops.push(Op::Jump(0));
        ops.push(Op::Let(ME, Expr::Local(player)));
        complete(ops, keep, |then| Op::KeepChoices { slots, lists: lists.clone(), next: ask_next, then });
        self.scope.truncate(inside);
        self.carry_out(body, &mut made, ops);
        ops.push(Op::Jump(do_next));
        complete(ops, do_next as usize, |end| Op::DoNext { slots, lists, end });
        ops.push(Op::Let(ME, Expr::Local(me)));
        self.scope.truncate(outside);
        Ok(())
    }

    /// A set of players.
    fn players(&mut self, ast: &Ast) -> Checked<Set> {
        match self.set(ast)? {
            (set, Ty::Seat | Ty::Any) => Ok(set),
            _ => Err(ExprError::kind(ast.at.clone(), "players choose together, and these are no players")
                .help("write `together players { … }`, or `together (players where …) { … }`")),
        }
    }

    // ---- the choices ----

    /// The steps up to the last choice.
    fn ask(&mut self, steps: &[StepAst], asks: &mut Asks, ops: &mut Vec<Op>) {
        for step in split(steps).0 {
            let (before, depth, care) = (ops.len(), self.scope.len(), self.care);
            self.care = care.inside(&step.kind);
            let done = self.ask_step(step, asks, ops);
            self.care = care.after(&step.kind);
            self.place(before, ops, &step.at);
            if let Err(error) = done {
                asks.made.push_back(Made::Mistake);
                self.failed(step, depth, error);
            }
        }
    }

    /// The same with a scope of its own; what it leads to is tried before it is offered.
    fn ask_block(&mut self, steps: &[StepAst], asks: &mut Asks, ops: &mut Vec<Op>) {
        let (depth, care) = (self.scope.len(), self.care);
        let mut inner = Asks::default();
        self.ask(steps, &mut inner, ops);
        let mut made = inner.made.clone();
        self.only_tried(ops, |checker, ops| checker.carry_out(steps, &mut made, ops));
        asks.append(inner);
        self.scope.truncate(depth);
        self.care = care;
    }

    /// Steps that are done later, and compiled there again: mistakes in them are told then.
    fn only_tried(&mut self, ops: &mut Vec<Op>, steps: impl FnOnce(&mut Self, &mut Vec<Op>)) {
        let (mistakes, notes, doubtful) = (self.more.len(), self.vocabulary.notes.len(), self.doubtful.len());
        let here = ops.len();
        ops.push(Op::OnlyTried(0));
        steps(self, ops);
        complete(ops, here, Op::OnlyTried);
        self.more.truncate(mistakes);
        self.vocabulary.notes.truncate(notes);
        self.doubtful.truncate(doubtful);
    }

    fn ask_step(&mut self, step: &StepAst, asks: &mut Asks, ops: &mut Vec<Op>) -> Checked<()> {
        if let Some(name) = step.kind.facts().name {
            super::named_well(name)?;
        }
        match &step.kind {
            StepKind::Let { name, value } => {
                self.give_name(name, value, ops)?;
                let made = self.last_name();
                if let Made::Name(_, local, _) = &made
                    && self.kept.contains(local)
                {
                    return Err(ExprError::kind(
                        value.at.clone(),
                        "no set gets a name among what players choose together",
                    )
                    .help("write the set where it is used, or name it before the `together`"));
                }
                asks.made.push_back(made);
            }
            StepKind::Choose(choice) => self.ask_choice(choice, asks, ops)?,
            StepKind::May { step, prompt } => self.ask_may(step, prompt, asks, ops),
            StepKind::Either(branches) => self.ask_way(branches, asks, ops),
            StepKind::If { cond, then, other } if chooses(&step.kind) => self.ask_if(cond, then, other, asks, ops),
            StepKind::Block(steps) if chooses(&step.kind) => {
                let depth = self.scope.len();
                self.ask(steps, asks, ops);
                self.scope.truncate(depth);
            }
            StepKind::Named { .. } => {
                return Err(ExprError::kind(step.at.clone(), "a choice in a `together` cannot have a name of its own")
                    .help("leave the name out, or name the whole `together`"));
            }
            StepKind::Together { .. } => {
                return Err(ExprError::kind(step.at.clone(), "one `together` does not stand inside another")
                    .help("write one after the other"));
            }
            kind if chooses(kind) => {
                return Err(ExprError::kind(step.at.clone(), "what players choose together does not stand in a loop")
                    .help("write the choices of each player one after the other, such as `choose 2..2 different …`"));
            }
            _ => {
                return Err(ExprError::kind(step.at.clone(), "in a `together`, all choose before anything is done")
                    .help("write this behind the last choice of the block"));
            }
        }
        Ok(())
    }

    /// The name that was given last.
    fn last_name(&self) -> Made {
        self.scope.last().map_or(Made::Mistake, |(name, local, ty)| Made::Name(name.clone(), *local, *ty))
    }

    fn ask_choice(&mut self, choice: &ChooseAst, asks: &mut Asks, ops: &mut Vec<Op>) -> Checked<()> {
        if let Some(by) = &choice.by {
            return Err(ExprError::kind(by.at.clone(), "in a `together`, nobody chooses for another player")
                .help("leave out `by …`: each of the players chooses"));
        }
        if choice.free {
            return Err(ExprError::kind(
                choice.name.at.clone(),
                "no free actions are offered while players choose together",
            )
            .help("leave out `with free`"));
        }
        let several = choice.range.is_some() || choice.if_any;
        match (&choice.body, several) {
            (body, false) => {
                self.choose(&ChooseAst { body: None, ..choice.clone() }, ops)?;
                let made = self.last_name();
                if let Made::Name(_, local, _) = made
                    && !choice.secret
                {
                    asks.told.push(Told::Value(local));
                }
                asks.made.push_back(made);
                if let Some(body) = body {
                    let depth = self.scope.len().saturating_sub(1);
                    self.ask(body, asks, ops);
                    self.scope.truncate(depth);
                }
            }
            (None, true) => self.choose(choice, ops)?,
            (Some(body), true) => self.ask_several(choice, body, asks, ops)?,
        }
        Ok(())
    }

    fn ask_several(&mut self, choice: &ChooseAst, body: &[StepAst], asks: &mut Asks, ops: &mut Vec<Op>) -> Checked<()> {
        let name = &choice.name;
        if let Some(inner) = body.iter().find(|step| chooses(&step.kind)) {
            return Err(ExprError::kind(
                inner.at.clone(),
                "what is done for each of several is done when all have chosen",
            )
            .help("write this choice behind the block, or choose one thing after the other"));
        }
        let is_payment = |step: &&StepAst| matches!(step.kind, StepKind::Pay { .. } | StepKind::Store { .. });
        if let Some(payment) = body.iter().find(is_payment) {
            let message = "whether each of several can be paid for is not known before all have chosen";
            return Err(ExprError::kind(payment.at.clone(), message)
                .help("write `if can_pay(…) { pay … }`, or choose one thing after the other"));
        }
        let one = |range: &(Ast, Ast)| range.1.kind == AstKind::Int(1);
        if !choice.different && !choice.range.as_ref().is_none_or(one) {
            let message = "what is chosen stays where it is until all have chosen, and could be chosen twice";
            return Err(ExprError::kind(name.at.clone(), message)
                .help(format!("write `different`: `choose 2..2 different {} in … {{ … }}`", name.text)));
        }
        let prompt = self.prompt(&choice.prompt);
        let prompt = self.keep(prompt, None);
        if !choice.if_any {
            self.note_choice(&choice.range, &choice.set)?;
        }
        self.care = self.care.tried();
        let depth = self.scope.len();
        let tried = |checker: &mut Self, ops: &mut Vec<Op>| {
            checker.only_tried(ops, |checker, ops| checker.steps(body, ops));
        };
        let several = self.several(choice, (Expr::Local(ME), prompt), true, ops, tried);
        self.scope.truncate(depth);
        let Some(list) = several.list else { return Ok(()) };
        asks.lists.push(list);
        asks.told.push(Told::List(list));
        asks.made.push_back(Made::Several(name.text.clone(), several.into, several.ty, list));
        Ok(())
    }

    fn ask_may(&mut self, step: &StepAst, prompt: &Option<NameAst>, asks: &mut Asks, ops: &mut Vec<Op>) {
        let flag = self.bind(" may", Ty::Bool);
        ops.push(Op::Let(flag, Expr::Bool(false)));
        let prompt = self.prompt(prompt);
        let prompt = self.keep(prompt, None);
        asks.made.push_back(Made::Flag(flag));
        asks.told.push(Told::May(flag));
        let here = ops.len();
        ops.push(Op::May { prompt, no: 0 });
        ops.push(Op::Let(flag, Expr::Bool(true)));
        self.ask_block(std::slice::from_ref(step), asks, ops);
        complete(ops, here, |no| Op::May { prompt, no });
    }

    fn ask_way(&mut self, branches: &[(NameAst, Vec<StepAst>)], asks: &mut Asks, ops: &mut Vec<Op>) {
        let way = self.bind(" way", Ty::Int);
        asks.made.push_back(Made::Way(way));
        let here = ops.len();
        ops.push(Op::Either(Vec::new()));
        let (mut starts, mut ends, mut inner) = (Vec::new(), Vec::new(), Asks::default());
        for (number, (label, steps)) in (0..).zip(branches) {
            let prompt = self.way_named(label);
            starts.push((self.keep(prompt, rulepack_model::PromptId::from(0)), next(ops)));
            ops.push(Op::Let(way, Expr::Int(number)));
            self.ask_block(steps, &mut inner, ops);
            ends.push(ops.len());
            ops.push(Op::Jump(0));
        }
        for jump in ends {
            complete(ops, jump, Op::Jump);
        }
        asks.told.push(Told::Way(way, starts.iter().map(|(prompt, _)| *prompt).collect()));
        asks.append(inner);
        complete(ops, here, |_| Op::Either(starts));
    }

    fn ask_if(&mut self, cond: &Ast, then: &[StepAst], other: &[StepAst], asks: &mut Asks, ops: &mut Vec<Op>) {
        let cond = self.bool(cond);
        let cond = self.keep(cond, Expr::Bool(true));
        let flag = self.bind(" if", Ty::Bool);
        asks.made.push_back(Made::Flag(flag));
        ops.push(Op::Let(flag, cond));
        let depth = self.scope.len();
        let here = ops.len();
        ops.push(Op::Jump(0));
        self.ask(then, asks, ops);
        self.scope.truncate(depth);
        let skip = ops.len();
        ops.push(Op::Jump(0));
        complete(ops, here, |end| Op::JumpUnless(Expr::Local(flag), end));
        self.ask(other, asks, ops);
        self.scope.truncate(depth);
        complete(ops, skip, Op::Jump);
    }

    // ---- what is done with them ----

    /// What follows from the choices of a player.
    fn carry_out(&mut self, steps: &[StepAst], made: &mut VecDeque<Made>, ops: &mut Vec<Op>) {
        let (choices, rest) = split(steps);
        for step in choices {
            let before = ops.len();
            self.carry_out_step(step, made, ops);
            self.place(before, ops, &step.at);
        }
        self.steps(rest, ops);
    }

    fn carry_out_block(&mut self, steps: &[StepAst], made: &mut VecDeque<Made>, ops: &mut Vec<Op>) {
        let (depth, care) = (self.scope.len(), self.care);
        self.carry_out(steps, made, ops);
        self.scope.truncate(depth);
        self.care = care;
    }

    fn carry_out_step(&mut self, step: &StepAst, made: &mut VecDeque<Made>, ops: &mut Vec<Op>) {
        if let StepKind::Block(steps) = &step.kind {
            return self.carry_out_block(steps, made, ops);
        }
        match (&step.kind, made.pop_front()) {
            (StepKind::Let { .. }, Some(Made::Name(name, local, ty))) => self.scope.push((name, local, ty)),
            (StepKind::Choose(choice), Some(Made::Name(name, local, ty))) => {
                let depth = self.scope.len();
                self.scope.push((name, local, ty));
                if let Some(body) = &choice.body {
                    self.carry_out(body, made, ops);
                    self.scope.truncate(depth);
                }
            }
            (StepKind::Choose(choice), Some(Made::Several(name, into, ty, list))) => {
                let depth = self.scope.len();
                self.scope.push((name, into, ty));
                let start = ops.len();
                ops.push(Op::Jump(0));
                self.steps(choice.body.as_deref().unwrap_or_default(), ops);
                self.scope.truncate(depth);
                ops.push(Op::Jump(start as u32));
                complete(ops, start, |end| Op::Next { list, into, end });
            }
            (StepKind::May { step, .. }, Some(Made::Flag(flag))) => {
                let here = ops.len();
                ops.push(Op::Jump(0));
                self.carry_out_block(std::slice::from_ref(step), made, ops);
                complete(ops, here, |end| Op::JumpUnless(Expr::Local(flag), end));
            }
            (StepKind::If { then, other, .. }, Some(Made::Flag(flag))) => {
                let here = ops.len();
                ops.push(Op::Jump(0));
                self.carry_out_block(then, made, ops);
                let skip = ops.len();
                ops.push(Op::Jump(0));
                complete(ops, here, |end| Op::JumpUnless(Expr::Local(flag), end));
                self.carry_out_block(other, made, ops);
                complete(ops, skip, Op::Jump);
            }
            (StepKind::Either(branches), Some(Made::Way(way))) => {
                for (number, (_, steps)) in (0..).zip(branches) {
                    let here = ops.len();
                    ops.push(Op::Jump(0));
                    self.carry_out_block(steps, made, ops);
                    let is_this = Expr::Binary(BinaryOp::Eq, Box::new(Expr::Local(way)), Box::new(Expr::Int(number)));
                    complete(ops, here, |end| Op::JumpUnless(is_this, end));
                }
            }
            // The mistake has been told; the name is not known.
            _ => self.name_doubtful(step),
        }
    }
}
