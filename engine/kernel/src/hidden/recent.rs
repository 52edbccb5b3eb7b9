//! The recent history of a game, since the last moment at which no effect was running, and whether another game would
//! have looked the same to a player.

use std::cell::Cell;
use std::sync::Arc;

use rulepack_expr::Disclosed;
use rulepack_model::{PieceId, Seat};

use crate::eval::expressions::copied;
use crate::flow::decision::{Answer, Ask, Opt};
use crate::flow::fault::Fault;
use crate::flow::frame::Frame;
use crate::flow::game::Game;
use crate::flow::host::EffectHost;
use crate::flow::log::{Log, LogEntry};
use crate::hidden::resample::Exchange;
use crate::hidden::sight::{Sight, Viewer};
use crate::rules::ruleset::Ruleset;
use crate::state::table::{Chain, State};
use crate::state::value::Value;

/// What has happened since the last menu, or since another question that was asked while no effect was running. The
/// values that an effect has computed since then, and the choices of players, follow from the state of that moment and
/// the answers since.
#[derive(Debug, Clone)]
pub struct Recent {
    start: Box<State>,
    /// The events up to the first question.
    began: Vec<LogEntry>,
    answered: Vec<Answered>,
    /// The pieces that each player has seen since then.
    known: Vec<Vec<bool>>,
    /// The work of answers that were given again.
    work: Cell<u64>,
}

/// A question that was answered.
#[derive(Debug, Clone)]
struct Answered {
    seat: Seat,
    ask: Ask,
    options: Vec<Opt>,
    option: Opt,
    /// Whether only the player is told what was chosen.
    secret: bool,
    /// The events after it.
    events: Vec<LogEntry>,
}

impl Recent {
    /// Begins with the present state of a game without known history. While a script waits, it begins where the
    /// outermost script began.
    ///
    /// # Errors
    /// If a script cannot be run again.
    pub fn new(game: &Game, host: &dyn EffectHost) -> Result<Recent, Fault> {
        let start = Box::new(game.script_checkpoint.as_deref().unwrap_or(game.state()).clone());
        let known = game.rules().seats().map(|_| vec![false; game.rules().pieces.len()]).collect();
        let mut recent = Recent { start, began: Vec::new(), answered: Vec::new(), known, work: Cell::new(0) };
        recent.sees(game.rules(), game.state());
        let Some(checkpoint) = &game.script_checkpoint else { return Ok(recent) };
        recent.sees(game.rules(), checkpoint);
        let mut log = Log::wanted();
        let mut again = Game::begin(Arc::clone(game.rules()), (**checkpoint).clone(), host, &mut log)?;
        recent.count(&again);
        recent.began = log.events;
        recent.told_at_first(game);
        for answer in &game.answers {
            if let Err(fault) = recent.follow(&mut again, host, *answer) {
                again.abandon(host);
                return Err(fault);
            }
        }
        again.abandon(host);
        Ok(recent)
    }

    /// Gives an answer in a game at this point, and records what follows.
    ///
    /// # Errors
    /// If the answer cannot be given.
    pub fn follow(&mut self, game: &mut Game, host: &dyn EffectHost, answer: Answer) -> Result<(), Fault> {
        let decision = game.decision().cloned().ok_or_else(Game::drifted)?;
        let option = *decision.options.get(answer.0 as usize).ok_or_else(Game::drifted)?;
        let secret = game.asks_in_secret();
        let mut log = Log::wanted();
        game.apply(host, answer, &mut log)?;
        self.count(game);
        let events = log.events;
        let (seat, ask, options) = (decision.seat, decision.ask, decision.options);
        self.note(Answered { seat, ask, options, option, secret, events }, game);
        Ok(())
    }

    /// Whether no effect is running, so that a new history begins.
    pub fn begins_at(game: &Game) -> bool {
        game.state().frames().iter().all(|frame| matches!(frame, Frame::Phase(_)))
    }

    /// Goes on with an answer: the game before and after it, and the events. If no effect is running afterwards, a new
    /// history begins.
    ///
    /// # Errors
    /// If a script cannot be run again.
    pub fn go_on(
        &mut self,
        before: &Game,
        option: Opt,
        game: &Game,
        events: &[LogEntry],
        host: &dyn EffectHost,
    ) -> Result<(), Fault> {
        let Some(decision) = before.decision().filter(|_| !Recent::begins_at(game)) else {
            *self = Recent::new(game, host)?;
            return Ok(());
        };
        let (seat, ask, options) = (decision.seat, decision.ask, decision.options.clone());
        self.note(
            Answered { seat, ask, options, option, secret: before.asks_in_secret(), events: events.to_vec() },
            game,
        );
        Ok(())
    }

    fn note(&mut self, answered: Answered, after: &Game) {
        self.sees(after.rules(), after.state());
        for (seat, known) in self.known.iter_mut().enumerate() {
            let seat = Seat(seat as u8);
            if seat == answered.seat {
                answered
                    .options
                    .iter()
                    .filter_map(|option| option.piece())
                    .for_each(|piece| known[piece.index()] = true);
            }
            for piece in answered.events.iter().flat_map(|event| event.pieces_seen(Viewer::Seat(seat))) {
                known[piece.index()] = true;
            }
        }
        self.answered.push(answered);
    }

    fn told_at_first(&mut self, game: &Game) {
        for seat in game.rules().seats() {
            for piece in self.began.iter().flat_map(|event| event.pieces_seen(Viewer::Seat(seat))) {
                self.known[seat.index()][piece.index()] = true;
            }
        }
    }

    /// Records what the players see.
    fn sees(&mut self, rules: &Ruleset, state: &State) {
        for (seat, known) in rules.seats().zip(&mut self.known) {
            let sight = Sight::new(rules, state, Viewer::Seat(seat));
            for (index, known) in known.iter_mut().enumerate() {
                *known = *known || sight.sees(PieceId::from(index));
            }
        }
    }

    /// The state at which it begins.
    pub(crate) fn start(&self) -> &State {
        &self.start
    }

    /// Adds the work of the last answer in a game.
    fn count(&self, game: &Game) {
        self.work.set(self.work.get().saturating_add(game.spent().work()));
    }

    /// The work of all answers that were given again: once to follow the history, and in each game with pieces exchanged.
    pub(crate) fn work(&self) -> u64 {
        self.work.get()
    }

    /// How many answers have been given since it began.
    pub fn answers(&self) -> usize {
        self.answered.len()
    }

    /// The pieces that a player has seen since it began.
    pub fn known(&self, seat: Seat) -> &[bool] {
        &self.known[seat.index()]
    }

    /// Plays the same answers with pieces exchanged at the start; `None` if the player would have noticed.
    pub fn lead(&self, game: &Game, host: &dyn EffectHost, seat: Seat, exchange: &Exchange) -> Option<Game> {
        let from = self.start.exchanged(game.rules(), exchange);
        let mut log = Log::wanted();
        let mut other = Game::begin(Arc::clone(game.rules()), from, host, &mut log).ok()?;
        self.count(&other);
        if self.leads_here(game, host, seat, &mut other, exchange, &mut log) {
            return Some(other);
        }
        other.abandon(host);
        None
    }

    fn leads_here(
        &self,
        game: &Game,
        host: &dyn EffectHost,
        seat: Seat,
        other: &mut Game,
        exchange: &Exchange,
        log: &mut Log,
    ) -> bool {
        // Players are not told about forced choices, and a question that is found again reports them again.
        let is_told = |event: &&LogEntry| !matches!(event, LogEntry::Forced { .. });
        let is_same = |events: &[LogEntry], others: &[LogEntry]| {
            let exchanged = events.iter().filter(is_told).map(|event| exchange.event(event).known_to(seat));
            exchanged.eq(others.iter().filter(is_told).map(|event| event.known_to(seat)))
        };
        if !is_same(&self.began, &log.events) {
            return false;
        }
        for (number, step) in self.answered.iter().enumerate() {
            log.events.clear();
            let Some(decision) = other.decision().filter(|now| (now.seat, now.ask) == (step.seat, step.ask)) else {
                return false;
            };
            if step.seat == seat && step.options != decision.options {
                return false;
            }
            let in_secret = exchange.secret_answer(decision, number).filter(|_| step.secret);
            let Some(answer) = in_secret.or_else(|| other.listed(host, exchange.option(step.option))) else {
                return false;
            };
            let is_given = other.apply(host, answer, log).is_ok();
            self.count(other);
            if !is_given || !is_same(&step.events, &log.events) {
                return false;
            }
        }
        let asked = |game: &Game| game.decision().map(|decision| (decision.seat, decision.ask));
        asked(game) == asked(other)
            && disclosed(game, host) == disclosed(other, host)
            && game.script_checkpoint.is_some() == other.script_checkpoint.is_some()
            && (self.answered.is_empty() && game.script_checkpoint.is_none() || is_alike(game, other, seat))
    }
}

/// The present disclosures of running effects.
fn disclosed(game: &Game, host: &dyn EffectHost) -> Vec<Value> {
    let (rules, eval) = (game.rules(), game.eval(host));
    let runs = game.state().frames().iter().filter_map(|frame| match frame {
        Frame::Run(run) => Some(run),
        _ => None,
    });
    let mut values = Vec::new();
    for run in runs {
        let ops = &rules.programs[run.program.index()].program.ops;
        values.extend(ops.iter().take(run.pc as usize).filter_map(|op| match op.facts().discloses? {
            Disclosed::One(value) => Some(eval.expr(value, &mut copied(&run.locals))),
            // Only single values are compared.
            Disclosed::Many(_) => None,
        }));
    }
    values
}

/// Whether everything is the same that a player sees: resources, variables, and the number of pieces in each zone.
fn is_alike(game: &Game, other: &Game, seat: Seat) -> bool {
    let piece = |value: &Value| value.piece().is_some();
    let same_var = |(one, two): (&Value, &Value)| one == two || piece(one) && piece(two);
    // With everything in it that the player does not see, the state is the other one.
    let mut state = game.state().clone();
    let sight = Sight::new(game.rules(), game.state(), Viewer::Seat(seat));
    sight.take_unseen(&mut state, other.state());
    let are_out_alike = state.eliminated() == other.state().eliminated();
    let (state, other) = (state.stored(), other.state().stored());
    let counts = |zones: &[Chain]| zones.iter().map(|zone| zone.ends().2).collect::<Vec<_>>();
    (state.amounts, state.supply, state.active, state.passed, state.turns)
        == (other.amounts, other.supply, other.active, other.passed, other.turns)
        && are_out_alike
        && counts(state.zones) == counts(other.zones)
        && state.vars.iter().zip(other.vars).all(same_var)
}

impl Game {
    /// The position of an option in a list, or of an equal one with another piece.
    pub fn listed(&self, host: &dyn EffectHost, option: Opt) -> Option<Answer> {
        let options = &self.decision()?.options;
        let is_like = |listed: &Opt| {
            let both = listed.piece().zip(option.piece());
            let is_same_type = |a, b| self.rules().type_of(a) == self.rules().type_of(b);
            both.is_some_and(|(a, b)| {
                listed.with_piece(b) == option && is_same_type(a, b) && self.eval(host).alike(a, b)
            })
        };
        let exactly = options.iter().position(|listed| *listed == option);
        exactly.or_else(|| options.iter().position(is_like)).map(|at| Answer(at as u16))
    }
}
