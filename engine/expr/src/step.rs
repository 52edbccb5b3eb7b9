//! Facts about each step of an effect as written, for code that examines texts before they are compiled: which name it
//! gives, what it ends, and which steps are inside it.
//!
//! The facts of every step are stated here, once, like those of operations in `operation.rs`. Others call
//! [`StepKind::facts`] and match on [`Inside`], so that a new step cannot be forgotten.

use crate::ast::{Ast, NameAst, StepAst, StepKind};

/// The facts of a step. [`StepFacts::default`] means that it asks nobody, moves nothing and ends nothing.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct StepFacts<'s> {
    /// The name that it gives something.
    pub(crate) name: Option<&'s NameAst>,
    /// Whether it may change the table, so that the kernel does not test the steps after it in advance.
    pub(crate) changes: bool,
    /// Whether it asks somebody or moves something, apart from the steps inside it.
    pub(crate) acts: bool,
    /// The words of a step that ends something once the effect is over.
    pub(crate) ends: Option<&'static str>,
    /// The steps inside it.
    pub(crate) inside: Inside<'s>,
}

/// The steps inside a step, and when they are done.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) enum Inside<'s> {
    /// There are none.
    #[default]
    Nothing,
    /// They are done whenever the step is: a block, `as PLAYER { … }`.
    Always(&'s [StepAst]),
    /// They are done for each thing that a player chooses.
    ForChosen(&'s [StepAst]),
    /// They are done after a payment, if both are possible.
    Exchanged(&'s StepAst),
    /// They are done if a player wants it.
    IfWanted(&'s StepAst),
    /// One of the ways is done, which a player chooses.
    OneWay(&'s [(NameAst, Vec<StepAst>)]),
    /// They are done if a condition holds, and others if it does not.
    If { cond: &'s Ast, then: &'s [StepAst], other: &'s [StepAst] },
    /// They are done a number of times.
    Times { times: &'s Ast, body: &'s [StepAst] },
    /// They are done for each of some players, when all have chosen.
    Together(&'s [StepAst]),
    /// They are done for each member of a set.
    ForEach { set: &'s Ast, body: &'s [StepAst] },
}

impl Inside<'_> {
    /// Whether a condition holds for one of the steps.
    pub(crate) fn any(self, mut is_such: impl FnMut(&StepAst) -> bool) -> bool {
        match self {
            Inside::Nothing => false,
            Inside::Exchanged(step) | Inside::IfWanted(step) => is_such(step),
            Inside::OneWay(ways) => ways.iter().flat_map(|(_, steps)| steps).any(is_such),
            Inside::If { cond: _, then, other } => then.iter().chain(other).any(is_such),
            Inside::Always(steps)
            | Inside::ForChosen(steps)
            | Inside::Together(steps)
            | Inside::Times { times: _, body: steps }
            | Inside::ForEach { set: _, body: steps } => steps.iter().any(is_such),
        }
    }
}

impl StepKind {
    /// The facts of the step.
    pub(crate) fn facts(&self) -> StepFacts<'_> {
        let nothing = StepFacts::default();
        let acts = StepFacts { changes: true, acts: true, ..nothing };
        // A block counts as a change, although the steps inside it may do nothing.
        let changes = StepFacts { changes: true, ..nothing };
        match self {
            StepKind::Named { step, label: _ } => {
                StepFacts { inside: Inside::Always(std::slice::from_ref(step)), ..step.kind.facts() }
            }
            StepKind::Block(steps) => StepFacts { inside: Inside::Always(steps), ..changes },
            StepKind::AsSeat { body, seat: _ } => StepFacts { inside: Inside::Always(body), ..changes },
            StepKind::Together { body, players: _ } => StepFacts { inside: Inside::Together(body), ..acts },
            StepKind::If { cond, then, other } => StepFacts { inside: Inside::If { cond, then, other }, ..changes },
            StepKind::Repeat { times, body } => StepFacts { inside: Inside::Times { times, body }, ..changes },
            StepKind::ForEach { name, set, body } => {
                StepFacts { name: Some(name), inside: Inside::ForEach { set, body }, ..changes }
            }
            StepKind::Choose(choice) => StepFacts {
                name: Some(&choice.name),
                changes: choice.body.is_some(),
                inside: Inside::ForChosen(choice.body.as_deref().unwrap_or(&[])),
                ..acts
            },
            StepKind::Exchange { then, cost: _ } => StepFacts { inside: Inside::Exchanged(then), ..acts },
            StepKind::May { step, prompt: _ } => StepFacts { inside: Inside::IfWanted(step), ..acts },
            StepKind::Either(ways) => StepFacts { inside: Inside::OneWay(ways), ..acts },
            StepKind::Let { name, value: _ } => StepFacts { name: Some(name), ..nothing },
            StepKind::Pick { name, set: _, secret: _ } | StepKind::Roll { name, sides: _, secret: _ } => {
                StepFacts { name: Some(name), ..acts }
            }
            // The kernel tests the steps after these in advance, too.
            StepKind::Gain { .. } | StepKind::Put { .. } | StepKind::Look { .. } => {
                StepFacts { changes: false, ..acts }
            }
            StepKind::Set { .. } | StepKind::Cancel | StepKind::Rejoin(_) | StepKind::Eliminate { .. } => {
                StepFacts { acts: false, ..acts }
            }
            StepKind::Pass => StepFacts { ends: Some("pass"), ..changes },
            StepKind::EndTurn => StepFacts { ends: Some("end turn"), ..changes },
            StepKind::EndPhase => StepFacts { ends: Some("end phase"), ..changes },
            StepKind::EndGame { winners: _ } => StepFacts { ends: Some("end game"), ..changes },
            StepKind::Pay { .. }
            | StepKind::Store { .. }
            | StepKind::Take { .. }
            | StepKind::GiveBack { .. }
            | StepKind::Lay { .. }
            | StepKind::Move { .. }
            | StepKind::Draw { .. }
            | StepKind::Shuffle(_)
            | StepKind::Refill(_)
            | StepKind::Flip(_)
            | StepKind::Swap { .. }
            | StepKind::Raise { .. }
            | StepKind::Perform { .. }
            | StepKind::Use(_)
            | StepKind::Pause
            | StepKind::Reveal { .. }
            | StepKind::Disclose { .. }
            | StepKind::Script { .. } => acts,
        }
    }
}
