//! Suggestions for texts that cannot be parsed: habits of other languages and of plain English, with what to write.
//!
//! Looks at the text alone, at the place where parsing stopped. A replacement that is correct as it stands is kept with
//! the mistake, so that parsing can go on behind it (`recover.rs`) and tests can try it.

#![allow(
    clippy::arithmetic_side_effects,
    reason = "places in one text of at most 8,000 bytes are added up, and a wrong one cuts out nothing"
)]

mod amounts;
mod letters;
mod shapes;
mod steps;
mod values;
mod verbs;
mod words;

use std::ops::Range;

use rulepack_model::{Cut, nearest};

pub(crate) use self::words::VERBS;
use self::words::{ELSEWHERE, is_verb};
pub use self::words::{MEANT_EVERYWHERE, RESERVED, is_reserved, means_something, name_besides, number_word};
use crate::error::ExprError;
use crate::parse::TextShape;

/// The suggestion for a text in which parsing stopped at `stop`, if there is one.
pub(crate) fn meant(text: &str, stop: usize, shape: TextShape) -> Option<ExprError> {
    if shape == TextShape::Cost {
        return meant_cost(text, stop);
    }
    let here = Place { text, stop, effect: shape == TextShape::Effect };
    here.letters()
        .or_else(|| here.comments())
        .or_else(|| here.quoted_amount())
        .or_else(|| here.quotes())
        .or_else(|| here.in_other_brackets())
        .or_else(|| here.brackets())
        .or_else(|| here.joints())
        .or_else(|| here.less_before_the_end())
        .or_else(|| here.values())
        .or_else(|| here.signs())
        .or_else(|| here.steps())
        .or_else(|| here.reserved_name())
}

/// The same for a cost: the text behind `pay`.
fn meant_cost(text: &str, stop: usize) -> Option<ExprError> {
    const PAY: &str = "pay ";
    let whole = format!("{PAY}{text}");
    let here = Place { text: &whole, stop: stop + PAY.len(), effect: true };
    let found = here
        .letters()
        .or_else(|| here.comments())
        .or_else(|| here.quoted_amount())
        .or_else(|| here.quotes())
        .or_else(|| here.brackets())
        .or_else(|| here.joints())
        .or_else(|| here.numbers())
        .or_else(|| here.less_before_the_end())
        .or_else(|| here.capitals())
        .or_else(|| here.signs())?;
    let back = |at: Range<usize>| at.start.saturating_sub(PAY.len())..at.end.saturating_sub(PAY.len());
    let help = found.help.map(|help| help.replace("`pay ", "`").into());
    let cure = found.cure.map(|(at, with)| (back(at), with));
    Some(ExprError { at: back(found.at.clone()), help, cure, ..found })
}

/// The syntax of the step around a place, or of a value: shown if there is no better suggestion.
pub(crate) fn shape_of(text: &str, stop: usize, shape: TextShape) -> String {
    let here = Place { text, stop, effect: shape == TextShape::Effect };
    let first = word_at(text.cut(here.step()).trim_start());
    match (shape, shapes::shape(first)) {
        (TextShape::Effect, Some(written)) => format!("this step is written `{written}`"),
        (TextShape::Effect, None) => STEPS.to_string(),
        (TextShape::Cost, _) => "a cost is written `2 NAME + 1 NAME`".to_string(),
        (TextShape::Expr, _) => {
            "such as `my.NAME >= 3`, `any(SET where it.NAME > 1)`: see docs/expressions.md".to_string()
        }
    }
}

/// The beginnings of steps.
const STEPS: &str = "steps begin with `gain`, `pay`, `move`, `choose`, `if`, `for each`, `set`, `raise` and others: see docs/expressions.md";

/// A mistake with a suggestion, and with the replacement that corrects it.
fn put(
    at: Range<usize>,
    message: impl Into<String>,
    help: impl Into<String>,
    place: Range<usize>,
    with: String,
) -> ExprError {
    let cure = Some((place, with));
    ExprError { cure, ..ExprError::syntax(at, message).help(help) }
}

/// Signs that belong together.
const PAIRS: [(char, char); 3] = [('{', '}'), ('(', ')'), ('[', ']')];

fn closing(left: char) -> char {
    PAIRS.iter().find(|(known, _)| *known == left).map_or(left, |(_, right)| *right)
}

fn not_closed(left: char) -> String {
    format!("this `{left}` is not closed")
}

fn too_many(at: usize, right: char) -> ExprError {
    ExprError::syntax(at..at + 1, format!("there is a `{right}` too many")).cured(String::new(), "leave it out")
}

/// The place where parsing stopped.
struct Place<'t> {
    text: &'t str,
    stop: usize,
    effect: bool,
}

impl<'t> Place<'t> {
    fn rest(&self) -> &'t str {
        self.text.cut(self.stop..)
    }

    /// The step around the place, without the sign that ends it.
    fn step(&self) -> Range<usize> {
        step_around(self.text, self.stop)
    }

    /// `2 coin less 1 + 1 rope`: what is left out must come after all that is paid.
    fn less_before_the_end(&self) -> Option<ExprError> {
        const LESS: &str = " less ";
        let step = self.step();
        let less = self.text.get(step.start..self.stop)?.rfind(LESS)? + step.start;
        let behind = less + LESS.len();
        let sign = self.text.get(behind..self.stop)?.find('+')? + behind;
        let (paid, left_out) = (self.text.cut(step.start..less).trim(), self.text.cut(behind..sign).trim());
        let more = self.text.cut(sign + 1..step.end).trim();
        let at = less + 1..behind - 1;
        Some(
            ExprError::syntax(at, "`less` stands behind all that is paid")
                .help(format!("write `{paid} + {more} less {left_out}`")),
        )
    }

    /// `gain "coin"`: names in quotes instead of an amount.
    fn quoted_amount(&self) -> Option<ExprError> {
        let quoted = self.rest().starts_with(letters::is_quote);
        let start = self.step().start + leading(self.text.cut(self.step()));
        let first = word_at(self.text.cut(start..));
        if !self.effect || !quoted || self.stop <= start || !is_verb(first) {
            return None;
        }
        self.by_verb(start, first).filter(|error| error.message.contains("quotes"))
    }

    fn in_other_brackets(&self) -> Option<ExprError> {
        let start = self.step().start + leading(self.text.cut(self.step()));
        (self.effect && self.stop >= start && self.stop <= start + 1).then(|| self.other_brackets(start)).flatten()
    }

    /// Signs and words between steps.
    fn joints(&self) -> Option<ExprError> {
        if !self.effect {
            return None;
        }
        let start = self.step().start + leading(self.text.cut(self.step()));
        let first = word_at(self.text.cut(start..));
        let amount = if self.stop > start { self.amount(start, first) } else { None };
        amount.or_else(|| self.between())
    }

    fn brackets(&self) -> Option<ExprError> {
        let mut open: Vec<(usize, char)> = Vec::new();
        let mut wrong = None;
        for (at, letter) in plain(self.text) {
            if PAIRS.iter().any(|(left, _)| *left == letter) {
                open.push((at, letter));
            }
            let Some((left, right)) = PAIRS.iter().find(|(_, right)| *right == letter) else { continue };
            match open.pop() {
                Some((first, '{')) if letter == '}' => wrong = wrong.or_else(|| self.misplaced(first, at)),
                Some((_, found)) if found == *left => {}
                None => return wrong.or_else(|| Some(too_many(at, *right))),
                Some((_, '{')) => {
                    let message = format!("this `{right}` closes nothing");
                    let help = format!("leave it out, or add the `{left}` that it closes");
                    return Some(ExprError::syntax(at..at + 1, message).help(help));
                }
                Some((first, found)) => {
                    let help = format!("write `{}` before the `{right}`", closing(found));
                    return Some(ExprError::syntax(first..first + 1, not_closed(found)).help(help));
                }
            }
        }
        let (at, left) = open.pop()?;
        let mut error = ExprError::syntax(at..at + 1, not_closed(left));
        // A block can only end where the text does; the place of the missing bracket is unknown.
        if left == '{' {
            let end = self.text.trim_end().len();
            error.cure = Some((end..end, " }".to_string()));
        }
        let wrong = wrong.filter(|_| left == '{');
        wrong.or_else(|| Some(error.help(format!("add the missing `{}`", closing(left)))))
    }

    /// In a text of several lines, the lines on which braces open and close show which of them belong together.
    fn misplaced(&self, first: usize, last: usize) -> Option<ExprError> {
        let line = |at: usize| {
            let start = self.text.cut(..at).rfind('\n').map_or(0, |newline| newline + 1);
            let indent = leading(self.text.cut(start..));
            (start, indent, start + indent == at)
        };
        let ((opened, outer, _), (closed, inner, begins)) = (line(first), line(last));
        if opened == closed {
            return None;
        }
        match begins {
            true if outer > inner => {
                Some(ExprError::syntax(first..first + 1, not_closed('{')).help("add the missing `}`"))
            }
            false if outer < inner => Some(too_many(last, '}')),
            _ => None,
        }
    }

    fn signs(&self) -> Option<ExprError> {
        let rest = self.rest();
        let pays = self.text.cut(self.step()).trim_start().starts_with("pay ");
        let swap = |sign: &str, with: &str, message: &str| {
            let at = self.stop..self.stop + sign.len();
            Some(ExprError::syntax(at, message.to_string()).cured(with.to_string(), ""))
        };
        // Parsing may have stopped behind the first of two signs.
        let back = |signs: &str| {
            let from = self.stop.checked_sub(1).filter(|from| self.text.is_char_boundary(*from))?;
            self.text.cut(from..).starts_with(signs).then_some(from)
        };
        if let Some(sign) = ["+=", "-="].into_iter().find(|sign| rest.starts_with(sign)) {
            return self.assignment(sign);
        }
        if rest.starts_with("=>") {
            return match self.effect && pays {
                true => swap("=>", "->", "an exchange is written with `->`"),
                false => swap("=>", ">=", "`=>` is no comparison"),
            };
        }
        if rest.starts_with("=<") {
            return swap("=<", "<=", "`=<` is no comparison");
        }
        if rest.starts_with("<>") {
            return swap("<>", "!=", "`<>` is no comparison");
        }
        if let Some(from) = back("<>") {
            return Some(ExprError::syntax(from..from + 2, "`<>` is no comparison").cured("!=".into(), ""));
        }
        if rest.starts_with("&&") || rest.starts_with('&') {
            let sign = if rest.starts_with("&&") { "&&" } else { "&" };
            return swap(sign, "and", &format!("`{sign}` is written as a word"));
        }
        if rest.starts_with("||") || rest.starts_with('|') {
            let sign = if rest.starts_with("||") { "||" } else { "|" };
            if self.effect && is_verb(word_at(rest.cut(sign.len()..).trim_start())) {
                return Some(one_of_both(self.stop..self.stop + sign.len()));
            }
            return swap(sign, "or", &format!("`{sign}` is written as a word"));
        }
        if let Some(after) = rest.strip_prefix(',') {
            let after = after.trim_start();
            let first = word_at(self.text.cut(self.step()).trim_start());
            if self.effect && is_verb(word_at(after)) && !steps::is_bodied(first) {
                return swap(",", ";", "steps are separated by `;`");
            }
            if after.starts_with(|letter: char| letter.is_ascii_digit()) {
                return swap(",", " +", "the parts of a cost are added");
            }
        }
        if rest.starts_with('!') && !rest.starts_with("!=") && !rest.cut(1..).trim().is_empty() {
            return swap("!", "not ", "`!` is written as a word");
        }
        if rest.starts_with('=') && !rest.starts_with("==") {
            return match self.effect && !self.text.cut(self.step()).trim_start().starts_with("if ") {
                true => None,
                false => swap("=", "==", "two things are compared with `==`"),
            };
        }
        None
    }

    /// `set round += 1`
    fn assignment(&self, sign: &str) -> Option<ExprError> {
        let step = self.step();
        let before = self.text.cut(step.start..self.stop).trim();
        let target = before.strip_prefix("set ").unwrap_or(before).trim();
        let value = self.text.cut(self.stop + sign.len()..step.end).trim();
        let start = step.start + leading(self.text.cut(step.clone()));
        let message = format!("`{sign}` is not known");
        let cure = format!("set {target} = {target} {} {value}", sign.cut(..1));
        Some(ExprError::syntax(start..step.start + self.text.cut(step).trim_end().len(), message).cured(cure, ""))
    }

    fn steps(&self) -> Option<ExprError> {
        if !self.effect {
            return None;
        }
        let step = self.step();
        let start = step.start + leading(self.text.cut(step.clone()));
        let first = word_at(self.text.cut(start..));
        let word = word_at(self.rest());
        let stops_inside = self.stop > start;
        if stops_inside && is_verb(first) {
            let found = match first {
                "pay" => self.exchange(start),
                "either" => self.unnamed_ways(start),
                "choose" => self.choice(start),
                _ => None,
            };
            if let Some(found) = found.or_else(|| self.by_verb(start, first)) {
                return Some(found);
            }
            if word == "or" {
                return Some(one_of_both(self.stop..self.stop + 2));
            }
            if self.rest().trim() == "end" {
                let at = self.stop..self.stop + 3;
                return Some(put(
                    at.clone(),
                    "a block ends with `}`, and a text by itself",
                    "leave it out",
                    at,
                    String::new(),
                ));
            }
            if is_verb(word) && word != "as" && word != "for" {
                return Some(missing_semicolon(
                    self.text,
                    self.text.cut(..self.stop).trim_end().len(),
                    self.stop,
                    word,
                ));
            }
            return None;
        }
        let before = self.text.cut(..start).trim_end();
        if is_verb(first) && before.ends_with('}') {
            return Some(missing_semicolon(self.text, before.len(), start, first));
        }
        if is_verb(first) {
            // The first word was parsed, but not what must follow it.
            return self.by_verb(start, first).filter(|_| self.stop == start);
        }
        self.no_verb(start, first).or_else(|| if first.is_empty() { None } else { self.no_step(start, first) })
    }

    /// A step that begins with a word that begins no step.
    fn no_step(&self, start: usize, first: &str) -> Option<ExprError> {
        let at = start..start + first.len();
        let message = format!("no step begins with `{first}`");
        let small = first.to_lowercase();
        if small != first && is_verb(&small) {
            let step = self.step();
            // People who write one word in capitals write all of them so.
            let all = if first.chars().all(char::is_uppercase) { start..step.end.max(at.end) } else { at.clone() };
            let cure = self.text.cut(all.clone()).to_lowercase();
            return Some(put(at, "words of the language are written small", format!("write `{small}`"), all, cure));
        }
        let followed_by = self.text.cut(at.end..).trim_start();
        if let Some((_, help)) = ELSEWHERE.iter().find(|(word, _)| *word == small) {
            return Some(ExprError::syntax(at, message).help(*help));
        }
        if followed_by.starts_with('.') {
            return None;
        }
        if let Some(verb) = nearest(&small, VERBS) {
            let mut error = ExprError::syntax(at.clone(), message).help(format!("did you mean `{verb}`?"));
            error.cure = Some((at, verb.to_string()));
            return Some(error);
        }
        Some(ExprError::syntax(at, message).help(STEPS))
    }

    /// `pay 2 coin to gain 1 rope`
    fn exchange(&self, start: usize) -> Option<ExprError> {
        let step = self.step();
        let text = self.text.cut(start..step.end);
        let (at, word) = [" to ", " for "].into_iter().find_map(|word| {
            let at = text.find(word)?;
            is_verb(word_at(text.cut(at + word.len()..))).then_some((start + at + 1, word.trim()))
        })?;
        Some(ExprError::syntax(at..at + word.len(), "an exchange is written with `->`").cured("->".into(), ""))
    }

    /// `either { … } or { … }`, `either gain … or gain …`
    fn unnamed_ways(&self, start: usize) -> Option<ExprError> {
        let at = if self.rest().is_empty() { start..start + "either".len() } else { self.here() };
        let message = "each way of an `either` has a name, which the player reads, and stands in braces";
        Some(ExprError::syntax(at, message).help(
            "write `either one { … } or other { … }`, and declare the names: `[prompt.one]` and `[prompt.other]`",
        ))
    }

    /// `choose 2 card in …`
    fn choice(&self, start: usize) -> Option<ExprError> {
        let before = self.text.cut(start + "choose".len()..self.stop).trim();
        let number = before.parse::<u32>().ok().map(|number| number as usize).or_else(|| number_word(before))?;
        if word_at(self.rest()).is_empty() {
            return None;
        }
        let at = self.text.cut(..self.stop).rfind(before)?;
        let message = "a choice of several says the least and the most";
        Some(ExprError::syntax(at..at + before.len(), message).cured(format!("{number}..{number}"), ""))
    }

    /// A keyword instead of a name.
    fn reserved_name(&self) -> Option<ExprError> {
        let word = word_at(self.rest());
        let before = self.text.cut(..self.stop).trim_end();
        let last = before.rsplit(|letter: char| !is_letter(letter)).next().unwrap_or("");
        let wants_name = before.ends_with("..")
            || before.ends_with(['(', ',', '+', '-', '*', '/', '<', '>', '=', '['])
            || ["choose", "each", "let", "pick", "roll", "raise", "do", "my", "different", "and", "or", "not", "is"]
                .contains(&last)
            || is_verb(last);
        let begins = before.is_empty() && !self.effect;
        if !is_reserved(word) || !(wants_name || begins) || ["not", "if", "my", "true", "false"].contains(&word) {
            return None;
        }
        let message = format!("`{word}` is a word of the language and names nothing");
        Some(ExprError::syntax(self.stop..self.stop + word.len(), message).help("take another name"))
    }
}

impl ExprError {
    /// Adds what to write, and the replacement that is correct as it stands.
    fn cured(mut self, with: String, why: &str) -> Self {
        let help = match why {
            "leave it out" => why.to_string(),
            _ => format!("{why}write `{}`", with.trim()),
        };
        self.help = Some(help.into());
        self.cure = Some((self.at.clone(), with));
        self
    }
}

/// Two ways to go on in one step.
fn one_of_both(at: Range<usize>) -> ExprError {
    ExprError::syntax(at, "one step does one thing")
        .help("a choice is written `either one { … } or other { … }`, with a question for each: `[prompt.one]`")
}

/// Two steps with nothing between them; `end` is that of the first.
fn missing_semicolon(text: &str, end: usize, start: usize, word: &str) -> ExprError {
    // If they are on two lines, the `;` is missing at the end of the first.
    let last = text.cut(..end).chars().next_back().map_or(0, char::len_utf8);
    let at =
        if text.cut(end..start).contains('\n') { end.saturating_sub(last)..end } else { start..start + word.len() };
    let mut error = ExprError::syntax(at, "steps are separated by `;`");
    error.cure = Some((end..end, ";".to_string()));
    error.help(format!("write `;` before `{word}`"))
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The first word of a text.
fn word_at(text: &str) -> &str {
    text.cut(..text.find(|letter: char| !is_letter(letter)).unwrap_or(text.len()))
}

fn leading(text: &str) -> usize {
    text.len().saturating_sub(text.trim_start().len())
}

/// Letters outside symbols and comments, with their places.
fn plain(text: &str) -> impl Iterator<Item = (usize, char)> {
    let (mut symbol, mut comment) = (false, false);
    text.char_indices().filter(move |(_, letter)| {
        match letter {
            '\n' => (symbol, comment) = (false, false),
            '#' if !symbol => comment = true,
            '\'' if !comment => symbol = !symbol,
            _ => {}
        }
        !symbol && !comment
    })
}

/// The step around a place with all of its blocks.
pub(crate) fn whole_step(text: &str, place: usize) -> Range<usize> {
    let start = step_around(text, place).start;
    let mut depth = 0;
    for (at, letter) in plain(text).filter(|(at, _)| *at >= start) {
        match letter {
            '{' => depth += 1,
            '}' if depth == 0 => return start..at,
            '}' => depth -= 1,
            ';' if depth == 0 => return start..at,
            _ => {}
        }
    }
    start..text.len()
}

/// The step around a place: from the sign before it to the one after it.
fn step_around(text: &str, place: usize) -> Range<usize> {
    let (mut start, mut end) = (0, text.len());
    for (at, letter) in plain(text) {
        if !matches!(letter, ';' | '{' | '}') {
            continue;
        }
        if at < place {
            start = at + 1;
        } else if letter != '{' {
            end = at;
            break;
        }
    }
    start..end
}
