//! `rulepack arena`: bots play against one another.

use clap::Args;
use rulepack_model::all_threads;
use rulepack_model::visible::one_line;
use rulepack_tools::{ArenaReport, ArenaRequest, BotKind, Library, arena};

use crate::pick::Pick;
use crate::sim::progress;
use crate::stop::{Format, Stop, emit_json, emit_lines};

/// Lets every bot play against every other one, and rates them
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: rulepack arena my-game --bots mcts:1000,greedy,random --games 100\n          rulepack arena my-game --players 1 --bots mcts:1000,random     # the same deals, who gets more points"
)]
pub struct Arena {
    #[command(flatten)]
    pick: Pick,
    /// The bots, two or more: `random`, `greedy`, `mcts`, `mcts:4000`, `mcts:500ms`
    #[arg(long, value_name = "A,B,…", required = true)]
    bots: String,
    /// How many games each pair plays; every seed is played twice, with the bots in each other's seats
    #[arg(long, value_name = "N", default_value_t = 20)]
    games: u64,
    /// The seed from which the seeds of the games follow
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How many threads; the results do not depend on it
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

impl Arena {
    /// Runs it.
    pub fn run(&self, library: &Library) -> Result<(), Stop> {
        let bots: Result<Vec<BotKind>, _> = self.bots.split(',').map(|word| word.trim().parse()).collect();
        let bots = bots.map_err(|error| Stop::Call(one_line(&format!("`--bots`: {error}")).into_owned()))?;
        if bots.len() < 2 {
            return Err(Stop::Call(
                "`--bots`: two bots or more play against one another, such as `mcts,random`".into(),
            ));
        }
        let game_box = self.pick.load(library)?;
        let threads = self.threads.map_or_else(all_threads, usize::from);
        let pairs = bots.len() * (bots.len() - 1) / 2;
        let bar = progress(self.games.saturating_mul(pairs as u64));
        let request = ArenaRequest { bots, games: self.games, seed: self.seed, threads };
        let report = arena(&game_box, &request, || {
            bar.inc(1);
            true
        });
        bar.finish_and_clear();
        match self.format {
            Format::Json => emit_json(&report),
            Format::Human => emit_lines(&human(&report)),
        }
    }
}

fn human(report: &ArenaReport) -> String {
    let modes = if report.modes.is_empty() { String::new() } else { format!(" ({})", report.modes.join(", ")) };
    let wide = report.bots.iter().map(|rated| rated.bot.len()).max().unwrap_or_default().max(3);
    let mut text = format!(
        "{}{modes}, {} players, seed {}\n{:wide$}  {:>5}  {:>13}  {:>5}  {:>6}  {:>7}  {:>6}  {:>5}\n",
        report.pack, report.players, report.seed, "bot", "Elo", "95 %", "games", "wins", "points", "median", "most",
    );
    for rated in &report.bots {
        let (low, high) = rated.elo_interval;
        text.push_str(&format!(
            "{:wide$}  {:>5.0}  {:>13}  {:>5}  {:>6.1}  {:>7.1}  {:>6}  {:>5}\n",
            rated.bot,
            rated.elo,
            format!("{low:.0} to {high:.0}"),
            rated.games,
            rated.wins,
            rated.points,
            rated.median_points,
            rated.most_points,
        ));
    }
    for pair in &report.pairs {
        let (low, high) = pair.share_interval;
        text.push_str(&format!(
            "{} against {}: {:.1} of {} ({:.0} %, between {:.0} and {:.0} %), {} draws\n",
            pair.one,
            pair.other,
            pair.wins,
            pair.games,
            100.0 * pair.share,
            100.0 * low,
            100.0 * high,
            pair.draws,
        ));
    }
    if report.unfinished > 0 {
        text.push_str(&format!("{} games did not end by the rules: `rulepack sim` says why\n", report.unfinished));
    }
    text.trim_end().to_string()
}
