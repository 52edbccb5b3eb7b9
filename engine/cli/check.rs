//! `rulepack check`: everything that is wrong with packs.

use clap::Args;
use rulepack_model::Diagnostic;
use rulepack_tools::{Circle, Finding, Library, check, circles, requests, without_repeats};
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
    /// Tell which free moves ran in circles in these games: the last of them is no longer offered
    #[arg(long)]
    cycles: bool,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    cycles: Option<Vec<Cycles>>,
}

/// The circles of free moves in one way to play a pack.
#[derive(Serialize)]
struct Cycles {
    pack: String,
    modes: Vec<String>,
    players: u8,
    cycles: Vec<Circle>,
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
        let cycles = self.cycles.then(|| self.cycles(library, &packs));
        match self.format {
            Format::Json => {
                let findings = findings(library, &diagnostics);
                emit_json(&Report { packs, errors, warnings, diagnostics: findings, cycles })?;
            }
            Format::Human => {
                if !diagnostics.is_empty() {
                    emit(&render(&diagnostics, &library.sources(), wants_color(&std::io::stdout())))?;
                }
                for seen in cycles.iter().flatten() {
                    emit(&told(seen))?;
                }
                talk(&summary(&packs, errors, warnings));
            }
        }
        if errors > 0 { Err(Stop::Said) } else { Ok(()) }
    }
}

impl Check {
    /// The circles of every way to play the packs that can be played.
    fn cycles(&self, library: &Library, packs: &[String]) -> Vec<Cycles> {
        let mut all = Vec::new();
        for pack in packs {
            for request in requests(library, pack, &mut Vec::new()) {
                let Ok(game_box) = library.load(&request) else { continue };
                let rules = game_box.rules();
                let (modes, players) = (rules.modes.clone(), rules.players);
                let cycles = circles(&game_box, self.games);
                all.push(Cycles { pack: pack.clone(), modes, players, cycles });
            }
        }
        all
    }
}

fn told(seen: &Cycles) -> String {
    let modes = if seen.modes.is_empty() { String::new() } else { format!(" ({})", seen.modes.join(", ")) };
    let mut text = format!("{}{modes}, {} players: ", seen.pack, seen.players);
    match seen.cycles.len() {
        0 => text.push_str("no free move ran in a circle"),
        count => text.push_str(&format!("{count} circles of free moves, of which the last is not offered")),
    }
    for circle in &seen.cycles {
        text.push_str(&format!("\n  {}", circle.moves.join(", then ")));
    }
    text
}

fn findings(library: &Library, diagnostics: &[Diagnostic]) -> Vec<Finding> {
    let sources = library.sources();
    diagnostics.iter().map(|diagnostic| Finding::new(diagnostic, &sources)).collect()
}

fn summary(packs: &[String], errors: usize, warnings: usize) -> String {
    let several = |count: usize, word: &str| format!("{count} {word}{}", if count == 1 { "" } else { "s" });
    format!("checked {}: {}, {}", several(packs.len(), "pack"), several(errors, "error"), several(warnings, "warning"))
}
