//! The meaning of every name in a script: a local, and of which function, or a global.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::tree::{
    LuaAssignStat, LuaAstNode, LuaBlock, LuaChunk, LuaClosureExpr, LuaExpr, LuaFuncStat, LuaIndexExpr, LuaIndexKey,
    LuaNameExpr, LuaNameToken, LuaParamName, LuaStat, LuaVarExpr,
};

/// A function of a script, by number; 0 is the file itself.
pub(crate) type FunctionIx = usize;
/// A local of a script, by number.
pub(crate) type LocalIx = usize;

/// How a local is declared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LocalKind {
    /// `local x`
    Plain,
    /// `local function x`
    Function,
    /// A parameter.
    Param,
    /// A loop variable.
    Loop,
}

/// A local.
pub(crate) struct Local {
    pub name: String,
    pub range: Range<usize>,
    pub kind: LocalKind,
    /// The function in which it is declared.
    pub function: FunctionIx,
    /// The value that it is declared with.
    pub value: Option<LuaExpr>,
    /// The list whose members it takes, one after the other.
    pub member_of: Option<LuaExpr>,
    /// Whether that loop also visits values under keys.
    pub has_keys: bool,
    /// The function that it always holds.
    pub holds: Option<FunctionIx>,
    pub reads: Vec<Use>,
    pub writes: Vec<Use>,
}

/// A place where a local is used.
pub(crate) struct Use {
    pub range: Range<usize>,
    pub function: FunctionIx,
    pub node: LuaNameExpr,
}

/// A place where a global is used.
pub(crate) struct Global {
    pub name: String,
    pub range: Range<usize>,
    pub written: bool,
    pub is_function: bool,
}

/// A function, or the whole file.
pub(crate) struct Function {
    pub parent: FunctionIx,
    pub range: Range<usize>,
    pub closure: Option<LuaClosureExpr>,
    pub params: Vec<LocalIx>,
    /// Whether it takes a variable number of values.
    pub open: bool,
}

/// All names of a script.
pub(crate) struct Scope {
    pub locals: Vec<Local>,
    pub globals: Vec<Global>,
    pub functions: Vec<Function>,
    by_name: BTreeMap<usize, LocalIx>,
    by_closure: BTreeMap<usize, FunctionIx>,
    visible: Vec<Vec<LocalIx>>,
    current: FunctionIx,
}

/// The bytes of a node.
pub(crate) fn range(node: &impl LuaAstNode) -> Range<usize> {
    node.syntax().range()
}

/// The name after a dot, or the text in brackets.
pub(crate) fn key_name(key: &LuaIndexKey) -> Option<String> {
    match key {
        LuaIndexKey::Name(name) => Some(name.get_name_text().to_string()),
        LuaIndexKey::String(text) => Some(text.get_value()),
        LuaIndexKey::Number(_) | LuaIndexKey::Expr(_) => None,
    }
}

impl Scope {
    pub(crate) fn read(root: &LuaChunk) -> Scope {
        let file = Function { parent: 0, range: range(root), closure: None, params: Vec::new(), open: true };
        let mut scope = Scope {
            locals: Vec::new(),
            globals: Vec::new(),
            functions: vec![file],
            by_name: BTreeMap::new(),
            by_closure: BTreeMap::new(),
            visible: Vec::new(),
            current: 0,
        };
        if let Some(block) = root.get_block() {
            scope.block(&block);
        }
        for local in &mut scope.locals {
            if !local.writes.is_empty() {
                local.holds = None;
            }
        }
        scope
    }

    /// The local that a name refers to.
    pub(crate) fn local_of(&self, name: &LuaNameExpr) -> Option<LocalIx> {
        self.by_name.get(&range(name).start).copied()
    }

    /// The function that an expression defines.
    pub(crate) fn function_of(&self, closure: &LuaClosureExpr) -> Option<FunctionIx> {
        self.by_closure.get(&range(closure).start).copied()
    }

    /// The local that an expression is.
    pub(crate) fn local_expr(&self, expr: &LuaExpr) -> Option<LocalIx> {
        match expr {
            LuaExpr::Name(name) => self.local_of(name),
            LuaExpr::Paren(inner) => self.local_expr(&inner.get_expr()?),
            _ => None,
        }
    }

    /// The local at the root of `a.b[c].d`.
    pub(crate) fn root_of(&self, expr: &LuaExpr) -> Option<(LocalIx, LuaNameExpr)> {
        match expr {
            LuaExpr::Name(name) => Some((self.local_of(name)?, name.clone())),
            LuaExpr::Index(index) => self.root_of(&index.get_prefix_expr()?),
            LuaExpr::Paren(inner) => self.root_of(&inner.get_expr()?),
            _ => None,
        }
    }

    /// The name of the global, if an expression is one.
    pub(crate) fn global_expr(&self, expr: &LuaExpr) -> Option<String> {
        match expr {
            LuaExpr::Name(name) if self.local_of(name).is_none() => name.get_name_text(),
            _ => None,
        }
    }

    /// `library.member` of a global, or a global function.
    pub(crate) fn global_path(&self, expr: &LuaExpr) -> Option<String> {
        match expr {
            LuaExpr::Index(index) => {
                let library = self.global_expr(&index.get_prefix_expr()?)?;
                Some(format!("{library}.{}", key_name(&index.get_index_key()?)?))
            }
            _ => self.global_expr(expr),
        }
    }

    /// A local by its number.
    #[allow(
        clippy::indexing_slicing,
        reason = "a number is given out when a local is put in, and none is ever taken out"
    )]
    pub(crate) fn local(&self, local: LocalIx) -> &Local {
        &self.locals[local]
    }

    #[allow(clippy::indexing_slicing, reason = "as for `local`")]
    fn local_mut(&mut self, local: LocalIx) -> &mut Local {
        &mut self.locals[local]
    }

    /// A function by its number; the file has the first.
    #[allow(clippy::indexing_slicing, reason = "as for `local`")]
    pub(crate) fn function(&self, function: FunctionIx) -> &Function {
        &self.functions[function]
    }

    #[allow(clippy::indexing_slicing, reason = "as for `local`")]
    fn function_mut(&mut self, function: FunctionIx) -> &mut Function {
        &mut self.functions[function]
    }

    /// The innermost function at a place.
    pub(crate) fn function_at(&self, at: usize) -> FunctionIx {
        // They are sorted by their beginnings.
        let mut function = self.functions.partition_point(|function| function.range.start <= at).saturating_sub(1);
        while function != 0 && !self.function(function).range.contains(&at) {
            function = self.function(function).parent;
        }
        function
    }

    /// A function and all functions around it, without the file.
    pub(crate) fn around(&self, function: FunctionIx) -> impl Iterator<Item = FunctionIx> {
        std::iter::successors(Some(function), |at| Some(self.function(*at).parent)).take_while(|at| *at != 0)
    }

    fn block(&mut self, block: &LuaBlock) {
        self.visible.push(Vec::new());
        self.stats(block);
        self.visible.pop();
    }

    fn stats(&mut self, block: &LuaBlock) {
        for stat in block.get_stats() {
            self.stat(&stat);
        }
    }

    fn maybe_block(&mut self, block: Option<LuaBlock>) {
        if let Some(block) = block {
            self.block(&block);
        }
    }

    fn declare(&mut self, name: &LuaNameToken, kind: LocalKind) -> LocalIx {
        self.declare_named(name.get_name_text(), range(name), kind)
    }

    fn declare_named(&mut self, name: &str, range: Range<usize>, kind: LocalKind) -> LocalIx {
        let local = Local {
            name: name.to_string(),
            range,
            kind,
            function: self.current,
            value: None,
            member_of: None,
            has_keys: false,
            holds: None,
            reads: Vec::new(),
            writes: Vec::new(),
        };
        let index = self.locals.len();
        self.locals.push(local);
        if let Some(innermost) = self.visible.last_mut() {
            innermost.push(index);
        }
        index
    }

    fn find(&self, name: &str) -> Option<LocalIx> {
        let all = self.visible.iter().rev().flat_map(|block| block.iter().rev());
        all.copied().find(|local| self.local(*local).name == name)
    }

    fn name(&mut self, node: &LuaNameExpr, written: bool, is_function: bool) {
        let Some(name) = node.get_name_text() else { return };
        let range = range(node);
        match self.find(&name) {
            Some(local) => {
                self.by_name.insert(range.start, local);
                let used = Use { range, function: self.current, node: node.clone() };
                let local = self.local_mut(local);
                if written { &mut local.writes } else { &mut local.reads }.push(used);
            }
            None => self.globals.push(Global { name, range, written, is_function }),
        }
    }

    fn stat(&mut self, stat: &LuaStat) {
        match stat {
            LuaStat::Local(stat) => {
                let values: Vec<LuaExpr> = stat.get_value_exprs().collect();
                self.exprs(values.iter().cloned());
                for (at, name) in stat.get_local_name_list().enumerate() {
                    let Some(token) = name.get_name_token() else { continue };
                    let local = self.declare(&token, LocalKind::Plain);
                    let value = values.get(at).cloned();
                    self.local_mut(local).holds = value.as_ref().and_then(|value| self.closure_in(value));
                    self.local_mut(local).value = value;
                }
            }
            LuaStat::LocalFunc(stat) => {
                let local = stat
                    .get_local_name()
                    .and_then(|name| name.get_name_token())
                    .map(|token| self.declare(&token, LocalKind::Function));
                if let Some(closure) = stat.get_closure() {
                    let function = self.closure(&closure, false);
                    if let Some(local) = local {
                        self.local_mut(local).holds = Some(function);
                    }
                }
            }
            LuaStat::Assign(stat) => self.assign(stat),
            LuaStat::Func(stat) => self.func(stat),
            LuaStat::CallExpr(stat) => self.exprs(stat.get_call_expr().map(LuaExpr::Call)),
            LuaStat::Return(stat) => self.exprs(stat.get_expr_list()),
            LuaStat::Do(stat) => self.maybe_block(stat.get_block()),
            LuaStat::If(stat) => {
                self.exprs(stat.get_condition_expr());
                self.maybe_block(stat.get_block());
                for clause in stat.get_all_clause() {
                    self.exprs(clause.get_condition_expr());
                    self.maybe_block(clause.get_block());
                }
            }
            LuaStat::While(stat) => {
                self.exprs(stat.get_condition_expr());
                self.maybe_block(stat.get_block());
            }
            LuaStat::Repeat(stat) => {
                self.visible.push(Vec::new());
                if let Some(block) = stat.get_block() {
                    self.stats(&block);
                }
                self.exprs(stat.get_condition_expr());
                self.visible.pop();
            }
            LuaStat::For(stat) => {
                self.exprs(stat.get_iter_expr());
                self.loops(stat.get_var_name(), None, stat.get_block());
            }
            LuaStat::ForRange(stat) => {
                self.exprs(stat.get_expr_list());
                let list = stat.get_expr_list().next().and_then(|expr| self.iterated(&expr));
                self.loops(stat.get_var_name_list(), list, stat.get_block());
            }
            LuaStat::Plain(_) => {}
        }
    }

    /// The list that `ipairs(list)` or `pairs(list)` visits, and whether values under keys are visited too.
    fn iterated(&self, expr: &LuaExpr) -> Option<(LuaExpr, bool)> {
        let LuaExpr::Call(call) = expr else { return None };
        let LuaExpr::Name(name) = call.get_prefix_expr()? else { return None };
        let has_keys = match name.get_name_text()?.as_str() {
            "ipairs" => false,
            "pairs" => true,
            _ => return None,
        };
        let list = call.get_args_list()?.get_args().next()?;
        self.local_of(&name).is_none().then_some((list, has_keys))
    }

    fn loops(
        &mut self,
        names: impl IntoIterator<Item = LuaNameToken>,
        list: Option<(LuaExpr, bool)>,
        block: Option<LuaBlock>,
    ) {
        self.visible.push(Vec::new());
        for (at, name) in names.into_iter().enumerate() {
            let local = self.declare(&name, LocalKind::Loop);
            let list = list.clone().filter(|_| at == 1);
            let local = self.local_mut(local);
            local.has_keys = list.as_ref().is_some_and(|(_, has_keys)| *has_keys);
            local.member_of = list.map(|(list, _)| list);
        }
        self.maybe_block(block);
        self.visible.pop();
    }

    fn assign(&mut self, stat: &LuaAssignStat) {
        let (vars, values) = stat.get_var_and_expr_list();
        self.exprs(values);
        let adds = stat.get_assign_op().is_some_and(|op| !op.is_plain());
        for var in vars {
            match var {
                LuaVarExpr::Name(name) => {
                    if adds {
                        self.name(&name, false, false);
                    }
                    self.name(&name, true, false);
                }
                LuaVarExpr::Index(index) => self.index(&index),
            }
        }
    }

    fn func(&mut self, stat: &LuaFuncStat) {
        let mut is_method = false;
        match stat.get_func_name() {
            Some(LuaVarExpr::Name(name)) => self.name(&name, true, true),
            Some(LuaVarExpr::Index(index)) => {
                is_method = index.get_index_token().is_some_and(|token| token.is_colon());
                self.index(&index);
            }
            None => {}
        }
        if let Some(closure) = stat.get_closure() {
            self.closure(&closure, is_method);
        }
    }

    fn index(&mut self, index: &LuaIndexExpr) {
        self.exprs(index.get_prefix_expr());
        if let Some(LuaIndexKey::Expr(key)) = index.get_index_key() {
            self.expr(&key);
        }
    }

    fn exprs(&mut self, exprs: impl IntoIterator<Item = LuaExpr>) {
        for expr in exprs {
            self.expr(&expr);
        }
    }

    fn expr(&mut self, expr: &LuaExpr) {
        match expr {
            LuaExpr::Name(name) => self.name(name, false, false),
            LuaExpr::Index(index) => self.index(index),
            LuaExpr::Closure(closure) => {
                self.closure(closure, false);
            }
            LuaExpr::Call(call) => {
                self.exprs(call.get_prefix_expr());
                if let Some(args) = call.get_args_list() {
                    self.exprs(args.get_args());
                }
            }
            LuaExpr::Table(table) => {
                for field in table.get_fields() {
                    if field.is_assign_field()
                        && let Some(LuaIndexKey::Expr(key)) = field.get_field_key()
                    {
                        self.expr(&key);
                    }
                    self.exprs(field.get_value_expr());
                }
            }
            LuaExpr::Binary(binary) => self.exprs(binary.children::<LuaExpr>()),
            LuaExpr::Unary(unary) => self.exprs(unary.get_expr()),
            LuaExpr::Paren(paren) => self.exprs(paren.get_expr()),
            LuaExpr::Literal(_) => {}
        }
    }

    fn closure(&mut self, closure: &LuaClosureExpr, is_method: bool) -> FunctionIx {
        let params: Vec<_> = closure.get_params_list().map_or_else(Vec::new, |list| list.get_params().collect());
        let open = params.iter().any(LuaParamName::is_dots);
        let parent = self.current;
        let range = range(closure);
        let function = self.functions.len();
        self.functions.push(Function {
            parent,
            range: range.clone(),
            closure: Some(closure.clone()),
            params: Vec::new(),
            open,
        });
        self.by_closure.insert(range.start, function);
        self.current = function;
        self.visible.push(Vec::new());
        let mut declared = Vec::new();
        if is_method {
            declared.push(self.declare_named("self", range.start..range.start, LocalKind::Param));
        }
        for param in params.iter().filter_map(LuaParamName::get_name_token) {
            declared.push(self.declare(&param, LocalKind::Param));
        }
        self.function_mut(function).params = declared;
        self.maybe_block(closure.get_block());
        self.visible.pop();
        self.current = parent;
        function
    }

    fn closure_in(&self, value: &LuaExpr) -> Option<FunctionIx> {
        match value {
            LuaExpr::Closure(closure) => self.function_of(closure),
            LuaExpr::Paren(inner) => self.closure_in(&inner.get_expr()?),
            LuaExpr::Name(name) => self.local(self.local_of(name)?).holds,
            _ => None,
        }
    }
}
