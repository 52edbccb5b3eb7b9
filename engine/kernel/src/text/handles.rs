//! Handles: the same text for a thing in views and in options, so that a click on a thing in a view can be an answer.
//!
//! The handles of spaces, players, resources and types are public names. Those of pieces are different for each viewer: see the
//! crate `rulepack`.

use rulepack_model::Seat;

use crate::rules::ruleset::Ruleset;
use crate::state::value::Cell;
use crate::text::keys::{seat_key, space_key};

/// The handle of a player, such as `player:1`.
pub fn seat_handle(seat: Seat) -> String {
    format!("player:{}", seat.index() + 1)
}

/// The handle of a space, such as `space:row.II.left` or `space:player_1.hand`; a zone without spaces is one space.
pub fn cell_handle(rules: &Ruleset, cell: Cell) -> String {
    let owner = rules.zone_owner(cell.zone).map_or(String::new(), |owner| format!("{}.", seat_key(owner)));
    let space = space_key(rules, cell).map_or(String::new(), |space| format!(".{space}"));
    format!("space:{owner}{}{space}", rules.zone_of(cell.zone).name)
}
