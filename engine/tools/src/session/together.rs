//! Players who choose at the same time: who is asked, answers before their turn, and taking them back.

// Input comes from strangers: no input may end the program.
#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

use std::borrow::Cow;

use rulepack_kernel::{Answer, AnswerError, Decision, Fault, Game, Given, LogEntry, seat_key};
use rulepack_model::Seat;

use super::Session;

impl Session {
    /// The players who are asked now; several if they choose at the same time.
    ///
    /// # Errors
    /// If the pack fails.
    pub fn asked(&self) -> Result<Vec<Seat>, Fault> {
        self.early.asked(&self.game, &*self.host()?)
    }

    /// The question to a player, if the player is asked now.
    ///
    /// # Errors
    /// If the pack fails.
    pub fn decision_of(&self, seat: Seat) -> Result<Option<Cow<'_, Decision>>, Fault> {
        self.early.decision(&self.game, &*self.host()?, seat)
    }

    /// Whether several players choose at the same time now: nobody is told anything before all have chosen.
    pub fn is_together(&self) -> bool {
        self.together.is_some()
    }

    /// The number of answers of which all players have been told: those before players began to choose at the same time.
    pub fn told(&self) -> usize {
        self.together.unwrap_or(self.past.len())
    }

    /// The answers of players who choose at the same time, before their turn, with their questions.
    ///
    /// # Errors
    /// If the pack fails.
    pub fn early_answers(&self) -> Result<Vec<(Decision, Answer)>, Fault> {
        self.early.asked_and_answered(&self.game, &*self.host()?)
    }

    /// Gives the answer of a player: to the present question, or, if players choose at the same time, to the one that this
    /// player is asked. It returns the events that follow; there are none before the last of the players has chosen. The
    /// order in which the players answer leaves no trace.
    ///
    /// # Errors
    /// If the player is not asked, if the answer is not among the options, or if the pack fails. The game is then as before.
    pub fn answer_as(&mut self, seat: Seat, answer: Answer) -> Result<Vec<LogEntry>, AnswerError> {
        if self.decision().is_some_and(|decision| decision.seat == seat) {
            return self.answer(answer);
        }
        let Some(decision) = self.decision_of(seat)? else {
            return Err(AnswerError::Illegal(format!("{} is not asked anything", seat_key(seat))));
        };
        let count = decision.options.len();
        let given = self.game.given_to(&decision, answer).ok_or_else(|| AnswerError::no_option(answer, count))?;
        self.early.keep_given(seat, answer, given);
        Ok(Vec::new())
    }

    /// Takes back the last answer of a player who chooses at the same time as others, and says whether there was one. Nobody
    /// else has seen it, and the answers of others stay.
    ///
    /// # Errors
    /// As for [`Session::undo`].
    pub fn take_back(&mut self, seat: Seat) -> Result<bool, Fault> {
        if self.early.take_back(seat) {
            return Ok(true);
        }
        let Some(began) = self.together else { return Ok(false) };
        let given: Vec<_> = self.past.answers_since(began).zip(self.past.given_since(began)).collect();
        let Some(last) = given.iter().rposition(|((by, _), _)| *by == seat) else { return Ok(false) };
        let mut early = std::mem::take(&mut self.early);
        let back = given.len().saturating_sub(last);
        if let Err(fault) = self.undo(back) {
            self.early = early;
            return Err(fault);
        }
        for ((by, answer), given) in given.into_iter().skip(last).skip(1) {
            // What follows from it will be known when it is its turn.
            early.keep_given(by, answer, Given { told: None, ..given });
        }
        self.early = early;
        Ok(true)
    }

    /// The answers that came before their turn, in the form for files.
    pub fn early_given(&self) -> Vec<Given> {
        self.early.given(&self.game)
    }

    /// The same game with answers that came early.
    pub(super) fn with_early(mut self, early: &[Given]) -> Result<Session, String> {
        for given in early {
            let seat = self.game.rules().seats().find(|seat| seat_key(*seat) == given.seat);
            let decision = match seat {
                Some(seat) => self.decision_of(seat).map_err(|fault| fault.to_string())?,
                None => None,
            };
            let (Some(seat), Some(decision)) = (seat, decision) else {
                return Err(format!("{} is not asked, and has answered `{}`", given.seat, given.option));
            };
            let (answer, _) = self.game.find_in(&decision, given).map_err(|error| error.to_string())?;
            self.answer_as(seat, answer).map_err(|error| error.to_string())?;
        }
        Ok(self)
    }
}

/// Where the present `together` began, if there is one: `before` is where the one before the last answer began, and `answers`
/// the number of answers now.
pub(crate) fn together_after(before: Option<usize>, answers: usize, game: &Game, events: &[LogEntry]) -> Option<usize> {
    game.together()?;
    let goes_on = before.filter(|_| !events.contains(&LogEntry::AllChose));
    goes_on.or(Some(answers))
}
