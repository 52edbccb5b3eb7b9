//! Libraries out of repositories of git: fetched on request, kept in a cache, pinned in the file `rulepack.lock`.
//!
//! A repository may come from a stranger. So git is called without hooks, prompts and submodules, by https, ssh and file only;
//! nothing is checked out by it: the plain files below `content/` and `scripts/` are written one by one, and links are left out.

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

mod git;
mod lock;

use std::path::{Component, Path, PathBuf};

use rulepack_model::content_hash;
use rulepack_pack::read_text;

use crate::write::write_with_folders;
use git::{Git, Kind};

pub use git::is_url;
pub use lock::{LOCK_FILE, Lock, Locked};

/// The largest file that is taken out of a repository, and the largest sum of all.
const MOST_BYTES: u64 = 4 << 20;
const MOST_BYTES_IN_ALL: u64 = 256 << 20;

/// The most files of a library.
const MOST_FILES: usize = 20_000;

/// The file that is written last: a folder without it is not complete.
const STAMP: &str = ".rulepack-fetched";

/// A library in a repository of git.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    /// The address of the repository.
    pub url: String,
    /// A tag, a branch or a commit.
    pub rev: String,
    /// The folder of the library in the repository; empty for its top.
    pub folder: String,
}

/// Why a library was not fetched.
#[derive(Debug, thiserror::Error)]
pub enum FetchError {
    /// There is no git.
    #[error("git cannot be started ({0}): install it, or name the library by a path")]
    NoGit(std::io::Error),
    /// Git refused or failed.
    #[error("`{url}` cannot be fetched: {why}")]
    Git {
        /// The address.
        url: String,
        /// What git says.
        why: String,
    },
    /// The revision is not there.
    #[error("`{url}` has no revision `{rev}`: {why}")]
    NoRevision {
        /// The address.
        url: String,
        /// The revision.
        rev: String,
        /// What git says.
        why: String,
    },
    /// It is no library.
    #[error("`{url}` at `{rev}` is no library: it has no folder `{folder}content`")]
    NoLibrary {
        /// The address.
        url: String,
        /// The revision.
        rev: String,
        /// The folder, with a slash at its end.
        folder: String,
    },
    /// It holds more than a library may.
    #[error("`{url}` is too large: {why}")]
    TooLarge {
        /// The address.
        url: String,
        /// Which limit.
        why: String,
    },
    /// There is no place for a cache.
    #[error("there is no folder for a cache: set `XDG_CACHE_HOME` or `HOME`")]
    NoCache,
    /// A file cannot be written.
    #[error("`{path}` cannot be written: {error}")]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        error: std::io::Error,
    },
}

/// What was fetched.
#[derive(Debug)]
pub struct Fetched {
    /// The commit.
    pub commit: String,
    /// Whether it was in the cache already.
    pub was_there: bool,
    /// Files that were left out, because they are links, no texts, or too large.
    pub left_out: Vec<String>,
}

/// The user's folder for what can be fetched again.
pub fn cache_folder() -> Option<PathBuf> {
    let of = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let usual = || {
        if cfg!(windows) {
            return of("LOCALAPPDATA");
        }
        let below = if cfg!(target_os = "macos") { "Library/Caches" } else { ".cache" };
        of("HOME").map(|home| home.join(below))
    };
    let folder = of("XDG_CACHE_HOME").or_else(usual)?;
    Some(folder.join("rulepack").join("libraries"))
}

/// Whether a folder is in the cache.
pub fn is_cached(folder: &Path) -> bool {
    cache_folder().is_some_and(|cache| folder.starts_with(cache))
}

impl Remote {
    /// The library in the cache, if it has been fetched at this commit.
    pub fn cached(&self, commit: &str) -> Option<PathBuf> {
        let folder = self.place(commit)?;
        folder.join(STAMP).is_file().then_some(folder)
    }

    /// Where a commit is kept: one folder for each address, commit and folder in it.
    fn place(&self, commit: &str) -> Option<PathBuf> {
        let short: String = commit.chars().take(16).collect();
        let whole = content_hash(format!("{}\n{commit}\n{}", self.url, self.folder).as_bytes());
        Some(cache_folder()?.join(format!("{short}-{whole}")))
    }

    /// Fetches it: the commit that the lock file names, or the present one of the revision.
    ///
    /// # Errors
    /// Whatever git says, and limits.
    pub fn fetch(&self, commit: Option<&str>) -> Result<Fetched, FetchError> {
        if let Some(commit) = commit
            && self.cached(commit).is_some()
        {
            return Ok(Fetched { commit: commit.to_string(), was_there: true, left_out: Vec::new() });
        }
        let cache = cache_folder().ok_or(FetchError::NoCache)?;
        let git = Git::open(&cache, &self.url)?;
        let commit = git.fetch(commit.unwrap_or(&self.rev))?;
        if self.cached(&commit).is_some() {
            return Ok(Fetched { commit, was_there: true, left_out: Vec::new() });
        }
        let left_out = self.unpack(&git, &commit)?;
        Ok(Fetched { commit, was_there: false, left_out })
    }

    /// Writes the files of a commit into the cache.
    fn unpack(&self, git: &Git, commit: &str) -> Result<Vec<String>, FetchError> {
        let folder = if self.folder.is_empty() { String::new() } else { format!("{}/", self.folder) };
        let too_large = |why: String| FetchError::TooLarge { url: self.url.clone(), why };
        let mut left_out = Vec::new();
        let mut wanted = Vec::new();
        let mut bytes: u64 = 0;
        for file in git.files(commit)? {
            let Some(path) = file.path.strip_prefix(&folder) else { continue };
            let is_part = path.starts_with("content/") || path.starts_with("scripts/");
            if !is_part {
                continue;
            }
            let is_plain = Path::new(path).components().all(|part| matches!(part, Component::Normal(_)));
            match file.kind {
                Kind::File if is_plain && file.size <= MOST_BYTES => {
                    bytes = bytes.saturating_add(file.size);
                    wanted.push((path.to_string(), file.object));
                }
                Kind::File | Kind::Other => left_out.push(path.to_string()),
            }
            if wanted.len() > MOST_FILES {
                return Err(too_large(format!("it has more than {MOST_FILES} files")));
            }
            if bytes > MOST_BYTES_IN_ALL {
                return Err(too_large(format!("its files have more than {} MiB", MOST_BYTES_IN_ALL >> 20)));
            }
        }
        if !wanted.iter().any(|(path, _)| path.starts_with("content/")) {
            return Err(FetchError::NoLibrary { url: self.url.clone(), rev: self.rev.clone(), folder });
        }
        let place = self.place(commit).ok_or(FetchError::NoCache)?;
        let texts = git.texts(&wanted.iter().map(|(_, object)| object.as_str()).collect::<Vec<_>>())?;
        let write = |path: PathBuf, text: &str| {
            write_with_folders(&path, text).map_err(|error| FetchError::Write { path: path.clone(), error })
        };
        for ((path, _), text) in wanted.iter().zip(texts) {
            match text {
                Some(text) => write(place.join(path), &text)?,
                None => left_out.push(path.clone()),
            }
        }
        // The last one: it says that all others are there.
        write(place.join(STAMP), &format!("{}\n{commit}\n{}\n", self.url, self.folder))?;
        Ok(left_out)
    }
}

impl Lock {
    /// Reads the lock file of a folder; an empty one if there is none.
    ///
    /// # Errors
    /// If it is there and cannot be read.
    pub fn read(folder: &Path) -> Result<Lock, String> {
        const MOST: u64 = 1 << 20;
        let path = folder.join(LOCK_FILE);
        if !path.exists() {
            return Ok(Lock::default());
        }
        let text = read_text(&path, None, MOST).map_err(|error| format!("`{LOCK_FILE}` cannot be read: {error}"))?;
        Lock::parse(&text)
    }
}
