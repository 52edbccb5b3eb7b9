//! How games end: the lowest score, several winners by a rule, a draw, players who are out, positions that come back,
//! teams; and the order of players.

use std::path::Path;

use crate::support::{fixture, rulepack};

/// The packs of the fixture.
const PACKS: [&str; 4] = ["again", "finish", "knockout", "partners"];

#[track_caller]
fn passes(arguments: &[&str]) {
    let run = rulepack(&fixture("ends"), arguments);
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
        passes(&["--library", ".", "sim", pack, "--games", "30", "--views", "--invariants"]);
    }
}

/// Copies, saves, undone answers and other checks of the library, at every question.
#[test]
fn games_with_players_who_are_out_can_be_saved_and_undone() {
    for pack in PACKS {
        passes(&["--library", ".", "test", pack, "--conformance", "--games", "5"]);
    }
}

/// Each block of TOML in the page stands in a pack of the fixture, word by word.
#[test]
fn the_page_shows_the_packs() {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let read = |path: &Path| words(&std::fs::read_to_string(path).expect("it is there"));
    let packs = PACKS.map(|pack| read(&fixture("ends").join("content").join(pack).join("pack.toml")));
    let page =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/ends.md")).expect("it is there");
    let blocks: Vec<&str> = page.split("```toml").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 4, "the page has examples");
    for block in blocks {
        assert!(packs.iter().any(|pack| pack.contains(&words(block))), "no pack has this block:\n{block}");
    }
}
