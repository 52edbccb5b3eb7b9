//! Steps in the style of plain English, of cards of other games, or of other languages.

use std::ops::Range;

use rulepack_model::Cut;

use super::letters::is_quote;
use super::{Place, is_letter, is_verb, leading, number_word, put, word_at};
use crate::error::ExprError;
use crate::meant::is_reserved;

/// Steps with an amount.
const COSTS: [&str; 6] = ["gain", "pay", "put", "store", "take", "return"];
/// Words before a name that have no meaning here.
const ARTICLES: [&str; 3] = ["a", "an", "the"];
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

fn is_number(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|letter| letter.is_ascii_digit())
}

/// Two steps that are joined by something else than `;`.
fn joined(at: Range<usize>) -> ExprError {
    put(at.clone(), "steps are separated by `;`", "write `;`", at, ";".to_string())
}

impl<'t> Place<'t> {
    /// The place as a step of its own, without the sign that ends it.
    fn whole(&self, start: usize) -> Range<usize> {
        let end = self.step().end;
        start..start + self.text.cut(start..end.max(start)).trim_end().len()
    }

    /// The text between another place and this one.
    fn since(&self, from: usize) -> &'t str {
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

    /// `for all`, `for p in`, `foreach`, `for i in 1..3`
    fn loops(&self, start: usize, first: &str) -> Option<ExprError> {
        let rest = self.rest();
        let ends = word_at(self.text.cut(start + first.len()..).trim_start());
        if first == "repeat" && ["until", "while"].contains(&ends) {
            let at = start..start + first.len();
            let help = "write how often: `repeat 3 { … }`, with an `if` inside, or `for each NAME in SET { … }`";
            return Some(ExprError::syntax(at, "texts always end").help(help));
        }
        let word = word_at(rest);
        let at = self.here();
        if first != "for" {
            return None;
        }
        let after = rest.cut(word.len()..).trim_start();
        if self.since(start + 3).trim().is_empty() {
            let (next, behind) = (word_at(after), after.get(word_at(after).len()..).unwrap_or("").trim_start());
            let counts = rest.starts_with('(') || after.starts_with('=');
            let set = after.strip_prefix("in ").map(str::trim_start);
            let is_range =
                set.is_some_and(|set| set.starts_with("range") || set.starts_with(|c: char| c.is_ascii_digit()));
            if counts || is_range {
                let error = ExprError::syntax(at, "steps are repeated a number of times by `repeat`");
                let head = self.text.cut(start..);
                let end = head.find('{').unwrap_or(0);
                let times = head.cut(..end).split(|c: char| !c.is_ascii_digit()).rfind(|number| !number.is_empty());
                let cure = times.map(|times| (start..start + end, format!("repeat {times} ")));
                return Some(ExprError { cure, ..error.help("write `repeat 3 { … }`") });
            }
            if ["all", "every", "any"].contains(&word) {
                let message = "all of a set are gone through by `for each`";
                if ["player", "players"].contains(&next) && behind.starts_with('{') {
                    let end = self.text.len().saturating_sub(behind.len());
                    let help = "write `for each player in players { … }`";
                    return Some(put(at, message, help, self.stop..end, "each player in players ".to_string()));
                }
                return Some(put(at.clone(), message, "write `for each NAME in SET { … }`", at, "each".to_string()));
            }
            if set.is_some() {
                let help = format!("write `for each {word} in SET {{ … }}`");
                return Some(put(
                    at,
                    "all of a set are gone through by `for each`",
                    help,
                    self.stop..self.stop,
                    "each ".into(),
                ));
            }
            return None;
        }
        let (last, _) = self.before();
        let said = word_at(self.since(start + 3).trim_start());
        if said != "each" || self.text.cut(start..self.stop).contains(" in ") {
            return None;
        }
        if word == "my" && last == "each" {
            let message = "what is each of them called?";
            return Some(put(at, message, "write `for each piece in my …`", self.stop..self.stop, "piece in ".into()));
        }
        if ["of", "from", "on"].contains(&word) {
            return Some(put(at.clone(), "the set stands behind `in`", "write `in`", at, "in".into()));
        }
        let error = ExprError::syntax(at, format!("each `{last}` of what?"));
        if last == "player" && rest.starts_with('{') {
            let cure = Some((self.stop..self.stop, "in players ".to_string()));
            return Some(ExprError { cure, ..error.help("write `for each player in players { … }`") });
        }
        Some(error.help(format!("write `for each {last} in SET {{ … }}`")))
    }

    /// Blocks without braces: `if c gain …`, `repeat 3 times: …`, `for each … do … end`
    fn body(&self, start: usize, first: &str) -> Option<ExprError> {
        if self.text.cut(start..self.stop).contains('{') {
            return None;
        }
        let mut from = self.stop;
        let word = loop {
            let rest = self.text.cut(from..);
            let (skipped, word) = (leading(rest), word_at(rest.trim_start()));
            let sign = rest.trim_start().starts_with([':', ',', '(']);
            match word {
                "then" | "do" | "times" if !(word == "do" && self.performs(from + skipped)) => {
                    from += skipped + word.len()
                }
                "" if sign && !rest.trim_start().starts_with('(') => from += skipped + 1,
                _ => break word,
            }
        };
        from += leading(self.text.cut(from..));
        let said = self.text.cut(self.stop..from).trim_end();
        let at = if said.is_empty() { self.here() } else { self.stop..self.stop + said.len() };
        let shape = super::shapes::shape(first).unwrap_or("");
        let help = format!("write `{shape}`");
        let message = match word_at(said) {
            _ if first == "if" && said == "then" => "an `if` among steps has no `then`".to_string(),
            "" if said.is_empty() && first == "if" => "what happens if so stands in braces".to_string(),
            "" if said.is_empty() => "what is done stands in braces".to_string(),
            _ => format!("`{said}` has no place here: what is done stands in braces"),
        };
        if self.text.cut(from..).starts_with('{') {
            return (!said.is_empty()).then(|| put(at, message, help, self.stop..from, String::new()));
        }
        let in_brackets = self.text.cut(from..).starts_with('(') && is_verb(word_at(self.text.cut(from + 1..)));
        if !is_verb(word) && !in_brackets {
            return None;
        }
        // A block of other languages ends with `end`.
        let rest = self.text.cut(from..).trim_end();
        let ended = rest.strip_suffix("end").filter(|rest| rest.ends_with(char::is_whitespace) || rest.ends_with(';'));
        let end = match ended {
            Some(_) => from + rest.len(),
            None => self.whole(from).end,
        };
        let inner = ended.map_or(self.text.cut(from..end), |inner| inner).trim();
        let inner = if in_brackets { inner.trim_start_matches('(').trim_end_matches(')') } else { inner };
        let (yes, no) = match inner.split_once(" else ").filter(|_| first == "if") {
            Some((yes, no)) => (yes.trim().trim_end_matches([';', ',']), Some(no.trim())),
            None => (inner.trim_end_matches(';'), None),
        };
        let gap = if self.text.cut(..self.stop).ends_with(char::is_whitespace) { "" } else { " " };
        let mut cure = format!("{gap}{{ {yes} }}");
        if let Some(no) = no {
            cure.push_str(&format!(" else {{ {no} }}"));
        }
        Some(put(at, message, help, self.stop..end, cure))
    }

    /// Whether this is `do NAME`, which does an action, and not another step.
    fn performs(&self, at: usize) -> bool {
        let next = word_at(self.text.cut(at + 2..).trim_start());
        !next.is_empty() && !is_verb(next)
    }

    fn choosing(&self, start: usize) -> Option<ExprError> {
        let step = self.whole(start);
        let said = self.text.cut(start + 6..step.end);
        let word = word_at(self.rest());
        let either = "a choice is written `either one { … } or other { … }`, with a question for each: `[prompt.one]`";
        if said.trim_start().starts_with('{') || said.trim_start().starts_with("one") && !said.contains(" in ") {
            let at = start..start + 6;
            return Some(ExprError::syntax(at, "ways to go on are no set to choose from").help(either));
        }
        if word == "from" && !self.rest().cut(4..).trim().is_empty() && self.since(start + 6).trim() != "" {
            let at = self.stop..self.stop + 4;
            return Some(put(at.clone(), "the set stands behind `in`", "write `in`", at, "in".into()));
        }
        let chosen = said.trim_start();
        let from = step.end.saturating_sub(chosen.len());
        let (last, last_at) = self.before();
        if last == "with" || word == "with" {
            let at = if last == "with" { last_at..last_at + 4 } else { self.here() };
            return Some(put(at.clone(), "a part of a set is taken by `where`", "write `where`", at, "where".into()));
        }
        let article = word_at(chosen);
        if ["a", "an", "the", "any", "one", "some"].contains(&article) && said.contains(" in ") {
            let at = from..from + article.len();
            return Some(put(
                at.clone(),
                format!("`{article}` is not needed"),
                "leave it out",
                at.start..at.end + 1,
                String::new(),
            ));
        }
        let number = chosen.strip_prefix("up to ").map(|rest| word_at(rest.trim_start()));
        if let Some(number) = number.and_then(|word| word.parse().ok().or_else(|| number_word(word))) {
            let end = from + chosen.find(|c: char| c.is_ascii_digit()).map_or(6, |at| at + number.to_string().len());
            let message = "a choice of several says the least and the most";
            return Some(put(from..end, message, format!("write `0..{number}`"), from..end, format!("0..{number}")));
        }
        if said.contains(" in ") {
            return None;
        }
        let error = ExprError::syntax(start..step.end, "of what is chosen?");
        let name = said.split_whitespace().find(|word| !ARTICLES.contains(word) && !is_number(word));
        let name = name.filter(|word| word.chars().all(is_letter) && !is_reserved(word)).unwrap_or("card");
        Some(error.help(format!("write `choose {name} in SET`, such as `choose {name} in my hand`")))
    }

    fn drawing(&self, start: usize) -> Option<ExprError> {
        let step = self.whole(start);
        let (said, word) = (self.text.cut(start + 4..step.end), word_at(self.rest()));
        let at = self.stop..self.stop + word.len();
        if ["into", "onto", "in"].contains(&word) {
            return Some(put(at.clone(), "where it goes stands behind `to`", "write `to`", at, "to".into()));
        }
        let count = said.split_whitespace().next().unwrap_or("");
        let count = count.parse().ok().or_else(|| number_word(count)).unwrap_or(1);
        if let (Some(from), Some(_)) = (said.find(" from "), said.find(" to ")) {
            let from = start + 4 + from;
            return (from > self.stop).then(|| {
                let message = "the number of pieces stands alone";
                put(at, message, format!("write `draw {count} from …`"), start..from, format!("draw {count}"))
            });
        }
        let error = ExprError::syntax(start..step.end, "pieces are drawn from one zone to another");
        Some(match said.split_once(" from ") {
            Some((_, zone)) => error.help(format!("say where to: `draw {count} from {} to ZONE`", zone.trim())),
            None => error
                .help(format!("write `draw {count} from ZONE to ZONE`, such as `draw {count} from deck to my hand`")),
        })
    }

    fn moving(&self, start: usize, first: &str) -> Option<ExprError> {
        let (step, word) = (self.whole(start), word_at(self.rest()));
        let at = self.stop..self.stop + word.len();
        let behind = self.text.cut(at.end..step.end.max(at.end));
        match word {
            "into" | "onto" | "in" if first == "move" => {
                Some(put(at.clone(), "where it goes stands behind `to`", "write `to`", at, "to".into()))
            }
            "on" if first == "move" => Some(
                ExprError::syntax(at, "a piece is moved `to` a zone or a space, and laid `on` another piece")
                    .help("write `move PIECE to ZONE` or `lay PIECE on PIECE`"),
            ),
            "from" => {
                let to = behind.find(" to ").map(|to| at.end + to + 1)?;
                let message = "a piece is moved from where it lies, which need not be said";
                Some(put(at, message, "leave it out: `move PIECE to ZONE`", self.stop..to, String::new()))
            }
            "bottom" => Some(put(at.clone(), "say `at`", "write `at bottom`", at, "at bottom".into())),
            _ => None,
        }
    }

    fn by_chance(&self, start: usize, first: &str) -> Option<ExprError> {
        let step = self.whole(start);
        let said = self.text.cut(start + 4..step.end);
        if first == "pick" {
            let name = said.find(" in ").map(|end| said.cut(..end).split_whitespace().next_back().unwrap_or(""))?;
            let end = start + 4 + said.find(" in ")?;
            let message = "`pick` takes one by chance, and only its name stands there";
            let cure = format!("pick {name}");
            return Some(put(start..end, message, format!("write `{cure} in …`"), start..end, cure));
        }
        let error = ExprError::syntax(start..step.end, "what is rolled gets a name, and a die has sides");
        let sides = said.rsplit(|letter: char| !letter.is_ascii_digit()).find(|number| !number.is_empty());
        let Some(sides) = sides else { return Some(error.help("write `roll NAME of 6`")) };
        let cure = format!("roll result of {sides}");
        let help = format!("write `{cure}`, and use `result`");
        Some(ExprError { cure: Some((step, cure)), ..error.help(help) })
    }

    /// `set x to 1`, `set x == 1`, `let x := 1`
    fn setting(&self, start: usize) -> Option<ExprError> {
        let step = self.whole(start);
        let said = self.text.cut(step.clone());
        let changed =
            Place { text: self.text, stop: self.stop, effect: true }.assigned(&((start + 4).min(step.end)..step.end));
        if let Some(error) = changed.filter(|_| ["++", "--", "+=", "-=", "*="].iter().any(|sign| said.contains(sign))) {
            let cure = error.cure.map(|(_, cure)| (step.clone(), cure));
            return Some(ExprError { at: step, cure, message: "a variable is set with `=`".to_string(), ..error });
        }
        let sign = [":=", "==", " to ", " as ", " is "].into_iter().find(|sign| said.contains(sign))?;
        let at = start + said.find(sign)?;
        let at = at + leading(sign)..at + sign.trim_end().len();
        if at.end + 2 < self.stop {
            return None;
        }
        let message = "a value is set with `=`";
        Some(put(at.clone(), message, "write `=`", at, "=".into()))
    }

    fn ending(&self, start: usize, first: &str) -> Option<ExprError> {
        let step = self.whole(start);
        let said = self.text.cut(step.start + first.len()..step.end).trim();
        if first == "pass" {
            let message = "`pass` stands alone";
            return Some(put(
                self.stop..step.end,
                message,
                "leave out what follows",
                self.stop..step.end.max(self.stop),
                String::new(),
            ));
        }
        let what = ["turn", "phase", "game"].into_iter().find(|what| said.split_whitespace().any(|word| word == *what));
        match what {
            Some(what) if what != "game" || !said.starts_with("game") => {
                let message = format!("nothing stands between `end` and `{what}`, nor behind it");
                Some(put(step.clone(), message, format!("write `end {what}`"), step, format!("end {what}")))
            }
            Some(_) => Some(
                ExprError::syntax(self.stop..step.end.max(self.stop), "who has won stands behind `won by`")
                    .help("write `end game won by PLAYER`"),
            ),
            None => Some(
                ExprError::syntax(start..start + 3, "the end of what?")
                    .help("write `end turn`, `end phase` or `end game`; a block ends with `}`"),
            ),
        }
    }

    fn doing(&self, start: usize) -> Option<ExprError> {
        if self.rest().starts_with('{') && self.since(start + 2).trim().is_empty() {
            let at = start..start + 2;
            return Some(put(at.clone(), "a block needs no `do`", "leave it out", start..self.stop, String::new()));
        }
        let (last, last_at) = self.before();
        if is_verb(last) && last_at > start {
            let at = start..start + 2;
            return Some(put(
                at,
                "`do` does an action; other steps need none",
                "leave it out",
                start..last_at,
                String::new(),
            ));
        }
        let at = self.stop..self.stop + "for free".len();
        let free = self.rest().starts_with("for free");
        free.then(|| put(at.clone(), "an action is done free by `free`", "write `free`", at, "free".into()))
    }

    /// `gain coin x2`, `gain 2coin`, `gain "coin"`: an amount, then a name.
    pub(super) fn amount(&self, start: usize, first: &str) -> Option<ExprError> {
        if !COSTS.contains(&first) {
            return None;
        }
        let (from, end) = (start + first.len(), self.whole(start).end);
        let whole = self.text.cut(from..end);
        let ends = [" for ", " from ", " to ", " on ", " if ", " unless ", "->", "=>", " then ", " per "];
        let length = ends.iter().filter_map(|word| whole.find(word)).min().unwrap_or(whole.len());
        let said = whole.cut(..length).trim();
        let at = from + whole.find(said)?..from + whole.find(said)? + said.len();
        if self.stop > at.end {
            return None;
        }
        let is_sign = |letter: char| !is_letter(letter) && !letter.is_whitespace();
        let fits = |letter: char| "()*:,+".contains(letter) || is_quote(letter) || letter == '\\';
        if said.chars().filter(|letter| is_sign(*letter)).any(|letter| !fits(letter))
            || said.strip_prefix('+').unwrap_or(said).contains('+')
        {
            return None;
        }
        let (mut numbers, mut names) = (Vec::new(), Vec::new());
        for word in said.split(|letter| !is_letter(letter)).filter(|word| !word.is_empty()) {
            let digits = word.find(|c: char| !c.is_ascii_digit()).unwrap_or(word.len());
            let (number, rest) = (word.cut(..digits), word.cut(digits..));
            let times = word.strip_prefix('x').filter(|rest| is_number(rest));
            match (number, rest) {
                _ if times.is_some() => numbers.extend(times.map(str::to_string)),
                ("", _) if number_word(word).is_some() => numbers.extend(number_word(word).map(|n| n.to_string())),
                ("", "x" | "of" | "a" | "an" | "the" | "piece" | "pieces" | "unit" | "units") => {}
                ("", name) => names.push(name),
                (number, "" | "x") => numbers.push(number.to_string()),
                (_, rest) if rest.starts_with(['d', 'D', '_']) && is_number(rest.cut(1..)) => return None,
                (number, name) => {
                    numbers.push(number.to_string());
                    names.push(name);
                }
            }
        }
        let [name] = names.as_slice() else { return None };
        if numbers.len() > 1 || is_reserved(name) || ["all", "any", "up", "random", "some"].contains(name) {
            return None;
        }
        let cure = format!("{} {name}", numbers.first().map_or("1", String::as_str));
        if cure == said {
            return None;
        }
        let quoted = said.contains(is_quote);
        let message = if quoted {
            "names stand without quotes"
        } else {
            "a number stands before a name, with a space between them"
        };
        let gap = if at.start == from { " " } else { "" };
        Some(put(at.clone(), message, format!("write `{first} {cure}`"), at, format!("{gap}{cure}")))
    }

    /// Amounts for each of something, sources, and upper limits.
    fn given(&self, start: usize, first: &str) -> Option<ExprError> {
        let step = self.whole(start);
        let (said, word) = (self.text.cut(start..step.end), word_at(self.rest()));
        let at = self.here();
        let (last, last_at) = self.before();
        if first == "gain" && word == "to" && last != "up" {
            return Some(put(at.clone(), "who gains it stands behind `for`", "write `for`", at, "for".into()));
        }
        if ["all", "every", "both"].contains(&last) && ["player", "players"].contains(&word) {
            let help = format!(
                "write `for each player in players {{ {} for player }}`",
                self.text.get(start..last_at).unwrap_or("").replace(" for ", " ").trim()
            );
            return Some(
                ExprError::syntax(last_at..at.end, "one player is meant here, and these are several").help(help),
            );
        }
        if word == "each" && last == "for" || word == "per" {
            let error = ExprError::syntax(at, "how often stands before the step");
            let inner = self.text.get(start..if word == "per" { self.stop } else { last_at }).unwrap_or("").trim_end();
            let set = self.rest().cut(word.len()..).trim_start();
            if word == "each" && set.contains(" in ") && self.stop < step.end {
                let set = self.text.get(self.stop + 4..step.end).unwrap_or("").trim();
                // A player gains directly; for a piece, the player for whom the text is evaluated gains.
                let of_players =
                    set.split_once(" in ").filter(|(_, of)| of.starts_with("players") || of.starts_with("others"));
                let cure = match of_players {
                    Some((name, _)) => format!("for each {set} {{ as {name} {{ {inner} }} }}"),
                    None => format!("for each {set} {{ {inner} }}"),
                };
                return Some(ExprError { cure: Some((step, cure.clone())), ..error.help(format!("write `{cure}`")) });
            }
            return Some(
                error.help(format!("write `for each NAME in SET {{ {inner} }}`, or `{first} count(SET) NAME`")),
            );
        }
        if first == "gain" && word == "from" {
            let message = "what is gained comes from the supply, which need not be said";
            return Some(put(
                at,
                message,
                "leave it out; from a piece or a player one takes: `take 1 NAME from …`",
                self.stop..step.end.max(self.stop),
                String::new(),
            ));
        }
        let ranged = ["up to", "at least", "at most", "..", "[", "any number"].iter().any(|sign| said.contains(sign));
        if ranged {
            let at = start..step.end;
            return Some(ExprError::syntax(at, "an amount is one number").help(format!(
                "write `{first} 2 NAME`; what a player may leave is written `repeat 2 {{ may {first} 1 NAME }}`"
            )));
        }
        if let Some(sign) =
            ["-", "%", "$", "\u{2013}", "\u{2014}", "\u{2212}"].into_iter().find(|sign| self.rest().starts_with(sign))
        {
            let error = ExprError::syntax(self.here(), format!("`{sign}` has no place in an amount"));
            let sign = if sign.is_ascii() { sign } else { "-" };
            return Some(error.help(match (sign, first) {
                ("-", "gain") => "what a player loses is written `pay 1 NAME`".to_string(),
                ("-", "pay") => "what a player gets is written `gain 1 NAME`".to_string(),
                _ => format!("write a number and a name: `{first} 2 NAME`"),
            }));
        }
        None
    }

    /// `gain 1 coin if c`, `gain 1 coin unless c`
    fn condition_behind(&self, start: usize) -> Option<ExprError> {
        if let Some(error) = self.value_if_else() {
            return Some(error);
        }
        let word = word_at(self.rest());
        let step = self.whole(start);
        let behind = self.text.get(self.stop + word.len()..step.end)?.trim();
        if !["if", "unless", "when"].contains(&word) || self.stop <= start || behind.is_empty() || behind.contains('{')
        {
            return None;
        }
        let done = self.text.cut(start..self.stop).trim().trim_end_matches(',');
        let condition = if word == "unless" { format!("not ({behind})") } else { behind.to_string() };
        let cure = format!("if {condition} {{ {done} }}");
        let at = self.stop..self.stop + word.len();
        Some(put(at, "a condition stands before its step", format!("write `{cure}`"), step, cure))
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
    fn assigned(&self, step: &Range<usize>) -> Option<ExprError> {
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
