//! `rulepack balance`: is a pack balanced, and what does a change of it do?

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use rulepack_model::visible::one_line;
use rulepack_model::{all_threads, did_you_mean};
use rulepack_tools::{
    BalanceReport, BalanceRequest, Comparison, FigureDifference as Difference, FileKind, GameBox, Library, NamedFigure,
    Verdict, balance, balance_call, compare,
};
use serde::Serialize;

use crate::changed_pack;
use crate::page::{self, About};
use crate::pick::Pick;
use crate::sim::{bots, progress};
use crate::stop::{Format, Stop, emit_json, emit_lines, verdict};
use crate::tables::told;
use crate::write::{Foreign, may_write, write_named};

/// Plays games with bots and says what is out of line, or what a change of the pack does
///
/// A comparison plays the same seeds under both rules. It ends as soon as some figure clearly differs, or clearly none does.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: rulepack balance my-game --bots mcts:20 --games 200\n          rulepack balance my-game --against HEAD~1\n          rulepack balance my-game --vary \"card.inn.cost=1 coin,3 coin\"\n          rulepack balance my-game --fail-if \"seat_advantage > 8%\""
)]
pub struct Balance {
    #[command(flatten)]
    pick: Pick,
    /// Who plays: a bot for all seats, or one for each
    #[arg(long, value_name = "BOTS", default_value = "mcts:20")]
    bots: String,
    /// How many games, or pairs of games, at most
    #[arg(long, value_name = "N", default_value_t = 200)]
    games: u64,
    /// The seed from which the seeds of the games follow
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How many threads; the results do not depend on it
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Compare with the pack as it is in another library, or in a revision of git
    #[arg(long, value_name = "DIR|REV", conflicts_with = "vary")]
    against: Option<String>,
    /// Compare with the pack with other values of a field, such as `card.inn.cost=1 coin,3 coin`
    #[arg(long, value_name = "FIELD=VALUES")]
    vary: Option<String>,
    /// End with exit code 1 if a figure (in a comparison: its difference) is surely beyond a limit, such as `seat_advantage > 8%`;
    /// may be given several times
    #[arg(long = "fail-if", value_name = "FIGURE > LIMIT")]
    fail_if: Vec<String>,
    /// Write the report with plots to this file, as a page of HTML that needs nothing else
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Overwrite the page even if rulepack did not write it
    #[arg(long, requires = "html")]
    force: bool,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

/// A limit that a figure must not pass.
#[derive(Debug)]
struct Limit {
    text: String,
    name: String,
    is_upper: bool,
    limit: f64,
}

/// A comparison, for programs.
#[derive(Serialize)]
struct Compared<'r> {
    /// What the pack is compared with.
    with: &'r str,
    #[serde(flatten)]
    comparison: &'r Comparison,
}

/// The names of all figures, as [`balance`] and [`compare`] give them.
const FIGURES: [&str; 10] = [
    "seat_advantage",
    "draws",
    "turns",
    "questions",
    "options",
    "margin",
    "lead_changes",
    "points",
    "first_seat",
    "games",
];

impl Balance {
    /// Runs it.
    pub fn run(&self, library: &Library) -> Result<(), Stop> {
        let limits = self.fail_if.iter().map(|text| limit(text)).collect::<Result<Vec<Limit>, Stop>>()?;
        let game_box = self.pick.load(library)?;
        if let Some(path) = &self.html {
            may_write(path, FileKind::Page, Foreign::new(self.force))?;
        }
        let request = BalanceRequest {
            seats: bots(&self.bots, game_box.rules().players)?,
            games: self.games,
            seed: self.seed,
            threads: self.threads.map_or_else(all_threads, usize::from),
        };
        let others = match (&self.against, &self.vary) {
            (Some(against), _) => {
                vec![(against.clone(), changed_pack::other("--against", against, library, &self.pick.request())?)]
            }
            (None, Some(vary)) => changed_pack::varied(vary, library, &game_box, &self.pick.request())?,
            (None, None) => return self.alone(library, &game_box, &request, &limits),
        };
        self.compared(library, &game_box, others, &request, &limits)
    }

    fn alone(
        &self,
        library: &Library,
        game_box: &GameBox,
        request: &BalanceRequest,
        limits: &[Limit],
    ) -> Result<(), Stop> {
        let bar = progress(self.games);
        let mut report = balance(game_box, request, |_| {
            bar.inc(1);
            true
        });
        bar.finish_and_clear();
        report.add_calls(library, game_box, request);
        report.games.locate(game_box, &library.sources());
        if let Some(path) = &self.html {
            let call = self.call(library, game_box, request);
            let about = About { bots: &self.bots, call: &call };
            let text = page::balance(&report, about, |seed| request.call(library, game_box, seed))?;
            write_named(path, &text, FileKind::Page, Foreign::new(self.force))?;
        }
        let broken = broken(limits, &report.figures);
        let written = match self.format {
            Format::Json => emit_json(&report),
            Format::Human => emit_lines(&(human(&report, &self.bots) + &broken.join(""))),
        };
        verdict(written, !broken.is_empty() || report.games.failed + report.games.capped > 0)
    }

    /// The call of this report.
    fn call(&self, library: &Library, game_box: &GameBox, request: &BalanceRequest) -> String {
        let change = match (&self.against, &self.vary) {
            (Some(against), _) => Some(("against", against.clone())),
            (None, Some(vary)) => Some(("vary", vary.clone())),
            (None, None) => None,
        };
        let page = self.html.as_ref().map(|path| ("html", path.to_string_lossy().into_owned()));
        let more: Vec<(&str, String)> = change.into_iter().chain(page).collect();
        let more: Vec<(&str, &str)> = more.iter().map(|(name, value)| (*name, value.as_str())).collect();
        balance_call(library, game_box.rules(), request, &more)
    }

    /// Writes the page about changes. A game is shown under the rules that lie in folders.
    fn write_compared(
        &self,
        library: &Library,
        game_box: &GameBox,
        request: &BalanceRequest,
        all: &[(&String, Comparison)],
    ) -> Result<(), Stop> {
        let Some(path) = &self.html else { return Ok(()) };
        let call = self.call(library, game_box, request);
        let about = About { bots: &self.bots, call: &call };
        let all: Vec<(&str, &Comparison)> = all.iter().map(|(with, one)| (with.as_str(), one)).collect();
        let other = self.against.as_ref().filter(|place| Path::new(place).is_dir());
        let other = other.and_then(|folder| Library::open(&[folder]).ok());
        let play = |seed: u64| {
            let before = other.as_ref().map(|other| request.call(other, game_box, seed));
            before.into_iter().chain([request.call(library, game_box, seed)]).collect()
        };
        let text = page::comparison(&game_box.rules().pack, &all, about, play)?;
        write_named(path, &text, FileKind::Page, Foreign::new(self.force))
    }

    fn compared(
        &self,
        library: &Library,
        game_box: &GameBox,
        others: Vec<(String, GameBox)>,
        request: &BalanceRequest,
        limits: &[Limit],
    ) -> Result<(), Stop> {
        let (mut all, mut text, mut is_broken) = (Vec::new(), String::new(), false);
        for (with, other) in &others {
            let bar = progress(self.games);
            // What is compared with a revision is the change since; a varied value is the change.
            let (before, after) = if self.against.is_some() { (other, game_box) } else { (game_box, other) };
            let comparison = compare(before, after, request, || {
                bar.inc(1);
                true
            });
            bar.finish_and_clear();
            let figure =
                |one: &Difference| NamedFigure { name: one.name, value: one.difference, interval: one.interval };
            let broken = broken(limits, &comparison.differences.iter().map(figure).collect::<Vec<_>>());
            is_broken |= !broken.is_empty() || comparison.pairs == comparison.unfinished;
            text += &(differences(with, &comparison, &self.bots) + &broken.join(""));
            all.push((with, comparison));
        }
        self.write_compared(library, game_box, request, &all)?;
        let all: Vec<Compared<'_>> = all.iter().map(|(with, comparison)| Compared { with, comparison }).collect();
        let written = match self.format {
            Format::Json => emit_json(&all),
            Format::Human => emit_lines(text.trim_end()),
        };
        verdict(written, is_broken)
    }
}

/// Reads a limit.
fn limit(text: &str) -> Result<Limit, Stop> {
    let wrong = |why: String| Stop::Call(one_line(&format!("`--fail-if {text}`: {why}")).into_owned());
    let Some(at) = text.find(['>', '<']) else {
        return Err(wrong("write a figure and a limit, such as `seat_advantage > 8%`".into()));
    };
    let (name, rest) = text.split_at(at);
    let (name, is_upper) = (name.trim(), rest.starts_with('>'));
    if !FIGURES.contains(&name) {
        let hint = did_you_mean(name, FIGURES).map_or(String::new(), |hint| format!("; {hint}"));
        return Err(wrong(format!("there is no figure `{name}`: there are {}{hint}", FIGURES[..9].join(", "))));
    }
    let number = rest[1..].trim();
    let (number, scale) = number.strip_suffix('%').map_or((number, 1.0), |number| (number.trim(), 0.01));
    match number.parse::<f64>() {
        Ok(number) if number.is_finite() => {
            Ok(Limit { text: text.to_string(), name: name.to_string(), is_upper, limit: number * scale })
        }
        _ => Err(wrong(format!("`{number}` is not a number: write one such as `3.5` or `8%`"))),
    }
}

/// The limits that are surely passed: the whole interval lies beyond.
fn broken(limits: &[Limit], figures: &[NamedFigure]) -> Vec<String> {
    let passed = |limit: &Limit| {
        let figure = figures.iter().find(|figure| figure.name == limit.name)?;
        let (low, high) = figure.interval;
        let is_beyond = if limit.is_upper { low > limit.limit } else { high < limit.limit };
        is_beyond.then(|| {
            let (value, name) = (figure.value, &limit.name);
            format!("\nfailed: {}: {name} is {value:.3} ({low:.3} to {high:.3})\n", limit.text)
        })
    };
    limits.iter().filter_map(passed).collect()
}

fn human(report: &BalanceReport, bots: &str) -> String {
    let games = &report.games;
    let modes = if games.modes.is_empty() { String::new() } else { format!(" ({})", games.modes.join(", ")) };
    let mut text = format!(
        "{}{modes}, {} players, {} games by {bots} from seed {}, in {:.1} s\n",
        games.pack, games.players, games.games, report.seed, games.seconds
    );
    text.extend(games.statistics.iter().map(|statistics| {
        // The answers that are out of line come below, with the other remarks.
        told(statistics)
            .lines()
            .filter(|line| !line.contains(": with it "))
            .fold(String::new(), |all, line| all + line + "\n")
    }));
    for remark in &report.remarks {
        let _ = writeln!(text, "{}: {}", remark.code, remark.text);
        if !remark.calls.is_empty() {
            let _ = writeln!(text, "  see `{}`", remark.calls.join("`,\n      `"));
        }
    }
    if report.remarks.is_empty() {
        text.push_str("nothing is out of line, as far as so many games show\n");
    }
    text
}

fn differences(with: &str, comparison: &Comparison, bots: &str) -> String {
    let mut text = format!("`{with}`: {} pairs of games by {bots} from seed {}\n", comparison.pairs, comparison.seed);
    if comparison.unfinished > 0 {
        let _ = writeln!(text, "{} pairs did not end by the rules and do not count", comparison.unfinished);
    }
    for Difference { name, before, after, difference, interval, threshold, verdict, .. } in &comparison.differences {
        let told = match verdict {
            Verdict::Differs => {
                format!("differs by {difference:+.2} ({:+.2} to {:+.2})", interval.0, interval.1)
            }
            Verdict::NoDifference => format!("no difference above {threshold:.2}"),
            Verdict::NotClear => {
                format!("not clear yet: {difference:+.2} ({:+.2} to {:+.2})", interval.0, interval.1)
            }
        };
        let _ = writeln!(text, "  {name:<11} {before:>8.2} → {after:>8.2}  {told}");
    }
    text
}
