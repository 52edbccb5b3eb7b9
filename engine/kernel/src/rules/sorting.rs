//! The order in which the pieces of a sorted zone are shown. It is no part of the table: a rule that takes the first piece
//! of the zone takes the one that came first.

use rulepack_expr::AttrId;
use rulepack_model::PieceId;
use smallvec::SmallVec;

use crate::rules::ruleset::{AttrValue, Ruleset};
use crate::state::value::{Value, ZoneIx};

/// What pieces are compared by: the value of each attribute, in their order.
pub(crate) type SortKey = SmallVec<[i64; 4]>;

impl Ruleset {
    /// What the pieces of a zone are compared by; nothing if the zone is not sorted.
    pub(crate) fn sort_key(&self, zone: ZoneIx, piece: PieceId) -> SortKey {
        self.zone_of(zone).sorted_by.iter().map(|attr| self.rank_of(piece, *attr)).collect()
    }

    /// The place of an attribute in its order: numbers by size, names in the order in which the pack declares them. A
    /// piece without it comes first.
    fn rank_of(&self, piece: PieceId, attr: AttrId) -> i64 {
        match self.attr(self.type_of(piece), attr) {
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
