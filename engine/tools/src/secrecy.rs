//! Whether a player can learn what is hidden: what the player cannot see is shuffled, and the player must see, be
//! offered and be told the same, to the byte; and after the same answer, the same player must be asked the same.

use rulepack_kernel::{Answer, EffectHost, Event, Game, Opt, Sight, Value, View, Viewer, Words};
use rulepack_model::{PieceId, Seat};

/// Watches a game from all seats.
#[derive(Debug, Default)]
pub struct Watch {
    /// What each player saw before the last answer.
    seen: Vec<Vec<PieceId>>,
    /// The game before the last answer, and what was answered.
    answered: Option<(Game, Opt)>,
}

impl Watch {
    /// Remembers what is seen before an answer.
    pub fn before(&mut self, game: &Game, answer: Answer) {
        let option = game.decision().and_then(|decision| decision.options.get(answer.0 as usize));
        self.answered = option.map(|option| (game.clone(), *option));
        let (rules, state) = (game.rules(), game.state());
        let pieces = || (0..rules.pieces.len()).map(PieceId::from);
        self.seen = rules
            .seats()
            .map(|seat| {
                let sight = Sight::new(rules, state, Viewer::Seat(seat));
                pieces().filter(|piece| sight.sees(*piece)).collect()
            })
            .collect();
    }

    /// Compares what is seen after it, and what was told about it.
    ///
    /// # Errors
    /// A sentence about the first thing that shows what is hidden.
    pub fn after(&self, game: &Game, host: &dyn EffectHost, events: &[Event], seed: u64) -> Result<(), String> {
        let rules = game.rules();
        let words = Words::new(rules, &rules.texts.own);
        for seat in rules.seats() {
            let viewer = Viewer::Seat(seat);
            let mut keep = self.seen.get(seat.index()).cloned().unwrap_or_default();
            keep.extend(events.iter().flat_map(|event| seen_in(event, viewer)));
            self.asked_next(game, host, seat, seed, &keep, &words)?;
            let resampled = game.resampled(host, seat, seed, &keep).map_err(|fault| {
                format!("with what player {} cannot see shuffled, the game fails: {fault}", seat.index() + 1)
            })?;
            let Some((other, exchange)) = resampled.filter(|(_, exchange)| !exchange.is_empty()) else { continue };
            let shows = |what: &str, one: &str, two: &str| {
                let at = one.bytes().zip(two.bytes()).take_while(|(a, b)| a == b).count();
                let near = |text: &str| -> String {
                    let start = text.char_indices().map(|(at, _)| at).take_while(|index| index + 60 <= at).last();
                    text[start.unwrap_or(0)..].chars().take(120).collect()
                };
                format!(
                    "{what} of player {} shows what is hidden: `{}` or `{}`",
                    seat.index() + 1,
                    near(one),
                    near(two)
                )
            };
            let (one, two) = (view(game, host, viewer, &words), view(&other, host, viewer, &words));
            if one != two {
                return Err(shows("the view", &one, &two));
            }
            let (one, two) = (offered(game, seat, &words), offered(&other, seat, &words));
            if one != two {
                return Err(shows("the choice", &one, &two));
            }
            let (sight, other_sight) =
                (Sight::new(rules, game.state(), viewer), Sight::new(rules, other.state(), viewer));
            for event in events {
                let one = words.event(event, &sight).unwrap_or_default();
                let two = words.event(&exchange.event(event), &other_sight).unwrap_or_default();
                if one != two {
                    return Err(shows("the log", &one, &two));
                }
            }
        }
        Ok(())
    }

    /// Gives the same answer with something else hidden, and compares who is asked next, and about what.
    fn asked_next(
        &self,
        game: &Game,
        host: &dyn EffectHost,
        seat: Seat,
        seed: u64,
        keep: &[PieceId],
        words: &Words<'_>,
    ) -> Result<(), String> {
        let Some((before, option)) = &self.answered else { return Ok(()) };
        let chosen = piece_of(*option);
        let keep: Vec<PieceId> = keep.iter().copied().chain(chosen).collect();
        // A game that does not go on with something else hidden tells nothing.
        let Ok(Some((mut other, exchange))) = before.resampled(host, seat, seed, &keep) else { return Ok(()) };
        let asked = |game: &Game| game.decision().map(|decision| (decision.seat, decision.ask));
        let is_same = |offered: &Opt| {
            let like = |a: PieceId, b: PieceId| a == b || other.eval(host).alike(a, b);
            let both = piece_of(*offered).zip(chosen);
            *offered == *option
                || both.is_some_and(|(a, b)| like(a, b) && without_piece(*offered) == without_piece(*option))
        };
        let at = other.decision().and_then(|decision| decision.options.iter().position(is_same));
        let Some(at) = at.filter(|_| !exchange.is_empty() && asked(&other) == asked(before)) else { return Ok(()) };
        let told = match other.answer(host, Answer(at as u16)) {
            Ok(_) if asked(&other) != asked(game) => {
                let who = |game: &Game| match game.decision() {
                    Some(decision) => format!("player {}: {}", decision.seat.index() + 1, words.question(decision)),
                    None => "nobody".to_string(),
                };
                Err(format!(
                    "who is asked next tells player {} what is hidden: `{}` or `{}`",
                    seat.index() + 1,
                    who(game),
                    who(&other)
                ))
            }
            _ => Ok(()),
        };
        other.abandon(host);
        told
    }
}

fn piece_of(option: Opt) -> Option<PieceId> {
    match option {
        Opt::Action(_, value) | Opt::Free(_, value) | Opt::Value(value) => value.piece(),
        _ => None,
    }
}

fn without_piece(option: Opt) -> Opt {
    match option {
        Opt::Action(action, _) => Opt::Action(action, Value::Nil),
        Opt::Free(action, _) => Opt::Free(action, Value::Nil),
        _ => Opt::Value(Value::Nil),
    }
}

fn view(game: &Game, host: &dyn EffectHost, viewer: Viewer, words: &Words<'_>) -> String {
    serde_json::to_string(&View::new(game, host, viewer, words)).expect("a view is plain data")
}

/// What the player is asked, with all options; nothing if another one is asked.
fn offered(game: &Game, seat: Seat, words: &Words<'_>) -> String {
    match game.decision().filter(|decision| decision.seat == seat) {
        Some(decision) => {
            format!("{}\n{}", words.question(decision), words.options(game.state(), decision).join("\n"))
        }
        None => String::new(),
    }
}

/// The pieces that a viewer saw while something happened to them.
fn seen_in(event: &Event, viewer: Viewer) -> Vec<PieceId> {
    match event {
        Event::Moved { piece, seen_by, .. } if seen_by.includes(viewer) => vec![*piece],
        Event::Laid { piece, on, seen_by } if seen_by.includes(viewer) => vec![*piece, *on],
        Event::ActionTaken { args, seen_by, .. } if seen_by.includes(viewer) => {
            args.iter().filter_map(|value| value.piece()).collect()
        }
        _ => Vec::new(),
    }
}
