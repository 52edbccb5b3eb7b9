//! Checks that the words of a step can name something in a game.

use rulepack_kernel::seat_key;
use rulepack_model::{Code, Diagnostic, known_instead};
use rulepack_pack::Word;

use super::names::Names;
use super::{FlatList, Step};

impl Names<'_> {
    /// Refuses words that name nothing in this game: `not_offered` would be true of them because of a misspelt name.
    pub(super) fn check_step(&mut self, step: &Step) {
        if let Some(seat) = &step.seat {
            self.seat(seat);
        }
        for flat in &step.flat {
            self.check_flat(flat);
        }
        let answers = step.offered.iter().chain(&step.not_offered).flatten();
        for word in step.choose.iter().chain(answers).chain(step.options.iter().flatten()) {
            for part in word.text.split_whitespace() {
                if !self.can_name(part) {
                    let message = format!("nothing in this game is called `{part}`");
                    let help = known_instead(part, self.all_words());
                    self.out.push(Diagnostic::error(Code::UnknownName, message).at(word.span).maybe_help(help));
                }
            }
        }
    }

    /// A plain list is one path if it begins with an action and goes on with words that are not actions: while that
    /// action can be chosen, the other words cannot be, unless the action is free and is offered beside other answers.
    /// Any other list could also be several answers to one question.
    pub(super) fn check_flat(&mut self, flat: &FlatList) {
        let is_action = |item: &Word| {
            let first = item.text.split_whitespace().next().unwrap_or("");
            self.rules.vocabulary.actions.contains_key(first)
        };
        let goes_on = |item: &Word| {
            let is_free = |name: &str| {
                self.rules.actions.iter().any(|action| action.name == name && action.free && action.params.is_empty())
            };
            is_action(item) && !is_free(&item.text)
        };
        if flat.items.first().is_none_or(goes_on) && !flat.items.iter().skip(1).any(is_action) {
            return;
        }
        let path = flat.items.iter().map(|item| item.text.as_str()).collect::<Vec<_>>().join(" ");
        let several = flat.items.iter().map(|item| format!("{:?}", item.text)).collect::<Vec<_>>().join(", ");
        let message =
            format!("`{}` can mean one answer after the other here, or several answers to one question", flat.key);
        let each = if flat.key == "offered" { "all_offered" } else { "none_offered" };
        let help =
            format!("write `{} = {path:?}` for one after the other, or `{each} = [{several}]` for several", flat.key);
        self.out.push(Diagnostic::error(Code::AmbiguousAnswers, message).at(flat.span).help(help));
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
        let is_space = |part: &str| self.rules.zones.iter().any(|zone| zone.space_named(part).is_some());
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
