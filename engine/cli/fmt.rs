//! `rulepack fmt`: files of packs as all of them are written.

use std::path::Path;

use clap::Args;
use rulepack_edit::{File, format};
use rulepack_tools::Library;

use crate::pack_files::{files, folders, show, write};
use crate::stop::{Stop, emit, shown, talk, verdict};

/// Formats the TOML files of packs, and the expressions in them
///
/// Comments, order and values stay as they are; only spaces and empty lines change. Texts that people read are not touched.
#[derive(Debug, Args)]
#[command(after_help = "Examples: rulepack fmt my-game\n          rulepack fmt --check")]
pub struct Fmt {
    /// The packs; all of the library if none is named
    packs: Vec<String>,
    /// Write nothing; name the files that are not formatted, and exit with 1 if there is one
    #[arg(long)]
    check: bool,
    /// Show what changes, or would change
    #[arg(long)]
    diff: bool,
}

impl Fmt {
    /// Runs it.
    pub fn run(&self, library: &Library) -> Result<(), Stop> {
        let mut all = Vec::new();
        for folder in folders(library, &self.packs)? {
            all.extend(files(&folder, &[])?);
        }
        let (mut changed, mut is_wrong) = (Vec::new(), false);
        for file in &all {
            match format(&file.text) {
                Ok(text) if text == file.text => {}
                Ok(text) => changed.push(File { path: file.path.clone(), text }),
                Err(why) => {
                    is_wrong = true;
                    talk(&format!("`{}`: {why}", shown(Path::new(&file.path))));
                }
            }
        }
        if self.diff {
            show(&all, &changed)?;
        }
        if self.check {
            changed.iter().filter(|_| !self.diff).try_for_each(|file| emit(&shown(Path::new(&file.path))))?;
            talk(&format!("{} of {} files are not formatted", changed.len(), all.len()));
            return verdict(Ok(()), is_wrong || !changed.is_empty());
        }
        write(&changed)?;
        talk(&format!("formatted {} of {} files", changed.len(), all.len()));
        verdict(Ok(()), is_wrong)
    }
}
