//! The documentation: every page stands in the table of contents, every link leads somewhere, and every block is run.
//!
//! The comment above a block says how it is run:
//!
//! | `<!-- … -->` | the block |
//! |---|---|
//! | `with CONTEXT` | definitions: they replace those of the same names in a pack of `tests/fixtures/book/CONTEXT`, which is checked |
//! | `with CONTEXT + PACK` | the same, with a further pack |
//! | `in CONTEXT as PATH: CALL` | a file: it is written (or put in the place of `BLOCK`), and the call must succeed |
//! | `run in CONTEXT` | calls of a shell; `nothing` is an empty folder, `new PACK` a new game |
//! | `shape of CALL in CONTEXT` | JSON with the keys that the call prints |
//! | `conversation` | JSON that `serve --stdio` reads and says |
//! | `stands in PATH` | a part of a file there, which other tests play |
//! | `not run: REASON` | nothing |
//!
//! Blocks of `docs/tutorial` are followed by `tutorials.rs`, those of `docs/lua.md` are run by `lua_api.rs`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::support::{Scratch, files, rulepack, rulepack_told};

/// So many blocks are not run; each has its reason. Whoever adds one changes this number.
const NOT_RUN: usize = 35;

pub fn docs() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("docs")
}

/// A block between fences.
pub struct Block {
    pub page: String,
    pub line: usize,
    pub language: String,
    /// The comment above it.
    pub marker: String,
    /// The last line of text above it.
    pub before: String,
    pub text: String,
}

/// The pages by path below `docs`, but not the table of contents.
pub fn pages() -> Vec<(String, String)> {
    let all = files(&docs()).into_iter().filter(|(path, _)| path.extension().is_some_and(|end| end == "md"));
    let named = all.map(|(path, bytes)| {
        let name = path.strip_prefix(docs()).expect("it lies below").to_string_lossy().replace('\\', "/");
        (name, String::from_utf8(bytes).expect("a page is text"))
    });
    named.filter(|(name, _)| name != "SUMMARY.md").collect()
}

/// All blocks of a page.
pub fn blocks(page: &str, text: &str) -> Vec<Block> {
    let mut all = Vec::new();
    let (mut marker, mut before) = (String::new(), String::new());
    let mut lines = (1..).zip(text.lines());
    while let Some((line, words)) = lines.next() {
        let bare = words.trim();
        if let Some(language) = bare.strip_prefix("```") {
            let inner: Vec<&str> =
                lines.by_ref().map(|(_, words)| words).take_while(|words| !words.trim().starts_with("```")).collect();
            all.push(Block {
                page: page.to_string(),
                line,
                language: language.to_string(),
                marker: std::mem::take(&mut marker),
                before: before.clone(),
                text: inner.join("\n") + "\n",
            });
        } else if let Some(comment) = bare.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->")) {
            marker = comment.to_string();
        } else if !bare.is_empty() {
            marker.clear();
            before = bare.to_string();
        }
    }
    all
}

fn all_blocks() -> Vec<Block> {
    pages().iter().flat_map(|(page, text)| blocks(page, text)).collect()
}

impl Block {
    fn place(&self) -> String {
        format!("docs/{}:{}", self.page, self.line)
    }

    /// Whether another test runs the whole page.
    fn is_of_another_test(&self) -> bool {
        self.page.starts_with("tutorial/") || self.page == "lua.md" && self.language == "lua"
    }
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let contents = std::fs::read_to_string(docs().join("SUMMARY.md")).expect("docs/SUMMARY.md is there");
    let linked: Vec<&str> = contents.split("](").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    let missing: Vec<String> = pages()
        .into_iter()
        .filter(|(page, _)| !linked.contains(&page.as_str()))
        .map(|(page, text)| format!("- [{}]({page})", text.lines().next().unwrap_or("").trim_start_matches("# ")))
        .collect();
    assert!(missing.is_empty(), "docs/SUMMARY.md lacks these pages; add these lines:\n{}", missing.join("\n"));
    for page in &linked {
        assert!(docs().join(page).is_file(), "docs/SUMMARY.md names `{page}`, which is not there");
        assert_eq!(linked.iter().filter(|other| *other == page).count(), 1, "docs/SUMMARY.md names `{page}` twice");
    }
}

/// The mark of a heading, as GitHub and mdBook make it.
fn mark(heading: &str) -> String {
    let kept = heading.trim().to_lowercase();
    let kept = kept.chars().filter(|letter| letter.is_alphanumeric() || " -_".contains(*letter));
    kept.map(|letter| if letter == ' ' { '-' } else { letter }).collect()
}

#[test]
fn every_link_leads_somewhere() {
    let mut wrong = Vec::new();
    let readme = std::fs::read_to_string(docs().join("../README.md")).expect("it is there");
    let all = pages().into_iter().chain([("../README.md".to_string(), readme)]);
    for (page, text) in all {
        let outside = text.split("```").step_by(2).collect::<Vec<_>>().join("");
        for link in outside.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            if link.contains("://") || link.is_empty() {
                continue;
            }
            let (path, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match path {
                "" => docs().join(&page),
                path => docs().join(&page).parent().expect("it is a file").join(path),
            };
            if !target.exists() {
                wrong.push(format!("docs/{page}: `{link}`: there is no such file"));
            } else if !anchor.is_empty() {
                let text = std::fs::read_to_string(&target).expect("it is text");
                let headings = text.lines().filter(|line| line.starts_with('#'));
                let marks: Vec<String> = headings.map(|line| mark(line.trim_start_matches('#'))).collect();
                if !marks.iter().any(|mark| mark == anchor) {
                    wrong.push(format!("docs/{page}: `{link}`: no heading has this mark"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A block that nothing runs has a reason, and there are no more of them than are known.
#[test]
fn every_block_is_run_or_says_why_not() {
    let known = ["with ", "in ", "run in ", "shape of ", "stands in ", "not run: "];
    let mut not_run = Vec::new();
    for block in all_blocks() {
        if block.is_of_another_test() {
            continue;
        }
        let has = block.marker == "conversation" || known.iter().any(|word| block.marker.starts_with(word));
        assert!(has, "{}: no comment above the block says how it is run: see tests/book.rs", block.place());
        if let Some(reason) = block.marker.strip_prefix("not run:") {
            assert!(reason.trim().len() > 5, "{}: why is it not run?", block.place());
            not_run.push(block.place());
        }
    }
    assert_eq!(not_run.len(), NOT_RUN, "blocks that are not run:\n{}", not_run.join("\n"));
}

/// A copy of a context, and the folder in it in which calls are made.
fn context(name: &str, test: &str) -> (Scratch, PathBuf) {
    let folder = Scratch::outside(test);
    if name == "nothing" {
        let path = folder.path().to_path_buf();
        return (folder, path);
    }
    if let Some(pack) = name.strip_prefix("new ") {
        let run = rulepack(folder.path(), &["new", "game", pack]);
        assert_eq!(run.code, 0, "{}", run.shown());
        let path = folder.path().to_path_buf();
        return (folder, path);
    }
    let (first, below) = name.split_once('/').unwrap_or((name, ""));
    let own = format!("tests/fixtures/book/{first}");
    let (from, below) = match docs().join("..").join(&own).is_dir() {
        true => (own, below),
        false => (format!("tests/fixtures/{name}"), ""),
    };
    folder.take(&from, ".");
    let path = folder.path().join(below);
    assert!(path.is_dir(), "there is no context `{name}`");
    (folder, path)
}

/// A call of a shell in a folder, with the program on its path: the exit code and all that was said.
pub fn shell(folder: &Path, call: &str) -> (i32, String, String) {
    let program = Path::new(env!("CARGO_BIN_EXE_rulepack")).parent().expect("it lies in a folder");
    let path = std::env::var("PATH").unwrap_or_default();
    let run = Command::new("sh")
        .args(["-c", call])
        .current_dir(folder)
        .env("PATH", format!("{}:{path}", program.display()))
        .env("NO_COLOR", "1")
        .env("LC_ALL", "C")
        .env("COLUMNS", "100")
        .stdin(std::process::Stdio::null())
        .output()
        .expect("a shell is there");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (run.status.code().unwrap_or(-1), text(&run.stdout), text(&run.stderr))
}

/// Runs all blocks whose marker begins with a word, and says which fail.
#[track_caller]
fn run_all(word: &str, least: usize, run: impl Fn(&Block, &str) -> Result<(), String>) {
    let all = all_blocks();
    let marked: Vec<(&Block, &str)> =
        all.iter().filter_map(|block| Some((block, block.marker.strip_prefix(word)?))).collect();
    assert!(marked.len() >= least, "{} blocks are marked `{word}`", marked.len());
    let wrong: Vec<String> = marked
        .iter()
        .filter_map(|(block, rest)| run(block, rest).err().map(|why| format!("{}: {why}", block.place())))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Two words of each header: `kind.card` for `[kind.card.attributes]`.
fn header(line: &str) -> Option<String> {
    let inner = line.strip_prefix('[')?.trim_start_matches('[');
    let inner = inner.split(']').next()?;
    Some(inner.split('.').take(2).collect::<Vec<_>>().join("."))
}

/// A text of TOML without the definitions that another one has.
fn without(text: &str, headers: &BTreeSet<String>) -> String {
    let mut keeps = true;
    let mut out = String::new();
    for line in text.lines() {
        if let Some(header) = header(line) {
            keeps = !headers.contains(&header);
        }
        if keeps {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

#[cfg(unix)]
#[test]
fn definitions_are_linked_and_played() {
    run_all("with ", 15, |block, rest| {
        let (name, with) = rest.split_once(" + ").unwrap_or((rest, ""));
        let (folder, _) = context(name, &format!("book-with-{}", block.line));
        let is_manifest = block.text.lines().any(|line| line == "[pack]");
        let id = block.text.lines().filter_map(|line| line.strip_prefix("id ")).next();
        let id = id.filter(|_| is_manifest).and_then(|rest| rest.split('"').nth(1)).unwrap_or("harbor");
        let context = format!("content/{id}/context.toml");
        if folder.path().join(&context).is_file() {
            let headers: BTreeSet<String> = block.text.lines().filter_map(header).collect();
            let rest = without(&folder.read(&context), &headers);
            folder.write(&context, rest.as_bytes());
        }
        let path = format!("content/{id}/{}", if is_manifest { "pack.toml" } else { "block.toml" });
        folder.write(&path, block.text.as_bytes());
        let mut call = vec!["check", id, "--playouts", "2"];
        if !with.is_empty() {
            call.extend(["--with", with]);
        }
        let run = rulepack(folder.path(), &call);
        if run.code == 0 { Ok(()) } else { Err(run.shown()) }
    });
}

#[cfg(unix)]
#[test]
fn files_are_written_and_read() {
    run_all("in ", 6, |block, rest| {
        let (name, rest) = rest.split_once(" as ").ok_or("write `in CONTEXT as PATH: CALL`")?;
        let (path, call) = rest.split_once(": ").ok_or("write `in CONTEXT as PATH: CALL`")?;
        let (_folder, here) = context(name, &format!("book-in-{}", block.line));
        let target = here.join(path);
        let old = std::fs::read_to_string(&target).unwrap_or_default();
        let place = ["# BLOCK\n", "-- BLOCK\n"].into_iter().find(|place| old.contains(place));
        let new = place.map_or(format!("{old}{}", block.text), |place| old.replace(place, &block.text));
        std::fs::create_dir_all(target.parent().expect("it is a file")).expect("it can be made");
        std::fs::write(&target, new).expect("it can be written");
        let (code, told, wrong) = shell(&here, call);
        if code == 0 { Ok(()) } else { Err(format!("`{call}` ends with {code}\n{told}{wrong}")) }
    });
}

#[cfg(unix)]
#[test]
fn calls_are_made() {
    run_all("run in ", 6, |block, name| {
        let (_folder, here) = context(name, &format!("book-run-{}", block.line));
        for call in block.text.lines().filter(|line| !line.trim().is_empty()) {
            let (code, told, wrong) = shell(&here, call);
            if code != 0 {
                return Err(format!("`{call}` ends with {code}\n{told}{wrong}"));
            }
        }
        Ok(())
    });
}

fn words(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with("// ANCHOR"));
    lines.flat_map(str::split_whitespace).collect::<Vec<_>>().join(" ")
}

#[test]
fn quotations_stand_where_they_come_from() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    run_all("stands in ", 20, |block, path| {
        let found = files(&root.join(path))
            .into_values()
            .any(|bytes| String::from_utf8(bytes).is_ok_and(|text| words(&text).contains(&words(&block.text))));
        if found { Ok(()) } else { Err(format!("no file below {path} has this:\n{}", block.text)) }
    });
}

/// Whether a shown value has the form of a true one: the same keys, and values of the same sort; `…` stands for anything.
fn same_form(shown: &Value, real: &Value, at: &str) -> Result<(), String> {
    match (shown, real) {
        (Value::String(text), _) if text == "…" => Ok(()),
        (Value::Object(shown), Value::Object(real)) => shown.iter().try_for_each(|(key, value)| {
            let found = real.get(key).ok_or_else(|| format!("nothing has the key `{at}.{key}`"))?;
            same_form(value, found, &format!("{at}.{key}"))
        }),
        (Value::Array(shown), Value::Array(real)) => shown.iter().try_for_each(|value| {
            let fits = real.is_empty() || real.iter().any(|real| same_form(value, real, at).is_ok());
            if fits { Ok(()) } else { Err(format!("nothing in the list `{at}` is like {value}")) }
        }),
        (shown, real) if std::mem::discriminant(shown) == std::mem::discriminant(real) => Ok(()),
        (Value::Null, _) | (_, Value::Null) => Ok(()),
        (shown, real) => Err(format!("`{at}` is {real}, and not like {shown}")),
    }
}

#[cfg(unix)]
#[test]
fn reports_have_the_keys_that_are_shown() {
    run_all("shape of ", 2, |block, rest| {
        let (call, name) = rest.rsplit_once(" in ").ok_or("write `shape of CALL in CONTEXT`")?;
        let (_folder, here) = context(name, &format!("book-shape-{}", block.line));
        let (_, told, wrong) = shell(&here, call);
        let real: Value = serde_json::from_str(&told).map_err(|error| format!("{error}: {told}{wrong}"))?;
        let shown: Value = serde_json::from_str(&block.text).map_err(|error| error.to_string())?;
        same_form(&shown, &real, "")?;
        let missing: Vec<&String> =
            real.as_object().into_iter().flatten().map(|(key, _)| key).filter(|key| shown.get(key).is_none()).collect();
        if missing.is_empty() { Ok(()) } else { Err(format!("not shown: {missing:?}")) }
    });
}

/// The requests of the page are sent, one table after the other, and the replies have the form that is shown.
#[test]
fn the_conversation_is_held() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let all = all_blocks();
    let lines = all.iter().filter(|block| block.marker == "conversation").map(|block| (block, block.text.trim()));
    let (mut requests, mut shown) = (Vec::new(), Vec::new());
    for (block, line) in lines {
        let value: Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{}: {error}", block.place()));
        if value.get("method").is_some() { requests.push(line) } else { shown.push((block.place(), value)) }
    }
    assert!(requests.len() >= 2 && shown.len() >= 3);
    let told = rulepack_told(root, &["serve", "--stdio"], &(requests.join("\n") + "\n"));
    let replies: Vec<Value> =
        told.stdout.lines().map(|line| serde_json::from_str(line).expect("a reply is JSON")).collect();
    for (place, value) in &shown {
        let same_id = |reply: &&Value| reply["id"] == value["id"];
        let Some(reply) = replies.iter().find(same_id) else { panic!("{place}: no reply has this id: {replies:#?}") };
        same_form(value, reply, "").unwrap_or_else(|why| panic!("{place}: {why}\n{reply}"));
    }
}
