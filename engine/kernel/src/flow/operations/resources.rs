//! Operations that move resources: from the supply, from players, from and to pieces.

use rulepack_model::Seat;

use crate::eval::bundle::Bundle;
use crate::flow::effects::Next;
use crate::flow::fault::Fault;
use crate::flow::feasible::attempts::Effect;
use crate::flow::frame::*;
use crate::flow::machine::Machine;
use crate::lower::{Price, Source};

impl Machine<'_> {
    pub(super) fn gain(&mut self, run: &mut RunFrame, price: &Price, whom: &Source) -> Result<Next, Fault> {
        let bundle = self.bundle(price, run);
        let Some(whom) = whom.get(&self.eval(), &mut run.locals).seat() else {
            return Err(Fault::new("nobody is there to gain this"));
        };
        self.send_inside(ResourceHolder::Supply, ResourceHolder::Seat(whom), bundle, whom, false)
    }

    pub(super) fn pay_price(&mut self, run: &mut RunFrame, price: &Price, to: Option<&Source>) -> Result<Next, Fault> {
        let (me, bundle) = (Self::me(run)?, self.bundle(price, run));
        let to = match to {
            Some(to) => ResourceHolder::Piece(self.piece(to, run)?),
            None => ResourceHolder::Supply,
        };
        self.send_inside(ResourceHolder::Seat(me), to, bundle, me, true)
    }

    pub(super) fn exchange(&mut self, run: &mut RunFrame, price: &Price, end: u32) -> Result<Next, Fault> {
        let effect = Effect::new(self.rules, run.program);
        if !self.eval().would_do(effect, run.pc as usize - 1, end as usize, &run.locals) {
            run.pc = end;
            return Ok(Next::Op);
        }
        let (me, bundle) = (Self::me(run)?, self.bundle(price, run));
        self.send_inside(ResourceHolder::Seat(me), ResourceHolder::Supply, bundle, me, true)
    }

    pub(super) fn put(&mut self, run: &mut RunFrame, price: &Price, on: &Source) -> Result<Next, Fault> {
        let (piece, bundle) = (self.piece(on, run)?, self.bundle(price, run));
        let chooser = run.locals[0].seat().unwrap_or(Seat(0));
        self.send_inside(ResourceHolder::Supply, ResourceHolder::Piece(piece), bundle, chooser, false)
    }

    pub(super) fn store(&mut self, run: &mut RunFrame, price: &Price, on: &Source) -> Result<Next, Fault> {
        let (me, piece, bundle) = (Self::me(run)?, self.piece(on, run)?, self.bundle(price, run));
        self.send_inside(ResourceHolder::Seat(me), ResourceHolder::Piece(piece), bundle, me, true)
    }

    pub(super) fn take_from_piece(&mut self, run: &mut RunFrame, price: &Price, from: &Source) -> Result<Next, Fault> {
        let (me, piece, bundle) = (Self::me(run)?, self.piece(from, run)?, self.bundle(price, run));
        self.send_inside(ResourceHolder::Piece(piece), ResourceHolder::Seat(me), bundle, me, false)
    }

    pub(super) fn take_from_seat(&mut self, run: &mut RunFrame, price: &Price, from: &Source) -> Result<Next, Fault> {
        let (me, bundle) = (Self::me(run)?, self.bundle(price, run));
        let Some(from) = from.get(&self.eval(), &mut run.locals).seat() else {
            return Err(Fault::new("nobody is there to take from"));
        };
        if from == me {
            return Err(Fault::taken_from_oneself());
        }
        self.send_inside(ResourceHolder::Seat(from), ResourceHolder::Seat(me), bundle, me, false)
    }

    pub(super) fn give_back(&mut self, run: &mut RunFrame, price: &Price, from: &Source) -> Result<Next, Fault> {
        let (piece, bundle) = (self.piece(from, run)?, self.bundle(price, run));
        let chooser = run.locals[0].seat().unwrap_or(Seat(0));
        self.send_inside(ResourceHolder::Piece(piece), ResourceHolder::Supply, bundle, chooser, false)
    }

    /// Moves resources in the middle of an effect.
    fn send_inside(
        &mut self,
        from: ResourceHolder,
        to: ResourceHolder,
        bundle: Bundle,
        chooser: Seat,
        strict: bool,
    ) -> Result<Next, Fault> {
        let before = self.state.depth();
        self.transfer(from, to, bundle, chooser, strict);
        if self.state.depth() == before || self.standing_due() || !self.may_go_inside() {
            return Ok(Next::Op);
        }
        self.run_unstacked(|machine| machine.step_transfer())
    }
}
