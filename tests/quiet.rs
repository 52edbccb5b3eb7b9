//! Nothing of a pack is dropped, cut short or left out without a word: the fixture `quay`. What is refused stands in the
//! corpus of broken packs.

use crate::support::{fixture, rulepack};

/// `less` in the cost of a card and in a surcharge was forgotten by the linker; the scenarios say what is paid.
#[test]
fn a_discount_on_a_card_is_not_dropped() {
    let run = rulepack(&fixture("quay"), &["test", "quay"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let run = rulepack(&fixture("quay"), &["check", "quay", "--deny", "warnings"]);
    assert_eq!(run.code, 0, "{}", run.shown());
}

/// Values that ask one another more than 24 times over became 0 or false; 150 pieces in a row are counted.
#[test]
fn a_value_that_follows_many_pieces_is_not_cut_short() {
    let run = rulepack(&fixture("quay"), &["test", "lane"]);
    assert_eq!(run.code, 0, "{}", run.shown());
}

/// Before, there was no way to say so but `if any(…)` around it, and a choice of two among one stopped the game.
#[test]
fn as_many_as_there_are_can_be_chosen() {
    let run = rulepack(&fixture("quay"), &["test", "quay"]);
    assert_eq!(run.code, 0, "{}", run.shown());
}
