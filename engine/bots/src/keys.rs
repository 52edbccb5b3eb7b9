//! What an option is called in all tables that may be.
//!
//! In another table another piece lies in the same place. Two tables have an option in common if it is of the same kind about a
//! piece of the same name in the same place. A face-down piece that the asked player does not know is called by its place alone.

use std::collections::HashSet;
use std::hash::{Hash, Hasher};

use rulepack_kernel::{Ask, Decision, Game, Opt, Sight, Viewer};
use rulepack_model::{PieceId, Seat};

/// A quick hash that is the same on every machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct Mix(u64);

impl Mix {
    fn add(&mut self, word: u64) {
        let mixed = (self.0.rotate_left(26) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 29);
    }
}

impl Hasher for Mix {
    fn finish(&self) -> u64 {
        let mixed = (self.0 ^ (self.0 >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
        mixed ^ (mixed >> 32)
    }

    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.add(u64::from(*byte)));
    }

    fn write_u8(&mut self, word: u8) {
        self.add(u64::from(word));
    }

    fn write_u16(&mut self, word: u16) {
        self.add(u64::from(word));
    }

    fn write_u32(&mut self, word: u32) {
        self.add(u64::from(word));
    }

    fn write_u64(&mut self, word: u64) {
        self.add(word);
    }

    fn write_i32(&mut self, word: i32) {
        self.add(word as u64);
    }

    fn write_i64(&mut self, word: i64) {
        self.add(word as u64);
    }

    fn write_isize(&mut self, word: isize) {
        self.add(word as u64);
    }

    fn write_usize(&mut self, word: usize) {
        self.add(word as u64);
    }
}

/// Among so many names, one is found by looking at each of them.
const FEW: usize = 256;

/// The names of the options of a question.
#[derive(Debug, Default)]
pub struct Keys {
    /// The names in a tree, each different from the others.
    pub exact: Vec<u64>,
    /// Names that do without places, so that what was learnt of an option holds wherever the piece lies.
    pub rough: Vec<u64>,
    /// The names in a tree, if there are many.
    many: HashSet<u64>,
}

impl Keys {
    /// Reads the options of a question.
    pub fn read(&mut self, game: &Game, decision: &Decision) {
        self.exact.clear();
        self.rough.clear();
        self.many.clear();
        let is_many = decision.options.len() > FEW;
        let question = question_key(decision.ask);
        for option in &decision.options {
            self.rough.push(rough_key(game, question, *option));
            let mut key = exact_key(game, decision.seat, question, *option);
            // Alike in everything that is read here, such as pieces that carry different stock.
            while if is_many { !self.many.insert(key) } else { self.exact.contains(&key) } {
                key = key.wrapping_add(1);
            }
            self.exact.push(key);
        }
    }
}

/// What a question is called.
pub fn question_key(ask: Ask) -> u64 {
    let mut mix = Mix::default();
    ask.hash(&mut mix);
    mix.finish()
}

/// What an option is called, wherever its piece lies.
pub fn rough_key(game: &Game, question: u64, option: Opt) -> u64 {
    let mut mix = Mix(question);
    match option.piece() {
        Some(piece) => {
            option.with_piece(PieceId(0)).hash(&mut mix);
            game.rules().called(piece).hash(&mut mix);
        }
        None => option.hash(&mut mix),
    }
    mix.finish()
}

fn exact_key(game: &Game, seat: Seat, question: u64, option: Opt) -> u64 {
    let mut mix = Mix(question);
    seat.hash(&mut mix);
    let Some(piece) = option.piece() else {
        option.hash(&mut mix);
        return mix.finish();
    };
    option.with_piece(PieceId(0)).hash(&mut mix);
    let (rules, state) = (game.rules(), game.state());
    let lies = state.piece(piece);
    (lies.zone, lies.at, lies.face_down).hash(&mut mix);
    let is_known = !lies.face_down || Sight::new(rules, state, Viewer::Seat(seat)).may_choose_by_name(piece);
    match is_known {
        true => rules.called(piece).hash(&mut mix),
        false => state.zone(lies.zone).position(|other| other == piece).hash(&mut mix),
    }
    mix.finish()
}
