//! Writes a game that failed as a scenario: it fails until the mistake is corrected, and passes then.

use std::fmt::Write;

use rulepack_kernel::{Answer, Decision, Game, option_keys, seat_key};
use rulepack_model::visible::is_hidden;
use rulepack_script::ScriptHost;

use crate::load::GameBox;
use rulepack_bots::RandomBot;

/// The largest number of moves: nobody would read a longer scenario.
const MOST_MOVES: u64 = 500;

/// A scenario with the first moves of a game that was played by chance; `None` if there are too many.
pub(crate) fn scenario_of(game_box: &GameBox, host: &ScriptHost, seed: u64, moves: u64, about: &str) -> Option<String> {
    if moves > MOST_MOVES {
        return None;
    }
    let rules = game_box.rules();
    let mut text = format!("about = {}\n", quoted(about));
    let list = |words: &[String]| words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(", ");
    let _ = write!(text, "pack = {}\n\n[given]\n", quoted(&rules.pack));
    if !rules.modes.is_empty() {
        let _ = writeln!(text, "modes = [{}]", list(&rules.modes));
    }
    let seats: Vec<String> = rules.seats().map(seat_key).collect();
    let _ = write!(text, "players = [{}]\nseed = {seed}\nfrom = \"setup\"\n", list(&seats));
    let mut steps: Vec<(String, Vec<String>)> = Vec::new();
    // If the game cannot even be set up, there is no move to make.
    let mut game = if moves > 0 { game_box.start(host, seed).ok() } else { None };
    let mut bot = RandomBot::new(seed);
    for number in 1..=moves {
        let Some(playing) = &mut game else { break };
        let Some(decision) = playing.decision() else { break };
        let answer = bot.choose(rules, decision);
        let seat = seat_key(decision.seat);
        let words = words_of(playing, decision, answer)?;
        match steps.last_mut() {
            Some((last, chosen)) if *last == seat => chosen.extend(words),
            _ => steps.push((seat, words)),
        }
        // The failure itself need not be played.
        if number == moves || playing.answer_fast(host, answer).is_err() {
            break;
        }
    }
    if let Some(game) = game {
        game.abandon(host);
    }
    let has_steps = !steps.is_empty();
    for (seat, words) in steps {
        let _ = write!(text, "\n[[when]]\nseat = {}\nchoose = [{}]\n", quoted(&seat), list(&words));
    }
    // A scenario needs an expectation: without moves, that the game begins.
    if !has_steps {
        text.push_str("\n[then]\nover = false\n");
    }
    Some(text)
}

/// The shortest name that only this option has.
pub(super) fn words_of(game: &Game, decision: &Decision, answer: Answer) -> Option<Vec<String>> {
    let keys: Vec<_> = decision.options.iter().map(|option| option_keys(game.rules(), game.state(), *option)).collect();
    let own = keys.get(answer.0 as usize)?;
    let names_only_this = |path: &&Vec<String>| keys.iter().filter(|keys| keys.matches(path)).count() == 1;
    let name = std::iter::once(&own.primary).chain(&own.others).find(names_only_this);
    Some(name.unwrap_or(&own.primary).clone())
}

pub(super) fn quoted(text: &str) -> String {
    format!("{:?}", text.replace(is_hidden, " "))
}
