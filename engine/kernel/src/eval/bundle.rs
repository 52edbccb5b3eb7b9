//! Amounts of resources, and whether they can be paid or received.

use rulepack_model::{GroupId, ResId, Seat};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::eval::expressions::Eval;
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
        // In one move, which `clone` of the list is not.
        Bundle { parts: SmallVec::from_slice(&self.parts), less: self.less }
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

impl Eval<'_> {
    /// Whether a player can pay it, except for the units that may be left out.
    pub fn can_pay(&self, seat: Seat, bundle: &Bundle) -> bool {
        let have = |res: ResId| self.state.amount(self.rules, seat, res);
        match bundle.parts.as_slice() {
            [] => true,
            [(kinds, amount)] => {
                let amount_of = |res: &ResId| i64::from(have(*res));
                let owed = i64::from(*amount) - i64::from(bundle.less);
                kinds.members(self.rules).iter().map(amount_of).sum::<i64>() >= owed
            }
            // Single resources do not compete with one another.
            parts if parts.iter().all(|(kinds, _)| matches!(kinds, ResourceSel::One(_))) => {
                let missing_of = |(kinds, amount): &(ResourceSel, i32)| match kinds {
                    ResourceSel::One(res) => i64::from((*amount).saturating_sub(have(*res).max(0)).max(0)),
                    _ => 0,
                };
                parts.iter().map(missing_of).sum::<i64>() <= i64::from(bundle.less)
            }
            _ => self.missing(bundle, have) <= i64::from(bundle.less),
        }
    }

    /// Whether all of these can be paid one after the other.
    pub(crate) fn can_pay_each(&self, bundles: &[Bundle], have: &dyn Fn(ResId) -> i32) -> bool {
        let Some(index) = bundles.iter().position(|bundle| bundle.less > 0 && !bundle.is_empty()) else {
            let mut whole = Bundle::default();
            for (kinds, amount) in bundles.iter().flat_map(|bundle| &bundle.parts) {
                self.kept_in(whole.add(*kinds, i64::from(*amount)));
            }
            return self.missing(&whole, have) == 0;
        };
        // Units left out of one bundle do not help the others: each part is tried.
        bundles[index].parts.iter().any(|(kinds, _)| {
            let mut others = bundles.to_vec();
            others[index].leave_out(*kinds);
            self.state.fuel.burn(1) && self.can_pay_each(&others, have)
        })
    }

    /// Whether the supply can give all of it.
    pub fn can_supply(&self, bundle: &Bundle) -> bool {
        self.missing(bundle, |res| self.state.supply(self.rules, res)) == 0
    }

    /// The number of missing units if the narrowest parts are served first: the minimum, as long as groups are disjoint
    /// or one inside the other.
    fn missing(&self, bundle: &Bundle, have: impl Fn(ResId) -> i32) -> i64 {
        let mut bundle = bundle.clone();
        bundle.sort(self.rules);
        let mut used: SmallVec<[(ResId, i32); 8]> = SmallVec::new();
        let mut all = 0;
        for (kinds, amount) in &bundle.parts {
            let mut missing = (*amount).max(0);
            for res in kinds.members(self.rules) {
                let spent =
                    used.iter().filter(|(known, _)| known == res).fold(0i32, |sum, (_, n)| sum.saturating_add(*n));
                let take = have(*res).saturating_sub(spent).min(missing).max(0);
                used.push((*res, take));
                missing -= take;
            }
            all += i64::from(missing);
        }
        all
    }
}
