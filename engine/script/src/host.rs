//! The host: the functions that the kernel calls.

use std::cell::RefCell;
use std::rc::Rc;

use mlua::thread::ThreadStatus;
use mlua::{Function, IntoLuaMulti, Lua, MultiValue, Table, Value as LuaValue};
use rulepack_expr::Ty;
use rulepack_kernel::{Call, EffectHost, Eval, Fault, GameAccess, Limits, Progress, Ruleset, RunId, State, Value};
use rulepack_model::{HookId, Seat};

use crate::context::{Shared, context, install_handles};
use crate::convert::{from_lua, to_lua};
use crate::fail::{Places, Trouble, cut};
use crate::library::{Library, Script, ScriptError, ScriptErrorKind};
use crate::limits::MAX_DEPTH;
use crate::runs::{Run, Runs};
use crate::sandbox::{self, Prelude};
use crate::slot::{Game, Running};

/// Runs the scripts of one ruleset, in one thread.
pub struct ScriptHost {
    lua: Lua,
    shared: Rc<Shared>,
    context: Table,
    /// Tells a waiting script that its request has failed.
    failed: Table,
    hooks: Vec<Function>,
    runs: RefCell<Runs>,
    /// The running queries, the outermost first.
    asked: RefCell<Vec<HookId>>,
}

impl std::fmt::Debug for ScriptHost {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ScriptHost").field("hooks", &self.hooks.len()).finish_non_exhaustive()
    }
}

impl ScriptHost {
    /// Loads all scripts and finds the function of every hook of the ruleset.
    ///
    /// Every mistake in every script, not only the first.
    pub fn new(rules: &Ruleset, scripts: &[Script]) -> Result<ScriptHost, Vec<ScriptError>> {
        let paths = scripts.iter().enumerate().map(|(index, script)| (script.path.clone(), index));
        let shared = Rc::new(Shared::new(rules, Places(paths.collect())));
        let (lua, prelude) = sandbox::open(&shared).map_err(broken)?;
        let failed = prelude.failed.clone();
        // Work of the host itself is not taken from the budget of scripts.
        shared.limits.loading(&lua, &[], Limits::default()).map_err(broken)?;
        let context = Self::equip(&lua, &shared, rules, prelude).map_err(broken)?;
        shared.limits.loading(&lua, scripts, rules.limits).map_err(broken)?;
        let hooks = Library::load(&lua, &shared, rules, scripts)?;
        shared.limits.loaded(&lua).map_err(broken)?;
        Ok(ScriptHost {
            lua,
            shared,
            context,
            failed,
            hooks,
            runs: RefCell::new(Runs::default()),
            asked: RefCell::default(),
        })
    }

    /// Frees values of scripts that nothing refers to any more. Nothing else changes.
    pub fn collect_garbage(&self) {
        self.shared.limits.sweep(&self.lua);
    }

    fn equip(lua: &Lua, shared: &Rc<Shared>, rules: &Ruleset, prelude: Prelude) -> mlua::Result<Table> {
        install_handles(lua, shared)?;
        context(lua, shared, rules, prelude)
    }

    fn function(&self, rules: &Ruleset, hook: HookId) -> Result<&Function, Fault> {
        self.hooks.get(hook.index()).ok_or_else(|| {
            let name = rules.hooks.get(hook.index()).map_or("", |hook| hook.name.as_str());
            Fault::new(format!("the script function `{name}` is not bound"))
        })
    }

    /// `ctx` and the arguments of a hook.
    fn arguments(&self, rules: &Ruleset, args: &[Value]) -> mlua::Result<MultiValue> {
        let mut values = MultiValue::with_capacity(args.len().saturating_add(1));
        values.push_back(LuaValue::Table(self.context.clone()));
        for arg in args {
            values.push_back(to_lua(&self.lua, rules, *arg)?);
        }
        Ok(values)
    }

    /// Runs a script on a game, with a budget.
    fn run<T>(
        &self,
        running: &mut Running<'_>,
        function: &Function,
        run: impl FnOnce() -> mlua::Result<T>,
    ) -> Result<T, Fault> {
        let (limits, waits) = (&self.shared.limits, self.runs.borrow().any_waits());
        let Eval { rules, state, .. } = running.game.eval();
        let Some(spending) = limits.begin(&self.lua, state.script_budget(), rules.limits, waits) else {
            return Err(self.placed(self.asked_too_deep(rules), function));
        };
        let result = self.run_within(running, function, run);
        if let Some(left) = spending.end() {
            running.game.eval().state.set_script_budget(left);
        }
        result
    }

    /// The message for queries that call one another without end: their names, and the line of the repeated call.
    #[cold]
    fn asked_too_deep(&self, rules: &Ruleset) -> Fault {
        let asked = self.asked.borrow();
        let mut outwards = asked.iter().rev();
        let innermost = outwards.next();
        let circle = outwards.position(|hook| Some(hook) == innermost);
        // If there is no circle, all of them: there are few.
        let from = circle.map_or(0, |between| asked.len().saturating_sub(between).saturating_sub(2));
        let name = |hook: &HookId| {
            let bound_at = rules.hooks.get(hook.index()).map_or("", |hook| hook.bound_at.as_str());
            format!("`{}`", bound_at.split(' ').next().unwrap_or(bound_at))
        };
        let path: Vec<String> = asked.iter().skip(from).map(name).collect();
        let message =
            format!("queries of scripts ask one another more than {MAX_DEPTH} times over: {} → …", path.join(" → "));
        Fault::in_script(message, self.shared.places.calling(&self.lua))
    }

    /// Like `run`, with the present budget.
    fn run_within<T>(
        &self,
        running: &mut Running<'_>,
        function: &Function,
        run: impl FnOnce() -> mlua::Result<T>,
    ) -> Result<T, Fault> {
        let result = self.shared.slot.enter(running, run);
        result.map_err(|error| self.placed(self.shared.places.fault(&error), function))
    }

    /// A fault without a line gets the first line of the function.
    fn placed(&self, mut fault: Fault, function: &Function) -> Fault {
        if fault.script.is_none() {
            let info = function.info();
            fault.script = info.source.map(|source| {
                let path = source.trim_start_matches('=').to_string();
                info.line_defined.map_or(path.clone(), |line| format!("{path}:{line}"))
            });
        }
        fault
    }

    /// The values that a function has returned.
    fn result(&self, rules: &Ruleset, values: &MultiValue, function: &Function) -> Result<Value, Fault> {
        let value = values.front().unwrap_or(&LuaValue::Nil);
        from_lua(rules, value, Ty::Any, "what a script gives back").map_err(|trouble| match trouble {
            Trouble::Said(message) => self.placed(Fault::by_script(cut(&message), None), function),
            Trouble::Fixed(message) => self.placed(Fault::new(message), function),
            Trouble::Known(fault) => fault,
            Trouble::Vm(error) => self.placed(self.shared.places.fault(&error), function),
        })
    }

    fn go_on(
        &self,
        game: &mut dyn GameAccess,
        run: &mut Run,
        function: &Function,
        reply: Value,
    ) -> Result<Progress, Fault> {
        self.shared.waits.set(None);
        let (args, answered) = (run.args.take(), run.answered);
        let given_to = |running: &Running<'_>| -> mlua::Result<MultiValue> {
            let rules = running.game.eval().rules;
            match &args {
                Some(args) => self.arguments(rules, args),
                None if answered => to_lua(&self.lua, rules, reply)?.into_lua_multi(&self.lua),
                None => Ok(MultiValue::new()),
            }
        };
        let mut running = Running::new(Game::Effect(game), run.me, run.this);
        let given = given_to(&running);
        let values: MultiValue = self.run(&mut running, function, || run.thread.resume(given?))?;
        if run.thread.status() != ThreadStatus::Resumable {
            return self.result(running.game.eval().rules, &values, function).map(Progress::Done);
        }
        match self.shared.waits.take() {
            Some(answered) => {
                run.answered = answered;
                Ok(Progress::Waits)
            }
            None => Err(self.placed(Fault::new("the script stopped without wanting anything"), function)),
        }
    }
}

/// The VM could not be set up.
#[allow(clippy::needless_pass_by_value)]
fn broken(error: mlua::Error) -> Vec<ScriptError> {
    vec![ScriptError {
        path: String::new(),
        file: None,
        line: 0,
        message: format!("the script host cannot start: {error}"),
        help: None,
        kind: ScriptErrorKind::Load,
    }]
}

impl EffectHost for ScriptHost {
    fn start(&self, call: &Call<'_>) -> Result<RunId, Fault> {
        let function = self.function(call.rules, call.hook)?;
        let call_for = (call.hook, call.me, call.this);
        self.runs
            .borrow_mut()
            .begin(&self.lua, function, call_for, call.args.to_vec(), call.rules.limits.frames)
            .map_err(|error| self.placed(self.shared.places.fault(&error), function))
    }

    fn resume(&self, game: &mut dyn GameAccess, run: RunId, reply: Value) -> Result<Progress, Fault> {
        let Some(mut run) = self.runs.borrow_mut().take(run) else {
            return Err(Fault::new("a script was to go on that does not wait"));
        };
        let function = self.function(game.eval().rules, run.hook)?;
        let progress = self.go_on(game, &mut run, function, reply);
        let mut runs = self.runs.borrow_mut();
        match &progress {
            Ok(Progress::Waits) => runs.put_back(run),
            Ok(Progress::Done(_)) if self.shared.limits.is_clean() => runs.recycle(run.thread),
            // Its stack may have grown to the limit.
            Ok(Progress::Done(_)) | Err(_) => drop(run),
        }
        progress
    }

    fn is_live(&self, run: RunId) -> bool {
        self.runs.borrow().has(run)
    }

    fn forget(&self, run: RunId) {
        let mut runs = self.runs.borrow_mut();
        if let Some(run) = runs.take(run) {
            runs.recycle(run.thread);
        }
    }

    fn place_of(&self, rules: &Ruleset, state: &State, run: RunId) -> Option<String> {
        let run = self.runs.borrow_mut().take(run)?;
        let function = self.function(rules, run.hook).ok()?;
        let mut running = Running::new(Game::Query(Eval::within(rules, state, self)), run.me, run.this);
        // The method in which it waits raises an error, which contains the line.
        let _spending = self.shared.limits.begin_aside(&self.lua, rules.limits)?;
        let raised = self.run_within(&mut running, function, || run.thread.resume::<MultiValue>(self.failed.clone()));
        raised.err()?.script.take()
    }

    fn take_fault(&self) -> Option<Fault> {
        self.shared.fault.take()
    }

    fn query(
        &self,
        rules: &Ruleset,
        state: &State,
        hook: HookId,
        me: Option<Seat>,
        args: &[Value],
    ) -> Result<Value, Fault> {
        let function = self.function(rules, hook)?;
        let mut running = Running::new(Game::Query(Eval::within(rules, state, self)), me, None);
        self.asked.borrow_mut().push(hook);
        let answer = self
            .run(&mut running, function, || function.call::<MultiValue>(self.arguments(rules, args)?))
            .and_then(|values| self.result(rules, &values, function));
        self.asked.borrow_mut().pop();
        // The expression that called the query cannot report the fault: the kernel or the calling script does.
        if let Err(fault) = &answer {
            let bound_at = rules.hooks.get(hook.index()).map_or("", |hook| hook.bound_at.as_str());
            let fault = fault.clone().in_origin(bound_at);
            self.shared.fault.borrow_mut().get_or_insert(fault);
        }
        answer
    }
}
