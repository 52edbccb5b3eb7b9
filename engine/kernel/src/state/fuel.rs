//! A bound on the work between two questions, so that no pack can make the kernel hang: texts always end, but sets
//! inside sets inside sets can take longer than anybody waits.

use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};

use rulepack_model::{ActionId, ExprId, SymId, ValueId};

use crate::eval::value_depth::Trail;
use crate::rules::limits::Limits;
use crate::state::value::{Value, ZoneIx};

/// When answers are given again, the limits are this many times as large, because cached results may have to be
/// computed anew.
const AGAIN: u32 = 2;

/// The part of the limit that one check of the oracle may cost.
const CHECK: u32 = 20;

/// The part of the limit that all checks between two questions may cost: without the cache, some results take
/// exponential time.
const CHECKS: u32 = 10;

/// The definition or expression that used up the budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Culprit {
    Value(ValueId),
    Action(ActionId),
    /// Another expression: an attribute, a line of the score, a condition of a phase.
    Text(ExprId),
}

/// What stopped an evaluation that cannot fail by itself, other than too much work.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mistake {
    /// A number is too large.
    TooLarge,
    /// A line in a direction that the layout of its zone does not have.
    NoDirection { zone: ZoneIx, direction: SymId },
}

/// The rest of the limits until the next question: one budget for everything that follows from an answer. It is not compared or
/// hashed: two states that differ only here are equal.
#[derive(Debug, Clone)]
pub(crate) struct Fuel {
    /// Members of sets that may still be read, and operations that may still be done.
    left: Cell<u32>,
    /// The other counters.
    rest: Cell<Rest>,
    /// The full budget.
    full: Cell<Limits>,
    /// The amount that was used before the last question.
    used: Cell<u64>,
    /// What was being computed when the budget was used up.
    culprit: Cell<Option<Culprit>>,
    /// The values that were being computed when the chain became too long, if it did.
    trail: RefCell<Trail>,
    /// The mistake that emptied the budget, if one did.
    mistake: Cell<Option<Mistake>>,
    /// Whether a check is running, and the amount that it used.
    checks: Cell<bool>,
    checks_used: Cell<u32>,
    /// Whether the table is a copy on which an effect is tried; see `flow/feasible/attempts.rs`.
    is_attempt: Cell<bool>,
    /// How many attempts are nested: each works on a copy of the state of the one around it.
    copies: Cell<u32>,
    /// Whether answers are being given again.
    again: Cell<bool>,
}

/// The rest of the rarely used counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Rest {
    steps: u32,
    script: ScriptBudget,
}

/// The rest of the limits for scripts until the next question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScriptBudget {
    /// Steps.
    pub steps: u32,
    /// Bytes.
    pub memory: u32,
}

impl Rest {
    fn of(limits: Limits) -> Rest {
        Rest { steps: limits.steps, script: ScriptBudget { steps: limits.script_steps, memory: limits.script_memory } }
    }
}

impl Default for Fuel {
    fn default() -> Self {
        Fuel::new(Limits::default())
    }
}

impl PartialEq for Fuel {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Fuel {}

impl Hash for Fuel {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Fuel {
    pub(crate) fn new(limits: Limits) -> Fuel {
        Fuel {
            left: Cell::new(limits.members),
            rest: Cell::new(Rest::of(limits)),
            full: Cell::new(limits),
            used: Cell::new(0),
            culprit: Cell::new(None),
            trail: RefCell::default(),
            mistake: Cell::new(None),
            checks: Cell::new(false),
            checks_used: Cell::new(0),
            is_attempt: Cell::new(false),
            copies: Cell::new(0),
            again: Cell::new(false),
        }
    }

    /// Uses an amount; false if the rest is too small.
    #[inline]
    pub(crate) fn burn(&self, amount: u32) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(amount));
        left >= amount
    }

    /// Like [`Fuel::burn`], for the length of a list.
    #[inline]
    pub(crate) fn burn_many(&self, amount: usize) -> bool {
        self.burn(u32::try_from(amount).unwrap_or(u32::MAX))
    }

    /// Uses one step of the flow; false if none is left.
    #[inline]
    pub(crate) fn step(&self) -> bool {
        let rest = self.rest.get();
        self.rest.set(Rest { steps: rest.steps.saturating_sub(1), ..rest });
        rest.steps > 0
    }

    pub(crate) fn script(&self) -> ScriptBudget {
        self.rest.get().script
    }

    pub(crate) fn set_script(&self, script: ScriptBudget) {
        self.rest.set(Rest { script, ..self.rest.get() });
    }

    /// Empties the budget: for a failure in the middle of an expression, whose evaluation cannot be left at once.
    #[cold]
    pub(crate) fn stop(&self) {
        self.left.set(0);
    }

    #[inline]
    pub(crate) fn is_out(&self) -> bool {
        self.left.get() == 0
    }

    /// Records what is being computed when the budget is used up: the innermost counts.
    #[inline]
    pub(crate) fn blame(&self, culprit: Culprit) {
        if self.is_out() {
            self.blame_first(culprit);
        }
    }

    #[cold]
    #[inline(never)]
    fn blame_first(&self, culprit: Culprit) {
        if self.culprit.get().is_none() && !self.checks.get() {
            self.culprit.set(Some(culprit));
        }
    }

    /// The definition or expression that used up the budget.
    pub(crate) fn culprit(&self) -> Option<Culprit> {
        self.culprit.get()
    }

    /// Fills the budget: a question has been answered, or somebody only reads the state.
    #[inline]
    pub(crate) fn refill(&self, limits: Limits) {
        let times = if self.again.get() { AGAIN } else { 1 };
        let full = match times {
            1 => limits,
            _ => limits.times(times),
        };
        if self.is_out() {
            self.forget_why();
        }
        self.used.set(self.all_used());
        self.left.set(full.members);
        self.rest.set(Rest::of(full));
        self.full.set(full);
        self.checks_used.set(0);
    }

    /// Forgets why the budget was used up.
    #[cold]
    #[inline(never)]
    fn forget_why(&self) {
        self.culprit.set(None);
        self.mistake.set(None);
        self.trail.take();
    }

    /// Marks the state as that of an attempt.
    pub(crate) fn begin_attempt(&self) {
        self.is_attempt.set(true);
    }

    pub(crate) fn is_attempt(&self) -> bool {
        self.is_attempt.get()
    }

    pub(crate) fn copies(&self) -> u32 {
        self.copies.get()
    }

    pub(crate) fn set_copies(&self, copies: u32) {
        self.copies.set(copies);
    }

    /// Says whether answers are being given again from now on.
    pub(crate) fn set_again(&self, again: bool) {
        self.again.set(again);
    }

    /// A chain of values became too long: results that follow from it do not count.
    #[cold]
    pub(crate) fn too_deep(&self) {
        self.left.set(0);
        // A check that is stopped proves nothing.
        if !self.checks.get() {
            self.trail.borrow_mut().begin();
        }
    }

    /// A number is too large: results that follow from it do not count.
    #[cold]
    #[inline(never)]
    pub(crate) fn too_large(&self) {
        self.fails(Mistake::TooLarge);
    }

    /// Something is wrong in the middle of an expression: results that follow from it do not count.
    #[cold]
    #[inline(never)]
    pub(crate) fn fails(&self, mistake: Mistake) {
        self.left.set(0);
        if !self.checks.get() {
            self.mistake.set(Some(mistake));
        }
    }

    /// The mistake that emptied the budget, if one did.
    pub(crate) fn mistake(&self) -> Option<Mistake> {
        self.mistake.get()
    }

    /// Records a value that was being computed when the chain became too long, from the innermost.
    #[cold]
    pub(crate) fn note(&self, value: ValueId, of: Value) {
        self.trail.borrow_mut().add(value, of);
    }

    /// The chain that became too long, if one did.
    pub(crate) fn trail(&self) -> Option<Trail> {
        Some(self.trail.borrow()).filter(|trail| trail.is_broken()).map(|trail| trail.clone())
    }

    /// Adds the amount that a copy has used.
    pub(crate) fn follow(&self, other: &Fuel) {
        self.left.set(other.left.get().min(self.left.get()));
        self.mistake.set(self.mistake.get().or(other.mistake.get()));
        if let Some(culprit) = other.culprit() {
            self.blame(culprit);
        }
        self.rest.set(other.rest.get());
        if let Some(trail) = other.trail() {
            self.trail.replace(trail);
        }
    }

    /// The total amount used.
    pub(crate) fn all_used(&self) -> u64 {
        self.used.get() + u64::from(self.full.get().members - self.left.get())
    }

    /// Adds the work of an answer that was taken back.
    #[cold]
    pub(crate) fn add_used(&self, work: u64) {
        self.used.set(self.used.get().saturating_add(work));
    }

    /// The amount used since the last question, limit by limit.
    pub(crate) fn spent(&self) -> Limits {
        let (full, rest) = (self.full.get(), self.rest.get());
        Limits {
            steps: full.steps - rest.steps,
            members: full.members - self.left.get(),
            script_steps: full.script_steps - rest.script.steps,
            script_memory: full.script_memory - rest.script.memory,
            // What ends gives its frame back: a depth is not used up.
            frames: 0,
        }
    }

    /// Runs a check at no cost; not inside another check, which would take exponential time. Returns whether the check
    /// ran to its end.
    pub(crate) fn free_of_charge(&self, work: impl FnOnce()) -> bool {
        let (left, rest) = (self.left.get(), self.rest.get());
        let most = self.full.get().members;
        let allowed = (most / CHECKS).saturating_sub(self.checks_used.get()).min(most / CHECK);
        if left == 0 || allowed == 0 || self.checks.replace(true) {
            return false;
        }
        self.left.set(allowed);
        work();
        let is_whole = !self.is_out();
        self.checks_used.set(self.checks_used.get() + (allowed - self.left.get()));
        self.left.set(left);
        self.rest.set(rest);
        self.checks.set(false);
        is_whole
    }
}

impl Limits {
    fn times(self, times: u32) -> Limits {
        Limits {
            steps: self.steps.saturating_mul(times),
            members: self.members.saturating_mul(times),
            script_steps: self.script_steps.saturating_mul(times),
            script_memory: self.script_memory.saturating_mul(times),
            frames: self.frames,
        }
    }
}
