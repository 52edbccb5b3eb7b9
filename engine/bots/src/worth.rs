//! What an end, or a table in between, is worth to each seat.
//!
//! Between 0 and 1 for several players: mostly who wins, and a little by how many points. A game that was cut off is judged by
//! its points alone. For one player it is the points.

use rulepack_kernel::{EffectHost, Game, Pending};

/// How much winning counts beside the lead in points.
const WINNING: f64 = 0.7;

/// What a game has come to.
#[derive(Debug, Clone, Default)]
pub struct Result {
    /// The points of each seat, as they are counted at the end.
    pub points: Vec<f64>,
    /// How well each seat stands: its points, or what the pack says for a game that was cut off.
    pub standing: Vec<f64>,
    /// The share of each seat in the victory; nobody has one if the game was cut off.
    pub won: Vec<f64>,
    /// Whether the game came to its end.
    pub is_over: bool,
}

impl Result {
    /// Reads a game that is over or cut off.
    pub fn read(&mut self, game: &Game, host: &dyn EffectHost) {
        self.points.clear();
        self.standing.clear();
        self.won.clear();
        let rules = game.rules();
        match game.pending() {
            Pending::Over(outcome) => {
                self.is_over = true;
                self.points.extend(outcome.sheets.iter().map(|sheet| sheet.total as f64));
                self.standing.extend(&self.points);
                let share = 1.0 / outcome.winners.len().max(1) as f64;
                self.won.extend(rules.seats().map(|seat| f64::from(outcome.winners.contains(&seat)) * share));
            }
            Pending::Decision(_) => {
                self.is_over = false;
                let eval = game.eval(host);
                self.points.extend(rules.seats().map(|seat| eval.sheet(seat).total as f64));
                match rules.evaluate {
                    Some(_) => self.standing.extend(rules.seats().map(|seat| eval.standing(seat) as f64)),
                    None => self.standing.extend(&self.points),
                }
                self.won.extend(rules.seats().map(|_| 0.0));
            }
        }
    }
}

/// How far a seat is ahead of the best of the others, or behind it; alone, how it stands.
pub fn lead(standing: &[f64], seat: usize) -> f64 {
    let own = standing.get(seat).copied().unwrap_or_default();
    let others = standing.iter().enumerate().filter(|(other, _)| *other != seat).map(|(_, points)| *points);
    others.reduce(f64::max).map_or(own, |best| own - best)
}

/// How far apart results are, as far as was seen.
#[derive(Debug, Clone, Default)]
pub struct Scale {
    /// The lead in points, without its sign, on average.
    lead: f64,
    count: u32,
}

/// So many results are enough to know how far apart they are; later ones count for more than earlier ones.
const MEMORY: u32 = 256;

impl Scale {
    /// Takes a result into account and tells what it is worth to each seat.
    pub fn worth(&mut self, result: &Result, worth: &mut Vec<f64>) {
        worth.clear();
        if result.standing.len() == 1 {
            worth.push(result.standing[0] + result.won[0]);
            return;
        }
        let seats = 0..result.standing.len();
        let widest = seats.map(|seat| lead(&result.standing, seat).abs()).fold(0.0, f64::max);
        self.count = (self.count + 1).min(MEMORY);
        self.lead += (widest - self.lead) / f64::from(self.count);
        let unit = self.lead.max(1.0);
        worth.extend((0..result.standing.len()).map(|seat| {
            let lead = lead(&result.standing, seat) / unit;
            let ahead = 0.5 + 0.5 * lead / (1.0 + lead.abs());
            if result.is_over { WINNING * result.won[seat] + (1.0 - WINNING) * ahead } else { ahead }
        }));
    }
}

/// The mean of numbers, and how far they are from it.
#[derive(Debug, Clone, Copy, Default)]
pub struct Spread {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Spread {
    /// Takes a number into account.
    pub fn add(&mut self, number: f64) {
        self.count += 1.0;
        let before = number - self.mean;
        self.mean += before / self.count;
        self.squares += before * (number - self.mean);
    }

    /// Their mean.
    pub fn mean(&self) -> f64 {
        self.mean
    }

    /// The usual distance from the mean: the standard deviation.
    pub fn deviation(&self) -> f64 {
        if self.count < 2.0 { 0.0 } else { (self.squares / self.count).sqrt() }
    }

    /// Later numbers count for more than the ones so far.
    pub fn fade(&mut self, most: f64) {
        if self.count > most {
            self.squares *= most / self.count;
            self.count = most;
        }
    }
}
