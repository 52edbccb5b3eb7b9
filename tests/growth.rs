//! How much work a value is that asks the next piece for itself: twice the pieces are twice the work. What is counted are
//! the kernel's own operations, not seconds.

use rulepack::{Library, LinkRequest};

use crate::support::Scratch;

/// A row of stones in which each asks the one to its right; `value` says what.
fn pack(stones: u32, value: &str, requires: &str) -> String {
    format!(
        r#"
[pack]
id      = "row"
version = "1.0.0"
title   = "A row"
kind    = "game"
players = {{ min = 2, max = 2 }}
[zone.board]
layout = {{ grid = [40, 1] }}
[zone.bag]
[kind.stone]
[stone.pebble]
count     = {stones}
starts_in = "bag"
[adjacency.east]
zone   = "board"
from.1 = [["1", 1]]
[adjacency.second]
zone   = "board"
from.1 = [["1", 2]]
[value.run]
of = "stone"
{value}
[phase.game]
sequence = ["setup", "play"]
[phase.setup]
effect = "draw {stones} from bag to board"
[phase.play]
turns = {{ turn = "turn", until = "each_once" }}
[phase.turn]
actions = ["claim", "wait"]
once    = true
[action.claim]
requires = "{requires}"
effect   = "end game"
[action.wait]
effect = "end turn"
"#
    )
}

/// The work of a whole game with so many stones.
fn work(name: &str, stones: u32, value: &str, requires: &str) -> u64 {
    let folder = Scratch::new(&format!("growth-{name}-{stones}"));
    folder.write("content/row/pack.toml", pack(stones, value, requires).as_bytes());
    let library = Library::open(&[folder.path()]).expect("the library is there");
    let game_box = library.load(&LinkRequest { pack: "row".into(), ..LinkRequest::default() });
    let game_box = game_box.unwrap_or_else(|mistakes| panic!("it does not link: {mistakes:#?}"));
    let host = game_box.host().expect("there are no scripts");
    let mut game = game_box.start(&host, 1).unwrap_or_else(|fault| panic!("{stones} stones: {fault}"));
    while game.decision().is_some() {
        game.answer(&host, rulepack::Answer(0)).unwrap_or_else(|fault| panic!("{stones} stones: {fault}"));
    }
    game.work()
}

#[track_caller]
fn grows_with_the_row(name: &str, value: &str, requires: &str) {
    let counted = [5, 10, 20].map(|stones| work(name, stones, value, requires));
    assert!(counted[2] * 10 <= counted[1] * 23, "the work of 5, 10 and 20 stones: {counted:?}");
}

/// Whether somebody could see that it does not hold was found out apart, for each piece: twice the work with every piece.
#[test]
fn a_condition_that_asks_along_a_row_grows_with_the_row() {
    let value = r#"is = "self.flipped or any(pieces_at(east(self)) where it.run)""#;
    grows_with_the_row("condition", value, "any(board where it.run)");
}

/// Values of pieces that nobody owns were never remembered: twice the work with every piece.
#[test]
fn a_value_that_asks_the_next_piece_twice_grows_with_the_row() {
    let value = r#"base = "1 + sum(pieces_at(east(self)) where it.run != 0, it.run)""#;
    grows_with_the_row("twice", value, "any(board where it.run > 99)");
}

#[test]
fn a_value_that_asks_the_next_two_pieces_grows_with_the_row() {
    let value = r#"base = "1 + sum(pieces_at(east(self)), it.run % 7) + sum(pieces_at(second(self)), it.run % 5)""#;
    grows_with_the_row("two", value, "any(board where it.run > 99)");
}
