//! What must hold at every decision of every pack, with no new code for a new pack: options are readable and few, a
//! copy, a saved and loaded game and a replay are the same game, and nobody sees what is hidden.

use std::collections::BTreeSet;
use std::path::Path;

use rulepack::{Answer, Game, GameBox, Library, LinkRequest, Pending, RandomBot, ScriptHost, Seat, Viewer, Words};
use rulepack::{View, check_invariants};

/// No decision lists more.
const MOST_OPTIONS: usize = 64;

/// What is done to the check, to see that it notices.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Tamper {
    Nothing,
    /// A replay in which one answer is missing.
    DropAnswer,
}

fn load(folder: &str, pack: &str, players: u8, modes: &[&str]) -> GameBox {
    let library = Library::open(&[Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)]).expect("the library is there");
    let request = LinkRequest {
        pack: pack.into(),
        players: Some(players),
        modes: modes.iter().map(|mode| (*mode).to_string()).collect(),
        ..LinkRequest::default()
    };
    library.load(&request).unwrap_or_else(|mistakes| panic!("{pack} does not link: {mistakes:#?}"))
}

/// Plays a random game and checks it at every decision.
fn follow(game_box: &GameBox, seed: u64, tamper: Tamper) -> Result<usize, String> {
    let (host, other) = (game_box.host().map_err(text)?, game_box.host().map_err(text)?);
    let mut game = game_box.start(&host, seed).map_err(text)?;
    let mut bot = RandomBot::new(seed);
    let mut answers: Vec<Answer> = Vec::new();
    // The same answers given elsewhere, from the start on.
    let mut twin = game_box.start(&other, seed).map_err(text)?;
    // Plays on by itself each time.
    let mut copied = twin.clone();
    loop {
        let Pending::Decision(decision) = game.pending() else { return Ok(answers.len()) };
        let at = format!("seed {seed}, decision {}", answers.len() + 1);
        readable(&game, &at)?;
        check_invariants(game.rules(), game.state()).map_err(|broken| format!("{at}: {broken}"))?;

        let saved = game.save().to_json();
        let loaded =
            Game::load(game.rules().clone(), &other, &saved).map_err(|error| format!("{at}: load: {error}"))?;
        same(&game, &loaded, &format!("{at}: saved and loaded"))?;

        same(&game, &twin, &format!("{at}: given the same answers"))?;
        copied.clone_from(&game);
        same(&game, &copied, &format!("{at}: copied into the memory of another"))?;
        if copied.answer_fast(&other, Answer(0)).is_err() {
            return Err(format!("{at}: a copy cannot be gone on with"));
        }
        // All over again from the start: at every decision of a short game, now and then in a long one.
        if answers.len() < 120 || answers.len().is_multiple_of(40) {
            let mut given = answers.clone();
            if tamper == Tamper::DropAnswer && given.len() > 6 {
                given.remove(given.len() / 2);
            }
            let again = replay(game_box, &other, seed, &given).map_err(|error| format!("{at}: replay: {error}"))?;
            same(&game, &again, &format!("{at}: replayed"))?;
        }

        // A copy and a loaded game go on like the game itself, each on its own script host.
        let answer = bot.choose(game_box.rules(), decision);
        let mut copies = [("copied", game.clone()), ("loaded", loaded)];
        let events = game.answer(&host, answer).map_err(|error| format!("{at}: {error}"))?;
        for (how, copy) in &mut copies {
            let told = copy.answer(&other, answer).map_err(|error| format!("{at}: {how}: {error}"))?;
            same(&game, copy, &format!("{at}: {how}, then answered"))?;
            if told != events {
                return Err(format!("{at}: {how}: other events were told"));
            }
        }
        twin.answer_fast(&other, answer).map_err(|error| format!("{at}: twin: {error}"))?;
        answers.push(answer);
    }
}

fn replay(game_box: &GameBox, host: &ScriptHost, seed: u64, answers: &[Answer]) -> Result<Game, String> {
    let mut game = game_box.start(host, seed).map_err(text)?;
    for answer in answers {
        game.answer_fast(host, *answer).map_err(text)?;
    }
    Ok(game)
}

fn same(game: &Game, other: &Game, what: &str) -> Result<(), String> {
    if game.decision() != other.decision() {
        return Err(format!("{what}: another decision: {:?} and {:?}", game.decision(), other.decision()));
    }
    if game.hash() != other.hash() {
        return Err(format!("{what}: another hash"));
    }
    Ok(())
}

fn readable(game: &Game, at: &str) -> Result<(), String> {
    let Pending::Decision(decision) = game.pending() else { return Ok(()) };
    if decision.options.is_empty() || decision.options.len() > MOST_OPTIONS {
        return Err(format!("{at}: {} options", decision.options.len()));
    }
    let texts = Words::new(game.rules(), "en").options(game.state(), decision);
    let distinct: BTreeSet<&String> = texts.iter().collect();
    if distinct.len() != texts.len() || texts.iter().any(|text| text.trim().is_empty()) {
        return Err(format!("{at}: options that cannot be told apart: {texts:?}"));
    }
    Ok(())
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

/// Shuffles what a player cannot see, and compares what the player sees.
fn nothing_hidden_shows(game_box: &GameBox, seed: u64, viewer: impl Fn(Seat) -> Viewer) -> Result<usize, String> {
    let host = game_box.host().map_err(text)?;
    let mut game = game_box.start(&host, seed).map_err(text)?;
    let mut bot = RandomBot::new(seed);
    let mut exchanged = 0;
    while let Pending::Decision(decision) = game.pending() {
        let answer = bot.choose(game_box.rules(), decision);
        for seat in game.rules().seats() {
            let (other, exchange) = game.resampled(&host, seat, seed + exchanged as u64, &[]).map_err(text)?;
            if exchange.is_empty() {
                continue;
            }
            exchanged += 1;
            let words = Words::new(game.rules(), "en");
            let see = |game: &Game| {
                let view = View::new(game, &host, viewer(seat), &words);
                serde_json::to_string(&view).expect("a view is plain data")
            };
            if see(&game) != see(&other) {
                return Err(format!("seed {seed}: player {} sees what is hidden", seat.0 + 1));
            }
        }
        game.answer_fast(&host, answer).map_err(text)?;
    }
    Ok(exchanged)
}

#[test]
fn a_nested_script_can_be_forked_at_every_decision() {
    let game_box = load("tests/fixtures/nest", "nest", 2, &[]);
    for seed in 0..12 {
        follow(&game_box, seed, Tamper::Nothing).unwrap();
    }
}

#[test]
fn stock_standing_rules_and_looks_can_be_forked_at_every_decision() {
    let game_box = load("tests/fixtures/stock", "stock", 2, &[]);
    for seed in 0..8 {
        follow(&game_box, seed, Tamper::Nothing).unwrap();
    }
}

/// Every shipped game with its fewest and its most players, each edition in turn.
fn shipped() -> Vec<(String, u8, Vec<String>)> {
    let library = Library::open(&[env!("CARGO_MANIFEST_DIR")]).expect("the repository is a library");
    let mut all = Vec::new();
    for info in library.list() {
        // Expansions are games of their own; what nobody can play is a library.
        let Some((least, most)) = info.players else { continue };
        let editions: Vec<Vec<String>> = info.editions.iter().map(|edition| vec![edition.clone()]).collect();
        for (turn, players) in [least, most].into_iter().enumerate() {
            let modes = editions.get(turn % editions.len().max(1)).cloned().unwrap_or_default();
            all.push((info.id.clone(), players, modes));
        }
    }
    all
}

#[test]
fn shipped_packs_can_be_forked_at_every_decision() {
    let games = shipped();
    assert!(!games.is_empty());
    for (pack, players, modes) in games {
        let modes: Vec<&str> = modes.iter().map(String::as_str).collect();
        follow(&load(".", &pack, players, &modes), u64::from(players), Tamper::Nothing).unwrap();
    }
}

#[test]
fn a_dropped_answer_is_noticed() {
    let game_box = load("tests/fixtures/nest", "nest", 2, &[]);
    let noticed = follow(&game_box, 1, Tamper::DropAnswer).unwrap_err();
    assert!(noticed.contains("replay"), "{noticed}");
}

#[test]
fn a_script_that_remembers_something_is_noticed() {
    let game_box = load("tests/fixtures/leaky", "leaky", 2, &[]);
    let noticed: Vec<String> = (0..12).filter_map(|seed| follow(&game_box, seed, Tamper::Nothing).err()).collect();
    assert!(!noticed.is_empty(), "a script kept a number between two calls, and nobody noticed");
}

#[test]
fn hidden_pieces_do_not_show_in_a_view() {
    let mut exchanged = 0;
    for seed in 0..6 {
        exchanged += nothing_hidden_shows(&load("tests/fixtures/nest", "nest", 2, &[]), seed, Viewer::Seat).unwrap();
    }
    for seed in 0..3 {
        exchanged += nothing_hidden_shows(&load("tests/fixtures/stock", "stock", 2, &[]), seed, Viewer::Seat).unwrap();
    }
    for (pack, players, _) in shipped() {
        exchanged += nothing_hidden_shows(&load(".", &pack, players, &[]), 5, Viewer::Seat).unwrap();
    }
    assert!(exchanged > 100, "only {exchanged} exchanges were tried");
}

#[test]
fn a_view_that_shows_too_much_is_noticed() {
    let game_box = load("tests/fixtures/nest", "nest", 2, &[]);
    nothing_hidden_shows(&game_box, 1, |_| Viewer::All).unwrap_err();
}

#[test]
fn a_fault_leaves_the_game_as_it_was() {
    let game_box = load("tests/fixtures/faulty", "faulty", 2, &[]);
    let host = game_box.host().unwrap();
    let mut game = game_box.start(&host, 3).unwrap();
    let before = (game.hash(), game.decision().cloned());
    let fault = game.answer(&host, Answer(0)).unwrap_err().to_string();
    assert!(fault.contains("scripts/faulty/traps.lua:"), "{fault}");
    assert!(fault.contains("action.spring"), "{fault}");
    assert_eq!((game.hash(), game.decision().cloned()), before);
    game.answer(&host, Answer(1)).expect("the game goes on");
}

#[test]
fn an_effect_does_the_same_as_an_expression_and_in_lua() {
    let game_box = load("tests/fixtures/twins", "twins", 2, &[]);
    let host = game_box.host().unwrap();
    let start = game_box.start(&host, 1).unwrap();
    let after = |answer| {
        let mut game = start.clone();
        let events = game.answer(&host, Answer(answer)).unwrap();
        (game.hash(), events.len())
    };
    assert_eq!(after(0), after(1));
}

#[test]
fn a_free_action_that_only_leads_back_is_not_offered() {
    let game_box = load("tests/fixtures/nest", "nest", 2, &[]);
    let host = game_box.host().unwrap();
    let mut game = game_box.start(&host, 1).unwrap();
    let offered = |game: &Game| -> Vec<String> {
        let decision = game.decision().expect("the game goes on");
        let keys =
            decision.options.iter().map(|option| rulepack_kernel::option_keys(game.rules(), game.state(), *option));
        keys.map(|keys| keys.primary.join(" ")).collect()
    };
    let take = |game: &mut Game, name: &str| {
        let index = offered(game).iter().position(|key| key == name).unwrap_or_else(|| panic!("{name} is offered"));
        game.answer(&host, Answer(index as u16)).unwrap();
    };
    assert!(offered(&game).contains(&"swap_rope".to_string()));
    take(&mut game, "swap_coin");
    assert!(offered(&game).contains(&"swap_coin".to_string()), "a further exchange leads to something new");
    assert!(!offered(&game).contains(&"swap_rope".to_string()), "the way back leads to what was before");
    // Something that is not free makes a new beginning.
    let play = offered(&game).into_iter().find(|key| key.starts_with("play ")).expect("a card can be played");
    take(&mut game, &play);
    assert!(offered(&game).contains(&"swap_rope".to_string()));
}
