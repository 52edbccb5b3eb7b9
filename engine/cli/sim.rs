//! `rulepack sim`: many games by bots, mostly by chance.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rulepack_kernel::{ORACLE, Shortcuts};
use rulepack_model::all_threads;
use rulepack_model::visible::one_line;
use rulepack_tools::{
    BotKind, FileKind, GameBox, Library, Played, Seats, Shard, ShardWriter, SimReport, SimRequest, seats, simulate,
};

use crate::pick::Pick;
use crate::stop::{Format, Stop, emit_json, emit_lines, verdict};
use crate::tables::{GameRows, told, write_answers};
use crate::write::{Foreign, may_write, unwritten, write_one_of_many};

/// The largest number of failed games printed for people; programs get all.
const MOST_TOLD: usize = 10;

/// Plays many random games and counts
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: rulepack sim my-game --games 1000 --seed 1 --players 2 --format json\n          rulepack sim my-game --games 200 --bots mcts:40 --statistics"
)]
pub struct Sim {
    #[command(flatten)]
    pick: Pick,
    /// How many games
    #[arg(long, value_name = "N", default_value_t = 100)]
    games: u64,
    /// The seed from which the seeds of the games follow
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Play only the game with this seed, as a report names it
    #[arg(long, value_name = "S", conflicts_with_all = ["games", "seed"])]
    game_seed: Option<u64>,
    /// How many threads; the results do not depend on it
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// A game with more turns is stopped
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    max_turns: u32,
    /// Count pieces and resources after every answer
    #[arg(long)]
    invariants: bool,
    /// Test for leaks after every answer: with hidden pieces shuffled, a game must look the same
    #[arg(long)]
    views: bool,
    /// Play every game a second time without shortcuts of the engine, and compare both at every question; needs a program
    /// that was built with `--features oracle`
    #[arg(long)]
    oracle: bool,
    /// Who plays: a bot for all seats (`random`, `greedy`, `mcts`, `mcts:4000`), or one for each (`mcts,random`)
    #[arg(long, value_name = "BOTS", default_value = "random")]
    bots: String,
    /// Report who wins with how many points, how long games are, and how much winning goes with each answer
    #[arg(long)]
    statistics: bool,
    /// Write the statistics to this folder, as `games.csv` and `answers.csv`
    #[arg(long, value_name = "DIR")]
    csv: Option<PathBuf>,
    /// Play only this shard of the games, such as `3/64`, and write them to a file that `rulepack merge` puts together with the others
    #[arg(long, value_name = "K/N", requires = "out", conflicts_with = "game_seed")]
    shard: Option<String>,
    /// The file of the shard
    #[arg(long, value_name = "FILE", requires = "shard")]
    out: Option<PathBuf>,
    /// Write a log of every game to this folder
    #[arg(long, value_name = "DIR")]
    log_dir: Option<PathBuf>,
    /// Overwrite files in these folders even if rulepack did not write them
    #[arg(long)]
    force: bool,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

impl Sim {
    /// Runs it.
    pub fn run(&self, library: &Library) -> Result<(), Stop> {
        let game_box = self.pick.load(library)?;
        if self.oracle && !ORACLE {
            return Err(Stop::Call(
                "this program has no oracle: build it with `cargo build --release --features oracle`".into(),
            ));
        }
        let threads = self.threads.map_or_else(all_threads, usize::from);
        for folder in self.log_dir.iter().chain(&self.csv) {
            std::fs::create_dir_all(folder).map_err(|error| Stop::Call(unwritten(folder, &error)))?;
        }
        let shard = self.shard.as_deref().map(shard).transpose()?;
        let (first, games) = shard.map_or((0, self.games), |shard| shard.games(self.games));
        let request = SimRequest {
            first,
            games: if self.game_seed.is_some() { 1 } else { games },
            seed: self.seed,
            game_seed: self.game_seed,
            threads,
            max_turns: self.max_turns,
            invariants: self.invariants,
            views: self.views,
            logs: self.log_dir.is_some(),
            statistics: self.statistics || self.csv.is_some(),
            seats: bots(&self.bots, game_box.rules().players)?,
            plain: self.oracle.then(|| game_box.with_shortcuts(Shortcuts::none())),
            ..SimRequest::default()
        };
        let foreign = Foreign::new(self.force);
        let begin = |folder: &PathBuf| GameRows::begin(folder, game_box.rules(), foreign);
        let mut rows = self.csv.as_ref().map(begin).transpose()?;
        let mut part = self.begin_shard(&game_box, &request, shard)?;
        let bar = progress(request.games);
        let mut unwritten = None;
        let mut report = simulate(&game_box, &request, |played| {
            bar.inc(1);
            unwritten = self
                .write_log(played)
                .and_then(|()| rows.as_mut().map_or(Ok(()), |rows| rows.add(played)))
                .and_then(|()| part.as_mut().map_or(Ok(()), |part| self.in_shard(part.add(played))))
                .err();
            unwritten.is_none()
        });
        bar.finish_and_clear();
        if let Some(stop) = unwritten {
            return Err(stop);
        }
        if let Some(part) = part {
            self.in_shard(part.end(report.seconds))?;
        }
        if let (Some(folder), Some(statistics)) = (&self.csv, &report.statistics) {
            write_answers(folder, statistics, foreign)?;
        }
        report.add_calls(library, &game_box, &request);
        report.locate(&game_box, &library.sources());
        let written = match self.format {
            Format::Json => emit_json(&report),
            Format::Human => emit_lines(&human(&report)),
        };
        verdict(written, report.failed + report.capped > 0)
    }

    /// Begins the file of the shard, if one is asked for.
    fn begin_shard(
        &self,
        game_box: &GameBox,
        request: &SimRequest,
        shard: Option<Shard>,
    ) -> Result<Option<ShardWriter>, Stop> {
        let (Some(path), Some(shard)) = (&self.out, shard) else { return Ok(None) };
        may_write(path, FileKind::Shard, Foreign::new(self.force))?;
        self.in_shard(ShardWriter::begin(path, game_box, request, (shard, self.games), &self.bots)).map(Some)
    }

    /// The result of writing to the file of the shard.
    fn in_shard<T>(&self, written: std::io::Result<T>) -> Result<T, Stop> {
        let path = self.out.as_deref().unwrap_or(Path::new(""));
        written.map_err(|error| Stop::Call(unwritten(path, &error)))
    }

    fn write_log(&self, played: &Played) -> Result<(), Stop> {
        match (&self.log_dir, &played.log) {
            (Some(folder), Some(log)) => {
                let path = folder.join(format!("game_{:06}.json", played.index));
                write_one_of_many(&path, &log.to_text(), FileKind::Log, Foreign::new(self.force))
            }
            _ => Ok(()),
        }
    }
}

/// The shard that is asked for.
fn shard(text: &str) -> Result<Shard, Stop> {
    Shard::read(text).ok_or_else(|| {
        let text = one_line(text);
        Stop::Call(format!("`--shard {text}`: write the number of a shard and how many there are, such as `3/64`"))
    })
}

/// The bots of all seats.
pub fn bots(text: &str, players: u8) -> Result<Seats, Stop> {
    let seats =
        seats(text, players, BotKind::Random).map_err(|error| Stop::Call(one_line(&error.to_string()).into_owned()))?;
    match seats.iter().all(Option::is_some) {
        true => Ok(seats),
        false => Err(Stop::Call(format!("`--bots {}`: here a bot plays every seat", one_line(text)))),
    }
}

/// Shows on a terminal the number of games that have been played.
pub fn progress(games: u64) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(games), ProgressDrawTarget::stderr_with_hz(10));
    match ProgressStyle::with_template("{bar:40} {pos}/{len} games, {per_sec}, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// The report for people.
pub fn human(report: &SimReport) -> String {
    let modes = if report.modes.is_empty() { String::new() } else { format!(" ({})", report.modes.join(", ")) };
    let mut text = format!(
        "{}{modes}, {} players: {} games in {:.2} s\n\
         finished   {}\ncapped     {}\nfailed     {}\n\
         decisions  {} ({:.0} per second, at most {} options)\n\
         turns      {}\ngames      {:.1} per second\ndigest     {}",
        report.pack,
        report.players,
        report.games,
        report.seconds,
        report.finished,
        report.capped,
        report.failed,
        report.decisions,
        report.decisions_per_second,
        report.max_options,
        report.turns,
        report.games_per_second,
        report.digest,
    );
    text.extend(report.statistics.iter().map(|statistics| format!("\n{}", told(statistics))));
    for (how, games) in [("failed", &report.failures), ("capped", &report.capped_games)] {
        for game in games.iter().take(MOST_TOLD) {
            let alike = if game.games > 1 { format!(", like {} games in all", game.games) } else { String::new() };
            text.push_str(&format!("\n{how} with seed {}{alike}: {}", game.seed, one_line(&game.message)));
            text.extend(game.at.iter().map(|at| format!("\n  at {}", one_line(at))));
            text.push_str(&format!("\n  see it with `{}`", one_line(&game.call)));
        }
    }
    text
}
