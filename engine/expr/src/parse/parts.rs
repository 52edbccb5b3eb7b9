//! The parts of a text that can be changed: for tools that edit texts, not for playing.

use pest::iterators::Pair;

use super::{Parsed, Rule, at, read};
use crate::ast::At;
use crate::nesting::with_room;

/// The sort of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextShape {
    /// A value or a set.
    Expr,
    /// A cost and its destination.
    Cost,
    /// Steps.
    Effect,
}

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its place in the text.
    pub at: At,
    /// What it is.
    pub kind: PartKind,
}

/// The sorts of parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PartKind {
    /// A whole number.
    Number(i64),
    /// `2..2`: neither more nor less.
    Exactly(i64),
    /// `==`, `<=`, and the like.
    Compare,
    /// `and` or `or` between conditions.
    Joint,
    /// `+` or `-` between numbers.
    Sign,
    /// A name that stands for a value, or one after a dot.
    Name,
    /// A condition after `if`, `where`, `while` and `until`.
    Condition,
    /// A step, and the range to remove with it so that the other steps still form a text.
    Step {
        /// The step with the `;` beside it.
        cut: At,
        /// Whether it is the whole text.
        alone: bool,
    },
}

/// The parts of a text, in the order of the text.
///
/// # Errors
/// If it cannot be parsed.
pub fn parts(text: &str, shape: TextShape) -> Parsed<Vec<Part>> {
    let rule = match shape {
        TextShape::Expr => Rule::whole_expr,
        TextShape::Cost => Rule::whole_cost,
        TextShape::Effect => Rule::whole_effect,
    };
    with_room(text, || {
        let mut found = Vec::new();
        collect(read(rule, text)?, rule, &mut found);
        found.sort_by_key(|part| (part.at.start, part.at.end));
        Ok(found)
    })
}

fn collect(pair: Pair<'_, Rule>, parent: Rule, found: &mut Vec<Part>) {
    let rule = pair.as_rule();
    let kind = match (rule, parent) {
        (Rule::number, _) => pair.as_str().trim().parse().ok().map(PartKind::Number),
        (Rule::compare, _) => Some(PartKind::Compare),
        (Rule::and, Rule::conjunction) | (Rule::or, Rule::condition) => Some(PartKind::Joint),
        (Rule::add, _) => Some(PartKind::Sign),
        (Rule::name, Rule::postfix | Rule::thing | Rule::mine) | (Rule::field, Rule::dot) => Some(PartKind::Name),
        _ => None,
    };
    found.extend(kind.map(|kind| Part { at: at(&pair), kind }));
    let children: Vec<Pair<'_, Rule>> = pair.into_inner().collect();
    match rule {
        Rule::steps => found.extend(steps(&children, parent == Rule::whole_effect)),
        // The condition comes first, or after `where`.
        Rule::when | Rule::choice => {
            found.extend(children.iter().find(|child| child.as_rule() == Rule::expr).map(condition))
        }
        // Each `where`, `while` and `until` is followed by its condition.
        Rule::expr => found.extend(children.windows(2).filter_map(|pair| match pair {
            [word, next] if matches!(word.as_rule(), Rule::where_ | Rule::while_ | Rule::until) => {
                Some(condition(next))
            }
            _ => None,
        })),
        _ => {}
    }
    let mut children = children.into_iter();
    if rule == Rule::range
        && let [least, most] = children.as_slice()
        && least.as_str().trim() == most.as_str().trim()
    {
        // A change of one side alone would set the least above the most.
        if let Ok(number) = most.as_str().trim().parse() {
            found.push(Part { at: at(least).start..at(most).end, kind: PartKind::Exactly(number) });
            return;
        }
        children.next();
    }
    for child in children {
        collect(child, rule, found);
    }
}

fn condition(pair: &Pair<'_, Rule>) -> Part {
    Part { at: at(pair), kind: PartKind::Condition }
}

/// Each step, cut out with the `;` after it; the last one with that before it.
fn steps<'p>(children: &'p [Pair<'_, Rule>], whole: bool) -> impl Iterator<Item = Part> + 'p {
    children.iter().enumerate().map(move |(index, child)| {
        let place = at(child);
        let before = index.checked_sub(1).and_then(|before| children.get(before));
        let cut = match (children.get(index.saturating_add(1)), before) {
            (Some(next), _) => place.start..at(next).start,
            (None, Some(before)) => at(before).end..place.end,
            (None, None) => place.clone(),
        };
        Part { at: place, kind: PartKind::Step { cut, alone: whole && children.len() == 1 } }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn shown(text: &str, shape: TextShape) -> Vec<String> {
        let show = |part: Part| {
            let word = &text[part.at.clone()];
            match part.kind {
                PartKind::Number(_) => format!("number {word}"),
                PartKind::Exactly(number) => format!("exactly {number} in {word}"),
                PartKind::Compare => format!("compare {word}"),
                PartKind::Joint => format!("joint {word}"),
                PartKind::Sign => format!("sign {word}"),
                PartKind::Name => format!("name {word}"),
                PartKind::Condition => format!("condition {word}"),
                PartKind::Step { cut, alone } => {
                    let rest = format!("{}{}", &text[..cut.start], &text[cut.end..]);
                    format!("step {word}{} leaves `{rest}`", if alone { " alone" } else { "" })
                }
            }
        };
        parts(text, shape).unwrap().into_iter().map(show).collect()
    }

    #[test]
    fn finds_what_could_be_written_otherwise() {
        assert_eq!(
            shown("my.coin + 2 >= 3 and not any(cards where it.level > 1)", TextShape::Expr),
            [
                "name coin",
                "sign +",
                "number 2",
                "compare >=",
                "number 3",
                "joint and",
                "name cards",
                "name it",
                "condition it.level > 1",
                "name level",
                "compare >",
                "number 1",
            ]
        );
        assert_eq!(shown("2 coin + 1 rope", TextShape::Cost), ["number 2", "name coin", "number 1", "name rope"]);
    }

    #[test]
    fn a_range_of_one_number_is_one_part() {
        let numbers = |text: &str| -> Vec<String> {
            let is_number = |part: &String| part.starts_with("number") || part.starts_with("exactly");
            shown(text, TextShape::Effect).into_iter().filter(is_number).collect()
        };
        assert_eq!(numbers("choose 2..2 card in deck { pass }"), ["exactly 2 in 2..2"]);
        assert_eq!(numbers("choose 0..2 card in deck { pass }"), ["number 0", "number 2"]);
        assert_eq!(numbers("choose min(3, n)..min(3, n) card in deck { pass }"), ["number 3"]);
    }

    #[test]
    fn steps_are_cut_with_their_separator() {
        let steps = |text: &str| -> Vec<String> {
            shown(text, TextShape::Effect).into_iter().filter(|part| part.starts_with("step")).collect()
        };
        assert_eq!(
            steps("pass; pause; cancel"),
            [
                "step pass leaves `pause; cancel`",
                "step pause leaves `pass; cancel`",
                "step cancel leaves `pass; pause`",
            ]
        );
        assert_eq!(
            steps("if true { pass }"),
            ["step if true { pass } alone leaves ``", "step pass leaves `if true {  }`"]
        );
        assert_eq!(
            steps("pass; may { pause }"),
            [
                "step pass leaves `may { pause }`",
                "step may { pause } leaves `pass`",
                "step pause leaves `pass; may {  }`",
            ]
        );
        assert_eq!(steps("either a { pass } or b { pause }").len(), 3);
        assert_eq!(steps(""), [""; 0]);
    }
}
