//! What a viewer may read of a table: the view, the questions, the log, and why something is not offered.

use std::borrow::Cow;

use rulepack_kernel::{Decision, OutcomeView, Pick, Reason, Value, View, Viewer, Wanted, Words, seat_key, tell_why};
use rulepack_model::{ActionId, Seat};
use serde::{Deserialize, Serialize};

use super::Table;
use crate::log::Entry;
use crate::question::{Chooser, PendingQuestion, Question, asked, kind_of};
use crate::refused::Refused;

/// A game as one viewer sees it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TableView {
    /// The viewer: `player_1`, `public` or `all`.
    pub viewer: String,
    /// How many answers were given.
    pub answers: usize,
    /// How often answers were undone. When it has grown, earlier log entries may be wrong.
    pub undone: u64,
    /// The pending questions; empty if the game is over.
    pub asked: Vec<PendingQuestion>,
    /// The resources of the game.
    pub resources: Vec<Term>,
    /// The view of the game. Pieces, spaces and players have the handles that options name.
    pub table: View,
}

/// A thing with a name.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// Its handle, by which options name it.
    pub handle: String,
    /// Its id.
    pub id: String,
    /// The name that people read.
    pub title: String,
}

/// Why something is or is not offered to a player.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WhyNot {
    /// Whether it is offered.
    pub offered: bool,
    /// A sentence for people.
    pub text: String,
    /// The reason by ids, if it is not offered.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
}

impl Table {
    /// All questions that wait for an answer; none if the game is over. Anybody may know who is asked. Of players who choose at
    /// the same time, others are told the first question until all have chosen: a later one would tell what they chose.
    ///
    /// # Errors
    /// If there is no such seat, or the pack fails.
    pub fn asked(&self, viewer: Viewer) -> Result<Vec<PendingQuestion>, Refused> {
        let words = Words::new(self.game().rules(), &self.observer(viewer)?.language);
        let host = self.host(viewer)?;
        let failed = |fault| Refused::failed(self.game(), viewer, fault);
        let mut questions = Vec::new();
        for seat in &self.asked {
            let is_own = viewer == Viewer::All || viewer == Viewer::Seat(*seat);
            let (decision, revision) = if is_own || !self.session.is_together() {
                (self.decision_of(*seat, viewer)?, self.revision(*seat))
            } else {
                let first = self.game().first_decision(&*host, *seat).map_err(failed)?;
                (first.map(Cow::Owned), self.began.get(seat.index()).copied().unwrap_or_default())
            };
            questions.extend(decision.map(|decision| asked(&decision, revision, &words)));
        }
        Ok(questions)
    }

    /// The question to a seat.
    pub(super) fn decision_of(&self, seat: Seat, viewer: Viewer) -> Result<Option<Cow<'_, Decision>>, Refused> {
        self.session.decision_of(seat).map_err(|fault| Refused::failed(self.game(), viewer, fault))
    }

    /// The questions to a seat, with all options.
    ///
    /// # Errors
    /// If there is no such seat.
    pub fn questions(&self, seat: Seat) -> Result<Vec<Question>, Refused> {
        let observer = self.observer(Viewer::Seat(seat))?;
        let Some(decision) = self.decision_of(seat, observer.viewer)? else { return Ok(Vec::new()) };
        let decision = &*decision;
        // The view assigns handles first, so that their numbers do not depend on whether the view or the question is read first.
        self.view(observer.viewer)?;
        let host = self.host(observer.viewer)?;
        let words = Words::new(self.game().rules(), &observer.language);
        let handles = |piece| observer.handles.borrow_mut().name(piece);
        let game = self.game();
        let chooser = Chooser { game, eval: game.eval(&*host), words: &words, decision, handles: &handles };
        let (options, shown) = chooser.options();
        Ok(vec![Question {
            player: seat,
            revision: self.revision(seat),
            kind: kind_of(decision.ask),
            text: words.question(decision),
            options,
            shown,
        }])
    }

    pub(super) fn host(&self, viewer: Viewer) -> Result<std::rc::Rc<rulepack_script::ScriptHost>, Refused> {
        self.session.host().map_err(|fault| Refused::failed(self.game(), viewer, fault))
    }

    /// The view of a viewer.
    ///
    /// # Errors
    /// If there is no such seat.
    pub fn view(&self, viewer: Viewer) -> Result<TableView, Refused> {
        let observer = self.observer(viewer)?;
        let rules = self.game().rules();
        let words = Words::new(rules, &observer.language);
        let handles = |piece| observer.handles.borrow_mut().name(piece);
        let resources = rules.resources.iter().enumerate().map(|(index, resource)| Term {
            handle: format!("resource:{}", resource.name),
            id: resource.name.clone(),
            title: words.resource(rulepack_model::ResId::from(index)),
        });
        Ok(TableView {
            viewer: viewer_key(viewer),
            answers: self.answers(),
            undone: self.undone,
            asked: self.asked(viewer)?,
            resources: resources.collect(),
            table: View::with_handles(self.game(), &*self.host(viewer)?, viewer, &words, &handles),
        })
    }

    /// The score sheets, once the game is over.
    ///
    /// # Errors
    /// If the scripts cannot be bound again.
    pub fn scores(&self) -> Result<Option<OutcomeView>, Refused> {
        Ok(self.view(Viewer::Public)?.table.outcome)
    }

    /// The log of a viewer, from the answer with this number on. Entries have numbers from 0.
    ///
    /// # Errors
    /// If there is no such seat.
    pub fn log(&self, viewer: Viewer, since: usize) -> Result<impl Iterator<Item = &Entry>, Refused> {
        Ok(self.observer(viewer)?.log.iter().filter(move |entry| entry.number >= since).map(|entry| &**entry))
    }

    /// Why an option is not offered to a seat now. `what` names it by ids or titles, such as `build inn`.
    ///
    /// # Errors
    /// If there is no such seat.
    pub fn why_not(&self, seat: Seat, what: &str) -> Result<WhyNot, Refused> {
        let viewer = Viewer::Seat(seat);
        let observer = self.observer(viewer)?;
        let host = self.host(viewer)?;
        let words = Words::new(self.game().rules(), &observer.language);
        let reason = words.wanted(what).and_then(|wanted| self.game().why_not(&*host, viewer, &wanted));
        let text = tell_why(self.game(), &*host, &words, seat, what);
        let offered = words.wanted(what).is_some() && reason.is_none();
        Ok(WhyNot { offered, text, reason })
    }

    /// Like [`Table::why_not`], for a handle: an action with this thing as its first parameter, or this thing in a choice.
    ///
    /// # Errors
    /// If there is no such seat.
    pub fn why_not_this(&self, seat: Seat, action: Option<&str>, handle: &str) -> Result<WhyNot, Refused> {
        let viewer = Viewer::Seat(seat);
        let observer = self.observer(viewer)?;
        let host = self.host(viewer)?;
        let rules = self.game().rules();
        let words = Words::new(rules, &observer.language);
        let piece = observer.handles.borrow().piece(handle);
        let pick = match (piece, handle.split_once(':')) {
            (Some(piece), _) => Pick::Value(Value::Piece(piece)),
            (None, Some(("player", number))) => Pick::Named(format!("player_{number}")),
            (None, Some(("space" | "resource" | "type", id))) => Pick::Named(id.to_string()),
            (None, _) => return Err(Refused::UnknownHandle { handle: handle.to_string() }),
        };
        let named = action.and_then(|name| rules.actions.iter().position(|action| action.name == name));
        let wanted = match (action, named) {
            (None, _) => Wanted::Choice(pick),
            (Some(_), Some(action)) => Wanted::Action(ActionId::from(action), vec![pick]),
            (Some(name), None) => return self.why_not(seat, name),
        };
        let reason = self.game().why_not(&*host, viewer, &wanted);
        let text = reason.as_ref().map_or_else(String::new, |reason| words.reason(reason));
        Ok(WhyNot { offered: reason.is_none(), text, reason })
    }
}

/// The name of a viewer in a view.
pub fn viewer_key(viewer: Viewer) -> String {
    match viewer {
        Viewer::Seat(seat) => seat_key(seat),
        Viewer::Public => "public".to_string(),
        Viewer::All => "all".to_string(),
    }
}
