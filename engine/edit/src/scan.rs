//! TOML as it is written: entries, headers, comments and blank lines, each with its place in the text.
//!
//! Only for texts that are right: the parser is asked first.

use std::ops::Range;

/// A part of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Part {
    /// A line with nothing on it.
    Blank,
    /// A line with a comment only.
    Comment(Range<usize>),
    /// `[card.inn]`, with a comment behind it, if there is one.
    Header(Range<usize>),
    /// A key and its value, which may have several lines.
    Entry(Entry),
}

/// A key and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) key: Range<usize>,
    pub(crate) value: Range<usize>,
    /// The comment behind it.
    pub(crate) comment: Option<Range<usize>>,
}

/// A piece of a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token<'t> {
    /// A text with its quotes.
    Text(&'t str),
    /// `[`, `]`, `{`, `}`, `,` or `=`.
    Sign(char),
    /// A number, a key, true or false.
    Word(&'t str),
    Comment(&'t str),
    Line,
    Space(&'t str),
}

/// The length of the text in quotes with which a text begins.
fn quoted(text: &str) -> Option<usize> {
    for (quote, has_escapes) in [("\"\"\"", true), ("'''", false), ("\"", true), ("'", false)] {
        let Some(inner) = text.strip_prefix(quote) else { continue };
        let mut at = 0;
        while let Some(rest) = inner.get(at..) {
            if rest.is_empty() {
                return None;
            }
            if has_escapes && rest.starts_with('\\') {
                let escaped = rest.chars().nth(1).map_or(0, char::len_utf8);
                at += 1 + escaped;
            } else if rest.starts_with(quote) {
                // Up to two further quotes belong to a long text.
                let mut end = at + quote.len();
                let mark = quote.chars().next().unwrap_or('"');
                while quote.len() == 3 && end < at + 5 && inner.get(end..).is_some_and(|rest| rest.starts_with(mark)) {
                    end += 1;
                }
                return Some(quote.len() + end);
            } else {
                at += rest.chars().next().map_or(1, char::len_utf8);
            }
        }
        return None;
    }
    None
}

/// The pieces of a value, or of a header.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let first = rest.chars().next().unwrap_or(' ');
        let while_it = |is: fn(char) -> bool| rest.find(|letter| !is(letter)).unwrap_or(rest.len());
        let length = match first {
            '"' | '\'' => quoted(rest).unwrap_or(rest.len()),
            '#' => rest.find('\n').unwrap_or(rest.len()),
            ' ' | '\t' | '\r' => while_it(|letter| matches!(letter, ' ' | '\t' | '\r')),
            '\n' | '[' | ']' | '{' | '}' | ',' | '=' => 1,
            _ => while_it(|letter| !" \t\r\n[]{},=\"'#".contains(letter)),
        };
        let piece = rest.get(..length).unwrap_or(rest);
        tokens.push(match first {
            '"' | '\'' => Token::Text(piece),
            '#' => Token::Comment(piece.trim_end()),
            ' ' | '\t' | '\r' => Token::Space(piece),
            '\n' => Token::Line,
            '[' | ']' | '{' | '}' | ',' | '=' => Token::Sign(first),
            _ => Token::Word(piece),
        });
        at += length.max(1);
    }
    tokens
}

/// The length of a token in the text.
fn length(token: &Token<'_>, rest: &str) -> usize {
    match token {
        Token::Text(piece) | Token::Word(piece) | Token::Space(piece) => piece.len(),
        Token::Comment(_) => rest.find('\n').unwrap_or(rest.len()),
        Token::Sign(_) | Token::Line => 1,
    }
}

/// The parts of a file, in their order.
pub(crate) fn parts(text: &str) -> Vec<Part> {
    let mut parts = Vec::new();
    let mut at = 0;
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let line_end = rest.find('\n').unwrap_or(rest.len());
        let line = rest.get(..line_end).unwrap_or(rest);
        let indent = line.len() - line.trim_start().len();
        let trimmed = line.trim();
        let start = at + indent;
        if trimmed.is_empty() {
            parts.push(Part::Blank);
            at += line_end + 1;
        } else if trimmed.starts_with('#') || trimmed.starts_with('[') {
            let range = start..start + trimmed.len();
            parts.push(if trimmed.starts_with('#') { Part::Comment(range) } else { Part::Header(range) });
            at += line_end + 1;
        } else {
            let (entry, end) = entry(text, start);
            parts.push(Part::Entry(entry));
            at = end;
        }
    }
    parts
}

/// A key and its value, and where the next line begins.
fn entry(text: &str, start: usize) -> (Entry, usize) {
    let rest = text.get(start..).unwrap_or_default();
    let mut at = start;
    let (mut equals, mut depth) = (None, 0_usize);
    let (mut value_end, mut comment) = (start, None);
    for token in tokens(rest) {
        let remaining = text.get(at..).unwrap_or_default();
        let end = at + length(&token, remaining);
        match token {
            Token::Line if depth == 0 && equals.is_some() => {
                at = end;
                break;
            }
            Token::Sign('=') if equals.is_none() => equals = Some(at),
            Token::Comment(piece) if depth == 0 => comment = Some(at..at + piece.len()),
            Token::Sign('[' | '{') => {
                depth += 1;
                value_end = end;
            }
            Token::Sign(']' | '}') => {
                depth = depth.saturating_sub(1);
                value_end = end;
            }
            Token::Line | Token::Space(_) => {}
            Token::Text(_) | Token::Word(_) | Token::Sign(_) | Token::Comment(_) => value_end = end,
        }
        at = end;
    }
    let equals = equals.unwrap_or(value_end);
    let key = text.get(start..equals).map_or(start..equals, |key| start..start + key.trim_end().len());
    let behind = text.get(equals + 1..value_end).unwrap_or_default();
    let from = equals + 1 + (behind.len() - behind.trim_start().len());
    (Entry { key, value: from.min(value_end)..value_end, comment }, at.max(start + 1))
}
