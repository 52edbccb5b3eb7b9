//! Moving pieces: from space to space, onto one another, turned over, shuffled, filled up; and who sees them meanwhile.

use rulepack_model::{PieceId, PromptId, Seat};
use smallvec::SmallVec;

use crate::flow::fault::Fault;
use crate::flow::frame::*;
use crate::flow::host::Destination;
use crate::flow::log::LogEntry;
use crate::flow::machine::Machine;
use crate::hidden::sight::{SeenBy, seen_by};
use crate::rules::facts::ZoneFacts;
use crate::rules::ruleset::{Layout, Row, Slide};
use crate::rules::shortcuts::ORACLE;
use crate::state::value::{Cell, Value, ZoneIx};

impl Machine<'_> {
    pub(crate) fn move_piece(
        &mut self,
        piece: PieceId,
        to: Cell,
        bottom: bool,
        facing: Option<bool>,
    ) -> Result<(), Fault> {
        let ZoneFacts { cells, capacity, out_of_game, .. } = self.rules.spaces(to.zone);
        if cells > 0 && to.at >= cells || cells == 0 && to.at > 0 {
            return Err(Fault::new(format!("`{}` has no such space", self.rules.zone_of(to.zone).name)));
        }
        let from = self.state.cell_of(piece);
        if let Some(capacity) = capacity
            && from.zone != to.zone
            && self.state.zone_len(to.zone) >= capacity as usize
        {
            return Err(Fault::new(format!("`{}` is full: it holds {capacity}", self.rules.zone_of(to.zone).name)));
        }
        self.may_leave(from.zone, out_of_game)?;
        self.foresees(piece);
        let before = self.seen_by(piece);
        self.pay_for_moving(piece)?;
        self.state.place(piece, to, bottom);
        self.piece_moved(piece, from.zone);
        if let Some(up) = facing {
            self.state.set_face_down(piece, !up);
        }
        let seen_after = self.seen_by(piece);
        let seen_by = before.or(seen_after);
        self.log.push(|| LogEntry::Moved { piece, from, to, seen_by, seen_after });
        Ok(())
    }

    /// Takes the cost of a move from the budget. If pieces lie on the piece, all pieces of its zone are visited.
    #[inline]
    fn pay_for_moving(&self, piece: PieceId) -> Result<(), Fault> {
        let effort = if self.state.has_riders(piece) { 8 * self.state.effort_of_riders(piece) } else { 0 };
        self.pay(1 + effort as usize)
    }

    /// Two pieces change places, each with what lies on it; in a pile each takes the other's place in the order.
    pub(crate) fn swap_pieces(&mut self, one: PieceId, other: PieceId) -> Result<(), Fault> {
        if one == other {
            return Ok(());
        }
        if self.state.lies_on(one, other) || self.state.lies_on(other, one) {
            return Err(Fault::new("a piece cannot change places with what lies on it"));
        }
        let (here, there) = (self.state.cell_of(one), self.state.cell_of(other));
        self.may_leave(here.zone, self.rules.spaces(there.zone).out_of_game)?;
        self.may_leave(there.zone, self.rules.spaces(here.zone).out_of_game)?;
        self.pay(self.state.zone_len(here.zone) + self.state.zone_len(there.zone))?;
        let pieces = [(one, here, there), (other, there, here)];
        for (piece, ..) in pieces {
            self.foresees(piece);
            self.pay_for_moving(piece)?;
        }
        let before = pieces.map(|(piece, ..)| self.seen_by(piece));
        self.state.exchange(one, other);
        for (piece, from, _) in pieces {
            self.piece_moved(piece, from.zone);
        }
        for ((piece, from, to), before) in pieces.into_iter().zip(before) {
            let seen_after = self.seen_by(piece);
            let seen_by = before.or(seen_after);
            self.log.push(|| LogEntry::Moved { piece, from, to, seen_by, seen_after });
        }
        Ok(())
    }

    pub(crate) fn lay_piece(&mut self, piece: PieceId, on: PieceId) -> Result<(), Fault> {
        // Without pieces on it, `on` cannot lie on it.
        if on == piece || self.state.has_riders(piece) && self.state.with_riders(piece).contains(&on) {
            return Err(Fault::new("a piece cannot be laid on itself"));
        }
        self.pay_for_moving(piece)?;
        let from = self.state.piece(piece).zone;
        self.may_leave(from, self.rules.spaces(self.state.piece(on).zone).out_of_game)?;
        self.foresees(piece);
        let before = self.seen_by(piece);
        self.state.lay(piece, on);
        self.piece_moved(piece, from);
        let seen_after = self.seen_by(piece);
        let seen_by = before.or(seen_after);
        self.log.push(|| LogEntry::Laid { piece, on, seen_by, seen_after });
        Ok(())
    }

    /// Refuses to move a piece back into the game. All players rely on it: an event for which no answering piece is left opens
    /// no window.
    #[inline]
    fn may_leave(&self, from: ZoneIx, to_out_of_game: bool) -> Result<(), Fault> {
        if to_out_of_game || !self.rules.spaces(from).out_of_game {
            return Ok(());
        }
        let name = &self.rules.zone_of(from).name;
        Err(Fault::new(format!("what lies in `{name}` is out of the game and cannot come back")))
    }

    /// Counts the kept resources on a piece that has moved: they now belong to the owner of its new zone.
    fn piece_moved(&mut self, piece: PieceId, from: ZoneIx) {
        if !self.state.rare().is_none() {
            self.state.forget_looks_at(piece);
        }
        if self.rules.facts.has_kept && self.carries_stock(piece) {
            self.state.stock_moved(self.rules, piece, from);
            if ORACLE {
                let mut counted = self.state.clone();
                counted.count_kept(self.rules);
                assert_eq!(
                    counted.stored().amounts,
                    self.state.stored().amounts,
                    "stock that moves along is counted along"
                );
            }
        }
    }

    /// Whether resources can be kept on a piece or on the pieces on it.
    #[inline]
    fn carries_stock(&self, piece: PieceId) -> bool {
        self.rules.keeps_anything(piece) || self.state.has_riders(piece) && self.riders_carry_stock(piece)
    }

    fn riders_carry_stock(&self, piece: PieceId) -> bool {
        self.state.with_riders(piece).into_iter().any(|rider| self.rules.keeps_anything(rider))
    }

    /// The viewers who see a piece at its place; only computed if the log is read.
    #[inline]
    fn seen_by(&self, piece: PieceId) -> SeenBy {
        if self.log.wanted { self.all_who_see(piece) } else { SeenBy::default() }
    }

    fn all_who_see(&self, piece: PieceId) -> SeenBy {
        let lookers = self.looks.iter().filter(|(_, seen)| *seen == piece).map(|(seat, _)| *seat);
        lookers.fold(seen_by(self.rules, self.state, piece), SeenBy::and_seat)
    }

    /// Moves pieces for a script.
    pub(crate) fn move_several(
        &mut self,
        pieces: &[PieceId],
        to: Destination,
        bottom: bool,
        facing: Option<bool>,
    ) -> Result<(), Fault> {
        for piece in pieces {
            let to = self.destination(to)?;
            self.move_piece(*piece, to, bottom, facing)?;
        }
        Ok(())
    }

    /// The space to which the next piece goes.
    fn destination(&mut self, to: Destination) -> Result<Cell, Fault> {
        match to {
            Destination::Zone(zone) => self.space_in(zone),
            Destination::Space(cell) => Ok(cell),
        }
    }

    /// Draws pieces for a script.
    pub(crate) fn draw_pieces(&mut self, count: i64, from: ZoneIx, to: Destination) -> Result<(), Fault> {
        for _ in 0..count.min(self.rules.pieces.len() as i64) {
            let Some(piece) = self.drawn_from(from)? else { break };
            let to = self.destination(to)?;
            self.move_piece(piece, to, false, None)?;
        }
        Ok(())
    }

    /// The next piece to be drawn from a zone, which is renewed if nothing is left in it.
    #[inline]
    pub(crate) fn drawn_from(&mut self, zone: ZoneIx) -> Result<Option<PieceId>, Fault> {
        self.pay(self.effort_of_top(zone))?;
        match self.state.top(self.rules, zone) {
            Some(piece) => Ok(Some(piece)),
            None => self.renewed(zone),
        }
    }

    /// Shuffles the zone from which an empty one is renewed into it.
    #[cold]
    #[inline(never)]
    fn renewed(&mut self, zone: ZoneIx) -> Result<Option<PieceId>, Fault> {
        let Some(source) = self.rules.zone_of(zone).renews_from else { return Ok(None) };
        let source = self.rules.zone_ix(source, self.rules.zone_owner(zone));
        let pieces: Vec<PieceId> = self.state.zone(source).collect();
        if pieces.is_empty() {
            return Ok(None);
        }
        // Which piece is drawn next depends on chance.
        self.unforeseen();
        self.pay(pieces.len())?;
        for piece in pieces {
            self.move_piece(piece, Cell { zone, at: 0 }, false, None)?;
        }
        self.shuffle_zone(zone)?;
        Ok(self.state.top(self.rules, zone))
    }

    /// Writes a line into the log: the title of a prompt, and values as each player sees them.
    pub(crate) fn note(&mut self, prompt: PromptId, values: Vec<Value>) {
        let (rules, state) = (self.rules, &*self.state);
        let who_sees = |value: &Value| value.piece().map_or(SeenBy::ALL, |piece| seen_by(rules, state, piece));
        self.log.push_large(values.len().max(1), || {
            let values = values.into_iter().map(|value| (value, who_sees(&value))).collect();
            LogEntry::Noted { prompt, values }
        });
    }

    /// Lets a player look at pieces until the running effect or script ends.
    pub(crate) fn look_at(&mut self, seat: Seat, pieces: &[PieceId], lasting: bool, looks: &mut Looks) {
        for piece in pieces {
            // Without budget the step fails anyway.
            if !self.state.fuel().burn_many(1 + looks.len() / 8) {
                return;
            }
            self.begin_look(seat, *piece, lasting, looks);
        }
        if let Some(first) = pieces.first() {
            let at = self.state.cell_of(*first);
            self.log.push_large(pieces.len(), || LogEntry::Looked { seat, at, pieces: pieces.to_vec() });
        }
    }

    fn begin_look(&mut self, seat: Seat, piece: PieceId, lasting: bool, looks: &mut Looks) {
        if lasting {
            self.state.look_lastingly(seat, piece);
        } else if !looks.contains(&(seat, piece)) {
            looks.push((seat, piece));
        }
    }

    /// Shows pieces to players, or to all. They see them until the running effect or script ends, or until each moves.
    pub(crate) fn show_pieces(
        &mut self,
        pieces: &[PieceId],
        to: Option<SmallVec<[Seat; 8]>>,
        lasting: bool,
        looks: &mut Looks,
    ) {
        let seats: Vec<Seat> = to.as_ref().map_or_else(|| self.rules.seats().collect(), |to| to.to_vec());
        for piece in pieces {
            if !self.state.fuel().burn_many(1 + seats.len() * (1 + looks.len() / 8)) {
                return;
            }
            seats.iter().for_each(|seat| self.begin_look(*seat, *piece, lasting, looks));
        }
        if let Some(first) = pieces.first() {
            let at = self.state.cell_of(*first);
            self.log.push_large(pieces.len(), || LogEntry::Shown { to, at, pieces: pieces.to_vec() });
        }
    }

    /// Discloses values to all players. All players see the pieces among them until the running effect or script ends.
    pub(crate) fn disclose(&mut self, values: Vec<Value>, prompt: Option<PromptId>, looks: &mut Looks) {
        for piece in values.iter().filter_map(|value| value.piece()).filter(|piece| !self.eval().is_open(*piece)) {
            if !self.state.fuel().burn_many(1 + looks.len() * usize::from(self.rules.players) / 8) {
                return;
            }
            for seat in self.rules.seats().filter(|seat| !looks.contains(&(*seat, piece))).collect::<Vec<_>>() {
                looks.push((seat, piece));
            }
        }
        self.log.push_large(values.len().max(1), || LogEntry::Disclosed { values, prompt });
    }

    pub(crate) fn flip_piece(&mut self, piece: PieceId) {
        self.state.set_flipped(piece, !self.state.piece(piece).flipped);
        self.log.push(|| LogEntry::Flipped { piece });
    }

    pub(crate) fn shuffle_zone(&mut self, zone: ZoneIx) -> Result<(), Fault> {
        self.unforeseen();
        let looks =
            self.state.frames().iter().filter_map(Frame::looks).chain([&self.looks]).map(Looks::len).sum::<usize>();
        self.pay(self.state.zone_len(zone) + looks)?;
        self.state.shuffle(self.rules, zone);
        // The running effect has no frame in the state: its looks at these pieces end here.
        self.looks.retain(|(_, piece)| self.state.piece(*piece).zone != zone);
        self.log.push(|| LogEntry::Shuffled { zone });
        Ok(())
    }

    /// The space for a piece that moves to a zone without naming a space: the first free one.
    pub(crate) fn space_in(&self, zone: ZoneIx) -> Result<Cell, Fault> {
        let declared = self.rules.zone_of(zone);
        let cells = declared.layout.cells();
        if cells == 0 {
            return Ok(Cell { zone, at: 0 });
        }
        (0..cells)
            .map(|at| Cell { zone, at })
            .find(|cell| self.state.pieces_at(*cell).next().is_none())
            .ok_or_else(|| Fault::new(format!("there is no free space in `{}`", declared.name)))
    }

    /// What it costs to find the top of a zone: in a zone with spaces, all pieces are visited.
    pub(crate) fn effort_of_top(&self, zone: ZoneIx) -> usize {
        let is_pile = self.rules.spaces(zone).cells == 0;
        if is_pile { 0 } else { self.state.zone_len(zone) / 8 }
    }

    /// Closes gaps, then fills empty spaces as long as there is something to fill them with.
    pub(crate) fn refill(&mut self, zone: ZoneIx) -> Result<(), Fault> {
        let declared = self.rules.zone_of(zone);
        let Some(source) = declared.refill else {
            return Err(Fault::new(format!("`{}` has no zone to be filled from", declared.name)));
        };
        let source = self.rules.zone_ix(source, self.rules.zone_owner(zone));
        let Layout::Row(Row { size, slide }) = declared.layout else {
            return Err(Fault::new(format!("`{}` is no row that can be filled", declared.name)));
        };
        self.pay(size as usize + self.state.zone_len(zone))?;
        // Spaces in the order in which they are filled: those furthest from the entrance first.
        let order: SmallVec<[u16; 16]> = match slide {
            Slide::EnterFirst => (0..size).rev().collect(),
            Slide::EnterLast | Slide::Never => (0..size).collect(),
        };
        if slide != Slide::Never {
            let mut target = 0;
            for at in &order {
                let standing: SmallVec<[PieceId; 4]> = self.state.pieces_at(Cell { zone, at: *at }).collect();
                if standing.is_empty() {
                    continue;
                }
                let to = Cell { zone, at: order[target] };
                target += 1;
                if to.at != *at {
                    for piece in standing {
                        self.move_piece(piece, to, false, None)?;
                    }
                }
            }
        }
        for at in order {
            let cell = Cell { zone, at };
            if self.state.pieces_at(cell).next().is_some() {
                continue;
            }
            let Some(piece) = self.drawn_from(source)? else { break };
            self.move_piece(piece, cell, false, Some(true))?;
        }
        Ok(())
    }
}
