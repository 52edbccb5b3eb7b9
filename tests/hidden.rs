//! Hidden values and pieces that are shown: variables and resources that only their owner sees, secret rolls and choices, `reveal`, and
//! looks that last until a piece moves.

use rulepack::{
    Answer, Game, GameBox, Library, LinkRequest, Opt, Seat, Sight, SimReport, SimRequest, Value, View, Viewer, Words,
    simulate,
};
use rulepack_kernel::{TableSampler, option_keys};

use crate::support::{Scratch, fixture, rulepack};

fn load(folder: &std::path::Path, players: u8) -> GameBox {
    let library = Library::open(&[folder]).expect("the library is there");
    let request = LinkRequest { pack: "hidden".into(), players: Some(players), ..LinkRequest::default() };
    library.load(&request).unwrap_or_else(|mistakes| panic!("it does not link: {mistakes:#?}"))
}

/// The fixture with a change of its file.
fn planted(name: &str, was: &str, now: &str) -> GameBox {
    let scratch = Scratch::copy_of("hidden", name);
    let path = "content/hidden/pack.toml";
    let pack = std::fs::read_to_string(scratch.path().join(path)).expect("it is there");
    assert!(pack.contains(was), "the fixture has no `{was}`");
    scratch.write(path, pack.replacen(was, now, 1).as_bytes());
    load(scratch.path(), 2)
}

fn watched(game_box: &GameBox, games: u64) -> SimReport {
    let request = SimRequest { games, views: true, ..SimRequest::default() };
    simulate(game_box, &request, |_| true)
}

#[test]
fn nothing_that_is_hidden_is_told() {
    for players in ["2", "3"] {
        let arguments = ["sim", "hidden", "--players", players, "--games", "40", "--views", "--invariants"];
        let run = rulepack(&fixture("hidden"), &arguments);
        assert_eq!(run.code, 0, "{}", run.shown());
    }
}

#[test]
fn the_pack_has_no_mistakes_and_its_scenarios_pass() {
    let run = rulepack(&fixture("hidden"), &["check", "hidden", "--deny", "warnings"]);
    assert_eq!(run.code, 0, "{}", run.shown());
    let run = rulepack(&fixture("hidden"), &["test", "hidden"]);
    assert_eq!(run.code, 0, "{}", run.shown());
}

/// Each way in which a pack can tell a hidden value is planted, and noticed.
#[test]
fn what_tells_a_hidden_value_is_noticed() {
    let roll = "for each die in my cup { roll face of 6 in secret; set die.face = face };";
    let offer = "set my.bid = bid; set turns";
    let cases = [
        // In the middle of the effect that rolls.
        ("roll-if", roll, "roll high of 6 in secret; if high > 3 { gain 1 coin };"),
        ("roll-later", roll, "roll high of 6 in secret; may gain 1 coin as which; if high > 3 { gain 1 coin };"),
        // A choice in secret, at once and after another question.
        ("choice", offer, "if bid > 3 { gain 1 coin }; set turns"),
        ("choice-later", offer, "may gain 1 coin as which; if bid > 3 { gain 2 coin }; set turns"),
        // A variable of a piece and of a player, later.
        (
            "face",
            "effect = \"cups.all\"",
            "effect = \"if sum(my cup, it.face) > 9 { gain 1 coin }; set turns = turns + 1\"",
        ),
        ("bid", "effect = \"cups.all\"", "effect = \"if opponent.bid > 2 { gain 1 coin }; set turns = turns + 1\""),
        ("lucky", "effect = \"cups.all\"", "effect = \"if lucky > 3 { gain 1 coin }; set turns = turns + 1\""),
        // An amount.
        (
            "amount",
            "effect = \"cups.all\"",
            "effect = \"if opponent.pearl > 4 { gain 1 coin }; set turns = turns + 1\"",
        ),
        // A value that all see, and a variable that follows from a hidden one.
        ("value", "base    = \"sum(my cup, it.face)\"\nvisible = \"owner\"", "base = \"sum(my cup, it.face)\""),
        ("copied", "set my.bid = bid; set turns", "set my.bid = bid; set turns = turns + bid % 2; set turns"),
        // The set-up.
        (
            "set-up",
            "set lucky = number;",
            "set lucky = number; if number > 3 { for each player in players { gain 1 coin for player } };",
        ),
    ];
    for (name, was, now) in cases {
        let report = watched(&planted(&format!("hidden-{name}"), was, now), 12);
        assert!(report.failed >= 1, "{name}: {} of 12 games: {:?}", report.failed, report.failures.first());
    }
}

/// A roll or a choice that is not in secret is told to all, and so is no leak.
#[test]
fn what_everybody_is_told_is_no_leak() {
    let open = "roll high of 6; if high > 3 { gain 1 coin };";
    let roll = "for each die in my cup { roll face of 6 in secret; set die.face = face };";
    let report = watched(&planted("hidden-open", roll, open), 12);
    assert_eq!(report.failed, 0, "{:?}", report.failures);
}

/// A game in which a player takes some actions, one after the other, and the other one swears in between.
fn after(game_box: &GameBox, path: &[&str]) -> (Game, Vec<Vec<String>>) {
    let host = game_box.host().expect("scripts load");
    let mut game = game_box.start(&host, 3).expect("the game starts");
    let words = Words::new(game_box.rules(), &game_box.rules().texts.own);
    let mut told = vec![Vec::new(), Vec::new()];
    for key in path {
        let named = |option: &Opt| {
            option_keys(game.rules(), game.state(), *option).primary.last().is_some_and(|last| last == key)
        };
        let at = game.decision().and_then(|decision| decision.options.iter().position(named));
        let at = at.unwrap_or_else(|| panic!("`{key}` is not offered: {:?}", game.decision()));
        let events = game.answer(&host, Answer(at as u16)).expect("the game goes on");
        for (seat, told) in told.iter_mut().enumerate() {
            let sight = Sight::new(game.rules(), game.state(), Viewer::Seat(Seat(seat as u8)));
            told.extend(events.iter().filter_map(|event| words.event(event, &sight)));
        }
    }
    (game, told)
}

#[test]
fn others_are_told_that_something_is_done_in_secret_and_not_what() {
    let (_, told) = after(&load(&fixture("hidden"), 2), &["offer", "4"]);
    assert!(told[0].contains(&"Player 1 chooses 4".to_string()), "{told:?}");
    assert!(told[1].contains(&"Player 1 chooses in secret".to_string()), "{told:?}");
    let (_, told) = after(&load(&fixture("hidden"), 2), &["roll"]);
    let rolls = |told: &[String]| told.iter().filter(|line| **line == "Player 1 rolls in secret").count();
    assert_eq!((rolls(&told[0]), rolls(&told[1])), (0, 3), "{told:?}");
    assert_eq!(told[0].iter().filter(|line| line.starts_with("Player 1 rolls ")).count(), 3, "{told:?}");
}

#[test]
fn a_revealed_piece_is_named_to_those_who_are_shown_it() {
    let game_box = load(&fixture("hidden"), 3);
    let (game, _) = after(&game_box, &[]);
    let card = game.state().zone(game.rules().zone_ix(game.rules().vocabulary.zones["hand"].id, Some(Seat(0)))).next();
    let name = card.map(|card| game.rules().types[game.rules().type_of(card).index()].name.clone()).expect("a card");
    let (game, told) = after(&game_box, &[&name]);
    let words = Words::new(game.rules(), &game.rules().texts.own);
    let title = card.map(|card| words.type_title(game.rules().type_of(card))).expect("a card");
    assert!(told[1].contains(&format!("Shown to Player 2: {title}")), "{told:?}");
    let sees = |seat: u8| {
        let sight = Sight::new(game.rules(), game.state(), Viewer::Seat(Seat(seat)));
        card.is_some_and(|card| sight.sees(card))
    };
    assert_eq!([0, 1, 2].map(sees), [true, true, false]);
}

#[test]
fn views_show_hidden_values_to_those_who_may_see_them() {
    let game_box = load(&fixture("hidden"), 2);
    let host = game_box.host().expect("scripts load");
    let (game, _) = after(&game_box, &["offer", "4"]);
    let words = Words::new(game.rules(), &game.rules().texts.own);
    let view = |viewer| View::new(&game, &host, viewer, &words);
    let (own, other, all) = (view(Viewer::Seat(Seat(0))), view(Viewer::Seat(Seat(1))), view(Viewer::All));
    for view in [&own, &all] {
        let player = &view.players[0];
        assert!(player.variables.get("bid").is_some() && player.values.get("pips").is_some(), "{player:?}");
        assert!(player.resources.get("pearl").is_some() && player.resources.get("coin").is_some(), "{player:?}");
    }
    let player = &other.players[0];
    assert!(player.variables.get("bid").is_none() && player.values.get("pips").is_none(), "{player:?}");
    assert!(player.resources.get("pearl").is_none() && player.resources.get("coin").is_some(), "{player:?}");
    assert!(own.variables.get("lucky").is_none() && all.variables.get("lucky").is_some());
    assert!(own.supply.get("pearl").is_none() && all.supply.get("pearl").is_some());
    let faces = |view: &View| serde_json::to_string(view).expect("it is plain").matches("\"face\"").count();
    assert_eq!((faces(&own), faces(&other), faces(&all)), (3, 3, 6));
}

/// What a bot is given does not depend on what it does not know, and hidden values come out differently.
#[test]
fn bots_are_given_any_value_that_may_be() {
    let game_box = load(&fixture("hidden"), 2);
    let host = game_box.host().expect("scripts load");
    let bid = game_box.rules().vocabulary.vars["bid"].0;
    let bids = |choice: &str| -> Vec<Value> {
        let (game, _) = after(&game_box, &["offer", choice]);
        let sampler = TableSampler::new(&game, &host, Seat(1)).expect("no script fails");
        let drawn = |seed| {
            let table = sampler.draw(&host, seed).expect("a table agrees");
            let bid = table.state().var(table.rules(), bid, Some(Value::Seat(Seat(0))));
            table.abandon(&host);
            bid
        };
        (0..60).map(drawn).collect()
    };
    let (low, high) = (bids("1"), bids("5"));
    assert_eq!(low, high);
    let distinct: std::collections::BTreeSet<Value> = low.into_iter().collect();
    assert_eq!(distinct.len(), 6, "{distinct:?}");
}

#[test]
fn a_save_keeps_what_was_shown() {
    let game_box = load(&fixture("hidden"), 2);
    let host = game_box.host().expect("scripts load");
    let (game, _) = after(&game_box, &["peek"]);
    let saved = game.save().to_json();
    let again = Game::load(game.rules().clone(), &host, &saved).expect("it loads");
    assert_eq!(game.hash(), again.hash());
    let seen = |game: &Game| {
        let sight = Sight::new(game.rules(), game.state(), Viewer::Seat(Seat(0)));
        let deck = game.rules().zone_ix(game.rules().vocabulary.zones["deck"].id, None);
        game.state().zone(deck).filter(|piece| sight.sees(*piece)).count()
    };
    assert_eq!((seen(&game), seen(&again)), (1, 1));
}

/// What the page shows stands in the fixture, line by line.
#[test]
fn the_page_shows_the_fixture() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(root.join("docs/secrets.md")).expect("it is there");
    let pack = std::fs::read_to_string(fixture("hidden").join("content/hidden/pack.toml")).expect("it is there");
    let section = page.split("## Hidden values").nth(1).and_then(|rest| rest.split("\n## ").next()).unwrap_or("");
    let blocks: Vec<&str> = section.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert_eq!(blocks.len(), 2);
    assert!(blocks.iter().all(|block| pack.contains(block)), "{blocks:#?}");
}
