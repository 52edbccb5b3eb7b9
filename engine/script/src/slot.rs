//! The view of the game that a running call may read, lent to the functions of the host while the call runs.
//!
//! Functions inside the VM cannot borrow: they find the game through this slot. This is the only unsafe code of the
//! crate; all other code uses the safe functions [`Slot::enter`] and [`Slot::with`].

#![allow(unsafe_code)]

use std::cell::Cell;
use std::ptr::NonNull;

use rulepack_kernel::{Eval, Slots, Value};
use rulepack_model::{PieceId, Seat};

/// The view of a running call.
pub(crate) struct View<'a> {
    /// Rules and state.
    pub eval: Eval<'a>,
    /// The player for whom it runs.
    pub me: Option<Seat>,
    /// The piece for which it runs.
    pub this: Option<PieceId>,
    /// Whether it may neither change the game nor ask a player.
    pub query: bool,
}

impl View<'_> {
    /// The slots of an expression that is evaluated from here.
    pub(crate) fn locals(&self) -> Slots {
        let mut locals = Slots::new();
        locals.push(self.me.map_or(Value::Nil, Value::Seat));
        locals.push(self.this.map_or(Value::Nil, Value::Piece));
        locals
    }
}

/// A pointer to the view of the innermost running call.
#[derive(Default)]
pub(crate) struct Slot(Cell<Option<NonNull<View<'static>>>>);

/// Restores the previous pointer, even if the call panics.
struct Restore<'s> {
    slot: &'s Slot,
    before: Option<NonNull<View<'static>>>,
}

impl Drop for Restore<'_> {
    fn drop(&mut self) {
        self.slot.0.set(self.before);
    }
}

impl Slot {
    /// Runs a function during which [`Slot::with`] finds this view.
    pub(crate) fn enter<R>(&self, view: &View<'_>, run: impl FnOnce() -> R) -> R {
        let before = self.0.replace(Some(NonNull::from(view).cast()));
        let _restore = Restore { slot: self, before };
        run()
    }

    /// Calls a function with the view of the innermost call; `None` if no call runs.
    pub(crate) fn with<R>(&self, look: impl for<'v> FnOnce(&'v View<'v>) -> R) -> Option<R> {
        let pointer = self.0.get()?;
        // SAFETY: a pointer is in the slot only while `enter` runs, which borrows the view until it has put the slot
        // back. Coroutines share the native stack, so `look` ends before that `enter` does. The slot is not `Sync`,
        // nothing ever has mutable access to a view, and `look` cannot keep a reference: it must accept every
        // lifetime, also the shortest.
        let view = unsafe { pointer.as_ref() };
        Some(look(view))
    }
}
