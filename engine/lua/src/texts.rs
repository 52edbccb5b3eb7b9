//! The strings and numbers that an expression can be, where this is easy to see: literals, also those that a local, a
//! table or a loop holds.

use std::ops::Range;

use crate::tree::{
    BinaryOperator, LuaExpr, LuaIndexKey, LuaLiteralToken, LuaTableExpr, LuaTableField, Number, UnaryOperator,
};

use crate::program::Program;
use crate::scope::{Local, key_name, range};

/// The largest number of locals that are followed from one to the next.
const DEEPEST: usize = 8;

/// A string in a script, with its place.
pub(crate) type Text = (String, Range<usize>);

/// The value of a string literal.
pub(crate) fn literal(expr: &LuaExpr) -> Option<String> {
    let LuaExpr::Literal(literal) = expr else { return None };
    match literal.get_literal()? {
        LuaLiteralToken::String(text) => Some(text.get_value()),
        _ => None,
    }
}

/// The value of a number literal, also of a negative one.
fn number(expr: &LuaExpr) -> Option<f64> {
    match expr {
        LuaExpr::Unary(unary) if unary.get_op()? == UnaryOperator::Unm => Some(-number(&unary.get_expr()?)?),
        LuaExpr::Literal(literal) => match literal.get_literal()? {
            LuaLiteralToken::Number(number) => match number.get_value()? {
                #[allow(clippy::cast_precision_loss, reason = "numbers of Lua are of this type")]
                Number::Whole(number) => Some(number as f64),
                Number::Float(number) => Some(number),
            },
            _ => None,
        },
        _ => None,
    }
}

/// The strings that an expression can be, each with its place.
pub(crate) fn texts(program: &Program<'_>, at: usize, expr: &LuaExpr) -> Vec<Text> {
    let mut found = Vec::new();
    Search { program, at }.literals(expr, literal, DEEPEST, &mut found);
    found
}

/// The numbers that an expression can be, each with its place.
pub(crate) fn numbers(program: &Program<'_>, at: usize, expr: &LuaExpr) -> Vec<(f64, Range<usize>)> {
    let mut found = Vec::new();
    Search { program, at }.literals(expr, number, DEEPEST, &mut found);
    found
}

/// The table literals that an expression can be, also through a local.
pub(crate) fn tables(program: &Program<'_>, at: usize, expr: &LuaExpr) -> Vec<LuaTableExpr> {
    Search { program, at }.tables(expr, DEEPEST)
}

/// A script in which expressions are followed.
struct Search<'p, 'a> {
    program: &'p Program<'a>,
    at: usize,
}

impl Search<'_, '_> {
    /// A local that is assigned only once.
    fn constant(&self, expr: &LuaExpr) -> Option<&Local> {
        let scope = &self.program.chunk(self.at).scope;
        let local = scope.local(scope.local_expr(expr)?);
        local.writes.is_empty().then_some(local)
    }

    /// The literals of one sort, which `read` recognises.
    fn literals<T>(
        &self,
        expr: &LuaExpr,
        read: fn(&LuaExpr) -> Option<T>,
        depth: usize,
        found: &mut Vec<(T, Range<usize>)>,
    ) {
        let Some(depth) = depth.checked_sub(1) else { return };
        if let Some(value) = read(expr) {
            found.push((value, range(expr)));
            return;
        }
        match expr {
            LuaExpr::Paren(inner) => {
                if let Some(inner) = inner.get_expr() {
                    self.literals(&inner, read, depth, found);
                }
            }
            LuaExpr::Binary(binary) => {
                let (Some((left, right)), Some(op)) = (binary.get_exprs(), binary.get_op()) else { return };
                if op == BinaryOperator::Or {
                    self.literals(&left, read, depth, found);
                }
                if matches!(op, BinaryOperator::Or | BinaryOperator::And) {
                    self.literals(&right, read, depth, found);
                }
            }
            LuaExpr::Name(_) => {
                let Some(local) = self.constant(expr) else { return };
                if let Some(value) = &local.value {
                    self.literals(value, read, depth, found);
                } else if let Some(list) = &local.member_of {
                    let members = self.members(list, local.has_keys, depth);
                    members.iter().for_each(|member| self.literals(member, read, depth, found));
                }
            }
            LuaExpr::Index(index) => {
                let (Some(prefix), Some(key)) = (index.get_prefix_expr(), index.get_index_key()) else { return };
                for table in self.tables(&prefix, depth) {
                    fields(&table, &key).iter().for_each(|value| self.literals(value, read, depth, found));
                }
            }
            _ => {}
        }
    }

    /// The members of a list, or of a table with keys.
    fn members(&self, list: &LuaExpr, has_keys: bool, depth: usize) -> Vec<LuaExpr> {
        let tables = self.tables(list, depth);
        let of = |table: &LuaTableExpr| {
            let values: Vec<LuaExpr> = table
                .get_fields()
                .filter(|field| has_keys || field.is_value_field())
                .filter_map(|field| field.get_value_expr())
                .collect();
            values
        };
        tables.iter().flat_map(of).collect()
    }

    /// The table literals that an expression can be.
    fn tables(&self, expr: &LuaExpr, depth: usize) -> Vec<LuaTableExpr> {
        let Some(depth) = depth.checked_sub(1) else { return Vec::new() };
        match expr {
            LuaExpr::Table(table) => vec![table.clone()],
            LuaExpr::Paren(inner) => inner.get_expr().map_or_else(Vec::new, |inner| self.tables(&inner, depth)),
            LuaExpr::Name(_) => match self.constant(expr) {
                Some(Local { value: Some(value), .. }) => self.tables(value, depth),
                Some(Local { member_of: Some(list), has_keys, .. }) => {
                    self.members(list, *has_keys, depth).iter().flat_map(|member| self.tables(member, depth)).collect()
                }
                _ => Vec::new(),
            },
            LuaExpr::Index(index) => {
                let (Some(prefix), Some(key)) = (index.get_prefix_expr(), index.get_index_key()) else {
                    return Vec::new();
                };
                let around = self.tables(&prefix, depth);
                let values = around.iter().flat_map(|table| fields(table, &key));
                values.flat_map(|value| self.tables(&value, depth)).collect()
            }
            _ => Vec::new(),
        }
    }
}

/// The values of a table under a key; all of them if the key is computed.
fn fields(table: &LuaTableExpr, key: &LuaIndexKey) -> Vec<LuaExpr> {
    let name = key_name(key);
    let is_asked = |field: &LuaTableField| match &name {
        Some(name) => {
            field.is_assign_field() && field.get_field_key().and_then(|key| key_name(&key)).as_ref() == Some(name)
        }
        None => true,
    };
    table.get_fields().filter(is_asked).filter_map(|field| field.get_value_expr()).collect()
}
