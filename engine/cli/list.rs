//! `rulepack list`: the packs of the libraries.

use clap::Args;
use rulepack_pack::LinkRequest;
use rulepack_tools::{Library, PackInfo};
use serde::Serialize;

use crate::render::{render, wants_color};
use crate::stop::{Format, Stop, emit, emit_json, talk};

/// Lists the packs of the libraries with their modes
#[derive(Debug, Args)]
#[command(after_help = "Example: rulepack list --library . --library ../my-cards")]
pub struct List {
    /// How the list is written
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

#[derive(Serialize)]
struct Entry {
    #[serde(flatten)]
    info: PackInfo,
    modes: Vec<String>,
}

impl List {
    /// Runs it.
    pub fn run(&self, library: &Library) -> Result<(), Stop> {
        let entries: Vec<Entry> =
            library.list().into_iter().map(|info| Entry { modes: modes(library, &info), info }).collect();
        match self.format {
            Format::Json => emit_json(&entries)?,
            Format::Human => {
                for entry in &entries {
                    emit(&entry.line())?;
                }
            }
        }
        let diagnostics = library.diagnostics();
        if diagnostics.iter().any(rulepack_model::Diagnostic::is_error) {
            talk(&render(&diagnostics, &library.sources(), wants_color(&std::io::stderr())));
            return Err(Stop::Said);
        }
        Ok(())
    }
}

/// The modes of a game that can be loaded.
fn modes(library: &Library, info: &PackInfo) -> Vec<String> {
    if info.kind != "game" {
        return Vec::new();
    }
    let request = LinkRequest { pack: info.id.clone(), ..LinkRequest::default() };
    let modes =
        library.load(&request).map(|game_box| game_box.catalogue().modes.iter().map(|mode| mode.id.clone()).collect());
    modes.unwrap_or_default()
}

impl Entry {
    fn line(&self) -> String {
        let info = &self.info;
        let mut line = format!("{} {}  {} ({}", info.id, info.version, info.title, info.kind);
        match info.players {
            Some((min, max)) if min == max => line.push_str(&format!(", {min} players")),
            Some((min, max)) => line.push_str(&format!(", {min}-{max} players")),
            None => {}
        }
        line.push(')');
        if !self.modes.is_empty() {
            line.push_str(&format!("\n    modes: {}", self.modes.join(", ")));
        }
        line.push_str(&format!("\n    languages: {}", info.languages.join(", ")));
        line
    }
}
