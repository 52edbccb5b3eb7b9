//! Check: values that a script keeps between two calls. A game is copied, saved and run again, and no copy contains
//! them.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::tree::{LuaAst, LuaAstNode, LuaCallExpr, LuaExpr, LuaVarExpr};
use rulepack_model::{Code, Diagnostic};

use crate::chunk::Chunk;
use crate::program::Program;
use crate::scope::{FunctionIx, LocalIx, Scope, range};

/// Lua functions that change the list they are given.
const CHANGING: &[&str] = &["table.insert", "table.remove", "table.sort"];

pub(crate) fn check(program: &Program<'_>, out: &mut Vec<Diagnostic>) {
    for chunk in &program.chunks {
        let loading = loading(&chunk.scope);
        let mut told = BTreeSet::new();
        for (local, place) in writes(chunk) {
            let function = chunk.scope.function_at(place.start);
            let while_loading = function == 0 || chunk.scope.around(function).any(|around| loading.contains(&around));
            if chunk.scope.local(local).function == 0 && !while_loading && told.insert((local, function)) {
                out.push(mistake(chunk, local, place));
            }
        }
    }
}

fn mistake(chunk: &Chunk<'_>, local: LocalIx, place: Range<usize>) -> Diagnostic {
    let local = chunk.scope.local(local);
    Diagnostic::warning(Code::ScriptState, format!("`{}` outlives the call in which it is changed here", local.name))
        .at(chunk.span(place))
        .label(chunk.span(local.range.clone()), "it belongs to the file")
        .help("keep it in a variable of the pack (`ctx:set`, `ctx:get`), or in a local of the function")
}

/// Every place where a local is assigned, or a table in it is changed.
fn writes(chunk: &Chunk<'_>) -> Vec<(LocalIx, Range<usize>)> {
    let scope = &chunk.scope;
    let mut found: Vec<(LocalIx, Range<usize>)> = Vec::new();
    for (index, local) in scope.locals.iter().enumerate() {
        found.extend(local.writes.iter().map(|used| (index, used.range.clone())));
    }
    let mut member = |expr: &LuaExpr| {
        if let Some((local, name)) = scope.root_of(expr) {
            found.push((local, range(&name)));
        }
    };
    for node in chunk.root.descendants::<LuaAst>() {
        match node {
            LuaAst::AssignStat(stat) => {
                for var in stat.get_var_and_expr_list().0 {
                    if let LuaVarExpr::Index(index) = var {
                        member(&LuaExpr::Index(index));
                    }
                }
            }
            LuaAst::FuncStat(stat) => {
                if let Some(LuaVarExpr::Index(index)) = stat.get_func_name() {
                    member(&LuaExpr::Index(index));
                }
            }
            LuaAst::CallExpr(call) => {
                let name = call.get_prefix_expr().and_then(|prefix| scope.global_path(&prefix));
                if name.is_some_and(|name| CHANGING.contains(&name.as_str()))
                    && let Some(list) = call.get_args_list().and_then(|args| args.get_args().next())
                {
                    member(&list);
                }
            }
            _ => {}
        }
    }
    found.sort_by_key(|(local, place)| (place.start, *local));
    found
}

/// Functions that run only while the file is loaded: they are called there and nowhere else.
fn loading(scope: &Scope) -> BTreeSet<FunctionIx> {
    let only_called = |local: &&crate::scope::Local| {
        !local.reads.is_empty()
            && local.reads.iter().all(|used| {
                let call: Option<LuaCallExpr> = used.node.get_parent();
                used.function == 0
                    && call.and_then(|call| call.get_prefix_expr()).is_some_and(|called| range(&called) == used.range)
            })
    };
    scope.locals.iter().filter(only_called).filter_map(|local| local.holds).collect()
}
