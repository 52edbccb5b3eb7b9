//! How a run ends when it does not end well, and how results are written.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::ValueEnum;
use rulepack_pack::{ReadError, read_text};

/// Why a run stops.
#[derive(Debug)]
pub enum Stop {
    /// The call is wrong: exit 2.
    Call(String),
    /// A pack, a file or a game is wrong: exit 1.
    Wrong(String),
    /// As before, and all has been said.
    Said,
    /// Nobody reads any more.
    Closed,
}

impl Stop {
    /// What a file names is the mistake of the file, not of the call.
    pub fn of_file(self, path: &std::path::Path) -> Stop {
        match self {
            Stop::Call(message) => Stop::Wrong(format!("{}: {message}", path.display())),
            stop => stop,
        }
    }

    /// Says why and gives the exit code.
    pub fn report(self) -> ExitCode {
        match self {
            Stop::Call(message) => {
                talk(&format!("error: {message}"));
                ExitCode::from(2)
            }
            Stop::Wrong(message) => {
                talk(&format!("error: {message}"));
                ExitCode::from(1)
            }
            Stop::Said => ExitCode::from(1),
            Stop::Closed => ExitCode::SUCCESS,
        }
    }
}

/// How results are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Human,
    /// For programs.
    Json,
}

/// How a command ends whose packs or games are `wrong` or not: that counts, whether or not somebody has read all of the result.
pub fn verdict(written: Result<(), Stop>, wrong: bool) -> Result<(), Stop> {
    match written {
        Ok(()) | Err(Stop::Closed) if wrong => Err(Stop::Said),
        written => written,
    }
}

/// Writes a result and ends the line.
pub fn emit(text: &str) -> Result<(), Stop> {
    let mut out = io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Ok(()) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Err(Stop::Closed),
        Err(error) => Err(Stop::Wrong(format!("the result cannot be written: {error}"))),
    }
}

/// Writes a result as JSON.
pub fn emit_json(value: &impl serde::Serialize) -> Result<(), Stop> {
    match serde_json::to_string_pretty(value) {
        Ok(text) => emit(&text),
        Err(error) => Err(Stop::Wrong(format!("the result cannot be written: {error}"))),
    }
}

/// Says something beside the result. If nobody listens, nothing is lost.
pub fn talk(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// Reads a file that was named on the command line.
pub fn read_named(path: &std::path::Path) -> Result<String, Stop> {
    const MOST: u64 = 256 * 1024 * 1024;
    let shown = path.display();
    read_text(path, None, MOST).map_err(|error| match error {
        ReadError::System(error) if error.kind() == io::ErrorKind::NotFound => {
            Stop::Call(format!("there is no file `{shown}`"))
        }
        ReadError::NotText { .. } => Stop::Wrong(format!("`{shown}` is not a text file")),
        ReadError::TooLarge(_) => Stop::Wrong(format!("`{shown}` cannot be read: {error}")),
        error => Stop::Call(format!("`{shown}` cannot be read: {error}")),
    })
}
