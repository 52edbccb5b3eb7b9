//! `rulepack serve`: tables in a browser, or for programs in any language.

use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use rulepack::serve::{Server, read_line};
use rulepack_kernel::Limits;
use rulepack_tools::Library;
use rulepack_web::{MOST_CONNECTIONS, MOST_TABLES, NOT_BUILT, Options, ServeError, StorageKind, serve};

use crate::keep;
use crate::play::any_seed;
use crate::stop::{Stop, shown, talk};

/// Serves tables to browsers: open the address that it prints. With `--stdio`, plays games for other programs
///
/// Every pack of the libraries can be played, by people and bots. Each seat has a link of its own, which nobody can guess.
/// Tables are kept in a folder: after a restart they go on. It can be reached from this machine only, unless `--listen` names
/// another address; read `docs/hosting.md` before you do that.
///
/// With `--stdio` each line of the input is a request as JSON, and gets one line as a reply: see `docs/serve.md`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  rulepack serve                       then open http://127.0.0.1:7878\n  rulepack serve my-game --tables games\n  echo '{\"id\": 1, \"method\": \"packs\"}' | rulepack serve --stdio"
)]
pub struct Serve {
    /// The pack that is shown first
    pack: Option<String>,
    /// Where to listen
    #[arg(long, value_name = "ADDRESS:PORT", default_value = "127.0.0.1:7878", conflicts_with = "stdio")]
    listen: SocketAddr,
    /// A name by which browsers call this server, if it is behind another one: games.example.org
    #[arg(long = "name", value_name = "NAME", conflicts_with = "stdio")]
    names: Vec<String>,
    /// The folder in which tables are kept [default: `tables` in the user's state folder]
    #[arg(long, value_name = "DIR", conflicts_with = "stdio")]
    tables: Option<PathBuf>,
    /// How tables are kept there
    #[arg(long, value_name = "KIND", default_value = "files", conflicts_with_all = ["stdio", "no_tables"])]
    storage: Storing,
    /// Keep nothing: tables are gone when the server ends
    #[arg(long, conflicts_with_all = ["stdio", "tables"])]
    no_tables: bool,
    /// The largest number of tables
    #[arg(long, value_name = "N", default_value_t = MOST_TABLES, conflicts_with = "stdio")]
    most_tables: usize,
    /// The largest number of connections at a time; further ones wait
    #[arg(long, value_name = "N", default_value_t = MOST_CONNECTIONS, conflicts_with = "stdio")]
    most_connections: usize,
    /// Read requests from the input and write replies to the output
    #[arg(long, conflicts_with = "pack")]
    stdio: bool,
}

/// How tables are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Storing {
    /// Two files for each table
    Files,
    /// One SQLite database, `tables.sqlite`; only in a program that was built with `--features sqlite`
    Sqlite,
}

impl Serve {
    /// Runs it until the input ends, or the process is stopped.
    pub fn run(&self, library: Library, limits: Limits) -> Result<(), Stop> {
        if self.stdio { lines(&library, limits) } else { self.browsers(library) }
    }

    fn browsers(&self, library: Library) -> Result<(), Stop> {
        if let Some(pack) = self.pack.as_deref().filter(|pack| !library.has(pack)) {
            return Err(Stop::Call(format!("there is no pack `{pack}`: `rulepack list` names all")));
        }
        if self.storage == Storing::Sqlite && !cfg!(feature = "sqlite") {
            return Err(Stop::Call(NOT_BUILT.to_string()));
        }
        let usual = || keep::folder().map(|folder| folder.join("tables"));
        let folder = if self.no_tables { None } else { self.tables.clone().or_else(usual) };
        let kept = folder
            .as_deref()
            .map_or("nowhere: they are gone when it ends".to_string(), |folder| format!("in `{}`", shown(folder)));
        let options = Options {
            listen: self.listen,
            names: self.names.clone(),
            folder,
            storage: match self.storage {
                Storing::Files => StorageKind::Files,
                Storing::Sqlite => StorageKind::Sqlite,
            },
            pack: self.pack.clone(),
            most_tables: self.most_tables,
            most_connections: self.most_connections,
        };
        let started = |address: SocketAddr| talk(&format!("open http://{address} (tables are kept {kept})"));
        serve(library, options, started).map_err(|error| match error {
            ServeError::Listen { .. } | ServeError::Folder { .. } => Stop::Call(error.to_string()),
            ServeError::Stopped(_) => Stop::Wrong(error.to_string()),
        })
    }
}

/// Serves programs until the input ends.
fn lines(library: &Library, limits: Limits) -> Result<(), Stop> {
    let folders: Vec<PathBuf> = library.folders().to_vec();
    let mut server = Server::new(folders, limits, any_seed);
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    let mut line = Vec::new();
    loop {
        match read_line(&mut input, &mut line) {
            Ok(true) => {}
            Ok(false) => return Ok(()),
            Err(error) => return Err(Stop::Wrong(format!("the input cannot be read: {error}"))),
        }
        match writeln!(output, "{}", server.reply(&line)).and_then(|()| output.flush()) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Err(Stop::Closed),
            Err(error) => return Err(Stop::Wrong(format!("a reply cannot be written: {error}"))),
        }
    }
}
