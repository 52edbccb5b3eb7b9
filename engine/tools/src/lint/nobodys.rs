//! Texts that ask for `me` where it is nobody's turn: there `my.coin` would be 0 and `my hand` empty, without a word.
//!
//! Phases outside `turns` run for nobody, and so do the events that they raise. An `as` or a `together` gives a part of an
//! effect a player.

use std::collections::{BTreeMap, BTreeSet};

use rulepack_expr::{Expr, ME, Op, Program, Visitor};
use rulepack_kernel::Ruleset;
use rulepack_kernel::ruleset::{CompiledProgram, Phase, PhaseBody};
use rulepack_model::{ExprId, Local, PhaseId, ProgId};

/// A text that asks for `me` where `me` is nobody.
pub(super) struct Nobodys {
    /// The text: a definition and a key.
    pub(super) text: String,
    /// The step, as `path:line:column`, if it is one of several.
    pub(super) step: Option<String>,
    /// The phase that is nobody's turn.
    pub(super) phase: String,
}

/// All such texts of a game.
pub(super) fn nobodys(rules: &Ruleset) -> Vec<Nobodys> {
    let mut found = Vec::new();
    let mut seen = BTreeSet::new();
    for phase in outside_turns(rules) {
        let Some(declared) = rules.phases.get(phase.index()) else { continue };
        for (key, text) in conditions(declared) {
            let asks = rules.exprs.get(text.index()).is_some_and(|text| asks_for_me(&text.expr));
            if asks {
                let text = format!("phase.{} {key}", declared.name);
                found.push(Nobodys { text, step: None, phase: declared.name.clone() });
            }
        }
        let mut waiting: Vec<_> = declared.effect.into_iter().collect();
        while let Some(effect) = waiting.pop() {
            let Some(compiled) = rules.programs.get(effect.index()).filter(|_| seen.insert(effect)) else { continue };
            let mut walk = Walk::new(rules);
            walk.program(&compiled.program);
            found.extend(walk.asking.into_iter().map(|op| Nobodys {
                text: compiled.origin.clone(),
                step: place_of(compiled, op),
                phase: declared.name.clone(),
            }));
            waiting.extend(walk.raised);
        }
    }
    found
}

fn place_of(compiled: &CompiledProgram, op: usize) -> Option<String> {
    compiled.places.get(op).map(ToString::to_string)
}

/// The phases that are played while it is nobody's turn.
fn outside_turns(rules: &Ruleset) -> BTreeSet<PhaseId> {
    let mut found = BTreeSet::new();
    let mut waiting: Vec<PhaseId> = rules.root.into_iter().collect();
    while let Some(phase) = waiting.pop() {
        if !found.insert(phase) {
            continue;
        }
        match rules.phases.get(phase.index()).map(|phase| &phase.body) {
            Some(PhaseBody::Sequence { phases, .. }) => waiting.extend(phases),
            Some(PhaseBody::Turns { .. } | PhaseBody::Menu { .. } | PhaseBody::Leaf) | None => {}
        }
    }
    found
}

/// The conditions and numbers of a phase, with their keys. The `until` of turns is asked after a turn, for whoever had it.
fn conditions(phase: &Phase) -> Vec<(&'static str, ExprId)> {
    let mut all: Vec<(&str, Option<ExprId>)> = vec![("when", phase.when)];
    match &phase.body {
        PhaseBody::Sequence { times, until, phases: _, counter: _ } => {
            all.extend([("repeat", *times), ("until", *until)]);
        }
        PhaseBody::Turns { first, turn: _, order: _, until: _ } => all.push(("turns.first", *first)),
        PhaseBody::Menu { .. } | PhaseBody::Leaf => {}
    }
    all.into_iter().filter_map(|(key, text)| Some((key, text?))).collect()
}

/// Follows an effect that begins for nobody.
struct Walk<'r> {
    rules: &'r Ruleset,
    /// Whether `me` is somebody at this operation.
    is_somebody: bool,
    /// For slots in which `me` was kept: whether it was somebody.
    kept: BTreeMap<Local, bool>,
    /// The operations that ask for `me` while it is nobody.
    asking: Vec<usize>,
    /// The effects of events that are raised by nobody.
    raised: Vec<ProgId>,
}

impl<'r> Walk<'r> {
    fn new(rules: &'r Ruleset) -> Self {
        Walk { rules, is_somebody: false, kept: BTreeMap::new(), asking: Vec::new(), raised: Vec::new() }
    }

    /// The blocks of an effect stand one inside the other, so its operations can be taken in their order.
    fn program(&mut self, program: &Program) {
        for (at, op) in program.ops.iter().enumerate() {
            if let Op::Let(kept, Expr::Local(ME)) = op {
                self.kept.insert(*kept, self.is_somebody);
                continue;
            }
            if let Op::Let(ME, Expr::Local(kept)) = op
                && let Some(was_somebody) = self.kept.get(kept)
            {
                self.is_somebody = *was_somebody;
                continue;
            }
            if self.is_somebody {
                continue;
            }
            let mut reads = ReadsMe(false);
            op.visit_parts(&mut reads);
            if reads.0 {
                self.asking.push(at);
            }
            if let Op::Let(ME, _) = op {
                self.is_somebody = true;
            }
            if let Op::Raise { event, .. } = op {
                self.raised.extend(self.rules.events.get(event.index()).and_then(|event| event.effect));
            }
        }
    }
}

fn asks_for_me(expr: &Expr) -> bool {
    let mut reads = ReadsMe(false);
    reads.expr(expr);
    reads.0
}

/// Whether `me` was among the parts that were visited.
struct ReadsMe(bool);

impl Visitor for ReadsMe {
    fn expr(&mut self, expr: &Expr) {
        self.0 |= *expr == Expr::Local(ME);
        expr.visit_parts(self);
    }
}
