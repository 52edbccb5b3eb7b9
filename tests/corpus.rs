//! The corpus of broken packs: each folder of `tests/fixtures/bad` is wrong in the one way that its name says, and
//! `tests/fixtures/bad.toml` says what must be found, and where. Written by what a person would point at.
//!
//! What is said to people and to programs is kept in `tests/snapshots/corpus`.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::Value;

use crate::support::{Run, Scratch, files, fixture, rulepack, snapshot};

/// What must be found in a broken pack.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Expected {
    /// Empty for a call that is wrong itself, and for a test that fails.
    code: String,
    /// `path:line:column` of the main place, if there is one.
    at: Option<String>,
    severity: String,
    call: Vec<String>,
}

fn corpus() -> BTreeMap<String, Expected> {
    let text = std::fs::read_to_string(fixture("bad.toml")).expect("the list is there");
    let mut all: BTreeMap<String, Expected> = toml::from_str(&text).expect("the list is right");
    // Links cannot be kept in a repository: `bad_input` makes them.
    all.remove("link_leaves_library");
    all
}

/// The tests share the corpus, so that they run side by side.
const SHARES: usize = 4;

fn each_of_share(share: usize, test: impl Fn(&str, &Expected)) {
    let mut failed = Vec::new();
    for (index, (name, expected)) in corpus().iter().enumerate() {
        if index % SHARES == share && catch_unwind(AssertUnwindSafe(|| test(name, expected))).is_err() {
            failed.push(name.clone());
        }
    }
    assert!(failed.is_empty(), "{} of the corpus: {}", failed.len(), failed.join(", "));
}

fn call<'c>(expected: &'c Expected, more: &[&'c str]) -> Vec<&'c str> {
    expected.call.iter().map(String::as_str).chain(more.iter().copied()).collect()
}

/// No answer of a release build takes longer than half a second; this one is hardly optimised, and shares the machine.
const LONGEST: Duration = Duration::from_secs(10);

fn in_time(run: impl Fn() -> Run) -> Run {
    let began = Instant::now();
    let result = run();
    assert!(began.elapsed() < LONGEST, "it took {:?}", began.elapsed());
    result
}

fn is_expected(expected: &Expected, finding: &Value) -> bool {
    let place = &finding["places"][0];
    let at = place["path"].as_str().map(|path| format!("{path}:{}:{}", place["line"], place["column"]));
    finding["code"] == expected.code.as_str() && finding["severity"] == expected.severity.as_str() && at == expected.at
}

fn is_found(name: &str, expected: &Expected) {
    let folder = fixture(&format!("bad/{name}"));
    let before = files(&folder);
    let human = in_time(|| rulepack(&folder, &call(expected, &[])));
    let wrong_call = expected.code.is_empty() && expected.severity == "call";
    assert_eq!(human.code, if wrong_call { 2 } else { 1 }, "{}", human.shown());
    let mut text = format!("$ rulepack {}\n{}", expected.call.join(" "), human.shown());
    if expected.call.iter().any(|word| word == "check") {
        let run = rulepack(&folder, &call(expected, &["--format", "json"]));
        let findings = run.json()["diagnostics"].clone();
        let findings = findings.as_array().expect("there is a list");
        assert!(findings.iter().any(|finding| is_expected(expected, finding)), "{expected:?}\n{}", human.shown());
        if name != "twenty_mistakes" && !several(name) {
            assert_eq!(findings.len(), 1, "{}", human.shown());
        }
        text.push_str(&format!("--- json\n{}", run.stdout));
    } else if !expected.code.is_empty() {
        // A test names the place, a game that cannot be loaded the code as well.
        let told = human.stdout.clone() + &human.stderr;
        let is_test = expected.call[0] == "test";
        assert!(is_test || told.contains(&format!("[{}]", expected.code)), "{}", human.shown());
        assert!(told.contains(expected.at.as_deref().unwrap_or("")), "{expected:?}\n{}", human.shown());
    }
    assert!(files(&folder) == before, "`rulepack {}` writes a file", expected.call.join(" "));
    snapshot("corpus", name, &text);
}

/// One mistake that is several: each pack of a circle, each pack that needs a broken one.
fn several(name: &str) -> bool {
    matches!(name, "dependency_broken" | "kinds_in_a_circle")
}

#[test]
fn the_first_quarter_is_found() {
    each_of_share(0, is_found);
}

#[test]
fn the_second_quarter_is_found() {
    each_of_share(1, is_found);
}

#[test]
fn the_third_quarter_is_found() {
    each_of_share(2, is_found);
}

#[test]
fn the_last_quarter_is_found() {
    each_of_share(3, is_found);
}

/// Another mistake in another file of the pack is found as well.
fn hides_nothing(name: &str, expected: &Expected) {
    let Some(pack) = expected.call.iter().skip_while(|word| *word != "check").nth(1) else { return };
    let folder = Scratch::copy_of(&format!("bad/{name}"), &format!("second-{name}"));
    let library = if expected.call[0] == "--library" { "first/" } else { "" };
    let path = format!("content/{pack}/zz_second.toml");
    folder.write(&format!("{library}{path}"), b"[symbol.second]\ntitle = \"second\"\ntilte = \"second\"\n");
    let games = if expected.call.iter().any(|word| word == "--playouts") { &[][..] } else { &["--playouts", "0"] };
    let run = rulepack(folder.path(), &call(expected, &[&["--format", "json"], games].concat()));
    let report = run.json();
    let findings = report["diagnostics"].as_array().expect("there is a list");
    let is_second = |finding: &Value| finding["places"][0]["path"] == format!("{library}{path}");
    assert!(findings.iter().any(is_second), "{name}: the second mistake is hidden\n{}", run.shown());
    let only_play_shows = ["endless-game", "game-fault", "leak", "script-fault"].contains(&expected.code.as_str());
    let is_first = |finding: &Value| finding["code"] == expected.code.as_str();
    let waits = only_play_shows || waits_for_a_sound_pack(&expected.code);
    assert!(waits || findings.iter().any(is_first), "{name}: the first mistake is hidden\n{}", run.shown());
}

/// What nothing uses, reaches or enters is not known while a definition cannot be read.
fn waits_for_a_sound_pack(code: &str) -> bool {
    [
        "never-offered",
        "unbound-function",
        "unentered-zone",
        "unlisted-piece",
        "unpayable-cost",
        "unreachable-phase",
        "unused-allow",
        "unused-name",
        "unused-piece",
    ]
    .contains(&code)
}

#[test]
fn no_mistake_of_the_first_half_hides_another() {
    each_of_share(0, hides_nothing);
    each_of_share(1, hides_nothing);
}

#[test]
fn no_mistake_of_the_second_half_hides_another() {
    each_of_share(2, hides_nothing);
    each_of_share(3, hides_nothing);
}

#[test]
fn the_list_and_the_folders_agree() {
    let folders = std::fs::read_dir(fixture("bad")).expect("the fixtures are there");
    let folders: Vec<String> = folders
        .map(|folder| folder.expect("the folder can be read").file_name().to_string_lossy().into_owned())
        .filter(|name| name != "link_leaves_library")
        .collect();
    let listed = corpus();
    let missing: Vec<&String> = folders.iter().filter(|name| !listed.contains_key(*name)).collect();
    assert!(missing.is_empty(), "not in the list: {missing:?}");
    assert_eq!(folders.len(), listed.len(), "the list names a folder that is not there");
}

/// Every code that a check can give is in the corpus.
#[test]
fn every_code_is_in_the_corpus() {
    let listed = corpus();
    let codes = rulepack(&fixture("tiny"), &["explain"]).stdout;
    let codes = codes.lines().filter_map(|line| line.split_whitespace().next());
    let missing: Vec<&str> = codes.filter(|code| !listed.values().any(|expected| expected.code == *code)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
