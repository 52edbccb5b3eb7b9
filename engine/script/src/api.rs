//! The methods of `ctx`, all in one table: the host builds `ctx` from it, and editors get their stubs from it.
//!
//! To add a method, write its function in `change.rs` or `read.rs` and one entry here.

use mlua::Value as LuaValue;
use rulepack_kernel::Request;

use crate::args::Args;
use crate::fail::Said;
use crate::{change, read};

/// Whether a method changes the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MethodKind {
    /// It changes the game or asks a player; no query may call it.
    Changing,
    /// It only reads.
    Reading,
}

/// A parameter of a method.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ApiParam {
    /// Its name; `...` stands for any number of values.
    pub name: &'static str,
    /// Its type, as editors write it; with `?` at the end it may be left out.
    pub ty: &'static str,
    /// The smallest number that it takes, if its type is `integer`.
    pub least: i64,
}

impl ApiParam {
    /// The largest number that a parameter of the type `integer` takes.
    pub const MOST: i64 = rulepack_expr::MOST_UNITS;

    /// Whether its value is a whole number.
    pub fn is_number(&self) -> bool {
        self.ty.trim_end_matches('?') == "integer"
    }

    /// Whether it takes a number: a whole one, neither too small nor too large.
    pub fn takes(&self, number: f64) -> bool {
        number.fract() == 0.0 && (self.least as f64..=Self::MOST as f64).contains(&number)
    }

    /// Whether it may be left out.
    pub fn is_optional(&self) -> bool {
        self.ty.ends_with('?') || self.name == "..."
    }
}

/// A method of `ctx`.
#[derive(Debug)]
pub struct ApiMethod {
    /// Its name.
    pub name: &'static str,
    /// Whether it changes the game.
    pub kind: MethodKind,
    /// Its parameters, without `ctx` itself.
    pub params: &'static [ApiParam],
    /// Its result, as editors write it; empty if there is none.
    pub returns: &'static str,
    /// Its description, in one line.
    pub doc: &'static str,
    pub(crate) body: Body,
}

/// Methods that move resources in opposite directions, for authors who write a negative number.
const OPPOSITES: &[(&str, &str)] = &[
    ("gain", "pay"),
    ("pay", "gain"),
    ("put", "give_back"),
    ("give_back", "put"),
    ("store", "take"),
    ("take", "store"),
];

impl ApiMethod {
    /// What to write instead of a number that one of its parameters does not take.
    pub fn instead_of(&self, number: f64) -> Option<String> {
        if number.is_finite() && number.fract() != 0.0 {
            return Some("round it with `math.floor` or `math.ceil`".into());
        }
        let (_, opposite) = OPPOSITES.iter().find(|(name, _)| *name == self.name).filter(|_| number < 0.0)?;
        Some(format!("`ctx:{opposite}` moves resources the other way"))
    }
}

/// How a method is implemented.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Body {
    /// Makes a request to the kernel.
    Ask(fn(&Args<'_>) -> Said<Request>),
    /// Reads and returns.
    Read(fn(&Args<'_>) -> Said<LuaValue>),
    /// A function of the prelude, after this check of the arguments.
    Lua(fn(&Args<'_>) -> Said<LuaValue>),
}

/// Every method of `ctx`.
pub fn api() -> &'static [ApiMethod] {
    API
}

type Params = &'static [ApiParam];

const fn p(name: &'static str, ty: &'static str) -> ApiParam {
    ApiParam { name, ty, least: 0 }
}

const fn change(
    name: &'static str,
    params: Params,
    returns: &'static str,
    ask: fn(&Args<'_>) -> Said<Request>,
    doc: &'static str,
) -> ApiMethod {
    ApiMethod { name, kind: MethodKind::Changing, params, returns, doc, body: Body::Ask(ask) }
}

const fn look(
    name: &'static str,
    params: Params,
    returns: &'static str,
    read: fn(&Args<'_>) -> Said<LuaValue>,
    doc: &'static str,
) -> ApiMethod {
    ApiMethod { name, kind: MethodKind::Reading, params, returns, doc, body: Body::Read(read) }
}

const fn list(name: &'static str, params: Params, returns: &'static str, doc: &'static str) -> ApiMethod {
    ApiMethod { name, kind: MethodKind::Reading, params, returns, doc, body: Body::Lua(read::list_and_function) }
}

const WHAT: ApiParam = p("what", "string");
const N: ApiParam = p("n", "integer?");
const ZONE: ApiParam = p("zone", "string|Zone");
const SEAT: ApiParam = p("seat", "Seat?");
const PIECE: ApiParam = p("piece", "Piece");
const LIST: ApiParam = p("list", "any[]");
const FITS: ApiParam = p("fits", "fun(value: any): boolean");
const MAY_FIT: ApiParam = p("fits", "(fun(value: any): boolean)?");
const CHOICE: ApiParam = p("choice", "Choice");
const OPTIONS: ApiParam = p("options", "MoveOptions?");
const REST: ApiParam = p("...", "any");

static API: &[ApiMethod] = &[
    // Resources.
    change("gain", &[WHAT, N, p("whom", "Seat?")], "", change::gain, "Gives a player resources from the supply."),
    change("pay", &[WHAT, N], "", change::pay, "`me` pays resources to the supply; all of them must be there."),
    change("pay_to", &[PIECE, WHAT, N], "", change::pay_to, "`me` pays resources onto a piece; all must be there."),
    change("put", &[WHAT, p("n", "integer"), PIECE], "", change::put, "Puts resources from the supply onto a piece."),
    change("store", &[WHAT, p("n", "integer"), PIECE], "", change::store, "`me` lays resources onto a piece."),
    change(
        "take",
        &[WHAT, p("n", "integer"), p("from", "Piece|Seat")],
        "",
        change::take,
        "`me` takes resources from a piece or a player, as many as are there.",
    ),
    change(
        "give_back",
        &[WHAT, p("n", "integer"), PIECE],
        "",
        change::give_back,
        "Puts resources from a piece back into the supply.",
    ),
    // Pieces.
    change(
        "move",
        &[PIECE, p("to", "Cell|Zone|string"), OPTIONS],
        "",
        change::move_piece,
        "Moves a piece to a space, or to a zone: onto its first free space, or on top.",
    ),
    change("lay", &[PIECE, p("on", "Piece")], "", change::lay, "Lays a piece on another one."),
    change("shuffle", &[ZONE, SEAT], "", change::shuffle, "Shuffles a zone."),
    change("refill", &[ZONE, SEAT], "", change::refill, "Fills a zone up from where it is filled."),
    change("flip", &[PIECE], "", change::flip, "Turns a piece to its other side."),
    change(
        "look",
        &[p("pieces", "Piece|Piece[]"), SEAT, p("prompt", "string?")],
        "",
        change::look,
        "Lets a player look at pieces until the script is over; with a prompt, the player says when to go on.",
    ),
    change(
        "disclose",
        &[p("what", "any"), p("prompt", "string?")],
        "",
        change::disclose,
        "Tells all players something that the rules mean to disclose: a value, pieces or a list.",
    ),
    change("use", &[PIECE, p("effect", "string")], "", change::use_effect, "Carries out an effect of a piece."),
    // Chance, variables, events, actions.
    change("roll", &[ApiParam { least: 1, ..p("sides", "integer") }], "integer", change::roll, "Rolls a die."),
    change(
        "set",
        &[p("name", "string"), p("value", "any"), p("owner", "(Seat|Piece)?")],
        "",
        change::set,
        "Sets a variable: of the game, of `me` or of `self`, unless an owner is named.",
    ),
    change("raise", &[p("event", "string"), REST], "", change::raise, "Lets an event happen, with its arguments."),
    change("perform", &[p("action", "string"), REST], "", change::perform, "`me` does an action, and pays for it."),
    change(
        "perform_free",
        &[p("action", "string"), REST],
        "",
        change::perform_free,
        "`me` does an action without paying for it.",
    ),
    // Questions.
    change("choose", &[CHOICE], "any", change::choose, "Lets a player choose one of a list; nil if none is wanted."),
    change(
        "choose_resource",
        &[p("choice", "ResourceChoice")],
        "string?",
        change::choose_resource,
        "Lets a player choose a resource of a group, a list, or what a player or piece has; nil if none is wanted.",
    ),
    change("confirm", &[p("prompt", "string"), SEAT], "boolean", change::confirm, "Asks a player yes or no."),
    change("pause", &[], "", change::pause, "Lets `me` do free actions before the script goes on."),
    // The flow.
    change("pass", &[], "", change::pass, "`me` passes."),
    change("cancel", &[], "", change::cancel, "Calls off the event that is happening."),
    change("end_turn", &[], "", change::end_turn, "Ends the turn after this."),
    change("end_phase", &[], "", change::end_phase, "Ends the phase after this."),
    change(
        "end_game",
        &[p("winner", "Seat?")],
        "",
        change::end_game,
        "Ends the game at once; points decide unless a winner is named.",
    ),
    // Reading.
    look("zone", &[p("name", "string"), SEAT], "Zone", read::zone, "A zone, of `me` unless a player is named."),
    look("pieces", &[ZONE, SEAT], "Piece[]", read::pieces, "The pieces of a zone, from bottom to top."),
    look(
        "in_play",
        &[p("sort", "string"), SEAT],
        "Piece[]",
        read::in_play,
        "Pieces of a kind or a type in play, of all players or one.",
    ),
    look(
        "is",
        &[PIECE, p("sort", "string")],
        "boolean",
        read::is,
        "Whether a piece is of a kind or a type, as after `is` in an expression.",
    ),
    look("top", &[ZONE, SEAT], "Piece?", read::top, "The piece on top of a zone."),
    look("cells", &[ZONE, SEAT], "Cell[]", read::cells, "The spaces of a zone."),
    look("free_cells", &[ZONE, SEAT], "Cell[]", read::free_cells, "The spaces of a zone on which nothing is."),
    look("neighbours", &[p("cell", "Cell|Piece")], "Cell[]", read::neighbours, "The spaces beside a space."),
    look(
        "adjacent",
        &[p("name", "string"), p("cell", "Cell|Piece|Cell[]|Piece[]")],
        "Cell[]",
        read::adjacent,
        "The spaces to which an adjacency leads from a space or from several.",
    ),
    look(
        "at",
        &[p("cell", "Cell|Piece|Cell[]|Piece[]")],
        "Piece[]",
        read::at,
        "The pieces on a space or on several, from bottom to top.",
    ),
    look("attached", &[PIECE], "Piece[]", read::attached, "The pieces that lie on a piece."),
    look("count", &[ZONE, SEAT], "integer", read::count, "How many pieces are in a zone."),
    look("supply", &[WHAT], "integer", read::supply, "How much is left in the supply."),
    look(
        "room",
        &[WHAT, p("of", "(Seat|Piece)?")],
        "integer",
        read::room,
        "How much more `me`, a player or a piece can keep of a resource.",
    ),
    look("get", &[p("name", "string"), p("owner", "(Seat|Piece)?")], "any", read::get, "A variable."),
    look("value", &[p("name", "string"), p("of", "(Seat|Piece)?")], "any", read::value, "A derived value."),
    look("attr", &[p("of", "string"), p("name", "string")], "any", read::attr, "An attribute of a type or a resource."),
    look("can", &[PIECE, p("effect", "string")], "boolean", read::can, "Whether `me` can carry an effect out."),
    // Lists.
    list("filter", &[LIST, FITS], "any[]", "Those of a list that fit."),
    list("first", &[LIST, MAY_FIT], "any", "The first of a list, or the first that fits."),
    list("any", &[LIST, MAY_FIT], "boolean", "Whether a list has a member, or one that fits."),
    list("sum", &[LIST, p("amount", "fun(value: any): integer")], "integer", "Adds up what a list is worth."),
];
