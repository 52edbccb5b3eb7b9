//! Nothing of a pack is dropped, cut short or left out without a word: the fixture `quay`. What is refused stands in the
//! corpus of broken packs.

use rulepack::Answer;

use crate::support::{fixture, game_of, linked, rulepack};

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

/// A game of two in which one action does what the text says.
fn game_with(effect: &str) -> String {
    format!(
        r#"
[pack]
id      = "game"
version = "1.0.0"
title   = "Nothing there"
kind    = "game"
players = {{ min = 2, max = 2 }}
[resource.coin]
start = 2
[zone.board]
[zone.away]
[kind.stone]
[stone.pebble]
starts_in = "board"
[event.seen]
args   = {{ whom = "player", stone = "stone" }}
effect = "move stone to away"
[phase.game]
turns = {{ turn = "turn", until = "each_once" }}
[phase.turn]
actions = ["act"]
[action.act]
effect = "{effect}"
"#
    )
}

/// What stops a game whose only action is done once.
fn fault_of(effect: &str, script: Option<&str>) -> String {
    let game_box = linked("nothing_there", &game_with(effect), script).expect("it links");
    let host = game_box.host().expect("the script can be loaded");
    let mut game = game_box.start(&host, 1).expect("the game starts");
    match game.answer(&host, Answer(0)) {
        Ok(_) => String::new(),
        Err(fault) => fault.to_string(),
    }
}

/// Before, the event happened with nothing as its stone, and a taking from oneself was passed over: both without a word.
#[test]
fn an_event_does_not_happen_to_nothing() {
    let said = "the event `seen` is raised with nothing as argument 2: raise it only if that is there";
    let fault = fault_of("raise seen(me, top(away))", None);
    assert!(fault.starts_with(said), "{fault}");
    assert!(fault.ends_with("(in action.act effect, content/game/pack.toml:23:11)"), "{fault}");
    let script =
        "local deeds = {}\nfunction deeds.act(ctx) ctx:raise(\"seen\", ctx.me, ctx:top(\"away\")) end\nreturn deeds\n";
    let fault = fault_of("deeds.act", Some(script));
    assert!(fault.starts_with(said) && fault.contains("deeds.lua:2"), "{fault}");
    assert_eq!(fault_of("raise seen(me, top(board))", None), "");
}

#[test]
fn nobody_takes_from_the_same_player() {
    let said = "a player takes from the same player, which changes nothing";
    let fault = fault_of("let whom = at_turn; take 1 coin from whom", None);
    assert!(fault.starts_with(said), "{fault}");
    let script = "local deeds = {}\nfunction deeds.act(ctx) ctx:take(\"coin\", 1, ctx.me) end\nreturn deeds\n";
    let fault = fault_of("deeds.act", Some(script));
    assert!(fault.starts_with(said) && fault.contains("deeds.lua:2"), "{fault}");
    assert_eq!(fault_of("take 1 coin from opponent", None), "");
}
