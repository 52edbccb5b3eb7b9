//! Check: comparisons that are never true, because a name does not exist or because the two sides have different kinds.

use crate::tree::{BinaryOperator, LuaAstNode, LuaBinaryExpr, LuaExpr};
use rulepack_model::{Code, Diagnostic, did_you_mean};

use crate::kinds::Kinds;
use crate::literals::{Part, Sort, unknown};
use crate::program::Program;
use crate::scope::{key_name, range};
use crate::texts::{literal, texts};

pub(crate) fn check(program: &Program<'_>, out: &mut Vec<Diagnostic>) {
    if program.names.named.is_empty() {
        return;
    }
    for (at, chunk) in program.chunks.iter().enumerate().filter(|(_, chunk)| !chunk.is_shared()) {
        for binary in chunk.root.descendants::<LuaBinaryExpr>() {
            if !matches!(binary.get_op(), Some(BinaryOperator::Eq | BinaryOperator::Ne)) {
                continue;
            }
            let Some((left, right)) = binary.get_exprs() else { continue };
            let before = out.len();
            look(program, at, &left, &right, out);
            look(program, at, &right, &left, out);
            look_at_ways(program, at, &left, &right, out);
            look_at_ways(program, at, &right, &left, out);
            if out.len() == before {
                kinds(program, at, (&left, &right), out);
            }
        }
    }
}

/// A field of a handle that is compared with a name.
fn look(program: &Program<'_>, at: usize, part: &LuaExpr, name: &LuaExpr, out: &mut Vec<Diagnostic>) {
    let Some((sort, is_sure)) = sort_of(program, at, part, 4) else { return };
    let Some(known) = program.names.named.get(&sort) else { return };
    for (text, place) in texts(program, at, name) {
        // A table of the script itself may have the same fields as pieces.
        let is_near = || did_you_mean(&text, known.iter().map(String::as_str)).is_some();
        if !known.contains(&text) && (is_sure || is_near()) {
            out.push(unknown(program, at, sort, &text, place));
        }
    }
}

/// One of the ways of an `either` that is compared with a name.
fn look_at_ways(program: &Program<'_>, at: usize, chosen: &LuaExpr, name: &LuaExpr, out: &mut Vec<Diagnostic>) {
    let Some(ways) = ways(program, at, chosen, 4) else { return };
    for (text, place) in texts(program, at, name).into_iter().filter(|(text, _)| !ways.contains(text)) {
        let message = format!("`ctx:either` gives back one of its ways, and `{text}` is none of them");
        let help = did_you_mean(&text, ways.iter().map(String::as_str));
        let help = help.unwrap_or_else(|| format!("the ways are: {}", ways.join(", ")));
        out.push(Diagnostic::warning(Code::ScriptArgument, message).at(program.chunk(at).span(place)).help(help));
    }
}

/// The ways of the `either` whose result an expression is, if they stand in the call itself: a list that has a name may grow.
fn ways(program: &Program<'_>, at: usize, expr: &LuaExpr, depth: usize) -> Option<Vec<String>> {
    let depth = depth.checked_sub(1)?;
    match expr {
        LuaExpr::Paren(inner) => ways(program, at, &inner.get_expr()?, depth),
        LuaExpr::Name(_) => {
            let scope = &program.chunk(at).scope;
            let local = scope.local(scope.local_expr(expr)?);
            ways(program, at, local.value.as_ref().filter(|_| local.writes.is_empty())?, depth)
        }
        LuaExpr::Call(call) if program.api_method(at, call)?.name == "either" => {
            let LuaExpr::Table(list) = call.get_args_list()?.get_args().next()? else { return None };
            list.get_fields().map(|field| literal(&field.get_value_expr()?)).collect()
        }
        _ => None,
    }
}

/// The sort of name that an expression holds, and whether that is certain.
fn sort_of(program: &Program<'_>, at: usize, expr: &LuaExpr, depth: usize) -> Option<(Sort, bool)> {
    let depth = depth.checked_sub(1)?;
    match expr {
        LuaExpr::Paren(inner) => sort_of(program, at, &inner.get_expr()?, depth),
        LuaExpr::Name(_) => {
            let scope = &program.chunk(at).scope;
            let local = scope.local(scope.local_expr(expr)?);
            sort_of(program, at, local.value.as_ref().filter(|_| local.writes.is_empty())?, depth)
        }
        LuaExpr::Index(index) => {
            let (prefix, name) = (index.get_prefix_expr()?, key_name(&index.get_index_key()?)?);
            let kinds = program.infer.kinds(program, at, &prefix);
            if program.module_of(at, &prefix).is_some() || program.is_context(at, &prefix) {
                return None;
            }
            let (part, is_sure) = match kinds {
                Kinds::ANY => (Part::Piece, false),
                _ if kinds.only(Kinds::ZONE) => return (name == "name").then_some((Sort::Zone, true)),
                _ => (Part::of(kinds)?, true),
            };
            let sort = match (part, name.as_str()) {
                (Part::Piece, "type") => Sort::Type,
                (Part::Piece, "kind") => Sort::Kind,
                (Part::Piece | Part::Space, "zone") => Sort::Zone,
                _ => program.names.parts.get(&(part, name)).copied().flatten()?,
            };
            Some((sort, is_sure))
        }
        LuaExpr::Call(call) => {
            let method = program.api_method(at, call)?;
            if method.name == "choose_resource" {
                return Some((Sort::Resource, true));
            }
            if method.name != "get" && method.name != "value" {
                return None;
            }
            let name = literal(&call.get_args_list()?.get_args().next()?)?;
            let parts =
                [Part::Game, Part::Seat, Part::Piece].map(|part| program.names.parts.get(&(part, name.clone())));
            let mut known = parts.into_iter().flatten();
            let sort = (*known.next()?)?;
            known.next().is_none().then_some((sort, true))
        }
        _ => None,
    }
}

/// Values of different kinds are never equal.
fn kinds(program: &Program<'_>, at: usize, (left, right): (&LuaExpr, &LuaExpr), out: &mut Vec<Diagnostic>) {
    let of = |expr: &LuaExpr| program.infer.kinds(program, at, expr).without_nil();
    let (first, second) = (of(left), of(right));
    let is_known = |kinds: Kinds| kinds != Kinds::NONE && kinds != Kinds::ANY.without_nil();
    if !is_known(first) || !is_known(second) || first.meets(second) {
        return;
    }
    let text = [(left, right, first, second), (right, left, second, first)]
        .into_iter()
        .find(|(.., piece, text)| piece.only(Kinds::PIECE) && text.only(Kinds::TEXT));
    let help = match text {
        Some((piece, name, ..)) => {
            let (piece, name) = (piece.syntax().text(), name.syntax().text());
            format!("write `{piece}.type == {name}`, or `ctx:is({piece}, {name})`")
        }
        None => "compare two things of one kind".to_string(),
    };
    let chunk = program.chunk(at);
    let place = range(left).start..range(right).end;
    let message = format!("{first} and {second} are never the same");
    out.push(Diagnostic::warning(Code::ScriptArgument, message).at(chunk.span(place)).help(help));
}
