//! `rulepack new`: every form in an empty folder, with the built program only, passes `check`, `test` and `coverage`.

use std::path::Path;

use crate::support::{Run, Scratch, files, fixture, rulepack};

const REPOSITORY: &str = env!("CARGO_MANIFEST_DIR");

#[track_caller]
fn well(folder: &Path, arguments: &[&str]) -> Run {
    let run = rulepack(folder, arguments);
    assert_eq!(run.code, 0, "`rulepack {}`\n{}", arguments.join(" "), run.shown());
    run
}

/// A pack passes everything that CI asks of it.
#[track_caller]
fn sound(folder: &Path, pack: &str) {
    let checked = well(folder, &["check", pack, "--deny", "warnings", "--playouts", "10"]);
    assert!(checked.stderr.contains("0 errors, 0 warnings"), "{}", checked.shown());
    let tested = well(folder, &["test", pack]);
    assert!(!tested.stdout.starts_with("0 passed"), "{}", tested.shown());
    well(folder, &["coverage", pack, "--complete", "--games", "20"]);
}

#[test]
fn a_game_can_be_checked_tested_and_played_at_once() {
    let folder = Scratch::outside("new-game");
    let run = well(folder.path(), &["new", "game", "my-game", "--title", "My \"own\" game", "--players", "1-3"]);
    for path in ["rulepack.toml", ".taplo.toml", ".vscode/settings.json", ".github/workflows/rulepack.yml"] {
        assert!(run.stdout.contains(&format!("wrote {path}")), "{}", run.shown());
    }
    sound(folder.path(), "my-game");
    // The project file names the pack.
    let game = well(folder.path(), &["play", "--seed", "1", "--bots", "random", "--players", "2"]);
    assert!(game.stdout.contains("Ferry") && game.stdout.contains("wins"), "{}", game.shown());
    assert!(well(folder.path(), &["list"]).stdout.contains("My \"own\" game (game, 1-3 players)"));
    // Its scenarios notice a change.
    let cards = folder.read("content/my-game/cards/cards.toml").replace("cost   = \"2 coin\"", "cost   = \"1 coin\"");
    folder.write("content/my-game/cards/cards.toml", cards.as_bytes());
    assert_eq!(rulepack(folder.path(), &["test"]).code, 1);
}

#[test]
fn cards_and_scenarios_join_a_pack() {
    let folder = Scratch::outside("new-card");
    well(folder.path(), &["new", "game", "my-game"]);
    well(folder.path(), &["new", "card", "night_ferry"]);
    well(folder.path(), &["new", "card", "lamp", "--pack", "my-game", "--kind", "card", "--like", "quay", "--lua"]);
    well(&folder.path().join("content"), &["new", "scenario", "nothing_is_lost"]);
    assert!(folder.read("content/my-game/cards/lamp.toml").contains("brings = \"card_lamp.lamp\""));
    assert!(folder.read("scripts/my-game/card_lamp.lua").contains("function cards.lamp(ctx)"));
    assert!(folder.read("content/my-game/scenarios/nothing_is_lost.toml").contains("Nothing is lost"));
    sound(folder.path(), "my-game");
}

#[test]
fn nothing_is_overwritten_without_force() {
    let folder = Scratch::outside("new-force");
    well(folder.path(), &["new", "game", "my-game"]);
    folder.write("content/my-game/pack.toml", b"# mine\n");
    let before = files(folder.path());
    for call in [&["new", "game", "my-game"][..], &["new", "project"]] {
        let run = rulepack(folder.path(), call);
        assert_eq!(run.code, 2, "{}", run.shown());
        assert!(run.stderr.contains("nothing was written; `--force` overwrites it"), "{}", run.shown());
        assert!(files(folder.path()) == before, "`rulepack {}` writes", call.join(" "));
    }
    well(folder.path(), &["new", "game", "my-game", "--force"]);
    sound(folder.path(), "my-game");
}

#[test]
fn a_project_is_the_files_around_packs() {
    let folder = Scratch::outside("new-project");
    well(folder.path(), &["new", "project"]);
    let checked = well(folder.path(), &["check", "--deny", "warnings"]);
    assert!(checked.stderr.contains("checked 0 packs: 0 errors"), "{}", checked.shown());
    well(folder.path(), &["test"]);
    well(folder.path(), &["new", "game", "my-game"]);
    sound(folder.path(), "my-game");
}

/// The base game is in another library, which the project file then names.
#[test]
fn expansions_of_different_games() {
    for (library, base) in [(Path::new(REPOSITORY).to_path_buf(), "catan-duel"), (fixture("tiny"), "tiny")] {
        let library = library.to_string_lossy();
        let folder = Scratch::outside(&format!("new-set-{base}"));
        let run = well(folder.path(), &["--library", &library, "new", "expansion", "my-cards", "--of", base]);
        for path in ["pack.toml", "cards/cards.toml", "locale/fr.toml", "scenarios/new_pieces.toml"] {
            assert!(run.stdout.contains(&format!("wrote content/my-cards/{path}")), "{}", run.shown());
        }
        assert!(folder.read("scripts/my-cards/cards.lua").contains("function cards.my_cards_second(ctx"));
        assert!(folder.read("content/my-cards/pack.toml").contains(&format!("\n{base} = \"^1.0")));
        sound(folder.path(), "my-cards");
    }
}

/// A game to which no piece can be added: why is said, and nothing is left behind.
#[test]
fn a_game_that_takes_no_further_pieces() {
    let folder = Scratch::outside("new-none");
    let run = rulepack(folder.path(), &["--library", REPOSITORY, "new", "expansion", "my-cards", "--of", "hex"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    assert!(run.stderr.contains("no copy of what `my-cards` has passes its checks"), "{}", run.shown());
    assert!(files(folder.path()).is_empty() && !folder.path().join("content").exists(), "something is left behind");
}

/// Whatever is missing or wrong is said, with what to write instead, and nothing is written.
#[test]
fn wrong_calls() {
    let folder = Scratch::outside("new-wrong");
    for (call, why) in [
        (&["new", "game"][..], "write rulepack new game my-game"),
        (&["new", "game", "My_Game"], "such as `night-ferry`"),
        (&["new", "game", "lib"], "such as `night-ferry`"),
        (&["new", "game", "my-game", "--players", "3-4"], "such as `2-4`"),
        (&["new", "expansion", "my-cards"], "write `--of my-game`"),
        (&["new", "expansion", "my-cards", "--of", "base"], "`--library DIR`"),
        (&["--library", REPOSITORY, "new", "expansion", "my-cards", "--of", "hexx"], "did you mean `hex`?"),
        (&["new", "scenario", "claim"], "`--pack my-game`"),
        (&["new", "card", "Inn", "--pack", "x"], "such as `night_ferry`"),
    ] {
        let run = rulepack(folder.path(), call);
        assert_eq!(run.code, 2, "{}", run.shown());
        assert!(run.stderr.contains(why), "`rulepack {}`: {}", call.join(" "), run.shown());
    }
    assert!(files(folder.path()).is_empty(), "a wrong call writes");
}
