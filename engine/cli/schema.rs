//! `rulepack schema`: JSON Schema for every kind of file, for editors that know TOML.

use std::path::{Path, PathBuf};

use clap::Args;
use rulepack_editor::{Schema, schemas};
use rulepack_pack::LinkRequest;
use rulepack_tools::{Library, write_with_folders};

use crate::pick::load;
use crate::stop::{Stop, emit_json, emit_lines, shown};
use crate::write::unwritten;

/// The settings by which taplo (Even Better TOML) finds the schemas.
const SETTINGS: &str = ".taplo.toml";

/// Prints or writes JSON Schema (2020-12) for every kind of file: manifest, definitions, scenarios, translations, survivors,
/// rulepack.toml
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: rulepack schema my-game --out .schema\n          rulepack schema > schemas.json\n\nWith a pack, the schema has the kinds and attributes of its game, so that a misspelt attribute shows. With --out, the\nfile .taplo.toml in this folder tells taplo and Even Better TOML which schema is for which file; one that is there stays."
)]
pub struct SchemaOf {
    /// The pack whose kinds and attributes are known; without it any are accepted
    pack: Option<String>,
    /// A folder for the files; without it, all are printed as one JSON object
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl SchemaOf {
    /// Runs it; a library is opened only if it is needed.
    pub fn run(&self, open: impl Fn() -> Result<Library, Stop>) -> Result<(), Stop> {
        let game_box = match &self.pack {
            Some(pack) => Some(load(&open()?, &LinkRequest { pack: pack.clone(), ..LinkRequest::default() })?),
            None => None,
        };
        let all = schemas(game_box.as_ref().map(|game_box| &game_box.rules().vocabulary));
        let Some(folder) = &self.out else {
            let named = all.iter().map(|schema| (schema.name.to_string(), schema.json.clone()));
            return emit_json(&serde_json::Value::Object(named.collect()));
        };
        for schema in &all {
            let text = serde_json::to_string_pretty(&schema.json).unwrap_or_default() + "\n";
            write(&folder.join(file_of(schema)), &text)?;
        }
        let mut told: Vec<String> = all.iter().map(|schema| shown(&folder.join(file_of(schema)))).collect();
        let settings = Path::new(SETTINGS);
        if settings.exists() {
            told.push(format!(
                "{SETTINGS} is there and stays as it is; these lines use the schemas:\n\n{}",
                rules(&all, folder)
            ));
        } else {
            write(settings, &rules(&all, folder))?;
            told.push(SETTINGS.to_string());
        }
        emit_lines(&told.join("\n"))
    }
}

fn file_of(schema: &Schema) -> String {
    format!("{}.schema.json", schema.name)
}

fn write(path: &Path, text: &str) -> Result<(), Stop> {
    write_with_folders(path, text).map_err(|error| Stop::Call(unwritten(path, &error)))
}

/// The settings: the last rule that fits a file counts, so the wide one for definitions comes first.
fn rules(all: &[Schema], folder: &Path) -> String {
    let mut ordered: Vec<&Schema> = all.iter().collect();
    ordered.sort_by_key(|schema| schema.name != "definitions");
    let rule = |schema: &&Schema| {
        let files: Vec<String> = schema.files.iter().map(|file| format!("\"{file}\", \"**/{file}\"")).collect();
        let path = folder.join(file_of(schema)).to_string_lossy().replace('\\', "/");
        let exclude = match schema.name {
            "definitions" => {
                "exclude = [\"**/pack.toml\", \"**/locale/*.toml\", \"**/scenarios/**/*.toml\", \"**/.survivors.toml\"]\n"
            }
            _ => "",
        };
        format!("[[rule]]\ninclude = [{}]\n{exclude}[rule.schema]\nenabled = true\npath = {path:?}\n", files.join(", "))
    };
    let rules: Vec<String> = ordered.iter().map(rule).collect();
    format!("# Which schema of rulepack is for which file.\n\n{}", rules.join("\n"))
}
