//! The same game as far as one player knows: what that player cannot see is shuffled among its places.
//!
//! Bots search in such games, never in the true one; and whoever compares what a player sees in both knows whether
//! something hidden shows.

use std::sync::Arc;

use rulepack_model::{PieceId, Seat};

use crate::decision::Opt;
use crate::fault::Fault;
use crate::frame::{Frame, Place};
use crate::game::Game;
use crate::host::EffectHost;
use crate::log::Event;
use crate::rng::Rng;
use crate::ruleset::Ruleset;
use crate::sight::{Sight, Viewer};
use crate::state::{NONE, State};
use crate::value::Value;

/// Which piece lies where another one lay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange(Vec<u32>);

impl Exchange {
    /// The piece that takes the place of another one.
    pub fn of(&self, piece: PieceId) -> PieceId {
        PieceId(self.0[piece.index()])
    }

    /// How many pieces change their place.
    pub fn len(&self) -> usize {
        self.0.iter().enumerate().filter(|(index, to)| *index as u32 != **to).count()
    }

    /// Whether everything stays where it is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn link(&self, piece: u32) -> u32 {
        if piece == NONE { NONE } else { self.0[piece as usize] }
    }

    /// What would have happened to the other piece.
    pub fn event(&self, event: &Event) -> Event {
        let mut event = event.clone();
        let value = |value: &mut Value| {
            if let Value::Piece(piece) = value {
                *piece = self.of(*piece);
            }
        };
        match &mut event {
            Event::ActionTaken { args, .. } => args.iter_mut().for_each(value),
            Event::Chose { option: Opt::Action(_, chosen) | Opt::Free(_, chosen) | Opt::Value(chosen), .. } => {
                value(chosen);
            }
            Event::Moved { piece, .. } | Event::Flipped { piece } => *piece = self.of(*piece),
            Event::Laid { piece, on, .. } => {
                *piece = self.of(*piece);
                *on = self.of(*on);
            }
            Event::Transferred { from, to, .. } => {
                for place in [from, to] {
                    if let Place::Piece(piece) = place {
                        *piece = self.of(*piece);
                    }
                }
            }
            _ => {}
        }
        event
    }
}

impl Game {
    /// The same game with the pieces that a player cannot see shuffled among their places, and which went where; pieces
    /// stay among those with the same back. What is in use at the moment, and the pieces of `keep`, stay where they are.
    /// Nothing while a script waits, or while free actions are under way: what they know cannot be changed.
    ///
    /// # Errors
    /// If the pack fails from there.
    pub fn resampled(
        &self,
        host: &dyn EffectHost,
        seat: Seat,
        seed: u64,
        keep: &[PieceId],
    ) -> Result<Option<(Game, Exchange)>, Fault> {
        if self.origin.is_some() || !self.state().seen.is_empty() {
            return Ok(None);
        }
        let (rules, state) = (self.rules(), self.state());
        let mut fixed = vec![false; rules.pieces.len()];
        for piece in keep.iter().copied().chain(in_use(state)) {
            fixed[piece.index()] = true;
        }
        // Whoever is asked to choose a piece may know which one it is.
        if let Some(decision) = self.decision().filter(|decision| decision.seat == seat) {
            for option in &decision.options {
                if let Opt::Action(_, Value::Piece(piece))
                | Opt::Free(_, Value::Piece(piece))
                | Opt::Value(Value::Piece(piece)) = option
                {
                    fixed[piece.index()] = true;
                }
            }
        }
        let sight = Sight::new(rules, state, Viewer::Seat(seat));
        let mut groups: std::collections::BTreeMap<_, Vec<u32>> = std::collections::BTreeMap::new();
        for piece in (0..rules.pieces.len()).map(PieceId::from) {
            let lies = state.piece(piece);
            let bare = lies.host == NONE && !lies.face_down && !lies.flipped && holds_nothing(rules, state, piece);
            let alone = bare && state.attached(piece).next().is_none();
            if alone && !fixed[piece.index()] && !sight.sees(piece) {
                let back = (rules.widest_kind(piece), rules.back(piece));
                groups.entry(back).or_default().push(piece.0);
            }
        }
        let mut exchange: Vec<u32> = (0..rules.pieces.len() as u32).collect();
        let mut rng = Rng::new(seed);
        for group in groups.values() {
            let mut shuffled = group.clone();
            rng.shuffle(&mut shuffled);
            for (from, to) in group.iter().zip(shuffled) {
                exchange[*from as usize] = to;
            }
        }
        let exchange = Exchange(exchange);
        let mut other = state.clone();
        for (index, piece) in state.pieces.iter().enumerate() {
            let mut piece = *piece;
            piece.host = exchange.link(piece.host);
            piece.previous = exchange.link(piece.previous);
            piece.next = exchange.link(piece.next);
            other.pieces[exchange.0[index] as usize] = piece;
        }
        for chain in &mut other.zones {
            chain.first = exchange.link(chain.first);
            chain.last = exchange.link(chain.last);
        }
        other.changed = crate::parts::Parts::ALL;
        let game = Game::from_state(Arc::clone(rules), other, host)?;
        Ok(Some((game, exchange)))
    }
}

fn holds_nothing(rules: &Ruleset, state: &State, piece: PieceId) -> bool {
    (0..rules.resources.len()).all(|res| state.held(rules, piece, rulepack_model::ResId::from(res)) == 0)
}

/// The pieces that something on the stack or a variable speaks of.
fn in_use(state: &State) -> Vec<PieceId> {
    let mut pieces: Vec<PieceId> = state.vars.iter().filter_map(|value| value.piece()).collect();
    let mut values = |values: &[Value]| pieces.extend(values.iter().filter_map(|value| value.piece()));
    for frame in &state.frames {
        match frame {
            Frame::Action(action) => values(&action.locals),
            Frame::Run(run) => {
                values(&run.locals);
                run.lists.iter().for_each(|(items, _)| values(items));
                let looked: Vec<Value> = run.looks.iter().map(|(_, piece)| Value::Piece(*piece)).collect();
                values(&looked);
            }
            Frame::Event(event) => {
                values(&event.args);
                let queue: Vec<Value> = event.queue.iter().map(|(piece, _)| Value::Piece(*piece)).collect();
                values(&queue);
            }
            Frame::Script(script) => {
                values(&script.args);
                values(&[script.this.map_or(Value::Nil, Value::Piece)]);
            }
            Frame::Ask(ask) => {
                let asked = ask.options.iter().map(|option| match option {
                    Opt::Value(value) => *value,
                    _ => Value::Nil,
                });
                values(&asked.collect::<Vec<_>>());
            }
            Frame::Transfer(transfer) => {
                let source = transfer.kept.and_then(|units| units.source).map_or(Value::Nil, Value::Piece);
                let ends = [transfer.from, transfer.to].map(|place| match place {
                    Place::Piece(piece) => Value::Piece(piece),
                    _ => Value::Nil,
                });
                values(&[ends[0], ends[1], source]);
            }
            Frame::Phase(_) | Frame::Pause(_) => {}
        }
    }
    pieces
}
