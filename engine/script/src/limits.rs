//! How long a script may run and how much it may hold. Steps are counted, never time, so that a script which is
//! stopped once is stopped always.

use std::cell::Cell;

use mlua::{Lua, VmState};

use crate::fail::{Places, TOO_MUCH_MEMORY, Trouble};

/// How many steps (calls, returns, rounds of a loop) one call of a script may take until it asks or ends.
pub const FUEL: u64 = 200_000;
/// How many bytes scripts may hold on top of what loading took.
pub const MEMORY: usize = 16 << 20;
/// The same for loading all scripts.
const LOADING: usize = 64 << 20;
/// Memory is looked at after so many steps: doing it every time costs as much as the step.
const WEIGHED: u64 = 4;
/// Steps that take more bytes than this cost more steps: they handle something big.
const BIG_STEP: usize = 8 << 10;
/// Steps that take more bytes than this have gone wrong.
const HUGE_STEP: usize = 1 << 20;
/// How many new bytes cost a step. Calls that go deep must reach their own limit before this one: their stack
/// counts, too.
const BYTES_PER_STEP: usize = 32;
/// How many bytes, or entries of a list, a function of the library may handle for each step that it costs.
const PER_STEP: usize = 8;
/// How deep queries may be nested in one another through expressions.
const MAX_DEPTH: u32 = 16;

/// The budget of the call that runs.
#[derive(Debug, Default)]
pub(crate) struct Limits {
    fuel: Cell<u64>,
    depth: Cell<u32>,
    held: Cell<usize>,
    /// What was held after loading.
    base: Cell<usize>,
}

/// A call that runs; ends with it.
pub(crate) struct Running<'l>(&'l Limits);

impl Drop for Running<'_> {
    fn drop(&mut self) {
        self.0.depth.set(self.0.depth.get() - 1);
    }
}

impl Limits {
    /// Lets scripts be loaded.
    pub(crate) fn loading(&self, lua: &Lua) -> mlua::Result<()> {
        lua.set_memory_limit(lua.used_memory() + LOADING)?;
        self.refuel(lua);
        Ok(())
    }

    /// Loading is over: what is held now does not count.
    pub(crate) fn loaded(&self, lua: &Lua) -> mlua::Result<()> {
        lua.gc_collect()?;
        self.base.set(lua.used_memory());
        lua.set_memory_limit(self.base.get() + MEMORY)?;
        Ok(())
    }

    /// Gives the full budget.
    pub(crate) fn refuel(&self, lua: &Lua) {
        self.fuel.set(FUEL);
        self.held.set(lua.used_memory());
    }

    /// Begins a call; one inside another shares its budget. `None` if too many are inside one another.
    pub(crate) fn begin(&self, lua: &Lua) -> Option<Running<'_>> {
        let depth = self.depth.get();
        if depth >= MAX_DEPTH {
            return None;
        }
        if depth == 0 {
            // The VM does not collect when it runs out, so that leftovers of earlier calls could stop this one.
            if lua.used_memory() > self.base.get() + MEMORY / 4 {
                self.sweep(lua);
            }
            self.refuel(lua);
        }
        self.depth.set(depth + 1);
        Some(Running(self))
    }

    /// Throws away what nobody holds any more.
    pub(crate) fn sweep(&self, lua: &Lua) {
        // Collecting can only fail inside a finalizer, and scripts have none.
        let _ = lua.gc_collect();
    }

    /// Counts work that the VM does not count: bytes or entries that one function handles.
    pub(crate) fn charge(&self, amount: usize) {
        self.fuel.set(self.fuel.get().saturating_sub((amount / PER_STEP) as u64));
    }

    /// One step. Once the budget is spent, every further step fails as well.
    pub(crate) fn tick(&self, lua: &Lua, places: &Places) -> mlua::Result<VmState> {
        let fuel = self.fuel.get();
        if fuel == 0 {
            return Err(places.raise(
                lua,
                Trouble::Said(format!("the script ran too long or gathered too much (more than {FUEL} steps)")),
            ));
        }
        self.fuel.set(fuel - 1);
        if fuel.is_multiple_of(WEIGHED) && self.grown(lua) > HUGE_STEP {
            return Err(places.raise(lua, Trouble::Said(TOO_MUCH_MEMORY.into())));
        }
        Ok(VmState::Continue)
    }

    /// How many bytes came since the last look; many of them cost steps.
    fn grown(&self, lua: &Lua) -> usize {
        let held = lua.used_memory();
        let grown = held.saturating_sub(self.held.replace(held));
        if grown > BIG_STEP {
            self.charge(grown * PER_STEP / BYTES_PER_STEP);
        }
        grown
    }
}
