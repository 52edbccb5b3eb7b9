//! A bot: for each answer, it shuffles the pieces that its seat cannot see, gives the answer, and plays the game to its end at
//! random. It does so a few times, and takes the answer after which its seat wins most often and soonest.
//!
//! `cargo run -p rulepack --example bot -- tests/fixtures/tiny tiny`

use std::error::Error;

use rulepack::{Answer, Decision, Game, Library, LinkRequest, Pending, RandomBot, ScriptHost, Seat, Session};

/// The number of random games for each answer.
const PLAYOUTS: u64 = 60;
/// The largest number of answers in a random game.
const MOST_ANSWERS: u64 = 1_000;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let library = arguments.next().unwrap_or_else(|| ".".to_string());
    let pack = arguments.next().ok_or("which pack?")?;
    let wins = contest(&library, &pack, 20)?;
    println!("the bot wins {wins} of 20 games against one that plays by chance");
    Ok(())
}

// ANCHOR: bot
/// The answer after which the seat wins most often, and soonest, in random games.
fn choose(session: &Session, decision: &Decision) -> Result<Answer, Box<dyn Error>> {
    let host = session.host()?;
    // Never the true game: the pieces that the seat cannot see are shuffled, and chance has a new seed.
    let (imagined, _) = session.game().resampled(&*host, decision.seat, session.depth() as u64, &[])?;
    let options = imagined.decision().map_or(0, |decision| decision.options.len());
    let mut best = (0, Answer(0));
    for index in 0..options {
        let answer = Answer(index as u16);
        let mut worth = 0;
        for seed in 0..PLAYOUTS {
            let mut tried = imagined.clone();
            if tried.answer_fast(&*host, answer).is_ok() {
                worth += play_on(&mut tried, &host, seed, decision.seat)?;
            }
            tried.abandon(&*host);
        }
        if worth > best.0 {
            best = (worth, answer);
        }
    }
    imagined.abandon(&*host);
    Ok(best.1)
}

/// Plays a game to its end at random, and returns a number for a seat. A seat that wins soon gets more than one that wins late,
/// so that the bot does not delay the end for ever; one that does not win gets 0.
fn play_on(game: &mut Game, host: &ScriptHost, seed: u64, seat: Seat) -> Result<u64, Box<dyn Error>> {
    let mut chance = RandomBot::new(seed);
    for left in (1..=MOST_ANSWERS).rev() {
        match game.pending() {
            Pending::Over(outcome) => return Ok(if outcome.winners.contains(&seat) { left } else { 0 }),
            Pending::Decision(decision) => {
                let answer = chance.choose(game.rules(), decision);
                game.answer_fast(host, answer)?;
            }
        }
    }
    Ok(0)
}
// ANCHOR_END: bot

/// The number of games that the bot wins, playing on the first and the second seat by turns.
pub fn contest(folder: &str, pack: &str, games: u64) -> Result<usize, Box<dyn Error>> {
    let library = Library::open(&[folder])?;
    let request = LinkRequest { pack: pack.to_string(), players: Some(2), ..LinkRequest::default() };
    let game_box = library.game(&request)?;
    let mut wins = 0;
    for seed in 0..games {
        let (mut session, mut chance) = (Session::start(&game_box, seed)?, RandomBot::new(seed));
        let own = Seat((seed % 2) as u8);
        for _ in 0..MOST_ANSWERS {
            let Some(decision) = session.decision() else { break };
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
