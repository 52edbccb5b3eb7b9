//! `rulepack coverage`: which rules, examples and pieces the scenarios show.

use clap::Args;
use rulepack_model::visible::one_line;
use rulepack_tools::Library;
use rulepack_tools::coverage::{Coverage, CoverageError, SIM_GAMES, coverage};

use crate::pick::{known_pack, refused};
use crate::stop::{Format, Stop, emit, emit_json, talk, verdict};

/// Counts the rules, worked examples and pieces of a pack that scenarios show
#[derive(Debug, Args)]
#[command(name = "coverage", after_help = "Example: rulepack coverage my-game --format json")]
pub struct CoverageOf {
    /// The pack
    pack: String,
    /// The number of random games for pieces that no scenario needs
    #[arg(long, value_name = "N", default_value_t = SIM_GAMES)]
    games: u64,
    /// Fail if a rule, an example or a piece is left over
    #[arg(long)]
    complete: bool,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

impl CoverageOf {
    /// Runs it.
    pub fn run(&self, library: &Library) -> Result<(), Stop> {
        known_pack(library, &self.pack)?;
        let coverage = coverage(library, &self.pack, self.games).map_err(|error| match error {
            CoverageError::Target(error) => Stop::Call(one_line(&error.to_string()).into_owned()),
            CoverageError::Mistakes(diagnostics) => refused(library, &diagnostics),
        })?;
        if !library.has_game(&self.pack) && coverage.scenarios.len() + coverage.left_out.len() == 1 {
            talk(&format!("no pack needs the library `{}`, so that nothing of it can be shown", self.pack));
        }
        let written = match self.format {
            Format::Json => emit_json(&coverage),
            Format::Human => human(&coverage),
        };
        for of in coverage.scenarios.iter().filter(|of| of.failed > 0) {
            talk(&format!("{} scenarios fail: see `rulepack test {}`", of.failed, of.pack));
        }
        for pack in &coverage.left_out {
            talk(&format!("`{pack}` has mistakes, so its scenarios are left out: see `rulepack check {pack}`"));
        }
        // Rules and pieces count as uncovered if only other packs with mistakes would cover them.
        let fails = coverage.scenarios.iter().any(|of| of.pack == self.pack && of.failed > 0);
        let left =
            coverage.rules.uncovered.len() + coverage.examples.uncovered.len() + coverage.pieces.unexercised.len();
        let lacks = self.complete && left > 0;
        if lacks && !fails {
            talk(&format!("{left} rules, examples or pieces are shown by nothing"));
        }
        verdict(written, fails || lacks)
    }
}

fn human(coverage: &Coverage) -> Result<(), Stop> {
    let played = coverage.scenarios.iter().filter(|of| of.pack == coverage.pack || of.passed + of.failed > 0);
    let played = played.map(|of| format!("{} of {}", of.passed + of.failed, of.pack));
    emit(&format!("scenarios {}", played.collect::<Vec<_>>().join(", ")))?;
    for (name, list) in [("rules", &coverage.rules), ("examples", &coverage.examples)] {
        let aside = match list.not_shown.len() {
            0 => String::new(),
            count => format!(" ({count} more cannot be shown by a program)"),
        };
        emit(&format!("{name:9} {}/{}{aside}", list.covered, list.total))?;
        for (pack, ids) in &list.elsewhere {
            emit(&format!("    by {pack}: {}", ids.join(", ")))?;
        }
        missing(&list.uncovered)?;
    }
    let pieces = &coverage.pieces;
    emit(&format!("pieces    {}/{}", pieces.exercised, pieces.total))?;
    missing(&pieces.unexercised)
}

fn missing(ids: &[String]) -> Result<(), Stop> {
    ids.iter().try_for_each(|id| emit(&format!("    not yet: {id}")))
}
