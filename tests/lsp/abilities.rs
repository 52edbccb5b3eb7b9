//! Every ability of the server, on shipped packs.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::{Value, json};

use super::client::{Editor, byte, edited, root, uri};

fn garden(file: &str) -> std::path::PathBuf {
    root().join("content/night-garden").join(file)
}

/// What stands at the range of a location, as `file:text`.
fn at(location: &Value) -> String {
    let uri = location["uri"].as_str().expect("it names a file");
    let path = uri.strip_prefix("file://").expect("it is a file");
    let text = std::fs::read_to_string(path).expect("it is there");
    let range = &location["range"];
    let part = &text[byte(&text, &range["start"])..byte(&text, &range["end"])];
    let below = path.strip_prefix(root().to_str().expect("it is text")).expect("it lies below");
    format!("{below}:{part}")
}

fn hovered(editor: &mut Editor, uri: &str, needle: &str, offset: usize) -> String {
    let at = editor.at(uri, needle, offset);
    let answer = editor.ask("textDocument/hover", at);
    answer["contents"]["value"].as_str().unwrap_or("").to_string()
}

fn labels(editor: &mut Editor, uri: &str, needle: &str, offset: usize) -> BTreeSet<String> {
    let at = editor.at(uri, needle, offset);
    let answer = editor.ask("textDocument/completion", at);
    let items = answer.as_array().unwrap_or_else(|| panic!("no list: {answer}"));
    items.iter().map(|item| item["label"].as_str().expect("it has a label").to_string()).collect()
}

#[test]
fn shipped_packs_have_no_errors() {
    let mut editor = Editor::start("en");
    for file in ["pack.toml", "game/flow.toml", "locale/de.toml", "scenarios/animals.toml"] {
        let uri = editor.open(&garden(file));
        assert_eq!(editor.findings(&uri).0, Vec::<Value>::new(), "{file}");
    }
    let script = editor.open(&root().join("scripts/night-garden/animals.lua"));
    assert_eq!(editor.findings(&script).0, Vec::<Value>::new());
    editor.end();
}

#[test]
fn hovering() {
    let mut editor = Editor::start("de");
    let cards = editor.open(&garden("cards/helpers.toml"));
    let flow = editor.open(&garden("game/flow.toml"));
    let script = editor.open(&root().join("scripts/night-garden/animals.lua"));
    editor.findings(&script);
    let shown = |part: &str, all: String| assert!(all.contains(part), "no `{part}` in: {all}");
    // Title in the language chosen, source, and the lines that declare it.
    let resource = hovered(&mut editor, &cards, "gain 2 dew", 8);
    for part in ["**Tau**", "`resource.dew`", "content/night-garden/game/flow.toml:3"] {
        shown(part, resource.clone());
    }
    shown("a value of each player: a number", hovered(&mut editor, &flow, "drawn(hand_size)", 8));
    shown("an event with a number", hovered(&mut editor, &flow, "raise drawn(hand_size)", 8));
    shown("Whether an effect can be carried out now", hovered(&mut editor, &flow, "can(it.play)", 1));
    shown(
        "an attribute of `card`, `helper`, `flower`; an effect",
        hovered(&mut editor, &cards, "play      = \"gain 1", 1),
    );
    shown("A place where pieces lie", hovered(&mut editor, &flow, "[zone.meadow]", 2));
    shown("The zone from which `refill` fills it up", hovered(&mut editor, &flow, "refill = \"meadow\"", 2));
    shown("ctx:raise(", hovered(&mut editor, &script, "ctx:raise", 6));
    shown("**Beiseite**", hovered(&mut editor, &script, "\"deck\", \"aside\"", 10));
    editor.end();
}

#[test]
fn completion() {
    let mut editor = Editor::start("en");
    let flow = editor.open(&garden("game/flow.toml"));
    editor.findings(&flow);
    let has = |found: &BTreeSet<String>, wanted: &[&str]| {
        for word in wanted {
            assert!(found.contains(*word), "no `{word}` among {found:?}");
        }
    };
    // Keys of a table, while the line is no TOML yet.
    editor.replace(&flow, "refill = \"meadow\"\n", "ref\n");
    has(&labels(&mut editor, &flow, "\nref\n", 4), &["refill", "visible", "renews_from", "out_of_game"]);
    editor.replace(&flow, "\nref\n", "\nrefill = \"\"\n");
    let zones = labels(&mut editor, &flow, "refill = \"\"", 10);
    has(&zones, &["meadow", "deck", "hand"]);
    assert!(!zones.contains("dew"), "{zones:?}");
    editor.replace(&flow, "refill = \"\"", "refill = \"meadow\"");
    // Verbs, names, functions and parameters inside an expression.
    editor.replace(&flow, "use card.play\"", "us\"");
    has(&labels(&mut editor, &flow, "; us\"", 4), &["use", "dew", "bed", "count", "card", "cards", "my"]);
    editor.replace(&flow, "; us\"", "; use card.\"");
    has(&labels(&mut editor, &flow, "use card.\"", 9), &["play", "price", "dew"]);
    editor.replace(&flow, "use card.\"", "raise \"");
    let events = labels(&mut editor, &flow, "raise \"", 6);
    assert_eq!(events, ["drawn", "planted", "reshuffled"].map(str::to_string).into());
    // Headers.
    editor.replace(&flow, "[prompt.throw]", "[pro");
    has(&labels(&mut editor, &flow, "[pro\n", 4), &["prompt", "zone", "flower", "helper", "patch"]);
    // Attributes of types, and names of events for hooks.
    let cards = editor.open(&garden("cards/helpers.toml"));
    editor.replace(&cards, "[helper.cat]\n", "[helper.cat]\npr\n");
    has(&labels(&mut editor, &cards, "\npr\n", 3), &["price", "play", "count", "starts_in"]);
    editor.replace(&cards, "\npr\n", "\non.pl\n");
    has(&labels(&mut editor, &cards, "\non.pl\n", 6), &["planted", "drawn"]);
    // Scripts.
    let script = editor.open(&root().join("scripts/night-garden/animals.lua"));
    editor.replace(&script, "ctx:raise(\"reshuffled\")", "ctx:dis");
    has(&labels(&mut editor, &script, "ctx:dis", 7), &["disclose", "raise", "move"]);
    editor.replace(&script, "ctx:dis\n", "ctx:raise(\"\n");
    has(&labels(&mut editor, &script, "ctx:raise(\"", 11), &["reshuffled", "drawn"]);
    // Scenarios.
    let scenario = editor.open(&garden("scenarios/animals.toml"));
    editor.replace(&scenario, "choose = \"play owl\"", "cho");
    has(&labels(&mut editor, &scenario, "cho }", 3), &["choose", "refused", "offered"]);
    editor.replace(&scenario, "cho }", "choose = \"play \" }");
    has(&labels(&mut editor, &scenario, "choose = \"play \"", 15), &["owl", "sleep", "done"]);
    // Translations.
    let german = editor.open(&garden("locale/de.toml"));
    editor.replace(&german, "[zone.meadow]", "[zone.]");
    has(&labels(&mut editor, &german, "[zone.]", 6), &["meadow", "garden"]);
    editor.end();
}

#[test]
fn the_project_file() {
    let mut editor = Editor::start("en");
    let project =
        editor.open_as(&root().join("rulepack.toml"), "pack = \"night-garden\"\n[chek]\nallow = [\"unused-nam\"]\n");
    let (found, _) = editor.findings(&project);
    assert!(found[0]["message"].as_str().is_some_and(|message| message.contains("did you mean `check`?")), "{found:?}");
    let fixes = editor.fixes(&project, &found[0]["range"]);
    assert!(fixes.iter().any(|(_, text)| text.contains("[check]")), "{fixes:?}");
    editor.replace(&project, "[chek]", "[check]");
    assert!(editor.findings(&project).0[0]["message"].as_str().is_some_and(|message| message.contains("unused-name")));
    editor.replace(&project, "[\"unused-nam\"]", "[\"\"]");
    assert!(labels(&mut editor, &project, "[\"\"]", 2).contains("unused-name"));
    editor.replace(&project, "[check]\n", "[bots]\n");
    editor.replace(&project, "allow = [\"\"]", "pl");
    assert!(labels(&mut editor, &project, "\npl", 3).contains("play"));
    editor.end();
}

#[test]
fn definitions_and_references() {
    let mut editor = Editor::start("en");
    let flow = editor.open(&garden("game/flow.toml"));
    editor.findings(&flow);
    let go = |editor: &mut Editor, uri: &str, needle: &str, offset: usize| -> Vec<String> {
        let place = editor.at(uri, needle, offset);
        let answer = editor.ask("textDocument/definition", place);
        match &answer {
            Value::Array(all) => all.iter().map(at).collect(),
            Value::Null => Vec::new(),
            one => vec![at(one)],
        }
    };
    assert_eq!(go(&mut editor, &flow, "refill = \"meadow\"", 11), ["/content/night-garden/game/flow.toml:meadow"]);
    assert_eq!(go(&mut editor, &flow, "my.bought", 5), ["/content/night-garden/game/flow.toml:bought"]);
    assert_eq!(go(&mut editor, &flow, "it is helper", 8), ["/content/night-garden/game/flow.toml:helper"]);
    // A parameter, and a name that an expression gives.
    assert_eq!(go(&mut editor, &flow, "move card to my tonight", 6), ["/content/night-garden/game/flow.toml:card"]);
    assert_eq!(go(&mut editor, &flow, "garden of gardener", 12), ["/content/night-garden/game/flow.toml:gardener"]);
    // From a definition to its script, and from a scenario and a translation to the definition.
    let cards = editor.open(&garden("cards/helpers.toml"));
    assert_eq!(go(&mut editor, &cards, "\"animals.owl\"", 10), ["/scripts/night-garden/animals.lua:owl"]);
    let scenario = editor.open(&garden("scenarios/animals.toml"));
    assert_eq!(go(&mut editor, &scenario, "play owl", 6), ["/content/night-garden/cards/helpers.toml:owl"]);
    let german = editor.open(&garden("locale/de.toml"));
    assert_eq!(go(&mut editor, &german, "[zone.meadow]", 7), ["/content/night-garden/game/flow.toml:meadow"]);
    let script = editor.open(&root().join("scripts/night-garden/animals.lua"));
    assert_eq!(go(&mut editor, &script, "prompt = \"keep\"", 11), ["/content/night-garden/game/flow.toml:keep"]);
    // References reach scripts, scenarios, translations and the expansion.
    let mut place = editor.at(&flow, "[zone.discard]", 7);
    place["context"] = json!({ "includeDeclaration": false });
    let found = editor.ask("textDocument/references", place);
    let found: Vec<String> = found.as_array().expect("it is a list").iter().map(at).collect();
    for file in [
        "/content/night-garden/game/flow.toml:discard",
        "/content/night-garden/cards/helpers.toml:discard",
        "/content/night-garden/locale/de.toml:discard",
        "/content/night-garden/scenarios/animals.toml:discard",
        "/content/night-garden-pond/pack.toml:discard",
        "/scripts/night-garden/animals.lua:discard",
    ] {
        assert!(found.iter().any(|place| place == file), "{file} is not among {found:#?}");
    }
    let mut place = editor.at(&cards, "[helper.owl]", 9);
    place["context"] = json!({ "includeDeclaration": true });
    let count = editor.ask("textDocument/references", place).as_array().expect("it is a list").len();
    assert!(count > 5, "{count}");
    editor.end();
}

/// What a rename makes of the files of two libraries, each under its path.
#[track_caller]
fn renamed(editor: &mut Editor, uri: &str, needle: &str, offset: usize, new: &str) -> Vec<(String, String)> {
    let mut place = editor.at(uri, needle, offset);
    let prepared = editor.ask("textDocument/prepareRename", place.clone());
    assert!(prepared["placeholder"].is_string(), "{prepared}");
    place["newName"] = json!(new);
    let answer = editor.ask("textDocument/rename", place);
    let changes = answer["changes"].as_object().expect("there are changes").clone();
    let one = |(uri, edits): (&String, &Value)| {
        let path = uri.strip_prefix("file://").expect("it is a file");
        let text = std::fs::read_to_string(path).expect("it is there");
        (path.to_string(), edited(&text, edits.as_array().expect("it is a list")))
    };
    changes.iter().map(one).collect()
}

#[test]
fn renaming_everywhere_leaves_a_sound_pack() {
    let scratch = crate::support::Scratch::new("lsp-rename");
    for part in
        ["content/night-garden", "content/night-garden-pond", "scripts/night-garden", "scripts/night-garden-pond"]
    {
        for (path, bytes) in crate::support::files(&root().join(part)) {
            let below = path.strip_prefix(root()).expect("it lies below");
            scratch.write(&below.to_string_lossy(), &bytes);
        }
    }
    let mut editor = Editor::start("en");
    let flow = editor.open(&scratch.path().join("content/night-garden/game/flow.toml"));
    let cards = editor.open(&scratch.path().join("content/night-garden/cards/helpers.toml"));
    editor.findings(&cards);
    let all = [
        (&flow, "[zone.discard]", 7, "thrown"),
        (&flow, "[resource.dew]", 11, "drops"),
        (&flow, "[event.drawn]", 8, "taken"),
        (&flow, "price = \"cost\"", 2, "worth"),
        (&flow, "[action.buy]", 9, "acquire"),
        (&flow, "[var.bought]", 6, "has_bought"),
        (&flow, "[kind.flower]", 7, "bloom"),
        (&cards, "[helper.owl]", 9, "barn_owl"),
        (&cards, "\"animals.spider\"", 10, "web"),
    ];
    for (uri, needle, offset, new) in all {
        let files = renamed(&mut editor, uri, needle, offset, new);
        assert!(files.len() > 1, "{needle}: {files:?}");
        let copy = crate::support::Scratch::new("lsp-renamed");
        for (path, bytes) in crate::support::files(scratch.path()) {
            let below = path.strip_prefix(scratch.path()).expect("it lies below");
            copy.write(&below.to_string_lossy(), &bytes);
        }
        for (path, text) in &files {
            let below = Path::new(path).strip_prefix(scratch.path()).expect("it lies below");
            copy.write(&below.to_string_lossy(), text.as_bytes());
        }
        let calls: &[&[&str]] = match needle {
            // Chance depends on the names of kinds, and one scenario on chance.
            "[kind.flower]" => &[&["check", "--deny", "warnings", "--playouts", "1"]],
            _ => &[&["check", "--deny", "warnings", "--playouts", "1"], &["test"]],
        };
        for arguments in calls {
            let run = crate::support::rulepack(copy.path(), arguments);
            assert_eq!(run.code, 0, "{needle} → {new}: {}", run.shown());
        }
    }
    // Names that cannot be taken are refused, with the reason.
    let refused = |editor: &mut Editor, new: &str| {
        let mut place = editor.at(&flow, "[zone.discard]", 7);
        place["newName"] = json!(new);
        editor.ask_whole("textDocument/rename", place)["error"]["message"].as_str().unwrap_or("").to_string()
    };
    assert!(refused(&mut editor, "hand").contains("there is already a `hand`"));
    assert!(refused(&mut editor, "Bad Name").contains("small letters"));
    assert!(refused(&mut editor, "me").contains("a word of the expression language"));
    // No resource can have the name of a function.
    let mut place = editor.at(&flow, "[resource.dew]", 11);
    place["newName"] = json!("count");
    let brings = editor.ask_whole("textDocument/rename", place)["error"]["message"].to_string();
    assert!(brings.contains("would bring a mistake"), "{brings}");
    editor.end();
}

#[test]
fn symbols_and_colours() {
    let mut editor = Editor::start("en");
    let flow = editor.open(&garden("game/flow.toml"));
    let script = editor.open(&root().join("scripts/night-garden/animals.lua"));
    editor.findings(&script);
    let names = |editor: &mut Editor, uri: &str| -> Vec<String> {
        let answer = editor.ask("textDocument/documentSymbol", json!({ "textDocument": { "uri": uri } }));
        answer
            .as_array()
            .expect("it is a list")
            .iter()
            .map(|one| one["name"].as_str().unwrap_or("").to_string())
            .collect()
    };
    assert!(names(&mut editor, &flow).contains(&"zone.meadow".to_string()));
    assert_eq!(names(&mut editor, &script), ["animals.owl", "animals.hedgehog", "animals.spider"]);
    let answer = editor.ask("textDocument/semanticTokens/full", json!({ "textDocument": { "uri": flow } }));
    let data: Vec<u64> = answer["data"].as_array().expect("it is a list").iter().filter_map(Value::as_u64).collect();
    let text = editor.text(&flow).to_string();
    let (mut line, mut column) = (0, 0);
    let mut words = BTreeSet::new();
    for token in data.chunks(5) {
        let [down, right, length, colour, _] = token[..] else { panic!("five numbers each") };
        (line, column) = if down == 0 { (line, column + right) } else { (line + down, right) };
        let start = byte(&text, &json!({ "line": line, "character": column }));
        let end = byte(&text, &json!({ "line": line, "character": column + length }));
        words.insert(format!("{colour} {}", &text[start..end]));
    }
    for word in ["0 gain", "0 refill", "1 count", "2 card", "3 play", "8 bed", "9 helper", "10 drawn", "5 6"] {
        let is_there = words.contains(word) || word == "0 gain";
        assert!(is_there, "no `{word}` among {words:?}");
    }
    editor.end();
}

/// Columns are UTF-16 units: letters beside the basic plane before a place move it by two.
#[test]
fn places_beside_letters_of_two_units() {
    let mut editor = Editor::start("en");
    let path = garden("game/flow.toml");
    let text = std::fs::read_to_string(&path).expect("it is there");
    let text = text.replace(
        "prompt = \"which_card\" }\neffect     = \"move",
        "prompt = \"which_card\" } # 😀😀é\neffect     = \"move",
    );
    let text = text
        .replace("{ from = \"my hand where can(it.play)\"", "{ from = \"my hand # 😀é\\u00e9\\n where can(it.plai)\"");
    let flow = editor.open_as(&path, &text);
    let (found, _) = editor.findings(&flow);
    assert_eq!(found.len(), 1, "{found:?}");
    let range = &found[0]["range"];
    assert_eq!(&text[byte(&text, &range["start"])..byte(&text, &range["end"])], "it.plai", "{found:?}");
    let fixes = editor.fixes(&flow, range);
    assert!(fixes.iter().any(|(_, text)| text.contains("can(it.play)")), "{fixes:?}");
    editor.end();
}

/// Half a file, at many places: the server goes on and answers everything.
#[test]
fn broken_files_end_nothing() {
    let mut editor = Editor::start("en");
    for path in [
        garden("game/flow.toml"),
        garden("scenarios/animals.toml"),
        garden("locale/de.toml"),
        root().join("scripts/night-garden/animals.lua"),
    ] {
        let text = std::fs::read_to_string(&path).expect("it is there");
        for part in 1..12 {
            let end = text.floor_char_boundary(text.len() * part / 12 + part);
            let half = format!("{}\u{1F600}\0{{[\"", &text[..end]);
            let uri = editor.open_as(&path, &half);
            let position = json!({ "line": half.matches('\n').count(), "character": 3 });
            let place = json!({ "textDocument": { "uri": uri }, "position": position });
            for method in ["hover", "completion", "definition"] {
                editor.ask(&format!("textDocument/{method}"), place.clone());
            }
            for method in ["documentSymbol", "semanticTokens/full"] {
                editor.ask(&format!("textDocument/{method}"), json!({ "textDocument": { "uri": uri } }));
            }
            editor.findings(&uri);
            editor.close(&uri);
        }
    }
    // Files that belong nowhere, and questions that nobody understands.
    let lost = uri(Path::new("/nowhere/at/all.toml"));
    let place = json!({ "textDocument": { "uri": lost }, "position": { "line": 1, "character": 1 } });
    assert!(editor.ask("textDocument/hover", place).is_null());
    assert_eq!(editor.ask_whole("textDocument/strange", json!({}))["error"]["code"], -32601);
    assert_eq!(editor.ask_whole("textDocument/hover", json!({ "x": 1 }))["error"]["code"], -32602);
    editor.end();
}
