//! What bots and simulations cost beside the games that they play: ratios of one run, on one machine, so the machine does not matter.
//! Where the system tells it, CPU time is measured, so that other programs do not matter either.

use std::sync::LazyLock;
use std::time::{Duration, Instant};

use rulepack::{
    Answer, BotKind, Effort, Game, GameBox, Pending, RandomBot, ScriptHost, SimRequest, Situation, simulate,
};

use crate::load_game;

/// `sim` beside bare playouts from a copied start.
pub const SIM: &str = "sim_beside_playouts";
/// Iterations of a search beside playouts from the same table.
pub const SEARCH: &str = "iterations_beside_playouts";
/// CPU time of a search on two threads beside that on one.
pub const THREADS: &str = "cpu_on_two_threads";

/// Small and long games, in `pack/mode/players` of a folder.
const GAMES: [(&str, &str); 6] = [
    ("tests/fixtures/small", "tic-tac-toe//2"),
    ("tests/fixtures/small", "connect-four//2"),
    (".", "reversi//2"),
    (".", "catan-duel-princes//2"),
    (".", "settlement/fr/2"),
    (".", "skara-brae//2"),
];

/// Each side of a ratio runs so often, in turns; the quickest counts: nobody disturbed it.
const ROUNDS: usize = 5;

/// What a measurement takes at least.
const LEAST: Duration = Duration::from_millis(150);

/// The time that this thread has run so far; where the system does not tell it, the time that has passed.
fn spent() -> Duration {
    static BEGAN: LazyLock<Instant> = LazyLock::new(Instant::now);
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let told = text.and_then(|text| text.split(' ').next()?.parse().ok());
    told.map_or_else(|| BEGAN.elapsed(), Duration::from_nanos)
}

/// The quickest of some rounds of each of two things, in seconds for one of what they count.
fn quickest(mut one: impl FnMut(u64) -> u64, mut other: impl FnMut(u64) -> u64) -> (f64, f64) {
    let mut best = (f64::MAX, f64::MAX);
    let mut seed = 0;
    let mut time = |work: &mut dyn FnMut(u64) -> u64| {
        let (began, mut count) = (spent(), 0);
        while spent().saturating_sub(began) < LEAST {
            seed += 1;
            count += work(seed);
        }
        spent().saturating_sub(began).as_secs_f64() / count as f64
    };
    for _ in 0..ROUNDS {
        best = (best.0.min(time(&mut one)), best.1.min(time(&mut other)));
    }
    best
}

/// The quickest of some calls, in seconds.
fn quickest_of(mut work: impl FnMut()) -> f64 {
    let mut time = || {
        let began = spent();
        work();
        spent().saturating_sub(began).as_secs_f64()
    };
    (0..20).map(|_| time()).fold(f64::MAX, f64::min).max(1e-7)
}

/// Plays a copy on by chance.
fn playout(start: &Game, host: &ScriptHost, seed: u64) {
    let (mut game, mut bot) = (start.clone(), RandomBot::new(seed));
    while let Pending::Decision(decision) = game.pending() {
        let answer = match decision.options.len() {
            1 => Answer(0),
            _ => bot.choose(game.rules(), decision),
        };
        game.answer_fast(host, answer).expect("a listed answer is taken");
    }
}

/// What `sim` takes for a game, as a multiple of a playout from a copied start.
pub fn sim_beside_playouts() {
    for (folder, name) in GAMES {
        let game_box = load_game(folder, name);
        let host = game_box.host().expect("scripts load");
        let start = game_box.start(&host, 1).expect("the game starts");
        let one = quickest_of(|| playout(&start, &host, 1));
        // So many that loading the scripts once does not count.
        let games = (0.1 / one).clamp(16.0, 50_000.0) as u64;
        let simulated = |seed| {
            let report = simulate(&game_box, &SimRequest { games, seed, ..SimRequest::default() }, |_| true);
            assert_eq!(report.finished, games);
            games
        };
        let (sim, bare) = quickest(simulated, |seed| {
            (0..games).for_each(|index| playout(&start, &host, seed * games + index));
            games
        });
        println!("{SIM} {name} {:.2}", sim / bare);
    }
}

/// The question after some answers by chance at which there are options.
fn middle(game_box: &GameBox, host: &ScriptHost, answers: u32) -> Game {
    let mut game = crate::middle(game_box, host, answers);
    while game.decision().is_some_and(|decision| decision.options.len() < 2) {
        game.answer_fast(host, Answer(0)).expect("a listed answer is taken");
    }
    game
}

/// Lets a new bot play so many games on.
fn search(game: &Game, game_box: &GameBox, threads: usize, iterations: u32, seed: u64) -> u64 {
    let situation = Situation::of(game, game_box, threads).expect("the game is not over");
    let mut bot = BotKind::Mcts(Effort::Games(iterations)).bot(seed);
    bot.choose(&situation).expect("the scripts are right").simulated
}

/// Iterations of a search per second, as a share of playouts per second from the same table.
pub fn iterations_beside_playouts() {
    for (folder, name) in GAMES {
        let game_box = load_game(folder, name);
        let host = game_box.host().expect("scripts load");
        let game = middle(&game_box, &host, 0);
        let (iteration, bare) = quickest(
            |seed| search(&game, &game_box, 1, 400, seed),
            |seed| {
                (0..40).for_each(|index| playout(&game, &host, seed * 40 + index));
                40
            },
        );
        println!("{SEARCH} {name} {:.2}", bare / iteration);
    }
}

/// CPU time for an iteration on two threads, as a multiple of that on one.
pub fn cpu_on_two_threads() {
    for (folder, name) in GAMES {
        let game_box = load_game(folder, name);
        let host = game_box.host().expect("scripts load");
        let game = middle(&game_box, &host, 0);
        let (mut on_one, mut on_two) = (f64::MAX, f64::MAX);
        for round in 0..3 {
            for (threads, best) in [(1, &mut on_one), (2, &mut on_two)] {
                let Some(before) = cpu_time() else { return };
                let (mut taken, mut iterations, mut seed) = (0.0, 0, round * 1_000);
                while taken < 50.0 {
                    seed += 1;
                    iterations += search(&game, &game_box, threads, 1_000, seed);
                    let Some(now) = cpu_time() else { return };
                    taken = now - before;
                }
                *best = best.min(taken / iterations as f64);
            }
        }
        println!("{THREADS} {name} {:.2}", on_two / on_one);
    }
}

/// The CPU time of all threads of this process, in hundredths of a second; only Linux tells it in a file.
fn cpu_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program may contain spaces; the numbers follow its bracket.
    let numbers: Vec<&str> = text.rsplit(')').next()?.split_whitespace().collect();
    Some(numbers.get(11)?.parse::<f64>().ok()? + numbers.get(12)?.parse::<f64>().ok()?)
}
