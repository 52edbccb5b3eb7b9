//! Lines of TOML in the style of other formats and languages, with what to write instead.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "places in one file of at most 4 MiB are added up, and a wrong one cuts out nothing"
)]

use std::ops::Range;

use rulepack_expr::number_word;
use rulepack_model::{Code, Cut, Diagnostic, Unplaced, look_alike, plain_space};

/// Signs that begin comments in other languages.
const COMMENTS: [&str; 3] = ["//", "--", "/*"];
/// Typographic quotes.
const QUOTES: [char; 9] =
    ['\u{201c}', '\u{201d}', '\u{201e}', '\u{2018}', '\u{2019}', '\u{ab}', '\u{bb}', '\u{2039}', '\u{203a}'];

fn error(message: impl Into<String>) -> Unplaced {
    Diagnostic::error(Code::TomlSyntax, message)
}

fn is_key_letter(letter: char) -> bool {
    letter.is_alphanumeric() || "._-".contains(letter)
}

/// The key that a line begins with, and what follows it.
fn key_of(line: &str) -> (&str, &str) {
    let line = line.trim_start();
    let end = line.find(|letter| !is_key_letter(letter)).unwrap_or(line.len());
    (line.cut(..end), line.cut(end..).trim())
}

/// The value of a line whose text has a quote at its end but none at its beginning.
pub(crate) fn no_opening_quote(line: &str) -> Option<Range<usize>> {
    let (_, behind) = line.split_once('=')?;
    let start = line.len().saturating_sub(behind.trim_start().len());
    let value = behind.trim();
    let inner = value.strip_suffix('"')?;
    let is_bare = inner.starts_with(char::is_alphabetic) && !inner.contains(['"', '=', '[', '{']);
    is_bare.then(|| start..start + value.len())
}

/// The intended line, if it can be guessed; parsing stopped at one of its bytes.
pub(crate) fn written_otherwise(line: &str, column: usize, message: &str) -> Option<Unplaced> {
    let (key, rest) = key_of(line);
    let stop = line.get(column..).unwrap_or("");
    letters(line, column)
        .or_else(|| comment(line, stop))
        .or_else(|| sign(key, rest, line.get(..column).unwrap_or(""), stop))
        .or_else(|| {
            no_opening_quote(line).map(|value| {
                let text = line.cut(value);
                error("the text has no quote at its beginning").help(format!("write `\"{text}`"))
            })
        })
        .or_else(|| value(key, rest, message))
}

/// Spaces and letters before the value that only look like plain ones.
fn letters(line: &str, column: usize) -> Option<Unplaced> {
    let key = line.cut(..line.find(['=', '"']).unwrap_or(line.len()));
    if let Some(letter) = key.chars().find(|letter| plain_space(*letter).is_some()) {
        let message = format!("this is no plain space but the letter U+{:04X}", u32::from(letter));
        let help = if plain_space(letter) == Some("") { "leave it out" } else { "write a plain space" };
        return Some(error(message).help(help));
    }
    if column > key.len() {
        return None;
    }
    let word = key.split(|letter: char| !is_key_letter(letter) || letter == '.').find(|word| !word.is_ascii())?;
    let Some((odd, plain)) = look_alike(word) else {
        let message = format!("`{word}` is not written with plain letters");
        return Some(error(message).help("names are written with the letters a to z, digits and `_`"));
    };
    let message = format!("the letter `{odd}` in `{word}` belongs to another alphabet (U+{:04X})", u32::from(odd));
    Some(error(message).help(format!("write `{plain}` with plain letters")))
}

fn comment(line: &str, stop: &str) -> Option<Unplaced> {
    let begins = |text: &str| COMMENTS.iter().any(|sign| text.starts_with(sign));
    let value = line.split_once('=').map_or("", |(_, value)| value.trim_start());
    let bare = !value.starts_with(['"', '\'']);
    let inside = bare && COMMENTS.iter().any(|sign| value.contains(&format!(" {sign}")));
    let is_comment = begins(line.trim_start()) || begins(stop.trim_start()) || inside;
    is_comment.then(|| error("a comment begins with `#`, and ends with its line").help("write `# …`"))
}

/// Another sign than `=` between a key and its value, or no sign.
fn sign(key: &str, rest: &str, before: &str, stop: &str) -> Option<Unplaced> {
    let inner: String = before.chars().rev().take_while(|letter| is_key_letter(*letter)).collect();
    if stop.starts_with(':') && !inner.is_empty() && before.contains(['{', ',']) {
        let inner: String = inner.chars().rev().collect();
        return Some(error("a key and its value are separated by `=`").help(format!("write `{inner} = …`")));
    }
    if key.is_empty() {
        let table = before.is_empty() && stop.starts_with(['{', '(', '<']) && !stop.contains('=');
        let path: String = stop.chars().filter(|letter| is_key_letter(*letter)).collect();
        return table.then(|| error("the name of a table stands in square brackets").help(format!("write `[{path}]`")));
    }
    if rest == ":" && !key.contains(' ') && key.contains('.') {
        return Some(error("the name of a table stands in square brackets").help(format!("write `[{key}]`")));
    }
    if [":=", "=>", "==", "->", ":"].iter().any(|sign| rest.starts_with(sign)) {
        return Some(error("a key and its value are separated by `=`").help(format!("write `{key} = …`")));
    }
    if rest.starts_with(['{', '"', '[', '\'']) {
        let message = "the `=` between a key and its value is missing";
        return Some(error(message).help(format!("write `{key} = …`")));
    }
    // `on sold = …`
    let (second, value) = key_of(rest);
    let is_two = !second.is_empty() && value.starts_with('=') && !rest.starts_with('=');
    is_two.then(|| {
        let help = format!("write `{key}.{second} = …` or `{key}_{second} = …`");
        error("a key has no spaces in it").help(help)
    })
}

/// Values that are not TOML.
fn value(key: &str, rest: &str, message: &str) -> Option<Unplaced> {
    let value = rest.strip_prefix('=')?.trim();
    let value = value.split(" #").next().unwrap_or(value).trim();
    if value.starts_with(QUOTES) {
        let inner = value.trim_matches(QUOTES);
        return Some(error("these are typographic quotes").help(format!("write straight ones: `\"{inner}\"`")));
    }
    if let Some(inner) = value.strip_prefix('"').and_then(|inner| inner.split_once('"')) {
        let behind = inner.1.trim();
        if behind == "," || behind == ";" {
            return Some(error("a line ends with its value").help(format!("leave out the `{behind}`")));
        }
        if behind.starts_with(',') && behind.matches('"').count() % 2 == 0 {
            return Some(error("several values stand in a list").help(format!("write `{key} = [{value}]`")));
        }
        if behind.starts_with(['+', '&']) || behind.starts_with("..") {
            return Some(error("texts are not added to one another").help("write one text"));
        }
        return None;
    }
    if let Some(inner) = value.strip_prefix('(') {
        let inner = inner.trim_end_matches(')').trim();
        let (open, close) = if inner.contains('=') { ("{ ", " }") } else { ("[", "]") };
        let message = "a list stands in square brackets, a table in braces";
        return Some(error(message).help(format!("write `{key} = {open}{inner}{close}`")));
    }
    if let Some(inner) =
        value.strip_prefix('{').and_then(|inner| inner.strip_suffix('}')).filter(|it| !it.contains(['=', ':']))
    {
        let inner = inner.trim();
        return Some(match inner.contains(['"', ',']) {
            true => error("a list stands in square brackets").help(format!("write `{key} = [{inner}]`")),
            false => error("a text must stand in quotes").help(format!("write `{key} = \"{inner}\"`")),
        });
    }
    let word = value.trim_end_matches([',', ';']);
    if word.len() < value.len() && !word.contains(['[', '{']) && !message.starts_with("unclosed") {
        return Some(error("a line ends with its value").help(format!("leave out the `{}`", value.cut(word.len()..))));
    }
    let is_number = |sign: char| word.contains(sign) && word.chars().all(|c| c.is_ascii_digit() || c == sign);
    if is_number(',') || is_number('.') {
        return Some(error("there are only whole numbers").help("write one, or count in smaller parts"));
    }
    if word.len() > 1 && word.chars().all(|c| c.is_ascii_digit()) {
        let plain = word.trim_start_matches('0');
        return Some(
            error("a number does not begin with 0")
                .help(format!("write `{}`", if plain.is_empty() { "0" } else { plain })),
        );
    }
    let small = word.to_lowercase();
    match small.as_str() {
        "true" | "yes" | "on" => Some(error("yes is written `true`").help(format!("write `{key} = true`"))),
        "false" | "no" | "off" => Some(error("no is written `false`").help(format!("write `{key} = false`"))),
        "null" | "nil" | "none" => Some(error("there is no empty value").help("leave the key out")),
        _ => number_word(&small)
            .map(|number| error("numbers are written in digits").help(format!("write `{key} = {number}`")))
            .or_else(|| {
                let is_word =
                    word.chars().all(|c| c.is_alphanumeric() || c == '_') && word.starts_with(char::is_alphabetic);
                let is_odd = message.starts_with("invalid boolean") || message.starts_with("invalid float");
                (is_word && is_odd)
                    .then(|| error("a text must stand in quotes").help(format!("write `{key} = \"{word}\"`")))
            }),
    }
}
