//! The lexer: it splits a text into the tokens of Lua 5.1, with a few additions of the VM (`//`, `+=`, `0b1`, `1_000`).
//!
//! Whitespace and comments are left out. The order of tokens is checked by the parser.

use std::ops::Range;

/// A token with its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: TokenKind,
    pub start: usize,
    pub end: usize,
}

impl Token {
    pub(crate) fn range(self) -> Range<usize> {
        self.start..self.end
    }
}

/// The kinds of tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Name,
    Number,
    String,
    And,
    Break,
    Do,
    Else,
    ElseIf,
    End,
    False,
    For,
    Function,
    If,
    In,
    Local,
    Nil,
    Not,
    Or,
    Repeat,
    Return,
    Then,
    True,
    Until,
    While,
    LeftParen,
    RightParen,
    LeftBrace,
    RightBrace,
    LeftBracket,
    RightBracket,
    Semicolon,
    Comma,
    Colon,
    Dot,
    Concat,
    Dots,
    /// `=`
    Assign,
    /// `+=` and the like.
    AssignWith,
    Plus,
    Minus,
    Star,
    Slash,
    DoubleSlash,
    Percent,
    Caret,
    Length,
    Equal,
    Unequal,
    Less,
    LessEqual,
    Greater,
    GreaterEqual,
    /// A sign that plain Lua does not have.
    Unknown,
    /// A malformed text, comment or number, with the message.
    Bad(&'static str),
    EndOfText,
}

/// All tokens of a text; the last one is [`TokenKind::EndOfText`].
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let mut lexer = Lexer { text, at: 0 };
    let mut found = Vec::new();
    loop {
        let token = lexer.next();
        found.push(token);
        if token.kind == TokenKind::EndOfText {
            return found;
        }
    }
}

struct Lexer<'t> {
    text: &'t str,
    at: usize,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn byte(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at.saturating_add(ahead)).copied()
    }

    fn skip(&mut self, bytes: usize) {
        self.at = self.at.saturating_add(bytes).min(self.text.len());
    }

    fn skip_while(&mut self, wanted: impl Fn(u8) -> bool) {
        while self.byte(0).is_some_and(&wanted) {
            self.skip(1);
        }
    }

    fn next(&mut self) -> Token {
        if self.at == 0 && self.rest().starts_with('\u{feff}') {
            self.skip('\u{feff}'.len_utf8());
        }
        let bad = self.skip_blank();
        if let Some(bad) = bad {
            return bad;
        }
        let start = self.at;
        let kind = match self.byte(0) {
            None => TokenKind::EndOfText,
            Some(b'_' | b'a'..=b'z' | b'A'..=b'Z') => self.word(),
            Some(b'0'..=b'9') => self.number(),
            Some(b'.') if self.byte(1).is_some_and(|next| next.is_ascii_digit()) => self.number(),
            Some(quote @ (b'"' | b'\'')) => self.quoted(quote),
            Some(b'[') if self.long_bracket().is_some() => self.long("unfinished long string"),
            Some(_) => self.sign(),
        };
        Token { kind, start, end: self.at }
    }

    /// Skips whitespace and comments. A comment that does not end is returned as a bad token.
    fn skip_blank(&mut self) -> Option<Token> {
        loop {
            self.skip_while(|byte| byte.is_ascii_whitespace() || byte == 0x0b);
            if !self.rest().starts_with("--") {
                return None;
            }
            let start = self.at;
            self.skip(2);
            if self.long_bracket().is_some() {
                let kind = self.long("unfinished long comment");
                if kind != TokenKind::String {
                    return Some(Token { kind, start, end: self.at });
                }
            } else {
                self.skip_while(|byte| byte != b'\n');
            }
        }
    }

    fn word(&mut self) -> TokenKind {
        let start = self.at;
        self.skip_while(|byte| byte == b'_' || byte.is_ascii_alphanumeric());
        match self.text.get(start..self.at).unwrap_or_default() {
            "and" => TokenKind::And,
            "break" => TokenKind::Break,
            "do" => TokenKind::Do,
            "else" => TokenKind::Else,
            "elseif" => TokenKind::ElseIf,
            "end" => TokenKind::End,
            "false" => TokenKind::False,
            "for" => TokenKind::For,
            "function" => TokenKind::Function,
            "if" => TokenKind::If,
            "in" => TokenKind::In,
            "local" => TokenKind::Local,
            "nil" => TokenKind::Nil,
            "not" => TokenKind::Not,
            "or" => TokenKind::Or,
            "repeat" => TokenKind::Repeat,
            "return" => TokenKind::Return,
            "then" => TokenKind::Then,
            "true" => TokenKind::True,
            "until" => TokenKind::Until,
            "while" => TokenKind::While,
            _ => TokenKind::Name,
        }
    }

    fn number(&mut self) -> TokenKind {
        let start = self.at;
        let is_hex = matches!((self.byte(0), self.byte(1)), (Some(b'0'), Some(b'x' | b'X')));
        let mut last = 0;
        while let Some(byte) = self.byte(0) {
            let is_exponent = !is_hex && matches!(last, b'e' | b'E') && matches!(byte, b'+' | b'-');
            // `1..2` is two numbers with a sign between them.
            let is_point = byte == b'.' && self.byte(1) != Some(b'.');
            if !(byte == b'_' || byte.is_ascii_alphanumeric() || is_point || is_exponent) {
                break;
            }
            last = byte;
            self.skip(1);
        }
        let written = self.text.get(start..self.at).unwrap_or_default();
        if number(written).is_some() { TokenKind::Number } else { TokenKind::Bad("malformed number") }
    }

    fn quoted(&mut self, quote: u8) -> TokenKind {
        self.skip(1);
        loop {
            match self.byte(0) {
                None | Some(b'\n') => return TokenKind::Bad("unfinished string"),
                Some(b'\\') if self.byte(1) == Some(b'z') => {
                    self.skip(2);
                    self.skip_while(|byte| byte.is_ascii_whitespace());
                }
                Some(b'\\') if self.rest().starts_with("\\\r\n") => self.skip(3),
                Some(b'\\') => self.skip(2),
                Some(byte) => {
                    self.skip(1);
                    if byte == quote {
                        return TokenKind::String;
                    }
                }
            }
        }
    }

    /// If a long text begins here, the number of `=` between its two opening brackets.
    fn long_bracket(&self) -> Option<usize> {
        let inside = self.rest().strip_prefix('[')?;
        let signs = inside.bytes().take_while(|byte| *byte == b'=').count();
        (inside.as_bytes().get(signs) == Some(&b'[')).then_some(signs)
    }

    fn long(&mut self, unfinished: &'static str) -> TokenKind {
        let signs = self.long_bracket().unwrap_or_default();
        let close = format!("]{}]", "=".repeat(signs));
        match self.rest().find(&close) {
            Some(at) => {
                self.skip(at.saturating_add(close.len()));
                TokenKind::String
            }
            None => {
                self.skip(self.text.len());
                TokenKind::Bad(unfinished)
            }
        }
    }

    fn sign(&mut self) -> TokenKind {
        use TokenKind as T;
        // Longer signs first.
        const SIGNS: &[(&str, TokenKind)] = &[
            ("...", T::Dots),
            ("..=", T::AssignWith),
            ("//=", T::AssignWith),
            ("..", T::Concat),
            ("//", T::DoubleSlash),
            ("::", T::Unknown),
            ("==", T::Equal),
            ("~=", T::Unequal),
            ("<=", T::LessEqual),
            (">=", T::GreaterEqual),
            ("+=", T::AssignWith),
            ("-=", T::AssignWith),
            ("*=", T::AssignWith),
            ("/=", T::AssignWith),
            ("%=", T::AssignWith),
            ("^=", T::AssignWith),
            ("(", T::LeftParen),
            (")", T::RightParen),
            ("{", T::LeftBrace),
            ("}", T::RightBrace),
            ("[", T::LeftBracket),
            ("]", T::RightBracket),
            (";", T::Semicolon),
            (",", T::Comma),
            (":", T::Colon),
            (".", T::Dot),
            ("=", T::Assign),
            ("+", T::Plus),
            ("-", T::Minus),
            ("*", T::Star),
            ("/", T::Slash),
            ("%", T::Percent),
            ("^", T::Caret),
            ("#", T::Length),
            ("<", T::Less),
            (">", T::Greater),
        ];
        if let Some((sign, kind)) = SIGNS.iter().find(|(sign, _)| self.rest().starts_with(sign)) {
            self.skip(sign.len());
            return *kind;
        }
        let len = self.rest().chars().next().map_or(1, char::len_utf8);
        self.skip(len);
        T::Unknown
    }
}

/// The value of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Number {
    Whole(u64),
    Float(f64),
}

/// Reads a number; `None` if the text is none.
pub(crate) fn number(written: &str) -> Option<Number> {
    let digits = written.replace('_', "").to_ascii_lowercase();
    let whole = |digits: &str, base: u32| u64::from_str_radix(digits, base).ok().map(Number::Whole);
    if let Some(hex) = digits.strip_prefix("0x") {
        return whole(hex, 16).filter(|_| !hex.starts_with('+'));
    }
    if let Some(binary) = digits.strip_prefix("0b") {
        return whole(binary, 2).filter(|_| !binary.starts_with('+'));
    }
    let is_decimal = |letter: char| letter.is_ascii_digit() || matches!(letter, '.' | 'e' | '+' | '-');
    if !digits.chars().all(is_decimal) {
        return None;
    }
    whole(&digits, 10).or_else(|| digits.parse().ok().map(Number::Float))
}

/// The value of a text in quotes or long brackets.
pub(crate) fn unquoted(written: &str) -> String {
    if let Some(inside) = written.strip_prefix('[') {
        let signs = inside.bytes().take_while(|byte| *byte == b'=').count();
        let edge = signs.saturating_add(2);
        let inside = written.get(edge..written.len().saturating_sub(edge)).unwrap_or_default();
        let inside = inside.strip_prefix("\r\n").or_else(|| inside.strip_prefix('\n')).unwrap_or(inside);
        return inside.to_string();
    }
    let inside = written.get(1..written.len().saturating_sub(1)).unwrap_or_default();
    let (mut said, mut rest) = (Vec::new(), inside);
    while let Some((before, after)) = rest.split_once('\\') {
        said.extend_from_slice(before.as_bytes());
        rest = escape(after, &mut said);
    }
    said.extend_from_slice(rest.as_bytes());
    String::from_utf8_lossy(&said).into_owned()
}

/// Adds the value of an escape, whose text comes after the backslash, and returns the rest of the text.
fn escape<'t>(after: &'t str, said: &mut Vec<u8>) -> &'t str {
    let mut letters = after.chars();
    let Some(letter) = letters.next() else { return "" };
    let rest = letters.as_str();
    // All digits, up to a limit.
    let digits = |text: &'t str, most: usize, base: u32| {
        let len = text.chars().take(most).take_while(|digit| digit.is_digit(base)).count();
        let (digits, rest) = text.split_at(len);
        (u32::from_str_radix(digits, base).ok(), rest)
    };
    let (code, rest) = match letter {
        'a' => (Some(0x07), rest),
        'b' => (Some(0x08), rest),
        'f' => (Some(0x0c), rest),
        'n' => (Some(0x0a), rest),
        'r' => (Some(0x0d), rest),
        't' => (Some(0x09), rest),
        'v' => (Some(0x0b), rest),
        'z' => return rest.trim_start_matches(|blank: char| blank.is_ascii_whitespace()),
        'x' => digits(rest, 2, 16),
        '0'..='9' => digits(after, 3, 10),
        'u' => {
            let (code, rest) = digits(rest.strip_prefix('{').unwrap_or(rest), 8, 16);
            let letter = code.and_then(char::from_u32).unwrap_or(char::REPLACEMENT_CHARACTER);
            said.extend_from_slice(letter.encode_utf8(&mut [0; 4]).as_bytes());
            return rest.strip_prefix('}').unwrap_or(rest);
        }
        other => {
            said.extend_from_slice(other.encode_utf8(&mut [0; 4]).as_bytes());
            return rest;
        }
    };
    said.extend(code.and_then(|code| u8::try_from(code).ok()));
    rest
}
