//! Kinds of values, as far as checks tell them apart before a game.

use std::fmt;
use std::ops::{BitAnd, BitOr, BitOrAssign};

use rulepack_model::Cut;

/// A set of kinds of values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Kinds(u16);

impl BitOr for Kinds {
    type Output = Kinds;
    fn bitor(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }
}

impl BitOrAssign for Kinds {
    fn bitor_assign(&mut self, other: Kinds) {
        self.0 |= other.0;
    }
}

impl BitAnd for Kinds {
    type Output = Kinds;
    fn bitand(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }
}

/// Every kind with its name in annotations, and its name for people.
const NAMES: &[(Kinds, &str, &str)] = &[
    (Kinds::PIECE, "Piece", "a piece"),
    (Kinds::SEAT, "Seat", "a player"),
    (Kinds::CELL, "Cell", "a space"),
    (Kinds::ZONE, "Zone", "a zone"),
    (Kinds::CONTEXT, "Context", "`ctx`"),
    (Kinds::TEXT, "string", "a text"),
    (Kinds::NUMBER, "integer", "a number"),
    (Kinds::NUMBER, "number", "a number"),
    (Kinds::BOOL, "boolean", "true or false"),
    (Kinds::FUNCTION, "function", "a function"),
    (Kinds::TABLE, "table", "a table"),
    (Kinds::NIL, "nil", "nil"),
    (Kinds::ANY, "any", "anything"),
];

impl Kinds {
    pub(crate) const PIECE: Kinds = Kinds(1);
    pub(crate) const SEAT: Kinds = Kinds(1 << 1);
    pub(crate) const CELL: Kinds = Kinds(1 << 2);
    pub(crate) const ZONE: Kinds = Kinds(1 << 3);
    pub(crate) const CONTEXT: Kinds = Kinds(1 << 4);
    pub(crate) const TEXT: Kinds = Kinds(1 << 5);
    pub(crate) const NUMBER: Kinds = Kinds(1 << 6);
    pub(crate) const BOOL: Kinds = Kinds(1 << 7);
    pub(crate) const FUNCTION: Kinds = Kinds(1 << 8);
    pub(crate) const TABLE: Kinds = Kinds(1 << 9);
    pub(crate) const NIL: Kinds = Kinds(1 << 10);
    pub(crate) const ANY: Kinds = Kinds((1 << 11) - 1);
    pub(crate) const NONE: Kinds = Kinds(0);

    /// The kinds of a type as editors write it, such as `(Seat|Piece)?`. Tables of options are tables; an unknown type
    /// allows every kind.
    pub(crate) fn parse(ty: &str) -> Kinds {
        let ty = ty.trim();
        if let Some(inner) = ty.strip_suffix('?') {
            return Kinds::parse(inner) | Kinds::NIL;
        }
        let parts = top_level(ty);
        if parts.len() > 1 {
            return parts.into_iter().fold(Kinds::NONE, |kinds, part| kinds | Kinds::parse(part));
        }
        if let Some(inner) = ty.strip_prefix('(').and_then(|inner| inner.strip_suffix(')')) {
            return Kinds::parse(inner);
        }
        if ty.starts_with("fun(") {
            return Kinds::FUNCTION;
        }
        if ty.starts_with('"') {
            return Kinds::TEXT;
        }
        if ty.ends_with("[]") || ty.starts_with('{') || ty.starts_with("table<") {
            return Kinds::TABLE;
        }
        Kinds::named(ty).unwrap_or_else(|| {
            if rulepack_script::option_tables().iter().any(|table| table.name == ty) {
                Kinds::TABLE
            } else {
                Kinds::ANY
            }
        })
    }

    /// The kind of that name.
    pub(crate) fn named(name: &str) -> Option<Kinds> {
        NAMES.iter().find(|(_, known, _)| *known == name).map(|(kinds, ..)| *kinds)
    }

    /// Whether a value of these kinds can be one of those. That both may be nil is not enough, unless it is always nil.
    pub(crate) fn fits(self, wanted: Kinds) -> bool {
        let given = if self == Kinds::NIL { self } else { self.without_nil() };
        given == Kinds::NONE || given.meets(wanted)
    }

    /// Whether both have a kind in common.
    pub(crate) fn meets(self, other: Kinds) -> bool {
        (self & other) != Kinds::NONE
    }

    /// Whether it has only these kinds, or is nil.
    pub(crate) fn only(self, these: Kinds) -> bool {
        let left = self.without_nil().0;
        left != 0 && left & !these.0 == 0
    }

    /// The same kinds without nil.
    pub(crate) fn without_nil(self) -> Kinds {
        Kinds(self.0 & !Kinds::NIL.0)
    }

    /// Whether it is certainly `ctx`.
    pub(crate) fn is_context(self) -> bool {
        self == Kinds::CONTEXT
    }
}

impl fmt::Display for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Kinds::ANY {
            return f.write_str("anything");
        }
        let mut words: Vec<&str> = NAMES
            .iter()
            .filter(|(kinds, ..)| self.meets(*kinds) && *kinds != Kinds::ANY)
            .map(|(.., word)| *word)
            .collect();
        words.dedup();
        match words.as_slice() {
            [] => f.write_str("nothing"),
            [word] => f.write_str(word),
            [before @ .., last] => write!(f, "{} or {last}", before.join(", ")),
        }
    }
}

/// The parts between bars that are outside brackets.
fn top_level(ty: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0_i32, 0);
    for (at, letter) in ty.char_indices() {
        match letter {
            '(' | '<' | '{' | '[' => depth = depth.saturating_add(1),
            ')' | '>' | '}' | ']' => depth = depth.saturating_sub(1),
            // A name after a colon belongs to a function.
            '|' if depth == 0 && !ty.cut(start..at).trim_start().starts_with("fun(") => {
                parts.push(ty.cut(start..at));
                start = at.saturating_add(1);
            }
            _ => {}
        }
    }
    parts.push(ty.cut(start..));
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_the_api_are_understood() {
        assert_eq!(Kinds::parse("(Seat|Piece)?"), Kinds::SEAT | Kinds::PIECE | Kinds::NIL);
        assert_eq!(Kinds::parse("Cell|Piece|Cell[]|Piece[]"), Kinds::CELL | Kinds::PIECE | Kinds::TABLE);
        assert_eq!(Kinds::parse("(fun(value: any): boolean)?"), Kinds::FUNCTION | Kinds::NIL);
        assert_eq!(Kinds::parse("Choice"), Kinds::TABLE);
        assert_eq!((Kinds::PIECE | Kinds::CELL).to_string(), "a piece or a space");
    }
}
