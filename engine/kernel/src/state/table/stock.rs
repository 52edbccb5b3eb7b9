//! Resources: the amounts of players, on pieces and in the supply.
//!
//! Every function that reads or changes an amount notes the resource. Payments are not decided here: see `flow/transfer.rs`.

use rulepack_model::{PieceId, ResId, Seat};

use crate::rules::ruleset::Ruleset;
use crate::rules::shortcuts::Promise;
use crate::state::table::State;
use crate::state::value::ZoneIx;

impl State {
    /// How much a player has.
    #[inline]
    pub fn amount(&self, rules: &Ruleset, seat: Seat, res: ResId) -> i32 {
        self.memo.saw_resource(res);
        self.amounts[seat.index() * rules.resources.len() + res.index()]
    }

    pub(crate) fn add(&mut self, rules: &Ruleset, seat: Seat, res: ResId, by: i32) {
        let amount = &mut self.amounts[seat.index() * rules.resources.len() + res.index()];
        match amount.checked_add(by) {
            Some(all) => *amount = all,
            None => self.fuel.too_large(),
        }
        self.memo.resource_changed(res);
    }

    /// How much lies on a piece.
    #[inline]
    pub fn held(&self, rules: &Ruleset, piece: PieceId, res: ResId) -> i32 {
        self.memo.saw_resource(res);
        rules.held_slot(piece, res).map_or(0, |slot| self.held[slot])
    }

    pub(crate) fn add_held(&mut self, rules: &Ruleset, piece: PieceId, res: ResId, by: i32) -> bool {
        match rules.held_slot(piece, res) {
            Some(slot) => {
                match self.held[slot].checked_add(by) {
                    Some(all) => self.held[slot] = all,
                    None => self.fuel.too_large(),
                }
                self.memo.resource_changed(res);
                if let Some(keeper) = self.keeper(rules, piece, res) {
                    self.add(rules, keeper, res, by);
                }
                true
            }
            None => by == 0,
        }
    }

    /// The player who keeps a resource on a piece.
    pub(crate) fn keeper(&self, rules: &Ruleset, piece: PieceId, res: ResId) -> Option<Seat> {
        let zone = self.piece(piece).zone;
        let kept = rules.resources[res.index()].kept && rules.zone_of(zone).in_play;
        rules.zone_owner(zone).filter(|_| kept && rules.is_kept_on(piece, res))
    }

    /// The pieces on which a player keeps a resource.
    pub fn keepers<'s>(&'s self, rules: &'s Ruleset, seat: Seat, res: ResId) -> impl Iterator<Item = PieceId> + 's {
        let zones = rules.play_zones[seat.index()].iter();
        let pieces = zones.flat_map(move |zone| self.of_kinds(*zone, rules.facts.traits.keep));
        pieces.filter(move |piece| rules.is_kept_on(*piece, res))
    }

    /// Brings the amounts of players up to date after a piece has come from another zone, with the pieces on it.
    pub(crate) fn stock_moved(&mut self, rules: &Ruleset, piece: PieceId, from: ZoneIx) {
        if !self.has_riders(piece) {
            return self.stock_of_one_moved(rules, piece, from);
        }
        for piece in self.with_riders(piece) {
            self.stock_of_one_moved(rules, piece, from);
        }
    }

    fn stock_of_one_moved(&mut self, rules: &Ruleset, piece: PieceId, from: ZoneIx) {
        let to = self.pieces[piece.index()].zone;
        let keeps = |zone: ZoneIx| rules.zone_owner(zone).filter(|_| rules.spaces(zone).in_play);
        let (before, after) = (keeps(from), keeps(to));
        if before == after {
            return;
        }
        for res in (0..rules.resources.len()).map(ResId::from) {
            if rules.resources[res.index()].kept && rules.is_kept_on(piece, res) {
                let amount = self.held(rules, piece, res);
                if amount == 0 {
                    continue;
                }
                if let Some(seat) = before {
                    self.add(rules, seat, res, -amount);
                }
                if let Some(seat) = after {
                    self.add(rules, seat, res, amount);
                }
            }
        }
    }

    /// Computes the amounts of kept resources from what lies on the players' pieces.
    pub(crate) fn count_kept(&mut self, rules: &Ruleset) {
        for (res, seat) in self.kept_amounts(rules).collect::<Vec<_>>() {
            let Ok(sum) = i32::try_from(self.kept_by(rules, seat, res)) else {
                self.fuel.too_large();
                continue;
            };
            self.amounts[seat.index() * rules.resources.len() + res.index()] = sum;
            self.memo.resource_changed(res);
        }
    }

    /// Every resource that is kept on pieces, with every player.
    pub(crate) fn kept_amounts<'r>(&self, rules: &'r Ruleset) -> impl Iterator<Item = (ResId, Seat)> + 'r {
        let kept = (0..rules.resources.len()).map(ResId::from).filter(|res| rules.resources[res.index()].kept);
        kept.flat_map(|res| rules.seats().map(move |seat| (res, seat)))
    }

    /// How much of a resource lies on the pieces of a player.
    pub(crate) fn kept_by(&self, rules: &Ruleset, seat: Seat, res: ResId) -> i64 {
        self.keepers(rules, seat, res).map(|piece| i64::from(self.held(rules, piece, res))).sum()
    }

    /// The amount in the supply; the largest number if it is unlimited.
    pub fn supply(&self, rules: &Ruleset, res: ResId) -> i32 {
        match rules.resources[res.index()].supply {
            Some(_) => {
                self.memo.saw_resource(res);
                self.supply[res.index()]
            }
            None => i32::MAX,
        }
    }

    pub(crate) fn add_supply(&mut self, rules: &Ruleset, res: ResId, by: i32) {
        let is_lost = by > 0 && rules.shortcuts.breaks(Promise::Conservation);
        if rules.resources[res.index()].supply.is_some() && !is_lost {
            match self.supply[res.index()].checked_add(by) {
                Some(all) => self.supply[res.index()] = all,
                None => self.fuel.too_large(),
            }
            self.memo.resource_changed(res);
        }
    }

    /// All that exists of a resource outside an unlimited supply.
    pub fn total(&self, rules: &Ruleset, res: ResId) -> i64 {
        // Kept resources are counted on the pieces.
        let seats = rules.seats().filter(|_| !rules.resources[res.index()].kept);
        let players: i64 = seats.map(|seat| i64::from(self.amount(rules, seat, res))).sum();
        let pieces: i64 =
            (0..self.pieces.len()).map(|piece| i64::from(self.held(rules, PieceId::from(piece), res))).sum();
        players + pieces + i64::from(self.supply[res.index()])
    }
}
