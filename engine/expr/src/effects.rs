//! The second half of the checker: it compiles the steps of effects to operations.

mod blocks;
mod named;
mod others;
mod pieces;
mod questions;
mod resources;
mod together;

pub use named::AddedSteps;
use pieces::Which;

use rulepack_model::PromptId;

use crate::ast::*;
use crate::check::{Checkable, Checked, Checker};
use crate::code::*;
use crate::error::ExprError;
use crate::meant::{means_something, name_besides};
use crate::vocabulary::Ty;

/// The index that the next operation will have, as a target for jumps.
fn next(ops: &[Op]) -> u32 {
    ops.len() as u32
}

/// Replaces the operation at `at`, whose jump target was not known before: it jumps behind all operations so far.
fn complete(ops: &mut [Op], at: usize, op: impl FnOnce(u32) -> Op) {
    let end = next(ops);
    if let Some(waiting) = ops.get_mut(at) {
        *waiting = op(end);
    }
}

/// Refuses a name that is a word of the language.
pub(crate) fn named_well(name: &NameAst) -> Checked<()> {
    if means_something(&name.text) {
        let word = &name.text;
        let message = format!("`{word}` is a word of the language and cannot get another meaning");
        let help = format!("take another name, such as `{}`", name_besides(word));
        return Err(ExprError::kind(name.at.clone(), message).help(help));
    }
    Ok(())
}

impl Checker<'_> {
    fn block(&mut self, steps: &[StepAst], ops: &mut Vec<Op>) {
        let (depth, care) = (self.scope.len(), self.care);
        self.steps(steps, ops);
        self.scope.truncate(depth);
        self.care = care;
    }

    /// Compiles steps. After a step with a mistake the others are still checked; a name that it would have given has any type.
    pub(crate) fn steps(&mut self, steps: &[StepAst], ops: &mut Vec<Op>) {
        let mut rest = steps;
        while let Some((step, after)) = rest.split_first() {
            rest = after;
            let (before, depth, care) = (ops.len(), self.scope.len(), self.care);
            self.note_after_end(step, after);
            self.care = care.inside(&step.kind);
            let done = self.step(step, ops);
            self.care = care.after(&step.kind);
            self.place(before, ops, &step.at);
            if let Err(error) = done {
                self.failed(step, depth, error);
            }
        }
    }

    /// Notes the place of the operations of a step; those of steps inside it have their places already.
    fn place(&mut self, before: usize, ops: &[Op], at: &At) {
        self.places.resize(ops.len(), None);
        for place in self.places.iter_mut().skip(before) {
            place.get_or_insert_with(|| at.clone());
        }
    }

    /// Keeps the mistake of a step, and takes the name that it would have made known as it comes.
    fn failed(&mut self, step: &StepAst, depth: usize, error: ExprError) {
        self.more.push(error);
        self.scope.truncate(depth);
        self.name_doubtful(step);
    }

    /// What a step gives a name is not known, because of a mistake.
    fn name_doubtful(&mut self, step: &StepAst) {
        if let Some(name) = step.kind.facts().name.filter(|_| !matches!(step.kind, StepKind::ForEach { .. })) {
            self.bind(&name.text, Ty::Any);
            self.doubtful.push(name.text.clone());
        }
    }

    fn prompt_named(&self, name: &NameAst) -> Checked<PromptId> {
        self.vocabulary.prompts.get(&name.text).copied().ok_or_else(|| {
            let error = ExprError::name(name.at.clone(), format!("no question is called `{}`", name.text));
            let known = self.vocabulary.prompts.keys().map(String::as_str);
            self.vocabulary.suggestions.add(error, &name.text, known)
        })
    }

    /// A cost without `less`: for steps in which nothing is paid.
    fn whole_cost(&mut self, cost: &CostAst) -> Checked<Cost> {
        match &cost.less {
            Some(less) => Err(ExprError::kind(less.at.clone(), "only of what is paid can something be left out")
                .help("`less` follows what is paid: `pay 3 … less 1`, or the cost of an action")),
            None => self.cost(cost),
        }
    }

    fn dest(&mut self, ast: &Ast) -> Checked<Dest> {
        match self.check(ast)? {
            Checkable::Zone(zone) => Ok(Dest::Zone(zone)),
            Checkable::One(expr, Ty::Cell) => Ok(Dest::Cell(expr)),
            _ => {
                let error = ExprError::kind(ast.at.clone(), "a zone or a space is needed here");
                Err(self.traced(error.help("write `to ZONE`, `to my ZONE`, or `to PIECE.cell`"), ast))
            }
        }
    }

    /// A single piece; `verb` is the step that takes it, for the message.
    fn piece(&mut self, ast: &Ast, verb: &str) -> Checked<Expr> {
        let piece = self.expect_type(ast, Ty::Piece(None));
        if piece.is_ok() || !self.is_set(ast) {
            return piece;
        }
        let message = format!("`{verb}` takes one piece, and these are several");
        let help = match verb {
            "swap" => "one of them is `first(…)`, `top(…)`, or a piece that was chosen".to_string(),
            _ => {
                format!("for all of them: `for each piece in … {{ {verb} piece … }}`; for one: `first(…)` or `top(…)`")
            }
        };
        Err(ExprError::kind(ast.at.clone(), message).help(help))
    }

    fn seat_or_me(&mut self, ast: &Option<Ast>) -> Checked<Expr> {
        match ast {
            Some(ast) => {
                let seat = self.expect_type(ast, Ty::Seat);
                if seat.is_ok() || !self.is_set(ast) {
                    return seat;
                }
                Err(ExprError::kind(ast.at.clone(), "one player is meant here, and these are several")
                    .help("for all of them: `for each player in players { … for player }`"))
            }
            None => Ok(Expr::Local(ME)),
        }
    }

    fn step(&mut self, step: &StepAst, ops: &mut Vec<Op>) -> Checked<()> {
        const PIECE: Ty = Ty::Piece(None);
        step.kind.facts().name.map(named_well).transpose()?;
        match &step.kind {
            StepKind::Block(steps) => self.block(steps, ops),
            StepKind::Named { label, step } => self.named(label, step, ops)?,
            StepKind::Exchange { cost, then } => self.exchange(cost, then, ops)?,
            StepKind::Pay { cost, to } => self.pay(cost, to, ops)?,
            StepKind::Gain { cost, whom } => self.gain(cost, whom, ops)?,
            StepKind::Put { cost, on } => {
                let cost = self.whole_cost(cost)?;
                let on = self.expect_type(on, PIECE)?;
                ops.push(Op::Put { cost, on });
            }
            StepKind::Store { cost, on } => {
                let cost = self.cost(cost)?;
                let on = self.expect_type(on, PIECE)?;
                ops.push(Op::Store { cost, on });
            }
            StepKind::Take { cost, from } => self.take(cost, from, &step.at, ops)?,
            StepKind::GiveBack { cost, from } => {
                let cost = self.whole_cost(cost)?;
                let from = self.expect_type(from, PIECE)?;
                ops.push(Op::GiveBack { cost, from });
            }
            StepKind::Lay { piece, on } => {
                let (piece, on) = (self.piece(piece, "lay"), self.expect_type(on, PIECE));
                let (piece, on) = self.both(piece, on)?;
                ops.push(Op::Lay { piece, on });
            }
            StepKind::Move { piece, to, bottom, facing } => {
                let (moved, to) = (self.pieces(piece, "move"), self.dest(to));
                let (bottom, facing) = (*bottom, *facing);
                ops.push(match self.both(moved, to)? {
                    (Which::One(piece), to) => Op::Move { piece, to, bottom, facing },
                    (Which::All(set), to) => Op::MoveAll { set, to, bottom, facing },
                });
            }
            StepKind::Draw { count, from, to } => {
                let count = self.int(count)?;
                let from = self.zone(from)?;
                let to = self.dest(to)?;
                ops.push(Op::Draw { count, from, to });
            }
            StepKind::Shuffle(zone) => self.shuffle(zone, ops)?,
            StepKind::Refill(zone) => {
                let zone = self.zone(zone)?;
                ops.push(Op::Refill(zone));
            }
            StepKind::Flip(piece) => {
                ops.push(match self.pieces(piece, "flip")? {
                    Which::One(piece) => Op::Flip(piece),
                    Which::All(set) => Op::FlipAll(set),
                });
            }
            StepKind::Swap { one, other } => {
                let (one, other) = (self.piece(one, "swap"), self.piece(other, "swap"));
                let (one, other) = self.both(one, other)?;
                ops.push(Op::Swap(one, other));
            }
            StepKind::Choose(choice) => self.choose(choice, ops)?,
            StepKind::Pick { name, set, secret } => self.pick(name, set, *secret, ops)?,
            StepKind::Let { name, value } => self.give_name(name, value, ops)?,
            StepKind::Roll { name, sides, secret } => self.roll(name, sides, *secret, ops)?,
            StepKind::Set { target, value } => self.set_var(target, value, ops)?,
            StepKind::May { step, prompt } => self.may(step, prompt, ops)?,
            StepKind::Either(branches) => self.either(branches, ops)?,
            StepKind::Repeat { times, body } => self.repeat(times, body, ops)?,
            StepKind::ForEach { name, set, body } => self.for_each(name, set, body, ops)?,
            StepKind::If { cond, then, other } => self.if_else(cond, then, other, ops)?,
            StepKind::AsSeat { seat, body } => self.as_seat(seat, body, ops)?,
            StepKind::Together { players, body } => self.together(players, body, ops)?,
            StepKind::Raise { event, args } => self.raise(event, args, &step.at, ops)?,
            StepKind::Perform { action, args, free } => self.perform(action, args, *free, &step.at, ops)?,
            StepKind::Use(ast) => match self.check(ast)? {
                Checkable::Effect(piece, attr) => ops.push(Op::Use { piece, attr }),
                _ => {
                    return Err(ExprError::kind(ast.at.clone(), "`use` takes an effect of a piece")
                        .help("write `use PIECE.EFFECT`, such as `use self.play`"));
                }
            },
            StepKind::EndTurn => ops.push(Op::EndTurn),
            StepKind::EndPhase => ops.push(Op::EndPhase),
            StepKind::EndGame { winners } => self.end_game(winners, ops)?,
            StepKind::Pass => ops.push(Op::Pass),
            StepKind::Pause => ops.push(Op::Pause),
            StepKind::Cancel => ops.push(Op::Cancel),
            StepKind::Rejoin(seat) => {
                let seat = self.expect_type(seat, Ty::Seat)?;
                ops.push(Op::Rejoin(seat));
            }
            StepKind::Eliminate { players, round } => {
                let players = self.seats(players)?;
                ops.push(Op::Eliminate { players, round: *round });
            }
            StepKind::Look { set, lasting, by, prompt } => self.look(set, *lasting, by, prompt, ops)?,
            StepKind::Reveal { set, to, lasting } => self.reveal(set, to, *lasting, ops)?,
            StepKind::Disclose { what, prompt } => self.disclose(what, prompt, ops)?,
            StepKind::Script { file, function, args } => self.script(file, function, args, ops)?,
        }
        Ok(())
    }
}
