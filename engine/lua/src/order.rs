//! Check: loops over a table in the order of its keys. Nobody has chosen this order, so it must not influence the game.

use std::collections::BTreeSet;
use std::ops::Range;

use crate::tree::{
    LuaAssignStat, LuaAst, LuaAstNode, LuaBinaryExpr, LuaBlock, LuaCallExpr, LuaElseIfClauseStat, LuaExpr,
    LuaForRangeStat, LuaIfStat, LuaLiteralToken, LuaNameExpr, LuaParenExpr, LuaReturnStat, LuaUnaryExpr, LuaVarExpr,
    LuaWhileStat, UnaryOperator,
};
use rulepack_model::{Code, Diagnostic};

use crate::chunk::Chunk;
use crate::program::Program;
use crate::scope::{LocalIx, LocalKind, Scope, range};

const CODE: Code = Code::ScriptOrder;
const HELP: &str = "go through a list with `ipairs`, or collect the keys and sort them with `table.sort`";

pub(crate) fn check(program: &Program<'_>, out: &mut Vec<Diagnostic>) {
    for (at, chunk) in program.chunks.iter().enumerate() {
        let seen = Seen { program, at, chunk, keyed: keyed(chunk) };
        for node in chunk.root.descendants::<LuaAst>() {
            let found = match &node {
                LuaAst::ForRangeStat(stat) => seen.walk(stat),
                LuaAst::CallExpr(call) => seen.picks(call),
                _ => None,
            };
            out.extend(found);
        }
    }
}

struct Seen<'p, 'a> {
    program: &'p Program<'a>,
    at: usize,
    chunk: &'p Chunk<'a>,
    /// Locals that hold tables with other keys than consecutive numbers.
    keyed: BTreeSet<LocalIx>,
}

impl Seen<'_, '_> {
    fn scope(&self) -> &Scope {
        &self.chunk.scope
    }

    fn warn(&self, place: Range<usize>, message: String) -> Diagnostic {
        Diagnostic::warning(CODE, message).likely().at(self.chunk.span(place)).help(HELP)
    }

    /// A loop in the order of keys, and how that order reaches the game.
    fn walk(&self, stat: &LuaForRangeStat) -> Option<Diagnostic> {
        let exprs: Vec<LuaExpr> = stat.get_expr_list().collect();
        let (how, table) = self.unordered(&exprs)?;
        let body = stat.get_block()?;
        if self.is_list(&table) {
            return None;
        }
        let place = range(exprs.first()?).start..range(exprs.last()?).end;
        let reason = self.change(&body).or_else(|| self.result(stat, &body)).or_else(|| self.collected(stat, &body))?;
        let (where_, words) = reason;
        let message = format!("{how} goes through keys in no chosen order, and {words}");
        Some(self.warn(place, message).label(self.chunk.span(where_), "here the order gets out"))
    }

    /// `pairs(t)`, `next, t` or a table itself.
    fn unordered(&self, exprs: &[LuaExpr]) -> Option<(&'static str, LuaExpr)> {
        let scope = self.scope();
        match exprs {
            [LuaExpr::Call(call)] => {
                let name = scope.global_expr(&call.get_prefix_expr()?)?;
                let table = call.get_args_list()?.get_args().next()?;
                (name == "pairs").then_some(("`pairs`", table))
            }
            [function, table, ..] => (scope.global_expr(function)? == "next").then(|| ("`next`", table.clone())),
            // The iterator is a function, which comes from a call or from a parameter.
            [LuaExpr::Table(table)] => Some(("a loop over a table", LuaExpr::Table(table.clone()))),
            [expr @ LuaExpr::Name(_)] => {
                let value = scope.local(scope.local_expr(expr)?).value.as_ref()?;
                matches!(value, LuaExpr::Table(_)).then(|| ("a loop over a table", expr.clone()))
            }
            _ => None,
        }
    }

    /// Whether a table is certainly a list: its order is that of its numbers.
    fn is_list(&self, table: &LuaExpr) -> bool {
        match table {
            LuaExpr::Call(call) => {
                self.program.api_method(self.at, call).is_some_and(|method| method.returns.ends_with("[]"))
            }
            LuaExpr::Table(table) => table.get_fields().all(|field| field.is_value_field()),
            LuaExpr::Name(name) => {
                let Some(local) = self.scope().local_of(name) else { return false };
                let declared = self.scope().local(local);
                let Some(value) = &declared.value else { return false };
                declared.writes.is_empty()
                    && matches!(value, LuaExpr::Call(_) | LuaExpr::Table(_))
                    && self.is_list(value)
                    && !self.keyed.contains(&local)
            }
            LuaExpr::Paren(inner) => inner.get_expr().is_some_and(|inner| self.is_list(&inner)),
            _ => false,
        }
    }

    /// A call inside that changes the game.
    fn change(&self, body: &LuaBlock) -> Option<(Range<usize>, String)> {
        let call = body.descendants::<LuaCallExpr>().find(|call| self.program.changes(self.at, call))?;
        let name = call.get_prefix_expr()?.syntax().text().to_string();
        Some((range(&call.get_prefix_expr()?), format!("`{name}` changes the game in that order")))
    }

    /// A `return` inside that returns the first match.
    fn result(&self, stat: &LuaForRangeStat, body: &LuaBlock) -> Option<(Range<usize>, String)> {
        let outer = self.scope().function_at(range(stat).start);
        let own = |given: &LuaReturnStat| self.scope().function_at(range(given).start) == outer;
        let given = body.descendants::<LuaReturnStat>().filter(own).find(|given| {
            given.get_expr_list().any(|expr| self.names(&expr).any(|local| self.is_of_loop(local, stat)))
        })?;
        Some((range(&given), "the first that fits is given back".to_string()))
    }

    fn names(&self, expr: &LuaExpr) -> impl Iterator<Item = LocalIx> {
        expr.syntax().descendants().filter_map(LuaExpr::cast).filter_map(|expr| match expr {
            LuaExpr::Name(name) => self.scope().local_of(&name),
            _ => None,
        })
    }

    fn is_of_loop(&self, local: LocalIx, stat: &LuaForRangeStat) -> bool {
        let local = self.scope().local(local);
        let first = stat.get_var_name_list().next().map(|name| range(&name).start);
        local.kind == LocalKind::Loop
            && range(stat).contains(&local.range.start)
            && first.is_some_and(|first| local.range.start >= first)
            && stat.get_block().is_none_or(|body| local.range.start < range(&body).start)
    }

    /// A list that is filled inside and used afterwards without being sorted.
    fn collected(&self, stat: &LuaForRangeStat, body: &LuaBlock) -> Option<(Range<usize>, String)> {
        let end = range(stat).end;
        for (list, place) in self.filled(body) {
            let local = self.scope().local(list);
            if range(body).contains(&local.range.start) {
                continue;
            }
            let later = local.reads.iter().filter(|used| used.range.start >= end);
            let first = later.filter(|used| !self.is_length(&used.node)).min_by_key(|used| used.range.start);
            if let Some(first) = first
                && !self.is_sorted(&first.node)
            {
                return Some((place, format!("`{}` is filled in that order", local.name)));
            }
        }
        None
    }

    /// The lists to which elements are added inside.
    fn filled(&self, body: &LuaBlock) -> Vec<(LocalIx, Range<usize>)> {
        let mut found = Vec::new();
        for node in body.descendants::<LuaAst>() {
            match node {
                LuaAst::CallExpr(call) => {
                    let name = call.get_prefix_expr().and_then(|prefix| self.scope().global_path(&prefix));
                    let list = call.get_args_list().and_then(|args| args.get_args().next());
                    if name.as_deref() == Some("table.insert")
                        && let Some(local) = list.and_then(|list| self.scope().local_expr(&list))
                    {
                        found.push((local, range(&call)));
                    }
                }
                LuaAst::AssignStat(stat) => {
                    for var in stat.get_var_and_expr_list().0 {
                        if let LuaVarExpr::Index(index) = &var
                            && let Some(local) =
                                index.get_prefix_expr().and_then(|prefix| self.scope().local_expr(&prefix))
                            && appends(self.scope(), &var, local)
                        {
                            found.push((local, range(&stat)));
                        }
                    }
                }
                _ => {}
            }
        }
        found
    }

    fn is_length(&self, name: &LuaNameExpr) -> bool {
        let unary: Option<LuaUnaryExpr> = name.get_parent();
        unary.is_some_and(|unary| unary.get_op() == Some(UnaryOperator::Len))
    }

    /// Whether a name is an argument of `table.sort(name)`.
    fn is_sorted(&self, name: &LuaNameExpr) -> bool {
        let call = name.syntax().parent().and_then(|list| list.parent()).and_then(LuaCallExpr::cast);
        let called = call.and_then(|call| self.scope().global_path(&call.get_prefix_expr()?));
        called.as_deref() == Some("table.sort")
    }

    /// `next(t)` whose result is used for more than a test for emptiness.
    fn picks(&self, call: &LuaCallExpr) -> Option<Diagnostic> {
        if self.scope().global_expr(&call.get_prefix_expr()?)? != "next" {
            return None;
        }
        let mut args = call.get_args_list()?.get_args();
        let (table, key) = (args.next()?, args.next());
        if self.is_list(&table) || key.is_some() || is_condition(&LuaExpr::Call(call.clone())) {
            return None;
        }
        let message = "`next` gives whichever key comes first, in no chosen order".to_string();
        Some(self.warn(range(call), message))
    }
}

/// Locals whose tables get members by `t[key] = value`, other than `t[#t + 1]`.
fn keyed(chunk: &Chunk<'_>) -> BTreeSet<LocalIx> {
    let mut found = BTreeSet::new();
    for stat in chunk.root.descendants::<LuaAssignStat>() {
        for var in stat.get_var_and_expr_list().0 {
            if let LuaVarExpr::Index(index) = &var
                && let Some(local) = index.get_prefix_expr().and_then(|prefix| chunk.scope.local_expr(&prefix))
                && !appends(&chunk.scope, &var, local)
            {
                found.insert(local);
            }
        }
    }
    found
}

/// `t[#t + 1]`
fn appends(scope: &Scope, var: &LuaVarExpr, local: LocalIx) -> bool {
    let LuaVarExpr::Index(index) = var else { return false };
    let lengths = index.descendants::<LuaUnaryExpr>();
    lengths
        .filter_map(|unary| Some((unary.get_op()?, unary.get_expr()?)))
        .any(|(op, of)| op == UnaryOperator::Len && scope.local_expr(&of) == Some(local))
}

/// Whether only the existence of an expression matters.
fn is_condition(expr: &LuaExpr) -> bool {
    let Some(parent) = expr.syntax().parent() else { return false };
    if let Some(paren) = LuaParenExpr::cast(parent.clone()) {
        return is_condition(&LuaExpr::Paren(paren));
    }
    if let Some(unary) = LuaUnaryExpr::cast(parent.clone()) {
        return unary.get_op() == Some(UnaryOperator::Not);
    }
    if let Some(binary) = LuaBinaryExpr::cast(parent.clone()) {
        use crate::tree::BinaryOperator as Op;
        let Some((op, (left, right))) = binary.get_op().zip(binary.get_exprs()) else { return false };
        return match op {
            Op::Eq | Op::Ne => is_nil(&left) || is_nil(&right),
            Op::And | Op::Or => is_condition(&LuaExpr::Binary(binary)),
            _ => false,
        };
    }
    LuaIfStat::cast(parent.clone()).is_some()
        || LuaElseIfClauseStat::cast(parent.clone()).is_some()
        || LuaWhileStat::cast(parent).is_some()
}

fn is_nil(expr: &LuaExpr) -> bool {
    matches!(expr, LuaExpr::Literal(literal) if matches!(literal.get_literal(), Some(LuaLiteralToken::Nil(_))))
}
