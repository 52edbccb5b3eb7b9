//! Free moves that run in circles. The kernel does not offer the move that leads back; this module reports it.

use std::collections::BTreeSet;

use rulepack_kernel::{Opt, option_keys};
use serde::Serialize;

use crate::load::GameBox;
use crate::sim::game_seed;
use rulepack_bots::RandomBot;

/// Moves of which the last would lead back to the position before the first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Circle {
    /// By their names, such as `swap rope`.
    pub moves: Vec<String>,
}

/// Plays random games and returns the circles that were cut off, each once, the shortest first.
pub fn circles(game_box: &GameBox, games: u64) -> Vec<Circle> {
    let mut found = BTreeSet::new();
    let Ok(host) = game_box.host() else { return Vec::new() };
    let rules = game_box.rules();
    for index in 0..games {
        let seed = game_seed(1, index);
        let Ok(mut game) = game_box.start(&host, seed) else { continue };
        let mut bot = RandomBot::new(seed);
        // The free moves since the last move that was not free.
        let mut moves: Vec<String> = Vec::new();
        for _ in 0..20_000 {
            let Some(decision) = game.decision() else { break };
            let name = |option: &Opt| match option {
                Opt::Action(action, _) | Opt::Free(action, _) if rules.actions[action.index()].free => {
                    Some(option_keys(rules, game.state(), *option).primary.join(" "))
                }
                _ => None,
            };
            if !moves.is_empty() {
                for back in game.leading_back(&host).iter().filter_map(name) {
                    found.insert((moves.len(), moves.iter().cloned().chain([back]).collect::<Vec<String>>()));
                }
            }
            let answer = bot.choose(rules, decision);
            let chosen = decision.options[answer.0 as usize];
            match chosen {
                Opt::Action(..) | Opt::Free(..) => match name(&chosen) {
                    Some(free) => moves.push(free),
                    None => moves.clear(),
                },
                // Choices inside a free move belong to it.
                _ if game.is_in_free_action() => {
                    if let Some(last) = moves.last_mut() {
                        let chosen = option_keys(rules, game.state(), chosen).primary.join(" ");
                        last.push_str(&format!(" {chosen}"));
                    }
                }
                _ => moves.clear(),
            }
            if game.answer_fast(&host, answer).is_err() {
                break;
            }
        }
        game.abandon(&host);
    }
    // A longer circle that ends like a shorter one tells nothing new.
    let mut told: Vec<Circle> = Vec::new();
    for (_, moves) in found {
        if !told.iter().any(|circle| moves.ends_with(&circle.moves)) {
            told.push(Circle { moves });
        }
    }
    told
}
