//! One step ahead: each option is tried on a few tables, its further questions are answered by chance, and the points are
//! counted.

use rulepack_kernel::{Answer, Ask, EffectHost, Fault, Game, Rng};

use crate::Bot;
use crate::budget::Budget;
use crate::random::RandomBot;
use crate::situation::Situation;
use crate::thought::{Judged, Thought};
use crate::worth::{Result as GameResult, Scale};

/// How often each option is tried.
const TRIES: u64 = 6;

/// An option that asks so many further questions is cut off.
const MOST_QUESTIONS: u32 = 40;

/// Chooses what gives most points at once.
#[derive(Debug)]
pub struct Greedy {
    rng: Rng,
    chance: RandomBot,
}

impl Greedy {
    /// A bot for a game with a seed.
    pub fn new(seed: u64) -> Greedy {
        Greedy { rng: Rng::new(seed ^ 0x6a09_e667_f3bc_c908), chance: RandomBot::new(seed) }
    }

    /// Plays an option to the seat's next menu, or to somebody else's question; false if the pack failed.
    fn finish(&mut self, game: &mut Game, host: &dyn EffectHost, first: Answer, budget: &mut Budget) -> bool {
        let Some(seat) = game.decision().map(|decision| decision.seat) else { return false };
        let mut answer = first;
        for _ in 0..MOST_QUESTIONS {
            let (options, before) = (game.decision().map_or(0, |decision| decision.options.len()), game.work());
            let is_given = game.answer_fast(host, answer).is_ok();
            budget.pay_answer(game, options, before);
            if !is_given {
                return false;
            }
            match game.decision() {
                Some(_) if budget.is_out() => return true,
                Some(next) if next.seat == seat && !matches!(next.ask, Ask::Menu(..)) => {
                    answer = self.chance.choose(game.rules(), next);
                }
                _ => return true,
            }
        }
        true
    }
}

impl Bot for Greedy {
    fn choose(&mut self, situation: &Situation<'_>) -> Result<Thought, Fault> {
        let by_chance = situation.by_chance(&mut self.chance);
        if situation.options() == 1 {
            return Ok(Thought::plain(by_chance));
        }
        let host = situation.host()?;
        let tables = situation.tables(&*host)?;
        let seat = situation.seat();
        let mut tried = vec![(0.0, 0.0, 0_u64); situation.options()];
        let (mut scale, mut worth, mut result) = (Scale::default(), Vec::new(), GameResult::default());
        // Each try of each option has the budget of a game.
        let mut budget = Budget::counted(TRIES);
        let mut drawn = 0;
        for _ in 0..TRIES {
            let table = tables.draw(&*host, self.rng.next_u64());
            budget.pay(tables.work().saturating_sub(drawn));
            drawn = tables.work();
            let Some(table) = table else { break };
            for (index, sums) in tried.iter_mut().enumerate() {
                if budget.is_out() {
                    break;
                }
                let mut game = table.clone();
                budget.pay_copy(&game);
                if self.finish(&mut game, &*host, Answer(index as u16), &mut budget) {
                    result.read(&game, &*host);
                    scale.worth(&result, &mut worth);
                    *sums = (sums.0 + worth[seat.index()], sums.1 + result.points[seat.index()], sums.2 + 1);
                }
                game.abandon(&*host);
            }
            table.abandon(&*host);
        }
        let mean = |sum: f64, count: u64| if count == 0 { f64::MIN } else { sum / count as f64 };
        let mut order: Vec<usize> = (0..tried.len()).collect();
        // Of equally good ones, the one that came up by chance.
        let key = |index: &usize| (mean(tried[*index].0, tried[*index].2), *index == usize::from(by_chance.0));
        order.sort_by(|one, two| key(two).partial_cmp(&key(one)).unwrap_or(std::cmp::Ordering::Equal));
        let judged: Vec<Judged> = order
            .iter()
            .filter(|index| tried[**index].2 > 0)
            .map(|index| Judged {
                answer: Answer(*index as u16),
                tried: tried[*index].2,
                wins: None,
                points: mean(tried[*index].1, tried[*index].2),
            })
            .collect();
        let simulated = judged.iter().map(|judged| judged.tried).sum();
        Ok(Thought { answer: judged.first().map_or(by_chance, |best| best.answer), judged, simulated })
    }
}
