//! Prices: the possible parameters of an action, and its cost for each, whether or not it can be paid now.

use std::ops::ControlFlow;

use rulepack_model::{ActionId, Seat};

use crate::eval::expressions::{Eval, slots};
use crate::state::value::Value;

impl Eval<'_> {
    /// The values of the first parameter of an action for a player, whatever else the action needs; `None` for an
    /// action without parameters.
    pub fn first_values(&self, seat: Seat, action: ActionId) -> Vec<Value> {
        let declared = &self.rules.actions[action.index()];
        let mut locals = slots(Some(seat), None, &[], declared.locals);
        let mut values = Vec::new();
        match declared.code(self.rules).params.first() {
            None => values.push(Value::Nil),
            Some(set) => {
                let _ = set.each(self, &mut locals, |value, _| {
                    values.push(value);
                    ControlFlow::Continue(())
                });
            }
        }
        values
    }
}
