//! The schemas: every shipped file validates, and a broken one whose mistake a schema can express does not.

use std::path::Path;

use boon::{Compiler, SchemaIndex, Schemas};
use rulepack::{Library, LinkRequest};
use rulepack_editor::schemas;
use rulepack_pack::keys::{Holds, Key, SORTS, TYPE};
use serde_json::Value;

use super::client::root;
use crate::support::{Scratch, files, fixture, rulepack};

/// The compiled schemas of a game, by name.
struct Compiled {
    schemas: Schemas,
    by_name: Vec<(&'static str, SchemaIndex)>,
}

impl Compiled {
    fn of(library: &Library, pack: Option<&str>) -> Compiled {
        let request = |pack: &str| LinkRequest { pack: pack.to_string(), ..LinkRequest::default() };
        let game = pack.and_then(|pack| library.attempt(&request(pack)).game_box);
        let all = schemas(game.as_ref().map(|game| &game.rules().vocabulary));
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        let mut by_name = Vec::new();
        for schema in all {
            let name = format!("{}.json", schema.name);
            compiler.add_resource(&name, schema.json).expect("it is a schema");
            by_name.push((schema.name, compiler.compile(&name, &mut schemas).expect("it is a schema")));
        }
        Compiled { schemas, by_name }
    }

    /// What the schema for a file says against it; `None` if the file is no TOML, or no schema is for it.
    fn refuses(&self, below: &str, text: &str) -> Option<Option<String>> {
        let parts: Vec<&str> = below.split('/').collect();
        let name = match parts.as_slice() {
            ["rulepack.toml"] => "project",
            ["content", _, "pack.toml"] => "manifest",
            ["content", _, ".survivors.toml"] => "survivors",
            ["content", _, "locale", ..] => "translation",
            ["content", _, "scenarios", ..] => "scenario",
            ["content", _, ..] => "definitions",
            _ => return None,
        };
        let json: Value = toml::from_str(text).ok()?;
        let (_, index) = self.by_name.iter().find(|(known, _)| *known == name)?;
        Some(self.schemas.validate(&json, *index).err().map(|error| format!("{error:#}")))
    }
}

#[test]
fn every_shipped_file_validates() {
    let library = Library::open(&[root()]).expect("the library is there");
    let without = Compiled::of(&library, None);
    let mut count = 0;
    let mut wrong = Vec::new();
    for info in library.list() {
        // The kinds of a library of definitions are those of a game that needs it.
        let game = match library.has_game(&info.id) {
            true => info.id.clone(),
            false => library.built_on(&info.id).first().cloned().unwrap_or_default(),
        };
        let with = Compiled::of(&library, Some(&game));
        for (path, bytes) in files(&root().join("content").join(&info.id)) {
            let below = path.strip_prefix(root()).expect("it lies below").to_string_lossy().replace('\\', "/");
            if !below.ends_with(".toml") {
                continue;
            }
            let text = String::from_utf8(bytes).expect("packs are texts");
            for schemas in [&without, &with] {
                match schemas.refuses(&below, &text) {
                    Some(Some(error)) => wrong.push(format!("{below}: {error}")),
                    Some(None) => count += 1,
                    None => wrong.push(format!("{below}: no schema")),
                }
            }
        }
    }
    wrong.truncate(20);
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 1_000, "only {count} files");
}

/// Broken packs whose mistake is of a sort that a schema can express, and whose file it accepts all the same, each with the reason.
const BEYOND: [&str; 10] = [
    // A step of an adjacency is a row and a number, in this order.
    "adjacency_with_odd_steps",
    // The default must fit the type beside it.
    "default_of_wrong_type",
    // One attribute has two types in two kinds.
    "duplicate_attribute",
    // Whether `owner` sees it depends on whose it is.
    "hidden_value_among_others",
    // In a definition that makes many types, an attribute may be a list, a text, or its own value.
    "list_of_types_that_is_no_list",
    // Which field a member must say depends on the list in which it stands.
    "list_of_types_with_odd_member",
    // The type of a value is declared elsewhere.
    "modifies_a_yes_or_no",
    // A patch may name fields inside a table, which have any names.
    "pack_patch_misspelt",
    // A printing may set any field of its type.
    "printing_with_a_text_as_count",
    // Whether pieces can be sorted by an attribute depends on its type.
    "sorted_by_effect",
];

#[test]
fn broken_files_are_refused() {
    let cases: toml::Table =
        toml::from_str(&std::fs::read_to_string(fixture("bad.toml")).expect("it is there")).expect("it is TOML");
    let (mut refused, mut accepted) = (0, Vec::new());
    for (name, case) in &cases {
        let (code, at) = (case["code"].as_str().unwrap_or(""), case.get("at").and_then(|at| at.as_str()).unwrap_or(""));
        let below = at.rsplitn(3, ':').last().unwrap_or("");
        if !["unknown-key", "wrong-type"].contains(&code) || !below.ends_with(".toml") {
            continue;
        }
        let folder = fixture("bad").join(name);
        let Ok(library) = Library::open(&[&folder]) else { continue };
        let pack = below.split('/').nth(1).unwrap_or("").to_string();
        let schemas = Compiled::of(&library, library.has_game(&pack).then_some(pack.as_str()));
        let Ok(text) = std::fs::read_to_string(folder.join(below)) else { continue };
        match schemas.refuses(below, &text) {
            Some(Some(_)) => refused += 1,
            Some(None) => accepted.push(name.as_str()),
            None => {}
        }
    }
    assert_eq!(accepted, BEYOND, "{refused} are refused");
    assert!(refused > 20, "only {refused} are refused");
}

#[test]
fn the_command_writes_schemas_and_settings() {
    let folder = Scratch::new("schema");
    let library = root();
    let library = library.to_str().expect("it is text");
    let run = rulepack(folder.path(), &["--library", library, "schema", "night-garden", "--out", ".schema"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let settings = std::fs::read_to_string(folder.path().join(".taplo.toml")).expect("it was written");
    let settings: toml::Table = toml::from_str(&settings).expect("it is TOML");
    for rule in settings["rule"].as_array().expect("there are rules") {
        let path = rule["schema"]["path"].as_str().expect("it names a file");
        let text = std::fs::read_to_string(folder.path().join(path)).expect("it was written");
        let json: Value = serde_json::from_str(&text).expect("it is JSON");
        assert_eq!(json["$schema"], "https://json-schema.org/draft/2020-12/schema");
    }
    // The settings stay as somebody wrote them.
    folder.write(".taplo.toml", b"# mine\n");
    let run = rulepack(folder.path(), &["schema", "--out", ".schema"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert_eq!(std::fs::read_to_string(folder.path().join(".taplo.toml")).expect("it is there"), "# mine\n");
    let all = rulepack(Path::new(folder.path()), &["schema"]).json();
    assert!(all["definitions"]["properties"]["zone"].is_object(), "{all}");
}

/// A misspelt key of each table, and the tables inside it, in one pack: the reader must know the right one.
#[test]
fn every_listed_key_is_read() {
    let mut text = String::from(
        "[pack]\nid = 'inn'\nversion = '1.0.0'\ntitle = 'Inn'\nplayers = { min = 2, max = 2 }\n\
         [kind.thing]\n[event.rung]\n[value.worth]\nbase = 1\n",
    );
    let mut wanted: Vec<&str> = Vec::new();
    let mut number = 0;
    let mut header = |sort: &str| {
        number += 1;
        format!("[{sort}.k{number}]\n")
    };
    let sorts = SORTS.iter().map(|sort| (sort.name, sort.keys)).chain([("thing", TYPE)]);
    let (mut game, mut look) = (String::from("[game]\n"), String::from("[look]\n"));
    for (sort, keys) in sorts {
        for key in keys {
            // The words of a list are asked for one by one; see `each.rs`.
            let line = format!("{}q = 1\n", key.name);
            match sort {
                "game" => game.push_str(&line),
                "look" => look.push_str(&line),
                _ => text.push_str(&(header(sort) + &line)),
            }
            wanted.push(key.name);
            for inner in inner_keys(&key.holds) {
                // Which keys a layout has depends on its shape.
                if key.name == "layout" {
                    continue;
                }
                let name = match key.holds {
                    Holds::Map(kinds, _) if kinds.contains(&"value") => format!("{}.worth", key.name),
                    Holds::Map(kinds, _) if kinds.contains(&"event") => format!("{}.rung", key.name),
                    Holds::Map(..) => format!("{}.one", key.name),
                    _ => key.name.to_string(),
                };
                let line = format!("{name} = {{ {}q = 1 }}\n", inner.name);
                match sort {
                    // They can be there only once; fixtures of their own misspell the keys inside.
                    "game" | "look" => {}
                    _ if key.name == "count" => {}
                    _ => {
                        text.push_str(&(header(sort) + &line));
                        wanted.push(inner.name);
                    }
                }
            }
        }
    }
    let folder = Scratch::new("keys");
    folder.write("content/inn/pack.toml", (text + &game + &look).as_bytes());
    let library = Library::open(&[folder.path()]).expect("it is there");
    let found = library.attempt(&LinkRequest { pack: "inn".into(), ..LinkRequest::default() }).diagnostics;
    let told: Vec<&str> = found.iter().filter_map(|found| found.help.as_deref()).collect();
    let is_told = |key: &&str| told.contains(&format!("did you mean `{key}`?").as_str());
    let missing: Vec<&str> = wanted.iter().copied().filter(|key| !is_told(key)).collect();
    // Printings are taken out before types are read. An adjacency without its zone is read no further; the `zone` that is told is
    // that of the look.
    assert_eq!(missing, ["printing"]);
    assert!(wanted.len() > 150, "only {} keys", wanted.len());
}

/// The keys of the tables that a key can hold.
fn inner_keys(holds: &Holds) -> Vec<&'static Key> {
    match holds {
        Holds::Table(keys) => keys.iter().collect(),
        Holds::Map(_, inner) => inner_keys(inner),
        Holds::Any(all) => all.iter().flat_map(inner_keys).collect(),
        _ => Vec::new(),
    }
}
