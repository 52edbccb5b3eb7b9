//! Check: steps after the turn was ended. They are still carried out.

use crate::tree::{LuaAstNode, LuaBlock, LuaStat};
use rulepack_model::{Code, Diagnostic};

use crate::program::Program;
use crate::scope::range;

/// Methods that take effect when the whole effect is over.
const ENDS: [&str; 3] = ["end_turn", "end_phase", "pass"];
/// Methods that are often called together with an end, in either order.
const QUIET: [&str; 2] = ["set", "cancel"];

pub(crate) fn check(program: &Program<'_>, out: &mut Vec<Diagnostic>) {
    for (at, chunk) in program.chunks.iter().enumerate() {
        for block in chunk.root.descendants::<LuaBlock>() {
            let mut stats = block.get_stats();
            let ends = stats.find_map(|stat| end_of(program, at, &stat).map(|end| (stat, end)));
            let Some((last, end)) = ends else { continue };
            let Some(later) = stats.find(|stat| changes(program, at, stat)) else { continue };
            let help = match last {
                LuaStat::If(_) => "write `return` after it if nothing more shall be done",
                _ => "it takes effect when the whole effect is over: write it last",
            };
            let message = format!("this is done although `ctx:{end}()` stands before it");
            let found = Diagnostic::warning(Code::StepAfterEnd, message).at(chunk.span(range(&later)));
            out.push(found.help(help).likely());
        }
    }
}

/// The method by which a statement ends the turn or the like, also if only under a condition.
fn end_of(program: &Program<'_>, at: usize, stat: &LuaStat) -> Option<&'static str> {
    match stat {
        LuaStat::CallExpr(stat) => {
            let method = program.api_method(at, &stat.get_call_expr()?)?;
            ENDS.into_iter().find(|end| *end == method.name)
        }
        LuaStat::If(stat) if stat.get_all_clause().next().is_none() => {
            let last = stat.get_block()?.get_stats().last()?;
            end_of(program, at, &last)
        }
        _ => None,
    }
}

/// Whether a statement visibly changes the game.
fn changes(program: &Program<'_>, at: usize, stat: &LuaStat) -> bool {
    let is_quiet = |name: &str| QUIET.contains(&name) || ENDS.contains(&name);
    // A function that is only defined here is called elsewhere.
    let is_made = matches!(stat, LuaStat::LocalFunc(_) | LuaStat::Func(_));
    !is_made
        && Program::calls(stat).any(|call| {
            program.changes(at, &call) && !program.api_method(at, &call).is_some_and(|method| is_quiet(method.name))
        })
}
