//! `rulepack check`: everything that is wrong with packs.

use std::mem::ManuallyDrop;
use std::path::{Component, Path, PathBuf};

use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressStyle};
use rulepack_model::visible::{joined, one_line};
use rulepack_model::{Code, Diagnostic, all_threads, did_you_mean};
use rulepack_tools::{
    ALL_WARNINGS, Baseline, CHECKS_TYPES, CheckRequest, Circle, FileKind, Finding, Library, Project, REPORT_VERSION,
    SCENARIO_HEAD, check, circles, first_cause, github, only_causes, prepare, render, requests, sarif,
};
use serde::Serialize;

use crate::pick::known_pack;
use crate::project::{allowed, denied};
use crate::stop::{
    Stop, emit_coloured, emit_json, emit_lines, emit_report, read_named, shown, talk, verdict, wants_color,
};
use crate::watch::WatchArg;
use crate::write::{Foreign, unwritten, write_named};

/// Checks packs: files, names, expressions, scripts, scenarios, and games by chance in every mode
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  rulepack check my-game\n  rulepack check my-game --deny warnings --format github\n  rulepack check --playouts 0 --format sarif > findings.sarif\n  rulepack check --baseline known.json --write-baseline\n\nA finding is explained by `rulepack explain CODE`. A file allows itself a warning by a comment on its line or above\nit: `# rulepack-allow: CODE reason` in TOML, `-- rulepack-allow: CODE reason` in Lua."
)]
pub struct Check {
    /// The packs; all if none is named
    packs: Vec<String>,
    /// A further pack that is loaded with each, such as an expansion; may be given several times
    #[arg(long = "with", value_name = "PACK")]
    with: Vec<String>,
    /// The number of random games for each mode and number of players
    #[arg(long, value_name = "N", default_value_t = 50)]
    playouts: u64,
    /// Threads; all cores if not given
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: Option<u16>,
    /// Fail also because of warnings: all (`warnings`), or those of one code; may be given several times
    #[arg(long, value_name = "WHAT")]
    deny: Vec<String>,
    /// Leave out warnings of this code; may be given several times
    #[arg(long, value_name = "CODE")]
    allow: Vec<String>,
    /// Leave out the warnings that this file lists; errors always count
    #[arg(long, value_name = "FILE")]
    baseline: Option<PathBuf>,
    /// Write all warnings that are found into the baseline; refused as long as there are errors
    #[arg(long, requires = "baseline")]
    write_baseline: bool,
    /// Write the games that went wrong into this folder, as scenarios
    #[arg(long, value_name = "DIR")]
    scenarios: Option<PathBuf>,
    /// Overwrite the baseline or scenarios even if rulepack did not write the files that are there
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    watch: WatchArg,
    /// Tell which free moves ran in circles in these games: the last of them is no longer offered
    #[arg(long)]
    cycles: bool,
    /// The output format
    #[arg(long, value_enum, default_value = "human")]
    format: CheckFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum CheckFormat {
    /// For people
    Human,
    /// For programs; docs/ci.md says what is in it
    Json,
    /// SARIF 2.1.0, for code hosts
    Sarif,
    /// Workflow commands of GitHub
    Github,
}

#[derive(Serialize)]
struct Report {
    version: u32,
    packs: Vec<String>,
    errors: usize,
    warnings: usize,
    /// The number of findings that files or the call allow.
    allowed: usize,
    /// The number of findings that the baseline knows.
    known: usize,
    /// The number of findings that are not listed, because there are too many.
    #[serde(skip_serializing_if = "is_none")]
    left_out: usize,
    diagnostics: Vec<Finding>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cycles: Option<Vec<Cycles>>,
}

/// The largest number of findings printed for programs, which also get the number of the rest.
const MOST_FINDINGS: usize = 10_000;

// Serde passes a reference.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_none(count: &usize) -> bool {
    *count == 0
}

/// The circles of free moves in one way to play a pack.
#[derive(Serialize)]
struct Cycles {
    pack: String,
    modes: Vec<String>,
    players: u8,
    cycles: Vec<Circle>,
}

impl Check {
    /// Runs it, and with `--watch` again after each change.
    pub fn run(
        &self,
        open: impl Fn() -> Result<Library, Stop>,
        folders: &[PathBuf],
        project: &Project,
    ) -> Result<(), Stop> {
        self.watch.run(folders, &[], || {
            // A program that ends here need not free all memory: that would take a tenth of the time.
            let library = ManuallyDrop::new(open()?);
            let checked = self.once(&library, folders, project);
            if self.watch.is_on() {
                drop(ManuallyDrop::into_inner(library));
            }
            checked
        })
    }

    fn once(&self, library: &Library, folders: &[PathBuf], project: &Project) -> Result<(), Stop> {
        for pack in self.packs.iter().chain(&self.with) {
            known_pack(library, pack)?;
        }
        for code in self.allow.iter().chain(self.deny.iter().filter(|what| *what != ALL_WARNINGS)) {
            known_code(code)?;
        }
        let (mut allow, mut deny) = (allowed(project, &self.deny), denied(project, &self.allow));
        allow.extend(self.allow.iter().cloned());
        deny.extend(self.deny.iter().cloned());
        let baseline = self.read_baseline()?;
        let mut diagnostics = Vec::new();
        let packs = if self.packs.is_empty() {
            diagnostics.extend(library.diagnostics());
            library.list().into_iter().map(|info| info.id).collect()
        } else {
            self.packs.clone()
        };
        let mut allowed = self.check(library, &packs, &mut diagnostics);
        let mut diagnostics = only_causes(diagnostics, &library.sources());
        let before = diagnostics.len();
        diagnostics.retain(|found| found.is_error() || !allow.iter().any(|code| code == found.code.name()));
        allowed += before - diagnostics.len();
        if self.write_baseline {
            return self.write_known(library, diagnostics);
        }
        let mut known = 0;
        if let Some(baseline) = baseline {
            let gone;
            (diagnostics, known, gone) = baseline.fresh(diagnostics, &library.sources());
            if gone > 0 && self.packs.is_empty() {
                talk(&format!("{gone} findings of the baseline are gone: bring it up to date with `--write-baseline`"));
            }
        }
        self.write_scenarios(&diagnostics)?;
        let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
        let warnings = diagnostics.len() - errors;
        let left_out = diagnostics.len().saturating_sub(MOST_FINDINGS);
        let cycles = self.cycles.then(|| self.cycles(library, &packs));
        let written = match self.format {
            CheckFormat::Human => self.human(library, &diagnostics, cycles.as_deref()),
            CheckFormat::Json => {
                let diagnostics = findings(library, &diagnostics);
                let version = REPORT_VERSION;
                let packs = packs.clone();
                emit_json(&Report { version, packs, errors, warnings, allowed, known, left_out, diagnostics, cycles })
            }
            CheckFormat::Sarif => emit_json(&sarif(&from_here(findings(library, &diagnostics), folders), left_out)),
            CheckFormat::Github => match github(&from_here(findings(library, &diagnostics), folders), left_out) {
                text if text.is_empty() => Ok(()),
                text => emit_report(text.trim_end()),
            },
        };
        talk(&summary(&packs, errors, warnings, allowed, known));
        if !CHECKS_TYPES {
            talk(
                "the kinds of values in scripts were not checked: `cargo build --release --features lua-analysis` builds a rulepack that does",
            );
        }
        if self.format == CheckFormat::Human
            && let Some(first) = first_cause(&diagnostics, &library.sources())
        {
            talk(&first);
        }
        let is_denied = |found: &Diagnostic| deny.iter().any(|what| what == ALL_WARNINGS || what == found.code.name());
        verdict(written, errors > 0 || diagnostics.iter().any(is_denied))
    }

    /// Checks all packs, with a progress bar on a terminal; returns the number of allowed findings.
    fn check(&self, library: &Library, packs: &[String], diagnostics: &mut Vec<Diagnostic>) -> usize {
        let threads = self.threads.map_or_else(all_threads, usize::from);
        let request = CheckRequest { playouts: self.playouts, threads, with: self.with.clone() };
        prepare(library, packs, request.threads);
        let style = ProgressStyle::with_template("{spinner} {msg}, {pos} games played").expect("the template is right");
        let bar = ProgressBar::new_spinner().with_style(style);
        let mut allowed = 0;
        for (index, pack) in packs.iter().enumerate() {
            bar.set_message(format!("checking {} ({} of {})", one_line(pack), index + 1, packs.len()));
            let checked = check(library, pack, &request, &mut || bar.inc(1));
            allowed += checked.allowed;
            diagnostics.extend(checked.diagnostics);
        }
        bar.finish_and_clear();
        allowed
    }

    fn human(&self, library: &Library, diagnostics: &[Diagnostic], cycles: Option<&[Cycles]>) -> Result<(), Stop> {
        if !diagnostics.is_empty() {
            emit_coloured(&render(diagnostics, &library.sources(), wants_color(&std::io::stdout())))?;
        }
        cycles.into_iter().flatten().try_for_each(|seen| emit_lines(&told(seen)))
    }

    fn read_baseline(&self) -> Result<Option<Baseline>, Stop> {
        let Some(path) = self.baseline.as_ref().filter(|_| !self.write_baseline) else { return Ok(None) };
        let text = read_named(path)?;
        let wrong = |message: String| Stop::quoting(format!("`{}` cannot be used: {message}", path.display()));
        Baseline::from_json(&text).map(Some).map_err(wrong)
    }

    /// Writes the baseline, unless there are errors: they are printed, and no file is written.
    fn write_known(&self, library: &Library, mut diagnostics: Vec<Diagnostic>) -> Result<(), Stop> {
        let Some(path) = &self.baseline else { return Ok(()) };
        if diagnostics.iter().any(Diagnostic::is_error) {
            diagnostics.retain(Diagnostic::is_error);
            // The errors count whether or not somebody reads them.
            let _ = self.human(library, &diagnostics, None);
            let errors = several(diagnostics.len(), "error");
            let message = format!("{errors}: a baseline holds warnings only, so `{}` is not written", shown(path));
            return Err(Stop::Wrong(message));
        }
        let text = Baseline::of(&diagnostics, &library.sources()).to_json();
        write_named(path, &text, FileKind::Baseline, Foreign::new(self.force))?;
        talk(&format!("wrote {} to `{}`", several(diagnostics.len(), "finding"), path.display()));
        Ok(())
    }

    fn write_scenarios(&self, diagnostics: &[Diagnostic]) -> Result<(), Stop> {
        let Some(folder) = &self.scenarios else { return Ok(()) };
        let cannot = |error: std::io::Error| Stop::Call(unwritten(folder, &error));
        std::fs::create_dir_all(folder).map_err(cannot)?;
        for found in diagnostics {
            let Some(shown) = &found.shown_by else { continue };
            if let Some(scenario) = &shown.scenario {
                let path = folder.join(format!("{}_{}.toml", found.code.name().replace('-', "_"), shown.seed));
                let scenario = format!("{SCENARIO_HEAD}\n{scenario}");
                write_named(&path, &scenario, FileKind::Scenario, Foreign::new(self.force))?;
                talk(&format!("wrote `{}`", path.display()));
            }
        }
        Ok(())
    }

    /// The circles of every way to play the packs that can be played.
    fn cycles(&self, library: &Library, packs: &[String]) -> Vec<Cycles> {
        let mut all = Vec::new();
        for pack in packs {
            for request in requests(library, pack, &mut Vec::new()) {
                let Ok(game_box) = library.load(&request) else { continue };
                let rules = game_box.rules();
                let (modes, players) = (rules.modes.clone(), rules.players);
                let cycles = circles(&game_box, self.playouts);
                all.push(Cycles { pack: pack.clone(), modes, players, cycles });
            }
        }
        all
    }
}

fn known_code(name: &str) -> Result<(), Stop> {
    if Code::named(name).is_some() {
        return Ok(());
    }
    let hint = did_you_mean(name, Code::ALL.iter().map(|code| code.name()).chain([ALL_WARNINGS]));
    let hint = hint.map_or(String::new(), |hint| format!("; {hint}"));
    Err(Stop::Call(format!("there is no diagnostic code `{name}`{hint}")))
}

/// Findings with paths relative to the working directory, because code hosts do not know the library. With several
/// libraries, the paths contain them already.
fn from_here(mut findings: Vec<Finding>, folders: &[PathBuf]) -> Vec<Finding> {
    let here = std::env::current_dir().and_then(|here| here.canonicalize());
    for place in findings.iter_mut().flat_map(|finding| &mut finding.places) {
        let path = match folders {
            [one] => one.join(&place.path),
            _ => PathBuf::from(&place.path),
        };
        let path = match &here {
            Ok(here) => relative(&path, here),
            Err(_) => path,
        };
        place.path = path.to_string_lossy().replace('\\', "/");
    }
    findings
}

/// A path relative to a folder, without `.` and, if both are on one disk, never absolute.
pub fn relative(path: &Path, here: &Path) -> PathBuf {
    let plain: PathBuf = path.components().filter(|part| *part != Component::CurDir).collect();
    let Ok(real) =
        plain.canonicalize().map_err(drop).and_then(|real| if plain.is_absolute() { Ok(real) } else { Err(()) })
    else {
        return plain;
    };
    let common = real.components().zip(here.components()).take_while(|(a, b)| a == b).count();
    if common == 0 {
        return plain;
    }
    let up = here.components().skip(common).map(|_| Component::ParentDir);
    up.chain(real.components().skip(common)).collect()
}

fn told(seen: &Cycles) -> String {
    let modes = if seen.modes.is_empty() { String::new() } else { format!(" ({})", seen.modes.join(", ")) };
    let what = match seen.cycles.len() {
        0 => "no free move ran in a circle".to_string(),
        count => format!("{count} circles of free moves, of which the last is not offered"),
    };
    let first = format!("{}{modes}, {} players: {what}", seen.pack, seen.players);
    joined(std::iter::once(first).chain(seen.cycles.iter().map(|circle| format!("  {}", circle.moves.join(", then ")))))
}

fn findings(library: &Library, diagnostics: &[Diagnostic]) -> Vec<Finding> {
    let sources = library.sources();
    diagnostics.iter().take(MOST_FINDINGS).map(|diagnostic| Finding::new(diagnostic, &sources)).collect()
}

fn several(count: usize, word: &str) -> String {
    format!("{count} {word}{}", if count == 1 { "" } else { "s" })
}

fn summary(packs: &[String], errors: usize, warnings: usize, allowed: usize, known: usize) -> String {
    let mut text = format!(
        "checked {}: {}, {}",
        several(packs.len(), "pack"),
        several(errors, "error"),
        several(warnings, "warning")
    );
    if allowed > 0 {
        text.push_str(&format!(", {allowed} allowed"));
    }
    if known > 0 {
        text.push_str(&format!(", {known} known"));
    }
    text
}
