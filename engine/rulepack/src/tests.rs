//! Handles reveal nothing: in games that look the same to a player and differ in hidden pieces, the player has the same handles.

use std::path::Path;

use rulepack_kernel::{Game, LogEntry, View, Viewer, Words};
use rulepack_model::Seat;
use rulepack_pack::LinkRequest;
use rulepack_script::ScriptHost;
use rulepack_tools::{GameBox, Library, RandomBot};

use crate::Table;
use crate::handles::Handles;
use crate::log::{Told, told};

pub(crate) fn fixture(pack: &str) -> GameBox {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures").join(pack);
    let library = Library::open(&[folder]).expect("the fixture is there");
    let request = LinkRequest { pack: pack.into(), players: Some(2), ..LinkRequest::default() };
    library.load(&request).unwrap_or_else(|mistakes| panic!("{pack}: {mistakes:?}"))
}

/// The view and the log of a player with handles, after an answer.
fn with_handles(
    handles: &mut Handles,
    (before, after): (&Game, &Game),
    host: &ScriptHost,
    events: &[LogEntry],
    viewer: Viewer,
) -> (Vec<Told>, View) {
    let words = Words::new(after.rules(), "en");
    let mut lying = handles.lying(before);
    handles.begin();
    let told = told(events, after, viewer, &words, Some((handles, &mut lying)));
    handles.end(after);
    let cell = std::cell::RefCell::new(handles);
    let view = View::with_handles(after, host, viewer, &words, &|piece| cell.borrow_mut().name(piece));
    (told, view)
}

/// Plays a game, and gives each answer in other games that look the same to a player, too. Returns how many of these could be
/// compared.
fn compared(game_box: &GameBox, seed: u64) -> usize {
    let (host, mut bot) = (game_box.host().expect("the scripts are right"), RandomBot::new(seed));
    let words = Words::new(game_box.rules(), "en");
    let mut game = game_box.start(&host, seed).expect("the game begins");
    let mut all: Vec<Handles> = game.rules().seats().map(|seat| Handles::new(Viewer::Seat(seat))).collect();
    let (mut count, mut number) = (0, 0);
    while let Some(decision) = game.decision().filter(|_| number < 60) {
        number += 1;
        let answer = bot.choose(game_box.rules(), decision);
        let option = decision.options[usize::from(answer.0)];
        let before = game.clone();
        let events = game.answer(&host, answer).expect("the answer is listed");
        for (index, handles) in all.iter_mut().enumerate() {
            let seat = Seat(index as u8);
            let viewer = Viewer::Seat(seat);
            let plain = |game: &Game, events: &[LogEntry]| {
                let told = told(events, game, viewer, &words, None);
                (told, View::new(game, &host, viewer, &words))
            };
            let earlier = handles.clone();
            let seen = with_handles(handles, (&before, &game), &host, &events, viewer);
            for round in 0..3 {
                let Ok((other, exchange)) = before.resampled(&host, seat, seed ^ (number << 8) ^ round, &[]) else {
                    continue;
                };
                let Some(same) = other.listed(&host, exchange.option(option)) else { continue };
                let mut after = other.clone();
                let Ok(others) = after.answer(&host, same) else { continue };
                // If it looks otherwise, handles may be others, too.
                if plain(&game, &events) == plain(&after, &others) {
                    let mut handles = earlier.exchanged(&exchange);
                    let other_seen = with_handles(&mut handles, (&other, &after), &host, &others, viewer);
                    assert_eq!(seen, other_seen, "seed {seed}, answer {number}, {viewer:?}");
                    count += 1;
                }
                after.abandon(&host);
                other.abandon(&host);
            }
        }
    }
    count
}

#[test]
fn handles_follow_from_what_was_seen() {
    for pack in ["shuffled", "secrets", "tiny", "nest"] {
        let game_box = fixture(pack);
        let count: usize = (0..3).map(|seed| compared(&game_box, seed)).sum();
        assert!(count > 50, "{pack}: only {count} games could be compared");
    }
}

/// All handles of pieces in a view with the type of the piece.
fn handles(table: &Table, seat: Seat) -> Vec<(String, String)> {
    let view = table.view(Viewer::Seat(seat)).expect("there is such a seat");
    let pieces = view.table.zones.iter().flat_map(|zone| &zone.spaces).flat_map(|space| &space.pieces);
    pieces.map(|piece| (piece.handle.clone().unwrap_or_default(), piece.name.clone())).collect()
}

#[test]
fn a_piece_keeps_its_handle_while_it_is_in_sight_and_has_a_new_one_when_it_comes_back() {
    let mut table = Table::open(&fixture("shuffled"), 1, "en").expect("the game begins");
    let choose = |table: &mut Table, id: &str| {
        let asked = table.asked(Viewer::Public).expect("the public may ask")[0].clone();
        let seat = asked.player;
        let question = table.questions(seat).expect("it plays").remove(0);
        let index = question.options.iter().position(|option| option.ids[0] == id).expect("it is offered");
        table.answer_as(seat, question.revision, index).expect("it is listed");
        seat
    };
    let hand = handles(&table, Seat(0));
    assert_eq!(choose(&mut table, "wait"), Seat(0));
    assert_eq!(handles(&table, Seat(0)), hand, "nothing has gone out of sight");
    choose(&mut table, "wait");
    choose(&mut table, "renew");
    let renewed = handles(&table, Seat(0));
    assert_eq!(renewed.len(), hand.len());
    assert!(renewed.iter().all(|(handle, _)| hand.iter().all(|(old, _)| handle != old)), "{hand:?} {renewed:?}");
    // Undoing brings the old handles back, and pieces that come into sight afterwards get handles that were never used.
    table.undo(1, true).expect("it was answered");
    assert_eq!(handles(&table, Seat(0)), hand);
    choose(&mut table, "renew");
    let again = handles(&table, Seat(0));
    assert!(again.iter().all(|(handle, _)| renewed.iter().chain(&hand).all(|(old, _)| handle != old)), "{again:?}");
}
