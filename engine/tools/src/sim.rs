//! Simulation: many random games. Do they all end, how fast, and always in the same way?

mod report;
mod shards;

use std::time::Instant;

use rulepack_kernel::{Answer, Decision, Fault, Game, Given, Rng, Ruleset, check_invariants};
use rulepack_model::{MOST_THREADS, PieceId, run_on_threads};
use rulepack_script::ScriptHost;
use serde::{Deserialize, Serialize};

use crate::load::GameBox;
use crate::oracle::PlainGame;
use crate::replay::{GameLog, Start};
use crate::secrecy::{Glances, Kinds, Watch, set_up_hides};
use crate::statistics::Notes;
use rulepack_bots::{BotKind, Players, RandomBot, Seats};

use report::Tally;
pub use report::{Failure, SimReport};
pub(crate) use shards::as_list;
pub use shards::{Part, Shard, ShardWriter, is_shard, merge};

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
    /// If not every answer is tested in this way: which ones of each game.
    pub glances: Glances,
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
            glances: Glances::default(),
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

/// How a game ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
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

/// One game of many. As JSON it is a row of the file of a shard.
#[derive(Debug, Clone, Serialize, Deserialize)]
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
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub notes: Option<Notes>,
    /// The log, if it was wanted and the game could be set up.
    #[serde(skip)]
    pub log: Option<GameLog>,
    #[serde(skip)]
    used: Vec<bool>,
    /// The pieces of types of which none has moved yet.
    #[serde(skip)]
    unmoved: Vec<PieceId>,
    /// If only a few answers were tested for leaks: how many there were of each kind.
    #[serde(skip)]
    pub glanced: Kinds,
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
            unmoved: (0..game_box.rules().pieces.len()).map(PieceId::from).collect(),
            glanced: Kinds::new(),
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
    let mut watch = if request.views { Watch::default() } else { Watch::few(request.glances.clone(), index) };
    let mut leaked = None;
    let mut plain = match request.plain.as_ref().map(|plain| PlainGame::start(plain, host, seed)).transpose() {
        Ok(plain) => plain,
        Err(message) => return Played::failed(game_box, index, seed, message),
    };
    if (request.views || request.glances.most > 0)
        && let Err(message) = set_up_hides(rules, host, seed, request.glances.every > 0)
    {
        if request.views {
            game.abandon(host);
            return Played { end: End::Leaked(message), ..played };
        }
        leaked = Some(message);
        watch = Watch::none();
    }
    played.end = loop {
        if let Some(plain) = &plain
            && let Err(message) = plain.compare(&game)
        {
            break End::Failed(message);
        }
        if request.invariants
            && let Err(broken) = check_invariants(rules, game.state()).and_then(|()| game.check_hidden_values(host))
        {
            played.failed_check = true;
            break End::Failed(broken);
        }
        if game.state().turns() != turn {
            turn = game.state().turns();
            played.note_used(&game);
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
        let done = if (request.views || request.glances.most > 0) && watch.wants(&game, answer) {
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
                        watch = Watch::none();
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
    played.glanced = watch.kinds();
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
    /// Notes of which types a piece has moved.
    fn note_used(&mut self, game: &Game) {
        let (used, pieces) = (&mut self.used, &game.rules().pieces);
        self.unmoved.retain(|piece| {
            let init = &pieces[piece.index()];
            let used = &mut used[init.ty.index()];
            *used = *used || game.state().piece(*piece).zone != init.zone;
            !*used
        });
    }

    /// Notes how the game has ended; `log` is its seed and its answers, if a log is wanted.
    fn note_end(&mut self, game: &Game, log: Option<(u64, Vec<Given>)>) {
        self.note_used(game);
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
