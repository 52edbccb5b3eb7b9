//! Texts to which patches have added: a list of parts, each a text in its own file.
//!
//! The parts of an effect are done one after the other, and those that a patch adds before or after a step with a name are
//! done there. The parts of an amount are added up.

use std::sync::Arc;

use rulepack_expr::ast::BinaryOp;
use rulepack_expr::{AddedSteps, Checker, Expr, FIRST_PARAM, Program, TextShape, Ty, with_room};
use rulepack_kernel::ruleset::CompiledExpr;
use rulepack_model::{Code, Diagnostic, ExprId, Node, ProgId, known_instead};

use super::Linker;
use super::compile::{Scope, TextNote, TextUse, mistakes};
use super::fields::wrong_type;
use super::patch::{AFTER, BEFORE};

/// Steps that a patch adds before or after a step with a name.
struct Beside<'n> {
    /// The name of the step.
    label: &'n Node,
    after: bool,
    steps: &'n Node,
}

impl<'n> Beside<'n> {
    /// `{ before = "NAME", adds = "…" }`
    fn of(node: &'n Node) -> Option<Beside<'n>> {
        let label = |key: &str| node.below(key).filter(|label| label.as_str().is_some());
        let (label, after) = label(BEFORE).map(|label| (label, false)).or(label(AFTER).map(|label| (label, true)))?;
        Some(Beside { label, after, steps: node.below("adds")? })
    }
}

impl Linker<'_> {
    /// An amount of several parts, which are added up.
    pub(super) fn sum(&mut self, parts: &[Node], origin: &str, scope: &Scope) -> Option<ExprId> {
        let (mut sum, mut most) = (None, FIRST_PARAM);
        let parses = self.parses;
        for (number, part) in (1..).zip(parts) {
            let check =
                |text: &str, checker: &mut Checker<'_>| checker.expect_type(parses.expr(text)?.as_ref(), Ty::Int);
            let (expr, locals) = self.check(part, TextUse::Value, &format!("{origin}.{number}"), scope, check)?;
            most = most.max(locals);
            sum = Some(match sum {
                Some(before) => Expr::Binary(BinaryOp::Add, Box::new(before), Box::new(expr)),
                None => expr,
            });
        }
        let mut compiled = CompiledExpr::new(sum.unwrap_or(Expr::Int(0)), most);
        compiled.place = parts.first().and_then(|part| self.line_of(part.span));
        Some(self.keep_compiled(compiled))
    }

    /// An effect to which patches have added: each part is a text in its own file.
    pub(super) fn effect_in_parts(&mut self, parts: &[Node], origin: &str, scope: &Scope) -> Option<ProgId> {
        let mut program = Program::default();
        let mut wrong = Vec::new();
        let mut ends = Vec::new();
        for node in parts {
            self.keep_text(Beside::of(node).map_or(node, |beside| beside.steps), TextUse::Effect);
        }
        let parses = self.parses;
        let beside: Vec<Beside<'_>> = parts.iter().filter_map(Beside::of).collect();
        let added = self.added_steps(&beside, origin)?;
        self.vocabulary.assured.clone_from(&scope.assured);
        let mut checker = Checker::new(&mut self.vocabulary, scope.this, &scope.params);
        checker.add_steps(added);
        let parts: Vec<&Node> = parts.iter().filter(|node| Beside::of(node).is_none()).collect();
        for (number, node) in (1..).zip(parts.iter().copied()) {
            let Some(text) = node.as_str() else {
                self.out.push(wrong_type(node, origin, "a text in the expression language"));
                return None;
            };
            let pack = self.files.get(&node.span.file).map_or("", String::as_str);
            let origin = format!("{origin}.{number}");
            let part = with_room(text, || checker.part(pack, &origin, parses.effect(text)?.as_ref(), &mut program));
            ends.push(program.ops.len());
            let notes = checker.take_notes();
            self.notes.extend(notes.into_iter().map(|note| TextNote { text: node.span, is_string: true, note }));
            let Err(error) = part else { continue };
            let check = |text: &str, checker: &mut Checker<'_>| {
                checker.part(pack, &origin, parses.effect(text)?.as_ref(), &mut Program::default())
            };
            let found = mistakes(text, TextShape::Effect, error, &mut checker, scope, &check);
            wrong.extend(found.into_iter().map(|error| (node, error)));
        }
        program.locals = checker.locals();
        let all = checker.places();
        program.named = checker.take_named(&program.ops);
        let (added, labels) = checker.take_added();
        for (beside, added) in beside.iter().zip(added) {
            if !added.is_used && wrong.is_empty() {
                self.out.push(no_such_step(beside.label, &labels));
                return None;
            }
            wrong.extend(added.mistakes.into_iter().map(|error| (beside.steps, error)));
        }
        if wrong.is_empty() {
            let mut places = Vec::new();
            for (node, end) in parts.into_iter().zip(ends) {
                places.extend(self.step_places(node, all.get(places.len()..end).unwrap_or_default()));
            }
            return Some(self.keep_program(program, places, origin));
        }
        for (node, error) in wrong {
            self.mistake(node, error);
        }
        None
    }

    /// The steps that patches add beside others, each text by itself.
    fn added_steps(&mut self, beside: &[Beside<'_>], origin: &str) -> Option<Vec<AddedSteps>> {
        let parses = self.parses;
        let mut all = Vec::new();
        for Beside { label, after, steps: node } in beside {
            let Some(text) = node.as_str() else {
                self.out.push(wrong_type(node, origin, "a text in the expression language"));
                return None;
            };
            let steps = match with_room(text, || parses.effect(text)) {
                Ok(steps) => steps,
                Err(error) => {
                    let mut checker = Checker::new(&mut self.vocabulary, None, &[]);
                    let check = |text: &str, _: &mut Checker<'_>| parses.effect(text).map(drop);
                    let found = mistakes(text, TextShape::Effect, error, &mut checker, &Scope::default(), &check);
                    for error in found {
                        self.mistake(node, error);
                    }
                    return None;
                }
            };
            let mut added = AddedSteps::new(label.as_str().unwrap_or(""), *after, Arc::clone(&steps));
            added.pack = self.files.get(&node.span.file).cloned().unwrap_or_default();
            added.origin = origin.to_string();
            all.push(added);
        }
        Some(all)
    }
}

/// The mistake of steps that are added beside a step that is not there.
fn no_such_step(label: &Node, labels: &[String]) -> Diagnostic {
    let name = label.as_str().unwrap_or("");
    let message = format!("no step of this effect is called `{name}`");
    let help = known_instead(name, labels.iter().map(String::as_str))
        .unwrap_or_else(|| format!("name a step where the effect stands: `{name}: pay 1 coin`"));
    Diagnostic::error(Code::UnknownName, message).at(label.span).help(help)
}
