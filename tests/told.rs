//! What the log tells, and in which order.

use rulepack::{Answer, Library, LinkRequest, Seat, Sight, Viewer, Words};

use crate::support::fixture;

/// The action stands before what is paid for it, and the title of an event before what it does.
#[test]
fn the_cause_stands_before_the_cost() {
    let library = Library::open(&[&fixture("told")]).expect("the library is there");
    let request = LinkRequest { pack: "told".into(), ..LinkRequest::default() };
    let game_box = library.load(&request).unwrap_or_else(|mistakes| panic!("it does not link: {mistakes:#?}"));
    let host = game_box.host().expect("there are no scripts");
    let mut game = game_box.start(&host, 1).expect("the game starts");
    let events = game.answer(&host, Answer(0)).expect("building is possible");
    let words = Words::new(game.rules(), "en");
    let sight = Sight::new(game.rules(), game.state(), Viewer::Seat(Seat(1)));
    let lines: Vec<String> = events.iter().filter_map(|event| words.event(event, &sight)).collect();
    let told = ["Player 1: Build", "Player 1 pays 2 Coin", "Feast", "Player 2 gains 1 Coin", "Player 2 takes a turn"];
    assert_eq!(lines, told);
}
