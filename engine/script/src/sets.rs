//! The methods that read sets which no zone holds: lines and directions on boards, connected spaces, sets with names, types,
//! symbols, players round the table. They run at once, on the state that the script sees.

use mlua::Value as LuaValue;
use rulepack_expr::{Directions, Expr, Set, SymbolsOf};
use rulepack_kernel::{Cell, NamedSet, Slots, Value};
use rulepack_model::{Local, SymId};

use crate::args::Args;
use crate::convert::{from_lua, to_lua};
use crate::fail::{Said, said, unknown};
use crate::handle::Handle;
use crate::read::{cell, spaces_at};

/// The members of a set whose expressions are in the first slots.
fn members(args: &Args<'_>, set: &Set, slots: &[Value]) -> Said<LuaValue> {
    let mut locals: Slots = slots.into();
    args.values(args.view.eval.collect(set, &mut locals))
}

fn slot(at: u16) -> Box<Expr> {
    Box::new(Expr::Local(Local(at)))
}

// ---- boards ----

/// A direction of the pack.
fn direction(args: &Args<'_>, at: usize) -> Said<SymId> {
    let name = args.text(at, "a direction such as \"north\"")?;
    let words = &args.rules().vocabulary;
    let found = words.symbols.get(&*name).copied().filter(|symbol| args.view.eval.is_direction(*symbol));
    found.ok_or_else(|| unknown("direction", &name, words.directions.iter().map(|id| args.rules().symbol(*id))))
}

pub(crate) fn line(args: &Args<'_>) -> Said<LuaValue> {
    let (from, direction) = (cell(args, 0)?, direction(args, 1)?);
    members(args, &Set::Line(slot(0), slot(1)), &[Value::Cell(from), Value::Sym(direction)])
}

pub(crate) fn through(args: &Args<'_>) -> Said<LuaValue> {
    let (from, direction) = (cell(args, 0)?, direction(args, 1)?);
    members(args, &Set::Through(slot(0), slot(1)), &[Value::Cell(from), Value::Sym(direction)])
}

pub(crate) fn connected(args: &Args<'_>) -> Said<LuaValue> {
    let (from, within): (Vec<Cell>, Vec<Cell>) = (spaces_at(args, 0)?, spaces_at(args, 1)?);
    args.pay(from.len().saturating_add(within.len()))?;
    args.list(args.view.eval.connected(&from, &within).into_iter().map(Handle::Cell))
}

pub(crate) fn directions(args: &Args<'_>) -> Said<LuaValue> {
    args.values(args.view.eval.directions(Directions::All))
}

pub(crate) fn straights(args: &Args<'_>) -> Said<LuaValue> {
    args.values(args.view.eval.directions(Directions::Straight))
}

pub(crate) fn diagonals(args: &Args<'_>) -> Said<LuaValue> {
    args.values(args.view.eval.directions(Directions::Diagonal))
}

pub(crate) fn opposite(args: &Args<'_>) -> Said<LuaValue> {
    Ok(to_lua(args.lua, args.rules(), args.view.eval.opposite(direction(args, 0)?))?)
}

// ---- sets with names ----

/// A set that the pack gives a name; and, if others know less of it than the members, what could be a member as far as they
/// know.
pub(crate) fn named(args: &Args<'_>) -> Said<(LuaValue, LuaValue)> {
    let name = args.text(0, "the id of a set")?;
    let sets = &args.rules().vocabulary.sets;
    let Some(set) = sets.get(&*name) else { return Err(unknown("set", &name, sets.keys().map(String::as_str))) };
    let given = args.rest(1);
    if given.len() != set.args.len() {
        return said(format!("`{name}` takes {} values, but {} are given", set.args.len(), given.len()));
    }
    let typed = (1..).zip(given.zip(&set.args));
    let values: Vec<Value> = typed
        .map(|(number, (value, ty))| from_lua(args.rules(), value, *ty, format_args!("argument {number} of `{name}`")))
        .collect::<Said<_>>()?;
    let NamedSet { members, possible } = args.view.eval.named_set(set.id, args.view.me, &values);
    args.pay(members.len().saturating_add(possible.len()))?;
    let is_known = members == possible;
    let members = args.values(members)?;
    Ok((members, if is_known { LuaValue::Nil } else { args.values(possible)? }))
}

// ---- types and symbols ----

pub(crate) fn types(args: &Args<'_>) -> Said<LuaValue> {
    let name = args.text(0, "the id of a kind")?;
    let words = &args.rules().vocabulary;
    match words.kinds.get(&*name).or_else(|| words.plurals.get(&*name)) {
        Some(kind) => members(args, &Set::Types(*kind), &[]),
        None => Err(unknown("kind", &name, words.kinds.keys().map(String::as_str))),
    }
}

pub(crate) fn symbols(args: &Args<'_>) -> Said<LuaValue> {
    let name = args.text(0, "the name of an attribute or a mark")?;
    let words = &args.rules().vocabulary;
    let of_attr = words.attrs.get(&*name).filter(|attr| attr.ty == rulepack_expr::AttrTy::Sym);
    let of_attr = of_attr.map(|attr| SymbolsOf::Attr(attr.id));
    match of_attr.or_else(|| words.marks.get(&*name).map(|mark| SymbolsOf::Mark(*mark))) {
        Some(of) => members(args, &Set::Symbols(of), &[]),
        None => {
            let attrs = words.attrs.iter().filter(|(_, attr)| attr.ty == rulepack_expr::AttrTy::Sym);
            let known = attrs.map(|(name, _)| name).chain(words.marks.keys());
            Err(unknown("attribute or mark of symbols called", &name, known.map(String::as_str)))
        }
    }
}

// ---- players ----

fn round(args: &Args<'_>, clockwise: bool) -> Said<LuaValue> {
    let first = args.seat_or_me(0)?;
    members(args, &Set::Round { from: slot(0), clockwise }, &[Value::Seat(first)])
}

pub(crate) fn clockwise(args: &Args<'_>) -> Said<LuaValue> {
    round(args, true)
}

pub(crate) fn counter_clockwise(args: &Args<'_>) -> Said<LuaValue> {
    round(args, false)
}

// ---- lists ----

/// Checks the arguments of `union`, `intersection` and `difference`, and returns whether the first list begins with a piece.
pub(crate) fn two_lists(args: &Args<'_>) -> Said<LuaValue> {
    args.table(1, "a list")?;
    crate::read::begins_with_piece(args.table(0, "a list")?)
}
