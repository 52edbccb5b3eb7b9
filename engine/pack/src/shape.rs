//! The rough shape of a TOML file that cannot be parsed: where lines, keys and tables begin, and which brackets and
//! quotes are left open.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "places in one file of at most 4 MiB are added up, and a wrong one cuts out nothing"
)]

use std::collections::BTreeSet;
use std::ops::Range;

use rulepack_model::Cut;
use toml::de::DeTable;

/// The first mistake, as the parser reports it or should have reported it.
pub(crate) struct Mistake {
    /// Its place.
    pub(crate) at: Range<usize>,
    /// The message of the parser; `unclosed SIGN` and `not opened` are ours.
    pub(crate) message: String,
    /// The place where a text of several lines should end.
    pub(crate) end: Option<Range<usize>>,
    /// Whether it is a text of several lines, which may have empty ones.
    pub(crate) is_long: bool,
}

/// The first mistake. Repeated keys do not count.
pub(crate) fn first_mistake(text: &str) -> Option<Mistake> {
    let (_, errors) = DeTable::parse_recoverable(text);
    let mistakes = errors.iter().filter(|error| error.message() != "duplicate key");
    let first = mistakes.min_by_key(|error| error.span().map_or(0, |span| span.start))?;
    let at = first.span().unwrap_or(0..0);
    let at = at.start.min(text.len())..at.end.min(text.len());
    // After an unclosed quote or bracket, the parser's next messages are about what follows.
    if let Some((open, until)) = unclosed(text)
        && (until <= at.start || open.message.starts_with("invalid") && open.at.start <= at.end)
    {
        return Some(open);
    }
    if let Some(text) = not_opened(text, at.start) {
        return Some(text);
    }
    Some(Mistake { at, message: first.message().to_string(), end: None, is_long: false })
}

/// The line of a place, without its line end.
pub(crate) fn line_around(text: &str, at: usize) -> Range<usize> {
    // On bytes, because the place may be inside a character.
    let (before, after) = text.as_bytes().split_at_checked(at).unwrap_or((text.as_bytes(), &[]));
    let start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |newline| newline + 1);
    let end = after.iter().position(|byte| *byte == b'\n').unwrap_or(after.len());
    start..before.len() + end
}

/// Whether a line begins a table, even if one of its signs is wrong.
pub(crate) fn is_header(line: &str) -> bool {
    if line.starts_with([' ', '\t']) {
        return false;
    }
    let line = line.split('#').next().unwrap_or("").trim();
    let inner = line.trim_start_matches(|c: char| c.is_ascii_punctuation());
    let is_word = !inner.contains([',', '=']) && !line.contains(char::is_whitespace);
    let is_plain = line.matches('"').count() < 2 && line.chars().any(char::is_alphabetic);
    let opens = line.starts_with('[') && (line.ends_with(']') || !line.contains(','));
    is_plain && (opens || line.ends_with(']') && is_word)
}

/// The kind and the name of the definition to which the next table after a place belongs: for
/// `[kind.guest.attributes]`, `kind` and `guest`. `None` if the next table is a whole definition.
pub(crate) fn continued_after(text: &str, at: usize) -> Option<(&str, &str)> {
    let header = text.get(at..)?.split_inclusive('\n').find(|line| is_header(line))?;
    let path = header.trim_start_matches('[').split(']').next()?;
    let mut parts = path.split('.').map(str::trim);
    let (kind, id) = (parts.next()?, parts.next()?);
    parts.next().map(|_| (kind, id))
}

/// The lines of a text that begin tables: found once for all mistakes in it.
pub(crate) struct Headers<'t> {
    text: &'t str,
    /// The places where they begin.
    starts: Vec<usize>,
    /// Their texts up to the first `]`.
    heads: BTreeSet<&'t str>,
}

impl<'t> Headers<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        let (mut starts, mut heads, mut start) = (Vec::new(), BTreeSet::new(), 0);
        for line in text.split_inclusive('\n') {
            if is_header(line) {
                starts.push(start);
            }
            if line.starts_with('[') {
                heads.extend(line.split_inclusive(']').next());
            }
            start += line.len();
        }
        Headers { text, starts, heads }
    }

    /// As [`continued_after`].
    pub(crate) fn continued_after(&self, at: usize) -> Option<(&'t str, &'t str)> {
        // No name of a table is longer than this; the rest of the line may be the rest of the file.
        const LONGEST: usize = 1_000;
        let rest = self.text.get(at..)?;
        let end = rest.bytes().take(LONGEST).position(|byte| byte == b'\n');
        if end.is_some_and(|end| is_header(rest.cut(..=end))) || rest.len() < LONGEST && end.is_none() {
            return continued_after(rest, 0);
        }
        let next = *self.starts.get(self.starts.partition_point(|start| *start <= at))?;
        continued_after(self.text, next)
    }

    /// Whether a line begins with the text, up to its first `]`.
    pub(crate) fn has(&self, head: &str) -> bool {
        self.heads.contains(head)
    }
}

/// Whether a line begins with a key and its `=`.
pub(crate) fn has_key(line: &str) -> bool {
    let Some((key, value)) = line.split_once('=') else { return false };
    let key = key.trim();
    let is_path = key.chars().all(|letter| letter.is_alphanumeric() || "._-".contains(letter));
    !key.is_empty() && is_path && !value.starts_with('=')
}

/// Whether a line begins with a key and a value, and is not an assignment inside a text.
fn is_key(line: &str) -> bool {
    let value = line.split_once('=').map_or("", |(_, value)| value.trim_start());
    let is_value = value.starts_with(|c: char| "\"'[{-+".contains(c) || c.is_ascii_digit());
    has_key(line) && (is_value || ["true", "false"].iter().any(|word| value.starts_with(word)))
}

/// The first bracket or quote that is still open where another key or table begins, and the place of that key.
fn unclosed(text: &str) -> Option<(Mistake, usize)> {
    let mut open: Vec<(usize, char)> = Vec::new();
    let mut long: Option<(usize, &str)> = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        let here = start;
        start += line.len();
        let begins = is_header(line) || is_key(line);
        if begins && let Some((at, quote)) = long {
            let end = last_line(text, here);
            let message = format!("unclosed {quote}");
            return Some((Mistake { at: at..at + 3, message, end: Some(end), is_long: true }, here));
        }
        if begins && let Some((at, bracket)) = open.last() {
            let message = format!("unclosed {bracket}");
            return Some((Mistake { at: *at..*at + 1, message, end: None, is_long: false }, here));
        }
        if is_header(line) {
            continue;
        }
        let mut rest = line;
        while let Some(letter) = rest.chars().next() {
            let at = here + line.len().saturating_sub(rest.len());
            if let Some((_, quote)) = long {
                match rest.find(quote) {
                    Some(end) => (rest, long) = (rest.cut(end + 3..), None),
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
                        rest = rest.cut(3..);
                        continue;
                    }
                    let Some(end) = closing(rest.cut(1..), letter) else {
                        let message = "invalid basic string".to_string();
                        return Some((Mistake { at: at..at + 1, message, end: None, is_long: false }, here));
                    };
                    rest = rest.cut(1 + end..);
                    continue;
                }
                '[' | '{' => open.push((at, letter)),
                ']' | '}' => drop(open.pop()),
                _ => {}
            }
            rest = rest.cut(letter.len_utf8()..);
        }
    }
    let (at, quote) = long?;
    let end = last_line(text, text.len());
    Some((Mistake { at: at..at + 3, message: format!("unclosed {quote}"), end: Some(end), is_long: true }, at))
}

/// The last line before a place that is not empty.
fn last_line(text: &str, before: usize) -> Range<usize> {
    let mut line = line_around(text, text.cut(..before).trim_end().len());
    while line.start > 0 && text.cut(line.clone()).starts_with('#') {
        line = line_around(text, text.cut(..line.start).trim_end().len());
    }
    line
}

/// A text of several lines that begins with too few quotes: its lines are not TOML, and its closing quotes open another
/// text.
fn not_opened(text: &str, stop: usize) -> Option<Mistake> {
    let line = line_around(text, stop);
    let here = text.cut(line.clone());
    if is_key(here) || is_header(here) || here.contains("\"\"\"") {
        return None;
    }
    let before = line_around(text, text.cut(..line.start).trim_end().len());
    let value = text.cut(before.clone()).split_once('=').filter(|_| is_key(text.cut(before.clone())))?.1.trim();
    let mut after = text.cut(line.start..).split_inclusive('\n').take_while(|next| !is_header(next) && !is_key(next));
    let is_short = value.starts_with('"') && value.ends_with('"') && !value.starts_with("\"\"\"");
    let closes = after.any(|next| next.matches("\"\"\"").count() % 2 == 1);
    let end = before.start + text.cut(before.clone()).trim_end().len();
    let at = end.saturating_sub(value.len())..end;
    (is_short && closes).then(|| Mistake { at, message: "not opened".to_string(), end: None, is_long: true })
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
