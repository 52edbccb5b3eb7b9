//! Scripts: loaded once, each a table of functions; `require` between them; hooks bound to their functions.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use mlua::chunk::ChunkMode;
use mlua::{Function, Lua, Table, Value as LuaValue};
use rulepack_kernel::{Fault, Ruleset};
use rulepack_model::{FileId, HookId, did_you_mean};

use crate::context::Shared;
use crate::fail::{Said, Trouble, said, unknown};

/// A file of Lua.
#[derive(Debug, Clone)]
pub struct Script {
    /// The pack to which it belongs.
    pub pack: String,
    /// Its name in hooks and `require`: `ferries`, `sub.file`, `lib.NAME`.
    pub name: String,
    /// The path for people, such as `scripts/harbor/ferries.lua`.
    pub path: String,
    /// The whole text.
    pub text: String,
    /// The file that spans refer to.
    pub file: FileId,
}

/// A mistake of a script that shows before any game begins.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{message}", self.place())]
pub struct ScriptError {
    /// The path of the file; empty if there is none.
    pub path: String,
    /// The file, if there is one.
    pub file: Option<FileId>,
    /// The line, from 1; 0 if there is no line.
    pub line: u32,
    /// What is wrong.
    pub message: String,
    /// What to write instead, if that can be guessed.
    pub help: Option<String>,
    /// What sort of mistake it is.
    pub kind: ScriptErrorKind,
}

impl ScriptError {
    fn place(&self) -> String {
        match (self.path.as_str(), self.line) {
            ("", _) => String::new(),
            (path, 0) => format!("{path}: "),
            (path, line) => format!("{path}:{line}: "),
        }
    }
}

/// The sort of mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScriptErrorKind {
    /// The text is not valid Lua.
    Syntax,
    /// A pack names a function that does not exist.
    MissingFunction {
        /// Which hook of the ruleset.
        hook: HookId,
    },
    /// Loading the file failed, or it does not return a table of functions.
    Load,
    /// It requires a file outside the library.
    Outside,
}

enum Stage {
    Waiting(Function),
    Loading,
    Ready(Table),
    Failed,
}

/// All scripts, while they are loaded and later for `require`.
pub(crate) struct Library {
    scripts: Vec<Script>,
    stages: RefCell<Vec<Stage>>,
    errors: RefCell<Vec<ScriptError>>,
    /// Whether further failures are consequences of a mistake that was reported.
    blamed: Cell<bool>,
    /// Whether one script has used up all steps: then it is not the fault of others that too few are left.
    is_late: Cell<bool>,
    /// Whether a script required a file outside the library.
    outside: Cell<bool>,
}

impl Library {
    /// Compiles and loads all scripts, and finds the function of every hook.
    pub(crate) fn load(
        lua: &Lua,
        shared: &Rc<Shared>,
        rules: &Ruleset,
        scripts: &[Script],
    ) -> Result<Vec<Function>, Vec<ScriptError>> {
        let library = Rc::new(Library {
            scripts: scripts.iter().map(|script| Script { text: String::new(), ..script.clone() }).collect(),
            stages: RefCell::new(Vec::new()),
            errors: RefCell::new(Vec::new()),
            blamed: Cell::new(false),
            is_late: Cell::new(false),
            outside: Cell::new(false),
        });
        if let Err(error) = library.provide_require(lua, shared) {
            library.report(shared, 0, &shared.places.fault(&error), ScriptErrorKind::Load);
        }
        for (index, script) in scripts.iter().enumerate() {
            let stage = library.compile(lua, shared, index, script);
            library.stages.borrow_mut().push(stage);
        }
        for (index, script) in scripts.iter().enumerate() {
            if shared.limits.is_out() {
                library.is_late.set(true);
                shared.limits.load_on();
            }
            library.blamed.set(false);
            library.outside.set(false);
            // Failures are in the list already.
            let _ = library.run(shared, index, script.text.lines().count());
        }
        let hooks = library.bind(rules);
        let errors = library.errors.take();
        if errors.is_empty() { Ok(hooks) } else { Err(errors) }
    }

    fn compile(&self, lua: &Lua, shared: &Shared, index: usize, script: &Script) -> Stage {
        let chunk = lua.load(script.text.as_str()).set_name(format!("={}", script.path)).set_mode(ChunkMode::Text);
        match chunk.into_function() {
            Ok(function) => Stage::Waiting(function),
            Err(error) => {
                self.report(shared, index, &shared.places.fault(&error), ScriptErrorKind::Syntax);
                Stage::Failed
            }
        }
    }

    fn report(&self, shared: &Shared, index: usize, fault: &Fault, kind: ScriptErrorKind) {
        let place = fault.script.as_deref().and_then(|place| place.rsplit_once(':'));
        let (index, line) = match place {
            Some((path, line)) => (shared.places.0.get(path).copied().unwrap_or(index), line.parse().unwrap_or(0)),
            None => (index, 0),
        };
        let Some(script) = self.scripts.get(index) else { return };
        self.errors.borrow_mut().push(ScriptError {
            path: script.path.clone(),
            file: Some(script.file),
            line,
            message: fault.message.clone(),
            help: None,
            kind,
        });
        self.blamed.set(true);
    }

    /// Defines `require`, the only global that needs the scripts. Then the globals are complete.
    fn provide_require(self: &Rc<Self>, lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<()> {
        let (library, host) = (Rc::clone(self), Rc::clone(shared));
        let require =
            lua.create_function(move |lua, name: LuaValue| host.checked(lua, || library.required(lua, &host, &name)))?;
        lua.globals().raw_set("require", require)?;
        lua.globals().set_readonly(true);
        Ok(())
    }

    fn required(&self, lua: &Lua, shared: &Rc<Shared>, name: &LuaValue) -> Said<Table> {
        let LuaValue::String(name) = name else { return said("`require` takes the name of a script") };
        let name = name.to_string_lossy();
        if name.contains(['/', '\\']) || name.contains("..") {
            self.outside.set(true);
            return said(format!(
                "`{name}` leaves the library: `require` takes the name of a script of this pack, or of `scripts/lib` as `lib.NAME`"
            ));
        }
        let caller = shared.places.caller(lua).and_then(|(script, _)| self.scripts.get(script));
        let pack = caller.map(|script| script.pack.as_str());
        let same_pack = |script: &Script| Some(script.pack.as_str()) == pack;
        let found = (self.scripts.iter().position(|script| script.name == name && same_pack(script)))
            // All packs share `scripts/lib/`.
            .or_else(|| self.scripts.iter().position(|script| script.name == name && name.starts_with("lib.")));
        match found {
            Some(index) => self.run(shared, index, 0),
            None => {
                let known = self.scripts.iter().filter(|script| same_pack(script) || script.name.starts_with("lib."));
                Err(unknown("script", &name, known.map(|script| script.name.as_str())))
            }
        }
    }

    /// Runs a script the first time; later returns the same table.
    fn run(&self, shared: &Rc<Shared>, index: usize, lines: usize) -> Said<Table> {
        let Some(Script { name, path, .. }) = self.scripts.get(index) else { return said("there is no such script") };
        let function = match self.stages.borrow_mut().get_mut(index) {
            Some(Stage::Ready(table)) => return Ok(table.clone()),
            Some(Stage::Loading) => {
                return said(format!("`{name}` requires itself, by way of the scripts that it requires"));
            }
            Some(stage @ Stage::Waiting(_)) => match std::mem::replace(stage, Stage::Loading) {
                Stage::Waiting(function) => function,
                _ => return said(format!("`{name}` could not be loaded")),
            },
            Some(Stage::Failed) | None => {
                self.blamed.set(true);
                return said(format!("`{name}` could not be loaded"));
            }
        };
        let result = match function.call::<LuaValue>(()) {
            Ok(LuaValue::Table(table)) if freeze(&table) => Ok(table),
            Ok(given) => {
                let script = Some(format!("{path}:{lines}")).filter(|_| lines > 0);
                let message = match given {
                    LuaValue::Table(_) => format!("what a script gives holds at most {MOST_TABLES} tables"),
                    _ => "a script gives one table of functions: it ends with `return`".to_string(),
                };
                Err(Fault::in_script(message, script))
            }
            Err(error) => Err(shared.places.fault(&error)),
        };
        match result {
            Ok(table) => {
                self.reached(index, Stage::Ready(table.clone()));
                Ok(table)
            }
            Err(fault) => {
                self.reached(index, Stage::Failed);
                let is_excused = self.blamed.get() || self.is_late.get() && shared.limits.is_out();
                if !is_excused {
                    let kind = if self.outside.get() { ScriptErrorKind::Outside } else { ScriptErrorKind::Load };
                    self.report(shared, index, &fault, kind);
                }
                Err(Trouble::Known(fault))
            }
        }
    }

    fn reached(&self, index: usize, stage: Stage) {
        if let Some(before) = self.stages.borrow_mut().get_mut(index) {
            *before = stage;
        }
    }

    /// The function of every hook, in the order of the hooks; complete if no mistake was reported.
    fn bind(&self, rules: &Ruleset) -> Vec<Function> {
        let mut functions = Vec::new();
        for (index, hook) in rules.hooks.iter().enumerate() {
            let (file, function) = hook.name.rsplit_once('.').unwrap_or(("", &hook.name));
            let missing = |script: Option<&Script>, message: String, help: Option<String>| ScriptError {
                path: script.map_or_else(String::new, |script| script.path.clone()),
                file: script.map(|script| script.file),
                line: 0,
                message,
                help,
                kind: ScriptErrorKind::MissingFunction { hook: HookId::from(index) },
            };
            let of_pack = |script: &&Script| script.pack == hook.pack;
            let stages = self.stages.borrow();
            let mut loaded = self.scripts.iter().zip(&*stages);
            let Some((script, stage)) = loaded.find(|(script, _)| of_pack(script) && script.name == file) else {
                let known = self.scripts.iter().filter(of_pack).map(|script| script.name.as_str());
                let message = format!("there is no script `{file}` in the pack `{}`", hook.pack);
                self.errors.borrow_mut().push(missing(None, message, did_you_mean(file, known)));
                continue;
            };
            // A script that failed has been reported.
            let Stage::Ready(table) = stage else { continue };
            match table.get::<LuaValue>(function) {
                Ok(LuaValue::Function(found)) => functions.push(found),
                Ok(LuaValue::Nil) | Err(_) => {
                    let known: Vec<String> =
                        table.pairs::<String, Function>().filter_map(|pair| Some(pair.ok()?.0)).collect();
                    let help = did_you_mean(function, known.iter().map(String::as_str));
                    let message = format!("there is no function `{function}` in the script `{file}`");
                    self.errors.borrow_mut().push(missing(Some(script), message, help));
                }
                Ok(other) => {
                    let message =
                        format!("`{function}` of the script `{file}` is no function, but a {}", other.type_name());
                    self.errors.borrow_mut().push(missing(Some(script), message, None));
                }
            }
        }
        functions
    }
}

/// The largest number of tables in the value that a script returns, however they are nested.
const MOST_TABLES: usize = 20_000;

/// Makes the value that a script returns read-only, with all tables in it, and returns whether there are not too many.
/// The tables wait in a list and not on the stack, so the depth of nesting does not matter.
fn freeze(table: &Table) -> bool {
    let mut waiting = vec![table.clone()];
    let mut left = MOST_TABLES;
    while let Some(table) = waiting.pop() {
        if table.is_readonly() {
            continue;
        }
        table.set_readonly(true);
        for (_, value) in table.pairs::<LuaValue, LuaValue>().flatten() {
            if let LuaValue::Table(inner) = value {
                let Some(fewer) = left.checked_sub(1) else { return false };
                left = fewer;
                waiting.push(inner);
            }
        }
    }
    true
}
