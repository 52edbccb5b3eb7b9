//! The dialogue with people line by line: the table, the question, the numbered options, and the commands.

use std::collections::BTreeMap;
use std::io::{self, BufRead, IsTerminal};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use rulepack_kernel::{Answer, AnswerError, Decision, FaultTold, Sight, View, Viewer, Words, fill, seat_key, tell_why};
use rulepack_model::{Seat, all_threads};
use rulepack_pack::ReadError;
use rulepack_tools::{FileKind, Library, Safety, Session, Situation, replace};

use crate::advice::advice;
use crate::phrases::{Command, Phrases};
use crate::picture::COLUMNS;
use crate::play::GOOD;
use crate::scenario_file;
use crate::screen::{Board, Line, Look};
use crate::stop::{Stop, emit, prompt, shown, talk};
use crate::watch::Watch;
use crate::write::{Foreign, may_write};

/// How often a change of a file is looked for while somebody types.
const LOOK: Duration = Duration::from_millis(40);

/// No terminal shows more lines.
const LINES_OF_A_SCREEN: usize = 100;

/// What a person typed.
pub enum Said {
    /// An answer.
    Answer(Answer),
    /// A command that led back to a question.
    Again,
    /// A file of the packs has changed.
    Changed,
    /// The person wants to stop.
    Quit,
    /// The input has ended.
    Ended,
}

/// The people at the table.
pub struct SeatTalk<'l> {
    library: &'l Library,
    phrases: &'static Phrases,
    people: Vec<Seat>,
    foreign: Foreign,
    watch: Option<Watch>,
    /// The lines of the table at the last question to each player.
    shown: BTreeMap<Seat, Vec<String>>,
}

impl<'l> SeatTalk<'l> {
    /// For these people.
    pub fn new(
        library: &'l Library,
        phrases: &'static Phrases,
        people: Vec<Seat>,
        foreign: Foreign,
        watch: Option<Watch>,
    ) -> Self {
        SeatTalk { library, phrases, people, foreign, watch, shown: BTreeMap::new() }
    }

    /// Shows what has changed on the table, and asks until there is an answer.
    pub fn ask(&mut self, session: &mut Session, words: &Words<'_>) -> Result<Said, Stop> {
        let Some(decision) = session.decision().cloned() else { return Ok(Said::Again) };
        if session.is_together() && self.people.len() > 1 {
            self.hide_what_was_chosen()?;
        }
        self.show(session, words, &decision, false)?;
        loop {
            let line = match line_or_change(self.phrases, "> ", self.watch.as_ref())? {
                Typed::Line(line) => line,
                Typed::Changed => return Ok(Said::Changed),
                Typed::Ended => return Ok(Said::Ended),
            };
            let (word, rest) = line.split_once(' ').map_or((line.as_str(), ""), |(word, rest)| (word, rest.trim()));
            match self.phrases.command(word) {
                None if word.is_empty() => {}
                None => match answer(word, &decision) {
                    Some(answer) => return Ok(Said::Answer(answer)),
                    None => self.tell_numbers(&decision),
                },
                Some(Command::Help) => self.phrases.help().iter().try_for_each(|line| emit(line))?,
                Some(Command::Quit) => return Ok(Said::Quit),
                Some(Command::Table) => self.show(session, words, &decision, true)?,
                Some(Command::Why) => {
                    let host = session.host().map_err(Stop::quoting)?;
                    let told = tell_why(session.game(), &*host, words, decision.seat, rest);
                    emit_wrapped(&told, 0)?;
                }
                Some(Command::Hint) => match hint(session, words, self.phrases, decision.seat) {
                    Ok(lines) => lines.iter().try_for_each(|line| emit(line))?,
                    Err(told) => talk(&told),
                },
                Some(Command::Save | Command::Scenario) if rest.is_empty() => talk(self.phrases.name_a_file),
                Some(Command::Save) => self.save(session, Path::new(rest))?,
                Some(Command::Scenario) => self.scenario(session, Path::new(rest))?,
                Some(Command::Undo) => {
                    if self.undo(session, decision.seat)? {
                        return Ok(Said::Again);
                    }
                }
            }
        }
    }

    /// Writes the position as a scenario.
    fn scenario(&self, session: &Session, path: &Path) -> Result<(), Stop> {
        let may = self.foreign != Foreign::Ask || FileKind::Scenario.may_replace(path).unwrap_or(false);
        if !may && !self.overwrites(&shown(path))? {
            talk(&fill(self.phrases.stays, &[("file", &shown(path))]));
            return Ok(());
        }
        match scenario_file::write(self.library, session, path) {
            Ok(()) => talk(&fill(self.phrases.saved, &[("file", &shown(path))])),
            Err(why) => talk(&fill(self.phrases.not_saved, &[("why", &why)])),
        }
        Ok(())
    }

    /// Several people at one terminal choose at the same time: what the one before has typed leaves the screen.
    fn hide_what_was_chosen(&self) -> Result<(), Stop> {
        if io::stdout().is_terminal() {
            (0..LINES_OF_A_SCREEN).try_for_each(|_| emit(""))?;
        }
        emit(self.phrases.in_secret)
    }

    fn tell_numbers(&self, decision: &Decision) {
        match decision.options.len() {
            1 => talk(self.phrases.only_one),
            most => talk(&fill(self.phrases.number, &[("n", &most.to_string())])),
        }
    }

    /// Saves the game. If that fails, the reason is printed, and the game goes on. Only without a terminal, where
    /// nobody would read it, a file of another program ends the run.
    fn save(&self, session: &Session, path: &Path) -> Result<(), Stop> {
        if !io::stdin().is_terminal() {
            may_write(path, FileKind::Save, self.foreign)?;
        }
        let (phrases, file) = (self.phrases, shown(path));
        let may = if self.foreign == Foreign::Ask { FileKind::Save.may_replace(path) } else { Ok(true) };
        if matches!(may, Ok(false)) && !self.overwrites(&file)? {
            talk(&fill(phrases.stays, &[("file", &file)]));
            return Ok(());
        }
        match save(session, path, phrases, may.map(drop)) {
            Ok(()) => talk(&fill(phrases.saved, &[("file", &file)])),
            Err(why) => talk(&fill(phrases.not_saved, &[("why", &why)])),
        }
        Ok(())
    }

    /// Asks whether to overwrite a file of another program.
    fn overwrites(&self, file: &str) -> Result<bool, Stop> {
        let foreign = fill(self.phrases.foreign, &[("file", file)]);
        confirm(self.phrases, &fill(self.phrases.overwrite, &[("what", &foreign)]), false)
    }

    /// After a fault of the pack: asks whether to go back to the start of the action.
    pub fn wants_undo_after_fault(&self) -> Result<bool, Stop> {
        confirm(self.phrases, self.phrases.undo_action, true)
    }

    /// Shows the table and the question. If the player has seen the table before, only lines that have changed are shown, unless
    /// `whole` is set.
    fn show(&mut self, session: &Session, words: &Words<'_>, decision: &Decision, whole: bool) -> Result<(), Stop> {
        let host = session.host().map_err(Stop::quoting)?;
        let rules = session.game().rules();
        let view = View::new(session.game(), &*host, Viewer::Seat(decision.seat), words);
        let own = seat_key(decision.seat);
        let board =
            Board { view: &view, words, rules, own: Some(&own), before: None, all: false, search: "", width: COLUMNS };
        let lines: Vec<String> = board.lines().iter().map(Line::plain).collect();
        emit("")?;
        let known = self.shown.get(&decision.seat).filter(|_| !whole);
        for line in changed(&lines, known) {
            emit(line)?;
        }
        self.shown.insert(decision.seat, lines);
        emit("")?;
        emit_wrapped(&words.headed(&words.seat(decision.seat), &words.question(decision)), 2)?;
        let options = words.options(session.game().state(), decision);
        let eval = session.game().eval(&*host);
        for (index, (text, option)) in options.iter().zip(&decision.options).enumerate() {
            emit_wrapped(&format!("{:>3}  {text}{}", index + 1, words.remark(&eval, decision, *option)), 5)?;
        }
        Ok(())
    }

    /// Goes back to the last question to a person. Who chooses at the same time as others goes back to the last question of
    /// these that was the person's own.
    fn undo(&self, session: &mut Session, seat: Seat) -> Result<bool, Stop> {
        if session.take_back(seat).map_err(Stop::quoting)? {
            return Ok(true);
        }
        let Some(back) = session.steps_back_to(|asked| self.people.contains(&asked.seat)) else {
            talk(self.phrases.nothing_to_undo);
            return Ok(false);
        };
        let reveals = self.people.len() > 1 && session.undo_reveals(back);
        if reveals && !confirm(self.phrases, self.phrases.undo_reveals, false)? {
            return Ok(false);
        }
        if let Err(fault) = session.undo(back) {
            let viewer = viewer_of(&self.people);
            let (told, _) = of_failure(self.phrases, session, viewer, &fault.into());
            talk(&fill(self.phrases.pack_failed, &[("why", &told)]));
            return Ok(false);
        }
        Ok(true)
    }
}

/// The first line of a table, and those that were not there the last time.
fn changed<'n>(lines: &'n [String], known: Option<&Vec<String>>) -> Vec<&'n String> {
    let Some(known) = known else { return lines.iter().collect() };
    let is_new = |line: &&String| !known.contains(*line);
    lines.iter().take(1).chain(lines.iter().skip(1).filter(is_new)).collect()
}

/// Prints a text in lines of 80 columns.
fn emit_wrapped(text: &str, indent: usize) -> Result<(), Stop> {
    Line::of(text, Look::Plain).wrapped(COLUMNS, indent).iter().try_for_each(|line| emit(&line.plain()))
}

/// What people at one terminal may be told: all that the only one of them may know, or what everybody may know.
pub fn viewer_of(people: &[Seat]) -> Viewer {
    match people {
        [only] => Viewer::Seat(*only),
        _ => Viewer::Public,
    }
}

/// What a bot would answer, and what it thinks of the other answers; or why there is nothing to tell.
pub fn hint(session: &Session, words: &Words<'_>, phrases: &Phrases, seat: Seat) -> Result<Vec<String>, String> {
    let mut bot = GOOD.bot(session.depth() as u64);
    let situation = Situation::of(session.game(), session.game_box(), all_threads());
    let viewer = Viewer::Seat(seat);
    match situation.map(|situation| bot.choose(&situation)).transpose() {
        Ok(Some(thought)) if !thought.judged.is_empty() => Ok(advice(session, words, viewer, &thought)),
        Ok(_) => Err(phrases.no_hint.to_string()),
        Err(fault) => {
            let (told, _) = of_failure(phrases, session, viewer, &fault.into());
            Err(fill(phrases.pack_failed, &[("why", &told)]))
        }
    }
}

/// Saves a game, or says why it cannot be saved.
pub fn save(
    session: &Session,
    path: &Path,
    phrases: &Phrases,
    may_replace: Result<(), ReadError>,
) -> Result<(), String> {
    let file = shown(path);
    match may_replace {
        Ok(()) => match replace(path, session.save(), Safety::Synced) {
            Ok(_) => Ok(()),
            Err(error) => Err(phrases.unwritten(&file, &error)),
        },
        Err(ReadError::System(error)) => Err(phrases.unwritten(&file, &error)),
        Err(ReadError::NotAFile) => Err(fill(phrases.unwritten, &[("file", &file), ("why", phrases.not_a_file)])),
        Err(error) => Err(fill(phrases.unwritten, &[("file", &file), ("why", &error.to_string())])),
    }
}

/// The part of a fault that is shown during the game, and whether that is all of it.
pub fn of_failure(phrases: &Phrases, session: &Session, viewer: Viewer, error: &AnswerError) -> (String, bool) {
    let AnswerError::Fault(fault) = error else { return (error.to_string(), true) };
    let sight = Sight::new(session.game().rules(), session.game().state(), viewer);
    match sight.told_of_fault(fault) {
        FaultTold::All(message) => (message, true),
        FaultTold::Place(place) => (fill(phrases.why_by_script, &[("place", &place)]), false),
        FaultTold::Nothing => (phrases.why_hidden.to_string(), false),
    }
}

/// The option that a number means.
fn answer(word: &str, decision: &Decision) -> Option<Answer> {
    let index = word.parse::<usize>().ok()?.checked_sub(1)?;
    (index < decision.options.len()).then_some(Answer(index as u16))
}

/// Asks a yes-or-no question.
pub fn confirm(phrases: &Phrases, question: &str, default: bool) -> Result<bool, Stop> {
    let line = read_line(phrases, question)?.unwrap_or_default();
    Ok(if line.is_empty() { default } else { phrases.is_yes(&line) })
}

/// A line without the spaces around it; `None` at the end of the input.
pub fn read_line(phrases: &Phrases, question: &str) -> Result<Option<String>, Stop> {
    match line_or_change(phrases, question, None)? {
        Typed::Line(line) => Ok(Some(line)),
        Typed::Ended | Typed::Changed => Ok(None),
    }
}

/// What came first: a line, or a change of a file.
enum Typed {
    Line(String),
    Changed,
    Ended,
}

/// A line that somebody is still typing, while a file has changed.
static AWAITED: Mutex<Option<Receiver<io::Result<Option<String>>>>> = Mutex::new(None);

/// Reads a line, unless a file changes before.
fn line_or_change(phrases: &Phrases, question: &str, watch: Option<&Watch>) -> Result<Typed, Stop> {
    prompt(question);
    let awaited = AWAITED.lock().unwrap_or_else(PoisonError::into_inner).take();
    let read = match (awaited, watch) {
        (None, None) => typed_line(),
        (awaited, watch) => {
            let line = awaited.unwrap_or_else(|| {
                let (send, line) = channel();
                std::thread::spawn(move || drop(send.send(typed_line())));
                line
            });
            loop {
                match line.recv_timeout(LOOK) {
                    Ok(read) => break read,
                    Err(RecvTimeoutError::Disconnected) => break Ok(None),
                    Err(RecvTimeoutError::Timeout) => {}
                }
                if watch.is_some_and(|watch| watch.changed(Duration::ZERO)) {
                    *AWAITED.lock().unwrap_or_else(PoisonError::into_inner) = Some(line);
                    return Ok(Typed::Changed);
                }
            }
        }
    };
    match read {
        Ok(Some(line)) => Ok(Typed::Line(line)),
        Ok(None) => Ok(Typed::Ended),
        Err(error) => Err(Stop::told(phrases, &fill(phrases.unreadable, &[("why", &error.to_string())]))),
    }
}

fn typed_line() -> io::Result<Option<String>> {
    let mut line = String::new();
    Ok(match io::stdin().lock().read_line(&mut line)? {
        0 => None,
        _ => Some(line.trim().to_string()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_was_shown_before_is_shown_where_it_has_changed() {
        let lines = |texts: &[&str]| texts.iter().map(|text| text.to_string()).collect::<Vec<_>>();
        let (before, now) = (lines(&["── #1", "a: 2 coin", "row: inn"]), lines(&["── #1", "a: 1 coin", "row: inn"]));
        assert_eq!(changed(&now, None), now.iter().collect::<Vec<_>>());
        assert_eq!(changed(&now, Some(&before)), ["── #1", "a: 1 coin"]);
    }
}
