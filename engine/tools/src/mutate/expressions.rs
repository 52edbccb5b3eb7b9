//! Small changes inside texts of the expression language.

use rulepack_expr::ast::{AstKind, BinaryOp};
use rulepack_expr::{Part, PartKind, TextShape, parse_expr, parts};
use rulepack_model::Span;
use rulepack_pack::{TextUse, text_map};

use super::sites::{Change, Known, Place, one_line};
use super::{Class, Operator};

/// The changes of the text at `span`; `removed` says whether there is a mutant without the whole text.
pub(super) fn text_mutants(
    text: &str,
    span: Span,
    used: TextUse,
    removed: bool,
    place: &Place<'_>,
    known: &Known,
) -> Vec<(Change, Class, Operator)> {
    let shape = match used {
        TextUse::Condition | TextUse::Value | TextUse::Set => TextShape::Expr,
        TextUse::Cost => TextShape::Cost,
        TextUse::Effect => TextShape::Effect,
    };
    let Ok(mut parts) = parts(text, shape) else { return Vec::new() };
    if used == TextUse::Condition {
        let start = text.len() - text.trim_start().len();
        parts.push(Part { at: start..start + text.trim().len(), kind: PartKind::Condition });
    }
    let names: Vec<&str> =
        parts.iter().filter(|part| part.kind == PartKind::Name).map(|part| &text[part.at.clone()]).collect();
    let map = text_map(place.sources, span);
    let mut out = Vec::new();
    for part in &parts {
        let word = &text[part.at.clone()];
        let at = map.span(part.at.clone());
        let raw = place.raw(at);
        let range = at.start as usize..at.end as usize;
        let swapped = |to: &str| Change::new(range.clone(), to, format!("{word} → {to}"));
        let (change, operator) = match &part.kind {
            PartKind::Number(number) => (swapped(&number.saturating_add(1).to_string()), Operator::Number),
            PartKind::Exactly(number) => {
                let next = number.saturating_add(1);
                (swapped(&format!("{next}..{next}")), Operator::Number)
            }
            PartKind::Compare => {
                let turned = match word {
                    "==" => "!=",
                    "!=" => "==",
                    "<" => "<=",
                    "<=" => "<",
                    ">" => ">=",
                    _ => ">",
                };
                (swapped(turned), Operator::Comparison)
            }
            PartKind::Joint => (swapped(if word == "and" { "or" } else { "and" }), Operator::AndOr),
            PartKind::Sign => (swapped(if word == "+" { "-" } else { "+" }), Operator::Sign),
            PartKind::Name => match known.swap(word, &names).filter(|_| known.is_resource(word)) {
                Some(other) => (swapped(other), Operator::Resource),
                None => continue,
            },
            PartKind::Condition => {
                if is_equation(word) {
                    continue;
                }
                let what = format!("not ({})", one_line(word));
                (Change::new(range.clone(), format!("not ({raw})"), what), Operator::Negation)
            }
            PartKind::Step { alone: true, .. } if removed => continue,
            PartKind::Step { cut, .. } => {
                let cut = map.span(cut.clone());
                let what = format!("without `{}`", one_line(word));
                (Change::new(cut.start as usize..cut.end as usize, "", what), Operator::Step)
            }
        };
        // The amount in a cost is data; the rest is behaviour.
        let is_figure = used == TextUse::Cost && matches!(operator, Operator::Number | Operator::Resource);
        out.push((change, if is_figure { Class::Data } else { Class::Behaviour }, operator));
    }
    out
}

/// Whether the opposite comparison is the same as the negated condition.
fn is_equation(condition: &str) -> bool {
    let root = parse_expr(condition).map(|ast| ast.kind);
    matches!(root, Ok(AstKind::Binary(BinaryOp::Eq | BinaryOp::Ne, ..)))
}
