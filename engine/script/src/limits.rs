//! How long scripts may run and how much they may ask for. Steps and bytes are counted, never time, so that a script which is
//! stopped once is stopped always.
//!
//! The budget is the kernel's: one for all that follows from an answer, whichever script or query uses it. Here it is only
//! spent. What the VM does not count costs steps by its size: what functions of the library handle is counted when they are called
//! (`prelude.lua`), what operators handle (`..`, `<`) is bounded by how long texts and code can be ([`Limits::strain`]).
//!
//! Nothing is collected while a script runs, so that the bytes it asked for are exactly those by which memory has grown.

use std::cell::Cell;

use mlua::{Lua, VmState};
use rulepack_kernel::{Limits as Most, ScriptBudget, State};

use crate::fail::{Places, TOO_DEEP, TOO_MUCH_MEMORY, Trouble};
use crate::library::Script;

/// How many bytes loading all scripts may take.
const LOADING: usize = 64 << 20;
/// Calls that wait may hold so many times what one answer may ask for.
const HELD: usize = 3;
/// What nobody holds any more is thrown away when there is so much of it.
const LEFTOVERS: usize = 4 << 20;
/// Memory is looked at after so many steps: doing it every time costs as much as the step.
const WEIGHED: u32 = 4;
/// Steps that take more bytes than this have made something long: from then on every step may handle it, and costs more.
const LONG: usize = 16 << 10;
/// Whoever asks for this much more than is left in one step is stopped by the VM, which does not know the line.
const AT_ONCE: usize = 1 << 20;
/// Steps that take more bytes than this have gone wrong.
const HUGE_STEP: usize = 8 << 20;
/// So many bytes may each operator of a script handle in a step that costs no more than one.
const HANDLED: usize = 64 << 10;
/// As many operators as this in a script count as one: even a script without any handles lists and calls.
const OPERATORS: usize = 8;
/// A script longer than this may do more in one step, and each step costs more.
const CODE: usize = 16 << 10;
/// The same for the operators in it.
const MANY_OPERATORS: usize = 64;
/// How many bytes, or entries of a list, a function of the library may handle for each step that it costs.
const PER_STEP: u64 = 8;
/// How many characters may be compared with how many of a pattern in a step that costs no more than one.
const PATTERN: u64 = 1_024;
/// What each further script may use to be loaded when one has taken all.
const TO_LOAD_ON: u32 = 2_000;
/// A script that has called itself so often when its steps are spent is told that.
const DEEP: usize = 1_000;
/// How deep queries may be nested in one another through expressions.
pub(crate) const MAX_DEPTH: u32 = 16;
/// What the host itself may use to find the line of a script that waits.
const TO_FIND_A_LINE: ScriptBudget = ScriptBudget { steps: 10_000, memory: 1 << 20 };

/// The budget of the call that runs.
#[derive(Debug, Default)]
pub(crate) struct Limits {
    /// The limit, for messages, and until when it lasts.
    most: Cell<u32>,
    until: Cell<&'static str>,
    fuel: Cell<u32>,
    memory: Cell<usize>,
    depth: Cell<u32>,
    held: Cell<usize>,
    /// What was held after loading.
    base: Cell<usize>,
    /// Steps until memory is looked at again.
    until_weighed: Cell<u32>,
    /// What a step costs.
    weight: Cell<u32>,
    /// What a step costs because of how long the scripts are.
    code: Cell<u32>,
    /// What a step costs because of the pattern that is being matched.
    pattern: Cell<u32>,
    /// How many operators the script has that has most of them.
    operators: Cell<usize>,
    /// The longest thing that there may be, as far as it is long, and the longest text in a script.
    longest: Cell<usize>,
    written: Cell<usize>,
}

/// A call that runs; ends with it.
pub(crate) struct Running<'l> {
    limits: &'l Limits,
    lua: &'l Lua,
    /// Whose budget it is, if it is the outermost.
    state: Option<&'l State>,
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let limits = self.limits;
        limits.depth.set(limits.depth.get().saturating_sub(1));
        if let Some(state) = self.state {
            limits.weigh(self.lua);
            let memory = u32::try_from(limits.memory.get()).unwrap_or(u32::MAX);
            state.set_script_budget(ScriptBudget { steps: limits.fuel.get(), memory });
        }
    }
}

impl Limits {
    /// Lets scripts be loaded: all of them within one budget.
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

    /// Loading is over: what is held now does not count.
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

    /// Begins a call with what is left of the budget of an answer; one inside another shares it. `None` if too many are
    /// inside one another.
    pub(crate) fn begin<'l>(
        &'l self,
        lua: &'l Lua,
        state: &'l State,
        most: Most,
        waiting: bool,
    ) -> Option<Running<'l>> {
        let outermost = self.enter(lua, state.script_budget(), most, waiting)?;
        Some(Running { limits: self, lua, state: outermost.then_some(state) })
    }

    /// Begins a call that only finds out where a script waits, at nobody's cost.
    pub(crate) fn begin_aside<'l>(&'l self, lua: &'l Lua, most: Most) -> Option<Running<'l>> {
        self.enter(lua, TO_FIND_A_LINE, most, true)?;
        Some(Running { limits: self, lua, state: None })
    }

    /// Whether it is the outermost.
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
                // Nobody holds anything any more.
                self.longest.set(self.written.get());
            }
        }
        self.fill(lua, budget, most);
        self.until.set("before the next question");
        let held = lua.used_memory();
        let now = held.saturating_add(self.memory.get()).saturating_add(AT_ONCE);
        let kept = HELD.saturating_mul(most.script_memory as usize);
        let all = self.base.get().saturating_add(LEFTOVERS).saturating_add(kept);
        // Without a limit there would be none at all.
        let _ = lua.set_memory_limit(now.min(all.max(held.saturating_add(1))));
        Some(true)
    }

    /// Whether what a call leaves behind may be used by others.
    pub(crate) fn is_clean(&self) -> bool {
        self.longest.get() <= self.written.get()
    }

    /// Lets the next script be loaded although another has taken all, so that its own mistakes are told.
    pub(crate) fn load_on(&self) {
        self.fuel.set(TO_LOAD_ON);
    }

    /// Whether nothing is left.
    pub(crate) fn is_out(&self) -> bool {
        self.fuel.get() == 0
    }

    /// Throws away what nobody holds any more.
    pub(crate) fn sweep(&self, lua: &Lua) {
        // Collecting can only fail inside a finalizer, and scripts have none.
        let _ = lua.gc_collect();
        // Collecting starts it again.
        lua.gc_stop();
        self.held.set(lua.used_memory());
    }

    /// Counts work that the VM does not count: bytes or entries that one function handles. It is not done if it costs too much.
    pub(crate) fn charge(&self, lua: &Lua, places: &Places, amount: u64) -> mlua::Result<()> {
        self.spend(lua, places, u32::try_from(amount / PER_STEP).unwrap_or(u32::MAX))
    }

    /// A pattern is matched from now on, so that a step can go through all of a text for all of a pattern: gives what a step cost
    /// before.
    pub(crate) fn match_pattern(&self, amount: u64) -> u32 {
        let before = self.pattern.replace(u32::try_from(amount / PATTERN).unwrap_or(u32::MAX));
        self.set_weight();
        before
    }

    /// A pattern has been matched.
    pub(crate) fn end_pattern(&self, before: u32) {
        self.pattern.set(before);
        self.set_weight();
    }

    /// What a step may cost more because something long is there: each operator of a script may go through it in one step.
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
            // A deep stack is long, so that every step costs more.
            Some(()) => TOO_DEEP.to_string(),
            None => format!("scripts took more than {most} steps {until} (limit `script_steps`)"),
        };
        Err(places.raise(lua, Trouble::Fixed(message)))
    }

    /// One step. Once the budget is spent, every further step fails as well.
    pub(crate) fn tick(&self, lua: &Lua, places: &Places) -> mlua::Result<VmState> {
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

    /// Counts the bytes that came since the last look; false if there are too many.
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

/// How many operators a script has that go through texts: comparisons and `..`.
fn operators(text: &str) -> usize {
    let comparisons = text.bytes().filter(|byte| matches!(byte, b'<' | b'>')).count();
    comparisons.saturating_add(text.matches("..").count())
}
