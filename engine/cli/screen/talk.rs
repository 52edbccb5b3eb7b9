//! The dialogue with people on a full screen: what each key does.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use ratatui::crossterm::event::KeyCode;
use rulepack_kernel::{Answer, Words, fill, tell_why};
use rulepack_model::Seat;
use rulepack_tools::{FileKind, Library, Session};

use super::asked::{Asked, Seen, card};
use super::board::Known;
use super::keys::Keys;
use super::model::{Cover, Place, curtain};
use super::terminal::{FullScreen, Heard};
use super::text::{Line, Look};
use super::texts::Texts;
use crate::phrases::Phrases;
use crate::scenario_file;
use crate::seat_talk::{Said, hint, of_failure, save, viewer_of};
use crate::stop::{Stop, heard_talk, shown};
use crate::watch::Watch;
use crate::write::Foreign;

/// How long a key is waited for before files and signals are looked at.
const LOOK: Duration = Duration::from_millis(40);

/// What is typed in the last line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Typing {
    Search,
    Card,
    Why,
    Save,
    Scenario,
}

/// The people at a full screen.
pub struct ScreenTalk<'l> {
    screen: FullScreen,
    library: &'l Library,
    phrases: &'static Phrases,
    texts: &'static Texts,
    people: Vec<Seat>,
    foreign: Foreign,
    watch: Option<Watch>,
    keys: Keys,
    /// What each player saw at the last question.
    known: BTreeMap<Seat, Known>,
    /// What has happened, as far as all may know.
    log: Vec<String>,
    /// The player who sees the screen.
    facing: Option<Seat>,
    shows_all: bool,
    /// Lines to show before the next question.
    news: Vec<Line>,
}

fn broken(error: &std::io::Error) -> Stop {
    // A terminal that was closed is told by its errors first, or by the guard of the terminal.
    if super::terminal::is_gone() {
        return Stop::Closed;
    }
    Stop::Wrong(format!("the terminal fails: {error}"))
}

impl<'l> ScreenTalk<'l> {
    /// Switches to full-screen mode.
    pub fn new(
        library: &'l Library,
        phrases: &'static Phrases,
        language: rulepack_kernel::Language,
        people: Vec<Seat>,
        foreign: Foreign,
        watch: Option<Watch>,
    ) -> Result<Self, Stop> {
        Ok(ScreenTalk {
            screen: FullScreen::enter().map_err(|error| broken(&error))?,
            library,
            phrases,
            texts: Texts::of(language),
            people,
            foreign,
            watch,
            keys: Keys::default(),
            known: BTreeMap::new(),
            log: Vec::new(),
            facing: None,
            shows_all: false,
            news: Vec::new(),
        })
    }

    /// Notes what has happened.
    pub fn tell(&mut self, lines: &[String]) {
        self.log.extend(lines.iter().cloned());
    }

    /// Shows lines before the next question.
    pub fn say(&mut self, lines: impl IntoIterator<Item = Line>) {
        self.news.extend(lines);
    }

    /// Shows the table and asks until there is an answer.
    pub fn ask(&mut self, session: &mut Session, words: &Words<'_>) -> Result<Said, Stop> {
        let Some(decision) = session.decision().cloned() else { return Ok(Said::Again) };
        let seat = decision.seat;
        let is_other = self.people.len() > 1 && (self.facing != Some(seat) || session.is_together());
        if is_other && !self.curtain(&fill(self.texts.curtain, &[("who", &words.seat(seat))]))? {
            return Ok(Said::Quit);
        }
        self.facing = Some(seat);
        let asked = Asked::new(session, words, &decision, &mut self.keys)?;
        let mut place = Place { scroll: 0, selected: 0, search: String::new(), cover: Cover::Nothing };
        let mut typing = None;
        loop {
            self.news.extend(heard_talk().iter().map(|line| Line::of(line, Look::Plain)));
            if !self.news.is_empty() {
                place.cover = Cover::Told(std::mem::take(&mut self.news));
            }
            let (most_scroll, page) = self.draw(&asked, &place)?;
            let heard = loop {
                if self.screen.is_to_end() {
                    return Ok(Said::Quit);
                }
                if self.watch.as_ref().is_some_and(|watch| watch.changed(Duration::ZERO)) {
                    return Ok(Said::Changed);
                }
                if let Some(heard) = self.screen.hear(LOOK).map_err(|error| broken(&error))? {
                    break heard;
                }
            };
            if matches!(place.cover, Cover::Told(_)) && !matches!(heard, Heard::End | Heard::Resized) {
                place.cover = Cover::Nothing;
                continue;
            }
            if let Some(what) = typing {
                if self.type_on(session, &asked, &mut place, what, heard)? {
                    typing = None;
                }
                if heard == Heard::End {
                    return Ok(Said::Quit);
                }
                continue;
            }
            match heard {
                Heard::End | Heard::Letter('Q') => return Ok(Said::Quit),
                Heard::Resized => {}
                Heard::Key(KeyCode::Enter) => {
                    let fitting = asked.content(&self.seen(), &place).fitting(&place.search);
                    if fitting.contains(&place.selected) {
                        return Ok(self.answered(&asked, place.selected));
                    }
                }
                Heard::Key(code) => self.move_to(&asked, &mut place, code, most_scroll, page),
                Heard::Letter('/') => typing = self.begin(&mut place, Typing::Search, ""),
                Heard::Letter('I') => {
                    let about = asked.titles.get(place.selected).cloned().unwrap_or_default();
                    typing = self.begin(&mut place, Typing::Card, &about);
                    self.find_card(&asked, &mut place);
                }
                Heard::Letter('W') => typing = self.begin(&mut place, Typing::Why, ""),
                Heard::Letter('S') => typing = self.begin(&mut place, Typing::Save, ""),
                Heard::Letter('C') => typing = self.begin(&mut place, Typing::Scenario, ""),
                Heard::Letter('V') => self.shows_all = !self.shows_all,
                Heard::Letter('?') => place.cover = Cover::Told(self.help()),
                Heard::Letter('L') => {
                    let most = self.screen.size().1.saturating_sub(4);
                    let last = self.log.iter().rev().take(most).rev();
                    place.cover = Cover::Told(last.map(|line| Line::of(line, Look::Plain)).collect());
                }
                Heard::Letter('H') => {
                    self.wait(&asked, &mut place)?;
                    place.cover = Cover::Told(match hint(session, words, self.phrases, seat) {
                        Ok(lines) => lines.iter().map(|line| Line::of(line, Look::Plain)).collect(),
                        Err(told) => vec![Line::of(&told, Look::Wrong)],
                    });
                }
                Heard::Letter('U') => {
                    if self.undo(session, seat)? {
                        return Ok(Said::Again);
                    }
                }
                Heard::Letter(letter) => {
                    if let Some(index) = asked.choices.iter().position(|choice| choice.key == Some(letter)) {
                        return Ok(self.answered(&asked, index));
                    }
                }
            }
        }
    }

    fn seen(&self) -> Seen<'_> {
        Seen { known: &self.known, log: &self.log, foot: self.texts.foot, shows_all: self.shows_all }
    }

    fn answered(&mut self, asked: &Asked<'_>, index: usize) -> Said {
        let known = asked.board(&self.seen(), "").known();
        self.known.insert(asked.seat, known);
        Said::Answer(Answer(u16::try_from(index).unwrap_or(u16::MAX)))
    }

    fn draw(&mut self, asked: &Asked<'_>, place: &Place) -> Result<(usize, usize), Stop> {
        let (columns, rows) = self.screen.size();
        let screen = asked.content(&self.seen(), place).screen(place, columns, rows);
        self.screen.draw(&screen.lines).map_err(|error| broken(&error))?;
        Ok((screen.most_scroll, screen.page))
    }

    /// Says that it takes a while.
    fn wait(&mut self, asked: &Asked<'_>, place: &mut Place) -> Result<(), Stop> {
        place.cover = Cover::Told(vec![Line::of(self.texts.thinking, Look::Plain)]);
        self.draw(asked, place).map(drop)
    }

    fn begin(&self, place: &mut Place, what: Typing, text: &str) -> Option<Typing> {
        let about = match what {
            Typing::Search => self.texts.search,
            Typing::Card => self.texts.card,
            Typing::Why => self.texts.why,
            Typing::Save => self.texts.save,
            Typing::Scenario => self.texts.scenario,
        };
        place.cover = Cover::Typing { about: about.to_string(), text: text.to_string(), found: Vec::new() };
        Some(what)
    }

    /// One key in the last line; true if the line is done.
    fn type_on(
        &mut self,
        session: &Session,
        asked: &Asked<'_>,
        place: &mut Place,
        what: Typing,
        heard: Heard,
    ) -> Result<bool, Stop> {
        let Cover::Typing { text, .. } = &mut place.cover else { return Ok(true) };
        match heard {
            Heard::Letter(letter) => text.push(letter),
            Heard::Key(KeyCode::Backspace) => drop(text.pop()),
            Heard::Key(KeyCode::Esc) => {
                place.search.clear();
                place.cover = Cover::Nothing;
                return Ok(true);
            }
            Heard::Key(KeyCode::Enter) => {
                let text = text.trim().to_string();
                place.cover = match what {
                    Typing::Search | Typing::Card => Cover::Nothing,
                    Typing::Why => {
                        let host = session.host().map_err(Stop::quoting)?;
                        let told = tell_why(session.game(), &*host, asked.words, asked.seat, &text);
                        Cover::Told(vec![Line::of(&told, Look::Plain)])
                    }
                    Typing::Save | Typing::Scenario if text.is_empty() => Cover::Nothing,
                    Typing::Save => self.write(session, Path::new(&text), FileKind::Save)?,
                    Typing::Scenario => self.write(session, Path::new(&text), FileKind::Scenario)?,
                };
                return Ok(true);
            }
            Heard::Key(_) | Heard::Resized | Heard::End => {}
        }
        match what {
            Typing::Search => {
                place.search = text.to_lowercase();
                let fitting = asked.content(&self.seen(), place).fitting(&place.search);
                if !fitting.contains(&place.selected) {
                    place.selected = fitting.first().copied().unwrap_or(0);
                }
            }
            Typing::Card => self.find_card(asked, place),
            Typing::Why | Typing::Save | Typing::Scenario => {}
        }
        Ok(false)
    }

    /// Shows the card whose name is typed.
    fn find_card(&self, asked: &Asked<'_>, place: &mut Place) {
        let Cover::Typing { text, found, .. } = &mut place.cover else { return };
        let wanted = text.trim().to_lowercase();
        let types = &asked.glossary.types;
        let by_name = |is_so: &dyn Fn(&str) -> bool| types.iter().find(|entry| is_so(&entry.title.to_lowercase()));
        let entry = by_name(&|title| title == wanted)
            .or_else(|| by_name(&|title| title.starts_with(&wanted)))
            .or_else(|| by_name(&|title| title.contains(&wanted)));
        *found = match entry.filter(|_| !wanted.is_empty()) {
            Some(entry) => card(entry),
            None => vec![Line::of(self.texts.no_card, Look::Dim)],
        };
    }

    /// Writes a file, and says whether that succeeded.
    fn write(&mut self, session: &Session, path: &Path, kind: FileKind) -> Result<Cover, Stop> {
        let (phrases, file) = (self.phrases, shown(path));
        let may = if self.foreign == Foreign::Ask { kind.may_replace(path) } else { Ok(true) };
        if matches!(may, Ok(false)) {
            let what = fill(phrases.foreign, &[("file", &file)]);
            if !self.confirm(&fill(phrases.overwrite, &[("what", &what)]), false)? {
                return Ok(Cover::Told(vec![Line::of(&fill(phrases.stays, &[("file", &file)]), Look::Plain)]));
            }
        }
        let written = match kind {
            FileKind::Scenario => scenario_file::write(self.library, session, path),
            _ => save(session, path, phrases, may.map(drop)),
        };
        Ok(Cover::Told(vec![match written {
            Ok(()) => Line::of(&fill(phrases.saved, &[("file", &file)]), Look::Plain),
            Err(why) => Line::of(&fill(phrases.not_saved, &[("why", &why)]), Look::Wrong),
        }]))
    }

    fn move_to(&self, asked: &Asked<'_>, place: &mut Place, code: KeyCode, most_scroll: usize, page: usize) {
        let fitting = asked.content(&self.seen(), place).fitting(&place.search);
        let at = fitting.iter().position(|index| *index == place.selected).unwrap_or(0);
        let last = fitting.len().saturating_sub(1);
        let select = |at: usize| fitting.get(at).copied().unwrap_or(0);
        match code {
            KeyCode::Up => place.selected = select(at.saturating_sub(1)),
            KeyCode::Down => place.selected = select((at + 1).min(last)),
            KeyCode::PageUp => place.scroll = place.scroll.min(most_scroll).saturating_sub(page.max(1)),
            KeyCode::PageDown => place.scroll = (place.scroll + page.max(1)).min(most_scroll),
            KeyCode::Home => place.scroll = 0,
            KeyCode::End => place.scroll = most_scroll,
            KeyCode::Esc => place.search.clear(),
            _ => {}
        }
    }

    fn help(&self) -> Vec<Line> {
        let widest = self.texts.help.iter().map(|(key, _)| super::text::width(key)).max().unwrap_or(0);
        let line = |(key, about): &(&str, &str)| {
            let blank = " ".repeat(widest.saturating_sub(super::text::width(key)) + 2);
            Line::of(key, Look::Key).and(&format!("{blank}{about}"), Look::Plain)
        };
        self.texts.help.iter().map(line).collect()
    }

    /// Goes back to the last question to a person.
    fn undo(&mut self, session: &mut Session, seat: Seat) -> Result<bool, Stop> {
        if session.take_back(seat).map_err(Stop::quoting)? {
            return Ok(true);
        }
        let Some(back) = session.steps_back_to(|asked| self.people.contains(&asked.seat)) else {
            self.say([Line::of(self.phrases.nothing_to_undo, Look::Plain)]);
            return Ok(false);
        };
        let reveals = self.people.len() > 1 && session.undo_reveals(back);
        if reveals && !self.confirm(self.phrases.undo_reveals, false)? {
            return Ok(false);
        }
        if let Err(fault) = session.undo(back) {
            let (told, _) = of_failure(self.phrases, session, viewer_of(&self.people), &fault.into());
            self.say([Line::of(&fill(self.phrases.pack_failed, &[("why", &told)]), Look::Wrong)]);
            return Ok(false);
        }
        Ok(true)
    }

    /// After a fault of the pack: asks whether to go back to the start of the action.
    pub fn wants_undo_after_fault(&mut self) -> Result<bool, Stop> {
        self.confirm(self.phrases.undo_action, true)
    }

    /// Asks a yes-or-no question on an empty screen.
    fn confirm(&mut self, question: &str, default: bool) -> Result<bool, Stop> {
        Ok(match self.letter(&[Line::of(question, Look::Head)])? {
            Some(letter) => self.phrases.is_yes(&letter.to_string()),
            None => default,
        })
    }

    /// Shows lines on an empty screen and waits for a letter; nothing for any other key.
    pub fn letter(&mut self, lines: &[Line]) -> Result<Option<char>, Stop> {
        loop {
            let (columns, _) = self.screen.size();
            let mut told: Vec<Line> = vec![Line::default()];
            told.extend(lines.iter().flat_map(|line| line.wrapped(columns, 2)));
            self.screen.draw(&told).map_err(|error| broken(&error))?;
            if self.screen.is_to_end() {
                return Ok(None);
            }
            match self.screen.hear(LOOK).map_err(|error| broken(&error))? {
                Some(Heard::Letter(letter)) => return Ok(Some(letter)),
                Some(Heard::Key(_) | Heard::End) => return Ok(None),
                Some(Heard::Resized) | None => {}
            }
        }
    }

    /// Hides the table until the next player is there; false if the program is to end.
    fn curtain(&mut self, text: &str) -> Result<bool, Stop> {
        loop {
            let (columns, rows) = self.screen.size();
            self.screen.draw(&curtain(text, columns, rows)).map_err(|error| broken(&error))?;
            if self.screen.is_to_end() {
                return Ok(false);
            }
            match self.screen.hear(LOOK).map_err(|error| broken(&error))? {
                Some(Heard::Key(KeyCode::Enter)) => return Ok(true),
                Some(Heard::End) => return Ok(false),
                Some(Heard::Letter(_) | Heard::Key(_) | Heard::Resized) | None => {}
            }
        }
    }
}
