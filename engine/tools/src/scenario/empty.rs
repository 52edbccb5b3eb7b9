//! Scenarios, and parts of them, that would pass whatever the game does.

use rulepack_expr::Expr;
use rulepack_kernel::Ruleset;
use rulepack_model::{Code, Diagnostic, Node, Span, Table, Value};

use super::given::Given;
use super::names::Names;
use super::pieces::Side;
use super::then::Then;
use super::{Begin, Scenario};

const CODE: Code = Code::EmptyScenario;

/// The mistake of a scenario without steps and expectations.
pub(super) fn says_nothing(at: Span) -> Diagnostic {
    let diagnostic = Diagnostic::error(CODE, "nothing is done here and nothing is expected");
    diagnostic.at(at).help("write a step under `when`, or what must hold under `then`")
}

/// The mistake of an empty list or table, under a key that has no effect then.
pub(super) fn empty_part(key: &str, at: Span) -> Diagnostic {
    let (message, help) = match key {
        "when" => ("`when` has no step", "write a step, `{ seat = \"…\", choose = \"…\" }`, or leave `when` out"),
        "case" => ("there is no case here", "write a case, `[[case]]` with a `name`, or leave `case` out"),
        "then" => ("`then` expects nothing", "write what must hold, or leave `then` out"),
        "matrix" => {
            ("`matrix` lists nothing", "write what differs, `modes = [[\"…\"], [\"…\"]]`, or leave `matrix` out")
        }
        _ => return sets_nothing(key, at),
    };
    Diagnostic::error(CODE, message).at(at).help(help)
}

fn sets_nothing(key: &str, at: Span) -> Diagnostic {
    let message = format!("`{key}` sets nothing");
    Diagnostic::error(CODE, message)
        .at(at)
        .help(format!("write what is there before the first step, or leave `{key}` out"))
}

/// The mistake of an answer without a word, which every question would offer.
pub(super) fn no_answer(key: &str, at: Span) -> Diagnostic {
    let message = format!("`{key}` names no answer");
    Diagnostic::error(CODE, message).at(at).help(format!("write an answer, `{key} = \"…\"`, or leave it out"))
}

/// The mistake of an empty text for a fault, which every fault would contain.
pub(super) fn any_refusal(at: Span) -> Diagnostic {
    let message = "`refused` names no words: every fault would do";
    Diagnostic::error(CODE, message).at(at).help("write some words of the fault that is meant")
}

/// Whether a text or list is empty, or has an empty part.
pub(super) fn is_blank(node: &Node) -> bool {
    match &node.value {
        Value::Str(text) => text.trim().is_empty(),
        Value::List(items) => items.is_empty() || items.iter().any(is_blank),
        _ => false,
    }
}

impl Names<'_> {
    /// Refuses a key that sets or expects nothing.
    pub(super) fn refuse_empty(&mut self, key: &str, at: Span) {
        self.out.push(match self.side {
            Side::Given => sets_nothing(key, at),
            Side::Then => {
                let diagnostic = Diagnostic::error(CODE, format!("`{key}` expects nothing: it holds on every table"));
                diagnostic.at(at).help(format!("write what must be there, or leave `{key}` out"))
            }
        });
    }

    /// Refuses a key with an empty table; returns whether it did.
    pub(super) fn is_refused_as_empty(&mut self, key: &str, at: Span, node: &Node) -> bool {
        let is_empty = node.as_table().is_some_and(Table::is_empty);
        if is_empty {
            self.refuse_empty(key, at);
        }
        is_empty
    }

    /// Refuses a condition that is true whatever the game does.
    pub(super) fn refuse_constant(&mut self, expr: &Expr, at: Span) {
        if crate::lint::always_says(self.rules, expr) == Some(true) {
            let diagnostic = Diagnostic::error(CODE, "this condition holds on every table");
            self.out.push(diagnostic.at(at).help("compare with something that the game can fall short of"));
        }
    }
}

/// The mistake of a scenario without steps whose expectations all repeat `given`. A scenario that begins a turn is none: things
/// happen at the beginning of a turn.
pub(super) fn only_repeats(
    scenario: &Scenario,
    rules: &Ruleset,
    given: &Given,
    expected: &[&Then],
) -> Option<Diagnostic> {
    let is_busy = |step: &super::Step| {
        !step.choose.is_empty() || !step.offered.is_empty() || !step.not_offered.is_empty() || step.options.is_some()
    };
    if scenario.from == Begin::Turn || scenario.when.iter().any(is_busy) {
        return None;
    }
    let mut checks = expected.iter().flat_map(|then| then.checks()).peekable();
    checks.peek()?;
    if !checks.all(|check| given.already_says(rules, &scenario.from, check)) {
        return None;
    }
    let message = "nothing is done here, and `then` only says again what `given` says";
    let first_key = scenario.then.entries.values().next().map(|entry| entry.key);
    let at = first_key.or(scenario.when.iter().next().map(|step| step.span)).unwrap_or(Span::top(scenario.file));
    let diagnostic = Diagnostic::error(CODE, message).at(at);
    Some(diagnostic.help("write a step under `when`, or expect what follows from the table"))
}
