//! The table, drawn in letters: for reports, and for `play --plain`.

use rulepack_kernel::{Ruleset, View, Words};
use rulepack_model::visible::joined;

use crate::screen::{Board, Line};

/// The width of a table that is not on a full screen.
pub const COLUMNS: usize = 80;

/// The table as a viewer sees it.
pub fn picture(view: &View, rules: &Ruleset, words: &Words<'_>) -> String {
    let board = Board { view, words, rules, own: None, before: None, all: false, search: "", width: COLUMNS };
    joined(board.lines().iter().map(Line::plain))
}
