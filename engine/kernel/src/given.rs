//! Answers as they are kept in files: who gave them, and which option it was, by ids in place of numbers.

use std::hash::{Hash, Hasher};

use rulepack_model::StableHasher;
use serde::{Deserialize, Serialize};

use crate::decision::{Answer, Decision};
use crate::game::Game;
use crate::keys::{OptionKeys, option_keys, seat_key};

/// One answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Given {
    /// Who gave it, such as `player_1`.
    pub seat: String,
    /// What was chosen, such as `build inn`.
    pub option: String,
    /// A digest of all that was offered, in any order.
    pub offered: String,
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
        text += &format!(" and {} more", names.len() - SHOWN);
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
                    let before = keys[..index].iter().filter(|other| other.primary == own.primary).count();
                    format!("{}#{}", own.primary.join(" "), before + 1)
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
            option: names.swap_remove(index),
            offered,
        })
    }

    /// The option of the present question that an answer names, and whether the same was offered then.
    ///
    /// # Errors
    /// If it is not offered to that player now.
    pub fn find(&self, given: &Given) -> Result<(Answer, bool), GivenError> {
        let (seat, option) = (given.seat.clone(), given.option.clone());
        let Some(decision) = self.decision() else { return Err(GivenError::Over { seat, option }) };
        let asked = seat_key(decision.seat);
        if asked != seat {
            return Err(GivenError::OtherSeat { seat, option, asked });
        }
        let names = self.option_names(decision);
        let same = digest(&names) == given.offered;
        let path: Vec<&str> = option.split(' ').collect();
        let fits = |index: &usize| option_keys(self.rules(), self.state(), decision.options[*index]).matches(&path);
        let found = names.iter().position(|name| *name == option).or_else(|| {
            // Where fewer options were alike, less was needed to name one.
            let mut fitting = (0..names.len()).filter(fits);
            fitting.next().filter(|_| fitting.next().is_none())
        });
        match found {
            Some(index) => Ok((Answer(index as u16), same)),
            None => Err(GivenError::NotOffered { seat, option, offered: names }),
        }
    }
}

fn digest(names: &[String]) -> String {
    let mut sorted: Vec<&String> = names.iter().collect();
    sorted.sort();
    let mut hasher = StableHasher::new();
    sorted.hash(&mut hasher);
    format!("{:08x}", hasher.finish() as u32)
}
