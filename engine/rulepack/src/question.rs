//! Questions with their options, as plain values that can be sent to another program.

use rulepack_kernel::{
    Ask, Bundle, Decision, Eval, Game, Opt, OptionKeys, PieceView, ResourceSel, Sight, Value, Viewer, Words,
    cell_handle, option_keys, seat_handle,
};
use rulepack_model::{PieceId, Seat};
use rulepack_tools::RandomBot;
use serde::{Deserialize, Serialize};

/// A question to one player, with all options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Question {
    /// The asked player.
    #[serde(with = "crate::seats")]
    pub player: Seat,
    /// The number of this question among those to this player. An answer names it, so that an answer to an earlier question is
    /// refused.
    pub revision: u64,
    /// The kind of question.
    pub kind: QuestionKind,
    /// The question, for people.
    pub text: String,
    /// All options; an answer is the index of one of them.
    pub options: Vec<Choice>,
    /// Pieces that the options are about and that the view of the table does not show, such as those of a pile that is
    /// searched. Their handles are those of the options, and hold for this question only.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub shown: Vec<PieceView>,
}

/// The kinds of questions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QuestionKind {
    /// What to do in a phase.
    Menu,
    /// A parameter of an action.
    Parameter,
    /// A choice inside an effect.
    Choose,
    /// Which resource to pay.
    Pay,
    /// Which resource to gain.
    Gain,
    /// Which resource of a cost to leave out.
    LeaveOut,
    /// From which piece a resource comes.
    From,
    /// On which piece a resource is kept.
    Keep,
    /// Whether to do something.
    May,
    /// Which branch of an `either`.
    Either,
    /// Whether to answer an event.
    Window,
    /// Whether to take a free action before going on.
    Pause,
    /// To confirm that the pieces shown have been seen.
    Acknowledge,
}

/// One option of a question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Choice {
    /// Its index among the options, from 0.
    pub index: usize,
    /// Its text for people; no two options of a question have the same text.
    pub text: String,
    /// Its name by ids, in no language, such as `["open", "inn"]`; two options may share it. A piece that the player may not
    /// know is named by its kind.
    pub ids: Vec<String>,
    /// The handle of the piece, space, resource or player that it is about, the same as in the view: a click on that can be the
    /// answer. For a piece that the player may not know, it is the handle of its space.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
    /// Its cost, if it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub price: Option<Cost>,
    /// The text of the piece that it is about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub says: Option<String>,
    /// How likely a random bot takes it, compared with the other options: the `weight` of an action, or 100.
    pub weight: u32,
}

/// A cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cost {
    /// Its parts.
    pub parts: Vec<CostPart>,
    /// How many units the payer may leave out.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub less: i32,
}

fn is_zero(number: &i32) -> bool {
    *number == 0
}

/// An amount of one resource, or of any resource of a group.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CostPart {
    /// The id of the resource or the group.
    pub id: String,
    /// The name that people read.
    pub title: String,
    /// Whether it is a group.
    pub is_group: bool,
    /// The number of units.
    pub amount: i32,
}

/// A question without its options, as all players may know it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PendingQuestion {
    /// The asked player.
    #[serde(with = "crate::seats")]
    pub player: Seat,
    /// The number of this question among those to this player.
    pub revision: u64,
    /// The question, for people.
    pub text: String,
}

/// The sort of a question.
pub(crate) fn kind_of(ask: Ask) -> QuestionKind {
    match ask {
        Ask::Menu(..) => QuestionKind::Menu,
        Ask::Param(..) => QuestionKind::Parameter,
        Ask::Choose(..) => QuestionKind::Choose,
        Ask::Pay(..) => QuestionKind::Pay,
        Ask::Gain(..) => QuestionKind::Gain,
        Ask::LeaveOut(..) => QuestionKind::LeaveOut,
        Ask::From(..) => QuestionKind::From,
        Ask::Keep(..) => QuestionKind::Keep,
        Ask::May(..) => QuestionKind::May,
        Ask::Either => QuestionKind::Either,
        Ask::Window(..) => QuestionKind::Window,
        Ask::Pause => QuestionKind::Pause,
        Ask::Acknowledge(..) => QuestionKind::Acknowledge,
    }
}

/// Makes the options of a decision for the asked player.
pub(crate) struct Chooser<'g> {
    pub(crate) game: &'g Game,
    pub(crate) eval: Eval<'g>,
    pub(crate) words: &'g Words<'g>,
    pub(crate) decision: &'g Decision,
    /// Gives pieces their handles.
    pub(crate) handles: &'g dyn Fn(PieceId) -> String,
}

impl Chooser<'_> {
    /// The options, and the pieces among them that the view does not show.
    pub(crate) fn options(&self) -> (Vec<Choice>, Vec<PieceView>) {
        let (state, viewer) = (self.game.state(), Viewer::Seat(self.decision.seat));
        let sight = Sight::new(self.game.rules(), state, viewer);
        let mut shown: Vec<PieceView> = Vec::new();
        let texts = self.words.options(state, self.decision);
        let mut options = Vec::with_capacity(texts.len());
        for (index, (option, text)) in self.decision.options.iter().zip(texts).enumerate() {
            let value = match *option {
                Opt::Action(_, value) | Opt::Free(_, value) | Opt::Value(value) => value,
                Opt::Branch(..) | Opt::Done | Opt::Yes | Opt::No | Opt::Continue => Value::Nil,
            };
            let hidden = value.piece().filter(|piece| !sight.may_choose_by_name(*piece));
            let about = self.about(value, hidden.is_some());
            if let Some(piece) = value.piece().filter(|piece| hidden.is_none() && !sight.sees(*piece)) {
                let view = PieceView::new(self.game, viewer, self.words, piece, self.handles);
                if !shown.iter().any(|known| known.handle == view.handle) {
                    shown.push(view);
                }
            }
            options.push(Choice {
                index,
                text,
                ids: self.ids(*option, hidden),
                about,
                price: if hidden.is_some() { None } else { self.price(*option) },
                says: value.piece().filter(|_| hidden.is_none()).and_then(|piece| self.says(piece)),
                weight: RandomBot::weight(self.game.rules(), option),
            });
        }
        (options, shown)
    }

    /// The handle of a value.
    fn about(&self, value: Value, is_hidden: bool) -> Option<String> {
        let rules = self.game.rules();
        match value {
            Value::Piece(piece) if is_hidden => Some(cell_handle(rules, self.game.state().cell_of(piece))),
            Value::Piece(piece) => Some((self.handles)(piece)),
            Value::Cell(cell) => Some(cell_handle(rules, cell)),
            Value::Seat(seat) => Some(seat_handle(seat)),
            Value::Res(res) => rules.resources.get(res.index()).map(|resource| format!("resource:{}", resource.name)),
            Value::Type(ty) => rules.types.get(ty.index()).map(|ty| format!("type:{}", ty.name)),
            Value::Nil | Value::Int(_) | Value::Bool(_) | Value::Sym(_) => None,
        }
    }

    fn ids(&self, option: Opt, hidden: Option<PieceId>) -> Vec<String> {
        let rules = self.game.rules();
        let Some(piece) = hidden else {
            let OptionKeys { primary, .. } = option_keys(rules, self.game.state(), option);
            return primary;
        };
        let kind = rules.kinds.get(rules.widest_kind(piece).index()).map(|kind| kind.name.clone());
        let action = match option {
            Opt::Action(action, _) | Opt::Free(action, _) => rules.actions.get(action.index()),
            _ => None,
        };
        action.map(|action| action.name.clone()).into_iter().chain(kind).collect()
    }

    fn price(&self, option: Opt) -> Option<Cost> {
        let Bundle { parts, less } = match option {
            Opt::Action(action, value) | Opt::Free(action, value) => self.eval.price(self.decision.seat, action, value),
            Opt::Value(_) | Opt::Branch(..) | Opt::Done | Opt::Yes | Opt::No | Opt::Continue => return None,
        };
        let rules = self.game.rules();
        let part = |(what, amount): (ResourceSel, i32)| {
            let (id, title, is_group) = match what {
                ResourceSel::None => return None,
                ResourceSel::One(res) => {
                    (rules.resources.get(res.index())?.name.clone(), self.words.resource(res), false)
                }
                ResourceSel::Group(group) => {
                    (rules.groups.get(group.index())?.name.clone(), self.words.group(group), true)
                }
            };
            Some(CostPart { id, title, is_group, amount })
        };
        let parts: Vec<CostPart> = parts.into_iter().filter(|(_, amount)| *amount > 0).filter_map(part).collect();
        (!parts.is_empty()).then_some(Cost { parts, less })
    }

    fn says(&self, piece: PieceId) -> Option<String> {
        let ty = self.game.rules().type_of(piece);
        self.words.text(&self.words.type_path(ty)).map(str::to_string)
    }
}

/// A decision without its options, for all players.
pub(crate) fn asked(decision: &Decision, revision: u64, words: &Words<'_>) -> PendingQuestion {
    PendingQuestion { player: decision.seat, revision, text: words.question_for(decision, Viewer::Public) }
}
