//! The history of a game in little memory: every answer, and copies of the game at a few places.
//!
//! A copy of a large game takes some hundred kilobytes, so it is not kept for every answer. The last [`RECENT`] copies
//! are kept, so that undo is fast, and at most [`SPARSE`] older ones, fewer if they would hold more than
//! [`MOST_BYTES`]. When there are more, every second one is dropped and the distance between them doubles. To go back
//! to a place without a copy, answers are given again from the nearest copy before it.

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

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, PoisonError};

use rulepack_kernel::{Answer, AnswerError, Ask, Fault, Game, Given, Promise, Ruleset, Value, seat_key};
use rulepack_model::Seat;
use rulepack_script::ScriptHost;

/// The number of answers that can be undone one by one without giving any again.
const RECENT: usize = 16;
/// The largest number of older copies.
const SPARSE: usize = 64;
/// The first distance between older copies.
const DISTANCE: usize = 16;

/// The largest number of bytes of all copies together. There are always two copies: the beginning, and the game before
/// the last answer.
const MOST_BYTES: usize = 64 << 20;

/// An estimate of the bytes of a copy: twice its table, because a waiting script keeps the table on which it began.
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

/// The fault of an answer that was accepted before and is now refused.
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
    /// The subject of the question.
    pub ask: Ask,
}

/// One answer. Names are stored once for all answers: see [`Names`].
#[derive(Debug, Clone)]
struct Step {
    asked: Asked,
    answer: Answer,
    option: u32,
    others: Box<[u32]>,
    offered: u32,
    told: u32,
    reveals: bool,
    /// The number of answers before those of a `together` to which this one belongs.
    together: Option<usize>,
}

/// Every name so far, with a number.
#[derive(Debug, Clone, Default)]
struct Names {
    names: Vec<Arc<str>>,
    numbers: BTreeMap<Arc<str>, u32>,
}

impl Names {
    fn known(&self, name: &str) -> Option<u32> {
        self.numbers.get(name).copied()
    }

    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.known(name) {
            return number;
        }
        let (number, name) = (self.names.len() as u32, Arc::<str>::from(name));
        self.names.push(Arc::clone(&name));
        self.numbers.insert(name, number);
        number
    }

    fn name(&self, number: u32) -> String {
        self.names.get(number as usize).map_or_else(String::new, |name| name.to_string())
    }
}

/// A game that several histories share, in any thread. The cache of a game is for one thread at a time, hence the lock;
/// it is held only while the game is copied.
#[derive(Debug, Clone)]
struct Kept(Arc<Mutex<Game>>);

impl Kept {
    fn new(game: Game) -> Kept {
        Kept(Arc::new(Mutex::new(game)))
    }

    /// A copy to play on.
    fn game(&self) -> Game {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// The number of answers in one block.
const BLOCK: usize = 64;

/// All answers, in blocks of [`BLOCK`] that copies of a history share: a copy costs a pointer for each block.
#[derive(Debug, Clone, Default)]
struct Steps(Vec<Arc<Vec<Step>>>);

impl Steps {
    fn len(&self) -> usize {
        let full = self.0.len().saturating_sub(1).saturating_mul(BLOCK);
        self.0.last().map_or(0, |last| full.saturating_add(last.len()))
    }

    fn push(&mut self, step: Step) {
        match self.0.last_mut() {
            Some(last) if last.len() < BLOCK => Arc::make_mut(last).push(step),
            _ => self.0.push(Arc::new(vec![step])),
        }
    }

    fn truncate(&mut self, len: usize) {
        self.0.truncate(len.div_ceil(BLOCK));
        let first_of_last = self.0.len().saturating_sub(1).saturating_mul(BLOCK);
        let left = len.saturating_sub(first_of_last);
        if let Some(last) = self.0.last_mut().filter(|last| last.len() > left) {
            Arc::make_mut(last).truncate(left);
        }
    }

    fn iter(&self) -> impl DoubleEndedIterator<Item = &Step> {
        self.0.iter().flat_map(|block| block.iter())
    }

    fn since(&self, depth: usize) -> impl Iterator<Item = &Step> {
        let skipped = depth / BLOCK;
        self.0.iter().skip(skipped).flat_map(|block| block.iter()).skip(depth % BLOCK)
    }
}

/// All answers since a game began or was loaded, and copies of the game at some of them. It can be moved to another thread, and
/// a copy of it shares nearly all of its memory.
#[derive(Debug, Clone)]
pub(crate) struct Past {
    steps: Steps,
    names: Arc<Names>,
    /// The game after a number of answers, in ascending order. The first is the beginning.
    sparse: Vec<(usize, Kept)>,
    distance: usize,
    /// The game before each of the last answers.
    recent: VecDeque<Kept>,
    /// How many copies there may be of each sort.
    sparse_room: usize,
    recent_room: usize,
}

impl Past {
    /// The history of a game that begins.
    pub(crate) fn new(game: &Game) -> Past {
        // Of every five copies, this many are older ones.
        const OF_FIVE: usize = 5 * SPARSE / (SPARSE + RECENT);
        let room = MOST_BYTES.checked_div(bytes_of_copy(game.rules())).unwrap_or(0);
        let sparse_room = (room / 5).saturating_mul(OF_FIVE).clamp(1, SPARSE);
        Past {
            sparse_room,
            recent_room: room.saturating_sub(sparse_room).clamp(1, RECENT),
            steps: Steps::default(),
            names: Arc::default(),
            sparse: vec![(0, Kept::new(game.clone()))],
            distance: DISTANCE,
            recent: VecDeque::new(),
        }
    }

    /// The number of answers.
    pub(crate) fn len(&self) -> usize {
        self.steps.len()
    }

    /// The game before the last answer.
    pub(crate) fn last(&self) -> Option<Game> {
        self.recent.back().map(Kept::game)
    }

    /// The number of a name. Copies of this history share the names until one of them meets a new one.
    fn number(&mut self, name: &str) -> u32 {
        self.names.known(name).unwrap_or_else(|| Arc::make_mut(&mut self.names).number(name))
    }

    /// Records an answer, with the game before it.
    pub(crate) fn note(&mut self, before: Game, answer: Answer, given: &Given, reveals: bool, together: Option<usize>) {
        let Some(decision) = before.decision() else { return };
        let asked = Asked { seat: decision.seat, ask: decision.ask };
        // Digests are eight hexadecimal digits that this crate has written.
        let digest = |text: &str| u32::from_str_radix(text, 16).unwrap_or_default();
        let step = Step {
            asked,
            answer,
            option: self.number(&given.option),
            others: given.others.iter().map(|name| self.number(name)).collect(),
            offered: digest(&given.offered),
            told: given.told.as_deref().map(digest).unwrap_or_default(),
            reveals,
            together,
        };
        self.keep(before);
        self.steps.push(step);
    }

    /// Keeps the game before the next answer.
    fn keep(&mut self, game: Game) {
        let at = self.steps.len();
        let game = Kept::new(game);
        if at > 0 && at.is_multiple_of(self.distance) && self.sparse.last().is_none_or(|(last, _)| *last < at) {
            self.sparse.push((at, game.clone()));
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

    /// The answers from some place on, in the form for files.
    pub(crate) fn given_since(&self, depth: usize) -> impl Iterator<Item = Given> {
        let name = |number: &u32| self.names.name(*number);
        self.steps.since(depth).map(move |step| Given {
            seat: seat_key(step.asked.seat),
            option: name(&step.option),
            offered: format!("{:08x}", step.offered),
            others: step.others.iter().map(name).collect(),
            told: Some(format!("{:08x}", step.told)),
        })
    }

    /// Whether one of the last answers revealed something that undo would not make unknown again.
    pub(crate) fn reveals(&self, count: usize) -> bool {
        self.steps.iter().rev().take(count).any(|step| step.reveals)
    }

    /// Where the `together` began to which the question after so many answers belongs, if it was answered.
    pub(crate) fn together_at(&self, answers: usize) -> Option<usize> {
        self.steps.since(answers).next()?.together
    }

    /// Who gave the answers from some place on, and which.
    pub(crate) fn answers_since(&self, depth: usize) -> impl Iterator<Item = (Seat, Answer)> {
        self.steps.since(depth).map(|step| (step.asked.seat, step.answer))
    }

    /// The number of answers since the last question for which `wanted` holds.
    pub(crate) fn back_to(&self, wanted: impl Fn(Asked) -> bool) -> Option<usize> {
        self.steps.iter().rev().position(|step| wanted(step.asked))?.checked_add(1)
    }

    /// The game after this number of answers, which must be smaller than the number of all; and the games before the last of
    /// them, as far as answers had to be given again.
    fn game_at(&self, answers: usize, host: &ScriptHost) -> Result<(Game, VecDeque<Kept>), Fault> {
        let first_recent = self.steps.len().saturating_sub(self.recent.len());
        let recent = answers.checked_sub(first_recent).and_then(|index| Some((index, self.recent.get(index)?)));
        if let Some((index, game)) = recent {
            let before = self.recent.iter().take(index).cloned().collect();
            return Ok((game.game(), before));
        }
        let nearest = self.sparse.iter().rev().find(|(at, _)| *at <= answers);
        let Some((at, game)) = nearest else { return Err(Fault::new("the beginning of the game is not known")) };
        let (mut game, mut before) = (game.game(), VecDeque::new());
        // One answer too few, if a test wants this to be wrong.
        let skipped = usize::from(game.rules().shortcuts.breaks(Promise::Undo) && answers > *at);
        for step in self.steps.since(*at).take(answers.saturating_sub(skipped).saturating_sub(*at)) {
            if before.len() == self.recent_room {
                before.pop_front();
            }
            before.push_back(Kept::new(game.clone()));
            if let Err(error) = game.answer_fast(host, step.answer) {
                game.abandon(host);
                return Err(not_again(error));
            }
        }
        Ok((game, before))
    }

    /// Forgets all answers but the first ones, and returns the game after those.
    ///
    /// # Errors
    /// If answers are refused when they are given again, which can happen if a script keeps a value between two calls.
    /// Nothing is forgotten then.
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
