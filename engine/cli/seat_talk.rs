//! The dialogue with people at a terminal: the table, the question, the numbered options, and the commands.

use std::io::{self, BufRead, IsTerminal};
use std::path::Path;

use rulepack_kernel::{Answer, AnswerError, Decision, FaultTold, Sight, View, Viewer, Words, fill, tell_why};
use rulepack_model::{Seat, all_threads};
use rulepack_pack::ReadError;
use rulepack_tools::{FileKind, Safety, Session, Situation, replace};

use crate::advice::advice;
use crate::phrases::{Command, Phrases};
use crate::picture::picture;
use crate::play::GOOD;
use crate::stop::{Stop, emit, emit_lines, prompt, shown, talk};
use crate::write::{Foreign, may_write};

/// No terminal shows more lines.
const LINES_OF_A_SCREEN: usize = 100;

/// What a person typed.
pub enum Said {
    /// An answer.
    Answer(Answer),
    /// A command that led back to a question.
    Again,
    /// The person wants to stop.
    Quit,
    /// The input has ended.
    Ended,
}

/// The people at the table.
pub struct SeatTalk<'w> {
    words: &'w Words<'w>,
    phrases: &'static Phrases,
    people: Vec<Seat>,
    foreign: Foreign,
}

impl<'w> SeatTalk<'w> {
    /// For these people.
    pub fn new(words: &'w Words<'w>, people: Vec<Seat>, foreign: Foreign) -> Self {
        SeatTalk { words, phrases: Phrases::of(words.spoken()), people, foreign }
    }

    /// Shows the table and asks until there is an answer.
    pub fn ask(&mut self, session: &mut Session) -> Result<Said, Stop> {
        let Some(decision) = session.decision().cloned() else { return Ok(Said::Again) };
        if session.is_together() && self.people.len() > 1 {
            self.hide_what_was_chosen()?;
        }
        self.show(session, &decision)?;
        loop {
            let Some(line) = read_line(self.phrases, "> ")? else { return Ok(Said::Ended) };
            let (word, rest) = line.split_once(' ').map_or((line.as_str(), ""), |(word, rest)| (word, rest.trim()));
            match self.phrases.command(word) {
                None if word.is_empty() => {}
                None => match answer(word, &decision) {
                    Some(answer) => return Ok(Said::Answer(answer)),
                    None => self.tell_numbers(&decision),
                },
                Some(Command::Help) => self.phrases.help().iter().try_for_each(|line| emit(line))?,
                Some(Command::Quit) => return Ok(Said::Quit),
                Some(Command::Table) => self.show(session, &decision)?,
                Some(Command::Why) => {
                    let host = session.host().map_err(Stop::quoting)?;
                    let told = tell_why(session.game(), &*host, self.words, decision.seat, rest);
                    emit(&told)?;
                }
                Some(Command::Hint) => self.hint(session, decision.seat)?,
                Some(Command::Save) if rest.is_empty() => talk(self.phrases.name_a_file),
                Some(Command::Save) => self.save(session, Path::new(rest))?,
                Some(Command::Undo) => {
                    if self.undo(session, decision.seat)? {
                        return Ok(Said::Again);
                    }
                }
            }
        }
    }

    /// What a bot would answer, and what it thinks of the other answers.
    fn hint(&self, session: &Session, seat: Seat) -> Result<(), Stop> {
        let mut bot = GOOD.bot(session.depth() as u64);
        let situation = Situation::of(session.game(), session.game_box(), all_threads());
        let thought = situation.map(|situation| bot.choose(&situation)).transpose();
        let viewer = Viewer::Seat(seat);
        match thought {
            Ok(Some(thought)) if !thought.judged.is_empty() => {
                advice(session, self.words, viewer, &thought).iter().try_for_each(|line| emit(line))
            }
            Ok(_) => {
                talk(self.phrases.no_hint);
                Ok(())
            }
            Err(fault) => {
                let (told, _) = of_failure(self.phrases, session, viewer, &fault.into());
                talk(&fill(self.phrases.pack_failed, &[("why", &told)]));
                Ok(())
            }
        }
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
        let why = match may {
            Ok(false) if !self.overwrites(&file)? => {
                talk(&fill(phrases.stays, &[("file", &file)]));
                return Ok(());
            }
            Ok(_) => match replace(path, &session.save(), Safety::Synced) {
                Ok(_) => {
                    talk(&fill(phrases.saved, &[("file", &file)]));
                    return Ok(());
                }
                Err(error) => phrases.unwritten(&file, &error),
            },
            Err(ReadError::System(error)) => phrases.unwritten(&file, &error),
            Err(ReadError::NotAFile) => fill(phrases.unwritten, &[("file", &file), ("why", phrases.not_a_file)]),
            Err(error) => fill(phrases.unwritten, &[("file", &file), ("why", &error.to_string())]),
        };
        talk(&fill(phrases.not_saved, &[("why", &why)]));
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

    fn show(&self, session: &Session, decision: &Decision) -> Result<(), Stop> {
        let host = session.host().map_err(Stop::quoting)?;
        let view = View::new(session.game(), &*host, Viewer::Seat(decision.seat), self.words);
        emit("")?;
        emit_lines(&picture(&view, self.words))?;
        emit("")?;
        emit(&self.words.headed(&self.words.seat(decision.seat), &self.words.question(decision)))?;
        let options = self.words.options(session.game().state(), decision);
        let eval = session.game().eval(&*host);
        for (index, (text, option)) in options.iter().zip(&decision.options).enumerate() {
            emit(&format!("{:>3}  {text}{}", index + 1, self.words.remark(&eval, decision, *option)))?;
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
            let viewer = match self.people.as_slice() {
                [only] => Viewer::Seat(*only),
                _ => Viewer::Public,
            };
            let (told, _) = of_failure(self.phrases, session, viewer, &fault.into());
            talk(&fill(self.phrases.pack_failed, &[("why", &told)]));
            return Ok(false);
        }
        Ok(true)
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
    prompt(question);
    let mut line = String::new();
    match io::stdin().lock().read_line(&mut line) {
        Ok(0) => Ok(None),
        Ok(_) => Ok(Some(line.trim().to_string())),
        Err(error) => Err(Stop::told(phrases, &fill(phrases.unreadable, &[("why", &error.to_string())]))),
    }
}
