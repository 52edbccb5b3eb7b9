//! Unusual letters and signs, quotes, and comments of other languages.

use rulepack_model::{Cut, look_alike, plain_space};

use super::{Place, is_letter, put, word_at};
use crate::error::ExprError;

/// Typographic signs, with their plain replacements.
const SIGNS: [(char, &str); 19] = [
    ('\u{2265}', ">="),
    ('\u{2a7e}', ">="),
    ('\u{2264}', "<="),
    ('\u{2a7d}', "<="),
    ('\u{2260}', "!="),
    ('\u{2192}', "->"),
    ('\u{21d2}', "->"),
    ('\u{27f6}', "->"),
    ('\u{2794}', "->"),
    ('\u{2013}', "-"),
    ('\u{2014}', "-"),
    ('\u{2212}', "-"),
    ('\u{d7}', "*"),
    ('\u{b7}', "*"),
    ('\u{f7}', "/"),
    ('\u{2026}', ".."),
    ('\u{2227}', "and"),
    ('\u{2228}', "or"),
    ('\u{ac}', "not "),
];

/// Quotes that are not straight single quotes.
const QUOTES: [char; 13] = [
    '"', '`', '\u{2018}', '\u{2019}', '\u{201a}', '\u{201c}', '\u{201d}', '\u{201e}', '\u{b4}', '\u{ab}', '\u{bb}',
    '\u{2039}', '\u{203a}',
];

pub(super) fn is_quote(letter: char) -> bool {
    letter == '\'' || QUOTES.contains(&letter)
}

/// Whether the text behind `//` is a divisor rather than a comment: a number or an amount, and then no further word.
fn is_divided(behind: &str) -> bool {
    let behind = behind.trim_start();
    let end = behind.find(|letter: char| !is_letter(letter) && letter != '.').unwrap_or(behind.len());
    let (divisor, after) = (behind.cut(..end), behind.cut(end..).trim_start());
    let is_amount = divisor.parse::<u32>().is_ok() || divisor.split_once('.').is_some_and(|(_, name)| !name.is_empty());
    let next = word_at(after);
    is_amount && (next.is_empty() || ["and", "or", "then", "else", "as"].contains(&next))
}

impl Place<'_> {
    /// Spaces, letters and signs that look like plain ones but are not.
    pub(super) fn letters(&self) -> Option<ExprError> {
        let letter = self.rest().chars().next()?;
        let at = self.stop..self.stop + letter.len_utf8();
        if let Some(with) = plain_space(letter) {
            let message = format!("this is no plain space but the letter U+{:04X}", u32::from(letter));
            let help = if with.is_empty() { "leave it out" } else { "write a plain space" };
            // They come in numbers, with copied text.
            let end = self.text.rfind(|other| plain_space(other).is_some()).unwrap_or(self.stop);
            let end = end + self.text.cut(end..).chars().next().map_or(0, char::len_utf8);
            let plain = |other: char| plain_space(other).map_or_else(|| other.to_string(), str::to_string);
            let cure: String = self.text.cut(self.stop..end).chars().map(plain).collect();
            return Some(put(at, message, help, self.stop..end, cure));
        }
        if let Some((_, with)) = SIGNS.iter().find(|(sign, _)| *sign == letter) {
            // A negative amount is reported where amounts are checked.
            if *with == "-" && ["gain", "pay", "take"].contains(&self.before().0) {
                return None;
            }
            let pays = self.text.cut(self.step()).trim_start().starts_with("pay ");
            if *with == "->" && !(self.effect && pays) {
                let help = "`->` follows what is paid; steps are separated by `;`";
                return Some(ExprError::syntax(at, format!("`{letter}` has no meaning here")).help(help));
            }
            let message = format!("`{letter}` is written with plain signs");
            return Some(put(at.clone(), message, format!("write `{}`", with.trim()), at, (*with).to_string()));
        }
        let start = self
            .text
            .cut(..self.stop)
            .rfind(|letter| !is_letter(letter))
            .map_or(0, |before| before + self.text.cut(before..).chars().next().map_or(0, char::len_utf8));
        let word = word_at(self.text.cut(start..));
        if word.is_ascii() {
            return None;
        }
        let at = start..start + word.len();
        let Some((odd, plain)) = look_alike(word) else {
            let message = format!("`{word}` is not written with plain letters");
            return Some(
                ExprError::syntax(at, message).help("names are written with the letters a to z, digits and `_`"),
            );
        };
        let message = format!("the letter `{odd}` in `{word}` belongs to another alphabet (U+{:04X})", u32::from(odd));
        Some(put(at.clone(), message, format!("write `{plain}` with plain letters"), at, plain))
    }

    /// Comments of other languages.
    pub(super) fn comments(&self) -> Option<ExprError> {
        let signs = ["//", "/*", "--"];
        let begins =
            |from: &usize| self.text.get(*from..).is_some_and(|rest| signs.iter().any(|sign| rest.starts_with(sign)));
        // Parsing may have stopped behind the first of two signs.
        let start = Some(self.stop).filter(begins).or_else(|| self.stop.checked_sub(1).filter(begins))?;
        let rest = self.text.cut(start..);
        if rest.starts_with("//") && is_divided(rest.cut(2..)) {
            let at = start..start + 2;
            return Some(put(at.clone(), "`/` divides, and gives a whole number", "write `/`", at, "/".to_string()));
        }
        let (sign, message) = (rest.cut(..2), "a comment begins with `#`, and ends with its line");
        let at = start..start + 2;
        if sign == "/*" {
            let end = rest.find("*/").map_or(self.text.len(), |end| start + end + 2);
            return Some(put(at, message, "write `# …`", start..end, String::new()));
        }
        Some(put(at.clone(), message, "write `#`", at, "#".to_string()))
    }

    pub(super) fn quotes(&self) -> Option<ExprError> {
        let open = self.rest().chars().next().filter(|letter| is_quote(*letter))?;
        let inner = self.rest().cut(open.len_utf8()..);
        let before = self.text.cut(..self.stop);
        let last = before.rsplit(|letter| !is_letter(letter)).next().unwrap_or("");
        // `opponent's coin`
        if !last.is_empty() && inner.starts_with("s ") {
            let at = self.stop..self.stop + open.len_utf8() + 2;
            let message = "what somebody has stands behind a dot";
            return Some(put(at.clone(), message, format!("write `{last}.NAME`"), at, ".".to_string()));
        }
        // `red'`
        if !last.is_empty() && (inner.is_empty() || !inner.contains(is_quote)) {
            let at = self.stop..self.stop + open.len_utf8();
            let error = ExprError::syntax(at.clone(), "this quote has no partner");
            if self.compares() {
                let help = format!("a symbol stands between two: `'{last}'`");
                let cure = (self.stop.saturating_sub(last.len())..at.end, format!("'{last}'"));
                return Some(ExprError { cure: Some(cure), ..error.help(help) });
            }
            return Some(ExprError { cure: Some((at, String::new())), ..error.help("leave it out") });
        }
        if open == '\'' && inner.contains('\'') {
            return None;
        }
        if open == '\'' {
            let word = word_at(inner);
            let error = ExprError::syntax(self.stop..self.stop + 1, "this quote has no partner");
            let end = self.stop + 1 + word.len();
            let cure = (!word.is_empty()).then(|| (self.stop..end, format!("'{word}'")));
            return Some(ExprError { cure, ..error.help("a symbol stands between two: `'red'`") });
        }
        let end = inner.find(is_quote).unwrap_or_else(|| word_at(inner).len());
        let closing = inner.cut(end..).chars().next().filter(|letter| is_quote(*letter)).map_or(0, char::len_utf8);
        let at = self.stop..self.stop + open.len_utf8() + end + closing;
        let (what, word) = (if open == '"' { "double quotes" } else { "these quotes" }, inner.cut(..end).trim());
        if !word.chars().all(is_letter) {
            let message = format!("{what} have no meaning inside a text");
            return Some(put(at.clone(), message, "leave them out", at, word.to_string()));
        }
        let message = format!("{what} have no meaning inside a text");
        let help = format!("a symbol stands in straight single quotes: write `'{word}'`");
        Some(put(at.clone(), message, help, at, format!("'{word}'")))
    }

    /// Whether there is a comparison before the place.
    fn compares(&self) -> bool {
        let before = self.text.cut(..self.stop);
        let before = before.trim_end_matches(is_letter).trim_end();
        before.ends_with('=')
    }
}
