//! The methods that change the game or ask a player: each makes one request to the kernel.

use std::collections::BTreeSet;

use mlua::{Table, Value as LuaValue};
use rulepack_expr::Ty;
use rulepack_kernel::{Cell, Destination, Need, Request, ResourceHolder, Value, ZoneIx};
use rulepack_model::{PromptId, Seat};

use crate::args::{Args, kinds};
use crate::convert::{from_lua, handle};
use crate::fail::{Said, said, unknown};
use crate::fields::held;
use crate::handle::Handle;
use crate::options::option_names;

// ---- resources ----

fn transfer(
    args: &Args<'_>,
    from: ResourceHolder,
    to: ResourceHolder,
    what: usize,
    chooser: Seat,
    strict: bool,
) -> Said<Request> {
    let bundle = args.bundle(what, what.saturating_add(1))?;
    Ok(Request::Transfer { from, to, bundle, chooser, strict })
}

/// The player who chooses where a group leaves a choice and the script runs for no player.
fn anybody(args: &Args<'_>) -> Seat {
    args.view.me.unwrap_or(Seat(0))
}

pub(crate) fn gain(args: &Args<'_>) -> Said<Request> {
    let whom = args.seat_or_me(2)?;
    transfer(args, ResourceHolder::Supply, ResourceHolder::Seat(whom), 0, whom, false)
}

pub(crate) fn pay(args: &Args<'_>) -> Said<Request> {
    let me = args.me()?;
    transfer(args, ResourceHolder::Seat(me), ResourceHolder::Supply, 0, me, true)
}

pub(crate) fn pay_to(args: &Args<'_>) -> Said<Request> {
    let me = args.me()?;
    transfer(args, ResourceHolder::Seat(me), ResourceHolder::Piece(args.piece(0)?), 1, me, true)
}

pub(crate) fn put(args: &Args<'_>) -> Said<Request> {
    transfer(args, ResourceHolder::Supply, ResourceHolder::Piece(args.piece(2)?), 0, anybody(args), false)
}

pub(crate) fn store(args: &Args<'_>) -> Said<Request> {
    let me = args.me()?;
    transfer(args, ResourceHolder::Seat(me), ResourceHolder::Piece(args.piece(2)?), 0, me, true)
}

pub(crate) fn take(args: &Args<'_>) -> Said<Request> {
    let me = args.me()?;
    let from = match handle(args.at(2)) {
        Some(Handle::Piece(piece)) => ResourceHolder::Piece(piece),
        Some(Handle::Seat(seat)) => ResourceHolder::Seat(seat),
        _ => return args.wrong(2, "a piece or a player"),
    };
    transfer(args, from, ResourceHolder::Seat(me), 0, me, false)
}

pub(crate) fn give_back(args: &Args<'_>) -> Said<Request> {
    transfer(args, ResourceHolder::Piece(args.piece(2)?), ResourceHolder::Supply, 0, anybody(args), false)
}

// ---- pieces ----

pub(crate) fn move_piece(args: &Args<'_>) -> Said<Request> {
    let piece = args.piece(0)?;
    let to = match destination(args, 1)? {
        Destination::Space(cell) => cell,
        Destination::Zone(zone) => space_in(args, zone)?,
    };
    let (bottom, facing) = laid_down(args, 2)?;
    Ok(Request::Move { piece, to, bottom, facing })
}

pub(crate) fn move_all(args: &Args<'_>) -> Said<Request> {
    let (pieces, to) = (args.pieces(0)?, destination(args, 1)?);
    let (bottom, facing) = laid_down(args, 2)?;
    Ok(Request::MoveAll { pieces, to, bottom, facing })
}

/// A space or a zone.
fn destination(args: &Args<'_>, at: usize) -> Said<Destination> {
    match handle(args.at(at)) {
        Some(Handle::Cell(cell)) => Ok(Destination::Space(cell)),
        Some(Handle::Zone(zone)) => Ok(Destination::Zone(zone)),
        _ if args.string(at).is_some() => Ok(Destination::Zone(args.zone_at(at)?)),
        _ => args.wrong(at, "a space or a zone"),
    }
}

/// Whether a piece comes below the others, and which side is up.
fn laid_down(args: &Args<'_>, at: usize) -> Said<(bool, Option<bool>)> {
    let (mut bottom, mut facing) = (false, None);
    if args.has(at) {
        for (key, value) in options(args.table(at, "a table such as { face = \"down\" }")?)? {
            match (key.as_str(), &value) {
                ("bottom", LuaValue::Boolean(flag)) => bottom = *flag,
                ("face", LuaValue::String(side)) if *side == "up" => facing = Some(true),
                ("face", LuaValue::String(side)) if *side == "down" => facing = Some(false),
                ("bottom", _) => return said(format!("{}: `bottom` is true or false", args.name())),
                ("face", _) => return said(format!("{}: `face` is \"up\" or \"down\"", args.name())),
                (other, _) => {
                    let what = format!("option of {} called", args.name());
                    return Err(unknown(&what, other, option_names("MoveOptions")));
                }
            }
        }
    }
    Ok((bottom, facing))
}

/// The entries of a table of options. Their order does not matter, because each has its own name.
fn options(table: &Table) -> Said<Vec<(String, LuaValue)>> {
    let mut found = Vec::new();
    table.for_each(|key: String, value: LuaValue| {
        found.push((key, value));
        Ok(())
    })?;
    Ok(found)
}

/// The first free space of a zone, or the value itself if it is a list.
fn space_in(args: &Args<'_>, zone: ZoneIx) -> Said<Cell> {
    let declared = args.rules().zone_of(zone);
    let cells = declared.layout.cells();
    if cells == 0 {
        return Ok(Cell { zone, at: 0 });
    }
    let free = |cell: &Cell| args.view.eval.state.pieces_at(*cell).next().is_none();
    match (0..cells).map(|at| Cell { zone, at }).find(free) {
        Some(cell) => Ok(cell),
        None => said(format!("`ctx:move`: there is no free space in `{}`", declared.name)),
    }
}

pub(crate) fn draw(args: &Args<'_>) -> Said<Request> {
    Ok(Request::Draw { count: args.amount(0)?, from: args.zone_at(1)?, to: destination(args, 2)? })
}

pub(crate) fn lay(args: &Args<'_>) -> Said<Request> {
    Ok(Request::Lay { piece: args.piece(0)?, on: args.piece(1)? })
}

pub(crate) fn swap(args: &Args<'_>) -> Said<Request> {
    Ok(Request::Swap(args.piece(0)?, args.piece(1)?))
}

pub(crate) fn shuffle(args: &Args<'_>) -> Said<Request> {
    Ok(Request::Shuffle(args.zone(0)?))
}

pub(crate) fn refill(args: &Args<'_>) -> Said<Request> {
    Ok(Request::Refill(args.zone(0)?))
}

pub(crate) fn flip(args: &Args<'_>) -> Said<Request> {
    Ok(Request::Flip(args.piece(0)?))
}

pub(crate) fn flip_all(args: &Args<'_>) -> Said<Request> {
    Ok(Request::FlipAll(args.pieces(0)?))
}

pub(crate) fn look(args: &Args<'_>) -> Said<Request> {
    let pieces = args.pieces(0)?;
    let prompt = if args.has(2) { Some(args.prompt(&args.text(2, "the id of a prompt")?)?) } else { None };
    let lasting = flag(args, 3, "LookOptions", "until_it_moves")?;
    Ok(Request::Look { seat: args.seat_or_me(1)?, pieces, lasting, prompt })
}

pub(crate) fn reveal(args: &Args<'_>) -> Said<Request> {
    let pieces = args.pieces(0)?;
    Ok(Request::Show { pieces, to: players(args, 1)?, lasting: flag(args, 2, "LookOptions", "until_it_moves")? })
}

/// The named players, if an argument names any.
fn players<C: FromIterator<Seat>>(args: &Args<'_>, at: usize) -> Said<Option<C>> {
    if args.is_left_out(at)? {
        return Ok(None);
    }
    let seat = |value: &LuaValue| match handle(value) {
        Some(Handle::Seat(seat)) => Some(seat),
        _ => None,
    };
    let found: Option<C> = args.one_or_many(at)?.iter().map(seat).collect();
    found.map_or_else(|| args.wrong(at, "a player or a list of players"), |found| Ok(Some(found)))
}

/// A yes-or-no in a table of options that has no other entry.
fn flag(args: &Args<'_>, at: usize, table: &str, name: &str) -> Said<bool> {
    let mut found = false;
    if !args.has(at) {
        return Ok(found);
    }
    for (key, value) in options(args.table(at, &format!("a table such as {{ {name} = true }}"))?)? {
        match value {
            LuaValue::Boolean(flag) if key == name => found = flag,
            _ if key == name => return said(format!("{}: `{name}` is true or false", args.name())),
            _ => return Err(unknown(&format!("option of {} called", args.name()), &key, option_names(table))),
        }
    }
    Ok(found)
}

pub(crate) fn disclose(args: &Args<'_>) -> Said<Request> {
    if !args.has(0) {
        return args.wrong(0, "a value, a piece or a list");
    }
    let prompt = if args.has(1) { Some(args.prompt(&args.text(1, "the id of a prompt")?)?) } else { None };
    let what = "`ctx:disclose`: what is disclosed";
    let values =
        args.one_or_many(0)?.iter().map(|value| from_lua(args.rules(), value, Ty::Any, what)).collect::<Said<_>>()?;
    Ok(Request::Disclose { values, prompt })
}

pub(crate) fn use_effect(args: &Args<'_>) -> Said<Request> {
    Ok(Request::Use { piece: args.piece(0)?, attr: args.effect(1)? })
}

// ---- chance, variables, events, actions ----

pub(crate) fn roll(args: &Args<'_>) -> Said<Request> {
    // `amount` has refused numbers that are too large.
    let sides = u32::try_from(args.amount(0)?).unwrap_or(u32::MAX);
    Ok(Request::Roll { sides, secret: flag(args, 1, "ChanceOptions", "in_secret")? })
}

pub(crate) fn pick(args: &Args<'_>) -> Said<Request> {
    let list = LuaValue::Table(args.table(0, "a list")?.clone());
    let values = entries(args, &list, Ty::Any, "ctx:pick")?;
    args.pay(values.len())?;
    if values.is_empty() {
        return said("`ctx:pick`: there is nothing to pick from");
    }
    Ok(Request::Pick { from: values, secret: flag(args, 1, "ChanceOptions", "in_secret")? })
}

pub(crate) fn set(args: &Args<'_>) -> Said<Request> {
    let (var, subject, ty) = args.var(0)?;
    let what = args.string(0).unwrap_or_default();
    let value = from_lua(args.rules(), args.at(1), ty, format_args!("`ctx:set`: `{what}`"))?;
    Ok(Request::SetVar { var, owner: args.subject(2, subject)?, value })
}

/// The values after a name, converted to the types of the arguments of an event or an action.
fn typed<C: FromIterator<Value>>(args: &Args<'_>, name: &str, types: &[Ty]) -> Said<C> {
    let rest = args.rest(1);
    if rest.len() > types.len() {
        return said(format!("`{name}` takes {} values, but {} are given", types.len(), rest.len()));
    }
    let typed = (1..).zip(rest.zip(types));
    typed
        .map(|(number, (value, ty))| from_lua(args.rules(), value, *ty, format_args!("argument {number} of `{name}`")))
        .collect()
}

pub(crate) fn raise(args: &Args<'_>) -> Said<Request> {
    let name = args.text(0, "the id of an event")?;
    let events = &args.rules().vocabulary.events;
    let Some((event, types)) = events.get(&*name) else {
        return Err(unknown("event", &name, events.keys().map(String::as_str)));
    };
    if args.rest(1).len() < types.len() {
        return said(format!("`{name}` takes {} values, but {} are given", types.len(), args.rest(1).len()));
    }
    Ok(Request::Raise { event: *event, args: typed(args, &name, types)? })
}

fn act(args: &Args<'_>, free: bool) -> Said<Request> {
    let name = args.text(0, "the id of an action")?;
    let actions = &args.rules().vocabulary.actions;
    let Some((action, types)) = actions.get(&*name) else {
        return Err(unknown("action", &name, actions.keys().map(String::as_str)));
    };
    args.me()?;
    Ok(Request::Perform { action: *action, args: typed(args, &name, types)?, free })
}

pub(crate) fn perform(args: &Args<'_>) -> Said<Request> {
    act(args, false)
}

pub(crate) fn perform_free(args: &Args<'_>) -> Said<Request> {
    act(args, true)
}

// ---- questions ----

/// The entries of the table of `choose` and `choose_resource`.
struct Choice {
    from: LuaValue,
    /// The list before it was filtered.
    among: LuaValue,
    prompt: Option<PromptId>,
    need: Need,
    by: Seat,
    secret: bool,
}

fn choice(args: &Args<'_>, method: &str) -> Said<Choice> {
    let (mut from, mut among) = (LuaValue::Nil, LuaValue::Nil);
    let (mut prompt, mut optional, mut if_any, mut by, mut secret) = (None, false, false, None, false);
    for (key, value) in options(args.table(0, "a table such as { from = list }")?)? {
        match (key.as_str(), &value) {
            ("from", _) => from = value,
            ("among", _) if method == "ctx:choose" => among = value,
            // A function as `where` has been applied already.
            ("where", _) if method == "ctx:choose" => {
                return said(format!("`{method}`: `where` is a function, and `from` a zone or a list"));
            }
            // The prelude asks once for each that may be chosen.
            ("most" | "least", _) if method == "ctx:choose" => {
                return said(format!(
                    "`{method}`: `most` and `least` are whole numbers, not below zero; `least` needs `most`"
                ));
            }
            ("prompt", LuaValue::String(name)) => prompt = Some(args.prompt(&name.to_string_lossy())?),
            ("optional", LuaValue::Boolean(flag)) => optional = *flag,
            ("by", _) => match handle(&value) {
                Some(Handle::Seat(seat)) => by = Some(seat),
                _ => return said(format!("`{method}`: `by` is a player")),
            },
            ("if_any", LuaValue::Boolean(flag)) => if_any = *flag,
            ("in_secret", LuaValue::Boolean(flag)) if method == "ctx:choose" => secret = *flag,
            ("in_secret", _) if method == "ctx:choose" => {
                return said(format!("`{method}`: `in_secret` is true or false"));
            }
            ("if_any", _) => return said(format!("`{method}`: `if_any` is true or false")),
            ("prompt", _) => return said(format!("`{method}`: `prompt` is the id of a prompt")),
            ("optional", _) => return said(format!("`{method}`: `optional` is true or false")),
            (other, _) => {
                return Err(unknown(
                    &format!("option of `{method}` called"),
                    other,
                    option_names(if method == "ctx:choose" { "Choice" } else { "ResourceChoice" }),
                ));
            }
        }
    }
    let need = match (optional, if_any) {
        (true, _) => Need::Optional,
        (false, true) => Need::IfAny,
        (false, false) => Need::One,
    };
    Ok(Choice { from, among, prompt, need, by: by.map_or_else(|| args.me(), Ok)?, secret })
}

fn ask(choice: &Choice, from: Vec<Value>, among: Vec<Value>, method: &str) -> Said<Request> {
    if from.is_empty() && choice.need == Need::One {
        return said(format!(
            "`{method}`: a choice must be made, but there is nothing to choose from (`if_any = true` accepts that)"
        ));
    }
    let Choice { prompt, need, secret, .. } = *choice;
    Ok(Request::Choose { seat: choice.by, from, among, prompt, need, secret })
}

fn entries(args: &Args<'_>, list: &LuaValue, ty: Ty, method: &str) -> Said<Vec<Value>> {
    let LuaValue::Table(list) = list else {
        let also = if method == "ctx:choose" { "the zone or " } else { "" };
        return said(format!("`{method}`: `from` is {also}the list to choose from"));
    };
    let found = args.members(list, "from")?;
    let what = format!("`{method}`: what can be chosen");
    found.iter().map(|value| from_lua(args.rules(), value, ty, &what)).collect()
}

pub(crate) fn choose(args: &Args<'_>) -> Said<Request> {
    let choice = choice(args, "ctx:choose")?;
    let from = entries(args, &choice.from, Ty::Any, "ctx:choose")?;
    let among = match &choice.among {
        LuaValue::Nil => Vec::new(),
        among => {
            let among = entries(args, among, Ty::Any, "ctx:choose")?;
            args.pay(among.len())?;
            let known: BTreeSet<Value> = among.iter().copied().collect();
            if !from.iter().all(|value| known.contains(value)) {
                return said(
                    "`ctx:choose`: `among` must hold all of `from`: it is the list before it was narrowed down",
                );
            }
            among
        }
    };
    ask(&choice, from, among, "ctx:choose")
}

pub(crate) fn choose_resource(args: &Args<'_>) -> Said<Request> {
    const METHOD: &str = "ctx:choose_resource";
    let choice = choice(args, METHOD)?;
    let rules = args.rules();
    let from = match (handle(&choice.from), &choice.from) {
        (Some(holder @ (Handle::Seat(_) | Handle::Piece(_))), _) => {
            let all = (0..rules.resources.len()).map(rulepack_model::ResId::from);
            all.filter(|res| held(args.view, holder, &[*res]) > 0).map(Value::Res).collect()
        }
        (_, LuaValue::String(name)) => {
            kinds(rules, &name.to_string_lossy())?.members(rules).iter().map(|res| Value::Res(*res)).collect()
        }
        _ => entries(args, &choice.from, Ty::Res, METHOD)?,
    };
    ask(&choice, from, Vec::new(), METHOD)
}

pub(crate) fn confirm(args: &Args<'_>) -> Said<Request> {
    let prompt = args.prompt(&args.text(0, "the id of a prompt")?)?;
    Ok(Request::Confirm { seat: args.seat_or_me(1)?, prompt: Some(prompt) })
}

pub(crate) fn either(args: &Args<'_>) -> Said<Request> {
    let ways: Vec<PromptId> = args
        .one_or_many(0)?
        .iter()
        .map(|way| match way {
            LuaValue::String(name) => args.prompt(&name.to_string_lossy()),
            _ => args.wrong(0, "a list of ids of prompts"),
        })
        .collect::<Said<_>>()?;
    let is_twice = |(at, way): (usize, &PromptId)| ways.iter().take(at).any(|before| before == way);
    if ways.is_empty() || ways.iter().enumerate().any(is_twice) {
        return said("`ctx:either`: `ways` names at least one prompt, and none twice");
    }
    Ok(Request::Either { seat: args.seat_or_me(1)?, ways })
}

pub(crate) fn log(args: &Args<'_>) -> Said<Request> {
    let prompt = args.prompt(&args.text(0, "the id of a prompt")?)?;
    let what = "`ctx:log`: what is told";
    let values = match args.at(1) {
        LuaValue::Nil => Vec::new(),
        _ => {
            let given = args.one_or_many(1)?;
            given.iter().map(|value| from_lua(args.rules(), value, Ty::Any, what)).collect::<Said<_>>()?
        }
    };
    args.pay(values.len())?;
    Ok(Request::Note { prompt, values })
}

// ---- the flow ----

pub(crate) fn pause(args: &Args<'_>) -> Said<Request> {
    args.me().map(|_| Request::Pause)
}

pub(crate) fn pass(args: &Args<'_>) -> Said<Request> {
    args.me().map(|_| Request::Pass)
}

pub(crate) fn rejoin(args: &Args<'_>) -> Said<Request> {
    Ok(Request::Rejoin(args.seat_or_me(0)?))
}

pub(crate) fn cancel(_: &Args<'_>) -> Said<Request> {
    Ok(Request::Cancel)
}

pub(crate) fn end_turn(_: &Args<'_>) -> Said<Request> {
    Ok(Request::EndTurn)
}

pub(crate) fn end_phase(_: &Args<'_>) -> Said<Request> {
    Ok(Request::EndPhase)
}

pub(crate) fn end_game(args: &Args<'_>) -> Said<Request> {
    Ok(Request::EndGame { winners: players(args, 0)? })
}
