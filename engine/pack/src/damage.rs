//! Damaged TOML: each damaged place is reported once, and the rest is read as if it were not there.
//!
//! After a mistake, a parser may misread the rest of the file: a missing quote swaps texts and code. So the damaged
//! part is replaced by blanks and the file is parsed again, until the parser has no complaints.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "places in one file of at most 4 MiB are added up, and a wrong one cuts out nothing"
)]

use std::ops::Range;

use rulepack_model::{Code, Cut, Diagnostic, FileId, Span, Unplaced};

use crate::manifest::MANIFEST_TABLES;
use crate::otherwise::{no_opening_quote, written_otherwise};
use crate::shape::{Mistake, continued_after, first_mistake, has_key, is_header, line_around};

/// Beyond this number, damaged places are not reported one by one.
const MOST: usize = 20;
/// The largest number of mistakes reported in one table; then the whole table is left out.
const MOST_IN_TABLE: usize = 4;

/// The text with blanks in place of the damaged parts, and a diagnostic for each.
pub(crate) fn sound_text(file: FileId, text: &str) -> (Option<String>, Vec<Diagnostic>) {
    let Some(mut mistake) = first_mistake(text) else { return (None, Vec::new()) };
    let mut sound = text.to_string();
    let mut found = Vec::new();
    let mut in_table: (usize, usize) = (usize::MAX, 0);
    loop {
        let table = table_around(&sound, mistake.at.start);
        in_table = if in_table.0 == table.start { (table.start, in_table.1 + 1) } else { (table.start, 1) };
        let damaged = match in_table.1 > MOST_IN_TABLE {
            true => table.clone(),
            false => damaged_part(&sound, &mistake, &table),
        };
        if in_table.1 <= MOST_IN_TABLE {
            found.push(told(file, text, &mistake, &damaged, &table));
        }
        blank(&mut sound, damaged);
        if found.len() == MOST {
            let rest = table.end..sound.len();
            blank(&mut sound, rest);
        }
        let Some(next) = first_mistake(&sound) else { break };
        // A file that cannot be repaired one part at a time is given up.
        if next.at.start <= mistake.at.start && in_table.1 > MOST_IN_TABLE || found.len() >= MOST {
            let rest = table.start..sound.len();
            blank(&mut sound, rest);
            break;
        }
        mistake = next;
    }
    (Some(sound), found)
}

/// From the header before a place to the one after it.
fn table_around(text: &str, at: usize) -> Range<usize> {
    let (mut start, mut end, mut here) = (0, text.len(), 0);
    for line in text.split_inclusive('\n') {
        if is_header(line) {
            if here > at {
                end = here;
                break;
            }
            start = here;
        }
        here += line.len();
    }
    start..end
}

/// The key with all of its value; the whole table if its header cannot be parsed.
fn damaged_part(text: &str, mistake: &Mistake, table: &Range<usize>) -> Range<usize> {
    let line = line_around(text, mistake.at.start);
    if is_header(text.cut(line.clone())) {
        return line.start..table.end;
    }
    // From the key to which it belongs up to the next one.
    let mut start = line.start;
    while start > table.start && !has_key(text.cut(line_around(text, start))) {
        let before = line_around(text, start.saturating_sub(1));
        if is_header(text.cut(before.clone())) || text.cut(before.clone()).trim().is_empty() {
            break;
        }
        start = before.start;
    }
    let after = text.cut(line.end..table.end).split_inclusive('\n').skip(1);
    let is_more = |next: &&str| !has_key(next) && (mistake.is_long || !next.trim().is_empty());
    let more: usize = after.take_while(is_more).map(str::len).sum();
    start..(line.end + more).min(table.end)
}

/// There are as many blanks as bytes, so that every other place stays the same.
fn blank(text: &mut String, part: Range<usize>) {
    let Some(damaged) = text.get(part.clone()) else { return };
    let blanks: String = damaged.bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
    text.replace_range(part, &blanks);
}

fn told(file: FileId, text: &str, mistake: &Mistake, damaged: &Range<usize>, table: &Range<usize>) -> Diagnostic {
    let header = text.cut(line_around(text, table.start)).trim();
    let path = header.trim_start_matches('[').split(']').next().unwrap_or("");
    let mut path = path.split('.').map(str::trim);
    let (kind, id) = (path.next().unwrap_or(""), path.next().unwrap_or(""));
    let found = text.get(mistake.at.clone()).unwrap_or("");
    let around = line_around(text, mistake.at.start);
    let line = text.cut(around.clone());
    let span = |at: &Range<usize>| Span::new(file, at.start, at.end);
    let at = no_opening_quote(line)
        .map_or_else(|| mistake.at.clone(), |value| around.start + value.start..around.start + value.end);
    let column = mistake.at.start.saturating_sub(around.start).min(line.len());
    let mut told = written_otherwise(line, column, &mistake.message)
        .unwrap_or_else(|| syntax_mistake(found, line, &mistake.message))
        .at(span(&at));
    if let Some(end) = &mistake.end {
        told = told.label(span(end), "it should end here at the latest");
    }
    let mut told = told.hides(words(text.cut(damaged.clone())));
    let hidden = told.hidden();
    let mut about = vec![id.to_string(), format!("{id}s")];
    let is_whole = damaged.start <= table.start;
    if is_whole {
        // Nothing in the header can be trusted, not even where a word ends.
        let all: Vec<String> = words(header).collect();
        let named = all.iter().skip(usize::from(all.len() > 1));
        about.extend(named.clone().cloned());
        // `[kindguest.]` above `[kind.guest.attributes]` was meant to define a guest.
        let continued = continued_after(text, table.end).map(|(_, id)| [id.to_string(), format!("{id}s")]);
        about.extend(continued.into_iter().flatten());
        hidden.near.extend(named.cloned());
        hidden.names.extend(about.iter().cloned());
    }
    // Names that are declared inside a value.
    if ["args", "attributes", "marks", "param"].iter().any(|key| line.trim_start().starts_with(key)) {
        about.extend(words(text.cut(damaged.clone())));
    }
    if header.contains("patch.") {
        hidden.names.extend(words(header));
    }
    let modes = text.match_indices("[mode.").filter_map(|(at, found)| words(text.cut(at + found.len()..)).next());
    let modes: Vec<String> = modes.collect();
    let is_mode = |word: String| is_whole && modes.iter().any(|mode| word.contains(mode.as_str()));
    // The list of definitions depends on the modes, and the modes on the packs.
    hidden.definitions = kind == "mode" && !header.contains(".patch") || words(header).any(is_mode);
    hidden.packs = MANIFEST_TABLES.contains(&kind) || is_whole && words(header).any(|word| word == "pack");
    let doubted = if kind == "kind" || is_whole { &mut hidden.unknown } else { &mut hidden.doubtful };
    doubted.extend(about.into_iter().filter(|word| !word.is_empty() && word != "kind"));
    told
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty());
    words.map(str::to_string)
}

fn syntax_mistake(found: &str, line: &str, message: &str) -> Unplaced {
    let error = |message: &str| Diagnostic::error(Code::TomlSyntax, message);
    if is_header(line) {
        let path: Vec<String> = words(line.split('#').next().unwrap_or("")).collect();
        let help = if path.len() > 1 {
            format!("write it as `[{}]`", path.join("."))
        } else {
            "write it as `[KIND.NAME]`".to_string()
        };
        return error("the name of a table cannot be read").help(help);
    }
    if message.starts_with("invalid basic string") || message.starts_with("invalid literal string") {
        return error("the text is not closed").help("add the missing quote at its end");
    }
    if message.starts_with("not opened") {
        return error("the text ends on this line, but goes on below")
            .help("a text of several lines stands between `\"\"\"`");
    }
    if let Some(sign) = message.strip_prefix("unclosed ").filter(|sign| sign.chars().count() <= 3) {
        let closing = match sign {
            "[" => "]",
            "{" => "}",
            quotes => quotes,
        };
        return error(&format!("this `{sign}` is not closed")).help(format!("add the missing `{closing}`"));
    }
    // `it.colour == "red"` inside a text in the same quotes.
    let value = line.split_once('=').map_or("", |(_, value)| value.trim());
    if value.starts_with('"') && !value.starts_with("\"\"") && value.matches('"').count() >= 3 {
        return error("the text ends at the second double quote")
            .help("inside a text write single quotes, as in `'red'`, or `\\\"`");
    }
    if message.starts_with("string values must be quoted") {
        return match found {
            "" => error("the value is missing").help("write it behind the `=`"),
            _ => error("a text must stand in quotes").help(format!("write `\"{found}\"`")),
        };
    }
    if message.starts_with("key with no value") || message.contains("expected `=`") {
        let key = line.split_whitespace().next().unwrap_or("");
        return error("the `=` between a key and its value is missing").help(format!("write `{key} = …`"));
    }
    if message.starts_with("missing comma") {
        return error("the members of a list are separated by `,`").help("write `,` between them");
    }
    error(message)
        .help("write `KEY = VALUE`: a number, `true` or `false`, a text in quotes, a list in `[ ]`, a table in `{ }`")
}
