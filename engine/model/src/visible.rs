//! Texts of packs, scripts, saves and file names, made safe for display.
//!
//! Such a text can contain characters that control a terminal, change the direction of writing, or are invisible. The
//! functions of this file make them visible: the escape character becomes `\u{1b}`. Everything that is printed goes
//! through one of them.

use std::borrow::Cow;

/// Whether a character controls the text around it or is invisible: control characters (line ends too), changes of
/// direction, spaces without width, tags.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            // The soft hyphen and the Arabic letter mark.
            '\u{ad}' | '\u{61c}' | '\u{180e}'
            // No width, marks of direction; the ends of lines and paragraphs; embeddings and overrides.
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
            // Joiners, invisible operators, isolates.
            | '\u{2060}'..='\u{206f}'
            // The byte order mark, and marks between lines.
            | '\u{feff}' | '\u{fff9}'..='\u{fffb}'
            // Tags.
            | '\u{e0000}'..='\u{e007f}')
}

/// A text, shown on one line.
pub fn one_line(text: &str) -> Cow<'_, str> {
    replaced(text, is_hidden, |c, out| out.extend(c.escape_default()))
}

/// A text that may have several lines.
pub fn lines(text: &str) -> Cow<'_, str> {
    replaced(text, |c| c != '\n' && is_hidden(c), |c, out| out.extend(c.escape_default()))
}

/// Several lines; no line gets longer.
pub fn joined<S: AsRef<str>>(all: impl IntoIterator<Item = S>) -> String {
    let shown: Vec<String> = all.into_iter().map(|line| one_line(line.as_ref()).into_owned()).collect();
    shown.join("\n")
}

/// Lines with colours: escape sequences that only set a colour are kept.
pub fn coloured_lines(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (index, part) in text.split("\u{1b}[").enumerate() {
        let is_colour = |(numbers, _): &(&str, &str)| numbers.chars().all(|c| c.is_ascii_digit() || c == ';');
        match part.split_once('m').filter(is_colour) {
            _ if index == 0 => out.push_str(&lines(part)),
            Some((numbers, rest)) => {
                out.push_str(&format!("\u{1b}[{numbers}m"));
                out.push_str(&lines(rest));
            }
            None => {
                out.push_str("\\u{1b}[");
                out.push_str(&lines(part));
            }
        }
    }
    out
}

/// A text of a file in which each invisible character is replaced by one of the same number of bytes, so that places
/// stay right. Tabs and ASCII control characters are left to the code that displays the text.
pub fn same_length(text: &str) -> Cow<'_, str> {
    let is_long = |c: char| !c.is_ascii() && is_hidden(c);
    replaced(text, is_long, |c, out| {
        out.push(match c.len_utf8() {
            2 => '·',
            3 => '\u{fffd}',
            _ => '\u{10102}',
        });
    })
}

/// JSON in which every such character is written as `\u…`. JSON itself requires this only for characters below the
/// space. Between texts, JSON contains none of them except line ends. The result is no command to a CI system either:
/// see [`without_commands`].
pub fn json(text: &str) -> Cow<'_, str> {
    let text = replaced(
        text,
        |c| c != '\n' && is_hidden(c),
        |c, out| {
            let mut units = [0; 2];
            for unit in c.encode_utf16(&mut units) {
                out.push_str(&format!("\\u{unit:04x}"));
            }
        },
    );
    if text.contains(MARK) { Cow::Owned(text.replace(MARK, "#\\u0023[")) } else { text }
}

/// The mark of an older kind of command, anywhere in a line.
const MARK: &str = "##[";

/// Makes sure that no line is a command to the CI system that shows it: such a line begins with `::`, or contains
/// `##[`.
pub fn without_commands(text: &str) -> Cow<'_, str> {
    // The text before and after the marks. With three of these characters it is the place of a snippet, and no command
    // has such a name.
    fn around_marks(line: &str) -> Option<(&str, &str)> {
        let is_start = |(before, rest): &(&str, &str)| before.trim_start().is_empty() && !rest.starts_with(':');
        line.split_once("::").filter(is_start)
    }
    let is_command = |line: &str| around_marks(line).is_some() || line.contains(MARK);
    if !text.lines().any(is_command) {
        return Cow::Borrowed(text);
    }
    let shown = text.split('\n').map(|line| {
        let line = match around_marks(line) {
            Some((before, rest)) => format!("{before}\\u{{3a}}:{rest}"),
            None => line.to_string(),
        };
        line.replace(MARK, "#\\u{23}[")
    });
    Cow::Owned(shown.collect::<Vec<_>>().join("\n"))
}

fn replaced(text: &str, is_bad: impl Fn(char) -> bool, put: impl Fn(char, &mut String)) -> Cow<'_, str> {
    let Some((good, rest)) = text.find(&is_bad).and_then(|first| text.split_at_checked(first)) else {
        return Cow::Borrowed(text);
    };
    let mut out = String::with_capacity(text.len().saturating_add(16));
    out.push_str(good);
    for c in rest.chars() {
        if is_bad(c) { put(c, &mut out) } else { out.push(c) }
    }
    Cow::Owned(out)
}

/// A number with separators: `1,234,567` for `1234567`.
pub fn with_commas(number: usize) -> String {
    let digits = number.to_string();
    let parts: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|part| std::str::from_utf8(part).unwrap_or("")).collect();
    parts.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One character of each kind.
    const HIDDEN: &str = "\u{0}\t\n\r\u{1b}\u{7f}\u{85}\u{9b}\u{ad}\u{61c}\u{200b}\u{200d}\u{200f}\u{2028}\u{202e}\u{2066}\u{feff}\u{e0041}";

    #[test]
    fn what_is_hidden_becomes_visible_and_nothing_else_changes() {
        let plain = "Señor «Ω» 漢字 👍 e\u{301} – `\\n`";
        for text in [one_line(plain), lines(plain), same_length(plain), json(plain), without_commands(plain)] {
            assert_eq!(text, plain);
        }
        assert_eq!(
            one_line(HIDDEN),
            "\\u{0}\\t\\n\\r\\u{1b}\\u{7f}\\u{85}\\u{9b}\\u{ad}\\u{61c}\\u{200b}\\u{200d}\\u{200f}\\u{2028}\\u{202e}\\u{2066}\\u{feff}\\u{e0041}"
        );
        assert_eq!(lines("a\nb\u{9b}"), "a\nb\\u{9b}");
        assert_eq!(joined(["a\nb", "c"]), "a\\nb\nc");
    }

    #[test]
    fn places_in_a_text_stay_right() {
        let shown = same_length(HIDDEN);
        assert_eq!(shown.len(), HIDDEN.len());
        assert!(shown.chars().all(|c| c.is_ascii() || !is_hidden(c)));
        let starts = |text: &str| text.char_indices().map(|(at, _)| at).collect::<Vec<_>>();
        assert_eq!(starts(&shown), starts(HIDDEN));
    }

    #[test]
    fn colours_pass_and_no_other_sequence() {
        assert_eq!(coloured_lines("\u{1b}[1;31mred\u{1b}[0m\nx"), "\u{1b}[1;31mred\u{1b}[0m\nx");
        assert_eq!(coloured_lines("\u{1b}[2Jx\u{1b}]0;t\u{7}"), "\\u{1b}[2Jx\\u{1b}]0;t\\u{7}");
        assert_eq!(coloured_lines("\u{1b}["), "\\u{1b}[");
    }

    #[test]
    fn a_line_is_no_command() {
        assert_eq!(
            without_commands("a\n  ::error::x\n::y\nb ##[group]"),
            "a\n  \\u{3a}:error::x\n\\u{3a}:y\nb #\\u{23}[group]"
        );
        assert_eq!(without_commands("a::b ##\n ::: path"), "a::b ##\n ::: path");
    }

    #[test]
    fn json_means_what_it_meant() {
        assert_eq!(json("[\"##[x]\"]"), "[\"#\\u0023[x]\"]");
        assert_eq!(
            json("{\n  \"a\": \"\u{202e}\u{9b}\u{e0041}\"\n}"),
            "{\n  \"a\": \"\\u202e\\u009b\\udb40\\udc41\"\n}"
        );
    }
}
