//! Steps of effects to operations: the second half of the checker.

use rulepack_model::{Code, PromptId};

use crate::ast::*;
use crate::check::{Checkable, Checked, Checker, number_of_things};
use crate::code::*;
use crate::error::ExprError;
use crate::meant::{means_something, name_besides};
use crate::notes::{About, Fact, Note};
use crate::vocabulary::Ty;

/// The number that the next operation will have: jumps name it.
fn next(ops: &[Op]) -> u32 {
    ops.len() as u32
}

/// Says what an operation is that leads behind all that have followed it: `op` is given the number of the next one.
fn complete(ops: &mut [Op], at: usize, op: impl FnOnce(u32) -> Op) {
    let end = next(ops);
    if let Some(waiting) = ops.get_mut(at) {
        *waiting = op(end);
    }
}

/// What a step gives a name.
fn named_by(step: &StepKind) -> Option<&NameAst> {
    match step {
        StepKind::Choose(choice) => Some(&choice.name),
        StepKind::Pick { name, .. }
        | StepKind::Let { name, .. }
        | StepKind::Roll { name, .. }
        | StepKind::ForEach { name, .. } => Some(name),
        _ => None,
    }
}

impl Checker<'_> {
    fn block(&mut self, steps: &[StepAst], ops: &mut Vec<Op>) {
        let (depth, care) = (self.scope.len(), self.care);
        self.steps(steps, ops);
        self.scope.truncate(depth);
        self.care = care;
    }

    /// All steps; the mistakes of each are kept, and the names that it would have made known are taken as they come.
    pub(crate) fn steps(&mut self, steps: &[StepAst], ops: &mut Vec<Op>) {
        let mut rest = steps;
        while let Some((step, after)) = rest.split_first() {
            rest = after;
            let (before, depth, care) = (ops.len(), self.scope.len(), self.care);
            self.note_after_end(step, after);
            self.care = care.inside(&step.kind);
            let done = self.step(step, ops);
            self.care = care.after(&step.kind);
            // Operations of steps inside this one have their places already.
            self.places.resize(ops.len(), None);
            for place in self.places.iter_mut().skip(before) {
                place.get_or_insert_with(|| step.at.clone());
            }
            let Err(error) = done else { continue };
            self.more.push(error);
            self.scope.truncate(depth);
            let Some(name) = named_by(&step.kind).filter(|_| !matches!(step.kind, StepKind::ForEach { .. })) else {
                continue;
            };
            self.bind(&name.text, Ty::Any);
            self.doubtful.push(name.text.clone());
        }
    }

    fn prompt(&self, name: &Option<NameAst>) -> Checked<Option<PromptId>> {
        name.as_ref().map(|name| self.prompt_named(name)).transpose()
    }

    fn prompt_named(&self, name: &NameAst) -> Checked<PromptId> {
        self.vocabulary.prompts.get(&name.text).copied().ok_or_else(|| {
            let error = ExprError::name(name.at.clone(), format!("no question is called `{}`", name.text));
            let known = self.vocabulary.prompts.keys().map(String::as_str);
            self.vocabulary.suggestions.add(error, &name.text, known)
        })
    }

    /// A cost of which nothing is left out: it is not paid but given.
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

    /// A single piece that something is done with.
    fn piece(&mut self, ast: &Ast, verb: &str) -> Checked<Expr> {
        let piece = self.expect(ast, Ty::Piece(None));
        if piece.is_ok() || !self.is_set(ast) {
            return piece;
        }
        let message = format!("`{verb}` takes one piece, and these are several");
        let help =
            format!("for all of them: `for each piece in … {{ {verb} piece … }}`; for one: `first(…)` or `top(…)`");
        Err(ExprError::kind(ast.at.clone(), message).help(help))
    }

    fn seat_or_me(&mut self, ast: &Option<Ast>) -> Checked<Expr> {
        match ast {
            Some(ast) => {
                let seat = self.expect(ast, Ty::Seat);
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
        if let Some(name) = named_by(&step.kind).filter(|name| means_something(&name.text)) {
            let word = &name.text;
            let message = format!("`{word}` is a word of the language and cannot get another meaning");
            let help = format!("take another name, such as `{}`", name_besides(word));
            return Err(ExprError::kind(name.at.clone(), message).help(help));
        }
        match &step.kind {
            StepKind::Block(steps) => self.block(steps, ops),
            StepKind::Exchange { cost, then } => {
                let cost = self.cost(cost);
                let cost = self.keep(cost, Cost::default());
                let here = ops.len();
                ops.push(Op::Exchange { cost: cost.clone(), end: 0 });
                self.block(std::slice::from_ref(then), ops);
                complete(ops, here, |end| Op::Exchange { cost, end });
            }
            StepKind::Pay { cost, to } => {
                let cost = self.cost(cost)?;
                let to = to.as_ref().map(|to| self.expect(to, PIECE)).transpose()?;
                ops.push(Op::Pay { cost, to });
            }
            StepKind::Gain { cost, whom } => {
                let cost = self.whole_cost(cost)?;
                let whom = self.seat_or_me(whom)?;
                ops.push(Op::Gain { cost, whom });
            }
            StepKind::Put { cost, on } => {
                let cost = self.whole_cost(cost)?;
                let on = self.expect(on, PIECE)?;
                ops.push(Op::Put { cost, on });
            }
            StepKind::Store { cost, on } => {
                let cost = self.cost(cost)?;
                let on = self.expect(on, PIECE)?;
                ops.push(Op::Store { cost, on });
            }
            StepKind::Take { cost, from } => {
                if matches!(&from.kind, AstKind::Name(name) if name == "supply") {
                    return Err(ExprError::kind(step.at.clone(), "what comes from the supply is gained")
                        .help("write `gain 1 NAME`"));
                }
                let cost = self.whole_cost(cost)?;
                let (from, ty) = self.one(from)?;
                ops.push(match ty {
                    Ty::Seat => Op::TakeFromSeat { cost, from },
                    Ty::Piece(_) | Ty::Any => Op::TakeFromPiece { cost, from },
                    _ => {
                        return Err(ExprError::kind(step.at.clone(), "one takes from a piece or from a player")
                            .help("write `take 1 NAME from PIECE`; from the supply one gains: `gain 1 NAME`"));
                    }
                });
            }
            StepKind::GiveBack { cost, from } => {
                let cost = self.whole_cost(cost)?;
                let from = self.expect(from, PIECE)?;
                ops.push(Op::GiveBack { cost, from });
            }
            StepKind::Lay { piece, on } => {
                let (piece, on) = (self.piece(piece, "lay"), self.expect(on, PIECE));
                let (piece, on) = self.both(piece, on)?;
                ops.push(Op::Lay { piece, on });
            }
            StepKind::Move { piece, to, bottom, facing } => {
                let (piece, to) = (self.piece(piece, "move"), self.dest(to));
                let (piece, to) = self.both(piece, to)?;
                ops.push(Op::Move { piece, to, bottom: *bottom, facing: *facing });
            }
            StepKind::Draw { count, from, to } => {
                let count = self.int(count)?;
                let from = self.zone(from)?;
                let to = self.dest(to)?;
                ops.push(Op::Draw { count, from, to });
            }
            StepKind::Shuffle(zone) => {
                let zone = self.zone(zone)?;
                ops.push(Op::Shuffle(zone));
            }
            StepKind::Refill(zone) => {
                let zone = self.zone(zone)?;
                ops.push(Op::Refill(zone));
            }
            StepKind::Flip(piece) => {
                let piece = self.piece(piece, "flip")?;
                ops.push(Op::Flip(piece));
            }
            StepKind::Choose(choice) => self.choose(choice, ops)?,
            StepKind::Pick { name, set } => {
                self.note_pick(set)?;
                let (members, ty) = self.set(set)?;
                let into = self.bind_from(&name.text, ty, set);
                ops.push(Op::Pick { into, set: members });
            }
            StepKind::Let { name, value } => {
                let (given, ty) = self.one(value)?;
                let local = self.bind_from(&name.text, ty, value);
                self.facts.push((local, Fact::Is(given.clone())));
                ops.push(Op::Let(local, given));
            }
            StepKind::Roll { name, sides } => {
                let sides = self.int(sides)?;
                let local = self.bind(&name.text, Ty::Int);
                self.facts.push((local, Fact::Rolled(sides.clone())));
                ops.push(Op::Roll(local, sides));
            }
            StepKind::Set { target, value } => {
                let target_expr = self.one(target).map_err(|error| match &target.kind {
                    AstKind::Name(name) if error.code == Code::UnknownName => error.help(format!(
                        "declare it with `[var.{name}]`, or write `let {name} = …` for a name in this text"
                    )),
                    _ => error,
                });
                let (target_expr, ty) = target_expr?;
                let value = self.expect(value, ty)?;
                let Expr::Var(var, owner) = target_expr else {
                    return Err(ExprError::kind(target.at.clone(), "only a variable can be set")
                        .help("declare it with `[var.NAME]`"));
                };
                ops.push(Op::SetVar { var, owner: owner.map(|owner| *owner), value });
            }
            StepKind::May { step, prompt } => {
                let prompt = self.prompt(prompt);
                let prompt = self.keep(prompt, None);
                let here = ops.len();
                ops.push(Op::May { prompt, no: 0 });
                self.block(std::slice::from_ref(step), ops);
                complete(ops, here, |no| Op::May { prompt, no });
            }
            StepKind::Either(branches) => {
                let here = ops.len();
                ops.push(Op::Either(Vec::new()));
                let mut starts = Vec::new();
                let mut ends = Vec::new();
                for (label, steps) in branches {
                    let prompt = self.prompt_named(label);
                    starts.push((self.keep(prompt, PromptId::from(0)), next(ops)));
                    self.block(steps, ops);
                    ends.push(ops.len());
                    ops.push(Op::Jump(0));
                }
                for jump in ends {
                    complete(ops, jump, Op::Jump);
                }
                complete(ops, here, |_| Op::Either(starts));
            }
            StepKind::Repeat { times, body } => {
                let times = self.int(times);
                let times = self.keep(times, Expr::Int(0));
                let left = self.bind(" left", Ty::Int);
                ops.push(Op::Let(left, times));
                let start = ops.len();
                let more = Expr::Binary(BinaryOp::Gt, Box::new(Expr::Local(left)), Box::new(Expr::Int(0)));
                ops.push(Op::JumpUnless(more.clone(), 0));
                ops.push(Op::Let(
                    left,
                    Expr::Binary(BinaryOp::Sub, Box::new(Expr::Local(left)), Box::new(Expr::Int(1))),
                ));
                self.block(body, ops);
                ops.push(Op::Jump(start as u32));
                complete(ops, start, |end| Op::JumpUnless(more, end));
            }
            StepKind::ForEach { name, set, body } => {
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
            }
            StepKind::If { cond, then, other } => {
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
            }
            StepKind::AsSeat { seat, body } => {
                let seat = self.expect(seat, Ty::Seat);
                let seat = self.keep(seat, Expr::Local(ME));
                let kept = self.bind(" me", Ty::Seat);
                ops.push(Op::Let(kept, Expr::Local(ME)));
                ops.push(Op::Let(ME, seat));
                self.block(body, ops);
                ops.push(Op::Let(ME, Expr::Local(kept)));
            }
            StepKind::Raise { event, args } => {
                let Some((id, types)) = self.vocabulary.events.get(&event.text).cloned() else {
                    let known = self.vocabulary.events.keys().map(String::as_str);
                    let error = ExprError::name(event.at.clone(), format!("no event is called `{}`", event.text));
                    return Err(self.vocabulary.suggestions.add(error, &event.text, known));
                };
                let (args, _) = self.arguments(&event.text, args, &types, &step.at)?;
                ops.push(Op::Raise { event: id, args });
            }
            StepKind::Perform { action, args, free } => {
                let Some((id, types)) = self.vocabulary.actions.get(&action.text).cloned() else {
                    let known = self.vocabulary.actions.keys().map(String::as_str);
                    let error = ExprError::name(action.at.clone(), format!("no action is called `{}`", action.text));
                    return Err(self.vocabulary.suggestions.add(error, &action.text, known));
                };
                let given = types.get(..args.len()).unwrap_or(&types);
                let (args, given) = self.arguments(&action.text, args, given, &step.at)?;
                self.vocabulary.notes.push(Note {
                    at: step.at.clone(),
                    about: About::Given(id, given),
                    facts: Vec::new(),
                });
                ops.push(Op::Perform { action: id, args, free: *free });
            }
            StepKind::Use(ast) => match self.check(ast)? {
                Checkable::Effect(piece, attr) => ops.push(Op::Use { piece, attr }),
                _ => {
                    return Err(ExprError::kind(ast.at.clone(), "`use` takes an effect of a piece")
                        .help("write `use PIECE.EFFECT`, such as `use self.play`"));
                }
            },
            StepKind::EndTurn => ops.push(Op::EndTurn),
            StepKind::EndPhase => ops.push(Op::EndPhase),
            StepKind::EndGame { winner } => {
                let winner = winner.as_ref().map(|winner| self.expect(winner, Ty::Seat)).transpose()?;
                ops.push(Op::EndGame { winner });
            }
            StepKind::Pass => ops.push(Op::Pass),
            StepKind::Pause => ops.push(Op::Pause),
            StepKind::Cancel => ops.push(Op::Cancel),
            StepKind::Rejoin(seat) => {
                let seat = self.expect(seat, Ty::Seat)?;
                ops.push(Op::Rejoin(seat));
            }
            StepKind::Look { set, by, prompt } => {
                let pieces = match self.check(set)? {
                    Checkable::Zone(zone) => Set::Zone(zone),
                    Checkable::Many(pieces, Ty::Piece(_) | Ty::Any) => pieces,
                    Checkable::One(piece, Ty::Piece(_) | Ty::Any) => Set::One(Box::new(piece)),
                    _ => {
                        return Err(ExprError::kind(set.at.clone(), "one looks at pieces")
                            .help("such as `look at hand of opponent` or `look at top(deck)`"));
                    }
                };
                let by = self.seat_or_me(by)?;
                let prompt = self.prompt(prompt)?;
                ops.push(Op::Look { set: pieces, by: by.clone() });
                ops.extend(prompt.map(|prompt| Op::Seen { by, prompt }));
            }
            StepKind::Disclose { what, prompt } => {
                let what = match self.check(what)? {
                    Checkable::Zone(zone) => Disclosed::Many(Set::Zone(zone)),
                    Checkable::Many(set, _) => Disclosed::Many(set),
                    Checkable::One(value, _) => Disclosed::One(value),
                    _ => {
                        return Err(ExprError::kind(what.at.clone(), "a value or a set of things is disclosed")
                            .help("such as `disclose hand of opponent` or `disclose any(my hand where …)`"));
                    }
                };
                ops.push(Op::Disclose { what, prompt: self.prompt(prompt)? });
            }
            StepKind::Script { file, function, args } => {
                let args = args.iter().map(|arg| self.one(arg)).collect::<Checked<Vec<_>>>()?;
                // Without arguments, a script gets the parameters of the action or event.
                let args = if args.is_empty() { self.parameters() } else { args };
                let (args, types) = args.into_iter().unzip();
                let hook = self.vocabulary.hook(&format!("{}.{function}", file.text));
                self.vocabulary.given.entry(hook).or_default().push(types);
                ops.push(Op::Script { hook, args });
            }
        }
        Ok(())
    }

    fn parameters(&self) -> Vec<(Expr, Ty)> {
        self.scope
            .iter()
            .filter(|(name, local, _)| local.0 >= FIRST_PARAM && !name.starts_with(' ') && name != "it")
            .map(|(_, local, ty)| (Expr::Local(*local), *ty))
            .collect()
    }

    /// What stands in brackets behind a name, and what each of it is.
    fn arguments(&mut self, name: &str, args: &[Ast], types: &[Ty], at: &At) -> Checked<(Vec<Expr>, Vec<Ty>)> {
        if args.len() != types.len() {
            let all: Vec<String> = types.iter().map(|ty| self.describe(*ty)).collect();
            let help = match all.is_empty() {
                true => format!("write `{name}` without brackets"),
                false => format!("write `{name}(…)`, with {} in the brackets", all.join(", ")),
            };
            let message =
                format!("`{name}` takes {} in brackets, here are {}", number_of_things(types.len()), args.len());
            return Err(ExprError::kind(at.clone(), message).help(help));
        }
        let given = args.iter().zip(types).map(|(arg, ty)| match ty {
            Ty::Any => self.one(arg),
            ty => self.expect(arg, *ty).map(|expr| (expr, *ty)),
        });
        let given = given.collect();
        Ok(self.all(given)?.into_iter().unzip())
    }

    fn choose(&mut self, choice: &ChooseAst, ops: &mut Vec<Op>) -> Checked<()> {
        let ChooseAst { range, different, name, set, if_any, by, prompt, free, body } = choice;
        let (prompt, by) = (self.prompt(prompt), self.seat_or_me(by));
        let (prompt, by) = (self.keep(prompt, None), self.keep(by, Expr::Local(ME)));
        if *different && range.is_none() {
            return Err(ExprError::syntax(name.at.clone(), "one thing alone is always different")
                .help("`different` belongs to a choice of several: `choose 2..3 different NAME in … { … }`"));
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
                ops.push(Op::Choose { into, set: members, by, prompt });
            }
            (None, Some(body)) => {
                let depth = self.scope.len();
                let (members, ty) = self.set_for(&name.text, set);
                let into = self.bind_from(&name.text, ty, set);
                ops.push(Op::Choose { into, set: members, by, prompt });
                self.block(body, ops);
                self.scope.truncate(depth);
            }
            (Some(_), None) => {
                return Err(ExprError::syntax(name.at.clone(), "what happens with each of them?").help(format!(
                    "a choice of several needs a block: `choose … {0} in … {{ … }}`, with steps for `{0}`",
                    name.text
                )));
            }
            (Some(range), Some(body)) => {
                let (least, most) = self.at_least_at_most(range)?;
                let depth = self.scope.len();
                let taken = self.bind(" taken", Ty::Int);
                let floor = self.bind(" least", Ty::Int);
                let ceiling = self.bind(" most", Ty::Int);
                ops.push(Op::Let(taken, Expr::Int(0)));
                ops.push(Op::Let(floor, least));
                ops.push(Op::Let(ceiling, most));
                let chosen = different.then(|| self.bind(" chosen", Ty::Int));
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
                    end,
                };
                ops.push(more(0));
                self.block(body, ops);
                ops.push(Op::Jump(start as u32));
                complete(ops, start, more);
                self.scope.truncate(depth);
            }
        }
        Ok(())
    }

    /// How many are chosen. Numbers that are known here are compared here, all others when the choice is made.
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
