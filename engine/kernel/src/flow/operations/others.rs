//! Operations that begin something else, walk lists, or end the game.

use std::ops::ControlFlow;

use rulepack_expr::AttrId;
use rulepack_model::{HookId, PieceId, ProgId, Seat};
use smallvec::SmallVec;

use crate::eval::expressions::slots;
use crate::flow::effects::Next;
use crate::flow::fault::Fault;
use crate::flow::frame::*;
use crate::flow::machine::Machine;
use crate::lower::{Source, Walk, Winning};
use crate::rules::ruleset::AttrValue;
use crate::state::value::Value;

impl Machine<'_> {
    pub(super) fn begin_list(&mut self, run: &mut RunFrame, list: usize, items: Vec<Value>) {
        run.locals[list] = Value::Int(run.lists.len() as i64);
        run.lists.push((items, 0));
    }

    pub(super) fn next_of_list(&mut self, run: &mut RunFrame, list: usize, into: usize, end: u32) -> Result<(), Fault> {
        let index = run.locals[list].int() as usize;
        let Some((items, at)) = run.lists.get_mut(index) else {
            return Err(Fault::new("a list was lost"));
        };
        match items.get(*at as usize) {
            Some(item) => {
                *at += 1;
                run.locals[into] = *item;
            }
            None => {
                run.lists.truncate(index);
                run.pc = end;
            }
        }
        Ok(())
    }

    pub(super) fn use_in_effect(&mut self, run: &mut RunFrame, piece: &Source, attr: AttrId) -> Result<Next, Fault> {
        let piece = self.piece(piece, run)?;
        let me = run.locals[0].seat();
        if self.may_go_inside() {
            let program = self.effect_of(piece, attr)?;
            return self.run_unstacked(|machine| machine.begin_program(program, me, Some(piece), &[]));
        }
        self.use_effect(me, piece, attr)?;
        Ok(Next::Op)
    }

    /// Runs an effect of a piece.
    pub(crate) fn use_effect(&mut self, me: Option<Seat>, piece: PieceId, attr: AttrId) -> Result<(), Fault> {
        let program = self.effect_of(piece, attr)?;
        let locals = slots(me, Some(piece), &[], self.rules.programs[program.index()].program.locals);
        self.push_program(program, locals);
        Ok(())
    }

    /// An effect of a piece.
    fn effect_of(&self, piece: PieceId, attr: AttrId) -> Result<ProgId, Fault> {
        let ty = self.rules.type_of(piece);
        match self.rules.attr(ty, attr) {
            Some(AttrValue::Effect(program)) => Ok(program),
            _ => Err(Fault::new(format!("`{}` has no such effect", self.rules.types[ty.index()].name))),
        }
    }

    pub(super) fn begin_script(&mut self, run: &mut RunFrame, hook: HookId, args: SmallVec<[Value; 4]>) {
        let (me, this) = (run.locals[0].seat(), run.locals[1].piece());
        let looks = Looks::new();
        self.state.push_frame(Frame::Script(ScriptFrame { hook, me, this, args, begun: false, looks }));
    }

    #[inline(never)]
    pub(super) fn eliminate_in_effect(&mut self, run: &mut RunFrame, players: &Walk, round: bool) -> Result<(), Fault> {
        for player in self.members(players, run) {
            if let Some(seat) = player.seat() {
                self.eliminate(seat, round)?;
            }
        }
        Ok(())
    }

    pub(super) fn end_game(&mut self, run: &mut RunFrame, winners: &Winning) -> Result<Next, Fault> {
        match winners {
            Winning::ByPoints => self.finish(None),
            Winning::Everybody => self.finish(Some(self.eval().still_in())),
            Winning::Are(players) => {
                let mut winners: Vec<Seat> = Vec::new();
                let _ = players.each(&self.eval(), &mut run.locals, |player, _| {
                    winners.extend(player.seat());
                    ControlFlow::Continue(())
                });
                winners.sort_unstable();
                winners.dedup();
                if winners.is_empty() {
                    return Err(Fault::new("nobody is there to have won"));
                }
                self.finish(Some(winners));
            }
        }
        Ok(Next::Over)
    }
}
