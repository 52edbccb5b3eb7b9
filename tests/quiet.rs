//! Nothing of a pack is dropped, cut short or left out without a word: the fixture `quay`. What is refused stands in the
//! corpus of broken packs.

use crate::support::{fixture, game_of, rulepack};

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

/// The circle was named, but not where it stands, if it was found while the options of a menu were listed.
#[test]
fn a_circle_of_values_that_is_found_while_playing_has_its_place() {
    let text = r#"
[pack]
id      = "game"
version = "1.0.0"
title   = "A circle"
kind    = "game"
players = { min = 2, max = 2 }
[zone.board]
[kind.stone]
[stone.pebble]
count     = 2
starts_in = "board"
[value.run]
of   = "stone"
base = "1 + sum(board, it.run)"
[phase.game]
turns = { turn = "turn", until = "each_once" }
[phase.turn]
actions = ["claim", "wait"]
[action.claim]
requires = "any(board where it.run > 3)"
effect   = "end game"
[action.wait]
effect = "end turn"
"#;
    let game_box = game_of("circle", text);
    let host = game_box.host().expect("there are no scripts");
    let fault = game_box.start(&host, 1).expect_err("the value leads back to itself").to_string();
    assert!(fault.contains("`run` leads back to itself"), "{fault}");
    assert!(fault.ends_with("(in value.run, content/game/pack.toml:13:1)"), "{fault}");
}

/// Before, there was no way to say so but `if any(…)` around it, and a choice of two among one stopped the game.
#[test]
fn as_many_as_there_are_can_be_chosen() {
    let run = rulepack(&fixture("quay"), &["test", "quay"]);
    assert_eq!(run.code, 0, "{}", run.shown());
}
