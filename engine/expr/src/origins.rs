//! Where the names inside an effect get their values. A mistake may show where a name is used, and lie where the name
//! is given.
//!
//! Example: `choose room in (rooms); move guest to room`. The second step needs a space; the slip is in the first.

use rulepack_model::Local;

use crate::ast::{Ast, AstKind};
use crate::check::Checker;
use crate::error::ExprError;
use crate::vocabulary::Ty;

impl Checker<'_> {
    /// Adds a name whose value comes from another part of the text.
    pub(crate) fn bind_from(&mut self, name: &str, ty: Ty, from: &Ast) -> Local {
        let local = self.bind(name, ty);
        self.origins.push((local, from.at.clone()));
        local
    }

    /// A mistake about a part of the text; if that part is a name, the place where the name gets its value is added.
    pub(crate) fn traced(&self, error: ExprError, part: &Ast) -> ExprError {
        let AstKind::Name(name) = &part.kind else { return error };
        let Some((local, ty)) = self.lookup(name).filter(|(_, ty)| *ty != Ty::Any) else { return error };
        match self.origins.iter().rev().find(|(known, _)| *known == local) {
            Some((_, from)) => {
                error.because(from.clone(), format!("`{name}` is {}: it comes from here", self.describe(ty)))
            }
            None => error,
        }
    }
}
