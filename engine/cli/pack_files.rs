//! The TOML files of packs as texts, for commands that change them. A pack need not be right for that.

use std::path::{Path, PathBuf};

use rulepack_edit::{File, difference};
use rulepack_kernel::Language;
use rulepack_pack::{MAX_BYTES, read_text};
use rulepack_tools::{Library, Safety, replace};

use crate::phrases::Phrases;
use crate::pick::known_pack;
use crate::seat_talk::confirm;
use crate::stop::{Stop, emit_lines, shown};
use crate::write::unwritten;

/// Folders of a pack without definitions.
pub const NO_DEFINITIONS: [&str; 2] = ["locale", "scenarios"];

/// The folders of packs: those that are named, or all.
pub fn folders(library: &Library, packs: &[String]) -> Result<Vec<PathBuf>, Stop> {
    if packs.is_empty() {
        let mut all: Vec<PathBuf> = Vec::new();
        for folder in library.folders() {
            all.extend(inside(&folder.join("content"))?.into_iter().filter(|path| path.is_dir()));
        }
        return Ok(all);
    }
    packs.iter().map(|pack| folder_of(library, pack)).collect()
}

/// The folder of a pack, even if its manifest cannot be used.
fn folder_of(library: &Library, pack: &str) -> Result<PathBuf, Stop> {
    let is_name =
        !pack.is_empty() && pack.chars().all(|letter| letter.is_ascii_alphanumeric() || "-_".contains(letter));
    let found = library.folders().iter().map(|folder| folder.join("content").join(pack)).find(|folder| folder.is_dir());
    match found.filter(|_| is_name) {
        Some(folder) => Ok(folder),
        None => Err(known_pack(library, pack).err().unwrap_or_else(|| Stop::Call(format!("`{pack}` has no folder")))),
    }
}

/// The TOML files below a folder, without those in hidden folders and in `but`.
pub fn files(folder: &Path, but: &[&str]) -> Result<Vec<File>, Stop> {
    let mut files = Vec::new();
    for path in inside(folder)? {
        let name = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        // A link may lead anywhere, and the file behind it is not of this pack.
        if path.is_symlink() || name.starts_with('.') {
            continue;
        }
        if path.is_dir() {
            if !but.contains(&name.as_str()) {
                files.extend(self::files(&path, &[])?);
            }
        } else if name.ends_with(".toml") {
            let text = read_text(&path, None, MAX_BYTES);
            let text = text.map_err(|error| Stop::Wrong(format!("`{}`: {error}", shown(&path))))?;
            files.push(File { path: path.to_string_lossy().into_owned(), text });
        }
    }
    Ok(files)
}

/// What lies in a folder, in the order of the names.
fn inside(folder: &Path) -> Result<Vec<PathBuf>, Stop> {
    let listed = std::fs::read_dir(folder).and_then(|entries| {
        entries.map(|entry| entry.map(|entry| entry.path())).collect::<std::io::Result<Vec<PathBuf>>>()
    });
    let mut listed = listed.map_err(|error| Stop::Call(format!("`{}` cannot be read: {error}", shown(folder))))?;
    listed.sort();
    Ok(listed)
}

/// Shows what changes.
pub fn show(before: &[File], after: &[File]) -> Result<(), Stop> {
    for file in after {
        let old = before.iter().find(|old| old.path == file.path).map_or("", |old| old.text.as_str());
        emit_lines(difference(&file.path, old, &file.text).trim_end())?;
    }
    Ok(())
}

/// Whether changes are to be written: the call says it, or somebody at a terminal.
pub fn is_to_be_written(write: bool, count: usize) -> Result<bool, Stop> {
    use std::io::IsTerminal;
    let at_terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    let question = format!("write {count} {}? [y/N] ", if count == 1 { "file" } else { "files" });
    Ok(write || at_terminal && confirm(Phrases::of(Language::English), &question, false)?)
}

/// Writes the files, each as a whole.
pub fn write(files: &[File]) -> Result<(), Stop> {
    for file in files {
        let path = Path::new(&file.path);
        replace(path, &file.text, Safety::Synced).map_err(|error| Stop::Call(unwritten(path, &error)))?;
    }
    Ok(())
}
