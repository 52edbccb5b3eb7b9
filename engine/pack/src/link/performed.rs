//! Checks the arguments of actions in effects, such as `do build(card)`. It runs when all actions have been read, because an
//! effect may come before the action that it names.

use rulepack_expr::{About, Ty};
use rulepack_model::{Code, Diagnostic};

use super::Linker;
use crate::read::text_map;

impl Linker<'_> {
    /// Notes the types of the parameters of an action.
    pub(super) fn note_parameters(&mut self, action: &str, types: Vec<Ty>) {
        self.parameters.insert(action.to_string(), types);
    }

    /// Refuses arguments whose type does not fit the parameter.
    pub(super) fn refuse_misfits(&mut self) {
        for (action, types) in std::mem::take(&mut self.parameters) {
            if let Some((_, known)) = self.vocabulary.actions.get_mut(&action) {
                known.iter_mut().zip(types).for_each(|(known, ty)| *known = ty);
            }
        }
        let mut found = Vec::new();
        for noted in &self.notes {
            let About::Given(action, given) = &noted.note.about else { continue };
            let Some((name, (_, wanted))) = self.vocabulary.actions.get_index(action.index()) else { continue };
            let misfit = given.iter().zip(wanted).find(|(given, wanted)| !self.vocabulary.fits(**given, **wanted));
            let Some((given, wanted)) = misfit else { continue };
            let (given, wanted) = (self.vocabulary.describe(*given), self.vocabulary.describe(*wanted));
            let message = format!("`{name}` is given {given}, but {wanted} is chosen for it");
            let at = &noted.note.at;
            let span = if noted.is_string { text_map(self.sources, noted.text).span(at.clone()) } else { noted.text };
            let help = format!("give it one of those that `param` of `[action.{name}]` lists");
            found.push(Diagnostic::error(Code::ExpressionType, message).at(span).help(help));
        }
        self.out.extend(found);
    }
}
