//! Limits for the steps and the memory of scripts. Steps and bytes are counted, never time: a script that is stopped
//! once is stopped always.
//!
//! The kernel owns the budget: one for everything that follows from an answer, whichever script or query uses it. This
//! file only spends it. Work that the VM does not count costs steps by its size: library functions when they are called
//! (`prelude.lua`), operators (`..`, `<`) by the possible length of texts and code ([`Limits::strain`]).
//!
//! No garbage is collected while a script runs, so the growth of memory is exactly the number of bytes that it
//! allocated.

use std::cell::Cell;

use mlua::{Lua, VmState};
use rulepack_kernel::{Limits as Most, ScriptBudget};

use crate::fail::{Places, TOO_DEEP, TOO_MUCH_MEMORY, Trouble};
use crate::library::Script;

/// The number of bytes that loading all scripts may allocate.
const LOADING: usize = 64 << 20;
/// All waiting calls together may hold this many times the memory limit of one answer.
const HELD: usize = 3;
/// Garbage is collected when there is this much of it.
const LEFTOVERS: usize = 4 << 20;
/// Memory is checked after this many steps: checking at every step costs as much as the step.
const WEIGHED: u32 = 4;
/// A step that allocates more bytes than this has made a long value. From then on every step may handle it, and costs
/// more.
const LONG: usize = 16 << 10;
/// A step that allocates this much more than is left is stopped by the VM, which does not know the line.
const AT_ONCE: usize = 1 << 20;
/// A step that allocates more bytes than this has failed.
const HUGE_STEP: usize = 8 << 20;
/// The number of bytes that each operator of a script may handle in a step of normal price.
const HANDLED: usize = 64 << 10;
/// Added to the number of operators of the longest script: even a script without any handles lists and calls.
const OPERATORS: usize = 8;
/// A script longer than this may do more in one step, so each step costs more.
const CODE: usize = 16 << 10;
/// The same for the number of its operators.
const MANY_OPERATORS: usize = 64;
/// The number of bytes, or entries of a list, that a library function may handle for each step that it costs.
const PER_STEP: u64 = 8;
/// The product of characters and pattern length that may be compared in a step of normal price.
const PATTERN: u64 = 1_024;
/// The steps for loading each further script after one script has used up all.
const TO_LOAD_ON: u32 = 2_000;
/// A script that has recursed this deep when its steps are used up gets a message about recursion.
const DEEP: usize = 1_000;
/// The largest depth of queries inside one another, through expressions.
pub(crate) const MAX_DEPTH: u32 = 16;
/// The steps that the host may use to find the line of a waiting script.
const TO_FIND_A_LINE: ScriptBudget = ScriptBudget { steps: 10_000, memory: 1 << 20 };

/// The budget of the running call.
#[derive(Debug, Default)]
pub(crate) struct Limits {
    /// The limit, for messages, and the step at which it ends.
    most: Cell<u32>,
    until: Cell<&'static str>,
    fuel: Cell<u32>,
    memory: Cell<usize>,
    depth: Cell<u32>,
    held: Cell<usize>,
    /// The bytes in use after loading.
    base: Cell<usize>,
    /// Steps until the next check of memory.
    until_weighed: Cell<u32>,
    /// The price of a step.
    weight: Cell<u32>,
    /// The part of the price that comes from the length of the scripts.
    code: Cell<u32>,
    /// The part of the price that comes from the pattern that is being matched.
    pattern: Cell<u32>,
    /// The largest number of operators in any script.
    operators: Cell<usize>,
    /// The length of the longest value that may exist, and of the longest text in a script.
    longest: Cell<usize>,
    written: Cell<usize>,
}

/// A running call; it ends when this value is dropped.
pub(crate) struct Spending<'l> {
    limits: &'l Limits,
    lua: &'l Lua,
    /// Whether it is the outermost call.
    is_outermost: bool,
}

impl Spending<'_> {
    /// Ends the call; returns what is left of the budget after the outermost call.
    pub(crate) fn end(self) -> Option<ScriptBudget> {
        if !self.is_outermost {
            return None;
        }
        self.limits.weigh(self.lua);
        let memory = u32::try_from(self.limits.memory.get()).unwrap_or(u32::MAX);
        Some(ScriptBudget { steps: self.limits.fuel.get(), memory })
    }
}

impl Drop for Spending<'_> {
    fn drop(&mut self) {
        self.limits.depth.set(self.limits.depth.get().saturating_sub(1));
    }
}

impl Limits {
    /// Begins loading scripts: all of them share one budget.
    pub(crate) fn loading(&self, lua: &Lua, scripts: &[Script], most: Most) -> mlua::Result<()> {
        let texts = || scripts.iter().map(|script| script.text.as_str());
        let code = texts().map(|text| (text.len() / CODE).saturating_add(operators(text) / MANY_OPERATORS)).max();
        self.code.set(u32::try_from(code.unwrap_or(0)).unwrap_or(u32::MAX).saturating_add(1));
        self.operators.set(texts().map(operators).max().unwrap_or(0));
        self.written.set(texts().map(str::len).max().filter(|length| *length > HANDLED).unwrap_or(0));
        self.longest.set(self.written.get());
        self.set_weight();
        lua.gc_stop();
        lua.set_memory_limit(lua.used_memory().saturating_add(LOADING))?;
        self.fill(lua, ScriptBudget { steps: most.script_steps, memory: LOADING as u32 }, most);
        self.until.set("while they were loaded");
        Ok(())
    }

    /// Ends loading: the memory in use now does not count.
    pub(crate) fn loaded(&self, lua: &Lua) -> mlua::Result<()> {
        self.sweep(lua);
        self.base.set(lua.used_memory());
        Ok(())
    }

    fn fill(&self, lua: &Lua, budget: ScriptBudget, most: Most) {
        self.most.set(most.script_steps);
        self.fuel.set(budget.steps);
        self.memory.set(budget.memory as usize);
        self.held.set(lua.used_memory());
        self.until_weighed.set(WEIGHED);
        self.pattern.set(0);
        self.set_weight();
    }

    /// Begins a call with the rest of the budget of an answer; a call inside another one shares its budget. `None` if
    /// calls are nested too deep.
    pub(crate) fn begin<'l>(
        &'l self,
        lua: &'l Lua,
        budget: ScriptBudget,
        most: Most,
        waiting: bool,
    ) -> Option<Spending<'l>> {
        let is_outermost = self.enter(lua, budget, most, waiting)?;
        Some(Spending { limits: self, lua, is_outermost })
    }

    /// Begins a call that only finds the line of a waiting script; it is not charged.
    pub(crate) fn begin_aside<'l>(&'l self, lua: &'l Lua, most: Most) -> Option<Spending<'l>> {
        self.enter(lua, TO_FIND_A_LINE, most, true)?;
        Some(Spending { limits: self, lua, is_outermost: false })
    }

    /// Whether it is the outermost call.
    fn enter(&self, lua: &Lua, budget: ScriptBudget, most: Most, waiting: bool) -> Option<bool> {
        let depth = self.depth.get();
        if depth >= MAX_DEPTH {
            return None;
        }
        self.depth.set(depth.saturating_add(1));
        if depth > 0 {
            return Some(false);
        }
        let is_long = self.longest.get() > self.written.get();
        if is_long || lua.used_memory() > self.base.get().saturating_add(LEFTOVERS) {
            self.sweep(lua);
            if !waiting {
                // Nothing refers to the values any more.
                self.longest.set(self.written.get());
            }
        }
        self.fill(lua, budget, most);
        self.until.set("before the next question");
        let held = lua.used_memory();
        let now = held.saturating_add(self.memory.get()).saturating_add(AT_ONCE);
        let kept = HELD.saturating_mul(most.script_memory as usize);
        let all = self.base.get().saturating_add(LEFTOVERS).saturating_add(kept);
        // Without this limit there would be none at all.
        let _ = lua.set_memory_limit(now.min(all.max(held.saturating_add(1))));
        Some(true)
    }

    /// Whether a coroutine that this call leaves behind can be used again.
    pub(crate) fn is_clean(&self) -> bool {
        self.longest.get() <= self.written.get()
    }

    /// Allows loading the next script although another one has used up all steps, so that its own mistakes are
    /// reported.
    pub(crate) fn load_on(&self) {
        self.fuel.set(TO_LOAD_ON);
    }

    /// Whether the budget is used up.
    pub(crate) fn is_out(&self) -> bool {
        self.fuel.get() == 0
    }

    /// Collects garbage.
    pub(crate) fn sweep(&self, lua: &Lua) {
        // Collecting can only fail inside a finalizer, and scripts have none.
        let _ = lua.gc_collect();
        // Collecting starts the collector again.
        lua.gc_stop();
        self.held.set(lua.used_memory());
    }

    /// Charges work that the VM does not count: bytes or entries that one function handles. The function does not run
    /// if it costs too much.
    pub(crate) fn charge(&self, lua: &Lua, places: &Places, amount: u64) -> mlua::Result<()> {
        self.spend(lua, places, u32::try_from(amount / PER_STEP).unwrap_or(u32::MAX))
    }

    /// Begins matching a pattern, during which a step can compare the whole text with the whole pattern; returns the
    /// price of a step before.
    pub(crate) fn match_pattern(&self, amount: u64) -> u32 {
        let before = self.pattern.replace(u32::try_from(amount / PATTERN).unwrap_or(u32::MAX));
        self.set_weight();
        before
    }

    /// Ends matching a pattern.
    pub(crate) fn end_pattern(&self, before: u32) {
        self.pattern.set(before);
        self.set_weight();
    }

    /// The extra price of a step because of long values: each operator of a script may go through one in a step.
    fn strain(&self) -> u32 {
        let operators = self.operators.get().saturating_add(OPERATORS);
        u32::try_from(self.longest.get().saturating_mul(operators) / HANDLED).unwrap_or(u32::MAX)
    }

    fn set_weight(&self) {
        self.weight.set(self.code.get().saturating_add(self.pattern.get()).saturating_add(self.strain()));
    }

    fn spend(&self, lua: &Lua, places: &Places, steps: u32) -> mlua::Result<()> {
        let fuel = self.fuel.get();
        self.fuel.set(fuel.saturating_sub(steps));
        if fuel >= steps && fuel > 0 {
            return Ok(());
        }
        let (most, until) = (self.most.get(), self.until.get());
        let message = match lua.inspect_stack(DEEP, |_| ()) {
            // A deep stack is long as well, so every step costs more.
            Some(()) => TOO_DEEP.to_string(),
            None => format!("scripts took more than {most} steps {until} (limit `script_steps`)"),
        };
        Err(places.raise(lua, Trouble::Fixed(message)))
    }

    /// Counts one step. Once the budget is used up, every further step fails.
    #[inline]
    pub(crate) fn tick(&self, lua: &Lua, places: &Places) -> mlua::Result<VmState> {
        // Most steps end here: there is enough left, and memory is not checked.
        let (left, until_weighed) = (self.fuel.get().checked_sub(self.weight.get()), self.until_weighed.get());
        if let (Some(left), true) = (left, until_weighed > 1) {
            self.fuel.set(left);
            self.until_weighed.set(until_weighed.saturating_sub(1));
            return Ok(VmState::Continue);
        }
        self.tick_and_weigh(lua, places)
    }

    #[inline(never)]
    fn tick_and_weigh(&self, lua: &Lua, places: &Places) -> mlua::Result<VmState> {
        self.spend(lua, places, self.weight.get())?;
        let left = self.until_weighed.get();
        self.until_weighed.set(left.saturating_sub(1));
        if left <= 1 {
            self.until_weighed.set(WEIGHED);
            if !self.weigh(lua) {
                return Err(places.raise(lua, Trouble::Fixed(TOO_MUCH_MEMORY.into())));
            }
        }
        Ok(VmState::Continue)
    }

    /// Counts the bytes of a list that the host has made. No step goes through a list as it may go through a text, so
    /// that later steps cost no more.
    pub(crate) fn count_list<T>(&self, lua: &Lua, make: impl FnOnce() -> T) -> T {
        // What was allocated before it may be a text.
        let fits = self.weigh(lua);
        let made = make();
        let held = lua.used_memory();
        let grown = held.saturating_sub(self.held.replace(held));
        let left = if fits && grown <= HUGE_STEP { self.memory.get().saturating_sub(grown) } else { 0 };
        self.memory.set(left);
        made
    }

    /// Counts the bytes since the last check; false if there are too many.
    fn weigh(&self, lua: &Lua) -> bool {
        let held = lua.used_memory();
        let grown = held.saturating_sub(self.held.replace(held));
        if grown > LONG && grown > self.longest.get() {
            self.longest.set(grown);
            self.set_weight();
        }
        let left = self.memory.get();
        self.memory.set(left.saturating_sub(grown));
        left > grown && grown <= HUGE_STEP
    }
}

/// The number of operators in a script that go through texts: comparisons and `..`.
fn operators(text: &str) -> usize {
    let comparisons = text.bytes().filter(|byte| matches!(byte, b'<' | b'>')).count();
    comparisons.saturating_add(text.matches("..").count())
}
