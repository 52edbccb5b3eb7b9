//! Command lines that show a game again, to be copied into a terminal.

use rulepack_bots::BotKind;
use rulepack_kernel::Ruleset;

use crate::balance::BalanceRequest;
use crate::load::Library;
use crate::sim::SimRequest;

/// Plays one game of a simulation again, and prints it.
pub fn play_call(library: &Library, rules: &Ruleset, request: &SimRequest, seed: u64) -> String {
    format!("{} --seed {seed} --bots {}", game_call(library, rules, "play"), bots(request))
}

/// The same for a game that does not end, up to the answer at which it was stopped.
pub fn capped_call(library: &Library, rules: &Ruleset, request: &SimRequest, seed: u64, answers: u64) -> String {
    format!("{} --max-answers {answers}", play_call(library, rules, request, seed))
}

/// Plays one game of a simulation again, with the same checks after every answer.
pub fn sim_call(library: &Library, rules: &Ruleset, request: &SimRequest, seed: u64) -> String {
    let mut call = format!("{} --game-seed {seed}", game_call(library, rules, "sim"));
    if !request.is_by_chance() {
        call.push_str(&format!(" --bots {}", bots(request)));
    }
    for (name, wanted) in [("invariants", request.invariants), ("views", request.views)] {
        if wanted {
            call.push_str(&format!(" --{name}"));
        }
    }
    call
}

/// The call of a report about the balance of a game; `more` are further options with their values.
pub fn balance_call(library: &Library, rules: &Ruleset, request: &BalanceRequest, more: &[(&str, &str)]) -> String {
    let mut bots: Vec<String> = request.seats.iter().flatten().map(ToString::to_string).collect();
    if bots.iter().all(|bot| Some(bot) == bots.first()) {
        bots.truncate(1);
    }
    let mut call = format!(
        "{} --bots {} --games {} --seed {}",
        game_call(library, rules, "balance"),
        bots.join(","),
        request.games,
        request.seed
    );
    for (name, value) in more {
        call.push_str(&format!(" --{name} {}", quoted(value)));
    }
    call
}

/// The bots of a simulation, in the notation of `--bots`.
fn bots(request: &SimRequest) -> String {
    match request.is_by_chance() {
        true => BotKind::Random.to_string(),
        false => request.seats.iter().flatten().map(ToString::to_string).collect::<Vec<_>>().join(","),
    }
}

/// Plays one game again and tests every property at every decision.
pub fn conformance_call(library: &Library, rules: &Ruleset, seed: u64) -> String {
    format!("{} --game-seed {seed} --thorough", game_call(library, rules, "test --conformance"))
}

/// A subcommand with the libraries, the packs, the players and the modes of a game.
fn game_call(library: &Library, rules: &Ruleset, subcommand: &str) -> String {
    let mut words = vec!["rulepack".to_string()];
    let folders: Vec<String> = library.folders().iter().map(|folder| folder.to_string_lossy().into_owned()).collect();
    if folders != ["."] {
        words.extend(folders.iter().flat_map(|folder| ["--library".to_string(), quoted(folder)]));
    }
    words.extend([subcommand.to_string(), rules.pack.clone()]);
    let brought = library.load_order(&rules.pack);
    let with = rules.packs.iter().map(|pack| &pack.id).filter(|id| !brought.contains(id));
    words.extend(with.flat_map(|id| ["--with".to_string(), id.clone()]));
    words.extend(["--players".to_string(), rules.players.to_string()]);
    words.extend(rules.modes.iter().flat_map(|mode| ["--mode".to_string(), mode.clone()]));
    words.join(" ")
}

/// A word with the quotes that a shell needs.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./~+:@,=".contains(c);
    if !word.is_empty() && !word.starts_with('~') && word.chars().all(is_plain) {
        return word.to_string();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_a_strange_name_is_one_word() {
        assert_eq!(quoted("../my-cards"), "../my-cards");
        assert_eq!(quoted("my cards"), "'my cards'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
        assert_eq!(quoted("~"), "'~'");
    }
}
