//! The names after the dot: fields of pieces, players, spaces and zones.

use mlua::{Lua, Value as LuaValue};
use rulepack_expr::{AttrId, AttrTy};
use rulepack_kernel::ruleset::AttrValue;
use rulepack_kernel::{Cell, Value};
use rulepack_model::{GroupId, PieceId, ResId, Seat, TypeId, did_you_mean};

use crate::convert::to_lua;
use crate::fail::{Said, said};
use crate::handle::Handle;
use crate::names::{Field, Names};
use crate::slot::View;

/// A field that every handle of one sort has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HostField {
    Row,
    Column,
    Cell,
    Owner,
    Type,
    Kind,
    Host,
    FaceUp,
    Flipped,
    Zone,
    Passed,
    Out,
    Index,
    Empty,
    Name,
    Context,
}

/// A field of a handle or of `ctx`, for editors.
#[derive(Debug)]
pub struct ApiField {
    /// Its name.
    pub name: &'static str,
    /// Its type, as editors write it.
    pub ty: &'static str,
    /// Its meaning.
    pub doc: &'static str,
    pub(crate) built: HostField,
}

const fn field(name: &'static str, ty: &'static str, built: HostField, doc: &'static str) -> ApiField {
    ApiField { name, ty, doc, built }
}

pub(crate) static PIECE: &[ApiField] = &[
    field("row", "integer", HostField::Row, "The row of its space, from 1."),
    field("column", "integer", HostField::Column, "The column of its space, from 1."),
    field("position", "integer", HostField::Column, "The number of its space in a row of spaces, from 1."),
    field("cell", "Cell", HostField::Cell, "Its space."),
    field("owner", "Seat?", HostField::Owner, "The player in whose zone it is."),
    field("type", "string", HostField::Type, "The id of its type."),
    field("kind", "string", HostField::Kind, "The id of its kind."),
    field("host", "Piece?", HostField::Host, "The piece that it lies on."),
    field("face_up", "boolean", HostField::FaceUp, "Whether its front is up."),
    field("flipped", "boolean", HostField::Flipped, "Whether it was turned to its other side."),
    field("zone", "string", HostField::Zone, "The id of the zone that it is in."),
];

pub(crate) static SEAT: &[ApiField] = &[
    field("passed", "boolean", HostField::Passed, "Whether the player has passed."),
    field("out", "boolean", HostField::Out, "Whether the player is out, of the round or of the game."),
    field("index", "integer", HostField::Index, "The number of the seat, from 1."),
];

static CELL: &[ApiField] = &[
    field("row", "integer", HostField::Row, "Its row, from 1."),
    field("column", "integer", HostField::Column, "Its column, from 1."),
    field("position", "integer", HostField::Column, "Its number in a row of spaces, from 1."),
    field("empty", "boolean", HostField::Empty, "Whether no piece is on it."),
    field("zone", "string", HostField::Zone, "The id of its zone."),
];

static ZONE: &[ApiField] = &[
    field("name", "string", HostField::Name, "Its id."),
    field("owner", "Seat?", HostField::Owner, "The player whose zone it is."),
];

static CONTEXT: &[ApiField] = &[
    field("me", "Seat?", HostField::Context, "The player for whom the function runs."),
    field("self", "Piece?", HostField::Context, "The piece whose function it is."),
    field("at_turn", "Seat?", HostField::Context, "The player at turn, also in the `ctx` of another."),
    field("players", "Seat[]", HostField::Context, "All players."),
    field("others", "Seat[]", HostField::Context, "All players but `me`."),
    field("opponent", "Seat?", HostField::Context, "The other player of two."),
];

/// Fields of every piece, besides its attributes, resources, values and variables.
pub fn piece_fields() -> &'static [ApiField] {
    PIECE
}

/// Fields of every player, besides resources, values and variables.
pub fn seat_fields() -> &'static [ApiField] {
    SEAT
}

/// Fields of every space, besides its marks.
pub fn cell_fields() -> &'static [ApiField] {
    CELL
}

/// Fields of every zone.
pub fn zone_fields() -> &'static [ApiField] {
    ZONE
}

/// Fields of `ctx`.
pub fn context_fields() -> &'static [ApiField] {
    CONTEXT
}

/// A field of a handle.
pub(crate) fn field_of(lua: &Lua, view: &View<'_>, names: &Names, handle: Handle, key: &str) -> Said<LuaValue> {
    let rules = view.eval.rules;
    let found = match handle {
        Handle::Piece(piece) => names.of_piece(rules, piece).and_then(|parts| parts.get(key)).copied(),
        Handle::Seat(_) => names.seat.get(key).copied(),
        Handle::Cell(cell) => match (built(CELL, key), rules.vocabulary.marks.get(key)) {
            (None, Some(mark)) => {
                let mark = rules.mark(cell.zone, cell.at, *mark);
                return Ok(to_lua(lua, rules, mark.map_or(Value::Nil, Value::Sym))?);
            }
            (found, _) => found,
        },
        Handle::Zone(_) => built(ZONE, key),
    };
    let Some(found) = found else { return no_such(view, names, handle, key) };
    let value = match (found, handle) {
        (Field::HostField(built), _) => return built_in(lua, view, handle, built),
        (Field::Attr(attr, ty), Handle::Piece(piece)) => {
            attribute(view, rules.type_of(piece), Some(piece), attr, ty, key)?
        }
        (Field::Res(res), _) => Value::Int(held(view, handle, &[res])),
        (Field::Group(group), _) => Value::Int(held(view, handle, members(view, group))),
        (Field::Value(id), _) => view.eval.value(id, handle.value().unwrap_or_default(), &view.locals()),
        (Field::Var(id), _) => view.eval.state.var(rules, id, handle.value()),
        (Field::Attr(..), _) => Value::Nil,
    };
    Ok(to_lua(lua, rules, value)?)
}

fn built(list: &'static [ApiField], key: &str) -> Option<Field> {
    list.iter().find(|field| field.name == key).map(|field| Field::HostField(field.built))
}

fn members<'v>(view: &View<'v>, group: GroupId) -> &'v [ResId] {
    view.eval.rules.members(group)
}

/// The amount of some resources that a player or a piece has.
pub(crate) fn held(view: &View<'_>, holder: Handle, resources: &[ResId]) -> i64 {
    let (rules, state) = (view.eval.rules, view.eval.state);
    resources
        .iter()
        .map(|res| match holder {
            Handle::Seat(seat) => i64::from(state.amount(rules, seat, *res)),
            Handle::Piece(piece) => i64::from(state.held(rules, piece, *res)),
            Handle::Cell(_) | Handle::Zone(_) => 0,
        })
        .sum()
}

/// An attribute of a type, evaluated for a piece of it if there is one.
pub(crate) fn attribute(
    view: &View<'_>,
    ty: TypeId,
    piece: Option<PieceId>,
    attr: AttrId,
    holds: AttrTy,
    key: &str,
) -> Said<Value> {
    match holds {
        AttrTy::Effect => return said(format!("`{key}` is an effect: write `ctx:use(piece, \"{key}\")`")),
        AttrTy::Cost => return said(format!("`{key}` is a cost: scripts cannot read it")),
        AttrTy::Text => return said(format!("`{key}` is a text for people: scripts cannot read it")),
        _ => {}
    }
    let rules = view.eval.rules;
    Ok(match rules.attr(ty, attr) {
        Some(AttrValue::Plain(value)) => value,
        Some(AttrValue::Expr(expr)) => {
            let owner = piece.and_then(|piece| view.eval.state.owner(rules, piece));
            view.eval.compiled(expr, owner.or(view.me), piece, &[])
        }
        _ => match holds {
            AttrTy::Int | AttrTy::Amount => Value::Int(0),
            AttrTy::Bool | AttrTy::Condition => Value::Bool(false),
            _ => Value::Nil,
        },
    })
}

fn built_in(lua: &Lua, view: &View<'_>, handle: Handle, built: HostField) -> Said<LuaValue> {
    let (rules, state) = (view.eval.rules, view.eval.state);
    let text = |text: &str| Ok(LuaValue::String(lua.create_string(text)?));
    let seat = |seat: Option<Seat>| seat.map_or(Value::Nil, Value::Seat);
    let place = |cell: Cell| {
        let (row, column) = rules.spot(cell);
        (i64::from(row), i64::from(column))
    };
    let cell = match handle {
        Handle::Piece(piece) => Some(state.cell_of(piece)),
        Handle::Cell(cell) => Some(cell),
        Handle::Seat(_) | Handle::Zone(_) => None,
    };
    let value = match (built, handle) {
        (HostField::Row, _) => cell.map_or(Value::Nil, |cell| Value::Int(place(cell).0)),
        (HostField::Column, _) => cell.map_or(Value::Nil, |cell| Value::Int(place(cell).1)),
        (HostField::Cell, _) => cell.map_or(Value::Nil, Value::Cell),
        (HostField::Empty, _) => Value::Bool(cell.is_some_and(|cell| state.pieces_at(cell).next().is_none())),
        (HostField::Zone, _) => match cell {
            Some(cell) => return text(&rules.zone_of(cell.zone).name),
            None => Value::Nil,
        },
        (HostField::Name, Handle::Zone(zone)) => return text(&rules.zone_of(zone).name),
        (HostField::Owner, Handle::Zone(zone)) => seat(rules.zone_owner(zone)),
        (HostField::Owner, Handle::Piece(piece)) => seat(state.owner(rules, piece)),
        (HostField::Type, Handle::Piece(piece)) => Value::Type(rules.ty(rules.type_of(piece)).printing_of),
        (HostField::Kind, Handle::Piece(piece)) => return text(&rules.kind(rules.kind_of(piece)).name),
        (HostField::Host, Handle::Piece(piece)) => state.host(piece).map_or(Value::Nil, Value::Piece),
        (HostField::FaceUp, Handle::Piece(piece)) => Value::Bool(!state.piece(piece).face_down),
        (HostField::Flipped, Handle::Piece(piece)) => Value::Bool(state.piece(piece).flipped),
        (HostField::Passed, Handle::Seat(seat)) => Value::Bool(state.has_passed(seat)),
        (HostField::Out, Handle::Seat(seat)) => Value::Bool(state.is_eliminated(seat)),
        (HostField::Index, Handle::Seat(seat)) => Value::Int(i64::from(seat.0).saturating_add(1)),
        _ => Value::Nil,
    };
    Ok(to_lua(lua, rules, value)?)
}

fn no_such(view: &View<'_>, names: &Names, handle: Handle, key: &str) -> Said<LuaValue> {
    let list = |list: &'static [ApiField]| list.iter().map(|field| field.name).collect::<Vec<&str>>();
    let (what, known) = match handle {
        Handle::Piece(piece) => {
            let parts = names.of_piece(view.eval.rules, piece);
            let known = parts.into_iter().flat_map(|parts| parts.keys()).map(String::as_str).collect();
            (format!("the piece `{}`", handle.show(view.eval.rules)), known)
        }
        Handle::Seat(_) => ("a player".to_string(), names.seat.keys().map(String::as_str).collect()),
        Handle::Cell(_) => {
            let marks = view.eval.rules.vocabulary.marks.keys().map(String::as_str);
            ("a space".to_string(), list(CELL).into_iter().chain(marks).collect())
        }
        Handle::Zone(_) => ("a zone".to_string(), list(ZONE)),
    };
    let hint = did_you_mean(key, known).map_or(String::new(), |hint| format!(" ({hint})"));
    said(format!("{what} has no `{key}`{hint}"))
}
