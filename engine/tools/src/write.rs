//! Writing files: the only place in the engine that does so.
//!
//! Two functions write. [`replace`] replaces a whole file; at every moment the path leads to the old text or to the new
//! one. [`Growing::append`] adds records to a file; if one cannot be written, the file stays as it was.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use rulepack_kernel::Save;
use rulepack_pack::{ReadError, read_text};

use crate::export::Export;
use crate::replay::GameLog;
use crate::report::Baseline;
use crate::sim::is_shard;

/// The sorts of files that rulepack writes. It replaces a file without asking only if the file is of the same sort.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A log of a game.
    Log,
    /// A saved game.
    Save,
    /// The warnings that a team knows.
    Baseline,
    /// A game that went wrong, as a scenario.
    Scenario,
    /// The export of one seat.
    Export,
    /// Statistics as rows.
    Table,
    /// A report as a page of HTML.
    Page,
    /// A file of the reference of a pack.
    Reference,
    /// The games of a shard of a simulation.
    Shard,
    /// A picture of a card.
    Picture,
    /// Pages with cards.
    Pages,
}

/// What the first line of statistics as rows begins with.
const TABLE_HEADS: [&str; 2] = ["game,seed,end,turns,", "action,card,offered,taken,"];

/// The first lines of a page that rulepack wrote, by which it is recognised.
pub const PAGE_HEAD: &str = "<!doctype html>\n<!-- Written by rulepack. -->";

/// The first lines of the pages, and of the style sheet and the scripts, of a reference that rulepack wrote.
pub const REFERENCE_HEADS: [&str; 2] =
    ["<!doctype html>\n<!-- Reference written by rulepack. -->", "/* Reference written by rulepack. */"];

/// The first line of a scenario that rulepack wrote, by which it is recognised.
pub const SCENARIO_HEAD: &str = "# Written by rulepack.";

/// The first line of a picture that rulepack drew, by which it is recognised.
pub const PICTURE_HEAD: &str = "<!-- Written by rulepack. -->";

/// Whether these are pages that rulepack drew. A PDF names the program that wrote it at its end.
fn is_pages(bytes: &[u8]) -> bool {
    const WRITTEN_BY: &[u8] = b"/Creator (rulepack)";
    bytes.starts_with(b"%PDF-") && bytes.windows(WRITTEN_BY.len()).rev().take(4_096).any(|found| found == WRITTEN_BY)
}

impl FileKind {
    /// The name for people.
    pub fn word(self) -> &'static str {
        match self {
            FileKind::Log => "log",
            FileKind::Save => "saved game",
            FileKind::Baseline => "baseline",
            FileKind::Scenario => "scenario",
            FileKind::Export => "export",
            FileKind::Table => "table of statistics",
            FileKind::Page => "report",
            FileKind::Reference => "reference",
            FileKind::Shard => "shard",
            FileKind::Picture => "picture",
            FileKind::Pages => "PDF",
        }
    }

    /// Whether rulepack wrote a text of this sort.
    pub fn is_in(self, text: &str) -> bool {
        match self {
            FileKind::Log => GameLog::is_one(text),
            FileKind::Save => Save::is_one(text),
            FileKind::Baseline => Baseline::from_json(text).is_ok(),
            FileKind::Scenario => text.lines().next() == Some(SCENARIO_HEAD),
            FileKind::Export => Export::seat_of(text).is_some(),
            FileKind::Table => TABLE_HEADS.iter().any(|head| text.starts_with(head)),
            FileKind::Page => text.starts_with(PAGE_HEAD),
            FileKind::Reference => REFERENCE_HEADS.iter().any(|head| text.starts_with(head)),
            FileKind::Shard => is_shard(text),
            FileKind::Picture => text.starts_with(PICTURE_HEAD),
            FileKind::Pages => is_pages(text.as_bytes()),
        }
    }

    /// Whether a file can be replaced without a loss: it does not exist, it is empty, or rulepack wrote it.
    ///
    /// # Errors
    /// If the file cannot be read.
    pub fn may_replace(self, path: &Path) -> Result<bool, ReadError> {
        const MOST: u64 = 1 << 30;
        match read_text(path, None, MOST) {
            Ok(text) => Ok(text.is_empty() || self.is_in(&text)),
            Err(ReadError::NotText { bytes, .. }) => Ok(self == FileKind::Pages && is_pages(&bytes)),
            Err(ReadError::TooLarge(_)) => Ok(false),
            Err(ReadError::System(error)) if error.kind() == io::ErrorKind::NotFound => Ok(true),
            Err(error) => Err(error),
        }
    }
}

/// Replaces a file, or makes a new one: the text is written to another file in the folder, flushed to the disk, and
/// renamed. A link is kept, and its target is replaced. Without [`Safety::Synced`] this is safe if the program is
/// killed, but not if the machine stops.
///
/// # Errors
/// The message of the operating system. The old file stays as it was.
pub fn replace(path: &Path, content: impl AsRef<[u8]>, safety: Safety) -> io::Result<Growing> {
    let content = content.as_ref();
    let path = match path.symlink_metadata() {
        Ok(found) if found.is_symlink() => path.canonicalize()?,
        _ => path.to_path_buf(),
    };
    let old = match path.metadata() {
        Ok(old) if !old.is_file() => return Err(io::Error::other("it is not a plain file")),
        Ok(old) if old.permissions().readonly() => return Err(io::ErrorKind::PermissionDenied.into()),
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let (new, mut file) = file_beside(&path)?;
    let filled = (|| {
        if let Some(old) = old {
            file.set_permissions(old.permissions())?;
        }
        file.write_all(content)?;
        if safety == Safety::Synced {
            file.sync_all()?;
        }
        rename(&new, &path)
    })();
    if let Err(error) = filled {
        let _ = fs::remove_file(&new);
        return Err(error);
    }
    if safety == Safety::Synced {
        sync_folder(&path)?;
    }
    Ok(Growing { file, length: content.len() as u64 })
}

/// Writes a file for an author, with the folders above it. Who calls has asked whether one that is there may be
/// overwritten.
///
/// # Errors
/// The message of the operating system.
pub fn write_with_folders(path: &Path, text: &str) -> io::Result<()> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        fs::create_dir_all(folder)?;
    }
    replace(path, text, Safety::Written).map(drop)
}

/// A new hidden file in the same folder, with a unique name.
#[allow(clippy::disallowed_methods)]
fn file_beside(path: &Path) -> io::Result<(PathBuf, File)> {
    let name = path.file_name().ok_or(io::ErrorKind::InvalidInput)?;
    for number in 0..1000 {
        let mut new = std::ffi::OsString::from(".");
        new.push(name);
        new.push(format!(".{}-{number}.new", std::process::id()));
        let new = path.with_file_name(new);
        match OpenOptions::new().write(true).create_new(true).open(&new) {
            Ok(file) => return Ok((new, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// Renames a file that cannot be used, unchanged.
///
/// # Errors
/// If the operating system refuses.
pub fn put_aside(path: &Path, aside: &Path) -> io::Result<()> {
    rename(path, aside)
}

#[allow(clippy::disallowed_methods)]
fn rename(new: &Path, path: &Path) -> io::Result<()> {
    fs::rename(new, path)
}

/// Flushes the renaming to the disk, where the operating system can do that.
#[cfg(unix)]
#[allow(clippy::disallowed_methods)]
fn sync_folder(path: &Path) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match File::open(folder)?.sync_all() {
        // Some file systems cannot do it.
        Err(error) if matches!(error.kind(), io::ErrorKind::InvalidInput | io::ErrorKind::Unsupported) => Ok(()),
        result => result,
    }
}

#[cfg(not(unix))]
fn sync_folder(_: &Path) -> io::Result<()> {
    Ok(())
}

/// A file to which records are added.
#[derive(Debug)]
pub struct Growing {
    file: File,
    /// The length of its complete part.
    length: u64,
}

/// Whether a text must be on the disk before the program goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Safety {
    /// It survives the end of the program.
    Written,
    /// It survives a stop of the machine too.
    Synced,
}

impl Growing {
    /// Adds a text at the end.
    ///
    /// # Errors
    /// The message of the operating system. The file stays as it was, and the same text can be tried again. If even
    /// that is impossible, the file ends with a part of the text, which the next try overwrites.
    pub fn append(&mut self, text: &str, safety: Safety) -> io::Result<()> {
        let written = self.file.seek(SeekFrom::Start(self.length)).and_then(|_| self.file.write_all(text.as_bytes()));
        let written = written.and_then(|()| match safety {
            Safety::Written => Ok(()),
            Safety::Synced => self.file.sync_data(),
        });
        match written {
            Ok(()) => self.length += text.len() as u64,
            Err(_) => drop(self.file.set_len(self.length)),
        }
        written
    }

    /// Locks the file as long as this value exists. Where files cannot be locked, this does nothing.
    pub fn hold(&self) {
        let _ = self.file.try_lock();
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods)]
mod tests {
    use super::*;

    /// A folder of a test's own; gone after it.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Folder {
            let folder = std::env::temp_dir().join(format!("rulepack-write-{name}-{}", std::process::id()));
            fs::create_dir_all(&folder).unwrap();
            Folder(folder)
        }

        fn names(&self) -> Vec<String> {
            let names = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
            let mut names: Vec<String> = names.collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn a_file_is_replaced_whole_and_grows_then() {
        let folder = Folder::new("whole");
        let path = folder.0.join("log");
        let mut log = replace(&path, "one\n", Safety::Synced).unwrap();
        log.append("two\n", Safety::Synced).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\n");
        replace(&path, "three\n", Safety::Synced).unwrap();
        // It goes on writing to the old file, which has no name any more, and not to the new one.
        log.append("four\n", Safety::Written).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "three\n");
        assert_eq!(folder.names(), ["log"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_link_and_the_rights_of_a_file_are_kept_and_only_files_are_replaced() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let folder = Folder::new("kept");
        let (path, link) = (folder.0.join("real"), folder.0.join("link"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("real", &link).unwrap();
        replace(&link, "new", Safety::Synced).unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(path.metadata().unwrap().permissions().mode() & 0o777, 0o640);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o440)).unwrap();
        assert_eq!(replace(&path, "newer", Safety::Synced).unwrap_err().kind(), io::ErrorKind::PermissionDenied);
        assert!(replace(&folder.0, "text", Safety::Synced).unwrap_err().to_string().contains("not a plain file"));
        assert!(
            replace(Path::new("/dev/null"), "text", Safety::Synced)
                .unwrap_err()
                .to_string()
                .contains("not a plain file")
        );
        symlink("nowhere", folder.0.join("lost")).unwrap();
        assert_eq!(
            replace(&folder.0.join("lost"), "text", Safety::Synced).unwrap_err().kind(),
            io::ErrorKind::NotFound
        );
        assert_eq!(folder.names(), ["link", "lost", "real"]);
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_record_that_does_not_fit_leaves_the_others() {
        use std::os::unix::fs::FileTypeExt;
        // A program with root rights may also have replaced it by a file.
        if fs::metadata("/dev/full").is_ok_and(|full| full.file_type().is_char_device()) {
            let mut full = Growing { file: OpenOptions::new().write(true).open("/dev/full").unwrap(), length: 0 };
            assert_eq!(full.append("text", Safety::Written).unwrap_err().kind(), io::ErrorKind::StorageFull);
            assert_eq!(full.length, 0);
        }
        let folder = Folder::new("torn");
        let path = folder.0.join("log");
        let mut log = replace(&path, "one\n", Safety::Synced).unwrap();
        let mut closed = Growing { file: File::open(&path).unwrap(), length: log.length };
        assert!(closed.append("two\n", Safety::Written).is_err());
        assert_eq!((closed.length, fs::read_to_string(&path).unwrap().as_str()), (4, "one\n"));
        // The written part of a record is cut off, and the next record is written in its place.
        (&log.file).write_all(b"tw").unwrap();
        log.append("two\n", Safety::Written).unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "one\ntwo\n");
    }

    #[test]
    fn only_files_of_the_same_kind_are_ours() {
        let folder = Folder::new("ours");
        let path = folder.0.join("file");
        let may = |text: &[u8], kind: FileKind| {
            fs::write(&path, text).unwrap();
            kind.may_replace(&path).unwrap()
        };
        let all = [
            FileKind::Log,
            FileKind::Save,
            FileKind::Baseline,
            FileKind::Scenario,
            FileKind::Export,
            FileKind::Table,
            FileKind::Page,
            FileKind::Reference,
            FileKind::Shard,
        ];
        let ours = [
            "{\"check\":\"0\",\"record\":{\"begin\":{\"format\":\"rulepack-log\",\"version\":2}}}\n",
            "{\"format\":\"rulepack-save\",\"version\":2}",
            "{\"version\":1,\"findings\":[]}",
            "# Written by rulepack.\nabout = \"\"\n",
            "{\"format\":\"rulepack-export\",\"version\":1,\"seat\":\"player_1\"}",
            "game,seed,end,turns,answers,questions\n",
            "<!doctype html>\n<!-- Written by rulepack. -->\n<html>",
            "/* Reference written by rulepack. */\n:root{}",
            "{\"format\":\"rulepack-shard\",\"version\":3}\n",
        ];
        for (index, text) in ours.iter().enumerate() {
            for (other, kind) in all.iter().enumerate() {
                assert_eq!(may(text.as_bytes(), *kind), index == other, "{text} as {kind:?}");
            }
        }
        for kind in all {
            assert!(may(b"", kind));
            assert!(!may(b"{}", kind) && !may(b"\xff", kind) && !may(b"letters to my aunt", kind));
            assert!(kind.may_replace(&folder.0.join("nowhere")).unwrap());
            assert!(kind.may_replace(&folder.0).is_err());
        }
    }
}
