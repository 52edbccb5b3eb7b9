//! Conversion of values between the kernel and Lua. Handles are light userdata; resources, types and symbols are their
//! ids as strings.

use std::fmt::Display;

use mlua::{Lua, Value as LuaValue};
use rulepack_expr::Ty;
use rulepack_kernel::{Ruleset, Value};

use crate::fail::{Said, Trouble, said, unknown};
use crate::handle::Handle;

/// Larger whole numbers are not exact in Lua: 2^53 may be the rounded value of 2^53 + 1.
const MOST: i64 = (1 << 53) - 1;

/// A value of the kernel, as scripts get it.
pub(crate) fn to_lua(lua: &Lua, rules: &Ruleset, value: Value) -> mlua::Result<LuaValue> {
    let text = |text: &str| Ok(LuaValue::String(lua.create_string(text)?));
    Ok(match value {
        Value::Nil => LuaValue::Nil,
        #[allow(clippy::cast_precision_loss)]
        Value::Int(n) if (-MOST..=MOST).contains(&n) => LuaValue::Number(n as f64),
        Value::Int(n) => {
            let message = format!("{n} is too large: in a script only numbers from {} to {MOST} are exact", -MOST);
            return Err(mlua::Error::runtime(message));
        }
        Value::Bool(flag) => LuaValue::Boolean(flag),
        Value::Res(res) => return text(&rules.resource(res).name),
        Value::Sym(symbol) => return text(rules.symbol(symbol)),
        Value::Type(ty) => return text(&rules.ty(ty).name),
        Value::Seat(seat) => LuaValue::LightUserData(Handle::Seat(seat).light()),
        Value::Piece(piece) => LuaValue::LightUserData(Handle::Piece(piece).light()),
        Value::Cell(cell) => LuaValue::LightUserData(Handle::Cell(cell).light()),
    })
}

/// The handle in a value of a script.
pub(crate) fn handle(value: &LuaValue) -> Option<Handle> {
    match value {
        LuaValue::LightUserData(light) => Handle::from_light(*light),
        _ => None,
    }
}

/// The whole number in a value of a script.
pub(crate) fn whole(value: &LuaValue) -> Option<i64> {
    match value {
        LuaValue::Integer(n) if (-MOST..=MOST).contains(n) => Some(*n),
        // `-0` is a float in Lua, but a whole number to people.
        LuaValue::Number(n) if *n == 0.0 => Some(0),
        _ => None,
    }
}

/// Converts a value of a script to the type that the kernel expects. `what` names the value in messages.
pub(crate) fn from_lua(rules: &Ruleset, value: &LuaValue, ty: Ty, what: impl Display) -> Said<Value> {
    let wrong = |wanted: &str| said(format!("{what} must be {wanted}, but it is {}", describe(rules, value)));
    if matches!(value, LuaValue::Nil) {
        return if matches!(ty, Ty::Int | Ty::Bool) { wrong(noun(ty)) } else { Ok(Value::Nil) };
    }
    match (ty, value) {
        (Ty::Any, _) => anything(rules, value, &what),
        (Ty::Int, _) => whole(value).map_or_else(|| wrong(noun(ty)), |n| Ok(Value::Int(n))),
        (Ty::Bool, LuaValue::Boolean(flag)) => Ok(Value::Bool(*flag)),
        (Ty::Res | Ty::Sym | Ty::Type, LuaValue::String(text)) => word(rules, &text.to_string_lossy(), ty),
        (Ty::Seat, _) => match handle(value) {
            Some(Handle::Seat(seat)) => Ok(Value::Seat(seat)),
            _ => wrong(noun(ty)),
        },
        (Ty::Cell, _) => match handle(value) {
            Some(Handle::Cell(cell)) => Ok(Value::Cell(cell)),
            _ => wrong(noun(ty)),
        },
        (Ty::Piece(kind), _) => match handle(value) {
            Some(Handle::Piece(piece)) if kind.is_none_or(|kind| rules.is_kind(rules.kind_of(piece), kind)) => {
                Ok(Value::Piece(piece))
            }
            _ => match kind {
                Some(kind) => wrong(&format!("a piece of the kind `{}`", rules.kind(kind).name)),
                None => wrong(noun(ty)),
            },
        },
        _ => wrong(noun(ty)),
    }
}

fn noun(ty: Ty) -> &'static str {
    match ty {
        Ty::Int => "a whole number",
        Ty::Bool => "true or false",
        Ty::Res => "the id of a resource",
        Ty::Sym => "a word of a list",
        Ty::Type => "the id of a type",
        Ty::Seat => "a player",
        Ty::Cell => "a space",
        Ty::Piece(_) => "a piece",
        Ty::Any => "a value",
    }
}

fn word(rules: &Ruleset, name: &str, ty: Ty) -> Said<Value> {
    let words = &rules.vocabulary;
    match ty {
        Ty::Res => match words.resources.get(name) {
            Some(id) => Ok(Value::Res(*id)),
            None => Err(unknown("resource", name, words.resources.keys().map(String::as_str))),
        },
        Ty::Type => match words.types.get(name) {
            Some((id, _)) => Ok(Value::Type(*id)),
            None => Err(unknown("type", name, words.types.keys().map(String::as_str))),
        },
        _ => match words.symbols.get(name) {
            Some(id) => Ok(Value::Sym(*id)),
            None => Err(unknown("word", name, words.symbols.keys().map(String::as_str))),
        },
    }
}

/// Converts a value where any type is allowed: a string is a resource, else a type, else a symbol.
fn anything(rules: &Ruleset, value: &LuaValue, what: impl Display) -> Said<Value> {
    let words = &rules.vocabulary;
    let found = match value {
        LuaValue::Boolean(flag) => Some(Value::Bool(*flag)),
        LuaValue::String(text) => {
            let name = text.to_string_lossy();
            let found = (words.resources.get(&name).map(|id| Value::Res(*id)))
                .or_else(|| words.types.get(&name).map(|(id, _)| Value::Type(*id)))
                .or_else(|| words.symbols.get(&name).map(|id| Value::Sym(*id)));
            let known = words.resources.keys().chain(words.types.keys()).chain(words.symbols.keys());
            return found.ok_or_else(|| unknown("resource, type or word", &name, known.map(String::as_str)));
        }
        LuaValue::LightUserData(_) => handle(value).and_then(Handle::value),
        _ => whole(value).map(Value::Int),
    };
    found.ok_or_else(|| Trouble::Said(format!("{what} cannot be {}", describe(rules, value))))
}

/// A description of a text of a script.
pub(crate) fn describe_text(text: &str) -> String {
    let text: String = text.chars().take(40).collect();
    format!("the text \"{text}\"")
}

/// A description of a value of a script.
pub(crate) fn describe(rules: &Ruleset, value: &LuaValue) -> String {
    match value {
        LuaValue::Nil => "nothing".into(),
        LuaValue::Boolean(flag) => flag.to_string(),
        LuaValue::Integer(n) => n.to_string(),
        LuaValue::Number(n) => n.to_string(),
        LuaValue::String(text) => describe_text(&text.to_string_lossy()),
        LuaValue::Table(_) => "a table".into(),
        LuaValue::Function(_) => "a function".into(),
        LuaValue::LightUserData(_) => match handle(value) {
            Some(Handle::Seat(_)) => "a player".into(),
            Some(Handle::Cell(_)) => "a space".into(),
            Some(Handle::Zone(_)) => "a zone".into(),
            Some(piece) => format!("the piece `{}`", piece.show(rules)),
            None => "something foreign".into(),
        },
        other => format!("a {}", other.type_name()),
    }
}
