//! Scenarios that say what is not so: each file of `tests/fixtures/planted/lies` passed once although it lies, or was read
//! in a way that its author did not mean. Its first line says what must be said about it, and the second may say where:
//! `# at LINE:COLUMN`.

use std::collections::BTreeMap;

use crate::support::{fixture, rulepack};

#[test]
fn every_scenario_that_lies_is_refused_or_fails() {
    let folder = fixture("planted");
    let run = rulepack(&folder, &["test", "lies", "--format", "json"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    let report = run.json();
    let (mut said, mut places) = (BTreeMap::<String, String>::new(), BTreeMap::new());
    for failure in report["failures"].as_array().expect("there is a list") {
        let text = |key: &str| failure[key].as_str().unwrap_or_default().to_string();
        said.entry(text("file")).or_default().push_str(&text("message"));
        places.insert(text("file"), format!("{}:{}", failure["line"], failure["column"]));
    }
    let mut wrong = Vec::new();
    for entry in std::fs::read_dir(folder.join("lies")).expect("the folder is there") {
        let path = entry.expect("it can be read").path();
        let name = format!("lies/{}", path.file_name().unwrap_or_default().to_string_lossy());
        let text = std::fs::read_to_string(&path).expect("it can be read");
        let wanted = text.lines().next().and_then(|line| line.strip_prefix("# ")).expect("it says what is wrong");
        match said.get(&name) {
            Some(message) if message.contains(wanted) => {}
            Some(message) => wrong.push(format!("{name}: not `{wanted}`, but {message}")),
            None => wrong.push(format!("{name}: passes")),
        }
        if let Some(at) = text.lines().nth(1).and_then(|line| line.strip_prefix("# at ")) {
            match places.get(&name) {
                Some(found) if found != at => wrong.push(format!("{name}: said at {found}, not at {at}")),
                _ => {}
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(report["passed"], 0, "{}", run.shown());
    // Each way of a matrix is a case of its own.
    let cases = report["failures"].as_array().into_iter().flatten().filter_map(|failure| failure["case"].as_str());
    let cases: Vec<&str> = cases.filter(|case| case.contains(" and ")).collect();
    assert_eq!(cases, ["x and y", "y and x"]);
}

#[test]
fn scenarios_that_say_the_same_in_earnest_pass() {
    let folder = fixture("planted");
    for pack in ["harbor", "meadow"] {
        let run = rulepack(&folder, &["check", pack, "--deny", "warnings"]);
        assert_eq!(run.code, 0, "{}", run.shown());
        let run = rulepack(&folder, &["test", pack]);
        assert_eq!(run.code, 0, "{}", run.shown());
    }
}

#[test]
fn a_table_at_the_cost_of_another_player_says_so_even_if_all_is_well() {
    let folder = fixture("planted");
    let run = rulepack(&folder, &["test", "meadow", "--verbose"]);
    assert!(run.stdout.contains("\n    given: `ewe` was taken from pen of b\n"), "{}", run.shown());
    let report = rulepack(&folder, &["test", "meadow", "--format", "json"]).json();
    assert_eq!(report["cases"][1]["notes"][0], "given: `ewe` was taken from pen of b");
}
