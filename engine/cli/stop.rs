//! How a run ends early, and how results are printed.

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard, PoisonError};

use clap::ValueEnum;
use rulepack_kernel::fill;
use rulepack_model::visible::{coloured_lines, json, lines, one_line, without_commands};
use rulepack_pack::{ReadError, read_text};
use rulepack_tools::GameLog;

use crate::phrases::Phrases;

/// Why a run stops.
#[derive(Debug)]
pub enum Stop {
    /// The call is wrong: exit code 2. The message may have several lines; each quoted text is on one line.
    Call(String),
    /// A pack, a file or a game is wrong: exit code 1. The message may have several lines; each quoted text is on one
    /// line.
    Wrong(String),
    /// The same, and the message has been printed.
    Said,
    /// Nobody reads the output any more.
    Closed,
}

impl Stop {
    /// A mistake in a file is not a mistake of the call.
    pub fn of_file(self, path: &Path) -> Stop {
        match self {
            Stop::Call(message) => Stop::Wrong(format!("{}: {message}", shown(path))),
            stop => stop,
        }
    }

    /// A mistake with a text quoted from a file or a script.
    pub fn quoting(error: impl std::fmt::Display) -> Stop {
        Stop::Wrong(one_line(&error.to_string()).into_owned())
    }

    /// The same with the name of the file.
    pub fn in_file(path: &Path, error: impl std::fmt::Display) -> Stop {
        Stop::quoting(format!("{}: {error}", path.display()))
    }

    /// Reports a mistake of a game in the language of its players.
    pub fn told(phrases: &Phrases, what: &str) -> Stop {
        talk(&fill(phrases.error, &[("what", what)]));
        Stop::Said
    }

    /// Prints the message and returns the exit code.
    pub fn report(self) -> ExitCode {
        match self {
            Stop::Call(message) => {
                talk_lines(&format!("error: {message}"));
                ExitCode::from(2)
            }
            Stop::Wrong(message) => {
                talk_lines(&format!("error: {message}"));
                ExitCode::from(1)
            }
            Stop::Said => ExitCode::from(1),
            Stop::Closed => ExitCode::SUCCESS,
        }
    }
}

/// Whether a stream is to be coloured.
pub fn wants_color(stream: &impl IsTerminal) -> bool {
    stream.is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty())
}

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Human,
    /// For programs.
    Json,
}

/// The exit code of a command whose packs or games are `wrong` or not, whether or not the output was read to its end.
pub fn verdict(written: Result<(), Stop>, wrong: bool) -> Result<(), Stop> {
    match written {
        Ok(()) | Err(Stop::Closed) if wrong => Err(Stop::Said),
        written => written,
    }
}

/// Prints one line of a result for people.
pub fn emit(text: &str) -> Result<(), Stop> {
    write_out(&without_commands(&one_line(text)))
}

/// Prints several lines of a result for people. Each text quoted from a pack, a save or a file name is on one line.
pub fn emit_lines(text: &str) -> Result<(), Stop> {
    write_out(&without_commands(&lines(text)))
}

/// The same with colours.
pub fn emit_coloured(text: &str) -> Result<(), Stop> {
    write_out(&without_commands(&coloured_lines(text)))
}

/// Prints a result for programs, in which all special characters are escaped already.
pub fn emit_report(text: &str) -> Result<(), Stop> {
    write_out(&lines(text))
}

/// Prints a result as JSON.
pub fn emit_json(value: &impl serde::Serialize) -> Result<(), Stop> {
    match serde_json::to_string_pretty(value) {
        Ok(text) => emit_json_text(&text),
        Err(error) => Err(Stop::Wrong(format!("the result cannot be written: {error}"))),
    }
}

/// Prints a result that is JSON already.
pub fn emit_json_text(text: &str) -> Result<(), Stop> {
    write_out(&json(text))
}

fn write_out(text: &str) -> Result<(), Stop> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Stop::Closed),
        Err(error) => Err(Stop::Wrong(format!("the result cannot be written: {error}"))),
    }
}

/// While the terminal shows a full screen: what would be printed beside the result.
static HELD: Mutex<Option<Vec<String>>> = Mutex::new(None);

fn held() -> MutexGuard<'static, Option<Vec<String>>> {
    HELD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on nothing is printed beside the result: the lines are kept for [`heard_talk`] and [`release_talk`].
pub fn hold_talk() {
    held().get_or_insert_default();
}

/// The lines that were kept since the last time.
pub fn heard_talk() -> Vec<String> {
    held().as_mut().map(std::mem::take).unwrap_or_default()
}

/// Prints the lines that were kept, and all that come.
pub fn release_talk() {
    let kept = held().take().unwrap_or_default();
    kept.iter().for_each(|line| talk_out(line));
}

fn talk_out(text: &str) {
    match held().as_mut() {
        Some(kept) => kept.extend(text.lines().map(str::to_string)),
        None => drop(writeln!(io::stderr().lock(), "{text}")),
    }
}

/// Prints one line beside the result. If nobody reads it, nothing is lost.
pub fn talk(text: &str) {
    talk_out(&without_commands(&one_line(text)));
}

/// Prints several lines. Each quoted text is on one line.
pub fn talk_lines(text: &str) {
    talk_out(&without_commands(&lines(text)));
}

/// The same with colours.
pub fn talk_coloured(text: &str) {
    talk_out(&without_commands(&coloured_lines(text)));
}

/// Prints a question beside the result, without a line end.
pub fn prompt(text: &str) {
    let mut out = io::stderr().lock();
    let _ = write!(out, "{}", without_commands(&one_line(text))).and_then(|()| out.flush());
}

/// A path for people.
pub fn shown(path: &Path) -> String {
    one_line(&path.to_string_lossy()).into_owned()
}

/// Reads a file that was named on the command line.
pub fn read_named(path: &Path) -> Result<String, Stop> {
    read_with(path, |_| None)
}

/// Reads a log or a saved game. An incomplete last line of a log may end inside a character: it is read anyway, and its
/// checksum reveals it.
pub fn read_game(path: &Path) -> Result<String, Stop> {
    read_with(path, |bytes| Some(String::from_utf8_lossy(bytes).into_owned()).filter(|text| GameLog::is_one(text)))
}

/// Reads a file that may have a line for each of many games.
pub fn read_large(path: &Path) -> Result<String, Stop> {
    read_up_to(path, 4 * 1024 * 1024 * 1024, |_| None)
}

fn read_with(path: &Path, mend: impl Fn(&[u8]) -> Option<String>) -> Result<String, Stop> {
    read_up_to(path, 64 * 1024 * 1024, mend)
}

fn read_up_to(path: &Path, most: u64, mend: impl Fn(&[u8]) -> Option<String>) -> Result<String, Stop> {
    let shown = shown(path);
    read_text(path, None, most)
        .or_else(|error| match &error {
            ReadError::NotText { bytes, .. } => mend(bytes).ok_or(error),
            _ => Err(error),
        })
        .map_err(|error| match error {
            ReadError::System(error) if error.kind() == io::ErrorKind::NotFound => {
                Stop::Call(format!("there is no file `{shown}`"))
            }
            ReadError::NotText { .. } => Stop::Wrong(format!("`{shown}` is not a text file")),
            ReadError::TooLarge(_) => Stop::Wrong(format!("`{shown}` cannot be read: {error}")),
            error => Stop::Call(format!("`{shown}` cannot be read: {error}")),
        })
}
