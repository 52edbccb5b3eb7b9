//! `cargo bench`: what a game costs. The names stay, so that figures of different days can be laid side by side; the
//! machine differs, so compare them as ratios of one run.

#[path = "by_hand.rs"]
mod by_hand;

use std::path::Path;

use by_hand::{ByHand, ConnectFour, Random, TicTacToe, playout};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use rulepack::{
    Answer, CheckRequest, Game, GameBox, Library, LinkRequest, Pending, RandomBot, ScriptHost, Seat, View, Viewer,
    Words, check, prepare,
};

/// The one that the program uses.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

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

const SMALL: [&str; 2] = ["tic-tac-toe", "connect-four"];

/// Games from one beginning, as a bot that searches plays them. Items per second are games per second.
#[divan::bench(args = SMALL)]
fn small_playouts(bencher: Bencher<'_, '_>, pack: &str) {
    let game_box = load("tests/fixtures/small", pack, 2);
    let host = game_box.host().expect("scripts load");
    let start = game_box.start(&host, 1).expect("the game starts");
    let mut bot = RandomBot::new(1);
    bencher.counter(ItemsCount::new(100_u64)).bench_local(|| {
        for _ in 0..100 {
            let mut game = start.clone();
            while let Some(decision) = game.decision() {
                let answer = bot.choose(game_box.rules(), decision);
                game.answer_fast(&host, answer).expect("a listed answer is taken");
            }
            black_box(&game);
        }
    });
}

/// The same games written by hand.
#[divan::bench(args = SMALL)]
fn small_playouts_by_hand(bencher: Bencher<'_, '_>, game: &str) {
    fn playouts<G: ByHand>(bencher: Bencher<'_, '_>) {
        let (start, mut random, mut options) = (G::default(), Random(1), Vec::new());
        bencher.counter(ItemsCount::new(100_u64)).bench_local(|| {
            for _ in 0..100 {
                black_box(playout(black_box(&start), &mut random, &mut options));
            }
        });
    }
    match game {
        "tic-tac-toe" => playouts::<TicTacToe>(bencher),
        _ => playouts::<ConnectFour>(bencher),
    }
}

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

/// All files of the shipped packs, and what merely reading them costs: TOML is parsed, Lua compiled, nothing else. The
/// measure for `check_all_packs`, which is to take no more than five times as long.
#[divan::bench(sample_count = 10)]
fn merely_parse_all_packs() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for path in files_below(&root.join("content"), "toml") {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        black_box(toml::de::DeTable::parse(&text).expect("the file is TOML"));
    }
    let lua = mlua::Lua::new();
    for path in files_below(&root.join("scripts"), "lua") {
        let text = std::fs::read_to_string(&path).expect("the file can be read");
        black_box(lua.load(text).into_function().expect("the file is Lua"));
    }
}

/// Everything that `rulepack check --playouts 0` does for all shipped packs, from opening the library on. The program ends
/// without taking the library apart, so that it is given back here, to be dropped when the time is taken.
#[divan::bench(sample_count = 10)]
fn check_all_packs() -> Library {
    let library = Library::open(&[env!("CARGO_MANIFEST_DIR")]).expect("the library is there");
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let request = CheckRequest { playouts: 0, threads };
    let packs: Vec<String> = library.list().into_iter().map(|pack| pack.id).collect();
    prepare(&library, &packs, threads);
    for pack in &packs {
        assert!(check(&library, pack, &request, &mut || ()).diagnostics.is_empty());
    }
    library
}

/// The analyser of scripts alone, its start included.
#[divan::bench]
fn analyse_a_script() {
    let text = "local a = {}\nfunction a.buy(ctx) ctx:gain('rope', 1) end\nreturn a\n";
    let file = rulepack_model::FileId(0);
    let script = rulepack_lua::ScriptInput { file, path: "a.lua", pack: "inn", name: "a", text };
    let binding = rulepack_lua::Binding { pack: "inn".into(), name: "a.buy".into(), query: false };
    black_box(rulepack_lua::analyse(&[script], &[binding], &Default::default()));
}

fn files_below(folder: &Path, ending: &str) -> Vec<std::path::PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).expect("the folder is there") {
            let path = entry.expect("the folder can be read").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == ending) {
                found.push(path);
            }
        }
    }
    found
}
