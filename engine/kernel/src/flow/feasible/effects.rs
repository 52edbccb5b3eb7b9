//! Whether an effect can be carried out: its operations are followed up to the first that changes the table.

use std::ops::{ControlFlow, Range};

use rulepack_expr::AttrId;
use rulepack_model::{PieceId, ProgId, PromptId, Seat};

use crate::eval::expressions::{Eval, Locals, copied, slots, widened};
use crate::eval::kept_sets::Keeper;
use crate::flow::feasible::attempts::{Effect, Start};
use crate::lower::{Choice, More, Price, Step};
use crate::rules::ruleset::AttrValue;
use crate::state::value::Value;

/// The number of steps that are followed between two choices.
pub(crate) const MOST_STEPS: u32 = 256;

/// The number of choices, branches of an `either` and used effects that are tried one inside the other: each takes stack,
/// and a text such as `repeat 90000 { choose card in yard }` has as many as it likes. What comes after them is taken to
/// be possible.
pub(crate) const MOST_AHEAD: u8 = 128;

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
            if count > MOST_STEPS {
                return true;
            }
            match &steps[pc] {
                // What a player chooses in a `together` is followed on to what is done with it.
                Step::Jump(to) | Step::May { no: to, .. } | Step::KeepChoices { then: to, .. } => {
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
                Step::Keep(keeper) => return self.follow_kept(effect, start, keeper, pc + 1..end, locals),
                Step::Pay { price, .. } | Step::Store { price, .. } => {
                    return self.can_owe(price, locals);
                }
                Step::Exchange { price, supplied, end: _ } => {
                    return self.can_owe(price, locals) && self.can_deliver(supplied, locals);
                }
                Step::Choose(choice) if self.public_view && self.choice_is_hidden(&choice.from.set, locals, 0, &[]) => {
                    return true;
                }
                Step::Choose(choice) => {
                    let Some(ahead) = self.one_ahead() else { return choice.from.first(self, locals).is_some() };
                    let mut found = false;
                    // Trying a choice writes to slots: it gets a copy, because the set is still being walked with them.
                    let mut tried = copied(locals);
                    let visit: &mut dyn FnMut(Value, &mut Locals) -> ControlFlow<()> = &mut |value, locals| {
                        tried.copy_from_slice(locals);
                        tried[choice.into] = value;
                        found = ahead.follow(effect, start, pc + 1, end, &mut tried);
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
                Step::Either(branches) => {
                    let Some(ahead) = self.one_ahead() else { return true };
                    let leads_on = |at: u32| ahead.follow(effect, start, at as usize, end, &mut copied(locals));
                    return branches.iter().any(|(_, at)| leads_on(*at));
                }
                Step::Use { piece, attr } => {
                    return piece
                        .get(self, locals)
                        .piece()
                        .is_some_and(|piece| self.can_use_there(piece, *attr, locals));
                }
                Step::Put { .. } | Step::Gain { .. } | Step::List(_) | Step::Disclose { .. } | Step::OnlyTried(_) => {}
                // After these the table may be another one: what follows is not judged.
                Step::Roll { .. }
                | Step::TakeFromPiece { .. }
                | Step::TakeFromSeat { .. }
                | Step::GiveBack { .. }
                | Step::Lay { .. }
                | Step::Move { .. }
                | Step::Draw { .. }
                | Step::Shuffle(_)
                | Step::Refill(_)
                | Step::Flip(_)
                | Step::MoveAll { .. }
                | Step::FlipAll(_)
                | Step::Swap(..)
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
                | Step::Eliminate { .. }
                | Step::Look { .. }
                | Step::Show(_)
                | Step::Seen { .. }
                | Step::AskNext { .. }
                | Step::Reveal { .. }
                | Step::DoNext { .. } => return true,
            }
            pc += 1;
        }
        true
    }

    /// Follows an effect from behind a step that gives a set a name; the members get room behind the slots.
    fn follow_kept(
        &self,
        effect: Effect<'_>,
        start: Option<&Start>,
        keeper: &Keeper,
        rest: Range<usize>,
        locals: &Locals,
    ) -> bool {
        let Some(ahead) = self.one_ahead() else { return true };
        let mut with_members = copied(locals);
        keeper.keep(self, &mut with_members);
        ahead.follow(effect, start, rest.start, rest.end, &mut with_members)
    }

    /// Whether the effect of a piece can be used inside another effect.
    fn can_use_there(&self, piece: PieceId, attr: AttrId, locals: &Locals) -> bool {
        let Some(ahead) = self.one_ahead() else { return true };
        match self.rules.attr(self.rules.type_of(piece), attr) {
            Some(AttrValue::Effect(program)) => ahead.can_run(program, locals[0].seat(), Some(piece)),
            _ => false,
        }
    }

    /// Like [`Eval::feasible`], on a copy of slots that are in use.
    pub(crate) fn would_do(&self, effect: Effect<'_>, from: usize, end: usize, locals: &Locals) -> bool {
        self.feasible(effect, from, end, &mut copied(locals))
    }

    /// Whether enough things can be chosen, as far as that can be known now.
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
        let Some(ahead) = self.one_ahead() else { return choice.from.first(self, locals).is_some() };
        let (mut found, mut tried) = (false, copied(locals));
        let _ = choice.from.each(self, locals, |value, locals| {
            tried.copy_from_slice(locals);
            tried[choice.into] = value;
            found = ahead.follow(effect, None, pc + 1, more.end as usize, &mut tried);
            if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        found
    }

    /// Whether the supply can give the resources that an exchange brings.
    fn can_deliver(&self, supplied: &[Price], locals: &mut Locals) -> bool {
        supplied.iter().all(|price| self.can_supply(&price.bundle(self, locals)))
    }

    fn can_owe(&self, price: &Price, locals: &mut Locals) -> bool {
        let bundle = price.bundle(self, locals);
        locals[0].seat().is_some_and(|me| self.can_pay(me, &bundle))
    }
}

/// The end of a branch: its jump. All branches jump to the same operation, the one after the jump of the last branch.
pub(crate) fn end_of_branch(steps: &[Step], branches: &[(PromptId, u32)], index: usize) -> usize {
    if let Some((_, next)) = branches.get(index + 1) {
        return *next as usize - 1;
    }
    match branches.get(1).and_then(|(_, second)| steps.get(*second as usize - 1)) {
        Some(Step::Jump(after)) => *after as usize - 1,
        _ => steps.len(),
    }
}
