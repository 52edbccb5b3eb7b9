//! Games that are loaded from a save, undone or replayed from their log: they must go on as the game did.

use rulepack_kernel::{Answer, Game, LogEntry};

use super::compare::{difference, question};
use super::game::{Broken, Inspection, Wrong};
use super::property::Property;
use crate::replay::{GameLog, Start, follow};

impl Inspection<'_> {
    /// The game after saving and loading.
    pub(super) fn loaded(&mut self) -> Result<Game, Wrong> {
        self.count(Property::Save, 1);
        let text = self.game.save().to_json();
        let loaded = Game::load(self.game.rules().clone(), self.set.other, &text)
            .map_err(|error| (Property::Save, self.placed(format!("what was saved cannot be loaded: {error}"))))?;
        self.same(&loaded, Property::Save, "what was saved and loaded")?;
        if loaded.save().to_json() != text {
            let message = "what was loaded is not saved as it was".to_string();
            return Err((Property::Save, self.placed(message)));
        }
        Ok(loaded)
    }

    pub(super) fn loaded_goes_on(
        &mut self,
        loaded: &mut Game,
        answer: Answer,
        events: &[LogEntry],
    ) -> Result<(), Wrong> {
        let told = loaded.answer(self.set.other, answer).map_err(|error| {
            let message = format!("what was saved and loaded does not take the answer: {error}");
            (Property::Save, message)
        })?;
        let differs =
            difference(&self.game, loaded).or_else(|| (told != events).then(|| "something else happens".to_string()));
        match differs {
            None => Ok(()),
            Some(differs) => {
                let message = self.after_the_last(format!("what was saved and loaded goes on otherwise: {differs}"));
                Err((Property::Save, message))
            }
        }
    }

    /// Takes all answers back, one by one; each is then given once more.
    pub(super) fn undone(&mut self) -> Result<(), Box<Broken>> {
        let last = self.game.hash();
        let depths = if self.undoes { self.passed.len() } else { 0 };
        for depth in (0..depths).rev() {
            if !self.set.pace.is_turn(self.passed[depth].in_script) {
                continue;
            }
            self.count(Property::Undo, 1);
            let back = self.past.go_back(depth, self.set.host);
            let passed = &self.passed[depth];
            let next = self.passed.get(depth + 1).map_or(last, |next| next.hash);
            let broken = |game: Option<&Game>, message: &str| {
                Box::new(Broken {
                    property: Property::Undo,
                    message: message.to_string(),
                    decision: depth as u64 + 1,
                    asked: self.asked(game.unwrap_or(&self.game)),
                    answers: self.passed.len() as u64,
                    also: None,
                })
            };
            let mut game = match back {
                Ok(Some(game)) => game,
                Ok(None) => return Err(broken(None, "an answer cannot be taken back")),
                Err(fault) => return Err(broken(None, &fault.to_string())),
            };
            if game.hash() != passed.hash || question(&game) != passed.question {
                return Err(broken(Some(&game), "after undo, the game is not as it was before the answer"));
            }
            // Sometimes it is continued.
            if (depth as u64).is_multiple_of(self.set.pace.often)
                && (game.answer_fast(self.set.host, passed.answer).is_err() || game.hash() != next)
            {
                return Err(broken(Some(&game), "after undo, the same answer leads elsewhere"));
            }
            game.abandon(self.set.host);
        }
        Ok(())
    }

    /// Writes a log, reads it and gives its answers again.
    pub(super) fn followed(&mut self) -> Result<(), Box<Broken>> {
        let Some(given) = self.given.take() else { return Ok(()) };
        let log = GameLog::new(&self.game, Start::Seed(self.seed), given);
        let broken = |decision: usize, message: String| {
            let asked = self.asked(&self.game);
            let answers = self.passed.len() as u64;
            Box::new(Broken {
                property: Property::Replay,
                message,
                decision: decision as u64,
                asked,
                answers,
                also: None,
            })
        };
        let read = match GameLog::from_text(&log.to_text()) {
            Ok(read) if read == log => read,
            Ok(_) => return Err(broken(1, "a log is not read as it was written".to_string())),
            Err(error) => return Err(broken(1, format!("a log cannot be read: {error}"))),
        };
        let mut again = match read.begin(self.set.game_box, self.set.other) {
            Ok(again) => again,
            Err(error) => return Err(broken(1, format!("a log cannot be followed: {error}"))),
        };
        let (_, difference) = follow(&mut again, self.set.other, &read.answers, |_, _, _, _| {});
        let hash = again.hash();
        again.abandon(self.set.other);
        match difference {
            Some(difference) => {
                let at =
                    if difference.place.is_empty() { String::new() } else { format!(" (in {})", difference.place) };
                Err(broken(difference.number, format!("the log does not lead to the same game: {difference}{at}")))
            }
            None if hash != self.game.hash() => {
                Err(broken(self.passed.len(), "the log leads to another end".to_string()))
            }
            None => {
                let count = self.passed.len();
                self.count(Property::Replay, count);
                Ok(())
            }
        }
    }
}
