//! The libraries of a project with the texts that the editor shows, and what is known of each pack.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rulepack_expr::Vocabulary;
use rulepack_model::{Code, Diagnostic, FileId, Sources};
use rulepack_tools::scenario::check_some_scenarios;
use rulepack_tools::{GameBox, Library, Project, glance};

use super::document::{Document, FileSort, sort_of};
use super::findings::{Found, findings};
use crate::words::{Word, World, definition_words, scenario_words, script_words, translation_words};

/// After so many replaced texts the libraries are opened again, because old texts are kept.
const MOST_REPLACED: usize = 500;

/// What is known of a pack.
#[derive(Default)]
pub(super) struct PackState {
    /// The last game whose files could be read.
    pub(super) game: Option<GameBox>,
}

/// The libraries of a project.
pub(super) struct Room {
    pub(super) library: Library,
    pub(super) folders: Vec<PathBuf>,
    /// The language that the project file names.
    pub(super) language: Option<String>,
    pub(super) packs: BTreeMap<String, PackState>,
    /// The texts that stand in for files.
    texts: BTreeMap<PathBuf, Arc<str>>,
    replaced: usize,
}

/// A file of a pack with its text and words.
pub(super) struct Read {
    pub(super) path: PathBuf,
    pub(super) text: String,
    pub(super) words: Vec<Word>,
}

impl Room {
    /// The libraries of the project to which a file belongs, if it lies in one of them.
    pub(super) fn around(path: &Path) -> Option<Room> {
        let project = Project::around_folder(path.parent()?);
        let mut folders = project.libraries;
        let below = |folder: &PathBuf| path.strip_prefix(folder).is_ok();
        if !folders.iter().any(below) {
            // The library in which the file lies, taken alone.
            folders = path
                .ancestors()
                .filter(|above| above.join("content").is_dir())
                .take(1)
                .map(Path::to_path_buf)
                .collect();
        }
        let library = Library::open(&folders).ok()?;
        library.hold();
        library.shown_path(path)?;
        let language = project.language;
        Some(Room { library, folders, language, packs: BTreeMap::new(), texts: BTreeMap::new(), replaced: 0 })
    }

    /// Whether a file lies in one of the libraries.
    pub(super) fn holds(&self, path: &Path) -> bool {
        self.library.shown_path(path).is_some()
    }

    /// The pack of a file and what kind of file it is.
    pub(super) fn sort(&self, path: &Path) -> (Option<String>, FileSort) {
        let below = self.folders.iter().find_map(|folder| path.strip_prefix(folder).ok());
        let Some(below) = below.map(|below| below.to_string_lossy().replace('\\', "/")) else {
            return (None, FileSort::Other);
        };
        let (pack, sort) = sort_of(&below);
        (pack.map(str::to_string).filter(|pack| self.library.has(pack)), sort)
    }

    /// Opens the libraries again: a file was saved by somebody else, or is there no more.
    pub(super) fn reopen(&mut self) {
        if let Ok(library) = Library::open(&self.folders) {
            library.hold();
            self.library = library;
            self.texts.clear();
            self.replaced = 0;
        }
    }

    /// Puts the texts of open files in the place of their files.
    pub(super) fn sync(&mut self, documents: &BTreeMap<String, Document>) {
        if self.replaced > MOST_REPLACED {
            self.reopen();
        }
        let open: BTreeSet<&PathBuf> = documents.values().map(|document| &document.path).collect();
        if self.texts.keys().any(|path| !open.contains(path)) {
            self.reopen();
        }
        for document in documents.values() {
            let same = self.texts.get(&document.path).is_some_and(|known| *known == document.text);
            let Some(shown) = self.library.shown_path(&document.path).filter(|_| !same) else { continue };
            self.library.replace(&shown, document.text.to_string());
            self.texts.insert(document.path.clone(), Arc::clone(&document.text));
            self.replaced += 1;
        }
    }

    /// What can be said of a pack at once.
    pub(super) fn glance(&mut self, pack: &str, documents: &BTreeMap<String, Document>) -> Vec<Found> {
        let (game, mut out) = glance(&self.library, pack);
        let is_readable = !out.iter().any(|found| found.code == Code::TomlSyntax);
        let state = self.packs.entry(pack.to_string()).or_default();
        if game.is_some() && (is_readable || state.game.is_none()) {
            state.game = game;
        }
        let open: Vec<String> = documents
            .values()
            .filter(|document| self.sort(&document.path) == (Some(pack.to_string()), FileSort::Scenario))
            .filter_map(|document| self.library.shown_path(&document.path))
            .collect();
        if !open.is_empty() {
            let is_open = |path: &str| open.iter().any(|open| open == path);
            let more = check_some_scenarios(&self.library, pack, &[], 1, &is_open);
            let known = |found: &Diagnostic| {
                out.iter().any(|known| known.message == found.message && known.labels == found.labels)
            };
            let more: Vec<Diagnostic> = more.into_iter().filter(|found| !known(found)).collect();
            out.extend(more.into_iter().filter(|found| {
                let sources = self.library.sources();
                found
                    .labels
                    .first()
                    .and_then(|label| sources.get(label.span.file))
                    .is_some_and(|source| is_open(&source.path))
            }));
        }
        findings(&self.library, pack, &out)
    }

    /// The names of a pack.
    pub(super) fn world<'a>(&'a self, pack: &'a str) -> World<'a> {
        let game = self.packs.get(pack).and_then(|state| state.game.as_ref());
        World {
            names: game.map_or(no_names(), |game| &game.rules().vocabulary),
            definitions: game.map(|game| &game.catalogue().definitions),
            pack,
        }
    }

    /// The words of a text, by what kind of file it is.
    pub(super) fn words(&self, text: &str, sort: &FileSort, world: &World<'_>) -> Vec<Word> {
        match sort {
            FileSort::Definitions => definition_words(text, world),
            FileSort::Translation => translation_words(text, world),
            FileSort::Scenario => scenario_words(text, world),
            FileSort::Script(module) => script_words(text, module, world),
            FileSort::Survivors | FileSort::Other => Vec::new(),
        }
    }

    /// A pack, those that it needs and those that build on it.
    fn around_pack(&self, pack: &str) -> Vec<String> {
        let mut all = self.library.load_order(pack);
        if all.is_empty() {
            all.push(pack.to_string());
        }
        for more in self.library.built_on(pack) {
            if !all.contains(&more) {
                all.push(more);
            }
        }
        all
    }

    /// The files of a pack and of those around it, with their words. With `wanted`, only files in which one of these texts
    /// stands.
    pub(super) fn read_all(&self, pack: &str, wanted: &[&str]) -> Vec<Read> {
        let world = self.world(pack);
        let mut read = Vec::new();
        let mut seen = BTreeSet::new();
        for other in self.around_pack(pack) {
            let world = World { pack: &other, ..world };
            let mut files: Vec<(FileId, FileSort)> = Vec::new();
            if let Some(texts) = self.library.texts_of(&other) {
                files.extend(texts.files.iter().map(|(file, _)| (*file, FileSort::Definitions)));
                files.extend(texts.locales.values().map(|(file, _)| (*file, FileSort::Translation)));
                files.extend(texts.scripts.iter().map(|(name, file)| (*file, FileSort::Script(name.clone()))));
            }
            let scenarios = self.library.scenario_files(&other, 1);
            files.extend(scenarios.into_iter().filter_map(|source| Some((source.file?, FileSort::Scenario))));
            let sources = self.library.sources();
            for (file, sort) in files {
                let Some(source) = sources.get(file).filter(|_| seen.insert(file)) else { continue };
                if !wanted.iter().any(|word| source.text.contains(word)) {
                    continue;
                }
                let Some(path) = self.library.real_path(&source.path) else { continue };
                let words = self.words(&source.text, &sort, &world);
                read.push(Read { path, text: source.text.clone(), words });
            }
        }
        read
    }

    /// The text of a file of the libraries, as it is now.
    pub(super) fn text(&self, sources: &Sources, path: &Path) -> Option<String> {
        let shown = self.library.shown_path(path)?;
        sources.iter().filter(|(_, source)| source.path == shown).last().map(|(_, source)| source.text.clone())
    }
}

/// The names of a game that is not known.
fn no_names() -> &'static Vocabulary {
    static NONE: std::sync::OnceLock<Vocabulary> = std::sync::OnceLock::new();
    NONE.get_or_init(Vocabulary::default)
}
