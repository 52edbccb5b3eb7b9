//! What belongs to an installed program: completions, manual pages, the version; and the files of releases and CI.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use crate::support::{Scratch, files, rulepack};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The commands, as the program lists them.
fn commands() -> BTreeSet<String> {
    let help = rulepack(root(), &["--help"]).stdout;
    let list = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("it has a list");
    // Descriptions go on in further lines, which begin further to the right.
    let first =
        |line: &str| line.strip_prefix("  ")?.split(' ').next().filter(|word| !word.is_empty()).map(str::to_string);
    list.lines().filter_map(first).collect()
}

#[test]
fn every_shell_completes_every_command() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let run = rulepack(root(), &["completions", shell]);
        assert_eq!(run.code, 0, "{}", run.shown());
        for command in commands() {
            assert!(run.stdout.contains(&command), "{shell} does not complete `{command}`");
        }
        assert!(run.stdout.contains("conformance"), "{shell} does not complete options");
    }
    assert_eq!(rulepack(root(), &["completions", "tcsh"]).code, 2);
}

/// The completions of bash are a script that bash takes, and they complete.
#[cfg(unix)]
#[test]
fn bash_completes() {
    let folder = Scratch::new("completions");
    folder.write("rulepack.bash", rulepack(root(), &["completions", "bash"]).stdout.as_bytes());
    let script = "source ./rulepack.bash; COMP_WORDS=(rulepack expl); COMP_CWORD=1; _rulepack rulepack expl rulepack; \
                  echo \"${COMPREPLY[@]}\"";
    let run = Command::new("bash").args(["-c", script]).current_dir(folder.path()).output().expect("bash is there");
    let told = String::from_utf8_lossy(&run.stdout);
    assert_eq!(told.trim(), "explain", "{}", String::from_utf8_lossy(&run.stderr));
}

#[test]
fn every_command_has_a_manual_page() {
    let folder = Scratch::new("man");
    let run = rulepack(folder.path(), &["man", "man1"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let pages: BTreeSet<String> = files(&folder.path().join("man1"))
        .into_keys()
        .map(|path| path.file_name().expect("it is a file").to_string_lossy().into_owned())
        .collect();
    for command in commands().iter().filter(|command| *command != "help") {
        assert!(pages.contains(&format!("rulepack-{command}.1")), "{command}: {pages:?}");
    }
    assert!(pages.contains("rulepack.1") && pages.contains("rulepack-new-expansion.1"), "{pages:?}");
    let page = folder.read("man1/rulepack-check.1");
    assert!(page.contains(".SH OPTIONS") && page.contains("deny") && page.contains("Example"), "{page}");
    // Into a file that is there, nothing is written.
    folder.write("file", b"mine");
    assert_eq!(rulepack(folder.path(), &["man", "file"]).code, 2);
    assert_eq!(folder.read("file"), "mine");
}

#[test]
fn the_version_says_commit_features_and_system() {
    let long = rulepack(root(), &["--version"]).stdout;
    let short = rulepack(root(), &["-V"]).stdout;
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(short.trim(), format!("rulepack {version}"));
    assert!(long.starts_with(&format!("rulepack {version}\ncommit:   ")), "{long}");
    for word in ["lua-analysis", "oracle", std::env::consts::ARCH, std::env::consts::OS] {
        assert!(long.contains(word), "{word}: {long}");
    }
    let commit = long.lines().nth(1).and_then(|line| line.split_whitespace().nth(1)).expect("there is a word");
    let is_commit = commit.len() == 12 && commit.chars().all(|letter| letter.is_ascii_hexdigit());
    // Sources without git know no commit.
    assert!(is_commit || commit == "not" || std::env::var_os("RULEPACK_COMMIT").is_some(), "{long}");
}

/// New projects get the workflow that the documentation shows.
#[test]
fn there_is_one_workflow() {
    let read = |path: &str| std::fs::read_to_string(root().join(path)).expect("it is there");
    assert!(
        read("docs/ci/github-workflow.yml") == read("engine/tools/templates/workflow.yml"),
        "copy docs/ci/github-workflow.yml to engine/tools/templates/workflow.yml"
    );
}

/// Whatever a workflow needs stands in it or in the repository in which it runs: no variable that somebody has to set, and no
/// address.
#[test]
fn workflows_depend_on_nothing_outside() {
    for path in [".github/workflows/release.yml", ".github/actions/rulepack/action.yml", "docs/ci/github-workflow.yml"]
    {
        let text = std::fs::read_to_string(root().join(path)).expect("it is there");
        let code: String = text.lines().filter(|line| !line.trim_start().starts_with('#')).collect();
        assert!(!code.contains("vars.") && !code.contains("secrets."), "{path}");
        assert!(!code.contains("://"), "{path} names an address");
        for word in text.split("uses: ").skip(1).filter_map(|rest| rest.split_whitespace().next()) {
            let pinned = word.split_once('@').is_some_and(|(_, version)| version.starts_with('v') || version == "TAG");
            assert!(pinned, "{path}: {word} names no version");
        }
    }
}

/// The archive of a release holds what its list says.
#[cfg(target_os = "linux")]
#[test]
fn the_archive_holds_everything() {
    let run = Command::new(root().join(".ci/archive"))
        .args([env!("CARGO_BIN_EXE_rulepack"), "test-target"])
        .output()
        .expect("the script runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let archive = root().join("target/release-archives/rulepack-test-target.tar.gz");
    let list = Command::new("tar").arg("tzf").arg(&archive).output().expect("tar is there");
    let list = String::from_utf8_lossy(&list.stdout).into_owned();
    std::fs::remove_file(&archive).expect("it was made");
    for path in ["rulepack", "LICENSE", "man/rulepack-play.1", "completions/rulepack.zsh", "content/hex/pack.toml"] {
        assert!(list.lines().any(|line| line == format!("rulepack-test-target/{path}")), "{path}: {list}");
    }
}
