//! All scripts of one call together: which script requires which, and which functions change the game.

use std::collections::{BTreeMap, BTreeSet};

use crate::tree::{LuaAstNode, LuaCallExpr, LuaExpr, LuaIndexExpr};
use rulepack_model::Diagnostic;
use rulepack_script::{ApiMethod, MethodKind, api};

use crate::chunk::Chunk;
use crate::infer::Infer;
use crate::scope::{FunctionIx, key_name, range};
use crate::{Binding, GameNames, ScriptInput};

/// A function of a script.
pub(crate) type FunctionRef = (usize, FunctionIx);

/// All scripts that could be parsed.
pub(crate) struct Program<'a> {
    pub chunks: Vec<Chunk<'a>>,
    /// Scripts that could not be parsed: it is unknown what they use.
    pub broken: Vec<ScriptInput<'a>>,
    pub infer: Infer,
    /// Names of the game; empty if it is not known.
    pub names: GameNames,
    changing: BTreeSet<FunctionRef>,
}

impl<'a> Program<'a> {
    pub(crate) fn read(
        scripts: &[ScriptInput<'a>],
        bindings: &[Binding],
        names: &GameNames,
        out: &mut Vec<Diagnostic>,
    ) -> Program<'a> {
        let mut bound: BTreeMap<(&str, &str), bool> = BTreeMap::new();
        for binding in bindings {
            // A function that is bound as an effect and as a query may be called as a query.
            *bound.entry((&binding.pack, &binding.name)).or_default() |= binding.query;
        }
        let (mut chunks, mut broken) = (Vec::new(), Vec::new());
        for script in scripts {
            match Chunk::read(*script, out) {
                Some(mut chunk) => {
                    chunk.bind(&bound);
                    chunks.push(chunk);
                }
                None => broken.push(*script),
            }
        }
        let mut program =
            Program { chunks, broken, infer: Infer::default(), names: names.clone(), changing: BTreeSet::new() };
        program.infer = Infer::new(&program);
        program.changing = program.find_changing();
        program
    }

    /// A script by its number.
    #[allow(clippy::indexing_slicing, reason = "numbers come from counting this list, which never shrinks")]
    pub(crate) fn chunk(&self, at: usize) -> &Chunk<'a> {
        &self.chunks[at]
    }

    /// The script that `require(name)` of a script refers to: one of its own pack, else a shared one.
    pub(crate) fn required(&self, by: usize, name: &str) -> Option<usize> {
        let pack = self.chunk(by).input.pack;
        let named = |chunk: &Chunk<'_>| chunk.input.name == name;
        (self.chunks.iter().position(|chunk| named(chunk) && chunk.input.pack == pack))
            .or_else(|| self.chunks.iter().position(|chunk| named(chunk) && chunk.is_shared()))
    }

    /// The script whose table an expression holds.
    pub(crate) fn module_of(&self, at: usize, expr: &LuaExpr) -> Option<usize> {
        let chunk = self.chunk(at);
        if let Some(local) = chunk.scope.local_expr(expr) {
            if chunk.module.table == Some(local) {
                return Some(at);
            }
            let require = chunk.requires.iter().find(|require| require.local == Some(local))?;
            return self.required(at, &require.name);
        }
        let require = chunk.requires.iter().find(|require| range(&require.call) == range(expr))?;
        self.required(at, &require.name)
    }

    /// The called function, if that is known.
    pub(crate) fn callee(&self, at: usize, call: &LuaCallExpr) -> Option<FunctionRef> {
        let scope = &self.chunk(at).scope;
        match call.get_prefix_expr()? {
            LuaExpr::Index(index) => {
                let module = self.module_of(at, &index.get_prefix_expr()?)?;
                Some((module, self.chunk(module).module.function(&key_name(&index.get_index_key()?)?)?))
            }
            prefix => Some((at, scope.local(scope.local_expr(&prefix)?).holds?)),
        }
    }

    /// Whether an expression is `ctx`.
    pub(crate) fn is_context(&self, at: usize, expr: &LuaExpr) -> bool {
        let chunk = self.chunk(at);
        chunk.scope.local_expr(expr).is_some_and(|local| chunk.contexts.contains(&local))
            || self.infer.kinds(self, at, expr).is_context()
    }

    /// `ctx:method`: the method, even if it does not exist.
    pub(crate) fn method(&self, at: usize, call: &LuaCallExpr) -> Option<(LuaIndexExpr, String)> {
        let LuaExpr::Index(index) = call.get_prefix_expr()? else { return None };
        let name = key_name(&index.get_index_key()?)?;
        self.is_context(at, &index.get_prefix_expr()?).then_some((index, name))
    }

    /// The method of `ctx` that is called.
    pub(crate) fn api_method(&self, at: usize, call: &LuaCallExpr) -> Option<&'static ApiMethod> {
        let (_, name) = self.method(at, call)?;
        api().iter().find(|method| method.name == name)
    }

    /// Whether a call changes the game, as far as the check can see.
    pub(crate) fn changes(&self, at: usize, call: &LuaCallExpr) -> bool {
        self.api_method(at, call).is_some_and(|method| method.kind == MethodKind::Changing)
            || self.callee(at, call).is_some_and(|callee| self.changing.contains(&callee))
    }

    /// All calls of a script, in the order of the text.
    pub(crate) fn calls(root: &impl LuaAstNode) -> impl Iterator<Item = LuaCallExpr> {
        root.syntax().descendants().filter_map(LuaCallExpr::cast)
    }

    fn find_changing(&self) -> BTreeSet<FunctionRef> {
        let mut changing = BTreeSet::new();
        let mut callers: BTreeMap<FunctionRef, Vec<FunctionRef>> = BTreeMap::new();
        let mut fresh = Vec::new();
        for (at, chunk) in self.chunks.iter().enumerate() {
            for call in Self::calls(&chunk.root) {
                let inside = chunk.scope.function_at(range(&call).start);
                // A function inside another one counts as called by the outer one.
                let around: Vec<FunctionRef> = chunk.scope.around(inside).map(|function| (at, function)).collect();
                if self.api_method(at, &call).is_some_and(|method| method.kind == MethodKind::Changing) {
                    fresh.extend(around);
                } else if let Some(callee) = self.callee(at, &call) {
                    callers.entry(callee).or_default().extend(around);
                }
            }
        }
        while let Some(function) = fresh.pop() {
            if changing.insert(function) {
                fresh.extend(callers.get(&function).into_iter().flatten());
            }
        }
        changing
    }
}
