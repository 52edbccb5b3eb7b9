//! Resampling: a game that looks the same to one player, with the pieces that this player cannot see shuffled.
//!
//! Leak tests compare what a player sees in both. Bots search on tables from `sampler.rs` instead: there a face-down piece that is
//! offered is dealt out like any other, while here it stays in its place, because its choice may tell which one it was.

use std::collections::BTreeMap;

use rulepack_expr::Subject;
use rulepack_model::{PieceId, ResId, Seat, VarId};

use crate::flow::decision::{Answer, Decision, Opt};
use crate::flow::fault::Fault;
use crate::flow::frame::{Frame, ResourceHolder};
use crate::flow::game::Game;
use crate::flow::host::EffectHost;
use crate::flow::log::LogEntry;
use crate::hidden::recent::Recent;
use crate::hidden::secrets::Redrawn;
use crate::hidden::sight::{Sight, Viewer};
use crate::rules::ruleset::Ruleset;
use crate::state::rng::Rng;
use crate::state::table::{NONE, State};
use crate::state::value::Value;
use crate::text::keys::value_keys;

/// The number of attempts to find an exchange that the player would not have noticed.
const MAX_TRIES: u32 = 8;
/// The number of attempts with two pieces more.
const MAX_SWAPS: u32 = 24;

/// An exchange: for each piece, the piece whose place it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Exchange {
    to: Vec<u32>,
    gave_up: bool,
    /// Other values of what the player does not know.
    redrawn: Option<Redrawn>,
}

impl Exchange {
    pub(crate) fn nothing(pieces: usize) -> Exchange {
        Exchange { to: (0..pieces as u32).collect(), gave_up: false, redrawn: None }
    }

    pub(crate) fn shuffling(hidden: &Hidden<'_>, pieces: usize, rng: &mut Rng) -> Exchange {
        let mut exchange = Exchange::nothing(pieces);
        for group in &hidden.groups {
            for last in (1..group.len()).rev() {
                let other = rng.below(last as u32 + 1) as usize;
                exchange.swap_places(hidden, group[last], group[other]);
            }
        }
        exchange
    }

    /// Puts a piece where another one lies. The caller gives every piece exactly one place.
    pub(crate) fn put(&mut self, place: u32, piece: u32) {
        self.to[place as usize] = piece;
    }

    /// Exchanges two pieces, if each fits into the place of the other.
    fn swap_places(&mut self, hidden: &Hidden<'_>, one: u32, two: u32) -> bool {
        let fits = hidden.fits(one, self.to[two as usize]) && hidden.fits(two, self.to[one as usize]);
        if fits {
            self.to.swap(one as usize, two as usize);
        }
        fits
    }

    /// A copy in which two more pieces of one group are exchanged; `None` if no group has two that can be.
    fn with_a_swap(&self, hidden: &Hidden<'_>, rng: &mut Rng) -> Option<Exchange> {
        let groups: Vec<&Vec<u32>> = hidden.groups.iter().filter(|group| group.len() > 1).collect();
        let last = u32::try_from(groups.len()).ok().filter(|count| *count > 0)?;
        let mut exchange = self.clone();
        let mut swaps = || {
            let group = groups[rng.below(last) as usize];
            let (one, two) = (rng.below(group.len() as u32) as usize, rng.below(group.len() as u32 - 1) as usize);
            let two = if two < one { two } else { two + 1 };
            exchange.swap_places(hidden, group[one], group[two])
        };
        let swapped = (0..MAX_TRIES).any(|_| swaps());
        swapped.then_some(exchange)
    }

    /// A copy with one piece back in its place: the piece that took its place moves to where the piece went.
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

    /// Piece by piece, the number of the one that takes its place.
    pub(crate) fn places(&self) -> &[u32] {
        &self.to
    }

    /// The number of pieces that move.
    pub fn len(&self) -> usize {
        self.pairs().count()
    }

    /// Whether no piece moves, and no value is another one.
    pub fn is_empty(&self) -> bool {
        self.len() == 0 && self.redrawn.is_none()
    }

    /// Draws also other values of what a player does not know, if the rules hide any.
    pub(crate) fn with_values(
        mut self,
        rules: &Ruleset,
        host: &dyn EffectHost,
        start: &State,
        seat: Seat,
        seed: u64,
    ) -> Exchange {
        if rules.has_secrets() {
            self.redrawn = Redrawn::new(rules, host, &start.exchanged(rules, &self), seat, seed);
        }
        self
    }

    /// Only the other values, with all pieces in their places.
    #[must_use]
    pub fn only_values(&self) -> Exchange {
        Exchange { redrawn: self.redrawn.clone(), ..Exchange::nothing(self.to.len()) }
    }

    /// The names of the variables and resources that have other values, each once.
    pub fn hidden_values(&self, rules: &Ruleset) -> Vec<String> {
        self.redrawn.iter().flat_map(|redrawn| redrawn.names(rules)).collect()
    }

    /// The other values.
    pub(crate) fn redrawn(&self) -> Option<&Redrawn> {
        self.redrawn.as_ref()
    }

    /// An answer that a player gives in secret, as far as another player knows: any of the options.
    pub fn secret_answer(&self, decision: &Decision, number: usize) -> Option<Answer> {
        let redrawn = self.redrawn.as_ref().filter(|redrawn| redrawn.seat != decision.seat)?;
        let count = u32::try_from(decision.options.len()).ok().filter(|count| *count > 0)?;
        Some(Answer(Rng::new(redrawn.seed ^ number as u64).below(count) as u16))
    }

    /// Whether no piece moves only because every exchange that was tried would have been noticed.
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }

    pub(crate) fn link(&self, piece: u32) -> u32 {
        if piece == NONE { NONE } else { self.to[piece as usize] }
    }

    /// The option that corresponds to one in the original game.
    pub fn option(&self, option: Opt) -> Opt {
        option.piece().map_or(option, |piece| option.with_piece(self.of(piece)))
    }

    /// The event that corresponds to one in the original game.
    pub fn event(&self, event: &LogEntry) -> LogEntry {
        let mut event = event.clone();
        let value = |value: &mut Value| {
            if let Value::Piece(piece) = value {
                *piece = self.of(*piece);
            }
        };
        match &mut event {
            LogEntry::ActionBegan { args, .. } | LogEntry::ActionTaken { args, .. } => {
                args.iter_mut().for_each(value);
            }
            LogEntry::Disclosed { values, .. } => values.iter_mut().for_each(value),
            LogEntry::Noted { values, .. } => values.iter_mut().for_each(|(noted, _)| value(noted)),
            LogEntry::Chose { option, .. } | LogEntry::Forced { option, .. } => *option = self.option(*option),
            LogEntry::Looked { pieces, .. } | LogEntry::Shown { pieces, .. } => {
                pieces.iter_mut().for_each(|piece| *piece = self.of(*piece))
            }
            LogEntry::Moved { piece, .. } | LogEntry::Flipped { piece } => *piece = self.of(*piece),
            LogEntry::Laid { piece, on, .. } => {
                *piece = self.of(*piece);
                *on = self.of(*on);
            }
            LogEntry::Lost { by: ResourceHolder::Piece(piece), .. } => *piece = self.of(*piece),
            LogEntry::Transferred { from, to, .. } => {
                for place in [from, to] {
                    if let ResourceHolder::Piece(piece) = place {
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
    /// The same game with the pieces that a player cannot see shuffled, and the exchange. Pieces are exchanged only
    /// with pieces of the same back. Pieces that the player knows to be in use, and those of `keep`, stay where they
    /// are. In both games the player is asked, and was told since the outermost script began, the same. Future rolls
    /// and shuffles are drawn anew, because nobody knows them; so is what others have chosen in secret at the same time.
    /// If every exchange would have been noticed, the result is the same game ([`Exchange::gave_up`]).
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
        let (mut game, exchange) = Recent::new(self, host)?.resampled(self, host, seat, seed, keep);
        game.redraw_choices(host, seat, seed)?;
        game.draw_anew(seed);
        Ok((game, exchange))
    }

    /// Whether some pieces have different names.
    fn differ(&self, pieces: &[u32]) -> bool {
        let called = |piece: &u32| self.rules().called(PieceId(*piece));
        pieces.iter().any(|piece| called(piece) != called(&pieces[0]))
    }
}

impl Recent {
    /// Resamples as [`Game::resampled`], but from the start of the history: everything since then must be the same as
    /// far as the player knows, and chance is not drawn anew.
    pub fn resampled(
        &self,
        game: &Game,
        host: &dyn EffectHost,
        seat: Seat,
        seed: u64,
        keep: &[PieceId],
    ) -> (Game, Exchange) {
        let start = self.start();
        let mut fixed = self.known(seat).to_vec();
        for piece in keep.iter().copied().chain(bound(start)) {
            fixed[piece.index()] = true;
        }
        let offered = game.decision().map_or(&[][..], |decision| &decision.options);
        let fix = |fixed: &mut [bool], pieces: &mut dyn Iterator<Item = PieceId>| {
            pieces.for_each(|piece| fixed[piece.index()] = true);
        };
        // A player who is asked to choose a piece may know which one it is.
        if game.decision().is_some_and(|decision| decision.seat == seat) {
            fix(&mut fixed, &mut offered.iter().filter_map(|option| option.piece()));
        }
        let pieces = fixed.len();
        let mut rng = Rng::new(seed);
        let mut hidden = Hidden::new(game.rules(), start, &fixed);
        let stuck = hidden.is_stuck();
        for round in 0..2 {
            if round == 1 {
                // A piece that could not have been offered to another player in this way is not in that player's
                // possession; and a piece without such an effect cannot have a running one.
                fix(&mut fixed, &mut offered.iter().filter_map(|option| option.piece()));
                fix(&mut fixed, &mut in_use(start).into_iter());
                hidden = Hidden::new(game.rules(), start, &fixed);
            }
            for _ in 0..MAX_TRIES {
                let exchange = Exchange::shuffling(&hidden, pieces, &mut rng);
                let exchange = exchange.with_values(game.rules(), host, start, seat, rng.next_u64());
                if exchange.is_empty() && (round == 0 || !hidden.groups.iter().any(|group| game.differ(group))) {
                    return (game.clone(), Exchange { gave_up: stuck, ..exchange });
                }
                if let Some(other) = self.lead(game, host, seat, &exchange) {
                    return (other, Exchange { gave_up: stuck, ..exchange });
                }
            }
        }
        // Piece by piece: an exchange that would be noticed is undone.
        let mut found = None;
        let mut best = Exchange::nothing(pieces);
        for _ in 0..MAX_SWAPS {
            let Some(exchange) = best.with_a_swap(&hidden, &mut rng) else { break };
            if let Some(other) = self.lead(game, host, seat, &exchange) {
                best = exchange;
                found = Some(other);
            }
        }
        match found {
            Some(other) => (other, Exchange { gave_up: stuck, ..best }),
            None => {
                let gave_up = stuck || hidden.groups.iter().any(|group| game.differ(group));
                (game.clone(), Exchange { gave_up, ..best })
            }
        }
    }
}

/// What everybody sees of a piece, even if it is hidden: what lies on it, and those of its variables that are set.
#[derive(Debug, Default)]
struct Marks {
    held: Vec<ResId>,
    vars: Vec<VarId>,
}

/// Pieces that can be exchanged.
#[derive(Debug)]
pub(crate) struct Hidden<'g> {
    rules: &'g Ruleset,
    /// Pieces with the same back are next to one another.
    groups: Vec<Vec<u32>>,
    /// The marks at the places of some of them: they stay there, whichever piece takes the place.
    marks: BTreeMap<u32, Marks>,
}

impl<'g> Hidden<'g> {
    fn new(rules: &'g Ruleset, start: &State, fixed: &[bool]) -> Self {
        Hidden::apart(rules, start, fixed, |_| ())
    }

    /// The same, where only pieces with the same `key` can be exchanged.
    pub(crate) fn apart<K: Ord>(rules: &'g Ruleset, start: &State, fixed: &[bool], key: impl Fn(PieceId) -> K) -> Self {
        let mut groups: BTreeMap<_, Vec<u32>> = BTreeMap::new();
        let mut marks = BTreeMap::new();
        let on_pieces: Vec<VarId> = vars_of_pieces(rules).collect();
        for piece in (0..rules.pieces.len()).map(PieceId::from).filter(|piece| !fixed[piece.index()]) {
            groups.entry((rules.widest_kind(piece), rules.back(piece), key(piece))).or_default().push(piece.0);
            let resources = (0..rules.resources.len()).map(ResId::from);
            let held: Vec<ResId> = resources.filter(|res| start.held(rules, piece, *res) != 0).collect();
            let is_set =
                |var: &VarId| start.var(rules, *var, Some(Value::Piece(piece))) != rules.vars[var.index()].start;
            let vars: Vec<VarId> = on_pieces.iter().copied().filter(is_set).collect();
            if !held.is_empty() || !vars.is_empty() {
                marks.insert(piece.0, Marks { held, vars });
            }
        }
        Hidden { rules, groups: groups.into_values().collect(), marks }
    }

    /// The pieces, those of one kind and back together.
    pub(crate) fn groups(&self) -> &[Vec<u32>] {
        &self.groups
    }

    /// Whether a piece could lie in the place of another one, judging by what everybody sees there.
    pub(crate) fn fits(&self, place: u32, piece: u32) -> bool {
        let Some(Marks { held, vars }) = self.marks.get(&place) else { return true };
        let (place, piece) = (PieceId(place), PieceId(piece));
        let is_alike = || self.rules.called(place) == self.rules.called(piece);
        let holds = |res: &ResId| self.rules.held_slot(piece, *res).is_some();
        // Where stock is kept, the piece must have room for it.
        let keeps = |res: &ResId| !self.rules.resources[res.index()].kept || is_alike();
        held.iter().all(|res| holds(res) && keeps(res))
            && vars.iter().all(|var| State::var_slot(self.rules, *var, Some(Value::Piece(piece))).is_some())
    }

    /// Whether a piece carries something that another piece in its place could carry, but no such piece can be
    /// exchanged with it.
    fn is_stuck(&self) -> bool {
        let called = |piece: u32| self.rules.called(PieceId(piece));
        let is_stuck = |group: &Vec<u32>, place: u32| {
            let differs = |piece: &&u32| called(**piece) != called(place) && self.fits(place, **piece);
            let others: Vec<u32> = group.iter().filter(differs).copied().collect();
            !others.is_empty() && !others.iter().any(|other| self.fits(*other, place))
        };
        let mut marked = self.groups.iter().flat_map(|group| group.iter().map(move |piece| (group, *piece)));
        marked.any(|(group, piece)| self.marks.contains_key(&piece) && is_stuck(group, piece))
    }
}

pub(crate) fn vars_of_pieces(rules: &Ruleset) -> impl Iterator<Item = VarId> + '_ {
    let vars = rules.vars.iter().enumerate().filter(|(_, var)| matches!(var.subject, Subject::Piece(_)));
    vars.map(|(var, _)| VarId::from(var))
}

/// The pieces that a frame on the stack or a variable refers to.
pub(crate) fn in_use(state: &State) -> Vec<PieceId> {
    let mut pieces: Vec<PieceId> = state.stored().vars.iter().filter_map(|value| value.piece()).collect();
    for mut frame in state.frames().iter().cloned() {
        frame.visit_pieces(&mut |piece| pieces.push(*piece));
    }
    pieces
}

/// The pieces whose own effects or listeners are running: another piece does not have them.
pub(crate) fn bound(state: &State) -> Vec<PieceId> {
    let of_frame = |frame: &Frame| -> Vec<PieceId> {
        match frame {
            Frame::Run(run) => run.locals.get(1).and_then(|this| this.piece()).into_iter().collect(),
            Frame::Script(script) => script.this.into_iter().collect(),
            Frame::Event(event) => event.queue.iter().map(|(piece, _)| *piece).collect(),
            Frame::Phase(_) | Frame::Action(_) | Frame::Transfer(_) | Frame::Ask(_) | Frame::Pause(_) => Vec::new(),
        }
    };
    state.frames().iter().flat_map(of_frame).collect()
}

impl Game {
    /// A variable of a piece that has another value in a game in which other pieces lie there, with both values.
    /// Variables of pieces are public, also of hidden ones, unless they are hidden from the player themselves.
    pub fn other_piece_variable(
        &self,
        other: &Game,
        exchange: &Exchange,
        seat: Seat,
    ) -> Option<(String, String, String)> {
        let rules = self.rules();
        let sight = Sight::new(rules, self.state(), Viewer::Seat(seat));
        let text = |game: &Game, value| value_keys(rules, game.state(), value).into_iter().next();
        for piece in (0..rules.pieces.len()).map(PieceId::from) {
            let others: BTreeMap<VarId, Value> =
                other.state().variables_of(rules, exchange.of(piece)).map(|(id, _, value)| (id, value)).collect();
            for (id, var, one) in self.state().variables_of(rules, piece) {
                let Some(two) = others.get(&id).copied() else { continue };
                let are_pieces = one.piece().is_some() && two.piece().is_some();
                if one != two && !are_pieces && sight.sees_variable(id, Some(Value::Piece(piece))) {
                    let text = |game, value| text(game, value).unwrap_or_else(|| "nothing".into());
                    return Some((var.name.clone(), text(self, one), text(other, two)));
                }
            }
        }
        None
    }
}
