//! How much work a value is that asks the next piece for itself: twice the pieces are twice the work. What is counted are
//! the kernel's own operations, not seconds.

use crate::support::linked;

const SCRIPT: &str = "local deeds = {}\nfunction deeds.one(ctx, piece)\n  return 1\nend\nreturn deeds\n";
/// Never holds, and looks at every stone.
const CLAIM: &str = "requires = \"any(board where it.run > 9999)\"\neffect = \"end game\"";

/// A row of stones in which each asks the one to its right; `value` says what.
fn pack(stones: u32, value: &str, claim: &str) -> String {
    format!(
        r#"
[pack]
id      = "game"
version = "1.0.0"
title   = "A row"
kind    = "game"
players = {{ min = 2, max = 2 }}
[zone.board]
layout = {{ grid = [640, 1] }}
[zone.bag]
[kind.stone]
attributes = {{ later = "amount" }}
[stone.pebble]
count     = {stones}
later     = "1 + sum(board where it.column > self.column, it.later % 7)"
starts_in = "bag"
[var.claims]
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
{claim}
[action.wait]
effect = "end turn"
"#
    )
}

/// The work of a whole game with so many stones.
fn work(name: &str, stones: u32, value: &str, claim: &str) -> u64 {
    let game_box = linked(&format!("growth-{name}-{stones}"), &pack(stones, value, claim), Some(SCRIPT));
    let game_box = game_box.unwrap_or_else(|mistakes| panic!("it does not link: {mistakes:#?}"));
    let host = game_box.host().expect("the script is right");
    let mut game = game_box.start(&host, 1).unwrap_or_else(|fault| panic!("{stones} stones: {fault}"));
    while game.decision().is_some() {
        game.answer(&host, rulepack::Answer(0)).unwrap_or_else(|fault| panic!("{stones} stones: {fault}"));
    }
    game.work()
}

#[track_caller]
fn grows_with_the_row(name: &str, value: &str, requires: &str) {
    let claim = format!("requires = \"{requires}\"\neffect = \"end game\"");
    let counted = [5, 10, 20].map(|stones| work(name, stones, value, &claim));
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

/// Each stone asks all others of one side, which are so many more: what is counted is the work of each stone.
#[track_caller]
fn each_grows_with_the_row(name: &str, stones: [u32; 3], value: &str, claim: &str) {
    let counted = stones.map(|stones| work(name, stones, value, claim) / u64::from(stones));
    assert!(counted[2] * 10 <= counted[1] * 23, "the work of each of {stones:?} stones: {counted:?}");
}

/// From 65 stones on, two of them took the same place in the cache: each pushed the other out, twice over with every stone.
#[test]
fn a_value_that_asks_all_later_pieces_is_worked_out_once_for_each() {
    let value = r#"base = "1 + sum(board where it.column > self.column, it.run % 7)""#;
    each_grows_with_the_row("later", [36, 72, 144], value, CLAIM);
}

/// More stones than the cache had places. The first is asked first here, so that no value builds on hundreds of others.
#[test]
fn a_value_that_asks_all_earlier_pieces_is_worked_out_once_for_each() {
    let value = r#"base = "1 + sum(board where it.column < self.column, it.run % 7)""#;
    each_grows_with_the_row("earlier", [160, 320, 640], value, CLAIM);
}

/// What asks a script was never remembered, not even while a single question was answered.
#[test]
fn a_value_that_asks_a_script_and_all_later_pieces_is_worked_out_once_for_each() {
    let value = r#"base = "deeds.one(self) + sum(board where it.column > self.column, it.run % 7)""#;
    // Only the first stone is asked, and it asks all others.
    each_grows_with_the_row(
        "scripted",
        [10, 20, 40],
        value,
        &CLAIM.replace("any(board where it.run", "(first(board).run"),
    );
}

/// Where a free action leads is tried on a copy of the table, on which nothing was remembered.
#[test]
fn a_value_that_is_asked_where_a_free_action_leads_is_worked_out_once_for_each() {
    let value = r#"base = "1 + sum(board where it.column > self.column, it.run % 7)""#;
    let claim = "free = true\nrequires = \"claims < 3\"\n\
                 effect = \"if any(board where it.run > 9999) { end game }; set claims = claims + 1\"";
    each_grows_with_the_row("tried", [36, 72, 144], value, claim);
}

/// A text of a type is no value, and was worked out anew whenever it was asked.
#[test]
fn an_attribute_that_asks_all_later_pieces_is_worked_out_once_for_each() {
    let value = r#"base = "self.later""#;
    each_grows_with_the_row("attribute", [10, 20, 40], value, CLAIM);
}
