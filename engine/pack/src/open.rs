//! Opening libraries: the folders below `content/`, and the manifest in each.

use std::io;
use std::path::{Path, PathBuf};

use rulepack_model::{Code, Diagnostic, nearest};

use crate::file::ReadError;
use crate::library::{Found, Shelf};
use crate::manifest::Manifest;
use crate::root::{MOST_BYTES, MOST_FILES, Root, entries};

/// A library that cannot be opened: a mistake of the caller, not of a pack.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// There is no such folder.
    #[error("there is no folder `{}`", path.display())]
    NotThere {
        /// The library, as named by the caller.
        path: PathBuf,
    },
    /// The folder does not have the shape of a library.
    #[error("`{}` is not a library: it has no folder `content`", path.display())]
    NoContent {
        /// The library, as named by the caller.
        path: PathBuf,
    },
    /// Its content lies outside.
    #[error("`{}` is not a library: its folder `content` leads out of it", path.display())]
    Outside {
        /// The library, as named by the caller.
        path: PathBuf,
    },
    /// The operating system refuses.
    #[error("`{}` cannot be read: {source}", path.display())]
    Unreadable {
        /// The library, as named by the caller.
        path: PathBuf,
        /// The message of the operating system.
        source: io::Error,
    },
}

/// Finds the packs of all libraries and reads their manifests.
pub fn open(libraries: &[PathBuf]) -> Result<Shelf, OpenError> {
    let mut roots: Vec<(&PathBuf, Root)> = Vec::new();
    for library in libraries {
        let real = real_library(library)?;
        if !roots.iter().any(|(_, root)| root.real == real) {
            roots.push((library, Root { real, prefix: String::new() }));
        }
    }
    if roots.len() > 1 {
        for (library, root) in &mut roots {
            root.prefix = prefix(library);
        }
    }
    let all = roots.iter().map(|(library, root)| ((*library).clone(), root.clone())).collect();
    let mut shelf = Shelf::of(all);
    for (library, root) in roots {
        let unreadable = |source| OpenError::Unreadable { path: library.clone(), source };
        let read_before = shelf.bytes;
        for (index, (name, real, kind)) in
            entries(&root.real.join("content")).map_err(unreadable)?.into_iter().enumerate()
        {
            let folder = format!("content/{name}");
            if index >= MOST_FILES || shelf.bytes.saturating_sub(read_before) > MOST_BYTES {
                let message = format!(
                    "`{}` is not read: a library has at most {MOST_FILES} packs, with manifests of {} MiB together",
                    root.shown(&folder),
                    MOST_BYTES >> 20
                );
                let help = "move some packs into a library of their own";
                shelf.diagnostics.push(Diagnostic::error(Code::WrongValue, message).of_a_folder().help(help));
                break;
            }
            // Only a link can lead outside.
            if kind.is_symlink() && matches!(root.folder(&folder), Err(ReadError::Outside)) {
                shelf.diagnostics.push(root.folder_outside(&folder).of_a_folder());
            } else if real.is_dir() {
                shelf.find(library, &root, &name);
            }
        }
    }
    Ok(shelf)
}

impl Shelf {
    /// Takes the pack in one folder of `content/`.
    pub(crate) fn find(&mut self, library: &Path, root: &Root, name: &str) {
        let path = format!("content/{name}/pack.toml");
        if !root.has(&path) {
            let message = format!("the folder `{}` has no `pack.toml`", root.shown(&format!("content/{name}")));
            let help = match root.misnamed(&format!("content/{name}"), "pack.toml") {
                Some(name) => format!("rename `{name}` to `pack.toml`"),
                None => "every folder below `content` is a pack: write a manifest, or move the folder".to_string(),
            };
            self.diagnostics.push(Diagnostic::error(Code::MissingFile, message).of_a_folder().help(help));
            self.broken.insert(name.to_string(), root.clone());
            return;
        }
        let Some(file) = root.read(&path, Code::TomlSyntax, &mut self.texts, &mut self.diagnostics) else {
            self.broken.insert(name.to_string(), root.clone());
            return;
        };
        let bytes = self.texts.sources.get(file).map_or(0, |source| source.text.len() as u64);
        self.bytes = self.bytes.saturating_add(bytes);
        let mut out = Vec::new();
        let table = self.texts.toml(file, &mut out);
        let is_whole = out.is_empty();
        let mut mistakes = Vec::new();
        let manifest = Manifest::read(&table, name, file, &mut mistakes);
        // The use of the pack, and the packs that it needs, are not known then.
        let decides = ["editions", "id", "kind", "needs", "optional", "players"];
        for mistake in &mut mistakes {
            let key = mistake.message.split('`').rev().nth(1).unwrap_or("");
            mistake.hidden().packs = mistake.code != Code::UnknownKey || nearest(key, decides).is_some();
        }
        // A key that seems to be missing may be in the part that is not valid TOML.
        out.extend(mistakes.into_iter().filter(|mistake| is_whole || mistake.code != Code::MissingKey));
        self.diagnostics.append(&mut out);
        let Some(manifest) = manifest else {
            self.broken.insert(name.to_string(), root.clone());
            return;
        };
        if let Some(first) = self.packs.get(name) {
            let message = format!("two libraries hold a pack `{name}`");
            let diagnostic = Diagnostic::error(Code::DuplicatePack, message).at(manifest.id_span);
            self.diagnostics.push(diagnostic.label(first.manifest.id_span, "the other one"));
            return;
        }
        let library = library.to_path_buf();
        let found = Found { manifest, library, manifest_file: file, root: root.clone() };
        self.packs.insert(name.to_string(), found);
    }
}

fn real_library(library: &Path) -> Result<PathBuf, OpenError> {
    let path = library.to_path_buf();
    let real = match library.canonicalize() {
        Ok(real) => real,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(OpenError::NotThere { path }),
        Err(source) => return Err(OpenError::Unreadable { path, source }),
    };
    match real.join("content").canonicalize() {
        Ok(content) if !content.starts_with(&real) => Err(OpenError::Outside { path }),
        Ok(content) if content.is_dir() => Ok(real),
        _ if real.is_dir() => Err(OpenError::NoContent { path }),
        _ => Err(OpenError::NotThere { path }),
    }
}

/// The prefix of the paths of a library if there are several.
fn prefix(library: &Path) -> String {
    let shown = library.to_string_lossy().replace('\\', "/");
    match shown.trim_end_matches('/') {
        "." => String::new(),
        shown => format!("{shown}/"),
    }
}
