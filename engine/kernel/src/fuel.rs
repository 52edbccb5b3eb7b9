//! A bound on the work between two questions, so that no pack can make the kernel hang: texts always end, but sets
//! inside sets inside sets can take longer than anybody waits.

use std::cell::{Cell, RefCell};
use std::hash::{Hash, Hasher};

use rulepack_model::{ActionId, ExprId, ValueId};

use crate::deep::Trail;
use crate::value::Value;

/// Members of sets that may be looked at, and operations that may be done, between two questions. A large game needs a
/// few thousand.
const FULL: u32 = 20_000_000;

/// As much may one check of the oracle cost.
const CHECK: u32 = FULL / 20;

/// As much may all checks between two questions cost: what is remembered for good reason takes for ever without.
const CHECKS: u32 = FULL / 10;

/// What used up the fuel, as far as it has a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Culprit {
    Value(ValueId),
    Action(ActionId),
    /// A text that is neither: an attribute, a line of the score, a condition of a phase.
    Text(ExprId),
}

/// What is left. It is no part of what a state *is*: two states that differ only here are the same.
#[derive(Debug, Clone)]
pub(crate) struct Fuel {
    left: Cell<u32>,
    /// What was used before the last question.
    used: Cell<u64>,
    /// What was being worked out when nothing was left.
    culprit: Cell<Option<Culprit>>,
    /// Which values were asked when they were too deep, if they were.
    trail: RefCell<Trail>,
    /// Whether a number was too large.
    is_large: Cell<bool>,
    /// Whether something is being checked, and what is left for that.
    checks: Cell<bool>,
    checks_left: Cell<u32>,
    /// Whether the table is a copy on which an effect is tried; see `attempt.rs`.
    is_attempt: Cell<bool>,
}

impl Default for Fuel {
    fn default() -> Self {
        Fuel {
            left: Cell::new(FULL),
            used: Cell::new(0),
            culprit: Cell::new(None),
            trail: RefCell::default(),
            is_large: Cell::new(false),
            checks: Cell::new(false),
            checks_left: Cell::new(CHECKS),
            is_attempt: Cell::new(false),
        }
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
    /// Uses some; false when there is not enough left.
    #[inline]
    pub(crate) fn burn(&self, amount: u32) -> bool {
        let left = self.left.get();
        self.left.set(left.saturating_sub(amount));
        left >= amount
    }

    #[inline]
    pub(crate) fn is_out(&self) -> bool {
        self.left.get() == 0
    }

    /// Says what is being worked out, if nothing is left: the innermost counts.
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

    /// What used up the fuel.
    pub(crate) fn culprit(&self) -> Option<Culprit> {
        self.culprit.get()
    }

    #[inline]
    pub(crate) fn refill(&self) {
        self.culprit.set(None);
        self.used.set(self.all_used());
        self.left.set(FULL);
        self.checks_left.set(CHECKS);
        self.is_large.set(false);
        if self.trail.borrow().is_broken() {
            self.trail.take();
        }
    }

    /// This is the table of an attempt.
    pub(crate) fn begin_attempt(&self) {
        self.is_attempt.set(true);
    }

    pub(crate) fn is_attempt(&self) -> bool {
        self.is_attempt.get()
    }

    /// Values are asked too deep inside one another: nothing that follows from this counts.
    #[cold]
    pub(crate) fn too_deep(&self) {
        self.left.set(0);
        // A check that is cut short says nothing.
        if !self.checks.get() {
            self.trail.borrow_mut().begin();
        }
    }

    /// A number is too large to be kept: nothing that follows from it counts.
    #[cold]
    #[inline(never)]
    pub(crate) fn too_large(&self) {
        self.left.set(0);
        if !self.checks.get() {
            self.is_large.set(true);
        }
    }

    /// Whether a number was too large.
    pub(crate) fn is_large(&self) -> bool {
        self.is_large.get()
    }

    /// Notes a value that was being asked when it became too deep, from the innermost.
    #[cold]
    pub(crate) fn note(&self, value: ValueId, of: Value) {
        self.trail.borrow_mut().add(value, of);
    }

    /// What was asked too deep, if something was.
    pub(crate) fn trail(&self) -> Option<Trail> {
        Some(self.trail.borrow()).filter(|trail| trail.is_broken()).map(|trail| trail.clone())
    }

    /// What a copy has used counts here too.
    pub(crate) fn follow(&self, other: &Fuel) {
        self.left.set(other.left.get().min(self.left.get()));
        self.is_large.set(self.is_large.get() || other.is_large.get());
        if let Some(culprit) = other.culprit() {
            self.blame(culprit);
        }
        if let Some(trail) = other.trail() {
            self.trail.replace(trail);
        }
    }

    /// All that was ever used.
    pub(crate) fn all_used(&self) -> u64 {
        self.used.get() + u64::from(FULL - self.left.get())
    }

    /// Checks something, which costs nothing; not inside another check, which would take for ever. Says whether the work
    /// was done to its end.
    pub(crate) fn free_of_charge(&self, work: impl FnOnce()) -> bool {
        let (left, allowed) = (self.left.get(), self.checks_left.get().min(CHECK));
        if left == 0 || allowed == 0 || self.checks.replace(true) {
            return false;
        }
        self.left.set(allowed);
        work();
        let is_whole = !self.is_out();
        self.checks_left.set(self.checks_left.get() - (allowed - self.left.get()));
        self.left.set(left);
        self.checks.set(false);
        is_whole
    }
}
