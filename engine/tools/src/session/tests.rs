//! Tests of games with their history, saves and logs.

use std::collections::BTreeSet;
use std::path::Path;

use rulepack_kernel::{Rng, View, Viewer, Words, seat_key};
use rulepack_pack::LinkRequest;

use super::*;
use crate::{Library, RandomBot};

fn tiny(players: u8) -> GameBox {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/tiny");
    let library = Library::open(&[folder]).unwrap();
    let request = LinkRequest { pack: "tiny".into(), players: Some(players), ..LinkRequest::default() };
    library.load(&request).unwrap_or_else(|mistakes| panic!("{mistakes:?}"))
}

#[test]
fn a_game_can_be_saved_and_loaded_at_every_decision() {
    for players in 1..=3 {
        let game_box = tiny(players);
        let mut session = Session::start(&game_box, 7).unwrap();
        let mut bot = RandomBot::new(7);
        while let Some(decision) = session.decision() {
            let loaded = Session::load(&game_box, &session.save()).unwrap();
            assert_eq!(loaded.game(), session.game());
            assert_eq!(loaded.game().hash(), session.game().hash());
            let texts = Words::new(game_box.rules(), "fr").options(session.game().state(), decision);
            assert_eq!(texts.iter().collect::<BTreeSet<_>>().len(), texts.len(), "{texts:?}");
            let answer = bot.choose(game_box.rules(), decision);
            session.answer(answer).unwrap();
        }
        let log = GameLog::from_text(&session.log().to_text()).unwrap();
        let host = game_box.host().unwrap();
        assert!(log.grade(&game_box, &host, None, |_, _, _, _| {}).unwrap().grade.is_exact());
    }
}

#[test]
fn a_wrong_number_in_a_log_is_told_with_its_place() {
    let session = Session::start(&tiny(2), 7).unwrap();
    let mut log = session.log();
    let text = log.to_text();
    let mut chain = crate::records::Chain::default();
    let begin = chain.line(crate::records::read(&text).records[0]);
    let error = GameLog::from_text(&(begin + &chain.line("{\"undo\":-1}"))).unwrap_err().to_string();
    assert!(error.ends_with("line 2, column 47: a whole number from 0 is expected, not `-1`"), "{error}");
    log.beginning.header.limits = Some(rulepack_kernel::Limits { steps: 0, ..Default::default() });
    let error = GameLog::from_text(&log.to_text()).unwrap_err().to_string();
    assert!(error.contains("line 1: the limit `steps` is 0: write a whole number from 1 to"), "{error}");
}

#[test]
fn undo_goes_back_to_the_start_of_the_action() {
    let game_box = tiny(2);
    let mut session = Session::start(&game_box, 3).unwrap();
    let mut hashes = vec![session.game().hash()];
    let mut bot = RandomBot::new(3);
    for _ in 0..30 {
        let Some(decision) = session.decision() else { break };
        let answer = bot.choose(game_box.rules(), decision);
        session.answer(answer).unwrap();
        hashes.push(session.game().hash());
    }
    while session.depth() > 0 {
        assert_eq!(session.game().hash(), hashes[session.depth()]);
        let back = session.steps_back_to_action().unwrap();
        session.undo(back).unwrap();
        assert!(matches!(session.decision().unwrap().ask, Ask::Menu(..)));
    }
    assert_eq!(session.game().hash(), hashes[0]);
}

#[test]
fn a_view_shows_no_hand_but_the_own_one() {
    let game_box = tiny(3);
    let mut session = Session::start(&game_box, 9).unwrap();
    let mut bot = RandomBot::new(9);
    let words = Words::new(game_box.rules(), "en");
    while let Some(decision) = session.decision() {
        for seat in game_box.rules().seats() {
            let view = View::new(session.game(), &*session.host().unwrap(), Viewer::Seat(seat), &words);
            for zone in view.zones.iter().filter(|zone| ["hand", "bag"].contains(&zone.id.as_str())) {
                let seen: usize = zone.spaces.iter().map(|space| space.pieces.len()).sum();
                let is_own = zone.owner.as_deref() == Some(&seat_key(seat));
                // A card is shown while it is being built, because the pack declares it.
                let shown = usize::from(!matches!(decision.ask, Ask::Menu(..)));
                assert!(if is_own { seen == zone.count } else { seen <= shown }, "{seen} seen");
            }
        }
        let answer = bot.choose(game_box.rules(), decision);
        session.answer(answer).unwrap();
    }
}

/// Files of version 2 have fields that games no longer have, and a hash that covers them.
#[test]
fn a_save_of_version_2_is_read_without_comparing_its_hash() {
    let game_box = tiny(2);
    let host = game_box.host().unwrap();
    let load = |save: &serde_json::Value| Game::load(game_box.rules().clone(), &host, &save.to_string());
    let mut session = Session::start(&game_box, 5).unwrap();
    let mut bot = RandomBot::new(5);
    let mut effects = 0;
    while let Some(decision) = session.decision() {
        let answer = bot.choose(game_box.rules(), decision);
        let mut old = serde_json::to_value(session.game().save()).unwrap();
        (old["version"], old["hash"]) = (2.into(), "another".into());
        old["state"]["changed"] = 31.into();
        let frames = old["state"]["frames"].as_array_mut().unwrap();
        for run in frames.iter_mut().filter_map(|frame| frame.get_mut("Run")) {
            run["waits"] = false.into();
            effects += 1;
        }
        let game = load(&old).unwrap();
        assert_eq!(game.content(), session.game().content());
        game.abandon(&host);
        old["version"] = 3.into();
        assert!(matches!(load(&old), Err(SaveError::Hash { .. })));
        session.answer(answer).unwrap();
    }
    assert!(effects > 0, "no effect was at work at any question");
}

/// Whatever a file contains, loading gives an error or a game that can be played on.
#[test]
fn a_changed_save_never_panics() {
    let game_box = tiny(2);
    let host = game_box.host().unwrap();
    let load = |text: &str| Game::load(game_box.rules().clone(), &host, text);
    let mut rng = Rng::new(11);
    let (mut loaded, mut inside_scripts) = (0, 0);
    let mut session = Session::start(&game_box, 5).unwrap();
    let mut bot = RandomBot::new(5);
    while let Some(decision) = session.decision() {
        let answer = bot.choose(game_box.rules(), decision);
        let save = serde_json::to_value(session.game().save()).unwrap();
        inside_scripts += usize::from(save["answers"].as_array().is_some_and(|answers| !answers.is_empty()));
        for _ in 0..8 {
            let mut changed = save.clone();
            change(&mut changed["state"], &mut rng);
            // An attacker can compute the hash too: it follows from the contents.
            if let Err(SaveError::Hash { found, .. }) = load(&changed.to_string()) {
                changed["hash"] = found.into();
            }
            let Ok(mut other) = load(&changed.to_string()) else { continue };
            loaded += 1;
            for _ in 0..20 {
                let Some(decision) = other.decision() else { break };
                let answer = bot.clone().choose(game_box.rules(), decision);
                if other.answer(&host, answer).is_err() {
                    break;
                }
            }
            other.abandon(&host);
        }
        let text = save.to_string();
        assert!(matches!(load(&text[..text.len() / 2]), Err(SaveError::Truncated)));
        session.answer(answer).unwrap();
    }
    assert!(loaded > 50 && inside_scripts > 0, "{loaded} {inside_scripts}");
}

/// The same for the history in a save or a log, with correct checksums.
#[test]
fn a_changed_history_or_log_never_panics() {
    let game_box = tiny(2);
    let mut session = Session::start(&game_box, 5).unwrap();
    let mut bot = RandomBot::new(5);
    while let Some(decision) = session.decision() {
        let answer = bot.choose(game_box.rules(), decision);
        session.answer(answer).unwrap();
    }
    session.undo(3).unwrap();
    let save: serde_json::Value = serde_json::from_str(&session.save()).unwrap();
    let log = session.log().to_text();
    let records: Vec<serde_json::Value> =
        log.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).unwrap()["record"].take()).collect();
    assert_eq!(Session::load(&game_box, &save.to_string()).unwrap().depth(), session.depth());
    let (mut rng, mut taken) = (Rng::new(13), 0);
    for _ in 0..300 {
        let mut changed = save.clone();
        change(&mut changed["history"], &mut rng);
        taken += usize::from(Session::load(&game_box, &changed.to_string()).is_ok());
        let mut changed = records.clone();
        let index = rng.below(changed.len() as u32) as usize;
        match rng.below(4) {
            0 => drop(changed.remove(index)),
            1 => changed.insert(index, serde_json::json!({ "undo": rng.below(4) })),
            _ => change(&mut changed[index], &mut rng),
        }
        let mut chain = crate::Chain::default();
        let text: String = changed.iter().map(|record| chain.line(&record.to_string())).collect();
        if let Ok(log) = GameLog::from_text(&text) {
            taken += usize::from(Session::from_log(&game_box, &log).is_ok());
        }
        // Without correct checksums, no change is accepted.
        let mut bytes = log.clone().into_bytes();
        let at = rng.below(bytes.len() as u32) as usize;
        bytes[at] = bytes[at].wrapping_add(1) & 0x7f;
        if let Ok(other) = GameLog::from_text(&String::from_utf8(bytes).unwrap()) {
            assert!(other.torn, "a changed byte at {at} was not noticed");
        }
    }
    assert!(taken > 5, "{taken}");
}

fn change(value: &mut serde_json::Value, rng: &mut Rng) {
    match value {
        serde_json::Value::Array(items) if !items.is_empty() => {
            let index = rng.below(items.len() as u32) as usize;
            match rng.below(12) {
                0 => drop(items.remove(index)),
                1 => items.push(items[index].clone()),
                _ => change(&mut items[index], rng),
            }
        }
        serde_json::Value::Object(fields) if !fields.is_empty() => {
            let index = rng.below(fields.len() as u32) as usize;
            if let Some((_, field)) = fields.iter_mut().nth(index) {
                change(field, rng);
            }
        }
        serde_json::Value::Bool(flag) => *flag = !*flag,
        value => {
            let numbers = [0i64, 1, 2, 3, 7, 255, 65_535, -1, 4_294_967_295, 1 << 40];
            *value = numbers[rng.below(numbers.len() as u32) as usize].into();
        }
    }
}
