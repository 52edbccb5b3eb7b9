//! Why an effect cannot be begun: the first step that changes the table, as `Eval::feasible` follows it.

use rulepack_expr::{Ahead, AttrId, Expr, Program, Set};
use rulepack_model::ProgId;

use super::{Reason, Tried, Why};
use crate::eval::bundle::Bundle;
use crate::eval::expressions::{Locals, copied, slots, widened};
use crate::flow::feasible::attempts::{Effect, Start};
use crate::flow::feasible::effects::{MOST_AHEAD, MOST_STEPS};
use crate::lower::Step;
use crate::rules::ruleset::AttrValue;
use crate::state::value::Value;
use crate::text::expr_text::Writer;

/// The result of following an effect.
enum Ends {
    /// It is possible, as far as it was followed.
    Well,
    /// It is impossible.
    Badly(Reason),
    /// That depends on something that the viewer does not see.
    Hidden,
}

/// The largest depth of effects that use effects; deeper ones get no reason.
const MOST_INSIDE: u8 = 8;

impl Why<'_, '_> {
    /// Why an effect cannot be carried out with these parameters, if the viewer can know.
    pub(super) fn effect_reason(&self, effect: ProgId, writer: Writer<'_>, locals: &Locals) -> Option<Reason> {
        let program = &self.rules().programs[effect.index()].program;
        self.program_reason(
            effect,
            writer,
            widened(locals, program.locals).as_mut_slice(),
            Left { inside: MOST_INSIDE, ahead: MOST_AHEAD },
        )
    }

    fn program_reason(&self, effect: ProgId, writer: Writer<'_>, locals: &mut Locals, left: Left) -> Option<Reason> {
        let compiled = &self.rules().programs[effect.index()];
        if compiled.is_certain(self.rules(), 0) {
            return None;
        }
        let start = Start { from: 0, locals: copied(locals) };
        let work = Work { effect, program: &compiled.program, start, writer, inside: left.inside };
        match self.follow(&work, 0, left.ahead, locals) {
            Ends::Badly(reason) => Some(reason),
            Ends::Well | Ends::Hidden => None,
        }
    }

    /// `ahead` more choices and branches are followed one inside the other.
    fn follow(&self, work: &Work<'_>, from: usize, ahead: u8, locals: &mut Locals) -> Ends {
        let eval = self.machine.eval();
        let mut pc = from;
        for _ in 0..MOST_STEPS {
            let Some(op) = work.program.ops.get(pc) else { return Ends::Well };
            match op.ahead() {
                Ahead::Next => {}
                Ahead::Let(local, value) => {
                    if !self.seen.expr(value, locals) {
                        return Ends::Hidden;
                    }
                    locals[local.index()] = eval.expr(value, locals);
                }
                Ahead::Keep(_, set) => {
                    if !self.seen.set(set, locals) {
                        return Ends::Hidden;
                    }
                    let steps = self.rules().programs[work.effect.index()].steps(self.rules());
                    let (Some(Step::Keep(keeper)), Some(ahead)) = (steps.get(pc), ahead.checked_sub(1)) else {
                        return Ends::Well;
                    };
                    let mut with_members = copied(locals);
                    keeper.keep(&eval, &mut with_members);
                    return self.follow(work, pc + 1, ahead, &mut with_members);
                }
                Ahead::Jump(to) => {
                    pc = to as usize;
                    continue;
                }
                Ahead::JumpUnless(cond, to) => {
                    if !self.seen.expr(cond, locals) {
                        return Ends::Hidden;
                    }
                    if !eval.truth(cond, locals) {
                        pc = to as usize;
                        continue;
                    }
                }
                Ahead::Pay(cost) => return self.pays(cost, locals).unwrap_or(Ends::Well),
                Ahead::Exchange { cost, end } => {
                    return self.pays(cost, locals).unwrap_or_else(|| self.gives(work, pc + 1, end as usize, locals));
                }
                Ahead::Choose { into, set } => return self.chooses(work, pc, into.index(), set, ahead, locals),
                Ahead::ChooseMore { set, least, if_any, end } => {
                    let least = locals[least.index()].int();
                    if least > 0
                        && !if_any
                        && let Some(ends) = self.chooses_several(work, pc, set, least, locals)
                    {
                        return ends;
                    }
                    pc = end as usize;
                    continue;
                }
                Ahead::Either(branches) => {
                    let Some(ahead) = ahead.checked_sub(1) else { return Ends::Well };
                    let ways = branches.iter().map(|(prompt, start)| {
                        let name = self.rules().prompts.get(prompt.index()).cloned().unwrap_or_default();
                        (name, self.follow(work, *start as usize, ahead, &mut copied(locals)))
                    });
                    return best(ways);
                }
                Ahead::Use { piece, attr } => return self.uses(work, piece, attr, ahead, locals),
                Ahead::Stop => return Ends::Well,
            }
            pc += 1;
        }
        Ends::Well
    }

    /// Why the effect of a piece cannot be carried out.
    fn uses(&self, work: &Work<'_>, piece: &Expr, attr: AttrId, ahead: u8, locals: &mut Locals) -> Ends {
        let eval = self.machine.eval();
        if !self.seen.expr(piece, locals) {
            return Ends::Hidden;
        }
        let used = eval.expr(piece, locals);
        if !self.seen.knows(used) {
            return Ends::Hidden;
        }
        let effect = used.piece().and_then(|used| self.rules().attr(self.rules().type_of(used), attr));
        let Some(AttrValue::Effect(program)) = effect else {
            return Ends::Badly(Reason::NoEffect { piece: work.writer.expr(piece) });
        };
        let count = self.rules().programs[program.index()].program.locals;
        let mut inner = slots(locals[0].seat(), used.piece(), &[], count);
        match work.inside.checked_sub(1).map(|inside| Left { inside, ahead }) {
            Some(left) => match self.program_reason(program, self.plain_writer(), &mut inner, left) {
                Some(reason) => Ends::Badly(reason),
                None if eval.can_run(program, locals[0].seat(), used.piece()) => Ends::Well,
                None => Ends::Hidden,
            },
            None => Ends::Hidden,
        }
    }

    /// Why a payment is impossible; `None` if it is possible.
    fn pays(&self, cost: &rulepack_expr::Cost, locals: &mut Locals) -> Option<Ends> {
        if !self.seen.cost(cost, locals) {
            return Some(Ends::Hidden);
        }
        let bundle = self.machine.eval().bundle(cost, locals);
        let payer = locals[0].seat();
        if payer.is_some_and(|payer| self.machine.eval().can_pay(payer, &bundle)) {
            return None;
        }
        let has = |res| payer.map_or(0, |payer| self.machine.state.amount(self.rules(), payer, res));
        Some(Ends::Badly(Reason::CannotPay { costs: self.amounts(&bundle, has), less: bundle.less }))
    }

    /// Whether the supply can give the other side of an exchange.
    fn gives(&self, work: &Work<'_>, from: usize, end: usize, locals: &mut Locals) -> Ends {
        for op in work.program.ops.get(from..end).unwrap_or(&[]) {
            let Some(cost) = op.facts().supplied else { continue };
            if !self.seen.cost(cost, locals) {
                return Ends::Hidden;
            }
            let bundle: Bundle = self.machine.eval().bundle(cost, locals);
            if !self.machine.eval().can_supply(&bundle) {
                let gives = self.amounts(&bundle, |res| self.machine.state.supply(self.rules(), res));
                return Ends::Badly(Reason::SupplyShort { gives });
            }
        }
        Ends::Well
    }

    fn chooses(&self, work: &Work<'_>, pc: usize, into: usize, set: &Set, ahead: u8, locals: &mut Locals) -> Ends {
        if !self.seen.set(set, locals) {
            return Ends::Hidden;
        }
        let further = ahead.checked_sub(1);
        let mut tried = Vec::new();
        for value in self.machine.eval().collect(set, locals) {
            let mut inner = copied(locals);
            inner[into] = value;
            let Some(ahead) = further else { return Ends::Well };
            match self.follow(work, pc + 1, ahead, &mut inner) {
                Ends::Well => return Ends::Well,
                Ends::Hidden => return Ends::Hidden,
                Ends::Badly(why) => tried.push(self.tried(value, why)),
            }
        }
        tried.dedup_by(|a, b| a.name == b.name);
        Ends::Badly(self.no_value(set, tried, locals, &work.writer))
    }

    /// Why a choice of several is impossible; `None` if it is possible.
    fn chooses_several(&self, work: &Work<'_>, pc: usize, set: &Set, least: i64, locals: &mut Locals) -> Option<Ends> {
        if !self.seen.set(set, locals) {
            return Some(Ends::Hidden);
        }
        let eval = self.machine.eval();
        let there = eval.count(set, locals);
        if there == 0 {
            return Some(Ends::Badly(self.no_value(set, Vec::new(), locals, &work.writer)));
        }
        let effect = Effect::new(self.rules(), work.effect);
        let Some(Step::ChooseMore(choice, more)) = effect.steps.get(pc) else { return None };
        if eval.can_choose_several(effect, Some(&work.start), choice, *more, pc, locals) {
            return None;
        }
        Some(Ends::Badly(match there < least {
            true => Reason::TooFew { from: work.writer.set(set), least, there },
            false => Reason::DeadEnd,
        }))
    }

    fn tried(&self, value: Value, why: Reason) -> super::Tried {
        super::Tried { name: self.name(value), value, why }
    }

    fn plain_writer(&self) -> Writer<'_> {
        Writer { rules: self.rules(), params: Vec::new(), outer: Vec::new() }
    }
}

/// The effect that is followed.
struct Work<'w> {
    effect: ProgId,
    program: &'w Program,
    /// The starting point from which a choice of several is tried.
    start: Start,
    writer: Writer<'w>,
    /// The number of effects that may still be used inside.
    inside: u8,
}

/// How much further an effect is followed.
#[derive(Clone, Copy)]
struct Left {
    /// The number of effects that may still be used, each by the one before.
    inside: u8,
    /// The number of choices and branches that may still be tried, each after the one before.
    ahead: u8,
}

/// One possible way is enough; otherwise the reasons against each.
fn best(ways: impl Iterator<Item = (String, Ends)>) -> Ends {
    let mut badly: Vec<Tried> = Vec::new();
    let mut hidden = false;
    for (name, way) in ways {
        match way {
            Ends::Well => return Ends::Well,
            Ends::Hidden => hidden = true,
            Ends::Badly(why) => badly.push(Tried { name, value: Value::Nil, why }),
        }
    }
    if hidden {
        return Ends::Hidden;
    }
    // The same reason is said once.
    match badly.as_slice() {
        [] => Ends::Badly(Reason::DeadEnd),
        [first, more @ ..] if more.iter().all(|way| way.why == first.why) => Ends::Badly(first.why.clone()),
        _ => Ends::Badly(Reason::NoWay { ways: badly }),
    }
}
