//! The game that a script looks at, lent to the functions of the host for as long as a call runs.
//!
//! Functions that live in the VM cannot borrow: they find the game through this slot. It is the only unsafe code of
//! the crate; everything else sees a safe pair, [`Slot::enter`] and [`Slot::with`].

#![allow(unsafe_code)]

use std::cell::Cell;
use std::ptr::NonNull;

use rulepack_kernel::{Eval, Slots, Value};
use rulepack_model::{PieceId, Seat};

/// What a running call sees.
pub(crate) struct View<'a> {
    /// Rules and state.
    pub eval: Eval<'a>,
    /// For whom it runs.
    pub me: Option<Seat>,
    /// For which piece.
    pub this: Option<PieceId>,
    /// Whether it may neither change nor ask.
    pub query: bool,
}

impl View<'_> {
    /// The slots of an expression that is looked at from here.
    pub(crate) fn locals(&self) -> Slots {
        let mut locals = Slots::new();
        locals.push(self.me.map_or(Value::Nil, Value::Seat));
        locals.push(self.this.map_or(Value::Nil, Value::Piece));
        locals
    }
}

/// Where the view of the innermost running call is found.
#[derive(Default)]
pub(crate) struct Slot(Cell<Option<NonNull<View<'static>>>>);

/// Puts back what was there before, also when a panic passes.
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
    /// Runs something during which [`Slot::with`] gives this view.
    pub(crate) fn enter<R>(&self, view: &View<'_>, run: impl FnOnce() -> R) -> R {
        let before = self.0.replace(Some(NonNull::from(view).cast()));
        let _restore = Restore { slot: self, before };
        run()
    }

    /// Looks at the view of the innermost call; `None` if none runs.
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
