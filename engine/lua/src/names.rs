//! Check: names after a dot or a colon. These are methods and fields of `ctx`, fields of handles, members of libraries
//! and scripts.

use crate::tree::{LuaAstNode, LuaCallExpr, LuaExpr, LuaIndexExpr};
use rulepack_model::{Code, Diagnostic, did_you_mean};
use rulepack_script::{allowed, api, cell_fields, context_fields, piece_fields, seat_fields, zone_fields};

use crate::GameNames;
use crate::kinds::Kinds;
use crate::module::is_set;
use crate::program::Program;
use crate::scope::key_name;

const CODE: Code = Code::ScriptUnknownName;

pub(crate) fn check(program: &Program<'_>, out: &mut Vec<Diagnostic>) {
    for (at, chunk) in program.chunks.iter().enumerate() {
        for index in chunk.root.descendants::<LuaIndexExpr>() {
            let found = look(program, at, &index);
            let place = index.get_index_key().map(|key| key.range());
            if let (Some((message, help)), Some(place)) = (found, place) {
                out.push(Diagnostic::error(CODE, message).at(chunk.span(place)).maybe_help(help));
            }
        }
    }
}

/// The mistake of an unknown name, with a suggestion.
fn look(program: &Program<'_>, at: usize, index: &LuaIndexExpr) -> Option<(String, Option<String>)> {
    let (chunk, prefix, name) = (program.chunk(at), index.get_prefix_expr()?, key_name(&index.get_index_key()?)?);
    if let Some(library) = chunk.scope.global_expr(&prefix) {
        return member(&library, &name);
    }
    if program.is_context(at, &prefix) {
        let known = || context_fields().iter().map(|field| field.name).chain(api().iter().map(|method| method.name));
        let is_known = known().any(|known| known == name);
        return (!is_known).then(|| (format!("`ctx` has no `{name}`"), did_you_mean(&name, known())));
    }
    if let Some(module) = program.module_of(at, &prefix) {
        let module = program.chunk(module);
        let known = || module.module.exports.iter().map(|export| export.name.as_str());
        if !module.module.closed || is_set(index) || known().any(|known| known == name) {
            return None;
        }
        return Some((format!("the script `{}` gives no `{name}`", module.input.name), did_you_mean(&name, known())));
    }
    let kinds = program.infer.kinds(program, at, &prefix);
    // Scripts that several packs share cannot know the pieces of one game.
    let of_game = if chunk.is_shared() { None } else { handle(kinds, &program.names, &name) };
    of_game.or_else(|| part(kinds, &prefix, index, &name))
}

fn member(library: &str, name: &str) -> Option<(String, Option<String>)> {
    let (_, members) = allowed().iter().find(|(known, members)| *known == library && !members.is_empty())?;
    if members.contains(&name) {
        return None;
    }
    let help = match (library, name) {
        ("math", "random" | "randomseed") => Some("write `ctx:roll(sides)`: chance belongs to the game".to_string()),
        _ => did_you_mean(name, members.iter().copied()),
    };
    Some((format!("`{library}.{name}` is not there"), help))
}

/// Fields of pieces, players and spaces: those of the API, and names of the game.
fn handle(kinds: Kinds, names: &GameNames, name: &str) -> Option<(String, Option<String>)> {
    let handles = [
        (Kinds::PIECE, piece_fields(), &names.pieces),
        (Kinds::SEAT, seat_fields(), &names.seats),
        (Kinds::CELL, cell_fields(), &names.spaces),
    ];
    let (_, fields, of_game) = handles.iter().find(|(kind, ..)| kinds.only(*kind))?;
    // If the game is known, its definitions have the name.
    let is_unknown = names.pieces.is_empty() && names.seats.is_empty() && names.spaces.is_empty();
    // Methods are checked separately.
    if is_unknown || of_game.contains(name) || api().iter().any(|method| method.name == name) {
        return None;
    }
    let known = || fields.iter().map(|field| field.name);
    if known().any(|known| known == name) {
        return None;
    }
    let help = did_you_mean(name, known().chain(of_game.iter().map(String::as_str)));
    Some((format!("{} has no `{name}`", kinds.without_nil()), help))
}

/// Fields of handles and strings.
fn part(kinds: Kinds, prefix: &LuaExpr, index: &LuaIndexExpr, name: &str) -> Option<(String, Option<String>)> {
    let is_method = index.get_index_token().is_some_and(|token| token.is_colon());
    if is_method && kinds.only(Kinds::PIECE | Kinds::SEAT | Kinds::CELL | Kinds::ZONE) {
        let help = api()
            .iter()
            .any(|method| method.name == name)
            .then(|| format!("write `ctx:{name}(…)`, and give `{}` to it", prefix.syntax().text()));
        return Some((format!("{} has no methods", kinds.without_nil()), help));
    }
    if kinds.only(Kinds::ZONE) && !zone_fields().iter().any(|field| field.name == name) {
        let known = zone_fields().iter().map(|field| field.name);
        return Some((format!("a zone has no `{name}`"), did_you_mean(name, known)));
    }
    if kinds.only(Kinds::NUMBER | Kinds::BOOL) {
        return Some((format!("{} has no parts, so there is no `.{name}`", kinds.without_nil()), None));
    }
    let texts = allowed().iter().find(|(library, _)| *library == "string").map_or(&[][..], |(_, members)| members);
    if kinds.only(Kinds::TEXT) && !texts.contains(&name) {
        let help = if is_method && index.get_parent::<LuaCallExpr>().is_some() {
            did_you_mean(name, texts.iter().copied())
        } else {
            Some(format!(
                "for an attribute of a resource or a type, write `ctx:attr({}, \"{name}\")`",
                prefix.syntax().text()
            ))
        };
        return Some((format!("a text has no `{name}`"), help));
    }
    None
}
