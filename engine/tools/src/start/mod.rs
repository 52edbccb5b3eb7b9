//! Starts for authors: the files of a new game, expansion, card, scenario or project. The texts are in `templates/`.
//!
//! What depends on a game (a card of its kinds) is tried: there are several proposals, and the first with which the pack
//! passes `check` and `test` stays.

mod pattern;

use std::path::{Path, PathBuf};

use rulepack_kernel::Limits;
use rulepack_model::{Diagnostic, all_threads};
use rulepack_pack::Players;

use crate::check::{CheckRequest, check};
use crate::load::{GameBox, Library};
use crate::scenario::{TestRequest, run_tests};

pub use pattern::{CardIn, Proposal, for_card, for_expansion};

/// A file to write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewFile {
    /// The path from the folder of the library, with `/`.
    pub path: String,
    /// The text.
    pub text: String,
}

impl NewFile {
    fn new(path: impl Into<String>, text: impl Into<String>) -> NewFile {
        NewFile { path: path.into(), text: text.into() }
    }
}

/// What a new pack is called.
#[derive(Debug, Clone)]
pub struct Named {
    /// Its id.
    pub id: String,
    /// Its title.
    pub title: String,
}

impl Named {
    /// A name with the title that follows from the id: `night-ferry` becomes `Night ferry`.
    pub fn of(id: &str, title: Option<&str>) -> Named {
        let words = id.replace(['-', '_'], " ");
        let mut letters = words.chars();
        let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
        let title = title.map_or_else(|| format!("{first}{}", letters.as_str()), str::to_string);
        Named { id: id.to_string(), title: quoted(&title) }
    }

    /// The beginning of the ids of rules.
    fn rules(&self) -> String {
        self.id.to_uppercase().replace('_', "-")
    }
}

/// A text as it can stand between double quotes.
fn quoted(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control()).collect::<String>().replace('\\', "\\\\").replace('"', "\\\"")
}

/// Puts values in the places of a template.
fn filled(template: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut rest = template;
    while let Some((before, after)) = rest.split_once('{') {
        out.push_str(before);
        let place = after.split_once('}');
        let value = place.and_then(|(name, _)| values.iter().find(|(known, _)| *known == name));
        match (value, place) {
            (Some((_, value)), Some((_, behind))) => {
                out.push_str(value);
                rest = behind;
            }
            _ => {
                out.push('{');
                rest = after;
            }
        }
    }
    out + rest
}

/// A game that can be played at once.
pub fn new_game(name: &Named, players: (u8, u8)) -> Vec<NewFile> {
    const FILES: [(&str, &str); 9] = [
        ("content/{id}/pack.toml", include_str!("../../templates/game/pack.toml")),
        ("content/{id}/game/table.toml", include_str!("../../templates/game/table.toml")),
        ("content/{id}/game/flow.toml", include_str!("../../templates/game/flow.toml")),
        ("content/{id}/cards/cards.toml", include_str!("../../templates/game/cards.toml")),
        ("content/{id}/rules/rules.toml", include_str!("../../templates/game/rules.toml")),
        ("content/{id}/scenarios/set_up.toml", include_str!("../../templates/game/set_up.toml")),
        ("content/{id}/scenarios/paying.toml", include_str!("../../templates/game/paying.toml")),
        ("content/{id}/scenarios/end.toml", include_str!("../../templates/game/end.toml")),
        ("scripts/{id}/cards.lua", include_str!("../../templates/game/cards.lua")),
    ];
    let (least, most) = (players.0.to_string(), players.1.to_string());
    let rules = name.rules();
    let values: [(&str, &str); 5] =
        [("id", &name.id), ("title", &name.title), ("ID", &rules), ("min", &least), ("max", &most)];
    FILES.iter().map(|(path, text)| NewFile::new(filled(path, &values), filled(text, &values))).collect()
}

/// The files around packs: the project file, settings for editors, and a workflow for CI.
pub fn new_project(libraries: &[String], pack: Option<&str>) -> Vec<NewFile> {
    let libraries: Vec<String> = libraries.iter().map(|path| format!("\"{}\"", quoted(path))).collect();
    let pack = pack.map_or(String::new(), |pack| {
        format!("\npack      = \"{pack}\"    # what `rulepack play`, `sim`, … mean without a name")
    });
    let file =
        filled(include_str!("../../templates/project.toml"), &[("libraries", &libraries.join(", ")), ("pack", &pack)]);
    vec![
        NewFile::new("rulepack.toml", file),
        NewFile::new("content/.gitkeep", ""),
        NewFile::new(".taplo.toml", include_str!("../../templates/taplo.toml")),
        NewFile::new(".vscode/settings.json", include_str!("../../templates/vscode.json")),
        NewFile::new(".rulepack/rulepack.lua", rulepack_lua::definitions()),
        NewFile::new(".github/workflows/rulepack.yml", include_str!("../../templates/workflow.yml")),
    ]
}

/// A scenario that passes and shows where everything stands.
pub fn new_scenario(pack: &str, name: &str, players: Option<Players>) -> NewFile {
    let seats = match players {
        Some(range) if !(range.min..=range.max).contains(&2) => format!("players = {}", range.min),
        _ => "players = [\"a\", \"b\"]".to_string(),
    };
    let about = Named::of(name, None).title;
    let text = filled(include_str!("../../templates/scenario.toml"), &[("about", &about), ("players", &seats)]);
    NewFile::new(format!("content/{pack}/scenarios/{name}.toml"), text)
}

/// Whether a pack is in order for which files were written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Tried {
    /// It passes.
    Sound,
    /// Its definitions have a mistake.
    Definitions(String),
    /// The new scenario has a mistake or fails.
    Scenario(String),
}

/// Checks and tests a pack for which files were written. If the pack was there `before`, warnings count only in the new
/// files, and only the new scenarios are played.
pub fn tried(folders: &[PathBuf], pack: &str, files: &[NewFile], before: bool, limits: Limits) -> Tried {
    const GAMES: u64 = 5;
    let library = match Library::open(folders) {
        Ok(library) => library.with_limits(limits),
        Err(error) => return Tried::Definitions(error.to_string()),
    };
    let request = CheckRequest { playouts: GAMES, threads: all_threads(), with: Vec::new() };
    let found = check(&library, pack, &request, &mut || ()).diagnostics;
    for mistake in &found {
        let sources = library.sources();
        let path = mistake.labels.first().map(|label| sources.position(label.span).0).unwrap_or_default();
        if files.iter().any(|file| is_scenario(file) && path.ends_with(&file.path)) {
            return Tried::Scenario(mistake.message.clone());
        }
        if mistake.is_error() || !before || files.iter().any(|file| path.ends_with(&file.path)) {
            return Tried::Definitions(mistake.message.clone());
        }
    }
    let new = files.iter().filter(|file| is_scenario(file));
    let targets: Vec<String> = new
        .filter_map(|file| folders.first().map(|folder| folder.join(&file.path).to_string_lossy().into_owned()))
        .collect();
    if targets.is_empty() {
        return Tried::Sound;
    }
    match run_tests(&library, &TestRequest { targets, ..TestRequest::default() }) {
        Ok(report) if report.failed == 0 => Tried::Sound,
        Ok(report) => {
            let why = report.cases.into_iter().find_map(|case| case.failure);
            Tried::Scenario(why.unwrap_or_else(|| "the scenario fails".to_string()))
        }
        Err(error) => Tried::Scenario(error.to_string()),
    }
}

fn is_scenario(file: &NewFile) -> bool {
    file.path.contains("/scenarios/")
}

/// The game that a new card or expansion starts from.
pub fn load_base(library: &Library, pack: &str) -> Result<GameBox, Vec<Diagnostic>> {
    library.load(&rulepack_pack::LinkRequest { pack: pack.to_string(), ..rulepack_pack::LinkRequest::default() })
}

/// The files of a start that are there already.
pub fn already_there(folder: &Path, files: &[NewFile]) -> Vec<PathBuf> {
    files.iter().map(|file| folder.join(&file.path)).filter(|path| path.symlink_metadata().is_ok()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_of_templates_are_filled_and_other_braces_stay() {
        assert_eq!(filled("{a} { b } {c} {", &[("a", "1"), ("b", "2")]), "1 { b } {c} {");
        assert_eq!(filled("${{ x }} {a}", &[("a", "{a}")]), "${{ x }} {a}");
    }

    #[test]
    fn titles_follow_from_ids() {
        assert_eq!(Named::of("night-ferry", None).title, "Night ferry");
        assert_eq!(Named::of("x", Some("Say \"hi\"")).title, "Say \\\"hi\\\"");
        assert_eq!(Named::of("night-ferry", None).rules(), "NIGHT-FERRY");
    }
}
