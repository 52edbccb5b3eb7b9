//! Two servers with the same table, but for the cards that the first seat cannot see: they are exchanged in the second one. As long as
//! everybody gives the same answers, both send the first seat the same.

use std::path::Path;

use rulepack::{GameLog, Library, LinkRequest, Seat as SeatId, Session};
use serde_json::{Value, json};

use crate::support::Scratch;
use crate::web::server::{Seat, Server};

/// Opens a table, ends the server, and writes the log of the table anew in both folders: as it is, and with the pieces exchanged that
/// the first seat cannot see. Gives the id of the table and its links.
fn two_tables(pack: &str, seats: usize, one: &Path, other: &Path) -> (String, Value) {
    let (table, opened) = {
        let server = Server::start(one, &[]);
        let opened = server.open(pack, json!(vec![Value::Null; seats]));
        (opened["table"].as_str().expect("it has an id").to_string(), opened)
    };
    let library = Library::open(&[env!("CARGO_MANIFEST_DIR")]).expect("the shipped packs are there");
    let log_of = |folder: &Path| folder.join(format!("{table}.jsonl"));
    let log = GameLog::from_text(&std::fs::read_to_string(log_of(one)).expect("it is there")).expect("it is a log");
    let request: LinkRequest = log.request();
    let game_box = library.game(&request).expect("the pack is right");
    let session = Session::from_log(&game_box, &log).expect("it is a game of these rules");
    let host = session.host().expect("scripts can be loaded");
    let (exchanged, _) = session.game().resampled(&*host, SeatId(0), 9, &[]).expect("scripts run again");
    let card = format!("{table}.table.json");
    std::fs::copy(one.join(&card), other.join(&card)).expect("it can be copied");
    for (folder, game) in [(one, session.game()), (other, &exchanged)] {
        let saved = Session::load(&game_box, &game.save().to_json()).expect("it was saved");
        std::fs::write(log_of(folder), saved.log().to_text()).expect("it can be written");
    }
    (table, opened)
}

/// What the server has sent to a seat: the last view and questions, and all of the log.
fn sent(seat: &Seat) -> String {
    json!([seat.shown["view"], seat.shown["questions"], seat.log]).to_string()
}

/// An answer that both can give, by its words: its number in each list.
fn common(one: &Value, other: &Value, first: usize) -> Option<(usize, usize)> {
    let texts = |question: &Value| -> Vec<String> {
        let options = question["options"].as_array().expect("it has options");
        options.iter().map(|option| option["text"].to_string()).collect()
    };
    let (one, other) = (texts(one), texts(other));
    (0..one.len())
        .map(|shift| (first + shift) % one.len())
        .find_map(|index| Some((index, other.iter().position(|text| *text == one[index])?)))
}

/// Plays both tables until the answers end that are possible at both; gives how many were given, and whether the other seats see
/// different tables.
fn play_both(pack: &str, seats: usize, most: usize) -> (usize, bool) {
    let (one, other) = (Scratch::new(&format!("web-one-{pack}")), Scratch::new(&format!("web-other-{pack}")));
    let (table, opened) = two_tables(pack, seats, one.path(), other.path());
    let servers = [Server::start(one.path(), &[]), Server::start(other.path(), &[])];
    let mut both: Vec<Vec<Seat>> = servers
        .iter()
        .map(|server| (0..seats).map(|seat| server.sit(&table, &opened["seats"][seat])).collect())
        .collect();
    let (mut given, mut differ) = (0, false);
    for number in 0..most {
        for seats in &mut both {
            // A line of talk of the last seat shows that everything before it has arrived.
            let text = format!("{number}");
            seats.last_mut().expect("it has seats").send(json!({ "type": "say", "text": text }));
            for seat in seats {
                seat.until(|message| {
                    message["talk"].as_array().is_some_and(|talk| talk.iter().any(|said| said["text"] == text))
                });
            }
        }
        let (ones, others) = both.split_at_mut(1);
        let (ones, others) = (&mut ones[0], &mut others[0]);
        assert_eq!(sent(&ones[0]), sent(&others[0]), "{pack}: answer {given} shows the first seat what it may not see");
        differ |= (1..seats).any(|seat| sent(&ones[seat]) != sent(&others[seat]));
        let Some(asked) = (0..seats).find(|seat| ones[*seat].question().is_some()) else { break };
        let (first, second) = (ones[asked].question().cloned(), others[asked].question().cloned());
        let (Some(first), Some(second)) = (first, second) else { panic!("{pack}: another seat is asked") };
        let Some((index, same)) = common(&first, &second, number) else { break };
        for (seat, question, index) in [(&mut ones[asked], first, index), (&mut others[asked], second, same)] {
            seat.send(json!({ "type": "answer", "revision": question["revision"], "index": index }));
            seat.until(|message| message["type"] == "table" && message["questions"] != json!([question]));
        }
        given += 1;
    }
    (given, differ)
}

#[test]
fn exchanged_cards_of_others_change_nothing_that_a_seat_is_sent() {
    // Nothing is drawn or rolled in these answers: whatever a seat learns, it learns from the answers.
    let (played, differ) = play_both("hearts", 4, 52);
    assert!(played > 8, "several tricks are played: {played} answers");
    assert!(differ, "the others have other hands");
    // These draw cards after the first answer.
    let packs = [("night-garden", 2), ("catan-duel", 2), ("colons-de-catane", 2), ("liars-dice", 3)];
    let differ = packs.iter().filter(|(pack, seats)| play_both(pack, *seats, 1).1).count();
    assert!(differ > 1, "others see different tables in {differ} of these games");
}
