//! `rulepack replay`: plays a log again and reports whether it goes as it was played.

use std::path::{Path, PathBuf};

use clap::Args;
use rulepack_kernel::{Decision, Game, LogEntry, Save, Sight, View, Viewer, Words, fill};
use rulepack_script::ScriptHost;
use rulepack_tools::scenario::files_below;
use rulepack_tools::{
    FileKind, GameBox, GameLog, Grade, Grades, Library, REPORT_VERSION, ReplayError, Replayed, Session,
};
use serde_json::{Value, json};

use crate::limits::tell_others;
use crate::open::{no_export, of_log, tell_torn};
use crate::phrases::Phrases;
use crate::pick::{environment_language, known_pack, phrases, seat_named};
use crate::picture::picture;
use crate::scenario_file;
use crate::sim::progress;
use crate::stop::{Format, Stop, emit, emit_json, emit_lines, read_game, shown, talk, verdict};
use crate::write::{Foreign, may_write};

/// Plays a log again, prints it, and grades it: EXACT, or DIVERGED at the first decision that differs
///
/// Every decision is compared: who is asked, what is offered, and what follows from the answer. Exit 0 only for EXACT. Of
/// several logs it tells how many differ, from which decision on, and which definitions are responsible.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: rulepack replay game.jsonl\n          rulepack replay game.jsonl --at 12 --as 2\n          rulepack replay game.jsonl --to-scenario 12 --out scenario.toml\n          rulepack replay logs/"
)]
pub struct Replay {
    /// A log, as `play --log` and `sim --log-dir` write them, or a saved game; several, or a folder of them
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Show the table after this many answers instead of the log
    #[arg(long, value_name = "N")]
    at: Option<usize>,
    /// Write the position after this many answers as a scenario; with `--out`, to which file
    #[arg(long, value_name = "N", requires = "out", conflicts_with_all = ["at", "seat"])]
    to_scenario: Option<usize>,
    /// The file for `--to-scenario`
    #[arg(long, value_name = "FILE", requires = "to_scenario")]
    out: Option<PathBuf>,
    /// Overwrite that file even if rulepack did not write what is there
    #[arg(long, requires = "out")]
    force: bool,
    /// Show only what a seat saw, such as `2`
    #[arg(long = "as", value_name = "SEAT")]
    seat: Option<String>,
    /// The language, such as `fr`; that of the environment if not given
    #[arg(long, value_name = "LANGUAGE")]
    locale: Option<String>,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

impl Replay {
    /// Runs it.
    pub fn run(&self, library: &Library) -> Result<(), Stop> {
        match self.files.as_slice() {
            [file] if !file.is_dir() => self.run_one(library, file),
            _ => self.run_many(library),
        }
    }

    fn language(&self) -> String {
        self.locale.clone().unwrap_or_else(environment_language)
    }

    fn run_many(&self, library: &Library) -> Result<(), Stop> {
        for (flag, given) in [("--at", self.at.is_some()), ("--as", self.seat.is_some())] {
            if given {
                return Err(Stop::Call(format!("`{flag}` is for one log: name one file")));
            }
        }
        let mut paths = Vec::new();
        for path in &self.files {
            let (logs, _) = files_below(path, &["json", "jsonl"]).map_err(|error| Stop::in_file(path, error))?;
            paths.extend(logs);
        }
        if paths.is_empty() {
            return Err(Stop::Call("there is no log in the folder: logs end in `.json` or `.jsonl`".into()));
        }
        let bar = progress(paths.len() as u64);
        let language = self.language();
        let mut grades = Grades::default();
        for path in &paths {
            grades.add(shown(path), grade_one(library, path, &language));
            bar.inc(1);
        }
        bar.finish_and_clear();
        let written = match self.format {
            Format::Json => emit_json(&grades.to_json()),
            Format::Human => emit_lines(&grades.to_string()),
        };
        verdict(written, !grades.are_exact())
    }

    fn run_one(&self, library: &Library, file: &Path) -> Result<(), Stop> {
        let language = self.language();
        let log = read_log(library, file, &language)?;
        let game_box = load(library, file, &log)?;
        if let (Some(at), Some(out)) = (self.to_scenario, &self.out) {
            return self.write_scenario(library, file, &log, &game_box, at, out);
        }
        let viewer = match &self.seat {
            Some(seat) => Viewer::Seat(seat_named(seat, game_box.rules().players)?),
            None => Viewer::All,
        };
        if let Some(at) = self.at.filter(|at| *at > log.answers.len()) {
            return Err(Stop::Call(format!("`--at {at}`: the game has {} answers", log.answers.len())));
        }
        tell_others(file, log.beginning.header.limits, game_box.rules().limits);
        if let Err(what) = log.same_rules(&game_box) {
            talk(&format!("{}: {what}", file.display()));
        }
        let host = game_box.host().map_err(Stop::quoting)?;
        let words = Words::new(game_box.rules(), &language);
        let tells = self.format == Format::Human && self.at.is_none();
        let mut closed = Ok(());
        let replayed = log.grade(&game_box, &host, self.at, |game, _, _, events| {
            if tells && closed.is_ok() {
                closed = lines(game, events, viewer, &words).iter().try_for_each(|line| emit(line));
            }
        });
        let replayed = replayed.map_err(|error| of_log(library, file, error))?;
        let table = Table { game: &replayed.game, host: &host, words: &words, viewer };
        let written = closed.and_then(|()| match self.format {
            Format::Json => self.emit_json(&log, &replayed, &table),
            Format::Human => self.emit_human(&replayed, &table),
        });
        verdict(written, !replayed.grade.is_exact())
    }

    fn write_scenario(
        &self,
        library: &Library,
        file: &Path,
        log: &GameLog,
        game_box: &GameBox,
        at: usize,
        out: &Path,
    ) -> Result<(), Stop> {
        if at > log.answers.len() {
            return Err(Stop::Call(format!("`--to-scenario {at}`: the game has {} answers", log.answers.len())));
        }
        may_write(out, FileKind::Scenario, Foreign::new(self.force))?;
        let first = GameLog { answers: log.answers.iter().take(at).cloned().collect(), ..log.clone() };
        let followed = Session::follow_log(game_box, &GameLog { hash: None, end: None, early: Vec::new(), ..first });
        let (session, difference) = followed.map_err(|error| of_log(library, file, error))?;
        if let Some(difference) = difference.filter(|_| session.depth() < at) {
            return Err(Stop::in_file(file, difference));
        }
        scenario_file::write(library, &session, out).map_err(|why| Stop::in_file(out, why))?;
        talk(&format!("wrote `{}`", shown(out)));
        Ok(())
    }

    fn emit_json(&self, log: &GameLog, replayed: &Replayed, table: &Table<'_>) -> Result<(), Stop> {
        let header = &log.beginning.header;
        let mut report = json!({
            "version": REPORT_VERSION,
            "pack": header.pack,
            "modes": header.modes,
            "players": header.players,
            "answers": replayed.answers,
            "over": replayed.game.state().outcome().is_some(),
            "replay": replayed.grade.to_json(),
        });
        match self.seat {
            // The full report would reveal more than a seat sees.
            Some(_) => report["replay"] = json!({ "grade": report["replay"]["grade"] }),
            None => report["hash"] = replayed.game.hash_text().into(),
        }
        if self.at.is_some() {
            report["table"] = table.to_json();
        }
        emit_json(&report)
    }

    fn emit_human(&self, replayed: &Replayed, table: &Table<'_>) -> Result<(), Stop> {
        if self.at.is_some() {
            table.emit()?;
        }
        if let Some(outcome) = replayed.game.state().outcome() {
            table.words.outcome(outcome).iter().try_for_each(|line| emit(line))?;
        }
        let phrases = Phrases::of(table.words.spoken());
        let (answers, hash) = (phrases.count(&phrases.answers, replayed.answers), replayed.game.hash_text());
        match (&replayed.grade, &self.seat) {
            // A seat learns only whether and where.
            (Grade::Exact { .. }, Some(_)) => emit(&fill(phrases.exact, &[("answers", &answers)])),
            (Grade::Diverged(divergence), Some(_)) => emit(divergence.to_string().lines().next().unwrap_or_default()),
            (Grade::Exact { changes }, None) => {
                emit(&fill(phrases.exact_with_hash, &[("answers", &answers), ("hash", &hash)]))?;
                match changes.is_empty() {
                    true => Ok(()),
                    false => emit(&fill(phrases.changed_elsewhere, &[("what", &changes.to_string())])),
                }
            }
            (Grade::Diverged(divergence), None) => emit_lines(&divergence.to_string()),
        }
    }
}

/// Plays one of several logs again, or reports why it cannot be played.
fn grade_one(library: &Library, path: &Path, language: &str) -> Result<Grade, String> {
    let told = |stop| match stop {
        Stop::Call(message) | Stop::Wrong(message) => message,
        Stop::Said | Stop::Closed => String::new(),
    };
    let log = read_log(library, path, language).map_err(told)?;
    let game_box = load(library, path, &log).map_err(told)?;
    let host = game_box.host().map_err(|error| told(Stop::quoting(error)))?;
    let replayed = log.grade(&game_box, &host, None, |_, _, _, _| {});
    Ok(replayed.map_err(|error| told(of_log(library, path, error)))?.grade)
}

/// Reads a log, or the answers of a saved game.
pub fn read_log(library: &Library, path: &std::path::Path, language: &str) -> Result<GameLog, Stop> {
    let text = read_game(path)?;
    no_export(path, &text)?;
    let told = |error: ReplayError| of_log(library, path, error);
    if !GameLog::is_one(&text)
        && let Ok(save) = Save::from_json(&text)
    {
        return GameLog::from_save(save).map_err(told);
    }
    let log = GameLog::from_text(&text).map_err(told)?;
    tell_torn(path, &log, phrases(library, &log.request(), language));
    Ok(log)
}

/// Loads the packs of a log.
pub fn load(library: &Library, path: &std::path::Path, log: &GameLog) -> Result<GameBox, Stop> {
    known_pack(library, &log.beginning.header.pack).map_err(|stop| stop.of_file(path))?;
    log.load(library).map_err(|error| of_log(library, path, error))
}

/// The lines for a viewer.
fn lines(game: &Game, events: &[LogEntry], viewer: Viewer, words: &Words<'_>) -> Vec<String> {
    let sight = Sight::new(game.rules(), game.state(), viewer);
    events.iter().filter_map(|event| words.event(event, &sight)).collect()
}

/// A table to print, with the question there.
struct Table<'t> {
    game: &'t Game,
    host: &'t ScriptHost,
    words: &'t Words<'t>,
    viewer: Viewer,
}

impl Table<'_> {
    fn view(&self) -> View {
        View::new(self.game, self.host, self.viewer, self.words)
    }

    /// The options, unless another player is asked.
    fn options(&self, decision: &Decision) -> Vec<String> {
        match self.viewer {
            Viewer::Seat(seat) if seat != decision.seat => Vec::new(),
            _ => self.words.options(self.game.state(), decision),
        }
    }

    /// The present question: of players who choose at the same time, the viewer's own, or the first to another.
    fn decision(&self) -> Option<Decision> {
        let (seat, Some((players, chosen))) = (self.viewer, self.game.together()) else {
            return self.game.decision().cloned();
        };
        let own = match seat {
            Viewer::Seat(seat) => self.game.decision_ahead(self.host, seat, &[]).ok().flatten(),
            Viewer::All => self.game.decision().cloned(),
            Viewer::Public => None,
        };
        own.or_else(|| self.game.first_decision(self.host, *players.get(chosen)?).ok()?)
    }

    fn to_json(&self) -> Value {
        let decision = self.decision();
        let asked = decision.as_ref().map(|decision| {
            json!({
                "seat": rulepack_kernel::seat_key(decision.seat),
                "question": self.words.question(decision),
                "options": self.options(decision),
            })
        });
        json!({ "view": self.view(), "asked": asked })
    }

    fn emit(&self) -> Result<(), Stop> {
        emit_lines(&picture(&self.view(), self.game.rules(), self.words))?;
        let Some(decision) = &self.decision() else { return Ok(()) };
        emit("")?;
        emit(&self.words.headed(&self.words.seat(decision.seat), &self.words.question(decision)))?;
        let options = self.options(decision);
        options.iter().enumerate().try_for_each(|(index, text)| emit(&format!("{:>3}  {text}", index + 1)))
    }
}
