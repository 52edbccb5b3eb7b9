//! Scripts: a call that makes a request yields, the kernel carries out the request with its own frames, and the call
//! goes on.
//!
//! All state is in the kernel. A call is a pure function of the state in which the outermost one began and of the
//! answers since, so it can be run again from there at any time; see `game.rs`.

use rulepack_model::Seat;

use crate::flow::decision::Opt;
use crate::flow::fault::Fault;
use crate::flow::frame::*;
use crate::flow::host::{Call, Progress, Request};
use crate::flow::machine::{Flow, Machine};
use crate::state::chance::StreamId;
use crate::state::value::Value;

impl Machine<'_> {
    pub(crate) fn step_script(&mut self) -> Result<Flow, Fault> {
        let Some(Frame::Script(frame)) = self.state.top_frame() else {
            return Err(Fault::new("no script is running"));
        };
        let hook = frame.hook;
        let bound_at = &self.rules.hooks[hook.index()].bound_at;
        if !frame.begun {
            let outermost = !self.state.frames()[..self.state.depth() - 1]
                .iter()
                .any(|frame| matches!(frame, Frame::Script(script) if script.begun));
            if outermost {
                *self.script_checkpoint = Some(Box::new(self.state.clone()));
                // Answers to an earlier script that followed from the same answer are part of that state.
                self.answers.clear();
            }
            let Some(Frame::Script(frame)) = self.state.top_frame() else { return Ok(Flow::Go) };
            let call =
                Call { rules: self.rules, state: self.state, hook, me: frame.me, this: frame.this, args: &frame.args };
            let run = self.host.start(&call).map_err(|fault| fault.in_origin(bound_at))?;
            self.live.push(run);
            if let Some(Frame::Script(frame)) = self.state.top_frame_mut() {
                frame.begun = true;
            }
            self.state.set_result(Value::Nil);
        }
        let Some(run) = self.live.last().copied() else {
            return Err(Fault::new("a script was lost").in_origin(bound_at));
        };
        let reply = self.state.take_result();
        let progress = self.host.resume(self.rules, self.state, run, reply);
        match progress.map_err(|fault| fault.in_origin(bound_at))? {
            Progress::Done(value) => {
                self.live.pop();
                self.state.pop_frame();
                self.state.set_result(value);
                if self.live.is_empty() {
                    *self.script_checkpoint = None;
                }
                Ok(Flow::Go)
            }
            Progress::Request(request) => {
                if self.log.trace.is_some() {
                    self.log.trace_request(hook, &request).map_err(|fault| fault.in_origin(bound_at))?;
                }
                self.grant(request).map_err(|fault| fault.in_origin(bound_at))?;
                Ok(Flow::Go)
            }
        }
    }

    fn script_seat_me(&self) -> Option<Seat> {
        match self.state.top_frame() {
            Some(Frame::Script(frame)) => frame.me,
            _ => None,
        }
    }

    /// The random stream from which the script rolls.
    fn script_stream(&self) -> StreamId {
        match self.state.top_frame() {
            Some(Frame::Script(frame)) => StreamId::of_hook(&self.rules.hooks[frame.hook.index()]),
            _ => StreamId::of_roll(""),
        }
    }

    /// Carries out the request of a script. A request of more than one step becomes a frame above the script's frame.
    fn grant(&mut self, request: Request) -> Result<(), Fault> {
        let me = self.script_seat_me();
        let somebody = || me.ok_or_else(|| Fault::new("this script is nobody's, so nobody can do that"));
        match request {
            Request::Transfer { from, to, bundle, chooser, strict } => {
                self.transfer(from, to, bundle, chooser, strict);
            }
            Request::Move { piece, to, bottom, facing } => self.move_piece(piece, to, bottom, facing)?,
            Request::Lay { piece, on } => self.lay_piece(piece, on)?,
            Request::Shuffle(zone) => self.shuffle_zone(zone)?,
            Request::Refill(zone) => self.refill(zone)?,
            Request::Flip(piece) => self.flip_piece(piece),
            Request::Roll(sides) => {
                let result = self.roll(self.script_stream(), me, i64::from(sides))?;
                self.state.set_result(Value::Int(i64::from(result)));
            }
            Request::SetVar { var, owner, value } => self.set_var(var, owner, value)?,
            Request::Raise { event, args } => self.raise(event, me, args),
            Request::Perform { action, args, free } => self.perform(somebody()?, action, &args, free)?,
            Request::Use { piece, attr } => self.use_effect(me, piece, attr)?,
            Request::Choose { seat, from, among, prompt, optional } => {
                let mut options = Vec::new();
                let eval = self.eval();
                for value in &from {
                    eval.push_distinct(Some(seat), &mut options, 0, Opt::Value(*value));
                }
                // Others know the list before it was filtered, but not the result of the filter.
                let among = if among.is_empty() { &from } else { &among };
                let is_hidden = |value: &Value| value.piece().is_some_and(|piece| !eval.is_open(piece));
                let hides_any = among.iter().any(is_hidden);
                let is_hidden = |most: usize| among.len() > most && hides_any;
                if options.is_empty() && optional && !is_hidden(0) {
                    self.forced(Some(seat), Opt::Done, 1);
                    return Ok(());
                }
                if optional {
                    options.push(Opt::Done);
                }
                // If several pieces are equal, there is no choice; but only a player who sees them all knows that.
                if let ([Opt::Value(only)], false) = (options.as_slice(), is_hidden(1)) {
                    let only = *only;
                    self.forced(Some(seat), Opt::Value(only), 1);
                    self.state.set_result(only);
                    return Ok(());
                }
                self.state.push_frame(Frame::Ask(AskFrame { seat, options, prompt, may: false }));
            }
            Request::Confirm { seat, prompt } => {
                let options = vec![Opt::Yes, Opt::No];
                self.state.push_frame(Frame::Ask(AskFrame { seat, options, prompt, may: true }));
            }
            Request::Look { seat, pieces, prompt } => {
                let mut looks = match self.state.top_frame_mut() {
                    Some(Frame::Script(frame)) => std::mem::take(&mut frame.looks),
                    _ => Looks::new(),
                };
                self.look_at(seat, &pieces, &mut looks);
                if let Some(Frame::Script(frame)) = self.state.top_frame_mut() {
                    frame.looks = looks;
                }
                if prompt.is_some() {
                    let options = vec![Opt::Continue];
                    self.state.push_frame(Frame::Ask(AskFrame { seat, options, prompt, may: false }));
                }
            }
            Request::Disclose { values, prompt } => {
                let mut looks = match self.state.top_frame_mut() {
                    Some(Frame::Script(frame)) => std::mem::take(&mut frame.looks),
                    _ => Looks::new(),
                };
                self.disclose(values, prompt, &mut looks);
                if let Some(Frame::Script(frame)) = self.state.top_frame_mut() {
                    frame.looks = looks;
                }
            }
            Request::Pause => {
                let me = somebody()?;
                self.state.push_frame(Frame::Pause(me));
            }
            Request::Pass => {
                let me = somebody()?;
                self.pass(me);
            }
            Request::Cancel => self.cancel(),
            Request::EndTurn => self.end_turn(),
            Request::EndPhase => self.end_phase(),
            Request::EndGame { winner } => self.finish(winner),
        }
        Ok(())
    }
}
