//! A cache of parsed texts. A game is linked once for each of its modes, and most texts are the same in all of them.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::ast::{Ast, CostAst, StepAst};
use crate::error::ExprError;
use crate::parse::{parse_cost, parse_effect, parse_expr};

/// Parsed texts, by text.
#[derive(Debug, Default)]
pub struct Parses {
    exprs: Kept<Ast>,
    costs: Kept<(CostAst, Option<Ast>)>,
    effects: Kept<Vec<StepAst>>,
}

type Kept<T> = Mutex<HashMap<String, Arc<T>>>;

impl Parses {
    /// An expression.
    ///
    /// # Errors
    /// If it cannot be parsed.
    pub fn expr(&self, text: &str) -> Result<Arc<Ast>, ExprError> {
        kept(&self.exprs, text, parse_expr)
    }

    /// A cost and its destination.
    ///
    /// # Errors
    /// If it cannot be parsed.
    pub fn cost(&self, text: &str) -> Result<Arc<(CostAst, Option<Ast>)>, ExprError> {
        kept(&self.costs, text, parse_cost)
    }

    /// An effect.
    ///
    /// # Errors
    /// If it cannot be parsed.
    pub fn effect(&self, text: &str) -> Result<Arc<Vec<StepAst>>, ExprError> {
        kept(&self.effects, text, parse_effect)
    }
}

fn kept<T>(all: &Kept<T>, text: &str, parse: impl Fn(&str) -> Result<T, ExprError>) -> Result<Arc<T>, ExprError> {
    // A thread that panicked while it held the lock had not begun to change the map.
    if let Some(known) = all.lock().unwrap_or_else(PoisonError::into_inner).get(text) {
        return Ok(Arc::clone(known));
    }
    let parsed = Arc::new(parse(text)?);
    all.lock().unwrap_or_else(PoisonError::into_inner).insert(text.to_string(), Arc::clone(&parsed));
    Ok(parsed)
}
