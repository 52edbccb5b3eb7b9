//! Whether somebody can pay, and whether the supply can give.

use rulepack_model::{ResId, Seat};
use smallvec::SmallVec;

use crate::eval::bundle::{Bundle, ResourceSel};
use crate::eval::expressions::Eval;

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
            self.state.fuel().burn(1) && self.can_pay_each(&others, have)
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
