//! The places of faults: the definition, and its step or the line of a script. If the budget was used up: the derived value,
//! action or expression that was being evaluated.

use rulepack_model::{ExprId, SymId, ValueId};

use crate::eval::score::scored_by;
use crate::flow::decision::MOST_OPTIONS;
use crate::flow::fault::Fault;
use crate::flow::frame::*;
use crate::flow::log::MOST_EVENTS;
use crate::flow::machine::Machine;
use crate::rules::ruleset::{Action, DerivedValue, Ruleset, StepPlace};
use crate::state::fuel::{Culprit, Mistake};
use crate::state::table::State;
use crate::state::value::ZoneIx;

/// The message about a number beyond the limits.
const TOO_LARGE: &str = "a number is too large: numbers have at most 18 digits, what is paid or gained at once is at most \
                         1000000, and what somebody has is at most 2147483647";

#[cold]
pub(super) fn too_many_events() -> Fault {
    Fault::new(format!(
        "more than {MOST_EVENTS} things happen before the next question: let the loop do less, or ask in between"
    ))
}

#[cold]
pub(super) fn too_many_options(count: usize) -> Fault {
    Fault::new(format!(
        "a question has {count} options, and at most {MOST_OPTIONS} are possible: narrow the set with `where`, or choose in two steps"
    ))
}

impl Machine<'_> {
    /// Adds the place to a fault: the definition that was running, and the line of a waiting script.
    pub(super) fn placed(&mut self, fault: Fault) -> Fault {
        let mut fault = self.at_top(fault);
        if fault.script.is_none()
            && let Some(Frame::Script(script)) = self.state.frames().iter().rev().find(|frame| frame.is_work())
            && script.begun
            && let Some(run) = self.live.last()
        {
            fault.script = self.host.place_of(self.rules, self.state, *run);
        }
        fault
    }

    /// The fault that stops a game in which more goes on inside one another than the limit allows.
    #[cold]
    pub(super) fn too_deep(&self) -> Fault {
        let mut names: Vec<String> = self.state.frames().iter().filter_map(|frame| frame.origin(self.rules)).collect();
        names.dedup();
        Fault::too_deep(self.rules.limits.frames, &names).in_origin(&self.origin_of_top())
    }

    /// The fault that stops a game when the budget is used up. A loop may be the cause, unless a mistake emptied it.
    #[cold]
    #[inline(never)]
    pub(super) fn out_of_fuel(&self) -> Fault {
        let fault = self.too_much();
        if self.state.fuel().mistake().is_some() { fault } else { fault.endless() }
    }

    /// The same, at the derived value, action or expression that was being evaluated.
    pub(super) fn too_much(&self) -> Fault {
        let culprit = self.state.fuel().culprit();
        let (fault, culprit) = match (self.state.fuel().trail(), self.state.fuel().mistake()) {
            (Some(trail), _) => (Fault::new(trail.message(self.rules)), trail.innermost().map(Culprit::Value)),
            (None, Some(Mistake::TooLarge)) => (Fault::new(TOO_LARGE), culprit),
            (None, Some(Mistake::NoDirection { zone, direction })) => (self.no_direction(zone, direction), culprit),
            (None, None) => (self.all_is_spent(), culprit),
        };
        let of_value = |text: ExprId| self.rules.values.iter().position(|value| value.base == text);
        match culprit.map(|culprit| match culprit {
            Culprit::Text(text) => of_value(text).map_or(culprit, |value| Culprit::Value(ValueId::from(value))),
            _ => culprit,
        }) {
            Some(Culprit::Value(value)) => {
                let DerivedValue { name, place, .. } = &self.rules.values[value.index()];
                fault.in_step(&format!("value.{name}"), place.as_ref().map(StepPlace::to_string))
            }
            Some(Culprit::Action(action)) => {
                let Action { name, place, .. } = &self.rules.actions[action.index()];
                fault.in_step(&format!("action.{name}"), place.as_ref().map(StepPlace::to_string))
            }
            Some(Culprit::Text(text)) => {
                let place = self.rules.exprs[text.index()].place.as_ref().map(StepPlace::to_string);
                let origin = scored_by(self.rules, text).unwrap_or_else(|| self.origin_of_top());
                fault.in_step(&origin, place)
            }
            None => self.at_top(fault),
        }
    }

    /// A line leads in a direction that the layout of its zone does not have.
    #[cold]
    fn no_direction(&self, zone: ZoneIx, direction: SymId) -> Fault {
        let (zone, name) = (self.rules.zone_of(zone), &self.rules.symbols[direction.index()]);
        let known: Vec<&str> = zone.layout.directions().iter().map(|direction| direction.name()).collect();
        let known = match known.is_empty() {
            true => "it has no lines".to_string(),
            false => format!("its directions are `{}`", known.join("`, `")),
        };
        let help = "`directions(SPACE)` are those of one board";
        Fault::new(format!("`{name}` is no direction of the zone `{}`: {known} ({help})", zone.name))
    }

    #[cold]
    pub(super) fn all_is_spent(&self) -> Fault {
        let most = self.rules.limits.members;
        Fault::new(format!(
            "too much is looked at before the next question: sets inside sets, or a long loop (limit `members`: {most})"
        ))
    }

    /// Adds the definition and the step on top of the stack to a fault.
    #[cold]
    pub(super) fn at_top(&self, fault: Fault) -> Fault {
        let top = self.state.frames().iter().rev().find(|frame| frame.is_work());
        let step = top.and_then(|frame| frame.place(self.rules));
        fault.in_step(&self.origin_of_top(), step)
    }

    /// The definition that is running on top of the stack, for messages, such as `action.build`.
    pub(crate) fn origin_of_top(&self) -> String {
        origin_of_top(self.rules, self.state)
    }
}

/// The definition that is running on top of the stack.
pub(crate) fn origin_of_top(rules: &Ruleset, state: &State) -> String {
    state.frames().iter().rev().find_map(|frame| frame.origin(rules)).unwrap_or_default()
}
