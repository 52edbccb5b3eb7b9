//! Steps of effects, and costs.

use pest::iterators::Pair;

use super::{Parsed, Parts, Rule, at, expr, first, missing, name};
use crate::ast::*;

pub(super) fn cost(pair: Pair<'_, Rule>) -> Parsed<CostAst> {
    let place = at(&pair);
    let mut terms = Vec::new();
    let mut less = None;
    for term in pair.into_inner() {
        if term.as_rule() == Rule::less {
            less = Some(expr(Parts::of(term).value()?)?);
            continue;
        }
        let part = first(term)?;
        if part.as_rule() == Rule::counted {
            let mut parts = Parts::of(part);
            let amount = expr(parts.next()?)?;
            terms.push(TermAst::Counted(amount, expr(parts.next()?)?));
        } else {
            terms.push(TermAst::Whole(expr(part)?));
        }
    }
    Ok(CostAst { at: place, terms, less })
}

pub(super) fn steps(pair: Pair<'_, Rule>) -> Parsed<Vec<StepAst>> {
    pair.into_inner().map(step).collect()
}

fn block(pair: Pair<'_, Rule>) -> Parsed<Vec<StepAst>> {
    match pair.into_inner().next() {
        Some(inner) => steps(inner),
        None => Ok(Vec::new()),
    }
}

fn step(pair: Pair<'_, Rule>) -> Parsed<StepAst> {
    let pair = if pair.as_rule() == Rule::step { first(pair)? } else { pair };
    let place = at(&pair);
    let rule = pair.as_rule();
    let mut parts = Parts::of(pair.clone());
    let kind = match rule {
        Rule::block => StepKind::Block(block(pair)?),
        Rule::named => StepKind::Named { label: name(parts.value()?), step: Box::new(step(parts.value()?)?) },
        Rule::exchange => {
            let price = cost(parts.value()?)?;
            StepKind::Exchange { cost: price, then: Box::new(step(parts.value()?)?) }
        }
        Rule::pay | Rule::gain => pay_or_gain(rule, parts)?,
        Rule::put | Rule::store | Rule::take | Rule::give_back => with_place(rule, parts)?,
        Rule::lay => StepKind::Lay { piece: expr(parts.value()?)?, on: expr(parts.value()?)? },
        Rule::move_ => move_(parts)?,
        Rule::draw => {
            StepKind::Draw { count: expr(parts.value()?)?, from: expr(parts.value()?)?, to: expr(parts.value()?)? }
        }
        Rule::shuffle => StepKind::Shuffle(expr(parts.value()?)?),
        Rule::refill => StepKind::Refill(expr(parts.value()?)?),
        Rule::flip => StepKind::Flip(expr(parts.value()?)?),
        Rule::swap => StepKind::Swap { one: expr(parts.value()?)?, other: expr(parts.value()?)? },
        Rule::choose => choose(parts)?,
        Rule::pick => {
            let (name, set) = (name(parts.value()?), expr(parts.value()?)?);
            StepKind::Pick { name, set, secret: parts.next_if(Rule::in_secret).is_some() }
        }
        Rule::let_ => StepKind::Let { name: name(parts.value()?), value: expr(parts.value()?)? },
        Rule::roll => {
            let (name, sides) = (name(parts.value()?), expr(parts.value()?)?);
            StepKind::Roll { name, sides, secret: parts.next_if(Rule::in_secret).is_some() }
        }
        Rule::set => StepKind::Set { target: expr(parts.value()?)?, value: expr(parts.value()?)? },
        Rule::may => {
            let inner = Box::new(step(parts.value()?)?);
            StepKind::May { step: inner, prompt: prompt(&mut parts)? }
        }
        Rule::either => either(parts)?,
        Rule::repeat => StepKind::Repeat { times: expr(parts.value()?)?, body: block(parts.value()?)? },
        Rule::for_each => {
            StepKind::ForEach { name: name(parts.value()?), set: expr(parts.value()?)?, body: block(parts.value()?)? }
        }
        Rule::when => when(parts)?,
        Rule::as_seat => StepKind::AsSeat { seat: expr(parts.value()?)?, body: block(parts.value()?)? },
        Rule::together => StepKind::Together { players: expr(parts.value()?)?, body: block(parts.value()?)? },
        Rule::raise => StepKind::Raise { event: name(parts.value()?), args: arguments(&mut parts)? },
        Rule::perform => {
            let action = name(parts.value()?);
            let args = arguments(&mut parts)?;
            StepKind::Perform { action, args, free: parts.next_if(Rule::free).is_some() }
        }
        Rule::use_ => StepKind::Use(expr(parts.value()?)?),
        Rule::end => end(parts)?,
        Rule::pass => StepKind::Pass,
        Rule::pause => StepKind::Pause,
        Rule::cancel => StepKind::Cancel,
        Rule::rejoin => StepKind::Rejoin(expr(parts.value()?)?),
        Rule::eliminate => {
            let players = expr(parts.value()?)?;
            StepKind::Eliminate { players, round: parts.next_if(Rule::for_round).is_some() }
        }
        Rule::look => {
            let set = expr(parts.value()?)?;
            let lasting = parts.next_if(Rule::until_it_moves).is_some();
            let by = match parts.next_if(Rule::by_seat) {
                Some(part) => Some(expr(Parts::of(part).value()?)?),
                None => None,
            };
            StepKind::Look { set, lasting, by, prompt: prompt(&mut parts)? }
        }
        Rule::reveal => reveal(parts)?,
        Rule::disclose => {
            let what = expr(parts.value()?)?;
            StepKind::Disclose { what, prompt: prompt(&mut parts)? }
        }
        Rule::script => {
            let file = name(parts.next()?);
            let function = parts.next()?.as_str().trim().to_string();
            StepKind::Script { file, function, args: arguments(&mut parts)? }
        }
        _ => return Err(missing(place)),
    };
    Ok(StepAst { at: place, kind })
}

fn choose(mut parts: Parts<'_>) -> Parsed<StepKind> {
    let range = match parts.next_if(Rule::range) {
        Some(part) => {
            let mut inner = Parts::of(part);
            Some((expr(inner.next()?)?, expr(inner.next()?)?))
        }
        None => None,
    };
    let different = parts.next_if(Rule::different).is_some();
    let label = name(parts.value()?);
    let set = expr(parts.value()?)?;
    let secret = parts.next_if(Rule::in_secret).is_some();
    let if_any = parts.next_if(Rule::if_any).is_some();
    let by = match parts.next_if(Rule::by_seat) {
        Some(part) => Some(expr(Parts::of(part).value()?)?),
        None => None,
    };
    let words = prompt(&mut parts)?;
    let free = parts.next_if(Rule::with_free).is_some();
    let body = match parts.next_if(Rule::block) {
        Some(part) => Some(block(part)?),
        None => None,
    };
    Ok(StepKind::Choose(ChooseAst {
        range,
        different,
        name: label,
        set,
        secret,
        if_any,
        by,
        prompt: words,
        free,
        body,
    }))
}

fn prompt(parts: &mut Parts<'_>) -> Parsed<Option<NameAst>> {
    match parts.next_if(Rule::prompt) {
        Some(part) => Ok(Some(name(Parts::of(part).value()?))),
        None => Ok(None),
    }
}

pub(super) fn arguments(parts: &mut Parts<'_>) -> Parsed<Vec<Ast>> {
    match parts.next_if(Rule::arguments) {
        Some(part) => part.into_inner().map(expr).collect(),
        None => Ok(Vec::new()),
    }
}

/// `reveal SET to PLAYERS until it moves`
fn reveal(mut parts: Parts<'_>) -> Parsed<StepKind> {
    let set = expr(parts.value()?)?;
    let to = match parts.next_if(Rule::to_players) {
        Some(part) => Some(expr(Parts::of(part).value()?)?),
        None => None,
    };
    Ok(StepKind::Reveal { set, to, lasting: parts.next_if(Rule::until_it_moves).is_some() })
}

/// `move PIECE to ZONE at bottom face down`
fn move_(mut parts: Parts<'_>) -> Parsed<StepKind> {
    let piece = expr(parts.value()?)?;
    let to = expr(parts.value()?)?;
    let bottom = parts.next_if(Rule::at_bottom).is_some();
    let facing = match parts.next_if(Rule::facing) {
        Some(part) => Some(first(part)?.as_rule() == Rule::up),
        None => None,
    };
    Ok(StepKind::Move { piece, to, bottom, facing })
}

/// `either NAME { … } or NAME { … }`
fn either(mut parts: Parts<'_>) -> Parsed<StepKind> {
    let mut branches = Vec::new();
    while let Ok(part) = parts.value() {
        let mut inner = Parts::of(part);
        let label = name(inner.next()?);
        branches.push((label, block(inner.next()?)?));
    }
    Ok(StepKind::Either(branches))
}

/// `if COND { … } else { … }`
fn when(mut parts: Parts<'_>) -> Parsed<StepKind> {
    let cond = expr(parts.value()?)?;
    let then = block(parts.value()?)?;
    let other = match parts.value() {
        Ok(part) if part.as_rule() == Rule::when => vec![step(part)?],
        Ok(part) => block(part)?,
        Err(_) => Vec::new(),
    };
    Ok(StepKind::If { cond, then, other })
}

/// `end turn`, `end game for PLAYER`
fn end(mut parts: Parts<'_>) -> Parsed<StepKind> {
    let what = parts.value()?;
    Ok(match what.as_rule() {
        Rule::end_turn => StepKind::EndTurn,
        Rule::end_phase => StepKind::EndPhase,
        _ => {
            let winners = match Parts::of(what).value() {
                Ok(drawn) if drawn.as_rule() == Rule::drawn => WinnersAst::Everybody,
                Ok(won) => WinnersAst::Are(expr(Parts::of(won).value()?)?),
                Err(_) => WinnersAst::ByPoints,
            };
            StepKind::EndGame { winners }
        }
    })
}

/// `put 1 coin on PIECE`: a cost and one place
fn with_place(rule: Rule, mut parts: Parts<'_>) -> Parsed<StepKind> {
    let price = cost(parts.value()?)?;
    let place = expr(parts.value()?)?;
    Ok(match rule {
        Rule::put => StepKind::Put { cost: price, on: place },
        Rule::store => StepKind::Store { cost: price, on: place },
        Rule::take => StepKind::Take { cost: price, from: place },
        _ => StepKind::GiveBack { cost: price, from: place },
    })
}

/// `pay 1 coin to PIECE`, `gain 1 coin`
fn pay_or_gain(rule: Rule, mut parts: Parts<'_>) -> Parsed<StepKind> {
    let price = cost(parts.value()?)?;
    let other = match parts.value() {
        Ok(part) => Some(expr(part)?),
        Err(_) => None,
    };
    Ok(if rule == Rule::pay {
        StepKind::Pay { cost: price, to: other }
    } else {
        StepKind::Gain { cost: price, whom: other }
    })
}
