//! The small games stay small: so many lines of definition at most, and no line is long but prose.

use std::path::{Path, PathBuf};

/// Games, and how many lines their definitions may take.
const MOST_LINES: [(&str, usize); 4] = [("reversi", 60), ("nine-mens-morris", 90), ("draughts", 80), ("hearts", 130)];
const MOST_COLUMNS: usize = 120;

/// All files of a pack, scenarios and scripts included.
fn files(pack: &str) -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut folders = vec![root.join("content").join(pack), root.join("scripts").join(pack)];
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten() {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// How many lines define the game: neither empty ones, comments, titles and texts, nor what only reports and
/// pictures read.
fn lines_of_definition(text: &str) -> usize {
    let reported = ["[rule.", "[component.", "[example.", "[look]", "[look."];
    let mut counts = true;
    let mut lines = 0;
    for line in text.lines().map(str::trim) {
        if line.starts_with('[') && line.ends_with(']') {
            counts = !reported.iter().any(|table| line.starts_with(table));
        }
        let key = line.split('=').next().unwrap_or_default().trim();
        let says_something = !line.is_empty() && !line.starts_with('#') && !line.starts_with("--");
        lines += usize::from(counts && says_something && !["title", "text"].contains(&key));
    }
    lines
}

#[test]
fn definitions_are_short() {
    for (pack, most) in MOST_LINES {
        let lines: usize = files(pack)
            .iter()
            .filter(|path| {
                !path.components().any(|part| ["scenarios", "locale"].map(AsRef::as_ref).contains(&part.as_os_str()))
            })
            .filter(|path| path.extension().is_some_and(|extension| extension == "toml" || extension == "lua"))
            .map(|path| lines_of_definition(&std::fs::read_to_string(path).expect("the file is text")))
            .sum();
        assert!(lines > 20, "{pack} has {lines} lines of definition: they are somewhere else");
        assert!(lines <= most, "{pack} has {lines} lines of definition, and {most} are the most");
    }
}

#[test]
fn no_line_is_long() {
    for (pack, _) in MOST_LINES {
        for path in files(pack) {
            let text = std::fs::read_to_string(&path).expect("the file is text");
            for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.starts_with("text =")) {
                let columns = line.chars().count();
                assert!(columns <= MOST_COLUMNS, "{}:{} has {columns} columns", path.display(), number + 1);
            }
        }
    }
}

#[test]
fn only_what_defines_the_game_is_counted() {
    let text = "# a comment\n[zone.board]\ntitle = \"Board\"\nlayout = \"pile\"\n\n[rule.A-1]\ntext = \"x\"\nshown = \"no: y\"\n[var.x]\n";
    assert_eq!(lines_of_definition(text), 3);
}
