//! Conditions and values in the style of plain English, of spreadsheets or of other languages.

use std::ops::Range;

use rulepack_model::Cut;

use super::words::{is_reserved, is_verb, number_word};
use super::{Place, is_letter, leading, put, word_at};
use crate::error::ExprError;
use crate::functions::is_function;

/// Words for comparisons; the longer ones first.
const COMPARED: [(&str, &str); 24] = [
    ("is greater than or equal to", ">="),
    ("is less than or equal to", "<="),
    ("greater than or equal to", ">="),
    ("less than or equal to", "<="),
    ("is not equal to", "!="),
    ("not equal to", "!="),
    ("is greater than", ">"),
    ("is more than", ">"),
    ("is less than", "<"),
    ("is equal to", "=="),
    ("is at least", ">="),
    ("is at most", "<="),
    ("greater than", ">"),
    ("more than", ">"),
    ("fewer than", "<"),
    ("less than", "<"),
    ("equal to", "=="),
    ("at least", ">="),
    ("at most", "<="),
    ("is not", "!="),
    ("equals", "=="),
    ("eq", "=="),
    ("ne", "!="),
    ("is", "=="),
];

const SIGNS: [&str; 6] = ["==", "!=", "<=", ">=", "<", ">"];

impl<'t> Place<'t> {
    pub(super) fn values(&self) -> Option<ExprError> {
        self.numbers()
            .or_else(|| self.value_if_else())
            .or_else(|| self.comparisons())
            .or_else(|| self.capitals())
            .or_else(|| self.other_languages())
            .or_else(|| self.membership())
            .or_else(|| self.compared_in_words())
            .or_else(|| self.owned_amount())
            .or_else(|| self.half())
            .or_else(|| self.without_brackets())
            .or_else(|| self.ends())
            .or_else(|| if self.is_condition() { self.article() } else { None })
    }

    /// `1 if c else 0`, alone or assigned to a name.
    pub(super) fn value_if_else(&self) -> Option<ExprError> {
        let step = if self.effect { super::whole_step(self.text, self.stop) } else { 0..self.text.len() };
        let before = self.text.get(step.start..self.stop)?;
        let start = if self.effect {
            let is_set = ["set", "let"].contains(&word_at(before.trim_start()));
            step.start + before.rfind('=').filter(|_| is_set)? + 1
        } else {
            step.start
        };
        let value = self.text.get(start..self.stop)?.trim();
        let behind = self.rest().strip_prefix("if ").filter(|_| !value.is_empty())?;
        let behind = behind.get(..step.end.checked_sub(self.stop + 3)?)?;
        let (condition, otherwise) = behind.split_once(" else ")?;
        let cure = format!("if {} then {value} else {}", condition.trim(), otherwise.trim());
        let start = start + leading(self.text.cut(start..self.stop));
        let message = "a value that depends on something begins with the condition";
        Some(put(self.stop..self.stop + 2, message, format!("write `{cure}`"), start..step.end, cure))
    }

    /// `1.5`, `1,000`, `1_000`, `1d6`
    pub(super) fn numbers(&self) -> Option<ExprError> {
        let rest = self.rest();
        let start = self
            .text
            .cut(..self.stop)
            .rfind(|c: char| !(c.is_ascii_digit() || ".,_".contains(c)))
            .map_or(0, |at| at + self.text.cut(at..).chars().next().map_or(1, char::len_utf8));
        let length = self
            .text
            .cut(start..)
            .find(|c: char| !(is_letter(c) || ".,".contains(c)))
            .unwrap_or(self.text.len().saturating_sub(start));
        let number = self.text.cut(start..start + length).trim_end_matches(['.', ',']);
        let at = start..start + number.len();
        let rolls = self.effect && word_at(self.text.cut(self.step()).trim_start()) == "roll";
        if rolls
            || !number.starts_with(|c: char| c.is_ascii_digit())
            || number.contains("..")
            || at.end < self.stop && !rest.is_empty()
        {
            return None;
        }
        let digits: String = number.chars().filter(char::is_ascii_digit).collect();
        let is_grouped = |sign: char| number.split(sign).skip(1).all(|part| part.len() == 3) && number.contains(sign);
        let plain = |sign: char| number.chars().all(|c| c.is_ascii_digit() || c == sign);
        if plain('_') && number.contains('_') || plain(',') && is_grouped(',') {
            return Some(put(
                at.clone(),
                "a number is written without signs in it",
                format!("write `{digits}`"),
                at,
                digits,
            ));
        }
        if number.contains(['.', ',']) && plain(if number.contains('.') { '.' } else { ',' }) {
            return Some(
                ExprError::syntax(at, "there are only whole numbers").help("write one, or count in smaller parts"),
            );
        }
        let sides = number.split_once(['d', 'D', 'w', 'W']).filter(|(_, sides)| sides.parse::<u32>().is_ok());
        let (_, sides) = sides?;
        let help = format!("write `roll result of {sides}` before it, and `result` here");
        Some(ExprError::syntax(at, "a die is rolled by a step of its own").help(help))
    }

    /// `===`, `=!`, `> =`, `~=`
    fn comparisons(&self) -> Option<ExprError> {
        let is_sign = |letter: char| "=!<>~/".contains(letter);
        let before = self.text.cut(..self.stop).trim_end_matches(|c: char| is_sign(c) || c == ' ');
        let start = before.len() + leading(self.text.cut(before.len()..));
        let signs = self.text.cut(start..);
        let length = signs.find(|c: char| !is_sign(c) && c != ' ').unwrap_or(signs.len());
        let found = signs.cut(..length).trim_end();
        let at = start..start + found.len();
        let with = match found.replace(' ', "").as_str() {
            "===" | "====" | "=~" => "==",
            "!==" | "=!" | "~=" | "/=" | "><" | "=!=" | "!=" if found != "!=" => "!=",
            ">=" if found != ">=" => ">=",
            "<=" if found != "<=" => "<=",
            "==" if found != "==" => "==",
            _ => return None,
        };
        let assigns = self.effect && matches!(found, "/=" | "~=") && !self.is_condition();
        if before.is_empty() || assigns || start > self.stop {
            return None;
        }
        Some(put(at.clone(), format!("`{found}` is no comparison"), format!("write `{with}`"), at, with.to_string()))
    }

    /// Whether the place is inside a condition.
    fn is_condition(&self) -> bool {
        !self.effect || ["if", "unless"].contains(&word_at(self.text.cut(self.step()).trim_start()))
    }

    /// `AND`, `Or`, `NOT`
    pub(super) fn capitals(&self) -> Option<ExprError> {
        let here = word_at(self.rest());
        let (last, from) = self.before();
        [(here, self.stop), (last, from)].into_iter().find_map(|(word, start)| {
            let small = word.to_lowercase();
            let known =
                ["and", "or", "not", "if", "then", "else", "where", "is", "in", "of", "to", "from", "each", "my"];
            let at = start..start + word.len();
            let is_known = known.contains(&small.as_str()) || self.effect && start > 0 && is_verb(&small);
            (small != word && is_known).then(|| {
                put(at.clone(), "words of the language are written small", format!("write `{small}`"), at, small)
            })
        })
    }

    /// The part of a condition around the place: between the nearest words or signs.
    fn part(&self) -> Range<usize> {
        let step = if self.effect { self.step() } else { 0..self.text.len() };
        let (mut start, mut end) = (step.start, step.end);
        // The places where parts around this one begin, and the number of brackets that have opened behind the place.
        let (mut around, mut depth) = (Vec::new(), 0);
        let mut here = step.start;
        for piece in self.text.cut(step.clone()).split_inclusive(|letter| !is_letter(letter)) {
            let word = piece.trim_end_matches(|letter| !is_letter(letter));
            let sign = piece.cut(word.len()..).chars().next();
            let ends = depth == 0 && ["and", "or", "not", "if", "unless", "where", "then", "else"].contains(&word);
            if ends && here >= self.stop {
                end = here;
                break;
            }
            if ends {
                start = here + word.len();
            }
            here += piece.len();
            let at = here.saturating_sub(sign.map_or(0, char::len_utf8));
            let is_behind = at >= self.stop;
            match sign {
                Some('(') if is_behind => depth += 1,
                Some(')') if is_behind && depth > 0 => depth -= 1,
                Some(')' | '{' | '}' | ',' | ':' | ';') if is_behind && depth == 0 => {
                    end = at;
                    break;
                }
                Some('(') if !is_behind => around.push(std::mem::replace(&mut start, here)),
                Some(')') if !is_behind => start = around.pop().unwrap_or(here),
                Some('{' | '}' | ',' | ':' | ';') if !is_behind => start = here,
                _ => {}
            }
        }
        let end = end.max(start);
        let said = self.text.cut(start..end);
        start + leading(said)..start + said.trim_end().len().max(leading(said))
    }

    /// `card in deck`, `card not in deck`, `my.coin in 1..3`, `my.coin between 1 and 3`
    fn membership(&self) -> Option<ExprError> {
        let rest = self.rest();
        let is_not_in = rest.strip_prefix("not ").is_some_and(|rest| word_at(rest.trim_start()) == "in");
        let (word, (last, last_at)) = (word_at(rest), self.before());
        if word == "between" {
            let (low, high) = rest.cut("between".len()..).split_once(" and ")?;
            let (low, high) = (low.trim(), word_at(high.trim_start()));
            let left = self.text.cut(self.part().start..self.stop).trim();
            let end = self.stop + rest.find(" and ")? + 5;
            let end = end + leading(self.text.cut(end..)) + high.len();
            let cure = format!("{left} >= {low} and {left} <= {high}");
            return Some(put(
                self.stop..self.stop + 7,
                "both ends are compared",
                format!("write `{cure}`"),
                self.part().start..end,
                cure,
            ));
        }
        if word != "in" && !is_not_in || self.effect && !self.is_condition() {
            return None;
        }
        let length = if is_not_in { rest.find("in").map_or(0, |at| at + 2) } else { 2 };
        let at = self.stop..self.stop + length;
        let begins = self.part().start.min(self.stop);
        // `is not in`
        let negated = is_not_in || last == "not";
        let left = self.text.cut(begins..self.stop).trim();
        let left = left.strip_suffix("not").unwrap_or(left).trim_end();
        let left = left.strip_suffix("is").filter(|left| left.ends_with(' ')).unwrap_or(left).trim_end();
        let (left, begins) = match left.is_empty() && last == "not" {
            // The `not` is at the beginning of the part.
            true => {
                let earlier = Place { text: self.text, stop: last_at, effect: self.effect }.part().start.min(last_at);
                let all = self.text.cut(earlier..last_at).trim_end();
                (all.strip_suffix("is").unwrap_or(all).trim_end(), earlier)
            }
            false => (left, begins),
        };
        if left.is_empty() {
            return Some(
                ExprError::syntax(at, "what is in it?").help("write `PIECE is in SET`, or `not PIECE is in SET`"),
            );
        }
        let set = self.text.cut(at.end..).trim_start();
        let bounds =
            set.trim_start_matches('[').split(|c: char| !(c.is_ascii_digit() || c == '.')).next().unwrap_or("");
        if let Some((low, high)) = bounds.split_once("..").filter(|_| !negated) {
            let end = self.text.len().saturating_sub(set.len()) + set.find(bounds)? + bounds.len();
            let end = end + usize::from(self.text.cut(end..).starts_with(']'));
            let cure = format!("{left} >= {low} and {left} <= {}", high.trim_start_matches('.'));
            return Some(put(at, "both ends are compared", format!("write `{cure}`"), begins..end, cure));
        }
        if let Some(list) = set.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(list, _)| list) {
            let each: Vec<String> = list.split(',').map(|one| format!("{left} == {}", one.trim())).collect();
            let cure = format!("({})", each.join(" or "));
            let end = self.text.len().saturating_sub(set.len()) + list.len() + 2;
            return Some(put(at, "there are no lists: each is compared", format!("write `{cure}`"), begins..end, cure));
        }
        if left.chars().all(is_letter) && self.text.cut(at.end..).contains(&format!("{left}.")) {
            let help = "write `SET where it.NAME > 1`: each of the set is called `it`";
            return Some(ExprError::syntax(begins..at.end, "each of a set has its name already").help(help));
        }
        if negated {
            let cure = format!("not {left} is in");
            return Some(put(
                at.clone(),
                "the opposite is said before it",
                format!("write `{cure} …`"),
                begins..at.end,
                cure,
            ));
        }
        Some(put(at.clone(), "whether it is in a set is asked with `is in`", "write `is in`", at, "is in".to_string()))
    }

    /// `you have 3 coin`, `at least 3 coin`, `has(3 coin)`
    fn owned_amount(&self) -> Option<ExprError> {
        if !self.is_condition() {
            return None;
        }
        let part = self.part();
        let said = self.text.cut(part.clone());
        if said.is_empty() || !said.chars().all(|letter| is_letter(letter) || letter == ' ') {
            return self.number_with_name();
        }
        let (mut number, mut names) = (None, Vec::new());
        for word in said.split_whitespace() {
            let value = word.parse::<usize>().ok().or_else(|| number_word(word));
            match word.to_lowercase().as_str() {
                _ if value.is_some() && number.is_none() => number = value,
                "i" | "you" | "we" | "the" | "player" | "have" | "has" | "own" | "owns" | "at" | "least" | "most" => {}
                "more" | "less" | "fewer" | "than" | "exactly" | "of" => {}
                _ => names.push(word),
            }
        }
        let (Some(number), [name]) = (number, names.as_slice()) else { return None };
        let phrase = |words: &str| said.to_lowercase().contains(words);
        let sign = match () {
            () if phrase("at most") => "<=",
            () if phrase("more than") => ">",
            () if phrase("less than") || phrase("fewer than") => "<",
            () if phrase("exactly") => "==",
            () => ">=",
        };
        let cure = format!("my.{name} {sign} {number}");
        // `has(3 coin)`
        let around = ["has(", "can_pay(", "have("].into_iter().find(|name| self.text.cut(..part.start).ends_with(name));
        let place = match around.filter(|_| self.text.cut(part.end..).starts_with(')')) {
            Some(function) => part.start.saturating_sub(function.len())..part.end + 1,
            None => part.clone(),
        };
        Some(put(part, "how much somebody has is compared with a number", format!("write `{cure}`"), place, cure))
    }

    /// `my.coin >= 1 coin`
    fn number_with_name(&self) -> Option<ExprError> {
        let (last, _) = self.before();
        let word = word_at(self.rest());
        let is_number = !last.is_empty() && last.chars().all(|c| c.is_ascii_digit());
        let at = self.stop..self.stop + word.len();
        let stands = is_number && !word.is_empty() && !is_reserved(word) && !is_verb(word);
        let behind = self.text.cut(at.end..).trim_start();
        let ends =
            behind.is_empty() || behind.starts_with([')', '{', ';', ',']) || ["and", "or"].contains(&word_at(behind));
        let compares = ends && self.text.cut(self.part()).contains(['<', '>', '=']);
        (stands && compares).then(|| {
            put(at.clone(), "a number is compared, of which it is need not be said", "leave it out", at, String::new())
        })
    }

    /// `my.coin is 3`, `my.coin equals 3`, `my.coin at least 3`
    fn compared_in_words(&self) -> Option<ExprError> {
        if !self.is_condition() {
            return None;
        }
        // The phrase that contains the place, or ends before it.
        let found = COMPARED.iter().find_map(|(phrase, sign)| {
            let is_here = |at: &usize| {
                let is_word =
                    self.text.cut(..*at).ends_with(' ') && self.text.cut(at + phrase.len()..).starts_with(' ');
                is_word && *at <= self.stop && self.stop <= at + phrase.len() + 1
            };
            let at = self.text.match_indices(phrase).map(|(at, _)| at).find(is_here)?;
            Some((at..at + phrase.len(), *sign))
        });
        let (at, sign) = found?;
        Some(put(
            at.clone(),
            "numbers and symbols are compared with signs",
            format!("write `{sign}`"),
            at,
            sign.to_string(),
        ))
    }

    /// `my.coin > 1 and < 3`, `1 < my.coin < 3`
    fn half(&self) -> Option<ExprError> {
        let sign = SIGNS.into_iter().find(|sign| self.rest().starts_with(sign))?;
        let at = self.stop..self.stop + sign.len();
        let before = self.text.cut(..self.stop).trim_end();
        let (last, last_at) = self.before();
        let message = "what is compared is said each time";
        if last == "and" || last == "or" {
            let earlier = Place { text: self.text, stop: last_at.saturating_sub(1), effect: self.effect };
            let part = self.text.cut(earlier.part());
            let left = part.cut(..part.find(['<', '>', '=', '!'])?).trim();
            return Some(put(
                at,
                message,
                format!("write `{left} {sign} …`"),
                self.stop..self.stop,
                format!("{left} "),
            ));
        }
        let part = self.text.cut(self.part().start..before.len().max(self.part().start));
        let middle = part.cut(part.rfind(['<', '>', '='])? + 1..).trim();
        let is_plain = !middle.is_empty() && middle.chars().all(|c| is_letter(c) || ".() ".contains(c));
        is_plain.then(|| {
            let help = format!("write `… and {middle} {sign} …`");
            put(at, message, help, self.stop..self.stop, format!("and {middle} "))
        })
    }

    /// `?:`, `**`, `mod`, `xor`, `|x| …`, `for x in`
    fn other_languages(&self) -> Option<ExprError> {
        let (rest, word) = (self.rest(), word_at(self.rest()));
        let at = self.here();
        let swap = |with: &str, message: &str| {
            Some(put(at.clone(), message, format!("write `{with}`"), at.clone(), with.to_string()))
        };
        let inside = self.text.cut(..self.stop).matches('(').count() > self.text.cut(..self.stop).matches(')').count();
        let (last, _) = self.before();
        match word {
            "mod" => return swap("%", "the remainder is written with a sign"),
            "xor" => {
                let help = "write `(a) != (b)`: one of both, but not the other";
                return Some(ExprError::syntax(at, "`xor` is not known").help(help));
            }
            "und" | "et" | "y" => return swap("and", "words of the language are English"),
            "oder" | "ou" | "o" => return swap("or", "words of the language are English"),
            "with" | "having" | "whose" | "that" | "which" if inside => {
                return swap("where", "a part of a set is taken by `where`");
            }
            "for" if inside && !self.effect => {
                let help = "write `sum(SET, it.NAME)`: each of the set is called `it`";
                return Some(ExprError::syntax(at, "a set comes first").help(help));
            }
            _ => {}
        }
        if rest.starts_with('|') && inside && rest.contains("it.") {
            return swap("where", "a part of a set is taken by `where`");
        }
        if rest.starts_with("=>") && !last.is_empty() && rest.contains(&format!("{last}.")) {
            let help = "write `SET where it.NAME > 1`: each of the set is called `it`";
            return Some(ExprError::syntax(self.stop..self.stop + 2, "each of a set has its name already").help(help));
        }
        if rest.starts_with('?') {
            return Some(ExprError::syntax(at, "`?` is written in words").help("write `if a then b else c`"));
        }
        let raised = rest.starts_with('^') || rest.starts_with('*') && self.text.cut(..self.stop).ends_with('*');
        if raised {
            return Some(ExprError::syntax(at, "there are no powers").help("multiply: `a * a`"));
        }
        if rest.starts_with('(')
            && self.text.cut(..self.stop).trim_end_matches(is_letter).ends_with('.')
            && !self.effect
        {
            let help = "functions stand before what they are about: `count(SET)`, `any(SET where it is NAME)`";
            return Some(ExprError::syntax(at, format!("`.{last}` cannot be called")).help(help));
        }
        let begins = self.text.trim_start().get(..3).unwrap_or("").to_lowercase();
        if rest.starts_with([',', ';']) && begins.starts_with("if(") {
            return Some(
                ExprError::syntax(at, "an `if` has words between its parts").help("write `if a then b else c`"),
            );
        }
        let is_owner = ["opponent", "opponents", "me", "self", "it"].contains(&last);
        if is_owner && !word.is_empty() && !is_reserved(word) && !is_verb(word) {
            let gap = self.text.cut(..self.stop).trim_end().len();
            let help = format!("write `{last}.{word}`");
            return Some(put(at, "what somebody has stands behind a dot", help, gap..self.stop, ".".to_string()));
        }
        None
    }

    /// `count my hand > 1`
    fn without_brackets(&self) -> Option<ExprError> {
        let (last, from) = self.before();
        if !self.is_condition()
            || !is_function(last)
            || !self.rest().starts_with(|letter: char| letter.is_ascii_alphabetic())
        {
            return None;
        }
        let part = self.part();
        let said = self.text.cut(self.stop..part.end.max(self.stop));
        let ends = [" is ", "<", ">", "=", "!", "+", "*", " - ", "/"];
        let length = ends.iter().filter_map(|sign| said.find(sign)).min().unwrap_or(said.len());
        let inner = said.cut(..length).trim();
        let cure = format!("{last}({inner})");
        let end = self.stop + inner.len();
        Some(put(from..from + last.len(), format!("`{last}` has brackets"), format!("write `{cure}`"), from..end, cure))
    }

    /// Superfluous and missing signs at the ends of a condition.
    fn ends(&self) -> Option<ExprError> {
        if self.effect {
            return None;
        }
        let (rest, before, word) = (self.rest(), self.text.cut(..self.stop).trim_end(), word_at(self.rest()));
        if rest.trim() == ";" {
            let at = self.stop..self.stop + 1;
            return Some(put(at.clone(), "only steps are followed by `;`", "leave it out", at, String::new()));
        }
        let is_inside = before.matches('(').count() > before.matches(')').count();
        if rest.starts_with([';', ',']) && !is_inside {
            let at = self.stop..self.stop + 1;
            return Some(put(at.clone(), "conditions are joined by words", "write `and`, or `or`", at, " and".into()));
        }
        let first = word_at(self.text.trim_start());
        if is_verb(first) && !["if", "for", "as", "set", "end", "use", "turn"].contains(&first) {
            let at = leading(self.text)..leading(self.text) + first.len();
            let help = "here something is asked or counted; what is done belongs to an effect";
            return Some(ExprError::syntax(at, "this is a step, but a value is needed").help(help));
        }
        if before.is_empty() && ["and", "or"].contains(&word) {
            let at = self.stop..self.stop + word.len();
            return Some(put(
                at.clone(),
                format!("`{word}` stands between two conditions"),
                "leave it out",
                at,
                String::new(),
            ));
        }
        let (last, from) = self.before();
        if rest.is_empty() && ["and", "or"].contains(&last) {
            let at = from..from + last.len();
            let message = format!("what follows the `{last}`?");
            return Some(put(
                at,
                message,
                "leave it out, or say what else",
                before.cut(..from).trim_end().len()..before.len(),
                String::new(),
            ));
        }
        if rest.is_empty() && word_at(before) == "if" && !before.contains(" then ") {
            return Some(put(0..2, "a condition needs no `if`", "leave it out", 0..3.min(before.len()), String::new()));
        }
        if rest.is_empty() && before.contains(" then ") {
            let at = before.len().saturating_sub(before.chars().next_back().map_or(0, char::len_utf8))..before.len();
            return Some(
                ExprError::syntax(at, "what otherwise?")
                    .help("write `if a then b else c`; a condition alone needs no `if`"),
            );
        }
        if rest.is_empty() && self.text.contains('#') {
            let at = self.text.find('#').unwrap_or(0);
            let help = "how many there are is written `count(SET)`";
            return Some(ExprError::syntax(at..at + 1, "`#` begins a comment").help(help));
        }
        None
    }
}
