//! Check: locals that are never read.

use rulepack_model::{Code, Diagnostic};

use crate::program::Program;
use crate::scope::{Local, LocalKind, Scope};

pub(crate) fn check(program: &Program<'_>, out: &mut Vec<Diagnostic>) {
    for chunk in &program.chunks {
        for local in chunk.scope.locals.iter().filter(|local| is_unused(&chunk.scope, local)) {
            let name = &local.name;
            let (message, help) = match (local.kind, local.writes.is_empty()) {
                (LocalKind::Function, _) => {
                    (format!("the function `{name}` is never called"), "take it out, or call it".to_string())
                }
                (_, true) => (
                    format!("`{name}` is never used"),
                    format!("take it out, or write `_{name}` if its place is needed"),
                ),
                (_, false) => (format!("`{name}` is set, but never read"), "take it out, or read it".to_string()),
            };
            out.push(
                Diagnostic::warning(Code::ScriptUnusedLocal, message).at(chunk.span(local.range.clone())).help(help),
            );
        }
    }
}

fn is_unused(scope: &Scope, local: &Local) -> bool {
    // A function that only calls itself is unused as well.
    let own = |at: usize| local.holds.is_some_and(|function| scope.function(function).range.contains(&at));
    matches!(local.kind, LocalKind::Plain | LocalKind::Function)
        && !local.name.starts_with('_')
        && local.reads.iter().all(|used| own(used.range.start))
}
