//! The methods that read: they run at once, on the state that the script sees.

use mlua::{Table, Value as LuaValue};
use rulepack_expr::{Cost, Expr, Term};
use rulepack_kernel::ruleset::AttrValue;
use rulepack_kernel::{Cell, Ruleset, Slots, Value, ZoneIx};
use rulepack_model::{KindId, Local, PieceId, TypeId};

use crate::args::Args;
use crate::convert::{handle, to_lua};
use crate::fail::{Said, said, unknown};
use crate::fields::attribute;
use crate::handle::Handle;

fn give(args: &Args<'_>, value: Value) -> Said<LuaValue> {
    Ok(to_lua(args.lua, args.rules(), value)?)
}

fn number(args: &Args<'_>, n: i64) -> Said<LuaValue> {
    give(args, Value::Int(n))
}

// ---- zones and pieces ----

pub(crate) fn zone(args: &Args<'_>) -> Said<LuaValue> {
    Ok(LuaValue::LightUserData(Handle::Zone(args.zone(0)?).light()))
}

pub(crate) fn pieces(args: &Args<'_>) -> Said<LuaValue> {
    let (state, zone) = (args.view.eval.state, args.zone(0)?);
    args.pay(state.zone_len(zone))?;
    args.list(state.zone(zone).map(Handle::Piece))
}

pub(crate) fn in_play(args: &Args<'_>) -> Said<LuaValue> {
    let rules = args.rules();
    let words = &rules.vocabulary;
    let name = args.text(0, "the id of a kind or a type")?;
    let sort = match words.plurals.get(&*name) {
        Some(kind) => Sort::Kind(*kind),
        None => sort(args, &name)?,
    };
    let fits = |zone: &ZoneIx| {
        let pieces = args.view.eval.state.zone(*zone);
        pieces.filter(move |piece| sort.includes(rules, *piece)).map(Handle::Piece)
    };
    let gone_through = |zone: &ZoneIx| args.pay(args.view.eval.state.zone_len(*zone).saturating_add(1));
    match args.seat(1)? {
        Some(seat) => {
            let zones = rules.play_zones.get(seat.index()).map_or(&[][..], Vec::as_slice);
            let state = args.view.eval.state;
            let belongs = |handle: &Handle| match handle {
                Handle::Piece(piece) => state.owner(rules, *piece) == Some(seat),
                _ => false,
            };
            let shared = if rules.has_owner_vars() { rules.shared_play_zones.as_slice() } else { &[] };
            zones.iter().chain(shared).try_for_each(gone_through)?;
            args.list(zones.iter().flat_map(fits).chain(shared.iter().flat_map(fits).filter(belongs)))
        }
        None => {
            let zones = || rules.play_zones.iter().flatten().chain(&rules.shared_play_zones);
            zones().try_for_each(gone_through)?;
            args.list(zones().flat_map(fits))
        }
    }
}

pub(crate) fn is(args: &Args<'_>) -> Said<LuaValue> {
    let piece = args.piece(0)?;
    let sort = sort(args, &args.text(1, "the id of a kind or a type")?)?;
    Ok(LuaValue::Boolean(sort.includes(args.rules(), piece)))
}

/// What a piece can be tested for: a kind or one above it, a type, or a printing of a type.
#[derive(Clone, Copy)]
enum Sort {
    Kind(KindId),
    Type(TypeId),
}

impl Sort {
    fn includes(self, rules: &Ruleset, piece: PieceId) -> bool {
        match self {
            Sort::Kind(kind) => rules.is_kind(rules.kind_of(piece), kind),
            Sort::Type(ty) => rules.is_type(rules.type_of(piece), ty),
        }
    }
}

fn sort(args: &Args<'_>, name: &str) -> Said<Sort> {
    let words = &args.rules().vocabulary;
    match (words.types.get(name), words.kinds.get(name)) {
        (Some((ty, _)), _) => Ok(Sort::Type(*ty)),
        (None, Some(kind)) => Ok(Sort::Kind(*kind)),
        (None, None) => {
            let known = words.kinds.keys().chain(words.plurals.keys()).chain(words.types.keys());
            Err(unknown("kind or type", name, known.map(String::as_str)))
        }
    }
}

pub(crate) fn top(args: &Args<'_>) -> Said<LuaValue> {
    let (state, zone) = (args.view.eval.state, args.zone(0)?);
    // In a zone of several piles, all pieces are gone through.
    if args.rules().zone_of(zone).layout.has_spaces() {
        args.pay(state.zone_len(zone))?;
    }
    let top = state.top(args.rules(), zone);
    give(args, top.map_or(Value::Nil, Value::Piece))
}

pub(crate) fn count(args: &Args<'_>) -> Said<LuaValue> {
    let count = args.view.eval.state.zone_len(args.zone(0)?);
    number(args, i64::try_from(count).unwrap_or(i64::MAX))
}

fn spaces(args: &Args<'_>) -> Said<impl Iterator<Item = Cell> + use<>> {
    let zone = args.zone(0)?;
    let declared = args.rules().zone_of(zone);
    if !declared.layout.has_spaces() {
        return said(format!("the zone `{}` has no spaces: write `ctx:pieces` for what lies in it", declared.name));
    }
    args.pay(declared.layout.cells().into())?;
    Ok((0..args.rules().zone_of(zone).layout.cells()).map(move |at| Cell { zone, at }))
}

pub(crate) fn cells(args: &Args<'_>) -> Said<LuaValue> {
    args.list(spaces(args)?.map(Handle::Cell))
}

pub(crate) fn free_cells(args: &Args<'_>) -> Said<LuaValue> {
    let free = |cell: &Cell| args.view.eval.state.pieces_at(*cell).next().is_none();
    args.list(spaces(args)?.filter(free).map(Handle::Cell))
}

/// The space that is meant; a piece stands for its space.
fn space(args: &Args<'_>, value: &LuaValue) -> Option<Cell> {
    match handle(value) {
        Some(Handle::Cell(cell)) => Some(cell),
        Some(Handle::Piece(piece)) => Some(args.view.eval.state.cell_of(piece)),
        _ => None,
    }
}

pub(crate) fn cell(args: &Args<'_>, at: usize) -> Said<Cell> {
    space(args, args.at(at)).map_or_else(|| args.wrong(at, "a space or a piece"), Ok)
}

pub(crate) fn spaces_at(args: &Args<'_>, at: usize) -> Said<Vec<Cell>> {
    let found: Option<Vec<Cell>> = args.one_or_many(at)?.iter().map(|value| space(args, value)).collect();
    found.map_or_else(|| args.wrong(at, "a space, a piece or a list of them"), Ok)
}

pub(crate) fn neighbours(args: &Args<'_>) -> Said<LuaValue> {
    let mut locals = Slots::new();
    locals.push(Value::Cell(cell(args, 0)?));
    let found = args.view.eval.collect(&args.names.neighbours, &mut locals);
    args.list(found.into_iter().filter_map(Value::cell).map(Handle::Cell))
}

pub(crate) fn adjacent(args: &Args<'_>) -> Said<LuaValue> {
    let (rules, name) = (args.rules(), args.text(0, "the id of an adjacency")?);
    let ways = &rules.vocabulary.adjacencies;
    let Some(way) = ways.get(&*name).copied() else {
        return Err(unknown("adjacency", &name, ways.keys().map(String::as_str)));
    };
    let mut reached: Vec<Cell> = Vec::new();
    for Cell { zone, at } in spaces_at(args, 1)? {
        args.pay(reached.len().saturating_add(1))?;
        let leads = rules.leads(way, zone, at).iter().map(|at| Cell { zone, at: *at });
        for cell in leads {
            if !reached.contains(&cell) {
                reached.push(cell);
            }
        }
    }
    args.list(reached.into_iter().map(Handle::Cell))
}

pub(crate) fn at(args: &Args<'_>) -> Said<LuaValue> {
    let spaces = spaces_at(args, 0)?;
    let state = args.view.eval.state;
    // Pieces that share a space are found by going through the zone.
    let gone_through = |cell: &Cell| if state.crowd(*cell) > 1 { state.zone_len(cell.zone) } else { 1 };
    spaces.iter().try_for_each(|cell| args.pay(gone_through(cell)))?;
    let pieces = spaces.into_iter().flat_map(|cell| args.view.eval.state.pieces_at(cell));
    args.list(pieces.map(Handle::Piece))
}

pub(crate) fn attached(args: &Args<'_>) -> Said<LuaValue> {
    let (state, piece) = (args.view.eval.state, args.piece(0)?);
    args.pay(state.zone_len(state.piece(piece).zone))?;
    args.list(state.attached(piece).map(Handle::Piece))
}

// ---- players ----

/// Checks that a player can act; the prelude makes the `ctx`.
pub(crate) fn act_as(args: &Args<'_>) -> Said<LuaValue> {
    match handle(args.at(0)) {
        Some(Handle::Seat(seat)) if seat.0 < args.rules().players => number(args, i64::from(seat.0).saturating_add(1)),
        _ => args.wrong(0, "a player"),
    }
}

fn beside(args: &Args<'_>, by: u8) -> Said<LuaValue> {
    let seat = args.seat_or_me(0)?;
    give(args, args.view.eval.neighbour(seat, by))
}

pub(crate) fn next(args: &Args<'_>) -> Said<LuaValue> {
    beside(args, 1)
}

pub(crate) fn previous(args: &Args<'_>) -> Said<LuaValue> {
    beside(args, args.rules().players.saturating_sub(1))
}

pub(crate) fn in_turn_order(args: &Args<'_>) -> Said<LuaValue> {
    let first = args.seat(0)?.or(args.view.me);
    args.list(args.view.eval.state.turn_order(args.rules(), first).into_iter().map(Handle::Seat))
}

// ---- costs ----

pub(crate) fn can_pay(args: &Args<'_>) -> Said<LuaValue> {
    let (me, bundle) = (args.me()?, args.bundle(0, 1)?);
    Ok(LuaValue::Boolean(args.view.eval.can_pay(me, &bundle)))
}

/// The piece or the type in the first slot.
fn priced(args: &Args<'_>) -> Said<Expr> {
    if let Some(Handle::Piece(_)) = handle(args.at(0)) {
        return Ok(Expr::Local(Local(2)));
    }
    let (name, types) = (args.text(0, "a piece or the id of a type")?, &args.rules().vocabulary.types);
    let found = types.get(&*name).map(|(id, _)| Expr::Type(*id));
    found.ok_or_else(|| unknown("type", &name, types.keys().map(String::as_str)))
}

fn price(args: &Args<'_>, term: Term) -> Said<LuaValue> {
    let mut locals = args.view.locals();
    locals.push(handle(args.at(0)).and_then(Handle::value).unwrap_or(Value::Nil));
    let bundle = args.view.eval.bundle(&Cost { terms: vec![term], less: None }, &mut locals);
    args.table_of(&bundle)
}

pub(crate) fn cost(args: &Args<'_>) -> Said<LuaValue> {
    let (of, attr) = (priced(args)?, args.cost(1)?);
    price(args, Term::Attr(of, attr))
}

pub(crate) fn surcharge(args: &Args<'_>) -> Said<LuaValue> {
    args.piece(0)?;
    price(args, Term::Surcharge(Expr::Local(Local(2))))
}

pub(crate) fn units(args: &Args<'_>) -> Said<LuaValue> {
    args.table(0, "a table such as { coin = 2 }")?;
    let parts = args.bundle(0, 1)?.parts;
    number(args, parts.iter().map(|(_, amount)| i64::from(*amount)).sum())
}

pub(crate) fn members(args: &Args<'_>) -> Said<LuaValue> {
    let rules = args.rules();
    let kinds = args.kinds(0)?;
    let names = kinds.members(rules).iter().map(|res| rules.resource(*res).name.as_str());
    Ok(LuaValue::Table(args.lua.create_sequence_from(names)?))
}

// ---- numbers ----

pub(crate) fn supply(args: &Args<'_>) -> Said<LuaValue> {
    let (rules, state) = (args.rules(), args.view.eval.state);
    let kinds = args.kinds(0)?;
    number(args, kinds.members(rules).iter().map(|res| i64::from(state.supply(rules, *res))).sum())
}

pub(crate) fn room(args: &Args<'_>) -> Said<LuaValue> {
    let (eval, kinds) = (&args.view.eval, args.kinds(0)?);
    number(
        args,
        match handle(args.at(1)) {
            Some(Handle::Piece(piece)) => eval.room_at(piece, kinds),
            Some(Handle::Seat(seat)) => eval.room_of(seat, kinds),
            None if args.is_left_out(1)? => eval.room_of(args.me()?, kinds),
            _ => return args.wrong(1, "a player or a piece"),
        },
    )
}

pub(crate) fn get(args: &Args<'_>) -> Said<LuaValue> {
    let (var, subject, _) = args.var(0)?;
    let owner = args.subject(1, subject)?;
    give(args, args.view.eval.state.var(args.rules(), var, owner))
}

pub(crate) fn value(args: &Args<'_>) -> Said<LuaValue> {
    let (value, subject, _) = args.value(0)?;
    let of = args.subject(1, subject)?.unwrap_or_default();
    give(args, args.view.eval.value(value, of, &args.view.locals()))
}

pub(crate) fn attr(args: &Args<'_>) -> Said<LuaValue> {
    let words = &args.rules().vocabulary;
    let of = args.text(0, "the id of a type or a resource")?;
    let name = args.text(1, "the name of an attribute")?;
    if let Some((ty, kind)) = words.types.get(&*of) {
        let fits = |kinds: &[KindId]| kinds.contains(kind);
        return match words.attrs.get(&*name).filter(|attr| fits(&attr.kinds)) {
            Some(attr) => give(args, attribute(args.view, *ty, None, attr.id, attr.ty, &name)?),
            None => {
                let known = words.attrs.iter().filter(|(_, attr)| fits(&attr.kinds)).map(|(name, _)| name.as_str());
                Err(unknown(&format!("attribute of `{of}` called"), &name, known))
            }
        };
    }
    let Some(res) = words.resources.get(&*of) else {
        let known = words.types.keys().chain(words.resources.keys()).map(String::as_str);
        return Err(unknown("type or resource", &of, known));
    };
    let Some((id, _)) = words.resource_attrs.get(&*name) else {
        return Err(unknown("attribute of resources called", &name, words.resource_attrs.keys().map(String::as_str)));
    };
    match args.rules().resource(*res).attrs.get(id.0 as usize).copied().flatten() {
        Some(AttrValue::Plain(value)) => give(args, value),
        Some(AttrValue::Expr(expr)) => give(args, args.view.eval.compiled(expr, args.view.me, None, &[])),
        _ => Ok(LuaValue::Nil),
    }
}

pub(crate) fn can(args: &Args<'_>) -> Said<LuaValue> {
    let (piece, attr) = (args.piece(0)?, args.effect(1)?);
    let can = match args.rules().attr(args.rules().type_of(piece), attr) {
        Some(AttrValue::Effect(program)) => args.view.eval.can_run(program, args.view.me, Some(piece)),
        _ => false,
    };
    Ok(LuaValue::Boolean(can))
}

// ---- lists ----

/// Checks the arguments of the methods in the prelude, and returns whether the list begins with a piece.
pub(crate) fn list_and_function(args: &Args<'_>) -> Said<LuaValue> {
    let list = args.table(0, "a list")?;
    match args.at(1) {
        LuaValue::Function(_) => begins_with_piece(list),
        LuaValue::Nil if args.may_lack(1) => Ok(LuaValue::Nil),
        _ => args.wrong(1, "a function"),
    }
}

/// Whether a list begins with a piece.
pub(crate) fn begins_with_piece(list: &Table) -> Said<LuaValue> {
    let first: LuaValue = list.raw_get(1)?;
    Ok(LuaValue::Boolean(matches!(handle(&first), Some(Handle::Piece(_)))))
}
