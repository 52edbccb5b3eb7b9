//! `rulepack test`: plays scenarios.

use clap::{Args, ValueEnum};
use rulepack_tools::scenario::{TestReport, run_files};
use rulepack_tools::{Library, junit};

use crate::stop::{Stop, emit, emit_json, talk};

/// Plays the scenarios of packs, of files or of all files below a folder
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  rulepack test my-game\n  rulepack test drafts/night_ferry.toml --format json\n  rulepack test --format junit > scenarios.xml"
)]
pub struct Test {
    /// Packs, files or folders; all packs if none is named
    targets: Vec<String>,
    /// How the result is written
    #[arg(long, value_enum, default_value = "human")]
    format: TestFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TestFormat {
    /// For people
    Human,
    /// For programs
    Json,
    /// JUnit's XML, for CI systems
    Junit,
}

impl Test {
    /// Runs it.
    pub fn run(&self, library: &Library) -> Result<(), Stop> {
        let report = run_files(library, &self.targets).map_err(|error| Stop::Call(error.to_string()))?;
        match self.format {
            TestFormat::Json => emit_json(&report)?,
            TestFormat::Human => human(&report)?,
            TestFormat::Junit => {
                let text = junit(&report).map_err(|error| Stop::Wrong(format!("no XML can be written: {error}")))?;
                emit(text.trim_end())?;
            }
        }
        if report.failed > 0 { Err(Stop::Said) } else { Ok(()) }
    }
}

fn human(report: &TestReport) -> Result<(), Stop> {
    for failure in &report.failures {
        let case = failure.case.as_ref().map_or(String::new(), |case| format!(" ({case})"));
        emit(&format!("FAILED {}{case}\n    {}\n", failure.file, failure.message.replace('\n', "\n    ")))?;
    }
    if report.passed + report.failed == 0 {
        talk("there are no scenarios");
    }
    emit(&format!("{} passed, {} failed", report.passed, report.failed))
}
