//! How much a game may define. Some tables of the engine are as large as the product of two of these numbers, and ids are small
//! numbers; no game comes near any of them.

use rulepack_kernel::Ruleset;
use rulepack_model::{Diagnostic, Span};

use super::Linker;

/// Definitions of one kind that the engine knows: zones, actions, values …
const MOST_DEFINITIONS: usize = 2_000;
/// The same for what is only told or counted: rules, examples, components, words; and for the types of one kind of pieces.
const MOST_ENTRIES: usize = 10_000;
/// Attributes of all kinds together.
pub(super) const MOST_ATTRIBUTES: usize = 500;
/// Numbers that a table holds for its pieces and players: variables, and resources on pieces.
const MOST_SLOTS: usize = 4_000_000;

impl Linker<'_> {
    /// Refuses, and leaves out, what is defined beyond the limits.
    pub(super) fn refuse_too_many(&mut self) {
        for (kind, table) in &mut self.definitions.kinds {
            let is_listed = ["component", "example", "rule", "word"].contains(&kind.as_str());
            let most = match super::BUILT_IN.contains(&kind.as_str()) && !is_listed {
                true => MOST_DEFINITIONS,
                false => MOST_ENTRIES,
            };
            let Some((id, entry)) = table.entries.get_index(most) else { continue };
            let what = format!("definitions of `{kind}`");
            self.out.push(too_many(&what, most, &format!("{kind}.{id}"), entry.key));
            table.entries.truncate(most);
        }
    }
}

/// The mistake of the first definition beyond a limit.
pub(super) fn too_many(what: &str, most: usize, first: &str, at: Span) -> Diagnostic {
    let message = format!("a game has at most {most} {what}: `{first}` is one too many");
    Diagnostic::error("wrong-value", message).at(at).help("leave some out, or make one of several that are alike")
}

/// Refuses a table that is too large to be copied for every answer.
pub(super) fn refuse_large_tables(rules: &Ruleset, at: Option<Span>, out: &mut Vec<Diagnostic>) -> bool {
    let slots = rules.var_slots.saturating_add(rules.held_slots);
    if slots > MOST_SLOTS {
        let message = format!(
            "the table holds {slots} numbers, for every piece its variables and resources; at most {MOST_SLOTS} are possible"
        );
        let mut large =
            Diagnostic::error("wrong-value", message).help("have fewer pieces, or fewer variables of pieces");
        large.labels.extend(at.map(|span| rulepack_model::Label { span, text: String::new() }));
        out.push(large);
    }
    slots > MOST_SLOTS
}
