//! The size of an expression. An expression that is evaluated for every member of a set costs budget by its size, but only if it
//! is long.

use rulepack_expr::Expr;

/// This many parts of a text cost as much as one member of a set.
const PARTS: u32 = 64;

/// The extra price of a text beyond the price of its parts; 0 except for long texts.
pub(super) fn surplus(expr: &Expr) -> u32 {
    let all = size(expr);
    if all < PARTS {
        return 0;
    }
    let mut parts = 0;
    expr.each_part(|part| parts += size(part) / PARTS);
    (all / PARTS).saturating_sub(parts)
}

fn size(expr: &Expr) -> u32 {
    let mut all = 1;
    expr.each_part(|part| all += size(part));
    all
}
