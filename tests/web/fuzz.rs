//! Clients that mean harm, on loopback, for a few seconds: wrong seats, stale questions, garbage, huge and slow messages, many
//! connections. Meanwhile a game is played as always, and nobody hears or does what they may not.
//!
//! `RULEPACK_FUZZ_SECONDS=60 cargo test --test integration web::fuzz -- --nocapture` does it for as long.

use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use rulepack_kernel::Rng;
use serde_json::{Value, json};
use tungstenite::Message;

use crate::support::Scratch;
use crate::web::server::{Seat, Server};

const SECONDS: u64 = 4;
/// Connections that say nothing, or one byte now and then.
const SILENT: usize = 1_000;

/// What the attackers know, and what they have done.
struct Attack<'a> {
    server: &'a Server,
    /// Two tables with the link that the attackers have: the second seat of one, and that of spectators of the other.
    tables: [(&'a str, &'a Value); 2],
    ends: &'a AtomicBool,
    messages: &'a AtomicUsize,
}

impl Attack<'_> {
    fn goes_on(&self) -> bool {
        self.messages.fetch_add(1, Ordering::Relaxed);
        !self.ends.load(Ordering::Relaxed)
    }

    /// Opens many connections, and says nothing but a byte now and then.
    fn is_silent(&self) -> usize {
        let mut open: Vec<TcpStream> = Vec::new();
        let began = Instant::now();
        while self.goes_on() || (open.len() < SILENT && began.elapsed() < Duration::from_secs(60)) {
            if open.len() < SILENT {
                open.extend(TcpStream::connect(&self.server.address));
                continue;
            }
            for stream in &mut open {
                // The server hangs up after a while.
                let _ = stream.write_all(b"G");
            }
            thread::sleep(Duration::from_millis(100));
        }
        open.len()
    }

    /// Sends what is no HTTP, half a request, or one that is too large, and hangs up.
    fn bytes(&self, mut chance: Rng) {
        while self.goes_on() {
            let Ok(mut stream) = TcpStream::connect(&self.server.address) else { continue };
            stream.set_read_timeout(Some(Duration::from_millis(200))).expect("a limit can be set");
            let host = &self.server.address;
            let (table, _) = self.tables[0];
            let text: Vec<u8> = match chance.below(6) {
                0 => (0..chance.below(2_000)).map(|_| chance.below(256) as u8).collect(),
                1 => format!("GET /{} HTTP/1.1\r\nHost: {host}\r\n\r\n", "a/".repeat(4_000)).into_bytes(),
                2 => format!("GET / HTTP/1.1\r\nHost: {host}\r\nX: {}\r\n\r\n", "x".repeat(60_000)).into_bytes(),
                3 => format!("POST /api/tables HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Type: application/json\r\nContent-Length: 99999999\r\n\r\n{{").into_bytes(),
                4 => format!("GET /ws/{table}/player_1 HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nCookie: rulepack_{table}_player_1={:032x}\r\n\r\n", chance.next_u64()).into_bytes(),
                _ => format!("POST /api/enter HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{{\"table\": [[[[[[[[[[").into_bytes(),
            };
            // The server may hang up before it has read everything.
            let _ = stream.write_all(&text);
            let mut reply = [0_u8; 400];
            let read = stream.read(&mut reply).unwrap_or(0);
            let reply = String::from_utf8_lossy(reply.get(..read).unwrap_or_default()).into_owned();
            assert!(!reply.starts_with("HTTP/1.1 2") && !reply.starts_with("HTTP/1.1 101"), "{reply}");
        }
    }

    /// Sits down with an own link and sends what that seat may not send.
    fn messages(&self, table: &str, link: &Value, mut chance: Rng) -> Vec<String> {
        let mut heard = Vec::new();
        while self.goes_on() {
            let mut seat = self.server.sit(table, link);
            for _ in 0..chance.below(60) {
                if !self.goes_on() {
                    break;
                }
                let number = chance.next_u64() % 40;
                let message = match chance.below(11) {
                    0 => Message::text("{".repeat(chance.below(300) as usize)),
                    1 => Message::text("[".repeat(9_000)),
                    2 => Message::binary(vec![0_u8; 10]),
                    3 => Message::text(json!({ "type": "answer", "revision": number, "index": 70_000 }).to_string()),
                    4 => Message::text(json!({ "type": "answer", "revision": u64::MAX, "index": number }).to_string()),
                    5 => Message::text(json!({ "type": "hand", "seat": "player_1", "bot": "mcts:100" }).to_string()),
                    6 => Message::text(json!({ "type": "why", "about": format!("piece:{number}") }).to_string()),
                    7 => Message::text(json!({ "type": "why", "what": "x".repeat(9_000) }).to_string()),
                    8 => Message::text("x".repeat(chance.below(200_000) as usize)),
                    9 => Message::text(json!({ "type": "agree", "yes": true }).to_string()),
                    _ => Message::text(json!({ "type": "say", "text": "\u{202e}<script>\u{0}" }).to_string()),
                };
                if seat.socket.send(message).is_err() || !seat.hears_within(Duration::from_millis(2)) {
                    break;
                }
            }
            heard.append(&mut seat.heard);
        }
        heard
    }
}

/// Plays a game as always, against a bot: each answer is confirmed, and nobody else answers for this seat.
fn play(seat: &mut Seat, ends: &AtomicBool) -> Duration {
    let (mut given, mut slowest) = (0, Duration::ZERO);
    while !ends.load(Ordering::Relaxed) && seat.asked() {
        let began = Instant::now();
        seat.answer(0);
        slowest = slowest.max(began.elapsed());
        given += 1;
        let own = seat.log.iter().filter(|entry| entry["player"] == "player_1").count();
        assert_eq!(own, given, "nobody else has answered for this seat");
        thread::sleep(Duration::from_millis(150));
    }
    slowest
}

#[test]
fn clients_that_mean_harm_reach_nothing() {
    let seconds = std::env::var("RULEPACK_FUZZ_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(SECONDS);
    let folder = Scratch::new("web-fuzz");
    let mut server = Server::start(folder.path(), &["--most-tables", "20"]);
    let played = server.open("settlement", json!([null, "random"]));
    let still = server.open("hearts", json!([null, null, null, null]));
    let id = |opened: &Value| opened["table"].as_str().expect("it has an id").to_string();
    let (played_id, still_id) = (id(&played), id(&still));
    let mut honest = server.sit(&played_id, &played["seats"][0]);
    let mut idle = server.sit(&still_id, &still["seats"][0]);
    idle.until(|message| message["type"] == "table");
    let (ends, messages) = (AtomicBool::new(false), AtomicUsize::new(0));
    let tables = [(still_id.as_str(), &still["seats"][1]), (played_id.as_str(), &played["spectators"])];
    let attack = Attack { server: &server, tables, ends: &ends, messages: &messages };
    let (heard, slowest) = thread::scope(|scope| {
        let attack = &attack;
        let silent = scope.spawn(move || attack.is_silent());
        let bytes: Vec<_> = (0..2).map(|seed| scope.spawn(move || attack.bytes(Rng::new(seed)))).collect();
        let seats: Vec<_> = attack
            .tables
            .into_iter()
            .map(|(table, link)| scope.spawn(move || attack.messages(table, link, Rng::new(7))))
            .collect();
        let playing = scope.spawn(|| play(&mut honest, &ends));
        let until = Instant::now() + Duration::from_secs(seconds);
        while Instant::now() < until && !playing.is_finished() {
            thread::sleep(Duration::from_millis(50));
        }
        ends.store(true, Ordering::Relaxed);
        let slowest = playing.join().expect("the game goes on");
        assert_eq!(silent.join().expect("it connects"), SILENT, "so many connections were open");
        bytes.into_iter().for_each(|thread| thread.join().expect("nothing was let in"));
        let heard: Vec<String> = seats.into_iter().flat_map(|thread| thread.join().expect("it sits")).collect();
        (heard, slowest)
    });
    let attempts = messages.load(Ordering::Relaxed);
    println!("{attempts} attempts in {seconds} s; the slowest answer of the game took {slowest:?}");
    assert!(heard.len() > 20, "they were told something: {}", heard.len());
    let secrets: Vec<&str> = [&played, &still]
        .into_iter()
        .flat_map(|opened| opened["seats"].as_array().into_iter().flatten())
        .filter_map(|link| link["token"].as_str())
        .collect();
    assert_eq!(secrets.len(), 6);
    heard.iter().for_each(|text| tells_nothing_hidden(text, &secrets));
    // Nothing has happened at the other table, and the seat there was not given to a bot.
    idle.hears_within(Duration::from_millis(200));
    assert_eq!((&idle.shown["view"]["answers"], &idle.shown["seats"][0]["bot"]), (&json!(0), &Value::Null));
    assert!(server.child.try_wait().expect("it can be asked").is_none(), "the server is up");
    assert_eq!(server.get("/health").0, 200);
    assert!(server.get("/metrics").1.contains("rulepack_tables 2"), "no other table was opened");
}

/// Fails if a message shows the hand of another player, or a secret.
fn tells_nothing_hidden(text: &str, secrets: &[&str]) {
    let message: Value = serde_json::from_str(text).expect("messages are JSON");
    let viewer = &message["view"]["viewer"];
    for zone in message["view"]["table"]["zones"].as_array().into_iter().flatten() {
        if zone["id"] == "hand" && zone["owner"] != *viewer {
            assert_eq!(zone["spaces"][0]["pieces"], json!([]), "a hand of another player is shown: {text}");
        }
    }
    assert!(!secrets.iter().any(|secret| text.contains(secret)), "a secret is told: {text}");
}
