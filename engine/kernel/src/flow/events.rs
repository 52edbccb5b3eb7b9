//! Events, in this order: players may answer with a piece (the window), another piece may replace the effect of the event
//! by its own, otherwise the event does its own effect, and at last the pieces that listen to it run theirs.

use rulepack_model::{EventId, PieceId, Seat};
use smallvec::SmallVec;

use crate::eval::expressions::slots;
use crate::flow::decision::{Ask, Opt};
use crate::flow::effects::Next;
use crate::flow::fault::Fault;
use crate::flow::frame::*;
use crate::flow::log::LogEntry;
use crate::flow::machine::{Flow, Machine, UnstackedEvent};
use crate::rules::ruleset::{EventDef, Listener, Ruleset, Type, Whose, Window};
use crate::rules::shortcuts::Shortcut;
use crate::state::value::Value;

impl Machine<'_> {
    pub(crate) fn raise(
        &mut self,
        event: EventId,
        actor: Option<Seat>,
        args: SmallVec<[Value; 4]>,
    ) -> Result<(), Fault> {
        self.refuse_nothing(event, &args)?;
        if let Some(stage) = self.first_stage(event, actor) {
            self.state.push_frame(EventFrame::new(event, actor, args, stage).into());
        }
        Ok(())
    }

    /// An event happens to something: its effect and all that listen to it read each argument.
    fn refuse_nothing(&self, event: EventId, args: &[Value]) -> Result<(), Fault> {
        match args.iter().position(|value| *value == Value::Nil) {
            None => Ok(()),
            Some(at) => Err(Fault::happens_to_nothing(&self.rules.events[event.index()].name, at)),
        }
    }

    /// Logs that an event happens, and returns its first stage; nothing if it has no effect and no piece listens to it.
    fn first_stage(&mut self, event: EventId, actor: Option<Seat>) -> Option<EventStage> {
        self.log.push(|| LogEntry::Raised { event, actor });
        match &self.rules.events[event.index()] {
            EventDef { effect: None, heard: false, .. } => None,
            EventDef { window: Some(_), answered: true, .. } => Some(EventStage::Window),
            EventDef { replaced: true, .. } => Some(EventStage::Replace),
            EventDef { effect: Some(_), .. } => Some(EventStage::Happen),
            _ => Some(EventStage::Listen),
        }
    }

    /// Like [`Machine::raise`], in the middle of an effect that waits for the event to end. An event that ends at once gets no
    /// frame.
    pub(crate) fn raise_inside(
        &mut self,
        event: EventId,
        actor: Option<Seat>,
        args: SmallVec<[Value; 4]>,
    ) -> Result<Next, Fault> {
        self.refuse_nothing(event, &args)?;
        let Some(stage) = self.first_stage(event, actor) else { return Ok(Next::Op) };
        let declared = &self.rules.events[event.index()];
        let (EventStage::Happen | EventStage::Listen, true) = (stage, self.may_go_inside()) else {
            self.state.push_frame(EventFrame::new(event, actor, args, stage).into());
            return Ok(Next::Op);
        };
        if let (EventStage::Happen, Some(effect)) = (stage, declared.effect) {
            let at = self.state.depth();
            let around = self.unstacked.event.replace(UnstackedEvent::default());
            let next = self.run_unstacked(|machine| machine.begin_program(effect, actor, None, &args))?;
            let happened = std::mem::replace(&mut self.unstacked.event, around);
            let cancelled = happened.is_some_and(|event| event.called_off);
            let goes_on = matches!(next, Next::Op) && self.state.depth() == at && !self.standing_due();
            if !goes_on {
                if !matches!(next, Next::Over) && !self.rules.shortcuts.spoils(Shortcut::UnstackedEffects) {
                    // The effect of the event left frames on the stack: that of the event belongs below them.
                    let frame = EventFrame { cancelled, ..EventFrame::new(event, actor, args, EventStage::Listen) };
                    self.state.insert_frame(at, frame.into());
                }
                return Ok(next);
            }
            if cancelled {
                return Ok(Next::Op);
            }
        }
        if declared.heard {
            let mut frame = EventFrame::new(event, actor, args, EventStage::Told);
            frame.queue = self.listeners(&frame, |ty| &ty.listens);
            if !frame.queue.is_empty() {
                self.state.push_frame(frame.into());
            }
        }
        Ok(Next::Op)
    }

    fn event(&self) -> Result<&EventFrame, Fault> {
        match self.state.top_frame() {
            Some(Frame::Event(frame)) => Ok(frame),
            _ => Err(Fault::new("no event is happening")),
        }
    }

    fn event_mut(&mut self) -> Result<&mut EventFrame, Fault> {
        match self.state.top_frame_mut() {
            Some(Frame::Event(frame)) => Ok(frame),
            _ => Err(Fault::new("no event is happening")),
        }
    }

    pub(crate) fn step_event(&mut self) -> Result<Flow, Fault> {
        let rules = self.rules;
        let frame = self.event()?;
        let (event, actor) = (frame.event, frame.actor);
        let declared = &rules.events[event.index()];
        if frame.cancelled {
            self.state.pop_frame();
            return Ok(Flow::Go);
        }
        match frame.stage {
            EventStage::Window => {
                if declared.answered
                    && let Some(window) = &declared.window
                    && self.may_be_answered(event)
                    && let Some(seat) = self.answerer(window, frame)
                {
                    let mut options = vec![Opt::Continue];
                    let eval = self.eval();
                    for piece in self.answering(seat) {
                        let fits = type_of(rules, piece).reacts.iter().any(|hook| {
                            hook.event == event
                                && hook.when.is_none_or(|when| eval.holds(when, Some(seat), Some(piece), &frame.args))
                        });
                        if fits {
                            eval.push_distinct(Some(seat), &mut options, 0, Opt::Value(Value::Piece(piece)));
                        }
                    }
                    // Asked even if no piece can answer: otherwise the silence would tell something about the hand.
                    let ask = Ask::Window(event, declared.prompt);
                    return Ok(self.ask(seat, ask, options));
                }
                let frame = self.event_mut()?;
                (frame.stage, frame.next) = (EventStage::Replace, 0);
            }
            EventStage::Replace => {
                let first = match declared.replaced {
                    true => self.listeners(frame, |ty| &ty.replaces).first().copied(),
                    false => None,
                };
                self.event_mut()?.stage = EventStage::Happen;
                if let Some((piece, index)) = first {
                    self.event_mut()?.stage = EventStage::Listen;
                    return self.run_hook(piece, index, |ty| &ty.replaces);
                }
            }
            EventStage::Happen => {
                let args = frame.args.clone();
                self.event_mut()?.stage = EventStage::Listen;
                if let Some(effect) = declared.effect {
                    return self.begin_program(effect, actor, None, &args);
                }
            }
            EventStage::Listen => {
                let queue = if declared.heard { self.listeners(frame, |ty| &ty.listens) } else { SmallVec::new() };
                if queue.is_empty() {
                    self.state.pop_frame();
                    return Ok(Flow::Go);
                }
                let frame = self.event_mut()?;
                frame.queue = queue;
                frame.stage = EventStage::Told;
            }
            EventStage::Told => {
                let Some((piece, index)) = frame.queue.get(frame.next as usize).copied() else {
                    self.state.pop_frame();
                    return Ok(Flow::Go);
                };
                // An earlier listener may have changed the table, so the condition is tested again.
                let applies = self.applies(frame, piece, index, |ty| &ty.listens);
                self.event_mut()?.next += 1;
                if applies {
                    return self.run_hook(piece, index, |ty| &ty.listens);
                }
            }
        }
        Ok(Flow::Go)
    }

    pub(crate) fn answer_window(&mut self, option: Opt) -> Result<(), Fault> {
        let Opt::Value(Value::Piece(piece)) = option else {
            return self.leave_window();
        };
        let event = self.event()?.event;
        let index = type_of(self.rules, piece).reacts.iter().position(|hook| hook.event == event);
        let Some(index) = index else { return Err(Fault::new("this card does not answer the event")) };
        let effect = type_of(self.rules, piece).reacts[index].effect;
        let wanted = self.rules.programs[effect.index()].program.locals;
        let locals = slots(self.hook_owner(piece), Some(piece), &self.event()?.args, wanted);
        self.push_program(effect, locals);
        Ok(())
    }

    /// The player who may answer an event now. Of several players, `next` is the place in turn order of the first who has not
    /// declined.
    fn answerer(&self, window: &Window, frame: &EventFrame) -> Option<Seat> {
        let eval = self.eval();
        match window {
            Window::One(seat) => eval.compiled(*seat, frame.actor, None, &frame.args).seat(),
            Window::Each { players, locals } => {
                let mut locals = slots(frame.actor, None, &frame.args, *locals);
                let members = eval.collect(players, &mut locals).into_iter().filter_map(|member| member.seat());
                let left = members.filter(|seat| self.place_after(frame.actor, *seat) >= frame.next);
                left.min_by_key(|seat| self.place_after(frame.actor, *seat))
            }
        }
    }

    /// The place of a player in turn order, which begins after the player who caused an event.
    fn place_after(&self, actor: Option<Seat>, seat: Seat) -> u16 {
        let (players, seat) = (u16::from(self.rules.players), u16::from(seat.0));
        actor.map_or(seat, |actor| (seat + players - u16::from(actor.0) - 1) % players)
    }

    /// A player does not answer, or no more: the next one may.
    fn leave_window(&mut self) -> Result<(), Fault> {
        let frame = self.event()?;
        let next = match &self.rules.events[frame.event.index()].window {
            Some(window @ Window::Each { .. }) => {
                self.answerer(window, frame).map(|seat| self.place_after(frame.actor, seat) + 1)
            }
            Some(Window::One(_)) | None => None,
        };
        let frame = self.event_mut()?;
        match next {
            Some(next) => frame.next = next,
            None => frame.stage = EventStage::Replace,
        }
        Ok(())
    }

    /// Whether any piece could still answer the event, judging by what all players know. A piece cannot if it lies open in a
    /// zone that is out of the game. A hidden piece there counts: otherwise the missing window would tell what it is.
    fn may_be_answered(&self, event: EventId) -> bool {
        let (rules, eval) = (self.rules, self.eval());
        let is_out = |piece| rules.spaces(self.state.piece(piece).zone).out_of_game && eval.is_open(piece);
        let answers = |piece: &PieceId| type_of(rules, *piece).reacts.iter().any(|hook| hook.event == event);
        (0..rules.pieces.len()).map(PieceId::from).filter(answers).any(|piece| !is_out(piece))
    }

    /// The pieces of a player in zones from which events can be answered.
    fn answering(&self, seat: Seat) -> Vec<PieceId> {
        self.rules
            .zone_instances
            .iter()
            .enumerate()
            .filter(|(_, (zone, owner))| *owner == Some(seat) && self.rules.zones[zone.index()].reacts)
            .flat_map(|(index, _)| self.state.zone(crate::state::value::ZoneIx(index as u16)))
            .collect()
    }

    /// The hooks that apply to the event, in order: those on pieces of the player who caused it, of the others clockwise, then
    /// of the table.
    fn listeners(&self, frame: &EventFrame, which: Which) -> SmallVec<[(PieceId, u8); 4]> {
        let rules = self.rules;
        let first = frame.actor.map_or(0, |seat| seat.0);
        let seats = (0..rules.players).map(|by| ((first + by) % rules.players) as usize);
        let zones = seats.flat_map(|seat| rules.play_zones[seat].iter()).chain(&rules.shared_play_zones);
        let mut found = SmallVec::new();
        for zone in zones {
            let hear = if rules.shortcuts.takes(Shortcut::HookBits) { rules.facts.traits.hear } else { 0 };
            let hearing = self.state.of_kinds(*zone, hear);
            for piece in hearing.filter(|piece| rules.may_hear(*piece, frame.event)) {
                for (index, hook) in which(type_of(rules, piece)).iter().enumerate() {
                    if hook.event == frame.event && self.applies(frame, piece, index as u8, which) {
                        found.push((piece, index as u8));
                    }
                }
            }
        }
        found
    }

    fn applies(&self, frame: &EventFrame, piece: PieceId, index: u8, which: Which) -> bool {
        let Some(hook) = which(type_of(self.rules, piece)).get(index as usize) else { return false };
        let zone = self.rules.zone_of(self.state.piece(piece).zone);
        let owner = self.state.owner(self.rules, piece);
        let concerned = match hook.whose {
            Whose::Any => true,
            Whose::Mine => owner.is_none() || owner == frame.actor,
            Whose::Others => owner != frame.actor,
        };
        zone.in_play
            && concerned
            && hook.when.is_none_or(|when| self.eval().holds(when, owner.or(frame.actor), Some(piece), &frame.args))
    }

    fn run_hook(&mut self, piece: PieceId, index: u8, which: Which) -> Result<Flow, Fault> {
        let Some(hook) = which(type_of(self.rules, piece)).get(index as usize) else { return Ok(Flow::Go) };
        let (effect, args) = (hook.effect, self.event()?.args.clone());
        self.begin_program(effect, self.hook_owner(piece), Some(piece), &args)
    }

    /// The player that `me` means in a hook of a piece.
    fn hook_owner(&self, piece: PieceId) -> Option<Seat> {
        self.state.owner(self.rules, piece).or(self.state.active())
    }
}

/// Selects one list of hooks of a type, such as those that listen.
type Which = fn(&Type) -> &Vec<Listener>;

fn type_of(rules: &Ruleset, piece: PieceId) -> &Type {
    &rules.types[rules.type_of(piece).index()]
}
