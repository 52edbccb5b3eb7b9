//! Tables for programs in any language: each line is a request as JSON, and each gets one line as a reply.
//!
//! `docs/serve.md` describes the requests, `docs/serve.schema.json` is their schema. This file reads neither standard input nor
//! a network: the caller passes lines to [`Server::reply`].

// Input comes from strangers: no input may end the program.
#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

mod thinking;

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, BufRead};
use std::marker::PhantomData;
use std::path::PathBuf;

use rulepack_kernel::{Limits, Viewer};
use rulepack_model::{Seat, did_you_mean, visible};
use rulepack_pack::LinkRequest;
use rulepack_tools::{GameBox, Library, PackInfo};
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeOwned, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::log::Entry;
use crate::question::{PendingQuestion, Question};
use crate::refused::Refused;
use crate::seats::seat_of;
use crate::table::{Table, TableView, WhyNot};

/// The version of the protocol; another one means that a client must be changed.
pub const PROTOCOL: u32 = 1;
/// The largest length of a line; a longer one is refused without parsing it.
pub const LONGEST_LINE: usize = 16 << 20;
/// The largest number of tables that are open at a time.
const MOST_TABLES: usize = 1_000;
/// The largest number of lists of libraries that are kept open.
const MOST_LIBRARIES: usize = 8;

/// Why a request failed. Nothing has changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Failure {
    /// A name for programs; it never changes.
    pub code: String,
    /// A sentence for people; it may change.
    pub message: String,
}

impl Failure {
    fn new(code: &str, message: impl Into<String>) -> Failure {
        Failure { code: code.to_string(), message: message.into() }
    }
}

impl From<Refused> for Failure {
    fn from(refused: Refused) -> Failure {
        Failure::new(refused.code(), refused.to_string())
    }
}

/// The id by which a client matches a reply with its request.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
enum Id {
    #[default]
    None,
    Number(serde_json::Number),
    Text(String),
}

/// The parts of every request. `params` is read when the method is known.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Envelope {
    id: Id,
    method: String,
    #[serde(default, rename = "params")]
    _params: IgnoredAny,
}

#[derive(Deserialize)]
struct OnlyId {
    #[serde(default)]
    id: Id,
}

/// Accepts only an object: serde would also read a list of the values.
#[derive(Default)]
struct AsObject<T>(T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for AsObject<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Object<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Object<T> {
            type Value = AsObject<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<AsObject<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(AsObject)
            }
        }

        deserializer.deserialize_map(Object(PhantomData))
    }
}

#[derive(Deserialize)]
#[serde(bound = "P: DeserializeOwned")]
struct OnlyParams<P> {
    params: AsObject<P>,
}

#[derive(Serialize)]
struct Reply<T> {
    id: Id,
    #[serde(flatten)]
    outcome: Outcome<T>,
}

#[derive(Serialize)]
#[serde(rename_all = "snake_case")]
enum Outcome<T> {
    Result(T),
    Error(Failure),
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Packs {
    libraries: Vec<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Open {
    pack: String,
    #[serde(default)]
    with: Vec<String>,
    #[serde(default)]
    modes: Vec<String>,
    #[serde(default)]
    players: Option<u8>,
    #[serde(default)]
    seed: Option<u64>,
    #[serde(default)]
    language: String,
    #[serde(default)]
    libraries: Vec<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Load {
    text: String,
    #[serde(default)]
    language: String,
    #[serde(default)]
    libraries: Vec<PathBuf>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfTable {
    table: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct OfViewer {
    table: u64,
    #[serde(rename = "as")]
    viewer: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Answered {
    table: u64,
    #[serde(rename = "as")]
    viewer: String,
    revision: u64,
    index: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Undo {
    table: u64,
    answers: usize,
    #[serde(default)]
    also_reveals: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Since {
    table: u64,
    #[serde(rename = "as")]
    viewer: String,
    #[serde(default)]
    since: usize,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Why {
    table: u64,
    #[serde(rename = "as")]
    viewer: String,
    #[serde(default)]
    what: Option<String>,
    #[serde(default)]
    action: Option<String>,
    #[serde(default)]
    about: Option<String>,
}

#[derive(Serialize)]
struct Hello {
    program: &'static str,
    version: &'static str,
    protocol: u32,
}

#[derive(Serialize)]
struct PackList {
    packs: Vec<PackInfo>,
}

#[derive(Serialize)]
struct Opened {
    table: u64,
    pack: String,
    modes: Vec<String>,
    players: Vec<String>,
    answers: usize,
}

#[derive(Serialize)]
struct Questions {
    answers: usize,
    undone: u64,
    asked: Vec<PendingQuestion>,
    questions: Vec<Question>,
}

#[derive(Serialize)]
struct Entries {
    answers: usize,
    undone: u64,
    over: bool,
    entries: Vec<Entry>,
}

#[derive(Serialize)]
struct Moment {
    answers: usize,
    undone: u64,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
struct Nothing {}

/// Holds the open tables, and the libraries from which they are opened.
#[derive(Debug)]
pub struct Server {
    libraries: Vec<PathBuf>,
    limits: Limits,
    /// The open libraries, by their folders.
    open: BTreeMap<Vec<PathBuf>, Library>,
    tables: BTreeMap<u64, Table>,
    opened: u64,
    /// A seed for a table that is opened without one.
    any_seed: fn() -> u64,
}

impl Server {
    /// A server for packs in these folders, unless a request names others. `any_seed` gives a seed to a table for which the
    /// request has none.
    pub fn new(libraries: Vec<PathBuf>, limits: Limits, any_seed: fn() -> u64) -> Server {
        Server { libraries, limits, open: BTreeMap::new(), tables: BTreeMap::new(), opened: 0, any_seed }
    }

    /// The reply to a request, on one line. A wrong request of any sort gets an error and changes nothing.
    pub fn reply(&mut self, line: &[u8]) -> String {
        if line.len() > LONGEST_LINE {
            let message = format!("a line has at most {LONGEST_LINE} bytes");
            return written(Id::None, Err::<Nothing, _>(Failure::new("too-long", message)));
        }
        let Envelope { id, method, .. } = match serde_json::from_slice(line) {
            Ok(AsObject(envelope)) => envelope,
            Err(error) => {
                let is_json = serde_json::from_slice::<IgnoredAny>(line).is_ok();
                let code = if is_json { "bad-request" } else { "not-json" };
                let id = serde_json::from_slice(line).map_or(Id::None, |AsObject(OnlyId { id })| id);
                return written(id, Err::<Nothing, _>(Failure::new(code, error.to_string())));
            }
        };
        match method.as_str() {
            "hello" => written(id, Ok(hello())),
            "packs" => written(id, optional::<Packs>(line).and_then(|params| self.packs(params))),
            "open" => written(id, params(line).and_then(|params| self.open(params))),
            "load" => written(id, params(line).and_then(|params| self.load(&params))),
            "fork" => written(id, params(line).and_then(|params| self.fork(&params))),
            "view" => written(id, params(line).and_then(|params| self.view(&params))),
            "questions" => written(id, params(line).and_then(|params| self.questions(&params))),
            "answer" => written(id, params(line).and_then(|params| self.answer(&params))),
            "take_back" => written(id, params(line).and_then(|params| self.take_back(&params))),
            "undo" => written(id, params(line).and_then(|params| self.undo(&params))),
            "log" => written(id, params(line).and_then(|params| self.log(&params))),
            "why_not" => written(id, params(line).and_then(|params| self.why_not(&params))),
            "think" => written(id, params(line).and_then(|params| self.think(&params))),
            "save" => written(id, params(line).and_then(|params| self.save(&params))),
            "close" => written(id, params(line).and_then(|params| self.close(&params))),
            _ => {
                let known = METHODS.iter().copied();
                let hint = did_you_mean(&method, known).map_or(String::new(), |hint| format!("; {hint}"));
                written(
                    id,
                    Err::<Nothing, _>(Failure::new("unknown-method", format!("there is no method `{method}`{hint}"))),
                )
            }
        }
    }

    fn library(&mut self, folders: Vec<PathBuf>) -> Result<&Library, Failure> {
        let folders = if folders.is_empty() { self.libraries.clone() } else { folders };
        if !self.open.contains_key(&folders) {
            let library = Library::open(&folders).map_err(|error| Failure::new("bad-library", error.to_string()))?;
            if self.open.len() >= MOST_LIBRARIES {
                self.open.clear();
            }
            self.open.insert(folders.clone(), library.with_limits(self.limits));
        }
        self.open.get(&folders).ok_or_else(|| Failure::new("bad-library", "the library is not open"))
    }

    fn packs(&mut self, Packs { libraries }: Packs) -> Result<PackList, Failure> {
        Ok(PackList { packs: self.library(libraries)?.list() })
    }

    fn game_box(&mut self, libraries: Vec<PathBuf>, request: &LinkRequest) -> Result<GameBox, Failure> {
        let library = self.library(libraries)?;
        for pack in std::iter::once(&request.pack).chain(&request.with) {
            if !library.has(pack) {
                return Err(Failure::new("unknown-pack", format!("no library holds a pack `{pack}`")));
            }
        }
        library.game(request).map_err(|mistakes| Failure::new("bad-pack", mistakes.to_string()))
    }

    fn open(&mut self, open: Open) -> Result<Opened, Failure> {
        self.has_room()?;
        let Open { pack, with, modes, players, seed, language, libraries } = open;
        let request = LinkRequest { pack, with, modes, players };
        let game_box = self.game_box(libraries, &request)?;
        let seed = seed.unwrap_or_else(self.any_seed);
        let table = Table::open(&game_box, seed, &language);
        let table = table.map_err(|fault| Failure::new("pack-failed", fault.to_string()))?;
        Ok(self.seated(table))
    }

    fn load(&mut self, load: &Load) -> Result<Opened, Failure> {
        self.has_room()?;
        let bad = |error: crate::LoadError| Failure::new("bad-save", error.to_string());
        let request = Table::request(&load.text).map_err(bad)?;
        let game_box = self.game_box(load.libraries.clone(), &request)?;
        let table = Table::load(&game_box, &load.text, &load.language).map_err(bad)?;
        Ok(self.seated(table))
    }

    fn fork(&mut self, of: &OfTable) -> Result<Opened, Failure> {
        self.has_room()?;
        let fork = self.table(of.table)?.fork();
        Ok(self.seated(fork))
    }

    fn has_room(&self) -> Result<(), Failure> {
        match self.tables.len() {
            0..MOST_TABLES => Ok(()),
            _ => Err(Failure::new("too-many-tables", format!("{MOST_TABLES} tables are open: close one first"))),
        }
    }

    fn seated(&mut self, table: Table) -> Opened {
        self.opened = self.opened.saturating_add(1);
        let rules = table.game().rules();
        let opened = Opened {
            table: self.opened,
            pack: rules.pack.clone(),
            modes: rules.modes.clone(),
            players: table.seats().map(rulepack_kernel::seat_key).collect(),
            answers: table.answers(),
        };
        self.tables.insert(self.opened, table);
        opened
    }

    fn table(&mut self, number: u64) -> Result<&mut Table, Failure> {
        let found = self.tables.get_mut(&number);
        found.ok_or_else(|| Failure::new("unknown-table", format!("there is no table {number}")))
    }

    fn view(&mut self, of: &OfViewer) -> Result<TableView, Failure> {
        let table = self.table(of.table)?;
        Ok(table.view(viewer(&of.viewer)?)?)
    }

    fn questions(&mut self, of: &OfViewer) -> Result<Questions, Failure> {
        let table = self.table(of.table)?;
        let viewer = viewer(&of.viewer)?;
        let questions = match viewer {
            Viewer::Seat(seat) => table.questions(seat)?,
            Viewer::Public | Viewer::All => Vec::new(),
        };
        Ok(Questions { answers: table.answers(), undone: table.undone(), asked: table.asked(viewer)?, questions })
    }

    fn answer(&mut self, answered: &Answered) -> Result<Entries, Failure> {
        let seat = seat(&answered.viewer)?;
        let table = self.table(answered.table)?;
        let since = table.answers();
        table.answer_as(seat, answered.revision, answered.index)?;
        entries(table, Viewer::Seat(seat), since)
    }

    fn take_back(&mut self, of: &OfViewer) -> Result<Moment, Failure> {
        let seat = seat(&of.viewer)?;
        let table = self.table(of.table)?;
        table.take_back(seat)?;
        Ok(Moment { answers: table.answers(), undone: table.undone() })
    }

    fn undo(&mut self, undo: &Undo) -> Result<Moment, Failure> {
        let table = self.table(undo.table)?;
        table.undo(undo.answers, undo.also_reveals)?;
        Ok(Moment { answers: table.answers(), undone: table.undone() })
    }

    fn log(&mut self, of: &Since) -> Result<Entries, Failure> {
        entries(self.table(of.table)?, viewer(&of.viewer)?, of.since)
    }

    fn why_not(&mut self, why: &Why) -> Result<WhyNot, Failure> {
        let seat = seat(&why.viewer)?;
        let table = self.table(why.table)?;
        match (&why.what, &why.about, &why.action) {
            (Some(what), None, None) => Ok(table.why_not(seat, what)?),
            (None, Some(about), action) => Ok(table.why_not_this(seat, action.as_deref(), about)?),
            _ => Err(Failure::new("bad-params", "write either `what`, or `about` with or without `action`")),
        }
    }

    fn save(&mut self, of: &OfTable) -> Result<Text, Failure> {
        Ok(Text { text: self.table(of.table)?.save() })
    }

    fn close(&mut self, of: &OfTable) -> Result<Nothing, Failure> {
        self.table(of.table)?;
        self.tables.remove(&of.table);
        Ok(Nothing {})
    }
}

/// All methods.
pub const METHODS: [&str; 15] = [
    "hello",
    "packs",
    "open",
    "load",
    "fork",
    "view",
    "questions",
    "answer",
    "take_back",
    "undo",
    "log",
    "why_not",
    "think",
    "save",
    "close",
];

fn hello() -> Hello {
    Hello { program: "rulepack", version: env!("CARGO_PKG_VERSION"), protocol: PROTOCOL }
}

fn entries(table: &Table, viewer: Viewer, since: usize) -> Result<Entries, Failure> {
    Ok(Entries {
        answers: table.answers(),
        undone: table.undone(),
        over: table.game().decision().is_none(),
        entries: table.log(viewer, since)?.cloned().collect(),
    })
}

/// The viewer of this name. `all` is not accepted: a client that may see everything can read the save.
fn viewer(name: &str) -> Result<Viewer, Failure> {
    match name {
        "public" => Ok(Viewer::Public),
        name => seat(name).map(Viewer::Seat),
    }
}

fn seat(name: &str) -> Result<Seat, Failure> {
    seat_of(name).ok_or_else(|| Failure::new("unknown-player", format!("`{name}` is no player: write `player_1`")))
}

fn params<P: DeserializeOwned>(line: &[u8]) -> Result<P, Failure> {
    match serde_json::from_slice::<OnlyParams<P>>(line) {
        Ok(OnlyParams { params: AsObject(params) }) => Ok(params),
        Err(error) => Err(Failure::new("bad-params", error.to_string())),
    }
}

/// Like `required`, for a request whose parameters may be missing.
fn optional<P: DeserializeOwned + Default>(line: &[u8]) -> Result<P, Failure> {
    #[derive(Deserialize)]
    #[serde(bound = "P: DeserializeOwned + Default")]
    struct Maybe<P> {
        #[serde(default)]
        params: AsObject<P>,
    }
    match serde_json::from_slice::<Maybe<P>>(line) {
        Ok(Maybe { params: AsObject(params) }) => Ok(params),
        Err(error) => Err(Failure::new("bad-params", error.to_string())),
    }
}

/// Reads the next line without its end; false if there is none. Of a line that is too long only the beginning is read, so that
/// [`Server::reply`] refuses it.
///
/// # Errors
/// If the input cannot be read.
pub fn read_line(input: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    let mut any = false;
    loop {
        let (used, ended) = {
            let there = input.fill_buf()?;
            if there.is_empty() {
                return Ok(any);
            }
            let end = there.iter().position(|byte| *byte == b'\n');
            let part = there.get(..end.unwrap_or(there.len())).unwrap_or(there);
            let room = LONGEST_LINE.saturating_add(1).saturating_sub(line.len());
            line.extend(part.iter().take(room));
            (part.len().saturating_add(usize::from(end.is_some())), end.is_some())
        };
        any = true;
        input.consume(used);
        if ended {
            return Ok(true);
        }
    }
}

fn written<T: Serialize>(id: Id, outcome: Result<T, Failure>) -> String {
    let outcome = match outcome {
        Ok(result) => Outcome::Result(result),
        Err(failure) => Outcome::Error(failure),
    };
    match serde_json::to_string(&Reply { id, outcome }) {
        // Texts of packs may contain characters that control a terminal or are invisible: they are escaped.
        Ok(text) => visible::json(&text).into_owned(),
        // This cannot happen: a reply is plain data, which JSON can always represent.
        Err(_) => r#"{"id":null,"error":{"code":"not-written","message":"the reply cannot be written"}}"#.to_string(),
    }
}
