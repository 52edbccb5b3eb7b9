//! Says from which commit the program is built, for `--version`.
//!
//! `RULEPACK_COMMIT` wins, for packagers; else git is asked, if the sources are a repository of their own; else nothing is said.
//! Git is asked for release builds only: whoever works on the program would else compile it anew after every commit.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-env-changed=RULEPACK_COMMIT");
    let given = std::env::var("RULEPACK_COMMIT").ok().map(|commit| commit.trim().to_string());
    let is_release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = given.filter(|commit| !commit.is_empty()).or_else(|| if is_release { of_git() } else { None });
    let commit = commit.unwrap_or_default();
    println!("cargo::rustc-env=RULEPACK_BUILT_FROM={commit}");
}

/// The commit of the repository whose root is this package; none in a copy without git, such as a source archive.
fn of_git() -> Option<String> {
    let root = std::env::var("CARGO_MANIFEST_DIR").ok()?;
    // An archive that lies inside another repository is not of its commit.
    let top = git(&root, &["rev-parse", "--show-toplevel"])?;
    if Path::new(&top).canonicalize().ok()? != Path::new(&root).canonicalize().ok()? {
        return None;
    }
    let folder = git(&root, &["rev-parse", "--absolute-git-dir"])?;
    println!("cargo::rerun-if-changed={folder}/HEAD");
    if let Some(branch) = git(&root, &["symbolic-ref", "-q", "HEAD"]) {
        let common = git(&root, &["rev-parse", "--path-format=absolute", "--git-common-dir"])?;
        println!("cargo::rerun-if-changed={common}/{branch}");
    }
    git(&root, &["rev-parse", "--short=12", "HEAD"])
}

fn git(folder: &str, arguments: &[&str]) -> Option<String> {
    let run = Command::new("git").arg("-C").arg(folder).args(arguments).output().ok()?;
    let text = String::from_utf8(run.stdout).ok()?;
    (run.status.success() && !text.trim().is_empty()).then(|| text.trim().to_string())
}
