//! `rulepack explain`: the meaning of a diagnostic code, what a pack offers, or the origin of a definition.

use std::path::PathBuf;

use clap::Args;
use rulepack_model::visible::{joined, one_line};
use rulepack_model::{Code, did_you_mean};
use rulepack_pack::{Absent, Catalogue, Definitions, LinkRequest};
use rulepack_tools::{Library, REPORT_VERSION, Touching};
use serde::Serialize;

use crate::described::{Described, Describer, InWords, Seen, Simulated};
use crate::overview::overview;
use crate::pick::load;
use crate::stop::{Format, Stop, emit, emit_json, emit_lines, talk};

/// Explains a diagnostic code, lists what a pack offers, or shows a definition: its fields with file and line, and what it does
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: rulepack explain unknown-key\n          rulepack explain my-game\n          rulepack explain my-game card.inn --mode night"
)]
pub struct Explain {
    /// A diagnostic code, or a pack; without it, all codes are listed
    what: Option<String>,
    /// A definition of the pack, such as `card.inn`, or `inn` if only one kind has it
    definition: Option<String>,
    /// A mode or an edition; may be given several times
    #[arg(long = "mode", value_name = "MODE")]
    modes: Vec<String>,
    /// A further pack, such as an expansion; may be given several times
    #[arg(long = "with", value_name = "PACK")]
    with: Vec<String>,
    /// The number of players
    #[arg(long, value_name = "N")]
    players: Option<u8>,
    /// Say how often the definition was taken: the report of `rulepack sim PACK --statistics --format json`
    #[arg(long, value_name = "FILE", requires = "definition")]
    statistics: Option<PathBuf>,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

impl Explain {
    /// Runs it; a library is opened only if it is needed.
    pub fn run(&self, open: impl Fn() -> Result<Library, Stop>) -> Result<(), Stop> {
        match (&self.what, &self.definition) {
            (None, _) if self.format == Format::Json => {
                let codes =
                    Code::ALL.iter().map(|code| serde_json::json!({ "code": code.name(), "summary": code.summary() }));
                let codes: Vec<serde_json::Value> = codes.collect();
                emit_json(&serde_json::json!({ "version": REPORT_VERSION, "codes": codes }))
            }
            (None, _) => {
                for code in Code::ALL {
                    emit(&format!("{:24} {}", code.name(), code.summary()))?;
                }
                Ok(())
            }
            (Some(code), None) if Code::named(code).is_some() => self.code(code),
            // Without any library it can only be a code.
            (Some(what), None) => match open() {
                Ok(library) if library.has(what) => self.offers(&library, what),
                Err(stop @ Stop::Said) => Err(stop),
                _ => self.code(what),
            },
            (Some(pack), Some(definition)) => self.definition(&open()?, pack, definition),
        }
    }

    fn code(&self, name: &str) -> Result<(), Stop> {
        let Some(code) = Code::named(name) else {
            let hint = did_you_mean(name, Code::ALL.iter().map(|code| code.name()));
            let hint = hint.map_or(String::new(), |hint| format!("; {hint}"));
            return Err(Stop::Call(format!("there is no diagnostic code `{name}`{hint}")));
        };
        match self.format {
            Format::Json => emit_json(&serde_json::json!({
                "version": REPORT_VERSION,
                "code": code.name(),
                "explanation": code.explanation(),
            })),
            Format::Human => emit_lines(&format!("{}\n\n{}", code.name(), code.explanation().trim_end())),
        }
    }

    /// Everything that a pack and the packs that it needs declare.
    fn offers(&self, library: &Library, pack: &str) -> Result<(), Stop> {
        let game_box = load(library, &self.request(pack))?;
        let sections = overview(game_box.catalogue(), &library.sources());
        match self.format {
            Format::Json => emit_json(&serde_json::json!({
                "version": REPORT_VERSION,
                "pack": pack,
                "sections": sections,
            })),
            Format::Human => {
                let texts: Vec<String> = sections.iter().map(|section| section.text()).collect();
                emit_lines(&texts.join("\n\n"))?;
                talk(&format!("`rulepack explain {pack} NAME` shows every field of a definition"));
                Ok(())
            }
        }
    }

    fn request(&self, pack: &str) -> LinkRequest {
        LinkRequest {
            pack: pack.to_string(),
            with: self.with.clone(),
            modes: self.modes.clone(),
            players: self.players,
        }
    }

    fn definition(&self, library: &Library, pack: &str, path: &str) -> Result<(), Stop> {
        let game_box = load(library, &self.request(pack))?;
        let simulated = self.statistics.as_ref().map(|file| Simulated::read(file, pack)).transpose()?;
        let path = &full_path(game_box.catalogue(), pack, path)?;
        let describer = Describer::new(library, &game_box, pack, simulated);
        let Some(described) = describer.describe(path) else {
            return Err(absent(library, game_box.catalogue(), pack, path));
        };
        match self.format {
            Format::Json => emit_json(&OfDefinition { version: REPORT_VERSION, described: &described }),
            Format::Human => {
                described.seen.iter().try_for_each(|seen| emit_lines(&told(seen)))?;
                let width = described.fields.iter().map(|field| field.key.chars().count()).max().unwrap_or(0);
                described.fields.iter().try_for_each(|field| emit_lines(&field.text(width)))?;
                if !described.words.is_empty() {
                    let one = |part: &InWords| format!("  {}: {}", part.field, one_line(&part.words));
                    let head = std::iter::once("in words:".to_string());
                    emit_lines(&joined(head.chain(described.words.iter().map(one))))?;
                }
                emit_lines(&shown_by(&described.scenarios))?;
                let Some(taken) = &described.taken else { return Ok(()) };
                if taken.is_empty() {
                    return emit("in the simulation it was never offered");
                }
                let head = std::iter::once("in the simulation:".to_string());
                emit_lines(&joined(head.chain(taken.iter().map(|taken| format!("  {}", one_line(&taken.text()))))))
            }
        }
    }
}

/// A definition, for programs.
#[derive(Serialize)]
struct OfDefinition<'d> {
    version: u32,
    #[serde(flatten)]
    described: &'d Described<'d>,
}

fn told(seen: &Seen) -> String {
    let text = seen.text.as_deref().map_or(String::new(), |text| format!(": {}", one_line(text)));
    format!("{}  {}{text}", seen.language, one_line(&seen.title))
}

/// The scenarios that name a definition.
fn shown_by(scenarios: &[&Touching]) -> String {
    let head = match scenarios.len() {
        0 => "no scenario names it".to_string(),
        1 => "1 scenario names it:".to_string(),
        count => format!("{count} scenarios name it:"),
    };
    let one = |scenario: &&Touching| {
        let covers =
            if scenario.covers.is_empty() { String::new() } else { format!(" ({})", scenario.covers.join(", ")) };
        format!("  {}{}", one_line(&scenario.path), one_line(&covers))
    };
    joined(std::iter::once(head).chain(scenarios.iter().map(one)))
}

/// The requested definition, as `kind.id`: an id alone is enough if only one kind has it.
fn full_path(catalogue: &Catalogue, pack: &str, name: &str) -> Result<String, Stop> {
    let Definitions { kinds, absent, lists, .. } = &catalogue.definitions;
    let there = kinds.iter().flat_map(|(kind, table)| table.iter().map(move |(id, _)| format!("{kind}.{id}")));
    let mut known: Vec<String> = there.chain(lists.keys().cloned()).collect();
    known.extend(absent.keys().filter(|path| !lists.contains_key(*path)).cloned());
    let is_meant = |path: &&String| *path == name || path.split_once('.').is_some_and(|(_, id)| id == name);
    let meant: Vec<&String> = known.iter().filter(is_meant).collect();
    match meant[..] {
        [path] => Ok(path.clone()),
        [] => {
            let ids = known.iter().filter_map(|path| path.split_once('.')).map(|(_, id)| id);
            let hint = match name.contains('.') {
                true => did_you_mean(name, known.iter().map(String::as_str)),
                false => did_you_mean(name, ids),
            };
            let hint = hint.map_or(String::new(), |hint| format!("; {hint}"));
            let message = format!("`{pack}` has no definition `{name}`{hint}");
            Err(Stop::Call(one_line(&message).into_owned()))
        }
        _ => {
            let meant: Vec<String> = meant.iter().map(|path| format!("`{path}`")).collect();
            let message = format!("`{name}` can be {}: name its kind too", meant.join(" or "));
            Err(Stop::Call(one_line(&message).into_owned()))
        }
    }
}

/// Why a definition is not in use in these modes, and how to see it.
fn absent(library: &Library, catalogue: &Catalogue, pack: &str, path: &str) -> Stop {
    let quoted = |modes: &[String]| modes.iter().map(|mode| format!("`{mode}`")).collect::<Vec<_>>().join(", ");
    let message = match catalogue.definitions.absent.get(path) {
        Some(Absent::OnlyIn(modes)) => {
            let users = catalogue.modes.iter().filter(|mode| {
                !mode.is_abstract && modes.iter().any(|only| catalogue.brought_by(&[&mode.id]).contains(only.as_str()))
            });
            let users: Vec<String> = users.map(|mode| format!("`--mode {}`", mode.id)).collect();
            let how = if users.is_empty() {
                seen_elsewhere(library, pack, path)
            } else {
                format!("see it with {}", users.join(" or "))
            };
            format!("`{path}` is only in the mode {}: {how}", quoted(modes))
        }
        Some(Absent::Removed { mode, .. }) => {
            format!("the mode `{mode}` takes `{path}` out: see it in another mode with `--mode MODE`")
        }
        None => format!("`{pack}` has no definition `{path}`"),
    };
    Stop::Call(one_line(&message).into_owned())
}

/// Packs that build on this one may have a mode for it.
fn seen_elsewhere(library: &Library, pack: &str, path: &str) -> String {
    let has_it = |other: &String| {
        let request = LinkRequest { pack: other.clone(), ..LinkRequest::default() };
        let found =
            |(kind, id)| library.load(&request).is_ok_and(|game| game.catalogue().definitions.get(kind, id).is_some());
        path.split_once('.').is_some_and(found)
    };
    let calls = library.built_on(pack).into_iter().filter(has_it);
    let calls: Vec<String> = calls.map(|other| format!("`rulepack explain {other} {path}`")).collect();
    match calls.is_empty() {
        true => "no mode that can be asked for has it".to_string(),
        false => format!("see it with {}", calls.join(" or ")),
    }
}
