//! Whatever a game comes to can be saved and loaded: high piles, large numbers, long lists, many streams of chance. And what
//! stands in no save or log is refused.

use std::fmt::Write;

use rulepack::{Answer, GameBox, GameLog, Library, LinkRequest, Session};
use rulepack_kernel::{Save, View, Viewer, Words, check_invariants};
use serde_json::Value;

use crate::support::{Scratch, fixture};

const HEAD: &str = "[pack]\nid = 'far'\nversion = '1.0.0'\ntitle = 'Far'\nplayers = { min = 1, max = 2 }\n\
                    [phase.game]\nsequence = ['turn']\nrepeat = 1000000\n\
                    [phase.turn]\nturns = { turn = 'act', until = 'each_once' }\n[phase.act]\nactions = ['go']\n";

/// Plays a game with this text, always with the first option, and saves and loads it at each of so many questions.
#[track_caller]
fn is_kept(name: &str, text: &str, answers: usize) -> Session {
    let scratch = Scratch::new(name);
    scratch.write("content/far/pack.toml", format!("{HEAD}{text}").as_bytes());
    let library = Library::open(&[scratch.path().to_path_buf()]).expect("the library is there");
    let request = LinkRequest { pack: "far".into(), players: Some(1), ..LinkRequest::default() };
    let game_box = library.load(&request).unwrap_or_else(|mistakes| panic!("{name} does not link: {mistakes:#?}"));
    let mut session = Session::start(&game_box, 7).expect("the game starts");
    for number in 0..answers {
        // A restored table and a replayed game; most steps are alike.
        if number % (answers / 20).max(1) == 0 || number + 3 > answers {
            saves_and_loads(&game_box, &session, number);
        }
        session.answer(Answer(0)).unwrap_or_else(|error| panic!("answer {number}: {error}"));
    }
    saves_and_loads(&game_box, &session, answers);
    session
}

#[track_caller]
fn saves_and_loads(game_box: &GameBox, session: &Session, number: usize) {
    check_invariants(game_box.rules(), session.game().state())
        .unwrap_or_else(|error| panic!("answer {number}: {error}"));
    let host = game_box.host().expect("the scripts are right");
    let saved = session.game().save().to_json();
    let loaded = rulepack::Game::load(game_box.rules().clone(), &host, &saved)
        .unwrap_or_else(|error| panic!("after {number} answers: {error}"));
    assert_eq!(loaded.hash(), session.game().hash(), "after {number} answers");
    assert_eq!(&loaded, session.game(), "after {number} answers");
    let again = Session::load(game_box, &session.save()).unwrap_or_else(|error| panic!("after {number}: {error}"));
    assert_eq!(again.game().hash(), session.game().hash(), "after {number} answers");
}

#[test]
fn a_pile_of_many_pieces_can_be_saved() {
    let text = "[kind.card]\ntitle = 'card'\nstarts_in = 'box'\n[card.inn]\ntitle = 'Inn'\ncount = 500\n\
                [zone.box]\ntitle = 'box'\n[zone.table]\ntitle = 'table'\n\
                [action.go]\ntitle = 'Go'\n\
                effect = \"if any(table) { lay first(box) on last(table) } else { move first(box) to table }\"\n";
    let session = is_kept("pile", text, 400);
    let rules = session.game().rules();
    let view = View::new(
        session.game(),
        &*session.host().expect("the scripts are right"),
        Viewer::All,
        &Words::new(rules, "en"),
    );
    let mut height = 0;
    let table = view.zones.iter().find(|zone| zone.id == "table").expect("there is a table");
    let mut at = table.spaces[0].pieces.first();
    while let Some(piece) = at {
        height += 1;
        at = piece.attached.first();
    }
    assert_eq!(height, 400);
}

#[test]
fn large_numbers_can_be_saved() {
    // Nearly the largest number there is, and nearly the smallest: 9 to the power of 18.
    let text = "[var.x]\nstart = 1\n[var.y]\nstart = -1\n[action.go]\ntitle = 'Go'\n\
                effect = \"set x = x * 9; set y = y * 9\"\n";
    let session = is_kept("numbers", text, 18);
    let saved = session.game().save().to_json();
    let most = 9_i64.pow(18);
    assert!(saved.contains(&most.to_string()) && saved.contains(&(-most).to_string()), "{saved}");
}

#[test]
fn large_amounts_and_payments_can_be_saved() {
    let text = "[resource.coin]\ntitle = 'coin'\n[resource.rope]\ntitle = 'rope'\n\
                [group.goods]\ntitle = 'goods'\nof = ['coin', 'rope']\n\
                [action.go]\ntitle = 'Go'\n\
                effect = \"gain 1000000 coin; gain 1000000 coin; gain 1000000 rope; gain 1000000 rope; \
                if my coin > 24000000 { pay 1000000 goods + 3 coin }\"\n";
    let session = is_kept("amounts", text, 20);
    let saved = session.game().save().to_json();
    assert!(saved.contains("24000000") || saved.contains("2600"), "{saved}");
}

#[test]
fn a_walk_over_many_pieces_can_be_saved() {
    let text = "[kind.card]\ntitle = 'card'\nstarts_in = 'box'\n[card.inn]\ntitle = 'Inn'\ncount = 9000\n[card.mill]\ntitle = 'Mill'\ncount = 9000\n\
                [zone.box]\ntitle = 'box'\n[prompt.more]\ntitle = 'More?'\n\
                [action.go]\ntitle = 'Go'\neffect = \"for each c in box { may flip c as more }\"\n";
    is_kept("walk", text, 3);
}

#[test]
fn many_streams_of_chance_can_be_saved() {
    let mut text = String::from("[action.go]\ntitle = 'Go'\neffect = \"roll r of 6\"\n");
    let mut names = Vec::new();
    for number in 0..1900 {
        let _ = write!(text, "[phase.p{number}]\neffect = \"roll r of 6\"\n");
        names.push(format!("'p{number}'"));
    }
    let sequence = format!("[phase.many]\nsequence = [{}]\n", names.join(", "));
    let text = format!("{text}{sequence}");
    let scratch = Scratch::new("streams");
    let head = HEAD.replace("sequence = ['turn']", "sequence = ['many', 'turn']");
    scratch.write("content/far/pack.toml", format!("{head}{text}").as_bytes());
    let library = Library::open(&[scratch.path().to_path_buf()]).expect("the library is there");
    let request = LinkRequest { pack: "far".into(), players: Some(1), ..LinkRequest::default() };
    let game_box = library.load(&request).unwrap_or_else(|mistakes| panic!("it does not link: {mistakes:#?}"));
    let session = Session::start(&game_box, 7).expect("the game starts");
    saves_and_loads(&game_box, &session, 0);
}

// ---- what stands in no save or log ----

/// Every way to add a key to an object inside a value, but for names that a pack gives.
fn with_a_key(value: &Value, path: &str, found: &mut Vec<(String, Value)>, put: &dyn Fn(Value) -> Value) {
    match value {
        Value::Object(fields) => {
            if path != ".meaning" {
                let mut more = fields.clone();
                more.insert("unheard_of".into(), Value::from(1));
                found.push((path.to_string(), put(Value::Object(more))));
            }
            for (key, inner) in fields {
                let put_inner = |changed: Value| {
                    let mut fields = fields.clone();
                    fields.insert(key.clone(), changed);
                    put(Value::Object(fields))
                };
                with_a_key(inner, &format!("{path}.{key}"), found, &put_inner);
            }
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().enumerate() {
                let put_inner = |changed: Value| {
                    let mut items = items.clone();
                    items[index] = changed;
                    put(Value::Array(items))
                };
                with_a_key(inner, &format!("{path}[{index}]"), found, &put_inner);
            }
        }
        _ => {}
    }
}

fn tiny() -> GameBox {
    let library = Library::open(&[fixture("tiny")]).expect("the library is there");
    let request = LinkRequest { pack: "tiny".into(), players: Some(2), ..LinkRequest::default() };
    library.load(&request).unwrap_or_else(|mistakes| panic!("it does not link: {mistakes:#?}"))
}

#[test]
fn an_unknown_key_anywhere_in_a_save_is_refused() {
    let game_box = tiny();
    let mut bot = rulepack::RandomBot::new(5);
    let mut session = Session::start(&game_box, 5).expect("the game starts");
    let mut tried = std::collections::BTreeSet::new();
    loop {
        let saved: Value = serde_json::from_str(&session.save()).expect("it is JSON");
        let mut changed = Vec::new();
        with_a_key(&saved, "", &mut changed, &|value| value);
        for (path, text) in changed {
            // Each kind of place once.
            let kind: String = path.chars().filter(|c| !c.is_ascii_digit()).collect();
            if tried.insert(kind) {
                let error = Save::from_json(&text.to_string()).expect_err(&path).to_string();
                assert!(error.contains("unheard_of") || error.contains("expected"), "{path}: {error}");
            }
        }
        let Some(decision) = session.decision() else { break };
        let answer = bot.choose(game_box.rules(), decision);
        session.answer(answer).expect("a listed answer is taken");
    }
    assert!(tried.len() >= 15, "{tried:?}");
    assert!(tried.contains(".state.outcome.sheets[].lines[]"), "{tried:?}");
}

#[test]
fn an_unknown_key_anywhere_in_a_log_is_refused() {
    let game_box = tiny();
    let mut session = Session::start(&game_box, 5).expect("the game starts");
    session.answer(Answer(0)).expect("it is offered");
    let log = session.log().to_text();
    let records: Vec<Value> =
        log.lines().map(|line| serde_json::from_str::<Value>(line).expect("it is JSON")["record"].clone()).collect();
    assert_eq!(records.len(), 3);
    let mut tried = 0;
    for (number, record) in records.iter().enumerate() {
        let mut changed = Vec::new();
        with_a_key(record, "", &mut changed, &|value| value);
        for (path, changed) in changed.into_iter().filter(|(path, _)| path != ".begin.meaning") {
            let mut chain = rulepack_tools::Chain::default();
            let lines = records.iter().enumerate().map(|(other, record)| {
                chain.line(&if other == number { changed.to_string() } else { record.to_string() })
            });
            let text: String = lines.collect();
            let error = GameLog::from_text(&text).expect_err(&path).to_string();
            assert!(
                error.contains("unheard_of") || error.contains("expected") || error.contains("does not say"),
                "{path}: {error}"
            );
            tried += 1;
        }
    }
    assert!(tried >= 6, "{tried}");
}
