//! What `test`, `sim` and their likes report: every case, every place, and calls that can be copied.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::support::{Run, Scratch, fixture, rulepack};

/// A pack with three cases in two files, of which one fails.
fn three_cases(name: &str) -> Scratch {
    let scratch = Scratch::copy_of("bad/scenario_fails", name);
    scratch.write(
        "content/inn/scenarios/work.toml",
        b"about = \"Work gives a coin.\"\nwhen = [{ seat = \"a\", choose = \"work\" }]\n\n[[case]]\nname = \"one\"\n\
          then.seat.a.coin = 4\n\n[[case]]\nname = \"two\"\nwhen = [{ seat = \"b\", choose = \"work\" }]\nthen.seat.b.coin = 4\n",
    );
    scratch
}

#[test]
fn every_case_is_listed_on_request() {
    let scratch = three_cases("every-case");
    let run = rulepack(scratch.path(), &["test", "inn", "--format", "json"]);
    let report = run.json();
    let cases = report["cases"].as_array().expect("there is a list");
    let told: Vec<(&Value, &Value, &Value)> =
        cases.iter().map(|case| (&case["pack"], &case["case"], &case["passed"])).collect();
    let (inn, yes, no) = (json!("inn"), json!(true), json!(false));
    assert_eq!(told, [(&inn, &Value::Null, &no), (&inn, &json!("one"), &yes), (&inn, &json!("two"), &yes)]);
    let run = rulepack(scratch.path(), &["test", "inn", "--verbose"]);
    assert_eq!(run.stdout.matches("passed content/inn/scenarios/work.toml (").count(), 2, "{}", run.shown());
    assert!(run.stdout.contains("\n2 passed, 1 failed"), "{}", run.shown());
    let run = rulepack(scratch.path(), &["test", "inn"]);
    assert!(!run.stdout.contains("passed content"), "{}", run.shown());
}

#[test]
fn only_cases_that_fit_the_filter_are_played() {
    let scratch = three_cases("filter");
    let counts = |filter: &str| {
        let report = rulepack(scratch.path(), &["test", "inn", "--filter", filter, "--format", "json"]).json();
        (report["passed"].as_u64(), report["failed"].as_u64())
    };
    assert_eq!(counts("work.toml"), (Some(2), Some(0)), "by the path");
    assert_eq!(counts("tw"), (Some(1), Some(1)), "by the case, and by the other path");
    assert_eq!(counts("gives a coin"), (Some(2), Some(0)), "by what it is about");
    assert_eq!(counts("Gives A COIN"), (Some(2), Some(0)), "in whatever letters");
    assert_eq!(counts("gives_a-coin"), (Some(2), Some(0)), "whatever stands between the words");
    let near = rulepack(scratch.path(), &["test", "inn", "--filter", "wrok"]);
    assert!(near.code == 2 && near.stderr.contains("did you mean `work`?"), "{}", near.shown());
    let run = rulepack(scratch.path(), &["test", "inn", "--filter", "ferry"]);
    assert_eq!((run.code, run.stdout.as_str()), (2, ""), "{}", run.shown());
    assert!(run.stderr.contains("no scenario has `ferry`"), "{}", run.shown());
}

/// A step is told by its own place, and so is a key of `then`.
#[test]
fn a_failure_names_the_line_of_its_step_or_key() {
    let scratch = three_cases("lines");
    scratch.write(
        "content/inn/scenarios/zz.toml",
        b"about = \"x\"\n\n[[when]]\nseat = \"a\"\nchoose = \"work\"\n\n[[when]]\nseat = \"b\"\nchoose = \"buy buy\"\n",
    );
    scratch.write(
        "content/inn/scenarios/zzz.toml",
        b"about = \"y\"\n[[when]]\nseat = \"a\"\nchoose = \"work\"\n[then]\nturn = \"b\"\n[then.each]\nrope = 0\n[then.seat.a]\nrope = 0\n\
          coin = 9\n",
    );
    let report = rulepack(scratch.path(), &["test", "inn", "--format", "json"]).json();
    let place = |file: &str| {
        let failures = report["failures"].as_array().expect("there is a list");
        let failure = failures.iter().find(|failure| failure["file"].as_str().is_some_and(|path| path.ends_with(file)));
        let failure = failure.unwrap_or_else(|| panic!("{file} does not fail: {report:#}"));
        (failure["line"].as_u64(), failure["column"].as_u64())
    };
    assert_eq!(place("a_rope_costs_two_coins.toml"), (Some(5), Some(17)), "the key in one line");
    assert_eq!(place("/zz.toml").0, Some(7), "the second step");
    assert_eq!(place("/zzz.toml"), (Some(11), Some(1)), "the key of a player");
    let run = rulepack(scratch.path(), &["test", "inn"]);
    assert!(run.stdout.contains("FAILED content/inn/scenarios/zzz.toml:11:1\n"), "{}", run.shown());
}

#[test]
fn a_pack_and_a_folder_of_one_name_are_told_apart() {
    let scratch = three_cases("pack-and-folder");
    scratch.write(
        "inn/work.toml",
        b"pack = \"inn\"\nabout = \"x\"\nwhen = [{ choose = \"work\" }]\nthen.seat.a.coin = 4\n",
    );
    let run = rulepack(scratch.path(), &["test", "inn", "--format", "json"]);
    assert!(run.stderr.contains("`inn` is a pack and a folder: the pack is tested"), "{}", run.shown());
    assert_eq!(
        (run.json()["cases"].as_array().map(Vec::len), run.json()["notes"].as_array().map(Vec::len)),
        (Some(3), Some(1))
    );
    let run = rulepack(scratch.path(), &["test", "./inn"]);
    assert_eq!((run.code, run.stderr.as_str()), (0, ""), "{}", run.shown());
    assert!(run.stdout.contains("1 passed, 0 failed"), "{}", run.shown());
}

#[test]
fn every_json_report_carries_a_version() {
    let calls: [&[&str]; 10] = [
        &["list"],
        &["check", "tiny", "--playouts", "0"],
        &["test", "tiny"],
        &["coverage", "tiny", "--games", "1"],
        &["play", "tiny", "--seed", "1"],
        &["sim", "tiny", "--games", "1"],
        &["explain", "unknown-key"],
        &["explain"],
        &["explain", "tiny", "stall.ropery"],
        &["mutate", "tiny", "--list"],
    ];
    for call in calls {
        let run = rulepack(&fixture("tiny"), &[call, &["--format", "json"]].concat());
        assert_eq!(run.json()["version"], 1, "`rulepack {}`", call.join(" "));
    }
    let scratch = Scratch::copy_of("tiny", "version-of-a-replay");
    assert_eq!(rulepack(scratch.path(), &["play", "tiny", "--seed", "1", "--log", "log.json"]).code, 0);
    let run = rulepack(scratch.path(), &["replay", "log.json", "--format", "json"]);
    assert_eq!(run.json()["version"], 1, "{}", run.shown());
}

/// Code hosts refuse absolute paths.
#[test]
fn paths_are_relative_with_an_absolute_library() {
    let library = fixture("bad/unknown_key").canonicalize().expect("the fixture is there");
    let library = library.to_str().expect("the path is text");
    let uri = |folder: &Path, libraries: &[&str]| {
        let run = rulepack(folder, &[libraries, &["check", "inn", "--format", "sarif"]].concat());
        let place = &run.json()["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
        place["artifactLocation"]["uri"].as_str().expect("a path").to_string()
    };
    let absolute = ["--library", library];
    assert_eq!(uri(&fixture("bad"), &absolute), "unknown_key/content/inn/pack.toml");
    assert_eq!(uri(&fixture("bad/unknown_key"), &absolute), "content/inn/pack.toml");
    assert_eq!(uri(&fixture("bad/scenario_fails"), &absolute), "../unknown_key/content/inn/pack.toml");
    let tiny = fixture("tiny");
    let two = ["--library", library, "--library", tiny.to_str().expect("the path is text")];
    assert_eq!(uri(&fixture("bad"), &two), "unknown_key/content/inn/pack.toml");
    let run = rulepack(&fixture("bad"), &["--library", library, "check", "inn", "--format", "github"]);
    assert!(run.stdout.starts_with("::error file=unknown_key/content/inn/pack.toml,line=15,"), "{}", run.shown());
}

#[test]
fn junit_names_the_suite_of_a_pack_with_a_mistake() {
    let run = rulepack(&fixture("bad/unknown_key"), &["test", "inn", "--format", "junit"]);
    let xml = roxmltree::Document::parse(&run.stdout).unwrap_or_else(|error| panic!("{error}: {}", run.stdout));
    let suites: Vec<_> = xml.descendants().filter(|node| node.has_tag_name("testsuite")).collect();
    assert_eq!(suites.iter().map(|suite| suite.attribute("name")).collect::<Vec<_>>(), [Some("inn")]);
    let case = xml.descendants().find(|node| node.has_tag_name("testcase")).expect("there is a case");
    assert_eq!(case.attribute("file"), Some("content/inn/pack.toml"), "{}", run.stdout);
    assert_eq!(case.attribute("line"), Some("15"), "{}", run.stdout);
}

#[test]
fn the_folder_of_a_pack_is_tested_like_the_pack_and_each_scenario_once() {
    let folder = fixture("planted");
    let count = |targets: &[&str]| {
        let run = rulepack(&folder, &[&["test", "--format", "json"], targets].concat());
        assert_eq!(run.code, 0, "{}", run.shown());
        run.json()["passed"].as_u64().expect("a number")
    };
    let alone = count(&["harbor"]);
    assert!(alone > 1);
    assert_eq!(count(&["content/harbor"]), alone);
    assert_eq!(count(&["harbor", "harbor"]), alone);
    assert_eq!(count(&["harbor", "content/harbor/scenarios"]), alone);
    assert_eq!(count(&["content"]), count(&[]));
}

/// On some systems the names look the same.
#[test]
fn a_scenario_with_a_slip_in_its_name_is_told_by_check_and_test() {
    let scratch = Scratch::copy_of("tiny", "slip");
    scratch.write("content/tiny/scenarios/lost.TOML", b"about = \"Nobody plays this.\"\n");
    let slip = "scenarios/lost.TOML` is passed over: only files whose names end in `.toml` are read";
    let checked = rulepack(scratch.path(), &["check", "tiny", "--playouts", "0"]);
    assert!(
        checked.stdout.contains(slip) && checked.stdout.contains("rename it to `lost.toml`"),
        "{}",
        checked.shown()
    );
    for target in ["tiny", "content/tiny/scenarios"] {
        let tested = rulepack(scratch.path(), &["test", target]);
        assert!(tested.code == 0 && tested.stderr.contains(slip), "{}", tested.shown());
    }
}

/// What a base game's scenarios say with an expansion beside it.
#[test]
fn further_packs_can_be_loaded_to_check_and_to_test() {
    let folder = fixture("expansions");
    let alone = rulepack(&folder, &["test", "harbor", "--format", "json"]).json();
    let with = rulepack(&folder, &["test", "harbor", "--with", "harbor-gold", "--format", "json"]).json();
    let count = |report: &Value| report["passed"].as_u64().zip(report["failed"].as_u64()).map(|(a, b)| a + b);
    assert_eq!((count(&alone), count(&with).is_some()), (count(&with), true));
    let run = rulepack(&folder, &["check", "harbor", "--with", "harbor-gold", "--playouts", "1"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    // An expansion that breaks the base is seen only with it.
    let scratch = Scratch::copy_of("expansions", "with-a-broken-pack");
    scratch.write(
        "content/harbor-odd/pack.toml",
        b"[pack]\nid = \"harbor-odd\"\nversion = \"1.0.0\"\ntitle = \"Odd\"\nkind = \"expansion\"\n[needs]\nharbor = \"*\"\n\
          [patch.action.nowhere]\neffect = { adds = \"gain 1 coin\" }\n",
    );
    for call in [&["check", "harbor", "--playouts", "0"][..], &["test", "harbor"]] {
        assert_eq!(rulepack(scratch.path(), call).code, 0, "{call:?}");
        let run = rulepack(scratch.path(), &[call, &["--with", "harbor-odd"]].concat());
        assert_eq!(run.code, 1, "{}", run.shown());
        let run = rulepack(scratch.path(), &[call, &["--with", "harbor-od"]].concat());
        assert_eq!((run.code, run.stderr.contains("harbor-odd")), (2, true), "{}", run.shown());
    }
}

/// Does what a report says: `rulepack …`, copied into a shell.
fn copied(folder: &Path, call: &str) -> Run {
    let call = call.strip_prefix("rulepack").expect("it is a call of the program");
    let line = format!("\"{}\"{call}", env!("CARGO_BIN_EXE_rulepack"));
    let output = Command::new("sh").args(["-c", &line]).current_dir(folder).output().expect("there is a shell");
    let text = |bytes| String::from_utf8(bytes).expect("what the program says is text");
    Run {
        code: output.status.code().expect("it ends by itself"),
        stdout: text(output.stdout),
        stderr: text(output.stderr),
    }
}

/// A library whose folder has a space in its name, seen from the folder around it.
fn odd_library(name: &str, of: &str) -> Scratch {
    let scratch = Scratch::new(name);
    let from = fixture(of);
    for (path, bytes) in crate::support::files(&from) {
        let below = path.strip_prefix(&from).expect("it is below").to_string_lossy().into_owned();
        scratch.write(&format!("my packs/{below}"), &bytes);
    }
    scratch
}

#[test]
fn a_failed_game_is_told_with_a_call_that_works() {
    let scratch = odd_library("failed-games", "bad/script_errors");
    let library = ["--library", "my packs"];
    let run = rulepack(scratch.path(), &[&library[..], &["sim", "inn", "--games", "2"]].concat());
    assert!(run.stdout.contains("see it with `rulepack --library 'my packs' play inn"), "{}", run.shown());
    for more in [&[][..], &["--invariants"]] {
        let run = rulepack(
            scratch.path(),
            &[&library[..], &["sim", "inn", "--games", "2", "--format", "json"], more].concat(),
        );
        let failure = run.json()["failures"][0].clone();
        let again = copied(scratch.path(), failure["call"].as_str().expect("a call"));
        assert_eq!(again.code, 1, "{failure:#}\n{}", again.shown());
        let told = again.stdout.clone() + &again.stderr;
        assert!(told.contains("no rope left"), "{failure:#}\n{}", again.shown());
    }
    let run = rulepack(scratch.path(), &[&library[..], &["check", "inn", "--format", "json"]].concat());
    let finding = run.json()["diagnostics"][0].clone();
    let again = copied(scratch.path(), finding["call"].as_str().expect("a call"));
    assert_eq!((again.code, again.stderr.contains("no rope left")), (1, true), "{finding:#}\n{}", again.shown());
    assert!(finding["seed"].is_number(), "{finding:#}");
}

#[test]
fn a_capped_game_is_told_with_its_seed_and_a_call_that_works() {
    let scratch = odd_library("capped-games", "tiny");
    let call = ["--library", "my packs", "sim", "tiny", "--games", "2", "--max-turns", "2", "--players", "3"];
    let run = rulepack(scratch.path(), &call);
    assert_eq!((run.code, run.stdout.matches("capped with seed ").count()), (1, 2), "{}", run.shown());
    let report = rulepack(scratch.path(), &[&call[..], &["--format", "json"]].concat()).json();
    let capped = report["capped_games"].as_array().expect("there is a list");
    assert_eq!(capped.len(), 2, "{report:#}");
    for game in capped {
        let call = game["call"].as_str().expect("a call");
        assert!(call.contains(&format!("--players 3 --seed {}", game["seed"])), "{call}");
        // It ends where the game was stopped, and says the same.
        let again = copied(scratch.path(), call);
        let answers = game["message"].as_str().and_then(|message| message.split(" and ").nth(1)).expect("a number");
        let message = format!("did not end after {answers}");
        assert!(again.code == 1 && again.stderr.contains(&message), "{call}\n{}", again.shown());
    }
}

#[test]
fn the_call_of_a_game_that_never_ends_ends() {
    let scratch = Scratch::copy_of("bad/turns_without_end", "never-ends");
    let report = rulepack(scratch.path(), &["check", "inn", "--format", "json"]).json();
    let finding = &report["diagnostics"][0];
    assert_eq!(finding["code"], "endless-game", "{finding:#}");
    let again = copied(scratch.path(), finding["call"].as_str().expect("a call"));
    let answers = finding["message"].as_str().and_then(|message| message.split(" and ").nth(1)).expect("a number");
    let message = format!("did not end after {answers}");
    assert!(again.code == 1 && again.stderr.contains(&message), "{finding:#}\n{}", again.shown());
}

/// One game of many can be simulated again, with its own seed.
#[test]
fn a_game_of_a_simulation_is_played_alone() {
    let scratch = Scratch::copy_of("tiny", "game-seed");
    let first = rulepack(scratch.path(), &["sim", "tiny", "--games", "1", "--log-dir", "a"]);
    assert_eq!(first.code, 0, "{}", first.shown());
    let path = std::fs::read_dir(scratch.path().join("a")).expect("logs are written").next().expect("one log");
    let log = std::fs::read_to_string(path.expect("it is there").path()).expect("the log is a text");
    let seed = log.split_once("\"seed\":").expect("a seed").1;
    let seed: String = seed.chars().take_while(char::is_ascii_digit).collect();
    let digest = |call: &[&str]| rulepack(scratch.path(), call).json()["digest"].clone();
    let alone = digest(&["sim", "tiny", "--game-seed", &seed, "--format", "json"]);
    assert_eq!(alone, digest(&["sim", "tiny", "--games", "1", "--format", "json"]));
    assert_eq!(rulepack(scratch.path(), &["sim", "tiny", "--game-seed", "1", "--games", "3"]).code, 2);
}
