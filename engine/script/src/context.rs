//! Data that the functions inside the VM share, and the one `ctx` that every script gets.
//!
//! `ctx` itself is empty and read-only. Its values depend on the running call, which is found through the slot. So no
//! `ctx` is made for a call, and a script can keep nothing in it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use mlua::{FromLuaMulti, Function, LightUserData, Lua, MultiValue, Table, Value as LuaValue};
use rulepack_kernel::{Fault, Granted, Request, Ruleset, Value};
use rulepack_model::{Seat, did_you_mean};

use crate::api::{ApiMethod, ApiParam, Body, api};
use crate::args::{Args, Arguments, Given, GivenAfterOne, GivenAfterTwo, Passing, optional_player, passing};
use crate::convert::to_lua;
use crate::fail::{Places, Said, Trouble, said};
use crate::fields::{context_fields, field_of};
use crate::handle::{Handle, light_word};
use crate::limits::Limits;
use crate::names::Names;
use crate::read;
use crate::sandbox::Prelude;
use crate::slot::{Slot, View};

/// Data that the functions inside the VM share.
pub(crate) struct Shared {
    pub slot: Slot,
    pub limits: Limits,
    pub names: Names,
    pub places: Places,
    /// Set by the method in which the script waits: whether the script gets the result.
    pub waits: Cell<Option<bool>>,
    /// The player of `ctx:as(player)`, while a method of it is called.
    acting: Cell<Option<Seat>>,
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
            waits: Cell::new(None),
            acting: Cell::new(None),
            fault: RefCell::new(None),
        }
    }

    /// The next call of the host is for this player.
    pub(crate) fn act_as(&self, seat: LightUserData) {
        if let Some(Handle::Seat(seat)) = Handle::from_light(seat) {
            self.acting.set(Some(seat));
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
        let me = self.acting.take();
        self.checked(lua, || match self.slot.read(me, run) {
            Some(result) => result,
            None => said("there is no game while scripts are loaded"),
        })
    }

    fn call<T>(
        &self,
        lua: &Lua,
        method: &'static ApiMethod,
        passed: impl Arguments,
        body: impl FnOnce(&Args<'_>) -> Said<T>,
    ) -> mlua::Result<T> {
        self.looking(lua, |view| body(&passed.checked(lua, view, (&self.names, &self.limits), method)?))
    }

    /// Makes a request; returns whether it is carried out at once, and its result.
    fn request(
        &self,
        lua: &Lua,
        method: &'static ApiMethod,
        passed: impl Arguments,
        ask: fn(&Args<'_>) -> Said<Request>,
    ) -> mlua::Result<(bool, LuaValue)> {
        let (me, request) = self.call(lua, method, passed, |args| {
            if args.view.query {
                return said(format!("`ctx:{}`: a query may not change the game", method.name));
            }
            Ok((args.view.me, ask(args)?))
        })?;
        let answered = !method.returns.is_empty();
        let granted = self.checked(lua, || match self.slot.change(|game| game.grant(me, request)) {
            Some(granted) => Ok(granted?),
            None => said("the game cannot be changed while it is read"),
        })?;
        match granted {
            Granted::Done(value) if answered => {
                let value = self.looking(lua, |view| Ok(to_lua(lua, view.eval.rules, value)?))?;
                Ok((true, value))
            }
            Granted::Done(_) => Ok((true, LuaValue::Nil)),
            Granted::Later => {
                self.waits.set(Some(answered));
                Ok((false, LuaValue::Nil))
            }
        }
    }
}

/// Defines the fields of handles.
pub(crate) fn install_handles(lua: &Lua, shared: &Rc<Shared>) -> mlua::Result<()> {
    let meta = lua.create_table()?;
    let host = Rc::clone(shared);
    let index = lua.create_function(move |lua, (light, key): (LightUserData, String)| {
        host.looking(lua, |view| match Handle::from_light(light) {
            Some(handle) => field_of(lua, view, &host.names, handle, &key),
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
pub(crate) fn context(lua: &Lua, shared: &Rc<Shared>, rules: &Ruleset, prelude: Prelude) -> mlua::Result<Table> {
    let Prelude { context, make, words, .. } = prelude;
    for (index, word) in shared.names.words.iter().enumerate() {
        words.raw_set(word.text.as_str(), light_word(index))?;
    }
    words.set_readonly(true);
    let methods = lua.create_table()?;
    for method in api() {
        let function = host_function(lua, shared, method)?;
        let [first, second, third] = takes_ids(method);
        let wrapper = |sort: &str| make.get::<Function>(sort);
        let made: Function = match (method.body, method.name) {
            (Body::Ask(_), "choose") => {
                let host = Rc::clone(shared);
                let zone = move |lua: &Lua, values: MultiValue| host.call(lua, method, values, read::pieces);
                wrapper("choosing")?.call((method.name, function, lua.create_function(zone)?))?
            }
            (Body::Ask(_), "either") => wrapper("naming")?.call((method.name, function))?,
            (Body::Ask(_), _) => wrapper("asking")?.call((method.name, function, first, second, third))?,
            (Body::Read(_), _) => wrapper("reading")?.call((method.name, function, first, second, third))?,
            (Body::Set(_), _) => wrapper("setting")?.call((method.name, function))?,
            (Body::Lua(_), _) => wrapper("listing")?.call((method.name, function))?,
            (Body::Act(_), _) => wrapper("acting")?.call((method.name, function))?,
        };
        methods.set(method.name, made)?;
    }
    let host = Rc::clone(shared);
    let part = lua.create_function(move |lua, key: String| host.looking(lua, |view| context_part(lua, view, &key)))?;
    let parts = lua.create_table()?;
    parts.set("__index", make.get::<Function>("parts")?.call::<Function>(&part)?)?;
    methods.set_metatable(Some(parts.clone()))?;
    let meta = lua.create_table()?;
    meta.set("__index", &methods)?;
    context.set_metatable(Some(meta.clone()))?;
    let of_player: Function = make.get("of_player")?;
    for seat in rules.seats() {
        let number = u16::from(seat.0).saturating_add(1);
        let made: Table = of_player.call((number, Handle::Seat(seat).light(), &methods, &part))?;
        made.metatable().iter().chain([&made]).for_each(|table| table.set_readonly(true));
    }
    for table in [&methods, &parts, &meta, &context] {
        table.set_readonly(true);
    }
    Ok(context)
}

/// Which of the first three parameters may be ids of the pack, which the prelude passes as numbers. It fills up the arguments
/// before them; so none behind a player that may be left out is one.
fn takes_ids(method: &ApiMethod) -> [bool; 3] {
    let is_id = |param: &ApiParam| param.ty.trim_end_matches('?').split('|').any(|ty| ty == "string");
    let end = optional_player(method).unwrap_or(usize::MAX);
    [0, 1, 2].map(|at| at < end && method.params.get(at).is_some_and(is_id))
}

/// What the host does when a script calls a method.
fn host_function(lua: &Lua, shared: &Rc<Shared>, method: &'static ApiMethod) -> mlua::Result<Function> {
    match passing(method) {
        Passing::Few => host_function_of::<Given>(lua, shared, method),
        Passing::FewAfterOne => host_function_of::<GivenAfterOne>(lua, shared, method),
        Passing::FewAfterTwo => host_function_of::<GivenAfterTwo>(lua, shared, method),
        Passing::List => host_function_of::<MultiValue>(lua, shared, method),
    }
}

/// The same for arguments that are passed as `A`.
fn host_function_of<A: Arguments + FromLuaMulti + 'static>(
    lua: &Lua,
    shared: &Rc<Shared>,
    method: &'static ApiMethod,
) -> mlua::Result<Function> {
    let host = Rc::clone(shared);
    match method.body {
        Body::Ask(ask) => lua.create_function(move |lua, given: A| host.request(lua, method, given, ask)),
        Body::Set(look) => lua.create_function(move |lua, given: A| host.call(lua, method, given, look)),
        Body::Read(look) | Body::Lua(look) | Body::Act(look) => {
            lua.create_function(move |lua, given: A| host.call(lua, method, given, look))
        }
    }
}

fn context_part(lua: &Lua, view: &View<'_>, key: &str) -> Said<LuaValue> {
    let rules = view.eval.rules;
    let others = || view.eval.players().filter(|seat| Some(*seat) != view.me);
    let value = match key {
        "me" => view.me.map_or(Value::Nil, Value::Seat),
        "at_turn" => view.eval.state.active().map_or(Value::Nil, Value::Seat),
        "self" => view.this.map_or(Value::Nil, Value::Piece),
        "players" | "others" => {
            let seats = view.eval.players().filter(|seat| key == "players" || Some(*seat) != view.me);
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
