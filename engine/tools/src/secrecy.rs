//! Whether a player can learn what is hidden: what the player cannot see is shuffled, and the player must see, be
//! offered and be told the same, to the byte; and after the same answer, the same must happen, as far as the player can
//! tell, and the same player must be asked the same.

use std::collections::BTreeMap;

use rulepack_kernel::{Answer, EffectHost, Event, Exchange, Game, Opt, Sight, View, Viewer, Words};
use rulepack_model::{PieceId, Seat};

use crate::leak::{Leak, Shows};

/// How often something else is shuffled, if what is disclosed differs, or if only a few answers are looked at.
const MAX_TRIES: u64 = 4;

/// How many answers of one kind are looked at, if only a few are.
const MOST_OF_A_KIND: u32 = 6;

/// Watches a game from all seats.
#[derive(Debug, Default)]
pub struct Watch {
    /// What each player saw before the last answer.
    seen: Vec<Vec<PieceId>>,
    /// The game before the last answer, and what was answered.
    answered: Option<(Game, Opt)>,
    /// If not every answer is looked at: how many more, and how many there were of which kind.
    few: Option<(u32, BTreeMap<String, u32>)>,
    /// How many there were of the kind of the last answer.
    round: u32,
}

impl Watch {
    /// Looks at so many answers only, few of each kind, and from one seat at a time.
    pub fn few(most: u32) -> Watch {
        Watch { few: Some((most, BTreeMap::new())), ..Watch::default() }
    }

    /// Whether an answer is to be looked at.
    pub fn wants(&mut self, game: &Game, answer: Answer) -> bool {
        let Some((left, met)) = &mut self.few else { return true };
        let Some(decision) = game.decision().filter(|_| *left > 0) else { return false };
        let Some(option) = decision.options.get(answer.0 as usize) else { return false };
        let about = option.piece().map(|piece| game.rules().called(piece));
        let kind = match option {
            Opt::Action(action, _) | Opt::Free(action, _) => format!("{} {about:?}", action.0),
            Opt::Value(_) => format!("{:?} {about:?}", decision.ask),
            option => format!("{:?} {option:?}", decision.ask),
        };
        let times = met.entry(kind).or_default();
        *times += 1;
        self.round = *times;
        let is_rare = *times <= MOST_OF_A_KIND;
        *left -= u32::from(is_rare);
        is_rare
    }

    /// From whose seats an answer is looked at: if only a few are, from one. Two answers of a kind in a row are looked at from
    /// the same distance: where two players take turns, whoever is asked would else be looked at in every second turn only,
    /// which is always the turn of the same player.
    fn seats(&self, game: &Game) -> Vec<Seat> {
        let all: Vec<Seat> = game.rules().seats().collect();
        if self.few.is_none() {
            return all;
        }
        let asked = self.answered.as_ref().and_then(|(before, _)| before.decision()).map_or(0, |now| now.seat.index());
        vec![all[(asked + self.round as usize / 2) % all.len()]]
    }

    /// Remembers what is seen before an answer.
    pub fn before(&mut self, game: &Game, answer: Answer) {
        let option = game.decision().and_then(|decision| decision.options.get(answer.0 as usize));
        self.answered = option.map(|option| (game.clone(), *option));
        self.seen = game.rules().seats().map(|seat| seen(game, seat)).collect();
    }

    /// Compares what is seen after it, and what was told about it.
    ///
    /// # Errors
    /// A sentence about the first thing that shows what is hidden.
    pub fn after(&self, game: &Game, host: &dyn EffectHost, events: &[Event], seed: u64) -> Result<(), String> {
        let rules = game.rules();
        for seat in self.seats(game) {
            let mut keep = self.seen.get(seat.index()).cloned().unwrap_or_default();
            keep.extend(events.iter().flat_map(|event| event.pieces_seen(Viewer::Seat(seat))));
            let side = Side { seat, host, words: Words::new(rules, &rules.texts.own) };
            self.goes_on(game, &side, seed, &keep, events)?;
            // Whoever goes on has looked, too; it is enough to do it once for each kind.
            if self.few.is_none() || self.round == 1 {
                side.looks(game, seed, &keep, events)?;
            }
        }
        Ok(())
    }

    /// Gives the same answer with something else hidden, and compares what follows.
    fn goes_on(
        &self,
        game: &Game,
        side: &Side<'_>,
        seed: u64,
        keep: &[PieceId],
        events: &[Event],
    ) -> Result<(), String> {
        let Some((before, option)) = &self.answered else { return Ok(()) };
        let mut keep: Vec<PieceId> = keep.iter().copied().chain(option.piece()).chain(seen(game, side.seat)).collect();
        if let Some(decision) = game.decision().filter(|decision| decision.seat == side.seat) {
            keep.extend(decision.options.iter().filter_map(|option| option.piece()));
        }
        for round in 0..MAX_TRIES {
            // A game that does not go on with something else hidden tells nothing.
            let Ok((other, exchange)) = before.resampled(side.host, side.seat, seed ^ round << 32, &keep) else {
                return Ok(());
            };
            if exchange.is_empty() {
                continue;
            }
            match side.compare(game, other, *option, events) {
                Compared::Same if self.few.is_none() => return Ok(()),
                Compared::Same | Compared::Unfit => {}
                Compared::Differs(shows) => {
                    let again = |exchange: &Exchange| {
                        let other = before.with_exchange(side.host, side.seat, exchange).ok()??;
                        match side.compare(game, other, *option, events) {
                            Compared::Differs(shows) => Some(shows),
                            _ => None,
                        }
                    };
                    return Err(Leak::new(before, side.seat, Some(*option), shows, exchange, again).to_string());
                }
            }
        }
        Ok(())
    }
}

/// What came of giving the same answer.
enum Compared {
    Same,
    /// The answer is not offered, or what the rules mean to disclose differs.
    Unfit,
    Differs(Shows),
}

/// A player, and what it takes to see the table from there.
struct Side<'a> {
    seat: Seat,
    host: &'a dyn EffectHost,
    words: Words<'a>,
}

impl Side<'_> {
    /// Compares what is seen now with what would be seen with something else hidden.
    fn looks(&self, game: &Game, seed: u64, keep: &[PieceId], events: &[Event]) -> Result<(), String> {
        let resampled = game.resampled(self.host, self.seat, seed, keep).map_err(|fault| {
            format!("with what player {} cannot see shuffled, the game fails: {fault}", self.seat.index() + 1)
        })?;
        let (other, exchange) = resampled;
        let differs = |other: &Game, exchange: &Exchange| {
            let mapped: Vec<Event> = events.iter().map(|event| exchange.event(event)).collect();
            self.shown(game, other, events, &mapped)
        };
        let shows = if exchange.is_empty() { None } else { differs(&other, &exchange) };
        other.abandon(self.host);
        let Some(shows) = shows else { return Ok(()) };
        let again = |exchange: &Exchange| {
            let other = game.with_exchange(self.host, self.seat, exchange).ok()??;
            let shows = differs(&other, exchange);
            other.abandon(self.host);
            shows
        };
        Err(Leak::new(game, self.seat, None, shows, exchange, again).to_string())
    }

    /// Gives an answer in another game, and compares what follows with what followed.
    fn compare(&self, game: &Game, mut other: Game, option: Opt, events: &[Event]) -> Compared {
        let Some(answer) = other.listed(self.host, option) else {
            other.abandon(self.host);
            return Compared::Unfit;
        };
        let Ok(others) = other.answer(self.host, answer) else {
            other.abandon(self.host);
            return Compared::Unfit;
        };
        let disclosed = |events: &[Event]| -> Vec<Event> {
            events.iter().filter(|event| matches!(event, Event::Disclosed { .. })).cloned().collect()
        };
        if disclosed(events) != disclosed(&others) {
            other.abandon(self.host);
            return Compared::Unfit;
        }
        let compared = self.compare_after(game, &other, events, &others);
        other.abandon(self.host);
        compared
    }

    fn compare_after(&self, game: &Game, other: &Game, events: &[Event], others: &[Event]) -> Compared {
        let asked = |game: &Game| game.decision().map(|decision| (decision.seat, decision.ask));
        if asked(other) != asked(game) {
            let who = |game: &Game| match game.decision() {
                Some(decision) => format!("player {}: {}", decision.seat.index() + 1, self.words.question(decision)),
                None => "nobody".to_string(),
            };
            let is_deep = |game: &Game| game.decision().is_some_and(|decision| !is_menu(decision.ask));
            let asks = if is_deep(game) || !is_deep(other) { game } else { other };
            let at = asks.place_of_question(self.host);
            return Compared::Differs(Shows { what: "who is asked next", one: who(game), two: who(other), at });
        }
        match self.shown(game, other, events, others) {
            Some(shows) => Compared::Differs(shows),
            None => Compared::Same,
        }
    }

    /// What the player sees, is offered or is told otherwise in two games.
    fn shown(&self, game: &Game, other: &Game, events: &[Event], others: &[Event]) -> Option<Shows> {
        let viewer = Viewer::Seat(self.seat);
        let differ = |what, one: String, two: String, at: &dyn Fn() -> String| {
            (one != two).then(|| Shows { what, at: at(), one, two })
        };
        let log = || {
            let told = |game: &Game, events: &[Event]| -> Vec<String> {
                let sight = Sight::new(game.rules(), game.state(), viewer);
                events.iter().filter_map(|event| self.words.event(event, &sight)).collect()
            };
            let (one, two) = (told(game, events), told(other, others));
            let at = one.iter().zip(&two).take_while(|(one, two)| one == two).count();
            let line = |lines: &[String]| lines.get(at).cloned().unwrap_or_default();
            differ("the log", line(&one), line(&two), &String::new)
        };
        let view = || {
            // At the end all is counted, also what was hidden.
            game.decision()?;
            let see = |game: &Game| View::new(game, self.host, viewer, &self.words);
            let (one, two) = (see(game), see(other));
            if one == two {
                return None;
            }
            let text = |view: &View| serde_json::to_string(view).expect("a view is plain data");
            differ("the view", text(&one), text(&two), &|| differing_value(&one, &two).unwrap_or_default())
        };
        let choice = || {
            let offers = |game: &Game| match game.decision().filter(|decision| decision.seat == self.seat) {
                Some(decision) => {
                    let options = self.words.options(game.state(), decision).join("\n");
                    format!("{}\n{options}", self.words.question(decision))
                }
                None => String::new(),
            };
            differ("the choice", offers(game), offers(other), &|| {
                differing_action(game, other).unwrap_or_else(|| game.place_of_question(self.host))
            })
        };
        log().or_else(view).or_else(choice)
    }
}

/// All pieces that a player sees.
fn seen(game: &Game, seat: Seat) -> Vec<PieceId> {
    let sight = Sight::new(game.rules(), game.state(), Viewer::Seat(seat));
    (0..game.rules().pieces.len()).map(PieceId::from).filter(|piece| sight.sees(*piece)).collect()
}

fn is_menu(ask: rulepack_kernel::Ask) -> bool {
    matches!(ask, rulepack_kernel::Ask::Menu(..))
}

/// The derived value that two views show otherwise.
fn differing_value(one: &View, two: &View) -> Option<String> {
    let values = |view: &View| -> Vec<_> { view.players.iter().flat_map(|player| player.values.0.clone()).collect() };
    let (one, two) = (values(one), values(two));
    let (name, _) = one.iter().zip(&two).find(|(one, two)| one != two)?.0;
    Some(format!("value.{name}"))
}

/// The action that is offered in one game only.
fn differing_action(game: &Game, other: &Game) -> Option<String> {
    let (one, two) = (&game.decision()?.options, &other.decision()?.options);
    let only = |here: &[Opt], there: &[Opt]| {
        here.iter().find_map(|option| match option {
            Opt::Action(action, _) | Opt::Free(action, _) if !there.contains(option) => Some(*action),
            _ => None,
        })
    };
    let action = only(one, two).or_else(|| only(two, one))?;
    Some(format!("action.{}", game.rules().actions[action.index()].name))
}
