//! What one player has come to know since the outermost script began, and whether another game would have shown the same.

use std::sync::Arc;

use rulepack_expr::Op;
use rulepack_model::{PieceId, Seat};

use crate::decision::{Answer, Ask, Opt};
use crate::eval::copied;
use crate::fault::Fault;
use crate::frame::Frame;
use crate::game::Game;
use crate::host::EffectHost;
use crate::log::{Event, Log};
use crate::lower::{Step, Telling};
use crate::sample::Exchange;
use crate::sight::{Sight, Viewer};
use crate::state::State;
use crate::value::Value;

/// What has happened since the state that a game is run from, as one player knows it.
pub(crate) struct Past {
    seat: Seat,
    /// The pieces that the player has seen since then.
    pub(crate) known: Vec<bool>,
    /// What happened up to the first question.
    began: Vec<Event>,
    answered: Vec<Answered>,
}

/// A question that was answered.
struct Answered {
    seat: Seat,
    ask: Ask,
    /// All that could be answered, if the player was asked.
    options: Option<Vec<Opt>>,
    option: Opt,
    /// What followed.
    events: Vec<Event>,
}

impl Past {
    /// Runs again what has happened since the outermost script began; without a script there is nothing to run.
    pub(crate) fn of(game: &Game, host: &dyn EffectHost, seat: Seat) -> Result<Past, Fault> {
        let known = vec![false; game.rules().pieces.len()];
        let mut past = Past { seat, known, began: Vec::new(), answered: Vec::new() };
        past.sees(game.rules(), game.state());
        let Some(origin) = &game.origin else { return Ok(past) };
        past.sees(game.rules(), origin);
        let mut log = Log { wanted: true, events: Vec::new() };
        let mut again = Game::begin(Arc::clone(game.rules()), (**origin).clone(), host, &mut log)?;
        past.began = past.told(&mut log);
        for answer in &game.answers {
            let asked = again.decision().and_then(|decision| {
                let option = *decision.options.get(answer.0 as usize)?;
                let options = (decision.seat == seat).then(|| decision.options.clone());
                Some((decision.seat, decision.ask, options, option))
            });
            let Some((asked, ask, options, option)) = asked else {
                again.abandon(host);
                return Err(Game::drifted());
            };
            past.sees(game.rules(), again.state());
            for piece in options.iter().flatten().filter_map(|option| option.piece()) {
                past.known[piece.index()] = true;
            }
            again.apply(host, *answer, &mut log)?;
            let events = past.told(&mut log);
            past.answered.push(Answered { seat: asked, ask, options, option, events });
        }
        again.abandon(host);
        Ok(past)
    }

    /// Notes what the player sees.
    fn sees(&mut self, rules: &crate::ruleset::Ruleset, state: &State) {
        let sight = Sight::new(rules, state, Viewer::Seat(self.seat));
        for piece in (0..rules.pieces.len()).map(PieceId::from) {
            self.known[piece.index()] = self.known[piece.index()] || sight.sees(piece);
        }
    }

    /// Takes what was told, and notes what the player saw of it.
    fn told(&mut self, log: &mut Log) -> Vec<Event> {
        let events = std::mem::take(&mut log.events);
        for piece in events.iter().flat_map(|event| event.pieces_seen(Viewer::Seat(self.seat))) {
            self.known[piece.index()] = true;
        }
        events
    }

    /// Plays the same from another state, in which pieces were exchanged; nothing if the player would have noticed.
    pub(crate) fn lead(&self, game: &Game, host: &dyn EffectHost, from: State, exchange: &Exchange) -> Option<Game> {
        let mut log = Log { wanted: true, events: Vec::new() };
        let mut other = Game::begin(Arc::clone(game.rules()), from, host, &mut log).ok()?;
        if self.leads_here(game, host, &mut other, exchange, &mut log) {
            return Some(other);
        }
        other.abandon(host);
        None
    }

    fn leads_here(
        &self,
        game: &Game,
        host: &dyn EffectHost,
        other: &mut Game,
        exchange: &Exchange,
        log: &mut Log,
    ) -> bool {
        // Nobody is told what the game chooses by itself, and a question that is derived again says it again.
        let is_told = |event: &&Event| !matches!(event, Event::Forced { .. });
        let is_same = |events: &[Event], others: &[Event]| {
            let exchanged = events.iter().filter(is_told).map(|event| exchange.event(event).known_to(self.seat));
            exchanged.eq(others.iter().filter(is_told).map(|event| event.known_to(self.seat)))
        };
        if !is_same(&self.began, &log.events) {
            return false;
        }
        for step in &self.answered {
            log.events.clear();
            let Some(decision) = other.decision().filter(|now| (now.seat, now.ask) == (step.seat, step.ask)) else {
                return false;
            };
            if step.options.as_ref().is_some_and(|options| *options != decision.options) {
                return false;
            }
            let Some(answer) = other.listed(host, exchange.option(step.option)) else { return false };
            if other.apply(host, answer, log).is_err() || !is_same(&step.events, &log.events) {
                return false;
            }
        }
        let asked = |game: &Game| game.decision().map(|decision| (decision.seat, decision.ask));
        asked(game) == asked(other)
            && disclosed(game, host) == disclosed(other, host)
            && game.origin.is_some() == other.origin.is_some()
            && (game.origin.is_none() || is_alike(game.state(), other.state()))
    }
}

/// What effects that are not over have disclosed, as it is now.
fn disclosed(game: &Game, host: &dyn EffectHost) -> Vec<Value> {
    let (rules, eval) = (game.rules(), game.eval(host));
    let runs = game.state().frames.iter().filter_map(|frame| match frame {
        Frame::Run(run) => Some(run),
        _ => None,
    });
    let mut values = Vec::new();
    for run in runs {
        let program = &rules.programs[run.program.index()];
        if program.program.ops.iter().any(|op| matches!(op, Op::Disclose { .. })) {
            let before = program.steps(rules).iter().take(run.pc as usize);
            values.extend(before.filter_map(|step| match step {
                Step::Disclose { what: Telling::One(value), .. } => Some(value.get(&eval, &mut copied(&run.locals))),
                _ => None,
            }));
        }
    }
    values
}

/// Whether all that lies open is the same: what players have, variables, and how many pieces lie where.
fn is_alike(state: &State, other: &State) -> bool {
    let piece = |value: &Value| value.piece().is_some();
    let same_var = |(one, two): (&Value, &Value)| one == two || piece(one) && piece(two);
    let counts = |state: &State| state.zones.iter().map(|zone| zone.count).collect::<Vec<_>>();
    (&state.amounts, &state.supply, state.active, state.passed, state.turns)
        == (&other.amounts, &other.supply, other.active, other.passed, other.turns)
        && counts(state) == counts(other)
        && state.vars.iter().zip(&other.vars).all(same_var)
}

impl Game {
    /// Where an option is listed, or one with a piece that is alike.
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
