//! Check: functions that a script exports and nothing uses.

use std::collections::BTreeSet;

use crate::tree::{LuaAstNode, LuaCallExprStat, LuaIndexExpr, LuaReturnStat};
use rulepack_model::{Code, Diagnostic};

use crate::module::{Read, is_set, reads};
use crate::program::Program;
use crate::scope::{key_name, range};

/// How the tables of scripts are read: a script and a member, or all members.
#[derive(Default)]
struct Used {
    members: BTreeSet<(usize, String)>,
    whole: BTreeSet<usize>,
}

pub(crate) fn check(program: &Program<'_>, out: &mut Vec<Diagnostic>) {
    let used = used(program);
    for (at, chunk) in program.chunks.iter().enumerate() {
        if used.whole.contains(&at) {
            continue;
        }
        for export in &chunk.module.exports {
            let Some(function) = export.function else { continue };
            let name = &export.name;
            let is_used = chunk.hooks.contains_key(&function)
                || used.members.contains(&(at, name.clone()))
                || program.broken.iter().any(|script| has_word(script.text, name));
            if is_used {
                continue;
            }
            let found = if chunk.is_shared() {
                // Packs that are not checked now may use it.
                Diagnostic::warning(Code::UnboundFunction, format!("no script uses `{}.{name}`", chunk.input.name))
                    .likely()
                    .help("take it out, or use it")
            } else {
                let file = chunk.input.name;
                Diagnostic::warning(Code::UnboundFunction, format!("nothing binds or calls `{file}.{name}`"))
                    .help(format!("bind it with `\"{file}.{name}\"` in a definition, make it a local, or take it out"))
            };
            out.push(found.at(chunk.span(export.range.clone())));
        }
    }
}

/// Whether a text contains a word: nothing more can be known of a script that is not valid Lua.
fn has_word(text: &str, word: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').any(|found| found == word)
}

fn used(program: &Program<'_>) -> Used {
    let mut used = Used::default();
    for (at, chunk) in program.chunks.iter().enumerate() {
        for require in &chunk.requires {
            let Some(required) = program.required(at, &require.name) else { continue };
            if let Some(local) = require.local {
                for read in &chunk.scope.local(local).reads {
                    match reads(&read.node) {
                        Read::Member(name, _) => {
                            used.members.insert((required, name));
                        }
                        Read::Any => {
                            used.whole.insert(required);
                        }
                    }
                }
            } else if let Some(index) = require.call.get_parent::<LuaIndexExpr>() {
                match index.get_index_key().as_ref().and_then(key_name) {
                    Some(name) => {
                        used.members.insert((required, name));
                    }
                    None => {
                        used.whole.insert(required);
                    }
                }
            } else if require.call.get_parent::<LuaCallExprStat>().is_none() {
                used.whole.insert(required);
            }
        }
        let Some(table) = chunk.module.table else { continue };
        for read in &chunk.scope.local(table).reads {
            match reads(&read.node) {
                Read::Member(name, index) if !is_set(&index) => {
                    // A call from within itself is no use.
                    let own = chunk.module.function(&name).map(|function| chunk.scope.function(function).range.clone());
                    if !own.is_some_and(|own| own.contains(&range(&index).start)) {
                        used.members.insert((at, name));
                    }
                }
                Read::Member(..) => {}
                Read::Any if read.node.get_parent::<LuaReturnStat>().is_some() => {}
                Read::Any => {
                    used.whole.insert(at);
                }
            }
        }
    }
    used
}
