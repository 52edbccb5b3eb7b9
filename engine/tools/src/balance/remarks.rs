//! What should be looked at, in words.

use super::Remark;
use crate::statistics::{AnswerStatistics, Statistics};

/// So many games of a sort are named.
const NAMED: usize = 3;

/// An answer that was offered in fewer games says nothing about how often it is given.
const OFTEN_OFFERED: u64 = 20;

/// An answer that is given in a smaller share of the games that offer it is hardly ever given.
const HARDLY: f64 = 0.02;

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

    fn seeds(&self) -> Vec<u64> {
        self.0.iter().map(|(_, seed)| *seed).collect()
    }
}

/// What is out of line.
pub(super) fn remarks(statistics: &Statistics, longest: &Extremes, widest: &Extremes) -> Vec<Remark> {
    let mut remarks = Vec::new();
    let mut add = |code, text: String, seeds| remarks.push(Remark { code, text, seeds });
    let is_alone = statistics.seats.len() == 1;
    let even = 1.0 / statistics.seats.len().max(1) as f64;
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    for seat in statistics.seats.iter().filter(|_| !is_alone && statistics.bots.len() == 1) {
        let (low, high) = seat.share_interval;
        if low > even || high < even {
            let (name, share) = (&seat.name, percent(seat.share));
            let text = format!("{name} wins {share} ({} to {}), not {}", percent(low), percent(high), percent(even));
            add("seat-advantage", text, Vec::new());
        }
    }
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
        add(if effect.difference > 0.0 { "goes-with-winning" } else { "goes-with-losing" }, text, Vec::new());
    }
    let given = |answer: &&AnswerStatistics| {
        let offered = answer.games_with + answer.games_without;
        offered >= OFTEN_OFFERED && (answer.games_with as f64) < HARDLY * offered as f64
    };
    let dead: Vec<String> =
        statistics.answers.iter().filter(given).map(|answer| format!("`{}`", answer.name())).collect();
    if !dead.is_empty() {
        let more = dead.len().saturating_sub(MOST_ANSWERS);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let named = dead.iter().take(MOST_ANSWERS).cloned().collect::<Vec<_>>().join(", ");
        add("hardly-ever-taken", format!("offered, but hardly ever taken: {named}{more}"), Vec::new());
    }
    if statistics.draws as f64 > 0.3 * statistics.games as f64 {
        let share = percent(statistics.draws as f64 / statistics.games.max(1) as f64);
        add("many-draws", format!("{share} of the games are draws"), Vec::new());
    }
    let turns = &statistics.turns;
    let far = turns.mean + 3.0 * turns.deviation;
    if turns.most as f64 > far && turns.deviation > 0.0 {
        let text = format!("games of up to {} turns, where {:.0} are usual", turns.most, turns.mean);
        add("long-games", text, longest.seeds());
    }
    if let Some(margin) = &statistics.margin
        && margin.most as f64 > margin.mean + 3.0 * margin.deviation
    {
        let text = format!("margins of up to {} points, where {:.0} are usual", margin.most, margin.mean);
        add("one-sided-games", text, widest.seeds());
    }
    if !is_alone && statistics.margin.is_some_and(|margin| margin.most > 0) && statistics.lead_changes.mean < 0.5 {
        let text = format!(
            "the lead changes {:.1} times a game: who leads first mostly stays first",
            statistics.lead_changes.mean
        );
        add("lead-stays", text, Vec::new());
    }
    remarks
}
