//! Steps with names, and the steps that patches add before and after them.

use std::sync::Arc;

use crate::ast::{NameAst, StepAst};
use crate::check::{Checked, Checker};
use crate::code::Op;
use crate::error::ExprError;

/// Steps that a patch adds beside a step with a name. They are a text of their own, perhaps of another pack.
#[derive(Debug)]
pub struct AddedSteps {
    /// The name of the step.
    pub label: String,
    /// Whether they are done after it.
    pub after: bool,
    /// The pack of the patch: its scripts are meant.
    pub pack: String,
    /// Their place, for messages.
    pub origin: String,
    /// The steps.
    pub steps: Arc<Vec<StepAst>>,
    /// Whether a step has that name.
    pub is_used: bool,
    /// Their mistakes.
    pub mistakes: Vec<ExprError>,
}

impl AddedSteps {
    /// Steps beside the one with this name.
    pub fn new(label: &str, after: bool, steps: Arc<Vec<StepAst>>) -> Self {
        let (pack, origin, mistakes) = (String::new(), String::new(), Vec::new());
        AddedSteps { label: label.to_string(), after, pack, origin, steps, is_used: false, mistakes }
    }
}

impl Checker<'_> {
    /// Steps that patches add to the effect that is checked next.
    pub fn add_steps(&mut self, added: Vec<AddedSteps>) {
        self.added = added;
    }

    /// The added steps, each with its mistakes, and the names of the steps that were there.
    pub fn take_added(&mut self) -> (Vec<AddedSteps>, Vec<String>) {
        (std::mem::take(&mut self.added), std::mem::take(&mut self.labels))
    }

    /// A step with a name, and what patches add before and after it.
    pub(super) fn named(&mut self, label: &NameAst, step: &StepAst, ops: &mut Vec<Op>) -> Checked<()> {
        super::named_well(label)?;
        if self.labels.contains(&label.text) {
            let message = format!("two steps of this effect are called `{}`", label.text);
            return Err(ExprError::kind(label.at.clone(), message).help("give each a name of its own"));
        }
        self.labels.push(label.text.clone());
        self.beside(&label.text, false, ops);
        self.step(step, ops)?;
        self.beside(&label.text, true, ops);
        Ok(())
    }

    /// Compiles the steps that are added before or after a step. Their operations get the place of that step.
    fn beside(&mut self, label: &str, after: bool, ops: &mut Vec<Op>) {
        for index in 0..self.added.len() {
            let Some(added) = self.added.get_mut(index).filter(|added| added.label == label && added.after == after)
            else {
                continue;
            };
            added.is_used = true;
            let steps = Arc::clone(&added.steps);
            let (pack, origin) = (added.pack.clone(), added.origin.clone());
            let pack = std::mem::replace(&mut self.vocabulary.pack, pack);
            let origin = std::mem::replace(&mut self.vocabulary.origin, origin);
            let (mistakes, notes, places) = (self.more.len(), self.vocabulary.notes.len(), ops.len());
            self.steps(&steps, ops);
            self.places.truncate(places);
            self.vocabulary.notes.truncate(notes);
            let found = self.more.split_off(mistakes.min(self.more.len()));
            (self.vocabulary.pack, self.vocabulary.origin) = (pack, origin);
            if let Some(added) = self.added.get_mut(index) {
                added.mistakes.extend(found);
            }
        }
    }
}
