//! Sets that scripts ask for by themselves: connected spaces, and sets by name with what others know of them.

use std::ops::ControlFlow;

use rulepack_expr::{Directions, Expr, FIRST_PARAM, ME, Set};
use rulepack_model::{Local, Seat, SetId, SymId};

use crate::eval::expressions::{Eval, Slots, slots};
use crate::state::value::{Cell, Value};

/// The members of a set with a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedSet {
    /// The members.
    pub members: Vec<Value>,
    /// What could be members, as far as other players know: the members and hidden pieces.
    pub possible: Vec<Value>,
}

impl Eval<'_> {
    /// The spaces of some to which neighbours lead from others without leaving them, the nearest first.
    pub fn connected(&self, from: &[Cell], within: &[Cell]) -> Vec<Cell> {
        let mut found = Vec::new();
        let spaces = |cells: &[Cell]| cells.iter().map(|cell| Value::Cell(*cell)).collect::<Vec<Value>>();
        let (from, within) = (spaces(from), spaces(within));
        let _ = self.walk_connected(
            &mut Slots::new(),
            |locals, visit| from.into_iter().try_for_each(|cell| visit(cell, locals)),
            |locals, visit| within.into_iter().try_for_each(|cell| visit(cell, locals)),
            &mut |value, _| {
                found.extend(value.cell());
                ControlFlow::Continue(())
            },
        );
        found
    }

    /// Whether a symbol is a direction of the pack.
    pub fn is_direction(&self, symbol: SymId) -> bool {
        self.rules.direction(Value::Sym(symbol)).is_some()
    }

    /// The direction that leads back.
    pub fn opposite(&self, direction: SymId) -> Value {
        self.rules.opposite(Value::Sym(direction))
    }

    /// Directions of the pack, clockwise from the north.
    pub fn directions(&self, which: Directions) -> Vec<Value> {
        self.rules.directions(which).collect()
    }

    /// A set with a name, for a player, with its arguments.
    pub fn named_set(&self, set: SetId, me: Option<Seat>, args: &[Value]) -> NamedSet {
        let count = FIRST_PARAM.saturating_add(u16::try_from(args.len()).unwrap_or(u16::MAX));
        let params = (FIRST_PARAM..count).map(|slot| Expr::Local(Local(slot))).collect();
        let set = Set::Named(set, Box::new(Expr::Local(ME)), params);
        let mut locals = slots(me, None, args, count);
        let members = self.collect(&set, &mut locals);
        NamedSet { members, possible: self.possible_members(&set, &mut locals) }
    }
}
