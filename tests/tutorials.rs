//! The tutorials are followed to the letter: files are written as the pages say, commands are run, what they print is compared.

use std::path::Path;

use crate::book::{Block, blocks, docs, shell};
use crate::support::Scratch;

/// What a reader does.
#[derive(Debug, Default, PartialEq, Eq)]
struct Done {
    files: usize,
    commands: usize,
}

/// The path between the signs of code in a line such as "Write `PATH`:".
fn path_after<'l>(line: &'l str, before: &str, after: &str) -> Option<&'l str> {
    let rest = &line[line.rfind(before)? + before.len()..];
    rest.strip_suffix(after)
}

/// Whether lines are what is expected; `…` stands for any lines, or for any part of a line.
fn is_like(expected: &[&str], found: &[&str]) -> bool {
    let Some((first, rest)) = expected.split_first() else { return found.is_empty() };
    if first.trim() == "…" {
        return (0..=found.len()).any(|skipped| is_like(rest, &found[skipped..]));
    }
    found.split_first().is_some_and(|(line, others)| is_line_like(first, line) && is_like(rest, others))
}

fn is_line_like(expected: &str, found: &str) -> bool {
    let parts: Vec<&str> = expected.split('…').collect();
    let (first, last) = (parts[0], parts[parts.len() - 1]);
    if parts.len() == 1 {
        return first == found;
    }
    let Some(inner) = found.strip_prefix(first).and_then(|rest| rest.strip_suffix(last)) else { return false };
    let mut rest = inner;
    parts[1..parts.len() - 1].iter().all(|part| match rest.split_once(part) {
        Some((_, after)) => {
            rest = after;
            true
        }
        None => false,
    })
}

/// Runs the commands of a block, and compares what they print.
fn say(folder: &Path, block: &Block, done: &mut Done) {
    let mut parts: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in block.text.lines() {
        match (line.strip_prefix("$ "), parts.last_mut()) {
            (Some(call), _) => parts.push((call, Vec::new())),
            (None, Some((_, shown))) => shown.push(line),
            (None, None) => panic!("docs/{}:{}: a block begins with a command", block.page, block.line),
        }
    }
    for (call, shown) in parts {
        let (code, told, wrong) = shell(folder, call);
        let whole = format!("{told}{wrong}");
        let place = format!("docs/{}:{}: `{call}`", block.page, block.line);
        // What shows a mistake, a failure or something missing ends with 1.
        let is_wrong =
            shown.iter().any(|line| line.starts_with("error[") || line.starts_with("FAILED") || line.ends_with("2/3"));
        assert_eq!(code, i32::from(is_wrong), "{place} ends with {code}\n{whole}");
        let found: Vec<&str> = whole.lines().collect();
        assert!(
            is_like(&shown, &found),
            "{place} prints something else\n--- expected\n{}\n--- found\n{whole}",
            shown.join("\n")
        );
        done.commands += 1;
    }
}

/// Follows a page in a folder.
fn follow(folder: &Scratch, page: &str) -> Done {
    let text = std::fs::read_to_string(docs().join(page)).expect("the page is there");
    let mut done = Done::default();
    let mut replaced: Option<(String, String)> = None;
    for block in blocks(page, &text) {
        let place = format!("docs/{page}:{}", block.line);
        if block.language == "console" {
            say(folder.path(), &block, &mut done);
        } else if let Some(path) = path_after(&block.before, "Write `", "`:") {
            folder.write(path, block.text.as_bytes());
            done.files += 1;
        } else if let Some(path) = path_after(&block.before, "Add to `", "`:") {
            let text = format!("{}\n{}", folder.read(path), block.text);
            folder.write(path, text.as_bytes());
            done.files += 1;
        } else if let Some(path) = path_after(&block.before, "In `", "`, replace:") {
            replaced = Some((path.to_string(), block.text));
        } else if block.before == "by:" {
            let (path, old) = replaced.take().unwrap_or_else(|| panic!("{place}: what is replaced?"));
            let whole = folder.read(&path);
            assert_eq!(whole.matches(&old).count(), 1, "{place}: what is replaced stands once in {path}");
            folder.write(&path, whole.replace(&old, &block.text).as_bytes());
            done.files += 1;
        } else {
            panic!("{place}: the line above the block says neither `Write`, `Add to` nor `In …, replace`");
        }
    }
    done
}

/// The steps of a page that its text counts.
fn steps(page: &str) -> usize {
    let text = std::fs::read_to_string(docs().join(page)).expect("the page is there");
    let counted = text.lines().filter(|line| line.starts_with("## ")).count();
    assert!(text.contains(&format!(" {counted} steps")), "docs/{page} has {counted} steps, and says another number");
    counted
}

#[cfg(unix)]
#[test]
fn the_tutorials_lead_where_they_say() {
    let folder = Scratch::outside("tutorials");
    let game = follow(&folder, "tutorial/first-game.md");
    let card = follow(&folder, "tutorial/first-lua-card.md");
    let set = follow(&folder, "tutorial/first-expansion.md");
    assert_eq!(game, Done { files: 18, commands: 14 });
    assert_eq!(card, Done { files: 6, commands: 6 });
    assert_eq!(set, Done { files: 7, commands: 10 });
    let pages = ["tutorial/first-game.md", "tutorial/first-lua-card.md", "tutorial/first-expansion.md"];
    assert_eq!(pages.map(steps), [8, 3, 7]);
}

/// The expansion does not need the card in Lua, as its page says.
#[cfg(unix)]
#[test]
fn the_expansion_can_follow_the_game_at_once() {
    let folder = Scratch::outside("tutorials-short");
    follow(&folder, "tutorial/first-game.md");
    follow(&folder, "tutorial/first-expansion.md");
}

#[test]
fn what_is_printed_is_compared() {
    for (expected, found, is_so) in [
        (&["a", "…", "b"][..], &["a", "b"][..], true),
        (&["a", "…", "b"], &["a", "x", "y", "b"], true),
        (&["a", "…"], &["b"], false),
        (&["in … s, …"], &["in 3 s, 4"], true),
        (&["in … s"], &["in 3 m"], false),
        (&[], &["a"], false),
    ] {
        assert_eq!(is_like(expected, found), is_so, "{expected:?} {found:?}");
    }
}
