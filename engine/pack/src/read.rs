//! Reading TOML into the tree with spans, and finding places inside the texts of that tree.
//!
//! Knows TOML only. The manifest and the linker decide what a key means.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "places in one file of at most 4 MiB are added up, and a wrong one cuts out nothing"
)]

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

use rulepack_model::{Code, Cut, Diagnostic, Entry, FileId, Node, Sources, Span, Table, Value};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::damage::sound_text;

/// Reads a file as TOML, reports every mistake, and returns everything that could be read in spite of them.
///
/// A key whose value could not be read is left out.
pub fn read_toml(sources: &Sources, file: FileId, out: &mut Vec<Diagnostic>) -> Table {
    let Some(source) = sources.get(file) else { return Table::default() };
    let (sound, mut found) = sound_text(file, &source.text);
    let text = sound.as_deref().unwrap_or(&source.text);
    let (document, errors) = DeTable::parse_recoverable(text);
    // The parser looks up each header twice and reports a wrong one twice: hence a set, not a list.
    let mistake = |error: &'_ toml::de::Error| {
        let range = error.span().unwrap_or(0..0);
        (range.start, range.end, error.message().to_string())
    };
    let mistakes: BTreeSet<Wrong> = errors.iter().map(mistake).collect();
    let mut reader = Reader { file, text, mistakes, headers: BTreeSet::new(), values: 0, out: &mut found };
    let mut table = reader.table(document.get_ref());
    let values = reader.values;
    reader.report();
    if values > MOST_VALUES {
        let message = format!("this file holds {values} values, and at most {MOST_VALUES} are read");
        let mut large =
            Diagnostic::error(Code::WrongValue, message).at(Span::top(file)).help("divide it into several files");
        large.hidden().definitions = true;
        found.push(large);
        table = Table::default();
    }
    if found.len() > MOST_MISTAKES {
        let message = format!("this file has {} mistakes, of which {MOST_MISTAKES} are told", found.len());
        found.truncate(MOST_MISTAKES);
        found.push(Diagnostic::error(Code::TomlSyntax, message).at(Span::top(file)).help("begin with the first"));
    }
    found.sort_by_key(|diagnostic| diagnostic.labels.first().map(|label| label.span));
    out.append(&mut found);
    table
}

/// The largest number of values, tables and lists in a file; a large file of a large game has a few thousand.
const MOST_VALUES: usize = 50_000;

/// The largest number of mistakes reported for one file.
const MOST_MISTAKES: usize = 1_000;

/// Start, end and message of each mistake that the parser found.
type Wrong = (usize, usize, String);

struct Reader<'a> {
    file: FileId,
    text: &'a str,
    mistakes: BTreeSet<Wrong>,
    /// The places where the `[…]` lines start.
    headers: BTreeSet<usize>,
    /// The number of values read so far.
    values: usize,
    out: &'a mut Vec<Diagnostic>,
}

impl Reader<'_> {
    fn span(&self, range: Range<usize>) -> Span {
        Span::new(self.file, range.start, range.end)
    }

    fn table(&mut self, table: &DeTable<'_>) -> Table {
        let mut entries: Vec<_> = table.iter().filter(|(key, value)| !is_hole(key, value)).collect();
        // The parser sorts by name; people expect the order of the file.
        entries.sort_by_key(|(key, _)| key.span().start);
        let entries = entries.into_iter().map(|(key, value)| {
            let entry = Entry { key: self.span(key.span()), node: self.node(value) };
            (key.get_ref().to_string(), entry)
        });
        Table { entries: entries.collect() }
    }

    fn node(&mut self, value: &Spanned<DeValue<'_>>) -> Node {
        let range = value.span();
        let span = self.span(range.clone());
        self.values += 1;
        let value = match value.get_ref() {
            DeValue::String(text) => Value::Str(text.to_string()),
            DeValue::Integer(number) => Value::Int(match i64::from_str_radix(number.as_str(), number.radix()) {
                Ok(number) => number,
                Err(_) => {
                    let from = (range.start, 0, String::new());
                    if self.mistakes.range(from..).next().is_none_or(|(start, ..)| *start >= range.end) {
                        self.out.push(Diagnostic::error(Code::WrongValue, "this number is too large").at(span));
                    }
                    0
                }
            }),
            DeValue::Float(number) => Value::Float(number.as_str().parse().unwrap_or(0.0)),
            DeValue::Boolean(flag) => Value::Bool(*flag),
            DeValue::Datetime(date) => Value::Date(date.to_string()),
            DeValue::Array(items) => Value::List(items.iter().map(|item| self.node(item)).collect()),
            DeValue::Table(table) => {
                if self.text.as_bytes().get(range.start) == Some(&b'[') {
                    self.headers.insert(range.start);
                }
                Value::Table(self.table(table))
            }
        };
        Node { span, value }
    }

    fn report(self) {
        if self.mistakes.is_empty() {
            return;
        }
        let lines = Lines::new(self.text);
        let section = |at: usize| self.headers.range(..=at).next_back().copied();
        let repeated: BTreeSet<_> = self
            .mistakes
            .iter()
            .filter(|(start, _, message)| *message == "duplicate key" && lines.is_header(*start))
            .filter_map(|(start, ..)| section(*start))
            .collect();
        for (start, end, message) in &self.mistakes {
            let (start, end) = (*start, *end);
            let span = self.span(start..end);
            if message != "duplicate key" {
                self.out.push(Diagnostic::error(Code::TomlSyntax, message.as_str()).at(span));
                continue;
            }
            // If a table occurs twice, its keys occur twice as well; only the table is reported.
            let in_header = lines.is_header(start);
            if !in_header && section(start).is_some_and(|header| repeated.contains(&header)) {
                continue;
            }
            let key = self.text.get(start..end).unwrap_or("");
            let (message, help) = if in_header {
                (format!("the table `{key}` is there twice"), "rename one of them, or join their keys in one table")
            } else {
                (format!("the key `{key}` is set twice in one table"), "keep one of them")
            };
            let mut diagnostic = Diagnostic::error(Code::DuplicateId, message).at(span).help(help);
            let from = if in_header { 0 } else { section(start).unwrap_or(0) };
            if let Some(first) = lines.first_place(from, start, end) {
                diagnostic = diagnostic.label(self.span(first), "first here");
            }
            self.out.push(diagnostic);
        }
    }
}

/// Whether the parser inserted an entry only to go on after a mistake.
fn is_hole(key: &Spanned<toml::de::DeString<'_>>, value: &Spanned<DeValue<'_>>) -> bool {
    key.span().is_empty() || value.span().is_empty()
}

/// The lines of a text by their first words. Computed once, however many mistakes there are.
struct Lines<'a> {
    text: &'a str,
    all: Vec<Line>,
    /// The lines that have the same words before their `=` or `]`, in the order of the text.
    by_words: HashMap<&'a str, Vec<usize>>,
}

struct Line {
    start: usize,
    /// Whether it is a `[…]` line.
    is_header: bool,
    /// The text before its first `=` or `]`, without blanks around it.
    words: Range<usize>,
}

impl<'a> Lines<'a> {
    fn new(text: &'a str) -> Self {
        let (mut all, mut by_words, mut start) = (Vec::new(), HashMap::<_, Vec<usize>>::new(), 0);
        for line in text.split_inclusive('\n') {
            let trimmed = line.trim_start();
            let from = start + line.len().saturating_sub(trimmed.len());
            let words = trimmed.split_once(['=', ']']).map_or("", |(words, _)| words.trim_end());
            if !words.is_empty() {
                by_words.entry(words).or_default().push(all.len());
            }
            all.push(Line { start, is_header: trimmed.starts_with('['), words: from..from + words.len() });
            start += line.len();
        }
        Lines { text, all, by_words }
    }

    /// The number of the line of a byte.
    fn line(&self, at: usize) -> usize {
        self.all.partition_point(|line| line.start <= at).saturating_sub(1)
    }

    /// Whether a key stands in a `[…]` line.
    fn is_header(&self, at: usize) -> bool {
        self.all.get(self.line(at)).is_some_and(|line| line.is_header && line.words.start < at)
    }

    /// The earlier key, behind `from`, that the key in `start..end` repeats: the line that begins with the same words.
    ///
    /// The parser does not return it, so this function searches the text. It misses keys that are written in an unusual
    /// way.
    fn first_place(&self, from: usize, start: usize, end: usize) -> Option<Range<usize>> {
        let line = self.all.get(self.line(start)).filter(|line| end <= line.words.end)?;
        let same = self.by_words.get(self.text.get(line.words.start..end)?)?;
        let first = same.get(same.partition_point(|other| *other < self.line(from)))?;
        let first = self.all.get(*first).filter(|first| first.start < line.start)?;
        Some(first.words.end.checked_sub(end.checked_sub(start)?)?..first.words.end)
    }
}

/// Maps each byte of a decoded text to its place in the file.
#[derive(Debug, Clone)]
pub struct TextMap {
    file: FileId,
    /// In order, without gaps in the decoded text.
    pieces: Vec<Piece>,
    /// One past the last byte of the text in the file: the closing quote.
    end: usize,
}

#[derive(Debug, Clone)]
struct Piece {
    decoded: Range<usize>,
    file: Range<usize>,
    /// The same bytes in the file; otherwise an escape, which counts as one place.
    plain: bool,
}

impl TextMap {
    /// The place in the file of a range of the decoded text.
    pub fn span(&self, range: Range<usize>) -> Span {
        let start = match self.piece(range.start) {
            Some(piece) if piece.plain => piece.file.start + range.start.saturating_sub(piece.decoded.start),
            Some(piece) => piece.file.start,
            None => self.end,
        };
        let last = range.end.max(range.start);
        let end = match last.checked_sub(1).and_then(|last| self.piece(last)) {
            _ if last == range.start => start,
            Some(piece) if piece.plain => piece.file.start + last.saturating_sub(piece.decoded.start),
            Some(piece) => piece.file.end,
            None => self.end,
        };
        Span::new(self.file, start, end)
    }

    fn piece(&self, at: usize) -> Option<&Piece> {
        self.pieces.get(self.pieces.partition_point(|piece| piece.decoded.end <= at))
    }

    fn push(&mut self, decoded_len: usize, file: Range<usize>, plain: bool) {
        let from = self.pieces.last().map_or(0, |piece| piece.decoded.end);
        match self.pieces.last_mut() {
            Some(last) if plain && last.plain && last.file.end == file.start => {
                last.decoded.end += decoded_len;
                last.file.end = file.end;
            }
            _ => self.pieces.push(Piece { decoded: from..from + decoded_len, file, plain }),
        }
    }
}

/// The map of the text node at `span`, quotes included.
pub fn text_map(sources: &Sources, span: Span) -> TextMap {
    let raw = sources.text(span);
    let start = span.start as usize;
    let (quote, several_lines, escapes) = match raw {
        _ if raw.starts_with("\"\"\"") => ("\"\"\"", true, true),
        _ if raw.starts_with("'''") => ("'''", true, false),
        _ if raw.starts_with('"') => ("\"", false, true),
        _ if raw.starts_with('\'') => ("'", false, false),
        _ => ("", false, false),
    };
    let mut body = raw.cut(quote.len()..);
    if several_lines {
        body = body.strip_prefix('\n').or_else(|| body.strip_prefix("\r\n")).unwrap_or(body);
    }
    let mut at = start + raw.len().saturating_sub(body.len());
    body = body.strip_suffix(quote).unwrap_or(body);
    let mut map = TextMap { file: span.file, pieces: Vec::new(), end: at + body.len() };
    while !body.is_empty() {
        let (decoded_len, taken, plain) = if escapes && body.starts_with('\\') {
            let (decoded_len, taken) = escape(body, several_lines);
            (decoded_len, taken, false)
        } else {
            let run = if escapes { body.find('\\').unwrap_or(body.len()) } else { body.len() };
            (run, run, true)
        };
        if decoded_len > 0 {
            map.push(decoded_len, at..at + taken, plain);
        }
        at += taken;
        body = body.cut(taken..);
    }
    map
}

/// The number of bytes of an escape in the file and in the decoded text; `body` starts with its backslash. Invalid
/// escapes are read as the parser does.
fn escape(body: &str, several_lines: bool) -> (usize, usize) {
    let rest = body.cut(1..);
    let digits = match rest.chars().next() {
        Some('x') => 2,
        Some('u') => 4,
        Some('U') => 8,
        Some('b' | 'e' | 'f' | 'n' | 'r' | 't' | '\\' | '"') => return (1, 2),
        Some(' ' | '\t' | '\r' | '\n') if several_lines => {
            let blank = rest.find(|c| !" \t\r\n".contains(c)).unwrap_or(rest.len());
            return (0, 1 + blank);
        }
        _ => return (1, 1),
    };
    let hex = rest.cut(1..);
    let taken = hex.bytes().take(digits).take_while(u8::is_ascii_hexdigit).count();
    let letter = (taken == digits).then(|| u32::from_str_radix(hex.cut(..taken), 16).ok().and_then(char::from_u32));
    (letter.flatten().unwrap_or('\u{fffd}').len_utf8(), 2 + taken)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (Sources, Table, Vec<Diagnostic>) {
        let mut sources = Sources::default();
        let file = sources.add("a.toml", text);
        let mut out = Vec::new();
        let table = read_toml(&sources, file, &mut out);
        (sources, table, out)
    }

    /// Each mistake as `code line:column message`, further places in brackets.
    fn mistakes(text: &str) -> Vec<String> {
        let (sources, _, out) = read(text);
        let place = |span| {
            let (_, line, column) = sources.position(span);
            format!("{line}:{column}")
        };
        let show = |found: &Diagnostic| {
            let places: Vec<_> = found.labels.iter().map(|label| place(label.span)).collect();
            format!("{} {} {}", found.code, places.join(" and "), found.message)
        };
        out.iter().map(show).collect()
    }

    /// The text that the file has for the part of the text under `a` that equals `part`.
    #[track_caller]
    fn shown(toml: &str, part: &str) -> String {
        let (sources, table, out) = read(toml);
        assert_eq!(out, []);
        let node = table.get("a").unwrap();
        let text = node.as_str().unwrap();
        let map = text_map(&sources, node.span);
        assert_eq!(map.pieces.last().map_or(0, |piece| piece.decoded.end), text.len(), "the whole text is mapped");
        let at = text.find(part).unwrap();
        sources.text(map.span(at..at + part.len())).to_string()
    }

    #[test]
    fn keeps_the_order_of_the_file_and_every_place() {
        let (sources, table, out) = read("z = 1\n[m.x]\nb = 0x10\na = [true, 1.5, 2020-01-01]\n[[c]]\nk = 'v'\n");
        assert_eq!(out, []);
        assert_eq!(table.iter().map(|(key, _)| key).collect::<Vec<_>>(), ["z", "m", "c"]);
        let x = table.get("m").and_then(|m| m.as_table()).and_then(|m| m.get("x")).unwrap();
        assert_eq!(sources.text(x.span), "[m.x]");
        let x = x.as_table().unwrap();
        assert_eq!(x.iter().map(|(key, _)| key).collect::<Vec<_>>(), ["b", "a"]);
        assert_eq!(x.get("b").and_then(Node::as_int), Some(16));
        assert_eq!(x.get("a").unwrap().as_list().unwrap().len(), 3);
        assert_eq!(sources.text(x.key_span("a").unwrap()), "a");
    }

    #[test]
    fn reports_all_mistakes_of_a_file() {
        assert_eq!(
            mistakes("a = game\nb =\nc = 99999999999999999999\nd = [1, 2\n"),
            [
                "toml-syntax 1:5 a text must stand in quotes",
                "toml-syntax 2:4 the value is missing",
                "wrong-value 3:5 this number is too large",
                "toml-syntax 4:10 unclosed array, expected `]`",
            ]
        );
    }

    #[test]
    fn leaves_out_a_key_without_a_value() {
        assert!(read("b =\n").1.is_empty());
    }

    #[test]
    fn a_repeated_key_is_shown_with_the_first() {
        assert_eq!(
            mistakes("[x]\na = 1\n[y]\na = 1\n  a   = 2\n"),
            ["duplicate-id 5:3 and 4:1 the key `a` is set twice in one table"]
        );
        assert_eq!(mistakes("t = { a = 1, a = 2 }\n"), ["duplicate-id 1:14 the key `a` is set twice in one table"]);
    }

    #[test]
    fn a_repeated_table_is_one_mistake() {
        assert_eq!(
            mistakes("[card.inn]\ntitle = 'Inn'\n[card.pub]\n[card.inn]\ntitle = 'Inn'\n"),
            ["duplicate-id 4:7 and 1:7 the table `inn` is there twice"]
        );
    }

    #[test]
    fn maps_plain_texts() {
        assert_eq!(shown("a = \"one two\"", "two"), "two");
        assert_eq!(shown("a = 'one \\two'", "\\two"), "\\two");
        assert_eq!(shown("a = ''", ""), "");
    }

    #[test]
    fn maps_escapes_as_a_whole() {
        let toml = r#"a = "x \"q\" \u00e9\n\x41 \U0001F600 z""#;
        assert_eq!(shown(toml, "q"), "q");
        assert_eq!(shown(toml, "\"q"), "\\\"q");
        assert_eq!(shown(toml, "é"), "\\u00e9");
        assert_eq!(shown(toml, "\nA"), "\\n\\x41");
        assert_eq!(shown(toml, "z"), "z");
    }

    #[test]
    fn maps_texts_of_several_lines() {
        assert_eq!(shown("a = \"\"\"\none\ntwo\"\"\"", "one\nt"), "one\nt");
        assert_eq!(shown("a = '''\r\none\r\ntwo'''", "two"), "two");
        assert_eq!(shown("a = \"\"\"one \\\n   two \\t\"q\" three\"\"\"\"", "two"), "two");
        assert_eq!(shown("a = \"\"\"one \\\n   two \\t\"q\" three\"\"\"\"", "one "), "one ");
        assert_eq!(shown("a = \"\"\"one \\\n   two \\t\"q\" three\"\"\"\"", "three\""), "three\"");
    }

    #[test]
    fn a_place_after_the_end_is_the_closing_quote() {
        let (sources, table, _) = read("a = \"one\"");
        let map = text_map(&sources, table.get("a").unwrap().span);
        assert_eq!(map.span(3..3), Span::new(FileId(0), 8, 8));
        assert_eq!(map.span(1..99), Span::new(FileId(0), 6, 8));
    }

    #[test]
    fn wrong_escapes_are_mapped_as_the_parser_decodes_them() {
        for toml in ["a = \"\\q\\u12\\uD800 b\"", "a = \"", "a = \"\\", "a = \"\"\"\\ x\"\"\"", "a = '''", "a = b"] {
            let (sources, table, _) = read(toml);
            if let Some(Value::Str(text)) = table.get("a").map(|node| &node.value) {
                let map = text_map(&sources, table.get("a").unwrap().span);
                assert_eq!(map.pieces.last().map_or(0, |piece| piece.decoded.end), text.len(), "{toml}");
            }
        }
    }
}
