//! Writing files that the caller names, without losing files of other programs.

use std::io::IsTerminal;
use std::path::Path;

use rulepack_kernel::Language;
use rulepack_tools::{FileKind, PICTURE_HEAD, Safety, replace, write_with_folders};

use crate::phrases::Phrases;
use crate::seat_talk::confirm;
use crate::stop::{Stop, shown};

/// What to do with a file of another program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Foreign {
    /// Ask at a terminal; refuse otherwise.
    Ask,
    /// Overwrite it.
    Overwrite,
}

impl Foreign {
    /// The meaning of `--force`.
    pub fn new(force: bool) -> Self {
        if force { Foreign::Overwrite } else { Foreign::Ask }
    }
}

/// Refuses to overwrite a file of another program, unless the caller allows it.
pub fn may_write(path: &Path, kind: FileKind, foreign: Foreign) -> Result<(), Stop> {
    let cannot = |error| Stop::Call(unwritten(path, &error));
    if foreign == Foreign::Overwrite || kind.may_replace(path).map_err(cannot)? {
        return Ok(());
    }
    let what = format!("`{}` is there and is not a {} that rulepack wrote", shown(path), kind.word());
    let at_terminal = std::io::stdin().is_terminal() && std::io::stderr().is_terminal();
    if at_terminal && confirm(Phrases::of(Language::English), &format!("{what}; overwrite it? [y/N] "), false)? {
        return Ok(());
    }
    let cure = if at_terminal { "it stays as it is" } else { "`--force` overwrites it" };
    Err(Stop::Call(format!("{what}; {cure}")))
}

/// Writes a file that the caller named: all of it, or nothing.
pub fn write_named(path: &Path, text: &str, kind: FileKind, foreign: Foreign) -> Result<(), Stop> {
    may_write(path, kind, foreign)?;
    replace(path, text, Safety::Synced).map(drop).map_err(|error| Stop::Call(unwritten(path, &error)))
}

/// Writes one of many files that can be made again: as a whole, but without flushing it to the disk.
pub fn write_one_of_many(path: &Path, text: &str, kind: FileKind, foreign: Foreign) -> Result<(), Stop> {
    may_write(path, kind, foreign)?;
    replace(path, text, Safety::Written).map(drop).map_err(|error| Stop::Call(unwritten(path, &error)))
}

/// Writes a picture, with the folder above it.
pub fn write_picture(path: &Path, picture: &str, foreign: Foreign) -> Result<(), Stop> {
    may_write(path, FileKind::Picture, foreign)?;
    let text = format!("{PICTURE_HEAD}\n{picture}");
    write_with_folders(path, &text).map_err(|error| Stop::Call(unwritten(path, &error)))
}

/// The message about a file that cannot be written.
pub fn unwritten(path: &Path, error: &dyn std::error::Error) -> String {
    format!("`{}` cannot be written: {error}", shown(path))
}
