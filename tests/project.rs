//! The project file `rulepack.toml`: what a call means that says nothing itself.

use crate::support::{Run, Scratch, fixture, rulepack, snapshot};

/// A folder outside the repository with the fixture `tiny` as the library `base`, and a set of cards as `mine`.
fn project(name: &str, file: &str) -> Scratch {
    let folder = Scratch::outside(name);
    folder.take("tests/fixtures/tiny", "base");
    folder.write(
        "mine/content/fair/pack.toml",
        b"[pack]\nid = 'fair'\nversion = '0.1.0'\ntitle = 'A fair'\nkind = 'expansion'\n[needs]\ntiny = '^1.0'\n\
          [var.unused]\n",
    );
    folder.write("rulepack.toml", file.as_bytes());
    folder
}

#[track_caller]
fn well(folder: &std::path::Path, arguments: &[&str]) -> Run {
    let run = rulepack(folder, arguments);
    assert_eq!(run.code, 0, "`rulepack {}`\n{}", arguments.join(" "), run.shown());
    run
}

#[test]
fn the_file_is_found_from_every_folder_below_and_names_libraries_pack_and_language() {
    let file = "libraries = ['base', './mine/.']\npack = 'tiny'\nlanguage = 'fr'\n[bots]\nsim = 'mcts:20'\n";
    let folder = project("project-found", file);
    for below in ["", "base", "mine", "mine/content/fair", "base/content/tiny/locale"] {
        let here = folder.path().join(below);
        let list = well(&here, &["list"]).stdout;
        assert!(list.contains("fair 0.1.0") && list.contains("tiny 1.0.0"), "in `{below}`: {list}");
        let table = well(&here, &["play", "--seed", "1", "--bots", "random"]).stdout;
        assert!(table.contains("Joueur 1"), "in `{below}`: {table}");
    }
    let digest = |arguments: &[&str]| well(folder.path(), arguments).json()["digest"].clone();
    let sim = ["sim", "--games", "3", "--format", "json"];
    let searching = digest(&sim);
    assert_eq!(searching, digest(&["sim", "tiny", "--games", "3", "--bots", "mcts:20", "--format", "json"]));
    // Flags win.
    assert_ne!(searching, digest(&[&sim[..], &["--bots", "random"]].concat()));
    let english = well(folder.path(), &["play", "--seed", "1", "--bots", "random", "--locale", "en"]).stdout;
    assert!(english.contains("Player 1"), "{english}");
    let list = well(folder.path(), &["--library", "base", "list"]).stdout;
    assert!(!list.contains("fair"), "{list}");
    assert!(well(folder.path(), &["sim", "--help"]).stdout.contains("[default: mcts:20]"));
}

#[test]
fn codes_are_allowed_and_denied_and_flags_win() {
    let check = |folder: &Scratch, more: &[&str]| {
        let arguments = [&["check", "fair", "--playouts", "0", "--format", "json"][..], more].concat();
        let run = rulepack(folder.path(), &arguments);
        (run.code, run.json()["warnings"].as_u64().expect("there is a number"))
    };
    let libraries = "libraries = ['base', 'mine']\n";
    let silent = project("project-silent", libraries);
    assert_eq!(check(&silent, &[]), (0, 1));
    let strict = project("project-strict", &format!("{libraries}[check]\ndeny = ['warnings']\n"));
    assert_eq!(check(&strict, &[]), (1, 1));
    assert_eq!(check(&strict, &["--allow", "unused-name"]), (0, 0));
    let named = project("project-named", &format!("{libraries}check = {{ deny = ['unused-name'] }}\n"));
    assert_eq!(check(&named, &[]), (1, 1));
    assert_eq!(check(&named, &["--allow", "unused-name"]), (0, 0));
    let mild = project("project-mild", &format!("{libraries}[check]\nallow = ['unused-name']\n"));
    assert_eq!(check(&mild, &[]), (0, 0));
    assert_eq!(check(&mild, &["--deny", "unused-name"]), (1, 1));
}

/// Somebody who stands in a library gets this library, and not one of a project that does not know it.
#[test]
fn a_library_that_the_project_does_not_name_stands_for_itself() {
    let folder = project("project-alone", "libraries = ['mine']\npack = 'fair'\n");
    let list = well(&folder.path().join("base/content/tiny"), &["list"]).stdout;
    assert!(list.contains("tiny 1.0.0") && !list.contains("fair 0.1.0"), "{list}");
    // Without any project file the nearest library is taken.
    std::fs::remove_file(folder.path().join("rulepack.toml")).expect("it is there");
    let list = well(&folder.path().join("mine/content/fair"), &["list"]).stdout;
    assert!(list.contains("fair 0.1.0") && !list.contains("tiny 1.0.0"), "{list}");
    // A folder that lies in none is no library.
    let run = rulepack(folder.path(), &["list"]);
    assert_eq!(run.code, 2, "{}", run.shown());
    assert!(run.stderr.contains("`.` is not a library"), "{}", run.shown());
}

#[test]
fn a_file_without_libraries_means_its_own_folder() {
    let folder = Scratch::outside("project-own");
    folder.take("tests/fixtures/tiny", ".");
    folder.write("rulepack.toml", b"pack = 'tiny'\n");
    let explained = well(&folder.path().join("scripts"), &["sim", "--games", "1"]).stdout;
    assert!(explained.starts_with("tiny, "), "{explained}");
}

/// Every mistake has its place and says what to write instead.
#[test]
fn mistakes_in_the_file() {
    let file = "\
libraries = ['base', 'nowhere', 'mine/content', 3]
libary    = ['base']
pack      = 1
language  = 'Schwyzerdütsch!'
limits    = { steps = 1000000 }
[bots]
play  = 'mtcs'
sim   = '2=random'
arena = 'mcts'
serve = 'random'
[check]
allow = ['unused-nam', 'warnings']
deny  = 'warnings'
forbid = []
";
    let folder = project("project-mistakes", file);
    let run = rulepack(folder.path(), &["check"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    snapshot("bad_input", "project_file", &run.shown());
    // What needs no library works nevertheless.
    well(folder.path(), &["explain", "unknown-key"]);
    well(folder.path(), &["--help"]);
}

#[test]
fn more_mistakes_in_the_file() {
    let mut told = String::new();
    let files = [
        "pack = 'tinny'\nlibraries = ['base']\n",
        "libraries = []\n",
        "libraries = 'base'\nbots = 'random'\ncheck = ['warnings']\n",
        "pack = ''\nlibraries = ['base'\n",
        "[limit]\nsteps = 5\n",
    ];
    for file in files {
        let folder = project("project-more", file);
        let run = rulepack(&folder.path().join("base/content"), &["list"]);
        assert_eq!(run.code, 1, "{file}\n{}", run.shown());
        told.push_str(&format!("{file}---\n{}\n", run.shown()));
    }
    snapshot("bad_input", "project_file_more", &told);
}

/// The file is found by itself, so that it must not be able to raise a limit.
#[test]
fn the_file_sets_no_limits() {
    let folder = project("project-limits", "libraries = ['base']\nlimits = 'limits.toml'\n");
    folder.write("limits.toml", b"steps = 4000000000\n");
    let run = rulepack(folder.path(), &["sim", "tiny", "--games", "1"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    assert!(run.stderr.contains("rulepack.toml:2:1"), "{}", run.shown());
    assert!(run.stderr.contains("`--limit NAME=N` or `--limits FILE`"), "{}", run.shown());
}

/// The example of docs/project.md is taken as it stands, in a project that has these folders.
#[test]
fn the_example_of_the_documentation_is_sound() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/project.md")).expect("it is there");
    let (_, rest) = page.split_once("```toml\n").expect("the page has an example");
    let (example, _) = rest.split_once("```").expect("the example ends");
    let folder = Scratch::outside("project-docs");
    folder.take("tests/fixtures/tiny", "my-cards/base");
    folder.write(
        "my-cards/cards/content/my-game/pack.toml",
        b"[pack]\nid = 'my-game'\nversion = '0.1.0'\ntitle = 'Mine'\n",
    );
    folder.write("my-cards/cards/rulepack.toml", example.as_bytes());
    let run = rulepack(&folder.path().join("my-cards/cards"), &["list"]);
    assert!(!run.stderr.contains("rulepack.toml"), "{}", run.shown());
    assert!(run.stdout.contains("tiny"), "{}", run.shown());
    assert!(fixture("tiny").is_dir());
}
