//! A bot of one's own: it tries each answer on a game that differs from the true one in what its seat cannot see, and takes the
//! one after which its seat has most of what lies on the table and in its store.
//!
//! `cargo run -p rulepack --example bot -- tests/fixtures/tiny tiny`

use std::error::Error;

use rulepack::{Answer, Decision, Library, LinkRequest, RandomBot, ResId, Seat, Session};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let library = arguments.next().unwrap_or_else(|| ".".to_string());
    let pack = arguments.next().ok_or("which pack?")?;
    let wins = contest(&library, &pack, 20)?;
    println!("the bot wins {wins} of 20 games against one that plays by chance");
    Ok(())
}

// ANCHOR: bot
/// The answer after which the seat has most.
fn choose(session: &Session, decision: &Decision) -> Result<Answer, Box<dyn Error>> {
    let host = session.host()?;
    // Never the true game: what the seat cannot see is shuffled, and chance is drawn anew.
    let (imagined, _) = session.game().resampled(&*host, decision.seat, session.depth() as u64, &[])?;
    let mut best = (i64::MIN, Answer(0));
    let options = imagined.decision().map_or(0, |decision| decision.options.len());
    for index in 0..options {
        let answer = Answer(index as u16);
        let mut tried = imagined.clone();
        if tried.answer_fast(&*host, answer).is_ok() && wealth(&tried, decision.seat) > best.0 {
            best = (wealth(&tried, decision.seat), answer);
        }
        tried.abandon(&*host);
    }
    imagined.abandon(&*host);
    Ok(best.1)
}
// ANCHOR_END: bot

/// All resources of a seat, and three for each of its pieces on the table.
fn wealth(game: &rulepack::Game, seat: Seat) -> i64 {
    let (rules, state) = (game.rules(), game.state());
    let stock = (0..rules.resources.len()).map(|res| i64::from(state.amount(rules, seat, ResId::from(res))));
    let owned = (0..rules.pieces.len()).map(rulepack::PieceId::from);
    let owned = owned.filter(|piece| rules.zone_owner(state.piece(*piece).zone) == Some(seat)).count();
    stock.sum::<i64>() + 3 * owned as i64
}

/// How many of some games the bot wins, from the first seat and the second in turn.
pub fn contest(folder: &str, pack: &str, games: u64) -> Result<usize, Box<dyn Error>> {
    let library = Library::open(&[folder])?;
    let request = LinkRequest { pack: pack.to_string(), players: Some(2), ..LinkRequest::default() };
    let game_box = library.game(&request)?;
    let mut wins = 0;
    for seed in 0..games {
        let (mut session, mut chance) = (Session::start(&game_box, seed)?, RandomBot::new(seed));
        let own = Seat((seed % 2) as u8);
        while let Some(decision) = session.decision() {
            let answer = match decision.seat == own {
                true => choose(&session, decision)?,
                false => chance.choose(game_box.rules(), decision),
            };
            session.answer(answer)?;
        }
        wins += usize::from(session.outcome().is_some_and(|outcome| outcome.winners == [own]));
    }
    Ok(wins)
}
