//! A running game as a scenario in a file. It is tested before anybody is told that it was written.

use std::path::{Path, PathBuf};

use rulepack_model::visible::one_line;
use rulepack_tools::scenario::{open, record, run_files};
use rulepack_tools::{Library, SCENARIO_HEAD, Safety, Session, replace};

use crate::stop::{Stop, shown};

/// Writes the present position: the table before the last action, or, if that table cannot be given, all answers since the
/// set-up. The error says why neither can be written.
pub fn write(library: &Library, session: &Session, path: &Path) -> Result<(), String> {
    let rules = session.game().rules();
    let about = format!("A game of {} after {} answers.", rules.pack, session.depth());
    let recorded = record(session, &about);
    let name = named(path);
    // It is tried under another name: a file that is there stays until there is a better one.
    let trial = name.with_file_name(format!("trial-{}.toml", std::process::id()));
    let cannot = |error: &std::io::Error| format!("`{}`: {error}", shown(path));
    let mut why = "its table has no words in a scenario, and its answers are not known since the set-up".to_string();
    for text in [recorded.from_table, recorded.from_setup].into_iter().flatten() {
        let text = format!("{SCENARIO_HEAD}\n{text}");
        replace(&trial, &text, Safety::Written).map_err(|error| cannot(&error))?;
        let failure = fails(library, &trial);
        let _ = std::fs::remove_file(&trial);
        match failure {
            None => return replace(&name, &text, Safety::Synced).map(drop).map_err(|error| cannot(&error)),
            Some(reason) => why = reason,
        }
    }
    Err(one_line(&why).into_owned())
}

/// The path in a form that cannot be taken for the name of a pack.
fn named(path: &Path) -> PathBuf {
    let is_bare = path.parent().is_some_and(|folder| folder.as_os_str().is_empty());
    if is_bare { Path::new(".").join(path) } else { path.to_path_buf() }
}

/// Why the scenario of a file fails, if it does.
fn fails(library: &Library, path: &Path) -> Option<String> {
    let library = match library.again() {
        Ok(library) => library,
        Err(error) => return Some(error.to_string()),
    };
    match run_files(&library, &[path.to_string_lossy().into_owned()]) {
        Ok(report) => {
            let failed = report.cases.into_iter().find(|case| !case.passed);
            failed.map(|case| case.failure.unwrap_or_default())
        }
        Err(error) => Some(error.to_string()),
    }
}

/// The game with which a scenario begins: its given table, before its first step.
pub fn begin(library: &Library, path: &Path) -> Result<Session, Stop> {
    let name = named(path);
    if !name.is_file() {
        return Err(Stop::Call(format!("there is no file `{}`", shown(path))));
    }
    open(library, &name.to_string_lossy()).map_err(Stop::Wrong)
}
