//! Findings in the formats that CI reads, what may stay, and what a finding brings along.

use std::path::Path;

use serde_json::Value;

use crate::support::{Scratch, fixture, rulepack};

/// A pack with an error, and one with a warning.
const ERROR: &str = "bad/unknown_key";
const WARNING: &str = "bad/unused_variable";

fn json(folder: &Path, arguments: &[&str]) -> Value {
    rulepack(folder, &[&["check", "inn", "--format", "json"], arguments].concat()).json()
}

fn codes(report: &Value) -> Vec<String> {
    let findings = report["diagnostics"].as_array().expect("there is a list");
    findings.iter().map(|finding| finding["code"].as_str().expect("a code").to_string()).collect()
}

fn schema() -> (boon::Schemas, boon::SchemaIndex) {
    let text = std::fs::read_to_string(fixture("sarif-2.1.0.json")).expect("the schema is there");
    let schema: Value = serde_json::from_str(&text).expect("the schema is JSON");
    let mut schemas = boon::Schemas::new();
    let mut compiler = boon::Compiler::new();
    compiler.add_resource("sarif.json", schema).expect("the schema can be used");
    let index = compiler.compile("sarif.json", &mut schemas).expect("the schema can be used");
    (schemas, index)
}

#[test]
fn sarif_is_valid_by_its_schema() {
    let (schemas, index) = schema();
    let valid = |log: &Value| schemas.validate(log, index).map_err(|error| error.to_string());
    // Errors, warnings, places in several files, none at all, a game that failed, a path with a strange name.
    for name in
        ["unknown_key", "twenty_mistakes", "duplicate_id", "missing_manifest", "script_errors", "two_packs_one_id"]
    {
        let folder = fixture(&format!("bad/{name}"));
        let libraries: &[&str] =
            if name == "two_packs_one_id" { &["--library", "first", "--library", "second"] } else { &[] };
        let run = rulepack(&folder, &[libraries, &["check", "inn", "--format", "sarif"]].concat());
        let log = run.json();
        valid(&log).unwrap_or_else(|error| panic!("{name}: {error}"));
        let results = log["runs"][0]["results"].as_array().expect("there is a list");
        assert!(!results.is_empty(), "{name}");
        for result in results {
            let rule =
                &log["runs"][0]["tool"]["driver"]["rules"][result["ruleIndex"].as_u64().expect("an index") as usize];
            assert_eq!(rule["id"], result["ruleId"], "{name}");
        }
    }
    let mut wrong = rulepack(&fixture(ERROR), &["check", "inn", "--format", "sarif"]).json();
    wrong["runs"][0]["results"][0]["level"] = "bad".into();
    assert!(valid(&wrong).is_err(), "the schema takes anything");
}

#[test]
fn sarif_of_a_sound_pack_is_valid_and_empty() {
    let (schemas, index) = schema();
    let run = rulepack(&fixture("tiny"), &["check", "tiny", "--playouts", "0", "--format", "sarif"]);
    let log = run.json();
    schemas.validate(&log, index).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(log["runs"][0]["results"], serde_json::json!([]));
    assert_eq!(run.code, 0);
}

/// Code hosts look for paths from where the program was called.
#[test]
fn paths_begin_where_the_program_is_called() {
    let run = rulepack(&fixture("bad"), &["--library", "unknown_key", "check", "inn", "--format", "github"]);
    assert_eq!(run.code, 1);
    assert!(run.stdout.starts_with("::error file=unknown_key/content/inn/pack.toml,line=15,"), "{}", run.shown());
    let run = rulepack(&fixture("bad"), &["--library", "unknown_key", "check", "inn", "--format", "sarif"]);
    let place = &run.json()["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "unknown_key/content/inn/pack.toml");
}

#[test]
fn junit_has_a_case_for_each_scenario() {
    for (folder, pack, code) in [("tiny", "tiny", 0), ("bad/scenario_fails", "inn", 1), ("bad/unknown_key", "inn", 1)] {
        let run = rulepack(&fixture(folder), &["test", pack, "--format", "junit"]);
        assert_eq!(run.code, code, "{}", run.shown());
        let xml = roxmltree::Document::parse(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stdout));
        let root = xml.root_element();
        assert_eq!(root.tag_name().name(), "testsuites");
        let named = |name: &'static str| xml.descendants().filter(move |node| node.has_tag_name(name));
        let counts = rulepack(&fixture(folder), &["test", pack, "--format", "json"]).json();
        let (passed, failed) = (&counts["passed"], &counts["failed"]);
        let total = passed.as_u64().expect("a number") + failed.as_u64().expect("a number");
        assert_eq!(named("testcase").count() as u64, total, "{folder}");
        assert_eq!(named("failure").count() as u64, failed.as_u64().expect("a number"), "{folder}");
        assert_eq!(root.attribute("failures"), Some(failed.to_string().as_str()), "{folder}");
        assert!(named("testcase").all(|case| case.attribute("classname").is_some_and(|file| file.contains(pack))));
    }
}

#[test]
fn warnings_fail_only_if_they_are_denied() {
    let folder = fixture(WARNING);
    let run = |arguments: &[&str]| rulepack(&folder, &[&["check", "inn"], arguments].concat()).code;
    assert_eq!(run(&[]), 0);
    assert_eq!(run(&["--deny", "warnings"]), 1);
    assert_eq!(run(&["--deny", "unused-name"]), 1);
    assert_eq!(run(&["--deny", "unused-piece"]), 0);
    assert_eq!(run(&["--deny", "warnings", "--allow", "unused-name"]), 0);
    assert_eq!(run(&["--deny", "warnings", "--allow", "unused-piece"]), 1);
    assert_eq!(run(&["--allow", "unused-nam"]), 2);
    assert_eq!(run(&["--deny", "everything"]), 2);
    // An error is not a matter of taste.
    assert_eq!(rulepack(&fixture(ERROR), &["check", "inn", "--allow", "unknown-key"]).code, 1);
}

fn with_comment(line: &str, comment_above: bool) -> Scratch {
    let name = format!("allow-{}-{comment_above}", line.len());
    let scratch = Scratch::copy_of(WARNING, &name);
    let path = scratch.path().join("content/inn/pack.toml");
    let text = std::fs::read_to_string(&path).expect("the pack is there");
    let at = json(scratch.path(), &[])["diagnostics"][0]["places"][0]["line"].as_u64().expect("a line") as usize;
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    if comment_above {
        lines.insert(at - 1, line.to_string());
    } else {
        lines[at - 1] = format!("{} {line}", lines[at - 1]);
    }
    scratch.write("content/inn/pack.toml", lines.join("\n").as_bytes());
    scratch
}

#[test]
fn a_file_allows_itself_a_warning_with_a_reason() {
    for above in [true, false] {
        let folder = with_comment("# rulepack-allow: unused-name an expansion will use it", above);
        let report = json(folder.path(), &["--deny", "warnings"]);
        assert_eq!((codes(&report), &report["allowed"]), (Vec::new(), &serde_json::json!(1)), "{report:#}");
        let folder = with_comment("# rulepack-allow: unused-name", above);
        let mut found = codes(&json(folder.path(), &[]));
        found.sort();
        assert_eq!(found, ["bad-allow", "unused-name"]);
        let folder = with_comment("# rulepack-allow: unused-piece of another kind", above);
        let mut found = codes(&json(folder.path(), &[]));
        found.sort();
        assert_eq!(found, ["unused-allow", "unused-name"]);
    }
}

#[test]
fn a_script_allows_itself_a_warning_with_a_reason() {
    let scratch = Scratch::copy_of("bad/script_with_unused_local", "allow-in-a-script");
    let report = json(scratch.path(), &[]);
    let place = &report["diagnostics"][0]["places"][0];
    let path = place["path"].as_str().expect("a path").to_string();
    let text = std::fs::read_to_string(scratch.path().join(&path)).expect("the script is there");
    let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
    lines.insert(
        place["line"].as_u64().expect("a line") as usize - 1,
        "  -- rulepack-allow: script-unused-local shows how it is done".into(),
    );
    scratch.write(&path, lines.join("\n").as_bytes());
    assert_eq!(codes(&json(scratch.path(), &[])), Vec::<String>::new());
}

/// What a baseline knows is known wherever it stands, as often as it was there, and no more.
#[test]
fn a_baseline_knows_findings_by_their_text() {
    let scratch = Scratch::copy_of(WARNING, "baseline");
    let write = rulepack(scratch.path(), &["check", "inn", "--baseline", "known.json", "--write-baseline"]);
    assert_eq!(write.code, 0, "{}", write.shown());
    let report = json(scratch.path(), &["--baseline", "known.json"]);
    assert_eq!((codes(&report), &report["known"]), (Vec::new(), &serde_json::json!(1)));
    let path = scratch.path().join("content/inn/pack.toml");
    let text = std::fs::read_to_string(&path).expect("the pack is there");
    scratch.write("content/inn/pack.toml", format!("# Another line.\n\n{text}").as_bytes());
    assert_eq!(codes(&json(scratch.path(), &["--baseline", "known.json"])), Vec::<String>::new());
    scratch.write("content/inn/more.toml", b"[var.straw]\n");
    let report = json(scratch.path(), &["--baseline", "known.json"]);
    assert_eq!(codes(&report), ["unused-name"], "{report:#}");
    assert_eq!(report["diagnostics"][0]["places"][0]["path"], "content/inn/more.toml");
}

/// A pack that does not link never ends well, be its error in the file or not.
#[test]
fn a_baseline_never_hides_an_error() {
    let scratch = Scratch::copy_of(ERROR, "baseline-of-errors");
    let write = rulepack(scratch.path(), &["check", "inn", "--baseline", "known.json", "--write-baseline"]);
    assert_eq!((write.code, scratch.path().join("known.json").exists()), (1, false), "{}", write.shown());
    assert!(write.stdout.contains("unknown-key") && write.stderr.contains("warnings only"), "{}", write.shown());
    // As an earlier version wrote it.
    let place = &json(scratch.path(), &[])["diagnostics"][0];
    let text = std::fs::read_to_string(scratch.path().join("content/inn/pack.toml")).expect("the pack is there");
    let line =
        text.lines().nth(place["places"][0]["line"].as_u64().expect("a line") as usize - 1).expect("it is there");
    let known = serde_json::json!({
        "version": 1,
        "findings": [{ "code": place["code"], "message": place["message"], "line": line, "path": "content/inn/pack.toml" }],
    });
    scratch.write("known.json", known.to_string().as_bytes());
    let run = rulepack(scratch.path(), &["check", "inn", "--baseline", "known.json", "--format", "json"]);
    assert_eq!((run.code, codes(&run.json())), (1, vec!["unknown-key".to_string()]), "{}", run.shown());
    assert_eq!((&run.json()["errors"], &run.json()["known"]), (&serde_json::json!(1), &serde_json::json!(0)));
}

#[test]
fn a_baseline_that_is_none_is_refused() {
    let scratch = Scratch::copy_of(ERROR, "no-baseline");
    scratch.write("known.json", b"{ \"version\": 7, \"findings\": [] }");
    let run = rulepack(scratch.path(), &["check", "inn", "--baseline", "known.json"]);
    assert_eq!((run.code, run.stderr.contains("version 7")), (1, true), "{}", run.shown());
    assert_eq!(rulepack(scratch.path(), &["check", "inn", "--baseline", "nowhere.json"]).code, 2);
    assert_eq!(rulepack(scratch.path(), &["check", "inn", "--write-baseline"]).code, 2);
}

/// The list of components repeats what is defined elsewhere: it stops nobody from playing.
#[test]
fn a_miscounted_component_stops_no_game() {
    let scratch = Scratch::copy_of("bad/component_count", "miscounted");
    scratch.write(
        "content/inn/scenarios/work.toml",
        b"about = \"Work gives a coin.\"\n[[when]]\nseat = \"a\"\nchoose = \"work\"\n[then.seat.a]\ncoin = 4\n",
    );
    for call in [&["play", "inn", "--bots", "all"][..], &["sim", "inn", "--games", "2"], &["test", "inn"]] {
        let run = rulepack(scratch.path(), call);
        assert_eq!(run.code, 0, "{call:?}\n{}", run.shown());
    }
    let report = json(scratch.path(), &["--deny", "warnings"]);
    assert_eq!(codes(&report), ["component-count"], "{report:#}");
    let lines: Vec<u64> = report["diagnostics"][0]["places"]
        .as_array()
        .expect("there is a list")
        .iter()
        .map(|place| place["line"].as_u64().expect("a line"))
        .collect();
    assert_eq!(lines, [62, 27], "the component and the card: {report:#}");
}

/// A mode for one is not played by two, whoever asks for it; asked for alone, it says how many play.
#[test]
fn a_mode_for_one_is_refused_for_two() {
    let folder = fixture("bad/mode_for_other_players");
    for call in ["play", "sim"] {
        for mode in ["alone", "hard"] {
            let run = rulepack(&folder, &[call, "inn", "--mode", mode, "--players", "2"]);
            assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{}", run.shown());
            let told = format!("the mode `{mode}` is for 1 player, not for 2; write `--players 1`");
            assert!(run.stderr.contains(&told), "{}", run.shown());
        }
    }
    let run = rulepack(&folder, &["sim", "inn", "--mode", "hard", "--games", "1", "--format", "json"]);
    assert_eq!((run.code, &run.json()["players"]), (0, &serde_json::json!(1)), "{}", run.shown());
    let run = rulepack(&folder, &["check", "inn", "--playouts", "1"]);
    assert_eq!(run.code, 0, "{}", run.shown());
}

/// A fault that play shows comes with its moves: they fail now, and pass when the script is mended.
#[test]
fn a_fault_brings_its_scenario_along() {
    let scratch = Scratch::copy_of("bad/script_errors", "ready-scenario");
    let run = rulepack(scratch.path(), &["check", "inn", "--scenarios", "found"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    let report = json(scratch.path(), &[]);
    let finding = &report["diagnostics"][0];
    let file = format!("found/script_fault_{}.toml", finding["seed"]);
    let written = std::fs::read_to_string(scratch.path().join(&file)).expect("the scenario is written");
    assert_eq!(written.strip_prefix("# Written by rulepack.\n"), finding["scenario"].as_str());
    let test = rulepack(scratch.path(), &["test", &file]);
    assert_eq!((test.code, test.stdout.contains("no rope left")), (1, true), "{}", test.shown());
    let path = scratch.path().join("scripts/inn/trades.lua");
    let script = std::fs::read_to_string(&path).expect("the script is there");
    scratch
        .write("scripts/inn/trades.lua", script.replace("error(\"no rope left\")", "ctx:gain(\"rope\", 1)").as_bytes());
    let test = rulepack(scratch.path(), &["test", &file]);
    assert_eq!(test.code, 0, "{}", test.shown());
}

/// What is found does not depend on how many threads look for it.
#[test]
fn threads_find_the_same() {
    for name in ["bad/script_errors", "bad/twenty_mistakes", "bad/count_that_stays", "tiny"] {
        let pack = if name == "tiny" { "tiny" } else { "inn" };
        let run = |threads: &str| rulepack(&fixture(name), &["check", pack, "--threads", threads, "--format", "json"]);
        assert_eq!(run("1"), run("3"), "{name}");
    }
}

/// The calls of docs/ci.md, of the workflow and of the hooks are calls that the program takes.
#[test]
fn the_documented_calls_are_taken() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let scratch = Scratch::copy_of("tiny", "documented-calls");
    scratch.write("rulepack.toml", b"language = 'en'\n");
    let mut calls = 0;
    for file in ["docs/ci.md", "docs/ci/github-workflow.yml", ".pre-commit-hooks.yaml"] {
        let text = std::fs::read_to_string(root.join(file)).expect("the file is there");
        for line in text.lines() {
            let line = line.trim().trim_start_matches("run: ").trim_start_matches("entry: ");
            let Some(call) = line.strip_prefix("rulepack ") else { continue };
            let call = call
                .split(['#', '>', '|'])
                .next()
                .unwrap_or("")
                .replace("\"$(basename \"$(dirname \"$pack\")\")\"", "tiny")
                .replace("my-game", "tiny");
            let words: Vec<&str> = call.split_whitespace().collect();
            if words.contains(&"100") {
                // A sample of changes is played elsewhere.
                let run = rulepack(scratch.path(), &[&words[..2], &["--sample", "1"]].concat());
                assert_ne!(run.code, 2, "{file}: {line}\n{}", run.shown());
            } else {
                let run = rulepack(scratch.path(), &words);
                assert_ne!(run.code, 2, "{file}: {line}\n{}", run.shown());
            }
            calls += 1;
        }
    }
    assert!(calls >= 9, "only {calls} calls were found");
}

/// Nothing was printed at all, so that a program had to read what is meant for people.
#[test]
fn a_game_that_faults_is_told_as_far_as_it_came() {
    let run = rulepack(&fixture("faulty"), &["play", "faulty", "--seed", "2", "--bots", "random", "--format", "json"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    let report = run.json();
    assert_eq!(report["outcome"], Value::Null, "{}", run.shown());
    let fault = report["fault"].as_str().unwrap_or_default();
    assert!(fault.contains("scripts/faulty/traps.lua:6"), "{}", run.shown());
}

/// Nothing was printed either if it failed before the first question, and nobody was told the seed.
#[test]
fn a_game_that_cannot_be_set_up_is_told() {
    let scratch = Scratch::new("no-set-up");
    let pack = "[pack]\nid = 'game'\nversion = '1.0.0'\ntitle = 'Game'\nplayers = { min = 2, max = 2 }\n[zone.empty]\n\
                [phase.game]\nsequence = ['deal']\n[phase.deal]\neffect = 'flip first(empty)'\n";
    scratch.write("content/game/pack.toml", pack.as_bytes());
    let run = rulepack(scratch.path(), &["play", "game", "--format", "json"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    let report = run.json();
    let fault = report["fault"].as_str().unwrap_or_default();
    assert!(fault.contains("content/game/pack.toml:10:11"), "{}", run.shown());
    assert_eq!((&report["outcome"], &report["hash"], &report["players"]), (&Value::Null, &Value::Null, &2.into()));
    assert!(run.stderr.contains("seed "), "{}", run.shown());
}
