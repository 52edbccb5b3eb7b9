//! Two small games as packs, against the same games written by hand (the ones of the benchmark): the same options at every
//! turn, and the same end.

use std::path::Path;

use rulepack::{Library, LinkRequest, RandomBot};

#[path = "bench/by_hand.rs"]
#[allow(dead_code)]
mod by_hand;

use by_hand::{ByHand, ConnectFour, TicTacToe};

fn agree<G: ByHand>(pack: &str, games: u64) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/small");
    let library = Library::open(&[folder]).expect("the library is there");
    let request = LinkRequest { pack: pack.into(), ..LinkRequest::default() };
    let game_box = library.load(&request).expect("the pack links");
    let host = game_box.host().expect("there are no scripts");
    for seed in 0..games {
        let mut game = game_box.start(&host, seed).expect("the game starts");
        let (mut by_hand, mut options, mut is_over) = (G::default(), Vec::new(), false);
        let mut bot = RandomBot::new(seed);
        while !is_over {
            options.clear();
            by_hand.options(&mut options);
            let answer = match game.decision() {
                // What leaves no choice is still listed in a menu.
                Some(decision) => {
                    assert_eq!(decision.options.len(), options.len(), "{pack}, seed {seed}");
                    bot.choose(game_box.rules(), decision)
                }
                None => panic!("{pack}, seed {seed}: the pack ends the game sooner"),
            };
            is_over = by_hand.play(options[answer.0 as usize]);
            game.answer(&host, answer).expect("a listed answer is taken");
        }
        assert!(game.decision().is_none(), "{pack}, seed {seed}: the pack goes on");
    }
}

#[test]
fn tic_tac_toe_is_the_game_written_by_hand() {
    agree::<TicTacToe>("tic-tac-toe", 500);
}

#[test]
fn connect_four_is_the_game_written_by_hand() {
    agree::<ConnectFour>("connect-four", 200);
}
