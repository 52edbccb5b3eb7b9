//! `rulepack explain`: the meaning of a diagnostic code, what a pack offers, or the origin of a definition.

use clap::Args;
use rulepack_kernel::Words;
use rulepack_model::visible::{joined, one_line};
use rulepack_model::{Code, did_you_mean};
use rulepack_pack::{Absent, Catalogue, Definitions, LinkRequest};
use rulepack_tools::{GameBox, Library, REPORT_VERSION, Touching, scenarios_with};
use serde::Serialize;

use crate::origin::{fields, made};
use crate::overview::overview;
use crate::pick::load;
use crate::stop::{Format, Stop, emit, emit_json, emit_lines, talk};

/// Explains a diagnostic code, lists what a pack offers, or shows each field of a definition with its file and line
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
        let catalogue = game_box.catalogue();
        let path = &full_path(catalogue, pack, path)?;
        let Definitions { lists, .. } = &catalogue.definitions;
        let (kind, id) = path.split_once('.').unwrap_or((path, ""));
        let node = catalogue.definitions.get(kind, id).or(lists.get(path).map(|list| &list.node));
        let Some(node) = node else { return Err(absent(library, catalogue, pack, path)) };
        let mut fields = fields(node, path, catalogue, &library.sources());
        if let Some((by, list)) = catalogue.definitions.made_by(kind, id).and_then(|by| lists.get_key_value(by)) {
            fields.push(made("made by", by.clone(), list.key, catalogue, &library.sources()));
        }
        if let Some(list) = lists.get(path) {
            let types: Vec<&str> = list.types.iter().map(String::as_str).collect();
            fields.push(made("makes", types.join(", "), list.key, catalogue, &library.sources()));
        }
        let seen = seen(library, &game_box, pack, path);
        let scenarios = scenarios_with(library, &library.load_order(pack), id);
        match self.format {
            Format::Json => emit_json(&serde_json::json!({
                "version": REPORT_VERSION,
                "definition": path,
                "seen": seen,
                "fields": fields,
                "scenarios": scenarios,
            })),
            Format::Human => {
                seen.iter().try_for_each(|seen| emit_lines(&seen.told()))?;
                let width = fields.iter().map(|field| field.key.chars().count()).max().unwrap_or(0);
                fields.iter().try_for_each(|field| emit_lines(&field.text(width)))?;
                emit_lines(&shown_by(&scenarios))
            }
        }
    }
}

/// A definition as players read it in one language.
#[derive(Serialize)]
struct Seen {
    language: String,
    title: String,
    text: Option<String>,
}

impl Seen {
    fn told(&self) -> String {
        let text = self.text.as_deref().map_or(String::new(), |text| format!(": {}", one_line(text)));
        format!("{}  {}{text}", self.language, one_line(&self.title))
    }
}

/// A definition in every language of the packs, the pack's own first.
fn seen(library: &Library, game_box: &GameBox, pack: &str, path: &str) -> Vec<Seen> {
    let mut languages: Vec<String> = Vec::new();
    for manifest in library.load_order(pack).iter().rev().filter_map(|pack| library.manifest(pack)) {
        let all = std::iter::once(manifest.language).chain(manifest.locales.into_iter().map(|locale| locale.text));
        for language in all {
            if !languages.contains(&language) {
                languages.push(language);
            }
        }
    }
    let in_language = |language: String| {
        let words = Words::new(game_box.rules(), &language);
        let title = words.given_title(path)?;
        Some(Seen { title, text: words.text(path).map(str::to_string), language })
    };
    languages.into_iter().filter_map(in_language).collect()
}

/// The scenarios that name a definition.
fn shown_by(scenarios: &[Touching]) -> String {
    let head = match scenarios.len() {
        0 => "no scenario names it".to_string(),
        1 => "1 scenario names it:".to_string(),
        count => format!("{count} scenarios name it:"),
    };
    let one = |scenario: &Touching| {
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
