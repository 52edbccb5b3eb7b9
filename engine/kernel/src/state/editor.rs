//! Setting a table up by hand, for scenarios: pieces, resources, variables, whose turn it is.
//!
//! The stack of frames stays, except for counters and for turns that are begun anew; the table changes. Every change has a
//! source and a destination, unless a supply is set outright.

use std::sync::Arc;

use rulepack_model::{PieceId, ResId, Seat, TypeId, VarId};

use crate::eval::expressions::Eval;
use crate::flow::decision::Ask;
use crate::flow::fault::Fault;
use crate::flow::frame::{Frame, PhaseFrame};
use crate::flow::game::Game;
use crate::flow::host::EffectHost;
use crate::flow::log::LogEntry;
use crate::rules::ruleset::{Order, PhaseBody, Ruleset, Scope, Until, Visibility};
use crate::state::table::State;
use crate::state::value::{Cell, Value, ZoneIx};

/// Why a table cannot be set up.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// It is not possible with these rules and pieces.
    #[error("{0}")]
    Impossible(String),
    /// More pieces are in a zone than it can hold.
    #[error("`{name}` holds {most} pieces, and {there} are put there")]
    Crowded {
        /// The zone.
        zone: ZoneIx,
        /// Its name.
        name: String,
        /// How many pieces it can hold.
        most: usize,
        /// How many pieces it would hold.
        there: usize,
    },
    /// More of a resource is needed than there is.
    #[error("there are only {there} `{name}`, and {needed} are needed")]
    Short {
        /// The resource.
        res: ResId,
        /// Its name.
        name: String,
        /// How many units there are.
        there: i32,
        /// How many units are needed.
        needed: i32,
    },
    /// The pack failed when the game went on from the table.
    #[error("the game cannot go on from this table: {0}")]
    Fault(#[from] Fault),
}

impl EditError {
    /// An error with this message.
    pub fn impossible(message: impl Into<String>) -> Self {
        EditError::Impossible(message.into())
    }
}

impl Game {
    /// Like [`Game::start`], with the results of the first rolls fixed. Returns the events, too.
    ///
    /// # Errors
    /// If the pack fails.
    pub fn start_with_rolls(
        rules: Arc<Ruleset>,
        seed: u64,
        rolls: &[u32],
        host: &dyn EffectHost,
    ) -> Result<(Game, Vec<LogEntry>), Fault> {
        let mut state = State::new(&rules, seed);
        state.fix_rolls(rolls);
        if let Some(root) = rules.root {
            state.push_frame(Frame::Phase(PhaseFrame::new(root)));
        }
        Game::told_from(rules, state, host)
    }

    /// The same game with another table. It runs on from there to its next question. Returns the events up to it, too.
    ///
    /// # Errors
    /// If the table is impossible, if the pack fails, or while a script waits: what the script has read already cannot be
    /// changed.
    pub fn edited(
        &self,
        host: &dyn EffectHost,
        edit: impl FnOnce(&mut Editor<'_>) -> Result<(), EditError>,
    ) -> Result<(Game, Vec<LogEntry>), EditError> {
        if self.script_checkpoint.is_some() {
            return Err(EditError::impossible("a script waits for an answer: the table cannot be changed here"));
        }
        let mut state = self.state().clone();
        state.forget_positions();
        let mut editor = Editor { rules: self.rules(), state: &mut state, host };
        edit(&mut editor)?;
        editor.state.count_kept(editor.rules);
        editor.check()?;
        Ok(Game::told_from(Arc::clone(self.rules()), state, host)?)
    }

    /// Whether the game waits for a player at turn to choose an action, in turns that go round more than once (or in
    /// any, if the game has no others).
    pub fn is_at_turn_menu(&self) -> bool {
        let menu = self.decision().is_some_and(|decision| matches!(decision.ask, Ask::Menu(..)));
        let turns = self.state().frames().iter().rev().find_map(|frame| match frame {
            Frame::Phase(phase) => match &self.rules().phases[phase.phase.index()].body {
                PhaseBody::Turns { until, .. } => Some(*until),
                _ => None,
            },
            _ => None,
        });
        let goes_round = |until: Until| until != Until::EachOnce;
        let any_goes_round = self
            .rules()
            .phases
            .iter()
            .any(|phase| matches!(phase.body, PhaseBody::Turns { until, .. } if goes_round(until)));
        menu && turns.is_some_and(|until| goes_round(until) || !any_goes_round)
    }
}

/// Changes a table.
pub struct Editor<'g> {
    rules: &'g Ruleset,
    state: &'g mut State,
    host: &'g dyn EffectHost,
}

impl Editor<'_> {
    /// The rules.
    pub fn rules(&self) -> &Ruleset {
        self.rules
    }

    /// The table as it is now.
    pub fn state(&self) -> &State {
        self.state
    }

    // ---- resources ----

    /// Gives a player an amount of a resource; the difference comes from or goes to the supply.
    ///
    /// Units of a resource that is kept on pieces are put on the player's pieces, on each as many as it has room for.
    ///
    /// # Errors
    /// If the player's pieces have no room for it.
    pub fn set_amount(&mut self, seat: Seat, res: ResId, amount: i32) -> Result<(), EditError> {
        if self.rules.resources[res.index()].kept {
            return self.set_kept(seat, res, amount);
        }
        let by = amount - self.state.amount(self.rules, seat, res);
        self.state.add(self.rules, seat, res, by);
        self.state.add_supply(self.rules, res, -by);
        Ok(())
    }

    fn set_kept(&mut self, seat: Seat, res: ResId, amount: i32) -> Result<(), EditError> {
        let pieces: Vec<PieceId> = self.state.keepers(self.rules, seat, res).collect();
        for piece in &pieces {
            self.set_held(*piece, res, 0)?;
        }
        let mut left = amount;
        for piece in pieces {
            let room = Eval::new(self.rules, self.state, self.host).room_on(piece, res).unwrap_or(0);
            self.set_held(piece, res, left.min(room))?;
            left -= left.min(room);
        }
        if left > 0 {
            let name = &self.rules.resources[res.index()].name;
            let message = format!("there is no room for {amount} `{name}` on the player's pieces: {left} too many");
            return Err(EditError::impossible(message));
        }
        Ok(())
    }

    /// Puts an amount of a resource on a piece; the difference comes from or goes to the supply.
    ///
    /// # Errors
    /// If the piece cannot hold it.
    pub fn set_held(&mut self, piece: PieceId, res: ResId, amount: i32) -> Result<(), EditError> {
        let by = amount - self.state.held(self.rules, piece, res);
        if !self.state.add_held(self.rules, piece, res, by) {
            let ty = &self.rules.types[self.rules.type_of(piece).index()];
            let res = &self.rules.resources[res.index()];
            return Err(EditError::impossible(format!("`{}` cannot hold `{}`", ty.name, res.name)));
        }
        self.state.add_supply(self.rules, res, -by);
        Ok(())
    }

    /// How much more of a resource lies on a piece than the piece has room for.
    pub fn excess(&self, piece: PieceId, res: ResId) -> Option<i64> {
        let left = Eval::new(self.rules, self.state, self.host).room_left(piece, res)?;
        (left < 0).then_some(-left)
    }

    /// Sets the amount in the supply. Units that are then nowhere are out of the game.
    ///
    /// # Errors
    /// If there would be more units than the rules allow.
    pub fn set_supply(&mut self, res: ResId, amount: i32) -> Result<(), EditError> {
        let by = amount - self.state.supply(self.rules, res);
        self.state.add_supply(self.rules, res, by);
        let resource = &self.rules.resources[res.index()];
        let total = self.state.total(self.rules, res);
        match resource.supply {
            Some(most) if total > i64::from(most) => {
                let message = format!(
                    "with {amount} `{}` in the supply there are {total}, and the box holds {most}: players and pieces have the rest",
                    resource.name
                );
                Err(EditError::impossible(message))
            }
            _ => Ok(()),
        }
    }

    // ---- variables and the flow ----

    /// Sets a variable. If a loop of phases counts with it, the loop goes on from there.
    pub fn set_var(&mut self, var: VarId, owner: Option<Value>, value: Value) {
        self.state.set_var(self.rules, var, owner, value);
        let rules = self.rules;
        for frame in self.state.frames_mut() {
            if let Frame::Phase(frame) = frame
                && let PhaseBody::Sequence { counter: Some(counter), .. } = &rules.phases[frame.phase.index()].body
                && *counter == var
            {
                frame.count = u32::try_from(value.int().saturating_sub(1)).unwrap_or(0);
            }
        }
    }

    /// Fixes the results of the next rolls.
    pub fn fix_rolls(&mut self, rolls: &[u32]) {
        self.state.fix_rolls(rolls);
    }

    /// Marks players as having passed, in this order. Nothing else that passing does happens.
    pub fn set_passed(&mut self, seats: &[Seat]) {
        self.state.set_passed(seats);
    }

    /// Puts players out of the game. Nothing else that putting them out does happens.
    pub fn set_eliminated(&mut self, seats: &[Seat]) {
        self.state.set_eliminated(seats);
    }

    /// The first player in the order of turns who has not passed and is not out.
    pub fn first_seat(&mut self) -> Option<Seat> {
        let order = self.turns().map(|(frame, ..)| frame.order.clone()).unwrap_or_default();
        let order = if order.is_empty() { self.rules.seats().collect() } else { order };
        order.into_iter().find(|seat| !self.state.has_passed(*seat) && !self.state.is_eliminated(*seat))
    }

    /// Makes a player the first in the order of turns.
    ///
    /// # Errors
    /// If nobody takes turns here, or in an order that does not begin with a player.
    pub fn set_first(&mut self, seat: Seat) -> Result<(), EditError> {
        let players = self.rules.players;
        let Some((frame, _, order, _)) = self.turns() else {
            return Err(EditError::impossible("nobody takes turns here"));
        };
        let around = |by: u8| match order {
            Order::CounterClockwise => Seat((seat.0 + players - by) % players),
            _ => Seat((seat.0 + by) % players),
        };
        if matches!(order, Order::Script(_)) {
            return Err(EditError::impossible("a script says whose turn it is here: nobody begins"));
        }
        frame.order = (0..players).map(around).collect();
        Ok(())
    }

    /// Makes it a player's turn, without doing what happens at the beginning of a turn.
    ///
    /// # Errors
    /// If nobody takes turns here.
    pub fn set_turn(&mut self, seat: Seat) -> Result<(), EditError> {
        let Some((frame, _, order, until)) = self.turns() else {
            return Err(EditError::impossible("nobody takes turns here"));
        };
        frame.seat = Some(seat);
        if until == Until::EachOnce && !matches!(order, Order::Script(_)) {
            let place = frame.order.iter().position(|known| *known == seat).unwrap_or(0);
            frame.count = place as u32 + 1;
        }
        self.state.set_active(Some(seat));
        Ok(())
    }

    /// Begins the present turn anew, with all that happens at its beginning.
    ///
    /// # Errors
    /// If nobody takes turns here.
    pub fn restart_turn(&mut self) -> Result<(), EditError> {
        let Some((_, turn, ..)) = self.turns() else {
            return Err(EditError::impossible("nobody takes turns here"));
        };
        let depth = self.turns_depth().map_or(0, |depth| depth + 1);
        self.state.truncate_frames(depth);
        self.state.push_frame(Frame::Phase(PhaseFrame::new(turn)));
        Ok(())
    }

    /// Sets the variables of a turn back to their start values.
    pub fn reset_turn_vars(&mut self) {
        self.state.reset_vars(self.rules, Scope::Turn);
    }

    fn turns_depth(&self) -> Option<usize> {
        let is_turns = |body: &PhaseBody| matches!(body, PhaseBody::Turns { .. });
        self.state.frames().iter().rposition(
            |frame| matches!(frame, Frame::Phase(frame) if is_turns(&self.rules.phases[frame.phase.index()].body)),
        )
    }

    /// The innermost phase with turns: its frame, the phase of one turn, the order of the players, and when it ends.
    fn turns(&mut self) -> Option<(&mut PhaseFrame, rulepack_model::PhaseId, Order, Until)> {
        let depth = self.turns_depth()?;
        let rules = self.rules;
        let Some(Frame::Phase(frame)) = self.state.frames_mut().get_mut(depth) else { return None };
        match &rules.phases[frame.phase.index()].body {
            PhaseBody::Turns { turn, order, until, .. } => Some((frame, *turn, *order, *until)),
            _ => None,
        }
    }

    // ---- pieces ----

    /// A copy of a type that can be put somewhere: preferably one in the zone where it starts, else one from a hidden zone of
    /// the table, else any. Copies that belong to `seat` come before those of other players.
    pub fn find_copy(&self, ty: TypeId, seat: Option<Seat>, is_used: impl Fn(PieceId) -> bool) -> Option<PieceId> {
        let copies = (0..self.rules.pieces.len()).map(PieceId::from);
        let of_type = |piece: &PieceId| self.rules.is_type(self.rules.type_of(*piece), ty);
        let usable = copies.filter(|piece| of_type(piece) && !is_used(*piece));
        usable.min_by_key(|piece| {
            let init = &self.rules.pieces[piece.index()];
            let now = self.state.piece(*piece);
            let zone = self.rules.zone_of(now.zone);
            let shared = self.rules.zone_owner(now.zone).is_none();
            let hidden = matches!(zone.visible, Visibility::None | Visibility::Top);
            let foreign = init.owner.is_some() && init.owner != seat;
            let rank = match (now.zone == init.zone, shared, hidden) {
                (true, ..) => 0,
                (false, true, true) => 1,
                (false, true, false) => 2,
                (false, false, _) => 3,
            };
            // Another printing is taken only if no copy of the type itself is left.
            let printed = self.rules.types[self.rules.type_of(*piece).index()].same_name;
            let other = self.rules.type_of(*piece) != ty && !printed;
            (other, foreign, rank, *piece)
        })
    }

    /// Takes everything off a piece: resources go to the supply, pieces to where they start.
    pub fn strip(&mut self, piece: PieceId, aside: Option<ZoneIx>) {
        for res in (0..self.rules.resources.len()).map(ResId::from) {
            let held = self.state.held(self.rules, piece, res);
            if held != 0 {
                self.state.add_held(self.rules, piece, res, -held);
                self.state.add_supply(self.rules, res, held);
            }
        }
        let riders: Vec<PieceId> = self.state.attached(piece).collect();
        for rider in riders {
            self.send_home(rider, aside);
        }
        self.state.set_face_down(piece, false);
        self.state.set_flipped(piece, false);
    }

    /// Puts a piece, stripped, under the others of the zone where it starts, or of `aside`.
    pub fn send_home(&mut self, piece: PieceId, aside: Option<ZoneIx>) {
        self.strip(piece, aside);
        let zone = aside.unwrap_or(self.rules.pieces[piece.index()].zone);
        let cells = self.rules.zone_of(zone).layout.cells();
        let free = |at: &u16| self.state.pieces_at(Cell { zone, at: *at }).next().is_none();
        let at = (0..cells).find(free).unwrap_or(0);
        self.state.place(piece, Cell { zone, at }, true);
    }

    /// Puts a piece, with all that lies on it, on a space: on top of what is there, or below it.
    ///
    /// # Errors
    /// If there is no such space.
    pub fn put(&mut self, piece: PieceId, to: Cell, bottom: bool) -> Result<(), EditError> {
        let zone = self.rules.zone_of(to.zone);
        if to.at >= zone.layout.cells().max(1) {
            return Err(EditError::impossible(format!("`{}` has no space {}", zone.name, to.at + 1)));
        }
        self.state.place(piece, to, bottom);
        Ok(())
    }

    /// Lays a piece on another one.
    ///
    /// # Errors
    /// If `on` lies on `piece`.
    pub fn lay(&mut self, piece: PieceId, on: PieceId) -> Result<(), EditError> {
        if self.state.lies_on(on, piece) {
            return Err(EditError::impossible("a piece cannot be laid on itself"));
        }
        self.state.lay(piece, on);
        Ok(())
    }

    /// Turns the back of a piece up or down.
    pub fn set_face_down(&mut self, piece: PieceId, down: bool) {
        self.state.set_face_down(piece, down);
    }

    /// Lets a player see a piece until it moves.
    pub fn look_lastingly(&mut self, seat: Seat, piece: PieceId) {
        self.state.look_lastingly(seat, piece);
    }

    /// Turns a piece to its other side or back.
    pub fn set_flipped(&mut self, piece: PieceId, flipped: bool) {
        self.state.set_flipped(piece, flipped);
    }

    /// Whether no supply is below zero, and no zone holds more pieces than it can.
    fn check(&self) -> Result<(), EditError> {
        for zone in (0..self.rules.zone_instances.len()).map(|index| ZoneIx(index as u16)) {
            let (declared, there) = (self.rules.zone_of(zone), self.state.zone_len(zone));
            if let Some(most) = declared.capacity.filter(|most| there > *most as usize) {
                return Err(EditError::Crowded { zone, name: declared.name.clone(), most: most as usize, there });
            }
        }
        for (index, resource) in self.rules.resources.iter().enumerate() {
            let res = ResId::from(index);
            let left = self.state.supply(self.rules, res);
            if left < 0 {
                let there = resource.supply.unwrap_or(0);
                return Err(EditError::Short { res, name: resource.name.clone(), there, needed: there - left });
            }
        }
        Ok(())
    }
}
