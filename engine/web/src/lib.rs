//! Tables in a browser: an HTTP and WebSocket server that plays every pack.
//!
//! - `connections.rs`: accepts connections. `server.rs`: the addresses, who may ask for them, and what every reply says about
//!   safety. `assets.rs`: the files of the page.
//! - `lobby.rs`: all tables: opening, finding again after a restart, putting to sleep. `room.rs`: one table with its seats, talk
//!   and open requests. `socket.rs`: a connection of one viewer to one table.
//! - `opponents.rs`: bots that answer in threads of their own. `threads.rs`: the threads in which tables are answered.
//! - `kept.rs`: what is kept of a table. `storage/`: where: files, or a database. `token.rs`: the secret of a seat.
//!
//! The page in `engine/web/page` is plain JavaScript, HTML and CSS, compiled into the program. A browser gets only what its
//! viewer may see: views, questions and logs come from [`rulepack::Table`]. Nothing here knows a game.

mod assets;
mod connections;
mod kept;
mod lobby;
mod opponents;
mod room;
mod server;
mod socket;
mod storage;
mod threads;
mod token;

use std::net::SocketAddr;
use std::path::PathBuf;

use rulepack::Library;

pub use storage::{NOT_BUILT, StorageKind};

/// How the server is run.
#[derive(Debug, Clone)]
pub struct Options {
    /// The address at which it listens.
    pub listen: SocketAddr,
    /// The names by which browsers may call it, besides the address itself: `games.example.org`.
    pub names: Vec<String>,
    /// The folder in which tables are kept; without one they are gone when the server ends.
    pub folder: Option<PathBuf>,
    /// How they are kept there.
    pub storage: StorageKind,
    /// The pack that the lobby shows first.
    pub pack: Option<String>,
    /// The largest number of tables.
    pub most_tables: usize,
    /// The largest number of connections at a time.
    pub most_connections: usize,
}

/// The largest number of tables if none is given.
pub const MOST_TABLES: usize = 10_000;
/// The largest number of connections if none is given.
pub const MOST_CONNECTIONS: usize = 5_000;

/// Why the server cannot run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address cannot be used.
    #[error("cannot listen at {address}: {error}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the operating system says.
        error: std::io::Error,
    },
    /// The folder for tables cannot be used.
    #[error("tables cannot be kept in `{}`: {error}", .folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// What the operating system says.
        error: std::io::Error,
    },
    /// The server stopped.
    #[error("the server stopped: {0}")]
    Stopped(std::io::Error),
}

/// Serves until the process ends. `started` is told the address at which it listens.
///
/// # Errors
/// If the address or the folder cannot be used.
pub fn serve(library: Library, options: Options, started: impl FnOnce(SocketAddr)) -> Result<(), ServeError> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().map_err(ServeError::Stopped)?;
    let _keeps_running = runtime.enter();
    runtime.block_on(server::run(library, options, started))
}
