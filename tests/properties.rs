//! What must hold of every pack and has a test of its own; what must hold at every decision is in `conformance.rs`.

use std::path::Path;

use rulepack::{Answer, Game, GameBox, Library, LinkRequest, SimRequest, simulate};

/// No decision of a shipped pack lists more: Hex has 121 spaces.
const MOST_OPTIONS: usize = 121;

fn load(folder: &str, pack: &str, players: u8, modes: &[&str]) -> GameBox {
    let library = Library::open(&[Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)]).expect("the library is there");
    let request = LinkRequest {
        pack: pack.into(),
        players: Some(players),
        modes: modes.iter().map(|mode| (*mode).to_string()).collect(),
        ..LinkRequest::default()
    };
    library.load(&request).unwrap_or_else(|mistakes| panic!("{pack} does not link: {mistakes:#?}"))
}

#[test]
fn no_decision_of_a_shipped_pack_lists_too_many_options() {
    let library = Library::open(&[env!("CARGO_MANIFEST_DIR")]).expect("the repository is a library");
    for info in library.list() {
        let Some((least, most)) = info.players else { continue };
        for players in [least, most] {
            let request = SimRequest { games: 3, ..SimRequest::default() };
            let report = simulate(&load(".", &info.id, players, &[]), &request, |_| true);
            assert!((1..=MOST_OPTIONS).contains(&report.max_options), "{}: {} options", info.id, report.max_options);
        }
    }
}

#[test]
fn a_fault_leaves_the_game_as_it_was() {
    let game_box = load("tests/fixtures/faulty", "faulty", 2, &[]);
    let host = game_box.host().unwrap();
    let mut game = game_box.start(&host, 3).unwrap();
    let before = (game.hash(), game.decision().cloned());
    let fault = game.answer(&host, Answer(0)).unwrap_err().to_string();
    assert!(fault.contains("scripts/faulty/traps.lua:"), "{fault}");
    assert!(fault.contains("action.spring"), "{fault}");
    assert_eq!((game.hash(), game.decision().cloned()), before);
    game.answer(&host, Answer(1)).expect("the game goes on");
}

#[test]
fn an_effect_does_the_same_as_an_expression_and_in_lua() {
    let game_box = load("tests/fixtures/twins", "twins", 2, &[]);
    let host = game_box.host().unwrap();
    let start = game_box.start(&host, 1).unwrap();
    let after = |answer| {
        let mut game = start.clone();
        let events = game.answer(&host, Answer(answer)).unwrap();
        (game.hash(), events.len())
    };
    assert_eq!(after(0), after(1));
}

#[test]
fn a_free_action_that_only_leads_back_is_not_offered() {
    let game_box = load("tests/fixtures/nest", "nest", 2, &[]);
    let host = game_box.host().unwrap();
    let mut game = game_box.start(&host, 1).unwrap();
    let offered = |game: &Game| -> Vec<String> {
        let decision = game.decision().expect("the game goes on");
        let keys =
            decision.options.iter().map(|option| rulepack_kernel::option_keys(game.rules(), game.state(), *option));
        keys.map(|keys| keys.primary.join(" ")).collect()
    };
    let take = |game: &mut Game, name: &str| {
        let index = offered(game).iter().position(|key| key == name).unwrap_or_else(|| panic!("{name} is offered"));
        game.answer(&host, Answer(index as u16)).unwrap();
    };
    assert!(offered(&game).contains(&"swap_rope".to_string()));
    take(&mut game, "swap_coin");
    assert!(offered(&game).contains(&"swap_coin".to_string()), "a further exchange leads to something new");
    assert!(!offered(&game).contains(&"swap_rope".to_string()), "the way back leads to what was before");
    // Something that is not free makes a new beginning.
    let play = offered(&game).into_iter().find(|key| key.starts_with("play ")).expect("a card can be played");
    take(&mut game, &play);
    assert!(offered(&game).contains(&"swap_rope".to_string()));
}
