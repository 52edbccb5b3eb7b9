//! Tables that the rules cannot lead to, judging by the texts of a pack.

use std::collections::BTreeSet;

use rulepack_expr::{Moves, Op, OpFacts};
use rulepack_kernel::ruleset::PhaseBody;
use rulepack_kernel::{Ruleset, Value};
use rulepack_model::{Code, Diagnostic, Node, ResId, Seat, Span, VarId};
use rulepack_pack::Word;

use super::names::Names;

impl Names<'_> {
    /// Refuses a number that a variable never has: beyond the ends of a track, or of a repetition that counts with it.
    pub(super) fn refuse_out_of_range(&mut self, var: VarId, key: &str, value: Value, at: Span) {
        let Value::Int(number) = value else { return };
        let (least, most, why) = match (self.rules.var(var).range, rounds(self.rules, var)) {
            (Some((least, most)), _) => (least, most, format!("its track goes from {least} to {most}")),
            // Before the first round it is not set, and counts as 0.
            (None, Some((phase, times))) => (0, times, format!("the phase `{phase}` counts with it from 1 to {times}")),
            (None, None) => return,
        };
        if !(least..=most).contains(&number) {
            let message = format!("`{key}` is never {number}: {why}");
            let help = format!("write a number from {least} to {most}");
            self.out.push(Diagnostic::error(Code::WrongValue, message).at(at).help(help));
        }
    }

    /// Refuses a supply that is not limited, and one with more than the box contains.
    pub(super) fn refuse_supply(&mut self, node: &Node, supply: &[(ResId, i32)]) {
        for (res, amount) in supply {
            let resource = self.rules.resource(*res);
            let key = node.as_table().and_then(|table| table.entries.get(&resource.name)).map(|entry| entry.key);
            let (message, help) = match resource.supply {
                None => (
                    format!("the supply of `{}` has no limit: it cannot be set", resource.name),
                    "leave it out: there is always enough".to_string(),
                ),
                Some(most) if *amount > most => (
                    format!("the supply of `{}` cannot be {amount}: the box holds {most}", resource.name),
                    format!("write a number from 0 to {most}"),
                ),
                Some(_) => continue,
            };
            self.out.push(Diagnostic::error(Code::WrongValue, message).at(key.unwrap_or(node.span)).help(help));
        }
    }

    /// Refuses `face_down`, `flipped` or `on` if no effect of the pack ever turns or lays a piece in this way.
    pub(super) fn refuse_lying(&mut self, key: &str, at: Span) {
        let is_done = |does: OpFacts<'_>| match key {
            "flipped" => does.flips,
            "on" => matches!(does.moves, Some(Moves::Onto { .. })),
            _ => matches!(
                does.moves,
                Some(Moves::One { facing: Some(false), .. } | Moves::Many { facing: Some(false), .. })
            ),
        };
        if self.may_be_done(is_done) {
            return;
        }
        let (never, write) = match key {
            "flipped" => ("nothing is ever flipped", "flip"),
            "on" => ("nothing is ever laid on anything", "lay … on …"),
            _ => ("nothing is ever laid face down", "move … to … face down"),
        };
        let message = match key {
            "on" => format!("{never} in this game"),
            _ => format!("`{key}` is never true in this game: {never}"),
        };
        let help = format!("leave it out, or let an effect of the pack do so: `{write}`");
        self.out.push(Diagnostic::error(Code::WrongValue, message).at(at).help(help));
    }

    /// Refuses looks that last if nothing in the pack lets a player look at a piece until it moves.
    pub(super) fn refuse_looks(&mut self, at: Span) {
        let lasts = |op: &Op| matches!(op, Op::Look { lasting: true, .. } | Op::Show { lasting: true, .. });
        let mut ops = self.rules.programs.iter().flat_map(|compiled| &compiled.program.ops);
        if !self.is_whole || !self.rules.hooks.is_empty() || ops.any(lasts) {
            return;
        }
        let message = "nobody sees a piece until it moves in this game";
        let help = "leave `seen_by` out, or let an effect of the pack do so: `look at … until it moves`, `reveal … until it moves`";
        self.out.push(Diagnostic::error(Code::WrongValue, message).at(at).help(help));
    }

    /// Refuses players who have passed twice, and players who have passed in a game in which nobody passes.
    pub(super) fn refuse_passed(&mut self, words: &[Word], passed: &[Seat]) {
        let mut seen = BTreeSet::new();
        if let Some(word) = words.iter().find(|word| !seen.insert(&word.text)) {
            let diagnostic = Diagnostic::error(Code::WrongValue, format!("`{}` has passed twice", word.text));
            self.out.push(diagnostic.at(word.span).help("name everybody once, in the order in which they passed"));
        }
        if let Some(word) = words.first().filter(|_| !passed.is_empty())
            && !self.may_be_done(|does| does.passes)
        {
            let diagnostic = Diagnostic::error(Code::WrongValue, "nobody ever passes in this game");
            self.out.push(diagnostic.at(word.span).help("leave `passed` out, or let an action of the pack `pass`"));
        }
    }

    /// Refuses players who are out in a game in which nobody is put out.
    pub(super) fn refuse_out(&mut self, words: &[Word]) {
        if let Some(word) = words.first()
            && self.is_whole
            && !self.rules.has_elimination()
        {
            let diagnostic = Diagnostic::error(Code::WrongValue, "nobody is ever out in this game");
            self.out.push(
                diagnostic.at(word.span).help("leave `out` out, or let an effect of the pack `eliminate` players"),
            );
        }
    }

    /// Whether an operation in an effect of the pack passes a test. With scripts, or texts with mistakes, the result is always
    /// true.
    fn may_be_done(&self, is_it: impl Fn(OpFacts<'_>) -> bool) -> bool {
        let mut ops = self.rules.programs.iter().flat_map(|compiled| &compiled.program.ops);
        !self.is_whole || !self.rules.hooks.is_empty() || ops.any(|op| is_it(op.facts()))
    }
}

/// The phase that counts with a variable, and its largest number of repetitions.
fn rounds(rules: &Ruleset, var: VarId) -> Option<(&str, i64)> {
    rules.phases.iter().find_map(|phase| match &phase.body {
        PhaseBody::Sequence { counter: Some(counter), times: Some(times), .. } if *counter == var => {
            let most = crate::lint::most_of(rules, &rules.expr(*times).expr)?;
            Some((phase.name.as_str(), most))
        }
        _ => None,
    })
}
