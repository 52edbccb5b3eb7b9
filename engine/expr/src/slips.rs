//! Steps that are likely a slip: a choice that may find nothing in the middle of an effect, and what stands after a step that
//! ends the turn. They are noted; whether something is said about them is up to those who look for slips.

use crate::ast::*;
use crate::check::{Checked, Checker};
use crate::code::Set;
use crate::notes::{About, Note};

/// Whether what stands inside a step is done only if something allows it, or as often as there is something to do it with.
pub(crate) fn is_guard(step: &StepKind) -> bool {
    matches!(
        step,
        StepKind::If { .. }
            | StepKind::May { .. }
            | StepKind::Either(_)
            | StepKind::Repeat { .. }
            | StepKind::ForEach { .. }
            | StepKind::Exchange { .. }
            | StepKind::Choose(_)
    )
}

/// Whether all that a step makes sure of is that there is something.
pub(crate) fn is_weak_guard(step: &StepKind) -> bool {
    let StepKind::If { cond, .. } = step else { return false };
    matches!(&cond.kind, AstKind::Call(name, _) if name == "any")
}

/// Whether a step changes the table, so that what comes after it is not tried before it is begun.
pub(crate) fn changes(step: &StepKind) -> bool {
    !matches!(
        step,
        StepKind::Let { .. }
            | StepKind::Choose(ChooseAst { body: None, .. })
            | StepKind::Look { .. }
            | StepKind::Gain { .. }
            | StepKind::Put { .. }
    )
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

impl Checker<'_> {
    /// Notes the first step after an end that asks or moves.
    pub(crate) fn note_after_end(&mut self, step: &StepAst, rest: &[StepAst]) {
        let Some(word) = end(&step.kind) else { return };
        if let Some(later) = rest.iter().find(|later| asks_or_moves(&later.kind)) {
            let note = Note { at: later.at.clone(), about: About::After(word), facts: Vec::new() };
            self.vocabulary.notes.push(note);
        }
    }

    /// Notes a choice that must be made, but may find nothing when it is come to.
    pub(crate) fn note_choice(&mut self, range: &Option<(Ast, Ast)>, from: &Ast) -> Checked<()> {
        let least = match range {
            Some((Ast { kind: AstKind::Int(least), .. }, _)) => *least,
            _ => 1,
        };
        // That there is one, as `if any(…)` asks, is not enough for two. The step itself counts as a guard of what is inside it.
        let guards = if least > 1 { self.guards.saturating_sub(self.weak_guards) } else { self.guards };
        if least == 0 || guards > 1 || !(self.changed || self.is_untried()) {
            return Ok(());
        }
        // Nothing is kept of a text that is looked at twice.
        let notes = self.vocabulary.notes.len();
        let set = self.set(from);
        self.vocabulary.notes.truncate(notes);
        if may_be_empty(&set?.0) {
            self.vocabulary.notes.push(Note { at: from.at.clone(), about: About::Choose, facts: Vec::new() });
        }
        Ok(())
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

/// Whether a set of pieces may be empty. Of players, resources and spaces there are some, and what a `where` leaves of them is
/// mostly what a text before has made sure of.
fn may_be_empty(set: &Set) -> bool {
    match set {
        Set::Zone(_) | Set::InPlay { .. } | Set::At(_) | Set::On(_) | Set::Attached(_) => true,
        Set::Filter { base, .. } => may_be_empty(base),
        _ => false,
    }
}
