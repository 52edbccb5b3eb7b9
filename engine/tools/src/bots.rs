//! Players without a head: they choose by chance.

use rulepack_kernel::{Answer, Decision, Opt, Rng, Ruleset};
use rulepack_model::ActionId;

/// Chooses by chance, more often what the pack gives more weight.
#[derive(Debug, Clone)]
pub struct RandomBot {
    rng: Rng,
}

/// The weight of what is not an action.
const PLAIN: u32 = 100;

impl RandomBot {
    /// A bot for a game with a seed: its choices follow from the seed, and not from the chance inside the game.
    pub fn new(seed: u64) -> Self {
        RandomBot { rng: Rng::new(Rng::new(seed ^ 0x5851_f42d_4c95_7f2d).next_u64()) }
    }

    /// An answer to a decision.
    pub fn choose(&mut self, rules: &Ruleset, decision: &Decision) -> Answer {
        let weight = |option: &Opt| match option {
            Opt::Action(action, _) | Opt::Free(action, _) => rules.actions[action.index()].weight,
            _ => PLAIN,
        };
        let first = decision.options.first().map_or(0, weight);
        let (mut total, mut alike) = (0_u32, true);
        // Options of one action follow one another: it is looked up once.
        let mut known: Option<(ActionId, u32)> = None;
        for option in &decision.options {
            let weight = match (option, known) {
                (Opt::Action(action, _) | Opt::Free(action, _), Some((known, weight))) if *action == known => weight,
                (Opt::Action(action, _) | Opt::Free(action, _), _) => known.insert((*action, weight(option))).1,
                _ => PLAIN,
            };
            total = total.saturating_add(weight);
            alike &= weight == first;
        }
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
