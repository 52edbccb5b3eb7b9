//! The page about one pack: who wins, with how many points, how long it takes, and which cards stand out.

use rulepack_tools::interval::Figure;
use rulepack_tools::{AnswerStatistics, BalanceReport, SeatStatistics, Statistics};

use super::plots::{Axes, Interval, Line, bars, intervals, lines};
use super::{Page, between, percent, undrawn};
use crate::stop::Stop;

/// At most so many answers are in a plot.
const MOST_ROWS: usize = 14;

/// Answers in fewer games are in the table only.
const LEAST_GAMES: u64 = 20;

/// What a page is about, and how it is made again.
#[derive(Debug, Clone, Copy)]
pub struct About<'t> {
    /// The bots.
    pub bots: &'t str,
    /// The call that makes it.
    pub call: &'t str,
}

/// The page.
pub fn balance(report: &BalanceReport, about: About<'_>, play: impl Fn(u64) -> String) -> Result<String, Stop> {
    let games = &report.games;
    let modes = if games.modes.is_empty() { String::new() } else { format!(" ({})", games.modes.join(", ")) };
    let players = if games.players == 1 { "1 player".to_string() } else { format!("{} players", games.players) };
    let mut page = Page::new(
        &format!("Balance of {}{modes}, {players}", games.pack),
        &format!(
            "{} games by {} from seed {}; {} ended by the rules. An interval holds the true value in 95 of 100 cases.",
            games.games, about.bots, report.seed, games.finished
        ),
    );
    page.section("What stands out", "");
    for remark in &report.remarks {
        page.remark(&remark.code.replace('-', " "), &remark.text, &remark.calls);
    }
    for failure in games.failures.iter().chain(&games.capped_games).take(MOST_ROWS) {
        page.remark("a game that did not end", &failure.message, std::slice::from_ref(&failure.call));
    }
    if report.remarks.is_empty() && games.failures.is_empty() && games.capped_games.is_empty() {
        page.paragraph("Nothing is out of line, as far as so many games show.");
    }
    page.end_section();
    if let Some(statistics) = &games.statistics {
        seats(&mut page, statistics, &play)?;
        points(&mut page, statistics)?;
        length(&mut page, statistics)?;
        answers(&mut page, statistics, &play)?;
    }
    page.section("How to make this page again", "");
    page.calls(&[about.call.to_string()]);
    page.end_section();
    Ok(page.end())
}

fn name_of(index: usize, seat: &SeatStatistics, statistics: &Statistics) -> String {
    match statistics.bots.len() > 1 {
        true => format!("Player {} ({})", index + 1, seat.bot),
        false => format!("Player {}", index + 1),
    }
}

fn names(statistics: &Statistics) -> Vec<String> {
    statistics.seats.iter().enumerate().map(|(index, seat)| name_of(index, seat, statistics)).collect()
}

/// Who wins.
fn seats(page: &mut Page, statistics: &Statistics, play: &impl Fn(u64) -> String) -> Result<(), Stop> {
    if statistics.seats.len() < 2 {
        return Ok(());
    }
    let even = 1.0 / statistics.seats.len() as f64;
    page.section("Who wins", "A seat whose interval does not reach the line wins more or less than its part.");
    page.begin_plots();
    let seat = |(index, seat): (usize, &SeatStatistics)| Interval {
        label: name_of(index, seat, statistics),
        told: percent(seat.share),
        value: 100.0 * seat.share,
        interval: (100.0 * seat.share_interval.0, 100.0 * seat.share_interval.1),
        is_odd: seat.share_interval.0 > even || seat.share_interval.1 < even,
    };
    let rows: Vec<Interval> = statistics.seats.iter().enumerate().map(seat).collect();
    let svg = intervals("Share of the wins of each seat", &rows, 100.0 * even, None).map_err(undrawn)?;
    let even_told =
        format!("In percent of the games. The line: {} each. A shared win counts as a part.", percent(even));
    page.plot("Wins by seat", &[], &svg, &even_told);
    page.end_plots();
    let row = |(index, seat): (usize, &SeatStatistics)| {
        let [_, quarter, half, three, _] = seat.quartiles;
        vec![
            name_of(index, seat, statistics),
            percent(seat.share),
            between(seat.share_interval, percent),
            format!("{:.1}", seat.points.mean),
            half.to_string(),
            format!("{quarter} to {three}"),
        ]
    };
    let rows: Vec<Vec<String>> = statistics.seats.iter().enumerate().map(row).collect();
    page.table(&["Seat", "Wins", "Interval", "Points, mean", "Median", "Half of the games"], &rows);
    let calls: Vec<String> =
        statistics.seats.iter().filter_map(|seat| seat.won_games.first().map(|s| play(*s))).collect();
    page.begin_details("A game that each seat won");
    page.calls(&calls);
    page.end_details();
    page.end_section();
    Ok(())
}

/// How points grow, and with how many games end.
fn points(page: &mut Page, statistics: &Statistics) -> Result<(), Stop> {
    let most = statistics.seats.iter().map(|seat| seat.points.most).max().unwrap_or(0);
    if most <= 0 && statistics.seats.iter().all(|seat| seat.points.least == 0) {
        return Ok(());
    }
    page.section("Points", "");
    page.begin_plots();
    let of_seat = |(index, seat): (usize, &SeatStatistics)| {
        let parts = seat.curve.len().saturating_sub(1).max(1) as f64;
        let point = |(at, figure): (usize, &Figure)| {
            let (low, high) = figure.interval.unwrap_or((figure.mean, figure.mean));
            (100.0 * at as f64 / parts, figure.mean, low, high)
        };
        Line { name: (index + 1).to_string(), points: seat.curve.iter().enumerate().map(point).collect() }
    };
    let all: Vec<Line> = statistics.seats.iter().enumerate().map(of_seat).collect();
    let about = "Points of each seat in the course of a game";
    let svg = lines(Axes { about, x: "percent of the turns", y: "points" }, &all).map_err(undrawn)?;
    page.plot("In the course of a game", &names(statistics), &svg, "The mean of all games, and its interval.");
    let whole = |bars: &[(i64, u64)]| bars.iter().map(|(points, games)| (*points as f64, *games)).collect();
    let all: Vec<Vec<(f64, u64)>> = statistics.seats.iter().map(|seat| whole(&seat.bars)).collect();
    let about = "How many games ended with how many points";
    let svg = bars(Axes { about, x: "points", y: "games" }, &all).map_err(undrawn)?;
    page.plot("At the end", &names(statistics), &svg, "How many games ended with so many points.");
    page.end_plots();
    page.end_section();
    Ok(())
}

/// How long and how close games are.
fn length(page: &mut Page, statistics: &Statistics) -> Result<(), Stop> {
    page.section("Length and closeness", "");
    let told = |number: f64| format!("{number:.1}");
    let number = |name: &str, figure: &Figure| {
        let sure = figure.interval.map_or(String::new(), |interval| between(interval, told));
        (name.to_string(), told(figure.mean), format!("{sure}; all {} to {}", figure.least, figure.most))
    };
    let mut numbers = vec![
        number("Turns", &statistics.turns),
        number("Questions with a choice", &statistics.questions),
        number("Options of a question", &statistics.options),
    ];
    if let Some(margin) = &statistics.margin {
        numbers.push(number("Points between first and second", margin));
        numbers.push(number("Changes of the lead", &statistics.lead_changes));
        let share = statistics.draws as f64 / statistics.games.max(1) as f64;
        let sure = between(rulepack_tools::interval::share(statistics.draws as f64, statistics.games as f64), percent);
        numbers.push(("Draws".into(), percent(share), sure));
    }
    page.numbers(&numbers);
    page.begin_plots();
    let turns: Vec<(f64, u64)> = statistics.turn_bars.iter().map(|(turns, games)| (*turns as f64, *games)).collect();
    let about = "How many games took how many turns";
    let svg = bars(Axes { about, x: "turns", y: "games" }, &[turns]).map_err(undrawn)?;
    page.plot("Turns of a game", &[], &svg, "How many games took so many turns.");
    page.end_plots();
    page.end_section();
    Ok(())
}

/// Cards and actions.
fn answers(page: &mut Page, statistics: &Statistics, play: &impl Fn(u64) -> String) -> Result<(), Stop> {
    let is_alone = statistics.seats.len() == 1;
    page.section(
        "Cards and actions",
        "Games of a seat with an answer are compared with those in which it was offered and not given, of the same seat, equally far \
         ahead. What goes with winning need not be the cause: whoever plays well takes good cards and does other things well.",
    );
    let scale = if is_alone { 1.0 } else { 100.0 };
    let told = |number: f64| if is_alone { format!("{number:+.1}") } else { format!("{:+.1} %", 100.0 * number) };
    let counted = |answer: &&AnswerStatistics| answer.games_with + answer.games_without >= LEAST_GAMES;
    let mut clear: Vec<(&AnswerStatistics, rulepack_tools::Effect)> = statistics
        .answers
        .iter()
        .filter(counted)
        .filter_map(|answer| answer.effect.map(|effect| (answer, effect)))
        .collect();
    // How many times the width of its interval a difference is.
    let clearness = |effect: &rulepack_tools::Effect| effect.difference.abs() / (effect.interval.1 - effect.difference);
    clear.sort_by(|one, two| clearness(&two.1).total_cmp(&clearness(&one.1)));
    clear.truncate(MOST_ROWS);
    clear.sort_by(|one, two| two.1.difference.total_cmp(&one.1.difference));
    page.begin_plots();
    if !clear.is_empty() {
        let row = |(answer, effect): &(&AnswerStatistics, rulepack_tools::Effect)| Interval {
            label: answer.name(),
            told: told(effect.difference),
            value: scale * effect.difference,
            interval: (scale * effect.interval.0, scale * effect.interval.1),
            is_odd: answer.is_out_of_line,
        };
        let rows: Vec<Interval> = clear.iter().map(row).collect();
        let svg = intervals("How much winning goes with answers", &rows, 0.0, None).map_err(undrawn)?;
        let unit = if is_alone { "In points" } else { "In percent of a win" };
        let caption = format!("{unit}. The clearest ones; in another colour those that luck does not explain.");
        page.plot("What goes with winning", &[], &svg, &caption);
    }
    let mut cards: Vec<&AnswerStatistics> =
        statistics.answers.iter().filter(counted).filter(|answer| answer.card.is_some()).collect();
    cards.sort_by(|one, two| two.share_of_games().total_cmp(&one.share_of_games()));
    let half = MOST_ROWS / 2;
    let (first, last) = cards.split_at(half.min(cards.len()));
    let shown: Vec<&AnswerStatistics> =
        first.iter().chain(last.iter().skip(last.len().saturating_sub(half))).copied().collect();
    if !shown.is_empty() {
        let row = |answer: &&AnswerStatistics| {
            let games = answer.games_with + answer.games_without;
            let (low, high) = rulepack_tools::interval::share(answer.games_with as f64, games as f64);
            Interval {
                label: answer.name(),
                told: percent(answer.share_of_games()),
                value: 100.0 * answer.share_of_games(),
                interval: (100.0 * low, 100.0 * high),
                is_odd: answer.share_of_games() < 0.02,
            }
        };
        let rows: Vec<Interval> = shown.iter().map(row).collect();
        let svg = intervals("How often cards are taken", &rows, 0.0, None).map_err(undrawn)?;
        let caption = "In percent of the games in which a seat could take it: those taken most and least often.";
        page.plot("Dominant and dead cards", &[], &svg, caption);
    }
    page.end_plots();
    table(page, statistics, play, &told);
    page.end_section();
    Ok(())
}

fn table(page: &mut Page, statistics: &Statistics, play: &impl Fn(u64) -> String, told: &impl Fn(f64) -> String) {
    let mut all: Vec<&AnswerStatistics> = statistics.answers.iter().collect();
    all.sort_by_key(|answer| std::cmp::Reverse(answer.games_with + answer.games_without));
    page.begin_details(&format!("All {} answers", all.len()));
    let seed = |seeds: &[u64]| seeds.first().map_or("–".to_string(), u64::to_string);
    let row = |answer: &&AnswerStatistics| {
        vec![
            answer.name(),
            format!("{} of {}", answer.taken, answer.offered),
            format!("{} of {}", answer.games_with, answer.games_with + answer.games_without),
            answer.effect.map_or("–".into(), |effect| told(effect.difference)),
            answer.effect.map_or("–".into(), |effect| between(effect.interval, told)),
            seed(&answer.won),
            seed(&answer.lost),
            seed(&answer.passed_over),
        ]
    };
    let rows: Vec<Vec<String>> = all.iter().map(row).collect();
    let head = [
        "Answer",
        "Given, of questions",
        "of games",
        "Goes with winning",
        "Interval",
        "Won, seed",
        "Lost",
        "Not given",
    ];
    page.table(&head, &rows);
    if let Some(first) = all.iter().flat_map(|answer| answer.won.first().or(answer.lost.first())).next() {
        page.paragraph("The game of a seed, here of the first one, is shown by:");
        page.calls(&[play(*first)]);
    }
    page.end_details();
}
