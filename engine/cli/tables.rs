//! Statistics as tables for other programs: games as rows, and answers as rows.

use std::fmt::Write as _;
use std::path::Path;

use rulepack_kernel::Ruleset;
use rulepack_tools::{End, FileKind, Growing, Played, Safety, Statistics, replace};

use crate::stop::Stop;
use crate::write::{Foreign, may_write, unwritten, write_one_of_many};

/// The file with a row for each game, which grows as games end.
#[derive(Debug)]
pub struct GameRows {
    file: Growing,
    path: std::path::PathBuf,
    players: usize,
}

impl GameRows {
    /// Begins the file `games.csv` in a folder.
    pub fn begin(folder: &Path, rules: &Ruleset, foreign: Foreign) -> Result<GameRows, Stop> {
        let path = folder.join("games.csv");
        may_write(&path, FileKind::Table, foreign)?;
        let players = usize::from(rules.players);
        let mut head = "game,seed,end,turns,answers,questions".to_string();
        for seat in 1..=players {
            let _ = write!(head, ",points_{seat},won_{seat}");
        }
        let file =
            replace(&path, &(head + "\n"), Safety::Written).map_err(|error| Stop::Call(unwritten(&path, &error)))?;
        Ok(GameRows { file, path, players })
    }

    /// Adds a game.
    pub fn add(&mut self, game: &Played) -> Result<(), Stop> {
        let end = match game.end {
            End::Finished => "finished",
            End::Capped => "capped",
            End::Failed(_) => "failed",
            End::Leaked(_) => "leaked",
        };
        let mut row = format!("{},{},{end},{},{},{}", game.index, game.seed, game.turns, game.answers, game.decisions);
        for seat in 0..self.players {
            match game.results.get(seat) {
                Some((points, won)) => drop(write!(row, ",{points},{}", u8::from(*won))),
                None => row.push_str(",,"),
            }
        }
        row.push('\n');
        self.file.append(&row, Safety::Written).map_err(|error| Stop::Call(unwritten(&self.path, &error)))
    }
}

/// Writes the file `answers.csv` to a folder: a row for each action, card, and action with a card.
pub fn write_answers(folder: &Path, statistics: &Statistics, foreign: Foreign) -> Result<(), Stop> {
    let mut text =
        "action,card,offered,taken,games_with,games_without,difference,interval_from,interval_to,out_of_line\n"
            .to_string();
    for answer in &statistics.answers {
        let (action, card) = (answer.action.as_deref().unwrap_or(""), answer.card.as_deref().unwrap_or(""));
        let effect = answer.effect.map_or(",,".to_string(), |effect| {
            format!("{:.6},{:.6},{:.6}", effect.difference, effect.interval.0, effect.interval.1)
        });
        let _ = writeln!(
            text,
            "{action},{card},{},{},{},{},{effect},{}",
            answer.offered,
            answer.taken,
            answer.games_with,
            answer.games_without,
            u8::from(answer.is_out_of_line)
        );
    }
    write_one_of_many(&folder.join("answers.csv"), &text, FileKind::Table, foreign)
}

/// The statistics for people.
pub fn told(statistics: &Statistics) -> String {
    let is_alone = statistics.seats.len() == 1;
    let figure = |name: &str, figure: &rulepack_tools::interval::Figure| {
        let sure = figure.interval.map_or(String::new(), |(low, high)| format!(" (95 %: {low:.1} to {high:.1})"));
        format!("{name:<10} {:.1}{sure}, {} to {}\n", figure.mean, figure.least, figure.most)
    };
    let mut text = String::new();
    let seats = statistics.seats.iter().map(|seat| (format!("{} ({})", seat.name, seat.bot), seat));
    let is_mixed = statistics.bots.len() > 1;
    let bots = statistics.bots.iter().filter(|_| is_mixed).map(|bot| (bot.name.clone(), bot));
    for (name, of_seat) in seats.chain(bots) {
        let (low, high) = of_seat.share_interval;
        if !is_alone {
            let _ = write!(
                text,
                "{name}: wins {:.1} % (95 %: {:.1} to {:.1} %), ",
                100.0 * of_seat.share,
                100.0 * low,
                100.0 * high
            );
        } else {
            let _ = write!(text, "{name}: ");
        }
        let [least, quarter, half, three, most] = of_seat.quartiles;
        let _ = writeln!(
            text,
            "{:.1} points on average, half of the games {quarter} to {three}, median {half}, all {least} to {most}",
            of_seat.points.mean
        );
    }
    text += &figure("turns", &statistics.turns);
    text += &figure("questions", &statistics.questions);
    text += &figure("options", &statistics.options);
    if let Some(margin) = &statistics.margin {
        text += &figure("margin", margin);
        text += &figure("lead lost", &statistics.lead_changes);
        let _ = writeln!(text, "draws      {} of {}", statistics.draws, statistics.games);
    }
    let mut answers: Vec<_> = statistics.answers.iter().filter(|answer| answer.is_out_of_line).collect();
    let size = |answer: &rulepack_tools::AnswerStatistics| answer.effect.map_or(0.0, |effect| effect.difference.abs());
    answers.sort_by(|one, two| size(two).total_cmp(&size(one)));
    for answer in answers.into_iter().take(12) {
        let Some(effect) = answer.effect else { continue };
        let (scale, unit) = if is_alone { (1.0, "points") } else { (100.0, "% of the victory") };
        let _ = writeln!(
            text,
            "{}: with it {:+.1} {unit} (95 %: {:+.1} to {:+.1}), in {} of {} games that offered it",
            answer.name(),
            scale * effect.difference,
            scale * effect.interval.0,
            scale * effect.interval.1,
            answer.games_with,
            answer.games_with + answer.games_without,
        );
    }
    text.trim_end().to_string()
}
