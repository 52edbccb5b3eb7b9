//! A game that is played on: at each question a few options are drawn by chance, and of these the one is chosen with which earlier
//! playouts ended best.

use rulepack_kernel::{Answer, EffectHost, Game, Rng};
use rulepack_model::Seat;

use crate::budget::Budget;
use crate::keys::{question_key, rough_key};
use crate::random::RandomBot;
use crate::weights::Weights;

/// An option that was chosen on the way, by its rough name.
pub type Step = (Seat, u64);

/// So many answers without a choice end a playout: a game that goes round and round.
const MOST_FORCED: u32 = 2_000;

/// How a game is played on.
#[derive(Debug)]
pub struct Playout<'w> {
    /// What was learnt.
    pub weights: &'w Weights,
    /// Chance.
    pub bot: RandomBot,
    /// Chance for how many options are drawn.
    pub rng: Rng,
    /// After so many decisions the game is cut off.
    pub most_decisions: u32,
    /// The work that may be done; when it is used up, the game is cut off.
    pub budget: &'w mut Budget,
}

impl Playout<'_> {
    /// Plays on until the game is over or cut off; false if the pack failed.
    pub fn run(&mut self, game: &mut Game, host: &dyn EffectHost, path: &mut Vec<Step>) -> bool {
        let (mut decisions, mut forced) = (0, 0);
        while let Some(decision) = game.decision() {
            let mut answer = Answer(0);
            let options = decision.options.len();
            if self.budget.is_out() {
                return true;
            }
            if options > 1 {
                if decisions >= self.most_decisions {
                    return true;
                }
                decisions += 1;
                let question = question_key(decision.ask);
                let mut best = f64::MIN;
                // Now and then the first that comes.
                let drawn = if self.rng.below(8) == 0 { 1 } else { 3 };
                let mut key = 0;
                for _ in 0..drawn {
                    let candidate = self.bot.choose(game.rules(), decision);
                    let name = rough_key(game, question, decision.options[usize::from(candidate.0)]);
                    let gain = self.weights.gain(name);
                    if gain > best {
                        (best, answer, key) = (gain, candidate, name);
                    }
                }
                path.push((decision.seat, key));
            } else {
                forced += 1;
                if forced > MOST_FORCED {
                    return true;
                }
            }
            let before = game.work();
            let is_given = game.answer_fast(host, answer).is_ok();
            self.budget.pay_answer(game, options, before);
            if !is_given {
                return false;
            }
        }
        true
    }
}
