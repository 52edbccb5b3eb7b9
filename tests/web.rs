//! Tables in a browser, over HTTP and WebSocket on loopback: who may do what, whole games, restarts, kills, and clients that mean
//! harm.

mod fuzz;
mod kills;
mod permuted;
mod server;

use serde_json::json;
use tungstenite::Message;

use crate::support::Scratch;
use server::{Seat, Server, header, without_handles};

#[test]
fn the_page_is_served_with_a_strict_policy() {
    let folder = Scratch::new("web-page");
    let server = Server::start(folder.path(), &["settlement"]);
    let mut size = 0;
    for path in [
        "/",
        "/style.css",
        "/main.js",
        "/lobby.js",
        "/table.js",
        "/board.js",
        "/look.js",
        "/motion.js",
        "/sound.js",
        "/dom.js",
        "/words.js",
    ] {
        let (status, reply) = server.get(path);
        assert_eq!(status, 200, "{path}");
        let policy = header(&reply, "content-security-policy").expect("there is a policy");
        assert!(policy.contains("default-src 'none'") && !policy.contains("unsafe"), "{policy}");
        assert_eq!(header(&reply, "x-content-type-options"), Some("nosniff"));
        assert_eq!(header(&reply, "referrer-policy"), Some("no-referrer"));
        size += reply.len();
    }
    assert!(size < 300_000, "the page has {size} bytes");
    assert_eq!(server.get("/health").0, 200);
    assert!(server.get("/metrics").1.contains("rulepack_tables 0"));
    assert_eq!(server.get("/../Cargo.toml").0, 404);
    let (_, packs) = server.get("/api/packs");
    assert!(packs.contains("\"first\":\"settlement\"") && packs.contains("skara-brae"), "{packs}");
}

#[test]
fn a_whole_game_is_played_against_a_bot() {
    let folder = Scratch::new("web-game");
    let server = Server::start(folder.path(), &[]);
    for pack in ["settlement", "reversi", "goofspiel", "colons-de-catane"] {
        let opened = server.open(pack, json!([null, "random"]));
        let table = opened["table"].as_str().expect("it has an id");
        let mut seat = server.sit(table, &opened["seats"][0]);
        assert_eq!(seat.next()["type"], "hello");
        let mut chance = 7_usize;
        for _ in 0..3_000 {
            if !seat.asked() {
                break;
            }
            let options = seat.question().expect("it is asked")["options"].as_array().map_or(0, Vec::len);
            assert!(options > 0);
            chance = chance.wrapping_mul(1_103_515_245).wrapping_add(12_345) % 2_147_483_648;
            seat.answer(chance / 7 % options);
        }
        assert!(seat.is_over(), "{pack} has an end");
        assert!(seat.shown["view"]["table"]["outcome"]["sheets"].as_array().is_some_and(|sheets| sheets.len() == 2));
    }
}

#[test]
fn nobody_sits_without_the_link_of_the_seat() {
    let folder = Scratch::new("web-seats");
    let server = Server::start(folder.path(), &[]);
    let opened = server.open("settlement", json!([null, null]));
    let table = opened["table"].as_str().expect("it has an id");
    let mut one = server.sit(table, &opened["seats"][0]);
    assert_eq!(one.next()["viewer"], "player_1");

    // A wrong token, a token of another seat, no token, and no such table.
    let (status, refused) = server.post("/api/enter", &json!({ "table": table, "token": "0".repeat(32) }));
    assert_eq!((status, refused["code"].as_str()), (400, Some("unknown-seat")));
    let (own, other) = (one.cookie.clone(), one.cookie.replace("player_1", "player_2"));
    assert_eq!(Seat::connect(&server.address, table, "player_2", &own).err(), Some(403));
    assert_eq!(Seat::connect(&server.address, table, "player_2", &other).err(), Some(403));
    assert_eq!(Seat::connect(&server.address, table, "player_1", "").err(), Some(403));
    assert_eq!(Seat::connect(&server.address, "0123456789abcdef", "player_1", &own).err(), Some(403));

    // A spectator sees what is public, and can do nothing.
    let mut public = server.sit(table, &opened["spectators"]);
    public.until(|message| message["type"] == "table");
    assert!(public.question().is_none());
    public.send(json!({ "type": "answer", "revision": 1, "index": 0 }));
    assert_eq!(public.until(|message| message["type"] == "problem")["code"], "only-watching");
}

#[test]
fn requests_of_other_pages_and_for_other_names_are_refused() {
    let folder = Scratch::new("web-origin");
    let server = Server::start(folder.path(), &["--name", "games.example.org"]);
    let opening = json!({ "pack": "settlement", "seats": [null] });
    assert_eq!(server.post_from("/api/tables", Some("http://evil.example"), &opening).0, 403);
    assert_eq!(server.post_from("/api/tables", None, &opening).0, 403);
    let host = |name: &str| server.raw(&format!("GET / HTTP/1.1\r\nHost: {name}\r\nConnection: close\r\n\r\n")).0;
    assert_eq!(host("evil.example"), 421);
    assert_eq!(host("games.example.org"), 200);
    assert!(server.get("/metrics").1.contains("rulepack_tables 0"), "nothing was opened");
}

#[test]
fn wrong_messages_change_nothing() {
    let folder = Scratch::new("web-wrong");
    let server = Server::start(folder.path(), &[]);
    let opened = server.open("settlement", json!([null, null]));
    let table = opened["table"].as_str().expect("it has an id");
    let mut one = server.sit(table, &opened["seats"][0]);
    let mut two = server.sit(table, &opened["seats"][1]);
    one.until(|message| message["type"] == "table");
    two.until(|message| message["type"] == "table");
    let (asked, other) = if one.question().is_some() { (&mut one, &mut two) } else { (&mut two, &mut one) };
    let revision = asked.question().expect("one of them is asked")["revision"].as_u64().expect("a number");
    let answers = asked.shown["view"]["answers"].clone();
    let wrong = [
        (json!({ "type": "answer", "revision": revision, "index": 9_999 }), "out-of-range"),
        (json!({ "type": "answer", "revision": revision + 1, "index": 0 }), "stale-revision"),
        (json!({ "type": "answer", "revision": "x", "index": 0 }), "bad-request"),
        (json!({ "type": "save" }), "bad-request"),
        (json!({ "type": "hand", "seat": "player_9" }), "unknown-player"),
        (json!({ "type": "why", "about": "piece:99999" }), "unknown-handle"),
        (json!([1, 2]), "bad-request"),
    ];
    for (message, code) in wrong {
        asked.send(message.clone());
        assert_eq!(asked.until(|reply| reply["type"] == "problem")["code"], code, "{message}");
    }
    other.send(json!({ "type": "answer", "revision": revision, "index": 0 }));
    assert_eq!(other.until(|reply| reply["type"] == "problem")["code"], "not-asked");
    assert_eq!(asked.shown["view"]["answers"], answers);
    // A message that is too large ends the connection, and nothing else.
    asked.socket.send(Message::text("x".repeat(100_000))).ok();
    other.send(json!({ "type": "say", "text": "<b>still here</b>\u{202e}" }));
    let told = other.until(|message| message["talk"].get(0).is_some());
    assert!(told["talk"][0]["text"].as_str().is_some_and(|text| text.starts_with("<b>still here")));
    assert!(!other.heard.concat().contains('\u{202e}'), "a character that turns text around is escaped");
}

#[test]
fn a_table_goes_on_after_the_server_was_killed() {
    let folder = Scratch::new("web-restart");
    let (table, link, answers, cookie) = {
        let server = Server::start(folder.path(), &[]);
        let opened = server.open("skara-brae", json!([null, "random"]));
        let table = opened["table"].as_str().expect("it has an id").to_string();
        let mut seat = server.sit(&table, &opened["seats"][0]);
        seat.next();
        for _ in 0..6 {
            assert!(seat.asked());
            seat.answer(0);
        }
        assert!(seat.asked());
        (table, opened["seats"][0].clone(), seat.shown["view"].clone(), seat.cookie.clone())
    };
    let server = Server::start(folder.path(), &[]);
    let mut seat = server.sit(&table, &link);
    let hello = seat.next();
    assert_eq!(hello["type"], "hello");
    seat.until(|message| message["type"] == "table");
    // Pieces get new handles, as after a long undo.
    assert_eq!(without_handles(&seat.shown["view"]), without_handles(&answers), "the table is the one that was left");
    // The cookie of before is still good.
    assert!(Seat::connect(&server.address, &table, "player_1", &cookie).is_ok());
    seat.answer(0);
}

#[test]
fn an_answer_is_taken_back_when_all_agree() {
    let folder = Scratch::new("web-undo");
    let server = Server::start(folder.path(), &[]);
    let opened = server.open("reversi", json!([null, null]));
    let table = opened["table"].as_str().expect("it has an id");
    let mut one = server.sit(table, &opened["seats"][0]);
    let mut two = server.sit(table, &opened["seats"][1]);
    assert!(one.asked());
    one.answer(0);
    assert!(two.asked());
    two.answer(0);
    // The other one has answered since.
    one.send(json!({ "type": "undo" }));
    let wish = two.until(|message| !message["wish"].is_null());
    assert_eq!(wish["wish"], json!({ "by": "player_1", "waits_for": ["player_2"] }));
    // What was sent before the wish says the same as what is sent after it was refused.
    one.until(|message| !message["wish"].is_null());
    two.send(json!({ "type": "agree", "yes": false }));
    one.until(|message| message["type"] == "table" && message["view"]["answers"] == 2 && message["wish"].is_null());
    one.send(json!({ "type": "undo" }));
    two.until(|message| !message["wish"].is_null());
    two.send(json!({ "type": "agree", "yes": true }));
    let back = one.until(|message| message["type"] == "table" && message["view"]["answers"] == 0);
    assert_eq!(back["view"]["undone"], 1);
}

/// Two games that differ only in what a seat cannot see send this seat the very same bytes.
#[test]
fn a_seat_is_sent_nothing_that_it_may_not_see() {
    let folder = Scratch::new("web-secrets");
    let server = Server::start(folder.path(), &[]);
    // Everybody bids at the same time: what the other one has chosen must not show before both have.
    let bids = |other: usize| {
        let opened = server.open("goofspiel", json!([null, null]));
        let table = opened["table"].as_str().expect("it has an id").to_string();
        let mut one = server.sit(&table, &opened["seats"][0]);
        one.until(|message| message["type"] == "table");
        let mut two = server.sit(&table, &opened["seats"][1]);
        assert!(two.asked());
        let revision = two.question().expect("it is asked")["revision"].clone();
        two.send(json!({ "type": "answer", "revision": revision, "index": other }));
        two.until(|message| message["type"] == "table" && message["questions"] == json!([]));
        // A line of talk shows that everything before it has arrived.
        two.send(json!({ "type": "say", "text": "chosen" }));
        one.until(|message| message["talk"].get(0).is_some());
        let heard: Vec<String> = one.heard.iter().filter(|text| text.contains("\"type\":\"table\"")).cloned().collect();
        heard.last().cloned().expect("the table was shown")
    };
    assert_eq!(bids(0), bids(5));
}

#[cfg(not(feature = "sqlite"))]
#[test]
fn a_program_without_the_database_says_how_to_build_it() {
    let called = std::process::Command::new(env!("CARGO_BIN_EXE_rulepack"))
        .args(["serve", "--listen", "127.0.0.1:0", "--storage", "sqlite"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("the program runs");
    assert_eq!(called.status.code(), Some(2));
    let told = String::from_utf8_lossy(&called.stderr);
    assert!(told.contains("cargo build --release --features sqlite"), "{told}");
}
