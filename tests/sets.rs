//! Sets: of numbers, types, symbols and what a text lists; combined, and with names. The cases are scenarios of the fixture.

use crate::support::{fixture, rulepack};

#[test]
fn sets_have_the_members_that_the_text_says() {
    let run = rulepack(&fixture("sets"), &["test", "sets"]);
    assert_eq!(run.code, 0, "{}", run.shown());
}

/// `if any` with types, symbols, numbers, players, spaces, lists and hidden pieces: enough, too few, none.
#[test]
fn as_many_as_there_are_can_be_chosen_from_every_set() {
    for arguments in [
        &["check", "enough", "--deny", "warnings"][..],
        &["test", "enough"],
        &["sim", "enough", "--games", "30", "--views", "--invariants"],
        &["test", "enough", "--conformance", "--games", "3"],
    ] {
        let run = rulepack(&fixture("sets"), arguments);
        assert_eq!(run.code, 0, "{}", run.shown());
    }
}

#[test]
fn no_question_about_a_set_tells_what_is_hidden() {
    let run = rulepack(&fixture("sets"), &["sim", "sets", "--games", "40", "--views", "--invariants"]);
    assert_eq!(run.code, 0, "{}", run.shown());
}

#[test]
fn the_pack_has_no_mistakes() {
    let run = rulepack(&fixture("sets"), &["check", "sets", "--deny", "warnings"]);
    assert_eq!(run.code, 0, "{}", run.shown());
}

/// What `docs/expressions.md` shows stands in the fixture, line by line.
#[test]
fn the_page_shows_the_fixture() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/expressions.md")).expect("it is there");
    let pack = fixture("sets").join("content/sets/pack.toml");
    let pack = std::fs::read_to_string(pack).expect("it is there");
    let blocks = page.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next());
    // Choices at the same time are played by another fixture: see `together.rs`.
    let blocks: Vec<&str> = blocks.filter(|block| !block.contains("together ")).collect();
    assert!(blocks.len() >= 2, "{} examples", blocks.len());
    for block in blocks {
        assert!(pack.contains(block), "the fixture does not have this:\n{block}");
    }
}
