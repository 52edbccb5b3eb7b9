//! Loops: effects or phases that return to an earlier position without a question in between would go on for ever.
//!
//! A limit (steps, effects inside one another, standing rules) stops such a game. Only then is the same answer played
//! once more, with every frame on the stack and every position recorded ([`Watch`]), to find the loop and to name its
//! cards. Games that stay within their limits pay nothing for it. The pack decides what happens then (`[game] loops`).

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::ops::ControlFlow;

use rulepack_model::StableHasher;

use crate::flow::frame::{Frame, PhaseFrame};
use crate::flow::machine::Machine;
use crate::rules::ruleset::{PhaseBody, Ruleset, Until};
use crate::state::table::State;

/// The number of steps that are searched for a loop. A longer loop is reported as the limit that it hit.
const MAX_WATCHED: usize = 4_000;
/// The number of definitions of a loop that are named.
const MAX_NAMED: usize = 12;

/// What happens when a loop is found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LoopRules {
    /// When effects or phases return to an earlier position without a question.
    pub effects: EffectLoop,
    /// When a free action returns to an earlier position of the turn.
    pub free: FreeLoop,
}

/// What happens when effects or phases return to an earlier position without a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EffectLoop {
    /// A fault that names the loop; the game is as before the answer.
    #[default]
    Stop,
    /// The game ends in a draw, with the table as before the answer.
    Draw,
}

/// What happens when a free action returns to an earlier position of the turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum FreeLoop {
    /// It is not offered.
    #[default]
    LeaveOut,
    /// It is offered, and a fault if it is chosen.
    Stop,
    /// It is offered, and the game ends in a draw if it is chosen.
    Draw,
}

/// A frame that has begun and is not over.
struct Begun {
    /// The number of frames on the stack with it.
    depth: usize,
    /// The definition that is running there.
    what: What,
    /// A hash of what began, and of the state at that moment.
    key: u128,
    /// The number of frames that had begun before it.
    at: usize,
}

/// The definition to which a frame belongs.
type What = (std::mem::Discriminant<Frame>, usize);

/// Records positions until one returns.
#[derive(Default)]
struct Watch {
    open: Vec<Begun>,
    /// Whole positions, with the number of frames that had begun before each.
    positions: BTreeMap<u128, usize>,
    names: Vec<String>,
}

impl Watch {
    /// Records the position; if it occurred before, returns the names of what has begun since.
    fn note(&mut self, rules: &Ruleset, state: &State) -> Option<Vec<String>> {
        let depth = state.depth();
        self.open.retain(|begun| begun.depth <= depth && what(&state.frames()[begun.depth - 1]) == begun.what);
        let table = table_hash(state);
        // The inside of a waiting script is not visible here.
        let in_script = state.frames().iter().any(|frame| matches!(frame, Frame::Script(script) if script.begun));
        if !in_script {
            let whole =
                with_hash(table, |hasher| state.frames().iter().for_each(|frame| hash_frame(rules, frame, hasher)));
            if let Some(at) = self.positions.insert(whole, self.names.len()) {
                return Some(named(&self.names[at..]));
            }
        }
        let top = state.top_frame()?;
        if self.open.last().is_some_and(|begun| begun.depth == depth) {
            return None;
        }
        let key = with_hash(table, |hasher| top.hash(hasher));
        // It began before, from the very same state, and still waits for this to end.
        if let Some(outer) = self.open.iter().find(|begun| begun.key == key) {
            return Some(named(&self.names[outer.at..]));
        }
        self.open.push(Begun { depth, what: what(top), key, at: self.names.len() });
        self.names.push(name(rules, top));
        None
    }
}

/// The first of these names, each once in a row.
fn named(names: &[String]) -> Vec<String> {
    let mut named: Vec<String> = names.iter().filter(|name| !name.is_empty()).cloned().collect();
    named.dedup();
    // A loop is reported from where it first closes: one round is enough.
    if let Some(again) = named.iter().skip(1).position(|name| Some(name) == named.first()) {
        named.truncate(again + 1);
    }
    if named.len() > MAX_NAMED {
        named.truncate(MAX_NAMED);
        named.push("…".to_string());
    }
    named
}

fn with_hash(table: u128, more: impl FnOnce(&mut StableHasher)) -> u128 {
    let mut hasher = StableHasher::new();
    hasher.write_u128(table);
    more(&mut hasher);
    hasher.finish128()
}

/// A hash of everything that decides how a game goes on, except the stack.
fn table_hash(state: &State) -> u128 {
    with_hash(u128::from(state.position()), |hasher| {
        state.chance().hash(hasher);
        state.fixed_rolls().hash(hasher);
        let table = state.stored();
        (table.active, table.passed, table.pass_order).hash(hasher);
        state.rare().hash(hasher);
        state.result().hash(hasher);
    })
}

/// A frame without the counters of a phase.
fn hash_frame(rules: &Ruleset, frame: &Frame, hasher: &mut StableHasher) {
    let Frame::Phase(phase) = frame else { return frame.hash(hasher) };
    let counts = match &rules.phases[phase.phase.index()].body {
        PhaseBody::Leaf | PhaseBody::Menu { .. } => true,
        PhaseBody::Sequence { times, until, .. } => times.is_some() || until.is_none(),
        PhaseBody::Turns { until, .. } => match until {
            Until::EachOnce => true,
            Until::AllPassed | Until::Holds(_) | Until::Never => false,
        },
    };
    let count = if counts { phase.count } else { phase.count.min(1) };
    PhaseFrame { count, ..phase.clone() }.hash(hasher);
}

fn what(frame: &Frame) -> What {
    let id = match frame {
        Frame::Phase(phase) => phase.phase.index(),
        Frame::Action(action) => action.action.index(),
        Frame::Run(run) => run.program.index(),
        Frame::Event(event) => event.event.index(),
        Frame::Script(script) => script.hook.index(),
        Frame::Transfer(_) | Frame::Ask(_) | Frame::Pause(_) => 0,
    };
    (std::mem::discriminant(frame), id)
}

/// Its name for readers; `None` for frames that only move things.
fn name(rules: &Ruleset, frame: &Frame) -> String {
    match frame {
        Frame::Phase(phase) => format!("phase.{}", rules.phases[phase.phase.index()].name),
        Frame::Action(action) => format!("action.{}", rules.actions[action.action.index()].name),
        Frame::Run(run) => rules.programs[run.program.index()].origin.clone(),
        Frame::Event(event) => format!("event.{}", rules.events[event.event.index()].name),
        Frame::Script(script) => rules.hooks[script.hook.index()].bound_at.clone(),
        Frame::Transfer(_) | Frame::Ask(_) | Frame::Pause(_) => String::new(),
    }
}

impl Machine<'_> {
    /// Runs on like [`Machine::advance`], with every frame on the stack, until a position returns; returns the names in
    /// the loop.
    #[cold]
    pub(crate) fn find_loop(&mut self) -> Vec<String> {
        let mut watch = Watch::default();
        for _ in 0..MAX_WATCHED {
            // Each position is hashed, number by number; the same budget pays for it.
            if !self.state.fuel().burn_many(1 + self.rules.pieces.len() / 8 + self.state.copy_cost()) {
                break;
            }
            if let Some(names) = watch.note(self.rules, self.state) {
                return names;
            }
            match self.advance_by_one() {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(_)) | Err(_) => break,
            }
        }
        Vec::new()
    }
}
