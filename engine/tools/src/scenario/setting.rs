//! Setting up the pieces of a scenario: copies are searched for, and pieces in the way go back to where they start.

use std::collections::BTreeSet;

use rulepack_kernel::{Cell, EditError, Editor, Value, ZoneIx};
use rulepack_model::{PieceId, ResId, Seat, Span, TypeId};

use super::names::Want;
use super::pieces::{Held, PieceSpec, Stack, ZoneSpec};

/// The pieces that a scenario puts into a zone.
#[derive(Debug, Clone)]
pub(super) struct ZoneGiven {
    pub(super) zone: ZoneIx,
    pub(super) spec: ZoneSpec,
    /// The key that says so.
    pub(super) at: Span,
}

/// Why a table is impossible, and which key of the scenario asks for it.
#[derive(Debug)]
pub(super) struct Misfit {
    pub(super) error: EditError,
    pub(super) at: Option<Span>,
}

/// The pieces while the table is set up.
pub(super) struct Setting {
    aside: Option<ZoneIx>,
    /// Pieces that the scenario has placed: they stay.
    used: BTreeSet<PieceId>,
    /// Spaces of rows that were emptied because the scenario wants their piece elsewhere.
    gaps: Vec<Cell>,
    /// Pieces that did not lie where they start, or belonged to another player.
    taken: Vec<Taken>,
    /// Pieces that may carry more than they have room for.
    laden: Vec<(PieceId, ResId, Span)>,
    /// The key of the scenario that is being carried out.
    at: Option<Span>,
}

/// A piece that was taken from elsewhere.
#[derive(Debug, Clone, Copy)]
pub(super) struct Taken {
    pub(super) piece: PieceId,
    pub(super) from: ZoneIx,
}

impl Setting {
    /// `aside` takes pieces that must leave a zone and have no other place.
    pub(super) fn new(aside: Option<ZoneIx>) -> Self {
        Setting { aside, used: BTreeSet::new(), gaps: Vec::new(), taken: Vec::new(), laden: Vec::new(), at: None }
    }

    /// Places the pieces of all given zones, and returns which were taken from elsewhere.
    pub(super) fn apply(mut self, editor: &mut Editor<'_>, zones: &[ZoneGiven]) -> Result<Vec<Taken>, Misfit> {
        match self.set_up(editor, zones) {
            Ok(()) => Ok(self.taken),
            Err(error) => Err(Misfit { error, at: self.at }),
        }
    }

    fn set_up(&mut self, editor: &mut Editor<'_>, zones: &[ZoneGiven]) -> Result<(), EditError> {
        self.clear(editor, zones);
        for given in zones {
            self.at = Some(given.at);
            self.fill(editor, given.zone, &given.spec)?;
        }
        // Tops and bottoms last: they must stay where they are.
        for given in zones {
            self.at = Some(given.at);
            self.fill_ends(editor, given.zone, &given.spec)?;
        }
        for given in zones {
            self.at = Some(given.at);
            self.refuse_rest(editor, given.zone, &given.spec)?;
        }
        self.at = None;
        self.close_gaps(editor, zones)?;
        self.refuse_excess(editor)
    }

    /// In the final table, no piece carries more than it has room for.
    fn refuse_excess(&mut self, editor: &mut Editor<'_>) -> Result<(), EditError> {
        for (piece, res, at) in &self.laden {
            self.at = Some(*at);
            if let Some(excess) = editor.excess(*piece, *res) {
                let ty = &editor.rules().ty(editor.rules().type_of(*piece)).name;
                let name = &editor.rules().resource(*res).name;
                return Err(EditError::impossible(format!(
                    "there is no room for so much `{name}` on `{ty}`: {excess} too many"
                )));
            }
        }
        Ok(())
    }

    /// The pieces that a zone must lose when it is given in this way.
    fn displaced(&self, editor: &Editor<'_>, zone: ZoneIx, spec: &ZoneSpec) -> Vec<PieceId> {
        let state = editor.state();
        let lies_there = |piece: &PieceId| match spec {
            ZoneSpec::All(_) => true,
            ZoneSpec::Spaces(spaces) => {
                spaces.iter().any(|(at, stack)| *at == state.piece(*piece).at && matches!(stack, Stack::Exactly(_)))
            }
            ZoneSpec::Count(_) | ZoneSpec::Part(_) => false,
        };
        let stands = |piece: &PieceId| state.host(*piece).is_none() && !self.used.contains(piece);
        state.zone(zone).filter(lies_there).filter(stands).collect()
    }

    /// Sends pieces out of a zone. Pieces that are where they start can only be taken from there.
    fn clear(&self, editor: &mut Editor<'_>, zones: &[ZoneGiven]) {
        for ZoneGiven { zone, spec, .. } in zones {
            for piece in self.displaced(editor, *zone, spec) {
                if editor.rules().piece(piece).zone != *zone {
                    editor.send_home(piece, None);
                }
            }
        }
    }

    fn fill(&mut self, editor: &mut Editor<'_>, zone: ZoneIx, spec: &ZoneSpec) -> Result<(), EditError> {
        match spec {
            ZoneSpec::Count(_) => {}
            ZoneSpec::All(pieces) => {
                for piece in pieces {
                    self.place(editor, piece, Cell { zone, at: 0 }, false)?;
                }
            }
            ZoneSpec::Spaces(spaces) => {
                for (at, stack) in spaces {
                    let Stack::Exactly(pieces) = stack else { continue };
                    for piece in pieces {
                        self.place(editor, piece, Cell { zone, at: *at }, false)?;
                    }
                }
            }
            ZoneSpec::Part(part) => {
                for spec in &part.pieces {
                    let is_free = |piece: &PieceId| {
                        spec.which.includes(editor.rules(), editor.rules().type_of(*piece))
                            && editor.state().host(*piece).is_none()
                            && !self.used.contains(piece)
                    };
                    let there = editor.state().zone(zone).find(is_free);
                    match there {
                        Some(piece) => {
                            self.used.insert(piece);
                            self.describe(editor, piece, spec)?;
                        }
                        None => drop(self.place(editor, spec, Cell { zone, at: 0 }, false)?),
                    }
                }
            }
        }
        Ok(())
    }

    fn fill_ends(&mut self, editor: &mut Editor<'_>, zone: ZoneIx, spec: &ZoneSpec) -> Result<(), EditError> {
        let mut ends: Vec<(u16, &[PieceSpec], bool)> = Vec::new();
        match spec {
            ZoneSpec::Part(part) => ends.extend([(0, part.top.as_slice(), false), (0, part.bottom.as_slice(), true)]),
            ZoneSpec::Spaces(spaces) => ends.extend(spaces.iter().filter_map(|(at, stack)| match stack {
                Stack::Top(pieces) => Some((*at, pieces.as_slice(), false)),
                _ => None,
            })),
            _ => {}
        }
        for (at, pieces, bottom) in ends {
            // The first of them is the outermost.
            for piece in pieces.iter().rev() {
                self.place(editor, piece, Cell { zone, at }, bottom)?;
            }
        }
        let mut places: Vec<(u16, usize, &PieceSpec)> = Vec::new();
        match spec {
            ZoneSpec::Part(part) => places.extend(part.places.iter().map(|(place, spec)| (0, *place, spec))),
            ZoneSpec::Spaces(spaces) => {
                for (at, stack) in spaces {
                    if let Stack::Places(pieces) = stack {
                        places.extend(pieces.iter().map(|(place, spec)| (*at, *place, spec)));
                    }
                }
            }
            _ => {}
        }
        for (at, place, spec) in places {
            self.place_below(editor, spec, Cell { zone, at }, place)?;
        }
        Ok(())
    }

    /// Puts a piece at a place of a pile, counted from the top.
    fn place_below(
        &mut self,
        editor: &mut Editor<'_>,
        spec: &PieceSpec,
        to: Cell,
        place: usize,
    ) -> Result<(), EditError> {
        let piece = self.place(editor, spec, to, false)?;
        let stands = |other: &PieceId| editor.state().host(*other).is_none() && *other != piece;
        let others: Vec<PieceId> = editor.state().pieces_at(to).filter(stands).collect();
        let all = others.len().saturating_add(1);
        let Some(below) = all.checked_sub(place) else {
            let name = &editor.rules().zone_of(to.zone).name;
            let message = format!("`{name}` has no place {place} from the top: {all} lie there");
            return Err(EditError::impossible(message));
        };
        for above in others.iter().skip(below) {
            editor.put(*above, to, false)?;
        }
        Ok(())
    }

    /// The other pieces of a zone that is given completely must leave it.
    fn refuse_rest(&self, editor: &mut Editor<'_>, zone: ZoneIx, spec: &ZoneSpec) -> Result<(), EditError> {
        for piece in self.displaced(editor, zone, spec) {
            if self.aside.is_none_or(|aside| aside == zone) {
                let ty = &editor.rules().ty(editor.rules().type_of(piece)).name;
                let name = &editor.rules().zone_of(zone).name;
                return Err(EditError::impossible(format!(
                    "`{ty}` starts in `{name}`, and `{name}` is to hold other pieces only: \
                     say with `aside = \"ZONE\"` under `[given]` where the rest goes"
                )));
            }
            editor.send_home(piece, self.aside);
        }
        Ok(())
    }

    fn take(&mut self, editor: &mut Editor<'_>, ty: TypeId, seat: Option<Seat>) -> Result<PieceId, EditError> {
        let Some(piece) = editor.find_copy(ty, seat, |piece| self.used.contains(&piece)) else {
            let name = &editor.rules().ty(ty).name;
            let copies = editor.rules().pieces.iter().filter(|piece| editor.rules().is_type(piece.ty, ty)).count();
            return Err(EditError::impossible(format!("there are only {copies} copies of `{name}` in this game")));
        };
        let from = editor.state().cell_of(piece);
        let zone = editor.rules().zone_of(from.zone);
        if zone.layout.has_spaces() && zone.refill.is_some() && editor.state().host(piece).is_none() {
            self.gaps.push(from);
        }
        self.used.insert(piece);
        editor.strip(piece, None);
        Ok(piece)
    }

    fn place(
        &mut self,
        editor: &mut Editor<'_>,
        spec: &PieceSpec,
        to: Cell,
        bottom: bool,
    ) -> Result<PieceId, EditError> {
        self.at = Some(spec.at);
        // In a zone of the table, the piece is one of the player to whom it is to belong.
        let seat = editor.rules().zone_owner(to.zone).or_else(|| spec.owner(editor.rules()));
        let Some(ty) = spec.which.ty() else { return Err(EditError::impossible("the piece is not given")) };
        let piece = self.take(editor, ty, seat)?;
        let from = editor.state().cell_of(piece).zone;
        let owner = editor.rules().zone_owner(from);
        let is_foreign = owner.is_some() && owner != seat;
        if from != to.zone && (is_foreign || from != editor.rules().piece(piece).zone) {
            self.taken.push(Taken { piece, from });
        }
        editor.put(piece, to, bottom)?;
        self.describe(editor, piece, spec)?;
        Ok(piece)
    }

    /// Gives a piece the described properties; others stay as they are.
    fn describe(&mut self, editor: &mut Editor<'_>, piece: PieceId, spec: &PieceSpec) -> Result<(), EditError> {
        if let Some(down) = spec.face_down {
            editor.set_face_down(piece, down);
        }
        if let Some(flipped) = spec.flipped {
            editor.set_flipped(piece, flipped);
        }
        for seat in spec.seen_by.iter().flatten() {
            editor.look_lastingly(*seat, piece);
        }
        for Held { res, amount, at } in &spec.held {
            self.at = Some(*at);
            editor.set_held(piece, *res, *amount)?;
            self.laden.push((piece, *res, *at));
        }
        for (var, want) in &spec.vars {
            if let Want::Is(value) = want {
                editor.set_var(*var, Some(Value::Piece(piece)), *value);
            }
        }
        if let Some(riders) = &spec.on {
            let before: Vec<PieceId> = editor.state().attached(piece).collect();
            for rider in before {
                editor.send_home(rider, None);
            }
            for rider in riders {
                let at = editor.state().cell_of(piece);
                let rider = self.place(editor, rider, at, false)?;
                editor.lay(rider, piece)?;
            }
        }
        Ok(())
    }

    /// Fills up a row that lost a piece, from the bottom of its deck: the top may be given.
    fn close_gaps(&self, editor: &mut Editor<'_>, zones: &[ZoneGiven]) -> Result<(), EditError> {
        for gap in &self.gaps {
            let is_given = zones.iter().any(|ZoneGiven { zone, spec, .. }| {
                *zone == gap.zone
                    && matches!(spec, ZoneSpec::Spaces(spaces) if spaces.iter().any(|(at, _)| *at == gap.at))
            });
            if is_given || editor.state().pieces_at(*gap).next().is_some() {
                continue;
            }
            let Some(source) = editor.rules().zone_of(gap.zone).refill else { continue };
            let source = editor.rules().zone_ix(source, editor.rules().zone_owner(gap.zone));
            let next = editor.state().zone(source).find(|piece| !self.used.contains(piece));
            if let Some(piece) = next {
                editor.put(piece, *gap, false)?;
            }
        }
        Ok(())
    }
}
