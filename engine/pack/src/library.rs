//! Libraries on disk: the list of packs, and all texts of one pack.
//!
//! `open.rs` makes the list, `root.rs` finds and reads the files. The meaning of the texts is decided elsewhere.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rulepack_model::{Code, Diagnostic, FileId, Span, Table, did_you_mean, side_by_side};

use crate::link::Kept;
use crate::manifest::{MANIFEST_TABLES, Manifest};
use crate::read::read_toml;
use crate::root::{Depth, ICONS, Listed, Loaded, Root, SCENARIOS};
use crate::texts::Texts;

/// The packs of the libraries: only manifests are read at first.
#[derive(Debug, Default)]
pub struct Shelf {
    /// The texts read so far.
    pub texts: Texts,
    /// Packs by id.
    pub packs: BTreeMap<String, Found>,
    /// Folders that are meant to be packs and whose manifest cannot be used; the reasons are in `diagnostics`.
    pub(crate) broken: BTreeMap<String, Root>,
    /// Every mistake in the manifests.
    pub diagnostics: Vec<Diagnostic>,
    /// Packs that were read, while files count as unchanged.
    held: Option<BTreeMap<String, ReadPack>>,
    /// The cache of linked games.
    kept: Kept,
    /// The libraries, as named by the caller.
    pub(crate) roots: Vec<(PathBuf, Root)>,
    /// The number of bytes of all manifests.
    pub(crate) bytes: u64,
}

/// A pack that was read, if possible, and the mistakes in its files.
pub(crate) type ReadPack = (Option<Arc<PackSource>>, Vec<Diagnostic>);

/// A pack of a library.
#[derive(Debug)]
pub struct Found {
    /// Its manifest.
    pub manifest: Manifest,
    /// The library, as named by the caller.
    pub library: PathBuf,
    /// The file of the manifest.
    pub manifest_file: FileId,
    pub(crate) root: Root,
}

/// All texts of one pack.
#[derive(Debug)]
pub struct PackSource {
    /// Its manifest.
    pub manifest: Manifest,
    /// Definitions: first the rest of `pack.toml`, then the other files by path.
    pub files: Vec<(FileId, Arc<Table>)>,
    /// Translations by language.
    pub locales: BTreeMap<String, (FileId, Arc<Table>)>,
    /// Scripts by the name that hooks and `require` use: `cards.ferries`, `lib.dice`.
    pub scripts: BTreeMap<String, FileId>,
    /// Icons by their path below `look/`.
    pub icons: BTreeMap<String, FileId>,
}

/// A scenario file as it was read.
#[derive(Debug, Clone)]
pub struct ScenarioSource {
    /// The file; `None` if it could not be read at all.
    pub file: Option<FileId>,
    /// The part that could be read.
    pub table: Table,
    /// The mistakes in its TOML.
    pub mistakes: Vec<Diagnostic>,
}

impl Shelf {
    /// An empty shelf of some libraries.
    pub(crate) fn of(roots: Vec<(PathBuf, Root)>) -> Shelf {
        Shelf { roots, ..Shelf::default() }
    }

    /// From now on files count as unchanged: each is read once.
    pub fn hold(&mut self) {
        self.texts.hold();
        self.held.get_or_insert_default();
    }

    /// Replaces the text of a file of a definition or a script in memory; nothing is written. Only for a shelf that is
    /// held, and one file at a time: call [`Shelf::restore`] first.
    pub fn edit(&mut self, path: &str, text: String) {
        self.forget(path);
        self.texts.edit(path, text);
    }

    /// Puts another text in the place of a file, from now on: what an editor shows, saved or not. Nothing is written. Only for a
    /// shelf that is held. `path` is that of a source.
    pub fn replace(&mut self, path: &str, text: String) {
        if self.texts.held(path).and_then(|file| self.texts.sources.get(file)).is_some_and(|known| known.text == text) {
            return;
        }
        self.forget(path);
        self.texts.replace(path, text);
        self.read_manifest_again(path);
    }

    /// Reads the manifest that stands at a path again, if there is one.
    fn read_manifest_again(&mut self, path: &str) {
        let roots = self.roots.clone();
        let found = roots.iter().find_map(|(library, root)| {
            let name = path.strip_prefix(&root.prefix)?.strip_prefix("content/")?.strip_suffix("/pack.toml")?;
            (!name.contains('/')).then_some((library, root, name))
        });
        let Some((library, root, name)) = found else { return };
        let sources = &self.texts.sources;
        let is_of_it = |found: &Diagnostic| {
            let mut files = found.labels.iter().filter_map(|label| sources.get(label.span.file));
            files.any(|source| source.path == path)
        };
        self.diagnostics.retain(|found| !is_of_it(found));
        if self.packs.get(name).is_some_and(|found| found.root.real != root.real) {
            return;
        }
        self.packs.remove(name);
        self.broken.remove(name);
        self.kept.forget(name);
        if let Some(held) = &mut self.held {
            held.remove(name);
        }
        self.find(library, root, name);
    }

    /// The path of a file as sources show it; `None` if it lies in none of the libraries.
    pub fn shown_path(&self, file: &Path) -> Option<String> {
        self.roots.iter().find_map(|(library, root)| {
            let below = file.strip_prefix(library).or_else(|_| file.strip_prefix(&root.real)).ok()?;
            Some(root.shown(&below.to_string_lossy().replace('\\', "/")))
        })
    }

    /// The place of a source in the file system; `None` if it is of no library.
    pub fn real_path(&self, shown: &str) -> Option<PathBuf> {
        self.roots.iter().find_map(|(library, root)| {
            let below = shown.strip_prefix(&root.prefix)?;
            let first = below.split('/').next()?;
            ["content", "scripts"].contains(&first).then(|| library.join(below))
        })
    }

    /// Undoes [`Shelf::edit`].
    pub fn restore(&mut self) {
        // Asked first, because the text that replaces the file loses its path when it is removed.
        if let Some(path) = self.texts.edited() {
            self.forget(&path);
            self.texts.restore();
        }
    }

    /// Reads the packs again to which a file belongs.
    fn forget(&mut self, path: &str) {
        let texts = &self.texts;
        let is_of = |(pack, _): &(Option<Arc<PackSource>>, Vec<Diagnostic>)| {
            pack.as_ref().is_some_and(|pack| {
                let locales = pack.locales.values().map(|(file, _)| file);
                let named = pack.scripts.values().chain(pack.icons.values());
                let mut files = pack.files.iter().map(|(file, _)| file).chain(locales).chain(named);
                files.any(|file| texts.sources.get(*file).is_some_and(|source| source.path == path))
            })
        };
        let kept = &self.kept;
        self.held.iter_mut().for_each(|held| {
            held.retain(|id, read| {
                let stays = !is_of(read);
                if !stays {
                    kept.forget(id);
                }
                stays
            });
        });
    }

    /// The cache of linked games.
    pub(crate) fn kept(&self) -> Option<&Kept> {
        self.held.as_ref().map(|_| &self.kept)
    }

    /// A held pack.
    pub(crate) fn held(&self, id: &str) -> Option<ReadPack> {
        self.held.as_ref()?.get(id).cloned()
    }

    /// Reads the definitions of packs that will be needed, on several threads. Only for a shelf that is held. Their
    /// mistakes are reported when the packs are asked for.
    pub fn read_ahead(&mut self, packs: &[String], threads: usize) {
        let new: Vec<&Found> =
            packs.iter().filter(|id| self.held(id).is_none()).filter_map(|id| self.packs.get(id)).collect();
        let texts = &self.texts;
        let loaded = side_by_side(&new, threads, |found| -> Vec<(String, String)> {
            let root = &found.root;
            let all = root.list_definitions(&found.manifest.id, found.manifest.id_span, &mut Vec::new());
            let texts = all.files.into_iter().filter_map(|path| match root.load(&path, texts) {
                Ok(Loaded::Text(text)) => Some((root.shown(&path), text)),
                _ => None,
            });
            texts.collect()
        });
        let files: Vec<FileId> = loaded.into_iter().flatten().map(|(path, text)| self.texts.add(path, text)).collect();
        self.texts.read_ahead(&files, threads);
    }

    /// Reads all texts of a pack except its scenarios.
    pub fn read(&mut self, id: &str) -> (Option<Arc<PackSource>>, Vec<Diagnostic>) {
        if let Some(read) = self.held(id) {
            return read;
        }
        let (pack, out) = self.read_files(id);
        let read = (pack.map(Arc::new), out);
        if let Some(held) = &mut self.held {
            held.insert(id.to_string(), read.clone());
        }
        read
    }

    fn read_files(&mut self, id: &str) -> (Option<PackSource>, Vec<Diagnostic>) {
        let Some(found) = self.packs.get(id) else { return (None, vec![self.unknown_pack(id)]) };
        let (manifest, root, file) = (found.manifest.clone(), found.root.clone(), found.manifest_file);
        let (pack, out) = self.read_folder(manifest, &root, Some(file));
        (Some(pack), out)
    }

    /// The texts of a pack, even if its manifest cannot be used, so that its other mistakes can be reported.
    pub(crate) fn read_or_guess(&mut self, id: &str) -> (Option<Arc<PackSource>>, Vec<Diagnostic>) {
        if self.packs.contains_key(id) {
            return self.read(id);
        }
        let Some(root) = self.broken.get(id).cloned() else { return (None, Vec::new()) };
        let path = format!("content/{id}/pack.toml");
        let file =
            if root.has(&path) { root.read(&path, Code::TomlSyntax, &mut self.texts, &mut Vec::new()) } else { None };
        // A missing manifest is replaced by an empty one, as the place of mistakes about the pack as a whole.
        let top = Span::top(file.unwrap_or_else(|| self.texts.add(root.shown(&path), String::new())));
        let (pack, mut out) = self.read_folder(Manifest::guess(id, top), &root, file);
        // The languages are not known then either.
        out.retain(|found| found.code != Code::UnusedTranslation);
        (Some(Arc::new(pack)), out)
    }

    fn read_folder(&mut self, manifest: Manifest, root: &Root, file: Option<FileId>) -> (PackSource, Vec<Diagnostic>) {
        let mut out = Vec::new();
        let id = manifest.id.clone();
        let folder = format!("content/{id}");
        let path = format!("{folder}/pack.toml");
        let mut files = Vec::new();
        if let Some(file) = self.texts.held(&root.shown(&path)).or(file) {
            // The mistakes in the file were reported when the library was opened.
            let table = self.texts.toml(file, &mut Vec::new());
            let kept = table.iter().filter(|(key, _)| !MANIFEST_TABLES.contains(key));
            let rest = Table { entries: kept.map(|(key, entry)| (key.to_string(), entry.clone())).collect() };
            files.push((file, Arc::new(rest)));
        }
        let mut locales = BTreeMap::new();
        let mut listed = root.list_definitions(&id, manifest.id_span, &mut out);
        // The missing manifest was reported, with the intended name.
        listed.near.retain(|(_, meant)| meant != "pack.toml" || root.has(&path));
        root.warn_of_slips(&listed.near, manifest.id_span, &mut self.texts, &mut out);
        for path in listed.files {
            let Some(below) = below(&path, &folder) else { continue };
            if below == "pack.toml" {
                continue;
            }
            let Some(file) = root.read(&path, Code::TomlSyntax, &mut self.texts, &mut out) else { continue };
            if let Some(name) = below.strip_prefix("locale/") {
                let language = name.strip_suffix(".toml").unwrap_or(name);
                if manifest.locales.iter().any(|locale| locale.text == language) {
                    locales.insert(language.to_string(), (file, self.texts.toml(file, &mut out)));
                } else {
                    let message = format!("the manifest of `{id}` does not name the language `{language}`");
                    let help = format!("add `\"{language}\"` to `locales` in `{folder}/pack.toml`, or remove the file");
                    out.push(Diagnostic::warning(Code::UnusedTranslation, message).at(Span::top(file)).help(help));
                }
                continue;
            }
            let table = self.texts.toml(file, &mut out);
            files.push((file, table));
        }
        for locale in manifest.locales.iter().filter(|locale| !locales.contains_key(&locale.text)) {
            let path = format!("{folder}/locale/{}.toml", locale.text);
            if !root.has(&path) {
                let message = format!("the language `{}` has no file", locale.text);
                let diagnostic = Diagnostic::error(Code::MissingFile, message).at(locale.span);
                out.push(diagnostic.help(format!("write `{path}`, or remove the language from `locales`")));
            }
        }
        let scripts = self.read_scripts(&id, manifest.id_span, root, &mut out);
        let icons = self.read_icons(&id, manifest.id_span, root, &mut out);
        (PackSource { manifest, files, locales, scripts, icons }, out)
    }

    fn read_icons(&mut self, id: &str, at: Span, root: &Root, out: &mut Vec<Diagnostic>) -> BTreeMap<String, FileId> {
        let folder = format!("content/{id}/{ICONS}");
        if !root.has(&folder) {
            return BTreeMap::new();
        }
        let listed = root.list(&folder, ".svg", Depth::All, at, out);
        let mut icons = BTreeMap::new();
        for path in listed.files {
            let Some(below) = below(&path, &folder) else { continue };
            let file = root.read(&path, Code::WrongValue, &mut self.texts, out);
            icons.extend(file.map(|file| (below.to_string(), file)));
        }
        icons
    }

    /// Reads the scenarios of a pack on several threads. Linking does not read them, because playing does not need
    /// them.
    pub fn read_scenarios(&mut self, id: &str, threads: usize) -> Vec<ScenarioSource> {
        let Some(found) = self.packs.get(id) else { return Vec::new() };
        let (root, at) = (found.root.clone(), found.manifest.id_span);
        let folder = format!("content/{id}/{SCENARIOS}");
        let mut sources = Vec::new();
        let mut unread = Vec::new();
        let Listed { files: all, near } = root.list(&folder, ".toml", Depth::All, at, &mut unread);
        root.warn_of_slips(&near, at, &mut self.texts, &mut unread);
        let texts = &self.texts;
        let loaded = side_by_side(&all, threads, |path| root.load(path, texts));
        let taken = all
            .iter()
            .zip(loaded)
            .filter_map(|(path, loaded)| root.take(path, loaded, Code::TomlSyntax, &mut self.texts, &mut unread));
        let files: Vec<FileId> = taken.collect();
        let texts = &self.texts.sources;
        sources.extend(side_by_side(&files, threads, |file| {
            let mut mistakes = Vec::new();
            let table = read_toml(texts, *file, &mut mistakes);
            ScenarioSource { file: Some(*file), table, mistakes }
        }));
        if !unread.is_empty() {
            sources.push(ScenarioSource { file: None, table: Table::default(), mistakes: unread });
        }
        sources
    }

    /// Reads a file of a pack that is not a definition, such as `.survivors.toml`, if it exists.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn read_beside(&mut self, id: &str, name: &str) -> Result<Option<FileId>, Vec<Diagnostic>> {
        let path = format!("content/{id}/{name}");
        let Some(found) = self.packs.get(id).filter(|found| found.root.has(&path)) else { return Ok(None) };
        let mut out = Vec::new();
        match found.root.clone().read(&path, Code::TomlSyntax, &mut self.texts, &mut out) {
            Some(file) => Ok(Some(file)),
            None => Err(out),
        }
    }

    /// Whether a folder is meant to be a pack and its manifest cannot be used.
    pub fn is_broken(&self, id: &str) -> bool {
        self.broken.contains_key(id)
    }

    /// The mistake of naming a pack that does not exist.
    pub(crate) fn unknown_pack(&self, id: &str) -> Diagnostic {
        if self.broken.contains_key(id) {
            let message = format!("the pack `{id}` cannot be loaded: its manifest has mistakes");
            return Diagnostic::error(Code::UnknownPack, message).of_a_folder().help("correct the manifest first");
        }
        let help = did_you_mean(id, self.packs.keys().map(String::as_str));
        let message = format!("no library holds a pack `{id}`");
        Diagnostic::error(Code::UnknownPack, message).of_the_call().maybe_help(help)
    }

    fn read_scripts(&mut self, id: &str, at: Span, root: &Root, out: &mut Vec<Diagnostic>) -> BTreeMap<String, FileId> {
        let mut scripts = BTreeMap::new();
        let own = (format!("scripts/{id}"), Depth::All, "");
        for (folder, depth, before) in [own, ("scripts/lib".into(), Depth::One, "lib.")] {
            let listed = root.list(&folder, ".lua", depth, at, out);
            root.warn_of_slips(&listed.near, at, &mut self.texts, out);
            for path in listed.files {
                let Some(file) = root.read(&path, Code::ScriptSyntax, &mut self.texts, out) else { continue };
                let Some(below) = below(&path, &folder).and_then(|path| path.strip_suffix(".lua")) else { continue };
                let name = format!("{before}{}", below.replace('/', "."));
                if let Some(first) = scripts.insert(name.clone(), file) {
                    let message = format!("two scripts have the name `{name}`");
                    let diagnostic = Diagnostic::error(Code::DuplicateId, message).at(Span::top(file));
                    out.push(diagnostic.label(Span::top(first), "the other one").help("rename one of the files"));
                }
            }
        }
        scripts
    }
}

/// The path of a file relative to a folder above it.
fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    path.strip_prefix(folder)?.strip_prefix('/')
}

#[cfg(test)]
// Tests set up and look at files of their own.
#[allow(clippy::disallowed_methods)]
mod tests {
    use super::*;
    use crate::open::{OpenError, open};
    use rulepack_model::Sources;
    use std::fs;

    use crate::root::MAX_BYTES;
    use std::sync::atomic::{AtomicU32, Ordering};

    /// A library in a folder of its own, removed at the end of the test.
    struct Temp(PathBuf);

    impl Temp {
        fn new(files: &[(&str, &str)]) -> Temp {
            static COUNT: AtomicU32 = AtomicU32::new(0);
            let unique = format!("rulepack-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::Relaxed));
            let temp = Temp(std::env::temp_dir().join(unique));
            fs::create_dir_all(temp.0.join("content")).unwrap();
            for (path, text) in files {
                temp.write(path, text.as_bytes());
            }
            temp
        }

        fn write(&self, path: &str, bytes: &[u8]) {
            let path = self.0.join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, bytes).unwrap();
        }

        fn shelf(&self) -> Shelf {
            open(std::slice::from_ref(&self.0)).unwrap()
        }
    }

    impl Drop for Temp {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    const HARBOR: &str = "[pack]\nid = 'harbor'\nversion = '1.0.0'\ntitle = 'Harbor'\nkind = 'library'\n";

    fn show(sources: &Sources, found: &[Diagnostic]) -> Vec<String> {
        let place = |span| {
            let (path, line, column) = sources.position(span);
            format!(" {path}:{line}:{column}")
        };
        let places = |found: &Diagnostic| found.labels.iter().map(|label| place(label.span)).collect::<String>();
        found.iter().map(|found| format!("{}{}", found.code, places(found))).collect()
    }

    fn paths(shelf: &Shelf, files: &[(FileId, Arc<Table>)]) -> Vec<String> {
        files.iter().map(|(file, _)| shelf.texts.sources.get(*file).unwrap().path.clone()).collect()
    }

    #[test]
    fn reads_all_texts_of_a_pack() {
        let temp = Temp::new(&[
            ("content/harbor/pack.toml", &format!("{HARBOR}locales = ['fr', 'de']\n[mode.quick]\n")),
            ("content/harbor/rules/a.toml", "[rule.a]"),
            ("content/harbor/cards.toml", "[card.inn]"),
            ("content/harbor/.hidden.toml", "?"),
            ("content/harbor/locale/fr.toml", ""),
            ("content/harbor/locale/it.toml", ""),
            ("content/harbor/scenarios/deep/one.toml", ""),
            ("scripts/harbor/cards/ferries.lua", "return {}"),
            ("scripts/lib/dice.lua", "return {}"),
        ]);
        let mut shelf = temp.shelf();
        assert_eq!(shelf.diagnostics, []);
        let (pack, out) = shelf.read("harbor");
        let pack = pack.unwrap();
        assert_eq!(
            paths(&shelf, &pack.files),
            ["content/harbor/pack.toml", "content/harbor/cards.toml", "content/harbor/rules/a.toml"]
        );
        assert_eq!(pack.files[0].1.iter().map(|(key, _)| key).collect::<Vec<_>>(), ["mode"]);
        let scenarios = shelf
            .read_scenarios("harbor", 2)
            .into_iter()
            .filter_map(|source| Some((source.file?, source.table.into())));
        let scenarios: Vec<(FileId, Arc<Table>)> = scenarios.collect();
        assert_eq!(paths(&shelf, &scenarios), ["content/harbor/scenarios/deep/one.toml"]);
        assert_eq!(pack.locales.keys().collect::<Vec<_>>(), ["fr"]);
        assert_eq!(pack.scripts.keys().collect::<Vec<_>>(), ["cards.ferries", "lib.dice"]);
        assert_eq!(
            show(&shelf.texts.sources, &out),
            ["unused-translation content/harbor/locale/it.toml:1:1", "missing-file content/harbor/pack.toml:6:18"]
        );
    }

    #[test]
    fn a_folder_without_a_manifest_is_a_mistake() {
        let temp = Temp::new(&[("content/empty/cards.toml", ""), ("content/notes.txt", "")]);
        let shelf = temp.shelf();
        assert_eq!(show(&shelf.texts.sources, &shelf.diagnostics), ["missing-file"]);
        assert_eq!(shelf.broken.keys().collect::<Vec<_>>(), ["empty"]);
    }

    #[test]
    fn one_id_in_two_libraries_is_a_mistake_and_one_library_named_twice_is_none() {
        let (a, b) = (Temp::new(&[("content/harbor/pack.toml", HARBOR)]), Temp::new(&[]));
        b.write("content/harbor/pack.toml", HARBOR.as_bytes());
        let shelf = open(&[a.0.clone(), a.0.join("content/.."), b.0.clone()]).unwrap();
        let place = |temp: &Temp| format!("{}/content/harbor/pack.toml:2:6", temp.0.display());
        let expected = format!("duplicate-pack {} {}", place(&b), place(&a));
        assert_eq!(show(&shelf.texts.sources, &shelf.diagnostics), [expected]);
        assert_eq!(shelf.packs["harbor"].library, a.0);
    }

    #[test]
    fn a_wrong_library_is_the_callers_mistake() {
        let temp = Temp::new(&[]);
        assert!(matches!(open(&[temp.0.join("nowhere")]), Err(OpenError::NotThere { .. })));
        assert!(matches!(open(&[temp.0.join("content")]), Err(OpenError::NoContent { .. })));
    }

    #[test]
    fn broken_syntax_is_not_also_a_missing_key() {
        let temp = Temp::new(&[("content/harbor/pack.toml", "[pack]\nid = \nversion = '1.0.0'\ntitle = 'Harbor'\n")]);
        let shelf = temp.shelf();
        assert_eq!(show(&shelf.texts.sources, &shelf.diagnostics), ["toml-syntax content/harbor/pack.toml:2:6"]);
    }

    #[test]
    fn refuses_what_is_not_text_or_too_large() {
        let temp = Temp::new(&[("content/harbor/pack.toml", HARBOR)]);
        temp.write("content/harbor/a.toml", b"a = 1\nb = '\xff'");
        temp.write("content/harbor/b.toml", &vec![b'#'; MAX_BYTES as usize + 1]);
        temp.write("scripts/harbor/a.lua", b"\xff");
        let mut shelf = temp.shelf();
        let (_, out) = shelf.read("harbor");
        assert_eq!(
            show(&shelf.texts.sources, &out),
            [
                "toml-syntax content/harbor/a.toml:2:6",
                "wrong-value content/harbor/b.toml:1:1",
                "script-syntax scripts/harbor/a.lua:1:1"
            ]
        );
    }

    #[cfg(unix)]
    #[test]
    fn links_neither_leave_the_library_nor_lead_in_circles() {
        use std::os::unix::fs::symlink;
        let other = Temp::new(&[("content/secret.toml", "a = 1")]);
        let temp = Temp::new(&[("content/harbor/pack.toml", HARBOR), ("content/harbor/x/a.toml", "")]);
        symlink(other.0.join("content/secret.toml"), temp.0.join("content/harbor/leak.toml")).unwrap();
        symlink(other.0.join("content"), temp.0.join("content/harbor/leaks")).unwrap();
        symlink(temp.0.join("content/harbor"), temp.0.join("content/harbor/x/up")).unwrap();
        let mut shelf = temp.shelf();
        let (pack, out) = shelf.read("harbor");
        assert_eq!(
            show(&shelf.texts.sources, &out),
            ["outside-library content/harbor/pack.toml:2:6", "outside-library content/harbor/leak.toml:1:1"]
        );
        assert_eq!(paths(&shelf, &pack.unwrap().files), ["content/harbor/pack.toml", "content/harbor/x/a.toml"]);
    }
}
