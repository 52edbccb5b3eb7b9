//! The language server: takes over what the editor shows, tells findings, and answers questions about files.
//!
//! Everything runs in one thread but the whole check (`background.rs`). A change is answered in two steps: at once what one way to play
//! shows, later what all of them show. Nothing here writes a file.

mod background;
mod colours;
mod complete;
mod context;
mod document;
mod find;
mod findings;
mod fixes;
mod hover;
mod lines;
mod outline;
mod rename;
mod room;

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, never, select};
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::*;
use rulepack_tools::{PROJECT_FILE, Project};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use background::{Done, Job};
use document::{Document, FileSort, path_of, uri_of};
use findings::{Found, hash_of, project_findings};
use room::Room;

/// How long after a change nothing more must come before it is looked at.
const PAUSE: Duration = Duration::from_millis(40);

/// How long after the last change the whole check begins.
const LONG_PAUSE: Duration = Duration::from_millis(400);

/// The server, from the first message to the last.
pub(super) struct Server {
    sender: Sender<Message>,
    documents: BTreeMap<String, Document>,
    rooms: Vec<Room>,
    jobs: Sender<Job>,
    results: Receiver<Done>,
    language: Option<String>,
    /// Packs to look at, by the number of their room, and when.
    waiting: BTreeSet<(usize, String)>,
    look_at: Option<Instant>,
    /// Packs to check as a whole, and when.
    whole: BTreeSet<(usize, String)>,
    check_at: Option<Instant>,
    /// The number of the last change.
    number: u64,
    /// What the editor shows of each pack.
    told: BTreeMap<String, Vec<Found>>,
}

/// Serves an editor over standard input and output until it ends.
///
/// # Errors
/// If the editor breaks the protocol, or its end of the line is gone.
pub fn serve() -> Result<(), Box<dyn Error + Send + Sync>> {
    let (connection, threads) = Connection::stdio();
    serve_over(connection)?;
    threads.join()?;
    Ok(())
}

fn serve_over(connection: Connection) -> Result<(), Box<dyn Error + Send + Sync>> {
    let (id, params) = connection.initialize_start()?;
    let params: InitializeParams = serde_json::from_value(params)?;
    let result = serde_json::json!({
        "capabilities": capabilities(),
        "serverInfo": { "name": "rulepack", "version": env!("CARGO_PKG_VERSION") },
    });
    connection.initialize_finish(id, result)?;
    let (jobs, results) = background::begin();
    let language = params.initialization_options.as_ref().and_then(|options| options.get("language")?.as_str());
    let mut server = Server {
        sender: connection.sender.clone(),
        documents: BTreeMap::new(),
        rooms: Vec::new(),
        jobs,
        results,
        language: language.map(str::to_string),
        waiting: BTreeSet::new(),
        look_at: None,
        whole: BTreeSet::new(),
        check_at: None,
        number: 0,
        told: BTreeMap::new(),
    };
    server.run(&connection)
}

fn capabilities() -> ServerCapabilities {
    let triggers = [".", ":", "\"", "'", "[", " "];
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(TextDocumentSyncOptions {
            open_close: Some(true),
            change: Some(TextDocumentSyncKind::INCREMENTAL),
            save: Some(TextDocumentSyncSaveOptions::Supported(true)),
            ..TextDocumentSyncOptions::default()
        })),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(triggers.map(str::to_string).to_vec()),
            ..CompletionOptions::default()
        }),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: WorkDoneProgressOptions::default(),
        })),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX, CodeActionKind::SOURCE_FIX_ALL]),
            ..CodeActionOptions::default()
        })),
        document_symbol_provider: Some(OneOf::Left(true)),
        semantic_tokens_provider: Some(SemanticTokensServerCapabilities::SemanticTokensOptions(
            SemanticTokensOptions {
                legend: colours::legend(),
                full: Some(SemanticTokensFullOptions::Bool(true)),
                ..SemanticTokensOptions::default()
            },
        )),
        ..ServerCapabilities::default()
    }
}

impl Server {
    fn run(&mut self, connection: &Connection) -> Result<(), Box<dyn Error + Send + Sync>> {
        loop {
            let next = [self.look_at, self.check_at].into_iter().flatten().min();
            let wake = next.map_or_else(never, crossbeam_channel::at);
            select! {
                recv(connection.receiver) -> message => {
                    let Ok(message) = message else { return Ok(()) };
                    match message {
                        Message::Request(request) => {
                            if connection.handle_shutdown(&request)? {
                                return Ok(());
                            }
                            self.request(request);
                        }
                        Message::Notification(notification) => self.safely(|server| server.notification(notification)),
                        Message::Response(_) => {}
                    }
                }
                recv(self.results) -> done => {
                    if let Ok(done) = done {
                        self.safely(|server| server.done(done));
                    }
                }
                recv(wake) -> _ => self.safely(Server::due),
            }
        }
    }

    /// A mistake of ours must not end the server: the editor is told, and the next message is read.
    fn safely(&mut self, work: impl FnOnce(&mut Server)) {
        if catch_unwind(AssertUnwindSafe(|| work(self))).is_err() {
            let params =
                LogMessageParams { typ: MessageType::ERROR, message: "a message could not be worked on".into() };
            self.notify("window/logMessage", &params);
        }
    }

    fn notify(&self, method: &str, params: &impl Serialize) {
        let Ok(params) = serde_json::to_value(params) else { return };
        let _ = self.sender.send(Message::Notification(Notification { method: method.to_string(), params }));
    }

    fn request(&mut self, request: Request) {
        // An answer is about the text as it is now.
        if self.look_at.is_some() {
            self.safely(Server::sync);
        }
        let Request { id, method, params } = request;
        let answer = catch_unwind(AssertUnwindSafe(|| self.answer(&method, params)));
        let response = match answer {
            Ok(Ok(result)) => Response::new_ok(id, result),
            Ok(Err(Refused::Unknown)) => refused(id, ErrorCode::MethodNotFound, format!("`{method}` is not known")),
            Ok(Err(Refused::Params(why))) => refused(id, ErrorCode::InvalidParams, why),
            Ok(Err(Refused::Because(why))) => refused(id, ErrorCode::RequestFailed, why),
            Err(_) => refused(id, ErrorCode::InternalError, format!("`{method}` could not be answered")),
        };
        let _ = self.sender.send(Message::Response(response));
    }

    fn answer(&mut self, method: &str, params: Value) -> Result<Value, Refused> {
        match method {
            "textDocument/hover" => told(&self.hover(&read(params)?)),
            "textDocument/completion" => told(&self.complete(&read(params)?)),
            "textDocument/definition" => told(&self.definition(&read(params)?)),
            "textDocument/references" => told(&self.references(&read(params)?)),
            "textDocument/documentHighlight" => told(&self.highlights(&read(params)?)),
            "textDocument/prepareRename" => told(&self.prepare_rename(&read(params)?)?),
            "textDocument/rename" => told(&self.rename(&read(params)?)?),
            "textDocument/codeAction" => told(&self.fixes(&read(params)?)),
            "textDocument/documentSymbol" => told(&self.outline(&read(params)?)),
            "textDocument/semanticTokens/full" => told(&self.colours(&read(params)?)),
            _ => Err(Refused::Unknown),
        }
    }

    fn notification(&mut self, Notification { method, params }: Notification) {
        match method.as_str() {
            "textDocument/didOpen" => {
                let Ok(DidOpenTextDocumentParams { text_document: opened }) = serde_json::from_value(params) else {
                    return;
                };
                let Some(path) = path_of(&opened.uri) else { return };
                let key = opened.uri.as_str().to_string();
                self.documents.insert(key.clone(), Document::new(opened.uri, path, opened.version, opened.text));
                self.changed(&key, Duration::ZERO);
            }
            "textDocument/didChange" => {
                let Ok(DidChangeTextDocumentParams { text_document, content_changes }) = serde_json::from_value(params)
                else {
                    return;
                };
                let key = text_document.uri.as_str().to_string();
                if let Some(document) = self.documents.get_mut(&key) {
                    document.change(text_document.version, content_changes);
                    self.changed(&key, PAUSE);
                }
            }
            "textDocument/didClose" => {
                let Ok(DidCloseTextDocumentParams { text_document }) = serde_json::from_value(params) else { return };
                let key = text_document.uri.as_str();
                self.changed(key, PAUSE);
                self.documents.remove(key);
            }
            "textDocument/didSave" | "workspace/didChangeWatchedFiles" => {
                self.rooms.iter_mut().for_each(Room::reopen);
                let keys: Vec<String> = self.documents.keys().cloned().collect();
                keys.iter().for_each(|key| self.changed(key, PAUSE));
            }
            "workspace/didChangeConfiguration" => {
                let language = params.pointer("/settings/rulepack/language").and_then(Value::as_str);
                self.language =
                    language.filter(|language| !language.is_empty()).map(str::to_string).or(self.language.take());
            }
            _ => {}
        }
    }

    /// The room of a file, which is opened if there is none yet.
    fn room_of(&mut self, path: &std::path::Path) -> Option<usize> {
        if let Some(found) = self.rooms.iter().position(|room| room.holds(path)) {
            return Some(found);
        }
        self.rooms.push(Room::around(path)?);
        self.rooms.len().checked_sub(1)
    }

    /// A file was opened, changed or closed: the packs that it concerns are looked at after a while.
    fn changed(&mut self, key: &str, pause: Duration) {
        self.number += 1;
        let Some(path) = self.documents.get(key).map(|document| document.path.clone()) else { return };
        let now = Instant::now();
        if path.file_name().is_some_and(|name| name == PROJECT_FILE) {
            self.project(&path);
            return;
        }
        let Some(index) = self.room_of(&path) else { return };
        let Some(room) = self.rooms.get(index) else { return };
        let (pack, sort) = room.sort(&path);
        if sort == FileSort::Other {
            return;
        }
        let open = self.documents.values().filter_map(|document| room.sort(&document.path).0);
        let open: BTreeSet<String> = open.collect();
        let concerned: Vec<String> = match &pack {
            // Shared scripts concern every open pack.
            None => open.into_iter().collect(),
            Some(pack) => {
                let builds = |other: &String| room.library.load_order(other).contains(pack);
                open.into_iter().filter(|other| other != pack && builds(other)).chain([pack.clone()]).collect()
            }
        };
        for pack in concerned {
            self.waiting.insert((index, pack.clone()));
            self.whole.insert((index, pack));
        }
        // The first look at a pack does not wait, and somebody who types on and on is not left without findings.
        self.look_at = Some(self.look_at.map_or(now + pause, |before| (now + pause).min(before + 3 * PAUSE)));
        self.check_at = Some(now + LONG_PAUSE);
    }

    /// The project file has no packs around it.
    fn project(&mut self, path: &std::path::Path) {
        let Some(document) = self.documents.values().find(|document| document.path == path) else { return };
        let Some(folder) = path.parent() else { return };
        let project = Project::of_text(folder, PROJECT_FILE, document.text.to_string());
        let found = project_findings(&project, path);
        self.tell(PROJECT_FILE.to_string(), found);
    }

    fn sync(&mut self) {
        for (index, pack) in self.waiting.clone() {
            let Some(room) = self.rooms.get_mut(index) else { continue };
            room.sync(&self.documents);
            // The names of a pack that was just opened.
            if !room.packs.contains_key(&pack) {
                room.glance(&pack, &self.documents);
            }
        }
    }

    /// What is due by now: a look at changed packs, or the whole check.
    fn due(&mut self) {
        let now = Instant::now();
        if self.look_at.is_some_and(|at| at <= now) {
            self.look_at = None;
            for (index, pack) in std::mem::take(&mut self.waiting) {
                let Some(room) = self.rooms.get_mut(index) else { continue };
                room.sync(&self.documents);
                let mut found = room.glance(&pack, &self.documents);
                // What the whole check said of texts that have not changed since still holds.
                let before = self.told.get(&key_of(index, &pack)).cloned().unwrap_or_default();
                let sources = room.library.sources();
                let still = before.into_iter().filter(|old| {
                    let is_warning = old.shown.severity == Some(DiagnosticSeverity::WARNING);
                    let same = || room.text(&sources, &old.path).is_some_and(|text| hash_of(&text) == old.of);
                    is_warning && !found.contains(old) && same()
                });
                let still: Vec<Found> = still.collect();
                drop(sources);
                found.extend(still);
                self.tell(key_of(index, &pack), found);
            }
        }
        if self.check_at.is_some_and(|at| at <= now) {
            self.check_at = None;
            let texts: BTreeMap<PathBuf, Arc<str>> =
                self.documents.values().map(|document| (document.path.clone(), Arc::clone(&document.text))).collect();
            for (index, pack) in std::mem::take(&mut self.whole) {
                let Some(room) = self.rooms.get(index) else { continue };
                let folders = room.folders.clone();
                let _ = self.jobs.send(Job { folders, texts: texts.clone(), pack, number: self.number });
            }
        }
    }

    /// The result of a whole check; of an older text it is left out, because the next one is on its way.
    fn done(&mut self, done: Done) {
        if done.number != self.number {
            return;
        }
        let room = self.rooms.iter().position(|room| room.packs.contains_key(&done.pack));
        if let Some(index) = room {
            self.tell(key_of(index, &done.pack), done.found);
        }
    }

    /// Shows the findings of a pack, together with those of other packs in the same files.
    fn tell(&mut self, pack: String, found: Vec<Found>) {
        let before = self.told.insert(pack.clone(), found).unwrap_or_default();
        let now = self.told.get(&pack).into_iter().flatten();
        let paths: BTreeSet<PathBuf> = before.iter().chain(now).map(|found| found.path.clone()).collect();
        let open = self.documents.values().map(|document| document.path.clone());
        let paths: BTreeSet<PathBuf> = paths.into_iter().chain(open).collect();
        for path in paths {
            let mut diagnostics: Vec<Diagnostic> = Vec::new();
            for found in self.told.values().flatten().filter(|found| found.path == path) {
                if !diagnostics.contains(&found.shown) {
                    diagnostics.push(found.shown.clone());
                }
            }
            let open = self.documents.values().find(|document| document.path == path);
            let Some(uri) = open.map(|document| document.uri.clone()).or_else(|| uri_of(&path)) else { continue };
            let version = open.map(|document| document.version);
            self.notify("textDocument/publishDiagnostics", &PublishDiagnosticsParams { uri, diagnostics, version });
        }
    }
}

fn key_of(room: usize, pack: &str) -> String {
    format!("{room} {pack}")
}

/// Why a request has no result.
pub(super) enum Refused {
    Unknown,
    Params(String),
    Because(String),
}

fn refused(id: RequestId, code: ErrorCode, why: String) -> Response {
    Response::new_err(id, code as i32, why)
}

fn read<P: DeserializeOwned>(params: Value) -> Result<P, Refused> {
    serde_json::from_value(params).map_err(|error| Refused::Params(error.to_string()))
}

fn told(result: &impl Serialize) -> Result<Value, Refused> {
    serde_json::to_value(result).map_err(|error| Refused::Because(error.to_string()))
}
