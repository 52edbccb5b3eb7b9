//! Opens a library, links a pack, and plays a game: one seat answers by itself, bots have the others.
//!
//! `cargo run -p rulepack --example play -- tests/fixtures/tiny tiny`

use std::error::Error;

use rulepack::{BotKind, Library, LinkRequest, Seat, SeatedBot, Table, Viewer};

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
    let person = Seat(0);
    let others = table.seats().filter(|seat| *seat != person);
    let mut bots: Vec<SeatedBot> = others.map(|seat| SeatedBot::new(seat, BotKind::Greedy, seed)).collect();
    for _ in 0..1_000 {
        table.bots_answer(&mut bots, 1_000)?;
        let Some(question) = table.questions(person)?.pop() else { break };
        // A person would read `question.text` and the text of each option.
        let index = table.answers() % question.options.len();
        table.answer_as(question.player, question.revision, index)?;
    }
    let entries = table.log(Viewer::Public, 0)?;
    let mut lines: Vec<String> = entries.flat_map(|entry| &entry.told).map(|told| told.text.clone()).collect();
    if let Some(outcome) = table.scores()? {
        lines.push(format!("won by {}", outcome.winners.join(" and ")));
    }
    // ANCHOR_END: play
    Ok(lines)
}
