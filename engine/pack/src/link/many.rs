//! Limits for the number of definitions of a game. Some tables of the engine are as large as the product of two of
//! these numbers, and ids are small numbers. No game comes near any limit.

use rulepack_kernel::Ruleset;
use rulepack_model::{Code, Diagnostic, Node, Span, Value};

use super::Linker;

/// Definitions of one kind that the engine knows: zones, actions, values …
const MOST_DEFINITIONS: usize = 2_000;
/// The same for definitions that are only listed (rules, examples, components, words), and for the types of one kind of
/// pieces.
const MOST_ENTRIES: usize = 10_000;
/// Attributes of all kinds together.
pub(super) const MOST_ATTRIBUTES: usize = 500;
/// Names of marks in all zones together.
pub(super) const MOST_MARKS: usize = 2_000;
/// Parameters of an action, and arguments of an event or a set: each text knows all parameters before it.
pub(super) const MOST_PARAMETERS: usize = 200;
/// Numbers in a state, for pieces and players: variables, and resources on pieces.
const MOST_SLOTS: usize = 4_000_000;

impl Linker<'_> {
    /// Refuses and removes definitions beyond the limits.
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
        self.refuse_too_many_parameters("action", "param", "parameters of an action");
        self.refuse_too_many_parameters("event", "args", "arguments of an event");
        self.refuse_too_many_parameters("set", "args", "arguments of a set");
    }

    fn refuse_too_many_parameters(&mut self, kind: &str, key: &str, what: &str) {
        let Some(table) = self.definitions.kinds.get_mut(kind) else { return };
        let ids: Vec<String> = table.entries.keys().cloned().collect();
        for id in ids {
            let is_large = |node: &Node| node.as_table().is_some_and(|given| given.entries.len() > MOST_PARAMETERS);
            if !table.get(&id).and_then(|node| node.below(key)).is_some_and(is_large) {
                continue;
            }
            let Some(Value::Table(fields)) = table.get_mut(&id).map(|node| &mut node.value) else { continue };
            let Some(Value::Table(given)) = fields.get_mut(key).map(|node| &mut node.value) else { continue };
            if let Some((name, entry)) = given.entries.get_index(MOST_PARAMETERS) {
                self.out.push(too_many(what, MOST_PARAMETERS, &format!("{kind}.{id}.{key}.{name}"), entry.key));
            }
            given.entries.truncate(MOST_PARAMETERS);
        }
    }
}

/// The mistake of the first definition beyond a limit.
pub(super) fn too_many(what: &str, most: usize, first: &str, at: Span) -> Diagnostic {
    let message = format!("a game has at most {most} {what}: `{first}` is one too many");
    Diagnostic::error(Code::WrongValue, message).at(at).help("leave some out, or make one of several that are alike")
}

/// Refuses a table that is too large to be copied for every answer.
pub(super) fn refuse_large_tables(rules: &Ruleset, at: Span, out: &mut Vec<Diagnostic>) -> bool {
    let slots = rules.var_slots.saturating_add(rules.held_slots);
    if slots > MOST_SLOTS {
        let message = format!(
            "the table holds {slots} numbers, for every piece its variables and resources; at most {MOST_SLOTS} are possible"
        );
        let help = "have fewer pieces, or fewer variables of pieces";
        out.push(Diagnostic::error(Code::WrongValue, message).at(at).help(help));
    }
    slots > MOST_SLOTS
}
