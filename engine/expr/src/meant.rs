//! What was meant by a text that cannot be read: habits of other languages and of plain English, with what to write.
//!
//! Looks at the text alone, at the place where reading stopped. A cure that can be applied as it stands is kept with the
//! mistake, so that reading can go on behind it (`recover.rs`) and tests can try it.

use std::ops::Range;

use rulepack_model::nearest;

use crate::error::ExprError;

/// The words that steps begin with.
pub(crate) const VERBS: [&str; 36] = [
    "gain", "pay", "put", "store", "take", "return", "lay", "move", "draw", "shuffle", "refill", "flip", "choose",
    "pick", "let", "roll", "set", "may", "either", "repeat", "for", "if", "as", "raise", "do", "use", "end", "pass",
    "rejoin", "pause", "cancel", "look", "turn", "phase", "game", "each",
];

/// Those of them that begin a step, not those that only follow another word.
fn is_verb(word: &str) -> bool {
    VERBS[..32].contains(&word)
}

/// Words of the language, which nothing can be called: as in the grammar.
const RESERVED: [&str; 25] = [
    "and", "or", "not", "where", "if", "then", "else", "to", "on", "from", "for", "each", "in", "is", "my", "of", "by",
    "as", "at", "true", "false", "may", "choose", "either", "repeat",
];

/// Whether a word belongs to the language, so that no text can use it as a name.
pub fn is_reserved(word: &str) -> bool {
    RESERVED.contains(&word)
}

/// Steps of other games' languages, and how they are written here.
const ELSEWHERE: [(&str, &str); 16] = [
    ("add", "what a player gets is written `gain 1 NAME`"),
    ("buy", "write `pay … -> gain …`"),
    ("deal", "cards are dealt by `draw 3 from deck to my hand`, for everybody with `for each player in players { … }`"),
    ("discard", "write `move card to ZONE`, with the zone of discarded cards"),
    ("get", "what a player gets is written `gain 1 NAME`"),
    ("give", "write `as PLAYER { take 1 NAME from me }`, or `move card to ZONE of PLAYER`"),
    ("loop", "texts always end: write `repeat 3 { … }` or `for each NAME in … { … }`"),
    ("lose", "what a player loses is written `pay 1 NAME`"),
    ("perform", "another action is done by `do NAME`"),
    ("play", "an effect of a piece is used by `use card.NAME`"),
    ("remove", "write `move card to ZONE`, with the zone of what is out of the game"),
    ("reveal", "one player sees pieces by `look at …`, everybody by `move card to ZONE face up`"),
    ("show", "one player sees pieces by `look at …`, everybody by `move card to ZONE face up`"),
    ("spend", "what a player spends is written `pay 1 NAME`"),
    ("swap", "move one after the other: `let place = a.cell; move a to b.cell; move b to place`"),
    ("while", "texts always end: write `repeat 3 { … }` or `for each NAME in … { … }`"),
];

/// A number in words.
pub(crate) fn number_word(word: &str) -> Option<usize> {
    const WORDS: [&str; 11] = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
    WORDS.iter().position(|known| *known == word)
}

/// What was meant where reading stopped at `stop`, if that can be told; `effect` if the text is one of steps.
pub(crate) fn meant(text: &str, stop: usize, effect: bool) -> Option<ExprError> {
    let here = Place { text, stop, effect };
    here.quotes()
        .or_else(|| here.brackets())
        .or_else(|| here.signs())
        .or_else(|| here.steps())
        .or_else(|| here.reserved_name())
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

/// Where reading stopped.
struct Place<'t> {
    text: &'t str,
    stop: usize,
    effect: bool,
}

impl<'t> Place<'t> {
    fn rest(&self) -> &'t str {
        &self.text[self.stop..]
    }

    /// The step around the place, without the signs that end it.
    fn step(&self) -> Range<usize> {
        step_around(self.text, self.stop)
    }

    fn quotes(&self) -> Option<ExprError> {
        const ODD: [char; 9] =
            ['"', '`', '\u{2018}', '\u{2019}', '\u{201a}', '\u{201c}', '\u{201d}', '\u{201e}', '\u{b4}'];
        if self.rest().starts_with('\'') {
            let message = "this quote has no partner";
            return Some(
                ExprError::syntax(self.stop..self.stop + 1, message).help("a symbol stands between two: `'red'`"),
            );
        }
        let open = self.rest().chars().next().filter(|letter| ODD.contains(letter))?;
        let inner = &self.rest()[open.len_utf8()..];
        let end = inner.find(ODD).unwrap_or_else(|| word_at(inner).len());
        let closing = inner[end..].chars().next().filter(|letter| ODD.contains(letter)).map_or(0, char::len_utf8);
        let at = self.stop..self.stop + open.len_utf8() + end + closing;
        let (what, word) = (if open == '"' { "double quotes" } else { "these quotes" }, inner[..end].trim());
        let message = format!("{what} have no meaning inside a text");
        Some(ExprError::syntax(at, message).cured(format!("'{word}'"), "a symbol stands in straight single quotes: "))
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
        // A block can only end where the text does; where another bracket belongs is not known.
        if left == '{' {
            let end = self.text.trim_end().len();
            error.cure = Some((end..end, " }".to_string()));
        }
        let wrong = wrong.filter(|_| left == '{');
        wrong.or_else(|| Some(error.help(format!("add the missing `{}`", closing(left)))))
    }

    /// In a text of several lines, the lines on which braces begin and end show which of them are meant for one another.
    fn misplaced(&self, first: usize, last: usize) -> Option<ExprError> {
        let line = |at: usize| {
            let start = self.text[..at].rfind('\n').map_or(0, |newline| newline + 1);
            let indent = leading(&self.text[start..]);
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
        let pays = self.text[self.step()].trim_start().starts_with("pay ");
        let swap = |sign: &str, with: &str, message: &str| {
            let at = self.stop..self.stop + sign.len();
            Some(ExprError::syntax(at, message.to_string()).cured(with.to_string(), ""))
        };
        // Reading may have stopped behind the first sign of two.
        let back = |signs: &str| {
            let from = self.stop.checked_sub(1).filter(|from| self.text.is_char_boundary(*from))?;
            self.text[from..].starts_with(signs).then_some(from)
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
        if rest.starts_with("===") {
            return swap("===", "==", "`===` is no comparison");
        }
        if rest.starts_with("&&") || rest.starts_with('&') {
            let sign = if rest.starts_with("&&") { "&&" } else { "&" };
            return swap(sign, "and", &format!("`{sign}` is written as a word"));
        }
        if rest.starts_with("||") || rest.starts_with('|') {
            let sign = if rest.starts_with("||") { "||" } else { "|" };
            return swap(sign, "or", &format!("`{sign}` is written as a word"));
        }
        if let Some(after) = rest.strip_prefix(',') {
            let after = after.trim_start();
            if self.effect && is_verb(word_at(after)) {
                return swap(",", ";", "steps are separated by `;`");
            }
            if after.starts_with(|letter: char| letter.is_ascii_digit()) {
                return swap(",", " +", "the parts of a cost are added");
            }
        }
        if rest.starts_with('!') && !rest.starts_with("!=") {
            return swap("!", "not ", "`!` is written as a word");
        }
        if rest.starts_with('=') && !rest.starts_with("==") {
            return match self.effect && !self.text[self.step()].trim_start().starts_with("if ") {
                true => None,
                false => swap("=", "==", "two things are compared with `==`"),
            };
        }
        None
    }

    /// `set round += 1`
    fn assignment(&self, sign: &str) -> Option<ExprError> {
        let step = self.step();
        let before = self.text[step.start..self.stop].trim();
        let target = before.strip_prefix("set ").unwrap_or(before).trim();
        let value = self.text[self.stop + sign.len()..step.end].trim();
        let start = step.start + leading(&self.text[step.clone()]);
        let message = format!("`{sign}` is not known");
        let cure = format!("set {target} = {target} {} {value}", &sign[..1]);
        Some(ExprError::syntax(start..step.start + self.text[step].trim_end().len(), message).cured(cure, ""))
    }

    fn steps(&self) -> Option<ExprError> {
        if !self.effect {
            return None;
        }
        let step = self.step();
        let start = step.start + leading(&self.text[step.clone()]);
        let first = word_at(&self.text[start..]);
        let word = word_at(self.rest());
        let stops_inside = self.stop > start;
        if stops_inside && is_verb(first) {
            let found = match first {
                "if" => self.branches(start),
                "pay" => self.exchange(start),
                "either" => self.unnamed_ways(),
                "choose" => self.choice(start),
                _ => None,
            };
            if found.is_some() {
                return found;
            }
            if word == "or" {
                return Some(ExprError::syntax(self.stop..self.stop + 2, "one step does one thing").help(
                    "a choice is written `either one { … } or other { … }`, with a question for each: `[prompt.one]`",
                ));
            }
            if is_verb(word) && word != "as" && word != "for" {
                return Some(missing_semicolon(self.text, self.text[..self.stop].trim_end().len(), self.stop, word));
            }
            return None;
        }
        let before = self.text[..start].trim_end();
        if is_verb(first) && before.ends_with('}') {
            return Some(missing_semicolon(self.text, before.len(), start, first));
        }
        if first.is_empty() || is_verb(first) {
            return None;
        }
        self.no_step(start, first)
    }

    /// A step that begins with a word that begins none.
    fn no_step(&self, start: usize, first: &str) -> Option<ExprError> {
        let at = start..start + first.len();
        let message = format!("no step begins with `{first}`");
        let small = first.to_lowercase();
        if small != first && is_verb(&small) {
            return Some(ExprError::syntax(at, "words of the language are written small").cured(small, ""));
        }
        let followed_by = self.text[at.end..].trim_start();
        if let Some((_, help)) = ELSEWHERE.iter().find(|(word, _)| *word == small) {
            return Some(ExprError::syntax(at, message).help(*help));
        }
        if followed_by.starts_with('=') && !followed_by.starts_with("==") {
            let cure = Some((at.clone(), format!("set {first}")));
            let error = ExprError::syntax(at, "a variable is changed by `set`");
            return Some(ExprError { cure, ..error.help(format!("write `set {first} = …`")) });
        }
        if followed_by.starts_with('.') {
            return None;
        }
        if let Some(verb) = nearest(&small, VERBS[..32].iter().copied()) {
            let mut error = ExprError::syntax(at.clone(), message).help(format!("did you mean `{verb}`?"));
            error.cure = Some((at, verb.to_string()));
            return Some(error);
        }
        let help = "steps begin with `gain`, `pay`, `move`, `choose`, `if`, `for each`, `set`, `raise` and others: see docs/expressions.md";
        Some(ExprError::syntax(at, message).help(help))
    }

    /// `if c gain …`, `if c then … else …`
    fn branches(&self, start: usize) -> Option<ExprError> {
        let step = self.step();
        let word = word_at(self.rest());
        let then = word == "then";
        if !(then || is_verb(word)) || self.text[start..self.stop].contains('{') {
            return None;
        }
        let from = if then { self.stop + word.len() } else { self.stop };
        let body = self.text[from..step.end].trim();
        let (yes, no) = match body.split_once(" else ") {
            Some((yes, no)) => (yes.trim(), Some(no.trim())),
            None => (body, None),
        };
        let mut cure = format!("{{ {yes} }}");
        if let Some(no) = no {
            cure.push_str(&format!(" else {{ {no} }}"));
        }
        let message = if then { "an `if` among steps has no `then`" } else { "what happens if so stands in braces" };
        let end = self.text[..step.end].trim_end().len();
        let mut error = ExprError::syntax(self.stop..self.stop + word.len(), message);
        error.cure = Some((self.stop..end, cure));
        Some(error.help("write `if … { … }`, with `else { … }` if need be"))
    }

    /// `pay 2 coin to gain 1 rope`
    fn exchange(&self, start: usize) -> Option<ExprError> {
        let step = self.step();
        let text = &self.text[start..step.end];
        let (at, word) = [" to ", " for "].into_iter().find_map(|word| {
            let at = text.find(word)?;
            is_verb(word_at(&text[at + word.len()..])).then_some((start + at + 1, word.trim()))
        })?;
        Some(ExprError::syntax(at..at + word.len(), "an exchange is written with `->`").cured("->".into(), ""))
    }

    /// `either { … } or { … }`
    fn unnamed_ways(&self) -> Option<ExprError> {
        let before = self.text[..self.stop].trim_end();
        let last = before.rsplit(|letter: char| !is_letter(letter)).next().unwrap_or("");
        let bare = self.rest().starts_with('{') && (last == "either" || last == "or");
        bare.then(|| {
            ExprError::syntax(self.stop..self.stop + 1, "each way of an `either` has a name, which the player reads").help(
                "write `either one { … } or other { … }`, and declare the names: `[prompt.one]` and `[prompt.other]`",
            )
        })
    }

    /// `choose 2 card in …`
    fn choice(&self, start: usize) -> Option<ExprError> {
        let before = self.text[start + "choose".len()..self.stop].trim();
        let number = before.parse::<u32>().ok().map(|number| number as usize).or_else(|| number_word(before))?;
        if word_at(self.rest()).is_empty() {
            return None;
        }
        let at = self.text[..self.stop].rfind(before)?;
        let message = "a choice of several says the least and the most";
        Some(ExprError::syntax(at..at + before.len(), message).cured(format!("{number}..{number}"), ""))
    }

    /// A word of the language where a name should stand.
    fn reserved_name(&self) -> Option<ExprError> {
        let word = word_at(self.rest());
        let before = self.text[..self.stop].trim_end();
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
    /// Says what to write, and that it can be put there as it stands.
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

/// Two steps with nothing between them; `end` is that of the first.
fn missing_semicolon(text: &str, end: usize, start: usize, word: &str) -> ExprError {
    // On two lines, it is the end of the first that lacks it.
    let last = text[..end].chars().next_back().map_or(0, char::len_utf8);
    let at = if text[end..start].contains('\n') { end - last..end } else { start..start + word.len() };
    let mut error = ExprError::syntax(at, "steps are separated by `;`");
    error.cure = Some((end..end, ";".to_string()));
    error.help(format!("write `;` before `{word}`"))
}

fn is_letter(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// The word that a text begins with.
fn word_at(text: &str) -> &str {
    &text[..text.find(|letter: char| !is_letter(letter)).unwrap_or(text.len())]
}

fn leading(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// Letters that stand neither in a symbol nor in a comment, with their places.
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
