//! Check: globals. Scripts share none except those of the host.

use std::collections::BTreeMap;

use rulepack_model::{Code, Diagnostic, nearest};
use rulepack_script::allowed;

use crate::chunk::Chunk;
use crate::program::Program;
use crate::scope::Global;

/// Lua globals that scripts do not have, and their replacements.
const ABSENT: &[(&str, &str)] = &[
    ("os", "there is no clock: count turns in a variable of the pack"),
    ("io", "there are no files: what a script needs stands in the pack"),
    ("print", "scripts print nothing: the log tells what happens"),
    ("pcall", "a mistake ends the game: look before you do it"),
    ("xpcall", "a mistake ends the game: look before you do it"),
    ("coroutine", "every method of `ctx` may wait: write it one after the other"),
    ("setmetatable", "write plain tables and functions"),
    ("getmetatable", "write plain tables and functions"),
    ("_G", "give it as a parameter, or return it in the table of a script of `scripts/lib`"),
];

pub(crate) fn check(program: &Program<'_>, out: &mut Vec<Diagnostic>) {
    for chunk in &program.chunks {
        // The assignment is the mistake; reading it elsewhere is a consequence.
        let mut first: BTreeMap<&str, &Global> = BTreeMap::new();
        for global in &chunk.scope.globals {
            let known = first.entry(&global.name).or_insert(global);
            if global.written && !known.written {
                *known = global;
            }
        }
        let is_there = |global: &Global| !global.written && allowed().iter().any(|(name, _)| *name == global.name);
        out.extend(first.values().filter(|global| !is_there(global)).map(|global| mistake(chunk, global)));
    }
}

fn mistake(chunk: &Chunk<'_>, global: &Global) -> Diagnostic {
    let name = &global.name;
    let message = if global.written {
        format!("`{name}` is set as a global, but scripts share none")
    } else {
        format!("there is no global `{name}`")
    };
    let help = match global.written {
        true if global.is_function => format!("write `local function {name}`"),
        true => format!("write `local {name}`"),
        false => help(chunk, global),
    };
    Diagnostic::error(Code::ScriptGlobal, message).at(chunk.span(global.range.clone())).help(help)
}

fn help(chunk: &Chunk<'_>, global: &Global) -> String {
    let name = global.name.as_str();
    if let Some((_, instead)) = ABSENT.iter().find(|(absent, _)| *absent == name) {
        return (*instead).to_string();
    }
    if name == "ctx" {
        return "let the function take `ctx` as its first parameter".to_string();
    }
    let locals = chunk.scope.locals.iter().map(|local| local.name.as_str());
    match nearest(name, allowed().iter().map(|(name, _)| *name).chain(locals)) {
        Some(found) => format!("did you mean `{found}`?"),
        None => format!("write `local {name} = …` above, or take it as a parameter"),
    }
}
