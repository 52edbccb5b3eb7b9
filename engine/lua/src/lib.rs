//! Checks of the Lua of packs without running it, and small changes to it for mutation testing.
//!
//! Names, order, state and use are checked here, on the syntax tree that `tree` makes. The kinds of values of expressions come from a
//! type checker (the feature `analysis`), which reads [`definitions`], generated from the host's own tables. Nothing
//! here runs Lua, reads a file or knows the data of a pack.

// Input comes from strangers: no input may end the program.
#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

mod after_end;
mod args;
mod chunk;
mod compared;
mod conditions;
mod definitions;
mod globals;
mod infer;
mod kinds;
mod literals;
mod module;
mod mutations;
mod names;
mod order;
mod program;
mod query;
mod scope;
mod state;
mod syntax;
#[cfg(test)]
mod tests;
mod texts;
mod tree;
#[cfg(feature = "analysis")]
mod typed;
mod unbound;
mod unused;
mod words;

use std::collections::BTreeSet;

use rulepack_model::{Diagnostic, FileId};

pub use definitions::{definitions, reference};
pub use literals::{GameNames, Part, Sort};
pub use mutations::{LuaMutation, mutations};
pub use words::{LuaWord, LuaWordKind, lua_words};

use program::Program;

/// Whether the feature `analysis` is on: the type checker then finds the kinds of values that simple rules cannot.
pub const CHECKS_TYPES: bool = cfg!(feature = "analysis");

/// A script of a pack or of `scripts/lib`.
#[derive(Debug, Clone, Copy)]
pub struct ScriptInput<'a> {
    /// The file that spans refer to.
    pub file: FileId,
    /// The path for people.
    pub path: &'a str,
    /// The pack to which it belongs.
    pub pack: &'a str,
    /// Its name in hooks and `require`: `ferries`, `sub.file`, `lib.NAME`.
    pub name: &'a str,
    /// The whole text.
    pub text: &'a str,
}

/// A function that a definition of a pack calls.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binding {
    /// The pack to which the script belongs.
    pub pack: String,
    /// `file.function`.
    pub name: String,
    /// Whether it may only read.
    pub query: bool,
}

/// All checks; each adds its findings.
const CHECKS: &[fn(&Program<'_>, &mut Vec<Diagnostic>)] = &[
    globals::check,
    names::check,
    literals::check,
    compared::check,
    conditions::check,
    args::check,
    query::check,
    order::check,
    state::check,
    unused::check,
    unbound::check,
    after_end::check,
];

/// The mistakes of scripts, by file and place. Bindings and names of the game are those of all ways to play the packs.
/// Without names, any name is accepted.
pub fn analyse(scripts: &[ScriptInput<'_>], bindings: &[Binding], names: &GameNames) -> Vec<Diagnostic> {
    if scripts.is_empty() {
        return Vec::new();
    }
    let mut seen = BTreeSet::new();
    let scripts: Vec<ScriptInput<'_>> = scripts.iter().filter(|script| seen.insert(script.file)).copied().collect();
    let mut out = syntax::with_room(|| {
        let mut out = Vec::new();
        let program = Program::read(&scripts, bindings, names, &mut out);
        for check in CHECKS {
            check(&program, &mut out);
        }
        out
    });
    out.sort_by(|a, b| place(a).cmp(&place(b)).then_with(|| (a.code, &a.message).cmp(&(b.code, &b.message))));
    out.dedup();
    out
}

fn place(diagnostic: &Diagnostic) -> Option<(FileId, u32, u32)> {
    diagnostic.labels.first().map(|label| (label.span.file, label.span.start, label.span.end))
}
