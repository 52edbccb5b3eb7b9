//! Descriptions of leaks: the difference that a player can notice, its place, and the pieces that cause it.

use std::collections::BTreeMap;
use std::fmt;

use rulepack_kernel::{Exchange, Game, Opt, Words};
use rulepack_model::{PieceId, Seat};

/// The number of attempts with fewer pieces, to find those that make the difference.
const MOST_TRIES: usize = 80;
/// The largest number of pieces that are named.
const MOST_PLACES: usize = 3;

/// What differs: the player who is asked next, or the question.
pub(crate) const ASKED_NEXT: &str = "who is asked next";
/// The difference: whether the pack fails at an answer, or the message about it.
pub(crate) const FAULT: &str = "whether and how the pack fails";

/// A difference in what a player sees, is offered, is told or notices, between two games with different hidden pieces.
#[derive(Debug, Clone)]
pub(crate) struct Shows {
    pub(crate) what: &'static str,
    pub(crate) one: String,
    pub(crate) two: String,
    /// The definition that reveals it, and the line of a script, if known.
    pub(crate) at: String,
    /// The number of the first event that differs.
    pub(crate) event: Option<usize>,
}

/// A leak.
#[derive(Debug)]
pub(crate) struct Leak {
    seat: Seat,
    shows: Shows,
    /// The answer before it, or that it was in the set-up.
    after: Option<String>,
    tables: Vec<String>,
}

impl Leak {
    /// Looks for two pieces that are enough to make the difference. `again` compares games with only those exchanged,
    /// `place` finds the step at which both games part.
    pub(crate) fn new(
        game: &Game,
        seat: Seat,
        answered: Option<Opt>,
        mut shows: Shows,
        mut exchange: Exchange,
        again: impl Fn(&Exchange) -> Option<Shows>,
        place: impl Fn(&Exchange, &Shows) -> Option<String>,
    ) -> Leak {
        let rules = game.rules();
        let is_owned = |piece: PieceId| rules.zone_owner(game.state().piece(piece).zone).is_some();
        let mut pairs: Vec<(PieceId, PieceId)> = exchange.pairs().collect();
        pairs.retain(|(one, two)| rules.called(*one) != rules.called(*two));
        pairs.sort_by_key(|(one, two)| !is_owned(*one) && !is_owned(*two));
        let mut swaps = pairs.iter().take(MOST_TRIES).map(|(one, two)| Exchange::swap(rules.pieces.len(), *one, *two));
        let only_values = Some(exchange.only_values()).filter(|values| !values.is_empty());
        let values = only_values.and_then(|values| Some((again(&values)?, values)));
        match values.or_else(|| swaps.find_map(|swap| Some((again(&swap)?, swap)))) {
            Some(found) => (shows, exchange) = found,
            // Two are not enough: pieces that make no difference go back to their places.
            None => {
                for (piece, _) in exchange.clone().pairs().take(MOST_TRIES) {
                    let less = exchange.without(piece);
                    if let Some(found) = again(&less) {
                        (shows, exchange) = (found, less);
                    }
                }
            }
        }
        let words = Words::new(rules, &rules.texts.own);
        let chosen = answered.map(|option| match option {
            Opt::Action(action, _) | Opt::Free(action, _) => {
                format!("action.{} effect", rules.actions[action.index()].name)
            }
            _ => String::new(),
        });
        if shows.what == ASKED_NEXT || shows.at.is_empty() {
            let found = place(&exchange, &shows);
            shows.at = found.or(Some(shows.at).filter(|at| !at.is_empty())).or(chosen).unwrap_or_default();
        }
        let after = answered.and_then(|option| {
            let decision = game.decision()?;
            let at = decision.options.iter().position(|listed| *listed == option)?;
            let answer = words.options(game.state(), decision).swap_remove(at);
            Some(format!("after the answer `{} {answer}`", words.question(decision)))
        });
        let mut tables = tables(game, &exchange, &words);
        tables.extend(exchange.hidden_values(game.rules()));
        Leak { seat, shows, after, tables }
    }

    /// Adds that it was before the first question.
    pub(crate) fn in_set_up(self) -> Leak {
        Leak { after: Some("in the set-up".to_string()), ..self }
    }
}

/// The hidden pieces in both games, as far as they differ.
fn tables(game: &Game, exchange: &Exchange, words: &Words<'_>) -> Vec<String> {
    let mut zones: BTreeMap<_, (Vec<String>, Vec<String>)> = BTreeMap::new();
    let rules = game.rules();
    for (one, two) in exchange.pairs() {
        let title = |piece: PieceId| words.type_title(rules.type_of(piece));
        let lies = zones.entry(game.state().piece(one).zone).or_default();
        lies.0.push(title(one));
        lies.1.push(title(two));
    }
    let told = zones.into_iter().map(|(zone, (mut one, mut two))| {
        one.sort();
        two.sort();
        let is_order = one == two;
        one.truncate(MOST_PLACES);
        two.truncate(MOST_PLACES);
        let (one, two) = (one.join(", "), two.join(", "));
        let text = match is_order {
            true => format!("{}: in another order", words.zone(zone)),
            false => format!("{}: {one} or {two}", words.zone(zone)),
        };
        (rules.zone_owner(zone).is_none(), text)
    });
    let mut told: Vec<(bool, String)> = told.collect();
    told.sort();
    told.truncate(MOST_PLACES);
    told.into_iter().map(|(_, text)| text).collect()
}

impl fmt::Display for Leak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shows { what, one, two, at, .. } = &self.shows;
        let player = self.seat.index() + 1;
        match *what {
            ASKED_NEXT | FAULT => write!(f, "{what} tells player {player} what is hidden")?,
            what => write!(f, "{what} of player {player} shows what is hidden")?,
        }
        write!(f, ": `{}` or `{}`", near(one, two), near(two, one))?;
        if let Some(after) = &self.after {
            write!(f, "; {after}")?;
        }
        write!(f, "; hidden: {}", self.tables.join("; "))?;
        match at.as_str() {
            "" => Ok(()),
            at if at.contains(".lua:") => write!(f, " ({at})"),
            at => write!(f, " (in {at})"),
        }
    }
}

/// The place at which two texts begin to differ.
fn near(text: &str, other: &str) -> String {
    let at = text.bytes().zip(other.bytes()).take_while(|(a, b)| a == b).count();
    let start = text.char_indices().map(|(at, _)| at).take_while(|index| index + 60 <= at).last();
    text[start.unwrap_or(0)..].chars().take(120).collect()
}
