//! How a game came to be as it is, in little memory: every answer, and copies of the game at a few places.
//!
//! A copy of a large game takes some hundred kilobytes, so it is not kept for every answer. The last [`RECENT`] are kept, so
//! that undo is quick, and at most [`SPARSE`] further back, fewer if they would hold more than [`MOST_BYTES`]: when there are more, every second one is dropped and the distance
//! between them doubles. To go back to a place without a copy, answers are given again from the nearest copy before it.

// What is read comes from strangers: nothing of it may end the program.
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

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use rulepack_kernel::{Answer, AnswerError, Ask, Fault, Game, Given, Promise, Ruleset, Value, seat_key};
use rulepack_model::Seat;
use rulepack_script::ScriptHost;

/// As many answers can be undone one by one without giving any again.
const RECENT: usize = 16;
/// As many copies are kept of what lies further back.
const SPARSE: usize = 64;
/// The first distance between those.
const DISTANCE: usize = 16;

/// All copies together hold as many bytes, except that there are always two: the beginning, and the game before the last answer.
const MOST_BYTES: usize = 64 << 20;

/// About as many bytes a copy of a game holds: twice its table, because a script that waits keeps the table on which it began.
fn bytes_of_copy(rules: &Ruleset) -> usize {
    const BYTES_PER_PIECE: usize = 64;
    const REST: usize = 4_096;
    let parts = [
        (rules.var_slots, size_of::<Value>()),
        (rules.held_slots, size_of::<i32>()),
        (rules.pieces.len(), BYTES_PER_PIECE),
    ];
    let on_the_table = parts.iter().fold(REST, |sum, (count, bytes)| sum.saturating_add(count.saturating_mul(*bytes)));
    if rules.hooks.is_empty() { on_the_table } else { on_the_table.saturating_mul(2) }
}

/// The fault of an answer that was given and is not taken again.
fn not_again(error: AnswerError) -> Fault {
    const WHAT: &str = "an answer that was given cannot be given again";
    match error {
        AnswerError::Fault(mut fault) => {
            fault.message = format!("{WHAT}: {}", fault.message);
            fault
        }
        AnswerError::Illegal(message) => Fault::new(format!("{WHAT}: {message}")),
    }
}

/// A question that was answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asked {
    /// Who was asked.
    pub seat: Seat,
    /// About what.
    pub ask: Ask,
}

/// One answer. Names are kept once for all answers: see [`Names`].
#[derive(Debug, Clone)]
struct Step {
    asked: Asked,
    answer: Answer,
    option: u32,
    others: Box<[u32]>,
    offered: u32,
    told: u32,
    reveals: bool,
}

/// Every name that was met, with a number.
#[derive(Debug, Clone, Default)]
struct Names {
    names: Vec<Rc<str>>,
    numbers: BTreeMap<Rc<str>, u32>,
}

impl Names {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.numbers.get(name) {
            return *number;
        }
        let (number, name) = (self.names.len() as u32, Rc::<str>::from(name));
        self.names.push(Rc::clone(&name));
        self.numbers.insert(name, number);
        number
    }

    fn name(&self, number: u32) -> String {
        self.names.get(number as usize).map_or_else(String::new, |name| name.to_string())
    }
}

/// All answers since a game began or was taken up, and copies of the game at some of them.
#[derive(Debug, Clone)]
pub(crate) struct Past {
    steps: Vec<Step>,
    names: Names,
    /// The game after so many answers, in ascending order. The first is the beginning.
    sparse: Vec<(usize, Rc<Game>)>,
    distance: usize,
    /// The game before each of the last answers.
    recent: VecDeque<Rc<Game>>,
    /// How many copies there may be of each sort.
    sparse_room: usize,
    recent_room: usize,
}

impl Past {
    /// Of a game that begins.
    pub(crate) fn new(game: &Game) -> Past {
        // So many copies of each five are of what lies further back.
        const OF_FIVE: usize = 5 * SPARSE / (SPARSE + RECENT);
        let room = MOST_BYTES.checked_div(bytes_of_copy(game.rules())).unwrap_or(0);
        let sparse_room = (room / 5).saturating_mul(OF_FIVE).clamp(1, SPARSE);
        Past {
            sparse_room,
            recent_room: room.saturating_sub(sparse_room).clamp(1, RECENT),
            steps: Vec::new(),
            names: Names::default(),
            sparse: vec![(0, Rc::new(game.clone()))],
            distance: DISTANCE,
            recent: VecDeque::new(),
        }
    }

    /// How many answers there are.
    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    /// The game before the last answer.
    pub(crate) fn last(&self) -> Option<&Game> {
        self.recent.back().map(|game| &**game)
    }

    /// Notes an answer, with the game before it.
    pub(crate) fn note(&mut self, before: Game, answer: Answer, given: &Given, reveals: bool) {
        let Some(decision) = before.decision() else { return };
        let asked = Asked { seat: decision.seat, ask: decision.ask };
        // Digests are eight hexadecimal digits of our own making.
        let digest = |text: &str| u32::from_str_radix(text, 16).unwrap_or_default();
        let step = Step {
            asked,
            answer,
            option: self.names.number(&given.option),
            others: given.others.iter().map(|name| self.names.number(name)).collect(),
            offered: digest(&given.offered),
            told: given.told.as_deref().map(digest).unwrap_or_default(),
            reveals,
        };
        self.keep(before);
        self.steps.push(step);
    }

    /// Keeps the game before the next answer.
    fn keep(&mut self, game: Game) {
        let at = self.steps.len();
        let game = Rc::new(game);
        if at > 0 && at.is_multiple_of(self.distance) && self.sparse.last().is_none_or(|(last, _)| *last < at) {
            self.sparse.push((at, Rc::clone(&game)));
            if self.sparse.len() > self.sparse_room {
                self.distance = self.distance.saturating_mul(2);
                let distance = self.distance;
                self.sparse.retain(|(at, _)| at.is_multiple_of(distance));
            }
        }
        if self.recent.len() >= self.recent_room {
            self.recent.pop_front();
        }
        self.recent.push_back(game);
    }

    /// The answers from some place on, as they are kept in files.
    pub(crate) fn given_since(&self, depth: usize) -> impl Iterator<Item = Given> {
        let name = |number: &u32| self.names.name(*number);
        self.steps.iter().skip(depth).map(move |step| Given {
            seat: seat_key(step.asked.seat),
            option: name(&step.option),
            offered: format!("{:08x}", step.offered),
            others: step.others.iter().map(name).collect(),
            told: Some(format!("{:08x}", step.told)),
        })
    }

    /// Whether one of the last answers led to something that cannot be made unknown again.
    pub(crate) fn reveals(&self, count: usize) -> bool {
        self.steps.iter().rev().take(count).any(|step| step.reveals)
    }

    /// How many answers lie since the last question for which `wanted` holds.
    pub(crate) fn back_to(&self, wanted: impl Fn(Asked) -> bool) -> Option<usize> {
        self.steps.iter().rev().position(|step| wanted(step.asked))?.checked_add(1)
    }

    /// The game after so many answers, which are at most as many as there are less one; and the games before the last of
    /// them, as far as answers had to be given again.
    fn game_at(&self, answers: usize, host: &ScriptHost) -> Result<(Game, VecDeque<Rc<Game>>), Fault> {
        let first_recent = self.steps.len().saturating_sub(self.recent.len());
        let recent = answers.checked_sub(first_recent).and_then(|index| Some((index, self.recent.get(index)?)));
        if let Some((index, game)) = recent {
            let before = self.recent.iter().take(index).cloned().collect();
            return Ok(((**game).clone(), before));
        }
        let nearest = self.sparse.iter().rev().find(|(at, _)| *at <= answers);
        let Some((at, game)) = nearest else { return Err(Fault::new("the beginning of the game is not known")) };
        let (mut game, mut before) = ((**game).clone(), VecDeque::new());
        // One answer too few, if a test wants this to be wrong.
        let skipped = usize::from(game.rules().shortcuts.breaks(Promise::Undo) && answers > *at);
        for step in self.steps.get(*at..answers.saturating_sub(skipped)).unwrap_or_default() {
            if before.len() == self.recent_room {
                before.pop_front();
            }
            before.push_back(Rc::new(game.clone()));
            if let Err(error) = game.answer_fast(host, step.answer) {
                game.abandon(host);
                return Err(not_again(error));
            }
        }
        Ok((game, before))
    }

    /// Forgets all answers but the first so many, and gives the game after those.
    ///
    /// # Errors
    /// If answers that have to be given again are not taken, which a script that keeps something between two calls can bring
    /// about. Nothing is forgotten then.
    pub(crate) fn go_back(&mut self, answers: usize, host: &ScriptHost) -> Result<Option<Game>, Fault> {
        if answers >= self.steps.len() {
            return Ok(None);
        }
        let (game, before) = self.game_at(answers, host)?;
        self.steps.truncate(answers);
        self.sparse.retain(|(at, _)| *at == 0 || *at <= answers);
        self.recent = before;
        Ok(Some(game))
    }
}
