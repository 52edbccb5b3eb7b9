//! The files of a library: listing and reading them, and refusing any file outside the library.
//!
//! Every text of a pack is read here, through `file.rs`.

use std::collections::BTreeSet;
use std::fs::{self, FileType};
use std::io;
use std::path::{Path, PathBuf};

use rulepack_model::{Code, Diagnostic, FileId, Span, Unplaced};

use crate::file::{ReadError, read_text};
use crate::texts::Texts;

/// The folder with the scenarios of a pack.
pub(crate) const SCENARIOS: &str = "scenarios";

/// The folder with the icons of a pack.
pub(crate) const ICONS: &str = "look";

/// The largest size of a file; no text of a pack comes near it, so a larger file is a mistake or an attack.
pub const MAX_BYTES: u64 = 4 * 1024 * 1024;

/// The largest number of files of one sort in a pack (definitions with translations, scripts, scenarios), and of packs
/// in a library.
pub(crate) const MOST_FILES: usize = 5_000;

/// The largest number of bytes of all files of one sort in a pack, and of all manifests of a library.
pub(crate) const MOST_BYTES: u64 = 8 * 1024 * 1024;

/// A library's folder without links in its path, and how its paths are shown. Paths below it are written with `/`.
#[derive(Debug, Clone)]
pub(crate) struct Root {
    pub(crate) real: PathBuf,
    pub(crate) prefix: String,
}

/// How deep below a folder files are searched for.
#[derive(Clone, Copy)]
pub(crate) enum Depth {
    One,
    All,
    /// The name of a folder that is left out.
    AllBut(&'static str),
}

/// A text of a library.
pub(crate) enum Loaded {
    Text(String),
    /// It was read before and counts as unchanged.
    Held(FileId),
}

impl Root {
    pub(crate) fn shown(&self, path: &str) -> String {
        format!("{}{path}", self.prefix)
    }

    /// Whether something with that name exists, even a broken link.
    pub(crate) fn has(&self, path: &str) -> bool {
        self.real.join(path).symlink_metadata().is_ok()
    }

    /// Reads a file, or reports why it cannot be read; `syntax` is the code for a file that is not text.
    pub(crate) fn read(
        &self,
        path: &str,
        syntax: Code,
        texts: &mut Texts,
        out: &mut Vec<Diagnostic>,
    ) -> Option<FileId> {
        let loaded = self.load(path, texts);
        self.take(path, loaded, syntax, texts, out)
    }

    /// Adds a file that was read to the texts, or reports why it could not be read.
    pub(crate) fn take(
        &self,
        path: &str,
        loaded: Result<Loaded, ReadError>,
        syntax: Code,
        texts: &mut Texts,
        out: &mut Vec<Diagnostic>,
    ) -> Option<FileId> {
        let shown = self.shown(path);
        let refused = match loaded {
            Ok(Loaded::Held(file)) => return Some(file),
            Ok(Loaded::Text(text)) => return Some(texts.add(shown, text)),
            Err(refused) => refused,
        };
        let (code, message, text, at) = match refused {
            ReadError::Outside => {
                (Code::OutsideLibrary, format!("`{shown}` leads out of the library"), String::new(), 0)
            }
            ReadError::TooLarge(most) => {
                let message = format!("`{shown}` is larger than {} MiB", most / 1024 / 1024);
                (Code::WrongValue, message, String::new(), 0)
            }
            ReadError::NotAFile => (Code::WrongValue, format!("`{shown}` is not a plain file"), String::new(), 0),
            ReadError::NotText { valid, bytes } => {
                let lossy = String::from_utf8_lossy(&bytes).into_owned();
                (syntax, format!("`{shown}` is not written in UTF-8"), lossy, valid)
            }
            ReadError::System(error) => {
                (Code::MissingFile, format!("`{shown}` cannot be read: {error}"), String::new(), 0)
            }
        };
        let file = texts.sources.add(shown, text);
        out.push(Diagnostic::error(code, message).at(Span::new(file, at, at)));
        None
    }

    pub(crate) fn load(&self, path: &str, texts: &Texts) -> Result<Loaded, ReadError> {
        if let Some(file) = texts.held(&self.shown(path)) {
            return Ok(Loaded::Held(file));
        }
        read_text(&self.real.join(path), Some(&self.real), MAX_BYTES).map(Loaded::Text)
    }

    /// A folder of the library without links in its path, unless it lies outside the library.
    pub(crate) fn folder(&self, path: &str) -> Result<PathBuf, ReadError> {
        let real = self.real.join(path).canonicalize()?;
        if real.starts_with(&self.real) { Ok(real) } else { Err(ReadError::Outside) }
    }

    /// The mistake of a folder outside the library.
    pub(crate) fn folder_outside(&self, path: &str) -> Unplaced {
        let message = format!("the folder `{}` leads out of the library", self.shown(path));
        Diagnostic::error(Code::OutsideLibrary, message)
    }

    /// The files with the definitions of a pack, translations included.
    pub(crate) fn list_definitions(&self, id: &str, at: Span, out: &mut Vec<Diagnostic>) -> Listed {
        self.list(&format!("content/{id}"), ".toml", Depth::AllBut(SCENARIOS), at, out)
    }

    /// The paths of the files below a folder whose names have the given ending, sorted. Hidden files are left out.
    pub(crate) fn list(&self, folder: &str, ending: &str, depth: Depth, at: Span, out: &mut Vec<Diagnostic>) -> Listed {
        let root = folder;
        let (mut files, mut near) = (Vec::new(), Vec::new());
        let mut seen = BTreeSet::new();
        let mut folders = Vec::new();
        if self.has(folder) {
            folders.push(folder.to_string());
        }
        let mut visited = 0_usize;
        while let Some(folder) = folders.pop() {
            let shown = self.shown(&folder);
            visited = visited.saturating_add(1);
            if files.len().max(visited) > MOST_FILES {
                break;
            }
            let entries = match self.folder(&folder) {
                Err(ReadError::Outside) => {
                    out.push(self.folder_outside(&folder).at(at));
                    continue;
                }
                // A link to a parent folder would lead in circles.
                Ok(real) if !seen.insert(real.clone()) => continue,
                Ok(real) => entries(&real).map_err(ReadError::System),
                Err(error) => Err(error),
            };
            let entries = entries.unwrap_or_else(|error| {
                let message = format!("the folder `{shown}` cannot be read: {error}");
                out.push(Diagnostic::error(Code::MissingFile, message).at(at));
                Vec::new()
            });
            // The stack reverses the order: the first name is searched first.
            for (name, real, kind) in entries.into_iter().rev() {
                let path = format!("{folder}/{name}");
                if kind.is_dir() || kind.is_symlink() && real.is_dir() {
                    let goes_on = match depth {
                        Depth::One => false,
                        Depth::All => true,
                        Depth::AllBut(other) => folder != root || name != other,
                    };
                    folders.extend(goes_on.then_some(path));
                } else if name.ends_with(ending) {
                    files.push(path);
                } else if let Some(meant) = meant_name(&name, ending) {
                    near.push((path, meant));
                }
            }
        }
        files.sort_unstable();
        near.sort_unstable();
        if files.len().max(visited) > MOST_FILES {
            let message = format!("`{}` has more than {MOST_FILES} files or folders", self.shown(root));
            let help = "join some of the files; the rest is not read";
            out.push(Diagnostic::error(Code::WrongValue, message).at(at).help(help));
            files.truncate(MOST_FILES);
        }
        self.cut_to_size(&mut files, root, at, out);
        near.truncate(MOST_FILES);
        Listed { files, near }
    }

    /// The file in a folder whose name is a slip for another one.
    pub(crate) fn misnamed(&self, folder: &str, meant: &str) -> Option<String> {
        let ending = meant.rfind('.').and_then(|dot| meant.get(dot..))?;
        let real = self.folder(folder).ok()?;
        let is_slip = |(name, real, _): &(String, PathBuf, FileType)| {
            meant_name(name, ending).as_deref() == Some(meant) && !real.is_dir()
        };
        entries(&real).ok()?.into_iter().find(is_slip).map(|(name, ..)| name)
    }

    /// Leaves out the files that would exceed the limit of bytes.
    fn cut_to_size(&self, files: &mut Vec<String>, folder: &str, at: Span, out: &mut Vec<Diagnostic>) {
        let mut bytes = 0_u64;
        let mut fits = |path: &String| {
            let found = self.real.join(path).metadata().map_or(0, |found| found.len().min(MAX_BYTES));
            bytes = bytes.saturating_add(found);
            bytes <= MOST_BYTES
        };
        let count = files.iter().take_while(|path| fits(path)).count();
        if let Some(first) = files.get(count) {
            let (folder, first) = (self.shown(folder), self.shown(first));
            let message = format!("with `{first}` the files of `{folder}` are larger than {} MiB", MOST_BYTES >> 20);
            let help = "make them smaller; the rest is not read";
            out.push(Diagnostic::error(Code::WrongValue, message).at(at).help(help));
        }
        files.truncate(count);
    }

    /// Warns of files that are not read because of a slip in their names.
    pub(crate) fn warn_of_slips(
        &self,
        near: &[(String, String)],
        at: Span,
        texts: &mut Texts,
        out: &mut Vec<Diagnostic>,
    ) {
        for (path, meant) in near {
            let (message, help) = passed_over(&self.shown(path), meant);
            // Mistakes inside it do not matter until it is read.
            let file = self.read(path, Code::TomlSyntax, texts, &mut Vec::new());
            out.push(Diagnostic::warning(Code::UnreadFile, message).at(file.map_or(at, Span::top)).help(help));
        }
    }
}

/// The files below a folder.
#[derive(Debug, Default)]
pub(crate) struct Listed {
    /// Those with the right names.
    pub(crate) files: Vec<String>,
    /// Those that are not read because of a slip in their names, with the intended names.
    pub(crate) near: Vec<(String, String)>,
}

/// The warning about a file that is not read because of a slip in its name, with what to do about it.
pub fn passed_over(path: &str, meant: &str) -> (String, String) {
    let ending = meant.rfind('.').and_then(|dot| meant.get(dot..)).unwrap_or("");
    let message = format!("`{path}` is passed over: only files whose names end in `{ending}` are read");
    (message, format!("rename it to `{meant}`, or move it elsewhere"))
}

/// The intended name, if a name has almost the right ending: in capitals, with a letter missing, doubled or in the
/// wrong place, or with `.txt` behind it. Copies that editors and people keep, such as `a.toml.bak`, do not count.
pub fn meant_name(name: &str, ending: &str) -> Option<String> {
    let slips: &[&str] = match ending {
        ".toml" => &["toml", "tml", "tom", "oml", "tmol", "tolm", "otml", "tomll", "tooml", "tomml"],
        ".lua" => &["lua", "luau", "lau", "lla", "luaa"],
        _ => &[],
    };
    let is_slip = |end: &str| slips.contains(&end.to_lowercase().as_str());
    let cut = |name: &str| name.rsplit_once('.').map(|(stem, end)| (stem.to_string(), end.to_string()));
    let (stem, end) = cut(name)?;
    let (stem, end) = if end.eq_ignore_ascii_case("txt") { cut(&stem)? } else { (stem, end) };
    (is_slip(&end) && !stem.is_empty() && !name.ends_with(ending)).then(|| format!("{stem}{ending}"))
}

/// The entries of a folder: names, places and sorts, sorted by name; without hidden entries, and without names that are
/// not Unicode, because no id could name them.
pub(crate) fn entries(folder: &Path) -> io::Result<Vec<(String, PathBuf, FileType)>> {
    let mut found = Vec::new();
    // One more than any caller takes, so that the caller notices.
    for entry in fs::read_dir(folder)?.take(2 * MOST_FILES) {
        let entry = entry?;
        if let Some(name) = entry.file_name().into_string().ok().filter(|name| !name.starts_with('.')) {
            found.push((name, entry.path(), entry.file_type()?));
        }
    }
    found.sort_unstable_by(|(a, ..), (b, ..)| a.cmp(b));
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::meant_name;

    #[test]
    fn slips_in_names_are_told_from_other_files() {
        for name in ["b.TOML", "b.Toml", "b.tml", "b.tolm", "b.toml.txt", "b.TOML.TXT"] {
            assert_eq!(meant_name(name, ".toml").as_deref(), Some("b.toml"), "{name}");
        }
        for name in ["b.toml", "b.toml.bak", "b.toml~", "b.txt", "b.md", "toml", ".toml", "b.lua", "b.yaml"] {
            assert_eq!(meant_name(name, ".toml"), None, "{name}");
        }
        assert_eq!(meant_name("dice.Lua", ".lua").as_deref(), Some("dice.lua"));
        assert_eq!(meant_name("dice.luac", ".lua"), None);
    }
}
