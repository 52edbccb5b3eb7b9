//! Simulation: many random games. Do they all end, how fast, and always in the same way?

use std::collections::{BTreeMap, HashMap};
use std::hash::Hasher;
use std::time::Instant;

use rulepack_kernel::{Answer, Decision, Fault, Game, Given, Rng, Ruleset, check_invariants};
use rulepack_model::{MOST_THREADS, PieceId, Sources, StableHasher, TypeId, run_on_threads};
use rulepack_script::ScriptHost;
use serde::Serialize;

use crate::blame::fault_places;
use crate::calls::{capped_call, play_call, sim_call};
use crate::load::{GameBox, Library};
use crate::oracle::PlainGame;
use crate::replay::{GameLog, Start};
use crate::report::REPORT_VERSION;
use crate::secrecy::{Watch, set_up_hides};
use crate::statistics::{Ended, Notes, Statistics, Tallies};
use rulepack_bots::{BotKind, Players, RandomBot, Seats};

/// A request to simulate games.
#[derive(Debug, Clone)]
pub struct SimRequest {
    /// The index of the first game among all games of the seed.
    pub first: u64,
    /// How many games.
    pub games: u64,
    /// Whether the seeds of the games must fit into a TOML number.
    pub small_seeds: bool,
    /// The seed from which the seeds of the games follow.
    pub seed: u64,
    /// The seed of the one game to play, instead of those that follow from `seed`.
    pub game_seed: Option<u64>,
    /// The number of threads; the results do not depend on it.
    pub threads: usize,
    /// A game with more turns is stopped.
    pub max_turns: u32,
    /// A game with more answers is stopped.
    pub max_answers: u64,
    /// Whether pieces and resources are counted after every answer.
    pub invariants: bool,
    /// Whether every answer is tested for leaks.
    pub views: bool,
    /// If not every answer is tested in this way: the number of answers of each game, few of each kind.
    pub glances: u32,
    /// Whether logs are wanted.
    pub logs: bool,
    /// The bots, seat by seat; all by chance if there are none.
    pub seats: Seats,
    /// Whether statistics are wanted.
    pub statistics: bool,
    /// The rules without shortcuts for a second game, compared at every question.
    pub plain: Option<GameBox>,
}

impl Default for SimRequest {
    fn default() -> Self {
        SimRequest {
            first: 0,
            games: 1,
            small_seeds: false,
            seed: 1,
            game_seed: None,
            threads: 1,
            max_turns: 10_000,
            max_answers: 200_000,
            invariants: false,
            views: false,
            glances: 0,
            logs: false,
            seats: Seats::new(),
            statistics: false,
            plain: None,
        }
    }
}

impl SimRequest {
    /// Whether every seat plays by chance.
    pub fn is_by_chance(&self) -> bool {
        self.seats.iter().all(|kind| *kind == Some(BotKind::Random))
    }

    /// The seed of one of the games.
    pub fn seed_of(&self, index: u64) -> u64 {
        self.game_seed.unwrap_or_else(|| game_seed(self.seed, index) >> u32::from(self.small_seeds))
    }
}

/// The result of a simulation.
#[derive(Debug, Clone, Serialize)]
pub struct SimReport {
    /// The version of the format.
    pub version: u32,
    /// The pack.
    pub pack: String,
    /// Modes in use.
    pub modes: Vec<String>,
    /// The number of players.
    pub players: u8,
    /// The number of games that were begun.
    pub games: u64,
    /// Ended by the rules.
    pub finished: u64,
    /// Stopped by a cap.
    pub capped: u64,
    /// Stopped by a fault.
    pub failed: u64,
    /// Decisions with two or more options.
    pub decisions: u64,
    /// Turns.
    pub turns: u64,
    /// The work of the kernel: members and operations, the same on every machine.
    #[serde(skip)]
    pub work: u64,
    /// The time it took.
    pub seconds: f64,
    /// Games per second.
    pub games_per_second: f64,
    /// Decisions per second.
    pub decisions_per_second: f64,
    /// A hash of the final states of all games, in the order of the games.
    pub digest: String,
    /// The largest number of options of any decision.
    pub max_options: usize,
    /// Games that failed, one for all that failed in the same way; at most [`MOST_FAILURES`].
    pub failures: Vec<Failure>,
    /// Games that a cap stopped; at most [`MOST_FAILURES`].
    pub capped_games: Vec<Failure>,
    /// Who won, with how many points, and how, if that was wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub statistics: Option<Statistics>,
    /// Types of which a piece left its starting zone, as `kind.type`.
    #[serde(skip)]
    pub types_used: Vec<String>,
}

/// A game that did not end by the rules.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Failure {
    /// The seed of the game.
    pub seed: u64,
    /// The failure, in words.
    pub message: String,
    /// A command line that shows the game again; empty before [`SimReport::add_calls`].
    pub call: String,
    /// The place, as `path:line:column`, if it was looked up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The number of games that ended in this way.
    pub games: u64,
    /// The number of answers.
    #[serde(skip)]
    pub answers: u64,
}

impl SimReport {
    /// Looks up the places of the failures.
    pub fn locate(&mut self, game_box: &GameBox, sources: &Sources) {
        for failure in &mut self.failures {
            let places = fault_places(&failure.message, &game_box.catalogue().definitions, sources);
            failure.at = places.first().map(|label| {
                let (path, line, column) = sources.position(label.span);
                format!("{path}:{line}:{column}")
            });
        }
    }
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum End {
    /// By the rules.
    Finished,
    /// By a cap.
    Capped,
    /// By a fault.
    Failed(String),
    /// Something hidden was revealed.
    Leaked(String),
}

/// One game of many.
#[derive(Debug, Clone)]
pub struct Played {
    /// Its index.
    pub index: u64,
    /// Its seed.
    pub seed: u64,
    /// How it ended.
    pub end: End,
    /// Whether a test after an answer failed, which playing alone does not show.
    pub failed_check: bool,
    /// Decisions with two or more options.
    pub decisions: u64,
    /// Answers, forced ones included.
    pub answers: u64,
    /// Turns.
    pub turns: u64,
    /// The work of the kernel.
    pub work: u64,
    /// The largest number of options of any decision.
    pub max_options: usize,
    /// The hash of the final state; 0 for a game that failed.
    pub hash: u128,
    /// The points of each seat, and whether it won; empty unless the game ended by the rules.
    pub results: Vec<(i64, bool)>,
    /// What was noted for statistics, if they are wanted.
    pub notes: Option<Notes>,
    /// The log, if it was wanted and the game could be set up.
    pub log: Option<GameLog>,
    used: Vec<bool>,
}

/// The seed of one game of many.
pub fn game_seed(seed: u64, index: u64) -> u64 {
    Rng::new(seed.wrapping_add(index.wrapping_mul(0xd134_2543_de82_ef95))).next_u64()
}

/// After this many games, a thread collects the garbage of scripts. It takes about 100,000 instructions, a small part
/// of one game.
const GAMES_PER_COLLECTION: u64 = 8;

/// Plays games on several threads. `each` is called with every game as it ends, in no particular order, and can stop
/// the simulation by returning `false`.
pub fn simulate(game_box: &GameBox, request: &SimRequest, mut each: impl FnMut(&Played) -> bool) -> SimReport {
    let began = Instant::now();
    let mut tally = Tally::new(game_box, request);
    let work = |(host, played): &mut (Result<ScriptHost, Fault>, u64), index: u64| {
        let index = request.first + index;
        let seed = request.seed_of(index);
        let game = match host {
            Ok(host) => play(game_box, host, request, index, seed),
            Err(fault) => Played::failed(game_box, index, seed, fault.to_string()),
        };
        *played += 1;
        if let Ok(host) = host
            && played.is_multiple_of(GAMES_PER_COLLECTION)
        {
            host.collect_garbage();
        }
        game
    };
    let starts = vec![(); request.threads.clamp(1, MOST_THREADS)];
    run_on_threads(
        starts,
        request.games,
        |()| (game_box.host(), 0),
        work,
        |_, game| {
            let goes_on = each(&game);
            tally.add(game);
            goes_on
        },
    );
    tally.report(game_box, began.elapsed().as_secs_f64())
}

impl SimReport {
    /// Adds to each game that did not end by the rules the command line that shows it again. A failure of a test after
    /// an answer needs `sim`; all others need `play`.
    pub fn add_calls(&mut self, library: &Library, game_box: &GameBox, request: &SimRequest) {
        let rules = game_box.rules();
        let is_checked = request.invariants || request.views;
        for game in &mut self.failures {
            game.call = match is_checked {
                true => sim_call(library, rules, request, game.seed),
                false => play_call(library, rules, request, game.seed),
            };
        }
        for game in &mut self.capped_games {
            game.call = capped_call(library, rules, request, game.seed, game.answers);
        }
    }
}

impl Played {
    fn failed(game_box: &GameBox, index: u64, seed: u64, message: String) -> Self {
        Played {
            index,
            seed,
            end: End::Failed(message),
            failed_check: false,
            decisions: 0,
            answers: 0,
            turns: 0,
            work: 0,
            max_options: 0,
            hash: 0,
            results: Vec::new(),
            notes: None,
            log: None,
            used: vec![false; game_box.rules().types.len()],
        }
    }
}

/// Plays one random game.
pub fn play(game_box: &GameBox, host: &ScriptHost, request: &SimRequest, index: u64, seed: u64) -> Played {
    let mut game = match game_box.start(host, seed) {
        Ok(game) => game,
        Err(fault) => return Played::failed(game_box, index, seed, fault.to_string()),
    };
    let rules = game_box.rules();
    let mut bots = Bots::new(rules, request, seed);
    let mut played = Played::failed(game_box, index, seed, String::new());
    let mut answers = Vec::new();
    let mut count = 0;
    let mut turn = 0;
    let mut watch = if request.views { Watch::default() } else { Watch::few(request.glances) };
    let mut leaked = None;
    let mut plain = match request.plain.as_ref().map(|plain| PlainGame::start(plain, host, seed)).transpose() {
        Ok(plain) => plain,
        Err(message) => return Played::failed(game_box, index, seed, message),
    };
    if (request.views || request.glances > 0)
        && let Err(message) = set_up_hides(rules, host, seed)
    {
        if request.views {
            game.abandon(host);
            return Played { end: End::Leaked(message), ..played };
        }
        leaked = Some(message);
        watch = Watch::few(0);
    }
    played.end = loop {
        if let Some(plain) = &plain
            && let Err(message) = plain.compare(&game)
        {
            break End::Failed(message);
        }
        if request.invariants
            && let Err(broken) = check_invariants(rules, game.state())
        {
            played.failed_check = true;
            break End::Failed(broken);
        }
        if game.state().turns() != turn {
            turn = game.state().turns();
            note_used(&game, &mut played.used);
        }
        let Some(decision) = game.decision() else { break End::Finished };
        if turn > request.max_turns || count >= request.max_answers {
            break End::Capped;
        }
        played.decisions += u64::from(decision.options.len() > 1);
        played.max_options = played.max_options.max(decision.options.len());
        let answer = match bots.choose(&game, decision, game_box, host) {
            Ok(answer) => answer,
            Err(fault) => break End::Failed(fault.to_string()),
        };
        let given = if request.logs { game.given(answer) } else { None };
        count += 1;
        let done = if (request.views || request.glances > 0) && watch.wants(&game, answer) {
            watch.before(&game, answer);
            match game.answer(host, answer) {
                Ok(events) => {
                    answers.extend(given.map(|given| given.and_told(&game, &events)));
                    if let Err(message) = watch.after(&game, host, &events, seed.wrapping_add(count)) {
                        if request.views {
                            break End::Leaked(message);
                        }
                        // There may be more to find than this failure.
                        leaked = Some(message);
                        watch = Watch::few(0);
                    }
                    Ok(())
                }
                Err(error) => Err(error.to_string()),
            }
        } else if let Some(given) = given {
            watch.passes_over(&game, answer);
            let told = game.answer(host, answer).map(|events| given.and_told(&game, &events));
            told.map(|given| answers.push(given)).map_err(|error| error.to_string())
        } else {
            watch.passes_over(&game, answer);
            game.answer_fast(host, answer).map_err(|error| error.to_string())
        };
        if let Some(plain) = &mut plain
            && let Err(message) = plain.answer(host, answer, done.as_ref().err().map(String::as_str))
        {
            break End::Failed(message);
        }
        if let Err(message) = done {
            break End::Failed(message);
        }
    };
    if let (End::Finished, Some(message)) = (&played.end, leaked) {
        played.end = End::Leaked(message);
    }
    if let Some(plain) = plain {
        plain.abandon(host);
    }
    played.answers = count;
    played.notes = bots.notes;
    played.note_end(&game, request.logs.then_some((seed, answers)));
    game.abandon(host);
    played
}

/// Who answers in a game, and what is noted of the answers.
struct Bots {
    /// Everybody by chance, if there are no others.
    chance: RandomBot,
    others: Option<Players>,
    notes: Option<Notes>,
}

impl Bots {
    fn new(rules: &Ruleset, request: &SimRequest, seed: u64) -> Bots {
        Bots {
            chance: RandomBot::new(seed),
            others: (!request.is_by_chance()).then(|| Players::new(&request.seats, seed)),
            notes: request.statistics.then(|| Notes::new(rules)),
        }
    }

    fn choose(
        &mut self,
        game: &Game,
        decision: &Decision,
        game_box: &GameBox,
        host: &ScriptHost,
    ) -> Result<Answer, Fault> {
        let answer = match &mut self.others {
            None => self.chance.choose(game.rules(), decision),
            // Games are played side by side already.
            Some(bots) => {
                let thought = bots.choose(game, game_box, 1)?;
                thought.ok_or_else(|| Fault::new("a seat without a bot is asked"))?.answer
            }
        };
        if let Some(notes) = &mut self.notes {
            notes.answer(game, host, decision, answer);
        }
        Ok(answer)
    }
}

impl Played {
    /// Notes how the game has ended; `log` is its seed and its answers, if a log is wanted.
    fn note_end(&mut self, game: &Game, log: Option<(u64, Vec<Given>)>) {
        note_used(game, &mut self.used);
        self.turns = u64::from(game.state().turns());
        self.work = game.work();
        if !matches!(self.end, End::Failed(_) | End::Leaked(_)) {
            self.hash = game.hash();
            self.results = results(game);
            self.log = log.map(|(seed, answers)| GameLog::new(game, Start::Seed(seed), answers));
        }
    }
}

/// The points of each seat, and whether it won.
fn results(game: &Game) -> Vec<(i64, bool)> {
    let Some(outcome) = game.state().outcome() else { return Vec::new() };
    let seats = game.rules().seats().zip(&outcome.sheets);
    seats.map(|(seat, sheet)| (sheet.total, outcome.winners.contains(&seat))).collect()
}

fn note_used(game: &Game, used: &mut [bool]) {
    for (index, init) in game.rules().pieces.iter().enumerate() {
        let used = &mut used[init.ty.index()];
        *used = *used || game.state().piece(PieceId::from(index)).zone != init.zone;
    }
}

/// The largest number of failed games, and of games stopped by a cap, that are listed one by one. All are counted.
pub const MOST_FAILURES: usize = 10_000;

/// Sums over the games as they end: the memory does not grow with their number.
struct Tally {
    report: SimReport,
    used: Vec<bool>,
    digest: StableHasher,
    /// The index of the next game that goes into the digest.
    next: u64,
    /// The hashes of games that ended before an earlier game.
    early: BTreeMap<u64, u128>,
    failures: BTreeMap<u64, Failure>,
    /// The index of each failure by its message.
    alike: HashMap<String, u64>,
    capped: BTreeMap<u64, Failure>,
    tallies: Option<Tallies>,
}

impl Tally {
    fn new(game_box: &GameBox, request: &SimRequest) -> Tally {
        let rules = game_box.rules();
        let report = SimReport {
            version: REPORT_VERSION,
            pack: rules.pack.clone(),
            modes: rules.modes.clone(),
            players: rules.players,
            games: 0,
            finished: 0,
            capped: 0,
            failed: 0,
            decisions: 0,
            turns: 0,
            work: 0,
            seconds: 0.0,
            games_per_second: 0.0,
            decisions_per_second: 0.0,
            digest: String::new(),
            max_options: 0,
            failures: Vec::new(),
            capped_games: Vec::new(),
            statistics: None,
            types_used: Vec::new(),
        };
        Tally {
            report,
            used: vec![false; rules.types.len()],
            digest: StableHasher::new(),
            next: request.first,
            early: BTreeMap::new(),
            failures: BTreeMap::new(),
            alike: HashMap::new(),
            capped: BTreeMap::new(),
            tallies: request.statistics.then(|| Tallies::new(rules, &request.seats)),
        }
    }

    fn add(&mut self, game: Played) {
        let report = &mut self.report;
        report.games += 1;
        report.decisions += game.decisions;
        report.turns += game.turns;
        report.work += game.work;
        report.max_options = report.max_options.max(game.max_options);
        for (all, this) in self.used.iter_mut().zip(&game.used) {
            *all |= this;
        }
        if let (Some(tallies), Some(notes), End::Finished) = (&mut self.tallies, &game.notes, &game.end) {
            let Played { results, turns, decisions, .. } = &game;
            tallies.add(Ended { results, turns: *turns, questions: *decisions, notes });
        }
        let (seed, answers) = (game.seed, game.answers);
        let failure = |message: String| Failure { seed, message, call: String::new(), at: None, games: 1, answers };
        match game.end {
            End::Finished => report.finished += 1,
            End::Capped => {
                report.capped += 1;
                let message = format!("it did not end after {} turns and {} answers", game.turns, game.answers);
                keep_first(&mut self.capped, game.index, failure(message));
            }
            End::Failed(message) | End::Leaked(message) => {
                report.failed += 1;
                keep_first_alike(&mut self.failures, &mut self.alike, game.index, failure(message));
            }
        }
        self.early.insert(game.index, game.hash);
        while let Some(hash) = self.early.remove(&self.next) {
            self.digest.write(&hash.to_le_bytes());
            self.next += 1;
        }
    }

    fn report(mut self, game_box: &GameBox, seconds: f64) -> SimReport {
        let rules = game_box.rules();
        // If the simulation was stopped, some were never played.
        for hash in self.early.values() {
            self.digest.write(&hash.to_le_bytes());
        }
        let path = |ty: usize| {
            let declared = &rules.types[TypeId::from(ty).index()];
            format!("{}.{}", rules.kinds[declared.kind.index()].name, declared.name)
        };
        let rate = |n: u64| if seconds > 0.0 { n as f64 / seconds } else { 0.0 };
        SimReport {
            seconds,
            games_per_second: rate(self.report.games),
            decisions_per_second: rate(self.report.decisions),
            digest: format!("{:032x}", self.digest.finish128()),
            failures: self.failures.into_values().collect(),
            capped_games: self.capped.into_values().collect(),
            statistics: self.tallies.map(|tallies| tallies.statistics(rules)),
            types_used: (0..rules.types.len()).filter(|ty| self.used[*ty]).map(path).collect(),
            ..self.report
        }
    }
}

/// Keeps the first of the games that failed in the same way, and counts them.
fn keep_first_alike(
    all: &mut BTreeMap<u64, Failure>,
    alike: &mut HashMap<String, u64>,
    index: u64,
    mut failure: Failure,
) {
    let known = alike.get(&failure.message).copied();
    if let Some(before) = known.and_then(|known| all.remove(&known)) {
        failure.games += before.games;
        if known < Some(index) {
            failure = Failure { games: failure.games, ..before };
        }
    }
    let index = known.map_or(index, |known| known.min(index));
    alike.insert(failure.message.clone(), index);
    all.insert(index, failure);
    if all.len() > MOST_FAILURES
        && let Some((_, last)) = all.pop_last()
    {
        alike.remove(&last.message);
    }
}

/// Keeps the first entries of a list.
fn keep_first(all: &mut BTreeMap<u64, Failure>, index: u64, failure: Failure) {
    all.insert(index, failure);
    if all.len() > MOST_FAILURES {
        all.pop_last();
    }
}
