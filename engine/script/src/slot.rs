//! The game on which a running call works, lent to the functions of the host while the call runs.
//!
//! Functions inside the VM cannot borrow: they find the game through this slot. This is the only unsafe code of the
//! crate; all other code uses the safe functions [`Slot::enter`], [`Slot::read`] and [`Slot::change`].

#![allow(unsafe_code)]

use std::cell::Cell;
use std::ptr::NonNull;

use rulepack_kernel::{Eval, GameAccess, Slots, Value};
use rulepack_model::{PieceId, Seat};

/// The game of a running call.
pub(crate) enum Game<'a> {
    /// A query only reads.
    Query(Eval<'a>),
    /// An effect makes requests as well.
    Effect(&'a mut dyn GameAccess),
}

impl Game<'_> {
    /// Rules and state.
    pub(crate) fn eval(&self) -> Eval<'_> {
        match self {
            Game::Query(eval) => *eval,
            Game::Effect(game) => game.eval(),
        }
    }
}

/// What belongs to a running call.
pub(crate) struct Running<'a> {
    pub game: Game<'a>,
    /// The player for whom it runs.
    pub me: Option<Seat>,
    /// The piece for which it runs.
    pub this: Option<PieceId>,
    /// Whether a function reads the game at this moment.
    is_read: Cell<bool>,
}

impl<'a> Running<'a> {
    pub(crate) fn new(game: Game<'a>, me: Option<Seat>, this: Option<PieceId>) -> Self {
        Running { game, me, this, is_read: Cell::new(false) }
    }
}

/// What a function inside the VM may read.
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

/// A pointer to the innermost running call.
#[derive(Default)]
pub(crate) struct Slot(Cell<Option<NonNull<Running<'static>>>>);

/// Restores the previous pointer, even if the call panics.
struct Restore<'s> {
    slot: &'s Slot,
    before: Option<NonNull<Running<'static>>>,
}

impl Drop for Restore<'_> {
    fn drop(&mut self) {
        self.slot.0.set(self.before);
    }
}

/// Ends reading, even if it panics.
struct EndReading<'r>(&'r Cell<bool>, bool);

impl Drop for EndReading<'_> {
    fn drop(&mut self) {
        self.0.set(self.1);
    }
}

impl Slot {
    /// Runs a function during which [`Slot::read`] and [`Slot::change`] find this call.
    pub(crate) fn enter<R>(&self, running: &mut Running<'_>, run: impl FnOnce() -> R) -> R {
        let before = self.0.replace(Some(NonNull::from(running).cast()));
        let _restore = Restore { slot: self, before };
        run()
    }

    /// Calls a function with the view of the innermost call, for a player if one is given; `None` if no call runs.
    pub(crate) fn read<R>(&self, me: Option<Seat>, look: impl for<'v> FnOnce(&'v View<'v>) -> R) -> Option<R> {
        let pointer = self.0.get()?;
        // SAFETY: a pointer is in the slot only while `enter` runs, which borrows the call until it has put the slot back.
        // Coroutines share the native stack, so `look` ends before that `enter` does. The slot is not `Sync`. The only
        // mutable access is that of `change`, which refuses while `is_read` is set, and during which the slot is empty or
        // holds another call. `look` cannot keep a reference: it must accept every lifetime, also the shortest.
        let running = unsafe { pointer.as_ref() };
        let _end = EndReading(&running.is_read, running.is_read.replace(true));
        let query = matches!(running.game, Game::Query(_));
        let view = View { eval: running.game.eval(), me: me.or(running.me), this: running.this, query };
        Some(look(&view))
    }

    /// Calls a function that may change the game of the innermost call; `None` if no effect runs.
    pub(crate) fn change<R>(&self, act: impl FnOnce(&mut dyn GameAccess) -> R) -> Option<R> {
        let mut pointer = self.0.get()?;
        // SAFETY: as in `read`. This reference ends before the next one begins.
        if unsafe { pointer.as_ref() }.is_read.get() {
            return None;
        }
        // Nothing finds the call in the slot while this reference exists: `act` can only run other calls.
        self.0.set(None);
        let _restore = Restore { slot: self, before: Some(pointer) };
        // SAFETY: as in `read`, and no other reference exists: nobody reads, and the slot does not hold the pointer.
        match &mut unsafe { pointer.as_mut() }.game {
            Game::Query(_) => None,
            Game::Effect(game) => Some(act(&mut **game)),
        }
    }
}
