//! Parsing: from text to [`Ast`]. Only this file and `parse/parts.rs` know the parser library.

mod parts;
mod steps;

use pest::Parser;
use pest::error::InputLocation;
use pest::iterators::{Pair, Pairs};
use rulepack_model::Cut;

use crate::ast::*;
use crate::error::ExprError;
use crate::meant::{meant, shape_of};
use crate::nesting::{check_nesting, with_room};

pub use parts::{Part, PartKind, TextShape, parts};
use steps::{arguments, cost, steps};

#[derive(pest_derive::Parser)]
#[grammar = "grammar/expr.pest"]
struct ExprParser;

type Parsed<T> = Result<T, ExprError>;

/// Longer texts are refused; no card needs them.
const MAX_LENGTH: usize = 8_000;

/// The largest depth of an expression, by brackets or by joined parts: `1 + 1 + 1` has depth two. Functions that walk
/// expressions have enough stack for this depth.
const MAX_JOINED: u16 = 200;

/// Parses an expression.
pub fn parse_expr(text: &str) -> Parsed<Ast> {
    with_room(text, || {
        let whole = read(Rule::whole_expr, text)?;
        expr(first(whole)?)
    })
}

/// Parses a cost and its destination; an empty text costs nothing.
pub fn parse_cost(text: &str) -> Parsed<(CostAst, Option<Ast>)> {
    with_room(text, || {
        let whole = read(Rule::whole_cost, text)?;
        let at = whole.as_span().start()..whole.as_span().end();
        let mut parsed = CostAst { at, terms: Vec::new(), less: None };
        let mut to = None;
        for part in whole.into_inner() {
            match part.as_rule() {
                Rule::cost => parsed = cost(part)?,
                Rule::expr => to = Some(expr(part)?),
                _ => {}
            }
        }
        Ok((parsed, to))
    })
}

/// Parses an effect; an empty text does nothing.
pub fn parse_effect(text: &str) -> Parsed<Vec<StepAst>> {
    with_room(text, || {
        let whole = read(Rule::whole_effect, text)?;
        match whole.into_inner().find(|part| part.as_rule() == Rule::steps) {
            Some(inner) => steps(inner),
            None => Ok(Vec::new()),
        }
    })
}

fn read(rule: Rule, text: &str) -> Parsed<Pair<'_, Rule>> {
    if text.len() > MAX_LENGTH {
        return Err(
            ExprError::syntax(0..text.len(), "this text is too long").help("move the longer part into a script")
        );
    }
    check_nesting(text)?;
    let mut pairs = ExprParser::parse(rule, text).map_err(|error| explain(text, &error, shape_read(rule)))?;
    pairs.next().ok_or_else(|| ExprError::syntax(0..text.len(), "nothing could be read"))
}

/// What an entry point parses.
fn shape_read(rule: Rule) -> TextShape {
    match rule {
        Rule::whole_effect => TextShape::Effect,
        Rule::whole_cost => TextShape::Cost,
        _ => TextShape::Expr,
    }
}

/// Says what was expected, without the vocabulary of a parser.
fn explain(text: &str, error: &pest::error::Error<Rule>, shape: TextShape) -> ExprError {
    let start = match error.location {
        InputLocation::Pos(at) | InputLocation::Span((at, _)) => at,
    };
    if let Some(meant) = meant(text, start, shape) {
        return meant;
    }
    let rest = text.cut(start..);
    let end = start.saturating_add(rest.chars().next().map_or(0, char::len_utf8));
    let found = rest.split_whitespace().next();
    let mut wanted: Vec<&str> = Vec::new();
    if let pest::error::ErrorVariant::ParsingError { positives, .. } = &error.variant {
        for rule in positives {
            if let Some(words) = describe(*rule).filter(|words| !wanted.contains(words)) {
                wanted.push(words);
            }
        }
    }
    wanted.truncate(4);
    let before = text.cut(..start).trim_end();
    let after = before.split_whitespace().next_back().unwrap_or("");
    let wanted = match wanted.as_slice() {
        [] if before.is_empty() => ", where a name, a number or a step such as `gain 1 …` should stand".to_string(),
        [] => format!(", where a name or a number should stand after `{after}`"),
        [one] => format!(", where {one} should stand"),
        [init @ .., last] => format!(", where {} or {last} should stand", init.join(", ")),
    };
    let message = match found {
        Some(word) => format!("cannot read `{word}` here{wanted}"),
        None if text.trim().is_empty() => "the text is empty".to_string(),
        None => format!("the text ends too early{wanted}"),
    };
    // A part that is missing at the end of a line is missing there, not on the next line; nothing is missing at the end of a step.
    let last = before.chars().next_back().map_or(0, char::len_utf8);
    let is_complete = found.is_some() && before.ends_with([';', '{']);
    let is_below = last > 0 && !is_complete && text.cut(before.len()..start).contains('\n');
    let at = if is_below { before.len().saturating_sub(last)..before.len() } else { start..end };
    let error = ExprError::syntax(at, message);
    if rest.starts_with(',') {
        return error.help("steps are separated by `;`, the parts of a cost by `+`");
    }
    error.help(shape_of(text, start, shape))
}

fn describe(rule: Rule) -> Option<&'static str> {
    Some(match rule {
        Rule::number => "a number",
        Rule::name | Rule::field | Rule::thing => "a name",
        Rule::step | Rule::steps => "a step such as `gain 1 …`",
        Rule::block => "`{`",
        Rule::expr
        | Rule::sum
        | Rule::postfix
        | Rule::condition
        | Rule::conjunction
        | Rule::negation
        | Rule::comparison => "a value",
        Rule::cost | Rule::cost_term | Rule::counted | Rule::amount => "a cost such as `2 …`",
        Rule::compare | Rule::is => "a comparison such as `>=`",
        Rule::and | Rule::or => "`and`, `or`",
        Rule::to => "`to`",
        Rule::on => "`on`",
        Rule::from => "`from`",
        Rule::in_ => "`in`",
        Rule::of => "`of`",
        Rule::then => "`then`",
        Rule::else_ => "`else`",
        Rule::each => "`each`",
        Rule::branch => "a branch such as `name { … }`",
        Rule::end_turn | Rule::end_phase | Rule::end_game => "`turn`, `phase` or `game`",
        Rule::symbol_text => "a closing `'`",
        Rule::EOI => "the end",
        _ => return None,
    })
}

fn at(pair: &Pair<'_, Rule>) -> At {
    let span = pair.as_span();
    span.start()..span.start().saturating_add(span.as_str().trim_end().len())
}

/// The grammar guarantees this part; an error instead of a panic keeps a bug of ours from ending the program.
fn missing(at: At) -> ExprError {
    ExprError::syntax(at, "this could not be read")
}

fn first(pair: Pair<'_, Rule>) -> Parsed<Pair<'_, Rule>> {
    let place = at(&pair);
    pair.into_inner().next().ok_or_else(|| missing(place))
}

struct Parts<'i> {
    at: At,
    pairs: Pairs<'i, Rule>,
}

impl<'i> Parts<'i> {
    fn of(pair: Pair<'i, Rule>) -> Self {
        Parts { at: at(&pair), pairs: pair.into_inner() }
    }

    fn next(&mut self) -> Parsed<Pair<'i, Rule>> {
        self.pairs.next().ok_or_else(|| missing(self.at.clone()))
    }

    /// The next part if it has this rule; keywords before it are skipped.
    fn next_if(&mut self, rule: Rule) -> Option<Pair<'i, Rule>> {
        let mut ahead = self.pairs.clone();
        let found = ahead.find(|pair| pair.as_rule() == rule || !is_word(pair.as_rule()))?;
        if found.as_rule() != rule {
            return None;
        }
        self.pairs = ahead;
        Some(found)
    }

    /// The next part that is not a keyword.
    fn value(&mut self) -> Parsed<Pair<'i, Rule>> {
        loop {
            let pair = self.next()?;
            if !is_word(pair.as_rule()) {
                return Ok(pair);
            }
        }
    }
}

/// Whether a rule is a word between the parts of a step, which carries nothing itself.
fn is_word(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::to
            | Rule::on
            | Rule::from
            | Rule::for_
            | Rule::each
            | Rule::in_
            | Rule::of
            | Rule::by
            | Rule::as_
            | Rule::at
            | Rule::if_
            | Rule::then
            | Rule::else_
            | Rule::where_
            | Rule::while_
            | Rule::until
            | Rule::my
            | Rule::or
            | Rule::and
            | Rule::kw_pay
            | Rule::kw_gain
            | Rule::kw_put
            | Rule::kw_store
            | Rule::kw_take
            | Rule::kw_return
            | Rule::kw_lay
            | Rule::kw_move
            | Rule::kw_bottom
            | Rule::kw_face
            | Rule::kw_down
            | Rule::kw_up
            | Rule::kw_draw
            | Rule::kw_shuffle
            | Rule::kw_refill
            | Rule::kw_flip
            | Rule::kw_swap
            | Rule::kw_choose
            | Rule::kw_let
            | Rule::kw_roll
            | Rule::kw_set
            | Rule::kw_may
            | Rule::kw_either
            | Rule::kw_repeat
            | Rule::kw_raise
            | Rule::kw_do
            | Rule::kw_free
            | Rule::kw_use
            | Rule::kw_end
            | Rule::kw_turn
            | Rule::kw_phase
            | Rule::kw_game
            | Rule::kw_pass
            | Rule::kw_pause
            | Rule::kw_with
            | Rule::kw_pick
            | Rule::kw_cancel
            | Rule::kw_rejoin
            | Rule::kw_eliminate
            | Rule::kw_the
            | Rule::kw_round
            | Rule::kw_different
            | Rule::kw_any
            | Rule::kw_less
            | Rule::kw_won
            | Rule::kw_drawn
            | Rule::kw_look
            | Rule::kw_secret
            | Rule::kw_reveal
            | Rule::kw_it
            | Rule::kw_moves
            | Rule::kw_disclose
            | Rule::kw_together
    )
}

impl Ast {
    /// An expression with parts, unless it becomes too deep.
    fn joined(kind: AstKind, at: At) -> Parsed<Ast> {
        let depth = kind.parts().iter().map(|part| part.depth).max().unwrap_or(0).saturating_add(1);
        if depth > MAX_JOINED {
            let message = format!("more than {MAX_JOINED} parts of one expression are joined or inside one another");
            let help = "move a part of it into a `[value.…]` of its own, or into a script";
            return Err(ExprError::syntax(at, message).help(help));
        }
        Ok(Ast { at, kind, depth })
    }
}

fn name(pair: Pair<'_, Rule>) -> NameAst {
    NameAst { at: at(&pair), text: pair.as_str().trim().to_string() }
}

fn expr(pair: Pair<'_, Rule>) -> Parsed<Ast> {
    let place = at(&pair);
    match pair.as_rule() {
        Rule::expr => {
            let mut parts = Parts::of(pair);
            let first = expr(parts.next()?)?;
            let mut set = ranged(first, &mut parts)?;
            loop {
                set = labelled(set, &mut parts)?;
                let Some(word) = parts.pairs.next() else { return Ok(set) };
                let (base, cond) = (Box::new(set), Box::new(expr(parts.next()?)?));
                let place = place.start..cond.at.end;
                set = match word.as_rule() {
                    Rule::while_ => Ast::joined(AstKind::While(base, cond), place)?,
                    Rule::until => Ast::joined(AstKind::Until(base, cond), place)?,
                    _ => Ast::joined(AstKind::Where(base, cond), place)?,
                };
            }
        }
        Rule::condition => chain(pair, |_| BinaryOp::Or),
        Rule::conjunction => chain(pair, |_| BinaryOp::And),
        Rule::sum => chain(pair, |op| if op.starts_with('+') { BinaryOp::Add } else { BinaryOp::Sub }),
        Rule::product => chain(pair, |op| match op.chars().next() {
            Some('*') => BinaryOp::Mul,
            Some('/') => BinaryOp::Div,
            _ => BinaryOp::Rem,
        }),
        Rule::negation => {
            let mut parts = Parts::of(pair);
            match parts.next_if(Rule::not) {
                Some(not) => {
                    let next = parts.next()?;
                    if let Some(second) = first_inside(&next, Rule::not) {
                        return Err(doubled(at(&not).start..at(&second).end, "not", "write one `not`, or none"));
                    }
                    Ast::joined(AstKind::Not(Box::new(expr(next)?)), place)
                }
                None => expr(parts.next()?),
            }
        }
        Rule::comparison => comparison(pair),
        Rule::sign => {
            let mut parts = Parts::of(pair);
            match parts.next_if(Rule::minus) {
                Some(_) => Ast::joined(AstKind::Negative(Box::new(expr(parts.next()?)?)), place),
                None => expr(parts.next()?),
            }
        }
        Rule::postfix | Rule::thing => postfix(pair),
        Rule::amount => expr(first(pair)?),
        Rule::number => {
            let text = pair.as_str().trim();
            let number = text.parse().map_err(|_| ExprError::syntax(place.clone(), "this number is too large"))?;
            Ok(Ast::leaf(AstKind::Int(number), place))
        }
        Rule::true_ => Ok(Ast::leaf(AstKind::Bool(true), place)),
        Rule::false_ => Ok(Ast::leaf(AstKind::Bool(false), place)),
        Rule::symbol => Ok(Ast::leaf(AstKind::Symbol(first(pair)?.as_str().to_string()), place)),
        Rule::name => Ok(Ast::leaf(AstKind::Name(pair.as_str().trim().to_string()), place)),
        Rule::choice => {
            let mut parts = Parts::of(pair);
            let cond = expr(parts.value()?)?;
            let yes = expr(parts.value()?)?;
            let no = expr(parts.value()?)?;
            Ast::joined(AstKind::If(Box::new(cond), Box::new(yes), Box::new(no)), place)
        }
        Rule::mine => {
            let mut parts = Parts::of(pair);
            let part = parts.value()?;
            let me = || Box::new(Ast::leaf(AstKind::Name("me".into()), place.start..place.start.saturating_add(2)));
            match part.as_rule() {
                Rule::dot => Ast::joined(AstKind::Dot(me(), first(part)?.as_str().to_string()), place),
                Rule::index => Ast::joined(AstKind::Index(me(), Box::new(expr(first(part)?)?)), place),
                _ => Ok(Ast::leaf(AstKind::My(part.as_str().trim().to_string()), place)),
            }
        }
        Rule::list => {
            let members = pair.into_inner().map(expr).collect::<Parsed<Vec<_>>>()?;
            Ast::joined(AstKind::List(members), place)
        }
        Rule::query => {
            let mut parts = Parts::of(pair);
            let file = parts.next()?.as_str().trim().to_string();
            let function = parts.next()?.as_str().trim().to_string();
            Ast::joined(AstKind::Query(format!("{file}.{function}"), arguments(&mut parts)?), place)
        }
        Rule::call => {
            let mut parts = Parts::of(pair);
            let function = parts.next()?.as_str().trim().to_string();
            let mut args = Vec::new();
            if let Ok(first) = parts.next() {
                args.push(labelled(expr(first)?, &mut parts)?);
            }
            for rest in parts.pairs {
                args.push(expr(rest)?);
            }
            Ast::joined(AstKind::Call(function, args), place)
        }
        _ => Err(missing(place)),
    }
}

/// `0..my.coin`, if something follows the least number.
fn ranged(least: Ast, parts: &mut Parts<'_>) -> Parsed<Ast> {
    if parts.next_if(Rule::dots).is_none() {
        return Ok(least);
    }
    let most = expr(parts.next()?)?;
    let at = least.at.start..most.at.end;
    Ast::joined(AstKind::Range(Box::new(least), Box::new(most)), at)
}

/// A set whose member has a name, if there is one.
fn labelled(set: Ast, parts: &mut Parts<'_>) -> Parsed<Ast> {
    let Some(label) = parts.next_if(Rule::label) else { return Ok(set) };
    let label = name(Parts::of(label).value()?);
    let at = set.at.start..label.at.end;
    Ast::joined(AstKind::As(Box::new(set), label), at)
}

fn chain(pair: Pair<'_, Rule>, op: impl Fn(&str) -> BinaryOp) -> Parsed<Ast> {
    let start = at(&pair).start;
    let mut parts = Parts::of(pair);
    let mut left = expr(parts.next()?)?;
    while let Some(sign) = parts.pairs.next() {
        let next = parts.next()?;
        if sign.as_str().starts_with('-') && next.as_str().starts_with('-') {
            return Err(doubled(at(&sign).start..at(&next).start.saturating_add(1), "-", TWO_SIGNS));
        }
        let right = expr(next)?;
        let place = start..right.at.end;
        left = Ast::joined(AstKind::Binary(op(sign.as_str()), Box::new(left), Box::new(right)), place)?;
    }
    Ok(left)
}

const TWO_SIGNS: &str = "write `+` or one `-`; a comment begins with `#`";

/// The first part of what was read, if it is of this rule.
fn first_inside<'t>(pair: &Pair<'t, Rule>, rule: Rule) -> Option<Pair<'t, Rule>> {
    pair.clone().into_inner().next().filter(|part| part.as_rule() == rule)
}

/// Two signs in a row that cancel each other out: one of them is a slip.
fn doubled(at: At, sign: &str, help: &str) -> ExprError {
    ExprError::syntax(at, format!("`{sign} {sign}` says nothing: the second undoes the first")).help(help)
}

fn comparison(pair: Pair<'_, Rule>) -> Parsed<Ast> {
    let place = at(&pair);
    let mut parts = Parts::of(pair);
    let left = expr(parts.next()?)?;
    let Some(op) = parts.pairs.next() else { return Ok(left) };
    if op.as_rule() == Rule::is {
        if parts.next_if(Rule::in_).is_some() {
            let first = expr(parts.next()?)?;
            let set = ranged(first, &mut parts)?;
            return Ast::joined(AstKind::In(Box::new(left), Box::new(set)), place);
        }
        let negated = parts.next_if(Rule::not).is_some();
        let what = parts.next()?;
        let is = Ast::joined(AstKind::Is(Box::new(left), what.as_str().trim().to_string(), at(&what)), place.clone())?;
        return if negated { Ast::joined(AstKind::Not(Box::new(is)), place) } else { Ok(is) };
    }
    let op = match op.as_str().trim() {
        "==" => BinaryOp::Eq,
        "!=" => BinaryOp::Ne,
        "<" => BinaryOp::Lt,
        "<=" => BinaryOp::Le,
        ">" => BinaryOp::Gt,
        _ => BinaryOp::Ge,
    };
    let right = expr(parts.next()?)?;
    Ast::joined(AstKind::Binary(op, Box::new(left), Box::new(right)), place)
}

fn postfix(pair: Pair<'_, Rule>) -> Parsed<Ast> {
    let start = at(&pair).start;
    let mut parts = Parts::of(pair);
    let mut value = expr(parts.next()?)?;
    while let Some(part) = parts.pairs.next() {
        let place = start..at(&part).end;
        value = match part.as_rule() {
            Rule::dot => Ast::joined(AstKind::Dot(Box::new(value), first(part)?.as_str().to_string()), place)?,
            Rule::index => Ast::joined(AstKind::Index(Box::new(value), Box::new(expr(first(part)?)?)), place)?,
            Rule::of => {
                let owner = expr(parts.next()?)?;
                let place = start..owner.at.end;
                Ast::joined(AstKind::Of(Box::new(value), Box::new(owner)), place)?
            }
            _ => return Err(missing(place)),
        };
    }
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A step is read by its parts: a word of the grammar that is taken for one of them would be read as an expression.
    #[test]
    fn each_word_of_the_grammar_is_known_as_one() {
        let forgotten: Vec<String> = Rule::all_rules()
            .iter()
            .filter(|rule| !is_word(**rule))
            .map(|rule| format!("{rule:?}"))
            .filter(|name| name.starts_with("kw_"))
            .collect();
        assert_eq!(forgotten, [""; 0]);
    }
}
