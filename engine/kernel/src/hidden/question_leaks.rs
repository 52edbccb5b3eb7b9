//! Questions must not leak: whether a player is asked, and how often, must not tell others what they cannot see.
//!
//! A choice with one option is not asked, and an impossible step is not offered; but only if everybody sees why. If the
//! reason depends on a piece that somebody does not see, the question is asked anyway, with the few answers there are.
//!
//! Example: "choose a red card of your hand". If the player has one red card and were not asked, the others would know
//! that there is only one.
//!
//! `flow/feasible/for_others.rs` decides what others can know of a choice. This file decides what the asked player is told.

use rulepack_model::{PieceId, Seat};

use crate::eval::expressions::Eval;
use crate::flow::decision::Opt;
use crate::flow::machine::Machine;
use crate::hidden::sight::{Sight, Viewer};
use crate::rules::ruleset::Audience;

impl Eval<'_> {
    /// Whether all players see a piece and its variables, judging by its zone and by how it lies. A player who is only now looking at it
    /// did not know before what would be asked.
    pub(crate) fn is_open(&self, piece: PieceId) -> bool {
        let lies_open = |viewer| Sight::new(self.rules, self.state, viewer).lies_open(piece);
        if self.rules.has_secrets() && self.has_hidden_variables(piece) {
            return false;
        }
        lies_open(Viewer::Public) || self.rules.seats().all(|seat| lies_open(Viewer::Seat(seat)))
    }

    /// Whether somebody does not see a variable of a piece.
    fn has_hidden_variables(&self, piece: PieceId) -> bool {
        self.state.variables_of(self.rules, piece).any(|(_, var, _)| var.visible != Audience::All)
    }

    /// Whether a player who is asked about a piece is told which one it is.
    #[cold]
    pub(crate) fn may_choose_by_name(&self, asked: Seat, piece: PieceId) -> bool {
        Sight::new(self.rules, self.state, Viewer::Seat(asked)).may_choose_by_name(piece)
    }
}

impl Machine<'_> {
    /// Sorts the options that the asked player does not see by the order of the rules, so that the question does not
    /// tell the order of a deck, or the order in which a hand was drawn. Face-down pieces are not named, and keep their
    /// places.
    #[inline]
    pub(crate) fn put_in_order(&mut self, asked: Seat) {
        let (rules, pieces) = (self.rules, self.state.stored().pieces);
        // Usually there are none.
        let may_hide = |option: &Opt| {
            option.piece().is_some_and(|piece| {
                let zone = rules.spaces(pieces[piece.index()].zone);
                !zone.is_open && zone.open_to != Some(asked)
            })
        };
        if self.options.len() > 1 && self.options.iter().any(may_hide) {
            self.put_hidden_in_order(asked);
        }
        if rules.facts.has_sorted_zones {
            self.put_sorted_in_order(asked);
        }
    }

    /// Lists the pieces of a sorted zone in the order in which the asked player sees them.
    #[inline(never)]
    fn put_sorted_in_order(&mut self, asked: Seat) {
        let (rules, state) = (self.rules, &*self.state);
        let sight = Sight::new(rules, state, Viewer::Seat(asked));
        // Options that differ only in the piece, which lies in this zone.
        let group = |option: &Opt| {
            let piece = option.piece()?;
            let zone = state.piece(piece).zone;
            (rules.is_sorted(zone) && sight.sees(piece)).then(|| ((*option).with_piece(PieceId(0)), zone))
        };
        let mut start = 0;
        while let Some(first) = self.options.get(start) {
            let Some(first) = group(first) else {
                start += 1;
                continue;
            };
            let alike = self.options[start + 1..].iter().take_while(|option| group(option) == Some(first)).count();
            let options = &mut self.options[start..=start + alike];
            let place = |option: &Opt| option.piece().map(|piece| rules.sort_place(first.1, piece));
            if !options.is_sorted_by_key(place) {
                options.sort_by_key(place);
            }
            start += options.len();
        }
    }

    #[inline(never)]
    fn put_hidden_in_order(&mut self, asked: Seat) {
        let (rules, state) = (self.rules, &*self.state);
        let sight = Sight::new(rules, state, Viewer::Seat(asked));
        let may_look = sight.may_look();
        // Usually the player sees the pieces in question.
        let sees = |piece| may_look && sight.looks_at(piece) || sight.lies_open(piece);
        let key = |option: &Opt| {
            let piece = option.piece()?;
            let lies = state.piece(piece);
            let is_hidden = !lies.face_down && !rules.spaces(lies.zone).is_open && !sees(piece);
            is_hidden.then(|| (*option).with_piece(PieceId(0)))
        };
        let mut start = 0;
        while start < self.options.len() {
            let mut end = start + 1;
            if let Some(kind) = key(&self.options[start]) {
                while self.options.get(end).is_some_and(|option| key(option) == Some(kind)) {
                    end += 1;
                }
                let called = |option: &Opt| option.piece().map(|piece| (rules.called(piece), rules.type_of(piece)));
                self.options[start..end].sort_by_key(called);
            }
            start = end;
        }
    }
}
