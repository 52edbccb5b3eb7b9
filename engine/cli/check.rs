//! `rulepack check`: everything that is wrong with packs.

use clap::Args;
use rulepack_model::Diagnostic;
use rulepack_tools::{Finding, Library, check, without_repeats};
use serde::Serialize;

use crate::pick::known_pack;
use crate::render::{render, wants_color};
use crate::stop::{Format, Stop, emit, emit_json, talk};

/// Checks packs: files, names, expressions, scripts, scenarios, and a few games in every mode
#[derive(Debug, Args)]
#[command(after_help = "Example: rulepack check my-game --format json")]
pub struct Check {
    /// The packs; all if none is named
    packs: Vec<String>,
    /// How many games are played by chance for each mode and number of players
    #[arg(long, value_name = "N", default_value_t = 5)]
    games: u64,
    /// How mistakes are written
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

#[derive(Serialize)]
struct Report {
    packs: Vec<String>,
    errors: usize,
    warnings: usize,
    diagnostics: Vec<Finding>,
}

impl Check {
    /// Runs it.
    pub fn run(&self, library: &Library) -> Result<(), Stop> {
        for pack in &self.packs {
            known_pack(library, pack)?;
        }
        let mut diagnostics = Vec::new();
        let packs = if self.packs.is_empty() {
            diagnostics.extend(library.diagnostics());
            library.list().into_iter().map(|info| info.id).collect()
        } else {
            self.packs.clone()
        };
        for pack in &packs {
            diagnostics.extend(check(library, pack, self.games));
        }
        let diagnostics = without_repeats(diagnostics, &library.sources());
        let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
        let warnings = diagnostics.len() - errors;
        match self.format {
            Format::Json => {
                let findings = findings(library, &diagnostics);
                emit_json(&Report { packs, errors, warnings, diagnostics: findings })?;
            }
            Format::Human => {
                if !diagnostics.is_empty() {
                    emit(&render(&diagnostics, &library.sources(), wants_color(&std::io::stdout())))?;
                }
                talk(&summary(&packs, errors, warnings));
            }
        }
        if errors > 0 { Err(Stop::Said) } else { Ok(()) }
    }
}

fn findings(library: &Library, diagnostics: &[Diagnostic]) -> Vec<Finding> {
    let sources = library.sources();
    diagnostics.iter().map(|diagnostic| Finding::new(diagnostic, &sources)).collect()
}

fn summary(packs: &[String], errors: usize, warnings: usize) -> String {
    let several = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    format!("checked {}: {}, {}", several(packs.len(), "pack"), several(errors, "error"), several(warnings, "warning"))
}
