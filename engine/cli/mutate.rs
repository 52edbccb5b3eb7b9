//! `rulepack mutate`: which small changes of a pack its scenarios do not notice.

use std::fmt::Write;
use std::io::IsTerminal;
use std::path::PathBuf;

use clap::Args;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use rulepack_model::visible::one_line;
use rulepack_model::{Diagnostic, all_threads};
use rulepack_tools::mutate::{
    Accepted, Mutant, MutateError, MutateRequest, MutationReport, draw, mutants, mutate, read_survivors,
};
use rulepack_tools::{Library, REPORT_VERSION};

use crate::pick::{known_pack, refused};
use crate::stop::{Format, Stop, emit_json, emit_lines, read_named, talk, verdict};

/// Changes a pack in memory, one small change at a time, and tells which changes no scenario notices
#[derive(Debug, Args)]
#[command(after_help = "Examples: rulepack mutate my-game\n          \
                        rulepack mutate my-game --sample 200 --seed 1 --floor 85 --format json\n\n\
                        See docs/mutation.md for the changes, and for what counts as noticed.")]
pub struct Mutate {
    /// The pack
    pack: String,
    /// Play only a random sample of this size
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// The seed of the sample
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// How many threads; the results do not depend on it
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Fail if less than this percentage is noticed
    #[arg(long, value_name = "PERCENT")]
    floor: Option<f64>,
    /// A list of survivors that are accepted, with reasons [default: content/PACK/.survivors.toml, if it is there]
    #[arg(long, value_name = "FILE")]
    survivors: Option<PathBuf>,
    /// List the changes and play nothing
    #[arg(long)]
    list: bool,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

impl Mutate {
    /// Runs it.
    pub fn run(&self, library: &Library) -> Result<(), Stop> {
        known_pack(library, &self.pack)?;
        let threads = self.threads.map_or_else(all_threads, usize::from);
        if self.floor.is_some_and(|floor| !(0.0..=100.0).contains(&floor)) {
            return Err(Stop::Call("the floor is a number from 0 to 100".into()));
        }
        let request = MutateRequest { threads, sample: self.sample, seed: self.seed };
        let wrong = |error: MutateError| match error {
            MutateError::Mistakes(diagnostics) => refused(library, &diagnostics),
            error => Stop::Call(one_line(&error.to_string()).into_owned()),
        };
        if self.list {
            let all = draw(mutants(library, &self.pack).map_err(wrong)?, &request);
            return match self.format {
                Format::Json => emit_json(&serde_json::json!({ "version": REPORT_VERSION, "mutants": all })),
                Format::Human => emit_lines(&listed(&all)),
            };
        }
        let accepted = self.accepted(library)?;
        let bar = progress();
        let report = mutate(library, &self.pack, &request, |all| {
            bar.set_length(all as u64);
            bar.inc(1);
            true
        });
        bar.finish_and_clear();
        let mut report = report.map_err(wrong)?;
        let unused = report.accept(&accepted);
        let written = match self.format {
            Format::Json => emit_json(&report),
            Format::Human => emit_lines(&human(&report)),
        };
        if report.failing > 0 {
            talk(&format!("{} scenarios fail as the pack is: they were left out", report.failing));
        }
        for (mutant, words) in &report.panics {
            talk(&format!("a bug of rulepack: {} breaks the engine: {words}", place(mutant)));
        }
        // A sample omits changes that other entries may match.
        for entry in unused.iter().filter(|_| self.sample.is_none()) {
            talk(&format!("an accepted survivor is none any more: {}: `{}`: {}", entry.path, entry.text, entry.what));
        }
        let score = report.score_without_known();
        let missed = self.floor.filter(|floor| score < *floor);
        if let Some(floor) = missed {
            talk(&format!("{score:.1} % are noticed, which is below the floor of {floor} %"));
        }
        verdict(written, missed.is_some())
    }

    /// The accepted survivors: those of the file that the caller names, else those of the pack.
    fn accepted(&self, library: &Library) -> Result<Vec<Accepted>, Stop> {
        let told = |diagnostics: Vec<Diagnostic>| refused(library, &diagnostics);
        let file = match &self.survivors {
            Some(path) => Some(library.add_source(&path.to_string_lossy(), &read_named(path)?)),
            None => library.read_beside(&self.pack, ".survivors.toml").map_err(told)?,
        };
        file.map_or(Ok(Vec::new()), |file| read_survivors(library, file).map_err(told))
    }
}

fn progress() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr_with_hz(10));
    match ProgressStyle::with_template("{bar:40} {pos}/{len} changes, {per_sec}, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

fn place(mutant: &Mutant) -> String {
    let Mutant { path, line, column, what, .. } = mutant;
    one_line(&format!("{path}:{line}:{column}: {what}")).into_owned()
}

fn listed(mutants: &[Mutant]) -> String {
    let lines: Vec<String> = mutants.iter().map(place).collect();
    format!("{}\n{} changes", lines.join("\n"), mutants.len())
}

fn human(report: &MutationReport) -> String {
    let mut text = String::new();
    let known = report.known.iter().map(|known| (&known.mutant, Some(known.reason.as_str())));
    let all = report.survived.iter().map(|mutant| (mutant, None)).chain(known);
    let mut path = "";
    for (mutant, reason) in all {
        if mutant.path != path {
            path = &mutant.path;
            let _ = writeln!(text, "{}{}", one_line(path), if reason.is_some() { " (known)" } else { "" });
        }
        let _ = writeln!(text, "  {}\n      {}", place(mutant), one_line(&mutant.text));
        if let Some(reason) = reason {
            let _ = writeln!(text, "      known: {}", one_line(reason));
        }
    }
    if !text.is_empty() {
        text.push('\n');
    }
    let _ = writeln!(text, "{}: {} scenarios", report.pack, report.scenarios);
    let _ = writeln!(text, "           changes  noticed  survived   score");
    for (name, mutants, killed, score) in [
        ("behaviour", report.behaviour.mutants, report.behaviour.killed, report.behaviour.score),
        ("data", report.data.mutants, report.data.killed, report.data.score),
        ("total", report.mutants, report.killed, report.score),
    ] {
        let _ = writeln!(text, "{name:9}  {mutants:7}  {killed:7}  {:8}  {score:4.1} %", mutants - killed);
    }
    let _ = write!(text, "{} more cannot be linked and do not count", report.invalid);
    if !report.known.is_empty() {
        let known = match report.known.len() {
            1 => "1 survivor is known".to_string(),
            known => format!("{known} survivors are known"),
        };
        let _ = write!(text, "; {known}");
    }
    text
}
