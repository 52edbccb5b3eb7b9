//! An editor, as far as the server sees it: it opens and changes files, asks, and keeps the findings that it is told.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// No answer takes nearly as long.
const LONGEST: Duration = Duration::from_secs(120);

pub struct Editor {
    child: Child,
    stdin: ChildStdin,
    messages: Receiver<Value>,
    asked: u64,
    version: u64,
    /// The text of each open file.
    texts: BTreeMap<String, String>,
    /// The findings of each file that was told of, and for which version.
    found: BTreeMap<String, (Option<u64>, Vec<Value>)>,
}

impl Editor {
    /// Starts the server in a language.
    #[track_caller]
    pub fn start(language: &str) -> Editor {
        let mut child = Command::new(env!("CARGO_BIN_EXE_rulepack"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the program runs");
        let stdin = child.stdin.take().expect("it is piped");
        let mut stdout = BufReader::new(child.stdout.take().expect("it is piped"));
        let (sender, messages) = channel();
        std::thread::spawn(move || {
            loop {
                let mut length = 0;
                loop {
                    let mut line = String::new();
                    if stdout.read_line(&mut line).unwrap_or(0) == 0 {
                        return;
                    }
                    if let Some(number) = line.strip_prefix("Content-Length: ") {
                        length = number.trim().parse().expect("it is a number");
                    }
                    if line.trim().is_empty() {
                        break;
                    }
                }
                let mut body = vec![0; length];
                stdout.read_exact(&mut body).expect("the message is whole");
                if sender.send(serde_json::from_slice(&body).expect("it is JSON")).is_err() {
                    return;
                }
            }
        });
        let (texts, found) = (BTreeMap::new(), BTreeMap::new());
        let mut editor = Editor { child, stdin, messages, asked: 0, version: 0, texts, found };
        let options = json!({ "processId": null, "rootUri": null, "capabilities": {}, "initializationOptions": { "language": language } });
        let answer = editor.ask("initialize", options);
        assert_eq!(answer["capabilities"]["textDocumentSync"]["change"], 2, "{answer}");
        editor.tell("initialized", json!({}));
        editor
    }

    fn send(&mut self, mut message: Value) {
        message["jsonrpc"] = json!("2.0");
        let body = message.to_string();
        write!(self.stdin, "Content-Length: {}\r\n\r\n{body}", body.len()).expect("the server reads");
        self.stdin.flush().expect("the server reads");
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        self.send(json!({ "method": method, "params": params }));
    }

    /// The next message; findings are kept.
    #[track_caller]
    fn next(&mut self) -> Value {
        let message = self.messages.recv_timeout(LONGEST).expect("the server says something");
        assert_ne!(message["method"], "window/logMessage", "{message}");
        if message["method"] == "textDocument/publishDiagnostics" {
            let params = &message["params"];
            let uri = params["uri"].as_str().expect("it names a file").to_string();
            let all = params["diagnostics"].as_array().expect("it is a list").clone();
            self.found.insert(uri, (params["version"].as_u64(), all));
        }
        message
    }

    /// The whole answer to a question, also one that refuses.
    #[track_caller]
    pub fn ask_whole(&mut self, method: &str, params: Value) -> Value {
        self.asked += 1;
        let id = self.asked;
        self.send(json!({ "id": id, "method": method, "params": params }));
        loop {
            let message = self.next();
            if message["id"] == id && message["method"].is_null() {
                return message;
            }
        }
    }

    #[track_caller]
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let answer = self.ask_whole(method, params);
        assert!(answer["error"].is_null(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Opens a file; `text` stands in for what is on the disk.
    #[track_caller]
    pub fn open_as(&mut self, path: &Path, text: &str) -> String {
        let uri = uri(path);
        self.version += 1;
        let language = if uri.ends_with(".lua") { "lua" } else { "toml" };
        let document = json!({ "uri": uri, "languageId": language, "version": self.version, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
        self.texts.insert(uri.clone(), text.to_string());
        uri
    }

    #[track_caller]
    pub fn open(&mut self, path: &Path) -> String {
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        self.open_as(path, &text)
    }

    pub fn text(&self, uri: &str) -> &str {
        &self.texts[uri]
    }

    /// Replaces a part of an open file by a change of exactly that part.
    #[track_caller]
    pub fn replace(&mut self, uri: &str, was: &str, now: &str) {
        let text = self.texts[uri].clone();
        let at = text.find(was).unwrap_or_else(|| panic!("`{was}` is not in {uri}"));
        let range = json!({ "start": place(&text, at), "end": place(&text, at + was.len()) });
        self.version += 1;
        let params = json!({
            "textDocument": { "uri": uri, "version": self.version },
            "contentChanges": [{ "range": range, "text": now }],
        });
        self.tell("textDocument/didChange", params);
        self.texts.insert(uri.to_string(), text.replacen(was, now, 1));
    }

    pub fn close(&mut self, uri: &str) {
        self.tell("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
        self.texts.remove(uri);
    }

    /// The findings in a file, once they are about its last change, and how long that took.
    #[track_caller]
    pub fn findings(&mut self, uri: &str) -> (Vec<Value>, Duration) {
        let (began, wanted) = (Instant::now(), self.version);
        loop {
            if let Some((Some(version), found)) = self.found.get(uri)
                && *version == wanted
            {
                let found = found.clone();
                self.found.remove(uri);
                return (found, began.elapsed());
            }
            assert!(began.elapsed() < LONGEST, "no findings about {uri}");
            self.next();
        }
    }

    /// A place in an open file: `offset` bytes behind the beginning of a text that stands there.
    #[track_caller]
    pub fn at(&self, uri: &str, needle: &str, offset: usize) -> Value {
        let text = &self.texts[uri];
        let start = text.find(needle).unwrap_or_else(|| panic!("`{needle}` is not in {uri}"));
        json!({ "textDocument": { "uri": uri }, "position": place(text, start + offset) })
    }

    /// The quick fixes at a place: title and the file's text after the edit.
    #[track_caller]
    pub fn fixes(&mut self, uri: &str, range: &Value) -> Vec<(String, String)> {
        let params = json!({ "textDocument": { "uri": uri }, "range": range, "context": { "diagnostics": [] } });
        let actions = self.ask("textDocument/codeAction", params);
        let actions = actions.as_array().expect("it is a list").clone();
        let one = |action: &Value| {
            let edits = action["edit"]["changes"][uri].as_array().cloned().unwrap_or_default();
            (action["title"].as_str().expect("it has a title").to_string(), edited(&self.texts[uri], &edits))
        };
        actions.iter().map(one).collect()
    }

    /// Ends the server as the protocol wants it, and sees that it ends well.
    #[track_caller]
    pub fn end(mut self) {
        self.ask_whole("shutdown", Value::Null);
        self.tell("exit", Value::Null);
        let began = Instant::now();
        while began.elapsed() < LONGEST {
            if let Some(status) = self.child.try_wait().expect("the child is ours") {
                assert!(status.success(), "the server ends with {status}");
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        panic!("the server does not end");
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

pub fn uri(path: &Path) -> String {
    let shown = path.to_string_lossy().replace('\\', "/");
    format!("file://{}{shown}", if shown.starts_with('/') { "" } else { "/" })
}

/// Line and column of a byte, in units of UTF-16.
pub fn place(text: &str, byte: usize) -> Value {
    let before = &text[..byte];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    json!({ "line": line, "character": text[start..byte].encode_utf16().count() })
}

/// The byte of a place.
pub fn byte(text: &str, place: &Value) -> usize {
    let line = place["line"].as_u64().expect("it is a number") as usize;
    let start: usize = text.split_inclusive('\n').take(line).map(str::len).sum();
    let mut left = place["character"].as_u64().expect("it is a number") as usize;
    let mut at = start;
    for letter in text[start..].chars() {
        if left == 0 {
            break;
        }
        left = left.saturating_sub(letter.len_utf16());
        at += letter.len_utf8();
    }
    at
}

/// A text after some edits.
pub fn edited(text: &str, edits: &[Value]) -> String {
    let mut all: Vec<(usize, usize, &str)> = edits
        .iter()
        .map(|edit| {
            let range = &edit["range"];
            let new = edit["newText"].as_str().expect("it has a text");
            (byte(text, &range["start"]), byte(text, &range["end"]), new)
        })
        .collect();
    all.sort_unstable();
    let mut new = text.to_string();
    for (start, end, with) in all.into_iter().rev() {
        new.replace_range(start..end, with);
    }
    new
}
