//! Opens a library, links a pack, and plays a random game, with views, questions and log lines of a seat.
//!
//! `cargo run -p rulepack --example play -- tests/fixtures/tiny tiny`

use std::error::Error;

use rulepack::{Library, LinkRequest, RandomBot, Table, Viewer};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let library = arguments.next().unwrap_or_else(|| ".".to_string());
    let pack = arguments.next().ok_or("which pack?")?;
    for line in play(&library, &pack, 42)? {
        println!("{line}");
    }
    Ok(())
}

/// The lines of a game: its events, and who wins.
pub fn play(folder: &str, pack: &str, seed: u64) -> Result<Vec<String>, Box<dyn Error>> {
    // ANCHOR: play
    let library = Library::open(&[folder])?;
    let request = LinkRequest { pack: pack.to_string(), players: Some(2), ..LinkRequest::default() };
    let game_box = library.game(&request)?;
    let mut table = Table::open(&game_box, seed, "en")?;
    let mut bot = RandomBot::new(seed);
    while let Some(decision) = table.game().decision() {
        let (seat, answer) = (decision.seat, bot.choose(game_box.rules(), decision));
        let question = table.questions(seat)?.remove(0);
        table.answer_as(seat, question.revision, usize::from(answer.0))?;
    }
    let entries = table.log(Viewer::Public, 0)?;
    let mut lines: Vec<String> = entries.flat_map(|entry| &entry.told).map(|told| told.text.clone()).collect();
    if let Some(outcome) = table.scores()? {
        lines.push(format!("won by {}", outcome.winners.join(" and ")));
    }
    // ANCHOR_END: play
    Ok(lines)
}
