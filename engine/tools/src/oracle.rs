//! The oracle: a game is played a second time, answer by answer, without any shortcut of the kernel. At every question
//! both games must be the same in every way.

use std::sync::Arc;

use rulepack_kernel::{Answer, Game, Shortcuts};
use rulepack_script::ScriptHost;

use crate::load::GameBox;

/// A second game without shortcuts.
#[derive(Debug)]
pub struct PlainGame(Game);

impl GameBox {
    /// The same game with other shortcuts. Only debug builds and builds with the feature `oracle` can switch them off.
    pub fn with_shortcuts(&self, shortcuts: Shortcuts) -> GameBox {
        let mut rules = (**self.rules()).clone();
        rules.shortcuts = shortcuts;
        self.with_rules(Arc::new(rules))
    }
}

impl PlainGame {
    /// Sets up a game from the seed of another one.
    ///
    /// # Errors
    /// If the pack fails here although the other game did not fail.
    pub fn start(plain: &GameBox, host: &ScriptHost, seed: u64) -> Result<PlainGame, String> {
        plain.start(host, seed).map(PlainGame).map_err(|fault| differs(&format!("it cannot be set up: {fault}")))
    }

    /// Gives the same answer as in the other game, and compares both. `failed` is the reason if the other game refused
    /// it.
    ///
    /// # Errors
    /// A sentence about the first difference.
    pub fn answer(&mut self, host: &ScriptHost, answer: Answer, failed: Option<&str>) -> Result<(), String> {
        match (self.0.answer_fast(host, answer), failed) {
            (Ok(()), None) | (Err(_), Some(_)) => Ok(()),
            (Ok(()), Some(fault)) => Err(differs(&format!("nothing goes wrong, instead of: {fault}"))),
            (Err(error), None) => Err(differs(&error.to_string())),
        }
    }

    /// Compares the question, the options and the table with those of the other game.
    ///
    /// # Errors
    /// A sentence about the first difference.
    pub fn compare(&self, game: &Game) -> Result<(), String> {
        let (plain, short) = (self.0.decision(), game.decision());
        if plain != short {
            return Err(differs(&format!("{plain:?} is asked instead of {short:?}")));
        }
        if self.0.hash() == game.hash() {
            return Ok(());
        }
        let (plain, short) = (format!("{:?}", self.0.state()), format!("{:?}", game.state()));
        let at = plain.bytes().zip(short.bytes()).take_while(|(one, other)| one == other).count().saturating_sub(60);
        let near = |text: &str| -> String { text.chars().skip(at).take(160).collect() };
        Err(differs(&format!("the table is `{}` instead of `{}`", near(&plain), near(&short))))
    }

    /// Ends the game here.
    pub fn abandon(self, host: &ScriptHost) {
        self.0.abandon(host);
    }
}

fn differs(what: &str) -> String {
    format!("without shortcuts the game goes otherwise (a bug of the engine): {what}")
}
