//! Conformance: properties of every pack, tested in random games, without code of the pack's author.
//!
//! `property.rs` lists the properties. `game.rs` plays one game and tests them: what looking does in `looking.rs`, games
//! that are loaded, undone and replayed in `again.rs`. This file selects the games and builds the report.

mod again;
mod compare;
mod game;
mod looking;
mod property;

use std::time::Instant;

use rulepack_kernel::Fault;
use rulepack_model::{Diagnostic, Sources, side_by_side};
use serde::Serialize;

use crate::blame::fault_places;
use crate::calls::conformance_call;
use crate::check::{MOST_ANSWERS, some_requests};
use crate::load::{GameBox, Library, Loaded};
use crate::report::REPORT_VERSION;
use crate::sim::{SimRequest, game_seed, play};
use game::{Broken, Pace, Setting, play_checked};
pub use property::{Counts, Property};

/// A request for conformance tests.
#[derive(Debug, Clone)]
pub struct ConformanceRequest {
    /// The number of games of every way to play.
    pub games: u64,
    /// The seed from which the seeds of the games follow.
    pub seed: u64,
    /// The seed of the one game to play, instead of those that follow from `seed`.
    pub game_seed: Option<u64>,
    /// Whether every property is tested at every decision.
    pub thorough: bool,
    /// The number of ways to play at the same time; the results do not depend on it.
    pub threads: usize,
    /// A game with more turns counts as endless.
    pub max_turns: u32,
    /// A game with more answers counts as endless.
    pub max_answers: u64,
    /// Whether the bare games are played as well, to measure the cost of the tests.
    pub measure: bool,
}

impl Default for ConformanceRequest {
    fn default() -> Self {
        ConformanceRequest {
            games: 20,
            seed: 1,
            game_seed: None,
            thorough: false,
            threads: 1,
            max_turns: 10_000,
            max_answers: MOST_ANSWERS,
            measure: false,
        }
    }
}

impl ConformanceRequest {
    fn seed_of(&self, index: u64) -> u64 {
        self.game_seed.unwrap_or_else(|| game_seed(self.seed, index))
    }

    fn pace(&self) -> Pace {
        if self.thorough { Pace::FULL } else { Pace::SAMPLE }
    }
}

/// After this many failed games of a way to play, no more are played.
const MOST_BROKEN: usize = 3;

/// The result.
#[derive(Debug, Clone, Serialize)]
pub struct ConformanceReport {
    /// The version of the format.
    pub version: u32,
    /// Ways to play without a violation.
    pub passed: usize,
    /// Ways to play with a violation.
    pub failed: usize,
    /// How many games were begun.
    pub games: u64,
    /// How many answers were given in them.
    pub answers: u64,
    /// How long it took.
    pub seconds: f64,
    /// Every way to play that was tested.
    pub ways: Vec<WayReport>,
    /// What was not tested, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_tested: Vec<NotTested>,
    /// Notes.
    pub notes: Vec<String>,
}

/// A pack with more ways to play than are tested.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct NotTested {
    /// The pack.
    pub pack: String,
    /// Why not all of it is tested.
    pub message: String,
    /// Where, as `path:line:column`.
    pub at: String,
}

/// The result for one way to play.
#[derive(Debug, Clone, Serialize)]
pub struct WayReport {
    /// The pack that was asked for.
    pub pack: String,
    /// The game that is played with it.
    pub game: String,
    /// Modes in use.
    pub modes: Vec<String>,
    /// How many play.
    pub players: u8,
    /// How many games were begun.
    pub games: u64,
    /// How many answers were given in them.
    pub answers: u64,
    /// The time it took.
    pub seconds: f64,
    /// The time of the bare games, if it was measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bare_seconds: Option<f64>,
    /// How often each property was tested.
    pub looked_at: Counts,
    /// The violations: the first game of each property.
    pub violations: Vec<Violation>,
}

/// A violated property.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Violation {
    /// The property.
    pub property: Property,
    /// The difference.
    pub message: String,
    /// The seed of the game.
    pub seed: u64,
    /// The number of the decision, counted from 1; 0 if the game could not even begin.
    pub decision: u64,
    /// Who was asked what there.
    pub asked: String,
    /// The definition responsible, as `path:line:column`, if it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub at: Option<String>,
    /// The number of games in which it was seen.
    pub games: u64,
    /// A command line that shows it again.
    pub call: String,
}

/// One way to play a pack, loaded.
#[derive(Debug, Clone)]
pub struct Way {
    /// The pack that was asked for.
    pub pack: String,
    /// The game.
    pub game_box: GameBox,
}

/// The ways to play a pack that are tested.
#[derive(Debug, Clone, Default)]
pub struct Ways {
    /// Those.
    pub tested: Vec<Way>,
    /// That there are more ways than are tested, if so.
    pub too_many: Vec<Diagnostic>,
}

/// Loads the ways to play a pack: all of them, or those with some modes or some number of players.
///
/// # Errors
/// If one of them cannot be played.
pub fn ways(
    library: &Library,
    pack: &str,
    modes: &[String],
    players: Option<u8>,
    with: &[String],
) -> Result<Ways, Vec<Diagnostic>> {
    library.hold();
    let mut too_many = Vec::new();
    let mut all = some_requests(library, pack, modes, players, &mut too_many);
    if players.is_some() {
        all.retain(|request| request.players == players);
    }
    let mut tested = Vec::new();
    for mut request in all {
        let fresh = with.iter().filter(|more| **more != request.pack && !request.with.contains(more)).cloned();
        let fresh: Vec<String> = fresh.collect();
        request.with.extend(fresh);
        match library.attempt(&request) {
            Loaded { game_box: Some(game_box), playable: true, .. } => tested.push(Way { pack: pack.into(), game_box }),
            Loaded { diagnostics, .. } => return Err(diagnostics),
        }
    }
    Ok(Ways { tested, too_many })
}

/// Plays all of them. `played` is called with every game as it ends.
pub fn conform(
    library: &Library,
    ways: &[Way],
    request: &ConformanceRequest,
    played: &(dyn Fn() + Sync),
) -> ConformanceReport {
    let began = Instant::now();
    let mut reports = side_by_side(ways, request.threads, |way| conform_way(way, request, played));
    for (report, way) in reports.iter_mut().zip(ways) {
        report.locate(library, &way.game_box);
    }
    let is_sound = |way: &&WayReport| way.violations.is_empty();
    let passed = reports.iter().filter(is_sound).count();
    ConformanceReport {
        version: REPORT_VERSION,
        passed,
        failed: reports.len() - passed,
        games: reports.iter().map(|way| way.games).sum(),
        answers: reports.iter().map(|way| way.answers).sum(),
        seconds: began.elapsed().as_secs_f64(),
        ways: reports,
        not_tested: Vec::new(),
        notes: Vec::new(),
    }
}

/// Plays one way, game by game; places and command lines are added later.
pub fn conform_way(way: &Way, request: &ConformanceRequest, played: &dyn Fn()) -> WayReport {
    let rules = way.game_box.rules();
    let mut report = WayReport {
        pack: way.pack.clone(),
        game: rules.pack.clone(),
        modes: rules.modes.clone(),
        players: rules.players,
        games: 0,
        answers: 0,
        seconds: 0.0,
        bare_seconds: None,
        looked_at: Property::ALL.iter().map(|property| (*property, 0)).collect(),
        violations: Vec::new(),
    };
    let games = if request.game_seed.is_some() { 1 } else { request.games };
    if request.measure {
        report.bare_seconds = bare(&way.game_box, request, games);
    }
    let began = Instant::now();
    if let Err(fault) = report.play(&way.game_box, request, games, played) {
        let asked = "nothing yet".to_string();
        let message = fault.to_string();
        let property = Property::Accepted;
        report.note(0, Broken { property, message, decision: 0, asked, answers: 0, also: None });
    }
    report.seconds = began.elapsed().as_secs_f64();
    report
}

/// The time of the bare games.
fn bare(game_box: &GameBox, request: &ConformanceRequest, games: u64) -> Option<f64> {
    let host = game_box.host().ok()?;
    let (max_turns, max_answers) = (request.max_turns, request.max_answers);
    let sim = SimRequest { max_turns, max_answers, ..SimRequest::default() };
    let began = Instant::now();
    for index in 0..games {
        play(game_box, &host, &sim, index, request.seed_of(index));
    }
    Some(began.elapsed().as_secs_f64())
}

impl WayReport {
    fn play(
        &mut self,
        game_box: &GameBox,
        request: &ConformanceRequest,
        games: u64,
        played: &dyn Fn(),
    ) -> Result<(), Fault> {
        let (host, other) = (game_box.host()?, game_box.host()?);
        let set = Setting {
            game_box,
            host: &host,
            other: &other,
            pace: request.pace(),
            max_turns: request.max_turns,
            max_answers: request.max_answers,
        };
        let mut broken = 0;
        for index in 0..games {
            let seed = request.seed_of(index);
            self.games += 1;
            match play_checked(set, index, seed, &mut self.looked_at) {
                Ok(answers) => self.answers += answers,
                Err(found) => {
                    self.answers += found.answers;
                    // Playing a game that does not end takes longest, and shows nothing new.
                    broken += if found.property == Property::End { MOST_BROKEN } else { 1 };
                    self.note(seed, *found);
                }
            }
            played();
            if broken >= MOST_BROKEN {
                break;
            }
        }
        Ok(())
    }

    /// Records violations: each property once.
    fn note(&mut self, seed: u64, broken: Broken) {
        let Broken { property, message, decision, asked, also, answers } = broken;
        if let Some((property, message)) = also {
            self.note(seed, Broken { property, message, decision, asked: asked.clone(), answers, also: None });
        }
        match self.violations.iter_mut().find(|known| known.property == property) {
            Some(known) => known.games += 1,
            None => self.violations.push(Violation {
                property,
                message,
                seed,
                decision,
                asked,
                at: None,
                games: 1,
                call: String::new(),
            }),
        }
    }

    /// Looks up the places of the violations, and adds command lines.
    fn locate(&mut self, library: &Library, game_box: &GameBox) {
        let sources = library.sources();
        for violation in &mut self.violations {
            violation.at = place(&violation.message, game_box, &sources);
            violation.call = conformance_call(library, game_box.rules(), violation.seed);
        }
    }
}

/// The place of the cause that a message names.
fn place(message: &str, game_box: &GameBox, sources: &Sources) -> Option<String> {
    let places = fault_places(message, &game_box.catalogue().definitions, sources);
    let (path, line, column) = sources.position(places.first()?.span);
    Some(format!("{path}:{line}:{column}"))
}
