//! Tables in a SQLite database: one row for the card of a table, and one for each part of its log, in order.

use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use rusqlite::{Connection, params};

use crate::kept::Card;
use crate::storage::{Growth, Storage};

/// What is there, and how it is written: a record that was reported as written outlives the end of this process.
const SCHEMA: &str = "
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS cards (id TEXT PRIMARY KEY, card TEXT NOT NULL) WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS logs (id TEXT NOT NULL, part INTEGER NOT NULL, records TEXT NOT NULL, PRIMARY KEY (id, part)) WITHOUT ROWID;
";

/// The database.
#[derive(Debug)]
pub struct Database {
    connection: Arc<Mutex<Connection>>,
}

impl Database {
    /// Opens a database, which is made if it is missing.
    ///
    /// # Errors
    /// If the file cannot be used, or is none.
    pub fn open(path: &Path) -> io::Result<Database> {
        let connection = Connection::open(path).map_err(io::Error::other)?;
        connection.execute_batch(SCHEMA).map_err(io::Error::other)?;
        Ok(Database { connection: Arc::new(Mutex::new(connection)) })
    }
}

/// A transaction that was not committed is rolled back, so a thread that panicked leaves nothing half done.
fn lock(connection: &Mutex<Connection>) -> MutexGuard<'_, Connection> {
    connection.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Storage for Database {
    fn all(&self) -> io::Result<(Vec<Card>, usize)> {
        let connection = lock(&self.connection);
        let read = || {
            let mut rows = connection.prepare("SELECT id, card FROM cards ORDER BY id")?;
            let rows = rows.query_map([], |row| Ok((row.get::<_, String>(0)?, row.get::<_, String>(1)?)))?;
            rows.collect::<rusqlite::Result<Vec<(String, String)>>>()
        };
        let rows = read().map_err(io::Error::other)?;
        let (mut cards, mut unread) = (Vec::new(), 0_usize);
        for (id, text) in rows {
            match serde_json::from_str::<Card>(&text).ok().filter(|card| card.id == id) {
                Some(card) => cards.push(card),
                None => unread = unread.saturating_add(1),
            }
        }
        Ok((cards, unread))
    }

    fn write_card(&self, card: &Card) -> io::Result<()> {
        let text = serde_json::to_string(card).map_err(io::Error::other)?;
        let write = "INSERT INTO cards (id, card) VALUES (?1, ?2) ON CONFLICT (id) DO UPDATE SET card = ?2";
        lock(&self.connection).execute(write, params![card.id, text]).map(drop).map_err(io::Error::other)
    }

    fn begin_log(&self, id: &str, text: &str) -> io::Result<Box<dyn Growth>> {
        let mut connection = lock(&self.connection);
        let mut write = || {
            let all = connection.transaction()?;
            all.execute("DELETE FROM logs WHERE id = ?1", params![id])?;
            all.execute("INSERT INTO logs (id, part, records) VALUES (?1, 0, ?2)", params![id, text])?;
            all.commit()
        };
        write().map_err(io::Error::other)?;
        Ok(Box::new(Log { connection: Arc::clone(&self.connection), id: id.to_string(), parts: 1 }))
    }

    fn read_log(&self, id: &str) -> Result<String, String> {
        let connection = lock(&self.connection);
        let read = || {
            let mut rows = connection.prepare("SELECT records FROM logs WHERE id = ?1 ORDER BY part")?;
            let rows = rows.query_map(params![id], |row| row.get::<_, String>(0))?;
            rows.collect::<rusqlite::Result<String>>()
        };
        read().map_err(|error| error.to_string())
    }
}

/// The log of a table that is awake.
#[derive(Debug)]
struct Log {
    connection: Arc<Mutex<Connection>>,
    id: String,
    parts: i64,
}

impl Growth for Log {
    fn append(&mut self, records: &str) -> io::Result<()> {
        let write = "INSERT INTO logs (id, part, records) VALUES (?1, ?2, ?3)";
        lock(&self.connection).execute(write, params![self.id, self.parts, records]).map_err(io::Error::other)?;
        self.parts = self.parts.saturating_add(1);
        Ok(())
    }
}
