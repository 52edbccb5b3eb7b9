//! One question as the full screen shows it.

use std::collections::BTreeMap;
use std::sync::Arc;

use rulepack::{Glossary, TypeEntry};
use rulepack_kernel::{Decision, Opt, Ruleset, View, Viewer, Words, option_keys, seat_key};
use rulepack_model::Seat;
use rulepack_tools::Session;

use super::board::{Board, Known};
use super::keys::Keys;
use super::model::{Choice, Content, Place};
use super::text::{Line, Look};
use crate::stop::Stop;

/// What the people at the screen have seen so far.
#[derive(Clone, Copy)]
pub struct Seen<'s> {
    /// The table at the last question to each player.
    pub known: &'s BTreeMap<Seat, Known>,
    /// What has happened.
    pub log: &'s [String],
    /// The last line of the screen.
    pub foot: &'s str,
    /// Whether variables without a title are shown.
    pub shows_all: bool,
}

/// A question, with all that its screen needs.
pub struct Asked<'a> {
    /// The words of the game.
    pub words: &'a Words<'a>,
    rules: Arc<Ruleset>,
    view: View,
    /// Who is asked.
    pub seat: Seat,
    own: String,
    head: String,
    question: String,
    /// The options.
    pub choices: Vec<Choice>,
    /// For each option, the title of the card that it is about.
    pub titles: Vec<String>,
    /// What the box contains.
    pub glossary: Glossary,
}

impl<'a> Asked<'a> {
    /// The present question of a game.
    pub fn new(
        session: &Session,
        words: &'a Words<'a>,
        decision: &Decision,
        keys: &mut Keys,
    ) -> Result<Asked<'a>, Stop> {
        let host = session.host().map_err(Stop::quoting)?;
        let game = session.game();
        let rules = Arc::clone(game.rules());
        let view = View::new(game, &*host, Viewer::Seat(decision.seat), words);
        let texts = words.options(game.state(), decision);
        let names: Vec<(String, String)> = game.option_names(decision).into_iter().zip(texts.iter().cloned()).collect();
        let eval = game.eval(&*host);
        let choices = keys.of(&names).into_iter().zip(&texts).zip(&decision.options);
        let choices = choices.map(|((key, text), option)| Choice {
            key,
            text: text.clone(),
            remark: words.remark(&eval, decision, *option),
        });
        let glossary = Glossary::new(&rules, words.language());
        let title = |option: &Opt| {
            let path = option_keys(&rules, game.state(), *option).primary;
            let names = path.iter().map(|word| word.split('@').next().unwrap_or(word));
            let entry = names.rev().find_map(|name| glossary.types.iter().find(|entry| entry.id == name));
            entry.map(|entry| entry.title.clone()).unwrap_or_default()
        };
        Ok(Asked {
            words,
            view,
            seat: decision.seat,
            own: seat_key(decision.seat),
            head: words.given_title("pack").unwrap_or_else(|| rules.pack.clone()),
            question: words.headed(&words.seat(decision.seat), &words.question(decision)),
            choices: choices.collect(),
            titles: decision.options.iter().map(title).collect(),
            glossary,
            rules,
        })
    }

    /// Its table.
    pub fn board<'b>(&'b self, seen: &'b Seen<'b>, search: &'b str) -> Board<'b> {
        Board {
            view: &self.view,
            words: self.words,
            rules: &self.rules,
            own: Some(&self.own),
            before: seen.known.get(&self.seat),
            all: seen.shows_all,
            search,
            width: 0,
        }
    }

    /// All that its screen shows.
    pub fn content<'b>(&'b self, seen: &'b Seen<'b>, place: &'b Place) -> Content<'b> {
        Content {
            head: self.head.clone(),
            board: self.board(seen, &place.search),
            question: self.question.clone(),
            choices: self.choices.clone(),
            log: seen.log,
            foot: seen.foot.to_string(),
        }
    }
}

/// A card with its text, costs and attributes.
pub fn card(entry: &TypeEntry) -> Vec<Line> {
    let mut lines = vec![Line::of(&entry.title, Look::Head).and(&format!("  {}", entry.kind_title), Look::Dim)];
    for text in entry.text.iter().flat_map(|text| text.lines()) {
        lines.push(Line::of(text.trim(), Look::Plain));
    }
    for named in &entry.costs {
        let parts: Vec<String> =
            named.cost.parts.iter().map(|part| format!("{} {}", part.amount, part.title)).collect();
        lines.push(
            Line::of(&format!("{}: ", named.id.replace('_', " ")), Look::Dim).and(&parts.join(" + "), Look::Plain),
        );
    }
    for attribute in &entry.attributes {
        let value = if attribute.value.is_empty() { "✓" } else { &attribute.value };
        lines.push(Line::of(&format!("{}: ", attribute.title), Look::Dim).and(value, Look::Plain));
    }
    lines
}
