//! `rulepack replay`: plays a log again.

use std::path::PathBuf;

use clap::Args;
use rulepack_kernel::{Sight, Viewer, Words};
use rulepack_tools::{GameLog, Library, REPORT_VERSION, ReplayError};

use crate::open::of_log;
use crate::pick::{environment_language, known_pack};
use crate::stop::{Format, Stop, emit, emit_json, read_named, talk};

/// Plays a log again, prints it, and checks that it ends in the same state
#[derive(Debug, Args)]
#[command(after_help = "Example: rulepack replay game.json")]
pub struct Replay {
    /// A log, as `play --log` and `sim --log-dir` write them
    file: PathBuf,
    /// The language, such as `fr`; that of the environment if not given
    #[arg(long, value_name = "LANGUAGE")]
    locale: Option<String>,
    /// How the result is written
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

impl Replay {
    /// Runs it.
    pub fn run(&self, library: &Library) -> Result<(), Stop> {
        let text = read_named(&self.file)?;
        let told = |error: ReplayError| of_log(library, &self.file, error);
        let log = GameLog::from_text(&text).map_err(told)?;
        if log.torn {
            talk(&format!("{}: the last line was not written completely and is left out", self.file.display()));
        }
        known_pack(library, &log.beginning.pack).map_err(|stop| stop.of_file(&self.file))?;
        let game_box = log.load(library).map_err(told)?;
        let same = log.same_rules(&game_box);
        if let Err(what) = &same {
            talk(&format!("{}: {what}", self.file.display()));
        }
        let host = game_box.host().map_err(|fault| Stop::Wrong(fault.to_string()))?;
        let language = self.locale.clone().unwrap_or_else(environment_language);
        let words = Words::new(game_box.rules(), &language);
        let mut closed = Ok(());
        let game = log.replay(&game_box, &host, |game, events| {
            let sight = Sight::new(game.rules(), game.state(), Viewer::All);
            if self.format == Format::Human && closed.is_ok() {
                closed = events.iter().filter_map(|event| words.event(event, &sight)).try_for_each(|line| emit(&line));
            }
        });
        let game = game.map_err(told)?;
        closed?;
        let (beginning, hash) = (&log.beginning, game.hash_text());
        match self.format {
            Format::Json => emit_json(&serde_json::json!({
                "version": REPORT_VERSION,
                "pack": beginning.pack,
                "modes": beginning.modes,
                "players": beginning.players,
                "answers": log.answers.len(),
                "over": game.state().outcome().is_some(),
                "hash": hash,
            })),
            Format::Human => {
                if let Some(outcome) = game.state().outcome() {
                    for line in words.outcome(outcome) {
                        emit(&line)?;
                    }
                }
                emit(&format!("{} answers, hash {}", log.answers.len(), hash))
            }
        }
    }
}
