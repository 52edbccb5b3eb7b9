//! The same game as far as one player knows: what that player cannot see is shuffled among its places.
//!
//! Bots search in such games, never in the true one; and whoever compares what a player sees in both knows whether
//! something hidden shows.

use std::sync::Arc;

use rulepack_expr::Subject;
use rulepack_model::{PieceId, ResId, Seat, VarId};

use crate::decision::Opt;
use crate::fault::Fault;
use crate::frame::{Frame, Looks, Place};
use crate::game::Game;
use crate::host::EffectHost;
use crate::log::Event;
use crate::rng::Rng;
use crate::ruleset::Ruleset;
use crate::sight::{Sight, Viewer};
use crate::state::{NONE, State};
use crate::value::Value;

/// How often it is tried to find something that another player could be asked about as well.
const MAX_TRIES: u32 = 8;

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
            Event::Chose { option: Opt::Action(_, chosen) | Opt::Free(_, chosen) | Opt::Value(chosen), .. }
            | Event::Forced { option: Opt::Value(chosen), .. } => {
                value(chosen);
            }
            Event::Moved { piece, .. } | Event::Flipped { piece } => *piece = self.of(*piece),
            Event::Laid { piece, on, .. } => {
                *piece = self.of(*piece);
                *on = self.of(*on);
            }
            Event::Lost { by: Place::Piece(piece), .. } => *piece = self.of(*piece),
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
    /// So does what another player is being asked about, unless the question can be asked all the same.
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
        let mut fixed = vec![false; self.rules().pieces.len()];
        for piece in keep.iter().copied().chain(in_use(self.state())) {
            fixed[piece.index()] = true;
        }
        let asked = self.decision().map(|decision| (decision.seat, decision.ask));
        let mut rng = Rng::new(seed);
        // Whoever is asked to choose a piece may know which one it is.
        if asked.is_none_or(|(asked, _)| asked != seat) {
            // What another player could not be asked about in this way, that player does not have.
            for _ in 0..MAX_TRIES {
                let (state, exchange) = self.shuffled(seat, &fixed, &mut rng);
                let Ok(game) = Game::from_state(Arc::clone(self.rules()), state, host) else { continue };
                if game.origin.is_none() && game.decision().map(|decision| (decision.seat, decision.ask)) == asked {
                    return Ok(Some((game, exchange)));
                }
            }
        }
        for option in self.decision().map_or(&[][..], |decision| &decision.options) {
            if let Opt::Action(_, Value::Piece(piece))
            | Opt::Free(_, Value::Piece(piece))
            | Opt::Value(Value::Piece(piece)) = option
            {
                fixed[piece.index()] = true;
            }
        }
        let (state, exchange) = self.shuffled(seat, &fixed, &mut rng);
        let game = Game::from_state(Arc::clone(self.rules()), state, host)?;
        Ok(Some((game, exchange)))
    }

    /// The state with the pieces that a player cannot see shuffled, except for those that are fixed.
    fn shuffled(&self, seat: Seat, fixed: &[bool], rng: &mut Rng) -> (State, Exchange) {
        let (rules, state) = (self.rules(), self.state());
        let sight = Sight::new(rules, state, Viewer::Seat(seat));
        let mut groups: std::collections::BTreeMap<_, Vec<u32>> = std::collections::BTreeMap::new();
        for piece in (0..rules.pieces.len()).map(PieceId::from) {
            let alone = state.piece(piece).host == NONE && state.attached(piece).next().is_none();
            if alone && is_bare(rules, state, piece) && !fixed[piece.index()] && !sight.sees(piece) {
                let back = (rules.widest_kind(piece), rules.back(piece));
                groups.entry(back).or_default().push(piece.0);
            }
        }
        let mut exchange: Vec<u32> = (0..rules.pieces.len() as u32).collect();
        for group in groups.values() {
            let mut shuffled = group.clone();
            rng.shuffle(&mut shuffled);
            for (from, to) in group.iter().zip(shuffled) {
                exchange[*from as usize] = to;
            }
        }
        let exchange = Exchange(exchange);
        let mut other = state.clone();
        other.chance.exchange(&exchange.0);
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
        other.renumber(|piece| exchange.link(piece));
        other.touch_all();
        (other, exchange)
    }
}

/// Whether nothing lies on a piece and no variable of it is set: that would go with it, and stay where it is.
fn is_bare(rules: &Ruleset, state: &State, piece: PieceId) -> bool {
    let holds_nothing = (0..rules.resources.len()).all(|res| state.held(rules, piece, ResId::from(res)) == 0);
    let owner = Some(Value::Piece(piece));
    let vars = rules.vars.iter().enumerate().filter(|(_, var)| matches!(var.subject, Subject::Piece(_)));
    holds_nothing && vars.into_iter().all(|(var, declared)| state.var(rules, VarId::from(var), owner) == declared.start)
}

/// The pieces that something on the stack or a variable speaks of.
fn in_use(state: &State) -> Vec<PieceId> {
    let looked = |looks: &Looks| -> Vec<Value> { looks.iter().map(|(_, piece)| Value::Piece(*piece)).collect() };
    let mut pieces: Vec<PieceId> = state.vars.iter().filter_map(|value| value.piece()).collect();
    let mut values = |values: &[Value]| pieces.extend(values.iter().filter_map(|value| value.piece()));
    for frame in &state.frames {
        match frame {
            Frame::Action(action) => values(&action.locals),
            Frame::Run(run) => {
                values(&run.locals);
                run.lists.iter().for_each(|(items, _)| values(items));
                values(&looked(&run.looks));
            }
            Frame::Event(event) => {
                values(&event.args);
                let queue: Vec<Value> = event.queue.iter().map(|(piece, _)| Value::Piece(*piece)).collect();
                values(&queue);
            }
            Frame::Script(script) => {
                values(&script.args);
                values(&[script.this.map_or(Value::Nil, Value::Piece)]);
                values(&looked(&script.looks));
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
