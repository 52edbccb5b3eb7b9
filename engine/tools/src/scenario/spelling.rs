//! Whether the words of a step can name anything at all in a game.

use rulepack_kernel::seat_key;
use rulepack_model::{Diagnostic, did_you_mean};

use super::Step;
use super::names::{Names, space_named};

impl Names<'_> {
    /// Refuses words that can name nothing in this game: "not offered" would be true of them for the wrong reason.
    pub(super) fn check_step(&mut self, step: &Step) {
        if let Some(seat) = &step.seat {
            self.seat(seat);
        }
        let answers = step.offered.iter().chain(&step.not_offered).flatten();
        for word in step.choose.iter().chain(answers).chain(step.options.iter().flatten()) {
            for part in word.text.split_whitespace() {
                if !self.can_name(part) {
                    let message = format!("nothing in this game is called `{part}`");
                    let help = did_you_mean(part, self.all_words());
                    self.out.push(Diagnostic::error("unknown-name", message).at(word.span).maybe_help(help));
                }
            }
        }
    }

    fn all_words(&self) -> impl Iterator<Item = &str> {
        let words = &self.rules.vocabulary;
        let keys = words.actions.keys().chain(words.types.keys()).chain(words.resources.keys());
        let keys = keys.chain(words.symbols.keys()).chain(words.zones.keys()).chain(self.seats);
        let prompts = self.rules.prompts.iter().flat_map(|prompt| prompt.split_whitespace());
        let own = ["yes", "no", "done", "continue", "nothing", "true", "false"];
        keys.map(String::as_str).chain(prompts).chain(own)
    }

    fn can_name(&self, word: &str) -> bool {
        let is_seat = |part: &str| {
            self.rules.seats().any(|seat| seat_key(seat) == part) || self.seats.iter().any(|seat| seat == part)
        };
        let is_space = |part: &str| self.rules.zones.iter().any(|zone| space_named(zone, part).is_some());
        // `inn@row.2`, `row.2`, `jenny.board.I.left`
        let is_place = |place: &str| {
            let place = match place.split_once('.') {
                Some((seat, rest)) if is_seat(seat) => rest,
                _ => place,
            };
            let in_zone = place.split_once('.').is_some_and(|(zone, space)| {
                self.rules.vocabulary.zones.contains_key(zone) && (is_space(space) || space.parse::<u16>().is_ok())
            });
            in_zone || is_space(place) || is_seat(place) || self.rules.vocabulary.zones.contains_key(place)
        };
        match word.split_once('@') {
            Some((name, place)) => self.rules.vocabulary.types.contains_key(name) && is_place(place),
            None => word.parse::<i64>().is_ok() || self.all_words().any(|known| known == word) || is_place(word),
        }
    }
}
