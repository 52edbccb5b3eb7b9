//! Steps in the style of plain English, of cards of other games, or of other languages.

use std::ops::Range;

use rulepack_model::Cut;

use super::words::{is_verb, number_word};
use super::{Place, is_letter, leading, put, word_at};
use crate::error::ExprError;

/// Steps with an amount.
pub(super) const COSTS: [&str; 6] = ["gain", "pay", "put", "store", "take", "return"];
/// Words before a name that have no meaning here.
pub(super) const ARTICLES: [&str; 3] = ["a", "an", "the"];
/// English verb forms, with the verbs of the language.
const DOES: [(&str, &str); 16] = [
    ("gains", "gain"),
    ("gets", "gain"),
    ("get", "gain"),
    ("receives", "gain"),
    ("pays", "pay"),
    ("loses", "pay"),
    ("lose", "pay"),
    ("spends", "pay"),
    ("draws", "draw"),
    ("chooses", "choose"),
    ("moves", "move"),
    ("takes", "take"),
    ("puts", "put"),
    ("shuffles", "shuffle"),
    ("flips", "flip"),
    ("rolls", "roll"),
];

pub(super) fn is_number(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|letter| letter.is_ascii_digit())
}

/// Two steps that are joined by something else than `;`.
fn joined(at: Range<usize>) -> ExprError {
    put(at.clone(), "steps are separated by `;`", "write `;`", at, ";".to_string())
}

impl<'t> Place<'t> {
    /// The place as a step of its own, without the sign that ends it.
    pub(super) fn whole(&self, start: usize) -> Range<usize> {
        let end = self.step().end;
        start..start + self.text.cut(start..end.max(start)).trim_end().len()
    }

    /// The text between another place and this one.
    pub(super) fn since(&self, from: usize) -> &'t str {
        self.text.get(from..self.stop).unwrap_or("")
    }

    /// The word or the sign at the place.
    pub(super) fn here(&self) -> Range<usize> {
        let word = word_at(self.rest()).len();
        let sign = self.rest().chars().next().map_or(0, char::len_utf8);
        self.stop..self.stop + if word > 0 { word } else { sign }
    }

    /// The word before the place, and its beginning.
    pub(super) fn before(&self) -> (&'t str, usize) {
        let before = self.text.cut(..self.stop).trim_end();
        let last = before.rsplit(|letter| !is_letter(letter)).next().unwrap_or("");
        (last, before.len().saturating_sub(last.len()))
    }

    /// Signs between steps: `;;`, a full stop, `and then`.
    pub(super) fn between(&self) -> Option<ExprError> {
        let (rest, before) = (self.rest(), self.text.cut(..self.stop).trim_end());
        if rest.starts_with(';') && (before.is_empty() || before.ends_with([';', '{'])) {
            let at = self.stop..self.stop + 1;
            return Some(put(at.clone(), "there is a `;` too many", "leave it out", at, String::new()));
        }
        if ["!", "?"].contains(&rest.trim()) {
            let at = self.here();
            return Some(put(
                at.clone(),
                format!("steps do not end with `{}`", rest.trim()),
                "leave it out",
                at,
                String::new(),
            ));
        }
        if rest.is_empty() && before.ends_with('.') && !before.ends_with("..") {
            let at = before.len().saturating_sub(1)..before.len();
            return Some(put(at.clone(), "steps do not end with a full stop", "leave it out", at, String::new()));
        }
        let (last, from) = self.before();
        let sign = self.text.cut(..from).trim_end();
        if is_verb(last) && sign.ends_with(['.', '+']) {
            return Some(joined(sign.len().saturating_sub(1)..sign.len()));
        }
        // `, and then gain`
        let mut here = self.stop;
        let mut words = 0;
        loop {
            here += leading(self.text.cut(here..));
            let word = word_at(self.text.cut(here..));
            match word {
                "and" | "then" | "also" if words < 3 => (here, words) = (here + word.len(), words + 1),
                "" if words == 0 && self.text.cut(here..).starts_with([',', '&', ':']) => {
                    here += self.text.cut(here..).find(|letter| !",&:".contains(letter)).unwrap_or(1);
                    words += 1;
                }
                _ => break,
            }
        }
        // `1,5`
        if rest.starts_with(',') && before.ends_with(|c: char| c.is_ascii_digit()) {
            return None;
        }
        let joins = self.text.cut(self.stop..here).trim_end();
        let at = self.stop..self.stop + joins.len();
        let next = word_at(self.text.cut(here..)).to_lowercase();
        let next = next.as_str();
        let start = self.step().start;
        let first = word_at(self.text.cut(start..).trim_start());
        if words == 0 || !is_verb(first) || !self.text.cut(start..self.stop).trim().contains(' ') || is_bodied(first) {
            return None;
        }
        if first == "pay" && joins == ":" && is_verb(next) {
            return Some(put(at.clone(), "an exchange is written with `->`", "write `->`", at, "->".to_string()));
        }
        if is_verb(next) && joins != ":" {
            let between = if self.text.cut(..self.stop).ends_with(' ') { ";" } else { "; " };
            return Some(put(
                at.clone(),
                "steps are separated by `;`",
                "write `;`",
                at,
                between.trim_end().to_string(),
            ));
        }
        let is_amount = next.starts_with(|letter: char| letter.is_ascii_digit()) || number_word(next).is_some();
        let sum = COSTS.contains(&first) && is_amount && joins != ":" && !joins.contains("then");
        sum.then(|| put(at.clone(), "the parts of a cost are added", "write `+`", at, "+".to_string()))
    }

    /// What the first word of the step suggests.
    pub(super) fn by_verb(&self, start: usize, first: &str) -> Option<ExprError> {
        match first {
            "if" | "repeat" | "for" | "as" => self.loops(start, first).or_else(|| self.body(start, first)),
            "choose" => self.choosing(start),
            "draw" => self.drawing(start),
            "move" | "lay" => self.moving(start, first),
            "roll" | "pick" => self.by_chance(start, first),
            "set" | "let" => self.setting(start),
            "end" | "pass" => self.ending(start, first),
            "do" => self.doing(start),
            "may" if self.rest().starts_with([':', ',']) => {
                let at = self.here();
                Some(put(at.clone(), "what may be done follows at once", "leave it out", at, String::new()))
            }
            _ if COSTS.contains(&first) => self.amount(start, first).or_else(|| self.given(start, first)),
            _ => None,
        }
        .or_else(|| self.condition_behind(start))
        .or_else(|| self.article())
    }

    /// `shuffle the deck`
    pub(super) fn article(&self) -> Option<ExprError> {
        let (last, from) = self.before();
        let begins = self.rest().starts_with(|letter: char| letter.is_ascii_alphabetic());
        if !ARTICLES.contains(&last) || !begins {
            return None;
        }
        let at = from..from + last.len();
        Some(put(at, format!("`{last}` is not needed"), "leave it out", from..self.stop, String::new()))
    }

    /// Steps that do not begin with a verb: they name the player, the number or an assignment first.
    pub(super) fn no_verb(&self, start: usize, first: &str) -> Option<ExprError> {
        let step = self.whole(start);
        let at = start..start + first.len();
        let said = self.text.cut(step.clone());
        if let Some(error) = self.assigned(&step) {
            return Some(error);
        }
        let behind = said.cut(first.len().min(said.len())..).trim_start();
        let swap = |with: &str, message: &str| {
            Some(put(at.clone(), message, format!("write `{with}`"), at.clone(), with.to_string()))
        };
        match first {
            "foreach" | "forEach" => return swap("for each", "these are two words"),
            "elif" | "elseif" | "elsif" | "elseIf" | "elsIf" => return swap("else if", "these are two words"),
            "otherwise" => return swap("else", "the other way is an `else`"),
            "else" if is_verb(word_at(behind)) => {
                let from = start + said.find(behind)?;
                let cure = format!("{{ {behind} }}");
                let message = "what happens otherwise stands in braces";
                return Some(put(at, message, "write `else { … }`", from..step.end, cure));
            }
            "else" => {
                let before = self.text.cut(..start).trim_end();
                let sign = before.len().checked_sub(1).filter(|_| before.ends_with(';'))?;
                let message = "`else` follows its `if` without a `;`";
                return Some(put(sign..sign + 1, message, "leave it out", sign..sign + 1, String::new()));
            }
            "unless" => {
                let (condition, _) = behind.split_once('{')?;
                let end = start + said.find('{')?;
                let cure = format!("if not ({}) ", condition.trim());
                return Some(put(at, "the opposite is said with `not`", "write `if not (…) { … }`", start..end, cure));
            }
            "when" if said.contains('{') => return swap("if", "a condition among steps is an `if`"),
            _ => {}
        }
        if is_number(first) || first.is_empty() && said.starts_with('+') {
            let amount = said.trim_start_matches('+').trim();
            let error = ExprError::syntax(step.clone(), "what is done with it?");
            let cure = Some((step, format!("gain {amount}")));
            return Some(ExprError { cure, ..error.help(format!("write `gain {amount}` or `pay {amount}`")) });
        }
        self.subject(&step)
    }

    /// `each player gains 1 coin`, `the opponent pays 1 coin`, `you may draw`
    fn subject(&self, step: &Range<usize>) -> Option<ExprError> {
        let said = self.text.cut(step.clone());
        let mut words = said.split_whitespace().peekable();
        let mut every = None;
        let mut others = false;
        let mut who = None;
        while let Some(word) = words.peek() {
            match word.to_lowercase().as_str() {
                "the" | "your" | "that" | "now" | "then" | "target" | "chosen" | "another" | "any" => {}
                "each" | "every" | "all" if who.is_none() => every = Some(()),
                "other" => others = true,
                "player" | "players" | "everybody" | "everyone" => who = Some("player"),
                "opponent" | "opponents" => who = Some("opponent"),
                "you" | "i" | "we" => who = Some("me"),
                _ => break,
            }
            words.next();
        }
        let who = who?;
        let small = words.next().unwrap_or("").to_lowercase();
        if ["win", "wins"].contains(&small.as_str()) {
            let cure = format!("end game won by {}", if who == "opponent" { who } else { "me" });
            return Some(put(
                step.clone(),
                "who wins is said by `end game`",
                format!("write `{cure}`"),
                step.clone(),
                cure,
            ));
        }
        let verb = match DOES.iter().find(|(known, _)| *known == small) {
            Some((_, verb)) => verb,
            None if is_verb(&small) => small.as_str(),
            None if is_verb(small.trim_end_matches('s')) => small.trim_end_matches('s'),
            None => {
                let help = "write `as PLAYER { … }`, or `for each player in players { as player { … } }`";
                return Some(ExprError::syntax(step.clone(), "a step begins with what is done").help(help));
            }
        };
        let rest: Vec<&str> = words.collect();
        let done = format!("{verb} {}", rest.join(" "));
        let set = if others || who == "opponent" { "others" } else { "players" };
        let (cure, message) = match who {
            "me" => (done, "a step is done by the player whose text it is"),
            _ if every.is_some()
                || said.contains("players")
                || said.contains("opponents")
                || said.starts_with("every") =>
            {
                (format!("for each player in {set} {{ as player {{ {done} }} }}"), "a step begins with what is done")
            }
            "opponent" => (format!("as opponent {{ {done} }}"), "a step begins with what is done"),
            _ => (done, "a step begins with what is done"),
        };
        let at = step.start..step.start + said.find(char::is_whitespace).unwrap_or(said.len());
        Some(put(at, message, format!("write `{cure}`"), step.clone(), cure))
    }

    /// `x = 3`, `my.x += 1`, `x++`, `local x = 3`
    pub(super) fn assigned(&self, step: &Range<usize>) -> Option<ExprError> {
        let said = self.text.cut(step.clone());
        let declared =
            ["local ", "var ", "const ", "int ", "number "].into_iter().find_map(|word| said.strip_prefix(word));
        let text = declared.unwrap_or(said).trim_start();
        let target_end = text.find(|c: char| !(is_letter(c) || ".[] ".contains(c))).unwrap_or(text.len());
        let (target, rest) = (text.cut(..target_end).trim(), text.cut(target_end..));
        let sign = [":=", "++", "--", "+=", "-=", "*=", "/="].into_iter().find(|sign| rest.starts_with(sign));
        let sign = sign.or_else(|| (rest.starts_with('=') && !rest.starts_with("==")).then_some("="))?;
        let value = rest.cut(sign.len()..).trim();
        let is_path = target.starts_with(|c: char| c.is_ascii_alphabetic()) && !target.contains(' ');
        if !is_path || value.is_empty() != ["++", "--"].contains(&sign) {
            return None;
        }
        let value = match sign {
            "++" | "--" => format!("{target} {} 1", sign.cut(..1)),
            "+=" | "-=" | "*=" | "/=" => format!("{target} {} {value}", sign.cut(..1)),
            _ => value.to_string(),
        };
        if declared.is_some() {
            let cure = format!("let {target} = {value}");
            let message = "a name is given to a value by `let`";
            return Some(put(step.clone(), message, format!("write `{cure}`"), step.clone(), cure));
        }
        let cure = format!("set {target} = {value}");
        Some(put(step.clone(), "a variable is changed by `set`", format!("write `{cure}`"), step.clone(), cure))
    }

    /// `(gain 1 coin; …)`: steps in other brackets.
    pub(super) fn other_brackets(&self, start: usize) -> Option<ExprError> {
        let open = self.text.cut(start..).chars().next().filter(|letter| "([".contains(*letter))?;
        let close = super::closing(open);
        let inner = self.text.cut(start + 1..).trim_start();
        let mut depth = 0;
        let end = super::plain(self.text).filter(|(at, _)| *at >= start).find_map(|(at, letter)| {
            depth += i32::from(letter == open) - i32::from(letter == close);
            (depth == 0 && letter == close).then_some(at)
        })?;
        if !is_verb(word_at(inner)) {
            return None;
        }
        let cure = format!("{{ {} }}", self.text.cut(start + 1..end).trim());
        let message = "steps that belong together stand in braces";
        Some(put(start..start + 1, message, "write `{ … }`", start..end + 1, cure))
    }
}

/// Steps that have a block.
pub(super) fn is_bodied(first: &str) -> bool {
    ["if", "repeat", "for", "as", "either", "choose"].contains(&first)
}
