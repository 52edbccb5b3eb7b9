//! `rulepack fetch`: brings the libraries that the project file names in repositories of git.

use clap::Args;
use rulepack_model::visible::one_line;
use rulepack_tools::fetch::{LOCK_FILE, Lock, Locked};
use rulepack_tools::{PROJECT_FILE, Project, write_with_folders};

use crate::project;
use crate::stop::{Stop, emit, shown, talk};
use crate::write::unwritten;

/// Fetches the libraries that the project file names in repositories of git
///
/// They are kept in the user's cache, and `rulepack.lock` names the commit of each: keep it with the project. No other command
/// uses the network.
#[derive(Debug, Args)]
#[command(after_help = "Examples: rulepack fetch\n          rulepack fetch --update")]
pub struct Fetch {
    /// Take the present commit of each revision, and not the one in `rulepack.lock`
    #[arg(long)]
    update: bool,
}

impl Fetch {
    /// Runs it.
    pub fn run(&self, project: &Project) -> Result<(), Stop> {
        project::refused(project, project.diagnostics.clone())?;
        let Some(folder) = &project.folder else {
            return Err(Stop::Call(format!("there is no `{PROJECT_FILE}` in this folder or above it")));
        };
        if project.remotes.is_empty() {
            talk(&format!("`{PROJECT_FILE}` names no library in a repository of git"));
            return Ok(());
        }
        let old = Lock::read(folder).map_err(Stop::Wrong)?;
        let mut lock = Lock::default();
        for remote in &project.remotes {
            let pinned = if self.update { None } else { old.commit(remote) };
            let fetched = remote.fetch(pinned).map_err(Stop::quoting)?;
            let how = if fetched.was_there { "is there" } else { "fetched" };
            let short: String = fetched.commit.chars().take(12).collect();
            emit(&format!("{} {}: {how} ({short})", remote.url, remote.rev))?;
            for path in &fetched.left_out {
                talk(&one_line(&format!("left out: {path} (a link, no text, or too large)")));
            }
            let locked = Locked { git: remote.url.clone(), rev: remote.rev.clone(), commit: fetched.commit };
            if !lock.library.contains(&locked) {
                lock.library.push(locked);
            }
        }
        if lock == old {
            return Ok(());
        }
        let path = folder.join(LOCK_FILE);
        write_with_folders(&path, &lock.text()).map_err(|error| Stop::Call(unwritten(&path, &error)))?;
        emit(&format!("wrote {}", shown(&path)))
    }
}
