//! Steps that begin with a verb of the language, such as `choose`, and go on as another language would write them.

use rulepack_model::Cut;

use super::steps::{ARTICLES, is_number};
use super::words::{is_reserved, is_verb, number_word};
use super::{Place, is_letter, leading, put, word_at};
use crate::error::ExprError;

impl Place<'_> {
    /// `for all`, `for p in`, `foreach`, `for i in 1..3`
    pub(super) fn loops(&self, start: usize, first: &str) -> Option<ExprError> {
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
    pub(super) fn body(&self, start: usize, first: &str) -> Option<ExprError> {
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

    pub(super) fn choosing(&self, start: usize) -> Option<ExprError> {
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

    pub(super) fn drawing(&self, start: usize) -> Option<ExprError> {
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

    pub(super) fn moving(&self, start: usize, first: &str) -> Option<ExprError> {
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

    pub(super) fn by_chance(&self, start: usize, first: &str) -> Option<ExprError> {
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
    pub(super) fn setting(&self, start: usize) -> Option<ExprError> {
        let step = self.whole(start);
        let said = self.text.cut(step.clone());
        let changed =
            Place { text: self.text, stop: self.stop, effect: true }.assigned(&((start + 4).min(step.end)..step.end));
        if let Some(error) = changed.filter(|_| ["++", "--", "+=", "-=", "*="].iter().any(|sign| said.contains(sign))) {
            let cure = error.cure.map(|(_, cure)| (step.clone(), cure));
            return Some(ExprError { at: step, cure, message: "a variable is set with `=`".to_string(), ..error });
        }
        // What stands for `=` comes behind the name, which may be `to` or `is` itself: another mistake.
        let verb = said.get(..4)?;
        let name = said.get(4..)?.find(|letter: char| !letter.is_whitespace()).map_or(verb.len(), |blanks| 4 + blanks);
        let name_end = name + said.get(name..)?.find(char::is_whitespace).unwrap_or(0);
        let behind = said.get(name_end..)?;
        let sign = [":=", "==", " to ", " as ", " is "].into_iter().find(|sign| behind.contains(sign))?;
        let at = start + name_end + behind.find(sign)?;
        let at = at + leading(sign)..at + sign.trim_end().len();
        if at.end + 2 < self.stop {
            return None;
        }
        let message = "a value is set with `=`";
        Some(put(at.clone(), message, "write `=`", at, "=".into()))
    }

    pub(super) fn ending(&self, start: usize, first: &str) -> Option<ExprError> {
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

    pub(super) fn doing(&self, start: usize) -> Option<ExprError> {
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
}
