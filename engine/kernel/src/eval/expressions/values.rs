//! Derived values: a base, and the changes that pieces in play make to it.
//!
//! A computed value is cached until something changes that it has read (`state/cache.rs`). `cache_policy.rs` decides which
//! values are not worth caching.

use rulepack_expr::{SELF, Subject};
use rulepack_model::{ExprId, PieceId, Seat, ValueId};

use super::{Eval, Locals, with_slots};
use crate::rules::facts::value_bit;
use crate::rules::ruleset::CompiledExpr;
use crate::rules::shortcuts::Shortcut;
use crate::state::cache::Key;
use crate::state::fuel::Culprit;
use crate::state::value::{Cell, Value};

impl<'a> Eval<'a> {
    /// A derived value of a piece that has nothing but a base: `work` evaluates the base.
    #[inline]
    pub(crate) fn plain_value_of<T: Default>(
        &self,
        piece: PieceId,
        base: ExprId,
        locals: &Locals,
        work: impl FnOnce(&CompiledExpr, &Eval<'a>, &mut Locals) -> T,
    ) -> T {
        let Some(eval) = self.one_deeper() else { return T::default() };
        let me = self.state.owner(self.rules, piece).or(locals[0].seat());
        let compiled = &self.rules.exprs[base.index()];
        let found = with_slots(me, Some(piece), &[], compiled.locals, |locals| work(compiled, &eval, locals));
        if self.state.fuel().is_out() {
            self.note_plain(base, piece);
        }
        found
    }

    #[cold]
    fn note_plain(&self, base: ExprId, piece: PieceId) {
        if let Some(value) = self.rules.values.iter().position(|value| value.base == base) {
            self.state.fuel().note(ValueId::from(value), Value::Piece(piece));
        }
    }

    /// A derived value: its base, and the changes that pieces in play make to it.
    pub fn value(&self, value: ValueId, subject: Value, locals: &Locals) -> Value {
        let found = self.find_value(value, subject, locals);
        if self.state.fuel().is_out() {
            self.state.fuel().note(value, subject);
        }
        found
    }

    #[inline]
    fn find_value(&self, value: ValueId, subject: Value, locals: &Locals) -> Value {
        let declared = &self.rules.values[value.index()];
        let (me, this, is_owned) = match (declared.subject, subject) {
            (Subject::Piece(_), Value::Piece(piece)) => {
                // In a zone of the table, the owner may change while the piece stays where it is.
                let of_zone = self.state.owner_of_its_zone(self.rules, piece);
                let owner = of_zone.or_else(|| self.state.claimed_by(self.rules, piece));
                (owner.or(locals[0].seat()), Some(piece), of_zone.is_some())
            }
            (Subject::Piece(_), _) => return Value::Int(0),
            (Subject::Space, Value::Cell(space)) => return self.value_of_space(value, space, locals[0].seat()),
            (Subject::Space, _) => return Value::Nil,
            (_, Value::Seat(seat)) => (Some(seat), None, true),
            _ => (locals[0].seat(), None, true),
        };
        if self.rules.is_plain_value(value) {
            return self.deeper(|eval| eval.compiled(declared.base, me, this, &[]));
        }
        let key = match this {
            Some(piece) => Key::of_piece(value, piece, me.filter(|_| !is_owned), self.public_view),
            None => Key::of_player(value, me, self.public_view),
        };
        let found = self.remembered(key, || self.worked_out(value, subject, me, this));
        self.state.fuel().blame(Culprit::Value(value));
        found
    }

    /// A derived value of a space.
    #[inline(never)]
    fn value_of_space(&self, value: ValueId, space: Cell, me: Option<Seat>) -> Value {
        let key = Key::of_space(value, space, me, self.public_view);
        let base = self.rules.values[value.index()].base;
        let work = || self.modified(value, Value::Cell(space), self.base_of_space(base, space, me));
        let found = self.remembered(key, work);
        self.state.fuel().blame(Culprit::Value(value));
        found
    }

    /// The base of a value of a space, which is `self` in its text.
    fn base_of_space(&self, text: ExprId, space: Cell, me: Option<Seat>) -> Value {
        let compiled = &self.rules.exprs[text.index()];
        self.deeper(|eval| {
            with_slots(me, None, &[], compiled.locals, |locals| {
                locals[SELF.index()] = Value::Cell(space);
                compiled.value(eval, locals)
            })
        })
    }

    /// Which derived values are modified by pieces in play, as bits.
    fn modified_now(&self) -> u64 {
        let find = || {
            let shared = if self.rules.facts.has_owner_vars { self.rules.shared_play_zones.as_slice() } else { &[] };
            let zones = self.rules.play_zones.iter().flatten().chain(shared);
            let pieces = zones.flat_map(|zone| self.state.of_kinds(*zone, self.rules.facts.traits.modify));
            let all = pieces.fold(0, |all, piece| all | self.rules.modified_by(piece));
            Value::Int(all.cast_signed())
        };
        let memo = self.state.memo();
        let found = memo.get(Key::IN_PLAY).unwrap_or_else(|| memo.find(Key::IN_PLAY, find, || !memo.is_idle()));
        self.state.compare("what modifies values is still in play", || (found, find()));
        found.int().cast_unsigned()
    }

    /// A value that is not cached: its base, and what pieces in play change about it.
    #[inline(always)]
    fn worked_out(&self, value: ValueId, subject: Value, me: Option<Seat>, this: Option<PieceId>) -> Value {
        let base = self.rules.values[value.index()].base;
        self.modified(value, subject, self.deeper(|eval| eval.compiled(base, me, this, &[])))
    }

    #[inline(always)]
    fn modified(&self, value: ValueId, subject: Value, base: Value) -> Value {
        let declared = &self.rules.values[value.index()];
        let Value::Int(mut number) = base else { return base };
        let by_bits = self.rules.shortcuts.takes(Shortcut::HookBits);
        if declared.modified && (!by_bits || self.modified_now() & value_bit(value) != 0) {
            let modify = if by_bits { self.rules.facts.traits.modify } else { 0 };
            for seat in self.rules.seats() {
                for piece in self.state.in_play_of(self.rules, seat, modify) {
                    if self.rules.may_modify(piece, value) {
                        let change = self.modification(value, subject, seat, piece);
                        number = self.exact(number.checked_add(change));
                    }
                }
            }
        }
        Value::Int(number)
    }

    fn modification(&self, value: ValueId, subject: Value, owner: Seat, piece: PieceId) -> i64 {
        let ty = &self.rules.types[self.rules.type_of(piece).index()];
        let mut change = 0i64;
        for modifier in ty.modifies.iter().filter(|modifier| modifier.value == value) {
            let concerns = match &modifier.of {
                None => subject == Value::Seat(owner),
                Some(of) => with_slots(Some(owner), Some(piece), &[], of.locals, |locals| {
                    let concerns = of.walk(self.rules).contains(self, subject, locals);
                    let both = || (concerns, self.contains(&of.set, subject, locals));
                    self.state.compare("members say who they are", both);
                    concerns
                }),
            };
            let applies = concerns
                && modifier.when.is_none_or(|when| self.deeper(|eval| eval.holds(when, Some(owner), Some(piece), &[])));
            if applies {
                let by = self.deeper(|eval| eval.compiled(modifier.by, Some(owner), Some(piece), &[])).int();
                change = self.exact(change.checked_add(by));
            }
        }
        change
    }
}
