//! `--watch`: notices that files of the libraries have changed.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

use clap::Args;
use notify::event::{AccessKind, AccessMode, EventKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};

use crate::stop::{Stop, shown, talk};

/// An editor writes a file in several steps: they count as one change.
const QUIET: Duration = Duration::from_millis(25);
/// A folder in which something changes all the time is read at least this often.
const LONGEST: Duration = Duration::from_millis(300);

/// The option `--watch`.
#[derive(Debug, Clone, Copy, Args)]
pub struct WatchArg {
    /// Do it again each time a file of the libraries is saved, until Ctrl-C
    #[arg(long)]
    watch: bool,
}

impl WatchArg {
    /// Whether it is given.
    pub fn is_on(self) -> bool {
        self.watch
    }

    /// Runs once, and, if so asked, again after each change of a file of the libraries or of `others`.
    pub fn run(
        self,
        folders: &[PathBuf],
        others: &[PathBuf],
        mut run: impl FnMut() -> Result<(), Stop>,
    ) -> Result<(), Stop> {
        if !self.watch {
            return run();
        }
        let watch = Watch::new(folders, others)?;
        loop {
            let began = Instant::now();
            match run() {
                Ok(()) | Err(Stop::Said) => {}
                Err(Stop::Wrong(message) | Stop::Call(message)) => talk(&format!("error: {message}")),
                Err(Stop::Closed) => return Ok(()),
            }
            talk(&format!("took {} ms; waiting for a change, Ctrl-C ends", began.elapsed().as_millis()));
            watch.wait();
        }
    }
}

/// The watched folders.
pub struct Watch {
    /// It watches as long as it exists.
    _eyes: RecommendedWatcher,
    changes: Receiver<()>,
}

impl Watch {
    /// Watches the content and scripts of libraries, and further files and folders.
    pub fn new(folders: &[PathBuf], others: &[PathBuf]) -> Result<Watch, Stop> {
        let (send, changes) = channel();
        let cannot = |error: notify::Error| Stop::Wrong(format!("files cannot be watched: {error}"));
        let mut eyes = notify::recommended_watcher(move |event| note(event, &send)).map_err(cannot)?;
        let parts = folders.iter().flat_map(|folder| ["content", "scripts"].map(|part| folder.join(part)));
        for path in parts.chain(others.iter().cloned()).filter(|path| path.exists()) {
            // Editors replace a file by another one: its folder tells of both.
            let path = if path.is_dir() { path } else { folder_of(&path) };
            let why = |error: notify::Error| Stop::Wrong(format!("`{}` cannot be watched: {error}", shown(&path)));
            eyes.watch(&path, RecursiveMode::Recursive).map_err(why)?;
        }
        Ok(Watch { _eyes: eyes, changes })
    }

    /// Waits for a change.
    pub fn wait(&self) {
        while !self.changed(Duration::from_secs(3600)) {}
    }

    /// Whether something has changed, or changes within this time.
    pub fn changed(&self, within: Duration) -> bool {
        if self.changes.recv_timeout(within).is_err() {
            return false;
        }
        let began = Instant::now();
        while began.elapsed() < LONGEST && self.changes.recv_timeout(QUIET).is_ok() {}
        true
    }
}

fn folder_of(path: &Path) -> PathBuf {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).map_or_else(|| PathBuf::from("."), Path::to_path_buf)
}

/// Passes an event on if it changed a file that packs consist of.
fn note(event: notify::Result<Event>, send: &Sender<()>) {
    // After a mistake nobody knows what has changed.
    let is_change = event.map_or(true, |event| {
        let writes = match event.kind {
            // Whoever reads a file opens and closes it.
            EventKind::Access(kind) => kind == AccessKind::Close(AccessMode::Write),
            EventKind::Any | EventKind::Create(_) | EventKind::Modify(_) | EventKind::Remove(_) | EventKind::Other => {
                true
            }
        };
        let is_text = |path: &PathBuf| path.extension().is_some_and(|end| end == "toml" || end == "lua");
        writes && event.paths.iter().any(is_text)
    });
    if is_change {
        // Nobody listens any more when the program ends.
        let _ = send.send(());
    }
}
