//! How games end: the lowest score, several winners by a rule, a draw; and the order of players.

use crate::support::{fixture, rulepack};

#[track_caller]
fn passes(arguments: &[&str]) {
    let run = rulepack(&fixture("ends"), arguments);
    assert_eq!(run.code, 0, "rulepack {}\n{}", arguments.join(" "), run.shown());
}

#[test]
fn the_pack_is_right_and_its_scenarios_pass() {
    passes(&["--library", ".", "check", "finish", "--deny", "warnings"]);
    passes(&["--library", ".", "test", "finish"]);
}

#[test]
fn random_games_tell_nothing_hidden_and_keep_the_invariants() {
    passes(&["--library", ".", "sim", "finish", "--games", "50", "--views", "--invariants"]);
}
