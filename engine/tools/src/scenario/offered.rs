//! `offered` and `not_offered`: a path of answers is tried on copies of the game.

use std::collections::BTreeSet;

use rulepack_kernel::Answer;
use rulepack_model::Seat;
use rulepack_pack::Word;

use super::when::{Play, joined};

/// How far a path of answers leads, from worst to best.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Reach {
    /// An answer before the last one cannot be given: the number of words before it, and what is offered instead.
    Stuck(usize, String),
    /// All but the last answer can be given.
    AllButLast,
    /// Everything can be given, and the game gives the last answer by itself.
    Forced,
    /// Everything can be given.
    Whole,
}

impl Play<'_> {
    pub(super) fn must_be_offered(&self, seat: Option<Seat>, words: &[Word]) -> Result<(), String> {
        match self.reach(seat, words)? {
            Reach::Whole | Reach::Forced => Ok(()),
            Reach::AllButLast | Reach::Stuck(..) => {
                Err(format!("`{}` is not offered\n{}{}", joined(words), self.situation(), self.why(words)))
            }
        }
    }

    pub(super) fn must_not_be_offered(&self, seat: Option<Seat>, words: &[Word]) -> Result<(), String> {
        let whole = joined(words);
        match self.reach(seat, words)? {
            Reach::AllButLast => Ok(()),
            Reach::Whole => Err(format!("`{whole}` is offered\n{}", self.situation())),
            Reach::Forced => Err(format!(
                "`{whole}` is not asked for, but it happens: the game chooses it by itself, because there is nothing else"
            )),
            Reach::Stuck(at, situation) => {
                let (before, from_there) = words.split_at_checked(at).unwrap_or((words, &[]));
                let (stuck, rest) = from_there.split_at_checked(self.first_answer(from_there)).unwrap_or_default();
                Err(format!(
                    "`{whole}` is not offered for another reason: `{}` cannot be answered, so nobody gets to `{}`\n\
                     {situation}\n  write what cannot be answered as the last answer: `not_offered = \"{}\"`",
                    joined(stuck),
                    joined(rest),
                    joined(&[before, stuck].concat()),
                ))
            }
        }
    }

    fn reach(&self, seat: Option<Seat>, words: &[Word]) -> Result<Reach, String> {
        let mut fork = self.fork()?;
        fork.forced = self.forced.clone().of_things();
        fork.walk(seat, words, 0)
    }

    /// How far the words lead from the one at `from` on.
    fn walk(&self, seat: Option<Seat>, words: &[Word], from: usize) -> Result<Reach, String> {
        let rest = words.get(from..).unwrap_or_default();
        if rest.is_empty() {
            return Ok(Reach::Forced);
        }
        let mut best = match self.first_answer(rest) == rest.len() {
            true => Reach::AllButLast,
            false => Reach::Stuck(from, self.situation()),
        };
        if let Ok(decision) = self.asked(seat) {
            let found = self.matches(&decision, rest, true);
            if found.iter().any(|m| m.words == rest.len()) {
                return Ok(Reach::Whole);
            }
            // An option has several names of one length.
            let ways: BTreeSet<(usize, usize)> = found.iter().map(|found| (found.option, found.words)).collect();
            for (option, count) in ways {
                let mut fork = self.fork()?;
                let next = from.saturating_add(count);
                let taken = joined(words.get(..next).unwrap_or(words));
                fork.answer(seat, Answer(option as u16)).map_err(|error| format!("`{taken}` fails: {error}"))?;
                best = best.max(fork.walk(seat, words, next)?);
            }
        }
        for (index, count) in self.forced.named(self, seat, rest) {
            let mut fork = self.fork()?;
            fork.forced = self.forced.clone();
            fork.forced.take(index);
            best = best.max(fork.walk(seat, words, from.saturating_add(count))?);
        }
        Ok(best)
    }

    /// How many words the first answer takes: an action and its first parameter are one answer of two words.
    fn first_answer(&self, words: &[Word]) -> usize {
        let rules = self.game.rules();
        let has_parameter =
            |word: &Word| rules.actions.iter().any(|action| action.name == word.text && !action.params.is_empty());
        match words {
            [first, _, ..] if has_parameter(first) => 2,
            _ => words.len().min(1),
        }
    }
}
