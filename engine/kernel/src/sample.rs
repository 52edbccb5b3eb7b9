//! The same game as far as one player knows: what that player cannot see is shuffled among its places.
//!
//! Bots search in such games, never in the true one; and whoever compares what a player sees in both knows whether
//! something hidden shows.

use rulepack_expr::Subject;
use rulepack_model::{PieceId, ResId, Seat, VarId};

use crate::decision::Opt;
use crate::disguise::Disguise;
use crate::fault::Fault;
use crate::frame::{Frame, Looks, Place};
use crate::game::Game;
use crate::host::EffectHost;
use crate::log::Event;
use crate::past::Past;
use crate::rng::Rng;
use crate::ruleset::Ruleset;
use crate::state::{NONE, State};
use crate::value::Value;

/// How often it is tried to find something that the player would not have noticed.
const MAX_TRIES: u32 = 8;
/// How often it is tried with two pieces more.
const MAX_SWAPS: u32 = 24;

/// Which piece lies where another one lay.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    to: Vec<u32>,
    gave_up: bool,
}

impl Exchange {
    fn nothing(pieces: usize) -> Exchange {
        Exchange { to: (0..pieces as u32).collect(), gave_up: false }
    }

    fn shuffling(groups: &[Vec<u32>], pieces: usize, rng: &mut Rng) -> Exchange {
        let mut exchange = Exchange::nothing(pieces);
        for group in groups {
            let mut shuffled = group.clone();
            rng.shuffle(&mut shuffled);
            for (from, to) in group.iter().zip(shuffled) {
                exchange.to[*from as usize] = to;
            }
        }
        exchange
    }

    /// The same, and two pieces of one group change places; nothing if no group has two.
    fn with_a_swap(&self, groups: &[Vec<u32>], rng: &mut Rng) -> Option<Exchange> {
        let groups: Vec<&Vec<u32>> = groups.iter().filter(|group| group.len() > 1).collect();
        let last = u32::try_from(groups.len()).ok().filter(|count| *count > 0)?;
        let group = groups[rng.below(last) as usize];
        let (one, two) = (rng.below(group.len() as u32) as usize, rng.below(group.len() as u32 - 1) as usize);
        let two = if two < one { two } else { two + 1 };
        let mut exchange = self.clone();
        exchange.to.swap(group[one] as usize, group[two] as usize);
        Some(exchange)
    }

    /// The same with one piece where it was: what took its place goes where the piece went.
    #[must_use]
    pub fn without(&self, piece: PieceId) -> Exchange {
        let mut exchange = self.clone();
        if let Some(taken) = self.to.iter().position(|to| *to == piece.0) {
            exchange.to[taken] = self.to[piece.index()];
            exchange.to[piece.index()] = piece.0;
        }
        exchange
    }

    /// Only two pieces that lie in each other's place.
    pub fn swap(pieces: usize, one: PieceId, two: PieceId) -> Exchange {
        let mut exchange = Exchange::nothing(pieces);
        exchange.to.swap(one.index(), two.index());
        exchange
    }

    /// The pieces that change their place, each with the piece that takes it.
    pub fn pairs(&self) -> impl Iterator<Item = (PieceId, PieceId)> + '_ {
        let all = self.to.iter().enumerate().map(|(from, to)| (PieceId::from(from), PieceId(*to)));
        all.filter(|(from, to)| from != to)
    }

    /// The piece that takes the place of another one.
    pub fn of(&self, piece: PieceId) -> PieceId {
        PieceId(self.to[piece.index()])
    }

    /// How many pieces change their place.
    pub fn len(&self) -> usize {
        self.pairs().count()
    }

    /// Whether everything stays where it is.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether everything stays where it is only because nothing else was found that would go unnoticed.
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }

    fn link(&self, piece: u32) -> u32 {
        if piece == NONE { NONE } else { self.to[piece as usize] }
    }

    /// What would have been chosen.
    pub fn option(&self, option: Opt) -> Opt {
        option.piece().map_or(option, |piece| option.with_piece(self.of(piece)))
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
            Event::Disclosed { values, .. } => values.iter_mut().for_each(value),
            Event::Chose { option, .. } | Event::Forced { option, .. } => *option = self.option(*option),
            Event::Looked { pieces, .. } => pieces.iter_mut().for_each(|piece| *piece = self.of(*piece)),
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
    /// The player is asked, and was told since the outermost script began, the same in both.
    /// If everything that could be shuffled would have been noticed, it is the same game ([`Exchange::gave_up`]).
    ///
    /// # Errors
    /// If a script cannot be run again.
    pub fn resampled(
        &self,
        host: &dyn EffectHost,
        seat: Seat,
        seed: u64,
        keep: &[PieceId],
    ) -> Result<(Game, Exchange), Fault> {
        let past = Past::of(self, host, seat)?;
        let start = self.origin.as_deref().unwrap_or(self.state());
        let mut fixed = past.known.clone();
        for piece in keep.iter().copied().chain(in_use(start)) {
            fixed[piece.index()] = true;
        }
        let mut offered = self.decision().map_or(&[][..], |decision| &decision.options).iter();
        let mut fix_offered = |fixed: &mut [bool]| {
            offered.by_ref().filter_map(|option| option.piece()).for_each(|piece| fixed[piece.index()] = true);
        };
        // Whoever is asked to choose a piece may know which one it is.
        if self.decision().is_some_and(|decision| decision.seat == seat) {
            fix_offered(&mut fixed);
        }
        let same = || (self.clone(), Exchange::nothing(fixed.len()));
        let mut rng = Rng::new(seed);
        let mut hidden = self.hidden(start, &fixed);
        for round in 0..2 {
            if round == 1 {
                // What another player could not be asked about in this way, that player does not have.
                let mut fixed = fixed.clone();
                fix_offered(&mut fixed);
                hidden = self.hidden(start, &fixed);
            }
            for _ in 0..MAX_TRIES {
                let exchange = Exchange::shuffling(&hidden, fixed.len(), &mut rng);
                if exchange.is_empty() && (round == 0 || !hidden.iter().any(|group| self.differ(group))) {
                    return Ok(same());
                }
                if let Some(game) = past.lead(self, host, exchanged(start, &exchange), &exchange) {
                    return Ok((game, exchange));
                }
            }
        }
        // Piece by piece: what would be noticed stays.
        let mut found = None;
        let mut best = Exchange::nothing(fixed.len());
        for _ in 0..MAX_SWAPS {
            let Some(exchange) = best.with_a_swap(&hidden, &mut rng) else { break };
            if let Some(game) = past.lead(self, host, exchanged(start, &exchange), &exchange) {
                best = exchange;
                found = Some(game);
            }
        }
        Ok(match found {
            Some(game) => (game, best),
            None => (self.clone(), Exchange { gave_up: hidden.iter().any(|group| self.differ(group)), ..best }),
        })
    }

    /// The same game with other pieces exchanged that a player cannot see; nothing if the player would have noticed.
    ///
    /// # Errors
    /// If a script cannot be run again.
    pub fn with_exchange(&self, host: &dyn EffectHost, seat: Seat, exchange: &Exchange) -> Result<Option<Game>, Fault> {
        let past = Past::of(self, host, seat)?;
        let start = self.origin.as_deref().unwrap_or(self.state());
        Ok(past.lead(self, host, exchanged(start, exchange), exchange))
    }

    /// The pieces that can change places: those that look alike from behind stand together.
    fn hidden(&self, start: &State, fixed: &[bool]) -> Vec<Vec<u32>> {
        let rules = self.rules();
        let mut groups: std::collections::BTreeMap<_, Vec<u32>> = std::collections::BTreeMap::new();
        for piece in (0..rules.pieces.len()).map(PieceId::from).filter(|piece| !fixed[piece.index()]) {
            let alone = start.piece(piece).host == NONE && start.attached(piece).next().is_none();
            if alone && is_bare(rules, start, piece) {
                groups.entry((rules.widest_kind(piece), rules.back(piece))).or_default().push(piece.0);
            }
        }
        groups.into_values().collect()
    }

    /// Whether not all of some pieces are called the same.
    fn differ(&self, pieces: &[u32]) -> bool {
        let called = |piece: &u32| self.rules().called(PieceId(*piece));
        pieces.iter().any(|piece| called(piece) != called(&pieces[0]))
    }
}

/// A state in which pieces have taken the places of others.
fn exchanged(state: &State, exchange: &Exchange) -> State {
    let mut other = state.clone();
    other.chance.exchange(&exchange.to);
    for (index, piece) in state.pieces.iter().enumerate() {
        let mut piece = *piece;
        piece.host = exchange.link(piece.host);
        piece.previous = exchange.link(piece.previous);
        piece.next = exchange.link(piece.next);
        other.pieces[exchange.to[index] as usize] = piece;
    }
    for chain in &mut other.zones {
        chain.first = exchange.link(chain.first);
        chain.last = exchange.link(chain.last);
    }
    other.renumber(|piece| exchange.link(piece));
    other.disguise = match other.seen.is_empty() {
        true => Disguise::default(),
        false => state.disguise.after(&exchange.to),
    };
    other.touch_all();
    other
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
