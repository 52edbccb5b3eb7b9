//! The order in which the pieces of a sorted zone are shown. It is no part of the table: a rule that takes the first piece
//! of the zone takes the one that came first.

use rulepack_expr::AttrId;
use rulepack_model::{PieceId, TypeId};

use crate::rules::ruleset::{AttrValue, Ruleset};
use crate::state::value::{Value, ZoneIx};

/// The place of each type in the order of a zone; nothing for a zone that is not sorted.
pub(crate) type Places = Box<[u32]>;

impl Ruleset {
    /// The places of all types in the order of a zone: types that are alike in all attributes that count share one.
    pub(crate) fn places_in(&self, zone: ZoneIx) -> Places {
        let by = &self.zone_of(zone).sorted_by;
        if by.is_empty() {
            return Places::default();
        }
        let key = |ty: usize| by.iter().map(|attr| self.rank_of(TypeId::from(ty), *attr)).collect::<Vec<i64>>();
        let keys: Vec<Vec<i64>> = (0..self.types.len()).map(key).collect();
        let mut order = keys.clone();
        order.sort_unstable();
        order.dedup();
        keys.iter().map(|key| order.partition_point(|other| other < key) as u32).collect()
    }

    /// Whether the pieces of a zone are shown in a sorted order.
    pub(crate) fn is_sorted(&self, zone: ZoneIx) -> bool {
        !self.facts.places(zone).is_empty()
    }

    /// The place of a piece in the order of a zone; the same for all pieces if the zone is not sorted.
    pub(crate) fn sort_place(&self, zone: ZoneIx, piece: PieceId) -> u32 {
        self.facts.places(zone).get(self.type_of(piece).index()).copied().unwrap_or(0)
    }

    /// The place of an attribute in its order: numbers by size, names in the order in which the pack declares them. A
    /// type without it comes first.
    fn rank_of(&self, ty: TypeId, attr: AttrId) -> i64 {
        match self.attr(ty, attr) {
            Some(AttrValue::Plain(Value::Int(number))) => number,
            Some(AttrValue::Plain(Value::Bool(flag))) => i64::from(flag),
            Some(AttrValue::Plain(Value::Sym(symbol))) => symbol.index() as i64,
            Some(AttrValue::Plain(Value::Res(res))) => res.index() as i64,
            Some(AttrValue::Plain(Value::Type(ty))) => ty.index() as i64,
            Some(AttrValue::Plain(Value::Nil | Value::Seat(_) | Value::Piece(_) | Value::Cell(_)))
            | Some(AttrValue::Cost(_) | AttrValue::Effect(_) | AttrValue::Expr(_))
            | None => i64::MIN,
        }
    }
}
