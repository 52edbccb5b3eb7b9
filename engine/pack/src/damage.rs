//! What cannot be read as TOML: each place told once, the rest read as if it were not there.
//!
//! A parser that goes on after a mistake sees the rest of the file with other eyes: a quote that is missing turns texts
//! inside out. So what is damaged is blanked out and the file is read again, until nothing is left to complain about.

use std::ops::Range;

use rulepack_model::{Diagnostic, FileId, Span};
use toml::de::DeTable;

/// More places than this are not told one by one.
const MOST: usize = 20;
/// So many mistakes in one table are told, then the table is left out as a whole.
const MOST_IN_TABLE: usize = 4;

/// The text with blanks where it cannot be read, and a diagnostic for each such place.
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
        // What cannot be blanked away one by one is given up.
        if next.at.start <= mistake.at.start && in_table.1 > MOST_IN_TABLE || found.len() >= MOST {
            let rest = table.start..sound.len();
            blank(&mut sound, rest);
            break;
        }
        mistake = next;
    }
    (Some(sound), found)
}

/// What the parser complains about first.
struct Mistake {
    at: Range<usize>,
    message: String,
}

fn first_mistake(text: &str) -> Option<Mistake> {
    let (_, errors) = DeTable::parse_recoverable(text);
    let mistakes = errors.iter().filter(|error| error.message() != "duplicate key");
    let first = mistakes.min_by_key(|error| error.span().map_or(0, |span| span.start))?;
    let at = first.span().unwrap_or(0..0);
    let at = at.start.min(text.len())..at.end.min(text.len());
    match unclosed(text).filter(|open| open.at.start <= at.end) {
        Some(open) => Some(open),
        None => Some(Mistake { at, message: first.message().to_string() }),
    }
}

/// The first bracket or quote that is still open where another key or table begins. The parser reads on and complains
/// about what follows.
fn unclosed(text: &str) -> Option<Mistake> {
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut long: Option<(usize, &str)> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let here = start;
        start += line.len();
        let begins = is_header(line) || long.is_none() && is_key(line);
        if begins && let Some((at, quote)) = long {
            return Some(Mistake { at: at..at + 3, message: format!("unclosed {quote}") });
        }
        if begins && let Some((at, bracket)) = open.first() {
            return Some(Mistake { at: *at..*at + 1, message: format!("unclosed {bracket}") });
        }
        let mut rest = line;
        while let Some(letter) = rest.chars().next() {
            let at = here + (line.len() - rest.len());
            if let Some((_, quote)) = long {
                match rest.find(quote) {
                    Some(end) => (rest, long) = (&rest[end + 3..], None),
                    None => break,
                }
                continue;
            }
            match letter {
                '#' => break,
                '"' | '\'' => {
                    let three = if letter == '"' { "\"\"\"" } else { "'''" };
                    if rest.starts_with(three) {
                        long = Some((at, three));
                        rest = &rest[3..];
                        continue;
                    }
                    match closing(&rest[1..], letter) {
                        Some(end) => rest = &rest[1 + end..],
                        None => return Some(Mistake { at: at..at + 1, message: "invalid basic string".to_string() }),
                    }
                    continue;
                }
                '[' | '{' if !is_header(line) => open.push((at, letter)),
                ']' | '}' if !is_header(line) => drop(open.pop()),
                _ => {}
            }
            rest = &rest[letter.len_utf8()..];
        }
    }
    None
}

/// The place behind the quote that closes a text of one line.
fn closing(text: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, letter) in text.char_indices() {
        match letter {
            '\n' => return None,
            _ if escaped => escaped = false,
            '\\' if quote == '"' => escaped = true,
            _ if letter == quote => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// Whether a line begins with a key and its `=`.
fn is_key(line: &str) -> bool {
    let Some((key, _)) = line.split_once('=') else { return false };
    let key = key.trim();
    !key.is_empty() && key.chars().all(|letter| letter.is_alphanumeric() || "._-".contains(letter))
}

fn line_around(text: &str, at: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let at = at.min(bytes.len());
    let start = bytes[..at].iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let end = bytes[at..].iter().position(|byte| *byte == b'\n').map_or(bytes.len(), |newline| at + newline);
    start..end
}

/// Whether a line begins a table, be it with a bracket that is missing.
fn is_header(line: &str) -> bool {
    let line = line.split('#').next().unwrap_or("").trim();
    let is_path = |inner: &str| {
        !inner.is_empty()
            && inner.chars().all(|c| c.is_alphanumeric() || "._-\" []".contains(c))
            && !inner.contains(',')
    };
    let is_open =
        line.strip_suffix(']').is_some_and(|path| path.starts_with(|c: char| c.is_ascii_alphabetic()) && is_path(path));
    is_open || line.starts_with('[') && is_path(&line[1..]) && !line.ends_with(',')
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

/// The key with all of its value; the whole table if it is the header that cannot be read.
fn damaged_part(text: &str, mistake: &Mistake, table: &Range<usize>) -> Range<usize> {
    let mut line = line_around(text, mistake.at.start);
    if is_header(&text[line.clone()]) {
        return line.start..table.end;
    }
    if mistake.message.starts_with("unclosed ") {
        // What follows up to the next key belongs to it.
        let after = text[line.end..table.end].split_inclusive('\n').skip(1);
        let more: usize = after.take_while(|next| !is_key(next) || mistake.message.len() > 10).map(str::len).sum();
        return line.start..(line.end + more).min(table.end);
    }
    // A value of several lines ends where its quotes and brackets do, or with the table.
    let open = |part: &str| {
        let quotes = part.matches("\"\"\"").count() + part.matches("'''").count();
        let count = |signs: [char; 2]| part.matches(signs).count();
        quotes % 2 == 1 || quotes == 0 && count(['[', '{']) > count([']', '}'])
    };
    let first = line.clone();
    while open(&text[line.clone()]) && line.end < table.end {
        line.end = line_around(text, (line.end + 1).min(text.len())).end.max(line.end + 1).min(table.end);
    }
    // If it never ends, only its first line is to blame.
    if open(&text[line.clone()]) && !text[first.clone()].contains("\"\"\"") { first } else { line }
}

/// Blanks take as much room as what stood there, so that every other place stays where it is.
fn blank(text: &mut String, part: Range<usize>) {
    let blanks: String = text[part.clone()].bytes().map(|byte| if byte == b'\n' { '\n' } else { ' ' }).collect();
    text.replace_range(part, &blanks);
}

fn told(file: FileId, text: &str, mistake: &Mistake, damaged: &Range<usize>, table: &Range<usize>) -> Diagnostic {
    let header = text[line_around(text, table.start)].trim();
    let path = header.trim_start_matches('[').split(']').next().unwrap_or("");
    let mut path = path.split('.').map(str::trim);
    let (kind, id) = (path.next().unwrap_or(""), path.next().unwrap_or(""));
    let found = text.get(mistake.at.clone()).unwrap_or("");
    let line = &text[line_around(text, mistake.at.start)];
    let span = Span::new(file, mistake.at.start, mistake.at.end);
    let mut told = syntax_mistake(found, line, &mistake.message).at(span).hides(words(&text[damaged.clone()]));
    let hidden = told.hidden();
    if damaged.start <= table.start {
        hidden.names.extend([id.to_string(), format!("{id}s")]);
    }
    // Which definitions there are depends on the modes.
    hidden.definitions = kind == "mode" && !header.contains(".patch");
    let doubted = if kind == "kind" { &mut hidden.unknown } else { &mut hidden.doubtful };
    doubted.extend([id.to_string(), format!("{id}s")]);
    told
}

fn words(text: &str) -> impl Iterator<Item = String> {
    let words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty());
    words.map(str::to_string)
}

fn syntax_mistake(found: &str, line: &str, message: &str) -> Diagnostic {
    let error = |message: &str| Diagnostic::error("toml-syntax", message);
    if message.starts_with("invalid basic string") || message.starts_with("invalid literal string") {
        return error("the text is not closed").help("add the missing quote at its end");
    }
    if let Some(sign) = message.strip_prefix("unclosed ").filter(|sign| sign.chars().count() <= 3) {
        let closing = match sign {
            "[" => "]",
            "{" => "}",
            quotes => quotes,
        };
        return error(&format!("this `{sign}` is not closed")).help(format!("add the missing `{closing}`"));
    }
    if line.contains(['\u{201c}', '\u{201d}', '\u{201e}', '\u{2018}', '\u{2019}']) {
        return error("these are typographic quotes").help("write straight ones: `\"…\"`");
    }
    if message.starts_with("string values must be quoted") {
        return match found {
            "" => error("the value is missing"),
            _ => error("a text must stand in quotes").help(format!("write `\"{found}\"`")),
        };
    }
    // `it.colour == "red"` in a text that stands in the same quotes.
    if line.matches('"').count() >= 4 && line.matches('=').count() > 0 && !line.contains("\"\"\"") && {
        let value = line.split_once('=').map_or("", |(_, value)| value.trim());
        value.starts_with('"') && !value.starts_with("\"\"")
    } {
        return error("the text ends at the second double quote")
            .help("inside a text write single quotes, as in `'red'`, or `\\\"`");
    }
    if message.starts_with("key with no value") || message.contains("expected `=`") {
        let key = line.split_whitespace().next().unwrap_or("");
        return error("the `=` between a key and its value is missing").help(format!("write `{key} = …`"));
    }
    error(message)
}
