//! The VM without everything that a script must not have. An explicit list says what stays; everything else is removed,
//! including whatever later versions of the VM add.

use std::rc::Rc;

use mlua::chunk::{ChunkMode, Compiler};
use mlua::{Function, LightUserData, Lua, LuaOptions, MultiValue, StdLib, Table, Value as LuaValue};
use rulepack_model::did_you_mean;

use crate::context::Shared;
use crate::fail::{Said, said};

/// The name of the host's own Lua in messages of the VM.
pub(crate) const PRELUDE: &str = "[rulepack]";

/// Functions and libraries for scripts, with the members of the libraries.
const ALLOWED: &[(&str, &[&str])] = &[
    ("assert", &[]),
    ("error", &[]),
    ("ipairs", &[]),
    ("math", &["abs", "ceil", "floor", "fmod", "huge", "max", "min"]),
    ("next", &[]),
    ("pairs", &[]),
    ("require", &[]),
    ("select", &[]),
    ("string", &["format", "gmatch", "gsub", "len", "lower", "match", "sub", "upper"]),
    ("table", &["concat", "find", "insert", "remove", "sort", "unpack"]),
    ("tonumber", &[]),
    ("tostring", &[]),
    ("type", &[]),
    ("unpack", &[]),
];

/// Built-in fast calls of the VM that may stay, because they do the same as the function of that name in a script.
const SHORT_CUTS: &[&str] = &[
    "math.abs",
    "math.ceil",
    "math.floor",
    "math.fmod",
    "math.max",
    "math.min",
    "string.len",
    // Only appends; with a position, the function is called.
    "table.insert",
    "type",
];

/// The globals for scripts, with the members of libraries. For editors.
pub fn allowed() -> &'static [(&'static str, &'static [&'static str])] {
    ALLOWED
}

/// The values that the host's own Lua returns.
pub(crate) struct Prelude {
    /// The table that becomes `ctx`.
    pub context: Table,
    /// Tells a waiting method that its request has failed.
    pub failed: Table,
    /// Turns functions of the host into methods, by their sort.
    pub make: Table,
    /// For each id of the pack its number; the host fills it.
    pub words: Table,
}

/// A VM that is ready to load scripts.
pub(crate) fn open(shared: &Rc<Shared>) -> mlua::Result<(Lua, Prelude)> {
    let libraries = StdLib::COROUTINE | StdLib::TABLE | StdLib::STRING | StdLib::MATH;
    let lua = Lua::new_with(libraries, LuaOptions::default())?;
    let builtins = builtins(&lua)?;
    let prelude = prelude(&lua, shared)?;
    close(&lua, shared)?;
    let disabled = builtins.into_iter().filter(|name| !SHORT_CUTS.contains(&name.as_str()));
    lua.set_compiler(Compiler::new().set_disabled_builtins(disabled));
    let watched = Rc::clone(shared);
    lua.set_interrupt(move |lua| watched.limits.tick(lua, &watched.places));
    Ok((lua, prelude))
}

/// Every function of the VM, as `name` or `library.name`. The VM has built-in fast calls for some of them, which work
/// even when the function is removed.
fn builtins(lua: &Lua) -> mlua::Result<Vec<String>> {
    let mut names = Vec::new();
    for pair in lua.globals().pairs::<String, LuaValue>() {
        let (name, value) = pair?;
        if let LuaValue::Table(library) = value {
            for pair in library.pairs::<String, LuaValue>() {
                names.push(format!("{name}.{}", pair?.0));
            }
        } else {
            names.push(name);
        }
    }
    // Libraries that are not loaded have fast calls, too.
    for library in ["bit32", "buffer", "vector"] {
        names.extend(FOREIGN.iter().map(|name| format!("{library}.{name}")));
    }
    names.sort();
    Ok(names)
}

const FOREIGN: &[&str] = &[
    "abs",
    "arshift",
    "band",
    "bnot",
    "bor",
    "btest",
    "bxor",
    "byteswap",
    "ceil",
    "clamp",
    "countlz",
    "countrz",
    "create",
    "cross",
    "dot",
    "extract",
    "floor",
    "lerp",
    "lrotate",
    "lshift",
    "magnitude",
    "max",
    "min",
    "normalize",
    "readf32",
    "readf64",
    "readi16",
    "readi32",
    "readi8",
    "readu16",
    "readu32",
    "readu8",
    "replace",
    "rrotate",
    "rshift",
    "sign",
    "writef32",
    "writef64",
    "writei16",
    "writei32",
    "writei8",
    "writeu16",
    "writeu32",
    "writeu8",
];

fn prelude(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<Prelude> {
    let give_up: Function = lua.globals().get::<Table>("coroutine")?.get("yield")?;
    let host = Rc::clone(shared);
    let charge = lua.create_function(move |lua, amount: f64| host.limits.charge(lua, &host.places, whole(amount)))?;
    let host = Rc::clone(shared);
    let match_pattern = lua.create_function(move |_, amount: f64| Ok(host.limits.match_pattern(whole(amount))))?;
    let host = Rc::clone(shared);
    let end_pattern = lua.create_function(move |_, before: u32| {
        host.limits.end_pattern(before);
        Ok(())
    })?;
    let host = Rc::clone(shared);
    let fail = lua.create_function(move |lua, message: LuaValue| -> mlua::Result<()> {
        let message = match message {
            LuaValue::String(text) => text.to_string_lossy(),
            LuaValue::Integer(n) => n.to_string(),
            LuaValue::Number(n) => n.to_string(),
            _ => "the script gave up without saying why".to_string(),
        };
        host.checked(lua, || said(message))
    })?;
    let host = Rc::clone(shared);
    let act_as = lua.create_function(move |_, seat: LightUserData| {
        host.act_as(seat);
        Ok(())
    })?;
    let (context, make, failed, words) = lua
        .load(include_str!("prelude.lua"))
        .set_name(format!("={PRELUDE}"))
        .set_mode(ChunkMode::Text)
        .call((give_up, charge, fail, match_pattern, end_pattern, act_as))?;
    Ok(Prelude { context, failed, make, words })
}

/// Lengths are small whole numbers; any other value counts as very large.
fn whole(amount: f64) -> u64 {
    if amount.is_finite() { amount as u64 } else { u64::MAX }
}

/// Removes what is not allowed, and makes the rest read-only.
fn close(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<()> {
    let globals = lua.globals();
    let table: Table = globals.get("table")?;
    globals.set("unpack", table.get::<Function>("unpack")?)?;
    // The VM's own `require`; that of scripts is added when the scripts are known.
    globals.set("require", LuaValue::Nil)?;
    let names: Vec<LuaValue> =
        globals.pairs::<LuaValue, LuaValue>().map(|pair| Ok(pair?.0)).collect::<mlua::Result<_>>()?;
    for name in names {
        let kept = match &name {
            LuaValue::String(text) => ALLOWED.iter().find(|(allowed, _)| *text == *allowed),
            _ => None,
        };
        match kept {
            None => globals.raw_set(name, LuaValue::Nil)?,
            Some((_, [])) => {}
            Some((name, members)) => retain(&globals.get(*name)?, members)?,
        }
    }
    refuse_unknown(lua, shared, &globals, not_defined)?;
    for (name, _) in ALLOWED.iter().filter(|(_, members)| !members.is_empty()) {
        let library = globals.get(*name)?;
        refuse_unknown(lua, shared, &library, move |key| no_member(name, key))?;
    }
    lua.sandbox(true)?;
    // Sandboxing puts an empty table over the globals, which would accept assignments of a script.
    if let Some(over) = lua.globals().metatable() {
        over.set_readonly(false);
        let host = Rc::clone(shared);
        over.set(
            "__newindex",
            lua.create_function(move |lua, values: MultiValue| -> mlua::Result<()> {
                host.checked(lua, || {
                    let name = values.get(1).and_then(|name| name.to_string().ok()).unwrap_or_default();
                    said(format!("`{name}` cannot be set: write `local {name}`, since scripts share no globals"))
                })
            })?,
        )?;
        over.set_readonly(true);
    }
    Ok(())
}

fn retain(library: &Table, members: &[&str]) -> mlua::Result<()> {
    let names: Vec<LuaValue> =
        library.pairs::<LuaValue, LuaValue>().map(|pair| Ok(pair?.0)).collect::<mlua::Result<_>>()?;
    for name in names {
        let kept = matches!(&name, LuaValue::String(text) if members.iter().any(|member| *text == *member));
        if !kept {
            library.raw_set(name, LuaValue::Nil)?;
        }
    }
    Ok(())
}

/// Reading a missing global is an error, not nil.
fn refuse_unknown(
    lua: &Lua,
    shared: &Rc<Shared>,
    table: &Table,
    refuse: impl Fn(&str) -> Said<()> + 'static,
) -> mlua::Result<()> {
    let host = Rc::clone(shared);
    let index = lua.create_function(move |lua, (_, name): (LuaValue, LuaValue)| -> mlua::Result<()> {
        host.checked(lua, || refuse(&name.to_string().unwrap_or_default()))
    })?;
    let meta = lua.create_table()?;
    meta.set("__index", index)?;
    meta.set_readonly(true);
    table.set_metatable(Some(meta))
}

fn not_defined(name: &str) -> Said<()> {
    let known = ALLOWED.iter().map(|(name, _)| *name).chain(["ctx"]);
    let hint = did_you_mean(name, known).map_or(String::new(), |hint| format!(" ({hint})"));
    said(format!("`{name}` is not defined{hint}"))
}

fn no_member(library: &str, name: &str) -> Said<()> {
    // Every string finds its methods here, and resources and types are strings.
    if library == "string" {
        return said(format!(
            "a text has no `{name}`: for an attribute of a resource or a type, write `ctx:attr(what, \"{name}\")`"
        ));
    }
    said(format!("`{library}.{name}` is not defined"))
}
