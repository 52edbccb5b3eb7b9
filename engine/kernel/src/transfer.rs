//! Resources on their way: every move has a source and a destination, so that nothing appears or gets lost.

use rulepack_model::{ResId, Seat};
use smallvec::SmallVec;

use crate::bundle::{Bundle, Kinds};
use crate::decision::{Ask, Decision, Opt};
use crate::fault::Fault;
use crate::frame::*;
use crate::log::Event;
use crate::machine::{Flow, Machine};
use crate::value::Value;

impl Machine<'_> {
    /// Moves resources; where a group leaves a choice, the chooser is asked unit by unit.
    pub(crate) fn transfer(&mut self, from: Place, to: Place, mut bundle: Bundle, chooser: Seat, strict: bool) {
        bundle.parts.retain(|(_, amount)| *amount > 0);
        if bundle.parts.is_empty() {
            return;
        }
        bundle.sort(self.rules);
        self.state.frames.push(Frame::Transfer(TransferFrame { from, to, bundle, chooser, strict }));
    }

    fn available(&self, place: Place, res: ResId) -> i32 {
        match place {
            Place::Supply => self.state.supply(self.rules, res),
            Place::Seat(seat) => self.state.amount(self.rules, seat, res),
            Place::Piece(piece) => self.state.held(self.rules, piece, res),
        }
    }

    fn change(&mut self, place: Place, res: ResId, by: i32) -> Result<(), Fault> {
        match place {
            Place::Supply => self.state.add_supply(self.rules, res, by),
            Place::Seat(seat) => self.state.add(self.rules, seat, res, by),
            Place::Piece(piece) => {
                if !self.state.add_held(self.rules, piece, res, by) {
                    let ty = &self.rules.types[self.rules.type_of(piece).index()];
                    return Err(Fault::new(format!(
                        "`{}` cannot hold `{}`: its kind does not list it under `holds`",
                        ty.name,
                        self.rules.resources[res.index()].name
                    )));
                }
            }
        }
        Ok(())
    }

    fn shift(&mut self, from: Place, to: Place, res: ResId, amount: i32) -> Result<(), Fault> {
        if amount <= 0 {
            return Ok(());
        }
        self.change(from, res, -amount)?;
        self.change(to, res, amount)?;
        self.log.push(|| Event::Transferred { from, to, res, amount });
        Ok(())
    }

    pub(crate) fn step_transfer(&mut self) -> Result<Flow, Fault> {
        let Some(Frame::Transfer(frame)) = self.state.frames.last() else {
            return Err(Fault::new("no resources are on their way"));
        };
        let (from, to, chooser, strict) = (frame.from, frame.to, frame.chooser, frame.strict);
        let Some((kinds, amount)) = frame.bundle.parts.first().copied() else {
            self.state.frames.pop();
            return Ok(Flow::Go);
        };
        let there: SmallVec<[(ResId, i32); 8]> = kinds
            .members(self.rules)
            .iter()
            .map(|res| (*res, self.available(from, *res)))
            .filter(|(_, have)| *have > 0)
            .collect();
        let total: i64 = there.iter().map(|(_, have)| i64::from(*have)).sum();
        if strict && total < i64::from(amount) {
            return Err(Fault::new(format!("{amount} {} must be paid, but only {total} are there", self.name(kinds))));
        }
        if there.len() <= 1 || total <= i64::from(amount) {
            for (res, have) in there {
                self.shift(from, to, res, have.min(amount))?;
            }
            if let Some(Frame::Transfer(frame)) = self.state.frames.last_mut() {
                frame.bundle.parts.remove(0);
            }
            return Ok(Flow::Go);
        }
        let ask = if from == Place::Supply { Ask::Gain(kinds, amount) } else { Ask::Pay(kinds, amount) };
        let mut options: Vec<Opt> = there.iter().map(|(res, _)| Opt::Value(Value::Res(*res))).collect();
        if self.state.frames.iter().any(|frame| matches!(frame, Frame::Action(action) if action.interrupts)) {
            options = self.without_circles(chooser, options);
        }
        Ok(Flow::Ask(Decision { seat: chooser, ask, options }))
    }

    pub(crate) fn answer_transfer(&mut self, option: Opt) -> Result<(), Fault> {
        let Opt::Value(Value::Res(res)) = option else { return Err(Fault::new("a resource was to be chosen")) };
        let Some(Frame::Transfer(frame)) = self.state.frames.last_mut() else {
            return Err(Fault::new("no resources are on their way"));
        };
        let (from, to) = (frame.from, frame.to);
        if let Some((_, amount)) = frame.bundle.parts.first_mut() {
            *amount -= 1;
        }
        frame.bundle.parts.retain(|(_, amount)| *amount > 0);
        self.shift(from, to, res, 1)
    }

    fn name(&self, kinds: Kinds) -> String {
        match kinds {
            Kinds::None => "nothing".into(),
            Kinds::One(res) => self.rules.resources[res.index()].name.clone(),
            Kinds::Group(group) => self.rules.groups[group.index()].name.clone(),
        }
    }
}
