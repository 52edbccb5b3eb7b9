//! Logs of games: how a game began, every answer by the names of seat and option, and the hash of the end.
//!
//! A log grows by one line with every answer (`records.rs`), so that nothing is lost when a game is interrupted.

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

use rulepack_kernel::{
    Answer, Fault, FileFormat, Game, Given, GivenError, Header, LogEntry, Save, SaveError, Stamp, WrongStamp, misread,
    told_lines,
};
use rulepack_model::Diagnostic;
use rulepack_pack::LinkRequest;
use rulepack_script::ScriptHost;
use serde::{Deserialize, Deserializer, Serialize};

use crate::ending::Ending;
use crate::load::{GameBox, Library};
use crate::records::{self, Chain};

/// The first line of a log.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Beginning {
    /// What kind of file it is, and under which rules the game was played.
    #[serde(flatten)]
    pub header: Header,
    /// The start.
    pub start: Start,
    /// The seats that bots played, in the notation of `--bots`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bots: Option<String>,
}

impl<'de> Deserialize<'de> for Beginning {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Others {
            start: Start,
            #[serde(default)]
            bots: Option<String>,
        }
        let (header, Others { start, bots }) = Header::read_with(deserializer)?;
        Ok(Beginning { header, start, bots })
    }
}

/// The start of a logged game.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Start {
    /// At the beginning, with this seed.
    Seed(u64),
    /// At a saved game without history.
    Save(Box<Save>),
}

/// One line of a log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
enum Record {
    Begin(Box<Beginning>),
    Answer(Given),
    /// An answer of a player who chooses at the same time as others, before the turn of the player.
    Early(Given),
    /// A number of answers were taken back.
    Undo(usize),
    /// No further answer was given.
    End {
        answers: usize,
        hash: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        end: Option<Ending>,
    },
}

/// A played game, with everything that is needed to play it again.
#[derive(Debug, Clone, PartialEq)]
pub struct GameLog {
    /// The first line.
    pub beginning: Beginning,
    /// Every answer that was not taken back.
    pub answers: Vec<Given>,
    /// Answers of players who choose at the same time, before their turn: in the order of their turns.
    pub early: Vec<Given>,
    /// The hash of the game after the last answer; `None` if the game was interrupted, or an older engine computed it.
    pub hash: Option<String>,
    /// The result, if it was written down.
    pub end: Option<Ending>,
    /// Whether the last line was incomplete, and is left out.
    pub torn: bool,
}

/// Builds the lines of a log, one after the other.
#[derive(Debug, Clone)]
pub struct LogWriter(Chain);

/// The first difference between a game and its log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Difference {
    /// The number of the answer, counted from 1.
    pub number: usize,
    /// The number of answers.
    pub total: usize,
    /// The difference, in words.
    pub what: String,
    /// Whether the answer could still be given.
    pub goes_on: bool,
    /// The sort of difference.
    pub about: About,
    /// The value in the log, by ids; `None` if the log does not contain it.
    pub then: Option<Vec<String>>,
    /// The present value.
    pub now: Vec<String>,
    /// The answer at this decision.
    pub answer: String,
    /// The answer before that one.
    pub after: Option<String>,
    /// The definition that was running there, and the line of a script.
    pub place: String,
}

/// The sorts of differences between a game and its log.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// Who is asked.
    Asked,
    /// What is offered.
    Offered,
    /// What follows from an answer.
    Told,
    /// The pack fails.
    Fault,
    /// The table after the last answer.
    End,
}

impl About {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            About::Asked => "who is asked",
            About::Offered => "what is offered",
            About::Told => "what follows from the answer",
            About::Fault => "the answer fails",
            About::End => "the table after the last answer",
        }
    }
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "at answer {} of {}, {}", self.number, self.total, self.what)
    }
}

/// Why a log cannot be played again.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The file is not a log.
    #[error("the file is no log of a game: {0}")]
    NotALog(String),
    /// It was written by another engine.
    #[error("the log has version {found}; this engine reads versions {} and {}{}", Header::UNHASHED, Header::VERSION, why(*found))]
    OtherVersion {
        /// The version in the file.
        found: u32,
    },
    /// A line is damaged.
    #[error("line {line} is not as it was written: its checksum is wrong{}", before(*line, *answers))]
    Line {
        /// Counted from 1.
        line: usize,
        /// The number of answers before it.
        answers: usize,
    },
    /// The packs have mistakes now.
    #[error("the packs of the log cannot be loaded")]
    Packs(Vec<Diagnostic>),
    /// The packs are different now, or the saved game at its start cannot be loaded.
    #[error(transparent)]
    Rules(#[from] SaveError),
    /// The game could not be set up.
    #[error("the game cannot be set up: {0}")]
    Setup(#[from] Fault),
    /// An answer that came before its turn cannot be given again.
    #[error("an answer that came before its turn cannot be given again: {0}")]
    Early(String),
    /// An answer was refused.
    #[error("{0}")]
    Answer(Box<Difference>),
}

/// The part of a damaged log that can be read.
fn before(line: usize, answers: usize) -> String {
    match (line, answers) {
        (_, 0) => String::new(),
        (line, 1) => format!(
            "; lines 1 to {} are sound: copied to a file of their own, they hold 1 answer",
            line.saturating_sub(1)
        ),
        (line, answers) => {
            format!(
                "; lines 1 to {} are sound: copied to a file of their own, they hold {answers} answers",
                line.saturating_sub(1)
            )
        }
    }
}

/// The message about old logs.
fn why(version: u32) -> &'static str {
    match version {
        1 => {
            ": in those before, answers were bare numbers and chance was drawn otherwise, so it cannot be played again"
        }
        _ => "",
    }
}

#[allow(clippy::expect_used, reason = "it is plain data of ours, all of which JSON can say")]
fn record(record: &Record) -> String {
    serde_json::to_string(record).expect("a log has nothing in it that JSON cannot say")
}

impl Beginning {
    /// A log of a game with this start.
    pub fn new(game: &Game, start: Start) -> Self {
        Beginning { header: Header::new(FileFormat::Log, game.rules()), start, bots: None }
    }
}

impl LogWriter {
    /// The first line of a new log.
    pub fn begin(beginning: &Beginning) -> (LogWriter, String) {
        let mut writer = LogWriter(Chain::default());
        let line = writer.0.line(&record(&Record::Begin(Box::new(beginning.clone()))));
        (writer, line)
    }

    /// The line of an answer.
    pub fn answer(&mut self, given: &Given) -> String {
        self.0.line(&record(&Record::Answer(given.clone())))
    }

    /// The line of an answer that came before its turn, from a player who chooses at the same time as others.
    pub fn early(&mut self, given: &Given) -> String {
        self.0.line(&record(&Record::Early(given.clone())))
    }

    /// The line that takes answers back.
    pub fn undo(&mut self, count: usize) -> String {
        self.0.line(&record(&Record::Undo(count)))
    }

    /// The line for the end.
    pub fn end(&mut self, answers: usize, game: &Game) -> String {
        self.0.line(&record(&Record::End { answers, hash: game.hash_text(), end: Some(Ending::of(game)) }))
    }
}

impl GameLog {
    /// A log of a game with this start.
    pub fn new(game: &Game, start: Start, answers: Vec<Given>) -> Self {
        let (hash, end) = (Some(game.hash_text()), Some(Ending::of(game)));
        GameLog { beginning: Beginning::new(game, start), answers, early: Vec::new(), hash, end, torn: false }
    }

    /// As text.
    pub fn to_text(&self) -> String {
        let (mut writer, mut text) = LogWriter::begin(&self.beginning);
        for given in &self.answers {
            text += &writer.answer(given);
        }
        for given in &self.early {
            text += &writer.early(given);
        }
        if let Some(hash) = &self.hash {
            let (answers, hash, end) = (self.answers.len(), hash.clone(), self.end.clone());
            text += &writer.0.line(&record(&Record::End { answers, hash, end }));
        }
        text
    }

    /// The answers of a saved game as a log.
    ///
    /// # Errors
    /// If the file does not contain the history of the game.
    pub fn from_save(save: Save) -> Result<Self, ReplayError> {
        let end = save.outcome().map(Ending::of_outcome);
        let hash = save.hash_to_compare().map(str::to_string);
        let Some(history) = save.history else {
            return Err(ReplayError::NotALog("it is a saved game that does not tell how it came there".into()));
        };
        let header = save.header.for_file(FileFormat::Log);
        let beginning = Beginning { header, start: Start::Seed(history.seed), bots: None };
        Ok(GameLog { beginning, answers: history.answers, early: history.early, hash, end, torn: false })
    }

    /// Whether a text is meant as a log.
    pub fn is_one(text: &str) -> bool {
        let first = text.lines().next().unwrap_or_default();
        stamp(first).is_some_and(|stamp| stamp.is(FileFormat::Log))
    }

    /// Reads a text. An incomplete last line is left out.
    ///
    /// # Errors
    /// If it is not a log that this engine can read.
    pub fn from_text(text: &str) -> Result<GameLog, ReplayError> {
        let first = text.lines().next().unwrap_or_default();
        match stamp(first).map(|stamp| stamp.check(FileFormat::Log)) {
            Some(Ok(())) => {}
            Some(Err(WrongStamp::Version(found))) => return Err(ReplayError::OtherVersion { found }),
            Some(Err(WrongStamp::Format(found))) => {
                let message = format!("its format is `{found}` instead of `{}`", FileFormat::Log.name());
                return Err(ReplayError::NotALog(message));
            }
            None if text.trim().is_empty() => return Err(ReplayError::NotALog("it is empty".into())),
            None => return Err(ReplayError::NotALog("its first line does not say that it is one".into())),
        }
        let lines = records::read(text);
        let log = Self::of_records(&lines.records)?;
        match (lines.damaged, log) {
            (None, Some(log)) => Ok(GameLog { torn: lines.is_torn, ..log }),
            (line, log) => {
                let answers = log.map_or(0, |log| log.answers.len());
                Err(ReplayError::Line { line: line.unwrap_or(1), answers })
            }
        }
    }

    /// The readable part of a damaged log: everything before the first damaged line, and the number of that line.
    pub fn before_damage(text: &str) -> Option<(GameLog, usize)> {
        let lines = records::read(text);
        let log = Self::of_records(&lines.records).ok()??;
        Some((log, lines.damaged?))
    }

    fn of_records(records: &[&str]) -> Result<Option<GameLog>, ReplayError> {
        let mut log = None;
        for (index, text) in records.iter().enumerate() {
            let number = index.saturating_add(1);
            let wrong = |message: String| ReplayError::NotALog(format!("line {number}: {message}"));
            let record: Record = serde_json::from_str(text).map_err(|error| {
                let (message, _, column) = misread(&error);
                let column = records::BEGINS_AT.saturating_add(column);
                ReplayError::NotALog(format!("line {number}, column {column}: {message}"))
            })?;
            let Some(log) = &mut log else {
                let Record::Begin(beginning) = record else { return Err(wrong("it does not begin a log".into())) };
                if let Some(message) = beginning.header.zero_limit() {
                    return Err(wrong(message));
                }
                let (answers, early) = (Vec::new(), Vec::new());
                log = Some(GameLog { beginning: *beginning, answers, early, hash: None, end: None, torn: false });
                continue;
            };
            log.take(record).map_err(wrong)?;
        }
        Ok(log)
    }

    fn take(&mut self, record: Record) -> Result<(), String> {
        let count = self.answers.len();
        (self.hash, self.end) = (None, None);
        match record {
            Record::Begin(_) => return Err("a log begins only once".into()),
            Record::Early(given) => self.early.push(given),
            Record::Answer(_) if !self.early.is_empty() => {
                return Err("an answer stands behind one that came before its turn".into());
            }
            Record::Answer(given) => self.answers.push(given),
            Record::Undo(back) if back <= count => {
                self.answers.truncate(count.saturating_sub(back));
                self.early.clear();
            }
            Record::Undo(back) => return Err(format!("{back} answers are taken back, and there are {count}")),
            Record::End { answers, .. } if answers != count => {
                return Err(format!("{answers} answers were given, and there are {count}"));
            }
            Record::End { hash, end, .. } => {
                let is_comparable = self.beginning.header.is_hash_comparable();
                (self.hash, self.end) = (Some(hash).filter(|_| is_comparable), end);
            }
        }
        Ok(())
    }

    /// The request that loads the packs of the log.
    pub fn request(&self) -> LinkRequest {
        LinkRequest::of(&self.beginning.header)
    }

    /// Loads the packs of the log, whether or not the rules have changed: see [`GameLog::same_rules`].
    ///
    /// # Errors
    /// If a pack is missing or has mistakes.
    pub fn load(&self, library: &Library) -> Result<GameBox, ReplayError> {
        library.load(&self.request()).map_err(ReplayError::Packs)
    }

    /// Whether the rules are unchanged.
    ///
    /// # Errors
    /// The differences.
    pub fn same_rules(&self, game_box: &GameBox) -> Result<(), SaveError> {
        self.beginning.header.same_rules(game_box.rules())
    }

    /// The game before the first answer.
    ///
    /// # Errors
    /// If the pack fails, or the saved game at the start cannot be loaded.
    pub fn begin(&self, game_box: &GameBox, host: &ScriptHost) -> Result<Game, ReplayError> {
        Ok(match &self.beginning.start {
            Start::Seed(seed) => game_box.start(host, *seed)?,
            Start::Save(save) => Game::restore(game_box.rules().clone(), host, (**save).clone())?,
        })
    }
}

/// Gives the answers again, as many as can be given; returns their number, and the first difference. `told` is called
/// with each answer in its present form, and with its events.
pub fn follow(
    game: &mut Game,
    host: &ScriptHost,
    answers: &[Given],
    mut told: impl FnMut(&Game, Answer, &Given, &[LogEntry]),
) -> (usize, Option<Difference>) {
    let mut first = None;
    for (index, given) in answers.iter().enumerate() {
        let at = Difference {
            number: index.saturating_add(1),
            total: answers.len(),
            what: String::new(),
            goes_on: true,
            about: About::Offered,
            then: given.all_offered(),
            now: Vec::new(),
            answer: given.option.clone(),
            after: index.checked_sub(1).and_then(|before| answers.get(before)).map(|before| before.option.clone()),
            place: String::new(),
        };
        let (answer, now) = match game.find(given) {
            Ok(found) => found,
            Err(error) => return (index, Some(not_given(game, host, at, error))),
        };
        if now.offered != given.offered && first.is_none() {
            first = Some(Difference {
                what: other_options(game, given),
                now: offered(game),
                place: game.place_of_question(host),
                ..at.clone()
            });
        }
        match game.answer(host, answer) {
            Ok(events) => {
                let now = now.and_told(game, &events);
                if first.is_none() && given.told.is_some() && given.told != now.told {
                    first = Some(told_otherwise(game, host, at, given, &events));
                }
                told(game, answer, &now, &events);
            }
            Err(error) => {
                let what = format!("{}: `{}` fails: {error}", given.seat, given.option);
                let (now, place) = (vec![error.to_string()], game.place_of_question(host));
                let difference = Difference { what, goes_on: false, about: About::Fault, then: None, now, place, ..at };
                return (index, Some(first.unwrap_or(difference)));
            }
        }
    }
    (answers.len(), first)
}

/// An answer that cannot be given: another player is asked, or it is not offered.
fn not_given(game: &Game, host: &ScriptHost, at: Difference, error: GivenError) -> Difference {
    let (what, place) = (error.to_string(), game.place_of_question(host));
    let at = Difference { what, goes_on: false, place, ..at };
    match error {
        GivenError::Over { seat, .. } => {
            Difference { about: About::Asked, then: Some(vec![seat]), now: vec!["nobody".into()], ..at }
        }
        GivenError::OtherSeat { seat, asked, .. } => {
            Difference { about: About::Asked, then: Some(vec![seat]), now: vec![asked], ..at }
        }
        GivenError::NotOffered { offered, .. } => Difference { now: offered, ..at },
    }
}

/// An answer with other consequences. `game` is the game after it.
fn told_otherwise(game: &Game, host: &ScriptHost, at: Difference, given: &Given, events: &[LogEntry]) -> Difference {
    let what = format!("{}: `{}` leads to something else than then", given.seat, given.option);
    let (now, place) = (told_lines(game, events), game.place_of_question(host));
    Difference { what, about: About::Told, then: None, now, place, ..at }
}

fn offered(game: &Game) -> Vec<String> {
    game.decision().map(|decision| game.option_names(decision)).unwrap_or_default()
}

fn other_options(game: &Game, given: &Given) -> String {
    let names: Vec<String> = offered(game).iter().map(|name| format!("`{name}`")).collect();
    format!("{}: other options are offered than then, `{}` among them: {}", given.seat, given.option, names.join(", "))
}

/// What a first line says of its file: that of a log, of an old log or of a saved game.
fn stamp(line: &str) -> Option<Stamp> {
    #[derive(Deserialize)]
    struct Begin {
        begin: Stamp,
    }
    #[derive(Deserialize)]
    struct Line {
        record: Begin,
    }
    let plain = || serde_json::from_str::<Stamp>(line).ok();
    let wrapped = serde_json::from_str::<Line>(line).ok().map(|line| line.record.begin);
    let is_whole = |stamp: &Stamp| stamp.format.is_some() && stamp.version.is_some();
    wrapped.filter(is_whole).or_else(plain).filter(is_whole)
}
