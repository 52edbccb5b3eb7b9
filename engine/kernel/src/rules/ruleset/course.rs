//! The course of a game as a pack defines it: actions with their parameters, and phases.

use rulepack_expr::{Cost, Expr, Set};
use rulepack_model::{ActionId, ExprId, HookId, PhaseId, ProgId, PromptId, VarId, ZoneId};

use crate::lower::{self, Lowered, Price, Source, Truth, Walk};
use crate::rules::ruleset::{Ruleset, StepPlace};

/// An action.
#[derive(Debug, Clone, Default)]
pub struct Action {
    /// Its id.
    pub name: String,
    /// Its requirement.
    pub requires: Option<Expr>,
    /// How many parameters must be known before `requires` can be tested: 0 if it names none.
    pub requires_after: u16,
    /// Its parameters, which are chosen one after the other.
    pub params: Vec<Param>,
    /// Its costs, each with the piece that gets it; without one, the supply does.
    pub costs: Vec<(Cost, Option<Expr>)>,
    /// How many parameters must be known before the costs can be computed.
    pub costs_after: u16,
    /// Its effect.
    pub effect: Option<ProgId>,
    /// How often it may be taken: the largest number, and the variable of the player that counts.
    pub limit: Option<(VarId, i64)>,
    /// Whether it is a free action, which may be taken between the steps of others.
    pub free: bool,
    /// While an action of a menu is possible, those with a smaller number are not offered.
    pub priority: u16,
    /// Whether all players see the pieces that were chosen for it, until it is over.
    pub disclose: bool,
    /// How many slots its expressions need.
    pub locals: u16,
    /// How likely bots are to choose it, in parts of 100.
    pub weight: u32,
    /// Where it is defined, for messages.
    pub place: Option<StepPlace>,
    /// Its expressions as functions.
    pub(crate) code: Lowered<ActionCode>,
}

impl Action {
    /// An action that has only a name.
    pub fn new(name: &str) -> Action {
        Action { name: name.to_string(), weight: 100, locals: rulepack_expr::FIRST_PARAM, ..Action::default() }
    }

    /// Its expressions as functions.
    #[inline]
    pub(crate) fn code(&self, rules: &Ruleset) -> &ActionCode {
        self.code.get(|| ActionCode::new(rules, self))
    }
}

/// The expressions of an action as functions, and what follows from them.
pub(crate) struct ActionCode {
    pub(crate) requires: Option<Truth>,
    /// The set of values for each parameter.
    pub(crate) params: Vec<Walk>,
    pub(crate) costs: Vec<(Price, Option<Source>)>,
    /// Whether it can be completed with every value of its first parameter, if it can be begun.
    pub(crate) certain: bool,
    /// Whether it can always be begun: it has no requirement, no cost and no limit.
    pub(crate) begins_always: bool,
    /// Whether its options are listed so quickly that they are not worth caching.
    pub(crate) is_cheap: bool,
    /// Whether its price depends on its first parameter and on no other.
    pub(crate) is_priced: bool,
    /// Whether only its effect is left to do when it has been chosen with its first parameter: it has no cost, no limit and
    /// no other parameter.
    pub(crate) is_plain: bool,
}

impl ActionCode {
    fn new(rules: &Ruleset, action: &Action) -> ActionCode {
        let to = |to: &Option<Expr>| to.as_ref().map(|to| Source::whole(rules, to));
        let certain = action.params.len() <= 1
            && (action.requires.is_none() || action.requires_after == 0)
            && (action.costs.is_empty() || action.costs_after == 0)
            && action.effect.is_none_or(|effect| rules.programs[effect.index()].is_certain(rules, 0));
        let params: Vec<Walk> = action.params.iter().map(|param| Walk::new(rules, &param.set)).collect();
        ActionCode {
            begins_always: action.requires.is_none() && action.costs.is_empty() && action.limit.is_none(),
            is_cheap: certain
                && action.requires.is_none()
                && action.costs.is_empty()
                && params.iter().all(Walk::is_cheap),
            is_priced: matches!(action.costs.as_slice(), [(_, None)])
                && !action.params.is_empty()
                && action.costs_after == 1
                && action.requires_after <= 1,
            requires: action.requires.as_ref().map(|requires| lower::checked::truth(rules, requires)),
            params,
            costs: action.costs.iter().map(|(cost, place)| (Price::new(rules, cost), to(place))).collect(),
            is_plain: action.params.len() <= 1
                && action.costs.is_empty()
                && action.limit.is_none()
                && action.effect.is_some()
                && !action.free,
            certain,
        }
    }
}

/// A parameter of an action.
#[derive(Debug, Clone)]
pub struct Param {
    /// Its name.
    pub name: String,
    /// The set of values to choose from.
    pub set: Set,
    /// The text of the question.
    pub prompt: Option<PromptId>,
    /// What that text names.
    pub named: Vec<Expr>,
}

/// A phase. Phases that consist of other phases form a tree.
#[derive(Debug, Clone, Default)]
pub struct Phase {
    /// Its id.
    pub name: String,
    /// The effect that runs each time it begins.
    pub effect: Option<ProgId>,
    /// The phase is skipped unless this holds when it begins.
    pub when: Option<ExprId>,
    /// Whether free actions are possible at every question of the player at turn.
    pub free: bool,
    /// The phases, turns or actions of which it consists.
    pub body: PhaseBody,
}

/// The phases, turns or actions of which a phase consists.
#[derive(Debug, Clone, Default)]
#[allow(missing_docs)]
pub enum PhaseBody {
    /// Nothing but its effect.
    #[default]
    Leaf,
    /// Phases, one after the other, over and over.
    Sequence { phases: Vec<PhaseId>, times: Option<ExprId>, until: Option<ExprId>, counter: Option<VarId> },
    /// Players take turns.
    Turns { turn: PhaseId, order: Order, first: Option<ExprId>, until: Until },
    /// The player at turn takes actions until the phase ends.
    Menu { actions: Vec<ActionId>, once: bool, prompt: Option<PromptId> },
}

/// The order in which players take turns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub enum Order {
    #[default]
    Clockwise,
    CounterClockwise,
    /// In the order in which the players passed the last time.
    PassOrder,
    /// A script says who.
    Script(HookId),
}

/// When turns are over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[allow(missing_docs)]
pub enum Until {
    /// When everybody has passed.
    #[default]
    AllPassed,
    /// When everybody has had one turn.
    EachOnce,
    /// When a condition holds after a turn.
    Holds(ExprId),
    /// Never: something else ends the game.
    Never,
}

/// What happens when the same position is there at the beginning of a turn for the last of several times.
#[derive(Debug, Clone)]
pub struct Repetition {
    /// How many times.
    pub times: u32,
    /// The zones whose pieces make up the position, together with the player at turn.
    pub zones: Vec<ZoneId>,
    /// The variables that belong to it.
    pub vars: Vec<VarId>,
    /// What happens, for the player at turn.
    pub effect: ProgId,
}
