//! Values that depend on one another without end: a fault that names the circle, never a value that was computed in
//! part.

use rulepack_model::ValueId;

use crate::rules::ruleset::Ruleset;
use crate::state::value::Value;

/// The largest depth of values that depend on one another: a line of pieces is followed that far, and the stack has no
/// room for more.
pub(crate) const MAX_DEPTH: u8 = 160;

/// The number of values at the beginning of a long chain that are named.
const TOLD: usize = 3;

/// The values that were being computed when the chain became too long, from the innermost; empty otherwise.
#[derive(Debug, Clone, Default)]
pub(crate) struct Trail {
    is_broken: bool,
    asked: Vec<(ValueId, Value)>,
}

impl Trail {
    pub(crate) fn is_broken(&self) -> bool {
        self.is_broken
    }

    pub(crate) fn begin(&mut self) {
        self.is_broken = true;
    }

    pub(crate) fn add(&mut self, value: ValueId, of: Value) {
        if self.is_broken && self.asked.len() <= MAX_DEPTH as usize {
            self.asked.push((value, of));
        }
    }

    /// The value that was being computed when the chain became too long, if any.
    pub(crate) fn innermost(&self) -> Option<ValueId> {
        self.asked.first().map(|(value, _)| *value)
    }

    /// What to tell people.
    pub(crate) fn message(&self, rules: &Ruleset) -> String {
        let name = |value: &ValueId| rules.values.get(value.index()).map_or("", |value| value.name.as_str());
        let path = |until: usize| -> String {
            let names = self.asked[..=until].iter().rev().map(|(value, _)| format!("`{}`", name(value)));
            names.collect::<Vec<_>>().join(" → ")
        };
        let Some(first) = self.asked.first() else {
            return format!("texts ask one another more than {MAX_DEPTH} times over: costs, effects or attributes");
        };
        // The same value of the same piece or player, further out.
        if let Some(again) = self.asked.iter().skip(1).position(|asked| asked == first) {
            let of = match first.1 {
                Value::Piece(piece) => {
                    let ty = &rules.types[rules.type_of(piece).index()];
                    format!(", of a `{}.{}`", rules.kinds[ty.kind.index()].name, ty.name)
                }
                _ => String::new(),
            };
            return format!("the value `{}` leads back to itself: {}{of}", name(&first.0), path(again + 1));
        }
        if let Some(again) = self.asked.iter().skip(1).position(|asked| asked.0 == first.0) {
            let path = path(again + 1);
            return format!("values ask one another more than {MAX_DEPTH} times over, from piece to piece: {path} → …");
        }
        // A chain of different values: its beginning, and its length.
        let mut names: Vec<String> = self.asked.iter().rev().map(|(value, _)| format!("`{}`", name(value))).collect();
        if names.len() > TOLD + 2 {
            names.splice(TOLD..names.len() - 1, ["…".to_string()]);
        }
        let path = names.join(" → ");
        format!("values ask one another more than {MAX_DEPTH} times over: {path} → …")
    }
}
