//! The meaning of the words of a question such as `build inn`.

use std::collections::BTreeMap;

use rulepack_model::{ActionId, ResId, Seat, SymId, TypeId};

use super::{Pick, Wanted};
use crate::rules::ruleset::Ruleset;
use crate::text::keys::seat_key;
use crate::text::words::Words;

impl Wanted {
    /// The meaning of words that are ids: an action and its parameters, or else one thing of a choice. `None` without
    /// words.
    pub fn of_words<S: AsRef<str>>(rules: &Ruleset, words: &[S]) -> Option<Wanted> {
        let (first, rest) = words.split_first()?;
        let named = |word: &S| Pick::Named(word.as_ref().to_string());
        match rules.actions.iter().position(|action| action.name == first.as_ref()) {
            Some(action) => Some(Wanted::Action(ActionId::from(action), rest.iter().map(named).collect())),
            None => Some(Wanted::Choice(named(first))),
        }
    }
}

impl Words<'_> {
    /// The meaning of a text that names things by ids or titles, in capital or small letters.
    pub fn wanted(&self, text: &str) -> Option<Wanted> {
        let titles = self.titles();
        let text = text.to_lowercase().replace([':', ','], " ");
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut ids = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let title = (at + 1..=words.len()).rev().find_map(|end| {
                let id = titles.get(&words[at..end].join(" "))?;
                Some((id.clone(), end))
            });
            let (id, end) = title.unwrap_or_else(|| (self.as_written(words[at]), at + 1));
            ids.push(id);
            at = end;
        }
        Wanted::of_words(self.rules, &ids)
    }

    /// Names of spaces may have capitals.
    fn as_written(&self, word: &str) -> String {
        let zones = self.rules.zones.iter();
        let mut names = zones.flat_map(|zone| zone.row_names.iter().chain(&zone.column_names)).map(String::as_str);
        let part = |word: &str| names.find(|name| name.to_lowercase() == word).unwrap_or(word).to_string();
        word.split('.').map(part).collect::<Vec<_>>().join(".")
    }

    /// Ids by titles, in lower case.
    fn titles(&self) -> BTreeMap<String, String> {
        let rules = self.rules;
        let mut titles = BTreeMap::new();
        let mut add = |title: String, id: &str| {
            let title = title.to_lowercase().replace([':', ','], " ");
            titles.entry(title.split_whitespace().collect::<Vec<_>>().join(" ")).or_insert_with(|| id.to_string());
        };
        for (index, action) in rules.actions.iter().enumerate() {
            add(self.action(ActionId::from(index)), &action.name);
        }
        for (index, ty) in rules.types.iter().enumerate() {
            add(self.type_title(TypeId::from(index)), &ty.name);
        }
        for (index, resource) in rules.resources.iter().enumerate() {
            add(self.resource(ResId::from(index)), &resource.name);
        }
        for (index, symbol) in rules.symbols.iter().enumerate() {
            add(self.symbol(SymId::from(index)), symbol);
        }
        for seat in rules.seats() {
            add(self.seat(seat), &seat_key(Seat(seat.0)));
        }
        titles
    }
}
