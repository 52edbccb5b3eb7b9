//! What a text of the expression language says, in English sentences: `gain 2 coin` is "Gain 2 Coin."
//!
//! The words follow from the syntax tree alone and from the titles of the pack; whether the text is right is for `check`.

// Input comes from strangers: no input may end the program.
#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

mod steps;
mod values;

use std::collections::BTreeMap;

use rulepack_expr::{parse_cost, parse_effect, parse_expr};
use rulepack_pack::{Definitions, TextUse};

/// The titles that stand for names.
#[derive(Debug, Clone, Default)]
pub struct Titles {
    /// Resources, groups, zones, types, events and the like, by id.
    titles: BTreeMap<String, String>,
    /// Kinds and their plurals, by what texts call several of them.
    plurals: BTreeMap<String, String>,
    /// The plurals by kind.
    of_kinds: BTreeMap<String, String>,
}

/// Kinds of definitions whose ids stand in texts; where two have the same id, the first counts.
const NAMED: [&str; 10] = ["resource", "group", "zone", "symbol", "value", "var", "event", "action", "prompt", "set"];

impl Titles {
    /// The titles of a game.
    pub fn of(definitions: &Definitions) -> Titles {
        let mut all = Titles::default();
        let title = |kind: &str, id: &str| {
            definitions.get(kind, id).and_then(|node| node.below("title")).and_then(|title| title.as_str())
        };
        for of in NAMED {
            for (id, _) in definitions.of(of) {
                if let Some(title) = title(of, id) {
                    all.titles.entry(id.to_string()).or_insert_with(|| title.to_string());
                }
            }
        }
        for (kind, entry) in definitions.of("kind") {
            let plural = entry.node.below("plural").and_then(|plural| plural.as_str());
            let plural = plural.map_or_else(|| format!("{kind}s"), str::to_string);
            all.of_kinds.insert(kind.to_string(), plural.replace('_', " "));
            all.plurals.insert(plural.clone(), plural.replace('_', " "));
            for (id, _) in definitions.of(kind) {
                if let Some(title) = title(kind, id) {
                    all.titles.entry(id.to_string()).or_insert_with(|| title.to_string());
                }
            }
        }
        all
    }

    /// What several of a kind are called, or the name with blanks.
    pub fn called(&self, kind: &str) -> String {
        capital(&self.of_kinds.get(kind).cloned().unwrap_or_else(|| kind.replace('_', " ")))
    }

    /// What a name is called: its title, or the name with blanks.
    pub fn name(&self, id: &str) -> String {
        let known = self.titles.get(id).or_else(|| self.plurals.get(id));
        known.cloned().unwrap_or_else(|| id.replace('_', " "))
    }

    /// What a question asks, without the sign at its end.
    fn question(&self, id: &str) -> String {
        self.name(id).trim_end_matches(['?', '.', ' ']).to_string()
    }

    /// Whether several pieces in play are called so.
    fn is_plural(&self, id: &str) -> bool {
        self.plurals.contains_key(id) && !self.titles.contains_key(id)
    }
}

/// What a text says, or `None` if it cannot be read.
pub fn in_words(text: &str, used: TextUse, titles: &Titles) -> Option<String> {
    match used {
        TextUse::Effect => Some(titles.effect(&parse_effect(text).ok()?)),
        TextUse::Cost => {
            let (cost, to) = parse_cost(text).ok()?;
            let cost = titles.cost(&cost);
            Some(match to {
                Some(to) => format!("{cost}, onto {}", titles.value(&to)),
                None => cost,
            })
        }
        TextUse::Condition | TextUse::Value | TextUse::Set => Some(titles.value(&parse_expr(text).ok()?)),
    }
}

/// A text with a capital letter at its beginning.
fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().collect::<String>() + letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn titles() -> Titles {
        let pairs = [("coin", "Coin"), ("row", "Row"), ("hand", "Hand"), ("inn", "Inn"), ("which", "Which card?")];
        Titles {
            titles: pairs.iter().map(|(id, title)| (id.to_string(), title.to_string())).collect(),
            plurals: [("cards".to_string(), "cards".to_string())].into(),
            of_kinds: BTreeMap::new(),
        }
    }

    #[track_caller]
    fn says(text: &str, used: TextUse, words: &str) {
        assert_eq!(in_words(text, used, &titles()).as_deref(), Some(words), "{text}");
    }

    #[test]
    fn effects_read_as_sentences() {
        for (text, words) in [
            ("gain 1 coin; raise drawn(2)", "Gain 1 Coin. “drawn” happens (2)."),
            ("may { pay 2 coin -> gain 1 coin }", "You may pay 2 Coin to gain 1 Coin."),
            (
                "choose 0..1 card in my hand as which { move card to row at bottom }",
                "Choose 0 to 1 of your Hand (Which card), and for each: move it to Row at the bottom.",
            ),
            (
                "if count(my cards) >= 2 { gain 1 coin } else { end turn }",
                "If the number of your cards is at least 2, gain 1 Coin; otherwise the turn ends.",
            ),
            ("either one { gain 1 coin } or two { pass }", "One of these: one: gain 1 Coin; or two: you pass."),
            ("together players { choose card in my hand }", "All players, at the same time: choose one of your Hand."),
            ("ferries.night", "Do what the script ferries.night says."),
            ("", ""),
        ] {
            says(text, TextUse::Effect, words);
        }
    }

    #[test]
    fn values_and_costs_read_as_phrases() {
        says("2 coin + card.price less 1", TextUse::Cost, "2 Coin and the price of card, 1 less");
        says("any(row where it is inn)", TextUse::Condition, "there is one in Row where it is Inn");
        says("if my.coin > 3 then 1 else 0", TextUse::Value, "1 if your Coin is more than 3, else 0");
        assert_eq!(in_words("gain 1 +", TextUse::Effect, &titles()), None);
    }
}
