//! The questions of an effect, and what their texts name: `"Discard {card} of {card.owner}?"`.

use std::sync::Arc;

use rulepack_model::PromptId;

use crate::ast::NameAst;
use crate::check::{Checkable, Checked, Checker};
use crate::code::{Expr, Op};
use crate::error::ExprError;

impl Checker<'_> {
    /// The question of a step, if it has one.
    pub(super) fn prompt(&mut self, name: &Option<NameAst>) -> Checked<Option<PromptId>> {
        let Some(name) = name else { return Ok(None) };
        let prompt = self.prompt_named(name)?;
        let named = self.named_in(prompt).map_err(|error| {
            let message = format!("the question `{}` cannot be asked here: {}", name.text, error.message);
            ExprError { at: name.at.clone(), message, because: None, cure: None, ..error }
        })?;
        self.asked.push(named);
        Ok(Some(prompt))
    }

    /// What the text of a question names, with the names that are known here.
    ///
    /// # Errors
    /// If something is not known here, or is no single thing.
    pub fn named_in(&mut self, prompt: PromptId) -> Result<Vec<Expr>, ExprError> {
        let parts = self.vocabulary.named_in_prompts.get(&prompt).cloned().unwrap_or_default();
        let mut named = Vec::new();
        for (text, ast) in parts {
            let ast = Arc::clone(&ast);
            match self.check(&ast)? {
                Checkable::One(expr, _) => named.push(expr),
                _ => return Err(ExprError::kind(ast.at.clone(), format!("`{text}` is no single thing"))),
            }
        }
        Ok(named)
    }

    /// A way of `either`: a text without places to fill.
    pub(super) fn way_named(&self, name: &NameAst) -> Checked<PromptId> {
        let prompt = self.prompt_named(name)?;
        if self.vocabulary.named_in_prompts.contains_key(&prompt) {
            let message = format!(
                "the text of `{}` names something in braces, and a way of `either` has no such places",
                name.text
            );
            return Err(ExprError::kind(name.at.clone(), message).help("write the text of the way without braces"));
        }
        Ok(prompt)
    }

    /// What the questions name, by the operations that ask them.
    pub fn take_named(&mut self, ops: &[Op]) -> Vec<(u32, Vec<Expr>)> {
        let asks = |op: &Op| {
            matches!(
                op,
                Op::Choose { prompt: Some(_), .. }
                    | Op::ChooseMore { prompt: Some(_), .. }
                    | Op::May { prompt: Some(_), .. }
                    | Op::Disclose { prompt: Some(_), .. }
                    | Op::Seen { .. }
            )
        };
        let asking = (0..).zip(ops).filter(|(_, op)| asks(op)).map(|(at, _)| at);
        // The questions were checked in the order of their operations.
        asking.zip(std::mem::take(&mut self.asked)).filter(|(_, named)| !named.is_empty()).collect()
    }
}
