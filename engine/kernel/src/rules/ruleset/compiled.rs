//! Effects, costs and expressions of a pack. When one is first used, it is compiled to functions (`lower/`), which are kept
//! here.

use std::fmt;
use std::sync::Arc;

use rulepack_expr::{Ahead, Cost, Expr, Op, Program, TogetherSlots};

use crate::eval::expressions::{Eval, Locals};
use crate::lower::{self, AnyValue, Lowered, Number, Price, Step, Truth};
use crate::rules::ruleset::Ruleset;
use crate::rules::shortcuts::Shortcut;
use crate::state::value::Value;

/// Where a step of an effect, or a definition, stands in its file.
#[derive(Debug, Clone)]
#[allow(missing_docs)]
pub struct StepPlace {
    pub path: Arc<str>,
    pub line: u32,
    pub column: u32,
}

impl fmt::Display for StepPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.path, self.line, self.column)
    }
}

/// An effect, with its place.
#[derive(Debug, Clone)]
pub struct CompiledProgram {
    /// The operations.
    pub program: Program,
    /// For messages, such as `card.inn on_play`.
    pub origin: String,
    /// Where the step of each operation stands, for messages; no part of the rules.
    pub places: Arc<[StepPlace]>,
    /// For each operation, whether the effect can always be carried out from there on.
    certain: Vec<bool>,
    /// Whether it has a choice of several things at least some of which may have to be chosen.
    pub(crate) has_several: bool,
    /// Where its players choose together, and where they are told what all have chosen.
    pub(crate) together: Vec<Asking>,
    /// The operations as functions.
    steps: Lowered<Vec<Step>>,
}

impl CompiledProgram {
    /// An effect that is ready to be run.
    pub fn new(program: Program, origin: String) -> Self {
        let certain = certain(&program.ops);
        let is_several = |op: &Op| matches!(op, Op::ChooseMore { if_any: false, .. });
        let has_several = program.ops.iter().any(is_several);
        let together = Asking::all(&program.ops);
        let (places, steps) = (Arc::default(), Lowered::default());
        CompiledProgram { program, origin, places, certain, has_several, together, steps }
    }

    /// Where the step of an operation stands: `path:line:column`.
    #[cold]
    pub(crate) fn place(&self, pc: u32) -> Option<String> {
        self.places.get(pc as usize).map(StepPlace::to_string)
    }

    /// Its operations as functions.
    #[inline]
    pub(crate) fn steps(&self, rules: &Ruleset) -> &[Step] {
        self.steps.get(|| lower::steps(rules, &self.program))
    }

    /// Whether the effect can always be carried out from an operation on; see [`crate::Eval::can_run`].
    pub(crate) fn is_certain(&self, rules: &Ruleset, from: usize) -> bool {
        let shortcuts = rules.shortcuts;
        shortcuts.takes(Shortcut::CertainEffects)
            && (self.certain.get(from).copied().unwrap_or(true) || shortcuts.spoils(Shortcut::CertainEffects))
    }
}

/// The operations of an effect that ask the players of a `together`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Asking {
    /// Where the next player is asked.
    pub(crate) start: u32,
    /// Where all have chosen.
    pub(crate) end: u32,
    pub(crate) slots: TogetherSlots,
}

impl Asking {
    fn all(ops: &[Op]) -> Vec<Asking> {
        let asking = |(start, op): (usize, &Op)| match op {
            Op::AskNext { slots, end } => Some(Asking { start: start as u32, end: *end, slots: *slots }),
            _ => None,
        };
        ops.iter().enumerate().filter_map(asking).collect()
    }
}

/// For each operation, whether the effect can always be carried out from there on. It can unless a way leads to an operation
/// that may be impossible, such as a payment, without one in between that changes the table. Each operation is visited once,
/// since patches can make an effect long.
fn certain(ops: &[Op]) -> Vec<bool> {
    // The operations from which each operation is reached.
    let mut before: Vec<Vec<usize>> = vec![Vec::new(); ops.len()];
    let mut doubtful = Vec::new();
    for (pc, op) in ops.iter().enumerate() {
        let (one, other) = match op.ahead() {
            Ahead::Next | Ahead::Let(..) | Ahead::Keep(..) => (Some(pc + 1), None),
            Ahead::Jump(to) => (Some(to as usize), None),
            Ahead::JumpUnless(_, to) => (Some(pc + 1), Some(to as usize)),
            Ahead::Pay(_)
            | Ahead::Exchange { .. }
            | Ahead::Choose { .. }
            | Ahead::ChooseMore { .. }
            | Ahead::Either(_)
            | Ahead::Use { .. } => {
                doubtful.push(pc);
                (None, None)
            }
            Ahead::Stop => (None, None),
        };
        for next in one.into_iter().chain(other) {
            if let Some(before) = before.get_mut(next) {
                before.push(pc);
            }
        }
    }
    let mut certain = vec![true; ops.len()];
    while let Some(pc) = doubtful.pop() {
        if std::mem::replace(&mut certain[pc], false) {
            doubtful.extend(&before[pc]);
        }
    }
    certain
}

/// A cost, with how many slots it needs.
#[derive(Debug, Clone)]
pub struct CompiledCost {
    /// The cost.
    pub cost: Cost,
    /// How many slots it needs.
    pub locals: u16,
    price: Lowered<Price>,
}

impl CompiledCost {
    /// A cost that is ready to be computed.
    pub fn new(cost: Cost, locals: u16) -> Self {
        CompiledCost { cost, locals, price: Lowered::default() }
    }

    #[inline]
    pub(crate) fn price(&self, rules: &Ruleset) -> &Price {
        self.price.get(|| Price::new(rules, &self.cost))
    }
}

/// An expression, with how many slots it needs.
#[derive(Debug, Clone)]
pub struct CompiledExpr {
    /// The expression.
    pub expr: Expr,
    /// How many slots it needs.
    pub locals: u16,
    /// Where it stands.
    pub place: Option<StepPlace>,
    code: Lowered<AnyValue>,
    number: Lowered<Number>,
    truth: Lowered<Truth>,
}

impl CompiledExpr {
    /// An expression that is ready to be evaluated.
    pub fn new(expr: Expr, locals: u16) -> Self {
        let (code, number, truth) = (Lowered::default(), Lowered::default(), Lowered::default());
        CompiledExpr { expr, locals, place: None, code, number, truth }
    }

    pub(crate) fn value(&self, eval: &Eval<'_>, locals: &mut Locals) -> Value {
        self.code.get(|| lower::checked::value(eval.rules, &self.expr))(eval, locals)
    }

    pub(crate) fn truth(&self, eval: &Eval<'_>, locals: &mut Locals) -> bool {
        self.truth.get(|| lower::checked::truth(eval.rules, &self.expr))(eval, locals)
    }

    pub(crate) fn number(&self, eval: &Eval<'_>, locals: &mut Locals) -> i64 {
        self.number.get(|| lower::checked::number(eval.rules, &self.expr))(eval, locals)
    }
}
