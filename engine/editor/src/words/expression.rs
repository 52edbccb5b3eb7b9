//! The words of an expression, by what stands beside each: so that a text in the middle of being typed has them too.

use std::ops::Range;

use rulepack_expr::{FUNCTIONS, MEANT_EVERYWHERE, is_reserved};

use super::language::{KEYWORDS, STEP_WORDS};
use super::{Role, Thing, Word, World, role_of};

/// A token of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token {
    Word,
    Number,
    /// A symbol, without its quotes.
    Symbol,
    Comment,
    Sign,
}

/// The tokens of a text, in their order.
pub(crate) fn tokens(text: &str) -> Vec<(Range<usize>, Token)> {
    let mut found = Vec::new();
    let mut letters = text.char_indices().peekable();
    let part = |letter: char| letter.is_alphanumeric() || letter == '_';
    while let Some((start, letter)) = letters.next() {
        let mut end = start + letter.len_utf8();
        let mut take = |is_part: &dyn Fn(char) -> bool| {
            while let Some((at, next)) = letters.next_if(|(_, next)| is_part(*next)) {
                end = at + next.len_utf8();
            }
            end
        };
        if letter.is_whitespace() {
            continue;
        } else if letter == '#' {
            found.push((start..take(&|next| next != '\n'), Token::Comment));
        } else if letter == '\'' {
            let last = take(&|next| next != '\'' && next != '\n');
            letters.next_if(|(_, next)| *next == '\'');
            found.push((start + 1..last.max(start + 1), Token::Symbol));
        } else if letter.is_ascii_digit() {
            found.push((start..take(&|next| next.is_ascii_digit()), Token::Number));
        } else if part(letter) {
            found.push((start..take(&part), Token::Word));
        } else {
            found.push((start..end, Token::Sign));
        }
    }
    found
}

/// A name that a definition gives its texts, and where in the file.
pub(crate) type Given = (String, Option<(usize, usize)>);

/// Where a name that stands for a value is looked for.
pub(crate) const VALUES: [&str; 14] = [
    "resource",
    "group",
    "zone",
    "var",
    "value",
    "set",
    "piece",
    "plural",
    "kind",
    "adjacency",
    "symbol",
    "attribute",
    "mark",
    "prompt",
];

/// Where a name after a full stop is looked for.
pub(crate) const FIELDS: [&str; 6] = ["attribute", "resource", "group", "var", "value", "mark"];

/// The words of a text; places are those in the text.
pub(crate) fn expression_words(text: &str, given: &[Given], world: &World<'_>) -> Vec<Word> {
    let tokens = tokens(text);
    let reader = Reader { text, tokens: &tokens, given, world };
    let mut bound: Vec<(String, Range<usize>)> = Vec::new();
    let mut found = Vec::new();
    for (index, (at, token)) in tokens.iter().enumerate() {
        let mut word = match token {
            Token::Number => Word::new(at.clone(), Role::Number, None),
            Token::Comment => Word::new(at.clone(), Role::Comment, None),
            Token::Sign => Word::new(at.clone(), Role::Sign, None),
            Token::Symbol => {
                let symbol = world.find(&["symbol"], text.get(at.clone()).unwrap_or_default());
                Word::new(at.clone(), Role::Symbol, symbol)
            }
            Token::Word => reader.word(index, at, &mut bound),
        };
        word.in_expression = true;
        found.push(word);
    }
    found
}

struct Reader<'a> {
    text: &'a str,
    tokens: &'a [(Range<usize>, Token)],
    given: &'a [Given],
    world: &'a World<'a>,
}

impl<'a> Reader<'a> {
    fn at(&self, index: Option<usize>) -> &'a str {
        index.and_then(|index| self.tokens.get(index)).and_then(|(at, _)| self.text.get(at.clone())).unwrap_or("")
    }

    fn before(&self, index: usize, by: usize) -> &'a str {
        self.at(index.checked_sub(by))
    }

    fn word(&self, index: usize, at: &Range<usize>, bound: &mut Vec<(String, Range<usize>)>) -> Word {
        let name = self.at(Some(index));
        let (before, next) = (self.before(index, 1), self.at(Some(index + 1)));
        let word = |role, thing| Word::new(at.clone(), role, thing);
        let named = |thing: Option<Thing>, otherwise: Role| {
            let role = thing.as_ref().map_or(otherwise, role_of);
            Word::new(at.clone(), role, thing)
        };
        let local =
            |given: Option<(usize, usize)>| word(Role::Local, Some(Thing::Local { name: name.to_string(), given }));
        if before == "." && self.before(index, 2) != "." {
            return match self.script(index) {
                Some(function) => named(Some(function), Role::Script),
                None => named(self.world.find(&FIELDS, name), Role::Field),
            };
        }
        match before {
            "raise" => return named(self.world.find(&["event"], name), Role::Event),
            "do" => return named(self.world.find(&["action"], name), Role::Action),
            "either" => return named(self.world.find(&["prompt"], name), Role::Name),
            "or" if next == "{" => return named(self.world.find(&["prompt"], name), Role::Name),
            "as" if next != "{" => {
                if let Some(prompt) = self.world.find(&["prompt"], name) {
                    return named(Some(prompt), Role::Name);
                }
                if !is_reserved(name) && !MEANT_EVERYWHERE.contains(&name) {
                    bound.push((name.to_string(), at.clone()));
                    return Word { declares: true, ..local(Some((at.start, at.end))) };
                }
            }
            _ => {}
        }
        if self.binds(index) {
            bound.push((name.to_string(), at.clone()));
            return Word { declares: true, ..local(Some((at.start, at.end))) };
        }
        if let Some((_, place)) = bound.iter().rev().find(|(known, _)| known == name) {
            return local(Some((place.start, place.end)));
        }
        if let Some((_, place)) = self.given.iter().find(|(known, _)| known == name) {
            // A place outside the text is marked by the caller.
            return Word { thing: Some(Thing::Local { name: name.to_string(), given: *place }), ..local(None) };
        }
        let language = || Some(Thing::Language(name.to_string()));
        let begins = matches!(before, "" | ";" | "{" | "}" | ">" | "may" | ":");
        let ends_something = before == "end" && ["turn", "phase", "game"].contains(&name);
        if is_reserved(name)
            || MEANT_EVERYWHERE.contains(&name)
            || begins && STEP_WORDS.contains(&name)
            || ends_something
        {
            return word(Role::Keyword, language());
        }
        if self.tokens.get(index + 2).is_some() && next == "." && self.script(index + 2).is_some() {
            return word(Role::Script, None);
        }
        if next == "(" && FUNCTIONS.contains(&name) {
            return word(Role::Function, language());
        }
        if let Some(mode) = name.strip_prefix("mode_").and_then(|mode| self.world.find(&["mode"], mode)) {
            return word(Role::Name, Some(mode));
        }
        let kinds: &[&str] = if before == "is" { &["piece", "kind"] } else { &VALUES };
        match self.world.find(kinds, name) {
            Some(thing) => named(Some(thing), Role::Name),
            None if KEYWORDS.contains(&name) => word(Role::Keyword, language()),
            None => word(Role::Name, None),
        }
    }

    /// The function of a script whose last word is at an index: `file.function`.
    fn script(&self, index: usize) -> Option<Thing> {
        let mut parts = vec![self.at(Some(index))];
        let mut first = index;
        while self.before(first, 1) == "." {
            first = first.checked_sub(2)?;
            let (_, token) = self.tokens.get(first)?;
            if *token != Token::Word {
                return None;
            }
            parts.push(self.at(Some(first)));
        }
        let base = *parts.last()?;
        let is_value = self.given.iter().any(|(known, _)| known == base)
            || self.world.find(&VALUES, base).is_some()
            || is_reserved(base)
            || MEANT_EVERYWHERE.contains(&base)
            || self.binds_before(first, base)
            || self.before(first, 1) == "my";
        parts.reverse();
        let function = parts.len() > 1 && !is_value;
        function.then(|| Thing::Function { pack: self.world.pack.to_string(), name: parts.join(".") })
    }

    /// Whether a name is given before a token.
    fn binds_before(&self, index: usize, name: &str) -> bool {
        (0..index).any(|before| self.at(Some(before)) == name && (self.binds(before) || self.before(before, 1) == "as"))
    }

    /// Whether a word gives a name to something: `let n`, `choose card in`, `for each p in`, `roll face of`.
    fn binds(&self, index: usize) -> bool {
        let (before, next) = (self.before(index, 1), self.at(Some(index + 1)));
        if matches!((before, next), ("let", "=") | ("roll", "of") | ("choose" | "pick" | "each" | "different", "in")) {
            return true;
        }
        // `choose 0..my.coin card in`: from the `in` back to the `choose`.
        if next != "in" || matches!(before, "is" | "not" | ".") {
            return false;
        }
        for back in 1..=24 {
            match self.before(index, back) {
                "choose" => return true,
                ";" | "{" | "}" | "in" | "where" | "" => return false,
                _ => {}
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rulepack_expr::Vocabulary;

    #[test]
    fn words_of_a_broken_text() {
        let names = Vocabulary::default();
        let world = World { names: &names, definitions: None, pack: "inn" };
        let text = "let n = 'red' # x\nchoose 0..2 card in my hand { cards.play(card";
        let words = expression_words(text, &[], &world);
        let shown: Vec<String> = words
            .iter()
            .filter(|word| word.role != Role::Sign)
            .map(|word| format!("{:?} {}", word.role, &text[word.at.clone()]))
            .collect();
        assert_eq!(
            shown,
            [
                "Keyword let",
                "Local n",
                "Symbol red",
                "Comment # x",
                "Keyword choose",
                "Number 0",
                "Number 2",
                "Local card",
                "Keyword in",
                "Keyword my",
                "Name hand",
                "Script cards",
                "Script play",
                "Local card"
            ]
        );
        for end in 0..text.len() {
            expression_words(&text[..end], &[], &world);
        }
    }
}
