//! The programs in `engine/examples`, and that `docs/embedding.md` shows them as they are.

use std::path::Path;

#[path = "../engine/examples/bot.rs"]
#[allow(dead_code)]
mod bot;
#[path = "../engine/examples/lines.rs"]
#[allow(dead_code)]
mod lines;
#[path = "../engine/examples/play.rs"]
#[allow(dead_code)]
mod play;

use crate::support::fixture;

fn tiny() -> String {
    fixture("tiny").to_string_lossy().into_owned()
}

#[test]
fn a_game_is_played() {
    let lines = play::play(&tiny(), "tiny", 42).expect("the fixture can be played");
    assert!(lines.len() > 20 && lines.iter().any(|line| line.starts_with("won by player_")), "{lines:#?}");
}

#[test]
fn a_pack_with_a_mistake_is_an_error_that_says_so() {
    let folder = fixture("bad/unknown_key").to_string_lossy().into_owned();
    let error = play::play(&folder, "inn", 1).expect_err("it has a mistake").to_string();
    assert!(error.contains("unknown-key") && error.contains("pack.toml:"), "{error}");
}

/// It tries answers on games that differ from the true one, so each that it gives must be listed in the true one.
#[test]
fn the_bot_wins_most_games() {
    let wins = bot::contest(&tiny(), "tiny", 12).expect("every answer of the bot is taken");
    assert!(wins >= 9, "{wins} of 12");
}

#[test]
fn the_server_answers() {
    let input = "{\"id\": 1, \"method\": \"open\", \"params\": {\"pack\": \"tiny\", \"players\": 2}}\nnonsense\n";
    let mut output = Vec::new();
    lines::serve(&tiny(), input.as_bytes(), &mut output).expect("memory can be written to");
    let output = String::from_utf8(output).expect("it is text");
    let replies: Vec<&str> = output.lines().collect();
    assert!(replies[0].starts_with("{\"id\":1,\"result\":{\"table\":1"), "{output}");
    assert!(replies[1].contains("not-json"), "{output}");
}

/// Each block of Rust in the page stands in an example, word by word.
#[test]
fn the_page_shows_the_examples() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| std::fs::read_to_string(root.join(path)).expect("it is there");
    let words = |text: &str| {
        let lines = text.lines().filter(|line| !line.trim_start().starts_with("// ANCHOR"));
        lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
    };
    let examples: Vec<String> =
        ["play", "bot", "lines"].map(|name| words(&read(&format!("engine/examples/{name}.rs")))).into();
    let page = read("docs/embedding.md");
    let blocks: Vec<&str> = page.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(blocks.len(), 3);
    for block in blocks {
        let block = words(block);
        assert!(examples.iter().any(|example| example.contains(&block)), "no example has this:\n{block}");
    }
}
