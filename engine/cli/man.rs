//! `rulepack man`: the manual pages.

use std::path::{Path, PathBuf};

use clap::{Args, Command};

use crate::stop::{Stop, emit, shown};
use crate::write::unwritten;

/// Writes the manual pages of all commands into a folder
#[derive(Debug, Args)]
#[command(after_help = "Example: rulepack man ~/.local/share/man/man1")]
pub struct Man {
    /// The folder; it is made if it is not there. Pages of the same names are overwritten
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

impl Man {
    /// Runs it.
    pub fn run(&self, mut command: Command) -> Result<(), Stop> {
        command.build();
        let mut written = 0_usize;
        page(&self.folder, &command, &mut written)?;
        emit(&format!("wrote {written} pages to {}", shown(&self.folder)))
    }
}

/// The page of a command, and those of the commands below it.
fn page(folder: &Path, command: &Command, written: &mut usize) -> Result<(), Stop> {
    // Below a command its name is one word; the page is called by all of them.
    let name = command.get_display_name().unwrap_or_else(|| command.get_name()).to_string();
    let man = clap_mangen::Man::new(command.clone());
    let path = folder.join(format!("{name}.1"));
    let mut text = Vec::new();
    let cannot = |error: std::io::Error| Stop::Call(unwritten(&path, &error));
    man.render(&mut text).map_err(cannot)?;
    rulepack_tools::write_with_folders(&path, &String::from_utf8_lossy(&text)).map_err(cannot)?;
    *written = written.saturating_add(1);
    command
        .get_subcommands()
        .filter(|below| below.get_name() != "help")
        .try_for_each(|below| page(folder, below, written))
}
