//! Data that the functions inside the VM share, and the one `ctx` that every script gets.
//!
//! `ctx` itself is empty and read-only. Its values depend on the running call, which is found through the slot. So no
//! `ctx` is made for a call, and a script can keep nothing in it.

use std::cell::RefCell;
use std::rc::Rc;

use mlua::{Function, LightUserData, Lua, MultiValue, Table, Value as LuaValue};
use rulepack_kernel::{Fault, Request, Ruleset, Value};
use rulepack_model::did_you_mean;

use crate::api::{ApiMethod, Body, api};
use crate::args::Args;
use crate::convert::to_lua;
use crate::fail::{Places, Said, Trouble, said};
use crate::fields::{context_fields, read};
use crate::handle::Handle;
use crate::limits::Limits;
use crate::names::Names;
use crate::sandbox::Prelude;
use crate::slot::{Slot, View};

/// A request that a script has made before it waits.
#[derive(Debug)]
pub(crate) struct Wanted {
    pub request: Request,
    /// Whether the script gets the result.
    pub answered: bool,
}

/// Data that the functions inside the VM share.
pub(crate) struct Shared {
    pub slot: Slot,
    pub limits: Limits,
    pub names: Names,
    pub places: Places,
    /// Set by the method in which the script waits.
    pub wanted: RefCell<Option<Wanted>>,
    /// A fault of a query inside an expression.
    pub fault: RefCell<Option<Fault>>,
}

impl Shared {
    /// No call runs yet.
    pub(crate) fn new(rules: &Ruleset, places: Places) -> Self {
        Shared {
            slot: Slot::default(),
            limits: Limits::default(),
            names: Names::new(rules),
            places,
            wanted: RefCell::new(None),
            fault: RefCell::new(None),
        }
    }

    /// Runs a function of the host; a failure becomes an error of the script, with its line.
    pub(crate) fn checked<T>(&self, lua: &Lua, run: impl FnOnce() -> Said<T>) -> mlua::Result<T> {
        let result = run();
        // An evaluated expression may have called a query that failed.
        let result = match self.fault.take() {
            Some(fault) => Err(Trouble::Known(fault)),
            None => result,
        };
        result.map_err(|trouble| self.places.raise(lua, trouble))
    }

    /// Runs a function of the host that reads the game.
    fn looking<T>(&self, lua: &Lua, run: impl for<'v> FnOnce(&'v View<'v>) -> Said<T>) -> mlua::Result<T> {
        self.checked(lua, || match self.slot.with(run) {
            Some(result) => result,
            None => said("there is no game while scripts are loaded"),
        })
    }

    fn call<T>(
        &self,
        lua: &Lua,
        method: &'static ApiMethod,
        values: MultiValue,
        body: impl FnOnce(&Args<'_>) -> Said<T>,
    ) -> mlua::Result<T> {
        self.looking(lua, |view| body(&Args::new(lua, view, &self.names, method, values)?))
    }

    fn note(&self, method: &'static ApiMethod, args: &Args<'_>, request: Request) -> Said<()> {
        if args.view.query {
            return said(format!("`ctx:{}`: a query may not change the game", method.name));
        }
        self.wanted.replace(Some(Wanted { request, answered: !method.returns.is_empty() }));
        Ok(())
    }
}

/// Defines the fields of handles.
pub(crate) fn install_handles(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<()> {
    let meta = lua.create_table()?;
    let host = Rc::clone(shared);
    let index = lua.create_function(move |lua, (light, key): (LightUserData, String)| {
        host.looking(lua, |view| match Handle::from_light(light) {
            Some(handle) => read(lua, view, &host.names, handle, &key),
            None => said(format!("something foreign has no `{key}`")),
        })
    })?;
    meta.set("__index", index)?;
    let host = Rc::clone(shared);
    let show = lua.create_function(move |lua, light: LightUserData| {
        host.looking(lua, |view| {
            Ok(Handle::from_light(light).map_or_else(String::new, |handle| handle.show(view.eval.rules)))
        })
    })?;
    meta.set("__tostring", show)?;
    let host = Rc::clone(shared);
    let refuse = lua.create_function(move |lua, (_, key): (LightUserData, LuaValue)| -> mlua::Result<()> {
        host.checked(lua, || {
            let key = key.to_string().unwrap_or_default();
            said(format!("`{key}` cannot be set like this: a script changes the game through `ctx`"))
        })
    })?;
    meta.set("__newindex", refuse)?;
    meta.set_readonly(true);
    lua.set_type_metatable::<LightUserData>(Some(meta));
    Ok(())
}

/// The `ctx` of all scripts.
pub(crate) fn context(lua: &Lua, shared: &Rc<Shared>, prelude: Prelude) -> mlua::Result<Table> {
    let Prelude { context, make, .. } = prelude;
    let methods = lua.create_table()?;
    for method in api() {
        let host = Rc::clone(shared);
        let (how, function) = match method.body {
            Body::Ask(ask) => (
                "asking",
                lua.create_function(move |lua, values: MultiValue| {
                    host.call(lua, method, values, |args| host.note(method, args, ask(args)?))
                })?,
            ),
            Body::Read(look) => {
                ("reading", lua.create_function(move |lua, values: MultiValue| host.call(lua, method, values, look))?)
            }
            Body::Lua(check) => {
                ("listing", lua.create_function(move |lua, values: MultiValue| host.call(lua, method, values, check))?)
            }
        };
        let method_of: Function = make.get(how)?;
        methods.set(method.name, method_of.call::<Function>((method.name, function))?)?;
    }
    let host = Rc::clone(shared);
    let part = lua.create_function(move |lua, key: String| host.looking(lua, |view| context_part(lua, view, &key)))?;
    let parts = lua.create_table()?;
    parts.set("__index", make.get::<Function>("parts")?.call::<Function>(part)?)?;
    methods.set_metatable(Some(parts.clone()))?;
    let meta = lua.create_table()?;
    meta.set("__index", &methods)?;
    context.set_metatable(Some(meta.clone()))?;
    for table in [&methods, &parts, &meta, &context] {
        table.set_readonly(true);
    }
    Ok(context)
}

fn context_part(lua: &Lua, view: &View<'_>, key: &str) -> Said<LuaValue> {
    let rules = view.eval.rules;
    let others = || rules.seats().filter(|seat| Some(*seat) != view.me);
    let value = match key {
        "me" => view.me.map_or(Value::Nil, Value::Seat),
        "self" => view.this.map_or(Value::Nil, Value::Piece),
        "players" | "others" => {
            let seats = rules.seats().filter(|seat| key == "players" || Some(*seat) != view.me);
            let lights = seats.map(|seat| Handle::Seat(seat).light());
            return Ok(LuaValue::Table(lua.create_sequence_from(lights)?));
        }
        "opponent" if rules.players > 2 => {
            return said(format!("with {} players there is no `ctx.opponent`: use `ctx.others`", rules.players));
        }
        "opponent" => others().next().map_or(Value::Nil, Value::Seat),
        _ => {
            let known = context_fields().iter().map(|field| field.name).chain(api().iter().map(|method| method.name));
            let hint = did_you_mean(key, known).map_or(String::new(), |hint| format!(" ({hint})"));
            return said(format!("`ctx` has no `{key}`{hint}"));
        }
    };
    Ok(to_lua(lua, rules, value)?)
}
