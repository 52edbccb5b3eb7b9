//! What people type and what they read: help, formats, exit codes, and the files that the program writes.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::support::{Run, Scratch, files, fixture, rulepack, snapshot};

/// Calls the program on the library of the fixture `tiny`.
#[track_caller]
fn tiny(arguments: &[&str]) -> Run {
    rulepack(&fixture("tiny"), arguments)
}

#[track_caller]
fn well(arguments: &[&str]) -> Run {
    let run = tiny(arguments);
    assert_eq!(run.code, 0, "`rulepack {}`\n{}", arguments.join(" "), run.shown());
    run
}

#[track_caller]
fn keys(value: &Value) -> BTreeSet<&str> {
    value.as_object().expect("it is a table").keys().map(String::as_str).collect()
}

#[test]
fn help() {
    for command in [
        "",
        "list",
        "check",
        "test",
        "coverage",
        "mutate",
        "play",
        "sim",
        "replay",
        "export",
        "explain",
        "new",
        "docs",
        "fetch",
        "completions",
        "man",
    ] {
        let arguments: Vec<&str> = [command, "--help"].into_iter().filter(|word| !word.is_empty()).collect();
        let run = well(&arguments);
        assert!(run.stdout.contains("Example"), "`rulepack {command} --help` shows no example");
        let name = if command.is_empty() { "help".to_string() } else { format!("help_{command}") };
        snapshot("cli", &name, &run.stdout);
    }
}

/// The kernel does not offer a free move that leads back; `check` says which.
#[test]
fn check_tells_free_moves_that_run_in_circles() {
    let run = rulepack(&fixture("nest"), &["check", "nest", "--playouts", "3", "--cycles"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(run.stdout.contains("swap_coin, then swap_rope"), "{}", run.shown());
    let json = rulepack(&fixture("nest"), &["check", "nest", "--playouts", "3", "--cycles", "--format", "json"]).json();
    let moves = &json["cycles"][0]["cycles"][0]["moves"];
    assert_eq!(moves.as_array().map(Vec::len), Some(2), "{json}");
}

/// A wrong call ends with 2, says why, and writes nothing.
#[test]
fn wrong_calls() {
    let calls: &[&[&str]] = &[
        &[],
        &["shuffle"],
        &["check", "tinny"],
        &["check", "tiny", "--bogus"],
        &["check", "tiny", "--format", "xml"],
        &["--library", "nowhere", "list"],
        &["--library", "content", "list"],
        &["test", "tinny"],
        &["test", "nowhere.toml"],
        &["coverage", "tinny"],
        &["mutate", "tinny"],
        &["play", "tinny"],
        &["play", "tiny", "--mode", "night"],
        &["play", "tiny", "--players", "4"],
        &["play", "tiny", "--players", "0"],
        &["play", "tiny", "--with", "stables"],
        &["play", "tiny", "--seed", "1", "--bots", "5"],
        &["play", "tiny", "--load", "nowhere.json"],
        &["play", "tiny", "--load", "nowhere.json", "--seed", "1"],
        &["play", "tiny", "--seed", "1", "--log", "nowhere/log.json"],
        &["sim", "tiny", "--players", "9"],
        &["sim", "tiny", "--mode", "night"],
        &["sim", "tiny", "--threads", "0"],
        &["sim", "tiny", "--games", "many"],
        &["replay", "nowhere.json"],
        &["explain", "unknown-kee"],
        &["explain", "tiny", "stall.in"],
        &["explain", "tinny", "stall.inn"],
    ];
    let before = files(&fixture("tiny"));
    let mut told = String::new();
    for call in calls {
        let run = tiny(call);
        let line = call.join(" ");
        assert_eq!(run.code, 2, "`rulepack {line}`\n{}", run.shown());
        // Without a command, help is shown instead.
        let why = run.stderr.lines().find(|line| line.starts_with("error: ")).unwrap_or("no error");
        told.push_str(&format!("$ rulepack {line}\n{why}\n\n"));
    }
    assert!(files(&fixture("tiny")) == before, "a wrong call writes a file");
    snapshot("cli", "wrong_calls", &told);
}

#[test]
fn list_as_json() {
    let list = well(&["list", "--format", "json"]).json();
    let packs = &list["packs"];
    assert_eq!(packs.as_array().map(Vec::len), Some(1));
    let wanted = "id version title kind text players needs optional conflicts editions languages modes".split(' ');
    assert_eq!(keys(&packs[0]), wanted.collect());
    assert_eq!(packs[0]["id"], "tiny");
    assert_eq!(packs[0]["languages"], json!(["en", "fr"]));
}

/// What a pack offers to those who write for it: every kind, zone, event and action, and where it stands.
#[test]
fn explain_a_pack() {
    snapshot("cli", "explain_a_pack", &well(&["explain", "tiny"]).shown());
    let json = well(&["explain", "tiny", "--format", "json"]).json();
    let kinds = &json["sections"][0];
    assert_eq!((&kinds["of"], &kinds["entries"][0]["id"]), (&json!("kind"), &json!("stall")));
    assert_eq!(kinds["entries"][0]["path"], "content/tiny/pack.toml");
    // Who listens to an event, and who changes a value.
    let repository = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let large = rulepack(repository, &["explain", "catan-duel-gold"]);
    assert_eq!(large.code, 0, "{}", large.shown());
    assert!(large.stdout.contains("heard by") && large.stdout.contains("changed by"), "{}", large.stdout);
}

/// A definition names the scenarios that use it, and the rules that they show.
#[test]
fn explain_names_the_scenarios_of_a_definition() {
    let repository = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let run = rulepack(repository, &["explain", "goofspiel", "prize.ace_of_diamonds"]);
    assert!(run.stdout.contains("goofspiel/scenarios/set_up.toml (GOO-02)"), "{}", run.shown());
    assert!(run.stdout.starts_with("en  Ace of diamonds"), "{}", run.shown());
}

#[test]
fn list() {
    snapshot("cli", "list", &well(&["list"]).stdout);
}

#[test]
fn check_as_json() {
    let good = well(&["check", "tiny", "--playouts", "1", "--format", "json"]).json();
    assert_eq!(
        good,
        json!({ "version": 1, "packs": ["tiny"], "errors": 0, "warnings": 0, "allowed": 0, "known": 0, "diagnostics": [] })
    );
    let run = rulepack(&fixture("bad/unknown_key"), &["check", "inn", "--format", "json"]);
    assert_eq!(run.code, 1);
    snapshot("cli", "check_as_json", &run.stdout);
}

#[test]
fn sim_as_json_has_the_keys_of_the_contract() {
    let report = well(&["sim", "tiny", "--games", "5", "--seed", "3", "--format", "json"]).json();
    let wanted = "version pack modes players games finished capped failed decisions turns seconds games_per_second \
                  decisions_per_second digest max_options failures capped_games";
    assert_eq!(keys(&report), wanted.split(' ').collect());
    assert_eq!((&report["pack"], &report["modes"], &report["players"]), (&json!("tiny"), &json!([]), &json!(2)));
    let counts = ["games", "finished", "capped", "failed"].map(|key| report[key].as_u64());
    assert_eq!(counts, [Some(5), Some(5), Some(0), Some(0)]);
    assert!(report["decisions"].as_u64() > Some(0) && report["turns"].as_u64() > Some(0));
}

#[test]
fn sim_gives_the_same_digest_in_every_process_and_with_any_number_of_threads() {
    let digest = |threads: &str| {
        let arguments = ["sim", "tiny", "--games", "30", "--seed", "3", "--threads", threads, "--format", "json"];
        well(&arguments).json()["digest"].clone()
    };
    let first = digest("1");
    assert!(first.is_string());
    assert_eq!([digest("1"), digest("2"), digest("3")], [first.clone(), first.clone(), first]);
}

#[test]
fn sim_gives_another_digest_for_another_seed_or_number_of_players() {
    let digests: BTreeSet<String> = [["1", "2"], ["2", "2"], ["1", "3"]]
        .map(|[seed, players]| {
            let arguments = ["sim", "tiny", "--games", "5", "--seed", seed, "--players", players, "--format", "json"];
            well(&arguments).json()["digest"].to_string()
        })
        .into();
    assert_eq!(digests.len(), 3);
}

#[test]
fn sim_counts_faults_and_ends_with_one() {
    let run = rulepack(&fixture("bad/script_errors"), &["sim", "inn", "--games", "3", "--format", "json"]);
    let report = run.json();
    assert_eq!((run.code, &report["failed"], &report["finished"]), (1, &json!(3), &json!(0)));
    let failures = report["failures"].as_array().expect("there is a list");
    assert_eq!((failures.len(), &failures[0]["games"]), (1, &json!(3)), "those that fail alike are told once");
}

#[test]
fn sim_counts_capped_games_and_ends_with_one() {
    let run = tiny(&["sim", "tiny", "--games", "3", "--max-turns", "2", "--format", "json"]);
    let report = run.json();
    assert_eq!((run.code, &report["capped"], &report["finished"]), (1, &json!(3), &json!(0)));
}

#[test]
fn test_as_json() {
    let report = well(&["test", "tiny", "--format", "json"]).json();
    assert_eq!(keys(&report), BTreeSet::from(["version", "passed", "failed", "failures", "cases", "notes"]));
    let run = rulepack(&fixture("bad/scenario_fails"), &["test", "inn", "--format", "json"]);
    let report = run.json();
    assert_eq!((run.code, &report["passed"], &report["failed"]), (1, &json!(0), &json!(1)));
    assert_eq!(keys(&report["failures"][0]), BTreeSet::from(["file", "line", "column", "case", "message"]));
}

#[test]
fn test_runs_a_file_outside_the_pack() {
    let folder = Scratch::new("outside-the-pack");
    folder.write("work.toml", b"pack = \"tiny\"\ngiven.rolls = [5]\nwhen = [{ seat = \"a\", choose = \"work\" }]\n");
    let library = fixture("tiny");
    let library = library.to_str().expect("the path is text");
    for target in ["work.toml", "."] {
        let run = rulepack(folder.path(), &["--library", library, "test", target, "--format", "json"]);
        assert_eq!(run.json()["passed"].as_u64(), Some(1), "{}", run.shown());
    }
}

#[test]
fn coverage_as_json() {
    let coverage = well(&["coverage", "tiny", "--games", "20", "--format", "json"]).json();
    for key in ["rules", "examples"] {
        let wanted = BTreeSet::from(["total", "covered", "uncovered", "elsewhere", "not_shown"]);
        assert_eq!(keys(&coverage[key]), wanted, "{key}");
    }
    assert_eq!(keys(&coverage["pieces"]), BTreeSet::from(["total", "exercised", "unexercised"]));
    assert_eq!(coverage["pieces"]["total"], 3);
}

#[test]
fn play_without_a_terminal_plays_the_game_out() {
    let play = |locale: &str| well(&["play", "tiny", "--players", "2", "--seed", "3", "--locale", locale]);
    let run = play("en");
    assert_eq!(run, play("en"), "the same seed is the same game");
    let (_, scores) = run.stdout.split_once("\n\n").expect("an empty line stands before the scores");
    snapshot("cli", "scores", scores);
    let french = play("fr").stdout;
    assert!(french.contains("Auberge") && french.contains("Pièces"), "{french}");
}

#[test]
fn play_by_bots_alone() {
    let all = well(&["play", "tiny", "--players", "2", "--seed", "3", "--bots", "all"]);
    assert_eq!(all.stdout, well(&["play", "tiny", "--players", "2", "--seed", "3"]).stdout);
}

#[test]
fn a_log_is_played_again() {
    let folder = Scratch::copy_of("tiny", "log");
    let played = rulepack(folder.path(), &["play", "tiny", "--players", "2", "--seed", "3", "--log", "log.json"]);
    assert_eq!(played.code, 0, "{}", played.shown());
    let replayed = rulepack(folder.path(), &["replay", "log.json"]);
    assert_eq!(replayed.code, 0, "{}", replayed.shown());
    let said = |run: &Run| run.stdout.lines().filter(|line| !line.is_empty()).map(str::to_string).collect::<Vec<_>>();
    let (played, mut again) = (said(&played), said(&replayed));
    assert!(again.pop().is_some_and(|line| line.contains("answers, hash")));
    assert_eq!(played, again);

    let report = rulepack(folder.path(), &["replay", "log.json", "--format", "json"]).json();
    assert_eq!(
        keys(&report),
        BTreeSet::from(["version", "pack", "modes", "players", "answers", "over", "hash", "replay"])
    );
    assert_eq!(report["over"], true);
}

#[test]
fn a_log_with_a_changed_answer_is_refused() {
    let folder = Scratch::copy_of("tiny", "changed-log");
    rulepack(folder.path(), &["play", "tiny", "--players", "2", "--seed", "3", "--log", "log.json"]);
    let text = std::fs::read_to_string(folder.path().join("log.json")).expect("the log was written");
    let lines: Vec<&str> = text.lines().collect();
    let answers: Vec<usize> = (0..lines.len()).filter(|line| lines[*line].contains("\"answer\"")).collect();
    for place in [answers[0], answers[answers.len() / 2], answers[answers.len() - 1]] {
        let mut chain = rulepack_tools::Chain::default();
        let changed: String = (0..lines.len())
            .map(|line| {
                let mut record = serde_json::from_str::<Value>(lines[line]).expect("a line is JSON")["record"].take();
                if line == place {
                    record["answer"]["option"] = json!("fly");
                }
                chain.line(&record.to_string())
            })
            .collect();
        folder.write("log.json", changed.as_bytes());
        let run = rulepack(folder.path(), &["replay", "log.json"]);
        assert_eq!(run.code, 1, "line {place}: {}", run.shown());
        assert!(run.stdout.contains("DIVERGED at decision "), "{}", run.shown());
    }
}

#[test]
fn sim_writes_logs_that_can_be_replayed() {
    let folder = Scratch::copy_of("tiny", "logs");
    let run = rulepack(folder.path(), &["sim", "tiny", "--games", "2", "--log-dir", "logs"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    for name in ["logs/game_000000.json", "logs/game_000001.json"] {
        let run = rulepack(folder.path(), &["replay", name]);
        assert_eq!(run.code, 0, "{}", run.shown());
    }
}

#[test]
fn explain_a_code() {
    snapshot("cli", "explain_a_code", &well(&["explain", "unknown-key"]).stdout);
    let report = well(&["explain", "unknown-key", "--format", "json"]).json();
    assert_eq!(keys(&report), BTreeSet::from(["version", "code", "explanation"]));
}

#[test]
fn explain_lists_all_codes() {
    snapshot("cli", "explain_lists_all_codes", &well(&["explain"]).stdout);
}

#[test]
fn explain_a_definition() {
    snapshot("cli", "explain_a_definition", &well(&["explain", "tiny", "stall.ropery"]).stdout);
    let fields = well(&["explain", "tiny", "stall.ropery", "--format", "json"]).json();
    assert_eq!(
        keys(&fields["fields"][0]),
        BTreeSet::from(["key", "value", "pack", "path", "line", "patched_by", "below"])
    );
}

/// Every code that a snapshot of the corpus shows is explained.
#[test]
fn every_code_that_is_printed_is_explained() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/corpus");
    let mut codes = BTreeSet::new();
    for (_, bytes) in files(&folder) {
        for line in String::from_utf8_lossy(&bytes).lines() {
            let code = line.strip_prefix("error[").or_else(|| line.strip_prefix("warning["));
            codes.extend(code.and_then(|rest| rest.split_once(']')).map(|(code, _)| code.to_string()));
        }
    }
    assert!(codes.len() > 10, "{codes:?}");
    for code in codes {
        well(&["explain", &code]);
    }
}
