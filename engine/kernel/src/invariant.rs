//! What must hold of every table at every decision, whatever a pack does.

use rulepack_model::{PieceId, ResId};

use crate::ruleset::Ruleset;
use crate::state::{NONE, State};
use crate::value::ZoneIx;

/// More levels of pieces on pieces are nobody's table.
const MAX_PILE: usize = 64;

/// Whether pieces and resources are all there: every piece in exactly one zone, nothing below zero, limited resources
/// neither made nor lost.
///
/// # Errors
/// A sentence about the first thing that does not hold.
pub fn check_invariants(rules: &Ruleset, state: &State) -> Result<(), String> {
    check_pieces(rules, state)?;
    check_amounts(rules, state)?;
    check_kept(rules, state)?;
    if !state.spaces_are_right(rules) {
        return Err("what is counted along with the pieces is not what lies there".to_string());
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

/// Whether the tables have the right sizes and no amount is below zero or beyond counting.
pub(crate) fn check_amounts(rules: &Ruleset, state: &State) -> Result<(), String> {
    const MOST: i32 = 10_000_000;
    let players = rules.players as usize;
    let tables = [
        ("resources of players", &state.amounts, players * rules.resources.len()),
        ("resources of the supply", &state.supply, rules.resources.len()),
        ("resources on pieces", &state.held, rules.held_slots),
    ];
    for (what, table, size) in tables {
        if table.len() != size {
            return Err(format!("the table of {what} has {} places instead of {size}", table.len()));
        }
        if let Some(wrong) = table.iter().find(|amount| !(0..=MOST).contains(*amount)) {
            return Err(format!("the table of {what} holds {wrong}"));
        }
    }
    Ok(())
}

/// Whether players have as much of what is kept on pieces as lies there.
pub(crate) fn check_kept(rules: &Ruleset, state: &State) -> Result<(), String> {
    let mut counted = state.clone();
    counted.count_kept(rules);
    if counted.amounts == state.amounts {
        return Ok(());
    }
    Err("a player has another amount of a resource than lies on that player's pieces".to_string())
}

/// Whether every piece is in exactly one zone, in a space that is there, and lies on something beside it.
pub(crate) fn check_pieces(rules: &Ruleset, state: &State) -> Result<(), String> {
    if state.pieces.len() != rules.pieces.len() {
        return Err(format!("there are {} pieces instead of {}", state.pieces.len(), rules.pieces.len()));
    }
    if state.zones.len() != rules.zone_instances.len() {
        return Err(format!("there are {} zones instead of {}", state.zones.len(), rules.zone_instances.len()));
    }
    let mut found = vec![false; state.pieces.len()];
    for (index, chain) in state.zones.iter().enumerate() {
        let name = &rules.zones[rules.zone_instances[index].0.index()].name;
        let (mut at, mut previous, mut count) = (chain.first, NONE, 0u32);
        while at != NONE {
            let Some(piece) = state.pieces.get(at as usize) else {
                return Err(format!("`{name}` holds a piece that does not exist"));
            };
            if std::mem::replace(&mut found[at as usize], true) {
                return Err(format!("a piece is twice in the zones, the second time in `{name}`"));
            }
            if piece.zone.index() != index || piece.previous != previous {
                return Err(format!("the order of the pieces in `{name}` is broken"));
            }
            count += 1;
            previous = at;
            at = piece.next;
        }
        if chain.last != previous || chain.count != count {
            return Err(format!("`{name}` counts {} pieces and holds {count}", chain.count));
        }
    }
    if let Some(lost) = found.iter().position(|found| !found) {
        let ty = &rules.types[rules.type_of(PieceId::from(lost)).index()];
        return Err(format!("a piece `{}` is in no zone", ty.name));
    }
    (0..state.pieces.len()).try_for_each(|piece| check_place(rules, state, PieceId::from(piece)))
}

fn check_place(rules: &Ruleset, state: &State, piece: PieceId) -> Result<(), String> {
    let lies = state.piece(piece);
    let name = &rules.types[rules.type_of(piece).index()].name;
    let zone = rules.zone_of(ZoneIx(lies.zone.0));
    if lies.at >= zone.layout.cells().max(1) {
        return Err(format!("`{name}` is in a space of `{}` that does not exist", zone.name));
    }
    let mut above = piece;
    for _ in 0..MAX_PILE {
        let host = state.piece(above).host;
        if host == NONE {
            return Ok(());
        }
        let Some(below) = state.pieces.get(host as usize) else {
            return Err(format!("`{name}` lies on a piece that does not exist"));
        };
        if (below.zone, below.at) != (lies.zone, lies.at) {
            return Err(format!("`{name}` lies on a piece that is somewhere else"));
        }
        above = PieceId(host);
    }
    Err(format!("`{name}` lies on too many pieces, or on itself"))
}
