//! Steps that are likely a slip: a choice that may find nothing in the middle of an effect, and steps after one that ends the
//! turn. They are only noted here; the lints of `rulepack-tools` decide whether to report them.

use crate::ast::*;
use crate::check::{Checked, Checker};
use crate::code::{Combination, Expr, Set};
use crate::notes::{About, End, EndPlace, Note};
use crate::step::Inside;

/// The precautions that an author has taken before a choice, in the steps around and before it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Care {
    /// The number of steps around it that decide whether it is done at all, such as `if`.
    guards: u16,
    /// Those of them that only make sure that there is at least one thing: `if any(…)`.
    weak_guards: u16,
    /// Whether a step before it may have changed the table since the kernel tested whether it is possible.
    changed: bool,
    /// Whether a step around it, such as `may`, is offered only if the kernel finds that it is possible.
    tried: bool,
}

impl Care {
    /// The precautions for steps inside a step.
    pub(crate) fn inside(self, step: &StepKind) -> Care {
        match step.facts().inside {
            Inside::If { cond, then: _, other: _ } => Care {
                guards: self.guards.saturating_add(1),
                weak_guards: self.weak_guards.saturating_add(u16::from(asks_for_one(cond))),
                ..self
            },
            Inside::IfWanted(_) | Inside::OneWay(_) => self.tried(),
            Inside::Exchanged(_) => Care { guards: self.guards.saturating_add(1), ..self },
            Inside::Times { times, body } => self.looped(counts(times), changes_in(body)),
            // The kernel does not test the body of a loop before the loop begins.
            Inside::ForEach { set, body: _ } => self.looped(matches!(set.kind, AstKind::Where(..)), true),
            // Each player is asked, whatever there is to choose from.
            Inside::Together(_) => Care { changed: true, ..self },
            Inside::Nothing | Inside::Always(_) | Inside::ForChosen(_) => self,
        }
    }

    /// The precautions inside a loop. If the number of rounds is bounded by the number of things, as in
    /// `repeat count(…) { … }`, the loop is a guard. Otherwise `if any(…)` around it holds for the first round only.
    fn looped(self, is_bounded: bool, changes: bool) -> Care {
        if is_bounded {
            return Care { guards: self.guards.saturating_add(1), ..self };
        }
        let guards = self.guards.saturating_sub(self.weak_guards);
        Care { guards, weak_guards: 0, changed: self.changed || changes, ..self }
    }

    /// The precautions inside a step that is offered only if its first steps are possible.
    pub(crate) fn tried(self) -> Care {
        Care { changed: false, tried: true, ..self }
    }

    /// The precautions for the steps after a step.
    pub(crate) fn after(self, step: &StepKind) -> Care {
        Care { changed: self.changed || step.facts().changes, ..self }
    }
}

/// Whether a condition only makes sure that there is at least one thing.
fn asks_for_one(cond: &Ast) -> bool {
    matches!(&cond.kind, AstKind::Call(name, _) if name == "any")
}

/// Whether a number of times is bounded by a number of things, or is at most one.
fn counts(times: &Ast) -> bool {
    match &times.kind {
        AstKind::Int(times) => *times <= 1,
        AstKind::Call(name, _) if name == "count" => true,
        kind => kind.parts().into_iter().any(|part| !matches!(part.kind, AstKind::Int(_)) && counts(part)),
    }
}

fn changes_in(steps: &[StepAst]) -> bool {
    steps.iter().any(|step| step.kind.facts().changes)
}

/// Whether a step asks somebody, or moves something.
fn asks_or_moves(step: &StepAst) -> bool {
    let facts = step.kind.facts();
    facts.acts || facts.inside.any(asks_or_moves)
}

/// How a step ends the turn, the phase or the game, perhaps only in a branch: `if c { …; end turn }`. Authors who continue
/// after it often believe that the steps that follow are skipped.
fn end_in(step: &StepKind) -> Option<End> {
    let facts = step.facts();
    let last = |steps: &[StepAst]| steps.last()?.kind.facts().ends.filter(|word| *word != "end game");
    let (word, place) = match facts.inside {
        Inside::If { cond: _, then, other: [] } => (last(then)?, EndPlace::If),
        Inside::If { cond: _, then, other } => (last(then).or_else(|| last(other))?, EndPlace::Branch),
        Inside::OneWay(ways) => (ways.iter().find_map(|(_, steps)| last(steps))?, EndPlace::Branch),
        Inside::IfWanted(step) => {
            let steps = if let StepKind::Block(steps) = &step.kind { steps } else { std::slice::from_ref(step) };
            (last(steps)?, EndPlace::May)
        }
        Inside::Nothing
        | Inside::Always(_)
        | Inside::ForChosen(_)
        | Inside::Exchanged(_)
        | Inside::Together(_)
        | Inside::Times { .. }
        | Inside::ForEach { .. } => (facts.ends?, EndPlace::Before),
    };
    Some(End { word, place })
}

impl Checker<'_> {
    /// If a step ends the turn or the like, notes the first later step that asks a player or moves something.
    pub(crate) fn note_after_end(&mut self, step: &StepAst, rest: &[StepAst]) {
        let about = match &step.kind {
            StepKind::Perform { action, .. } => {
                self.vocabulary.actions.get(&action.text).map(|(id, _)| About::AfterAction(*id))
            }
            other => end_in(other).map(About::After),
        };
        if let Some(about) = about {
            self.note_later(about, rest);
        }
    }

    /// The same for a part of an effect, if a part before it ends the turn or the like.
    pub(crate) fn note_after_parts(&mut self, steps: &[StepAst]) {
        if let Some(about) = self.ended.clone() {
            self.note_later(about, steps);
        }
        let word = steps.iter().find_map(|step| step.kind.facts().ends);
        self.ended = word.map(|word| About::After(End { word, place: EndPlace::Before })).or(self.ended.take());
    }

    fn note_later(&mut self, about: About, rest: &[StepAst]) {
        if let Some(later) = rest.iter().find(|later| asks_or_moves(later)) {
            self.vocabulary.notes.push(Note { at: later.at.clone(), about, facts: Vec::new() });
        }
    }

    /// Notes a choice that must be made, but may have no options when it is reached.
    pub(crate) fn note_choice(&mut self, range: &Option<(Ast, Ast)>, from: &Ast) -> Checked<()> {
        let least = match range {
            Some((Ast { kind: AstKind::Int(least), .. }, _)) => Some(*least),
            Some(_) => None,
            None => Some(1),
        };
        let care = self.care;
        // `if any(…)` is not enough for a choice of two.
        let guards = if least > Some(1) { care.guards.saturating_sub(care.weak_guards) } else { care.guards };
        let is_tried = !care.changed && (care.tried || !self.is_untried());
        if least == Some(0) || guards > 0 || is_tried {
            return Ok(());
        }
        self.note_empty(from, least.is_some())
    }

    /// Notes a random pick from a set that may be empty. The kernel never tests that in advance.
    pub(crate) fn note_pick(&mut self, from: &Ast) -> Checked<()> {
        if self.care.guards > 0 { Ok(()) } else { self.note_empty(from, true) }
    }

    fn note_empty(&mut self, from: &Ast, is_needed: bool) -> Checked<()> {
        if self.is_assured(from) {
            return Ok(());
        }
        // This text is checked a second time here: its notes were taken the first time.
        let notes = self.vocabulary.notes.len();
        let set = self.set(from);
        self.vocabulary.notes.truncate(notes);
        let set = set?.0;
        if may_be_empty(&set) || is_needed && nobody_may_have_it(&set) {
            self.vocabulary.notes.push(Note { at: from.at.clone(), about: About::Choose, facts: Vec::new() });
        }
        Ok(())
    }

    /// Whether the condition under which the effect runs mentions the set that is chosen from.
    fn is_assured(&self, from: &Ast) -> bool {
        let is_assured = |name: &String| self.vocabulary.assured.contains(name);
        match &from.kind {
            AstKind::Name(name) | AstKind::My(name) => is_assured(name),
            // The part selected by `where` may still be empty, unless the condition mentions that part, too.
            AstKind::Where(all, cond) => self.is_assured(all) && self.is_assured_part(cond),
            kind => kind.parts().into_iter().any(|part| self.is_assured(part)),
        }
    }

    fn is_assured_part(&self, cond: &Ast) -> bool {
        match &cond.kind {
            AstKind::Dot(_, name) => self.vocabulary.assured.contains(name),
            AstKind::Is(..) => true,
            kind => kind.parts().into_iter().any(|part| self.is_assured_part(part)),
        }
    }

    /// Whether the kernel runs this effect without testing first whether it is possible: those of phases, events and hooks.
    fn is_untried(&self) -> bool {
        let origin = &self.vocabulary.origin;
        let of_kind = ["phase.", "event."].iter().any(|kind| origin.starts_with(kind));
        // A hook in its long form has a condition of its own.
        let is_hook = [" on.", " replaces."].iter().any(|hook| origin.contains(hook)) && !origin.ends_with(".do");
        of_kind || is_hook
    }
}

/// Whether a set may be empty: sets of pieces may, sets of players, resources and spaces count as not empty.
fn may_be_empty(set: &Set) -> bool {
    match set {
        Set::Zone(_) | Set::InPlay { .. } | Set::At(_) | Set::On(_) | Set::Attached(_) | Set::Kept(_) => true,
        Set::Named(..) => true,
        Set::Filter { base, .. } | Set::While { base, .. } | Set::Until { base, .. } => may_be_empty(base),
        Set::Combined(Combination::Union, one, other) => may_be_empty(one) && may_be_empty(other),
        Set::Combined(..) => true,
        Set::OfEach { part, .. } => may_be_empty(part),
        Set::Cells(_) | Set::FreeCells(_) | Set::Neighbours(_) | Set::Adjacent(..) | Set::AdjacentToAll(..) => false,
        Set::One(_) | Set::Resources(_) | Set::Seats | Set::Others(_) | Set::Team(_) | Set::Listed(_) => false,
        Set::Types(_) | Set::Symbols(_) | Set::Numbers(..) | Set::Round { .. } | Set::Directions(_) => false,
        Set::DirectionsFrom(_) => false,
        Set::Line(..) | Set::Through(..) | Set::Connected(..) => false,
    }
}

/// Whether a set consists of players or resources with an amount, such as `players where it.coin > 0`: it may be empty.
fn nobody_may_have_it(set: &Set) -> bool {
    let Set::Filter { base, cond, .. } = set else { return false };
    matches!(**base, Set::Seats | Set::Others(_) | Set::Resources(_)) && asks_for_amount(cond)
}

fn asks_for_amount(cond: &Expr) -> bool {
    match cond {
        Expr::Amount(..) => true,
        Expr::Not(one) | Expr::Negative(one) => asks_for_amount(one),
        Expr::Binary(_, left, right) => asks_for_amount(left) || asks_for_amount(right),
        _ => false,
    }
}
