//! Operations that move several pieces, let players look at them, or tell what they are. Single pieces are moved by
//! `flow/pieces.rs`.

use rulepack_model::{PieceId, PromptId};
use smallvec::SmallVec;

use crate::flow::fault::Fault;
use crate::flow::frame::*;
use crate::flow::machine::Machine;
use crate::lower::{Number, Showing, Source, Target, Telling, Walk, ZoneSource};
use crate::state::value::Value;

impl Machine<'_> {
    pub(super) fn draw(
        &mut self,
        run: &mut RunFrame,
        count: &Number,
        from: &ZoneSource,
        to: &Target,
    ) -> Result<(), Fault> {
        let count = count(&self.eval(), &mut run.locals);
        let from = self.zone_ref(from, run)?;
        for _ in 0..count.min(self.rules.pieces.len() as i64) {
            let Some(piece) = self.drawn_from(from)? else { break };
            let to = self.target(to, run)?;
            self.move_piece(piece, to, false, None)?;
        }
        Ok(())
    }

    /// Moves all members of a set; standing rules are checked when the last has moved.
    #[inline(never)]
    pub(super) fn move_all(
        &mut self,
        run: &mut RunFrame,
        from: &Walk,
        to: &Target,
        bottom: bool,
        facing: Option<bool>,
    ) -> Result<(), Fault> {
        for piece in self.members(from, run).into_iter().filter_map(Value::piece) {
            let to = self.target(to, run)?;
            self.move_piece(piece, to, bottom, facing)?;
        }
        Ok(())
    }

    /// Two pieces change places.
    #[inline(never)]
    pub(super) fn swap(&mut self, run: &mut RunFrame, one: &Source, other: &Source) -> Result<(), Fault> {
        let (one, other) = (self.piece(one, run)?, self.piece(other, run)?);
        self.swap_pieces(one, other)
    }

    /// Turns all members of a set over.
    #[inline(never)]
    pub(super) fn flip_all(&mut self, run: &mut RunFrame, from: &Walk) -> Result<(), Fault> {
        for piece in self.members(from, run).into_iter().filter_map(Value::piece) {
            self.pay(1)?;
            self.flip_piece(piece);
        }
        Ok(())
    }

    pub(super) fn look(&mut self, run: &mut RunFrame, from: &Walk, by: &Source, lasting: bool) -> Result<(), Fault> {
        self.unforeseen();
        let seat = self.chooser(by, run)?;
        let seen = self.members(from, run);
        let pieces: SmallVec<[PieceId; 16]> = seen.iter().filter_map(|value| value.piece()).collect();
        let mut looks = std::mem::take(&mut self.looks);
        self.look_at(seat, &pieces, lasting, &mut looks);
        self.looks = looks;
        Ok(())
    }

    /// Players are shown pieces.
    #[inline(never)]
    pub(super) fn show(&mut self, run: &mut RunFrame, showing: &Showing) -> Result<(), Fault> {
        self.unforeseen();
        let pieces: Vec<PieceId> = self.members(&showing.from, run).iter().filter_map(|value| value.piece()).collect();
        let to = showing.to.as_ref().map(|players| self.members(players, run));
        let to = to.map(|players| players.iter().filter_map(|player| player.seat()).collect());
        let mut looks = std::mem::take(&mut self.looks);
        self.show_pieces(&pieces, to, showing.lasting, &mut looks);
        self.looks = looks;
        Ok(())
    }

    pub(super) fn disclose_in_effect(&mut self, run: &mut RunFrame, what: &Telling, prompt: Option<PromptId>) {
        self.unforeseen();
        let values = match what {
            Telling::One(value) => vec![value.get(&self.eval(), &mut run.locals)],
            Telling::Many(set) => self.members(set, run),
        };
        let mut looks = std::mem::take(&mut self.looks);
        self.disclose(values, prompt, &mut looks);
        self.looks = looks;
    }
}
