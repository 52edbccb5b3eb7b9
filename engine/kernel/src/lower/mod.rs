//! Compiled texts: a text that a game evaluates often is turned, when it is first needed, into functions for exactly
//! its shape and for exactly one ruleset. Zones, adjacencies and facts about types are looked up once, and not for
//! every member of a set.
//!
//! `exprs.rs` and `stock.rs` compile expressions, `walk.rs` sets, `price.rs` costs, `steps.rs` effects. Rare
//! expressions are handed to the evaluator (`eval/expressions.rs`, `eval/sets.rs`). Both give the same results: debug
//! builds compare them each time.

mod cell_mask;
mod chains;
mod exprs;
mod made_sets;
mod price;
mod rest;
mod set_filter;
mod set_queries;
mod set_source;
mod size;
mod split_where;
mod steps;
mod stock;
mod types;
mod walk;

use std::fmt;
use std::sync::OnceLock;

use rulepack_expr::{Expr, Property, Set};
use rulepack_model::Seat;

use crate::eval::expressions::{Eval, Locals};
use crate::rules::ruleset::Ruleset;
use crate::rules::shortcuts::{ORACLE, Shortcut};
use crate::state::value::Value;

use exprs::{number, truth, value};
pub(crate) use price::Price;
pub(crate) use set_source::ZoneSource;
pub(crate) use steps::{Choice, More, Showing, Step, Target, Telling, Winning, steps};
pub(crate) use walk::Walk;

type Function<T> = Box<dyn Fn(&Eval<'_>, &mut Locals) -> T + Send + Sync>;

/// A yes-or-no as a function.
pub(crate) type Truth = Function<bool>;
/// A number as a function; a missing value counts as 0.
pub(crate) type Number = Function<i64>;
/// Any value as a function.
pub(crate) type AnyValue = Function<Value>;

/// A slot for a compiled text; a copy compiles its own, because it may belong to other rules.
pub(crate) struct Lowered<T>(OnceLock<T>);

impl<T> Clone for Lowered<T> {
    fn clone(&self) -> Self {
        Lowered::default()
    }
}

impl<T> Default for Lowered<T> {
    fn default() -> Self {
        Lowered(OnceLock::new())
    }
}

impl<T> fmt::Debug for Lowered<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Lowered")
    }
}

impl<T> Lowered<T> {
    #[inline]
    pub(crate) fn get(&self, make: impl FnOnce() -> T) -> &T {
        self.0.get_or_init(make)
    }
}

/// The source of a value: usually a slot, for which no function is called.
pub(crate) enum Source {
    Slot(usize),
    Constant(Value),
    /// A property of every piece or space, read from a slot.
    Property(Property, usize),
    Code(AnyValue),
}

impl Source {
    pub(crate) fn new(rules: &Ruleset, expr: &Expr) -> Source {
        match expr {
            Expr::Local(local) => Source::Slot(local.index()),
            Expr::Int(n) => Source::Constant(Value::Int(*n)),
            Expr::Bool(flag) => Source::Constant(Value::Bool(*flag)),
            Expr::Sym(id) => Source::Constant(Value::Sym(*id)),
            Expr::Res(id) => Source::Constant(Value::Res(*id)),
            Expr::Type(id) => Source::Constant(Value::Type(*id)),
            Expr::First(set) if matches!(**set, Set::Seats) && !rules.facts.has_elimination => {
                Source::Constant(Value::Seat(Seat(0)))
            }
            Expr::Property(property, of) => match **of {
                Expr::Local(local) => Source::Property(*property, local.index()),
                _ => Source::Code(value(rules, expr)),
            },
            _ => Source::Code(value(rules, expr)),
        }
    }

    /// The same for a whole text; debug builds compare it with the evaluator.
    pub(crate) fn whole(rules: &Ruleset, expr: &Expr) -> Source {
        if !rules.shortcuts.takes(Shortcut::CompiledTexts) {
            return Source::Code(checked::value(rules, expr));
        }
        match Source::new(rules, expr) {
            Source::Code(_) => Source::Code(checked::value(rules, expr)),
            at_hand => at_hand,
        }
    }

    #[inline]
    pub(crate) fn get(&self, eval: &Eval<'_>, locals: &mut Locals) -> Value {
        // Most sources are slots: one comparison is cheaper than a jump table.
        if let Source::Slot(slot) = self {
            return locals.get(*slot).copied().unwrap_or_default();
        }
        match self {
            Source::Slot(slot) => locals.get(*slot).copied().unwrap_or_default(),
            Source::Constant(value) => *value,
            Source::Property(property, slot) => {
                eval.property(*property, locals.get(*slot).copied().unwrap_or_default())
            }
            Source::Code(code) => code(eval, locals),
        }
    }
}

/// Whole texts as functions; debug builds compare them with the evaluator.
pub(crate) mod checked {
    use super::*;

    macro_rules! checked {
        ($name:ident, $gives:ty, $function:ty, $reference:ident) => {
            pub(crate) fn $name(rules: &Ruleset, expr: &Expr) -> $function {
                if !rules.shortcuts.takes(Shortcut::CompiledTexts) {
                    let expr = expr.clone();
                    return Box::new(move |eval: &Eval<'_>, locals: &mut Locals| -> $gives {
                        eval.$reference(&expr, locals)
                    });
                }
                let function = super::exprs::$name(rules, expr);
                if !ORACLE {
                    return function;
                }
                let (expr, is_spoiled) = (expr.clone(), rules.shortcuts.spoils(Shortcut::CompiledTexts));
                Box::new(move |eval: &Eval<'_>, locals: &mut Locals| -> $gives {
                    let found = if is_spoiled { <$gives>::default() } else { function(eval, locals) };
                    let both = || (found, eval.$reference(&expr, locals));
                    eval.state.compare("the function says what the text says", both);
                    found
                })
            }
        };
    }

    checked!(truth, bool, Truth, truth);
    checked!(number, i64, Number, int);
    checked!(value, Value, AnyValue, expr);
}
