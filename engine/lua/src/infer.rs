//! What kind of value an expression gives: what is plain to see here, the rest by the type checker if there is one.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::Range;

use emmylua_parser::{BinaryOperator, LuaExpr, LuaLiteralToken, UnaryOperator};
use rulepack_script::context_fields;

use crate::definitions::standard;
use crate::kinds::Kinds;
use crate::program::Program;
use crate::scope::{key_name, range};

/// Locals that are set to locals, and so on: further back is not looked.
const DEEPEST: usize = 100;

/// What is known about kinds of values.
#[derive(Default)]
pub(crate) struct Infer {
    known: RefCell<BTreeMap<(usize, usize, usize), Kinds>>,
    depth: Cell<usize>,
    #[cfg(feature = "analysis")]
    types: crate::typed::Types,
}

impl Infer {
    pub(crate) fn new(program: &Program<'_>) -> Infer {
        #[cfg(feature = "analysis")]
        return Infer { types: crate::typed::Types::new(program), ..Infer::default() };
        #[cfg(not(feature = "analysis"))]
        {
            let _ = program;
            Infer::default()
        }
    }

    /// The kinds that an expression of a script can give.
    pub(crate) fn kinds(&self, program: &Program<'_>, at: usize, expr: &LuaExpr) -> Kinds {
        let Range { start, end } = range(expr);
        if let Some(known) = self.known.borrow().get(&(at, start, end)) {
            return *known;
        }
        if self.depth.get() > DEEPEST {
            return Kinds::ANY;
        }
        self.depth.set(self.depth.get() + 1);
        let plain = self.plain(program, at, expr).unwrap_or(Kinds::ANY);
        let kinds = if plain == Kinds::ANY { self.typed(program, at, expr) } else { plain };
        self.depth.set(self.depth.get() - 1);
        self.known.borrow_mut().insert((at, start, end), kinds);
        kinds
    }

    fn plain(&self, program: &Program<'_>, at: usize, expr: &LuaExpr) -> Option<Kinds> {
        let chunk = &program.chunks[at];
        Some(match expr {
            LuaExpr::LiteralExpr(literal) => match literal.get_literal()? {
                LuaLiteralToken::String(_) => Kinds::TEXT,
                LuaLiteralToken::Number(_) => Kinds::NUMBER,
                LuaLiteralToken::Bool(_) => Kinds::BOOL,
                LuaLiteralToken::Nil(_) => Kinds::NIL,
                _ => Kinds::ANY,
            },
            LuaExpr::TableExpr(_) => Kinds::TABLE,
            LuaExpr::ClosureExpr(_) => Kinds::FUNCTION,
            LuaExpr::ParenExpr(inner) => self.kinds(program, at, &inner.get_expr()?),
            LuaExpr::UnaryExpr(unary) => match unary.get_op_token()?.get_op() {
                UnaryOperator::OpNot => Kinds::BOOL,
                UnaryOperator::OpLen | UnaryOperator::OpUnm => Kinds::NUMBER,
                _ => Kinds::ANY,
            },
            LuaExpr::BinaryExpr(binary) => {
                use BinaryOperator as Op;
                let (left, right) = binary.get_exprs()?;
                match binary.get_op_token()?.get_op() {
                    Op::OpAdd | Op::OpSub | Op::OpMul | Op::OpDiv | Op::OpIDiv | Op::OpMod | Op::OpPow => Kinds::NUMBER,
                    Op::OpConcat => Kinds::TEXT,
                    Op::OpLt | Op::OpLe | Op::OpGt | Op::OpGe | Op::OpEq | Op::OpNe => Kinds::BOOL,
                    Op::OpAnd => Kinds::NIL | Kinds::BOOL | self.kinds(program, at, &right),
                    Op::OpOr => self.kinds(program, at, &left) | self.kinds(program, at, &right),
                    _ => Kinds::ANY,
                }
            }
            LuaExpr::CallExpr(call) => {
                if let Some(method) = program.api_method(at, call) {
                    return Some(given(method.returns));
                }
                let name = chunk.scope.global_path(&call.get_prefix_expr()?)?;
                given(standard(&name)?.returns)
            }
            LuaExpr::IndexExpr(index) => {
                let prefix = index.get_prefix_expr()?;
                if !program.is_context(at, &prefix) {
                    return None;
                }
                let name = key_name(&index.get_index_key()?)?;
                Kinds::parse(context_fields().iter().find(|field| field.name == name)?.ty)
            }
            LuaExpr::NameExpr(name) => {
                let local = chunk.scope.local_of(name)?;
                let declared = &chunk.scope.locals[local];
                match &declared.value {
                    _ if chunk.contexts.contains(&local) => Kinds::CONTEXT,
                    Some(value) if declared.writes.is_empty() => self.kinds(program, at, value),
                    _ => Kinds::ANY,
                }
            }
            LuaExpr::TernaryExpr(_) => Kinds::ANY,
        })
    }

    fn typed(&self, program: &Program<'_>, at: usize, expr: &LuaExpr) -> Kinds {
        let scope = &program.chunks[at].scope;
        // A local that another function sets can hold anything by now.
        if let Some(local) = scope.local_expr(expr).map(|local| &scope.locals[local])
            && local.writes.iter().any(|used| used.function != local.function)
        {
            return Kinds::ANY;
        }
        #[cfg(feature = "analysis")]
        let found = self.types.kinds(at, range(expr));
        #[cfg(not(feature = "analysis"))]
        let found = {
            let _ = range(expr);
            Kinds::ANY
        };
        // That something is always nil is rarely the whole truth.
        if found == Kinds::NIL || found == Kinds::NONE { Kinds::ANY } else { found }
    }
}

/// The first of the values that are given.
fn given(returns: &str) -> Kinds {
    match returns {
        "" => Kinds::NIL,
        _ if returns.contains("...") => Kinds::ANY,
        _ if returns.starts_with("fun(") => Kinds::FUNCTION,
        _ => Kinds::parse(returns.split(',').next().unwrap_or(returns)),
    }
}
