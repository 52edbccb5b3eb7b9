//! Slots: the values of `me`, `self`, the parameters and the variables of an expression, such as `it`.

use rulepack_model::{PieceId, Seat};
use smallvec::SmallVec;

use crate::state::value::Value;

/// More slots than these are allocated on the heap.
const INLINE: usize = 8;

/// Enough slots for most expressions.
const FEW: usize = 4;

/// The slots of a frame.
pub type Slots = SmallVec<[Value; INLINE]>;

/// The slots that an expression reads and writes, whoever owns them.
pub type Locals = [Value];

/// Slots for an expression: `me`, `self`, then others.
#[inline]
pub fn slots(me: Option<Seat>, this: Option<PieceId>, args: &[Value], count: u16) -> Slots {
    let len = (args.len() + 2).max(count as usize);
    if len > INLINE {
        return many_slots(me.map_or(Value::Nil, Value::Seat), this.map_or(Value::Nil, Value::Piece), args, len);
    }
    let mut first = [Value::Nil; INLINE];
    put_first(&mut first, me, this);
    first[2..args.len() + 2].copy_from_slice(args);
    Slots::from_buf_and_len(first, len)
}

/// Writes `me` and `self` directly into their slots: copying values that have just been written is slower.
#[inline(always)]
fn put_first(slots: &mut Locals, me: Option<Seat>, this: Option<PieceId>) {
    if let Some(seat) = me {
        slots[0] = Value::Seat(seat);
    }
    if let Some(piece) = this {
        slots[1] = Value::Piece(piece);
    }
}

/// Like [`slots`], into an existing empty list.
#[inline]
pub(crate) fn fill(slots: &mut Slots, me: Option<Seat>, this: Option<PieceId>, args: &[Value], count: u16) {
    slots.push(Value::Nil);
    slots.push(Value::Nil);
    put_first(slots, me, this);
    for arg in args {
        slots.push(*arg);
    }
    for _ in slots.len()..count as usize {
        slots.push(Value::Nil);
    }
}

#[inline(never)]
fn many_slots(me: Value, this: Value, args: &[Value], len: usize) -> Slots {
    let mut locals = Slots::with_capacity(len);
    locals.extend_from_slice(&[me, this]);
    locals.extend_from_slice(args);
    locals.resize(len, Value::Nil);
    locals
}

/// A copy of slots, with empty ones added up to `count`.
pub(crate) fn widened(locals: &Locals, count: u16) -> Slots {
    let len = locals.len().max(count as usize);
    if len <= INLINE {
        let mut all = [Value::Nil; INLINE];
        all[..locals.len()].copy_from_slice(locals);
        return Slots::from_buf_and_len(all, len);
    }
    let mut slots = Slots::from_slice(locals);
    slots.resize(len, Value::Nil);
    slots
}

/// Calls a function with slots that exist only for the call.
#[inline]
pub(super) fn with_slots<T>(
    me: Option<Seat>,
    this: Option<PieceId>,
    args: &[Value],
    count: u16,
    work: impl FnOnce(&mut Locals) -> T,
) -> T {
    if args.is_empty() && count as usize <= FEW {
        let mut locals = [Value::Nil; FEW];
        put_first(&mut locals, me, this);
        return work(&mut locals);
    }
    if (args.len() + 2).max(count as usize) > INLINE {
        return work(&mut slots(me, this, args, count));
    }
    let mut locals = [Value::Nil; INLINE];
    put_first(&mut locals, me, this);
    if !args.is_empty() {
        locals[2..args.len() + 2].copy_from_slice(args);
    }
    work(&mut locals)
}

/// A copy of slots.
#[inline]
pub(crate) fn copied(locals: &Locals) -> Slots {
    widened(locals, 0)
}

/// The value in a slot.
#[inline]
pub(crate) fn slot(locals: &Locals, local: rulepack_model::Local) -> Value {
    locals.get(local.index()).copied().unwrap_or_default()
}
