//! Scripts: a call makes requests, which the kernel carries out. The call goes on at once after a request that needs no
//! frame of its own and after which no standing rule applies; otherwise it waits until the frames above it are done.
//!
//! All state is in the kernel. A call is a pure function of the state in which the outermost one began and of the
//! answers since, so it can be run again from there at any time; see `game.rs`.

use rulepack_model::{PromptId, Seat};

use crate::eval::expressions::Eval;
use crate::flow::decision::Opt;
use crate::flow::fault::Fault;
use crate::flow::frame::*;
use crate::flow::host::{Call, GameAccess, Granted, Need, Progress, Request};
use crate::flow::machine::{Flow, Machine, Mode};
use crate::state::chance::StreamId;
use crate::state::value::Value;

impl GameAccess for Machine<'_> {
    fn eval(&self) -> Eval<'_> {
        Machine::eval(self)
    }

    fn grant(&mut self, me: Option<Seat>, request: Request) -> Result<Granted, Fault> {
        let rules = self.rules;
        let Some(Frame::Script(ScriptFrame { hook, .. })) = self.state.top_frame() else {
            return Err(Fault::new("no script is running"));
        };
        let (hook, depth) = (*hook, self.state.depth());
        let in_origin = |fault: Fault| fault.in_origin(&rules.hooks[hook.index()].bound_at);
        if self.log.trace.is_some() {
            self.log.trace_request(hook, &request).map_err(in_origin)?;
        }
        self.carry_out(me, request).map_err(in_origin)?;
        if self.script_goes_on(depth) {
            return Ok(Granted::Done(self.state.take_result()));
        }
        Ok(Granted::Later)
    }
}

impl Machine<'_> {
    pub(crate) fn step_script(&mut self) -> Result<Flow, Fault> {
        let Some(Frame::Script(frame)) = self.state.top_frame() else {
            return Err(Fault::new("no script is running"));
        };
        let (rules, hook) = (self.rules, frame.hook);
        let bound_at = &rules.hooks[hook.index()].bound_at;
        if !frame.begun {
            let outermost = !self.state.frames()[..self.state.depth() - 1]
                .iter()
                .any(|frame| matches!(frame, Frame::Script(script) if script.begun));
            if outermost {
                *self.script_checkpoint = Some(match self.spare.take() {
                    Some(mut spare) => {
                        (*spare).clone_from(self.state);
                        spare
                    }
                    None => Box::new(self.state.clone()),
                });
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
        let host = self.host;
        let progress = host.resume(self, run, reply);
        match progress.map_err(|fault| fault.in_origin(bound_at))? {
            Progress::Done(value) => {
                self.live.pop();
                self.state.pop_frame();
                self.state.set_result(value);
                if self.live.is_empty() {
                    *self.spare = self.script_checkpoint.take();
                }
                Ok(Flow::Go)
            }
            Progress::Waits => {
                if self.live.last() != Some(&run) {
                    // Its last request has ended the game.
                    host.forget(run);
                }
                Ok(Flow::Go)
            }
        }
    }

    /// Whether a script goes on after a request: nothing has been put above its frame, and nothing comes first.
    fn script_goes_on(&self, depth: usize) -> bool {
        self.mode != Mode::Stacked
            && self.state.depth() == depth
            && self.unstacked.action.is_none()
            && !self.state.is_over()
            && !self.standing_due()
            && !self.log.is_full()
            && !self.state.fuel().is_out()
            && self.state.fuel().step()
    }

    /// The random stream from which the script rolls.
    fn script_stream(&self) -> StreamId {
        match self.state.top_frame() {
            Some(Frame::Script(frame)) => StreamId::of_hook(&self.rules.hooks[frame.hook.index()]),
            _ => StreamId::of_roll(""),
        }
    }

    /// Carries out the request of a script. A request of more than one step becomes a frame above the script's frame.
    fn carry_out(&mut self, me: Option<Seat>, request: Request) -> Result<(), Fault> {
        let somebody = || me.ok_or_else(|| Fault::new("this script is nobody's, so nobody can do that"));
        match request {
            Request::Transfer { from, to, bundle, chooser, strict } => {
                if from == to {
                    return Err(Fault::taken_from_oneself());
                }
                self.transfer(from, to, bundle, chooser, strict);
            }
            Request::Move { piece, to, bottom, facing } => self.move_piece(piece, to, bottom, facing)?,
            Request::MoveAll { pieces, to, bottom, facing } => self.move_several(&pieces, to, bottom, facing)?,
            Request::Swap(one, other) => self.swap_pieces(one, other)?,
            Request::Lay { piece, on } => self.lay_piece(piece, on)?,
            Request::Draw { count, from, to } => self.draw_pieces(count, from, to)?,
            Request::Shuffle(zone) => self.shuffle_zone(zone)?,
            Request::Refill(zone) => self.refill(zone)?,
            Request::Flip(piece) => self.flip_piece(piece),
            Request::FlipAll(pieces) => {
                self.pay(pieces.len())?;
                pieces.into_iter().for_each(|piece| self.flip_piece(piece));
            }
            Request::Roll { sides, secret } => {
                let result = self.roll(self.script_stream(), me, i64::from(sides), secret)?;
                self.state.set_result(Value::Int(i64::from(result)));
            }
            Request::Pick { from, secret } => {
                if from.is_empty() {
                    return Err(Fault::new("there is nothing to pick from"));
                }
                let picked = self.roll(self.script_stream(), me, from.len() as i64, secret)?;
                self.state.set_result(from[picked as usize - 1]);
            }
            Request::SetVar { var, owner, value } => self.set_var(var, owner, value)?,
            Request::Raise { event, args } => self.raise(event, me, args)?,
            Request::Perform { action, args, free } => self.perform(somebody()?, action, &args, free)?,
            Request::Use { piece, attr } => self.use_effect(me, piece, attr)?,
            Request::Choose { seat, from, among, prompt, need, secret } => {
                self.ask_to_choose(seat, (&from, &among), prompt, need, secret);
            }
            Request::Either { seat, ways } => {
                let options = (1..).zip(ways).map(|(number, way)| Opt::Branch(way, number)).collect();
                self.state.push_frame(Frame::Ask(AskFrame { seat, options, prompt: None, may: false, secret: false }));
            }
            Request::Confirm { seat, prompt } => {
                let options = vec![Opt::Yes, Opt::No];
                self.state.push_frame(Frame::Ask(AskFrame { seat, options, prompt, may: true, secret: false }));
            }
            Request::Look { seat, pieces, lasting, prompt } => {
                self.with_looks(|machine, looks| machine.look_at(seat, &pieces, lasting, looks));
                if prompt.is_some() {
                    let options = vec![Opt::Continue];
                    self.state.push_frame(Frame::Ask(AskFrame { seat, options, prompt, may: false, secret: false }));
                }
            }
            Request::Show { pieces, to, lasting } => {
                self.with_looks(|machine, looks| machine.show_pieces(&pieces, to, lasting, looks));
            }
            Request::Disclose { values, prompt } => {
                self.with_looks(|machine, looks| machine.disclose(values, prompt, looks));
            }
            Request::Pause => {
                let me = somebody()?;
                self.state.push_frame(Frame::Pause(me));
            }
            Request::Pass => {
                let me = somebody()?;
                self.pass(me);
            }
            Request::Rejoin(seat) => self.rejoin(seat),
            Request::Note { prompt, values } => self.note(prompt, values),
            Request::Cancel => self.cancel(),
            Request::EndTurn => self.end_turn(),
            Request::EndPhase => self.end_phase(),
            Request::EndGame { winners } => self.finish(winners),
        }
        Ok(())
    }

    /// Lets a function change what players may look at until the running script ends.
    fn with_looks(&mut self, change: impl FnOnce(&mut Self, &mut Looks)) {
        let mut looks = match self.state.top_frame_mut() {
            Some(Frame::Script(frame)) => std::mem::take(&mut frame.looks),
            _ => Looks::new(),
        };
        change(self, &mut looks);
        if let Some(Frame::Script(frame)) = self.state.top_frame_mut() {
            frame.looks = looks;
        }
    }

    /// Asks a player to choose one of a list, unless everybody sees that there is no choice. `among` is the list before it was
    /// filtered.
    fn ask_to_choose(
        &mut self,
        seat: Seat,
        (from, among): (&[Value], &[Value]),
        prompt: Option<PromptId>,
        need: Need,
        secret: bool,
    ) {
        let mut options = Vec::new();
        let eval = self.eval();
        for value in from {
            eval.push_distinct(Some(seat), &mut options, 0, Opt::Value(*value));
        }
        // Others know the list before it was filtered, but not the result of the filter.
        let is_filtered = !among.is_empty();
        let among = if is_filtered { among } else { from };
        let is_hidden = |value: &Value| value.piece().is_some_and(|piece| !eval.is_open(piece));
        let hides_any = among.iter().any(is_hidden);
        let is_hidden = |most: usize| secret || among.len() > most && hides_any;
        let optional = match need {
            Need::One => false,
            Need::IfAny => options.is_empty(),
            Need::Optional => true,
        };
        if options.is_empty() && optional && !is_hidden(0) {
            self.forced(Some(seat), Opt::Done, 1);
            return;
        }
        if optional {
            options.push(Opt::Done);
        }
        // If several pieces are equal, there is no choice; but only a player who sees them all knows that. If there need not be
        // any, perhaps only this player knows whether there is one that fits.
        let known = if need == Need::IfAny && is_filtered { 0 } else { 1 };
        if let ([Opt::Value(only)], false) = (options.as_slice(), is_hidden(known)) {
            let only = *only;
            self.forced(Some(seat), Opt::Value(only), 1);
            self.state.set_result(only);
            return;
        }
        self.state.push_frame(Frame::Ask(AskFrame { seat, options, prompt, may: false, secret }));
    }
}
