//! Where tables are kept: in the files of a folder (`files.rs`), or in a database (`sqlite.rs`, a feature of the program).
//!
//! A storage keeps for each table its card, which is written anew when somebody else sits down, and its log, which only grows.

mod files;
#[cfg(feature = "sqlite")]
mod sqlite;

use std::fmt;
use std::io;
use std::path::Path;
use std::sync::Arc;

use crate::kept::Card;

/// A place for tables.
pub trait Storage: fmt::Debug + Send + Sync {
    /// All tables that can be read, and how many cannot.
    ///
    /// # Errors
    /// If the storage cannot be read at all.
    fn all(&self) -> io::Result<(Vec<Card>, usize)>;

    /// Keeps what a table is and who sits there.
    ///
    /// # Errors
    /// If it cannot be written. What was there stays.
    fn write_card(&self, card: &Card) -> io::Result<()>;

    /// Begins the log of a table, instead of the one that is there, and gives what its further records are added to.
    ///
    /// # Errors
    /// If it cannot be written. What was there stays.
    fn begin_log(&self, id: &str, text: &str) -> io::Result<Box<dyn Growth>>;

    /// The log of a table, as it was written.
    ///
    /// # Errors
    /// A sentence that says why it cannot be read.
    fn read_log(&self, id: &str) -> Result<String, String>;
}

/// A log that grows.
pub trait Growth: fmt::Debug + Send {
    /// Adds whole records to the end. When it returns, they outlive the end of this process.
    ///
    /// # Errors
    /// If they cannot be written. Nothing of them is then read again.
    fn append(&mut self, records: &str) -> io::Result<()>;
}

/// Which storage is used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StorageKind {
    /// Two files for each table.
    Files,
    /// One database, `tables.sqlite`.
    Sqlite,
}

/// What a program without the database says about it.
pub const NOT_BUILT: &str =
    "this program is built without SQLite: build it with `cargo build --release --features sqlite`";

/// Opens the storage of a folder, which is made if it is missing.
///
/// # Errors
/// If the folder cannot be used, or the program is built without this storage.
pub fn open(kind: StorageKind, folder: &Path) -> io::Result<Arc<dyn Storage>> {
    make_private(folder)?;
    match kind {
        StorageKind::Files => Ok(Arc::new(files::Files::new(folder))),
        #[cfg(feature = "sqlite")]
        StorageKind::Sqlite => Ok(Arc::new(sqlite::Database::open(&folder.join("tables.sqlite"))?)),
        #[cfg(not(feature = "sqlite"))]
        StorageKind::Sqlite => Err(io::Error::new(io::ErrorKind::Unsupported, NOT_BUILT)),
    }
}

/// Makes a folder that only its owner can read: it holds tokens and what players must not see.
#[cfg(unix)]
fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    std::fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)
}

#[cfg(not(unix))]
fn make_private(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::Token;

    fn card(id: &str, language: &str) -> Card {
        Card {
            id: id.to_string(),
            pack: "harbor".to_string(),
            title: "Harbor".to_string(),
            language: language.to_string(),
            hints: false,
            seats: Vec::new(),
            spectators: Token::new().unwrap(),
        }
    }

    fn keeps_what_it_is_given(kind: StorageKind) {
        let folder = std::env::temp_dir().join(format!("rulepack-storage-{}-{kind:?}", std::process::id()));
        let storage = open(kind, &folder).unwrap();
        storage.write_card(&card("ab", "en")).unwrap();
        storage.write_card(&card("cd", "en")).unwrap();
        storage.write_card(&card("ab", "fr")).unwrap();
        let mut log = storage.begin_log("ab", "one\n").unwrap();
        log.append("two\n").unwrap();
        let mut other = storage.begin_log("cd", "three\n").unwrap();
        log.append("four\n").unwrap();
        other.append("five\n").unwrap();
        drop(storage);

        // What is there is there when it is opened again, also while the logs are still open.
        let storage = open(kind, &folder).unwrap();
        let (cards, unread) = storage.all().unwrap();
        let kept: Vec<_> = cards.iter().map(|card| (card.id.as_str(), card.language.as_str())).collect();
        assert_eq!((kept, unread), (vec![("ab", "fr"), ("cd", "en")], 0));
        assert_eq!(storage.read_log("ab").unwrap(), "one\ntwo\nfour\n");
        assert_eq!(storage.read_log("cd").unwrap(), "three\nfive\n");
        assert!(storage.read_log("ef").is_err() || storage.read_log("ef").unwrap().is_empty());

        // A log that is begun again has nothing of the old one.
        let mut log = storage.begin_log("ab", "six\n").unwrap();
        log.append("seven\n").unwrap();
        assert_eq!(storage.read_log("ab").unwrap(), "six\nseven\n");
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn files_keep_tables() {
        keeps_what_it_is_given(StorageKind::Files);
    }

    #[cfg(feature = "sqlite")]
    #[test]
    fn a_database_keeps_tables() {
        keeps_what_it_is_given(StorageKind::Sqlite);
    }

    #[cfg(not(feature = "sqlite"))]
    #[test]
    fn a_program_without_the_database_says_how_to_build_it() {
        let folder = std::env::temp_dir();
        let error = open(StorageKind::Sqlite, &folder).err().unwrap();
        assert!(error.to_string().contains("--features sqlite"), "{error}");
    }
}
