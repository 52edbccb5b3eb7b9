//! Steps that let players see pieces.

use crate::ast::*;
use crate::check::{Checkable, Checked, Checker};
use crate::code::*;
use crate::error::ExprError;
use crate::vocabulary::Ty;

impl Checker<'_> {
    /// `look at SET by PLAYER as QUESTION`
    pub(super) fn look(
        &mut self,
        set: &Ast,
        by: &Option<Ast>,
        prompt: &Option<NameAst>,
        ops: &mut Vec<Op>,
    ) -> Checked<()> {
        let pieces = match self.check(set)? {
            Checkable::Zone(zone) => Set::Zone(zone),
            Checkable::Many(pieces, Ty::Piece(_) | Ty::Any) => pieces,
            Checkable::One(piece, Ty::Piece(_) | Ty::Any) => Set::One(Box::new(piece)),
            _ => {
                return Err(ExprError::kind(set.at.clone(), "one looks at pieces")
                    .help("such as `look at hand of opponent` or `look at top(deck)`"));
            }
        };
        let by = self.seat_or_me(by)?;
        let prompt = self.prompt(prompt)?;
        ops.push(Op::Look { set: pieces, by: by.clone() });
        ops.extend(prompt.map(|prompt| Op::Seen { by, prompt }));
        Ok(())
    }

    /// `disclose SET as QUESTION`
    pub(super) fn disclose(&mut self, what: &Ast, prompt: &Option<NameAst>, ops: &mut Vec<Op>) -> Checked<()> {
        let what = match self.check(what)? {
            Checkable::Zone(zone) => Disclosed::Many(Set::Zone(zone)),
            Checkable::Many(set, _) => Disclosed::Many(set),
            Checkable::One(value, _) => Disclosed::One(value),
            _ => {
                return Err(ExprError::kind(what.at.clone(), "a value or a set of things is disclosed")
                    .help("such as `disclose hand of opponent` or `disclose any(my hand where …)`"));
            }
        };
        ops.push(Op::Disclose { what, prompt: self.prompt(prompt)? });
        Ok(())
    }
}
