//! The meaning of the rules of a game, as short digests: one for each definition, so that a changed one can be named.
//!
//! Linking computes the digests from definitions and scripts without titles, texts, comments and layout. They are
//! compared here.

// Input comes from strangers: no input may end the program.
#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::hash::{Hash, Hasher};

use rulepack_model::StableHasher;
use serde::{Deserialize, Serialize};

use crate::rules::ruleset::Ruleset;

/// A digest for each definition and each script.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Meaning {
    /// By path, such as `card.inn`. [`ORDER`] has names whose order matters, such as that of `order.standing`.
    pub definitions: BTreeMap<String, String>,
}

/// The prefix of the path of an order.
pub const ORDER: &str = "order.";

/// Definitions that differ.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    /// Changed definitions.
    pub changed: Vec<String>,
    /// New definitions.
    pub added: Vec<String>,
    /// Removed definitions.
    pub gone: Vec<String>,
}

impl Meaning {
    /// The differences from the present rules.
    pub fn changes(&self, now: &Meaning) -> Changes {
        let (before, now) = (&self.definitions, &now.definitions);
        let names: BTreeSet<&String> = before.keys().chain(now.keys()).collect();
        let mut changes = Changes::default();
        for name in names {
            match (before.get(name), now.get(name)) {
                (Some(before), Some(now)) if name.starts_with(ORDER) && is_same_order(before, now) => {}
                // An empty order is not written.
                (None, _) | (_, None) if name.starts_with(ORDER) => {}
                (Some(before), Some(now)) if before == now => {}
                (Some(_), Some(_)) => changes.changed.push(name.clone()),
                (None, _) => changes.added.push(name.clone()),
                (_, None) => changes.gone.push(name.clone()),
            }
        }
        changes
    }
}

/// Whether the entries of both are in the same order; new and removed ones are named separately.
fn is_same_order(before: &str, now: &str) -> bool {
    let common = |list: &str, other: &str| -> Vec<String> {
        let others: BTreeSet<&str> = other.split(' ').collect();
        list.split(' ').filter(|name| others.contains(name)).map(str::to_string).collect()
    };
    common(before, now) == common(now, before)
}

impl Changes {
    /// Whether there are no changes.
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.added.is_empty() && self.gone.is_empty()
    }
}

impl fmt::Display for Changes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const SHOWN: usize = 8;
        let lists = [("changed", &self.changed), ("new", &self.added), ("gone", &self.gone)];
        let mut between = "";
        for (what, names) in lists.into_iter().filter(|(_, names)| !names.is_empty()) {
            let shown: Vec<String> = names.iter().take(SHOWN).map(|name| format!("`{name}`")).collect();
            write!(f, "{between}{what}: {}", shown.join(", "))?;
            if names.len() > SHOWN {
                write!(f, " and {} more", names.len().saturating_sub(SHOWN))?;
            }
            between = "; ";
        }
        Ok(())
    }
}

impl Ruleset {
    /// A digest of the numbering: numbers in a state have the same meaning only if it is the same. It follows from the
    /// order in which files and definitions were read.
    pub fn numbering(&self) -> String {
        let mut hasher = StableHasher::new();
        let mut list = |names: &mut dyn Iterator<Item = &str>| {
            names.for_each(|name| name.hash(&mut hasher));
            hasher.write_u8(0);
        };
        list(&mut self.resources.iter().map(|it| it.name.as_str()));
        list(&mut self.groups.iter().map(|it| it.name.as_str()));
        list(&mut self.kinds.iter().map(|it| it.name.as_str()));
        list(&mut self.types.iter().map(|it| it.name.as_str()));
        list(&mut self.attrs.iter().map(|(name, _)| name.as_str()));
        list(&mut self.symbols.iter().map(String::as_str));
        list(&mut self.zones.iter().map(|it| it.name.as_str()));
        list(&mut self.vars.iter().map(|it| it.name.as_str()));
        list(&mut self.events.iter().map(|it| it.name.as_str()));
        list(&mut self.actions.iter().map(|it| it.name.as_str()));
        list(&mut self.phases.iter().map(|it| it.name.as_str()));
        list(&mut self.programs.iter().map(|it| it.origin.as_str()));
        list(&mut self.hooks.iter().map(|it| it.name.as_str()));
        list(&mut self.prompts.iter().map(String::as_str));
        for piece in &self.pieces {
            hasher.write_u64(piece.ty.index() as u64 | (piece.zone.index() as u64) << 32);
        }
        format!("{:016x}", hasher.finish())
    }
}
