//! From the help of a finding to an edit of its file.
//!
//! [`cure`] gives an edit only if it follows from the finding alone and leaves nothing to decide: it can be applied without
//! asking. [`offers`] adds what somebody must choose from or look at, for editors. Nothing here writes a file.

// Input comes from strangers: no input may end the program.
#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

use std::ops::Range;

use rulepack_model::{Code, Diagnostic, Sources, Span, is_near};
use rulepack_pack::read_toml;

/// A replacement in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// The file and the range of bytes; empty if something is only inserted.
    pub at: Span,
    /// The new text.
    pub text: String,
}

/// An edit that an editor can offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Offer {
    /// What it does, for people.
    pub title: String,
    /// The edit.
    pub edit: Edit,
    /// Whether it can be applied without asking.
    pub is_safe: bool,
}

/// The edit that corrects a finding, if its help leaves nothing to decide.
///
/// ```
/// use rulepack_model::{Code, Diagnostic, Sources, Span};
/// use rulepack_tools::cure;
///
/// let mut sources = Sources::default();
/// let file = sources.add("zones.toml", "refill = \"dekc\"\n");
/// let found = Diagnostic::error(Code::UnknownName, "no zone is called `dekc`").at(Span::new(file, 9, 15));
/// let edit = cure(&found.help("did you mean `deck`?"), &sources).unwrap();
/// assert_eq!((edit.at, edit.text.as_str()), (Span::new(file, 10, 14), "deck"));
/// ```
pub fn cure(found: &Diagnostic, sources: &Sources) -> Option<Edit> {
    if let Some((at, text)) = &found.ties.cure {
        return Some(Edit { at: *at, text: text.clone() });
    }
    let (help, at) = (found.help.as_deref()?, found.labels.first()?.span);
    if let Some(meant) = between(help, "did you mean `", "`?") {
        return renamed(found, at, meant, sources);
    }
    match found.code {
        Code::WrongType => {
            let value = between(help, "write `", "`, without quotes").or(between(help, "write `[", "]`")
                .map(|_| help.strip_prefix("write `").and_then(|rest| rest.strip_suffix('`')).unwrap_or_default()))?;
            is_value(value).then(|| Edit { at, text: value.to_string() })
        }
        // `write `weight = 100``, at the value.
        Code::WrongValue => {
            let (key, value) = between(help, "write `", "`")?.split_once(" = ")?;
            let is_here = key_before(at, sources) == Some(key);
            (is_here && is_value(value) && is_value(sources.text(at))).then(|| Edit { at, text: value.to_string() })
        }
        // `on_built` for `on.built`.
        Code::UnknownKey => {
            let key = between(help, "write `", "`")?;
            let same = key.replace('.', "_") == sources.text(at);
            same.then(|| Edit { at, text: key.to_string() })
        }
        Code::TomlSyntax => syntax(help, at, sources),
        _ => None,
    }
}

/// Everything that an editor can offer for a finding, the safe cure first.
pub fn offers(found: &Diagnostic, sources: &Sources) -> Vec<Offer> {
    let cure = cure(found, sources).map(|edit| {
        let title = match (edit.text.as_str(), sources.text(edit.at)) {
            ("", was) => format!("Remove `{}`", short(was)),
            (now, "") => format!("Insert `{}`", short(now)),
            (now, was) => format!("Change `{}` to `{}`", short(was), short(now)),
        };
        Offer { title, edit, is_safe: true }
    });
    let mut all: Vec<Offer> = cure.into_iter().collect();
    if let (Some(help), Some(at)) = (found.help.as_deref(), found.labels.first().map(|label| label.span)) {
        if all.is_empty() {
            all.extend(alternatives(found, help, at, sources));
        }
        if found.code == Code::MissingKey && all.is_empty() {
            all.extend(missing_key(help, at, sources));
        }
        if found.code == Code::MissingTranslation && all.is_empty() {
            all.extend(missing_translation(help, sources));
        }
    }
    all
}

/// `there are `a`, `b` and 3 more`: each is offered.
fn alternatives<'a>(
    found: &'a Diagnostic,
    help: &'a str,
    at: Span,
    sources: &'a Sources,
) -> impl Iterator<Item = Offer> + 'a {
    let listed = ["there are `", "there is only `", "the keys are `", "write \""];
    let is_list = listed.iter().any(|begin| help.starts_with(begin));
    let sign = if help.starts_with("write \"") { '"' } else { '`' };
    let words = help.split(sign).skip(1).step_by(2).filter(move |_| is_list);
    words.filter(|word| is_word(word)).filter_map(move |word| {
        let last = found.message.split('`').skip(1).step_by(2).filter(|quoted| is_word(quoted)).last()?;
        let here = once(sources.text(at), last)?;
        let start = (at.start as usize).checked_add(here.start)?;
        let at = Span::new(at.file, start, start.checked_add(here.len())?);
        Some(Offer { title: format!("Change to `{word}`"), edit: Edit { at, text: word.to_string() }, is_safe: false })
    })
}

/// `add `version = "…"``: a line below the header of the table, or below the first line of the place.
fn missing_key(help: &str, at: Span, sources: &Sources) -> Option<Offer> {
    let line = between(help, "add `", "`").or(between(help, "write `", "`"))?;
    line.split_once(" = ").filter(|(key, _)| is_word(key))?;
    let text = &sources.get(at.file)?.text;
    let here = text.get(at.start as usize..)?;
    // A table in braces has no lines.
    if here.starts_with('{') {
        return None;
    }
    let below = here.find('\n').map_or(text.len(), |end| (at.start as usize).saturating_add(end).saturating_add(1));
    let edit = Edit { at: Span::new(at.file, below, below), text: format!("{line}\n") };
    Some(Offer { title: format!("Add `{}`", short(line)), edit, is_safe: false })
}

/// `write it under `[card.inn]` in `locale/fr.toml``: a table at the end of that file.
fn missing_translation(help: &str, sources: &Sources) -> Option<Offer> {
    let (header, rest) = help.strip_prefix("write it under `")?.split_once("` in `")?;
    let path = rest.strip_suffix('`')?;
    let (file, source) = sources.iter().filter(|(_, source)| source.path.ends_with(&format!("/{path}"))).last()?;
    let end = source.text.len();
    let edit = Edit { at: Span::new(file, end, end), text: format!("\n{header}\ntitle = \"…\"\n") };
    Some(Offer { title: format!("Add {header} to {path}"), edit, is_safe: false })
}

/// The key of a value that stands in its line.
fn key_before(at: Span, sources: &Sources) -> Option<&str> {
    let before = sources.get(at.file)?.text.get(..at.start as usize)?;
    let key = before.rsplit('\n').next()?.trim_end().strip_suffix('=')?.trim_end();
    key.rsplit(|letter: char| letter == '.' || letter == ',' || letter == '{' || letter.is_whitespace()).next()
}

/// Another word in the place of the misspelt one: of the words that the message quotes, one that is nearly the same.
fn renamed(found: &Diagnostic, at: Span, meant: &str, sources: &Sources) -> Option<Edit> {
    let text = sources.text(at);
    // A word with something behind it is probably two.
    let is_slip = |word: &&str| *word != meant && word.len().abs_diff(meant.len()) <= 2 && is_near(word, [meant]);
    let quoted = || found.message.split('`').skip(1).step_by(2);
    let parts = quoted().flat_map(|word| word.split(['.', '[', ']'])).filter(|_| !meant.contains('.'));
    for word in quoted().chain(parts).filter(is_slip) {
        if word == text {
            return Some(Edit { at, text: meant.to_string() });
        }
        if let Some(here) = once(text, word) {
            let start = (at.start as usize).checked_add(here.start)?;
            let end = (at.start as usize).checked_add(here.end)?;
            return Some(Edit { at: Span::new(at.file, start, end), text: meant.to_string() });
        }
    }
    None
}

/// The only place of a word in a text.
fn once(text: &str, word: &str) -> Option<Range<usize>> {
    let part = |letter: char| letter.is_alphanumeric() || letter == '_' || letter == '-';
    let mut places = text.match_indices(word).filter(|(start, found)| {
        let end = start.saturating_add(found.len());
        let before = text.get(..*start).and_then(|before| before.chars().next_back());
        let after = text.get(end..).and_then(|after| after.chars().next());
        !before.is_some_and(part) && !after.is_some_and(part)
    });
    let (start, found) = places.next()?;
    places.next().is_none().then(|| start..start.saturating_add(found.len()))
}

/// What stands between two texts that a text begins and ends with; nothing in it may be quoted again.
fn between<'t>(text: &'t str, begin: &str, end: &str) -> Option<&'t str> {
    let inner = text.strip_prefix(begin)?.strip_suffix(end)?;
    // Capitals stand for what somebody must put in.
    const STANDS_FOR: [&str; 5] = ["KEY", "KIND", "NAME", "ROW", "VALUE"];
    let is_whole =
        !inner.is_empty() && !inner.contains(['`', '…']) && !STANDS_FOR.iter().any(|word| inner.contains(word));
    is_whole.then_some(inner)
}

/// Whether a text is a whole value of TOML.
fn is_value(text: &str) -> bool {
    !text.contains(['\n', '…']) && reads(&format!("x = {text}"))
}

fn is_word(text: &str) -> bool {
    let part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    !text.is_empty() && text.chars().all(part)
}

fn short(text: &str) -> String {
    const MOST: usize = 40;
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.chars().count() <= MOST { line } else { line.chars().take(MOST).collect::<String>() + "…" }
}

/// A mistake in a line of TOML. The edit is kept only if the line is then right, with the same key.
fn syntax(help: &str, at: Span, sources: &Sources) -> Option<Edit> {
    let text = &sources.get(at.file)?.text;
    let start = text.get(..at.start as usize)?.rfind('\n').map_or(0, |end| end.saturating_add(1));
    let rest = text.get(start..)?;
    let line = rest.split(['\n', '\r']).next()?;
    let code = line.split(" #").next().unwrap_or(line).trim_end();
    let new = if let Some(written) = between(help, "write `", "`").or(between(help, "write it as `", "`")) {
        // A whole line, or the name of a table; a value alone would have to be placed.
        let is_line = written.contains(" = ") || written.starts_with('[') && code.trim_start() == code;
        match is_line {
            true => written.to_string(),
            false => format!("{} = {written}", code.split_once('=')?.0.trim_end()),
        }
    } else if let Some(quoted) = between(help, "write straight ones: `", "`") {
        format!("{} = {quoted}", code.split_once('=')?.0.trim_end())
    } else if let Some(more) = between(help, "leave out the `", "`") {
        code.strip_suffix(more.trim_end())?.trim_end().to_string()
    } else if help == "write `# …`" {
        comment(code)?
    } else if let Some(key) = help.strip_prefix("write `").and_then(|rest| rest.strip_suffix(" = …`")) {
        let value = code.trim_start().strip_prefix(key)?.trim_start_matches([':', '=', '>', '-', ' ']);
        format!("{key} = {value}")
    } else {
        added_sign(help, code)?
    };
    let is_right = new != code && reads(&new);
    is_right.then(|| Edit { at: Span::new(at.file, start, start.saturating_add(code.len())), text: new })
}

/// A line with the quote or bracket that is missing at its end.
fn added_sign(help: &str, code: &str) -> Option<String> {
    let sign = match help {
        "add the missing quote at its end" => {
            let value = code.split_once('=')?.1.trim_start();
            value.chars().next().filter(|quote| ['"', '\''].contains(quote))?.to_string()
        }
        _ => between(help, "add the missing `", "`")?.to_string(),
    };
    let code = code.trim_end_matches(',');
    let space = if sign == "}" && !code.ends_with(' ') { " " } else { "" };
    Some(format!("{code}{space}{sign}"))
}

/// `x = 1 // note`, or a line that is a comment.
fn comment(code: &str) -> Option<String> {
    for sign in ["//", "--", "/*"] {
        if let Some((before, note)) = code.split_once(sign) {
            let note = note.trim().trim_end_matches("*/").trim_end();
            let before = before.trim_end();
            let space = if before.is_empty() { "" } else { "  " };
            return Some(format!("{before}{space}# {note}"));
        }
    }
    None
}

/// Whether a line is right TOML by itself.
fn reads(line: &str) -> bool {
    let (mut sources, mut mistakes) = (Sources::default(), Vec::new());
    let file = sources.add("line", line);
    let table = read_toml(&sources, file, &mut mistakes);
    mistakes.is_empty() && !table.is_empty() || line.trim_start().starts_with('#')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a cure makes of a text; `|` marks the beginning and the end of the place.
    #[track_caller]
    fn cured(code: Code, text: &str, message: &str, help: &str) -> Option<String> {
        let parts: Vec<&str> = text.split('|').collect();
        let [before, place, after] = parts[..] else { panic!("two marks in {text}") };
        let mut sources = Sources::default();
        let whole = format!("{before}{place}{after}");
        let file = sources.add("a.toml", whole.as_str());
        let at = Span::new(file, before.len(), before.len() + place.len());
        let found = Diagnostic::error(code, message).at(at).help(help);
        let edit = cure(&found, &sources)?;
        let (start, end) = (edit.at.start as usize, edit.at.end as usize);
        Some(format!("{}{}{}", &whole[..start], edit.text, &whole[end..]))
    }

    #[test]
    fn a_misspelt_word_is_replaced_where_it_stands() {
        let mean = "did you mean `deck`?";
        let unknown = |text| cured(Code::UnknownName, text, "no zone is called `dekc`", mean);
        assert_eq!(unknown("refill = |\"dekc\"|").as_deref(), Some("refill = \"deck\""));
        assert_eq!(
            unknown("effect = \"draw 1 from |dekc| to row\"").as_deref(),
            Some("effect = \"draw 1 from deck to row\"")
        );
        // Which of the two is meant is not known.
        assert_eq!(unknown("x = |\"dekc dekc\"|"), None);
        assert_eq!(unknown("x = |\"deck\"|"), None);
    }

    #[test]
    fn values_of_the_wrong_sort() {
        let wrong = |text, help| cured(Code::WrongType, text, "`x` must be another thing", help);
        assert_eq!(wrong("count = |\"3\"|", "write `3`, without quotes").as_deref(), Some("count = 3"));
        assert_eq!(wrong("of = |\"a, b\"|", "write `[\"a\", \"b\"]`").as_deref(), Some("of = [\"a\", \"b\"]"));
        assert_eq!(wrong("of = |3|", "write a list of texts"), None);
        assert_eq!(wrong("of = |3|", "write `true` or `false`"), None);
    }

    #[test]
    fn lines_that_are_no_toml() {
        let wrong = |text, help| cured(Code::TomlSyntax, text, "wrong", help);
        assert_eq!(wrong("title = |I|nn\n", "write `title = \"Inn\"`").as_deref(), Some("title = \"Inn\"\n"));
        assert_eq!(wrong("a = \"b|\n|c = 1", "add the missing quote at its end").as_deref(), Some("a = \"b\"\nc = 1"));
        assert_eq!(wrong("a |:| 1 # x\n", "write `a = …`").as_deref(), Some("a = 1 # x\n"));
        assert_eq!(wrong("a = |{| b = 1\nc = 2", "add the missing `}`").as_deref(), Some("a = { b = 1 }\nc = 2"));
        assert_eq!(wrong("a = 1 |/|/ note", "write `# …`").as_deref(), Some("a = 1  # note"));
        assert_eq!(wrong("a = |{|", "add the missing `]`"), None);
    }
}
