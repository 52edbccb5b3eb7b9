//! `rulepack explain`: what a diagnostic code means, or where a definition comes from.

use clap::Args;
use rulepack_model::{CODES, Node, Sources, Value, did_you_mean};
use rulepack_pack::{Definitions, LinkRequest};
use rulepack_tools::Library;
use serde::Serialize;

use crate::pick::load;
use crate::stop::{Format, Stop, emit, emit_json};

/// Explains a diagnostic code, or shows each field of a definition with its file and line
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: rulepack explain unknown-key\n          rulepack explain my-game card.inn --mode night"
)]
pub struct Explain {
    /// A diagnostic code, or a pack; without it, all codes are listed
    what: Option<String>,
    /// A definition of the pack, such as `card.inn`
    definition: Option<String>,
    /// A mode or an edition; may be given several times
    #[arg(long = "mode", value_name = "MODE")]
    modes: Vec<String>,
    /// A further pack, such as an expansion; may be given several times
    #[arg(long = "with", value_name = "PACK")]
    with: Vec<String>,
    /// How many play
    #[arg(long, value_name = "N")]
    players: Option<u8>,
    /// How the answer is written
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

/// A field of a definition.
#[derive(Serialize)]
struct Field {
    key: String,
    value: String,
    path: String,
    line: usize,
    patched_by: Option<String>,
}

impl Explain {
    /// Runs it; a library is opened only if one is needed.
    pub fn run(&self, open: impl Fn() -> Result<Library, Stop>) -> Result<(), Stop> {
        match (&self.what, &self.definition) {
            (None, _) => {
                for code in CODES {
                    emit(&format!("{:24} {}", code.name, first_sentence(code.explanation)))?;
                }
                Ok(())
            }
            (Some(code), None) => self.code(code),
            (Some(pack), Some(definition)) => self.definition(&open()?, pack, definition),
        }
    }

    fn code(&self, name: &str) -> Result<(), Stop> {
        let Some(code) = rulepack_model::explain(name) else {
            let hint = did_you_mean(name, CODES.iter().map(|code| code.name));
            let hint = hint.map_or(String::new(), |hint| format!("; {hint}"));
            return Err(Stop::Call(format!("there is no diagnostic code `{name}`{hint}")));
        };
        match self.format {
            Format::Json => emit_json(&serde_json::json!({ "code": code.name, "explanation": code.explanation })),
            Format::Human => emit(&format!("{}\n\n{}", code.name, code.explanation)),
        }
    }

    fn definition(&self, library: &Library, pack: &str, path: &str) -> Result<(), Stop> {
        let request = LinkRequest {
            pack: pack.to_string(),
            with: self.with.clone(),
            modes: self.modes.clone(),
            players: self.players,
        };
        let game_box = load(library, &request)?;
        let definitions = &game_box.catalogue().definitions;
        let node = path.split_once('.').and_then(|(kind, id)| definitions.get(kind, id));
        let Some(node) = node else { return Err(unknown(definitions, pack, path)) };
        let sources = library.sources();
        let mut fields = Vec::new();
        collect(node, path, "", definitions, &sources, &mut fields);
        match self.format {
            Format::Json => emit_json(&fields),
            Format::Human => {
                let width = fields.iter().map(|field| field.key.chars().count()).max().unwrap_or(0);
                for field in &fields {
                    let patched = field.patched_by.as_ref().map_or(String::new(), |by| format!(" (patched by {by})"));
                    let Field { key, value, path, line, .. } = field;
                    emit(&format!("{key:width$} = {value}    {path}:{line}{patched}"))?;
                }
                Ok(())
            }
        }
    }
}

fn first_sentence(text: &str) -> &str {
    text.split_once(". ").map_or(text, |(first, _)| first)
}

fn unknown(definitions: &Definitions, pack: &str, path: &str) -> Stop {
    let known: Vec<String> = definitions
        .kinds
        .iter()
        .flat_map(|(kind, table)| table.iter().map(move |(id, _)| format!("{kind}.{id}")))
        .collect();
    let hint = did_you_mean(path, known.iter().map(String::as_str)).map_or(String::new(), |hint| format!("; {hint}"));
    Stop::Call(format!("`{pack}` has no definition `{path}`{hint}"))
}

/// Every field below a node, tables opened up.
fn collect(node: &Node, path: &str, key: &str, definitions: &Definitions, sources: &Sources, fields: &mut Vec<Field>) {
    if let Value::Table(table) = &node.value {
        for (name, entry) in table.iter() {
            let key = if key.is_empty() { name.to_string() } else { format!("{key}.{name}") };
            collect(&entry.node, path, &key, definitions, sources, fields);
        }
        return;
    }
    let (file, line, _) = sources.position(node.span);
    let layer = definitions.patched.get(&format!("{path}.{key}")).and_then(|layers| layers.last());
    let patched_by = layer.map(|layer| layer.by.mode.clone().unwrap_or_else(|| layer.by.pack.clone()));
    fields.push(Field { key: key.to_string(), value: shown(node), path: file, line, patched_by });
}

fn shown(node: &Node) -> String {
    match &node.value {
        Value::Str(text) => format!("{text:?}"),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        Value::Date(date) => date.clone(),
        Value::List(items) => format!("[{}]", items.iter().map(shown).collect::<Vec<_>>().join(", ")),
        Value::Table(table) => {
            let fields: Vec<String> =
                table.iter().map(|(key, entry)| format!("{key} = {}", shown(&entry.node))).collect();
            format!("{{ {} }}", fields.join(", "))
        }
    }
}
