//! A bot of one's own: for each answer, it draws tables as they may be, judging by what its seat knows, gives the answer there, and
//! plays the game to its end at random. It takes the answer after which its seat wins most often and soonest.
//!
//! `cargo run -p rulepack --example bot -- tests/fixtures/tiny tiny`

use std::error::Error;

use rulepack::{
    Answer, Bot, BotKind, EffectHost, Fault, Game, Library, LinkRequest, Pending, RandomBot, Seat, SeatedBot,
    Situation, Table, Thought,
};

/// The number of tables that are drawn for a question, and of random games with each answer on each table.
const TABLES: u64 = 10;
const PLAYOUTS: u64 = 6;
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
/// Gives the answer after which its seat wins most often, and soonest, in random games.
#[derive(Debug)]
struct Playing;

impl Bot for Playing {
    fn choose(&mut self, situation: &Situation<'_>) -> Result<Thought, Fault> {
        let (host, seat) = (situation.host()?, situation.seat());
        // Never the true table: what the seat cannot see is dealt out anew, and chance has a new seed.
        let tables = situation.tables(&*host)?;
        let mut worth = vec![0; situation.options()];
        for table in (0..TABLES).filter_map(|seed| tables.draw(&*host, seed)) {
            for (index, worth) in worth.iter_mut().enumerate() {
                for seed in 0..PLAYOUTS {
                    let mut tried = table.clone();
                    if tried.answer_fast(&*host, Answer(index as u16)).is_ok() {
                        *worth += play_on(&mut tried, &*host, seed, seat);
                    }
                    tried.abandon(&*host);
                }
            }
            table.abandon(&*host);
        }
        let best = (0..worth.len()).rev().max_by_key(|index| worth[*index]).unwrap_or(0);
        Ok(Thought::plain(Answer(best as u16)))
    }
}

/// Plays a game to its end at random, and returns a number for a seat. A seat that wins soon gets more than one that wins late,
/// so that the bot does not delay the end for ever; one that does not win gets 0.
fn play_on(game: &mut Game, host: &dyn EffectHost, seed: u64, seat: Seat) -> u64 {
    let mut chance = RandomBot::new(seed);
    for left in (1..=MOST_ANSWERS).rev() {
        let answer = match game.pending() {
            Pending::Over(outcome) => return if outcome.winners.contains(&seat) { left } else { 0 },
            Pending::Decision(decision) => chance.choose(game.rules(), decision),
        };
        if game.answer_fast(host, answer).is_err() {
            return 0;
        }
    }
    0
}
// ANCHOR_END: bot

/// The number of games that the bot wins, playing on the first and the second seat by turns.
pub fn contest(folder: &str, pack: &str, games: u64) -> Result<usize, Box<dyn Error>> {
    let library = Library::open(&[folder])?;
    let request = LinkRequest { pack: pack.to_string(), players: Some(2), ..LinkRequest::default() };
    let game_box = library.game(&request)?;
    let mut wins = 0;
    for seed in 0..games {
        let (own, other) = (Seat((seed % 2) as u8), Seat(1 - (seed % 2) as u8));
        // ANCHOR: seated
        let mut table = Table::open(&game_box, seed, "en")?;
        let mut bots = [SeatedBot::of(own, Box::new(Playing)), SeatedBot::new(other, BotKind::Random, seed)];
        table.bots_answer(&mut bots, 1_000)?;
        // ANCHOR_END: seated
        wins += usize::from(table.session().outcome().is_some_and(|outcome| outcome.winners == [own]));
    }
    Ok(wins)
}
