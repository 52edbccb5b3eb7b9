//! A table with its seats, its talk and its open requests to take an answer back. Whoever asks names the viewer, whose token
//! was compared before.

use std::io;

use rulepack::{Entry, Question, Refused, Seat, Seats, Table, TableView, Viewer, seat_key, viewer_key};
use serde::{Deserialize, Serialize};

use crate::kept::{Card, Kept};

/// The longest line of talk, in characters.
const LONGEST_TALK: usize = 500;
/// How many lines of talk are kept.
const MOST_TALK: usize = 200;
/// How many connections a seat may have at a time, such as windows of the same player.
const MOST_OF_A_SEAT: u32 = 8;
/// How many spectators may be connected.
const MOST_WATCHING: u32 = 100;

/// A table that is awake.
#[derive(Debug)]
pub struct Room {
    /// The game.
    pub table: Table,
    /// Who sits there.
    pub card: Card,
    kept: Option<Kept>,
    /// How many connections each seat has.
    here: Vec<u32>,
    /// How many connections spectators have.
    watching: u32,
    talk: Vec<Talk>,
    /// How many lines of talk there were before the first of `talk`.
    forgotten_talk: usize,
    wish: Option<Wish>,
    /// Why the table stands still, such as a fault of the pack while a bot answered.
    trouble: Option<String>,
}

/// A line of talk.
#[derive(Debug, Clone, Serialize)]
pub struct Talk {
    /// Who said it: a seat, or `public` for a spectator.
    by: String,
    /// Plain text.
    text: String,
}

/// A player's wish to take answers back to which the others have to agree.
#[derive(Debug, Clone)]
struct Wish {
    seat: Seat,
    /// The answer that is taken back, with all later ones.
    back_to: usize,
    /// Who has agreed.
    agreed: Vec<Seat>,
}

/// How much of a table a browser has already.
#[derive(Debug, Clone, Copy, Default)]
pub struct Sent {
    undone: u64,
    log: usize,
    talk: usize,
}

/// A message of a browser.
#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum Wanted {
    /// An answer to the question with this revision.
    Answer {
        /// The question.
        revision: u64,
        /// The index of the option.
        index: usize,
    },
    /// Takes back the last answer of this seat, or asks the others to agree.
    Undo,
    /// Whether this seat agrees to what another one wants to take back.
    Agree {
        /// Its answer.
        yes: bool,
    },
    /// Why something is not offered.
    Why {
        /// Ids or titles, such as `build inn`.
        what: Option<String>,
        /// The handle of a thing.
        about: Option<String>,
        /// The action with that thing.
        action: Option<String>,
    },
    /// A line of talk.
    Say {
        /// Plain text.
        text: String,
    },
    /// Lets a bot play a seat: one's own, or that of a person who is not connected. Without a bot, its person plays again.
    Hand {
        /// The seat, such as `player_2`.
        seat: String,
        /// The bot, such as `mcts:200`.
        #[serde(default)]
        bot: Option<String>,
    },
    /// What a bot would answer.
    Hint,
}

/// What a browser is told in reply, only itself.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Reply {
    /// Something was refused; nothing has changed.
    Problem {
        /// A name for programs.
        code: String,
        /// A sentence for people.
        message: String,
    },
    /// Why something is not offered.
    Why {
        /// Whether it is offered after all.
        offered: bool,
        /// A sentence.
        text: String,
    },
    /// What a bot would answer.
    Hint {
        /// The question that it is about.
        revision: u64,
        /// The best answers, the best first.
        answers: Vec<Judged>,
    },
}

/// What a bot thinks of an answer.
#[derive(Debug, Serialize)]
pub struct Judged {
    /// The index of the option.
    pub index: usize,
    /// In how many of the games that it played on it gave this answer.
    pub tried: u64,
    /// The share of them that it won, in percent, where that is known.
    pub wins: Option<u32>,
    /// The points, on average, in tenths.
    pub tenths: i64,
}

impl Reply {
    /// A refusal.
    pub fn problem(code: &str, message: impl Into<String>) -> Reply {
        Reply::Problem { code: code.to_string(), message: message.into() }
    }
}

impl From<Refused> for Reply {
    fn from(refused: Refused) -> Reply {
        Reply::problem(refused.code(), refused.to_string())
    }
}

/// The table, as a browser is told.
#[derive(Debug, Serialize)]
pub struct Update<'r> {
    #[serde(rename = "type")]
    kind: &'static str,
    view: TableView,
    questions: Vec<Question>,
    /// The number of the first entry of `log`; what the browser has from there on is out of date.
    log_from: usize,
    log: Vec<&'r Entry>,
    seats: Vec<SeatTold<'r>>,
    talk: &'r [Talk],
    #[serde(skip_serializing_if = "Option::is_none")]
    wish: Option<WishTold>,
    #[serde(skip_serializing_if = "Option::is_none")]
    trouble: Option<&'r str>,
}

#[derive(Debug, Serialize)]
struct SeatTold<'r> {
    player: String,
    bot: Option<&'r str>,
    here: bool,
}

#[derive(Debug, Serialize)]
struct WishTold {
    by: String,
    /// Who has not agreed yet.
    waits_for: Vec<String>,
}

impl Room {
    /// A table with its seats; `kept` are its files.
    pub fn new(table: Table, card: Card, kept: Option<Kept>) -> Room {
        let here = vec![0; card.seats.len()];
        Room { table, card, kept, here, watching: 0, talk: Vec::new(), forgotten_talk: 0, wish: None, trouble: None }
    }

    /// A viewer wants to connect; false if the viewer has as many connections as are allowed.
    pub fn comes(&mut self, viewer: Viewer) -> bool {
        let (count, most) = match viewer {
            Viewer::Seat(seat) => match self.here.get_mut(seat.index()) {
                Some(count) => (count, MOST_OF_A_SEAT),
                None => return false,
            },
            Viewer::Public | Viewer::All => (&mut self.watching, MOST_WATCHING),
        };
        let may = *count < most;
        if may {
            *count = count.saturating_add(1);
        }
        may
    }

    /// A viewer who was connected has left.
    pub fn leaves(&mut self, viewer: Viewer) {
        let count = match viewer {
            Viewer::Seat(seat) => self.here.get_mut(seat.index()),
            Viewer::Public | Viewer::All => Some(&mut self.watching),
        };
        if let Some(count) = count {
            *count = count.saturating_sub(1);
        }
    }

    /// What has changed for a viewer since the last time, as JSON.
    ///
    /// # Errors
    /// If the pack fails.
    pub fn update(&self, viewer: Viewer, sent: &mut Sent) -> Result<String, Reply> {
        let questions = match viewer {
            Viewer::Seat(seat) => self.table.questions(seat)?,
            Viewer::Public | Viewer::All => Vec::new(),
        };
        let view = self.table.view(viewer)?;
        let log_from = if sent.undone == self.table.undone() { sent.log } else { 0 };
        let log: Vec<&Entry> = self.table.log(viewer, log_from)?.collect();
        let talk = self.talk.get(sent.talk.saturating_sub(self.forgotten_talk)..).unwrap_or_default();
        let seats = self.table.seats().zip(&self.card.seats).zip(&self.here);
        let seats = seats.map(|((seat, card), here)| SeatTold {
            player: seat_key(seat),
            bot: card.bot.as_deref(),
            here: *here > 0,
        });
        let update = Update {
            kind: "table",
            view,
            questions,
            log_from,
            log,
            seats: seats.collect(),
            talk,
            wish: self.wish.as_ref().map(|wish| self.wish_told(wish)),
            trouble: self.trouble.as_deref(),
        };
        let text = as_json(&update);
        *sent = Sent {
            undone: self.table.undone(),
            log: self.table.answers(),
            talk: self.forgotten_talk.saturating_add(self.talk.len()),
        };
        Ok(text)
    }

    /// Gives the answer of a seat.
    ///
    /// # Errors
    /// As for [`Table::answer_as`]; the table is then unchanged.
    pub fn answer(&mut self, seat: Seat, revision: u64, index: usize) -> Result<(), Reply> {
        self.table.answer_as(seat, revision, index)?;
        self.wish = None;
        self.trouble = None;
        self.keep();
        Ok(())
    }

    /// Takes back the last answer of a seat and all later ones. If a person has answered since, or somebody has learnt
    /// something since, the other persons have to agree first. What was chosen at the same time as others, and nobody has
    /// seen yet, can always be taken back.
    ///
    /// # Errors
    /// If the seat has given no answer.
    pub fn undo(&mut self, seat: Seat) -> Result<(), Reply> {
        match self.table.take_back(seat) {
            Ok(()) => {
                self.taken_back();
                return Ok(());
            }
            Err(Refused::NothingToTakeBack { .. }) => {}
            Err(refused) => return Err(refused.into()),
        }
        let (mut back_to, mut others) = (None, false);
        for entry in self.table.log(Viewer::Seat(seat), 0)? {
            if entry.player == seat {
                (back_to, others) = (Some(entry.number), false);
            } else {
                others |= self.persons().any(|person| person == entry.player);
            }
        }
        let Some(back_to) = back_to else {
            return Err(Reply::problem("too-few-answers", "you have given no answer yet"));
        };
        let count = self.table.answers().saturating_sub(back_to);
        if !others {
            match self.table.undo(count, false) {
                Ok(()) => {
                    self.taken_back();
                    return Ok(());
                }
                Err(Refused::Revealed) => {}
                Err(refused) => return Err(refused.into()),
            }
        }
        self.wish = Some(Wish { seat, back_to, agreed: vec![seat] });
        self.grant()
    }

    /// What a seat says to the wish of another.
    ///
    /// # Errors
    /// If there is no such wish.
    pub fn agree(&mut self, seat: Seat, yes: bool) -> Result<(), Reply> {
        let Some(wish) = &mut self.wish else {
            return Err(Reply::problem("nothing-to-agree", "nobody wants to take anything back any more"));
        };
        if !yes {
            self.wish = None;
            return Ok(());
        }
        if !wish.agreed.contains(&seat) {
            wish.agreed.push(seat);
        }
        self.grant()
    }

    /// Carries out the wish if all persons have agreed.
    fn grant(&mut self) -> Result<(), Reply> {
        let Some(wish) = &self.wish else { return Ok(()) };
        if self.persons().any(|person| !wish.agreed.contains(&person)) {
            return Ok(());
        }
        let count = self.table.answers().saturating_sub(wish.back_to);
        self.wish = None;
        self.table.undo(count, true)?;
        self.taken_back();
        Ok(())
    }

    fn taken_back(&mut self) {
        self.wish = None;
        self.trouble = None;
        self.keep();
    }

    fn wish_told(&self, wish: &Wish) -> WishTold {
        let waits_for = self.persons().filter(|person| !wish.agreed.contains(person)).map(seat_key);
        WishTold { by: seat_key(wish.seat), waits_for: waits_for.collect() }
    }

    /// The seats that persons play.
    fn persons(&self) -> impl Iterator<Item = Seat> {
        self.table.seats().zip(&self.card.seats).filter(|(_, card)| card.bot.is_none()).map(|(seat, _)| seat)
    }

    /// Why something is not offered.
    ///
    /// # Errors
    /// If a handle names nothing in sight.
    pub fn why(
        &self,
        seat: Seat,
        what: Option<&str>,
        about: Option<&str>,
        action: Option<&str>,
    ) -> Result<Reply, Reply> {
        let why = match (what, about) {
            (Some(what), None) => self.table.why_not(seat, what)?,
            (None, Some(about)) => self.table.why_not_this(seat, action, about)?,
            _ => return Err(Reply::problem("bad-request", "name either `what` or `about`")),
        };
        Ok(Reply::Why { offered: why.offered, text: why.text })
    }

    /// Adds a line of talk.
    pub fn say(&mut self, viewer: Viewer, text: &str) {
        let text: String = text.trim().chars().take(LONGEST_TALK).collect();
        if text.is_empty() {
            return;
        }
        self.talk.push(Talk { by: viewer_key(viewer), text });
        if self.talk.len() > MOST_TALK {
            self.talk.remove(0);
            self.forgotten_talk = self.forgotten_talk.saturating_add(1);
        }
    }

    /// Lets a bot play a seat, or gives it back to its person.
    ///
    /// # Errors
    /// If there is no such seat or bot, or a connected person sits there who did not ask for it.
    pub fn hand(&mut self, by: Seat, seat: &str, bot: Option<String>) -> Result<(), Reply> {
        let found = self.table.seats().find(|known| seat_key(*known) == seat);
        let Some(found) = found else {
            return Err(Reply::problem("unknown-player", format!("there is no player `{seat}`")));
        };
        let is_here = self.here.get(found.index()).is_some_and(|here| *here > 0);
        let Some(card) = self.card.seats.get_mut(found.index()) else { return Ok(()) };
        if found != by && is_here && card.bot.is_none() {
            return Err(Reply::problem("seat-is-taken", "somebody sits there"));
        }
        if let Some(bot) = &bot {
            bot.parse::<rulepack::BotKind>().map_err(|error| Reply::problem("unknown-bot", error.to_string()))?;
        }
        card.bot = bot;
        Ok(())
    }

    /// Which bot plays which seat.
    pub fn bots(&self) -> Seats {
        let kind = |text: &String| text.parse().ok();
        self.card.seats.iter().map(|seat| seat.bot.as_ref().and_then(kind)).collect()
    }

    /// The seat of a bot that is asked, with the revision of its question.
    pub fn asked_bot(&self) -> Option<(Seat, u64)> {
        if self.trouble.is_some() {
            return None;
        }
        let seat = self.table.game().decision()?.seat;
        self.card.seats.get(seat.index())?.bot.as_ref()?;
        let asked = self.table.asked(Viewer::Seat(seat)).ok()?;
        asked.into_iter().find(|question| question.player == seat).map(|question| (seat, question.revision))
    }

    /// The table stands still: a bot could not answer.
    pub fn stands_still(&mut self, why: String) {
        self.trouble = Some(why);
    }

    /// Writes what has changed. If that fails, everybody is told, and the next answer tries again.
    fn keep(&mut self) {
        if let Some(Err(error)) = self.kept.as_mut().map(|kept| kept.note(self.table.session())) {
            self.told_unwritten(&error);
        }
    }

    fn told_unwritten(&mut self, error: &io::Error) {
        self.trouble = Some(format!("the table cannot be kept: {error}"));
    }
}

/// JSON without characters that are invisible or that control a terminal: they are escaped.
pub fn as_json(message: &impl Serialize) -> String {
    match serde_json::to_string(message) {
        Ok(text) => rulepack::visible::json(&text).into_owned(),
        // This cannot happen: a message is plain data, which JSON can always represent.
        Err(_) => r#"{"type":"problem","code":"not-written","message":"the message cannot be written"}"#.to_string(),
    }
}
