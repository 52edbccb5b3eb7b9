//! Names that other languages use, with those of this language.

use crate::ast::At;
use crate::error::ExprError;
use crate::functions::is_function;
use crate::meant::number_word;

/// Functions of other languages that have another name here.
const FUNCTIONS: [(&str, &str); 18] = [
    ("biggest", "largest"),
    ("empty", "none"),
    ("exist", "any"),
    ("exists", "any"),
    ("highest", "largest"),
    ("is_empty", "none"),
    ("isempty", "none"),
    ("len", "count"),
    ("length", "count"),
    ("lowest", "smallest"),
    ("maximum", "largest"),
    ("minimum", "smallest"),
    ("number", "count"),
    ("size", "count"),
    ("some", "any"),
    ("total", "sum"),
    ("peek", "top"),
    ("adjacent", "neighbours"),
];

/// Functions of other languages that are expressed in another way here.
const WRITTEN: [(&str, &str); 19] = [
    ("abs", "write `max(a, -a)`"),
    ("all", "write `none(SET where not …)`"),
    ("and", "write `a and b`"),
    ("average", "write `sum(SET, it.NAME) / count(SET)`"),
    ("avg", "write `sum(SET, it.NAME) / count(SET)`"),
    ("contains", "write `any(SET where it is NAME)`, or `PIECE is in SET`"),
    ("every", "write `none(SET where not …)`"),
    ("filter", "write `SET where …`"),
    ("if", "write `if a then b else c`"),
    ("includes", "write `any(SET where it is NAME)`, or `PIECE is in SET`"),
    ("map", "write `sum(SET, it.NAME)`"),
    ("not", "write `not a`"),
    ("or", "write `a or b`"),
    ("rand", "chance is a step of its own: `roll result of 6` before it, and `result` here"),
    ("randint", "chance is a step of its own: `roll result of 6` before it, and `result` here"),
    ("random", "chance is a step of its own: `roll result of 6` before it, and `result` here"),
    ("roll", "chance is a step of its own: `roll result of 6` before it, and `result` here"),
    ("sumif", "write `sum(SET where …, it.NAME)`"),
    ("countif", "write `count(SET where …)`"),
];

/// Says what to write instead of a function of another language.
pub(crate) fn function_instead(error: ExprError, name: &str) -> Result<ExprError, ExprError> {
    let small = name.to_lowercase();
    let same = FUNCTIONS.iter().find(|(known, _)| *known == small).map(|(_, with)| *with);
    if let Some(with) = same.or_else(|| is_function(&small).then_some(small.as_str())) {
        let start = error.at.start;
        let cure = Some((start..start.saturating_add(name.len()), with.to_string()));
        return Ok(ExprError { cure, ..error.help(format!("write `{with}(…)`")) });
    }
    match WRITTEN.iter().find(|(known, _)| *known == small) {
        Some((_, help)) => Ok(error.help(*help)),
        None => Err(error),
    }
}

/// Says what to write instead of a name of another language; `has_self` if the text belongs to a piece.
pub(crate) fn name_instead(error: ExprError, name: &str, at: At, has_self: bool) -> Result<ExprError, ExprError> {
    let small = name.to_lowercase();
    let number = number_word(&small).or_else(|| small.strip_prefix('d').and_then(|sides| sides.parse().ok()));
    let number = number.or_else(|| ["a", "an"].contains(&small.as_str()).then_some(1));
    let with = match small.as_str() {
        _ if number.is_some() => number.map(|number| number.to_string()),
        "true" | "yes" => Some("true".to_string()),
        "false" | "no" => Some("false".to_string()),
        "you" | "i" | "myself" | "player" | "active_player" | "current_player" => Some("me".to_string()),
        "this" if has_self => Some("self".to_string()),
        "enemy" | "rival" => Some("opponent".to_string()),
        _ => None,
    };
    if let Some(with) = with {
        return Ok(ExprError { cure: Some((at, with.clone())), ..error.help(format!("write `{with}`")) });
    }
    Ok(match small.as_str() {
        "self" | "this" => {
            error.help("the text stands on no piece: take one that is chosen or given, or `me` for the player")
        }
        "it" => error.help("`it` is each of a set, inside `SET where …` and `sum(SET, …)`"),
        "opponents" | "enemies" | "rivals" => {
            error.help("all of them are `others`, such as `any(others where it.NAME > 1)`")
        }
        "everybody" | "everyone" => error.help("all of them are `players`, such as `any(players where it.NAME > 1)`"),
        "null" | "nil" | "undefined" => {
            error.help("there is always a value; whether a set is empty is asked with `none(SET)`")
        }
        "all" | "some" | "every" => error.help("how much one has is written `my.NAME`: `pay my.NAME NAME`"),
        _ if is_function(name) => error.help(format!("`{name}` is a function: write `{name}(…)`")),
        "none" | "any" => error.help("whether a set is empty is asked with `none(SET)`"),
        _ => return Err(error),
    })
}
