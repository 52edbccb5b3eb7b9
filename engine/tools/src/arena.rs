//! Contests: every bot plays against every other one, and all get a rating.

use std::collections::BTreeMap;

use rulepack_bots::{BotKind, Seats};
use rulepack_kernel::{Fault, Rng};
use rulepack_model::{MOST_THREADS, run_on_threads};
use rulepack_script::ScriptHost;
use serde::Serialize;

use crate::interval;
use crate::load::GameBox;
use crate::report::REPORT_VERSION;
use crate::sim::{SimRequest, game_seed, play};

/// A contest.
#[derive(Debug, Clone)]
pub struct ArenaRequest {
    /// Who plays.
    pub bots: Vec<BotKind>,
    /// The number of games of each pair. Each seed is played twice, so that both sit in every seat.
    pub games: u64,
    /// The seed from which the seeds of the games follow.
    pub seed: u64,
    /// The number of threads; the results do not depend on it.
    pub threads: usize,
}

/// The result of a contest.
#[derive(Debug, Clone, Serialize)]
pub struct ArenaReport {
    /// The version of the format.
    pub version: u32,
    /// The pack.
    pub pack: String,
    /// Modes in use.
    pub modes: Vec<String>,
    /// The number of players.
    pub players: u8,
    /// The seed of the contest.
    pub seed: u64,
    /// The bots, the best first.
    pub bots: Vec<Rated>,
    /// The pairs.
    pub pairs: Vec<Pair>,
    /// Games that did not end by the rules.
    pub unfinished: u64,
}

/// A bot and its rating.
#[derive(Debug, Clone, Serialize)]
pub struct Rated {
    /// The bot.
    pub bot: String,
    /// how good it is: 400 more mean ten wins for one. The mean of all bots is 0.
    pub elo: f64,
    /// The interval of the rating.
    pub elo_interval: (f64, f64),
    /// Games.
    pub games: u64,
    /// Wins, with half a win for a draw.
    pub wins: f64,
    /// The mean of its points.
    pub points: f64,
    /// Half of its results have no more points than this.
    pub median_points: i64,
    /// The largest number of points.
    pub most_points: i64,
}

/// Two bots that played against each other.
#[derive(Debug, Clone, Serialize)]
pub struct Pair {
    /// The one.
    pub one: String,
    /// The other.
    pub other: String,
    /// Games.
    pub games: u64,
    /// What the one won, with half a win for a draw.
    pub wins: f64,
    /// The share of its wins.
    pub share: f64,
    /// The interval of the share.
    pub share_interval: (f64, f64),
    /// Draws.
    pub draws: u64,
}

/// One game of a pair, or for one player a game of each bot with the same seed.
struct Match {
    /// What the first bot won, with half a win for a draw; nothing if a game did not end by the rules.
    won: Option<f64>,
    /// The points of each bot, seat by seat.
    points: [Vec<i64>; 2],
}

/// So many times the shares are drawn to find the intervals of the ratings.
const DRAWS: usize = 200;

/// So many steps bring the ratings close enough to their limit.
const STEPS: usize = 300;

/// Plays a contest; `each` is called after every game, and can stop it by returning `false`.
pub fn arena(game_box: &GameBox, request: &ArenaRequest, mut each: impl FnMut() -> bool) -> ArenaReport {
    let bots = request.bots.len();
    let pairs: Vec<(usize, usize)> = (0..bots).flat_map(|one| (one + 1..bots).map(move |other| (one, other))).collect();
    let jobs = request.games * pairs.len() as u64;
    let work = |host: &mut Result<ScriptHost, Fault>, job: u64| {
        let Ok(host) = host else { return Match { won: None, points: Default::default() } };
        // Pair by pair in turn, so that a contest that is stopped has as many games of each.
        let (one, other) = pairs[job as usize % pairs.len()];
        let index = job / pairs.len() as u64;
        let played = play_match(game_box, host, request, (request.bots[one], request.bots[other]), index);
        host.collect_garbage();
        played
    };
    let mut played: BTreeMap<u64, Match> = BTreeMap::new();
    run_on_threads(
        vec![(); request.threads.clamp(1, MOST_THREADS)],
        jobs,
        |()| game_box.host(),
        work,
        |job, result| {
            played.insert(job, result);
            each()
        },
    );
    report(game_box, request, &pairs, &played)
}

fn play_match(
    game_box: &GameBox,
    host: &ScriptHost,
    request: &ArenaRequest,
    (one, other): (BotKind, BotKind),
    index: u64,
) -> Match {
    let players = usize::from(game_box.rules().players);
    let game = |seats: Seats, index: u64| {
        let sim = SimRequest { seats, ..SimRequest::default() };
        play(game_box, host, &sim, index, game_seed(request.seed, index)).results
    };
    if players == 1 {
        let (ours, theirs) = (game(vec![Some(one)], index), game(vec![Some(other)], index));
        let points = [ours, theirs].map(|results| results.iter().map(|(points, _)| *points).collect::<Vec<_>>());
        let won = points[0].first().zip(points[1].first()).map(|(ours, theirs)| won(ours > theirs, theirs > ours));
        return Match { won, points };
    }
    // The same seed twice, with the bots in each other's seats.
    let is_one = |seat: usize| (seat as u64 + index).is_multiple_of(2);
    let seats = (0..players).map(|seat| Some(if is_one(seat) { one } else { other })).collect();
    let results = game(seats, index / 2);
    let mut points = [Vec::new(), Vec::new()];
    let mut wins = [false, false];
    for (seat, (total, is_winner)) in results.iter().enumerate() {
        let side = usize::from(!is_one(seat));
        points[side].push(*total);
        wins[side] |= is_winner;
    }
    Match { won: (!results.is_empty()).then(|| won(wins[0] && !wins[1], wins[1] && !wins[0])), points }
}

/// A win, a draw or a loss.
fn won(wins: bool, loses: bool) -> f64 {
    match (wins, loses) {
        (true, false) => 1.0,
        (false, true) => 0.0,
        _ => 0.5,
    }
}

fn report(
    game_box: &GameBox,
    request: &ArenaRequest,
    pairs: &[(usize, usize)],
    played: &BTreeMap<u64, Match>,
) -> ArenaReport {
    let rules = game_box.rules();
    let mut won: Vec<Vec<f64>> = vec![Vec::new(); pairs.len()];
    let mut points: Vec<Vec<i64>> = vec![Vec::new(); request.bots.len()];
    for (job, game) in played {
        let at = *job as usize % pairs.len();
        won[at].extend(game.won);
        let (one, other) = pairs[at];
        points[one].extend(&game.points[0]);
        points[other].extend(&game.points[1]);
    }
    let unfinished = played.values().filter(|game| game.won.is_none()).count() as u64;
    let tallies: Vec<(f64, f64)> = won.iter().map(|won| (won.len() as f64, won.iter().sum())).collect();
    let elo = rating(request.bots.len(), pairs, &tallies);
    let intervals = elo_intervals(request, pairs, &tallies);
    let rated = |bot: usize| {
        let mut points = points[bot].clone();
        points.sort_unstable();
        let of_bot = pairs.iter().zip(&won).filter(|((one, other), _)| *one == bot || *other == bot);
        let games: usize = of_bot.clone().map(|(_, won)| won.len()).sum();
        let wins = |((one, _), won): (&(usize, usize), &Vec<f64>)| {
            won.iter().map(|share| if *one == bot { *share } else { 1.0 - share }).sum::<f64>()
        };
        Rated {
            bot: request.bots[bot].to_string(),
            elo: elo[bot].round(),
            elo_interval: intervals[bot],
            games: games as u64,
            wins: of_bot.map(wins).sum(),
            points: points.iter().sum::<i64>() as f64 / points.len().max(1) as f64,
            median_points: points.get(points.len() / 2).copied().unwrap_or_default(),
            most_points: points.last().copied().unwrap_or_default(),
        }
    };
    let mut bots: Vec<Rated> = (0..request.bots.len()).map(rated).collect();
    bots.sort_by(|one, two| two.elo.total_cmp(&one.elo));
    let pair = |((one, other), won): (&(usize, usize), &Vec<f64>)| {
        let (games, wins) = (won.len() as f64, won.iter().sum::<f64>());
        Pair {
            one: request.bots[*one].to_string(),
            other: request.bots[*other].to_string(),
            games: won.len() as u64,
            wins,
            share: wins / games.max(1.0),
            share_interval: interval::share(wins, games),
            draws: won.iter().filter(|share| **share == 0.5).count() as u64,
        }
    };
    ArenaReport {
        version: REPORT_VERSION,
        pack: rules.pack.clone(),
        modes: rules.modes.clone(),
        players: rules.players,
        seed: request.seed,
        bots,
        pairs: pairs.iter().zip(&won).map(pair).collect(),
        unfinished,
    }
}

/// The ratings under which the results are likeliest (the model of Bradley and Terry), by the usual steps; `won` are the games of
/// each pair and what the first bot won of them. Every pair counts one draw more than was played, so that a bot that won every game
/// has a rating, too.
fn rating(bots: usize, pairs: &[(usize, usize)], won: &[(f64, f64)]) -> Vec<f64> {
    let mut strength = vec![1.0_f64; bots];
    for _ in 0..STEPS {
        let mut wins = vec![0.0; bots];
        let mut met = vec![0.0; bots];
        for ((one, other), (games, won)) in pairs.iter().zip(won) {
            let (games, won) = (games + 1.0, won + 0.5);
            wins[*one] += won;
            wins[*other] += games - won;
            let each = games / (strength[*one] + strength[*other]);
            met[*one] += each;
            met[*other] += each;
        }
        strength.iter_mut().zip(wins.iter().zip(&met)).for_each(|(one, (wins, met))| *one = wins / met.max(1e-9));
        let mean = strength.iter().map(|one| one.ln()).sum::<f64>() / bots as f64;
        strength.iter_mut().for_each(|one| *one /= mean.exp());
    }
    strength.iter().map(|one| 400.0 * one.log10()).collect()
}

/// The interval of each rating: the share of each pair is drawn again and again from
/// around what was seen.
fn elo_intervals(request: &ArenaRequest, pairs: &[(usize, usize)], won: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let mut rng = Rng::new(request.seed);
    let mut drawn = |(games, won): &(f64, f64)| {
        // With the draw that every pair counts more.
        let share = (won + 0.5) / (games + 1.0);
        let deviation = (share * (1.0 - share) / (games + 1.0)).sqrt();
        // The sum of twelve even draws is as good as normal.
        let chance = (0..12).map(|_| f64::from(rng.below(1 << 16)) / f64::from(1 << 16)).sum::<f64>() - 6.0;
        (*games, games * (share + chance * deviation).clamp(0.0, 1.0))
    };
    let mut ratings = vec![Vec::with_capacity(DRAWS); request.bots.len()];
    for _ in 0..DRAWS {
        let again: Vec<(f64, f64)> = won.iter().map(&mut drawn).collect();
        let elo = rating(request.bots.len(), pairs, &again);
        ratings.iter_mut().zip(elo).for_each(|(all, one)| all.push(one));
    }
    let cut = DRAWS / 40;
    let interval = |mut all: Vec<f64>| {
        all.sort_by(f64::total_cmp);
        (all[cut].round(), all[DRAWS - 1 - cut].round())
    };
    ratings.into_iter().map(interval).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ten_wins_for_one_are_400_points() {
        // With the draw that is added: 100 of 110.
        let elo = rating(2, &[(0, 1)], &[(109.0, 99.5)]);
        assert!((elo[0] - elo[1] - 400.0).abs() < 0.5, "{elo:?}");
        assert!((elo[0] + elo[1]).abs() < 0.5);
    }

    #[test]
    fn a_bot_that_beats_the_best_is_better() {
        let pairs = [(0, 1), (0, 2), (1, 2)];
        let elo = rating(3, &pairs, &[(9.0, 9.0), (9.0, 4.5), (3.0, 1.0)]);
        assert!(elo[0] > elo[2] && elo[2] > elo[1], "{elo:?}");
    }
}
