//! The result of a game by names, so that it can be compared even if pieces and definitions have other numbers.

use rulepack_kernel::{Game, Outcome, seat_key};
use rulepack_model::{ResId, Seat};
use serde::{Deserialize, Serialize};

/// The result of a game.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ending {
    /// What the players have; empty if the log does not contain it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stock: Option<Vec<String>>,
    /// Points and winners; empty for a game that is not over.
    pub result: Vec<String>,
}

impl Ending {
    /// The result of a game at its present state.
    pub fn of(game: &Game) -> Self {
        let (rules, state) = (game.rules(), game.state());
        let mut stock = Vec::new();
        for seat in rules.seats() {
            for (index, resource) in rules.resources.iter().enumerate() {
                match state.amount(rules, seat, ResId::from(index)) {
                    0 => {}
                    amount => stock.push(format!("{} has {amount} {}", seat_key(seat), resource.name)),
                }
            }
        }
        stock.sort();
        let ending = state.outcome().map(Ending::of_outcome).unwrap_or_default();
        Ending { stock: Some(stock), ..ending }
    }

    /// A result of which only points and winners are known.
    pub fn of_outcome(outcome: &Outcome) -> Self {
        let mut result = Vec::new();
        for (index, sheet) in outcome.sheets.iter().enumerate() {
            let seat = seat_key(Seat::from(index));
            result.push(format!("{seat} has {} points", sheet.total));
            let breaks: Vec<String> = sheet.tie_breaks.iter().map(i64::to_string).collect();
            if !breaks.is_empty() {
                result.push(format!("{seat} breaks ties with {}", breaks.join(" ")));
            }
        }
        result.extend(outcome.winners.iter().map(|seat| format!("{} wins", seat_key(*seat))));
        Ending { stock: None, result }
    }

    /// The differences between two results: entries only in this one, and entries only in the other, among those that
    /// both contain.
    pub fn differences(&self, other: &Ending) -> (Vec<String>, Vec<String>) {
        let lines = |one: &Ending, other: &Ending| -> Vec<String> {
            let stock = one.stock.iter().flatten().filter(|_| other.stock.is_some());
            stock.chain(&one.result).cloned().collect()
        };
        let (here, there) = (lines(self, other), lines(other, self));
        let only =
            |one: &[String], other: &[String]| one.iter().filter(|line| !other.contains(line)).cloned().collect();
        (only(&here, &there), only(&there, &here))
    }
}
