//! The public interface for loading: open libraries, load a game, start it.

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

use std::cell::{Ref, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use rulepack_kernel::ruleset::Hook;
use rulepack_kernel::{Fault, Game, Limits, Ruleset};
use rulepack_model::{Code, Diagnostic, FileId, Sources, Table, side_by_side};
use rulepack_pack::{
    Attempt, Catalogue, Found, LinkRequest, Linked, Manifest, ModeInfo, Need, OpenError, PackKind, PackSource, Players,
    ScenarioSource, Shelf, TextNote, check_shapes, modes_of, players_of, players_of_all, resolve, try_link,
    try_link_held,
};
use rulepack_script::{Script, ScriptError, ScriptHost};
use serde::Serialize;

use crate::blame::script_mistake;

/// Folders with packs. Files are read again each time a game is loaded, so that a change shows at once.
#[derive(Debug)]
pub struct Library {
    // Reading only adds texts, and every holder of the library may read.
    shelf: RefCell<Shelf>,
    folders: Vec<PathBuf>,
    /// The limits of the games that are loaded.
    limits: Limits,
    /// Loaded games, while files count as unchanged.
    loaded: RefCell<Option<BTreeMap<LinkRequest, Loaded>>>,
    /// Scripts whose hooks were bound.
    bound: Mutex<Vec<Bound>>,
}

/// The largest number of games kept while files count as unchanged; after that, games are linked again. A large one
/// takes megabytes.
pub(crate) const MOST_LOADED: usize = 96;

/// The scripts and hooks that were bound. If that succeeded once, it need not be tried again.
type Bound = (Vec<Hook>, Vec<FileId>);

/// The result of loading a game.
#[derive(Debug, Clone)]
pub struct Loaded {
    /// The game, as far as it was understood; `None` if the packs could not be read.
    pub game_box: Option<GameBox>,
    /// Whether it can be played.
    pub playable: bool,
    /// All mistakes and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// A pack, for lists.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PackInfo {
    /// Its id.
    pub id: String,
    /// Its version.
    pub version: String,
    /// The title for players.
    pub title: String,
    /// `game`, `expansion` or `library`.
    pub kind: &'static str,
    /// One sentence about it.
    pub text: Option<String>,
    /// The smallest and the largest number of players; those of the base game if the pack has none.
    pub players: Option<(u8, u8)>,
    /// Packs that it needs, with their versions.
    pub needs: BTreeMap<String, String>,
    /// Packs after which it is loaded, if they are loaded at all.
    pub optional: BTreeMap<String, String>,
    /// Packs that cannot be loaded with it.
    pub conflicts: BTreeMap<String, String>,
    /// Editions of the rulebook; the first is the default.
    pub editions: Vec<String>,
    /// Languages; the first is the pack's own.
    pub languages: Vec<String>,
}

impl Library {
    /// Opens libraries and reads the manifests of their packs.
    ///
    /// # Errors
    /// If a folder is not a library.
    pub fn open<P: AsRef<Path>>(folders: &[P]) -> Result<Library, OpenError> {
        let folders: Vec<PathBuf> = folders.iter().map(|folder| folder.as_ref().to_path_buf()).collect();
        Ok(Library {
            shelf: RefCell::new(rulepack_pack::open(&folders)?),
            folders,
            limits: Limits::default(),
            loaded: RefCell::default(),
            bound: Mutex::default(),
        })
    }

    /// Opens the same folders again: for another thread.
    ///
    /// # Errors
    /// If a folder is no library any more.
    pub fn again(&self) -> Result<Library, OpenError> {
        Ok(Library::open(&self.folders)?.with_limits(self.limits))
    }

    /// The same library with other limits for games: set by the caller, never by a pack.
    #[must_use]
    pub fn with_limits(self, limits: Limits) -> Library {
        Library { limits, loaded: RefCell::default(), bound: Mutex::default(), ..self }
    }

    /// The folders, as named by the caller.
    pub fn folders(&self) -> &[PathBuf] {
        &self.folders
    }

    /// All packs by id.
    pub fn list(&self) -> Vec<PackInfo> {
        let shelf = self.shelf.borrow();
        let players = players_of_all(&shelf);
        let info = |found: &Found| PackInfo::new(&found.manifest, players.get(found.manifest.id.as_str()).copied());
        shelf.packs.values().map(info).collect()
    }

    /// The manifest of a pack.
    pub fn manifest(&self, pack: &str) -> Option<Manifest> {
        self.shelf.borrow().packs.get(pack).map(|found| found.manifest.clone())
    }

    /// The numbers of players of a pack: its own, or those of its base game.
    pub fn players(&self, pack: &str) -> Option<Players> {
        players_of(&self.shelf.borrow(), pack).ok()
    }

    /// A pack and the packs that it needs, directly or not; each comes after those it builds on. Empty if one of them
    /// is missing.
    pub fn load_order(&self, pack: &str) -> Vec<String> {
        resolve(&self.shelf.borrow(), pack, &[]).unwrap_or_default()
    }

    /// The game that a pack is or expands, if there is one.
    pub fn game_below(&self, pack: &str) -> Option<String> {
        let is_game = |id: &String| self.manifest(id).is_some_and(|manifest| manifest.kind == PackKind::Game);
        let mut games = self.load_order(pack).into_iter().filter(is_game);
        games.next().filter(|_| games.next().is_none())
    }

    /// Whether there is a game in which a pack can be played. A library that builds on no game can only be played by
    /// the packs that need it.
    pub fn has_game(&self, pack: &str) -> bool {
        let is_library = |manifest: Manifest| manifest.kind == PackKind::Library;
        !self.manifest(pack).is_some_and(is_library) || self.game_below(pack).is_some()
    }

    /// The packs of the libraries that need a pack, directly or not, by name.
    pub fn built_on(&self, pack: &str) -> Vec<String> {
        let mut all = BTreeSet::new();
        {
            let shelf = self.shelf.borrow();
            let mut needed_by: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
            for found in shelf.packs.values() {
                for need in found.manifest.needs.keys() {
                    needed_by.entry(need).or_default().push(&found.manifest.id);
                }
            }
            let mut waiting = vec![pack];
            while let Some(id) = waiting.pop() {
                let fresh = needed_by.get(id).into_iter().flatten().filter(|other| all.insert((**other).to_string()));
                waiting.extend(fresh);
            }
        }
        all.remove(pack);
        all.into_iter().filter(|id| self.load_order(id).iter().any(|below| below == pack)).collect()
    }

    /// The modes that a pack itself declares, whether or not it can be played.
    pub fn modes(&self, pack: &str) -> Vec<ModeInfo> {
        modes_of(&mut self.shelf.borrow_mut(), pack)
    }

    /// The title of a pack in a language such as `fr` or `fr_CH.UTF-8`, if it is translated.
    pub fn title_in(&self, pack: &str, language: &str) -> Option<String> {
        let short = language.split(['-', '_', '.']).next()?;
        let (source, _) = self.shelf.borrow_mut().read(pack);
        let source = source?;
        let (_, table) = source.locales.get(short)?;
        table.get("pack")?.below("title")?.as_str().map(str::to_string)
    }

    /// Whether a pack exists, even with a broken manifest.
    pub fn has(&self, pack: &str) -> bool {
        let shelf = self.shelf.borrow();
        shelf.packs.contains_key(pack) || shelf.is_broken(pack)
    }

    /// The library that contains a pack, as named by the caller.
    pub fn folder_of(&self, pack: &str) -> Option<PathBuf> {
        self.shelf.borrow().packs.get(pack).map(|found| found.library.clone())
    }

    /// Mistakes in the manifests.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.shelf.borrow().diagnostics.clone()
    }

    /// All texts read so far; the places of diagnostics refer to them. Release it before loading a game, which adds
    /// texts.
    pub fn sources(&self) -> Ref<'_, Sources> {
        Ref::map(self.shelf.borrow(), |shelf| &shelf.texts.sources)
    }

    /// From now on files count as unchanged: each is read once.
    pub fn hold(&self) {
        self.shelf.borrow_mut().hold();
        self.loaded.borrow_mut().get_or_insert_default();
    }

    /// Replaces the text of a file in memory, in a library that is held, until [`Library::restore`].
    pub fn edit(&self, path: &str, text: String) {
        self.shelf.borrow_mut().edit(path, text);
        self.loaded.borrow_mut().iter_mut().for_each(BTreeMap::clear);
        self.bound.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Undoes [`Library::edit`].
    pub fn restore(&self) {
        self.shelf.borrow_mut().restore();
        self.loaded.borrow_mut().iter_mut().for_each(BTreeMap::clear);
        self.bound.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Puts another text in the place of a file, from now on, in a library that is held: what an editor shows. Nothing is
    /// written.
    pub fn replace(&self, path: &str, text: String) {
        self.shelf.borrow_mut().replace(path, text);
        self.loaded.borrow_mut().iter_mut().for_each(BTreeMap::clear);
        self.bound.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The path of a file as sources show it; `None` if it lies in none of the libraries.
    pub fn shown_path(&self, file: &Path) -> Option<String> {
        self.shelf.borrow().shown_path(file)
    }

    /// The place of a source in the file system; `None` if it is of no library.
    pub fn real_path(&self, shown: &str) -> Option<PathBuf> {
        self.shelf.borrow().real_path(shown)
    }

    /// Adds a text from outside the libraries, so that diagnostics can show places in it.
    pub fn add_source(&self, path: &str, text: &str) -> FileId {
        self.shelf.borrow_mut().texts.sources.add(path, text)
    }

    /// Reads a file of a pack that is not a definition, if it exists.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read_beside(&self, pack: &str, name: &str) -> Result<Option<FileId>, Vec<Diagnostic>> {
        self.shelf.borrow_mut().read_beside(pack, name)
    }

    /// Loads a game.
    ///
    /// # Errors
    /// All mistakes of the packs, warnings too, if one of them is an error.
    pub fn load(&self, request: &LinkRequest) -> Result<GameBox, Vec<Diagnostic>> {
        match self.try_load(request) {
            (Some(game_box), _) => Ok(game_box),
            (None, diagnostics) => Err(diagnostics),
        }
    }

    /// Loads a game and returns the warnings too.
    pub fn try_load(&self, request: &LinkRequest) -> (Option<GameBox>, Vec<Diagnostic>) {
        let loaded = self.attempt(request);
        (loaded.game_box.filter(|_| loaded.playable), loaded.diagnostics)
    }

    /// Loads games in parallel, at most [`MOST_LOADED`], so that [`Library::attempt`] finds them in the cache. Only for
    /// a library that is held.
    pub(crate) fn attempt_all(&self, requests: &[LinkRequest], threads: usize) {
        let mut missing: Vec<&LinkRequest> = match self.loaded.borrow().as_ref() {
            Some(loaded) => requests.iter().filter(|request| !loaded.contains_key(request)).collect(),
            None => return,
        };
        missing.truncate(MOST_LOADED);
        missing.sort();
        missing.dedup();
        // Files are read one after the other; everything else only reads them.
        for request in &missing {
            let order = resolve(&self.shelf.borrow(), &request.pack, &request.with).unwrap_or_default();
            for pack in order {
                self.shelf.borrow_mut().read(&pack);
            }
        }
        let shelf = self.shelf.borrow();
        let (shelf, bound, limits) = (&*shelf, &self.bound, self.limits);
        let linked = side_by_side(&missing, threads, |request| {
            // Games that need further files are loaded by others.
            let attempt = try_link_held(shelf, request)?;
            Some(((*request).clone(), loaded(shelf, request, attempt, bound, limits)))
        });
        if let Some(all) = self.loaded.borrow_mut().as_mut() {
            if all.len().saturating_add(linked.len()) > MOST_LOADED {
                all.clear();
            }
            all.extend(linked.into_iter().flatten());
        }
    }

    /// Reads the definitions of packs in parallel. Only for a library that is held.
    pub(crate) fn read_ahead(&self, packs: &[String], threads: usize) {
        self.shelf.borrow_mut().read_ahead(packs, threads);
    }

    /// Loads a game, and returns the parts that could be linked even if it cannot be played.
    pub fn attempt(&self, request: &LinkRequest) -> Loaded {
        if let Some(loaded) = self.loaded.borrow().as_ref().and_then(|loaded| loaded.get(request)) {
            return loaded.clone();
        }
        let loaded = self.link(request);
        if let Some(all) = self.loaded.borrow_mut().as_mut() {
            if all.len() >= MOST_LOADED {
                all.clear();
            }
            all.insert(request.clone(), loaded.clone());
        }
        loaded
    }

    fn link(&self, request: &LinkRequest) -> Loaded {
        let attempt = try_link(&mut self.shelf.borrow_mut(), request);
        loaded(&self.shelf.borrow(), request, attempt, &self.bound, self.limits)
    }

    /// The mistakes of a pack that no game can be made of.
    pub(crate) fn shapes(&self, pack: &str) -> Vec<Diagnostic> {
        check_shapes(&mut self.shelf.borrow_mut(), pack)
    }

    /// All texts of a pack except its scenarios.
    pub fn texts_of(&self, pack: &str) -> Option<Arc<PackSource>> {
        self.shelf.borrow_mut().read(pack).0
    }

    /// Loads a game with a script host.
    pub(crate) fn load_to_play(&self, request: &LinkRequest) -> Option<(GameBox, ScriptHost)> {
        let attempt = try_link(&mut self.shelf.borrow_mut(), request);
        if !attempt.playable {
            return None;
        }
        let game_box = GameBox::new(attempt.linked?, self.limits);
        let host = game_box.host().ok()?;
        Some((game_box, host))
    }

    /// The files with definitions of a pack, without the part of the manifest about the pack itself.
    pub(crate) fn definition_files(&self, pack: &str) -> Vec<(FileId, Arc<Table>)> {
        self.shelf.borrow_mut().read(pack).0.map(|pack| pack.files.clone()).unwrap_or_default()
    }

    /// The scripts of a pack, without those that the packs of a library share.
    pub(crate) fn script_files(&self, pack: &str) -> Vec<FileId> {
        let read = self.shelf.borrow_mut().read(pack).0;
        let own = |name: &str| !name.starts_with("lib.");
        read.iter().flat_map(|pack| pack.scripts.iter()).filter(|(name, _)| own(name)).map(|(_, file)| *file).collect()
    }

    /// The scenario files of a pack, whether or not it can be played.
    pub fn scenario_files(&self, pack: &str, threads: usize) -> Vec<ScenarioSource> {
        self.shelf.borrow_mut().read_scenarios(pack, threads)
    }
}

/// The result of linking, with the mistakes of manifests and scripts.
fn loaded(shelf: &Shelf, request: &LinkRequest, attempt: Attempt, bound: &Mutex<Vec<Bound>>, limits: Limits) -> Loaded {
    let mut diagnostics = manifest_mistakes(shelf, request);
    let (linked, found) = (attempt.linked, attempt.diagnostics);
    // A pack whose manifest cannot be used is not unknown: the reasons are reported already.
    let told = diagnostics.iter().any(Diagnostic::is_error);
    let is_broken = |diagnostic: &Diagnostic| told && diagnostic.code == Code::UnknownPack;
    diagnostics.extend(found.into_iter().filter(|diagnostic| !is_broken(diagnostic)));
    let Some(linked) = linked else { return Loaded { game_box: None, playable: false, diagnostics } };
    let playable = attempt.playable && !told;
    let game_box = GameBox::new(linked, limits);
    // Scripts are checked even if other files have mistakes, so that one run reports all.
    let errors = unbound(&game_box, bound);
    // A missing script file has been reported by linking.
    let fresh = errors.iter().filter(|error| playable || error.file.is_some());
    diagnostics.extend(fresh.map(|error| script_mistake(error, &game_box, &shelf.texts.sources)));
    Loaded { game_box: Some(game_box), playable: playable && errors.is_empty(), diagnostics }
}

/// The mistakes of the scripts of a game; bindings that another game has tried are not tried again.
fn unbound(game_box: &GameBox, bound: &Mutex<Vec<Bound>>) -> Vec<ScriptError> {
    let files: Vec<FileId> = game_box.scripts.iter().map(|script| script.file).collect();
    let this: Bound = (game_box.rules.hooks.clone(), files);
    let known = || bound.lock().unwrap_or_else(PoisonError::into_inner);
    if this.0.is_empty() && this.1.is_empty() || known().contains(&this) {
        return Vec::new();
    }
    match ScriptHost::new(&game_box.rules, &game_box.scripts) {
        Ok(_) => {
            known().push(this);
            Vec::new()
        }
        Err(errors) => errors,
    }
}

/// Mistakes in the manifests of the packs of a request.
fn manifest_mistakes(shelf: &Shelf, request: &LinkRequest) -> Vec<Diagnostic> {
    let Ok(order) = resolve(shelf, &request.pack, &request.with) else {
        // A pack is missing: it may be one of those that could not be read.
        return shelf.diagnostics.clone();
    };
    let files: Vec<FileId> = order.iter().filter_map(|id| Some(shelf.packs.get(id)?.manifest_file)).collect();
    let concerns = |diagnostic: &&Diagnostic| diagnostic.labels.iter().any(|label| files.contains(&label.span.file));
    shelf.diagnostics.iter().filter(concerns).cloned().collect()
}

impl PackInfo {
    fn new(manifest: &Manifest, players: Option<Players>) -> Self {
        let versions = |needs: &BTreeMap<String, Need>| {
            needs.iter().map(|(id, need)| (id.clone(), need.versions.to_string())).collect()
        };
        let languages = std::iter::once(manifest.language.clone());
        PackInfo {
            id: manifest.id.clone(),
            version: manifest.version.to_string(),
            title: manifest.title.clone(),
            kind: match manifest.kind {
                PackKind::Game => "game",
                PackKind::Expansion => "expansion",
                PackKind::Library => "library",
            },
            text: manifest.text.clone(),
            players: players.map(|players| (players.min, players.max)),
            needs: versions(&manifest.needs),
            optional: versions(&manifest.optional),
            conflicts: versions(&manifest.conflicts),
            editions: manifest.editions.iter().map(|edition| edition.text.clone()).collect(),
            languages: languages.chain(manifest.locales.iter().map(|locale| locale.text.clone())).collect(),
        }
    }
}

/// A loaded game: rules and scripts for one choice of modes and one number of players.
#[derive(Debug, Clone)]
pub struct GameBox {
    rules: Arc<Ruleset>,
    scripts: Arc<[Script]>,
    catalogue: Arc<Catalogue>,
    notes: Arc<[TextNote]>,
}

impl GameBox {
    fn new(linked: Linked, limits: Limits) -> Self {
        let scripts = linked.scripts.iter().cloned().map(|script| Script {
            pack: script.pack,
            name: script.name,
            path: script.path,
            text: script.text,
            file: script.file,
        });
        GameBox {
            rules: Arc::new(Ruleset { limits, ..linked.rules }),
            scripts: scripts.collect(),
            catalogue: linked.catalogue,
            notes: linked.notes,
        }
    }

    /// The same packs, with a ruleset that differs only in how the kernel carries it out.
    pub(crate) fn with_rules(&self, rules: Arc<Ruleset>) -> GameBox {
        GameBox { rules, ..self.clone() }
    }

    /// The rules.
    pub fn rules(&self) -> &Arc<Ruleset> {
        &self.rules
    }

    /// The data for reports.
    pub fn catalogue(&self) -> &Catalogue {
        &self.catalogue
    }

    /// The scripts of all packs in use.
    pub(crate) fn scripts(&self) -> &[Script] {
        &self.scripts
    }

    /// Comparisons and divisions of all texts.
    pub(crate) fn notes(&self) -> &[TextNote] {
        &self.notes
    }

    /// A script host; every thread needs its own.
    ///
    /// # Errors
    /// If the scripts cannot be bound again; they were bound when the game was loaded.
    pub fn host(&self) -> Result<ScriptHost, Fault> {
        ScriptHost::new(&self.rules, &self.scripts).map_err(|errors| {
            let messages: Vec<String> = errors.into_iter().map(|error| error.to_string()).collect();
            Fault::new(messages.join("; "))
        })
    }

    /// Sets a game up and runs to the first decision.
    ///
    /// # Errors
    /// If the pack fails.
    pub fn start(&self, host: &ScriptHost, seed: u64) -> Result<Game, Fault> {
        Game::start(Arc::clone(&self.rules), seed, host)
    }
}
