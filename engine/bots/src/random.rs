//! A bot that chooses at random.

use rulepack_kernel::{Answer, Decision, Fault, Opt, Rng, Ruleset};

use crate::Bot;
use crate::situation::Situation;
use crate::thought::Thought;

/// Chooses at random, options with a higher weight more often.
#[derive(Debug, Clone)]
pub struct RandomBot {
    rng: Rng,
}

/// The weight of an option that is not an action.
const PLAIN: u32 = 100;

impl RandomBot {
    /// A bot for a game with a seed: its choices follow from the seed, and not from the random numbers of the game.
    pub fn new(seed: u64) -> Self {
        RandomBot { rng: Rng::new(Rng::new(seed ^ 0x5851_f42d_4c95_7f2d).next_u64()) }
    }

    /// How often an option is taken, compared with the others: the `weight` of its action, or 100.
    pub fn weight(rules: &Ruleset, option: &Opt) -> u32 {
        match option {
            Opt::Action(action, _) | Opt::Free(action, _) => rules.actions[action.index()].weight,
            _ => PLAIN,
        }
    }

    /// An answer to a decision.
    pub fn choose(&mut self, rules: &Ruleset, decision: &Decision) -> Answer {
        let weight = |option: &Opt| RandomBot::weight(rules, option);
        let options = decision.options.as_slice();
        let first = options.first().map_or(0, weight);
        // Usually all options belong to one action, or none is an action, so the weight is looked up once.
        let action = |option: &Opt| match option {
            Opt::Action(action, _) | Opt::Free(action, _) => Some(*action),
            _ => None,
        };
        let of_first = options.first().and_then(action);
        let (total, alike) = match options.iter().all(|option| action(option) == of_first) {
            true => (first.saturating_mul(options.len() as u32), true),
            false => options
                .iter()
                .map(weight)
                .fold((0_u32, true), |(total, alike), weight| (total.saturating_add(weight), alike && weight == first)),
        };
        if total == 0 {
            return Answer(self.rng.below(decision.options.len() as u32) as u16);
        }
        let mut left = self.rng.below(total);
        if alike && total < u32::MAX {
            return Answer((left / first) as u16);
        }
        let chosen = decision.options.iter().position(|option| {
            let weight = weight(option);
            let hit = left < weight;
            left = left.saturating_sub(weight);
            hit
        });
        Answer(chosen.unwrap_or(0) as u16)
    }
}

impl Bot for RandomBot {
    fn choose(&mut self, situation: &Situation<'_>) -> Result<Thought, Fault> {
        Ok(Thought::plain(situation.by_chance(self)))
    }
}
