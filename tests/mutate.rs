//! Whether scenarios notice small changes of a pack: which changes there are, and what counts as noticed.

use std::collections::BTreeSet;

use rulepack::{Library, LinkRequest};
use serde_json::Value;

use crate::support::{Run, Scratch, files, fixture, rulepack, snapshot};

/// The library of the fixture with the game `fair`.
fn fair(arguments: &[&str]) -> Run {
    rulepack(&fixture("mutants"), arguments)
}

#[track_caller]
fn report(run: &Run) -> Value {
    assert_eq!(run.code, 0, "{}", run.shown());
    run.json()
}

/// The survivors as `line:column what`, of one file.
fn survivors(report: &Value, file: &str) -> Vec<String> {
    let all = report["survived"].as_array().expect("it is a list").iter();
    let here = all.filter(|mutant| mutant["path"].as_str().is_some_and(|path| path.ends_with(file)));
    here.map(|mutant| format!("{}:{} {}", mutant["line"], mutant["column"], mutant["what"].as_str().unwrap())).collect()
}

#[track_caller]
fn line_of(scratch: &Scratch, text: &str) -> usize {
    let game = std::fs::read_to_string(scratch.path().join("content/fair/game.toml")).expect("it is there");
    game.lines().position(|line| line.starts_with(text)).expect("the line is there") + 1
}

#[test]
fn every_kind_of_change() {
    let run = fair(&["mutate", "fair", "--list"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    snapshot("mutate", "changes_of_the_fair", &run.stdout);
    let list = fair(&["mutate", "fair", "--list", "--format", "json"]).json();
    let operators: BTreeSet<&str> = list["mutants"]
        .as_array()
        .expect("it is a list")
        .iter()
        .filter_map(|mutant| mutant["operator"].as_str())
        .collect();
    let all = ["number", "count", "resource", "element", "comparison", "and_or", "negation", "sign", "step", "removal"];
    for operator in all.into_iter().chain(["patch"]) {
        assert!(operators.contains(operator), "no change of the kind `{operator}`");
    }
}

#[test]
fn survivors_and_scores() {
    snapshot("mutate", "survivors_of_the_fair", &fair(&["mutate", "fair"]).shown());
}

#[test]
fn the_shape_of_the_report() {
    let report = report(&fair(&["mutate", "fair", "--format", "json"]));
    assert_eq!(report["version"], 1);
    assert_eq!(report["pack"], "fair");
    let number = |value: &Value| value.as_u64().expect("it is a number");
    let survived = report["survived"].as_array().expect("it is a list");
    assert_eq!(number(&report["mutants"]), number(&report["killed"]) + survived.len() as u64);
    for key in ["mutants", "killed"] {
        assert_eq!(number(&report[key]), number(&report["behaviour"][key]) + number(&report["data"][key]), "{key}");
    }
    for key in ["path", "line", "column", "what", "class", "operator", "text"] {
        assert!(!survived[0][key].is_null(), "a survivor says `{key}`");
    }
    let score = report["score"].as_f64().expect("it is a number");
    let exact = number(&report["killed"]) as f64 * 100.0 / number(&report["mutants"]) as f64;
    assert!((score - exact).abs() <= 0.05 && ((score * 10.0).round() - score * 10.0).abs() < 1e-9, "{score}");
    // Without the choice there is nothing to move: that is no pack.
    assert_eq!(report["invalid"], 1);
}

#[test]
fn a_rule_that_no_scenario_plays_survives() {
    let scratch = Scratch::copy_of("mutants", "mutate_unplayed");
    let line = line_of(&scratch, "requires");
    let run = || report(&rulepack(scratch.path(), &["mutate", "fair", "--format", "json"]));
    let at_rule = |report: &Value| {
        let here = survivors(report, "game.toml").into_iter();
        here.filter_map(|found| Some(found.strip_prefix(&format!("{line}:"))?.to_string())).collect::<Vec<_>>()
    };
    assert_eq!(at_rule(&run()), [""; 0], "the rule is played");
    std::fs::remove_file(scratch.path().join("content/fair/scenarios/selling.toml")).expect("it can be removed");
    // That a stall can be sold is still shown by the pack that builds on this one; not that the rich cannot.
    assert_eq!(at_rule(&run()), ["1 without `requires`", "30 and → or", "37 coin → rope", "42 < → <=", "44 9 → 10"]);
}

#[test]
fn a_scenario_that_repeats_a_figure_notices_nothing() {
    let scratch = Scratch::copy_of("mutants", "mutate_repeats");
    let power = format!("{}:11 3 → 4", line_of(&scratch, "power   = 3"));
    let run = || survivors(&report(&rulepack(scratch.path(), &["mutate", "fair", "--format", "json"])), "game.toml");
    assert!(!run().contains(&power), "a stall is sold for 3");
    std::fs::remove_file(scratch.path().join("content/fair/scenarios/selling.toml")).expect("it can be removed");
    assert!(run().contains(&power), "`figures.toml` lays a stall out and looks at it");
    // The same look at what the game itself has set up does notice.
    let look = b"about = \"As it is set up.\"\nthen.holds = [\"first(row).power == 3\"]\n";
    scratch.write("content/fair/scenarios/figures.toml", look);
    assert!(!run().contains(&power), "it looks at the game's own set-up");
}

#[test]
fn a_scenario_above_that_covers_a_rule_of_the_pack_is_one_of_its_own() {
    let scratch = Scratch::copy_of("mutants", "mutate_above");
    let power = format!("{}:11 3 → 4", line_of(&scratch, "power   = 3"));
    let run = || survivors(&report(&rulepack(scratch.path(), &["mutate", "fair", "--format", "json"])), "game.toml");
    std::fs::remove_file(scratch.path().join("content/fair/scenarios/selling.toml")).expect("it can be removed");
    assert!(run().contains(&power), "the night cannot be linked with it, but that is not the fair's concern");
    scratch.write("content/fair/rules.toml", b"[rule.FAIR-1]\ntext = \"At night it is dark.\"\n");
    let path = "content/fair-night/scenarios/dark.toml";
    let scenario = std::fs::read_to_string(scratch.path().join(path)).expect("it is there");
    scratch.write(path, format!("covers = [\"FAIR-1\"]\n{scenario}").as_bytes());
    assert!(!run().contains(&power), "what a rule of the fair is shown in must be linked");
}

#[test]
fn packs_that_build_on_it_show_what_only_they_can() {
    let scratch = Scratch::copy_of("mutants", "mutate_dependents");
    let dark = format!("{}:26 5 → 6", line_of(&scratch, "power = { was"));
    let run = || survivors(&report(&rulepack(scratch.path(), &["mutate", "fair", "--format", "json"])), "game.toml");
    assert!(!run().contains(&dark));
    std::fs::remove_file(scratch.path().join("content/fair-night/scenarios/dark.toml")).expect("it can be removed");
    assert!(run().contains(&dark));
}

#[test]
fn a_draw_is_the_same_for_any_number_of_threads() {
    let draw = |seed: &str, threads: &str| {
        let sample = ["--sample", "12", "--seed", seed, "--threads", threads];
        fair(&[&["mutate", "fair", "--format", "json"], &sample[..]].concat()).stdout
    };
    assert_eq!(draw("7", "1"), draw("7", "3"));
    let list = |seed: &str| fair(&["mutate", "fair", "--list", "--sample", "12", "--seed", seed]).stdout;
    assert_eq!(list("7").lines().count(), 13);
    assert_ne!(list("7"), list("8"));
}

#[test]
fn a_floor_and_known_survivors() {
    let scratch = Scratch::copy_of("mutants", "mutate_floor");
    let run = |arguments: &[&str]| rulepack(scratch.path(), &[&["mutate", "fair"], arguments].concat());
    assert_eq!(run(&["--floor", "10"]).code, 0);
    assert_eq!(run(&["--floor", "100"]).code, 1);
    assert_eq!(run(&["--floor", "101"]).code, 2);
    assert_eq!(run(&["--threads", "0"]).code, 2);
    assert_eq!(run(&["--survivors", "nowhere.toml"]).code, 2);
    let json = run(&["--format", "json"]).json();
    let mut known = String::new();
    for mutant in json["survived"].as_array().expect("it is a list") {
        let [path, text, what] = ["path", "text", "what"].map(|key| mutant[key].as_str().expect("it is a text"));
        known += &format!("[[survivor]]\npath = '{path}'\ntext = '{text}'\nwhat = '{what}'\nreason = 'a test'\n\n");
    }
    // Hidden files are no definitions.
    scratch.write("content/fair/.survivors.toml", known.as_bytes());
    let all_known = run(&["--floor", "100", "--format", "json"]);
    assert_eq!(all_known.code, 0, "{}", all_known.shown());
    let after = all_known.json();
    assert_eq!(after["score"], json["score"], "what is known is not noticed");
    assert_eq!(after["survived"].as_array().map(Vec::len), Some(0));
    assert_eq!(after["known"].as_array().map(Vec::len), json["survived"].as_array().map(Vec::len));
    let stale = "[[survivor]]\npath = 'a'\ntext = 'b'\nwhat = 'c'\nreason = 'd'\n";
    scratch.write("other.toml", stale.as_bytes());
    let run_stale = run(&["--survivors", "other.toml"]);
    assert!(run_stale.stderr.contains("is none any more: a: `b`: c"), "{}", run_stale.shown());
    scratch.write("other.toml", b"[[survivor]]\npath = 'a'\nline = 3\n");
    let wrong = run(&["--survivors", "other.toml"]);
    assert_eq!(wrong.code, 1);
    assert!(wrong.stderr.contains("a survivor has no key `line`"), "{}", wrong.shown());
}

#[test]
fn nothing_is_written() {
    let scratch = Scratch::copy_of("mutants", "mutate_writes_nothing");
    let before = files(scratch.path());
    report(&rulepack(scratch.path(), &["mutate", "fair", "--format", "json"]));
    assert_eq!(files(scratch.path()), before);
}

/// A second text in the place of a file must not be taken for the first.
#[test]
fn a_text_that_stood_in_for_another_is_forgotten() {
    let library = Library::open(&[fixture("mutants")]).expect("it is a library");
    library.hold();
    let request = LinkRequest { pack: "fair".into(), ..LinkRequest::default() };
    let hash = || library.load(&request).expect("it can be played").rules().meaning.definitions.clone();
    let as_written = hash();
    let path = "content/fair/game.toml";
    let text = library.sources().iter().find(|(_, source)| source.path == path).expect("it was read").1.text.clone();
    let mut seen = BTreeSet::from([as_written.clone()]);
    for more in ["[var.one]", "[var.two]"] {
        library.edit(path, format!("{text}\n{more}\n"));
        assert!(seen.insert(hash()), "the text with `{more}` is read");
        library.restore();
        assert_eq!(hash(), as_written);
    }
}
