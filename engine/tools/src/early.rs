//! Answers that come before their turn: of players who choose at the same time (`together`).
//!
//! The kernel asks such players one after the other. Answers of those whom it asks later are kept here, and given to it when
//! it comes to them. So a game goes the same way in whatever order the answers came.

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
use std::collections::BTreeMap;

use rulepack_kernel::{Answer, Decision, EffectHost, Fault, Game, Given};
use rulepack_model::Seat;

/// The answers of players whom the kernel has not asked yet.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Early(BTreeMap<Seat, Kept>);

/// The answers of one player.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Kept {
    answers: Vec<Answer>,
    /// The same in the form for files, if they are kept for files.
    given: Vec<Given>,
}

impl Early {
    /// The answers of a player.
    fn of(&self, seat: Seat) -> &[Answer] {
        self.0.get(&seat).map_or(&[], |kept| kept.answers.as_slice())
    }

    /// The question to a player: the present one, or one that is asked at the same time.
    ///
    /// # Errors
    /// If the pack fails.
    pub(crate) fn decision<'g>(
        &self,
        game: &'g Game,
        host: &dyn EffectHost,
        seat: Seat,
    ) -> Result<Option<Cow<'g, Decision>>, Fault> {
        match game.decision() {
            Some(decision) if decision.seat == seat => Ok(Some(Cow::Borrowed(decision))),
            _ => Ok(game.decision_ahead(host, seat, self.of(seat))?.map(Cow::Owned)),
        }
    }

    /// The players who are asked now, in the order of the kernel.
    ///
    /// # Errors
    /// If the pack fails.
    pub(crate) fn asked(&self, game: &Game, host: &dyn EffectHost) -> Result<Vec<Seat>, Fault> {
        let Some((players, chosen)) = game.together() else {
            return Ok(game.decision().map(|decision| decision.seat).into_iter().collect());
        };
        let mut asked = Vec::new();
        for seat in players.into_iter().skip(chosen) {
            if self.decision(game, host, seat)?.is_some() {
                asked.push(seat);
            }
        }
        Ok(asked)
    }

    /// Keeps an answer for later.
    pub(crate) fn keep(&mut self, seat: Seat, answer: Answer) {
        self.0.entry(seat).or_default().answers.push(answer);
    }

    /// Keeps an answer for later, and its form for files: so a file contains every answer that was accepted.
    pub(crate) fn keep_given(&mut self, seat: Seat, answer: Answer, given: Given) {
        self.keep(seat, answer);
        self.0.entry(seat).or_default().given.push(given);
    }

    /// The answers in the form for files, in the order of the kernel.
    pub(crate) fn given(&self, game: &Game) -> Vec<Given> {
        let (players, _) = game.together().filter(|_| !self.0.is_empty()).unwrap_or_default();
        players.iter().filter_map(|seat| self.0.get(seat)).flat_map(|kept| kept.given.iter().cloned()).collect()
    }

    /// The answer to the present question, if it came early.
    pub(crate) fn next(&mut self, game: &Game) -> Option<Answer> {
        let seat = game.decision().filter(|_| !self.0.is_empty())?.seat;
        let kept = self.0.get_mut(&seat)?;
        let answer = (!kept.answers.is_empty()).then(|| kept.answers.remove(0));
        if !kept.given.is_empty() {
            kept.given.remove(0);
        }
        if kept.answers.is_empty() {
            self.0.remove(&seat);
        }
        answer
    }

    /// Takes the last answer of a player back.
    pub(crate) fn take_back(&mut self, seat: Seat) -> bool {
        let Some(kept) = self.0.get_mut(&seat) else { return false };
        let taken = kept.answers.pop().is_some();
        kept.given.pop();
        if kept.answers.is_empty() {
            self.0.remove(&seat);
        }
        taken
    }

    /// Forgets all of them.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// All of them with their questions, in the order of the kernel, whatever the order in which they came.
    ///
    /// # Errors
    /// If the pack fails.
    pub(crate) fn asked_and_answered(
        &self,
        game: &Game,
        host: &dyn EffectHost,
    ) -> Result<Vec<(Decision, Answer)>, Fault> {
        let (players, _) = game.together().filter(|_| !self.0.is_empty()).unwrap_or_default();
        let mut all = Vec::new();
        for seat in players {
            let answers = self.of(seat);
            for (count, answer) in answers.iter().enumerate() {
                let before = answers.get(..count).unwrap_or_default();
                let decision = game.decision_ahead(host, seat, before)?;
                all.push((decision.ok_or_else(|| Fault::new("an answer that came early is not asked for"))?, *answer));
            }
        }
        Ok(all)
    }
}
