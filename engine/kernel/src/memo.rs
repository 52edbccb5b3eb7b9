//! Derived values that were worked out already, for as long as nothing has changed that they look at.

use std::cell::{Cell, OnceCell};
use std::hash::{Hash, Hasher};

use rulepack_model::ValueId;

use crate::parts::Parts;
use crate::value::Value;

/// As many are kept; a new one takes the place of an old one.
const KEPT: usize = 128;

/// What is remembered. It follows from the table, so that it is no part of what a state *is*, and a copy begins without it.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    /// How often each part of the table has changed.
    changes: [u32; Parts::COUNT],
    entries: OnceCell<Box<[Cell<Entry>; KEPT]>>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    key: u64,
    stamp: u32,
    value: Value,
}

const NOTHING: Entry = Entry { key: u64::MAX, stamp: 0, value: Value::Nil };

impl Clone for Memo {
    fn clone(&self) -> Self {
        Memo::default()
    }

    fn clone_from(&mut self, _: &Self) {
        // What is remembered of another table is of no use; its memory is.
        self.changed(Parts::ALL);
    }
}

impl PartialEq for Memo {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Memo {}

impl Hash for Memo {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// A derived value of something, as the table is now.
#[derive(Clone, Copy)]
pub(crate) struct Asked {
    key: u64,
    stamp: u32,
}

impl Memo {
    /// Notes that parts of the table have changed.
    #[inline]
    pub(crate) fn changed(&mut self, parts: Parts) {
        for (part, changes) in self.changes.iter_mut().enumerate() {
            *changes = changes.wrapping_add(u32::from(parts.has(part)));
        }
    }

    /// What is asked: it is known again as long as nothing of what the value reads has changed.
    #[inline]
    pub(crate) fn asked(&self, value: ValueId, reads: Parts, of: Value) -> Option<Asked> {
        let of = match of {
            Value::Nil => 0,
            Value::Seat(seat) => 1 | u64::from(seat.0) << 2,
            Value::Piece(piece) => 2 | u64::from(piece.0) << 2,
            _ => return None,
        };
        let changes = self.changes.iter().enumerate().map(|(part, changes)| if reads.has(part) { *changes } else { 0 });
        Some(Asked { key: u64::from(value.0) | of << 16, stamp: changes.fold(0, u32::wrapping_add) })
    }

    pub(crate) fn get(&self, asked: Asked) -> Option<Value> {
        let entry = self.entries.get()?[place(asked.key)].get();
        (entry.key == asked.key && entry.stamp == asked.stamp).then_some(entry.value)
    }

    pub(crate) fn keep(&self, asked: Asked, value: Value) {
        let entries = self.entries.get_or_init(|| Box::new([const { Cell::new(NOTHING) }; KEPT]));
        entries[place(asked.key)].set(Entry { key: asked.key, stamp: asked.stamp, value });
    }
}

fn place(key: u64) -> usize {
    (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 57) as usize % KEPT
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_known_until_something_changes_that_it_reads() {
        let mut memo = Memo::default();
        let reads = Parts::IN_PLAY.and(Parts::VARS);
        let ask = |memo: &Memo| memo.asked(ValueId(3), reads, Value::Nil).expect("it can be asked");
        assert_eq!(memo.get(ask(&memo)), None);
        memo.keep(ask(&memo), Value::Int(7));
        memo.changed(Parts::RESOURCES);
        assert_eq!(memo.get(ask(&memo)), Some(Value::Int(7)));
        memo.changed(Parts::VARS);
        assert_eq!(memo.get(ask(&memo)), None);
        memo.keep(ask(&memo), Value::Int(8));
        // Another table may be like that one in every number.
        memo.clone_from(&Memo::default());
        assert_eq!(memo.get(ask(&memo)), None);
    }

    #[test]
    fn values_of_others_are_others() {
        let memo = Memo::default();
        let ask = |value, of| memo.asked(ValueId(value), Parts::ALL, of).expect("it can be asked");
        memo.keep(ask(0, Value::Seat(rulepack_model::Seat(1))), Value::Int(1));
        assert_eq!(memo.get(ask(0, Value::Seat(rulepack_model::Seat(0)))), None);
        assert_eq!(memo.get(ask(0, Value::Piece(rulepack_model::PieceId(1)))), None);
        assert_eq!(memo.get(ask(1, Value::Seat(rulepack_model::Seat(1)))), None);
        assert_eq!(memo.get(ask(0, Value::Seat(rulepack_model::Seat(1)))), Some(Value::Int(1)));
    }
}
