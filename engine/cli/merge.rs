//! `rulepack merge`: puts the shards of a simulation together.

use std::path::PathBuf;

use clap::Args;
use rulepack_tools::{Library, Part, merge};

use crate::pick::load;
use crate::sim::{bots, human};
use crate::stop::{Format, Stop, emit_json, emit_lines, read_large, shown, verdict};

/// Puts the shards of a simulation together, to the report of the whole
#[derive(Debug, Args)]
#[command(
    after_help = "Example: rulepack sim my-game --games 1000 --shard 1/2 --out 1.shard\n         rulepack sim my-game --games 1000 --shard 2/2 --out 2.shard\n         rulepack merge 1.shard 2.shard"
)]
pub struct Merge {
    /// The files of all shards, as `sim --shard … --out FILE` writes them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

impl Merge {
    /// Runs it.
    pub fn run(&self, library: &Library) -> Result<(), Stop> {
        let mut parts = Vec::new();
        for path in &self.files {
            let part = Part::read(&shown(path), &read_large(path)?).map_err(Stop::quoting)?;
            parts.push(part);
        }
        let Some(first) = parts.first() else { return Err(Stop::Call("there are no shards".into())) };
        let game_box = load(library, &first.request())?;
        let mut request = first.simulation();
        request.seats = bots(first.bots(), game_box.rules().players)?;
        let mut report = merge(&game_box, &request, parts).map_err(Stop::quoting)?;
        report.add_calls(library, &game_box, &request);
        report.locate(&game_box, &library.sources());
        let written = match self.format {
            Format::Json => emit_json(&report),
            Format::Human => emit_lines(&human(&report)),
        };
        verdict(written, report.failed + report.capped > 0)
    }
}
