//! Games that nobody loses: what chance depends on, what saves and logs are bound to, and what is left after a crash.

use rulepack::{Answer, Game, GameBox, Library, LinkRequest, ScriptHost};
use rulepack_kernel::{ZoneIx, seat_key};

use crate::support::fixture;

fn load(pack: &str) -> GameBox {
    let library = Library::open(&[fixture("saves")]).expect("the library is there");
    let request = LinkRequest { pack: pack.into(), players: Some(2), ..LinkRequest::default() };
    library.load(&request).unwrap_or_else(|mistakes| panic!("{pack} does not link: {mistakes:#?}"))
}

/// Chooses an option by the beginning of its text, and gives what was told.
#[track_caller]
fn choose(game: &mut Game, host: &ScriptHost, wanted: &str) -> Vec<String> {
    let words = rulepack::Words::new(game.rules(), "en");
    let decision = game.decision().expect("the game goes on");
    let texts = words.options(game.state(), decision);
    let at = texts.iter().position(|text| text.starts_with(wanted)).unwrap_or_else(|| panic!("{wanted}: {texts:?}"));
    let seat = seat_key(decision.seat);
    let events = game.answer(host, Answer(at as u16)).expect("a listed answer is taken");
    let sight = rulepack::Sight::new(game.rules(), game.state(), rulepack::Viewer::All);
    let told = events.iter().filter_map(|event| rulepack::Words::new(game.rules(), "en").event(event, &sight));
    told.map(|line| format!("{seat}: {line}")).collect()
}

/// The rolls of a game in which everybody earns and stakes in turn.
fn rolls(game_box: &GameBox, seed: u64) -> Vec<String> {
    let host = game_box.host().expect("the scripts are right");
    let mut game = game_box.start(&host, seed).expect("the game starts");
    let mut told = Vec::new();
    for wanted in ["Earn", "Stake", "Stake", "Earn"].iter().cycle() {
        if game.decision().is_none() {
            break;
        }
        told.extend(choose(&mut game, &host, wanted).into_iter().filter(|line| line.contains("roll")));
    }
    told
}

/// The cards of the deck from bottom to top, without those of the expansion.
fn deck(game_box: &GameBox, seed: u64) -> Vec<String> {
    let host = game_box.host().expect("the scripts are right");
    let game = game_box.start(&host, seed).expect("the game starts");
    let rules = game.rules();
    let deck = (0..rules.zone_instances.len() as u16)
        .map(ZoneIx)
        .find(|zone| rules.zone_of(*zone).name == "deck")
        .expect("there is a deck");
    let name = |piece| rules.types[rules.type_of(piece).index()].name.clone();
    game.state().zone(deck).map(name).filter(|name| name != "aardvark").collect()
}

#[test]
fn an_added_card_with_a_die_of_its_own_leaves_all_later_rolls_as_they_were() {
    let (plain, more) = (load("saves"), load("saves-more"));
    for seed in 0..20 {
        let before = rolls(&plain, seed);
        assert_eq!(before.len(), 12, "{before:?}");
        assert_eq!(before, rolls(&more, seed), "seed {seed}");
    }
    assert_ne!(rolls(&plain, 1), rolls(&plain, 2), "another seed is another game");
}

#[test]
fn an_added_card_leaves_the_others_of_the_deck_in_the_same_order() {
    let (plain, more) = (load("saves"), load("saves-more"));
    for seed in 0..20 {
        assert_eq!(deck(&plain, seed), deck(&more, seed), "seed {seed}");
    }
    assert_ne!(deck(&plain, 1), deck(&plain, 2), "another seed is another order");
}
