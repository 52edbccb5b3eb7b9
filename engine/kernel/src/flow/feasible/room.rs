//! How much more fits on the pieces on which players keep their stock.

use rulepack_expr::{Expr, Holder, What};
use rulepack_model::{PieceId, ResId, Seat};

use crate::eval::bundle::ResourceSel;
use crate::eval::expressions::{Eval, Locals};
use crate::rules::ruleset::Keeps;

impl Eval<'_> {
    /// How much more of a resource fits on a piece whose owner keeps it there; `None` stands for no limit.
    #[inline]
    pub fn room_on(&self, piece: PieceId, res: ResId) -> Option<i32> {
        let left = self.room_left(piece, res)?;
        Some(i32::try_from(left.max(0)).unwrap_or_else(|_| {
            self.state.fuel().too_large();
            0
        }))
    }

    /// Like `room_on`, but below 0 if more lies there than there is room for.
    #[inline]
    pub(crate) fn room_left(&self, piece: PieceId, res: ResId) -> Option<i64> {
        self.rules.keeps(piece, res).map(|keeps| self.left_of(keeps, piece))
    }

    fn left_of(&self, keeps: &Keeps, piece: PieceId) -> i64 {
        let room = match self.rules.exprs[keeps.room.index()].expr {
            Expr::Int(room) => room,
            _ => {
                let owner = self.state.owner(self.rules, piece);
                self.deeper(|eval| eval.compiled(keeps.room, owner, Some(piece), &[])).int()
            }
        };
        let there: i64 =
            keeps.what.members(self.rules).iter().map(|res| i64::from(self.state.held(self.rules, piece, *res))).sum();
        self.exact(room.checked_sub(there))
    }

    /// How much more of some resources a player can keep, all together.
    pub fn room_of(&self, seat: Seat, kinds: ResourceSel) -> i64 {
        let members = kinds.members(self.rules);
        if members.iter().any(|res| !self.rules.resources[res.index()].kept) {
            return i64::from(i32::MAX);
        }
        // All resources that a piece keeps share its room, so its room counts once.
        let mut room = 0;
        for zone in &self.rules.play_zones[seat.index()] {
            for piece in self.state.of_kinds(*zone, self.rules.facts.traits.keep) {
                room += i64::from(self.room_on_for(piece, members).unwrap_or(0));
            }
        }
        room
    }

    /// How much more of some resources fits on a piece, all together.
    pub fn room_at(&self, piece: PieceId, kinds: ResourceSel) -> i64 {
        let members = kinds.members(self.rules);
        let holds = |res: &ResId| self.rules.held_slot(piece, *res).is_some();
        let unlimited = |res: &ResId| holds(res) && !self.rules.resources[res.index()].kept;
        if members.iter().any(unlimited) {
            return i64::from(i32::MAX);
        }
        // A piece that keeps none of them has no room.
        i64::from(self.room_on_for(piece, members).unwrap_or(0))
    }

    fn room_on_for(&self, piece: PieceId, members: &[ResId]) -> Option<i32> {
        members.iter().find_map(|res| self.room_on(piece, *res))
    }

    pub(crate) fn room_with(&self, holder: &Holder, what: &What, locals: &mut Locals) -> i64 {
        let kinds = self.kinds(what, locals);
        match holder {
            Holder::Seat(seat) => self.expr(seat, locals).seat().map_or(0, |seat| self.room_of(seat, kinds)),
            Holder::Piece(piece) => self.expr(piece, locals).piece().map_or(0, |piece| self.room_at(piece, kinds)),
            Holder::Supply => i64::from(i32::MAX),
        }
    }
}
