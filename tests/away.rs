//! Who is asked for an answer, once cards that answer are out of the game. The cases are scenarios of the fixture.

use crate::support::{fixture, rulepack};

#[test]
fn a_window_opens_only_if_an_answer_may_still_come() {
    let run = rulepack(&fixture("away"), &["test", "away"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert!(run.stdout.starts_with("8 passed"), "{}", run.shown());
}

/// Cards go unseen into a zone out of the game: if that closed a window, the question would tell which ones.
#[test]
fn a_window_does_not_tell_which_cards_are_gone() {
    let run = rulepack(&fixture("away"), &["sim", "away", "--games", "60", "--views", "--invariants"]);
    assert_eq!(run.code, 0, "{}", run.shown());
}
