//! Words of a step that name choices which the game made by itself: these words are skipped, and no others.

use rulepack_kernel::{Cell, LogEntry, Opt, forced_keys};
use rulepack_model::Seat;
use rulepack_pack::Word;

use super::when::Play;

/// The choices that the game has made by itself since the last answer, in this order, as far as they have not been
/// named.
#[derive(Debug, Clone, Default)]
pub(super) struct Forced(Vec<Choice>);

#[derive(Debug, Clone)]
struct Choice {
    /// The player who would have been asked.
    seat: Option<Seat>,
    option: Opt,
    /// Its place, if it is a piece.
    at: Option<Cell>,
    /// The number of times in a row.
    times: u32,
}

impl Forced {
    pub(super) fn of(events: &[LogEntry]) -> Forced {
        let choices = events.iter().filter_map(|event| match *event {
            LogEntry::Forced { seat, option, at, times } => Some(Choice { seat, option, at, times }),
            _ => None,
        });
        Forced(choices.collect())
    }

    /// The choices of a player that the first of these words name, and the number of words for each.
    pub(super) fn named<'f>(
        &'f self,
        play: &'f Play<'_>,
        seat: Option<Seat>,
        words: &'f [Word],
    ) -> impl Iterator<Item = (usize, usize)> + 'f {
        let is_asked = move |choice: &Choice| seat.is_none() || choice.seat.is_none() || choice.seat == seat;
        self.0.iter().enumerate().filter(move |(_, choice)| is_asked(choice)).filter_map(move |(index, choice)| {
            let keys = forced_keys(play.game.rules(), play.game.state(), choice.option, choice.at);
            let names = |key: &Vec<String>| {
                key.len() <= words.len() && key.iter().zip(words).all(|(key, word)| *key == word.text)
            };
            let count = play.in_words(&keys).iter().filter(|key| names(key)).map(Vec::len).max()?;
            Some((index, count))
        })
    }

    /// Records that one of them has been named: earlier ones cannot be named any more.
    pub(super) fn take(&mut self, index: usize) {
        self.0.drain(..index.min(self.0.len()));
        if let Some(first) = self.0.first_mut() {
            first.times = first.times.saturating_sub(1);
            if first.times == 0 {
                self.0.remove(0);
            }
        }
    }

    /// Without `done`, `no` and `continue`: at the beginning of a step these answer the question that is asked.
    pub(super) fn of_things(mut self) -> Forced {
        self.0.retain(|choice| matches!(choice.option, Opt::Value(_) | Opt::Branch(..)));
        self
    }
}
