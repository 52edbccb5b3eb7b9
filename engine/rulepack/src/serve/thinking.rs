//! The method `think`: what a bot would answer for a seat.

use rulepack_tools::{BotKind, Judged};
use serde::{Deserialize, Serialize};

use super::{Failure, Server, seat};
use crate::refused::Refused;
use crate::seated_bot::SeatedBot;

/// The params.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Think {
    table: u64,
    #[serde(rename = "as")]
    viewer: String,
    bot: String,
    #[serde(default)]
    seed: Option<u64>,
}

/// What the bot thinks.
#[derive(Serialize)]
pub(super) struct Thinks {
    revision: u64,
    /// The option that it would choose.
    index: u16,
    /// How many games it played on.
    simulated: u64,
    judged: Vec<JudgedOption>,
}

#[derive(Serialize)]
struct JudgedOption {
    index: u16,
    tried: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    wins: Option<f64>,
    points: f64,
}

impl Server {
    /// Asks a bot that knows nothing but the table. Without a seed it is the number of answers, so that the same question gets the
    /// same answer.
    pub(super) fn think(&mut self, think: &Think) -> Result<Thinks, Failure> {
        let seat = seat(&think.viewer)?;
        let kind = think.bot.parse::<BotKind>().map_err(|error| Failure::new("bad-params", error.to_string()))?;
        let table = self.table(think.table)?;
        // It also tells whether there is such a seat.
        table.questions(seat)?;
        let seed = think.seed.unwrap_or(table.answers() as u64);
        let thought = SeatedBot::new(seat, kind, seed).thinks(table)?;
        let Some(thought) = thought else {
            let asked = table.game().decision().map(|decision| decision.seat);
            return Err(asked.map_or(Refused::Over, |asked| Refused::NotAsked { seat, asked: vec![asked] }).into());
        };
        let judged = |judged: Judged| JudgedOption {
            index: judged.answer.0,
            tried: judged.tried,
            wins: judged.wins,
            points: judged.points,
        };
        Ok(Thinks {
            revision: table.revision(seat),
            index: thought.answer.0,
            simulated: thought.simulated,
            judged: thought.judged.into_iter().map(judged).collect(),
        })
    }
}
