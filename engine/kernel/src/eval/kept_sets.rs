//! Sets that an effect has given a name: `let foes = board where it.owner != me`. Their members are the ones that the set had
//! then, whatever has changed since.
//!
//! The members stand behind the slots of the effect, so that whoever copies the slots copies them too: a question that is
//! tried out, a save, an undo. The slot of the name says where they are.

use std::ops::ControlFlow;

use rulepack_model::Local;

use crate::eval::expressions::{Eval, Locals, Slots, slot};
use crate::lower::Walk;
use crate::state::value::Value;

/// Where the members of a named set are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KeptSet {
    start: usize,
    count: usize,
    /// Whether, as far as others know, something hidden from somebody was, or might have been, a member.
    pub(crate) is_hidden: bool,
}

impl KeptSet {
    /// What the slot of a name says.
    pub(crate) fn of(locals: &Locals, local: Local) -> KeptSet {
        let word = slot(locals, local).int().cast_unsigned();
        let (start, count) = (word >> 32, word >> 1 & u64::from(u32::MAX >> 1));
        KeptSet { start: start as usize, count: count as usize, is_hidden: word & 1 == 1 }
    }

    fn value(self) -> Value {
        let word = (self.start as u64) << 32 | (self.count as u64) << 1 | u64::from(self.is_hidden);
        Value::Int(word.cast_signed())
    }

    fn range(self) -> std::ops::Range<usize> {
        self.start..self.start.saturating_add(self.count)
    }

    /// The number of members.
    pub(crate) fn count(self) -> usize {
        self.count
    }

    /// A member, if there are as many.
    pub(crate) fn member(self, locals: &Locals, index: usize) -> Option<Value> {
        locals.get(self.range())?.get(index).copied()
    }
}

/// A step that gives a set a name.
pub(crate) struct Keeper {
    /// The slot of the name.
    pub(crate) into: usize,
    pub(crate) from: Walk,
    /// The slots of all names that the effect gives to sets, and the number of its slots without their members.
    pub(crate) names: Box<[usize]>,
    pub(crate) slots: usize,
}

impl Keeper {
    /// Finds the members and puts them behind the slots, in the place of those that the name had before.
    #[inline(never)]
    pub(crate) fn keep(&self, eval: &Eval<'_>, slots: &mut Slots) {
        let local = Local(self.into as u16);
        let before = KeptSet::of(slots, local);
        let mut members = Vec::new();
        let _ = self.from.each(eval, slots, |value, _| {
            members.push(value);
            ControlFlow::Continue(())
        });
        let is_hidden = eval.choice_is_hidden(&self.from.set, slots, 0, &[]);
        if !eval.state.fuel().burn_many((members.len() + slots.len()) / 16) {
            return;
        }
        self.forget(before, slots);
        let kept = KeptSet { start: slots.len(), count: members.len(), is_hidden };
        slots.extend(members);
        slots[self.into] = kept.value();
    }

    /// Removes the members that the name had before; those of other names move up.
    fn forget(&self, before: KeptSet, slots: &mut Slots) {
        if before.count == 0 || before.start < self.slots || before.range().end > slots.len() {
            return;
        }
        slots.drain(before.range());
        for name in self.names.iter().filter(|name| **name != self.into) {
            let other = KeptSet::of(slots, Local(*name as u16));
            if other.count > 0 && other.start > before.start {
                slots[*name] = KeptSet { start: other.start - before.count, ..other }.value();
            }
        }
    }
}
