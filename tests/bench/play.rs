//! `cargo bench`: what a game costs. The names stay, so that figures of different days can be laid side by side; the
//! machine differs, so compare them as ratios of one run.

use std::path::Path;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use rulepack::{
    Answer, Game, GameBox, Library, LinkRequest, Pending, RandomBot, ScriptHost, Seat, View, Viewer, Words,
};

fn main() {
    divan::main();
}

fn load(folder: &str, pack: &str, players: u8) -> GameBox {
    let library = Library::open(&[Path::new(env!("CARGO_MANIFEST_DIR")).join(folder)]).expect("the library is there");
    let request = LinkRequest { pack: pack.into(), players: Some(players), ..LinkRequest::default() };
    library.load(&request).expect("the pack links")
}

/// Plays a game by chance; how many decisions with a choice there were.
fn play(game_box: &GameBox, host: &ScriptHost, seed: u64) -> u64 {
    let mut game = game_box.start(host, seed).expect("the game starts");
    let mut bot = RandomBot::new(seed);
    let mut decisions = 0;
    while let Pending::Decision(decision) = game.pending() {
        decisions += u64::from(decision.options.len() > 1);
        let answer = bot.choose(game_box.rules(), decision);
        game.answer_fast(host, answer).expect("a listed answer is taken");
    }
    decisions
}

/// A game as it stands after a number of decisions.
fn middle(game_box: &GameBox, host: &ScriptHost, decisions: u32) -> Game {
    let mut game = game_box.start(host, 7).expect("the game starts");
    let mut bot = RandomBot::new(7);
    for _ in 0..decisions {
        let Pending::Decision(decision) = game.pending() else { break };
        let answer = bot.choose(game_box.rules(), decision);
        game.answer_fast(host, answer).expect("a listed answer is taken");
    }
    game
}

/// Items per second are decisions per second.
#[divan::bench(args = [1, 2, 4])]
fn settlement_random_games(bencher: Bencher<'_, '_>, players: u8) {
    let game_box = load(".", "settlement", players);
    let host = game_box.host().expect("scripts load");
    let games = 8;
    let decisions: u64 = (0..games).map(|seed| play(&game_box, &host, seed)).sum();
    bencher.counter(ItemsCount::new(decisions)).bench_local(|| {
        for seed in 0..games {
            black_box(play(&game_box, &host, seed));
        }
    });
}

#[divan::bench]
fn settlement_load_and_link(bencher: Bencher<'_, '_>) {
    bencher.bench_local(|| load(".", "settlement", 4));
}

#[divan::bench]
fn settlement_script_host(bencher: Bencher<'_, '_>) {
    let game_box = load(".", "settlement", 4);
    bencher.bench_local(|| game_box.host().expect("scripts load"));
}

#[divan::bench]
fn settlement_clone(bencher: Bencher<'_, '_>) {
    let game_box = load(".", "settlement", 4);
    let host = game_box.host().expect("scripts load");
    let game = middle(&game_box, &host, 150);
    bencher.bench_local(|| black_box(&game).clone());
}

#[divan::bench]
fn settlement_hash(bencher: Bencher<'_, '_>) {
    let game_box = load(".", "settlement", 4);
    let host = game_box.host().expect("scripts load");
    let game = middle(&game_box, &host, 150);
    bencher.bench_local(|| black_box(&game).hash());
}

#[divan::bench]
fn settlement_save(bencher: Bencher<'_, '_>) {
    let game_box = load(".", "settlement", 4);
    let host = game_box.host().expect("scripts load");
    let game = middle(&game_box, &host, 150);
    bencher.bench_local(|| black_box(&game).save().to_json());
}

#[divan::bench]
fn settlement_load_save(bencher: Bencher<'_, '_>) {
    let game_box = load(".", "settlement", 4);
    let host = game_box.host().expect("scripts load");
    let text = middle(&game_box, &host, 150).save().to_json();
    bencher.bench_local(|| Game::load(game_box.rules().clone(), &host, black_box(&text)).expect("the save loads"));
}

/// Games with stock on pieces and standing rules. Items per second are decisions per second.
#[divan::bench(args = DUELS)]
fn duel_random_games(bencher: Bencher<'_, '_>, pack: &str) {
    let game_box = load(".", pack, 2);
    let host = game_box.host().expect("scripts load");
    let games = 4;
    let decisions: u64 = (0..games).map(|seed| play(&game_box, &host, seed)).sum();
    bencher.counter(ItemsCount::new(decisions)).bench_local(|| {
        for seed in 0..games {
            black_box(play(&game_box, &host, seed));
        }
    });
}

const DUELS: [&str; 2] = ["catan-duel", "catan-duel-princes"];

/// What one player sees, as plain data.
#[divan::bench(args = DUELS)]
fn duel_view(bencher: Bencher<'_, '_>, pack: &str) {
    let game_box = load(".", pack, 2);
    let host = game_box.host().expect("scripts load");
    let game = middle(&game_box, &host, 150);
    let words = Words::new(game_box.rules(), "en");
    bencher.bench_local(|| View::new(black_box(&game), &host, Viewer::Seat(Seat(0)), &words));
}

/// The same game as far as one player knows.
#[divan::bench(args = DUELS)]
fn duel_resample(bencher: Bencher<'_, '_>, pack: &str) {
    let game_box = load(".", pack, 2);
    let host = game_box.host().expect("scripts load");
    let game = middle(&game_box, &host, 150);
    let mut seed = 0;
    bencher.bench_local(|| {
        seed += 1;
        let resampled = black_box(&game).resampled(&host, Seat(0), seed, &[]).expect("the game can go on from there");
        resampled.expect("no script waits")
    });
}

/// The same four steps, chosen from the same menu, as an expression and in Lua.
#[divan::bench(args = ["by_expression", "by_script"])]
fn effect(bencher: Bencher<'_, '_>, how: &str) {
    let game_box = load("tests/fixtures/twins", "twins", 2);
    let host = game_box.host().expect("scripts load");
    let mut game = game_box.start(&host, 1).expect("the game starts");
    let answer = Answer(if how == "by_expression" { 0 } else { 1 });
    bencher.bench_local(|| game.answer_fast(&host, answer).expect("a listed answer is taken"));
}
