//! Boards of several shapes, directions, lines, connected spaces, and pieces that belong to players on a board of all.

use std::path::Path;

use crate::support::{fixture, rulepack};

/// The packs of the fixture.
const PACKS: [&str; 2] = ["claims", "fields"];

#[track_caller]
fn passes(arguments: &[&str]) {
    let run = rulepack(&fixture("boards"), arguments);
    assert_eq!(run.code, 0, "rulepack {}\n{}", arguments.join(" "), run.shown());
}

#[test]
fn the_packs_are_right_and_their_scenarios_pass() {
    for pack in PACKS {
        passes(&["--library", ".", "check", pack, "--deny", "warnings"]);
        passes(&["--library", ".", "test", pack]);
    }
}

#[test]
fn random_games_tell_nothing_hidden_and_keep_the_invariants() {
    for pack in PACKS {
        passes(&["--library", ".", "sim", pack, "--games", "20", "--views", "--invariants"]);
    }
}

/// Each block of TOML in the page stands in a pack of the fixture, word by word.
#[test]
fn the_page_shows_the_packs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let read = |path: &Path| words(&std::fs::read_to_string(path).expect("it is there"));
    let files = ["pack.toml", "scenarios/pictures.toml"];
    let packs: Vec<String> = PACKS
        .iter()
        .flat_map(|pack| files.map(|file| read(&fixture("boards").join("content").join(pack).join(file))))
        .collect();
    let page = std::fs::read_to_string(root.join("docs/boards.md")).expect("it is there");
    let blocks: Vec<&str> = page.split("```toml").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 4, "the page has examples");
    for block in blocks {
        assert!(packs.iter().any(|pack| pack.contains(&words(block))), "no pack has this block:\n{block}");
    }
}
