//! The checks on the scripts of this library, and on random text.

// Tests set up and look at files of their own.
#![allow(clippy::disallowed_methods)]

use std::fs;
use std::path::{Path, PathBuf};

use rulepack_model::Sources;

use crate::{Binding, GameNames, ScriptInput, analyse, mutations};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Path, pack, name and text of every shipped script.
pub(super) fn shipped() -> Vec<(String, String, String, String)> {
    let mut found = Vec::new();
    let folders = fs::read_dir(root().join("scripts")).expect("the library has scripts");
    let mut folders: Vec<PathBuf> = folders.map(|entry| entry.expect("it can be listed").path()).collect();
    folders.sort();
    for folder in folders {
        let pack = folder.file_name().expect("it has a name").to_string_lossy().into_owned();
        let mut files: Vec<PathBuf> =
            fs::read_dir(&folder).expect("it is a folder").flatten().map(|e| e.path()).collect();
        files.sort();
        for file in files.into_iter().filter(|file| file.extension().is_some_and(|end| end == "lua")) {
            let stem = file.file_stem().expect("it has a name").to_string_lossy().into_owned();
            let name = if pack == "lib" { format!("lib.{stem}") } else { stem };
            let text = fs::read_to_string(&file).expect("it can be read");
            found.push((file.to_string_lossy().into_owned(), pack.clone(), name, text));
        }
    }
    found
}

#[test]
fn nothing_is_wrong_with_them() {
    let shipped = shipped();
    let mut sources = Sources::default();
    let scripts: Vec<ScriptInput<'_>> = shipped
        .iter()
        .map(|(path, pack, name, text)| ScriptInput { file: sources.add(path, text), path, pack, name, text })
        .collect();
    let data: String = tomls(&root().join("content")).concat();
    // As a definition binds them: `file.function` in some file of data.
    let mut bindings = Vec::new();
    for (_, pack, name, text) in &shipped {
        for word in text.split(|letter: char| !letter.is_alphanumeric() && letter != '_') {
            let bound = format!("{name}.{word}");
            if data.contains(&bound) {
                bindings.push(Binding { pack: pack.clone(), name: bound, query: false });
            }
        }
    }
    assert!(bindings.len() >= 2);
    let found = analyse(&scripts, &bindings, &GameNames::default());
    assert!(found.is_empty(), "{found:#?}");
}

fn tomls(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    entries
        .flat_map(|path| if path.is_dir() { tomls(&path) } else { fs::read_to_string(&path).into_iter().collect() })
        .collect()
}

fn found(text: &str) -> Vec<rulepack_model::Diagnostic> {
    let file = Sources::default().add("a.lua", text);
    let bindings = [Binding { pack: "harbor".into(), name: "a.sail".into(), query: false }];
    analyse(&[ScriptInput { file, path: "a.lua", pack: "harbor", name: "a", text }], &bindings, &GameNames::default())
}

#[test]
fn no_beginning_of_a_script_is_too_short() {
    for (.., text) in shipped() {
        for (end, _) in text.char_indices().chain([(text.len(), ' ')]) {
            for mistake in found(&text[..end]) {
                let span = mistake.labels[0].span;
                assert!(span.start as usize <= end && span.end as usize <= end, "{mistake:?}");
            }
            mutations(&text[..end]);
        }
    }
}

#[test]
fn no_gap_in_a_script_is_too_wide() {
    for (.., text) in shipped() {
        let ends: Vec<usize> = text.match_indices(|letter: char| !letter.is_alphanumeric()).map(|(at, _)| at).collect();
        for pair in ends.windows(2) {
            found(&format!("{}{}", &text[..pair[0]], &text[pair[1]..]));
        }
    }
}

#[test]
fn no_nesting_is_too_deep() {
    for (open, close) in [("(", ")"), ("{", "}"), ("not ", ""), ("-", ""), ("a .. ", ""), ("a[", "]"), ("f(", ")")] {
        let text = format!("return {}1{}", open.repeat(5_000), close.repeat(5_000));
        found(&text);
        mutations(&text);
    }
    for part in
        ["do ", "if a then ", "function f() ", "repeat ", "for i = 1, 2 do ", "elseif a then ", "if a then else "]
    {
        found(&part.repeat(2_000));
    }
    found(&format!("return a{}", ".b".repeat(5_000)));
    found(&format!("return a{}", "()".repeat(5_000)));
    found(&format!("return 1{}", " + 1".repeat(5_000)));
    found(&format!("a = 1 {}", "a = a ".repeat(5_000)));
}

#[test]
fn no_chain_of_names_is_too_long() {
    let doubled: String = (1..200).map(|n| format!("local a{n} = a{0} or a{0}\n", n - 1)).collect();
    found(&format!("local a0 = f()\n{doubled}return {{ a = a199.b }}"));
}

#[test]
fn the_same_is_found_twice() {
    let text = "local a, b = {}, 1\nfunction a.sail(c)\n c:gian() x = 1 y = 2 for k in pairs(a) do c:flip(k) end b = 2 c:put() \nend\nreturn a";
    let first = found(text);
    assert!(first.len() >= 6, "{first:#?}");
    for _ in 0..5 {
        assert_eq!(found(text), first);
    }
}
