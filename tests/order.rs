//! The first, the last and the top of a zone, whatever its layout, with all shortcuts and with none.

use rulepack::Shortcuts;

use crate::support::game_of;

/// Three stones come into a zone in the order red, green, blue; a claim can be made if the condition holds.
fn pack(layout: &str, moves: &str, condition: &str) -> String {
    format!(
        r#"
[pack]
id      = "game"
version = "1.0.0"
title   = "An order"
kind    = "game"
players = {{ min = 2, max = 2 }}
[zone.place]
{layout}
[zone.bag]
[kind.stone]
[stone.red]
starts_in = "bag"
[stone.green]
starts_in = "bag"
[stone.blue]
starts_in = "bag"
[phase.game]
sequence = ["setup", "play"]
[phase.setup]
effect = "{moves}"
[phase.play]
turns = {{ turn = "turn", until = "each_once" }}
[phase.turn]
actions = ["claim", "wait"]
once    = true
[action.claim]
requires = "{condition}"
effect   = "end game"
[action.wait]
effect = "end turn"
"#
    )
}

/// Whether a condition holds; with all shortcuts and with none.
fn holds(name: &str, layout: &str, moves: &str, condition: &str) -> [bool; 2] {
    let fast = game_of(&format!("order-{name}"), &pack(layout, moves, condition));
    let plain = fast.with_shortcuts(Shortcuts::none());
    [fast, plain].map(|game_box| {
        let host = game_box.host().expect("there are no scripts");
        let game = game_box.start(&host, 1).unwrap_or_else(|fault| panic!("{condition}: {fault}"));
        game.decision().expect("the game is not over").options.len() == 2
    })
}

#[track_caller]
fn ends_are(name: &str, layout: &str, moves: &str, [first, last, top]: [&str; 3]) {
    let wanted = [
        format!("first(place) is {first}"),
        format!("first(place where it is stone) is {first}"),
        format!("last(place) is {last}"),
        format!("last(place where it is stone) is {last}"),
        "last(place where true) == last(place)".to_string(),
        format!("top(place) is {top}"),
        // A condition that fails is seen to fail.
        format!("not (last(place) is {first}) and not (first(place) is {last})"),
    ];
    for condition in &wanted {
        assert_eq!(holds(name, layout, moves, condition), [true; 2], "{name}: {condition}");
    }
}

/// Moves the stones to these spaces, in the order red, green, blue.
fn to(spaces: [u8; 3]) -> String {
    let stones = ["red", "green", "blue"].into_iter().zip(spaces);
    let moves = stones.map(|(stone, space)| {
        format!("move first(bag where it is {stone}) to first(cells(place) where it.position == {space})")
    });
    moves.collect::<Vec<_>>().join("; ")
}

#[test]
fn a_pile_has_its_last_piece_on_top() {
    let moves = "move first(bag where it is red) to place; move first(bag where it is green) to place; \
                 move first(bag where it is blue) to place";
    ends_are("pile", "", moves, ["red", "blue", "blue"]);
}

#[test]
fn a_row_ends_with_the_piece_that_came_last_and_is_drawn_from_its_first_space() {
    ends_are("row", "layout = { row = 4 }", &to([1, 2, 3]), ["red", "blue", "red"]);
    ends_are("row-mixed", "layout = { row = 4 }", &to([3, 1, 2]), ["red", "blue", "green"]);
    ends_are("row-slides", "layout = { row = 4, enters = \"left\" }", &to([3, 1, 2]), ["red", "blue", "green"]);
}

#[test]
fn a_grid_ends_with_the_piece_that_came_last_and_is_drawn_from_its_first_space() {
    let to = |row, column| format!("first(cells(place) where it.row == {row} and it.column == {column})");
    let moves = format!(
        "move first(bag where it is red) to {}; move first(bag where it is green) to {}; \
         move first(bag where it is blue) to {}",
        to(1, 2),
        to(2, 2),
        to(2, 1)
    );
    ends_are("grid", "layout = { grid = [2, 2] }", &moves, ["red", "blue", "red"]);
}

#[test]
fn stacks_end_with_the_piece_that_came_last_and_are_drawn_from_the_top_of_the_first() {
    ends_are("stacks", "layout = { row = 3 }", &to([2, 2, 3]), ["red", "blue", "green"]);
}
