//! Steps with an amount, such as `gain 1 coin`, in other words or in another order.

use rulepack_model::Cut;

use super::letters::is_quote;
use super::steps::{COSTS, is_number};
use super::words::{is_reserved, number_word};
use super::{Place, is_letter, put, word_at};
use crate::error::ExprError;

impl Place<'_> {
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
    pub(super) fn given(&self, start: usize, first: &str) -> Option<ExprError> {
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
    pub(super) fn condition_behind(&self, start: usize) -> Option<ExprError> {
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
}
