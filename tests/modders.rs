//! Sets of cards that people add to a shipped game from a library of their own, without touching its files.

use std::path::Path;

use crate::support::{Run, Scratch, rulepack};

const REPOSITORY: &str = env!("CARGO_MANIFEST_DIR");

#[track_caller]
fn well(folder: &Path, arguments: &[&str]) -> Run {
    let run = rulepack(folder, arguments);
    assert_eq!(run.code, 0, "`rulepack {}`\n{}", arguments.join(" "), run.shown());
    run
}

#[track_caller]
fn digest(folder: &Path, libraries: &[&str], pack: &str) -> String {
    let mut arguments: Vec<&str> = libraries.iter().flat_map(|library| ["--library", library]).collect();
    arguments.extend(["sim", pack, "--games", "4", "--invariants", "--format", "json"]);
    let report = well(folder, &arguments).json();
    assert_eq!(report["finished"], 4, "{report}");
    report["digest"].as_str().expect("a report has a digest").to_string()
}

/// The shipped expansion moves out: base and expansion lie in two libraries outside the repository.
#[test]
fn a_shipped_expansion_plays_from_a_library_of_its_own() {
    let outside = Scratch::outside("moved-out");
    outside.take("content/catan-ground", "base/content/catan-ground");
    outside.take("content/catan-duel", "base/content/catan-duel");
    outside.take("scripts/catan-duel", "base/scripts/catan-duel");
    outside.take("content/catan-duel-gold", "mine/content/catan-duel-gold");
    outside.take("scripts/catan-duel-gold", "mine/scripts/catan-duel-gold");
    let both = ["base", "mine"];
    let moved = digest(outside.path(), &both, "catan-duel-gold");
    assert_eq!(moved, digest(Path::new(REPOSITORY), &["."], "catan-duel-gold"), "it is the same game");
    // The order in which libraries are named does not matter.
    assert_eq!(moved, digest(outside.path(), &["mine", "base"], "catan-duel-gold"));
    let played = well(
        outside.path(),
        &["--library", "base", "--library", "mine", "play", "catan-duel-gold", "--seed", "3", "--bots", "random"],
    );
    assert!(played.stdout.contains("wins"), "{}", played.shown());

    let alone = rulepack(outside.path(), &["--library", "mine", "check", "catan-duel-gold"]);
    assert_eq!(alone.code, 1, "{}", alone.shown());
    assert!(alone.stdout.contains("missing-dependency"), "{}", alone.shown());
}

/// An expansion is for as many as its game.
#[test]
fn a_game_for_two_is_refused_for_three() {
    for pack in ["catan-duel", "catan-duel-gold", "catan-duel-princes"] {
        for players in ["1", "3"] {
            let run = rulepack(Path::new(REPOSITORY), &["play", pack, "--players", players, "--bots", "random"]);
            assert_eq!(run.code, 2, "{}", run.shown());
            assert!(run.stderr.contains(&format!("not for {players}")), "{}", run.shown());
        }
    }
}

const MANIFEST: &str = r#"
[pack]
id      = "duel-fair"
version = "0.1.0"
title   = "A fair"
kind    = "expansion"
[needs]
catan-duel = "^1.0"
"#;

/// Two cards that join those of the base game, and one patch.
const CARDS: &str = r#"
[patch.building.abbey]
cost = { was = "1 grain + 1 brick + 1 ore", now = "1 grain + 1 brick" }

[action_card.minstrel]
title     = "Minstrel"
back      = "base"
starts_in = "base_deck"
play      = "gain 1 goods"

[building.tiltyard]
title      = "Tiltyard"
back       = "base"
starts_in  = "base_deck"
cost       = "1 wool + 1 grain"
strength   = 1
on.harvest = "gain 1 wool"
"#;

/// The cards are dealt out with the others, and the patch holds.
const SCENARIO: &str = r#"
about = "The two cards are dealt out with the others, and an Abbey costs no ore."
pack  = "duel-fair"

[given]
players = ["red", "blue"]
from    = "phase:act"
each    = { lumber = 0, brick = 1, grain = 2, wool = 1, ore = 0, gold = 0 }
zone    = { discard = [] }

[given.seat.red]
hand = ["abbey", "tiltyard", "minstrel"]

[[when]]
seat   = "red"
choose = ["build", "abbey", "top.w1", "build", "tiltyard", "top.e1", "play_card", "minstrel", "ore"]

[then]
seat.red     = { grain = 0, brick = 0, wool = 0, ore = 1, strength = 1 }
zone.discard = ["minstrel"]
"#;

/// Somebody's own set: two cards and one patch from a temporary library, and nothing else changes anywhere.
#[test]
fn a_fourth_tiny_expansion_needs_no_change_anywhere_else() {
    let mine = Scratch::outside("fourth");
    mine.write("content/duel-fair/pack.toml", MANIFEST.as_bytes());
    mine.write("content/duel-fair/cards.toml", CARDS.as_bytes());
    mine.write("scenario.toml", SCENARIO.as_bytes());
    let library = mine.path().to_string_lossy().into_owned();
    let call = |arguments: &[&str]| {
        let all = [&["--library", ".", "--library", &library][..], arguments].concat();
        well(Path::new(REPOSITORY), &all)
    };
    let checked = call(&["check", "duel-fair", "--playouts", "2"]);
    assert!(checked.stderr.contains("0 errors, 0 warnings"), "{}", checked.shown());
    let explained = call(&["explain", "duel-fair", "abbey"]).stdout;
    assert!(explained.contains("\"1 grain + 1 brick\""), "{explained}");
    assert!(explained.contains("duel-fair/cards.toml"), "{explained}");
    assert!(explained.contains("\"1 grain + 1 brick + 1 ore\""), "the old value is shown too: {explained}");
    let listed = call(&["list"]).stdout;
    assert!(listed.contains("duel-fair 0.1.0") && listed.contains("needs: catan-duel ^1.0"), "{listed}");
    assert_ne!(
        digest(Path::new(REPOSITORY), &[".", &library], "duel-fair"),
        digest(Path::new(REPOSITORY), &["."], "catan-duel"),
    );
    let tested = call(&["test", &format!("{library}/scenario.toml")]);
    assert!(tested.stdout.contains("1 passed"), "{}", tested.shown());
}
