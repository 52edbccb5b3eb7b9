//! Games without shortcuts are the same games; and a shortcut that gives wrong results is noticed.

use std::panic::{AssertUnwindSafe, catch_unwind};

use rulepack::{End, GameBox, Library, LinkRequest, Shortcut, Shortcuts, SimRequest, game_seed, play};

use crate::support::fixture;

/// Every game of a library with its least number of players, each with what it is called.
fn games(library: &Library) -> Vec<(String, GameBox)> {
    let infos = library.list().into_iter().filter(|info| library.has_game(&info.id));
    let load = |players: u8, pack: &str| {
        let request = LinkRequest { pack: pack.into(), players: Some(players), ..LinkRequest::default() };
        library.load(&request).unwrap_or_else(|mistakes| panic!("{pack}: {mistakes:?}"))
    };
    infos
        .flat_map(|info| {
            let (least, most) = info.players.expect("a game says how many play");
            (least..=most).map(move |players| (info.id.clone(), players))
        })
        .map(|(pack, players)| (format!("{pack}/{players}"), load(players, &pack)))
        .collect()
}

fn libraries() -> Vec<Library> {
    let folders = [
        env!("CARGO_MANIFEST_DIR").into(),
        fixture("small"),
        fixture("nest"),
        fixture("inside"),
        fixture("sets"),
        fixture("boards"),
        fixture("ends"),
    ];
    folders.iter().map(|folder| Library::open(&[folder]).expect("the library is there")).collect()
}

/// Plays a game beside the same one without shortcuts; how it ended, or where they differ.
fn compared(short: &GameBox, index: u64) -> End {
    let plain = Some(short.with_shortcuts(Shortcuts::none()));
    let request = SimRequest { plain, max_turns: 60, max_answers: 1_500, ..SimRequest::default() };
    let host = short.host().expect("the scripts are bound");
    play(short, &host, &request, index, game_seed(7, index)).end
}

#[test]
fn a_game_without_shortcuts_is_the_same_game() {
    for library in libraries() {
        for (name, game) in games(&library) {
            for index in 0..2 {
                if let End::Failed(message) = compared(&game, index) {
                    panic!("{name}, game {index}: {message}");
                }
            }
        }
    }
}

#[test]
fn each_shortcut_that_gives_wrong_results_is_noticed() {
    let libraries = libraries();
    let games: Vec<(String, GameBox)> = libraries.iter().flat_map(games).collect();
    let unnoticed: Vec<Shortcut> = Shortcut::ALL
        .into_iter()
        .filter(|shortcut| {
            let is_noticed = |game: &GameBox| {
                let spoiled = game.with_shortcuts(Shortcuts::spoiled(*shortcut));
                // The kernel's own checks stop a game by a panic, the comparison of two games by a message.
                let end = |index| catch_unwind(AssertUnwindSafe(|| compared(&spoiled, index)));
                (0..2).any(|index| matches!(end(index), Err(_) | Ok(End::Failed(_))))
            };
            !games.iter().any(|(_, game)| is_noticed(game))
        })
        .collect();
    assert!(unnoticed.is_empty(), "nobody notices when these give wrong results: {unnoticed:?}");
}
