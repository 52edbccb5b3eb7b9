//! The log of one viewer: the events that the viewer was told, as plain values.

use rulepack_kernel::{Cell, Game, LogEntry, ResourceHolder, Sight, Viewer, Words, cell_handle, seat_handle};
use rulepack_model::Seat;
use serde::{Deserialize, Serialize};

use crate::handles::{Handles, Lying};

/// An answer and the events after it, as one viewer knows them.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// The number of the answer, from 0.
    pub number: usize,
    /// The player who was asked.
    #[serde(with = "crate::seats")]
    pub player: Seat,
    /// The text of the question.
    pub question: String,
    /// The text of the answer, if it is one of the viewer's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// The events after it.
    pub told: Vec<Told>,
}

impl Entry {
    pub(crate) fn new(
        number: usize,
        seat: Seat,
        (question, answer): (String, Option<String>),
        told: Vec<Told>,
    ) -> Entry {
        Entry { number, player: seat, question, answer, told }
    }
}

/// An event, as one viewer was told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Told {
    /// The kind of event.
    pub kind: FactKind,
    /// A line for people.
    pub text: String,
    /// The handle of its piece at that moment, if the viewer saw the piece.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub piece: Option<String>,
    /// Where something came from: the handle of a space or a player, or `supply`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Where it went.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// The handle of its resource.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resource: Option<String>,
    /// The number of units, or the result of a roll.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub amount: Option<i64>,
}

/// The kinds of events.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum FactKind {
    PhaseBegan,
    TurnBegan,
    Passed,
    Eliminated,
    Repeated,
    Action,
    Event,
    Chose,
    Transferred,
    Lost,
    Looked,
    Shown,
    Disclosed,
    Noted,
    Moved,
    Laid,
    Flipped,
    Shuffled,
    Rolled,
    Looped,
    Over,
}

/// The events that a viewer is told. `handles` are brought up to date by them, if there are any.
pub(crate) fn told(
    events: &[LogEntry],
    game: &Game,
    viewer: Viewer,
    words: &Words<'_>,
    mut handles: Option<(&mut Handles, &mut Lying)>,
) -> Vec<Told> {
    let sight = Sight::new(game.rules(), game.state(), viewer);
    let mut all = Vec::new();
    for event in events {
        let piece = handles.as_mut().and_then(|(handles, lying)| handles.follow(event, lying));
        let (Some(kind), Some(text)) = (kind_of(event), words.event(event, &sight)) else { continue };
        let mut told = Told { kind, text, piece, from: None, to: None, resource: None, amount: None };
        told.fill(event, game);
        all.push(told);
    }
    all
}

impl Told {
    fn fill(&mut self, event: &LogEntry, game: &Game) {
        let rules = game.rules();
        let space = |cell: &Cell| Some(cell_handle(rules, *cell));
        let holder = |holder: &ResourceHolder| match holder {
            ResourceHolder::Supply => Some("supply".to_string()),
            ResourceHolder::Seat(seat) => Some(seat_handle(*seat)),
            // The handle of a piece would tell which piece it is to viewers who do not see it.
            ResourceHolder::Piece(_) => None,
        };
        match event {
            LogEntry::Moved { from, to, .. } => (self.from, self.to) = (space(from), space(to)),
            LogEntry::Looked { at, pieces, .. } | LogEntry::Shown { at, pieces, .. } => {
                (self.from, self.amount) = (space(at), i64::try_from(pieces.len()).ok());
            }
            LogEntry::Transferred { from, to, res, amount } => {
                (self.from, self.to) = (holder(from), holder(to));
                self.resource = rules.resources.get(res.index()).map(|resource| format!("resource:{}", resource.name));
                self.amount = Some(i64::from(*amount));
            }
            LogEntry::Lost { by, res, amount } => {
                self.from = holder(by);
                self.resource = rules.resources.get(res.index()).map(|resource| format!("resource:{}", resource.name));
                self.amount = Some(i64::from(*amount));
            }
            // The number of a secret roll stands in the text of those who are told it.
            LogEntry::Rolled { secret: true, .. } => {}
            LogEntry::Rolled { result, .. } => self.amount = Some(i64::from(*result)),
            LogEntry::Shuffled { zone } => self.from = space(&Cell { zone: *zone, at: 0 }),
            LogEntry::PhaseBegan { .. }
            | LogEntry::TurnBegan { .. }
            | LogEntry::Passed { .. }
            | LogEntry::Eliminated { .. }
            | LogEntry::Repeated { .. }
            | LogEntry::ActionBegan { .. }
            | LogEntry::ActionTaken { .. }
            | LogEntry::Chose { .. }
            | LogEntry::AllChose
            | LogEntry::Forced { .. }
            | LogEntry::Disclosed { .. }
            | LogEntry::Noted { .. }
            | LogEntry::Laid { .. }
            | LogEntry::Flipped { .. }
            | LogEntry::Raised { .. }
            | LogEntry::Looped { .. }
            | LogEntry::GameOver => {}
        }
    }
}

/// The kind of an event; `None` for events that nobody is told.
fn kind_of(event: &LogEntry) -> Option<FactKind> {
    Some(match event {
        LogEntry::PhaseBegan { .. } => FactKind::PhaseBegan,
        LogEntry::TurnBegan { .. } => FactKind::TurnBegan,
        LogEntry::Passed { .. } => FactKind::Passed,
        LogEntry::Eliminated { .. } => FactKind::Eliminated,
        LogEntry::Repeated { .. } => FactKind::Repeated,
        LogEntry::ActionBegan { .. } | LogEntry::ActionTaken { .. } => FactKind::Action,
        LogEntry::Raised { .. } => FactKind::Event,
        LogEntry::Chose { .. } => FactKind::Chose,
        LogEntry::Transferred { .. } => FactKind::Transferred,
        LogEntry::Lost { .. } => FactKind::Lost,
        LogEntry::Looked { .. } => FactKind::Looked,
        LogEntry::Shown { .. } => FactKind::Shown,
        LogEntry::Disclosed { .. } => FactKind::Disclosed,
        LogEntry::Noted { .. } => FactKind::Noted,
        LogEntry::Moved { .. } => FactKind::Moved,
        LogEntry::Laid { .. } => FactKind::Laid,
        LogEntry::Flipped { .. } => FactKind::Flipped,
        LogEntry::Shuffled { .. } => FactKind::Shuffled,
        LogEntry::Rolled { .. } => FactKind::Rolled,
        LogEntry::Looped { .. } => FactKind::Looped,
        LogEntry::GameOver => FactKind::Over,
        LogEntry::Forced { .. } | LogEntry::AllChose => return None,
    })
}
