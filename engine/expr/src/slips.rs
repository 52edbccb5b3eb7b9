//! Steps that are likely a slip: a choice that may find nothing in the middle of an effect, and what stands after a step that
//! ends the turn. They are noted; whether something is said about them is up to those who look for slips.

use crate::ast::*;
use crate::check::{Checked, Checker};
use crate::code::{Expr, Set};
use crate::notes::{About, End, EndPlace, Note};

/// What is known of a choice from the steps around and before it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Care {
    /// How many steps around it decide whether it is done at all.
    guards: u16,
    /// Those of them that only make sure that there is something: `if any(…)`.
    weak_guards: u16,
    /// Whether a step before it has changed the table since what comes was tried.
    changed: bool,
    /// Whether it is tried before the step around it is offered, wherever the text stands.
    tried: bool,
}

impl Care {
    /// What is known inside a step.
    pub(crate) fn inside(self, step: &StepKind) -> Care {
        match step {
            StepKind::If { cond, .. } => Care {
                guards: self.guards.saturating_add(1),
                weak_guards: self.weak_guards.saturating_add(u16::from(asks_for_one(cond))),
                ..self
            },
            StepKind::May { .. } | StepKind::Either(_) => self.tried(),
            StepKind::Exchange { .. } => Care { guards: self.guards.saturating_add(1), ..self },
            StepKind::Repeat { times, body } => self.looped(counts(times), changes_in(body)),
            // What a loop does is not tried before it is begun.
            StepKind::ForEach { set, .. } => self.looped(matches!(set.kind, AstKind::Where(..)), true),
            _ => self,
        }
    }

    /// Inside a loop: its guards count for each turn of it if it goes round as often as there is something to do it with; else
    /// that there was something at first says nothing about later turns.
    fn looped(self, is_bounded: bool, changes: bool) -> Care {
        if is_bounded {
            return Care { guards: self.guards.saturating_add(1), ..self };
        }
        let guards = self.guards.saturating_sub(self.weak_guards);
        Care { guards, weak_guards: 0, changed: self.changed || changes, ..self }
    }

    /// Inside a step that is offered only if what comes first in it can be done.
    pub(crate) fn tried(self) -> Care {
        Care { changed: false, tried: true, ..self }
    }

    /// What is known after a step.
    pub(crate) fn after(self, step: &StepKind) -> Care {
        Care { changed: self.changed || changes(step), ..self }
    }
}

/// Whether all that a condition makes sure of is that there is something.
fn asks_for_one(cond: &Ast) -> bool {
    matches!(&cond.kind, AstKind::Call(name, _) if name == "any")
}

/// Whether a number follows from how many there are of something, or is one at most.
fn counts(times: &Ast) -> bool {
    match &times.kind {
        AstKind::Int(times) => *times <= 1,
        AstKind::Call(name, _) if name == "count" => true,
        kind => kind.parts().into_iter().any(|part| !matches!(part.kind, AstKind::Int(_)) && counts(part)),
    }
}

fn changes_in(steps: &[StepAst]) -> bool {
    steps.iter().any(|step| changes(&step.kind))
}

/// Whether a step changes the table, so that what comes after it is not tried before it is begun.
fn changes(step: &StepKind) -> bool {
    match step {
        StepKind::Choose(choice) => choice.body.is_some(),
        StepKind::Let { .. } | StepKind::Look { .. } | StepKind::Gain { .. } | StepKind::Put { .. } => false,
        StepKind::Block(_)
        | StepKind::Exchange { .. }
        | StepKind::Pay { .. }
        | StepKind::Store { .. }
        | StepKind::Take { .. }
        | StepKind::GiveBack { .. }
        | StepKind::Lay { .. }
        | StepKind::Move { .. }
        | StepKind::Draw { .. }
        | StepKind::Shuffle(_)
        | StepKind::Refill(_)
        | StepKind::Flip(_)
        | StepKind::Pick { .. }
        | StepKind::Roll { .. }
        | StepKind::Set { .. }
        | StepKind::May { .. }
        | StepKind::Either(_)
        | StepKind::Repeat { .. }
        | StepKind::ForEach { .. }
        | StepKind::If { .. }
        | StepKind::AsSeat { .. }
        | StepKind::Raise { .. }
        | StepKind::Perform { .. }
        | StepKind::Use(_)
        | StepKind::EndTurn
        | StepKind::EndPhase
        | StepKind::EndGame { .. }
        | StepKind::Pass
        | StepKind::Pause
        | StepKind::Cancel
        | StepKind::Rejoin(_)
        | StepKind::Disclose { .. }
        | StepKind::Script { .. } => true,
    }
}

/// The words of a step that ends something once the effect is over.
fn end(step: &StepKind) -> Option<&'static str> {
    match step {
        StepKind::Pass => Some("pass"),
        StepKind::EndTurn => Some("end turn"),
        StepKind::EndPhase => Some("end phase"),
        StepKind::EndGame { .. } => Some("end game"),
        _ => None,
    }
}

/// Whether a step asks somebody, or moves something.
fn asks_or_moves(step: &StepKind) -> bool {
    match step {
        StepKind::Block(steps) => steps.iter().any(|step| asks_or_moves(&step.kind)),
        StepKind::If { then, other, .. } => then.iter().chain(other).any(|step| asks_or_moves(&step.kind)),
        StepKind::Repeat { body, .. } | StepKind::ForEach { body, .. } | StepKind::AsSeat { body, .. } => {
            body.iter().any(|step| asks_or_moves(&step.kind))
        }
        StepKind::Let { .. } | StepKind::Set { .. } | StepKind::Cancel | StepKind::Rejoin(_) => false,
        other => end(other).is_none(),
    }
}

/// How a step ends something, be it only if something holds or somebody wants it: who reads on takes the rest for what is done
/// otherwise.
fn end_in(step: &StepKind) -> Option<End> {
    let last = |steps: &[StepAst]| end(&steps.last()?.kind).filter(|word| *word != "end game");
    let (word, place) = match step {
        StepKind::If { then, other, .. } if other.is_empty() => (last(then)?, EndPlace::If),
        StepKind::If { then, other, .. } => (last(then).or_else(|| last(other))?, EndPlace::Branch),
        StepKind::Either(branches) => (branches.iter().find_map(|(_, steps)| last(steps))?, EndPlace::Branch),
        StepKind::May { step, .. } => match &step.kind {
            StepKind::Block(steps) => (last(steps)?, EndPlace::May),
            _ => (last(std::slice::from_ref(step))?, EndPlace::May),
        },
        other => (end(other)?, EndPlace::Before),
    };
    Some(End { word, place })
}

impl Checker<'_> {
    /// Notes the first step after an end that asks or moves.
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

    /// Notes what a part of an effect does after the parts before it have ended something.
    pub(crate) fn note_after_parts(&mut self, steps: &[StepAst]) {
        if let Some(about) = self.ended.clone() {
            self.note_later(about, steps);
        }
        let word = steps.iter().find_map(|step| end(&step.kind));
        self.ended = word.map(|word| About::After(End { word, place: EndPlace::Before })).or(self.ended.take());
    }

    fn note_later(&mut self, about: About, rest: &[StepAst]) {
        if let Some(later) = rest.iter().find(|later| asks_or_moves(&later.kind)) {
            self.vocabulary.notes.push(Note { at: later.at.clone(), about, facts: Vec::new() });
        }
    }

    /// Notes a choice that must be made, but may find nothing when it is come to.
    pub(crate) fn note_choice(&mut self, range: &Option<(Ast, Ast)>, from: &Ast) -> Checked<()> {
        let least = match range {
            Some((Ast { kind: AstKind::Int(least), .. }, _)) => Some(*least),
            Some(_) => None,
            None => Some(1),
        };
        let care = self.care;
        // That there is one, as `if any(…)` asks, is not enough for two.
        let guards = if least > Some(1) { care.guards.saturating_sub(care.weak_guards) } else { care.guards };
        let is_tried = !care.changed && (care.tried || !self.is_untried());
        if least == Some(0) || guards > 0 || is_tried {
            return Ok(());
        }
        self.note_empty(from, least.is_some())
    }

    /// Notes something picked by chance that may find nothing: that is never tried before.
    pub(crate) fn note_pick(&mut self, from: &Ast) -> Checked<()> {
        if self.care.guards > 0 { Ok(()) } else { self.note_empty(from, true) }
    }

    fn note_empty(&mut self, from: &Ast, is_needed: bool) -> Checked<()> {
        if self.is_assured(from) {
            return Ok(());
        }
        // Nothing is kept of a text that is looked at twice.
        let notes = self.vocabulary.notes.len();
        let set = self.set(from);
        self.vocabulary.notes.truncate(notes);
        let set = set?.0;
        if may_be_empty(&set) || is_needed && nobody_may_have_it(&set) {
            self.vocabulary.notes.push(Note { at: from.at.clone(), about: About::Choose, facts: Vec::new() });
        }
        Ok(())
    }

    /// Whether a condition that the text is done under is about what is chosen from.
    fn is_assured(&self, from: &Ast) -> bool {
        let is_assured = |name: &String| self.vocabulary.assured.contains(name);
        match &from.kind {
            AstKind::Name(name) | AstKind::My(name) => is_assured(name),
            // A part of what there is may be empty all the same, unless the condition is about the same part.
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

    /// Whether the text is one that is not tried before it is begun: what phases, events and hooks do; a standing rule has a condition.
    fn is_untried(&self) -> bool {
        let origin = &self.vocabulary.origin;
        let of_kind = ["phase.", "event."].iter().any(|kind| origin.starts_with(kind));
        // A hook in its long form has a condition of its own.
        let is_hook = [" on.", " replaces."].iter().any(|hook| origin.contains(hook)) && !origin.ends_with(".do");
        of_kind || is_hook
    }
}

/// Whether a set of pieces may be empty. Of players, resources and spaces there are some.
fn may_be_empty(set: &Set) -> bool {
    match set {
        Set::Zone(_) | Set::InPlay { .. } | Set::At(_) | Set::On(_) | Set::Attached(_) => true,
        Set::Filter { base, .. } => may_be_empty(base),
        Set::Cells(_) | Set::FreeCells(_) | Set::Neighbours(_) | Set::Adjacent(..) | Set::AdjacentToAll(..) => false,
        Set::One(_) | Set::Resources(_) | Set::Seats | Set::Others(_) => false,
    }
}

/// Whether it depends on what somebody has whether there is such a player or such a resource.
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
