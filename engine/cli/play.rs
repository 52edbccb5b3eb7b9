//! `rulepack play`: a game for people, bots or both.

use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::Args;
use rulepack_kernel::{Event, Save, Sight, View, Viewer, Words};
use rulepack_model::Seat;
use rulepack_pack::LinkRequest;
use rulepack_tools::{GameBox, Library, REPORT_VERSION, RandomBot, Session};

use crate::pick::{Pick, environment_language, known_pack, load};
use crate::seat_talk::{Said, SeatTalk};
use crate::stop::{Format, Stop, emit, emit_json, read_named, talk, write_named};

/// After so many faults a game is given up.
const MOST_FAULTS: u32 = 20;

/// Plays a game: in a terminal you choose by number, otherwise bots play it out
#[derive(Debug, Args)]
#[command(
    after_help = "Examples: rulepack play my-game --players 2 --seed 7\n          rulepack play my-game --bots none --locale fr\n          rulepack play my-game --load saved.json"
)]
pub struct Play {
    #[command(flatten)]
    pick: Pick,
    /// The seed of chance; another one each time if not given
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// The language, such as `fr`; that of the environment if not given
    #[arg(long, value_name = "LANGUAGE")]
    locale: Option<String>,
    /// Which seats bots take: `all`, `none`, or numbers such as `2,3`; all but the first if not given
    #[arg(long, value_name = "all|none|SEATS")]
    bots: Option<String>,
    /// Go on with a saved game
    #[arg(long, value_name = "FILE", conflicts_with = "seed")]
    load: Option<PathBuf>,
    /// Write a log that `rulepack replay` can play again
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// How the game is told; `json` lets bots play it out
    #[arg(long, value_enum, default_value = "human")]
    format: Format,
}

impl Play {
    /// Runs it.
    pub fn run(&self, library: &Library) -> Result<(), Stop> {
        let (game_box, mut session) = self.session(library)?;
        let language = self.locale.clone().unwrap_or_else(environment_language);
        let words = Words::new(game_box.rules(), &language);
        let bots = self.bots(game_box.rules().players)?;
        if let Some(path) = &self.log {
            // Better now than after the game.
            writable(path)?;
        }
        let by_people = std::io::stdin().is_terminal() && bots.iter().any(|bot| !bot) && self.format == Format::Human;
        let result =
            if by_people { self.with_people(&mut session, &words, &bots) } else { self.by_bots(&mut session, &words) };
        if let Some(path) = &self.log {
            write_named(path, &session.log().to_json())?;
        }
        result
    }

    fn session(&self, library: &Library) -> Result<(GameBox, Session), Stop> {
        let Some(path) = &self.load else {
            let game_box = self.pick.load(library)?;
            let seed = self.seed.unwrap_or_else(seed_of_now);
            talk(&format!("seed {seed}"));
            let session = Session::start(&game_box, seed).map_err(|fault| Stop::Wrong(fault.to_string()))?;
            return Ok((game_box, session));
        };
        let text = read_named(path)?;
        let wrong = |error: rulepack_kernel::SaveError| Stop::Wrong(format!("{}: {error}", path.display()));
        let save = Save::from_json(&text).map_err(wrong)?;
        let asked = self.pick.request();
        // What the call leaves open stands in the file.
        let request = LinkRequest {
            with: if asked.with.is_empty() { others(&save) } else { asked.with },
            modes: if asked.modes.is_empty() { save.modes.clone() } else { asked.modes },
            players: asked.players.or(Some(save.players)),
            pack: asked.pack,
        };
        if save.pack != request.pack {
            return Err(Stop::Wrong(format!("{}: it is a game of `{}`", path.display(), save.pack)));
        }
        known_pack(library, &request.pack)?;
        // What the file says is the file's mistake, not the caller's.
        let game_box = load(library, &request).map_err(|stop| stop.of_file(path))?;
        let session = Session::load(&game_box, &text).map_err(wrong)?;
        Ok((game_box, session))
    }

    /// Which seats bots take.
    fn bots(&self, players: u8) -> Result<Vec<bool>, Stop> {
        let seats = usize::from(players);
        match self.bots.as_deref() {
            None => Ok((0..seats).map(|seat| seat > 0).collect()),
            Some("all") => Ok(vec![true; seats]),
            Some("none") => Ok(vec![false; seats]),
            Some(list) => {
                let mut bots = vec![false; seats];
                for word in list.split(',') {
                    let number = word.trim().trim_start_matches("player_").parse::<usize>().ok();
                    let seat = number.and_then(|number| number.checked_sub(1)).filter(|seat| *seat < seats);
                    let Some(seat) = seat else {
                        let message = format!("`--bots {list}`: write `all`, `none`, or seats from 1 to {seats}");
                        return Err(Stop::Call(message));
                    };
                    bots[seat] = true;
                }
                Ok(bots)
            }
        }
    }

    fn by_bots(&self, session: &mut Session, words: &Words<'_>) -> Result<(), Stop> {
        const MOST: usize = 200_000;
        let mut log = Vec::new();
        let mut bot = RandomBot::new(self.bot_seed(session));
        while let Some(decision) = session.decision() {
            if session.depth() >= MOST {
                return Err(Stop::Wrong(format!("the game did not end after {MOST} answers")));
            }
            let answer = bot.choose(words_rules(session), decision);
            let events = session.answer(answer).map_err(|error| Stop::Wrong(error.to_string()))?;
            let told = lines(session, words, Viewer::All, &events);
            match self.format {
                Format::Human => told.iter().try_for_each(|line| emit(line))?,
                Format::Json => log.extend(told),
            }
        }
        if self.format == Format::Human {
            return scores(session, words);
        }
        let rules = session.game().rules();
        let view = View::new(session.game(), session.host(), Viewer::All, words);
        emit_json(&serde_json::json!({
            "version": REPORT_VERSION,
            "pack": rules.pack,
            "modes": rules.modes,
            "players": rules.players,
            "log": log,
            "outcome": view.outcome,
            "hash": session.game().hash_text(),
        }))
    }

    fn with_people(&self, session: &mut Session, words: &Words<'_>, bots: &[bool]) -> Result<(), Stop> {
        let mut bot = RandomBot::new(self.bot_seed(session));
        let people: Vec<Seat> = session.game().rules().seats().filter(|seat| !bots[seat.index()]).collect();
        let viewer = match people.as_slice() {
            [only] => Viewer::Seat(*only),
            _ => Viewer::Public,
        };
        let mut seat_talk = SeatTalk::new(words, people.clone());
        let mut faults = 0;
        while let Some(decision) = session.decision() {
            let is_bot = bots[decision.seat.index()];
            let answer = if is_bot {
                bot.choose(words_rules(session), decision)
            } else {
                match seat_talk.ask(session)? {
                    Said::Answer(answer) => answer,
                    Said::Again => continue,
                    Said::Quit => return Ok(()),
                }
            };
            match session.answer(answer) {
                Ok(events) => tell(session, words, viewer, &events)?,
                Err(error) => {
                    faults += 1;
                    if faults > MOST_FAULTS {
                        return Err(Stop::Wrong(error.to_string()));
                    }
                    talk(&format!("the pack failed: {error}"));
                    if is_bot || seat_talk.wants_undo_after_fault()? {
                        let back = session.steps_back_to_action().unwrap_or(0);
                        session.undo(back);
                    }
                }
            }
        }
        scores(session, words)
    }

    fn bot_seed(&self, session: &Session) -> u64 {
        match session.log().start {
            rulepack_tools::Start::Seed(seed) => seed,
            rulepack_tools::Start::Save(_) => session.game().hash() as u64,
        }
    }
}

fn words_rules(session: &Session) -> &rulepack_kernel::Ruleset {
    session.game().rules()
}

fn others(save: &Save) -> Vec<String> {
    save.packs.iter().map(|pack| pack.id.clone()).filter(|id| *id != save.pack).collect()
}

fn seed_of_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |since| since.as_micros() as u64)
}

fn lines(session: &Session, words: &Words<'_>, viewer: Viewer, events: &[Event]) -> Vec<String> {
    let sight = Sight::new(session.game().rules(), session.game().state(), viewer);
    events.iter().filter_map(|event| words.event(event, &sight)).collect()
}

fn tell(session: &Session, words: &Words<'_>, viewer: Viewer, events: &[Event]) -> Result<(), Stop> {
    lines(session, words, viewer, events).iter().try_for_each(|line| emit(line))
}

/// Refuses a path whose folder is not there.
fn writable(path: &std::path::Path) -> Result<(), Stop> {
    match path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        Some(folder) if !folder.is_dir() => Err(Stop::Call(format!(
            "`{}` cannot be written: there is no folder `{}`",
            path.display(),
            folder.display()
        ))),
        _ => Ok(()),
    }
}

fn scores(session: &Session, words: &Words<'_>) -> Result<(), Stop> {
    let Some(outcome) = session.outcome() else { return Ok(()) };
    emit("")?;
    words.outcome(outcome).iter().try_for_each(|line| emit(line))
}
