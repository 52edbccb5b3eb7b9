//! Reading files: the only place in the engine that opens a file for reading.
//!
//! A file is opened first and then examined through the open handle, so that nobody can exchange it in between. Opening
//! never waits: a pipe without a writer is refused.

use std::fs::{File, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Why a file is not read.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// A link leads to a file outside the folder.
    #[error("it leads out of the library")]
    Outside,
    /// It is larger than this many bytes.
    #[error("it is larger than {} MiB", .0 / 1024 / 1024)]
    TooLarge(u64),
    /// It is a folder, a pipe, a socket or a device.
    #[error("it is not a plain file")]
    NotAFile,
    /// It is not a text.
    #[error("it is not written in UTF-8")]
    NotText {
        /// The number of bytes at its beginning that are valid text.
        valid: usize,
        /// All of it.
        bytes: Vec<u8>,
    },
    /// The operating system refuses.
    #[error("{0}")]
    System(#[from] io::Error),
}

/// Reads a text of at most `most` bytes. If `inside` is given, a canonical path, the file must lie below that folder,
/// even if links lead to it.
///
/// # Errors
/// If it is not a plain file with a text of that size.
pub fn read_text(path: &Path, inside: Option<&Path>, most: u64) -> Result<String, ReadError> {
    let file = open_file(path, inside)?;
    if file.metadata()?.len() > most {
        return Err(ReadError::TooLarge(most));
    }
    let mut bytes = Vec::new();
    // The file may have grown since, and some files do not report their length.
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        return Err(ReadError::TooLarge(most));
    }
    String::from_utf8(bytes).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        ReadError::NotText { valid, bytes: error.into_bytes() }
    })
}

/// Opens a plain file; `inside` as for [`read_text`].
///
/// # Errors
/// If it is not a plain file, or lies outside `inside`.
// The only place that may open files: see `clippy.toml`.
#[allow(clippy::disallowed_methods)]
pub fn open_file(path: &Path, inside: Option<&Path>) -> Result<File, ReadError> {
    let file = match without_waiting().open(path) {
        Ok(file) => file,
        // Sockets and some devices cannot be opened at all, with a different reason on every system.
        Err(_) if path.metadata().is_ok_and(|found| !found.is_file()) => return Err(ReadError::NotAFile),
        Err(error) => return Err(error.into()),
    };
    if !file.metadata()?.is_file() {
        return Err(ReadError::NotAFile);
    }
    match inside {
        Some(folder) if !place_of(&file, path)?.starts_with(folder) => Err(ReadError::Outside),
        _ => Ok(file),
    }
}

#[cfg(unix)]
fn without_waiting() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options.read(true).custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
    options
}

#[cfg(not(unix))]
fn without_waiting() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true);
    options
}

/// The real path of an open file.
fn place_of(file: &File, path: &Path) -> Result<PathBuf, ReadError> {
    // The operating system knows it, even if the path has changed since.
    #[cfg(target_os = "linux")]
    {
        use std::os::fd::AsRawFd;
        if let Ok(place) = std::fs::read_link(format!("/proc/self/fd/{}", file.as_raw_fd())) {
            return Ok(place);
        }
    }
    let real = path.canonicalize()?;
    if is_same(file, &real)? { Ok(real) } else { Err(ReadError::Outside) }
}

/// Whether the open file is the one that the path names now.
#[cfg(unix)]
fn is_same(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let (opened, found) = (file.metadata()?, path.symlink_metadata()?);
    Ok((opened.dev(), opened.ino()) == (found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn is_same(_: &File, _: &Path) -> io::Result<bool> {
    Ok(true)
}
