//! One parsed script.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::{LuaAstNode, LuaCallArgList, LuaChunk};
use rulepack_model::{Diagnostic, Span};

use crate::ScriptInput;
use crate::module::{Module, Require, requires};
use crate::scope::{FunctionIx, LocalIx, Scope};
use crate::syntax;

/// One script that was parsed without a mistake.
pub(crate) struct Chunk<'a> {
    pub input: ScriptInput<'a>,
    pub root: LuaChunk,
    pub scope: Scope,
    pub module: Module,
    pub requires: Vec<Require>,
    /// Locals that are `ctx`.
    pub contexts: BTreeSet<LocalIx>,
    /// Functions that definitions call, and whether they may only read.
    pub hooks: BTreeMap<FunctionIx, bool>,
}

impl<'a> Chunk<'a> {
    /// Parses a script. If it is not valid Lua, that is reported, and nothing else about it.
    pub(crate) fn read(input: ScriptInput<'a>, out: &mut Vec<Diagnostic>) -> Option<Chunk<'a>> {
        let root = match syntax::parse(input.text)? {
            Ok(root) => root,
            Err(mistake) => {
                out.push(syntax::report(input.file, input.text, &mistake));
                return None;
            }
        };
        let scope = Scope::read(&root);
        let module = Module::read(&root, &scope);
        let requires = requires(&root, &scope);
        Some(Chunk { input, root, scope, module, requires, contexts: BTreeSet::new(), hooks: BTreeMap::new() })
    }

    /// Records which functions definitions call, and which parameters are `ctx`: the first of those functions, and any
    /// with that name.
    pub(crate) fn bind(&mut self, bindings: &BTreeMap<(&str, &str), bool>) {
        for export in &self.module.exports {
            let name = format!("{}.{}", self.input.name, export.name);
            let Some(query) = bindings.get(&(self.input.pack, name.as_str())) else { continue };
            let Some(function) = export.function else { continue };
            self.hooks.insert(function, *query);
            self.contexts.extend(self.scope.function(function).params.first());
        }
        for function in &self.scope.functions {
            // The parameters of a function that is passed to another one are decided by that one.
            let is_given = function.closure.as_ref().is_some_and(|it| it.get_parent::<LuaCallArgList>().is_some());
            let params = function.params.iter().filter(|param| self.scope.local(**param).name == "ctx" && !is_given);
            self.contexts.extend(params);
        }
        // A parameter that is assigned may hold anything afterwards.
        self.contexts.retain(|local| self.scope.local(*local).writes.is_empty());
    }

    /// A place in this script.
    pub(crate) fn span(&self, range: std::ops::Range<usize>) -> Span {
        Span::new(self.input.file, range.start, range.end)
    }

    /// Whether several packs share it.
    pub(crate) fn is_shared(&self) -> bool {
        self.input.name.starts_with("lib.")
    }
}
