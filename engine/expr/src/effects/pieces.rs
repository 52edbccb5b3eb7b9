//! Steps about pieces: one or all of a set; and steps that let players see them.

use super::complete;
use crate::ast::*;
use crate::check::{Checkable, Checked, Checker};
use crate::code::*;
use crate::error::ExprError;
use crate::vocabulary::Ty;

/// The pieces that something is done with.
pub(super) enum Which {
    One(Expr),
    /// All members of a set.
    All(Set),
}

impl Checker<'_> {
    /// A piece, or all pieces of a set.
    pub(super) fn pieces(&mut self, ast: &Ast, verb: &str) -> Checked<Which> {
        if !self.is_set(ast) {
            return self.piece(ast, verb).map(Which::One);
        }
        let (set, ty) = self.set(ast)?;
        if !matches!(ty, Ty::Piece(_) | Ty::Any) {
            let message = format!("`{verb}` takes pieces, and each of these is {}", self.describe(ty));
            let error = ExprError::kind(ast.at.clone(), message);
            return Err(match ty {
                Ty::Cell => error.help(format!("the pieces on them: `{verb} pieces_at(…) …`")),
                Ty::Seat => error.help(format!("what they have: `{verb} ZONE of players …`")),
                _ => error.help("such as `my hand` or `pieces_at(…)`"),
            });
        }
        Ok(Which::All(set))
    }

    /// `shuffle ZONE`, `shuffle ZONE of players`
    pub(super) fn shuffle(&mut self, what: &Ast, ops: &mut Vec<Op>) -> Checked<()> {
        if matches!(what.kind, AstKind::Of(..))
            && let Ok(Checkable::Many(Set::OfEach { of, it, part }, _)) = self.check(what)
            && let Some(zone) = whole_zone(*part)
        {
            let list = self.bind(" list", Ty::Int);
            ops.push(Op::Collect { list, set: *of });
            let start = ops.len();
            ops.push(Op::Jump(0));
            ops.push(Op::Shuffle(zone));
            ops.push(Op::Jump(start as u32));
            complete(ops, start, |end| Op::Next { list, into: it, end });
            return Ok(());
        }
        let zone = self.zone(what)?;
        ops.push(Op::Shuffle(zone));
        Ok(())
    }

    /// `look at SET until it moves by PLAYER as QUESTION`
    pub(super) fn look(
        &mut self,
        set: &Ast,
        lasting: bool,
        by: &Option<Ast>,
        prompt: &Option<NameAst>,
        ops: &mut Vec<Op>,
    ) -> Checked<()> {
        let Some(set) = self.seen_pieces(set)? else {
            return Err(ExprError::kind(set.at.clone(), "one looks at pieces")
                .help("such as `look at hand of opponent` or `look at top(deck)`"));
        };
        let by = self.seat_or_me(by)?;
        let prompt = self.prompt(prompt)?;
        ops.push(Op::Look { set, by: by.clone(), lasting });
        ops.extend(prompt.map(|prompt| Op::Seen { by, prompt }));
        Ok(())
    }

    /// `reveal SET to PLAYERS until it moves`
    pub(super) fn reveal(&mut self, set: &Ast, to: &Option<Ast>, lasting: bool, ops: &mut Vec<Op>) -> Checked<()> {
        let Some(pieces) = self.seen_pieces(set)? else {
            return Err(ExprError::kind(set.at.clone(), "`reveal` shows pieces")
                .help("such as `reveal top(deck)` or `reveal my hand to opponent`; a value is told by `disclose`"));
        };
        let to = to.as_ref().map(|players| self.seats(players)).transpose()?;
        ops.push(Op::Show { set: pieces, to, lasting });
        Ok(())
    }

    /// One piece or several, as a set; nothing if it is something else.
    fn seen_pieces(&mut self, ast: &Ast) -> Checked<Option<Set>> {
        Ok(match self.check(ast)? {
            Checkable::Zone(zone) => Some(Set::Zone(zone)),
            Checkable::Many(pieces, Ty::Piece(_) | Ty::Any) => Some(pieces),
            Checkable::One(piece, Ty::Piece(_) | Ty::Any) => Some(Set::One(Box::new(piece))),
            _ => None,
        })
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

/// The zone of which a set is all pieces of a kind.
fn whole_zone(set: Set) -> Option<ZoneRef> {
    match set {
        Set::Zone(zone) => Some(zone),
        Set::Filter { base, .. } => whole_zone(*base),
        _ => None,
    }
}
