//! Exports: the view, the log and the question of one seat. Nobody can work out more from an export than the seat could
//! see: it holds no seed, no hash, no numbers of pieces, and of the answers of others only what the seat was told.

// Input comes from strangers: no input may end the program.
#![cfg_attr(
    not(test),
    warn(
        clippy::arithmetic_side_effects,
        clippy::expect_used,
        clippy::indexing_slicing,
        clippy::panic,
        clippy::string_slice,
        clippy::unreachable,
        clippy::unwrap_used
    )
)]

use rulepack_kernel::{Answer, Decision, Game, LogEntry, Sight, View, Viewer, Words, seat_key};
use rulepack_model::Seat;
use rulepack_script::ScriptHost;
use serde::{Deserialize, Serialize};

use crate::load::GameBox;
use crate::replay::{GameLog, ReplayError};
use crate::session::together_after;

const FORMAT: &str = "rulepack-export";
const VERSION: u32 = 1;

/// A game as one seat knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Export {
    /// The format.
    pub format: &'static str,
    /// The version of the format.
    pub version: u32,
    /// The version of the engine that wrote it.
    pub engine: &'static str,
    /// The pack that is played.
    pub pack: String,
    /// All packs in use, by id.
    pub packs: Vec<String>,
    /// Modes in use.
    pub modes: Vec<String>,
    /// The number of players.
    pub players: u8,
    /// The seat.
    pub seat: String,
    /// Every answer so far, as the seat knows it.
    pub log: Vec<Entry>,
    /// The table, as the seat sees it.
    pub view: View,
    /// The present question; `None` if the game is over.
    pub asked: Option<Question>,
}

/// An answer, as one seat knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Entry {
    /// Who was asked.
    pub seat: String,
    /// What was asked.
    pub question: String,
    /// The answer, if the seat gave it itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// What the seat was told, line by line.
    pub told: Vec<String>,
}

/// A question, as one seat knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Question {
    /// Who is asked.
    pub seat: String,
    /// What is asked.
    pub question: String,
    /// The options, if the seat itself is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub options: Option<Vec<String>>,
}

/// Collects what one seat learns from a game, answer by answer.
#[derive(Debug, Clone)]
pub struct Witness<'w> {
    seat: Seat,
    words: &'w Words<'w>,
    asked: Option<Question>,
    log: Vec<Entry>,
    /// If players choose at the same time: the number of answers before theirs.
    together: Option<usize>,
}

impl<'w> Witness<'w> {
    /// A seat at the beginning of a game.
    pub fn new(game: &Game, seat: Seat, words: &'w Words<'w>) -> Self {
        let together = game.together().map(|_| 0);
        Witness { seat, words, asked: question(game, seat, words), log: Vec::new(), together }
    }

    /// Records an answer: the game after it, and its events.
    pub fn note(&mut self, game: &Game, answer: Answer, events: &[LogEntry]) {
        let asked = std::mem::replace(&mut self.asked, question(game, self.seat, self.words));
        let Some(Question { seat, question, options }) = asked else { return };
        let sight = Sight::new(game.rules(), game.state(), Viewer::Seat(self.seat));
        self.log.push(Entry {
            seat,
            question,
            answer: options.and_then(|options| options.into_iter().nth(usize::from(answer.0))),
            told: events.iter().filter_map(|event| self.words.event(event, &sight)).collect(),
        });
        self.together = together_after(self.together, self.log.len(), game, events);
    }

    /// The export of everything up to here.
    pub fn export(&self, game: &Game, host: &ScriptHost) -> Export {
        let rules = game.rules();
        // Nobody is told of answers before all have chosen.
        let told = self.together.unwrap_or(self.log.len());
        Export {
            format: FORMAT,
            version: VERSION,
            engine: env!("CARGO_PKG_VERSION"),
            pack: rules.pack.clone(),
            packs: rules.packs.iter().map(|pack| pack.id.clone()).collect(),
            modes: rules.modes.clone(),
            players: rules.players,
            seat: seat_key(self.seat),
            log: self.log.iter().take(told).cloned().collect(),
            view: View::new(game, host, Viewer::Seat(self.seat), self.words),
            asked: self.asked_now(game, host),
        }
    }

    /// The present question: of players who choose at the same time, the seat's own, or the first to another.
    fn asked_now(&self, game: &Game, host: &ScriptHost) -> Option<Question> {
        let Some((players, chosen)) = game.together() else { return question(game, self.seat, self.words) };
        let own = game.decision_ahead(host, self.seat, &[]).ok().flatten();
        let first = || game.first_decision(host, *players.get(chosen)?).ok()?;
        own.or_else(first).map(|decision| asked(game, &decision, self.seat, self.words))
    }
}

fn question(game: &Game, seat: Seat, words: &Words<'_>) -> Option<Question> {
    game.decision().map(|decision| asked(game, decision, seat, words))
}

fn asked(game: &Game, decision: &Decision, seat: Seat, words: &Words<'_>) -> Question {
    Question {
        seat: seat_key(decision.seat),
        question: words.question(decision),
        options: (decision.seat == seat).then(|| words.options(game.state(), decision)),
    }
}

impl Export {
    /// What a seat knows of a logged game, of all of it or of its first answers.
    ///
    /// # Errors
    /// If the game goes another way than the log: the export would contain things that the seat never saw.
    pub fn of_log(
        log: &GameLog,
        game_box: &GameBox,
        seat: Seat,
        language: &str,
        at: Option<usize>,
    ) -> Result<Export, ReplayError> {
        let host = game_box.host()?;
        let words = Words::new(game_box.rules(), language);
        let mut game = log.begin(game_box, &host)?;
        let mut witness = Witness::new(&game, seat, &words);
        // The rest of the log must go as played too; otherwise the file is not what it claims to be.
        let mut early = (at == Some(0)).then(|| witness.export(&game, &host));
        let mut count = 0_usize;
        let (_, difference) = log.verify(&mut game, &host, log.answers.len(), |game, answer, _, events| {
            count = count.saturating_add(1);
            if at.is_none_or(|at| count <= at) {
                witness.note(game, answer, events);
            }
            if at == Some(count) {
                early = Some(witness.export(game, &host));
            }
        });
        match difference {
            Some(difference) => Err(ReplayError::Answer(Box::new(difference))),
            None => Ok(early.unwrap_or_else(|| witness.export(&game, &host))),
        }
    }

    /// As text.
    ///
    /// # Panics
    /// Never: it is plain data.
    #[allow(clippy::expect_used, reason = "it is plain data of ours, all of which JSON can say")]
    pub fn to_json(&self) -> String {
        serde_json::to_string_pretty(self).expect("an export is plain data")
    }

    /// The seat of an export, if a text is one.
    pub fn seat_of(text: &str) -> Option<String> {
        #[derive(Deserialize)]
        struct Header {
            format: String,
            #[serde(default)]
            seat: String,
        }
        let header: Header = serde_json::from_str(text).ok()?;
        (header.format == FORMAT).then_some(header.seat)
    }
}
