//! `rulepack play`: a game for people, bots or both.

use std::hash::{BuildHasher, RandomState};
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use rulepack_kernel::{Answer, AnswerError, Fault, LogEntry, OutcomeView, Ruleset, Sight, View, Viewer, Words, fill};
use rulepack_model::all_threads;
use rulepack_model::visible::one_line;
use rulepack_tools::{
    BotKind, Effort, FileKind, Library, Players, REPORT_VERSION, Seats, Session, Start, Thought, seats,
};

use crate::advice::advice;

use crate::keep::{self, Kept};
use crate::open::{self, Changed, Opened, Opening};
use crate::people::People;
use crate::phrases::Phrases;
use crate::pick::{self, Pick, environment_language, known_pack};
use crate::scenario_file;
use crate::seat_talk::read_line;
use crate::stop::{Format, Stop, emit, emit_json, shown, talk, talk_lines};
use crate::write::{Foreign, may_write};

/// The bot against a person at a terminal: it thinks about a second for a move.
pub const GOOD: BotKind = BotKind::Mcts(Effort::Time(Duration::from_secs(1)));

/// The bot of games that nobody waits for: a game ends within seconds.
const QUICK: BotKind = BotKind::Mcts(Effort::Games(40));

/// Plays a game: in a terminal or with `--bots` you choose by number, otherwise bots play it out
///
/// A game of people at a terminal is kept by itself after every answer, in `$XDG_STATE_HOME/rulepack` or
/// `~/.local/state/rulepack`; if it is broken off, the next `play` of the pack offers it again.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: rulepack play my-game --players 2 --seed 7\n          rulepack play my-game --bots none --locale fr\n          rulepack play my-game --bots 2=mcts:4000 --think\n          rulepack play my-game --load saved.json\n          rulepack play my-game --watch"
)]
pub struct Play {
    #[command(flatten)]
    pick: Pick,
    /// The seed of all random numbers; a new one each time if not given
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// The language, such as `fr`; that of the environment if not given
    #[arg(long, value_name = "LANGUAGE")]
    locale: Option<String>,
    /// Who plays: `all`, `none`, seats of bots (`2,3`), a bot for all (`random`), for each (`mcts,random`) or for some seats
    /// (`2=mcts:500ms`); bots for all but the first seat if not given. A seat without a kind of bot gets a good one against
    /// a person at a terminal, else a quick one
    #[arg(long, value_name = "BOTS")]
    bots: Option<String>,
    /// Tell after each answer of a bot how it judged the answers that it had
    #[arg(long)]
    think: bool,
    /// Go on with a saved game, or from the end of a log
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    load: Option<PathBuf>,
    /// Begin at the table of a scenario, before its first step
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seed", "load"])]
    scenario: Option<PathBuf>,
    /// With `--load`: go on from the position after this many answers
    #[arg(long, value_name = "N", requires = "load")]
    at: Option<usize>,
    /// Go on with the last interrupted game of the pack, without asking
    #[arg(long, conflicts_with_all = ["seed", "load", "scenario"])]
    resume: bool,
    /// If the rules have changed since, go on all the same, as far as the answers can be given again
    #[arg(long)]
    changed_rules: bool,
    /// Do not keep the game automatically, nor ask about an interrupted one
    #[arg(long)]
    no_autosave: bool,
    /// Ask line by line, also at a terminal, instead of on a full screen
    #[arg(long)]
    plain: bool,
    /// Read the packs again each time a file of them is saved, and go on with the game under the new rules
    #[arg(long)]
    watch: bool,
    /// If only bots play, stop a game that has not ended after this many answers
    #[arg(long, value_name = "N", default_value_t = 200_000)]
    max_answers: usize,
    /// Write a log that `rulepack replay` can play again; it grows with every answer
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// Overwrite the log, or a file that the game is saved to, even if rulepack did not write what is there
    #[arg(long)]
    force: bool,
    /// The output format; `json` lets bots play the game out
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

impl Play {
    /// Runs it; `usual_bots` are those of the project.
    pub fn run(&self, library: &Library, usual_bots: Option<&str>) -> Result<(), Stop> {
        let at_terminal = std::io::stdin().is_terminal();
        let people = self.format == Format::Human && (at_terminal || self.bots.is_some());
        let language = self.locale.clone().unwrap_or_else(environment_language);
        let phrases = pick::phrases(library, &self.pick.request(), &language);
        let (opened, own) = self.open(library, at_terminal && people && !self.no_autosave, phrases)?;
        let Opened { game_box, mut session, bots } = opened;
        let words = Words::new(game_box.rules(), &language);
        let phrases = Phrases::of(words.spoken());
        let bots = self.bots.clone().or(bots).or(usual_bots.map(str::to_string));
        let usual = if people && at_terminal { GOOD } else { QUICK };
        let seats = seats_of_bots(bots.as_deref(), game_box.rules().players, usual)?;
        let by_people = people && seats.iter().any(Option::is_none);
        // The seed reveals all future rolls and draws, so people read it after the game.
        let tell_seed = |session: &Session| {
            if let Start::Seed(seed) = session.began() {
                talk(&fill(phrases.seed, &[("n", &seed.to_string())]));
            }
        };
        if !by_people && self.load.is_none() && !self.resume {
            tell_seed(&session);
        }
        let mut kept = Vec::new();
        if let Some(path) = &self.log {
            // Better now than after the game.
            writable(path)?;
            may_write(path, FileKind::Log, Foreign::new(self.force))?;
            kept.push(Kept::begin(path, &session, bots.as_deref(), false, phrases)?);
        }
        if by_people && let Some(path) = own {
            // A game that cannot be kept can still be played.
            match Kept::begin(&path, &session, bots.as_deref(), true, phrases) {
                Ok(own) => kept.push(own),
                Err(Stop::Call(message)) => talk(&fill(phrases.not_kept, &[("why", &message)])),
                Err(stop) => return Err(stop),
            }
        }
        let is_kept = by_people && at_terminal && kept.len() > usize::from(self.log.is_some());
        let result = if by_people {
            let people = People {
                library,
                language: &language,
                seats: &seats,
                bots: bots.as_deref(),
                thinks: self.think,
                foreign: Foreign::new(self.force),
                is_full: at_terminal && std::io::stdout().is_terminal() && !self.plain && !is_dumb(),
                watches: self.watch,
            };
            people.play(&mut session, &mut kept)
        } else {
            self.by_bots(&mut session, &words, &seats, &mut kept)
        };
        // Each of them, even if others failed.
        let ended = kept.iter_mut().map(|log| log.end(&session)).fold(Ok(()), Result::and);
        if by_people && session.outcome().is_some() {
            tell_seed(&session);
        }
        if is_kept && session.outcome().is_none() && session.depth() > 0 {
            talk(&fill(phrases.kept, &[("pack", &self.pick.pack)]));
        }
        result.and(ended)
    }

    /// The game to begin with, and the file in which it is kept.
    fn open(
        &self,
        library: &Library,
        is_kept: bool,
        phrases: &'static Phrases,
    ) -> Result<(Opened, Option<PathBuf>), Stop> {
        let changed = if self.changed_rules { Changed::GoOn } else { Changed::Refuse };
        let opening = Opening { library, pick: &self.pick, changed, phrases };
        let new_file = || is_kept.then(|| keep::new_file(&self.pick.pack, phrases)).flatten();
        if let Some(path) = &self.load {
            let opened = opening.file(path)?;
            let opened = match self.at {
                Some(at) => opened.at(at)?,
                None => opened,
            };
            return Ok((opened, new_file()));
        }
        known_pack(library, &self.pick.pack)?;
        if let Some(path) = &self.scenario {
            let session = scenario_file::begin(library, path)?;
            let game_box = session.game_box().clone();
            if game_box.rules().pack != self.pick.pack {
                return Err(Stop::in_file(path, format!("it is a scenario of `{}`", game_box.rules().pack)));
            }
            return Ok((Opened { game_box, session, bots: None }, new_file()));
        }
        let wanted = self.resume || (is_kept && self.seed.is_none());
        let broken_off = if wanted { keep::unfinished(&self.pick.pack, phrases) } else { None };
        match broken_off.filter(|game| open::fits(&self.pick, &game.log)) {
            Some(game) if self.resume => {
                let opened = opening.log(&game.path, &game.log)?;
                return Ok((opened, is_kept.then(|| game.goes_on_in(&self.pick.pack, phrases)).flatten()));
            }
            Some(game) => {
                talk(&open::described(&game.log, &game.path, phrases));
                let wanted = read_line(phrases, phrases.go_on)?.unwrap_or_default();
                if phrases.is_delete(&wanted) {
                    open::throw_away(&game.path, phrases);
                } else if !phrases.is_no(&wanted) {
                    match opening.log(&game.path, &game.log) {
                        Ok(opened) => return Ok((opened, game.goes_on_in(&self.pick.pack, phrases))),
                        // It stays where it is; a new game begins.
                        Err(Stop::Wrong(message)) => talk_lines(&message),
                        Err(stop) => return Err(stop),
                    }
                }
            }
            None if self.resume => {
                return Err(Stop::Call(format!("no game of `{}` was broken off", self.pick.pack)));
            }
            None => {}
        }
        let game_box = self.pick.load(library)?;
        let seed = self.seed.unwrap_or_else(any_seed);
        match Session::start(&game_box, seed) {
            Ok(session) => Ok((Opened { game_box, session, bots: None }, new_file())),
            Err(fault) => Err(self.not_set_up(game_box.rules(), seed, &fault, phrases)),
        }
    }

    /// Tells of a game that cannot be set up. Nobody plays it, so that everybody may know its seed.
    fn not_set_up(&self, rules: &Ruleset, seed: u64, fault: &Fault, phrases: &Phrases) -> Stop {
        talk(&fill(phrases.seed, &[("n", &seed.to_string())]));
        let told = match self.format {
            Format::Human => Ok(()),
            Format::Json => emit_json(&played(rules, &[], None, None, Some(&fault.to_string()))),
        };
        told.err().unwrap_or_else(|| Stop::quoting(fault))
    }

    fn by_bots(&self, session: &mut Session, words: &Words<'_>, seats: &Seats, kept: &mut [Kept]) -> Result<(), Stop> {
        let mut log = Vec::new();
        // A seat that a person might have taken is played by a bot, too.
        let seats = seats.iter().map(|kind| kind.or(Some(QUICK))).collect();
        let mut bots = Players::new(&seats, bot_seed(session));
        while session.decision().is_some() {
            if session.depth() >= self.max_answers {
                let phrases = Phrases::of(words.spoken());
                let answers = phrases.count(&phrases.answers, session.depth());
                let told = fill(phrases.endless, &[("answers", &answers)]);
                self.report(session, words, &log, Some(&told))?;
                return Err(Stop::told(phrases, &told));
            }
            let thought = bots.choose(session.game(), session.game_box(), all_threads()).map_err(AnswerError::from);
            if self.think && self.format == Format::Human {
                thought
                    .iter()
                    .flatten()
                    .flat_map(|thought| thought_of(session, words, Viewer::All, thought))
                    .try_for_each(|line| emit(&line))?;
            }
            let answered = thought.and_then(|thought| {
                let answer = thought.map_or(Answer(0), |thought| thought.answer);
                session.answer(answer)
            });
            let events = match answered {
                Ok(events) => events,
                Err(fault) => {
                    self.report(session, words, &log, Some(&fault.to_string()))?;
                    return Err(Stop::quoting(fault));
                }
            };
            kept.iter_mut().for_each(|log| log.note(session));
            let told = lines(session, words, Viewer::All, &events);
            match self.format {
                Format::Human => told.iter().try_for_each(|line| emit(line))?,
                Format::Json => log.extend(told),
            }
        }
        if self.format == Format::Human {
            return scores(session, words);
        }
        self.report(session, words, &log, None)
    }

    /// The report for programs: the whole game, or as far as it came.
    fn report(
        &self,
        session: &Session,
        words: &Words<'_>,
        log: &[String],
        stopped_by: Option<&str>,
    ) -> Result<(), Stop> {
        if self.format == Format::Human {
            return Ok(());
        }
        let game = session.game();
        let host = session.host().map_err(Stop::quoting)?;
        let view = View::new(game, &*host, Viewer::All, words);
        emit_json(&played(game.rules(), log, view.outcome.as_ref(), Some(game.hash_text()), stopped_by))
    }
}

/// The seed of the bots of a game.
pub fn bot_seed(session: &Session) -> u64 {
    match session.began() {
        Start::Seed(seed) => *seed,
        Start::Save(_) => session.game().hash() as u64,
    }
}

/// What a bot thinks of the answers that it has, as far as the viewer may know them.
pub fn thought_of(session: &Session, words: &Words<'_>, viewer: Viewer, thought: &Thought) -> Vec<String> {
    let phrases = Phrases::of(words.spoken());
    let Some(decision) = session.decision().filter(|_| !thought.judged.is_empty()) else { return Vec::new() };
    let mut lines = vec![fill(phrases.thinks, &[("what", &words.seat(decision.seat))])];
    lines.extend(advice(session, words, viewer, thought));
    lines
}

/// Whether the terminal can only print lines.
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_none_or(|term| term == "dumb" || term.is_empty())
}

/// The bots of the seats; nothing for a person.
fn seats_of_bots(bots: Option<&str>, players: u8, usual: BotKind) -> Result<Seats, Stop> {
    match bots {
        None => Ok((0..players).map(|seat| (seat > 0).then_some(usual)).collect()),
        Some(list) => seats(list, players, usual)
            .map_err(|error| Stop::Call(one_line(&format!("`--bots {list}`: {error}")).into_owned())),
    }
}

/// A game as programs read it: what was told, and how it ended or what stopped it. A game that could not be set up has no
/// hash.
fn played(
    rules: &Ruleset,
    log: &[String],
    outcome: Option<&OutcomeView>,
    hash: Option<String>,
    stopped_by: Option<&str>,
) -> serde_json::Value {
    let mut report = serde_json::json!({
        "version": REPORT_VERSION,
        "pack": rules.pack,
        "modes": rules.modes,
        "players": rules.players,
        "log": log,
        "outcome": outcome,
        "hash": hash,
    });
    if let (Some(fault), Some(report)) = (stopped_by, report.as_object_mut()) {
        report.insert("fault".to_string(), one_line(fault).into());
    }
    report
}

/// A seed that nobody can guess, for instance from the time: it comes from the random keys that the system gives to
/// hash tables.
pub fn any_seed() -> u64 {
    RandomState::new().hash_one(0)
}

pub fn lines(session: &Session, words: &Words<'_>, viewer: Viewer, events: &[LogEntry]) -> Vec<String> {
    let sight = Sight::new(session.game().rules(), session.game().state(), viewer);
    events.iter().filter_map(|event| words.event(event, &sight)).collect()
}

/// Refuses a path whose folder does not exist.
fn writable(path: &std::path::Path) -> Result<(), Stop> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) if !folder.is_dir() => {
            Err(Stop::Call(format!("`{}` cannot be written: there is no folder `{}`", shown(path), shown(folder))))
        }
        _ => Ok(()),
    }
}

pub fn scores(session: &Session, words: &Words<'_>) -> Result<(), Stop> {
    let Some(outcome) = session.outcome() else { return Ok(()) };
    emit("")?;
    words.outcome(outcome).iter().try_for_each(|line| emit(line))
}
