//! `rulepack list`: the packs of the libraries.

use std::collections::BTreeMap;

use clap::Args;
use rulepack_model::visible::joined;
use rulepack_pack::ModeInfo;
use rulepack_tools::{Library, PackInfo, REPORT_VERSION, render};
use serde::Serialize;

use crate::stop::{Format, Stop, emit_json, emit_lines, talk_coloured, verdict, wants_color};

/// Lists the packs of the libraries with their modes
#[derive(Debug, Args)]
#[command(after_help = "Example: rulepack list --library . --library ../my-cards")]
pub struct List {
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

#[derive(Serialize)]
struct Entry {
    #[serde(flatten)]
    info: PackInfo,
    modes: Vec<Mode>,
}

/// A mode that a pack itself declares.
#[derive(Serialize)]
struct Mode {
    id: String,
    title: String,
    edition: bool,
    r#abstract: bool,
    players: Option<u8>,
    extends: Vec<String>,
    needs: BTreeMap<String, String>,
}

impl List {
    /// Runs it.
    pub fn run(&self, library: &Library, language: &str) -> Result<(), Stop> {
        let entry = |mut info: PackInfo| {
            // Programs get what the manifest says.
            if let (Format::Human, Some(title)) = (&self.format, library.title_in(&info.id, language)) {
                info.title = title;
            }
            let modes = library.modes(&info.id).into_iter().map(Mode::new).collect();
            Entry { info, modes }
        };
        let entries: Vec<Entry> = library.list().into_iter().map(entry).collect();
        let written = match self.format {
            Format::Json => emit_json(&serde_json::json!({ "version": REPORT_VERSION, "packs": entries })),
            Format::Human => entries.iter().try_for_each(|entry| emit_lines(&entry.text())),
        };
        let diagnostics = library.diagnostics();
        let is_wrong = diagnostics.iter().any(rulepack_model::Diagnostic::is_error);
        if is_wrong {
            talk_coloured(&render(&diagnostics, &library.sources(), wants_color(&std::io::stderr())));
        }
        verdict(written, is_wrong)
    }
}

impl Entry {
    fn text(&self) -> String {
        let info = &self.info;
        let players = match info.players {
            Some((min, max)) if min == max => format!(", {min} players"),
            Some((min, max)) => format!(", {min}-{max} players"),
            None => String::new(),
        };
        let mut lines = vec![format!("{} {}  {} ({}{players})", info.id, info.version, info.title, info.kind)];
        for (word, packs) in
            [("needs", &info.needs), ("loaded after", &info.optional), ("not together with", &info.conflicts)]
        {
            if !packs.is_empty() {
                lines.push(format!("    {word}: {}", versions(packs)));
            }
        }
        let width = self.modes.iter().map(|mode| mode.id.chars().count()).max().unwrap_or(0);
        for mode in &self.modes {
            lines.push(format!("    mode {:width$}  {}{}", mode.id, mode.title, mode.remarks()));
        }
        lines.push(format!("    languages: {}", info.languages.join(", ")));
        joined(lines)
    }
}

impl Mode {
    fn new(mode: ModeInfo) -> Self {
        Mode {
            id: mode.id,
            title: mode.title,
            edition: mode.edition,
            r#abstract: mode.is_abstract,
            players: mode.players,
            extends: mode.extends.into_iter().map(|word| word.text).collect(),
            needs: mode.needs.into_iter().map(|(id, need)| (id, need.versions.to_string())).collect(),
        }
    }

    fn remarks(&self) -> String {
        let mut remarks = Vec::new();
        if self.edition {
            remarks.push("edition".to_string());
        }
        if self.r#abstract {
            remarks.push("abstract".to_string());
        }
        match self.players {
            Some(1) => remarks.push("whenever 1 plays".to_string()),
            Some(players) => remarks.push(format!("whenever {players} play")),
            None => {}
        }
        if !self.extends.is_empty() {
            remarks.push(format!("extends {}", self.extends.join(", ")));
        }
        if !self.needs.is_empty() {
            remarks.push(format!("needs {}", versions(&self.needs)));
        }
        if remarks.is_empty() { String::new() } else { format!(" ({})", remarks.join("; ")) }
    }
}

fn versions(packs: &BTreeMap<String, String>) -> String {
    let one = |(id, versions): (&String, &String)| match versions.as_str() {
        "*" => id.clone(),
        versions => format!("{id} {versions}"),
    };
    packs.iter().map(one).collect::<Vec<_>>().join(", ")
}
