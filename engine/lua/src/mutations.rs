//! Small changes to a script for mutation testing, one at a time: a test should notice each.

use crate::tree::{
    BinaryOperator, LuaAst, LuaAstNode, LuaExpr, LuaLiteralExpr, LuaLiteralToken, Number, UnaryOperator,
};

use rulepack_model::Cut;

use crate::scope::range;
use crate::syntax;

/// One small change to a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LuaMutation {
    /// First byte of the replaced text.
    pub start: usize,
    /// One past its last byte.
    pub end: usize,
    /// The replacement.
    pub replacement: String,
    /// A description for people.
    pub what: String,
}

/// All small changes to a script, in the order of the text; none if it is not valid Lua.
pub fn mutations(text: &str) -> Vec<LuaMutation> {
    let mut found = syntax::with_room(|| match syntax::parse(text) {
        Some(Ok(root)) => root.descendants::<LuaAst>().flat_map(|node| changes(text, &node)).collect(),
        _ => Vec::new(),
    });
    found.sort_by(|a, b| (a.start, a.end, &a.replacement).cmp(&(b.start, b.end, &b.replacement)));
    found
}

fn changes(text: &str, node: &LuaAst) -> Vec<LuaMutation> {
    match node {
        LuaAst::LiteralExpr(literal) => literal_change(literal).into_iter().collect(),
        LuaAst::BinaryExpr(binary) => {
            let Some((sign, op)) = binary.get_op_token() else { return Vec::new() };
            let place = range(&sign);
            let Some(other) = opposite(op) else { return Vec::new() };
            // Two in a row would begin a comment.
            let other = if other == "-" && text.cut(place.end..).starts_with('-') { "- " } else { other };
            vec![replaced(text, place, other)]
        }
        LuaAst::UnaryExpr(unary) => match (unary.get_op_token(), unary.get_expr()) {
            (Some((sign, UnaryOperator::Not)), Some(inner)) => {
                let (start, end) = (range(&sign).start, range(&inner).start);
                vec![LuaMutation { start, end, replacement: String::new(), what: "`not` is left out".into() }]
            }
            _ => Vec::new(),
        },
        LuaAst::CallExprStat(stat) => {
            let place = stat.get_call_expr().map_or_else(|| range(stat), |call| range(&call));
            let what = format!("`{}` is left out", short(text.cut(place.clone())));
            vec![LuaMutation { start: place.start, end: place.end, replacement: String::new(), what }]
        }
        LuaAst::IfStat(stat) => stat.get_condition_expr().and_then(|test| negated(text, &test)).into_iter().collect(),
        LuaAst::ElseIfClauseStat(stat) => {
            stat.get_condition_expr().and_then(|test| negated(text, &test)).into_iter().collect()
        }
        _ => Vec::new(),
    }
}

fn replaced(text: &str, place: std::ops::Range<usize>, by: &str) -> LuaMutation {
    let what = format!("`{}` becomes `{}`", text.cut(place.clone()), by.trim());
    LuaMutation { start: place.start, end: place.end, replacement: by.to_string(), what }
}

fn literal_change(literal: &LuaLiteralExpr) -> Option<LuaMutation> {
    let (place, old, new) = match literal.get_literal()? {
        LuaLiteralToken::Number(number) => {
            let more = match number.get_value()? {
                Number::Whole(n) => n.checked_add(1)?.to_string(),
                Number::Float(n) if n.is_finite() && n.abs() < 1e9 => (n + 1.0).to_string(),
                Number::Float(_) => return None,
            };
            (range(&number), number.syntax().text().to_string(), more)
        }
        LuaLiteralToken::Bool(flag) => {
            let new = if flag.is_true() { "false" } else { "true" };
            (range(&flag), flag.syntax().text().to_string(), new.to_string())
        }
        _ => return None,
    };
    let what = format!("`{old}` becomes `{new}`");
    Some(LuaMutation { start: place.start, end: place.end, replacement: new, what })
}

fn opposite(op: BinaryOperator) -> Option<&'static str> {
    Some(match op {
        BinaryOperator::Lt => "<=",
        BinaryOperator::Le => "<",
        BinaryOperator::Gt => ">=",
        BinaryOperator::Ge => ">",
        BinaryOperator::Eq => "~=",
        BinaryOperator::Ne => "==",
        BinaryOperator::And => "or",
        BinaryOperator::Or => "and",
        BinaryOperator::Add => "-",
        BinaryOperator::Sub => "+",
        _ => return None,
    })
}

/// A negated condition, unless another change does the same.
fn negated(text: &str, test: &LuaExpr) -> Option<LuaMutation> {
    let is_turned_already = match test {
        LuaExpr::Unary(unary) => unary.get_op() == Some(UnaryOperator::Not),
        LuaExpr::Binary(binary) => {
            matches!(binary.get_op(), Some(BinaryOperator::Eq | BinaryOperator::Ne))
        }
        LuaExpr::Literal(literal) => matches!(literal.get_literal()?, LuaLiteralToken::Bool(_)),
        _ => false,
    };
    if is_turned_already {
        return None;
    }
    let place = range(test);
    let old = text.cut(place.clone());
    Some(LuaMutation {
        start: place.start,
        end: place.end,
        replacement: format!("not ({old})"),
        what: format!("the condition `{}` is negated", short(old)),
    })
}

/// The beginning of a text, on one line.
fn short(text: &str) -> String {
    let line = text.lines().next().unwrap_or("").trim_end();
    if line.chars().count() <= 40 && line.len() == text.len() {
        return line.to_string();
    }
    format!("{}…", line.chars().take(40).collect::<String>().trim_end())
}
