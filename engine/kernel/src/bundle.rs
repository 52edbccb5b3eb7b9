//! Amounts of resources, and whether somebody can pay or receive them.

use rulepack_model::{GroupId, ResId, Seat};
use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use crate::eval::Eval;
use crate::ruleset::Ruleset;

/// One resource, or any of a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[allow(missing_docs)]
pub enum Kinds {
    None,
    One(ResId),
    Group(GroupId),
}

impl Kinds {
    /// The resources that count.
    pub fn members<'r>(&'r self, rules: &'r Ruleset) -> &'r [ResId] {
        match self {
            Kinds::None => &[],
            Kinds::One(res) => std::slice::from_ref(res),
            Kinds::Group(group) => rules.members(*group),
        }
    }
}

/// Resources to be paid or gained.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Bundle {
    /// Single resources first, then groups from the smallest; no part is empty.
    pub parts: SmallVec<[(Kinds, i32); 4]>,
    /// How many of them the payer may leave out.
    #[serde(default)]
    pub less: i32,
}

impl Bundle {
    /// Adds to it; less than nothing lowers what is there.
    pub fn add(&mut self, kinds: Kinds, amount: i64) {
        if kinds == Kinds::None || amount == 0 {
            return;
        }
        let amount = i32::try_from(amount.clamp(-1_000_000, 1_000_000)).unwrap_or(0);
        match self.parts.iter_mut().find(|(known, _)| *known == kinds) {
            Some((_, have)) => *have = have.saturating_add(amount),
            None => self.parts.push((kinds, amount)),
        }
        self.parts.retain(|(_, amount)| *amount != 0);
    }

    /// One fewer of a part.
    pub(crate) fn leave_out(&mut self, kinds: Kinds) {
        if let Some((_, amount)) = self.parts.iter_mut().find(|(known, _)| *known == kinds) {
            *amount -= 1;
        }
        self.parts.retain(|(_, amount)| *amount > 0);
        self.less -= 1;
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        self.parts.iter().all(|(_, amount)| *amount <= 0)
    }

    /// Single resources first, then groups from the smallest: the order in which paying cannot go wrong as long as
    /// groups are disjoint or one inside the other.
    pub fn sort(&mut self, rules: &Ruleset) {
        self.parts.sort_by_key(|(kinds, _)| kinds.members(rules).len());
    }
}

impl Eval<'_> {
    /// Whether a player can pay all of it.
    pub fn can_pay(&self, seat: Seat, bundle: &Bundle) -> bool {
        if bundle.less > 0 {
            return self.can_pay_less(seat, bundle);
        }
        match bundle.parts.as_slice() {
            [] => true,
            [(kinds, amount)] => {
                let amount_of = |res: &ResId| i64::from(self.state.amount(self.rules, seat, *res));
                kinds.members(self.rules).iter().map(amount_of).sum::<i64>() >= i64::from(*amount)
            }
            _ => self.can_split(bundle, |res| self.state.amount(self.rules, seat, res)),
        }
    }

    /// Whether a player can pay what is left when as much as allowed is left out: first what is missing.
    fn can_pay_less(&self, seat: Seat, bundle: &Bundle) -> bool {
        let mut rest = Bundle { parts: bundle.parts.clone(), less: 0 };
        rest.sort(self.rules);
        let mut less = bundle.less;
        for (kinds, amount) in &mut rest.parts {
            let have: i32 = kinds
                .members(self.rules)
                .iter()
                .fold(0i32, |sum, res| sum.saturating_add(self.state.amount(self.rules, seat, *res)));
            let left_out = (*amount - have).clamp(0, less);
            *amount -= left_out;
            less -= left_out;
        }
        // What is still allowed helps the widest part, which all others draw from.
        if let Some((_, amount)) = rest.parts.last_mut() {
            *amount -= less.min(*amount).max(0);
        }
        rest.parts.retain(|(_, amount)| *amount > 0);
        self.can_pay(seat, &rest)
    }

    /// Whether the supply can give all of it.
    pub fn can_supply(&self, bundle: &Bundle) -> bool {
        self.can_split(bundle, |res| self.state.supply(self.rules, res))
    }

    fn can_split(&self, bundle: &Bundle, have: impl Fn(ResId) -> i32) -> bool {
        let mut bundle = bundle.clone();
        bundle.sort(self.rules);
        let mut used: SmallVec<[(ResId, i32); 8]> = SmallVec::new();
        for (kinds, amount) in &bundle.parts {
            let mut missing = *amount;
            for res in kinds.members(self.rules) {
                let spent =
                    used.iter().filter(|(known, _)| known == res).fold(0i32, |sum, (_, n)| sum.saturating_add(*n));
                let take = have(*res).saturating_sub(spent).min(missing).max(0);
                used.push((*res, take));
                missing -= take;
            }
            if missing > 0 {
                return false;
            }
        }
        true
    }
}
