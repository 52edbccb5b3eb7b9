//! `rulepack test`: plays scenarios; with `--conformance`, random games (`conformance.rs`).

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use rulepack_model::visible::one_line;
use rulepack_tools::scenario::{TestCase, TestReport, TestRequest, run_tests};
use rulepack_tools::{Library, junit};

use crate::conformance::Conformance;
use crate::pick::known_pack;
use crate::stop::{Stop, emit, emit_json, emit_lines, emit_report, talk, verdict};
use crate::watch::WatchArg;

/// Plays the scenarios of packs, of files or of all files below a folder
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  rulepack test my-game\n  rulepack test my-game --filter ferry --verbose\n  rulepack test drafts/night_ferry.toml --format json\n  rulepack test --format junit > scenarios.xml\n  rulepack test --conformance my-game --games 50\n  rulepack test --conformance my-game --mode short --players 2 --seed 7 --format junit > conformance.xml\n\n`--conformance` needs no scenarios and no code of the pack's author: it plays games by chance in every mode and with\nevery number of players, and looks at what must hold of any pack. See docs/ci.md."
)]
pub struct Test {
    /// Packs, files or folders; all packs if none is named
    targets: Vec<String>,
    /// A further pack that is loaded with every scenario; may be given several times
    #[arg(long = "with", value_name = "PACK")]
    with: Vec<String>,
    /// Play only scenarios that have this text in their path, their case or their `about`, in capital or small letters, with
    /// spaces, `_` or `-` between its words
    #[arg(long, value_name = "TEXT", conflicts_with = "conformance")]
    filter: Option<String>,
    /// List every case, also those that pass
    #[arg(long, short)]
    verbose: bool,
    #[command(flatten)]
    watch: WatchArg,
    #[command(flatten)]
    conformance: Conformance,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    format: TestFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum TestFormat {
    /// For people
    Human,
    /// For programs
    Json,
    /// JUnit's XML, for CI systems
    Junit,
}

impl Test {
    /// Runs it, and with `--watch` again after each change.
    pub fn run(&self, open: impl Fn() -> Result<Library, Stop>, folders: &[PathBuf]) -> Result<(), Stop> {
        let others: Vec<PathBuf> = self.targets.iter().map(PathBuf::from).filter(|path| path.exists()).collect();
        self.watch.run(folders, &others, || self.once(&open()?))
    }

    fn once(&self, library: &Library) -> Result<(), Stop> {
        for pack in &self.with {
            known_pack(library, pack)?;
        }
        if self.conformance.is_wanted() {
            return self.conformance.run(library, &self.targets, &self.with, self.format, self.verbose);
        }
        let request =
            TestRequest { targets: self.targets.clone(), with: self.with.clone(), filter: self.filter.clone() };
        let report =
            run_tests(library, &request).map_err(|error| Stop::Call(one_line(&error.to_string()).into_owned()))?;
        report.notes.iter().for_each(|note| talk(note));
        let written = match self.format {
            TestFormat::Json => emit_json(&report),
            TestFormat::Human => self.human(&report),
            TestFormat::Junit => emit_report(junit(&report).trim_end()),
        };
        verdict(written, report.failed > 0)
    }

    fn human(&self, report: &TestReport) -> Result<(), Stop> {
        for case in report.cases.iter().filter(|case| self.verbose || !case.passed) {
            emit_lines(&told(case))?;
        }
        if report.passed + report.failed == 0 {
            talk("there are no scenarios");
        }
        emit(&format!("{} passed, {} failed", report.passed, report.failed))
    }
}

fn told(case: &TestCase) -> String {
    let file = one_line(&case.file);
    let name = case.case.as_ref().map_or(String::new(), |case| format!(" ({})", one_line(case)));
    let Some(message) = &case.failure else {
        let notes = case.notes.iter().map(|note| format!("\n    {}", one_line(note)));
        return format!("passed {file}{name}{}", notes.collect::<String>());
    };
    // Mistakes contain their own places.
    let (line, column) = case.at;
    let place = if case.has_mistakes { String::new() } else { format!(":{line}:{column}") };
    format!("FAILED {file}{place}{name}\n    {}\n", message.replace('\n', "\n    "))
}
