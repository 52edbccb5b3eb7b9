//! Texts of the expression language inside TOML strings: every mistake gets its place in the file.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use rulepack_expr::ast::At;
use rulepack_expr::{
    Checker, Cost, Expr, ExprError, FIRST_PARAM, Note, Program, Set, TextShape, Ty, Who, recover, with_room,
};
use rulepack_kernel::ruleset::{CompiledCost, CompiledExpr, CompiledProgram, StepPlace, Window};
use rulepack_model::{Code, CostId, Diagnostic, ExprId, Node, ProgId, Span};

use super::Linker;
use super::fields::wrong_type;
use crate::read::text_map;

/// Something noted about a text, see [`Note`].
#[derive(Debug, Clone)]
pub struct TextNote {
    /// Where the text stands.
    pub text: Span,
    /// Whether it is in quotes, so that places inside it can be found.
    pub is_string: bool,
    /// What was noted.
    pub note: Note,
}

/// The names that a text may use besides the names of the game.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope {
    /// The piece to which it belongs.
    pub(crate) this: Option<Ty>,
    /// Parameters in the order of their slots.
    pub(crate) params: Vec<(String, Ty)>,
    /// Parameters that are unknown because of a mistake, which has been reported.
    pub(crate) doubtful: Vec<String>,
    /// The tokens of the conditions under which an effect is done.
    pub(crate) assured: BTreeSet<String>,
}

impl Scope {
    pub(crate) fn on(this: Ty) -> Self {
        Scope { this: Some(this), ..Scope::default() }
    }

    pub(crate) fn with(params: &[(String, Ty)]) -> Self {
        Scope { params: params.to_vec(), ..Scope::default() }
    }

    /// Records what a condition is about.
    pub(crate) fn assure(&mut self, condition: &str) {
        let words = condition.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        self.assured.extend(words.filter(|word| !word.is_empty()).map(str::to_string));
    }

    /// This scope, with a record of what a condition in a field is about.
    pub(crate) fn assured_by(mut self, condition: Option<&Node>) -> Self {
        self.assure(condition.and_then(Node::as_str).unwrap_or(""));
        self
    }
}

/// The purpose of a text of the expression language.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextUse {
    /// A yes-or-no.
    Condition,
    /// Another value.
    Value,
    /// A set from which something is chosen.
    Set,
    /// A cost.
    Cost,
    /// An effect.
    Effect,
}

impl TextUse {
    fn shape(self) -> TextShape {
        match self {
            TextUse::Condition | TextUse::Value | TextUse::Set => TextShape::Expr,
            TextUse::Cost => TextShape::Cost,
            TextUse::Effect => TextShape::Effect,
        }
    }
}

/// A compiled text: its place, quotes included, and its purpose.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CompiledText {
    /// The place.
    pub span: Span,
    /// Its purpose.
    pub used: TextUse,
}

/// A cost and its destination, the number of parameters that it needs, and the number of slots.
pub(crate) type Payment = (((Cost, Option<Expr>), u16), u16);

impl Linker<'_> {
    pub(super) fn keep_text(&mut self, node: &Node, used: TextUse) {
        if node.as_str().is_some() {
            self.texts.insert(CompiledText { span: node.span, used });
        }
    }

    /// Runs a check on a text; a mistake becomes a diagnostic.
    pub(crate) fn check<T: Send>(
        &mut self,
        node: &Node,
        used: TextUse,
        origin: &str,
        scope: &Scope,
        check: impl Fn(&str, &mut Checker<'_>) -> Result<T, ExprError> + Send + Sync,
    ) -> Option<(T, u16)> {
        let number;
        let text = match (&node.value, node.as_str()) {
            (_, Some(text)) => text,
            (rulepack_model::Value::Int(n), _) => {
                number = n.to_string();
                number.as_str()
            }
            (rulepack_model::Value::Bool(flag), _) => {
                if *flag {
                    "true"
                } else {
                    "false"
                }
            }
            _ => {
                self.out.push(wrong_type(node, origin, "a text in the expression language"));
                return None;
            }
        };
        self.vocabulary.pack = self.files.get(&node.span.file).cloned().unwrap_or_default();
        self.vocabulary.origin = origin.to_string();
        self.vocabulary.assured.clone_from(&scope.assured);
        self.keep_text(node, used);
        let mut checker = Checker::new(&mut self.vocabulary, scope.this, &scope.params);
        match with_room(text, || check(text, &mut checker)) {
            Ok(value) => {
                let locals = checker.locals();
                self.keep_notes(node);
                Some((value, locals))
            }
            Err(error) => {
                let found = mistakes(text, used.shape(), error, &mut checker, scope, &check);
                self.vocabulary.notes.clear();
                for error in found {
                    self.mistake(node, error);
                }
                None
            }
        }
    }

    /// Stores the notes about a text.
    fn keep_notes(&mut self, node: &Node) {
        let notes = self.vocabulary.notes.drain(..);
        self.notes.extend(notes.map(|note| TextNote { text: node.span, is_string: node.as_str().is_some(), note }));
    }

    /// A mistake in a text, at its place in the file.
    pub(super) fn mistake(&mut self, node: &Node, error: ExprError) {
        // A number has no places inside.
        let map = node.as_str().map(|_| text_map(self.sources, node.span));
        let span = map.as_ref().map_or(node.span, |map| map.span(error.at));
        let mut mistake = Diagnostic::error(error.code, error.message).at(span).maybe_help(error.help.map(Into::into));
        if let Some(map) = map {
            mistake.ties.cure = error.cure.map(|(at, text)| (map.span(at), text));
            if let Some((at, why)) = error.because.map(|because| *because) {
                mistake = mistake.label(map.span(at), why);
            }
        }
        self.out.push(mistake);
    }

    /// An expression of a given type.
    pub(crate) fn expr(&mut self, node: &Node, origin: &str, scope: &Scope, ty: Ty) -> Option<ExprId> {
        let used = if ty == Ty::Bool { TextUse::Condition } else { TextUse::Value };
        let parses = self.parses;
        let check = |text: &str, checker: &mut Checker<'_>| checker.expect_type(parses.expr(text)?.as_ref(), ty);
        if let (Some(parts), Ty::Int) = (node.as_list(), ty) {
            return self.sum(parts, origin, scope);
        }
        let (expr, locals) = self.check(node, used, origin, scope, check)?;
        let mut compiled = CompiledExpr::new(expr, locals);
        compiled.place = self.line_of(node.span);
        Some(self.keep_compiled(compiled))
    }

    pub(crate) fn keep_expr(&mut self, expr: Expr, locals: u16) -> ExprId {
        self.keep_compiled(CompiledExpr::new(expr, locals))
    }

    pub(super) fn keep_compiled(&mut self, expr: CompiledExpr) -> ExprId {
        let id = ExprId::from(self.rules.exprs.len());
        self.rules.exprs.push(expr);
        id
    }

    /// A set, with the type of its members.
    pub(crate) fn set(&mut self, node: &Node, origin: &str, scope: &Scope) -> Option<(Set, Ty, u16)> {
        let parses = self.parses;
        let check = |text: &str, checker: &mut Checker<'_>| checker.set(parses.expr(text)?.as_ref());
        let ((set, ty), locals) = self.check(node, TextUse::Set, origin, scope, check)?;
        Some((set, ty, locals))
    }

    /// One player, or several.
    pub(crate) fn window(&mut self, node: &Node, origin: &str, scope: &Scope) -> Option<Window> {
        let parses = self.parses;
        let check = |text: &str, checker: &mut Checker<'_>| checker.who(parses.expr(text)?.as_ref());
        let (who, locals) = self.check(node, TextUse::Set, origin, scope, check)?;
        Some(match who {
            Who::One(seat) => {
                let mut compiled = CompiledExpr::new(seat, locals);
                compiled.place = self.line_of(node.span);
                Window::One(self.keep_compiled(compiled))
            }
            Who::Each(players) => Window::Each { players, locals },
        })
    }

    /// A cost without a destination.
    pub(crate) fn cost(&mut self, node: &Node, origin: &str, scope: &Scope) -> Option<CostId> {
        let mut whole = CompiledCost::new(Cost::default(), FIRST_PARAM);
        // Patches may have added to it: each part is a text in its own file.
        for part in node.as_list().unwrap_or(std::slice::from_ref(node)) {
            let parses = self.parses;
            let (cost, locals) = self.check(part, TextUse::Cost, origin, scope, |text, checker| {
                let parsed = parses.cost(text)?;
                let (cost, to) = &*parsed;
                if let Some(to) = to {
                    return Err(ExprError::kind(to.at.clone(), "a cost of a piece always goes to the supply"));
                }
                checker.cost(cost)
            })?;
            whole.cost.add(cost);
            whole.locals = whole.locals.max(locals);
        }
        let id = CostId::from(self.rules.costs.len());
        self.rules.costs.push(whole);
        Some(id)
    }

    /// A cost and its destination.
    pub(crate) fn cost_to(&mut self, node: &Node, origin: &str, scope: &Scope) -> Option<Payment> {
        let (parses, params) = (self.parses, scope.params.len() as u16);
        self.check(node, TextUse::Cost, origin, scope, |text, checker| {
            let parsed = parses.cost(text)?;
            let (cost, to) = &*parsed;
            let cost = checker.cost(cost)?;
            let to = to.as_ref().map(|to| checker.expect_type(to, Ty::Piece(None))).transpose()?;
            Ok(((cost, to), checker.parameters_named(params)))
        })
    }

    /// An effect.
    pub(crate) fn effect(&mut self, node: &Node, origin: &str, scope: &Scope) -> Option<ProgId> {
        if let Some(parts) = node.as_list() {
            return self.effect_in_parts(parts, origin, scope);
        }
        let parses = self.parses;
        let check = |text: &str, checker: &mut Checker<'_>| {
            let program = checker.program(parses.effect(text)?.as_ref())?;
            Ok((program, checker.places()))
        };
        let ((program, places), _) = self.check(node, TextUse::Effect, origin, scope, check)?;
        let places = self.step_places(node, &places);
        Some(self.keep_program(program, places, origin))
    }

    pub(super) fn keep_program(&mut self, program: Program, places: Vec<StepPlace>, origin: &str) -> ProgId {
        let id = ProgId::from(self.rules.programs.len());
        let mut compiled = CompiledProgram::new(program, origin.to_string());
        compiled.places = places.into();
        self.rules.programs.push(compiled);
        id
    }

    /// The places of the steps of a text in its file.
    pub(super) fn step_places(&mut self, node: &Node, places: &[At]) -> Vec<StepPlace> {
        if node.as_str().is_none() {
            return Vec::new();
        }
        let map = text_map(self.sources, node.span);
        places.iter().map(|at| self.line_of(map.span(at.clone()))).collect::<Option<_>>().unwrap_or_default()
    }

    /// The place in its file where something begins.
    pub(super) fn line_of(&mut self, span: Span) -> Option<StepPlace> {
        let source = self.sources.get(span.file)?;
        let (path, starts) = self.lines.entry(span.file).or_insert_with(|| {
            let after = source.text.match_indices('\n').map(|(at, _)| at.saturating_add(1));
            (source.path.as_str().into(), std::iter::once(0).chain(after).collect())
        });
        let start = span.start as usize;
        let line = starts.partition_point(|begins| *begins <= start);
        // A definition from a file that was edited since may lie beyond its end.
        let before = source.text.get(*starts.get(line.checked_sub(1)?)?..start)?;
        let column = (before.chars().count() as u32).saturating_add(1);
        Some(StepPlace { path: Arc::clone(path), line: line as u32, column })
    }
}

/// All mistakes of a text, by place, without those that follow from others.
pub(super) fn mistakes<T: Send>(
    text: &str,
    shape: TextShape,
    first: ExprError,
    checker: &mut Checker<'_>,
    scope: &Scope,
    check: &(impl Fn(&str, &mut Checker<'_>) -> Result<T, ExprError> + Send + Sync),
) -> Vec<ExprError> {
    // If a text cannot be parsed, the rest without the mistakes is checked.
    let recovered = (first.code == Code::ExpressionSyntax).then(|| recover(text, shape));
    let mut found = vec![first];
    if let Some(recovered) = recovered.filter(|recovered| !recovered.mistakes.is_empty()) {
        found = recovered.mistakes.clone();
        if recovered.text.is_none() {
            not_cured(&mut found, recovered.behind.as_ref());
        }
        if let Some(rest) = &recovered.text
            && let Err(error) = with_room(rest, || check(rest, checker))
        {
            not_cured(&mut found, Some(&error));
            let (more, mut doubtful) = checker.take_mistakes();
            doubtful.extend(recovered.lost.iter().cloned());
            let all = std::iter::once(error).chain(more).filter(|error| !mentions(rest, error, &doubtful));
            let placed = all.filter_map(|error| {
                let at = recovered.original(&error.at)?;
                let placed = |(from, why): (Range<usize>, String)| Some(Box::new((recovered.original(&from)?, why)));
                let because = error.because.and_then(|because| placed(*because));
                Some(ExprError { at, cure: None, because, ..error })
            });
            let step_is_read = |error: &ExprError| !recovered.mistakes.iter().any(|known| overlap(text, known, error));
            found.extend(placed.filter(step_is_read).collect::<Vec<_>>());
        }
    } else {
        let (more, doubtful) = checker.take_mistakes();
        found.extend(more);
        found.sort_by_key(|error| (error.at.start, error.at.end));
        found.dedup();
        let mut is_first = true;
        found.retain(|error| std::mem::take(&mut is_first) || !mentions(text, error, &doubtful));
    }
    found.retain(|error| !mentions(text, error, &scope.doubtful));
    found
}

/// Removes a suggestion that would leave another mistake, and mentions that mistake.
fn not_cured(found: &mut [ExprError], left: Option<&ExprError>) {
    if let ([only], Some(left)) = (&mut *found, left)
        && only.cure.is_some()
    {
        let help = only.help.as_deref().unwrap_or("");
        let more = left.help.as_ref().map_or(String::new(), |help| format!(" ({help})"));
        only.help = Some(format!("{help}; what is then left: {}{more}", left.message).into());
    }
    found.iter_mut().for_each(|error| error.cure = None);
}

/// Whether a mistake is about one of these names.
fn mentions(text: &str, error: &ExprError, names: &[String]) -> bool {
    let place = text.get(error.at.clone()).unwrap_or("");
    let mut words = place.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
    error.code != Code::ExpressionSyntax && !names.is_empty() && words.any(|word| names.iter().any(|name| name == word))
}

/// Whether two mistakes are in one step.
fn overlap(text: &str, one: &ExprError, other: &ExprError) -> bool {
    let (first, last) = (one.at.start.min(other.at.start), one.at.start.max(other.at.start));
    !text.get(first..last).unwrap_or("").contains([';', '{', '}'])
}
