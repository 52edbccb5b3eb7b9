//! Why a scenario cannot choose an option: the reason that the kernel gives to a viewer who may know everything.

use rulepack_kernel::{Reason, Viewer, Wanted, Words, seat_key};
use rulepack_model::Seat;
use rulepack_pack::Word;

use super::when::Play;

impl Play<'_> {
    /// A line with the reason why these words cannot be answered one after the other; empty if there is none to tell.
    pub(super) fn why(&self, words: &[Word]) -> String {
        self.reason(words).map_or(String::new(), |reason| format!("\n  why: {reason}"))
    }

    fn reason(&self, words: &[Word]) -> Option<String> {
        let decision = self.game.decision()?;
        if let Ok(Some((answer, count))) = self.best(decision, words)
            && count < words.len()
        {
            let mut fork = self.fork().ok()?;
            fork.game.answer(self.host, answer).ok()?;
            return fork.reason(words.get(count..)?);
        }
        let rules = self.game.rules();
        let ids: Vec<String> = words.iter().map(|word| self.by_seat(&word.text)).collect();
        let wanted = Wanted::of_words(rules, &ids)?;
        match self.game.why_not(self.host, Viewer::All, &wanted)? {
            // The message lists the options anyway.
            Reason::NotListed => None,
            reason => Some(Words::new(rules, "").reason(&reason)),
        }
    }

    /// A word of a scenario as the kernel reads it: a player has a number there.
    fn by_seat(&self, word: &str) -> String {
        let seat =
            |name: &str| self.seats.iter().position(|known| known == name).map(|seat| seat_key(Seat::from(seat)));
        if let Some(seat) = seat(word) {
            return seat;
        }
        match (word.split_once('.'), word.rsplit_once('@')) {
            (Some((name, rest)), _) if seat(name).is_some() => format!("{}.{rest}", seat(name).unwrap_or_default()),
            (_, Some((rest, name))) if seat(name).is_some() => format!("{rest}@{}", seat(name).unwrap_or_default()),
            _ => word.to_string(),
        }
    }
}
