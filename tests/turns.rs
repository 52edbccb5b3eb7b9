//! Who is next: turn orders, passing, taking part again, and a script that says whose turn it is.

use rulepack::{Answer, Library, LinkRequest, LogEntry};

/// Plays the given actions and says who had a turn, in order, seats counted from 1, and the points at the end.
fn played(actions: &[&str]) -> (Vec<u8>, Vec<i64>) {
    let library = Library::open(&[concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures/orders")]).unwrap();
    let game_box = library.load(&LinkRequest { pack: "orders".into(), ..LinkRequest::default() }).unwrap();
    let host = game_box.host().unwrap();
    let mut game = game_box.start(&host, 1).unwrap();
    let mut seats = vec![game.decision().expect("somebody begins").seat.0 + 1];
    for action in actions {
        let decision = game.decision().unwrap_or_else(|| panic!("{action}: the game is over"));
        let keys = |option| rulepack_kernel::option_keys(game.rules(), game.state(), option).primary.join(" ");
        let index = decision.options.iter().position(|option| keys(*option) == *action);
        let index = index.unwrap_or_else(|| panic!("{action} is not offered to player {}", decision.seat.0 + 1));
        for event in game.answer(&host, Answer(index as u16)).unwrap() {
            if let LogEntry::TurnBegan { seat } = event {
                seats.push(seat.0 + 1);
            }
        }
    }
    let outcome = game.state().outcome().expect("all was played");
    (seats, outcome.sheets.iter().map(|sheet| sheet.total).collect())
}

fn turns_of(actions: &[&str]) -> Vec<u8> {
    played(actions).0
}

#[test]
fn turns_go_round_among_those_who_have_not_passed() {
    // 1 stays, 2 leaves, 3 stays; 1 leaves; 3 stays alone and then leaves. Thanks in the order of leaving: 2, 1, 3.
    // The feast by coins: 3 has two, 1 has one, 2 has none.
    let seats = turns_of(&[
        "stay", "leave", "stay", "leave", "stay", "leave", // bidding
        "nod", "nod", "nod", // thanks
        "serve", "serve", "serve", // feast
    ]);
    assert_eq!(seats[..6], [1, 2, 3, 1, 3, 3]);
    assert_eq!(seats[6..9], [2, 1, 3]);
    assert_eq!(seats[9..], [3, 1, 2]);
}

#[test]
fn who_is_called_back_takes_part_again() {
    // 1 leaves, 2 calls everybody back, 3 stays: then it is 1 again.
    let seats = turns_of(&[
        "leave", "call", "stay", "leave", "leave", "leave", // bidding
        "nod", "nod", "nod", "serve", "serve", "serve",
    ]);
    assert_eq!(seats[..6], [1, 2, 3, 1, 2, 3]);
    assert_eq!(seats[6..9], [1, 2, 3]);
}

#[test]
fn a_marker_stays_on_the_last_space_of_its_track() {
    let (_, moods) = played(&[
        "stay", "leave", "leave", "stay", "stay", "stay", "leave", // bidding: player 1 stays four times
        "nod", "nod", "nod", "serve", "serve", "serve",
    ]);
    assert_eq!(moods, [2, 0, 0]);
}
