//! The position at the beginning of a turn, for packs that say what happens when it comes back.

use std::hash::{Hash, Hasher};

use rulepack_expr::Subject;
use rulepack_model::{PieceId, StableHasher};

use crate::flow::machine::Machine;
use crate::rules::ruleset::Repetition;
use crate::state::value::{Cell, Value, ZoneIx};

impl Machine<'_> {
    /// A hash of the pieces in the zones of the rule, of its variables, and of whose turn it is. Pieces of one type that lie
    /// in the same way are the same.
    pub(super) fn position_of_turn(&self, rule: &Repetition) -> u64 {
        let rules = self.rules;
        let mut hasher = StableHasher::new();
        self.state.active().hash(&mut hasher);
        for (index, (zone, _)) in rules.zone_instances.iter().enumerate() {
            if !rule.zones.contains(zone) {
                continue;
            }
            let zone = ZoneIx(index as u16);
            let cells = rules.zone_of(zone).layout.cells();
            if cells == 0 {
                // The order of a pile belongs to the position.
                self.state.zone(zone).for_each(|piece| self.hash_piece(rule, piece, &mut hasher));
            }
            for at in 0..cells {
                at.hash(&mut hasher);
                self.state.pieces_at(Cell { zone, at }).for_each(|piece| self.hash_piece(rule, piece, &mut hasher));
            }
        }
        for var in &rule.vars {
            match rules.vars[var.index()].subject {
                Subject::Game => self.state.var(rules, *var, None).hash(&mut hasher),
                Subject::Seat => {
                    let owners = rules.seats().map(|seat| Some(Value::Seat(seat)));
                    owners.for_each(|owner| self.state.var(rules, *var, owner).hash(&mut hasher));
                }
                // Those of pieces are hashed with the pieces, and spaces have no variables.
                Subject::Piece(_) | Subject::Space => {}
            }
        }
        hasher.finish()
    }

    fn hash_piece(&self, rule: &Repetition, piece: PieceId, hasher: &mut StableHasher) {
        let (rules, lies) = (self.rules, self.state.piece(piece));
        (rules.type_of(piece), lies.face_down, lies.flipped).hash(hasher);
        self.state.owner(rules, piece).hash(hasher);
        for var in &rule.vars {
            let is_of_it = match rules.vars[var.index()].subject {
                Subject::Piece(kind) => kind.is_none_or(|kind| rules.is_kind(rules.kind_of(piece), kind)),
                Subject::Game | Subject::Seat | Subject::Space => false,
            };
            if is_of_it {
                self.state.var(rules, *var, Some(Value::Piece(piece))).hash(hasher);
            }
        }
    }
}
