//! Answers as files store them: the seat, the option, the other options, and a digest of what followed, all by ids
//! instead of numbers. So a replay can compare the options of that time with the present ones.

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

use std::hash::{Hash, Hasher};

use rulepack_model::StableHasher;
use serde::{Deserialize, Serialize};

use crate::flow::decision::{Answer, Decision, Opt};
use crate::flow::game::Game;
use crate::flow::log::LogEntry;
use crate::text::keys::{OptionKeys, event_key, option_keys, seat_key};

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Given {
    /// The seat, such as `player_1`.
    pub seat: String,
    /// The chosen option, such as `build inn`.
    pub option: String,
    /// A digest of all options, in any order.
    pub offered: String,
    /// The other options; `None` if there were none, or if the file does not contain them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<String>,
    /// A digest of what followed, as [`told`] makes it; `None` if the file does not contain it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<String>,
}

impl Given {
    /// All options, if the file contains them.
    pub fn all_offered(&self) -> Option<Vec<String>> {
        let mut all = self.others.clone();
        all.push(self.option.clone());
        (digest(&all) == self.offered).then_some(all)
    }

    /// The same answer with the digest of the events that followed.
    #[must_use]
    pub fn and_told(mut self, game: &Game, events: &[LogEntry]) -> Given {
        self.told = Some(told(game, events));
        self
    }
}

/// A digest of the events after an answer, by ids: the same in every language. `game` is the game after it.
pub fn told(game: &Game, events: &[LogEntry]) -> String {
    digest_in_order(&told_lines(game, events))
}

/// The events after an answer, by ids, one line for each event that people read.
pub fn told_lines(game: &Game, events: &[LogEntry]) -> Vec<String> {
    events.iter().filter_map(|event| event_key(game.rules(), game.state(), event)).collect()
}

/// Why an answer cannot be given again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GivenError {
    /// Nobody is asked.
    #[error("{seat}: `{option}` cannot be chosen: the game is over")]
    Over {
        /// The seat that gave it.
        seat: String,
        /// What was chosen.
        option: String,
    },
    /// Another player is asked.
    #[error("{seat}: `{option}` cannot be chosen: {asked} is asked now")]
    OtherSeat {
        /// The seat that gave it.
        seat: String,
        /// What was chosen.
        option: String,
        /// The player who is asked.
        asked: String,
    },
    /// It is not among the options.
    #[error("{seat}: `{option}` is no longer offered; offered are {}", listed(offered))]
    NotOffered {
        /// The seat that gave it.
        seat: String,
        /// What was chosen.
        option: String,
        /// The options.
        offered: Vec<String>,
    },
}

fn listed(names: &[String]) -> String {
    const SHOWN: usize = 12;
    let mut text = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    if names.len() > SHOWN {
        text += &format!(" and {} more", names.len().saturating_sub(SHOWN));
    }
    text
}

impl Game {
    /// A name for every option of a decision: the shortest path of ids that no other option has, or a number behind it.
    pub fn option_names(&self, decision: &Decision) -> Vec<String> {
        let keys: Vec<OptionKeys> =
            decision.options.iter().map(|option| option_keys(self.rules(), self.state(), *option)).collect();
        let mut names: Vec<String> = Vec::with_capacity(keys.len());
        for (index, own) in keys.iter().enumerate() {
            let is_only =
                |path: &&Vec<String>| keys.iter().enumerate().all(|(at, other)| at == index || !other.matches(path));
            let only = std::iter::once(&own.primary).chain(&own.others).find(is_only);
            names.push(only.map_or_else(
                || {
                    let before = keys.iter().take(index).filter(|other| other.primary == own.primary).count();
                    format!("{}#{}", own.primary.join(" "), before.saturating_add(1))
                },
                |path| path.join(" "),
            ));
        }
        names
    }

    /// An answer to the present question, in the form for files; `None` if it is not offered.
    pub fn given(&self, answer: Answer) -> Option<Given> {
        self.given_to(self.decision()?, answer)
    }

    /// An answer to a question of this game, in the form for files; `None` if it is not offered.
    pub fn given_to(&self, decision: &Decision, answer: Answer) -> Option<Given> {
        let mut names = self.option_names(decision);
        let offered = digest(&names);
        let index = usize::from(answer.0);
        (index < names.len()).then(|| Given {
            seat: seat_key(decision.seat),
            option: names.remove(index),
            offered,
            others: names,
            told: None,
        })
    }

    /// The option of the present question that an answer names, and the answer in its present form: the present options
    /// may differ.
    ///
    /// # Errors
    /// If it is not offered to that player now.
    pub fn find(&self, given: &Given) -> Result<(Answer, Given), GivenError> {
        match self.decision() {
            Some(decision) => self.find_in(decision, given),
            None => Err(GivenError::Over { seat: given.seat.clone(), option: given.option.clone() }),
        }
    }

    /// The same of a question of this game.
    ///
    /// # Errors
    /// If it is not offered there to that player.
    pub fn find_in(&self, decision: &Decision, given: &Given) -> Result<(Answer, Given), GivenError> {
        let (seat, option) = (given.seat.clone(), given.option.clone());
        let asked = seat_key(decision.seat);
        if asked != seat {
            return Err(GivenError::OtherSeat { seat, option, asked });
        }
        let mut names = self.option_names(decision);
        let path: Vec<&str> = option.split(' ').collect();
        let fits = |option: &Opt| option_keys(self.rules(), self.state(), *option).matches(&path);
        let found = names.iter().position(|name| *name == option).or_else(|| {
            // When there were fewer similar options, a shorter name was enough.
            let mut fitting = decision.options.iter().enumerate().filter(|(_, option)| fits(option));
            fitting.next().filter(|_| fitting.next().is_none()).map(|(index, _)| index)
        });
        let Some(index) = found else { return Err(GivenError::NotOffered { seat, option, offered: names }) };
        let offered = digest(&names);
        let now = Given { seat, option: names.remove(index), offered, others: names, told: None };
        Ok((Answer(index as u16), now))
    }
}

fn digest(names: &[String]) -> String {
    let mut sorted: Vec<String> = names.to_vec();
    sorted.sort();
    digest_in_order(&sorted)
}

fn digest_in_order(lines: &[String]) -> String {
    let mut hasher = StableHasher::new();
    lines.hash(&mut hasher);
    format!("{:08x}", hasher.finish() as u32)
}
