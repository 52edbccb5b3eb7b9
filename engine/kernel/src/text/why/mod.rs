//! Why something is not offered: the first obstacle, found by the same functions that list the options.
//!
//! `flow/actions.rs` and `flow/choices.rs` decide; nothing here does. `actions.rs` asks them about an action and its
//! parameters, `effects.rs` about the first steps of an effect; `seen.rs` decides who may read a reason, `telling.rs`
//! puts it into words.
//!
//! A reason for a player is the first one that follows from what this player sees. If there is none, the reason is only
//! that it depends on something hidden ([`Reason::Unseen`]). So the reason is the same in every game that looks the
//! same.

mod actions;
mod effects;
mod seen;
mod telling;
mod wanted;

pub use telling::tell_why;

use rulepack_model::{ActionId, Seat};
use serde::{Deserialize, Serialize};

use crate::eval::bundle::{Bundle, ResourceSel};
use crate::eval::expressions::copied;
use crate::flow::decision::{Ask, Decision, Opt};
use crate::flow::feasible::attempts::Effect;
use crate::flow::feasible::free_actions::Nowhere;
use crate::flow::frame::{Frame, RunFrame};
use crate::flow::game::Game;
use crate::flow::host::EffectHost;
use crate::flow::machine::{Machine, Mode, Unread};
use crate::hidden::sight::{Sight, Viewer};
use crate::lower::Step;
use crate::rules::ruleset::{PhaseBody, Ruleset};
use crate::rules::shortcuts::Promise;
use crate::state::value::Value;
use crate::text::expr_text::Writer;
use crate::text::keys::{seat_key, value_keys};
use rulepack_expr::Op;
use seen::KnownTo;

/// The answer that somebody would like to give.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Wanted {
    /// An action, with the first of its parameters.
    Action(ActionId, Vec<Pick>),
    /// One thing of a choice.
    Choice(Pick),
}

/// A thing, for a parameter or a choice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub enum Pick {
    /// This one, or a piece that is like it in every way.
    Value(Value),
    /// Any thing with this name, as in scenarios: `inn`, `inn@row`, `I.left`, `player_2`.
    Named(String),
}

/// Why something is not offered. Names are ids; [`crate::Words::reason`] has words for people.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "reason", rename_all = "snake_case")]
#[allow(missing_docs)]
pub enum Reason {
    /// The game is over.
    GameOver,
    /// Another player is asked.
    AnotherIsAsked { player: String },
    /// Something else must be answered first.
    OtherQuestion,
    /// The phase does not list this action.
    NotInMenu { phase: String },
    /// Another action is possible, and goes first.
    GoesFirst { action: String },
    /// Only free actions can be done at this moment.
    NotFree,
    /// Free actions are for the player at turn, and not inside one another.
    NotNow,
    /// It has been done as often as allowed.
    UsedUp { times: i64 },
    /// A condition is false.
    Requires { condition: String },
    /// It costs more than the player has.
    CannotPay { costs: Vec<Amount>, less: i32 },
    /// The supply has too little.
    SupplyShort { gives: Vec<Amount> },
    /// The cost goes to a piece that does not exist.
    NoPieceForCost { piece: String },
    /// Nothing can be chosen: there are no candidates, or each is impossible.
    NoValue { from: String, tried: Vec<Tried> },
    /// More must be chosen than there are.
    TooFew { from: String, least: i64, there: i64 },
    /// None of several ways is possible; each is named by the id of its question.
    NoWay { ways: Vec<Tried> },
    /// The named thing is not among the candidates.
    NotAmong { from: String },
    /// It was chosen before.
    ChosenBefore,
    /// It would lead to a choice without options or to a payment that cannot be made.
    DeadEnd,
    /// The effect needs a piece that does not exist, or one with such an effect.
    NoEffect { piece: String },
    /// A free action that would only lead back to a position seen before.
    LeadsBack,
    /// A free action after which the interrupted question would have no answer.
    LeavesUnanswered,
    /// A free action of which some ways lead back, and others leave the question without an answer or fail.
    LeadsNowhere,
    /// It depends on something that the player cannot see.
    Unseen,
    /// It is not an option of the present question.
    NotListed,
}

impl From<Nowhere> for Reason {
    fn from(nowhere: Nowhere) -> Reason {
        match nowhere {
            Nowhere::Back => Reason::LeadsBack,
            Nowhere::Unanswered => Reason::LeavesUnanswered,
            Nowhere::Mixed => Reason::LeadsNowhere,
        }
    }
}

/// The amount of a resource or a group that is needed, and the amount that is there.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Amount {
    /// The id of the resource or group.
    pub what: String,
    /// Whether it is a group.
    pub is_group: bool,
    /// The amount that is needed.
    pub needs: i64,
    /// The amount that is there.
    pub has: i64,
}

/// A rejected value or way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Tried {
    /// Its name; only its kind if it is hidden.
    pub name: String,
    /// The value; `None` for a way.
    #[serde(skip)]
    pub value: Value,
    /// Why it cannot be chosen.
    pub why: Reason,
}

impl Game {
    /// Why something is not offered now, as far as a viewer can know; `None` if it is offered. [`Viewer::All`] reads
    /// everything, a player only what follows from what this player sees.
    pub fn why_not(&self, host: &dyn EffectHost, viewer: Viewer, wanted: &Wanted) -> Option<Reason> {
        let Some(decision) = self.decision() else { return Some(Reason::GameOver) };
        if let Viewer::Seat(seat) = viewer
            && seat != decision.seat
        {
            return Some(Reason::AnotherIsAsked { player: seat_key(decision.seat) });
        }
        let mut state = self.state().clone();
        state.fuel().refill(self.rules().limits);
        state.memo().disable();
        let mut unread = Unread::default();
        let machine = Machine::new(self.rules(), &mut state, host, unread.outputs(), Mode::Play);
        let viewer = if self.rules().shortcuts.breaks(Promise::Reason) { Viewer::All } else { viewer };
        let sight = Sight::new(self.rules(), self.state(), viewer);
        let why = Why { machine: &machine, decision, seat: decision.seat, seen: KnownTo::new(machine.eval(), sight) };
        match wanted {
            Wanted::Action(action, picks) => why.action_here(*action, picks),
            Wanted::Choice(pick) => why.choice(pick),
        }
    }
}

/// Looks for reasons at one decision.
struct Why<'m, 'a> {
    machine: &'m Machine<'a>,
    decision: &'m Decision,
    seat: Seat,
    seen: KnownTo<'m>,
}

impl<'a> Why<'_, 'a> {
    fn rules(&self) -> &'a Ruleset {
        self.machine.rules
    }

    /// Why an action is not offered at the present question.
    fn action_here(&self, action: ActionId, picks: &[Pick]) -> Option<Reason> {
        match self.decision.ask {
            Ask::Menu(phase, _) => {
                let declared = &self.rules().phases[phase.index()];
                match &declared.body {
                    PhaseBody::Menu { actions, .. } if actions.contains(&action) => {
                        self.goes_first(action).or_else(|| self.action(action, picks, false))
                    }
                    _ if self.is_free_now(action) => self.free_action(action, picks),
                    _ => Some(Reason::NotInMenu { phase: declared.name.clone() }),
                }
            }
            Ask::Pause => self.free_action(action, picks),
            Ask::Choose(_) if self.choice_is_free() => self.free_action(action, picks),
            _ if self.is_free_now(action) => self.free_action(action, picks),
            _ => Some(Reason::OtherQuestion),
        }
    }

    /// The possible action with a higher priority, which is among the options that the asked player sees.
    fn goes_first(&self, action: ActionId) -> Option<Reason> {
        let priority = |action: ActionId| self.rules().actions[action.index()].priority;
        let offered = self.decision.options.iter().filter_map(|option| match option {
            Opt::Action(offered, _) => Some(*offered),
            _ => None,
        });
        let first = offered.into_iter().find(|offered| priority(*offered) > priority(action))?;
        Some(Reason::GoesFirst { action: self.rules().actions[first.index()].name.clone() })
    }

    /// Whether an action is free in a phase in which such actions are possible at every question.
    fn is_free_now(&self, action: ActionId) -> bool {
        self.rules().actions[action.index()].free && self.machine.offers_free(self.seat)
    }

    fn free_action(&self, action: ActionId, picks: &[Pick]) -> Option<Reason> {
        if !self.rules().actions[action.index()].free {
            return Some(Reason::NotFree);
        }
        if !self.machine.may_act_free(self.seat) {
            return Some(Reason::NotNow);
        }
        self.action(action, picks, true)
    }

    /// Whether free actions are offered beside a choice.
    fn choice_is_free(&self) -> bool {
        let Some(Frame::Run(run)) = self.machine.state.top_frame() else { return false };
        let steps = self.rules().programs[run.program.index()].steps(self.rules());
        matches!(steps.get(run.pc as usize), Some(Step::ChooseMore(_, more)) if more.free)
    }

    /// Why one thing of the present choice is not offered.
    fn choice(&self, pick: &Pick) -> Option<Reason> {
        let is_meant = |option: &Opt| matches!(option, Opt::Value(value) if self.fits(pick, *value));
        match self.machine.state.top_frame() {
            Some(Frame::Action(frame)) => {
                let action = &self.rules().actions[frame.action.index()];
                let (bound, mut locals) = (frame.bound as usize, copied(&frame.locals));
                let picks = std::slice::from_ref(pick);
                let allowed = self.machine.eval().allows(action, &mut locals, 0..=bound, frame.waive_cost);
                if !allowed || !self.possible(action, &mut locals, bound, picks, frame.waive_cost) {
                    let found = self.param_reason(action, &mut locals, bound, picks, frame.waive_cost);
                    return Some(found.unwrap_or(Reason::Unseen));
                }
                // A free action that only leads back is removed last.
                if !frame.interrupts || self.decision.options.iter().any(is_meant) {
                    return None;
                }
                let meant = self.members(action, bound, Some(pick), &mut locals).into_iter();
                let ways = meant.map(|value| self.machine.leads_on(self.seat, Opt::Value(value)));
                Some(Nowhere::unless_any(ways).err().map_or(Reason::LeadsNowhere, Reason::from))
            }
            Some(Frame::Run(run)) => self.choice_of_effect(run, pick),
            _ => (!self.decision.options.iter().any(is_meant)).then_some(Reason::NotListed),
        }
    }

    /// Why one thing of a choice inside an effect is not offered.
    fn choice_of_effect(&self, run: &RunFrame, pick: &Pick) -> Option<Reason> {
        let compiled = &self.rules().programs[run.program.index()];
        let (steps, at) = (compiled.steps(self.rules()), run.pc as usize);
        let (Some(Op::Choose { set, .. } | Op::ChooseMore { set, .. }), Some(step)) =
            (compiled.program.ops.get(at), steps.get(at))
        else {
            let is_meant = |option: &Opt| matches!(option, Opt::Value(value) if self.fits(pick, *value));
            return (!self.decision.options.iter().any(is_meant)).then_some(Reason::NotListed);
        };
        let mut locals = copied(&run.locals);
        let eval = self.machine.eval();
        let members = eval.collect(set, &mut locals);
        let meant: Vec<Value> = members.iter().copied().filter(|value| self.fits(pick, *value)).collect();
        if meant.is_empty() {
            let writer = Writer { rules: self.rules(), params: Vec::new(), outer: Vec::new() };
            let can_tell = self.seen.set(set, &mut locals) && self.seen.knows_members(set, &mut locals);
            return Some(if can_tell { self.not_among(set, pick, &mut locals, &writer) } else { Reason::Unseen });
        }
        match step {
            Step::ChooseMore(_, more) => {
                let list = more.different.map(|list| run.locals[list].int() as usize);
                let chosen = list.and_then(|list| run.lists.get(list)).map_or(&[][..], |(chosen, _)| chosen);
                if meant.iter().all(|value| chosen.contains(value)) {
                    return Some(Reason::ChosenBefore);
                }
                let is_meant = |option: &Opt| matches!(option, Opt::Value(value) if self.fits(pick, *value));
                if self.decision.options.iter().any(is_meant) {
                    return None;
                }
                let can_tell = self.seen.set(set, &mut locals) && self.seen.knows_members(set, &mut locals);
                Some(if can_tell { Reason::DeadEnd } else { Reason::Unseen })
            }
            Step::Choose(choice) => {
                let leads_on = |value: &Value| {
                    let mut locals = copied(&run.locals);
                    locals[choice.into] = *value;
                    eval.feasible(Effect::new(self.rules(), run.program), at + 1, steps.len(), &mut locals)
                };
                if meant.iter().any(leads_on) || !members.iter().any(leads_on) {
                    return None;
                }
                let can_tell = self.seen.set(set, &mut locals) && self.seen.knows_members(set, &mut locals);
                Some(if can_tell { Reason::DeadEnd } else { Reason::Unseen })
            }
            _ => None,
        }
    }

    /// Whether a value is the one that is asked about.
    fn fits(&self, pick: &Pick, value: Value) -> bool {
        match pick {
            Pick::Value(wanted) => match (*wanted, value) {
                (Value::Piece(a), Value::Piece(b)) => a == b || self.machine.eval().alike(a, b),
                (wanted, value) => wanted == value,
            },
            Pick::Named(name) => value_keys(self.rules(), self.machine.state, value).contains(name),
        }
    }

    /// The amounts of each resource that are needed, and that are there.
    fn amounts(&self, bundle: &Bundle, has: impl Fn(rulepack_model::ResId) -> i32) -> Vec<Amount> {
        let rules = self.rules();
        let part = |(kinds, needs): &(ResourceSel, i32)| {
            let (what, is_group) = match kinds {
                ResourceSel::None => return None,
                ResourceSel::One(res) => (rules.resources[res.index()].name.clone(), false),
                ResourceSel::Group(group) => (rules.groups[group.index()].name.clone(), true),
            };
            let has = kinds.members(rules).iter().map(|res| i64::from(has(*res))).sum();
            Some(Amount { what, is_group, needs: i64::from(*needs), has })
        };
        bundle.parts.iter().filter(|(_, needs)| *needs > 0).filter_map(part).collect()
    }

    /// A value by its name; only its kind if the viewer does not see it.
    fn name(&self, value: Value) -> String {
        if let Some(piece) = value.piece().filter(|_| !self.seen.knows(value)) {
            return self.rules().kinds[self.rules().widest_kind(piece).index()].name.clone();
        }
        value_keys(self.rules(), self.machine.state, value).into_iter().next().unwrap_or_default()
    }
}
