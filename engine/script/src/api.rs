//! What a method of `ctx` is. All methods stand in one table, in `methods.rs`: the host builds `ctx` from it, checks,
//! editors and the docs read it.

use mlua::Value as LuaValue;
use rulepack_kernel::Request;

use crate::args::Args;
use crate::fail::Said;
use crate::methods::METHODS;

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
    /// What it is about, such as `Resources`: the heading in the docs.
    pub about: &'static str,
    /// Its description, in one line.
    pub doc: &'static str,
    /// How it is used; a test runs it.
    pub example: &'static str,
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
    /// A function of the prelude for lists, after this check of the arguments.
    Lua(fn(&Args<'_>) -> Said<LuaValue>),
    /// Reads a set, and what others know of it.
    Set(fn(&Args<'_>) -> Said<(LuaValue, LuaValue)>),
    /// The `ctx` of another player, after this check of the argument.
    Act(fn(&Args<'_>) -> Said<LuaValue>),
}

/// Every method of `ctx`.
pub fn api() -> &'static [ApiMethod] {
    METHODS
}
