//! `rulepack export`: what one seat has seen of a game.

use std::path::PathBuf;

use clap::Args;
use rulepack_tools::{Export, FileKind, Library};

use crate::open::of_log;
use crate::pick::{environment_language, seat_named};
use crate::replay::{load, read_log};
use crate::stop::{Stop, emit_json_text};
use crate::write::{Foreign, write_named};

/// Writes the view and the log of one seat, without anything that the seat could not see
///
/// A save and a log hold the whole game, hands, decks and the seed: they are the referee's. An export can be given to a
/// player. It cannot be played on.
#[derive(Debug, Args)]
#[command(after_help = "Example: rulepack export game.jsonl --as 2 --out for-player-2.json")]
pub struct ExportOf {
    /// A log, or a saved game
    file: PathBuf,
    /// Whose view: a seat, such as `2`
    #[arg(long = "as", value_name = "SEAT")]
    seat: String,
    /// The game after this many answers; the end if not given
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// Write to a file instead of the output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite the file even if rulepack did not write it
    #[arg(long, requires = "out")]
    force: bool,
    /// The language, such as `fr`; that of the environment if not given
    #[arg(long, value_name = "LANGUAGE")]
    locale: Option<String>,
}

impl ExportOf {
    /// Runs it.
    pub fn run(&self, library: &Library) -> Result<(), Stop> {
        let language = self.locale.clone().unwrap_or_else(environment_language);
        let log = read_log(library, &self.file, &language)?;
        let game_box = load(library, &self.file, &log)?;
        let seat = seat_named(&self.seat, game_box.rules().players)?;
        if let Some(at) = self.at.filter(|at| *at > log.answers.len()) {
            return Err(Stop::Call(format!("`--at {at}`: the game has {} answers", log.answers.len())));
        }
        let export = Export::of_log(&log, &game_box, seat, &language, self.at)
            .map_err(|error| of_log(library, &self.file, error))?;
        match &self.out {
            Some(path) => write_named(path, &export.to_json(), FileKind::Export, Foreign::new(self.force)),
            None => emit_json_text(&export.to_json()),
        }
    }
}
