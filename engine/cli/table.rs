//! `rulepack table`: the types of a kind as a table for programs for tables, and the edited table back into the pack.

use std::path::{Path, PathBuf};

use clap::Args;
use rulepack_edit::{edited, kinds, read_csv, rows, write_csv};
use rulepack_model::did_you_mean;
use rulepack_tools::{Library, Safety, replace};

use crate::pack_files::{NO_DEFINITIONS, files, folders, is_to_be_written, show, write};
use crate::stop::{Stop, emit_lines, read_named, shown, talk};
use crate::write::unwritten;

/// Writes the types of a kind as a table, and takes the changes of an edited table back into the pack
///
/// A row is a definition, a column is a field. On the way back, exactly the cells that differ change the files: comments,
/// order and everything else stay. An empty cell is a field that is not there; "" is an empty text.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: rulepack table my-game kind.card --csv --out cards.csv\n          rulepack table my-game --import cards.csv\n          rulepack table my-game --import cards.csv --write"
)]
pub struct TableOf {
    /// The pack
    // Not `pack`: with a default for it, the kind would be taken for the pack.
    #[arg(id = "table_of", value_name = "PACK")]
    pack: String,
    /// The kind whose types are written, such as `kind.card`; any table of definitions will do, such as `action`
    #[arg(required_unless_present = "import", conflicts_with = "import")]
    kind: Option<String>,
    /// Write comma-separated values, which is the default
    #[arg(long)]
    csv: bool,
    /// Write to a file instead of the output
    #[arg(long, value_name = "FILE", conflicts_with = "import")]
    out: Option<PathBuf>,
    /// Overwrite the file
    #[arg(long, requires = "out")]
    force: bool,
    /// Read an edited table, and show what it changes
    #[arg(long, value_name = "FILE")]
    import: Option<PathBuf>,
    /// Write the changes without asking
    #[arg(long, requires = "import")]
    write: bool,
}

impl TableOf {
    /// Runs it.
    pub fn run(&self, library: &Library) -> Result<(), Stop> {
        let mut all = Vec::new();
        for folder in folders(library, std::slice::from_ref(&self.pack))? {
            all.extend(files(&folder, &NO_DEFINITIONS)?);
        }
        match (&self.import, &self.kind) {
            (Some(path), _) => self.import(path, &all),
            (None, Some(kind)) => self.export(kind.strip_prefix("kind.").unwrap_or(kind), &all),
            (None, None) => Err(Stop::Call("name a kind, such as `kind.card`".to_string())),
        }
    }

    fn export(&self, kind: &str, all: &[rulepack_edit::File]) -> Result<(), Stop> {
        let known = kinds(all).map_err(Stop::Wrong)?;
        if !known.contains(kind) {
            let hint = did_you_mean(kind, known.iter().map(String::as_str));
            let hint = hint.map_or(String::new(), |hint| format!("; {hint}"));
            return Err(Stop::Call(format!("`{}` defines no `{kind}`{hint}", self.pack)));
        }
        let table = rows(kind, all).map_err(Stop::Wrong)?;
        let text = write_csv(&table).map_err(Stop::Wrong)?;
        let Some(path) = &self.out else { return emit_lines(text.trim_end_matches('\n')) };
        // Nobody can tell an edited table from one that was just written.
        if path.exists() && !self.force {
            return Err(Stop::Call(format!("`{}` is there; `--force` overwrites it", shown(path))));
        }
        replace(path, &text, Safety::Synced).map_err(|error| Stop::Call(unwritten(path, &error)))?;
        talk(&format!("`{}`: {} rows", shown(path), table.0.len().saturating_sub(1)));
        Ok(())
    }

    fn import(&self, path: &Path, all: &[rulepack_edit::File]) -> Result<(), Stop> {
        let text = read_named(path)?;
        let table = read_csv(&text).map_err(|mistake| vec![mistake]);
        let done = table.and_then(|table| edited(&table, all));
        let done = match done {
            Ok(done) => done,
            Err(mistakes) => {
                for mistake in &mistakes {
                    talk(&format!("{}:{}: {}", shown(path), mistake.row, mistake.what));
                }
                return Err(Stop::Wrong(format!("the table has {} mistakes; no file was changed", mistakes.len())));
            }
        };
        if done.changes.is_empty() {
            talk("the table says what the files say; nothing changes");
            return Ok(());
        }
        show(all, &done.files)?;
        let what = format!("{} fields in {} files", done.changes.len(), done.files.len());
        if !is_to_be_written(self.write, done.files.len())? {
            talk(&format!("{what} would change; `--write` writes them"));
            return Ok(());
        }
        write(&done.files)?;
        talk(&format!("{what} changed; `rulepack check {}` says whether they fit", self.pack));
        Ok(())
    }
}
