//! One scenario from the first decision to the last comparison.

use std::collections::BTreeSet;
use std::sync::Arc;

use rulepack_kernel::ruleset::{Phase, PhaseBody};
use rulepack_kernel::{Answer, Ask, EditError, EffectHost, Game, LogEntry, Ruleset, Value, check_invariants};
use rulepack_model::{Code, Diagnostic, Sources, Span, TypeId, known_instead};
use rulepack_pack::Word;

use super::chance::Way;
use super::empty::only_repeats;
use super::given::Given;
use super::names::{Names, value_name, zone_name};
use super::pieces::Side;
use super::setting::Misfit;
use super::then::Then;
use super::when::Play;
use super::{Begin, Scenario};

/// The largest number of questions of a set-up before the first turn.
const MAX_SETUP: usize = 10_000;

/// A scenario that passed.
#[derive(Debug, Clone)]
pub struct Passed {
    /// Types of which a piece was placed by the scenario, moved, turned, chosen, or had resources laid on it.
    pub exercised: BTreeSet<TypeId>,
    /// The pieces that its table took from elsewhere, and random events before the position where it begins.
    pub notes: Vec<String>,
}

/// Why a scenario failed.
#[derive(Debug, Clone)]
pub enum Stopped {
    /// The file has mistakes; nothing was played.
    Mistakes(Vec<Diagnostic>),
    /// Its table is impossible; nothing was played.
    Unfit {
        /// The reason.
        message: String,
        /// The key that asks for it, if known.
        at: Option<Span>,
    },
    /// The game went another way.
    Failed(String),
}

/// A scenario whose names are resolved.
pub(super) struct Prepared {
    given: Given,
    /// What must hold after each step.
    between: Vec<Then>,
    then: Then,
    seats: Vec<String>,
}

impl Prepared {
    /// Resolves the names of a scenario in its rules.
    /// `is_whole`: whether every text of the pack could be read.
    pub(super) fn new(
        scenario: &Scenario,
        rules: &Ruleset,
        sources: &Sources,
        is_whole: bool,
    ) -> (Prepared, Vec<Diagnostic>) {
        let seats = scenario.seat_names(rules.players);
        let mut names = Names::new(rules, &seats, sources, is_whole);
        names.legend = scenario.legend.clone();
        names.refuse_long_letters();
        let given = Given::read(&scenario.given, &mut names);
        if let Begin::Phase(phase) = &scenario.from {
            names.out.extend(wrong_phase(phase, rules));
        }
        for step in scenario.when.iter() {
            names.check_step(step);
        }
        names.side = Side::Then;
        let between: Vec<Then> = scenario.when.iter().map(|step| Then::read(&step.then, &mut names)).collect();
        let then = Then::read(&scenario.then, &mut names);
        let mut mistakes = names.out;
        // A misspelt key may be the one that is missing.
        if mistakes.is_empty() {
            let expected: Vec<&Then> = between.iter().chain([&then]).collect();
            mistakes.extend(only_repeats(scenario, rules, &given, &expected));
        }
        (Prepared { given, between, then, seats }, mistakes)
    }
}

/// What to write in a game without a menu of actions.
const FIRST_QUESTION: &str = "write `from = \"setup\"` to begin at its first question";

/// The mistake of a phase that does not exist, or in which nobody is asked to choose an action.
fn wrong_phase(phase: &Word, rules: &Ruleset) -> Option<Diagnostic> {
    let Some(known) = rules.phases.iter().find(|known| known.name == phase.text) else {
        let help = known_instead(&phase.text, rules.phases.iter().map(|phase| phase.name.as_str()));
        let message = format!("there is no phase `{}`", phase.text);
        return Some(Diagnostic::error(Code::UnknownName, message).at(phase.span).maybe_help(help));
    };
    let has_menu = |phase: &&Phase| matches!(phase.body, PhaseBody::Menu { .. });
    if has_menu(&known) {
        return None;
    }
    let others: Vec<&str> = rules.phases.iter().filter(has_menu).map(|phase| phase.name.as_str()).collect();
    let message = format!("the phase `{}` has no `actions`: a scenario cannot begin at its menu", phase.text);
    let help = match others.as_slice() {
        [] => format!("no phase of this game has: {FIRST_QUESTION}"),
        _ => format!("begin at a phase that has: {}", super::listed(others)),
    };
    Some(Diagnostic::error(Code::WrongValue, message).at(phase.span).help(help))
}

/// Games of one ruleset at positions where scenarios begin, so that scenarios with the same start share the way there.
#[derive(Debug, Default)]
pub struct Beginnings {
    known: Vec<((u64, Begin), Result<Reached, String>)>,
}

/// A game at the position where a scenario begins, and the events since the last question before it.
#[derive(Debug, Clone)]
struct Reached {
    game: Game,
    events: Vec<LogEntry>,
    notes: Vec<String>,
}

/// Plays a scenario.
///
/// # Errors
/// If the file has mistakes, or the game goes another way.
pub fn run_scenario(
    scenario: &Scenario,
    rules: &Arc<Ruleset>,
    host: &dyn EffectHost,
    sources: &Sources,
    beginnings: &mut Beginnings,
) -> Result<Passed, Stopped> {
    let (prepared, mistakes) = Prepared::new(scenario, rules, sources, true);
    if mistakes.iter().any(Diagnostic::is_error) {
        return Err(Stopped::Mistakes(mistakes));
    }
    let begun = prepared.begin(scenario, rules, host, beginnings)?;
    let notes = begun.notes.clone();
    prepared.play(scenario, rules, begun, host).map_err(|reason| {
        let notes = notes.iter().map(|note| format!("\n  {note}"));
        Stopped::Failed(reason + &notes.collect::<String>())
    })
}

/// The game at the position where a scenario begins, with its given table, before its first step.
///
/// # Errors
/// If the file has mistakes, or the table is impossible.
pub fn begin_scenario(
    scenario: &Scenario,
    rules: &Arc<Ruleset>,
    host: &dyn EffectHost,
    sources: &Sources,
) -> Result<Game, Stopped> {
    let (prepared, mistakes) = Prepared::new(scenario, rules, sources, true);
    if mistakes.iter().any(Diagnostic::is_error) {
        return Err(Stopped::Mistakes(mistakes));
    }
    Ok(prepared.begin(scenario, rules, host, &mut Beginnings::default())?.game)
}

impl Prepared {
    fn play(
        &self,
        scenario: &Scenario,
        rules: &Arc<Ruleset>,
        begun: Reached,
        host: &dyn EffectHost,
    ) -> Result<Passed, String> {
        let mut play = Play::new(begun.game, host, &self.seats, &begun.events);
        for (number, (index, step)) in (1..).zip(scenario.when.iter().enumerate()) {
            play.step(step).map_err(|reason| format!("step {number}: {reason}"))?;
            let wrong = self.between.get(index).map(|then| then.mismatches(&play)).unwrap_or_default();
            if !wrong.is_empty() {
                return Err(format!("step {number}: then: {}", wrong.join(&format!("\nstep {number}: then: "))));
            }
        }
        play.chance.look_at_all();
        let mut wrong = self.then.mismatches(&play);
        match play.game.state().rolls_left() {
            0 => {}
            left => wrong.push(format!("rolls: {left} of {} were not rolled", self.given.rolls.len())),
        }
        // A supply that is set has its own total.
        if !self.given.sets_supply()
            && let Err(broken) = check_invariants(rules, play.game.state())
        {
            wrong.push(broken);
        }
        if !wrong.is_empty() {
            return Err(format!("then: {}", wrong.join("\nthen: ")));
        }
        let mut exercised = self.given.named_types();
        exercised.extend(play.touched);
        Ok(Passed { exercised, notes: begun.notes })
    }

    /// The game at the position where the scenario begins, with the given table.
    fn begin(
        &self,
        scenario: &Scenario,
        rules: &Arc<Ruleset>,
        host: &dyn EffectHost,
        beginnings: &mut Beginnings,
    ) -> Result<Reached, Stopped> {
        let rolls = if scenario.from == Begin::Setup { self.given.rolls.as_slice() } else { &[] };
        let reached = if rolls.is_empty() {
            let wanted = (scenario.seed, scenario.from.clone());
            match beginnings.known.iter().find(|(known, _)| *known == wanted) {
                Some((_, reached)) => reached.clone(),
                None => {
                    let reached = reach(scenario, rules, rolls, host);
                    beginnings.known.push((wanted, reached.clone()));
                    reached
                }
            }
        } else {
            reach(scenario, rules, rolls, host)
        };
        let reached = reached.map_err(Stopped::Failed)?;
        // A script may wait at the first decision: the table is only changed if something is given.
        if scenario.from == Begin::Setup && self.given.is_empty() {
            return Ok(reached);
        }
        let (mut notes, mut taken, mut key) = (reached.notes, Vec::new(), None);
        let edited = reached.game.edited(host, |editor| {
            taken = self.given.apply(scenario, editor).map_err(|Misfit { error, at }| {
                key = at;
                error
            })?;
            Ok(())
        });
        notes.extend(taken.iter().map(|taken| {
            let piece = value_name(rules, &self.seats, Value::Piece(taken.piece));
            format!("given: `{piece}` was taken from {}", zone_name(rules, &self.seats, taken.from))
        }));
        edited.map(|(game, events)| Reached { game, events, notes }).map_err(|error| match error {
            EditError::Fault(fault) => {
                Stopped::Failed(format!("given: the game cannot go on from this table: {fault}"))
            }
            error => {
                Stopped::Unfit { message: format!("given: {error}"), at: key.or_else(|| self.given.place_of(&error)) }
            }
        })
    }
}

/// Plays the set-up up to the position where a scenario begins.
fn reach(scenario: &Scenario, rules: &Arc<Ruleset>, rolls: &[u32], host: &dyn EffectHost) -> Result<Reached, String> {
    let started = Game::start_with_rolls(Arc::clone(rules), scenario.seed, rolls, host);
    let (mut game, mut events) = started.map_err(|fault| format!("the game cannot be set up: {fault}"))?;
    let mut way = Way::new(scenario, rules, &events);
    let is_there = |game: &Game| match &scenario.from {
        Begin::Setup => true,
        Begin::Play | Begin::Turn => game.is_at_turn_menu(),
        Begin::Phase(name) => game.decision().is_some_and(
            |decision| matches!(decision.ask, Ask::Menu(phase, _) if rules.phase(phase).name == name.text),
        ),
    };
    for _ in 0..MAX_SETUP {
        if is_there(&game) {
            return Ok(Reached { game, events, notes: way.notes() });
        }
        if game.decision().is_none() {
            let message = "the game is over before the place where the scenario begins";
            let has_menu = rules.phases.iter().any(|phase| matches!(phase.body, PhaseBody::Menu { .. }));
            return Err(match (has_menu, &scenario.from) {
                (false, Begin::Play | Begin::Turn) => {
                    format!("{message}: nobody chooses an action in it; {FIRST_QUESTION}")
                }
                (true, _) | (false, Begin::Setup | Begin::Phase(_)) => message.to_string(),
            });
        }
        events = game.answer(host, Answer(0)).map_err(|error| format!("the set-up fails: {error}"))?;
        way.note(&events);
    }
    if is_there(&game) {
        Ok(Reached { game, events, notes: way.notes() })
    } else {
        Err("the place where the scenario begins is not reached".into())
    }
}
