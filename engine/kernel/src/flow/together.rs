//! Players who choose at the same time (`together PLAYERS { … }`).
//!
//! The kernel asks them one after the other, and keeps what each has chosen in a list of the effect. What they are asked does
//! not depend on the choices of others, because nothing is done before all have chosen. So whoever is asked later can be
//! asked at the same time: [`Game::decision_ahead`] works the question out on a copy of the state. A front end that takes
//! answers in any order keeps those that come early, and gives them to the kernel in its order. Thus the order in which
//! they came leaves no trace.
//!
//! A kept choice is a record in the list: its length, the slots of the player, and for each choice of several the number of
//! things with the things. A list may come from a saved game: nothing in it is taken for granted.

use rulepack_expr::{TogetherSlots, Told};
use rulepack_model::{Local, Seat};

use crate::flow::decision::{Answer, Decision, Opt};
use crate::flow::effects::Next;
use crate::flow::fault::Fault;
use crate::flow::frame::{Frame, RunFrame};
use crate::flow::game::Game;
use crate::flow::host::EffectHost;
use crate::flow::log::LogEntry;
use crate::flow::machine::{Flow, Machine, Mode, Unread};
use crate::hidden::sight::all_seen_by;
use crate::rules::ruleset::{Asking, Ruleset};
use crate::state::rng::Rng;
use crate::state::table::State;
use crate::state::value::Value;

/// A list of an effect: its members, and how many of them were taken.
type List = (Vec<Value>, u32);

fn lost() -> Fault {
    Fault::new("what the players have chosen was lost")
}

/// The number of a list in a slot.
fn index_in(run: &RunFrame, slot: Local) -> usize {
    run.locals.get(slot.index()).map_or(usize::MAX, |index| usize::try_from(index.int()).unwrap_or(usize::MAX))
}

fn list_in(run: &mut RunFrame, slot: Local) -> Result<&mut List, Fault> {
    let index = index_in(run, slot);
    run.lists.get_mut(index).ok_or_else(lost)
}

/// The slots of a player's choices.
fn slots_of(run: &mut RunFrame, slots: TogetherSlots) -> &mut [Value] {
    run.locals.get_mut(slots.first.index()..slots.end.index()).unwrap_or(&mut [])
}

/// The operations that ask the players, if the effect on top of the stack is in the middle of them.
fn asking<'s>(rules: &Ruleset, state: &'s State) -> Option<(&'s RunFrame, Asking)> {
    let Some(Frame::Run(run)) = state.frames().last() else { return None };
    let together = &rules.programs[run.program.index()].together;
    let asking = together.iter().find(|asking| asking.start < run.pc && run.pc < asking.end)?;
    Some((run, *asking))
}

/// The players of a `together` in their order, and the place of the one who is asked.
fn players(run: &RunFrame, asking: Asking) -> Option<(&[Value], usize)> {
    let (players, taken) = run.lists.get(index_in(run, asking.slots.players))?;
    Some((players, (*taken as usize).checked_sub(1)?))
}

impl Machine<'_> {
    /// Whether players choose at the same time.
    pub(crate) fn asks_together(&self) -> bool {
        asking(self.rules, self.state).is_some()
    }

    /// The next player is asked.
    #[inline(never)]
    pub(super) fn ask_next_of_together(
        &mut self,
        run: &mut RunFrame,
        slots: TogetherSlots,
        end: u32,
    ) -> Result<(), Fault> {
        run.lists.truncate(index_in(run, slots.kept).saturating_add(1));
        slots_of(run, slots).fill(Value::Nil);
        match next_of(list_in(run, slots.players)?) {
            Some(player) => run.locals[slots.player.index()] = player,
            None => run.pc = end,
        }
        Ok(())
    }

    /// A player has chosen everything.
    #[inline(never)]
    pub(super) fn keep_choices(
        &mut self,
        run: &mut RunFrame,
        slots: TogetherSlots,
        lists: &[Local],
        next: u32,
    ) -> Result<(), Fault> {
        let mut record = slots_of(run, slots).to_vec();
        for list in lists {
            // A choice in another way of an `either` was not made.
            let was_made = run.locals.get(list.index()).is_some_and(|value| *value != Value::Nil);
            let chosen = if was_made { std::mem::take(&mut list_in(run, *list)?.0) } else { Vec::new() };
            record.push(Value::Int(chosen.len() as i64));
            record.extend(chosen);
        }
        let kept = &mut list_in(run, slots.kept)?.0;
        kept.push(Value::Int(record.len() as i64));
        kept.append(&mut record);
        run.pc = next;
        Ok(())
    }

    /// All have chosen: everybody is told what.
    #[inline(never)]
    pub(super) fn reveal_choices(
        &mut self,
        run: &mut RunFrame,
        slots: TogetherSlots,
        lists: &[Local],
        told: &[Told],
    ) -> Result<Next, Fault> {
        if self.mode == Mode::Ahead {
            run.pc -= 1;
            return Ok(Next::Wait);
        }
        self.unforeseen();
        self.log.push(|| LogEntry::AllChose);
        list_in(run, slots.players)?.1 = 0;
        while self.take_choices(run, slots, lists)? {
            let Some(seat) = run.locals[slots.player.index()].seat() else { return Err(lost()) };
            for choice in told {
                self.tell_choice(run, seat, choice)?;
            }
        }
        list_in(run, slots.players)?.1 = 0;
        list_in(run, slots.kept)?.1 = 0;
        Ok(Next::Op)
    }

    fn tell_choice(&mut self, run: &mut RunFrame, seat: Seat, told: &Told) -> Result<(), Fault> {
        let slot = |local: &Local| run.locals.get(local.index()).copied().unwrap_or(Value::Nil);
        let options = match told {
            Told::Value(local) => vec![Opt::Value(slot(local))],
            Told::May(local) if slot(local) == Value::Bool(true) => vec![Opt::Yes],
            Told::May(local) if slot(local) == Value::Bool(false) => vec![Opt::No],
            Told::Way(local, prompts) => {
                let number = slot(local);
                let way = usize::try_from(number.int()).ok().and_then(|number| prompts.get(number));
                way.filter(|_| number != Value::Nil).map(|prompt| Opt::Branch(*prompt, 0)).into_iter().collect()
            }
            Told::List(local) if slot(local) != Value::Nil => {
                list_in(run, *local)?.0.iter().map(|value| Opt::Value(*value)).collect()
            }
            Told::May(_) | Told::List(_) => Vec::new(),
        };
        for option in options.into_iter().filter(|option| *option != Opt::Value(Value::Nil)) {
            let (rules, state) = (self.rules, &*self.state);
            self.log.push(|| {
                let value = if let Opt::Value(value) = option { value } else { Value::Nil };
                let seen_by = all_seen_by(rules, state, &[value]);
                LogEntry::Chose { seat, option, answer: Answer(0), secret: false, seen_by }
            });
        }
        Ok(())
    }

    /// What the next player has chosen is carried out.
    #[inline(never)]
    pub(super) fn do_next_of_together(
        &mut self,
        run: &mut RunFrame,
        slots: TogetherSlots,
        lists: &[Local],
        end: u32,
    ) -> Result<(), Fault> {
        if !self.take_choices(run, slots, lists)? {
            run.lists.truncate(index_in(run, slots.players));
            run.pc = end;
        }
        Ok(())
    }

    /// Puts what the next player has chosen back into the slots, unless it was the last one.
    fn take_choices(&mut self, run: &mut RunFrame, slots: TogetherSlots, lists: &[Local]) -> Result<bool, Fault> {
        run.lists.truncate(index_in(run, slots.kept).saturating_add(1));
        let Some(player) = next_of(list_in(run, slots.players)?) else { return Ok(false) };
        let kept = list_in(run, slots.kept)?;
        let Some(record) = record_at(&kept.0, kept.1 as usize) else { return Err(lost()) };
        let record = record.to_vec();
        kept.1 += record.len() as u32 + 1;
        self.pay(record.len() / 16)?;
        run.locals[slots.player.index()] = player;
        let own = slots_of(run, slots);
        let Some((values, mut rest)) = record.split_at_checked(own.len()) else { return Err(lost()) };
        own.copy_from_slice(values);
        let mut chosen = Vec::new();
        for _ in lists {
            let Some((count, after)) = rest.split_first() else { return Err(lost()) };
            let count = usize::try_from(count.int()).unwrap_or(usize::MAX);
            let Some((members, after)) = after.split_at_checked(count) else { return Err(lost()) };
            chosen.push(members.to_vec());
            rest = after;
        }
        // The first is walked first, and its end drops it with all lists after it.
        for (list, members) in lists.iter().zip(chosen).rev() {
            run.locals[list.index()] = match run.locals[list.index()] {
                Value::Nil => continue,
                _ => Value::Int(run.lists.len() as i64),
            };
            run.lists.push((members, 0));
        }
        Ok(true)
    }
}

/// The next member of a list.
fn next_of(list: &mut List) -> Option<Value> {
    let next = *list.0.get(list.1 as usize)?;
    list.1 += 1;
    Some(next)
}

/// The record that begins at a place of a list.
fn record_at(kept: &[Value], at: usize) -> Option<&[Value]> {
    let len = usize::try_from(kept.get(at)?.int()).ok()?;
    kept.get(at + 1..)?.get(..len)
}

impl Game {
    /// The players who choose at the same time now, in the order of the kernel, and how many of them have chosen. Nobody is
    /// told anything of it before all have.
    pub fn together(&self) -> Option<(Vec<Seat>, usize)> {
        self.decision()?;
        let (run, asking) = asking(self.rules(), self.state())?;
        let (players, chosen) = players(run, asking)?;
        Some((players.iter().filter_map(|player| player.seat()).collect(), chosen))
    }

    /// The question to a player who chooses at the same time as others, with these answers already given; `None` if nothing
    /// is left to be chosen, or if the player does not take part.
    ///
    /// # Errors
    /// If the pack fails, or an answer is not among the options.
    pub fn decision_ahead(
        &self,
        host: &dyn EffectHost,
        seat: Seat,
        answers: &[Answer],
    ) -> Result<Option<Decision>, Fault> {
        let Some((players, chosen)) = self.together() else { return Ok(None) };
        let Some(at) = players.iter().skip(chosen).position(|player| *player == seat) else { return Ok(None) };
        if at == 0 && answers.is_empty() {
            return Ok(self.decision().cloned());
        }
        if at == 0 {
            let mut state = self.state().clone();
            return decision_in(self.rules(), &mut state, host, seat, answers);
        }
        let Some(mut state) = self.state_for(seat) else { return Ok(None) };
        decision_in(self.rules(), &mut state, host, seat, answers)
    }

    /// The first question to a player who chooses at the same time as others, as it was before any answer.
    ///
    /// # Errors
    /// If the pack fails.
    pub fn first_decision(&self, host: &dyn EffectHost, seat: Seat) -> Result<Option<Decision>, Fault> {
        match self.state_for(seat) {
            Some(mut state) => decision_in(self.rules(), &mut state, host, seat, &[]),
            None => Ok(None),
        }
    }

    /// A copy of the state in which only this player is asked, from the beginning.
    fn state_for(&self, seat: Seat) -> Option<State> {
        let (_, asking) = asking(self.rules(), self.state())?;
        let mut state = self.state().clone();
        let Some(Frame::Run(run)) = state.frames_mut().last_mut() else { return None };
        run.lists.truncate(index_in(run, asking.slots.kept).saturating_add(1));
        *list_in(run, asking.slots.players).ok()? = (vec![Value::Seat(seat)], 0);
        *list_in(run, asking.slots.kept).ok()? = (Vec::new(), 0);
        run.pc = asking.start;
        Some(state)
    }

    /// The same game, in which other players who have chosen already at the same time as `seat` may have chosen something
    /// else: `seat` cannot tell the two apart.
    ///
    /// # Errors
    /// If the pack fails.
    pub fn choices_redrawn(&self, host: &dyn EffectHost, seat: Seat, seed: u64) -> Result<Game, Fault> {
        let mut game = self.clone();
        game.redraw_choices(host, seat, seed)?;
        Ok(game)
    }

    /// Lets other players who have chosen already choose something else by chance: `seat` does not know what they chose. The
    /// player who is asked stays the same, with the same question.
    pub(crate) fn redraw_choices(&mut self, host: &dyn EffectHost, seat: Seat, seed: u64) -> Result<(), Fault> {
        let Some((players, chosen)) = self.together() else { return Ok(()) };
        if self.script_checkpoint.is_some() {
            return self.redraw_from_checkpoint(host, seat, seed);
        }
        let mut rng = Rng::new(seed);
        let mut records = Vec::new();
        for player in players.iter().take(chosen) {
            records.push(if *player == seat { None } else { self.chosen_by_chance(host, *player, &mut rng)? });
        }
        let Some((_, asking)) = asking(self.rules(), self.state()) else { return Ok(()) };
        let Some(Frame::Run(run)) = self.state_mut().frames_mut().last_mut() else { return Ok(()) };
        let kept = &mut list_in(run, asking.slots.kept)?.0;
        let (mut at, mut drawn) = (0, Vec::new());
        for record in records {
            let was = record_at(kept, at).ok_or_else(lost)?;
            at += was.len() + 1;
            let record = record.unwrap_or_else(|| was.to_vec());
            drawn.push(Value::Int(record.len() as i64));
            drawn.extend(record);
        }
        *kept = drawn;
        Ok(())
    }

    /// The record of what a player would choose by chance.
    fn chosen_by_chance(
        &self,
        host: &dyn EffectHost,
        player: Seat,
        rng: &mut Rng,
    ) -> Result<Option<Vec<Value>>, Fault> {
        let Some((_, asking)) = asking(self.rules(), self.state()) else { return Ok(None) };
        let mut answers = Vec::new();
        loop {
            let Some(mut state) = self.state_for(player) else { return Ok(None) };
            match decision_in(self.rules(), &mut state, host, player, &answers)? {
                Some(decision) => answers.push(by_chance(&decision, rng)),
                None => {
                    let Some(Frame::Run(run)) = state.frames_mut().last_mut() else { return Err(lost()) };
                    let kept = &list_in(run, asking.slots.kept)?.0;
                    return Ok(record_at(kept, 0).map(<[Value]>::to_vec));
                }
            }
        }
    }

    /// The same while a script waits: it is run again from where it began, with other answers of the others.
    fn redraw_from_checkpoint(&mut self, host: &dyn EffectHost, seat: Seat, seed: u64) -> Result<(), Fault> {
        let mut rng = Rng::new(seed);
        let asked = self.decision().map(|decision| decision.seat);
        let (start, answers) = self.saved_parts();
        let mut again = Game::from_state(self.rules().clone(), start.clone(), host)?;
        // The number of answers before the players began to choose, and who gave those since.
        let (mut began, mut given) = (0, Vec::new());
        for (number, answer) in answers.iter().enumerate() {
            let was_open = again.together().is_some();
            given.push((again.decision().map(|decision| decision.seat), *answer));
            let events = again.answer(host, *answer).map_err(|_| Game::drifted())?;
            if !was_open || events.contains(&LogEntry::AllChose) {
                began = number + 1;
            }
        }
        again.abandon(host);
        let mut again = Game::from_state(self.rules().clone(), start.clone(), host)?;
        for (_, answer) in given.iter().take(began) {
            again.answer_fast(host, *answer).map_err(|_| Game::drifted())?;
        }
        let mut own = given.iter().skip(began);
        while let Some(decision) = again.decision() {
            let now = Some(decision.seat);
            let answer = if now == Some(seat) || now == asked {
                match own.find(|(by, _)| *by == now) {
                    Some((_, answer)) => *answer,
                    None => break,
                }
            } else {
                by_chance(decision, &mut rng)
            };
            again.answer_fast(host, answer).map_err(|_| Game::drifted())?;
        }
        std::mem::replace(self, again).abandon(host);
        Ok(())
    }
}

fn by_chance(decision: &Decision, rng: &mut Rng) -> Answer {
    Answer(rng.below(decision.options.len().max(1) as u32) as u16)
}

/// The question to a player in a state in which this player is asked, after these answers.
fn decision_in(
    rules: &Ruleset,
    state: &mut State,
    host: &dyn EffectHost,
    seat: Seat,
    answers: &[Answer],
) -> Result<Option<Decision>, Fault> {
    state.fuel().refill(rules.limits);
    let mut unread = Unread::default();
    let mut machine = Machine::new(rules, state, host, unread.outputs(), Mode::Ahead);
    let mut answers = answers.iter();
    while machine.state.fuel().step() {
        match machine.step_once()? {
            Flow::Ask(question) if question.seat == seat => {
                machine.complete_question(&question)?;
                let Some(answer) = answers.next() else {
                    let options = std::mem::take(&mut machine.options);
                    let named = machine.named_by(&question);
                    return Ok(Some(Decision { seat, ask: question.ask, options, named }));
                };
                let option = machine.options.get(usize::from(answer.0)).copied();
                machine.take_answer(option.ok_or_else(Game::drifted)?)?;
            }
            // Another player is asked next.
            Flow::Ask(_) => return Ok(None),
            Flow::Go if !machine.asks_together() => return Ok(None),
            Flow::Go => {}
        }
    }
    Err(machine.out_of_fuel())
}
