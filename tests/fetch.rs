//! Libraries out of repositories of git: fetched, pinned, cached; and what a repository cannot do.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::support::{Run, Scratch, files};

/// A repository with the fixture `tiny`, and a project that names it.
struct Place {
    folder: Scratch,
}

fn git(folder: &Path, arguments: &[&str]) -> String {
    let run = Command::new("git")
        .args(["-c", "user.name=test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"])
        .args(arguments)
        .current_dir(folder)
        .output()
        .expect("git is there");
    assert!(run.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&run.stderr));
    String::from_utf8_lossy(&run.stdout).trim().to_string()
}

impl Place {
    fn new(name: &str, below: &str) -> Place {
        let folder = Scratch::outside(&format!("fetch-{name}"));
        folder.take("tests/fixtures/tiny", &format!("base/{below}"));
        git(&folder.path().join("base"), &["init", "--quiet", "--initial-branch=main"]);
        let place = Place { folder };
        place.commit("first");
        git(&place.base(), &["tag", "v1"]);
        place
    }

    fn base(&self) -> PathBuf {
        self.folder.path().join("base")
    }

    fn commit(&self, about: &str) -> String {
        git(&self.base(), &["add", "--all"]);
        git(&self.base(), &["commit", "--quiet", "--allow-empty", "-m", about]);
        git(&self.base(), &["rev-parse", "HEAD"])
    }

    fn url(&self) -> String {
        format!("file://{}", self.base().display())
    }

    fn project(&self, more: &str) {
        let text = format!("libraries = [{{ git = \"{}\", {more} }}]\npack = \"tiny\"\n", self.url());
        self.folder.write("mine/rulepack.toml", text.as_bytes());
    }

    /// Calls the program in the project, with a cache of its own.
    fn call(&self, arguments: &[&str]) -> Run {
        let run = Command::new(env!("CARGO_BIN_EXE_rulepack"))
            .args(arguments)
            .current_dir(self.folder.path().join("mine"))
            .env("XDG_CACHE_HOME", self.folder.path().join("cache"))
            .env("NO_COLOR", "1")
            .env("LC_ALL", "C")
            .output()
            .expect("the program runs");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Run { code: run.status.code().unwrap_or(-1), stdout: text(&run.stdout), stderr: text(&run.stderr) }
    }

    #[track_caller]
    fn well(&self, arguments: &[&str]) -> Run {
        let run = self.call(arguments);
        assert_eq!(run.code, 0, "`rulepack {}`\n{}", arguments.join(" "), run.shown());
        run
    }

    #[track_caller]
    fn wrong(&self, arguments: &[&str], why: &str) {
        let run = self.call(arguments);
        assert_eq!(run.code, 1, "`rulepack {}`\n{}", arguments.join(" "), run.shown());
        assert!(run.stderr.contains(why), "`{why}` is not said\n{}", run.shown());
    }
}

#[test]
fn a_library_is_fetched_pinned_and_used_without_the_repository() {
    let place = Place::new("pinned", "");
    place.project("rev = \"main\"");
    place.wrong(&["list"], "rulepack.toml:1:14");
    place.wrong(&["list"], "run `rulepack fetch`");
    let first = place.commit("second");
    let fetched = place.well(&["fetch"]);
    assert!(fetched.stdout.contains(&format!("main: fetched ({})", &first[..12])), "{}", fetched.shown());
    assert!(place.folder.read("mine/rulepack.lock").contains(&format!("commit = \"{first}\"")));
    assert!(place.well(&["list"]).stdout.contains("tiny 1.0.0"));
    place.well(&["sim", "--games", "2"]);
    // What comes later is taken with `--update` only.
    let later = place.commit("third");
    assert!(place.well(&["fetch"]).stdout.contains("is there"));
    assert!(place.folder.read("mine/rulepack.lock").contains(&first));
    place.well(&["fetch", "--update"]);
    assert!(place.folder.read("mine/rulepack.lock").contains(&later));
    // Without the repository everything works but fetching what is not there.
    std::fs::rename(place.base(), place.folder.path().join("gone")).expect("it is ours");
    assert!(place.well(&["fetch"]).stdout.contains("is there"));
    place.well(&["test"]);
    place.wrong(&["fetch", "--update"], "cannot be fetched");
}

/// Somebody else, or CI, gets the commit of the lock file.
#[test]
fn an_empty_cache_is_filled_from_the_lock_file() {
    let place = Place::new("again", "games/small");
    let first = git(&place.base(), &["rev-parse", "HEAD"]);
    place.project(&format!("rev = \"{}\", folder = \"games/small\"", &first[..10]));
    place.well(&["fetch"]);
    place.commit("later");
    std::fs::remove_dir_all(place.folder.path().join("cache")).expect("it was filled");
    place.wrong(&["list"], "is not in the cache");
    place.well(&["fetch"]);
    place.well(&["check", "--playouts", "0"]);
    // Another revision needs another fetch.
    place.project("rev = \"v1\", folder = \"games/small\"");
    place.wrong(&["list"], "has not been fetched at this revision");
}

/// Links lead out, submodules lead elsewhere, and files that are no texts are none of a pack.
#[cfg(unix)]
#[test]
fn links_and_submodules_are_left_out() {
    let place = Place::new("links", "");
    place.folder.write("secret/content.toml", b"secret = 1\n");
    std::os::unix::fs::symlink("../../../secret/content.toml", place.base().join("content/tiny/link.toml"))
        .expect("a link can be made");
    place.folder.write("base/content/tiny/picture.bin", b"\xff\xfe\x00");
    place.folder.write("base/.gitattributes", b"*.toml filter=evil\n");
    place.commit("links");
    place.folder.write("base/.gitmodules", b"[submodule \"x\"]\n\tpath = content/x\n\turl = file:///nowhere\n");
    let head = git(&place.base(), &["rev-parse", "HEAD"]);
    git(&place.base(), &["update-index", "--add", "--cacheinfo", &format!("160000,{head},content/x")]);
    git(&place.base(), &["add", ".gitmodules"]);
    git(&place.base(), &["-c", "user.name=t", "-c", "user.email=t@example.org", "commit", "--quiet", "-m", "module"]);
    place.project("rev = \"main\"");
    let fetched = place.well(&["fetch"]);
    for path in ["content/tiny/link.toml", "content/tiny/picture.bin", "content/x"] {
        assert!(fetched.stderr.contains(&format!("left out: {path}")), "{path}\n{}", fetched.shown());
    }
    let cached = files(&place.folder.path().join("cache"));
    assert!(cached.keys().any(|path| path.ends_with("content/tiny/pack.toml")));
    assert!(cached.keys().all(|path| !path.ends_with("link.toml") && !path.ends_with("picture.bin")));
    place.well(&["list"]);
}

/// Hooks of the user's own templates do not run.
#[cfg(unix)]
#[test]
fn no_hook_runs() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new("hooks", "");
    let hook = place.folder.path().join("hooks/post-checkout");
    place.folder.write("hooks/post-checkout", b"#!/bin/sh\ntouch \"$HOOK_RAN\"\n");
    for name in ["reference-transaction", "post-merge", "post-checkout"] {
        let copy = hook.with_file_name(name);
        std::fs::write(&copy, b"#!/bin/sh\ntouch \"$HOOK_RAN\"\n").expect("it can be written");
        std::fs::set_permissions(&copy, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    }
    let settings = format!("[core]\n\thooksPath = {}\n", hook.parent().expect("a folder").display());
    place.folder.write("gitconfig", settings.as_bytes());
    place.project("rev = \"v1\"");
    let ran = place.folder.path().join("ran");
    let run = Command::new(env!("CARGO_BIN_EXE_rulepack"))
        .arg("fetch")
        .current_dir(place.folder.path().join("mine"))
        .env("XDG_CACHE_HOME", place.folder.path().join("cache"))
        .env("GIT_CONFIG_GLOBAL", place.folder.path().join("gitconfig"))
        .env("HOOK_RAN", &ran)
        .output()
        .expect("the program runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert!(!ran.exists(), "a hook ran");
}

/// Every mistake of such an entry has its place and a cure, and git is never called for it.
#[test]
fn mistakes_of_the_entry() {
    let place = Place::new("mistakes", "");
    for (entry, why) in [
        ("{ git = \"http://example.org/a\", rev = \"v1\" }", "begins with `https://`, `ssh://` or `file://`"),
        ("{ git = \"ext::sh -c id\", rev = \"v1\" }", "is not an address that is fetched"),
        ("{ git = \"file:///a\", rev = \"--upload-pack=id\" }", "is not a tag, a branch or a commit"),
        ("{ git = \"file:///a\", rev = \"a..b\" }", "is not a tag, a branch or a commit"),
        ("{ git = \"file:///a\", rev = \"v1\", folder = \"../b\" }", "is not a folder of the repository"),
        ("{ git = \"file:///a\" }", "a library in a repository has no `rev`"),
        ("{ git = \"file:///a\", rev = \"v1\", path = \"b\" }", "`[libraries]` has no key `path`"),
        ("\"https://example.org/a\"", "is an address, and not a folder"),
    ] {
        place.folder.write("mine/rulepack.toml", format!("libraries = [{entry}]\n").as_bytes());
        place.wrong(&["fetch"], why);
    }
    assert!(!place.folder.path().join("cache").exists(), "something was fetched");
    // What git finds wrong is said in one line.
    place.project("rev = \"v9\"");
    place.wrong(&["fetch"], "has no revision `v9`");
    place.project("rev = \"v1\", folder = \"nowhere\"");
    place.wrong(&["fetch"], "is no library: it has no folder `nowhere/content`");
    place.folder.write("mine/rulepack.lock", b"[[library]]\ngit = 'a'\nrev = 'b'\ncommit = 'HEAD'\n");
    place.wrong(&["fetch"], "remove the file and run `rulepack fetch`");
}

#[test]
fn without_a_project_file_nothing_is_fetched() {
    let folder = Scratch::outside("fetch-none");
    let run = crate::support::rulepack(folder.path(), &["fetch"]);
    assert_eq!(run.code, 2, "{}", run.shown());
    assert!(run.stderr.contains("there is no `rulepack.toml`"), "{}", run.shown());
}
