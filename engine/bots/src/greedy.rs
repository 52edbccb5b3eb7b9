//! One step ahead, and then some ways through the rest of the turn: each option is tried on a few tables, and counts for the best that was
//! found behind it.

use rulepack_kernel::{Answer, Ask, Decision, EffectHost, Fault, Game, Rng};
use rulepack_model::Seat;

use crate::Bot;
use crate::budget::Budget;
use crate::keys::{question_key, rough_key};
use crate::random::RandomBot;
use crate::situation::Situation;
use crate::thought::{Judged, Thought};
use crate::worth::{Result as GameResult, lead};

/// On how many tables each option is tried.
const TABLES: u64 = 6;

/// How many ways through the rest of the turn are tried behind an option, on each table.
const WAYS: u32 = 4;

/// How many of the seat's own menus such a way goes through.
const MENUS: u32 = 4;

/// An option that asks so many further questions is cut off.
const MOST_QUESTIONS: u32 = 40;

/// What winning is worth beside points.
const VICTORY: f64 = 1e6;

/// What is reached one menu later is worth so much less, so that nothing is put off without a reason.
const LATER: f64 = 1e-3;

/// Chooses what gives most points in its turn.
#[derive(Debug)]
pub struct Greedy {
    rng: Rng,
    chance: RandomBot,
}

/// Where a game stands after an option and its further questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum After {
    /// At another menu of the same turn.
    Menu,
    /// In another turn, at a question to somebody else, or at the end.
    Ended,
    /// The pack failed.
    Failed,
}

/// What is known of an option.
#[derive(Debug, Clone, Copy, Default)]
struct Tried {
    worth: f64,
    points: f64,
    tables: u64,
}

impl Greedy {
    /// A bot for a game with a seed.
    pub fn new(seed: u64) -> Greedy {
        Greedy { rng: Rng::new(seed ^ 0x6a09_e667_f3bc_c908), chance: RandomBot::new(seed) }
    }
}

/// The tries on one table.
struct Table<'t> {
    host: &'t dyn EffectHost,
    chance: &'t mut RandomBot,
    budget: &'t mut Budget,
    seat: Seat,
    turn: u32,
    result: GameResult,
    /// The option that ends the turn, if there is one: by its rough name.
    end: Option<u64>,
}

impl Table<'_> {
    /// Gives an answer, and answers its further questions by chance.
    fn finish(&mut self, game: &mut Game, first: Answer) -> After {
        let mut answer = first;
        for _ in 0..MOST_QUESTIONS {
            let (options, before) = (game.decision().map_or(0, |decision| decision.options.len()), game.work());
            let is_given = game.answer_fast(self.host, answer).is_ok();
            self.budget.pay_answer(game, options, before);
            if !is_given {
                return After::Failed;
            }
            match game.decision() {
                Some(next) if next.seat == self.seat && game.state().turns() == self.turn => {
                    if self.budget.is_out() || matches!(next.ask, Ask::Menu(..)) {
                        return After::Menu;
                    }
                    answer = self.chance.choose(game.rules(), next);
                }
                _ => return After::Ended,
            }
        }
        After::Menu
    }

    /// How the seat stands: its lead in points, and above all whether it has won.
    fn worth(&mut self, game: &Game) -> f64 {
        self.result.read(game, self.host);
        let lead = lead(&self.result.standing, self.seat.index());
        let won = self.result.won.get(self.seat.index()).copied().unwrap_or_default();
        let others = self.result.won.iter().sum::<f64>() - won;
        lead + VICTORY * (won - others)
    }

    /// What it is worth to stop here: if the turn can be ended, it is. So all options are judged at the same moment, and what others
    /// gain when the turn ends is no reason to put its end off.
    fn worth_of_stopping(&mut self, game: &Game) -> f64 {
        let end = self.end.and_then(|end| game.decision().and_then(|decision| called(game, decision, end)));
        let Some(answer) = end else { return self.worth(game) };
        let mut ended = self.copy(game);
        let worth = match self.finish(&mut ended, answer) {
            After::Menu | After::Ended => self.worth(&ended),
            After::Failed => self.worth(game),
        };
        ended.abandon(self.host);
        worth
    }

    /// The best that is found behind a menu of the turn.
    fn best_behind(&mut self, game: &Game) -> f64 {
        let mut best = self.worth_of_stopping(game);
        for _ in 0..WAYS {
            let mut way = self.copy(game);
            for menu in 1..=MENUS {
                let Some(decision) = way.decision().filter(|_| !self.budget.is_out()) else { break };
                let answer = self.chance.choose(way.rules(), decision);
                let after = self.finish(&mut way, answer);
                let worth = match after {
                    After::Menu => self.worth_of_stopping(&way),
                    After::Ended => self.worth(&way),
                    After::Failed => break,
                };
                best = best.max(worth - LATER * f64::from(menu));
                if after == After::Ended {
                    break;
                }
            }
            way.abandon(self.host);
        }
        best
    }

    fn copy(&mut self, game: &Game) -> Game {
        let copy = game.clone();
        self.budget.pay_copy(&copy);
        copy
    }

    /// Tries each option.
    fn try_all(&mut self, table: &Game, tried: &mut [Tried]) {
        let mut open = Vec::new();
        let mut best_end = f64::MIN;
        for (index, sums) in tried.iter_mut().enumerate() {
            if self.budget.is_out() {
                break;
            }
            let mut game = self.copy(table);
            match self.finish(&mut game, Answer(index as u16)) {
                After::Menu => {
                    open.push((index, game));
                    continue;
                }
                After::Ended => {
                    let worth = self.worth(&game);
                    sums.add(worth, self.points());
                    let name = table.decision().and_then(|decision| {
                        let option = decision.options.get(index)?;
                        Some(rough_key(table, question_key(decision.ask), *option))
                    });
                    if worth > best_end {
                        (best_end, self.end) = (worth, name);
                    }
                }
                After::Failed => {}
            }
            game.abandon(self.host);
        }
        for (index, game) in open {
            let best = self.best_behind(&game);
            self.result.read(&game, self.host);
            tried[index].add(best, self.points());
            game.abandon(self.host);
        }
    }

    fn points(&self) -> f64 {
        self.result.points.get(self.seat.index()).copied().unwrap_or_default()
    }
}

/// The option of a menu with this rough name.
fn called(game: &Game, decision: &Decision, name: u64) -> Option<Answer> {
    let question = question_key(decision.ask);
    let at = decision.options.iter().position(|option| rough_key(game, question, *option) == name)?;
    Some(Answer(at as u16))
}

impl Tried {
    fn add(&mut self, worth: f64, points: f64) {
        self.worth += worth;
        self.points += points;
        self.tables += 1;
    }

    fn mean(self, sum: f64) -> f64 {
        if self.tables == 0 { f64::MIN } else { sum / self.tables as f64 }
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
        let mut tried = vec![Tried::default(); situation.options()];
        // Each table has the budget of a game.
        let mut budget = Budget::counted(TABLES);
        let mut drawn = 0;
        for _ in 0..TABLES {
            let table = tables.draw(&*host, self.rng.next_u64());
            budget.pay(tables.work().saturating_sub(drawn));
            drawn = tables.work();
            let Some(table) = table else { break };
            let mut on_table = Table {
                host: &*host,
                chance: &mut self.chance,
                budget: &mut budget,
                seat: situation.seat(),
                turn: table.state().turns(),
                result: GameResult::default(),
                end: None,
            };
            on_table.try_all(&table, &mut tried);
            table.abandon(&*host);
        }
        let mut order: Vec<usize> = (0..tried.len()).collect();
        // Of equally good ones, the one that came up by chance.
        let key = |index: &usize| (tried[*index].mean(tried[*index].worth), *index == usize::from(by_chance.0));
        order.sort_by(|one, two| key(two).partial_cmp(&key(one)).unwrap_or(std::cmp::Ordering::Equal));
        let judged: Vec<Judged> = order
            .iter()
            .filter(|index| tried[**index].tables > 0)
            .map(|index| Judged {
                answer: Answer(*index as u16),
                tried: tried[*index].tables,
                wins: None,
                points: tried[*index].mean(tried[*index].points),
            })
            .collect();
        let simulated = judged.iter().map(|judged| judged.tried).sum();
        Ok(Thought { answer: judged.first().map_or(by_chance, |best| best.answer), judged, simulated })
    }
}
