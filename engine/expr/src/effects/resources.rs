//! Steps that move resources and need more than their parts checked.

use super::complete;
use crate::ast::*;
use crate::check::{Checked, Checker};
use crate::code::*;
use crate::error::ExprError;
use crate::vocabulary::Ty;

impl Checker<'_> {
    /// `pay COST to PIECE`
    pub(super) fn pay(&mut self, cost: &CostAst, to: &Option<Ast>, ops: &mut Vec<Op>) -> Checked<()> {
        let cost = self.cost(cost)?;
        let to = to.as_ref().map(|to| self.expect_type(to, Ty::Piece(None))).transpose()?;
        ops.push(Op::Pay { cost, to });
        Ok(())
    }

    /// `gain COST for PLAYER`
    pub(super) fn gain(&mut self, cost: &CostAst, whom: &Option<Ast>, ops: &mut Vec<Op>) -> Checked<()> {
        let cost = self.whole_cost(cost)?;
        let whom = self.seat_or_me(whom)?;
        ops.push(Op::Gain { cost, whom });
        Ok(())
    }

    /// `pay COST -> STEP`
    pub(super) fn exchange(&mut self, cost: &CostAst, then: &StepAst, ops: &mut Vec<Op>) -> Checked<()> {
        let cost = self.cost(cost);
        let cost = self.keep(cost, Cost::default());
        let here = ops.len();
        ops.push(Op::Exchange { cost: cost.clone(), end: 0 });
        self.block(std::slice::from_ref(then), ops);
        complete(ops, here, |end| Op::Exchange { cost, end });
        Ok(())
    }

    /// `take 1 NAME from PIECE`, or from a player.
    pub(super) fn take(&mut self, cost: &CostAst, from: &Ast, at: &At, ops: &mut Vec<Op>) -> Checked<()> {
        if matches!(&from.kind, AstKind::Name(name) if name == "supply") {
            return Err(ExprError::kind(at.clone(), "what comes from the supply is gained").help("write `gain 1 NAME`"));
        }
        let cost = self.whole_cost(cost)?;
        let (from, ty) = self.one(from)?;
        if from == Expr::Local(ME) {
            return Err(ExprError::kind(at.clone(), "`me` has this already: taking from oneself changes nothing")
                .help("name another player, such as `opponent`; from the supply one gains: `gain 1 NAME`"));
        }
        ops.push(match ty {
            Ty::Seat => Op::TakeFromSeat { cost, from },
            Ty::Piece(_) | Ty::Any => Op::TakeFromPiece { cost, from },
            _ => {
                return Err(ExprError::kind(at.clone(), "one takes from a piece or from a player")
                    .help("write `take 1 NAME from PIECE`; from the supply one gains: `gain 1 NAME`"));
            }
        });
        Ok(())
    }
}
