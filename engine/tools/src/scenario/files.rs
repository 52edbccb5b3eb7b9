//! Finding scenario files: those of a pack, one file, or all of a folder.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rulepack_model::{Code, Diagnostic, FileId, Sources, Span, Table, all_threads, did_you_mean, side_by_side};
use rulepack_pack::{LinkRequest, MAX_BYTES, meant_name, passed_over, read_text, read_toml};

use super::Scenario;
use super::batch::file_of;
use super::extent::{Extent, Room};
use super::read::read_file;
use crate::load::Library;

/// A file with its scenarios, or with its mistakes.
#[derive(Debug, Clone)]
pub(super) struct ScenarioFile {
    /// The pack to which the file belongs; empty if unknown.
    pub(super) pack: String,
    pub(super) path: String,
    pub(super) scenarios: Vec<Scenario>,
    pub(super) mistakes: Vec<Diagnostic>,
}

/// A name on the command line that is neither a pack nor a path.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// It does not exist.
    #[error("there is neither a pack nor a file `{0}`{1}")]
    NotThere(String, String),
    /// It exists and cannot be read.
    #[error("`{0}` cannot be read: {1}")]
    Unreadable(String, String),
    /// No scenario of the targets contains these words; perhaps others were intended.
    #[error("no scenario has `{0}` in its path, its case or its `about`{1}; `rulepack test --verbose` lists them all")]
    NothingMatches(String, String),
}

/// The files of a target.
#[derive(Debug, Default)]
pub(super) struct Found {
    pub(super) files: Vec<ScenarioFile>,
    /// Mistakes of the pack itself: its scenarios cannot be found.
    pub(super) mistakes: Vec<Diagnostic>,
    /// Notes for the caller: the target can mean two things, or some files are not read.
    pub(super) notes: Vec<String>,
}

/// Reads the scenarios of a pack, of a file, or of all files below a folder.
pub(super) fn find(library: &Library, target: &str) -> Result<Found, TargetError> {
    let path = Path::new(target);
    if library.has(target) {
        let mut found = of_pack(library, target);
        found.notes.extend(path.exists().then(|| {
            let what = if path.is_dir() { "a folder" } else { "a file" };
            format!("`{target}` is a pack and {what}: the pack is tested; for {what} write `./{target}`")
        }));
        return Ok(found);
    }
    if !path.exists() {
        let known: Vec<String> = library.list().into_iter().map(|info| info.id).collect();
        let hint =
            did_you_mean(target, known.iter().map(String::as_str)).map_or(String::new(), |hint| format!("; {hint}"));
        return Err(TargetError::NotThere(target.to_string(), hint));
    }
    let unreadable = |error: io::Error| TargetError::Unreadable(target.to_string(), error.to_string());
    let mut found = Found::default();
    // A file that the caller names may be a link to anywhere; files that are found in a folder lie inside it.
    let inside = if path.is_dir() { Some(path.canonicalize().map_err(unreadable)?) } else { None };
    let (files, slips) = toml_files(path).map_err(unreadable)?;
    found.notes.extend(slips);
    let mut room = Room::default();
    for path in files {
        let pack = pack_around(library, &path);
        // The folder of a pack contains its definitions, too.
        if inside.is_some() && pack.as_ref().is_some_and(|pack| !is_scenario(library, pack, &path)) {
            continue;
        }
        found.files.push(read_path(library, &path, inside.as_deref(), pack.as_deref(), &mut room));
    }
    Ok(found)
}

fn of_pack(library: &Library, pack: &str) -> Found {
    let mut found = Found::default();
    if library.has_game(pack) {
        let request = LinkRequest { pack: pack.to_string(), ..LinkRequest::default() };
        if let Err(mistakes) = library.load(&request) {
            found.mistakes = mistakes;
            return found;
        }
    }
    found.files = shapes(library, pack, all_threads());
    found
}

/// The scenario files of a pack, each with its mistakes; names are not resolved.
pub(super) fn shapes(library: &Library, pack: &str, threads: usize) -> Vec<ScenarioFile> {
    let read = library.scenario_files(pack, threads);
    let sources = library.sources();
    let sources = &*sources;
    let mut room = Room::default();
    let mut refusal = |file: Option<FileId>, table: &Table| room.take(&Extent::of(table), Span::top(file?));
    let refusals: Vec<Option<Diagnostic>> = read.iter().map(|source| refusal(source.file, &source.table)).collect();
    let read: Vec<_> = read.iter().zip(refusals).collect();
    side_by_side(&read, threads, |(source, refusal)| match source.file {
        Some(file) => read_table(sources, file, &source.table, Some(pack), source.mistakes.clone(), refusal.clone()),
        None => {
            let mistakes = source.mistakes.clone();
            let path = file_of(&mistakes, sources, pack);
            ScenarioFile { pack: pack.to_string(), path, scenarios: Vec::new(), mistakes }
        }
    })
}

/// Whether a file of a pack lies where its scenarios do.
fn is_scenario(library: &Library, pack: &str, path: &Path) -> bool {
    let folder = library.folder_of(pack).map(|folder| folder.join("content").join(pack).join("scenarios"));
    let folder = folder.and_then(|folder| folder.canonicalize().ok());
    folder.is_some_and(|folder| path.canonicalize().is_ok_and(|path| path.starts_with(folder)))
}

/// The pack in whose folder a file lies.
fn pack_around(library: &Library, path: &Path) -> Option<String> {
    let path = path.canonicalize().ok()?;
    library.list().into_iter().map(|info| info.id).find(|id| {
        let folder = library.folder_of(id).map(|folder| folder.join("content").join(id));
        folder.and_then(|folder| folder.canonicalize().ok()).is_some_and(|folder| path.starts_with(folder))
    })
}

fn read_path(
    library: &Library,
    path: &Path,
    inside: Option<&Path>,
    pack: Option<&str>,
    room: &mut Room,
) -> ScenarioFile {
    let shown = &*path.to_string_lossy();
    let (text, refused) = match read_text(path, inside, MAX_BYTES) {
        Ok(text) => (text, None),
        Err(error) => (String::new(), Some(format!("`{shown}` cannot be read: {error}"))),
    };
    let file = library.add_source(shown, &text);
    let sources = library.sources();
    if let Some(message) = refused {
        let mistakes = vec![Diagnostic::error(Code::MissingFile, message).at(Span::top(file))];
        let pack = pack.unwrap_or_default().to_string();
        return ScenarioFile { pack, path: shown.to_string(), scenarios: Vec::new(), mistakes };
    }
    let mut mistakes = Vec::new();
    let table = read_toml(&sources, file, &mut mistakes);
    let refusal = room.take(&Extent::of(&table), Span::top(file));
    read_table(&sources, file, &table, pack, mistakes, refusal)
}

fn read_table(
    sources: &Sources,
    file: FileId,
    table: &Table,
    pack: Option<&str>,
    mut mistakes: Vec<Diagnostic>,
    refusal: Option<Diagnostic>,
) -> ScenarioFile {
    let path = sources.get(file).map(|source| source.path.clone()).unwrap_or_default();
    if let Some(refusal) = refusal {
        mistakes.push(refusal);
        return ScenarioFile { pack: pack.unwrap_or_default().to_string(), path, scenarios: Vec::new(), mistakes };
    }
    let scenarios = read_file(file, &path, pack, table, &mut mistakes);
    let named = scenarios.first().map(|scenario| scenario.pack.clone());
    let pack = named.or(pack.map(str::to_string)).unwrap_or_default();
    ScenarioFile { pack, path, scenarios, mistakes }
}

/// The file itself, or all `.toml` files below a folder, sorted by path; with notes about files with a slip in their
/// names.
fn toml_files(path: &Path) -> io::Result<(Vec<PathBuf>, Vec<String>)> {
    let (files, others) = files_below(path, &["toml"])?;
    let slip = |path: PathBuf| {
        let meant = meant_name(&path.file_name()?.to_string_lossy(), ".toml")?;
        let (message, help) = passed_over(&path.to_string_lossy(), &meant);
        Some(format!("{message}: {help}"))
    };
    Ok((files, others.into_iter().filter_map(slip).collect()))
}

/// The file itself, or all files below a folder with one of these endings, and separately all others, sorted by path.
/// Links that lead out of the folder are skipped.
///
/// # Errors
/// If a folder cannot be read.
pub fn files_below(path: &Path, endings: &[&str]) -> io::Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    if path.is_file() {
        return Ok((vec![path.to_path_buf()], Vec::new()));
    }
    let root = path.canonicalize()?;
    let (mut files, mut others) = (Vec::new(), Vec::new());
    let mut seen = BTreeSet::new();
    let mut folders = vec![path.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let real = folder.canonicalize()?;
        if !real.starts_with(&root) || !seen.insert(real) {
            continue;
        }
        for entry in fs::read_dir(&folder)? {
            let path = entry?.path();
            let hidden = path.file_name().is_none_or(|name| name.to_string_lossy().starts_with('.'));
            if hidden {
                continue;
            }
            let is_wanted = path.extension().is_some_and(|ending| endings.iter().any(|wanted| ending == *wanted));
            if path.is_dir() {
                folders.push(path);
            } else if !is_wanted {
                others.push(path);
            } else if path.canonicalize().is_ok_and(|real| real.starts_with(&root)) {
                files.push(path);
            }
        }
    }
    files.sort();
    others.sort();
    Ok((files, others))
}
