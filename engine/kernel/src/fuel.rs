//! A bound on the work between two questions, so that no pack can make the kernel hang: texts always end, but sets
//! inside sets inside sets can take longer than anybody waits.

use std::cell::Cell;
use std::hash::{Hash, Hasher};

/// Members of sets that may be looked at, and operations that may be done, between two questions. A large game needs a
/// few thousand.
const FULL: u32 = 20_000_000;

/// What is left. It is no part of what a state *is*: two states that differ only here are the same.
#[derive(Debug, Clone)]
pub(crate) struct Fuel {
    left: Cell<u32>,
    /// What was used before the last question.
    used: Cell<u64>,
    /// Whether something is being checked.
    checks: Cell<bool>,
}

impl Default for Fuel {
    fn default() -> Self {
        Fuel { left: Cell::new(FULL), used: Cell::new(0), checks: Cell::new(false) }
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

    pub(crate) fn is_out(&self) -> bool {
        self.left.get() == 0
    }

    pub(crate) fn refill(&self) {
        self.used.set(self.all_used());
        self.left.set(FULL);
    }

    /// What a copy has used counts here too.
    pub(crate) fn follow(&self, other: &Fuel) {
        self.left.set(other.left.get().min(self.left.get()));
    }

    /// All that was ever used.
    pub(crate) fn all_used(&self) -> u64 {
        self.used.get() + u64::from(FULL - self.left.get())
    }

    /// Checks something, which costs nothing; not inside another check, which would take for ever.
    pub(crate) fn free_of_charge(&self, work: impl FnOnce()) {
        let left = self.left.get();
        // What is cut short says nothing.
        if left == 0 || self.checks.replace(true) {
            return;
        }
        self.left.set(FULL);
        work();
        self.left.set(left);
        self.checks.set(false);
    }
}
