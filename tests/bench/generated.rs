//! A made-up card game with as many types of cards as one likes. The first hundred are dealt out; the others stay in the
//! box, so that the same cards are in play however large the box is.

use std::fmt::Write as _;
use std::path::PathBuf;

const DEALT: usize = 100;

const GAME: &str = r#"
[pack]
id      = "generated"
version = "1.0.0"
title   = "Generated"
kind    = "game"
players = { min = 2, max = 2 }

[resource.coin]
start = 3

[zone.box]
visible = "none"
[zone.deck]
visible = "none"
[zone.hand]
owner   = "player"
visible = "owner"
[zone.table]
owner = "player"

[kind.card]
attributes = { cost = "cost", strength = "number", play = "effect" }

[value.income]
of   = "player"
base = "1 + count(my cards where it.strength > 2)"

[event.played]
args = { card = "card" }

[phase.game]
sequence = ["setup", "turns"]
[phase.setup]
effect = "shuffle deck; for each player in players { as player { draw 5 from deck to my hand } }"
[phase.turns]
turns = { turn = "turn", until = "none(deck)" }
[phase.turn]
actions = ["play", "earn"]
once    = true

[action.play]
param.card = "my hand"
cost       = "card.cost"
effect     = "move card to my table; use card.play; raise played(card); draw 1 from deck to my hand"
[action.earn]
effect = "gain my.income coin; draw 1 from deck to my hand"

[score.cards]
points = "count(my cards)"
"#;

/// Writes the library into a folder of its own, below the build's.
pub fn library(types: usize) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("generated-{types}"));
    let mut text = GAME.to_string();
    for card in 0..types {
        let zone = if card < DEALT { "deck" } else { "box" };
        let (cost, strength) = (card % 3, card % 5);
        let _ = write!(
            text,
            "\n[card.card_{card}]\nstarts_in = \"{zone}\"\ncost = \"{cost} coin\"\nstrength = {strength}\n\
             play = \"gain {strength} coin\"\n"
        );
        match card % 10 {
            0 => text.push_str("on.played = { when = \"card.strength > 1\", do = \"gain 1 coin\" }\n"),
            5 => text.push_str("modifies.income = \"1\"\n"),
            _ => {}
        }
    }
    let pack = folder.join("content/generated");
    std::fs::create_dir_all(&pack).expect("the folder can be made");
    std::fs::create_dir_all(folder.join("scripts")).expect("the folder can be made");
    std::fs::write(pack.join("pack.toml"), text).expect("the pack can be written");
    folder
}
