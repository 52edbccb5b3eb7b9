//! `rulepack test --conformance`: properties of every pack, tested in random games.

use clap::Args;
use rulepack_model::all_threads;
use rulepack_model::visible::one_line;
use rulepack_tools::conformance::{ConformanceReport, ConformanceRequest, NotTested, Way, WayReport, conform, ways};
use rulepack_tools::{Library, conformance_junit};

use crate::pick::{known_pack, refused};
use crate::sim::progress;
use crate::stop::{Stop, emit_json, emit_lines, emit_report, talk, verdict};
use crate::test::TestFormat;

/// The arguments of games by chance.
#[derive(Debug, Args)]
pub struct Conformance {
    /// Play games by chance in every mode and with every number of players, and look at what must hold of any pack
    #[arg(long)]
    conformance: bool,
    /// How many games of every mode and number of players
    #[arg(long, value_name = "N", default_value_t = 20, requires = "conformance")]
    games: u64,
    /// The seed from which the seeds of the games follow
    #[arg(long, value_name = "S", default_value_t = 1, requires = "conformance")]
    seed: u64,
    /// Play only the game with this seed, as a report names it
    #[arg(long, value_name = "S", requires = "conformance", conflicts_with_all = ["games", "seed"])]
    game_seed: Option<u64>,
    /// Test every property at every decision, the expensive ones too
    #[arg(long, requires = "conformance")]
    thorough: bool,
    /// Only with this mode or edition; may be given several times
    #[arg(long = "mode", value_name = "MODE", requires = "conformance")]
    modes: Vec<String>,
    /// Only with this number of players
    #[arg(long, value_name = "N", requires = "conformance")]
    players: Option<u8>,
    /// Threads; all cores if not given. The results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256), requires = "conformance")]
    threads: Option<u16>,
    /// Play the same games also without looking at anything, and tell how many times as long it takes with looking
    #[arg(long, requires = "conformance")]
    measure: bool,
}

impl Conformance {
    /// Whether conformance is requested instead of scenarios.
    pub fn is_wanted(&self) -> bool {
        self.conformance
    }

    /// Runs it.
    pub fn run(
        &self,
        library: &Library,
        packs: &[String],
        with: &[String],
        format: TestFormat,
        verbose: bool,
    ) -> Result<(), Stop> {
        packs.iter().try_for_each(|pack| known_pack(library, pack))?;
        let Meant { ways, not_tested, notes } = self.meant(library, packs, with)?;
        let request = ConformanceRequest {
            games: self.games,
            seed: self.seed,
            game_seed: self.game_seed,
            thorough: self.thorough,
            threads: self.threads.map_or_else(all_threads, usize::from),
            measure: self.measure,
            ..ConformanceRequest::default()
        };
        let bar = progress(if self.game_seed.is_some() { 1 } else { self.games } * ways.len() as u64);
        let mut report = conform(library, &ways, &request, &|| bar.inc(1));
        bar.finish_and_clear();
        (report.notes, report.not_tested) = (notes, not_tested);
        report.notes.iter().for_each(|note| talk(note));
        let written = match format {
            TestFormat::Json => emit_json(&report),
            TestFormat::Human => emit_lines(&human(&report, verbose || self.measure)),
            TestFormat::Junit => emit_report(conformance_junit(&report).trim_end()),
        };
        verdict(written, report.failed > 0 || !report.not_tested.is_empty())
    }

    /// All requested ways to play, and the messages about packs that cannot be played.
    fn meant(&self, library: &Library, packs: &[String], with: &[String]) -> Result<Meant, Stop> {
        let all: Vec<String> = match packs {
            [] => library.list().into_iter().map(|info| info.id).collect(),
            packs => packs.to_vec(),
        };
        let mut meant = Meant::default();
        for pack in &all {
            if !library.has_game(pack) {
                meant.notes.push(format!("`{pack}` is a library: it is played by the packs that need it"));
                continue;
            }
            let of_pack = ways(library, pack, &self.modes, self.players, with);
            let of_pack = of_pack.map_err(|diagnostics| refused(library, &diagnostics))?;
            meant.ways.extend(of_pack.tested);
            let sources = library.sources();
            meant.not_tested.extend(of_pack.too_many.iter().map(|found| {
                let place = found.labels.first().map(|label| sources.position(label.span));
                NotTested {
                    pack: pack.clone(),
                    message: found.help.iter().fold(found.message.clone(), |text, help| format!("{text}: {help}")),
                    at: place.map(|(path, line, column)| format!("{path}:{line}:{column}")).unwrap_or_default(),
                }
            }));
        }
        if let (true, Some(players)) = (meant.ways.is_empty() && !all.is_empty(), self.players) {
            return Err(Stop::Call(format!("none of the packs is for {players} players with these modes")));
        }
        Ok(meant)
    }
}

/// The request.
#[derive(Default)]
struct Meant {
    ways: Vec<Way>,
    not_tested: Vec<NotTested>,
    notes: Vec<String>,
}

fn human(report: &ConformanceReport, verbose: bool) -> String {
    let mut lines = Vec::new();
    for way in report.ways.iter().filter(|way| verbose || !way.violations.is_empty()) {
        lines.push(told(way));
    }
    for NotTested { message, at, .. } in &report.not_tested {
        lines.push(format!("NOT TESTED {}: {}", one_line(at), one_line(message)));
    }
    let ConformanceReport { passed, failed, games, answers, seconds, .. } = report;
    lines.push(format!(
        "{passed} ways to play passed, {failed} failed: {games} games, {answers} answers, {seconds:.1} s"
    ));
    lines.join("\n")
}

fn told(way: &WayReport) -> String {
    let with = if way.game == way.pack { String::new() } else { format!(", played with {}", one_line(&way.game)) };
    let modes = if way.modes.is_empty() { String::new() } else { format!(" ({})", one_line(&way.modes.join(", "))) };
    let players = if way.players == 1 { "1 player".to_string() } else { format!("{} players", way.players) };
    let verdict = if way.violations.is_empty() { "passed" } else { "FAILED" };
    let mut text = format!("{verdict} {}{modes}{with}, {players}: {} games", one_line(&way.pack), way.games);
    if let Some(bare) = way.bare_seconds.filter(|bare| *bare > 0.0) {
        let (seconds, times) = (way.seconds, way.seconds / bare);
        text.push_str(&format!(", {} answers, {seconds:.2} s, {times:.1} times the bare games", way.answers));
    }
    for violation in &way.violations {
        let games = if violation.games > 1 { format!(", in {} games", violation.games) } else { String::new() };
        text.push_str(&format!(
            "\n    {}, seed {}, decision {} ({}){games}: {}",
            violation.property.name(),
            violation.seed,
            violation.decision,
            one_line(&violation.asked),
            one_line(&violation.message),
        ));
        text.extend(violation.at.iter().map(|at| format!("\n      at {}", one_line(at))));
        text.push_str(&format!("\n      see it with `{}`", one_line(&violation.call)));
    }
    text
}
