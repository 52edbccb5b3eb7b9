//! The operations of effects: one function for each, which [`Machine::operate`] calls.
//!
//! `resources.rs` moves resources, `pieces.rs` moves pieces, `decisions.rs` asks players and rolls dice, `others.rs` has the
//! rest. `flow/effects.rs` goes from one operation to the next.

mod decisions;
mod others;
mod pieces;
mod resources;

use std::ops::ControlFlow;

use rulepack_model::{PieceId, Seat};
use smallvec::SmallVec;

use crate::eval::bundle::Bundle;
use crate::flow::effects::Next;
use crate::flow::fault::Fault;
use crate::flow::frame::*;
use crate::flow::machine::Machine;
use crate::lower::{Price, Source, Step, Target, Walk, ZoneSource};
use crate::state::chance::StreamId;
use crate::state::value::{Cell, Value, ZoneIx};

impl Machine<'_> {
    /// Does one operation of an effect. Afterwards `run.pc` is the index of the next one, or of the same if a player is asked.
    ///
    /// The functions of rare operations are marked `inline(never)`: inlined here they would slow down all the others.
    pub(crate) fn operate(&mut self, step: &Step, run: &mut RunFrame) -> Result<Next, Fault> {
        run.pc += 1;
        match step {
            Step::Jump(_) | Step::JumpUnless(..) | Step::Let(..) => {
                return Err(Fault::new("an operation that changes nothing is done elsewhere"));
            }
            Step::Keep(keeper) => keeper.keep(&self.eval(), &mut run.locals),
            Step::Roll { into, sides, secret } => self.roll_into(run, *into, sides, *secret)?,
            Step::Gain { price, whom } => return self.gain(run, price, whom),
            Step::Pay { price, to } => return self.pay_price(run, price, to.as_ref()),
            Step::Exchange { price, end, supplied: _ } => return self.exchange(run, price, *end),
            Step::Put { price, on } => return self.put(run, price, on),
            Step::Store { price, on } => return self.store(run, price, on),
            Step::TakeFromPiece { price, from } => return self.take_from_piece(run, price, from),
            Step::TakeFromSeat { price, from } => return self.take_from_seat(run, price, from),
            Step::GiveBack { price, from } => return self.give_back(run, price, from),
            Step::Lay { piece, on } => {
                let (piece, on) = (self.piece(piece, run)?, self.piece(on, run)?);
                self.lay_piece(piece, on)?;
            }
            Step::Move { piece, to, bottom, facing } => {
                let piece = self.piece(piece, run)?;
                let to = self.target(to, run)?;
                self.move_piece(piece, to, *bottom, *facing)?;
            }
            Step::Draw { count, from, to } => self.draw(run, count, from, to)?,
            Step::Shuffle(zone) => {
                let zone = self.zone_ref(zone, run)?;
                self.shuffle_zone(zone)?;
            }
            Step::Refill(zone) => {
                let zone = self.zone_ref(zone, run)?;
                self.refill(zone)?;
            }
            Step::Flip(piece) => {
                let piece = self.piece(piece, run)?;
                self.flip_piece(piece);
            }
            Step::MoveAll { from, to, bottom, facing } => self.move_all(run, from, to, *bottom, *facing)?,
            Step::FlipAll(from) => self.flip_all(run, from)?,
            Step::Swap(one, other) => self.swap(run, one, other)?,
            Step::Choose(choice) => return self.choose(run, choice),
            Step::ChooseMore(choice, more) => return self.choose_more(run, choice, *more),
            Step::List(list) => self.begin_list(run, *list, Vec::new()),
            Step::Pick { into, from, secret } => self.pick(run, *into, from, *secret)?,
            Step::May { prompt, no } => return self.may(run, *prompt, *no),
            Step::Either(branches) => return self.either(run, branches),
            Step::Collect { list, from } => {
                let items = self.members(from, run);
                self.begin_list(run, *list, items);
            }
            Step::Next { list, into, end } => self.next_of_list(run, *list, *into, *end)?,
            Step::SetVar { var, owner, value } => {
                let owner = owner.as_ref().map(|owner| owner.get(&self.eval(), &mut run.locals));
                let value = value.get(&self.eval(), &mut run.locals);
                self.set_var(*var, owner, value)?;
            }
            Step::Raise { event, args } => {
                let args = self.values(args, run);
                return self.raise_inside(*event, run.locals[0].seat(), args);
            }
            Step::Perform { action, args, free } => {
                let args = self.values(args, run);
                self.perform(Self::me(run)?, *action, &args, *free)?;
            }
            Step::Use { piece, attr } => return self.use_in_effect(run, piece, *attr),
            Step::Script { hook, args } => {
                let args = self.values(args, run);
                self.begin_script(run, *hook, args);
            }
            Step::EndTurn => self.end_turn(),
            Step::EndPhase => self.end_phase(),
            Step::EndGame { winners } => return self.end_game(run, winners),
            Step::Look { from, by, lasting } => self.look(run, from, by, *lasting)?,
            Step::Show(showing) => self.show(run, showing)?,
            Step::Disclose { what, prompt } => self.disclose_in_effect(run, what, *prompt),
            Step::Seen { by, prompt } => return self.wait_until_seen(run, by, *prompt),
            Step::AskNext { slots, end } => self.ask_next_of_together(run, *slots, *end)?,
            Step::KeepChoices { slots, lists, next, .. } => self.keep_choices(run, *slots, lists, *next)?,
            Step::Reveal { slots, lists, told } => return self.reveal_choices(run, *slots, lists, told),
            Step::DoNext { slots, lists, end } => self.do_next_of_together(run, *slots, lists, *end)?,
            Step::OnlyTried(end) => run.pc = *end,
            Step::Pass => self.pass(Self::me(run)?),
            Step::Pause => {
                let me = Self::me(run)?;
                self.state.push_frame(Frame::Pause(me));
            }
            Step::Cancel => self.cancel(),
            Step::Eliminate { players, round } => self.eliminate_in_effect(run, players, *round)?,
            Step::Rejoin(seat) => {
                let seat = seat.get(&self.eval(), &mut run.locals).seat();
                self.rejoin(seat.ok_or_else(|| Fault::new("nobody is there to take part again"))?);
            }
        }
        Ok(Next::Op)
    }

    // ---- evaluating the operands ----

    #[inline]
    pub(super) fn me(run: &RunFrame) -> Result<Seat, Fault> {
        run.locals[0].seat().ok_or_else(|| Fault::new("this effect needs a player, but it is nobody's"))
    }

    #[inline]
    pub(super) fn piece(&self, piece: &Source, run: &mut RunFrame) -> Result<PieceId, Fault> {
        match piece.get(&self.eval(), &mut run.locals) {
            Value::Piece(piece) => Ok(piece),
            _ => Err(Fault::new("the piece that is meant is not there")),
        }
    }

    pub(super) fn zone_ref(&self, zone: &ZoneSource, run: &mut RunFrame) -> Result<ZoneIx, Fault> {
        zone.get(&self.eval(), &mut run.locals).ok_or_else(|| Fault::new("the zone that is meant is nobody's"))
    }

    #[inline]
    pub(super) fn target(&self, target: &Target, run: &mut RunFrame) -> Result<Cell, Fault> {
        match target {
            Target::Zone(zone) => {
                let zone = self.zone_ref(zone, run)?;
                self.space_in(zone)
            }
            Target::Cell(cell) => match cell.get(&self.eval(), &mut run.locals) {
                Value::Cell(cell) => Ok(cell),
                _ => Err(Fault::new("the space that is meant is not there")),
            },
        }
    }

    pub(super) fn bundle(&self, price: &Price, run: &mut RunFrame) -> Bundle {
        price.bundle(&self.eval(), &mut run.locals)
    }

    /// The members of a set, as a list.
    pub(super) fn members(&self, set: &Walk, run: &mut RunFrame) -> Vec<Value> {
        let mut list = Vec::new();
        let _ = set.each(&self.eval(), &mut run.locals, |value, _| {
            list.push(value);
            ControlFlow::Continue(())
        });
        list
    }

    /// The arguments of an event, an action or a script.
    pub(super) fn values(&self, args: &[Source], run: &mut RunFrame) -> SmallVec<[Value; 4]> {
        let mut values = SmallVec::new();
        for arg in args {
            values.push(arg.get(&self.eval(), &mut run.locals));
        }
        values
    }

    /// The random stream from which an effect rolls.
    pub(super) fn stream(&self, run: &RunFrame) -> StreamId {
        StreamId::of_roll(&self.rules.programs[run.program.index()].origin)
    }
}
