//! `rulepack fix`: cures of mistakes that leave nothing to decide.

use std::collections::BTreeMap;
use std::path::Path;

use clap::Args;
use rulepack_edit::File;
use rulepack_model::{Diagnostic, all_threads};
use rulepack_tools::{CheckRequest, Edit, Library, check, cure};

use crate::pack_files::{folders, is_to_be_written, show, write};
use crate::pick::known_pack;
use crate::stop::{Stop, shown, talk, verdict};

/// Corrects mistakes whose correction leaves nothing to decide, such as a misspelt name
///
/// Every cure is tried first: one after which the pack has as many errors as before is left out. Without `--write` it shows what
/// it would change.
#[derive(Debug, Args)]
#[command(after_help = "Examples: rulepack fix my-game\n          rulepack fix my-game --write")]
pub struct Fix {
    /// The packs; all of the library if none is named
    packs: Vec<String>,
    /// Write the corrected files without asking
    #[arg(long)]
    write: bool,
}

/// How often cures are looked for: a corrected mistake may have hidden others.
const ROUNDS: usize = 8;

/// What cures make of the files.
#[derive(Default)]
struct Cured {
    before: Vec<File>,
    after: Vec<File>,
    cures: usize,
    /// Errors in the files as they are.
    errors: usize,
}

impl Fix {
    /// Runs it.
    pub fn run(&self, library: &Library) -> Result<(), Stop> {
        let packs = match self.packs.is_empty() {
            true => library.list().into_iter().map(|info| info.id).collect(),
            false => self.packs.clone(),
        };
        // A pack with a broken manifest is no pack of the list, and has a folder.
        folders(library, &packs)?;
        let mut errors = 0;
        for pack in &packs {
            errors += self.pack(library, pack)?;
        }
        verdict(Ok(()), errors > 0)
    }

    /// Cures one pack, and returns the number of errors that are left.
    fn pack(&self, library: &Library, pack: &str) -> Result<usize, Stop> {
        let mut left = 0;
        for round in 0..ROUNDS {
            // Files that were written are read again.
            let library = library.again().map_err(|error| Stop::Call(error.to_string()))?;
            library.hold();
            let cured = cured(&library, pack);
            left = cured.errors;
            if cured.after.is_empty() {
                if round == 0 || left > 0 {
                    talk(&format!("`{pack}`: {left} errors, and no cure for them"));
                }
                return Ok(left);
            }
            show(&cured.before, &cured.after)?;
            if !is_to_be_written(self.write, cured.after.len())? {
                talk(&format!("`{pack}`: {} of {left} errors can be cured; `--write` writes it", cured.cures));
                return Ok(left);
            }
            write(&cured.after)?;
            let names: Vec<String> = cured.after.iter().map(|file| shown(Path::new(&file.path))).collect();
            talk(&format!("`{pack}`: {} cures written into {}", cured.cures, names.join(", ")));
        }
        let library = library.again().map_err(|error| Stop::Call(error.to_string()))?;
        left = left.min(errors_of(&library, pack).len());
        Ok(left)
    }
}

/// The errors of a pack; its games are not played.
fn errors_of(library: &Library, pack: &str) -> Vec<Diagnostic> {
    if known_pack(library, pack).is_err() {
        return library.diagnostics().into_iter().filter(Diagnostic::is_error).collect();
    }
    let request = CheckRequest { with: Vec::new(), playouts: 0, threads: all_threads() };
    check(library, pack, &request, &mut || {}).diagnostics.into_iter().filter(Diagnostic::is_error).collect()
}

/// Tries the cure of every error, file by file.
fn cured(library: &Library, pack: &str) -> Cured {
    let errors = errors_of(library, pack);
    let mut all = Cured { errors: errors.len(), ..Cured::default() };
    let mut edits: BTreeMap<String, (String, Vec<Edit>)> = BTreeMap::new();
    {
        let sources = library.sources();
        for edit in errors.iter().filter_map(|error| cure(error, &sources)) {
            let Some(source) = sources.get(edit.at.file) else { continue };
            // Scripts are no TOML, and a wrong cure inside a program is worse than none.
            if source.path.ends_with(".toml") {
                let file = edits.entry(source.path.clone()).or_insert_with(|| (source.text.clone(), Vec::new()));
                file.1.push(edit);
            }
        }
    }
    for (path, (before, mut edits)) in edits {
        // From the end on, so that the places of the others stay right.
        edits.sort_by_key(|edit| std::cmp::Reverse((edit.at.start, edit.at.end)));
        let (mut now, mut known, mut limit) = (before.clone(), errors.len(), usize::MAX);
        for edit in edits {
            let (start, end) = (edit.at.start as usize, edit.at.end as usize);
            // Two cures of one place: the first one counts.
            let (Some(head), Some(tail)) = (now.get(..start), now.get(end..)) else { continue };
            if end > limit {
                continue;
            }
            let text = format!("{head}{}{tail}", edit.text);
            library.edit(&path, text.clone());
            let left = errors_of(library, pack).len();
            library.restore();
            if left < known {
                (now, known, limit) = (text, left, start);
                all.cures += 1;
            }
        }
        if now != before {
            all.before.push(File { path: path.clone(), text: before });
            all.after.push(File { path, text: now });
        }
    }
    all
}
