//! What a bot gives back: an answer, and what it thinks of all answers.

use rulepack_kernel::Answer;

/// An answer, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Thought {
    /// The answer.
    pub answer: Answer,
    /// What the bot thinks of the answers, the best first; nothing if it did not look ahead.
    pub judged: Vec<Judged>,
    /// How many games were played on to find out.
    pub simulated: u64,
}

/// What a bot thinks of an answer.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Judged {
    /// The answer.
    pub answer: Answer,
    /// In how many games it was given.
    pub tried: u64,
    /// The share of them that the seat won, of those that were played to their end; nothing if none was.
    pub wins: Option<f64>,
    /// The points of the seat, on average, at the end or where the game was cut off.
    pub points: f64,
}

impl Thought {
    /// An answer without a look ahead.
    pub fn plain(answer: Answer) -> Thought {
        Thought { answer, judged: Vec::new(), simulated: 0 }
    }
}
