//! Named sets; and the members of sets that are the same in every game of one ruleset: the types of a kind, the symbols of an
//! attribute.

use rulepack_expr::{Set, SymbolsOf};
use rulepack_model::{SymId, TypeId};

use super::{AttrValue, Ruleset, StepPlace};
use crate::lower::{Lowered, Walk};
use crate::state::value::Value;

/// A set that the pack gives a name.
#[derive(Debug, Clone)]
pub struct NamedSet {
    /// Its id.
    pub name: String,
    /// The names of its arguments.
    pub args: Vec<String>,
    /// The set, with `me` and the arguments in its first slots.
    pub set: Set,
    /// The number of slots.
    pub locals: u16,
    /// Where it stands.
    pub place: Option<StepPlace>,
    walk: Lowered<Walk>,
}

impl NamedSet {
    /// A set that is ready to be walked.
    pub fn new(name: String, args: Vec<String>, set: Set, locals: u16) -> Self {
        NamedSet { name, args, set, locals, place: None, walk: Lowered::default() }
    }

    pub(crate) fn walk(&self, rules: &Ruleset) -> &Walk {
        self.walk.get(|| Walk::new(rules, &self.set))
    }
}

impl Ruleset {
    /// The types or symbols of a set, in the order of their declaration; nothing for other sets.
    pub(crate) fn named_members(&self, set: &Set) -> Vec<Value> {
        match set {
            Set::Types(kind) => {
                let types = self.types.iter().enumerate().map(|(index, ty)| (TypeId::from(index), ty));
                let such = types.filter(|(id, ty)| ty.printing_of == *id && self.is_kind(ty.kind, *kind));
                such.map(|(id, _)| Value::Type(id)).collect()
            }
            Set::Symbols(SymbolsOf::Attr(attr)) => {
                let values = self.types.iter().map(|ty| ty.attrs.get(attr.0 as usize).copied().flatten());
                in_order(values.filter_map(|value| match value {
                    Some(AttrValue::Plain(Value::Sym(symbol))) => Some(symbol),
                    _ => None,
                }))
            }
            Set::Symbols(SymbolsOf::Mark(mark)) => {
                let zones = self.zones.iter().flat_map(|zone| &zone.marks).filter(|(id, _)| id == mark);
                in_order(zones.flat_map(|(_, symbols)| symbols.iter().copied().flatten()))
            }
            _ => Vec::new(),
        }
    }
}

/// Each symbol once.
fn in_order(symbols: impl Iterator<Item = SymId>) -> Vec<Value> {
    let mut all: Vec<SymId> = symbols.collect();
    all.sort_unstable();
    all.dedup();
    all.into_iter().map(Value::Sym).collect()
}
