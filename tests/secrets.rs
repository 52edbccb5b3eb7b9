//! What players must not learn: every way in which a pack can tell it is planted here, and noticed.

use rulepack::{Game, GameBox, Library, LinkRequest, Pending, RandomBot, SimReport, SimRequest, simulate};

use crate::support::{Scratch, fixture};

fn load(folder: &std::path::Path, pack: &str, players: Option<u8>) -> GameBox {
    let library = Library::open(&[folder]).expect("the library is there");
    let request = LinkRequest { pack: pack.into(), players, ..LinkRequest::default() };
    library.load(&request).unwrap_or_else(|mistakes| panic!("it does not link: {mistakes:#?}"))
}

/// The fixture with another definition, another script, or both.
fn planted(name: &str, more: &str, script: &str) -> GameBox {
    let scratch = Scratch::copy_of("secrets", name);
    scratch.write("content/secrets/more.toml", more.as_bytes());
    if !script.is_empty() {
        scratch.write("scripts/secrets/planted.lua", script.as_bytes());
    }
    load(scratch.path(), "secrets", Some(2))
}

fn watched(game_box: &GameBox, games: u64) -> SimReport {
    let request = SimRequest { games, views: true, ..SimRequest::default() };
    simulate(game_box, &request, |_| true)
}

/// An action that is taken most of the time.
fn with_action(effect: &str) -> String {
    format!(
        "[action.try]\nweight = 400\neffect = \"\"\"{effect}\"\"\"\n[patch.phase.turn]\nactions = {{ adds = [\"try\"] }}\n"
    )
}

#[test]
fn nothing_is_told_by_what_tells_nothing() {
    for players in [2, 3] {
        let report = watched(&load(&fixture("secrets"), "secrets", Some(players)), 20);
        assert_eq!(report.failed, 0, "{:?}", report.failures);
    }
}

#[test]
fn a_question_inside_a_script_that_tells_what_is_hidden_is_noticed() {
    let script = r#"
local planted = {}
function planted.second(ctx)
  ctx:confirm("boast")
  local high = ctx:any(ctx:pieces("hand", ctx.opponent), function(card) return card.value > 4 end)
  if high then ctx:confirm("louder") end
end
return planted
"#;
    let in_lua = watched(&planted("second-lua", &with_action("planted.second"), script), 20);
    assert_eq!(in_lua.failed, 20, "{:?}", in_lua.failures);
    let message = &in_lua.failures[0].message;
    assert!(message.starts_with("who is asked next tells player"), "{message}");
    let step =
        "may gain 1 coin as boast; if count(hand of opponent where it.value > 4) > 0 { may gain 1 coin as louder }";
    let in_text = watched(&planted("second-text", &with_action(step), ""), 20);
    assert_eq!(in_text.failed, 20, "{:?}", in_text.failures);
}

// ---- games as far as one player knows ----

/// How often nothing else could be hidden at the decisions of some games, and how often it could.
fn refusals(game_box: &GameBox, seeds: std::ops::Range<u64>) -> (usize, usize, usize) {
    let host = game_box.host().expect("scripts load");
    let (mut refused, mut changed, mut tried) = (0, 0, 0);
    for seed in seeds {
        let mut game = game_box.start(&host, seed).expect("the game starts");
        let mut bot = RandomBot::new(seed);
        while let Pending::Decision(decision) = game.pending() {
            let answer = bot.choose(game.rules(), decision);
            for seat in game.rules().seats() {
                let (other, exchange) = game.resampled(&host, seat, seed, &[]).expect("no script fails");
                let asked = |game: &Game| game.decision().map(|decision| (decision.seat, decision.ask));
                assert_eq!(asked(&game), asked(&other));
                refused += usize::from(exchange.gave_up());
                changed += usize::from(!exchange.is_empty());
                tried += 1;
                other.abandon(&host);
            }
            game.answer_fast(&host, answer).expect("the game goes on");
        }
    }
    (refused, changed, tried)
}

#[test]
fn what_is_hidden_can_be_shuffled_at_every_decision() {
    let mut all = Vec::new();
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    for folder in [root.to_path_buf(), fixture("secrets"), fixture("nest"), fixture("stock"), fixture("inside")] {
        let library = Library::open(&[&folder]).expect("the library is there");
        for info in library.list() {
            let Some((least, most)) = info.players else { continue };
            for players in [least, most] {
                let game_box = load(&folder, &info.id, Some(players));
                all.push((info.id.clone(), players, refusals(&game_box, 1..3)));
            }
        }
    }
    let refused: Vec<_> = all.iter().filter(|(.., (refused, ..))| *refused > 0).collect();
    assert!(refused.is_empty(), "{refused:?}");
    let (changed, tried) = all.iter().fold((0, 0), |sum, (.., (_, changed, tried))| (sum.0 + changed, sum.1 + tried));
    assert!(tried > 5_000 && changed * 3 > tried, "{changed} of {tried}: {all:?}");
}
