//! Views and reasons: reading them changes no game and shows nothing hidden.

use std::collections::BTreeSet;

use rulepack_kernel::{Answer, AnswerError, Decision, Game, Pick, View, Viewer, Wanted};
use rulepack_model::ActionId;
use rulepack_script::ScriptHost;

use super::compare::{Seen, difference};
use super::game::{Inspection, Wrong};
use super::property::Property;
use crate::secrecy::Watch;

/// The number of actions whose reasons are asked for, at a decision at which reasons are tested.
const REASONS: usize = 4;

impl Inspection<'_> {
    /// Reads the game in every way. This must not change it, and a second reading must give the same.
    pub(super) fn only_looks(&mut self, before: &Game) -> Result<(), Wrong> {
        self.count(Property::Looking, 1);
        let Some(decision) = self.game.decision() else { return Ok(()) };
        let texts = self.words.options(self.game.state(), decision);
        let names = self.game.option_names(decision);
        for (what, all) in [("text", &texts), ("name", &names)] {
            let mut known = BTreeSet::new();
            if let Some(twice) = all.iter().find(|text| !known.insert(text.as_str())) {
                let message = format!("two options have the same {what} `{twice}`: they cannot be told apart");
                return Err((Property::Unique, self.placed(message)));
            }
            if all.iter().any(|text| text.trim().is_empty()) {
                return Err((Property::Unique, self.placed(format!("an option has no {what}"))));
            }
        }
        let seen = self.seen(&self.game, self.set.host);
        self.game.leading_back(self.set.host);
        if let Some(differs) = difference(before, &self.game) {
            return Err((Property::Looking, self.placed(format!("after looking at the game, {differs}"))));
        }
        // The same for a copy with an empty cache, and by scripts that have answered other queries before.
        for (game, host) in [(before, self.set.other), (&self.game, self.set.host)] {
            let again = self.seen(game, host);
            if let Some((one, two)) = seen.iter().zip(&again).find(|(one, two)| one != two) {
                return Err((Property::Looking, self.looked(one, two)));
            }
        }
        Ok(())
    }

    /// The views of all players, and why some actions are not offered.
    fn seen(&self, game: &Game, host: &ScriptHost) -> Vec<Seen> {
        let rules = game.rules();
        let views = rules
            .seats()
            .map(|seat| Seen::View(seat.index() + 1, Box::new(View::new(game, host, Viewer::Seat(seat), &self.words))));
        let mut all: Vec<Seen> = views.collect();
        if let Some(decision) = game.decision() {
            all.extend(self.reasons(game, host, decision));
        }
        all
    }

    /// Why some actions are not offered, as the asked player reads it.
    fn reasons(&self, game: &Game, host: &ScriptHost, decision: &Decision) -> impl Iterator<Item = Seen> {
        let count = game.rules().actions.len();
        let first = self.passed.len() + self.index as usize;
        let told = move |wanted: &Wanted| {
            let why = game.why_not(host, Viewer::Seat(decision.seat), wanted);
            why.map_or_else(|| "it is offered".to_string(), |reason| self.words.reason(&reason))
        };
        (0..REASONS.min(count)).flat_map(move |step| {
            let rules = game.rules();
            let action = ActionId::from((first + step) % count);
            let name = &rules.actions[action.index()].name;
            // Also with one type of pieces, which need not exist.
            let ty = rules.types.get((first + step) % rules.types.len().max(1)).map(|ty| ty.name.clone());
            let with_type = ty.map(|ty| (format!("{name} {ty}"), vec![Pick::Named(ty)]));
            let all = [Some((name.clone(), Vec::new())), with_type].into_iter().flatten();
            all.map(move |(wanted, picks)| Seen::Reason {
                told: told(&Wanted::Action(action, picks)),
                wanted,
                action: rules.actions[action.index()].name.clone(),
            })
        })
    }

    /// The difference between two readings.
    fn looked(&self, one: &Seen, two: &Seen) -> String {
        let (what, differs, at) = one.against(two);
        let message = format!("{what} is not the same when it is asked for again: {differs}");
        if at.is_empty() { self.placed(message) } else { format!("{message} (in {at})") }
    }

    /// Whether the pack fails in the same way, as far as each player reads, if other pieces are hidden.
    pub(super) fn fault_hides(&mut self, answer: Answer) {
        self.count(Property::Secrecy, 1);
        let mut failed = self.game.clone();
        let done = failed.answer(self.set.host, answer);
        failed.abandon(self.set.host);
        let Err(AnswerError::Fault(fault)) = done else { return };
        let mut watch = Watch::default();
        watch.before(&self.game, answer);
        let seed = self.seed.wrapping_add(self.passed.len() as u64);
        let hides = watch.after_fault(self.set.host, &fault, seed);
        self.also = hides.err().map(|message| (Property::Secrecy, message));
    }

    /// Whether reasons reveal hidden pieces to the asked player.
    pub(super) fn reasons_hide(&mut self) -> Result<(), Wrong> {
        let Some(decision) = self.game.decision() else { return Ok(()) };
        let seed = self.seed.wrapping_add(self.passed.len() as u64);
        let Ok((other, exchange)) = self.game.resampled(self.set.host, decision.seat, seed, &[]) else {
            return Ok(());
        };
        if exchange.is_empty() {
            return Ok(());
        }
        let one = self.reasons(&self.game, self.set.host, decision);
        let two = self.reasons(&other, self.set.host, decision);
        let differ = one.zip(two).find(|(one, two)| one != two);
        other.abandon(self.set.host);
        let Some((one, two)) = differ else { return Ok(()) };
        let (what, differs, at) = one.against(&two);
        let player = decision.seat.index() + 1;
        Err((Property::Secrecy, format!("{what} shows player {player} what is hidden: {differs} (in {at})")))
    }
}
