//! `cargo bench`: what a game costs. The names stay, so that figures of different days can be laid side by side; the
//! machine differs, so compare them as ratios of one run.

// Tests set up and look at files of their own.
#![allow(clippy::disallowed_methods)]

#[path = "beside.rs"]
mod beside;
#[path = "by_hand.rs"]
mod by_hand;
#[path = "generated.rs"]
mod generated;
#[path = "hosts.rs"]
mod hosts;

use std::path::Path;
use std::time::Instant;

use by_hand::{ByHand, ConnectFour, Random, TicTacToe, playout};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use hosts::{InRust, Timed};
use rulepack::{
    Answer, CheckRequest, Decision, EffectHost, Game, GameBox, Library, LinkRequest, Pending, RandomBot, ResId,
    ScriptHost, Seat, Session, SimRequest, View, Viewer, Words, check, prepare, simulate,
};

/// The one that the program uses.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() {
    divan::main();
    let wanted: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|part| name.contains(part.as_str()));
    if std::env::args().any(|arg| arg == "--list" || arg == "--test") {
        return;
    }
    if is_wanted(SHARE) {
        shares_of_lua();
    }
    if is_wanted(TURNS) {
        turns_beside_decisions();
    }
    if is_wanted(ASKED) {
        asked_beside_decisions();
    }
    if is_wanted(beside::SIM) {
        beside::sim_beside_playouts();
    }
    if is_wanted(beside::SEARCH) {
        beside::iterations_beside_playouts();
    }
    if is_wanted(beside::THREADS) {
        beside::cpu_on_two_threads();
    }
}

const SHARE: &str = "share_of_lua";
const TURNS: &str = "turns_per_decision";
const ASKED: &str = "asked_per_decision";

/// How much of the time of random games is spent in scripts: a share, not a time, and so told apart from the others.
fn shares_of_lua() {
    for game in SCRIPTED {
        let (game_box, host) = ready(game);
        let timed = Timed::new(&host);
        let began = Instant::now();
        for seed in 0..20 {
            black_box(play(&game_box, &timed, seed));
        }
        let share = 100.0 * timed.spent().as_secs_f64() / began.elapsed().as_secs_f64();
        println!("{SHARE} {game} {share:.1} %");
    }
}

/// How many turns there are for each decision with a choice.
fn turns_beside_decisions() {
    for game in GAMES {
        let game_box = load_game(".", game);
        let report = simulate(&game_box, &SimRequest { games: 20, threads: 1, ..SimRequest::default() }, |_| true);
        println!("{TURNS} {game} {:.4}", report.turns as f64 / report.decisions as f64);
    }
}

/// How many questions there are for each decision with a choice: some have one answer only.
fn asked_beside_decisions() {
    for game in GAMES {
        let (game_box, host) = ready(game);
        let (mut asked, mut decisions) = (0_u64, 0_u64);
        for seed in 0..20 {
            play_through(&game_box, &host, seed, |decision| {
                asked += 1;
                decisions += u64::from(decision.options.len() > 1);
            });
        }
        println!("{ASKED} {game} {:.4}", asked as f64 / decisions as f64);
    }
}

/// Every game that is shipped, as `pack/mode/players`; without a mode, its default edition.
const GAMES: [&str; 23] = [
    "settlement/fr/1",
    "settlement/fr/2",
    "settlement/fr/3",
    "settlement/fr/4",
    "settlement/de/1",
    "settlement/de/2",
    "settlement/de/3",
    "settlement/de/4",
    "skara-brae//1",
    "skara-brae//2",
    "skara-brae//3",
    "skara-brae//4",
    "skara-brae/three_special/2",
    "skara-brae/more_goals/1",
    "skara-brae/recruit_flipped_only/4",
    "catan-duel//2",
    "catan-duel-gold//2",
    "catan-duel-war//2",
    "catan-duel-progress//2",
    "catan-duel-princes//2",
    "colons-de-catane//2",
    "settlement/unlimited_supply/4",
    "settlement/open_trading_post/4",
];

/// The packs that have scripts.
const SCRIPTED: [&str; 2] = ["settlement/fr/4", "skara-brae//4"];

/// Every pack that is a game.
const PACKS: [&str; 8] = [
    "settlement//4",
    "skara-brae//4",
    "catan-duel//2",
    "catan-duel-gold//2",
    "catan-duel-war//2",
    "catan-duel-progress//2",
    "catan-duel-princes//2",
    "colons-de-catane//2",
];

/// One of each kind, for what a state costs.
const STATES: [&str; 4] = ["settlement/fr/4", "skara-brae//4", "catan-duel-princes//2", "colons-de-catane//2"];

fn load(folder: &str, pack: &str, players: u8) -> GameBox {
    load_game(folder, &format!("{pack}//{players}"))
}

/// A game given as `pack/mode/players`.
fn load_game(folder: &str, game: &str) -> GameBox {
    load_from(&Path::new(env!("CARGO_MANIFEST_DIR")).join(folder), game)
}

fn load_from(folder: &Path, game: &str) -> GameBox {
    let library = Library::open(&[folder]).expect("the library is there");
    let [pack, mode, players] = game.split('/').collect::<Vec<_>>()[..] else { panic!("`{game}` is no game") };
    let request = LinkRequest {
        pack: pack.into(),
        modes: Some(mode).filter(|mode| !mode.is_empty()).map(String::from).into_iter().collect(),
        players: Some(players.parse().expect("a number of players")),
        ..LinkRequest::default()
    };
    library.load(&request).expect("the pack links")
}

/// Plays a game by chance; how many decisions with a choice there were.
fn play(game_box: &GameBox, host: &dyn EffectHost, seed: u64) -> u64 {
    let mut decisions = 0;
    play_through(game_box, host, seed, |decision| decisions += u64::from(decision.options.len() > 1));
    decisions
}

fn play_through(game_box: &GameBox, host: &dyn EffectHost, seed: u64, mut seen: impl FnMut(&Decision)) {
    let mut game = Game::start(game_box.rules().clone(), seed, host).expect("the game starts");
    let mut bot = RandomBot::new(seed);
    while let Pending::Decision(decision) = game.pending() {
        seen(decision);
        let answer = bot.choose(game_box.rules(), decision);
        game.answer_fast(host, answer).expect("a listed answer is taken");
    }
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

/// Random games on one thread. Items per second are decisions with a choice per second.
#[divan::bench(args = GAMES, sample_count = 20)]
fn random_games(bencher: Bencher<'_, '_>, game: &str) {
    let game_box = load_game(".", game);
    let host = game_box.host().expect("scripts load");
    let games = 4;
    let decisions: u64 = (0..games).map(|seed| play(&game_box, &host, seed)).sum();
    bencher.counter(ItemsCount::new(decisions)).bench_local(|| {
        for seed in 0..games {
            black_box(play(&game_box, &host, seed));
        }
    });
}

/// The same games on one thread and on two. Items per second are games per second.
#[divan::bench(args = [1, 2], sample_count = 10)]
fn simulation_on_threads(bencher: Bencher<'_, '_>, threads: usize) {
    let game_box = load_game(".", "catan-duel-princes//2");
    let request = SimRequest { games: 200, threads, ..SimRequest::default() };
    bencher.counter(ItemsCount::new(200_u64)).bench_local(|| simulate(&game_box, &request, |_| true));
}

/// From opening the library to a game that can be started.
#[divan::bench(args = PACKS, sample_count = 20)]
fn load_and_link(bencher: Bencher<'_, '_>, game: &str) {
    bencher.bench_local(|| load_game(".", game));
}

#[divan::bench]
fn script_host(bencher: Bencher<'_, '_>) {
    let game_box = load(".", "settlement", 4);
    bencher.bench_local(|| game_box.host().expect("scripts load"));
}

/// Copying a game in the middle.
#[divan::bench(args = STATES)]
fn state_clone(bencher: Bencher<'_, '_>, game: &str) {
    let (game_box, host) = ready(game);
    let game = middle(&game_box, &host, 150);
    bencher.bench_local(|| black_box(&game).clone());
}

#[divan::bench(args = STATES)]
fn state_hash(bencher: Bencher<'_, '_>, game: &str) {
    let (game_box, host) = ready(game);
    let game = middle(&game_box, &host, 150);
    bencher.bench_local(|| black_box(&game).hash());
}

#[divan::bench(args = STATES)]
fn state_save(bencher: Bencher<'_, '_>, game: &str) {
    let (game_box, host) = ready(game);
    let game = middle(&game_box, &host, 150);
    bencher.bench_local(|| black_box(&game).save().to_json());
}

#[divan::bench(args = STATES)]
fn state_load(bencher: Bencher<'_, '_>, game: &str) {
    let (game_box, host) = ready(game);
    let text = middle(&game_box, &host, 150).save().to_json();
    bencher.bench_local(|| Game::load(game_box.rules().clone(), &host, black_box(&text)).expect("the save loads"));
}

/// What one player sees, as plain data.
#[divan::bench(args = STATES)]
fn state_view(bencher: Bencher<'_, '_>, game: &str) {
    let (game_box, host) = ready(game);
    let game = middle(&game_box, &host, 150);
    let words = Words::new(game_box.rules(), "en");
    bencher.bench_local(|| View::new(black_box(&game), &host, Viewer::Seat(Seat(0)), &words));
}

/// An answer and its undoing, with all that happened told.
#[divan::bench(args = STATES)]
fn state_undo(bencher: Bencher<'_, '_>, game: &str) {
    let game_box = load_game(".", game);
    let mut session = Session::start(&game_box, 7).expect("the game starts");
    let mut bot = RandomBot::new(7);
    for _ in 0..150 {
        let Some(decision) = session.decision() else { break };
        let answer = bot.choose(game_box.rules(), decision);
        session.answer(answer).expect("a listed answer is taken");
    }
    bencher.bench_local(|| {
        session.answer(Answer(0)).expect("a listed answer is taken");
        session.undo(1).expect("what was answered can be answered again");
    });
}

fn ready(game: &str) -> (GameBox, ScriptHost) {
    let game_box = load_game(".", game);
    let host = game_box.host().expect("scripts load");
    (game_box, host)
}

const SMALL: [&str; 2] = ["tic-tac-toe", "connect-four"];

/// Games from one beginning, as a bot that searches plays them. Items per second are games per second.
#[divan::bench(args = SMALL)]
fn small_playouts(bencher: Bencher<'_, '_>, pack: &str) {
    let game_box = load("tests/fixtures/small", pack, 2);
    let host = game_box.host().expect("scripts load");
    let start = game_box.start(&host, 1).expect("the game starts");
    let mut bot = RandomBot::new(1);
    let mut game = start.clone();
    bencher.counter(ItemsCount::new(100_u64)).bench_local(|| {
        for _ in 0..100 {
            game.clone_from(&start);
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

const BOXES: [usize; 3] = [100, 1_000, 10_000];

#[divan::bench(args = BOXES, sample_count = 10)]
fn generated_load_and_link(bencher: Bencher<'_, '_>, types: usize) {
    let folder = generated::library(types);
    bencher.bench_local(|| load_from(&folder, "generated//2"));
}

/// The same cards in play, whatever else is in the box. Items per second are decisions per second.
#[divan::bench(args = BOXES, sample_count = 20)]
fn generated_decisions(bencher: Bencher<'_, '_>, types: usize) {
    let game_box = load_from(&generated::library(types), "generated//2");
    let host = game_box.host().expect("there are no scripts");
    let start = game_box.start(&host, 1).expect("the game starts");
    let mut decisions = 0_u64;
    let mut bot = RandomBot::new(1);
    let mut game = start.clone();
    while let Some(decision) = game.decision() {
        decisions += 1;
        let answer = bot.choose(game_box.rules(), decision);
        game.answer_fast(&host, answer).expect("a listed answer is taken");
    }
    // The copy is made outside: it has to hold every piece of the box.
    bencher.counter(ItemsCount::new(decisions)).with_inputs(|| (start.clone(), RandomBot::new(1))).bench_local_values(
        |(mut game, mut bot)| {
            while let Some(decision) = game.decision() {
                let answer = bot.choose(game_box.rules(), decision);
                game.answer_fast(&host, answer).expect("a listed answer is taken");
            }
            game
        },
    );
}

/// The same game as far as one player knows.
#[divan::bench(args = STATES)]
fn state_resample(bencher: Bencher<'_, '_>, game: &str) {
    let (game_box, host) = ready(game);
    let game = middle(&game_box, &host, 150);
    let mut seed = 0;
    bencher.bench_local(|| {
        seed += 1;
        black_box(&game).resampled(&host, Seat(0), seed, &[]).expect("the game can go on from there")
    });
}

/// The same four steps, chosen from the same menu: as an expression, in Lua, and in Rust behind the interface that Lua uses.
#[divan::bench(args = ["by_expression", "by_script", "by_rust"])]
fn effect(bencher: Bencher<'_, '_>, how: &str) {
    let game_box = load("tests/fixtures/twins", "twins", 2);
    let (lua, rust) = (game_box.host().expect("scripts load"), InRust::default());
    let host: &dyn EffectHost = if how == "by_rust" { &rust } else { &lua };
    let mut game = Game::start(game_box.rules().clone(), 1, host).expect("the game starts");
    let stock = |game: &Game| -> Vec<i32> {
        let (rules, state) = (game_box.rules(), game.state());
        let all = (0..rules.resources.len()).map(ResId::from);
        all.flat_map(|res| rules.seats().map(move |seat| state.amount(rules, seat, res))).collect()
    };
    let before = stock(&game);
    let answer = Answer(if how == "by_expression" { 0 } else { 1 });
    bencher.bench_local(|| game.answer_fast(host, answer).expect("a listed answer is taken"));
    assert_eq!(stock(&game), before, "what is paid comes back");
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
    let request = CheckRequest { playouts: 0, threads, ..CheckRequest::default() };
    let packs: Vec<String> = library.list().into_iter().map(|pack| pack.id).collect();
    prepare(&library, &packs, threads);
    for pack in &packs {
        assert!(check(&library, pack, &request, &mut || ()).diagnostics.is_empty());
    }
    library
}

/// A whole check with 50 games of each way to play, without and with a look at what is hidden. The second is to take at most
/// half as long again as the first.
#[divan::bench(sample_count = 2, args = [0, rulepack_tools::GLANCES])]
fn check_with_games(glances: u32) -> Library {
    let library = Library::open(&[env!("CARGO_MANIFEST_DIR")]).expect("the library is there");
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let request = CheckRequest { playouts: 50, threads, ..CheckRequest::default() };
    let packs: Vec<String> = library.list().into_iter().map(|pack| pack.id).collect();
    prepare(&library, &packs, threads);
    for pack in &packs {
        let found = rulepack_tools::check_glancing(&library, pack, &request, glances, &mut || ()).diagnostics;
        assert!(found.is_empty());
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
