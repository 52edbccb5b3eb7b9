//! A game of people at one terminal, alone or with bots: line by line (`seat_talk.rs`) or on a full screen (`screen/`).

use std::io::IsTerminal;

use rulepack_kernel::{AnswerError, Language, LogEntry, Words, fill};
use rulepack_model::{Seat, all_threads};
use rulepack_tools::{Carried, Carry, Library, Players, Seats, Session};

use crate::keep::Kept;
use crate::live::{self, Choice, Relinked};
use crate::phrases::Phrases;
use crate::play::{any_seed, bot_seed, lines, scores, thought_of};
use crate::screen::{Line, Look, ScreenTalk};
use crate::seat_talk::{Said, SeatTalk, of_failure, read_line, viewer_of};
use crate::stop::{Stop, emit, talk, talk_coloured, wants_color};
use crate::watch::Watch;
use crate::write::Foreign;

/// After this many faults a game is given up.
const MOST_FAULTS: u32 = 20;

/// The people, and how they play.
pub struct People<'p> {
    /// Where the packs are.
    pub library: &'p Library,
    /// The language of the call.
    pub language: &'p str,
    /// The bots of the seats; nothing for a person.
    pub seats: &'p Seats,
    /// The same, as they were named.
    pub bots: Option<&'p str>,
    /// Whether bots tell what they think.
    pub thinks: bool,
    /// What to do with files of other programs.
    pub foreign: Foreign,
    /// Whether they have a full screen.
    pub is_full: bool,
    /// Whether changed packs are read again.
    pub watches: bool,
}

/// Why a round ends.
enum Left {
    /// The game is over, or the people leave.
    Ended,
    /// A file of the packs has changed.
    Changed,
}

/// How people are asked.
enum Front<'l> {
    Plain(Box<SeatTalk<'l>>),
    Full(Box<ScreenTalk<'l>>),
}

impl Front<'_> {
    fn ask(&mut self, session: &mut Session, words: &Words<'_>) -> Result<Said, Stop> {
        match self {
            Front::Plain(talk) => talk.ask(session, words),
            Front::Full(talk) => talk.ask(session, words),
        }
    }

    /// What has happened in the game.
    fn tell(&mut self, told: &[String]) -> Result<(), Stop> {
        match self {
            Front::Plain(_) => told.iter().try_for_each(|line| emit(line)),
            Front::Full(talk) => {
                talk.tell(told);
                Ok(())
            }
        }
    }

    /// A message beside the game, before the next question. It may have colours.
    fn say(&mut self, text: &str, look: Look) {
        match self {
            Front::Plain(_) => talk_coloured(text),
            Front::Full(talk) => talk.say(text.lines().map(|line| Line::of(line, look))),
        }
    }

    fn wants_undo_after_fault(&mut self) -> Result<bool, Stop> {
        match self {
            Front::Plain(talk) => talk.wants_undo_after_fault(),
            Front::Full(talk) => talk.wants_undo_after_fault(),
        }
    }

    /// What to do with a game that goes another way under the new rules.
    fn choose(&mut self, told: &[String], phrases: &Phrases) -> Result<Choice, Stop> {
        loop {
            let letter = match self {
                Front::Plain(_) => {
                    told.iter().for_each(|line| talk(line));
                    read_line(phrases, live::ASK)?.map_or(Some('k'), |line| line.chars().next())
                }
                Front::Full(screen) => {
                    let mut lines: Vec<Line> = told.iter().map(|line| Line::of(line, Look::Plain)).collect();
                    lines.extend([Line::default(), Line::of(live::ASK, Look::Head)]);
                    screen.letter(&lines)?.or(Some('k'))
                }
            };
            if let Some(choice) = letter.and_then(Choice::of) {
                return Ok(choice);
            }
        }
    }
}

impl<'p> People<'p> {
    /// Plays until the game is over or the people leave. Under changed rules they go on with it.
    pub fn play(&self, session: &mut Session, kept: &mut Vec<Kept>) -> Result<(), Stop> {
        let language = Words::new(session.game().rules(), self.language).spoken();
        let mut untold = Vec::new();
        let played = self.front(session, language).and_then(|mut front| {
            loop {
                let game_box = session.game_box().clone();
                let words = Words::new(game_box.rules(), self.language);
                match self.round(session, &words, &mut front, kept, &mut untold)? {
                    Left::Ended => return Ok(()),
                    Left::Changed => self.relink(session, &mut front, kept, Phrases::of(language))?,
                }
            }
        });
        let phrases = Phrases::of(language);
        if session.outcome().is_some() {
            untold.iter().for_each(|why| talk(&fill(phrases.pack_failed, &[("why", why)])));
            let words = Words::new(session.game().rules(), self.language);
            played.and(scores(session, &words))
        } else {
            played
        }
    }

    /// The seats of people.
    fn people(&self, session: &Session) -> Vec<Seat> {
        let is_person = |seat: &Seat| self.seats.get(seat.index()).is_some_and(Option::is_none);
        session.game().rules().seats().filter(is_person).collect()
    }

    fn front(&self, session: &Session, language: Language) -> Result<Front<'p>, Stop> {
        let watch = if self.watches { Some(Watch::new(self.library.folders(), &[])?) } else { None };
        let (people, phrases) = (self.people(session), Phrases::of(language));
        Ok(match self.is_full {
            true => {
                Front::Full(Box::new(ScreenTalk::new(self.library, phrases, language, people, self.foreign, watch)?))
            }
            false => Front::Plain(Box::new(SeatTalk::new(self.library, phrases, people, self.foreign, watch))),
        })
    }

    /// Plays under rules that stay the same.
    fn round(
        &self,
        session: &mut Session,
        words: &Words<'_>,
        front: &mut Front<'_>,
        kept: &mut [Kept],
        untold: &mut Vec<String>,
    ) -> Result<Left, Stop> {
        let mut bots = Players::new(self.seats, bot_seed(session));
        let viewer = viewer_of(&self.people(session));
        let phrases = Phrases::of(words.spoken());
        let mut faults = 0;
        while session.decision().is_some() {
            // Undos as well.
            kept.iter_mut().for_each(|log| log.note(session));
            let thought = bots.choose(session.game(), session.game_box(), all_threads()).map_err(AnswerError::from);
            let is_bot = !matches!(thought, Ok(None));
            let answered: Result<Vec<LogEntry>, AnswerError> = match thought {
                Ok(Some(thought)) => {
                    if self.thinks {
                        front.tell(&thought_of(session, words, viewer, &thought))?;
                    }
                    session.answer(thought.answer)
                }
                Err(error) => Err(error),
                Ok(None) => match front.ask(session, words)? {
                    Said::Answer(answer) => session.answer(answer),
                    Said::Again => {
                        bots.forget();
                        continue;
                    }
                    Said::Changed => return Ok(Left::Changed),
                    Said::Quit => return Ok(Left::Ended),
                    Said::Ended if std::io::stdin().is_terminal() => return Ok(Left::Ended),
                    Said::Ended => return Err(Stop::told(phrases, phrases.input_ended)),
                },
            };
            match answered {
                Ok(events) => {
                    kept.iter_mut().for_each(|log| log.note(session));
                    front.tell(&lines(session, words, viewer, &events))?;
                }
                Err(error) => {
                    faults += 1;
                    let (told, is_whole) = of_failure(phrases, session, viewer, &error);
                    if faults > MOST_FAULTS {
                        return Err(Stop::quoting(told));
                    }
                    let message = fill(phrases.pack_failed, &[("why", &told)]);
                    front.say(&rulepack_model::visible::one_line(&message), Look::Wrong);
                    if !is_whole {
                        untold.push(error.to_string());
                    }
                    if is_bot || front.wants_undo_after_fault()? {
                        let back = session.steps_back_to_action().unwrap_or(0);
                        session.undo(back).map_err(|fault| Stop::Wrong(fault.to_string()))?;
                        bots.forget();
                    }
                }
            }
        }
        Ok(Left::Ended)
    }

    /// Reads the packs again and carries the game over. A mistake is told and leaves the game as it was.
    fn relink(
        &self,
        session: &mut Session,
        front: &mut Front<'_>,
        kept: &mut Vec<Kept>,
        phrases: &'static Phrases,
    ) -> Result<(), Stop> {
        let color = matches!(front, Front::Plain(_)) && wants_color(&std::io::stderr());
        let carry = match live::relink(self.library, session, color) {
            Relinked::Carried(carry) => *carry,
            Relinked::Mistakes(text) => {
                front.say(&text, Look::Wrong);
                return Ok(());
            }
        };
        let told = live::told(&carry);
        let Carry { session: new, how, .. } = carry;
        let (new, is_whole) = match how {
            Carried::Replayed => (new, true),
            Carried::ByNames { .. } => (new, false),
            Carried::Differs { .. } => match front.choose(&told, phrases)? {
                Choice::Keep => return Ok(()),
                Choice::GoBack => (new, false),
                Choice::Anew => match Session::start(new.game_box(), any_seed()) {
                    Ok(new) => (new, false),
                    Err(fault) => {
                        front.say(&rulepack_model::visible::one_line(&fault.to_string()), Look::Wrong);
                        return Ok(());
                    }
                },
            },
        };
        front.say(&rulepack_model::visible::joined(&told), Look::Plain);
        *session = new;
        live::keep_on(kept, session, self.bots, is_whole, phrases)
    }
}
