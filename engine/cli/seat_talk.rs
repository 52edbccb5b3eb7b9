//! Asks people at a terminal: the table, the question, the numbered options, and what else they can say.

use std::io::{self, BufRead, IsTerminal};
use std::path::Path;

use rulepack_kernel::{Answer, Decision, View, Viewer, Words};
use rulepack_model::Seat;
use rulepack_tools::{FileKind, Safety, Session, replace, tell_why};

use crate::picture::picture;
use crate::stop::{Stop, emit, emit_lines, prompt, talk};
use crate::write::{Foreign, may_write, unwritten};

/// What somebody said.
pub enum Said {
    /// An answer.
    Answer(Answer),
    /// Something that led back to a question.
    Again,
    /// Enough.
    Quit,
    /// Nothing more will be said.
    Ended,
}

/// The people at the table.
pub struct SeatTalk<'w> {
    words: &'w Words<'w>,
    people: Vec<Seat>,
    foreign: Foreign,
}

const HELP: &str = "a number  choose that option
u         undo the last answer
t         show the table again
why WORDS why something is not offered, such as `why build inn`
s FILE    save the game
q         quit
?         this help";

impl<'w> SeatTalk<'w> {
    /// For these people.
    pub fn new(words: &'w Words<'w>, people: Vec<Seat>, foreign: Foreign) -> Self {
        SeatTalk { words, people, foreign }
    }

    /// Shows the table and asks until there is an answer.
    pub fn ask(&mut self, session: &mut Session) -> Result<Said, Stop> {
        let Some(decision) = session.decision().cloned() else { return Ok(Said::Again) };
        self.show(session, &decision)?;
        loop {
            let Some(line) = read_line("> ")? else { return Ok(Said::Ended) };
            let (word, rest) = line.split_once(' ').map_or((line.as_str(), ""), |(word, rest)| (word, rest.trim()));
            match word {
                "" => {}
                "?" | "h" | "help" => emit_lines(HELP)?,
                "q" | "quit" => return Ok(Said::Quit),
                "t" => self.show(session, &decision)?,
                "why" => {
                    let told = tell_why(session.game(), session.host(), self.words, decision.seat, rest);
                    emit(&told)?;
                }
                "s" | "save" if rest.is_empty() => talk("write `s FILE`"),
                "s" | "save" => self.save(session, Path::new(rest))?,
                "u" | "undo" => {
                    if self.undo(session)? {
                        return Ok(Said::Again);
                    }
                }
                number => match number.parse::<usize>().ok().and_then(|number| number.checked_sub(1)) {
                    Some(index) if index < decision.options.len() => return Ok(Said::Answer(Answer(index as u16))),
                    _ => talk(&format!("write a number from 1 to {}, or `?` for help", decision.options.len())),
                },
            }
        }
    }

    /// Saves the game. What stands in the way is told, and the game goes on; only without a terminal, where nobody would read
    /// it, a file of somebody else ends the run.
    fn save(&self, session: &Session, path: &Path) -> Result<(), Stop> {
        match may_write(path, FileKind::Save, self.foreign) {
            Ok(()) => match replace(path, &session.save(), Safety::Synced) {
                Ok(_) => talk(&format!("saved to `{}`", path.display())),
                Err(error) => talk(&format!("the game is not saved: {}", unwritten(path, &error))),
            },
            Err(Stop::Call(message)) if io::stdin().is_terminal() => talk(&format!("the game is not saved: {message}")),
            Err(stop) => return Err(stop),
        }
        Ok(())
    }

    /// After a fault of the pack: whether to go back to the start of the action.
    pub fn wants_undo_after_fault(&self) -> Result<bool, Stop> {
        confirm("undo to the start of the action? [Y/n] ", true)
    }

    fn show(&self, session: &Session, decision: &Decision) -> Result<(), Stop> {
        let view = View::new(session.game(), session.host(), Viewer::Seat(decision.seat), self.words);
        emit("")?;
        emit_lines(&picture(&view, self.words))?;
        emit("")?;
        emit(&format!("{}: {}", self.words.seat(decision.seat), self.words.question(decision)))?;
        let options = self.words.options(session.game().state(), decision);
        let eval = session.game().eval(session.host());
        for (index, (text, option)) in options.iter().zip(&decision.options).enumerate() {
            emit(&format!("{:>3}  {text}{}", index + 1, self.words.remark(&eval, decision, *option)))?;
        }
        Ok(())
    }

    /// Goes back to the last question that a person was asked.
    fn undo(&self, session: &mut Session) -> Result<bool, Stop> {
        let Some(back) = session.steps_back_to(|asked| self.people.contains(&asked.seat)) else {
            talk("there is nothing to undo");
            return Ok(false);
        };
        if self.people.len() > 1 && session.undo_reveals(back) {
            let question = "this takes back a roll or something that was uncovered; do all agree? [y/N] ";
            if !confirm(question, false)? {
                return Ok(false);
            }
        }
        if let Err(fault) = session.undo(back) {
            talk(&fault.to_string());
            return Ok(false);
        }
        Ok(true)
    }
}

/// Whether somebody says yes.
pub fn confirm(question: &str, default: bool) -> Result<bool, Stop> {
    let Some(line) = read_line(question)? else { return Ok(default) };
    Ok(match line.as_str() {
        "" => default,
        line => line.starts_with(['y', 'Y', 'j', 'J', 'o', 'O']),
    })
}

/// The first letter of what somebody says, small; `default` if nothing is said.
pub fn choose(question: &str, default: char) -> Result<char, Stop> {
    let line = read_line(question)?.unwrap_or_default();
    Ok(line.chars().next().map_or(default, |letter| letter.to_ascii_lowercase()))
}

/// A line without the spaces around it; nothing at the end of the input.
fn read_line(question: &str) -> Result<Option<String>, Stop> {
    prompt(question);
    let mut line = String::new();
    match io::stdin().lock().read_line(&mut line) {
        Ok(0) => Ok(None),
        Ok(_) => Ok(Some(line.trim().to_string())),
        Err(error) => Err(Stop::Wrong(format!("the terminal cannot be read: {error}"))),
    }
}
