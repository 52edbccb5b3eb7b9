//! Answers as they are kept in files: who gave them, which option it was, what else was offered and what followed, by ids in
//! place of numbers. So a replay can tell what was offered then and what is offered now.

// What is read comes from strangers: nothing of it may end the program.
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
    /// Who gave it, such as `player_1`.
    pub seat: String,
    /// What was chosen, such as `build inn`.
    pub option: String,
    /// A digest of all that was offered, in any order.
    pub offered: String,
    /// What else was offered; nothing if there was only this, or if the file does not say.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub others: Vec<String>,
    /// A digest of what followed, as [`told`] makes it; nothing if the file does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub told: Option<String>,
}

impl Given {
    /// All that was offered, if the file says so.
    pub fn all_offered(&self) -> Option<Vec<String>> {
        let mut all = self.others.clone();
        all.push(self.option.clone());
        (digest(&all) == self.offered).then_some(all)
    }

    /// The same, and what followed from it.
    #[must_use]
    pub fn and_told(mut self, game: &Game, events: &[LogEntry]) -> Given {
        self.told = Some(told(game, events));
        self
    }
}

/// A digest of what an answer led to, by ids: the same in every language. `game` is the game after it.
pub fn told(game: &Game, events: &[LogEntry]) -> String {
    digest_in_order(&told_lines(game, events))
}

/// What an answer led to, by ids, one line for each fact that people are told.
pub fn told_lines(game: &Game, events: &[LogEntry]) -> Vec<String> {
    events.iter().filter_map(|event| event_key(game.rules(), game.state(), event)).collect()
}

/// Why an answer cannot be given again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum GivenError {
    /// Nobody is asked.
    #[error("{seat}: `{option}` cannot be chosen: the game is over")]
    Over {
        /// Who gave it.
        seat: String,
        /// What was chosen.
        option: String,
    },
    /// Somebody else is asked.
    #[error("{seat}: `{option}` cannot be chosen: {asked} is asked now")]
    OtherSeat {
        /// Who gave it.
        seat: String,
        /// What was chosen.
        option: String,
        /// Who is asked.
        asked: String,
    },
    /// It is not among the options.
    #[error("{seat}: `{option}` is no longer offered; offered are {}", listed(offered))]
    NotOffered {
        /// Who gave it.
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

    /// An answer to the present question as it is kept in files; nothing if it is not offered.
    pub fn given(&self, answer: Answer) -> Option<Given> {
        let decision = self.decision()?;
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

    /// The option of the present question that an answer names, and the answer as it would be kept now: what is offered now
    /// may differ.
    ///
    /// # Errors
    /// If it is not offered to that player now.
    pub fn find(&self, given: &Given) -> Result<(Answer, Given), GivenError> {
        let (seat, option) = (given.seat.clone(), given.option.clone());
        let Some(decision) = self.decision() else { return Err(GivenError::Over { seat, option }) };
        let asked = seat_key(decision.seat);
        if asked != seat {
            return Err(GivenError::OtherSeat { seat, option, asked });
        }
        let mut names = self.option_names(decision);
        let path: Vec<&str> = option.split(' ').collect();
        let fits = |option: &Opt| option_keys(self.rules(), self.state(), *option).matches(&path);
        let found = names.iter().position(|name| *name == option).or_else(|| {
            // Where fewer options were alike, less was needed to name one.
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
