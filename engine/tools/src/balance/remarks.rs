//! What should be looked at, in words.

use super::Remark;
use crate::statistics::{AnswerStatistics, Statistics};

/// So many games of a sort are named.
const NAMED: usize = 3;

/// An answer that was offered in fewer games says nothing about how often it is given.
const OFTEN_OFFERED: u64 = 20;

/// An answer that is given in a smaller share of the games that offer it is hardly ever given.
const HARDLY: f64 = 0.02;

/// A card that is taken at a larger share of the questions that offer it is taken nearly always.
const NEARLY_ALWAYS: f64 = 0.9;

/// So many answers of a sort are named.
const MOST_ANSWERS: usize = 12;

/// Games with the largest numbers of something.
#[derive(Debug, Default)]
pub(super) struct Extremes(Vec<(i64, u64)>);

impl Extremes {
    pub(super) fn add(&mut self, number: i64, seed: u64) {
        self.0.push((number, seed));
        self.0.sort_unstable_by(|one, other| other.cmp(one));
        self.0.truncate(NAMED);
    }

    pub(super) fn seeds(&self) -> Vec<u64> {
        self.0.iter().map(|(_, seed)| *seed).collect()
    }
}

/// Games to look at.
#[derive(Debug, Default)]
pub(super) struct Shown {
    /// With the most turns.
    pub longest: Extremes,
    /// With the largest margin.
    pub widest: Extremes,
    /// The first draws.
    pub drawn: Extremes,
    /// The first in which the lead never changed.
    pub steady: Extremes,
}

/// What is out of line.
pub(super) fn remarks(statistics: &Statistics, shown: &Shown) -> Vec<Remark> {
    let mut remarks = Vec::new();
    about_seats(statistics, &mut remarks);
    about_answers(statistics, &mut remarks);
    about_games(statistics, shown, &mut remarks);
    remarks
}

fn remark(code: &'static str, text: String, seeds: Vec<u64>) -> Remark {
    Remark { code, text, seeds, calls: Vec::new() }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Seats that win too often or too seldom.
fn about_seats(statistics: &Statistics, remarks: &mut Vec<Remark>) {
    if statistics.seats.len() == 1 || statistics.bots.len() != 1 {
        return;
    }
    let even = 1.0 / statistics.seats.len().max(1) as f64;
    for seat in &statistics.seats {
        let (low, high) = seat.share_interval;
        if low > even || high < even {
            let (name, share) = (&seat.name, percent(seat.share));
            let text = format!("{name} wins {share} ({} to {}), not {}", percent(low), percent(high), percent(even));
            remarks.push(remark("seat-advantage", text, seat.won_games.clone()));
        }
    }
}

/// Answers that go with winning or losing, and those that are nearly always or hardly ever given.
fn about_answers(statistics: &Statistics, remarks: &mut Vec<Remark>) {
    let is_alone = statistics.seats.len() == 1;
    let scale = |answer: &AnswerStatistics| answer.effect.map_or(0.0, |effect| effect.difference);
    let mut odd: Vec<&AnswerStatistics> = statistics.answers.iter().filter(|answer| answer.is_out_of_line).collect();
    odd.sort_by(|one, two| scale(two).abs().total_cmp(&scale(one).abs()));
    for answer in odd.into_iter().take(MOST_ANSWERS) {
        let Some(effect) = answer.effect else { continue };
        let told = |number: f64| match is_alone {
            true => format!("{number:+.1}"),
            false => format!("{:+.1} %", 100.0 * number),
        };
        let text = format!(
            "`{}`: {} {} with it than without it ({} to {}), given in {} of {} games that offered it",
            answer.name(),
            told(effect.difference),
            if is_alone { "points" } else { "of the victories" },
            told(effect.interval.0),
            told(effect.interval.1),
            answer.games_with,
            answer.games_with + answer.games_without,
        );
        let (code, first, second) = match effect.difference > 0.0 {
            true => ("goes-with-winning", &answer.won, &answer.lost),
            false => ("goes-with-losing", &answer.lost, &answer.won),
        };
        remarks.push(remark(code, text, if first.is_empty() { second.clone() } else { first.clone() }));
    }
    let list = |some: &[&AnswerStatistics]| {
        let more = some.len().saturating_sub(MOST_ANSWERS);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let named: Vec<String> = some.iter().take(MOST_ANSWERS).map(|answer| format!("`{}`", answer.name())).collect();
        named.join(", ") + &more
    };
    let often = |answer: &&AnswerStatistics| answer.games_with + answer.games_without >= OFTEN_OFFERED;
    let dead: Vec<&AnswerStatistics> = statistics.answers.iter().filter(often).filter(|one| one.is_dead()).collect();
    if let Some(first) = dead.first() {
        let text = format!("offered, but hardly ever taken: {}", list(&dead));
        remarks.push(remark("hardly-ever-taken", text, first.passed_over.clone()));
    }
    let taken: Vec<&AnswerStatistics> =
        statistics.answers.iter().filter(often).filter(|one| one.is_dominant()).collect();
    if let Some(first) = taken.first() {
        let text = format!("taken nearly every time that they are offered: {}", list(&taken));
        let seeds = if first.won.is_empty() { first.lost.clone() } else { first.won.clone() };
        remarks.push(remark("nearly-always-taken", text, seeds));
    }
}

impl AnswerStatistics {
    /// Whether hardly any game that offers it sees it given.
    fn is_dead(&self) -> bool {
        self.share_of_games() < HARDLY
    }

    /// Whether it is a card that is taken nearly every time that it can be.
    fn is_dominant(&self) -> bool {
        self.card.is_some() && self.taken as f64 > NEARLY_ALWAYS * self.offered as f64
    }
}

/// Draws, long and one-sided games, and a lead that stays.
fn about_games(statistics: &Statistics, shown: &Shown, remarks: &mut Vec<Remark>) {
    if statistics.draws as f64 > 0.3 * statistics.games as f64 {
        let share = percent(statistics.draws as f64 / statistics.games.max(1) as f64);
        remarks.push(remark("many-draws", format!("{share} of the games are draws"), shown.drawn.seeds()));
    }
    let turns = &statistics.turns;
    let far = turns.mean + 3.0 * turns.deviation;
    if turns.most as f64 > far && turns.deviation > 0.0 {
        let text = format!("games of up to {} turns, where {:.0} are usual", turns.most, turns.mean);
        remarks.push(remark("long-games", text, shown.longest.seeds()));
    }
    if let Some(margin) = &statistics.margin
        && margin.most as f64 > margin.mean + 3.0 * margin.deviation
    {
        let text = format!("margins of up to {} points, where {:.0} are usual", margin.most, margin.mean);
        remarks.push(remark("one-sided-games", text, shown.widest.seeds()));
    }
    let lead_changes = statistics.lead_changes.mean;
    if statistics.seats.len() > 1 && statistics.margin.is_some_and(|margin| margin.most > 0) && lead_changes < 0.5 {
        let text = format!("the lead changes {lead_changes:.1} times a game: who leads first mostly stays first");
        remarks.push(remark("lead-stays", text, shown.steady.seeds()));
    }
}
