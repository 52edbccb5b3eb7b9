//! A server of its own for each test, over HTTP and WebSocket on loopback, and the seats that are connected to it.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::{Message, WebSocket};

pub const LONGEST: Duration = Duration::from_secs(60);

/// A running server. It is killed when the test ends, also by a panic.
pub struct Server {
    pub child: Child,
    pub address: String,
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Server {
    /// Serves the shipped packs at a free port of loopback; `tables` is the folder of its tables.
    pub fn start(tables: &Path, more: &[&str]) -> Server {
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
    pub fn raw(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(&self.address).expect("the server listens");
        stream.set_read_timeout(Some(LONGEST)).expect("a limit can be set");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut reply = String::new();
        stream.read_to_string(&mut reply).expect("it replies with text");
        let status = reply.split(' ').nth(1).and_then(|status| status.parse().ok());
        (status.unwrap_or_else(|| panic!("no status: {reply}")), reply)
    }

    pub fn get(&self, path: &str) -> (u16, String) {
        self.raw(&format!("GET {path} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", self.address))
    }

    pub fn post_from(&self, path: &str, origin: Option<&str>, body: &Value) -> (u16, String) {
        let body = body.to_string();
        let origin = origin.map_or(String::new(), |origin| format!("Origin: {origin}\r\n"));
        self.raw(&format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\n{origin}Content-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{body}",
            self.address,
            body.len()
        ))
    }

    pub fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        let (status, reply) = self.post_from(path, Some(&format!("http://{}", self.address)), body);
        let text = reply.split_once("\r\n\r\n").map_or("", |(_, text)| text);
        (status, serde_json::from_str(text).unwrap_or(Value::Null))
    }

    pub fn open(&self, pack: &str, seats: Value) -> Value {
        let (status, opened) = self
            .post("/api/tables", &json!({ "pack": pack, "seats": seats, "language": "en", "seed": 5, "hints": true }));
        assert_eq!(status, 200, "{opened}");
        opened
    }

    /// Sits down with the token of a link: the token becomes a cookie, and the cookie opens the connection.
    pub fn sit(&self, table: &str, link: &Value) -> Seat {
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

pub fn header<'r>(reply: &'r str, name: &str) -> Option<&'r str> {
    let head = reply.split("\r\n\r\n").next()?;
    head.lines().find_map(|line| {
        line.split_once(": ").filter(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    })
}

/// A connection of one viewer.
pub struct Seat {
    pub socket: WebSocket<TcpStream>,
    pub cookie: String,
    /// The last table that was shown.
    pub shown: Value,
    /// What this seat has been told, answer by answer.
    pub log: Vec<Value>,
    /// All texts that came, as they came.
    pub heard: Vec<String>,
}

impl Seat {
    pub fn connect(address: &str, table: &str, viewer: &str, cookie: &str) -> Result<Seat, u16> {
        let mut request =
            format!("ws://{address}/ws/{table}/{viewer}").into_client_request().expect("it is an address");
        let headers = request.headers_mut();
        headers.insert("Origin", HeaderValue::from_str(&format!("http://{address}")).expect("plain"));
        headers.insert("Cookie", HeaderValue::from_str(cookie).expect("plain"));
        let stream = TcpStream::connect(address).expect("the server listens");
        stream.set_read_timeout(Some(LONGEST)).expect("a limit can be set");
        match tungstenite::client(request, stream) {
            Ok((socket, _)) => {
                Ok(Seat { socket, cookie: cookie.to_string(), shown: Value::Null, log: Vec::new(), heard: Vec::new() })
            }
            Err(tungstenite::HandshakeError::Failure(tungstenite::Error::Http(reply))) => Err(reply.status().as_u16()),
            Err(error) => panic!("no connection: {error}"),
        }
    }

    /// The next message.
    pub fn next(&mut self) -> Value {
        loop {
            match self.socket.read().expect("the connection lives") {
                Message::Text(text) => return self.note(&text),
                Message::Close(_) => panic!("the server has closed the connection"),
                _ => {}
            }
        }
    }

    fn note(&mut self, text: &str) -> Value {
        self.heard.push(text.to_string());
        let message: Value = serde_json::from_str(text).expect("messages are JSON");
        if message["type"] == "table" {
            self.shown = message.clone();
            let from = message["log_from"].as_u64().and_then(|from| usize::try_from(from).ok());
            self.log.truncate(from.expect("a number"));
            self.log.extend(message["log"].as_array().cloned().unwrap_or_default());
        }
        message
    }

    /// Reads what has come, and waits for so long if nothing has; false if the connection is gone.
    pub fn hears_within(&mut self, wait: Duration) -> bool {
        self.socket.get_ref().set_read_timeout(Some(wait)).expect("a limit can be set");
        let lives = loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => drop(self.note(&text)),
                Ok(Message::Close(_)) => break false,
                Ok(_) => {}
                Err(tungstenite::Error::Io(error))
                    if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) =>
                {
                    break true;
                }
                Err(_) => break false,
            }
        };
        self.socket.get_ref().set_read_timeout(Some(LONGEST)).expect("a limit can be set");
        lives
    }

    /// Reads until a message fits.
    pub fn until(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        let began = Instant::now();
        loop {
            let message = self.next();
            if fits(&message) {
                return message;
            }
            assert!(began.elapsed() < LONGEST, "it did not come; the last one was {message}");
        }
    }

    pub fn send(&mut self, message: Value) {
        self.socket.send(Message::text(message.to_string())).expect("the connection lives");
    }

    pub fn question(&self) -> Option<&Value> {
        self.shown["questions"].get(0)
    }

    pub fn is_over(&self) -> bool {
        !self.shown["view"]["table"]["outcome"].is_null()
    }

    /// Waits until this seat is asked or the game is over.
    pub fn asked(&mut self) -> bool {
        while self.question().is_none() && !self.is_over() {
            self.next();
        }
        !self.is_over()
    }

    /// Gives an answer, and waits for the table after it.
    pub fn answer(&mut self, index: usize) {
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

/// A view or an entry of a log without the handles of pieces, which are new after a restart.
pub fn without_handles(view: &Value) -> Value {
    match view {
        Value::Object(entries) => entries
            .iter()
            .filter(|(key, _)| *key != "handle" && *key != "piece")
            .map(|(key, value)| (key.clone(), without_handles(value)))
            .collect(),
        Value::Array(items) => items.iter().map(without_handles).collect(),
        plain => plain.clone(),
    }
}
