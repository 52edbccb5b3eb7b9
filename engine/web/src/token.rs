//! Tokens: whoever holds the token of a seat is at that seat.

use std::fmt;

use serde::{Deserialize, Serialize};
use subtle::ConstantTimeEq;

/// 128 random bits, as 32 hexadecimal digits. It is never printed in a log.
#[derive(Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Token(String);

impl Token {
    /// A new one, from the random source of the operating system.
    ///
    /// # Errors
    /// If there is no such source.
    pub fn new() -> Result<Token, getrandom::Error> {
        random_digits(16).map(Token)
    }

    /// Its digits, for a link or a cookie.
    pub fn digits(&self) -> &str {
        &self.0
    }

    /// Whether a text is this token. It takes the same time wherever they differ.
    pub fn is(&self, text: &str) -> bool {
        self.0.as_bytes().ct_eq(text.as_bytes()).into()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(…)")
    }
}

/// Random bytes as hexadecimal digits.
///
/// # Errors
/// If there is no random source.
pub fn random_digits(bytes: usize) -> Result<String, getrandom::Error> {
    let mut random = vec![0u8; bytes];
    getrandom::fill(&mut random)?;
    Ok(random.iter().map(|byte| format!("{byte:02x}")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_is_only_itself() {
        let (one, other) = (Token::new().unwrap(), Token::new().unwrap());
        assert_eq!(one.digits().len(), 32);
        assert!(one.is(one.digits()));
        assert!(!one.is(other.digits()) && !one.is("") && !one.is(&one.digits()[..31]));
        assert_eq!(format!("{one:?}"), "Token(…)");
    }
}
