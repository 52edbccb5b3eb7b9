//! Tables in a browser, over HTTP and WebSocket on loopback: who may do what, whole games, and restarts.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::{Message, WebSocket};

use crate::support::Scratch;

const LONGEST: Duration = Duration::from_secs(60);

/// A running server. It is killed when the test ends, also by a panic.
struct Server {
    child: Child,
    address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// Serves the shipped packs at a free port of loopback; `tables` is the folder of its tables.
    fn start(tables: &Path, more: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rulepack"))
            .args(["serve", "--listen", "127.0.0.1:0", "--tables"])
            .arg(tables)
            .args(more)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut told = BufReader::new(child.stderr.take().expect("it is piped"));
        let mut line = String::new();
        told.read_line(&mut line).expect("it says where it listens");
        let address = line.split_whitespace().find_map(|word| word.strip_prefix("http://"));
        let address = address.unwrap_or_else(|| panic!("no address: {line}")).to_string();
        Server { child, address }
    }

    /// Sends a request as written, and gives the status and the whole reply.
    fn raw(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).expect("the server listens");
        stream.set_read_timeout(Some(LONGEST)).expect("a limit can be set");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("it replies with text");
        let status = reply.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.unwrap_or_else(|| panic!("no status: {reply}")), reply)
    }

    fn get(&self, path: &str) -> (u16, String) {
        self.raw(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address))
    }

    fn post_from(&self, path: &str, origin: Option<&str>, body: &Value) -> (u16, String) {
        let body = body.to_string();
        let origin = origin.map_or(String::new(), |origin| format!("Origin: {origin}\r\n"));
        self.raw(&format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\n{origin}Content-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{body}",
            self.address,
            body.len()
        ))
    }

    fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let (status, reply) = self.post_from(path, Some(&format!("http://{}", self.address)), body);
        let text = reply.split_once("\r\n\r\n").map_or("", |(_, text)| text);
        (status, serde_json::from_str(text).unwrap_or(Value::Null))
    }

    fn open(&self, pack: &str, seats: Value) -> Value {
        let (status, opened) = self
            .post("/api/tables", &json!({ "pack": pack, "seats": seats, "language": "en", "seed": 5, "hints": true }));
        assert_eq!(status, 200, "{opened}");
        opened
    }

    /// Sits down with the token of a link: the token becomes a cookie, and the cookie opens the connection.
    fn sit(&self, table: &str, link: &Value) -> Seat {
        let origin = format!("http://{}", self.address);
        let body = json!({ "table": table, "token": link["token"] });
        let (status, reply) = self.post_from("/api/enter", Some(&origin), &body);
        assert_eq!(status, 200, "{reply}");
        let cookie = header(&reply, "set-cookie").expect("a cookie is set");
        assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{cookie}");
        let cookie = cookie.split(';').next().expect("it has a value").to_string();
        let viewer = link["viewer"].as_str().expect("a link names its viewer").to_string();
        Seat::connect(&self.address, table, &viewer, &cookie).expect("the seat is free")
    }
}

fn header<'r>(reply: &'r str, name: &str) -> Option<&'r str> {
    let head = reply.split("\r\n\r\n").next()?;
    head.lines().find_map(|line| {
        line.split_once(": ").filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    })
}

/// A connection of one viewer.
struct Seat {
    socket: WebSocket<TcpStream>,
    cookie: String,
    /// The last table that was shown.
    shown: Value,
    /// All texts that came, as they came.
    heard: Vec<String>,
}

impl Seat {
    fn connect(address: &str, table: &str, viewer: &str, cookie: &str) -> Result<Seat, u16> {
        let mut request =
            format!("ws://{address}/ws/{table}/{viewer}").into_client_request().expect("it is an address");
        let headers = request.headers_mut();
        headers.insert("Origin", HeaderValue::from_str(&format!("http://{address}")).expect("plain"));
        headers.insert("Cookie", HeaderValue::from_str(cookie).expect("plain"));
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_read_timeout(Some(LONGEST)).expect("a limit can be set");
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => Ok(Seat { socket, cookie: cookie.to_string(), shown: Value::Null, heard: Vec::new() }),
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(reply))) => Err(reply.status().as_u16()),
            Err(error) => panic!("no connection: {error}"),
        }
    }

    /// The next message.
    fn next(&mut self) -> Value {
        loop {
            match self.socket.read().expect("the connection lives") {
                Message::Text(text) => {
                    self.heard.push(text.to_string());
                    let message: Value = serde_json::from_str(&text).expect("messages are JSON");
                    if message["type"] == "table" {
                        self.shown = message.clone();
                    }
                    return message;
                }
                Message::Close(_) => panic!("the server has closed the connection"),
                _ => {}
            }
        }
    }

    /// Reads until a message fits.
    fn until(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let message = self.next();
            if fits(&message) {
                return message;
            }
            assert!(began.elapsed() < LONGEST, "it did not come; the last one was {message}");
        }
    }

    fn send(&mut self, message: Value) {
        self.socket.send(Message::text(message.to_string())).expect("the connection lives");
    }

    fn question(&self) -> Option<&Value> {
        self.shown["questions"].get(0)
    }

    fn is_over(&self) -> bool {
        !self.shown["view"]["table"]["outcome"].is_null()
    }

    /// Waits until this seat is asked or the game is over.
    fn asked(&mut self) -> bool {
        while self.question().is_none() && !self.is_over() {
            self.next();
        }
        !self.is_over()
    }

    /// Gives an answer, and waits for the table after it.
    fn answer(&mut self, index: usize) {
        let revision = self.question().expect("the seat is asked")["revision"].clone();
        let before = self.shown["view"]["answers"].clone();
        let answer = json!({ "type": "answer", "revision": revision, "index": index });
        self.send(answer.clone());
        loop {
            let message = self.until(|message| {
                message["type"] == "problem" || message["type"] == "table" && message["view"]["answers"] != before
            });
            if message["type"] == "table" {
                return;
            }
            // A person is not as fast: the server asks to wait.
            assert_eq!(message["code"], "too-many-messages");
            std::thread::sleep(Duration::from_millis(300));
            self.send(answer.clone());
        }
    }
}

/// A view without the handles of its pieces.
fn without_handles(view: &Value) -> Value {
    match view {
        Value::Object(entries) => entries
            .iter()
            .filter(|(key, _)| *key != "handle")
            .map(|(key, value)| (key.clone(), without_handles(value)))
            .collect(),
        Value::Array(items) => items.iter().map(without_handles).collect(),
        plain => plain.clone(),
    }
}

#[test]
fn the_page_is_served_with_a_strict_policy() {
    let folder = Scratch::new("web-page");
    let server = Server::start(folder.path(), &["settlement"]);
    let mut size = 0;
    for path in ["/", "/style.css", "/main.js", "/lobby.js", "/table.js", "/board.js", "/dom.js", "/words.js"] {
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
