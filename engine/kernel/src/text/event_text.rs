//! Events in words, as far as a viewer may know them.

use rulepack_model::{PieceId, Seat};

use crate::eval::score::{Outcome, Sheet};
use crate::flow::decision::Opt;
use crate::flow::frame::ResourceHolder;
use crate::flow::log::{LogEntry, are_shown};
use crate::hidden::sight::{SeenBy, Sight, Viewer};
use crate::rules::ruleset::EventDef;
use crate::state::value::{Cell, Value};
use crate::text::phrases::fill;
use crate::text::words::Words;

/// Whether a viewer is told the result of a secret roll.
fn is_told(by: Option<Seat>, viewer: Viewer) -> bool {
    viewer == Viewer::All || by.is_some_and(|seat| viewer == Viewer::Seat(seat))
}

impl Words<'_> {
    /// One line about an event; `None` if it means nothing to people. `sight` is the state after it.
    pub fn event(&self, event: &LogEntry, sight: &Sight<'_>) -> Option<String> {
        let own = self.own;
        let known = |piece: PieceId| sight.sees(piece);
        let text = match event {
            LogEntry::PhaseBegan { phase, count } => {
                fill(own.begins, &[("what", &self.phase(*phase)), ("n", &count.to_string())])
            }
            LogEntry::TurnBegan { seat } => fill(own.turn, &[("who", &self.seat(*seat))]),
            LogEntry::Eliminated { seat, round } => {
                fill(if *round { own.out_of_round } else { own.out_of_game }, &[("who", &self.seat(*seat))])
            }
            LogEntry::Repeated { times } => fill(own.repeated, &[("n", &times.to_string())]),
            LogEntry::Passed { seat } => fill(own.passes, &[("who", &self.seat(*seat))]),
            LogEntry::ActionTaken { is_told: true, .. } => return None,
            LogEntry::ActionBegan { seat, action, args, seen_by }
            | LogEntry::ActionTaken { seat, action, args, seen_by, is_told: false } => {
                let mut what = self.action(*action);
                let known = |piece: PieceId| seen_by.includes(sight.viewer()) || known(piece);
                let args: Vec<String> = args.iter().map(|arg| self.value(*arg, &known)).collect();
                if !args.is_empty() {
                    what = self.headed(&what, &args.join(", "));
                }
                self.headed(&self.seat(*seat), &what)
            }
            LogEntry::Chose { seat, secret: true, seen_by, .. } if !seen_by.includes(sight.viewer()) => {
                fill(own.chooses_in_secret, &[("who", &self.seat(*seat))])
            }
            LogEntry::Chose { seat, option, seen_by, .. } => match option {
                // The events that follow from them are told instead.
                Opt::Action(..) | Opt::Free(..) | Opt::Done | Opt::Continue | Opt::Value(Value::Res(_)) => return None,
                option => {
                    let known = |piece: PieceId| seen_by.includes(sight.viewer()) || known(piece);
                    let what = self.option(*option, &known);
                    fill(own.chooses, &[("who", &self.seat(*seat)), ("what", &what)])
                }
            },
            LogEntry::Transferred { from, to, res, amount } => {
                self.transfer(*from, *to, &self.resource(*res), *amount, &known)
            }
            LogEntry::Lost { by, res, amount } => {
                let who = match by {
                    ResourceHolder::Supply => own.supply.to_string(),
                    ResourceHolder::Seat(seat) => self.seat(*seat),
                    ResourceHolder::Piece(piece) => self.piece(*piece, known(*piece)),
                };
                fill(own.lost, &[("who", &who), ("n", &amount.to_string()), ("what", &self.resource(*res))])
            }
            LogEntry::Looked { seat, at, pieces } => {
                let n = pieces.len().to_string();
                let sentence = if self.spoken().is_one(pieces.len()) { own.looks_at_one } else { own.looks };
                fill(sentence, &[("who", &self.seat(*seat)), ("n", &n), ("where", &self.cell(*at))])
            }
            LogEntry::Shown { to, at, pieces } => self.shown(to.as_deref(), *at, pieces, sight.viewer()),
            LogEntry::Disclosed { values, prompt } => {
                let names: Vec<String> = values.iter().map(|value| self.value(*value, &|_| true)).collect();
                let what = if names.is_empty() { own.nothing.to_string() } else { names.join(", ") };
                let what = prompt.map_or(what.clone(), |prompt| format!("{} {what}", self.prompt(prompt)));
                fill(own.disclosed, &[("what", &what)])
            }
            LogEntry::Noted { prompt, values } => {
                let name = |(value, seen_by): &(Value, SeenBy)| {
                    self.value(*value, &|piece| seen_by.includes(sight.viewer()) || known(piece))
                };
                let names: Vec<String> = values.iter().map(name).collect();
                let title = self.prompt(*prompt);
                if names.is_empty() { title } else { format!("{title} {}", names.join(", ")) }
            }
            LogEntry::Moved { piece, from, to, seen_by, .. } => {
                let what = self.piece(*piece, seen_by.includes(sight.viewer()));
                fill(own.moved, &[("what", &what), ("from", &self.cell(*from)), ("to", &self.cell(*to))])
            }
            LogEntry::Laid { piece, on, seen_by, .. } => {
                let what = self.piece(*piece, seen_by.includes(sight.viewer()));
                fill(own.laid, &[("what", &what), ("on", &self.piece(*on, known(*on)))])
            }
            LogEntry::Flipped { piece } => fill(own.turned, &[("what", &self.piece(*piece, known(*piece)))]),
            LogEntry::Shuffled { zone } => fill(own.shuffled, &[("what", &self.zone(*zone))]),
            LogEntry::Rolled { seat, secret: true, .. } if !is_told(*seat, sight.viewer()) => match seat {
                Some(seat) => fill(own.rolls_in_secret, &[("who", &self.seat(*seat))]),
                None => own.rolled_in_secret.to_string(),
            },
            LogEntry::Rolled { seat: Some(seat), result, .. } => {
                fill(own.rolls, &[("who", &self.seat(*seat)), ("n", &result.to_string())])
            }
            LogEntry::Rolled { seat: None, result, .. } => fill(own.rolled, &[("n", &result.to_string())]),
            // The question of a window names its event already.
            LogEntry::Raised { event, .. } => match &self.rules.events[event.index()] {
                EventDef { window: Some(_), .. } => return None,
                EventDef { window: None, name, .. } => return self.given_title(&format!("event.{name}")),
            },
            LogEntry::Forced { .. } | LogEntry::AllChose => return None,
            LogEntry::Looped { names } => {
                let mut titles: Vec<String> = names.iter().filter_map(|name| self.looped(name)).collect();
                titles.dedup();
                match titles.as_slice() {
                    [] => own.looped.to_string(),
                    titles => format!("{} ({})", own.looped, titles.join(", ")),
                }
            }
            LogEntry::GameOver => own.over.to_string(),
        };
        Some(text)
    }

    /// The pieces that players were shown: their names for those players, and for others where they lie.
    fn shown(&self, to: Option<&[Seat]>, at: Cell, pieces: &[PieceId], viewer: Viewer) -> String {
        let names: Vec<String> = match are_shown(to, viewer) {
            true => pieces.iter().map(|piece| self.piece(*piece, true)).collect(),
            false => vec![self.cell(at)],
        };
        let what = names.join(", ");
        let Some(to) = to else { return fill(self.own.shown, &[("what", &what)]) };
        let whom: Vec<String> = to.iter().map(|seat| self.seat(*seat)).collect();
        fill(self.own.shown_to, &[("who", &whom.join(", ")), ("what", &what)])
    }

    /// The title of a definition that is part of a loop, such as `card.inn on.sold`, if it has one.
    fn looped(&self, origin: &str) -> Option<String> {
        self.given_title(origin.split_whitespace().next()?)
    }

    fn transfer(
        &self,
        from: ResourceHolder,
        to: ResourceHolder,
        what: &str,
        amount: i32,
        known: &dyn Fn(PieceId) -> bool,
    ) -> String {
        let own = self.own;
        let name = |place: ResourceHolder| match place {
            ResourceHolder::Supply => own.supply.to_string(),
            ResourceHolder::Seat(seat) => self.seat(seat),
            ResourceHolder::Piece(piece) => self.piece(piece, known(piece)),
        };
        let (from_name, to_name) = (name(from), name(to));
        let (sentence, who) = match (from, to) {
            (ResourceHolder::Supply, ResourceHolder::Seat(_)) => (own.gains, &to_name),
            (ResourceHolder::Seat(_), ResourceHolder::Supply) => (own.pays, &from_name),
            (ResourceHolder::Seat(_), ResourceHolder::Piece(_)) => (own.puts, &from_name),
            (ResourceHolder::Supply, ResourceHolder::Piece(_)) => (own.placed, &to_name),
            (ResourceHolder::Piece(_), ResourceHolder::Seat(_)) => (own.takes, &to_name),
            (ResourceHolder::Seat(_), ResourceHolder::Seat(_)) => (own.receives, &to_name),
            (ResourceHolder::Piece(_), ResourceHolder::Supply) => (own.returned, &from_name),
            (ResourceHolder::Piece(_), ResourceHolder::Piece(_)) | (ResourceHolder::Supply, ResourceHolder::Supply) => {
                (own.shifted, &from_name)
            }
        };
        let n = amount.to_string();
        fill(
            sentence,
            &[("who", who), ("n", &n), ("what", what), ("on", &to_name), ("from", &from_name), ("to", &to_name)],
        )
    }
}

impl Words<'_> {
    /// The final scores, line by line, then who won.
    pub fn outcome(&self, outcome: &Outcome) -> Vec<String> {
        let own = self.own;
        let mut lines = Vec::new();
        for (sheet, seat) in outcome.sheets.iter().zip(self.rules.seats()) {
            lines.push(self.seat(seat));
            lines.extend(self.sheet(sheet));
        }
        let winners: Vec<String> = outcome.winners.iter().map(|seat| self.seat(*seat)).collect();
        let sentence = if winners.len() > 1 { own.shared } else { own.wins };
        if self.rules.players > 1 {
            lines.push(fill(sentence, &[("who", &winners.join(", "))]));
        }
        lines
    }

    fn sheet(&self, sheet: &Sheet) -> Vec<String> {
        let own = self.own;
        let mut rows: Vec<(String, String)> = Vec::new();
        for line in &sheet.lines {
            let title = self.line(line.label);
            let title = if line.pieces > 1 { format!("{title} × {}", line.pieces) } else { title };
            rows.push((title, line.points.to_string()));
        }
        rows.push((own.total.to_string(), sheet.total.to_string()));
        if !sheet.tie_breaks.is_empty() {
            let breaks: Vec<String> = sheet.tie_breaks.iter().map(ToString::to_string).collect();
            rows.push((own.ties.to_string(), breaks.join(", ")));
        }
        if let Some(rank) = sheet.rank {
            rows.push((own.rank.to_string(), self.rank(rank)));
        }
        let width = rows.iter().map(|(title, _)| title.chars().count()).max().unwrap_or(0);
        rows.into_iter().map(|(title, value)| format!("  {title:width$}  {value:>4}")).collect()
    }
}
