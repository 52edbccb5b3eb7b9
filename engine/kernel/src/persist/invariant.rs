//! Invariants of a state: they hold at every decision, whatever a pack does.

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

use rulepack_model::{PieceId, ResId};

use crate::rules::ruleset::Ruleset;
use crate::state::table::{NONE, PieceState, State, Stored};
use crate::state::value::ZoneIx;

/// The largest number of pieces that lie on one another. No game needs more, and functions that show a pile call themselves
/// for each piece of it.
const MAX_PILE: usize = 2_000;

/// Whether no piece and no unit of a resource was lost or made: every piece is in exactly one zone, no amount is below zero,
/// and there are as many units of a limited resource as at the start.
///
/// # Errors
/// A sentence about the first thing that does not hold.
pub fn check_invariants(rules: &Ruleset, state: &State) -> Result<(), String> {
    check_pieces(rules, state)?;
    check_amounts(rules, state)?;
    check_kept(rules, state)?;
    if !state.spaces_are_right(rules) {
        return Err("the counts of pieces for each space do not fit the pieces that lie there".to_string());
    }
    for (index, resource) in rules.resources.iter().enumerate() {
        let Some(supply) = resource.supply else { continue };
        let total = state.total(rules, ResId::from(index));
        if total != i64::from(supply) {
            return Err(format!("there are {total} of `{}`, and there must be {supply}", resource.name));
        }
    }
    Ok(())
}

/// Whether the tables have the right sizes and no amount is below zero. There is no upper limit, because adding to an amount
/// cannot overflow.
pub(crate) fn check_amounts(rules: &Ruleset, state: &State) -> Result<(), String> {
    let (players, table) = (rules.players as usize, state.stored());
    let tables = [
        ("resources of players", table.amounts, players.saturating_mul(rules.resources.len())),
        ("resources of the supply", table.supply, rules.resources.len()),
        ("resources on pieces", table.held, rules.held_slots),
    ];
    for (what, table, size) in tables {
        if table.len() != size {
            return Err(format!("the table of {what} has {} places instead of {size}", table.len()));
        }
        if let Some(wrong) = table.iter().find(|amount| **amount < 0) {
            return Err(format!("the table of {what} holds {wrong}"));
        }
    }
    Ok(())
}

/// Whether each player has as many units of a kept resource as lie on the player's pieces.
pub(crate) fn check_kept(rules: &Ruleset, state: &State) -> Result<(), String> {
    // A copy, which is dropped with its caches: a state from a file is not complete yet, so values cached now would be wrong.
    let state = &state.clone();
    for (res, seat) in state.kept_amounts(rules) {
        // If the sum is too large for an amount, the amount of the player depends on the order in which it was added up.
        let is_right = |lies: i64| lies > i64::from(i32::MAX) || lies == i64::from(state.amount(rules, seat, res));
        if !is_right(state.kept_by(rules, seat, res)) {
            return Err("a player has another amount of a resource than lies on that player's pieces".to_string());
        }
    }
    Ok(())
}

/// Whether every piece is in exactly one zone, in a space that is there, and lies on something beside it.
pub(crate) fn check_pieces(rules: &Ruleset, state: &State) -> Result<(), String> {
    let Stored { pieces, zones, .. } = state.stored();
    if pieces.len() != rules.pieces.len() {
        return Err(format!("there are {} pieces instead of {}", pieces.len(), rules.pieces.len()));
    }
    if zones.len() != rules.zone_instances.len() {
        return Err(format!("there are {} zones instead of {}", zones.len(), rules.zone_instances.len()));
    }
    let mut found = vec![false; pieces.len()];
    for (index, (chain, (zone, _))) in zones.iter().zip(&rules.zone_instances).enumerate() {
        let name = &rules.zone(*zone).name;
        let (first, last, counted) = chain.ends();
        let (mut at, mut previous, mut count) = (first, NONE, 0u32);
        while at != NONE {
            let Some(piece) = pieces.get(at as usize) else {
                return Err(format!("`{name}` holds a piece that does not exist"));
            };
            if found.get_mut(at as usize).is_some_and(|found| std::mem::replace(found, true)) {
                return Err(format!("a piece is twice in the zones, the second time in `{name}`"));
            }
            if piece.zone.index() != index || piece.links().previous != previous {
                return Err(format!("the order of the pieces in `{name}` is broken"));
            }
            count = count.saturating_add(1);
            previous = at;
            at = piece.links().next;
        }
        if last != previous || counted != count {
            return Err(format!("`{name}` counts {counted} pieces and holds {count}"));
        }
    }
    if let Some(lost) = found.iter().position(|found| !found) {
        let ty = rules.ty(rules.type_of(PieceId::from(lost)));
        return Err(format!("a piece `{}` is in no zone", ty.name));
    }
    (0..pieces.len()).try_for_each(|piece| check_place(rules, pieces, PieceId::from(piece)))?;
    check_piles(rules, pieces)
}

fn check_place(rules: &Ruleset, pieces: &[PieceState], piece: PieceId) -> Result<(), String> {
    let Some(lies) = pieces.get(piece.index()) else { return Ok(()) };
    let name = &rules.ty(rules.type_of(piece)).name;
    let zone = rules.zone_of(ZoneIx(lies.zone.0));
    if lies.at >= zone.layout.cells().max(1) {
        return Err(format!("`{name}` is in a space of `{}` that does not exist", zone.name));
    }
    let host = lies.links().host;
    if host == NONE {
        return Ok(());
    }
    match pieces.get(host as usize) {
        None => Err(format!("`{name}` lies on a piece that does not exist")),
        Some(below) if (below.zone, below.at) != (lies.zone, lies.at) => {
            Err(format!("`{name}` lies on a piece that is somewhere else"))
        }
        Some(_) => Ok(()),
    }
}

/// Whether no piece lies on itself, and no pile is too high. Every piece is visited once.
fn check_piles(rules: &Ruleset, pieces: &[PieceState]) -> Result<(), String> {
    let mut heights = vec![0_usize; pieces.len()];
    let mut pile = Vec::new();
    for piece in 0..pieces.len() {
        let mut at = piece as u32;
        // Goes down to the lowest piece, or to one whose height is known.
        let known = |at: u32, heights: &[usize]| heights.get(at as usize).copied().unwrap_or(0);
        while let Some(lies) = pieces.get(at as usize)
            && known(at, &heights) == 0
            && pile.len() <= MAX_PILE
        {
            pile.push(at as usize);
            at = lies.links().host;
        }
        let mut height = known(at, &heights);
        if height.saturating_add(pile.len()) > MAX_PILE {
            let name = &rules.ty(rules.type_of(PieceId::from(piece))).name;
            return Err(format!("`{name}` lies on too many pieces, or on itself"));
        }
        while let Some(above) = pile.pop() {
            height = height.saturating_add(1);
            heights.get_mut(above).into_iter().for_each(|place| *place = height);
        }
    }
    Ok(())
}
