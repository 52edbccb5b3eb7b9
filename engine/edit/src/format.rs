//! Writing a file of a pack as all of them are written.
//!
//! - Lines end with a line feed and without spaces; there is one empty line at most, none at the beginning, and one line feed at the end.
//! - Headers stand at the left, without spaces inside: `[card.inn]`.
//! - The `=` of entries that stand together, up to an empty line or a list of several lines, stand below one another. Where they do so
//!   already they stay, even if the keys would need less room.
//! - Values on one line have even spaces: `{ was = 1, now = 2 }`, `["a", "b"]`. Values on several lines keep their lines.
//! - Texts of the expression language have even spaces. Texts that people read are never touched.
//!
//! Comments stay where they are. The values are the same before and after: it is compared, and a file of which this is not true
//! is left as it was.

use std::fmt;

use crate::expression::{even, spaceless};
use crate::scan::{Entry, Part, Token, parts, tokens};

/// Why a file is left as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unformatted {
    /// It is not TOML.
    Syntax(String),
    /// Its values would change: a mistake of ours.
    Changes,
}

impl fmt::Display for Unformatted {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unformatted::Syntax(what) => write!(out, "it is not TOML: {what}"),
            Unformatted::Changes => write!(out, "formatting would change its values, so it stays as it is"),
        }
    }
}

/// Keys of texts that people read, and of names: their spaces are their own.
const READ: [&str; 12] =
    ["about", "covers", "id", "note", "only_in", "reason", "shown", "source", "text", "title", "version", "what"];

/// Formats a file. Formatting it again changes nothing.
///
/// # Errors
/// If it is not TOML.
pub fn format(text: &str) -> Result<String, Unformatted> {
    let before: toml::Table = text.parse().map_err(|error: toml::de::Error| {
        let line = error.span().map_or(1, |span| text.get(..span.start).unwrap_or_default().lines().count().max(1));
        Unformatted::Syntax(format!("line {line}: {}", error.message()))
    })?;
    let text = text.replace("\r\n", "\n");
    let parts = parts(&text);
    let mut out = String::with_capacity(text.len());
    let mut rest = parts.as_slice();
    while let Some((first, behind)) = rest.split_first() {
        match first {
            Part::Blank => {
                let more = behind.iter().take_while(|part| **part == Part::Blank).count();
                rest = behind.get(more..).unwrap_or_default();
                if !out.is_empty() && !rest.is_empty() {
                    out.push('\n');
                }
                continue;
            }
            Part::Comment(range) => push_line(&mut out, text.get(range.clone()).unwrap_or_default()),
            Part::Header(range) => push_line(&mut out, &header(text.get(range.clone()).unwrap_or_default())),
            Part::Entry(_) => {
                let count = rest.iter().take_while(|part| matches!(part, Part::Entry(_) | Part::Comment(_))).count();
                let (block, behind) = rest.split_at_checked(count).unwrap_or((rest, &[]));
                entries(&text, block, &mut out);
                rest = behind;
                continue;
            }
        }
        rest = behind;
    }
    let after: toml::Table = out.parse().map_err(|_| Unformatted::Changes)?;
    if alike(&before, &after) { Ok(out) } else { Err(Unformatted::Changes) }
}

fn push_line(out: &mut String, line: &str) {
    out.push_str(line.trim_end());
    out.push('\n');
}

/// `[ card . inn ]  # x` as `[card.inn]  # x`.
fn header(line: &str) -> String {
    let mut out = String::new();
    for token in tokens(line) {
        match token {
            Token::Space(_) | Token::Line => {}
            Token::Text(piece) | Token::Word(piece) => out.push_str(piece),
            Token::Sign(sign) => out.push(sign),
            Token::Comment(piece) => {
                out.push_str("  ");
                out.push_str(piece);
            }
        }
    }
    // A comment keeps its distance, which may be aligned with others.
    match (line.find(" #"), out.find("  #")) {
        (Some(_), Some(at)) => {
            let code = line.split(" #").next().unwrap_or_default();
            let spaces = code.len() - code.trim_end().len() + 1;
            let (head, comment) = (out.get(..at).unwrap_or_default(), out.get(at..).unwrap_or_default().trim_start());
            format!("{head}{}{comment}", " ".repeat(spaces))
        }
        _ => out,
    }
}

/// Entries that stand together. A list or a table of several lines stands for itself, and others begin anew behind it.
fn entries(text: &str, block: &[Part], out: &mut String) {
    let is_tall = |part: &Part| match part {
        Part::Entry(entry) => {
            let value = text.get(entry.value.clone()).unwrap_or_default();
            value.contains('\n') && value.starts_with(['[', '{'])
        }
        Part::Blank | Part::Comment(_) | Part::Header(_) => false,
    };
    let mut seen: Vec<usize> = Vec::new();
    // Where all of them are aligned already, lists of several lines are no reason to begin anew.
    if let Some(column) = column(text, block, &seen).filter(|column| is_even(text, block, *column)) {
        block.iter().for_each(|part| line(text, part, column, out));
        return;
    }
    for run in block.split_inclusive(is_tall) {
        let (run, tall) = match run.split_last() {
            Some((last, before)) if is_tall(last) => (before, Some(last)),
            _ => (run, None),
        };
        let column = column(text, run, &seen);
        seen.extend(column);
        run.iter().for_each(|part| line(text, part, column.unwrap_or(0), out));
        if let Some(Part::Entry(entry)) = tall {
            let (key, place) = wide(text, entry);
            let column = if place >= key && seen.contains(&place) { place } else { key };
            line(text, &Part::Entry(entry.clone()), column, out);
        }
    }
}

/// Whether the `=` of all entries stand at a place.
fn is_even(text: &str, block: &[Part], column: usize) -> bool {
    block.iter().all(|part| match part {
        Part::Entry(entry) => wide(text, entry).1 == column,
        Part::Blank | Part::Comment(_) | Part::Header(_) => true,
    })
}

/// The length of a key, and how far its `=` is from the beginning of the key.
fn wide(text: &str, entry: &Entry) -> (usize, usize) {
    let key = text.get(entry.key.clone()).unwrap_or_default().chars().count();
    let behind = text.get(entry.key.end..entry.value.start).unwrap_or_default();
    (key, key + behind.find('=').unwrap_or(1).saturating_sub(1))
}

/// Where the `=` of entries stand: where they are, if they are below one another, else behind the longest key. `seen` are the
/// places of entries above.
fn column(text: &str, run: &[Part], seen: &[usize]) -> Option<usize> {
    let entries = run.iter().filter_map(|part| match part {
        Part::Entry(entry) => Some(wide(text, entry)),
        Part::Blank | Part::Comment(_) | Part::Header(_) => None,
    });
    let all: Vec<(usize, usize)> = entries.collect();
    let longest = all.iter().map(|(key, _)| *key).max()?;
    let first = all.first().map(|(_, place)| *place)?;
    let is_even = first >= longest && all.iter().all(|(_, place)| *place == first);
    // One alone is aligned with those above, or with nothing.
    Some(if is_even && (all.len() > 1 || seen.contains(&first)) { first } else { longest })
}

/// An entry or a comment, with the `=` at a place.
fn line(text: &str, part: &Part, column: usize, out: &mut String) {
    match part {
        Part::Entry(entry) => {
            let key = text.get(entry.key.clone()).unwrap_or_default();
            let name = key.rsplit('.').next().unwrap_or_default().trim_matches(['"', '\'']).to_string();
            let value = value(text.get(entry.value.clone()).unwrap_or_default(), &name);
            let padding = " ".repeat(column.saturating_sub(key.chars().count()));
            let mut line = format!("{key}{padding} = {value}");
            if let Some(comment) = &entry.comment {
                // As many spaces before it as there were, because comments may stand below one another.
                let gap = text.get(entry.value.end..comment.start).unwrap_or("  ").len().max(1);
                line.push_str(&" ".repeat(gap));
                line.push_str(text.get(comment.clone()).unwrap_or_default());
            }
            push_line(out, &line);
        }
        Part::Comment(range) => push_line(out, text.get(range.clone()).unwrap_or_default()),
        Part::Blank | Part::Header(_) => {}
    }
}

/// A value with even spaces. `key` is the last part of its key.
fn value(written: &str, key: &str) -> String {
    let all = tokens(written);
    if let [Token::Text(text)] = all.as_slice() {
        return text_value(text, key);
    }
    if all.contains(&Token::Line) {
        // Its lines are arranged by hand; only what nobody sees is removed.
        return lines(&all, key);
    }
    let mut out = String::new();
    let mut key = key.to_string();
    let mut pending = key.clone();
    let mut keys = Vec::new();
    for token in all {
        match token {
            Token::Space(_) | Token::Line | Token::Comment(_) => {}
            Token::Sign('{') => {
                keys.push(key.clone());
                out.push_str("{ ");
            }
            Token::Sign('}') => {
                out.truncate(out.trim_end().len());
                out.push_str(if out.ends_with('{') { "}" } else { " }" });
                key = keys.pop().unwrap_or_default();
            }
            Token::Sign('[') => {
                keys.push(key.clone());
                out.push('[');
            }
            Token::Sign(']') => {
                out.truncate(out.trim_end().trim_end_matches(',').len());
                out.push(']');
                key = keys.pop().unwrap_or_default();
            }
            Token::Sign(',') => out.push_str(", "),
            Token::Sign(_) => {
                key = pending.rsplit('.').next().unwrap_or_default().to_string();
                out.push_str(" = ");
            }
            Token::Text(text) => {
                pending = text.trim_matches(['"', '\'']).to_string();
                out.push_str(&text_value(text, &key));
            }
            Token::Word(word) => {
                pending = word.to_string();
                out.push_str(word);
            }
        }
    }
    out
}

/// A value on several lines: without spaces at their ends.
fn lines(all: &[Token<'_>], key: &str) -> String {
    let mut out = String::new();
    for token in all {
        match token {
            Token::Line => {
                out.truncate(out.trim_end_matches([' ', '\t']).len());
                out.push('\n');
            }
            Token::Space(piece) => out.push_str(&piece.replace('\r', "")),
            Token::Text(piece) if piece.contains('\n') => out.push_str(&text_value(piece, key)),
            Token::Text(piece) | Token::Word(piece) | Token::Comment(piece) => out.push_str(piece),
            Token::Sign(sign) => out.push(*sign),
        }
    }
    out
}

/// A text in quotes.
fn text_value(written: &str, key: &str) -> String {
    let quotes = ["\"\"\"", "'''", "\"", "'"].into_iter().find(|quotes| written.starts_with(*quotes)).unwrap_or("\"");
    let inner = written.strip_prefix(quotes).and_then(|rest| rest.strip_suffix(quotes));
    // An escape stands for a letter that the language cannot be asked about.
    let has_escapes = |inner: &str| inner.contains('\\') && quotes.starts_with('"');
    match inner {
        Some(inner) if !READ.contains(&key) && !has_escapes(inner) => format!("{quotes}{}{quotes}", even(inner)),
        _ => written.to_string(),
    }
}

/// Whether two tables are the same but for spaces in texts of the expression language.
fn alike(before: &toml::Table, after: &toml::Table) -> bool {
    let same = |(one, other): ((&String, &toml::Value), (&String, &toml::Value))| {
        one.0 == other.0 && alike_values(one.0, one.1, other.1)
    };
    before.len() == after.len() && before.iter().zip(after).all(same)
}

fn alike_values(key: &str, before: &toml::Value, after: &toml::Value) -> bool {
    use toml::Value;
    match (before, after) {
        (Value::String(one), Value::String(other)) if !READ.contains(&key) => spaceless(one) == spaceless(other),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| alike_values(key, one, other))
        }
        (Value::Table(one), Value::Table(other)) => alike(one, other),
        (one, other) => one == other,
    }
}

#[cfg(test)]
mod tests {
    use super::{Unformatted, format};

    #[track_caller]
    fn check(before: &str, after: &str) {
        let formatted = format(before).expect("it is TOML");
        assert_eq!(formatted, after);
        assert_eq!(format(&formatted).as_deref(), Ok(after), "formatting it again changes it");
    }

    #[test]
    fn equals_signs_stand_below_one_another() {
        check(
            "\n\n[ card . inn ]   # a shop\ntitle=\"Inn\"\ncost =  '2 coin+1 rope'   # much\n# a remark\non.sold = \"gain  1 coin\"\n\n\n\n[card.mill]\ntitle = \"The  mill\"",
            "[card.inn]   # a shop\ntitle   = \"Inn\"\ncost    = '2 coin + 1 rope'   # much\n# a remark\non.sold = \"gain 1 coin\"\n\n[card.mill]\ntitle = \"The  mill\"\n",
        );
    }

    #[test]
    fn values_on_one_line_have_even_spaces() {
        check(
            "[a]\nx={was=1,now=2}\ny=[ 1,2 , ]\nz={}\nlong = { do=\"gain  1 coin\", text=\"a  b\" }\n",
            "[a]\nx    = { was = 1, now = 2 }\ny    = [1, 2]\nz    = {}\nlong = { do = \"gain 1 coin\", text = \"a  b\" }\n",
        );
    }

    #[test]
    fn values_on_several_lines_keep_them() {
        let text = "[a]\nwhen = [\n  { seat = 1,   choose = \"inn\" },\n  # why\n  { seat = 2, choose = \"mill\" },\n]\neffect = \"\"\"\ngain 1 coin;\n  pay 1 rope\n\"\"\"\n";
        check(&text.replace("},\n", "},  \r\n"), text);
    }

    #[test]
    fn what_is_aligned_stays() {
        let text = "[a]\nname     = 1\nx        = 2\nwhen     = [\n  1,\n]\nthen     = 3\n\n[b]\nx = 1\nwhen = [\n  1,\n]\nlong = 2\ny    = 3\n";
        check(text, text);
        check("[b]\nx = 1\nname  = 2\nwhen  = [\n  1,\n]\n", "[b]\nx    = 1\nname = 2\nwhen = [\n  1,\n]\n");
    }

    #[test]
    fn texts_in_quotes_stay_as_they_are() {
        let text = "a = \"x # = [y]\"\nb = '\\'\nc = \"\\\" = \"\nd = '''\n'a' \"\"\" b '''\n\"e f\".g = 1\n";
        let after = "a       = \"x # = [y]\"\nb       = '\\'\nc       = \"\\\" = \"\nd       = '''\n'a' \"\"\" b '''\n\"e f\".g = 1\n";
        check(text, after);
    }

    #[test]
    fn what_is_not_toml_is_left_alone() {
        assert!(matches!(format("a = 1\nb = \n"), Err(Unformatted::Syntax(what)) if what.starts_with("line 2: ")));
        check("", "");
        check("# only a remark", "# only a remark\n");
    }
}
