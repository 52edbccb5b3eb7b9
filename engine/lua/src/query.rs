//! Check: functions that conditions and values call may only read.

use rulepack_model::{Code, Diagnostic};

use crate::program::Program;
use crate::scope::range;
use crate::tree::LuaAstNode;

pub(crate) fn check(program: &Program<'_>, out: &mut Vec<Diagnostic>) {
    for (at, chunk) in program.chunks.iter().enumerate() {
        for call in Program::calls(&chunk.root) {
            let place = range(&call);
            let inside = chunk.scope.function_at(place.start);
            let is_query = chunk.scope.around(inside).any(|function| chunk.hooks.get(&function) == Some(&true));
            if !is_query || !program.changes(at, &call) {
                continue;
            }
            let (message, place) = match (program.method(at, &call), call.get_prefix_expr()) {
                (Some((index, name)), _) => {
                    let place = index.get_index_key().map_or(place, |key| key.range());
                    (format!("a query has no `ctx:{name}`, which changes the game"), place)
                }
                (None, Some(prefix)) => {
                    (format!("a query calls `{}`, which changes the game", prefix.syntax().text()), range(&prefix))
                }
                (None, None) => continue,
            };
            let help = "let the function only look, and change the game in an effect";
            out.push(Diagnostic::error(Code::ScriptUnknownName, message).at(chunk.span(place)).help(help));
        }
    }
}
