//! Commands that change the files of a pack: `fmt`, `fix` and `table`.

use std::path::Path;

use rulepack::{Library, LinkRequest};

use crate::support::{Scratch, files, fixture, rulepack};

/// What every definition of a pack means.
fn meaning(folder: &Path, pack: &str) -> Vec<(String, String)> {
    let library = Library::open(&[folder]).expect("the library is there");
    let request = LinkRequest { pack: pack.into(), ..LinkRequest::default() };
    let game = library.load(&request).unwrap_or_else(|mistakes| panic!("{pack}: {mistakes:#?}"));
    game.rules().meaning.definitions.clone().into_iter().collect()
}

/// A copy of the shipped packs.
fn shipped(name: &str) -> Scratch {
    let scratch = Scratch::new(name);
    let top = Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in ["content", "scripts"] {
        for (path, bytes) in files(&top.join(folder)) {
            let path = path.strip_prefix(top).expect("it lies below");
            scratch.write(&path.to_string_lossy(), &bytes);
        }
    }
    scratch
}

#[test]
fn the_shipped_packs_are_formatted() {
    let run = rulepack(Path::new(env!("CARGO_MANIFEST_DIR")), &["fmt", "--check"]);
    assert_eq!(run.code, 0, "{}", run.shown());
}

/// Whatever spaces a file has, formatting changes no rule, and the second time nothing.
#[test]
fn formatting_changes_spaces_only() {
    let scratch = Scratch::copy_of("tiny", "fmt");
    let before = meaning(scratch.path(), "tiny");
    let path = "content/tiny/pack.toml";
    let text = scratch.read(path);
    let spoilt: String = text.lines().map(|line| line.replacen(" = ", "  =   ", 1) + "  \n\n\n").collect();
    // Lines inside long texts are left as they are, so these stay out.
    let spoilt = if text.contains("\"\"\"") { text.replace(" = ", "=") } else { spoilt };
    scratch.write(path, spoilt.as_bytes());
    let check = rulepack(scratch.path(), &["fmt", "tiny", "--check"]);
    assert_eq!(check.code, 1, "{}", check.shown());
    assert!(check.stdout.contains(path), "{}", check.shown());
    assert_eq!(scratch.read(path), spoilt, "`--check` writes");
    let run = rulepack(scratch.path(), &["fmt", "tiny"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let formatted = scratch.read(path);
    assert_ne!(formatted, spoilt);
    assert_eq!(meaning(scratch.path(), "tiny"), before);
    assert_eq!(rulepack(scratch.path(), &["fmt", "tiny", "--check"]).code, 0);
}

#[test]
fn a_file_that_is_not_toml_stays() {
    let scratch = Scratch::copy_of("tiny", "fmt-broken");
    scratch.write("content/tiny/more.toml", b"[card.inn\ntitle=1\n");
    let run = rulepack(scratch.path(), &["fmt", "tiny"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    assert!(run.stderr.contains("more.toml`: it is not TOML: line "), "{}", run.shown());
    assert_eq!(scratch.read("content/tiny/more.toml"), "[card.inn\ntitle=1\n");
}

/// Known warnings are known after formatting: spaces do not count.
#[test]
fn formatting_breaks_no_baseline() {
    let scratch = Scratch::copy_of("bad/unused_variable", "fmt-baseline");
    let path = "content/inn/pack.toml";
    let text = scratch.read(path);
    let spoilt: String = text.lines().map(|line| line.replace("[var.", "[ var . ") + "\n").collect();
    assert_ne!(spoilt, text, "the warning stands at a variable");
    scratch.write(path, spoilt.as_bytes());
    let call = ["check", "inn", "--baseline", "known.json"];
    let written = rulepack(scratch.path(), &[&call[..], &["--write-baseline"]].concat());
    assert_eq!(written.code, 0, "{}", written.shown());
    assert_eq!(rulepack(scratch.path(), &["fmt", "inn"]).code, 0);
    assert_ne!(scratch.read(path), spoilt);
    let after = rulepack(scratch.path(), &[&call[..], &["--deny", "warnings"]].concat());
    assert_eq!(after.code, 0, "{}", after.shown());
}

/// Every kind of every shipped pack, out and in again: not one byte changes.
#[test]
fn a_table_that_nobody_edited_changes_nothing() {
    let scratch = shipped("table-same");
    let before = files(scratch.path());
    for (pack, kind) in
        [("settlement", "kind.hero"), ("catan-duel", "building"), ("night-garden", "helper"), ("skara-brae", "tile")]
    {
        let out = rulepack(scratch.path(), &["table", pack, kind]);
        assert_eq!(out.code, 0, "{}", out.shown());
        assert!(out.stdout.starts_with("kind,id,file,"), "{}", out.shown());
        let folder = Scratch::new(&format!("table-{pack}"));
        folder.write("table.csv", out.stdout.as_bytes());
        let path = folder.path().join("table.csv").to_string_lossy().into_owned();
        let back = rulepack(scratch.path(), &["table", pack, "--import", &path, "--write"]);
        assert_eq!(back.code, 0, "{}", back.shown());
        assert!(back.stderr.contains("nothing changes"), "{}", back.shown());
    }
    assert!(files(scratch.path()) == before, "a file has changed");
}

#[test]
fn an_edited_cell_changes_its_field() {
    let scratch = Scratch::copy_of("tiny", "table-edit");
    let path = "content/tiny/pack.toml";
    let before = scratch.read(path);
    let out = rulepack(scratch.path(), &["table", "tiny", "kind.stall", "--out", "table.csv"]);
    assert_eq!(out.code, 0, "{}", out.shown());
    assert_eq!(rulepack(scratch.path(), &["table", "tiny", "stall", "--out", "table.csv"]).code, 2, "it is there");
    let table = scratch.read("table.csv");
    let row = table.lines().nth(1).expect("there is a stall").to_string();
    let mut cells: Vec<&str> = row.split(',').collect();
    let title = table.lines().next().and_then(|head| head.split(',').position(|name| name == "title"));
    let title = title.expect("stalls have titles");
    let old = cells[title];
    cells[title] = "Another name";
    scratch.write("table.csv", table.replacen(&row, &cells.join(","), 1).as_bytes());
    let shown = rulepack(scratch.path(), &["table", "tiny", "--import", "table.csv"]);
    assert!(shown.stdout.contains("Another name") && scratch.read(path) == before, "{}", shown.shown());
    let run = rulepack(scratch.path(), &["table", "tiny", "--import", "table.csv", "--write"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    assert_eq!(scratch.read(path), before.replacen(&format!("\"{old}\""), "\"Another name\"", 1));
    scratch.write("table.csv", b"kind,id,title\nstall,nowhere,x\n");
    let wrong = rulepack(scratch.path(), &["table", "tiny", "--import", "table.csv", "--write"]);
    assert_eq!(wrong.code, 1, "{}", wrong.shown());
    assert!(wrong.stderr.contains("table.csv:2: the pack has no `stall.nowhere`"), "{}", wrong.shown());
}

/// Slips that have one correction are corrected, shown first, written only when asked.
#[test]
fn fix_corrects_slips() {
    for (name, was, now) in [
        ("bad/zone_with_unknown_key", "capasity", "capacity"),
        ("bad/single_equals", " = ", " == "),
        ("bad/unknown_function", "", ""),
    ] {
        let scratch = Scratch::copy_of(name, "fix");
        let path = "content/inn/pack.toml";
        let before = scratch.read(path);
        let shown = rulepack(scratch.path(), &["fix", "inn"]);
        assert_eq!(shown.code, 1, "{name}: {}", shown.shown());
        assert_eq!(scratch.read(path), before, "{name}: it writes without being asked");
        let run = rulepack(scratch.path(), &["fix", "inn", "--write"]);
        if was.is_empty() {
            continue;
        }
        assert_eq!(run.code, 0, "{name}: {}", run.shown());
        let after = scratch.read(path);
        assert!(after != before && after.contains(now), "{name}: {}", run.shown());
        assert_eq!(rulepack(scratch.path(), &["check", "inn", "--playouts", "0"]).code, 0, "{name}");
    }
}

/// A mistake without a cure is left, and so is the file.
#[test]
fn fix_leaves_what_must_be_decided() {
    let scratch = Scratch::copy_of("bad/type_without_attribute", "fix-none");
    let before = files(scratch.path());
    let run = rulepack(scratch.path(), &["fix", "inn", "--write"]);
    assert_eq!(run.code, 1, "{}", run.shown());
    assert!(run.stderr.contains("no cure"), "{}", run.shown());
    assert!(files(scratch.path()) == before);
    assert_eq!(rulepack(&fixture("tiny"), &["fix", "tiny"]).code, 0);
}
