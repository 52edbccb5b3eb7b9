//! Amounts of resources. Whether they can be paid or received is asked in `flow/feasible/payments.rs`.

use rulepack_model::{GroupId, ResId};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::rules::ruleset::Ruleset;

/// One resource, or any of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum ResourceSel {
    None,
    One(ResId),
    Group(GroupId),
}

impl ResourceSel {
    /// The resources that count.
    pub fn members<'r>(&'r self, rules: &'r Ruleset) -> &'r [ResId] {
        match self {
            ResourceSel::None => &[],
            ResourceSel::One(res) => std::slice::from_ref(res),
            ResourceSel::Group(group) => rules.members(*group),
        }
    }
}

/// The largest amount of a resource that can be paid or gained at once; more is a mistake of the pack.
const MOST: i64 = rulepack_expr::MOST_UNITS;

/// Whether an amount fits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub enum Kept {
    /// It fits.
    Exactly,
    /// It is too large: nothing was added.
    TooMany,
}

/// Resources to be paid or gained.
#[derive(Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Bundle {
    /// Single resources first, then groups from the smallest; no part is zero.
    pub parts: SmallVec<[(ResourceSel, i32); 4]>,
    /// The number of units that the payer may leave out.
    #[serde(default)]
    pub less: i32,
}

impl Clone for Bundle {
    fn clone(&self) -> Self {
        // In one move, which `clone` of the list is not. Most copies are of the empty start of a cost that varies.
        let parts = if self.parts.is_empty() { SmallVec::new() } else { SmallVec::from_slice(&self.parts) };
        Bundle { parts, less: self.less }
    }
}

impl Bundle {
    /// Adds to it; a negative amount lowers it. An amount that is too large changes nothing.
    pub fn add(&mut self, kinds: ResourceSel, amount: i64) -> Kept {
        if kinds == ResourceSel::None || amount == 0 {
            return Kept::Exactly;
        }
        if !(-MOST..=MOST).contains(&amount) {
            return Kept::TooMany;
        }
        let amount = amount as i32;
        match self.parts.iter().position(|(known, _)| *known == kinds) {
            Some(index) => {
                // Both are far below the limit.
                let all = self.parts[index].1 + amount;
                if !(-MOST..=MOST).contains(&i64::from(all)) {
                    return Kept::TooMany;
                }
                self.parts[index].1 = all;
                if all == 0 {
                    self.parts.remove(index);
                }
            }
            None => self.parts.push((kinds, amount)),
        }
        Kept::Exactly
    }

    /// Allows more units to be left out; a negative number counts as 0.
    pub(crate) fn leave_out_more(&mut self, less: i64) -> Kept {
        let all = i64::from(self.less).saturating_add(less.max(0));
        if all > MOST {
            return Kept::TooMany;
        }
        self.less = all as i32;
        Kept::Exactly
    }

    /// Adds another bundle, and the units that may be left out of it.
    pub(crate) fn add_all(&mut self, other: Bundle) -> Kept {
        let Bundle { parts, less } = other;
        let mut kept = self.leave_out_more(i64::from(less));
        for (kinds, amount) in parts {
            if let Kept::TooMany = self.add(kinds, i64::from(amount)) {
                kept = Kept::TooMany;
            }
        }
        kept
    }

    /// Removes one unit of a part.
    pub(crate) fn leave_out(&mut self, kinds: ResourceSel) {
        if let Some((_, amount)) = self.parts.iter_mut().find(|(known, _)| *known == kinds) {
            *amount -= 1;
        }
        self.parts.retain(|(_, amount)| *amount > 0);
        self.less -= 1;
    }

    /// The number of units, without those that may be left out.
    pub(crate) fn units(&self) -> i64 {
        let all: i64 = self.parts.iter().map(|(_, amount)| i64::from(*amount)).sum();
        if self.less > 0 { (all - i64::from(self.less)).max(0) } else { all }
    }

    /// Whether it is empty.
    pub fn is_empty(&self) -> bool {
        self.parts.iter().all(|(_, amount)| *amount <= 0)
    }

    /// Single resources first, then groups from the smallest: in this order paying cannot fail as long as groups are
    /// disjoint or one inside the other.
    pub fn sort(&mut self, rules: &Ruleset) {
        self.parts.sort_by_key(|(kinds, _)| kinds.members(rules).len());
    }
}
