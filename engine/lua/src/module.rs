//! The table that a script returns, and how other scripts read it.

use crate::tree::{
    LuaAssignStat, LuaAst, LuaAstNode, LuaCallExpr, LuaChunk, LuaExpr, LuaFuncStat, LuaIndexExpr, LuaLiteralToken,
    LuaLocalStat, LuaNameExpr, LuaReturnStat, LuaStat, LuaTableExpr, LuaVarExpr,
};

use crate::scope::{FunctionIx, LocalIx, Scope, key_name, range};

/// A member of the table that a script returns.
pub(crate) struct Export {
    pub name: String,
    pub range: std::ops::Range<usize>,
    /// Its function, if that is known.
    pub function: Option<FunctionIx>,
}

/// The table that a script returns.
#[derive(Default)]
pub(crate) struct Module {
    /// The local that holds it.
    pub table: Option<LocalIx>,
    pub exports: Vec<Export>,
    /// Whether the list is complete: no member is added in a way that the check cannot see.
    pub closed: bool,
}

/// How a member of a script's table is read.
pub(crate) enum Read {
    /// This member of it.
    Member(String, LuaIndexExpr),
    /// An unknown member.
    Any,
}

impl Module {
    pub(crate) fn read(root: &LuaChunk, scope: &Scope) -> Module {
        let Some(LuaStat::Return(given)) = root.get_block().and_then(|block| block.get_stats().last()) else {
            return Module::default();
        };
        let mut values = given.get_expr_list();
        match (values.next(), values.next()) {
            (Some(LuaExpr::Table(table)), None) => {
                let mut module = Module { closed: true, ..Module::default() };
                module.add_fields(&table, scope);
                module
            }
            (Some(LuaExpr::Name(name)), None) => match scope.local_of(&name) {
                Some(local) => Module::of_local(local, scope),
                None => Module::default(),
            },
            _ => Module::default(),
        }
    }

    fn of_local(table: LocalIx, scope: &Scope) -> Module {
        let local = scope.local(table);
        let mut module = Module { table: Some(table), closed: local.writes.is_empty(), exports: Vec::new() };
        match &local.value {
            Some(LuaExpr::Table(value)) => module.add_fields(value, scope),
            _ => module.closed = false,
        }
        for used in &local.reads {
            match set_member(&used.node) {
                Some((name, value)) => {
                    let function = value.and_then(|value| function_of(&value, scope));
                    module.exports.push(Export { name, range: used.range.start..used.range.end, function });
                    if let Some(index) = used.node.get_parent::<LuaIndexExpr>()
                        && let Some(key) = index.get_index_key()
                        && let Some(export) = module.exports.last_mut()
                    {
                        export.range = key.range();
                    }
                }
                None => module.closed &= is_returned(&used.node) || matches!(reads(&used.node), Read::Member(..)),
            }
        }
        module
    }

    fn add_fields(&mut self, table: &LuaTableExpr, scope: &Scope) {
        for field in table.get_fields() {
            let key = field.is_assign_field().then(|| field.get_field_key()).flatten();
            match key.and_then(|key| Some((key_name(&key)?, key.range()))) {
                Some((name, place)) => {
                    let function = field.get_value_expr().and_then(|value| function_of(&value, scope));
                    self.exports.push(Export { name, range: place, function });
                }
                None => self.closed = false,
            }
        }
    }

    /// The function under a name.
    pub(crate) fn function(&self, name: &str) -> Option<FunctionIx> {
        self.exports.iter().rev().find(|export| export.name == name)?.function
    }
}

fn function_of(value: &LuaExpr, scope: &Scope) -> Option<FunctionIx> {
    match value {
        LuaExpr::Closure(closure) => scope.function_of(closure),
        LuaExpr::Name(name) => scope.local(scope.local_of(name)?).holds,
        LuaExpr::Paren(inner) => function_of(&inner.get_expr()?, scope),
        _ => None,
    }
}

/// `table.NAME = value` or `function table.NAME`.
fn set_member(table: &LuaNameExpr) -> Option<(String, Option<LuaExpr>)> {
    let index: LuaIndexExpr = table.get_parent()?;
    let name = key_name(&index.get_index_key()?)?;
    if let Some(stat) = index.get_parent::<LuaFuncStat>() {
        return Some((name, stat.get_closure().map(LuaExpr::Closure)));
    }
    let stat: LuaAssignStat = index.get_parent()?;
    let (vars, values) = stat.get_var_and_expr_list();
    let at = vars.iter().position(|var| matches!(var, LuaVarExpr::Index(var) if *var == index))?;
    Some((name, values.get(at).cloned()))
}

fn is_returned(name: &LuaNameExpr) -> bool {
    name.get_parent::<LuaReturnStat>().is_some()
}

/// How the table in a name is read there.
pub(crate) fn reads(name: &LuaNameExpr) -> Read {
    let found = name
        .get_parent::<LuaIndexExpr>()
        .filter(|index| index.get_prefix_expr().is_some_and(|prefix| range(&prefix) == range(name)));
    match found.and_then(|index| Some((key_name(&index.get_index_key()?)?, index))) {
        Some((key, index)) => Read::Member(key, index),
        None => Read::Any,
    }
}

/// Whether a member is assigned here, not read.
pub(crate) fn is_set(index: &LuaIndexExpr) -> bool {
    index.get_parent::<LuaFuncStat>().is_some()
        || index.get_parent::<LuaAssignStat>().is_some_and(|stat| {
            stat.get_var_and_expr_list().0.iter().any(|var| matches!(var, LuaVarExpr::Index(var) if var == index))
        })
}

/// A script that requires another one.
pub(crate) struct Require {
    pub call: LuaCallExpr,
    /// The required name.
    pub name: String,
    /// The local that always holds it.
    pub local: Option<LocalIx>,
}

/// All `require("name")` of a script.
pub(crate) fn requires(root: &LuaChunk, scope: &Scope) -> Vec<Require> {
    let mut found = Vec::new();
    for node in root.descendants::<LuaAst>() {
        let LuaAst::CallExpr(call) = node else { continue };
        let is_require =
            call.get_prefix_expr().and_then(|prefix| scope.global_expr(&prefix)).is_some_and(|name| name == "require");
        let Some(args) = call.get_args_list().filter(|_| is_require) else { continue };
        let Some(LuaExpr::Literal(literal)) = args.get_args().next() else { continue };
        let Some(LuaLiteralToken::String(text)) = literal.get_literal() else { continue };
        let local = call.get_parent::<LuaLocalStat>().and_then(|stat| {
            let at = stat.get_value_exprs().position(|value| range(&value) == range(&call))?;
            let name = stat.get_local_name_list().nth(at)?.get_name_token()?;
            let start = range(&name).start;
            scope.locals.iter().position(|local| local.range.start == start && local.writes.is_empty())
        });
        found.push(Require { name: text.get_value(), call, local });
    }
    found
}
