//! The reference is complete: every key that is read, every word of the grammar and every function stands in the pages, and the
//! pages name no others.

use std::collections::BTreeSet;
use std::path::Path;

use crate::book::{docs, pages};
use crate::support::files;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).expect("it is there")
}

/// The words of a text.
fn words(text: &str) -> BTreeSet<String> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').map(str::to_string).collect()
}

/// The words between signs of code and in blocks.
fn code_words(text: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for (index, part) in text.split("```").enumerate() {
        match index % 2 {
            1 => all.append(&mut words(part)),
            _ => part.split('`').skip(1).step_by(2).for_each(|code| all.append(&mut words(code))),
        }
    }
    all
}

/// The keys that the linker and the manifest read: the texts that are given to the methods of `Fields`.
fn keys() -> BTreeSet<String> {
    let fields = read("engine/pack/src/link/fields.rs");
    let methods: Vec<&str> = fields
        .split("pub(crate) fn ")
        .skip(1)
        .filter(|rest| rest.split(')').next().is_some_and(|head| head.contains("&mut self, key: &str")))
        .filter_map(|rest| rest.split('(').next())
        .collect();
    assert!(methods.len() >= 8, "{methods:?}");
    let mut keys = BTreeSet::new();
    let sources = files(&root().join("engine/pack/src")).into_iter();
    for (_, bytes) in sources.filter(|(path, _)| path.extension().is_some_and(|end| end == "rs")) {
        let text = String::from_utf8(bytes).expect("sources are text");
        let text = text.split("#[cfg(test)]").next().unwrap_or_default().to_string();
        for method in &methods {
            for rest in text.split(&format!(".{method}(")).skip(1) {
                let Some(rest) = rest.trim_start().strip_prefix('"') else { continue };
                let key: String = rest.chars().take_while(|letter| *letter != '"').collect();
                if key.chars().all(|letter| letter.is_ascii_lowercase() || letter == '_') {
                    keys.insert(key);
                }
            }
        }
    }
    keys
}

#[test]
fn every_key_is_in_the_pages() {
    let keys = keys();
    assert!(keys.len() > 90, "{} keys were found: {keys:?}", keys.len());
    let shown: BTreeSet<String> = pages().iter().flat_map(|(_, text)| code_words(text)).collect();
    let missing: Vec<&String> = keys.difference(&shown).collect();
    assert!(missing.is_empty(), "no page shows the keys {missing:?}");
}

/// The words of the grammar: `"gain" ~ !letter`.
fn grammar_words() -> BTreeSet<String> {
    let grammar = read("engine/expr/grammar/expr.pest");
    let quoted =
        |line: &str| line.split(" ~ !letter").next().and_then(|head| head.rsplit('"').nth(1)).map(str::to_string);
    grammar.lines().filter(|line| line.contains("\" ~ !letter }")).filter_map(quoted).collect()
}

#[test]
fn every_word_of_the_language_is_in_the_page() {
    let all = grammar_words();
    assert!(all.len() > 60, "{all:?}");
    let shown = code_words(&read("docs/expressions.md"));
    let missing: Vec<&String> = all.difference(&shown).collect();
    assert!(missing.is_empty(), "docs/expressions.md does not show {missing:?}");
}

/// The table of steps names no step that the grammar does not have.
#[test]
fn every_step_of_the_page_is_in_the_language() {
    let page = read("docs/expressions.md");
    let section = page.split("## Effects\n").nth(1).and_then(|rest| rest.split("\n## ").next()).expect("it is there");
    let grammar = grammar_words();
    let mut steps = 0;
    for line in section.lines().filter(|line| line.starts_with("| `")) {
        let cell = line.split(" | ").next().unwrap_or_default();
        for step in cell.split('`').skip(1).step_by(2) {
            let first: String = step.chars().take_while(|letter| letter.is_alphanumeric() || *letter == '_').collect();
            // A script, and a step with a name.
            if first == "file" || first == "toll" {
                continue;
            }
            assert!(grammar.contains(&first), "no step begins with `{first}`: {step}");
            steps += 1;
        }
    }
    assert!(steps > 40, "{steps}");
}

#[test]
fn every_function_is_in_the_pages() {
    let source = read("engine/expr/src/functions.rs");
    let list = source.split("const FUNCTIONS").nth(1).and_then(|rest| rest.split("];").next()).expect("it is there");
    let functions: BTreeSet<String> = list.split('"').skip(1).step_by(2).map(str::to_string).collect();
    assert!(functions.len() > 30, "{functions:?}");
    let mut shown = code_words(&read("docs/expressions.md"));
    shown.append(&mut code_words(&read("docs/boards.md")));
    let missing: Vec<&String> = functions.difference(&shown).collect();
    assert!(missing.is_empty(), "no page shows the functions {missing:?}");
}

/// Every code of a finding that a page names exists, and every command has its line in the book.
#[test]
fn every_command_is_in_the_pages() {
    let help = crate::support::rulepack(&docs(), &["--help"]).stdout;
    let commands = help.split("Commands:\n").nth(1).and_then(|rest| rest.split("\n\n").next()).expect("it has a list");
    let all: String = pages().into_iter().map(|(_, text)| text).collect();
    // Descriptions go on in further lines, which begin further to the right.
    let names = commands.lines().filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    for command in names.filter(|word| !word.is_empty() && *word != "help") {
        assert!(all.contains(&format!("rulepack {command}")), "no page shows `rulepack {command}`");
    }
}
