//! Handles: players, pieces, spaces and zones as light userdata. They cost nothing to make and to compare, and hash the
//! same in every process.

use mlua::LightUserData;
use rulepack_kernel::{Cell, Ruleset, Value, ZoneIx};
use rulepack_model::{PieceId, Seat};

const SHIFT: u32 = 48;
const SEAT: usize = 1;
const PIECE: usize = 2;
const CELL: usize = 3;
const ZONE: usize = 4;
/// The number of an id of the pack. The prelude passes it to the host in place of a string; scripts never get one.
const WORD: usize = 5;

const _: () = assert!(usize::BITS == 64, "a handle has its kind above its 32 bits of id");

/// The form in the VM of the id with this number.
pub(crate) fn light_word(index: usize) -> LightUserData {
    LightUserData(std::ptr::without_provenance_mut(WORD << SHIFT | index))
}

/// The number of an id.
pub(crate) fn word_index(light: LightUserData) -> Option<usize> {
    let bits = light.0.addr();
    (bits >> SHIFT == WORD).then_some(bits & ((1 << SHIFT) - 1))
}

/// A part of the running game to which a script can refer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Handle {
    Seat(Seat),
    Piece(PieceId),
    Cell(Cell),
    Zone(ZoneIx),
}

impl Handle {
    /// Its form in the VM.
    pub(crate) fn light(self) -> LightUserData {
        let (tag, id) = match self {
            Handle::Seat(seat) => (SEAT, usize::from(seat.0)),
            Handle::Piece(piece) => (PIECE, piece.index()),
            Handle::Cell(cell) => (CELL, cell.zone.index() << 16 | usize::from(cell.at)),
            Handle::Zone(zone) => (ZONE, zone.index()),
        };
        LightUserData(std::ptr::without_provenance_mut(tag << SHIFT | id))
    }

    /// Decodes it. The casts are exact, because only [`Handle::light`] makes handles.
    #[allow(clippy::cast_possible_truncation)]
    pub(crate) fn from_light(light: LightUserData) -> Option<Handle> {
        let bits = light.0.addr();
        match bits >> SHIFT {
            SEAT => Some(Handle::Seat(Seat(bits as u8))),
            PIECE => Some(Handle::Piece(PieceId(bits as u32))),
            CELL => Some(Handle::Cell(Cell { zone: ZoneIx((bits >> 16) as u16), at: bits as u16 })),
            ZONE => Some(Handle::Zone(ZoneIx(bits as u16))),
            _ => None,
        }
    }

    /// Its form in the kernel; a zone is not a value there.
    pub(crate) fn value(self) -> Option<Value> {
        match self {
            Handle::Seat(seat) => Some(Value::Seat(seat)),
            Handle::Piece(piece) => Some(Value::Piece(piece)),
            Handle::Cell(cell) => Some(Value::Cell(cell)),
            Handle::Zone(_) => None,
        }
    }

    /// Its name for people: `card.inn`, `seat 1`, `quay 3`, `hand`.
    pub(crate) fn show(self, rules: &Ruleset) -> String {
        match self {
            Handle::Seat(seat) => format!("seat {}", u16::from(seat.0).saturating_add(1)),
            Handle::Piece(piece) => {
                format!("{}.{}", rules.kind(rules.kind_of(piece)).name, rules.ty(rules.type_of(piece)).name)
            }
            Handle::Cell(cell) => format!("{} {}", rules.zone_of(cell.zone).name, u32::from(cell.at).saturating_add(1)),
            Handle::Zone(zone) => rules.zone_of(zone).name.clone(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handles_survive_the_way_through_the_vm() {
        for handle in [
            Handle::Seat(Seat(3)),
            Handle::Piece(PieceId(u32::MAX)),
            Handle::Cell(Cell { zone: ZoneIx(u16::MAX), at: 7 }),
            Handle::Zone(ZoneIx(9)),
        ] {
            assert_eq!(Handle::from_light(handle.light()), Some(handle));
        }
        assert_eq!(Handle::from_light(LightUserData(std::ptr::null_mut())), None);
        assert_eq!((Handle::from_light(light_word(7)), word_index(light_word(7))), (None, Some(7)));
    }
}
