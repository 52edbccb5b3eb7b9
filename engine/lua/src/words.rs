//! The words of a script for editors: names, texts and comments with their places, also of a script that cannot be parsed.

use std::ops::Range;

use crate::tree::{TokenKind, tokens};

/// A word of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LuaWord {
    /// Its place; of a text without its quotes.
    pub at: Range<usize>,
    /// What it is.
    pub kind: LuaWordKind,
}

/// The sorts of words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LuaWordKind {
    /// A name: a local, a field, a function.
    Name,
    /// A text in quotes.
    Text,
    /// Any sign or keyword, for looking at what stands beside a word.
    Sign,
}

/// The words of a script, in their order. Comments are left out.
pub fn lua_words(text: &str) -> Vec<LuaWord> {
    let word = |token: &crate::tree::Token| {
        let range = token.range();
        match token.kind {
            TokenKind::Name => Some(LuaWord { at: range, kind: LuaWordKind::Name }),
            TokenKind::String => {
                let quoted = text.get(range.clone()).unwrap_or_default();
                let is_plain = quoted.starts_with(['"', '\'']) && quoted.len() >= 2;
                let at = if is_plain { range.start.saturating_add(1)..range.end.saturating_sub(1) } else { range };
                Some(LuaWord { at, kind: LuaWordKind::Text })
            }
            TokenKind::EndOfText => None,
            _ => Some(LuaWord { at: range, kind: LuaWordKind::Sign }),
        }
    };
    tokens(text).iter().filter_map(word).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_have_their_places() {
        let text = "ctx:gain(\"coin\", 2) -- coin\nlocal x = a.rope";
        let words = lua_words(text);
        let named: Vec<&str> =
            words.iter().filter(|word| word.kind != LuaWordKind::Sign).map(|word| &text[word.at.clone()]).collect();
        assert_eq!(named, ["ctx", "gain", "coin", "x", "a", "rope"]);
    }
}
