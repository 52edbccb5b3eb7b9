//! Moving resources: every move has a source and a destination, so that no unit appears or gets lost.
//!
//! Units of a resource that is `kept` lie on pieces of their player. If they can come from several pieces, or go to several,
//! the owner of the pieces chooses. Units for which no piece has room go back to the supply.

use rulepack_model::{PieceId, ResId, Seat};
use smallvec::SmallVec;

use crate::eval::bundle::{Bundle, ResourceSel};
use crate::eval::expressions::copied;
use crate::flow::decision::{Ask, Opt};
use crate::flow::fault::Fault;
use crate::flow::frame::*;
use crate::flow::log::LogEntry;
use crate::flow::machine::{Flow, Machine};
use crate::rules::shortcuts::Shortcut;
use crate::state::value::Value;

/// The source or the destination of kept units.
enum End {
    /// It is clear.
    At(ResourceHolder),
    /// One of several pieces: the player must say which.
    OneOf(Seat, Vec<Opt>),
    /// No piece holds units, or no piece has room for them.
    Nowhere,
}

impl Machine<'_> {
    /// Moves resources; if a group of resources leaves a choice, the chooser is asked unit by unit. `strict` is a payment: all
    /// of it must be there.
    pub(crate) fn transfer(
        &mut self,
        from: ResourceHolder,
        to: ResourceHolder,
        mut bundle: Bundle,
        chooser: Seat,
        strict: bool,
    ) {
        bundle.parts.retain(|(_, amount)| *amount > 0);
        if bundle.parts.is_empty() {
            return;
        }
        // Only a payment may leave out units.
        if !strict {
            bundle.less = 0;
        }
        bundle.sort(self.rules);
        let mut moved = 0;
        if bundle.less == 0 && self.rules.shortcuts.takes(Shortcut::DirectTransfers) {
            while let Some((kinds, amount)) = bundle.parts.get(moved).copied()
                && self.moves_at_once(from, to, kinds, amount, strict)
            {
                moved += 1;
                if self.standing_due() {
                    break;
                }
            }
            if moved == bundle.parts.len() {
                return;
            }
            bundle.parts.drain(..moved);
        }
        let begun = moved > 0;
        self.state.push_frame(Frame::Transfer(TransferFrame { from, to, bundle, chooser, strict, kept: None, begun }));
    }

    /// Moves units of a single resource if that takes one step: no question, no fault, one piece at each end. Returns whether
    /// it did.
    fn moves_at_once(
        &mut self,
        from: ResourceHolder,
        to: ResourceHolder,
        kinds: ResourceSel,
        amount: i32,
        strict: bool,
    ) -> bool {
        let ResourceSel::One(res) = kinds else { return false };
        let have = self.available(from, res);
        if strict && have < amount {
            return false;
        }
        let mut amount = amount.min(have);
        if amount <= 0 {
            return true;
        }
        if self.rules.shortcuts.spoils(Shortcut::DirectTransfers) {
            amount = 1;
        }
        let holds = |place: ResourceHolder| match place {
            ResourceHolder::Piece(piece) => self.rules.held_slot(piece, res).is_some(),
            ResourceHolder::Supply | ResourceHolder::Seat(_) => true,
        };
        let ends = if !self.rules.resources[res.index()].kept {
            (holds(from) && holds(to)).then_some((from, to))
        } else {
            match (from, to) {
                (ResourceHolder::Supply, ResourceHolder::Piece(piece)) => match self.eval().room_on(piece, res) {
                    Some(0) => {
                        self.log.push(|| LogEntry::Lost { by: to, res, amount });
                        return true;
                    }
                    Some(room) if room >= amount => Some((from, to)),
                    _ => None,
                },
                (ResourceHolder::Piece(piece), ResourceHolder::Supply) if holds(from) => {
                    self.rules.is_kept_on(piece, res).then_some((from, to))
                }
                (ResourceHolder::Seat(owner), ResourceHolder::Supply) => {
                    let held = |piece| self.state.held(self.rules, piece, res);
                    let keeper = self.only_keeper(owner, res, amount, held);
                    keeper.map(|piece| (self.forced_keeper(owner, piece, amount), to))
                }
                (ResourceHolder::Supply, ResourceHolder::Seat(owner)) => {
                    let room = |piece| self.eval().room_on(piece, res).unwrap_or(0);
                    let keeper = self.only_keeper(owner, res, amount, room);
                    keeper.map(|piece| (from, self.forced_keeper(owner, piece, amount)))
                }
                _ => None,
            }
        };
        ends.is_some_and(|(from, to)| self.shift(from, to, res, amount).is_ok())
    }

    /// The piece of a player that can give or take `amount` units, if it is the only one that can give or take any. `asked`
    /// tells how many a piece can give or take.
    fn only_keeper(&self, owner: Seat, res: ResId, amount: i32, asked: impl Fn(PieceId) -> i32) -> Option<PieceId> {
        let mut only = None;
        for piece in self.state.keepers(self.rules, owner, res) {
            let found = asked(piece);
            if found > 0 {
                if only.is_some() || found < amount {
                    return None;
                }
                only = Some(piece);
            }
        }
        only
    }

    fn available(&self, place: ResourceHolder, res: ResId) -> i32 {
        match place {
            ResourceHolder::Supply => self.state.supply(self.rules, res),
            ResourceHolder::Seat(seat) => self.state.amount(self.rules, seat, res),
            ResourceHolder::Piece(piece) => self.state.held(self.rules, piece, res),
        }
    }

    fn change(&mut self, place: ResourceHolder, res: ResId, by: i32) -> Result<(), Fault> {
        match place {
            ResourceHolder::Supply => self.state.add_supply(self.rules, res, by),
            ResourceHolder::Seat(seat) => self.state.add(self.rules, seat, res, by),
            ResourceHolder::Piece(piece) => {
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

    fn shift(&mut self, from: ResourceHolder, to: ResourceHolder, res: ResId, amount: i32) -> Result<(), Fault> {
        if amount <= 0 {
            return Ok(());
        }
        self.change(from, res, -amount)?;
        self.change(to, res, amount)?;
        self.log.push(|| LogEntry::Transferred { from, to, res, amount });
        Ok(())
    }

    fn transfer_mut(&mut self) -> Result<&mut TransferFrame, Fault> {
        match self.state.top_frame_mut() {
            Some(Frame::Transfer(frame)) => Ok(frame),
            _ => Err(Fault::new("no resources are on their way")),
        }
    }

    /// Moves units until a player must be asked.
    pub(crate) fn step_transfer(&mut self) -> Result<Flow, Fault> {
        let depth = self.state.depth();
        loop {
            let flow = self.step_units()?;
            let is_short = self.rules.shortcuts.takes(Shortcut::DirectTransfers);
            let goes_on = matches!(flow, Flow::Go) && self.state.depth() == depth && is_short;
            if !goes_on || self.standing_due() || !self.state.fuel().burn(1) {
                return Ok(flow);
            }
        }
    }

    fn step_units(&mut self) -> Result<Flow, Fault> {
        let frame = self.transfer_mut()?;
        let (from, chooser, strict, less) = (frame.from, frame.chooser, frame.strict, frame.bundle.less);
        if let Some(units) = frame.kept {
            return self.step_kept(units);
        }
        let Some((kinds, amount)) = frame.bundle.parts.first().copied() else {
            self.state.pop_frame();
            return Ok(Flow::Go);
        };
        if less > 0 {
            return self.leave_out();
        }
        let there: SmallVec<[(ResId, i32); 8]> = kinds
            .members(self.rules)
            .iter()
            .map(|res| (*res, self.available(from, *res)))
            .filter(|(_, have)| *have > 0)
            .collect();
        let total: i64 = there.iter().map(|(_, have)| i64::from(*have)).sum();
        if strict && total < i64::from(amount) {
            self.stuck();
            return Err(Fault::new(format!("{amount} {} must be paid, but only {total} are there", self.name(kinds))));
        }
        if there.len() <= 1 {
            self.transfer_mut()?.bundle.parts.remove(0);
            if let Some((res, have)) = there.first() {
                self.forced_kind(chooser, kinds, *res, amount.min(*have));
                self.send(*res, amount.min(*have))?;
            }
            return Ok(Flow::Go);
        }
        if total <= i64::from(amount) {
            // Everything goes, so there is no choice: one resource after the other.
            let (res, have) = there[0];
            let part = &mut self.transfer_mut()?.bundle.parts[0];
            part.1 = i32::try_from(total).unwrap_or(i32::MAX) - have;
            self.forced_kind(chooser, kinds, res, have);
            self.send(res, have)?;
            return Ok(Flow::Go);
        }
        let ask = if from == ResourceHolder::Supply { Ask::Gain(kinds, amount) } else { Ask::Pay(kinds, amount) };
        let mut options: Vec<Opt> = there.iter().map(|(res, _)| Opt::Value(Value::Res(*res))).collect();
        let later = self.owed_later();
        if let (ResourceHolder::Seat(payer), false) = (from, later.is_empty()) {
            let mut rest = self.transfer_mut()?.bundle.clone();
            rest.parts[0].1 -= 1;
            let leads_on = |option: &Opt| match option {
                Opt::Value(Value::Res(res)) => self.can_go_on(payer, &rest, &later, Some(*res)),
                _ => true,
            };
            if options.iter().any(leads_on) {
                options.retain(leads_on);
            }
            if let [only] = options.as_slice() {
                self.forced(Some(chooser), *only, 1);
                return self.answer_transfer(*only).map(|()| Flow::Go);
            }
        }
        let options = self.new_ways(chooser, options);
        Ok(self.ask(chooser, ask, options))
    }

    /// The costs of the action below that are still to be paid after this one.
    pub(crate) fn owed_later(&self) -> Vec<Bundle> {
        let below = self.state.frames().iter().rev().nth(1);
        let Some(Frame::Action(action)) = below.filter(|_| self.is_cost()) else { return Vec::new() };
        let costs = &self.rules.actions[action.action.index()].code(self.rules).costs;
        let mut locals = copied(&action.locals);
        let later = costs.iter().skip(action.paid as usize);
        later.map(|(price, _)| price.bundle(&self.eval(), &mut locals)).collect()
    }

    fn is_cost(&self) -> bool {
        matches!(self.state.top_frame(), Some(Frame::Transfer(frame)) if frame.strict)
    }

    /// Whether a payer who has just given one unit of a resource can pay the rest and the later costs.
    pub(crate) fn can_go_on(&self, payer: Seat, rest: &Bundle, later: &[Bundle], given: Option<ResId>) -> bool {
        let have = |res: ResId| self.state.amount(self.rules, payer, res) - i32::from(given == Some(res));
        let all: Vec<Bundle> = std::iter::once(rest).chain(later).cloned().collect();
        self.eval().can_pay_each(&all, &have)
    }

    fn new_ways(&self, chooser: Seat, options: Vec<Opt>) -> Vec<Opt> {
        if self.is_interrupted() { self.without_circles(chooser, options) } else { options }
    }

    pub(crate) fn answer_transfer(&mut self, option: Opt) -> Result<(), Fault> {
        let frame = self.transfer_mut()?;
        frame.begun = true;
        match option {
            Opt::Value(Value::Res(res)) if frame.bundle.less > 0 => self.answer_left_out(res),
            Opt::Value(Value::Res(res)) => {
                if let Some((_, amount)) = frame.bundle.parts.first_mut() {
                    *amount -= 1;
                }
                frame.bundle.parts.retain(|(_, amount)| *amount > 0);
                self.send(res, 1)
            }
            Opt::Value(Value::Piece(piece)) => self.answer_kept(piece),
            _ => Err(Fault::new("a resource or a piece was to be chosen")),
        }
    }

    // ---- costs from which units may be left out ----

    /// Leaves out one unit of a cost. If there is a choice, the payer says of which resource; the rest must be payable.
    fn leave_out(&mut self) -> Result<Flow, Fault> {
        let frame = self.transfer_mut()?;
        let (less, chooser) = (frame.bundle.less, frame.chooser);
        if frame.bundle.parts.iter().map(|(_, amount)| i64::from(*amount)).sum::<i64>() <= i64::from(less) {
            frame.bundle.parts.clear();
            return Ok(Flow::Go);
        }
        match self.parts_to_leave_out()?.as_slice() {
            [] => {
                self.stuck();
                Err(Fault::new("a cost cannot be paid, whatever is left out of it"))
            }
            [only] => {
                let only = *only;
                if let ResourceSel::One(res) = only {
                    self.forced(Some(chooser), Opt::Value(Value::Res(res)), 1);
                }
                self.transfer_mut()?.bundle.leave_out(only);
                Ok(Flow::Go)
            }
            parts => {
                let mut options: Vec<Opt> = Vec::new();
                for res in parts.iter().flat_map(|kinds| kinds.members(self.rules)) {
                    let option = Opt::Value(Value::Res(*res));
                    if !options.contains(&option) {
                        options.push(option);
                    }
                }
                Ok(self.ask(chooser, Ask::LeaveOut(less), options))
            }
        }
    }

    /// The parts of a cost from which the payer may leave out a unit. A group is not among them if a part inside it is: a unit
    /// left out of the narrower part leaves at least as many ways to pay the rest.
    fn parts_to_leave_out(&mut self) -> Result<SmallVec<[ResourceSel; 4]>, Fault> {
        let frame = self.transfer_mut()?;
        let (bundle, from) = (frame.bundle.clone(), frame.from);
        let later = self.owed_later();
        let payable = |kinds: ResourceSel| {
            let mut rest = bundle.clone();
            rest.leave_out(kinds);
            match from {
                ResourceHolder::Seat(payer) if later.is_empty() => self.eval().can_pay(payer, &rest),
                ResourceHolder::Seat(payer) => self.can_go_on(payer, &rest, &later, None),
                _ => true,
            }
        };
        let mut found: SmallVec<[ResourceSel; 4]> = SmallVec::new();
        for (kinds, _) in &bundle.parts {
            let members = kinds.members(self.rules);
            let inside = |other: &ResourceSel| other.members(self.rules).iter().all(|res| members.contains(res));
            if !found.iter().any(inside) && payable(*kinds) {
                found.push(*kinds);
            }
        }
        Ok(found)
    }

    fn answer_left_out(&mut self, res: ResId) -> Result<(), Fault> {
        let parts = self.parts_to_leave_out()?;
        let Some(part) = parts.iter().find(|kinds| kinds.members(self.rules).contains(&res)) else {
            return Err(Fault::new("this cannot be left out"));
        };
        self.transfer_mut()?.bundle.leave_out(*part);
        Ok(())
    }

    // ---- resources that are kept on pieces ----

    /// Moves units of one resource; if they are kept on pieces, unit by unit where there is a choice.
    fn send(&mut self, res: ResId, amount: i32) -> Result<(), Fault> {
        let frame = self.transfer_mut()?;
        frame.begun |= amount > 0;
        let (from, to) = (frame.from, frame.to);
        let on_pieces = |place: ResourceHolder| match place {
            ResourceHolder::Supply => false,
            ResourceHolder::Seat(_) => true,
            ResourceHolder::Piece(piece) => self.rules.keeps(piece, res).is_some(),
        };
        if self.rules.resources[res.index()].kept && (on_pieces(from) || on_pieces(to)) {
            self.transfer_mut()?.kept = Some(KeptUnits { res, left: amount, source: None });
            return Ok(());
        }
        self.shift(from, to, res, amount)
    }

    fn step_kept(&mut self, units: KeptUnits) -> Result<Flow, Fault> {
        let KeptUnits { res, left, source } = units;
        if left <= 0 {
            self.transfer_mut()?.kept = None;
            return Ok(Flow::Go);
        }
        let start = match source {
            Some(piece) => End::At(ResourceHolder::Piece(piece)),
            None => self.start_of(res, left)?,
        };
        let from = match start {
            End::At(place) if self.available(place, res) > 0 => place,
            End::OneOf(seat, options) => {
                let options = self.new_ways(seat, options);
                return Ok(self.ask(seat, Ask::From(res), options));
            }
            _ => return Err(Fault::new("resources are to come from pieces that do not hold them")),
        };
        let is_forced = source.is_none();
        match self.end_of(res, left)? {
            End::At(to) => {
                let most = self.most(from, to, res);
                let amount = if source.is_some() { 1 } else { left.min(most).max(1) };
                self.forced_ends(from, Some(to), is_forced, amount)?;
                self.pass_on(from, to, res, amount)?;
            }
            End::OneOf(seat, options) => {
                let options = self.new_ways(seat, options);
                self.forced_ends(from, None, is_forced, 1)?;
                return Ok(self.ask(seat, Ask::Keep(res), options));
            }
            End::Nowhere => {
                let amount = if source.is_some() { 1 } else { left.min(self.available(from, res)) };
                let by = self.transfer_mut()?.to;
                if let (ResourceHolder::Piece(piece), ResourceHolder::Seat(owner)) = (from, by)
                    && self.state.keeper(self.rules, piece, res) == Some(owner)
                {
                    // It would come back to its owner, who has no room elsewhere: it stays where it is.
                    self.arrived(amount)?;
                    return Ok(Flow::Go);
                }
                self.forced_ends(from, None, is_forced, amount)?;
                self.log.push(|| LogEntry::Lost { by, res, amount });
                if from == ResourceHolder::Supply {
                    self.arrived(left)?;
                } else {
                    self.pass_on(from, ResourceHolder::Supply, res, amount)?;
                }
            }
        }
        Ok(Flow::Go)
    }

    /// Where the next unit comes from.
    fn start_of(&mut self, res: ResId, left: i32) -> Result<End, Fault> {
        let ResourceHolder::Seat(owner) = self.transfer_mut()?.from else {
            return Ok(End::At(self.transfer_mut()?.from));
        };
        Ok(self.keeper_among(owner, res, left, |piece| self.state.held(self.rules, piece, res)))
    }

    /// Where the next unit goes.
    fn end_of(&mut self, res: ResId, left: i32) -> Result<End, Fault> {
        let to = self.transfer_mut()?.to;
        match to {
            ResourceHolder::Supply => Ok(End::At(to)),
            ResourceHolder::Piece(piece) => match self.eval().room_on(piece, res) {
                Some(0) => Ok(End::Nowhere),
                _ => Ok(End::At(to)),
            },
            ResourceHolder::Seat(owner) => {
                let eval = self.eval();
                Ok(self.keeper_among(owner, res, left, |piece| eval.room_on(piece, res).unwrap_or(0)))
            }
        }
    }

    /// The piece on which a player keeps a resource that gives or takes the next of `left` units. `most` says how many units a
    /// piece can give or take. If all that they can give or take is needed, the order makes no difference: it is the first.
    fn keeper_among(&self, owner: Seat, res: ResId, left: i32, most: impl Fn(PieceId) -> i32) -> End {
        let mut pieces: SmallVec<[PieceId; 8]> = SmallVec::new();
        let mut total = 0i32;
        for piece in self.state.keepers(self.rules, owner, res) {
            let units = most(piece);
            if units > 0 {
                pieces.push(piece);
                total = total.saturating_add(units);
            }
        }
        self.one_of(owner, &pieces, total <= left)
    }

    fn one_of(&self, owner: Seat, pieces: &[PieceId], all: bool) -> End {
        match pieces {
            [] => End::Nowhere,
            [only] => End::At(ResourceHolder::Piece(*only)),
            [first, ..] if all => End::At(ResourceHolder::Piece(*first)),
            _ => {
                let eval = self.eval();
                let mut options = Vec::new();
                for piece in pieces {
                    eval.push_distinct(Some(owner), &mut options, 0, Opt::Value(Value::Piece(*piece)));
                }
                match options.as_slice() {
                    [Opt::Value(Value::Piece(only))] => End::At(ResourceHolder::Piece(*only)),
                    _ => End::OneOf(owner, options),
                }
            }
        }
    }

    /// The largest amount that can move in one step.
    fn most(&self, from: ResourceHolder, to: ResourceHolder, res: ResId) -> i32 {
        let room = match to {
            ResourceHolder::Piece(piece) => self.eval().room_on(piece, res).unwrap_or(i32::MAX),
            _ => i32::MAX,
        };
        self.available(from, res).min(room)
    }

    fn answer_kept(&mut self, piece: PieceId) -> Result<(), Fault> {
        let frame = self.transfer_mut()?;
        let Some(units) = frame.kept else { return Err(Fault::new("a resource was to be chosen")) };
        let must_start = matches!(frame.from, ResourceHolder::Seat(_)) && units.source.is_none();
        if must_start && matches!(self.start_of(units.res, units.left)?, End::OneOf(..)) {
            let frame = self.transfer_mut()?;
            frame.kept = Some(KeptUnits { source: Some(piece), ..units });
            return Ok(());
        }
        let from = match units.source {
            Some(source) => ResourceHolder::Piece(source),
            None => match self.start_of(units.res, units.left)? {
                End::At(place) => place,
                _ => return Err(Fault::new("it is not known where the resources come from")),
            },
        };
        self.pass_on(from, ResourceHolder::Piece(piece), units.res, 1)
    }

    fn pass_on(&mut self, from: ResourceHolder, to: ResourceHolder, res: ResId, amount: i32) -> Result<(), Fault> {
        self.shift(from, to, res, amount)?;
        self.arrived(amount)
    }

    fn arrived(&mut self, amount: i32) -> Result<(), Fault> {
        let frame = self.transfer_mut()?;
        frame.kept = frame.kept.map(|units| KeptUnits { left: units.left - amount, source: None, ..units });
        Ok(())
    }

    // ---- choices that were made without asking, for the log ----

    /// Logs the only resource of a group that could be chosen.
    fn forced_kind(&mut self, chooser: Seat, kinds: ResourceSel, res: ResId, times: i32) {
        if let ResourceSel::Group(_) = kinds {
            self.forced(Some(chooser), Opt::Value(Value::Res(res)), times);
        }
    }

    /// Logs the only piece of a player that units can come from or go to.
    fn forced_keeper(&mut self, owner: Seat, piece: PieceId, times: i32) -> ResourceHolder {
        self.forced(Some(owner), Opt::Value(Value::Piece(piece)), times);
        ResourceHolder::Piece(piece)
    }

    /// Logs the pieces that units come from (unless the player was asked) and go to.
    fn forced_ends(
        &mut self,
        from: ResourceHolder,
        to: Option<ResourceHolder>,
        is_forced: bool,
        times: i32,
    ) -> Result<(), Fault> {
        let frame = self.transfer_mut()?;
        let (giver, taker) = (frame.from, frame.to);
        if let (ResourceHolder::Seat(owner), ResourceHolder::Piece(piece), true) = (giver, from, is_forced) {
            self.forced_keeper(owner, piece, times);
        }
        if let (ResourceHolder::Seat(owner), Some(ResourceHolder::Piece(piece))) = (taker, to) {
            self.forced_keeper(owner, piece, times);
        }
        Ok(())
    }

    fn name(&self, kinds: ResourceSel) -> String {
        match kinds {
            ResourceSel::None => "nothing".into(),
            ResourceSel::One(res) => self.rules.resources[res.index()].name.clone(),
            ResourceSel::Group(group) => self.rules.groups[group.index()].name.clone(),
        }
    }
}
